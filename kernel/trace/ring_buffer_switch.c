// SPDX-License-Identifier: GPL-2.0
/*
 * Ring buffer: the switches. Recording, the clock and the kind of time stamps may
 * change at any time. The fast way looks at none of them: it is shut on each change,
 * and opened by a writer that has looked at them all. The design is in
 * ring_buffer_write.c.
 */
#include <linux/atomic.h>
#include <linux/export.h>
#include <linux/trace_clock.h>

#include "ring_buffer_impl.h"

/* In record_disabled of a buffer: switched off, besides what disables it. */
#define RB_OFF	BIT(20)

static struct rb_watcher *rb_watchers;

/**
 * ring_buffer_watch - be told when recording is switched off or on
 * @watcher: its changed() is called behind each change, for it to look at what it wants to
 *	know; by whoever makes the change, so in any context, NMI included. It stays forever.
 *
 * Context: while the kernel boots.
 */
void __init ring_buffer_watch(struct rb_watcher *watcher)
{
	watcher->next = rb_watchers;
	/*
	 * LMM(ring_buffer_watch:A) pairs with LMM(ring_buffer_tell_watchers:A): what it has to
	 * tell, then the watcher
	 */
	smp_store_release(&rb_watchers, watcher);
	watcher->changed();
}

/**
 * ring_buffer_tell_watchers - recording may have been switched
 *
 * For those who have made another buffer the one that is written to, too.
 *
 * Context: any.
 */
void ring_buffer_tell_watchers(void)
{
	/* LMM(ring_buffer_tell_watchers:A) pairs with LMM(ring_buffer_watch:A): by dependency */
	struct rb_watcher *watcher = READ_ONCE(rb_watchers);

	for (; watcher; watcher = watcher->next)
		watcher->changed();
}

/* May events go the fast way? */
static bool rb_may_be_fast(struct rb_cpu *cpu)
{
	struct trace_buffer *buffer = cpu->buffer;

	return !IS_ENABLED(CONFIG_RING_BUFFER_VALIDATE_TIME_DELTAS) &&
	       !READ_ONCE(cpu->swapped_in) &&
	       !atomic_read(&buffer->record_disabled) &&
	       !atomic_read(&cpu->record_disabled) &&
	       READ_ONCE(buffer->clock) == trace_clock_local &&
	       !READ_ONCE(buffer->time_stamp_abs) && !READ_ONCE(cpu->live);
}

/*
 * Something has changed for one ring that the fast way does not look at. The next
 * writer looks for itself. It opens the fast way before it looks for the last time; and
 * we shut it after the change: one of the two sees the other.
 */
void rb_shut_cpu(struct rb_cpu *cpu)
{
	/* LMM(rb_shut_cpu:A) pairs with LMM(rb_open_fast:A): the change, then shut */
	smp_mb();
	WRITE_ONCE(cpu->fast, NULL);
}

/*
 * As rb_shut_cpu(), for a change of the buffer. A swap gives the buffer another ring at
 * any moment: either we find that one here, or the writer who opens it sees the change.
 */
void rb_shut(struct trace_buffer *buffer)
{
	int cpu;

	/*
	 * LMM(rb_shut:A) pairs with LMM(rb_open_fast:A): the change, then which rings
	 * the buffer has, then shut
	 */
	smp_mb();
	for_each_buffer_cpu(buffer, cpu)
		WRITE_ONCE(rb_cpu_of(buffer, cpu)->fast, NULL);
}

/* Open the fast way, which is shut, if all events may go it. */
void rb_open_fast(struct rb_cpu *cpu)
{
	if (!rb_may_be_fast(cpu))
		return;
	WRITE_ONCE(cpu->fast, cpu->buffer);
	/*
	 * LMM(rb_open_fast:A) pairs with LMM(rb_shut_cpu:A), LMM(rb_shut:A): open, then
	 * the last look
	 */
	smp_mb();
	if (!rb_may_be_fast(cpu))
		WRITE_ONCE(cpu->fast, NULL);
}

/**
 * ring_buffer_set_clock - the clock of time stamps to come
 * @buffer: the buffer
 * @clock: to be called with preemption disabled, in any context
 *
 * Events with times of another clock should be read or reset before. If not, and
 * the clock is behind the last event, the next one begins a new sub-buffer: only in
 * each of them are times in order.
 */
void ring_buffer_set_clock(struct trace_buffer *buffer, u64 (*clock)(void))
{
	WRITE_ONCE(buffer->clock, clock);
	rb_shut(buffer);
}

