// SPDX-License-Identifier: GPL-2.0
/* See model.h. */
#include "model.h"

/* Of the layout, as Documentation/trace/ring-buffer-design.rst has it */
#define WORD		4
#define STAMP		8
#define LONGEST_SHORT	112
#define LONGEST_DELTA	((1U << 27) - 1)

static u32 event_size(u32 length)
{
	return WORD + (length > LONGEST_SHORT ? WORD : 0) + ALIGN(length ?: 1, WORD);
}

/* Bytes of an event, without a time stamp. */
u32 model_size(u32 length, u32 attached)
{
	return (attached ? 3 * WORD + attached : 0) + event_size(length);
}

static bool has_open(struct model_sub *sub)
{
	u32 i;

	for (i = 0; i < sub->count; i++)
		if (sub->events[i]->state == MODEL_OPEN)
			return true;
	return false;
}

/* Up to the first that is open, all may be read. */
u32 model_shown(struct model_sub *sub)
{
	u32 i;

	for (i = 0; i < sub->count; i++)
		if (sub->events[i]->state == MODEL_OPEN)
			return sub->events[i]->at;
	return sub->used;
}

/* No more can come, and all is shown. */
bool model_closed(struct model *m, struct model_sub *sub)
{
	return (sub->left || sub->used == m->room) && !has_open(sub);
}

/*
 * A reader goes there. Nothing may be in it: if all that was in it was discarded,
 * and what came then wanted a sub-buffer of its own.
 */
static bool readable(struct model *m, struct model_sub *sub)
{
	return model_shown(sub) || model_closed(m, sub);
}

static unsigned long kept_in(struct model_sub *sub)
{
	unsigned long kept = 0;
	u32 i;

	for (i = 0; i < sub->count; i++)
		kept += sub->events[i]->state == MODEL_KEPT;
	return kept;
}

static void forget(struct model *m, struct model_sub *sub)
{
	u32 i;

	m->gone_entries += kept_in(sub);
	m->gone_bytes += sub->used;
	if (m->tail == sub)
		m->tail = NULL;
	for (i = 0; i < sub->count; i++)
		free(sub->events[i]);
	free(sub);
}

/* The oldest sub-buffer is to be written over. */
static void overwrite_oldest(struct model *m)
{
	struct model_sub *sub = m->oldest;

	m->overrun += kept_in(sub);
	m->lost_bytes += sub->used;
	m->oldest = sub->newer;
	forget(m, sub);
}

static u32 in_ring(struct model *m)
{
	struct model_sub *sub;
	u32 n = 0;

	for (sub = m->oldest; sub; sub = sub->newer)
		n++;
	return n;
}

/* What counts those that are refused, if no other sub-buffer may be begun; else NULL. */
static unsigned long *refusal(struct model *m, bool overwrite)
{
	if (in_ring(m) < m->nr_slots)
		return NULL;
	if (!overwrite)
		return &m->dropped;
	return model_closed(m, m->oldest) ? NULL : &m->commit_overrun;
}

static void begin_sub(struct model *m, u64 time)
{
	struct model_sub *sub;

	if (in_ring(m) == m->nr_slots)
		overwrite_oldest(m);
	sub = host_alloc(sizeof(*sub));
	sub->time = time;
	if (m->tail) {
		m->tail->left = true;
		m->tail->newer = sub;
	}
	m->tail = sub;
	if (!m->oldest)
		m->oldest = sub;
}

static bool fits(struct model *m, u32 bytes)
{
	return m->tail && m->tail->used + bytes <= m->room;
}

/**
 * model_reserve - begin an event
 * @m: the ring
 * @length: bytes of data
 * @attached: bytes that are attached to it
 * @time: the time
 * @overwrite: whether the oldest events make room
 * @whole_time: whether it tells the whole time
 *
 * Return: the event, or NULL if it is refused.
 */
struct model_event *model_reserve(struct model *m, u32 length, u32 attached, u64 time,
				  bool overwrite, bool whole_time)
{
	u32 size = model_size(length, attached), whole = whole_time ? STAMP : 0, stamp = whole;
	/* memory that is attached cannot tell that no time has passed: a stamp does */
	u32 still = attached && m->last_time ? STAMP : whole;
	bool back = m->tail && time < m->last_time;
	u64 delta = back ? 0 : time - m->last_time;
	struct model_event *event;
	unsigned long *refused;

	if (delta > LONGEST_DELTA)
		stamp = STAMP;
	else if (!delta)
		stamp = still;
	if (back && !m->tail->used) {
		m->tail->time = time;
		stamp = whole;
	} else if (back || !fits(m, size + stamp)) {
		/* the sub-buffer tells the time of its first event */
		delta = 0;
		refused = refusal(m, overwrite);
		if (!refused) {
			begin_sub(m, time);
			stamp = whole;
		} else if (back && fits(m, size + still)) {
			/* better at another time than not at all */
			time = m->last_time;
			stamp = still;
		} else {
			(*refused)++;
			return NULL;
		}
	}
	event = host_alloc(sizeof(*event));
	event->state = MODEL_OPEN;
	event->at = m->tail->used;
	event->size = size + stamp;
	event->length = length;
	event->attached = attached;
	event->delta = whole_time ? ~0ULL : delta;
	event->time = time;
	event->sub = m->tail;
	m->tail->events[m->tail->count++] = event;
	m->tail->used += event->size;
	m->last_time = time;
	m->open[m->nr_open++] = event;
	return event;
}

