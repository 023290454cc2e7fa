// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of the function graph tracer's entries: they keep all registers, write the right
 * events and have the function return to its caller, whichever way they go. These tests run for
 * each entry. Others look at who has the entries.
 */
#include <kunit/test.h>
#include <linux/irqflags.h>
#include <linux/kallsyms.h>
#include <linux/objtool.h>
#include <linux/overflow.h>
#include <linux/preempt.h>
#include <linux/reboot.h>
#include <linux/ring_buffer.h>
#include <linux/sched.h>
#include <linux/stacktrace.h>
#include <linux/stringify.h>
#include <linux/trace.h>
#include <linux/unaligned.h>
#include <asm/asm.h>

#include "fgraph/fgraph.h"
#include "fgraph/gate.h"
#include "ftrace_internal.h"
#include "trace.h"
#include "trace_call_site_test.h"
#include "trace_context.h"
#include "trace_graph_entry.h"

/* More than is in one sub-buffer, so that some begin a new one */
#define MANY		200

/* Behind the registers, in the array that the caller gets */
enum {
	SLOT = NR_REGS,		/* the return address of the function, after the entry */
	RETURNED,		/* the result that the caller got */
	RETURNED_HIGH,
	NR_VALUES,
};

/* Where the frame pointer is in the array */
#define FRAME_PLACE	6

/* What the function returns, in two registers */
#ifdef CONFIG_X86_64
#define RESULT		0x1234567890abcdef
#define HIGH_RESULT	0x0fedcba987654321
#else
#define RESULT		0x90abcdef
#define HIGH_RESULT	0x87654321
#endif

/* The place of SLOT + @i in the array, for an instruction */
#define TEST_PLACE(i)	__stringify(BITS_PER_LONG) " / 8 * (" __stringify(NR_REGS) " + " #i ")"

/* Behind TEST_STORE; no register is needed any more */
#define TEST_STORE_SLOT							\
	"\tmov (%" _ASM_SP "), %" _ASM_CX "\n"				\
	"\tmov %" _ASM_CX ", " TEST_PLACE(0) "(%" _ASM_ARG1 ")\n"
#define TEST_RETURN_RESULT						\
	"\tmov $" __stringify(RESULT) ", %" _ASM_AX "\n"			\
	"\tmov $" __stringify(HIGH_RESULT) ", %" _ASM_DX "\n"		\
	ASM_RET
/* The address of the array is the first word on the stack */
#define TEST_STORE_RESULT						\
	"\tmov (%" _ASM_SP "), %" _ASM_CX "\n"				\
	"\tmov %" _ASM_AX ", " TEST_PLACE(1) "(%" _ASM_CX ")\n"		\
	"\tmov %" _ASM_DX ", " TEST_PLACE(2) "(%" _ASM_CX ")\n"

/* The stack in the function that is called, if a test asks for it */
static bool stack_wanted;
static unsigned long stack[16];
static unsigned int nr_stack;

void test_graph_inside(void);
void test_graph_inside(void)
{
	if (stack_wanted)
		nr_stack = stack_trace_save(stack, ARRAY_SIZE(stack), 0);
}

/*
 * A function whose call site calls an entry, and which returns RESULT; and a caller of it. The
 * caller loads @values to the registers, and the function stores to @values what they are
 * behind the entry. There is one for each number of words, which has its own call instruction.
 */
