// SPDX-License-Identifier: GPL-2.0
/*
 * What reading an event takes must not depend on how large the ring is, nor on
 * whether the writer has been round it: accesses to memory are counted, in a
 * small ring and in a large one, both of which were overwritten more than once.
 * Nor must what is done with interrupts off when it is resized.
 * step.c says how accesses are made to call host_step().
 */
#include "host.h"
#include "host_access.h"
#include "host_buffer.h"

#define SMALL_RING	16
#define LARGE_RING	512
#define DATA_BYTES	28U
#define EVENTS_OF_SLOT	((unsigned int)PAGE_SIZE / (DATA_BYTES + RB_HEADER))

static unsigned long accesses;
static unsigned long in_a_row, most_in_a_row;	/* with interrupts off */

void host_step(void)
{
	accesses++;
	in_a_row = host_irqs_off ? in_a_row + 1 : 0;
	most_in_a_row = max(most_in_a_row, in_a_row);
}

u64 sched_clock_noinstr(void)
{
	return host_time += host_tick;
}

static struct trace_buffer *buffer;
static struct ring_buffer_iter *iter;
static struct buffer_data_read_page *page;

static void write_one(void)
{
	struct ring_buffer_event *event = ring_buffer_lock_reserve(buffer, DATA_BYTES);

	memset(ring_buffer_event_data(event), 0, DATA_BYTES);
	ring_buffer_unlock_commit(buffer);
}

static unsigned long consume(void)
{
	unsigned long lost;
	u64 time;

	return !!ring_buffer_consume(buffer, 0, &time, &lost);
}

static unsigned long look(void)
{
	u64 time;

	if (!ring_buffer_iter_peek(iter, &time))
		return 0;
	ring_buffer_iter_advance(iter);
	return 1;
}

/* What the file "trace" asks for at each event. */
static unsigned long look_if_any(void)
{
	if (ring_buffer_empty_cpu(buffer, 0) || ring_buffer_iter_empty(iter))
		return 0;
	return look();
}

/* All figures, at each event. */
static unsigned long look_and_figure(void)
{
	ring_buffer_oldest_event_ts(buffer, 0);
	ring_buffer_entries_cpu(buffer, 0);
	ring_buffer_bytes_cpu(buffer, 0);
	return look();
}

/* An iterator that begins anew at each event. */
static unsigned long look_anew(void)
{
	ring_buffer_iter_reset(iter);
	return look();
}

static unsigned long read_page(size_t len)
{
	unsigned long before = buffer->ring[0]->read_events;

	if (ring_buffer_read_page(buffer, page, len, 0, 0))
		return 0;
	return buffer->ring[0]->read_events - before;
}

static unsigned long hand_out(void)
{
	return read_page(PAGE_SIZE);
}

static unsigned long copy(void)
{
	return read_page(PAGE_SIZE / 4);
}

static const struct way {
	const char *name;
	unsigned long (*read)(void);
} ways[] = {
	{ "consume", consume },
	{ "look", look },
	{ "look-if-any", look_if_any },
	{ "look-and-figure", look_and_figure },
	{ "look-anew", look_anew },
	{ "hand-out", hand_out },
	{ "copy", copy },
};

/* Two rounds and three quarters: the oldest is not where the reader was. */
static void write_rounds(unsigned long nr_slots)
{
	unsigned long i;

	buffer = host_buffer_alloc(nr_slots, RB_FL_OVERWRITE, 0);
	for (i = 0; i < nr_slots * EVENTS_OF_SLOT * 11 / 4; i++)
		write_one();
}

/* Accesses for a thousand events. */
static unsigned long cost(const struct way *way, unsigned long nr_slots)
{
	unsigned long events = 0, now;

	write_rounds(nr_slots);
	iter = ring_buffer_read_start(buffer, 0, GFP_KERNEL);
	ring_buffer_alloc_read_page(buffer, 0, &page);
	accesses = 0;
	do {
		now = way->read();
		events += now;
	} while (now && events < 3 * nr_slots * EVENTS_OF_SLOT / 4);
	ring_buffer_free_read_page(buffer, 0, page);
	page = NULL;
	ring_buffer_read_finish(iter);
	host_buffer_free(buffer);
	/* of 32 bits, and without a division of 64 */
	return events ? accesses / events * 1000 + accesses % events * 1000 / events : 0;
}

/* Most accesses with interrupts off, as the ring gets @times_4 / 4 of its size. */
static unsigned long cost_of_resizing(unsigned long nr_slots, unsigned long times_4)
{
	write_rounds(nr_slots);
	most_in_a_row = 0;
	ring_buffer_resize(buffer, nr_slots * times_4 / 4 * rb_subbuf_room(0), 0);
	host_buffer_free(buffer);
	return most_in_a_row;
}

static bool check(const char *name, unsigned long small, unsigned long large, const char *of)
{
	/* what is done once for each ring is more of what is done in a small one */
	bool good = small && large && large <= small + small / 50;

	printf("%s - %s: %lu and %lu accesses %s, of %d sub-buffers and of %d\n",
	       good ? "ok" : "not ok", name, small, large, of, SMALL_RING, LARGE_RING);
	fflush(NULL);
	return good;
}

static bool check_way(const struct way *way)
{
	return check(way->name, cost(way, SMALL_RING), cost(way, LARGE_RING), "for 1000 events");
}

static bool check_resizing(const char *name, unsigned long times_4)
{
	return check(name, cost_of_resizing(SMALL_RING, times_4),
		     cost_of_resizing(LARGE_RING, times_4), "with interrupts off");
}

LIBC int main(void)
{
	unsigned int failed = 0, i;

	for (i = 0; i < ARRAY_SIZE(ways); i++)
		failed += !check_way(&ways[i]);
	failed += !check_resizing("resize-more", 6);
	failed += !check_resizing("resize-less", 2);
	printf("1..%u\n", i + 2);
	return failed;
}
