/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _ARCH_X86_BRANCH_STEP_PLAY_H
#define _ARCH_X86_BRANCH_STEP_PLAY_H

#include <linux/branch_trace.h>
#include <linux/types.h>

#include <asm/ptrace.h>

struct file;
struct kunit;

/* Where the instructions of the program are, from its beginning */
enum {
	AT_NOP		= 0x000,
	AT_JUMP		= 0x010,
	AT_PUSHF	= 0x020,
	AT_POPF		= 0x030,
	AT_IRET		= 0x040,
	AT_SYSCALL	= 0x050,
	AT_INT80	= 0x060,
	AT_INT3		= 0x070,
	AT_SS_JUMP	= 0x080,	/* mov to ss, and behind it a jump or int $0x80 */
	AT_SS_INT80	= 0x090,
	AT_UD2		= 0x0a0,
	AT_JUMPED	= 0x100,	/* all jumps lead there */
};

/**
 * struct play - a task that does what the test says
 * @test: the test
 * @ctx: traces user mode of this task
 * @text: where its program is
 * @regs: its registers, as it comes and goes
 */
struct play {
	struct kunit		*test;
	struct branch_ctx	*ctx;
	unsigned long		text;
	struct pt_regs		regs;
};

/* A page of the file, or one of zeros that is not there before it is used. Returns its address. */
unsigned long play_map(struct kunit *test, struct file *file);

/* The current task plays. Its program cannot be read yet. */
void play_begin_unwritten(struct kunit *test, struct play *play);
void play_write_program(struct play *play);

/* The same, and the program has been written */
void play_begin(struct kunit *test, struct play *play);

/* The task goes to user mode, to this place of the program */
void play_go(struct play *play, unsigned int place);

/* It comes from there: by a system call or an exception, by an interrupt */
void play_come(struct play *play, unsigned int place);
void play_come_by_interrupt(struct play *play, unsigned int place);

/* It comes by #DB. Returns true if nothing is left to do for that. */
bool play_come_by_debug(struct play *play, unsigned int place, unsigned long *dr6);

/* It has executed one instruction, which has led there */
void play_step(struct play *play, unsigned int place);

/* The next record */
void play_expect(struct play *play, enum branch_kind kind, u64 from, u64 to, unsigned int flags);
void play_expect_exit(struct play *play, unsigned int to);
void play_expect_entry(struct play *play, enum branch_kind kind, unsigned int from);
void play_expect_branch(struct play *play, enum branch_kind kind, unsigned int from,
			unsigned int to);
void play_expect_no_more(struct play *play);

/* The task goes to user mode, and that alone is told, at once */
void play_go_and_expect(struct play *play, unsigned int place);

#endif /* _ARCH_X86_BRANCH_STEP_PLAY_H */
