// SPDX-License-Identifier: GPL-2.0
/* Tell events of code that is gone from events of code now at the same addresses. */
#include <kunit/test.h>
#include <linux/cleanup.h>
#include <linux/cpumask.h>
#include <linux/delay.h>
#include <linux/percpu.h>
#include <linux/ring_buffer.h>
#include <linux/smp.h>
#include <linux/trace.h>
#include <linux/trace_clock.h>

#include "../../trace.h"
#include "../../trace_signature.h"
#include "../signature.h"

/* Addresses without code, which nobody prints */
#define PLACE		0x10000UL
#define PLACE_SIZE	0x1000UL
/* More places than are remembered one by one */
#define NR_PLACES	(3 * TRACE_SIG_REUSED)

static struct trace_array *tr;
static DEFINE_PER_CPU(u64, times);

/* Each CPU's clock is behind the previous one's by more than a test takes */
static u64 skewed_clock(void)
{
	unsigned int before = nr_cpu_ids - raw_smp_processor_id();

	return trace_clock_local() + before * 1000ULL * NSEC_PER_SEC;
}

static void read_clock(void *unused)
{
	this_cpu_write(times, ring_buffer_time_stamp(tr->array_buffer.buffer));
}

static void read_clocks(void)
{
	on_each_cpu(read_clock, NULL, 1);
}

static struct ftrace_sig_range place(unsigned int nr, unsigned int nr_places)
{
	return (struct ftrace_sig_range) {
		.start	= PLACE + nr * PLACE_SIZE,
		.end	= PLACE + (nr + nr_places) * PLACE_SIZE,
	};
}

/* Remove functions from so many places */
static void leave(unsigned int nr, unsigned int nr_places)
{
	struct ftrace_sig_range range = place(nr, nr_places);

	guard(mutex)(&ftrace_sig_mutex);
	ftrace_sig_abandon_range(&range);
}

/* Put other functions there */
static void come(unsigned int nr, unsigned int nr_places)
{
	struct ftrace_sig_range range = place(nr, nr_places);

	guard(mutex)(&ftrace_sig_mutex);
	ftrace_sig_use_range(&range);
}

static void reuse(unsigned int nr)
{
	leave(nr, 1);
	come(nr, 1);
}

/* Whether an event of @cpu at @time is of the functions that are at @nr now */
static bool is_current(int cpu, u64 time, unsigned int nr)
{
	static struct trace_iterator iter;

	iter.tr = tr;
	iter.cpu = cpu;
	iter.ts = time;
	return trace_sig_is_current(&iter, PLACE + nr * PLACE_SIZE + 16);
}

static int reuse_init(struct kunit *test)
{
	u64 data = 0;

	tr = trace_array_get_by_name("kunit_reuse", NULL);
	KUNIT_ASSERT_NOT_NULL(test, tr);
	ring_buffer_set_clock(tr->array_buffer.buffer, skewed_clock);
	/* Reuse is only noted if something was recorded */
	KUNIT_ASSERT_EQ(test, ring_buffer_write(tr->array_buffer.buffer, sizeof(data),
						&data), 0);
	return 0;
}

static void reuse_exit(struct kunit *test)
{
	if (!tr)
		return;
	trace_array_put(tr);
	trace_array_destroy(tr);
}

/* Each CPU's events are judged by its own clock, however far the others differ. */
static void reuse_own_clock(struct kunit *test)
{
	int cpu;

	read_clocks();
	reuse(0);
	for_each_online_cpu(cpu) {
		KUNIT_EXPECT_FALSE_MSG(test, is_current(cpu, per_cpu(times, cpu), 0),
				       "CPU %d", cpu);
		KUNIT_EXPECT_FALSE_MSG(test, is_current(cpu, 1, 0), "CPU %d", cpu);
		/* Other places are not affected */
		KUNIT_EXPECT_TRUE_MSG(test, is_current(cpu, 1, NR_PLACES), "CPU %d", cpu);
	}
	usleep_range(10, 100);
	read_clocks();
	for_each_online_cpu(cpu)
		KUNIT_EXPECT_TRUE_MSG(test, is_current(cpu, per_cpu(times, cpu), 0),
				      "CPU %d", cpu);
}

