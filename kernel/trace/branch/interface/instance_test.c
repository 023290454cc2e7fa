// SPDX-License-Identifier: GPL-2.0
/*
 * What the files of instances choose is what their events are about.
 */
#include <kunit/test.h>
#include <linux/capability.h>
#include <linux/cred.h>
#include <linux/sched/task.h>
#include <linux/trace_events.h>

#include "../../trace.h"
#include "../tests/model.h"
#include "instance.h"

#define INSTANCE	"branch_kunit"
#define OTHER_INSTANCE	"branch_kunit_other"

/* As the event's format says; events.c has no need to tell */
struct read_branch {
	struct trace_entry	ent;
	u64			from;
	u64			to;
	u8			kind;
	u8			flags;
};

static struct trace_array *test_tr, *other_tr;

static struct branch_instance *lock_instance(struct kunit *test, struct trace_array *tr)
{
	struct branch_instance *instance;

	mutex_lock(&event_mutex);
	instance = branch_instance_of(tr);
	KUNIT_EXPECT_NOT_NULL(test, instance);
	return instance;
}

static int choose_task(struct kunit *test, struct trace_array *tr, const struct cred *cred,
		       struct task_struct *task, bool also)
{
	struct branch_instance *instance = lock_instance(test, tr);
	struct branch_refusal refusal = { };
	int ret;

	ret = branch_choose_task(instance, cred, task, also, &refusal);
	mutex_unlock(&event_mutex);
	KUNIT_EXPECT_EQ(test, !refusal.why, !ret);
	return ret;
}

static int choose_cpus(struct kunit *test, struct trace_array *tr, const struct cred *cred,
		       enum branch_subject subject, int cpu)
{
	struct branch_instance *instance = lock_instance(test, tr);
	struct branch_refusal refusal = { };
	int ret;

	ret = branch_choose_cpus(instance, cred, subject, cpu, &refusal);
	mutex_unlock(&event_mutex);
	KUNIT_EXPECT_EQ(test, !refusal.why, !ret);
	return ret;
}

static int choose_modes(struct kunit *test, struct trace_array *tr, const struct cred *cred,
			unsigned int modes)
{
	struct branch_instance *instance = lock_instance(test, tr);
	struct branch_refusal refusal = { };
	int ret;

	ret = branch_choose_modes(instance, cred, modes, &refusal);
	mutex_unlock(&event_mutex);
	KUNIT_EXPECT_EQ(test, !refusal.why, !ret);
	return ret;
}

static int choose_functions(struct kunit *test, const struct cred *cred, const char *functions)
{
	struct branch_instance *instance = lock_instance(test, test_tr);
	struct branch_refusal refusal = { };
	int ret;

	ret = branch_choose_functions(instance, cred, functions, &refusal);
	mutex_unlock(&event_mutex);
	KUNIT_EXPECT_EQ(test, !refusal.why, !ret);
	return ret;
}

static int choose_backend_by(struct kunit *test, struct trace_array *tr, const struct cred *cred,
			     const char *name)
{
	struct branch_instance *instance = lock_instance(test, tr);
	struct branch_refusal refusal = { };
	int ret;

	ret = branch_choose_backend(instance, cred, name, &refusal);
	mutex_unlock(&event_mutex);
	KUNIT_EXPECT_EQ(test, !refusal.why, !ret);
	return ret;
}

static int choose_backend(struct kunit *test, struct trace_array *tr, const char *name)
{
	return choose_backend_by(test, tr, current_cred(), name);
}

static int choose_inherit(struct kunit *test, const struct cred *cred, bool inherit)
{
	struct branch_instance *instance = lock_instance(test, test_tr);
	struct branch_refusal refusal = { };
	int ret;

	ret = branch_choose_inherit(instance, cred, inherit, &refusal);
	mutex_unlock(&event_mutex);
	KUNIT_EXPECT_EQ(test, !refusal.why, !ret);
	return ret;
}

static void choose_nothing(struct kunit *test, struct trace_array *tr)
{
	branch_choose_nothing(lock_instance(test, tr));
	mutex_unlock(&event_mutex);
}

static void events_on(struct kunit *test, struct trace_array *tr, bool on)
{
	KUNIT_EXPECT_EQ(test, trace_array_set_clr_event(tr, "branch", NULL, on), 0);
}

