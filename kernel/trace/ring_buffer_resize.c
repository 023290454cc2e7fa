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
 *		afterwards what it had
 * @removed:	sub-buffers that it had and has no longer
 * @nr_removed:	how many
 */
struct rb_resize {
	struct rb_cpu		*cpu;
	struct rb_tables	tables;
	struct rb_page		**removed;
	u32			nr_removed;
};

/*
 * The sub-buffers of the ring with events that were not taken, from *@slot
 * in *@lap on. Counted along the ring, as positions may go round meanwhile.
 */
static u32 rb_filled_slots(struct rb_cpu *cpu, u32 *slot, u32 *lap)
{
	struct rb_use *tail = cpu->tail;

	*slot = cpu->reader.slot;
	*lap = cpu->reader.lap;
	if (tail == &cpu->before || tail == cpu->reader.use)
		return 0;
	rb_oldest(cpu, slot, lap);
	return (tail->lap - *lap) * cpu->tables.nr_slots + tail->slot - *slot + 1;
}

/* The next sub-buffer out of the old ring. */
static struct rb_page *rb_next_page(struct rb_cpu *cpu, u32 *slot, u32 *lap)
{
	struct rb_page *page;

	page = rb_slot_page(cpu, atomic64_read(&cpu->tables.slots[*slot]));
	rb_slot_next(cpu, slot, lap);
	return page;
}

/* The use of @page that is in lap 0 of the new ring has to be the first. */
static void rb_use_first(struct rb_cpu *cpu, struct rb_page *page, u32 lap)
{
	if (!(lap & 1))
		return;
	if (cpu->tail == &page->use[1])
		cpu->tail = &page->use[0];
	swap(page->use[0], page->use[1]);
}

static void rb_lose_page(struct rb_cpu *cpu, struct rb_page *page, u32 lap)
{
	struct rb_use *use = &page->use[lap & 1];

	local_add(local_read(&use->entries), &cpu->overrun);
	local_add(use->end, &cpu->lost_bytes);
	local_inc(&cpu->evicted);
}

/* The use of @page, with its events, is to be in @slot of the new ring. */
static void rb_keep_events(struct rb_resize *resize, struct rb_page *page, u32 slot, u32 lap)
{
	struct rb_use *use = &page->use[0];

	rb_use_first(resize->cpu, page, lap);
	use->slot = slot;
	use->lap = 0;
	rb_use_ready(&page->use[1], use->tag + resize->tables.nr_slots * resize->cpu->size,
		     slot, 1);
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
		if (old < lose)
			rb_lose_page(cpu, page, in_lap);
		else if (old < filled)
			rb_keep_events(resize, page, kept, in_lap);
		if (old < lose || kept == new->nr_slots)
			resize->removed[resize->nr_removed++] = page;
		else
			new->pages[++kept] = page;
	}
	return filled - lose;
}

/* From slot @from on, all is free. Positions follow those of the tail. */
static void rb_free_slots(struct rb_resize *resize, u32 from)
{
	struct rb_tables *new = &resize->tables;
	struct rb_cpu *cpu = resize->cpu;
	u32 tag = cpu->tail->tag, slot;

	if (!from) {
		/* the tail is not in the ring: the reader has it, or there is none */
		cpu->tail->slot = new->nr_slots - 1;
		cpu->tail->lap = -1;
	}
	for (slot = from; slot < new->nr_slots; slot++) {
		struct rb_page *page = new->pages[slot + 1];

		tag += cpu->size;
		rb_use_ready(&page->use[0], tag, slot, 0);
		local_set(&page->subbuf->commit, 0);
	}
}

static void rb_rebuild(struct rb_resize *resize)
{
	struct rb_tables *new = &resize->tables;
	struct rb_cpu *cpu = resize->cpu;
	u32 i;

	rb_free_slots(resize, rb_move_pages(resize));
	new->pages[0] = cpu->reader.page;
	for (i = 0; i <= new->nr_slots; i++) {
		new->pages[i]->index = i;
		if (i)
			atomic64_set(&new->slots[i - 1], rb_slot(0, i));
	}
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
	if (nr_slots < has)
		resize->removed = kvcalloc(has - nr_slots, sizeof(*resize->removed), GFP_KERNEL);
	else
		resize->removed = NULL;
	new->nr_slots = nr_slots;
	new->order = cpu->tables.order;
	/* those that there are need not be made */
	return (nr_slots >= has || resize->removed) &&
	       rb_tables_alloc(cpu, new, min(has, nr_slots) + 1);
}

/* What is left over, whether the ring was resized or not. */
static void rb_resize_finish(struct rb_resize *resize, bool done)
{
	if (!resize->cpu)
		return;
	if (done) {
		/* what was kept is in the new tables as well */
		memset(resize->tables.pages, 0,
		       (resize->tables.nr_slots + 1) * sizeof(*resize->tables.pages));
		while (resize->nr_removed)
			rb_page_free(resize->removed[--resize->nr_removed]);
	}
	rb_tables_free(resize->cpu, &resize->tables);
	kvfree(resize->removed);
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
	bool done = true;
	int cpu;

	for_each_buffer_cpu(buffer, cpu)
		if (rb_to_resize(rb_cpu_of(buffer, cpu), meant, nr_slots) &&
		    atomic_read(&rb_cpu_of(buffer, cpu)->resize_disabled))
			return -EBUSY;
	for_each_buffer_cpu(buffer, cpu)
		if (done && rb_to_resize(rb_cpu_of(buffer, cpu), meant, nr_slots))
			done = rb_resize_prepare(&all[cpu], rb_cpu_of(buffer, cpu), nr_slots);
	for_each_buffer_cpu(buffer, cpu) {
		if (done && all[cpu].cpu)
			rb_resize_on_cpu(&all[cpu]);
		rb_resize_finish(&all[cpu], done);
		cond_resched();
	}
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
	cpu->reader.page = cpu->tables.pages[0];
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
