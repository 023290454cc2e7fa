# SPDX-License-Identifier: GPL-2.0
"""Options of the build that move arguments: each value is right, or unknown.

The same program is built with each set of options and run: the places that the tool
claims must hold what callers pass and get.  A table shows how much is known with
each set.
"""

import random
import shutil

from harness import X86_32, X86_64, Skip, check, equal, run, test, write
from test_clones import clone_texts
from test_truth import Program, Verifier, general_types, ordinary_texts, runtime, untraced

RETPOLINE = ["-mindirect-branch=thunk-extern", "-mindirect-branch-register",
             "-mfunction-return=thunk-extern"]
PADDING = ["-fpatchable-function-entry=16,16", "-falign-functions=16"]
KASAN = ["-fsanitize=kernel-address", "-fasan-shadow-offset=0x7fff8000",
         "--param", "asan-globals=1", "--param", "asan-instrument-allocas=1"]


class Option:
    """A set of options, and the least that must be known with it, in percent.

    known: of ordinary functions' parameters, and of clones', for each machine; flags
    is what the traced code is compiled with beyond -O2 -g.
    """

    def __init__(self, name, flags, known, mcount=False, clang=False, machines=(X86_64, X86_32)):
        self.name, self.flags, self.known = name, flags, known
        self.mcount, self.clang, self.machines = mcount, clang, machines


USUAL = {X86_64: (95, 55), X86_32: (95, 65)}
UNTRACKED = {X86_64: (90, 15), X86_32: (80, 15)}
# What is assigned first cannot be told from what comes in: of a copy, only what is gone
NO_ASSIGNMENTS = {X86_64: (95, 35), X86_32: (95, 30)}
# clang shows nowhere what it does to static functions.  x86-32: how it passes structures
# only all locations together show, and those tell what is assigned, too
CLANG = {X86_64: (95, 0), X86_32: (0, 0)}
CLANG_FRAME = CLANG
OPTIONS = [
    Option("O2", [], USUAL),
    Option("Os", ["-Os"], USUAL),
    Option("O3", ["-O3"], USUAL),
    Option("no_var_tracking", ["-fno-var-tracking"], UNTRACKED),
    Option("no_assignments", ["-fno-var-tracking-assignments"], NO_ASSIGNMENTS),
    Option("no_recorded_flags", ["-gno-record-gcc-switches"], UNTRACKED),
    Option("dwarf4", ["-gdwarf-4"], USUAL),
    Option("dwarf5", ["-gdwarf-5"], USUAL),
    Option("split_dwarf", ["-gsplit-dwarf"], USUAL),
    Option("compressed", ["-gz=zlib"], USUAL),
    Option("frame_pointer", ["-fno-omit-frame-pointer", "-fno-optimize-sibling-calls"], USUAL),
    Option("endbr", ["-fcf-protection=branch", "-fno-jump-tables"], USUAL),
    Option("retpoline", RETPOLINE, USUAL),
    Option("straight_line", ["-mharden-sls=all"], USUAL),
    Option("padding", PADDING, USUAL),
    Option("call_depth", PADDING + RETPOLINE + ["-mindirect-branch-cs-prefix"], USUAL),
    Option("align", ["-falign-functions=64", "-falign-jumps=1", "-falign-loops=1"], USUAL),
    Option("kasan", KASAN + ["--param", "asan-stack=1"], USUAL, machines=(X86_64,)),
    Option("kasan_outline", KASAN + ["--param", "asan-stack=1", "--param",
                                     "asan-instrumentation-with-call-threshold=0"], USUAL,
           machines=(X86_64,)),
    Option("kcov", ["-fsanitize-coverage=trace-pc"], USUAL),
    Option("zeroed", ["-ftrivial-auto-var-init=zero", "-fzero-call-used-regs=used-gpr"], USUAL),
    Option("stack_protector", ["-fstack-protector-strong", "-mstack-protector-guard=global"],
           USUAL),
    Option("no_clones", ["-fno-ipa-sra", "-fno-ipa-cp", "-fno-partial-inlining"],
           {X86_64: (95, 95), X86_32: (95, 90)}),
    Option("mcount", [], USUAL, mcount=True),
    Option("mcount_Os_endbr", ["-Os", "-fcf-protection=branch"], USUAL, mcount=True),
    Option("clang_O2", [], CLANG, clang=True),
    Option("clang_frame_pointer", ["-fno-omit-frame-pointer"], CLANG_FRAME, clang=True),
    Option("clang_Os", ["-Os"], CLANG, clang=True),
    Option("clang_dwarf4", ["-gdwarf-4"], CLANG, clang=True),
    Option("clang_endbr", ["-fcf-protection=branch"], CLANG, clang=True),
    Option("clang_kasan", ["-fsanitize=kernel-address", "-mllvm",
                           "-asan-mapping-offset=0x7fff8000", "-mllvm", "-asan-stack=1"], CLANG,
           clang=True, machines=(X86_64,)),
    Option("clang_mcount", [], CLANG_FRAME, mcount=True, clang=True),
]


ORDINARY, CLONES = 40, 40

