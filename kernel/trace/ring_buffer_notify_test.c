// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit: what those are told who wait for events, and those who map them.
 */
#include <kunit/test.h>
#include <linux/atomic.h>
#include <linux/ftrace.h>
#include <linux/irq_work.h>
#include <linux/module.h>
#include <linux/poll.h>
#include <linux/ring_buffer.h>

#include "ring_buffer_impl.h"
#include "ring_buffer_test.h"

static struct rb_cpu *ring(void)
{
	return rb_cpu_of(buffer, TEST_CPU);
}

/* How often those who wait for events of the CPU were woken. */
static int wakeups(void)
{
	return atomic_read(&ring()->waiters.wakeups);
}

static void expect_woken_since(struct kunit *test, int before)
{
	irq_work_sync(&ring()->waiters.work);
	KUNIT_EXPECT_GT(test, wakeups(), before);
}

/* Is there what is waited for? If not, we want to be woken from now on. */
static bool ready(unsigned int percent)
{
	return ring_buffer_poll_wait(buffer, TEST_CPU, NULL, NULL, percent);
}

static void test_wake(struct kunit *test)
{
	int before = wakeups();

	KUNIT_EXPECT_FALSE(test, ready(0));
	write_events(test, 0, 1, 24);
	expect_woken_since(test, before);
	KUNIT_EXPECT_TRUE(test, ready(0));
}

/* What is shown wakes, not what is behind an event that is open */
static void test_wake_nested(struct kunit *test)
{
	struct ring_buffer_event *event;
	int before = wakeups();

	KUNIT_EXPECT_FALSE(test, ready(0));
	event = ring_buffer_lock_reserve(buffer, 24);
	KUNIT_ASSERT_NOT_NULL(test, event);
	write_event(1, 24);
	KUNIT_EXPECT_EQ(test, wakeups(), before);
	KUNIT_EXPECT_FALSE(test, ready(0));
	ring_buffer_unlock_commit(buffer);
	expect_woken_since(test, before);
	KUNIT_EXPECT_TRUE(test, ready(0));
}

static void test_wake_by_discard(struct kunit *test)
{
	struct ring_buffer_event *event;
	int before = wakeups();

	KUNIT_EXPECT_FALSE(test, ready(0));
	/* nothing comes of it */
	event = ring_buffer_lock_reserve(buffer, 24);
	KUNIT_ASSERT_NOT_NULL(test, event);
	ring_buffer_discard_commit(buffer, event);
	KUNIT_EXPECT_EQ(test, wakeups(), before);
	event = ring_buffer_lock_reserve(buffer, 24);
	KUNIT_ASSERT_NOT_NULL(test, event);
	write_event(1, 24);
	KUNIT_EXPECT_FALSE(test, ready(0));
	before = wakeups();
	/* this shows the one behind it */
	ring_buffer_discard_commit(buffer, event);
	expect_woken_since(test, before);
	KUNIT_EXPECT_TRUE(test, ready(0));
}

#if defined(CONFIG_FUNCTION_GRAPH_TRACER) && defined(CONFIG_DYNAMIC_FTRACE)
#include <linux/jiffies.h>

#define WAKING_IS_TRACED

#define MOST_IN_ANOTHER (2 * RB_WAKE_MOST)

static struct {
	struct task_struct	*task;
	unsigned int		raised, now, most;
} traced;

/* As if someone waited again at once */
static void wait_and_write(void)
{
	WRITE_ONCE(ring()->wake_cpu, true);
	write_event(0, 24);
}

static int wake_in_entry(struct ftrace_graph_ent *call, struct fgraph_ops *gops,
			 struct ftrace_regs *fregs)
{
	if (current != traced.task)
		return 0;
	if (ftrace_location(call->func) == ftrace_location((unsigned long)jiffies_to_msecs))
		wait_and_write();
	else
		traced.raised++;
	return 1;
}

static void ignore_return(struct ftrace_graph_ret *call, struct fgraph_ops *gops,
			  struct ftrace_regs *fregs)
{
}

static void wake_in_return(struct ftrace_graph_ret *call, struct fgraph_ops *gops,
			   struct ftrace_regs *fregs)
{
	if (++traced.now > traced.most)
		traced.most = traced.now;
	if (traced.now < MOST_IN_ANOTHER)
		wait_and_write();
	traced.now--;
}

static void also_trace(struct kunit *test, struct fgraph_ops *gops, const char *function)
{
	char name[32];

	strscpy(name, function, sizeof(name));
	if (ftrace_set_filter(&gops->ops, name, strlen(name), 0)) {
		ftrace_free_filter(&gops->ops);
		kunit_skip(test, "there is no function %s here", function);
	}
}

static void trace_waking(struct kunit *test, struct fgraph_ops *gops)
{
	memset(&traced, 0, sizeof(traced));
	also_trace(test, gops, "arch_irq_work_raise");
	KUNIT_ASSERT_EQ(test, register_ftrace_graph(gops), 0);
	/* Tests before this one may have waited for events of any CPU */
	WRITE_ONCE(ring()->wake_all, false);
	/* Not earlier: to register waits for RCU, which may call the function, too */
	traced.task = current;
}

static void end_waking(struct fgraph_ops *gops)
{
	traced.task = NULL;
	unregister_ftrace_graph(gops);
	ftrace_free_filter(&gops->ops);
}

