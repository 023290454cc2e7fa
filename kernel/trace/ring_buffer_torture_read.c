// SPDX-License-Identifier: GPL-2.0
/*
 * Ring buffer torture test: reading, as trace_pipe, trace_pipe_raw and trace do.
 * A reader that consumes has the CPU's lock, as readers of those files have it.
 */
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/string.h>

#include "ring_buffer_page.h"
#include "ring_buffer_torture.h"

/* What one turn reads at most */
#define RBT_EVENTS	500
#define RBT_PAGES	8
/* A moment in which writers go on, in microseconds */
#define RBT_MOMENT	1000

/* Read the next event. Returns false if there is none. Context: rbt_cpu.lock held. */
static bool rbt_consume_event(struct trace_buffer *buffer, struct rbt_cpu *cpu)
{
	struct ring_buffer_event *event;
	unsigned long lost = 0;
	u64 time;

	event = ring_buffer_consume(buffer, cpu->nr, &time, &lost);
	if (!event)
		return false;
	rbt_note_lost(cpu, lost);
	rbt_check_event(cpu, event, time);
	return true;
}

/*
 * The same, but see beforehand that it is that one, and take one's time then: it
 * stays what it is until the next one is read.
 */
static bool rbt_peek_event(struct rnd_state *rnd, struct rbt_cpu *cpu)
{
	struct trace_buffer *buffer = rbt.buffer;
	struct ring_buffer_event *peeked, *event;
	struct ring_buffer_attached attached;
	u64 peeked_time, time;
	unsigned long lost = 0;

	peeked = ring_buffer_torture_peek(buffer, cpu->nr, &peeked_time, &attached);
	if (peeked && ring_buffer_empty_cpu(buffer, cpu->nr))
		rbt_fail("cpu %d: it has an event to read, and is empty", cpu->nr);
	event = ring_buffer_consume(buffer, cpu->nr, &time, &lost);
	if (peeked && (peeked != event || peeked_time != time))
		rbt_fail("cpu %d: another event was read than had been next", cpu->nr);
	if (!event)
		return false;
	if (rbt_once_in(rnd, 16))
		rbt_pause(rnd, RBT_MOMENT);
	rbt_note_lost(cpu, lost);
	rbt_check_event(cpu, event, time);
	if (peeked == event)
		rbt_check_attached(cpu, ring_buffer_event_data(event), &attached);
	return true;
}

/* Read all that is in a ring that nobody writes to. Context: rbt_cpu.lock held. */
void rbt_drain(struct trace_buffer *buffer, struct rbt_cpu *cpu)
{
	while (rbt_consume_event(buffer, cpu))
		cond_resched();
}

/* Some events of some CPU */
bool rbt_consume(struct rnd_state *rnd)
{
	struct rbt_cpu *cpu = rbt_random_cpu(rnd);
	u32 events = 1 + rbt_random(rnd, RBT_EVENTS), n = 0;
	bool more = true;

	mutex_lock(&cpu->lock);
	while (more && n < events) {
		more = rbt_once_in(rnd, 4) ? rbt_peek_event(rnd, cpu) :
					     rbt_consume_event(rbt.buffer, cpu);
		n += more;
	}
	mutex_unlock(&cpu->lock);
	return n;
}

/* Context: rbt_cpu.lock held. */
static void rbt_check_read_page(struct rbt_cpu *cpu, struct rb_subbuf *page)
{
	unsigned long commit = local_read(&page->commit), lost;
	u32 size = commit & ~RB_MISSED_FLAGS;

	if (commit & RB_MISSED_COUNT) {
		memcpy(&lost, page->data + size, sizeof(lost));
		rbt_note_lost(cpu, lost);
	} else if (commit & RB_MISSED) {
		rbt_note_lost_some(cpu);
	}
	rbt_check_page(cpu, page, 0, size);
}

/* Context: rbt_cpu.lock held. */
static bool rbt_read_page(struct rnd_state *rnd, struct rbt_cpu *cpu,
			  struct buffer_data_read_page *page)
{
	size_t len = ring_buffer_read_page_size(page);

	if (rbt_once_in(rnd, 4))
		len = rbt_random(rnd, len);
	if (ring_buffer_read_page(rbt.buffer, page, len, cpu->nr, rbt_once_in(rnd, 2)) < 0)
		return false;
	rbt_check_read_page(cpu, ring_buffer_read_page_data(page));
	return true;
}

