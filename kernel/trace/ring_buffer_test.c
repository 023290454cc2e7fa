// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit: the interface of the ring buffer, one function after the other, and
 * its edges. What comes of interruptions is tested in a program:
 * tools/testing/ring-buffer-host.
 */
#include <kunit/test.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/ring_buffer.h>
#include <linux/slab.h>
#include <linux/trace_seq.h>

#include "ring_buffer_test.h"

static void test_lengths(struct kunit *test)
{
	unsigned int length;

	for (length = 0; length <= 300; length++) {
		KUNIT_ASSERT_TRUE(test, write_event(length, length));
		expect_event(test, length, length);
	}
	expect_no_event(test);
	KUNIT_EXPECT_EQ(test, ring_buffer_read_events_cpu(buffer, TEST_CPU), 301);
}

static void test_longest(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, ring_buffer_max_event_size(buffer), LONGEST);
	KUNIT_EXPECT_TRUE(test, write_event(1, 20));
	KUNIT_EXPECT_TRUE(test, write_event(2, LONGEST));
	KUNIT_EXPECT_TRUE(test, write_event(3, LONGEST));
	KUNIT_EXPECT_FALSE(test, write_event(4, LONGEST + 1));
	KUNIT_EXPECT_FALSE(test, write_event(4, ~0U));
	KUNIT_EXPECT_TRUE(test, write_event(5, 20));
	expect_event(test, 1, 20);
	expect_event(test, 2, LONGEST);
	expect_event(test, 3, LONGEST);
	expect_event(test, 5, 20);
	expect_no_event(test);
}

/* Every way in which events can leave off before the end of a sub-buffer */
static void test_crossing(struct kunit *test)
{
	unsigned int length, number = 0;

	for (length = 4; length < 400; length += 4) {
		u32 count = 2 * ROOM / (length + 4), i;

		write_events(test, number, count, length);
		for (i = 0; i < count; i++)
			expect_event(test, number + i, length);
		expect_no_event(test);
		number += count;
	}
}

static void test_overwrite(struct kunit *test)
{
	u32 count = 20 * ROOM / 28, read = 0;
	unsigned long lost = 0, all_lost = 0;
	struct ring_buffer_event *event;

	write_events(test, 0, count, 24);
	KUNIT_EXPECT_EQ(test, ring_buffer_entries(buffer) + ring_buffer_overruns(buffer), count);
	while ((event = ring_buffer_consume(buffer, TEST_CPU, NULL, &lost))) {
		all_lost += lost;
		KUNIT_EXPECT_EQ(test, *(u8 *)ring_buffer_event_data(event), (u8)(all_lost + read));
		read++;
	}
	KUNIT_EXPECT_EQ(test, read + all_lost, count);
	KUNIT_EXPECT_EQ(test, ring_buffer_overrun_cpu(buffer, TEST_CPU), all_lost);
	KUNIT_EXPECT_EQ(test, ring_buffer_entries(buffer), 0);
	KUNIT_EXPECT_GE(test, read, (TEST_PAGES - 1) * ROOM / 28);
}

static void test_no_overwrite(struct kunit *test)
{
	u32 count = 0, i;

	ring_buffer_change_overwrite(buffer, 0);
	while (write_event(count, 24))
		KUNIT_ASSERT_LT(test, ++count, 20 * ROOM / 28);
	KUNIT_EXPECT_GE(test, count, TEST_PAGES * (ROOM / 28));
	KUNIT_EXPECT_GE(test, ring_buffer_dropped_events_cpu(buffer, TEST_CPU), 1);
	KUNIT_EXPECT_EQ(test, ring_buffer_overruns(buffer), 0);
	KUNIT_EXPECT_EQ(test, ring_buffer_entries(buffer), count);
	for (i = 0; i < ROOM / 28 + 1; i++)
		expect_event(test, i, 24);
	/* one is free again */
	KUNIT_EXPECT_TRUE(test, write_event(count, 24));
	for (; i <= count; i++)
		expect_event(test, i, 24);
	expect_no_event(test);
}

static void test_nested(struct kunit *test)
{
	struct ring_buffer_event *outer, *inner;

	outer = ring_buffer_lock_reserve(buffer, 8);
	KUNIT_ASSERT_NOT_NULL(test, outer);
	inner = ring_buffer_lock_reserve(buffer, 12);
	if (inner) {
		memset(ring_buffer_event_data(inner), 2, 12);
		ring_buffer_unlock_commit(buffer);
	}
	/* it is behind one that is not written yet */
	KUNIT_EXPECT_TRUE(test, ring_buffer_empty(buffer));
	memset(ring_buffer_event_data(outer), 1, 8);
	ring_buffer_unlock_commit(buffer);
	KUNIT_EXPECT_NOT_NULL(test, inner);
	expect_event(test, 1, 8);
	expect_event(test, 2, 12);
	expect_no_event(test);
}

