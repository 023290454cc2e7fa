// SPDX-License-Identifier: GPL-2.0
/*
 * What windows must tell of the walk.
 */
#include <kunit/test.h>
#include <linux/branch_trace.h>
#include <linux/delay.h>
#include <linux/kallsyms.h>
#include <linux/sched.h>
#include <linux/string.h>

#include "../../tests/ctx.h"
#include "expect.h"
#include "walk.h"

#define NR_RECORDS	BIT(16)

static struct branch_ctx *open_ctx(struct kunit *test, struct task_struct *task,
				   const char *functions, const struct branch_ops *ops,
				   void *data)
{
	struct branch_attr attr = {
		.subject = task ? BRANCH_TASK : BRANCH_ALL_CPUS,
		.task = task,
		.modes = BRANCH_KERNEL,
		.functions = functions,
		.backend = "step",
		.records = NR_RECORDS,
	};

	return step_ctx_open(test, &attr, ops, data);
}

struct branch_ctx *walk_open_ctx_of(struct kunit *test, struct task_struct *task,
				    const char *functions)
{
	return open_ctx(test, task, functions, NULL, NULL);
}

struct branch_ctx *walk_open_ctx(struct kunit *test, const char *functions)
{
	return walk_open_ctx_of(test, current, functions);
}

struct branch_ctx *walk_open_ctx_with(struct kunit *test, const char *functions,
				      const struct branch_ops *ops, void *data)
{
	return open_ctx(test, current, functions, ops, data);
}

void walk_close_ctx(struct kunit *test, struct branch_ctx *ctx)
{
	step_ctx_close(test, ctx);
}

static bool is_in_walk(u64 ip)
{
	u64 offset = ip - (unsigned long)branch_walk;

	return offset >= walk_begin && offset < walk_end;
}

bool walk_is_of_walk(const struct branch_record *record)
{
	return !branch_is_marker(record->kind) && is_in_walk(record->from);
}

/* The next record but those of tracing that began, and of switches */
bool walk_read_branch(struct kunit *test, struct branch_ctx *ctx, struct branch_record *record)
{
	while (branch_ctx_read(ctx, record)) {
		KUNIT_EXPECT_NE_MSG(test, record->kind, BRANCH_LOST, "%llu lost", record->from);
		if (branch_is_marker(record->kind))
			continue;
		KUNIT_EXPECT_TRUE(test, record->flags & BRANCH_FLAG_FROM_KERNEL);
		KUNIT_EXPECT_TRUE(test, record->flags & BRANCH_FLAG_TO_KERNEL);
		return true;
	}
	return false;
}

bool walk_is_in(u64 ip, const char *function)
{
	char name[KSYM_SYMBOL_LEN];

	sprint_symbol_no_offset(name, ip);
	return !strcmp(name, function);
}

void walk_expect_entry(struct kunit *test, struct branch_ctx *ctx, const char *function)
{
	struct branch_record record;

	KUNIT_ASSERT_TRUE(test, walk_read_branch(test, ctx, &record));
	KUNIT_EXPECT_EQ(test, record.kind, BRANCH_UNKNOWN);
	KUNIT_EXPECT_TRUE(test, record.flags & BRANCH_FLAG_FROM_HIDDEN);
	KUNIT_EXPECT_TRUE_MSG(test, walk_is_in(record.to, function), "%pS",
			      (void *)(long)record.to);
}

void walk_expect_branch(struct kunit *test, const struct branch_record *record,
			const struct walk_branch *expected)
{
	KUNIT_EXPECT_EQ_MSG(test, record->from, (unsigned long)branch_walk + expected->from,
			    "%pS -> %pS, not from %pS", (void *)(long)record->from,
			    (void *)(long)record->to, (void *)branch_walk + expected->from);
	KUNIT_EXPECT_EQ(test, record->to, (unsigned long)branch_walk + expected->to);
	KUNIT_EXPECT_EQ(test, record->kind, expected->kind);
}

static void expect_branches(struct kunit *test, struct branch_ctx *ctx,
			    struct branch_record *record, const struct walk_branch *expected,
			    const struct walk_branch *end)
{
	for (; expected < end; expected++) {
		KUNIT_EXPECT_TRUE(test, walk_is_of_walk(record));
		walk_expect_branch(test, record, expected);
		KUNIT_ASSERT_TRUE(test, walk_read_branch(test, ctx, record));
	}
}

