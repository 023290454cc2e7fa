// SPDX-License-Identifier: GPL-2.0
/*
 * What entries seldom do behind an event, as functions that keep all registers: an entry that
 * called others would have to save them at each call.
 */
#include "trace_call_site.h"

/**
 * trace_call_site_show - show what was written within an event that is complete now
 * @cpu: the ring
 * @use: where the event is
 * @end: the position behind it
 *
 * Context: any, NMI included, with preemption off.
 */
noinline __ftrace_entry void trace_call_site_show(struct rb_cpu *cpu, struct rb_use *use, u32 end)
{
	rb_show(cpu, use, end);
}

/**
 * trace_call_site_wake - wake the readers of a ring
 * @cpu: the ring
 *
 * Context: any, NMI included, with preemption off.
 */
noinline __ftrace_entry void trace_call_site_wake(struct rb_cpu *cpu)
{
	rb_wake(cpu);
}
