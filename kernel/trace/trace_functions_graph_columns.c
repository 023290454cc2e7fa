// SPDX-License-Identifier: GPL-2.0
/*
 * The function graph tracer's output: the columns left of the functions, the
 * lines that mark interrupts and task switches, and the header.
 */
#include <linux/ftrace.h>
#include <linux/interrupt.h>
#include <linux/math64.h>
#include <linux/minmax.h>

#include "trace.h"
#include "trace_functions_graph.h"
#include "trace_output.h"
#include "trace_text.h"

#define TASK_WIDTH		14
#define TASK_COMM_SHOWN		7
#define MAX_SPACES		1024
#define DURATION_WIDTH		8

/* Digits of the highest CPU number */
static int cpu_digits __ro_after_init;

static bool shows_context(const struct graph_line *line)
{
	return line->iter->tr->trace_flags & TRACE_ITER_CONTEXT_INFO;
}

static bool shows_duration(const struct graph_line *line)
{
	return (line->flags & TRACE_GRAPH_PRINT_DURATION) && shows_context(line);
}

bool graph_in_irqentry_text(unsigned long addr)
{
	return addr >= (unsigned long)__irqentry_text_start &&
	       addr < (unsigned long)__irqentry_text_end;
}

/* The number is limited, because a damaged event of an earlier boot may have any depth */
void graph_print_spaces(struct trace_seq *s, int count)
{
	count = min(count, MAX_SPACES);
	if (count > 0)
		trace_text_put_spaces(s, count);
}

static void print_cpu(struct trace_seq *s, int cpu)
{
	struct trace_text t __uninitialized;

	trace_text_begin(&t, s);
	trace_text_char(&t, ' ');
	trace_text_padded(&t, cpu, cpu_digits, ' ');
	trace_text_string(&t, ") ");
	trace_text_end(&t);
}

/* Centered in its column, unless it is wider */
static void print_task(struct trace_seq *s, pid_t pid)
{
	char comm[TASK_COMM_LEN];
	char text[TASK_COMM_SHOWN + sizeof("--2147483648")];
	int spaces;

	trace_find_cmdline(pid, comm);
	spaces = TASK_WIDTH - scnprintf(text, sizeof(text), "%.*s-%d",
					TASK_COMM_SHOWN, comm, pid);

	graph_print_spaces(s, spaces / 2);
	trace_text_puts(s, text);
	graph_print_spaces(s, spaces - spaces / 2);
}

static void print_abs_time(struct trace_seq *s, u64 ts)
{
	u32 nsecs;
	u64 secs = div_u64_rem(ts, NSEC_PER_SEC, &nsecs);
	struct trace_text t __uninitialized;

	trace_text_begin(&t, s);
	trace_text_padded(&t, secs, 5, ' ');
	trace_text_char(&t, '.');
	trace_text_padded(&t, nsecs / (u32)NSEC_PER_USEC, 6, '0');
	trace_text_string(&t, " |  ");
	trace_text_end(&t);
}

static void print_rel_time(struct trace_seq *s, u64 since_start)
{
	struct trace_text t __uninitialized;

	trace_text_begin(&t, s);
	trace_text_padded(&t, div_u64(since_start, NSEC_PER_USEC), 9, ' ');
	trace_text_string(&t, " us |  ");
	trace_text_end(&t);
}

/* Everything left of the duration */
void graph_print_context(const struct graph_line *line)
{
	struct trace_iterator *iter = line->iter;
	struct trace_seq *s = line->s;

	if (!shows_context(line))
		return;
	if (line->flags & TRACE_GRAPH_PRINT_ABS_TIME)
		print_abs_time(s, line->ts);
	if (line->flags & TRACE_GRAPH_PRINT_REL_TIME)
		print_rel_time(s, line->ts - iter->array_buffer->time_start);
	if (line->flags & TRACE_GRAPH_PRINT_CPU)
		print_cpu(s, iter->cpu);
	if (line->flags & TRACE_GRAPH_PRINT_PROC) {
		print_task(s, line->ent->pid);
		trace_text_puts(s, " | ");
	}
	if (iter->tr->trace_flags & TRACE_ITER_LATENCY_FMT) {
		trace_text_putc(s, ' ');
		/* it only reads, although its parameter is not const */
		trace_print_lat_fmt(s, (struct trace_entry *)line->ent);
		trace_text_puts(s, " | ");
	}
}

/**
 * trace_print_graph_duration - print a duration in microseconds
 * @duration: in ns
 * @s: where to print it
 *
 * The number has eight characters, if it is below 10^8 us: the more digits before
 * the point, the fewer decimals.  The unit follows, and spaces to fill the width.
 */
void trace_print_graph_duration(unsigned long long duration, struct trace_seq *s)
{
	struct trace_text t __uninitialized;
	char *number;
	u32 nsecs;
	u64 usecs = div_u64_rem(duration, NSEC_PER_USEC, &nsecs);
	int len;

	trace_text_begin(&t, s);
	number = t.at;
	trace_text_u64(&t, usecs);
	len = t.at - number;
	if (len < 7) {
		trace_text_char(&t, '.');
		trace_text_padded(&t, nsecs, 3, '0');
		/* With five or six digits, fewer decimals have room */
		len = min(len + 4, DURATION_WIDTH);
		t.at = number + len;
	}
	trace_text_string(&t, " us ");
	trace_text_spaces(&t, DURATION_WIDTH - len);
	trace_text_end(&t);
}

