// SPDX-License-Identifier: GPL-2.0
/*
 * Ring buffer torture test: everything at once, at random, and every event
 * accounted for at the end.
 *
 * Threads on all CPUs write events, and timers in soft and in hard interrupts,
 * and NMIs, all within each other's. Threads read them, one by one, by
 * sub-buffers, by iterators, and in a mapping. Others resize the buffer, swap
 * rings with those of another buffer, reset it, change the size of sub-buffers,
 * switch recording off and on, and take CPUs offline and bring them back. What
 * each does next is decided by a generator of its own, all of one seed.
 *
 * Then all stop, what is left is read, and ring_buffer_torture_check.c says
 * whether anything was wrong. Loading the module fails if it was.
 *
 * Files: _write writes, _read and _map read, _change changes, _core is
 * what the module needs of the kernel itself.
 */
#include <linux/cpu.h>
#include <linux/delay.h>
#include <linux/err.h>
#include <linux/init.h>
#include <linux/jiffies.h>
#include <linux/kthread.h>
#include <linux/ktime.h>
#include <linux/module.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/smp.h>
#include <linux/spinlock.h>

#include "ring_buffer_torture.h"

#define RBT_NAME	"ring_buffer_torture"
/* Faults that are told one by one */
#define RBT_TOLD	10

struct rbt_params rbt_params = {
	.duration = 10, .writers = 2, .readers = 2, .buffer_kb = 64, .order = 1,
	.overwrite = true, .pages = true, .map = true, .resize = true, .swap = true,
	.reset = true, .toggle = true, .hotplug = true, .nmi = true,
};

#define RBT_PARAM(name, type, what)				\
	module_param_named(name, rbt_params.name, type, 0444);	\
	MODULE_PARM_DESC(name, what)

RBT_PARAM(duration, uint, "seconds to run");
RBT_PARAM(writers, uint, "threads that write, of each CPU");
RBT_PARAM(readers, uint, "threads that read events, and others that read sub-buffers");
RBT_PARAM(buffer_kb, uint, "KB of each CPU's ring; resizing makes up to twice of it");
RBT_PARAM(order, int, "pages of a sub-buffer, as a power of 2; resets make fewer of it, too");
RBT_PARAM(overwrite, bool, "overwrite the oldest events of a full ring, or else refuse new ones");
RBT_PARAM(pages, bool, "read sub-buffers, too; they may not say how many events were lost");
RBT_PARAM(map, bool, "read mapped sub-buffers, too; not if it is built in");
RBT_PARAM(resize, bool, "resize the buffer");
RBT_PARAM(swap, bool, "swap rings with another buffer, as snapshots do");
RBT_PARAM(reset, bool, "reset the buffer and change its order");
RBT_PARAM(toggle, bool, "switch recording off and on");
RBT_PARAM(hotplug, bool, "take CPUs offline and online");
RBT_PARAM(nmi, bool, "write in NMIs");
RBT_PARAM(seed, ulong, "what is done follows from it; 0 is another one each time");
RBT_PARAM(stat_interval, uint, "seconds between reports, 0 for none");

struct rbt rbt;

/* The first fault, for the verdict */
static DEFINE_RAW_SPINLOCK(rbt_fault_lock);
static char rbt_fault[200];

/**
 * struct rbt_job - what a thread does again and again
 * @name:	of the threads, and in reports
 * @turn:	do it once; false if it was not possible this time
 * @wanted:	the parameter that wants it, NULL for always
 * @threads:	how many of them
 * @pause_us:	the longest rest between turns
 */
struct rbt_job {
	const char	*name;
	bool		(*turn)(struct rnd_state *rnd);
	bool		*wanted;
	unsigned int	*threads;
	unsigned int	pause_us;
};

static unsigned int rbt_one = 1, rbt_all_writers;

static const struct rbt_job rbt_jobs[] = {
	{ "write", rbt_write_as_task, NULL, &rbt_all_writers, 2000 },
	{ "consume", rbt_consume, NULL, &rbt_params.readers, 10000 },
	{ "page", rbt_read_pages, &rbt_params.pages, &rbt_params.readers, 10000 },
	{ "iterate", rbt_iterate, NULL, &rbt_one, 50000 },
	{ "watch", rbt_watch, NULL, &rbt_one, 10000 },
	{ "resize", rbt_resize, &rbt_params.resize, &rbt_one, 50000 },
	{ "swap", rbt_swap, &rbt_params.swap, &rbt_one, 20000 },
	{ "reset", rbt_reset, &rbt_params.reset, &rbt_one, 200000 },
	{ "toggle", rbt_toggle, &rbt_params.toggle, &rbt_one, 100000 },
	{ "hotplug", rbt_hotplug, &rbt_params.hotplug, &rbt_one, 200000 },
};

