// SPDX-License-Identifier: GPL-2.0
/*
 * A model of the hardware: threads branch by calling model_branch(). It notes each branch in a
 * log, and hands it over if the core has asked for its modes on this CPU. What a context should
 * have got is found out afterwards, from the log alone.
 */
#include <linux/atomic.h>
#include <linux/delay.h>
#include <linux/hash.h>
#include <linux/jiffies.h>
#include <linux/sched.h>
#include <linux/sched/clock.h>
#include <linux/sched/task.h>
#include <linux/vmalloc.h>

#include "model.h"

struct model_branch *model_log;
static atomic_t model_nr;

/* What the core has asked for on this CPU */
struct model_asked {
	struct task_struct	*task;
	unsigned int		modes;
};

static DEFINE_PER_CPU(struct model_asked, model_asked);
static atomic_t model_wrong_task;

/* By number of a window: which functions, as bits. They are called 0 to 7. */
static unsigned long model_watched[BRANCH_MAX_WINDOWS];

static unsigned long functions_of(const char *names)
{
	unsigned long functions = 0;

	for (; *names; names++) {
		if (*names >= '0' && *names < '0' + MODEL_FUNCTIONS)
			functions |= BIT(*names - '0');
	}
	return functions;
}

static int model_watch(unsigned int window, const char *names, unsigned int *wrong)
{
	if (names && !functions_of(names))
		return -EINVAL;
	WRITE_ONCE(model_watched[window], names ? functions_of(names) : 0);
	return 0;
}

/* The windows that somebody who is in these functions is in */
static unsigned long windows_of(unsigned long functions)
{
	unsigned long windows = 0;
	unsigned int nr;

	for (nr = 0; nr < BRANCH_MAX_WINDOWS; nr++) {
		if (functions & READ_ONCE(model_watched[nr]))
			windows |= BIT(nr);
	}
	return windows;
}

static const char *model_refuses(const struct branch_attr *attr)
{
	return NULL;
}

static void model_set(struct task_struct *task, unsigned int modes)
{
	this_cpu_write(model_asked.task, task);
	this_cpu_write(model_asked.modes, modes);
}

struct branch_backend model_backend = {
	.name = "model",
	.about = "model of the tests",
	.refuses = model_refuses,
	.set = model_set,
	.watch = model_watch,
};

int model_init(struct kunit_suite *suite)
{
	model_log = vzalloc(array_size(MODEL_BRANCHES, sizeof(*model_log)));
	if (!model_log)
		return -ENOMEM;
	return branch_backend_register(&model_backend);
}

void model_exit(struct kunit_suite *suite)
{
	branch_backend_unregister(&model_backend);
	vfree(model_log);
}

int model_reset(struct kunit *test)
{
	int cpu;

	atomic_set(&model_nr, 0);
	atomic_set(&model_wrong_task, 0);
	/* No context is left of the test before, so nothing is asked for */
	for_each_online_cpu(cpu)
		KUNIT_EXPECT_EQ(test, per_cpu(model_asked.modes, cpu), 0);
	return 0;
}

unsigned int model_nr_branches(void)
{
	return min_t(unsigned int, atomic_read(&model_nr), MODEL_BRANCHES);
}

/* The log is as if nothing had branched since: no context may have any of that */
void model_forget_from(unsigned int branch)
{
	atomic_set(&model_nr, branch);
}

/* What the core wants on this CPU. Context: preemption disabled. */
unsigned int model_asked_modes(void)
{
	return this_cpu_read(model_asked.modes);
}

/* The modes of both sides of a branch */
unsigned int model_sides(unsigned int flags)
{
	return (flags & BRANCH_FLAG_FROM_KERNEL ? BRANCH_KERNEL : BRANCH_USER) |
	       (flags & BRANCH_FLAG_TO_KERNEL ? BRANCH_KERNEL : BRANCH_USER);
}

/* Addresses that tell which branch it was, and which side of it */
static u64 from_address(unsigned int branch)
{
	return 2 * branch + 1;
}

static u64 to_address(unsigned int branch)
{
	return 2 * branch + 2;
}

static bool is_asked(unsigned int asked, unsigned int flags, unsigned long windows)
{
	if (asked & model_sides(flags))
		return true;
	return model_sides(flags) & BRANCH_KERNEL && asked >> BRANCH_WINDOW_SHIFT & windows;
}

