// SPDX-License-Identifier: GPL-2.0
/*
 * What is told of user mode, in an order of events that a program would meet by chance only.
 */
#include <kunit/resource.h>
#include <kunit/test.h>
#include <linux/branch_trace.h>
#include <linux/err.h>
#include <linux/file.h>
#include <linux/irqflags.h>
#include <linux/mm.h>
#include <linux/percpu.h>
#include <linux/sched.h>
#include <linux/shmem_fs.h>
#include <linux/thread_info.h>
#include <linux/uaccess.h>

#include <asm/branch_step.h>
#include <asm/debugreg.h>
#include <asm/processor-flags.h>
#include <asm/segment.h>

#include "../step.h"
#include "play.h"

/* A segment of the program's own: the first one of its LDT */
#define OWN_CS (SEGMENT_LDT | USER_RPL)

static void test_steps(struct kunit *test)
{
	struct play play;

	play_begin(test, &play);
	play_go_and_expect(&play, AT_NOP);
	play_step(&play, AT_NOP + 1);
	KUNIT_EXPECT_FALSE(test, play.regs.flags & X86_EFLAGS_TF);
	play_go(&play, AT_NOP + 1);
	play_expect_no_more(&play);
	play_come(&play, AT_NOP + 1);
	play_expect_entry(&play, BRANCH_EXCEPTION, AT_NOP + 1);
	play_go_and_expect(&play, AT_JUMP);
	play_step(&play, AT_JUMPED);
	play_expect_branch(&play, BRANCH_JUMP, AT_JUMP, AT_JUMPED);
	play_go(&play, AT_JUMPED);
	play_expect_no_more(&play);
}

/* The handler of a signal, or a task that has another place set by its debugger */
static void test_moved_at_step(struct kunit *test)
{
	struct play play;

	play_begin(test, &play);
	play_go_and_expect(&play, AT_NOP);
	play_step(&play, AT_NOP + 1);
	play_go(&play, AT_JUMPED);
	play_expect_entry(&play, BRANCH_TO_KERNEL, AT_NOP + 1);
	play_expect_exit(&play, AT_JUMPED);
	play_expect_no_more(&play);
}

/* #DB is raised for a watched address, not by a step */
static void test_watched(struct kunit *test)
{
	unsigned long dr6 = DR_TRAP1;
	struct play play;

	play_begin(test, &play);
	play_go_and_expect(&play, AT_JUMP);
	KUNIT_EXPECT_FALSE(test, play_come_by_debug(&play, AT_JUMPED, &dr6));
	KUNIT_EXPECT_EQ(test, dr6, DR_TRAP1);
	play_expect_entry(&play, BRANCH_EXCEPTION, AT_JUMPED);
	play_go_and_expect(&play, AT_JUMPED);
}

/* #DB is raised for both */
static void test_watched_at_step(struct kunit *test)
{
	unsigned long dr6 = DR_STEP | DR_TRAP1;
	struct play play;

	play_begin(test, &play);
	play_go_and_expect(&play, AT_NOP);
	KUNIT_EXPECT_FALSE(test, play_come_by_debug(&play, AT_NOP + 1, &dr6));
	KUNIT_EXPECT_EQ(test, dr6, DR_TRAP1);
	play_go(&play, AT_JUMPED);
	play_expect_entry(&play, BRANCH_EXCEPTION, AT_NOP + 1);
	play_expect_exit(&play, AT_JUMPED);
	play_expect_no_more(&play);
}

/* S2 */
static void test_own_trap_flag(struct kunit *test)
{
	unsigned long dr6 = DR_STEP;
	struct play play;

	play_begin(test, &play);
	play.regs.flags |= X86_EFLAGS_TF;
	play_go_and_expect(&play, AT_JUMP);
	KUNIT_EXPECT_FALSE(test, play_come_by_debug(&play, AT_JUMPED, &dr6));
	KUNIT_EXPECT_EQ(test, dr6, DR_STEP);
	KUNIT_EXPECT_EQ(test, current->thread.virtual_dr6, DR_STEP);
	KUNIT_EXPECT_TRUE(test, play.regs.flags & X86_EFLAGS_TF);
	play_expect_branch(&play, BRANCH_JUMP, AT_JUMP, AT_JUMPED);
	play_expect_no_more(&play);
}

