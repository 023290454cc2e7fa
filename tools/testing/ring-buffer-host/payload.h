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

/* Bytes of data of most events in line. */
#define PUT_LENGTH 20

static inline void fill_payload(struct payload *data, u32 serial, u32 length)
{
	u32 i;

	data->serial = serial;
	data->length = length;
	for (i = 0; i < length - sizeof(*data); i++)
		data->fill[i] = serial + i;
}

static inline void fill_attached(u8 *attached, u32 serial, u32 size)
{
	u32 i;

	for (i = 0; i < size; i++)
		attached[i] = 3 * serial + i;
}

static inline bool is_attached(const struct ring_buffer_attached *attached, u32 serial, u32 size)
{
	const u8 *bytes = attached->data;
	u32 i;

	for (i = 0; i < attached->size; i++)
		if (bytes[i] != (u8)(3 * serial + i))
			return false;
	return attached->size == size && !bytes == !size;
}

/* Write an event of @length bytes with @size bytes attached to it. */
bool put_payload(struct trace_buffer *buffer, u32 serial, u32 length, u32 size);

#endif /* PAYLOAD_H */
