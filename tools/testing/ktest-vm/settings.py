#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Refuse settings of make that make no sense, before anything is built.

  settings.py [GOAL...] [-- NAME...]

GOAL is a goal of make, NAME a variable of its command line. The values come from the
environment.
"""

import difflib
import os
import re
import sys

# Settings that are whole numbers, with the least and the greatest value
NUMBERS = {"DEPTH": (0, 2**32 - 1), "JOBS": (1, 10000), "TIMEOUT": (1, 10**9),
           "DURATION": (1, 10**7), "FIRST": (1, 10000)}
# SUITE means something else for make baseline
BASELINE_SUITES = ("ftracetest", "startup")
# The variables that the command line may set
KNOWN = (*NUMBERS, "MINUTES", "TARGET", "FUNC", "CMD", "SUITE", "TEST", "KDIR", "ARCH", "VARIANT",
         "STEPS", "KEEP", "OBJECTS", "QEMU", "V", "VM", "SHELL", "MAKE")
KNOWN_PREFIXES = ("KTEST_", "CCACHE_", "KBUILD_", "KDEB_")
# The goals that use a setting. Those not listed here are for nearly all goals.
USED_BY = {"FUNC": ("run",), "CMD": ("run",), "DEPTH": ("run",), "TEST": ("test", "check"),
           "SUITE": ("test", "check", "baseline"), "OBJECTS": ("test",),
           "DURATION": ("test", "check"), "STEPS": ("bench",), "KEEP": ("bench",),
           "MINUTES": ("fuzz",), "TARGET": ("fuzz",), "FIRST": ("series-check", "test"),
           "KDIR": ("apply",)}
# Settings of one line: the files that carry them to the guest have no room for more
LINES = ("FUNC", "CMD", "TEST")


class Wrong(Exception):
    """A setting is wrong; the text says why, in one line."""


def value(name):
    return os.environ.get(name) or ""


def check_names(names):
    for name in names:
        if name in KNOWN or name.startswith(KNOWN_PREFIXES):
            continue
        near = difflib.get_close_matches(name, KNOWN, 1)
        raise Wrong(f"{name}: there is no such setting"
                    + (f"; is {near[0]} meant?" if near else " (make help)"))


def check_used(goals, names):
    """A setting that no goal uses would be ignored without a word.

    A make that make started has its settings, and another goal.
    """
    if int(os.environ.get("MAKELEVEL") or 0) > 1:
        return
    for name in names:
        users = USED_BY.get(name, goals)
        if goals and not set(users) & set(goals):
            raise Wrong(f"{name}: make {' '.join(goals)} does not use it; "
                        + " and ".join("make " + user for user in users)
                        + (" does" if len(users) == 1 else " do"))


def check_numbers():
    for name, (least, most) in NUMBERS.items():
        text = value(name)
        if text and not (re.fullmatch(r"[0-9]{1,10}", text) and least <= int(text) <= most):
            raise Wrong(f"{name}={text}: a whole number is wanted, from {least} to {most}")
    text = value("MINUTES")
    if text and not re.fullmatch(r"[0-9]{1,9}(\.[0-9]+)?", text):
        raise Wrong(f"MINUTES={text}: a number is wanted")


def check_lines():
    for name in LINES:
        if "\n" in value(name):
            raise Wrong(f"{name}: more than one line")


def check_one_of(name, names):
    """The value, if it is set, must be one of the names."""
    if value(name) and value(name) not in names:
        raise Wrong(f"{name}={value(name)}: there are {', '.join(names)}")


# Modules that know the possible values are imported only where a value has to be checked,
# and after the numbers, because they read those when they are loaded.
# pylint: disable=import-outside-toplevel

def check_kernel():
    import vm
    check_one_of("ARCH", vm.ARCHES)
    directory = os.environ.get("KTEST_CONFIGS") or os.path.join(vm.HERE, "configs")
    fragments = [name.removesuffix(".config") for name in os.listdir(directory)
                 if name.endswith(".config")]
    bases = {*vm.ARCHES, "signatures"}
    check_one_of("VARIANT", sorted(name for name in fragments if name.split("-")[-1] not in bases))


def check_suite(goals):
    if value("SUITE") and "baseline" in goals:
        check_one_of("SUITE", BASELINE_SUITES)
    elif value("SUITE"):
        import test
        check_one_of("SUITE", list(test.SUITES))


def check_steps(goals):
    if "bench" in goals and value("STEPS") and value("STEPS") != "help":
        import bench
        bench.choose(value("STEPS"))


def check(goals, names):
    check_names(names)
    check_used(goals, names)
    check_numbers()
    check_lines()
    check_kernel()
    check_suite(goals)
    check_steps(goals)


def main(arguments):
    at = arguments.index("--") if "--" in arguments else len(arguments)
    try:
        check(arguments[:at], arguments[at + 1:])
    except Wrong as problem:
        sys.exit(f"error: {problem}")


if __name__ == "__main__":
    main(sys.argv[1:])