/* An interrupt has come before anything was executed */
static void begin_interrupted(struct kunit *test, struct play *play)
{
	play_begin(test, play);
	play_go_and_expect(play, AT_NOP);
	play_come_by_interrupt(play, AT_NOP);
	play_expect_entry(play, BRANCH_INTERRUPT, AT_NOP);
}

/* S3 */
static void test_unwanted(struct kunit *test)
{
	unsigned int wanted;
	unsigned long irqs;
	struct play play;

	begin_interrupted(test, &play);
	local_irq_save(irqs);
	wanted = __this_cpu_xchg(branch_step_wanted, 0);
	__branch_step_exit(&play.regs);
	KUNIT_EXPECT_FALSE(test, test_thread_flag(TIF_BRANCH_STEP));
	KUNIT_EXPECT_FALSE(test, play.regs.flags & X86_EFLAGS_TF);
	branch_step_enter(&play.regs);
	__this_cpu_write(branch_step_wanted, wanted);
	branch_step_user_set(current, true);
	local_irq_restore(irqs);
	play_expect_no_more(&play);
	/* It may have executed a lot in between */
	play_go_and_expect(&play, AT_NOP);
}

/* Whoever wants the task again does not know what it has done just before */
static void stop_wanting(struct play *play)
{
	unsigned long irqs;

	local_irq_save(irqs);
	branch_step_user_set(current, false);
	branch_step_user_set(current, true);
	local_irq_restore(irqs);
}

static void test_wanted_again_at_step(struct kunit *test)
{
	struct play play;

	play_begin(test, &play);
	play_go_and_expect(&play, AT_NOP);
	play_step(&play, AT_NOP + 1);
	stop_wanting(&play);
	play_go_and_expect(&play, AT_NOP + 1);
}

static void test_wanted_again_at_interrupt(struct kunit *test)
{
	struct play play;

	begin_interrupted(test, &play);
	stop_wanting(&play);
	play_go_and_expect(&play, AT_NOP);
}

static void test_wanted_again_untold(struct kunit *test)
{
	struct play play;

	begin_interrupted(test, &play);
	play_go(&play, AT_NOP);
	play_come_by_interrupt(&play, AT_NOP);
	play_expect_no_more(&play);
	stop_wanting(&play);
	play_go_and_expect(&play, AT_NOP);
	play_step(&play, AT_NOP + 1);
	play_expect_no_more(&play);
}

/* S4 */
static void test_interrupts_are_one(struct kunit *test)
{
	struct play play;
	unsigned int i;

	begin_interrupted(test, &play);
	for (i = 0; i < 3; i++) {
		play_go(&play, AT_NOP);
		play_come_by_interrupt(&play, AT_NOP);
	}
	play_go(&play, AT_NOP);
	play_expect_no_more(&play);
	play_step(&play, AT_NOP + 1);
	play_expect_exit(&play, AT_NOP);
	play_go(&play, AT_NOP + 1);
	play_expect_no_more(&play);
}

/* S4. An interrupt that comes behind a step comes before the next instruction. */
static void test_interrupt_behind_step(struct kunit *test)
{
	struct play play;

	play_begin(test, &play);
	play_go_and_expect(&play, AT_JUMP);
	play_step(&play, AT_JUMPED);
	play_expect_branch(&play, BRANCH_JUMP, AT_JUMP, AT_JUMPED);
	play_go(&play, AT_JUMPED);
	play_come_by_interrupt(&play, AT_JUMPED);
	play_expect_entry(&play, BRANCH_INTERRUPT, AT_JUMPED);
	play_go(&play, AT_JUMPED);
	play_expect_no_more(&play);
	play_come(&play, AT_JUMPED);
	play_expect_exit(&play, AT_JUMPED);
	play_expect_entry(&play, BRANCH_EXCEPTION, AT_JUMPED);
	play_go_and_expect(&play, AT_JUMPED);
}

