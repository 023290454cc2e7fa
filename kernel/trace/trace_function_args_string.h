/* SPDX-License-Identifier: GPL-2.0 */
/* The events of the function tracer with what arguments point to, inline. */
#ifndef _KERNEL_TRACE_FUNCTION_ARGS_STRING_H
#define _KERNEL_TRACE_FUNCTION_ARGS_STRING_H

#include <linux/overflow.h>

#include "signature/follow_string.h"
#include "trace_function_args.h"
#include "trace_put.h"

#ifdef CONFIG_FTRACE_SIGNATURES

struct trace_function_string {
	struct trace_function_call	call;
	const struct follow_string	*string;
	unsigned int			nr;
};

static __always_inline void trace_function_fill_string(void *to, const void *from)
{
	const struct trace_function_string *what = from;

	follow_put_string(to, what->string, what->nr);
}

/**
 * trace_function_followed - write the event of a function with what its arguments point to
 * @tr: the instance to write to
 * @ip: the function's call site
 * @parent_ip: its caller
 * @trace_ctx: interrupt and preemption state, from tracing_gen_ctx()
 * @shape: the function's shape, with FTRACE_SIG_SHAPE_FOLLOW or FTRACE_SIG_SHAPE_STACK
 * @fregs: the registers at the call site
 *
 * Context: any, with preemption off.
 * Return: false if nothing was tried, because contexts nest too deep.
 */
static __always_inline bool
trace_function_followed(struct trace_array *tr, unsigned long ip, unsigned long parent_ip,
			unsigned int trace_ctx, u32 shape, struct ftrace_regs *fregs)
{
	struct follow_string string __uninitialized;
	struct trace_function_string what = { { ip, parent_ip, shape, fregs }, &string };
	size_t size;

	if (unlikely(!(shape & FTRACE_SIG_SHAPE_FOLLOW))) {
		__trace_function_with_stack(tr, ip, parent_ip, trace_ctx, shape, fregs);
		return true;
	}
	if (unlikely(!follow_string(FTRACE_SIG_FUNCTION, ip, fregs, &string, &what.nr)))
		return __trace_function_followed(tr, ip, parent_ip, trace_ctx, shape, fregs);
	size = struct_size_t(struct ftrace_entry, args, FIELD_GET(FTRACE_SIG_SHAPE_REGS, shape));
	trace_put_attached(tr->array_buffer.buffer, TRACE_FN, size,
			   what.nr * sizeof(unsigned long), trace_ctx,
			   trace_function_fill_args, trace_function_fill_string, &what);
	return true;
}

#endif /* CONFIG_FTRACE_SIGNATURES */

#endif /* _KERNEL_TRACE_FUNCTION_ARGS_STRING_H */
