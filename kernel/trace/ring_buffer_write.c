// SPDX-License-Identifier: GPL-2.0
/* DESIGN-COMMENT */
#include <linux/export.h>
#include <linux/hardirq.h>
#include <linux/minmax.h>
#include <linux/errno.h>
#include <linux/preempt.h>
#include <linux/smp.h>
#include <linux/string.h>
#include <linux/trace_recursion.h>

#include "ring_buffer_clock.h"
#include "ring_buffer_impl.h"

/* What a CPU has that has no ring. */
struct rb_cpu rb_none = { .frame.use = &rb_none.before };

static __always_inline struct rb_cpu *rb_this_cpu(struct trace_buffer *buffer)
{
	return this_cpu_read(*buffer->ring);
}

/*
 * Begin an event within another, or in no ring: the frame of the outer one is
 * put aside. A writer that comes in between does the same and puts all back.
 */
static noinline struct ring_buffer_event *
rb_reserve_nested(struct trace_buffer *buffer, struct rb_cpu *cpu, unsigned long length)
{
	if (cpu == &rb_none || cpu->deep == RB_NEST_MAX - 1) {
#ifdef CONFIG_RING_BUFFER_RECORD_RECURSION
		/* most likely the tracer traces itself */
		if (cpu != &rb_none)
			do_ftrace_record_recursion(_THIS_IP_, _RET_IP_);
#endif
		preempt_enable_notrace();
		return NULL;
	}
	cpu->saved[cpu->deep] = cpu->frame;
	barrier();
	WRITE_ONCE(cpu->deep, cpu->deep + 1);
	barrier();
	return rb_reserve_slow(buffer, cpu, length);
}

/* The innermost open event is done: the one around it is it again. */
void notrace rb_frame_pop(struct rb_cpu *cpu)
{
	u8 deep = cpu->deep;

	barrier();
	if (!deep) {
		WRITE_ONCE(cpu->frame.use, NULL);
		return;
	}
	cpu->frame = cpu->saved[deep - 1];
	barrier();
	WRITE_ONCE(cpu->deep, deep - 1);
}

/* Time since the event before, if it is short and certainly known. */
static __always_inline bool rb_delta(struct rb_cpu *cpu, u64 now, u64 word, u32 *delta)
{
#ifdef CONFIG_64BIT
	u64 since = now - cpu->base - rb_word_stamp(word);

	*delta = since;
	return likely(since <= RB_DELTA_MAX);
#else
	*delta = (u32)now - rb_word_stamp(word);
	return likely((u32)(now >> 32) == (u32)(cpu->base >> 32) &&
		      *delta <= RB_DELTA_MAX);
#endif
}

/*
 * W1 to W5 for a short event at an ordinary moment, else the slow way. Plain
 * reads of what others may change: whatever they find, the event is right if
 * W4 succeeds, and whether it still counts as ordinary is settled by the marks.
 */
static __always_inline struct ring_buffer_event *
rb_reserve(struct trace_buffer *buffer, struct rb_cpu *cpu, unsigned long length)
{
	/* words of data but the last one, which there always is */
	unsigned int words;
	u32 delta, offset, end;
	struct rb_use *use;
	u64 now, word;
	u32 *header;

	/* W1 */
	if (unlikely(cpu->frame.use))
		return rb_reserve_nested(buffer, cpu, length);
	cpu->frame.use = cpu->tail;
	barrier();
	/* one register for both this and the length */
	length--;
	OPTIMIZER_HIDE_VAR(length);
	if (RB_LONG_ONLY || unlikely(length >= RB_SMALL || data_race(cpu->fast) != buffer))
		return rb_reserve_slow(buffer, cpu, length + 1);
	/* W2 */
	now = sched_clock_noinstr();
	barrier();
	/* W3 */
	use = cpu->frame.use;
	word = rb_word_read(cpu);
	offset = rb_word_pos(word) - data_race(use->tag);
	if (!rb_delta(cpu, now, word, &delta) || unlikely(offset > use->fit))
		return rb_reserve_slow(cpu->buffer, cpu, length + 1);
	words = length / RB_WORD;
	end = rb_word_pos(word) + words * RB_WORD + RB_WORD + RB_HEADER;
	/* W4 */
	if (unlikely(!rb_word_move(cpu, word, rb_word(end, now))))
		return rb_reserve_slow(cpu->buffer, cpu, length + 1);
	/* W5 */
	cpu->frame.end = end;
	cpu->frame.time = now;
	header = (void *)use->data + offset;
	*header = rb_event_header(words + 1, delta);
	return (void *)header;
}

