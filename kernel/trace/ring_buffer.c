// SPDX-License-Identifier: GPL-2.0
/*
 * Ring buffer: a buffer and its switches. The design is in
 * ring_buffer_write.c.
 */
#include <linux/cpu.h>
#include <linux/cpuhotplug.h>
#include <linux/export.h>
#include <linux/panic_notifier.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/slab.h>

#include <asm/ring_buffer.h>

#include "ring_buffer_clock.h"
#include "ring_buffer_impl.h"
#include "ring_buffer_persist.h"

/* Before a reboot, so that the next kernel finds it all. */
static int rb_flush(struct notifier_block *nb, unsigned long event, void *data)
{
	struct trace_buffer *buffer = container_of(nb, struct trace_buffer, flush);

	ring_buffer_record_off(buffer);
	arch_ring_buffer_flush_range(buffer->range_start, buffer->range_end);
	return NOTIFY_DONE;
}

/* The ring of a CPU that had none; writers find it at once. */
static bool rb_add_cpu(struct trace_buffer *buffer, unsigned long nr_slots, int cpu)
{
	struct rb_cpu *ring = rb_cpu_alloc(buffer, nr_slots, cpu);

	if (!ring)
		return false;
	/*
	 * LMM(rb_add_cpu:A) pairs with LMM(rb_this_cpu:A), LMM(rb_cpu_of:B): whoever
	 * finds the ring finds it whole
	 */
	smp_store_release(per_cpu_ptr(buffer->ring, cpu), ring);
	/*
	 * LMM(rb_add_cpu:B) pairs with LMM(rb_cpu_of:A): the ring is there before the
	 * mask says so
	 */
	smp_mb__before_atomic();
	cpumask_set_cpu(cpu, buffer->cpumask);
	return true;
}

static void rb_free_cpus(struct trace_buffer *buffer)
{
	int cpu;

	for_each_buffer_cpu(buffer, cpu)
		rb_cpu_free(rb_cpu_of(buffer, cpu));
	free_percpu(buffer->ring);
	free_cpumask_var(buffer->cpumask);
	kfree(buffer);
}

static struct trace_buffer *rb_new_buffer(unsigned int flags, int order,
					  struct lock_class_key *key)
{
	struct trace_buffer *buffer;
	struct rb_cpu **ring;
	int cpu;

	buffer = kzalloc(ALIGN(sizeof(*buffer), cache_line_size()), GFP_KERNEL);
	if (!buffer)
		return NULL;
	buffer->ring = alloc_percpu(struct rb_cpu *);
	if (!buffer->ring || !zalloc_cpumask_var(&buffer->cpumask, GFP_KERNEL)) {
		free_percpu(buffer->ring);
		kfree(buffer);
		return NULL;
	}
	for_each_possible_cpu(cpu) {
		ring = per_cpu_ptr(buffer->ring, cpu);
		*ring = &rb_none;
	}
	buffer->flags = flags;
	buffer->order = order;
	buffer->max_data = rb_subbuf_room(order) - RB_HEADER - RB_WORD;
	buffer->clock = trace_clock_local;
	buffer->lock_key = key;
	mutex_init(&buffer->mutex);
	rb_waiters_init(&buffer->waiters, false);
	return buffer;
}

static struct trace_buffer *rb_alloc_buffer(unsigned long size, unsigned int flags, int order,
					    unsigned long start, unsigned long end,
					    struct lock_class_key *key)
{
	struct trace_buffer *buffer = rb_new_buffer(flags, order, key);
	unsigned long nr_slots;

	if (!buffer)
		return NULL;
	buffer->range_start = start;
	buffer->range_end = end;
	nr_slots = start ? rb_meta_init(buffer) : rb_nr_slots(buffer, size);
	if (!nr_slots || !rb_add_cpu(buffer, nr_slots, raw_smp_processor_id()) ||
	    cpuhp_state_add_instance(CPUHP_TRACE_RB_PREPARE, &buffer->node) < 0) {
		rb_free_cpus(buffer);
		return NULL;
	}
	if (start) {
		buffer->flush.notifier_call = rb_flush;
		atomic_notifier_chain_register(&panic_notifier_list, &buffer->flush);
	}
	return buffer;
}

/**
 * __ring_buffer_alloc - a new buffer
 * @size: bytes of events for each CPU; there is room for that many or more
 * @flags: RB_FL_OVERWRITE: the oldest events make room for new ones. Without,
 *	new ones are refused when the buffer is full
 * @key: class of its locks
 *
 * Context: may sleep.
 * Return: the buffer, or NULL if there is no memory.
 */
struct trace_buffer *__ring_buffer_alloc(unsigned long size, unsigned int flags,
					 struct lock_class_key *key)
{
	return rb_alloc_buffer(size, flags, 0, 0, 0, key);
}
EXPORT_SYMBOL_GPL(__ring_buffer_alloc);

