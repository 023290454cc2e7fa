// SPDX-License-Identifier: GPL-2.0
/*
 * Ring buffer: iterators, which read and do not consume.
 *
 * They go where the consuming reader would, and leave the sub-buffers in the
 * ring. There the writer may overwrite them at any moment: events are copied,
 * and only then looked whether their sub-buffer is still what it was. The writer
 * moves the slot on before it touches anything of the sub-buffer.
 *
 * Many events are copied at once, under the reader's lock. Those that follow the
 * first are returned without it: they are what they were when they were copied.
 * Only if the reader has come since, it is looked anew where to read.
 *
 * They end with the sub-buffer where the writer was when they began. To read
 * and to print may itself write events, more than are read: to go after them
 * would never end.
 */
#include <linux/export.h>
#include <linux/gfp.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "ring_buffer_impl.h"

/**
 * struct ring_buffer_iter - a place in a ring
 * @cpu:	the ring
 * @use:	what is iterated over
 * @subbuf:	its memory
 * @head:	bytes of it that are behind us
 * @in_ring:	it is in the ring, at @at; else it is the reader's
 * @at:		the slot that has it
 * @value:	what the slot had, when we came
 * @slot:	the slot of the next
 * @lap:	its lap
 * @time:	time of the event before
 * @turn:	of the reader, when we began
 * @end_slot:	the slot of the last sub-buffer that is iterated over
 * @end_lap:	its lap
 * @missed:	events were overwritten under us
 * @room:	bytes of @copy
 * @copy:	copy of a part of the sub-buffer, all of it valid
 * @from:	bytes of the sub-buffer that are before that part
 * @to:		and with it; 0 if there is none
 * @event:	the next event in @copy, with what stands before it
 * @whole:	bytes of both
 * @event_time:	its time
 * @peeked:	these are there, and the event has data
 */
struct ring_buffer_iter {
	struct rb_cpu			*cpu;
	struct rb_use			*use;
	struct rb_subbuf		*subbuf;
	u32				head;
	bool				in_ring;
	u32				at;
	u64				value;
	u32				slot;
	u32				lap;
	u64				time;
	unsigned long			turn;
	u32				end_slot;
	u32				end_lap;
	bool				missed;
	unsigned int			room;
	void				*copy;
	u32				from;
	u32				to;
	struct ring_buffer_event	*event;
	u32				whole;
	u64				event_time;
	bool				peeked;
};

/* How much is copied at once, if the next event is not longer */
#define RB_ITER_PART		1024

/* Is @slot in @lap behind the end? */
static bool rb_iter_behind_end(struct ring_buffer_iter *iter, u32 slot, u32 lap)
{
	s32 laps = lap - iter->end_lap;

	return laps > 0 || (!laps && slot > iter->end_slot);
}

/* The sub-buffer in which the next event will be, if it is short. */
static void rb_iter_set_end(struct ring_buffer_iter *iter)
{
	struct rb_use *tail = READ_ONCE(iter->cpu->tail);
	bool closed;

	iter->end_slot = READ_ONCE(rb_page_of(tail)->slot);
	iter->end_lap = rb_use_lap(iter->cpu, tail);
	rb_use_size(iter->cpu, tail, &closed);
	if (closed)
		rb_slot_next(iter->cpu, &iter->end_slot, &iter->end_lap);
}

/* To where the reader would go. */
static void rb_iter_start(struct ring_buffer_iter *iter)
{
	struct rb_reader *reader = &iter->cpu->reader;

	iter->use = reader->use;
	iter->subbuf = reader->subbuf;
	iter->head = reader->read;
	iter->in_ring = false;
	iter->slot = reader->slot;
	iter->lap = reader->lap;
	iter->time = reader->time;
	iter->turn = reader->turn;
	iter->to = 0;
	iter->peeked = false;
}

