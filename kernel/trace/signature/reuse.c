// SPDX-License-Identifier: GPL-2.0
/*
 * Recognize events that are older than the code at their address.
 *
 * After a module is unloaded, another may be loaded to the same addresses while
 * events of the first are still in the buffers.  By address alone these would be
 * printed with the name and the signature of a function of the second.  So the
 * ranges of unloaded modules are kept.  When one is used again, the time is noted:
 * all events that were recorded there until then belong to code that is gone.
 *
 * Clocks of CPUs may differ by any amount, and each instance has its own clock.  So
 * the time is noted on each CPU, for each instance, by the clock that stamps the
 * events there.  In these cases the times do not tell what came first, and all
 * events that a CPU has recorded in the range are treated as old:
 *
 *  - The CPU is offline, and may have events.
 *  - The CPU was offline when the clock was changed: its events were not dropped
 *    then, and have times of the old clock.
 *  - The clock may be set back, or restarts after a suspend.
 *
 * When the events are dropped, no old ones are left, and the times are forgotten.
 */
#include <linux/cleanup.h>
#include <linux/cpu.h>
#include <linux/cpumask.h>
#include <linux/list.h>
#include <linux/minmax.h>
#include <linux/ring_buffer.h>
#include <linux/slab.h>
#include <linux/smp.h>
#include <linux/spinlock.h>
#include <linux/string.h>

#include <asm/sections.h>

#include "../trace.h"
#include "../trace_signature.h"
#include "signature.h"

/* A range of an unloaded module; protected by ftrace_sig_mutex */
struct abandoned {
	struct ftrace_sig_range	range;
	struct list_head	list;
};

static LIST_HEAD(abandoned_ranges);
/* There was no memory to keep a range: any range may have been used before */
static bool lost_range;

/*
 * The ranges of unloaded modules that were used again.  The times of that are in
 * trace_array_cpu.sig_reused, at the same index.  Readers take no lock.  So every
 * intermediate state of a change treats at least all old events as old.
 */
static struct ftrace_sig_range reused_ranges[TRACE_SIG_REUSED];

/* Whether there was ever such a range: printing need not look at times if not */
static bool ever_reused;

/* The time of a range whose events are all treated as old */
#define ALWAYS		U64_MAX

/* How far clocks of the timekeeping may go back while they are adjusted, in ns */
#define CLOCK_SLACK	NSEC_PER_USEC

/* Has anything been recorded since the buffer was reset, read or not? */
static bool has_recorded(struct trace_buffer *buffer, int cpu)
{
	return buffer && (ring_buffer_entries_cpu(buffer, cpu) ||
			  ring_buffer_overrun_cpu(buffer, cpu) ||
			  ring_buffer_read_events_cpu(buffer, cpu));
}

static bool cpu_has_recorded(struct trace_array *tr, int cpu)
{
#ifdef CONFIG_TRACER_MAX_TRACE
	if (has_recorded(tr->max_buffer.buffer, cpu))
		return true;
#endif
	return has_recorded(tr->array_buffer.buffer, cpu);
}

static bool anything_was_recorded(void)
{
	struct trace_array *tr;
	int cpu;

	lockdep_assert_held(&trace_types_lock);
	list_for_each_entry(tr, &ftrace_trace_arrays, list)
		for_each_possible_cpu(cpu)
			if (cpu_has_recorded(tr, cpu))
				return true;
	return false;
}

/*
 * Held while times of a CPU are noted or forgotten.  Both may happen at once, because
 * buffers are reset at any time.
 */
static DEFINE_RAW_SPINLOCK(times_lock);

static struct trace_array_cpu *data_of(const struct trace_array *tr, int cpu)
{
	return per_cpu_ptr(tr->array_buffer.data, cpu);
}

/* Whether the clock has gone back: then its times no longer tell what came first */
static bool went_back(struct trace_array_cpu *data, u64 now)
{
	unsigned int i;

	for (i = 0; i < TRACE_SIG_REUSED; i++) {
		u64 time = atomic64_read(&data->sig_reused[i]);

		if (time != ALWAYS && time > now)
			return true;
	}
	return false;
}

