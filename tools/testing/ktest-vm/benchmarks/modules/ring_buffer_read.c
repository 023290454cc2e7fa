// SPDX-License-Identifier: GPL-2.0
/*
 * What reading events takes, which others wrote before: see ways[]. In "bytes"
 * is what the events of "page" and "copy" took of the sub-buffers that were read.
 * With "wrapped", the events are the oldest of a ring of that size in which others
 * were overwritten. That must cost no more, whatever the size.
 */
#include <linux/string.h>
#include "ring_buffer_cost.h"

/* Less than a sub-buffer has room for */
#define FEW		100

static char *how = "";
module_param(how, charp, 0444);
MODULE_PARM_DESC(how, "In which way events are read");

static unsigned int wrapped;
module_param(wrapped, uint, 0444);
MODULE_PARM_DESC(wrapped, "MB of a ring that is written over and over, or 0");

static unsigned long bytes;
module_param(bytes, ulong, 0444);
MODULE_PARM_DESC(bytes, "Bytes of the events of pages that were read");

static struct ring_buffer_iter *iter;
static struct buffer_data_read_page *page;

static int consume_event(struct trace_buffer *buffer)
{
	unsigned long lost;
	u64 time;

	return ring_buffer_consume(buffer, 0, &time, &lost) ? 0 : -ENOENT;
}

static int look_at_event(struct trace_buffer *buffer)
{
	u64 time;

	if (!ring_buffer_iter_peek(iter, &time))
		return -ENOENT;
	ring_buffer_iter_advance(iter);
	return 0;
}

/* As the file "trace" does, which asks each CPU's ring first whether it is empty */
static int look_if_any(struct trace_buffer *buffer)
{
	return ring_buffer_empty_cpu(buffer, 0) ? -ENOENT : look_at_event(buffer);
}

static int read_page(struct trace_buffer *buffer)
{
	return ring_buffer_read_page(buffer, page, PAGE_SIZE, 0, 1) ? -ENOENT : 0;
}

/* It has more events than fit */
static int copy_some(struct trace_buffer *buffer)
{
	return ring_buffer_read_page(buffer, page, PAGE_SIZE / 4, 0, 0) ? -ENOENT : 0;
}

static int copy_events(struct trace_buffer *buffer)
{
	return ring_buffer_read_page(buffer, page, PAGE_SIZE, 0, 0) ? -ENOENT : 0;
}

static unsigned int sample_consume(struct trace_buffer *buffer)
{
	return sample(buffer, EVENTS, consume_event);
}

static __always_inline unsigned int sample_iterator(struct trace_buffer *buffer,
						    int (*once)(struct trace_buffer *buffer))
{
	unsigned int samples;

	iter = ring_buffer_read_start(buffer, 0, GFP_KERNEL);
	if (!iter)
		return 0;
	samples = sample(buffer, EVENTS, once);
	ring_buffer_read_finish(iter);
	return samples;
}

static unsigned int sample_look(struct trace_buffer *buffer)
{
	return sample_iterator(buffer, look_at_event);
}

static unsigned int sample_trace(struct trace_buffer *buffer)
{
	return sample_iterator(buffer, look_if_any);
}

static unsigned int sample_page(struct trace_buffer *buffer)
{
	/* not all of them: see write_for() */
	return sample(buffer, wrapped ? FEW : EVENTS, read_page);
}

static unsigned int sample_copy(struct trace_buffer *buffer)
{
	return wrapped ? sample(buffer, FEW, copy_some) : sample(buffer, 1, copy_events);
}

static const struct way {
	const char *name;
	unsigned int written;
	unsigned int (*sample)(struct trace_buffer *buffer);
	bool pages;
} ways[] = {
	/* each event is consumed */
	{ "consume", EVENTS, sample_consume },
	/* an iterator looks at each */
	{ "look", EVENTS, sample_look },
	/* the same, and before each it is asked whether there is one */
	{ "trace", EVENTS, sample_trace },
	/* sub-buffers that are full are handed out */
	{ "page", EVENTS, sample_page, true },
	/* the events of a sub-buffer that is being written, or some of one, are copied */
	{ "copy", FEW, sample_copy, true },
};

static unsigned long page_bytes(void)
{
	const struct {
		u64 time_stamp;
		unsigned long commit;
	} *head = ring_buffer_read_page_data(page);

	/* the upper bits tell of lost events */
	return head->commit & 0xfffff;
}

static bool write_some(struct trace_buffer *buffer, unsigned int count)
{
	while (count && !write_event(buffer))
		count--;
	return !count;
}

/* Until a quarter of what fits was overwritten */
static bool wrap(struct trace_buffer *buffer)
{
	do {
		if (!write_some(buffer, EVENTS))
			return false;
	} while (ring_buffer_overruns(buffer) < ring_buffer_entries(buffer) / 4);
	return true;
}

static bool write_for(const struct way *way, struct trace_buffer *buffer)
{
	/* to fill a large ring takes long: what is in it lasts for more than once */
	if (wrapped)
		return ring_buffer_overruns(buffer) || wrap(buffer);
	ring_buffer_reset(buffer);
	return write_some(buffer, way->written);
}

/* Returns how many samples there are */
static unsigned int read_once(const struct way *way, struct trace_buffer *buffer)
{
	unsigned long there;
	unsigned int samples;

	if (!write_for(way, buffer))
		return 0;
	there = ring_buffer_entries(buffer);
	samples = way->sample(buffer);
	events = samples;
	if (way->pages) {
		events = there - ring_buffer_entries(buffer);
		bytes = samples * page_bytes();
	}
	return samples;
}

static int measure(const struct way *way, struct trace_buffer *buffer)
{
	unsigned int own = own_ticks(), samples;

	/* The first time warms up */
	samples = read_once(way, buffer) ? read_once(way, buffer) : 0;
	if (!samples || (!way->pages && samples != EVENTS))
		return -EIO;
	take_samples(samples, own);
	return 0;
}

static int measure_in_buffer(const struct way *way)
{
	unsigned long size = wrapped ? (unsigned long)wrapped << 20 : BUFFER_BYTES;
	struct trace_buffer *buffer = ring_buffer_alloc(size, RB_FL_OVERWRITE);
	int error;

	if (!buffer)
		return -ENOMEM;
	error = ring_buffer_alloc_read_page(buffer, 0, &page);
	if (!error) {
		error = measure(way, buffer);
		ring_buffer_free_read_page(buffer, 0, page);
	}
	ring_buffer_free(buffer);
	return error;
}

static int __init ring_buffer_read_init(void)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(ways); i++)
		if (!strcmp(ways[i].name, how))
			return measure_in_buffer(&ways[i]);
	return -EINVAL;
}

static void __exit ring_buffer_read_exit(void)
{
}

module_init(ring_buffer_read_init);
module_exit(ring_buffer_read_exit);
MODULE_DESCRIPTION("Count what reading from the ring buffer takes");
MODULE_LICENSE("GPL");
