# SPDX-License-Identifier: GPL-2.0
"""Whether what we changed compiles where we cannot run it: for other architectures, by
another compiler, for a kernel that may be preempted nearly everywhere.

All of kernel/trace is compiled for each, and the architecture's own part of ftrace,
if it has one; nothing is linked. The kernels are small, and made of
configs/arches/all.config and the fragment of their name; NAME-32 has that of NAME.

For other architectures it is clang that compiles, one for all of them: Debian's gcc for
another machine cannot be installed beside the one that compiles for x86-32.
"""

import collections
import os
import re

import vm
from suites import docs

TOP = os.path.join(vm.BUILD, "arches")
CONFIGS = os.path.join(vm.HERE, "configs/arches")
COMMON = "all"

# ARCH for make, other words for it, and what is compiled besides kernel/trace
Target = collections.namedtuple("Target", "arch words ftrace")
LLVM = ("LLVM=1",)
GCC = ()
TARGETS = {
    "arm": Target("arm", LLVM, "arch/arm/kernel/ftrace.o"),
    "arm64": Target("arm64", LLVM, "arch/arm64/kernel/ftrace.o"),
    "mips": Target("mips", LLVM, "arch/mips/kernel/ftrace.o"),
    "powerpc": Target("powerpc", LLVM, "arch/powerpc/kernel/trace/"),
    "riscv": Target("riscv", LLVM, "arch/riscv/kernel/ftrace.o"),
    "clang": Target("x86_64", LLVM, "arch/x86/kernel/ftrace.o"),
    "rt": Target("x86_64", GCC, "arch/x86/kernel/ftrace.o"),
    "least": Target("x86_64", GCC, "arch/x86/kernel/ftrace.o"),
    "least-32": Target("i386", GCC, "arch/x86/kernel/ftrace.o"),
    "um": Target("um", GCC, ""),
}
# Without these there is little to compile, unless a target's fragment says otherwise
NEEDED = ("CONFIG_FUNCTION_GRAPH_TRACER=y", "CONFIG_RING_BUFFER_KUNIT_TEST=y",
          "CONFIG_RING_BUFFER_TORTURE_TEST=m", "CONFIG_RING_BUFFER_BENCHMARK=m")
# What ARCH alone decides, where two differ by nothing else
OF_ARCH = {"x86_64": ["CONFIG_X86_64=y"], "i386": ["CONFIG_X86_32=y"]}
COMPLAINT = re.compile(r"\b(?:warning|error): |\*\*\* ")
# Each fragment lies over the one before
OVERRIDE = "warning: override: "


def settings(name):
    """The lines of a fragment that set something."""
    path = os.path.join(CONFIGS, name.removesuffix("-32") + ".config")
    with open(path, encoding="utf-8") as stream:
        return [line.strip() for line in stream
                if re.match(r"CONFIG_\w+=|# CONFIG_\w+ is not set$", line)]


def symbol(line):
    return re.search(r"CONFIG_\w+", line).group()


def wanted(name):
    """What must come out of the configuration."""
    own = settings(name)
    mentioned = {symbol(line) for line in own}
    return [line for line in NEEDED if symbol(line) not in mentioned] + own + \
        OF_ARCH.get(TARGETS[name].arch, [])


def make(name, *goals):
    """What the kernel's make says, in lines, and its status. What it built stays."""
    target = TARGETS[name]
    return docs.run("make", f"O={os.path.join(TOP, name)}", "-s", "--no-print-directory",
                    f"-j{os.environ.get('JOBS') or os.cpu_count()}", f"ARCH={target.arch}",
                    *target.words, *goals)


def complaints(lines, status):
    """What is wrong with a make: what it complained of, or that it ended badly."""
    found = [line for line in lines if COMPLAINT.search(line) and OVERRIDE not in line]
    if status and not found:
        found = [f"make ended with status {status}"] + lines[-10:]
    return found


def missing(config, lines):
    """The settings that did not come out as they were asked for."""
    found = {symbol(line): line for line in config.splitlines() if line.startswith("CONFIG_")}
    return [f"the configuration wants {line}, and has {found.get(symbol(line), 'it not')}"
            for line in lines
            if found.get(symbol(line)) != (None if line.startswith("#") else line)]


def configure(name):
    """Make .config; what is wrong with it."""
    out = os.path.join(TOP, name)
    os.makedirs(out, exist_ok=True)
    fragment = os.path.join(out, "all.config")
    with open(fragment, "w", encoding="utf-8") as stream:
        stream.writelines(line + "\n" for line in settings(COMMON) + settings(name))
    wrong = complaints(*make(name, f"KCONFIG_ALLCONFIG={fragment}", "allnoconfig"))
    if wrong:
        return wrong
    with open(os.path.join(out, ".config"), encoding="utf-8") as stream:
        return missing(stream.read(), wanted(name))


def check(name):
    return configure(name) or \
        complaints(*make(name, "-k", *filter(None, ("kernel/trace/", TARGETS[name].ftrace))))


def tests():
    return {name: lambda name=name: check(name) for name in TARGETS}
