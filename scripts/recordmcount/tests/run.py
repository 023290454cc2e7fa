#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Tests of recordmcount; prints TAP, ends with 1 if any test failed.

usage: run.py [-o DIR] [-b] [-l] [PATTERN...]

  -o DIR   where to work; a temporary directory without it
  -b       only build the tool, as DIR/recordmcount
  -l       only list the tests
  PATTERN  run only tests whose names contain one of these

CC chooses the compiler whose objects are tested, HOSTCC the one that compiles
the tool. With KTEST_QUICK set, tests of chance and of many options are left out, unless
a PATTERN names them.
"""

import getopt
import os
import sys
import tempfile
import traceback

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import harness  # noqa: E402

MODULES = ["test_places", "test_clones", "test_folded", "test_results", "test_explain", "test_objects",
           "test_members", "test_syscalls", "test_returns",
           "test_refused", "test_link", "test_apart", "test_compiler", "test_truth", "test_assigned",
           "test_fuzzers", "test_options", "test_fuzz", "test_guided"]
# They take as long as all others together
SLOW = ["test_assigned", "test_options", "test_fuzz", "test_guided"]


def tests(patterns):
    for module in MODULES:
        __import__(module)
    for func in harness.TESTS:
        name = func.__name__
        quick = "KTEST_QUICK" in os.environ and func.__module__ in SLOW
        if any(p in name for p in patterns) or not (patterns or quick):
            yield name, func


def run_one(number, name, func, top, tools):
    try:
        func(harness.Work(top, name, *tools))
    except harness.Skip as skip:
        print("ok %d - %s # SKIP %s" % (number, name, skip), flush=True)
        return True
    except harness.Failure as failure:
        why = str(failure)
    except Exception:  # a test that breaks has failed
        why = traceback.format_exc()
    else:
        print("ok %d - %s" % (number, name), flush=True)
        return True
    print("not ok %d - %s" % (number, name))
    for line in why.splitlines():
        print("# " + line)
    sys.stdout.flush()
    return False


def main():
    try:
        opts, patterns = getopt.getopt(sys.argv[1:], "o:blh")
    except getopt.GetoptError as err:
        sys.exit("%s\n%s" % (err, __doc__))
    opts = dict(opts)
    if "-h" in opts:
        print(__doc__)
        return 0
    chosen = list(tests(patterns))
    if "-l" in opts:
        for name, _ in chosen:
            print(name)
        return 0
    if not chosen:
        sys.exit("no such test")
    keep = None
    top = opts.get("-o")
    if not top:
        keep = tempfile.TemporaryDirectory()
        top = keep.name
    top = os.path.abspath(top)
    os.makedirs(top, exist_ok=True)
    os.environ["ASAN_OPTIONS"] = "exitcode=99:allocator_may_return_null=1"
    os.environ["UBSAN_OPTIONS"] = "halt_on_error=1:exitcode=99:print_stacktrace=1"
    if "-b" in opts:
        harness.build_tool(os.path.join(top, "recordmcount"), ["-O2", "-g"])
        return 0
    tools = (harness.build_tool(os.path.join(top, "recordmcount"), ["-O2", "-g"]),
             harness.build_tool(os.path.join(top, "recordmcount-safe"),
                                ["-O1", "-g", "-fsanitize=address,undefined",
                                 "-fno-sanitize-recover=undefined"]))
    print("TAP version 13\n1..%d" % len(chosen), flush=True)
    bad = 0
    for number, (name, func) in enumerate(chosen, 1):
        bad += not run_one(number, name, func, top, tools)
    if bad:
        print("# %d of %d tests failed" % (bad, len(chosen)))
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
