// SPDX-License-Identifier: GPL-2.0
/*
 * Ring buffer: what is in an event and in a sub-buffer, how that is told, and where
 * the sub-buffer of a page is.
 */
#include <linux/export.h>
#include <linux/trace_seq.h>

#include "ring_buffer_impl.h"

/**
 * ring_buffer_event_length - bytes of an event's data
 * @event: the event, or the time stamp before it
 *
 * Return: the bytes that were asked for, rounded up. For an event without
 * data, the bytes of it.
 */
unsigned int ring_buffer_event_length(struct ring_buffer_event *event)
{
	unsigned int size;

	event = rb_event_behind(event);
	size = rb_event_size(event);
	if (!rb_event_is_data(event))
		return size;
	return size - RB_HEADER - (event->type_len ? 0 : RB_WORD);
}
EXPORT_SYMBOL_GPL(ring_buffer_event_length);

/**
 * __ring_buffer_event_data - the data of any event
 * @event: the event, or the time stamp before it
 *
 * Return: its first byte.
 */
void *__ring_buffer_event_data(struct ring_buffer_event *event)
{
	event = rb_event_behind(event);
	return &event->array[event->type_len ? 0 : 1];
}
EXPORT_SYMBOL_GPL(__ring_buffer_event_data);

/* The time after @event, a discarded one, where it was @time before. */
static u64 rb_padding_step(struct ring_buffer_event *event, u64 time)
{
	/* see rb_make_padding() */
	return time + (event->array[0] > RB_WORD ? event->array[1] & RB_DELTA_MAX :
						   event->time_delta);
}

/*
 * The time after @event, where it was @time before. A time stamp has not the
 * upper five bits: they are those of the time before, or one more, as times do
 * not go back. Only before attached memory may it be 1 less, which that adds.
 */
static u64 rb_event_step(struct ring_buffer_event *event, u64 time)
{
	u64 stamp, least;

	switch (event->type_len) {
	case RINGBUF_TYPE_PADDING:
		return rb_padding_step(event, time);
	case RINGBUF_TYPE_TIME_EXTEND:
		return time + rb_event_stamp(event);
	case RINGBUF_TYPE_TIME_STAMP:
		stamp = rb_event_stamp(event) | (time & ~RB_STAMP_MASK);
		least = rb_attached_delta(rb_event_behind_stamp(event));
		return stamp + least < time ? stamp + RB_STAMP_MASK + 1 : stamp;
	default:
		return time + event->time_delta;
	}
}

/**
 * rb_any_event_time - when an event was
 * @event: the event, with what stands before it
 * @time: when the event before was
 *
 * Return: the time.
 */
u64 rb_any_event_time(struct ring_buffer_event *event, u64 time)
{
	struct ring_buffer_event *last = rb_event_behind(event);

	time = rb_event_step(event, time);
	while (event != last) {
		event = (void *)event + rb_event_size(event);
		time = rb_event_step(event, time);
	}
	return time;
}

/**
 * rb_first_event_time - when the first event of a sub-buffer was
 * @subbuf: the sub-buffer, which has an event; a writer may use it anew meanwhile
 *
 * Return: the time, which is good if no writer did. No length in it is believed.
 */
u64 rb_first_event_time(struct rb_subbuf *subbuf)
{
	struct ring_buffer_event *event = (void *)subbuf->data;
	u64 time = READ_ONCE(subbuf->time_stamp);

	if (rb_event_is_stamp(event)) {
		time = rb_event_step(event, time);
		event = rb_event_behind_stamp(event);
	}
	return rb_event_step(event, time);
}

/* Bytes of what @left bytes begin with, if it is no time stamp; 0: it is nonsense. */
static u32 rb_size_within(struct ring_buffer_event *event, u32 left)
{
	u32 size;

	if (left < RB_HEADER + RB_WORD || rb_event_is_stamp(event))
		return 0;
	/* a length counts its own word, and data is more than that */
	if (!event->type_len && event->array[0] <= RB_WORD)
		return 0;
	size = rb_event_size(event);
	if (size < RB_HEADER + RB_WORD || size > left || !IS_ALIGNED(size, RB_WORD))
		return 0;
	return size;
}

/**
 * rb_event_within - bytes of the event that some memory begins with
 * @event: the memory, which may have been overwritten, or be of another boot
 * @left: its bytes
 *
 * Return: the event's bytes with what stands before it, or 0 if these are not all there,
 * or are none.
 */
