// SPDX-License-Identifier: GPL-2.0
/*
 * Many contexts at once: each gets what it is about, whatever the others are.
 */
#include <kunit/static_stub.h>
#include <linux/cpu.h>
#include <linux/delay.h>
#include <linux/sched/task.h>

#include "model.h"

#define NR_WORKERS	3

struct crew {
	struct model_worker	workers[NR_WORKERS];
};

static void crew_create(struct kunit *test, struct crew *crew, unsigned int branches,
			unsigned int pause)
{
	int i;

	memset(crew, 0, sizeof(*crew));
	for (i = 0; i < NR_WORKERS; i++) {
		crew->workers[i].branches = branches;
		crew->workers[i].pause = pause;
		model_worker_create(test, &crew->workers[i]);
	}
}

static void crew_go(struct crew *crew)
{
	int i;

	for (i = 0; i < NR_WORKERS; i++)
		model_worker_go(&crew->workers[i]);
}

static void crew_stop(struct kunit *test, struct crew *crew)
{
	int i;

	for (i = 0; i < NR_WORKERS; i++)
		WRITE_ONCE(crew->workers[i].stop, true);
	for (i = 0; i < NR_WORKERS; i++)
		model_worker_wait(test, &crew->workers[i]);
}

static void crew_wait(struct kunit *test, struct crew *crew)
{
	int i;

	for (i = 0; i < NR_WORKERS; i++)
		model_worker_wait(test, &crew->workers[i]);
}

static void crew_end(struct crew *crew)
{
	int i;

	for (i = 0; i < NR_WORKERS; i++) {
		model_worker_end(&crew->workers[i]);
		put_task_struct(crew->workers[i].task);
	}
}

/* Contexts of these kinds, at once, over all that the crew does */
static void run_kinds(struct kunit *test, const unsigned int *kinds, unsigned int nr)
{
	struct branch_ctx **ctx = kunit_kcalloc(test, nr, sizeof(*ctx), GFP_KERNEL);
	struct task_struct *task;
	struct crew crew;
	unsigned int i;

	KUNIT_ASSERT_NOT_NULL(test, ctx);
	model_reset(test);
	crew_create(test, &crew, 200, 0);
	task = crew.workers[1].task;
	for (i = 0; i < nr; i++) {
		struct branch_attr attr = model_attr(kinds[i], task);

		ctx[i] = model_open(test, &attr);
		KUNIT_ASSERT_EQ(test, branch_ctx_start(ctx[i]), 0);
	}
	crew_go(&crew);
	crew_wait(test, &crew);
	for (i = 0; i < nr; i++)
		branch_ctx_stop(ctx[i]);

	KUNIT_EXPECT_EQ(test, model_nr_branches(), NR_WORKERS * 200);
	for (i = 0; i < nr; i++) {
		struct model_range all = { 0, model_nr_branches() };
		unsigned int begun;

		model_check(test, ctx[i], task, all, &begun);
		if (ctx[i]->attr.subject == BRANCH_ALL_CPUS)
			KUNIT_EXPECT_EQ(test, begun, num_online_cpus());
		else
			KUNIT_EXPECT_EQ(test, begun, 1);
		branch_ctx_close(ctx[i]);
	}
	crew_end(&crew);
	kunit_kfree(test, ctx);
}

static void test_pairs(struct kunit *test)
{
	unsigned int kinds[2];

	for (kinds[0] = 0; kinds[0] < MODEL_NR_KINDS; kinds[0]++) {
		for (kinds[1] = kinds[0]; kinds[1] < MODEL_NR_KINDS; kinds[1]++)
			run_kinds(test, kinds, 2);
	}
}

static void test_all_kinds(struct kunit *test)
{
	unsigned int kinds[MODEL_NR_KINDS + MODEL_NR_PLAIN];
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(kinds); i++)
		kinds[i] = i % MODEL_NR_KINDS;
	run_kinds(test, kinds, ARRAY_SIZE(kinds));
}

static void wait_for_branches(unsigned int nr)
{
	unsigned long end = jiffies + 30 * HZ;
	unsigned int until = model_nr_branches() + nr;

	while (model_nr_branches() < until && time_before(jiffies, end))
		fsleep(1000);
}

