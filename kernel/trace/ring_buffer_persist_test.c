// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit: ring buffers in memory that outlives the kernel, also damaged ones. A
 * part of the memory of the test stands for it.
 */
#include <kunit/test.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/ring_buffer.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "ring_buffer_persist.h"
#include "ring_buffer_test.h"

/* The part of TEST_CPU: a meta, the reader's sub-buffer and those of the ring */
#define PART_PAGES	(2 + TEST_PAGES)
static void *range;

/* As if the machine had been reset. What was in the range stays. */
static void reboot(struct kunit *test)
{
	ring_buffer_free(buffer);
	buffer = ring_buffer_alloc_range(0, RB_FL_OVERWRITE, 0, (unsigned long)range,
					 nr_cpu_ids * PART_PAGES * PAGE_SIZE);
	KUNIT_ASSERT_NOT_NULL(test, buffer);
	ring_buffer_set_clock(buffer, test_clock);
}

static void first_boot(struct kunit *test)
{
	void *memory = kunit_kzalloc(test, (nr_cpu_ids * PART_PAGES + 1) * PAGE_SIZE, GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, memory);
	range = (void *)ALIGN((unsigned long)memory, PAGE_SIZE);
	now = 0;
	reboot(test);
	expect_no_event(test);
}

static void test_persist(struct kunit *test)
{
	u32 of_page = ROOM / 28, count = 2 * of_page + 5, i;

	first_boot(test);
	KUNIT_EXPECT_EQ(test, ring_buffer_size(buffer, TEST_CPU), TEST_PAGES * ROOM);
	write_events(test, 0, count, 24);
	for (i = 0; i < of_page + 2; i++)
		expect_event(test, i, 24);
	reboot(test);
	/* those that the reader had not left are there again */
	KUNIT_EXPECT_EQ(test, ring_buffer_entries(buffer), count - of_page);
	write_events(test, count, 3, 24);
	for (i = of_page; i < count + 3; i++)
		expect_event(test, i, 24);
	expect_no_event(test);
	/* more than once round */
	write_events(test, 0, 11 * of_page, 24);
	reboot(test);
	KUNIT_EXPECT_EQ(test, ring_buffer_overruns(buffer), 0);
	/* the reader's comes first, and then what was not overwritten */
	for (i = 0; i < of_page; i++)
		KUNIT_EXPECT_NOT_NULL(test, ring_buffer_consume(buffer, TEST_CPU, NULL, NULL));
	i = 11 * of_page - ring_buffer_entries(buffer);
	KUNIT_EXPECT_LE(test, i, (12 - TEST_PAGES) * of_page);
	for (; i < 11 * of_page; i++)
		expect_event(test, i, 24);
	expect_no_event(test);
}

/* The clock begins anew at each boot: what is written last has not the latest time */
static void test_persist_boots(struct kunit *test)
{
	u32 boot, i;

	first_boot(test);
	now = BIT_ULL(40);
	/* two in each sub-buffer, but for the last one of a boot of three */
	write_events(test, 0, 6, 1500);
	for (boot = 0; boot < 3; boot++) {
		now = 0;
		reboot(test);
		write_events(test, 6 + 3 * boot, 3, 1500);
		now = 0;
		reboot(test);
		KUNIT_EXPECT_EQ(test, ring_buffer_entries(buffer), boot ? 6 : 7);
	}
	for (i = 9; i < 15; i++)
		expect_event(test, i, 1500);
	expect_no_event(test);
}

/*
 * As if the machine had been reset when the writer had claimed the oldest events;
 * and an interrupt had written some behind the one that it was about to begin
 */
static void claim_oldest(bool interrupted)
{
	struct rb_meta *meta = range;
	u32 slot, oldest = 0;
	s64 value;

	for (slot = 1; slot < meta->nr_slots; slot++)
		if (rb_slot_lap(atomic64_read(&meta->slots[slot].in_slot)) <
		    rb_slot_lap(atomic64_read(&meta->slots[oldest].in_slot)))
			oldest = slot;
	value = atomic64_read(&meta->slots[oldest].in_slot);
	atomic64_set(&meta->slots[oldest].in_slot, rb_slot(rb_slot_lap(value) + 1, (u32)value));
	if (interrupted)
		memset(&rb_meta_subbuf(meta, (u32)value)->data[28], -1, 28);
}

