// SPDX-License-Identifier: GPL-2.0
/*
 * Ring buffer: more or fewer sub-buffers, or other ones.
 *
 * A larger or smaller ring has tables of its own. They are filled in while writers
 * and readers go on, and then take the place of the old ones on the ring's CPU with
 * interrupts off, and recording disabled for NMIs: there is no writer then, and the
 * lock keeps readers out. Changes up to that moment are caught up with before the
 * exchange; they are few, however large the ring is.
 *
 * *Positions* count sub-buffers along the old ring, from what was the oldest one when
 * we began; both rings, tags and laps follow from them. The old ring has nr_slots of
 * them, from the oldest that no reader has on; the new one is to have as many as it
 * has slots, and the last that have events. As the old ring goes on, positions leave
 * at one end and enter at the other. The slot of the new ring that one leaves is that
 * of the one which enters, so that nothing else is to be moved.
 *
 * Data read from a position that the old ring no longer has may be nonsense. That
 * position will have left the new ring, too, before the new ring is put to use.
 */
#include <linux/cpu.h>
#include <linux/errno.h>
#include <linux/export.h>
#include <linux/mm.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/workqueue.h>

#include "ring_buffer_impl.h"

/* So few sub-buffers may be left to do with interrupts off. */
#define RB_RESIZE_FEW	16
/* Copying is much faster than writing. */
#define RB_RESIZE_TURNS	10

/**
 * struct rb_sum - what is in the sub-buffers before a position
 * @entries:	events
 * @bytes:	their bytes
 */
struct rb_sum {
	unsigned long		entries;
	unsigned long		bytes;
};

/**
 * struct rb_resize - a ring that is resized
 * @cpu:	the ring
 * @tables:	what it will have, with those sub-buffers that are added;
 *		afterwards what it had, with those that it has no longer
 * @slot:	the slot of position 0 in the old ring
 * @lap:	its lap
 * @tag:	its tag
 * @oldest:	first position that the old ring has
 * @first:	first position that the new ring has
 * @copied:	up to here, the events of the new ring's positions are in it
 * @sum:	what is before @copied
 * @sums:	the same, of each position that the old ring has; if some may be lost
 * @reader:	number of the old ring's sub-buffer that the reader had
 * @done:	the tables have changed places
 */
struct rb_resize {
	struct rb_cpu		*cpu;
	struct rb_tables	tables;
	u32			slot;
	u32			lap;
	u32			tag;
	u32			oldest;
	u32			first;
	u32			copied;
	struct rb_sum		sum;
	struct rb_sum		*sums;
	u32			reader;
	bool			done;
};

/* The old ring's tables. */
static struct rb_tables *rb_old_tables(struct rb_resize *resize)
{
	return resize->done ? &resize->tables : &resize->cpu->tables;
}

static struct rb_tables *rb_new_tables(struct rb_resize *resize)
{
	return resize->done ? &resize->cpu->tables : &resize->tables;
}

/* What the old ring has at @position, and the lap that it is of; a later one: it is gone. */
static u64 rb_old_value(struct rb_resize *resize, u32 position, u32 *lap)
{
	struct rb_tables *old = rb_old_tables(resize);
	u32 at = resize->slot + position;

	*lap = resize->lap + at / old->nr_slots;
	return atomic64_read(rb_slot_at(old, at % old->nr_slots));
}

static struct rb_page *rb_old_page(struct rb_resize *resize, u32 position)
{
	u32 lap;

	return rb_page_at(rb_old_tables(resize), (u32)rb_old_value(resize, position, &lap));
}

static struct rb_subbuf *rb_old_subbuf(struct rb_resize *resize, u32 position)
{
	return rb_page_subbuf(resize->cpu, rb_old_page(resize, position));
}

/* The new ring has number n + 1 in slot n. */
static struct rb_page *rb_new_page(struct rb_resize *resize, u32 position)
{
	struct rb_tables *new = &resize->tables;

	return rb_page_at(new, position % new->nr_slots + 1);
}

static struct rb_use *rb_new_use(struct rb_resize *resize, u32 position)
{
	u32 lap = position / resize->tables.nr_slots;

