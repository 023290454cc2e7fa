// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit: events that an earlier boot or another kernel left are not read beyond their
 * end and not misinterpreted. A part of the test's memory outlives the "boots".
 */
#include <kunit/test.h>
#include <linux/mm.h>
#include <linux/percpu.h>
#include <linux/ring_buffer.h>
#include <linux/sched.h>
#include <linux/slab.h>

#include "ring_buffer_persist.h"
#include "trace.h"
#include "trace_last_boot.h"
#include "trace_signature.h"

#define PART_PAGES	6

struct boot {
	struct kunit		*test;
	struct trace_iterator	iter;
	struct trace_array	tr;
	unsigned long		range;
	u8			event[256] __aligned(8);
};

static struct boot *boot;

/* Simulate a reset of the machine: the contents of the range stay */
static void reboot(void)
{
	struct trace_buffer *buffer = boot->tr.array_buffer.buffer;

	if (buffer)
		ring_buffer_free(buffer);
	buffer = ring_buffer_alloc_range(0, RB_FL_OVERWRITE, 0, boot->range,
					 nr_cpu_ids * PART_PAGES * PAGE_SIZE);
	boot->tr.array_buffer.buffer = buffer;
	KUNIT_ASSERT_NOT_NULL(boot->test, buffer);
}

static void reboot_another_kernel(void)
{
	int cpu;

	for_each_possible_cpu(cpu) {
		struct rb_meta *meta = (void *)boot->range + cpu * PART_PAGES * PAGE_SIZE;

		meta->build_id[0] ^= 1;
	}
	reboot();
}

static int last_boot_init(struct kunit *test)
{
	unsigned long size = (nr_cpu_ids * PART_PAGES + 1) * PAGE_SIZE;
	void *memory = kunit_kzalloc(test, size, GFP_KERNEL);

	boot = kunit_kzalloc(test, sizeof(*boot), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, memory);
	KUNIT_ASSERT_NOT_NULL(test, boot);
	boot->test = test;
	boot->range = ALIGN((unsigned long)memory, PAGE_SIZE);
	boot->tr.range_addr_start = boot->range;
	boot->tr.array_buffer.data = alloc_percpu(struct trace_array_cpu);
	KUNIT_ASSERT_NOT_NULL(test, boot->tr.array_buffer.data);
	boot->iter.tr = &boot->tr;
	boot->iter.ent = (void *)boot->event;
	reboot();
	KUNIT_ASSERT_EQ(test, ring_buffer_write(boot->tr.array_buffer.buffer, 8,
						boot->event), 0);
	return 0;
}

static void last_boot_exit(struct kunit *test)
{
	if (!boot)
		return;
	if (boot->tr.array_buffer.buffer)
		ring_buffer_free(boot->tr.array_buffer.buffer);
	free_percpu(boot->tr.array_buffer.data);
	boot = NULL;
}

/* Either @text is printed, or, if it is "", printing is left to others */
static void expect_strange(unsigned int type, int size, const char *text)
{
	struct trace_seq *s = &boot->iter.seq;
	bool strange;

	trace_seq_init(s);
	boot->iter.ent->type = type;
	boot->iter.ent_size = size;
	strange = trace_print_strange(&boot->iter);
	trace_seq_putc(s, '\0');
	KUNIT_EXPECT_EQ(boot->test, strange, text[0] != '\0');
	KUNIT_EXPECT_STREQ(boot->test, s->buffer, text);
}

static void expect_name(unsigned long ip, const char *text)
{
	struct trace_seq *s = &boot->iter.seq;

	trace_seq_init(s);
	trace_sig_print_name(&boot->iter, ip);
	trace_seq_putc(s, '\0');
	KUNIT_EXPECT_STREQ(boot->test, s->buffer, text);
}

