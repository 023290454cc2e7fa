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
#include <linux/kthread.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>

#include <asm/asm.h>
#include <asm/branch_window.h>
#include <asm/irqflags.h>
#include <asm/processor-flags.h>

#include "../window.h"
#include "expect.h"
#include "walk.h"

static void test_walk(struct kunit *test)
{
	struct branch_ctx *ctx = walk_open_ctx(test, "branch_walk");
	unsigned int i;

	for (i = 0; i < 3; i++)
		branch_walk();
	branch_ctx_stop(ctx);
	branch_walk();
	for (i = 0; i < 3; i++)
		walk_expect_window(test, ctx, "test_walk");
	walk_expect_end(test, ctx);
	walk_close_ctx(test, ctx);
}

static void test_sleep(struct kunit *test)
{
	walk_expect_twice(test, walk_sleep, NULL);
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
	struct branch_ctx *ctx = walk_open_ctx(test, "read_nothing");
	struct branch_record record;
	bool failed;

	read_nothing(&failed);
	branch_ctx_stop(ctx);
	KUNIT_EXPECT_TRUE(test, failed);
	walk_expect_exception(test, ctx, "read_nothing", &record);
	KUNIT_EXPECT_NE(test, record.from, record.to);
	walk_close_ctx(test, ctx);
}

static void begin_tracer(struct kunit *test, struct ftrace_ops *tracer)
{
	char name[] = "branch_walk";

	KUNIT_ASSERT_EQ(test, ftrace_set_filter(tracer, name, strlen(name), true), 0);
	KUNIT_ASSERT_EQ(test, register_ftrace_function(tracer), 0);
}

