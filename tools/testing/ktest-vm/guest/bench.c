// SPDX-License-Identifier: GPL-2.0
/*
 * The guest's init for "make bench": what tracing costs, in instructions,
 * events' bytes and memory.
 *
 * The machine counts instructions (-icount shift=0), and its time stamp counter
 * advances by one with each, so a difference of two readings is an exact count.
 * Results go to the second serial port, a line each: kind, name, values, with
 * tabs between them. What a kernel does not have is reported as "none".
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/reboot.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#define TRACING "/sys/kernel/tracing/"
/* What the traced system call calls, once */
#define TARGET "do_getpgid"
/* Traceable, and never called here */
#define OTHER "kernel_restart"
#define CALLS 4000
#define ROUNDS 3
#define BUFFER_KB "4096"
/* A timer interrupt takes some 3000 instructions, a new page of the buffer 300 */
#define INTERRUPTED 1000
#define TASKS 512
#define PAGE 4096
#define EVENT_TYPES 65536
#define HACKBENCH "/usr/bin/hackbench"

/* A file below TRACING, and what to write to it */
struct setting {
	const char *file, *value;
};

#define MAX_SETTINGS 8

struct scenario {
	const char *name;
	struct setting settings[MAX_SETTINGS];
};

#define TRACER(t) { "current_tracer", t }
#define OPTION(o) { "options/" o, "1" }
#define FILTER(i, function) { "instances/" i "/set_ftrace_filter", function }
#define FUNCTION(i) { "instances/" i "/current_tracer", "function" }
#define OFF { "tracing_on", "0" }
#define SYSCALL_EVENT(e) { "events/syscalls/" e "_getpgid/enable", "1" }

/* Each is one function's calls, but for the last */
static const struct scenario scenarios[] = {
	{ "function", { TRACER("function") } },
	{ "function, func-args", { TRACER("function"), OPTION("func-args") } },
	{ "graph", { TRACER("function_graph") } },
	{ "graph, retval", { TRACER("function_graph"), OPTION("funcgraph-retval") } },
	{ "graph, args", { TRACER("function_graph"), OPTION("funcgraph-args") } },
	{ "graph, args, retval-typed", { TRACER("function_graph"), OPTION("funcgraph-args"),
					 OPTION("funcgraph-retval-typed") } },
	{ "function, one instance", { FILTER("a", TARGET), FUNCTION("a") } },
	{ "function, two instances", { FILTER("a", TARGET), FUNCTION("a"),
				       FILTER("b", TARGET), FUNCTION("b") } },
	{ "function, one instance, one elsewhere", { FILTER("a", TARGET), FUNCTION("a"),
						     FILTER("c", OTHER), FUNCTION("c") } },
	{ "function, two instances, one elsewhere", { FILTER("a", TARGET), FUNCTION("a"),
						      FILTER("b", TARGET), FUNCTION("b"),
						      FILTER("c", OTHER), FUNCTION("c") } },
	{ "function, tracing_on=0", { TRACER("function"), OFF } },
	{ "graph, tracing_on=0", { TRACER("function_graph"), OFF } },
	{ "syscall, enter and exit events", { SYSCALL_EVENT("sys_enter"),
					      SYSCALL_EVENT("sys_exit") } },
};

/* Everything is traced */
static const struct scenario loads[] = {
	{ "off", { { NULL, NULL } } },
	{ "function", { TRACER("function") } },
	{ "function, func-args", { TRACER("function"), OPTION("func-args") } },
	{ "graph", { TRACER("function_graph") } },
	{ "graph, args, retval-typed", { TRACER("function_graph"), OPTION("funcgraph-args"),
					 OPTION("funcgraph-retval-typed") } },
};

/* What puts everything back; what a kernel has no file for is skipped */
static const struct setting defaults[] = {
	{ "events/enable", "0" },
	{ "instances/a/current_tracer", "nop" },
	{ "instances/b/current_tracer", "nop" },
	{ "instances/c/current_tracer", "nop" },
	{ "options/func-args", "0" },
	{ "options/funcgraph-args", "0" },
	{ "options/funcgraph-retval", "0" },
	{ "options/funcgraph-retval-typed", "0" },
	{ "current_tracer", "nop" },
	{ "tracing_on", "1" },
	{ "trace", "" },
	{ "instances/a/trace", "" },
	{ "instances/b/trace", "" },
	{ "instances/c/trace", "" },
};

static FILE *results;

/* Waits until the line is out: the port's interrupts must not fall into what
 * is measured next.
 */
static void __attribute__((format(printf, 1, 2))) report(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vfprintf(results, format, args);
	va_end(args);
	fflush(results);
	tcdrain(fileno(results));
}

