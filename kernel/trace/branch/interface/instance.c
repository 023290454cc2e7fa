// SPDX-License-Identifier: GPL-2.0
/*
 * The context of a trace instance: what its files choose, while its events are on.
 *
 * All of this is called under event_mutex, but for what records call.
 */
#include <linux/err.h>
#include <linux/percpu.h>
#include <linux/rcupdate.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>

#include "../../trace.h"
#include "../branch.h"
#include "files.h"
#include "instance.h"

static struct branch_instance *alloc_instance(void)
{
	struct branch_instance *instance = kzalloc(sizeof(*instance), GFP_KERNEL_ACCOUNT);

	if (!instance)
		return NULL;
	instance->lost = alloc_percpu_gfp(unsigned int, GFP_KERNEL_ACCOUNT);
	if (!instance->lost) {
		kfree(instance);
		return NULL;
	}
	instance->attr.modes = BRANCH_USER;
	instance->chooser = INVALID_UID;
	return instance;
}

/**
 * branch_instance_of() - the state of branch tracing of an instance
 * @tr: the instance
 *
 * Context: may sleep; event_mutex is held.
 * Return: the state, or NULL if there is no memory.
 */
struct branch_instance *branch_instance_of(struct trace_array *tr)
{
	lockdep_assert_held(&event_mutex);
	if (!tr->branch)
		tr->branch = alloc_instance();
	return tr->branch;
}

static bool is_on(struct branch_instance *instance)
{
	enum branch_event event;

	for (event = 0; event < BRANCH_NR_EVENTS; event++) {
		if (instance->files[event])
			return true;
	}
	return false;
}

static void forget_lost(struct branch_instance *instance)
{
	unsigned int cpu;

	for_each_possible_cpu(cpu)
		WRITE_ONCE(*per_cpu_ptr(instance->lost, cpu), 0);
}

/* What was lost before has nothing to do with what begins here */
static int start(struct branch_instance *instance)
{
	if (!instance->ctx->running)
		forget_lost(instance);
	return branch_ctx_start(instance->ctx);
}

static int start_if_on(struct branch_instance *instance, struct branch_refusal *refusal)
{
	int ret = 0;

	if (instance->ctx && is_on(instance))
		ret = start(instance);
	if (ret)
		refusal->why = "switches of tasks cannot be traced";
	return ret;
}

/* Which event a record becomes */
static enum branch_event event_of(const struct branch_record *record)
{
	static_assert(BRANCH_NR_KINDS - BRANCH_BEGIN == BRANCH_NR_EVENTS - BRANCH_EVENT_BEGIN);

	if (!branch_is_marker(record->kind))
		return BRANCH_EVENT_BRANCH;
	return record->kind - BRANCH_BEGIN + BRANCH_EVENT_BEGIN;
}

/* Tells it before @record. An NMI may tell it first. Returns false if there was no room. */
static bool tell_lost(struct branch_instance *instance, const struct branch_record *record)
{
	struct trace_event_file *file = READ_ONCE(instance->files[BRANCH_EVENT_LOST]);
	unsigned int nr = this_cpu_read(*instance->lost);
	struct branch_record lost;

	if (likely(!nr))
		return true;
	this_cpu_sub(*instance->lost, nr);
	lost = *record;
	lost.kind = BRANCH_LOST;
	lost.from = nr;
	if (!file || branch_write_event(file, BRANCH_EVENT_LOST, &lost))
		return true;
	this_cpu_add(*instance->lost, nr);
	return false;
}

/* Nothing is written before it is told what is missing, as a smaller event may still have room */
static bool write_record(struct branch_instance *instance, struct trace_event_file *file,
			 const struct branch_record *record)
{
	return !branch_interrupts_writer(file) && tell_lost(instance, record) &&
	       branch_write_event(file, event_of(record), record);
}

static void take_record(void *data, const struct branch_record *record)
{
	struct branch_instance *instance = data;
	struct trace_event_file *file = READ_ONCE(instance->files[event_of(record)]);

	if (file && !write_record(instance, file, record))
		this_cpu_inc(*instance->lost);
}

static bool may_go_on(void *data, struct task_struct *task)
{
	struct branch_instance *instance = data;

	return READ_ONCE(instance->may_go_on);
}

static const struct branch_ops instance_ops = {
	.record = take_record,
	.may_go_on = may_go_on,
};

void branch_choose_nothing(struct branch_instance *instance)
{
	if (instance->ctx)
		branch_ctx_close(instance->ctx);
	instance->ctx = NULL;
}

void branch_instance_free(struct trace_array *tr)
{
	struct branch_instance *instance = tr->branch;

	if (!instance)
		return;
	branch_choose_nothing(instance);
	kfree(instance->attr.backend);
	kfree(instance->attr.functions);
	free_percpu(instance->lost);
	kfree(instance);
	tr->branch = NULL;
}

