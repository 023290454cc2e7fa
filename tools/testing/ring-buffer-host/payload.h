/* SPDX-License-Identifier: GPL-2.0 */
#ifndef PAYLOAD_H
#define PAYLOAD_H

#include "host_buffer.h"

/* What the events of step.c say. */
struct payload {
	u32 serial;
	u32 length;
	u8 fill[];
};

bool put_payload(struct trace_buffer *buffer, u32 serial);

#endif /* PAYLOAD_H */
