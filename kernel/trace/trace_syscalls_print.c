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

/* What stands behind the arguments, if the event is so long */
static const struct trace_syscall_memory *memory_at(const struct trace_iterator *iter,
						    const void *end_of_args)
{
	const struct trace_syscall_memory *memory = end_of_args;
	int head = offsetof(struct trace_syscall_memory, bytes);
	int left = iter->ent_size - (int)(end_of_args - (void *)iter->ent);

	if (!IS_ENABLED(CONFIG_FTRACE_SYSCALL_STRINGS) || left < head ||
	    memory->size > sizeof(memory->bytes) || memory->size > left - head)
		return NULL;
	return memory;
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
	struct trace_syscall_call call = {
		.meta		= meta,
		.args		= entry->args,
		.memory		= memory_at(iter, entry->args + meta->nb_args),
		.compat		= entry->nr & TRACE_SYSCALL_COMPAT,
		.slot		= trace_syscall_slot_of(entry->nr),
		.of_call	= true,
		.alone		= trace_line_is_alone(iter),
	};
	struct trace_text_kept kept;
	int i;

	if (as_lines(iter)) {
		trace_syscall_print_begun(s, &call);
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
		kept = trace_syscall_keep(s, &call, TRACE_TEXT_VALUE * (meta->nb_args - i));
		trace_syscall_print_arg(s, &call, i, " ");
		trace_syscall_print_path(s, &call, i);
		trace_text_give_back(s, kept);
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
	    (entry->nr_args & ~(TRACE_SYSCALL_ARGS_OF_CALL | TRACE_SYSCALL_UNDONE)) !=
		    meta->nb_args)
		return NULL;
	return entry->args;
}

static void print_exit_line(struct trace_iterator *iter, const struct syscall_metadata *meta)
{
	const struct syscall_exit_with_args *entry = (void *)iter->ent;
	struct trace_syscall_call call = {
		.meta	= meta,
		.args	= args_of_exit(iter, meta),
		.compat	= entry->exit.nr & TRACE_SYSCALL_COMPAT,
		.slot	= trace_syscall_slot_of(entry->exit.nr),
		.done	= true,
		.alone	= trace_line_is_alone(iter),
		.ret	= entry->exit.ret,
	};

	if (call.args) {
		call.memory = memory_at(iter, call.args + meta->nb_args);
		call.of_call = entry->nr_args & TRACE_SYSCALL_ARGS_OF_CALL;
		call.undone = entry->nr_args & TRACE_SYSCALL_UNDONE;
	}
	trace_syscall_print_done(&iter->seq, &call);
}

static enum print_line_t print_exit(struct trace_iterator *iter, int flags,
				    struct trace_event *event)
{
	const struct syscall_trace_exit *entry = (void *)iter->ent;
	const struct syscall_metadata *meta = meta_of(event);
	struct trace_seq *s = &iter->seq;

	if (as_lines(iter))
		print_exit_line(iter, meta);
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
