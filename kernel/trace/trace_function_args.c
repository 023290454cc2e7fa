// SPDX-License-Identifier: GPL-2.0
/*
 * The function tracer's option "func-args".
 *
 * The event of a function says by its length how many words were copied, so
 * the option may change at any time: what was recorded without is printed with
 * "?" for each value.  With "func-no-repeats", a repeat is still a call of the
 * same function from the same place, whatever its arguments; those of the
 * first call are recorded.
 */
#include <linux/ftrace.h>

#include "trace.h"
#include "trace_function_args.h"
#include "trace_output.h"
#include "trace_signature.h"

DEFINE_STATIC_KEY_FALSE(trace_function_args_on);

/**
 * trace_function_args_enable - switch the recording and printing of arguments
 * @on: whether they are wanted
 *
 * For all instances, as all options of a tracer.
 *
 * Context: process context, may sleep; under trace_types_lock.
 */
void trace_function_args_enable(bool on)
{
	if (on) {
		trace_sig_hint();
		static_branch_enable(&trace_function_args_on);
	} else {
		static_branch_disable(&trace_function_args_on);
	}
}

/* As trace_function_args_print(), once it is known that there is work to do */
void __trace_function_args_print(struct trace_iterator *iter, unsigned long ip)
{
	const struct ftrace_entry *entry = (void *)iter->ent;
	unsigned int nr_words = 0;

	if (iter->ent_size > sizeof(*entry))
		nr_words = (iter->ent_size - sizeof(*entry)) / sizeof(unsigned long);

	/* The latency tracers write the same event, and do not ask for more */
	if (!nr_words && !iter->tr->function_enabled)
		return;

	trace_seq_putc(&iter->seq, '(');
	trace_sig_print_args(iter, ip, entry->args, nr_words);
	trace_seq_putc(&iter->seq, ')');
}
