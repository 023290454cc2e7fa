/* SPDX-License-Identifier: GPL-2.0 */
#ifndef PAYLOAD_H
#define PAYLOAD_H

#include "host_buffer.h"

/* What the events of step.c and random.c say. */
struct payload {
	u32 serial;
	u32 length;
	u8 fill[];
};

/* Bytes of data of an event in line. */
#define PUT_LENGTH 20

static inline void fill_payload(struct payload *data, u32 serial, u32 length)
{
	u32 i;

	data->serial = serial;
	data->length = length;
	for (i = 0; i < length - sizeof(*data); i++)
		data->fill[i] = serial + i;
}

bool put_payload(struct trace_buffer *buffer, u32 serial);

#endif /* PAYLOAD_H */
