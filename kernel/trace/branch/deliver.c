// SPDX-License-Identifier: GPL-2.0
/*
 * Hand each record to the contexts that want it, and to no others.
 *
 * A backend produces what all contexts together want of the task that runs, or more. Which of
 * them gets a record depends on the record alone: on the task, the CPU, the modes and the windows
 * that it tells of. Nothing of a mode that a context does not want goes to it, not even the
 * address on the other side of a system call.
 */
#include <linux/pid.h>
#include <linux/preempt.h>
#include <linux/rculist.h>
#include <linux/sched/clock.h>
#include <linux/smp.h>

#include "branch.h"

/* The contexts that are running and are about all CPUs, and those about this CPU */
LIST_HEAD(branch_everywhere);
DEFINE_PER_CPU(struct list_head, branch_here);

DEFINE_PER_CPU(unsigned int, branch_telling);

/* Writes a record to its context. Context: any, preemption disabled. */
void branch_emit(struct branch_ctx *ctx, const struct branch_record *record)
{
	if (ctx->ring)
		branch_ring_write(ctx->ring, record);
	else
		ctx->ops->record(ctx->data, record);
}

/* Writes a marker to a context. Context: any, preemption disabled. */
void branch_mark(struct branch_ctx *ctx, unsigned int kind, struct task_struct *task, u64 number)
{
	struct branch_record record = {
		.kind = kind,
		.from = number,
		.time = local_clock_noinstr(),
		.pid = task_pid_nr(task),
		.cpu = smp_processor_id(),
	};

	branch_emit(ctx, &record);
}

static bool wants_side(struct branch_ctx *ctx, bool kernel, unsigned long windows)
{
	if (kernel && ctx->window >= 0 && !(windows & BIT(ctx->window)))
		return false;
	return ctx->attr.modes & (kernel ? BRANCH_KERNEL : BRANCH_USER);
}

static void hand_over(struct branch_ctx *ctx, const struct branch_record *record,
		      unsigned long windows)
{
	bool from = wants_side(ctx, record->flags & BRANCH_FLAG_FROM_KERNEL, windows);
	bool to = wants_side(ctx, record->flags & BRANCH_FLAG_TO_KERNEL, windows);
	struct branch_record its;

	if (!from && !to)
		return;
	its = *record;
	if (!from) {
		its.from = 0;
		its.flags |= BRANCH_FLAG_FROM_HIDDEN;
	}
	if (!to) {
		its.to = 0;
		its.flags |= BRANCH_FLAG_TO_HIDDEN;
	}
	branch_emit(ctx, &its);
}

static void deliver_to_cpu(struct branch_backend *backend, struct list_head *contexts,
			   const struct branch_record *record, unsigned long windows)
{
	struct branch_ctx *ctx;

	list_for_each_entry_rcu(ctx, contexts, link) {
		/* What comes before its BRANCH_BEGIN was produced for others */
		if (ctx->backend == backend && READ_ONCE(ctx->running) &&
		    cpumask_test_cpu(record->cpu, ctx->began))
			hand_over(ctx, record, windows);
	}
}

static void deliver_to_task(struct branch_backend *backend, struct task_struct *task,
			    const struct branch_record *record, unsigned long windows)
{
	struct branch_member *member;

	hlist_for_each_entry_rcu(member, &task->branch_contexts, by_task) {
		struct branch_ctx *ctx = member->ctx;

		if (ctx->backend == backend && READ_ONCE(ctx->running) && READ_ONCE(member->began))
			hand_over(ctx, record, windows);
	}
}

/**
 * branch_deliver() - hand a branch to the contexts that want it
 * @backend: who produced it
 * @task: the task that branched
 * @record: the branch; its pid and cpu are written here
 * @windows: if it is in the kernel, the windows that it is in: bits, by number
 *
 * Context: any, NMI included, on the CPU that branched.
 */
void branch_deliver(struct branch_backend *backend, struct task_struct *task,
		    struct branch_record *record, unsigned long windows)
{
	preempt_disable_notrace();
	__this_cpu_inc(branch_telling);
	/* LMM(branch_deliver:A) pairs with an NMI: said, then told */
	barrier();
	record->pid = task_pid_nr(task);
	record->cpu = smp_processor_id();
	deliver_to_cpu(backend, &branch_everywhere, record, windows);
	deliver_to_cpu(backend, this_cpu_ptr(&branch_here), record, windows);
	deliver_to_task(backend, task, record, windows);
	/* LMM(branch_deliver:B) pairs with an NMI: told, then no longer said */
	barrier();
	__this_cpu_dec(branch_telling);
	preempt_enable_notrace();
}