/* Begin events in one another while that is possible, and end them; returns how many */
static unsigned int write_deep(bool announce)
{
	unsigned int depth = 0, i;

	do {
		if (announce)
			ring_buffer_nest_start(buffer);
	} while (ring_buffer_lock_reserve(buffer, 4) && ++depth < 100);
	for (i = 0; i < depth; i++)
		ring_buffer_unlock_commit(buffer);
	for (i = 0; announce && i <= depth; i++)
		ring_buffer_nest_end(buffer);
	return depth;
}

/* Not for ever: a tracer that traces itself must come to an end */
static void test_too_deep(struct kunit *test)
{
	unsigned int depth;

	KUNIT_EXPECT_EQ(test, write_deep(false), 2);
	depth = write_deep(true);
	KUNIT_EXPECT_GE(test, depth, 5);
	KUNIT_EXPECT_LT(test, depth, 20);
	KUNIT_EXPECT_EQ(test, write_deep(false), 2);
	KUNIT_EXPECT_TRUE(test, write_event(1, 4));
}

/* An event to fill which is to write two */
static u32 write_recursing(void)
{
	struct ring_buffer_event *event = ring_buffer_lock_reserve(buffer, 4);
	u32 written;

	if (!event)
		return 0;
	written = 1 + write_recursing() + write_recursing();
	ring_buffer_unlock_commit(buffer);
	return written;
}

static void test_recursion(struct kunit *test)
{
	u32 round;

	for (round = 0; round < 3; round++)
		KUNIT_EXPECT_EQ(test, write_recursing(), 3);
	KUNIT_EXPECT_EQ(test, ring_buffer_entries(buffer), 9);
	/* an event that is announced within another is none */
	KUNIT_ASSERT_NOT_NULL(test, ring_buffer_lock_reserve(buffer, 4));
	ring_buffer_nest_start(buffer);
	KUNIT_EXPECT_EQ(test, write_recursing(), 3);
	ring_buffer_nest_end(buffer);
	KUNIT_EXPECT_TRUE(test, write_event(1, 4));
	ring_buffer_unlock_commit(buffer);
	KUNIT_EXPECT_EQ(test, ring_buffer_entries(buffer), 9 + 5);
}

static void test_discard(struct kunit *test)
{
	struct ring_buffer_event *event;
	u32 i;

	/* their space is used again: else this were too many */
	ring_buffer_change_overwrite(buffer, 0);
	for (i = 0; i < 10 * ROOM / 28; i++) {
		event = ring_buffer_lock_reserve(buffer, 24);
		KUNIT_ASSERT_NOT_NULL(test, event);
		ring_buffer_discard_commit(buffer, event);
	}
	expect_no_event(test);
	event = ring_buffer_lock_reserve(buffer, 24);
	KUNIT_ASSERT_NOT_NULL(test, event);
	write_event(7, 24);
	ring_buffer_discard_commit(buffer, event);
	expect_event(test, 7, 24);
	expect_no_event(test);
	KUNIT_EXPECT_EQ(test, ring_buffer_read_events_cpu(buffer, TEST_CPU), 1);
}

static void test_write(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, ring_buffer_write(buffer, 5, "11111"), 0);
	KUNIT_EXPECT_EQ(test, ring_buffer_write(buffer, LONGEST + 1, "1"), -EBUSY);
	expect_event(test, '1', 1 + 4);
}

static bool put_event(u32 number, unsigned int length, bool *fast)
{
	return put_attached(number, length, 0, fast);
}

static void test_put(struct kunit *test)
{
	bool fast;
	struct ring_buffer_event *event;

	/* the first one opens the fast way */
	KUNIT_EXPECT_TRUE(test, put_event(0, 24, &fast));
	KUNIT_EXPECT_FALSE(test, fast);
	KUNIT_EXPECT_TRUE(test, put_event(1, 24, &fast));
	KUNIT_EXPECT_EQ(test, fast, CAN_BE_FAST);
	KUNIT_EXPECT_TRUE(test, put_event(2, 113, &fast));
	KUNIT_EXPECT_FALSE(test, fast);
	KUNIT_EXPECT_TRUE(test, put_event(3, 112, &fast));
	KUNIT_EXPECT_EQ(test, fast, CAN_BE_FAST);
	/* within another one: that one is shown first */
	event = ring_buffer_lock_reserve(buffer, 24);
	KUNIT_ASSERT_NOT_NULL(test, event);
	memset(ring_buffer_event_data(event), 4, 24);
	KUNIT_EXPECT_TRUE(test, put_event(5, 24, &fast));
	KUNIT_EXPECT_FALSE(test, fast);
	ring_buffer_unlock_commit(buffer);
	ring_buffer_record_disable(buffer);
	KUNIT_EXPECT_FALSE(test, put_event(6, 24, &fast));
	ring_buffer_record_enable(buffer);

	expect_event(test, 0, 24);
	expect_event(test, 1, 24);
	expect_event(test, 2, 113);
	expect_event(test, 3, 112);
	expect_event(test, 4, 24);
	expect_event(test, 5, 24);
	KUNIT_EXPECT_NULL(test, ring_buffer_consume(buffer, TEST_CPU, NULL, NULL));
	KUNIT_EXPECT_EQ(test, ring_buffer_read_events_cpu(buffer, TEST_CPU), 6);
}

