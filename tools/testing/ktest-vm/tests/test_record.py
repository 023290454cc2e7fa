# SPDX-License-Identifier: GPL-2.0
"""Tests of the comparison of told branches with executed instructions."""

import os
import subprocess
import tempfile

from harness import contains, equal, with_one_wrong, write
from record import comparison, execution_log, program_code
from record.comparison import AWAY, KERNEL

CODE = range(0x1000, 0x2000)
DOORS = {0x8000: "asm_exc_debug", 0x8010: "asm_exc_page_fault", 0x8020: "entry_SYSCALL_64",
         0x8030: "asm_sysvec_apic_timer_interrupt"}
DEBUG, FAULT, SYSCALL, TIMER = DOORS
DOOR_NAMES = """0000000000008000 T asm_exc_debug
0000000000008020 T entry_SYSCALL_64
0000000000008024 T entry_SYSCALL_64_safe_stack
0000000000008040 T asm_load_gs_index
                 U asm_exc_nmi
"""


def executed(*items, cpu=0):
    """QEMU's lines of (address, doors that follow...); 0x1000 and up have the trap flag."""
    for address, *doors in items:
        yield f"Trace {cpu}: 0x7f [00000000/{address:08x}/18c0c3b3/ff000200] \n"
        for door in doors:
            yield f"Trace {cpu}: 0x7f [00000000/{door:08x}/18c0c290/ff000200] \n"


def steps(*items):
    return execution_log.Reader(DOORS, execution_log.of_program(CODE)).read(executed(*items))


INSTRUCTIONS = {
    0x1000: program_code.Instruction(2),
    0x1002: program_code.Instruction(2, "call", 0x1100),
    0x1004: program_code.Instruction(2, None, None, True),
    0x1006: program_code.Instruction(2, "conditional", 0x1000),
    0x1008: program_code.Instruction(2),
    0x1100: program_code.Instruction(1, "return"),
    0x1200: program_code.Instruction(3, "jump"),
}

# Each instruction: a fault and an interrupt on the way, a repetition, a jump to the vDSO, a
# condition that is true once, a signal, and the end
EXECUTED = (
    (0x1000, FAULT), (0x1000, DEBUG), (0x1002, DEBUG, TIMER), (0x1100, DEBUG), (0x1004, DEBUG),
    (0x1004, DEBUG, TIMER), (0x1004, DEBUG), (0x1006, DEBUG), (0x1000, DEBUG), (0x1002, DEBUG),
    (0x1100, DEBUG), (0x1004, DEBUG), (0x1006, DEBUG), (0x1008, FAULT), (0x1200, DEBUG, SYSCALL),
    (0x1008, SYSCALL),
)
TOLD = (
    (KERNEL, 0x1000, "to user"), (0x1000, KERNEL, "exception"), (KERNEL, 0x1000, "to user"),
    (0x1002, 0x1100, "call"), (0x1100, KERNEL, "interrupt"), (KERNEL, 0x1100, "to user"),
    (0x1100, 0x1004, "return"), (0x1004, KERNEL, "interrupt"), (KERNEL, 0x1004, "to user"),
    (0x1006, 0x1000, "conditional"), (0x1002, 0x1100, "call"), (0x1100, 0x1004, "return"),
    (0x1008, KERNEL, "exception"), (KERNEL, 0x1200, "to user"), (0x1200, AWAY, "jump"),
    (AWAY, 0x1008, "return"), (0x1008, KERNEL, "syscall"),
)


def walk(items, told):
    walk_steps(steps(*items), told)


def walk_steps(executed_steps, told, doors=()):
    comparison.Walk(executed_steps, list(doors), list(told), INSTRUCTIONS).run()


def differs(items, told):
    return refused(walk, items, told)


def refused(function, *arguments):
    """What differs."""
    try:
        function(*arguments)
    except comparison.Differs as difference:
        return str(difference)
    raise AssertionError("no difference was found")


def test_record_agrees():
    """record: what was executed, and all that was told of it"""
    walk(EXECUTED, TOLD)