/* S4. The handler of a signal follows interrupts that are one. */
static void test_signal_behind_interrupts(struct kunit *test)
{
	struct play play;

	begin_interrupted(test, &play);
	play_go(&play, AT_NOP);
	play_come_by_interrupt(&play, AT_NOP);
	play_expect_no_more(&play);
	play_go_and_expect(&play, AT_JUMP);
	play_step(&play, AT_JUMPED);
	play_expect_branch(&play, BRANCH_JUMP, AT_JUMP, AT_JUMPED);
	play_expect_no_more(&play);
}

/* S4 is not about an interrupt that comes when something has been executed */
static void test_interrupt_in_shadow(struct kunit *test)
{
	struct play play;

	play_begin(test, &play);
	play_go_and_expect(&play, AT_SS_JUMP);
	play_come_by_interrupt(&play, AT_SS_JUMP + 2);
	play_expect_entry(&play, BRANCH_INTERRUPT, AT_SS_JUMP + 2);
	play_go_and_expect(&play, AT_SS_JUMP + 2);
	play_step(&play, AT_JUMPED);
	play_expect_branch(&play, BRANCH_JUMP, AT_SS_JUMP + 2, AT_JUMPED);
	play_expect_no_more(&play);
}

/* The CPU may execute both before it raises #DB, or not */
static void test_steps_in_shadow(struct kunit *test)
{
	struct play play;

	play_begin(test, &play);
	play_go_and_expect(&play, AT_SS_JUMP);
	play_step(&play, AT_SS_JUMP + 2);
	play_go(&play, AT_SS_JUMP + 2);
	play_expect_no_more(&play);
	play_step(&play, AT_JUMPED);
	play_expect_branch(&play, BRANCH_JUMP, AT_SS_JUMP + 2, AT_JUMPED);
	play_go(&play, AT_JUMPED);
	play_step(&play, AT_JUMPED + 1);
	play_go(&play, AT_SS_JUMP);
	play_expect_entry(&play, BRANCH_TO_KERNEL, AT_JUMPED + 1);
	play_expect_exit(&play, AT_SS_JUMP);
	play_step(&play, AT_JUMPED);
	play_expect_branch(&play, BRANCH_JUMP, AT_SS_JUMP + 2, AT_JUMPED);
	play_expect_no_more(&play);
}

static void test_exceptions(struct kunit *test)
{
	struct play play;

	play_begin(test, &play);
	play_go_and_expect(&play, AT_UD2);
	play_come(&play, AT_UD2);
	play_expect_entry(&play, BRANCH_EXCEPTION, AT_UD2);
	/* It is behind the breakpoint when that has been executed */
	play_go_and_expect(&play, AT_INT3);
	play_come(&play, AT_INT3 + 1);
	play_expect_entry(&play, BRANCH_EXCEPTION, AT_INT3);
	/* The page of an instruction may be gone */
	play_go_and_expect(&play, AT_INT3);
	play_come(&play, AT_INT3);
	play_expect_entry(&play, BRANCH_EXCEPTION, AT_INT3);
	play_go_and_expect(&play, AT_SS_INT80);
	play_come(&play, AT_SS_INT80 + 2);
	play_expect_entry(&play, BRANCH_EXCEPTION, AT_SS_INT80 + 2);
	play_expect_no_more(&play);
}

static void test_system_call(struct kunit *test)
{
	struct play play;

	play_begin(test, &play);
	play_go_and_expect(&play, AT_INT80);
	play_come(&play, AT_INT80 + 2);
	play_expect_entry(&play, BRANCH_SYSCALL, AT_INT80);
	play_go_and_expect(&play, AT_INT80 + 2);
	play_expect_no_more(&play);
}