static unsigned int count(struct branch_ctx *ctx)
{
	struct branch_cursor cursor;
	struct branch_record record;
	unsigned int nr = 0;

	branch_ctx_first(ctx, &cursor);
	while (branch_ctx_next(ctx, &cursor, &record))
		nr++;
	return nr;
}

/* All between start and stop is there, and nothing comes after */
static void start_and_stop(struct kunit *test, unsigned int kind, struct crew *crew)
{
	struct task_struct *task = crew->workers[0].task;
	struct branch_attr attr = model_attr(kind, task);
	struct branch_ctx *ctx = model_open(test, &attr);
	struct model_range must;
	unsigned int i, nr;

	for (i = 0; i < 3; i++) {
		KUNIT_ASSERT_EQ(test, branch_ctx_start(ctx), 0);
		must.from = model_nr_branches();
		wait_for_branches(200);
		must.to = model_nr_branches();
		/* All of these have been handed over then */
		synchronize_rcu();
		branch_ctx_stop(ctx);
		nr = count(ctx);
		KUNIT_EXPECT_GT(test, nr, 1);
		wait_for_branches(100);
		KUNIT_EXPECT_EQ(test, count(ctx), nr);
		model_check(test, ctx, task, must, &nr);
		KUNIT_EXPECT_GE(test, nr, 1);
	}
	branch_ctx_close(ctx);
}

static void test_start_and_stop(struct kunit *test)
{
	unsigned int kind;

	for (kind = 0; kind < MODEL_NR_KINDS; kind++) {
		struct crew crew;

		model_reset(test);
		crew_create(test, &crew, UINT_MAX / 2, 500);
		crew_go(&crew);
		start_and_stop(test, kind, &crew);
		crew_stop(test, &crew);
		KUNIT_EXPECT_LT(test, model_nr_branches(), MODEL_BRANCHES);
		crew_end(&crew);
	}
}

/* What a context that takes its records itself has got */
struct taken {
	unsigned int	branches;
	unsigned int	markers;
};

static void take(void *data, const struct branch_record *record)
{
	struct taken *taken = data;

	if (branch_is_marker(record->kind))
		taken->markers++;
	else
		taken->branches++;
}

static const struct branch_ops take_ops = { .record = take };

static void test_taken_at_once(struct kunit *test)
{
	struct branch_attr attr = model_attr(2, current);
	struct taken taken = { };
	struct branch_ctx *ctx;
	struct branch_refusal refusal;

	attr.records = 0;
	ctx = branch_ctx_open(&attr, &take_ops, &taken, &refusal);
	KUNIT_ASSERT_FALSE_MSG(test, IS_ERR(ctx), "%s", refusal.why);
	model_branch(0);
	KUNIT_EXPECT_EQ(test, taken.markers + taken.branches, 0);
	KUNIT_ASSERT_EQ(test, branch_ctx_start(ctx), 0);
	KUNIT_EXPECT_EQ(test, branch_ctx_start(ctx), 0);
	KUNIT_EXPECT_EQ(test, taken.markers, 1);
	model_branch(0);
	model_branch(BRANCH_FLAG_TO_KERNEL);
	KUNIT_EXPECT_EQ(test, taken.branches, 2);
	branch_ctx_stop(ctx);
	branch_ctx_stop(ctx);
	model_branch(0);
	KUNIT_EXPECT_EQ(test, taken.branches, 2);
	KUNIT_ASSERT_EQ(test, branch_ctx_start(ctx), 0);
	branch_ctx_close(ctx);
	model_branch(0);
	KUNIT_EXPECT_EQ(test, taken.branches, 2);
}

#define NR_MANY		2000

/* model_branches() takes one from each mode to each */
#define NR_BRANCHES	4

static void check_taken(struct kunit *test, const struct taken *taken, unsigned int modes)
{
	unsigned int flags, nr = 0;

	for (flags = 0; flags < NR_BRANCHES; flags++)
		nr += !!(model_sides(flags) & modes);
	KUNIT_EXPECT_EQ(test, taken->branches, nr);
	KUNIT_EXPECT_GE(test, taken->markers, 1);
}

