# SPDX-License-Identifier: GPL-2.0
"""Compare the branches that tracing tells of a program with the instructions that it executed.

Both are walked side by side. A branch must be told if, and only if, it was taken, with its place
and kind, in its order; and so must each way to the kernel and back, at the instruction where it
was, as an interrupt or an exception. How often they came before an instruction is not told by the
program's instructions: there may be as many ways to the kernel as doors of that kind were used.

Code that is not the program's, such as the vDSO, is AWAY: it is not known what happens there.
"""

import collections
import re

from record.execution_log import kind_of_door

KERNEL, AWAY = "kernel", "away"
# How the kernel is entered with no instruction that does it
ENTRIES = ("interrupt", "exception")
BRANCH = re.compile(r".* branch: (\S+) -> (\S+) \(([a-z ]+)\)$")
LOST = re.compile(r".* branch_(?:lost|not_followed): |CPU:\d+ \[LOST")


class Differs(Exception):
    """The text says where and how."""


def side(text, code):
    if text == KERNEL:
        return KERNEL
    address = int(text, 16)
    return address if address in code else AWAY


def matches(lines, pattern):
    """The matches of a trace's branches."""
    for line in lines:
        if LOST.match(line):
            raise Differs(f"branches were lost: {line.strip()}")
        match = pattern.match(line)
        if match:
            yield match


def events(lines, code):
    """[(from, to, kind)...] of a trace, without what is none of the program's."""
    found = [(side(match.group(1), code), side(match.group(2), code), match.group(3))
             for match in matches(lines, BRANCH)]
    return [event for event in found if not {KERNEL, AWAY}.issuperset(event[:2])]


def shown(place):
    return place if isinstance(place, str) else f"{place:#x}"


class Walk:
    """Walks a program's steps and events. The kernel may have been entered by the doors before the
    first step; instructions are those of program_code.read()."""

    def __init__(self, steps, doors, branches, instructions):
        self.steps = steps
        self.doors = doors
        self.told = branches
        self.instructions = instructions
        self.next = 0           # of the events
        self.at = KERNEL
        self.left = collections.Counter()   # how often it was left before this instruction

    def differ(self, problem):
        event = self.peek()
        told = f"{shown(event[0])} -> {shown(event[1])} ({event[2]})" if event else "nothing more"
        raise Differs(f"{problem}; event {self.next} of {len(self.told)} is {told}")

    def peek(self):
        return self.told[self.next] if self.next < len(self.told) else None

    def take(self, origin, kind):
        """The place where the next event leads, which must be from there and of this kind."""
        event = self.peek()
        if not event or event[0] != origin or kind not in (None, event[2]):
            self.differ(f"a branch from {shown(origin)} is missing (kind: {kind or 'any'})")
        self.next += 1
        return event[1]

    def move(self):
        """Go where the next event leads from a place at which nothing is executed."""
        if self.at == KERNEL and self.peek() and self.peek()[0] == AWAY:
            self.at = AWAY
        if self.at == AWAY and self.peek() and self.peek()[0] == KERNEL:
            self.at = KERNEL
        if self.at == AWAY:
            self.at = self.take(AWAY, None)
        elif self.at == KERNEL:
            self.at = self.take(KERNEL, "to user")
        else:
            self.leave()

    def leave(self):
        event = self.peek()
        kind = event[2] if event and event[2] in ENTRIES else " or ".join(ENTRIES)
        self.at = self.take(self.at, kind)
        self.left[kind] += 1

    def leaves(self):
        event = self.peek()
        return event and event[0] == self.at and event[2] in ENTRIES

    def travel(self, step):
        """To the instruction that is begun next. One that fails is left after it was begun, and
        maybe for a signal's handler, so that ways to the kernel from there wait."""
        while self.at != step.address or (self.leaves() and not step.faulted()):
            self.move()

    def goes_on(self, number):
        """Whether this is a round of an instruction that repeats, and not the last one."""
        one, following = (*self.steps[number:number + 2], None)[:2]
        instruction = self.instructions.get(one.address)
        return one.completed() and instruction and instruction.repeats and \
            following and following.address == one.address

    def execute(self, step):
        instruction = self.instructions.get(step.address)
        if not instruction:
            self.differ(f"{step.address:#x} is no instruction of the program")
        if step.is_syscall():
            self.at = self.take(step.address, "syscall")
        elif step.completed():
            self.pass_over(step, instruction)

    def pass_over(self, step, instruction):
        """The CPU has executed it, and gone on behind it or elsewhere."""
        behind = step.address + instruction.length
        event = self.peek()
        told = event and event[0] == step.address and event[2] == instruction.kind
        if instruction.kind and (instruction.kind != "conditional" or told):
            self.at = self.take(step.address, instruction.kind)
            if not self.may_lead_here(instruction):
                self.differ(f"the branch at {step.address:#x} leads to {shown(self.at)}")
        else:
            self.at = behind

    def may_lead_here(self, instruction):
        """A direct branch has one target. Another one may lead out of the program."""
        if instruction.target:
            return self.at == instruction.target
        return self.at == AWAY or self.at in self.instructions

    def check_doors(self, step, doors, faults):
        least, most = (collections.Counter(map(kind_of_door, which)) for which in (faults, doors))
        if not all(least[kind] <= self.left[kind] <= most[kind] for kind in ENTRIES):
            self.differ(f"before {step.address:#x}, the kernel was entered by {doors}, "
                        f"from there by {faults}, and these ways there were told: "
                        f"{dict(self.left)}")

    def run(self):
        doors, faults = self.doors, []
        for number, step in enumerate(self.steps):
            if not step.stepped:
                self.differ(f"{step.address:#x} was executed without the trap flag")
            if not step.doors:
                self.differ(f"{step.address:#x} led to no door of the kernel")
            self.travel(step)
            if step.faulted():
                doors, faults = doors + step.doors, faults + step.doors[:1]
                continue
            if self.goes_on(number):
                doors += step.doors[1:]
                continue
            self.check_doors(step, doors, faults)
            self.left.clear()
            doors, faults = step.doors[1:], []
            self.execute(step)
        if self.peek():
            self.differ("the program has ended")


def traced(steps):
    """Those from the first one with the trap flag on, and the doors behind the call that the
    program was in: an interrupt may come before the first step."""
    first = next((number for number, step in enumerate(steps) if step.stepped), len(steps))
    return steps[first:], steps[first - 1].doors[1:] if first else []