void graph_print_duration(const struct graph_line *line,
			  const struct ftrace_graph_ret *ret)
{
	u64 duration = ret->rettime - ret->calltime;
	bool marked = line->flags & TRACE_GRAPH_PRINT_OVERHEAD;

	if (!shows_duration(line))
		return;
	trace_text_putc(line->s, marked ? trace_find_mark(duration) : ' ');
	trace_text_putc(line->s, ' ');
	trace_print_graph_duration(duration, line->s);
	trace_text_puts(line->s, "|  ");
}

void graph_print_no_duration(const struct graph_line *line)
{
	if (shows_duration(line))
		trace_text_puts(line->s, "              |  ");
}

/* Print a line that marks where an interrupt begins or ends */
static void print_irq_mark(const struct graph_line *line, unsigned long func,
			   const char *arrow)
{
	if (!graph_in_irqentry_text(graph_shown_address(line, func)))
		return;
	graph_print_context(line);
	if (shows_duration(line))
		trace_seq_printf(line->s, "  %s |\n", arrow);
	else
		trace_seq_printf(line->s, "%s\n", arrow);
}

void graph_print_irq_begin(const struct graph_line *line, unsigned long func)
{
	print_irq_mark(line, func, "==========>");
}

void graph_print_irq_end(const struct graph_line *line, unsigned long func)
{
	print_irq_mark(line, func, "<==========");
}

#define SWITCH_RULE	" ------------------------------------------\n"

/* Print a task switch, if the CPU ran another task at its last line */
void graph_print_task_switch(const struct graph_line *line)
{
	pid_t pid = line->ent->pid;
	pid_t last;

	if (!line->state)
		return;
	last = line->state->at.pid;
	line->state->at.pid = pid;
	if (last == pid || last == -1)
		return;

	trace_text_puts(line->s, SWITCH_RULE);
	print_cpu(line->s, line->iter->cpu);
	print_task(line->s, last);
	trace_text_puts(line->s, " => ");
	print_task(line->s, pid);
	trace_text_puts(line->s, "\n" SWITCH_RULE "\n");
}

struct graph_column {
	u32		flag;
	const char	*title;
	const char	*pointer;
};

/* The columns before that of the latency format, in the order of the lines */
static const struct graph_column context_columns[] = {
	{ TRACE_GRAPH_PRINT_ABS_TIME,	"     TIME       ",	"      |         "  },
	{ TRACE_GRAPH_PRINT_REL_TIME,	"   REL TIME     ",	"      |         "  },
	{ TRACE_GRAPH_PRINT_CPU,	" CPU",			" |  "		    },
	{ TRACE_GRAPH_PRINT_PROC,	"  TASK/PID       ",	"   |    |        " },
};

static const char * const latency_legend[] = {
	"  _-----=> irqs-off        ",
	" / _----=> need-resched    ",
	"| / _---=> hardirq/softirq ",
	"|| / _--=> preempt-depth   ",
	"||| /                      ",
};

static void print_latency_legend(struct seq_file *m, u32 flags)
{
	int width = 0;
	int i;

	for (i = 0; i < ARRAY_SIZE(context_columns); i++)
		if (flags & context_columns[i].flag)
			width += strlen(context_columns[i].title);

	for (i = 0; i < ARRAY_SIZE(latency_legend); i++)
		seq_printf(m, "#%*s%s\n", width, "", latency_legend[i]);
}

static void print_header_line(struct seq_file *m, u32 flags, bool latency, bool titles)
{
	int i;

	seq_putc(m, '#');
	for (i = 0; i < ARRAY_SIZE(context_columns); i++)
		if (flags & context_columns[i].flag)
			seq_puts(m, titles ? context_columns[i].title :
					     context_columns[i].pointer);
	if (latency)
		seq_puts(m, "||||   ");
	if (flags & TRACE_GRAPH_PRINT_DURATION)
		seq_puts(m, titles ? "  DURATION   " : "   |   |      ");
	seq_puts(m, titles ? "               FUNCTION CALLS\n" :
			     "               |   |   |   |\n");
}

/**
 * print_graph_headers_flags - print the lines that name the columns
 * @s: the reader's file; its @private is the iterator
 * @flags: TRACE_GRAPH_PRINT_*, as for the lines that follow
 */
void print_graph_headers_flags(struct seq_file *s, u32 flags)
{
	struct trace_iterator *iter = s->private;
	unsigned long trace_flags = iter->tr->trace_flags;
	bool latency = trace_flags & TRACE_ITER_LATENCY_FMT;

	if (!(trace_flags & TRACE_ITER_CONTEXT_INFO))
		return;

	if (latency) {
		if (trace_empty(iter))
			return;
		print_trace_header(s, iter);
		print_latency_legend(s, flags);
	}
	print_header_line(s, flags, latency, true);
	print_header_line(s, flags, latency, false);
}

static __init int graph_columns_init(void)
{
	cpu_digits = snprintf(NULL, 0, "%u", nr_cpu_ids - 1);
	return 0;
}
core_initcall(graph_columns_init);