static void note_time(struct trace_array *tr, unsigned int nr)
{
	struct trace_array_cpu *data = data_of(tr, smp_processor_id());
	u64 now = ring_buffer_time_stamp(tr->array_buffer.buffer);

	if (trace_clock_in_ns(tr))
		now += CLOCK_SLACK;
	guard(raw_spinlock_irqsave)(&times_lock);
	if (went_back(data, now))
		data->sig_unordered = true;
	data->sig_resetting = false;
	atomic64_set(&data->sig_reused[nr], data->sig_unordered ? ALWAYS : now);
}

/* For a CPU that is offline */
static void note_always(struct trace_array *tr, int cpu, unsigned int nr)
{
	struct trace_array_cpu *data = data_of(tr, cpu);

	guard(raw_spinlock_irqsave)(&times_lock);
	data->sig_resetting = false;
	if (cpu_has_recorded(tr, cpu))
		atomic64_set(&data->sig_reused[nr], ALWAYS);
}

/* Runs on each CPU, while the waiting caller holds trace_types_lock */
static void note_times_here(void *nr)
{
	struct trace_array *tr;

	list_for_each_entry(tr, &ftrace_trace_arrays, list)
		if (tr->array_buffer.buffer)
			note_time(tr, *(unsigned int *)nr);
}

static void note_times(unsigned int nr)
{
	struct trace_array *tr;
	int cpu;

	lockdep_assert_held(&trace_types_lock);
	cpus_read_lock();
	on_each_cpu(note_times_here, &nr, 1);
	list_for_each_entry(tr, &ftrace_trace_arrays, list)
		for_each_possible_cpu(cpu)
			if (!cpu_online(cpu))
				note_always(tr, cpu, nr);
	cpus_read_unlock();
}

/* Extend the first range by the range @nr, with the later time of the two. */
static void merge_into_first(unsigned int nr)
{
	struct ftrace_sig_range *first = &reused_ranges[0], *range = &reused_ranges[nr];
	struct trace_array *tr;
	int cpu;

	lockdep_assert_held(&trace_types_lock);
	list_for_each_entry(tr, &ftrace_trace_arrays, list) {
		for_each_possible_cpu(cpu) {
			atomic64_t *times = data_of(tr, cpu)->sig_reused;
			u64 time;

			guard(raw_spinlock_irqsave)(&times_lock);
			time = atomic64_read(&times[nr]);
			if (time > (u64)atomic64_read(&times[0]))
				atomic64_set(&times[0], time);
		}
	}
	/* pairs with the one in is_reused() */
	smp_wmb();
	if (first->end) {
		WRITE_ONCE(first->start, min(first->start, range->start));
		WRITE_ONCE(first->end, max(first->end, range->end));
	} else {
		WRITE_ONCE(first->start, range->start);
		WRITE_ONCE(first->end, range->end);
	}
	/* A reader that no longer finds the addresses in @range finds them in @first */
	smp_wmb();
	WRITE_ONCE(range->end, 0);
	/* pairs with the one in is_reused(): no later time with the old range */
	smp_wmb();
}

static bool covers(const struct ftrace_sig_range *range, const struct ftrace_sig_range *other)
{
	return range->start <= other->start && other->end <= range->end;
}

/* An index for @range: of a range that it covers, a free one, or one made free. */
static unsigned int number_for(const struct ftrace_sig_range *range)
{
	static unsigned int next;
	unsigned int nr;

	for (nr = 1; nr < TRACE_SIG_REUSED; nr++) {
		const struct ftrace_sig_range *old = &reused_ranges[nr];

		if (!old->end || covers(range, old))
			return nr;
	}
	nr = 1 + next++ % (TRACE_SIG_REUSED - 1);
	merge_into_first(nr);
	return nr;
}

