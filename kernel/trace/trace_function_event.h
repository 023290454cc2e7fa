/* SPDX-License-Identifier: GPL-2.0 */
/* The event that an entry of the function tracer writes: in line, or slowly. */
#ifndef _KERNEL_TRACE_FUNCTION_EVENT_H
#define _KERNEL_TRACE_FUNCTION_EVENT_H

#include <linux/overflow.h>

#include "trace.h"
#include "trace_call_site.h"
#include "trace_context.h"

/* A call whose event is not written in line; the arguments are those that the entry copies */
struct slow_call {
	unsigned long	ip;
	unsigned long	parent_ip;
	unsigned int	nr_words;
	unsigned long	words[FTRACE_SIG_MAX_REGS];
};

void trace_function_put_slowly(struct trace_array *tr, const struct slow_call *call);

static __always_inline void trace_function_note_call(struct slow_call *call, unsigned long ip,
						     unsigned long parent_ip,
						     const unsigned long *words,
						     unsigned int nr_words)
{
	call->ip = ip;
	call->parent_ip = parent_ip;
	call->nr_words = nr_words;
	if (nr_words)
		memcpy(call->words, words, nr_words * sizeof(*words));
}

/*
 * Writes the event of a call in line, with the first @nr_words of its arguments; @words are all
 * of them. @count is what trace_context_count() was at the call site, and plain; preemption is off
 * now. @now is trace_call_site_clock().
 *
 * Return: whether it is written; otherwise nothing has changed.
 */
static __always_inline bool trace_function_put(struct trace_array *tr, unsigned int count, u64 now,
					       unsigned long ip, unsigned long parent_ip,
					       const unsigned long *words, unsigned int nr_words)
{
	unsigned int length = struct_size_t(struct ftrace_entry, args, nr_words);
	struct ftrace_entry *entry;
	struct rb_put put;

	if (!trace_call_site_has_cpu(tr))
		return false;
	put = ring_buffer_put_at(tr->array_buffer.buffer, length, 0, now);
	if (unlikely(!put.begun))
		return false;
	entry = put.data;
	trace_context_fill_plain(&entry->ent, TRACE_FN, current, count);
	entry->ip = ip;
	entry->parent_ip = parent_ip;
	trace_call_site_put_words(entry->args, words, nr_words);
	trace_call_site_end_put(put);
	__this_cpu_write(trace_taskinfo_save, true);
	return true;
}

#endif /* _KERNEL_TRACE_FUNCTION_EVENT_H */