static void test_iterator(struct kunit *test)
{
	u32 count = 2 * ROOM / 28, round, i;
	struct ring_buffer_iter *iter;
	struct ring_buffer_event *event;

	write_events(test, 0, count, 24);
	expect_event(test, 0, 24);
	iter = ring_buffer_read_start(buffer, TEST_CPU, GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, iter);
	for (round = 0; round < 2; round++) {
		for (i = 1; (event = ring_buffer_iter_peek(iter, NULL)); i++) {
			KUNIT_EXPECT_FALSE(test, ring_buffer_iter_empty(iter));
			KUNIT_EXPECT_EQ(test, *(u8 *)ring_buffer_event_data(event), (u8)i);
			ring_buffer_iter_advance(iter);
		}
		KUNIT_EXPECT_EQ(test, i, count);
		KUNIT_EXPECT_TRUE(test, ring_buffer_iter_empty(iter));
		KUNIT_EXPECT_FALSE(test, ring_buffer_iter_dropped(iter));
		ring_buffer_iter_reset(iter);
	}
	/* back to the first from where the next was peeked at */
	for (i = 1; i <= 2; i++) {
		if (i == 2)
			ring_buffer_iter_advance(iter);
		event = ring_buffer_iter_peek(iter, NULL);
		KUNIT_ASSERT_NOT_NULL(test, event);
		KUNIT_EXPECT_EQ(test, *(u8 *)ring_buffer_event_data(event), i);
	}
	ring_buffer_iter_reset(iter);
	event = ring_buffer_iter_peek(iter, NULL);
	KUNIT_ASSERT_NOT_NULL(test, event);
	KUNIT_EXPECT_EQ(test, *(u8 *)ring_buffer_event_data(event), 1);
	/* who iterates keeps the size */
	KUNIT_EXPECT_EQ(test, ring_buffer_resize(buffer, 9 * ROOM, TEST_CPU), -EBUSY);
	ring_buffer_read_finish(iter);
	expect_event(test, 1, 24);
}

/*
 * Read on what was copied with the event that is peeked at, from @value on: less than
 * @most events, the rest of a sub-buffer. Returns the first event that was not.
 */
static struct ring_buffer_event *read_copied(struct kunit *test, struct ring_buffer_iter *iter,
					     u32 value, u32 most)
{
	struct ring_buffer_event *event;
	u32 i;

	for (i = 0; i < most; i++) {
		ring_buffer_iter_advance(iter);
		event = ring_buffer_iter_peek(iter, NULL);
		if (!event || *(u8 *)ring_buffer_event_data(event) != (u8)(value + i))
			return event;
		KUNIT_EXPECT_FALSE(test, ring_buffer_iter_dropped(iter));
	}
	KUNIT_EXPECT_LT(test, i, most);
	return NULL;
}

static void test_iterator_overwritten(struct kunit *test)
{
	u32 of_page = ROOM / 28, count = TEST_PAGES * of_page;
	struct ring_buffer_event *event;
	struct ring_buffer_iter *iter;

	write_events(test, 0, count, 24);
	iter = ring_buffer_read_start(buffer, TEST_CPU, GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, iter);
	KUNIT_EXPECT_NOT_NULL(test, ring_buffer_iter_peek(iter, NULL));
	write_events(test, count, 1, 24);
	/* what was peeked at stays */
	event = ring_buffer_iter_peek(iter, NULL);
	KUNIT_ASSERT_NOT_NULL(test, event);
	KUNIT_EXPECT_EQ(test, *(u8 *)ring_buffer_event_data(event), 0);
	KUNIT_EXPECT_FALSE(test, ring_buffer_iter_dropped(iter));
	/* and some that were copied with it; it cannot be all of the sub-buffer */
	event = read_copied(test, iter, 1, of_page - 1);
	/* the oldest that is left is in the second sub-buffer */
	KUNIT_ASSERT_NOT_NULL(test, event);
	KUNIT_EXPECT_EQ(test, *(u8 *)ring_buffer_event_data(event), (u8)of_page);
	KUNIT_EXPECT_TRUE(test, ring_buffer_iter_dropped(iter));
	/* of what there was when we began, all is overwritten */
	write_events(test, count + 1, count, 24);
	KUNIT_EXPECT_FALSE(test, ring_buffer_iter_empty(iter));
	KUNIT_EXPECT_NULL(test, read_copied(test, iter, of_page + 1, of_page - 1));
	KUNIT_EXPECT_TRUE(test, ring_buffer_iter_dropped(iter));
	KUNIT_EXPECT_TRUE(test, ring_buffer_iter_empty(iter));
	ring_buffer_iter_reset(iter);
	KUNIT_EXPECT_NOT_NULL(test, ring_buffer_iter_peek(iter, NULL));
	/* laps begin anew */
	ring_buffer_reset_cpu(buffer, TEST_CPU);
	KUNIT_EXPECT_NULL(test, ring_buffer_iter_peek(iter, NULL));
	write_events(test, 0, 1, 24);
	KUNIT_EXPECT_NOT_NULL(test, ring_buffer_iter_peek(iter, NULL));
	ring_buffer_read_finish(iter);
}

