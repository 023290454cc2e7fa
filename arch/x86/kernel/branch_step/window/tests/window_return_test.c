// SPDX-License-Identifier: GPL-2.0
/*
 * Windows of the kernel in which a tracer is between a function's return and where that goes: the
 * way is the one without it.
 */
#include <kunit/test.h>
#include <linux/branch_trace.h>
#include <linux/ftrace.h>
#include <linux/kallsyms.h>
#include <linux/kprobes.h>
#include <linux/string.h>

#include "expect.h"
#include "walk.h"

/* Tracers put themselves there, and jump to where the return goes without speculation */
static bool is_of_tracer(u64 ip)
{
	static const char * const names[] = {
		"return_to_", "arch_rethook_", "__x86_indirect_",
	};
	char name[KSYM_SYMBOL_LEN];
	unsigned int i;

	sprint_symbol_no_offset(name, ip);
	for (i = 0; i < ARRAY_SIZE(names); i++) {
		if (str_has_prefix(name, names[i]))
			return true;
	}
	return false;
}

/* From @record on, the way back from the walk */
static void expect_return(struct kunit *test, struct branch_ctx *ctx, struct branch_record record)
{
	while (!walk_is_in(record.to, "branch_walk_twice")) {
		KUNIT_ASSERT_FALSE_MSG(test, is_of_tracer(record.to), "%pS -> %pS",
				       (void *)(long)record.from, (void *)(long)record.to);
		KUNIT_ASSERT_TRUE(test, walk_read_branch(test, ctx, &record));
	}
	KUNIT_EXPECT_FALSE_MSG(test, is_of_tracer(record.from), "%pS -> %pS",
			       (void *)(long)record.from, (void *)(long)record.to);
	KUNIT_EXPECT_EQ(test, record.kind, BRANCH_RETURN);
}

static void expect_call_and_return(struct kunit *test, struct branch_ctx *ctx)
{
	struct branch_record record;

	do {
		KUNIT_ASSERT_TRUE(test, walk_read_branch(test, ctx, &record));
	} while (record.to != (unsigned long)branch_walk);
	KUNIT_EXPECT_EQ(test, record.kind, BRANCH_CALL);
	KUNIT_ASSERT_TRUE(test, walk_read_branch(test, ctx, &record));
	walk_expect_walk(test, ctx, &record);
	expect_return(test, ctx, record);
}

static void walk_with_tracer(struct kunit *test)
{
	struct branch_ctx *ctx = walk_open_ctx(test, "branch_walk_twice");

	branch_walk_twice(walk_sleep, NULL);
	branch_ctx_stop(ctx);
	walk_expect_entry(test, ctx, "branch_walk_twice");
	expect_call_and_return(test, ctx);
	expect_call_and_return(test, ctx);
	walk_close_ctx(test, ctx);
}

static unsigned int nr_returns;

static int want_return(struct ftrace_graph_ent *entry, struct fgraph_ops *gops,
		       struct ftrace_regs *fregs)
{
	return 1;
}

static void count_return(struct ftrace_graph_ret *ret, struct fgraph_ops *gops,
			 struct ftrace_regs *fregs)
{
	nr_returns++;
}

static void test_function_graph(struct kunit *test)
{
	static struct fgraph_ops gops = {
		.entryfunc = want_return,
		.retfunc = count_return,
	};
	char name[] = "branch_walk";

	nr_returns = 0;
	KUNIT_ASSERT_EQ(test, ftrace_set_filter(&gops.ops, name, strlen(name), true), 0);
	KUNIT_ASSERT_EQ(test, register_ftrace_graph(&gops), 0);
	walk_with_tracer(test);
	unregister_ftrace_graph(&gops);
	KUNIT_EXPECT_EQ(test, nr_returns, 2);
}

#ifdef CONFIG_KRETPROBES
static int count_probed_return(struct kretprobe_instance *instance, struct pt_regs *regs)
{
	nr_returns++;
	return 0;
}

static void test_return_probe(struct kunit *test)
{
	static struct kretprobe probe = {
		.kp.symbol_name = "branch_walk",
		.handler = count_probed_return,
	};

	nr_returns = 0;
	KUNIT_ASSERT_EQ(test, register_kretprobe(&probe), 0);
	walk_with_tracer(test);
	unregister_kretprobe(&probe);
	KUNIT_EXPECT_EQ(test, nr_returns, 2);
}
#endif

static struct kunit_case branch_window_return_cases[] = {
	KUNIT_CASE(test_function_graph),
#ifdef CONFIG_KRETPROBES
	KUNIT_CASE(test_return_probe),
#endif
	{}
};

static struct kunit_suite branch_window_return_suite = {
	.name = "branch_window_return",
	.test_cases = branch_window_return_cases,
};

kunit_test_suite(branch_window_return_suite);
