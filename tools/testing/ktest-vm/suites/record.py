# SPDX-License-Identifier: GPL-2.0
"""Compare the branches that tracing tells of programs with what the emulator has executed: the
suite "record" of test.py.

One guest runs the programs, and QEMU logs their instructions meanwhile.
"""

import functools
import os

import vm
from record import comparison, execution_log, program_code

# The guest's programs, and where initramfs.sh links them to
SIZE = 1 << 20
PROGRAMS = {"recorded": range(0x10000000, 0x10000000 + SIZE)}
if vm.ARCH == "x86_64":
    PROGRAMS["recorded-32"] = range(0x20000000, 0x20000000 + SIZE)
BEGIN = "@ktest record "
# No random addresses: the doors' are logged
APPEND = "kunit.enable=0 oops=panic nokaslr"
TIMEOUT = int(os.environ.get("TIMEOUT") or 600)
# A program that does less would not be worth it
LEAST_STEPS = 5000
KINDS = {"call", "return", "jump", "conditional", "syscall", "to user", "to kernel"}


def traces(lines):
    """{program: the lines of its trace}"""
    found, name = {}, None
    for line in lines:
        if line.startswith(BEGIN):
            name = line.removeprefix(BEGIN)
            found[name] = []
        elif name:
            found[name].append(line)
    return found


@functools.lru_cache(maxsize=None)
def run_guest():
    """{program: the lines of its trace}, the log's path, and what is wrong with the guest."""
    path = os.path.join(vm.LOGS, "record.executed")
    known = execution_log.doors(os.path.join(vm.OUT, "vmlinux"))
    devices = execution_log.arguments(path, known, PROGRAMS.values())
    os.makedirs(vm.LOGS, exist_ok=True)
    outcome = vm.boot({"mode": "record\n"}, APPEND, "record", TIMEOUT, devices=devices)
    print(f"== record: {outcome.taken()}", flush=True)
    problem = outcome.told() or (outcome.status and "the guest's programs could not be traced")
    return traces(outcome.lines), path, known, problem


def compare(name, lines, path, known):
    code = PROGRAMS[name]
    steps = comparison.traced(execution_log.read(path, known, code))
    told = comparison.events(lines, code)
    instructions = program_code.read(os.path.join(vm.GUEST, "root/bin", name))
    comparison.Walk(steps, told, instructions).run()
    missing = KINDS - {kind for _, _, kind in told}
    if missing or len(steps) < LEAST_STEPS:
        raise comparison.Differs(f"it has {len(steps)} steps, and no branch of the kinds {missing}")
    print(f"   {name}: {len(steps)} steps, {len(told)} branches")


def check(name):
    found, path, known, problem = run_guest()
    if problem:
        return problem.splitlines()
    try:
        compare(name, found.get(name, []), path, known)
    except comparison.Differs as difference:
        return [str(difference)]
    return []


def tests():
    return {name: functools.partial(check, name) for name in PROGRAMS}