/* Branches, once. Returns false if the log is full. */
bool model_branch(unsigned int flags)
{
	struct branch_record record = { .kind = BRANCH_JUMP, .flags = flags };
	struct model_asked *asked;
	unsigned long windows;
	unsigned int branch;

	preempt_disable();
	branch = atomic_fetch_inc(&model_nr);
	if (branch >= MODEL_BRANCHES) {
		preempt_enable();
		return false;
	}
	model_log[branch] = (struct model_branch) {
		.pid = current->pid, .cpu = smp_processor_id(), .flags = flags,
		.functions = hash_32(branch, MODEL_FUNCTIONS),
	};
	windows = windows_of(model_log[branch].functions);
	asked = this_cpu_ptr(&model_asked);
	if (asked->modes && asked->task != current)
		atomic_inc(&model_wrong_task);
	if (is_asked(asked->modes, flags, windows)) {
		record.from = from_address(branch);
		record.to = to_address(branch);
		record.time = local_clock();
		branch_deliver(&model_backend, current, &record, windows);
	}
	preempt_enable();
	return true;
}

/* Branches in all modes and between them, and lets others run */
void model_branches(unsigned int nr)
{
	unsigned int i;

	for (i = 0; i < nr; i++) {
		if (!model_branch(i % (2 * BRANCH_FLAG_TO_KERNEL)))
			return;
		if (i % 5 == 4)
			schedule();
	}
}

/* The CPU that contexts of one CPU are about: not the first, if there are others */
unsigned int model_cpu(void)
{
	return cpumask_last(cpu_online_mask);
}

struct branch_attr model_attr(unsigned int kind, struct task_struct *task)
{
	return (struct branch_attr) {
		.subject = kind % MODEL_NR_PLAIN / 3,
		.task = task,
		.cpu = model_cpu(),
		.modes = kind % 3 + 1,
		.functions = kind < MODEL_NR_PLAIN ? NULL : "2 5",
		.backend = "model",
		.records = MODEL_BRANCHES / 4,
	};
}

struct branch_ctx *model_open(struct kunit *test, const struct branch_attr *attr)
{
	struct branch_ctx *ctx;
	struct branch_refusal refusal;

	ctx = branch_ctx_open(attr, NULL, NULL, &refusal);
	KUNIT_ASSERT_FALSE_MSG(test, IS_ERR(ctx), "%s", refusal.why);
	return ctx;
}

static void go_round(struct model_worker *worker)
{
	unsigned int cpu = raw_smp_processor_id();
	unsigned int done;

	for (done = 0; done < worker->branches && !READ_ONCE(worker->stop); done += 20) {
		model_branches(20);
		cpu = cpumask_next_wrap(cpu, worker->cpus, cpu, false);
		if (cpu >= nr_cpu_ids)
			cpu = cpumask_first(worker->cpus);
		set_cpus_allowed_ptr(current, cpumask_of(cpu));
		if (worker->pause)
			usleep_range(worker->pause, 2 * worker->pause);
	}
}

static int work(void *data)
{
	struct model_worker *worker = data;

	wait_for_completion(&worker->go);
	go_round(worker);
	if (worker->also)
		worker->also(worker);
	complete(&worker->done);
	while (!kthread_should_stop()) {
		set_current_state(TASK_INTERRUPTIBLE);
		if (!kthread_should_stop())
			schedule();
		__set_current_state(TASK_RUNNING);
	}
	return 0;
}

/* When this returns, the task sleeps until model_worker_go(), and no context sees it run before */
void model_worker_create(struct kunit *test, struct model_worker *worker)
{
	init_completion(&worker->go);
	init_completion(&worker->done);
	if (!worker->cpus)
		worker->cpus = cpu_online_mask;
	worker->task = kthread_run(work, worker, "branch_worker");
	KUNIT_ASSERT_FALSE(test, IS_ERR(worker->task));
	get_task_struct(worker->task);
	while (!wait_task_inactive(worker->task, TASK_UNINTERRUPTIBLE))
		usleep_range(50, 100);
}

void model_worker_go(struct model_worker *worker)
{
	complete(&worker->go);
}

void model_worker_wait(struct kunit *test, struct model_worker *worker)
{
	KUNIT_EXPECT_NE(test, wait_for_completion_timeout(&worker->done, 60 * HZ), 0);
}

/* When this returns, the task has exited. Its structure goes with put_task_struct(). */
void model_worker_end(struct model_worker *worker)
{
	kthread_stop(worker->task);
}

static bool is_wanted_side(struct branch_ctx *ctx, const struct model_branch *branch, bool kernel)
{
	if (!(ctx->attr.modes & (kernel ? BRANCH_KERNEL : BRANCH_USER)))
		return false;
	return !kernel || !ctx->attr.functions ||
	       functions_of(ctx->attr.functions) & branch->functions;
}

static bool is_about(struct branch_ctx *ctx, struct task_struct *task,
		     const struct model_branch *branch)
{
	if (!is_wanted_side(ctx, branch, branch->flags & BRANCH_FLAG_FROM_KERNEL) &&
	    !is_wanted_side(ctx, branch, branch->flags & BRANCH_FLAG_TO_KERNEL))
		return false;
	switch (ctx->attr.subject) {
	case BRANCH_TASK:
		return branch->pid == task->pid;
	case BRANCH_CPU:
		return branch->cpu == ctx->attr.cpu;
	default:
		return true;
	}
}

