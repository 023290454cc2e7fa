/* SPDX-License-Identifier: GPL-2.0 */
/* What the KUnit tests of the ring buffer share: a buffer, and events in it. */
#ifndef _TRACE_RING_BUFFER_TEST_H
#define _TRACE_RING_BUFFER_TEST_H

#include <kunit/test.h>
#include <linux/cpumask.h>
#include <linux/ring_buffer.h>
#include <linux/sched.h>
#include <linux/string.h>

#include "ring_buffer_page.h"

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
