/* SPDX-License-Identifier: GPL-2.0 */
/* What the KUnit tests of the ring buffer share: a buffer, and events in it. */
#ifndef _TRACE_RING_BUFFER_TEST_H
#define _TRACE_RING_BUFFER_TEST_H

#include <kunit/test.h>
#include <linux/cpumask.h>
#include <linux/ring_buffer.h>
#include <linux/sched.h>
#include <linux/string.h>

#include "ring_buffer_inline.h"

#define TEST_CPU	0
#define TEST_PAGES	4
#define ROOM		rb_subbuf_room(0)
/* Bytes of data of an event that takes a whole sub-buffer */
#define LONGEST		(ROOM - 8)

/* Does anything go the fast way? */
#define CAN_BE_FAST	(!RB_LONG_ONLY && !IS_ENABLED(CONFIG_RING_BUFFER_VALIDATE_TIME_DELTAS))

static struct trace_buffer *buffer;
static u64 now, tick;

static inline u64 test_clock(void)
{
	now += tick;
	return now;
}

/* Each event says its number, and its length in bytes */
static inline bool write_event(u32 number, unsigned int length)
{
	struct ring_buffer_event *event = ring_buffer_lock_reserve(buffer, length);

	if (!event)
		return false;
	memset(ring_buffer_event_data(event), number, length);
	ring_buffer_unlock_commit(buffer);
	return true;
}

static inline void write_events(struct kunit *test, u32 first, u32 count, unsigned int length)
{
	for (; count; count--, first++)
		KUNIT_ASSERT_TRUE(test, write_event(first, length));
}

/* The next event is number @number; where it says how long it is */
static inline void expect_event(struct kunit *test, u32 number, unsigned int length)
{
	struct ring_buffer_event *event = ring_buffer_consume(buffer, TEST_CPU, NULL, NULL);
	u8 *data;

	KUNIT_ASSERT_NOT_NULL(test, event);
	KUNIT_EXPECT_EQ(test, ring_buffer_event_length(event), ALIGN(max(length, 1U), 4));
	data = ring_buffer_event_data(event);
	if (!length)
		return;
	KUNIT_EXPECT_EQ(test, data[0], (u8)number);
	KUNIT_EXPECT_EQ(test, data[length - 1], (u8)number);
}

/*
 * As write_event(), in line, with @size bytes attached that say another number; @fast: was it
 * the fast way?
 */
static inline bool put_attached(u32 number, unsigned int length, unsigned int size, bool *fast)
{
	void *data, *attached;
	struct rb_put put;

	preempt_disable();
	put = ring_buffer_put_attached(buffer, length, size);
	*fast = put.begun;
	data = put.data;
	attached = put.attached;
	if (!*fast)
		data = ring_buffer_put_attached_slow(buffer, length, size, &attached);
	if (data) {
		memset(data, number, length);
		if (size)
			memset(attached, ~number, size);
	}
	if (*fast)
		ring_buffer_put_end(put);
	else if (data)
		ring_buffer_put_end_slow(buffer);
	preempt_enable();
	return data;
}

static inline void expect_is_attached(struct kunit *test,
				      const struct ring_buffer_attached *attached,
				      u32 number, unsigned int size)
{
	KUNIT_EXPECT_EQ(test, attached->size, ALIGN(size, RB_ALIGN));
	if (!size) {
		KUNIT_EXPECT_NULL(test, attached->data);
		return;
	}
	KUNIT_ASSERT_NOT_NULL(test, attached->data);
	KUNIT_EXPECT_EQ(test, (unsigned long)attached->data % RB_ALIGN, 0);
	KUNIT_EXPECT_EQ(test, ((u8 *)attached->data)[0], (u8)~number);
	KUNIT_EXPECT_EQ(test, ((u8 *)attached->data)[size - 1], (u8)~number);
}

/* As expect_event(), with what is attached to it */
static inline void expect_attached(struct kunit *test, u32 number, unsigned int length,
				   unsigned int size)
{
	struct ring_buffer_attached attached;
	struct ring_buffer_event *event;

	event = ring_buffer_peek_attached(buffer, TEST_CPU, NULL, NULL, &attached);
	KUNIT_ASSERT_NOT_NULL(test, event);
	expect_is_attached(test, &attached, number, size);
	expect_event(test, number, length);
}

static inline void expect_no_event(struct kunit *test)
{
	KUNIT_EXPECT_NULL(test, ring_buffer_consume(buffer, TEST_CPU, NULL, NULL));
	KUNIT_EXPECT_TRUE(test, ring_buffer_empty_cpu(buffer, TEST_CPU));
}

static inline int ring_buffer_test_init(struct kunit *test)
{
	set_cpus_allowed_ptr(current, cpumask_of(TEST_CPU));
	tick = 1;
	buffer = ring_buffer_alloc(TEST_PAGES * ROOM, RB_FL_OVERWRITE);
	return buffer ? 0 : -ENOMEM;
}

static inline void ring_buffer_test_exit(struct kunit *test)
{
	if (buffer)
		ring_buffer_free(buffer);
	buffer = NULL;
}

#endif /* _TRACE_RING_BUFFER_TEST_H */
