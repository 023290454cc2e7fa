// SPDX-License-Identifier: GPL-2.0
/*
 * Ring buffer torture test: is each event that is read what was written, and
 * are those that are not read the ones that were reported lost?
 *
 * Writers count their events in rbt_cpu.seq. At moments when no one writes to a
 * CPU's ring, what they wrote is
 *
 *	- read: each once, in order, whole, and not earlier than the one before;
 *	- or overwritten, as the ring buffer's figures say;
 *	- or still in the ring, as they say, too;
 *	- or was in the ring when it was reset.
 *
 * And as soon as all is read, readers were told of as many lost events as were
 * overwritten.
 */
#include <linux/bug.h>
#include <linux/math64.h>

#include "ring_buffer_page.h"
#include "ring_buffer_torture.h"

static const char * const rbt_context_names[RBT_CONTEXTS] = {
	"task", "softirq", "hardirq", "NMI",
};

/* Has @event the bytes that its first ones ask for? */
static bool rbt_check_pattern(struct rbt_cpu *cpu, const struct rbt_event *event)
{
	u8 byte = rbt_first_byte(event);
	u32 i;

	for (i = 0; i < event->length - RBT_HEADER; i++, byte++) {
		if (event->pattern[i] == byte)
			continue;
		rbt_fail("cpu %d: %s event %u of %u bytes is torn: byte %u is %#x instead of %#x",
			 cpu->nr, rbt_context_names[event->context], event->seq, event->length,
			 i, event->pattern[i], byte);
		return false;
	}
	return true;
}

/* Is @event, of @size bytes, one that was written on @cpu, and whole? */
bool rbt_check_content(struct rbt_cpu *cpu, const struct rbt_event *event, u32 size)
{
	if (size < RBT_MIN_LENGTH || event->context >= RBT_CONTEXTS) {
		rbt_fail("cpu %d: an event of %u bytes is not ours", cpu->nr, size);
		return false;
	}
	if (event->cpu != cpu->nr) {
		rbt_fail("cpu %d: an event was written on cpu %u", cpu->nr, event->cpu);
		return false;
	}
	/* the length is rounded up to words */
	if (event->length > size || event->length + RB_ALIGN <= size ||
	    event->length < RBT_MIN_LENGTH) {
		rbt_fail("cpu %d: %s event %u says that it has %u bytes, and has %u", cpu->nr,
			 rbt_context_names[event->context], event->seq, event->length, size);
		return false;
	}
	return rbt_check_pattern(cpu, event);
}

/* Is @attached what was attached to @event, whose content is as it was written? */
void rbt_check_attached(struct rbt_cpu *cpu, const struct rbt_event *event,
			const struct ring_buffer_attached *attached)
{
	const u32 *words = attached->data;
	u32 i;

	if (attached->size != ALIGN(event->attached * RB_WORD, RB_ALIGN)) {
		rbt_fail("cpu %d: %s event %u has %u bytes attached to it, and says %u words",
			 cpu->nr, rbt_context_names[event->context], event->seq, attached->size,
			 event->attached);
		return;
	}
	for (i = 0; i < event->attached; i++) {
		if (words[i] == rbt_attached_word(event, i))
			continue;
		rbt_fail("cpu %d: what is attached to %s event %u is torn: word %u is %#x",
			 cpu->nr, rbt_context_names[event->context], event->seq, i, words[i]);
		return;
	}
}

/* An event was read of @cpu. Context: rbt_cpu.lock held. */
void rbt_check_event(struct rbt_cpu *cpu, struct ring_buffer_event *event, u64 time)
{
	struct rbt_event *data = ring_buffer_event_data(event);
	u64 *seen;
	s32 step;

	if (!rbt_check_content(cpu, data, ring_buffer_event_length(event)))
		return;
	seen = &cpu->seen[data->context];
	step = data->seq - (u32)*seen;
	if (step <= 0)
		rbt_fail("cpu %d: %s event %u was read after %llu", cpu->nr,
			 rbt_context_names[data->context], data->seq, *seen);
	if (time < cpu->time)
		rbt_fail("cpu %d: %s event %u of %llu ns was read after one of %llu ns",
			 cpu->nr, rbt_context_names[data->context], data->seq, time, cpu->time);
	*seen += step;
	cpu->time = time;
	cpu->read++;
}

