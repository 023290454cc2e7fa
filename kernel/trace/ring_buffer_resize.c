// SPDX-License-Identifier: GPL-2.0
/*
 * Ring buffer: more or fewer sub-buffers, or other ones.
 *
 * The ring is rebuilt on its own CPU with interrupts off, and recording
 * disabled for NMIs: there is no writer, and the lock keeps readers out. All
 * that takes time or can fail is done before and after.
 */
#include <linux/cpu.h>
#include <linux/errno.h>
#include <linux/export.h>
#include <linux/mm.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <linux/workqueue.h>

#include "ring_buffer_impl.h"

/**
 * struct rb_resize - a ring that is resized
 * @cpu:	the ring
 * @tables:	what it will have, with those sub-buffers that are added;
 *		afterwards what it had, with those that it has no longer
 * @tail:	what will be the tail
 */
struct rb_resize {
	struct rb_cpu		*cpu;
	struct rb_tables	tables;
	struct rb_use		*tail;
};

/*
 * The sub-buffers of the ring with events that were not taken, from *@slot
 * in *@lap on. Counted along the ring, as positions may go round meanwhile.
 */
static u32 rb_filled_slots(struct rb_cpu *cpu, u32 *slot, u32 *lap)
{
	struct rb_use *tail = cpu->tail;
	u32 behind;

	*slot = cpu->reader.slot;
	*lap = cpu->reader.lap;
	if (tail == rb_before(cpu) || tail == cpu->reader.use)
		return 0;
	rb_oldest(cpu, slot, lap);
	behind = rb_use_lap(cpu, tail) - *lap;
	return behind * cpu->tables.nr_slots + rb_page_of(tail)->slot - *slot + 1;
}

/* The next sub-buffer out of the old ring. */
static struct rb_page *rb_next_page(struct rb_cpu *cpu, u32 *slot, u32 *lap)
{
	struct rb_page *page;

	page = rb_slot_page(cpu, rb_slot_read(cpu, *slot));
	rb_slot_next(cpu, slot, lap);
	return page;
}

static void rb_lose_page(struct rb_cpu *cpu, struct rb_page *page, u32 lap)
{
	local_add(local_read(&page->use[lap & 1].entries), &cpu->overrun);
	local_add(page->end, &cpu->lost_bytes);
	local_inc(&cpu->evicted);
}

/*
 * @to takes the memory of @from, which is left without, and as its use number
 * @i that one of @from, with its events, if there is one.
 */
static void rb_take_page(struct rb_resize *resize, struct rb_page *to, struct rb_page *from,
			 unsigned int i, struct rb_use *use)
{
	rb_page_set_subbuf(resize->cpu, to, rb_page_subbuf(resize->cpu, from));
	if (use)
		to->use[i] = *use;
	if (use && resize->cpu->tail == use)
		resize->tail = &to->use[i];
	to->slot = from->slot;
	to->end = from->end;
	from->use[0].base = 0;
}

/* @to, for @slot of the new ring, takes over @page, with the events that it has. */
static void rb_keep_events(struct rb_resize *resize, struct rb_page *to, struct rb_page *page,
			   u32 slot, u32 lap)
{
	struct rb_cpu *cpu = resize->cpu;
	u32 round = resize->tables.nr_slots * cpu->size;

	rb_take_page(resize, to, page, 0, &page->use[lap & 1]);
	to->slot = slot;
	rb_use_ready(&to->use[1], rb_use_subbuf(cpu, &to->use[0]),
		     rb_use_tag(cpu, &to->use[0]) + round, rb_room(cpu));
}

/*
 * Put what is in the old ring into the new one, from slot 0 and lap 0 on: what
 * has events, oldest first, and then what is free. If it does not all fit, free
 * ones are removed, and then the oldest. Returns how many have events.
 */
