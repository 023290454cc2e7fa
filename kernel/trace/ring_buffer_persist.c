// SPDX-License-Identifier: GPL-2.0
/*
 * Ring buffer: buffers in memory that a reboot leaves alone.
 *
 * The range is divided among the CPUs. The part of each has a struct rb_meta
 * and the sub-buffers behind it. The slots of the ring are in the meta itself,
 * and the sub-buffers' headers tell how much of them is written: the next kernel
 * has nothing else to rely on. What it makes of it is in ring_buffer_last_boot.c.
 */
#include <linux/fs.h>
#include <linux/printk.h>
#include <linux/seq_file.h>
#include <linux/string.h>

#include "ring_buffer_persist.h"
#include "trace.h"

/* Something that moves when the kernel's data does. */
static int rb_data_here;

static unsigned long rb_text_now(void)
{
	return (unsigned long)rb_meta_init;
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

/* By how much functions have moved since the meta was written. */
long rb_meta_text_delta(struct rb_meta *meta)
{
	return rb_text_now() - meta->text;
}

/* By how much variables have. */
long rb_meta_data_delta(struct rb_meta *meta)
{
	return rb_data_now() - meta->data;
}

/* Was it this kernel? Of one that does not say so, it is not known. */
bool rb_meta_is_of_this_build(struct rb_meta *meta)
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
