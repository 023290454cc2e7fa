# SPDX-License-Identifier: GPL-2.0
"""QEMU's log of executed code: which instructions a program, or the kernel with the trap flag, has
executed, one by one, and by which door each time the CPU came to the kernel.

QEMU logs the beginning of each piece of code that it executes ("-d exec,nochain"). A piece is a
single instruction if the trap flag is set. For programs, only their addresses and the kernel's
doors are logged ("-dfilter"). For the kernel, all of its text is, and kernel_pattern() chooses.
"""

import dataclasses
import re

import symbols

# "Trace CPU: host address [cs base/program counter/flags/cflags] symbol"
EXECUTED = re.compile(r"Trace (?P<cpu>\d+): \S+ "
                      r"\[[0-9a-f]+/(?P<address>[0-9a-f]+)/(?P<flags>[0-9a-f]+)/")
# It was logged, but an interrupt came first: "... before host address [program counter] symbol"
STOPPED = re.compile(r"Stopped execution of TB chain before \S+ \[([0-9a-f]+)\]")
TRAP_FLAG = 0x100
USER = 0x3
DOOR = re.compile(r"(asm_(?:exc_\w+|sysvec_\w+|common_interrupt|spurious_interrupt|int80_emulation)"
                  r"|entry_(?:SYSCALL_64|SYSCALL_compat|SYSENTER_compat|SYSENTER_32|INT80_32))$")
STEP = "asm_exc_debug"
SYSCALL = re.compile(r"entry_|asm_int80_emulation$")
INTERRUPT = re.compile(r"asm_(sysvec_|common_interrupt$|spurious_interrupt$)")


@dataclasses.dataclass
class Step:
    """An instruction that was begun, with the trap flag or not, and the doors that the CPU went
    through before the next one: the first one says what became of the instruction."""
    address: int
    stepped: bool
    doors: list

    def completed(self):
        return self.doors[:1] == [STEP]

    def is_syscall(self):
        return bool(self.doors and SYSCALL.match(self.doors[0]))

    def faulted(self):
        return bool(self.doors) and not self.completed() and not self.is_syscall()


def kind_of_door(door):
    """The kind of branch that leads there."""
    if SYSCALL.match(door):
        return "syscall"
    return "interrupt" if INTERRUPT.match(door) else "exception"


def doors(vmlinux):
    """{address: name} of where the kernel is entered."""
    return {address: name for address, _, name in symbols.read(vmlinux) if DOOR.match(name)}


def arguments(path, known_doors, ranges):
    """QEMU's arguments to log these into a file; ranges are of programs."""
    filters = [f"{code.start:#x}+{len(code):#x}" for code in ranges]
    filters += [f"{address:#x}+0x1" for address in known_doors]
    return ["-d", "exec,nochain", "-dfilter", ",".join(filters), "-D", path]


def of_program(code):
    """What a program executes."""
    return lambda address, flags: address in code


def of_kernel(_address, flags):
    """What the kernel executes with the trap flag."""
    return flags & (TRAP_FLAG | USER) == TRAP_FLAG


class Reader:
    """The steps that are wanted, in order, whichever CPUs they are on."""

    def __init__(self, known_doors, wants):
        self.doors = known_doors
        self.wants = wants
        self.steps = []
        self.last = {}          # of each CPU, while nobody else's instruction came

    def take(self, cpu, address, flags):
        if self.wants(address, flags):
            step = Step(address, bool(flags & TRAP_FLAG), [])
            self.forget_begun(cpu, step)
            self.steps.append(step)
            self.last = {cpu: step}
        elif address in self.doors and cpu in self.last:
            self.last[cpu].doors.append(self.doors[address])

    def forget_begun(self, cpu, step):
        """An instruction for a device is begun again if QEMU counts instructions ("-icount")."""
        if self.last.get(cpu) == step:
            self.steps.pop()

    def forget(self, address):
        if self.steps and self.steps[-1].address == address and not self.steps[-1].doors:
            self.steps.pop()
            self.last = {cpu: self.steps[-1] for cpu in self.last if self.steps}

    def read(self, lines):
        for line in lines:
            found = EXECUTED.match(line)
            if found:
                cpu, address, flags = found.groups()
                self.take(cpu, int(address, 16), int(flags, 16))
                continue
            found = STOPPED.match(line)
            if found:
                self.forget(int(found.group(1), 16))
        return self.steps


def kernel_pattern(known_doors):
    """grep's pattern (-E) for the lines that a Reader needs if all of the kernel is logged."""
    trapped = r"/[0-9a-f]+[13579bdf][0-9a-f][048c]/[0-9a-f]+\]"
    entered = "|".join(f"{address:x}" for address in known_doors)
    return rf"{trapped}|/0*({entered})/|^Stopped"


def read(path, known_doors, wants):
    with open(path, encoding="ascii", errors="replace") as lines:
        return Reader(known_doors, wants).read(lines)
