// SPDX-License-Identifier: GPL-2.0
/*
 * Ring buffer torture test: NMIs, which one CPU sends to another or to itself.
 */
#include <linux/cpumask.h>
#include <linux/delay.h>
#include <linux/errno.h>
#include <linux/jiffies.h>
#include <linux/smp.h>

#include "ring_buffer_torture.h"

#ifdef CONFIG_X86_LOCAL_APIC
#include <asm/apic.h>
#include <asm/cpufeature.h>
#include <asm/nmi.h>

#define RBT_NMI_NAME	"ring_buffer_torture"

static void (*rbt_nmi_write)(void);

static int rbt_nmi(unsigned int type, struct pt_regs *regs)
{
	/* one that came late was sent again, and both are one */
	if (!atomic_xchg(&rbt.cpus[raw_smp_processor_id()].nmi_due, 0))
		return NMI_DONE;
	rbt_nmi_write();
	return NMI_HANDLED;
}

/* Let @write write in NMIs. Returns 0, or less if there are none here. */
int rbt_nmi_start(void (*write)(void))
{
	if (!boot_cpu_has(X86_FEATURE_APIC))
		return -ENODEV;
	rbt_nmi_write = write;
	return register_nmi_handler(NMI_LOCAL, rbt_nmi, 0, RBT_NMI_NAME);
}

/* Nobody sends any. Those that were sent are waited for, or they were no one's. */
void rbt_nmi_stop(void)
{
	unsigned int tries, cpu;

	for_each_possible_cpu(cpu)
		for (tries = 0; tries < 50 && atomic_read(&rbt.cpus[cpu].nmi_due); tries++)
			msleep(20);
	unregister_nmi_handler(NMI_LOCAL, RBT_NMI_NAME);
}

/*
 * Send an NMI to @cpu, if it is online and has none on its way. One that went
 * to a CPU on its way offline may never come, so it is not waited for long.
 *
 * Context: preemption disabled, which keeps the CPU online; not in an NMI.
 */
void rbt_nmi_send(struct rbt_cpu *cpu)
{
	if (!cpu_online(cpu->nr))
		return;
	if (atomic_cmpxchg(&cpu->nmi_due, 0, 1) &&
	    time_before(jiffies, READ_ONCE(cpu->nmi_sent) + HZ))
		return;
	WRITE_ONCE(cpu->nmi_sent, jiffies);
	apic->send_IPI_mask(cpumask_of(cpu->nr), NMI_VECTOR);
}
#else
int rbt_nmi_start(void (*write)(void))
{
	return -ENODEV;
}

void rbt_nmi_stop(void)
{
}

void rbt_nmi_send(struct rbt_cpu *cpu)
{
}
#endif
