# SPDX-License-Identifier: GPL-2.0
"""Suites of tests side by side, each in a process of its own.

A guest uses one processor of the host, because QEMU emulates all of its processors in
one thread, and most host tests use one as well. But now and then each waits: for a disk,
a timer, another program. So one more suite runs at a time than there are processors.
"""

import collections
import concurrent.futures
import os
import subprocess
import sys
import tempfile
import time

import results
import variants
import vm

# However many processors there are: a Debian guest takes 1.5 GB of memory
MOST = 4
# A suite, its architecture, a prefix for the names of its tests ("" for none), and
# options for test.py
Task = collections.namedtuple("Task", "suite arch name options", defaults=((),))


def workers():
    return min(int(os.environ.get("JOBS") or 0) or (os.cpu_count() or 1) + 1, MOST)


def command(options, tally):
    return [sys.executable, os.path.join(vm.HERE, "test.py"), "--tally", tally, *options]


def label_of(task):
    return " ".join(word for word in (task.name, task.suite) if word)


def run_task(task, pattern, options):
    """Run a suite and show its output, each line with the suite's name in front; return
    its Tally and the seconds that it took."""
    environment = dict(os.environ, ARCH=task.arch, SUITE=task.suite, TEST=pattern)
    label = label_of(task)
    start = time.monotonic()
    with tempfile.TemporaryDirectory() as top:
        path = os.path.join(top, "tally")
        with subprocess.Popen(command([*options, *task.options], path), env=environment, text=True,
                              errors="replace", stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as process:
            for line in process.stdout:
                # A single write, so that the lines of two suites do not mix
                sys.stdout.write(f"[{label}] {line}")
                sys.stdout.flush()
        return variants.read_tally(task.name, path, label), time.monotonic() - start


def before_tests():
    """Seconds since make began: packages, kernels, roots. None without make."""
    began = os.environ.get("KTEST_BEGAN")
    return time.time() - float(began) if began else None


def tell_times(tasks, seconds, before):
    """Print where the time went, the longest suite first."""
    print(f"== where the time went; {workers()} suites run at a time:")
    if before is not None:
        print(f"   {before:5.0f} s  what the tests need: packages, kernels, roots")
    for took, label in sorted(zip(seconds, map(label_of, tasks)), reverse=True):
        print(f"   {took:5.0f} s  {label}")


def run(tasks, pattern, options):
    """The Tally of all tasks, in their order. The longest ones should come first."""
    tally = results.Tally()
    before = before_tests()
    with concurrent.futures.ThreadPoolExecutor(workers()) as executor:
        done = list(executor.map(lambda task: run_task(task, pattern, options), tasks))
    for one, _ in done:
        tally.merge(one)
    tell_times(tasks, [took for _, took in done], before)
    return tally
