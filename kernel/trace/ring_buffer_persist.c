// SPDX-License-Identifier: GPL-2.0
/*
 * Ring buffer: buffers in memory that a reboot leaves alone.
 *
 * The range is divided among the CPUs. The part of each has a struct rb_meta
 * and the sub-buffers behind it. The slots of the ring are in the meta itself,
 * and the sub-buffers' headers tell how much of them is written: the next kernel
 * has nothing else to rely on. It trusts none of it before it has checked every
 * event.
 */
#include <linux/bitmap.h>
#include <linux/fs.h>
#include <linux/gfp.h>
#include <linux/printk.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "ring_buffer_persist.h"
#include "trace.h"

/* To be changed with the layout: its size may stay the same. */
#define RB_META_MAGIC	0x52425233U	/* "RBR3" */

/* Something that moves when the kernel's data does. */
static int rb_data_here;

static unsigned long rb_text_now(void)
{
	return (unsigned long)rb_meta_start;
}

static unsigned long rb_data_now(void)
{
	return (unsigned long)&rb_data_here;
}

/* Which kernel this is. All 0 if it does not say. */
static void rb_build_id_now(u8 *id)
{
	memset(id, 0, BUILD_ID_SIZE_MAX);
	build_id_parse_buf(__start_notes, id, __stop_notes - __start_notes);
}

/* Was it this kernel? Of one that does not say so, it is not known. */
static bool rb_meta_is_of_this_build(struct rb_meta *meta)
{
	u8 id[BUILD_ID_SIZE_MAX];

	rb_build_id_now(id);
	return memchr_inv(id, 0, sizeof(id)) && !memcmp(id, meta->build_id, sizeof(id));
}

/* Bytes before the sub-buffers. */
static unsigned long rb_meta_size(unsigned long nr_slots, unsigned long subbuf_size)
{
	size_t begun = nr_slots * sizeof(u32);

	return ALIGN(struct_size((struct rb_meta *)NULL, slots, nr_slots) + begun, subbuf_size);
}

/* Bytes of the range for each CPU. */
static unsigned long rb_part_size(struct trace_buffer *buffer)
{
	unsigned long subbuf_size = PAGE_SIZE << buffer->order;
	unsigned long start = ALIGN(buffer->range_start, subbuf_size);

	if (start >= buffer->range_end)
		return 0;
	return ALIGN_DOWN((buffer->range_end - start) / nr_cpu_ids, subbuf_size);
}

/**
 * rb_meta_init - divide the range of a buffer
 * @buffer: the buffer, with a range
 *
 * Return: how many sub-buffers each ring has, or 0 if the range is too small.
 */
unsigned long rb_meta_init(struct trace_buffer *buffer)
{
	unsigned long subbuf_size = PAGE_SIZE << buffer->order;
	unsigned long part = rb_part_size(buffer);
	unsigned long nr = part / subbuf_size;

	/* all, less those that the meta takes, less the reader's */
	while (nr >= 3 && rb_meta_size(nr - 1, subbuf_size) + nr * subbuf_size > part)
		nr--;
	return nr >= 3 ? nr - 1 : 0;
}

/* The part of @cpu, or NULL if the buffer has no range. */
struct rb_meta *rb_meta_of(struct trace_buffer *buffer, int cpu)
{
	if (!buffer->range_start)
		return NULL;
	return (void *)ALIGN(buffer->range_start, PAGE_SIZE << buffer->order) +
	       cpu * rb_part_size(buffer);
}

/* Sub-buffer number @index. The meta is good, see rb_meta_prepare(). */
struct rb_subbuf *rb_meta_subbuf(struct rb_meta *meta, u32 index)
{
	return (void *)meta + rb_meta_size(meta->nr_slots, meta->subbuf_size) +
	       (unsigned long)index * meta->subbuf_size;
}

