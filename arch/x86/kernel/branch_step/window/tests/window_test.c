// SPDX-License-Identifier: GPL-2.0
/*
 * Windows of the kernel: every branch of a function whose branches are known, whatever comes in
 * between, and nothing behind it.
 */
#include <kunit/test.h>
#include <linux/branch_trace.h>
#include <linux/completion.h>
#include <linux/delay.h>
#include <linux/err.h>
#include <linux/ftrace.h>
#include <linux/hrtimer.h>
#include <linux/kallsyms.h>
#include <linux/kprobes.h>
#include <linux/kthread.h>
#include <linux/sched.h>
#include <linux/sched/task.h>

#include <asm/asm.h>
#include <asm/branch_window.h>
#include <asm/irqflags.h>
#include <asm/processor-flags.h>

#include "../window.h"
#include "walk.h"

#define NR_RECORDS	BIT(16)

static struct branch_ctx *open_ctx_of(struct kunit *test, struct task_struct *task,
				      const char *functions)
{
	struct branch_attr attr = {
		.subject = task ? BRANCH_TASK : BRANCH_ALL_CPUS,
		.task = task,
		.modes = BRANCH_KERNEL,
		.functions = functions,
		.backend = "step",
		.records = NR_RECORDS,
	};
	struct branch_ctx *ctx;
	struct branch_refusal refusal;

	ctx = branch_ctx_open(&attr, NULL, NULL, &refusal);
	KUNIT_ASSERT_FALSE_MSG(test, IS_ERR(ctx), "%s", refusal.why);
	KUNIT_ASSERT_EQ(test, branch_ctx_start(ctx), 0);
	return ctx;
}

static struct branch_ctx *open_ctx(struct kunit *test, const char *functions)
{
	return open_ctx_of(test, current, functions);
}

static bool is_in_walk(u64 ip)
{
	u64 offset = ip - (unsigned long)branch_walk;

	return offset >= walk_begin && offset < walk_end;
}

static bool is_of_walk(const struct branch_record *record)
{
	return !branch_is_marker(record->kind) && is_in_walk(record->from);
}

/* The next record but those of tracing that began, and of switches */
static bool read_branch(struct kunit *test, struct branch_ctx *ctx, struct branch_record *record)
{
	while (branch_ctx_read(ctx, record)) {
		KUNIT_EXPECT_NE(test, record->kind, BRANCH_LOST);
		if (branch_is_marker(record->kind))
			continue;
		KUNIT_EXPECT_TRUE(test, record->flags & BRANCH_FLAG_FROM_KERNEL);
		KUNIT_EXPECT_TRUE(test, record->flags & BRANCH_FLAG_TO_KERNEL);
		return true;
	}
	return false;
}

static bool is_in(u64 ip, const char *function)
{
	char name[KSYM_SYMBOL_LEN];

	sprint_symbol_no_offset(name, ip);
	return !strcmp(name, function);
}

static void expect_entry(struct kunit *test, struct branch_ctx *ctx, const char *function)
{
	struct branch_record record;

	KUNIT_ASSERT_TRUE(test, read_branch(test, ctx, &record));
	KUNIT_EXPECT_EQ(test, record.kind, BRANCH_UNKNOWN);
	KUNIT_EXPECT_TRUE(test, record.flags & BRANCH_FLAG_FROM_HIDDEN);
	KUNIT_EXPECT_TRUE_MSG(test, is_in(record.to, function), "%pS", (void *)(long)record.to);
}

static void expect_branch(struct kunit *test, const struct branch_record *record,
			  const struct walk_branch *expected)
{
	KUNIT_EXPECT_EQ_MSG(test, record->from, (unsigned long)branch_walk + expected->from,
			    "%pS -> %pS, not from %pS", (void *)(long)record->from,
			    (void *)(long)record->to, (void *)branch_walk + expected->from);
	KUNIT_EXPECT_EQ(test, record->to, (unsigned long)branch_walk + expected->to);
	KUNIT_EXPECT_EQ(test, record->kind, expected->kind);
}

