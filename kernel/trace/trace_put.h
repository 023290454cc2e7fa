/* SPDX-License-Identifier: GPL-2.0 */
/* Writing the events of function tracers, where preemption is disabled, in line. */
#ifndef _KERNEL_TRACE_PUT_H
#define _KERNEL_TRACE_PUT_H

#include <linux/percpu.h>
#include <linux/trace_events.h>

#include "ring_buffer_inline.h"
#include "trace.h"

/* Fills in what is behind the struct trace_entry of an event. */
typedef void (*trace_fill_func)(void *entry, const void *what);

static __always_inline void trace_put_fill(void *entry, int type, unsigned int trace_ctx,
					   trace_fill_func fill, const void *what)
{
	tracing_generic_entry_update(entry, type, trace_ctx);
	fill(entry, what);
}

/**
 * trace_put - write an event
 * @buffer: the buffer to write to
 * @type: of the event
 * @length: bytes of it, with its struct trace_entry
 * @trace_ctx: interrupt and preemption state, from tracing_gen_ctx()
 * @fill: fills in the rest, at once; inlined, and twice: it must be short
 * @what: for @fill
 *
 * Context: any, NMI included; preemption is off.
 * Return: was it written?
 */
static __always_inline bool trace_put(struct trace_buffer *buffer, int type,
				      unsigned int length, unsigned int trace_ctx,
				      trace_fill_func fill, const void *what)
{
	struct rb_put put = ring_buffer_put_begin(buffer, length);
	void *entry;

	if (likely(put.begun)) {
		trace_put_fill(put.data, type, trace_ctx, fill, what);
		ring_buffer_put_end(put);
	} else {
		entry = ring_buffer_put_begin_slow(buffer, length);
		if (!entry)
			return false;
		trace_put_fill(entry, type, trace_ctx, fill, what);
		ring_buffer_put_end_slow(buffer);
	}
	/* whose event it is can be told by name */
	__this_cpu_write(trace_taskinfo_save, true);
	return true;
}

#endif /* _KERNEL_TRACE_PUT_H */
