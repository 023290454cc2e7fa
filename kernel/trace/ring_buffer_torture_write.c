// SPDX-License-Identifier: GPL-2.0
/*
 * Ring buffer torture test: writing events, in every context.
 *
 * An event gets its number between its beginning and its end: as writers of one
 * context on one CPU do not come between each other but within each other, the
 * numbers are in the order in which the events are in the ring.
 */
#include <linux/cpumask.h>
#include <linux/delay.h>
#include <linux/hrtimer.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/preempt.h>
#include <linux/smp.h>
#include <linux/string.h>

#include "ring_buffer_torture.h"
#include "trace_torture_nmi.h"

#define RBT_SHORT	(RBT_MIN_LENGTH + 100)
#define RBT_MIDDLE	(RBT_MIN_LENGTH + 500)
#define RBT_LONG	(2 * PAGE_SIZE)
/* Words that are attached to an event */
#define RBT_ATTACHED	60
/* An event may be within another of its context, and that in a third one */
#define RBT_MAX_DEPTH	2

/* Time between two turns of a timer */
#define RBT_TICK_MIN_NS	(50 * NSEC_PER_USEC)
#define RBT_TICK_NS	(2 * NSEC_PER_MSEC)

/**
 * struct rbt_writer - someone who is about to write an event
 * @cpu:	where
 * @rnd:	what it decides by
 * @context:	in which context
 * @depth:	how many events of this context it is in
 * @length:	bytes of data of the event
 * @attached:	words that are attached to it
 */
struct rbt_writer {
	struct rbt_cpu		*cpu;
	struct rnd_state	*rnd;
	enum rbt_context	context;
	unsigned int		depth;
	u32			length;
	u32			attached;
};

static bool rbt_write_event(struct rbt_writer *writer);

static u32 rbt_random_length(struct rnd_state *rnd)
{
	u32 longest = min(ring_buffer_max_event_size(rbt.buffer), RBT_LONG);

	switch (rbt_random(rnd, 32)) {
	case 0:
		return RBT_MIN_LENGTH + rbt_random(rnd, longest - RBT_MIN_LENGTH + 1);
	case 1 ... 4:
		return RBT_MIN_LENGTH + rbt_random(rnd, RBT_MIDDLE - RBT_MIN_LENGTH);
	default:
		return RBT_MIN_LENGTH + rbt_random(rnd, RBT_SHORT - RBT_MIN_LENGTH);
	}
}

/* While an event is open: time passes, an NMI comes, another event is written */
static void rbt_disturb(struct rbt_writer *writer)
{
	struct rbt_writer inner = *writer;

	if (READ_ONCE(rbt.stop))
		return;
	switch (rbt_random(writer->rnd, 64)) {
	case 0 ... 1:
		if (rbt_params.nmi && writer->context != RBT_NMI)
			torture_nmi_send(writer->cpu->nr);
		break;
	case 2 ... 4:
		inner.depth++;
		if (inner.depth <= RBT_MAX_DEPTH)
			rbt_write_event(&inner);
		break;
	case 5:
		udelay(rbt_random(writer->rnd, 20));
		break;
	}
}

static void rbt_fill(struct rbt_event *event, struct rbt_writer *writer, u32 seq)
{
	u8 byte;
	u32 i;

	event->seq = seq;
	event->length = writer->length;
	event->cpu = writer->cpu->nr;
	event->context = writer->context;
	event->attached = writer->attached;
	rbt_disturb(writer);
	byte = rbt_first_byte(event);
	for (i = 0; i < event->length - RBT_HEADER; i++)
		event->pattern[i] = byte++;
	rbt_disturb(writer);
}

/* An event that is begun, and will be written. */
static void rbt_fill_begun(void *data, void *arg)
{
	struct rbt_writer *writer = arg;

	rbt_fill(data, writer, ++writer->cpu->seq[writer->context]);
}

/* The same, with what is attached to it. */
static void rbt_fill_put(void *data, void *attached, void *arg)
{
	struct rbt_writer *writer = arg;
	u32 *words = attached, i;

	rbt_fill_begun(data, writer);
	for (i = 0; i < writer->attached; i++)
		words[i] = rbt_attached_word(data, i);
}

/* Where it is too long by what is attached, it is refused. */
static bool rbt_write_put(struct rbt_writer *writer)
{
	if (rbt_once_in(writer->rnd, 2))
		writer->attached = rbt_random(writer->rnd, RBT_ATTACHED);
	return ring_buffer_torture_put(rbt.buffer, writer->length,
				       writer->attached * sizeof(u32), rbt_fill_put, writer);
}

static bool rbt_write_reserved(struct rbt_writer *writer)
{
	struct ring_buffer_event *event;

	event = ring_buffer_lock_reserve(rbt.buffer, writer->length);
	if (!event)
		return false;
	/*
	 * Short ones only: in a sub-buffer of nothing but discarded events
	 * there were no one to say that events were lost before it.
	 */
	if (writer->length < RBT_MIDDLE && rbt_once_in(writer->rnd, 16)) {
		rbt_disturb(writer);
		ring_buffer_discard_commit(rbt.buffer, event);
		return true;
	}
	rbt_fill_begun(ring_buffer_event_data(event), writer);
	ring_buffer_unlock_commit(rbt.buffer);
	return true;
}

