/* SPDX-License-Identifier: GPL-2.0 */
/* What the clock says, and the word of position and time. */
#ifndef _TRACE_RING_BUFFER_CLOCK_H
#define _TRACE_RING_BUFFER_CLOCK_H

#include <linux/compiler.h>
#include <linux/preempt.h>
#include <linux/trace_clock.h>

#include "ring_buffer_impl.h"
#include "trace_clock_inline.h"

/*
 * The time by the clock of @buffer. Preemption is disabled, which is all that
 * trace_clock_local() adds to the clock below it.
 */
static __always_inline u64 rb_clock(struct trace_buffer *buffer)
{
	typeof(buffer->clock) clock = READ_ONCE(buffer->clock);

	return likely(clock == trace_clock_local) ? sched_clock_inline() : clock();
}

/*
 * A CPU that reads 64 bits in halves may be interrupted between them, and then return
 * a value that the word never had. That is harmless: rb_word_move() compares the value
 * with the word again before it changes anything.
 */
static __always_inline u64 rb_word_read(struct rb_cpu *cpu)
{
	return READ_ONCE(cpu->word);
}

/*
 * A plain read, which the compiler may make part of a comparison, of what
 * others may change: one load of a whole value, between barriers.
 */
#define rb_plain(x)	data_race(x)

/* The position of the word alone. */
static __always_inline u32 rb_pos(struct rb_cpu *cpu)
{
#if defined(CONFIG_64BIT) || defined(__BIG_ENDIAN)
	return rb_word_pos(READ_ONCE(cpu->word));
#else
	return READ_ONCE(*(u32 *)&cpu->word);
#endif
}

/* Only writers on this CPU change the word: no other CPU needs to be kept out. */
static __always_inline bool rb_word_move(struct rb_cpu *cpu, u64 from, u64 to)
{
	/* LMM(rb_word_move:A): who comes between the look and this has moved the word */
	return try_cmpxchg64_local(&cpu->word, &from, to);
}

/*
 * Are we an NMI where rb_word_move() is of several instructions, or takes a lock?
 * Then it cannot write. A constant where an architecture is as it should be.
 */
static __always_inline bool rb_unsafe_nmi(void)
{
	return (!IS_ENABLED(CONFIG_ARCH_HAVE_NMI_SAFE_CMPXCHG) ||
		IS_ENABLED(CONFIG_GENERIC_ATOMIC64)) && in_nmi();
}

#endif /* _TRACE_RING_BUFFER_CLOCK_H */
