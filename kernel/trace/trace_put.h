/* SPDX-License-Identifier: GPL-2.0 */
/* Writing the events of function tracers, where preemption is disabled, in line. */
#ifndef _KERNEL_TRACE_PUT_H
#define _KERNEL_TRACE_PUT_H

#include <linux/percpu.h>
#include <linux/trace_events.h>

#include "ring_buffer_inline.h"
#include "trace.h"

/**
 * trace_put_begin - begin an event, and fill in what all events begin with
 * @buffer: the buffer to write to
 * @put: for trace_put_end()
 * @type: of the event
 * @length: bytes of it, with its struct trace_entry
 * @trace_ctx: interrupt and preemption state, from tracing_gen_ctx()
 *
 * The rest is to be filled in at once: no function is called before
 * trace_put_end() that may sleep or wait.
 *
 * Context: any, NMI included; preemption is off.
 * Return: the event, or NULL if it cannot be written.
 */
static __always_inline void *trace_put_begin(struct trace_buffer *buffer, struct rb_put *put,
					     int type, unsigned int length,
					     unsigned int trace_ctx)
{
	struct trace_entry *entry = ring_buffer_put_begin(buffer, put, length);

	if (likely(entry))
		tracing_generic_entry_update(entry, type, trace_ctx);
	return entry;
}

/**
 * trace_put_end - end an event
 * @put: what trace_put_begin() made, if it did not return NULL
 */
static __always_inline void trace_put_end(struct rb_put *put)
{
	/* who is traced has a name that can be shown */
	__this_cpu_write(trace_taskinfo_save, true);
	ring_buffer_put_end(put);
}

#endif /* _KERNEL_TRACE_PUT_H */