/* All at once, of data that is there already. The number is taken once it is. */
static bool rbt_write_copy(struct rbt_writer *writer)
{
	u8 data[RBT_MIN_LENGTH + 20] __aligned(__alignof__(struct rbt_event));
	u64 *seq = &writer->cpu->seq[writer->context];
	struct rbt_event *event = (void *)data;

	writer->length = RBT_MIN_LENGTH + rbt_random(writer->rnd, 20);
	/* no other event of this context may come in between */
	writer->depth = RBT_MAX_DEPTH;
	rbt_fill(event, writer, *seq + 1);
	if (ring_buffer_write(rbt.buffer, event->length, event))
		return false;
	++*seq;
	return true;
}

static bool rbt_write_event(struct rbt_writer *writer)
{
	bool written;

	writer->length = rbt_random_length(writer->rnd);
	writer->attached = 0;
	switch (rbt_random(writer->rnd, 8)) {
	case 0:
		written = rbt_write_copy(writer);
		break;
	case 1 ... 3:
		written = rbt_write_put(writer);
		break;
	default:
		written = rbt_write_reserved(writer);
	}
	if (!written)
		writer->cpu->refused[writer->context]++;
	return written;
}

/* Context: @context, with preemption disabled. */
static bool rbt_write(enum rbt_context context, struct rnd_state *rnd)
{
	struct rbt_cpu *cpu = &rbt.cpus[smp_processor_id()];
	struct rbt_writer writer = {
		.cpu = cpu,
		.rnd = rnd ?: &cpu->rnd[context],
		.context = context,
	};

	return rbt_write_event(&writer);
}

static void rbt_write_some(enum rbt_context context)
{
	struct rbt_cpu *cpu = &rbt.cpus[smp_processor_id()];
	u32 events = 1 + rbt_random(&cpu->rnd[context], 4);

	while (events--)
		rbt_write(context, NULL);
}

static void rbt_write_in_nmi(void)
{
	rbt_write_some(RBT_NMI);
}

/* Let NMIs write. Returns 0, or less if there are none here. */
int rbt_nmi_start(void)
{
	return torture_nmi_start(rbt_write_in_nmi);
}

void rbt_nmi_stop(void)
{
	torture_nmi_stop();
}

/* Some events, one after the other, perhaps elsewhere the next time. */
bool rbt_write_as_task(struct rnd_state *rnd)
{
	u32 events = 1 + rbt_random(rnd, 64);

	while (events--) {
		preempt_disable();
		rbt_write(RBT_TASK, rnd);
		preempt_enable();
	}
	/* who is moved off a CPU that goes offline comes back some time */
	if (rbt_once_in(rnd, 16))
		set_cpus_allowed_ptr(current, cpumask_of(rbt_random_cpu(rnd)->nr));
	return true;
}

static void rbt_write_last_here(void *written)
{
	*(bool *)written = rbt_write(RBT_HARDIRQ, NULL);
}

/*
 * Write one event behind all others, when no one else does. False if it could
 * not be written.
 */
bool rbt_write_last(struct rbt_cpu *cpu)
{
	u64 before = cpu->seq[RBT_HARDIRQ];
	bool written = false;

	/* it may choose to discard it */
	do {
		if (smp_call_function_single(cpu->nr, rbt_write_last_here, &written, 1))
			return false;
	} while (written && READ_ONCE(cpu->seq[RBT_HARDIRQ]) == before);
	return written;
}

static enum hrtimer_restart rbt_tick(struct hrtimer *timer, enum rbt_context context)
{
	struct rnd_state *rnd;
	u32 in;

	preempt_disable();
	rnd = &rbt.cpus[smp_processor_id()].rnd[context];
	rbt_write_some(context);
	if (rbt_params.nmi && rbt_once_in(rnd, 4))
		torture_nmi_send(rbt_random_cpu(rnd)->nr);
	in = RBT_TICK_MIN_NS + rbt_random(rnd, RBT_TICK_NS);
	preempt_enable();
	hrtimer_forward_now(timer, ns_to_ktime(in));
	return READ_ONCE(rbt.stop) ? HRTIMER_NORESTART : HRTIMER_RESTART;
}

static enum hrtimer_restart rbt_tick_hard(struct hrtimer *timer)
{
	return rbt_tick(timer, RBT_HARDIRQ);
}

static enum hrtimer_restart rbt_tick_soft(struct hrtimer *timer)
{
	return rbt_tick(timer, RBT_SOFTIRQ);
}

static void rbt_start_timers_here(void *arg)
{
	struct rbt_cpu *cpu = arg;

	hrtimer_start(&cpu->hard, ns_to_ktime(RBT_TICK_NS), HRTIMER_MODE_REL_PINNED_HARD);
	hrtimer_start(&cpu->soft, ns_to_ktime(RBT_TICK_NS), HRTIMER_MODE_REL_PINNED_SOFT);
}

/*
 * Let @cpu's timers write, on this CPU. If it goes offline, they go on elsewhere;
 * they must be stopped before they are started again.
 */
void rbt_start_timers(struct rbt_cpu *cpu)
{
	hrtimer_init(&cpu->hard, CLOCK_MONOTONIC, HRTIMER_MODE_REL_PINNED_HARD);
	hrtimer_init(&cpu->soft, CLOCK_MONOTONIC, HRTIMER_MODE_REL_PINNED_SOFT);
	cpu->hard.function = rbt_tick_hard;
	cpu->soft.function = rbt_tick_soft;
	smp_call_function_single(cpu->nr, rbt_start_timers_here, cpu, 1);
}

void rbt_stop_timers(struct rbt_cpu *cpu)
{
	hrtimer_cancel(&cpu->hard);
	hrtimer_cancel(&cpu->soft);
}