#ifdef CONFIG_X86_64
/* The task has executed syscall, or was interrupted before. Returns the flags in r11. */
static unsigned long flags_of_syscall(struct play *play, unsigned int place, bool interrupted)
{
	play->regs.r11 = X86_EFLAGS_TF | X86_EFLAGS_IF;
	if (interrupted)
		play_come_by_interrupt(play, place);
	else
		play_come(play, place);
	return play->regs.r11;
}

static void test_syscall(struct kunit *test)
{
	struct play play;

	if (cpu_feature_enabled(X86_FEATURE_FRED))
		kunit_skip(test, "with FRED, syscall does not copy the flags");
	play_begin(test, &play);
	play_go_and_expect(&play, AT_SYSCALL);
	KUNIT_EXPECT_EQ(test, flags_of_syscall(&play, AT_SYSCALL, true),
			X86_EFLAGS_TF | X86_EFLAGS_IF);
	play_expect_entry(&play, BRANCH_INTERRUPT, AT_SYSCALL);
	play_go(&play, AT_SYSCALL);
	KUNIT_EXPECT_EQ(test, flags_of_syscall(&play, AT_SYSCALL + 2, false), X86_EFLAGS_IF);
	play_expect_exit(&play, AT_SYSCALL);
	play_expect_entry(&play, BRANCH_SYSCALL, AT_SYSCALL);
	/* S2 */
	play.regs.flags |= X86_EFLAGS_TF;
	play_go_and_expect(&play, AT_SYSCALL);
	KUNIT_EXPECT_EQ(test, flags_of_syscall(&play, AT_SYSCALL + 2, false),
			X86_EFLAGS_TF | X86_EFLAGS_IF);
	play_expect_entry(&play, BRANCH_SYSCALL, AT_SYSCALL);
	play_expect_no_more(&play);
}

/* Where it is no syscall of 64 bits, r11 is the program's */
static void test_syscall_32(struct kunit *test)
{
	struct play play;

	play_begin(test, &play);
	play.regs.cs = __USER32_CS;
	play_go_and_expect(&play, AT_SYSCALL);
	KUNIT_EXPECT_EQ(test, flags_of_syscall(&play, AT_SYSCALL + 2, false),
			X86_EFLAGS_TF | X86_EFLAGS_IF);
	play_expect_entry(&play, BRANCH_SYSCALL, AT_SYSCALL);
	play_go_and_expect(&play, AT_INT80);
	KUNIT_EXPECT_EQ(test, flags_of_syscall(&play, AT_INT80 + 2, false),
			X86_EFLAGS_TF | X86_EFLAGS_IF);
	play_expect_entry(&play, BRANCH_SYSCALL, AT_INT80);
	play_expect_no_more(&play);
}
#endif

/* The task has pushed the flags, and the trap flag among them */
static void push_flags(struct play *play)
{
	unsigned long pushed = X86_EFLAGS_TF | X86_EFLAGS_IF;

	KUNIT_ASSERT_EQ(play->test, 0, put_user(pushed, (unsigned long __user *)play->regs.sp));
}

static void expect_pushed(struct play *play, unsigned long expected)
{
	unsigned long pushed;

	KUNIT_ASSERT_EQ(play->test, 0, get_user(pushed, (unsigned long __user *)play->regs.sp));
	KUNIT_EXPECT_EQ(play->test, pushed, expected);
}

