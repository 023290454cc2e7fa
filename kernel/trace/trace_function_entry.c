// SPDX-License-Identifier: GPL-2.0
/*
 * The function tracer, called from call sites without a trampoline.
 *
 * In the usual case all that a call needs is known here: the instance, an event of one
 * size, the ring that it is written to in line. So a site that only the function tracer
 * wants calls an entry, which saves the few registers that this takes, and knows what a
 * trampoline would have to tell it. With arguments, there is one entry for each number of
 * words that are copied. Whatever is not usual (a full page, an interrupt) is left to
 * trace_function_put_slowly(); the entry has changed nothing by then. What is not usual for all
 * calls (another clock, options), or for those of one function (words on the stack), has the
 * site call the trampoline.
 *
 * There is one instance at a time that has the entries: the first that starts. The functions
 * that others want call the entries of trace_function_set.c, which are told for which instances.
 *
 * The recursion lock is not taken on the way in line. It keeps what writing an event
 * calls from being traced within it. Nothing that is called here is traced but what wakes
 * a reader, after the event is written; and the ring lets that nest a few levels only, see
 * rb_can_wake().
 */
#include <linux/ftrace_entries.h>
#include <linux/ftrace_signature.h>
#include <linux/init.h>
#include <linux/notifier.h>
#include <linux/overflow.h>
#include <linux/rcupdate.h>
#include <linux/trace_recursion.h>

#include "trace.h"
#include "trace_call_site.h"
#include "trace_context.h"
#include "trace_function_args.h"
#include "trace_function_entry.h"
#include "trace_function_event.h"
#include "trace_put.h"

/* Which instance has the entries, and which one had them last */
static const struct trace_array *owner, *last_owner;

/* The owner, while it traces */
static struct trace_array *entry_tr;

/* Not 0 while there is no call to write. An entry looks at this first. */
static unsigned long closed = true;

static unsigned long is_closed(void)
{
	struct trace_array *tr = READ_ONCE(entry_tr);

	return !tr || !ring_buffer_record_is_on(tr->array_buffer.buffer);
}

/* The instance stays for as long as preemption is off */
static void follow_switches(void)
{
	guard(preempt_notrace)();
	trace_call_site_follow(&closed, is_closed);
}

static struct rb_watcher watcher = {
	.changed = follow_switches,
};

static __always_inline void fill_slowly(void *to, const void *from)
{
	struct ftrace_entry *entry = to;
	const struct slow_call *call = from;

	entry->ip = call->ip;
	entry->parent_ip = call->parent_ip;
	ftrace_sig_put_words(entry->args, call->words, call->nr_words);
}

/**
 * trace_function_put_slowly - write the event of a call as function_trace_call() does
 * @tr: the instance
 * @call: the call
 *
 * Context: any, NMI included, as it was at the call site.
 */
void trace_function_put_slowly(struct trace_array *tr, const struct slow_call *call)
{
	size_t size = struct_size_t(struct ftrace_entry, args, call->nr_words);
	unsigned int trace_ctx = trace_context();
	int bit = ftrace_test_recursion_trylock(call->ip, call->parent_ip);

	if (bit < 0)
		return;
	if (!this_cpu_read(tr->array_buffer.data->disabled.counter))
		trace_put(tr->array_buffer.buffer, TRACE_FN, size, trace_ctx, fill_slowly, call);
	ftrace_test_recursion_unlock(bit);
}

static noinline __ftrace_entry void call_slowly(const struct slow_call *call)
{
	struct trace_array *tr = READ_ONCE(entry_tr);

	if (tr)
		trace_function_put_slowly(tr, call);
}

static __always_inline void call_words_slowly(unsigned long ip, unsigned long parent_ip,
					      const unsigned long *words, unsigned int nr_words)
{
	struct slow_call call __uninitialized;

	trace_function_note_call(&call, ip, parent_ip, words, nr_words);
	call_slowly(&call);
}

/* The same without words: the entry needs no room on its stack */
static noinline __ftrace_entry void call_plain_slowly(unsigned long ip, unsigned long parent_ip)
{
	call_words_slowly(ip, parent_ip, NULL, 0);
}

/* The event of a call, with the first @nr_words of its arguments; @words are all of them */
static __always_inline void trace_call(unsigned long ip, unsigned long parent_ip,
				       const unsigned long *words, unsigned int nr_words)
{
	unsigned int count = trace_context_count();
	struct trace_array *tr;
	bool written;

	preempt_disable_notrace();
	tr = READ_ONCE(entry_tr);
	written = likely(tr) && trace_context_is_plain(current, count) &&
		  trace_function_put(tr, count, trace_call_site_clock(), ip, parent_ip, words,
				     nr_words);
	preempt_enable_notrace();
	if (likely(written))
		return;
	if (nr_words)
		call_words_slowly(ip, parent_ip, words, nr_words);
	else
		call_plain_slowly(ip, parent_ip);
}

