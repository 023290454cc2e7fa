// SPDX-License-Identifier: GPL-2.0
/* An event through the interface in line, in a file that step goes through. */
#include "payload.h"
#include "ring_buffer_inline.h"

bool put_payload(struct trace_buffer *buffer, u32 serial)
{
	struct payload *data;
	struct rb_put put;

	preempt_disable_notrace();
	put = ring_buffer_put_begin(buffer, PUT_LENGTH);
	data = put.data;
	if (put.begun) {
		fill_payload(data, serial, PUT_LENGTH);
		ring_buffer_put_end(put);
	} else {
		data = ring_buffer_put_begin_slow(buffer, PUT_LENGTH);
		if (data) {
			fill_payload(data, serial, PUT_LENGTH);
			ring_buffer_put_end_slow(buffer);
		}
	}
	preempt_enable_notrace();
	return data;
}
