// SPDX-License-Identifier: GPL-2.0
/*
 * Who switches on an option that the current tracer does not heed waits for
 * arguments that never come.  The option is accepted, as all options of tracers
 * are, since the tracer that heeds it may come next; so the error log tells.
 */
#include <linux/string.h>

#include "../trace.h"
#include "../trace_signature.h"

static const char *messages[] = {
	[TRACE_SIG_FUNC_ARGS]	 = "function_graph does not heed this option, but funcgraph-args",
	[TRACE_SIG_GRAPH_ARGS]	 = "function does not heed this option, but func-args",
	[TRACE_SIG_GRAPH_RETVAL] = "function does not heed this option: it traces no returns",
};

static const struct {
	const char *option;
	const char *heedless;	/* the tracer that is mistaken for the one that heeds it */
} options[] = {
	[TRACE_SIG_FUNC_ARGS]	 = { "func-args", "function_graph" },
	[TRACE_SIG_GRAPH_ARGS]	 = { "funcgraph-args", "function" },
	[TRACE_SIG_GRAPH_RETVAL] = { "funcgraph-retval-typed", "function" },
};

/**
 * trace_sig_note_option - write into the error log if an option has no effect now
 * @tr: the instance whose option is switched on
 * @option: which one
 *
 * Context: process context, may sleep; under trace_types_lock.
 */
void trace_sig_note_option(struct trace_array *tr, enum trace_sig_option option)
{
	if (!strcmp(tr->current_trace->name, options[option].heedless))
		tracing_log_err(tr, "trace_options", options[option].option, messages,
				option, 0);
}
