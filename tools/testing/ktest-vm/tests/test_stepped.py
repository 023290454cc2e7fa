# SPDX-License-Identifier: GPL-2.0
"""Tests of the comparison of programs that are stepped with the same that are not."""

from harness import contains, equal
from suites import stepped

PLAIN = ["@ktest guest is up", "@ktest plain one_64 0", "pid 123 at 0x0xf7ff0000", "[OK] all 5"]
TRACED = ["@ktest traced one_64 0", "pid 4567 at 0x0xf7fe0000", "[OK] all 5"]
EVENTS = ["@ktest events one_64 5000"]


def wrong(lines):
    return "\n".join(stepped.differences(stepped.Runs(lines), "one_64"))


def test_stepped_same():
    """stepped: numbers may differ, and nothing else"""
    equal(wrong(PLAIN + TRACED + EVENTS), "")
    contains(wrong(PLAIN + TRACED[:2] + ["[FAIL] all 5"] + EVENTS), "[OK] all #", "[FAIL] all #")
    contains(wrong(PLAIN + TRACED[:2] + EVENTS), "[OK] all #")
    contains(wrong(PLAIN + TRACED + TRACED[2:] + EVENTS), "what it says")


def test_stepped_status():
    """stepped: another status"""
    contains(wrong(PLAIN + ["@ktest traced one_64 139", *TRACED[1:]] + EVENTS),
             "ends with 0, traced: 139")


def test_stepped_untraced():
    """stepped: a program that was not traced"""
    contains(wrong(PLAIN + TRACED + ["@ktest events one_64 3"]), "there are 3 events")