void model_commit(struct model *m)
{
	m->open[--m->nr_open]->state = MODEL_KEPT;
}

/* Its bytes are used again where nothing is behind it, and the time before is known. */
void model_discard(struct model *m)
{
	struct model_event *event = m->open[--m->nr_open];
	struct model_sub *sub = m->tail;
	u64 before = event->time - event->delta;

	event->state = MODEL_PADDING;
	if (event->delta == ~0ULL || before >> 32 != event->time >> 32 || event->sub != sub ||
	    sub->events[sub->count - 1] != event)
		return;
	m->last_time = before;
	sub->used -= event->size;
	sub->count--;
	free(event);
}

static void let_go(struct model *m)
{
	struct model_sub *sub = m->reader;

	m->reader = NULL;
	m->read = 0;
	m->read_at = 0;
	if (!sub)
		return;
	forget(m, sub);
}

struct model_sub *model_reader(struct model *m)
{
	struct model_sub *next = m->oldest;

	if (m->reader) {
		if (m->read_at < model_shown(m->reader))
			return m->reader;
		if (!model_closed(m, m->reader))
			return NULL;
	}
	if (!next || !readable(m, next))
		return NULL;
	let_go(m);
	m->reader = next;
	m->oldest = next->newer;
	m->lost += m->overrun - m->reported;
	m->reported = m->overrun;
	return model_reader(m);
}

/* Of those that were not read, whatever it is. */
struct model_event *model_next(struct model *m)
{
	return model_reader(m) ? m->reader->events[m->read] : NULL;
}

void model_pass(struct model *m)
{
	struct model_event *event = m->reader->events[m->read++];

	m->read_at += event->size;
	m->read_bytes += event->size;
	m->read_events += event->state == MODEL_KEPT;
}

/* The reader's sub-buffer, closed and unread, is given away as it is. */
void model_hand_out(struct model *m)
{
	m->read_events += kept_in(m->reader);
	m->read_bytes += m->reader->used;
	let_go(m);
}

void model_resize(struct model *m, u32 nr_slots)
{
	m->nr_slots = nr_slots;
	while (in_ring(m) > nr_slots)
		overwrite_oldest(m);
}

void model_reset(struct model *m, u32 nr_slots, u32 room)
{
	struct model_sub *sub;

	let_go(m);
	while ((sub = m->oldest)) {
		m->oldest = sub->newer;
		forget(m, sub);
	}
	memset(m, 0, sizeof(*m));
	m->nr_slots = nr_slots;
	m->room = room;
}

/* Those in sub-buffers that were left while an event is open in them do not count. */
static bool counts(struct model *m, struct model_sub *sub)
{
	return sub == m->tail || model_closed(m, sub);
}

unsigned long model_entries(struct model *m)
{
	long entries = m->gone_entries - m->overrun - m->read_events;
	struct model_sub *sub;

	if (m->reader && counts(m, m->reader))
		entries += kept_in(m->reader);
	for (sub = m->oldest; sub; sub = sub->newer)
		if (counts(m, sub))
			entries += kept_in(sub);
	return max(entries, 0L);
}

unsigned long model_bytes(struct model *m)
{
	long bytes = m->gone_bytes - m->lost_bytes - m->read_bytes;
	struct model_sub *sub;

	if (m->reader && counts(m, m->reader))
		bytes += model_shown(m->reader);
	for (sub = m->oldest; sub; sub = sub->newer)
		if (counts(m, sub))
			bytes += model_shown(sub);
	return max(bytes, 0L);
}

bool model_empty(struct model *m)
{
	if (m->reader) {
		if (m->read_at < model_shown(m->reader))
			return false;
		if (!model_closed(m, m->reader))
			return true;
	}
	return !m->oldest || !readable(m, m->oldest);
}

/* The time of the first event in it. A short one that was discarded tells 1 for 0. */
static u64 first_time(struct model_sub *sub)
{
	struct model_event *first = sub->count ? sub->events[0] : NULL;

	if (!first || first->state == MODEL_OPEN)
		return sub->time;
	return first->time + (first->state == MODEL_PADDING && first->length <= WORD &&
			      (!first->delta || first->delta == ~0ULL));
}

/* The time of the first event in what is read next, 0 if there is nothing. */
u64 model_oldest_time(struct model *m)
{
	if (m->reader && (m->read_at < model_shown(m->reader) || !model_closed(m, m->reader)))
		return first_time(m->reader);
	return m->oldest && readable(m, m->oldest) ? first_time(m->oldest) : 0;
}

unsigned long model_dirty(struct model *m)
{
	u32 n = in_ring(m);

	return n ? n - 1 : 0;
}