/*
 * Let readers see what was written to @use. Whoever has the oldest open event
 * of the use comes here; everything behind it is done, as the writers of a CPU
 * are done in the reverse order of their beginning.
 *
 * A writer that comes after the position was read and before it is shown
 * leaves its event to us, as it finds older ones not shown: look again. One
 * that comes later finds everything shown, and shows its event itself: do not
 * go back behind it.
 */
void notrace rb_show(struct rb_cpu *cpu, struct rb_use *use)
{
	struct rb_subbuf *subbuf = use->page->subbuf;
	u32 pos, size;

	for (;;) {
		pos = rb_pos(cpu);
		size = pos - use->tag;
		if (size >= use->room) {
			pos = use->tag + use->room;
			size = use->end;
		}
		if (READ_ONCE(use->commit) == pos)
			break;
		/* pairs with the acquire in rb_use_size() */
		smp_wmb();
		local_set(&subbuf->commit, size);
		WRITE_ONCE(use->commit, pos);
		if (pos == use->tag + use->room)
			local_add(local_read(&use->entries), &cpu->entries);
		barrier();
	}
}

/* The event is shown: back to where we were before it. */
static noinline int rb_commit_end(struct rb_cpu *cpu)
{
	barrier();
	if (!cpu->deep)
		cpu->full = false;
	rb_frame_pop(cpu);
	if (READ_ONCE(cpu->wake))
		rb_wake(cpu);
	preempt_enable_notrace();
	return 0;
}

/* Events that are nested, or fill the use, or are looked at from outside. */
static noinline int rb_commit_slow(struct rb_cpu *cpu)
{
	struct rb_frame *frame = &cpu->frame;

	local_inc(&frame->use->entries);
	barrier();
	if (!cpu->deep || READ_ONCE(frame->use->commit) == frame->start)
		rb_show(cpu, frame->use);
	return rb_commit_end(cpu);
}

/* Events came behind ours before it was shown, and left it to us to show them. */
static noinline int rb_commit_late(struct rb_cpu *cpu)
{
	rb_show(cpu, cpu->frame.use);
	return rb_commit_end(cpu);
}

/*
 * C1 to C4: rb_show(), in line for an event that is not nested. Everything
 * before it is shown, and if nothing came behind it, its end is all there is.
 */
static __always_inline int rb_commit(struct rb_cpu *cpu)
{
	struct rb_use *use;
	u32 end;

	if (unlikely(data_race(cpu->unusual)))
		return rb_commit_slow(cpu);
	/* C1 */
	use = cpu->frame.use;
	local_inc(&use->entries);
	/* C2, pairs with the acquire in rb_use_size() */
	smp_wmb();
	end = cpu->frame.end;
	WRITE_ONCE(use->commit, end);
	barrier();
	/* C3 */
	if (unlikely((u32)cpu->word != end))
		return rb_commit_late(cpu);
	if (unlikely(data_race(cpu->wake)))
		return rb_commit_end(cpu);
	/* C4 */
	barrier();
	WRITE_ONCE(cpu->frame.use, NULL);
	preempt_enable_notrace();
	return 0;
}

/**
 * ring_buffer_lock_reserve - begin an event
 * @buffer: the buffer to write to, on this CPU
 * @length: bytes of data, 1 to ring_buffer_max_event_size()
 *
 * The data, at ring_buffer_event_data(), is to be filled in and the event then
 * to be ended, by ring_buffer_unlock_commit() or ring_buffer_discard_commit().
 * Until then preemption is disabled. Events of one CPU may be nested, each
 * ended before the one it was begun in.
 *
 * Context: any, also NMI.
 * Return: the event, or NULL if it cannot be written: recording is off, the
 * buffer is full, the data is too long, or the nesting too deep.
 */
struct ring_buffer_event *notrace
ring_buffer_lock_reserve(struct trace_buffer *buffer, unsigned long length)
{
	preempt_disable_notrace();
	return rb_reserve(buffer, rb_this_cpu(buffer), length);
}
EXPORT_SYMBOL_GPL(ring_buffer_lock_reserve);

/**
 * ring_buffer_unlock_commit - end the event begun last, and keep it
 * @buffer: the buffer it is in
 *
 * Context: that of its ring_buffer_lock_reserve().
 * Return: 0
 */