def test_record_misplaced():
    """record: a branch that is not told, told twice, or in the wrong order"""
    for told in with_one_wrong(TOLD):
        differs(EXECUTED, told)


def test_record_wrong():
    """record: a branch from elsewhere, to elsewhere, or of another kind"""
    for number, (origin, target, kind) in enumerate(TOLD):
        instead = [(origin, target, "call" if kind == "return" else "return")]
        if kind in comparison.ENTRIES:
            instead += [(origin, target, other) for other in (*comparison.ENTRIES, "to kernel")
                        if other != kind]
        if isinstance(origin, int):
            instead.append((origin + 1, target, kind))
        if kind == "call":
            instead.append((origin, AWAY, kind))
        if isinstance(target, int):
            instead.append((origin, target + 1, kind))
        if (origin, target) == (AWAY, 0x1008):
            instead = instead[1:]   # what is away may be anything
        for event in instead:
            differs(EXECUTED, (*TOLD[:number], event, *TOLD[number + 1:]))


def test_record_not_executed():
    """record: an instruction that was not executed, or that no step followed"""
    for number in range(len(EXECUTED)):
        if EXECUTED[number][0] == 0x1004:
            continue    # a round of a repetition leaves no trace
        differs((*EXECUTED[:number], *EXECUTED[number + 1:]), TOLD)
    contains(differs(((0x1000,), (0x1002, DEBUG)), TOLD), "led to no door")
    contains(differs(((0x1001, DEBUG),), ((KERNEL, 0x1001, "to user"),)), "no instruction")
    behind = steps((0x1000, DEBUG))
    behind[0].stepped = False
    contains(refused(walk_steps, behind, []), "without the trap flag")


def test_record_interrupts():
    """record: more ways to the kernel than it was entered"""
    there = ((0x1008, KERNEL, "interrupt"), (KERNEL, 0x1008, "to user"))
    begin, end = (KERNEL, 0x1006, "to user"), (0x1008, KERNEL, "syscall")
    for doors in range(3):
        items = ((0x1006, DEBUG, *[TIMER] * doors), (0x1008, SYSCALL))
        for told in range(doors + 1):
            walk(items, (begin, *there * told, end))
        contains(differs(items, (begin, *there * (doors + 1), end)), "entered by")


def test_record_log():
    """record: QEMU's lines, of two CPUs, other programs, and code that an interrupt put off"""
    lines = [*executed((0x1000, TIMER)), *executed((TIMER, 0x5000), cpu=1),
             *executed((0x1002, DEBUG, TIMER)), *executed((0x1100,)),
             "Stopped execution of TB chain before 0x7f [0000000000001100] \n",
             *executed((TIMER,)), *executed((0x1100, DEBUG), cpu=1), *executed((TIMER,)),
             *executed((FAULT,), cpu=1), "Linking TBs\n"]
    found = execution_log.Reader(DOORS, execution_log.of_program(CODE)).read(lines)
    equal([(step.address, step.doors) for step in found],
          [(0x1000, [DOORS[TIMER]]), (0x1002, [DOORS[DEBUG], DOORS[TIMER], DOORS[TIMER]]),
           (0x1100, [DOORS[DEBUG], DOORS[FAULT]])])
    equal([step.stepped for step in found], [True] * 3)
    plain = execution_log.Reader(DOORS, execution_log.of_program(CODE)).read(
        ["Trace 0: 0x7f [00000000/00001000/00c0c2b3/ff000200] \n"] + lines)
    equal([len(plain), len(comparison.traced(plain)[0])], [4, 3])


def test_record_begun_again():
    """record: an instruction that QEMU begins twice, without a door in between"""
    found = steps((0x1000,), (0x1000,), (0x1000, DEBUG), (0x1000, FAULT), (0x1000, DEBUG))
    equal([step.doors for step in found], [[DOORS[DEBUG]], [DOORS[FAULT]], [DOORS[DEBUG]]])


