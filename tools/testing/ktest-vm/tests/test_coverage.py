# SPDX-License-Identifier: GPL-2.0
"""Tests of how the values of signatures are counted."""

import collections

import coverage
from built import Prototype
from harness import equal


def test_coverage_places():
    """coverage: every place has a class, and only known ones are counted"""
    for place, kind in {"rdi": "register", "r9": "register", "rdi+rsi": "register",
                        "stack+8": "stack", "stack+0*2": "stack", "const=-5": "const",
                        "removed": "removed", "empty": "empty", "?": "?"}.items():
        equal(coverage.classify(place), kind)
    try:
        coverage.classify("heap")
    except ValueError:
        return
    raise AssertionError("a place called heap was counted")


def counted(*prototypes):
    counts = collections.Counter()
    for params, result in prototypes:
        coverage.count_function(counts, Prototype("0x1", "f", "text", params, result))
    return counts


def test_coverage_counts():
    """coverage: functions are whole or not, values known or not"""
    counts = counted(([("a", "rdi"), ("b", "?")], "rax"), ([("a", "removed")], "void"),
                     ([], "?"), ([("", "rdi")], "void"))
    equal((counts["whole"], counts["not whole"]), (2, 2))
    equal((counts["parameters"], counts["results"], coverage.values(counts)), (4, 2, 6))
    equal(round(coverage.share(counts), 2), 66.67)
    equal(counts["named"], 3)
    equal(coverage.share(collections.Counter()), 100.0)


def test_coverage_table():
    """coverage: the table has every result, or says that it has not"""
    lines = coverage.table([("one", counted(([], "rax"), ([("a", "stack+0")], "void")))])
    equal([line.split()[-1] for line in lines if "one word" in line or "stack" in line], ["1", "1"])
    try:
        coverage.table([("one", counted(([], "xmm0")))])
    except ValueError:
        return
    raise AssertionError("a result that the table has no row for was left out")
