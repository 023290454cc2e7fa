// SPDX-License-Identifier: GPL-2.0
/* Ring buffer: its memory. */
#include <linux/cache.h>
#include <linux/gfp.h>
#include <linux/log2.h>
#include <linux/mm.h>
#include <linux/oom.h>
#include <linux/overflow.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/topology.h>
#include <linux/vmalloc.h>

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

static struct rb_subbuf *rb_subbuf_alloc(struct rb_cpu *cpu, unsigned int order, u32 index)
{
	struct page *memory;

	if (cpu->meta)
		return rb_meta_subbuf(cpu->meta, index);
	memory = alloc_pages_node(cpu_to_node(cpu->cpu),
				  RB_GFP | __GFP_COMP | __GFP_ZERO, order);
	return memory ? page_address(memory) : NULL;
}

static void rb_subbuf_free(struct rb_cpu *cpu, struct rb_subbuf *subbuf, unsigned int order)
{
	/* else it is part of a reserved range, not the allocator's */
	if (!cpu->meta)
		free_pages((unsigned long)subbuf, order);
}

/* Zeroed pages of memory, no more than it must be. */
static void *rb_alloc_exact(size_t size, int node)
{
	unsigned int order = get_order(size);
	size_t all = PAGE_SIZE << order, at;
	struct page *memory = NULL;
	void *array;

	if (order <= MAX_PAGE_ORDER)
		memory = alloc_pages_node(node, GFP_KERNEL | __GFP_NORETRY | __GFP_NOWARN |
					  __GFP_ZERO, order);
	if (!memory)
		return vzalloc_node(size, node);
	array = page_address(memory);
	split_page(memory, order);
	for (at = PAGE_ALIGN(size); at < all; at += PAGE_SIZE)
		free_page((unsigned long)array + at);
	return array;
}

static size_t rb_pages_size(struct rb_tables *tables)
{
	return array_size(tables->nr_slots + 1UL, RB_PAGE_SIZE);
}

/* Pages without memory. They have to be aligned, as a power of two is. */
static bool rb_alloc_pages(struct rb_cpu *cpu, struct rb_tables *tables)
{
	size_t size = rb_pages_size(tables);
	int node = cpu_to_node(cpu->cpu);

	if (size <= PAGE_SIZE)
		tables->pages = kzalloc_node(roundup_pow_of_two(size), RB_GFP, node);
	else
		tables->pages = rb_alloc_exact(size, node);
	return tables->pages;
}

static void rb_free_pages(struct rb_tables *tables)
{
	size_t size = rb_pages_size(tables);

	if (size <= PAGE_SIZE)
		kfree(tables->pages);
	else if (is_vmalloc_addr(tables->pages))
		vfree(tables->pages);
	else
		free_pages_exact(tables->pages, size);
	tables->pages = NULL;
}

static bool rb_alloc_subbufs(struct rb_cpu *cpu, struct rb_tables *tables, u32 from)
{
	struct rb_subbuf *subbuf;
	u32 i;

	for (i = from; i <= tables->nr_slots; i++) {
		subbuf = rb_subbuf_alloc(cpu, tables->order, i);
		if (!subbuf)
			return false;
		rb_page_set_subbuf(cpu, rb_page_at(tables, i), subbuf);
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
	/* rather this task than one that has nothing to do with it */
	if (user)
		set_current_oom_origin();
	done = rb_alloc_pages(cpu, tables) && rb_alloc_subbufs(cpu, tables, from);
	if (user)
		clear_current_oom_origin();
	tables->slots = cpu->meta ? cpu->meta->slots : (struct rb_in_slot *)tables->pages;
	for (slot = 0; done && !cpu->meta && slot < tables->nr_slots; slot++)
		atomic64_set(rb_slot_at(tables, slot), rb_slot(0, slot + 1));
	return done;
}

/* Free the memory of the pages. They are of no ring, or of no one's. */
static void rb_free_subbufs(struct rb_cpu *cpu, struct rb_tables *tables)
{
	struct rb_use *use;
	u32 i, tag;

	for (i = 0; i <= tables->nr_slots; i++) {
		use = rb_page_at(tables, i)->use;
		tag = use->commit & -(u32)(PAGE_SIZE << tables->order);
		if (use->base)
			rb_subbuf_free(cpu, rb_subbuf_at(use->base, tag), tables->order);
	}
}

void rb_tables_free(struct rb_cpu *cpu, struct rb_tables *tables)
{
	if (!tables->pages)
		return;
	rb_free_subbufs(cpu, tables);
	rb_free_pages(tables);
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
	cpu->reader.page = rb_page_at(&cpu->tables, 0);
	cpu->reader.index = 0;
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
