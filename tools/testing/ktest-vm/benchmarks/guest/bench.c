// SPDX-License-Identifier: GPL-2.0
/*
 * The guest's init for "make bench": what tracing costs, in instructions,
 * events' bytes and memory. Its arguments are the steps to take, in any order.
 *
 * The machine counts instructions (-icount shift=0), and its time stamp counter
 * advances by one with each, so a difference of two readings is an exact count.
 * Results go to the second serial port, a line each: kind, name, values, with
 * tabs between them. What a kernel does not have is reported as "none".
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include "bench.h"

/* What the traced system call calls, once */
/* What call_target() calls; x86-32 has it inline in the system call */
#ifdef __x86_64__
#define TARGET "do_getpgid"
#else
#define TARGET "__ia32_sys_getpgid"
#endif
/* Traceable, and never called here */
#define OTHER "kernel_restart"
#define CALLS 4000
#define ROUNDS 3
#define BUFFER_KB "4096"
/*
 * A timer interrupt takes some 3000 instructions and more. New pages of two buffers at once take
 * up to 2100, and belong to what the call costs.
 */
#define INTERRUPTED 2500

#define FILTER(i, function) { "instances/" i "/set_ftrace_filter", function }
#define FUNCTION(i) { "instances/" i "/current_tracer", "function" }
#define GRAPH(i) { "instances/" i "/current_tracer", "function_graph" }
#define THRESHOLD { "tracing_thresh", "1000000" }
#define OFF { "tracing_on", "0" }
#define LEFT_OUT(by, what) { "graph, left out by " by, { { by, what }, TRACER("function_graph") } }
#define SYSCALL_EVENT(e) { "events/syscalls/" e "_getpgid/enable", "1" }

/* Each is one function's calls, but for the last */
static const struct scenario scenarios[] = {
	{ "function", { TRACER("function") } },
	{ "function, func-args", { TRACER("function"), OPTION("func-args") } },
	{ "graph", { TRACER("function_graph") } },
	{ "graph, retval", { TRACER("function_graph"), OPTION("funcgraph-retval") } },
	{ "graph, args", { TRACER("function_graph"), OPTION("funcgraph-args") } },
	{ "graph, args, retval-typed", { TYPED_GRAPH } },
	{ "graph, args at the return", { TRACER("function_graph"), OPTION("funcgraph-exit-args"),
					 OPTION("funcgraph-retval-typed") } },
	/* No call takes so long */
	{ "graph, threshold", { THRESHOLD, TRACER("function_graph") } },
	{ "graph, threshold, args", { THRESHOLD, TRACER("function_graph"),
				      OPTION("funcgraph-args") } },
	{ "graph, one instance", { FILTER("a", TARGET), GRAPH("a") } },
	{ "graph, two instances", { FILTER("a", TARGET), GRAPH("a"),
				    FILTER("b", TARGET), GRAPH("b") } },
	{ "graph, one instance, one elsewhere", { FILTER("a", TARGET), GRAPH("a"),
						  FILTER("c", OTHER), GRAPH("c") } },
	{ "function, one instance", { FILTER("a", TARGET), FUNCTION("a") } },
	{ "function, two instances", { FILTER("a", TARGET), FUNCTION("a"),
				       FILTER("b", TARGET), FUNCTION("b") } },
	{ "function, one instance, one elsewhere", { FILTER("a", TARGET), FUNCTION("a"),
						     FILTER("c", OTHER), FUNCTION("c") } },
	{ "function, two instances, one elsewhere", { FILTER("a", TARGET), FUNCTION("a"),
						      FILTER("b", TARGET), FUNCTION("b"),
						      FILTER("c", OTHER), FUNCTION("c") } },
	{ "function, tracing_on=0", { TRACER("function"), OFF } },
	{ "function, two instances, tracing_on=0",
	  { FILTER("a", TARGET), FUNCTION("a"), { "instances/a/tracing_on", "0" },
	    FILTER("b", TARGET), FUNCTION("b"), { "instances/b/tracing_on", "0" } } },
	{ "graph, tracing_on=0", { TRACER("function_graph"), OFF } },
	LEFT_OUT("set_graph_function", OTHER),
	/* Its return ends the silence, so that is seen */
	LEFT_OUT("set_graph_notrace", TARGET),
	LEFT_OUT("set_ftrace_pid", "2"),
	{ "syscall, both events", { SYSCALL_EVENT("sys_enter"), SYSCALL_EVENT("sys_exit") } },
};

