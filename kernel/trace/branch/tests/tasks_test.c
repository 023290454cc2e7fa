// SPDX-License-Identifier: GPL-2.0
/*
 * Tasks that create others, execute programs and exit, while contexts are about them.
 */
#include <kunit/static_stub.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>

#include "model.h"

#define NR_BRANCHES	8

/* Children of children, that far */
struct family {
	struct completion	gone;
	unsigned int		generations;
};

static int child(void *data);

static void have_child(struct family *family)
{
	kernel_thread(child, family, "branch_child", SIGCHLD);
}

static int child(void *data)
{
	struct family *family = data;

	model_branches(NR_BRANCHES);
	if (--family->generations)
		have_child(family);
	else
		complete(&family->gone);
	do_exit(0);
}

static void have_family(struct model_worker *worker)
{
	struct family *family = worker->data;

	have_child(family);
	wait_for_completion(&family->gone);
	model_branches(NR_BRANCHES);
}

static void test_inherit(struct kunit *test)
{
	struct family family = { .generations = 3 };
	struct model_worker worker = { .branches = 20, .also = have_family, .data = &family };
	struct branch_attr attr;
	struct branch_ctx *heirs, *alone, *late;
	struct model_range all = { };
	unsigned int begun;

	init_completion(&family.gone);
	model_worker_create(test, &worker);
	attr = model_attr(2, worker.task);
	alone = model_open(test, &attr);
	attr.inherit = true;
	heirs = model_open(test, &attr);
	late = model_open(test, &attr);
	KUNIT_ASSERT_EQ(test, branch_ctx_start(alone), 0);
	KUNIT_ASSERT_EQ(test, branch_ctx_start(heirs), 0);
	model_worker_go(&worker);
	model_worker_wait(test, &worker);
	branch_ctx_stop(alone);
	branch_ctx_stop(heirs);

	KUNIT_EXPECT_EQ(test, model_nr_branches(), 20 + 3 * NR_BRANCHES + NR_BRANCHES);
	all.to = model_nr_branches();
	model_check(test, alone, worker.task, all, &begun);
	KUNIT_EXPECT_EQ(test, begun, 1);

	/* All that branched were of the family: to the check, this is a context of all CPUs */
	heirs->attr.subject = BRANCH_ALL_CPUS;
	model_check(test, heirs, worker.task, all, &begun);
	heirs->attr.subject = BRANCH_TASK;
	KUNIT_EXPECT_EQ(test, begun, 1 + 3);

	KUNIT_EXPECT_TRUE(test, list_is_singular(&late->members));
	branch_ctx_close(alone);
	branch_ctx_close(heirs);
	branch_ctx_close(late);
	model_worker_end(&worker);
	put_task_struct(worker.task);
}

static int no_memory(struct branch_ctx *ctx, struct task_struct *task)
{
	return -ENOMEM;
}

static void read_until(struct kunit *test, struct branch_ctx *ctx, unsigned int kind,
		       struct branch_record *record)
{
	do {
		KUNIT_ASSERT_TRUE(test, branch_ctx_read(ctx, record));
	} while (record->kind != kind);
}

/* A child that is not followed for want of memory is told of */
static void test_not_followed(struct kunit *test)
{
	struct family family = { .generations = 1 };
	struct branch_attr attr = model_attr(2, current);
	struct branch_record record;
	struct branch_ctx *ctx;

	init_completion(&family.gone);
	attr.inherit = true;
	ctx = model_open(test, &attr);
	KUNIT_ASSERT_EQ(test, branch_ctx_start(ctx), 0);
	kunit_activate_static_stub(test, branch_add_task, no_memory);
	have_child(&family);
	kunit_deactivate_static_stub(test, branch_add_task);
	wait_for_completion(&family.gone);
	branch_ctx_stop(ctx);
	KUNIT_ASSERT_EQ(test, model_nr_branches(), NR_BRANCHES);
	read_until(test, ctx, BRANCH_NOT_FOLLOWED, &record);
	KUNIT_EXPECT_EQ(test, record.pid, current->pid);
	KUNIT_EXPECT_EQ(test, record.from, model_log[0].pid);
	while (branch_ctx_read(ctx, &record))
		KUNIT_EXPECT_EQ(test, record.kind, BRANCH_SWITCHED_IN);
	branch_ctx_close(ctx);
}

