# SPDX-License-Identifier: GPL-2.0
"""Tests of how the values of signatures are counted."""

import collections
import os

import vm
from suites import coverage
from suites.binaries import Prototype
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


def test_coverage_beyond():
    """coverage: beyond the limit is a class of its own, which makes up for nothing else"""
    counts = counted(([("a", "rdi"), ("b", "?"), ("c", "?")], "void"))
    coverage.set_apart(counts, collections.Counter({coverage.BEYOND: 1, "another reason": 1}))
    equal((counts["beyond"], counts["?"], coverage.unknown(counts)), (1, 1, 1))
    equal((round(coverage.share(counts), 2), coverage.share_within(counts)), (33.33, 50.0))
    coverage.set_apart(all_beyond := counted(([("a", "?")], "void")),
                       collections.Counter({coverage.BEYOND: 1}))
    equal((coverage.share(all_beyond), coverage.share_within(all_beyond)), (0.0, 100.0))


def test_coverage_reason():
    """coverage: what is beyond the limit is told as recordmcount spells it"""
    with open(os.path.join(vm.REPO, "scripts/recordmcount/print_sig.c"), encoding="utf-8") as source:
        equal(f'"{coverage.BEYOND}"' in source.read(), True)


def test_coverage_shown():
    """coverage: all that is beyond the limit is shown by name, whatever else there is"""
    lines = [f"f{i}\tsome reason" for i in range(20)] + ["g\t" + coverage.BEYOND] * 2
    shown = coverage.shown_lines(lines)
    equal((len(shown), shown[:2]), (coverage.SHOWN + 2, lines[-2:]))


def test_coverage_total():
    """coverage: a site, a reason or a known value too few is told"""
    counts = counted(([("a", "rdi"), ("b", "?")], "void"))
    counts["sites"] = 1
    coverage.set_apart(counts, collections.Counter({coverage.BEYOND: 1}))
    real, coverage.goal = coverage.goal, lambda: coverage.GOAL_WITHOUT_CLONES
    try:
        equal(coverage.check_total(counts, 1), [])
        equal(len(coverage.check_total(counts, 0)), 1)
        counts["sites"] = 2
        counts["parameters"] += 1
        counts["?"] += 1
        equal(len(coverage.check_total(counts, 0)), 3)
    finally:
        coverage.goal = real


def test_coverage_table():
    """coverage: the table has every result, or says that it has not"""
    lines = coverage.table([("one", counted(([], "rax"), ([("a", "stack+0")], "void")))])
    equal([line.split()[-1] for line in lines if "one word" in line or "stack" in line], ["1", "1"])
    try:
        coverage.table([("one", counted(([], "xmm0")))])
    except ValueError:
        return
    raise AssertionError("a result that the table has no row for was left out")
