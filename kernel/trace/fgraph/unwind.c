// SPDX-License-Identifier: GPL-2.0
/*
 * Look up return addresses that the function graph has replaced.
 *
 * Unwinders come in any context, also in the middle of a push and a pop, and may look at
 * a task that runs. What they read then of its stack may be old or half written. So each
 * step is checked, and an address is believed only if the place it was taken from is the
 * one that is asked for (F3).
 */
#include <linux/ftrace.h>

#include "fgraph.h"

/**
 * ftrace_graph_get_ret_stack - a frame of a task's return stack
 * @task: the task; current, or one that does not run
 * @idx: how many frames are above it
 *
 * Context: any, NMI included. The frame lasts until the function returns.
 * Return: the frame; NULL if there are not that many.
 */
struct ftrace_ret_stack *ftrace_graph_get_ret_stack(struct task_struct *task, int idx)
{
	struct fgraph_frame *frame = NULL;
	unsigned long *stack;
	int position;

	guard(preempt_notrace)();
	position = READ_ONCE(task->curr_ret_stack);
	stack = READ_ONCE(task->ret_stack);
	while (stack && (frame = fgraph_next(stack, &position)) && idx--)
		;
	return frame ? &frame->call : NULL;
}

/**
 * ftrace_graph_ret_addr - the address that a function returns to
 * @task: the task whose stack is unwound
 * @idx: where to begin looking, 0 at first; goes on with each call of the same unwinding
 * @ret: the return address that was found
 * @retp: where it was found
 *
 * After a tail call, functions share one return address: the last one that was entered
 * has hooked what the first one had hooked before. Only the first one knows the address.
 *
 * Context: any, NMI included.
 * Return: what stood at @retp before the function graph replaced it; @ret if that is not
 * known.
 */
unsigned long ftrace_graph_ret_addr(struct task_struct *task, int *idx, unsigned long ret,
				    unsigned long *retp)
{
	struct fgraph_frame *frame;
	unsigned long *stack;
	int position;

	if (!fgraph_is_handler(ret) || !idx)
		return ret;
	/* The stack of a task stays until it has no frame, and then for a grace period */
	guard(preempt_notrace)();
	position = *idx ? *idx : READ_ONCE(task->curr_ret_stack);
	stack = READ_ONCE(task->ret_stack);
	while (stack && (frame = fgraph_next(stack, &position))) {
		unsigned long address = READ_ONCE(frame->call.ret);

		if (READ_ONCE(frame->call.retp) != retp || fgraph_is_handler(address))
			continue;
		*idx = position;
		return address;
	}
	return ret;
}
