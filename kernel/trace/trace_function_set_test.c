// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of the function tracer's entries for sets of instances: they keep all registers,
 * and each instance gets the right event, whichever way it goes.
 */
#include <kunit/test.h>
#include <linux/ftrace_sets.h>
#include <linux/irqflags.h>
#include <linux/preempt.h>
#include <linux/trace.h>

#include "ftrace_internal.h"
#include "ftrace_sets_test.h"
#include "trace.h"
#include "trace_context.h"
#include "trace_function_entry.h"
#include "trace_function_event_test.h"

static struct trace_array *instances[2];

/* They are not registered, they just stand for the instances */
static struct ftrace_ops test_ops[FTRACE_SET_MAX_OPS];

/* One of each instance, or as many as a set may have: the last one is the second instance's */
static struct ftrace_ops *pair[] = { &test_ops[0], &test_ops[FTRACE_SET_MAX_OPS - 1] };
static struct ftrace_ops *all[FTRACE_SET_MAX_OPS];

static unsigned int nr_words;

static void use_set(struct kunit *test, struct ftrace_ops *const *ops, unsigned int nr)
{
	use_stub(test, ops, nr, nr_words + 1);
}

static unsigned int nr_changed(void)
{
	return nr_changed_by(test_call_set_stub);
}

static unsigned long nr_entries(unsigned int instance)
{
	return ring_buffer_entries(instances[instance]->array_buffer.buffer);
}

static void expect_event(struct kunit *test, unsigned int instance, unsigned int context)
{
	expect_call_event(test, instances[instance], test_set_stub_called, nr_words, context);
}

/* As many events as @number0 and @number1 say, and no others */
static void expect_events(struct kunit *test, unsigned int context, unsigned int number0,
			  unsigned int number1)
{
	unsigned int i;

	KUNIT_ASSERT_EQ(test, nr_entries(0), number0);
	KUNIT_ASSERT_EQ(test, nr_entries(1), number1);
	for (i = 0; i < number0; i++)
		expect_event(test, 0, context);
	for (i = 0; i < number1; i++)
		expect_event(test, 1, context);
}

static void test_task(struct kunit *test)
{
	unsigned int context = tracing_gen_ctx();

	KUNIT_EXPECT_EQ(test, nr_changed(), 0);
	expect_events(test, context, 1, 1);
}

static void test_one(struct kunit *test)
{
	unsigned int context = tracing_gen_ctx();

	use_set(test, &pair[1], 1);
	KUNIT_EXPECT_EQ(test, nr_changed(), 0);
	expect_events(test, context, 0, 1);
}

static void test_full_set(struct kunit *test)
{
	unsigned int context = tracing_gen_ctx();

	use_set(test, all, ARRAY_SIZE(all));
	KUNIT_EXPECT_EQ(test, nr_changed(), 0);
	expect_events(test, context, ARRAY_SIZE(all) - 1, 1);
}

static void test_irqs_off(struct kunit *test)
{
	unsigned int context, nr;

	local_irq_disable();
	context = tracing_gen_ctx();
	nr = nr_changed();
	local_irq_enable();
	KUNIT_EXPECT_EQ(test, nr, 0);
	expect_events(test, context, 1, 1);
}

/* The last level is one more than an event can count: not written in line */
static void test_levels(struct kunit *test)
{
	unsigned int context[TRACE_CONTEXT_MAX_LEVEL + 1], i, nr = 0;

	for (i = 0; i < ARRAY_SIZE(context); i++) {
		preempt_disable();
		context[i] = tracing_gen_ctx();
		nr += nr_changed();
	}
	for (i = 0; i < ARRAY_SIZE(context); i++)
		preempt_enable();
	KUNIT_EXPECT_EQ(test, nr, 0);
	KUNIT_ASSERT_EQ(test, nr_entries(0), ARRAY_SIZE(context));
	KUNIT_ASSERT_EQ(test, nr_entries(1), ARRAY_SIZE(context));
	for (i = 0; i < ARRAY_SIZE(context); i++) {
		expect_event(test, 0, context[i]);
		expect_event(test, 1, context[i]);
	}
}

/* The second instance begins its sub-buffers at other events than the first */
static void test_new_pages(struct kunit *test)
{
	unsigned int context = tracing_gen_ctx(), i, nr = 0;

	instances[0]->function_enabled = 0;
	nr += nr_changed();
	instances[0]->function_enabled = 1;
	for (i = 0; i < MANY; i++)
		nr += nr_changed();
	KUNIT_EXPECT_EQ(test, nr, 0);
	expect_events(test, context, MANY, MANY + 1);
}

static void test_one_off(struct kunit *test)
{
	unsigned int context = tracing_gen_ctx(), i;

	for (i = 0; i < ARRAY_SIZE(instances); i++) {
		ring_buffer_record_off(instances[i]->array_buffer.buffer);
		KUNIT_EXPECT_EQ(test, nr_changed(), 0);
		ring_buffer_record_on(instances[i]->array_buffer.buffer);
		expect_events(test, context, i != 0, i != 1);
	}
	KUNIT_EXPECT_EQ(test, nr_changed(), 0);
	expect_events(test, context, 1, 1);
}

