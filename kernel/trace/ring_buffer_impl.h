/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the files of the ring buffer share. The design, its states and
 * invariants are written down in ring_buffer_write.c.
 */
#ifndef _TRACE_RING_BUFFER_IMPL_H
#define _TRACE_RING_BUFFER_IMPL_H

#include <linux/atomic.h>
#include <linux/build_bug.h>
#include <linux/cache.h>
#include <linux/cpumask.h>
#include <linux/irq_work.h>
#include <linux/limits.h>
#include <linux/mutex.h>
#include <linux/notifier.h>
#include <linux/percpu.h>
#include <linux/ring_buffer.h>
#include <linux/spinlock.h>
#include <linux/types.h>
#include <linux/wait.h>
#include <linux/workqueue.h>

#include <asm/local.h>

#include "ring_buffer_page.h"

/*
 * Events of one CPU that may be begun and not yet committed, one in another: of a
 * task, soft and hard interrupts and an NMI, one more, and those that are announced.
 */
#define RB_NEST_MAX	8

/*
 * Sub-buffers that nested writers may begin while an outer event is open.
 * Keeps positions, which wrap at 4 GB, comparable: less than 2 GB apart.
 */
#define RB_FAR_MAX(size)	(0x40000000U / (size))

/* Positions and the file formats have room for a sub-buffer of 1 MB. */
#define RB_MAX_ORDER	(20 - PAGE_SHIFT)

/**
 * struct rb_use - one filling of a sub-buffer
 * @base:	address of position 0, as it were: of the data, less the tag.
 *		0 while the use is made ready
 * @commit:	position up to which readers may read; the end of the data: closed
 * @brim:	an event must end before this position to be written the fast way; 0
 *		until it is begun, after a swap, and where positions wrap around
 * @entries:	committed events, discarded ones not counted
 *
 * A page has two, used in turn, so that the next one is ready before any
 * writer can need it: see "Two uses a page" in ring_buffer_write.c.
 */
struct rb_use {
	unsigned long		base;
	u32			commit;
	u32			brim;
	local_t			entries;
};

/* Of a page. Its own size, so that a use tells whose it is, and which. */
#define RB_PAGE_SIZE	64

/**
 * struct rb_page - a sub-buffer, filled or free
 * @in_slot:	not of this sub-buffer: what the slot with this page's number
 *		has, see rb_slot_at()
 * @use:	its two uses, in turn by the lowest bit of the lap
 * @slot:	place in the ring of the one that is filled or was last
 * @end:	bytes of events of that one; valid once it is closed
 *
 * There is one for each sub-buffer, so it must be small: it has no field whose
 * value can be found in another way.
 */
struct rb_page {
	atomic64_t		in_slot;
	struct rb_use		use[2];
	u32			slot;
	u32			end;
} __aligned(RB_PAGE_SIZE);

static_assert(sizeof(struct rb_page) == RB_PAGE_SIZE);

/* A slot by itself, as far from the next one as in an array of pages. */
struct rb_in_slot {
	atomic64_t		in_slot;
} __aligned(RB_PAGE_SIZE);

/**
 * struct rb_frame - an event begun and not yet committed
 * @use:	where it is; before it is written, a mark only
 * @time:	its time stamp
 * @end:	position behind it
 * @inner:	what rb_cpu.inner was, while the frame is put aside
 * @context:	see rb_context(); of the outermost event, 0: it is not known
 * @again:	it, or one around it, was begun in the context of the one around that
 */
struct rb_frame {
	struct rb_use		*use;
	u64			time;
	u32			end;
	bool			inner;
	u8			context;
	bool			again;
};

/**
 * struct rb_waiters - those who wait for events of a CPU, or of any
 * @work:	wakes them
 * @any:	wait for any event
 * @full:	wait for a part of the ring to be full; of a CPU only
 * @wakeups:	how often they were woken
 * @full_wanted: someone is in @full
 * @full_due:	what someone in @full waits for has come
 * @waking:	of a CPU: how often it is about to wake someone, one time within another
 */
struct rb_waiters {
	struct irq_work		work;
	wait_queue_head_t	any;
	wait_queue_head_t	full;
	atomic_t		wakeups;
	bool			full_wanted;
	bool			full_due;
	u8			waking;
};

/* Each kind of context may be about to wake someone */
#define RB_WAKE_MOST	4

