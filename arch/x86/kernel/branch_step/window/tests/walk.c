// SPDX-License-Identifier: GPL-2.0
/*
 * A walk through the kernel whose every branch is known.
 *
 * Each branch is noted beside the instruction that takes it, in the order in which it is taken.
 */
#include <linux/branch_trace.h>
#include <linux/compiler.h>
#include <linux/objtool.h>
#include <linux/stringify.h>

#include <asm/asm.h>
#include <asm/ibt.h>
#include <asm/nospec-branch.h>

#include "walk.h"

#ifdef CONFIG_X86_64
#define ADDRESS_OF(label)	"lea " label "(%%rip), %%rax\n"
#else
#define ADDRESS_OF(label)	"mov $" label ", %%eax\n"
#endif

#define BRANCH(from, to, kind)						\
	".pushsection .rodata\n"					\
	".long .Lwalk_" from " - branch_walk, .Lwalk_" to " - branch_walk, "	\
	__stringify(kind) "\n"						\
	".popsection\n"

#define OFFSET(label)	".long .Lwalk_" label " - branch_walk\n"

#define PLACE(name)							\
	".Lwalk_" name ":\n"						\
	".pushsection .rodata.walk_places, \"a\"\n"			\
	OFFSET(name)							\
	".popsection\n"

#define LABEL(name)	".Lwalk_" name ":\n"

#define OBJECT(name)	".globl " name "\n" name ":\n"

/* The kinds as numbers, for the assembler */
#define CALL		1
#define RETURN		2
#define JUMP		3
#define CONDITIONAL	4

static_assert(CALL == BRANCH_CALL && RETURN == BRANCH_RETURN && JUMP == BRANCH_JUMP &&
	      CONDITIONAL == BRANCH_CONDITIONAL);

static const char walk_text[8];

