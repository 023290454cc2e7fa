// SPDX-License-Identifier: GPL-2.0
/*
 * Function graph torture test: everything at once, at random, and every call compared with
 * what users are told of it.
 *
 * Threads, timers in soft and in hard interrupts, and NMIs call functions that call each
 * other, on all CPUs and within each other's calls. Users of the function graph and callbacks
 * of functions come and go and change their filters meanwhile, tasks end within calls, and
 * CPUs go offline and come back. Each function must return to its caller, and each user must
 * be told of just the calls that it asked for, with what belongs to them.
 *
 * Loading the module fails if anything was wrong.
 *
 * Files: calls.c has the functions, contexts.c the tasks and interrupts that call them, users.c
 * the users; check.c compares, and core.c is what the module needs of the kernel itself.
 */
#include <linux/atomic.h>
#include <linux/cpu.h>
#include <linux/delay.h>
#include <linux/err.h>
#include <linux/jiffies.h>
#include <linux/kthread.h>
#include <linux/ktime.h>
#include <linux/module.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>

#include "torture.h"

#define FGT_NAME	"fgraph_torture"

static unsigned int duration = 10, threads = 2, stat_interval;
static bool users = true, hotplug = true, nmi = true;
static unsigned long seed;

module_param(duration, uint, 0444);
MODULE_PARM_DESC(duration, "seconds to run");
module_param(threads, uint, 0444);
MODULE_PARM_DESC(threads, "threads that call functions, of each CPU");
module_param(users, bool, 0444);
MODULE_PARM_DESC(users, "have users that are told of the calls");
module_param(hotplug, bool, 0444);
MODULE_PARM_DESC(hotplug, "take CPUs offline and online");
module_param(nmi, bool, 0444);
MODULE_PARM_DESC(nmi, "call functions in NMIs, too");
module_param(seed, ulong, 0444);
MODULE_PARM_DESC(seed, "what is done follows from it; 0 is another one each time");
module_param(stat_interval, uint, 0444);
MODULE_PARM_DESC(stat_interval, "seconds between reports, 0 for none");

/* The first fault, for the verdict */
static char fault[200];
static atomic_t faults = ATOMIC_INIT(0);
static bool fault_written;

/* Something is wrong. Context: any, NMI included. */
void fgt_fail(const char *format, ...)
{
	va_list args;

	if (atomic_inc_return(&faults) != 1)
		return;
	va_start(args, format);
	vsnprintf(fault, sizeof(fault), format, args);
	va_end(args);
	/* Pairs with verdict(): the text, then that it is there */
	smp_store_release(&fault_written, true);
}

/* Another seed each time, all of which follow from that of the module */
void fgt_seed(struct rnd_state *rnd)
{
	static atomic_t nr;

	prandom_seed_state(rnd, seed + atomic_inc_return(&nr));
}

static const bool always = true;

/* What happened: its name in reports, and whether it must have happened in the end */
static const struct {
	const char	*name;
	const bool	*must;
} events[FGT_EVENTS] = {
	[FGT_CALLS] = { "calls", &always },
	[FGT_JUMPS] = { "jumps", &always },
	[FGT_ENTRIES] = { "entries", &users },
	[FGT_RETURNS] = { "returns", &users },
	[FGT_KEPT] = { "kept something", &users },
	[FGT_NO_ROOM] = { "no room for it", &users },
	[FGT_OVERRUNS] = { "overruns", &users },
	[FGT_ASKED] = { "asked", &users },
	[FGT_DURING_CHANGES] = { "during changes", &users },
	[FGT_CHANGES] = { "changes", &users },
	[FGT_SESSIONS] = { "registrations", &users },
	[FGT_SLEPT] = { "slept", &always },
	[FGT_UNWOUND] = { "unwound", &always },
	[FGT_LEFT] = { "tasks left", &always },
	[FGT_HOTPLUG] = { "CPUs offline", &hotplug },
};

atomic_long_t fgt_events[FGT_EVENTS];

