/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The layout of a sub-buffer and of the events in it, as user space reads it:
 *
 *	u64	time_stamp	of the first event
 *	long	commit		bytes of events, and flags
 *	u8	data[]		the events
 *
 * An event is a word of five bits of type and 27 bits of time since the event
 * before it, and what the type says:
 *
 *	0		data, its bytes with this word in the next word, then data
 *	1 .. 28		that many words of data
 *	29		nothing any more; the length is in the next word
 *	30		time since the event before, 59 bits: the upper 32 of
 *			them are in the next word. Belongs to the event behind.
 *	31		like 30, but the time itself
 */
#ifndef _TRACE_RING_BUFFER_PAGE_H
#define _TRACE_RING_BUFFER_PAGE_H

#include <linux/align.h>
#include <linux/compiler.h>
#include <linux/ring_buffer.h>
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

/* Where words must be aligned to 8 bytes, the length has always its own word. */
#ifdef CONFIG_HAVE_64BIT_ALIGNED_ACCESS
# define RB_ALIGN	8U
#else
# define RB_ALIGN	RB_WORD
#endif
#define RB_LONG_ONLY	(RB_ALIGN > RB_WORD)

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

/* Bytes of an event with @length bytes of data, without a time stamp before it. */
static inline unsigned long rb_event_room(unsigned long length)
{
	if (!length)
		length = 1;
	if (length > RB_SMALL || RB_LONG_ONLY)
		length += RB_WORD;
	return ALIGN(length + RB_HEADER, RB_ALIGN);
}

/* Bytes from this event to the next; a time stamp is one by itself. */
static inline unsigned int rb_event_size(struct ring_buffer_event *event)
{
	if (rb_event_is_stamp(event))
		return RB_STAMP;
	if (event->type_len && rb_event_is_data(event))
		return RB_HEADER + event->type_len * RB_WORD;
	return RB_HEADER + event->array[0];
}

/* The event behind a time stamp, or this one. */
static inline struct ring_buffer_event *rb_event_behind(struct ring_buffer_event *event)
{
	return rb_event_is_stamp(event) ? (void *)event + RB_STAMP : event;
}

/* Bytes of an event with the time stamp before it, if it has one. */
static inline unsigned int rb_event_whole(struct ring_buffer_event *event)
{
	struct ring_buffer_event *behind = rb_event_behind(event);

	return (void *)behind - (void *)event + rb_event_size(behind);
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

/* The 59 bits of a time stamp. */
static inline u64 rb_event_stamp(struct ring_buffer_event *event)
{
	return (u64)event->array[0] << RB_DELTA_BITS | event->time_delta;
}

#endif /* _TRACE_RING_BUFFER_PAGE_H */