/**
 * __ring_buffer_alloc_range - a buffer in memory that outlives the kernel
 * @size: not used, the range tells
 * @flags: as for __ring_buffer_alloc()
 * @order: order of the sub-buffers
 * @start: first address of the range
 * @range_size: bytes of it, which all possible CPUs share
 * @key: class of its locks
 *
 * What the kernel before has left there is read first.
 *
 * Context: may sleep.
 * Return: the buffer, or NULL if the range is too small or there is no memory.
 */
struct trace_buffer *__ring_buffer_alloc_range(unsigned long size, unsigned int flags,
					       int order, unsigned long start,
					       unsigned long range_size,
					       struct lock_class_key *key)
{
	return rb_alloc_buffer(size, flags, order, start, start + range_size, key);
}

/**
 * ring_buffer_free - give a buffer back
 * @buffer: what no one writes to or reads from any more
 *
 * Context: may sleep.
 */
void ring_buffer_free(struct trace_buffer *buffer)
{
	if (buffer->range_start)
		atomic_notifier_chain_unregister(&panic_notifier_list, &buffer->flush);
	cpuhp_state_remove_instance(CPUHP_TRACE_RB_PREPARE, &buffer->node);
	irq_work_sync(&buffer->waiters.work);
	rb_free_cpus(buffer);
}
EXPORT_SYMBOL_GPL(ring_buffer_free);

/* Sub-buffers for the ring of another CPU: as many as all have, or the least. */
static unsigned long rb_slots_of_all(struct trace_buffer *buffer)
{
	unsigned long nr_slots = 0, has;
	int cpu;

	for_each_buffer_cpu(buffer, cpu) {
		has = rb_cpu_of(buffer, cpu)->tables.nr_slots;
		if (nr_slots && nr_slots != has)
			return 2;
		nr_slots = has;
	}
	return nr_slots;
}

/**
 * trace_rb_cpu_prepare - a CPU is about to come online
 * @cpu: the CPU
 * @node: in the buffer
 *
 * The ring stays when the CPU goes, as does what is in it.
 *
 * Context: CPU hotplug, may sleep.
 * Return: 0, or -ENOMEM.
 */
int trace_rb_cpu_prepare(unsigned int cpu, struct hlist_node *node)
{
	struct trace_buffer *buffer = container_of(node, struct trace_buffer, node);

	if (cpumask_test_cpu(cpu, buffer->cpumask))
		return 0;
	if (WARN(!rb_add_cpu(buffer, rb_slots_of_all(buffer), cpu),
		 "no memory for the ring buffer of CPU %u\n", cpu))
		return -ENOMEM;
	return 0;
}

/**
 * ring_buffer_change_overwrite - what is to be done when the buffer is full
 * @buffer: the buffer
 * @val: not 0: overwrite the oldest events; 0: refuse new ones
 */
void ring_buffer_change_overwrite(struct trace_buffer *buffer, int val)
{
	mutex_lock(&buffer->mutex);
	if (val)
		buffer->flags |= RB_FL_OVERWRITE;
	else
		buffer->flags &= ~RB_FL_OVERWRITE;
	mutex_unlock(&buffer->mutex);
}
EXPORT_SYMBOL_GPL(ring_buffer_change_overwrite);

/**
 * ring_buffer_time_stamp - the time by the clock of a buffer
 * @buffer: the buffer
 *
 * Return: the time, in the unit of the clock: nanoseconds, but for the counters among them.
 */
u64 ring_buffer_time_stamp(struct trace_buffer *buffer)
{
	u64 time;

	preempt_disable_notrace();
	time = rb_clock(buffer);
	preempt_enable_notrace();
	return time;
}
EXPORT_SYMBOL_GPL(ring_buffer_time_stamp);

/**
 * ring_buffer_normalize_time_stamp - a time stamp as users expect it
 * @buffer: the buffer
 * @cpu: where the event was written
 * @ts: the time stamp, which is so already
 */
void ring_buffer_normalize_time_stamp(struct trace_buffer *buffer, int cpu, u64 *ts)
{
}
EXPORT_SYMBOL_GPL(ring_buffer_normalize_time_stamp);

/* No one writes. Some come all the same, set their mark and are refused. */
static void rb_reset_ring(struct rb_cpu *cpu)
{
	unsigned long flags;

	raw_spin_lock_irqsave(&cpu->reader_lock, flags);
	if (!RB_BROKEN(cpu, rb_is_open(cpu))) {
		rb_meta_distrust(cpu);
		rb_ring_start(cpu);
		rb_meta_trust(cpu);
		rb_map_update(cpu);
	}
	raw_spin_unlock_irqrestore(&cpu->reader_lock, flags);
	rb_meta_now(cpu);
}

/*
 * Recording is disabled for all CPUs, also where one is meant: else a swap that
 * has begun before could take the ring away in which it is.
 */
