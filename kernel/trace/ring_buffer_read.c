// SPDX-License-Identifier: GPL-2.0
/*
 * Ring buffer: the consuming reader. The design is in ring_buffer_write.c.
 */
#include <linux/export.h>
#include <linux/hardirq.h>
#include <linux/preempt.h>

#include "ring_buffer_impl.h"
#include "ring_buffer_persist.h"

/*
 * Move *@slot and *@lap on to where the oldest sub-buffer is, or near before it.
 * Slots are claimed and taken in turn: when any slot is in a lap, all up to the
 * same slot in the lap before are gone. The one that the writer was in last tells
 * most; if the hint is stale, another slot tells less, but nothing wrong.
 */
static void rb_skip_overwritten(struct rb_cpu *cpu, u32 *slot, u32 *lap)
{
	u32 next = READ_ONCE(rb_page_of(READ_ONCE(cpu->tail))->slot);
	u32 in_lap = rb_slot_lap(rb_slot_read(cpu, next)) - 1;
	s32 laps;

	rb_slot_next(cpu, &next, &in_lap);
	laps = in_lap - *lap;
	if (laps > 0 || (!laps && next > *slot)) {
		*slot = next;
		*lap = in_lap;
	}
}

/*
 * The oldest sub-buffer in the ring at *@slot in *@lap or later, both moved on
 * to where it is. A slot of a later lap was overwritten for a sub-buffer that
 * is at most one lap ahead of those behind it. As this is called for each event,
 * its cost must not depend on how much was overwritten.
 *
 * Return: what the slot has.
 */
u64 rb_oldest(struct rb_cpu *cpu, u32 *slot, u32 *lap)
{
	u64 value = rb_slot_read(cpu, *slot);

	if (rb_slot_lap(value) != *lap)
		rb_skip_overwritten(cpu, slot, lap);
	for (;;) {
		value = rb_slot_read(cpu, *slot);
		if (rb_slot_lap(value) == *lap)
			return value;
		*lap = rb_slot_lap(value) - 1;
		rb_slot_next(cpu, slot, lap);
	}
}

/* Is anything shown of @use? Only valid while a slot has it. */
static bool rb_use_shown(struct rb_cpu *cpu, struct rb_use *use)
{
	/*
	 * LMM(rb_use_shown:A) pairs with LMM(rb_short_end:A), LMM(rb_show:B),
	 * LMM(rb_claim:A): what is shown is there; and a slot that is looked at behind
	 * this has moved on if the use was begun anew
	 */
	return smp_load_acquire(&use->commit) & ~cpu->tag_mask;
}

/*
 * The use in the oldest sub-buffer of which something is shown, as rb_oldest().
 * NULL if there is none.
 */
struct rb_use *rb_oldest_shown(struct rb_cpu *cpu, u32 *slot, u32 *lap, u64 *value)
{
	struct rb_use *use;

	do {
		*value = rb_oldest(cpu, slot, lap);
		use = rb_slot_use(cpu, *value);
		if (rb_use_shown(cpu, use))
			return use;
	} while (rb_slot_read(cpu, *slot) != *value);
	return NULL;
}

/*
 * The same. Most often, it is the next one. Where 64 bits are read in halves, what
 * is read may be no value that the slot ever had: then R4 fails.
 */
static __always_inline struct rb_use *rb_next_shown(struct rb_cpu *cpu, u32 *slot, u32 *lap,
						    u64 *value)
{
	struct rb_use *use;

	*value = READ_ONCE(rb_slot_at(&cpu->tables, *slot)->counter);
	use = rb_slot_use(cpu, *value);
	if (likely(rb_slot_lap(*value) == *lap && rb_use_shown(cpu, use)))
		return use;
	return rb_oldest_shown(cpu, slot, lap, value);
}

/*
 * R3. Make the reader's sub-buffer ready to take the place of the one in @slot,
 * to be filled one lap later.
 */
static u64 rb_ready_spare(struct rb_cpu *cpu, u32 slot, u32 lap, struct rb_use *taken)
{
	struct rb_subbuf *subbuf = cpu->reader.subbuf;
	struct rb_page *page = cpu->reader.page;

	/* for the case that there is nothing to take in the end */
	cpu->reader.use = rb_before(cpu);
	cpu->reader.read = 0;
	local_set(&subbuf->commit, 0);
	rb_use_ready(&page->use[~lap & 1], subbuf,
		     rb_use_tag(cpu, taken) + cpu->tables.nr_slots * cpu->size);
	page->slot = slot;
	return rb_slot(lap + 1, cpu->reader.index);
}