	return &rb_new_page(resize, position)->use[lap & 1];
}

/* The new ring has @subbuf at @position, free. */
static void rb_place(struct rb_resize *resize, u32 position, struct rb_subbuf *subbuf)
{
	struct rb_tables *new = &resize->tables;
	struct rb_page *page = rb_new_page(resize, position);
	u32 lap = position / new->nr_slots;
	u32 tag = resize->tag + position * resize->cpu->size;

	rb_use_ready(&page->use[lap & 1], subbuf, tag);
	rb_use_ready(&page->use[~lap & 1], subbuf, tag + new->nr_slots * resize->cpu->size);
	page->slot = position % new->nr_slots;
	page->end = 0;
	atomic64_set(rb_slot_at(new, page->slot), rb_slot(lap, page->slot + 1));
}

/*
 * The new ring's first position leaves it, and one enters. Of a larger ring, the
 * old one has another position then, too, which had an added sub-buffer so far.
 */
static void rb_shift(struct rb_resize *resize)
{
	u32 has = rb_old_tables(resize)->nr_slots, nr_slots = resize->tables.nr_slots;
	u32 first = resize->first++;
	struct rb_subbuf *added;

	if (nr_slots < has) {
		rb_place(resize, first + nr_slots, rb_old_subbuf(resize, first + nr_slots));
		return;
	}
	added = rb_page_subbuf(resize->cpu, rb_new_page(resize, first + has));
	rb_place(resize, first + has, rb_old_subbuf(resize, first + has));
	rb_place(resize, first + nr_slots, added);
}

/* Copy the events at the next position, the last that the new ring has or behind it. */
static void rb_copy_use(struct rb_resize *resize, struct rb_use *from)
{
	u32 position = resize->copied++, entries = local_read(&from->entries);
	u32 end = READ_ONCE(rb_page_of(from)->end);
	struct rb_use *to;

	if (position - resize->first >= resize->tables.nr_slots)
		rb_shift(resize);
	to = rb_new_use(resize, position);
	to->commit = READ_ONCE(from->commit);
	local_set(&to->entries, entries);
	rb_page_of(to)->end = end;
	resize->sum.entries += entries;
	resize->sum.bytes += end;
}

static struct rb_sum *rb_sum_at(struct rb_resize *resize, u32 position)
{
	return &resize->sums[position % (rb_old_tables(resize)->nr_slots + 1)];
}

static void rb_note_sum(struct rb_resize *resize)
{
	if (resize->sums)
		*rb_sum_at(resize, resize->copied) = resize->sum;
}

/* Where the old ring begins now. Context: reader_lock held. */
static void rb_note_oldest(struct rb_resize *resize)
{
	struct rb_cpu *cpu = resize->cpu;
	u32 slot = cpu->reader.slot, lap = cpu->reader.lap;

	rb_oldest(cpu, &slot, &lap);
	resize->oldest = (lap - resize->lap) * cpu->tables.nr_slots + slot - resize->slot;
}

/* The new ring must not have positions that the old one no longer has. */
static void rb_follow_oldest(struct rb_resize *resize)
{
	while ((s32)(resize->oldest - resize->first) > 0)
		rb_shift(resize);
	if ((s32)(resize->oldest - resize->copied) > 0) {
		resize->copied = resize->oldest;
		rb_note_sum(resize);
	}
}

/* Position 0 is what is oldest now; nothing is copied. */
static void rb_resize_begin(struct rb_resize *resize)
{
	struct rb_cpu *cpu = resize->cpu;
	unsigned long flags;
	u64 value;

	raw_spin_lock_irqsave(&cpu->reader_lock, flags);
	resize->slot = cpu->reader.slot;
	resize->lap = cpu->reader.lap;
	do {
		value = rb_oldest(cpu, &resize->slot, &resize->lap);
		resize->tag = rb_use_tag(cpu, rb_slot_use(cpu, value));
		/*
		 * LMM(rb_resize_begin:A) pairs with LMM(rb_claim:A): if the use was made
		 * ready anew, the slot has moved on
		 */
		smp_rmb();
	} while (rb_slot_read(cpu, resize->slot) != value);
	raw_spin_unlock_irqrestore(&cpu->reader_lock, flags);
}

