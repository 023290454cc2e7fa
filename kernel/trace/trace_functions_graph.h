/* SPDX-License-Identifier: GPL-2.0 */
/* Shared by the files that print the function graph tracer's output. */
#ifndef _KERNEL_TRACE_FUNCTIONS_GRAPH_H
#define _KERNEL_TRACE_FUNCTIONS_GRAPH_H

#include <linux/ftrace.h>
#include <linux/ftrace_signature.h>

#include "trace.h"

#define GRAPH_ENTRY_SIZE	(sizeof(struct ftrace_graph_ent_entry) +		\
				 FTRACE_SIG_MAX_WORDS * sizeof(unsigned long))
#define GRAPH_RETURN_SIZE	(sizeof(struct ftrace_graph_ret_entry) +		\
				 (1 + FTRACE_SIG_MAX_WORDS) * sizeof(unsigned long))
#define GRAPH_ATTACHED_WORDS	(FTRACE_SIG_MAX_SYSCALL + FTRACE_SIG_EVENT_MAX / sizeof(long))

/*
 * Room for a call's events with arguments and result, and for the arguments of a syscall,
 * which are attached to an entry
 */
struct graph_small_room {
	u8		entry[GRAPH_ENTRY_SIZE] __aligned(sizeof(long));
	u8		ret[GRAPH_RETURN_SIZE] __aligned(sizeof(long));
	unsigned long	attached[FTRACE_SIG_MAX_SYSCALL];
};

/* The same with what these point to */
struct graph_room {
	u8		entry[GRAPH_ENTRY_SIZE] __aligned(sizeof(long));
	u8		ret[GRAPH_RETURN_SIZE] __aligned(sizeof(long));
	unsigned long	attached[GRAPH_ATTACHED_WORDS];
	unsigned long	ret_attached[FTRACE_SIG_EVENT_MAX / sizeof(long) + GRAPH_ATTACHED_WORDS];
};

/* Copied words */
struct graph_words {
	const unsigned long		*words;
	unsigned int			nr;
};

/* A copy of an entry event, and of the return event if the call is a leaf */
struct graph_call {
	u64				ts;
	unsigned int			nr_words;
	unsigned int			nr_ret_words;
	bool				leaf;
	/* In a struct graph_room or a struct graph_small_room, with their words */
	struct ftrace_graph_ent_entry	*entry;
	struct ftrace_graph_ret_entry	*ret;
	struct graph_words		attached;
	struct graph_words		ret_attached;
};

/* What a line passes on to the next line of its CPU */
struct graph_position {
	pid_t	pid;		/* task of the line; -1 before the first line */
	int	depth;		/* depth at which comments are printed */
	int	irq_depth;	/* depth of the interrupt being hidden; -1: none */
};

/* What a reader remembers of a CPU */
struct graph_cpu {
	struct graph_position	at;

	/* A return that was printed with its entry, but is still in the buffer */
	bool			returned;
	unsigned long		returned_func;
	u64			returned_at;

	/* Functions whose entry was printed, by depth; 0: none */
	unsigned long		open[FTRACE_RETFUNC_DEPTH];
};

/* iter->private; without it, each line is printed from its event alone */
struct graph_reader {
	struct graph_cpu __percpu	*states;
	struct graph_call		call;
	struct graph_room		room;
	/* The number of the CPU whose @call is to be printed again; -1: none */
	int				again_cpu;
	/* How many events were lost before @call */
	unsigned long			lost_before;
};

/* What call sites call for function_graph may have changed */
#ifdef CONFIG_FUNCTION_GRAPH_ENTRIES
void trace_graph_choose_entries(void);
#else
static inline void trace_graph_choose_entries(void) { }
#endif

int graph_entry_words(const struct fgraph_ops *gops, unsigned long ip);

/* Beside TRACE_GRAPH_PRINT_*: what arguments point to */
#define TRACE_GRAPH_PRINT_STRINGS	0x10000
#define TRACE_GRAPH_PRINT_STRUCTS	0x20000
#define TRACE_GRAPH_PRINT_CHANGES	0x40000
/* The arguments at the return, too */
#define TRACE_GRAPH_PRINT_EXIT_ARGS	0x80000

/* The memory that the options in @flags ask for, see linux/ftrace_signature.h */
static inline u32 graph_classes(u32 flags)
{
	u32 classes = 0;

	if (flags & TRACE_GRAPH_PRINT_STRINGS)
		classes |= FTRACE_SIG_FOLLOW_STRINGS;
	if (flags & TRACE_GRAPH_PRINT_STRUCTS)
		classes |= FTRACE_SIG_FOLLOW_STRUCTS;
	if (flags & TRACE_GRAPH_PRINT_CHANGES)
		classes |= FTRACE_SIG_FOLLOW_CHANGES;
	return classes;
}

/* The line that is being printed */
struct graph_line {
	struct trace_iterator		*iter;
	struct trace_seq		*s;
	struct graph_cpu		*state;	/* NULL without a graph_reader */
	const struct trace_entry	*ent;
	u64				ts;
	u32				flags;
};

/* The present address of @func in an event; 0 if a kernel of another build recorded it */
static inline unsigned long graph_shown_address(const struct graph_line *line,
						unsigned long func)
{
	if (trace_has_other_build(line->iter->tr))
		return 0;
	return func + line->iter->tr->text_delta;
}

bool graph_in_irqentry_text(unsigned long addr);
void graph_print_spaces(struct trace_seq *s, int count);
void graph_print_context(const struct graph_line *line);
void graph_print_duration(const struct graph_line *line,
			  const struct ftrace_graph_ret *ret);
void graph_print_no_duration(const struct graph_line *line);
void graph_print_irq_begin(const struct graph_line *line, unsigned long func);
void graph_print_irq_end(const struct graph_line *line, unsigned long func);
void graph_print_task_switch(const struct graph_line *line);

#endif /* _KERNEL_TRACE_FUNCTIONS_GRAPH_H */
