# SPDX-License-Identifier: GPL-2.0
"""Tests of the comparison of told branches with instructions of the kernel's functions."""

import os
import re
import tempfile

from harness import contains, equal, with_one_wrong
from record import execution_log, functions, kernel_text, windows
from record.comparison import Differs, KERNEL

START = 0x1000
DEBUG, FAULT, TIMER = "asm_exc_debug", "asm_exc_page_fault", "asm_sysvec_apic_timer_interrupt"
TRACER = 0x9000
CODE = {
    0x1000: "e8 fb 7f 00 00",   # call the tracer
    0x1005: "e8 16 00 00 00",   # call 0x1020
    0x100a: "74 04",            # jz 0x1010
    0x100c: "ff d0",            # call by register
    0x100e: "8b 00",            # it may fault, and goes on at 0x1016 then
    0x1010: "f3 a4",            # rep movsb
    0x1012: "fb",               # sti
    0x1013: "f3 90",            # pause
    0x1015: "c3",
    0x1016: "eb f8",            # jmp 0x1010
    0x1020: "c3",
    0x1030: "e8 0b 00 00 00",   # call 0x1040, which tells of branches, and switches
    0x1035: "90",
    0x1036: "c3",
    0x1040: "90",
    0x1041: "c3",
    0x1060: "e8 9b ff ff ff",   # call 0x1000
    0x1065: "90",
}
TELLS = range(0x1040, 0x1042)

# What the function is entered by, and what it ends with
BEGIN = (0x1005, 0x1020, 0x100a)
END = (0x1010, 0x1010, 0x1010, (0x1012,), (0x1013,), 0x1015)
TOLD_BEGIN = ((KERNEL, 0x1000, "unknown"), (0x1005, 0x1020, "call"), (0x1020, 0x100a, "return"))
TOLD_END = ((0x1015, 0x1065, "return"),)
# It takes a jump; has a fault and an interrupt after which it goes on; fails; and sleeps
EXECUTED = (*BEGIN, *END,
            *BEGIN, 0x100c, 0x1020, (0x100e, FAULT), (0x100e, DEBUG, TIMER), *END,
            *BEGIN, 0x100c, 0x1020, (0x100e, FAULT), 0x1016, *END,
            *BEGIN, 0x100c, 0x1030, 0x1040, 0x1041, 0x1035, 0x1036, 0x100e, *END)
CALLED = ((0x100c, 0x1020, "call"), (0x1020, 0x100e, "return"))
TOLD = (*TOLD_BEGIN, (0x100a, 0x1010, "conditional"), *TOLD_END,
        *TOLD_BEGIN, *CALLED, *TOLD_END,
        *TOLD_BEGIN, *CALLED, (0x100e, 0x1016, "exception"), (0x1016, 0x1010, "jump"), *TOLD_END,
        *TOLD_BEGIN, (0x100c, 0x1030, "call"), (0x1030, 0x1040, "call"),
        (KERNEL, 0x1035, "unknown"), (0x1036, 0x100e, "return"), *TOLD_END)


def text():
    memory = bytearray(b"\xcc" * 0x100)
    for address, code in CODE.items():
        code = bytes.fromhex(code)
        memory[address - START:address - START + len(code)] = code
    return kernel_text.Text(bytes(memory), START)


def steps(items):
    return [execution_log.Step(item, True, [DEBUG]) if isinstance(item, int) else
            execution_log.Step(item[0], True, list(item[1:])) for item in items]


def walk(items, branches):
    found = windows.Walk(steps(items), list(branches), text(), TELLS.__contains__,
                         lambda address: address == TRACER)
    found.run()
    return found


def differs(items, branches):
    try:
        walk(items, branches)
    except Differs as difference:
        return str(difference)
    raise AssertionError(f"no difference was found: {items}, {branches}")


def test_functions_agree():
    """record: functions that were executed, and all that was told of them"""
    found = walk(EXECUTED, TOLD)
    equal((found.sites, found.switches), ([0x1000] * 4, 1))


def test_functions_misplaced():
    """record: a function's branch that is not told, told twice, or in the wrong order"""
    for told in with_one_wrong(TOLD):
        differs(EXECUTED, told)


def test_functions_wrong():
    """record: a function's branch from elsewhere, to elsewhere, or of another kind"""
    for number, (origin, target, kind) in enumerate(TOLD):
        instead = [(origin, target, "call" if kind == "return" else "return"),
                   (origin, target + 1, kind), (target, target, kind)]
        for branch in instead:
            differs(EXECUTED, (*TOLD[:number], branch, *TOLD[number + 1:]))


def test_functions_not_executed():
    """record: an instruction of a function that was not executed"""
    for number, item in enumerate(EXECUTED):
        without = (*EXECUTED[:number], *EXECUTED[number + 1:])
        # A round of a repetition leaves no trace, nor does what goes on after a fault, and what
        # is between a switch and where tracing begins again
        if item in (0x1010, (0x100e, FAULT), 0x1040, 0x1041):
            continue
        differs(without, TOLD)
    contains(differs((*BEGIN, (0x100c,), 0x1020), (*TOLD_BEGIN, *CALLED)), "led to no door")