/* The branches of the walk, each known, and nothing else that begins in it */
static void expect_walk(struct kunit *test, struct branch_ctx *ctx, struct branch_record *record)
{
	const struct walk_branch *expected;

	for (expected = walk_branches; expected < walk_branches_end; expected++) {
		KUNIT_EXPECT_TRUE(test, is_of_walk(record));
		expect_branch(test, record, expected);
		KUNIT_ASSERT_TRUE(test, read_branch(test, ctx, record));
	}
	KUNIT_EXPECT_FALSE(test, is_of_walk(record));
}

/* Whatever thunk the kernel returns by, that is the last of the window */
static void expect_return(struct kunit *test, struct branch_ctx *ctx, struct branch_record record,
			  const char *caller)
{
	while (!is_in(record.to, caller)) {
		KUNIT_EXPECT_NE(test, record.kind, BRANCH_UNKNOWN);
		KUNIT_ASSERT_TRUE(test, read_branch(test, ctx, &record));
	}
	KUNIT_EXPECT_EQ(test, record.kind, BRANCH_RETURN);
}

static void expect_end(struct kunit *test, struct branch_ctx *ctx)
{
	struct branch_record record;

	if (read_branch(test, ctx, &record))
		KUNIT_FAIL(test, "%pS -> %pS", (void *)(long)record.from,
			   (void *)(long)record.to);
}

static void expect_window(struct kunit *test, struct branch_ctx *ctx, const char *caller)
{
	struct branch_record record;

	expect_entry(test, ctx, "branch_walk");
	KUNIT_ASSERT_TRUE(test, read_branch(test, ctx, &record));
	expect_walk(test, ctx, &record);
	expect_return(test, ctx, record, caller);
}

static void test_walk(struct kunit *test)
{
	struct branch_ctx *ctx = open_ctx(test, "branch_walk");
	unsigned int i;

	for (i = 0; i < 3; i++)
		branch_walk();
	branch_ctx_stop(ctx);
	branch_walk();
	for (i = 0; i < 3; i++)
		expect_window(test, ctx, "test_walk");
	expect_end(test, ctx);
	branch_ctx_close(ctx);
}

/* The next branch of the walk, whatever is between */
static bool read_walk(struct kunit *test, struct branch_ctx *ctx, struct branch_record *record)
{
	while (read_branch(test, ctx, record)) {
		if (is_of_walk(record))
			return true;
	}
	return false;
}

/* So many walks, and nothing else that begins in the walk */
static void expect_walks(struct kunit *test, struct branch_ctx *ctx, unsigned int nr)
{
	const struct walk_branch *expected;
	struct branch_record record;

	while (nr--) {
		for (expected = walk_branches; expected < walk_branches_end; expected++) {
			KUNIT_ASSERT_TRUE(test, read_walk(test, ctx, &record));
			expect_branch(test, &record, expected);
		}
	}
	KUNIT_EXPECT_FALSE(test, read_walk(test, ctx, &record));
}

static void walk_twice(struct kunit *test, void (*between)(void *data), void *data)
{
	struct branch_ctx *ctx = open_ctx(test, "branch_walk_twice");

	branch_walk_twice(between, data);
	branch_ctx_stop(ctx);
	expect_entry(test, ctx, "branch_walk_twice");
	expect_walks(test, ctx, 2);
	branch_ctx_close(ctx);
}

static void sleep_a_while(void *data)
{
	msleep(20);
}

static void test_sleep(struct kunit *test)
{
	walk_twice(test, sleep_a_while, NULL);
}

static int count_hit(struct kprobe *probe, struct pt_regs *regs)
{
	return 0;
}

static void count_after(struct kprobe *probe, struct pt_regs *regs, unsigned long flags)
{
}

