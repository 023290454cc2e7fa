// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit: memory that is attached to events of the ring buffer, and what programs make of it
 * that read pages.
 */
#include <kunit/test.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/ring_buffer.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "ring_buffer_test.h"

/* Every length of both, about those where the layout changes */
static void test_attached_sizes(struct kunit *test)
{
	unsigned int length, size, number = 0;
	bool fast;

	for (length = 1; length < 130; length++) {
		for (size = 4; size < 140; size += 4, number++) {
			KUNIT_ASSERT_TRUE(test, put_attached(number, length, size, &fast));
			expect_attached(test, number, length, size);
		}
	}
	expect_no_event(test);
	KUNIT_EXPECT_EQ(test, ring_buffer_read_events_cpu(buffer, TEST_CPU), number);
}

/* What is attached may be long on the fast way, but not the event itself */
static void test_attached_fast(struct kunit *test)
{
	bool fast;

	KUNIT_EXPECT_TRUE(test, put_attached(0, 24, 8, &fast));
	KUNIT_EXPECT_FALSE(test, fast);
	KUNIT_EXPECT_TRUE(test, put_attached(1, 24, 8, &fast));
	KUNIT_EXPECT_EQ(test, fast, CAN_BE_FAST);
	KUNIT_EXPECT_TRUE(test, put_attached(2, 112, 400, &fast));
	KUNIT_EXPECT_EQ(test, fast, CAN_BE_FAST);
	KUNIT_EXPECT_TRUE(test, put_attached(3, 113, 8, &fast));
	KUNIT_EXPECT_FALSE(test, fast);
	KUNIT_EXPECT_TRUE(test, write_event(4, 24));
	ring_buffer_record_disable(buffer);
	KUNIT_EXPECT_FALSE(test, put_attached(5, 24, 8, &fast));
	ring_buffer_record_enable(buffer);
	expect_attached(test, 0, 24, 8);
	expect_attached(test, 1, 24, 8);
	expect_attached(test, 2, 112, 400);
	expect_attached(test, 3, 113, 8);
	expect_attached(test, 4, 24, 0);
	expect_no_event(test);
}

/* With what is attached, an event is in one sub-buffer; or it is too long */
static void test_attached_longest(struct kunit *test)
{
	unsigned int most = ALIGN_DOWN(ROOM - rb_event_room(24) - RB_ATTACHED_HEADER, RB_ALIGN);
	bool fast;

	KUNIT_EXPECT_TRUE(test, put_attached(0, 24, most, &fast));
	KUNIT_EXPECT_TRUE(test, put_attached(1, 24, most, &fast));
	KUNIT_EXPECT_FALSE(test, put_attached(2, 24, most + RB_ALIGN, &fast));
	KUNIT_EXPECT_FALSE(test, put_attached(3, 28, most, &fast));
	KUNIT_EXPECT_FALSE(test, put_attached(4, 24, 1 << 20, &fast));
	KUNIT_EXPECT_TRUE(test, put_attached(5, 24, 8, &fast));
	expect_attached(test, 0, 24, most);
	expect_attached(test, 1, 24, most);
	expect_attached(test, 5, 24, 8);
	expect_no_event(test);
}

/* Consume the next event with something attached to it, and expect it at @time */
static void expect_attached_at(struct kunit *test, u64 time)
{
	struct ring_buffer_attached attached;
	struct ring_buffer_event *event;
	u64 at;

	event = ring_buffer_peek_attached(buffer, TEST_CPU, &at, NULL, &attached);
	KUNIT_ASSERT_NOT_NULL(test, event);
	KUNIT_EXPECT_EQ(test, at, time);
	KUNIT_EXPECT_EQ(test, attached.size, 8);
	event = ring_buffer_consume(buffer, TEST_CPU, &at, NULL);
	KUNIT_ASSERT_NOT_NULL(test, event);
	KUNIT_EXPECT_EQ(test, at, time);
}

/* Times are right if nothing passes, if much does, and where they are told as a whole */
static void test_attached_times(struct kunit *test)
{
	static const u64 ticks[] = {
		1, 0, 5, RB_DELTA_MAX, RB_DELTA_MAX + 1ULL, 0, BIT_ULL(33), 0, 1,
	};
	u64 times[ARRAY_SIZE(ticks)];
	unsigned int round, i;
	bool fast;

	ring_buffer_set_clock(buffer, test_clock);
	for (round = 0; round < 2; round++) {
		for (i = 0; i < ARRAY_SIZE(ticks); i++) {
			/* the clock may be asked more than once */
			tick = 0;
			now += ticks[i];
			times[i] = now;
			KUNIT_EXPECT_TRUE(test, put_attached(i, 24, 8, &fast));
		}
		for (i = 0; i < ARRAY_SIZE(ticks); i++)
			expect_attached_at(test, times[i]);
		ring_buffer_set_time_stamp_abs(buffer, true);
	}
}