/* An event that is written at an entry may wake, and what that calls is traced as well */
static void test_wake_in_entry(struct kunit *test)
{
	static struct fgraph_ops gops = {
		.entryfunc = wake_in_entry, .retfunc = ignore_return
	};
	int before = wakeups();

	also_trace(test, &gops, "jiffies_to_msecs");
	trace_waking(test, &gops);
	jiffies_to_msecs(1);
	end_waking(&gops);
	KUNIT_EXPECT_EQ(test, traced.raised, 1);
	expect_woken_since(test, before);
}

/* At returns, nothing but the ring limits how deep one waking may be within another */
static void test_wake_in_return(struct kunit *test)
{
	static struct fgraph_ops gops = {
		.entryfunc = wake_in_entry, .retfunc = wake_in_return
	};
	int before = wakeups();

	trace_waking(test, &gops);
	wait_and_write();
	end_waking(&gops);
	KUNIT_EXPECT_GE(test, traced.most, 2);
	KUNIT_EXPECT_LE(test, traced.most, RB_WAKE_MOST);
	expect_woken_since(test, before);
}
#endif

/* Sub-buffers that are left within an event can be read when that is ended */
static void test_wake_full_nested(struct kunit *test)
{
	struct ring_buffer_event *event;
	u32 i;
	int before;

	event = ring_buffer_lock_reserve(buffer, 24);
	KUNIT_ASSERT_NOT_NULL(test, event);
	for (i = 0; i < 2 * (ROOM / 28); i++)
		write_event(i, 24);
	KUNIT_EXPECT_FALSE(test, ready(50));
	before = wakeups();
	ring_buffer_unlock_commit(buffer);
	expect_woken_since(test, before);
	KUNIT_EXPECT_TRUE(test, ready(50));
}

/* An event that ends with its sub-buffer closes it */
static void test_wake_full_closed(struct kunit *test)
{
	struct ring_buffer_event *event;
	int before;

	event = ring_buffer_lock_reserve(buffer, LONGEST);
	KUNIT_ASSERT_NOT_NULL(test, event);
	KUNIT_EXPECT_FALSE(test, ready(25));
	before = wakeups();
	ring_buffer_unlock_commit(buffer);
	expect_woken_since(test, before);
	KUNIT_EXPECT_TRUE(test, ready(25));
}

/* Lost events of which the next look at a mapping tells, in either place. */
static unsigned long map_lost(struct kunit *test)
{
	struct trace_buffer_meta *meta = ring()->meta_page;
	unsigned long commit, lost = 0;
	struct rb_subbuf *subbuf;
	u32 id = meta->reader.id;

	KUNIT_EXPECT_EQ(test, ring_buffer_map_get_reader(buffer, TEST_CPU), 0);
	subbuf = ring()->reader.subbuf;
	commit = local_read(&subbuf->commit);
	if (id != meta->reader.id && commit & RB_MISSED_COUNT)
		memcpy(&lost, subbuf->data + (commit & ~RB_MISSED_FLAGS), sizeof(lost));
	return lost + meta->reader.lost_events;
}

static unsigned long map_read_all(struct kunit *test)
{
	struct trace_buffer_meta *meta = ring()->meta_page;
	unsigned long read, lost = 0;

	do {
		read = meta->read;
		lost += map_lost(test);
	} while (meta->read != read);
	return lost;
}

/* Each lost event is told once, also one that another reader was about to be told of */
static void test_map_lost(struct kunit *test)
{
	u32 of_page = ROOM / 28;
	unsigned long told;

	write_events(test, 0, 10 * of_page, 24);
	KUNIT_EXPECT_NOT_NULL(test, ring_buffer_peek(buffer, TEST_CPU, NULL, NULL));
	KUNIT_ASSERT_EQ(test, rb_map_begin(ring()), 0);
	told = map_read_all(test);
	KUNIT_EXPECT_GT(test, told, 0);
	KUNIT_EXPECT_EQ(test, told, ring_buffer_overruns(buffer));
	KUNIT_EXPECT_EQ(test, ring()->meta_page->read + told, 10 * of_page);
	write_events(test, 0, 10 * of_page, 24);
	told += map_read_all(test);
	KUNIT_EXPECT_EQ(test, told, ring_buffer_overruns(buffer));
	/* to look again when there is nothing new tells nothing */
	KUNIT_EXPECT_EQ(test, map_read_all(test), 0);
	rb_map_end(ring());
}

static struct kunit_case ring_buffer_notify_test_cases[] = {
	KUNIT_CASE(test_wake),
	KUNIT_CASE(test_wake_nested),
#ifdef WAKING_IS_TRACED
	KUNIT_CASE(test_wake_in_entry),
	KUNIT_CASE(test_wake_in_return),
#endif
	KUNIT_CASE(test_wake_by_discard),
	KUNIT_CASE(test_wake_full_nested),
	KUNIT_CASE(test_wake_full_closed),
	KUNIT_CASE(test_map_lost),
	{ }
};

static struct kunit_suite ring_buffer_notify_test_suite = {
	.name = "ring_buffer_notify",
	.init = ring_buffer_test_init,
	.exit = ring_buffer_test_exit,
	.test_cases = ring_buffer_notify_test_cases,
};

kunit_test_suite(ring_buffer_notify_test_suite);

MODULE_DESCRIPTION("KUnit tests of what waiters and mappings of the ring buffer are told");
MODULE_LICENSE("GPL");
