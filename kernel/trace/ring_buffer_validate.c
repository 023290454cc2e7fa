// SPDX-License-Identifier: GPL-2.0
/*
 * Ring buffer: do the times of a sub-buffer add up to what writers were told?
 *
 * Looked at whenever an event is begun of which all events before it, in its
 * sub-buffer, are written. All events go the slow way for it.
 */
#include <linux/printk.h>

#include "ring_buffer_impl.h"

/* A discarded event without room for a delta of 0: see rb_make_padding() */
static bool rb_adds_time(struct ring_buffer_event *event)
{
	return event->type_len == RINGBUF_TYPE_PADDING && event->array[0] <= RB_WORD &&
	       event->time_delta == 1;
}

/**
 * rb_validate - check the times of a sub-buffer
 * @cpu: the ring
 * @use: the filling of the sub-buffer
 * @size: bytes of events in it, to the end of the last
 * @time: when the last one was
 *
 * Context: the writer of the last one; all others are written.
 */
void rb_validate(struct rb_cpu *cpu, struct rb_use *use, u32 size, u64 time)
{
	struct rb_subbuf *subbuf = rb_use_subbuf(cpu, use);
	struct ring_buffer_event *event;
	u64 sum = subbuf->time_stamp;
	unsigned int more = 0;
	u32 at;

	for (at = 0; at < size; at += rb_event_whole(event)) {
		event = (void *)subbuf->data + at;
		sum = rb_event_time(event, sum);
		more += rb_adds_time(rb_event_behind(event));
	}
	if (at == size && sum - time <= more)
		return;
	pr_err("ring buffer of CPU %d: %u of %u bytes of events from %llu on are at %llu, not %llu\n",
	       cpu->cpu, at, size, subbuf->time_stamp, sum, time);
	RB_BROKEN(cpu, 1);
}