/* The time of what is behind @item, which may be a time stamp, from that before it */
static u64 rbt_time_behind(struct ring_buffer_event *item, u64 time)
{
	u64 stamp, least;

	switch (item->type_len) {
	case RINGBUF_TYPE_PADDING:
		/* no time is told as one, and then what it was behind the length */
		if (item->array[0] > RB_WORD)
			return time + (item->array[1] & RB_DELTA_MAX);
		return time + item->time_delta;
	case RINGBUF_TYPE_TIME_EXTEND:
		return time + rb_event_stamp(item);
	case RINGBUF_TYPE_TIME_STAMP:
		stamp = rb_event_stamp(item) | (time & ~RB_STAMP_MASK);
		least = rb_attached_delta(rb_event_behind_stamp(item));
		return stamp + least < time ? stamp + RB_STAMP_MASK + 1 : stamp;
	default:
		return time + item->time_delta;
	}
}

/*
 * Of what is in @page, up to byte @to, that from byte @from on was read of @cpu.
 *
 * Context: rbt_cpu.lock held.
 */
void rbt_check_page(struct rbt_cpu *cpu, struct rb_subbuf *page, u32 from, u32 to)
{
	struct ring_buffer_attached attached = { };
	u64 time = page->time_stamp;
	struct ring_buffer_event *item;
	u32 at, size;

	for (at = 0; at < to; at += size) {
		item = (void *)page->data + at;
		size = rb_event_size(item);
		if (size > to - at) {
			rbt_fail("cpu %d: an event of %u bytes is at byte %u of %u", cpu->nr,
				 size, at, to);
			return;
		}
		time = rbt_time_behind(item, time);
		if (at >= from && rb_event_is_data(item)) {
			rbt_check_event(cpu, item, time);
			rbt_check_attached(cpu, ring_buffer_event_data(item), &attached);
		}
		rb_event_attached(item, &attached);
	}
}

/* @lost events were reported lost. Context: rbt_cpu.lock held. */
void rbt_note_lost(struct rbt_cpu *cpu, u64 lost)
{
	cpu->lost += lost;
}

/* Events were reported lost, but not how many. Context: rbt_cpu.lock held. */
void rbt_note_lost_some(struct rbt_cpu *cpu)
{
	cpu->unnumbered++;
}

static u64 rbt_sum(const u64 *by_context)
{
	u64 sum = 0;
	int context;

	for (context = 0; context < RBT_CONTEXTS; context++)
		sum += by_context[context];
	return sum;
}

/* Events written on @cpu */
u64 rbt_written(struct rbt_cpu *cpu)
{
	return rbt_sum(cpu->seq);
}

/* Events that @cpu's writers could not write */
u64 rbt_refused(struct rbt_cpu *cpu)
{
	return rbt_sum(cpu->refused);
}

static void rbt_add_stats(struct rbt_stats *stats, struct trace_buffer *buffer, int cpu)
{
	stats->overrun += ring_buffer_overrun_cpu(buffer, cpu);
	stats->read += ring_buffer_read_events_cpu(buffer, cpu);
	stats->refused += ring_buffer_dropped_events_cpu(buffer, cpu) +
			  ring_buffer_commit_overrun_cpu(buffer, cpu);
}

/*
 * What the ring buffer says of @cpu.
 *
 * Context: rbt_cpu.lock held, or its rings may be swapped in between.
 */
struct rbt_stats rbt_stats(struct rbt_cpu *cpu)
{
	struct rbt_stats stats = cpu->before;

	rbt_add_stats(&stats, rbt.buffer, cpu->nr);
	rbt_add_stats(&stats, rbt.snapshot, cpu->nr);
	return stats;
}

/* Context: as rbt_stats(). */
static u64 rbt_in_ring(struct rbt_cpu *cpu)
{
	return ring_buffer_entries_cpu(rbt.buffer, cpu->nr) +
	       ring_buffer_entries_cpu(rbt.snapshot, cpu->nr);
}

/*
 * Do the figures account for all that was written?
 *
 * Context: rbt_cpu.lock held, and no one writes on @cpu.
 */
void rbt_check_figures(struct rbt_cpu *cpu)
{
	struct rbt_stats stats = rbt_stats(cpu);
	u64 in_ring = rbt_in_ring(cpu), written = rbt_written(cpu);

	if (written != cpu->read + cpu->forgotten + in_ring + stats.overrun)
		rbt_fail("cpu %d: %llu written: but %llu read, %llu lost, %llu in it, %llu reset",
			 cpu->nr, written, cpu->read, stats.overrun, in_ring, cpu->forgotten);
	if (stats.read != cpu->read)
		rbt_fail("cpu %d: the ring buffer says that %llu events were read, not %llu",
			 cpu->nr, stats.read, cpu->read);
}