static void test_pushf(struct kunit *test)
{
	unsigned long dr6 = DR_STEP;
	struct play play;

	play_begin(test, &play);
	play.regs.sp = play_map(test, NULL);
	play_go_and_expect(&play, AT_PUSHF);
	push_flags(&play);
	play_step(&play, AT_PUSHF + 1);
	expect_pushed(&play, X86_EFLAGS_IF);
	play_go(&play, AT_PUSHF + 1);
	play_come(&play, AT_PUSHF + 1);
	play_expect_entry(&play, BRANCH_EXCEPTION, AT_PUSHF + 1);
	/* S2 */
	play.regs.flags |= X86_EFLAGS_TF;
	play_go_and_expect(&play, AT_PUSHF);
	push_flags(&play);
	KUNIT_EXPECT_FALSE(test, play_come_by_debug(&play, AT_PUSHF + 1, &dr6));
	expect_pushed(&play, X86_EFLAGS_TF | X86_EFLAGS_IF);
	play_expect_no_more(&play);
}

static void put_file(void *file)
{
	fput(file);
}

/* The page may be reclaimed between the instruction and #DB */
static void test_pushf_reclaimed(struct kunit *test)
{
	struct file *file = shmem_file_setup("branch_step", PAGE_SIZE, 0);
	struct play play;

	KUNIT_ASSERT_FALSE(test, IS_ERR(file));
	KUNIT_ASSERT_EQ(test, kunit_add_action_or_reset(test, put_file, file), 0);
	play_begin(test, &play);
	play.regs.sp = play_map(test, file);
	play_go_and_expect(&play, AT_PUSHF);
	push_flags(&play);
	unmap_mapping_range(file->f_mapping, 0, PAGE_SIZE, 0);
	play_step(&play, AT_PUSHF + 1);
	expect_pushed(&play, X86_EFLAGS_IF);
	play_expect_no_more(&play);
}

/* If a program loads the trap flag, it has it from then on */
static void load_flags(struct play *play, unsigned int place, unsigned int next, bool trap)
{
	unsigned long dr6 = DR_STEP;

	play->regs.flags &= ~X86_EFLAGS_TF;
	play_go(play, place);
	if (!trap)
		play->regs.flags &= ~X86_EFLAGS_TF;
	KUNIT_EXPECT_TRUE(play->test, play_come_by_debug(play, next, &dr6));
	KUNIT_EXPECT_EQ(play->test, !!(play->regs.flags & X86_EFLAGS_TF), trap);
}

static void test_load_flags(struct kunit *test)
{
	struct play play;

	play_begin(test, &play);
	load_flags(&play, AT_POPF, AT_POPF + 1, true);
	load_flags(&play, AT_POPF, AT_POPF + 1, false);
	load_flags(&play, AT_IRET, AT_JUMPED, true);
	load_flags(&play, AT_IRET, AT_JUMPED, false);
}

/* The page of an instruction may come when that is executed */
static void test_unreadable(struct kunit *test)
{
	struct play play;

	play_begin_unwritten(test, &play);
	play_go_and_expect(&play, AT_JUMP);
	play_write_program(&play);
	play_step(&play, AT_JUMPED);
	play_expect_branch(&play, BRANCH_JUMP, AT_JUMP, AT_JUMPED);
	play_expect_no_more(&play);
}

/* What it was may never be known */
static void test_unreadable_entry(struct kunit *test)
{
	struct play play;

	play_begin_unwritten(test, &play);
	play_go_and_expect(&play, AT_INT80);
	play_come(&play, AT_INT80 + 2);
	play_expect_entry(&play, BRANCH_TO_KERNEL, AT_INT80);
	play_go_and_expect(&play, AT_JUMP);
	play_come(&play, AT_JUMP);
	play_expect_entry(&play, BRANCH_EXCEPTION, AT_JUMP);
	play_expect_no_more(&play);
}

static void test_own_segment(struct kunit *test)
{
	struct play play;

	play_begin(test, &play);
	play.regs.cs = OWN_CS;
	play_go_and_expect(&play, AT_JUMP);
	play_step(&play, AT_JUMPED);
	play_expect_branch(&play, BRANCH_UNKNOWN, AT_JUMP, AT_JUMPED);
	play_go(&play, AT_JUMPED);
	play_expect_no_more(&play);
}