#define RBT_JOBS	ARRAY_SIZE(rbt_jobs)

/**
 * struct rbt_thread - a thread
 * @task:	it
 * @job:	what it does
 * @rnd:	what it decides by
 * @done:	turns that were possible
 */
struct rbt_thread {
	struct task_struct	*task;
	const struct rbt_job	*job;
	struct rnd_state	rnd;
	unsigned long		done;
};

static struct rbt_thread *rbt_threads;
static unsigned int rbt_nr_threads;
/* Turns of mapping, which are this process's own */
static unsigned long rbt_mapped;

/* Something is wrong. Context: any, but not an NMI. */
void rbt_fail(const char *format, ...)
{
	char text[sizeof(rbt_fault)];
	unsigned long flags;
	va_list args;
	int n;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	raw_spin_lock_irqsave(&rbt_fault_lock, flags);
	n = atomic_inc_return(&rbt.failures);
	if (n == 1)
		strscpy(rbt_fault, text);
	raw_spin_unlock_irqrestore(&rbt_fault_lock, flags);
	if (n <= RBT_TOLD)
		pr_err(RBT_NAME ": %s\n", text);
}

/* Rest for up to that many microseconds, or not at all. */
void rbt_pause(struct rnd_state *rnd, unsigned int up_to_us)
{
	unsigned int us = rbt_random(rnd, up_to_us);

	if (rbt_once_in(rnd, 8))
		cond_resched();
	else
		usleep_range(us, us + 50);
}

/* One of the CPUs that were online in the beginning */
struct rbt_cpu *rbt_random_cpu(struct rnd_state *rnd)
{
	return &rbt.cpus[cpumask_nth(rbt_random(rnd, cpumask_weight(&rbt.online)), &rbt.online)];
}

static bool rbt_wanted(const struct rbt_job *job)
{
	return !job->wanted || *job->wanted;
}

static int rbt_thread(void *arg)
{
	struct rbt_thread *thread = arg;

	while (!kthread_should_stop()) {
		thread->done += thread->job->turn(&thread->rnd);
		rbt_pause(&thread->rnd, thread->job->pause_us);
	}
	return 0;
}

static int rbt_start_thread(const struct rbt_job *job)
{
	struct rbt_thread *thread = &rbt_threads[rbt_nr_threads];
	struct task_struct *task;

	thread->job = job;
	prandom_seed_state(&thread->rnd, rbt_params.seed + rbt_nr_threads);
	task = kthread_run(rbt_thread, thread, "rbt_%s/%u", job->name, rbt_nr_threads);
	if (IS_ERR(task))
		return PTR_ERR(task);
	thread->task = task;
	rbt_nr_threads++;
	return 0;
}

static int rbt_start_threads(void)
{
	unsigned int nr = 0, i, n;
	int err = 0;

	rbt_all_writers = rbt_params.writers * cpumask_weight(&rbt.online);
	for (i = 0; i < RBT_JOBS; i++)
		nr += *rbt_jobs[i].threads;
	rbt_threads = kcalloc(nr, sizeof(*rbt_threads), GFP_KERNEL);
	if (!rbt_threads)
		return -ENOMEM;
	for (i = 0; i < RBT_JOBS; i++)
		for (n = 0; !err && rbt_wanted(&rbt_jobs[i]) && n < *rbt_jobs[i].threads; n++)
			err = rbt_start_thread(&rbt_jobs[i]);
	return err;
}

static void rbt_stop_threads(void)
{
	unsigned int i;

	for (i = 0; i < rbt_nr_threads; i++)
		kthread_stop(rbt_threads[i].task);
}

static void rbt_start_all_timers(void)
{
	int cpu;

	cpus_read_lock();
	for_each_cpu(cpu, &rbt.online)
		rbt_start_timers(&rbt.cpus[cpu]);
	cpus_read_unlock();
}

static void rbt_stop_all_timers(void)
{
	int cpu;

	WRITE_ONCE(rbt.stop, true);
	for_each_cpu(cpu, &rbt.online)
		rbt_stop_timers(&rbt.cpus[cpu]);
}