/* Each has what it is about, and none is left */
static void run_thousands(struct kunit *test, struct branch_ctx **ctx, struct taken *taken)
{
	struct branch_refusal refusal;
	unsigned int i;

	for (i = 0; i < NR_MANY; i++) {
		struct branch_attr attr = model_attr(i % MODEL_NR_PLAIN, current);

		attr.records = 0;
		ctx[i] = branch_ctx_open(&attr, &take_ops, &taken[i], &refusal);
		KUNIT_ASSERT_FALSE_MSG(test, IS_ERR(ctx[i]), "%s", refusal.why);
		KUNIT_ASSERT_EQ(test, branch_ctx_start(ctx[i]), 0);
	}
	model_branches(NR_BRANCHES);
	for (i = 0; i < NR_MANY; i++) {
		check_taken(test, &taken[i], ctx[i]->attr.modes);
		branch_ctx_close(ctx[i]);
	}
	model_branches(NR_BRANCHES);
	for (i = 0; i < NR_MANY; i++)
		check_taken(test, &taken[i], model_attr(i % MODEL_NR_PLAIN, NULL).modes);
	KUNIT_EXPECT_EQ(test, model_asked_modes(), 0);
}

static void test_thousands(struct kunit *test)
{
	struct branch_ctx **ctx = kunit_kcalloc(test, NR_MANY, sizeof(*ctx), GFP_KERNEL);
	struct taken *taken = kunit_kcalloc(test, NR_MANY, sizeof(*taken), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, ctx);
	KUNIT_ASSERT_NOT_NULL(test, taken);
	model_reset(test);
	set_cpus_allowed_ptr(current, cpumask_of(model_cpu()));
	run_thousands(test, ctx, taken);
	set_cpus_allowed_ptr(current, cpu_possible_mask);
}

struct refused {
	const char		*name;
	struct branch_attr	attr;
	int			error;
};

#define TASK_ATTR	.subject = BRANCH_TASK, .modes = BRANCH_USER, .records = 1

static const struct refused all_refused[] = {
	{ "no mode", { TASK_ATTR, .modes = 0 }, -EINVAL },
	{ "a mode that is none", { TASK_ATTR, .modes = BRANCH_MODES + 1 }, -EINVAL },
	{ "no subject", { TASK_ATTR, .subject = BRANCH_ALL_CPUS + 1 }, -EINVAL },
	{ "no records", { TASK_ATTR, .records = 0 }, -EINVAL },
	{ "too many records", { TASK_ATTR, .records = BRANCH_RECORDS_MAX + 1 }, -EINVAL },
	{ "CPU -1", { TASK_ATTR, .subject = BRANCH_CPU, .cpu = -1 }, -EINVAL },
	{ "no such CPU", { TASK_ATTR, .subject = BRANCH_CPU, .cpu = INT_MAX }, -EINVAL },
	{ "CPUs have no children", { TASK_ATTR, .subject = BRANCH_CPU, .inherit = true }, -EINVAL },
	{ "all have no children", { TASK_ATTR, .subject = BRANCH_ALL_CPUS, .inherit = true },
	  -EINVAL },
	{ "no such function", { TASK_ATTR, .backend = "model", .modes = BRANCH_KERNEL,
				.functions = "none" }, -EINVAL },
	{ "no windows", { TASK_ATTR, .backend = "third", .modes = BRANCH_KERNEL,
			  .functions = "2" }, -EOPNOTSUPP },
	{ "no such backend", { TASK_ATTR, .backend = "abacus" }, -EOPNOTSUPP },
	{ "what the backend cannot do", { TASK_ATTR, .backend = "second", .modes = BRANCH_MODES },
	  -EOPNOTSUPP },
};

static const char *second_refuses(const struct branch_attr *attr)
{
	return attr->modes == BRANCH_USER ? NULL : "user mode only";
}

static void second_set(struct task_struct *task, unsigned int modes)
{
}

static struct branch_backend second = {
	.name = "second",
	.refuses = second_refuses,
	.set = second_set,
};

static const char *third_refuses(const struct branch_attr *attr)
{
	return NULL;
}

