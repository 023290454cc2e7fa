# SPDX-License-Identifier: GPL-2.0
"""Check the signatures of the kernel and the modules that were built: the suite
"image" of test.py.
"""

import os
import re
import subprocess

import vm
from suites import binaries, btf_compare, claims, constants, coverage, figures, untraced


# The tests: each returns what is wrong, as a list of lines

def check_stripped():
    """No intermediate sections are left, and no DWARF unless it is configured."""
    unwanted = r"\.ftrace_sig" if binaries.configured("DEBUG_INFO") else r"\.ftrace_sig|\.debug_\w+"
    wrong = []
    for path in [binaries.IMAGE] + binaries.modules():
        for line in binaries.output("readelf", "-SW", path).splitlines():
            match = re.search(rf"\] (?:\.rela)?({unwanted})\s", line)
            if match:
                wrong.append(f"{path}: section {match.group(1)}")
    return wrong


def unsigned(path):
    signed = {proto.where for proto in binaries.prototypes(path) if proto.result is not None}
    return [f"{path}: call site {site} has no signature"
            for site in sorted(binaries.call_sites(path)[0] - signed)]


def check_image_sites():
    return unsigned(binaries.IMAGE)


def check_module_sites():
    return [line for path in binaries.modules() for line in unsigned(path)]


def check_table():
    result = subprocess.run([binaries.TOOL, "--check", *binaries.in_table(binaries.IMAGE),
                             binaries.IMAGE],
                            capture_output=True, text=True, check=False)
    return [] if result.returncode == 0 else [result.stderr.strip() or "it failed"]


# An object with call sites whose source does not include the header
OBJECT = "lib/argv_split.o"
FORMAT = "../include/linux/ftrace_signature_format.h"


def is_stale(target, *options):
    """Whether kbuild would make a file again. The options are for the inner make,
    which has the file's rule; the outer one would not pass them on."""
    command = " ".join(["+$(MAKE) -n", *options, f"$(build)={os.path.dirname(target)}", target])
    result = subprocess.run([os.path.join(vm.HERE, "kernel/build.sh"), "make", "run-command",
                             f"KBUILD_RUN_COMMAND={command}"],
                            env=dict(os.environ, MAKEFLAGS=""), text=True, check=False,
                            stdin=subprocess.DEVNULL, capture_output=True)
    if result.returncode:
        raise SystemExit("\n".join(result.stderr.splitlines()[-20:]))
    return bool(re.search(rf"\b(CC|CPP) +{re.escape(target)}", result.stdout))


def made_anew_for(target, header):
    """What is wrong if a file is to be made again when a header changes, and only then"""
    wrong = []
    if is_stale(target):
        wrong.append(f"{target} is made anew though nothing changed")
    if not is_stale(target, "-W", header):
        wrong.append(f"{target} stays as it is though {header} changed")
    return wrong


def check_format_makes_anew():
    """A changed format header recompiles objects, which would be misread otherwise."""
    return made_anew_for(OBJECT, FORMAT)


# What the tables of named constants are made of
CONSTANTS = "kernel/trace/signature/constants/headers.names"
CONSTANT = "../include/uapi/linux/futex.h"


def check_constants_make_anew():
    """A changed header makes the tables of constants anew, which would be wrong otherwise."""
    if not binaries.configured("FTRACE_SIGNATURES_CONSTANTS"):
        return []
    return made_anew_for(CONSTANTS, CONSTANT)


TESTS = {
    "stripped": check_stripped,
    "table": check_table,
    "image call sites": check_image_sites,
    "module call sites": check_module_sites,
    "coverage": coverage.check,
    "format header": check_format_makes_anew,
    "constants": constants.check_rules,
    "constants' headers": check_constants_make_anew,
}


def tests():
    """The tests for this configuration."""
    return TESTS | ({"BTF": btf_compare.check} if binaries.configured("DEBUG_INFO_BTF") else {}) | \
        ({} if vm.VARIANT else {"claims": claims.check_sample}) | \
        ({} if vm.NAME else {"figures": figures.check}) | \
        ({"untraced": untraced.check} if untraced.is_possible() else {})
