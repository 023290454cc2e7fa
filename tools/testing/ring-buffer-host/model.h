/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What a ring has to do, written down once more and as plainly as can be: lists
 * of sub-buffers and of events, and every figure added up from them. Nothing here
 * is of the ring buffer's sources.
 */
#ifndef MODEL_H
#define MODEL_H

#include "host.h"

#define MODEL_EVENTS	1024	/* of 8 bytes or more, in two pages */
#define MODEL_NESTED	8

enum model_state { MODEL_OPEN, MODEL_KEPT, MODEL_PADDING };

/**
 * struct model_event - an event that has bytes in a sub-buffer
 * @state:	is it being written, to be read, or to be skipped?
 * @at:		where it begins
 * @size:	bytes, with the time stamp before it
 * @length:	bytes of its data
 * @attached:	bytes that are attached to it
 * @serial:	what it says
 * @delta:	time since the event before, or U64_MAX where that is not told
 * @time:	its time
 * @sub:	where it is
 */
struct model_event {
	enum model_state	state;
	u32			at, size, length, attached, serial;
	u64			delta, time;
	struct model_sub	*sub;
};

/**
 * struct model_sub - a sub-buffer with events
 * @newer:	the one that was begun after it
 * @used:	bytes
 * @left:	the writer has gone on to the next
 * @time:	of the first event that was begun in it
 * @first:	its first event
 * @count:	how many it has
 */
struct model_sub {
	struct model_sub	*newer;
	u32			used;
	bool			left;
	u64			time;
	struct model_event	*events[MODEL_EVENTS];
	u32			count;
};

/**
 * struct model - a ring
 * @reader:	the sub-buffer that the reader has, or NULL
 * @oldest:	the oldest that the reader has not, or NULL
 * @tail:	the newest, or NULL
 * @read:	events of the reader's, and
 * @read_at:	its bytes, that were read
 * @nr_slots:	how many there may be besides the reader's
 * @room:	bytes of a sub-buffer
 * @last_time:	of the event that was begun last and is still there
 * @open:	events that are open, outermost first
 */
struct model {
	struct model_sub	*reader, *oldest, *tail;
	u32			read, read_at;
	u32			nr_slots, room;
	u64			last_time;
	struct model_event	*open[MODEL_NESTED];
	u32			nr_open;

	unsigned long		overrun, commit_overrun, dropped;
	unsigned long		read_events, read_bytes, lost_bytes;
	unsigned long		gone_entries, gone_bytes;
	unsigned long		reported, lost;
};

/* What a writer does: true if the event could be begun. */
struct model_event *model_reserve(struct model *m, u32 length, u32 attached, u64 time,
				  bool overwrite, bool whole_time);
void model_commit(struct model *m);
void model_discard(struct model *m);

/* What a reader does: the sub-buffer in which there is something to read. */
struct model_sub *model_reader(struct model *m);
struct model_event *model_next(struct model *m);
void model_pass(struct model *m);
void model_hand_out(struct model *m);

void model_resize(struct model *m, u32 nr_slots);
void model_reset(struct model *m, u32 nr_slots, u32 room);

u32 model_size(u32 length, u32 attached);
u32 model_shown(struct model_sub *sub);
bool model_closed(struct model *m, struct model_sub *sub);
unsigned long model_entries(struct model *m);
unsigned long model_bytes(struct model *m);
bool model_empty(struct model *m);
u64 model_oldest_time(struct model *m);
unsigned long model_dirty(struct model *m);

#endif /* MODEL_H */
