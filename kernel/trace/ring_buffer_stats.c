// SPDX-License-Identifier: GPL-2.0
/*
 * Ring buffer: figures. They are exact while no one writes or reads. Otherwise they
 * may miss a sub-buffer that was left while an event in it is open, and bytes may
 * be counted twice while one is closed; but they are never less than nothing.
 */
#include <linux/export.h>
#include <linux/minmax.h>
#include <linux/preempt.h>

#include "ring_buffer_impl.h"

/*
 * Are the events of @use among @closed, though it is not seen to be closed? It
 * is the tail.
 */
static bool rb_is_counted(struct rb_cpu *cpu, struct rb_use *use, unsigned long closed)
{
	unsigned long total;

	do {
		if (READ_ONCE(cpu->closing) != use)
			return false;
		/*
		 * LMM(rb_is_counted:A) pairs with LMM(rb_count:B): the total is that use's,
		 * or of a later one
		 */
		smp_rmb();
		total = READ_ONCE(cpu->closing_total);
		/*
		 * LMM(rb_is_counted:B) pairs with LMM(rb_count:A): if it is of a later one,
		 * @closing is no longer that use
		 */
		smp_rmb();
	} while (READ_ONCE(cpu->closing) != use);
	return total == closed;
}

/*
 * All events that were committed. Those of closed sub-buffers are counted,
 * and there is more only in the one that is being written; it may be closed
 * while we look, and is counted before it is seen to be closed.
 */
unsigned long rb_committed(struct rb_cpu *cpu)
{
	unsigned long closed, more;
	struct rb_use *tail;
	bool is_closed;

	/* a ring that is resized keeps its tail until then */
	preempt_disable_notrace();
	do {
		closed = local_read(&cpu->entries);
		/*
		 * LMM(rb_committed:A) pairs with LMM(rb_count:C): what is counted in @closed
		 * is told by @closing, and no tail is older than that
		 */
		smp_rmb();
		tail = READ_ONCE(cpu->tail);
		rb_use_size(cpu, tail, &is_closed);
		more = is_closed || rb_is_counted(cpu, tail, closed) ? 0 :
			local_read(&tail->entries);
		/*
		 * LMM(rb_committed:B) pairs with LMM(rb_show:B): if the tail was closed, or
		 * used anew, @entries has changed
		 */
		smp_rmb();
	} while (local_read(&cpu->entries) != closed);
	preempt_enable_notrace();
	return closed + more;
}

/* Events that are in the ring no more. */
static unsigned long rb_gone(struct rb_cpu *cpu)
{
	return local_read(&cpu->overrun) + READ_ONCE(cpu->read_events);
}

/* Events that are in the ring of a CPU, and were not read. */
unsigned long rb_entries(struct rb_cpu *cpu)
{
	unsigned long committed, gone;

	do {
		gone = rb_gone(cpu);
		/*
		 * LMM(rb_entries:A) pairs with LMM(rb_claim:A): what is gone was committed,
		 * and is counted below
		 */
		smp_rmb();
		committed = rb_committed(cpu);
		/*
		 * LMM(rb_entries:B) pairs with LMM(rb_begin_use:A): if events of a use were
		 * counted, so is what it has overwritten
		 */
		smp_rmb();
	} while (rb_gone(cpu) != gone);
	return max((long)(committed - gone), 0L);
}

/* Sub-buffers that were left by the writer, and not taken by a reader. */
unsigned long rb_dirty(struct rb_cpu *cpu)
{
	long dirty = local_read(&cpu->touched) - local_read(&cpu->evicted) - cpu->taken - 1;

	return max(dirty, 0L);
}

/*
 * Bytes of events that are in the ring of a CPU, and were not read. The tail may
 * be used anew between two looks: then it was closed, and has been counted.
 *
 * Context: reader_lock held.
 */