/* A probe at an instruction changes nothing of what is told, however it is carried out */
static void expect_walk_with_probe(struct kunit *test, u32 place, bool after)
{
	struct kprobe probe = {
		.addr = (void *)branch_walk + place,
		.pre_handler = count_hit,
		.post_handler = after ? count_after : NULL,
	};
	struct branch_ctx *ctx = open_ctx(test, "branch_walk");

	KUNIT_ASSERT_EQ_MSG(test, register_kprobe(&probe), 0, "%pS", probe.addr);
	branch_walk();
	branch_ctx_stop(ctx);
	KUNIT_EXPECT_EQ(test, probe.nmissed, 0);
	unregister_kprobe(&probe);
	expect_window(test, ctx, "expect_walk_with_probe");
	expect_end(test, ctx);
	branch_ctx_close(ctx);
}

static void test_probes(struct kunit *test)
{
	const u32 *place;

	if (!IS_ENABLED(CONFIG_KPROBES))
		kunit_skip(test, "this kernel has no probes");
	KUNIT_ASSERT_GT(test, walk_places_end - walk_places, 0);
	for (place = walk_places; place < walk_places_end; place++) {
		expect_walk_with_probe(test, *place, false);
		expect_walk_with_probe(test, *place, true);
	}
}

static noinline void read_nothing(void *data)
{
	bool *failed = data;
	char byte = 0;

	asm volatile("1:	movb (%1), %b0\n"
		     "	jmp 3f\n"
		     "2:	movb $1, %b0\n"
		     "3:\n"
		     _ASM_EXTABLE(1b, 2b)
		     : "+q" (byte) : "r" (-PAGE_SIZE));
	*failed = byte;
}

/* A fault that is fixed up leads from the instruction to where that goes on */
static void test_fault(struct kunit *test)
{
	struct branch_ctx *ctx = open_ctx(test, "read_nothing");
	struct branch_record record;
	unsigned int exceptions = 0;
	bool failed;

	read_nothing(&failed);
	branch_ctx_stop(ctx);
	KUNIT_EXPECT_TRUE(test, failed);
	expect_entry(test, ctx, "read_nothing");
	while (read_branch(test, ctx, &record)) {
		if (record.kind != BRANCH_EXCEPTION)
			continue;
		exceptions++;
		KUNIT_EXPECT_TRUE(test, is_in(record.from, "read_nothing"));
		KUNIT_EXPECT_TRUE(test, is_in(record.to, "read_nothing"));
		KUNIT_EXPECT_NE(test, record.from, record.to);
	}
	KUNIT_EXPECT_EQ(test, exceptions, 1);
	branch_ctx_close(ctx);
}

/* What is traced while the walk is: nothing of the tracer is told */
static void run_with_tracer(struct kunit *test, ftrace_func_t func)
{
	static struct ftrace_ops tracer;
	char name[] = "branch_walk";
	struct branch_ctx *ctx = open_ctx(test, "branch_walk_twice");
	struct branch_record record;

	tracer.func = func;
	KUNIT_ASSERT_EQ(test, ftrace_set_filter(&tracer, name, strlen(name), true), 0);
	KUNIT_ASSERT_EQ(test, register_ftrace_function(&tracer), 0);
	branch_walk_twice(sleep_a_while, NULL);
	branch_ctx_stop(ctx);
	unregister_ftrace_function(&tracer);
	expect_entry(test, ctx, "branch_walk_twice");
	KUNIT_ASSERT_TRUE(test, read_branch(test, ctx, &record));
	KUNIT_EXPECT_EQ(test, record.kind, BRANCH_CALL);
	KUNIT_EXPECT_EQ(test, record.to, (unsigned long)branch_walk);
	KUNIT_ASSERT_TRUE(test, read_branch(test, ctx, &record));
	expect_walk(test, ctx, &record);
	expect_walks(test, ctx, 1);
	branch_ctx_close(ctx);
}

