/* SPDX-License-Identifier: GPL-2.0 */
/* The clock of the scheduler in line, for those to whom a call is much. */
#ifndef _ASM_X86_SCHED_CLOCK_INLINE_H
#define _ASM_X86_SCHED_CLOCK_INLINE_H

#include <linux/compiler.h>
#include <linux/jump_label.h>
#include <linux/percpu.h>
#include <linux/sched/clock.h>
#include <linux/types.h>

#include <asm/msr.h>
#include <asm/timer.h>

DECLARE_PER_CPU_ALIGNED(struct cyc2ns, cyc2ns);

/* The clock is that of the TSC, not a jiffies' or a hypervisor's. */
DECLARE_STATIC_KEY_FALSE(sched_clock_is_tsc);

/*
 * @cycles * @mul / 2^@shift, modulo 2^64. __set_cyc2ns_scale() keeps @shift
 * below 32, of which the compiler cannot make one shift of two words.
 */
static __always_inline u64 sched_clock_scale(u64 cycles, u32 mul, u8 shift)
{
#ifdef CONFIG_64BIT
	u64 high;

	asm("mulq %2" : "+a" (cycles), "=d" (high) : "r" ((u64)mul) : "cc");
	asm("shrdq %%cl, %1, %0" : "+r" (cycles) : "r" (high), "c" (shift) : "cc");
	return cycles;
#else
	u64 low = (u64)(u32)cycles * mul;
	u64 high = (cycles >> 32) * mul + (low >> 32);
	u32 words[2] = { low, high };

	asm("shrdl %%cl, %1, %0" : "+r" (words[0]) : "r" (words[1]), "c" (shift) : "cc");
	asm("shrdl %%cl, %1, %0" : "+r" (words[1]) : "r" ((u32)(high >> 32)), "c" (shift) : "cc");
	return (u64)words[1] << 32 | words[0];
#endif
}

/*
 * Parameters are of two copies the one that is not being changed, told by the
 * lowest bit of a count. If it has gone on meanwhile, they may be of both.
 */
static __always_inline u64 sched_clock_tsc(void)
{
	const struct cyc2ns *clock = this_cpu_ptr(&cyc2ns);
	const struct cyc2ns_data *data;
	u64 cycles = rdtsc(), offset;
	u32 mul, shift;
	unsigned int seq;

	do {
		seq = READ_ONCE(clock->seq.seqcount.sequence);
		/* loads stay in their order here, and so do the stores they pair with */
		barrier();
		data = &clock->data[seq & 1];
		offset = data->cyc2ns_offset;
		mul = data->cyc2ns_mul;
		shift = data->cyc2ns_shift;
		barrier();
	} while (unlikely(seq != READ_ONCE(clock->seq.seqcount.sequence)));
	return offset + sched_clock_scale(cycles, mul, shift);
}

/**
 * sched_clock_inline - the time that sched_clock_noinstr() tells
 *
 * Context: any, with preemption disabled.
 * Return: ns, by the clock of this CPU.
 */
static __always_inline u64 sched_clock_inline(void)
{
	if (static_branch_likely(&sched_clock_is_tsc))
		return sched_clock_tsc();
	return sched_clock_noinstr();
}

#endif /* _ASM_X86_SCHED_CLOCK_INLINE_H */