static void test_attached_iterator(struct kunit *test)
{
	struct ring_buffer_attached attached;
	struct ring_buffer_event *event;
	struct ring_buffer_iter *iter;
	unsigned int i, size;
	bool fast;

	for (i = 0; i < 60; i++)
		KUNIT_ASSERT_TRUE(test, put_attached(i, 24, i % 3 * 40, &fast));
	iter = ring_buffer_read_start(buffer, TEST_CPU, GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, iter);
	for (i = 0; (event = ring_buffer_iter_peek(iter, NULL)); i++) {
		KUNIT_EXPECT_EQ(test, *(u8 *)ring_buffer_event_data(event), (u8)i);
		ring_buffer_iter_attached(iter, &attached);
		size = i % 3 * 40;
		expect_is_attached(test, &attached, i, size);
		ring_buffer_iter_advance(iter);
	}
	KUNIT_EXPECT_EQ(test, i, 60);
	ring_buffer_read_finish(iter);
}

/* Overwritten under an iterator: neither an event nor what is attached is that of another */
static void test_attached_overwritten(struct kunit *test)
{
	u32 of_page = ROOM / 84, count = TEST_PAGES * of_page, i;
	struct ring_buffer_attached attached;
	struct ring_buffer_event *event;
	struct ring_buffer_iter *iter;
	bool fast;

	for (i = 0; i < count; i++)
		KUNIT_ASSERT_TRUE(test, put_attached(i, 24, 44, &fast));
	iter = ring_buffer_read_start(buffer, TEST_CPU, GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, iter);
	for (i = 0; (event = ring_buffer_iter_peek(iter, NULL)); i++) {
		u8 number = *(u8 *)ring_buffer_event_data(event);

		KUNIT_ASSERT_TRUE(test, put_attached(count + i, 24, 44, &fast));
		ring_buffer_iter_attached(iter, &attached);
		expect_is_attached(test, &attached, number, 44);
		ring_buffer_iter_advance(iter);
	}
	KUNIT_EXPECT_GT(test, i, 0);
	ring_buffer_read_finish(iter);
}

/*
 * Read a page as programs do, which know nothing of attached memory: an event that was
 * discarded has a time, which is never 0, and nothing else. Returns the next event, at
 * @time, or NULL; @at is moved behind it.
 */
static struct ring_buffer_event *
next_in_page(struct rb_subbuf *subbuf, unsigned int *at, u64 *time)
{
	struct ring_buffer_event *event;

	while (*at < (local_read(&subbuf->commit) & ~RB_MISSED_FLAGS)) {
		event = (void *)subbuf->data + *at;
		*time += event->time_delta;
		switch (event->type_len) {
		case RINGBUF_TYPE_TIME_EXTEND:
			*time += (u64)event->array[0] << RB_DELTA_BITS;
			*at += 8;
			break;
		case RINGBUF_TYPE_TIME_STAMP:
			*time = (u64)event->array[0] << RB_DELTA_BITS | event->time_delta;
			*at += 8;
			break;
		case RINGBUF_TYPE_PADDING:
			if (!event->time_delta)
				return NULL;
			*at += 4 + event->array[0];
			break;
		case 0:
			*at += 4 + event->array[0];
			return event;
		default:
			*at += 4 + 4 * event->type_len;
			return event;
		}
	}
	return NULL;
}

/* The clock stands still, runs, and makes a leap that an event does not tell by itself. */
static const u64 page_ticks[] = { 0, 0, 7, 0, 1, BIT(27), 0, BIT(27), 2, 0 };

/* Read a page of events with numbers from @first on, and times from @time on. */
static unsigned int expect_in_page(struct kunit *test, unsigned int first, u64 *time)
{
	struct buffer_data_read_page *page = NULL;
	unsigned int at = 0, i = first;
	struct ring_buffer_event *event;
	u64 told;

	KUNIT_ASSERT_EQ(test, ring_buffer_alloc_read_page(buffer, TEST_CPU, &page), 0);
	KUNIT_ASSERT_EQ(test, ring_buffer_read_page(buffer, page, PAGE_SIZE, TEST_CPU, 0), 0);
	told = page->subbuf->time_stamp;
	for (; (event = next_in_page(page->subbuf, &at, &told)); i++) {
		KUNIT_EXPECT_EQ(test, ring_buffer_event_length(event), 24);
		KUNIT_EXPECT_EQ(test, *(u8 *)ring_buffer_event_data(event), (u8)i);
		*time += page_ticks[i % ARRAY_SIZE(page_ticks)];
		KUNIT_EXPECT_EQ(test, told, *time);
	}
	ring_buffer_free_read_page(buffer, TEST_CPU, page);
	return i;
}

