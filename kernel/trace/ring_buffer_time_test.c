// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit: the times of events, whatever the clock does.
 */
#include <kunit/test.h>
#include <linux/module.h>
#include <linux/ring_buffer.h>

#include "ring_buffer_test.h"

static void expect_time(struct kunit *test, u64 time)
{
	u64 read = 0;

	KUNIT_ASSERT_NOT_NULL(test, ring_buffer_consume(buffer, TEST_CPU, &read, NULL));
	KUNIT_EXPECT_EQ(test, read, time);
}

/* Times that no 27, 32 or 59 bits can tell */
static const u64 test_steps[] = {
	1, 0, BIT(27) - 1, BIT(27), BIT(27) + 1, BIT_ULL(32) - 1, 5, BIT_ULL(32), 7,
	BIT_ULL(32) + 1, 3 * BIT_ULL(32), BIT_ULL(40) + 12345, 3, BIT_ULL(59) - 1,
	4, 2,
};

static void write_steps(struct kunit *test)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(test_steps); i++) {
		tick = test_steps[i];
		KUNIT_ASSERT_TRUE(test, write_event(i, 8));
	}
}

static void expect_steps(struct kunit *test, u64 time)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(test_steps); i++) {
		time += test_steps[i];
		expect_time(test, time);
	}
}

static void test_times(struct kunit *test)
{
	ring_buffer_set_clock(buffer, test_clock);
	now = 1000;
	write_steps(test);
	expect_steps(test, 1000);
}

static void test_times_absolute(struct kunit *test)
{
	ring_buffer_set_time_stamp_abs(buffer, true);
	KUNIT_EXPECT_TRUE(test, ring_buffer_time_stamp_abs(buffer));
	KUNIT_EXPECT_EQ(test, ring_buffer_max_event_size(buffer), LONGEST - 8);
	ring_buffer_set_clock(buffer, test_clock);
	now = 1000;
	write_steps(test);
	expect_steps(test, 1000);
	KUNIT_EXPECT_TRUE(test, write_event(1, LONGEST - 8));
	KUNIT_EXPECT_FALSE(test, write_event(1, LONGEST - 7));
}

/* Begin an event, which gets a time that the clock tells meanwhile */
static struct ring_buffer_event *begin_now(struct kunit *test, unsigned int length, u64 *time)
{
	u64 before = now;
	struct ring_buffer_event *event = ring_buffer_lock_reserve(buffer, length);

	KUNIT_ASSERT_NOT_NULL(test, event);
	*time = ring_buffer_event_time_stamp(buffer, event);
	KUNIT_EXPECT_GT(test, *time, before);
	KUNIT_EXPECT_LE(test, *time, now);
	return event;
}

static u64 write_now(struct kunit *test)
{
	u64 time = 0;

	begin_now(test, 8, &time);
	ring_buffer_unlock_commit(buffer);
	return time;
}

/* Where the clock is set to, one after the other */
static const u64 test_settings[] = {
	10 * BIT_ULL(32), 1, 11 * BIT_ULL(32), 11 * BIT_ULL(32) - 100, 11 * BIT_ULL(32) - 200,
	3 * BIT_ULL(32) - 8, 2 * BIT_ULL(32) - 8, BIT_ULL(58), BIT_ULL(56), 0,
};

/* Time goes on from where the clock is set to, with delta and whole times */
static void test_clock_goes_back(struct kunit *test)
{
	u64 times[3 * ARRAY_SIZE(test_settings)];
	unsigned int round, i;

	KUNIT_ASSERT_EQ(test, ring_buffer_resize(buffer, 20 * ROOM, TEST_CPU), 0);
	ring_buffer_set_clock(buffer, test_clock);
	tick = 5;
	for (round = 0; round < 2; round++) {
		for (i = 0; i < ARRAY_SIZE(times); i++) {
			if (i % 3 == 0)
				now = test_settings[i / 3];
			times[i] = write_now(test);
		}
		for (i = 0; i < ARRAY_SIZE(times); i++)
			expect_time(test, times[i]);
		ring_buffer_set_time_stamp_abs(buffer, true);
	}
}

