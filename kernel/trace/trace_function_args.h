/* SPDX-License-Identifier: GPL-2.0 */
/* The function tracer's option "func-args": record and print arguments. */
#ifndef _KERNEL_TRACE_FUNCTION_ARGS_H
#define _KERNEL_TRACE_FUNCTION_ARGS_H

#include <linux/ftrace.h>
#include <linux/ftrace_signature.h>
#include <linux/jump_label.h>

#include "trace.h"

#ifdef CONFIG_FTRACE_SIGNATURES

DECLARE_STATIC_KEY_FALSE(trace_function_args_on);

/* What is first in all that trace_function_fill_args() is given */
struct trace_function_call {
	unsigned long		ip;
	unsigned long		parent_ip;
	u32			shape;
	struct ftrace_regs	*fregs;
};

static __always_inline void trace_function_fill_args(void *to, const void *from)
{
	struct ftrace_entry *entry = to;
	const struct trace_function_call *what = from;

	entry->ip = what->ip;
	entry->parent_ip = what->parent_ip;
	ftrace_sig_capture(what->shape, what->fregs, entry->args);
}

void trace_function_args_enable(struct trace_array *tr, bool on);
void trace_function_names_enable(struct trace_array *tr, bool on);
int trace_function_follow(struct trace_array *tr, u32 class, bool on);
bool __trace_function_followed(struct trace_array *tr, unsigned long ip,
			       unsigned long parent_ip, unsigned int trace_ctx, u32 shape,
			       struct ftrace_regs *fregs) __no_stack_protector;
void __trace_function_with_stack(struct trace_array *tr, unsigned long ip,
				 unsigned long parent_ip, unsigned int trace_ctx, u32 shape,
				 struct ftrace_regs *fregs);
bool __trace_function_args_repeated(struct trace_func_repeats *last, unsigned long ip,
				    struct ftrace_regs *fregs);
void __trace_function_args_remember(struct trace_func_repeats *last, unsigned long ip,
				    struct ftrace_regs *fregs);
void __trace_function_args_print(struct trace_iterator *iter, unsigned long ip);

static __always_inline bool trace_function_args_wanted(void)
{
	return static_branch_unlikely(&trace_function_args_on);
}

#else

static inline void trace_function_args_enable(struct trace_array *tr, bool on) { }
static inline void trace_function_names_enable(struct trace_array *tr, bool on) { }

static inline int trace_function_follow(struct trace_array *tr, u32 class, bool on)
{
	return 0;
}

static inline bool __trace_function_args_repeated(struct trace_func_repeats *last,
						  unsigned long ip,
						  struct ftrace_regs *fregs)
{
	return true;
}

static inline void __trace_function_args_remember(struct trace_func_repeats *last,
						  unsigned long ip,
						  struct ftrace_regs *fregs) { }

static inline void __trace_function_args_print(struct trace_iterator *iter,
					       unsigned long ip) { }

static __always_inline bool trace_function_args_wanted(void)
{
	return false;
}

#endif /* CONFIG_FTRACE_SIGNATURES */

/**
 * trace_function_regs - write the event of a function, with arguments if wanted
 * @tr: the instance to write to
 * @ip: the function's call site
 * @parent_ip: its caller
 * @trace_ctx: interrupt and preemption state, from tracing_gen_ctx()
 * @fregs: the registers at the call site, or NULL if there are none
 *
 * While "func-args" is off, this is trace_function() and a no-op.
 *
 * Context: any, with preemption off.
 */
static __always_inline void
trace_function_regs(struct trace_array *tr, unsigned long ip,
		    unsigned long parent_ip, unsigned int trace_ctx,
		    struct ftrace_regs *fregs)
{
	if (trace_function_args_wanted())
		trace_function_args(tr, ip, parent_ip, trace_ctx, fregs);
	else
		trace_function(tr, ip, parent_ip, trace_ctx);
}

/**
 * trace_function_args_repeated - whether a call has the arguments of the last one
 * @last: the CPU's last recorded call, of the same function
 * @ip: the function's call site
 * @fregs: the registers at the call site, or NULL if there are none
 *
 * For "func-no-repeats".  While "func-args" is off, arguments do not count.
 *
 * Context: while it is on, interrupts are off, and it is no NMI.
 * Return: true if they are the same, as far as they are recorded.
 */
static __always_inline bool
trace_function_args_repeated(struct trace_func_repeats *last, unsigned long ip,
			     struct ftrace_regs *fregs)
{
	return !trace_function_args_wanted() ||
	       __trace_function_args_repeated(last, ip, fregs);
}

/**
 * trace_function_args_remember - keep the arguments of a call that is recorded
 * @last: the CPU's last call, to be filled in
 * @ip: the function's call site
 * @fregs: the registers at the call site, or NULL if there are none
 *
 * Context: while "func-args" is on, interrupts are off, and it is no NMI.
 */
static __always_inline void
trace_function_args_remember(struct trace_func_repeats *last, unsigned long ip,
			     struct ftrace_regs *fregs)
{
	if (trace_function_args_wanted())
		__trace_function_args_remember(last, ip, fregs);
}

/**
 * trace_function_args_print - print the arguments in an event, in parentheses
 * @s: where to print; must be the seq of an iterator that is at the event
 * @ip: the address of the function in the running kernel
 *
 * Prints nothing while "func-args" is off, or if the event is none of the function
 * tracer's.
 */
static __always_inline void
trace_function_args_print(struct trace_seq *s, unsigned long ip)
{
	struct trace_iterator *iter = container_of(s, struct trace_iterator, seq);

	if (trace_function_args_wanted() && iter->ent->type == TRACE_FN)
		__trace_function_args_print(iter, ip);
}

#endif /* _KERNEL_TRACE_FUNCTION_ARGS_H */