int notrace ring_buffer_unlock_commit(struct trace_buffer *buffer)
{
	return rb_commit(rb_this_cpu(buffer));
}
EXPORT_SYMBOL_GPL(ring_buffer_unlock_commit);

/**
 * ring_buffer_write - write a whole event
 * @buffer: the buffer to write to, on this CPU
 * @length: bytes of @data
 * @data: what to write
 *
 * Context: any, also NMI.
 * Return: 0, or -EBUSY for what ring_buffer_lock_reserve() returns NULL.
 */
int notrace ring_buffer_write(struct trace_buffer *buffer, unsigned long length, void *data)
{
	struct ring_buffer_event *event = ring_buffer_lock_reserve(buffer, length);

	if (!event)
		return -EBUSY;
	memcpy(ring_buffer_event_data(event), data, length);
	return ring_buffer_unlock_commit(buffer);
}
EXPORT_SYMBOL_GPL(ring_buffer_write);

/*
 * Give back the space of the event that was begun last, if it is at the end
 * still. The time goes back to that of the event before, for the next event to
 * tell the time since; if that is not known, the next event has to tell its
 * time by itself. The upper half of the time cannot go back.
 */
static bool rb_take_back(struct rb_cpu *cpu, struct ring_buffer_event *event, u32 start)
{
	u64 word = rb_word_read(cpu), before = cpu->frame.time;

	if (rb_word_pos(word) != start + rb_event_whole(event))
		return false;
	if (event->type_len == RINGBUF_TYPE_TIME_STAMP) {
		WRITE_ONCE(cpu->lone, true);
		WRITE_ONCE(cpu->base, RB_NO_BASE);
	} else {
		before -= rb_event_is_stamp(event) ? rb_event_stamp(event) : event->time_delta;
	}
	if (before >> 32 != cpu->frame.time >> 32)
		return false;
	return rb_word_move(cpu, word, rb_word(start, before));
}

/*
 * Make an event one that readers skip. It must not say that no time has
 * passed, or it would be the end of the sub-buffer; what really has is told
 * behind the length, if there is room.
 */
static void rb_make_padding(struct ring_buffer_event *event)
{
	u32 delta;

	event = rb_event_behind(event);
	delta = event->time_delta;
	event->array[0] = rb_event_size(event) - RB_HEADER;
	if (event->array[0] > RB_WORD)
		event->array[1] = delta;
	event->type_len = RINGBUF_TYPE_PADDING;
	event->time_delta = max(delta, 1U);
}

/**
 * ring_buffer_discard_commit - end the event begun last, and drop it
 * @buffer: the buffer it is in
 * @event: the event
 *
 * Its space is used again, unless events were written behind it.
 *
 * Context: that of its ring_buffer_lock_reserve().
 */
void notrace ring_buffer_discard_commit(struct trace_buffer *buffer,
					struct ring_buffer_event *event)
{
	struct rb_cpu *cpu = rb_this_cpu(buffer);
	struct rb_use *use = cpu->frame.use;
	u32 start = use->tag + ((unsigned char *)event - use->data);

	if (!rb_take_back(cpu, event, start)) {
		rb_make_padding(event);
		barrier();
		if (READ_ONCE(use->commit) == start)
			rb_show(cpu, use);
	}
	if (!cpu->deep)
		cpu->full = false;
	rb_frame_pop(cpu);
	preempt_enable_notrace();
}
EXPORT_SYMBOL_GPL(ring_buffer_discard_commit);

/**
 * ring_buffer_event_time_stamp - the time of the event begun last
 * @buffer: the buffer it is in
 * @event: the event
 *
 * Context: between its ring_buffer_lock_reserve() and its end.
 * Return: the time, by the clock of @buffer.
 */
u64 notrace ring_buffer_event_time_stamp(struct trace_buffer *buffer,
					 struct ring_buffer_event *event)
{
	struct rb_cpu *cpu = rb_this_cpu(buffer);

	if (WARN_ON_ONCE(!rb_busy(cpu)))
		return rb_clock(buffer);
	return cpu->frame.time;
}

/**
 * ring_buffer_nest_start - announce an event within another
 * @buffer: the buffer
 *
 * Events may be nested anyhow; only preemption is disabled.
 */
void notrace ring_buffer_nest_start(struct trace_buffer *buffer)
{
	preempt_disable_notrace();
}

/**
 * ring_buffer_nest_end - the event that was announced is ended
 * @buffer: the buffer
 */
void notrace ring_buffer_nest_end(struct trace_buffer *buffer)
{
	preempt_enable_notrace();
}
