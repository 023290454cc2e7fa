/* SPDX-License-Identifier: GPL-2.0 */
#ifndef HOST_BUFFER_H
#define HOST_BUFFER_H

#include "ring_buffer_impl.h"

/* What the clock says next is @host_time + @host_tick. */
extern u64 host_time, host_tick;

struct trace_buffer *host_buffer_alloc(unsigned long nr_slots, unsigned int flags,
				       unsigned int order);
void host_buffer_free(struct trace_buffer *buffer);

#endif /* HOST_BUFFER_H */
