// SPDX-License-Identifier: GPL-2.0
/*
 * Ring buffer: sub-buffers that user space maps and reads where they are.
 *
 * The mapping begins with a page of figures, the meta page; the sub-buffers
 * follow in the order of their identities, which they get with the first mapping.
 * They keep these as long as there is a mapping: none is handed out or changes its
 * memory.
 * Which one the reader has is in the meta page, and how much of it there is to
 * read in its own header, which writers then keep up to date.
 */
#include <linux/cleanup.h>
#include <linux/errno.h>
#include <linux/highmem.h>
#include <linux/mm.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "ring_buffer_impl.h"

/* Tell user space where the reader is, and of @lost events. */
static void rb_map_tell(struct rb_cpu *cpu, unsigned long lost)
{
	struct trace_buffer_meta *meta = cpu->meta_page;

	meta->reader.id = cpu->map_ids[cpu->reader.index];
	meta->reader.read = cpu->reader.read;
	meta->reader.lost_events = lost;
	meta->overrun = local_read(&cpu->overrun);
	meta->read = cpu->read_events;
	meta->entries = rb_committed(cpu);
	/* where user space and the kernel do not share a cache line */
	flush_kernel_vmap_range(meta, PAGE_SIZE);
}

/*
 * Tell user space where the reader is. Lost events are told with those behind them.
 *
 * Context: reader_lock held.
 */
void rb_map_update(struct rb_cpu *cpu)
{
	if (cpu->meta_page)
		rb_map_tell(cpu, 0);
}

/* The reader's is 0, the others follow as they will be read. */
static void rb_map_identify(struct rb_cpu *cpu)
{
	u32 slot = cpu->reader.slot, lap = cpu->reader.lap, id;

	cpu->map_ids[cpu->reader.index] = 0;
	rb_oldest(cpu, &slot, &lap);
	for (id = 1; id <= cpu->tables.nr_slots; id++) {
		cpu->map_ids[(u32)rb_slot_read(cpu, slot)] = id;
		rb_slot_next(cpu, &slot, &lap);
	}
}

/*
 * The writer may go on while we do this, on a CPU that need not be ours: so
 * local_cmpxchg() would not do.  Whatever else an architecture's local_t is, its
 * value is a long, which comes first.
 */
static_assert(sizeof(local_t) == sizeof(long));

static void rb_map_header(struct rb_cpu *cpu, struct rb_use *use)
{
	local_t *commit = &rb_page_subbuf(cpu, rb_page_of(use))->commit;
	long old = local_read(commit);
	bool closed;
	u32 size = rb_use_size(cpu, use, &closed);

	/* LMM(rb_map_header:A) pairs with user space: the events, then that they are there */
	if (old < size)
		cmpxchg((long *)commit, old, size);
}

/* Writers keep the headers up to date now; make up for what they did not. */
static void rb_map_headers(struct rb_cpu *cpu)
{
	u32 slot;

	if (cpu->reader.use != rb_before(cpu))
		rb_map_header(cpu, cpu->reader.use);
	for (slot = 0; slot < cpu->tables.nr_slots; slot++)
		rb_map_header(cpu, rb_slot_use(cpu, rb_slot_read(cpu, slot)));
}

static void rb_map_describe(struct rb_cpu *cpu)
{
	struct trace_buffer_meta *meta = cpu->meta_page;

	meta->meta_struct_len = sizeof(*meta);
	meta->subbuf_size = cpu->size;
	meta->meta_page_size = meta->subbuf_size;
	meta->nr_subbufs = cpu->tables.nr_slots + 1;
	rb_map_update(cpu);
}

static void rb_map_free(struct rb_cpu *cpu)
{
	free_page((unsigned long)cpu->meta_page);
	kvfree(cpu->map_ids);
	cpu->meta_page = NULL;
	cpu->map_ids = NULL;
}

static int rb_map_alloc(struct rb_cpu *cpu)
{
	cpu->meta_page = (void *)get_zeroed_page(GFP_USER);
	cpu->map_ids = kvcalloc(cpu->tables.nr_slots + 1, sizeof(*cpu->map_ids), GFP_KERNEL);
	if (cpu->meta_page && cpu->map_ids)
		return 0;
	rb_map_free(cpu);
	return -ENOMEM;
}

