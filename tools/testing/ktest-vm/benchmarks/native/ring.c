// SPDX-License-Identifier: GPL-2.0
/* The kernel's ring buffer, ours or the base's, through its general interface. */
#include "ring.h"

/* Of a program's first CPU, which its threads share */
struct trace_buffer *ring;
static struct buffer_data_read_page *page;

static noinline void write_event(u64 value)
{
	struct ring_buffer_event *event = ring_buffer_lock_reserve(ring, sizeof(struct event));

	if (!event)
		return;
	fill_event(ring_buffer_event_data(event), value);
	ring_buffer_unlock_commit(ring);
}

void write_general(unsigned int count)
{
	while (count--)
		write_event(count);
}

static unsigned long read_events(void)
{
	unsigned long lost;
	u64 time;

	return ring_buffer_consume(ring, 0, &time, &lost) ? 1 : 0;
}

/* What is said of a sub-buffer's events: how many there are is in their bytes */
static unsigned long read_page(int full)
{
	const struct {
		u64 time_stamp;
		unsigned long commit;
	} *head;

	if (ring_buffer_read_page(ring, page, PAGE_SIZE, 0, full))
		return 0;
	head = ring_buffer_read_page_data(page);
	return (head->commit & 0xfffff) / (sizeof(struct event) + 4);
}

static unsigned long read_pages(void)
{
	return read_page(1);
}

static unsigned long read_parts(void)
{
	return read_page(0);
}

const struct way_to_read ways_to_read[] = {
	{ "events", read_events },
	{ "pages", read_pages },
	{ "parts", read_parts },
	{ NULL },
};

long native_lost(void)
{
	return ring_buffer_overruns(ring);
}

bool native_start(void)
{
	ring = ring_buffer_alloc(RING_BYTES, RB_FL_OVERWRITE);
	return ring && !ring_buffer_alloc_read_page(ring, 0, &page);
}

u64 trace_clock_local(void)
{
	return native_ticks();
}