static int event_type(struct kunit *test, const char *name)
{
	struct trace_event_file *file = trace_get_event_file(INSTANCE, "branch", name);
	int type;

	KUNIT_ASSERT_FALSE(test, IS_ERR(file));
	type = file->event_call->event.type;
	trace_put_event_file(file);
	return type;
}

/* What was read of an instance */
struct got {
	unsigned int	branches;
	unsigned int	begun;
	unsigned int	switched_in;
	unsigned int	others;
};

/* The branch's number in the model's log is in both of its addresses, see model.c */
static void check_branch(struct kunit *test, const struct read_branch *branch, int cpu)
{
	unsigned int nr = (max(branch->from, branch->to) - 1) / 2;
	struct model_branch *taken = &model_log[nr];

	KUNIT_ASSERT_LT(test, nr, model_nr_branches());
	KUNIT_EXPECT_FALSE(test, taken->seen);
	taken->seen = true;
	KUNIT_EXPECT_EQ(test, branch->ent.pid, taken->pid);
	KUNIT_EXPECT_EQ(test, cpu, taken->cpu);
	KUNIT_EXPECT_EQ(test, branch->kind, BRANCH_JUMP);
	KUNIT_EXPECT_EQ(test, branch->flags & (BRANCH_FLAG_FROM_KERNEL | BRANCH_FLAG_TO_KERNEL),
			taken->flags);
	KUNIT_EXPECT_EQ(test, branch->from,
			branch->flags & BRANCH_FLAG_FROM_HIDDEN ? 0 : 2 * nr + 1);
	KUNIT_EXPECT_EQ(test, branch->to, branch->flags & BRANCH_FLAG_TO_HIDDEN ? 0 : 2 * nr + 2);
}

/* Consumes all events of a CPU. Each task is told of by a marker before its branches. */
static void read_cpu(struct kunit *test, struct trace_array *tr, int cpu, struct got *got)
{
	int branch = event_type(test, "branch"), began = event_type(test, "branch_began");
	int switched_in = event_type(test, "branch_switched_in");
	struct ring_buffer_event *event;
	int running = 0;

	while ((event = ring_buffer_consume(tr->array_buffer.buffer, cpu, NULL, NULL))) {
		struct trace_entry *entry = ring_buffer_event_data(event);

		if (entry->type == branch) {
			check_branch(test, (struct read_branch *)entry, cpu);
			KUNIT_EXPECT_EQ(test, entry->pid, running);
			got->branches++;
			continue;
		}
		running = entry->pid;
		if (entry->type == began)
			got->begun++;
		else if (entry->type == switched_in)
			got->switched_in++;
		else
			got->others++;
	}
}

static struct got read_all(struct kunit *test, struct trace_array *tr)
{
	struct got got = { };
	int cpu;

	for_each_online_cpu(cpu)
		read_cpu(test, tr, cpu, &got);
	KUNIT_EXPECT_EQ(test, ring_buffer_overruns(tr->array_buffer.buffer), 0);
	KUNIT_EXPECT_EQ(test, got.others, 0);
	return got;
}

/* All that these PIDs took in these modes was read, and nothing else. PIDs of 0: of all */
static void check_seen(struct kunit *test, pid_t one, pid_t two, unsigned int modes)
{
	unsigned int nr;

	for (nr = 0; nr < model_nr_branches(); nr++) {
		struct model_branch *taken = &model_log[nr];
		bool its = !one || taken->pid == one || taken->pid == two;

		KUNIT_EXPECT_EQ(test, taken->seen, its && modes & model_sides(taken->flags));
		taken->seen = false;
	}
}

static void work(struct kunit *test, struct model_worker *workers, unsigned int nr)
{
	unsigned int i;

	for (i = 0; i < nr; i++)
		model_worker_go(&workers[i]);
	for (i = 0; i < nr; i++)
		model_worker_wait(test, &workers[i]);
}

static void create_workers(struct kunit *test, struct model_worker *workers, unsigned int nr)
{
	unsigned int i;

	memset(workers, 0, nr * sizeof(*workers));
	for (i = 0; i < nr; i++) {
		workers[i].branches = 200;
		model_worker_create(test, &workers[i]);
	}
}

