# SPDX-License-Identifier: GPL-2.0
"""Tests of suites that run side by side, and of which run for which architecture."""

import contextlib
import io
import os
import sys
import tempfile
import time
from unittest import mock

import parallel
import test as frame
from harness import contains, equal, write

# What test.py is played by: says what it was asked for, and writes a result
PLAYER = """import json, os, sys
suite, arch = os.environ["SUITE"], os.environ["ARCH"]
print("hello from", arch, suite, os.environ["TEST"], *sys.argv[2:], flush=True)
if suite == "dead":
    sys.exit(1)
json.dump({"passed": [suite], "failed": [], "skipped": [], "reasons": {}}, open(sys.argv[1], "w"))
"""


def play(tasks, script=PLAYER, options=()):
    """The pool's Tally of these tasks, and what it printed."""
    def command(options, tally):
        return [sys.executable, os.path.join(top, "player.py"), tally, *options]
    said = io.StringIO()
    with tempfile.TemporaryDirectory() as top:
        write(top + "/player.py", script)
        with mock.patch.object(parallel, "command", command), contextlib.redirect_stdout(said):
            return parallel.run(tasks, "pattern", list(options)), said.getvalue()


def test_pool_results():
    """pool: results are taken over in order, by architecture if there are several"""
    tally, said = play([parallel.Task("one", "x86_64", "x86_64"),
                        parallel.Task("one", "i386", "i386"),
                        parallel.Task("host", "x86_64", "")], options=["--quick"])
    equal((tally.passed, tally.failed), (["x86_64: one", "i386: one", "host"], []))
    lines, _, times = said.partition("== where the time went")
    equal(len(times.splitlines()) >= 4, True)
    equal(sorted(lines.splitlines()), ["[host] hello from x86_64 host pattern --quick",
                          "[i386 one] hello from i386 one pattern --quick",
                          "[x86_64 one] hello from x86_64 one pattern --quick"])


def test_pool_times():
    """pool: the end of a run tells where the time went, the longest suite first"""
    tasks = [parallel.Task(name, "i386", "i386") for name in "abc"] + \
        [parallel.Task("d", "x86_64", "")]
    with mock.patch.dict(os.environ, JOBS="2"):
        for before, line in ((None, ""), (812.4, "     812 s  what the tests need: "
                                                 "packages, kernels, roots\n")):
            with contextlib.redirect_stdout(io.StringIO()) as said:
                parallel.tell_times(tasks, [0.1, 70.2, 3.0, 12.6], before)
            equal(said.getvalue(), "== where the time went; 2 suites run at a time:\n" + line +
                  "      70 s  i386 b\n      13 s  d\n       3 s  i386 c\n       0 s  i386 a\n")


def test_pool_time_before():
    """pool: what came before the tests is the time since make began"""
    with mock.patch.dict(os.environ, KTEST_BEGAN=str(int(time.time()) - 100)):
        equal(99 <= parallel.before_tests() <= 130, True)
    with mock.patch.dict(os.environ, KTEST_BEGAN=""):
        equal(parallel.before_tests(), None)


def test_pool_workers():
    """pool: one suite more than processors, as many as JOBS says, and never too many"""
    for jobs, processors, expected in (("", 2, 3), ("", 64, parallel.MOST), ("1", 2, 1),
                                       ("2", 1, 2), ("", None, 2)):
        with mock.patch.dict(os.environ, JOBS=jobs), \
                mock.patch.object(parallel.os, "cpu_count", lambda: processors):
            equal(parallel.workers(), expected)


def test_pool_broken_off():
    """pool: a suite that ends without a result has failed, and is named"""
    tally, said = play([parallel.Task("dead", "i386", "i386"), parallel.Task("host", "x86_64", "")])
    equal(tally.passed, ["host"])
    equal(tally.failed, ["i386 dead: the tests broke off without a result"])
    contains(said, "[i386 dead] hello")


def test_pool_side_by_side():
    """pool: as many suites run at once as JOBS says, and no more"""
    # Each tells the most that it saw, and gives up waiting for another after a while
    script = """import json, os, sys, time
here = os.path.dirname(sys.argv[0])
mine = os.path.join(here, "run-" + os.environ["SUITE"])
open(mine, "w").close()
most = 0
for _ in range(30):
    most = max(most, len([name for name in os.listdir(here) if name.startswith("run-")]))
    time.sleep(0.1)
    if most > 1:
        break
os.unlink(mine)
json.dump({"passed": [str(most)], "failed": [], "skipped": [], "reasons": {}},
          open(sys.argv[1], "w"))
"""
    tasks = [parallel.Task(name, "x86_64", "") for name in "ab"]
    with mock.patch.dict(os.environ, JOBS="2"):
        equal("2" in play(tasks, script)[0].passed, True)
    with mock.patch.dict(os.environ, JOBS="1"):
        equal(play(tasks, script)[0].passed, ["1", "1"])


def test_base_selftests_run_once():
    """test: beside ftracetest, the suite selftest leaves the base's tests to it"""
    for suites, options in ((("selftest", "ftracetest"), ("--quick",)), (("selftest",), ())):
        tasks = frame.tasks_of(suites, ("x86_64", "i386"))
        equal([task.options for task in tasks if task.suite == "selftest"], [options] * 2)
        equal([task.options for task in tasks if task.suite != "selftest"],
              [()] * 2 * (len(suites) - 1))
    tally, said = play([parallel.Task("one", "i386", "", ("--quick",)),
                        parallel.Task("host", "i386", "")])
    equal((tally.passed, tally.failed), (["one", "host"], []))
    contains(said, "[one] hello from i386 one pattern --quick\n")
    contains(said, "[host] hello from i386 host pattern\n")


def test_architectures():
    """test: without ARCH, each suite of a kernel runs for both, the others once"""
    with mock.patch.dict(os.environ, ARCH=""), mock.patch.object(frame.vm, "VARIANT", ""):
        tasks = frame.tasks_of(("host", "kunit", "ftracetest"), frame.architectures())
        equal([tuple(task)[:3] for task in tasks],
              [("ftracetest", "x86_64", "x86_64"), ("ftracetest", "i386", "i386"),
               ("host", "x86_64", ""), ("kunit", "x86_64", "x86_64"), ("kunit", "i386", "i386")])
    with mock.patch.dict(os.environ, ARCH="i386"), mock.patch.object(frame.vm, "ARCH", "i386"):
        equal([tuple(task) for task in frame.tasks_of(("kunit",), frame.architectures())],
              [("kunit", "i386", "", ())])
    with mock.patch.dict(os.environ, ARCH=""), mock.patch.object(frame.vm, "VARIANT", "off"):
        equal(frame.architectures(), (frame.vm.ARCH,))
