// SPDX-License-Identifier: GPL-2.0
/*
 * Do at random what can be done to a ring buffer, and the same to a model of it
 * (model.h). After each step all its figures must be those of the model, and all
 * that is read must be what the model says comes next.
 *
 *	random [COUNT [SEED]]	COUNT runs, of which SEED is the first
 *	random -t SECONDS	runs for so long, which begin anywhere
 *
 * A run is repeated by its seed, which a failure tells.
 */
#include "host.h"
#include "host_buffer.h"
#include "model.h"
#include "payload.h"

#define STEPS		400

static u64 seed, state;
static unsigned int step;
static const char *doing;
static struct trace_buffer *buffer, *other;
static struct model model, other_model;
static bool whole_times, recording;
static unsigned int announced;	/* events within others, of which so many are */
static u32 serials;

/* How an event comes to be in another: what is undone behind it. */
enum way_in { SAME_CONTEXT, INTERRUPT, ANNOUNCED };

/**
 * struct open_event - an event that was begun
 * @event:	as ring_buffer_unlock_commit() is not told which one it ends
 * @way_in:	how we came to it
 * @level:	the interrupts that it is in
 * @announced:	how many were announced when it was begun
 * @again:	it, or one around it, is in the context of the one around that
 */
static struct open_event {
	struct ring_buffer_event	*event;
	enum way_in			way_in;
	unsigned int			level, announced;
	bool				again;
} open_events[MODEL_NESTED];

static void fail(const char *what, unsigned long long is, unsigned long long should)
{
	printf("# seed %llu, step %u, %s: %s is %llu, and not %llu\n", seed, step, doing, what,
	       is, should);
	fflush(NULL);
	abort();
}

static void check(const char *what, unsigned long long is, unsigned long long should)
{
	if (is != should)
		fail(what, is, should);
}

static u32 draw(u32 below)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (u32)(state >> 32) % below;
}

static bool chance(u32 of)
{
	return !draw(of);
}

/* The clock: mostly by little or not at all, sometimes by what an event cannot tell, or back. */
u64 sched_clock_noinstr(void)
{
	return host_time;
}

static void tick(void)
{
	u64 back;

	host_time += chance(3) ? 0 : draw(1000);
	if (chance(40))
		host_time += 1ULL << (25 + draw(14));
	back = chance(60) ? 1ULL << draw(36) : 0;
	host_time -= min(host_time, back);
}

static bool overwrites(void)
{
	return buffer->flags & RB_FL_OVERWRITE;
}

/* All lengths, and often those that leave little or nothing of a sub-buffer. */
static u32 some_length(void)
{
	u32 left = model.tail ? model.room - model.tail->used : 0;

	switch (draw(8)) {
	case 0:
		return 8 + draw(model.room);
	case 1:
		return left > 40 ? left - draw(24) : 8 + draw(16);
	case 2:
		return 8 + draw(1000);
	case 3:
		return 100 + draw(24);
	default:
		return 8 + draw(40);
	}
}

static void check_data(struct payload *data, u32 length, u32 serial)
{
	u32 i;

	check("serial number", data->serial, serial);
	check("length in the data", data->length, length);
	for (i = 0; i < length - sizeof(*data); i++)
		check("data", data->fill[i], (u8)(serial + i));
}

static bool is_too_long(u32 length, u32 attached)
{
	return model_size(length, attached) > model.room - (whole_times ? 8 : 0);
}

/* The event of the model for what is about to be written, or NULL if it is refused. */
static struct model_event *expect_event(u32 length, u32 attached)
{
	struct model_event *event;

	if (!recording || is_too_long(length, attached))
		return NULL;
	event = model_reserve(&model, length, attached, host_time, overwrites(), whole_times);
	if (event)
		event->serial = serials++;
	return event;
}

/* Is what comes now in the context of the innermost open event? */
static bool is_again(void)
{
	struct open_event *outer;

	if (!model.nr_open)
		return false;
	/* of the outermost event it is not known if it was announced, nor in what it is */
	if (model.nr_open == 1)
		return !host_context && !announced;
	outer = &open_events[model.nr_open - 1];
	return host_context == outer->level && announced == outer->announced;
}

/* One is let pass, and no other in that: it would be a tracer that traces itself. */
static bool is_recursion(void)
{
	return model.nr_open && is_again() && open_events[model.nr_open - 1].again;
}