#ifdef CONFIG_MMU
/* The page of the mapping that is @at pages behind its beginning. */
static struct page *rb_map_page(struct rb_cpu *cpu, u32 *by_id, unsigned long at,
				unsigned long addr)
{
	unsigned int order = cpu->tables.order;
	unsigned long in_subbuf = at & (BIT(order) - 1);
	struct rb_page *page;

	if (at >> order) {
		page = rb_page_at(&cpu->tables, by_id[(at >> order) - 1]);
		return virt_to_page(rb_page_subbuf(cpu, page)) + in_subbuf;
	}
	/* the meta page takes as much as a sub-buffer */
	return in_subbuf ? ZERO_PAGE(addr) : virt_to_page(cpu->meta_page);
}

static int rb_map_insert(struct rb_cpu *cpu, struct vm_area_struct *vma)
{
	unsigned long all = (cpu->tables.nr_slots + 2UL) << cpu->tables.order;
	unsigned long nr = vma_pages(vma), i;
	struct page **pages;
	u32 *by_id, index;
	int err = -ENOMEM;

	if (vma->vm_flags & (VM_WRITE | VM_EXEC) || !(vma->vm_flags & VM_MAYSHARE))
		return -EPERM;
	if (vma->vm_pgoff & (BIT(cpu->tables.order) - 1))
		return -EINVAL;
	if (vma->vm_pgoff >= all || !nr || nr > all - vma->vm_pgoff)
		return -EINVAL;
	/* the mapping will never be written to, copied or extended */
	vm_flags_mod(vma, VM_DONTCOPY | VM_DONTEXPAND | VM_DONTDUMP, VM_MAYWRITE);

	pages = kvcalloc(nr, sizeof(*pages), GFP_KERNEL);
	by_id = kvcalloc(cpu->tables.nr_slots + 1, sizeof(*by_id), GFP_KERNEL);
	if (pages && by_id) {
		for (index = 0; index <= cpu->tables.nr_slots; index++)
			by_id[cpu->map_ids[index]] = index;
		for (i = 0; i < nr; i++)
			pages[i] = rb_map_page(cpu, by_id, vma->vm_pgoff + i,
					       vma->vm_start + i * PAGE_SIZE);
		err = vm_insert_pages(vma, vma->vm_start, pages, &nr);
	}
	kvfree(by_id);
	kvfree(pages);
	return err;
}
#else
static int rb_map_insert(struct rb_cpu *cpu, struct vm_area_struct *vma)
{
	return -EOPNOTSUPP;
}
#endif

/* One that maps it more, or less. Readers look at it under the lock. */
static void rb_map_count(struct rb_cpu *cpu, int more)
{
	unsigned long flags;

	raw_spin_lock_irqsave(&cpu->reader_lock, flags);
	cpu->user_mapped += more;
	cpu->mapped += more;
	raw_spin_unlock_irqrestore(&cpu->reader_lock, flags);
}

/* The sub-buffers stay what and where they are from here on. */
int rb_map_begin(struct rb_cpu *cpu)
{
	unsigned long flags;
	int err;

	err = rb_map_alloc(cpu);
	if (err)
		return err;
	atomic_inc(&cpu->resize_disabled);
	rb_map_count(cpu, 1);
	WRITE_ONCE(cpu->live, true);
	rb_shut_cpu(cpu);
	/*
	 * LMM(rb_map_begin:A) pairs with preemption off: writers that do not tell it in
	 * the headers are done
	 */
	synchronize_rcu();
	raw_spin_lock_irqsave(&cpu->reader_lock, flags);
	rb_map_identify(cpu);
	rb_map_headers(cpu);
	rb_map_describe(cpu);
	raw_spin_unlock_irqrestore(&cpu->reader_lock, flags);
	return 0;
}

void rb_map_end(struct rb_cpu *cpu)
{
	rb_map_count(cpu, -1);
	WRITE_ONCE(cpu->live, cpu->meta);
	rb_map_free(cpu);
	atomic_dec(&cpu->resize_disabled);
}

/**
 * ring_buffer_map - map what a buffer has of a CPU
 * @buffer: the buffer
 * @cpu: the CPU
 * @vma: where to
 *
 * Context: may sleep.
 * Return: 0, -EINVAL if there is no such CPU or @vma reaches beyond the end,
 * -EPERM if it is not read-only and shared, or -ENOMEM.
 */
