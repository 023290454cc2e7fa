// SPDX-License-Identifier: GPL-2.0
/*
 * Ring buffer: what an earlier boot left in memory that outlives the kernel.
 *
 * Nothing of it is trusted. A sub-buffer is taken over if its place in the ring is
 * known, and if each of its events ends where the next one begins. One that must have
 * had events, and does not pass these checks, is damaged: all that it had is lost, and
 * an event in its place says so. The others are kept, in order.
 */
#include <linux/gfp.h>
#include <linux/printk.h>
#include <linux/slab.h>
#include <linux/sprintf.h>
#include <linux/string.h>

#include "ring_buffer_persist.h"
#include "trace.h"

/**
 * enum rb_state - what was found of a sub-buffer
 * @RB_STATE_FREE:	it was read, is about to be overwritten, or was never begun
 * @RB_STATE_EMPTY:	it was begun, and no event of it was shown
 * @RB_STATE_FILLED:	it has events
 * @RB_STATE_DAMAGED:	it had, and they are damaged
 * @RB_STATE_MISPLACED:	what its slot says is damaged: it may have had some
 */
enum rb_state {
	RB_STATE_FREE,
	RB_STATE_EMPTY,
	RB_STATE_FILLED,
	RB_STATE_DAMAGED,
	RB_STATE_MISPLACED,
};

/**
 * struct rb_found - what was found in a sub-buffer, by its number
 * @state:	see enum rb_state
 * @size:	bytes of events
 * @events:	how many with data
 * @first:	time before the first
 * @last:	time of the last
 * @damaged:	it stands for so many damaged ones
 * @slots:	how many slots say that they have it
 * @index:	not of this sub-buffer: number of the one that was in the slot of this
 *		number
 * @order:	not of this sub-buffer: number of the one in the slot of this
 *		number, oldest first and then the free ones
 */
struct rb_found {
	enum rb_state	state;
	u32		size;
	int		events;
	u64		first;
	u64		last;
	u32		damaged;
	u32		slots;
	u32		index;
	u32		order;
};

/* Of two slots that say that they have the same sub-buffer, neither is believed. */
static bool rb_knows_slot(struct rb_cpu *cpu, struct rb_found *found, u32 index)
{
	return index <= cpu->tables.nr_slots && found[index].slots == 1;
}

/* The first sub-buffer from @index on that no slot is known to have. */
static u32 rb_without_slot(struct rb_found *found, u32 index)
{
	while (found[index].slots == 1)
		index++;
	return index;
}

/*
 * Which sub-buffer is the reader's: the one that no slot has. The kernel before may have
 * ended between the two steps in which its reader took it, so that the meta is asked
 * only if there are more.
 */
static void rb_find_reader(struct rb_cpu *cpu, struct rb_found *found, u32 nr_known)
{
	struct rb_meta *meta = cpu->meta;
	u32 reader = rb_without_slot(found, 0);

	if (nr_known < meta->nr_slots) {
		if (meta->reader <= meta->nr_slots && !found[meta->reader].slots)
			reader = meta->reader;
		else
			found[reader].state = RB_STATE_MISPLACED;
	}
	found[reader].slots = 1;
	found[meta->nr_slots].index = reader;
}

/* Which sub-buffer is where: by slots, and then the reader's. */
static void rb_find_places(struct rb_cpu *cpu, struct rb_found *found)
{
	u32 nr = cpu->tables.nr_slots, slot, index, nr_known = 0, next = 0;

	for (slot = 0; slot < nr; slot++) {
		index = (u32)rb_slot_read(cpu, slot);
		if (index <= nr)
			found[index].slots++;
	}
	for (slot = 0; slot < nr; slot++) {
		index = (u32)rb_slot_read(cpu, slot);
		found[slot].index = rb_knows_slot(cpu, found, index) ? index : U32_MAX;
		nr_known += found[slot].index != U32_MAX;
	}
	rb_find_reader(cpu, found, nr_known);
	for (slot = 0; slot < nr; slot++) {
		if (found[slot].index != U32_MAX)
			continue;
		next = rb_without_slot(found, next);
		found[slot].index = next;
		found[next].slots = 1;
		found[next].state = RB_STATE_MISPLACED;
	}
}