static struct branch_backend third = {
	.name = "third",
	.refuses = third_refuses,
	.set = second_set,
};

static void test_refused(struct kunit *test)
{
	const struct refused *refused;

	KUNIT_ASSERT_EQ(test, branch_backend_register(&second), 0);
	KUNIT_ASSERT_EQ(test, branch_backend_register(&third), 0);
	for (refused = all_refused; refused < all_refused + ARRAY_SIZE(all_refused); refused++) {
		struct branch_attr attr = refused->attr;
		struct branch_refusal refusal = { };
		struct branch_ctx *ctx;

		attr.task = current;
		ctx = branch_ctx_open(&attr, NULL, NULL, &refusal);
		KUNIT_EXPECT_EQ_MSG(test, PTR_ERR_OR_ZERO(ctx), refused->error, "%s",
				    refused->name);
		KUNIT_EXPECT_NOT_NULL_MSG(test, refusal.why, "%s", refused->name);
		if (!IS_ERR(ctx))
			branch_ctx_close(ctx);
	}
	/* None of them holds it */
	KUNIT_EXPECT_EQ(test, branch_backend_unregister(&second), 0);
	KUNIT_EXPECT_EQ(test, branch_backend_unregister(&third), 0);
}

/* There are so many windows, and one that was closed can be had again */
static void test_windows(struct kunit *test)
{
	struct branch_attr attr = model_attr(MODEL_NR_PLAIN + BRANCH_KERNEL - 1, current);
	struct branch_ctx *ctx[BRANCH_MAX_WINDOWS], *more;
	struct branch_refusal refusal = { };
	unsigned int i;

	attr.records = 1;
	for (i = 0; i < BRANCH_MAX_WINDOWS; i++)
		ctx[i] = model_open(test, &attr);
	more = branch_ctx_open(&attr, NULL, NULL, &refusal);
	KUNIT_EXPECT_EQ(test, PTR_ERR_OR_ZERO(more), -ENOSPC);
	KUNIT_EXPECT_NOT_NULL(test, refusal.why);
	branch_ctx_close(ctx[3]);
	ctx[3] = model_open(test, &attr);
	KUNIT_EXPECT_EQ(test, ctx[3]->window, 3);

	/* User mode has no functions, so it needs no window */
	attr.modes = BRANCH_USER;
	branch_ctx_close(model_open(test, &attr));
	for (i = 0; i < BRANCH_MAX_WINDOWS; i++)
		branch_ctx_close(ctx[i]);
}

static void run_branches(struct kunit *test, struct branch_ctx *ctx)
{
	model_reset(test);
	KUNIT_ASSERT_EQ(test, branch_ctx_start(ctx), 0);
	model_branches(100);
	branch_ctx_stop(ctx);
	model_check(test, ctx, current, (struct model_range) { 0, 100 }, NULL);
}

/* Other functions, none, other modes: what is refused changes nothing */
static void test_change_functions(struct kunit *test)
{
	static const char *const functions[] = { "1", "3 7", NULL, "4", "no", "0" };
	struct branch_attr attr = model_attr(MODEL_NR_PLAIN + BRANCH_MODES - 1, current);
	struct branch_ctx *ctx = model_open(test, &attr);
	struct branch_refusal refusal;
	unsigned int i;
	int ret;

	run_branches(test, ctx);
	for (i = 0; i < ARRAY_SIZE(functions); i++) {
		attr.functions = functions[i];
		ret = branch_ctx_change(ctx, &attr, &refusal);
		KUNIT_EXPECT_EQ(test, ret, i == 4 ? -EINVAL : 0);
		KUNIT_EXPECT_EQ(test, ctx->window < 0, !ctx->attr.functions);
		run_branches(test, ctx);
	}
	branch_ctx_close(ctx);
}

static void test_no_task(struct kunit *test)
{
	struct branch_attr attr = model_attr(0, NULL);
	struct branch_refusal refusal = { };

	KUNIT_EXPECT_EQ(test, PTR_ERR_OR_ZERO(branch_ctx_open(&attr, NULL, NULL, &refusal)),
			-EINVAL);
	KUNIT_EXPECT_NOT_NULL(test, refusal.why);
}

