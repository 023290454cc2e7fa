// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of the function tracer's entries: they keep all registers and write the right
 * event, whichever way they go. Each test runs for each entry.
 */
#include <kunit/test.h>
#include <linux/irqflags.h>
#include <linux/objtool.h>
#include <linux/preempt.h>
#include <linux/trace.h>

#include "trace.h"
#include "trace_context.h"
#include "trace_function_args.h"
#include "trace_function_entry.h"
#include "trace_function_event_test.h"

/*
 * Call an entry with @regs in the registers and PARENT as the return address of the "traced
 * function", and leave in @regs what the registers are then. There is one for each number
 * of words, which has its own call instruction.
 */
#define TEST_CALL(nr_words)								\
	void test_call_entry_##nr_words(unsigned long *regs);				\
	extern const char test_call_site_##nr_words[];					\
	asm(".pushsection .text\n"							\
	    ".type test_call_entry_" #nr_words ", @function\n"				\
	    "test_call_entry_" #nr_words ":\n"						\
	    "\t" ASM_ENDBR								\
	    TEST_SAVE									\
	    TEST_PUSH_PARENT								\
	    TEST_LOAD									\
	    "test_call_site_" #nr_words ":\n"						\
	    ANNOTATE_NOENDBR								\
	    "\tcall trace_function_entry_" #nr_words "\n"				\
	    TEST_STORE									\
	    /* what stood for the return address is not changed, either */		\
	    TEST_POP_PARENT								\
	    TEST_RESTORE								\
	    ASM_RET									\
	    ".size test_call_entry_" #nr_words ", .-test_call_entry_" #nr_words "\n"	\
	    ".popsection\n");								\
	STACK_FRAME_NON_STANDARD_FP(test_call_entry_##nr_words);

FTRACE_ENTRIES_BY_WORDS(TEST_CALL)

#define CALL(nr_words)	{ test_call_entry_##nr_words, test_call_site_##nr_words },

static const struct {
	void		(*call)(unsigned long *regs);
	const char	*site;
} calls[] = {
	FTRACE_ENTRIES_BY_WORDS(CALL)
};

/* How many words the entry copies that the tests call */
static unsigned int nr_words;

static struct trace_array *test_tr;

static unsigned int nr_changed(void)
{
	return nr_changed_by(calls[nr_words].call);
}

static unsigned long nr_entries(void)
{
	return ring_buffer_entries(test_tr->array_buffer.buffer);
}

static void expect_event(struct kunit *test, unsigned int context)
{
	expect_call_event(test, test_tr, calls[nr_words].site + MCOUNT_INSN_SIZE, nr_words,
			  context);
}

static void test_task(struct kunit *test)
{
	unsigned int context = tracing_gen_ctx();

	KUNIT_EXPECT_EQ(test, nr_changed(), 0);
	KUNIT_EXPECT_EQ(test, nr_entries(), 1);
	expect_event(test, context);
}

static void test_irqs_off(struct kunit *test)
{
	unsigned int context, nr;

	local_irq_disable();
	context = tracing_gen_ctx();
	nr = nr_changed();
	local_irq_enable();
	KUNIT_EXPECT_EQ(test, nr, 0);
	expect_event(test, context);
}

/* Leaves in @context what it is at each level of preempt_disable() */
static unsigned int call_at_levels(unsigned int *context, unsigned int levels)
{
	unsigned int i, nr = 0;

	for (i = 0; i < levels; i++) {
		preempt_disable();
		context[i] = tracing_gen_ctx();
		nr += nr_changed();
	}
	for (i = 0; i < levels; i++)
		preempt_enable();
	return nr;
}

static void test_preemption_off(struct kunit *test)
{
	unsigned int context[TRACE_CONTEXT_MAX_LEVEL], i;

	KUNIT_EXPECT_EQ(test, call_at_levels(context, ARRAY_SIZE(context)), 0);
	for (i = 0; i < ARRAY_SIZE(context); i++)
		expect_event(test, context[i]);
}

/* Levels that an event cannot count are not written in line */
static void test_many_levels(struct kunit *test)
{
	unsigned int context[TRACE_CONTEXT_MAX_LEVEL + 5], i;

	KUNIT_EXPECT_EQ(test, call_at_levels(context, ARRAY_SIZE(context)), 0);
	KUNIT_EXPECT_EQ(test, nr_entries(), ARRAY_SIZE(context));
	for (i = 0; i < ARRAY_SIZE(context); i++)
		expect_event(test, context[i]);
}

static void test_new_pages(struct kunit *test)
{
	unsigned int context = tracing_gen_ctx(), i, nr = 0;

	for (i = 0; i < MANY; i++)
		nr += nr_changed();
	KUNIT_EXPECT_EQ(test, nr, 0);
	KUNIT_EXPECT_EQ(test, nr_entries(), MANY);
	for (i = 0; i < MANY; i++)
		expect_event(test, context);
}

static void test_tracing_off(struct kunit *test)
{
	ring_buffer_record_off(test_tr->array_buffer.buffer);
	KUNIT_EXPECT_EQ(test, nr_changed(), 0);
	KUNIT_EXPECT_EQ(test, nr_entries(), 0);
	ring_buffer_record_on(test_tr->array_buffer.buffer);
	KUNIT_EXPECT_EQ(test, nr_changed(), 0);
	KUNIT_EXPECT_EQ(test, nr_entries(), 1);
}

/* While this CPU's part of the instance is disabled, nothing is written */
static void test_cpu_disabled(struct kunit *test)
{
	struct trace_array_cpu *data;
	unsigned int nr;

	preempt_disable();
	data = this_cpu_ptr(test_tr->array_buffer.data);
	atomic_inc(&data->disabled);
	nr = nr_changed();
	atomic_dec(&data->disabled);
	preempt_enable();
	KUNIT_EXPECT_EQ(test, nr, 0);
	KUNIT_EXPECT_EQ(test, nr_entries(), 0);
}

static void test_other_clock(struct kunit *test)
{
	unsigned int context = tracing_gen_ctx();

	KUNIT_ASSERT_EQ(test, tracing_set_clock(test_tr, "mono"), 0);
	KUNIT_EXPECT_EQ(test, nr_changed(), 0);
	expect_event(test, context);
}

static void test_stopped(struct kunit *test)
{
	trace_function_stop_entries(test_tr);
	KUNIT_EXPECT_EQ(test, nr_changed(), 0);
	KUNIT_EXPECT_EQ(test, nr_entries(), 0);
	trace_function_start_entries(test_tr);
	KUNIT_EXPECT_EQ(test, nr_changed(), 0);
	KUNIT_EXPECT_EQ(test, nr_entries(), 1);
}

/* One instance at a time has the entries */
static void test_owner(struct kunit *test)
{
	struct trace_array *other = trace_array_get_by_name("kunit-entry-other", NULL);

	KUNIT_ASSERT_NOT_NULL(test, other);
	trace_function_take_entries(other);
	if (IS_ENABLED(CONFIG_FTRACE_SETS)) {
		KUNIT_ASSERT_NOT_NULL(test, other->ops->entries);
		KUNIT_EXPECT_NULL(test, other->ops->entries->addr);
	} else {
		KUNIT_EXPECT_NULL(test, other->ops->entries);
	}
	trace_function_start_entries(other);
	KUNIT_EXPECT_EQ(test, nr_changed(), 0);
	KUNIT_EXPECT_EQ(test, nr_entries(), 1);
	KUNIT_EXPECT_EQ(test, ring_buffer_entries(other->array_buffer.buffer), 0);
	trace_function_stop_entries(other);
	trace_function_give_entries(other);
	KUNIT_EXPECT_NULL(test, other->ops->entries);
	KUNIT_EXPECT_EQ(test, nr_changed(), 0);
	KUNIT_EXPECT_EQ(test, nr_entries(), 2);
	trace_array_put(other);
	trace_array_destroy(other);
}

/* What the sites call while arguments are wanted, and while they are not */
static void test_choice(struct kunit *test)
{
	const struct ftrace_entries *entries = test_tr->ops->entries;
	unsigned long ip = ftrace_location((unsigned long)schedule_timeout);
	unsigned int plain = entries->choose(test_tr->ops, ip), words;

	KUNIT_ASSERT_EQ(test, entries->nr, ARRAY_SIZE(calls));
	KUNIT_EXPECT_EQ(test, plain, 1);
	KUNIT_EXPECT_EQ(test, entries->addr[plain - 1], (unsigned long)trace_function_entry_0);
	trace_function_args_enable(test_tr, true);
	words = entries->choose(test_tr->ops, ip);
	trace_function_args_enable(test_tr, false);
	if (IS_ENABLED(CONFIG_FTRACE_SIGNATURES_BUILTIN)) {
		KUNIT_ASSERT_EQ(test, words, 2);
		KUNIT_EXPECT_EQ(test, entries->addr[words - 1],
				(unsigned long)trace_function_entry_1);
	}
}

static int test_init(struct kunit *test)
{
	nr_words = *(const unsigned int *)test->param_value;
	test_tr = trace_array_get_by_name("kunit-entry", NULL);
	if (!test_tr)
		return -ENOMEM;
	trace_function_take_entries(test_tr);
	if (!test_tr->ops->entries)
		kunit_skip(test, "the function tracer is in use");
	test_tr->function_enabled = 1;
	trace_function_start_entries(test_tr);
	return 0;
}

static void test_exit(struct kunit *test)
{
	if (!test_tr)
		return;
	test_tr->function_enabled = 0;
	trace_function_stop_entries(test_tr);
	trace_function_give_entries(test_tr);
	trace_array_put(test_tr);
	trace_array_destroy(test_tr);
	test_tr = NULL;
}

static_assert(ARRAY_SIZE(numbers) == ARRAY_SIZE(calls));

static struct kunit_case cases[] = {
	KUNIT_CASE_PARAM(test_task, numbers_gen_params),
	KUNIT_CASE_PARAM(test_irqs_off, numbers_gen_params),
	KUNIT_CASE_PARAM(test_preemption_off, numbers_gen_params),
	KUNIT_CASE_PARAM(test_many_levels, numbers_gen_params),
	KUNIT_CASE_PARAM(test_new_pages, numbers_gen_params),
	KUNIT_CASE_PARAM(test_tracing_off, numbers_gen_params),
	KUNIT_CASE_PARAM(test_cpu_disabled, numbers_gen_params),
	KUNIT_CASE_PARAM(test_other_clock, numbers_gen_params),
	KUNIT_CASE_PARAM(test_stopped, numbers_gen_params),
	KUNIT_CASE_PARAM(test_owner, numbers_gen_params),
	KUNIT_CASE_PARAM(test_choice, numbers_gen_params),
	{}
};

static struct kunit_suite suite = {
	.name = "function_entry",
	.init = test_init,
	.exit = test_exit,
	.test_cases = cases,
};

kunit_test_suite(suite);

MODULE_DESCRIPTION("KUnit tests of the function tracer's entry");
MODULE_LICENSE("GPL");
