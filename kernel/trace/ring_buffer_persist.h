/* SPDX-License-Identifier: GPL-2.0 */
/* Ring buffers in memory that outlives the kernel: see ring_buffer_persist.c. */
#ifndef _TRACE_RING_BUFFER_PERSIST_H
#define _TRACE_RING_BUFFER_PERSIST_H

#include "ring_buffer_impl.h"

struct rb_meta *rb_meta_of(struct trace_buffer *buffer, int cpu);
struct rb_subbuf *rb_meta_subbuf(struct rb_meta *meta, u32 index);
atomic64_t *rb_meta_slots(struct rb_meta *meta);
bool rb_meta_restore(struct rb_cpu *cpu);
void rb_meta_now(struct rb_cpu *cpu);
unsigned long rb_meta_init(struct trace_buffer *buffer);

#endif /* _TRACE_RING_BUFFER_PERSIST_H */
