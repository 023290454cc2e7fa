/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the files of the ring buffer's torture test share. How it works is
 * written down in ring_buffer_torture_main.c.
 */
#ifndef _TRACE_RING_BUFFER_TORTURE_H
#define _TRACE_RING_BUFFER_TORTURE_H

#include <linux/atomic.h>
#include <linux/cpumask.h>
#include <linux/hrtimer.h>
#include <linux/mutex.h>
#include <linux/prandom.h>
#include <linux/ring_buffer.h>
#include <linux/ring_buffer_attached.h>
#include <linux/types.h>

struct rb_subbuf;
struct vm_area_struct;

/* The contexts of writers. Within one of them on one CPU, writers follow one another. */
enum rbt_context {
	RBT_TASK,
	RBT_SOFTIRQ,
	RBT_HARDIRQ,
	RBT_NMI,
	RBT_CONTEXTS,
};

/**
 * struct rbt_event - the data of an event
 * @seq:	its number among those of its context and CPU, from 1 on; the lower
 *		half of it
 * @length:	bytes of data, with all of this
 * @cpu:	whose ring it is in
 * @context:	who wrote it
 * @attached:	words that are attached to it, see rbt_attached_word()
 * @pattern:	bytes that follow from all of that, see rbt_first_byte()
 */
struct rbt_event {
	u32	seq;
	u32	length;
	u16	cpu;
	u8	context;
	u8	attached;
	u8	pattern[];
};

#define RBT_HEADER	offsetof(struct rbt_event, pattern)
#define RBT_MIN_LENGTH	(RBT_HEADER + 1)

/* The first byte of an event's pattern; each further one is one more. */
static inline u8 rbt_first_byte(const struct rbt_event *event)
{
	return event->seq * 31 + event->length + event->cpu * 7 + event->context;
}

/* A word of what is attached to an event */
static inline u32 rbt_attached_word(const struct rbt_event *event, u32 i)
{
	return event->seq * 0x9e3779b1 + event->cpu + i;
}

/**
 * struct rbt_stats - what the ring buffer says itself, of a CPU
 * @overrun:	events overwritten
 * @read:	events read
 * @refused:	events refused by a full ring
 */
struct rbt_stats {
	u64	overrun;
	u64	read;
	u64	refused;
};

/**
 * struct rbt_cpu - a CPU's writers, and what was read of what they wrote
 * @nr:		the CPU
 * @hard:	the timer that writes in hard interrupts
 * @soft:	the timer that writes in soft interrupts
 * @rnd:	what the writers in interrupts decide by, by context
 * @seq:	the number of the last event written, by context
 * @refused:	events that were not taken, by context
 * @lock:	of all that follows; who has it reads
 * @seen:	the number of the last event read, by context
 * @read:	events read
 * @lost:	events reported as lost
 * @unnumbered:	reports of lost events that did not say how many
 * @silent:	lost events of which nobody was told how many they are: such
 *		reports, and what was not reported before the ring was reset
 * @forgotten:	events that were in the ring when it was reset
 * @time:	of the last event read
 * @from:	as @seq, when the ring was about to be reset: these are gone then
 * @now:	figures of the ring that is about to be reset
 * @before:	figures that the ring buffer has forgotten in resets
 */
struct rbt_cpu {
	int			nr;

	struct hrtimer		hard;
	struct hrtimer		soft;
	struct rnd_state	rnd[RBT_CONTEXTS];
	u64			seq[RBT_CONTEXTS];
	u64			refused[RBT_CONTEXTS];

	struct mutex		lock;		/* of what is read, below */
	u64			seen[RBT_CONTEXTS];
	u64			read;
	u64			lost;
	u64			unnumbered;
	u64			silent;
	u64			forgotten;
	u64			time;
	u64			from[RBT_CONTEXTS];
	struct rbt_stats	now;
	struct rbt_stats	before;
};

/* How to torture: the parameters of the module, which describes them */
struct rbt_params {
	unsigned int	duration;
	unsigned int	writers;
	unsigned int	readers;
	unsigned int	buffer_kb;
	int		order;
	bool		overwrite;
	bool		pages;
	bool		map;
	bool		resize;
	bool		swap;
	bool		reset;
	bool		toggle;
	bool		hotplug;
	bool		nmi;
	unsigned long	seed;
	unsigned int	stat_interval;
};

