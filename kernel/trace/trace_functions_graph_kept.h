/* SPDX-License-Identifier: GPL-2.0 */
/* What function_graph keeps of a call until it returns. */
#ifndef _KERNEL_TRACE_FUNCTIONS_GRAPH_KEPT_H
#define _KERNEL_TRACE_FUNCTIONS_GRAPH_KEPT_H

#include <linux/ftrace.h>
#include <linux/types.h>

/* A result that takes two registers has its upper half in another one */
#if defined(ftrace_regs_get_return_value_high) && defined(CONFIG_FUNCTION_GRAPH_RETVAL)
#define GRAPH_RESULT_PAIRS	IS_ENABLED(CONFIG_FTRACE_SIGNATURES)
static __always_inline unsigned long graph_high_result(struct ftrace_regs *fregs)
{
	return ftrace_regs_get_return_value_high(fregs);
}
#else
#define GRAPH_RESULT_PAIRS	0
static __always_inline unsigned long graph_high_result(struct ftrace_regs *fregs)
{
	return 0;
}
#endif

void graph_keep(struct fgraph_ops *gops, unsigned long func, u32 shape,
		struct ftrace_regs *fregs, bool with_args);
bool graph_write_kept(struct fgraph_ops *gops, struct ftrace_graph_ret *call,
		      unsigned int trace_ctx, u32 shape, struct ftrace_regs *fregs,
		      bool with_args);

#endif /* _KERNEL_TRACE_FUNCTIONS_GRAPH_KEPT_H */