u32 rb_event_within(struct ring_buffer_event *event, u32 left)
{
	u32 before = 0, size;

	if (left >= RB_STAMP && rb_event_is_stamp(event))
		before = RB_STAMP;
	event = (void *)event + before;
	size = rb_size_within(event, left - before);
	if (!size || !rb_event_is_attached(event))
		return size ? before + size : 0;
	if (size < RB_ATTACHED_HEADER)
		return 0;
	before += size;
	event = (void *)event + size;
	size = rb_size_within(event, left - before);
	return size && rb_event_is_data(event) ? before + size : 0;
}

/* As long as no one makes @use ready; or else NULL. */
static struct rb_subbuf *rb_try_subbuf(struct rb_cpu *cpu, struct rb_use *use)
{
	unsigned long base = READ_ONCE(use->base);
	u32 tag;

	/* LMM(rb_try_subbuf:A) pairs with LMM(rb_use_ready:B): a base, then its tag */
	smp_rmb();
	tag = rb_use_tag(cpu, use);
	/*
	 * LMM(rb_try_subbuf:B) pairs with LMM(rb_use_ready:A): if the tag is that of
	 * another filling, the base is 0 now or that of another filling
	 */
	smp_rmb();
	if (!base || READ_ONCE(use->base) != base)
		return NULL;
	return rb_subbuf_at(base, tag);
}

/**
 * rb_page_subbuf - the memory of a page, whatever a writer does to it
 * @cpu: the ring
 * @page: a page of it
 *
 * A writer makes one use ready, while an event is open in the other: so at any
 * moment one of the two tells.
 *
 * Context: any, while the page keeps its memory: reader_lock held, or mapped.
 * Return: the memory, or NULL if there is none.
 */
struct rb_subbuf *rb_page_subbuf(struct rb_cpu *cpu, struct rb_page *page)
{
	struct rb_subbuf *subbuf;

	do {
		subbuf = rb_try_subbuf(cpu, &page->use[0]) ?: rb_try_subbuf(cpu, &page->use[1]);
	} while (!subbuf && (READ_ONCE(page->use[0].base) || READ_ONCE(page->use[1].base)));
	return subbuf;
}

/* The number of a page; U32_MAX if it is none of the ring's. */
u32 rb_page_index(struct rb_cpu *cpu, struct rb_page *page)
{
	struct rb_tables *tables = &cpu->tables;

	if (page < tables->pages || page > tables->pages + tables->nr_slots)
		return U32_MAX;
	return page - tables->pages;
}

/**
 * ring_buffer_print_entry_header - the layout of an event's first word
 * @s: where to print
 *
 * The text of the file header_event, which user space parses.
 *
 * Return: not 0 if all of it fitted.
 */
int ring_buffer_print_entry_header(struct trace_seq *s)
{
	trace_seq_printf(s, "# compressed entry header\n"
			 "\ttype_len    : %4d bits\n"
			 "\ttime_delta  : %4d bits\n"
			 "\tarray       : %4d bits\n\n",
			 RB_TYPE_BITS, RB_DELTA_BITS, 8 * RB_WORD);
	trace_seq_printf(s, "\tpadding     : type == %d\n"
			 "\ttime_extend : type == %d\n"
			 "\ttime_stamp : type == %d\n"
			 "\tdata max type_len  == %d\n",
			 RINGBUF_TYPE_PADDING, RINGBUF_TYPE_TIME_EXTEND,
			 RINGBUF_TYPE_TIME_STAMP, RINGBUF_TYPE_DATA_TYPE_LEN_MAX);
	return !trace_seq_has_overflowed(s);
}

static void rb_print_field(struct trace_seq *s, const char *field, size_t offset,
			   size_t size, bool is_signed)
{
	trace_seq_printf(s, "\tfield: %s;\toffset:%zu;\tsize:%zu;\tsigned:%d;\n",
			 field, offset, size, is_signed);
}

/**
 * ring_buffer_print_page_header - the layout of a sub-buffer
 * @buffer: the buffer
 * @s: where to print
 *
 * The text of the file header_page, which user space parses.
 *
 * Return: not 0 if all of it fitted.
 */
int ring_buffer_print_page_header(struct trace_buffer *buffer, struct trace_seq *s)
{
	size_t commit = offsetof(struct rb_subbuf, commit);

	rb_print_field(s, "u64 timestamp", 0, sizeof(u64), false);
	rb_print_field(s, "local_t commit", commit, sizeof(local_t), true);
	rb_print_field(s, "int overwrite", commit, 1, true);
	rb_print_field(s, "char data", RB_SUBBUF_HEADER, rb_subbuf_room(buffer->order),
		       is_signed_type(char));
	return !trace_seq_has_overflowed(s);
}
