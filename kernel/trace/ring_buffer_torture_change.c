// SPDX-License-Identifier: GPL-2.0
/*
 * Ring buffer torture test: all that changes under writers and readers. What
 * that does to events is accounted for:
 *
 *	- A smaller buffer loses the oldest events, and reports them lost.
 *	- A ring that is swapped is read up before anything else.
 *	- A reset, and another size of sub-buffers, forgets what is in the ring:
 *	  how much that is, is looked up first, while recording is off.
 *	- Recording that is off, and CPUs that are, refuse events.
 */
#include <linux/cpu.h>
#include <linux/cpumask.h>
#include <linux/minmax.h>
#include <linux/mutex.h>
#include <linux/rcupdate.h>
#include <linux/smp.h>

#include "ring_buffer_torture.h"

/* How long something stays another way, in microseconds */
#define RBT_A_WHILE	5000

/* Up to twice of what it was at first */
bool rbt_resize(struct rnd_state *rnd)
{
	unsigned long size = 1 + rbt_random(rnd, 2 * rbt_params.buffer_kb * 1024);
	int cpu = rbt_once_in(rnd, 2) ? RING_BUFFER_ALL_CPUS : rbt_random_cpu(rnd)->nr;
	int err;

	/* readers and those who swap go on */
	mutex_lock(&rbt.change_lock);
	err = ring_buffer_resize(rbt.buffer, size, cpu);
	/* those of different size are not swapped; let that not last too long */
	if (!rbt_once_in(rnd, 4))
		err |= ring_buffer_resize(rbt.snapshot, size, cpu);
	mutex_unlock(&rbt.change_lock);
	return !err;
}

static void rbt_swap_here(void *arg)
{
	int *err = arg;

	*err = ring_buffer_swap_cpu(rbt.buffer, rbt.snapshot, smp_processor_id());
}

/* On the CPU, if it is online, with writers interrupted anywhere. */
static int rbt_swap_cpu(struct rbt_cpu *cpu)
{
	int err = 0;

	cpus_read_lock();
	if (cpu_online(cpu->nr))
		smp_call_function_single(cpu->nr, rbt_swap_here, &err, 1);
	else
		err = ring_buffer_swap_cpu(rbt.buffer, rbt.snapshot, cpu->nr);
	cpus_read_unlock();
	return err;
}

/*
 * Writers find a ring that is empty; what they wrote is read before anything
 * that they will write.
 */
bool rbt_swap(struct rnd_state *rnd)
{
	struct rbt_cpu *cpu = rbt_random_cpu(rnd);
	int err;

	mutex_lock(&cpu->lock);
	err = rbt_swap_cpu(cpu);
	if (!err) {
		/* who was in line had found the ring, and may have begun behind it */
		synchronize_rcu();
		rbt_drain(rbt.snapshot, cpu);
	}
	mutex_unlock(&cpu->lock);
	return !err;
}

static void rbt_lock_all(void)
{
	int cpu;

	mutex_lock(&rbt.change_lock);
	for_each_possible_cpu(cpu)
		mutex_lock_nest_lock(&rbt.cpus[cpu].lock, &rbt.change_lock);
}

static void rbt_unlock_all(void)
{
	int cpu;

	for_each_possible_cpu(cpu)
		mutex_unlock(&rbt.cpus[cpu].lock);
	mutex_unlock(&rbt.change_lock);
}

static void rbt_stop_recording(void)
{
	ring_buffer_record_disable(rbt.buffer);
	/* those who had begun an event have ended it */
	synchronize_rcu();
}

/* What rings of @buffer are reset: that of @cpu, or NULL for all */
static void rbt_forget_begin_all(struct rbt_cpu *cpu, struct trace_buffer *buffer)
{
	int nr;

	for_each_possible_cpu(nr)
		if (!cpu || cpu->nr == nr)
			rbt_forget_begin(&rbt.cpus[nr], buffer);
}

/* They are. Context: recording is stopped. */
static void rbt_forget_end_all(struct rbt_cpu *cpu, void (*end)(struct rbt_cpu *cpu))
{
	int nr;

	for_each_possible_cpu(nr)
		if (!cpu || cpu->nr == nr)
			end(&rbt.cpus[nr]);
}

