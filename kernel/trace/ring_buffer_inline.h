/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Writing an event, the fast way and in line: for the general interface, and
 * for tracers that know the length of their events and have preemption
 * disabled. The design is in ring_buffer_write.c.
 */
#ifndef _TRACE_RING_BUFFER_INLINE_H
#define _TRACE_RING_BUFFER_INLINE_H

#include "ring_buffer_clock.h"
#include "ring_buffer_impl.h"

typedef struct ring_buffer_event *(*rb_reserve_func)(struct trace_buffer *buffer,
						     struct rb_cpu *cpu, unsigned long length);
typedef void (*rb_commit_func)(struct rb_cpu *cpu);

struct ring_buffer_event *
rb_reserve_nested(struct trace_buffer *buffer, struct rb_cpu *cpu, unsigned long size,
		  unsigned int attached);
void rb_commit_end(struct rb_cpu *cpu);
void rb_commit_slow(struct rb_cpu *cpu);
void rb_commit_late(struct rb_cpu *cpu);

/*
 * Time since the event before, if it is short: both are in the epoch that is
 * noted, and that one is not the later. It is if we were interrupted after we
 * read the clock.
 */
static __always_inline bool rb_delta(struct rb_cpu *cpu, u64 now, u64 word, u32 *delta)
{
#ifdef CONFIG_64BIT
	u64 left, since;

	if (unlikely(__builtin_sub_overflow(rb_plain(cpu->limit), now, &left)))
		return false;
	since = (u32)~rb_word_stamp(word) - left;
	*delta = since;
	return likely(since <= RB_DELTA_MAX);
#else
	return likely((u32)(now >> 32) == (u32)(rb_plain(cpu->limit) >> 32) &&
		      !__builtin_sub_overflow((u32)now, rb_word_stamp(word), delta) &&
		      *delta <= RB_DELTA_MAX);
#endif
}

/*
 * Is @pos in @use, with room for an event up to @end, and nothing before it open?
 * The @commit of a use is a position in it, and a use has a brim only if it was begun.
 * So whatever @use was when it was read: if the word has not changed since, it points
 * into @use.
 */
static __always_inline bool rb_at_end(struct rb_use *use, u32 pos, u32 end)
{
	if (rb_plain(use->commit) != pos)
		return false;
	/* LMM(rb_at_end:A): the commit, then the brim, which has no old one at a new tag */
	barrier();
	return rb_plain(use->brim) > end;
}

/* Must a writer to @buffer not go the fast way, or is its event too long for that? */
static __always_inline bool rb_not_fast(struct trace_buffer *buffer, struct rb_cpu *cpu,
					bool is_long)
{
	return RB_LONG_ONLY ||
	       unlikely(rb_unsafe_nmi() || is_long || rb_plain(cpu->fast) != buffer);
}

/* W2 */
static __always_inline u64 rb_short_clock(void)
{
	u64 now = sched_clock_inline();

	/* LMM(rb_short_clock:A): the clock, then the word */
	barrier();
	return now;
}

/*
 * W3 to W5 for an event with one word of data and @more, in @use at the time @now. Before
 * it there are @room bytes of memory that is attached to it, with the words before that.
 * Plain reads of what others may change: whatever they find, the event is right if W4
 * succeeds, and whether it still counts as ordinary is settled by the marks.
 *
 * The position behind it is stored to @end, and where its first word is to @header. They
 * are no structure: kernels that clear those on the stack would do so at each event.
 *
 * Return: was it begun? If not, nothing has changed.
 */
static __always_inline bool rb_short_begin(struct rb_cpu *cpu, unsigned int more,
					   unsigned int room, struct rb_use *use, u64 now,
					   u32 *end, u32 **header)
{
	/* W3 */
	u64 word = rb_word_read(cpu);
	u32 pos = rb_word_pos(word), delta;

	*end = pos + room + more * RB_WORD + RB_WORD + RB_HEADER;
	if (!rb_delta(cpu, now, word, &delta) || unlikely(!rb_at_end(use, pos, *end)))
		return false;
	/* what is attached tells the time, and cannot tell that none has passed */
	if (room && unlikely(!delta))
		return false;
	/* W4 */
	if (unlikely(!rb_word_move(cpu, word, rb_word(*end, now))))
		return false;
	/* W5 */
	*header = (void *)(use->base + pos);
	if (room) {
		*header = rb_event_attach((void *)*header, room, delta);
		delta = 0;
	}
	**header = rb_event_header(more + 1, delta);
	return true;
}