/* Go through the events of a sub-buffer. */
static enum rb_state rb_look_at_events(struct rb_cpu *cpu, u32 index, struct rb_found *found)
{
	struct rb_subbuf *subbuf = rb_meta_subbuf(cpu->meta, index);
	long commit = local_read(&subbuf->commit);
	u32 at, whole;

	if (commit < 0 || commit > rb_subbuf_room(cpu->tables.order))
		return RB_STATE_DAMAGED;
	found->first = subbuf->time_stamp;
	found->last = found->first;
	for (at = 0; at < commit; at += whole) {
		struct ring_buffer_event *event = (void *)subbuf->data + at;

		whole = rb_event_within(event, commit - at);
		if (!whole)
			return RB_STATE_DAMAGED;
		found->last = rb_event_time(event, found->last);
		found->events += rb_event_is_data(rb_event_behind(event));
	}
	found->size = commit;
	return commit ? RB_STATE_FILLED : RB_STATE_EMPTY;
}

/*
 * The kernel before may have ended after its writer claimed a slot and before it began
 * to fill it: the events in it are then older than the rest, and were about to be
 * overwritten. The same is said of a slot whose events its reader took.
 */
static enum rb_state rb_look_at_slot(struct rb_cpu *cpu, u32 slot, struct rb_found *found)
{
	u32 lap = rb_slot_lap(rb_slot_read(cpu, slot)), index = found[slot].index;
	/*
	 * LMM(rb_look_at_slot:A) pairs with LMM(rb_claim:A), LMM(rb_meta_begin:A): the kernel
	 * before wrote in that order, and a boot is between
	 */
	u32 begun = rb_meta_begun(cpu->meta)[slot];

	if (found[index].state == RB_STATE_MISPLACED)
		return RB_STATE_MISPLACED;
	if (lap == begun + 1)
		return RB_STATE_FREE;
	if (lap != begun)
		return RB_STATE_MISPLACED;
	return rb_look_at_events(cpu, index, &found[index]);
}

static struct rb_found *rb_found_in(struct rb_found *found, u32 slot)
{
	return &found[found[slot].index];
}

/* In the lap that the slot says, it had events. */
static bool rb_had_events(struct rb_found *found)
{
	return found->state == RB_STATE_FILLED || found->state == RB_STATE_DAMAGED;
}

static bool rb_was_begun(struct rb_found *found)
{
	return found->state == RB_STATE_EMPTY;
}

/**
 * struct rb_tail - where the kernel before wrote last
 * @slot:	the slot
 * @lap:	its lap
 * @any:	something was written; if not, @slot is the ring's last one
 */
struct rb_tail {
	u32	slot;
	u32	lap;
	bool	any;
};

/* The last slot of the highest lap of those whose sub-buffers are meant. */
static struct rb_tail rb_last_slot(struct rb_cpu *cpu, struct rb_found *found,
				   bool (*is_meant)(struct rb_found *found))
{
	u32 nr = cpu->tables.nr_slots, slot, lap;
	struct rb_tail tail = { .slot = nr - 1 };

	for (slot = 0; slot < nr; slot++) {
		lap = rb_slot_lap(rb_slot_read(cpu, slot));
		if (!is_meant(rb_found_in(found, slot)) ||
		    (tail.any && (s32)(lap - tail.lap) < 0))
			continue;
		tail = (struct rb_tail){ .slot = slot, .lap = lap, .any = true };
	}
	return tail;
}

/* The last slot with events, or if there are none, the last one that was begun. */
static struct rb_tail rb_find_tail(struct rb_cpu *cpu, struct rb_found *found)
{
	struct rb_tail tail = rb_last_slot(cpu, found, rb_had_events);

	return tail.any ? tail : rb_last_slot(cpu, found, rb_was_begun);
}