noinline void branch_walk(void)
{
	const char *text = walk_text;

	asm volatile(
		".pushsection .rodata\n"
		".balign 4\n"
		OBJECT("walk_branches")
		".popsection\n"
		".pushsection .rodata.walk_places, \"a\"\n"
		".balign 4\n"
		OBJECT("walk_places")
		".popsection\n"
		LABEL("begin")

		/* A loop: five times, so four jumps back */
		"mov $5, %%ecx\n"
		PLACE("loop")
		"dec %%ecx\n"
		PLACE("again")
		"jnz .Lwalk_loop\n"
		".rept 4\n"
		BRANCH("again", "loop", CONDITIONAL)
		".endr\n"

		/* Taken, not taken, and taken to the next instruction */
		PLACE("zero")
		"xor %%eax, %%eax\n"
		PLACE("taken")
		"jz .Lwalk_untaken\n"
		BRANCH("taken", "untaken", CONDITIONAL)
		"nop\n"
		PLACE("untaken")
		"jnz .Lwalk_call\n"
		LABEL("near")
		"jz .Lwalk_next\n"
		BRANCH("near", "next", CONDITIONAL)

		LABEL("next")
		"jmp .Lwalk_call\n"
		BRANCH("next", "call", JUMP)
		LABEL("callee")
		ASM_ENDBR
		LABEL("back")
		ANNOTATE_RETPOLINE_SAFE
		"ret\n"
		"int3\n"

		PLACE("call")
		"call .Lwalk_callee\n"
		BRANCH("call", "callee", CALL)
		BRANCH("back", "called", RETURN)
		LABEL("called")
		ADDRESS_OF(".Lwalk_callee")
		PLACE("indirect")
		ANNOTATE_RETPOLINE_SAFE
		"call *%%" _ASM_AX "\n"
		BRANCH("indirect", "callee", CALL)
		BRANCH("back", "by_register", RETURN)
		LABEL("by_register")
		ADDRESS_OF(".Lwalk_landing")
		LABEL("jump")
		ANNOTATE_RETPOLINE_SAFE
		"jmp *%%" _ASM_AX "\n"
		BRANCH("jump", "landing", JUMP)
		"nop\n"

		/* Comes again, and is no branch */
		LABEL("landing")
		ASM_ENDBR
		"mov $3, %%ecx\n"
		PLACE("rep")
		"rep lodsb\n"

		"mov $3, %%ecx\n"
		LABEL("count")
		"loop .Lwalk_count\n"
		".rept 2\n"
		BRANCH("count", "count", CONDITIONAL)
		".endr\n"
#ifdef CONFIG_X86_64
		PLACE("if_zero")
		"jrcxz .Lwalk_pause\n"
#else
		PLACE("if_zero")
		"jecxz .Lwalk_pause\n"
#endif
		BRANCH("if_zero", "pause", CONDITIONAL)
		"nop\n"

		/* Emulators may raise no trap behind these: once, twice in a row, in a loop */
		LABEL("pause")
		"pause\n"
		LABEL("paused")
		"jmp .Lwalk_pauses\n"
		BRANCH("paused", "pauses", JUMP)
		"nop\n"
		LABEL("pauses")
		"mov $2, %%ecx\n"
		LABEL("waits")
		"pause\n"
		"pause\n"
		"dec %%ecx\n"
		LABEL("wait")
		"jnz .Lwalk_waits\n"
		BRANCH("wait", "waits", CONDITIONAL)
		"pause\n"
		"pause\n"
		LABEL("waited")
		"jmp .Lwalk_flags\n"
		BRANCH("waited", "flags", JUMP)
		"nop\n"

		/* The trap flag goes, and must not be missed */
		PLACE("flags")
		"pushf\n"
		"pop %%" _ASM_AX "\n"
		"mov %%eax, %%ecx\n"
		"and $~0x100, %%eax\n"
		"push %%" _ASM_AX "\n"
		PLACE("load_flags")
		"popf\n"
		LABEL("loaded")
		"jmp .Lwalk_sti\n"
		BRANCH("loaded", "sti", JUMP)
		"nop\n"

		/* sti, unless interrupts are off: nobody knows whether a trap comes behind it */
		LABEL("sti")
		"test $0x200, %%ecx\n"
		LABEL("is_off")
		"jz .Lwalk_end\n"
		"cli\n"
		"sti\n"
		LABEL("behind_sti")
		"jmp .Lwalk_end\n"
		BRANCH("behind_sti", "end", JUMP)
		"nop\n"
		LABEL("end")
		".pushsection .rodata\n"
		OBJECT("walk_branches_end")
		OBJECT("walk_branch_irqs_off")
		".popsection\n"
		BRANCH("is_off", "end", CONDITIONAL)
		".pushsection .rodata\n"
		OBJECT("walk_begin")
		OFFSET("begin")
		OBJECT("walk_end")
		OFFSET("end")
		".popsection\n"
		".pushsection .rodata.walk_places, \"a\"\n"
		OBJECT("walk_places_end")
		".popsection\n"
		: "+S" (text) : : "ax", "cx", "cc", "memory");
}

STACK_FRAME_NON_STANDARD(branch_walk);

/* The walk, something else, and the walk again */
noinline void branch_walk_twice(void (*between)(void *data), void *data)
{
	branch_walk();
	between(data);
	branch_walk();
	barrier();
}

#define PUSH_OFFSET(label)	".long .Lpush_" label " - branch_push\n"

noinline void branch_push(void)
{
	asm volatile(".Lpush_push:\n"
		     "push %%" _ASM_AX "\n"
		     ".Lpush_sub:\n"
		     "sub $0x100, %%" _ASM_SP "\n"
		     ".Lpush_jump:\n"
		     "jmp .Lpush_landing\n"
		     "nop\n"
		     ".Lpush_landing:\n"
		     "add $0x100, %%" _ASM_SP "\n"
		     "pop %%" _ASM_AX "\n"
		     ".pushsection .rodata\n"
		     ".balign 4\n"
		     OBJECT("branch_push_places")
		     PUSH_OFFSET("push")
		     PUSH_OFFSET("sub")
		     OBJECT("branch_push_places_end")
		     OBJECT("branch_push_jump")
		     PUSH_OFFSET("jump")
		     PUSH_OFFSET("landing")
		     ".long " __stringify(JUMP) "\n"
		     ".popsection\n"
		     : : : "memory", "cc");
}