/* To read makes more events than are read: it ends all the same */
static void test_iterator_ends(struct kunit *test)
{
	u32 count = TEST_PAGES * (ROOM / 28), read;
	struct ring_buffer_iter *iter;

	write_events(test, 0, count, 24);
	iter = ring_buffer_read_start(buffer, TEST_CPU, GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, iter);
	for (read = 0; read < count && ring_buffer_iter_peek(iter, NULL); read++) {
		write_events(test, 0, 2, 24);
		ring_buffer_iter_advance(iter);
	}
	KUNIT_EXPECT_GT(test, read, 0);
	KUNIT_EXPECT_LT(test, read, count);
	ring_buffer_read_finish(iter);
}

/* The last sub-buffer is full: behind it are the oldest events, which come once */
static void test_iterator_full(struct kunit *test)
{
	struct ring_buffer_event *event;
	struct ring_buffer_iter *iter;
	u32 count, i;

	for (count = 1; count < 3 * TEST_PAGES; count++) {
		ring_buffer_reset_cpu(buffer, TEST_CPU);
		write_events(test, 0, count, LONGEST);
		iter = ring_buffer_read_start(buffer, TEST_CPU, GFP_KERNEL);
		KUNIT_ASSERT_NOT_NULL(test, iter);
		for (i = ring_buffer_overruns(buffer); i < count; i++) {
			event = ring_buffer_iter_peek(iter, NULL);
			KUNIT_ASSERT_NOT_NULL(test, event);
			KUNIT_EXPECT_EQ(test, *(u8 *)ring_buffer_event_data(event), (u8)i);
			ring_buffer_iter_advance(iter);
		}
		KUNIT_EXPECT_TRUE(test, ring_buffer_iter_empty(iter));
		KUNIT_EXPECT_NULL(test, ring_buffer_iter_peek(iter, NULL));
		KUNIT_EXPECT_FALSE(test, ring_buffer_iter_dropped(iter));
		ring_buffer_read_finish(iter);
	}
}

/* Of what a smaller ring has no room for, an iterator tells as of what is overwritten */
static void test_iterator_resized(struct kunit *test)
{
	u32 of_page = ROOM / 28;
	struct ring_buffer_event *event;
	struct ring_buffer_iter *iter;

	/* the reader has the first sub-buffer; the second one is lost */
	write_events(test, 0, of_page * TEST_PAGES, 24);
	ring_buffer_consume(buffer, TEST_CPU, NULL, NULL);
	KUNIT_ASSERT_EQ(test, ring_buffer_resize(buffer, 2 * ROOM, TEST_CPU), 0);
	iter = ring_buffer_read_start(buffer, TEST_CPU, GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, iter);
	while ((event = ring_buffer_iter_peek(iter, NULL)) && !ring_buffer_iter_dropped(iter))
		ring_buffer_iter_advance(iter);
	KUNIT_ASSERT_NOT_NULL(test, event);
	KUNIT_EXPECT_EQ(test, *(u8 *)ring_buffer_event_data(event), (u8)(2 * of_page));
	ring_buffer_read_finish(iter);
}

/* Read one sub-buffer; returns the flags and bytes of its commit, 0 if there is none */
static unsigned long read_page(struct kunit *test, size_t len, int full, u32 *number)
{
	struct buffer_data_read_page *page = NULL;
	struct rb_subbuf *subbuf;
	unsigned long commit = 0;
	u32 at;

	KUNIT_ASSERT_EQ(test, ring_buffer_alloc_read_page(buffer, TEST_CPU, &page), 0);
	KUNIT_EXPECT_EQ(test, ring_buffer_read_page_size(page), PAGE_SIZE);
	if (!ring_buffer_read_page(buffer, page, len, TEST_CPU, full)) {
		subbuf = ring_buffer_read_page_data(page);
		commit = local_read(&subbuf->commit);
		for (at = 0; at < (commit & ~RB_MISSED_FLAGS); at += 28)
			KUNIT_EXPECT_EQ(test, subbuf->data[at + 4], (u8)(*number)++);
	}
	ring_buffer_free_read_page(buffer, TEST_CPU, page);
	return commit;
}

