// SPDX-License-Identifier: GPL-2.0
/*
 * The function tracer's option "func-args".
 *
 * The length of a function's event tells how many words were copied, so the option
 * may change at any time: a call that was recorded without arguments is printed with
 * "?" for each value.  The arguments of a syscall, and what arguments point to, are
 * attached to the event.  With "func-no-repeats", a call is a repeat only if its
 * recorded arguments are the same as those of the call before, too.
 */
#include <linux/ftrace.h>
#include <linux/overflow.h>
#include <linux/string.h>

#include "trace.h"
#include "trace_function_args.h"
#include "trace_output.h"
#include "trace_put.h"
#include "trace_signature.h"
#include "trace_text_line.h"

DEFINE_STATIC_KEY_FALSE(trace_function_args_on);

/* Whether arguments are printed by the names of constants, for all instances */
static bool names_on;

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

/**
 * trace_function_names_enable - switch the printing of names
 * @tr: the instance whose option is written
 * @on: whether they are wanted
 *
 * Context: process context, may sleep; under trace_types_lock.
 */
void trace_function_names_enable(struct trace_array *tr, bool on)
{
	if (on)
		trace_sig_note_option(tr, TRACE_SIG_FUNC_NAMES);
	WRITE_ONCE(names_on, on);
}

/* What the options ask for of the memory that arguments point to */
static u32 followed_classes;

/**
 * trace_function_follow - switch the copying of what arguments point to
 * @tr: the instance whose option is written
 * @class: FTRACE_SIG_FOLLOW_STRINGS and so on
 * @on: whether it is wanted
 *
 * Context: process context, may sleep; under trace_types_lock.
 * Return: 0 or -ENOMEM.
 */
int trace_function_follow(struct trace_array *tr, u32 class, bool on)
{
	enum trace_sig_option option = class == FTRACE_SIG_FOLLOW_STRINGS ?
				       TRACE_SIG_FUNC_STRINGS : TRACE_SIG_FUNC_STRUCTS;
	u32 classes = on ? followed_classes | class : followed_classes & ~class;
	int err = ftrace_sig_follow(FTRACE_SIG_FUNCTION, classes);

	if (err)
		return err;
	WRITE_ONCE(followed_classes, classes);
	if (on)
		trace_sig_note_follow(tr, option, static_key_enabled(&trace_function_args_on));
	return 0;
}

struct followed_fill {
	unsigned long			ip;
	unsigned long			parent_ip;
	struct ftrace_sig_followed	followed;
};

static __always_inline void fill_followed(void *to, const void *from)
{
	struct ftrace_entry *entry = to;
	const struct followed_fill *what = from;

	entry->ip = what->ip;
	entry->parent_ip = what->parent_ip;
	ftrace_sig_copy_words(entry->args, &what->followed);
}

static __always_inline void fill_attached(void *to, const void *from)
{
	const struct followed_fill *what = from;

	ftrace_sig_copy_attached(to, &what->followed);
}

struct stack_fill {
	struct trace_function_call	call;
	unsigned long			syscall[FTRACE_SIG_MAX_SYSCALL];
	unsigned int			nr;
};

static __always_inline void fill_syscall(void *to, const void *from)
{
	const struct stack_fill *what = from;

	ftrace_sig_put_words(to, what->syscall, what->nr);
}

/* As trace_function_args(), if arguments are not all in registers, or lead to a syscall's */
void __trace_function_with_stack(struct trace_array *tr, unsigned long ip,
				 unsigned long parent_ip, unsigned int trace_ctx, u32 shape,
				 struct ftrace_regs *fregs)
{
	struct stack_fill what __uninitialized;

	what.call = (struct trace_function_call){ ip, parent_ip, shape, fregs };
	what.nr = ftrace_sig_capture_syscall(shape, fregs, what.syscall);
	trace_put_attached(tr->array_buffer.buffer, TRACE_FN,
			   struct_size_t(struct ftrace_entry, args, ftrace_sig_nr_words(shape)),
			   what.nr * sizeof(unsigned long), trace_ctx,
			   trace_function_fill_args, fill_syscall, &what);
}

/* As trace_function_followed(), for anything but one short string */
bool __trace_function_followed(struct trace_array *tr, unsigned long ip,
			       unsigned long parent_ip, unsigned int trace_ctx, u32 shape,
			       struct ftrace_regs *fregs)
{
	struct followed_fill what __uninitialized;

	what.ip = ip;
	what.parent_ip = parent_ip;
	if (!ftrace_sig_follow_begin(FTRACE_SIG_FUNCTION, ip, shape, fregs, &what.followed))
		return false;
	trace_put_attached(tr->array_buffer.buffer, TRACE_FN,
			   struct_size_t(struct ftrace_entry, args, what.followed.nr_words),
			   what.followed.nr_attached * sizeof(unsigned long), trace_ctx,
			   fill_followed, fill_attached, &what);
	ftrace_sig_follow_end();
	return true;
}

/* Returns how many words were copied to @words, those of a syscall included */
static unsigned int copy_args(unsigned long ip, struct ftrace_regs *fregs,
			      unsigned long *words)
{
	u32 shape = fregs ? ftrace_sig_shape(ip) : 0;
	unsigned int nr_words = ftrace_sig_nr_words(shape);

	if (!nr_words)
		return 0;
	ftrace_sig_capture(shape, fregs, words);
	return nr_words + ftrace_sig_capture_syscall(shape, fregs, words + nr_words);
}

/* As trace_function_args_repeated(), while the option is on */
bool __trace_function_args_repeated(struct trace_func_repeats *last, unsigned long ip,
				    struct ftrace_regs *fregs)
{
	if (last->args_epoch != READ_ONCE(args_epoch))
		return false;
	/* What arguments point to may have changed since */
	if (fregs && ftrace_sig_shape(ip) & FTRACE_SIG_SHAPE_FOLLOW)
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
	struct trace_sig_call call = {
		.ip		= ip,
		.args		= entry->args,
		.attached	= iter->attached.data,
		.nr_attached	= iter->attached.size / sizeof(unsigned long),
		.classes	= READ_ONCE(followed_classes),
		.names		= READ_ONCE(names_on),
	};
	struct trace_text_kept kept;

	if (iter->ent_size > sizeof(*entry))
		call.nr_args = (iter->ent_size - sizeof(*entry)) / sizeof(unsigned long);

	/* The latency tracers write the same event, but never with arguments */
	if (!call.nr_args && !iter->tr->function_enabled)
		return;

	trace_text_putc(&iter->seq, '(');
	kept = trace_text_keep(&iter->seq, trace_line_room(iter, TRACE_TEXT_RESULT));
	trace_sig_print_args(iter, &call);
	trace_text_give_back(&iter->seq, kept);
	trace_text_putc(&iter->seq, ')');
}
