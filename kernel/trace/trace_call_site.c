// SPDX-License-Identifier: GPL-2.0
/*
 * What entries do seldom, and what is done for them.
 *
 * What is seldom done behind an event are functions that keep all registers: an entry that called
 * others would have to save them at each call.
 */
#include "trace_call_site.h"

/**
 * trace_call_site_follow - have a word that entries look at follow what it is made of
 * @word: the word
 * @value: says what it is to be now
 *
 * To be called behind each change of what @value() looks at. Changes may come at the same time,
 * also in an NMI: whoever writes the word last has seen them all.
 *
 * Context: any, NMI included.
 */
void trace_call_site_follow(unsigned long *word, unsigned long (*value)(void))
{
	unsigned long new;

	do {
		/*
		 * LMM(trace_call_site_follow:A) pairs with LMM(trace_call_site_follow:B): what
		 * has changed, then the word
		 */
		smp_mb();
		new = value();
		WRITE_ONCE(*word, new);
		/*
		 * LMM(trace_call_site_follow:B) pairs with LMM(trace_call_site_follow:A): the
		 * word, then a look at what others have changed meanwhile
		 */
		smp_mb();
	} while (value() != new);
}

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