/* R2 to R5. The reader's sub-buffer is read up: change it for the oldest one. */
static bool rb_take_next(struct rb_cpu *cpu)
{
	struct rb_reader *reader = &cpu->reader;
	u32 slot = reader->slot, lap = reader->lap;
	struct rb_use *taken;
	unsigned long overrun;
	u64 value, spare;

	do {
		taken = rb_next_shown(cpu, &slot, &lap, &value);
		if (!taken)
			return false;
		spare = rb_ready_spare(cpu, slot, lap, taken);
		overrun = local_read(&cpu->overrun);
		/*
		 * R4. LMM(rb_take_next:A) pairs with LMM(rb_slot_use:A),
		 * LMM(rb_use_size:A), LMM(rb_claim:A): our sub-buffer was read and made
		 * ready before; and no event is counted as overwritten before that is
		 * behind those that we get
		 */
	} while (!atomic64_try_cmpxchg(rb_slot_at(&cpu->tables, slot), &value, spare));

	/* R5 */
	reader->page = rb_page_of(taken);
	reader->index = (u32)value;
	reader->use = taken;
	reader->read = 0;
	reader->subbuf = rb_use_subbuf(cpu, taken);
	reader->time = reader->subbuf->time_stamp;
	reader->lost += overrun - reader->overrun;
	reader->overrun = overrun;
	rb_slot_next(cpu, &slot, &lap);
	reader->slot = slot;
	reader->lap = lap;
	reader->turn++;
	cpu->taken++;
	rb_meta_reader(cpu);
	return true;
}

/*
 * R1. The use in which the reader has something to read, or NULL. How much there
 * is of it is in the reader then.
 *
 * Context: reader_lock held.
 */
struct rb_use *rb_reader_use(struct rb_cpu *cpu)
{
	struct rb_reader *reader = &cpu->reader;
	bool closed;
	u32 size;

	do {
		size = rb_use_size(cpu, reader->use, &closed);
		if (reader->read < size) {
			reader->size = size;
			reader->closed = closed;
			return reader->use;
		}
		if (!closed || RB_BROKEN(cpu, reader->read > size))
			return NULL;
	} while (rb_take_next(cpu));
	return NULL;
}

/* The next event, with what stands before it, or NULL. */
static struct ring_buffer_event *rb_reader_event(struct rb_cpu *cpu)
{
	struct rb_use *use = rb_reader_use(cpu);

	return use ? (void *)cpu->reader.subbuf->data + cpu->reader.read : NULL;
}

/* R6. Consume @event, the next one. */
void rb_reader_advance(struct rb_cpu *cpu, struct ring_buffer_event *event)
{
	struct rb_reader *reader = &cpu->reader;
	unsigned int size = rb_event_whole(event);

	reader->time = rb_event_time(event, reader->time);
	reader->read += size;
	reader->turn++;
	cpu->read_bytes += size;
	if (rb_event_is_data(rb_event_behind(event)))
		cpu->read_events++;
}

/*
 * The next event with data, or NULL. Passes over those without, but no more
 * than of one sub-buffer: @again says that there is more.
 */
static struct ring_buffer_event *rb_reader_data(struct rb_cpu *cpu, bool *again)
{
	unsigned long taken = cpu->taken;
	struct ring_buffer_event *event;

	for (;;) {
		event = rb_reader_event(cpu);
		if (!event || rb_event_is_data(rb_event_behind(event)))
			return event;
		rb_reader_advance(cpu, event);
		if (cpu->taken - taken > 1) {
			*again = true;
			return NULL;
		}
	}
}

/*
 * An NMI that prints the buffer when the machine dies cannot wait for the lock. If
 * the lock is taken, it reads without it, and nobody records any more.
 */
bool rb_reader_lock(struct rb_cpu *cpu, unsigned long *flags)
{
	local_irq_save(*flags);
	if (likely(!in_nmi())) {
		raw_spin_lock(&cpu->reader_lock);
		return true;
	}
	if (raw_spin_trylock(&cpu->reader_lock))
		return true;
	atomic_inc(&cpu->record_disabled);
	rb_shut_cpu(cpu);
	return false;
}

void rb_reader_unlock(struct rb_cpu *cpu, bool locked, unsigned long flags)
{
	if (likely(locked))
		raw_spin_unlock(&cpu->reader_lock);
	local_irq_restore(flags);
}

static struct ring_buffer_event *
rb_read_event(struct trace_buffer *buffer, int cpu_nr, u64 *time, unsigned long *lost,
	      struct ring_buffer_attached *attached, bool consume)
{
	struct rb_cpu *cpu = rb_cpu_of(buffer, cpu_nr);
	struct ring_buffer_event *event;
	unsigned long flags;
	bool locked, again;

