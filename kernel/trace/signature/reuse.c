// SPDX-License-Identifier: GPL-2.0
/*
 * Events that are older than the code at their address.
 *
 * A module goes and another comes to lie where it was, while events of the
 * first are still in the buffers.  By address alone they would be printed with
 * the signatures of the second.  So the ranges of modules that went are kept,
 * and when one is used again each trace array notes its present time: from then
 * on what it recorded earlier in a module has no known signature.  That also
 * concerns modules that are not involved, but only events from before this rare
 * moment, and "?" is always true.
 *
 * The time is that of the trace array's own clock.  A change of the clock resets
 * the buffer, and tracing_set_clock() forgets the time with it.
 */
#include <linux/list.h>
#include <linux/ring_buffer.h>
#include <linux/slab.h>

#include <asm/sections.h>

#include "../trace.h"
#include "../trace_signature.h"
#include "signature.h"

/* Where modules were; protected by the mutex of table.c */
struct abandoned {
	struct ftrace_sig_range	range;
	struct list_head	list;
};

static LIST_HEAD(abandoned_ranges);
/* There was no memory to keep a range: every range may be one that was used */
static bool lost_range;

static void note_time(void)
{
	struct trace_array *tr;

	mutex_lock(&trace_types_lock);
	list_for_each_entry(tr, &ftrace_trace_arrays, list) {
		if (tr->array_buffer.buffer)
			atomic64_set(&tr->sig_reused,
				     ring_buffer_time_stamp(tr->array_buffer.buffer));
	}
	mutex_unlock(&trace_types_lock);
}

/**
 * ftrace_sig_abandon_range - functions were here and are no more
 * @range: their addresses; may be empty
 *
 * Context: may sleep; the caller holds the mutex of the tables.
 */
void ftrace_sig_abandon_range(const struct ftrace_sig_range *range)
{
	struct abandoned *a;

	if (range->start >= range->end)
		return;
	a = kmalloc(sizeof(*a), GFP_KERNEL);
	if (!a) {
		lost_range = true;
		return;
	}
	a->range = *range;
	list_add(&a->list, &abandoned_ranges);
}

/**
 * ftrace_sig_use_range - functions come to lie here
 * @range: their addresses; may be empty
 *
 * Context: may sleep; the caller holds the mutex of the tables.
 */
void ftrace_sig_use_range(const struct ftrace_sig_range *range)
{
	bool used = lost_range;
	struct abandoned *a, *next;

	list_for_each_entry_safe(a, next, &abandoned_ranges, list) {
		if (ftrace_sig_overlap(&a->range, range)) {
			used = true;
			list_del(&a->list);
			kfree(a);
		}
	}
	if (used)
		note_time();
}

/* Whether the modules of now are those of the time of the event */
static bool modules_are_current(const struct trace_iterator *iter)
{
	const struct trace_array *tr = iter->tr;
	u64 reused = atomic64_read(&tr->sig_reused);

	/* This buffer may hold events of an earlier boot, with other modules. */
	if (tr->text_delta || tr->range_addr_start)
		return false;
	return !reused || iter->ts > reused;
}

/**
 * trace_sig_is_current - whether an event is of the code that is there now
 * @iter: at the event
 * @ip: an address of the event, as it would be in the running kernel
 *
 * Context: any.
 * Return: false if a signature for @ip might be that of other code.
 */
bool trace_sig_is_current(const struct trace_iterator *iter, unsigned long ip)
{
	return is_kernel_text(ip) || is_kernel_inittext(ip) ||
	       modules_are_current(iter);
}

/**
 * trace_sig_symbols - which addresses in an event can be given a name
 * @iter: at the event
 *
 * An address in the words of an event is as it was in the kernel that recorded
 * it; only the addresses of functions are corrected for a kernel that lay
 * elsewhere.
 *
 * Return: how to print the event's values: FTRACE_SIG_NO_SYMBOLS,
 * FTRACE_SIG_IMAGE_SYMBOLS or 0.
 */
unsigned int trace_sig_symbols(const struct trace_iterator *iter)
{
	if (iter->tr->text_delta)
		return FTRACE_SIG_NO_SYMBOLS;
	return modules_are_current(iter) ? 0 : FTRACE_SIG_IMAGE_SYMBOLS;
}