static void end_workers(struct model_worker *workers, unsigned int nr)
{
	unsigned int i;

	for (i = 0; i < nr; i++) {
		model_worker_end(&workers[i]);
		put_task_struct(workers[i].task);
	}
}

static void test_one_task(struct kunit *test)
{
	struct model_worker workers[2];
	struct got got;

	create_workers(test, workers, 2);
	KUNIT_EXPECT_EQ(test, choose_task(test, test_tr, current_cred(), workers[0].task, false),
			0);
	events_on(test, test_tr, true);
	work(test, workers, 2);
	events_on(test, test_tr, false);
	got = read_all(test, test_tr);
	check_seen(test, workers[0].task->pid, 0, BRANCH_USER);
	KUNIT_EXPECT_EQ(test, got.branches, 150);
	KUNIT_EXPECT_EQ(test, got.begun, 1);
	KUNIT_EXPECT_GT(test, got.switched_in, 0);
	end_workers(workers, 2);
}

/* Tasks are added while the events are on, and replaced */
static void test_more_tasks(struct kunit *test)
{
	struct model_worker workers[3];
	struct got got;

	create_workers(test, workers, 3);
	events_on(test, test_tr, true);
	choose_task(test, test_tr, current_cred(), workers[2].task, false);
	choose_task(test, test_tr, current_cred(), workers[0].task, false);
	choose_task(test, test_tr, current_cred(), workers[1].task, true);
	choose_task(test, test_tr, current_cred(), workers[1].task, true);
	work(test, workers, 3);
	events_on(test, test_tr, false);
	got = read_all(test, test_tr);
	check_seen(test, workers[0].task->pid, workers[1].task->pid, BRANCH_USER);
	KUNIT_EXPECT_EQ(test, got.begun, 2);
	end_workers(workers, 3);
}

static void test_cpus_and_modes(struct kunit *test)
{
	struct model_worker workers[2];
	unsigned int modes;

	for (modes = 1; modes <= BRANCH_MODES; modes++) {
		struct got got;

		model_reset(test);
		create_workers(test, workers, 2);
		KUNIT_EXPECT_EQ(test, choose_modes(test, test_tr, current_cred(), modes), 0);
		KUNIT_EXPECT_EQ(test, choose_cpus(test, test_tr, current_cred(), BRANCH_ALL_CPUS,
						  0), 0);
		events_on(test, test_tr, true);
		work(test, workers, 2);
		events_on(test, test_tr, false);
		got = read_all(test, test_tr);
		KUNIT_EXPECT_EQ(test, got.begun, num_online_cpus());
		check_seen(test, 0, 0, modes);
		choose_nothing(test, test_tr);
		end_workers(workers, 2);
	}
}

/* Of the kernel, what is in the model's function of this number was read, and nothing else */
static void check_seen_in(struct kunit *test, unsigned int function)
{
	unsigned int nr;

	for (nr = 0; nr < model_nr_branches(); nr++) {
		struct model_branch *taken = &model_log[nr];
		bool is_kernel = model_sides(taken->flags) & BRANCH_KERNEL;

		KUNIT_EXPECT_EQ(test, taken->seen,
				is_kernel && taken->functions & BIT(function));
		taken->seen = false;
	}
}

static void run_function(struct kunit *test, unsigned int function)
{
	struct model_worker worker;

	model_reset(test);
	create_workers(test, &worker, 1);
	KUNIT_EXPECT_EQ(test, choose_task(test, test_tr, current_cred(), worker.task, false), 0);
	events_on(test, test_tr, true);
	work(test, &worker, 1);
	events_on(test, test_tr, false);
	KUNIT_EXPECT_GT(test, read_all(test, test_tr).branches, 0);
	check_seen_in(test, function);
	end_workers(&worker, 1);
}

static void test_functions(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, choose_functions(test, current_cred(), "3"), 0);
	KUNIT_EXPECT_EQ(test, choose_modes(test, test_tr, current_cred(), BRANCH_KERNEL), 0);
	run_function(test, 3);
	KUNIT_EXPECT_EQ(test, choose_task(test, test_tr, current_cred(), current, false), 0);
	KUNIT_EXPECT_EQ(test, choose_functions(test, current_cred(), "none"), -EINVAL);
	KUNIT_EXPECT_STREQ(test, test_tr->branch->attr.functions, "3");
	run_function(test, 3);
	KUNIT_EXPECT_EQ(test, choose_functions(test, current_cred(), "6"), 0);
	run_function(test, 6);
	KUNIT_EXPECT_EQ(test, choose_functions(test, current_cred(), NULL), 0);
	KUNIT_EXPECT_NULL(test, test_tr->branch->attr.functions);
	choose_nothing(test, test_tr);
}