/*
 * C1 to C3 for the only event that is open in @use. All before it is shown.
 *
 * Return: is it the last one? If not, rb_show() is to show what came behind it.
 */
static __always_inline bool rb_short_end(struct rb_cpu *cpu, struct rb_use *use, u32 end)
{
	/* C1 */
	local_inc(&use->entries);
	/*
	 * C2. LMM(rb_short_end:A) pairs with LMM(rb_use_size:A), LMM(rb_use_shown:A): the
	 * event, then that it is shown
	 */
	smp_wmb();
	WRITE_ONCE(use->commit, end);
	/* LMM(rb_short_end:B): shown, then the look whether more came */
	barrier();
	/* C3 */
	return likely((u32)cpu->word == end);
}

/* W1 to W5 for a short event at an ordinary moment, else the slow way. */
static __always_inline struct ring_buffer_event *
rb_begin(struct trace_buffer *buffer, struct rb_cpu *cpu, unsigned long length,
	 rb_reserve_func nested, rb_reserve_func slow)
{
	struct rb_use *use;
	u32 *header, end;
	u64 now;

	/* W1 */
	if (unlikely(cpu->frame.use))
		return nested(buffer, cpu, length);
	cpu->frame.use = cpu->tail;
	/* LMM(rb_begin:A): the mark, then all looks; who swaps looks at the mark */
	barrier();
	length--;
	/* one register for both this and the length */
	if (!__builtin_constant_p(length))
		OPTIMIZER_HIDE_VAR(length);
	if (rb_not_fast(buffer, cpu, length >= RB_SMALL))
		return slow(buffer, cpu, length + 1);
	now = rb_short_clock();
	use = cpu->frame.use;
	if (!rb_short_begin(cpu, length / RB_WORD, 0, use, now, &end, &header))
		return slow(cpu->buffer, cpu, length + 1);
	cpu->frame.end = end;
	cpu->frame.time = now;
	return (void *)header;
}

/*
 * C1 to C4: rb_show(), in line for an event that is not nested. Everything
 * before it is shown, and if nothing came behind it, its end is all there is.
 *
 * Return: was that all? If not, one of the functions has done what is to do.
 */
static __always_inline bool rb_end(struct rb_cpu *cpu, rb_commit_func slow,
				   rb_commit_func late, rb_commit_func wake)
{
	if (unlikely(rb_plain(cpu->unusual))) {
		slow(cpu);
		return false;
	}
	if (!rb_short_end(cpu, cpu->frame.use, cpu->frame.end)) {
		late(cpu);
		return false;
	}
	if (unlikely(rb_plain(cpu->wake))) {
		wake(cpu);
		return false;
	}
	/* C4. LMM(rb_end:A): done, then the mark is gone */
	barrier();
	WRITE_ONCE(cpu->frame.use, NULL);
	return true;
}

/**
 * struct rb_put - an event in line that was begun
 * @begun:	or it was no ordinary moment, and there is nothing else
 * @data:	what is to be filled in
 * @attached:	and what is attached to it
 * @cpu:	the ring
 * @use:	where it is
 * @end:	position behind it
 */
struct rb_put {
	bool			begun;
	void			*data;
	void			*attached;
	struct rb_cpu		*cpu;
	struct rb_use		*use;
	u32			end;
};

void *ring_buffer_put_begin_slow(struct trace_buffer *buffer, unsigned long length);
void *ring_buffer_put_attached_slow(struct trace_buffer *buffer, unsigned int length,
				    unsigned int size, void **attached);
void ring_buffer_put_end_slow(struct trace_buffer *buffer);

