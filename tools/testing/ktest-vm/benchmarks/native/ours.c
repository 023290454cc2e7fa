// SPDX-License-Identifier: GPL-2.0
/* Our ring buffer, through its interface in line, too. */
#include "ring.h"
#include "ring_buffer_inline.h"

static noinline void put_event(u64 value)
{
	struct rb_put put = ring_buffer_put_begin(ring, sizeof(struct event));
	struct event *event;

	if (likely(put.begun)) {
		fill_event(put.data, value);
		ring_buffer_put_end(put);
		return;
	}
	event = ring_buffer_put_begin_slow(ring, sizeof(*event));
	if (!event)
		return;
	fill_event(event, value);
	ring_buffer_put_end_slow(ring);
}

static void write_in_line(unsigned int count)
{
	while (count--)
		put_event(count);
}

const struct way_to_write ways_to_write[] = {
	{ "general", write_general },
	{ "in line", write_in_line },
	{ NULL },
};