/* Changing the modes begins again, and nothing of the modes before is left */
static void test_change_while_on(struct kunit *test)
{
	struct model_worker worker;
	struct got got;

	create_workers(test, &worker, 1);
	choose_task(test, test_tr, current_cred(), worker.task, false);
	events_on(test, test_tr, true);
	KUNIT_EXPECT_EQ(test, choose_modes(test, test_tr, current_cred(), BRANCH_KERNEL), 0);
	work(test, &worker, 1);
	got = read_all(test, test_tr);
	check_seen(test, worker.task->pid, 0, BRANCH_KERNEL);
	KUNIT_EXPECT_EQ(test, got.branches, 150);
	events_on(test, test_tr, false);
	end_workers(&worker, 1);
}

/* All events of a system may be on, and nothing is asked of backends if nothing is chosen */
static void test_nothing_chosen(struct kunit *test)
{
	struct model_worker worker;
	struct got got;
	int cpu;

	create_workers(test, &worker, 1);
	events_on(test, test_tr, true);
	choose_task(test, test_tr, current_cred(), worker.task, false);
	choose_nothing(test, test_tr);
	read_all(test, test_tr);
	work(test, &worker, 1);
	/* No context is running: model_reset() expects that nothing is asked for */
	model_reset(test);
	got = read_all(test, test_tr);
	KUNIT_EXPECT_EQ(test, got.branches + got.begun + got.switched_in, 0);
	events_on(test, test_tr, false);
	for_each_online_cpu(cpu)
		KUNIT_EXPECT_TRUE(test, ring_buffer_empty_cpu(test_tr->array_buffer.buffer, cpu));
	end_workers(&worker, 1);
}

/* Two instances, of different tasks and modes. One event alone is enough to trace. */
static void test_two_instances(struct kunit *test)
{
	struct model_worker workers[2];
	struct got got;

	create_workers(test, workers, 2);
	choose_task(test, test_tr, current_cred(), workers[0].task, false);
	choose_modes(test, other_tr, current_cred(), BRANCH_KERNEL);
	choose_cpus(test, other_tr, current_cred(), BRANCH_ALL_CPUS, 0);
	events_on(test, test_tr, true);
	KUNIT_EXPECT_EQ(test, trace_array_set_clr_event(other_tr, "branch", "branch_began", true),
			0);
	work(test, workers, 2);
	events_on(test, test_tr, false);
	events_on(test, other_tr, false);
	got = read_all(test, test_tr);
	check_seen(test, workers[0].task->pid, 0, BRANCH_USER);
	KUNIT_EXPECT_EQ(test, got.begun, 1);
	got = read_all(test, other_tr);
	KUNIT_EXPECT_EQ(test, got.begun, num_online_cpus());
	KUNIT_EXPECT_EQ(test, got.branches + got.switched_in, 0);
	end_workers(workers, 2);
}

/* What is refused leaves all as it was, and tracing goes on */
static void test_refused(struct kunit *test)
{
	struct model_worker worker;
	struct got got;

	create_workers(test, &worker, 1);
	choose_task(test, test_tr, current_cred(), worker.task, false);
	KUNIT_EXPECT_EQ(test, choose_backend(test, test_tr, "model"), 0);
	events_on(test, test_tr, true);
	KUNIT_EXPECT_EQ(test, choose_backend(test, test_tr, "no such"), -EINVAL);
	KUNIT_EXPECT_EQ(test, choose_modes(test, test_tr, current_cred(), 4), -EINVAL);
	KUNIT_EXPECT_EQ(test, choose_cpus(test, test_tr, current_cred(), BRANCH_CPU, nr_cpu_ids),
			-EINVAL);
	KUNIT_EXPECT_EQ(test, choose_cpus(test, test_tr, current_cred(), BRANCH_CPU, -1), -EINVAL);
	work(test, &worker, 1);
	events_on(test, test_tr, false);
	got = read_all(test, test_tr);
	check_seen(test, worker.task->pid, 0, BRANCH_USER);
	KUNIT_EXPECT_EQ(test, got.branches, 150);
	KUNIT_EXPECT_STREQ(test, test_tr->branch->attr.backend, "model");
	KUNIT_EXPECT_EQ(test, choose_backend(test, test_tr, NULL), 0);
	KUNIT_EXPECT_NULL(test, test_tr->branch->attr.backend);
	end_workers(&worker, 1);
}

