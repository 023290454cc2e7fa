/* SPDX-License-Identifier: GPL-2.0 */
/* The events with which the ring buffer's cost is measured. */
#ifndef RING_BUFFER_EVENT_H
#define RING_BUFFER_EVENT_H

#include <linux/module.h>
#include <linux/ring_buffer.h>

/* Of the size of a small event: a header of 8 bytes and two words */
struct event {
	u64 words[3];
};

static unsigned long events;
module_param(events, ulong, 0444);
MODULE_PARM_DESC(events, "How many events these were for");

static __always_inline void fill_event(struct event *body)
{
	body->words[0] = 1;
	body->words[1] = 2;
	body->words[2] = 3;
}

static __always_inline int write_event(struct trace_buffer *buffer)
{
	struct ring_buffer_event *event;

	event = ring_buffer_lock_reserve(buffer, sizeof(struct event));
	if (!event)
		return -ENOSPC;
	fill_event(ring_buffer_event_data(event));
	return ring_buffer_unlock_commit(buffer);
}

#endif
