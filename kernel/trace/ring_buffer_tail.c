// SPDX-License-Identifier: GPL-2.0
/*
 * Ring buffer: writing an event that needs a time stamp of its own, or is
 * long, or was interrupted, or begins the next sub-buffer. The design is in
 * ring_buffer_write.c.
 */
#include <linux/bug.h>
#include <linux/irqflags.h>
#include <linux/minmax.h>
#include <linux/preempt.h>
#include <linux/sched.h>

#include "ring_buffer_clock.h"
#include "ring_buffer_impl.h"
#include "ring_buffer_persist.h"

/* A try fails only if a nested writer wrote during it. */
#define RB_TRIES	1000

/**
 * struct rb_entry - an event that is about to be written
 * @size:	bytes of it, without a time stamp
 * @attached:	those of them for memory that is attached to it, and of the words before that
 * @word:	the word that it goes by
 * @use:	the use that @word points into
 * @stamp:	time stamp before the event: 0 or its type
 * @told:	what that tells: time since the event before, or a time
 * @delta:	time that the event's own first word tells, on top of that
 * @time:	the time
 * @back:	it is before that of the event before
 * @behind:	the clock was behind that one when it was looked at before
 */
struct rb_entry {
	unsigned long		size;
	unsigned int		attached;
	u64			word;
	struct rb_use		*use;
	unsigned int		stamp;
	u64			told;
	u32			delta;
	u64			time;
	bool			back;
	bool			behind;
};

/* The last three: there is no place for it. It is too long, or the ring is in use. */
enum rb_result { RB_WRITTEN, RB_AGAIN, RB_DROPPED, RB_FULL, RB_ROUND };

/*
 * The slot of position @pos, counted from the place of @from. That may be
 * before or behind: who went round the ring has made @from ready for the lap
 * after, in the same slot.
 */
static u32 rb_find_slot(struct rb_cpu *cpu, struct rb_use *from, u32 pos)
{
	s32 ahead = pos - rb_use_tag(cpu, from);
	s32 slot, nr_slots = cpu->tables.nr_slots;

	/* all divisions round towards 0 */
	if (ahead < 0)
		ahead -= cpu->size - 1;
	slot = (ahead / (s32)cpu->size + (s32)READ_ONCE(rb_page_of(from)->slot)) % nr_slots;
	return slot < 0 ? slot + nr_slots : slot;
}

/*
 * The use that position @pos is in, by way of one that was not long before.
 * Between the two is an open event, of the writer that moves on and that we
 * interrupted, so that neither reader nor writer has gone round the ring past
 * them. Writers may have gone round just to there. NULL: @from is older than
 * that; it has changed meanwhile.
 */
static struct rb_use *rb_find_use(struct rb_cpu *cpu, struct rb_use *from, u32 pos)
{
	u32 slot = rb_find_slot(cpu, from, pos);
	struct rb_use *use = rb_slot_use(cpu, rb_slot_read(cpu, slot));

	return pos - rb_use_tag(cpu, use) <= rb_room(cpu) ? use : NULL;
}

/*
 * Set the hint to the use that the word points into. It is right again before the
 * event that moved the word is shown: until then no reader takes a sub-buffer that the
 * search goes through. After each store, check whether a nested writer made it stale.
 */
static void rb_set_tail(struct rb_cpu *cpu, struct rb_use *use)
{
	while (use) {
		WRITE_ONCE(cpu->tail, use);
		/* LMM(rb_set_tail:A): whoever moves the word behind this look sets it again */
		barrier();
		if (rb_pos(cpu) - rb_use_tag(cpu, use) <= rb_room(cpu))
			return;
		use = rb_find_use(cpu, use, rb_pos(cpu));
	}
	RB_BROKEN(cpu, 1);
}

/*
 * The least time that is left for the event's first word to tell. With memory attached, that
 * word must not say 0: what stands before it tells a time of 1 less. That is not possible for
 * time 0. From 2^59 on, programs would take such a time for one that is 2^59 later.
 */