#define TEST_FUNCTION(kind, nr_words)							\
	void test_graph_##kind##_caller_##nr_words(unsigned long *values);		\
	extern const char test_graph_##kind##_function_##nr_words[];			\
	asm(".pushsection .text\n"							\
	    ".type test_graph_" #kind "_function_" #nr_words ", @function\n"		\
	    "test_graph_" #kind "_function_" #nr_words ":\n"				\
	    ANNOTATE_NOENDBR								\
	    "\tcall function_graph_" #kind "_" #nr_words "\n"				\
	    TEST_STORE									\
	    TEST_STORE_SLOT								\
	    "\tpush %" _ASM_BP "\n"							\
	    "\tmov %" _ASM_SP ", %" _ASM_BP "\n"					\
	    "\tcall test_graph_inside\n"						\
	    "\tpop %" _ASM_BP "\n"							\
	    TEST_RETURN_RESULT								\
	    ".size test_graph_" #kind "_function_" #nr_words ", "			\
		".-test_graph_" #kind "_function_" #nr_words "\n"			\
	    ".type test_graph_" #kind "_caller_" #nr_words ", @function\n"		\
	    "test_graph_" #kind "_caller_" #nr_words ":\n"				\
	    "\t" ASM_ENDBR								\
	    TEST_SAVE									\
	    TEST_LOAD									\
	    "\tcall test_graph_" #kind "_function_" #nr_words "\n"			\
	    TEST_STORE_RESULT								\
	    TEST_RESTORE								\
	    ASM_RET									\
	    ".size test_graph_" #kind "_caller_" #nr_words ", "				\
		".-test_graph_" #kind "_caller_" #nr_words "\n"			\
	    ".popsection\n");								\
	STACK_FRAME_NON_STANDARD_FP(test_graph_##kind##_caller_##nr_words);

#define TEST_ENTRY(nr_words)	TEST_FUNCTION(entry, nr_words)
#define TEST_LIMITED(nr_words)	TEST_FUNCTION(limited, nr_words)

FTRACE_ENTRIES_BY_WORDS(TEST_ENTRY)
FTRACE_ENTRIES_BY_WORDS(TEST_LIMITED)

#define FUNCTION(kind, nr_words)	\
	{ nr_words, #nr_words " words, " #kind, \
	  test_graph_##kind##_caller_##nr_words, test_graph_##kind##_function_##nr_words },
#define ENTRY(nr_words)		FUNCTION(entry, nr_words)
#define LIMITED(nr_words)	FUNCTION(limited, nr_words)

/* Tests run for each of these */
static const struct function {
	unsigned int	nr_words;
	const char	*name;
	void		(*caller)(unsigned long *values);
	const char	*function;
} functions[] = {
	FTRACE_ENTRIES_BY_WORDS(ENTRY)
	FTRACE_ENTRIES_BY_WORDS(LIMITED)
};

static void describe_function(const struct function *function, char *description)
{
	strscpy(description, function->name, KUNIT_PARAM_DESC_SIZE);
}

KUNIT_ARRAY_PARAM(functions, functions, describe_function);

/* The one that the test calls */
static const struct function *tested;

static struct trace_array *test_tr;

static struct trace_buffer *test_buffer(void)
{
	return test_tr->array_buffer.buffer;
}

/* What has become of a call */
struct outcome {
	unsigned int	nr_wrong;	/* registers, results, the return stack */
	bool		hooked;
};

static struct outcome call(void)
{
	/* Not on the stack, where the guess unwinder would take a handler for one that is in use */
	static unsigned long values[NR_VALUES];
	unsigned long before[NR_REGS];
	int position = current->curr_ret_stack, depth = current->curr_ret_depth;
	struct outcome outcome = { };
	unsigned int i;

	for (i = 0; i < NR_REGS; i++)
		before[i] = register_value(i);
	/* An unwinder may follow it */
	if (stack_wanted)
		before[FRAME_PLACE] = (unsigned long)__builtin_frame_address(0);
	memcpy(values, before, sizeof(before));
	tested->caller(values);
	for (i = 0; i < NR_REGS; i++)
		outcome.nr_wrong += values[i] != before[i];
	outcome.nr_wrong += values[RETURNED] != RESULT;
	outcome.nr_wrong += values[RETURNED_HIGH] != HIGH_RESULT;
	outcome.nr_wrong += current->curr_ret_stack != position;
	outcome.nr_wrong += current->curr_ret_depth != depth;
	outcome.hooked = values[SLOT] == (unsigned long)return_to_function_graph;
	return outcome;
}

/* All is right, and the return was hooked or not */
static void expect_outcome(struct kunit *test, struct outcome outcome, bool hooked)
{
	KUNIT_EXPECT_EQ(test, outcome.nr_wrong, 0);
	KUNIT_EXPECT_EQ(test, outcome.hooked, hooked);
}

static unsigned long nr_events(void)
{
	return ring_buffer_entries(test_buffer());
}

static struct ring_buffer_event *next_event(u64 *ts)
{
	struct ring_buffer_event *event = NULL;
	int cpu;

	for_each_online_cpu(cpu) {
		event = ring_buffer_consume(test_buffer(), cpu, ts, NULL);
		if (event)
			break;
	}
	return event;
}

/* @context is what tracing_gen_ctx() says of the call */
static void expect_context(struct kunit *test, const struct trace_entry *ent, int type,
			   unsigned int context)
{
	KUNIT_EXPECT_EQ(test, ent->type, type);
	KUNIT_EXPECT_EQ(test, ent->pid, current->pid);
	KUNIT_EXPECT_EQ(test, ent->preempt_count, context & 0xff);
	KUNIT_EXPECT_EQ(test, ent->flags & TRACE_FLAG_IRQS_OFF,
			context >> 16 & TRACE_FLAG_IRQS_OFF);
}

static void expect_entry(struct kunit *test, unsigned int context, u64 *ts)
{
	struct ring_buffer_event *event = next_event(ts);
	const struct ftrace_graph_ent_entry *entry;
	unsigned int i;

	KUNIT_ASSERT_NOT_NULL(test, event);
	entry = ring_buffer_event_data(event);
	expect_context(test, &entry->ent, TRACE_GRAPH_ENT, context);
	KUNIT_EXPECT_EQ(test, entry->graph_ent.func, (unsigned long)tested->function);
	KUNIT_EXPECT_EQ(test, entry->graph_ent.depth, current->curr_ret_depth + 1);
	KUNIT_ASSERT_EQ(test, ring_buffer_event_length(event),
			struct_size(entry, args, tested->nr_words));
	for (i = 0; i < tested->nr_words; i++)
		KUNIT_EXPECT_EQ(test, get_unaligned(&entry->args[i]), argument_value(i));
}

static void expect_return(struct kunit *test, unsigned int context, u64 entered)
{
	const struct ftrace_graph_ret_entry *entry;
	struct ring_buffer_event *event;
	u64 ts;

	event = next_event(&ts);
	KUNIT_ASSERT_NOT_NULL(test, event);
	entry = ring_buffer_event_data(event);
	expect_context(test, &entry->ent, TRACE_GRAPH_RET, context);
	KUNIT_EXPECT_EQ(test, entry->ret.func, (unsigned long)tested->function);
#ifdef CONFIG_FUNCTION_GRAPH_RETVAL
	KUNIT_EXPECT_EQ(test, entry->ret.retval, RESULT);
#endif
	KUNIT_EXPECT_EQ(test, entry->ret.depth, current->curr_ret_depth + 1);
	KUNIT_EXPECT_EQ(test, entry->ret.overrun, atomic_read(&current->trace_overrun));
	/* The first event of a sub-buffer may be a bit later */
	KUNIT_EXPECT_LE(test, entry->ret.calltime, entered);
	KUNIT_EXPECT_LE(test, entered, entry->ret.rettime);
	KUNIT_EXPECT_LE(test, entry->ret.rettime, ts);
}

/* Takes the next events and checks them */
static void expect_call(struct kunit *test, unsigned int context)
{
	u64 entered;

	expect_entry(test, context, &entered);
	expect_return(test, context, entered);
}

static void test_task(struct kunit *test)
{
	unsigned int context = tracing_gen_ctx(), i;

	for (i = 0; i < 3; i++)
		expect_outcome(test, call(), true);
	KUNIT_EXPECT_EQ(test, nr_events(), 3 * 2);
	for (i = 0; i < 3; i++)
		expect_call(test, context);
}

/* An unwinder finds the caller, and not what the address was replaced by */
static void test_unwound(struct kunit *test)
{
	unsigned long size, offset;
	bool found = false;
	unsigned int i;

	nr_stack = 0;
	stack_wanted = true;
	expect_outcome(test, call(), true);
	stack_wanted = false;
	for (i = 0; i < nr_stack; i++) {
		KUNIT_EXPECT_FALSE(test, fgraph_is_handler(stack[i]));
		if (kallsyms_lookup_size_offset(stack[i], &size, &offset))
			found |= stack[i] - offset == (unsigned long)tested->caller;
	}
	KUNIT_EXPECT_TRUE(test, found);
}

static void test_irqs_off(struct kunit *test)
{
	struct outcome outcome;
	unsigned int context;

	local_irq_disable();
	context = tracing_gen_ctx();
	outcome = call();
	local_irq_enable();
	expect_outcome(test, outcome, true);
	expect_call(test, context);
}

static void test_preemption_off(struct kunit *test)
{
	unsigned int context[TRACE_CONTEXT_MAX_LEVEL], i;
	struct outcome outcome[TRACE_CONTEXT_MAX_LEVEL];

	for (i = 0; i < ARRAY_SIZE(context); i++) {
		preempt_disable();
		context[i] = tracing_gen_ctx();
		outcome[i] = call();
	}
	for (i = 0; i < ARRAY_SIZE(context); i++)
		preempt_enable();
	for (i = 0; i < ARRAY_SIZE(context); i++) {
		expect_outcome(test, outcome[i], true);
		/* There is no telling 15 levels and more from each other */
		expect_entry(test, context[i], NULL);
		next_event(NULL);
	}
}

static void test_new_pages(struct kunit *test)
{
	unsigned int context = tracing_gen_ctx(), i, nr_wrong = 0;

	for (i = 0; i < MANY; i++) {
		struct outcome outcome = call();

		nr_wrong += outcome.nr_wrong + !outcome.hooked;
	}
	KUNIT_EXPECT_EQ(test, nr_wrong, 0);
	KUNIT_EXPECT_EQ(test, nr_events(), 2 * MANY);
	for (i = 0; i < MANY; i++)
		expect_call(test, context);
}

static void test_tracing_off(struct kunit *test)
{
	ring_buffer_record_off(test_buffer());
	KUNIT_EXPECT_EQ(test, graph_gate_look, GRAPH_GATE_ALWAYS);
	expect_outcome(test, call(), false);
	ring_buffer_record_disable(test_buffer());
	ring_buffer_record_on(test_buffer());
	KUNIT_EXPECT_EQ(test, graph_gate_look, GRAPH_GATE_ALWAYS);
	expect_outcome(test, call(), false);
	KUNIT_EXPECT_EQ(test, nr_events(), 0);
	ring_buffer_record_enable(test_buffer());
	expect_outcome(test, call(), true);
	KUNIT_EXPECT_EQ(test, nr_events(), 2);
}

/* While this CPU's part of the instance is disabled, nothing is written */
static void test_cpu_disabled(struct kunit *test)
{
	struct trace_array_cpu *data;
	struct outcome outcome;

	preempt_disable();
	data = this_cpu_ptr(test_tr->array_buffer.data);
	atomic_inc(&data->disabled);
	outcome = call();
	atomic_dec(&data->disabled);
	preempt_enable();
	expect_outcome(test, outcome, false);
	KUNIT_EXPECT_EQ(test, nr_events(), 0);
}

static void test_other_clock(struct kunit *test)
{
	unsigned int context = tracing_gen_ctx();

	KUNIT_ASSERT_EQ(test, tracing_set_clock(test_tr, "mono"), 0);
	expect_outcome(test, call(), true);
	KUNIT_EXPECT_EQ(test, nr_events(), 2);
	expect_entry(test, context, NULL);
}

/* Sites that are not patched yet when the tracer stops */
static void test_stopped(struct kunit *test)
{
	KUNIT_ASSERT_EQ(test, tracing_set_tracer(test_tr, "nop"), 0);
	expect_outcome(test, call(), false);
	KUNIT_EXPECT_EQ(test, nr_events(), 0);
}

static void test_paused(struct kunit *test)
{
	pause_graph_tracing();
	expect_outcome(test, call(), false);
	unpause_graph_tracing();
	KUNIT_EXPECT_EQ(test, nr_events(), 0);
}

static void test_no_stack(struct kunit *test)
{
	struct outcome outcome;
	unsigned long *stack;

	local_irq_disable();
	stack = current->ret_stack;
	current->ret_stack = NULL;
	graph_gate_set_stack(current, false);
	outcome = call();
	current->ret_stack = stack;
	graph_gate_set_stack(current, true);
	local_irq_enable();
	expect_outcome(test, outcome, false);
	KUNIT_EXPECT_EQ(test, nr_events(), 0);
}

/* A call that finds no room is counted */
static void test_full_stack(struct kunit *test)
{
	int overrun = atomic_read(&current->trace_overrun), position = current->curr_ret_stack;
	unsigned int end = FGRAPH_VARIABLES - FGRAPH_FRAME_WORDS + 1;
	struct outcome outcome;

	local_irq_disable();
	current->curr_ret_stack = fgraph_position(end - FGRAPH_FRAME_WORDS, end);
	outcome = call();
	current->curr_ret_stack = position;
	local_irq_enable();
	expect_outcome(test, outcome, false);
	KUNIT_EXPECT_EQ(test, nr_events(), 0);
	KUNIT_EXPECT_EQ(test, atomic_read(&current->trace_overrun), overrun + 1);
	expect_outcome(test, call(), true);
	expect_call(test, tracing_gen_ctx());
}

/* In a function of set_graph_notrace that was called before the filter was removed */
static void test_silenced(struct kunit *test)
{
	unsigned long *state = fgraph_task_var(current, test_tr->gops);

	graph_gate_change(state, *state | TRACE_GRAPH_NOTRACE);
	expect_outcome(test, call(), false);
	KUNIT_EXPECT_EQ(test, nr_events(), 0);
	graph_gate_change(state, *state & ~TRACE_GRAPH_NOTRACE);
	expect_outcome(test, call(), true);
	KUNIT_EXPECT_EQ(test, nr_events(), 2);
}

/* The gate repeats the variable of who has the entries, and no other one */
static void test_other_variable(struct kunit *test)
{
	struct fgraph_ops other = { .idx = test_tr->gops->idx ? 0 : FGRAPH_MAX_USERS - 1 };
	unsigned long *state = fgraph_task_var(current, &other);
	unsigned long was = *state;

	KUNIT_EXPECT_EQ(test, graph_gate_index, test_tr->gops->idx);
	graph_gate_change(state, was | TRACE_GRAPH_NOTRACE);
	KUNIT_EXPECT_EQ(test, *state, was | TRACE_GRAPH_NOTRACE);
	expect_outcome(test, call(), true);
	graph_gate_change(state, was);
	KUNIT_EXPECT_EQ(test, nr_events(), 2);
}

/* When another instance gets the entries, gates repeat what its variables are by then */
static void test_set_gates(struct kunit *test)
{
	unsigned long *state = fgraph_task_var(current, test_tr->gops);
	unsigned long was = *state;

	graph_gate_change(state, was | TRACE_GRAPH_NOTRACE);
	*state = was;
	expect_outcome(test, call(), false);
	fgraph_set_gates(test_tr->gops->idx);
	expect_outcome(test, call(), true);
	KUNIT_EXPECT_EQ(test, nr_events(), 2);
	*state = was | TRACE_GRAPH_NOTRACE;
	fgraph_set_gates(test_tr->gops->idx);
	expect_outcome(test, call(), false);
	graph_gate_change(state, was);
	expect_outcome(test, call(), true);
	KUNIT_EXPECT_EQ(test, nr_events(), 4);
}

static void set_max_depth(unsigned int depth)
{
	fgraph_max_depth = depth;
	graph_filters_changed();
}

/*
 * A call that is too deep. Sites that are not patched yet call an entry that looks at the depth
 * only if it cannot write in line.
 */
static void expect_too_deep(struct kunit *test)
{
	unsigned long events = nr_events();
	struct outcome outcome = call();

	KUNIT_EXPECT_EQ(test, outcome.nr_wrong, 0);
	if (strstr(tested->name, "limited"))
		KUNIT_EXPECT_FALSE(test, outcome.hooked);
	KUNIT_EXPECT_EQ(test, nr_events(), events + (outcome.hooked ? 2 : 0));
}

static void test_too_deep(struct kunit *test)
{
	int depth = current->curr_ret_depth;

	KUNIT_EXPECT_LT(test, depth, 0);
	set_max_depth(1);
	expect_outcome(test, call(), true);
	current->curr_ret_depth = 0;
	expect_too_deep(test);
	current->curr_ret_depth = 5;
	expect_too_deep(test);
	set_max_depth(7);
	expect_outcome(test, call(), true);
	current->curr_ret_depth = 6;
	expect_too_deep(test);
	set_max_depth(UINT_MAX);
	expect_outcome(test, call(), true);
	set_max_depth(0);
	expect_outcome(test, call(), true);
	current->curr_ret_depth = depth;
}

static void set_pid_filter(bool filter)
{
	test_tr->gops->ask_task = filter;
	guard(mutex)(&ftrace_lock);
	trace_graph_update_gates();
}

/* A task that set_ftrace_pid does not have */
static void test_other_task(struct kunit *test)
{
	graph_gate_set_other(current, true);
	expect_outcome(test, call(), true);
	set_pid_filter(true);
	expect_outcome(test, call(), false);
	graph_gate_set_other(current, false);
	expect_outcome(test, call(), true);
	graph_gate_set_other(current, true);
	set_pid_filter(false);
	expect_outcome(test, call(), true);
	graph_gate_set_other(current, false);
	KUNIT_EXPECT_EQ(test, nr_events(), 6);
}

static unsigned int chosen_for(void (*function)(void))
{
	unsigned long ip = ftrace_location((unsigned long)function);

	guard(mutex)(&ftrace_lock);
	return function_graph_entries.choose(NULL, ip);
}

/* Nobody calls these two */
static unsigned int chosen(void)
{
	return chosen_for(kernel_power_off);
}

static unsigned int chosen_for_other(void)
{
	return chosen_for(kernel_halt);
}

static void want(struct kunit *test, struct trace_array *tr, const char *function, bool only)
{
	char name[KSYM_NAME_LEN];
	int length = strscpy(name, function, sizeof(name));

	KUNIT_ASSERT_EQ(test, ftrace_set_filter(tr->ops, name, length, only), 0);
}

static void start(struct kunit *test, struct trace_array *tr)
{
	KUNIT_ASSERT_EQ(test, tracing_set_tracer(tr, "function_graph"), 0);
}

static void stop(struct kunit *test, struct trace_array *tr)
{
	KUNIT_ASSERT_EQ(test, tracing_set_tracer(tr, "nop"), 0);
}

static struct trace_array *new_instance(struct kunit *test)
{
	struct trace_array *tr = trace_array_get_by_name("kunit-graph-other", NULL);

	KUNIT_ASSERT_NOT_NULL(test, tr);
	return tr;
}

static void remove_instance(struct trace_array *tr)
{
	tracing_set_tracer(tr, "nop");
	trace_array_put(tr);
	trace_array_destroy(tr);
}

/* Sites call entries as long as nothing is filtered that the callback looks at */
static void test_choice(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, chosen(), 1);
	KUNIT_EXPECT_EQ(test, function_graph_entries.addr[0],
			(unsigned long)function_graph_entry_0);
	set_max_depth(1);
	KUNIT_EXPECT_EQ(test, chosen(), FTRACE_SIG_ARG_REGS + 2);
	KUNIT_EXPECT_EQ(test, function_graph_entries.addr[FTRACE_SIG_ARG_REGS + 1],
			(unsigned long)function_graph_limited_0);
	set_max_depth(0);
	KUNIT_EXPECT_EQ(test, chosen(), 1);
}

/* Those that two users want call none */
static void test_second_user(struct kunit *test)
{
	struct trace_array *other = new_instance(test);

	want(test, other, "kernel_power_off", true);
	start(test, other);
	KUNIT_EXPECT_EQ(test, chosen(), 0);
	/* A call that is in an entry when the second user comes is told to the first */
	expect_outcome(test, call(), true);
	KUNIT_EXPECT_EQ(test, nr_events(), 2);
	want(test, other, "kernel_halt", true);
	KUNIT_EXPECT_EQ(test, chosen(), 1);
	KUNIT_EXPECT_EQ(test, chosen_for_other(), 0);
	want(test, other, "kernel_power_off", false);
	KUNIT_EXPECT_EQ(test, chosen(), 0);
	stop(test, other);
	KUNIT_EXPECT_EQ(test, chosen(), 1);
	start(test, other);
	KUNIT_EXPECT_EQ(test, chosen(), 0);
	remove_instance(other);
	KUNIT_EXPECT_EQ(test, chosen(), 1);
}

/* Entries tell one user of calls until it goes, then another one */
static void test_next_user(struct kunit *test)
{
	struct trace_array *other = new_instance(test);

	want(test, other, "kernel_halt", true);
	start(test, other);
	KUNIT_EXPECT_EQ(test, graph_gate_index, test_tr->gops->idx);
	graph_gate_change(fgraph_task_var(current, other->gops), TRACE_GRAPH_NOTRACE);
	expect_outcome(test, call(), true);
	KUNIT_EXPECT_EQ(test, nr_events(), 2);
	stop(test, test_tr);
	KUNIT_EXPECT_EQ(test, chosen_for_other(), 1);
	KUNIT_EXPECT_EQ(test, graph_gate_index, other->gops->idx);
	/* Its variable has silenced the task */
	expect_outcome(test, call(), false);
	graph_gate_change(fgraph_task_var(current, other->gops), 0);
	expect_outcome(test, call(), true);
	KUNIT_EXPECT_EQ(test, ring_buffer_entries(other->array_buffer.buffer), 2);
	start(test, test_tr);
	expect_outcome(test, call(), true);
	KUNIT_EXPECT_EQ(test, ring_buffer_entries(other->array_buffer.buffer), 4);
	KUNIT_EXPECT_EQ(test, chosen(), 0);
	remove_instance(other);
	KUNIT_EXPECT_EQ(test, chosen(), 1);
	/* It began anew when it was started again */
	KUNIT_EXPECT_EQ(test, nr_events(), 0);
	expect_outcome(test, call(), true);
	KUNIT_EXPECT_EQ(test, nr_events(), 2);
}

static int test_init(struct kunit *test)
{
	char function[] = "kernel_power_off";
	int err;

	tested = test->param_value ?: &functions[0];
	test_tr = trace_array_get_by_name("kunit-graph-entry", NULL);
	if (!test_tr)
		return -ENOMEM;
	err = ftrace_set_filter(test_tr->ops, function, strlen(function), 1);
	if (!err)
		err = tracing_set_tracer(test_tr, "function_graph");
	if (err)
		return err;
	if (!chosen())
		kunit_skip(test, "the function graph is in use");
	return 0;
}

static void test_exit(struct kunit *test)
{
	if (!test_tr)
		return;
	tracing_set_tracer(test_tr, "nop");
	trace_array_put(test_tr);
	trace_array_destroy(test_tr);
	test_tr = NULL;
}

static struct kunit_case cases[] = {
	KUNIT_CASE_PARAM(test_task, functions_gen_params),
	KUNIT_CASE_PARAM(test_unwound, functions_gen_params),
	KUNIT_CASE_PARAM(test_irqs_off, functions_gen_params),
	KUNIT_CASE_PARAM(test_preemption_off, functions_gen_params),
	KUNIT_CASE_PARAM(test_new_pages, functions_gen_params),
	KUNIT_CASE_PARAM(test_tracing_off, functions_gen_params),
	KUNIT_CASE_PARAM(test_cpu_disabled, functions_gen_params),
	KUNIT_CASE_PARAM(test_other_clock, functions_gen_params),
	KUNIT_CASE_PARAM(test_stopped, functions_gen_params),
	KUNIT_CASE_PARAM(test_paused, functions_gen_params),
	KUNIT_CASE_PARAM(test_no_stack, functions_gen_params),
	KUNIT_CASE_PARAM(test_full_stack, functions_gen_params),
	KUNIT_CASE_PARAM(test_silenced, functions_gen_params),
	KUNIT_CASE_PARAM(test_other_variable, functions_gen_params),
	KUNIT_CASE_PARAM(test_set_gates, functions_gen_params),
	KUNIT_CASE_PARAM(test_too_deep, functions_gen_params),
	KUNIT_CASE_PARAM(test_other_task, functions_gen_params),
	/* The entry is the first one */
	KUNIT_CASE(test_choice),
	KUNIT_CASE(test_second_user),
	KUNIT_CASE(test_next_user),
	{}
};

static struct kunit_suite suite = {
	.name = "graph_entry",
	.init = test_init,
	.exit = test_exit,
	.test_cases = cases,
};

kunit_test_suite(suite);

MODULE_DESCRIPTION("KUnit tests of the function graph tracer's entries");
MODULE_LICENSE("GPL");
