# SPDX-License-Identifier: GPL-2.0
"""Tests of how the boot-time self tests are read from the console and judged."""

import contextlib
import io
import tempfile
import unittest.mock

from suites import base_results, startup
from harness import contains, equal

CONSOLE = """[    0.100000] ftrace section at 00000000abcdef12 sorted properly
[    0.500000] Running postponed tracer tests:
[    0.600000] Testing tracer function: PASSED
[    0.700000][    T1] Testing dynamic ftrace: PASSED
[    0.800000] Testing dynamic ftrace ops #1: 
[    0.810000] (1 0 1 0 0) 
[    0.820000] (1 1 2 0 0) PASSED
[    1.000000] Testing tracer wakeup: 
[    1.100000] clocksource: all is OK
[    1.200000] PASSED
[    2.000000] Running ring buffer tests...
[    2.100000] Testing tracer other: .. no entries found ..FAILED!
[    3.000000] Ring buffer PASSED!
[    4.000000] Testing event one: OK
[    4.100000] Testing event one: OK
[    4.200000] Testing event system sched: OK
[    4.300000] Testing all events: OK
[    5.000000] Running tests again, along with the function tracer
[    5.100000] Testing event one: Enabled event during self test!
[    5.200000] Testing all events: OK
[    6.000000] Testing kprobe tracing: NG: Some tests are failed. Please check them.
Testing tracer nobody: PASSED
""".split("\n")

FOUND = {
    "ftrace section": "PASS", "tracer function": "PASS", "dynamic ftrace": "PASS",
    "dynamic ftrace ops #1": "PASS", "tracer wakeup": "PASS", "ring buffer": "PASS",
    "tracer other": "FAIL", "event one": "PASS", "event one (2)": "PASS",
    "event system sched": "PASS", "all events": "PASS",
    "event one, with the function tracer": "UNRESOLVED",
    "all events, with the function tracer": "PASS", "kprobe tracing": "FAIL"}


def judge(base, found, problem=None):
    with contextlib.redirect_stdout(io.StringIO()):
        return startup.judge("6.12.9-1", base, found, problem)


def test_startup_console():
    """startup: verdicts are found behind a name and on lines of their own, and no other"""
    equal(startup.read_console(CONSOLE), FOUND)


def test_startup_stopped():
    """startup: a ring buffer that never reports has no verdict"""
    equal(startup.read_console(CONSOLE[:12])["ring buffer"], "UNRESOLVED")


def test_startup_judged():
    """startup: what passed on the base must pass, and what is new must not fail"""
    base = {"a": "PASS", "b": "PASS", "c": "FAIL"}
    equal(judge(base, dict(base)).summary(), "2 passed, 0 failed, 1 skipped")
    tally = judge(base, {"a": "PASS", "c": "PASS", "d": "FAIL", "e": "UNRESOLVED", "f": "PASS"})
    equal(sorted(name.split(":")[0] for name in tally.failed), ["b", "d", "e"])
    contains(judge(base, base, "BUG: x").failed, "startup: BUG: x")


def test_startup_round_trip():
    """startup: what is kept is read as it was, names with any character in them"""
    with tempfile.TemporaryDirectory() as top, contextlib.redirect_stdout(io.StringIO()), \
            unittest.mock.patch("suites.base_results.base_version", return_value="6.12.9-1"):
        base_results.save(top + "/kept", startup.HEAD, FOUND)
        equal(base_results.load(top + "/kept"), ("6.12.9-1", FOUND))


def test_startup_kept():
    """startup: the kept results are sound"""
    version, base = base_results.load(startup.BASELINE)
    contains(version, "6.12.")
    equal(set(base.values()) <= {"PASS", "FAIL", "UNRESOLVED"}, True)
    for name in ("ftrace section", "tracer function", "tracer function_graph", "ring buffer",
                 "all events, with the function tracer"):
        equal(base.get(name), "PASS")
