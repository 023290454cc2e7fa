// SPDX-License-Identifier: GPL-2.0
/*
 * The tasks that contexts are about: from when they are named, or created by one that hands its
 * contexts down, until they exit or execute a program that the context may not see.
 */
#include <kunit/static_stub.h>
#include <linux/pid.h>
#include <linux/preempt.h>
#include <linux/rculist.h>
#include <linux/sched/task.h>
#include <linux/slab.h>

#include "branch.h"

/* A task that creates others must not wait for the out of memory killer under the lock */
#define GFP_MEMBER	(GFP_KERNEL_ACCOUNT | __GFP_NORETRY | __GFP_NOWARN)

static void remove_member(struct branch_member *member)
{
	hlist_del_rcu(&member->by_task);
	list_del(&member->by_ctx);
	kfree_rcu(member, rcu);
}

static bool is_member(struct branch_ctx *ctx, struct task_struct *task)
{
	struct branch_member *member;

	hlist_for_each_entry(member, &task->branch_contexts, by_task) {
		if (member->ctx == ctx)
			return true;
	}
	return false;
}

/**
 * branch_add_task() - let a context be about a task, too
 * @ctx: the context
 * @task: the task
 *
 * Context: may sleep; branch_mutex is held.
 * Return: 0, also if it is that already, -ENOMEM, or -ESRCH if the task exits.
 */
int branch_add_task(struct branch_ctx *ctx, struct task_struct *task)
{
	struct branch_member *member;

	KUNIT_STATIC_STUB_REDIRECT(branch_add_task, ctx, task);
	lockdep_assert_held(&branch_mutex);
	if (is_member(ctx, task))
		return 0;
	member = kzalloc(sizeof(*member), GFP_MEMBER);
	if (!member)
		return -ENOMEM;
	member->ctx = ctx;
	member->task = task;
	list_add_tail(&member->by_ctx, &ctx->members);
	hlist_add_head_rcu(&member->by_task, &task->branch_contexts);
	/* LMM(branch_add_task:A) pairs with LMM(branch_exit:A): it is in, then whether it exits */
	smp_mb();
	if (READ_ONCE(task->flags) & PF_EXITING) {
		remove_member(member);
		return -ESRCH;
	}
	return 0;
}

/* Context: may sleep; branch_mutex is held. */
void branch_remove_tasks(struct branch_ctx *ctx)
{
	struct branch_member *member, *next;

	lockdep_assert_held(&branch_mutex);
	list_for_each_entry_safe(member, next, &ctx->members, by_ctx)
		remove_member(member);
}

/* The CPUs where tasks of the context may be running. Context: branch_mutex is held. */
void branch_tasks_cpus(struct branch_ctx *ctx, struct cpumask *cpus)
{
	struct branch_member *member;

	lockdep_assert_held(&branch_mutex);
	list_for_each_entry(member, &ctx->members, by_ctx)
		cpumask_set_cpu(task_cpu(member->task), cpus);
}

/* When the context is started again, tracing of each of its tasks begins again */
void branch_forget_beginnings(struct branch_ctx *ctx)
{
	struct branch_member *member;

	lockdep_assert_held(&branch_mutex);
	list_for_each_entry(member, &ctx->members, by_ctx)
		WRITE_ONCE(member->began, false);
}

static void tell_not_followed(struct branch_ctx *ctx, struct task_struct *child)
{
	guard(preempt)();
	if (READ_ONCE(ctx->running))
		branch_mark(ctx, BRANCH_NOT_FOLLOWED, current, task_pid_nr(child));
}

void __branch_fork(struct task_struct *child)
{
	struct branch_member *member;

	guard(mutex)(&branch_mutex);
	hlist_for_each_entry(member, &current->branch_contexts, by_task) {
		if (member->ctx->attr.inherit && branch_add_task(member->ctx, child))
			tell_not_followed(member->ctx, child);
	}
}

static bool may_go_on(struct branch_ctx *ctx, struct task_struct *task)
{
	return ctx->ops && ctx->ops->may_go_on && ctx->ops->may_go_on(ctx->data, task);
}

void __branch_exec(struct task_struct *task)
{
	struct branch_member *member;
	struct hlist_node *next;

	guard(mutex)(&branch_mutex);
	hlist_for_each_entry_safe(member, next, &task->branch_contexts, by_task) {
		if (!may_go_on(member->ctx, task))
			remove_member(member);
	}
	branch_refresh_current();
}

void __branch_exit(struct task_struct *task)
{
	struct branch_member *member;
	struct hlist_node *next;

	guard(mutex)(&branch_mutex);
	hlist_for_each_entry_safe(member, next, &task->branch_contexts, by_task)
		remove_member(member);
	branch_refresh_current();
}
