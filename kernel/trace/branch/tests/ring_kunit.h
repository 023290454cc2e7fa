/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Tests of the records that a context keeps. Included by ring.c, whose insides they look at.
 */
#include <kunit/test.h>
#include <linux/completion.h>
#include <linux/cpu.h>
#include <linux/hrtimer.h>
#include <linux/kthread.h>

#define NR_SLOTS	8

static struct branch_ring *ring_at(struct kunit *test, unsigned long pos, bool circular)
{
	struct branch_ring *ring = branch_ring_alloc(NR_SLOTS, circular);
	unsigned long i;

	KUNIT_ASSERT_NOT_NULL(test, ring);
	KUNIT_ASSERT_EQ(test, ring->nr, NR_SLOTS);
	atomic_long_set(&ring->head, pos);
	ring->cursor.pos = pos;
	for (i = pos; i != pos + NR_SLOTS; i++)
		slot_of(ring, i)->state = written(i - NR_SLOTS);
	return ring;
}

static void write_numbers(struct branch_ring *ring, u64 from, u64 to)
{
	struct branch_record record = { .kind = BRANCH_JUMP };

	for (record.from = from; record.from < to; record.from++)
		branch_ring_write(ring, &record);
}

static void expect_record(struct kunit *test, struct branch_ring *ring, unsigned int kind,
			  u64 number)
{
	struct branch_record record;

	KUNIT_ASSERT_TRUE(test, branch_ring_read(ring, &record));
	KUNIT_EXPECT_EQ(test, record.kind, kind);
	KUNIT_EXPECT_EQ(test, record.from, number);
}

static void expect_numbers(struct kunit *test, struct branch_ring *ring, u64 from, u64 to)
{
	for (; from < to; from++)
		expect_record(test, ring, BRANCH_JUMP, from);
}

static void expect_none(struct kunit *test, struct branch_ring *ring)
{
	struct branch_record record;

	KUNIT_EXPECT_FALSE(test, branch_ring_read(ring, &record));
}

/* Positions where they wrap around, and where the states do */
static const unsigned long starts[] = { 0, -5UL, -NR_SLOTS, LONG_MAX - 3, (1UL << 20) + 3 };

static void ring_test_order(struct kunit *test)
{
	unsigned int i, round;

	for (i = 0; i < ARRAY_SIZE(starts); i++) {
		struct branch_ring *ring = ring_at(test, starts[i], i & 1);

		expect_none(test, ring);
		for (round = 0; round < 10; round++) {
			write_numbers(ring, round, round + 1 + round % NR_SLOTS);
			expect_numbers(test, ring, round, round + 1 + round % NR_SLOTS);
			expect_none(test, ring);
		}
		branch_ring_free(ring);
	}
}

static void ring_test_full(struct kunit *test)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(starts); i++) {
		struct branch_ring *ring = ring_at(test, starts[i], false);

		write_numbers(ring, 0, NR_SLOTS + 3);
		expect_numbers(test, ring, 0, 2);
		/* There is room for two */
		write_numbers(ring, 100, 103);
		expect_numbers(test, ring, 2, NR_SLOTS);
		expect_record(test, ring, BRANCH_LOST, 3);
		expect_numbers(test, ring, 100, 102);
		expect_record(test, ring, BRANCH_LOST, 1);
		expect_none(test, ring);
		write_numbers(ring, 200, 201);
		expect_numbers(test, ring, 200, 201);
		expect_none(test, ring);
		branch_ring_free(ring);
	}
}

