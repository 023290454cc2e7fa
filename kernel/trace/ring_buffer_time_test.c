// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit: the times of events, whatever the clock does.
 */
#include <kunit/test.h>
#include <linux/module.h>
#include <linux/ring_buffer.h>

#include "ring_buffer_inline.h"
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

static void test_clock_goes_back(struct kunit *test)
{
	ring_buffer_set_clock(buffer, test_clock);
	now = 10 * BIT_ULL(32);
	tick = 5;
	write_events(test, 0, 2, 8);
	now = 1;
	write_events(test, 2, 2, 8);
	now = 11 * BIT_ULL(32);
	write_events(test, 4, 1, 8);
	expect_time(test, 10 * BIT_ULL(32) + 5);
	expect_time(test, 10 * BIT_ULL(32) + 10);
	expect_time(test, 10 * BIT_ULL(32) + 10);
	expect_time(test, 10 * BIT_ULL(32) + 10);
	expect_time(test, 11 * BIT_ULL(32) + 5);
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

static struct kunit_case ring_buffer_time_test_cases[] = {
	KUNIT_CASE(test_times),
	KUNIT_CASE(test_times_absolute),
	KUNIT_CASE(test_clock_goes_back),
	KUNIT_CASE(test_clock_traced),
	KUNIT_CASE(test_event_time),
	KUNIT_CASE(test_clock_inline),
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