#define SCENARIOS (sizeof(scenarios) / sizeof(*scenarios))

const struct scenario loads[LOADS] = {
	{ "off", { { NULL, NULL } } },
	{ "function", { TRACER("function") } },
	{ "function, func-args", { TRACER("function"), OPTION("func-args") } },
	{ "graph", { TRACER("function_graph") } },
	{ "graph, args, retval-typed", { TYPED_GRAPH } },
	{ "graph, everything", { EVERYTHING } },
};

/* Calls of a function that takes a path of 20 bytes, beside what they cost without it */
#define PATH_TARGET "getname_flags"
#define CHDIR_EVENT(e) { "events/syscalls/" e "_chdir/enable", "1" }

static const struct path_scenario {
	struct scenario scenario;
	const char *difference;		/* to the one before */
} path_scenarios[] = {
	{ { "a path: function, func-args", { TRACER("function"), OPTION("func-args") } }, NULL },
	{ { "a path: function, strings", { TRACER("function"), OPTION("func-args"),
					   OPTION("func-strings") } },
	  "what a string of 20 bytes adds to function" },
	{ { "a path: graph, args, retval-typed", { TYPED_GRAPH } }, NULL },
	{ { "a path: graph, strings", { TYPED_GRAPH, OPTION("funcgraph-strings") } },
	  "what a string of 20 bytes adds to graph" },
	{ { "a path: syscall, both events", { CHDIR_EVENT("sys_enter"), CHDIR_EVENT("sys_exit") } },
	  NULL },
	{ { "a path: syscall, strings", { { "syscall_strings", "64" }, CHDIR_EVENT("sys_enter"),
					  CHDIR_EVENT("sys_exit") } },
	  "what a string of 20 bytes adds to a syscall" },
	{ { "a path: syscall, one line", { { "syscall_strings", "64" }, OPTION("syscall-lines"),
					   CHDIR_EVENT("sys_exit") } }, NULL },
};

#define PATHS (sizeof(path_scenarios) / sizeof(*path_scenarios))

/* A call of TARGET within one of CALLER, beside what this one costs. x86-32 has none. */
#ifdef __x86_64__
#define CALLER "__x64_sys_getpgid"
static const struct scenario inner_scenarios[] = {
	{ "graph, left out below set_graph_notrace",
	  { { "set_graph_notrace", CALLER }, TRACER("function_graph") } },
	{ "graph, left out by max_graph_depth",
	  { { "max_graph_depth", "1" }, TRACER("function_graph") } },
};
#endif

/* What puts everything back; what a kernel has no file for is skipped */
static const struct setting defaults[] = {
	{ "events/enable", "0" },
	{ "syscall_strings", "0" },
	{ "options/syscall-lines", "0" },
	{ "instances/a/current_tracer", "nop" },
	{ "instances/b/current_tracer", "nop" },
	{ "instances/c/current_tracer", "nop" },
	{ "options/func-strings", "0" },
	{ "options/funcgraph-strings", "0" },
	{ "options/funcgraph-structs", "0" },
	{ "options/funcgraph-changes", "0" },
	{ "options/func-args", "0" },
	{ "options/funcgraph-args", "0" },
	{ "options/funcgraph-exit-args", "0" },
	{ "options/funcgraph-retval", "0" },
	{ "options/funcgraph-retval-typed", "0" },
	{ "current_tracer", "nop" },
	{ "set_graph_function", "" },
	{ "set_graph_notrace", "" },
	{ "set_ftrace_pid", "" },
	{ "max_graph_depth", "0" },
	{ "tracing_thresh", "0" },
	{ "tracing_on", "1" },
	{ "instances/a/tracing_on", "1" },
	{ "instances/b/tracing_on", "1" },
	{ "trace", "" },
	{ "instances/a/trace", "" },
	{ "instances/b/trace", "" },
	{ "instances/c/trace", "" },
};

