// SPDX-License-Identifier: GPL-2.0
/*
 * Ring buffer: reading whole sub-buffers. One that is closed and unread
 * changes places with an empty one, and is not copied.
 */
#include <linux/atomic.h>
#include <linux/errno.h>
#include <linux/export.h>
#include <linux/gfp.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "ring_buffer_impl.h"

void rb_spare_free(struct buffer_data_read_page *spare)
{
	if (!spare)
		return;
	free_pages((unsigned long)spare->subbuf, spare->order);
	kfree(spare);
}

static struct buffer_data_read_page *rb_spare_alloc(struct rb_cpu *cpu, unsigned int order)
{
	struct buffer_data_read_page *spare = kzalloc(sizeof(*spare), GFP_KERNEL);
	struct page *memory;

	if (!spare)
		return NULL;
	memory = alloc_pages_node(cpu_to_node(cpu->cpu),
				  GFP_KERNEL | __GFP_RETRY_MAYFAIL | __GFP_COMP | __GFP_ZERO,
				  order);
	if (!memory) {
		kfree(spare);
		return NULL;
	}
	spare->order = order;
	spare->subbuf = page_address(memory);
	return spare;
}

/**
 * ring_buffer_alloc_read_page - a sub-buffer to read into
 * @buffer: the buffer
 * @cpu: whose events
 * @rpage: one that is there already, or NULL; becomes one of the right size
 *
 * Context: may sleep.
 * Return: 0, -ENODEV if there is no such CPU, -EINVAL or -ENOMEM.
 */
int ring_buffer_alloc_read_page(struct trace_buffer *buffer, int cpu,
				struct buffer_data_read_page **rpage)
{
	struct rb_cpu *ring = rb_cpu_of(buffer, cpu);
	unsigned int order = READ_ONCE(buffer->order);
	struct buffer_data_read_page *spare;

	if (!ring)
		return -ENODEV;
	if (!rpage)
		return -EINVAL;
	if (*rpage && (*rpage)->order == order)
		return 0;
	rb_spare_free(*rpage);
	/* LMM(ring_buffer_alloc_read_page:A) pairs with LMM(ring_buffer_free_read_page:A) */
	spare = xchg(&ring->spare, NULL);
	if (spare && spare->order != order) {
		rb_spare_free(spare);
		spare = NULL;
	}
	if (spare)
		local_set(&spare->subbuf->commit, 0);
	else
		spare = rb_spare_alloc(ring, order);
	*rpage = spare;
	return spare ? 0 : -ENOMEM;
}
EXPORT_SYMBOL_GPL(ring_buffer_alloc_read_page);

/**
 * ring_buffer_free_read_page - give a sub-buffer that was read back
 * @buffer: the buffer
 * @cpu: whose events were read
 * @rpage: what ring_buffer_alloc_read_page() made, or NULL
 *
 * It is kept for the next reader, unless a pipe still has it.
 */
void ring_buffer_free_read_page(struct trace_buffer *buffer, int cpu,
				struct buffer_data_read_page *rpage)
{
	struct rb_cpu *ring = rb_cpu_of(buffer, cpu);

	if (!rpage)
		return;
	/*
	 * LMM(ring_buffer_free_read_page:A) pairs with LMM(ring_buffer_alloc_read_page:A),
	 * LMM(rb_exchange_tables:A): we are done with it before another has it
	 */
	if (ring && rpage->subbuf && page_ref_count(virt_to_page(rpage->subbuf)) == 1 &&
	    rpage->order == READ_ONCE(buffer->order) && !cmpxchg(&ring->spare, NULL, rpage))
		return;
	rb_spare_free(rpage);
}
EXPORT_SYMBOL_GPL(ring_buffer_free_read_page);

/* Hand the reader's sub-buffer out, and put @to in its place. */
static u32 rb_hand_out(struct rb_cpu *cpu, struct buffer_data_read_page *to, u32 size)
{
	struct rb_reader *reader = &cpu->reader;
	struct rb_subbuf *subbuf = reader->subbuf;

	cpu->read_events += local_read(&reader->use->entries);
	cpu->read_bytes += size;
	local_set(&to->subbuf->commit, 0);
	reader->subbuf = to->subbuf;
	rb_page_set_subbuf(cpu, reader->page, to->subbuf);
	to->subbuf = subbuf;
	reader->use = rb_before(cpu);
	reader->read = 0;
	reader->turn++;
	return size;
}

