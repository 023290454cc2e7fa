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
#include "trace.h"

/* The part of TEST_CPU: a meta, the reader's sub-buffer and those of the ring */
#define PART_PAGES	(2 + TEST_PAGES)
static void *range;

static void boot(struct kunit *test)
{
	buffer = ring_buffer_alloc_range(0, RB_FL_OVERWRITE, 0, (unsigned long)range,
					 nr_cpu_ids * PART_PAGES * PAGE_SIZE);
	KUNIT_ASSERT_NOT_NULL(test, buffer);
	ring_buffer_set_clock(buffer, test_clock);
}

/* As if the machine had been reset. What was in the range stays. */
static void reboot(struct kunit *test)
{
	ring_buffer_free(buffer);
	boot(test);
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

/* Those from @first up to @end, in order; each has 24 bytes */
static void expect_events(struct kunit *test, u32 first, u32 end)
{
	for (; first < end; first++)
		expect_event(test, first, 24);
}

static void test_persist(struct kunit *test)
{
	u32 of_page = ROOM / 28, count = 2 * of_page + 5, i;

	first_boot(test);
	KUNIT_EXPECT_EQ(test, ring_buffer_size(buffer, TEST_CPU), TEST_PAGES * ROOM);
	write_events(test, 0, count, 24);
	expect_events(test, 0, of_page + 2);
	reboot(test);
	/* those that the reader had not left are there again */
	KUNIT_EXPECT_EQ(test, ring_buffer_entries(buffer), count - of_page);
	write_events(test, count, 3, 24);
	expect_events(test, of_page, count + 3);
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
	expect_events(test, i, 11 * of_page);
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
	u32 of_page = ROOM / 28, count, pages;

	for (pages = TEST_PAGES; pages < 3 * TEST_PAGES; pages++) {
		first_boot(test);
		count = pages * of_page;
		write_events(test, 0, count, 24);
		claim_oldest(pages % 2);
		reboot(test);
		KUNIT_ASSERT_EQ(test, ring_buffer_entries(buffer), (TEST_PAGES - 1) * of_page);
		expect_events(test, count - (TEST_PAGES - 1) * of_page, count);
		write_events(test, count, 3, 24);
		expect_events(test, count, count + 3);
		expect_no_event(test);
	}
}

/* The next event is no event of the last boot, but says how many sub-buffers are damaged */
static void expect_note(struct kunit *test, u32 damaged)
{
	struct ring_buffer_event *event = ring_buffer_consume(buffer, TEST_CPU, NULL, NULL);
	struct print_entry *entry;
	char text[80];

	KUNIT_ASSERT_NOT_NULL(test, event);
	entry = ring_buffer_event_data(event);
	KUNIT_ASSERT_EQ(test, entry->ent.type, TRACE_PRINT);
	KUNIT_EXPECT_EQ(test, entry->ent.pid, 0);
	KUNIT_EXPECT_EQ(test, entry->ip, 0);
	snprintf(text, sizeof(text),
		 "LOST EVENTS: %u sub-buffer%s of %lu bytes damaged or unfinished", damaged,
		 damaged == 1 ? "" : "s", PAGE_SIZE);
	KUNIT_EXPECT_STREQ(test, entry->buf, text);
	KUNIT_EXPECT_GE(test, ring_buffer_event_length(event), sizeof(*entry) + strlen(text) + 1);
}

/* What is damaged of a sub-buffer, or of what the meta says of it */
enum damage {
	DAMAGED_EVENT, DAMAGED_SIZE, ZEROED, DAMAGED_INDEX, DAMAGED_LAP, DAMAGED_BEGUN,
	DAMAGED_BOTH_LAPS
};

static void damage(struct rb_meta *meta, u32 slot, enum damage damage)
{
	atomic64_t *in_slot = &meta->slots[slot].in_slot;
	u32 lap = rb_slot_lap(atomic64_read(in_slot)), index = (u32)atomic64_read(in_slot);
	struct rb_subbuf *subbuf = rb_meta_subbuf(meta, index);
	/* of no length */
	u32 nonsense[] = { rb_event_header(RINGBUF_TYPE_PADDING, 0), 0 };

	switch (damage) {
	case DAMAGED_EVENT:
		memcpy(&subbuf->data[28 * 7], nonsense, sizeof(nonsense));
		break;
	case DAMAGED_SIZE:
		local_set(&subbuf->commit, ROOM + 4);
		break;
	case ZEROED:
		memset(subbuf, 0, PAGE_SIZE);
		break;
	case DAMAGED_INDEX:
		atomic64_set(in_slot, rb_slot(lap, TEST_PAGES + 1));
		break;
	case DAMAGED_LAP:
		atomic64_set(in_slot, rb_slot(lap + 7, index));
		break;
	case DAMAGED_BOTH_LAPS:
		atomic64_set(in_slot, rb_slot(lap - 7, index));
		fallthrough;
	case DAMAGED_BEGUN:
		rb_meta_begun(meta)[slot] -= 7;
		break;
	}
}

/* As if the writer had been round so many times before */
static void add_laps(struct rb_meta *meta, u32 laps)
{
	u32 slot;

	for (slot = 0; slot < meta->nr_slots; slot++) {
		s64 value = atomic64_read(&meta->slots[slot].in_slot);

		atomic64_set(&meta->slots[slot].in_slot,
			     rb_slot(rb_slot_lap(value) + laps, (u32)value));
		rb_meta_begun(meta)[slot] += laps;
	}
}

/* Read what @bad slots are damaged of, where @pages sub-buffers were filled */
static void expect_rest(struct kunit *test, u32 pages, unsigned long bad, enum damage damage)
{
	u32 of_page = ROOM / 28, tail = (pages - 1) % TEST_PAGES, i, page, missing = 0;
	unsigned long entries = ring_buffer_entries(buffer), read = 0;
	bool misplaced = damage >= DAMAGED_INDEX;

	/* it is not known that a slot was the last one: what it had comes first */
	while (misplaced && bad & BIT(tail))
		tail = (tail + TEST_PAGES - 1) % TEST_PAGES;
	for (i = 1; i <= TEST_PAGES; i++) {
		u32 slot = (tail + i) % TEST_PAGES;

		if (bad & BIT(slot)) {
			missing++;
			continue;
		}
		if (missing)
			expect_note(test, missing);
		read += of_page + !!missing;
		missing = 0;
		page = pages - 1 - (pages - 1 + TEST_PAGES - slot) % TEST_PAGES;
		expect_events(test, page * of_page, (page + 1) * of_page);
	}
	/* what was written last may not have been shown: there may have been nothing */
	if (missing && damage != ZEROED) {
		expect_note(test, missing);
		read++;
	}
	expect_no_event(test);
	KUNIT_EXPECT_EQ(test, entries, read);
}

/* What is damaged is passed over and told, and the rest is in order */
static void test_persist_skips_damaged(struct kunit *test)
{
	u32 of_page = ROOM / 28, pages, slot;
	enum damage how;
	unsigned long bad;

	for (how = DAMAGED_EVENT; how <= DAMAGED_BOTH_LAPS; how++) {
		for (bad = 0; bad < BIT(TEST_PAGES) - 1; bad++) {
			for (pages = TEST_PAGES; pages < 2 * TEST_PAGES; pages++) {
				first_boot(test);
				write_events(test, 0, pages * of_page, 24);
				for (slot = 0; slot < TEST_PAGES; slot++)
					if (bad & BIT(slot))
						damage(range, slot, how);
				/* laps may wrap around */
				add_laps(range, -(bad % 3));
				reboot(test);
				expect_rest(test, pages, bad, how);
				/* and the next events are written as ever */
				write_events(test, 0, 3, 24);
				expect_events(test, 0, 3);
				expect_no_event(test);
			}
		}
	}
}

/* Nothing of the ring is left. Zeroed, the last one may have been without events */
static void test_persist_all_damaged(struct kunit *test)
{
	u32 of_page = ROOM / 28, pages, slot;
	enum damage how;

	for (how = DAMAGED_EVENT; how <= DAMAGED_BEGUN; how++) {
		for (pages = TEST_PAGES; pages < 2 * TEST_PAGES; pages++) {
			first_boot(test);
			write_events(test, 0, pages * of_page, 24);
			for (slot = 0; slot < TEST_PAGES; slot++)
				damage(range, slot, how);
			reboot(test);
			expect_note(test, how == ZEROED ? TEST_PAGES - 1 : TEST_PAGES);
			expect_no_event(test);
		}
	}
}

/* Two slots that have the same sub-buffer: neither is believed */
static void test_persist_same_index(struct kunit *test)
{
	u32 of_page = ROOM / 28;
	struct rb_meta *meta;

	first_boot(test);
	meta = range;
	write_events(test, 0, TEST_PAGES * of_page, 24);
	atomic64_set(&meta->slots[1].in_slot, atomic64_read(&meta->slots[2].in_slot));
	reboot(test);
	expect_events(test, 0, of_page);
	expect_note(test, 2);
	expect_events(test, 3 * of_page, TEST_PAGES * of_page);
	expect_no_event(test);
}

/* What is said to have been read or claimed, though older events are there, is damaged */
static void test_persist_damaged_claim(struct kunit *test)
{
	u32 of_page = ROOM / 28;

	first_boot(test);
	write_events(test, 0, TEST_PAGES * of_page, 24);
	rb_meta_begun(range)[2]--;
	reboot(test);
	expect_events(test, 0, 2 * of_page);
	expect_note(test, 1);
	expect_events(test, 3 * of_page, TEST_PAGES * of_page);
	expect_no_event(test);
}

/* A size that leads into the next sub-buffer, where an event could be */
static void test_persist_damaged_size(struct kunit *test)
{
	u32 event[] = { rb_event_header(1, 0), 0 }, index;
	struct rb_meta *meta;

	first_boot(test);
	meta = range;
	write_events(test, 0, 2, LONGEST);
	index = (u32)atomic64_read(&meta->slots[0].in_slot);
	local_set(&rb_meta_subbuf(meta, index)->commit, ROOM + sizeof(event));
	memcpy(rb_meta_subbuf(meta, index + 1), event, sizeof(event));
	reboot(test);
	expect_note(test, 1);
	expect_event(test, 1, LONGEST);
	expect_no_event(test);
}

/* All sub-buffers are filled, and the reader has read an event of its @taken'th one */
static struct rb_meta *begin_reading(struct kunit *test, u32 taken)
{
	u32 of_page = ROOM / 28;

	first_boot(test);
	write_events(test, 0, TEST_PAGES * of_page, 24);
	expect_events(test, 0, taken * of_page + 1);
	return range;
}

/* Of the pages from @page on, all events are there */
static void expect_pages(struct kunit *test, u32 page)
{
	expect_events(test, page * (ROOM / 28), TEST_PAGES * (ROOM / 28));
	expect_no_event(test);
}

static void test_persist_damaged_reader(struct kunit *test)
{
	struct rb_meta *meta = begin_reading(test, 0);

	local_set(&rb_meta_subbuf(meta, meta->reader)->commit, -1);
	reboot(test);
	expect_note(test, 1);
	expect_pages(test, 1);

	/* the next one, too */
	meta = begin_reading(test, 0);
	local_set(&rb_meta_subbuf(meta, meta->reader)->commit, -1);
	damage(meta, 1, DAMAGED_SIZE);
	reboot(test);
	expect_note(test, 1);
	expect_note(test, 1);
	expect_pages(test, 2);
}

/* The reader's sub-buffer is the one that no slot has. If there are several, the meta tells. */
static void test_persist_which_reader(struct kunit *test)
{
	u32 of_page = ROOM / 28;
	struct rb_meta *meta;

	/* the meta is not asked */
	meta = begin_reading(test, 0);
	meta->reader = (u32)atomic64_read(&meta->slots[1].in_slot);
	reboot(test);
	expect_pages(test, 0);

	meta = begin_reading(test, 1);
	damage(meta, 0, DAMAGED_INDEX);
	reboot(test);
	expect_events(test, of_page, 2 * of_page);
	expect_note(test, 1);
	expect_pages(test, 2);

	/* it cannot be one that another slot has: then it is not known */
	meta = begin_reading(test, 1);
	damage(meta, 0, DAMAGED_INDEX);
	meta->reader = (u32)atomic64_read(&meta->slots[2].in_slot);
	reboot(test);
	expect_note(test, 1);
	expect_note(test, 1);
	expect_pages(test, 2);

	/* nor can it be one that there is not; its events are damaged, too */
	meta = begin_reading(test, 0);
	local_set(&rb_meta_subbuf(meta, meta->reader)->commit, -1);
	meta->reader = -1;
	damage(meta, 1, DAMAGED_INDEX);
	reboot(test);
	expect_note(test, 1);
	expect_note(test, 1);
	expect_pages(test, 2);
}

/* What was never begun has lost nothing, whatever is there */
static void test_persist_damaged_free(struct kunit *test)
{
	u32 of_page = ROOM / 28;

	first_boot(test);
	write_events(test, 0, of_page, 24);
	damage(range, 1, DAMAGED_EVENT);
	damage(range, 2, DAMAGED_SIZE);
	damage(range, 3, ZEROED);
	reboot(test);
	expect_events(test, 0, of_page);
	expect_no_event(test);
	/* nor has what was read */
	first_boot(test);
	write_events(test, 0, TEST_PAGES * of_page, 24);
	expect_events(test, 0, 2 * of_page + 1);
	damage(range, 0, DAMAGED_SIZE);
	damage(range, 1, DAMAGED_SIZE);
	reboot(test);
	expect_events(test, 2 * of_page, TEST_PAGES * of_page);
	expect_no_event(test);
}

/* A note has the time of what is before it, or else of what is behind it */
static void test_persist_note_time(struct kunit *test)
{
	u32 of_page = ROOM / 28, i;
	u64 time, last = 0;

	first_boot(test);
	now = 1000;
	write_events(test, 0, TEST_PAGES * of_page, 24);
	damage(range, 0, DAMAGED_EVENT);
	damage(range, 2, DAMAGED_EVENT);
	reboot(test);
	for (i = 0; ring_buffer_peek(buffer, TEST_CPU, &time, NULL); i++) {
		if (!i)
			KUNIT_EXPECT_EQ(test, time, 1001 + of_page);
		else if (i == of_page + 1)
			KUNIT_EXPECT_EQ(test, time, last);
		KUNIT_EXPECT_GE(test, time, last);
		last = time;
		ring_buffer_consume(buffer, TEST_CPU, NULL, NULL);
	}
	KUNIT_EXPECT_EQ(test, i, 2 * of_page + 2);
	KUNIT_EXPECT_EQ(test, last, 1000 + TEST_PAGES * of_page);

	first_boot(test);
	now = 1000;
	write_events(test, 0, TEST_PAGES * of_page, 24);
	for (i = 0; i < TEST_PAGES - 1; i++)
		damage(range, i, DAMAGED_EVENT);
	reboot(test);
	ring_buffer_peek(buffer, TEST_CPU, &time, NULL);
	expect_note(test, TEST_PAGES - 1);
	KUNIT_EXPECT_EQ(test, time, 1001 + (TEST_PAGES - 1) * of_page);
}

/* As if the machine had been reset while an event is open, and others are within it */
static void crash_open(struct kunit *test, void *kept, u32 within, u32 length)
{
	KUNIT_ASSERT_NOT_NULL(test, ring_buffer_lock_reserve(buffer, 24));
	while (within--)
		write_event(within, length);
	memcpy(kept, range, PART_PAGES * PAGE_SIZE);
	ring_buffer_unlock_commit(buffer);
	ring_buffer_free(buffer);
	memcpy(range, kept, PART_PAGES * PAGE_SIZE);
	boot(test);
}

static void write_or_discard(struct kunit *test, u32 number, u32 length, bool discard)
{
	struct ring_buffer_event *event = ring_buffer_lock_reserve(buffer, length);

	KUNIT_ASSERT_NOT_NULL(test, event);
	memset(ring_buffer_event_data(event), number, length);
	if (discard)
		ring_buffer_discard_commit(buffer, event);
	else
		ring_buffer_unlock_commit(buffer);
}

/* At most @most events say that something is damaged */
static void expect_notes(struct kunit *test, u32 most)
{
	struct ring_buffer_event *event;
	struct print_entry *entry;
	u32 notes = 0;

	while ((event = ring_buffer_consume(buffer, TEST_CPU, NULL, NULL))) {
		entry = ring_buffer_event_data(event);
		if (entry->ent.type != TRACE_PRINT)
			continue;
		KUNIT_EXPECT_NOT_NULL(test, strstr(entry->buf, ": 1 sub-buffer of"));
		notes++;
	}
	KUNIT_ASSERT_LE(test, notes, most);
}

/* The lengths of the events in the ring, mixed: which there are, and in which order */
static u32 peek_lengths(struct kunit *test)
{
	struct ring_buffer_iter *iter = ring_buffer_read_start(buffer, TEST_CPU, GFP_KERNEL);
	struct ring_buffer_event *event;
	u32 mixed = 0;

	KUNIT_ASSERT_NOT_NULL(test, iter);
	while ((event = ring_buffer_iter_peek(iter, NULL))) {
		mixed = mixed * 31 + ring_buffer_event_length(event);
		ring_buffer_iter_advance(iter);
	}
	ring_buffer_read_finish(iter);
	return mixed;
}

/* What is behind an event that was open is lost, where it was the first, and that is told */
static void test_persist_open(struct kunit *test)
{
	void *kept = kunit_kzalloc(test, PART_PAGES * PAGE_SIZE, GFP_KERNEL);
	u32 of_page = ROOM / 28, i;

	KUNIT_ASSERT_NOT_NULL(test, kept);
	first_boot(test);
	write_events(test, 0, of_page, 24);
	crash_open(test, kept, of_page - 1, 24);
	expect_events(test, 0, of_page);
	expect_no_event(test);
	first_boot(test);
	write_events(test, 0, of_page, 24);
	/* their numbers fall to 0, and the last ones are in another sub-buffer */
	crash_open(test, kept, of_page - 1 + 50, 24);
	expect_events(test, 0, of_page);
	expect_note(test, 1);
	for (i = 50; i-- > 0;)
		expect_event(test, i, 24);
	expect_no_event(test);
}

/* Where nothing is damaged, nothing is said to be, wherever the machine was reset */
static void test_persist_undamaged(struct kunit *test)
{
	void *kept = kunit_kzalloc(test, PART_PAGES * PAGE_SIZE, GFP_KERNEL);
	unsigned long entries;
	u32 random = 1, round, i, before;

	KUNIT_ASSERT_NOT_NULL(test, kept);
	first_boot(test);
	for (round = 0; round < 2000; round++) {
		bool reads = round % 2;
		u32 events = round % 3 ? round % 40 : round % 400;

		for (i = 0; i < events; i++) {
			random = random * 1664525 + 1013904223;
			write_or_discard(test, 0x11 + random % 100, 16 + (random >> 8) % 900,
					 (random >> 20) % 5 == 0);
			if (reads && (random >> 24) % 7 == 0)
				ring_buffer_consume(buffer, TEST_CPU, NULL, NULL);
		}
		if (round % 5 == 4)
			ring_buffer_reset(buffer);
		before = peek_lengths(test);
		entries = ring_buffer_entries(buffer);
		if (round % 4 == 3)
			crash_open(test, kept, round % 90, 24 + round % 200);
		else
			reboot(test);
		if (!reads) {
			KUNIT_ASSERT_EQ(test, peek_lengths(test), before);
			KUNIT_ASSERT_EQ(test, ring_buffer_entries(buffer), entries);
			continue;
		}
		/*
		 * Of what was read, the reader's sub-buffer is there again. If the open event
		 * was the first of its sub-buffer, all that was within it there is lost.
		 */
		expect_notes(test, round % 4 == 3);
		reboot(test);
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
	KUNIT_CASE(test_persist_skips_damaged),
	KUNIT_CASE(test_persist_all_damaged),
	KUNIT_CASE(test_persist_same_index),
	KUNIT_CASE(test_persist_damaged_claim),
	KUNIT_CASE(test_persist_damaged_size),
	KUNIT_CASE(test_persist_damaged_reader),
	KUNIT_CASE(test_persist_which_reader),
	KUNIT_CASE(test_persist_damaged_free),
	KUNIT_CASE(test_persist_note_time),
	KUNIT_CASE(test_persist_open),
	KUNIT_CASE(test_persist_undamaged),
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
