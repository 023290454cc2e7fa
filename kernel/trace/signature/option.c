// SPDX-License-Identifier: GPL-2.0
/*
 * A user may switch on an option that the current tracer ignores, and wait in vain
 * for arguments.  The option must be accepted, because its own tracer may be
 * started next.  So a message in the error log tells the user.
 */
#include <linux/string.h>

#include "../trace.h"
#include "../trace_signature.h"

static const char *messages[] = {
	[TRACE_SIG_FUNC_ARGS]	 = "function_graph ignores this option; it has funcgraph-args",
	[TRACE_SIG_GRAPH_ARGS]	 = "function ignores this option; it has func-args",
	[TRACE_SIG_GRAPH_RETVAL] = "function ignores this option: it traces no returns",
	[TRACE_SIG_FUNC_NAMES]	 = "function_graph ignores this option; it has funcgraph-names",
	[TRACE_SIG_GRAPH_NAMES]	 = "function ignores this option; it has func-names",
};

static const struct {
	const char *option;
	const char *ignored_by;	/* the tracer that a user may expect to have it */
} options[] = {
	[TRACE_SIG_FUNC_ARGS]	 = { "func-args", "function_graph" },
	[TRACE_SIG_GRAPH_ARGS]	 = { "funcgraph-args", "function" },
	[TRACE_SIG_GRAPH_RETVAL] = { "funcgraph-retval-typed", "function" },
	[TRACE_SIG_FUNC_NAMES]	 = { "func-names", "function_graph" },
	[TRACE_SIG_GRAPH_NAMES]	 = { "funcgraph-names", "function" },
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
	if (!strcmp(tr->current_trace->name, options[option].ignored_by))
		tracing_log_err(tr, "trace_options", options[option].option, messages,
				option, 0);
}