static void test_read_page(struct kunit *test)
{
	u32 of_page = ROOM / 28, number = 0;

	KUNIT_EXPECT_EQ(test, read_page(test, PAGE_SIZE, 0, &number), 0);
	write_events(test, 0, of_page + 5, 24);
	/* too short for a whole one, and then for what is left of it */
	KUNIT_EXPECT_EQ(test, read_page(test, RB_SUBBUF_HEADER + 3 * 28 + 27, 0, &number), 3 * 28);
	KUNIT_EXPECT_EQ(test, read_page(test, RB_SUBBUF_HEADER + 27, 0, &number), 0);
	KUNIT_EXPECT_EQ(test, read_page(test, PAGE_SIZE, 1, &number), (of_page - 3) * 28);
	/* the last one is being written */
	KUNIT_EXPECT_EQ(test, read_page(test, PAGE_SIZE, 1, &number), 0);
	KUNIT_EXPECT_EQ(test, read_page(test, PAGE_SIZE, 0, &number), 5 * 28);
	KUNIT_EXPECT_EQ(test, number, of_page + 5);
	expect_no_event(test);
}

static void test_read_page_lost(struct kunit *test)
{
	u32 count = 10 * (ROOM / 28), number;
	unsigned long commit;

	write_events(test, 0, count, 24);
	number = ring_buffer_overruns(buffer);
	KUNIT_EXPECT_GT(test, number, 0);
	commit = read_page(test, PAGE_SIZE, 0, &number);
	KUNIT_EXPECT_TRUE(test, commit & RB_MISSED);
	KUNIT_EXPECT_TRUE(test, commit & RB_MISSED_COUNT);
	while ((commit = read_page(test, PAGE_SIZE, 0, &number)))
		KUNIT_EXPECT_FALSE(test, commit & RB_MISSED_FLAGS);
	KUNIT_EXPECT_EQ(test, number, count);
}

static void test_resize(struct kunit *test)
{
	u32 of_page = ROOM / 28, count = TEST_PAGES * of_page, i, lost;
	unsigned long size;

	write_events(test, 0, count, 24);
	KUNIT_ASSERT_EQ(test, ring_buffer_resize(buffer, 9 * ROOM, RING_BUFFER_ALL_CPUS), 0);
	KUNIT_EXPECT_EQ(test, ring_buffer_size(buffer, TEST_CPU), 9 * ROOM);
	write_events(test, count, 4 * of_page, 24);
	KUNIT_EXPECT_EQ(test, ring_buffer_overruns(buffer), 0);
	KUNIT_ASSERT_EQ(test, ring_buffer_resize(buffer, 3 * ROOM, TEST_CPU), 0);
	count += 4 * of_page;
	lost = ring_buffer_overruns(buffer);
	KUNIT_EXPECT_EQ(test, lost, count - 3 * of_page);
	write_events(test, count, 5, 24);
	lost = ring_buffer_overruns(buffer);
	for (i = lost; i < count + 5; i++)
		expect_event(test, i, 24);
	expect_no_event(test);
	/* never less than two */
	KUNIT_ASSERT_EQ(test, ring_buffer_resize(buffer, 1, TEST_CPU), 0);
	KUNIT_EXPECT_EQ(test, ring_buffer_size(buffer, TEST_CPU), 2 * ROOM);
	write_events(test, 0, of_page, 24);
	for (i = 0; i < of_page; i++)
		expect_event(test, i, 24);
	KUNIT_EXPECT_EQ(test, ring_buffer_resize(NULL, 1, TEST_CPU), 0);
	/* more sub-buffers than a ring can number; that would be none modulo 2^32 */
	if (BITS_PER_LONG == 64) {
		size = ROOM * BIT_ULL(32);
		KUNIT_EXPECT_EQ(test, ring_buffer_resize(buffer, size, TEST_CPU), -ENOMEM);
		KUNIT_EXPECT_EQ(test, ring_buffer_resize(buffer, -1024UL, TEST_CPU), -ENOMEM);
	}
	KUNIT_EXPECT_EQ(test, ring_buffer_size(buffer, TEST_CPU), 2 * ROOM);
}

