# SPDX-License-Identifier: GPL-2.0
"""The fuzzers compile. They contain the kernel's code, with a shim of what it calls.

test_guided.py runs them, which takes too long for each change.
"""

import fuzz
from harness import test


@test
def fuzzers_compile(work):
    top = fuzz.directory(work)
    for target in fuzz.TARGETS:
        target.build(top)