static void end(int status)
{
	report("@ktest exit %d\n", status);
	reboot(RB_AUTOBOOT);
	exit(status);
}

static void __attribute__((format(printf, 1, 2), noreturn)) die(const char *format, ...)
{
	va_list args;
	char text[512];

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	report("error\t%s\n", text);
	end(1);
	exit(1);
}

/* 0 or an errno. Without a newline, a filter is looked at only when the file is
 * closed, and a wrong one goes unnoticed.
 */
static int put(const char *file, const char *value)
{
	char path[256], line[256];
	int fd, error;

	snprintf(path, sizeof(path), TRACING "%s", file);
	snprintf(line, sizeof(line), "%s\n", value);
	fd = open(path, O_WRONLY | O_TRUNC);
	if (fd < 0)
		return errno;
	error = write(fd, line, strlen(line)) < 0 ? errno : 0;
	close(fd);
	return error;
}

static void reset(void)
{
	for (size_t i = 0; i < sizeof(defaults) / sizeof(*defaults); i++) {
		int error = put(defaults[i].file, defaults[i].value);

		if (error && error != ENOENT)
			die("%s: writing \"%s\": %s", defaults[i].file, defaults[i].value,
			    strerror(error));
	}
}

/* Whether this kernel has it all */
static int apply(const struct scenario *scenario)
{
	const struct setting *setting = scenario->settings;

	for (; setting->file; setting++) {
		int error = put(setting->file, setting->value);

		if (error == ENOENT && !strncmp(setting->file, "options/", 8))
			return 0;
		if (error)
			die("%s: writing \"%s\": %s", setting->file, setting->value,
			    strerror(error));
	}
	return 1;
}

static uint64_t now(void)
{
	uint32_t low, high;

	asm volatile("rdtsc" : "=a"(low), "=d"(high) :: "memory");
	return (uint64_t)high << 32 | low;
}

/* Without a counter of instructions every figure would be a fiction */
static void check_counter(void)
{
	uint64_t start = now(), spent;

	asm volatile(".rept 1000; nop; .endr");
	spent = now() - start;
	if (spent < 1000 || spent > 1100)
		die("1000 instructions take %llu ticks: not a machine with -icount shift=0",
		    (unsigned long long)spent);
}

static uint32_t spent[CALLS];

static void __attribute__((noinline)) call_target(void)
{
	long result;

	asm volatile("syscall" : "=a"(result) : "0"(SYS_getpgid), "D"(0) : "rcx", "r11", "memory");
}

static void sample(void)
{
	for (int i = 0; i < CALLS; i++) {
		uint64_t start = now();

		call_target();
		spent[i] = now() - start;
	}
}

static int compare(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return (x > y) - (x < y);
}

struct cost {
	double mean;		/* of the calls that nothing interrupted */
	uint32_t median;
	int interrupted;
};

static struct cost cost_of_round(void)
{
	struct cost cost = { 0 };
	uint64_t sum = 0;
	int used = 0;

	sample();
	qsort(spent, CALLS, sizeof(*spent), compare);
	cost.median = spent[CALLS / 2];
	while (used < CALLS && spent[used] < cost.median + INTERRUPTED)
		sum += spent[used++];
	cost.mean = (double)sum / used;
	cost.interrupted = CALLS - used;
	return cost;
}

static void clear_traces(void)
{
	put("trace", "");
	put("instances/a/trace", "");
	put("instances/b/trace", "");
}

/* The best of the rounds; the first one only warms up */
static struct cost measure(void)
{
	struct cost best = { 0 };

	for (int round = 0; round <= ROUNDS; round++) {
		struct cost cost;

		clear_traces();
		cost = cost_of_round();
		if (round == 1 || (round && cost.mean < best.mean))
			best = cost;
	}
	return best;
}

/* Sizes of events, from the buffer's pages as they are */

struct sizes {
	unsigned long bytes, count;
};

static struct sizes sizes[EVENT_TYPES];

/* The length of the event at word; adds a record to sizes. Of types 1 to 28
 * the number is the record's length in words, 0 has the length in the next
 * word, the others are padding and time.
 */
static size_t take_event(const uint32_t *word)
{
	uint32_t type = *word & 31;
	size_t length, header = type ? 4 : 8;

	if (type == 29)
		return 4 + word[1];
	if (type == 30 || type == 31)
		return 8;
	length = type ? 4 + 4 * type : 4 + word[1];
	sizes[*(const uint16_t *)((const char *)word + header)].bytes += length;
	sizes[*(const uint16_t *)((const char *)word + header)].count++;
	return length;
}