static void note_reuse(const struct ftrace_sig_range *range)
{
	unsigned int nr;

	mutex_lock(&trace_types_lock);
	if (anything_was_recorded()) {
		WRITE_ONCE(ever_reused, true);
		nr = number_for(range);
		note_times(nr);
		/* pairs with the one in is_reused() */
		smp_wmb();
		WRITE_ONCE(reused_ranges[nr].start, range->start);
		WRITE_ONCE(reused_ranges[nr].end, range->end);
	}
	mutex_unlock(&trace_types_lock);
}

/* Ranges that @range covers completely need not be kept any longer. */
static void forget_covered(const struct ftrace_sig_range *range)
{
	struct abandoned *a, *next;

	list_for_each_entry_safe(a, next, &abandoned_ranges, list) {
		if (covers(range, &a->range)) {
			list_del(&a->list);
			kfree(a);
		}
	}
}

/**
 * ftrace_sig_abandon_range - keep a range whose functions are gone
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
	forget_covered(range);
	list_add(&a->list, &abandoned_ranges);
}

/**
 * ftrace_sig_use_range - note that new functions are placed in a range
 * @range: their addresses; may be empty
 *
 * None of them has run yet, or has a name.
 *
 * Context: may sleep; the caller holds the mutex of the tables.
 */
void ftrace_sig_use_range(const struct ftrace_sig_range *range)
{
	bool used = lost_range && range->start < range->end;
	struct abandoned *a;

	list_for_each_entry(a, &abandoned_ranges, list)
		used |= ftrace_sig_overlap(&a->range, range);
	if (used)
		note_reuse(range);
	/* Ranges covered in part stay: other modules may be loaded to the rest */
	forget_covered(range);
}

/* Whether the event was recorded before the range @nr was used again */
static bool is_before(const struct trace_iterator *iter, unsigned int nr)
{
	u64 time = atomic64_read(&data_of(iter->tr, iter->cpu)->sig_reused[nr]);

	return time && iter->ts <= time;
}

/* Whether @ip in the event belonged to a module whose place another one has now */
static bool is_reused(const struct trace_iterator *iter, unsigned long ip)
{
	unsigned int nr;

	if (likely(!READ_ONCE(ever_reused)))
		return false;
	for (nr = TRACE_SIG_REUSED; nr-- > 0; ) {
		const struct ftrace_sig_range *range = &reused_ranges[nr];

		if (ip < READ_ONCE(range->start) || ip >= READ_ONCE(range->end))
			continue;
		/* Read the time after the range: it is the range's time, or a later one */
		smp_rmb();
		if (is_before(iter, nr))
			return true;
	}
	return false;
}

/* Whether no range of a module was used again since the event was recorded */
static bool modules_are_current(const struct trace_iterator *iter)
{
	unsigned int nr;

	if (trace_has_last_boot(iter->tr))
		return false;
	if (likely(!READ_ONCE(ever_reused)))
		return true;
	for (nr = 0; nr < TRACE_SIG_REUSED; nr++)
		if (is_before(iter, nr))
			return false;
	return true;
}

/**
 * trace_sig_is_current - whether the code at an event's address is still the same
 * @iter: at the event
 * @ip: an address of the event, as it would be in the running kernel
 *
 * Context: any.
 * Return: false if a name or a signature for @ip may belong to other code.
 */
bool trace_sig_is_current(const struct trace_iterator *iter, unsigned long ip)
{
	if (trace_has_other_build(iter->tr))
		return false;
	if (is_kernel_text(ip) || is_kernel_inittext(ip))
		return true;
	return !trace_has_last_boot(iter->tr) && !is_reused(iter, ip);
}

/**
 * trace_sig_symbols - which addresses in an event can be given a name
 * @iter: at the event
 *
 * An address in the words of an event is that of the kernel which recorded it.
 * Only the addresses of traced functions are corrected for a kernel that was loaded
 * to another address.
 *
 * Users who may not trace may read the kernel's log, so there "hash-ptr" applies to
 * all that may be an address.
 *
 * Return: how to print the event's values: FTRACE_SIG_NO_SYMBOLS or
 * FTRACE_SIG_IMAGE_SYMBOLS, and FTRACE_SIG_HASH.
 */
