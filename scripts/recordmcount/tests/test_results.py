# SPDX-License-Identifier: GPL-2.0
"""Results that the optimizer may have dropped, and what calls show of them."""

import re

from harness import X86_64, Skip, both, equal, run, write

# Nobody uses what isra() returns, so its copy returns nothing
DROPPED = """
struct s { int a, b; long c; };
int ext(long, long, long);
static __attribute__((noinline)) %s isra(struct s *p, int z)
{
	ext(z, 0, 0);
	return (%s)(p->c + ext(p->a, 1, 0));
}
%s int caller(struct s *p, int x)
{
	isra(p, x);
	ext(x, x, x);
	isra(p, x + 3);
	return ext(x, 4, x);
}
"""

# What may stand behind a call: does it read the result?
INSTRUCTIONS = {
    "test %eax, %eax": True, "test %al, %al": True, "test %rax, %rax": True,
    "test %r8d, %r8d": False, "test %ecx, %ecx": False, "test $1, %al": True,
    "testb $4, (%rax)": True, "testb $4, (%rcx)": False, "test $0x100, %eax": True,
    "cmp $1, %eax": True, "cmp $0x12345, %eax": True, "cmp %ebx, %eax": True,
    "cmp %eax, %ebx": True, "cmp $1, %r8d": False, "cmp $1, %ebx": False,
    "cmp (%rdi), %eax": True, "cmp $-22, %ax": True, "cmpb $0, (%rdi)": False,
    "mov %eax, %ebx": True, "mov %rax, %r12": True, "mov %al, %bl": True,
    "mov %eax, 8(%rsp)": True, "mov %rax, (%r8)": True, "mov (%rax), %rdi": True,
    "mov 8(%rax), %edi": True, "mov %ebx, %eax": False, "mov %r8, %rbx": False,
    "mov (%r8), %ebx": False, "mov 8(%rsp), %rax": False, "mov $1, %eax": False,
    "movq $1, %rax": False, "movabs $0x123456789abc, %rax": False,
    "movslq %eax, %rdx": True, "movslq %r8d, %rdx": False, "movzbl %al, %eax": True,
    "movzwl %ax, %edx": True, "movsbl %al, %ecx": True, "movzbl %r8b, %eax": False,
    "movzbl %cl, %eax": False, "movzbl (%rax), %edx": True, "movzbl (%rcx), %eax": False,
    "cltq": True, "cltd": True, "lea 1(%rax), %edx": True, "lea (%rax,%rbx), %rdx": True,
    "lea 1(%rbx,%rax), %rdx": True,
    "lea (%rdi), %eax": False, "lea ext(%rip), %rax": False, "add %eax, %ebx": True,
    "add $8, %rax": True, "add $8, %rbx": False, "add %r8, %r9": False,
    "xor %eax, %eax": False, "sub %eax, %eax": False, "or $-1, %eax": False,
    "and $0, %eax": False, "sbb %eax, %eax": False, "pop %rax": False, "pop %rdx": False,
    "xchg %eax, %ebx": False, "nop": False, "endbr64": False, "ud2": False, "leave": False,
    "sete %al": False, "cmove %ebx, %eax": False, "imul $3, %ebx, %eax": False,
    "call ext": False, "mov $1, %esi; mov $2, %r8d; test %eax, %eax": True,
    "mov 8(%rsp), %rdi; lea 4(%rbx,%r12,8), %rsi; mov %rax, %rbp": True,
    "movabs $0x123456789abc, %rdi; movb $1, 3(%rsp); cmp $1, %eax": True,
    "movw $0x1234, 400(%rbx); add $16, %rsp; mov %rax, %rbp": True,
    "xor %esi, %esi; pop %rdi; cmpl $5, ext(%rip); movslq %eax, %rbx": True,
    "xor %esi, %esi; mov %ah, %bl": False, "mov $1, %esi; xor %eax, %eax": False,
    "mov $1, %esi; mov $2, %eax; test %eax, %eax": False, "jmp 1f; 1: test %eax, %eax": False,
    "mov $1, %esi; je 1f; 1: test %eax, %eax": False, "1: test %eax, %eax; je 1b": False,
    "1: test %eax, %eax; .skip 200, 0x90; jne 1b": False,
    "1: mov $1, %esi; 2: test %eax, %eax; .pushsection .text.unlikely,\"ax\"; jne 2b;"
    ".popsection": False,
    "1: test %eax, %eax; .pushsection .rodata; .quad 1b; .popsection": False,
    "test %eax, %eax; 1: nop; jne 1b": True,
    "and %eax, %ebx": True, "or %ebx, %eax": True, "shl $2, %eax": True, "sar %eax": True,
    "shl %cl, %eax": True, "shl %cl, %ebx": False, "shr $3, %ecx; test %eax, %eax": True,
    "push %rbx; test %eax, %eax": True, "push %rax": False, "and %ecx, %edx": False,
    "mov %fs:8, %ebx; test %eax, %eax": True, "mov %gs:8(%rax), %ebx": True,
    "mov %gs:8, %ecx; xor %eax, %eax": False, "movl $1, %fs:8; mov %eax, %ebx": True,
    "call ext": False, "add $8, %rsp": False, "mov %fs:0x28, %rax": False,
}


