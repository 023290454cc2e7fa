#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Check the signatures of the kernel and the modules that were built.

Prints a table of what is known of each call site's parameters, with the names
of the functions of which something is not. As a module, gives the results to
test.py.
"""

import collections
import os
import re
import struct
import subprocess
import sys

import vm

OUT = vm.OUT
TOOL = os.path.join(OUT, "scripts/recordmcount/recordmcount")
# Of all values (parameters and results), so many must have a known place
PLACED_GOAL = 98.5
# Names of functions with something unknown that the table shows
SHOWN = 20


def output(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def modules():
    with open(os.path.join(OUT, "modules.order"), encoding="utf-8") as stream:
        return [os.path.join(OUT, re.sub(r"\.o$", ".ko", line.strip())) for line in stream]


def table_of(path):
    """How the tool is told where the signatures of vmlinux are, if not in itself."""
    apart = os.path.join(OUT, "kernel/trace/signature/ftrace_signatures.ko")
    return ["--table", apart] if path == os.path.join(OUT, "vmlinux") and apart in modules() else []


def prototypes(path):
    """(address, function, places of the parameters, place of the result)"""
    for line in output(TOOL, "--print", *table_of(path), path).splitlines():
        fields = line.split("\t")
        places = [field.rpartition("@")[2] for field in fields[3:]]
        yield fields[0], fields[1], places[:-1], places[-1]


# Where call sites are, told by other means than the tool's

def symbols(path, *names):
    found = {}
    for line in output("nm", path).splitlines():
        words = line.split()
        if len(words) == 3 and words[2] in names:
            found[words[2]] = int(words[0], 16)
    return [found[name] for name in names]


def section_at(path, address):
    """File offset of what is loaded to this address."""
    for line in output("readelf", "-SW", path).splitlines():
        match = re.match(r"\s*\[ *\d+\] \S+ +PROGBITS +(\w+) (\w+) (\w+)", line)
        if match:
            start, offset, size = (int(text, 16) for text in match.groups())
            if start and start <= address < start + size:
                return offset + address - start
    raise ValueError(f"{path}: nothing is at {address:#x}")


def image_call_sites(path):
    start, stop = symbols(path, "__start_mcount_loc", "__stop_mcount_loc")
    with open(path, "rb") as stream:
        stream.seek(section_at(path, start))
        data = stream.read(stop - start)
    # Zero: a weak function that another one replaced
    return {site for (site,) in struct.iter_unpack("<Q", data) if site}


def module_call_sites(path):
    sites = set()
    inside = False
    for line in output("readelf", "-rW", path).splitlines():
        if line.startswith("Relocation section"):
            inside = "'.rela__mcount_loc'" in line
        words = line.split()
        if inside and len(words) == 7 and words[2] == "R_X86_64_64":
            sites.add(f"{words[4]}+{int(words[6], 16):#x}")
    return sites


# The tests: each returns what is wrong, as a list of lines

def check_stripped():
    """Neither DWARF nor what the link step used up is left."""
    wrong = []
    for path in [os.path.join(OUT, "vmlinux")] + modules():
        for line in output("readelf", "-SW", path).splitlines():
            match = re.search(r"\] (\.(?:rela)?\.?(?:debug_\w+|ftrace_sig))\b", line)
            if match:
                wrong.append(f"{path}: section {match.group(1)}")
    return wrong


def check_image_sites():
    path = os.path.join(OUT, "vmlinux")
    signed = {int(address, 16) for address, *_ in prototypes(path)}
    return [f"{path}: call site {site:#x} has no signature"
            for site in sorted(image_call_sites(path) - signed)]


def check_module_sites():
    wrong = []
    for path in modules():
        signed = {address for address, *_ in prototypes(path)}
        wrong += [f"{path}: call site {site} has no signature"
                  for site in sorted(module_call_sites(path) - signed)]
    return wrong


def check_table():
    path = os.path.join(OUT, "vmlinux")
    result = subprocess.run([TOOL, "--check", *table_of(path), path],
                            capture_output=True, text=True, check=False)
    return [] if result.returncode == 0 else [result.stderr.strip() or "it failed"]


def classify(place):
    if place in ("?", "removed", "void"):
        return place
    return "constant" if place.startswith("const=") else "placed"


def count():
    values = collections.Counter()
    unknown = []
    for path in [os.path.join(OUT, "vmlinux")] + modules():
        for _, function, places, result in prototypes(path):
            kinds = [classify(place) for place in places]
            values.update(kinds)
            values["result " + classify(result)] += 1
            if "?" in kinds or result == "?":
                unknown.append(function)
            values["functions"] += 1
    return values, unknown


def check_coverage():
    values, unknown = count()
    known = values["placed"] + values["constant"] + values["removed"] + values["result placed"]
    total = known + values["?"] + values["result ?"]
    share = 100 * known / total if total else 0
    for name in sorted(values):
        print(f"   # {name:16} {values[name]:7}")
    print(f"   # {'known':16} {share:7.2f} %")
    for name in unknown[:SHOWN]:
        print(f"   # not whole: {name}")
    print(f"   # ... {len(unknown)} functions are not whole")
    if share < PLACED_GOAL:
        return [f"only {share:.2f} % of {total} values are known, not {PLACED_GOAL} %"]
    return []


TESTS = {
    "stripped": check_stripped,
    "table": check_table,
    "image call sites": check_image_sites,
    "module call sites": check_module_sites,
    "coverage": check_coverage,
}


def main():
    vm.require_built()
    failed = 0
    for name, check in TESTS.items():
        wrong = check()
        failed += bool(wrong)
        print(f"{'not ok' if wrong else 'ok'} - {name}")
        for line in wrong[:SHOWN]:
            print(f"   # {line}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