/*
 * The parameters are what the traced function got in registers. What the ABI has for the next
 * one is the traced function's return address. It is read from memory, never written to.
 */
#define DEFINE_ENTRY(nr_words)								\
	FTRACE_SITE_ENTRY(trace_function_entry_##nr_words);				\
	__ftrace_site_entry void							\
	trace_function_entry_##nr_words(FTRACE_ENTRY_ARGS, const unsigned long parent_ip) \
	{										\
		const unsigned long words[] = FTRACE_ENTRY_WORDS;			\
											\
		if (trace_call_site_is_zero(&closed))					\
			trace_call(_RET_IP_ - MCOUNT_INSN_SIZE, READ_ONCE(parent_ip),	\
				   words, nr_words);					\
	}

FTRACE_ENTRIES_BY_WORDS(DEFINE_ENTRY)

#define ADDRESS(nr_words)	(unsigned long)trace_function_entry_##nr_words,

/* By the number of words that they copy */
static const unsigned long addresses[] = { FTRACE_ENTRIES_BY_WORDS(ADDRESS) };

static_assert(ARRAY_SIZE(addresses) == FTRACE_SIG_ARG_REGS + 1);

static unsigned int choose(const struct ftrace_ops *ops, unsigned long ip)
{
	int nr_words = 0;

	/* Exported events are written by the callback */
	if (ops->func != function_trace_call || !trace_call_site_has_clock(ops->private) ||
	    static_key_enabled(&trace_function_exports_enabled))
		return 0;
	if (trace_function_args_wanted())
		nr_words = ftrace_sig_fixed_words(FTRACE_SIG_FUNCTION, ip);
	/* Entry 1 copies no words. If registers are not all there is to copy, it is -1: none. */
	return nr_words + 1;
}

static struct ftrace_entries entries = {
	.choose		= choose,
	.addr		= addresses,
	.nr		= ARRAY_SIZE(addresses),
	.in_sets	= true,
};

/* What other instances have: their sites call the entries of sets, of one instance or more */
static struct ftrace_entries set_entries = {
	.choose		= choose,
	.nr		= ARRAY_SIZE(addresses),
	.in_sets	= true,
};

/**
 * trace_function_take_entries - let call sites call the function tracer directly
 * @tr: the instance whose function tracer starts; its ops is not registered yet
 *
 * If another instance has the entries, the sites call those of sets.
 *
 * Context: process context, may sleep; under trace_types_lock.
 */
void trace_function_take_entries(struct trace_array *tr)
{
	if (owner) {
		if (IS_ENABLED(CONFIG_FTRACE_SETS))
			tr->ops->entries = &set_entries;
		return;
	}
	if (last_owner && last_owner != tr) {
		/*
		 * A task that was preempted in an entry reads entry_tr when it goes on. It was
		 * called for the last owner: this one may not want its function.
		 */
		/* LMM(trace_function_take_entries:A) pairs with preemption off: in an entry */
		synchronize_rcu_tasks_rude();
		/* LMM(trace_function_take_entries:B) pairs with preemption off: on the way to it */
		synchronize_rcu_tasks();
	}
	owner = tr;
	last_owner = tr;
	tr->ops->entries = &entries;
}

/**
 * trace_function_start_entries - write events from now on
 * @tr: the instance; its ops is registered
 *
 * Context: process context; under trace_types_lock.
 */
void trace_function_start_entries(struct trace_array *tr)
{
	trace_function_set_start(tr);
	if (owner != tr)
		return;
	WRITE_ONCE(entry_tr, tr);
	follow_switches();
}

/**
 * trace_function_stop_entries - write no events any more
 * @tr: the instance; its ops is still registered
 *
 * Context: process context; under trace_types_lock.
 */
void trace_function_stop_entries(struct trace_array *tr)
{
	trace_function_set_stop(tr);
	if (owner != tr)
		return;
	WRITE_ONCE(entry_tr, NULL);
	follow_switches();
}

/**
 * trace_function_give_entries - let others have the entries
 * @tr: the instance whose function tracer stops; its ops is not registered any more
 *
 * Context: process context; under trace_types_lock.
 */
void trace_function_give_entries(struct trace_array *tr)
{
	tr->ops->entries = NULL;
	if (owner == tr)
		owner = NULL;
}

static int signatures_changed(struct notifier_block *nb, unsigned long action, void *data)
{
	trace_function_choose_entries();
	return NOTIFY_DONE;
}

static struct notifier_block signature_notifier = {
	.notifier_call = signatures_changed,
};

/**
 * trace_function_init_entries - prepare for the first that starts the function tracer
 *
 * Context: while the kernel boots, before there are signatures.
 */
void __init trace_function_init_entries(void)
{
	ftrace_sig_register_notifier(&signature_notifier);
	ring_buffer_watch(&watcher);
	trace_function_set_init();
}

/* If the tracer has started before the kernel knew what its clock counts by */
static int __init clock_is_known(void)
{
	trace_function_choose_entries();
	return 0;
}
postcore_initcall(clock_is_known);