# Instructions that x86-32 does not have
ONLY_64 = re.compile("%r[0-9]+|%r..[bwd]|movslq|cltq|movabs|movq|rip|endbr64|[.]quad|%rax, %rax")


def instructions(machine):
    for instruction, reads in INSTRUCTIONS.items():
        if machine is X86_64:
            yield instruction, reads
        elif not ONLY_64.search(instruction):
            yield re.sub("%r([abcds])", r"%e\1", instruction), reads
    if machine is not X86_64:
        # each of these begins with what is REX there
        yield from (("inc %eax", True), ("dec %ecx; test %eax, %eax", True),
                    ("arpl %ax, %ax", False), ("arpl %cx, %dx; test %eax, %eax", False),
                    ("mov %eax, ext", True), ("mov ext, %eax", False),
                    ("mov ext, %ecx; mov %eax, ext", True))


def variant(work, instruction, flags, source):
    """The copy of isra() whose first call is followed by an instruction."""
    text = write(work.path("v.c"), source)
    asm = work.path("v.s")
    run(work.cc + work.machine.kernel_flags + ["-O2", "-S", "-o", asm, text] + flags)
    with open(asm, encoding="utf-8") as stream:
        lines = stream.read()
    if "isra.isra.0" not in lines:
        raise Skip("this compiler makes no .isra")
    if instruction:
        # behind the label that DWARF knows as the return address
        lines, count = re.subn(r"(\tcall\tisra\.isra\.0\n(?:\.L\w+:\n)*)",
                               r"\1\t%s\n" % instruction, lines, count=1)
        equal(count, 1, "calls changed")
    write(asm, lines)
    obj = work.path("v.o")
    run(work.cc + work.machine.flags + ["-c", "-o", obj, asm])
    line = work.by_name(obj)["isra.isra.0"]
    equal(work.printed(obj, tool=work.safe_tool)[0].text, work.printed(obj)[0].text, "sanitized")
    return line.ret


@both
def dropped_result(work):
    """A result that no call uses is not told, wherever and however it is called."""
    for kind in ("int", "char", "long", "_Bool"):
        for place in ("", "__attribute__((section(\".init.text\")))"):
            for dwarf in ("-gdwarf-4", "-gdwarf-5"):
                source = DROPPED % (kind, kind, place)
                equal(variant(work, None, [dwarf], source), "?", kind + place + dwarf)


@both
def used_result(work):
    """An instruction behind a call that reads rax, and no other, shows a result."""
    source = DROPPED % ("long", "long", "")
    for instruction, reads in instructions(work.machine):
        equal(variant(work, instruction, ["-g"], source),
              work.machine.ret if reads else "?", instruction)


@both
def used_result_elsewhere(work):
    """The call may be in another section, and DWARF older."""
    for place in ("", "__attribute__((section(\".init.text\")))"):
        for dwarf in ("-gdwarf-4", "-gdwarf-5"):
            source = DROPPED % ("int", "int", place)
            equal(variant(work, "test %eax, %eax", [dwarf], source), work.machine.ret,
                  place + dwarf)


@both
def result_of_no_call(work):
    """Without DWARF that knows the calls, nothing is shown."""
    source = DROPPED % ("int", "int", "")
    flags = ["-g", "-fno-var-tracking", "-fno-var-tracking-assignments"]
    equal(variant(work, "test %eax, %eax", flags, source), "?", "result")
