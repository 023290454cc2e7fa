/* SPDX-License-Identifier: GPL-2.0 */
/* The function graph tracer, called from call sites without a trampoline. */
#ifndef _KERNEL_TRACE_GRAPH_ENTRY_H
#define _KERNEL_TRACE_GRAPH_ENTRY_H

#include <linux/ftrace.h>
#include <linux/sched.h>

struct trace_array;

#ifdef CONFIG_FUNCTION_GRAPH_ENTRIES
#include <linux/ftrace_entries.h>

/* One for each number of words that an event has of the arguments */
#define DECLARE_GRAPH(kind, nr_words)							\
	__ftrace_site_entry void							\
	function_graph_##kind##_##nr_words(FTRACE_ENTRY_ARGS);

/* The second kind is for the time in which there is a limit of the depth */
#define DECLARE_GRAPH_ENTRY(nr_words)	DECLARE_GRAPH(entry, nr_words)
#define DECLARE_GRAPH_LIMITED(nr_words)	DECLARE_GRAPH(limited, nr_words)

FTRACE_ENTRIES_BY_WORDS(DECLARE_GRAPH_ENTRY)
FTRACE_ENTRIES_BY_WORDS(DECLARE_GRAPH_LIMITED)

/* What return_to_function_graph has on the stack */
struct graph_result {
	unsigned long	low;
	unsigned long	high;
	unsigned long	slot;	/* where the function had its return address */
};

bool function_graph_return(struct graph_result *result);

/* Of the ops that all users of the function graph share */
extern struct ftrace_entries function_graph_entries;

bool trace_graph_has_entries(const struct fgraph_ops *gops);
void trace_graph_take_entries(const struct fgraph_ops *gops);
bool trace_graph_has_owner(void);
void trace_graph_start_entries(struct fgraph_ops *gops);
void trace_graph_stop_entries(const struct fgraph_ops *gops);

void trace_graph_update_gates(void);
void trace_graph_note_task(const struct trace_array *tr, struct task_struct *task);
#else
static inline void trace_graph_note_task(const struct trace_array *tr, struct task_struct *task) { }
#endif

#endif /* _KERNEL_TRACE_GRAPH_ENTRY_H */