/**
 * struct rb_reader - the place of the consuming reader
 * @page:	the sub-buffer that the reader owns
 * @index:	its number
 * @subbuf:	its memory
 * @use:	its filling that is being read
 * @closed:	it was closed when it was last looked at
 * @size:	bytes of events that were in it then
 * @read:	bytes of it that were read
 * @slot:	the place in the ring where the next one will be
 * @lap:	the lap in which it will be there
 * @time:	time stamp of the event last read
 * @overrun:	overwritten events that were reported
 * @lost:	overwritten events not yet reported
 * @turn:	changes whenever events were consumed or the ring was changed
 */
struct rb_reader {
	struct rb_page		*page;
	struct rb_subbuf	*subbuf;
	struct rb_use		*use;
	u32			index;
	bool			closed;
	u32			size;
	u32			read;
	u32			slot;
	u32			lap;
	u64			time;
	unsigned long		overrun;
	unsigned long		lost;
	unsigned long		turn;
};

struct rb_meta;

/* Is an event announced, and on which side of the epoch that is noted is its own? */
enum rb_ahead_kind { RB_NONE_AHEAD, RB_LATER_AHEAD, RB_EARLIER_AHEAD };

/**
 * struct rb_ahead - an event that is about to begin, in another epoch than is noted
 * @word:	the word that it will make
 * @epoch:	upper half of its time
 * @kind:	whether there is one; set last, and cleared first
 */
struct rb_ahead {
	u64			word;
	u32			epoch;
	enum rb_ahead_kind	kind;
};

/**
 * struct rb_tables - the sub-buffers of a ring
 * @nr_slots:	how many are in the ring
 * @order:	their order
 * @pages:	all of them, @nr_slots and the reader's
 * @slots:	the ring: in @pages, or where it outlives the kernel
 */
struct rb_tables {
	u32			nr_slots;
	unsigned int		order;
	struct rb_page		*pages;
	struct rb_in_slot	*slots;
};

/*
 * The ring of one CPU
 *
 * The first part belongs to the writers of this CPU, the second to who holds
 * @reader_lock.
 */
struct rb_cpu {
	u64			word;		/* position and time, see rb_word() */
	struct trace_buffer	*fast;		/* whose events may take the fast way */
	struct rb_use		*tail;		/* hint: use that @word points into */
	u64			limit;		/* last moment of the epoch, at least */
	struct rb_frame		frame;		/* the innermost open event */
	union {
		struct {
			u8	deep;		/* how many are in @saved */
			bool	full;		/* the event outside of all fills the use */
			bool	live;		/* sub-buffers tell their commit at once */
			bool	inner;		/* @frame is not the oldest open in its use */
		};
		u32		unusual;	/* any of them: commit the slow way */
	};
	union {
		struct {
			bool	wake_cpu;	/* someone waits for events of this CPU */
			bool	wake_all;	/* someone waits for events of any CPU */
		};
		u16		wake;
	};
	u32			far;		/* sub-buffers begun by nested writers */
	u32			size;		/* of a sub-buffer, with its header */
	u32			tag_mask;	/* -@size, see rb_tag() */
	struct rb_tables	tables;
	struct trace_buffer	*buffer;
	atomic_t		record_disabled;
	local_t			entries;	/* in the uses that are closed */
	local_t			overrun;	/* overwritten events */
	local_t			bytes;		/* of the events in the uses that are closed */
	local_t			lost_bytes;	/* of overwritten events */
	local_t			commit_overrun;	/* refused: round the ring */
	local_t			dropped;	/* refused: the ring is full */
	local_t			touched;	/* sub-buffers begun */
	local_t			evicted;	/* sub-buffers overwritten */
	struct rb_frame		saved[RB_NEST_MAX - 1];	/* open ones around @frame */
	struct rb_ahead		ahead[RB_NEST_MAX];	/* by @deep */
	void			*swapped_in;	/* task of the swap that is not over */
	struct rb_use		*closing;	/* whose @entries come to be in ours */
	unsigned long		closing_total;	/* and what ours then are */
	struct rb_subbuf	nothing;	/* what @before has for memory */
	struct rb_page		before;		/* as if it ended before the first */

	raw_spinlock_t		reader_lock ____cacheline_aligned;
	struct rb_reader	reader;
	int			cpu;
	unsigned long		read_events;
	unsigned long		read_bytes;
	unsigned long		taken;		/* sub-buffers that readers took */
	unsigned int		watermark;	/* lowest that someone waits for, percent */
	struct buffer_data_read_page *spare;

	atomic_t		resize_disabled;
	unsigned int		mapped;
	unsigned int		user_mapped;
	struct mutex		mapping_lock;	/* of @user_mapped and what it is about */
	struct trace_buffer_meta *meta_page;
	u32			*map_ids;	/* by rb_page.index */
	struct rb_meta		*meta;

	struct rb_waiters	waiters;
};