/* Free sub-buffers for all positions of the new ring: the old ring's, and added ones. */
static void rb_place_all(struct rb_resize *resize)
{
	u32 has = resize->cpu->tables.nr_slots, position;

	for (position = 0; position < resize->tables.nr_slots; position++) {
		rb_place(resize, position, position < has ? rb_old_subbuf(resize, position) :
			 rb_page_subbuf(resize->cpu, rb_new_page(resize, position)));
		cond_resched();
	}
}

/* Copy what is closed, as far as the old ring goes. Returns how much that was. */
static u32 rb_copy_closed(struct rb_resize *resize)
{
	struct rb_cpu *cpu = resize->cpu;
	u32 from = resize->copied, lap;
	struct rb_use *use;
	bool closed;
	u64 value;

	while (resize->copied - resize->oldest < cpu->tables.nr_slots) {
		value = rb_old_value(resize, resize->copied, &lap);
		use = rb_slot_use(cpu, value);
		rb_use_size(cpu, use, &closed);
		/* of one that is gone, the other use is looked at, and not used */
		if (rb_slot_lap(value) == lap && !closed)
			break;
		rb_copy_use(resize, use);
		rb_note_sum(resize);
		cond_resched();
	}
	return resize->copied - from;
}

/* Fill in the new tables, as far as that can be done while the old ones are in use. */
static void rb_resize_copy(struct rb_resize *resize)
{
	struct rb_cpu *cpu = resize->cpu;
	int turns = RB_RESIZE_TURNS;
	unsigned long flags;

	rb_resize_begin(resize);
	rb_place_all(resize);
	do {
		raw_spin_lock_irqsave(&cpu->reader_lock, flags);
		rb_note_oldest(resize);
		raw_spin_unlock_irqrestore(&cpu->reader_lock, flags);
		rb_follow_oldest(resize);
	} while (rb_copy_closed(resize) > RB_RESIZE_FEW && --turns);
}

/* The sub-buffers of the ring with events that were not taken. */
static u32 rb_filled_slots(struct rb_resize *resize)
{
	struct rb_cpu *cpu = resize->cpu;
	struct rb_use *tail = cpu->tail;
	u32 laps;

	if (tail == rb_before(cpu) || tail == cpu->reader.use ||
	    rb_page_of(tail) == cpu->reader.page)
		return 0;
	laps = rb_use_lap(cpu, tail) - resize->lap;
	return laps * cpu->tables.nr_slots + rb_page_of(tail)->slot - resize->slot -
	       resize->oldest + 1;
}

/* If the ring gets smaller, its oldest events are lost. */
static void rb_lose_first(struct rb_resize *resize)
{
	struct rb_cpu *cpu = resize->cpu;
	struct rb_sum *from, *to;

	if (resize->first == resize->oldest)
		return;
	from = rb_sum_at(resize, resize->oldest);
	to = rb_sum_at(resize, resize->first);
	local_add(to->entries - from->entries, &cpu->overrun);
	local_add(to->bytes - from->bytes, &cpu->lost_bytes);
	local_add(resize->first - resize->oldest, &cpu->evicted);
}

/*
 * The reader's sub-buffer. If the tail is not in the ring, it is there, or there
 * is none: it is to be as if in the slot before the first. Returns it for that case.
 */
static struct rb_use *rb_move_reader(struct rb_resize *resize)
{
	u32 nr_slots = resize->tables.nr_slots, slot = resize->first % nr_slots;
	u32 lap = resize->first / nr_slots - !slot;
	struct rb_page *to = rb_page_at(&resize->tables, 0);
	struct rb_use *use = &to->use[lap & 1];
	struct rb_cpu *cpu = resize->cpu;
	struct rb_page *page = cpu->reader.page;
	struct rb_use *tail = cpu->tail;