static enum way_in enter(void)
{
	enum way_in way_in = draw(3);

	if (way_in == INTERRUPT && host_context == 3)
		way_in = SAME_CONTEXT;
	if (way_in == INTERRUPT)
		host_context++;
	if (way_in == ANNOUNCED) {
		ring_buffer_nest_start(buffer);
		announced++;
	}
	return way_in;
}

static void leave(enum way_in way_in)
{
	if (way_in == INTERRUPT)
		host_context--;
	if (way_in == ANNOUNCED) {
		announced--;
		ring_buffer_nest_end(buffer);
	}
}

/* False: it was refused. */
static bool reserve_here(enum way_in way_in)
{
	bool again = is_again(), outer = model.nr_open && open_events[model.nr_open - 1].again;
	u32 length = some_length();
	struct ring_buffer_event *event;
	struct model_event *expected;

	if (is_recursion() || model.nr_open == MODEL_NESTED) {
		check("an event too deep", !!ring_buffer_lock_reserve(buffer, length), false);
		return false;
	}
	expected = expect_event(length, 0);
	event = ring_buffer_lock_reserve(buffer, length);
	check("reserved", !!event, !!expected);
	if (!event)
		return false;
	open_events[model.nr_open - 1] = (struct open_event){
		.event = event, .way_in = way_in, .level = host_context,
		.announced = announced, .again = again || outer,
	};
	check("time stamp", ring_buffer_event_time_stamp(buffer, event), expected->time);
	fill_payload(ring_buffer_event_data(event), expected->serial, length);
	return true;
}

static void reserve(void)
{
	enum way_in way_in = enter();

	if (!reserve_here(way_in))
		leave(way_in);
}

static void commit(void)
{
	if (!model.nr_open)
		return;
	model_commit(&model);
	ring_buffer_unlock_commit(buffer);
	leave(open_events[model.nr_open].way_in);
}

static void discard(void)
{
	if (!model.nr_open)
		return;
	model_discard(&model);
	ring_buffer_discard_commit(buffer, open_events[model.nr_open].event);
	leave(open_events[model.nr_open].way_in);
}

/* Whole, in line where that can be. */
static void put(void)
{
	u32 length = chance(3) ? some_length() : PUT_LENGTH;
	u32 attached = chance(2) ? 0 : ALIGN(some_length(), 4);
	struct model_event *expected;

	/* whether it has a frame, of which there may be no more, is not told */
	if (model.nr_open == MODEL_NESTED || is_recursion())
		return;
	expected = expect_event(length, attached);
	check("put", put_payload(buffer, expected ? expected->serial : 0, length, attached),
	      !!expected);
	if (expected)
		model_commit(&model);
}

static void check_event(struct ring_buffer_event *event, u64 time, struct model_event *expected)
{
	check("length", ring_buffer_event_length(event), ALIGN(expected->length, 4));
	check("time", time, expected->time);
	check_data(ring_buffer_event_data(event), expected->length, expected->serial);
}

/* Those that were discarded, and the reader passes over. */
static struct model_event *next_kept(void)
{
	struct model_event *event;

	while ((event = model_next(&model)) && event->state != MODEL_KEPT)
		model_pass(&model);
	return event;
}

static void check_attached(struct ring_buffer_attached *attached, struct model_event *expected)
{
	check("attached", is_attached(attached, expected->serial, expected->attached), true);
}

static void peek(void)
{
	struct model_event *expected = next_kept();
	struct ring_buffer_attached attached;
	struct ring_buffer_event *event;
	unsigned long lost;
	u64 time;

	event = ring_buffer_peek_attached(buffer, 0, &time, &lost, &attached);
	check("peeked", !!event, !!expected);
	if (!event)
		return;
	check("lost before", lost, model.lost);
	check_event(event, time, expected);
	check_attached(&attached, expected);
}

static bool consume_one(void)
{
	struct model_event *expected = next_kept();
	struct ring_buffer_event *event;
	unsigned long lost;
	u64 time;

	event = ring_buffer_consume(buffer, 0, &time, &lost);
	check("consumed", !!event, !!expected);
	if (!event)
		return false;
	check("lost before", lost, model.lost);
	model.lost = 0;
	check_event(event, time, expected);
	model_pass(&model);
	return true;
}

