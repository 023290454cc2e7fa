/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The ring buffer of kernel/trace/ring_buffer_*.c, for spin: one CPU on which
 * writers interrupt one another, and a reader on another CPU. The README says
 * what is checked, and how large.
 *
 * A step is what is between "atomic {" and "}" after it: at most one access to
 * what others can see, and what a writer does with its own. A writer goes on
 * only while no other has interrupted it ("go"). In front of a step is the
 * function that it is of, and its name in ring_buffer_write.c, if it has one.
 *
 * One unit of space here is the space of the shortest event. A sub-buffer has
 * ROOM of them. An event of two units is one that the fast way is not for. A
 * time stamp takes a unit.
 */

#ifndef SLOTS
#define SLOTS		2	/* sub-buffers in the ring */
#endif
#ifndef ROOM
#define ROOM		3	/* units in a sub-buffer */
#endif
#ifndef OVERWRITE
#define OVERWRITE	1
#endif
#ifndef READER
#define READER		1	/* reads beside the writers; else when they are done */
#endif
/* What a task, an interrupt and an NMI write, and how many of it. */
#define SHORT		1	/* ring_buffer_lock_reserve(), to keep */
#define LONG		2	/* the same, too long for the fast way */
#define PUT		4	/* ring_buffer_put_begin() */
#define DISCARD		8	/* ring_buffer_lock_reserve(), to discard */
#ifndef EVENTS0
#define EVENTS0		2
#define KINDS0		SHORT
#endif
#ifndef EVENTS1
#define EVENTS1		1
#define KINDS1		SHORT
#endif
#ifndef EVENTS2
#define EVENTS2		0
#define KINDS2		SHORT
#endif
/* What the task writes before anyone interrupts or reads. */
#ifndef EVENTS_FIRST
#define EVENTS_FIRST	0
#endif
#define EVENTS		(EVENTS_FIRST + EVENTS0 + EVENTS1 + EVENTS2)
/* Time: what the word has of it, and what an event can tell without a stamp. */
#ifndef TIME
#define TIME		0
#endif
#if TIME
#define PERIOD		4	/* 2^32 ns */
#define DELTA_MAX	1	/* RB_DELTA_MAX */
#else
#define PERIOD		256
#define DELTA_MAX	31
#endif
#define EPOCH(time)	((time) / PERIOD)
#ifndef BACK
#define BACK		0	/* the clock may go back */
#endif

#define SIZE		(ROOM + 1)	/* of a sub-buffer, with its header; a power of 2 */
#define NR_PAGES	(SLOTS + 1)
#define NR_USES		(2 * NR_PAGES)
#define BEFORE		NR_USES		/* rb_cpu.before */
#define NONE		(NR_USES + 1)
#define MOD(x)		((x) & 255)	/* positions and laps are modulo this */

/*
 * Memory that both CPUs see. rb_page.use[lap & 1] of page p is use 2p or 2p+1.
 */
#define COMMIT(u)	(u)
#define END(u)		(NR_USES + 1 + PAGE(u))
#define TIME_STAMP(p)	(NR_USES + 1 + NR_PAGES + 1 + (p))
#define SLOT(s)		(TIME_STAMP(NR_PAGES) + (s))
#define OVERRUN		SLOT(SLOTS)
#define HEADER(p, unit)	(OVERRUN + 1 + 2 * (ROOM * (p) + (unit)))
#define BODY(p, unit)	(HEADER(p, unit) + 1)
#define PLACES		HEADER(NR_PAGES, 0)

#define USE(p, lap)	(2 * (p) + ((lap) & 1))
#define PAGE(u)		((u) / 2)
#define ODD(u)		((u) == BEFORE || (u) % 2 == 1)
#define SLOT_VALUE(lap, p) (8 * (lap) + (p))
#define SLOT_LAP(value)	((value) / 8)
#define SLOT_PAGE(value) ((value) % 8)
#define SLOT_USE(value)	USE(SLOT_PAGE(value), SLOT_LAP(value))

/*
 * What is stored last is in newest[]: the writers see that, as they are on one
 * CPU. Of what the reader's CPU knows, least[] is the oldest that it may find
 * after a read barrier, and seen[] the oldest that it may find without one.
 * Each of its loads may find that, or anything newer that there is. Stores may
 * so become visible in any order, but for a write barrier; loads may be done
 * in any order, but for a read barrier. That is weaker than what x86 does.
 */
byte newest[PLACES];
#if READER
byte least[PLACES];
byte seen[PLACES];
byte place;	/* always 0 between steps */
#endif

inline wmb()
{
#if READER
	place = 0;
	do
	:: place < PLACES -> least[place] = newest[place]; place++
	:: else -> break
	od;
	place = 0
#else
	skip
#endif
}

inline rmb()
{
#if READER
	place = 0;
	do
	:: place < PLACES -> seen[place] = least[place]; place++
	:: else -> break
	od;
	place = 0
#else
	skip
#endif
}

/* A load of the reader. */
inline load(to, where)
{
#if READER
	if
	:: seen[where] != newest[where] -> to = seen[where]
	:: least[where] != newest[where] && seen[where] != least[where] ->
		seen[where] = least[where];
		to = seen[where]
	:: true ->
		least[where] = newest[where];
		seen[where] = newest[where];
		to = newest[where]
	fi
#else
	to = newest[where]
#endif
}

