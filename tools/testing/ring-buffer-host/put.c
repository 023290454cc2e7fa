// SPDX-License-Identifier: GPL-2.0
/* An event through the interface in line, in a file that step goes through. */
#include "payload.h"
#include "ring_buffer_inline.h"

static void fill(void *data, void *attached, u32 serial, u32 length, u32 size)
{
	fill_payload(data, serial, length);
	fill_attached(attached, serial, size);
}

bool put_payload(struct trace_buffer *buffer, u32 serial, u32 length, u32 size)
{
	void *data, *attached = NULL;
	bool early = serial % 4 == 3;
	struct rb_put put;
	u64 before;

	preempt_disable_notrace();
	if (early)
		before = sched_clock_inline();
	put = early ? ring_buffer_put_at(buffer, length, size, before) :
		      ring_buffer_put_attached(buffer, length, size);
	data = put.data;
	if (put.begun) {
		fill(data, put.attached, serial, length, size);
		ring_buffer_put_end(put);
	} else {
		data = ring_buffer_put_attached_slow(buffer, length, size, &attached);
		if (data) {
			fill(data, attached, serial, length, size);
			ring_buffer_put_end_slow(buffer);
		}
	}
	preempt_enable_notrace();
	return data;
}