static void sleep_in_tracer(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *ops,
			    struct ftrace_regs *fregs)
{
	schedule_timeout_uninterruptible(1);
}

/* A tracer that is switched out is still left out when it is back */
static void test_tracer_sleeps(struct kunit *test)
{
	run_with_tracer(test, sleep_in_tracer);
}

static void walk_in_tracer(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *ops,
			   struct ftrace_regs *fregs)
{
	static bool inside;

	if (inside)
		return;
	inside = true;
	branch_walk();
	inside = false;
}

/* A tracer calls the function that it traces, which goes on where the other one will */
static void test_tracer_recurses(struct kunit *test)
{
	run_with_tracer(test, walk_in_tracer);
}

/* A window in another: each context gets its own */
static void test_nested(struct kunit *test)
{
	struct branch_ctx *outer = open_ctx(test, "branch_walk_twice");
	struct branch_ctx *inner = open_ctx(test, "branch_walk");
	unsigned int i;

	branch_walk_twice(sleep_a_while, NULL);
	branch_ctx_stop(outer);
	branch_ctx_stop(inner);
	expect_entry(test, outer, "branch_walk_twice");
	expect_walks(test, outer, 2);
	for (i = 0; i < 2; i++)
		expect_window(test, inner, "branch_walk_twice");
	expect_end(test, inner);
	branch_ctx_close(outer);
	branch_ctx_close(inner);
}

/* What comes while the window is open is not followed */
static enum hrtimer_restart interrupt(struct hrtimer *timer)
{
	branch_walk();
	hrtimer_forward_now(timer, 100 * NSEC_PER_USEC);
	return HRTIMER_RESTART;
}

static void test_interrupts(struct kunit *test)
{
	struct branch_ctx *ctx = open_ctx(test, "branch_walk_twice");
	struct hrtimer timer;
	unsigned int i;
	bool failed;

	hrtimer_init_on_stack(&timer, CLOCK_MONOTONIC, HRTIMER_MODE_REL_PINNED_HARD);
	timer.function = interrupt;
	hrtimer_start(&timer, 0, HRTIMER_MODE_REL_PINNED_HARD);
	for (i = 0; i < 100; i++)
		branch_walk_twice(read_nothing, &failed);
	hrtimer_cancel(&timer);
	branch_ctx_stop(ctx);
	expect_entry(test, ctx, "branch_walk_twice");
	expect_walks(test, ctx, 200);
	branch_ctx_close(ctx);
}

static void stop_ctx(void *data)
{
	branch_ctx_stop(data);
}

/* A context that is stopped in its window ends there, and may begin again */
static void test_stop_inside(struct kunit *test)
{
	struct branch_ctx *ctx = open_ctx(test, "branch_walk_twice");

	branch_walk_twice(stop_ctx, ctx);
	expect_entry(test, ctx, "branch_walk_twice");
	expect_walks(test, ctx, 1);
	KUNIT_ASSERT_EQ(test, branch_ctx_start(ctx), 0);
	branch_walk_twice(sleep_a_while, NULL);
	branch_ctx_stop(ctx);
	expect_entry(test, ctx, "branch_walk_twice");
	expect_walks(test, ctx, 2);
	branch_ctx_close(ctx);
}

static void exit_now(void *data)
{
	kthread_complete_and_exit(data, 0);
}

static int walk_and_exit(void *data)
{
	branch_walk_twice(exit_now, data);
	return 0;
}

static struct task_struct *create_thread(struct kunit *test, int (*walk)(void *data), void *data)
{
	struct task_struct *task = kthread_create(walk, data, "branch_walk");

	KUNIT_ASSERT_FALSE(test, IS_ERR(task));
	return get_task_struct(task);
}