/* The user that has chosen, or none in particular: somebody who may trace all */
static kuid_t chooser_of(const struct cred *cred)
{
	return branch_may_trace_all(cred) ? INVALID_UID : cred->euid;
}

/* Opens a context that replaces the one before, if it can be opened and started */
static int replace(struct branch_instance *instance, const struct branch_attr *attr,
		   const struct cred *cred, struct branch_refusal *refusal)
{
	struct branch_ctx *before = instance->ctx;
	bool went_on = instance->may_go_on;
	struct branch_ctx *ctx;
	int ret;

	ctx = branch_ctx_open(attr, &instance_ops, instance, refusal);
	if (IS_ERR(ctx))
		return PTR_ERR(ctx);
	if (before)
		branch_ctx_stop(before);
	instance->ctx = ctx;
	WRITE_ONCE(instance->may_go_on, branch_may_trace_all(cred));
	ret = start_if_on(instance, refusal);
	if (!ret) {
		if (before)
			branch_ctx_close(before);
		instance->chooser = chooser_of(cred);
		instance->attr = *attr;
		instance->attr.task = NULL;
		return 0;
	}
	branch_ctx_close(ctx);
	instance->ctx = before;
	WRITE_ONCE(instance->may_go_on, went_on);
	start_if_on(instance, refusal);
	return ret;
}

static int add(struct branch_instance *instance, struct task_struct *task,
	       const struct cred *cred, struct branch_refusal *refusal)
{
	int ret = branch_ctx_add(instance->ctx, task, refusal);

	if (ret)
		return ret;
	if (!branch_may_trace_all(cred))
		WRITE_ONCE(instance->may_go_on, false);
	if (!uid_eq(instance->chooser, chooser_of(cred)))
		instance->chooser = INVALID_UID;
	return 0;
}

static int may_trace_modes(unsigned int modes, const struct cred *cred,
			   struct branch_refusal *refusal)
{
	if (!(modes & BRANCH_KERNEL) || branch_may_trace_all(cred))
		return 0;
	refusal->why = "branches of the kernel take CAP_PERFMON";
	return -EPERM;
}

static int may_trace(const struct branch_attr *attr, const struct cred *cred,
		     struct branch_refusal *refusal)
{
	int ret = may_trace_modes(attr->modes, cred, refusal);

	if (ret || branch_may_trace_all(cred))
		return ret;
	if (attr->subject != BRANCH_TASK)
		refusal->why = "branches of all that a CPU runs take CAP_PERFMON";
	else if (!branch_may_trace_task(cred, attr->task))
		refusal->why = "the task may not be traced: its memory may not be read";
	else
		return 0;
	return -EPERM;
}

static bool is_about_tasks(struct branch_instance *instance)
{
	return instance->ctx && instance->attr.subject == BRANCH_TASK;
}

static void note_task(void *any, struct task_struct *task)
{
	*(bool *)any = true;
}

/* When all of its tasks have exited, nothing is chosen any more */
static void forget_exited(struct branch_instance *instance)
{
	bool any = false;

	if (!is_about_tasks(instance))
		return;
	branch_ctx_tasks(instance->ctx, note_task, &any);
	if (!any)
		branch_choose_nothing(instance);
}

/* The task's exec_update_lock is held: it does not get more rights meanwhile */
static int choose_this_task(struct branch_instance *instance, const struct cred *cred,
			    struct task_struct *task, bool also, struct branch_refusal *refusal)
{
	struct branch_attr attr = instance->attr;
	int ret;

	forget_exited(instance);
	attr.subject = BRANCH_TASK;
	attr.task = task;
	ret = may_trace(&attr, cred, refusal);
	if (ret)
		return ret;
	if (also && is_about_tasks(instance))
		return add(instance, task, cred, refusal);
	return replace(instance, &attr, cred, refusal);
}

/**
 * branch_choose_task() - trace a task
 * @instance: the instance
 * @cred: the rights
 * @task: the task
 * @also: the tasks that were chosen before are still traced, too. CPUs are not.
 * @refusal: set to the reason if it is refused, and all stays as it was
 *
 * Context: may sleep; event_mutex is held.
 * Return: 0 or an error.
 */
int branch_choose_task(struct branch_instance *instance, const struct cred *cred,
		       struct task_struct *task, bool also, struct branch_refusal *refusal)
{
	int ret = down_read_killable(&task->signal->exec_update_lock);

	if (ret) {
		refusal->why = "interrupted";
		return ret;
	}
	ret = choose_this_task(instance, cred, task, also, refusal);
	up_read(&task->signal->exec_update_lock);
	return ret;
}

/**
 * branch_choose_cpus() - trace a CPU, or all
 * @instance: the instance
 * @cred: the rights
 * @subject: BRANCH_CPU or BRANCH_ALL_CPUS
 * @cpu: the CPU, if one
 * @refusal: set to the reason if it is refused, and all stays as it was
 *
 * Context: may sleep; event_mutex is held.
 * Return: 0 or an error.
 */
