/* SPDX-License-Identifier: GPL-2.0 */
/* Ring buffers in memory that outlives the kernel: see ring_buffer_persist.c. */
#ifndef _TRACE_RING_BUFFER_PERSIST_H
#define _TRACE_RING_BUFFER_PERSIST_H

#include "ring_buffer_impl.h"

/**
 * struct rb_meta - what the next kernel has to know of the ring of a CPU
 * @magic:	RB_META_MAGIC, or the rest is not to be trusted
 * @struct_size: of this
 * @subbuf_size: bytes of a sub-buffer
 * @nr_slots:	sub-buffers in the ring; one more is the reader's
 * @text:	where a function of the kernel was
 * @data:	where a variable was
 * @reader:	which sub-buffer was the reader's
 * @slots:	which were in the ring, and where
 */
struct rb_meta {
	u32		magic;
	u32		struct_size;
	u32		subbuf_size;
	u32		nr_slots;
	unsigned long	text;
	unsigned long	data;
	u32		reader;
	struct rb_in_slot slots[];
};

unsigned long rb_meta_init(struct trace_buffer *buffer);
struct rb_meta *rb_meta_of(struct trace_buffer *buffer, int cpu);
struct rb_subbuf *rb_meta_subbuf(struct rb_meta *meta, u32 index);
void rb_meta_prepare(struct rb_cpu *cpu);
void rb_meta_start(struct rb_cpu *cpu);
void rb_meta_now(struct rb_cpu *cpu);

/* The reader has another sub-buffer. */
static inline void rb_meta_reader(struct rb_cpu *cpu)
{
	if (cpu->meta)
		cpu->meta->reader = cpu->reader.index;
}

#endif /* _TRACE_RING_BUFFER_PERSIST_H */