static void consume(void)
{
	u32 count = chance(8) ? ~0U : draw(60);

	while (count-- && consume_one())
		;
}

/* An iterator goes where the reader would, and takes nothing. */
static void iterate(void)
{
	struct ring_buffer_iter *iter = ring_buffer_read_start(buffer, 0, GFP_KERNEL);
	struct model_sub *sub = model.reader ?: model.oldest;
	u32 i = model.reader ? model.read : 0, shown;
	struct ring_buffer_attached attached;
	struct ring_buffer_event *event;
	u64 time;

	for (; sub; sub = sub == model.reader ? model.oldest : sub->newer, i = 0) {
		shown = model_shown(sub);
		for (; i < sub->count && sub->events[i]->at < shown; i++) {
			if (sub->events[i]->state != MODEL_KEPT)
				continue;
			check("iterator at its end", ring_buffer_iter_empty(iter), false);
			event = ring_buffer_iter_peek(iter, &time);
			check("iterated over", !!event, true);
			check_event(event, time, sub->events[i]);
			ring_buffer_iter_attached(iter, &attached);
			check_attached(&attached, sub->events[i]);
			ring_buffer_iter_advance(iter);
		}
		if (!model_closed(&model, sub))
			break;
	}
	check("iterated over too many", !!ring_buffer_iter_peek(iter, &time), false);
	ring_buffer_read_finish(iter);
}

/* What a sub-buffer that was read says of events that were lost before it. */
static void check_lost(struct rb_subbuf *subbuf, u32 size, u32 room)
{
	unsigned long commit = local_read(&subbuf->commit), lost = 0;

	check("lost some", !!(commit & RB_MISSED), !!model.lost);
	check("tells how many", !!(commit & RB_MISSED_COUNT),
	      model.lost && room - size >= sizeof(lost));
	if (commit & RB_MISSED_COUNT) {
		memcpy(&lost, subbuf->data + size, sizeof(lost));
		check("lost", lost, model.lost);
	}
	model.lost = 0;
}

/*
 * What a reader of a sub-buffer keeps of the times in it.
 *
 * @time:	as readers in the kernel tell it
 * @told:	as programs do, which take what they skip for events that were discarded
 * @ahead:	how much that may be more: 1 for each discarded event, which never says 0, nor
 *		does memory attached at time 0
 */
struct page_times {
	u64 time, told, ahead;
};

static u64 told_behind(struct ring_buffer_event *item, u64 time)
{
	switch (item->type_len) {
	case RINGBUF_TYPE_TIME_EXTEND:
		return time + rb_event_stamp(item);
	case RINGBUF_TYPE_TIME_STAMP:
		return rb_event_stamp(item);
	default:
		return time + item->time_delta;
	}
}

static void check_told(struct ring_buffer_event *event, u32 size, struct page_times *times,
		       struct model_event *expected)
{
	u32 at;

	for (at = 0; at < size; at += rb_event_size((void *)event + at))
		times->told = told_behind((void *)event + at, times->told);
	if (expected->state != MODEL_KEPT || (expected->attached && !expected->time))
		times->ahead++;
	check("time that programs read, too late", times->told > times->time + times->ahead, 0);
	check("time that programs read, too early", times->told < times->time, 0);
}

/* @expected is the next one of the model that is in the sub-buffer which was read. */
static u32 check_in_page(struct rb_subbuf *subbuf, u32 at, struct page_times *times,
			 struct model_event *expected)
{
	struct ring_buffer_event *event = (void *)subbuf->data + at;
	struct ring_buffer_attached attached;

	check("bytes of an event", rb_event_whole(event), expected->size);
	check("all of it", rb_event_within(event, expected->size), expected->size);
	check("a part of it", rb_event_within(event, draw(expected->size)), 0);
	times->time = rb_event_time(event, times->time);
	check_told(event, expected->size, times, expected);
	rb_event_attached(event, &attached);
	check_attached(&attached, expected);
	event = rb_event_behind(event);
	check("kept", rb_event_is_data(event), expected->state == MODEL_KEPT);
	if (rb_event_is_data(event))
		check_event(event, times->time, expected);
	return expected->size;
}

