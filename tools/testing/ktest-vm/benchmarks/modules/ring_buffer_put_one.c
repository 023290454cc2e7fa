// SPDX-License-Identifier: GPL-2.0
/*
 * What ring_buffer_write.c counts, through the interface in line that the
 * function tracers have, with preemption disabled.
 */
#include "ring_buffer_cost.h"
#include "ring_buffer_inline.h"

static __always_inline int put_event(struct trace_buffer *buffer)
{
	struct rb_put put = ring_buffer_put_begin(buffer, sizeof(struct event));
	struct event *body;

	if (likely(put.begun)) {
		fill_event(put.data);
		ring_buffer_put_end(put);
		return 0;
	}
	body = ring_buffer_put_begin_slow(buffer, sizeof(*body));
	if (!body)
		return -ENOSPC;
	fill_event(body);
	ring_buffer_put_end_slow(buffer);
	return 0;
}

static int __init ring_buffer_put_init(void)
{
	return count_writes(put_event);
}

static void __exit ring_buffer_put_exit(void)
{
}

module_init(ring_buffer_put_init);
module_exit(ring_buffer_put_exit);
MODULE_DESCRIPTION("Count what a write into the ring buffer in line takes");
MODULE_LICENSE("GPL");
