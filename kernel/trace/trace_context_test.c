// SPDX-License-Identifier: GPL-2.0
/* KUnit tests of trace_context(): in each context it must equal tracing_gen_ctx(). */
#include <kunit/test.h>
#include <linux/bottom_half.h>
#include <linux/irqflags.h>
#include <linux/preempt.h>
#include <linux/sched.h>

#include "trace_context.h"

/* More levels than a context can count */
#define LEVELS	20

struct both {
	unsigned int	whole;
	unsigned int	in_line;
};

/*
 * To be called with preemption disabled. Of the compared bits only need_resched may change
 * meanwhile, and it stays set once it is: so if both ends are equal, so is the middle.
 */
static struct both contexts(void)
{
	struct both read;
	unsigned int before;

	do {
		before = tracing_gen_ctx();
		read.in_line = trace_context();
		read.whole = tracing_gen_ctx();
	} while (before != read.whole);
	return read;
}

static void expect_same(struct kunit *test, struct both read)
{
	KUNIT_EXPECT_EQ(test, read.in_line, read.whole);
}

/* Both are the same, and have the flag */
static void expect_flag(struct kunit *test, struct both read, unsigned int flag)
{
	expect_same(test, read);
	KUNIT_EXPECT_EQ(test, read.in_line >> 16 & flag, flag);
}

static void test_preempt_levels(struct kunit *test)
{
	struct both read[LEVELS];
	unsigned int i, before;

	preempt_disable();
	before = preempt_count();
	for (i = 0; i < LEVELS; i++) {
		read[i] = contexts();
		preempt_disable();
	}
	for (i = 0; i < LEVELS; i++)
		preempt_enable();
	preempt_enable();

	for (i = 0; i < LEVELS; i++) {
		expect_same(test, read[i]);
		if (IS_ENABLED(CONFIG_PREEMPT_COUNT))
			KUNIT_EXPECT_EQ(test, read[i].in_line & TRACE_CONTEXT_MAX_LEVEL,
					min(before + i, TRACE_CONTEXT_MAX_LEVEL));
	}
}

static void test_irqs_off(struct kunit *test)
{
	struct both on, off;
	unsigned long flags;

	preempt_disable();
	on = contexts();
	local_irq_save(flags);
	off = contexts();
	local_irq_restore(flags);
	preempt_enable();

	expect_same(test, on);
	KUNIT_EXPECT_FALSE(test, on.in_line >> 16 & TRACE_FLAG_IRQS_OFF);
	expect_flag(test, off, IS_ENABLED(CONFIG_TRACE_IRQFLAGS_SUPPORT) ?
		    TRACE_FLAG_IRQS_OFF : TRACE_FLAG_IRQS_NOSUPPORT);
}

static void test_softirqs_off(struct kunit *test)
{
	struct both read;

	local_bh_disable();
	preempt_disable();
	read = contexts();
	preempt_enable();
	local_bh_enable();

	expect_flag(test, read, TRACE_FLAG_BH_OFF);
}

static void test_migration_off(struct kunit *test)
{
	struct both read;

	migrate_disable();
	preempt_disable();
	read = contexts();
	preempt_enable();
	migrate_enable();

	expect_same(test, read);
	if (IS_ENABLED(CONFIG_SMP))
		KUNIT_EXPECT_EQ(test, read.in_line >> 4 & 0xf, 1);
}

/* With interrupts off nobody else looks at the count */
static struct both contexts_of_count(unsigned int offset)
{
	struct both read;
	unsigned long flags;

	raw_local_irq_save(flags);
	__preempt_count_add(offset);
	read = contexts();
	__preempt_count_sub(offset);
	raw_local_irq_restore(flags);
	return read;
}

static void test_interrupts(struct kunit *test)
{
	expect_flag(test, contexts_of_count(HARDIRQ_OFFSET), TRACE_FLAG_HARDIRQ);
	expect_flag(test, contexts_of_count(NMI_OFFSET), TRACE_FLAG_NMI);
	expect_flag(test, contexts_of_count(NMI_OFFSET + HARDIRQ_OFFSET),
		    TRACE_FLAG_NMI | TRACE_FLAG_HARDIRQ);
	if (!IS_ENABLED(CONFIG_PREEMPT_RT))
		expect_flag(test, contexts_of_count(SOFTIRQ_OFFSET), TRACE_FLAG_SOFTIRQ);
}

/* The flags of the task and of the CPU, each alone */
static void test_scheduler_wanted(struct kunit *test)
{
	bool task_was, cpu_was;
	struct both task, cpu;
	unsigned long flags;

	preempt_disable();
	raw_local_irq_save(flags);
	task_was = tif_need_resched();
	cpu_was = test_preempt_need_resched();

	set_tsk_need_resched(current);
	clear_preempt_need_resched();
	task = contexts();
	clear_tsk_need_resched(current);
	set_preempt_need_resched();
	cpu = contexts();

	if (task_was)
		set_tsk_need_resched(current);
	if (!cpu_was)
		clear_preempt_need_resched();
	raw_local_irq_restore(flags);
	preempt_enable();

	expect_flag(test, task, TRACE_FLAG_NEED_RESCHED);
	expect_same(test, cpu);
	if (IS_ENABLED(CONFIG_X86))
		expect_flag(test, cpu, TRACE_FLAG_PREEMPT_RESCHED);
}

static void test_own_level(struct kunit *test)
{
	unsigned int in_line, whole;
	unsigned long flags;

	preempt_disable();
	raw_local_irq_save(flags);
	in_line = trace_context_dec();
	whole = tracing_gen_ctx_dec();
	raw_local_irq_restore(flags);
	preempt_enable();

	KUNIT_EXPECT_EQ(test, in_line, whole);
}

static struct kunit_case trace_context_cases[] = {
	KUNIT_CASE(test_preempt_levels),
	KUNIT_CASE(test_irqs_off),
	KUNIT_CASE(test_softirqs_off),
	KUNIT_CASE(test_migration_off),
	KUNIT_CASE(test_interrupts),
	KUNIT_CASE(test_scheduler_wanted),
	KUNIT_CASE(test_own_level),
	{}
};

static struct kunit_suite trace_context_suite = {
	.name = "trace_context",
	.test_cases = trace_context_cases,
};
kunit_test_suite(trace_context_suite);

MODULE_DESCRIPTION("KUnit tests of the context of trace events");
MODULE_LICENSE("GPL");