/*
 * Look for what cannot be. What was read or claimed is older than all events. What was begun
 * before the tail had events, since its writer went on to the next sub-buffer: none is shown
 * if they are gone, or if the first one was still open.
 */
static void rb_find_gaps(struct rb_cpu *cpu, struct rb_found *found, struct rb_tail tail)
{
	u32 i, slot = tail.slot, lap = tail.lap - 1;
	bool older = false;

	for (i = 0; i < cpu->tables.nr_slots; i++) {
		struct rb_found *here;
		bool in_lap;

		/* slots that have events are in this lap */
		rb_slot_next(cpu, &slot, &lap);
		here = rb_found_in(found, slot);
		in_lap = rb_slot_lap(rb_slot_read(cpu, slot)) == lap;
		if (rb_had_events(here) && !in_lap)
			here->state = RB_STATE_MISPLACED;
		else if (here->state == RB_STATE_EMPTY && in_lap && slot != tail.slot)
			here->state = RB_STATE_DAMAGED;
		else if (here->state == RB_STATE_FREE && older)
			here->state = RB_STATE_DAMAGED;
		older |= rb_had_events(here);
	}
}

static bool rb_is_damaged(struct rb_found *found)
{
	return found->state == RB_STATE_DAMAGED || found->state == RB_STATE_MISPLACED;
}

/*
 * Find the order of the sub-buffers. The first of several damaged ones stands for all of
 * them. Returns how many of the ring are filled, these included.
 */
static u32 rb_find_order(struct rb_cpu *cpu, struct rb_found *found, struct rb_tail tail)
{
	u32 nr = cpu->tables.nr_slots, i, filled = 0, free = nr;
	struct rb_found *damaged = NULL;

	for (i = 0; i < nr; i++) {
		struct rb_found *here;
		bool first;

		rb_slot_next(cpu, &tail.slot, &tail.lap);
		here = rb_found_in(found, tail.slot);
		first = rb_is_damaged(here) && !damaged;
		if (first)
			damaged = here;
		if (rb_is_damaged(here))
			damaged->damaged++;
		if (here->state == RB_STATE_FILLED)
			damaged = NULL;
		if (here->state == RB_STATE_FILLED || first)
			found[filled++].order = found[tail.slot].index;
		else
			found[--free].order = found[tail.slot].index;
	}
	return filled;
}

/* Look at all that the kernel before left, and change nothing. */
static bool rb_look(struct rb_cpu *cpu, struct rb_found *found)
{
	u32 nr = cpu->tables.nr_slots, slot;
	struct rb_found *reader;

	/*
	 * LMM(rb_look:A) pairs with LMM(rb_meta_distrust:A), LMM(rb_meta_trust:A),
	 * LMM(rb_begin_use:A), LMM(rb_show:B): the kernel before wrote in that order, and
	 * a boot is between
	 */
	if (cpu->meta->magic != RB_META_MAGIC)
		return false;
	rb_find_places(cpu, found);
	for (slot = 0; slot < nr; slot++)
		rb_found_in(found, slot)->state = rb_look_at_slot(cpu, slot, found);
	reader = rb_found_in(found, nr);
	if (reader->state != RB_STATE_MISPLACED)
		reader->state = rb_look_at_events(cpu, found[nr].index, reader);
	if (rb_is_damaged(reader))
		reader->damaged = 1;
	return true;
}

/* Sub-buffer number @index is filled. */
static void rb_restore_use(struct rb_cpu *cpu, u32 index, u32 tag, u32 slot, u32 lap,
			   struct rb_found *found)
{
	struct rb_page *page = rb_page_at(&cpu->tables, index);
	struct rb_subbuf *subbuf = rb_page_subbuf(cpu, page);
	struct rb_use *use = &page->use[lap & 1];
	u32 round = cpu->tables.nr_slots * cpu->size;