static void ring_test_circular(struct kunit *test)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(starts); i++) {
		struct branch_ring *ring = ring_at(test, starts[i], true);

		write_numbers(ring, 0, NR_SLOTS);
		expect_numbers(test, ring, 0, 1);
		write_numbers(ring, NR_SLOTS, 4 * NR_SLOTS + 5);
		expect_record(test, ring, BRANCH_LOST, 3 * NR_SLOTS + 5 - 1);
		expect_numbers(test, ring, 3 * NR_SLOTS + 5, 4 * NR_SLOTS);
		write_numbers(ring, 4 * NR_SLOTS + 5, 4 * NR_SLOTS + 6);
		expect_numbers(test, ring, 4 * NR_SLOTS, 4 * NR_SLOTS + 6);
		expect_none(test, ring);
		branch_ring_free(ring);
	}
}

/* The newest records can be looked at again and again, and then taken */
static void ring_test_cursor(struct kunit *test)
{
	struct branch_ring *ring = ring_at(test, 0, true);
	struct branch_cursor cursor;
	struct branch_record record;
	unsigned int i, times;

	write_numbers(ring, 0, NR_SLOTS + 2);
	for (times = 0; times < 3; times++) {
		branch_ring_first(ring, &cursor);
		KUNIT_ASSERT_TRUE(test, branch_ring_next(ring, &cursor, &record));
		KUNIT_EXPECT_EQ(test, record.kind, BRANCH_LOST);
		KUNIT_EXPECT_EQ(test, record.from, 2);
		for (i = 0; i < NR_SLOTS; i++) {
			KUNIT_ASSERT_TRUE(test, branch_ring_next(ring, &cursor, &record));
			KUNIT_EXPECT_EQ(test, record.from, 2 + i);
		}
		KUNIT_EXPECT_FALSE(test, branch_ring_next(ring, &cursor, &record));
	}
	write_numbers(ring, NR_SLOTS + 2, NR_SLOTS + 3);
	KUNIT_ASSERT_TRUE(test, branch_ring_next(ring, &cursor, &record));
	KUNIT_EXPECT_EQ(test, record.from, NR_SLOTS + 2);

	expect_record(test, ring, BRANCH_LOST, 3);
	expect_numbers(test, ring, 3, NR_SLOTS + 3);
	expect_none(test, ring);
	branch_ring_free(ring);
}

/* A writer that is interrupted at its work, for rounds: after it took its slot, or marked it */
static void ring_test_interrupted(struct kunit *test)
{
	struct branch_ring *ring = ring_at(test, -3UL, true);
	struct branch_slot *slot;
	unsigned long pos;

	write_numbers(ring, 0, 1);
	slot = take_slot(ring, &pos);
	KUNIT_ASSERT_NOT_NULL(test, slot);
	KUNIT_EXPECT_EQ(test, pos, -2UL);
	KUNIT_EXPECT_EQ(test, slot->state, being_written(pos));
	WRITE_ONCE(slot->state, written(pos - NR_SLOTS));
	write_numbers(ring, 2, NR_SLOTS + 12);
	/* What was written after is behind it */
	expect_none(test, ring);
	WRITE_ONCE(slot->state, being_written(pos));
	write_numbers(ring, 50, 55);
	slot->lost = 0;
	slot->record = (struct branch_record) { .kind = BRANCH_JUMP, .from = 1 };
	WRITE_ONCE(slot->state, written(pos));

	/* The first was written over. Those that came to the slot were lost. */
	expect_record(test, ring, BRANCH_LOST, 1);
	expect_numbers(test, ring, 1, 1 + NR_SLOTS);
	expect_record(test, ring, BRANCH_LOST, 11 + 5);
	expect_none(test, ring);
	write_numbers(ring, 60, 61);
	expect_numbers(test, ring, 60, 61);
	branch_ring_free(ring);
}

/*
 * A slow writer has noted more losses than the writers of later positions. None is told twice,
 * also if the reader skips records in between.
 */
