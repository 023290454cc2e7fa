// SPDX-License-Identifier: GPL-2.0
/* As count.c, but through the interface in line. */
#include "host.h"
#include "host_buffer.h"
#include "ring_buffer_inline.h"

struct fill {
	u32 words[6];
};

static __always_inline void fill(struct fill *data, u32 value)
{
	*data = (struct fill){ { value, 1, 2, 3, 4, value } };
}

static noinline void write_one(struct trace_buffer *buffer, u32 value)
{
	struct rb_put put = ring_buffer_put_begin(buffer, sizeof(struct fill));
	struct fill *data;

	if (likely(put.begun)) {
		fill(put.data, value);
		ring_buffer_put_end(put);
		return;
	}
	data = ring_buffer_put_begin_slow(buffer, sizeof(*data));
	if (!data)
		return;
	fill(data, value);
	ring_buffer_put_end_slow(buffer);
}

LIBC int main(int argc, char **argv)
{
	struct trace_buffer *buffer = host_buffer_alloc(16, RB_FL_OVERWRITE, 0);
	unsigned long count = argc > 1 ? strtoul(argv[1], NULL, 0) : 1000, i;

	host_tick = 1000;
	for (i = 0; i < count; i++)
		write_one(buffer, i);
	host_buffer_free(buffer);
	return 0;
}