/* The branches of the walk, each known, and nothing else that begins in it */
void walk_expect_walk(struct kunit *test, struct branch_ctx *ctx, struct branch_record *record)
{
	expect_branches(test, ctx, record, walk_branches, walk_branches_end);
	KUNIT_EXPECT_FALSE(test, walk_is_of_walk(record));
}

static void expect_walk_irqs_off(struct kunit *test, struct branch_ctx *ctx,
				 struct branch_record *record)
{
	expect_branches(test, ctx, record, walk_branches, walk_branches_end - 1);
	expect_branches(test, ctx, record, &walk_branch_irqs_off, &walk_branch_irqs_off + 1);
	KUNIT_EXPECT_FALSE(test, walk_is_of_walk(record));
}

/* Whatever thunk the kernel returns by, that is the last of the window */
void walk_expect_return(struct kunit *test, struct branch_ctx *ctx, struct branch_record record,
			const char *caller)
{
	while (!walk_is_in(record.to, caller)) {
		KUNIT_EXPECT_NE(test, record.kind, BRANCH_UNKNOWN);
		KUNIT_ASSERT_TRUE(test, walk_read_branch(test, ctx, &record));
	}
	KUNIT_EXPECT_EQ(test, record.kind, BRANCH_RETURN);
}

void walk_expect_end(struct kunit *test, struct branch_ctx *ctx)
{
	struct branch_record record;

	if (walk_read_branch(test, ctx, &record))
		KUNIT_FAIL(test, "%pS -> %pS", (void *)(long)record.from,
			   (void *)(long)record.to);
}

static void expect_window(struct kunit *test, struct branch_ctx *ctx, const char *caller,
			  void (*expect_walk)(struct kunit *test, struct branch_ctx *ctx,
					      struct branch_record *record))
{
	struct branch_record record;

	walk_expect_entry(test, ctx, "branch_walk");
	KUNIT_ASSERT_TRUE(test, walk_read_branch(test, ctx, &record));
	expect_walk(test, ctx, &record);
	walk_expect_return(test, ctx, record, caller);
}

void walk_expect_window(struct kunit *test, struct branch_ctx *ctx, const char *caller)
{
	expect_window(test, ctx, caller, walk_expect_walk);
}

void walk_expect_window_irqs_off(struct kunit *test, struct branch_ctx *ctx, const char *caller)
{
	expect_window(test, ctx, caller, expect_walk_irqs_off);
}

void walk_expect_exception(struct kunit *test, struct branch_ctx *ctx, const char *function,
			   struct branch_record *exception)
{
	struct branch_record record;
	unsigned int nr = 0;

	walk_expect_entry(test, ctx, function);
	while (walk_read_branch(test, ctx, &record)) {
		if (record.kind != BRANCH_EXCEPTION)
			continue;
		*exception = record;
		nr++;
	}
	KUNIT_ASSERT_EQ(test, nr, 1);
	KUNIT_EXPECT_TRUE(test, walk_is_in(exception->from, function));
	KUNIT_EXPECT_TRUE(test, walk_is_in(exception->to, function));
}

/* The next branch of the walk, whatever is between */
static bool walk_read_walk(struct kunit *test, struct branch_ctx *ctx, struct branch_record *record)
{
	while (walk_read_branch(test, ctx, record)) {
		if (walk_is_of_walk(record))
			return true;
	}
	return false;
}

/* So many walks, and nothing else that begins in the walk */
void walk_expect_walks(struct kunit *test, struct branch_ctx *ctx, unsigned int nr)
{
	const struct walk_branch *expected;
	struct branch_record record;

	while (nr--) {
		for (expected = walk_branches; expected < walk_branches_end; expected++) {
			KUNIT_ASSERT_TRUE(test, walk_read_walk(test, ctx, &record));
			walk_expect_branch(test, &record, expected);
		}
	}
	KUNIT_EXPECT_FALSE(test, walk_read_walk(test, ctx, &record));
}

void walk_expect_twice(struct kunit *test, void (*between)(void *data), void *data)
{
	struct branch_ctx *ctx = walk_open_ctx(test, "branch_walk_twice");

	branch_walk_twice(between, data);
	branch_ctx_stop(ctx);
	walk_expect_entry(test, ctx, "branch_walk_twice");
	walk_expect_walks(test, ctx, 2);
	walk_close_ctx(test, ctx);
}

void walk_sleep(void *data)
{
	msleep(20);
}

void walk_do_nothing(void *data)
{
}