def test_functions_ends():
    """record: a function that goes on behind its end, or ends before"""
    contains(differs((*BEGIN, *END, 0x1065), (*TOLD_BEGIN, TOLD[3], *TOLD_END)), "has gone on")
    contains(differs((*BEGIN, *BEGIN), (*TOLD_BEGIN, *TOLD_BEGIN)), "is missing")
    contains(differs((0x1005,), TOLD_BEGIN[:2]), "has not gone on")
    # To where nobody has called it, which is not known by its calls after a switch
    told = (*TOLD[:-1], (0x1015, 0x1064, "return"))
    contains(differs(EXECUTED, told), "has ended, at 0x1064")
    # Nothing else than what tells of branches is passed over
    between = EXECUTED.index(0x1041)
    contains(differs((*EXECUTED[:between], 0x1015, *EXECUTED[between:]), TOLD),
             "0x1015 was not told")


def test_functions_entry():
    """record: a function whose tracer is not called, or that does not go on behind that"""
    contains(differs(EXECUTED, ((KERNEL, 0x1005, "unknown"), *TOLD[1:])), "no tracer is called")
    contains(differs(EXECUTED[1:2], TOLD), "0x1005 was not executed")
    # What the tracer executes is not told, where the window begins and within it
    walk((0x1041, *BEGIN, *END), (*TOLD_BEGIN, TOLD[3], *TOLD_END))
    called = (*BEGIN, 0x100c, 0x1000, 0x1041, *BEGIN, *END[:-1], 0x1015, 0x100e, *END)
    walk(called, (*TOLD_BEGIN, (0x100c, 0x1000, "call"), *TOLD_BEGIN[1:], TOLD[3],
                  (0x1015, 0x100e, "return"), *TOLD_END))


TRACE = """# tracer: nop
 kernel_calls-72 [001] d..2. 6.175987: branch_began: tracing began
 kernel_calls-72 [001] d.... 6.177628: branch: kernel -> vfs_read+0x4/0x370 <1000> (unknown)
 kernel_calls-72 [001] d.... 6.177628: branch: vfs_read+0x9/0x370 <1005> -> a+0x0/0x1 <1020> (call)
"""


def test_functions_events():
    """record: the branches of a trace with the kernel's addresses; none may be lost"""
    equal(windows.events(TRACE.splitlines()), list(TOLD_BEGIN[:2]))
    try:
        windows.events([" r-72 [001] d.... 6.1: branch_lost: 3 branches"])
    except Differs as difference:
        contains(str(difference), "lost")
    else:
        raise AssertionError("a loss was accepted")


def test_functions_log():
    """record: of the kernel, what has the trap flag, the doors, and what did not come to be"""
    doors = {0xffffffff81000a30: DEBUG}
    line = "Trace 0: 0x7f [00000000/{:016x}/18c0c{}/ff000200] \n"
    wanted = [line.format(0xffffffff81001000, "3b0"), line.format(0xffffffff81000a30, "2b0"),
              line.format(0x1000, "1b4"), "Stopped execution of TB chain before 0x7f [1000] \n"]
    others = [line.format(0xffffffff81000a31, "2b0"), line.format(0x1000, "3b3"),
              line.format(0xffffffff81000a3, "0b0"), "Linking TBs 0x7f 0x7f\n"]
    pattern = re.compile(execution_log.kernel_pattern(doors))
    equal([bool(pattern.search(text)) for text in wanted], [True] * 4)
    equal([bool(pattern.search(text)) for text in others], [False] * 4)
    found = execution_log.Reader(doors, execution_log.of_kernel).read(wanted[:2] + others)
    equal([(step.address, step.doors) for step in found], [(0xffffffff81001000, [DEBUG])])


def test_functions_text():
    """record: instructions from memory, each apart, with its target"""
    found = text().instructions(CODE)
    equal((found[0x1000].kind, found[0x1000].target, found[0x1000].length), ("call", TRACER, 5))
    equal((found[0x1060].target, found[0x100a].target, found[0x1016].target),
          (0x1000, 0x1010, 0x1010))
    equal([address for address in CODE if found[address].shadows], [0x1012, 0x1013])
    equal([address for address in CODE if address > START and text().is_behind_call(address)],
          [0x1005, 0x100a, 0x100e, 0x1035, 0x1065])


def test_functions_extent():
    """record: a record that has too little of something"""
    found = walk(EXECUTED, TOLD)
    names = type("Names", (), {"name": lambda self, address: "vfs_read"})()
    try:
        functions.check_extent(found, names)
    except Differs as difference:
        contains(str(difference), f"only {len(EXECUTED)} steps and 1 switches; missing: do_sys_")
    else:
        raise AssertionError("little was accepted")


def test_functions_recorder():
    """record: what becomes of a guest that ends before QEMU has logged anything"""
    with tempfile.TemporaryDirectory() as top:
        recorder = functions.Recorder(top, {START: DEBUG}, range(START, 2 * START))
        contains(" ".join(recorder.arguments()), "-dfilter 0x1000+0x1000 -monitor unix:")
        contains(" ".join(recorder.arguments()), "-icount")
        os.mkfifo(recorder.pipe)
        recorder.start_grep()
        recorder.close()
        equal(recorder.grep.returncode, -9)