int branch_choose_cpus(struct branch_instance *instance, const struct cred *cred,
		       enum branch_subject subject, int cpu, struct branch_refusal *refusal)
{
	struct branch_attr attr = instance->attr;
	int ret;

	attr.subject = subject;
	attr.cpu = cpu;
	ret = may_trace(&attr, cred, refusal);
	return ret ?: replace(instance, &attr, cred, refusal);
}

/* Somebody who could not choose these tasks or CPUs must not choose what is traced of them */
static int may_change(struct branch_instance *instance, const struct cred *cred,
		      struct branch_refusal *refusal)
{
	if (branch_may_trace_all(cred) || uid_eq(instance->chooser, cred->euid))
		return 0;
	refusal->why =
		"what is traced was chosen by somebody else: changing this takes CAP_PERFMON";
	return -EPERM;
}

/* Tracing stops meanwhile, and begins again */
static int change(struct branch_instance *instance, const struct branch_attr *attr,
		  const struct cred *cred, struct branch_refusal *refusal)
{
	int ret, started;

	forget_exited(instance);
	if (!instance->ctx)
		return 0;
	ret = may_change(instance, cred, refusal);
	if (ret)
		return ret;
	branch_ctx_stop(instance->ctx);
	ret = branch_ctx_change(instance->ctx, attr, refusal);
	started = start_if_on(instance, refusal);
	return ret ?: started;
}

/* In this and the next three, what is refused leaves all as it was */
int branch_choose_modes(struct branch_instance *instance, const struct cred *cred,
			unsigned int modes, struct branch_refusal *refusal)
{
	struct branch_attr attr = instance->attr;
	int ret;

	attr.modes = modes;
	ret = may_trace_modes(modes, cred, refusal);
	if (!ret)
		ret = change(instance, &attr, cred, refusal);
	if (!ret)
		instance->attr.modes = modes;
	return ret;
}

int branch_choose_inherit(struct branch_instance *instance, const struct cred *cred, bool inherit,
			  struct branch_refusal *refusal)
{
	struct branch_attr attr = instance->attr;
	int ret;

	attr.inherit = inherit;
	ret = change(instance, &attr, cred, refusal);
	if (!ret)
		instance->attr.inherit = inherit;
	return ret;
}

/* Changes @attr, a member of which is the new @text, and keeps the text in @kept */
static int change_text(struct branch_instance *instance, const struct branch_attr *attr,
		       const struct cred *cred, const char *text, const char **kept,
		       struct branch_refusal *refusal)
{
	int ret = change(instance, attr, cred, refusal);

	if (!ret)
		swap(*kept, text);
	kfree(text);
	return ret;
}

/* NULL: all functions */
int branch_choose_functions(struct branch_instance *instance, const struct cred *cred,
			    const char *functions, struct branch_refusal *refusal)
{
	struct branch_attr attr = instance->attr;
	int ret = may_trace_modes(attr.modes, cred, refusal);

	if (ret)
		return ret;
	attr.functions = kstrdup(functions, GFP_KERNEL_ACCOUNT);
	if (functions && !attr.functions) {
		refusal->why = "there is no memory";
		return -ENOMEM;
	}
	return change_text(instance, &attr, cred, attr.functions, &instance->attr.functions,
			   refusal);
}

/* A name of NULL: the first backend that can do what is chosen */
int branch_choose_backend(struct branch_instance *instance, const struct cred *cred,
			  const char *name, struct branch_refusal *refusal)
{
	struct branch_attr attr = instance->attr;

	if (name && !branch_backend_exists(name)) {
		refusal->why = "there is no backend of this name";
		return -EINVAL;
	}
	attr.backend = kstrdup(name, GFP_KERNEL_ACCOUNT);
	if (name && !attr.backend) {
		refusal->why = "there is no memory";
		return -ENOMEM;
	}
	return change_text(instance, &attr, cred, attr.backend, &instance->attr.backend, refusal);
}

/* The first event that is on begins tracing, if something is chosen */
int branch_event_on(struct branch_instance *instance, enum branch_event event,
		    struct trace_event_file *file)
{
	struct branch_refusal refusal;
	int ret;

	/* Where tracing began is told where it begins: let it begin again */
	if (event == BRANCH_EVENT_BEGIN && instance->ctx)
		branch_ctx_stop(instance->ctx);
	WRITE_ONCE(instance->files[event], file);
	ret = start_if_on(instance, &refusal);
	if (ret)
		branch_event_off(instance, event);
	return ret;
}

void branch_event_off(struct branch_instance *instance, enum branch_event event)
{
	WRITE_ONCE(instance->files[event], NULL);
	if (instance->ctx && !is_on(instance))
		branch_ctx_stop(instance->ctx);
	/* LMM(branch_event_off:A) pairs with preemption off: records that go to the file */
	synchronize_rcu();
}
