// SPDX-License-Identifier: GPL-2.0
/* What host.h declares, and a buffer of one CPU. */
#include "host.h"
#include "host_buffer.h"
#include "ring_buffer_persist.h"

int host_preempt_count = 1 << 20, host_cpu;
bool host_nmi;
static struct host_task task;
struct host_task *current = &task;
u64 host_time, host_tick = 1;

void host_warn(const char *file, int line, const char *what)
{
	printf("# %s:%d: %s\n", file, line, what);
	fflush(NULL);
	abort();
}

void host_reschedule(void)
{
	host_warn(__FILE__, __LINE__, "preemption enabled more often than disabled");
}

void *host_alloc(size_t size)
{
	void *p = aligned_alloc(PAGE_SIZE, ALIGN(size, PAGE_SIZE));

	if (!p)
		abort();
	return memset(p, 0, size);
}

u64 sched_clock_noinstr(void)
{
	return host_time += host_tick;
}

u64 trace_clock_local(void)
{
	return sched_clock_noinstr();
}

void trace_seq_printf(struct trace_seq *s, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	s->len += vsnprintf(s->buffer + s->len, sizeof(s->buffer) - s->len, fmt, args);
	va_end(args);
}

/* What other files of the ring buffer do, which the program is without. */
__attribute__((weak)) void rb_waiters_init(struct rb_waiters *waiters, bool of_cpu) { }
__attribute__((weak)) void rb_wake(struct rb_cpu *cpu) { cpu->wake = 0; }
__attribute__((weak)) void rb_wake_full(struct rb_cpu *cpu) { }
struct rb_meta *rb_meta_of(struct trace_buffer *buffer, int cpu) { return NULL; }
struct rb_subbuf *rb_meta_subbuf(struct rb_meta *meta, u32 index) { return NULL; }
void rb_meta_prepare(struct rb_cpu *cpu) { }
void rb_meta_start(struct rb_cpu *cpu) { }
unsigned long rb_meta_init(struct trace_buffer *buffer) { return 0; }
void rb_meta_now(struct rb_cpu *cpu) { }
void rb_map_update(struct rb_cpu *cpu) { }

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