/* Branches of one backend do not go to contexts of another */
static void run_two_backends(struct kunit *test, enum branch_subject subject)
{
	struct branch_attr attr = model_attr(3 * subject, current);
	struct branch_ctx *ours, *theirs;

	model_reset(test);
	ours = model_open(test, &attr);
	attr.backend = "second";
	theirs = model_open(test, &attr);
	KUNIT_EXPECT_EQ(test, branch_backend_unregister(&second), -EBUSY);
	KUNIT_ASSERT_EQ(test, branch_ctx_start(ours), 0);
	KUNIT_ASSERT_EQ(test, branch_ctx_start(theirs), 0);
	model_branches(3);
	branch_ctx_stop(ours);
	branch_ctx_stop(theirs);
	model_check(test, ours, current, (struct model_range) { 0, 3 }, NULL);
	/* Any record but a marker would be of a branch that was not */
	model_forget_from(0);
	KUNIT_EXPECT_GE(test, count(theirs), 1);
	model_check(test, theirs, current, (struct model_range) { }, NULL);
	branch_ctx_close(ours);
	branch_ctx_close(theirs);
}

static void test_two_backends(struct kunit *test)
{
	KUNIT_ASSERT_EQ(test, branch_backend_register(&second), 0);
	KUNIT_EXPECT_EQ(test, branch_backend_register(&second), -EEXIST);
	run_two_backends(test, BRANCH_TASK);
	run_two_backends(test, BRANCH_ALL_CPUS);
	KUNIT_EXPECT_EQ(test, branch_backend_unregister(&second), 0);
}

static void expect_backend(struct kunit *test, unsigned int modes, struct branch_backend *expected)
{
	struct branch_attr attr = model_attr(modes - 1, current);
	struct branch_ctx *ctx;
	struct branch_refusal refusal;

	attr.backend = NULL;
	ctx = branch_ctx_open(&attr, NULL, NULL, &refusal);
	if (expected) {
		KUNIT_ASSERT_FALSE(test, IS_ERR(ctx));
		KUNIT_EXPECT_PTR_EQ(test, ctx->backend, expected);
		branch_ctx_close(ctx);
	} else {
		KUNIT_EXPECT_EQ(test, PTR_ERR_OR_ZERO(ctx), -EOPNOTSUPP);
		KUNIT_EXPECT_NOT_NULL(test, refusal.why);
	}
}

/* The machine may have others, which come first */
static const char *only_models(struct branch_backend *backend, const struct branch_attr *attr)
{
	if (backend != &model_backend && backend != &second)
		return "not in this test";
	return backend->refuses(attr);
}

/* If no backend is named, it is the first that can do what is wanted */
static void test_any_backend(struct kunit *test)
{
	kunit_activate_static_stub(test, branch_backend_refuses, only_models);
	KUNIT_ASSERT_EQ(test, branch_backend_unregister(&model_backend), 0);
	expect_backend(test, BRANCH_USER, NULL);
	KUNIT_ASSERT_EQ(test, branch_backend_register(&second), 0);
	expect_backend(test, BRANCH_KERNEL, NULL);
	KUNIT_ASSERT_EQ(test, branch_backend_register(&model_backend), 0);
	expect_backend(test, BRANCH_USER, &second);
	expect_backend(test, BRANCH_KERNEL, &model_backend);
	KUNIT_EXPECT_EQ(test, branch_backend_unregister(&second), 0);
	expect_backend(test, BRANCH_USER, &model_backend);
}

/* What comes after the start of a context, but before its marker, was produced for others */
static void run_before_marker(struct kunit *test, enum branch_subject subject)
{
	struct branch_attr attr = model_attr(3 * subject, current);
	struct branch_ctx *other = model_open(test, &attr);
	struct branch_ctx *ctx = model_open(test, &attr);

	KUNIT_ASSERT_EQ(test, branch_ctx_start(other), 0);
	scoped_guard(mutex, &branch_mutex) {
		guard(preempt)();
		WRITE_ONCE(ctx->running, true);
		if (subject == BRANCH_ALL_CPUS)
			list_add_tail_rcu(&ctx->link, &branch_everywhere);
		model_branch(0);
		WRITE_ONCE(ctx->running, false);
		if (subject == BRANCH_ALL_CPUS)
			list_del_rcu(&ctx->link);
	}
	branch_ctx_stop(other);
	KUNIT_EXPECT_GE(test, count(other), 2);
	/* Another CPU may have switched meanwhile, and begun: there are no branches, at any rate */
	model_forget_from(0);
	model_check(test, ctx, current, (struct model_range) { }, NULL);
	branch_ctx_close(ctx);
	branch_ctx_close(other);
}

