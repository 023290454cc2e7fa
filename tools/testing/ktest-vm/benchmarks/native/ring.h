/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RING_H
#define RING_H

#include "host.h"
#include <linux/ring_buffer.h>

#include "native.h"

struct event {
	u64 words[EVENT_WORDS];
};

extern struct trace_buffer *ring;

static __always_inline void fill_event(struct event *event, u64 value)
{
	event->words[0] = value;
	event->words[1] = 2;
	event->words[2] = 3;
}

void write_general(unsigned int count);

#endif
