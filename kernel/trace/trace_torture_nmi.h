/* SPDX-License-Identifier: GPL-2.0 */
/*
 * NMIs for torture tests: one CPU sends them to another or to itself. To be included by one
 * file of a test.
 */
#ifndef _TRACE_TORTURE_NMI_H
#define _TRACE_TORTURE_NMI_H

#include <linux/errno.h>

#ifdef CONFIG_X86_LOCAL_APIC
#include <linux/atomic.h>
#include <linux/cpumask.h>
#include <linux/delay.h>
#include <linux/jiffies.h>
#include <linux/percpu.h>
#include <linux/smp.h>
#include <asm/apic.h>
#include <asm/cpufeature.h>
#include <asm/nmi.h>

/**
 * struct torture_nmi - the NMI of a CPU
 * @due: it was sent, and has not come
 * @sent: when, in jiffies
 */
struct torture_nmi {
	atomic_t	due;
	unsigned long	sent;
};

static DEFINE_PER_CPU(struct torture_nmi, torture_nmis);
static void (*torture_in_nmi)(void);

static int torture_nmi(unsigned int type, struct pt_regs *regs)
{
	/* One that came late was sent again, and both are one */
	if (!atomic_xchg(this_cpu_ptr(&torture_nmis.due), 0))
		return NMI_DONE;
	torture_in_nmi();
	return NMI_HANDLED;
}

/* Have @call called in NMIs. Returns 0, or less if there are none here. */
static int torture_nmi_start(void (*call)(void))
{
	if (!boot_cpu_has(X86_FEATURE_APIC))
		return -ENODEV;
	torture_in_nmi = call;
	return register_nmi_handler(NMI_LOCAL, torture_nmi, 0, KBUILD_MODNAME);
}

/* None is sent any more. Those on their way are waited for, while there is a handler. */
static void torture_nmi_stop(void)
{
	unsigned int tries, cpu;

	for_each_possible_cpu(cpu)
		for (tries = 0; tries < 50 && atomic_read(&per_cpu(torture_nmis.due, cpu)); tries++)
			msleep(20);
	unregister_nmi_handler(NMI_LOCAL, KBUILD_MODNAME);
}

/*
 * Send an NMI to @cpu, if it is online and has none on its way. One that went
 * to a CPU on its way offline may never come, so it is not waited for long.
 *
 * Context: preemption disabled, which keeps the CPU online; not in an NMI.
 */
static void torture_nmi_send(unsigned int cpu)
{
	struct torture_nmi *nmi = per_cpu_ptr(&torture_nmis, cpu);

	if (!cpu_online(cpu))
		return;
	if (atomic_cmpxchg(&nmi->due, 0, 1) && time_before(jiffies, READ_ONCE(nmi->sent) + HZ))
		return;
	WRITE_ONCE(nmi->sent, jiffies);
	apic->send_IPI_mask(cpumask_of(cpu), NMI_VECTOR);
}
#else
static int torture_nmi_start(void (*call)(void))
{
	return -ENODEV;
}

static void torture_nmi_stop(void)
{
}

static void torture_nmi_send(unsigned int cpu)
{
}
#endif

#endif /* _TRACE_TORTURE_NMI_H */
