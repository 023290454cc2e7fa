# SPDX-License-Identifier: GPL-2.0
"""Check that our changes compile where we do not run them: for other architectures,
with clang, for PREEMPT_RT, and in a minimal kernel.

For each target, all of kernel/trace is compiled, and the architecture's own part of
ftrace, if it has one; nothing is linked. The kernels are small: they are configured by
configs/arches/all.config and the fragment of the target's name (NAME-32 has that of
NAME).

clang compiles for the other architectures. Debian's gcc for another machine cannot be
installed beside gcc-multilib, which compiles for x86-32.
"""

import collections
import os
import re

import vm
from suites import docs

TOP = os.path.join(vm.BUILD, "arches")
CONFIGS = os.path.join(vm.HERE, "configs/arches")
COMMON = "all"

# ARCH for make, more arguments for it, and what is compiled besides kernel/trace
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
# Settings that each configuration must have, unless a target's fragment says otherwise
NEEDED = ("CONFIG_FUNCTION_GRAPH_TRACER=y", "CONFIG_RING_BUFFER_KUNIT_TEST=y",
          "CONFIG_RING_BUFFER_TORTURE_TEST=m", "CONFIG_RING_BUFFER_BENCHMARK=m")
# Settings that only ARCH decides
OF_ARCH = {"x86_64": ["CONFIG_X86_64=y"], "i386": ["CONFIG_X86_32=y"]}
COMPLAINT = re.compile(r"\b(?:warning|error): |\*\*\* ")
# Not a complaint: a fragment may override the one before
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
    """The settings that .config must have."""
    own = settings(name)
    mentioned = {symbol(line) for line in own}
    return [line for line in NEEDED if symbol(line) not in mentioned] + own + \
        OF_ARCH.get(TARGETS[name].arch, [])


def make(name, *goals):
    """The output of the kernel's make, in lines, and its status. The objects are kept."""
    target = TARGETS[name]
    return docs.run("make", f"O={os.path.join(TOP, name)}", "-s", "--no-print-directory",
                    f"-j{os.environ.get('JOBS') or os.cpu_count()}", f"ARCH={target.arch}",
                    *target.words, *goals)


def complaints(lines, status):
    """The warnings and errors of make, or its last lines if it failed without any."""
    found = [line for line in lines if COMPLAINT.search(line) and OVERRIDE not in line]
    if status and not found:
        found = [f"make ended with status {status}"] + lines[-10:]
    return found


def missing(config, lines):
    """The settings that are not in .config as wanted."""
    found = {symbol(line): line for line in config.splitlines() if line.startswith("CONFIG_")}
    return [f"the configuration wants {line}, and has {found.get(symbol(line), 'it not')}"
            for line in lines
            if found.get(symbol(line)) != (None if line.startswith("#") else line)]


def configure(name):
    """Make .config; return the errors."""
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
