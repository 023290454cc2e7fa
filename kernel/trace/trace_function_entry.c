// SPDX-License-Identifier: GPL-2.0
/*
 * The function tracer, called from call sites without a trampoline.
 *
 * In the usual case all that a call needs is known here: the instance, an event of one
 * size, the ring that it is written to in line. So a site that only the function tracer
 * wants calls trace_function_entry(), which saves the few registers that this takes, and
 * knows what a trampoline would have to tell it. Whatever is not usual (a full page, an
 * interrupt) is left to function_trace_call(), as if a trampoline had called it;
 * trace_function_entry() has changed nothing by then. What is not usual for all calls
 * (another clock, options) has the sites call the trampoline.
 *
 * There is one instance at a time that has the entries: the first that starts. The calls
 * of others go through trampolines.
 *
 * The recursion lock is not taken on the way in line. It keeps what writing an event
 * calls from being traced within it. Nothing that is called here is traced but what wakes
 * a reader, after the event is written; and the ring lets that nest a few levels only, see
 * rb_can_wake().
 */
#include <linux/ftrace_entries.h>
#include <linux/rcupdate.h>
#include <linux/trace_clock.h>

#include "trace.h"
#include "trace_context.h"
#include "trace_clock_inline.h"
#include "trace_function_args.h"
#include "trace_function_entry.h"
#include "trace_put.h"

/* Which instance has the entries, and which one had them last */
static const struct trace_array *owner, *last_owner;

/* The owner, while it traces */
static struct trace_array *entry_tr;

static noinline __ftrace_entry void call_slowly(unsigned long ip, unsigned long parent_ip)
{
	struct trace_array *tr = READ_ONCE(entry_tr);

	/* While tracing is off, there is no need to find out more */
	if (tr && !atomic_read(&tr->array_buffer.buffer->record_disabled))
		function_trace_call(ip, parent_ip, tr->ops, NULL);
}

static noinline __ftrace_entry void show_slowly(struct rb_cpu *cpu, struct rb_use *use, u32 end)
{
	rb_show(cpu, use, end);
}

static noinline __ftrace_entry void wake_slowly(struct rb_cpu *cpu)
{
	rb_wake(cpu);
}

/* As ring_buffer_put_end() */
static __always_inline void end_put(struct rb_put put)
{
	if (!rb_short_end(put.cpu, put.use, put.end))
		show_slowly(put.cpu, put.use, put.end);
	if (unlikely(rb_plain(put.cpu->wake)))
		wake_slowly(put.cpu);
}

/* Is there nothing that trace_function() would have to do besides? */
static __always_inline bool is_usual(struct trace_array *tr, unsigned int count)
{
	return trace_context_is_plain(count) &&
	       static_branch_likely(&sched_clock_is_tsc) &&
	       !static_branch_unlikely(&trace_function_exports_enabled) &&
	       !this_cpu_read(tr->array_buffer.data->disabled.counter);
}

/*
 * @count is what trace_context_count() was at the call site.
 *
 * Return: an event, if it has begun; otherwise nothing has changed.
 */
static __always_inline struct rb_put begin_put(unsigned int count)
{
	struct trace_array *tr = READ_ONCE(entry_tr);
	u64 now;

	if (unlikely(!tr) || !is_usual(tr, count))
		return (struct rb_put){ };
	now = sched_clock_tsc();
	/* the clock, then the word of the ring, as in rb_short_clock() */
	barrier();
	return ring_buffer_put_at(tr->array_buffer.buffer, sizeof(struct ftrace_entry), 0, now);
}

/*
 * The parameters are what the traced function got: six words in registers (psABI,
 * "Parameter Passing"). What the ABI has for the seventh is the traced function's return
 * address. It is read from memory, never written to.
 */
__ftrace_entry void trace_function_entry(unsigned long arg0, unsigned long arg1,
					 unsigned long arg2, unsigned long arg3,
					 unsigned long arg4, unsigned long arg5,
					 const unsigned long parent_ip)
{
	unsigned int count = trace_context_count();
	struct ftrace_entry *entry;
	struct rb_put put;

	preempt_disable_notrace();
	put = begin_put(count);
	if (likely(put.begun)) {
		entry = put.data;
		trace_context_fill_plain(&entry->ent, TRACE_FN, count);
		entry->ip = _RET_IP_ - MCOUNT_INSN_SIZE;
		entry->parent_ip = READ_ONCE(parent_ip);
		end_put(put);
		__this_cpu_write(trace_taskinfo_save, true);
	}
	preempt_enable_notrace();
	if (unlikely(!put.begun))
		call_slowly(_RET_IP_ - MCOUNT_INSN_SIZE, READ_ONCE(parent_ip));
}

/* The entry reads the local clock, and only from the TSC */
static bool clock_is_usual(const struct trace_array *tr)
{
	return READ_ONCE(tr->array_buffer.buffer->clock) == trace_clock_local &&
	       static_branch_likely(&sched_clock_is_tsc);
}

static unsigned int choose(const struct ftrace_ops *ops, unsigned long ip)
{
	return ops->func == function_trace_call && !trace_function_args_wanted() &&
	       clock_is_usual(ops->private);
}

static const unsigned long addresses[] = {
	(unsigned long)trace_function_entry,
};

static const struct ftrace_entries entries = {
	.choose	= choose,
	.addr	= addresses,
	.nr	= ARRAY_SIZE(addresses),
};

/**
 * trace_function_take_entries - let call sites call the function tracer directly
 * @tr: the instance whose function tracer starts; its ops is not registered yet
 *
 * Does nothing if another instance has the entries.
 *
 * Context: process context, may sleep; under trace_types_lock.
 */
void trace_function_take_entries(struct trace_array *tr)
{
	if (owner)
		return;
	if (last_owner && last_owner != tr) {
		/*
		 * A task that was preempted in an entry reads entry_tr when it goes on. It was
		 * called for the last owner: this one may not want its function.
		 */
		synchronize_rcu_tasks_rude();
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
	if (owner == tr)
		WRITE_ONCE(entry_tr, tr);
}

/**
 * trace_function_stop_entries - write no events any more
 * @tr: the instance; its ops is still registered
 *
 * Context: process context; under trace_types_lock.
 */
void trace_function_stop_entries(struct trace_array *tr)
{
	if (owner == tr)
		WRITE_ONCE(entry_tr, NULL);
}

/**
 * trace_function_give_entries - let others have the entries
 * @tr: the instance whose function tracer stops; its ops is not registered any more
 *
 * Context: process context; under trace_types_lock.
 */
void trace_function_give_entries(struct trace_array *tr)
{
	if (owner != tr)
		return;
	tr->ops->entries = NULL;
	owner = NULL;
}