static void report(void)
{
	char text[400];
	unsigned int i, n = 0;

	for (i = 0; i < FGT_EVENTS; i++)
		n += scnprintf(text + n, sizeof(text) - n, "%s%s %lu", i ? ", " : "",
			       events[i].name, atomic_long_read(&fgt_events[i]));
	pr_info(FGT_NAME ": %s\n", text);
}

/* A test in which nothing happened says nothing */
static void check_happened(void)
{
	unsigned int i;

	for (i = 0; i < FGT_EVENTS; i++)
		if (*events[i].must && !atomic_long_read(&fgt_events[i]))
			fgt_fail("%s: none", events[i].name);
}

static void pause(struct rnd_state *rnd, unsigned int up_to_us)
{
	unsigned int us = fgt_random(rnd, up_to_us);

	usleep_range(us, us + 50);
}

/* Threads whose data is a context call functions */
static int call_again_and_again(void *data)
{
	struct fgt_context *context = data;

	while (!kthread_should_stop()) {
		fgt_call_some(context);
		pause(&context->rnd, 500);
	}
	return 0;
}

static int call_and_leave(void *data)
{
	struct fgt_context *context = data;
	unsigned int i = 1 + fgt_random(&context->rnd, 20);

	while (i--)
		fgt_call_some(context);
	kthread_complete_and_exit(context->leave, 0);
}

/* A task that begins, calls, and ends, mostly within a call */
static void begin_task(struct rnd_state *rnd)
{
	struct fgt_context *context = fgt_new_context(FGT_TASK);
	DECLARE_COMPLETION_ONSTACK(left);
	struct task_struct *task;

	if (!context)
		return;
	context->leave = &left;
	task = kthread_run(call_and_leave, context, "fgt_leave");
	if (!IS_ERR(task))
		wait_for_completion(&left);
	kfree(context);
}

static bool take_offline(unsigned int cpu)
{
	return cpu_online(cpu) && cpu_is_hotpluggable(cpu) && !remove_cpu(cpu);
}

/* Not each can be, the first one often not */
static unsigned int take_any_offline(struct rnd_state *rnd)
{
	unsigned int first = fgt_random(rnd, nr_cpu_ids), i;

	for (i = 0; i < nr_cpu_ids; i++)
		if (take_offline((first + i) % nr_cpu_ids))
			return (first + i) % nr_cpu_ids;
	return nr_cpu_ids;
}

static void unplug(struct rnd_state *rnd)
{
	unsigned int cpu = take_any_offline(rnd);

	if (cpu == nr_cpu_ids)
		return;
	fgt_count(FGT_HOTPLUG);
	pause(rnd, 100000);
	if (add_cpu(cpu))
		fgt_fail("cpu %u: does not come online again", cpu);
	else
		fgt_restart_timers(cpu);
}

/* What a thread does again and again */
struct job {
	const char	*name;
	void		(*turn)(struct rnd_state *rnd);
	unsigned int	pause_us;
	const bool	*wanted;	/* NULL: always */
};

static const struct job jobs[] = {
	{ "change", fgt_change_user, 50000, &users },
	{ "begin", begin_task, 20000 },
	{ "hotplug", unplug, 1000000, &hotplug },
};

#define NR_JOBS		ARRAY_SIZE(jobs)

static int do_again_and_again(void *data)
{
	const struct job *job = data;
	struct rnd_state rnd;

	fgt_seed(&rnd);
	while (!kthread_should_stop()) {
		job->turn(&rnd);
		pause(&rnd, job->pause_us);
	}
	return 0;
}

/* The threads that call, and those of the jobs behind them */
static struct task_struct **tasks;
static struct fgt_context **contexts;
static unsigned int nr_tasks;

static int start_task(int (*run)(void *data), void *data, const char *name)
{
	struct task_struct *task = kthread_run(run, data, "fgt_%s/%u", name, nr_tasks);

	if (IS_ERR(task))
		return PTR_ERR(task);
	tasks[nr_tasks++] = task;
	return 0;
}