static u32 rb_least_delta(struct rb_entry *entry)
{
	return entry->attached && entry->time - 1 < RB_STAMP_MASK ? 1 : 0;
}

/* See rb_tell_time(), where the event's first word may not be able to tell it by itself. */
static noinline void rb_tell_time_apart(struct rb_cpu *cpu, struct rb_entry *entry, u64 delta)
{
	u32 least = rb_least_delta(entry);

	entry->stamp = delta > RB_DELTA_MAX ? RINGBUF_TYPE_TIME_EXTEND : 0;
	if (delta < least || READ_ONCE(cpu->buffer->time_stamp_abs))
		entry->stamp = RINGBUF_TYPE_TIME_STAMP;
	entry->delta = entry->stamp ? least : delta;
	entry->told = (entry->stamp == RINGBUF_TYPE_TIME_STAMP ? entry->time : delta) - least;
}

/* How the time of the event is told, behind one of @last. */
static __always_inline void rb_tell_time(struct rb_cpu *cpu, struct rb_entry *entry, u64 last)
{
	u64 delta = entry->time - last;

	entry->stamp = 0;
	entry->delta = delta;
	if (delta > RB_DELTA_MAX || entry->attached || READ_ONCE(cpu->buffer->time_stamp_abs))
		rb_tell_time_apart(cpu, entry, delta);
}

/* The time of the sub-buffer that the event is first in. */
static u64 rb_first_time(struct rb_entry *entry)
{
	return entry->time - rb_least_delta(entry);
}

/* The noted epoch: that of @limit. */
static u32 rb_noted_epoch(struct rb_cpu *cpu)
{
	return READ_ONCE(cpu->limit) >> 32;
}

/*
 * A nested writer may have noted a later epoch than ours: that stays. If ours is
 * earlier than the noted one, no nested writer has noted another: see rb_choose_time().
 */
static void rb_note_epoch(struct rb_cpu *cpu, u32 epoch, bool earlier)
{
	u64 limit = rb_word(~0U, epoch), old = READ_ONCE(cpu->limit);

	/* LMM(rb_note_epoch:A): who comes between the look and this has noted a later one */
	while ((earlier ? old != limit : old < limit) &&
	       !try_cmpxchg64_local(&cpu->limit, &old, limit))
		;
}

/*
 * The epoch of the event before. If it is not the noted one, we have interrupted
 * that event's writer before it could note it, and note it instead.
 *
 * @ahead: the kind of epoch that the interrupted writers announce, if any
 */
static u32 rb_epoch(struct rb_cpu *cpu, u64 word, enum rb_ahead_kind *ahead)
{
	enum rb_ahead_kind kind;
	int i;

	*ahead = RB_NONE_AHEAD;
	for (i = 0; i < cpu->deep; i++) {
		kind = READ_ONCE(cpu->ahead[i].kind);
		*ahead = max(*ahead, kind);
		if (kind && cpu->ahead[i].word == word)
			rb_note_epoch(cpu, cpu->ahead[i].epoch, kind == RB_EARLIER_AHEAD);
	}
	return rb_noted_epoch(cpu);
}

/*
 * Choose the event's time. The clock gave @now; the word was @was before the clock was
 * read, and the entry's word after that. The time is never before that of the last
 * event, unless the clock went back. It did if there was no nested writer and it is
 * behind a second time: that is longer than a CPU reads out of order.
 *
 * An announced epoch may have been noted already, or not. While one is announced, no
 * epoch earlier than it must be noted; and no other at all, if the announced one is
 * earlier than that of the event before it: time stands still for these moments.
 *
 * Return: false if it is to be looked at again.
 */
static bool rb_choose_time(struct rb_cpu *cpu, struct rb_entry *entry, u64 was, u64 now)
{
	enum rb_ahead_kind ahead;
	u32 epoch = rb_epoch(cpu, entry->word, &ahead);
	u64 last = rb_word(rb_word_stamp(entry->word), epoch);

	if (ahead == RB_EARLIER_AHEAD)
		now = min(now, rb_word(~0U, epoch));
	entry->back = now < last && entry->word == was && ahead == RB_NONE_AHEAD;
	if (entry->back && !entry->behind) {
		entry->behind = true;
		return false;
	}
	entry->time = entry->back ? now : max(now, last);
	rb_tell_time(cpu, entry, last);
	return true;
}