/* Some sub-buffers of some CPU, whole or in part */
bool rbt_read_pages(struct rnd_state *rnd)
{
	struct rbt_cpu *cpu = rbt_random_cpu(rnd);
	struct buffer_data_read_page *page = NULL;
	u32 pages = 1 + rbt_random(rnd, RBT_PAGES), n = 0;
	bool more = true;

	while (more && n < pages) {
		/* its order may be another one when it is read into */
		if (ring_buffer_alloc_read_page(rbt.buffer, cpu->nr, &page))
			return false;
		mutex_lock(&cpu->lock);
		more = rbt_read_page(rnd, cpu, page);
		mutex_unlock(&cpu->lock);
		n += more;
	}
	ring_buffer_free_read_page(rbt.buffer, cpu->nr, page);
	return n;
}

/**
 * struct rbt_pass - one pass of an iterator
 * @seen:	the number of the last event, by context; 0 before the first
 * @time:	its time
 * @dropped:	it was told that events were overwritten
 * @ordered:	nobody reads meanwhile, so that it only goes forward
 */
struct rbt_pass {
	u32	seen[RBT_CONTEXTS];
	u64	time;
	bool	dropped;
	bool	ordered;
};

static void rbt_check_order(struct rbt_cpu *cpu, struct rbt_pass *pass,
			    struct rbt_event *event, u64 time)
{
	u32 *seen = &pass->seen[event->context];

	if (time < pass->time)
		rbt_fail("cpu %d: an iterator went from %llu ns to %llu ns", cpu->nr,
			 pass->time, time);
	if (*seen && (s32)(event->seq - *seen) <= 0)
		rbt_fail("cpu %d: an iterator went from event %u to %u", cpu->nr, *seen,
			 event->seq);
	if (*seen && event->seq != *seen + 1 && !pass->dropped)
		rbt_fail("cpu %d: an iterator went from event %u to %u, and dropped none",
			 cpu->nr, *seen, event->seq);
	*seen = event->seq;
	pass->time = time;
}

/* The event that an iterator is at, if there is one */
static bool rbt_iterate_event(struct rbt_cpu *cpu, struct rbt_pass *pass,
			      struct ring_buffer_iter *iter)
{
	struct ring_buffer_attached attached;
	struct ring_buffer_event *event;
	struct rbt_event *data;
	u64 time;

	event = ring_buffer_iter_peek(iter, &time);
	if (!event)
		return false;
	pass->dropped |= ring_buffer_iter_dropped(iter);
	data = ring_buffer_event_data(event);
	ring_buffer_torture_iter_attached(iter, &attached);
	if (rbt_check_content(cpu, data, ring_buffer_event_length(event))) {
		rbt_check_attached(cpu, data, &attached);
		if (pass->ordered)
			rbt_check_order(cpu, pass, data, time);
	}
	ring_buffer_iter_advance(iter);
	return true;
}

/* What is in the ring of some CPU, which goes on; it is not consumed */
bool rbt_iterate(struct rnd_state *rnd)
{
	struct rbt_cpu *cpu = rbt_random_cpu(rnd);
	struct rbt_pass pass = { .ordered = rbt_once_in(rnd, 2) };
	struct ring_buffer_iter *iter;
	u32 n;

	if (pass.ordered)
		mutex_lock(&cpu->lock);
	iter = ring_buffer_read_start(rbt.buffer, cpu->nr, GFP_KERNEL);
	for (n = 0; iter && n < RBT_EVENTS; n++) {
		if (rbt_once_in(rnd, 16))
			rbt_pause(rnd, RBT_MOMENT);
		ring_buffer_iter_empty(iter);
		if (!rbt_iterate_event(cpu, &pass, iter))
			break;
	}
	if (iter)
		ring_buffer_read_finish(iter);
	if (pass.ordered)
		mutex_unlock(&cpu->lock);
	return iter && n;
}

/* Figures of some CPU, at any moment; none of them is known here */
bool rbt_watch(struct rnd_state *rnd)
{
	int cpu = rbt_random_cpu(rnd)->nr;

	ring_buffer_entries(rbt.buffer);
	ring_buffer_overruns(rbt.buffer);
	ring_buffer_bytes_cpu(rbt.buffer, cpu);
	ring_buffer_oldest_event_ts(rbt.buffer, cpu);
	ring_buffer_size(rbt.buffer, cpu);
	ring_buffer_empty(rbt.buffer);
	ring_buffer_empty_cpu(rbt.snapshot, cpu);
	return true;
}
