// SPDX-License-Identifier: GPL-2.0
/* What host.h declares, but for the time. */
#include "host.h"

HOST_PER_CPU int host_preempt_count = HOST_PREEMPT_ZERO, host_cpu;
HOST_PER_CPU bool host_nmi;
HOST_PER_CPU unsigned char host_context;
HOST_PER_CPU unsigned long host_irqs_off;
static struct host_task task;
struct host_task *current = &task;

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

void trace_seq_printf(struct trace_seq *s, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	s->len += vsnprintf(s->buffer + s->len, sizeof(s->buffer) - s->len, fmt, args);
	va_end(args);
}