/*
 * A swap may have interrupted an inline writer that had checked whose ring it is, but
 * had not read the clock yet. When that writer goes on, there must be no room for it,
 * whatever was written since: the tail's use has no brim until the writer is done. It
 * is done once another task runs, as it had preemption disabled, or if no context is
 * interrupted now. On the way into and out of an interrupt, its code looks like the
 * task's; but then interrupts are off.
 */
static void rb_end_swap(struct rb_cpu *cpu)
{
	void *task = READ_ONCE(cpu->swapped_in);

	if (task && (task != current || (!interrupt_context_level() && !irqs_disabled())))
		WRITE_ONCE(cpu->swapped_in, NULL);
}

/* The brim of the use that is the tail, in which an event is open: no one swaps. */
static void rb_set_brim(struct rb_cpu *cpu, struct rb_use *use)
{
	u32 brim = rb_brim(rb_use_tag(cpu, use), rb_room(cpu));

	WRITE_ONCE(use->brim, READ_ONCE(cpu->swapped_in) ? 0 : brim);
}

static unsigned long rb_entry_size(struct rb_entry *entry)
{
	return entry->size + (entry->stamp ? RB_STAMP : 0);
}

/*
 * Move the word to that of the event, at position @pos. If the event's epoch is not the
 * noted one, it is announced to writers that run after the move and before it is noted.
 */
static bool rb_begin_event(struct rb_cpu *cpu, struct rb_entry *entry, u32 pos)
{
	u64 to = rb_word(pos + rb_entry_size(entry), entry->time);
	struct rb_ahead *ahead = &cpu->ahead[cpu->deep];
	u32 epoch = entry->time >> 32;
	bool earlier = false;

	if (epoch != rb_noted_epoch(cpu)) {
		earlier = entry->back;
		/* the fast way relies on the noted epoch */
		WRITE_ONCE(cpu->fast, NULL);
		ahead->word = to;
		ahead->epoch = epoch;
		/* LMM(rb_begin_event:A): what is announced is there before it is said to be */
		barrier();
		WRITE_ONCE(ahead->kind, earlier ? RB_EARLIER_AHEAD : RB_LATER_AHEAD);
		/* LMM(rb_begin_event:B): it is announced before the word is moved */
		barrier();
	}
	if (!rb_word_move(cpu, entry->word, to)) {
		WRITE_ONCE(ahead->kind, RB_NONE_AHEAD);
		return false;
	}
	rb_note_epoch(cpu, epoch, earlier);
	/* LMM(rb_begin_event:C): and until the epoch is noted */
	barrier();
	WRITE_ONCE(ahead->kind, RB_NONE_AHEAD);
	if (!READ_ONCE(cpu->fast))
		rb_open_fast(cpu);
	return true;
}

/* Fill in the frame, and the words before the data. */
static struct ring_buffer_event *rb_write_header(struct rb_cpu *cpu, struct rb_entry *entry)
{
	struct rb_frame *frame = &cpu->frame;
	struct ring_buffer_event *event, *first;
	u32 pos = rb_word_pos(entry->word), tag = rb_use_tag(cpu, entry->use);

	frame->use = entry->use;
	frame->end = pos + rb_entry_size(entry);
	frame->time = entry->time;
	/* while we are open, no older event is shown: it is now as it will be then */
	cpu->inner = READ_ONCE(entry->use->commit) != pos;
	/* closing is counted, see rb_show() */
	if (frame->end == tag + rb_room(cpu)) {
		rb_page_of(entry->use)->end = rb_room(cpu);
		if (!cpu->deep)
			cpu->full = true;
	}
	event = (void *)(entry->use->base + pos);
	first = event;
	if (entry->stamp) {
		event->type_len = entry->stamp;
		event->time_delta = entry->told & RB_DELTA_MAX;
		event->array[0] = (entry->told & RB_STAMP_MASK) >> RB_DELTA_BITS;
		event = (void *)event + RB_STAMP;
	}
	if (entry->attached)
		event = rb_event_attach(event, entry->attached, entry->delta);
	rb_event_begin(event, entry->size - entry->attached, entry->attached ? 0 : entry->delta);
	if (!cpu->inner)
		rb_validate(cpu, entry->use, frame->end - tag, entry->time);
	return first;
}