static void check_page(struct rb_subbuf *subbuf, struct model_sub *sub, u32 first, u32 size)
{
	struct page_times times = { .time = subbuf->time_stamp, .told = subbuf->time_stamp };
	u32 at = 0;

	while (at < size)
		at += check_in_page(subbuf, at, &times, sub->events[first++]);
	check("bytes of events", at, size);
}

static u32 copied_size(struct model_sub *sub, u32 room)
{
	u32 size = 0, i;

	for (i = model.read; i < sub->count && sub->events[i]->at < model_shown(sub); i++) {
		if (size + sub->events[i]->size > room)
			break;
		size += sub->events[i]->size;
	}
	return size;
}

static void read_page(void)
{
	u32 header = RB_SUBBUF_HEADER, len = header + 1 + draw(model.room), first, size = 0, i;
	struct buffer_data_read_page *page = NULL;
	bool full = chance(3), whole = false;
	struct model_sub *sub;

	if (!chance(3))
		len = header + model.room;
	check("page to read into", ring_buffer_alloc_read_page(buffer, 0, &page), 0);
	sub = model_reader(&model);
	first = model.read;
	if (sub) {
		whole = !model.read_at && model_closed(&model, sub) && sub->used <= len - header;
		if (whole)
			size = sub->used;
		else if (!full || model_closed(&model, sub))
			size = copied_size(sub, len - header);
	}
	check("a page", !ring_buffer_read_page(buffer, page, len, 0, full), !!size);
	if (size) {
		check("bytes", local_read(&page->subbuf->commit) & ~RB_MISSED_FLAGS, size);
		check_page(page->subbuf, sub, first, size);
		check_lost(page->subbuf, size, model.room);
	}
	if (whole) {
		model_hand_out(&model);
	} else {
		for (i = 0; i < size; i += sub->events[first++]->size)
			model_pass(&model);
	}
	ring_buffer_free_read_page(buffer, 0, page);
}

static u32 room_of(unsigned int order)
{
	return (PAGE_SIZE << order) - RB_SUBBUF_HEADER;
}

static void resize(void)
{
	u32 nr_slots = 1 + draw(chance(4) ? 12 : 5);

	if (model.nr_open)
		return;
	check("resized", ring_buffer_resize(buffer, (unsigned long)nr_slots * model.room, 0), 0);
	model_resize(&model, max(nr_slots, 2U));
}

static void change_order(void)
{
	unsigned int order = draw(2);
	u32 nr_slots;

	if (model.nr_open || buffer->order == order)
		return;
	nr_slots = DIV_ROUND_UP(model.nr_slots * model.room, room_of(order));
	check("order changed", ring_buffer_subbuf_order_set(buffer, order), 0);
	model_reset(&model, max(nr_slots, 2U), room_of(order));
}

static void reset(void)
{
	if (model.nr_open)
		return;
	ring_buffer_reset_cpu(buffer, 0);
	model_reset(&model, model.nr_slots, model.room);
}

static void swap_rings(void)
{
	bool may = model.nr_slots == other_model.nr_slots && model.room == other_model.room &&
		   !model.nr_open && recording;
	struct model swapped;

	if (whole_times)
		return;
	check("swapped", !ring_buffer_swap_cpu(buffer, other, 0), may);
	if (!may)
		return;
	swapped = model;
	model = other_model;
	other_model = swapped;
}

static void change_overwrite(void)
{
	ring_buffer_change_overwrite(buffer, draw(3));
}

static void change_recording(void)
{
	if (recording)
		ring_buffer_record_disable_cpu(buffer, 0);
	else
		ring_buffer_record_enable_cpu(buffer, 0);
	recording = !recording;
}

static void change_times(void)
{
	whole_times = chance(3);
	ring_buffer_set_time_stamp_abs(buffer, whole_times);
}