/* What is not possible here is not wanted, and that is said. */
static void rbt_check_wanted(void)
{
	int err;

	if (rbt_params.nmi) {
		err = rbt_nmi_start();
		rbt_params.nmi = !err;
		if (err)
			pr_info(RBT_NAME ": without NMIs: there is no way to send them here\n");
	}
	if (rbt_params.hotplug && cpumask_weight(&rbt.online) == 1) {
		rbt_params.hotplug = false;
		pr_info(RBT_NAME ": without hotplug: there is one CPU only\n");
	}
	if (rbt_params.swap && !IS_ENABLED(CONFIG_RING_BUFFER_ALLOW_SWAP)) {
		rbt_params.swap = false;
		pr_info(RBT_NAME ": without swap: the kernel has no CONFIG_RING_BUFFER_ALLOW_SWAP\n");
	}
	if (rbt_params.map && !current->mm) {
		rbt_params.map = false;
		pr_info(RBT_NAME ": without mappings: there is no process to map into\n");
	}
}

/* Turns of a job, by all its threads */
static unsigned long rbt_done(const struct rbt_job *job)
{
	unsigned long done = 0;
	unsigned int i;

	for (i = 0; i < rbt_nr_threads; i++)
		if (rbt_threads[i].job == job)
			done += READ_ONCE(rbt_threads[i].done);
	return done;
}

static void rbt_report(void)
{
	u64 by_context[RBT_CONTEXTS] = { }, read = 0, lost = 0;
	unsigned int i, context, n = 0;
	char turns[256];
	int cpu;

	for_each_possible_cpu(cpu) {
		for (context = 0; context < RBT_CONTEXTS; context++)
			by_context[context] += READ_ONCE(rbt.cpus[cpu].seq[context]);
		read += READ_ONCE(rbt.cpus[cpu].read);
		lost += READ_ONCE(rbt.cpus[cpu].lost);
	}
	pr_info(RBT_NAME ": events of tasks %llu, softirqs %llu, hardirqs %llu, NMIs %llu; %llu read, %llu reported lost\n",
		by_context[RBT_TASK], by_context[RBT_SOFTIRQ], by_context[RBT_HARDIRQ],
		by_context[RBT_NMI], read, lost);
	for (i = 0; i < RBT_JOBS; i++)
		n += scnprintf(turns + n, sizeof(turns) - n, "%s %lu, ", rbt_jobs[i].name,
			       rbt_done(&rbt_jobs[i]));
	pr_info(RBT_NAME ": turns: %smap %lu\n", turns, rbt_mapped);
}

/* Until the time is over, something is wrong, or somebody has had enough. */
static void rbt_run(void)
{
	unsigned long end = jiffies + rbt_params.duration * HZ;
	unsigned long report = jiffies + rbt_params.stat_interval * HZ;
	struct rnd_state rnd;

	prandom_seed_state(&rnd, rbt_params.seed - 1);
	while (time_before(jiffies, end) && !atomic_read(&rbt.failures) &&
	       !signal_pending(current)) {
		if (rbt_params.map)
			rbt_mapped += rbt_map(&rnd);
		schedule_timeout_interruptible(1 + rbt_random(&rnd, HZ / 10));
		if (rbt_params.stat_interval && time_after_eq(jiffies, report)) {
			rbt_report();
			report += rbt_params.stat_interval * HZ;
		}
	}
}

/*
 * No one writes any more: read what is left, and one more event, which says how
 * many were lost before it.
 */
static void rbt_settle(void)
{
	struct rbt_cpu *cpu;
	int nr;

	for_each_possible_cpu(nr) {
		cpu = &rbt.cpus[nr];
		mutex_lock(&cpu->lock);
		rbt_drain(rbt.buffer, cpu);
		if (cpumask_test_cpu(nr, &rbt.online) && !rbt_write_last(cpu))
			rbt_fail("cpu %d: takes no events any more", nr);
		rbt_drain(rbt.buffer, cpu);
		rbt_check_end(cpu);
		mutex_unlock(&cpu->lock);
	}
	if (!ring_buffer_empty(rbt.buffer))
		rbt_fail("the buffer is not empty at the end");
}

/* A test in which nothing happened says nothing. */
static void rbt_check_done(void)
{
	u64 nmis = 0;
	unsigned int i;
	int cpu;

	for_each_possible_cpu(cpu)
		nmis += rbt.cpus[cpu].seq[RBT_NMI];
	if (rbt_params.nmi && !nmis)
		rbt_fail("no event was written in an NMI");
	if (rbt_params.map && !rbt_mapped)
		rbt_fail("nothing was read in a mapping");
	for (i = 0; i < RBT_JOBS; i++)
		if (rbt_wanted(&rbt_jobs[i]) && *rbt_jobs[i].threads && !rbt_done(&rbt_jobs[i]))
			rbt_fail("\"%s\" was never possible", rbt_jobs[i].name);
}

