# SPDX-License-Identifier: GPL-2.0
"""Compare the figures of README and pages with the image that was built: part of the suite
"image" of test.py. What takes a benchmark to know is not compared.
"""

import os
import re

import vm
from suites import binaries, coverage

README = "README.md"
COSTS = "Documentation/trace/ftrace-signatures-costs.rst"
# Each change of the kernel changes them a little
TOLERANCE = 0.02
NUMBER = r"([\d,]+)"

# Where a figure stands, between single spaces, and what it is of those in measured()
STATED = (
    (README, rf"all {NUMBER} call sites of vmlinux have a signature", "call sites"),
    (README, rf"{NUMBER} of [\d,]+ parameters and", "unknown parameters"),
    (README, rf"of {NUMBER} parameters and", "parameters"),
    (README, rf"and {NUMBER} of [\d,]+ results are unknown", "unknown results"),
    (README, rf"of {NUMBER} results are unknown", "results"),
    (README, rf"bytes of the signatures in vmlinux [^|]*\| – \| {NUMBER} \|", "bytes"),
    (COSTS, rf"\* - the signatures in vmlinux [^*]* - – - {NUMBER} ", "bytes"),
)


def measured():
    counts, _ = coverage.count([binaries.IMAGE])
    return {"call sites": counts["sites"], "parameters": counts["parameters"],
            "unknown parameters": counts["?"], "results": counts["results"],
            "unknown results": counts["result ?"], "bytes": counts["bytes"]}


def text_of(path):
    with open(os.path.join(vm.REPO, path), encoding="utf-8") as stream:
        return " ".join(stream.read().split())


def compare(found, texts):
    """What is wrong with the texts, by their paths, if these figures were found."""
    wrong = []
    for path, pattern, name in STATED:
        stated = [int(number.replace(",", "")) for number in re.findall(pattern, texts[path])]
        if not stated:
            wrong.append(f"{path} does not say how many: {name}, {found[name]:,}")
        wrong += [f"{path} says {number:,} {name}, and there are {found[name]:,}"
                  for number in stated if abs(number - found[name]) > TOLERANCE * found[name]]
    return wrong


def check():
    return compare(measured(), {path: text_of(path) for path, _, _ in STATED})
