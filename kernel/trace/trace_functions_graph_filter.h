/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The filters of the function graph tracer: set_graph_function, set_graph_notrace,
 * max_graph_depth and the option funcgraph-irqs. They are the same for all instances.
 */
#ifndef _KERNEL_TRACE_FUNCTIONS_GRAPH_FILTER_H
#define _KERNEL_TRACE_FUNCTIONS_GRAPH_FILTER_H

#include <linux/ftrace.h>

#include "fgraph/frames.h"
#include "trace.h"

enum graph_verdict {
	GRAPH_LEAVE_OUT,	/* the call is not recorded, nor is its return */
	GRAPH_SILENCE,		/* the same, and so are all calls until it returns */
	GRAPH_RECORD,
};

enum graph_verdict graph_filter(struct fgraph_ops *gops, const struct ftrace_graph_ent *call);
void graph_not_recorded(struct fgraph_ops *gops, const struct ftrace_graph_ent *call);
bool graph_end_of_call(unsigned long *state, int depth);
bool graph_wants(struct fgraph_ops *gops, unsigned long func, int depth);

bool graph_has_named(void);
bool graph_names(unsigned long func);
void graph_choose_filters(struct trace_array *tr);
void graph_set_irqs(bool recorded);

/*
 * Whether a function of set_graph_function is running, and its call is the one at @depth; @state is
 * the task's word for the instance.
 */
static __always_inline bool graph_is_named(unsigned long state, int depth)
{
	return state & TRACE_GRAPH_FL && ftrace_graph_depth(&state) == depth;
}

/*
 * What to do with a call: graph_filter() is only asked while there is a filter. A function of
 * set_graph_notrace that has not returned silences those that it calls all the same.
 */
static __always_inline enum graph_verdict
graph_judge(struct fgraph_ops *gops, const struct ftrace_graph_ent *call)
{
	if (unlikely(*fgraph_task_var(current, gops) & TRACE_GRAPH_NOTRACE))
		return GRAPH_LEAVE_OUT;
	if (unlikely(READ_ONCE(gops->ask_filter)))
		return graph_filter(gops, call);
	return GRAPH_RECORD;
}

/*
 * Record a call if it is wanted, by @record. Whether its return is to be told is what an
 * entryfunc() returns.
 */
static __always_inline int
graph_enter(struct fgraph_ops *gops, struct ftrace_graph_ent *call,
	    bool (*record)(struct fgraph_ops *gops, struct ftrace_graph_ent *call, void *what),
	    void *what)
{
	enum graph_verdict verdict = graph_judge(gops, call);

	/* The return of a call that silences others ends that */
	if (unlikely(verdict != GRAPH_RECORD))
		return verdict == GRAPH_SILENCE;
	if (likely(record(gops, call, what)))
		return 1;
	graph_not_recorded(gops, call);
	return 0;
}

/*
 * At the return of a call, update the task's word for this instance. Returns false for a
 * function that graph_filter() has silenced: its entry was not recorded.
 */
static __always_inline bool graph_was_recorded(struct fgraph_ops *gops, int depth)
{
	unsigned long *state = fgraph_task_var(current, gops);

	if (likely(!(*state & (TRACE_GRAPH_FL | TRACE_GRAPH_NOTRACE))))
		return true;
	return graph_end_of_call(state, depth);
}

#endif /* _KERNEL_TRACE_FUNCTIONS_GRAPH_FILTER_H */
