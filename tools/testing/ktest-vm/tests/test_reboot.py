# SPDX-License-Identifier: GPL-2.0
"""Tests of how the memory of a reset machine is damaged, and how what is left is judged."""

import unittest.mock

from harness import contains, equal
from suites import reboot

SLOTS = 12
CALL = "sh-1 [000] 1.0: vfs_open(path=0xc1, file=0xc2) <-do_open"


def part_of(cpu):
    """The memory of a CPU: sub-buffer 0 is the reader's, and each has ten marks."""
    head = reboot.HEAD.pack(reboot.MAGIC, 64, 4096, SLOTS).ljust(64, b"\0")
    slots = b"".join(reboot.SLOT.pack(slot + 1, 0).ljust(64, b"\0") for slot in range(SLOTS))
    subbufs = [b""] + [b"".join(b"mark %d %d\n" % (cpu, 10 * slot + i) for i in range(10))
                       for slot in range(SLOTS)]
    return (head + slots).ljust(4096, b"\0") + b"".join(text.ljust(4096, b"\0")
                                                      for text in subbufs)


def memory():
    return bytearray(b"4RBR, but no part".ljust(8192, b"\0") + part_of(0) + part_of(1))


def lines(gone, lost=()):
    told = [f"sh-1 [00{cpu}] 1.0: tracing_mark_write: mark {cpu} {number}"
            for cpu in (0, 1) for number in range(reboot.MARKS) if (cpu, number) not in gone]
    return [*told, CALL, *lost]


def test_reboot_damage():
    """reboot: what is damaged is that of the slots that are meant, and nothing else"""
    before, after = memory(), memory()
    equal(len(reboot.parts(before)), 2)
    gone = reboot.damage(after)
    equal(gone, {(0, number) for number in range(30, 60)} |
          {(1, number) for number in range(80, 90)})
    equal([at // 4096 for at in range(0, len(before), 4096)
           if before[at:at + 4096] != after[at:at + 4096]],
          [2 + 1 + 1 + slot for slot in (3, 4, 5)] + [2 + SLOTS + 2])
    equal(reboot.SLOT.unpack_from(after, reboot.parts(after)[1].slot_at(8)), (SLOTS + 1, 0))


def test_reboot_whole():
    """reboot: a mark that is missing or in the wrong place, and a call without arguments"""
    equal(reboot.check_whole(lines(set())), [])
    contains("\n".join(reboot.check_whole(lines({(1, 7)}))), "1 marks of 4000 are missing")
    good = lines(set())
    contains("\n".join(reboot.check_whole([good[1], good[0], *good[2:]])),
             "behind mark 1 of CPU 0")
    contains("\n".join(reboot.check_whole([*good[:-1], "1.0: vfs_open <-do_open"])),
             "no call of vfs_open()")
    contains("\n".join(reboot.check_whole(good + ["CPU:1 [LOST EVENTS: 1 sub-buffer of 4096 "
                                                  "bytes damaged or unfinished]"])),
             "said to be lost")
    contains("\n".join(reboot.check_whole(good + ["# event of type 5, 20 bytes: ?"])), "type 5")


def test_reboot_rest():
    """reboot: what is lost without damage, or is not told"""
    gone = {(0, number) for number in range(30, 300)}
    told = [f"CPU:{cpu} {reboot.LOST.format(count, 's' * (count > 1))}"
            for cpu, count in ((0, 3), (1, 1))]
    equal(reboot.check_rest(lines(gone, told), gone), [])
    contains("\n".join(reboot.check_rest(lines(gone | {(1, 5)}, told), gone)),
             "lost without damage: [(1, 5)]")
    contains("\n".join(reboot.check_rest(lines(gone - {(0, 40)}, told), gone)),
             "there in spite of damage: [(0, 40)]")
    contains("\n".join(reboot.check_rest(lines(gone, told[:1]), gone)), "said to be lost")
    contains("\n".join(reboot.check_rest(lines(set(), told), set())), "only 0 marks")


def test_reboot_guests():
    """reboot: a machine that is not reset, or whose second boot fails"""
    outcome = reboot.vm.Outcome()
    outcome.status = 1
    with unittest.mock.patch.object(reboot, "boot", return_value=outcome):
        said, rest, gone = reboot.run_guests.__wrapped__()
    equal((said, rest, gone), (["the machine was not reset"], [], set()))
    equal(reboot.read(outcome), ["the guest's job has failed"])