static void ring_test_lost_out_of_order(struct kunit *test)
{
	struct branch_ring *ring = ring_at(test, 0, true);

	write_numbers(ring, 0, 1);
	slot_of(ring, 0)->lost = 5;
	expect_record(test, ring, BRANCH_LOST, 5);
	expect_numbers(test, ring, 0, 1);
	atomic_long_set(&ring->lost, 3);
	write_numbers(ring, 1, NR_SLOTS + 3);
	atomic_long_set(&ring->lost, 5);
	write_numbers(ring, NR_SLOTS + 3, NR_SLOTS + 4);
	expect_record(test, ring, BRANCH_LOST, 3);
	expect_numbers(test, ring, 4, NR_SLOTS + 4);
	expect_none(test, ring);
	branch_ring_free(ring);
}

/* The smallest ring, and one whose size is rounded up */
static void ring_test_sizes(struct kunit *test)
{
	struct branch_ring *ring = branch_ring_alloc(1, false);

	KUNIT_ASSERT_NOT_NULL(test, ring);
	write_numbers(ring, 0, 2);
	expect_numbers(test, ring, 0, 1);
	write_numbers(ring, 2, 3);
	expect_record(test, ring, BRANCH_LOST, 1);
	expect_numbers(test, ring, 2, 3);
	expect_none(test, ring);
	branch_ring_free(ring);

	ring = branch_ring_alloc(1, true);
	KUNIT_ASSERT_NOT_NULL(test, ring);
	write_numbers(ring, 0, 3);
	expect_record(test, ring, BRANCH_LOST, 2);
	expect_numbers(test, ring, 2, 3);
	expect_none(test, ring);
	branch_ring_free(ring);

	ring = branch_ring_alloc(5, false);
	KUNIT_ASSERT_NOT_NULL(test, ring);
	write_numbers(ring, 0, 9);
	expect_numbers(test, ring, 0, 8);
	expect_record(test, ring, BRANCH_LOST, 1);
	expect_none(test, ring);
	branch_ring_free(ring);
}

/* Threads and the timers that interrupt them write on each CPU, and one reads */
struct ring_writer {
	struct branch_ring	*ring;
	struct task_struct	*task;
	struct hrtimer		timer;
	unsigned int		number[2];
	struct completion	done;
	unsigned int		cpu;
};

#define NR_WRITTEN	20000
#define TIMER_NS	200000
/* Records of the timer each time, in all at least, and at most: a slow CPU does little else */
#define TIMER_BATCH	(3 * NR_SLOTS / 2)
#define NR_FROM_TIMER	500
#define MOST_FROM_TIMER	4000
/* What a CPU writes at most */
#define MOST_WRITTEN	(NR_WRITTEN + MOST_FROM_TIMER + TIMER_BATCH)

static void write_one(struct ring_writer *writer, unsigned int context)
{
	struct branch_record record = {
		.kind = BRANCH_JUMP,
		.cpu = writer->cpu,
		.flags = context,
		.from = writer->number[context],
		.to = ~(u64)writer->number[context],
	};

	writer->number[context]++;
	branch_ring_write(writer->ring, &record);
}

static enum hrtimer_restart write_from_timer(struct hrtimer *timer)
{
	struct ring_writer *writer = container_of(timer, struct ring_writer, timer);
	unsigned int i;

	for (i = 0; i < TIMER_BATCH; i++)
		write_one(writer, 1);
	if (writer->number[1] >= MOST_FROM_TIMER)
		return HRTIMER_NORESTART;
	hrtimer_forward_now(timer, ns_to_ktime(TIMER_NS));
	return HRTIMER_RESTART;
}

static int write_in_thread(void *data)
{
	struct ring_writer *writer = data;

	hrtimer_init(&writer->timer, CLOCK_MONOTONIC, HRTIMER_MODE_REL_PINNED_HARD);
	writer->timer.function = write_from_timer;
	hrtimer_start(&writer->timer, ns_to_ktime(TIMER_NS), HRTIMER_MODE_REL_PINNED_HARD);
	while (writer->number[0] < NR_WRITTEN || READ_ONCE(writer->number[1]) < NR_FROM_TIMER) {
		if (writer->number[0] < NR_WRITTEN)
			write_one(writer, 0);
		cond_resched();
	}
	hrtimer_cancel(&writer->timer);
	complete(&writer->done);
	return 0;
}