/* Copy as many whole events as fit into @room. Returns their bytes. */
static u32 rb_copy_out(struct rb_cpu *cpu, struct rb_subbuf *to, u32 size, u32 room)
{
	struct rb_reader *reader = &cpu->reader;
	struct rb_subbuf *from = reader->subbuf;
	u32 first = reader->read, whole;

	to->time_stamp = reader->time;
	while (reader->read < size) {
		struct ring_buffer_event *event = (void *)from->data + reader->read;

		whole = rb_event_whole(event);
		if (reader->read - first + whole > room)
			break;
		rb_reader_advance(cpu, event);
	}
	memcpy(to->data, from->data + first, reader->read - first);
	return reader->read - first;
}

/* Say behind the events how many were lost before them, and clear the rest. */
static void rb_finish_page(struct rb_subbuf *subbuf, u32 size, u32 room, unsigned long lost)
{
	unsigned long flags = 0;

	if (lost) {
		flags = RB_MISSED;
		if (room - size >= sizeof(lost)) {
			memcpy(subbuf->data + size, &lost, sizeof(lost));
			flags |= RB_MISSED_COUNT;
		}
	}
	local_set(&subbuf->commit, size | flags);
	if (flags & RB_MISSED_COUNT)
		size += sizeof(lost);
	/* it goes to user space, whatever the memory was before */
	memset32((u32 *)(subbuf->data + size), 0, (room - size) / RB_WORD);
}

/**
 * ring_buffer_read_page - read a sub-buffer
 * @buffer: the buffer
 * @data_page: what ring_buffer_alloc_read_page() made
 * @len: bytes that are wanted, with the sub-buffer's header
 * @cpu: whose events
 * @full: not one that is still being written
 *
 * Return: 0, or less if there is nothing to read, or no event fits.
 */
int ring_buffer_read_page(struct trace_buffer *buffer,
			  struct buffer_data_read_page *data_page,
			  size_t len, int cpu, int full)
{
	struct rb_cpu *ring = rb_cpu_of(buffer, cpu);
	struct rb_reader *reader;
	unsigned long flags, lost;
	u32 size, room;
	int ret = -1;

	if (!ring || len <= RB_SUBBUF_HEADER || !data_page)
		return -1;
	room = rb_subbuf_room(data_page->order);
	len = min_t(size_t, len - RB_SUBBUF_HEADER, room);
	reader = &ring->reader;
	raw_spin_lock_irqsave(&ring->reader_lock, flags);
	if (!rb_reader_use(ring))
		goto unlock;
	size = reader->size;
	lost = reader->lost;
	if (!reader->read && reader->closed && size <= len && !ring->mapped &&
	    data_page->order == ring->tables.order)
		size = rb_hand_out(ring, data_page, size);
	else if (!full || reader->closed)
		size = rb_copy_out(ring, data_page->subbuf, size, len);
	else
		goto unlock;
	if (size) {
		reader->lost = 0;
		rb_finish_page(data_page->subbuf, size, room, lost);
		ret = 0;
	}
unlock:
	raw_spin_unlock_irqrestore(&ring->reader_lock, flags);
	return ret;
}
EXPORT_SYMBOL_GPL(ring_buffer_read_page);

/**
 * ring_buffer_read_page_data - what was read
 * @page: what ring_buffer_read_page() read into
 *
 * Return: the sub-buffer, from its header on.
 */
void *ring_buffer_read_page_data(struct buffer_data_read_page *page)
{
	return page->subbuf;
}
EXPORT_SYMBOL_GPL(ring_buffer_read_page_data);

/**
 * ring_buffer_read_page_size - bytes of a sub-buffer to read into
 * @rpage: what ring_buffer_alloc_read_page() made, or NULL
 *
 * Return: bytes.
 */
unsigned int ring_buffer_read_page_size(struct buffer_data_read_page *rpage)
{
	return rpage ? PAGE_SIZE << rpage->order : 0;
}
EXPORT_SYMBOL_GPL(ring_buffer_read_page_size);