	resize->reader = cpu->reader.index;
	rb_page_set_subbuf(cpu, to, rb_page_subbuf(cpu, page));
	to->slot = (slot ?: nr_slots) - 1;
	to->end = page->end;
	if (cpu->reader.use != rb_before(cpu)) {
		*use = *cpu->reader.use;
		cpu->reader.use = use;
	} else if (rb_page_of(tail) == page) {
		*use = *tail;
	}
	cpu->reader.page = to;
	cpu->reader.index = 0;
	if (tail != rb_before(cpu))
		return use;
	/* of an odd lap: nothing was ever written, and the first position is 0 */
	cpu->before.slot = to->slot;
	return tail;
}

/* The new tables replace the old ones. There is no writer and no reader. */
static void rb_resize_end(struct rb_resize *resize)
{
	u32 nr_slots = resize->tables.nr_slots, end, lap;
	struct rb_cpu *cpu = resize->cpu;
	struct rb_use *tail;

	rb_note_oldest(resize);
	rb_follow_oldest(resize);
	end = resize->oldest + rb_filled_slots(resize);
	while (resize->copied != end) {
		rb_copy_use(resize, rb_slot_use(cpu, rb_old_value(resize, resize->copied, &lap)));
		rb_note_sum(resize);
	}
	rb_lose_first(resize);
	tail = rb_move_reader(resize);
	if (end != resize->oldest)
		tail = rb_new_use(resize, end - 1);
	WRITE_ONCE(cpu->tail, tail);
	/* or it would be a use of tables that are made where those were */
	WRITE_ONCE(cpu->closing, NULL);
	cpu->reader.slot = resize->first % nr_slots;
	cpu->reader.lap = resize->first / nr_slots;
	cpu->reader.turn++;
	swap(cpu->tables, resize->tables);
	resize->done = true;
}

/* On the CPU of the ring, or that is offline. */
static long rb_resize_here(void *data)
{
	struct rb_resize *resize = data;
	struct rb_cpu *cpu = resize->cpu;
	unsigned long flags;

	raw_spin_lock_irqsave(&cpu->reader_lock, flags);
	atomic_inc(&cpu->record_disabled);
	rb_shut_cpu(cpu);
	if (!RB_BROKEN(cpu, rb_busy(cpu)))
		rb_resize_end(resize);
	/* LMM(rb_resize_here:A): an NMI that may write finds the new tables whole */
	barrier();
	atomic_dec(&cpu->record_disabled);
	raw_spin_unlock_irqrestore(&cpu->reader_lock, flags);
	return 0;
}

static void rb_resize_on_cpu(struct rb_resize *resize)
{
	int cpu = resize->cpu->cpu;
	bool here;

	/* early in the boot, there is no one else to do it */
	migrate_disable();
	here = cpu == smp_processor_id() || !cpu_online(cpu);
	if (here)
		rb_resize_here(resize);
	migrate_enable();
	if (!here)
		work_on_cpu(cpu, rb_resize_here, resize);
}

/* All that is needed to give @cpu a ring of @nr_slots. */
static bool rb_resize_prepare(struct rb_resize *resize, struct rb_cpu *cpu, u32 nr_slots)
{
	u32 has = cpu->tables.nr_slots;
	struct rb_tables *new = &resize->tables;

	resize->cpu = cpu;
	new->nr_slots = nr_slots;
	new->order = cpu->tables.order;
	if (nr_slots < has)
		resize->sums = kvcalloc(has + 1UL, sizeof(*resize->sums), GFP_KERNEL);
	if (nr_slots < has && !resize->sums)
		return false;
	/* the memory that there is need not be made */
	return rb_tables_alloc(cpu, new, min(has, nr_slots) + 1);
}

/*
 * Free what is left over, whether the ring was resized or not: but not the memory
 * that is in both tables, and is the ring's.
 */
static void rb_resize_free(struct rb_resize *resize)
{
	u32 end, position, has, nr_slots;
	struct rb_page *page;

	kvfree(resize->sums);
	if (!resize->tables.pages)
		return;
	has = rb_old_tables(resize)->nr_slots;
	nr_slots = rb_new_tables(resize)->nr_slots;
	end = min(resize->first + nr_slots, resize->oldest + has);
	for (position = resize->first; position != end; position++) {
		page = resize->done ? rb_old_page(resize, position) :
				      rb_new_page(resize, position);
		page->use[0].base = 0;
		cond_resched();
	}
	if (resize->done)
		rb_page_at(&resize->tables, resize->reader)->use[0].base = 0;
	rb_tables_free(resize->cpu, &resize->tables);
}