/**
 * struct rb_found - what was found in a sub-buffer, by its number
 * @size:	bytes of events
 * @events:	how many with data
 * @order:	not of this sub-buffer: number of the one in the slot of this
 *		number, oldest first and then the free ones
 */
struct rb_found {
	u32	size;
	int	events;
	u32	order;
};

/* From now on addresses in events are this kernel's. */
void rb_meta_now(struct rb_cpu *cpu)
{
	if (!cpu->meta)
		return;
	cpu->meta->text = rb_text_now();
	cpu->meta->data = rb_data_now();
	rb_build_id_now(cpu->meta->build_id);
}

/**
 * rb_meta_prepare - make the meta of a ring good for tables to be made of it
 * @cpu: the ring, with a meta and the number of slots that it will have
 *
 * If it is not that of a ring of the same size, all that was there is gone.
 */
void rb_meta_prepare(struct rb_cpu *cpu)
{
	struct rb_meta *meta = cpu->meta;
	u32 subbuf_size = PAGE_SIZE << cpu->tables.order, slot;

	if (meta->magic == RB_META_MAGIC && meta->struct_size == sizeof(*meta) &&
	    meta->subbuf_size == subbuf_size && meta->nr_slots == cpu->tables.nr_slots)
		return;
	if (meta->magic == RB_META_MAGIC)
		pr_info("ring buffer of CPU %d: what the last boot left has another layout\n",
			cpu->cpu);
	memset(meta, 0, rb_part_size(cpu->buffer));
	meta->struct_size = sizeof(*meta);
	meta->subbuf_size = subbuf_size;
	meta->nr_slots = cpu->tables.nr_slots;
	for (slot = 0; slot < meta->nr_slots; slot++)
		atomic64_set(&meta->slots[slot].in_slot, rb_slot(0, slot + 1));
}

/* The events of a sub-buffer, and how many have data. Less than 0: nonsense. */
static int rb_count_events(struct rb_subbuf *subbuf, u32 room)
{
	long commit = local_read(&subbuf->commit);
	u32 at, whole;
	int events = 0;

	if (commit < 0 || commit > room)
		return -1;
	for (at = 0; at < commit; at += whole) {
		struct ring_buffer_event *event = (void *)subbuf->data + at;

		whole = rb_event_within(event, commit - at);
		if (!whole)
			return -1;
		events += rb_event_is_data(rb_event_behind(event));
	}
	return events;
}

/*
 * Is each sub-buffer in one slot or the reader's? The kernel before may have
 * ended between the two steps in which its reader took one.
 */