/* A task that exits leaves its contexts, and no context takes one that has exited */
static void test_exit(struct kunit *test)
{
	struct model_worker worker = { .branches = 20 };
	struct branch_attr attr;
	struct branch_ctx *ctx, *all;
	struct branch_refusal refusal = { };

	model_worker_create(test, &worker);
	attr = model_attr(2, worker.task);
	ctx = model_open(test, &attr);
	attr.subject = BRANCH_ALL_CPUS;
	all = model_open(test, &attr);
	KUNIT_ASSERT_EQ(test, branch_ctx_start(ctx), 0);
	KUNIT_ASSERT_EQ(test, branch_ctx_start(all), 0);
	model_worker_go(&worker);
	model_worker_wait(test, &worker);
	KUNIT_EXPECT_TRUE(test, list_is_singular(&ctx->members));
	model_worker_end(&worker);
	KUNIT_EXPECT_TRUE(test, list_empty(&ctx->members));
	model_branches(4);
	branch_ctx_stop(ctx);
	branch_ctx_stop(all);
	model_check(test, ctx, worker.task, (struct model_range) { 0, 24 }, NULL);
	model_check(test, all, worker.task, (struct model_range) { 0, 24 }, NULL);

	attr.subject = BRANCH_TASK;
	KUNIT_EXPECT_EQ(test, PTR_ERR_OR_ZERO(branch_ctx_open(&attr, NULL, NULL, &refusal)),
			-ESRCH);
	KUNIT_EXPECT_NOT_NULL(test, refusal.why);
	KUNIT_EXPECT_TRUE(test, hlist_empty(&worker.task->branch_contexts));
	branch_ctx_close(ctx);
	branch_ctx_close(all);
	put_task_struct(worker.task);
}

static bool say(void *data, struct task_struct *task)
{
	return *(bool *)data;
}

/* After a program that others may not see was executed, only those go on that may */
static void test_exec(struct kunit *test)
{
	static const struct branch_ops ops = { .may_go_on = say };
	struct branch_attr attr = model_attr(2, current);
	struct branch_ctx *unasked, *may, *may_not, *cpus;
	bool yes = true, no = false;
	struct branch_refusal refusal;

	unasked = model_open(test, &attr);
	may = branch_ctx_open(&attr, &ops, &yes, &refusal);
	KUNIT_ASSERT_FALSE(test, IS_ERR(may));
	may_not = branch_ctx_open(&attr, &ops, &no, &refusal);
	KUNIT_ASSERT_FALSE(test, IS_ERR(may_not));
	attr.subject = BRANCH_ALL_CPUS;
	cpus = model_open(test, &attr);
	KUNIT_ASSERT_EQ(test, branch_ctx_start(unasked), 0);
	KUNIT_ASSERT_EQ(test, branch_ctx_start(may), 0);
	KUNIT_ASSERT_EQ(test, branch_ctx_start(may_not), 0);
	KUNIT_ASSERT_EQ(test, branch_ctx_start(cpus), 0);

	model_branches(4);
	branch_exec(current);
	model_branches(4);
	branch_ctx_stop(unasked);
	branch_ctx_stop(may);
	branch_ctx_stop(may_not);
	branch_ctx_stop(cpus);
	model_check(test, may, current, (struct model_range) { 0, 8 }, NULL);
	model_check(test, cpus, current, (struct model_range) { 0, 8 }, NULL);
	KUNIT_EXPECT_TRUE(test, list_empty(&unasked->members));
	KUNIT_EXPECT_TRUE(test, list_empty(&may_not->members));

	/* Of the second four, nothing must have come: the log is as if they were not */
	model_forget_from(4);
	model_check(test, unasked, current, (struct model_range) { 0, 4 }, NULL);
	model_check(test, may_not, current, (struct model_range) { 0, 4 }, NULL);
	branch_ctx_close(unasked);
	branch_ctx_close(may);
	branch_ctx_close(may_not);
	branch_ctx_close(cpus);
}

/* The backend hears that nobody wants anything of the task any more at once, not at a switch */
static void leave_by(struct kunit *test, void (*leave)(struct task_struct *task))
{
	struct branch_attr attr = model_attr(0, current);
	struct branch_ctx *ctx = model_open(test, &attr);

	KUNIT_ASSERT_EQ(test, branch_ctx_start(ctx), 0);
	preempt_disable();
	KUNIT_EXPECT_EQ(test, model_asked_modes(), BRANCH_USER);
	preempt_enable();
	leave(current);
	preempt_disable();
	KUNIT_EXPECT_EQ(test, model_asked_modes(), 0);
	preempt_enable();
	branch_ctx_close(ctx);
}

static void test_leaving_tells_backend(struct kunit *test)
{
	leave_by(test, branch_exec);
	leave_by(test, branch_exit);
}

static struct kunit_case branch_tasks_cases[] = {
	KUNIT_CASE(test_inherit),
	KUNIT_CASE(test_not_followed),
	KUNIT_CASE(test_exit),
	KUNIT_CASE(test_exec),
	KUNIT_CASE(test_leaving_tells_backend),
	{}
};

static struct kunit_suite branch_tasks_suite = {
	.name = "branch_tasks",
	.suite_init = model_init,
	.suite_exit = model_exit,
	.init = model_reset,
	.test_cases = branch_tasks_cases,
};

kunit_test_suite(branch_tasks_suite);

MODULE_DESCRIPTION("KUnit tests of the tasks of branch contexts");
MODULE_LICENSE("GPL");
