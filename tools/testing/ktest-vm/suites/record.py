# SPDX-License-Identifier: GPL-2.0
"""Compare the branches that tracing tells of programs, and of functions of the kernel, with what
the emulator has executed: the suite "record" of test.py.

One guest runs the programs, and QEMU logs their instructions meanwhile. Another one calls the
functions.
"""

import functools
import os

import vm
from record import comparison, execution_log, functions, program_code

PROGRAMS = ("recorded", "recorded-32") if vm.ARCH == "x86_64" else ("recorded",)
BEGIN = "@ktest record "
# No random addresses: the doors' are logged
APPEND = "kunit.enable=0 oops=panic nokaslr"
TIMEOUT = int(os.environ.get("TIMEOUT") or 600)
# A program that does less would not be worth it
LEAST_STEPS = 5000
KINDS = {"call", "return", "jump", "conditional", "interrupt", "exception", "syscall", "to user"}


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
def instructions_of(name):
    return program_code.read(os.path.join(vm.GUEST, "root/bin", name))


@functools.lru_cache(maxsize=None)
def run_guest():
    """{program: the lines of its trace}, the log's path, the doors, and what is wrong with the
    guest."""
    path = os.path.join(vm.LOGS, "record.executed")
    known = execution_log.doors(os.path.join(vm.OUT, "vmlinux"))
    devices = execution_log.arguments(path, known, [program_code.extent(instructions_of(name))
                                                     for name in PROGRAMS])
    os.makedirs(vm.LOGS, exist_ok=True)
    outcome = vm.boot({"mode": "record\n"}, APPEND, "record", TIMEOUT, devices=devices)
    print(f"== record: {outcome.taken()}", flush=True)
    problem = outcome.told() or (outcome.status and "the guest's programs could not be traced")
    return traces(outcome.lines), path, known, problem


def compare(name, lines, path, known):
    instructions = instructions_of(name)
    code = program_code.extent(instructions)
    steps, doors = comparison.traced(execution_log.read(path, known,
                                                        execution_log.of_program(code)))
    told = comparison.events(lines, code)
    comparison.Walk(steps, doors, told, instructions).run()
    missing = KINDS - {kind for _, _, kind in told}
    if missing or len(steps) < LEAST_STEPS:
        raise comparison.Differs(f"it has only {len(steps)} steps; kinds of branches that it "
                                 f"lacks: {', '.join(missing) or 'none'}")
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
    return {**{name: functools.partial(check, name) for name in PROGRAMS},
            "functions": functools.partial(functions.check, APPEND, TIMEOUT)}
