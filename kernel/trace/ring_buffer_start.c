// SPDX-License-Identifier: GPL-2.0
/* Ring buffer: the state of a ring when nothing is in it. */
#include <linux/atomic.h>
#include <linux/string.h>

#include "ring_buffer_impl.h"
#include "ring_buffer_persist.h"

static void rb_start_before(struct rb_cpu *cpu)
{
	struct rb_use *use = rb_before(cpu);

	rb_use_ready(use, &cpu->nothing, -cpu->size);
	use->commit += rb_room(cpu);
	cpu->before.slot = cpu->tables.nr_slots - 1;
	cpu->before.end = 0;
}

/* The frames stay: those who are refused have one, and give it back. */
static void rb_start_writer(struct rb_cpu *cpu)
{
	cpu->tail = rb_before(cpu);
	cpu->word = rb_word(cpu->tail->commit, 0);
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
	cpu->closing = NULL;
	cpu->swapped_in = NULL;
}

static void rb_start_reader(struct rb_cpu *cpu)
{
	struct rb_reader *reader = &cpu->reader;

	reader->subbuf = rb_page_subbuf(cpu, reader->page);
	local_set(&reader->subbuf->commit, 0);
	reader->use = rb_before(cpu);
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
	struct rb_subbuf *subbuf;
	struct rb_page *page;
	u32 slot, index;

	cpu->size = PAGE_SIZE << cpu->tables.order;
	cpu->tag_mask = -cpu->size;
	for (slot = 0; slot < cpu->tables.nr_slots; slot++) {
		index = (u32)rb_slot_read(cpu, slot);
		page = rb_page_at(&cpu->tables, index);
		subbuf = rb_page_subbuf(cpu, page);
		atomic64_set(rb_slot_at(&cpu->tables, slot), rb_slot(0, index));
		rb_use_ready(&page->use[0], subbuf, slot * cpu->size);
		page->slot = slot;
		local_set(&subbuf->commit, 0);
		/* in no lap yet */
		rb_meta_begin(cpu, slot, -1);
	}
	rb_start_before(cpu);
	rb_start_writer(cpu);
	rb_start_reader(cpu);
}
