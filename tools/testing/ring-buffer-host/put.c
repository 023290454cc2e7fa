// SPDX-License-Identifier: GPL-2.0
/* An event through the interface in line, in a file that step goes through. */
#include "payload.h"
#include "ring_buffer_inline.h"

#define PUT_LENGTH 20

bool put_payload(struct trace_buffer *buffer, u32 serial)
{
	struct payload *data;
	struct rb_put put;
	u32 i;

	preempt_disable_notrace();
	data = ring_buffer_put_begin(buffer, &put, PUT_LENGTH);
	if (data) {
		data->serial = serial;
		data->length = PUT_LENGTH;
		for (i = 0; i < PUT_LENGTH - sizeof(*data); i++)
			data->fill[i] = serial + i;
		ring_buffer_put_end(&put);
	}
	preempt_enable_notrace();
	return data;
}