static void test_order(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, ring_buffer_subbuf_order_get(buffer), 0);
	write_events(test, 0, 5, 24);
	KUNIT_ASSERT_EQ(test, ring_buffer_subbuf_order_set(buffer, 2), 0);
	KUNIT_EXPECT_EQ(test, ring_buffer_subbuf_order_get(buffer), 2);
	KUNIT_EXPECT_EQ(test, ring_buffer_subbuf_size_get(buffer), 4 * PAGE_SIZE);
	expect_no_event(test);
	KUNIT_EXPECT_TRUE(test, write_event(3, 3 * PAGE_SIZE));
	write_events(test, 4, 3 * rb_subbuf_room(2) / 28, 24);
	KUNIT_ASSERT_EQ(test, ring_buffer_subbuf_order_set(buffer, 0), 0);
	write_events(test, 4, 1, 24);
	expect_event(test, 4, 24);
	KUNIT_EXPECT_EQ(test, ring_buffer_subbuf_order_set(buffer, -1), -EINVAL);
	KUNIT_EXPECT_EQ(test, ring_buffer_subbuf_order_set(buffer, 20), -EINVAL);
	KUNIT_EXPECT_EQ(test, ring_buffer_subbuf_order_get(NULL), -EINVAL);
}

static void test_recording(struct kunit *test)
{
	KUNIT_EXPECT_TRUE(test, write_event(1, 8));
	ring_buffer_record_off(buffer);
	KUNIT_EXPECT_FALSE(test, write_event(2, 8));
	KUNIT_EXPECT_FALSE(test, ring_buffer_record_is_set_on(buffer));
	ring_buffer_record_disable(buffer);
	ring_buffer_record_disable(buffer);
	ring_buffer_record_on(buffer);
	KUNIT_EXPECT_TRUE(test, ring_buffer_record_is_set_on(buffer));
	KUNIT_EXPECT_FALSE(test, ring_buffer_record_is_on(buffer));
	ring_buffer_record_enable(buffer);
	KUNIT_EXPECT_FALSE(test, write_event(2, 8));
	ring_buffer_record_enable(buffer);
	KUNIT_EXPECT_TRUE(test, write_event(3, 8));
	ring_buffer_record_disable_cpu(buffer, TEST_CPU);
	KUNIT_EXPECT_FALSE(test, write_event(2, 8));
	ring_buffer_record_enable_cpu(buffer, TEST_CPU);
	KUNIT_EXPECT_TRUE(test, write_event(4, 8));
	expect_event(test, 1, 8);
	expect_event(test, 3, 8);
	expect_event(test, 4, 8);
	expect_no_event(test);
}

static void test_reset(struct kunit *test)
{
	u32 count = 10 * ROOM / 28;

	write_events(test, 0, count, 24);
	expect_event(test, ring_buffer_overruns(buffer), 24);
	ring_buffer_reset_cpu(buffer, TEST_CPU);
	expect_no_event(test);
	KUNIT_EXPECT_EQ(test, ring_buffer_overruns(buffer), 0);
	KUNIT_EXPECT_EQ(test, ring_buffer_entries(buffer), 0);
	KUNIT_EXPECT_EQ(test, ring_buffer_bytes_cpu(buffer, TEST_CPU), 0);
	write_events(test, 1, 3, 24);
	KUNIT_EXPECT_EQ(test, ring_buffer_entries(buffer), 3);
	KUNIT_EXPECT_EQ(test, ring_buffer_bytes_cpu(buffer, TEST_CPU), 3 * 28);
	ring_buffer_reset_online_cpus(buffer);
	expect_no_event(test);
	write_events(test, 1, 3, 24);
	ring_buffer_reset(buffer);
	expect_no_event(test);
}

static void test_dirty(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, ring_buffer_nr_dirty_pages(buffer, TEST_CPU), 0);
	write_events(test, 0, 2 * (ROOM / 28) + 1, 24);
	KUNIT_EXPECT_EQ(test, ring_buffer_nr_dirty_pages(buffer, TEST_CPU), 2);
	expect_event(test, 0, 24);
	KUNIT_EXPECT_EQ(test, ring_buffer_nr_dirty_pages(buffer, TEST_CPU), 1);
	/* one that has no ring */
	KUNIT_EXPECT_EQ(test, ring_buffer_nr_dirty_pages(buffer, nr_cpu_ids), 0);
}

/*
 * The reader has a sub-buffer in which an event is open, writers go round the ring
 * without it, and the event is ended. So it is the last that was closed, when
 * it is filled again.
 */