/* The reader has come in between. If the ring was reset, laps began anew. */
static void rb_iter_restart(struct ring_buffer_iter *iter)
{
	struct rb_use *tail = READ_ONCE(iter->cpu->tail);

	rb_iter_start(iter);
	if (!rb_iter_behind_end(iter, READ_ONCE(rb_page_of(tail)->slot),
				rb_use_lap(iter->cpu, tail)))
		rb_iter_set_end(iter);
}

/*
 * Are we where the writer comes next? What is there is of the lap before, and
 * was our first.
 */
static bool rb_iter_caught_up(struct ring_buffer_iter *iter)
{
	u64 value = rb_slot_read(iter->cpu, iter->slot);

	return (s32)(rb_slot_lap(value) - iter->lap) < 0;
}

/*
 * The next sub-buffer of which something is shown, if there is one up to the
 * end. If the writer has overtaken us, it is the oldest.
 */
static bool rb_iter_find_use(struct ring_buffer_iter *iter, u32 *slot, u32 *lap, u64 *value)
{
	if (rb_iter_caught_up(iter))
		return false;
	*slot = iter->slot;
	*lap = iter->lap;
	return rb_oldest_shown(iter->cpu, slot, lap, value) &&
	       !rb_iter_behind_end(iter, *slot, *lap);
}

/*
 * Between what the reader has and the ring, events may be lost of which no slot
 * tells any more: those that a smaller ring had no room for.
 */
static bool rb_iter_lost_before_ring(struct ring_buffer_iter *iter)
{
	struct rb_cpu *cpu = iter->cpu;

	return !iter->in_ring && local_read(&cpu->overrun) != cpu->reader.overrun;
}

static bool rb_iter_next_use(struct ring_buffer_iter *iter)
{
	struct rb_cpu *cpu = iter->cpu;
	u32 slot, lap;
	u64 value;

	if (!rb_iter_find_use(iter, &slot, &lap, &value))
		return false;
	if (slot != iter->slot || lap != iter->lap || rb_iter_lost_before_ring(iter))
		iter->missed = true;
	iter->use = rb_slot_use(cpu, value);
	iter->subbuf = rb_page_subbuf(cpu, rb_slot_page(cpu, value));
	iter->head = 0;
	iter->to = 0;
	iter->in_ring = true;
	iter->at = slot;
	iter->value = value;
	iter->time = READ_ONCE(iter->subbuf->time_stamp);
	rb_slot_next(cpu, &slot, &lap);
	iter->slot = slot;
	iter->lap = lap;
	return true;
}

/* Was all that we read of the sub-buffer what it had when we came? */
static bool rb_iter_valid(struct ring_buffer_iter *iter)
{
	/*
	 * LMM(rb_iter_valid:A) pairs with LMM(rb_claim:A): if the sub-buffer was begun
	 * anew, the slot has moved on
	 */
	smp_rmb();
	return !iter->in_ring ||
	       rb_slot_read(iter->cpu, iter->at) == iter->value;
}

/* Find the next event in the copy. False if it is not there as a whole. */
static bool rb_iter_find_event(struct ring_buffer_iter *iter)
{
	struct ring_buffer_event *event = iter->copy + (iter->head - iter->from);
	u32 left = iter->to - iter->head, whole;

	/* all that is copied has whole words */
	if (iter->head >= iter->to)
		return false;
	if (likely(rb_event_is_short(event)))
		whole = rb_event_size(event);
	else
		whole = rb_event_within(event, left);
	if (!whole || whole > left)
		return false;
	iter->event = event;
	iter->whole = whole;
	iter->event_time = rb_event_time(event, iter->time);
	return true;
}

static bool rb_iter_copy_part(struct ring_buffer_iter *iter, u32 size)
{
	iter->from = iter->head;
	iter->to = iter->head + size;
	memcpy(iter->copy, (void *)iter->subbuf->data + iter->head, size);
	return rb_iter_find_event(iter);
}

/* Copy the next event and some that follow. They may be nonsense. */
static bool rb_iter_copy(struct ring_buffer_iter *iter, u32 size)
{
	u32 left = size - iter->head;

	if (size > iter->room)
		return false;
	return (left > RB_ITER_PART && rb_iter_copy_part(iter, RB_ITER_PART)) ||
	       rb_iter_copy_part(iter, left);
}