struct trace_buffer {
	unsigned int		flags;
	struct rb_cpu		* __percpu *ring;	/* of this CPU, see rb_none */
	atomic_t		record_disabled;
	u64			(*clock)(void);
	unsigned long		max_data;	/* bytes of the longest event's data */
	unsigned int		order;
	bool			time_stamp_abs;
	cpumask_var_t		cpumask;
	atomic_t		resizing;
	struct mutex		mutex;		/* of what is in the rings' tables */
	struct lock_class_key	*lock_key;
	struct hlist_node	node;
	struct rb_waiters	waiters;

	unsigned long		range_start;
	unsigned long		range_end;
	long			last_text_delta;
	long			last_data_delta;
	bool			last_seen;	/* a CPU has told the two */
	bool			last_boot;	/* there are events of it */
	bool			last_other;	/* of which no address means anything here */
	bool			this_boot;	/* there are none, and there will be none */
	struct notifier_block	flush;
};

/* The word: time stamp in the upper half, position in the lower. */
static __always_inline u64 rb_word(u32 pos, u32 stamp)
{
#if defined(CONFIG_64BIT) || defined(__BIG_ENDIAN)
	return (u64)stamp << 32 | pos;
#else
	/* by halves, or the compiler shifts what needs no shifting */
	union {
		u32	half[2];
		u64	word;
	} u = { .half = { pos, stamp } };

	return u.word;
#endif
}

static __always_inline u32 rb_word_pos(u64 word)
{
	return (u32)word;
}

static __always_inline u32 rb_word_stamp(u64 word)
{
	return word >> 32;
}

/* A slot: lap in the upper half, index of the page in the lower. */
static __always_inline u64 rb_slot(u32 lap, u32 index)
{
	return (u64)lap << 32 | index;
}

static __always_inline u32 rb_slot_lap(u64 slot)
{
	return slot >> 32;
}

/* Sub-buffer number @index. */
static __always_inline struct rb_page *rb_page_at(struct rb_tables *tables, u32 index)
{
	return &tables->pages[index];
}

/* Slot number @slot, see rb_slot(). */
static __always_inline atomic64_t *rb_slot_at(struct rb_tables *tables, u32 slot)
{
	return &tables->slots[slot].in_slot;
}

/* What a slot has. */
static __always_inline u64 rb_slot_read(struct rb_cpu *cpu, u32 slot)
{
	return atomic64_read(rb_slot_at(&cpu->tables, slot));
}

static __always_inline struct rb_page *rb_slot_page(struct rb_cpu *cpu, u64 slot)
{
	return rb_page_at(&cpu->tables, (u32)slot);
}

static __always_inline struct rb_use *rb_slot_use(struct rb_cpu *cpu, u64 slot)
{
	/*
	 * LMM(rb_slot_use:A) pairs with LMM(rb_take_next:A): by dependency, the use is
	 * ready that the reader has put into the slot
	 */
	return &rb_slot_page(cpu, slot)->use[rb_slot_lap(slot) & 1];
}

/* Go on by one slot. */
static inline void rb_slot_next(struct rb_cpu *cpu, u32 *slot, u32 *lap)
{
	if (++*slot == cpu->tables.nr_slots) {
		*slot = 0;
		++*lap;
	}
}

static __always_inline struct rb_page *rb_page_of(struct rb_use *use)
{
	return (struct rb_page *)((unsigned long)use & -(unsigned long)RB_PAGE_SIZE);
}

/* Bytes of data that a sub-buffer has. */
static __always_inline u32 rb_room(struct rb_cpu *cpu)
{
	return cpu->size - RB_SUBBUF_HEADER;
}

/*
 * The position of the first byte of data of the use with @commit: tags are
 * multiples of the size, and the data ends before the next one.
 */
static __always_inline u32 rb_tag(struct rb_cpu *cpu, u32 commit)
{
	return commit & cpu->tag_mask;
}

static __always_inline u32 rb_use_tag(struct rb_cpu *cpu, struct rb_use *use)
{
	return rb_tag(cpu, READ_ONCE(use->commit));
}

/* The memory of a use with this base and tag. */
static __always_inline struct rb_subbuf *rb_subbuf_at(unsigned long base, u32 tag)
{
	return (struct rb_subbuf *)(base + tag - RB_SUBBUF_HEADER);
}

/* The memory of a use that is not made ready meanwhile. */
static __always_inline struct rb_subbuf *rb_use_subbuf(struct rb_cpu *cpu, struct rb_use *use)
{
	return rb_subbuf_at(use->base, rb_use_tag(cpu, use));
}