/* @known is constant: the event is of the time @at, otherwise of now */
static __always_inline struct rb_put rb_put_in_line(struct trace_buffer *buffer,
						    unsigned int length, unsigned int size,
						    bool known, u64 at)
{
	unsigned int room = rb_attached_room(size);
	struct rb_cpu *cpu = rb_this_cpu(buffer);
	struct rb_use *use;
	u32 *header, end;
	u64 now;

	if (rb_not_fast(buffer, cpu, length > RB_SMALL))
		return (struct rb_put){ };
	now = known ? at : rb_short_clock();
	use = cpu->tail;
	/* LMM(rb_put_in_line:A): the tail, then the word, which tells if it is stale */
	barrier();
	if (!rb_short_begin(cpu, (length - 1) / RB_WORD, room, use, now, &end, &header))
		return (struct rb_put){ };
	return (struct rb_put){
		.begun = true, .data = header + 1, .cpu = cpu, .use = use, .end = end,
		.attached = (void *)header - room + RB_ATTACHED_HEADER,
	};
}

/**
 * ring_buffer_put_attached - begin an event with attached memory, at an ordinary moment
 * @buffer: the buffer to write to, on this CPU
 * @length: bytes of data, not 0; best a constant, and not more than 112
 * @size: bytes of the memory, a multiple of four; 0 if there is none
 *
 * As ring_buffer_lock_reserve(), but for less: the event has no frame, and is
 * to be filled in at once. That it is open shows in the use's commit.
 *
 * Context: any, with preemption disabled.
 * Return: what is to be filled in and ended by ring_buffer_put_end(). If it was
 * not begun, that is for ring_buffer_put_attached_slow().
 */
static __always_inline struct rb_put ring_buffer_put_attached(struct trace_buffer *buffer,
							      unsigned int length,
							      unsigned int size)
{
	return rb_put_in_line(buffer, length, size, false, 0);
}

/**
 * ring_buffer_put_at - the same for an event whose time is known
 * @buffer: the buffer to write to, on this CPU
 * @length: bytes of data, not 0; best a constant, and not more than 112
 * @size: bytes of attached memory, a multiple of four; 0 if there is none
 * @at: what sched_clock_inline() said since preemption was disabled
 *
 * If something was written since @at, this is no ordinary moment. An event that is begun
 * by ring_buffer_put_attached_slow() has the time of then.
 *
 * Context: any, with preemption disabled.
 * Return: as ring_buffer_put_attached().
 */
static __always_inline struct rb_put ring_buffer_put_at(struct trace_buffer *buffer,
							unsigned int length,
							unsigned int size, u64 at)
{
	return rb_put_in_line(buffer, length, size, true, at);
}

/**
 * ring_buffer_put_begin - begin an event of a tracer's own, at an ordinary moment
 * @buffer: the buffer to write to, on this CPU
 * @length: bytes of data, not 0; best a constant, and not more than 112
 *
 * Context: any, with preemption disabled.
 * Return: as ring_buffer_put_attached(); if it was not begun, that is for
 * ring_buffer_put_begin_slow().
 */
static __always_inline struct rb_put ring_buffer_put_begin(struct trace_buffer *buffer,
							   unsigned int length)
{
	return ring_buffer_put_attached(buffer, length, 0);
}

/**
 * ring_buffer_put_end - end an event of a tracer's own
 * @put: what ring_buffer_put_begin() has begun
 */
static __always_inline void ring_buffer_put_end(struct rb_put put)
{
	if (!rb_short_end(put.cpu, put.use, put.end))
		rb_show(put.cpu, put.use, put.end);
	if (unlikely(rb_plain(put.cpu->wake)))
		rb_wake(put.cpu);
}

/**
 * ring_buffer_is_writing - is an event being written on this CPU
 * @buffer: the buffer that it is written to
 *
 * For who interrupts at each instruction: an event that is begun now may let the one that was
 * interrupted begin again, see W4, and again the next time. One that is begun and ended in line
 * is not told: it tries W4 once.
 *
 * Context: any, with preemption disabled.
 * Return: true if one is, by this context or by what it has interrupted.
 */
static inline bool ring_buffer_is_writing(struct trace_buffer *buffer)
{
	return READ_ONCE(rb_this_cpu(buffer)->frame.use);
}

#endif /* _TRACE_RING_BUFFER_INLINE_H */
