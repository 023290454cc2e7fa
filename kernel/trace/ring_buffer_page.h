/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The layout of a sub-buffer and of the events in it, as user space reads it:
 *
 *	u64	time_stamp	of the first event, or 1 less: see rb_first_time()
 *	long	commit		bytes of events, and flags
 *	u8	data[]		the events
 *
 * An event is a word of five bits of type and 27 bits of time since the event
 * before it, and what the type says:
 *
 *	0		data, its bytes with this word in the next word, then data
 *	1 .. 28		that many words of data
 *	29		nothing any more; the length is in the next word. The word
 *			behind it, if there is one, has the time since the event before:
 *			the first word never says 0. With RB_ATTACHED in it, what
 *			follows is memory that is attached to the event behind.
 *	30		time since the event before, 59 bits: the upper 32 of
 *			them are in the next word. Belongs to the event behind.
 *	31		like 30, but the time itself
 */
#ifndef _TRACE_RING_BUFFER_PAGE_H
#define _TRACE_RING_BUFFER_PAGE_H

#include <linux/align.h>
#include <linux/compiler.h>
#include <linux/ring_buffer.h>
#include <linux/ring_buffer_attached.h>
#include <linux/types.h>

#include <asm/local.h>

#define RB_WORD		4U
#define RB_HEADER	4U	/* of an event: the word of type and time */
#define RB_STAMP	8U	/* an event of type 30 or 31 */
#define RB_SMALL	(RINGBUF_TYPE_DATA_TYPE_LEN_MAX * RB_WORD)

#define RB_TYPE_BITS	5
#define RB_DELTA_BITS	27
#define RB_DELTA_MAX	((1U << RB_DELTA_BITS) - 1)
#define RB_STAMP_MASK	((1ULL << 59) - 1)
/* In the third word of a discarded event, above the delta */
#define RB_ATTACHED	BIT(31)

/* Where words must be aligned to 8 bytes, the length has always its own word. */
#ifdef CONFIG_HAVE_64BIT_ALIGNED_ACCESS
# define RB_ALIGN	8U
#else
# define RB_ALIGN	RB_WORD
#endif
#define RB_LONG_ONLY	(RB_ALIGN > RB_WORD)
#define RB_ATTACHED_HEADER	ALIGN(RB_HEADER + 2 * RB_WORD, RB_ALIGN)

/* Flags in the commit of a sub-buffer that is handed out. */
#define RB_MISSED	BIT(31)	/* events before it were lost */
#define RB_MISSED_COUNT	BIT(30)	/* how many: a long behind the events */
#define RB_MISSED_FLAGS	(RB_MISSED | RB_MISSED_COUNT)

struct rb_subbuf {
	u64		time_stamp;
	local_t		commit;
	unsigned char	data[] __aligned(RB_ALIGN);
};

#define RB_SUBBUF_HEADER	offsetof(struct rb_subbuf, data)

/* A sub-buffer out of the ring, on its way to a user. */
struct buffer_data_read_page {
	unsigned int		order;
	struct rb_subbuf	*subbuf;
};

static inline unsigned int rb_subbuf_room(unsigned int order)
{
	return (PAGE_SIZE << order) - RB_SUBBUF_HEADER;
}

static inline bool rb_event_is_data(struct ring_buffer_event *event)
{
	return event->type_len <= RINGBUF_TYPE_DATA_TYPE_LEN_MAX;
}

static inline bool rb_event_is_stamp(struct ring_buffer_event *event)
{
	return event->type_len >= RINGBUF_TYPE_TIME_EXTEND;
}

/* Is it data whose length is in the first word, as that of most events is? */
static inline bool rb_event_is_short(struct ring_buffer_event *event)
{
	return event->type_len - 1U < RINGBUF_TYPE_DATA_TYPE_LEN_MAX;
}

/* Bytes of an event with @length bytes of data, without a time stamp before it. */
static inline unsigned long rb_event_room(unsigned long length)
{
	if (!length)
		length = 1;
	if (length > RB_SMALL || RB_LONG_ONLY)
		length += RB_WORD;
	return ALIGN(length + RB_HEADER, RB_ALIGN);
}

