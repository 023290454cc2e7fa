# SPDX-License-Identifier: GPL-2.0
"""Tests of the comparison of what pages say with what was measured."""

from harness import contains, equal
from suites import figures

FOUND = {"call sites": 1000, "parameters": 2000, "unknown parameters": 100, "results": 500,
         "unknown results": 50, "bytes": 1000000}
TEXTS = {
    figures.README: "all 1,000 call sites of vmlinux have a signature. 100 of 2,000 parameters and "
                    "50 of 500 results are unknown. | bytes of the signatures in vmlinux (of "
                    "`.BTF`, if it is built: 3,000,000) | – | 1,000,000 |",
    figures.COSTS: "* - the signatures in vmlinux (``.BTF``, if it is built: 3,000,000) - – - "
                   "1,000,000 * - **hackbench**"}


def test_figures_true():
    """figures: what the pages say is there, but for a little"""
    equal(figures.compare(FOUND, TEXTS), [])
    equal(figures.compare(dict(FOUND, parameters=2020, bytes=990000), TEXTS), [])


def test_figures_wrong():
    """figures: each one that is not what was measured is told"""
    for name, value in FOUND.items():
        wrong = figures.compare(dict(FOUND, **{name: value * 2}), TEXTS)
        contains("\n".join(wrong), f"says {value:,} {name}, and there are {value * 2:,}")
        equal(len(wrong), 2 if name == "bytes" else 1)


def test_figures_missing():
    """figures: a page that no longer says it in these words is told, too"""
    equal(len(figures.compare(FOUND, dict.fromkeys(TEXTS, ""))), len(figures.STATED))


def test_figures_stated():
    """figures: the pages have each of them"""
    texts = {path: figures.text_of(path) for path, _, _ in figures.STATED}
    wrong = figures.compare(FOUND, texts)
    equal([line for line in wrong if "does not say" in line], [])
