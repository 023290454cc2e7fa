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

static __always_inline void *trace_put_begin_slow(struct trace_buffer *buffer,
						  unsigned int length, unsigned int size,
						  void **attached)
{
	if (size)
		return ring_buffer_put_attached_slow(buffer, length, size, attached);
	return ring_buffer_put_begin_slow(buffer, length);
}

/* Write the event of which @put may have been begun; its attached memory has @size bytes */
static __always_inline bool
trace_put_rest(struct trace_buffer *buffer, struct rb_put put, int type, unsigned int length,
	       unsigned int size, unsigned int trace_ctx, trace_fill_func fill,
	       trace_fill_func fill_attached, const void *what)
{
	void *entry, *attached;

	if (likely(put.begun)) {
		trace_put_fill(put.data, type, trace_ctx, fill, what);
		if (size)
			fill_attached(put.attached, what);
		ring_buffer_put_end(put);
	} else {
		entry = trace_put_begin_slow(buffer, length, size, &attached);
		if (!entry)
			return false;
		trace_put_fill(entry, type, trace_ctx, fill, what);
		if (size)
			fill_attached(attached, what);
		ring_buffer_put_end_slow(buffer);
	}
	/* have the task's name saved, for printing */
	__this_cpu_write(trace_taskinfo_save, true);
	return true;
}

/**
 * trace_put_attached - write an event, and memory that is attached to it
 * @buffer: the buffer to write to
 * @type: the type of the event
 * @length: the event's size in bytes, with its struct trace_entry
 * @size: bytes of the memory, a multiple of four; 0 if there is none
 * @trace_ctx: interrupt and preemption state, from tracing_gen_ctx()
 * @fill: fills in the rest of the event; must be short, because it is inlined twice
 * @fill_attached: fills in the memory; the same, and not called if @size is 0
 * @what: argument for both
 *
 * Context: any, NMI included; preemption is off.
 * Return: whether the event was written.
 */
static __always_inline bool
trace_put_attached(struct trace_buffer *buffer, int type, unsigned int length, unsigned int size,
		   unsigned int trace_ctx, trace_fill_func fill, trace_fill_func fill_attached,
		   const void *what)
{
	return trace_put_rest(buffer, ring_buffer_put_attached(buffer, length, size), type,
			      length, size, trace_ctx, fill, fill_attached, what);
}

/**
 * trace_put_at - the same for an event whose time is known
 * @buffer: the buffer to write to
 * @type: the type of the event
 * @length: the event's size in bytes, with its struct trace_entry
 * @size: bytes of attached memory, a multiple of four; 0 if there is none
 * @at: the time, as for ring_buffer_put_at()
 * @trace_ctx: interrupt and preemption state, from tracing_gen_ctx()
 * @fill: fills in the rest of the event, as for trace_put_attached()
 * @fill_attached: fills in the memory
 * @what: argument for both
 *
 * Context: any, NMI included; preemption is off.
 * Return: whether the event was written.
 */
static __always_inline bool
trace_put_at(struct trace_buffer *buffer, int type, unsigned int length, unsigned int size,
	     u64 at, unsigned int trace_ctx, trace_fill_func fill, trace_fill_func fill_attached,
	     const void *what)
{
	return trace_put_rest(buffer, ring_buffer_put_at(buffer, length, size, at), type,
			      length, size, trace_ctx, fill, fill_attached, what);
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
	return trace_put_attached(buffer, type, length, 0, trace_ctx, fill, NULL, what);
}

#endif /* _KERNEL_TRACE_PUT_H */