static void rbt_verdict(void)
{
	u64 written = 0, read = 0, lost = 0, forgotten = 0, refused = 0;
	int nr;

	for_each_possible_cpu(nr) {
		struct rbt_cpu *cpu = &rbt.cpus[nr];

		written += rbt_written(cpu);
		read += cpu->read;
		lost += rbt_stats(cpu).overrun;
		forgotten += cpu->forgotten;
		refused += rbt_refused(cpu);
	}
	rbt_report();
	if (atomic_read(&rbt.failures))
		pr_err(RBT_NAME ": FAILURE: %s (the first of %d faults; seed %lu)\n", rbt_fault,
		       atomic_read(&rbt.failures), rbt_params.seed);
	else
		pr_info(RBT_NAME ": SUCCESS: %llu events written, %llu read, %llu lost, %llu reset, all accounted for; %llu more refused\n",
			written, read, lost, forgotten, refused);
}

static void rbt_torture(void)
{
	int err;

	rbt_check_wanted();
	rbt_start_all_timers();
	err = rbt_start_threads();
	if (err)
		rbt_fail("threads cannot be started: %d", err);
	rbt_run();
	rbt_stop_threads();
	rbt_stop_all_timers();
	if (rbt_params.nmi)
		rbt_nmi_stop();
	rbt_settle();
	/* who had enough may have had it early */
	if (!signal_pending(current) && !atomic_read(&rbt.failures))
		rbt_check_done();
	rbt_verdict();
}

static void rbt_init_cpus(void)
{
	int nr, context;

	for_each_possible_cpu(nr) {
		struct rbt_cpu *cpu = &rbt.cpus[nr];

		cpu->nr = nr;
		mutex_init(&cpu->lock);
		for (context = 0; context < RBT_CONTEXTS; context++)
			prandom_seed_state(&cpu->rnd[context],
					   ~(rbt_params.seed + nr * RBT_CONTEXTS + context));
	}
}

static int rbt_alloc(void)
{
	unsigned int flags = rbt_params.overwrite ? RB_FL_OVERWRITE : 0;

	rbt.cpus = kcalloc(nr_cpu_ids, sizeof(*rbt.cpus), GFP_KERNEL);
	rbt.buffer = ring_buffer_alloc(rbt_params.buffer_kb * 1024UL, flags);
	rbt.snapshot = ring_buffer_alloc(rbt_params.buffer_kb * 1024UL, flags);
	if (!rbt.cpus || !rbt.buffer || !rbt.snapshot)
		return -ENOMEM;
	return ring_buffer_subbuf_order_set(rbt.buffer, rbt_params.order) ?:
	       ring_buffer_subbuf_order_set(rbt.snapshot, rbt_params.order);
}

static void rbt_free(void)
{
	if (rbt.buffer)
		ring_buffer_free(rbt.buffer);
	if (rbt.snapshot)
		ring_buffer_free(rbt.snapshot);
	kfree(rbt.cpus);
	kfree(rbt_threads);
}

static int __init rbt_init(void)
{
	int err;

	if (!rbt_params.duration || !rbt_params.buffer_kb || rbt_params.buffer_kb > SZ_1M ||
	    rbt_params.duration > INT_MAX / HZ || rbt_params.stat_interval > INT_MAX / HZ) {
		pr_err(RBT_NAME ": duration, stat_interval or buffer_kb is out of range\n");
		return -EINVAL;
	}
	if (!rbt_params.seed)
		rbt_params.seed = (u32)ktime_get_real_ns();
	mutex_init(&rbt.change_lock);
	cpumask_copy(&rbt.online, cpu_online_mask);
	err = rbt_alloc();
	if (!err) {
		pr_info(RBT_NAME ": %u s with seed %lu\n", rbt_params.duration, rbt_params.seed);
		rbt_init_cpus();
		rbt_torture();
		if (atomic_read(&rbt.failures))
			err = -EIO;
		else if (signal_pending(current))
			err = -EINTR;
	}
	rbt_free();
	return err;
}

/* Behind all that it needs, if it is built in */
late_initcall(rbt_init);

static void __exit rbt_exit(void)
{
}
module_exit(rbt_exit);

MODULE_DESCRIPTION("Torture test of the ring buffer");
MODULE_LICENSE("GPL");
