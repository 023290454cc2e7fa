# SPDX-License-Identifier: GPL-2.0
"""Compare the data of named constants with the kernel that was built: rules for
functions that are gone, names that no header has, families that are empty.
"""

import collections
import fnmatch
import os
import re

import vm
from suites import binaries

HERE = os.path.join(vm.REPO, "kernel/trace/signature/constants")
BUILT = os.path.join(vm.OUT, "kernel/trace/signature/constants")
FORMS = ("decimal", "hex", "device", "address", "user", "errno", "number")

# Where syscalls are defined
SYSCALLS = "arch/x86 block drivers/char fs io_uring ipc kernel mm net security".split()

# Names and functions that only other architectures or configurations have
ELSEWHERE = ("VM_MAYOVERLAY", "VM_PKEY_BIT*", "security_*")


def rules(path):
    """Each line of the file as words, with the lines that continue it"""
    found = []
    with open(path, encoding="utf-8") as stream:
        for line in stream:
            line = line.split("#")[0].rstrip()
            if line[:1].isspace():
                found[-1] += line.split()
            elif line:
                found.append(line.split())
    return found


def base(symbol):
    return symbol.split(".")[0]


def parameters(prototypes):
    """{function: names of the parameters of all that are called so}"""
    found = collections.defaultdict(set)
    for proto in prototypes:
        found[base(proto.symbol)].update(name for name, _ in proto.params)
        if proto.result not in (None, "void"):
            found[base(proto.symbol)].add("return")
    return found


def define(text):
    """(the function, {names of the parameters}) of each syscall in a C file"""
    inner = r"[^()]*(?:\([^()]*\)[^()]*)*"
    text = re.sub(r"\bSC_ARG64\((\w+)\)", r"u32, \1_lo, u32, \1_hi", text)
    for kind, words in re.findall(
            rf"\b(COMPAT_SYSCALL|SYSCALL32|SYSCALL)_DEFINE\d\s*\(({inner})\)", text):
        name, *words = [word.strip() for word in words.split(",")]
        # Those of 32-bit programs are compat functions where there are others, too
        for compat in {"COMPAT_SYSCALL": ["compat_"], "SYSCALL32": ["", "compat_"]}.get(kind, [""]):
            yield f"__do_{compat}sys_{name}", {"return", *words[1::2]}


def syscalls(top):
    """The same of all. They are often inlined and have no prototype then."""
    found = collections.defaultdict(set)
    for folder in SYSCALLS:
        for path, _, files in os.walk(os.path.join(top, folder)):
            for name in files:
                if name.endswith(".c"):
                    with open(os.path.join(path, name), encoding="utf-8") as stream:
                        for function, names in define(stream.read()):
                            found[function] |= names
    return found


def is_elsewhere(name):
    return any(fnmatch.fnmatchcase(name, pattern) for pattern in ELSEWHERE)


def drifted(lines, known):
    """The rules that match no function of @known, {function: parameters}"""
    for key, family, *words in lines:
        if key not in ("param", "result"):
            continue
        names, functions = (words[0], words[1:]) if key == "param" else ("return", words)
        for function in functions:
            if not is_elsewhere(function) and not any(
                    known[other].intersection(names.split(","))
                    for other in fnmatch.filter(known, function)):
                yield f"{family}: no {function}({names})"


def spelled(words):
    """The names among the items of a family, without patterns and masks"""
    for word in words:
        if not word.startswith("-"):
            mask, colon, names = word.rpartition(":")
            yield from (name for name in ([mask] if colon else []) + names.split(",")
                        if "*" not in name and not re.match("[0-9]", name))


def unknown(lines, values):
    """The names of families that no header has"""
    for key, family, *words in lines:
        if key == "family":
            yield from (f"{family}: no {name}" for name in spelled(words[1:])
                        if name not in values and not is_elsewhere(name))


def matching(words, values):
    for word in words:
        if not word.startswith("-"):
            for pattern in word.rpartition(":")[2].split(","):
                yield from fnmatch.filter(values, pattern)


def empty(lines, values):
    """The families without any constant"""
    for key, family, *words in lines:
        if key == "family" and words[0] not in FORMS and not any(matching(words[1:], values)):
            yield f"{family}: empty"


def values():
    with open(os.path.join(BUILT, "values"), encoding="utf-8") as stream:
        return {line.rsplit(" ", 2)[0] for line in stream}


def check_rules():
    """For image.py: what is wrong, as a list of lines"""
    if not binaries.configured("FTRACE_SIGNATURES_CONSTANTS"):
        return []
    lines = rules(os.path.join(HERE, "families"))
    wrong = list(empty(lines, values()))
    # The lines are about functions and names of the reference
    if vm.ARCH == "x86_64" and not vm.VARIANT:
        known = parameters(binaries.prototypes(binaries.IMAGE))
        for function, names in syscalls(os.path.join(vm.BUILD, "linux")).items():
            known[function] |= names
        wrong += drifted(lines, known)
        wrong += unknown(lines, values())
    return wrong
