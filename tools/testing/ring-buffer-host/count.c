// SPDX-License-Identifier: GPL-2.0
/*
 * Write COUNT events of 24 bytes, as a tracer does, or read them too. Run it
 * with two counts and count instructions: the difference is what events cost.
 */
#include "host.h"
#include "host_buffer.h"

struct fill {
	u32 words[6];
};

static noinline void write_one(struct trace_buffer *buffer, u32 value)
{
	struct ring_buffer_event *event = ring_buffer_lock_reserve(buffer, sizeof(struct fill));
	struct fill *fill;

	if (!event)
		return;
	fill = ring_buffer_event_data(event);
	*fill = (struct fill){ { value, 1, 2, 3, 4, value } };
	ring_buffer_unlock_commit(buffer);
}

LIBC int main(int argc, char **argv)
{
	struct trace_buffer *buffer = host_buffer_alloc(16, RB_FL_OVERWRITE, 0);
	unsigned long count = argc > 1 ? strtoul(argv[1], NULL, 0) : 1000, i;
	bool read = argc > 2;

	host_tick = 1000;
	for (i = 0; i < count; i++) {
		write_one(buffer, i);
		if (read && i % 64 == 63)
			while (ring_buffer_consume(buffer, 0, NULL, NULL))
				;
	}
	host_buffer_free(buffer);
	return 0;
}