static unsigned long rb_bytes(struct rb_cpu *cpu)
{
	unsigned long closed, lost;
	bool is_closed;
	u32 more;

	do {
		closed = local_read(&cpu->bytes);
		/*
		 * LMM(rb_bytes:A) pairs with LMM(rb_count:C): no tail is older than what is
		 * counted in @closed
		 */
		smp_rmb();
		lost = local_read(&cpu->lost_bytes);
		more = rb_use_size(cpu, READ_ONCE(cpu->tail), &is_closed);
		if (is_closed)
			more = 0;
		/*
		 * LMM(rb_bytes:B) pairs with LMM(rb_show:B): if the tail was closed, or used
		 * anew, @bytes has changed
		 */
		smp_rmb();
	} while (local_read(&cpu->bytes) != closed);
	return max((long)(closed + more - lost - cpu->read_bytes), 0L);
}

/* The time of the first event that is shown in @use, whose memory is @subbuf. */
static u64 rb_shown_time(struct rb_cpu *cpu, struct rb_use *use, struct rb_subbuf *subbuf)
{
	bool closed;

	return rb_use_size(cpu, use, &closed) ? rb_first_event_time(subbuf) :
						READ_ONCE(subbuf->time_stamp);
}

/* Of a sub-buffer that is overwritten meanwhile, it would be the time of another use. */
static u64 rb_oldest_time(struct rb_cpu *cpu)
{
	u32 slot = cpu->reader.slot, lap = cpu->reader.lap;
	u64 value, time;
	bool closed;

	if (cpu->reader.read < rb_use_size(cpu, cpu->reader.use, &closed) || !closed)
		return rb_shown_time(cpu, cpu->reader.use, cpu->reader.subbuf);
	do {
		if (!rb_oldest_shown(cpu, &slot, &lap, &value))
			return 0;
		time = rb_shown_time(cpu, rb_slot_use(cpu, value),
				     rb_page_subbuf(cpu, rb_slot_page(cpu, value)));
		/*
		 * LMM(rb_oldest_time:A) pairs with LMM(rb_claim:A): if the sub-buffer was
		 * begun anew, the slot has moved on
		 */
		smp_rmb();
	} while (rb_slot_read(cpu, slot) != value);
	return time;
}

/**
 * ring_buffer_oldest_event_ts - the time of the oldest event of a CPU
 * @buffer: the buffer
 * @cpu: the CPU
 *
 * Return: the time of the first event in the sub-buffer that is read next, 0
 * if there is none.
 */
u64 ring_buffer_oldest_event_ts(struct trace_buffer *buffer, int cpu)
{
	struct rb_cpu *ring = rb_cpu_of(buffer, cpu);
	unsigned long flags;
	u64 time;

	if (!ring)
		return 0;
	raw_spin_lock_irqsave(&ring->reader_lock, flags);
	time = rb_oldest_time(ring);
	raw_spin_unlock_irqrestore(&ring->reader_lock, flags);
	return time;
}
EXPORT_SYMBOL_GPL(ring_buffer_oldest_event_ts);

/**
 * ring_buffer_bytes_cpu - bytes of events that were not read, of a CPU
 * @buffer: the buffer
 * @cpu: the CPU
 *
 * Return: bytes.
 */
unsigned long ring_buffer_bytes_cpu(struct trace_buffer *buffer, int cpu)
{
	struct rb_cpu *ring = rb_cpu_of(buffer, cpu);
	unsigned long flags, bytes;

	if (!ring)
		return 0;
	raw_spin_lock_irqsave(&ring->reader_lock, flags);
	bytes = rb_bytes(ring);
	raw_spin_unlock_irqrestore(&ring->reader_lock, flags);
	return bytes;
}
EXPORT_SYMBOL_GPL(ring_buffer_bytes_cpu);

/**
 * ring_buffer_entries_cpu - events that were not read, of a CPU
 * @buffer: the buffer
 * @cpu: the CPU
 *
 * Return: events.
 */
unsigned long ring_buffer_entries_cpu(struct trace_buffer *buffer, int cpu)
{
	struct rb_cpu *ring = rb_cpu_of(buffer, cpu);

	return ring ? rb_entries(ring) : 0;
}
EXPORT_SYMBOL_GPL(ring_buffer_entries_cpu);

/**
 * ring_buffer_overrun_cpu - events that were overwritten, of a CPU
 * @buffer: the buffer
 * @cpu: the CPU
 *
 * Return: events since the last reset.
 */
unsigned long ring_buffer_overrun_cpu(struct trace_buffer *buffer, int cpu)
{
	struct rb_cpu *ring = rb_cpu_of(buffer, cpu);

	return ring ? local_read(&ring->overrun) : 0;
}
EXPORT_SYMBOL_GPL(ring_buffer_overrun_cpu);