/* The rights of a user without capabilities, who may look into no kernel thread but itself */
static struct cred *user_cred(struct kunit *test, uid_t uid)
{
	struct cred *cred = prepare_creds();

	KUNIT_ASSERT_NOT_NULL(test, cred);
	cap_clear(cred->cap_effective);
	cred->euid = KUIDT_INIT(uid);
	cred->fsuid = cred->euid;
	return cred;
}

static void expect_changes(struct kunit *test, const struct cred *cred, int ret)
{
	KUNIT_EXPECT_EQ(test, choose_modes(test, test_tr, cred, BRANCH_USER), ret);
	KUNIT_EXPECT_EQ(test, choose_functions(test, cred, NULL), ret);
	KUNIT_EXPECT_EQ(test, choose_inherit(test, cred, true), ret);
	KUNIT_EXPECT_EQ(test, choose_inherit(test, cred, false), ret);
	KUNIT_EXPECT_EQ(test, choose_backend_by(test, test_tr, cred, NULL), ret);
}

/* Only somebody who could have chosen the tasks may change what is traced of them */
static void test_rights_to_change(struct kunit *test)
{
	struct cred *user = user_cred(test, 0), *other = user_cred(test, 1000);
	const struct cred *all = current_cred();
	struct model_worker worker;

	create_workers(test, &worker, 1);
	/* Nothing is chosen yet, so nobody's tasks are concerned */
	expect_changes(test, other, 0);
	KUNIT_EXPECT_EQ(test, choose_task(test, test_tr, all, worker.task, false), 0);
	expect_changes(test, user, -EPERM);
	expect_changes(test, all, 0);
	KUNIT_EXPECT_EQ(test, choose_task(test, test_tr, user, current, true), 0);
	expect_changes(test, user, -EPERM);
	KUNIT_EXPECT_EQ(test, choose_task(test, test_tr, user, current, false), 0);
	expect_changes(test, user, 0);
	expect_changes(test, other, -EPERM);
	KUNIT_EXPECT_EQ(test, choose_task(test, test_tr, all, worker.task, true), 0);
	expect_changes(test, user, -EPERM);
	KUNIT_EXPECT_EQ(test, choose_cpus(test, test_tr, all, BRANCH_ALL_CPUS, 0), 0);
	expect_changes(test, user, -EPERM);
	KUNIT_EXPECT_EQ(test, choose_task(test, test_tr, all, worker.task, false), 0);
	work(test, &worker, 1);
	end_workers(&worker, 1);
	/* Those that were chosen have exited */
	expect_changes(test, other, 0);
	KUNIT_EXPECT_NULL(test, test_tr->branch->ctx);
}

