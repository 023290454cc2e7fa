// SPDX-License-Identifier: GPL-2.0
/* The columns in which a line of text tells the context of an event. */
#include <linux/ftrace.h>
#include <linux/math64.h>
#include <linux/time64.h>

#include "trace.h"
#include "trace_output.h"
#include "trace_text.h"

#define COMM_WIDTH	16
#define PID_WIDTH	7
#define CPU_WIDTH	3

static char irqs_char(unsigned int flags)
{
	bool off = flags & TRACE_FLAG_IRQS_OFF;

	if (flags & TRACE_FLAG_BH_OFF)
		return off ? 'D' : 'b';
	if (off)
		return 'd';
	return flags & TRACE_FLAG_IRQS_NOSUPPORT ? 'X' : '.';
}

static char resched_char(unsigned int flags)
{
	bool preempt = flags & TRACE_FLAG_PREEMPT_RESCHED;

	if (flags & TRACE_FLAG_NEED_RESCHED)
		return preempt ? 'N' : 'n';
	return preempt ? 'p' : '.';
}

static char interrupt_char(unsigned int flags)
{
	bool hardirq = flags & TRACE_FLAG_HARDIRQ;

	if (flags & TRACE_FLAG_NMI)
		return hardirq ? 'Z' : 'z';
	if (flags & TRACE_FLAG_SOFTIRQ)
		return hardirq ? 'H' : 's';
	return hardirq ? 'h' : '.';
}

/* How often preemption or migration is disabled */
static char level_char(unsigned int level)
{
	return ".123456789abcdef"[level & 0xf];
}

static void write_flags(struct trace_text *t, const struct trace_entry *entry)
{
	trace_text_char(t, irqs_char(entry->flags));
	trace_text_char(t, resched_char(entry->flags));
	trace_text_char(t, interrupt_char(entry->flags));
	trace_text_char(t, level_char(entry->preempt_count));
	trace_text_char(t, level_char(entry->preempt_count >> 4));
}

/**
 * trace_print_lat_fmt - print the state of interrupts and preemption
 * @s: where to
 * @entry: the event
 *
 * Context: any, NMI included.
 * Return: 0 if it did not fit.
 */
int trace_print_lat_fmt(struct trace_seq *s, struct trace_entry *entry)
{
	struct trace_text t __uninitialized;

	trace_text_begin(&t, s);
	write_flags(&t, entry);
	trace_text_end(&t);
	return !trace_seq_has_overflowed(s);
}

/* On the right of its column; what is copied behind it is overwritten by what follows */
static void write_comm(struct trace_text *t, int pid)
{
	char comm[TASK_COMM_LEN];
	char *end = t->at + COMM_WIDTH;

	trace_find_cmdline(pid, comm);
	memset(t->at, ' ', COMM_WIDTH);
	memcpy(end - strnlen(comm, sizeof(comm)), comm, sizeof(comm));
	t->at = end;
}

static void write_tgid(struct trace_text *t, int pid)
{
	unsigned int tgid = trace_find_tgid(pid);

	if (tgid) {
		trace_text_char(t, '(');
		trace_text_padded(t, tgid, PID_WIDTH, ' ');
		trace_text_string(t, ") ");
	} else {
		trace_text_string(t, "(-------) ");
	}
}

static void write_time(struct trace_text *t, const struct trace_iterator *iter)
{
	u32 usecs;
	u64 secs;

	trace_text_char(t, ' ');
	if (iter->iter_flags & TRACE_FILE_TIME_IN_NS) {
		secs = div_u64_rem(ns2usecs(iter->ts), USEC_PER_SEC, &usecs);
		trace_text_padded(t, (unsigned long)secs, 5, ' ');
		trace_text_char(t, '.');
		trace_text_padded(t, usecs, 6, '0');
	} else {
		trace_text_padded(t, iter->ts, 12, ' ');
	}
}

/**
 * trace_print_context - print the task, CPU, state and time of an event
 * @iter: at the event; the text goes to its @seq
 *
 * Context: any, NMI included.
 * Return: 0 if it did not fit.
 */
int trace_print_context(struct trace_iterator *iter)
{
	unsigned long flags = iter->tr->trace_flags;
	const struct trace_entry *entry = iter->ent;
	struct trace_seq *s = &iter->seq;
	struct trace_text t __uninitialized;

	trace_text_begin(&t, s);
	write_comm(&t, entry->pid);
	trace_text_char(&t, '-');
	trace_text_left_aligned(&t, entry->pid, PID_WIDTH);
	trace_text_char(&t, ' ');
	if (flags & TRACE_ITER_RECORD_TGID)
		write_tgid(&t, entry->pid);
	trace_text_char(&t, '[');
	trace_text_padded(&t, iter->cpu, CPU_WIDTH, '0');
	trace_text_string(&t, "] ");
	if (flags & TRACE_ITER_IRQ_INFO)
		write_flags(&t, entry);
	write_time(&t, iter);
	trace_text_string(&t, ": ");
	trace_text_end(&t);

	return !trace_seq_has_overflowed(s);
}
