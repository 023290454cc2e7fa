// SPDX-License-Identifier: GPL-2.0
/*
 * The function tracer's option "func-args".
 *
 * The length of a function's event tells how many words were copied, so the option
 * may change at any time: a call that was recorded without arguments is printed with
 * "?" for each value.  With "func-no-repeats", a call is a repeat only if its
 * recorded arguments are the same as those of the call before, too.
 */
#include <linux/ftrace.h>
#include <linux/string.h>

#include "trace.h"
#include "trace_function_args.h"
#include "trace_output.h"
#include "trace_signature.h"
#include "trace_text.h"

DEFINE_STATIC_KEY_FALSE(trace_function_args_on);

/*
 * How often the option was switched on.  If the number that a CPU remembers with its
 * last call differs, the call is older, and may have been recorded without arguments.
 */
static unsigned int args_epoch;

/**
 * trace_function_args_enable - switch the recording and printing of arguments
 * @tr: the instance whose option is written
 * @on: whether they are wanted
 *
 * The option applies to all instances, as all options of a tracer do.
 *
 * Context: process context, may sleep; under trace_types_lock.
 */
void trace_function_args_enable(struct trace_array *tr, bool on)
{
	if (on) {
		trace_sig_hint();
		trace_sig_note_option(tr, TRACE_SIG_FUNC_ARGS);
		WRITE_ONCE(args_epoch, args_epoch + 1);
		static_branch_enable(&trace_function_args_on);
	} else {
		static_branch_disable(&trace_function_args_on);
	}
}

/* Returns how many words were copied to @words */
static unsigned int copy_args(unsigned long ip, struct ftrace_regs *fregs,
			      unsigned long *words)
{
	u32 shape = fregs ? ftrace_sig_shape(ip) : 0;
	unsigned int nr_words = ftrace_sig_nr_words(shape);

	if (nr_words)
		ftrace_sig_capture(shape, fregs, words);
	return nr_words;
}

/* As trace_function_args_repeated(), while the option is on */
bool __trace_function_args_repeated(struct trace_func_repeats *last, unsigned long ip,
				    struct ftrace_regs *fregs)
{
	if (last->args_epoch != READ_ONCE(args_epoch))
		return false;
	return copy_args(ip, fregs, last->next_args) == last->nr_args &&
	       !memcmp(last->next_args, last->args, last->nr_args * sizeof(*last->args));
}

/* As trace_function_args_remember(), while the option is on */
void __trace_function_args_remember(struct trace_func_repeats *last, unsigned long ip,
				    struct ftrace_regs *fregs)
{
	last->args_epoch = READ_ONCE(args_epoch);
	last->nr_args = copy_args(ip, fregs, last->args);
}

/* As trace_function_args_print(), once it is known that there is work to do */
void __trace_function_args_print(struct trace_iterator *iter, unsigned long ip)
{
	const struct ftrace_entry *entry = (void *)iter->ent;
	unsigned int nr_words = 0;

	if (iter->ent_size > sizeof(*entry))
		nr_words = (iter->ent_size - sizeof(*entry)) / sizeof(unsigned long);

	/* The latency tracers write the same event, but never with arguments */
	if (!nr_words && !iter->tr->function_enabled)
		return;

	trace_text_putc(&iter->seq, '(');
	trace_sig_print_args(iter, ip, entry->args, nr_words);
	trace_text_putc(&iter->seq, ')');
}
