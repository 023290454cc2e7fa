// SPDX-License-Identifier: GPL-2.0
/* Ring buffer: its memory, and its state when nothing is in it. */
#include <linux/cache.h>
#include <linux/gfp.h>
#include <linux/mm.h>
#include <linux/oom.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/topology.h>

#include "ring_buffer_impl.h"
#include "ring_buffer_persist.h"

#define RB_GFP		(GFP_KERNEL | __GFP_RETRY_MAYFAIL)

/*
 * Sub-buffers in the ring for @size bytes of events; the reader's is one more.
 * 0: more than rb_find_slot() can count.
 */
unsigned long rb_nr_slots(struct trace_buffer *buffer, unsigned long size)
{
	unsigned long room = rb_subbuf_room(buffer->order), nr_slots;

	nr_slots = size / room + !!(size % room);
	return nr_slots > S32_MAX ? 0 : max(nr_slots, 2UL);
}

static void rb_page_init(struct rb_page *page, struct rb_subbuf *subbuf,
			 unsigned int order, u32 index)
{
	int i;

	page->subbuf = subbuf;
	page->order = order;
	page->index = index;
	for (i = 0; i < 2; i++) {
		page->use[i].page = page;
		page->use[i].data = subbuf->data;
		page->use[i].room = rb_subbuf_room(order);
	}
}

/* A sub-buffer of @cpu, number @index of its pages. */
static struct rb_page *rb_page_alloc(struct rb_cpu *cpu, unsigned int order, u32 index)
{
	struct rb_page *page;
	struct page *memory;

	page = kzalloc_node(sizeof(*page), RB_GFP, cpu_to_node(cpu->cpu));
	if (!page)
		return NULL;
	if (cpu->meta) {
		page->range = true;
		rb_page_init(page, rb_meta_subbuf(cpu->meta, index), order, index);
		return page;
	}
	memory = alloc_pages_node(cpu_to_node(cpu->cpu),
				  RB_GFP | __GFP_COMP | __GFP_ZERO, order);
	if (!memory) {
		kfree(page);
		return NULL;
	}
	rb_page_init(page, page_address(memory), order, index);
	return page;
}

void rb_page_free(struct rb_page *page)
{
	if (!page)
		return;
	if (!page->range)
		free_pages((unsigned long)page->subbuf, page->order);
	kfree(page);
}

static void rb_use_before(struct rb_cpu *cpu)
{
	struct rb_use *use = &cpu->before;

	use->room = rb_subbuf_room(cpu->tables.order);
	rb_use_ready(use, -cpu->size, cpu->tables.nr_slots - 1, -1);
	use->commit += use->room;
	use->end = 0;
}

/* The frames stay: those who are refused have one, and give it back. */
static void rb_start_writer(struct rb_cpu *cpu)
{
	cpu->tail = &cpu->before;
	cpu->word = rb_word(cpu->before.commit, 0);
	cpu->fast = NULL;
	cpu->limit = 0;
	memset(cpu->ahead, 0, sizeof(cpu->ahead));
	cpu->far = 0;
	local_set(&cpu->entries, 0);
	local_set(&cpu->overrun, 0);
	local_set(&cpu->bytes, 0);
	local_set(&cpu->lost_bytes, 0);
	local_set(&cpu->commit_overrun, 0);
	local_set(&cpu->dropped, 0);
	local_set(&cpu->touched, 0);
	local_set(&cpu->evicted, 0);
}

static void rb_start_reader(struct rb_cpu *cpu)
{
	struct rb_reader *reader = &cpu->reader;

	local_set(&reader->page->subbuf->commit, 0);
	reader->use = &cpu->before;
	reader->read = 0;
	reader->slot = 0;
	reader->lap = 0;
	reader->time = 0;
	reader->overrun = 0;
	reader->lost = 0;
	reader->turn++;
	cpu->read_events = 0;
	cpu->read_bytes = 0;
	cpu->taken = 0;
	cpu->watermark = 0;
}

/*
 * All sub-buffers are free, in the order in which they are in the slots. It is
 * as if a sub-buffer before the first were full and read up, so that the first
 * event is nothing special.
 *
 * Context: no writer on, and no reader of, @cpu.
 */
void rb_ring_start(struct rb_cpu *cpu)
{
	atomic64_t *slots = cpu->tables.slots;
	struct rb_page *page;
	u32 slot;

	cpu->size = PAGE_SIZE << cpu->tables.order;
	for (slot = 0; slot < cpu->tables.nr_slots; slot++) {
		page = rb_slot_page(cpu, atomic64_read(&slots[slot]));
		atomic64_set(&slots[slot], rb_slot(0, page->index));
		rb_use_ready(&page->use[0], slot * cpu->size, slot, 0);
		local_set(&page->subbuf->commit, 0);
	}
	rb_use_before(cpu);
	rb_start_writer(cpu);
	rb_start_reader(cpu);
}