/* What is traced while the walk is: nothing of the tracer is told */
static void run_with_tracer(struct kunit *test, ftrace_func_t func)
{
	static struct ftrace_ops tracer;
	struct branch_ctx *ctx = walk_open_ctx(test, "branch_walk_twice");
	struct branch_record record;

	tracer.func = func;
	begin_tracer(test, &tracer);
	branch_walk_twice(walk_sleep, NULL);
	branch_ctx_stop(ctx);
	unregister_ftrace_function(&tracer);
	walk_expect_entry(test, ctx, "branch_walk_twice");
	KUNIT_ASSERT_TRUE(test, walk_read_branch(test, ctx, &record));
	KUNIT_EXPECT_EQ(test, record.kind, BRANCH_CALL);
	KUNIT_EXPECT_EQ(test, record.to, (unsigned long)branch_walk);
	KUNIT_ASSERT_TRUE(test, walk_read_branch(test, ctx, &record));
	walk_expect_walk(test, ctx, &record);
	walk_expect_walks(test, ctx, 1);
	walk_close_ctx(test, ctx);
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

static noinline void walk_elsewhere(void)
{
	barrier();
}

static void redirect(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *ops,
		     struct ftrace_regs *fregs)
{
	ftrace_regs_set_instruction_pointer(fregs, (unsigned long)walk_elsewhere);
}

/* A tracer that lets another function run instead, as a live patch does */
static void test_tracer_redirects(struct kunit *test)
{
	static struct ftrace_ops tracer = {
		.func = redirect,
		.flags = FTRACE_OPS_FL_SAVE_REGS | FTRACE_OPS_FL_IPMODIFY,
	};
	struct branch_ctx *ctx = walk_open_ctx(test, "branch_walk_twice");
	struct branch_record record = { };

	begin_tracer(test, &tracer);
	branch_walk_twice(walk_do_nothing, NULL);
	branch_ctx_stop(ctx);
	unregister_ftrace_function(&tracer);
	walk_expect_entry(test, ctx, "branch_walk_twice");
	while (record.kind != BRANCH_CALL)
		KUNIT_ASSERT_TRUE(test, walk_read_branch(test, ctx, &record));
	KUNIT_EXPECT_EQ(test, record.to, (unsigned long)branch_walk);
	KUNIT_ASSERT_TRUE(test, walk_read_branch(test, ctx, &record));
	KUNIT_EXPECT_TRUE(test, walk_is_in(record.from, "branch_walk"));
	KUNIT_EXPECT_EQ(test, record.to, (unsigned long)walk_elsewhere);
	KUNIT_EXPECT_EQ(test, record.kind, BRANCH_UNKNOWN);
	walk_close_ctx(test, ctx);
}

/* A window in another: each context gets its own */
static void test_nested(struct kunit *test)
{
	struct branch_ctx *outer = walk_open_ctx(test, "branch_walk_twice");
	struct branch_ctx *inner = walk_open_ctx(test, "branch_walk");
	unsigned int i;

	branch_walk_twice(walk_sleep, NULL);
	branch_ctx_stop(outer);
	branch_ctx_stop(inner);
	walk_expect_entry(test, outer, "branch_walk_twice");
	walk_expect_walks(test, outer, 2);
	for (i = 0; i < 2; i++)
		walk_expect_window(test, inner, "branch_walk_twice");
	walk_expect_end(test, inner);
	walk_close_ctx(test, outer);
	walk_close_ctx(test, inner);
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
	struct branch_ctx *ctx = walk_open_ctx(test, "branch_walk_twice");
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
	walk_expect_entry(test, ctx, "branch_walk_twice");
	walk_expect_walks(test, ctx, 200);
	walk_close_ctx(test, ctx);
}

static void stop_ctx(void *data)
{
	branch_ctx_stop(data);
}

/* A context that is stopped in its window ends there, and may begin again */
static void test_stop_inside(struct kunit *test)
{
	struct branch_ctx *ctx = walk_open_ctx(test, "branch_walk_twice");

	branch_walk_twice(stop_ctx, ctx);
	walk_expect_entry(test, ctx, "branch_walk_twice");
	walk_expect_walks(test, ctx, 1);
	KUNIT_ASSERT_EQ(test, branch_ctx_start(ctx), 0);
	branch_walk_twice(walk_sleep, NULL);
	branch_ctx_stop(ctx);
	walk_expect_entry(test, ctx, "branch_walk_twice");
	walk_expect_walks(test, ctx, 2);
	walk_close_ctx(test, ctx);
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
	struct branch_ctx *ctx = walk_open_ctx_of(test, task, "branch_walk_twice");

	wake_up_process(task);
	wait_for_completion(&done);
	put_task_struct(task);
	branch_walk_twice(walk_sleep, NULL);
	branch_ctx_stop(ctx);
	walk_expect_entry(test, ctx, "branch_walk_twice");
	walk_expect_walks(test, ctx, 1);
	walk_close_ctx(test, ctx);
}

/* A task that was created in a window: whether it is in one */
struct created {
	struct completion	done;
	pid_t			pid;
	unsigned long		open;
	bool			followed;
};

static int look_where_it_is(void *data)
{
	struct created *created = data;

	created->open = current->thread.branch_window.open;
	created->followed = walk_has_trap_flag();
	kthread_complete_and_exit(&created->done, 0);
}

static void create(void *data)
{
	struct created *created = data;

	created->pid = kernel_thread(look_where_it_is, created, "branch_created",
				     CLONE_FS | CLONE_FILES | SIGCHLD);
	if (created->pid > 0)
		wait_for_completion(&created->done);
}

/* What is created is a copy, but in no window */
static void test_create(struct kunit *test)
{
	struct branch_ctx *ctx = walk_open_ctx(test, "branch_walk_twice");
	struct created created = { .open = ~0UL, .followed = true };

	init_completion(&created.done);
	branch_walk_twice(create, &created);
	walk_close_ctx(test, ctx);
	KUNIT_ASSERT_GT(test, created.pid, 0);
	KUNIT_EXPECT_EQ(test, created.open, 0);
	KUNIT_EXPECT_FALSE(test, created.followed);
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
		branch_walk_twice(walk_sleep, NULL);
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
		if (record.pid != pid || !walk_is_of_walk(&record))
			continue;
		walk_expect_branch(test, &record, &walk_branches[i++ % nr_branches]);
	}
	KUNIT_EXPECT_EQ(test, i, nr * nr_branches);
}