static int start_callers(unsigned int callers)
{
	unsigned int i;
	int err = 0;

	tasks = kcalloc(callers + NR_JOBS, sizeof(*tasks), GFP_KERNEL);
	contexts = kcalloc(callers, sizeof(*contexts), GFP_KERNEL);
	if (!tasks || !contexts)
		return -ENOMEM;
	for (i = 0; !err && i < callers; i++) {
		contexts[i] = fgt_new_context(FGT_TASK);
		err = contexts[i] ? start_task(call_again_and_again, contexts[i], "call") : -ENOMEM;
	}
	return err;
}

static int start_jobs(void)
{
	unsigned int i;
	int err = 0;

	for (i = 0; !err && i < NR_JOBS; i++)
		if (!jobs[i].wanted || *jobs[i].wanted)
			err = start_task(do_again_and_again, (void *)&jobs[i], jobs[i].name);
	return err;
}

static void stop_tasks(unsigned int callers)
{
	unsigned int i;

	/* Jobs first: they start tasks and timers */
	while (nr_tasks)
		kthread_stop(tasks[--nr_tasks]);
	for (i = 0; contexts && i < callers; i++)
		kfree(contexts[i]);
	kfree(contexts);
	kfree(tasks);
}

/* Until that time is over, something is wrong, or somebody has had enough */
static void run(unsigned long time)
{
	unsigned long end = jiffies + time;
	unsigned long next_report = jiffies + stat_interval * HZ;

	while (time_before(jiffies, end) && !atomic_read(&faults) && !signal_pending(current)) {
		schedule_timeout_interruptible(HZ / 10);
		if (stat_interval && time_after_eq(jiffies, next_report)) {
			report();
			next_report += stat_interval * HZ;
		}
	}
}

static int verdict(void)
{
	report();
	if (atomic_read(&faults)) {
		/* Pairs with fgt_fail() */
		bool written = smp_load_acquire(&fault_written);

		pr_err(FGT_NAME ": FAILURE: %s (the first of %d faults; seed %lu)\n",
		       written ? fault : "?", atomic_read(&faults), seed);
		return -EIO;
	}
	if (signal_pending(current))
		return -EINTR;
	pr_info(FGT_NAME ": SUCCESS: %lu calls, each %s\n",
		atomic_long_read(&fgt_events[FGT_CALLS]),
		users ? "told as it was" : "returned to its caller");
	return 0;
}

static int torture(void)
{
	unsigned int callers = threads * num_online_cpus();
	int err = fgt_start_interrupts(nmi);

	if (err)
		return err;
	/* All users want all functions at first: so everything happens, whatever comes then */
	if (users)
		fgt_add_users();
	err = start_callers(callers);
	if (!err) {
		run(duration * HZ / 8);
		err = start_jobs();
	}
	if (!err)
		run(duration * HZ - duration * HZ / 8);
	stop_tasks(callers);
	fgt_stop_interrupts();
	fgt_remove_users();
	if (err)
		return err;
	/* A run that was ended early may have had no time for everything */
	if (!signal_pending(current))
		check_happened();
	return verdict();
}

static int __init fgt_init(void)
{
	int err = fgt_find_sites();

	if (err) {
		pr_err(FGT_NAME ": the functions cannot be hooked\n");
		return err;
	}
	if (!duration || duration > INT_MAX / HZ || stat_interval > INT_MAX / HZ || !threads ||
	    threads > 64) {
		pr_err(FGT_NAME ": duration, stat_interval or threads is out of range\n");
		return -EINVAL;
	}
	if (!seed)
		seed = (u32)ktime_get_real_ns();
	if (hotplug && num_online_cpus() == 1) {
		hotplug = false;
		pr_info(FGT_NAME ": without hotplug: there is one CPU only\n");
	}
	pr_info(FGT_NAME ": %u s with seed %lu\n", duration, seed);
	return torture();
}

/* Behind all that it needs, if it is built in */
late_initcall(fgt_init);

static void __exit fgt_exit(void)
{
}
module_exit(fgt_exit);

MODULE_DESCRIPTION("Torture test of the function graph");
MODULE_LICENSE("GPL");