static bool rb_meta_complete(struct rb_cpu *cpu)
{
	u32 nr = cpu->tables.nr_slots, slot, index;
	struct rb_meta *meta = cpu->meta;
	unsigned long *seen = bitmap_zalloc(nr + 1, GFP_KERNEL);
	bool complete = seen;

	for (slot = 0; complete && slot < nr; slot++) {
		index = (u32)atomic64_read(&meta->slots[slot].in_slot);
		complete = index <= nr && !test_and_set_bit(index, seen);
	}
	if (complete)
		meta->reader = find_first_zero_bit(seen, nr + 1);
	bitmap_free(seen);
	return complete;
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

/* The slot that was written last: the last one of the highest lap with events. */
static u32 rb_meta_tail(struct rb_cpu *cpu, struct rb_found *found)
{
	u32 slot, tail = cpu->tables.nr_slots - 1, lap = 0;
	bool any = false;

	for (slot = 0; slot < cpu->tables.nr_slots; slot++) {
		u64 value = rb_slot_read(cpu, slot);

		if (!found[(u32)value].size ||
		    (any && (s32)(rb_slot_lap(value) - lap) < 0))
			continue;
		any = true;
		tail = slot;
		lap = rb_slot_lap(value);
	}
	return tail;
}

/* Find the order of the sub-buffers. Returns how many of the ring are filled. */
static u32 rb_meta_order(struct rb_cpu *cpu, struct rb_found *found)
{
	u32 nr = cpu->tables.nr_slots, i, filled = 0, free = nr, index, slot;

	slot = rb_meta_tail(cpu, found);
	for (i = 0; i < nr; i++) {
		slot = slot + 1 == nr ? 0 : slot + 1;
		index = (u32)rb_slot_read(cpu, slot);
		if (found[index].size)
			found[filled++].order = index;
		else
			found[--free].order = index;
	}
	return filled;
}

/*
 * The kernel before may have ended after its writer claimed a slot and before it began
 * to fill it: the events in it are then older than the rest, and were about to be
 * overwritten. Time stamps do not show that: they start again at each boot.
 */
static void rb_meta_forget_claimed(struct rb_cpu *cpu)
{
	struct rb_meta *meta = cpu->meta;
	u32 slot;

	for (slot = 0; slot < cpu->tables.nr_slots; slot++) {
		u64 value = atomic64_read(&meta->slots[slot].in_slot);

		/*
		 * LMM(rb_meta_forget_claimed:A) pairs with LMM(rb_claim:A),
		 * LMM(rb_meta_begin:A): the kernel before wrote in that order, and a boot
		 * is between
		 */
		if (rb_meta_begun(meta)[slot] != rb_slot_lap(value))
			local_set(&rb_meta_subbuf(meta, (u32)value)->commit, 0);
	}
}

static bool rb_meta_valid(struct rb_cpu *cpu, struct rb_found *found)
{
	u32 room = rb_subbuf_room(cpu->tables.order), i;
	struct rb_subbuf *subbuf;

	/*
	 * LMM(rb_meta_valid:A) pairs with LMM(rb_meta_start:A), LMM(rb_meta_start:B),
	 * LMM(rb_begin_use:A), LMM(rb_show:B): the kernel before wrote in that order, and
	 * a boot is between
	 */
	if (cpu->meta->magic != RB_META_MAGIC)
		return false;
	if (!rb_meta_complete(cpu)) {
		pr_info("ring buffer of CPU %d: the order of the last boot's sub-buffers is damaged\n",
			cpu->cpu);
		return false;
	}
	rb_meta_forget_claimed(cpu);
	for (i = 0; i <= cpu->tables.nr_slots; i++) {
		subbuf = rb_meta_subbuf(cpu->meta, i);
		found[i].events = rb_count_events(subbuf, room);
		if (found[i].events < 0) {
			pr_info("ring buffer of CPU %d: sub-buffer %u of the last boot is damaged\n",
				cpu->cpu, i);
			return false;
		}
		found[i].size = local_read(&subbuf->commit);
	}
	return true;
}

/*
 * As in rb_ring_start(), but with the events that were found: first those of
 * the reader, who may have read them already, then those of the ring.
 */
static void rb_meta_fill(struct rb_cpu *cpu, struct rb_found *found)
{
	u32 filled = rb_meta_order(cpu, found), nr = cpu->tables.nr_slots, slot;
	struct rb_reader *reader = &cpu->reader;

	for (slot = 0; slot < nr; slot++) {
		atomic64_set(rb_slot_at(&cpu->tables, slot), rb_slot(0, found[slot].order));
		rb_meta_begin(cpu, slot, 0);
	}
	reader->index = cpu->meta->reader;
	reader->page = rb_page_at(&cpu->tables, reader->index);
	rb_ring_start(cpu);
	if (found[reader->index].size) {
		rb_restore_use(cpu, reader->index, -cpu->size, nr - 1, -1, found);
		reader->use = cpu->tail;
		reader->time = reader->subbuf->time_stamp;
		cpu->taken = 1;
	}
	for (slot = 0; slot < filled; slot++)
		rb_restore_use(cpu, found[slot].order, slot * cpu->size, slot, 0, found);
}

static void rb_meta_start_empty(struct rb_cpu *cpu)
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
static void rb_meta_compare(struct rb_cpu *cpu)
{
	long text = rb_text_now() - cpu->meta->text, data = rb_data_now() - cpu->meta->data;
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
	pr_info("ring buffer of CPU %d: %lu events of the last boot\n", cpu->cpu, events);
}

/**
 * rb_meta_start - take over what the kernel before has written, if it is good
 * @cpu: the ring, with tables made of its meta
 */
void rb_meta_start(struct rb_cpu *cpu)
{
	size_t nr = cpu->tables.nr_slots + 1;
	struct rb_found *found = kvcalloc(nr, sizeof(*found), GFP_KERNEL);
	struct rb_meta *meta = cpu->meta;
	bool valid = found && !cpu->buffer->this_boot && rb_meta_valid(cpu, found);

	meta->magic = 0;
	/* LMM(rb_meta_start:A) pairs with LMM(rb_meta_valid:A): not good, then changed */
	wmb();
	if (valid) {
		rb_meta_fill(cpu, found);
		rb_meta_compare(cpu);
	} else {
		rb_meta_start_empty(cpu);
	}
	cpu->buffer->last_seen = true;
	rb_meta_reader(cpu);
	/* LMM(rb_meta_start:B) pairs with LMM(rb_meta_valid:A): all is there, then good */
	wmb();
	meta->magic = RB_META_MAGIC;
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

/* The file buffer_meta: a first record of figures, and then one of each place. */
static void *rb_meta_seq_start(struct seq_file *m, loff_t *pos)
{
	struct rb_cpu *cpu = m->private;

	return cpu->meta && *pos <= cpu->meta->nr_slots + 1 ? pos : NULL;
}

static void *rb_meta_seq_next(struct seq_file *m, void *v, loff_t *pos)
{
	++*pos;
	return rb_meta_seq_start(m, pos);
}

static void rb_meta_seq_stop(struct seq_file *m, void *v)
{
}

static int rb_meta_seq_show(struct seq_file *m, void *v)
{
	struct rb_cpu *cpu = m->private;
	struct rb_meta *meta = cpu->meta;
	u32 slot = cpu->reader.slot, lap = cpu->reader.lap, tail;
	loff_t at = *(loff_t *)v;

	if (at) {
		u64 value = at == 1 ? meta->reader : atomic64_read(&meta->slots[at - 2].in_slot);

		seq_printf(m, "buffer[%lld]:    %u\n", at - 1, (u32)value);
		return 0;
	}
	seq_printf(m, "head_buffer:   %u\n", (u32)rb_oldest(cpu, &slot, &lap));
	tail = rb_page_index(cpu, rb_page_of(cpu->tail));
	seq_printf(m, "commit_buffer: %u\n", tail == U32_MAX ? meta->reader : tail);
	seq_printf(m, "subbuf_size:   %u\n", meta->subbuf_size);
	seq_printf(m, "nr_subbufs:    %u\n", meta->nr_slots + 1);
	return 0;
}

static const struct seq_operations rb_meta_seq_ops = {
	.start	= rb_meta_seq_start,
	.next	= rb_meta_seq_next,
	.stop	= rb_meta_seq_stop,
	.show	= rb_meta_seq_show,
};

/**
 * ring_buffer_meta_seq_init - open the file that shows where sub-buffers are
 * @file: the file
 * @buffer: the buffer
 * @cpu: the CPU
 *
 * Return: 0, -ENODEV if there is no such CPU, or what seq_open() returns.
 */
int ring_buffer_meta_seq_init(struct file *file, struct trace_buffer *buffer, int cpu)
{
	struct rb_cpu *ring = rb_cpu_of(buffer, cpu);
	int ret;

	if (!ring)
		return -ENODEV;
	ret = seq_open(file, &rb_meta_seq_ops);
	if (!ret)
		((struct seq_file *)file->private_data)->private = ring;
	return ret;
}