/* What stands at the address of a far jump in the segment that it has led to was not executed */
static void test_far_jump(struct kunit *test)
{
	struct play play;

	play_begin(test, &play);
	play.regs.cs = OWN_CS;
	play_go_and_expect(&play, AT_JUMP);
	play.regs.cs = __USER_CS;
	play_step(&play, AT_JUMPED);
	play_expect_branch(&play, BRANCH_UNKNOWN, AT_JUMP, AT_JUMPED);
	play_expect_no_more(&play);
}

/* A debugger has the task go on to the next branch: where that began is not known */
static void test_blockstep(struct kunit *test)
{
	unsigned long dr6 = DR_STEP;
	unsigned long irqs;
	struct play play;

	play_begin(test, &play);
	play.regs.flags |= X86_EFLAGS_TF;
	/* It must not be switched out with this flag */
	local_irq_save(irqs);
	set_thread_flag(TIF_BLOCKSTEP);
	play_go(&play, AT_NOP);
	clear_thread_flag(TIF_BLOCKSTEP);
	local_irq_restore(irqs);
	play_expect_exit(&play, AT_NOP);
	KUNIT_EXPECT_FALSE(test, play_come_by_debug(&play, AT_JUMPED, &dr6));
	play_expect(&play, BRANCH_UNKNOWN, 0, play.text + AT_JUMPED, BRANCH_FLAG_FROM_HIDDEN);
	play_expect_no_more(&play);
}

#ifdef CONFIG_VM86
/* Nothing is told of virtual 8086 mode, not even what came before it */
static void test_v8086(struct kunit *test)
{
	struct play play;

	begin_interrupted(test, &play);
	play.regs.flags |= X86_VM_MASK;
	play_go(&play, AT_NOP);
	KUNIT_EXPECT_FALSE(test, play.regs.flags & X86_EFLAGS_TF);
	play_come_by_interrupt(&play, AT_NOP);
	play_expect_no_more(&play);
	play.regs.flags &= ~X86_VM_MASK;
	play_go_and_expect(&play, AT_NOP);
}
#endif

static struct kunit_case branch_step_user_cases[] = {
	KUNIT_CASE(test_steps),
	KUNIT_CASE(test_moved_at_step),
	KUNIT_CASE(test_watched),
	KUNIT_CASE(test_watched_at_step),
	KUNIT_CASE(test_own_trap_flag),
	KUNIT_CASE(test_unwanted),
	KUNIT_CASE(test_wanted_again_at_step),
	KUNIT_CASE(test_wanted_again_at_interrupt),
	KUNIT_CASE(test_wanted_again_untold),
	KUNIT_CASE(test_interrupts_are_one),
	KUNIT_CASE(test_interrupt_behind_step),
	KUNIT_CASE(test_signal_behind_interrupts),
	KUNIT_CASE(test_interrupt_in_shadow),
	KUNIT_CASE(test_steps_in_shadow),
	KUNIT_CASE(test_exceptions),
	KUNIT_CASE(test_system_call),
#ifdef CONFIG_X86_64
	KUNIT_CASE(test_syscall),
	KUNIT_CASE(test_syscall_32),
#endif
	KUNIT_CASE(test_pushf),
	KUNIT_CASE(test_pushf_reclaimed),
	KUNIT_CASE(test_load_flags),
	KUNIT_CASE(test_unreadable),
	KUNIT_CASE(test_unreadable_entry),
	KUNIT_CASE(test_own_segment),
	KUNIT_CASE(test_far_jump),
	KUNIT_CASE(test_blockstep),
#ifdef CONFIG_VM86
	KUNIT_CASE(test_v8086),
#endif
	{}
};

static struct kunit_suite branch_step_user_suite = {
	.name = "branch_step_user",
	.test_cases = branch_step_user_cases,
};

kunit_test_suite(branch_step_user_suite);
