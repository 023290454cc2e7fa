/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What tracers have in common whose functions are called by call sites without a trampoline,
 * see linux/ftrace_entries.h: how such an entry writes an event in line.
 */
#ifndef _KERNEL_TRACE_CALL_SITE_H
#define _KERNEL_TRACE_CALL_SITE_H

#include <linux/ftrace_entries.h>
#include <linux/ftrace_signature.h>
#include <linux/trace_clock.h>
#include <linux/unaligned.h>
#include <asm/asm.h>

#include "ring_buffer_inline.h"
#include "trace.h"
#include "trace_clock_inline.h"
#include "trace_context.h"

__ftrace_entry void trace_call_site_show(struct rb_cpu *cpu, struct rb_use *use, u32 end);
__ftrace_entry void trace_call_site_wake(struct rb_cpu *cpu);

void trace_call_site_follow(unsigned long *word, unsigned long (*value)(void));

/*
 * Whether a word of memory is 0. This needs no register, so an entry can look at it before it
 * saves any.
 */
static __always_inline bool trace_call_site_is_zero(const unsigned long *word)
{
	asm goto(__ASM_SIZE(cmp) "$0, " _ASM_RIP(%c[word]) "\n\t"
		 "jne %l[not_zero]"
		 : /* no output */ : [word] "i" (word) : "cc", "memory" : not_zero);
	return true;
not_zero:
	return false;
}

/* An entry reads the local clock, and only from the TSC */
static inline bool trace_call_site_has_clock(const struct trace_array *tr)
{
	return READ_ONCE(tr->array_buffer.buffer->clock) == trace_clock_local &&
	       static_branch_likely(&sched_clock_is_tsc);
}

/* Whether the instance takes events of this CPU; it may not, for a while */
static __always_inline bool trace_call_site_has_cpu(struct trace_array *tr)
{
	return !this_cpu_read(tr->array_buffer.data->disabled.counter);
}

/*
 * Whether there is nothing that would have to be done besides writing the event: @task is
 * current, @count is what trace_context_count() was at the call site.
 */
static __always_inline bool trace_call_site_is_usual(struct trace_array *tr,
						     struct task_struct *task, unsigned int count)
{
	return trace_context_is_plain(task, count) && trace_call_site_has_cpu(tr);
}

/*
 * The clock is read before what the ring buffer looks at, as in rb_short_clock(). Once it counts
 * by the TSC, it always does; until it does, no site calls an entry.
 */
static __always_inline u64 trace_call_site_clock(void)
{
	u64 now = sched_clock_tsc();

	/* LMM(trace_call_site_clock:A): the clock, then the word */
	barrier();
	return now;
}

/* As ring_buffer_put_end() */
static __always_inline void trace_call_site_end_put(struct rb_put put)
{
	if (!rb_short_end(put.cpu, put.use, put.end))
		trace_call_site_show(put.cpu, put.use, put.end);
	if (unlikely(rb_plain(put.cpu->wake)))
		trace_call_site_wake(put.cpu);
}

/* The number is constant: these are stores, and no loop */
static __always_inline void trace_call_site_put_words(unsigned long *to,
						      const unsigned long *words,
						      unsigned int nr_words)
{
	unsigned int i;

#pragma GCC unroll 6
	for (i = 0; i < nr_words; i++)
		put_unaligned(words[i], &to[i]);
	static_assert(FTRACE_SIG_MAX_REGS == 6);
}

#endif /* _KERNEL_TRACE_CALL_SITE_H */