# KASAN's shadow of the program and of its stack; the kernel's own is where no program
# has memory.
SHADOW = """
void map_shadow(void) NOTRACE;
static void map(unsigned long first, unsigned long size)
{
	register long flags asm("r10") = 0x4032, fd asm("r8") = -1, offset asm("r9") = 0;
	long number = 9, start = ((first >> 3) + 0x7fff8000) & -4096ul;

	asm volatile("syscall" : "+a"(number) : "D"(start), "S"(size >> 3), "d"(3), "r"(flags),
		     "r"(fd), "r"(offset) : "rcx", "r11", "memory");
	if (number != start)
		__builtin_trap();
}
void map_shadow(void)
{
	map(0x400000, 256 << 20);
	map((unsigned long)__builtin_frame_address(0) - (16 << 20), 32 << 20);
}
"""
MAIN = """
#include "truth.h"
%s
void run_ordinary(void) NOTRACE;
void run_clones(void) NOTRACE;
long ext(long a, long b)
{
	return truth_random() & 0xffff;
}
void truth_run(void)
{
	static int runs;
	if (!runs++)
		%s;
	run_ordinary();
	run_clones();
}
"""


def stub(name):
    """A symbol that compilers call or read with an option; it changes no register."""
    if name == "__stack_chk_guard":
        return "\t.data\n%s:\t.quad 0x1234\n" % name
    jump = name.rsplit("_", 1)[1] if "_indirect_thunk_" in name else None
    return "\t.text\n%s:\t%s\n" % (name, "jmp *%%%s" % jump if jump else "ret")


def stubs(work, objects, flags):
    names = set()
    for line in run(["nm", "-u"] + objects).stdout.splitlines():
        name = (line.split() or [""])[-1]
        if name.startswith(("__asan_", "__sanitizer_", "__x86_", "__stack_chk_")):
            names.add(name)
    text = write(work.path("stubs.S"), "".join("\t.globl %s\n%s" % (name, stub(name))
                                               for name in sorted(names)) +
                 "\t.section .note.GNU-stack, \"\", @progbits\n")
    run(work.cc + flags + ["-c", "-o", work.path("stubs.o"), text])
    return work.path("stubs.o")


class Common:
    """What is the same for all options of a machine and a compiler."""

    made = {}

    def __init__(self, work, machine, clang):
        rng = random.Random(1000 + machine.word)
        types = [t for t in general_types(machine) if t.name not in ("i128", "u128")]
        self.callee, caller, _ = ordinary_texts(rng, types, ORDINARY, machine, use=True)
        types = [t for t in types if t.name not in ("empty", "flex", "cint", "clong", "cchar")]
        self.clones, _ = clone_texts(types, rng, CLONES, machine)
        self.clones = self.clones.replace("void truth_run(", "void run_clones(")
        caller = caller.replace("void truth_run(", "void run_ordinary(")
        shadow = (SHADOW, "map_shadow()") if machine is X86_64 else ("", "/* not for x86-32 */")
        work.machine = machine
        self.objects = [
            untraced(work, caller, "caller", general(machine, clang), machine.base_flags,
                     compiler(work, clang)),
            untraced(work, MAIN % shadow, "main", machine.general, machine.base_flags),
        ] + runtime(work, machine)

    @classmethod
    def of(cls, work, machine, clang):
        key = (machine.name, clang)
        if key not in cls.made:
            cls.made[key] = cls(work, machine, clang)
        return cls.made[key]


def compiler(work, clang):
    return ["clang"] if clang else work.cc


def general(machine, clang):
    if not clang:
        return machine.general
    return [f for f in machine.general if "stack-boundary" not in f] + [
        "-mstack-alignment=%d" % machine.word]


def build(work, option, machine):
    common = Common.of(work, machine, option.clang)
    base = machine.base_flags
    if option.mcount:
        base = machine.mcount(base)
        base = [f for f in base if not option.clang or not f.startswith((
            "-mno-fentry", "-maccumulate"))]
    flags = ["-O2", "-g"] + general(machine, option.clang) + list(option.flags)
    return Options(work, {"callee": common.callee, "clones": common.clones}, flags,
                   cc=compiler(work, option.clang), machine=machine, base=base,
                   objects=common.objects)


class Options(Program):
    """A program with the additional objects that an option needs."""

    def link(self, built, objects):
        super().link(built + [stubs(self.work, built, self.machine.flags)], objects)


ROWS = []


def share(lines):
    """How many of the values are known, in percent; results last."""
    params = [place for line in lines for _, place in line.params]
    results = [line.ret for line in lines if line.ret != "void"]
    return [100 * sum(place != "?" for place in values) // max(1, len(values))
            for values in (params, results)]


def measure(work, option, machine):
    if option.clang and not shutil.which("clang"):
        raise Skip("no clang")
    program = build(work, option, machine)
    verifier = Verifier(program).run()
    ordinary = [line for name, line in program.lines.items() if name.startswith("fn")]
    clones = [line for name, line in program.lines.items() if name.startswith("cl")]
    equal(len([name for name in verifier.entered if name.startswith("fn")]), ORDINARY,
          "functions that ran")
    row = [option.name, machine.name] + share(ordinary) + share(clones) + [
        verifier.checked + verifier.results]
    ROWS.append(row)
    least = option.known[machine]
    check(row[2] >= least[0], "only %d%% of parameters are known" % row[2])
    check(row[4] >= least[1], "only %d%% of clones' parameters are known" % row[4])


def register(option, machine):
    def func(work):
        measure(work, option, machine)
    func.__name__ = "option_%s%s" % (option.name, "_32" if machine is X86_32 else "")
    test(func)


for _option in OPTIONS:
    for _machine in _option.machines:
        register(_option, _machine)


@test
def options_table(work):
    """With each option, every known value is right, and all others are ?."""
    if not ROWS:
        raise Skip("no option was tested")
    head = ["option", "machine", "params", "results", "clones' params", "results", "compared"]
    for row in [head] + ROWS:
        print("# %-20s %-8s %7s %8s %15s %8s %9s" % tuple(
            "%d%%" % v if isinstance(v, int) and i < 6 else v for i, v in enumerate(row)))