/* Is it one of the CPUs that are meant, and has it another size? */
static bool rb_to_resize(struct rb_cpu *cpu, int meant, u32 nr_slots)
{
	return (meant == RING_BUFFER_ALL_CPUS || meant == cpu->cpu) &&
	       cpu->tables.nr_slots != nr_slots;
}

static int rb_resize_all(struct trace_buffer *buffer, struct rb_resize *all, int meant,
			 u32 nr_slots)
{
	bool done = true, any = false;
	int cpu;

	for_each_buffer_cpu(buffer, cpu)
		if (rb_to_resize(rb_cpu_of(buffer, cpu), meant, nr_slots) &&
		    atomic_read(&rb_cpu_of(buffer, cpu)->resize_disabled))
			return -EBUSY;
	for_each_buffer_cpu(buffer, cpu)
		if (done && rb_to_resize(rb_cpu_of(buffer, cpu), meant, nr_slots))
			done = rb_resize_prepare(&all[cpu], rb_cpu_of(buffer, cpu), nr_slots);
	for_each_buffer_cpu(buffer, cpu) {
		if (done && all[cpu].cpu) {
			rb_resize_copy(&all[cpu]);
			rb_resize_on_cpu(&all[cpu]);
			any = true;
		}
		cond_resched();
	}
	/*
	 * LMM(rb_resize_all:A) pairs with preemption off: those who count the events and
	 * have seen the old tail are done
	 */
	if (any)
		synchronize_rcu();
	for_each_buffer_cpu(buffer, cpu)
		rb_resize_free(&all[cpu]);
	return done ? 0 : -ENOMEM;
}

/**
 * ring_buffer_resize - change the size of a buffer
 * @buffer: the buffer, or NULL
 * @size: bytes of events for each CPU; there is room for that many or more
 * @cpu_id: the CPU, or RING_BUFFER_ALL_CPUS
 *
 * Writers go on. If there is less room than events, the oldest are lost.
 *
 * Context: may sleep.
 * Return: 0, -ENOMEM, or -EBUSY if someone reads or maps the buffer.
 */
int ring_buffer_resize(struct trace_buffer *buffer, unsigned long size, int cpu_id)
{
	unsigned long nr_slots;
	struct rb_resize *all;
	int err = -ENOMEM;

	if (!buffer || (cpu_id != RING_BUFFER_ALL_CPUS && !rb_cpu_of(buffer, cpu_id)))
		return 0;
	/* no CPU goes online or offline meanwhile */
	cpus_read_lock();
	mutex_lock(&buffer->mutex);
	atomic_inc(&buffer->resizing);
	/*
	 * LMM(ring_buffer_resize:A) pairs with preemption off: swaps that have not seen
	 * that we resize are done
	 */
	synchronize_rcu();
	nr_slots = rb_nr_slots(buffer, size);
	all = kcalloc(nr_cpu_ids, sizeof(*all), GFP_KERNEL);
	if (all && nr_slots)
		err = rb_resize_all(buffer, all, cpu_id, nr_slots);
	kfree(all);
	atomic_dec(&buffer->resizing);
	mutex_unlock(&buffer->mutex);
	cpus_read_unlock();
	return err;
}
EXPORT_SYMBOL_GPL(ring_buffer_resize);

/* Sub-buffers of @order that have room for what the ring has room for. */
static u32 rb_slots_of_order(struct rb_cpu *cpu, unsigned int order)
{
	unsigned long room = (unsigned long)cpu->tables.nr_slots *
			     rb_subbuf_room(cpu->tables.order);

	return max(DIV_ROUND_UP(room, rb_subbuf_room(order)), 2UL);
}