static void test_entries_closed_late(struct kunit *test)
{
	unsigned long before;

	KUNIT_ASSERT_EQ(test, ring_buffer_resize(buffer, 2 * ROOM, RING_BUFFER_ALL_CPUS), 0);
	KUNIT_ASSERT_TRUE(test, write_event(1, 8));
	KUNIT_ASSERT_NOT_NULL(test, ring_buffer_lock_reserve(buffer, 8));
	expect_event(test, 1, 8);
	write_events(test, 3, 2, LONGEST);
	KUNIT_ASSERT_TRUE(test, write_event(5, 100));
	ring_buffer_unlock_commit(buffer);
	KUNIT_EXPECT_NOT_NULL(test, ring_buffer_consume(buffer, TEST_CPU, NULL, NULL));
	expect_event(test, 4, LONGEST);
	KUNIT_EXPECT_EQ(test, ring_buffer_entries(buffer), 1);

	KUNIT_ASSERT_NOT_NULL(test, ring_buffer_lock_reserve(buffer, 8));
	KUNIT_ASSERT_TRUE(test, write_event(7, ROOM - 100));
	before = ring_buffer_entries(buffer);
	KUNIT_ASSERT_TRUE(test, write_event(8, 8));
	KUNIT_EXPECT_EQ(test, ring_buffer_entries(buffer), before + 1);
	ring_buffer_unlock_commit(buffer);
	KUNIT_EXPECT_EQ(test, ring_buffer_entries(buffer), 4);
}

/* What the sub-buffers are told by may be where it was some sizes ago. */
static void test_entries_resized(struct kunit *test)
{
	unsigned long size;
	unsigned int i;

	write_events(test, 1, 2, LONGEST);
	KUNIT_ASSERT_TRUE(test, write_event(3, 8));
	expect_event(test, 1, LONGEST);
	KUNIT_EXPECT_EQ(test, ring_buffer_entries(buffer), 2);
	for (i = 0; i < 100; i++) {
		size = (3 + i * 5 % 7) * ROOM;
		KUNIT_ASSERT_EQ(test, ring_buffer_resize(buffer, size, RING_BUFFER_ALL_CPUS), 0);
		KUNIT_EXPECT_EQ(test, ring_buffer_entries(buffer), 2);
	}
}

/* Of events, not of the room that they leave at the end of a sub-buffer */
static void test_bytes(struct kunit *test)
{
	u32 of_page = ROOM / 108, bytes = of_page * 108, number = 0;

	write_events(test, 0, 3 * of_page, 104);
	KUNIT_EXPECT_EQ(test, ring_buffer_bytes_cpu(buffer, TEST_CPU), 3 * bytes);
	expect_event(test, 0, 104);
	KUNIT_EXPECT_EQ(test, ring_buffer_bytes_cpu(buffer, TEST_CPU), 3 * bytes - 108);
	write_events(test, 0, 3 * of_page, 104);
	KUNIT_EXPECT_EQ(test, ring_buffer_bytes_cpu(buffer, TEST_CPU), 5 * bytes - 108);
	ring_buffer_reset_cpu(buffer, TEST_CPU);
	/* one that is full is handed out, while it is the last that was written */
	write_events(test, 0, ROOM / 28, 24);
	write_events(test, ROOM / 28, 1, ROOM % 28 - 4);
	KUNIT_EXPECT_EQ(test, ring_buffer_bytes_cpu(buffer, TEST_CPU), ROOM);
	KUNIT_EXPECT_EQ(test, read_page(test, PAGE_SIZE, 0, &number), ROOM);
	KUNIT_EXPECT_EQ(test, ring_buffer_bytes_cpu(buffer, TEST_CPU), 0);
}

static void test_swap(struct kunit *test)
{
	struct trace_buffer *other = ring_buffer_alloc(TEST_PAGES * ROOM, RB_FL_OVERWRITE);
	struct trace_buffer *small = ring_buffer_alloc(2 * ROOM, RB_FL_OVERWRITE);
	unsigned long flags;
	bool fast;
	int ret;

	if (!other || !small)
		goto out;
	write_events(test, 1, 2, 24);
	local_irq_save(flags);
	ret = ring_buffer_swap_cpu(buffer, other, TEST_CPU);
	local_irq_restore(flags);
	if (!IS_ENABLED(CONFIG_RING_BUFFER_ALLOW_SWAP)) {
		KUNIT_EXPECT_EQ(test, ret, -ENODEV);
		goto out;
	}
	KUNIT_EXPECT_EQ(test, ret, 0);
	expect_no_event(test);
	write_events(test, 5, 1, 24);
	KUNIT_EXPECT_EQ(test, ring_buffer_entries(other), 2);
	expect_event(test, 5, 24);
	local_irq_save(flags);
	KUNIT_EXPECT_EQ(test, ring_buffer_swap_cpu(buffer, small, TEST_CPU), -EINVAL);
	ring_buffer_record_disable(other);
	KUNIT_EXPECT_EQ(test, ring_buffer_swap_cpu(buffer, other, TEST_CPU), -EAGAIN);
	ring_buffer_record_enable(other);
	if (ring_buffer_lock_reserve(buffer, 8)) {
		ret = ring_buffer_swap_cpu(buffer, other, TEST_CPU);
		ring_buffer_unlock_commit(buffer);
	}
	KUNIT_EXPECT_EQ(test, ret, -EBUSY);
	KUNIT_EXPECT_EQ(test, ring_buffer_swap_cpu(buffer, other, TEST_CPU), 0);
	local_irq_restore(flags);
	/* where they had been, and the fast way is open again behind the first one */
	expect_event(test, 1, 24);
	KUNIT_EXPECT_TRUE(test, put_event(6, 24, &fast));
	KUNIT_EXPECT_FALSE(test, fast);
	KUNIT_EXPECT_TRUE(test, put_event(7, 24, &fast));
	KUNIT_EXPECT_EQ(test, fast, CAN_BE_FAST);
	KUNIT_EXPECT_EQ(test, ring_buffer_entries(buffer), 3);
out:
	KUNIT_EXPECT_NOT_NULL(test, other);
	KUNIT_EXPECT_NOT_NULL(test, small);
	if (small)
		ring_buffer_free(small);
	if (other)
		ring_buffer_free(other);
}