/*
 * W4 and W5 in the sub-buffer that the word points into. From then on, and until
 * we are done, it is not made ready for another filling, and the ring not swapped:
 * after a swap, the brim is still to be set.
 */
static enum rb_result rb_append(struct rb_cpu *cpu, struct rb_entry *entry)
{
	if (!rb_begin_event(cpu, entry, rb_word_pos(entry->word)))
		return RB_AGAIN;
	rb_set_brim(cpu, entry->use);
	return RB_WRITTEN;
}

/*
 * The same in a sub-buffer whose events were all taken back: the event is its first, and
 * gives it its time. Nothing of the sub-buffer is shown, and the writer that began it is done.
 */
static enum rb_result rb_begin_anew(struct rb_cpu *cpu, struct rb_entry *entry)
{
	enum rb_result result;

	rb_tell_time(cpu, entry, rb_first_time(entry));
	result = rb_append(cpu, entry);
	if (result == RB_WRITTEN)
		rb_use_subbuf(cpu, entry->use)->time_stamp = rb_first_time(entry);
	return result;
}

/*
 * N1. Make sure that the sub-buffer in @slot is one to be filled in @lap. If
 * it has unread events of the lap before, the reader and all writers contend
 * for it: one of them gets the slot on to the next lap, and the events.
 */
static enum rb_result rb_claim(struct rb_cpu *cpu, u32 slot, u32 lap)
{
	atomic64_t *in_slot = rb_slot_at(&cpu->tables, slot);
	u64 old = atomic64_read(in_slot);
	unsigned long entries, bytes;
	struct rb_use *use;
	bool closed;

	if (rb_slot_lap(old) == lap)
		return RB_WRITTEN;
	if (rb_slot_lap(old) != lap - 1)
		return RB_AGAIN;
	if (!(cpu->buffer->flags & RB_FL_OVERWRITE))
		return RB_FULL;
	use = rb_slot_use(cpu, old);
	bytes = rb_use_size(cpu, use, &closed);
	if (!closed) {
		/* if the reader has taken it, what we read may be of what it does with it */
		if (atomic64_read(in_slot) != old)
			return RB_AGAIN;
		/* writers went round the whole ring while an event in it is open */
		return RB_ROUND;
	}
	entries = local_read(&use->entries);
	/*
	 * LMM(rb_claim:A) pairs with LMM(rb_use_shown:A), LMM(rb_iter_valid:A),
	 * LMM(rb_oldest_time:A), LMM(rb_resize_begin:A), LMM(rb_take_next:A),
	 * LMM(rb_entries:A), LMM(rb_look_at_slot:A): the slot has moved on before
	 * anything of its sub-buffer changes, and before that is counted
	 */
	if (!atomic64_try_cmpxchg(in_slot, &old, rb_slot(lap, (u32)old)))
		return RB_AGAIN;
	local_add(entries, &cpu->overrun);
	local_add(bytes, &cpu->lost_bytes);
	local_inc(&cpu->evicted);
	return RB_WRITTEN;
}

/*
 * N2. Close the sub-buffer: take the rest of it like an event. Only the writer that
 * gets it notes where the events end.
 */
static enum rb_result rb_close(struct rb_cpu *cpu, struct rb_entry *entry)
{
	struct rb_use *use = entry->use;
	u32 pos = rb_word_pos(entry->word), tag = rb_use_tag(cpu, use);
	u64 full = rb_word(tag + rb_room(cpu), rb_word_stamp(entry->word));