/* The ring starts again with other sub-buffers. There is no writer. */
static void rb_exchange_tables(struct rb_cpu *cpu, struct rb_tables *tables)
{
	/* LMM(rb_exchange_tables:A) pairs with LMM(ring_buffer_free_read_page:A) */
	struct buffer_data_read_page *spare = xchg(&cpu->spare, NULL);
	unsigned long flags;

	raw_spin_lock_irqsave(&cpu->reader_lock, flags);
	swap(cpu->tables, *tables);
	cpu->reader.page = rb_page_at(&cpu->tables, 0);
	cpu->reader.index = 0;
	rb_ring_start(cpu);
	raw_spin_unlock_irqrestore(&cpu->reader_lock, flags);
	rb_spare_free(spare);
}

static int rb_change_order(struct trace_buffer *buffer, struct rb_tables *all,
			   unsigned int order)
{
	struct rb_cpu *ring;
	bool done = true;
	int cpu;

	for_each_buffer_cpu(buffer, cpu)
		if (atomic_read(&rb_cpu_of(buffer, cpu)->resize_disabled))
			return -EBUSY;
	for_each_buffer_cpu(buffer, cpu) {
		ring = rb_cpu_of(buffer, cpu);
		all[cpu].nr_slots = rb_slots_of_order(ring, order);
		all[cpu].order = order;
		done = done && rb_tables_alloc(ring, &all[cpu], 0);
	}
	if (done) {
		ring_buffer_record_disable(buffer);
		/*
		 * LMM(rb_change_order:A) pairs with preemption off: writers that have not
		 * seen that recording is disabled are done
		 */
		synchronize_rcu();
		WRITE_ONCE(buffer->order, order);
		buffer->max_data = rb_subbuf_room(order) - RB_HEADER - RB_WORD;
	}
	for_each_buffer_cpu(buffer, cpu)
		if (done)
			rb_exchange_tables(rb_cpu_of(buffer, cpu), &all[cpu]);
	/*
	 * LMM(rb_change_order:B) pairs with preemption off: those who are refused and
	 * have seen the old tail are done
	 */
	if (done)
		synchronize_rcu();
	for_each_buffer_cpu(buffer, cpu)
		rb_tables_free(rb_cpu_of(buffer, cpu), &all[cpu]);
	if (done)
		ring_buffer_record_enable(buffer);
	return done ? 0 : -ENOMEM;
}

/**
 * ring_buffer_subbuf_order_set - change the size of the sub-buffers
 * @buffer: the buffer
 * @order: pages in one, as a power of 2
 *
 * The size of the buffer stays about the same; the events in it are lost.
 *
 * Context: may sleep.
 * Return: 0, -EINVAL, -ENOMEM, or -EBUSY if someone reads or maps the buffer.
 */
int ring_buffer_subbuf_order_set(struct trace_buffer *buffer, int order)
{
	struct rb_tables *all;
	int err = -ENOMEM;

	if (!buffer || order < 0 || order > RB_MAX_ORDER)
		return -EINVAL;
	cpus_read_lock();
	mutex_lock(&buffer->mutex);
	all = kcalloc(nr_cpu_ids, sizeof(*all), GFP_KERNEL);
	if (buffer->order == order)
		err = 0;
	else if (all)
		err = rb_change_order(buffer, all, order);
	kfree(all);
	mutex_unlock(&buffer->mutex);
	cpus_read_unlock();
	return err;
}
EXPORT_SYMBOL_GPL(ring_buffer_subbuf_order_set);

/**
 * ring_buffer_subbuf_order_get - the size of the sub-buffers
 * @buffer: the buffer, or NULL
 *
 * Return: pages in one, as a power of 2, or -EINVAL if there is no buffer.
 */
int ring_buffer_subbuf_order_get(struct trace_buffer *buffer)
{
	return buffer ? buffer->order : -EINVAL;
}
EXPORT_SYMBOL_GPL(ring_buffer_subbuf_order_get);

/**
 * ring_buffer_subbuf_size_get - bytes of a sub-buffer
 * @buffer: the buffer
 *
 * Return: bytes, the header counted.
 */
int ring_buffer_subbuf_size_get(struct trace_buffer *buffer)
{
	return PAGE_SIZE << buffer->order;
}
EXPORT_SYMBOL_GPL(ring_buffer_subbuf_size_get);