/*
 * The other buffer has to follow, or rings are not swapped any more. It is empty,
 * but has figures. Context: recording is stopped.
 */
static bool rbt_reorder_snapshot(void)
{
	int order = ring_buffer_subbuf_order_get(rbt.buffer);

	if (order == ring_buffer_subbuf_order_get(rbt.snapshot))
		return true;
	rbt_forget_begin_all(NULL, rbt.snapshot);
	if (ring_buffer_subbuf_order_set(rbt.snapshot, order))
		return false;
	rbt_forget_end_all(NULL, rbt_forget_none);
	return true;
}

/* Context: recording is stopped. */
static void rbt_check_all(bool drain)
{
	int cpu;

	for_each_possible_cpu(cpu) {
		rbt_check_figures(&rbt.cpus[cpu]);
		if (!drain)
			continue;
		rbt_drain(rbt.buffer, &rbt.cpus[cpu]);
		rbt_check_drained(&rbt.cpus[cpu]);
	}
}

/* Reset the ring of @cpu, or all, or all by other sub-buffers */
static bool rbt_reset_rings(struct rbt_cpu *cpu, int order)
{
	if (cpu)
		ring_buffer_reset_cpu(rbt.buffer, cpu->nr);
	else if (order == ring_buffer_subbuf_order_get(rbt.buffer))
		ring_buffer_reset(rbt.buffer);
	else
		return !ring_buffer_subbuf_order_set(rbt.buffer, order);
	return true;
}

/*
 * While writers go on, or are refused: then it is known beforehand what is in the
 * ring, or that nothing is.
 */
bool rbt_reset(struct rnd_state *rnd)
{
	struct rbt_cpu *cpu = rbt_once_in(rnd, 2) ? rbt_random_cpu(rnd) : NULL;
	bool live = rbt_once_in(rnd, 2), done;

	rbt_lock_all();
	if (!live)
		rbt_stop_recording();
	if (!live)
		rbt_check_all(rbt_once_in(rnd, 2));
	rbt_forget_begin_all(cpu, rbt.buffer);
	done = rbt_reset_rings(cpu, rbt_random(rnd, rbt_params.order + 1));
	if (live)
		rbt_stop_recording();
	if (done)
		rbt_forget_end_all(cpu, rbt_forget_end);
	done = rbt_reorder_snapshot() && done;
	ring_buffer_record_enable(rbt.buffer);
	rbt_unlock_all();
	return done;
}

/* Switch recording off for a while, all of it or of a CPU */
bool rbt_toggle(struct rnd_state *rnd)
{
	struct rbt_cpu *cpu = rbt_random_cpu(rnd);

	if (rbt_once_in(rnd, 2)) {
		ring_buffer_record_off(rbt.buffer);
		rbt_pause(rnd, RBT_A_WHILE);
		ring_buffer_record_on(rbt.buffer);
		return true;
	}
	/* it is the ring that is disabled: it must not be swapped meanwhile */
	mutex_lock(&cpu->lock);
	ring_buffer_record_disable_cpu(rbt.buffer, cpu->nr);
	rbt_pause(rnd, RBT_A_WHILE);
	ring_buffer_record_enable_cpu(rbt.buffer, cpu->nr);
	mutex_unlock(&cpu->lock);
	return true;
}

static bool rbt_plug(struct rbt_cpu *cpu)
{
	if (add_cpu(cpu->nr))
		return false;
	/* they have gone on elsewhere */
	rbt_stop_timers(cpu);
	rbt_start_timers(cpu);
	return true;
}

/* Take a CPU offline for a while. The first one cannot be, everywhere. */
bool rbt_hotplug(struct rnd_state *rnd)
{
	struct rbt_cpu *cpu = rbt_random_cpu(rnd);

	if (!cpu_is_hotpluggable(cpu->nr) || remove_cpu(cpu->nr))
		return false;
	rbt_pause(rnd, RBT_A_WHILE);
	if (rbt_plug(cpu))
		return true;
	rbt_fail("cpu %d: does not come online again", cpu->nr);
	return false;
}
