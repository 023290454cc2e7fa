// SPDX-License-Identifier: GPL-2.0
/*
 * What the backends are to produce, now that this task runs on this CPU.
 *
 * This is worked out anew whenever a task is switched in, and on the CPUs concerned when a
 * context is started or stopped. The CPU that does it writes the markers of the contexts, too:
 * "tracing began", before which a context gets nothing, and "switched in".
 */
#include <linux/cpuhotplug.h>
#include <linux/init.h>
#include <linux/irqflags.h>
#include <linux/mm_types.h>
#include <linux/percpu.h>
#include <linux/smp.h>

#include <trace/events/sched.h>

#include "branch.h"

/* What each backend was told last on this CPU */
static DEFINE_PER_CPU(unsigned int[BRANCH_MAX_BACKENDS], told_last);
/* Any of these is not 0 */
static DEFINE_PER_CPU(bool, told_any);

static unsigned int wanted_of(struct branch_ctx *ctx)
{
	if (ctx->window < 0)
		return ctx->attr.modes;
	return (ctx->attr.modes & ~BRANCH_KERNEL) | BRANCH_WINDOW(ctx->window);
}

static void want(struct branch_ctx *ctx, unsigned int *wanted)
{
	wanted[ctx->backend->id] |= wanted_of(ctx);
}

static void enter_cpu(struct list_head *contexts, struct task_struct *task, bool switched,
		      unsigned int *wanted)
{
	unsigned int cpu = smp_processor_id();
	struct branch_ctx *ctx;

	list_for_each_entry_rcu(ctx, contexts, link) {
		if (!READ_ONCE(ctx->running))
			continue;
		if (!cpumask_test_cpu(cpu, ctx->began)) {
			branch_mark(ctx, BRANCH_BEGIN, task, 0);
			/* LMM(enter_cpu:A) pairs with an NMI: the marker, then what it delivers */
			barrier();
			cpumask_set_cpu(cpu, ctx->began);
		} else if (switched) {
			branch_mark(ctx, BRANCH_SWITCHED_IN, task, 0);
		}
		want(ctx, wanted);
	}
}

static void enter_task(struct task_struct *task, bool switched, unsigned int *wanted)
{
	struct branch_member *member;

	hlist_for_each_entry_rcu(member, &task->branch_contexts, by_task) {
		struct branch_ctx *ctx = member->ctx;

		if (!READ_ONCE(ctx->running))
			continue;
		if (!member->began) {
			branch_mark(ctx, BRANCH_BEGIN, task, 0);
			/* LMM(enter_task:A) pairs with an NMI: the marker, then what it delivers */
			barrier();
			WRITE_ONCE(member->began, true);
		} else if (switched) {
			branch_mark(ctx, BRANCH_SWITCHED_IN, task, 0);
		}
		want(ctx, wanted);
	}
}

static void enter_contexts(struct task_struct *task, bool switched)
{
	unsigned int *told = *this_cpu_ptr(&told_last);
	unsigned int wanted[BRANCH_MAX_BACKENDS] = { };
	bool any = false;
	unsigned int id;

	enter_cpu(&branch_everywhere, task, switched, wanted);
	enter_cpu(this_cpu_ptr(&branch_here), task, switched, wanted);
	enter_task(task, switched, wanted);

	for (id = 0; id < BRANCH_MAX_BACKENDS; id++) {
		any |= wanted[id];
		if (wanted[id] == told[id] && !(wanted[id] && switched))
			continue;
		told[id] = wanted[id];
		branch_backend_set(id, task, wanted[id]);
	}
	__this_cpu_write(told_any, any);
}

/* The task runs on this CPU, or will when the switch is done. Context: interrupts off. */
static void enter(struct task_struct *task, bool switched)
{
	__this_cpu_inc(branch_telling);
	/* LMM(enter:A) pairs with an NMI: said, then it tells */
	barrier();
	enter_contexts(task, switched);
	/* LMM(enter:B) pairs with an NMI: it has told, then no longer said */
	barrier();
	__this_cpu_dec(branch_telling);
}

/* While one task is traced, most switches are between others, and should cost little */
static bool concerns_nobody(struct task_struct *task)
{
	return hlist_empty(&task->branch_contexts) && !__this_cpu_read(told_any) &&
	       list_empty(&branch_everywhere) && list_empty(this_cpu_ptr(&branch_here));
}

static void switch_in(void *unused, bool preempt, struct task_struct *prev,
		      struct task_struct *next, unsigned int prev_state)
{
	if (!concerns_nobody(next))
		enter(next, true);
}

/* Switches are watched while any context is running */
static unsigned int nr_running;

int branch_switches_begin(void)
{
	int ret = 0;

	lockdep_assert_held(&branch_mutex);
	if (!nr_running)
		ret = register_trace_sched_switch(switch_in, NULL);
	if (!ret)
		nr_running++;
	return ret;
}

void branch_switches_end(void)
{
	lockdep_assert_held(&branch_mutex);
	if (!--nr_running)
		unregister_trace_sched_switch(switch_in, NULL);
}

static void refresh_this_cpu(void *unused)
{
	enter(current, false);
}

/*
 * Contexts were started or stopped: work it out for what runs on these CPUs now. A CPU that
 * switches meanwhile finds out itself.
 */
void branch_refresh(const struct cpumask *cpus)
{
	on_each_cpu_mask(cpus, refresh_this_cpu, NULL, true);
}

/* The current task has left contexts */
void branch_refresh_current(void)
{
	guard(irqsave)();
	enter(current, false);
}

static void begin_again(struct list_head *contexts, unsigned int cpu)
{
	struct branch_ctx *ctx;

	list_for_each_entry_rcu(ctx, contexts, link)
		cpumask_clear_cpu(cpu, ctx->began);
}

/*
 * When the CPU comes back, tracing begins again. Backends are told of the first task that is
 * switched in then, as of any.
 *
 * The lock of CPU hotplug is taken under branch_mutex, by tracepoints, so not the other way round.
 */
static int cpu_is_dead(unsigned int cpu)
{
	guard(rcu)();
	begin_again(&branch_everywhere, cpu);
	begin_again(&per_cpu(branch_here, cpu), cpu);
	return 0;
}

static int __init branch_switch_init(void)
{
	unsigned int cpu;
	int ret;

	for_each_possible_cpu(cpu)
		INIT_LIST_HEAD(&per_cpu(branch_here, cpu));
	ret = cpuhp_setup_state_nocalls(CPUHP_BP_PREPARE_DYN, "trace/branch:dead", NULL,
					cpu_is_dead);
	return ret < 0 ? ret : 0;
}
core_initcall(branch_switch_init);