/**
 * ring_buffer_commit_overrun_cpu - events refused for an open one, of a CPU
 * @buffer: the buffer
 * @cpu: the CPU
 *
 * So many events were written within another that the ring was once round.
 *
 * Return: events since the last reset.
 */
unsigned long ring_buffer_commit_overrun_cpu(struct trace_buffer *buffer, int cpu)
{
	struct rb_cpu *ring = rb_cpu_of(buffer, cpu);

	return ring ? local_read(&ring->commit_overrun) : 0;
}
EXPORT_SYMBOL_GPL(ring_buffer_commit_overrun_cpu);

/**
 * ring_buffer_dropped_events_cpu - events refused by a full buffer, of a CPU
 * @buffer: the buffer
 * @cpu: the CPU
 *
 * Return: events since the last reset.
 */
unsigned long ring_buffer_dropped_events_cpu(struct trace_buffer *buffer, int cpu)
{
	struct rb_cpu *ring = rb_cpu_of(buffer, cpu);

	return ring ? local_read(&ring->dropped) : 0;
}
EXPORT_SYMBOL_GPL(ring_buffer_dropped_events_cpu);

/**
 * ring_buffer_read_events_cpu - events that were read, of a CPU
 * @buffer: the buffer
 * @cpu: the CPU
 *
 * Return: events since the last reset.
 */
unsigned long ring_buffer_read_events_cpu(struct trace_buffer *buffer, int cpu)
{
	struct rb_cpu *ring = rb_cpu_of(buffer, cpu);

	return ring ? READ_ONCE(ring->read_events) : 0;
}
EXPORT_SYMBOL_GPL(ring_buffer_read_events_cpu);

/**
 * ring_buffer_entries - events that were not read
 * @buffer: the buffer
 *
 * Return: events of all CPUs.
 */
unsigned long ring_buffer_entries(struct trace_buffer *buffer)
{
	unsigned long entries = 0;
	int cpu;

	for_each_buffer_cpu(buffer, cpu)
		entries += ring_buffer_entries_cpu(buffer, cpu);
	return entries;
}
EXPORT_SYMBOL_GPL(ring_buffer_entries);

/**
 * ring_buffer_overruns - events that were overwritten
 * @buffer: the buffer
 *
 * Return: events of all CPUs since the last reset.
 */
unsigned long ring_buffer_overruns(struct trace_buffer *buffer)
{
	unsigned long overruns = 0;
	int cpu;

	for_each_buffer_cpu(buffer, cpu)
		overruns += ring_buffer_overrun_cpu(buffer, cpu);
	return overruns;
}
EXPORT_SYMBOL_GPL(ring_buffer_overruns);

/**
 * ring_buffer_nr_dirty_pages - sub-buffers that can be read as a whole, of a CPU
 * @buffer: the buffer
 * @cpu: the CPU
 *
 * Return: sub-buffers; 0 if there is no such CPU.
 */
size_t ring_buffer_nr_dirty_pages(struct trace_buffer *buffer, int cpu)
{
	struct rb_cpu *ring = rb_cpu_of(buffer, cpu);

	return ring ? rb_dirty(ring) : 0;
}

/**
 * ring_buffer_size - bytes of events that the ring of a CPU has room for
 * @buffer: the buffer
 * @cpu: the CPU
 *
 * Return: bytes of data.
 */
unsigned long ring_buffer_size(struct trace_buffer *buffer, int cpu)
{
	struct rb_cpu *ring = rb_cpu_of(buffer, cpu);

	return ring ? (unsigned long)ring->tables.nr_slots * rb_subbuf_room(buffer->order) : 0;
}
EXPORT_SYMBOL_GPL(ring_buffer_size);

/**
 * ring_buffer_max_event_size - bytes of the longest event's data
 * @buffer: the buffer
 *
 * Return: bytes.
 */
unsigned long ring_buffer_max_event_size(struct trace_buffer *buffer)
{
	return buffer->max_data - (READ_ONCE(buffer->time_stamp_abs) ? RB_STAMP : 0);
}
EXPORT_SYMBOL_GPL(ring_buffer_max_event_size);
