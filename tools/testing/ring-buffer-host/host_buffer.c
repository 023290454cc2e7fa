// SPDX-License-Identifier: GPL-2.0
/* A buffer of one CPU, and its time. */
#include "host.h"
#include "host_buffer.h"
#include "ring_buffer_persist.h"

u64 host_time, host_tick = 1;

__attribute__((weak)) u64 sched_clock_noinstr(void)
{
	return host_time += host_tick;
}

__attribute__((weak)) u64 trace_clock_local(void)
{
	return sched_clock_noinstr();
}

/* What other files of the ring buffer do, which the program is without. */
__attribute__((weak)) void rb_waiters_init(struct rb_waiters *waiters, bool of_cpu) { }
__attribute__((weak)) void rb_wake(struct rb_cpu *cpu) { cpu->wake = 0; }
__attribute__((weak)) void rb_wake_full(struct rb_cpu *cpu) { }
__attribute__((weak)) struct rb_meta *rb_meta_of(struct trace_buffer *b, int cpu) { return NULL; }
__attribute__((weak)) struct rb_subbuf *rb_meta_subbuf(struct rb_meta *m, u32 i) { return NULL; }
__attribute__((weak)) void rb_meta_prepare(struct rb_cpu *cpu) { }
__attribute__((weak)) void rb_meta_start(struct rb_cpu *cpu) { }
__attribute__((weak)) unsigned long rb_meta_init(struct trace_buffer *buffer) { return 0; }
__attribute__((weak)) void rb_meta_now(struct rb_cpu *cpu) { }
__attribute__((weak)) void rb_map_update(struct rb_cpu *cpu) { }

struct trace_buffer *host_buffer_alloc(unsigned long nr_slots, unsigned int flags,
				       unsigned int order)
{
	struct trace_buffer *buffer = host_alloc(sizeof(*buffer));

	buffer->flags = flags;
	buffer->order = order;
	buffer->clock = trace_clock_local;
	buffer->max_data = rb_subbuf_room(order) - 8;
	buffer->ring = host_alloc(nr_cpu_ids * sizeof(*buffer->ring));
	cpumask_set_cpu(0, buffer->cpumask);
	buffer->ring[0] = rb_cpu_alloc(buffer, nr_slots, 0);
	return buffer;
}

void host_buffer_free(struct trace_buffer *buffer)
{
	rb_cpu_free(buffer->ring[0]);
	free(buffer->ring);
	free(buffer);
}
