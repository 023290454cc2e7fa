/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Memory that is attached to an event of the ring buffer.
 *
 * It is read with the event, and is there if the event is. Programs that read pages take it
 * for an event that was discarded, and read the event as if it had none.
 */
#ifndef _LINUX_RING_BUFFER_ATTACHED_H
#define _LINUX_RING_BUFFER_ATTACHED_H

#include <linux/ring_buffer.h>

/**
 * struct ring_buffer_attached - memory that is attached to an event
 * @data:	its first byte, aligned to four bytes; NULL if there is none
 * @size:	its bytes
 */
struct ring_buffer_attached {
	const void	*data;
	unsigned int	size;
};

struct ring_buffer_event *
ring_buffer_peek_attached(struct trace_buffer *buffer, int cpu, u64 *ts,
			  unsigned long *lost_events, struct ring_buffer_attached *attached);
void ring_buffer_iter_attached(struct ring_buffer_iter *iter,
			       struct ring_buffer_attached *attached);

#endif /* _LINUX_RING_BUFFER_ATTACHED_H */