static void test_before_marker(struct kunit *test)
{
	run_before_marker(test, BRANCH_TASK);
	model_reset(test);
	run_before_marker(test, BRANCH_ALL_CPUS);
}

/* A record that is on its way when the context is stopped */
struct on_its_way {
	struct completion	begun;
	bool			done;
};

static void take_long(void *data, const struct branch_record *record)
{
	struct on_its_way *record_of = data;

	if (branch_is_marker(record->kind) || completion_done(&record_of->begun))
		return;
	complete(&record_of->begun);
	mdelay(50);
	WRITE_ONCE(record_of->done, true);
}

static const struct branch_ops take_long_ops = { .record = take_long };

static void run_on_its_way(struct kunit *test, enum branch_subject subject, bool close)
{
	struct model_worker worker = { .branches = 20, .cpus = cpumask_of(model_cpu()) };
	struct on_its_way record_of = { };
	struct branch_attr attr;
	struct branch_ctx *ctx;
	struct branch_refusal refusal;

	init_completion(&record_of.begun);
	model_worker_create(test, &worker);
	set_cpus_allowed_ptr(worker.task, worker.cpus);
	attr = model_attr(3 * subject + 2, worker.task);
	ctx = branch_ctx_open(&attr, &take_long_ops, &record_of, &refusal);
	KUNIT_ASSERT_FALSE_MSG(test, IS_ERR(ctx), "%s", refusal.why);
	KUNIT_ASSERT_EQ(test, branch_ctx_start(ctx), 0);
	model_worker_go(&worker);
	wait_for_completion(&record_of.begun);
	if (close)
		branch_ctx_close(ctx);
	else
		branch_ctx_stop(ctx);
	KUNIT_EXPECT_TRUE(test, READ_ONCE(record_of.done));
	model_worker_wait(test, &worker);
	if (!close)
		branch_ctx_close(ctx);
	model_worker_end(&worker);
	put_task_struct(worker.task);
}

static void test_stop_waits(struct kunit *test)
{
	run_on_its_way(test, BRANCH_TASK, false);
	run_on_its_way(test, BRANCH_ALL_CPUS, false);
	run_on_its_way(test, BRANCH_TASK, true);
}

#ifdef CONFIG_HOTPLUG_CPU
/* A CPU that goes and comes back: tracing of it begins again */
static void run_hotplug(struct kunit *test, unsigned int kind)
{
	unsigned int cpu = model_cpu(), begun;
	struct branch_attr attr = model_attr(kind, NULL);
	struct model_worker worker = { .branches = 40, .cpus = cpumask_of(cpu) };
	struct model_worker again = worker;
	struct branch_ctx *ctx = model_open(test, &attr);

	model_reset(test);
	KUNIT_ASSERT_EQ(test, branch_ctx_start(ctx), 0);
	model_worker_create(test, &worker);
	model_worker_go(&worker);
	model_worker_wait(test, &worker);
	model_worker_end(&worker);

	KUNIT_ASSERT_EQ(test, remove_cpu(cpu), 0);
	model_branches(4);
	KUNIT_ASSERT_EQ(test, add_cpu(cpu), 0);

	model_worker_create(test, &again);
	model_worker_go(&again);
	model_worker_wait(test, &again);
	model_worker_end(&again);
	branch_ctx_stop(ctx);
	model_check(test, ctx, NULL, (struct model_range) { 0, 40 + 4 + 40 }, &begun);
	KUNIT_EXPECT_EQ(test, begun,
			kind / 3 == BRANCH_CPU ? 2 : num_online_cpus() + 1);
	branch_ctx_close(ctx);
	put_task_struct(worker.task);
	put_task_struct(again.task);
}

