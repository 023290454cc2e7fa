// SPDX-License-Identifier: GPL-2.0
/*
 * The function tracer in several instances, called from call sites without a trampoline.
 *
 * The functions that more than one instance wants call a stub of the set of these instances
 * (see linux/ftrace_sets.h), as do those that only one wants which is not the first. The stub
 * calls an entry, and tells it the set: so there is one entry for each number of argument
 * words, for all sets. It writes the event to each instance in turn, as trace_function_entry.c
 * does for one. All get the same time. If an interrupt has written to an instance since then,
 * the event would be older than what is before it: it is not written in line.
 *
 * The instances to which the event was not written in line get it at the end, when preemption
 * is as it was at the call site.
 */
#include <linux/ftrace_entries.h>
#include <linux/ftrace_sets.h>
#include <linux/ftrace_signature.h>
#include <linux/init.h>

#include "trace.h"
#include "trace_call_site.h"
#include "trace_context.h"
#include "trace_function_entry.h"
#include "trace_function_event.h"

/* The instances that trace functions */
static struct trace_array *running[16];

/* Those that had no place there */
static unsigned int nr_others;

/* Not 0 while no instance takes events. An entry looks at this first. */
static unsigned long closed = true;

static __always_inline bool takes_events(const struct trace_array *tr)
{
	return rb_takes_events(tr->array_buffer.buffer);
}

static unsigned long is_closed(void)
{
	struct trace_array *tr;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(running); i++) {
		tr = READ_ONCE(running[i]);
		if (tr && takes_events(tr))
			return false;
	}
	return !READ_ONCE(nr_others);
}

/* The instances stay for as long as preemption is off */
static void follow_switches(void)
{
	guard(preempt_notrace)();
	trace_call_site_follow(&closed, is_closed);
}

static struct rb_watcher watcher = {
	.changed = follow_switches,
};

/**
 * trace_function_set_start - have the entries of sets write events for an instance
 * @tr: the instance
 *
 * Context: process context; under trace_types_lock.
 */
void trace_function_set_start(struct trace_array *tr)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(running) && running[i]; i++)
		;
	if (i < ARRAY_SIZE(running))
		WRITE_ONCE(running[i], tr);
	else
		WRITE_ONCE(nr_others, nr_others + 1);
	follow_switches();
}

/**
 * trace_function_set_stop - have them write no more
 * @tr: the instance, which was started once more than stopped; it is not freed before all
 *	CPUs have scheduled
 *
 * Context: process context; under trace_types_lock.
 */
void trace_function_set_stop(struct trace_array *tr)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(running) && running[i] != tr; i++)
		;
	if (i < ARRAY_SIZE(running))
		WRITE_ONCE(running[i], NULL);
	else if (!WARN_ON_ONCE(!nr_others))
		WRITE_ONCE(nr_others, nr_others - 1);
	follow_switches();
}

/**
 * trace_function_set_init - prepare for the first that starts the function tracer
 *
 * Context: while the kernel boots.
 */
void __init trace_function_set_init(void)
{
	ring_buffer_watch(&watcher);
}

/* @left has a bit for each of the instances that the event is still to be written to */
static noinline __ftrace_entry void call_slowly(const struct ftrace_set *set, unsigned long left,
						const struct slow_call *call)
{
	struct trace_array *tr;
	unsigned int i;

	for_each_set_bit(i, &left, set->nr) {
		tr = set->ops[i]->private;
		if (READ_ONCE(tr->function_enabled))
			trace_function_put_slowly(tr, call);
	}
}

/*
 * As trace_function_put(), to each instance. One that takes no events is done: nothing would be
 * written slowly, either.
 *
 * Return: a bit for each instance that is left.
 */
static __always_inline unsigned long put_to_each(const struct ftrace_set *set,
						 unsigned int count, unsigned long ip,
						 unsigned long parent_ip,
						 const unsigned long *words, unsigned int nr_words)
{
	struct ftrace_ops *const *ops = set->ops, *const *end = ops + set->nr;
	unsigned long left = 0;
	struct trace_array *tr;
	u64 now;

	if (!trace_context_is_plain(current, count))
		return ~0UL;
	now = trace_call_site_clock();
	do {
		tr = (*ops)->private;
		if (READ_ONCE(tr->function_enabled) &&
		    !trace_function_put(tr, count, now, ip, parent_ip, words, nr_words) &&
		    takes_events(tr))
			left |= BIT(ops - set->ops);
	} while (++ops != end);
	return left;
}

static __always_inline void trace_call(const struct ftrace_set *set, unsigned long ip,
				       unsigned long parent_ip, const unsigned long *words,
				       unsigned int nr_words)
{
	unsigned int count = trace_context_count();
	struct slow_call call __uninitialized;
	unsigned long left;

	preempt_disable_notrace();
	left = put_to_each(set, count, ip, parent_ip, words, nr_words);
	preempt_enable_notrace();
	if (likely(!left))
		return;
	trace_function_note_call(&call, ip, parent_ip, words, nr_words);
	call_slowly(set, left, &call);
}

/*
 * The parameters are what the traced function got, and what the stub has put on the stack: the
 * set, and the address behind the call site. They are not written to. Behind them stands the return
 * address of the traced function; they begin where DWARF has the entry's canonical frame address
 * (DWARF 5, 6.4).
 */
static __always_inline unsigned long parent_of(const unsigned long *parameters)
{
	return READ_ONCE(parameters[2]);
}

#define DEFINE_ENTRY(nr_words)								\
	FUNCTION_SET_ENTRY(nr_words)							\
	{										\
		const unsigned long words[] = FTRACE_ENTRY_WORDS;			\
											\
		if (trace_call_site_is_zero(&closed))					\
			trace_call(READ_ONCE(set), READ_ONCE(site) - MCOUNT_INSN_SIZE,	\
				   parent_of(__builtin_dwarf_cfa()), words, nr_words);	\
	}

FTRACE_ENTRIES_BY_WORDS(DEFINE_ENTRY)
static_assert(FTRACE_SET_ENTRIES == FTRACE_SIG_ARG_REGS + 1);