/* An event that ends too early is not read. */
static void last_boot_short(struct kunit *test)
{
	/* Events of this boot are never checked */
	expect_strange(TRACE_FN, 4, "");
	reboot();
	expect_strange(TRACE_FN, 4, "# 4 bytes of an event: ?\n");
	expect_strange(TRACE_FN, 8, "# event of type 1, 8 bytes: ?\n");
	expect_strange(TRACE_FN, sizeof(struct ftrace_entry), "");
	expect_strange(TRACE_FN, sizeof(struct ftrace_entry) + 6 * sizeof(long), "");
	expect_strange(TRACE_GRAPH_ENT, 12, "# event of type 11, 12 bytes: ?\n");
	expect_strange(TRACE_GRAPH_ENT, sizeof(struct ftrace_graph_ent_entry), "");
	expect_strange(TRACE_GRAPH_RET, 20, "# event of type 10, 20 bytes: ?\n");
	expect_strange(TRACE_GRAPH_RET, sizeof(struct ftrace_graph_ret_entry), "");
	expect_strange(TRACE_STACK, sizeof(struct stack_entry) + 3 * sizeof(long), "");
	/* These events have pointers to their text */
	expect_strange(TRACE_BPUTS, 64, "# event of type 14, 64 bytes: ?\n");
	ring_buffer_reset(boot->tr.array_buffer.buffer);
	expect_strange(TRACE_FN, 4, "");
}

/* An event with an impossible task or state is not read either. */
static void last_boot_nonsense(struct kunit *test)
{
	struct ctx_switch_entry *entry = (void *)boot->event;

	reboot();
	expect_strange(TRACE_CTX, sizeof(*entry), "");
	entry->next_state = 0xff;
	expect_strange(TRACE_CTX, 32, "# event of type 2, 32 bytes: ?\n");
	entry->ent.pid = -1;
	expect_strange(TRACE_FN, 64, "# event of type 1, 64 bytes: ?\n");
}

/* A string without an end must not be read beyond its event. */
static void last_boot_string(struct kunit *test)
{
	struct print_entry *entry = (void *)boot->event;
	int size = sizeof(*entry) + 8;

	reboot();
	memset(entry->buf, 'x', 8);
	expect_strange(TRACE_PRINT, size, size == 24 ? "# event of type 5, 24 bytes: ?\n" :
						       "# event of type 5, 20 bytes: ?\n");
	entry->buf[7] = '\0';
	expect_strange(TRACE_PRINT, size, "");
}

/* The event that stands for damaged sub-buffers is a line by itself. */
static void last_boot_damaged(struct kunit *test)
{
	struct print_entry *entry = (void *)boot->event;
	int size = sizeof(*entry) + 24;

	reboot();
	strscpy(entry->buf, RING_BUFFER_LOST "all", 24);
	boot->iter.cpu = 2;
	expect_strange(TRACE_PRINT, size, "CPU:2 [LOST EVENTS: all]\n");
	expect_strange(TRACE_PRINT, sizeof(*entry) + 2, sizeof(*entry) == 16 ?
		       "# event of type 5, 18 bytes: ?\n" : "# event of type 5, 14 bytes: ?\n");
	/* Any other text is an event */
	entry->buf[0] = 'l';
	expect_strange(TRACE_PRINT, size, "");
	entry->buf[0] = 'L';
	/* Users write others */
	entry->ip = 1;
	expect_strange(TRACE_PRINT, size, "");
	entry->ip = 0;
	entry->ent.pid = 1;
	expect_strange(TRACE_PRINT, size, "");
}

/* Neither names nor event types of another kernel are known. */
static void last_boot_other(struct kunit *test)
{
	unsigned long ip = (unsigned long)schedule;
	char text[32];

	reboot();
	if (IS_ENABLED(CONFIG_FTRACE_SIGNATURES))
		expect_name(ip, "schedule");
	reboot_another_kernel();
	expect_strange(TRACE_FN, sizeof(struct ftrace_entry), "");
	expect_strange(TRACE_CTX, 64, "# event of type 2, 64 bytes: ?\n");
	expect_strange(__TRACE_LAST_TYPE + 1, 64, "# event of type 21, 64 bytes: ?\n");
	scnprintf(text, sizeof(text), "0x%lx", ip);
	expect_name(ip, text);
	ring_buffer_reset(boot->tr.array_buffer.buffer);
	expect_name(ip, "schedule");
}

static struct kunit_case last_boot_cases[] = {
	KUNIT_CASE(last_boot_short),
	KUNIT_CASE(last_boot_nonsense),
	KUNIT_CASE(last_boot_string),
	KUNIT_CASE(last_boot_damaged),
	KUNIT_CASE(last_boot_other),
	{ }
};

static struct kunit_suite last_boot_suite = {
	.name = "trace_last_boot",
	.init = last_boot_init,
	.exit = last_boot_exit,
	.test_cases = last_boot_cases,
};

kunit_test_suite(last_boot_suite);