/* A page is a time stamp, the length of its data, and the data */
static void take_page(const char *page, size_t got)
{
	size_t length = *(const uint64_t *)(page + 8) & 0xfffff;
	size_t at = 16;

	if (got < 16 || length > got - 16)
		die("a page of trace_pipe_raw has %zu bytes for %zu", got, length);
	while (at < 16 + length)
		at += take_event((const uint32_t *)(page + at));
}

static void count_events(void)
{
	static char page[PAGE] __attribute__((aligned(8)));
	int fd = open(TRACING "per_cpu/cpu0/trace_pipe_raw", O_RDONLY | O_NONBLOCK);
	ssize_t got;

	if (fd < 0)
		die("trace_pipe_raw: %s", strerror(errno));
	memset(sizes, 0, sizeof(sizes));
	while ((got = read(fd, page, sizeof(page))) > 0)
		take_page(page, got);
	close(fd);
}

static int event_type(const char *event)
{
	char path[256];
	FILE *file;
	int type = -1;

	snprintf(path, sizeof(path), TRACING "events/%s/format", event);
	file = fopen(path, "r");
	if (!file)
		return -1;
	while (fgets(path, sizeof(path), file) && sscanf(path, "ID: %d", &type) != 1)
		;
	fclose(file);
	return type;
}

static const char *const events[] = {
	"ftrace/function", "ftrace/funcgraph_entry", "ftrace/funcgraph_exit",
	"syscalls/sys_enter_getpgid", "syscalls/sys_exit_getpgid",
};

/* The buffer of the last round is still there */
static void report_sizes(const char *name)
{
	count_events();
	for (size_t i = 0; i < sizeof(events) / sizeof(*events); i++) {
		int type = event_type(events[i]);

		if (type < 0 || !sizes[type].count)
			continue;
		report("bytes\t%s: %s\t%.2f\n", name, strchr(events[i], '/') + 1,
		       (double)sizes[type].bytes / sizes[type].count);
	}
}

static void run_scenario(const struct scenario *scenario, struct cost off)
{
	struct cost cost;

	if (!apply(scenario)) {
		report("none\t%s\n", scenario->name);
		reset();
		return;
	}
	cost = measure();
	put("tracing_on", "0");
	report("insns\t%s\t%.1f\t%d\t%d\n", scenario->name, cost.mean - off.mean,
	       (int)(cost.median - off.median), cost.interrupted);
	report_sizes(scenario->name);
	reset();
}

static void run_scenarios(void)
{
	struct cost off;

	if (put("set_ftrace_filter", TARGET))
		die("set_ftrace_filter: the kernel has no function " TARGET);
	off = measure();
	report("insns\toff\t%.1f\t%d\t%d\n", off.mean, (int)off.median, off.interrupted);
	for (size_t i = 0; i < sizeof(scenarios) / sizeof(*scenarios); i++)
		run_scenario(&scenarios[i], off);
}

/* Memory */

/* Kilobytes of /proc/meminfo in slabs and in vmalloc's areas, where a return
 * stack may be
 */
static long kernel_memory(void)
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
	return sum;
}

static void start_tasks(pid_t *pids)
{
	for (int i = 0; i < TASKS; i++) {
		pids[i] = fork();
		if (pids[i] < 0)
			die("fork: %s", strerror(errno));
		if (!pids[i])
			for (;;)
				pause();
	}
	/* They all reach their pause */
	sleep(1);
}

static void stop_tasks(const pid_t *pids)
{
	for (int i = 0; i < TASKS; i++) {
		kill(pids[i], SIGKILL);
		waitpid(pids[i], NULL, 0);
	}
}

/* A first batch of tasks uses up the free places in the slabs */
static void measure_memory(void)
{
	static pid_t first[TASKS], pids[TASKS];
	long before;

	start_tasks(first);
	put("current_tracer", "function_graph");
	put("current_tracer", "nop");
	start_tasks(pids);
	before = kernel_memory();
	if (put("current_tracer", "function_graph"))
		die("no function_graph tracer");
	report("memory\treturn stack of a task\t%.0f\n",
	       (kernel_memory() - before) * 1024.0 / TASKS);
	stop_tasks(pids);
	stop_tasks(first);
	reset();
}

