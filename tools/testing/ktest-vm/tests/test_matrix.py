# SPDX-License-Identifier: GPL-2.0
"""Tests of what is made of the comparisons with one of the compiler's options."""

import results
from suites import matrix
from harness import equal

NAME = "O2"


def said(*counts):
    return [f"@ktest test {NAME}", f"ok 1 {NAME}", *(f"@ktest known {text}" for text in counts),
            "@ktest done 0"]


def failures(lines, failed=()):
    tally = results.Tally()
    tally.failed = list(failed)
    matrix.check_known(lines, tally)
    return tally.failed


def test_matrix_known():
    """matrix: what is known is summed up over all comparisons"""
    equal(failures(said("10 0 5 0", "30 0 7 0")), [])


def test_matrix_unknown():
    """matrix: too little that is known fails, of parameters and of results"""
    wrong = failures(said("10 0 5 0", "10 5 5 0"))
    equal(wrong, [f"{NAME}: only 80 % of the parameters are known, instead of 100 %"])
    wrong = failures(said("10 0 5 0", "10 0 0 5"))
    equal(wrong, [f"{NAME}: only 50 % of the results are known, instead of 100 %"])
    equal(failures(said("0 0 0 0"))[0],
          f"{NAME}: only 0 % of the parameters are known, instead of 100 %")


def test_matrix_silent():
    """matrix: a test that compared nothing has failed, and one that failed fails once"""
    equal(failures(said()), [f"{NAME}: the test said nothing of what it compared"])
    equal(failures(said(), [f"{NAME}: it went wrong"]), [f"{NAME}: it went wrong"])