static void check_side(struct kunit *test, bool wanted, bool hidden, u64 address, u64 expected)
{
	KUNIT_EXPECT_EQ(test, hidden, !wanted);
	KUNIT_EXPECT_EQ(test, address, wanted ? expected : 0);
}

static void check_branch(struct kunit *test, struct branch_ctx *ctx, struct task_struct *task,
			 const struct branch_record *record)
{
	unsigned int branch = (max(record->from, record->to) - 1) / 2;
	struct model_branch *taken = &model_log[branch];

	KUNIT_ASSERT_LT(test, branch, model_nr_branches());
	KUNIT_EXPECT_TRUE(test, is_about(ctx, task, taken));
	KUNIT_EXPECT_FALSE(test, taken->seen);
	taken->seen = true;
	KUNIT_EXPECT_EQ(test, record->kind, BRANCH_JUMP);
	KUNIT_EXPECT_EQ(test, record->pid, taken->pid);
	KUNIT_EXPECT_EQ(test, record->cpu, taken->cpu);
	KUNIT_EXPECT_EQ(test, record->flags & (BRANCH_FLAG_FROM_KERNEL | BRANCH_FLAG_TO_KERNEL),
			taken->flags);
	check_side(test, is_wanted_side(ctx, taken, taken->flags & BRANCH_FLAG_FROM_KERNEL),
		   record->flags & BRANCH_FLAG_FROM_HIDDEN, record->from, from_address(branch));
	check_side(test, is_wanted_side(ctx, taken, taken->flags & BRANCH_FLAG_TO_KERNEL),
		   record->flags & BRANCH_FLAG_TO_HIDDEN, record->to, to_address(branch));
}

/* The latest marker of this CPU tells which task runs there; that of one task, where it runs */
static void check_place(struct kunit *test, struct branch_ctx *ctx,
			const struct branch_record *record, pid_t *running)
{
	if (!branch_is_marker(record->kind)) {
		KUNIT_EXPECT_EQ(test, record->pid, running[record->cpu]);
		return;
	}
	if (ctx->attr.subject == BRANCH_TASK && !ctx->attr.inherit)
		memset(running, 0, nr_cpu_ids * sizeof(*running));
	running[record->cpu] = record->pid;
}

/* The latest branch of each task, by its number in the log. Tasks are few here. */
static void check_order(struct kunit *test, const struct branch_record *record, unsigned int *last)
{
	unsigned int branch = (max(record->from, record->to) - 1) / 2;
	unsigned int *its = &last[record->pid % PID_MAX_DEFAULT];

	KUNIT_EXPECT_GT(test, branch + 1, *its);
	*its = branch + 1;
}

static void check_missing(struct kunit *test, struct branch_ctx *ctx, struct task_struct *task,
			  struct model_range must)
{
	unsigned int branch;

	for (branch = must.from; branch < must.to; branch++) {
		struct model_branch *taken = &model_log[branch];

		KUNIT_EXPECT_EQ_MSG(test, taken->seen, is_about(ctx, task, taken),
				    "branch %u, flags %u, PID %d, CPU %u", branch,
				    taken->flags, taken->pid, taken->cpu);
	}
	for (branch = 0; branch < model_nr_branches(); branch++)
		model_log[branch].seen = false;
}

/*
 * Takes the records of a context: they are the branches that it is about, all of those that must
 * be there among them, in order, each once, each on the CPU and of the task that a marker has told.
 */
void model_check(struct kunit *test, struct branch_ctx *ctx, struct task_struct *task,
		 struct model_range must, unsigned int *nr_begun)
{
	pid_t *running = kunit_kcalloc(test, nr_cpu_ids, sizeof(*running), GFP_KERNEL);
	unsigned int *last = vzalloc(array_size(PID_MAX_DEFAULT, sizeof(*last)));
	struct branch_record record;

	KUNIT_ASSERT_NOT_NULL(test, running);
	KUNIT_ASSERT_NOT_NULL(test, last);
	if (nr_begun)
		*nr_begun = 0;
	while (branch_ctx_read(ctx, &record)) {
		KUNIT_ASSERT_NE(test, record.kind, BRANCH_LOST);
		KUNIT_EXPECT_NE(test, record.time, 0);
		check_place(test, ctx, &record, running);
		if (nr_begun && record.kind == BRANCH_BEGIN)
			(*nr_begun)++;
		if (branch_is_marker(record.kind))
			continue;
		check_branch(test, ctx, task, &record);
		check_order(test, &record, last);
	}
	check_missing(test, ctx, task, must);
	KUNIT_EXPECT_EQ(test, atomic_read(&model_wrong_task), 0);
	vfree(last);
	kunit_kfree(test, running);
}
