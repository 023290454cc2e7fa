// SPDX-License-Identifier: GPL-2.0
/*
 * Ring buffer: those who wait for events. Events are written where nothing
 * may be woken, so they leave it to an interrupt.
 */
#include <linux/cpumask.h>
#include <linux/export.h>
#include <linux/poll.h>
#include <linux/sched.h>
#include <linux/wait.h>

#include "ring_buffer_impl.h"

static void rb_wake_any(struct irq_work *work)
{
	struct rb_waiters *waiters = container_of(work, struct rb_waiters, work);

	/*
	 * LMM(rb_wake_any:A) pairs with LMM(rb_woken:A), LMM(ring_buffer_wait:A): who
	 * finds that it was woken finds why
	 */
	(void)atomic_fetch_inc_release(&waiters->wakeups);
	wake_up_all(&waiters->any);
}

/* Those who wait for less than what has come set their mark again. */
static void rb_wake_of_cpu(struct irq_work *work)
{
	struct rb_waiters *waiters = container_of(work, struct rb_waiters, work);
	struct rb_cpu *cpu = container_of(waiters, struct rb_cpu, waiters);
	unsigned long flags;

	rb_wake_any(work);
	if (!waiters->full_wanted && !waiters->full_due)
		return;
	raw_spin_lock_irqsave(&cpu->reader_lock, flags);
	waiters->full_wanted = false;
	waiters->full_due = false;
	cpu->watermark = 0;
	raw_spin_unlock_irqrestore(&cpu->reader_lock, flags);
	wake_up_all(&waiters->full);
}

void rb_waiters_init(struct rb_waiters *waiters, bool of_cpu)
{
	init_irq_work(&waiters->work, of_cpu ? rb_wake_of_cpu : rb_wake_any);
	init_waitqueue_head(&waiters->any);
	init_waitqueue_head(&waiters->full);
}

/*
 * Whether someone may be woken now. If not, the marks stay, so that the next event wakes.
 *
 * If this CPU is on its way off line, or not yet on line, it takes no interrupts: an irq_work
 * that is queued here is never run, nor are those behind it.
 *
 * To queue one calls traced functions, the only ones that writing calls. These write events,
 * also where nothing guards against recursion, as at the returns of function_graph.
 */
static bool rb_can_wake(struct rb_cpu *cpu)
{
	return cpu_online(raw_smp_processor_id()) &&
	       READ_ONCE(cpu->waiters.waking) < RB_WAKE_MOST;
}

/* On the ring's CPU. What interrupts us leaves @waking as it was. */
static void rb_queue(struct rb_cpu *cpu, struct irq_work *work)
{
	u8 waking = READ_ONCE(cpu->waiters.waking);

	WRITE_ONCE(cpu->waiters.waking, waking + 1);
	irq_work_queue(work);
	WRITE_ONCE(cpu->waiters.waking, waking);
}

/* An event was written, and someone waits for it. Any context. */
void rb_wake(struct rb_cpu *cpu)
{
	if (unlikely(!rb_can_wake(cpu)))
		return;
	if (READ_ONCE(cpu->wake_cpu)) {
		WRITE_ONCE(cpu->wake_cpu, false);
		rb_queue(cpu, &cpu->waiters.work);
	}
	if (READ_ONCE(cpu->wake_all)) {
		WRITE_ONCE(cpu->wake_all, false);
		rb_queue(cpu, &cpu->buffer->waiters.work);
	}
}

/* Is so much of the ring to be read that @percent of it are begun? */
static bool rb_filled(struct rb_cpu *cpu, unsigned int percent)
{
	return (rb_dirty(cpu) + 1) * 100 >= (unsigned long)percent * cpu->tables.nr_slots;
}

/*
 * A sub-buffer was begun, or one can be read to its end now, if it was left before
 * that while an event in it was open: perhaps it is what someone waits for.
 */
void rb_wake_full(struct rb_cpu *cpu)
{
	struct rb_waiters *waiters = &cpu->waiters;

	/*
	 * LMM(rb_wake_full:A) pairs with LMM(rb_want:A): shown, then the look whether
	 * someone waits. The next sub-buffer may be long in coming
	 */
	smp_mb();
	if (!READ_ONCE(waiters->full_wanted) || !rb_filled(cpu, READ_ONCE(cpu->watermark)))
		return;
	if (unlikely(!rb_can_wake(cpu)))
		return;
	WRITE_ONCE(waiters->full_due, true);
	WRITE_ONCE(waiters->full_wanted, false);
	rb_queue(cpu, &waiters->work);
}

/* Has what is waited for come? If not, note for how much we wait. */
static bool rb_reached(struct rb_cpu *cpu, unsigned int percent)
{
	unsigned long flags;
	bool reached, closed;

	raw_spin_lock_irqsave(&cpu->reader_lock, flags);
	reached = !rb_empty(cpu);
	if (reached && percent) {
		/* what the writer is on, the reader has already */
		rb_use_size(cpu, cpu->reader.use, &closed);
		reached = closed && rb_filled(cpu, percent);
	}
	if (!reached && percent && (!cpu->watermark || cpu->watermark > percent))
		cpu->watermark = percent;
	raw_spin_unlock_irqrestore(&cpu->reader_lock, flags);
	return reached;
}

