// SPDX-License-Identifier: GPL-2.0
/*
 * Ring buffer torture test: what its module needs of the ring buffer and other
 * modules have no use for. Part of the kernel if the test is a module, too.
 */
#include <linux/export.h>
#include <linux/preempt.h>
#include <linux/ring_buffer.h>

#include "ring_buffer_inline.h"
#include "ring_buffer_torture.h"

/* As ring_buffer_map() */
int ring_buffer_torture_map(struct trace_buffer *buffer, int cpu, struct vm_area_struct *vma)
{
	return ring_buffer_map(buffer, cpu, vma);
}
EXPORT_SYMBOL_GPL(ring_buffer_torture_map);

/* As ring_buffer_unmap() */
int ring_buffer_torture_unmap(struct trace_buffer *buffer, int cpu)
{
	return ring_buffer_unmap(buffer, cpu);
}
EXPORT_SYMBOL_GPL(ring_buffer_torture_unmap);

/* As ring_buffer_map_get_reader() */
int ring_buffer_torture_map_get_reader(struct trace_buffer *buffer, int cpu)
{
	return ring_buffer_map_get_reader(buffer, cpu);
}
EXPORT_SYMBOL_GPL(ring_buffer_torture_map_get_reader);

/* As ring_buffer_peek_attached() */
struct ring_buffer_event *
ring_buffer_torture_peek(struct trace_buffer *buffer, int cpu, u64 *time,
			 struct ring_buffer_attached *attached)
{
	return ring_buffer_peek_attached(buffer, cpu, time, NULL, attached);
}
EXPORT_SYMBOL_GPL(ring_buffer_torture_peek);

/* As ring_buffer_iter_attached() */
void ring_buffer_torture_iter_attached(struct ring_buffer_iter *iter,
				       struct ring_buffer_attached *attached)
{
	ring_buffer_iter_attached(iter, attached);
}
EXPORT_SYMBOL_GPL(ring_buffer_torture_iter_attached);

/**
 * ring_buffer_torture_put - write an event the way function tracers do
 * @buffer: the buffer to write to, on this CPU
 * @length: bytes of data, not 0
 * @size: bytes that are attached to it, a multiple of four, or 0
 * @fill: fills them in
 * @arg: for @fill
 *
 * Context: any, with preemption disabled.
 * Return: was it written?
 */
bool ring_buffer_torture_put(struct trace_buffer *buffer, unsigned int length,
			     unsigned int size,
			     void (*fill)(void *data, void *attached, void *arg), void *arg)
{
	struct rb_put put = ring_buffer_put_attached(buffer, length, size);
	void *data, *attached = NULL;

	if (put.begun) {
		fill(put.data, put.attached, arg);
		ring_buffer_put_end(put);
		return true;
	}
	data = ring_buffer_put_attached_slow(buffer, length, size, &attached);
	if (!data)
		return false;
	fill(data, attached, arg);
	ring_buffer_put_end_slow(buffer);
	return true;
}
EXPORT_SYMBOL_GPL(ring_buffer_torture_put);
