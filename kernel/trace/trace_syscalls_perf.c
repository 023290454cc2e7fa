// SPDX-License-Identifier: GPL-2.0
/*
 * Syscall events for perf and for the BPF programs that are attached to them.
 *
 * There is one probe for all of perf's events. The bitmaps tell which are wanted; an event
 * is written to the list of those perf events that are active on this CPU now.
 */
#include <linux/mutex.h>
#include <linux/perf_event.h>
#include <trace/events/syscalls.h>

#include "trace_syscalls.h"

/* The events of entries, and of exits */
static struct perf_side {
	DECLARE_BITMAP(wanted, TRACE_SYSCALL_SLOTS);
	unsigned int	count;
} sides[2];

/* Protects changes of @sides */
static DEFINE_MUTEX(sides_mutex);

/*
 * What a BPF program sees: the event, with a pointer to the registers in the place of its
 * first fields. That place is as long as struct trace_entry, which tools count on.
 */
struct bpf_context {
	union {
		struct trace_entry	ent;
		struct pt_regs		*regs;
	};
	int		nr;
	unsigned long	words[SYSCALL_DEFINE_MAXARGS];
} __aligned(8);

struct perf_call {
	const struct syscall_metadata	*meta;
	struct trace_event_call		*call;
	struct hlist_head		*events;
	bool				has_bpf;
	int				slot;
};

/* Finds who wants the event. Preemption is off. */
static bool find_listeners(struct perf_call *c, struct pt_regs *regs, bool exit)
{
	c->slot = trace_syscall_slot(regs);
	c->meta = c->slot < 0 ? NULL : trace_syscall_meta(c->slot);
	if (!c->meta || !test_bit(c->meta->syscall_nr, sides[exit].wanted))
		return false;
	c->call = exit ? c->meta->exit_event : c->meta->enter_event;
	c->events = this_cpu_ptr(c->call->perf_events);
	c->has_bpf = bpf_prog_array_valid(c->call);
	return c->has_bpf || !hlist_empty(c->events);
}

/* perf puts a u32 before the record, and wants a multiple of 8 of both together */
static unsigned int perf_size(unsigned int size)
{
	return ALIGN(size + sizeof(u32), sizeof(u64)) - sizeof(u32);
}

/* Runs the BPF programs; returns whether they let the event pass */
static bool pass_bpf(const struct perf_call *c, struct pt_regs *regs, int nr,
		     const unsigned long *words, unsigned int nr_words)
{
	struct bpf_context context;

	BUILD_BUG_ON(offsetof(struct bpf_context, words) !=
		     offsetof(struct syscall_trace_enter, args));
	if (!c->has_bpf)
		return true;
	perf_fetch_caller_regs(regs);
	context.regs = regs;
	context.nr = nr;
	memcpy(context.words, words, nr_words * sizeof(*words));
	return trace_call_bpf(c->call, &context);
}

/* Hands the record on, or drops it */
static void finish(const struct perf_call *c, void *record, unsigned int size, int rctx,
		   bool passed, struct pt_regs *regs)
{
	if (passed && !hlist_empty(c->events))
		perf_trace_buf_submit(record, size, rctx, c->call->event.type, 1, regs,
				      c->events, NULL);
	else
		perf_swevent_put_recursion_context(rctx);
}

static void probe_enter(void *ignored, struct pt_regs *regs, long id)
{
	struct syscall_trace_enter *record;
	struct pt_regs *caller;
	struct perf_call c;
	unsigned int size;
	bool passed;
	int rctx;

	if (!find_listeners(&c, regs, false))
		return;
	size = perf_size(trace_syscall_enter_size(c.meta));
	record = perf_trace_buf_alloc(size, &caller, &rctx);
	if (!record)
		return;
	record->nr = trace_syscall_number(c.slot);
	trace_syscall_copy_args(record->args, c.meta, c.slot, regs);
	passed = pass_bpf(&c, caller, record->nr, record->args, c.meta->nb_args);
	finish(&c, record, size, rctx, passed, regs);
}

static void probe_exit(void *ignored, struct pt_regs *regs, long ret)
{
	unsigned int size = perf_size(sizeof(struct syscall_trace_exit));
	struct syscall_trace_exit *record;
	struct pt_regs *caller;
	unsigned long word;
	struct perf_call c;
	bool passed;
	int rctx;

	if (!find_listeners(&c, regs, true))
		return;
	record = perf_trace_buf_alloc(size, &caller, &rctx);
	if (!record)
		return;
	word = syscall_get_return_value(current, regs);
	record->nr = trace_syscall_number(c.slot);
	record->ret = word;
	passed = pass_bpf(&c, caller, record->nr, &word, 1);
	finish(&c, record, size, rctx, passed, regs);
}

/**
 * trace_syscall_perf_enable - begin to hand a syscall's event to perf
 * @call: the event
 * @exit: whether it is the event of the return
 *
 * perf calls it for the first of an event's users only.
 *
 * Return: 0, or an error of the tracepoint.
 */
int trace_syscall_perf_enable(struct trace_event_call *call, bool exit)
{
	const struct syscall_metadata *meta = call->data;
	struct perf_side *side = &sides[exit];
	int err = 0;

	mutex_lock(&sides_mutex);
	if (!side->count)
		err = exit ? register_trace_sys_exit(probe_exit, NULL) :
			     register_trace_sys_enter(probe_enter, NULL);
	if (err) {
		pr_info("Can't watch syscalls for perf: %d\n", err);
	} else {
		set_bit(meta->syscall_nr, side->wanted);
		side->count++;
	}
	mutex_unlock(&sides_mutex);
	return err;
}

/**
 * trace_syscall_perf_disable - hand a syscall's event to perf no more
 * @call: the event, for which trace_syscall_perf_enable() returned 0
 * @exit: whether it is the event of the return
 */
void trace_syscall_perf_disable(struct trace_event_call *call, bool exit)
{
	const struct syscall_metadata *meta = call->data;
	struct perf_side *side = &sides[exit];

	mutex_lock(&sides_mutex);
	clear_bit(meta->syscall_nr, side->wanted);
	if (!--side->count) {
		if (exit)
			unregister_trace_sys_exit(probe_exit, NULL);
		else
			unregister_trace_sys_enter(probe_enter, NULL);
	}
	mutex_unlock(&sides_mutex);
}