static void rb_want(struct trace_buffer *buffer, struct rb_cpu *ring, unsigned int percent)
{
	int cpu;

	if (!ring) {
		for_each_buffer_cpu(buffer, cpu)
			WRITE_ONCE(rb_cpu_of(buffer, cpu)->wake_all, true);
	} else if (percent) {
		WRITE_ONCE(ring->waiters.full_wanted, true);
	} else {
		WRITE_ONCE(ring->wake_cpu, true);
	}
	/*
	 * LMM(rb_want:A) pairs with LMM(rb_wake_full:A): the mark, then another look.
	 * There is none in rb_wake(): an event that is just being written may neither
	 * be seen by us nor see us, and the next one wakes us.
	 */
	smp_mb();
}

static bool rb_ready(struct trace_buffer *buffer, struct rb_cpu *ring, unsigned int percent)
{
	return ring ? rb_reached(ring, percent) : !ring_buffer_empty(buffer);
}

/* Ready, or to be woken. */
static bool rb_ready_or_want(struct trace_buffer *buffer, struct rb_cpu *ring,
			     unsigned int percent)
{
	if (rb_ready(buffer, ring, percent))
		return true;
	rb_want(buffer, ring, percent);
	return rb_ready(buffer, ring, percent);
}

struct rb_once {
	struct rb_waiters	*waiters;
	int			wakeups;
};

/* Without a condition of its own, a wait ends when it was woken. */
static bool rb_woken(void *data)
{
	struct rb_once *once = data;

	/* LMM(rb_woken:A) pairs with LMM(rb_wake_any:A) */
	return atomic_read_acquire(&once->waiters->wakeups) != once->wakeups;
}

/**
 * ring_buffer_wait - wait for events
 * @buffer: the buffer
 * @cpu: whose events, or RING_BUFFER_ALL_CPUS
 * @full: percent of the ring that shall be filled; of a CPU only
 * @cond: another reason to end, or NULL: when woken the first time
 * @data: for @cond
 *
 * Context: may sleep.
 * Return: 0, -ENODEV if there is no such CPU, or what a signal makes of it.
 */
int ring_buffer_wait(struct trace_buffer *buffer, int cpu, int full,
		     ring_buffer_cond_fn cond, void *data)
{
	struct rb_waiters *waiters = &buffer->waiters;
	wait_queue_head_t *queue;
	struct rb_cpu *ring = NULL;
	struct rb_once once;

	if (cpu != RING_BUFFER_ALL_CPUS) {
		ring = rb_cpu_of(buffer, cpu);
		if (!ring)
			return -ENODEV;
		waiters = &ring->waiters;
	}
	queue = ring && full ? &waiters->full : &waiters->any;
	if (!cond) {
		once.waiters = waiters;
		/* LMM(ring_buffer_wait:A) pairs with LMM(rb_wake_any:A) */
		once.wakeups = atomic_read_acquire(&waiters->wakeups);
		cond = rb_woken;
		data = &once;
	}
	return wait_event_interruptible(*queue, rb_ready_or_want(buffer, ring, full) ||
					cond(data));
}

/**
 * ring_buffer_poll_wait - poll for events
 * @buffer: the buffer
 * @cpu: whose events, or RING_BUFFER_ALL_CPUS
 * @filp: the file that is polled
 * @poll_table: who polls
 * @full: percent of the ring that shall be filled; of a CPU only
 *
 * Return: EPOLLIN | EPOLLRDNORM if there is something to read, EPOLLERR if
 * there is no such CPU, or 0.
 */
__poll_t ring_buffer_poll_wait(struct trace_buffer *buffer, int cpu, struct file *filp,
			       poll_table *poll_table, int full)
{
	struct rb_waiters *waiters = &buffer->waiters;
	struct rb_cpu *ring = NULL;

	if (cpu != RING_BUFFER_ALL_CPUS) {
		ring = rb_cpu_of(buffer, cpu);
		if (!ring)
			return EPOLLERR;
		waiters = &ring->waiters;
	}
	poll_wait(filp, ring && full ? &waiters->full : &waiters->any, poll_table);
	return rb_ready_or_want(buffer, ring, full) ? EPOLLIN | EPOLLRDNORM : 0;
}

/**
 * ring_buffer_wake_waiters - wake all who wait
 * @buffer: the buffer, or NULL
 * @cpu: for events of which CPU, or RING_BUFFER_ALL_CPUS: all and any
 *
 * Context: any.
 */
void ring_buffer_wake_waiters(struct trace_buffer *buffer, int cpu)
{
	struct rb_cpu *ring;

	if (!buffer)
		return;
	if (cpu == RING_BUFFER_ALL_CPUS) {
		for_each_buffer_cpu(buffer, cpu)
			ring_buffer_wake_waiters(buffer, cpu);
		irq_work_queue(&buffer->waiters.work);
		return;
	}
	ring = cpu < nr_cpu_ids ? rb_cpu_of(buffer, cpu) : NULL;
	if (ring)
		irq_work_queue(&ring->waiters.work);
}