/* An event once known to be of code that is gone stays so, whatever is loaded later. */
static void reuse_many(struct kunit *test)
{
	u64 *before = kunit_kcalloc(test, NR_PLACES, sizeof(*before), GFP_KERNEL);
	unsigned int i, j;
	int cpu;

	KUNIT_ASSERT_NOT_NULL(test, before);
	migrate_disable();
	cpu = smp_processor_id();
	for (i = 0; i < NR_PLACES; i++) {
		read_clocks();
		before[i] = per_cpu(times, cpu);
		reuse(i);
		for (j = 0; j <= i; j++)
			KUNIT_EXPECT_FALSE(test, is_current(cpu, before[j], j));
		usleep_range(10, 100);
		read_clocks();
		KUNIT_EXPECT_TRUE(test, is_current(cpu, per_cpu(times, cpu), i));
	}
	/* Reusing the same place again takes no further entry */
	for (i = 0; i < NR_PLACES; i++)
		reuse(NR_PLACES - 1);
	KUNIT_EXPECT_TRUE(test, is_current(cpu, per_cpu(times, cpu), NR_PLACES - 2));
	KUNIT_EXPECT_FALSE(test, is_current(cpu, per_cpu(times, cpu), NR_PLACES - 1));
	migrate_enable();
}

/* A place may be reused in parts, or by something larger. */
static void reuse_in_part(struct kunit *test)
{
	int cpu = cpumask_first(cpu_online_mask);

	leave(0, 3);
	read_clocks();
	come(1, 1);
	KUNIT_EXPECT_TRUE(test, is_current(cpu, per_cpu(times, cpu), 0));
	KUNIT_EXPECT_FALSE(test, is_current(cpu, per_cpu(times, cpu), 1));
	usleep_range(10, 100);
	read_clocks();
	come(2, 2);
	KUNIT_EXPECT_TRUE(test, is_current(cpu, per_cpu(times, cpu), 1));
	KUNIT_EXPECT_FALSE(test, is_current(cpu, per_cpu(times, cpu), 2));
	usleep_range(10, 100);
	read_clocks();
	come(0, 1);
	KUNIT_EXPECT_FALSE(test, is_current(cpu, per_cpu(times, cpu), 0));
	KUNIT_EXPECT_TRUE(test, is_current(cpu, per_cpu(times, cpu), 2));
}

/* After events were dropped, no old ones are left. */
static void reuse_reset(struct kunit *test)
{
	int cpu;

	read_clocks();
	reuse(0);
	tracing_reset_online_cpus(&tr->array_buffer);
	for_each_online_cpu(cpu)
		KUNIT_EXPECT_TRUE_MSG(test, is_current(cpu, per_cpu(times, cpu), 0),
				      "CPU %d", cpu);
}

/* A change of the clock drops the events, and the old clock's times with them. */
static void reuse_clock_changed(struct kunit *test)
{
	u64 data = 0;
	int cpu;

	read_clocks();
	reuse(0);
	cpu = cpumask_first(cpu_online_mask);
	KUNIT_EXPECT_FALSE(test, is_current(cpu, per_cpu(times, cpu), 0));
	KUNIT_ASSERT_EQ(test, tracing_set_clock(tr, "global"), 0);
	KUNIT_EXPECT_TRUE(test, is_current(cpu, 1, 0));

	/* If a clock may be set back, its times do not tell the order of events */
	KUNIT_ASSERT_EQ(test, tracing_set_clock(tr, "tai"), 0);
	KUNIT_ASSERT_EQ(test, ring_buffer_write(tr->array_buffer.buffer, sizeof(data),
						&data), 0);
	KUNIT_EXPECT_TRUE(test, is_current(cpu, 1, 0));
	reuse(0);
	KUNIT_EXPECT_FALSE(test, is_current(cpu, U64_MAX, 0));
	KUNIT_EXPECT_TRUE(test, is_current(cpu, 1, NR_PLACES));
	KUNIT_ASSERT_EQ(test, tracing_set_clock(tr, "local"), 0);
	KUNIT_EXPECT_TRUE(test, is_current(cpu, 1, 0));
}

/* A clock that went back is not trusted until another is selected. */
static void reuse_clock_went_back(struct kunit *test)
{
	int cpu = cpumask_first(cpu_online_mask);

	reuse(0);
	ring_buffer_set_clock(tr->array_buffer.buffer, trace_clock_local);
	reuse(0);
	KUNIT_EXPECT_FALSE(test, is_current(cpu, U64_MAX, 0));
	KUNIT_ASSERT_EQ(test, tracing_set_clock(tr, "local"), 0);
	KUNIT_EXPECT_TRUE(test, is_current(cpu, 1, 0));
}

static struct kunit_case reuse_cases[] = {
	KUNIT_CASE(reuse_own_clock),
	KUNIT_CASE(reuse_many),
	KUNIT_CASE(reuse_in_part),
	KUNIT_CASE(reuse_reset),
	KUNIT_CASE(reuse_clock_changed),
	KUNIT_CASE(reuse_clock_went_back),
	{}
};

static struct kunit_suite reuse_suite = {
	.name = "ftrace_signature_reuse",
	.init = reuse_init,
	.exit = reuse_exit,
	.test_cases = reuse_cases,
};

kunit_test_suite(reuse_suite);
