#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Measure what tracing costs, in this kernel and in the base.

  bench.py [NAME=BUILD...]   compare existing builds. Without arguments, build the base
                             and this kernel, and compare those

STEPS in the environment chooses some of the steps, separated by commas. KEEP=1
puts the table into patches/bench-table, for "make series".

Prints a table and writes it to build/bench.txt, and all figures to build/bench.json;
for ARCH=i386, the names are bench-i386.txt and so on. The guests count instructions
instead of time (QEMU's -icount), so that the figures do not depend on the host and are
the same in every run. Only the steps "build" and "native" measure real time. The
program in benchmarks/guest/ does the counting.
"""

import datetime
import json
import os
import re
import subprocess
import sys

import vm
from benchmarks import counting_machine, kernel_builds, native_rings, result_table, symbol_profile

# Part of the file names, for any architecture but the first
SUFFIX = "" if vm.ARCH == vm.ARCHES[0] else "-" + vm.ARCH
RESULT = os.path.join(vm.BUILD, f"bench{SUFFIX}.json")
TABLE = os.path.join(vm.BUILD, f"bench{SUFFIX}.txt")
SYMBOLS = os.path.join(vm.BUILD, f"bench-symbols{SUFFIX}.txt")
KEPT = os.path.join(vm.REPO, f"patches/bench-table{SUFFIX}")
KEPT_HEAD = """# SPDX-License-Identifier: GPL-2.0
# For the cover letter, by make bench KEEP=1; but for lines like this one.

"""

# Each step, and what it measures
STEPS = {
    "calls": "instructions of a traced call, bytes of an event",
    "follow": "instructions of a call whose arguments' pointers are followed",
    "ring-buffer": "instructions of writing and reading an event, and its memory",
    "native": "cycles of a write into ring buffers, in programs on this machine",
    "text": "instructions of reading a line of the files trace and trace_pipe",
    "symbols": "one call's and one line's instructions, by symbol",
    "mitigations": "calls again, with fewer and with more mitigations",
    "hackbench": "a load with every function traced",
    "enable": "switching a tracer on and off, for every function and for one",
    "off": "what is compiled in but off, over FUNCTION_TRACER=n",
    "memory": "memory of a task, and of tracers that are on",
    "tracers": "a program's syscalls, shown by the events, by strace and by perf trace",
    "branches": "branches of programs and of the kernel, by single steps",
    "sizes": "sizes of the image and of the signatures",
    "btf": "the size of .BTF; builds another kernel, with DWARF",
    "build": "the time of building, with and without signatures",
}
# Steps that guests take, with the guest's name of the step
IN_GUEST = {"off": "untraced", "hackbench": "hackbench", "enable": "enable",
            "calls": "calls", "follow": "follow", "ring-buffer": "ring-buffer", "memory": "memory",
            "symbols": "symbols", "text": "text", "tracers": "tracers",
            "branches": "branches"}
# The emulated processor needs only retpolines. Measured besides: without any
# mitigations, with the return thunks of some AMD processors, and with the call depth
# tracking of some of Intel's; x86-32 has neither of the latter two
MITIGATIONS = {"x86_64": ["mitigations=off", "retbleed=unret,force", "retbleed=stuff,force"],
               "i386": ["mitigations=off"]}[vm.ARCH]
# What the reference kernel of the step "off" measures
UNTRACED = ["untraced"]
# Steps that need no kernel
KERNELLESS = {"native"}


def choose(text):
    steps = [name for name in re.split(r"[,\s]+", text) if name]
    known = "\n".join(f"  {name:12} {what}" for name, what in STEPS.items())
    if steps == ["help"]:
        print(known)
        raise SystemExit(0)
    for name in steps:
        if name not in STEPS:
            raise SystemExit(f"error: STEPS={name}: there are\n{known}")
    if vm.ARCH != vm.ARCHES[0] and "native" in steps:
        raise SystemExit(f"error: STEPS=native: there is no such program for {vm.ARCH}")
    return steps or [name for name in STEPS
                     if name != "native" or vm.ARCH == vm.ARCHES[0]]


def choose_kernels(arguments, steps):
    """All kernels, and the names of those that are columns of the table."""
    if not set(steps) - KERNELLESS:
        return {}, []
    if arguments:
        found = {name: kernel_builds.Kernel(os.path.abspath(build))
                 for name, build in (argument.split("=", 1) for argument in arguments)}
        return found, list(found)
    found = kernel_builds.the_kernels()
    if "off" not in steps:
        del found["notracer"]
    if "btf" not in steps:
        del found["btf"]
    return found, ["base", "ours"]


def build_all(kernels, columns):
    for name, kernel in kernels.items():
        print(f"== the kernel \"{name}\"", flush=True)
        kernel.make()
        if name in columns:
            kernel.make_modules()


def measure(kernels, columns, steps):
    """{name: what its guest measured}"""
    wanted = [IN_GUEST[step] for step in steps if step in IN_GUEST]
    found = {name: counting_machine.boot(name, kernels[name], wanted) for name in columns}
    if "notracer" in kernels:
        found["notracer"] = counting_machine.boot("notracer", kernels["notracer"], UNTRACED)
    return found


def measure_booted(kernels, columns, option):
    """What calls cost in kernels that are booted with an option."""
    print(f"   booted with {option}:", flush=True)
    return {name: counting_machine.boot(f"{name}-{option.replace('=', '-')}", kernels[name],
                                   ["calls", "ring-buffer"], option) for name in columns}


def measure_all(kernels, columns, steps):
    results = describe(kernels, columns)
    if kernels:
        print("== measuring in emulated machines that count instructions", flush=True)
    results["measured"] = measure(kernels, columns, steps)
    if "mitigations" in steps:
        results["mitigations"] = {option: measure_booted(kernels, columns, option)
                                  for option in MITIGATIONS}
    if "sizes" in steps or "btf" in steps:
        results["sizes"] = {name: kernel.sizes() for name, kernel in kernels.items()
                            if name != "notracer"}
    if "build" in steps:
        print("== measuring how long the build takes", flush=True)
        results["build"] = kernel_builds.time_pairs({name: kernels[name] for name in columns})
    if "native" in steps:
        results["native"] = native_rings.measure()
    return results


def describe(kernels, columns):
    version = subprocess.run([vm.QEMU, "--version"], capture_output=True, text=True,
                             check=True).stdout.split("\n")[0]
    one, other = (kernels[name].config() if kernels else {}
                  for name in (columns[:1] + columns[-1:] or ["", ""]))
    return {"date": datetime.date.today().isoformat(), "machine": version,
            "columns": columns,
            "kernels": {name: kernel.describe() for name, kernel in kernels.items()},
            "differences": kernel_builds.config_difference(one, other)}


def write(path, text):
    with open(path + ".new", "w", encoding="utf-8") as stream:
        stream.write(text)
    os.rename(path + ".new", path)


def write_all(results):
    text = result_table.head(results) + "\n" + result_table.text(results)
    write(RESULT, json.dumps(results, indent=1) + "\n")
    write(TABLE, text)
    print(text)
    print(f"== {TABLE} is this table, {RESULT} has these figures and more")
    if any(found["calls"] for found in results["measured"].values()):
        symbol_profile.write_report(SYMBOLS, results["measured"])
        print(f"== {SYMBOLS} has each symbol's share of one call")
    if os.environ.get("KEEP"):
        write(KEPT, KEPT_HEAD + text)
        print(f"== {KEPT} has the table for the mailed series")


def main(arguments):
    steps = choose(os.environ.get("STEPS", ""))
    kernels, columns = choose_kernels(arguments, steps)
    if arguments and "build" in steps:
        steps.remove("build")  # their sources are not known
    build_all(kernels, columns)
    write_all(measure_all(kernels, columns, steps))
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit("interrupted")
