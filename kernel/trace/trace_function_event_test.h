/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the tests of the function tracer's entries have in common: a call of one, and the event
 * that it writes.
 */
#ifndef _KERNEL_TRACE_FUNCTION_EVENT_TEST_H
#define _KERNEL_TRACE_FUNCTION_EVENT_TEST_H

#include <kunit/test.h>
#include <linux/ftrace_entries.h>
#include <linux/overflow.h>
#include <linux/ring_buffer.h>
#include <linux/sched.h>
#include <linux/string.h>
#include <linux/unaligned.h>

#include "trace.h"
#include "trace_call_site_test.h"

/* More events than are in one sub-buffer, so that some begin a new one */
#define MANY		400

/*
 * Calls an entry by @call, which leaves in the array what the registers are behind it, and last
 * what stands where PARENT stood.
 *
 * Return: how many of them have changed.
 */
static inline unsigned int nr_changed_by(void (*call)(unsigned long *regs))
{
	unsigned long before[NR_REGS + 1], after[NR_REGS + 1];
	unsigned int i, nr = 0;

	for (i = 0; i < NR_REGS; i++)
		before[i] = register_value(i);
	before[NR_REGS] = PARENT;
	memcpy(after, before, sizeof(after));
	after[NR_REGS] = 0;
	call(after);
	for (i = 0; i <= NR_REGS; i++)
		nr += after[i] != before[i];
	return nr;
}

/*
 * Takes the next event of an instance. It is to be that of a call from the site before @behind,
 * with @nr_words of arguments; @context is what tracing_gen_ctx() said of the call.
 */
static inline void expect_call_event(struct kunit *test, struct trace_array *tr,
				     const char *behind, unsigned int nr_words,
				     unsigned int context)
{
	struct ring_buffer_event *event = NULL;
	const struct ftrace_entry *entry;
	unsigned int i;
	int cpu;

	for_each_online_cpu(cpu) {
		event = ring_buffer_consume(tr->array_buffer.buffer, cpu, NULL, NULL);
		if (event)
			break;
	}
	KUNIT_ASSERT_NOT_NULL(test, event);
	entry = ring_buffer_event_data(event);
	KUNIT_EXPECT_EQ(test, entry->ent.type, TRACE_FN);
	KUNIT_EXPECT_EQ(test, entry->ent.pid, current->pid);
	KUNIT_EXPECT_EQ(test, entry->ent.preempt_count, context & 0xff);
	KUNIT_EXPECT_EQ(test, entry->ent.flags & TRACE_FLAG_IRQS_OFF,
			context >> 16 & TRACE_FLAG_IRQS_OFF);
	KUNIT_EXPECT_EQ(test, entry->ip + MCOUNT_INSN_SIZE, (unsigned long)behind);
	KUNIT_EXPECT_EQ(test, entry->parent_ip, PARENT);
	KUNIT_ASSERT_EQ(test, ring_buffer_event_length(event),
			struct_size(entry, args, nr_words));
	for (i = 0; i < nr_words; i++)
		KUNIT_EXPECT_EQ(test, get_unaligned(&entry->args[i]), argument_value(i));
}

/* Tests run for each number of words that an entry may copy */
#define NUMBER(nr_words)	nr_words,
static const unsigned int numbers[] = { FTRACE_ENTRIES_BY_WORDS(NUMBER) };

static void describe_number(const unsigned int *number, char *description)
{
	sprintf(description, "%u words", *number);
}

KUNIT_ARRAY_PARAM(numbers, numbers, describe_number);

#endif /* _KERNEL_TRACE_FUNCTION_EVENT_TEST_H */
