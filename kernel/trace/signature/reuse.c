// SPDX-License-Identifier: GPL-2.0
/*
 * Events that are older than the code at their address.
 *
 * A module goes and another comes to lie where it was, while events of the
 * first are still in the buffers.  By address alone they would be printed with
 * the name and the signature of a function of the second.  So the ranges of modules
 * that went are kept, and when one is used again, the time is noted: what was recorded
 * there until then is of code that is gone.
 *
 * Clocks of CPUs may differ by any amount, and each instance has a clock of its own.
 * So the time is noted on each CPU, for each instance, by the very clock that stamps
 * the events there.  Where times do not tell what came first, all that a CPU has
 * recorded there is unknown, at any time:
 *
 *  - on a CPU that is off line, and may have events,
 *  - on a CPU that was off line when the clock was changed: its events were not
 *    dropped then, and have times of the other clock,
 *  - by clocks that may be set back, or that begin anew after a suspend.
 *
 * It is known again when the events are dropped: then no old ones are left.
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

/* Where modules were; protected by the mutex of table.c */
struct abandoned {
	struct ftrace_sig_range	range;
	struct list_head	list;
};

static LIST_HEAD(abandoned_ranges);
/* There was no memory to keep a range: every range may be one that was used */
static bool lost_range;

/*
 * Where modules were and others came.  When that was is in trace_array_cpu.sig_reused,
 * by the same number.  A reader takes no lock: whatever is changed here, at no time
 * less is taken for gone than what is.
 */
static struct ftrace_sig_range reused_ranges[TRACE_SIG_REUSED];

/* All times are noted: there is no way back from it */
#define ALWAYS		U64_MAX

/* What clocks of the timekeeping may go back by while they are adjusted, in ns */
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
 * Held while times of a CPU are noted or forgotten, which may be at once: buffers are
 * reset at any time.
 */
static DEFINE_RAW_SPINLOCK(times_lock);

static struct trace_array_cpu *data_of(const struct trace_array *tr, int cpu)
{
	return per_cpu_ptr(tr->array_buffer.data, cpu);
}

/* Has a clock gone back that should not?  Then its times tell nothing more. */
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

/* For a CPU that is off line */
static void note_always(struct trace_array *tr, int cpu, unsigned int nr)
{
	struct trace_array_cpu *data = data_of(tr, cpu);

	guard(raw_spinlock_irqsave)(&times_lock);
	data->sig_resetting = false;
	if (cpu_has_recorded(tr, cpu))
		atomic64_set(&data->sig_reused[nr], ALWAYS);
}

/* On each CPU, while trace_types_lock is held by who waits for it */
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

/* The first range takes in another one, with the later time of the two. */
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
	/* Whoever does not find it here any more finds it there */
	smp_wmb();
	WRITE_ONCE(range->end, 0);
	/* pairs with the one in is_reused(): no later time with the old range */
	smp_wmb();
}

static bool covers(const struct ftrace_sig_range *range, const struct ftrace_sig_range *other)
{
	return range->start <= other->start && other->end <= range->end;
}

/* A number for @range: one that it covers, one that is free, or one made free. */
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
		nr = number_for(range);
		note_times(nr);
		/* pairs with the one in is_reused() */
		smp_wmb();
		WRITE_ONCE(reused_ranges[nr].start, range->start);
		WRITE_ONCE(reused_ranges[nr].end, range->end);
	}
	mutex_unlock(&trace_types_lock);
}

/* What @range takes the place of as a whole need not be kept any longer. */
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
	forget_covered(range);
	list_add(&a->list, &abandoned_ranges);
}

/**
 * ftrace_sig_use_range - functions come to lie here
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
	/* Of one that is covered in part, others may come to the rest */
	forget_covered(range);
}

/* Is it an event that was there before @nr was used again? */
static bool is_before(const struct trace_iterator *iter, unsigned int nr)
{
	u64 time = atomic64_read(&data_of(iter->tr, iter->cpu)->sig_reused[nr]);

	return time && iter->ts <= time;
}

/* Whether @ip in the event is of a module that went for another */
static bool is_reused(const struct trace_iterator *iter, unsigned long ip)
{
	unsigned int nr;

	for (nr = TRACE_SIG_REUSED; nr-- > 0; ) {
		const struct ftrace_sig_range *range = &reused_ranges[nr];

		if (ip < READ_ONCE(range->start) || ip >= READ_ONCE(range->end))
			continue;
		/* the time is that of the range, or a later one */
		smp_rmb();
		if (is_before(iter, nr))
			return true;
	}
	return false;
}

/* Whether the modules of now are those of the time of the event */
static bool modules_are_current(const struct trace_iterator *iter)
{
	unsigned int nr;

	if (trace_has_last_boot(iter->tr))
		return false;
	for (nr = 0; nr < TRACE_SIG_REUSED; nr++)
		if (is_before(iter, nr))
			return false;
	return true;
}

/**
 * trace_sig_is_current - whether an event is of the code that is there now
 * @iter: at the event
 * @ip: an address of the event, as it would be in the running kernel
 *
 * Context: any.
 * Return: false if a name or a signature for @ip might be that of other code.
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
 * An address in the words of an event is as it was in the kernel that recorded
 * it; only the addresses of functions are corrected for a kernel that lay
 * elsewhere.
 *
 * And the kernel's log is read by others than those who may trace: there "hash-ptr"
 * holds for all that may be an address.
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
 * trace_sig_clock_changes - the clock of an instance will be another one
 * @tr: the instance
 * @clock: the name of the clock
 *
 * Until its events are dropped, those of a CPU have times of either.
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
 * trace_sig_resets - events will be dropped
 * @buf: the buffer
 * @cpus: of which CPUs
 *
 * Context: any; trace_sig_reset() follows when it was done.
 */
void trace_sig_resets(struct array_buffer *buf, const struct cpumask *cpus)
{
	int cpu;

	for_each_cpu(cpu, cpus) {
		guard(raw_spinlock_irqsave)(&times_lock);
		data_of(buf->tr, cpu)->sig_resetting = true;
	}
}

/* Has the instance's other buffer anything, which may have been swapped? */
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

/* What it has recorded since is of the code that was there since, and is. */
static void forget_times(struct trace_array_cpu *data)
{
	unsigned int nr;

	for (nr = 0; nr < TRACE_SIG_REUSED; nr++)
		atomic64_set(&data->sig_reused[nr], 0);
	data->sig_unordered = data->sig_goes_back;
}

/**
 * trace_sig_reset - events were dropped
 * @buf: the buffer
 * @cpus: of which CPUs, as with trace_sig_resets(); one that came or went in between
 *	may have its events still
 *
 * Context: any.
 */
void trace_sig_reset(struct array_buffer *buf, const struct cpumask *cpus)
{
	int cpu;

	for_each_possible_cpu(cpu) {
		struct trace_array_cpu *data = data_of(buf->tr, cpu);

		guard(raw_spinlock_irqsave)(&times_lock);
		/* Not if anything was noted meanwhile */
		if (data->sig_resetting && cpumask_test_cpu(cpu, cpus) &&
		    !other_has_recorded(buf, cpu))
			forget_times(data);
		data->sig_resetting = false;
	}
}