static void test_persist_claimed(struct kunit *test)
{
	u32 of_page = ROOM / 28, count, pages, i;

	for (pages = TEST_PAGES; pages < 3 * TEST_PAGES; pages++) {
		first_boot(test);
		count = pages * of_page;
		write_events(test, 0, count, 24);
		claim_oldest(pages % 2);
		reboot(test);
		KUNIT_ASSERT_EQ(test, ring_buffer_entries(buffer), (TEST_PAGES - 1) * of_page);
		for (i = count - (TEST_PAGES - 1) * of_page; i < count; i++)
			expect_event(test, i, 24);
		write_events(test, count, 3, 24);
		for (i = count; i < count + 3; i++)
			expect_event(test, i, 24);
		expect_no_event(test);
	}
}

static void expect_in_range(struct kunit *test, const void *data, unsigned long length)
{
	unsigned long at = data - range;

	KUNIT_ASSERT_LT(test, at, PART_PAGES * PAGE_SIZE);
	KUNIT_ASSERT_LE(test, length, ROOM);
	KUNIT_ASSERT_LE(test, at % PAGE_SIZE + length, PAGE_SIZE);
}

/* Whatever there is, is in the range, and comes to an end */
static void expect_some_events(struct kunit *test)
{
	struct ring_buffer_attached attached;
	struct ring_buffer_event *event;
	u32 read = 0;

	while ((event = ring_buffer_peek_attached(buffer, TEST_CPU, NULL, NULL, &attached))) {
		if (attached.data)
			expect_in_range(test, attached.data, attached.size);
		KUNIT_ASSERT_TRUE(test, ring_buffer_consume(buffer, TEST_CPU, NULL,
							    NULL) == event);
		expect_in_range(test, ring_buffer_event_data(event),
				ring_buffer_event_length(event));
		KUNIT_ASSERT_LT(test, ++read, PART_PAGES * ROOM / 8);
	}
}

/* Each has a time stamp of its own, and what would be a length and another event */
static void write_plain(struct kunit *test)
{
	u32 data[6] = { 0, 5 * sizeof(u32) };

	KUNIT_ASSERT_EQ(test, ring_buffer_write(buffer, 24, data), 0);
}

static void write_attached(struct kunit *test)
{
	bool fast;

	KUNIT_ASSERT_TRUE(test, put_attached(0, 4, 4, &fast));
}

/* Boot with 32 bits changed: at @at of the meta, or of the reader's sub-buffer */
static void boot_damaged(struct kunit *test, void (*write)(struct kunit *test), bool in_subbuf,
			 unsigned long at, u32 value)
{
	struct rb_meta *meta = range;
	void *where;
	u32 i;

	memset(range, 0, PART_PAGES * PAGE_SIZE);
	reboot(test);
	tick = BIT(RB_DELTA_BITS) + 1;
	for (i = 0; i < 3 * ROOM / 36; i++)
		write(test);
	ring_buffer_consume(buffer, TEST_CPU, NULL, NULL);
	where = in_subbuf ? rb_meta_subbuf(meta, meta->reader) : range;
	memcpy(where + at, &value, sizeof(value));
	reboot(test);
	expect_some_events(test);
	for (i = 0; i < 2 * TEST_PAGES * ROOM / 36; i++)
		KUNIT_ASSERT_TRUE(test, write_event(i, 24));
	expect_some_events(test);
}

static void test_persist_damaged(struct kunit *test)
{
	static const u32 values[] = { 0, 4, TEST_PAGES + 1, BIT(31) - 1, -4, -1 };
	unsigned long meta_end = sizeof(struct rb_meta) +
				 TEST_PAGES * (sizeof(struct rb_in_slot) + sizeof(u32));
	unsigned long at, i;

	first_boot(test);
	for (i = 0; i < ARRAY_SIZE(values); i++) {
		for (at = 0; at < meta_end; at += sizeof(u32))
			boot_damaged(test, write_plain, false, at, values[i]);
		/* the header and two events */
		for (at = 0; at < RB_SUBBUF_HEADER + 2 * 36; at += sizeof(u32)) {
			boot_damaged(test, write_plain, true, at, values[i]);
			boot_damaged(test, write_attached, true, at, values[i]);
		}
	}
}