/*
 * The next event, copied, or NULL. What was overwritten is passed over.
 *
 * Context: reader_lock held.
 */
static struct ring_buffer_event *rb_iter_event(struct ring_buffer_iter *iter)
{
	bool closed, copied;
	u32 size;

	if (iter->turn != iter->cpu->reader.turn)
		rb_iter_restart(iter);
	if (rb_iter_find_event(iter))
		return iter->event;
	for (;;) {
		size = rb_use_size(iter->cpu, iter->use, &closed);
		copied = iter->head < size && rb_iter_copy(iter, size);
		if (!rb_iter_valid(iter)) {
			iter->to = 0;
			iter->missed = true;
			if (!rb_iter_next_use(iter))
				return NULL;
			continue;
		}
		if (copied)
			return iter->event;
		iter->to = 0;
		if (iter->head < size) {
			RB_BROKEN(iter->cpu, 1);
			return NULL;
		}
		if (!closed || !rb_iter_next_use(iter))
			return NULL;
	}
}

/* Go behind the event that was found. */
static void rb_iter_pass(struct ring_buffer_iter *iter)
{
	iter->time = iter->event_time;
	iter->head += iter->whole;
	iter->peeked = false;
}

/* The next event with data, if it was copied before and no reader has come since. */
static bool rb_iter_peeked(struct ring_buffer_iter *iter)
{
	if (iter->turn != READ_ONCE(iter->cpu->reader.turn))
		return false;
	while (!iter->peeked && rb_iter_find_event(iter)) {
		if (rb_event_is_data(rb_event_behind(iter->event)))
			iter->peeked = true;
		else
			rb_iter_pass(iter);
	}
	return iter->peeked;
}

/*
 * Find the next event with data. False if there is none.
 *
 * Context: reader_lock held.
 */
static bool rb_iter_data(struct ring_buffer_iter *iter)
{
	struct ring_buffer_event *event;

	if (rb_iter_peeked(iter))
		return true;
	while ((event = rb_iter_event(iter)) && !rb_event_is_data(rb_event_behind(event)))
		rb_iter_pass(iter);
	iter->peeked = event;
	return event;
}

static noinline bool rb_iter_data_locked(struct ring_buffer_iter *iter)
{
	unsigned long flags;
	bool found;

	raw_spin_lock_irqsave(&iter->cpu->reader_lock, flags);
	found = rb_iter_data(iter);
	raw_spin_unlock_irqrestore(&iter->cpu->reader_lock, flags);
	return found;
}

/**
 * ring_buffer_iter_peek - the event that an iterator is at
 * @iter: the iterator
 * @ts: where to store the event's time, or NULL
 *
 * Return: a copy of the event, good until the next call, or NULL at the end.
 */
struct ring_buffer_event *ring_buffer_iter_peek(struct ring_buffer_iter *iter, u64 *ts)
{
	if (!rb_iter_peeked(iter) && !rb_iter_data_locked(iter))
		return NULL;
	if (ts)
		*ts = iter->event_time;
	return rb_event_behind(iter->event);
}
EXPORT_SYMBOL_GPL(ring_buffer_iter_peek);

/**
 * ring_buffer_iter_attached - the memory that is attached to an event
 * @iter: the iterator; ring_buffer_iter_peek() has returned the event
 * @attached: gets the memory, good as long as the event, or NULL
 */
void ring_buffer_iter_attached(struct ring_buffer_iter *iter,
			       struct ring_buffer_attached *attached)
{
	rb_event_attached(iter->event, attached);
}

/**
 * ring_buffer_iter_advance - go on to the next event
 * @iter: the iterator
 *
 * It goes behind the event that was peeked at, also if that was overwritten since:
 * then the oldest event that is there is the next.
 */
