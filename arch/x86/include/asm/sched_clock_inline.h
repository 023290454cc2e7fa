/* SPDX-License-Identifier: GPL-2.0 */
/* The scheduler's clock, inlined for users to whom a call is expensive. */
#ifndef _ASM_X86_SCHED_CLOCK_INLINE_H
#define _ASM_X86_SCHED_CLOCK_INLINE_H

#include <linux/build_bug.h>
#include <linux/compiler.h>
#include <linux/jump_label.h>
#include <linux/percpu.h>
#include <linux/sched/clock.h>
#include <linux/stddef.h>
#include <linux/types.h>

#include <asm/asm.h>
#include <asm/msr.h>
#include <asm/timer.h>

DECLARE_PER_CPU_ALIGNED(struct cyc2ns, cyc2ns);

/* The clock counts by the TSC, not by jiffies or a hypervisor's clock. */
DECLARE_STATIC_KEY_FALSE(sched_clock_is_tsc);

/* Read from copy @i of this CPU's parameters; volatile, so reads stay in order */
#define sched_clock_read(i, member)	this_cpu_read(cyc2ns.data[i].cyc2ns_##member)

/*
 * @cycles * mul / 2^shift + offset, modulo 2^64. __set_cyc2ns_scale() keeps the
 * shift below 32, so one shrd does it; the compiler cannot know that.
 */
#ifdef CONFIG_64BIT
static __always_inline u64 sched_clock_scale(u64 cycles, unsigned int i)
{
	u64 high;

	asm("mulq %2" : "+a" (cycles), "=d" (high) : "r" ((u64)sched_clock_read(i, mul)) : "cc");
	asm("shrdq %%cl, %1, %0" : "+r" (cycles)
	    : "r" (high), "c" (sched_clock_read(i, shift)) : "cc");
	return cycles + sched_clock_read(i, offset);
}
#else
/*
 * One asm statement: otherwise the compiler copies the operands to the stack. With a frame
 * pointer, it has one register left for addresses: so the parameters are words of one array.
 */
static __always_inline u64 sched_clock_scale(u64 cycles, unsigned int i)
{
	u32 __percpu *data = (u32 __percpu *)&cyc2ns.data[i];
	u32 low, high;

	BUILD_BUG_ON(offsetof(struct cyc2ns_data, cyc2ns_mul) != 0 ||
		     offsetof(struct cyc2ns_data, cyc2ns_shift) != 4 ||
		     offsetof(struct cyc2ns_data, cyc2ns_offset) != 8);

	asm volatile("movl %%edx, %[high]\n\t"
		     "mull " __percpu_arg([mul]) "\n\t"
		     "movl %%eax, %[low]\n\t"
		     "movl %[high], %%eax\n\t"
		     "movl %%edx, %[high]\n\t"
		     "mull " __percpu_arg([mul]) "\n\t"
		     "addl %[high], %%eax\n\t"
		     "adcl $0, %%edx\n\t"
		     "shrdl %%cl, %%eax, %[low]\n\t"
		     "shrdl %%cl, %%edx, %%eax\n\t"
		     "addl " __percpu_arg([offset]) ", %[low]\n\t"
		     "adcl " __percpu_arg([upper]) ", %%eax\n\t"
		     "movl %%eax, %%edx\n\t"
		     "movl %[low], %%eax"
		     : "+A" (cycles), [low] "=&r" (low), [high] "=&r" (high)
		     : "c" (this_cpu_read(data[1])),
		       [mul] "m" (__my_cpu_var(data[0])),
		       [offset] "m" (__my_cpu_var(data[2])),
		       [upper] "m" (__my_cpu_var(data[3]))
		     : "cc");
	return cycles;
}
#endif

/* Whether the parameters have changed since their sequence count was @seq */
static __always_inline bool sched_clock_changed(u32 seq)
{
	bool changed;

	asm volatile("cmpl " __percpu_arg([seq]) ", %[was]" CC_SET(ne)
		     : CC_OUT(ne) (changed)
		     : [was] "r" (seq), [seq] "m" (__my_cpu_var(cyc2ns.seq.seqcount.sequence)));
	return changed;
}

/*
 * There are two copies of the parameters. The lowest bit of a sequence count tells
 * which one is not being changed. If the count has changed after reading, the values
 * may be of both copies, so read again. No barriers are needed: the processor keeps
 * loads in order, and the stores that they pair with.
 */
static __always_inline u64 sched_clock_tsc(void)
{
	u32 seq;
	u64 ns;

	do {
		seq = this_cpu_read(cyc2ns.seq.seqcount.sequence);
		ns = sched_clock_scale(rdtsc(), seq & 1);
	} while (unlikely(sched_clock_changed(seq)));
	return ns;
}

/**
 * sched_clock_inline - the same time as that of sched_clock_noinstr()
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