/**
 * struct rbt - the torture
 * @buffer:	what is written to
 * @snapshot:	what its rings are swapped with
 * @cpus:	all possible CPUs, by number
 * @online:	those that are used: that were online in the beginning
 * @change_lock: of size and order of the buffers, and of all rbt_cpu.lock
 * @stop:	timers are not to go on, and events not to be disturbed
 * @failures:	how many things were wrong
 */
struct rbt {
	struct trace_buffer	*buffer;
	struct trace_buffer	*snapshot;
	struct rbt_cpu		*cpus;
	struct cpumask		online;
	struct mutex		change_lock;	/* before any rbt_cpu.lock */
	bool			stop;
	atomic_t		failures;
};

extern struct rbt_params rbt_params;
extern struct rbt rbt;

static inline u32 rbt_random(struct rnd_state *rnd, u32 below)
{
	return prandom_u32_state(rnd) % below;
}

/* True once in @of times */
static inline bool rbt_once_in(struct rnd_state *rnd, u32 of)
{
	return !rbt_random(rnd, of);
}

/* ring_buffer_torture_main.c */
__printf(1, 2) void rbt_fail(const char *format, ...);
void rbt_pause(struct rnd_state *rnd, unsigned int up_to_us);
struct rbt_cpu *rbt_random_cpu(struct rnd_state *rnd);

/* ring_buffer_torture_write.c */
bool rbt_write_as_task(struct rnd_state *rnd);
int rbt_nmi_start(void);
void rbt_nmi_stop(void);
bool rbt_write_last(struct rbt_cpu *cpu);
void rbt_start_timers(struct rbt_cpu *cpu);
void rbt_stop_timers(struct rbt_cpu *cpu);

/* ring_buffer_torture_check.c */
bool rbt_check_content(struct rbt_cpu *cpu, const struct rbt_event *event, u32 size);
void rbt_check_attached(struct rbt_cpu *cpu, const struct rbt_event *event,
			const struct ring_buffer_attached *attached);
void rbt_check_event(struct rbt_cpu *cpu, struct ring_buffer_event *event, u64 time);
void rbt_check_page(struct rbt_cpu *cpu, struct rb_subbuf *page, u32 from, u32 to);
void rbt_note_lost(struct rbt_cpu *cpu, u64 lost);
void rbt_note_lost_some(struct rbt_cpu *cpu);
u64 rbt_written(struct rbt_cpu *cpu);
u64 rbt_refused(struct rbt_cpu *cpu);
struct rbt_stats rbt_stats(struct rbt_cpu *cpu);
void rbt_check_figures(struct rbt_cpu *cpu);
void rbt_check_drained(struct rbt_cpu *cpu);
void rbt_check_end(struct rbt_cpu *cpu);
void rbt_forget_begin(struct rbt_cpu *cpu, struct trace_buffer *buffer);
void rbt_forget_none(struct rbt_cpu *cpu);
void rbt_forget_end(struct rbt_cpu *cpu);

/* ring_buffer_torture_read.c */
void rbt_drain(struct trace_buffer *buffer, struct rbt_cpu *cpu);
bool rbt_consume(struct rnd_state *rnd);
bool rbt_read_pages(struct rnd_state *rnd);
bool rbt_iterate(struct rnd_state *rnd);
bool rbt_watch(struct rnd_state *rnd);

/* ring_buffer_torture_map.c */
bool rbt_map(struct rnd_state *rnd);

/* ring_buffer_torture_change.c */
bool rbt_resize(struct rnd_state *rnd);
bool rbt_swap(struct rnd_state *rnd);
bool rbt_reset(struct rnd_state *rnd);
bool rbt_toggle(struct rnd_state *rnd);
bool rbt_hotplug(struct rnd_state *rnd);

/* ring_buffer_torture_core.c: in the kernel, also for a module */
bool ring_buffer_torture_put(struct trace_buffer *buffer, unsigned int length,
			     unsigned int size,
			     void (*fill)(void *data, void *attached, void *arg), void *arg);
struct ring_buffer_event *
ring_buffer_torture_peek(struct trace_buffer *buffer, int cpu, u64 *time,
			 struct ring_buffer_attached *attached);
void ring_buffer_torture_iter_attached(struct ring_buffer_iter *iter,
				       struct ring_buffer_attached *attached);
int ring_buffer_torture_map(struct trace_buffer *buffer, int cpu, struct vm_area_struct *vma);
int ring_buffer_torture_unmap(struct trace_buffer *buffer, int cpu);
int ring_buffer_torture_map_get_reader(struct trace_buffer *buffer, int cpu);

#endif /* _TRACE_RING_BUFFER_TORTURE_H */