struct ring_reader {
	u64	next[NR_CPUS][2];
	u64	read;
	u64	lost;
};

static void read_all(struct kunit *test, struct branch_ring *ring, struct ring_reader *reader)
{
	struct branch_record record;

	while (branch_ring_read(ring, &record)) {
		if (record.kind == BRANCH_LOST) {
			KUNIT_ASSERT_NE(test, record.from, 0);
			reader->lost += record.from;
			continue;
		}
		KUNIT_ASSERT_EQ(test, record.to, ~record.from);
		KUNIT_ASSERT_GE(test, record.from, reader->next[record.cpu][record.flags]);
		reader->next[record.cpu][record.flags] = record.from + 1;
		reader->read++;
	}
}

static void run_writers(struct kunit *test, struct branch_ring *ring, bool has_room)
{
	struct ring_reader *reader = kvzalloc(sizeof(*reader), GFP_KERNEL);
	struct ring_writer *writers = kvcalloc(nr_cpu_ids, sizeof(*writers), GFP_KERNEL);
	u64 sum = 0;
	unsigned int cpu;

	KUNIT_ASSERT_NOT_NULL(test, reader);
	KUNIT_ASSERT_NOT_NULL(test, writers);
	cpus_read_lock();
	for_each_online_cpu(cpu) {
		struct ring_writer *writer = &writers[cpu];

		writer->ring = ring;
		writer->cpu = cpu;
		init_completion(&writer->done);
		writer->task = kthread_create_on_cpu(write_in_thread, writer, cpu,
						     "branch_ring/%u");
		KUNIT_ASSERT_FALSE(test, IS_ERR(writer->task));
		wake_up_process(writer->task);
	}
	for_each_online_cpu(cpu) {
		while (!wait_for_completion_timeout(&writers[cpu].done, 1))
			read_all(test, ring, reader);
		sum += writers[cpu].number[0] + writers[cpu].number[1];
	}
	cpus_read_unlock();
	read_all(test, ring, reader);
	KUNIT_EXPECT_EQ(test, reader->read + reader->lost, sum);
	KUNIT_EXPECT_GT(test, reader->read, 0);
	KUNIT_EXPECT_EQ_MSG(test, reader->lost == 0, has_room, "%llu of %llu are lost",
			    reader->lost, sum);
	kvfree(writers);
	kvfree(reader);
	branch_ring_free(ring);
}

static void ring_test_writers_full(struct kunit *test)
{
	run_writers(test, ring_at(test, LONG_MAX - NR_WRITTEN, false), false);
}

static void ring_test_writers_circular(struct kunit *test)
{
	run_writers(test, ring_at(test, LONG_MAX - NR_WRITTEN, true), false);
}

/* No record is lost while there is room, however many write */
static void ring_test_writers_room(struct kunit *test)
{
	struct branch_ring *ring = branch_ring_alloc(nr_cpu_ids * MOST_WRITTEN, false);

	KUNIT_ASSERT_NOT_NULL(test, ring);
	run_writers(test, ring, true);
}

static struct kunit_case branch_ring_cases[] = {
	KUNIT_CASE(ring_test_order),
	KUNIT_CASE(ring_test_full),
	KUNIT_CASE(ring_test_circular),
	KUNIT_CASE(ring_test_cursor),
	KUNIT_CASE(ring_test_interrupted),
	KUNIT_CASE(ring_test_lost_out_of_order),
	KUNIT_CASE(ring_test_sizes),
	KUNIT_CASE(ring_test_writers_full),
	KUNIT_CASE(ring_test_writers_circular),
	KUNIT_CASE(ring_test_writers_room),
	{}
};

static struct kunit_suite branch_ring_suite = {
	.name = "branch_ring",
	.test_cases = branch_ring_cases,
};

kunit_test_suite(branch_ring_suite);
