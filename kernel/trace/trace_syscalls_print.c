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

static bool as_lines(const struct trace_iterator *iter)
{
	return iter->tr && iter->tr->trace_flags & TRACE_ITER_SYSCALL_LINES;
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

	if (as_lines(iter)) {
		trace_syscall_print_begun(s, meta, entry->args,
					  entry->nr & TRACE_SYSCALL_COMPAT);
		end_line(s, entry->nr);
		return trace_handle_return(s);
	}
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

/* The arguments that the event has behind its fields, or NULL */
static const unsigned long *args_of_exit(const struct trace_iterator *iter,
					 const struct syscall_metadata *meta)
{
	const struct syscall_exit_with_args *entry = (void *)iter->ent;

	if (iter->ent_size < struct_size(entry, args, meta->nb_args) ||
	    entry->nr_args != meta->nb_args)
		return NULL;
	return entry->args;
}

static enum print_line_t print_exit(struct trace_iterator *iter, int flags,
				    struct trace_event *event)
{
	const struct syscall_trace_exit *entry = (void *)iter->ent;
	const struct syscall_metadata *meta = meta_of(event);
	struct trace_seq *s = &iter->seq;

	if (as_lines(iter))
		trace_syscall_print_done(s, meta, args_of_exit(iter, meta), entry->ret,
					 entry->nr & TRACE_SYSCALL_COMPAT);
	else
		trace_seq_printf(s, "%s -> 0x%lx", meta->name, entry->ret);
	end_line(s, entry->nr);
	return trace_handle_return(s);
}

struct trace_event_functions enter_syscall_print_funcs = {
	.trace	= print_enter,
};

struct trace_event_functions exit_syscall_print_funcs = {
	.trace	= print_exit,
};