static void test_attached_pages(struct kunit *test)
{
	unsigned int whole, i, count = 2 * ROOM / 40;
	u64 time, first;
	bool fast;

	ring_buffer_set_clock(buffer, test_clock);
	for (whole = 0; whole < 2; whole++) {
		ring_buffer_reset(buffer);
		ring_buffer_set_time_stamp_abs(buffer, whole);
		now = 5000;
		for (i = 0; i < count; i++) {
			/* the clock may be asked more than once */
			tick = 0;
			now += page_ticks[i % ARRAY_SIZE(page_ticks)];
			KUNIT_ASSERT_TRUE(test, put_attached(i, 24, (i + 1) % 4 * 8, &fast));
		}
		first = 5000 + page_ticks[0];
		KUNIT_EXPECT_EQ(test, ring_buffer_oldest_event_ts(buffer, TEST_CPU), first);
		time = 5000;
		for (i = 0; i < count;)
			i = expect_in_page(test, i, &time);
		KUNIT_EXPECT_EQ(test, time, now);
	}
}

/* Where programs cannot be told that no time has passed, readers in the kernel are. */
static void test_attached_ends_of_time(struct kunit *test)
{
	static const u64 starts[] = { 0, BIT_ULL(59) - 1, BIT_ULL(59), BIT_ULL(60) + 5 };
	unsigned int i, j;
	u64 read;
	bool fast;

	ring_buffer_set_clock(buffer, test_clock);
	tick = 0;
	for (i = 0; i < ARRAY_SIZE(starts); i++) {
		ring_buffer_reset(buffer);
		now = starts[i];
		for (j = 0; j < 3; j++)
			KUNIT_ASSERT_TRUE(test, put_attached(j, 24, 8, &fast));
		KUNIT_EXPECT_EQ(test, ring_buffer_oldest_event_ts(buffer, TEST_CPU), now);
		for (j = 0; j < 3; j++) {
			KUNIT_ASSERT_NOT_NULL(test, ring_buffer_consume(buffer, TEST_CPU, &read,
									NULL));
			KUNIT_EXPECT_EQ(test, read, now);
		}
	}
}

/* What is not there as a whole is no event; nor is nonsense */
static void test_attached_within(struct kunit *test)
{
	struct {
		u32 stamp[2], header, size, delta, attached[3], data, value;
	} whole __aligned(RB_ALIGN) = {
		.stamp[0] = rb_event_header(RINGBUF_TYPE_TIME_EXTEND, 1),
		.header = rb_event_header(RINGBUF_TYPE_PADDING, 1),
		.size = 20,
		.delta = RB_ATTACHED,
		.data = rb_event_header(1, 0),
	}, bad;
	struct ring_buffer_event *event = (void *)&bad;
	static const u32 sizes[] = { 0, 3, 4, 7, 16, 19, 21, 24, 28, 1000, -8, -4, -1 };
	u32 left, i;

	bad = whole;
	for (left = 0; left < sizeof(whole); left++)
		KUNIT_EXPECT_EQ(test, rb_event_within(event, left), 0);
	KUNIT_EXPECT_EQ(test, rb_event_within(event, sizeof(whole)), sizeof(whole));
	KUNIT_EXPECT_EQ(test, rb_event_within(event, sizeof(whole) + 4), sizeof(whole));
	KUNIT_EXPECT_EQ(test, rb_event_within((void *)&bad.header, sizeof(whole) - 8),
			sizeof(whole) - 8);
	for (i = 0; i < ARRAY_SIZE(sizes); i++) {
		bad.size = sizes[i];
		KUNIT_EXPECT_LE(test, rb_event_within(event, sizeof(bad)), sizeof(bad));
	}
	/* nothing but an event with data has memory that is attached to it */
	bad = whole;
	bad.data = rb_event_header(RINGBUF_TYPE_PADDING, 1);
	KUNIT_EXPECT_EQ(test, rb_event_within(event, sizeof(bad)), 0);
	bad.data = rb_event_header(RINGBUF_TYPE_TIME_STAMP, 1);
	KUNIT_EXPECT_EQ(test, rb_event_within(event, sizeof(bad)), 0);
	/* it was discarded, and is by itself */
	bad.delta = 5;
	KUNIT_EXPECT_EQ(test, rb_event_within(event, sizeof(bad)), 8 + 4 + 20);
}

static struct kunit_case ring_buffer_attached_test_cases[] = {
	KUNIT_CASE(test_attached_sizes),
	KUNIT_CASE(test_attached_fast),
	KUNIT_CASE(test_attached_longest),
	KUNIT_CASE(test_attached_times),
	KUNIT_CASE(test_attached_iterator),
	KUNIT_CASE(test_attached_overwritten),
	KUNIT_CASE(test_attached_pages),
	KUNIT_CASE(test_attached_ends_of_time),
	KUNIT_CASE(test_attached_within),
	{ }
};

static struct kunit_suite ring_buffer_attached_test_suite = {
	.name = "ring_buffer_attached",
	.init = ring_buffer_test_init,
	.exit = ring_buffer_test_exit,
	.test_cases = ring_buffer_attached_test_cases,
};

kunit_test_suite(ring_buffer_attached_test_suite);

MODULE_DESCRIPTION("KUnit tests of memory that is attached to events");
MODULE_LICENSE("GPL");