/* A window in which the task exits ends there, and leaves nothing behind */
static void test_exit(struct kunit *test)
{
	DECLARE_COMPLETION_ONSTACK(done);
	struct task_struct *task = create_thread(test, walk_and_exit, &done);
	struct branch_ctx *ctx = open_ctx_of(test, task, "branch_walk_twice");

	wake_up_process(task);
	wait_for_completion(&done);
	put_task_struct(task);
	branch_walk_twice(sleep_a_while, NULL);
	branch_ctx_stop(ctx);
	expect_entry(test, ctx, "branch_walk_twice");
	expect_walks(test, ctx, 1);
	branch_ctx_close(ctx);
}

struct crowd {
	struct completion	done;
	atomic_t		running;
};

#define CROWD_WALKS	20

static int walk_often(void *data)
{
	struct crowd *crowd = data;
	unsigned int i;

	for (i = 0; i < CROWD_WALKS; i++) {
		set_cpus_allowed_ptr(current, cpumask_of(i % num_online_cpus()));
		branch_walk_twice(sleep_a_while, NULL);
	}
	if (atomic_dec_and_test(&crowd->running))
		complete(&crowd->done);
	return 0;
}

/* The records of one task among those of all: whole walks, in order */
static void expect_walks_of(struct kunit *test, struct branch_ctx *ctx, pid_t pid,
			    unsigned int nr)
{
	unsigned int nr_branches = walk_branches_end - walk_branches;
	struct branch_cursor cursor;
	struct branch_record record;
	unsigned int i = 0;

	branch_ctx_first(ctx, &cursor);
	while (branch_ctx_next(ctx, &cursor, &record)) {
		KUNIT_EXPECT_NE(test, record.kind, BRANCH_LOST);
		if (record.pid != pid || !is_of_walk(&record))
			continue;
		expect_branch(test, &record, &walk_branches[i++ % nr_branches]);
	}
	KUNIT_EXPECT_EQ(test, i, nr * nr_branches);
}

/* Many tasks in windows at once, switched and migrated in them */
static void test_crowd(struct kunit *test)
{
	struct crowd crowd = { .done = COMPLETION_INITIALIZER_ONSTACK(crowd.done) };
	struct branch_ctx *ctx = open_ctx_of(test, NULL, "branch_walk");
	struct task_struct *tasks[4];
	unsigned int i;

	atomic_set(&crowd.running, ARRAY_SIZE(tasks));
	for (i = 0; i < ARRAY_SIZE(tasks); i++)
		tasks[i] = create_thread(test, walk_often, &crowd);
	for (i = 0; i < ARRAY_SIZE(tasks); i++)
		wake_up_process(tasks[i]);
	wait_for_completion(&crowd.done);
	branch_ctx_stop(ctx);
	for (i = 0; i < ARRAY_SIZE(tasks); i++) {
		expect_walks_of(test, ctx, tasks[i]->pid, 2 * CROWD_WALKS);
		put_task_struct(tasks[i]);
	}
	branch_ctx_close(ctx);
}

#define MOST_STEPS	20000

static void loop_long(void *data)
{
	unsigned int i;

	for (i = 0; i < MOST_STEPS; i++)
		barrier();
}

static bool is_given_up(const struct branch_record *record)
{
	return record->kind == BRANCH_UNKNOWN && record->flags & BRANCH_FLAG_TO_HIDDEN;
}

static void do_nothing(void *data)
{
}

/* The first window was given up in @function, and the next one is not shorter */
static void expect_given_up(struct kunit *test, struct branch_ctx *ctx, const char *function)
{
	struct branch_record record = { };

	expect_entry(test, ctx, "branch_walk_twice");
	while (!is_given_up(&record))
		KUNIT_ASSERT_TRUE(test, read_branch(test, ctx, &record));
	KUNIT_EXPECT_TRUE(test, is_in(record.from, function));
	KUNIT_EXPECT_EQ(test, record.to, 0);
	expect_entry(test, ctx, "branch_walk_twice");
	expect_walks(test, ctx, 2);
}

