# SPDX-License-Identifier: GPL-2.0
"""Suites of tests side by side, each in a process of its own.

A guest has one thread of this machine's, as QEMU emulates all its processors in
turn, and so has most of what runs on the host: as many suites as there are
processors fit beside each other.
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

# A guest of Debian's takes 1.5 GB of memory, whatever number of processors there is
MOST = 4
# How many of the longest are told at the end
LISTED = 6

# A suite, the architecture to run it for, what to call it, or "" for its tests'
# names alone, and options for it
Task = collections.namedtuple("Task", "suite arch name options", defaults=((),))


def workers():
    return min(int(os.environ.get("JOBS") or 0) or os.cpu_count() or 1, MOST)


def command(options, tally):
    return [sys.executable, os.path.join(vm.HERE, "test.py"), "--tally", tally, *options]


def label_of(task):
    return " ".join(word for word in (task.name, task.suite) if word)


def run_task(task, pattern, options):
    """Run it, show what it says with its name in front, and return its Tally, and the
    seconds that it took."""
    environment = dict(os.environ, ARCH=task.arch, SUITE=task.suite, TEST=pattern)
    label = label_of(task)
    start = time.monotonic()
    with tempfile.TemporaryDirectory() as top:
        path = os.path.join(top, "tally")
        with subprocess.Popen(command([*options, *task.options], path), env=environment, text=True,
                              errors="replace", stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as process:
            for line in process.stdout:
                # One write, so that another suite's does not fall into it
                sys.stdout.write(f"[{label}] {line}")
                sys.stdout.flush()
        return variants.read_tally(task.name, path, label), time.monotonic() - start


def tell_longest(tasks, seconds):
    """Where the time went, in one line."""
    longest = sorted(zip(seconds, map(label_of, tasks)), reverse=True)[:LISTED]
    print("== longest: " + ", ".join(f"{label} {took:.0f} s" for took, label in longest))


def run(tasks, pattern, options):
    """The Tally of all, in their order. Those that take longest should come first."""
    tally = results.Tally()
    with concurrent.futures.ThreadPoolExecutor(workers()) as executor:
        done = list(executor.map(lambda task: run_task(task, pattern, options), tasks))
    for one, _ in done:
        tally.merge(one)
    tell_longest(tasks, [took for _, took in done])
    return tally