/* Give a page that no one reads or writes its memory, or other memory. */
static inline void rb_page_set_subbuf(struct rb_cpu *cpu, struct rb_page *page,
				      struct rb_subbuf *subbuf)
{
	page->use[0].base = (unsigned long)subbuf->data - rb_use_tag(cpu, &page->use[0]);
	page->use[1].base = (unsigned long)subbuf->data - rb_use_tag(cpu, &page->use[1]);
}

/*
 * The lap of a use that is the tail or in the ring, or was until just now: the
 * slot has that lap, or already the next one.
 */
static inline u32 rb_use_lap(struct rb_cpu *cpu, struct rb_use *use)
{
	struct rb_page *page = rb_page_of(use);
	u32 lap = rb_slot_lap(rb_slot_read(cpu, READ_ONCE(page->slot)));

	return lap - ((lap ^ (use - page->use)) & 1);
}

/* Bytes of events that readers may see, and whether no more can come. */
static inline u32 rb_use_size(struct rb_cpu *cpu, struct rb_use *use, bool *closed)
{
	/*
	 * LMM(rb_use_size:A) pairs with LMM(rb_short_end:A), LMM(rb_show:B),
	 * LMM(rb_take_next:A): what is shown is there; and a slot that is looked at
	 * behind this has moved on if the use was made ready anew
	 */
	u32 size = smp_load_acquire(&use->commit) & ~cpu->tag_mask;

	*closed = size == rb_room(cpu);
	return *closed ? READ_ONCE(rb_page_of(use)->end) : size;
}

/* rb_use.brim of a use: a short event that ends there fills it. */
static inline u32 rb_brim(u32 tag, u32 room)
{
	u32 brim = tag + room;

	/* positions behind it begin anew at 0, and are not less */
	return brim > U32_MAX - RB_SMALL - RB_HEADER ? 0 : brim;
}

/*
 * Make @use ready to be filled from position @tag on, with @subbuf for memory. The
 * writer that begins it lets events be written the fast way.
 */
static inline void rb_use_ready(struct rb_use *use, struct rb_subbuf *subbuf, u32 tag)
{
	/* a reader may make one ready for a slot that the writer gets, and has another in */
	use->brim = 0;
	WRITE_ONCE(use->base, 0);
	/*
	 * LMM(rb_use_ready:A) pairs with LMM(rb_try_subbuf:B): no base is there while
	 * the tag is another filling's; nor is the brim of the filling before
	 */
	smp_wmb();
	WRITE_ONCE(use->commit, tag);
	local_set(&use->entries, 0);
	/* LMM(rb_use_ready:B) pairs with LMM(rb_try_subbuf:A): the tag is the base's */
	smp_wmb();
	WRITE_ONCE(use->base, (unsigned long)subbuf->data - tag);
}

/* Says that the buffer is broken, and stops it. Returns the condition. */
#define RB_BROKEN(cpu, cond)						\
({									\
	struct trace_buffer *__buffer = (cpu)->buffer;			\
	bool __broken = !!(cond);					\
									\
	if (WARN_ON_ONCE(__broken)) {					\
		atomic_inc(&__buffer->record_disabled);			\
		rb_shut(__buffer);					\
	}								\
	__broken;							\
})

#define for_each_buffer_cpu(buffer, cpu)	\
	for_each_cpu(cpu, (buffer)->cpumask)

static inline struct rb_cpu *rb_cpu_of(struct trace_buffer *buffer, int cpu)
{
	if (!cpumask_test_cpu(cpu, buffer->cpumask))
		return NULL;
	/* LMM(rb_cpu_of:A) pairs with LMM(rb_add_cpu:B): what is in the mask has a ring */
	smp_rmb();
	/* LMM(rb_cpu_of:B) pairs with LMM(rb_add_cpu:A): by dependency */
	return READ_ONCE(*per_cpu_ptr(buffer->ring, cpu));
}

/* The ring of this CPU. Until an event in it is begun, it may be swapped. */
static __always_inline struct rb_cpu *rb_this_cpu(struct trace_buffer *buffer)
{
	/* LMM(rb_this_cpu:A) pairs with LMM(rb_add_cpu:A): by dependency */
	return this_cpu_read(*buffer->ring);
}

/* What is before the first use of all, full and read up. */
static __always_inline struct rb_use *rb_before(struct rb_cpu *cpu)
{
	/* of an odd lap, -1 */
	return &cpu->before.use[1];
}

/* Is an event of this ring begun and not yet ended? No one begins one. */
static inline bool rb_is_open(struct rb_cpu *cpu)
{
	return cpu->tail->commit != rb_word_pos(cpu->word);
}