/* Times of a sub-buffer are in order: what is earlier is in the next one */
static void test_clock_goes_back_page(struct kunit *test)
{
	ring_buffer_set_clock(buffer, test_clock);
	now = 1000;
	write_events(test, 0, 2, 8);
	KUNIT_EXPECT_EQ(test, ring_buffer_nr_dirty_pages(buffer, TEST_CPU), 0);
	now = 500;
	write_events(test, 2, 2, 8);
	KUNIT_EXPECT_EQ(test, ring_buffer_nr_dirty_pages(buffer, TEST_CPU), 1);
	now = 800;
	write_events(test, 4, 2, 8);
	KUNIT_EXPECT_EQ(test, ring_buffer_nr_dirty_pages(buffer, TEST_CPU), 1);
}

/* Within an event, of which the time stays what it is */
static void test_clock_goes_back_nested(struct kunit *test)
{
	u64 outer, inner[2];

	ring_buffer_set_clock(buffer, test_clock);
	now = 10 * BIT_ULL(32);
	begin_now(test, 8, &outer);
	now = 10;
	inner[0] = write_now(test);
	inner[1] = write_now(test);
	ring_buffer_unlock_commit(buffer);
	expect_time(test, outer);
	expect_time(test, inner[0]);
	expect_time(test, inner[1]);
}

/* No sub-buffer is lost to events that are dropped, nor left without any */
static void test_clock_goes_back_discard(struct kunit *test)
{
	struct ring_buffer_event *event;
	u64 time;

	ring_buffer_set_clock(buffer, test_clock);
	now = 10 * BIT_ULL(32);
	event = begin_now(test, 8, &time);
	ring_buffer_discard_commit(buffer, event);
	now = 5 * BIT_ULL(32);
	event = begin_now(test, 8, &time);
	ring_buffer_discard_commit(buffer, event);
	now = 10;
	time = write_now(test);
	KUNIT_EXPECT_EQ(test, ring_buffer_nr_dirty_pages(buffer, TEST_CPU), 0);
	expect_time(test, time);
}

/* If there is no free sub-buffer, an event gets a later time rather than being lost */
static void test_clock_goes_back_full(struct kunit *test)
{
	u32 i;

	ring_buffer_set_clock(buffer, test_clock);
	ring_buffer_change_overwrite(buffer, 0);
	tick = 0;
	now = 2000;
	for (i = 0; i < TEST_PAGES; i++)
		write_events(test, i, 1, LONGEST - 24);
	now = 1000;
	write_events(test, i, 1, 8);
	KUNIT_EXPECT_EQ(test, ring_buffer_dropped_events_cpu(buffer, TEST_CPU), 0);
	for (i = 0; i <= TEST_PAGES; i++)
		expect_time(test, 2000);
	/* there is room again */
	KUNIT_EXPECT_TRUE(test, write_event(i, 8));
	expect_time(test, 1000);
}

static u32 traced_clock_calls;

/* What the clock "mono" is where the hardware's clock is read by a traced function */
static u64 traced_clock(void)
{
	static bool inside;

	if (!inside) {
		inside = true;
		write_event(traced_clock_calls++, 8);
		inside = false;
	}
	return test_clock();
}

static void expect_traced(struct kunit *test, u32 count)
{
	u32 i;

	traced_clock_calls = 0;
	for (i = 0; i < count; i++)
		KUNIT_ASSERT_TRUE(test, write_event(i, 24));
	KUNIT_EXPECT_EQ(test, traced_clock_calls, count);
	for (i = 0; i < count; i++) {
		expect_event(test, i, 8);
		expect_event(test, i, 24);
	}
	expect_no_event(test);
}