/* While no instance takes events, the entries return at once; more than there are places for */
static void test_all_off(struct kunit *test)
{
	unsigned int context = tracing_gen_ctx(), i;

	ring_buffer_record_off(instances[0]->array_buffer.buffer);
	ring_buffer_record_off(instances[1]->array_buffer.buffer);
	KUNIT_EXPECT_EQ(test, nr_changed(), 0);
	expect_events(test, context, 0, 0);
	ring_buffer_record_on(instances[1]->array_buffer.buffer);
	KUNIT_EXPECT_EQ(test, nr_changed(), 0);
	expect_events(test, context, 0, 1);
	ring_buffer_record_off(instances[1]->array_buffer.buffer);
	trace_function_set_stop(instances[1]);
	for (i = 0; i < 20; i++)
		trace_function_set_start(instances[0]);
	trace_function_set_start(instances[1]);
	ring_buffer_record_on(instances[1]->array_buffer.buffer);
	KUNIT_EXPECT_EQ(test, nr_changed(), 0);
	expect_events(test, context, 0, 1);
	trace_function_set_stop(instances[1]);
	for (i = 0; i < 20; i++)
		trace_function_set_stop(instances[0]);
	trace_function_set_start(instances[1]);
	KUNIT_EXPECT_EQ(test, nr_changed(), 0);
	ring_buffer_record_on(instances[0]->array_buffer.buffer);
	KUNIT_EXPECT_EQ(test, nr_changed(), 0);
	expect_events(test, context, 1, 2);
}

static void test_one_stopped(struct kunit *test)
{
	unsigned int context = tracing_gen_ctx(), i;

	for (i = 0; i < ARRAY_SIZE(instances); i++) {
		instances[i]->function_enabled = 0;
		KUNIT_EXPECT_EQ(test, nr_changed(), 0);
		instances[i]->function_enabled = 1;
		expect_events(test, context, i != 0, i != 1);
	}
}

/* While this CPU's part of an instance is disabled, nothing is written there */
static void test_one_cpu_disabled(struct kunit *test)
{
	struct trace_array_cpu *data;
	unsigned int context, i, nr;

	for (i = 0; i < ARRAY_SIZE(instances); i++) {
		preempt_disable();
		context = tracing_gen_ctx();
		data = this_cpu_ptr(instances[i]->array_buffer.data);
		atomic_inc(&data->disabled);
		nr = nr_changed();
		atomic_dec(&data->disabled);
		preempt_enable();
		KUNIT_EXPECT_EQ(test, nr, 0);
		expect_events(test, context, i != 0, i != 1);
	}
}

static int test_init(struct kunit *test)
{
	unsigned int i;

	nr_words = test->param_value ? *(const unsigned int *)test->param_value : 0;
	for (i = 0; i < ARRAY_SIZE(instances); i++) {
		if (!instances[i])
			return -ENOMEM;
		ring_buffer_reset(instances[i]->array_buffer.buffer);
		instances[i]->function_enabled = 1;
	}
	use_set(test, pair, ARRAY_SIZE(pair));
	return 0;
}

static int suite_init(struct kunit_suite *suite)
{
	unsigned int i;

	instances[0] = trace_array_get_by_name("kunit-set-0", NULL);
	instances[1] = trace_array_get_by_name("kunit-set-1", NULL);
	for (i = 0; i < ARRAY_SIZE(test_ops); i++) {
		test_ops[i].private = instances[i == ARRAY_SIZE(test_ops) - 1];
		all[i] = &test_ops[i];
	}
	for (i = 0; i < ARRAY_SIZE(instances); i++) {
		if (instances[i])
			trace_function_set_start(instances[i]);
	}
	return 0;
}

static void suite_exit(struct kunit_suite *suite)
{
	unsigned int i;

	mutex_lock(&ftrace_lock);
	for (i = 0; i < ARRAY_SIZE(test_ops); i++)
		ftrace_sets_forget(&test_ops[i]);
	mutex_unlock(&ftrace_lock);
	for (i = 0; i < ARRAY_SIZE(instances); i++) {
		if (!instances[i])
			continue;
		instances[i]->function_enabled = 0;
		trace_function_set_stop(instances[i]);
		trace_array_put(instances[i]);
		trace_array_destroy(instances[i]);
	}
}

static struct kunit_case cases[] = {
	KUNIT_CASE_PARAM(test_task, numbers_gen_params),
	KUNIT_CASE_PARAM(test_one, numbers_gen_params),
	KUNIT_CASE_PARAM(test_full_set, numbers_gen_params),
	KUNIT_CASE_PARAM(test_irqs_off, numbers_gen_params),
	KUNIT_CASE_PARAM(test_levels, numbers_gen_params),
	KUNIT_CASE_PARAM(test_new_pages, numbers_gen_params),
	KUNIT_CASE_PARAM(test_one_off, numbers_gen_params),
	KUNIT_CASE_PARAM(test_all_off, numbers_gen_params),
	KUNIT_CASE_PARAM(test_one_stopped, numbers_gen_params),
	KUNIT_CASE_PARAM(test_one_cpu_disabled, numbers_gen_params),
	{}
};

static struct kunit_suite suite = {
	.name = "function_set_entry",
	.init = test_init,
	.suite_init = suite_init,
	.suite_exit = suite_exit,
	.test_cases = cases,
};

kunit_test_suite(suite);

MODULE_DESCRIPTION("KUnit tests of the function tracer's entries for sets");
MODULE_LICENSE("GPL");
