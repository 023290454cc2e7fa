// SPDX-License-Identifier: GPL-2.0
/*
 * Ring buffer: a test at the end of the boot. On each CPU a thread writes
 * events of all lengths for some seconds, and is interrupted by IPIs that do
 * the same. Each event has its number; in the end every one has to be there,
 * whole and in its order, or to be counted as overwritten.
 */
#include <linux/cpumask.h>
#include <linux/delay.h>
#include <linux/err.h>
#include <linux/init.h>
#include <linux/kthread.h>
#include <linux/printk.h>
#include <linux/ring_buffer.h>
#include <linux/sched.h>
#include <linux/security.h>
#include <linux/smp.h>
#include <linux/string.h>

#define TEST_BYTES	0x100000UL
#define TEST_SECONDS	10
#define TEST_LENGTH_MAX	300

/* Contexts that write, one interrupting the other */
enum test_context { TEST_TASK, TEST_IPI, TEST_CONTEXTS };

struct test_event {
	u16		context;
	u16		length;
	u32		number;
	u8		fill[];
};

struct test_cpu {
	struct task_struct	*writer;
	u32			written[TEST_CONTEXTS];
	u32			refused;
};

static struct trace_buffer *buffer __initdata;
static struct test_cpu test_cpus[NR_CPUS] __initdata;

/* All lengths, in an order that does not repeat soon */
static unsigned int __init test_length(u32 number)
{
	return sizeof(struct test_event) + number * 37 % TEST_LENGTH_MAX;
}

static u8 __init test_fill(struct test_event *event, unsigned int at)
{
	return event->number * 7 + event->context + at;
}

/* Neither is interrupted by another of its kind on its CPU. */
static void __init write_test_event(struct test_cpu *test, enum test_context context)
{
	u32 number = test->written[context];
	unsigned int length = test_length(number), i;
	struct ring_buffer_event *event;
	struct test_event *data;

	event = ring_buffer_lock_reserve(buffer, length);
	if (!event) {
		test->refused++;
		return;
	}
	data = ring_buffer_event_data(event);
	data->context = context;
	data->length = length;
	data->number = number;
	for (i = 0; i < length - sizeof(*data); i++)
		data->fill[i] = test_fill(data, i);
	test->written[context]++;
	ring_buffer_unlock_commit(buffer);
}

static int __init test_writer(void *data)
{
	struct test_cpu *test = data;

	while (!kthread_should_stop()) {
		write_test_event(test, TEST_TASK);
		usleep_range(100 + test->written[TEST_TASK] % 200, 1000);
	}
	return 0;
}

static void __init test_ipi(void *unused)
{
	write_test_event(&test_cpus[smp_processor_id()], TEST_IPI);
}

static int __init test_hammer(void *unused)
{
	while (!kthread_should_stop()) {
		smp_call_function(test_ipi, NULL, 1);
		cond_resched();
	}
	return 0;
}

static const char *__init check_event(struct test_event *event, unsigned int length, u32 *next)
{
	unsigned int i;

	if (event->context >= TEST_CONTEXTS)
		return "an event that nobody wrote";
	if (event->number < next[event->context])
		return "an event twice, or out of order";
	if (event->length != test_length(event->number) || length < event->length ||
	    length > event->length + 3)
		return "a wrong length";
	for (i = 0; i < event->length - sizeof(*event); i++)
		if (event->fill[i] != test_fill(event, i))
			return "wrong data";
	next[event->context] = event->number + 1;
	return NULL;
}

static const char *__init check_cpu(int cpu)
{
	struct test_cpu *test = &test_cpus[cpu];
	u32 next[TEST_CONTEXTS] = { };
	unsigned long read = 0, all_lost = 0, lost;
	struct ring_buffer_event *event;
	const char *wrong;
	u64 time, last = 0;

	while ((event = ring_buffer_consume(buffer, cpu, &time, &lost))) {
		wrong = check_event(ring_buffer_event_data(event),
				    ring_buffer_event_length(event), next);
		if (wrong)
			return wrong;
		if (time < last)
			return "time goes back";
		last = time;
		read++;
		all_lost += lost;
	}
	pr_info("CPU %d: %u events, %u nested ones, %lu read, %lu overwritten\n", cpu,
		test->written[TEST_TASK], test->written[TEST_IPI], read, all_lost);
	if (test->refused)
		return "events that were refused";
	if (read + all_lost != test->written[TEST_TASK] + test->written[TEST_IPI])
		return "events that are missing";
	if (all_lost != ring_buffer_overrun_cpu(buffer, cpu))
		return "events that were lost and not told";
	return NULL;
}

static void __init stop(struct task_struct *task)
{
	if (!IS_ERR_OR_NULL(task))
		kthread_stop(task);
}

static bool __init run_writers(void)
{
	struct task_struct *hammer;
	bool started = true;
	int cpu;

	for_each_online_cpu(cpu) {
		struct test_cpu *test = &test_cpus[cpu];

		test->writer = kthread_run_on_cpu(test_writer, test, cpu, "rbtest/%u");
		started = started && !IS_ERR(test->writer);
	}
	hammer = kthread_run(test_hammer, NULL, "rbhammer");
	started = started && !IS_ERR(hammer);
	if (started)
		ssleep(TEST_SECONDS);
	stop(hammer);
	for_each_online_cpu(cpu)
		stop(test_cpus[cpu].writer);
	return started;
}

static int __init test_ring_buffer(void)
{
	const char *wrong = NULL;
	int cpu;

	if (security_locked_down(LOCKDOWN_TRACEFS)) {
		pr_warn("Kernel is locked down, no ring buffer tests\n");
		return 0;
	}
	pr_info("Running ring buffer tests...\n");
	buffer = ring_buffer_alloc(TEST_BYTES, RB_FL_OVERWRITE);
	if (WARN_ON(!buffer))
		return 0;
	if (!run_writers())
		wrong = "no threads";
	for_each_online_cpu(cpu) {
		if (wrong)
			break;
		wrong = check_cpu(cpu);
	}
	if (wrong)
		WARN(1, "Ring buffer FAILED: %s\n", wrong);
	else
		pr_info("Ring buffer PASSED!\n");
	ring_buffer_free(buffer);
	return 0;
}
late_initcall(test_ring_buffer);
