/* SPDX-License-Identifier: GPL-2.0 */
/* The local trace clock, inlined for users to whom a call is expensive. */
#ifndef _KERNEL_TRACE_CLOCK_INLINE_H
#define _KERNEL_TRACE_CLOCK_INLINE_H

#include <linux/compiler.h>
#include <linux/preempt.h>
#include <linux/sched/clock.h>
#include <linux/types.h>

#ifdef CONFIG_X86
#include <asm/sched_clock_inline.h>
#else
#define sched_clock_inline	sched_clock_noinstr
#endif

/**
 * trace_clock_local_inline - the same time as that of trace_clock_local()
 *
 * Context: any, NMI included.
 * Return: ns, by the clock of a CPU on which the caller ran during the call.
 */
static __always_inline u64 trace_clock_local_inline(void)
{
	u64 clock;

	preempt_disable_notrace();
	clock = sched_clock_inline();
	preempt_enable_notrace();
	return clock;
}

#endif /* _KERNEL_TRACE_CLOCK_INLINE_H */