	if (!cpu)
		return NULL;
	do {
		again = false;
		locked = rb_reader_lock(cpu, &flags);
		event = rb_reader_data(cpu, &again);
		if (event) {
			if (time)
				*time = rb_event_time(event, cpu->reader.time);
			if (lost)
				*lost = cpu->reader.lost;
			if (attached)
				rb_event_attached(event, attached);
			if (consume) {
				cpu->reader.lost = 0;
				rb_reader_advance(cpu, event);
			}
			event = rb_event_behind(event);
		}
		rb_reader_unlock(cpu, locked, flags);
	} while (again);
	return event;
}

/**
 * ring_buffer_peek - the event that will be read next
 * @buffer: the buffer
 * @cpu: whose events
 * @ts: where to store the event's time, or NULL
 * @lost_events: where to store the number of events overwritten since the last
 *	event was consumed, or NULL
 *
 * Return: the event, or NULL if there is none. It stays where it is until it
 * is consumed.
 */
struct ring_buffer_event *
ring_buffer_peek(struct trace_buffer *buffer, int cpu, u64 *ts, unsigned long *lost_events)
{
	return rb_read_event(buffer, cpu, ts, lost_events, NULL, false);
}
EXPORT_SYMBOL_GPL(ring_buffer_peek);

/**
 * ring_buffer_peek_attached - as ring_buffer_peek(), with the memory attached to the event
 * @buffer: the buffer
 * @cpu: whose events
 * @ts: where to store the event's time, or NULL
 * @lost_events: where to store the number of events overwritten, or NULL
 * @attached: gets the memory, or NULL; unchanged if there is no event
 *
 * Return: the event, or NULL if there is none. Both stay where they are until the event
 * is consumed.
 */
struct ring_buffer_event *
ring_buffer_peek_attached(struct trace_buffer *buffer, int cpu, u64 *ts,
			  unsigned long *lost_events, struct ring_buffer_attached *attached)
{
	return rb_read_event(buffer, cpu, ts, lost_events, attached, false);
}

/**
 * ring_buffer_consume - read an event
 * @buffer: the buffer
 * @cpu: whose events
 * @ts: where to store the event's time, or NULL
 * @lost_events: where to store the number of events overwritten since the last
 *	event was consumed, or NULL
 *
 * Return: the event, or NULL if there is none. It stays where it is until the
 * next one is read.
 */
struct ring_buffer_event *
ring_buffer_consume(struct trace_buffer *buffer, int cpu, u64 *ts, unsigned long *lost_events)
{
	return rb_read_event(buffer, cpu, ts, lost_events, NULL, true);
}
EXPORT_SYMBOL_GPL(ring_buffer_consume);

/*
 * Nothing to read? Does not look whether the events have data.
 *
 * Context: reader_lock held.
 */
bool rb_empty(struct rb_cpu *cpu)
{
	u32 slot = cpu->reader.slot, lap = cpu->reader.lap;
	bool closed;
	u64 value;

	if (cpu->reader.read < rb_use_size(cpu, cpu->reader.use, &closed))
		return false;
	return !closed || !rb_oldest_shown(cpu, &slot, &lap, &value);
}

static bool rb_empty_locked(struct rb_cpu *cpu)
{
	unsigned long flags;
	bool locked, empty;

	locked = rb_reader_lock(cpu, &flags);
	empty = rb_empty(cpu);
	rb_reader_unlock(cpu, locked, flags);
	return empty;
}

/**
 * ring_buffer_empty_cpu - is nothing to be read of a CPU?
 * @buffer: the buffer
 * @cpu: whose events
 *
 * Return: true if there is nothing to read.
 */
bool ring_buffer_empty_cpu(struct trace_buffer *buffer, int cpu)
{
	struct rb_cpu *ring = rb_cpu_of(buffer, cpu);

	return !ring || rb_empty_locked(ring);
}
EXPORT_SYMBOL_GPL(ring_buffer_empty_cpu);

/**
 * ring_buffer_empty - is nothing to be read of any CPU?
 * @buffer: the buffer
 *
 * Return: true if there is nothing to read on any CPU.
 */
bool ring_buffer_empty(struct trace_buffer *buffer)
{
	int cpu;

	for_each_buffer_cpu(buffer, cpu)
		if (!rb_empty_locked(rb_cpu_of(buffer, cpu)))
			return false;
	return true;
}
EXPORT_SYMBOL_GPL(ring_buffer_empty);