static void check_figures(void)
{
	struct rb_cpu *cpu = buffer->ring[0];

	check("entries", ring_buffer_entries_cpu(buffer, 0), model_entries(&model));
	check("entries of all", ring_buffer_entries(buffer), model_entries(&model));
	check("overrun", ring_buffer_overrun_cpu(buffer, 0), model.overrun);
	check("overruns", ring_buffer_overruns(buffer), model.overrun);
	check("commit_overrun", ring_buffer_commit_overrun_cpu(buffer, 0), model.commit_overrun);
	check("dropped", ring_buffer_dropped_events_cpu(buffer, 0), model.dropped);
	check("read", ring_buffer_read_events_cpu(buffer, 0), model.read_events);
	check("bytes", ring_buffer_bytes_cpu(buffer, 0), model_bytes(&model));
	check("empty", ring_buffer_empty_cpu(buffer, 0), model_empty(&model));
	check("empty at all", ring_buffer_empty(buffer), model_empty(&model));
	check("time of the oldest", ring_buffer_oldest_event_ts(buffer, 0),
	      model_oldest_time(&model));
	check("dirty pages", ring_buffer_nr_dirty_pages(buffer, 0), model_dirty(&model));
	check("size", ring_buffer_size(buffer, 0), (unsigned long)model.nr_slots * model.room);
	if (model.nr_open)
		return;
	check("open", !!cpu->frame.use || cpu->unusual, false);
	check("preemption", host_preempt_count, (int)HOST_PREEMPT_ZERO);
}

/* What is done, and how often among all. */
static const struct {
	const char *name;
	void (*run)(void);
	u32 share;
} acts[] = {
	{ "reserve", reserve, 300 },
	{ "commit", commit, 280 },
	{ "discard", discard, 60 },
	{ "put", put, 200 },
	{ "peek", peek, 10 },
	{ "consume", consume, 30 },
	{ "iterate", iterate, 10 },
	{ "read-page", read_page, 40 },
	{ "resize", resize, 10 },
	{ "order", change_order, 3 },
	{ "reset", reset, 3 },
	{ "swap", swap_rings, 5 },
	{ "overwrite", change_overwrite, 3 },
	{ "recording", change_recording, 3 },
	{ "times", change_times, 3 },
};

static void act(void)
{
	u32 all = 0, i, drawn;

	for (i = 0; i < ARRAY_SIZE(acts); i++)
		all += acts[i].share;
	drawn = draw(all);
	for (i = 0; drawn >= acts[i].share; i++)
		drawn -= acts[i].share;
	doing = acts[i].name;
	tick();
	acts[i].run();
	/* what is switched off at random is not to stay so */
	if (!recording && chance(8))
		change_recording();
	check_figures();
}

/* All that is open is ended, and all that is there is read. */
static void finish(void)
{
	doing = "the end";
	while (model.nr_open)
		commit();
	check_figures();
	while (consume_one())
		;
	check_figures();
}

static void run(u64 with)
{
	u32 nr_slots;

	seed = with;
	state = seed * 0x9e3779b97f4a7c15ULL + 1;
	draw(1);
	draw(1);
	nr_slots = 2 + draw(4);
	host_time = draw(1000);
	serials = 0;
	whole_times = false;
	recording = true;
	buffer = ring_buffer_alloc(nr_slots * room_of(0), chance(4) ? 0 : RB_FL_OVERWRITE);
	other = ring_buffer_alloc(nr_slots * room_of(0), RB_FL_OVERWRITE);
	model_reset(&model, nr_slots, room_of(0));
	model_reset(&other_model, nr_slots, room_of(0));
	for (step = 0; step < STEPS; step++)
		act();
	finish();
	model_reset(&model, 2, 0);
	model_reset(&other_model, 2, 0);
	ring_buffer_free(buffer);
	ring_buffer_free(other);
}

static unsigned long run_for(long seconds)
{
	long until = time(NULL) + seconds;
	u64 first = time(NULL) * 1000003ULL;
	unsigned long runs = 0;

	while (time(NULL) < until)
		run(first + runs++);
	return runs;
}

static unsigned long run_all(unsigned long count, u64 first)
{
	unsigned long runs;

	for (runs = 0; runs < count; runs++)
		run(first + runs);
	return runs;
}

LIBC int main(int argc, char **argv)
{
	unsigned long runs;

	if (argc > 2 && !strcmp(argv[1], "-t"))
		runs = run_for(strtoul(argv[2], NULL, 0));
	else
		runs = run_all(argc > 1 ? strtoul(argv[1], NULL, 0) : 1000,
			       argc > 2 ? strtoull(argv[2], NULL, 0) : 1);
	printf("ok - random operations: %lu runs of %u\n1..1\n", runs, STEPS);
	return 0;
}