static void rbt_fail_lost(struct rbt_cpu *cpu, u64 overrun)
{
	rbt_fail("cpu %d: %llu overwritten, but %llu reported lost, %llu others, %llu times some",
		 cpu->nr, overrun, cpu->lost, cpu->silent, cpu->unnumbered);
}

/*
 * Everything was read, of a ring to which no one writes. All is accounted for, and
 * of all that was lost readers were told; if not how many, then from now on.
 *
 * Context: as rbt_check_figures().
 */
void rbt_check_drained(struct rbt_cpu *cpu)
{
	u64 overrun = rbt_stats(cpu).overrun;
	/* may be less than 0 */
	s64 rest = overrun - cpu->lost - cpu->silent;

	rbt_check_figures(cpu);
	if (rbt_in_ring(cpu))
		rbt_fail("cpu %d: nothing can be read, but %llu events are in the ring",
			 cpu->nr, rbt_in_ring(cpu));
	if (cpu->unnumbered ? rest < (s64)cpu->unnumbered : rest)
		rbt_fail_lost(cpu, overrun);
	if (cpu->unnumbered) {
		cpu->silent = overrun - cpu->lost;
		cpu->unnumbered = 0;
	}
}

/* At the end of the run. Context: as rbt_check_figures(). */
void rbt_check_end(struct rbt_cpu *cpu)
{
	u64 refused = rbt_refused(cpu), says = rbt_stats(cpu).refused;

	rbt_check_drained(cpu);
	if (says > refused)
		rbt_fail("cpu %d: the ring buffer says that it refused %llu events, not %llu",
			 cpu->nr, says, refused);
}

/* A number that its writer may be about to make more: not half of it */
static u64 rbt_read_seq(const u64 *seq)
{
	u64 value, again = READ_ONCE(*seq);

	do {
		value = again;
		again = READ_ONCE(*seq);
	} while (value != again);
	return value;
}

/*
 * The ring that @buffer has of @cpu is about to be reset.
 *
 * Context: rbt_cpu.lock held, up to rbt_forget_end() or rbt_forget_none().
 */
void rbt_forget_begin(struct rbt_cpu *cpu, struct trace_buffer *buffer)
{
	int context;

	for (context = 0; context < RBT_CONTEXTS; context++)
		cpu->from[context] = rbt_read_seq(&cpu->seq[context]);
	cpu->now = (struct rbt_stats){ };
	rbt_add_stats(&cpu->now, buffer, cpu->nr);
}

/* It is, and nothing was in it. Context: as rbt_check_figures(). */
void rbt_forget_none(struct rbt_cpu *cpu)
{
	cpu->before.overrun += cpu->now.overrun;
	cpu->before.read += cpu->now.read;
	cpu->before.refused += cpu->now.refused;
	rbt_check_figures(cpu);
}

/*
 * It is that of rbt.buffer, and all is forgotten that had been in it: also what
 * was lost and not yet reported. Events may have been written since it was about
 * to be reset; those written before must not be there.
 *
 * Context: as rbt_check_figures().
 */
void rbt_forget_end(struct rbt_cpu *cpu)
{
	struct rbt_stats since = { };
	u64 in_ring = rbt_in_ring(cpu), overrun, written = rbt_written(cpu);
	s64 rest;

	rbt_add_stats(&since, rbt.buffer, cpu->nr);
	rest = written - rbt_sum(cpu->from) - in_ring - since.overrun;
	if (rest < 0)
		rbt_fail("cpu %d: %llu events are in a ring that was reset, %llu written since",
			 cpu->nr, in_ring + since.overrun, written - rbt_sum(cpu->from));
	cpu->before.overrun += cpu->now.overrun;
	cpu->before.read += cpu->now.read;
	cpu->before.refused += cpu->now.refused;

	overrun = rbt_stats(cpu).overrun;
	rest = overrun - since.overrun - cpu->lost - cpu->silent;
	if (rest < (s64)cpu->unnumbered)
		rbt_fail_lost(cpu, overrun - since.overrun);
	cpu->silent += rest;
	cpu->unnumbered = 0;

	rest = written - cpu->read - in_ring - overrun - cpu->forgotten;
	if (rest < 0)
		rbt_fail("cpu %d: %lld events more than were written", cpu->nr, -rest);
	cpu->forgotten += rest;
	memcpy(cpu->seen, cpu->from, sizeof(cpu->seen));
	rbt_check_figures(cpu);
}