void reset(void)
{
	for (size_t i = 0; i < sizeof(defaults) / sizeof(*defaults); i++) {
		int error = put(defaults[i].file, defaults[i].value);

		if (error && error != ENOENT)
			die("%s: writing \"%s\": %s", defaults[i].file, defaults[i].value,
			    strerror(error));
	}
}

int apply(const struct scenario *scenario)
{
	const struct setting *setting = scenario->settings;

	for (; setting->file; setting++) {
		int error = put(setting->file, setting->value);

		if (error == ENOENT && (!strncmp(setting->file, "options/", 8) ||
					!strcmp(setting->file, "syscall_strings")))
			return 0;
		if (error)
			die("%s: writing \"%s\": %s", setting->file, setting->value,
			    strerror(error));
	}
	return 1;
}

static uint32_t spent[CALLS];

void __attribute__((noinline)) call_target(void)
{
	long result;

#ifdef __x86_64__
	asm volatile("syscall" : "=a"(result) : "0"(SYS_getpgid), "D"(0) : "rcx", "r11", "memory");
#else
	asm volatile("int $0x80" : "=a"(result) : "0"(SYS_getpgid), "b"(0) : "memory");
#endif
}

static void __attribute__((noinline)) call_path(void)
{
	static const char path[] = "/no/such/path/at/all";
	long result;

#ifdef __x86_64__
	asm volatile("syscall" : "=a"(result) : "0"(SYS_chdir), "D"(path)
		     : "rcx", "r11", "memory");
#else
	asm volatile("int $0x80" : "=a"(result) : "0"(SYS_chdir), "b"(path) : "memory");
#endif
}

static void sample(void (*call)(void))
{
	for (int i = 0; i < CALLS; i++) {
		uint64_t start = now();

		call();
		spent[i] = now() - start;
	}
}

static int compare(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return (x > y) - (x < y);
}

static struct cost cost_of_round(void (*call)(void))
{
	struct cost cost = { 0 };
	uint64_t sum = 0;
	int used = 0;

	sample(call);
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
struct cost measure(void (*call)(void))
{
	struct cost best = { 0 };

	for (int round = 0; round <= ROUNDS; round++) {
		struct cost cost;

		clear_traces();
		cost = cost_of_round(call);
		if (round == 1 || (round && cost.mean < best.mean))
			best = cost;
	}
	return best;
}

/* Calls */

static void report_cost(const char *name, struct cost cost, struct cost off)
{
	report("insns\t%s\t%.1f\t%d\t%d\n", name, cost.mean - off.mean,
	       (int)(cost.median - off.median), cost.interrupted);
}

/* The buffer of the last round is still there for the events' sizes */
static void run_scenario(const struct scenario *scenario, struct cost off)
{
	struct cost cost;

	if (!apply(scenario)) {
		report("none\t%s\n", scenario->name);
		reset();
		return;
	}
	cost = measure(call_target);
	put("tracing_on", "0");
	report_cost(scenario->name, cost, off);
	report_sizes(scenario->name);
	reset();
}

#ifdef __x86_64__
static struct cost cost_of_functions(const struct scenario *scenario, const char *functions)
{
	struct cost cost;

