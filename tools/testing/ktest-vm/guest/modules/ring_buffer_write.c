// SPDX-License-Identifier: GPL-2.0
/*
 * What one write into the ring buffer takes: a place is reserved, the clock
 * read, the event filled and committed, through the general interface.
 *
 * Loading the module does it, with interrupts off, and the parameters tell the
 * result. They count the time stamp counter's ticks, which are instructions in
 * the guest of "make bench".
 */
#include <linux/irqflags.h>
#include <linux/minmax.h>
#include <linux/module.h>
#include <linux/ring_buffer.h>
#include <linux/sort.h>
#include <asm/tsc.h>

#define BUFFER_BYTES	(4UL << 20)
#define WRITES		4000

/* Of the size of a small event: a header of 8 bytes and two words */
struct event {
	u64 words[3];
};

static unsigned int spent[WRITES];

static unsigned int median;
module_param(median, uint, 0444);
MODULE_PARM_DESC(median, "Ticks of the write in the middle");

static unsigned long total;
module_param(total, ulong, 0444);
MODULE_PARM_DESC(total, "Ticks of all writes together");

static unsigned int writes = WRITES;
module_param(writes, uint, 0444);
MODULE_PARM_DESC(writes, "How many writes there were");

static int write_event(struct trace_buffer *buffer)
{
	struct ring_buffer_event *event;
	struct event *body;

	event = ring_buffer_lock_reserve(buffer, sizeof(*body));
	if (!event)
		return -ENOSPC;
	body = ring_buffer_event_data(event);
	body->words[0] = 1;
	body->words[1] = 2;
	body->words[2] = 3;
	return ring_buffer_unlock_commit(buffer);
}

/* Without a buffer, what the measuring itself takes */
static int sample(struct trace_buffer *buffer)
{
	unsigned long flags;
	int error = 0;
	u64 start;
	int i;

	local_irq_save(flags);
	for (i = 0; i < WRITES; i++) {
		start = rdtsc();
		if (buffer)
			error |= write_event(buffer);
		spent[i] = rdtsc() - start;
	}
	local_irq_restore(flags);
	return error ? -EIO : 0;
}

static int compare(const void *a, const void *b)
{
	unsigned int x = *(const unsigned int *)a, y = *(const unsigned int *)b;

	return x < y ? -1 : x > y;
}

static unsigned int middle(void)
{
	sort(spent, WRITES, sizeof(*spent), compare, NULL);
	return spent[WRITES / 2];
}

static int measure(struct trace_buffer *buffer)
{
	unsigned int own, i;
	int error;

	sample(NULL);
	own = middle();
	/* The first time warms up */
	error = sample(buffer) ?: sample(buffer);
	if (error)
		return error;
	for (i = 0; i < WRITES; i++)
		total += spent[i] - min(own, spent[i]);
	median = middle() - own;
	return 0;
}

static int __init ring_buffer_write_init(void)
{
	struct trace_buffer *buffer = ring_buffer_alloc(BUFFER_BYTES, RB_FL_OVERWRITE);
	int error;

	if (!buffer)
		return -ENOMEM;
	error = measure(buffer);
	ring_buffer_free(buffer);
	return error;
}

static void __exit ring_buffer_write_exit(void)
{
}

module_init(ring_buffer_write_init);
module_exit(ring_buffer_write_exit);
MODULE_DESCRIPTION("Count what a write into the ring buffer takes");
MODULE_LICENSE("GPL");