/* An event that another one comes before, each time that the clock is read */
static void test_clock_traced(struct kunit *test)
{
	ring_buffer_set_clock(buffer, traced_clock);
	expect_traced(test, 2 * ROOM / 48);
	/* with longer time stamps, too */
	tick = BIT(27);
	expect_traced(test, 2 * ROOM / 48);
	tick = BIT_ULL(32) + 1;
	expect_traced(test, 2 * ROOM / 48);
	ring_buffer_set_time_stamp_abs(buffer, true);
	expect_traced(test, 2 * ROOM / 48);
}

static void test_event_time(struct kunit *test)
{
	struct ring_buffer_event *event;
	u64 time, before, read;

	before = ring_buffer_time_stamp(buffer);
	event = ring_buffer_lock_reserve(buffer, 8);
	KUNIT_ASSERT_NOT_NULL(test, event);
	time = ring_buffer_event_time_stamp(buffer, event);
	ring_buffer_unlock_commit(buffer);
	KUNIT_EXPECT_GE(test, time, before);
	KUNIT_EXPECT_LE(test, time, ring_buffer_time_stamp(buffer));
	KUNIT_EXPECT_EQ(test, ring_buffer_oldest_event_ts(buffer, TEST_CPU), time);
	KUNIT_ASSERT_NOT_NULL(test, ring_buffer_peek(buffer, TEST_CPU, &read, NULL));
	KUNIT_EXPECT_EQ(test, read, time);
	expect_time(test, time);
}

/* The clock in line is the clock that others read */
static void test_clock_inline(struct kunit *test)
{
	u64 before, here, after;
	int i;

	for (i = 0; i < 1000; i++) {
		preempt_disable();
		before = sched_clock_noinstr();
		here = sched_clock_inline();
		after = sched_clock_noinstr();
		preempt_enable();
		KUNIT_ASSERT_LE(test, before, here);
		KUNIT_ASSERT_LE(test, here, after);
	}
}

/* Returns whether the event was begun */
static bool put_at(u64 at)
{
	struct rb_put put = ring_buffer_put_at(buffer, 24, 0, at);

	if (put.begun) {
		memset(put.data, 1, 24);
		ring_buffer_put_end(put);
	}
	return put.begun;
}

/* An event in line has the time that was read before, unless there is a later one */
static void test_put_at(struct kunit *test)
{
	bool fast, early, late;
	u64 at;

	/* The first one opens the fast way */
	KUNIT_EXPECT_TRUE(test, put_attached(0, 24, 0, &fast));
	preempt_disable();
	at = sched_clock_inline();
	KUNIT_EXPECT_TRUE(test, put_attached(0, 24, 0, &fast));
	early = put_at(at - 1);
	at = sched_clock_inline();
	late = put_at(at);
	preempt_enable();

	KUNIT_EXPECT_FALSE(test, early);
	KUNIT_EXPECT_EQ(test, late, CAN_BE_FAST);
	expect_event(test, 0, 24);
	expect_event(test, 0, 24);
	if (late)
		expect_time(test, at);
}

static struct kunit_case ring_buffer_time_test_cases[] = {
	KUNIT_CASE(test_times),
	KUNIT_CASE(test_times_absolute),
	KUNIT_CASE(test_clock_goes_back),
	KUNIT_CASE(test_clock_goes_back_page),
	KUNIT_CASE(test_clock_goes_back_nested),
	KUNIT_CASE(test_clock_goes_back_discard),
	KUNIT_CASE(test_clock_goes_back_full),
	KUNIT_CASE(test_clock_traced),
	KUNIT_CASE(test_event_time),
	KUNIT_CASE(test_clock_inline),
	KUNIT_CASE(test_put_at),
	{ }
};

static struct kunit_suite ring_buffer_time_test_suite = {
	.name = "ring_buffer_time",
	.init = ring_buffer_test_init,
	.exit = ring_buffer_test_exit,
	.test_cases = ring_buffer_time_test_cases,
};

kunit_test_suite(ring_buffer_time_test_suite);

MODULE_DESCRIPTION("KUnit tests of the times of the ring buffer's events");
MODULE_LICENSE("GPL");