	if (pos == rb_word_pos(full))
		return RB_WRITTEN;
	if (!rb_word_move(cpu, entry->word, full))
		return RB_AGAIN;
	rb_page_of(use)->end = pos - tag;
	/* LMM(rb_close:A): where events end is there before anybody shows the rest */
	barrier();
	if (READ_ONCE(use->commit) == pos)
		rb_show(cpu, use, pos);
	entry->word = full;
	return RB_WRITTEN;
}

/*
 * N4. The writer of the first event has the sub-buffer's header, and the
 * page's other use, to itself: nothing of this filling is shown before its
 * event is, and nothing of the last filling is open.
 */
static void rb_begin_use(struct rb_cpu *cpu, struct rb_use *use, u64 time)
{
	struct rb_page *page = rb_page_of(use);
	struct rb_use *other = use == page->use ? use + 1 : page->use;
	struct rb_subbuf *subbuf = rb_use_subbuf(cpu, use);

	local_set(&subbuf->commit, 0);
	/* what was noted for its last filling must not apply to this one */
	if (cpu->closing == use)
		WRITE_ONCE(cpu->closing, NULL);
	/*
	 * LMM(rb_begin_use:A) pairs with LMM(rb_look:A), LMM(rb_entries:B): after a
	 * crash there are no old events at a new time; and what was overwritten for this
	 * use is counted before its events are
	 */
	smp_wmb();
	subbuf->time_stamp = time;
	rb_use_ready(other, subbuf, rb_use_tag(cpu, use) + cpu->tables.nr_slots * cpu->size);
	rb_set_brim(cpu, use);
	local_inc(&cpu->touched);
}

/* N1 to N5: write the event as the first one of the next sub-buffer. */
static enum rb_result rb_move_on(struct rb_cpu *cpu, struct rb_entry *entry)
{
	u32 slot = READ_ONCE(rb_page_of(entry->use)->slot), lap = rb_use_lap(cpu, entry->use);
	enum rb_result result;
	struct rb_use *use;
	u64 word;
	u32 tag;

	/* no farther than positions can tell from an event that is open */
	if (cpu->deep && READ_ONCE(cpu->far) >= RB_FAR_MAX(cpu->size))
		return RB_ROUND;
	rb_tell_time(cpu, entry, rb_first_time(entry));
	if (rb_entry_size(entry) > rb_room(cpu))
		return RB_DROPPED;
	/*
	 * LMM(rb_move_on:A): slot and lap were read before, and are not those of what the
	 * use was made ready for since
	 */
	barrier();
	if (rb_word_read(cpu) != entry->word)
		return RB_AGAIN;
	rb_slot_next(cpu, &slot, &lap);
	result = rb_claim(cpu, slot, lap);
	if (result == RB_WRITTEN)
		result = rb_close(cpu, entry);
	if (result != RB_WRITTEN)
		return result;

	use = rb_slot_use(cpu, rb_slot_read(cpu, slot));
	tag = rb_use_tag(cpu, use);
	word = rb_word(tag, entry->time);
	/* N3 */
	if (!rb_begin_event(cpu, entry, tag))
		return RB_AGAIN;
	entry->use = use;
	entry->word = word;
	WRITE_ONCE(cpu->far, cpu->deep ? cpu->far + 1 : 0);
	/* N4 */
	rb_begin_use(cpu, use, rb_first_time(entry));
	rb_meta_begin(cpu, slot, lap);
	/* N5 */
	rb_set_tail(cpu, use);
	rb_wake_full(cpu);
	return RB_WRITTEN;
}

/*
 * The event is earlier than the one before, because the clock went back. It begins the
 * next sub-buffer: in each, times are in order. If there is no room for it there, it
 * gets the time of the event before.
 */
static enum rb_result rb_go_back(struct rb_cpu *cpu, struct rb_entry *entry, u32 offset)
{
	u64 last = rb_word(rb_word_stamp(entry->word), rb_noted_epoch(cpu));
	enum rb_result result;