/*
 * The same, on its CPU, where one may have been interrupted that is about to
 * begin. A mark tells; those who are refused have one, too, for a moment.
 */
static inline bool rb_busy(struct rb_cpu *cpu)
{
	return READ_ONCE(cpu->frame.use) || rb_is_open(cpu);
}

/* Stands in for the ring of a CPU that has none yet: always busy, so that it is checked. */
extern struct rb_cpu rb_none;

/* Functions shared between the files, whose calls form no circle. */

/* ring_buffer_switch.c */
void rb_shut(struct trace_buffer *buffer);

/* ring_buffer_record_is_on(), for entries of call sites: they call no ordinary functions */
static __always_inline bool rb_takes_events(const struct trace_buffer *buffer)
{
	return !atomic_read(&buffer->record_disabled);
}

/* Is told when the events of any buffer may be refused from now on, or not any more */
struct rb_watcher {
	void			(*changed)(void);
	struct rb_watcher	*next;
};

void ring_buffer_watch(struct rb_watcher *watcher);
void ring_buffer_tell_watchers(void);
void rb_shut_cpu(struct rb_cpu *cpu);
void rb_open_fast(struct rb_cpu *cpu);

/* ring_buffer_tail.c */
struct ring_buffer_event *
rb_reserve_tail(struct trace_buffer *buffer, struct rb_cpu *cpu, unsigned long size,
		unsigned int attached);

/* ring_buffer_show.c */
void rb_show(struct rb_cpu *cpu, struct rb_use *use, u32 shown);

/* ring_buffer_validate.c */
#ifdef CONFIG_RING_BUFFER_VALIDATE_TIME_DELTAS
void rb_validate(struct rb_cpu *cpu, struct rb_use *use, u32 size, u64 time);
#else
static inline void rb_validate(struct rb_cpu *cpu, struct rb_use *use, u32 size, u64 time) { }
#endif

/* ring_buffer_read.c */
struct rb_use *rb_reader_use(struct rb_cpu *cpu);
void rb_reader_advance(struct rb_cpu *cpu, struct ring_buffer_event *event);
bool rb_empty(struct rb_cpu *cpu);
struct rb_use *rb_oldest_shown(struct rb_cpu *cpu, u32 *slot, u32 *lap, u64 *value);
bool rb_reader_lock(struct rb_cpu *cpu, unsigned long *flags);
void rb_reader_unlock(struct rb_cpu *cpu, bool locked, unsigned long flags);
u64 rb_oldest(struct rb_cpu *cpu, u32 *slot, u32 *lap);

/* ring_buffer_page.c */
u64 rb_any_event_time(struct ring_buffer_event *event, u64 time);
u32 rb_event_within(struct ring_buffer_event *event, u32 left);
struct rb_subbuf *rb_page_subbuf(struct rb_cpu *cpu, struct rb_page *page);

/* The time of an event, with what stands before it, where that before was at @time */
static inline u64 rb_event_time(struct ring_buffer_event *event, u64 time)
{
	return likely(rb_event_is_data(event)) ? time + event->time_delta :
						 rb_any_event_time(event, time);
}

u64 rb_first_event_time(struct rb_subbuf *subbuf);
u32 rb_page_index(struct rb_cpu *cpu, struct rb_page *page);

/* ring_buffer_start.c */
void rb_ring_start(struct rb_cpu *cpu);

/* ring_buffer_alloc.c */
struct rb_cpu *rb_cpu_alloc(struct trace_buffer *buffer, unsigned long nr_slots, int cpu);
void rb_cpu_free(struct rb_cpu *cpu);
bool rb_tables_alloc(struct rb_cpu *cpu, struct rb_tables *tables, u32 from);
void rb_tables_free(struct rb_cpu *cpu, struct rb_tables *tables);
unsigned long rb_nr_slots(struct trace_buffer *buffer, unsigned long size);

/* ring_buffer_stats.c */
unsigned long rb_committed(struct rb_cpu *cpu);
unsigned long rb_entries(struct rb_cpu *cpu);
unsigned long rb_dirty(struct rb_cpu *cpu);

/* ring_buffer_wait.c */
void rb_waiters_init(struct rb_waiters *waiters, bool of_cpu);
void rb_wake(struct rb_cpu *cpu);
void rb_wake_full(struct rb_cpu *cpu);

/* ring_buffer_map.c */
int rb_map_begin(struct rb_cpu *cpu);
void rb_map_end(struct rb_cpu *cpu);
void rb_map_update(struct rb_cpu *cpu);

/* ring_buffer_read_page.c */
void rb_spare_free(struct buffer_data_read_page *spare);

#endif /* _TRACE_RING_BUFFER_IMPL_H */
