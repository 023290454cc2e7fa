/* SPDX-License-Identifier: GPL-2.0 */
/* Write the events of function tracers inline, while preemption is disabled. */
#ifndef _KERNEL_TRACE_PUT_H
#define _KERNEL_TRACE_PUT_H

#include <linux/percpu.h>
#include <linux/trace_events.h>

#include "ring_buffer_inline.h"
#include "trace.h"

/* Fills in the fields of an event that follow its struct trace_entry. */
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
 * @type: the type of the event
 * @length: the event's size in bytes, with its struct trace_entry
 * @trace_ctx: interrupt and preemption state, from tracing_gen_ctx()
 * @fill: fills in the rest of the event; must be short, because it is inlined twice
 * @what: argument for @fill
 *
 * Context: any, NMI included; preemption is off.
 * Return: whether the event was written.
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
	/* have the task's name saved, for printing */
	__this_cpu_write(trace_taskinfo_save, true);
	return true;
}

#endif /* _KERNEL_TRACE_PUT_H */
