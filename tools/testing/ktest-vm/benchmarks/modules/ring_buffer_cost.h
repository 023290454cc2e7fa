/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What is the same in the modules that count what the ring buffer takes.
 *
 * Loading one of them measures, with interrupts off, and the parameters tell the
 * result. They count the time stamp counter's ticks, which are instructions in
 * the guest of "make bench".
 */
#ifndef RING_BUFFER_COST_H
#define RING_BUFFER_COST_H

#include <linux/irqflags.h>
#include <linux/minmax.h>
#include <linux/sort.h>
#include <asm/tsc.h>
#include "ring_buffer_event.h"

#define BUFFER_BYTES	(4UL << 20)
#define EVENTS		4000

static unsigned int spent[EVENTS];

static unsigned int median;
module_param(median, uint, 0444);
MODULE_PARM_DESC(median, "Ticks of the sample in the middle");

static unsigned long total;
module_param(total, ulong, 0444);
MODULE_PARM_DESC(total, "Ticks of all samples together");

/*
 * Count @once, a constant, @count times, or to the first that fails. Returns how
 * often it was done.
 */
static __always_inline unsigned int sample(struct trace_buffer *buffer, unsigned int count,
					   int (*once)(struct trace_buffer *buffer))
{
	unsigned long flags;
	unsigned int i;
	u64 start;
	int error;

	local_irq_save(flags);
	for (i = 0; i < count; i++) {
		start = rdtsc();
		error = once(buffer);
		spent[i] = rdtsc() - start;
		if (error)
			break;
	}
	local_irq_restore(flags);
	return i;
}

static int compare(const void *a, const void *b)
{
	unsigned int x = *(const unsigned int *)a, y = *(const unsigned int *)b;

	return x < y ? -1 : x > y;
}

static unsigned int middle(unsigned int samples)
{
	sort(spent, samples, sizeof(*spent), compare, NULL);
	return spent[samples / 2];
}

static __always_inline int do_nothing(struct trace_buffer *buffer)
{
	return 0;
}

/* What measuring takes by itself */
static unsigned int own_ticks(void)
{
	return middle(sample(NULL, EVENTS, do_nothing));
}

static void take_samples(unsigned int samples, unsigned int own)
{
	unsigned int i;

	for (i = 0; i < samples; i++)
		total += spent[i] - min(own, spent[i]);
	median = middle(samples) - own;
}

/* What writing events takes, each with @once */
static __always_inline int count_writes(int (*once)(struct trace_buffer *buffer))
{
	struct trace_buffer *buffer = ring_buffer_alloc(BUFFER_BYTES, RB_FL_OVERWRITE);
	unsigned int own = own_ticks();

	if (!buffer)
		return -ENOMEM;
	/* The first time warms up */
	sample(buffer, EVENTS, once);
	events = sample(buffer, EVENTS, once);
	take_samples(events, own);
	ring_buffer_free(buffer);
	return events == EVENTS ? 0 : -EIO;
}

#endif
