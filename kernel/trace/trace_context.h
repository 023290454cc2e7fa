/* SPDX-License-Identifier: GPL-2.0 */
/* The interrupt and preemption state of an event, inlined for the common case. */
#ifndef _KERNEL_TRACE_CONTEXT_H
#define _KERNEL_TRACE_CONTEXT_H

#include <linux/irqflags.h>
#include <linux/preempt.h>
#include <linux/sched.h>
#include <linux/thread_info.h>
#include <linux/trace_events.h>
#ifdef CONFIG_X86
#include <asm/asm.h>
#endif

/* The low four bits of a context count the levels of preempt_disable(), up to this */
#define TRACE_CONTEXT_MAX_LEVEL	0xf

#ifdef CONFIG_X86
/* The compiler shifts and masks to get 1 of a bit that is 0; the condition itself is shorter */
static __always_inline unsigned char trace_context_irqs(void)
{
	u32 flags = arch_local_save_flags();
	bool off;

	asm("testl %[interrupts], %[flags]" CC_SET(e)
	    : CC_OUT(e) (off) : [interrupts] "i" (X86_EFLAGS_IF), [flags] "r" (flags));
	static_assert(TRACE_FLAG_IRQS_OFF == 1);
	return off;
}
#elif defined(CONFIG_TRACE_IRQFLAGS_SUPPORT)
#define trace_context_irqs()	(irqs_disabled() ? TRACE_FLAG_IRQS_OFF : 0)
#else
#define trace_context_irqs()	TRACE_FLAG_IRQS_NOSUPPORT
#endif

static __always_inline bool trace_context_migrates(const struct task_struct *task)
{
#ifdef CONFIG_SMP
	return !task->migration_disabled;
#else
	return true;
#endif
}

/*
 * The count of preempt_disable(), as preempt_count(), but larger than any level if the task
 * is to be rescheduled. On x86, a bit of the count tells so: it is 0 then.
 */
#ifdef CONFIG_X86
static __always_inline unsigned int trace_context_count(void)
{
	return raw_cpu_read_4(pcpu_hot.preempt_count) ^ PREEMPT_NEED_RESCHED;
}
#else
static __always_inline unsigned int trace_context_count(void)
{
	return test_preempt_need_resched() ? UINT_MAX : preempt_count();
}
#endif

/*
 * Whether the context consists of TRACE_FLAG_IRQS_OFF and the preemption level alone.
 * In softirqs, interrupts and NMIs the count is larger than any level, because their
 * bits are above those of the level. @task is current, @count is what
 * trace_context_count() returned.
 */
static __always_inline bool trace_context_is_plain(struct task_struct *task, unsigned int count)
{
	/* With PREEMPT_RT, the count does not tell whether softirqs are disabled */
	if (IS_ENABLED(CONFIG_PREEMPT_RT))
		return false;

	return count <= TRACE_CONTEXT_MAX_LEVEL && !test_tsk_need_resched(task) &&
	       trace_context_migrates(task);
}

/**
 * trace_context - the interrupt and preemption state of an event
 *
 * Most functions are called by tasks, so this computes the context of tasks inline.
 *
 * Context: any, NMI included.
 * Return: the same as tracing_gen_ctx().
 */
static __always_inline unsigned int trace_context(void)
{
	unsigned int count = trace_context_count();

	if (likely(trace_context_is_plain(current, count)))
		return trace_context_irqs() << 16 | count;
	return tracing_gen_ctx();
}

/**
 * trace_context_fill_plain - fill in the first fields of an event whose context is plain
 * @entry: the event
 * @type: its type
 * @task: current
 * @count: what trace_context_count() returned, and trace_context_is_plain() found plain
 *
 * The same as tracing_generic_entry_update() with trace_context(), without putting the
 * parts of the context together first.
 *
 * Context: a task.
 */
static __always_inline void trace_context_fill_plain(struct trace_entry *entry,
						     unsigned short type,
						     const struct task_struct *task,
						     unsigned int count)
{
	entry->type = type;
	entry->flags = trace_context_irqs();
	entry->preempt_count = count;
	entry->pid = task->pid;
}

/**
 * trace_context_dec - trace_context() as it was before preemption was disabled
 *
 * Context: any, NMI included; the caller has disabled preemption, once.
 * Return: the same as tracing_gen_ctx_dec().
 */
static __always_inline unsigned int trace_context_dec(void)
{
	return trace_context() - IS_ENABLED(CONFIG_PREEMPTION);
}

#endif /* _KERNEL_TRACE_CONTEXT_H */
