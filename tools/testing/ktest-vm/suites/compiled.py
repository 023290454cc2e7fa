# SPDX-License-Identifier: GPL-2.0
"""Compile parts of the kernel in configurations that nothing is run with.

A target is compiled in a directory of its own, and nothing is linked. One warning is
enough to fail. The suites "arches", "options" and "randconfig" say which targets there
are.
"""

import collections
import os
import re

import vm
from suites import docs

TOP = os.path.join(vm.BUILD, "compiled")
CONFIGS = os.path.join(vm.HERE, "configs/compiled")
COMMON = "all"

# ARCH for make, more arguments for it, and what is compiled besides kernel/trace
Target = collections.namedtuple("Target", "arch words ftrace")
LLVM = ("LLVM=1",)
GCC = ()
X86 = "arch/x86/kernel/ftrace.o"
# Settings that each configuration must have, unless a target's fragment says otherwise
NEEDED = ("CONFIG_FUNCTION_GRAPH_TRACER=y", "CONFIG_RING_BUFFER_KUNIT_TEST=y",
          "CONFIG_RING_BUFFER_TORTURE_TEST=m", "CONFIG_RING_BUFFER_BENCHMARK=m")
# Settings that only ARCH decides
OF_ARCH = {"x86_64": ["CONFIG_X86_64=y"], "i386": ["CONFIG_X86_32=y"]}
COMPLAINT = re.compile(r"\b(?:warning|error): |\*\*\* ")
# Not a complaint: a fragment may override the one before
OVERRIDE = "warning: override: "


def settings(name):
    """The lines of a fragment that set something. NAME-32 has the fragment of NAME."""
    path = os.path.join(CONFIGS, name.removesuffix("-32") + ".config")
    with open(path, encoding="utf-8") as stream:
        return [line.strip() for line in stream
                if re.match(r"CONFIG_\w+=|# CONFIG_\w+ is not set$", line)]


def symbol(line):
    return re.search(r"CONFIG_\w+", line).group()


def wanted(name, target):
    """The settings that .config must have."""
    own = settings(name)
    mentioned = {symbol(line) for line in own}
    return [line for line in NEEDED if symbol(line) not in mentioned] + own + \
        OF_ARCH.get(target.arch, [])


def directory(name):
    return os.path.join(TOP, name)


def jobs():
    return f"-j{os.environ.get('JOBS') or os.cpu_count()}"


def make(name, target, *goals):
    """The output of the kernel's make, in lines, and its status. The objects are kept."""
    return docs.run("make", f"O={directory(name)}", "-s", "--no-print-directory",
                    jobs(), f"ARCH={target.arch}", *target.words, *goals)


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


def write_fragment(name, lines):
    """The path of a file with settings, for KCONFIG_ALLCONFIG."""
    os.makedirs(directory(name), exist_ok=True)
    path = os.path.join(directory(name), "fragment.config")
    with open(path, "w", encoding="utf-8") as stream:
        stream.writelines(line + "\n" for line in lines)
    return path


def configure(name, target, lines, wants, *goals):
    """Make .config from the lines by one of kconfig's goals; return the errors."""
    fragment = write_fragment(name, lines)
    wrong = complaints(*make(name, target, f"KCONFIG_ALLCONFIG={fragment}", *goals))
    if wrong:
        return wrong
    with open(os.path.join(directory(name), ".config"), encoding="utf-8") as stream:
        return missing(stream.read(), wants)


def compile_traced(name, target):
    """The errors of what is traced with: kernel/trace, and the architecture's ftrace."""
    return complaints(*make(name, target, "-k",
                            *filter(None, ("kernel/trace/", target.ftrace))))


def check(name, target):
    return configure(name, target, settings(COMMON) + settings(name), wanted(name, target),
                     "allnoconfig") or compile_traced(name, target)


def tests(targets):
    return {name: lambda name=name: check(name, targets[name]) for name in targets}