/*
 * A window that takes too long is given up, and that is told. The next one is not shorter. It reads
 * no clock: a slow kernel would not be done with that in so few steps.
 */
static void test_too_long(struct kunit *test)
{
	unsigned int most_steps = branch_window_most_steps;
	struct branch_ctx *ctx = open_ctx(test, "branch_walk_twice");

	branch_window_most_steps = MOST_STEPS;
	branch_walk_twice(loop_long, NULL);
	branch_walk_twice(do_nothing, NULL);
	branch_window_most_steps = most_steps;
	branch_ctx_stop(ctx);
	expect_given_up(test, ctx, "loop_long");
	branch_ctx_close(ctx);
}

/* Whether the trap flag was there before the windows ended, and behind that */
struct trap_flags {
	bool before;
	bool behind;
};

static bool has_trap_flag(void)
{
	return native_save_fl() & X86_EFLAGS_TF;
}

static noinline void end_windows(void *data)
{
	struct trap_flags *flags = data;

	flags->before = has_trap_flag();
	branch_window_end();
	flags->behind = has_trap_flag();
}

/* W6. Nothing is left of the trap flag before the kernel leaves the machine, and that is told. */
static void test_end(struct kunit *test)
{
	struct branch_ctx *ctx = open_ctx(test, "branch_walk_twice");
	struct trap_flags flags = { };

	branch_walk_twice(end_windows, &flags);
	branch_walk_twice(do_nothing, NULL);
	branch_ctx_stop(ctx);
	KUNIT_EXPECT_TRUE(test, flags.before);
	KUNIT_EXPECT_FALSE(test, flags.behind);
	expect_given_up(test, ctx, "__branch_window_end");
	branch_ctx_close(ctx);
}

static void expect_refused(struct kunit *test, const struct branch_attr *attr, int error,
			   unsigned int wrong)
{
	struct branch_refusal refusal = { .in_functions = 99 };
	struct branch_ctx *ctx = branch_ctx_open(attr, NULL, NULL, &refusal);

	KUNIT_EXPECT_EQ(test, PTR_ERR_OR_ZERO(ctx), error);
	KUNIT_EXPECT_NOT_NULL(test, refusal.why);
	KUNIT_EXPECT_EQ(test, refusal.in_functions, wrong);
	if (!IS_ERR(ctx))
		branch_ctx_close(ctx);
}

static void test_refused(struct kunit *test)
{
	struct branch_attr attr = {
		.subject = BRANCH_TASK, .task = current, .modes = BRANCH_KERNEL,
		.backend = "step", .records = 1,
	};

	expect_refused(test, &attr, -EOPNOTSUPP, 99);
	attr.functions = "no_such_function";
	expect_refused(test, &attr, -EINVAL, 0);
	attr.functions = "branch_walk  no_such_function branch_walk";
	expect_refused(test, &attr, -EINVAL, strlen("branch_walk  "));
	attr.functions = " ";
	expect_refused(test, &attr, -EINVAL, 0);
}

static struct kunit_case branch_window_cases[] = {
	KUNIT_CASE(test_walk),
	KUNIT_CASE(test_sleep),
	KUNIT_CASE(test_probes),
	KUNIT_CASE(test_fault),
	KUNIT_CASE(test_tracer_sleeps),
	KUNIT_CASE(test_tracer_recurses),
	KUNIT_CASE(test_nested),
	KUNIT_CASE(test_interrupts),
	KUNIT_CASE(test_stop_inside),
	KUNIT_CASE(test_exit),
	KUNIT_CASE(test_crowd),
	KUNIT_CASE(test_too_long),
	KUNIT_CASE(test_end),
	KUNIT_CASE(test_refused),
	{}
};

static struct kunit_suite branch_window_suite = {
	.name = "branch_window",
	.test_cases = branch_window_cases,
};

kunit_test_suite(branch_window_suite);