static void test_rights(struct kunit *test)
{
	struct cred *user = user_cred(test, 0), *other = user_cred(test, 1000);
	struct model_worker worker;

	create_workers(test, &worker, 1);

	KUNIT_EXPECT_EQ(test, choose_task(test, test_tr, user, worker.task, false), -EPERM);
	KUNIT_EXPECT_EQ(test, choose_task(test, test_tr, other, worker.task, false), -EPERM);
	/* A task may look into itself, but not be made to by one who opened the file for it */
	KUNIT_EXPECT_EQ(test, choose_task(test, test_tr, other, current, false), -EPERM);
	KUNIT_EXPECT_EQ(test, choose_cpus(test, test_tr, user, BRANCH_ALL_CPUS, 0), -EPERM);
	KUNIT_EXPECT_EQ(test, choose_cpus(test, test_tr, user, BRANCH_CPU, 0), -EPERM);
	KUNIT_EXPECT_EQ(test, choose_modes(test, test_tr, user, BRANCH_MODES), -EPERM);
	KUNIT_EXPECT_NULL(test, test_tr->branch->ctx);

	/* What a task executes later depends on all who chose tasks */
	KUNIT_EXPECT_EQ(test, choose_task(test, test_tr, current_cred(), worker.task, false), 0);
	KUNIT_EXPECT_TRUE(test, test_tr->branch->may_go_on);
	KUNIT_EXPECT_EQ(test, choose_task(test, test_tr, user, current, true), 0);
	KUNIT_EXPECT_FALSE(test, test_tr->branch->may_go_on);
	KUNIT_EXPECT_EQ(test, choose_task(test, test_tr, current_cred(), worker.task, true), 0);
	KUNIT_EXPECT_FALSE(test, test_tr->branch->may_go_on);
	KUNIT_EXPECT_EQ(test, choose_task(test, test_tr, current_cred(), worker.task, false), 0);
	KUNIT_EXPECT_TRUE(test, test_tr->branch->may_go_on);

	/* Branches of the kernel were chosen by one who may see them */
	KUNIT_EXPECT_EQ(test, choose_modes(test, test_tr, current_cred(), BRANCH_MODES), 0);
	KUNIT_EXPECT_EQ(test, choose_task(test, test_tr, user, current, true), -EPERM);
	KUNIT_EXPECT_EQ(test, choose_functions(test, user, "2"), -EPERM);
	KUNIT_EXPECT_EQ(test, choose_modes(test, test_tr, user, BRANCH_USER), -EPERM);
	KUNIT_EXPECT_EQ(test, choose_modes(test, test_tr, current_cred(), BRANCH_USER), 0);
	KUNIT_EXPECT_EQ(test, choose_task(test, test_tr, user, current, false), 0);
	work(test, &worker, 1);
	end_workers(&worker, 1);
	abort_creds(user);
	abort_creds(other);
}

static void expect_offset(struct kunit *test, const char *name, unsigned int offset)
{
	struct trace_event_file *file = trace_get_event_file(INSTANCE, "branch", "branch");
	struct ftrace_event_field *field;

	KUNIT_ASSERT_FALSE(test, IS_ERR(file));
	field = trace_find_event_field(file->event_call, (char *)name);
	KUNIT_EXPECT_NOT_NULL(test, field);
	if (field)
		KUNIT_EXPECT_EQ(test, field->offset, offset);
	trace_put_event_file(file);
}

/* The format tells tools where the fields are, on each architecture */
static void test_format(struct kunit *test)
{
	expect_offset(test, "from", offsetof(struct read_branch, from));
	expect_offset(test, "to", offsetof(struct read_branch, to));
	expect_offset(test, "kind", offsetof(struct read_branch, kind));
	expect_offset(test, "flags", offsetof(struct read_branch, flags));
}

static int instance_test_init(struct kunit *test)
{
	int ret = model_reset(test);

	test_tr = trace_array_get_by_name(INSTANCE, "branch");
	other_tr = trace_array_get_by_name(OTHER_INSTANCE, "branch");
	if (ret || !test_tr || !other_tr)
		return ret ?: -ENOMEM;
	ret = choose_backend(test, test_tr, "model");
	return ret ?: choose_backend(test, other_tr, "model");
}

static void remove_instance(struct trace_array *tr)
{
	if (!tr)
		return;
	trace_array_put(tr);
	trace_array_destroy(tr);
}

/* Some tests leave a context that is chosen, or even running */
static void instance_test_exit(struct kunit *test)
{
	remove_instance(test_tr);
	remove_instance(other_tr);
	model_reset(test);
}

static struct kunit_case instance_test_cases[] = {
	KUNIT_CASE(test_one_task),
	KUNIT_CASE(test_more_tasks),
	KUNIT_CASE(test_cpus_and_modes),
	KUNIT_CASE(test_functions),
	KUNIT_CASE(test_change_while_on),
	KUNIT_CASE(test_nothing_chosen),
	KUNIT_CASE(test_two_instances),
	KUNIT_CASE(test_refused),
	KUNIT_CASE(test_rights),
	KUNIT_CASE(test_rights_to_change),
	KUNIT_CASE(test_format),
	{}
};

static struct kunit_suite instance_test_suite = {
	.name = "branch_instance",
	.suite_init = model_init,
	.suite_exit = model_exit,
	.init = instance_test_init,
	.exit = instance_test_exit,
	.test_cases = instance_test_cases,
};

kunit_test_suite(instance_test_suite);