	rb_use_ready(use, subbuf, tag);
	use->commit = tag + rb_room(cpu);
	local_set(&use->entries, found[index].events);
	page->slot = slot;
	page->end = found[index].size;
	local_set(&subbuf->commit, page->end);
	rb_use_ready(&page->use[~lap & 1], subbuf, tag + round);
	local_add(found[index].events, &cpu->entries);
	local_add(page->end, &cpu->bytes);
	local_inc(&cpu->touched);
	cpu->tail = use;
	cpu->word = rb_word(use->commit, 0);
}

/*
 * Write an event that says how much is damaged, in place of that. Any reader can print
 * it, since it looks as if a user had written it.
 */
static void rb_write_note(struct rb_cpu *cpu, u32 index, u64 time, struct rb_found *found)
{
	struct rb_subbuf *subbuf = rb_meta_subbuf(cpu->meta, index);
	struct ring_buffer_event *event = (void *)subbuf->data;
	struct print_entry *entry;
	char text[80];
	u32 length;

	length = scnprintf(text, sizeof(text),
			   RING_BUFFER_LOST "%u sub-buffer%s of %u bytes damaged or unfinished",
			   found->damaged, found->damaged == 1 ? "" : "s",
			   cpu->meta->subbuf_size) + 1;
	found->size = rb_event_room(sizeof(*entry) + length);
	found->events = 1;
	found->last = time;
	subbuf->time_stamp = time;
	memset(event, 0, found->size);
	rb_event_begin(event, found->size, 0);
	entry = __ring_buffer_event_data(event);
	entry->ent.type = TRACE_PRINT;
	memcpy(entry->buf, text, length);
}

/* Sub-buffers that are damaged, and how many events tell of them */
struct rb_notes {
	u32	damaged;
	u32	events;
};

/* Number of the sub-buffer that is read at @place: the reader's, then those of the ring */
static u32 rb_read_at(struct rb_cpu *cpu, struct rb_found *found, u32 place)
{
	return place ? found[place - 1].order : found[cpu->tables.nr_slots].index;
}

/* The time before the first event of all; 0 if there is none. */
static u64 rb_time_of_first(struct rb_cpu *cpu, struct rb_found *found, u32 filled)
{
	u32 place, index;

	for (place = 0; place <= filled; place++) {
		index = rb_read_at(cpu, found, place);
		if (found[index].state == RB_STATE_FILLED)
			return found[index].first;
	}
	return 0;
}

/* Say what is damaged, at the time of what is before that, or if nothing is, behind it. */
static struct rb_notes rb_write_notes(struct rb_cpu *cpu, struct rb_found *found, u32 filled)
{
	u64 time = rb_time_of_first(cpu, found, filled);
	struct rb_notes notes = { };
	u32 place, index;

	for (place = 0; place <= filled; place++) {
		index = rb_read_at(cpu, found, place);
		if (rb_is_damaged(&found[index])) {
			rb_write_note(cpu, index, time, &found[index]);
			notes.damaged += found[index].damaged;
			notes.events++;
		} else if (found[index].state == RB_STATE_FILLED) {
			time = found[index].last;
		}
	}
	return notes;
}

/*
 * As in rb_ring_start(), but with the events that were found: first those of
 * the reader, who may have read them already, then those of the ring.
 */
static struct rb_notes rb_fill(struct rb_cpu *cpu, struct rb_found *found)
{
	u32 nr = cpu->tables.nr_slots, slot, filled;
	struct rb_reader *reader = &cpu->reader;
	struct rb_notes notes;
	struct rb_tail tail;

	tail = rb_find_tail(cpu, found);
	rb_find_gaps(cpu, found, tail);
	filled = rb_find_order(cpu, found, tail);
	notes = rb_write_notes(cpu, found, filled);
	for (slot = 0; slot < nr; slot++)
		atomic64_set(rb_slot_at(&cpu->tables, slot), rb_slot(0, found[slot].order));
	reader->index = found[nr].index;
	reader->page = rb_page_at(&cpu->tables, reader->index);
	rb_ring_start(cpu);
	if (found[reader->index].size) {
		rb_restore_use(cpu, reader->index, -cpu->size, nr - 1, -1, found);
		reader->use = cpu->tail;
		reader->time = reader->subbuf->time_stamp;
		cpu->taken = 1;
	}
	for (slot = 0; slot < filled; slot++) {
		rb_restore_use(cpu, found[slot].order, slot * cpu->size, slot, 0, found);
		rb_meta_begin(cpu, slot, 0);
	}
	return notes;
}

