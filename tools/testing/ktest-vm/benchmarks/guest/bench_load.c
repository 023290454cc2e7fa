// SPDX-License-Identifier: GPL-2.0
/*
 * Loads: hackbench, without a tracer and with every function traced, and many
 * tasks at once, for the memory that the graph tracer keeps for each.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include "bench.h"

#define HACKBENCH "/usr/bin/hackbench"
/* Its time differs by some percent from run to run in one guest, for its tasks
 * do not always fall asleep and wake in the same order: a mean is needed.
 */
#define TRACED_ROUNDS 4
#define UNTRACED_ROUNDS 20
#define TASKS 512

/* Its tasks take turns, so that a clock tick that comes a little earlier or
 * later hardly changes their order.
 */
static uint64_t time_hackbench(void)
{
	uint64_t start = now();
	pid_t pid = fork();
	int status;

	if (!pid) {
		int null = open("/dev/null", O_RDWR);

		dup2(null, 0);
		dup2(null, 1);
		execl(HACKBENCH, "hackbench", "-F", "-p", "-g", "1", "-l", "100", NULL);
		_exit(127);
	}
	if (pid < 0 || waitpid(pid, &status, 0) < 0)
		die("hackbench: %s", strerror(errno));
	if (status)
		die("hackbench ended with status %#x", status);
	return now() - start;
}

struct times {
	double mean, least, most;
};

static struct times time_rounds(int rounds)
{
	struct times times = { 0 };

	for (int round = 0; round < rounds; round++) {
		double time = time_hackbench();

		times.mean += time / rounds;
		if (!round || time < times.least)
			times.least = time;
		if (time > times.most)
			times.most = time;
	}
	return times;
}

/* No time is kept back from real-time tasks; the first run only warms up */
static void prepare_hackbench(void)
{
	int error = put_path("/proc/sys/kernel/sched_rt_runtime_us", "-1");

	if (error)
		die("sched_rt_runtime_us: %s", strerror(error));
	time_hackbench();
}

void measure_loads(void)
{
	double off = 0;

	prepare_hackbench();
	for (size_t i = 0; i < LOADS; i++) {
		if (apply(&loads[i])) {
			struct times times = time_rounds(i ? TRACED_ROUNDS : UNTRACED_ROUNDS);

			off = off ? off : times.mean;
			report("load\t%s\t%.3f\t%.0f\t%.0f\t%.0f\n", loads[i].name,
			       times.mean / off, times.mean, times.least, times.most);
		} else {
			report("none\t%s\n", loads[i].name);
		}
		reset();
	}
}

static void open_and_close(void)
{
	int fd = open("/init", O_RDONLY);

	if (fd < 0 || close(fd))
		die("/init: %s", strerror(errno));
}

void measure_untraced(void)
{
	struct times times;

	report("untraced\tgetpgid\t%.1f\n", measure(call_target).mean);
	report("untraced\topen and close\t%.1f\n", measure(open_and_close).mean);
	prepare_hackbench();
	times = time_rounds(UNTRACED_ROUNDS);
	report("untraced\thackbench\t%.0f\t%.0f\t%.0f\n", times.mean, times.least, times.most);
}

/* Memory */

/* Bytes in slabs and in vmalloc's areas, where a return stack may be */
static double kernel_memory(void)
{
	char line[128];
	long kb, sum = 0;
	int fd = open("/proc/sys/vm/stat_refresh", O_RDONLY);
	FILE *file;

	if (fd < 0 || read(fd, line, sizeof(line)) < 0)
		die("/proc/sys/vm/stat_refresh: %s", strerror(errno));
	close(fd);
	file = fopen("/proc/meminfo", "r");
	while (file && fgets(line, sizeof(line), file))
		if (sscanf(line, "Slab: %ld", &kb) == 1 ||
		    sscanf(line, "VmallocUsed: %ld", &kb) == 1)
			sum += kb;
	if (file)
		fclose(file);
	return sum * 1024.0;
}

/* Bytes of a slab's object, 0 if it is not known */
static double object_size(const char *slab)
{
	char line[256], name[64];
	double size = 0, found = 0;
	FILE *file = fopen("/proc/slabinfo", "r");

	while (file && fgets(line, sizeof(line), file))
		if (sscanf(line, "%63s %*u %*u %lf", name, &size) == 2 && !strcmp(name, slab))
			found = size;
	if (file)
		fclose(file);
	return found;
}

struct tasks {
	pid_t pids[TASKS];
	int work[2], done[2];
};

/* Each makes a call for each byte that it gets */
static void task(const struct tasks *tasks)
{
	char byte;

	while (read(tasks->work[0], &byte, 1) == 1) {
		call_target();
		if (write(tasks->done[1], &byte, 1) != 1)
			break;
	}
	_exit(1);
}

/* Has each of the tasks make a call. The pipe wakes them in the order in which
 * they went to sleep, so none takes two bytes.
 */
static void run_tasks(const struct tasks *tasks)
{
	char byte = 0;

	for (int i = 0; i < TASKS; i++)
		if (write(tasks->work[1], &byte, 1) != 1 || read(tasks->done[0], &byte, 1) != 1)
			die("a task does not answer: %s", strerror(errno));
}

static void start_tasks(struct tasks *tasks)
{
	if (pipe(tasks->work) || pipe(tasks->done))
		die("pipe: %s", strerror(errno));
	for (int i = 0; i < TASKS; i++) {
		tasks->pids[i] = fork();
		if (tasks->pids[i] < 0)
			die("fork: %s", strerror(errno));
		if (!tasks->pids[i])
			task(tasks);
	}
	run_tasks(tasks);
}

static void stop_tasks(const struct tasks *tasks)
{
	for (int i = 0; i < TASKS; i++) {
		kill(tasks->pids[i], SIGKILL);
		waitpid(tasks->pids[i], NULL, 0);
	}
}

/* What the tracer keeps while it is on. The first round allocates what stays when it is off. */
static void measure_tracer_memory(const char *file, const char *what)
{
	double before = 0, with = 0;

	for (int round = 0; round < 2; round++) {
		before = kernel_memory();
		if (put(file, "function"))
			die("%s: there is no function tracer", file);
		with = kernel_memory();
		put(file, "nop");
	}
	report("memory\tfunction, %s\t%.0f\n", what, with - before);
}

static void measure_tracers_memory(void)
{
	put("set_ftrace_filter", "");
	measure_tracer_memory("current_tracer", "every function");
	put("current_tracer", "function");
	measure_tracer_memory("instances/a/current_tracer", "every function, the second instance");
	put("current_tracer", "nop");
	set_filter();
}

/* A first batch of tasks uses up the free places in the slabs */
static void measure_stack_memory(void)
{
	static struct tasks first, tasks;
	double before, size = object_size("task_struct");

	start_tasks(&first);
	put("current_tracer", "function_graph");
	run_tasks(&first);
	put("current_tracer", "nop");
	start_tasks(&tasks);
	before = kernel_memory();
	if (put("current_tracer", "function_graph"))
		die("no function_graph tracer");
	run_tasks(&tasks);
	report("memory\treturn stack of a task\t%.0f\n", (kernel_memory() - before) / TASKS);
	if (size)
		report("memory\tstruct task_struct\t%.0f\n", size);
	stop_tasks(&tasks);
	stop_tasks(&first);
	reset();
}

void measure_memory(void)
{
	measure_stack_memory();
	measure_tracers_memory();
}