void ring_buffer_iter_advance(struct ring_buffer_iter *iter)
{
	iter->missed = false;
	/* if a reader has come, the next look begins where that is */
	if (likely(iter->peeked) || rb_iter_data_locked(iter))
		rb_iter_pass(iter);
}
EXPORT_SYMBOL_GPL(ring_buffer_iter_advance);

/**
 * ring_buffer_iter_dropped - were events overwritten under an iterator?
 * @iter: the iterator
 *
 * Return: since it went on the last time.
 */
bool ring_buffer_iter_dropped(struct ring_buffer_iter *iter)
{
	return iter->missed;
}
EXPORT_SYMBOL_GPL(ring_buffer_iter_dropped);

/**
 * ring_buffer_iter_reset - go back to the oldest event
 * @iter: the iterator, or NULL
 */
void ring_buffer_iter_reset(struct ring_buffer_iter *iter)
{
	unsigned long flags;

	if (!iter)
		return;
	raw_spin_lock_irqsave(&iter->cpu->reader_lock, flags);
	rb_iter_start(iter);
	rb_iter_set_end(iter);
	iter->missed = false;
	raw_spin_unlock_irqrestore(&iter->cpu->reader_lock, flags);
}
EXPORT_SYMBOL_GPL(ring_buffer_iter_reset);

/**
 * ring_buffer_iter_empty - is an iterator at the end?
 * @iter: the iterator
 *
 * Return: true if there is nothing more to read.
 */
int ring_buffer_iter_empty(struct ring_buffer_iter *iter)
{
	struct rb_cpu *cpu = iter->cpu;
	bool closed, empty, locked, more, valid;
	unsigned long flags;
	u32 slot, lap;
	u64 value;

	locked = rb_reader_lock(cpu, &flags);
	if (iter->turn != cpu->reader.turn) {
		empty = rb_empty(cpu);
	} else if (iter->peeked || iter->head < iter->to) {
		empty = false;
	} else {
		more = iter->head < rb_use_size(cpu, iter->use, &closed);
		valid = rb_iter_valid(iter);
		empty = !(valid && more) && ((valid && !closed) ||
			!rb_iter_find_use(iter, &slot, &lap, &value));
	}
	rb_reader_unlock(cpu, locked, flags);
	return empty;
}
EXPORT_SYMBOL_GPL(ring_buffer_iter_empty);

/**
 * ring_buffer_read_start - a new iterator
 * @buffer: the buffer
 * @cpu: over whose events
 * @flags: how to allocate
 *
 * The buffer is not resized until ring_buffer_read_finish().
 *
 * Context: may sleep, if @flags let it.
 * Return: the iterator, at the oldest event, or NULL.
 */
struct ring_buffer_iter *ring_buffer_read_start(struct trace_buffer *buffer, int cpu, gfp_t flags)
{
	struct rb_cpu *ring = rb_cpu_of(buffer, cpu);
	bool lock = gfpflags_allow_blocking(flags);
	struct ring_buffer_iter *iter;

	if (!ring)
		return NULL;
	iter = kzalloc(sizeof(*iter), flags);
	if (!iter)
		return NULL;
	/* a debugger that reads cannot wait for a resize to end */
	if (lock)
		mutex_lock(&buffer->mutex);
	atomic_inc(&ring->resize_disabled);
	if (lock)
		mutex_unlock(&buffer->mutex);
	iter->cpu = ring;
	iter->room = rb_subbuf_room(ring->tables.order);
	iter->copy = kmalloc(iter->room, flags);
	if (!iter->copy) {
		ring_buffer_read_finish(iter);
		return NULL;
	}
	ring_buffer_iter_reset(iter);
	return iter;
}
EXPORT_SYMBOL_GPL(ring_buffer_read_start);

/**
 * ring_buffer_read_finish - give an iterator back
 * @iter: the iterator
 */
void ring_buffer_read_finish(struct ring_buffer_iter *iter)
{
	atomic_dec(&iter->cpu->resize_disabled);
	kfree(iter->copy);
	kfree(iter);
}
EXPORT_SYMBOL_GPL(ring_buffer_read_finish);