/* What is attached to events is there again with them */
static void test_persist_attached(struct kunit *test)
{
	bool fast;
	u32 i;

	first_boot(test);
	for (i = 0; i < 30; i++)
		KUNIT_ASSERT_TRUE(test, put_attached(i, 24, i % 3 * 8, &fast));
	expect_attached(test, 0, 24, 0);
	reboot(test);
	/* the reader had not left its sub-buffer */
	KUNIT_EXPECT_EQ(test, ring_buffer_entries(buffer), 30);
	for (i = 0; i < 30; i++)
		expect_attached(test, i, 24, i % 3 * 8);
	expect_no_event(test);
}

/* It is told apart what this kernel wrote, what another did, and what is of now */
static void test_persist_build(struct kunit *test)
{
	struct rb_meta *meta;

	first_boot(test);
	meta = range;
	KUNIT_EXPECT_FALSE(test, ring_buffer_has_last_boot(buffer));
	write_events(test, 0, 3, 24);
	KUNIT_EXPECT_FALSE(test, ring_buffer_has_last_boot(buffer));
	reboot(test);
	KUNIT_EXPECT_TRUE(test, ring_buffer_has_last_boot(buffer));
	KUNIT_EXPECT_FALSE(test, ring_buffer_has_other_build(buffer));
	meta->build_id[BUILD_ID_SIZE_MAX - 1] ^= 1;
	reboot(test);
	KUNIT_EXPECT_EQ(test, ring_buffer_entries(buffer), 3);
	KUNIT_EXPECT_TRUE(test, ring_buffer_has_last_boot(buffer));
	KUNIT_EXPECT_TRUE(test, ring_buffer_has_other_build(buffer));
	ring_buffer_reset(buffer);
	KUNIT_EXPECT_FALSE(test, ring_buffer_has_last_boot(buffer));
	KUNIT_EXPECT_FALSE(test, ring_buffer_has_other_build(buffer));
	write_events(test, 0, 2, 24);
	reboot(test);
	KUNIT_EXPECT_EQ(test, ring_buffer_entries(buffer), 2);
	KUNIT_EXPECT_TRUE(test, ring_buffer_has_last_boot(buffer));
	KUNIT_EXPECT_FALSE(test, ring_buffer_has_other_build(buffer));
}

/* Where another kernel left nothing, all is of now */
static void test_persist_build_empty(struct kunit *test)
{
	struct rb_meta *meta;

	first_boot(test);
	meta = range;
	meta->build_id[0] ^= 1;
	reboot(test);
	KUNIT_EXPECT_FALSE(test, ring_buffer_has_last_boot(buffer));
	KUNIT_EXPECT_FALSE(test, ring_buffer_has_other_build(buffer));
	write_events(test, 0, 2, 24);
	reboot(test);
	KUNIT_EXPECT_EQ(test, ring_buffer_entries(buffer), 2);
	KUNIT_EXPECT_FALSE(test, ring_buffer_has_other_build(buffer));
}

static struct kunit_case ring_buffer_persist_test_cases[] = {
	KUNIT_CASE(test_persist),
	KUNIT_CASE(test_persist_boots),
	KUNIT_CASE(test_persist_claimed),
	KUNIT_CASE(test_persist_damaged),
	KUNIT_CASE(test_persist_attached),
	KUNIT_CASE(test_persist_build),
	KUNIT_CASE(test_persist_build_empty),
	{ }
};

static struct kunit_suite ring_buffer_persist_test_suite = {
	.name = "ring_buffer_persist",
	.init = ring_buffer_test_init,
	.exit = ring_buffer_test_exit,
	.test_cases = ring_buffer_persist_test_cases,
};

kunit_test_suite(ring_buffer_persist_test_suite);

MODULE_DESCRIPTION("KUnit tests of ring buffers that outlive the kernel");
MODULE_LICENSE("GPL");