/* A store of the reader, to what the writers do not know yet. */
inline store(where, what)
{
	newest[where] = what;
#if READER
	least[where] = newest[where];
	seen[where] = newest[where]
#endif
}

/* What only the writers see. */
byte word_pos, word_stamp;		/* rb_cpu.word */
bool fast;				/* rb_cpu.fast */
byte tail = BEFORE;
byte frame_use = NONE, frame_time, frame_end;
bool inner, fills;
byte deep;
byte saved_use[2], saved_time[2], saved_end[2];
bool saved_inner[2];
byte noted;				/* epoch of rb_cpu.limit */
byte ahead_pos[3], ahead_stamp[3], ahead_epoch[3]; /* rb_cpu.ahead */
byte entries[NR_USES + 1], page_slot[NR_PAGES + 1];
bool begun[NR_USES + 1];		/* has it a brim? */
byte closed_entries;			/* rb_cpu.entries */
byte closing = NONE, closing_total;	/* rb_cpu.closing */
byte kept_entries, shut_entries;	/* all that are kept; of those, in uses seen closed */
byte refused_full, refused_round;	/* rb_cpu.dropped, commit_overrun */

/* Who runs: 0 the task, 1 the interrupt, 2 the NMI. */
byte level;
byte left[3];		/* what they have to write */
byte caller[3];		/* whom they interrupted */
bool done;		/* the task is */
bool ready;		/* the first events are written */
byte clock = 1;
bool disturbed[3];	/* there is a reason to try again */

/* The events: by the order in which they began, from 1 on. */
#define REFUSED		0
#define OPEN		1
#define KEPT		2
#define DISCARDED	3
#define READ		4
byte serial;
byte state[EVENTS + 1];
byte told[EVENTS + 1];	/* the time that the writer was told */
byte refused_long;	/* could never fit */

/* Event headers: type and delta. */
#define DATA		1	/* and 2: that many units */
#define PADDING		3	/* and 4 */
#define EXTEND		5
#define HEADER_OF(type, delta)	((type) + 8 * ((delta) % (DELTA_MAX + 1)))
#define TYPE_OF(header)	((header) % 8)
#define DELTA_OF(header) ((header) / 8)

/* rb_tag(), rb_use_tag(), rb_use_size(): what a commit tells, which is loaded once */
#define SIZE_OF(commit)	((commit) % SIZE)
#define TAG_OF(commit)	((commit) - SIZE_OF(commit))
#define tag_of(u)	TAG_OF(newest[COMMIT(u)])
#define closed(u)	(SIZE_OF(newest[COMMIT(u)]) == ROOM)

#define word_is(p, s)	(word_pos == (p) && word_stamp == (s))

/* rb_use_ready() */
inline use_ready(u, tag_)
{
	begun[u] = false;
	newest[COMMIT(u)] = MOD(tag_);
	entries[u] = 0
}

/* rb_committed(), by whoever interrupts a writer or is on another CPU */
#define committed (closed_entries + \
	(closed(tail) || (closing == tail && closing_total == closed_entries) -> 0 : entries[tail]))
/* no event counts twice; none is missing but those of a use that was left with one open */
#define committed_right (committed <= kept_entries && \
	committed >= shut_entries + (closed(tail) -> 0 : entries[tail]))

/* rb_use_lap(), of a use in a slot that has lap @lap_ */
#define lap_of(u, lap_)	(ODD(u) == ((lap_) % 2 == 1) -> (lap_) : MOD((lap_) - 1))

/* rb_use.brim: may a short event of @u end at position @end_? */
#define brim(u)		(MOD(tag_of(u) + ROOM) > 254 -> 0 : MOD(tag_of(u) + ROOM))
#define below_brim(u, end_) (begun[u] && brim(u) > (end_))

/* rb_find_slot(): the slot of @pos, counted from @use before or behind */
#define distance(pos, use) MOD((pos) - tag_of(use))
#define slot_of(pos, use) \
	((page_slot[PAGE(use)] + SLOTS * 256 + (distance(pos, use) < 128 -> distance(pos, use) / SIZE : \
	  -((256 - distance(pos, use) + SIZE - 1) / SIZE))) % SLOTS)

/* rb_delta(): the time since the event before, if it is short */
#define since(now_, stamp_) ((now_) - noted * PERIOD - (stamp_))
#define short_since(now_, stamp_) \
	(EPOCH(now_) <= noted && since(now_, stamp_) >= 0 && since(now_, stamp_) <= DELTA_MAX)

/* rb_note_epoch() */
#define note_epoch(epoch_) noted = ((epoch_) > noted -> (epoch_) : noted)

#include "writer.pml"
#include "reader.pml"

init {
	byte i;

	/* rb_ring_start(), rb_start_before() */
	atomic {
		do
		:: i < SLOTS ->
			newest[SLOT(i)] = SLOT_VALUE(0, i + 1);
			use_ready(USE(i + 1, 0), i * SIZE);
			page_slot[i + 1] = i;
			i++
		:: else -> break
		od;
		newest[COMMIT(BEFORE)] = MOD(-SIZE + ROOM);
		page_slot[PAGE(BEFORE)] = SLOTS - 1;
		word_pos = MOD(-SIZE + ROOM);
		i = 0;
		wmb();
		rmb();
		left[0] = EVENTS_FIRST + EVENTS0;
		left[1] = EVENTS1;
		left[2] = EVENTS2;
		run writer(0, KINDS0);
		run writer(1, KINDS1);
		run writer(2, KINDS2);
		run reader()
	}
}