	if (put("set_ftrace_filter", functions))
		die("set_ftrace_filter: the kernel lacks one of %s", functions);
	apply(scenario);
	cost = measure(call_target);
	reset();
	return cost;
}

static void run_inner(void)
{
	for (size_t i = 0; i < sizeof(inner_scenarios) / sizeof(*inner_scenarios); i++) {
		struct cost outer = cost_of_functions(&inner_scenarios[i], CALLER);
		struct cost both = cost_of_functions(&inner_scenarios[i], CALLER " " TARGET);

		report_cost(inner_scenarios[i].name, both, outer);
	}
	set_filter();
}
#else
static void run_inner(void)
{
}
#endif

/* Callbacks that do nothing: what is left is the calling */
static const struct callbacks {
	const char *name;
	int wanting, others;
	const char *difference;		/* to the ones before */
} callbacks[] = {
	{ "an empty callback", 1, 0, NULL },
	{ "an empty callback, one elsewhere", 1, 1, "what one elsewhere adds to one" },
	{ "two empty callbacks", 2, 0, NULL },
	{ "two empty callbacks, one elsewhere", 2, 1, "what one elsewhere adds to two" },
};

/* 0 if the host gave no module for it */
static int measure_callbacks(const struct callbacks *set, struct cost *cost)
{
	char parameters[128];

	snprintf(parameters, sizeof(parameters), "target=" TARGET " other=" OTHER
		 " wanting=%d others=%d", set->wanting, set->others);
	if (!load_module("empty_callbacks", parameters))
		return 0;
	*cost = measure(call_target);
	unload_module("empty_callbacks");
	return 1;
}

static void run_callbacks(struct cost off)
{
	struct cost cost, last = off;

	for (size_t i = 0; i < sizeof(callbacks) / sizeof(*callbacks); i++) {
		if (!measure_callbacks(&callbacks[i], &cost))
			return;
		report_cost(callbacks[i].name, cost, off);
		if (callbacks[i].difference)
			report_cost(callbacks[i].difference, cost, last);
		last = cost;
	}
}

static void set_path_filter(void)
{
	if (put("set_ftrace_filter", PATH_TARGET))
		die("set_ftrace_filter: the kernel has no function " PATH_TARGET);
}

static void run_paths(void)
{
	struct cost off, cost, last = { 0 };

	set_path_filter();
	off = measure(call_path);
	for (size_t i = 0; i < PATHS; i++) {
		const struct path_scenario *path = &path_scenarios[i];

		if (apply(&path->scenario)) {
			cost = measure(call_path);
			report_cost(path->scenario.name, cost, off);
			if (path->difference)
				report_cost(path->difference, cost, last);
			last = cost;
		} else {
			report("none\t%s\n", path->scenario.name);
		}
		reset();
	}
	set_filter();
}

/* The ring buffer, by modules */

/* What there is to read of a ring in which events were overwritten */
#define WRAPPED(size, parameter)						\
	{ size " wrapped: consumed", "ring_buffer_read", "how=consume " parameter },	\
	{ size " wrapped: by an iterator", "ring_buffer_read", "how=look " parameter },	\
	{ size " wrapped: for the file trace", "ring_buffer_read", "how=trace " parameter }, \
	{ size " wrapped: handed out", "ring_buffer_read", "how=page " parameter },	\
	{ size " wrapped: copied", "ring_buffer_read", "how=copy " parameter }

static const struct ring_cost {
	const char *name, *module, *parameters;
} ring_costs[] = {
	{ "a write of 24 bytes", "ring_buffer_write", "" },
	{ "a write of 24 bytes, in line", "ring_buffer_put", "" },
	{ "an event consumed", "ring_buffer_read", "how=consume" },
	{ "an event looked at by an iterator", "ring_buffer_read", "how=look" },
	{ "an event of a full page, handed out", "ring_buffer_read", "how=page" },
	{ "an event of others, copied", "ring_buffer_read", "how=copy" },
	WRAPPED("1 MB", "wrapped=1"),
	WRAPPED("64 MB", "wrapped=64"),
};

static void run_ring_cost(const struct ring_cost *cost)
{
	if (!load_module(cost->module, cost->parameters)) {
		report("none\t%s\n", cost->name);
		return;
	}
	report("ring\t%s\t%.1f\t%.0f\n", cost->name,
	       module_value(cost->module, "total") / module_value(cost->module, "events"),
	       module_value(cost->module, "median"));
	unload_module(cost->module);
}

/* What the module tells of the bytes of its events */
static void report_ring_bytes(const char *name, const char *module, const char *parameters)
{
	if (!load_module(module, parameters))
		return;
	report("bytes\t%s\t%.2f\n", name,
	       module_value(module, "bytes") / module_value(module, "events"));
	unload_module(module);
}

static void measure_ring_buffer(void)
{
	for (size_t i = 0; i < sizeof(ring_costs) / sizeof(*ring_costs); i++)
		run_ring_cost(&ring_costs[i]);
	report_ring_bytes("24 bytes of data", "ring_buffer_read", "how=page");
	report_ring_bytes("24 bytes of data, all memory counted", "ring_buffer_memory", "");
}

static void measure_calls(void)
{
	struct cost off = measure(call_target);

	report("insns\toff\t%.1f\t%d\t%d\n", off.mean, (int)off.median, off.interrupted);
	for (size_t i = 0; i < SCENARIOS; i++)
		run_scenario(&scenarios[i], off);
	run_inner();
	run_callbacks(off);
	run_paths();
}

/* Single calls, of which the host records every instruction */

#define STEPPED 4

void handshake(FILE *host, const char *what, const char *name)
{
	report("%s\t%s\n", what, name);
	if (fgetc(host) == EOF)
		die("the host does not answer");
}

static void step(FILE *host, const struct scenario *scenario, void (*call)(void))
{
	if (apply(scenario)) {
		sample(call);
		handshake(host, "step", scenario->name);
		for (int i = 0; i < STEPPED; i++)
			call();
		handshake(host, "stepped", scenario->name);
	}
	reset();
}

static void step_paths(FILE *host)
{
	const struct scenario off = { "a path: off", { { NULL, NULL } } };

	set_path_filter();
	step(host, &off, call_path);
	for (size_t i = 0; i < PATHS; i++)
		step(host, &path_scenarios[i].scenario, call_path);
	set_filter();
}

static void step_calls(void)
{
	const struct scenario off = { "off", { { NULL, NULL } } };
	FILE *host = open_port("/dev/ttyS2", "r");

	if (!host)
		return;
	step(host, &off, call_target);
	for (size_t i = 0; i < SCENARIOS; i++)
		step(host, &scenarios[i], call_target);
	step_paths(host);
	step_texts(host);
	fclose(host);
}

/* The steps */

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

void set_filter(void)
{
	if (put("set_ftrace_filter", TARGET))
		die("set_ftrace_filter: the kernel has no function " TARGET);
}

static const struct step {
	const char *name;
	void (*run)(void);
	int everything;		/* it traces all functions, and not only the target */
} steps[] = {
	/* First, for they are the most easily disturbed */
	{ "untraced", measure_untraced, 1 },
	{ "hackbench", measure_loads, 1 },
	{ "enable", measure_enabling, 1 },
	{ "calls", measure_calls, 0 },
	{ "follow", measure_following, 0 },
	{ "ring-buffer", measure_ring_buffer, 1 },
	{ "tracers", measure_syscall_tracers, 1 },
	{ "branches", measure_branches, 1 },
	{ "memory", measure_memory, 0 },
	{ "text", measure_texts, 0 },
	{ "symbols", step_calls, 0 },
};

static int wanted(const struct step *step, char **names)
{
	for (; *names; names++)
		if (!strcmp(step->name, *names))
			return 1;
	return 0;
}

static void prepare_tracing(void)
{
	if (put("buffer_size_kb", BUFFER_KB))
		die("buffer_size_kb was refused");
	make_instances();
}

int main(int argc, char **argv)
{
	int filtered = 0;

	if (argc == 3 && !strcmp(argv[1], "make-calls"))
		return make_calls(argv[2]);
	start_machine();
	report_mitigations();
	prepare_tracing();
	for (size_t i = 0; i < sizeof(steps) / sizeof(*steps); i++) {
		if (!wanted(&steps[i], argv + 1))
			continue;
		report("begin\t%s\n", steps[i].name);
		if (!steps[i].everything && !filtered++)
			set_filter();
		steps[i].run();
	}
	end(0);
	return 0;
}
