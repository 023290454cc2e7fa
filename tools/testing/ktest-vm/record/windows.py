# SPDX-License-Identifier: GPL-2.0
"""Compare the branches that tracing tells of functions of the kernel with the instructions that
were executed with the trap flag.

The call of a chosen function is told, then each branch until the function returns, and that. Not
told are the tracer that is called where a function begins, and what tells of branches when the
task is switched: then tracing tells where it goes on.
"""

import re

from record.comparison import Differs, KERNEL, matches, shown

SIDE = r"(?:(kernel|user)|\S+ <([0-9a-f]+)>)"
BRANCH = re.compile(rf".* branch: {SIDE} -> {SIDE} \(([a-z ]+)\)$")
CALL_SITE_SIZE = 5


def side(word, address):
    return word or int(address, 16)


def events(lines):
    """[(from, to, kind)...] of a trace in which addresses are shown (options/sym-addr)."""
    return [(side(*match.group(1, 2)), side(*match.group(3, 4)), match.group(5))
            for match in matches(lines, BRANCH)]


class Walk:
    """Walks steps and branches.

    text is a kernel_text.Text; tells() and traces() say whether an address is in what tells of
    branches, or is what a function calls that has a tracer.
    """

    def __init__(self, steps, branches, text, tells, traces):
        self.steps = steps
        self.branches = branches
        self.text = text
        self.tells = tells
        self.traces = traces
        self.instructions = text.instructions({step.address for step in steps})
        self.step = 0
        self.branch = 0
        self.depth = None       # how many calls have not returned; not known after a switch
        self.sites = []         # where windows began
        self.switches = 0

    def differ(self, problem):
        branch = self.peek()
        shows = f"{shown(branch[0])} -> {shown(branch[1])} ({branch[2]})" if branch else "none"
        raise Differs(f"{problem}; step {self.step} of {len(self.steps)}, branch {self.branch} "
                      f"of {len(self.branches)}: {shows}")

    def peek(self):
        return self.branches[self.branch] if self.branch < len(self.branches) else None

    def take(self, origin, kind):
        """Where the next branch leads, which must be from there and of this kind."""
        branch = self.peek()
        if not branch or branch[0] != origin or branch[2] != kind:
            self.differ(f"a branch from {shown(origin)} is missing (kind: {kind})")
        self.branch += 1
        return branch[1]

    def address(self):
        """Of the instruction that is executed next, if any is."""
        return self.steps[self.step].address if self.step < len(self.steps) else None

    def skip_to(self, address, may_skip=lambda address: True):
        while self.address() != address:
            if self.address() is None:
                self.differ(f"{address:#x} was not executed")
            if not may_skip(self.address()):
                self.differ(f"{self.address():#x} was not told")
            self.step += 1

    def calls_tracer(self, instruction):
        return instruction.kind == "call" and instruction.target is not None and \
            self.traces(instruction.target)

    def run(self):
        while self.step < len(self.steps):
            self.begin()
            while self.follow():
                pass
        if self.peek():
            self.differ("nothing more was executed")

    def begin(self):
        """The trap flag is set in the tracer, which goes on behind its call."""
        site = self.take(KERNEL, "unknown")
        if not self.calls_tracer(self.text.instructions([site])[site]):
            self.differ(f"no tracer is called at {site:#x}")
        self.sites.append(site)
        self.depth = 0
        self.skip_to(site + CALL_SITE_SIZE)

    def follow(self):
        """Over an instruction; whether the window goes on."""
        step = self.steps[self.step]
        instruction = self.instructions[step.address]
        if not step.doors and not instruction.shadows:
            self.differ(f"{step.address:#x} led to no door of the kernel")
        if self.is_switched(step):
            self.come_back()
            return True
        self.step += 1
        if self.calls_tracer(instruction):
            self.skip_to(step.address + CALL_SITE_SIZE)
            return True
        if step.faulted():
            to = self.fail(step)
        else:
            to = self.pass_over(step, instruction)
        return self.arrive(to, instruction)

    def is_switched(self, step):
        branch = self.peek()
        return branch and branch[0] == KERNEL and self.tells(step.address)

    def come_back(self):
        self.switches += 1
        self.depth = None
        self.skip_to(self.take(KERNEL, "unknown"), self.tells)

    def fail(self, step):
        """It begins again, or the kernel goes on elsewhere."""
        return step.address if self.address() == step.address else \
            self.take(step.address, "exception")

    def pass_over(self, step, instruction):
        """The CPU has executed it; where it has led."""
        behind = step.address + instruction.length
        if instruction.repeats and self.address() == step.address:
            return step.address
        if not instruction.kind:
            return behind
        if instruction.kind == "conditional" and self.address() == behind and \
                self.peek() != (step.address, instruction.target, "conditional"):
            return behind
        to = self.take(step.address, instruction.kind)
        if instruction.target not in (None, to):
            self.differ(f"the branch at {step.address:#x} leads to {shown(to)}")
        return to

    def arrive(self, to, instruction):
        """Whether the window goes on there."""
        if self.depth is not None:
            self.depth += {"call": 1, "return": -1}.get(instruction.kind, 0)
        goes_on = to == self.address()
        if self.depth is not None and goes_on != (self.depth >= 0):
            self.differ(f"at {shown(to)}, the function has{' not' * (not goes_on)} gone on")
        if not goes_on and not (instruction.kind == "return" and self.text.is_behind_call(to)):
            self.differ(f"the function has ended, at {shown(to)}")
        return goes_on
