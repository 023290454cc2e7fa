# SPDX-License-Identifier: GPL-2.0
"""Run the base's selftests of x86, with each branch of them traced by single steps: they must say
and end as they do without. The suite "stepped" of test.py.

They look at what stepping could disturb: flags, segments, signal frames, breakpoints, system
calls of each kind, the vDSO, vsyscalls, debuggers, and what the kernel restores wrongly.
"""

import functools
import os
import re
import subprocess

import vm

SOURCE = os.path.join(vm.BUILD, "linux/tools/testing/selftests/x86")
PROGRAMS = os.path.join(vm.GUEST, "stepped")
# The guest has no libraries
COMPILER = "gcc -static -s -w"
BITS = ("32", "64") if vm.ARCH == "x86_64" else ("32",)
LRET = "QEMU's lret reads a program's stack with the kernel's rights, with stepping or without, " \
       "and the kernel reports a bug"
LEFT_OUT = {
    "mov_ss_trap": "QEMU raises a watchpoint and a single step one after the other, the second "
                   "one in the kernel's handler of the first one, which hangs the kernel. A "
                   "program that sets the trap flag itself does the same",
    "sysret_ss_attrs": LRET,
    "test_syscall_vdso": LRET,
    "syscall_numbering": "it takes a minute, for nothing but system calls",
}
APPEND = "kunit.enable=0 oops=panic"
TIMEOUT = int(os.environ.get("TIMEOUT") or 900)
# Each program has more branches than this before it comes to main()
LEAST_EVENTS = 1000
HEAD = re.compile(r"@ktest (plain|traced|events) (\S+) (\d+)$")
# Process IDs, addresses and counts differ from run to run
NUMBER = re.compile(r"(?:0x)+[0-9a-f]+|\b[0-9a-f]*[0-9][0-9a-f]*\b")


def make(*goals):
    """What the Makefile of these selftests says, which knows what each program is made of."""
    os.makedirs(PROGRAMS, exist_ok=True)
    result = subprocess.run(["make", "-s", f"OUTPUT={PROGRAMS}", f"CC={COMPILER}", *goals],
                            cwd=SOURCE, env=dict(os.environ, MAKEFLAGS=""), check=False,
                            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True)
    if result.returncode:
        raise SystemExit("error: the base's selftests of x86 do not compile (see above)")
    return result.stdout


@functools.lru_cache(maxsize=None)
def names():
    """Those that run here, such as ldt_gdt_64."""
    found = [line.rpartition(":")[2] for line in make("emit_tests").split()]
    return [name for name in found
            if name.rpartition("_")[0] not in LEFT_OUT and name.rpartition("_")[2] in BITS]


def programs():
    """{name: the program, as bytes}"""
    found = {}
    make(f"-j{os.cpu_count()}", *[os.path.join(PROGRAMS, name) for name in names()])
    for name in names():
        with open(os.path.join(PROGRAMS, name), "rb") as stream:
            found[name] = stream.read()
    return found


class Runs:
    """{program: (status, lines)} of both runs of each, and how many events it had."""

    def __init__(self, lines):
        self.plain, self.traced, self.events = {}, {}, {}
        said = []
        for line in lines:
            match = HEAD.match(line)
            if match and match.group(1) == "events":
                self.events[match.group(2)] = int(match.group(3))
            elif match:
                said = []
                getattr(self, match.group(1))[match.group(2)] = (int(match.group(3)), said)
            else:
                said.append(NUMBER.sub("#", line))


@functools.lru_cache(maxsize=None)
def run_guest():
    """The Runs, and what is wrong with the guest."""
    job = {"mode": "stepped\n"}
    job.update({f"program-{name}": program for name, program in programs().items()})
    outcome = vm.boot(job, APPEND, "stepped", TIMEOUT)
    print(f"== stepped: {outcome.taken()}", flush=True)
    return Runs(outcome.lines), outcome.told() or (outcome.status and "the guest's job has failed")


def check(name):
    runs, problem = run_guest()
    if problem or name not in runs.events:
        return (problem or "it did not run").splitlines()
    return differences(runs, name)


def differences(runs, name):
    (status, said), (other_status, other_said) = runs.plain[name], runs.traced[name]
    wrong = [] if status == other_status else [f"it ends with {status}, traced: {other_status}"]
    if said != other_said:
        wrong += ["what it says:", *said, "what it says when it is traced:", *other_said]
    if runs.events[name] < LEAST_EVENTS:
        wrong.append(f"it was not traced: there are {runs.events[name]} events")
    return wrong


def tests():
    return {name: functools.partial(check, name) for name in names()}