/* Many tasks in windows at once, switched and migrated in them */
static void test_crowd(struct kunit *test)
{
	struct crowd crowd = { .done = COMPLETION_INITIALIZER_ONSTACK(crowd.done) };
	struct branch_ctx *ctx = walk_open_ctx_of(test, NULL, "branch_walk");
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
	walk_close_ctx(test, ctx);
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

/* The first window was given up in @function, and the next one is not shorter */
static void expect_given_up(struct kunit *test, struct branch_ctx *ctx, const char *function)
{
	struct branch_record record = { };

	walk_expect_entry(test, ctx, "branch_walk_twice");
	while (!is_given_up(&record))
		KUNIT_ASSERT_TRUE(test, walk_read_branch(test, ctx, &record));
	KUNIT_EXPECT_TRUE(test, walk_is_in(record.from, function));
	KUNIT_EXPECT_EQ(test, record.to, 0);
	walk_expect_entry(test, ctx, "branch_walk_twice");
	walk_expect_walks(test, ctx, 2);
}

/*
 * A window that takes too long is given up, and that is told. The next one is not shorter. It reads
 * no clock: a slow kernel would not be done with that in so few steps.
 */
static void test_too_long(struct kunit *test)
{
	unsigned int most_steps = branch_window_most_steps;
	struct branch_ctx *ctx = walk_open_ctx(test, "branch_walk_twice");

	branch_window_most_steps = MOST_STEPS;
	branch_walk_twice(loop_long, NULL);
	branch_walk_twice(walk_do_nothing, NULL);
	branch_window_most_steps = most_steps;
	branch_ctx_stop(ctx);
	expect_given_up(test, ctx, "loop_long");
	walk_close_ctx(test, ctx);
}

static void loop_in_tracer(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *ops,
			   struct ftrace_regs *fregs)
{
	loop_long(NULL);
}

/* If it was a tracer that took too long, the place is the function's that it traces */
static void test_long_tracer(struct kunit *test)
{
	struct branch_ctx *ctx = walk_open_ctx(test, "branch_walk_twice");
	unsigned int most_steps = branch_window_most_steps;
	static struct ftrace_ops tracer;

	tracer.func = loop_in_tracer;
	begin_tracer(test, &tracer);
	branch_window_most_steps = MOST_STEPS;
	branch_walk_twice(walk_do_nothing, NULL);
	branch_window_most_steps = most_steps;
	unregister_ftrace_function(&tracer);
	branch_walk_twice(walk_do_nothing, NULL);
	branch_ctx_stop(ctx);
	expect_given_up(test, ctx, "branch_walk");
	walk_close_ctx(test, ctx);
}

/* Whether the trap flag was there before the windows ended, and behind that */
struct trap_flags {
	bool before;
	bool behind;
};

static noinline void end_windows(void *data)
{
	struct trap_flags *flags = data;

	flags->before = walk_has_trap_flag();
	branch_window_end();
	flags->behind = walk_has_trap_flag();
}

/* W6. Nothing is left of the trap flag before the kernel leaves the machine, and that is told. */
static void test_end(struct kunit *test)
{
	struct branch_ctx *ctx = walk_open_ctx(test, "branch_walk_twice");
	struct trap_flags flags = { };

	branch_walk_twice(end_windows, &flags);
	branch_walk_twice(walk_do_nothing, NULL);
	branch_ctx_stop(ctx);
	KUNIT_EXPECT_TRUE(test, flags.before);
	KUNIT_EXPECT_FALSE(test, flags.behind);
	expect_given_up(test, ctx, "__branch_window_end");
	walk_close_ctx(test, ctx);
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
	/* Names of functions that are not to be traced, and the second function of all */
	attr.functions = "!branch_walk";
	expect_refused(test, &attr, -EINVAL, 0);
	attr.functions = "branch_walk !branch_walk";
	expect_refused(test, &attr, -EINVAL, strlen("branch_walk "));
	attr.functions = "branch_walk 2";
	expect_refused(test, &attr, -EINVAL, strlen("branch_walk "));
}

static struct kunit_case branch_window_cases[] = {
	KUNIT_CASE(test_walk),
	KUNIT_CASE(test_sleep),
	KUNIT_CASE(test_fault),
	KUNIT_CASE(test_tracer_sleeps),
	KUNIT_CASE(test_tracer_recurses),
	KUNIT_CASE(test_tracer_redirects),
	KUNIT_CASE(test_nested),
	KUNIT_CASE(test_interrupts),
	KUNIT_CASE(test_stop_inside),
	KUNIT_CASE(test_exit),
	KUNIT_CASE(test_create),
	KUNIT_CASE(test_crowd),
	KUNIT_CASE(test_too_long),
	KUNIT_CASE(test_long_tracer),
	KUNIT_CASE(test_end),
	KUNIT_CASE(test_refused),
	{}
};

static struct kunit_suite branch_window_suite = {
	.name = "branch_window",
	.test_cases = branch_window_cases,
};

kunit_test_suite(branch_window_suite);