static bool rb_alloc_pages(struct rb_cpu *cpu, struct rb_tables *tables, u32 from)
{
	u32 i;

	for (i = from; i <= tables->nr_slots; i++) {
		tables->pages[i] = rb_page_alloc(cpu, tables->order, i);
		if (!tables->pages[i])
			return false;
		if (current->mm && fatal_signal_pending(current))
			return false;
	}
	return true;
}

/* Ask before asking for much: do not first take all there is. */
static bool rb_may_alloc(struct rb_cpu *cpu, struct rb_tables *tables)
{
	return cpu->meta ||
	       si_mem_available() >= (unsigned long)tables->nr_slots << tables->order;
}

/**
 * rb_tables_alloc - the sub-buffers of a ring
 * @cpu: whose ring
 * @tables: how many, and of what order, to be filled in
 * @from: number of the first to make
 *
 * All are free, number 0 is the reader's and the others are in the ring.
 *
 * Context: may sleep.
 * Return: is all there? If not, rb_tables_free() has what is.
 */
bool rb_tables_alloc(struct rb_cpu *cpu, struct rb_tables *tables, u32 from)
{
	bool user = current->mm, done;
	u32 slot;

	if (!rb_may_alloc(cpu, tables))
		return false;
	tables->pages = kvcalloc(tables->nr_slots + 1, sizeof(*tables->pages), RB_GFP);
	tables->slots = cpu->meta ? rb_meta_slots(cpu->meta) :
		kvcalloc(tables->nr_slots, sizeof(*tables->slots), RB_GFP);
	if (!tables->pages || !tables->slots)
		return false;
	/* rather this task than one that has nothing to do with it */
	if (user)
		set_current_oom_origin();
	done = rb_alloc_pages(cpu, tables, from);
	if (user)
		clear_current_oom_origin();
	for (slot = 0; done && !cpu->meta && slot < tables->nr_slots; slot++)
		atomic64_set(&tables->slots[slot], rb_slot(0, slot + 1));
	return done;
}

void rb_tables_free(struct rb_cpu *cpu, struct rb_tables *tables)
{
	u32 i;

	for (i = 0; tables->pages && i <= tables->nr_slots; i++)
		rb_page_free(tables->pages[i]);
	kvfree(tables->pages);
	if (!cpu->meta)
		kvfree(tables->slots);
}

/**
 * rb_cpu_alloc - the ring of a CPU
 * @buffer: whose
 * @nr_slots: sub-buffers in the ring, at least 2
 * @cpu_nr: the CPU
 *
 * Context: may sleep.
 * Return: the ring, empty or with what the boot before left, or NULL.
 */
struct rb_cpu *rb_cpu_alloc(struct trace_buffer *buffer, unsigned long nr_slots, int cpu_nr)
{
	struct rb_cpu *cpu;

	cpu = kzalloc_node(ALIGN(sizeof(*cpu), cache_line_size()), GFP_KERNEL,
			   cpu_to_node(cpu_nr));
	if (!cpu)
		return NULL;
	cpu->cpu = cpu_nr;
	cpu->buffer = buffer;
	cpu->meta = rb_meta_of(buffer, cpu_nr);
	raw_spin_lock_init(&cpu->reader_lock);
	lockdep_set_class(&cpu->reader_lock, buffer->lock_key);
	mutex_init(&cpu->mapping_lock);
	rb_waiters_init(&cpu->waiters, true);

	cpu->tables.nr_slots = nr_slots;
	cpu->tables.order = buffer->order;
	if (cpu->meta)
		rb_meta_prepare(cpu);
	if (!rb_tables_alloc(cpu, &cpu->tables, 0)) {
		rb_cpu_free(cpu);
		return NULL;
	}
	cpu->reader.page = cpu->tables.pages[0];
	/* the first event looks for who waits for one of any CPU */
	cpu->wake_all = true;
	if (!cpu->meta) {
		rb_ring_start(cpu);
		return cpu;
	}
	/* not to be resized, swapped or given away */
	cpu->mapped = 1;
	cpu->live = true;
	atomic_inc(&cpu->resize_disabled);
	rb_meta_start(cpu);
	return cpu;
}

void rb_cpu_free(struct rb_cpu *cpu)
{
	irq_work_sync(&cpu->waiters.work);
	rb_tables_free(cpu, &cpu->tables);
	rb_spare_free(cpu->spare);
	kfree(cpu);
}