	if (!offset)
		return rb_begin_anew(cpu, entry);
	result = rb_move_on(cpu, entry);
	if (result == RB_WRITTEN || result == RB_AGAIN)
		return result;
	entry->back = false;
	entry->time = last;
	rb_tell_time(cpu, entry, last);
	return offset + rb_entry_size(entry) <= rb_room(cpu) ? rb_append(cpu, entry) : result;
}

static enum rb_result rb_try_reserve(struct rb_cpu *cpu, struct rb_entry *entry)
{
	/*
	 * Before the word is read: the clock may be traced, as acpi_pm_read() is.
	 * Each try would else be interrupted by an event, and fail for ever.
	 */
	u64 was = rb_word_read(cpu), now = rb_clock(cpu->buffer);
	struct rb_use *use;
	u32 offset;

	/* LMM(rb_try_reserve:A): the clock, which may be in line, then the word */
	barrier();
	entry->word = rb_word_read(cpu);
	/*
	 * LMM(rb_try_reserve:B): the word, then the tail. What was the tail before that
	 * may have been made ready for elsewhere since
	 */
	barrier();
	use = READ_ONCE(cpu->tail);
	offset = rb_word_pos(entry->word) - rb_use_tag(cpu, use);
	if (offset > rb_room(cpu)) {
		use = rb_find_use(cpu, use, rb_word_pos(entry->word));
		if (!use)
			return RB_AGAIN;
		offset = rb_word_pos(entry->word) - rb_use_tag(cpu, use);
	}
	entry->use = use;
	if (!rb_choose_time(cpu, entry, was, now))
		return RB_AGAIN;
	if (entry->back)
		return rb_go_back(cpu, entry, offset);
	if (offset + rb_entry_size(entry) <= rb_room(cpu))
		return rb_append(cpu, entry);
	return rb_move_on(cpu, entry);
}

static bool rb_recording(struct trace_buffer *buffer, struct rb_cpu *cpu)
{
	if (rb_unsafe_nmi())
		return false;
	/* swapped away before the mark was set? Then it is not ours to commit */
	return READ_ONCE(cpu->buffer) == buffer &&
	       !atomic_read(&buffer->record_disabled) && !atomic_read(&cpu->record_disabled);
}

/* Bytes of the longest event, without a time stamp */
static unsigned long rb_size_max(struct trace_buffer *buffer)
{
	return rb_event_room(ring_buffer_max_event_size(buffer));
}

static void rb_count_refused(struct rb_cpu *cpu, enum rb_result result)
{
	if (result == RB_FULL)
		local_inc(&cpu->dropped);
	else if (result == RB_ROUND)
		local_inc(&cpu->commit_overrun);
}

/**
 * rb_reserve_tail - begin an event that is not an ordinary one
 * @buffer: the buffer to write to
 * @cpu: its ring of this CPU, with the frame marked as taken
 * @size: bytes that it takes, without a time stamp
 * @attached: bytes of them for memory that is attached to it, or 0
 *
 * Context: preemption disabled.
 * Return: the event, or NULL if there is no place for it.
 */
struct ring_buffer_event *
rb_reserve_tail(struct trace_buffer *buffer, struct rb_cpu *cpu, unsigned long size,
		unsigned int attached)
{
	struct rb_entry entry;
	enum rb_result result = RB_DROPPED;
	int tries = RB_TRIES;

	if (rb_recording(buffer, cpu) && size <= rb_size_max(buffer)) {
		/*
		 * LMM(rb_reserve_tail:A) pairs with LMM(ring_buffer_record_enable:A): what
		 * was changed while recording was disabled is read behind this
		 */
		smp_rmb();
		rb_end_swap(cpu);
		entry.size = size;
		entry.attached = attached;
		entry.behind = false;
		do {
			result = rb_try_reserve(cpu, &entry);
		} while (result == RB_AGAIN && --tries);
	}
	if (result == RB_WRITTEN)
		return rb_write_header(cpu, &entry);
	rb_count_refused(cpu, result);
	RB_BROKEN(cpu, result == RB_AGAIN);
	return NULL;
}