static void rb_reset(struct trace_buffer *buffer, const struct cpumask *cpus)
{
	bool left = false;
	int cpu;

	mutex_lock(&buffer->mutex);
	ring_buffer_record_disable(buffer);
	/*
	 * LMM(rb_reset:A) pairs with preemption off: writers and swaps that have not
	 * seen that recording is disabled are done
	 */
	synchronize_rcu();
	for_each_buffer_cpu(buffer, cpu) {
		if (cpumask_test_cpu(cpu, cpus))
			rb_reset_ring(rb_cpu_of(buffer, cpu));
		else
			left = true;
	}
	if (!left) {
		WRITE_ONCE(buffer->last_boot, false);
		WRITE_ONCE(buffer->last_other, false);
	}
	ring_buffer_record_enable(buffer);
	mutex_unlock(&buffer->mutex);
}

/**
 * ring_buffer_reset_cpu - forget the events of a CPU
 * @buffer: the buffer
 * @cpu: the CPU
 *
 * Context: may sleep.
 */
void ring_buffer_reset_cpu(struct trace_buffer *buffer, int cpu)
{
	rb_reset(buffer, cpumask_of(cpu));
}
EXPORT_SYMBOL_GPL(ring_buffer_reset_cpu);

/**
 * ring_buffer_reset_online_cpus - forget the events of all CPUs that are online
 * @buffer: the buffer
 *
 * Context: may sleep.
 */
void ring_buffer_reset_online_cpus(struct trace_buffer *buffer)
{
	rb_reset(buffer, cpu_online_mask);
}

/**
 * ring_buffer_reset - forget all events
 * @buffer: the buffer
 *
 * Context: may sleep.
 */
void ring_buffer_reset(struct trace_buffer *buffer)
{
	/* what a CPU has that was not there yet goes as well */
	WRITE_ONCE(buffer->this_boot, true);
	rb_reset(buffer, cpu_possible_mask);
}
EXPORT_SYMBOL_GPL(ring_buffer_reset);

#ifdef CONFIG_RING_BUFFER_ALLOW_SWAP
static int rb_may_swap(struct trace_buffer *a, struct rb_cpu *ring_a,
		       struct trace_buffer *b, struct rb_cpu *ring_b)
{
	/* whoever maps a buffer keeps it from being swapped */
	if (WARN_ON_ONCE(ring_a->mapped || ring_b->mapped))
		return -EBUSY;
	if (ring_a->tables.nr_slots != ring_b->tables.nr_slots || a->order != b->order)
		return -EINVAL;
	if (atomic_read(&a->record_disabled) || atomic_read(&b->record_disabled) ||
	    atomic_read(&ring_a->record_disabled) || atomic_read(&ring_b->record_disabled))
		return -EAGAIN;
	/* an event must be ended in the ring in which it was begun */
	if (rb_busy(ring_a) || rb_busy(ring_b) ||
	    atomic_read(&a->resizing) || atomic_read(&b->resizing))
		return -EBUSY;
	return 0;
}

static void rb_give_ring(struct trace_buffer *buffer, struct rb_cpu *ring, int cpu)
{
	rb_shut_cpu(ring);
	/* also for who has been here and is about to read the clock, see rb_end_swap() */
	WRITE_ONCE(ring->tail->brim, 0);
	WRITE_ONCE(ring->swapped_in, current);
	WRITE_ONCE(ring->buffer, buffer);
	/* those who wait do not know which ring is whose */
	ring->wake_cpu = true;
	ring->wake_all = true;
	WRITE_ONCE(*per_cpu_ptr(buffer->ring, cpu), ring);
}

/**
 * ring_buffer_swap_cpu - swap what two buffers have of a CPU
 * @buffer_a: one
 * @buffer_b: the other
 * @cpu: the CPU
 *
 * A writer that was interrupted before it began its event finds that the ring
 * is no longer its buffer's, and begins it in the one that is. Events of the ring
 * that was swapped away are not later than those of the other since. NMIs that come
 * during the swap write nothing.
 *
 * Context: on @cpu with interrupts off, or no one writes there.
 * Return: 0, -EINVAL if the buffers are not of one size, -EAGAIN if recording
 * is disabled, -EBUSY if an event is being written or a buffer is resized.
 */
int ring_buffer_swap_cpu(struct trace_buffer *buffer_a, struct trace_buffer *buffer_b, int cpu)
{
	struct rb_cpu *a = rb_cpu_of(buffer_a, cpu), *b = rb_cpu_of(buffer_b, cpu);
	int ret;

	if (!a || !b)
		return -EINVAL;
	ret = rb_may_swap(buffer_a, a, buffer_b, b);
	if (ret)
		return ret;
	/* NMIs that come in between go the slow way, and find no one's ring */
	atomic_inc(&a->record_disabled);
	atomic_inc(&b->record_disabled);
	rb_give_ring(buffer_a, b, cpu);
	rb_give_ring(buffer_b, a, cpu);
	/* LMM(ring_buffer_swap_cpu:A): an NMI that may write finds the swap done */
	barrier();
	atomic_dec(&a->record_disabled);
	atomic_dec(&b->record_disabled);
	return 0;
}
EXPORT_SYMBOL_GPL(ring_buffer_swap_cpu);
#endif