static u32 rb_move_pages(struct rb_resize *resize)
{
	struct rb_tables *new = &resize->tables;
	struct rb_cpu *cpu = resize->cpu;
	u32 slot, lap, filled, lose, old, in_lap, kept = 0;
	struct rb_page *page;

	filled = rb_filled_slots(cpu, &slot, &lap);
	lose = filled - min(filled, new->nr_slots);
	for (old = 0; old < cpu->tables.nr_slots; old++) {
		in_lap = lap;
		page = rb_next_page(cpu, &slot, &lap);
		if (old < lose) {
			rb_lose_page(cpu, page, in_lap);
		} else if (old < filled) {
			rb_keep_events(resize, rb_page_at(new, kept + 1), page, kept, in_lap);
			kept++;
		} else if (kept < new->nr_slots) {
			rb_take_page(resize, rb_page_at(new, ++kept), page, 0, NULL);
		}
	}
	return filled - lose;
}

/*
 * The reader's sub-buffer. If the tail is not in the ring, it is there, or there
 * is none: it is to be as if in the slot before the first, of an odd lap.
 */
static void rb_move_reader(struct rb_resize *resize, bool tail)
{
	struct rb_page *to = rb_page_at(&resize->tables, 0);
	struct rb_cpu *cpu = resize->cpu;
	struct rb_page *page = cpu->reader.page;
	struct rb_use *use = NULL;

	if (cpu->reader.use != rb_before(cpu))
		use = cpu->reader.use;
	else if (rb_page_of(cpu->tail) == page)
		use = cpu->tail;
	rb_take_page(resize, to, page, 1, use);
	if (tail)
		rb_page_of(resize->tail)->slot = resize->tables.nr_slots - 1;
	if (cpu->reader.use != rb_before(cpu))
		cpu->reader.use = &to->use[1];
	cpu->reader.page = to;
	cpu->reader.index = 0;
}

/* From slot @from on, all is free. Positions follow those of the tail. */
static void rb_free_slots(struct rb_resize *resize, u32 from)
{
	struct rb_tables *new = &resize->tables;
	struct rb_cpu *cpu = resize->cpu;
	u32 tag = rb_use_tag(cpu, resize->tail), slot;

	for (slot = from; slot < new->nr_slots; slot++) {
		struct rb_page *page = rb_page_at(new, slot + 1);
		struct rb_subbuf *subbuf = rb_page_subbuf(cpu, page);

		tag += cpu->size;
		rb_use_ready(&page->use[0], subbuf, tag, rb_room(cpu));
		page->slot = slot;
		local_set(&subbuf->commit, 0);
	}
}

static void rb_rebuild(struct rb_resize *resize)
{
	struct rb_tables *new = &resize->tables;
	struct rb_cpu *cpu = resize->cpu;
	u32 filled;

	resize->tail = cpu->tail;
	filled = rb_move_pages(resize);
	rb_move_reader(resize, !filled);
	rb_free_slots(resize, filled);
	WRITE_ONCE(cpu->tail, resize->tail);
	cpu->reader.slot = 0;
	cpu->reader.lap = 0;
	cpu->reader.turn++;
	swap(cpu->tables, *new);
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
		rb_rebuild(resize);
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
	/* the memory that there is need not be made */
	return rb_tables_alloc(cpu, new, min(has, nr_slots) + 1);
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
			rb_resize_on_cpu(&all[cpu]);
			any = true;
		}
		cond_resched();
	}
	/* who counts the events may have seen the old tail */
	if (any)
		synchronize_rcu();
	/* what is left over, whether it was resized or not */
	for_each_buffer_cpu(buffer, cpu)
		rb_tables_free(rb_cpu_of(buffer, cpu), &all[cpu].tables);
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
	/* no CPU comes or goes meanwhile */
	cpus_read_lock();
	mutex_lock(&buffer->mutex);
	atomic_inc(&buffer->resizing);
	/* who swaps rings has interrupts off: those that are here are so until the end */
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

/* The ring begins anew with other sub-buffers. No one writes. */
static void rb_exchange_tables(struct rb_cpu *cpu, struct rb_tables *tables)
{
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
		/* those who write have begun before */
		synchronize_rcu();
		WRITE_ONCE(buffer->order, order);
		buffer->max_data = rb_subbuf_room(order) - RB_HEADER - RB_WORD;
	}
	for_each_buffer_cpu(buffer, cpu)
		if (done)
			rb_exchange_tables(rb_cpu_of(buffer, cpu), &all[cpu]);
	/* who was about to begin an event may have seen the old tail */
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
