#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Check the signatures of the kernel and the modules that were built.

As a module, gives the results to test.py.
"""

import re
import subprocess
import sys

import btf_compare
import built
import coverage
import vm

# How many lines of what is wrong are shown
SHOWN = 20


# The tests: each returns what is wrong, as a list of lines

def check_stripped():
    """Nothing is left of what the link step used up, nor DWARF that nobody asked for."""
    unwanted = r"\.ftrace_sig" if built.configured("DEBUG_INFO") else r"\.ftrace_sig|\.debug_\w+"
    wrong = []
    for path in [built.IMAGE] + built.modules():
        for line in built.output("readelf", "-SW", path).splitlines():
            match = re.search(rf"\] (?:\.rela)?({unwanted})\s", line)
            if match:
                wrong.append(f"{path}: section {match.group(1)}")
    return wrong


def unsigned(path):
    signed = {proto.where for proto in built.prototypes(path) if proto.result is not None}
    return [f"{path}: call site {site} has no signature"
            for site in sorted(built.call_sites(path)[0] - signed)]


def check_image_sites():
    return unsigned(built.IMAGE)


def check_module_sites():
    return [line for path in built.modules() for line in unsigned(path)]


def check_table():
    result = subprocess.run([built.TOOL, "--check", *built.in_table(built.IMAGE), built.IMAGE],
                            capture_output=True, text=True, check=False)
    return [] if result.returncode == 0 else [result.stderr.strip() or "it failed"]


TESTS = {
    "stripped": check_stripped,
    "table": check_table,
    "image call sites": check_image_sites,
    "module call sites": check_module_sites,
    "coverage": coverage.check,
}


def tests():
    """Those for this configuration."""
    return TESTS | ({"BTF": btf_compare.check} if built.configured("DEBUG_INFO_BTF") else {})


def main():
    vm.require_built()
    failed = 0
    for name, check in tests().items():
        wrong = check()
        failed += bool(wrong)
        print(f"{'not ok' if wrong else 'ok'} - {name}")
        for line in wrong[:SHOWN]:
            print(f"   # {line}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