unsigned int trace_sig_symbols(const struct trace_iterator *iter)
{
	unsigned int how = 0;

	if (iter->iter_flags & TRACE_FILE_KERNEL_LOG &&
	    iter->tr->trace_flags & TRACE_ITER_HASH_PTR)
		how = FTRACE_SIG_HASH;
	if (iter->tr->text_delta || trace_has_other_build(iter->tr))
		return how | FTRACE_SIG_NO_SYMBOLS;
	return modules_are_current(iter) ? how : how | FTRACE_SIG_IMAGE_SYMBOLS;
}

static bool may_go_back(const char *clock)
{
	return !strcmp(clock, "tai") || !strcmp(clock, "x86-tsc");
}

/**
 * trace_sig_clock_changes - to be called before the clock of an instance changes
 * @tr: the instance
 * @clock: the name of the new clock
 *
 * Until a CPU's events are dropped, they may have times of either clock.
 *
 * Context: under trace_types_lock.
 */
void trace_sig_clock_changes(struct trace_array *tr, const char *clock)
{
	unsigned int nr;
	int cpu;

	for_each_possible_cpu(cpu) {
		struct trace_array_cpu *data = data_of(tr, cpu);

		guard(raw_spinlock_irqsave)(&times_lock);
		for (nr = 0; nr < TRACE_SIG_REUSED; nr++)
			if (atomic64_read(&data->sig_reused[nr]))
				atomic64_set(&data->sig_reused[nr], ALWAYS);
		data->sig_unordered = true;
		data->sig_goes_back = may_go_back(clock);
	}
}

/**
 * trace_sig_resets - to be called before events are dropped
 * @buf: the buffer
 * @cpus: the CPUs whose events are dropped
 *
 * Context: any; the caller calls trace_sig_reset() after dropping them.
 */
void trace_sig_resets(struct array_buffer *buf, const struct cpumask *cpus)
{
	int cpu;

	for_each_cpu(cpu, cpus) {
		guard(raw_spinlock_irqsave)(&times_lock);
		data_of(buf->tr, cpu)->sig_resetting = true;
	}
}

/* Whether the instance's other buffer, which may have been swapped, has events */
static bool other_has_recorded(const struct array_buffer *buf, int cpu)
{
#ifdef CONFIG_TRACER_MAX_TRACE
	struct trace_array *tr = buf->tr;

	return has_recorded(buf == &tr->max_buffer ? tr->array_buffer.buffer :
						     tr->max_buffer.buffer, cpu);
#else
	return false;
#endif
}

/* All events that the CPU has recorded since belong to code that is still there. */
static void forget_times(struct trace_array_cpu *data)
{
	unsigned int nr;

	for (nr = 0; nr < TRACE_SIG_REUSED; nr++)
		atomic64_set(&data->sig_reused[nr], 0);
	data->sig_unordered = data->sig_goes_back;
}

/**
 * trace_sig_reset - to be called after events were dropped
 * @buf: the buffer
 * @cpus: the CPUs whose events were dropped, as for trace_sig_resets(); a CPU that
 *	went online or offline in between may still have its events
 *
 * Context: any.
 */
void trace_sig_reset(struct array_buffer *buf, const struct cpumask *cpus)
{
	int cpu;

	for_each_possible_cpu(cpu) {
		struct trace_array_cpu *data = data_of(buf->tr, cpu);

		guard(raw_spinlock_irqsave)(&times_lock);
		/* Keep the times if one was noted meanwhile */
		if (data->sig_resetting && cpumask_test_cpu(cpu, cpus) &&
		    !other_has_recorded(buf, cpu))
			forget_times(data);
		data->sig_resetting = false;
	}
}