static void rb_start_empty(struct rb_cpu *cpu)
{
	struct rb_meta *meta = cpu->meta;
	u32 slot;

	for (slot = 0; slot < meta->nr_slots; slot++)
		atomic64_set(&meta->slots[slot].in_slot, rb_slot(0, slot + 1));
	rb_ring_start(cpu);
	rb_meta_now(cpu);
}

/*
 * How far this kernel is from the one that wrote what was found. The first CPU
 * tells, that of the boot. Another that was off line then may have events of a boot
 * before, to which this does not apply.
 */
static void rb_compare_kernels(struct rb_cpu *cpu, struct rb_notes notes)
{
	long text = rb_meta_text_delta(cpu->meta), data = rb_meta_data_delta(cpu->meta);
	struct trace_buffer *buffer = cpu->buffer;
	unsigned long events = rb_committed(cpu);

	if (!buffer->last_seen) {
		buffer->last_text_delta = text;
		buffer->last_data_delta = data;
	}
	if (!events) {
		rb_meta_now(cpu);
		return;
	}
	if (!rb_meta_is_of_this_build(cpu->meta) || text != buffer->last_text_delta)
		WRITE_ONCE(buffer->last_other, true);
	WRITE_ONCE(buffer->last_boot, true);
	pr_info("ring buffer of CPU %d: %lu events of the last boot\n", cpu->cpu,
		events - notes.events);
	if (notes.damaged)
		pr_warn("ring buffer of CPU %d: %u of %u sub-buffers of the last boot are damaged or unfinished\n",
			cpu->cpu, notes.damaged, cpu->tables.nr_slots + 1);
}

/**
 * rb_meta_start - take over what the kernel before has written
 * @cpu: the ring, with tables made of its meta
 */
void rb_meta_start(struct rb_cpu *cpu)
{
	size_t nr = cpu->tables.nr_slots + 1;
	struct rb_found *found = kvcalloc(nr, sizeof(*found), GFP_KERNEL);
	bool valid = found && !cpu->buffer->this_boot && rb_look(cpu, found);

	rb_meta_distrust(cpu);
	if (valid)
		rb_compare_kernels(cpu, rb_fill(cpu, found));
	else
		rb_start_empty(cpu);
	cpu->buffer->last_seen = true;
	rb_meta_reader(cpu);
	rb_meta_trust(cpu);
	kvfree(found);
}

/**
 * ring_buffer_last_boot_delta - how far the kernel moved since the last boot
 * @buffer: the buffer, or NULL
 * @text: where to store by how much functions did
 * @data: where to store by how much variables did
 *
 * Return: is there something of the last boot, and was it elsewhere?
 */
bool ring_buffer_last_boot_delta(struct trace_buffer *buffer, long *text, long *data)
{
	if (!buffer || !buffer->last_text_delta)
		return false;
	*text = buffer->last_text_delta;
	*data = buffer->last_data_delta;
	return true;
}

/**
 * ring_buffer_has_last_boot - may there be events of an earlier boot?
 * @buffer: the buffer
 *
 * Return: false from ring_buffer_reset() on, and if there never were any.
 */
bool ring_buffer_has_last_boot(struct trace_buffer *buffer)
{
	return READ_ONCE(buffer->last_boot);
}

/**
 * ring_buffer_has_other_build - may there be events of another kernel?
 * @buffer: the buffer
 *
 * No address in them means anything in this one, and neither does the difference
 * that ring_buffer_last_boot_delta() tells. The same holds if two CPUs have events
 * of different boots.
 *
 * Return: as ring_buffer_has_last_boot().
 */
bool ring_buffer_has_other_build(struct trace_buffer *buffer)
{
	return READ_ONCE(buffer->last_other);
}
