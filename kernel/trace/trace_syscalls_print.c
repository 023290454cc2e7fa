// SPDX-License-Identifier: GPL-2.0
/*
 * Syscall events as lines of text.
 *
 * The metadata comes from the event's type, not from its number, so that it is right for
 * whatever table the number is of.
 */
#include "trace_output.h"
#include "trace_syscalls.h"

static const struct syscall_metadata *meta_of(struct trace_event *event)
{
	return container_of(event, struct trace_event_call, event)->data;
}

static void end_line(struct trace_seq *s, int nr)
{
	trace_seq_puts(s, nr & TRACE_SYSCALL_COMPAT ? " (compat)\n" : "\n");
}

static enum print_line_t print_enter(struct trace_iterator *iter, int flags,
				     struct trace_event *event)
{
	const struct syscall_trace_enter *entry = (void *)iter->ent;
	bool types = iter->tr && iter->tr->trace_flags & TRACE_ITER_VERBOSE;
	const struct syscall_metadata *meta = meta_of(event);
	struct trace_seq *s = &iter->seq;
	int i;

	trace_seq_printf(s, "%s(", meta->name);
	for (i = 0; i < meta->nb_args; i++) {
		if (i)
			trace_seq_puts(s, ", ");
		if (types)
			trace_seq_printf(s, "%s ", meta->types[i]);
		trace_seq_printf(s, "%s: %lx", meta->args[i], entry->args[i]);
	}
	trace_seq_putc(s, ')');
	end_line(s, entry->nr);
	return trace_handle_return(s);
}

static enum print_line_t print_exit(struct trace_iterator *iter, int flags,
				    struct trace_event *event)
{
	const struct syscall_trace_exit *entry = (void *)iter->ent;
	struct trace_seq *s = &iter->seq;

	trace_seq_printf(s, "%s -> 0x%lx", meta_of(event)->name, entry->ret);
	end_line(s, entry->nr);
	return trace_handle_return(s);
}

struct trace_event_functions enter_syscall_print_funcs = {
	.trace	= print_enter,
};

struct trace_event_functions exit_syscall_print_funcs = {
	.trace	= print_exit,
};
