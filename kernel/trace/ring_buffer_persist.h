/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Ring buffers in memory that outlives the kernel: see ring_buffer_persist.c and, for what is
 * found there, ring_buffer_last_boot.c.
 */
#ifndef _TRACE_RING_BUFFER_PERSIST_H
#define _TRACE_RING_BUFFER_PERSIST_H

#include <linux/buildid.h>

#include "ring_buffer_impl.h"
#include "ring_buffer_last_boot.h"

/* To be changed with the layout: its size may stay the same. */
#define RB_META_MAGIC	0x52425234U	/* "RBR4" */

/**
 * struct rb_meta - what the next kernel has to know of the ring of a CPU
 * @magic:	RB_META_MAGIC, or the rest is not to be trusted
 * @struct_size: of this
 * @subbuf_size: bytes of a sub-buffer
 * @nr_slots:	sub-buffers in the ring; one more is the reader's
 * @text:	where a function of the kernel was
 * @data:	where a variable was
 * @reader:	which sub-buffer was the reader's
 * @build_id:	which kernel it was; all 0 if it did not say
 * @slots:	which were in the ring, and where; behind them is rb_meta_begun()
 */
struct rb_meta {
	u32		magic;
	u32		struct_size;
	u32		subbuf_size;
	u32		nr_slots;
	unsigned long	text;
	unsigned long	data;
	u32		reader;
	u8		build_id[BUILD_ID_SIZE_MAX];
	struct rb_in_slot slots[];
};

/* The kernel's ELF notes, see include/asm-generic/vmlinux.lds.h */
extern const char __start_notes[] __weak;
extern const char __stop_notes[] __weak;

unsigned long rb_meta_init(struct trace_buffer *buffer);
struct rb_meta *rb_meta_of(struct trace_buffer *buffer, int cpu);
struct rb_subbuf *rb_meta_subbuf(struct rb_meta *meta, u32 index);
void rb_meta_prepare(struct rb_cpu *cpu);
void rb_meta_now(struct rb_cpu *cpu);
long rb_meta_text_delta(struct rb_meta *meta);
long rb_meta_data_delta(struct rb_meta *meta);
bool rb_meta_is_of_this_build(struct rb_meta *meta);

/* ring_buffer_last_boot.c */
void rb_meta_start(struct rb_cpu *cpu);

/*
 * By slot: the lap in which what is in its sub-buffer was begun. If it is the one before
 * the slot's lap, the sub-buffer was claimed or read, and there is still what it had before;
 * or it was never begun.
 */
static inline u32 *rb_meta_begun(struct rb_meta *meta)
{
	return (u32 *)&meta->slots[meta->nr_slots];
}

/* The header of the sub-buffer in @slot is that of @lap. */
static inline void rb_meta_begin(struct rb_cpu *cpu, u32 slot, u32 lap)
{
	if (!cpu->meta)
		return;
	/*
	 * LMM(rb_meta_begin:A) pairs with LMM(rb_look_at_slot:A): the header is
	 * this lap's, then the lap
	 */
	smp_wmb();
	WRITE_ONCE(rb_meta_begun(cpu->meta)[slot], lap);
}

/* What the meta tells is about to change as a whole. If that does not end, all is gone. */
static inline void rb_meta_distrust(struct rb_cpu *cpu)
{
	if (!cpu->meta)
		return;
	WRITE_ONCE(cpu->meta->magic, 0);
	/* LMM(rb_meta_distrust:A) pairs with LMM(rb_look:A): not good, then changed */
	wmb();
}

static inline void rb_meta_trust(struct rb_cpu *cpu)
{
	if (!cpu->meta)
		return;
	/* LMM(rb_meta_trust:A) pairs with LMM(rb_look:A): all is there, then good */
	wmb();
	WRITE_ONCE(cpu->meta->magic, RB_META_MAGIC);
}

/* The reader has another sub-buffer. */
static inline void rb_meta_reader(struct rb_cpu *cpu)
{
	if (cpu->meta)
		cpu->meta->reader = cpu->reader.index;
}

#endif /* _TRACE_RING_BUFFER_PERSIST_H */