static void test_hotplug(struct kunit *test)
{
	if (num_online_cpus() < 2)
		kunit_skip(test, "there is one CPU");
	run_hotplug(test, 3 * BRANCH_CPU + 2);
	run_hotplug(test, 3 * BRANCH_ALL_CPUS + 2);
}

/* A CPU that is not there yet when the context is started */
static void test_offline(struct kunit *test)
{
	unsigned int cpu = model_cpu(), begun;
	struct branch_attr attr = model_attr(3 * BRANCH_CPU, NULL);
	struct model_worker worker = { .branches = 40, .cpus = cpumask_of(cpu) };
	struct branch_ctx *ctx;

	if (num_online_cpus() < 2)
		kunit_skip(test, "there is one CPU");
	KUNIT_ASSERT_EQ(test, remove_cpu(cpu), 0);
	ctx = model_open(test, &attr);
	KUNIT_EXPECT_EQ(test, branch_ctx_start(ctx), 0);
	KUNIT_EXPECT_EQ(test, count(ctx), 0);
	KUNIT_ASSERT_EQ(test, add_cpu(cpu), 0);
	model_worker_create(test, &worker);
	model_worker_go(&worker);
	model_worker_wait(test, &worker);
	branch_ctx_stop(ctx);
	model_check(test, ctx, NULL, (struct model_range) { 0, 40 }, &begun);
	KUNIT_EXPECT_EQ(test, begun, 1);
	branch_ctx_close(ctx);
	model_worker_end(&worker);
	put_task_struct(worker.task);
}
#endif

static void test_kind_names(struct kunit *test)
{
	unsigned int one, other;

	for (one = 0; one < BRANCH_NR_KINDS; one++) {
		KUNIT_ASSERT_NOT_NULL(test, branch_kind_name(one));
		for (other = 0; other < one; other++)
			KUNIT_EXPECT_STRNEQ(test, branch_kind_name(one), branch_kind_name(other));
	}
	KUNIT_EXPECT_STREQ(test, branch_kind_name(BRANCH_UNKNOWN), "unknown");
	KUNIT_EXPECT_STREQ(test, branch_kind_name(BRANCH_RETURN), "return");
	KUNIT_EXPECT_STREQ(test, branch_kind_name(BRANCH_TO_KERNEL), "to kernel");
	KUNIT_EXPECT_STREQ(test, branch_kind_name(BRANCH_BEGIN), "tracing began");
	KUNIT_EXPECT_STREQ(test, branch_kind_name(BRANCH_NR_KINDS - 1), "not followed");
	KUNIT_EXPECT_STREQ(test, branch_kind_name(BRANCH_NR_KINDS), "?");
	KUNIT_EXPECT_FALSE(test, branch_is_marker(BRANCH_TO_KERNEL));
	KUNIT_EXPECT_TRUE(test, branch_is_marker(BRANCH_BEGIN));
}

static struct kunit_case branch_ctx_cases[] = {
	KUNIT_CASE(test_pairs),
	KUNIT_CASE(test_all_kinds),
	KUNIT_CASE(test_thousands),
	KUNIT_CASE(test_start_and_stop),
	KUNIT_CASE(test_taken_at_once),
	KUNIT_CASE(test_refused),
	KUNIT_CASE(test_windows),
	KUNIT_CASE(test_change_functions),
	KUNIT_CASE(test_no_task),
	KUNIT_CASE(test_two_backends),
	KUNIT_CASE(test_any_backend),
	KUNIT_CASE(test_before_marker),
	KUNIT_CASE(test_stop_waits),
#ifdef CONFIG_HOTPLUG_CPU
	KUNIT_CASE(test_hotplug),
	KUNIT_CASE(test_offline),
#endif
	KUNIT_CASE(test_kind_names),
	{}
};

static struct kunit_suite branch_ctx_suite = {
	.name = "branch_ctx",
	.suite_init = model_init,
	.suite_exit = model_exit,
	.init = model_reset,
	.test_cases = branch_ctx_cases,
};

kunit_test_suite(branch_ctx_suite);

MODULE_DESCRIPTION("KUnit tests of branch contexts");
MODULE_LICENSE("GPL");