/* A load with every function traced. Its tasks take turns, so that a clock tick
 * that comes a little earlier or later hardly changes their order; what it still
 * changes is a few percent of the figure.
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
		execl(HACKBENCH, "hackbench", "-F", "-p", "-g", "1", "-l", "20", NULL);
		_exit(127);
	}
	if (pid < 0 || waitpid(pid, &status, 0) < 0)
		die("hackbench: %s", strerror(errno));
	if (status)
		die("hackbench ended with status %#x", status);
	return now() - start;
}

static uint64_t best_hackbench(void)
{
	uint64_t best = UINT64_MAX;

	for (int round = 0; round < ROUNDS; round++) {
		uint64_t time = time_hackbench();

		if (time < best)
			best = time;
	}
	return best;
}

/* No time is kept back from real-time tasks */
static void allow_real_time(void)
{
	int fd = open("/proc/sys/kernel/sched_rt_runtime_us", O_WRONLY);

	if (fd < 0 || write(fd, "-1", 2) != 2)
		die("sched_rt_runtime_us: %s", strerror(errno));
	close(fd);
}

static void run_loads(void)
{
	uint64_t off = 0, time;

	allow_real_time();
	time_hackbench();
	for (size_t i = 0; i < sizeof(loads) / sizeof(*loads); i++) {
		if (!apply(&loads[i])) {
			report("none\thackbench: %s\n", loads[i].name);
		} else {
			time = best_hackbench();
			off = off ? off : time;
			report("load\thackbench: %s\t%.2f\t%llu\n", loads[i].name,
			       (double)time / off, (unsigned long long)time);
		}
		reset();
	}
}

/* A port carries what is written to it as it is */
static FILE *open_port(const char *path, const char *mode)
{
	FILE *port = fopen(path, mode);
	struct termios raw;

	if (!port)
		return NULL;
	tcgetattr(fileno(port), &raw);
	cfmakeraw(&raw);
	cfsetspeed(&raw, B115200);
	tcsetattr(fileno(port), TCSANOW, &raw);
	return port;
}

/* Single calls, of which the host records every instruction */

#define STEPPED 4

/* Tells the host, and waits until it has done its part */
static void handshake(FILE *host, const char *what, const char *name)
{
	report("%s\t%s\n", what, name);
	if (fgetc(host) == EOF)
		die("the host does not answer");
}

static void step(FILE *host, const struct scenario *scenario)
{
	if (apply(scenario)) {
		sample();
		handshake(host, "step", scenario->name);
		for (int i = 0; i < STEPPED; i++)
			call_target();
		handshake(host, "stepped", scenario->name);
	}
	reset();
}

static void run_steps(void)
{
	FILE *host = open_port("/dev/ttyS2", "r");

	if (!host)
		return;
	put("set_ftrace_filter", TARGET);
	for (size_t i = 0; i < sizeof(loads) / sizeof(*loads); i++)
		step(host, &loads[i]);
	fclose(host);
}

/* The machine */

static void mount_at(const char *type, const char *path)
{
	mkdir(path, 0755);
	if (mount(type, path, type, 0, NULL) && errno != EBUSY)
		die("mounting %s: %s", path, strerror(errno));
}

#define VULNERABILITIES "/sys/devices/system/cpu/vulnerabilities"

static int visible(const struct dirent *entry)
{
	return entry->d_name[0] != '.';
}

static void report_mitigations(void)
{
	struct dirent **list;
	int count = scandir(VULNERABILITIES, &list, visible, alphasort);

	for (int i = 0; i < count; i++) {
		char path[512], text[256] = "";
		FILE *file;

		snprintf(path, sizeof(path), VULNERABILITIES "/%s", list[i]->d_name);
		file = fopen(path, "r");
		if (!file || !fgets(text, sizeof(text), file))
			continue;
		fclose(file);
		text[strcspn(text, "\n")] = '\0';
		if (strcmp(text, "Not affected"))
			report("mitigation\t%s\t%s\n", list[i]->d_name, text);
	}
}

static void make_instances(void)
{
	static const char *const names[] = { "a", "b", "c" };

	for (int i = 0; i < 3; i++) {
		char path[256];

		snprintf(path, sizeof(path), TRACING "instances/%s", names[i]);
		if (mkdir(path, 0755))
			die("%s: %s", path, strerror(errno));
		snprintf(path, sizeof(path), "instances/%s/buffer_size_kb", names[i]);
		put(path, BUFFER_KB);
	}
}

int main(void)
{
	mount_at("devtmpfs", "/dev");
	results = open_port("/dev/ttyS1", "w");
	if (!results)
		return 1;
	mount_at("proc", "/proc");
	mount_at("sysfs", "/sys");
	mount_at("tracefs", "/sys/kernel/tracing");
	check_counter();
	report_mitigations();
	if (put("buffer_size_kb", BUFFER_KB))
		die("buffer_size_kb was refused");
	make_instances();
	/* First, for they are the most easily disturbed */
	run_loads();
	run_scenarios();
	measure_memory();
	run_steps();
	end(0);
	return 0;
}
