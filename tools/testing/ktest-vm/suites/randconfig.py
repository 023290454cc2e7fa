# SPDX-License-Identifier: GPL-2.0
"""Compile what is traced with in random configurations: the suite "randconfig".

The kernel's own randconfig chooses each option by chance. What cannot be compiled here
or would leave nothing to compile is fixed by configs/compiled/randconfig.config. A test
is a seed, so each can be repeated: TEST=seed-7. FIRST is the first of the twenty seeds
of a run. Seeds with odd numbers are of x86-64, even ones of x86-32.
"""

import os

from suites import compiled
from suites.compiled import GCC, X86, Target

FRAGMENT = "randconfig"
SEEDS = 20
# Without it, hardly anything of ours is left
NEEDED = ["CONFIG_FUNCTION_TRACER=y"]
X86_64 = Target("x86_64", GCC, X86)
X86_32 = Target("i386", GCC, X86)


def target_of(seed):
    return X86_64 if seed % 2 else X86_32


def check(seed):
    """All seeds of an architecture share a directory, so that only what differs is
    compiled again."""
    target = target_of(seed)
    name = f"{FRAGMENT}-{target.arch}"
    lines = compiled.settings(FRAGMENT) + [
        "CONFIG_64BIT=y" if target == X86_64 else "# CONFIG_64BIT is not set"]
    wrong = compiled.configure(name, target, lines, compiled.OF_ARCH[target.arch] + NEEDED,
                               f"KCONFIG_SEED={seed}", "randconfig")
    return wrong or compiled.compile_traced(name, target)


def tests():
    first = int(os.environ.get("FIRST") or 1)
    return {f"seed-{seed}": lambda seed=seed: check(seed)
            for seed in range(first, first + SEEDS)}
