# SPDX-License-Identifier: GPL-2.0
"""Run the base's selftests of x86, with each branch of them traced by single steps: they must say
and end as they do without. The suite "stepped" of test.py.

They look at what stepping could disturb: flags, segments, signal frames, breakpoints, system
calls of each kind, the vDSO, vsyscalls, debuggers, and what the kernel restores wrongly.

Not among them:

mov_ss_trap       QEMU raises a watchpoint and a single step one after the other, the second one
                  within the kernel's handler of the first one, which hangs the kernel. A program
                  that sets the trap flag itself does the same.
sysret_ss_attrs, test_syscall_vdso
                  QEMU's lret reads a program's stack with the kernel's rights, which the kernel
                  reports as a bug; without stepping, too
entry_from_vm86   its child writes to the same file at any time, and there is no vm86 mode
syscall_numbering it takes a minute, for nothing but system calls
"""

import functools
import os
import re
import subprocess

import vm

SOURCE = os.path.join(vm.BUILD, "linux/tools/testing/selftests/x86")
OPTIONS = ["-O2", "-std=gnu99", "-pthread", "-static", "-no-pie", "-s", "-w", "-D_GNU_SOURCE"]
BOTH = ("32", "64") if vm.ARCH == "x86_64" else ("32",)
# What each program is made of besides its own file
PROGRAMS = {
    "check_initial_reg_state": (BOTH, ["-Wl,-ereal_start"]),
    "corrupt_xstate_header": (("64",), []),
    "fsgsbase": (("64",), []),
    "fsgsbase_restore": (BOTH, ["clang_helpers_{bits}.S"]),
    "ioperm": (BOTH, []),
    "iopl": (BOTH, []),
    "ldt_gdt": (BOTH, []),
    "nx_stack": (BOTH, ["-Wl,-z,noexecstack"]),
    "ptrace_syscall": (("32",), ["raw_syscall_helper_32.S"]),
    "sigaltstack": (BOTH, []),
    "sigreturn": (BOTH, []),
    "sigtrap_loop": (BOTH, []),
    "single_step_syscall": (BOTH, []),
    "syscall_arg_fault": (BOTH, []),
    "syscall_nt": (BOTH, []),
    "sysret_rip": (("64",), ["clang_helpers_64.S"]),
    "test_FCMOV": (("32",), []),
    "test_FCOMI": (("32",), ["-lm"]),
    "test_FISTTP": (("32",), ["-lm"]),
    "test_mremap_vdso": (BOTH, []),
    "test_vsyscall": (BOTH, []),
    "unwind_vdso": (("32",), []),
    "vdso_restorer": (("32",), []),
}
APPEND = "kunit.enable=0 oops=panic"
TIMEOUT = int(os.environ.get("TIMEOUT") or 900)
# Each program has more branches than this before it comes to main()
LEAST_EVENTS = 1000
HEAD = re.compile(r"@ktest (plain|traced|events) (\S+) (\d+)$")
# Process IDs, addresses and counts differ from run to run
NUMBER = re.compile(r"(?:0x)+[0-9a-f]+|\b[0-9a-f]*[0-9][0-9a-f]*\b")


def names():
    return [f"{name}_{bits}" for name, (widths, _) in PROGRAMS.items() for bits in widths
            if bits in BOTH]


def compiled(name, directory):
    """The program, as bytes."""
    source, _, bits = name.rpartition("_")
    more = [word.format(bits=bits) for word in PROGRAMS[source][1]]
    path = os.path.join(directory, name)
    subprocess.run(["gcc", f"-m{bits}", *OPTIONS, "-o", path, source + ".c", *more], cwd=SOURCE,
                   check=True)
    with open(path, "rb") as stream:
        return stream.read()


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
    directory = os.path.join(vm.GUEST, "stepped")
    os.makedirs(directory, exist_ok=True)
    job = {"mode": "stepped\n"}
    job.update({f"program-{name}": compiled(name, directory) for name in names()})
    outcome = vm.boot(job, APPEND, "stepped", TIMEOUT)
    print(f"== stepped: {outcome.taken()}", flush=True)
    return Runs(outcome.lines), outcome.told() or (outcome.status and "the guest's job has failed")


def check(name):
    runs, problem = run_guest()
    if name not in runs.events:
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
