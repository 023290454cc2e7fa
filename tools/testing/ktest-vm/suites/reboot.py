# SPDX-License-Identifier: GPL-2.0
"""Write to a trace buffer that outlives the kernel, reset the machine, and read it; then damage
a part of it, and read it again. The suite "reboot" of test.py.

The guest's memory is a file here, which a machine leaves to the next one.
"""

import functools
import mmap
import os
import re
import struct

import vm

MARKS = 2000
SIZE = 1024
APPEND = "kunit.enable=0 oops=panic reserve_mem=1M:4096:kept trace_instance=kept@kept"
# Of each CPU: which slots of its ring are damaged, and how
ZEROED = {0: (3, 4, 5), 1: ()}
MISPLACED = {0: (), 1: (8,)}
LOST = "[LOST EVENTS: {} sub-buffer{} of 4096 bytes damaged or unfinished]"

MARK = re.compile(rb"mark (\d) (\d+)\n")
LINE = re.compile(r".*: mark (\d) (\d+)$")
LOST_LINE = re.compile(r"CPU:(\d) (\[LOST EVENTS.*\])$")

# struct rb_meta: magic, bytes of itself, bytes of a sub-buffer, slots; and a slot in it
MAGIC = b"4RBR"
HEAD = struct.Struct("<4sIII")
SLOT = struct.Struct("<II")
SLOT_BYTES = 64


class Part:
    """What a CPU has of the memory."""

    def __init__(self, memory, at):
        self.memory, self.at = memory, at
        _, self.head, self.subbuf, self.slots = HEAD.unpack_from(memory, at)

    def is_one(self):
        return self.subbuf == 4096 and 32 <= self.head <= 128 and 2 <= self.slots <= 256

    def slot_at(self, slot):
        return self.at + self.head + slot * SLOT_BYTES

    def subbuf_at(self, slot):
        before = self.head + self.slots * (SLOT_BYTES + 4)
        first = self.at + -(-before // self.subbuf) * self.subbuf
        return first + SLOT.unpack_from(self.memory, self.slot_at(slot))[0] * self.subbuf

    def marks(self, slot):
        """The marks that a sub-buffer has, as (CPU, number)."""
        at = self.subbuf_at(slot)
        return {(int(cpu), int(number))
                for cpu, number in MARK.findall(self.memory[at:at + self.subbuf])}

    def zero(self, slot):
        at = self.subbuf_at(slot)
        self.memory[at:at + self.subbuf] = bytes(self.subbuf)

    def misplace(self, slot):
        SLOT.pack_into(self.memory, self.slot_at(slot), self.slots + 1, 0)


def parts(memory):
    """One for each CPU, by its number."""
    found, at = [], memory.find(MAGIC)
    while at >= 0:
        part = Part(memory, at)
        if at % 4096 == 0 and part.is_one():
            found.append(part)
        at = memory.find(MAGIC, at + 1)
    return found


def damage(memory):
    """Damage what ZEROED and MISPLACED say; the marks that are gone then."""
    gone = set()
    for cpu, part in enumerate(parts(memory)):
        for slot in ZEROED[cpu]:
            gone |= part.marks(slot)
            part.zero(slot)
        for slot in MISPLACED[cpu]:
            gone |= part.marks(slot)
            part.misplace(slot)
    return gone


def damage_file(path):
    with open(path, "r+b") as stream, mmap.mmap(stream.fileno(), 0) as memory:
        return damage(memory)


def boot(path, marks):
    """Run the job with that file for memory; the Outcome."""
    devices = ("-object", f"memory-backend-file,id=ram,size={SIZE}M,mem-path={path},share=on",
               "-machine", "memory-backend=ram")
    outcome = vm.boot({"mode": "reboot\n", "marks": f"{marks}\n"}, APPEND, "reboot", 300,
                      devices=devices)
    print(f"== reboot: {outcome.taken()}", flush=True)
    return outcome


@functools.lru_cache(maxsize=None)
def run_guests():
    """What the guests said of all, what they said of the rest, and which marks were gone."""
    path = os.path.join(vm.GUEST, "reboot.memory")
    try:
        first = boot(path, MARKS)
        if first.crashes() or first.hung or first.status is not None:
            return [first.told() or "the machine was not reset", *first.lines[-20:]], [], set()
        whole = boot(path, 0)
        gone = damage_file(path)
        return read(whole), read(boot(path, 0)), gone
    finally:
        if os.path.exists(path):
            os.unlink(path)


def read(outcome):
    return outcome.lines if outcome.status == 0 and not outcome.problem() else \
        [outcome.told() or "the guest's job has failed"]


def missing(lines):
    """What is wrong with the order of the marks, and which are not there."""
    wrong, seen = [], {0: -1, 1: -1}
    left = {(cpu, number) for cpu in seen for number in range(MARKS)}
    for line in lines:
        match = LINE.match(line)
        if not match:
            continue
        cpu, number = map(int, match.groups())
        if number <= seen[cpu]:
            wrong.append(f"behind mark {seen[cpu]} of CPU {cpu}: {line}")
        seen[cpu] = number
        left.discard((cpu, number))
    return wrong, left


def lost(lines):
    return [match.groups() for match in map(LOST_LINE.match, lines) if match]


def is_call(line):
    return re.search(r": vfs_open\(path=0x[0-9a-f]+, file=0x[0-9a-f]+\) <-", line)


def check_whole(lines):
    """All marks must be there, and calls must have their names and arguments."""
    wrong, left = missing(lines)
    if left:
        wrong += [f"{len(left)} marks of {2 * MARKS} are missing", *lines[:20]]
    wrong += [f"said to be lost: {text}" for _, text in lost(lines)]
    if not any(map(is_call, lines)):
        wrong.append("there is no call of vfs_open()")
    return wrong + [line for line in lines if re.search(r"event.*: \?$", line)][:5]


def check_rest(lines, gone):
    """All marks but those that are gone must be there, and what is damaged must be told."""
    wrong, left = missing(lines)
    if len(gone) < 200:
        wrong.append(f"only {len(gone)} marks were where memory was damaged")
    if left != gone:
        wrong += [f"lost without damage: {sorted(left - gone)[:5]}",
                  f"there in spite of damage: {sorted(gone - left)[:5]}", *lines[:20]]
    expected = [(str(cpu), LOST.format(count, "s" * (count > 1)))
                for cpu in ZEROED for count in (len(ZEROED[cpu]) + len(MISPLACED[cpu]),)]
    if lost(lines) != expected:
        wrong.append(f"said to be lost: {lost(lines)}, not {expected}")
    return wrong


def tests():
    return {"kept": lambda: check_whole(run_guests()[0]),
            "damaged": lambda: check_rest(*run_guests()[1:])}