int ring_buffer_map(struct trace_buffer *buffer, int cpu, struct vm_area_struct *vma)
{
	struct rb_cpu *ring = rb_cpu_of(buffer, cpu);
	int err = 0;

	if (!ring)
		return -EINVAL;
	guard(mutex)(&ring->mapping_lock);
	guard(mutex)(&buffer->mutex);
	if (ring->mapped == UINT_MAX)
		return -EBUSY;
	if (!ring->user_mapped)
		err = rb_map_begin(ring);
	else
		rb_map_count(ring, 1);
	if (err)
		return err;
	err = rb_map_insert(ring, vma);
	if (!err)
		return 0;
	if (ring->user_mapped == 1)
		rb_map_end(ring);
	else
		rb_map_count(ring, -1);
	return err;
}

/**
 * ring_buffer_map_dup - a mapping was duplicated, as by a fork
 * @buffer: the buffer
 * @cpu: the CPU
 */
void ring_buffer_map_dup(struct trace_buffer *buffer, int cpu)
{
	struct rb_cpu *ring = rb_cpu_of(buffer, cpu);

	if (WARN_ON(!ring))
		return;
	guard(mutex)(&ring->mapping_lock);
	if (!WARN_ON(!ring->user_mapped))
		rb_map_count(ring, 1);
}

/**
 * ring_buffer_unmap - a mapping is gone
 * @buffer: the buffer
 * @cpu: the CPU
 *
 * Return: 0, -EINVAL if there is no such CPU, -ENODEV if it is not mapped.
 */
int ring_buffer_unmap(struct trace_buffer *buffer, int cpu)
{
	struct rb_cpu *ring = rb_cpu_of(buffer, cpu);

	if (!ring)
		return -EINVAL;
	guard(mutex)(&ring->mapping_lock);
	if (!ring->user_mapped)
		return -ENODEV;
	guard(mutex)(&buffer->mutex);
	if (ring->user_mapped == 1)
		rb_map_end(ring);
	else
		rb_map_count(ring, -1);
	return 0;
}

/* Tell in the sub-buffer, which is new to user space, how many were lost before it. */
static void rb_map_mark_lost(struct rb_cpu *cpu, unsigned long lost)
{
	struct rb_subbuf *subbuf = cpu->reader.subbuf;
	unsigned long flags = RB_MISSED;
	u32 size = cpu->reader.size;

	if (rb_room(cpu) - size >= sizeof(lost)) {
		memcpy(subbuf->data + size, &lost, sizeof(lost));
		flags |= RB_MISSED_COUNT;
	}
	local_set(&subbuf->commit, size | flags);
}

/* All that is to be read of the reader's sub-buffer is read now. */
static void rb_map_consume(struct rb_cpu *cpu)
{
	struct rb_subbuf *subbuf = cpu->reader.subbuf;

	while (cpu->reader.read < cpu->reader.size)
		rb_reader_advance(cpu, (void *)subbuf->data + cpu->reader.read);
}

/*
 * User space gets what the reader has, all of it new if @taken. Tell how many
 * events were lost before that, once: in the sub-buffer, or in the meta page
 * while the header is the writer's or user space has read it before.
 */
static void rb_map_give(struct rb_cpu *cpu, bool taken)
{
	unsigned long lost = cpu->reader.lost;

	rb_map_consume(cpu);
	if (lost && taken && cpu->reader.closed) {
		rb_map_mark_lost(cpu, lost);
		lost = 0;
	}
	cpu->reader.lost = 0;
	rb_map_tell(cpu, lost);
}

/**
 * ring_buffer_map_get_reader - give user space something to read
 * @buffer: the buffer
 * @cpu: the CPU
 *
 * What there is in the reader's sub-buffer that was not given before, or else
 * the next sub-buffer. How many events were lost before that is told by the
 * sub-buffer's header, or by reader.lost_events of the meta page if that is not 0:
 * by one of the two, and by this call alone.
 *
 * Return: 0, -EINVAL if there is no such CPU, -ENODEV if it is not mapped.
 */
int ring_buffer_map_get_reader(struct trace_buffer *buffer, int cpu)
{
	struct rb_cpu *ring = rb_cpu_of(buffer, cpu);
	unsigned long flags, taken;

	if (!ring)
		return -EINVAL;
	guard(mutex)(&ring->mapping_lock);
	if (!ring->user_mapped)
		return -ENODEV;
	raw_spin_lock_irqsave(&ring->reader_lock, flags);
	taken = ring->taken;
	if (rb_reader_use(ring))
		rb_map_give(ring, ring->taken != taken);
	else
		rb_map_update(ring);
	flush_kernel_vmap_range(ring->reader.subbuf, ring->size);
	raw_spin_unlock_irqrestore(&ring->reader_lock, flags);
	return 0;
}