/* Bytes of memory that is attached to an event, with the words before it. */
static inline unsigned int rb_attached_room(unsigned int size)
{
	return size ? ALIGN(RB_ATTACHED_HEADER + size, RB_ALIGN) : 0;
}

/* Bytes from this event to the next; a time stamp is one by itself, as is attached memory. */
static inline unsigned int rb_event_size(struct ring_buffer_event *event)
{
	if (rb_event_is_stamp(event))
		return RB_STAMP;
	if (event->type_len && rb_event_is_data(event))
		return RB_HEADER + event->type_len * RB_WORD;
	return RB_HEADER + event->array[0];
}

/* What is behind a time stamp, or this. */
static inline struct ring_buffer_event *rb_event_behind_stamp(struct ring_buffer_event *event)
{
	return rb_event_is_stamp(event) ? (void *)event + RB_STAMP : event;
}

/* Is it the memory that is attached to the event behind it? */
static inline bool rb_event_is_attached(struct ring_buffer_event *event)
{
	return event->type_len == RINGBUF_TYPE_PADDING && event->array[0] > RB_WORD &&
	       event->array[1] & RB_ATTACHED;
}

/* Time that is told by the memory that is attached to the event behind it; 0: it is none. */
static inline u32 rb_attached_delta(struct ring_buffer_event *event)
{
	return rb_event_is_attached(event) ? event->array[1] & RB_DELTA_MAX : 0;
}

/* The event behind a time stamp and attached memory, or this one. */
static inline struct ring_buffer_event *rb_event_behind(struct ring_buffer_event *event)
{
	if (likely(rb_event_is_data(event)))
		return event;
	event = rb_event_behind_stamp(event);
	return rb_event_is_attached(event) ? (void *)event + rb_event_size(event) : event;
}

/* Bytes of an event with the time stamp and the attached memory before it, if it has them. */
static inline unsigned int rb_event_whole(struct ring_buffer_event *event)
{
	struct ring_buffer_event *behind = rb_event_behind(event);

	return (void *)behind - (void *)event + rb_event_size(behind);
}

/* Find the memory that is attached to an event, with what stands before that. */
static inline void rb_event_attached(struct ring_buffer_event *event,
				     struct ring_buffer_attached *attached)
{
	*attached = (struct ring_buffer_attached){ };
	event = rb_event_behind_stamp(event);
	if (!rb_event_is_attached(event))
		return;
	attached->data = (void *)event + RB_ATTACHED_HEADER;
	attached->size = rb_event_size(event) - RB_ATTACHED_HEADER;
}

/* The first word of an event. */
static inline u32 rb_event_header(u32 type, u32 delta)
{
#ifdef __BIG_ENDIAN
	return type << RB_DELTA_BITS | delta;
#else
	return (delta << RB_TYPE_BITS) + type;
#endif
}

/* Write the words before the data of an event of @size bytes. */
static __always_inline void rb_event_begin(struct ring_buffer_event *event, u32 size, u32 delta)
{
	bool is_long = size - RB_HEADER > RB_SMALL || RB_LONG_ONLY;

	*(u32 *)event = rb_event_header(is_long ? 0 : (size - RB_HEADER) / RB_WORD, delta);
	if (is_long)
		event->array[0] = size - RB_HEADER;
}

/*
 * Write the words before memory that is attached to the event behind it; both take @room
 * bytes. They tell @delta, and the event itself is to tell 0. For a @delta of 0 the first word
 * says 1, which programs believe; rb_least_delta() says when that happens.
 *
 * Return: where the event is.
 */
static __always_inline void *rb_event_attach(struct ring_buffer_event *event, u32 room, u32 delta)
{
	*(u32 *)event = rb_event_header(RINGBUF_TYPE_PADDING, delta ?: 1);
	event->array[0] = room - RB_HEADER;
	event->array[1] = delta | RB_ATTACHED;
	return (void *)event + room;
}

/* The 59 bits of a time stamp. */
static inline u64 rb_event_stamp(struct ring_buffer_event *event)
{
	return (u64)event->array[0] << RB_DELTA_BITS | event->time_delta;
}

#endif /* _TRACE_RING_BUFFER_PAGE_H */