def test_record_begins():
    """record: an interrupt before the first step, which finds the program on its way from a call"""
    lines = [*executed((0x1008, SYSCALL)), *executed((0x1000,)),
             "Stopped execution of TB chain before 0x7f [0000000000001000] \n",
             *executed((TIMER,)), *executed((0x1000, DEBUG), (0x1002, SYSCALL))]
    lines[0] = lines[0].replace("18c0c3b3", "18c0c2b3")
    found, doors = comparison.traced(
        execution_log.Reader(DOORS, execution_log.of_program(CODE)).read(lines))
    equal(([step.address for step in found], doors), ([0x1000, 0x1002], [DOORS[TIMER]]))
    there = [(KERNEL, 0x1000, "to user"), (0x1000, KERNEL, "interrupt")]
    end = [(KERNEL, 0x1000, "to user"), (0x1002, KERNEL, "syscall")]
    walk_steps(found, end, doors)
    walk_steps(found, there + end, doors)
    contains(refused(walk_steps, found, there + there + end, doors), "entered by")


def test_record_arguments():
    """record: QEMU logs the programs, and where the kernel is entered"""
    equal(execution_log.arguments("/log", {0x8000: "a", 0x9000: "b"}, [CODE])[3],
          "0x1000+0x1000,0x8000+0x1,0x9000+0x1")


def test_record_doors():
    """record: the doors among a kernel's symbols"""
    with tempfile.TemporaryDirectory() as top:
        write(top + "/nm", f"#!/bin/sh\ncat <<'EOF'\n{DOOR_NAMES}EOF\n")
        os.chmod(top + "/nm", 0o755)
        before = os.environ["PATH"]
        os.environ["PATH"] = f"{top}:{before}"
        try:
            equal(execution_log.doors("vmlinux"),
                  {0x8000: "asm_exc_debug", 0x8020: "entry_SYSCALL_64"})
        finally:
            os.environ["PATH"] = before


TRACE = """# tracer: nop
 recorded-72 [001] d..2. 6.175987: branch_began: tracing began
 recorded-72 [001] d.... 6.177628: branch: kernel -> 0x1000 (to user)
 recorded-72 [001] d.... 6.177628: branch: 0x7fff0000 -> 0x7fff0010 (call)
 recorded-72 [001] d.... 6.177628: branch: 0x7fff0000 -> kernel (syscall)
 recorded-72 [001] d.... 6.180208: branch: 0x7fff0000 -> 0x1002 (return)
"""


def test_record_events():
    """record: a trace's branches of the program; none may be lost"""
    equal(comparison.events(TRACE.splitlines(), CODE),
          [(KERNEL, 0x1000, "to user"), (AWAY, 0x1002, "return")])
    for line in (" r-72 [001] d.... 6.1: branch_lost: 3 branches", "CPU:1 [LOST 5 EVENTS]"):
        contains(refused(comparison.events, [line], CODE), "lost")


SOURCE = """.globl _start
_start: call 1f
1: jmp *%rax
notrack jmp *%rax
rep movsb
repz ret
jne 1b
loop 1b
syscall
bnd jmp 1b
lock incl (%rsp)
"""


def test_record_instructions():
    """record: lengths, kinds and targets as objdump tells them"""
    with tempfile.TemporaryDirectory() as top:
        write(top + "/a.s", SOURCE)
        subprocess.run(["gcc", "-nostdlib", "-static", "-Wl,-Ttext=0x1000", "-o", top + "/a",
                        top + "/a.s"], check=True)
        found = list(program_code.read(top + "/a").values())
    equal(program_code.extent(dict(enumerate(found))), range(0, 9 + 4))
    equal([(one.length, one.kind, one.target, one.repeats) for one in found],
          [(5, "call", 0x1005, False), (2, "jump", None, False), (3, "jump", None, False),
           (2, None, None, True), (2, "return", None, False), (2, "conditional", 0x1005, False),
           (2, "conditional", 0x1005, False), (2, None, None, False), (3, "jump", 0x1005, False),
           (4, None, None, False)])
