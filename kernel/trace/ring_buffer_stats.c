// SPDX-License-Identifier: GPL-2.0
/*
 * Ring buffer: figures. They are exact while no one writes or reads; else each
 * is as it was at some moment, but not two of them at the same.
 */
#include <linux/export.h>

#include "ring_buffer_impl.h"

/*
 * All events that were committed. Those of closed sub-buffers are counted,
 * and there is more only in the one that is being written; it may be closed
 * while we look.
 */
unsigned long rb_committed(struct rb_cpu *cpu)
{
	unsigned long closed, more;
	struct rb_use *tail;
	bool is_closed;

	do {
		closed = local_read(&cpu->entries);
		/* what is closed later is counted later: seen below */
		smp_rmb();
		tail = READ_ONCE(cpu->tail);
		rb_use_size(tail, &is_closed);
		more = is_closed ? 0 : local_read(&tail->entries);
		/* pairs with the order of stores in rb_show() */
		smp_rmb();
	} while (local_read(&cpu->entries) != closed);
	return closed + more;
}

/* Events that are in the ring of a CPU, and were not read. */
unsigned long rb_entries(struct rb_cpu *cpu)
{
	return rb_committed(cpu) - local_read(&cpu->overrun) - cpu->read_events;
}

/* Sub-buffers that were left by the writer, and not taken by a reader. */
unsigned long rb_dirty(struct rb_cpu *cpu)
{
	long dirty = local_read(&cpu->touched) - local_read(&cpu->evicted) - cpu->taken - 1;

	return max(dirty, 0L);
}

/* Bytes of events that are in the ring of a CPU, and were not read. */
static unsigned long rb_bytes(struct rb_cpu *cpu)
{
	struct rb_use *tail;
	unsigned long flags, bytes;
	bool closed;

	raw_spin_lock_irqsave(&cpu->reader_lock, flags);
	bytes = rb_use_size(cpu->reader.use, &closed) - cpu->reader.read;
	tail = READ_ONCE(cpu->tail);
	if (tail != cpu->reader.use && tail != &cpu->before)
		bytes += rb_dirty(cpu) * tail->room + rb_use_size(tail, &closed);
	raw_spin_unlock_irqrestore(&cpu->reader_lock, flags);
	return bytes;
}

static u64 rb_oldest_time(struct rb_cpu *cpu)
{
	u32 slot, lap;
	unsigned long flags;
	u64 value, time = 0;
	bool closed;

	raw_spin_lock_irqsave(&cpu->reader_lock, flags);
	slot = cpu->reader.slot;
	lap = cpu->reader.lap;
	if (cpu->reader.read < rb_use_size(cpu->reader.use, &closed) || !closed)
		time = cpu->reader.page->subbuf->time_stamp;
	else if (rb_oldest_shown(cpu, &slot, &lap, &value))
		time = rb_slot_page(cpu, value)->subbuf->time_stamp;
	raw_spin_unlock_irqrestore(&cpu->reader_lock, flags);
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

	return ring ? rb_oldest_time(ring) : 0;
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

	return ring ? rb_bytes(ring) : 0;
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

	return ring ? ring->read_events : 0;
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
 * Return: sub-buffers.
 */
size_t ring_buffer_nr_dirty_pages(struct trace_buffer *buffer, int cpu)
{
	return rb_dirty(rb_cpu_of(buffer, cpu));
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
