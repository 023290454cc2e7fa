// SPDX-License-Identifier: GPL-2.0
/*
 * Function graph torture test: the contexts that call functions: threads, soft and hard
 * interrupts of timers, and NMIs, within each other's calls.
 */
#include <linux/cpumask.h>
#include <linux/delay.h>
#include <linux/hrtimer.h>
#include <linux/kthread.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/slab.h>
#include <linux/smp.h>

#include "../../trace_torture_nmi.h"
#include "torture.h"

#define TICK_MIN_NS	(200 * NSEC_PER_USEC)
#define TICK_NS		(4 * NSEC_PER_MSEC)

/* Interrupts have less of a stack than threads */
static const unsigned int most_calls[FGT_KINDS] = {
	[FGT_TASK] = FGT_NESTING, [FGT_SOFTIRQ] = 10, [FGT_HARDIRQ] = 8, [FGT_NMI] = 6,
};

struct fgt_cpu {
	struct fgt_context	*contexts[FGT_KINDS];	/* none of tasks */
	struct hrtimer		soft;
	struct hrtimer		hard;
};

static DEFINE_PER_CPU(struct fgt_cpu, fgt_cpus);
static bool nmis, stopping;

static enum fgt_kind this_kind(void)
{
	if (in_nmi())
		return FGT_NMI;
	if (in_hardirq())
		return FGT_HARDIRQ;
	return in_serving_softirq() ? FGT_SOFTIRQ : FGT_TASK;
}

/* Whose calls are under way here: those of a thread of this test, or of an interrupt */
struct fgt_context *fgt_this_context(void)
{
	enum fgt_kind kind = this_kind();

	return kind == FGT_TASK ? kthread_data(current) : this_cpu_read(fgt_cpus.contexts[kind]);
}

struct fgt_context *fgt_new_context(enum fgt_kind kind)
{
	struct fgt_context *context = kzalloc(sizeof(*context), GFP_KERNEL);

	if (!context)
		return NULL;
	context->kind = kind;
	context->most = most_calls[kind];
	fgt_seed(&context->rnd);
	return context;
}

static void send_nmi(struct rnd_state *rnd)
{
	unsigned int cpu;

	if (!nmis)
		return;
	preempt_disable();
	cpu = cpumask_nth(fgt_random(rnd, nr_cpu_ids), cpu_online_mask);
	torture_nmi_send(cpu < nr_cpu_ids ? cpu : smp_processor_id());
	preempt_enable();
}

static void rest_as_task(struct fgt_context *context)
{
	struct rnd_state *rnd = &context->rnd;

	switch (fgt_random(rnd, 8)) {
	case 0:
		usleep_range(50, 2000);
		fgt_count(FGT_SLEPT);
		break;
	case 1:
		set_cpus_allowed_ptr(current, cpu_possible_mask);
		break;
	case 2:
		set_cpus_allowed_ptr(current, cpumask_of(fgt_random(rnd, nr_cpu_ids)));
		break;
	case 3 ... 5:
		cond_resched();
		break;
	default:
		send_nmi(rnd);
	}
}

/* A function does something else for a while: whatever its context can do */
void fgt_rest(struct fgt_context *context)
{
	switch (context->kind) {
	case FGT_TASK:
		rest_as_task(context);
		break;
	case FGT_NMI:
		cpu_relax();
		break;
	default:
		send_nmi(&context->rnd);
		udelay(fgt_random(&context->rnd, 10));
	}
}

static enum hrtimer_restart tick(struct hrtimer *timer)
{
	struct fgt_context *context;
	u32 in;

	preempt_disable();
	context = fgt_this_context();
	if (fgt_once_in(&context->rnd, 4))
		send_nmi(&context->rnd);
	fgt_call_some(context);
	in = TICK_MIN_NS + fgt_random(&context->rnd, TICK_NS);
	preempt_enable();
	hrtimer_forward_now(timer, ns_to_ktime(in));
	return READ_ONCE(stopping) ? HRTIMER_NORESTART : HRTIMER_RESTART;
}

static void call_in_nmi(void)
{
	fgt_call_some(fgt_this_context());
}

static void start_timers_here(void *unused)
{
	struct fgt_cpu *cpu = this_cpu_ptr(&fgt_cpus);

	hrtimer_start(&cpu->hard, ns_to_ktime(TICK_NS), HRTIMER_MODE_REL_PINNED_HARD);
	hrtimer_start(&cpu->soft, ns_to_ktime(TICK_NS), HRTIMER_MODE_REL_PINNED_SOFT);
}

static void stop_timers(unsigned int nr)
{
	struct fgt_cpu *cpu = per_cpu_ptr(&fgt_cpus, nr);

	hrtimer_cancel(&cpu->hard);
	hrtimer_cancel(&cpu->soft);
}

/* The timers of a CPU that was offline have gone on elsewhere */
void fgt_restart_timers(unsigned int cpu)
{
	stop_timers(cpu);
	smp_call_function_single(cpu, start_timers_here, NULL, 1);
}

static int init_cpu(unsigned int nr)
{
	struct fgt_cpu *cpu = per_cpu_ptr(&fgt_cpus, nr);
	enum fgt_kind kind;

	hrtimer_init(&cpu->hard, CLOCK_MONOTONIC, HRTIMER_MODE_REL_PINNED_HARD);
	hrtimer_init(&cpu->soft, CLOCK_MONOTONIC, HRTIMER_MODE_REL_PINNED_SOFT);
	cpu->hard.function = tick;
	cpu->soft.function = tick;
	for (kind = FGT_SOFTIRQ; kind < FGT_KINDS; kind++) {
		cpu->contexts[kind] = fgt_new_context(kind);
		if (!cpu->contexts[kind])
			return -ENOMEM;
	}
	return 0;
}

static void free_contexts(void)
{
	enum fgt_kind kind;
	unsigned int cpu;

	for_each_possible_cpu(cpu)
		for (kind = 0; kind < FGT_KINDS; kind++)
			kfree(per_cpu(fgt_cpus, cpu).contexts[kind]);
}

/* Returns 0, or less; no NMIs are no error */
int fgt_start_interrupts(bool nmi)
{
	unsigned int cpu;
	int err = 0;

	for_each_possible_cpu(cpu)
		err = err ?: init_cpu(cpu);
	if (err) {
		free_contexts();
		return err;
	}
	nmis = nmi && !torture_nmi_start(call_in_nmi);
	on_each_cpu(start_timers_here, NULL, 1);
	return 0;
}

void fgt_stop_interrupts(void)
{
	unsigned int cpu;

	WRITE_ONCE(stopping, true);
	for_each_possible_cpu(cpu)
		stop_timers(cpu);
	if (nmis)
		torture_nmi_stop();
	free_contexts();
}
