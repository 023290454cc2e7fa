// SPDX-License-Identifier: GPL-2.0
/*
 * A user may switch on an option that the current tracer ignores, and wait in vain
 * for arguments.  The option must be accepted, because its own tracer may be
 * started next.  So a message in the error log tells the user.
 */
#include <linux/string.h>

#include "../trace.h"
#include "../trace_signature.h"

#define NEEDS_FUNC_ARGS		"This has no effect without func-args"
#define NEEDS_GRAPH_ARGS	"This has no effect without funcgraph-args or funcgraph-exit-args"

#define GRAPH_IGNORES		"function_graph ignores this option; it has "
#define FUNCTION_IGNORES	"function ignores this option; it has "

enum { IGNORED, NEEDS, NR_MESSAGES };

/*
 * @tracer: whose option it is
 * @ignored_by: the tracer that a user may expect to have it
 * @messages: what to tell; not constant because tracing_log_err() wants it so
 */
static struct {
	const char	*option;
	const char	*tracer;
	const char	*ignored_by;
	const char	*messages[NR_MESSAGES];
} options[] = {
	[TRACE_SIG_FUNC_ARGS] = { "func-args", "function", "function_graph",
		{ GRAPH_IGNORES "funcgraph-args" } },
	[TRACE_SIG_FUNC_NAMES] = { "func-names", "function", "function_graph",
		{ GRAPH_IGNORES "funcgraph-names" } },
	[TRACE_SIG_FUNC_STRINGS] = { "func-strings", "function", "function_graph",
		{ GRAPH_IGNORES "funcgraph-strings", NEEDS_FUNC_ARGS } },
	[TRACE_SIG_FUNC_STRUCTS] = { "func-structs", "function", "function_graph",
		{ GRAPH_IGNORES "funcgraph-structs", NEEDS_FUNC_ARGS } },
	[TRACE_SIG_GRAPH_ARGS] = { "funcgraph-args", "function_graph", "function",
		{ FUNCTION_IGNORES "func-args" } },
	[TRACE_SIG_GRAPH_RETVAL] = { "funcgraph-retval-typed", "function_graph", "function",
		{ "function ignores this option: it traces no returns" } },
	[TRACE_SIG_GRAPH_NAMES] = { "funcgraph-names", "function_graph", "function",
		{ FUNCTION_IGNORES "func-names" } },
	[TRACE_SIG_GRAPH_STRINGS] = { "funcgraph-strings", "function_graph", "function",
		{ FUNCTION_IGNORES "func-strings", NEEDS_GRAPH_ARGS } },
	[TRACE_SIG_GRAPH_STRUCTS] = { "funcgraph-structs", "function_graph", "function",
		{ FUNCTION_IGNORES "func-structs", NEEDS_GRAPH_ARGS } },
	[TRACE_SIG_GRAPH_CHANGES] = { "funcgraph-changes", "function_graph", "function",
		{ "function ignores this option: it traces no returns",
		  NEEDS_GRAPH_ARGS } },
	[TRACE_SIG_GRAPH_EXIT_ARGS] = { "funcgraph-exit-args", "function_graph", "function",
		{ "function ignores this option: it traces no returns" } },
};

static void note(struct trace_array *tr, enum trace_sig_option option, u8 message)
{
	tracing_log_err(tr, "trace_options", options[option].option,
			options[option].messages, message, 0);
}

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
		note(tr, option, IGNORED);
}

/**
 * trace_sig_note_follow - the same for an option about what arguments point to
 * @tr: the instance whose option is switched on
 * @option: which one
 * @args: whether its tracer shows arguments now
 *
 * While neither of the two tracers runs, the option for arguments may still follow.
 *
 * Context: process context, may sleep; under trace_types_lock.
 */
void trace_sig_note_follow(struct trace_array *tr, enum trace_sig_option option, bool args)
{
	trace_sig_note_option(tr, option);
	if (!args && !strcmp(tr->current_trace->name, options[option].tracer))
		note(tr, option, NEEDS);
}
