// SPDX-License-Identifier: GPL-2.0
/*
 * A task that is played: its way through user mode, one entry, step and exit after the other.
 */
#include <kunit/test.h>
#include <linux/branch_trace.h>
#include <linux/irqflags.h>
#include <linux/mm.h>
#include <linux/mman.h>
#include <linux/sched.h>
#include <linux/uaccess.h>

#include <asm/branch_step.h>
#include <asm/debugreg.h>
#include <asm/processor-flags.h>
#include <asm/segment.h>

#include "ctx.h"
#include "play.h"

static const u8 program[] = {
	[AT_NOP]	= 0x90,
	[AT_JUMP]	= 0xe9, AT_JUMPED - AT_JUMP - 5, 0, 0, 0,
	[AT_PUSHF]	= 0x9c,
	[AT_POPF]	= 0x9d,
	[AT_IRET]	= 0xcf,
	[AT_SYSCALL]	= 0x0f, 0x05,
	[AT_INT80]	= 0xcd, 0x80,
	[AT_INT3]	= 0xcc,
	[AT_SS_JUMP]	= 0x8e, 0xd0, 0xe9, AT_JUMPED - AT_SS_JUMP - 7, 0, 0, 0,
	[AT_SS_INT80]	= 0x8e, 0xd0, 0xcd, 0x80,
	[AT_UD2]	= 0x0f, 0x0b,
	[AT_JUMPED]	= 0x90,
};

unsigned long play_map(struct kunit *test, struct file *file)
{
	unsigned long flags = file ? MAP_SHARED : MAP_PRIVATE | MAP_ANONYMOUS;
	unsigned long address;

	address = kunit_vm_mmap(test, file, 0, PAGE_SIZE, PROT_READ | PROT_WRITE, flags, 0);
	KUNIT_ASSERT_NE(test, address, 0);
	KUNIT_ASSERT_LT(test, address, TASK_SIZE);
	return address;
}

void play_write_program(struct play *play)
{
	KUNIT_ASSERT_EQ(play->test, 0,
			copy_to_user((void __user *)play->text, program, sizeof(program)));
}

static struct branch_ctx *open_ctx(struct kunit *test)
{
	struct branch_attr attr = {
		.subject = BRANCH_TASK,
		.task = current,
		.modes = BRANCH_USER,
		.backend = "step",
		.records = 256,
	};

	return step_ctx_open(test, &attr, NULL, NULL);
}

void play_begin_unwritten(struct kunit *test, struct play *play)
{
	*play = (struct play) {
		.test = test,
		.ctx = open_ctx(test),
		.text = play_map(test, NULL),
		.regs.cs = __USER_CS,
		.regs.flags = X86_EFLAGS_FIXED | X86_EFLAGS_IF,
	};
}

void play_begin(struct kunit *test, struct play *play)
{
	play_begin_unwritten(test, play);
	play_write_program(play);
}

void play_go(struct play *play, unsigned int place)
{
	unsigned long irqs;

	local_irq_save(irqs);
	play->regs.ip = play->text + place;
	__branch_step_exit(&play->regs);
	local_irq_restore(irqs);
}

/* Interrupts have come while the test ran, but not in user mode */
static void forget_interrupts(void)
{
	current->thread.branch_step.interrupted = false;
}

static void come(struct play *play, unsigned int place, bool interrupted)
{
	unsigned long irqs;

	local_irq_save(irqs);
	forget_interrupts();
	play->regs.ip = play->text + place;
	if (interrupted)
		branch_step_interrupt();
	branch_step_enter(&play->regs);
	local_irq_restore(irqs);
}

void play_come(struct play *play, unsigned int place)
{
	come(play, place, false);
}

void play_come_by_interrupt(struct play *play, unsigned int place)
{
	come(play, place, true);
}

bool play_come_by_debug(struct play *play, unsigned int place, unsigned long *dr6)
{
	unsigned long irqs;
	bool done;

	local_irq_save(irqs);
	forget_interrupts();
	play->regs.ip = play->text + place;
	current->thread.virtual_dr6 = *dr6 & DR_STEP;
	branch_step_expect(*dr6 & DR_STEP);
	branch_step_enter(&play->regs);
	done = branch_step_debug(&play->regs, dr6);
	local_irq_restore(irqs);
	return done;
}

void play_step(struct play *play, unsigned int place)
{
	unsigned long dr6 = DR_STEP;

	KUNIT_EXPECT_TRUE(play->test, play->regs.flags & X86_EFLAGS_TF);
	KUNIT_EXPECT_TRUE(play->test, play_come_by_debug(play, place, &dr6));
	KUNIT_EXPECT_EQ(play->test, dr6, 0);
	KUNIT_EXPECT_EQ(play->test, current->thread.virtual_dr6, 0);
}

static bool read_record(struct play *play, struct branch_record *record)
{
	while (branch_ctx_read(play->ctx, record)) {
		KUNIT_EXPECT_NE(play->test, record->kind, BRANCH_LOST);
		if (!branch_is_marker(record->kind))
			return true;
	}
	return false;
}

void play_expect(struct play *play, enum branch_kind kind, u64 from, u64 to, unsigned int flags)
{
	struct branch_record record;

	KUNIT_ASSERT_TRUE_MSG(play->test, read_record(play, &record), "no %s",
			      branch_kind_name(kind));
	KUNIT_EXPECT_STREQ(play->test, branch_kind_name(record.kind), branch_kind_name(kind));
	KUNIT_EXPECT_EQ(play->test, record.from, from);
	KUNIT_EXPECT_EQ(play->test, record.to, to);
	KUNIT_EXPECT_EQ(play->test, record.flags, flags);
}

void play_expect_exit(struct play *play, unsigned int to)
{
	play_expect(play, BRANCH_TO_USER, 0, play->text + to,
		    BRANCH_FLAG_FROM_KERNEL | BRANCH_FLAG_FROM_HIDDEN);
}

void play_expect_entry(struct play *play, enum branch_kind kind, unsigned int from)
{
	play_expect(play, kind, play->text + from, 0,
		    BRANCH_FLAG_TO_KERNEL | BRANCH_FLAG_TO_HIDDEN);
}

void play_expect_branch(struct play *play, enum branch_kind kind, unsigned int from,
			unsigned int to)
{
	play_expect(play, kind, play->text + from, play->text + to, 0);
}

void play_expect_no_more(struct play *play)
{
	struct branch_record record;

	if (read_record(play, &record))
		KUNIT_FAIL(play->test, "%s: %llx -> %llx", branch_kind_name(record.kind),
			   record.from, record.to);
}

void play_go_and_expect(struct play *play, unsigned int place)
{
	play_go(play, place);
	play_expect_exit(play, place);
	play_expect_no_more(play);
}
