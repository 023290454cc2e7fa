# SPDX-License-Identifier: GPL-2.0
"""Coverage-guided fuzzing, a few seconds of each target and always the same.

fuzz.py goes on for as long as one likes; make fuzz runs it.
"""

import fuzz
from harness import check, test

# Inputs for each target, and edges that they must reach: a fuzzer whose seeds or
# whose mutator are broken finds nothing, and says so with a low number only.
RUNS = {"objects": (6000, 1300), "links": (12000, 800), "tables": (60000, 1000)}


def guided(work, name):
    runs, edges = RUNS[name]
    top = fuzz.directory(work)
    target = {target.name: target for target in fuzz.TARGETS}[name]
    outcome = target.run(top, "-runs=%d" % runs, "-seed=1", corpus=work.path("corpus"))
    check(outcome.good, outcome.report())
    check(outcome.covered >= edges, "only %d edges: %s" % (outcome.covered, outcome.report()))


@test
def guided_objects(work):
    """Objects: whatever their DWARF and ELF say, the tool ends with a clear result."""
    guided(work, "objects")


@test
def guided_links(work):
    """Modules and images: linking, checking and printing damaged tables."""
    guided(work, "links")


@test
def guided_tables(work):
    """Tables in the kernel's code: no step outside, and each line is right."""
    guided(work, "tables")