/**
 * ring_buffer_set_time_stamp_abs - whether each event tells its whole time
 * @buffer: the buffer
 * @abs: yes; or the time since the event before, where that will do
 */
void ring_buffer_set_time_stamp_abs(struct trace_buffer *buffer, bool abs)
{
	WRITE_ONCE(buffer->time_stamp_abs, abs);
	rb_shut(buffer);
}

/**
 * ring_buffer_time_stamp_abs - does each event tell its whole time?
 * @buffer: the buffer
 *
 * Return: true if the whole time stands beside each event, false for the time since the last.
 */
bool ring_buffer_time_stamp_abs(struct trace_buffer *buffer)
{
	return buffer->time_stamp_abs;
}

/**
 * ring_buffer_record_disable - refuse events
 * @buffer: the buffer
 *
 * Until ring_buffer_record_enable() was called as often. Writers that have
 * begun an event end it: wait for them by synchronize_rcu().
 *
 * Context: any.
 */
void ring_buffer_record_disable(struct trace_buffer *buffer)
{
	atomic_inc(&buffer->record_disabled);
	rb_shut(buffer);
	ring_buffer_tell_watchers();
}
EXPORT_SYMBOL_GPL(ring_buffer_record_disable);

/**
 * ring_buffer_record_enable - take back a ring_buffer_record_disable()
 * @buffer: the buffer
 */
void ring_buffer_record_enable(struct trace_buffer *buffer)
{
	/*
	 * LMM(ring_buffer_record_enable:A) pairs with LMM(rb_reserve_tail:A): what was
	 * changed, then that writers may use it
	 */
	smp_mb__before_atomic();
	atomic_dec(&buffer->record_disabled);
	ring_buffer_tell_watchers();
}
EXPORT_SYMBOL_GPL(ring_buffer_record_enable);

/**
 * ring_buffer_record_off - switch recording off
 * @buffer: the buffer
 *
 * Like ring_buffer_record_disable(), but a switch and not a count.
 *
 * Context: any.
 */
void ring_buffer_record_off(struct trace_buffer *buffer)
{
	atomic_or(RB_OFF, &buffer->record_disabled);
	rb_shut(buffer);
	ring_buffer_tell_watchers();
}
EXPORT_SYMBOL_GPL(ring_buffer_record_off);

/**
 * ring_buffer_record_on - take back ring_buffer_record_off()
 * @buffer: the buffer
 */
void ring_buffer_record_on(struct trace_buffer *buffer)
{
	atomic_andnot(RB_OFF, &buffer->record_disabled);
	ring_buffer_tell_watchers();
}
EXPORT_SYMBOL_GPL(ring_buffer_record_on);

/**
 * ring_buffer_record_is_on - are events taken?
 * @buffer: the buffer
 *
 * Return: true if nothing refuses the events of all CPUs.
 */
bool ring_buffer_record_is_on(struct trace_buffer *buffer)
{
	return rb_takes_events(buffer);
}

/**
 * ring_buffer_record_is_set_on - is recording switched on?
 * @buffer: the buffer
 *
 * Events may be refused all the same: see ring_buffer_record_disable().
 *
 * Return: true if it is.
 */
bool ring_buffer_record_is_set_on(struct trace_buffer *buffer)
{
	return !(atomic_read(&buffer->record_disabled) & RB_OFF);
}

/**
 * ring_buffer_record_disable_cpu - refuse events on a CPU
 * @buffer: the buffer
 * @cpu: the CPU
 *
 * As ring_buffer_record_disable().
 */
void ring_buffer_record_disable_cpu(struct trace_buffer *buffer, int cpu)
{
	struct rb_cpu *ring = rb_cpu_of(buffer, cpu);

	if (!ring)
		return;
	atomic_inc(&ring->record_disabled);
	rb_shut_cpu(ring);
}
EXPORT_SYMBOL_GPL(ring_buffer_record_disable_cpu);

/**
 * ring_buffer_record_enable_cpu - take back a ring_buffer_record_disable_cpu()
 * @buffer: the buffer
 * @cpu: the CPU
 */
void ring_buffer_record_enable_cpu(struct trace_buffer *buffer, int cpu)
{
	struct rb_cpu *ring = rb_cpu_of(buffer, cpu);

	if (ring)
		atomic_dec(&ring->record_disabled);
}
EXPORT_SYMBOL_GPL(ring_buffer_record_enable_cpu);