static void test_wait(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, ring_buffer_wait(buffer, nr_cpu_ids, 0, NULL, NULL), -ENODEV);
	write_events(test, 0, 1, 24);
	/* there is something: they do not wait */
	KUNIT_EXPECT_EQ(test, ring_buffer_wait(buffer, TEST_CPU, 0, NULL, NULL), 0);
	KUNIT_EXPECT_EQ(test, ring_buffer_wait(buffer, RING_BUFFER_ALL_CPUS, 0, NULL, NULL), 0);
	write_events(test, 1, 3 * (ROOM / 28), 24);
	KUNIT_EXPECT_EQ(test, ring_buffer_wait(buffer, TEST_CPU, 50, NULL, NULL), 0);
}

static void test_headers(struct kunit *test)
{
	struct trace_seq *s = kunit_kzalloc(test, sizeof(*s), GFP_KERNEL);
	char want[100];

	KUNIT_ASSERT_NOT_NULL(test, s);
	trace_seq_init(s);
	KUNIT_EXPECT_TRUE(test, ring_buffer_print_entry_header(s));
	KUNIT_EXPECT_STREQ(test, s->buffer,
			   "# compressed entry header\n"
			   "\ttype_len    :    5 bits\n"
			   "\ttime_delta  :   27 bits\n"
			   "\tarray       :   32 bits\n\n"
			   "\tpadding     : type == 29\n"
			   "\ttime_extend : type == 30\n"
			   "\ttime_stamp : type == 31\n"
			   "\tdata max type_len  == 28\n");
	trace_seq_init(s);
	KUNIT_EXPECT_TRUE(test, ring_buffer_print_page_header(buffer, s));
	snprintf(want, sizeof(want), "\tfield: local_t commit;\toffset:8;\tsize:%zu;\tsigned:1;\n",
		 sizeof(long));
	KUNIT_EXPECT_NOT_NULL(test, strstr(s->buffer, want));
	snprintf(want, sizeof(want), "\tfield: char data;\toffset:%zu;\tsize:%u;\tsigned:%d;\n",
		 8 + sizeof(long), ROOM, is_signed_type(char));
	KUNIT_EXPECT_NOT_NULL(test, strstr(s->buffer, want));
}

static struct kunit_case ring_buffer_test_cases[] = {
	KUNIT_CASE(test_lengths),
	KUNIT_CASE(test_longest),
	KUNIT_CASE(test_crossing),
	KUNIT_CASE(test_overwrite),
	KUNIT_CASE(test_no_overwrite),
	KUNIT_CASE(test_nested),
	KUNIT_CASE(test_too_deep),
	KUNIT_CASE(test_recursion),
	KUNIT_CASE(test_discard),
	KUNIT_CASE(test_write),
	KUNIT_CASE(test_put),
	KUNIT_CASE(test_iterator),
	KUNIT_CASE(test_iterator_overwritten),
	KUNIT_CASE(test_iterator_ends),
	KUNIT_CASE(test_iterator_full),
	KUNIT_CASE(test_iterator_resized),
	KUNIT_CASE(test_read_page),
	KUNIT_CASE(test_read_page_lost),
	KUNIT_CASE(test_resize),
	KUNIT_CASE(test_order),
	KUNIT_CASE(test_recording),
	KUNIT_CASE(test_reset),
	KUNIT_CASE(test_dirty),
	KUNIT_CASE(test_entries_closed_late),
	KUNIT_CASE(test_entries_resized),
	KUNIT_CASE(test_bytes),
	KUNIT_CASE(test_swap),
	KUNIT_CASE(test_wait),
	KUNIT_CASE(test_headers),
	{ }
};

static struct kunit_suite ring_buffer_test_suite = {
	.name = "ring_buffer",
	.init = ring_buffer_test_init,
	.exit = ring_buffer_test_exit,
	.test_cases = ring_buffer_test_cases,
};

kunit_test_suite(ring_buffer_test_suite);

MODULE_DESCRIPTION("KUnit tests of the ring buffer");
MODULE_LICENSE("GPL");
