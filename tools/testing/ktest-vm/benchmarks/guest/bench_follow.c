// SPDX-License-Identifier: GPL-2.0
/*
 * What it costs the function graph to follow what arguments point to, by kinds of options:
 * of calls with a path, with structures in structures, and with a buffer.
 */
#include <fcntl.h>
#include <unistd.h>
#include "bench.h"

#define PATH "/init"

static int fd;

static void call_open(void)
{
	close(open(PATH, O_RDONLY));
}

static void call_read(void)
{
	char buf[64];

	if (pread(fd, buf, sizeof(buf), 0) != sizeof(buf))
		die(PATH " cannot be read");
}

static const struct target {
	const char *function;
	void (*call)(void);
} targets[] = {
	{ "do_sys_openat2", call_open },
	{ "do_filp_open", call_open },
	{ "vfs_read", call_read },
};

static const struct scenario scenarios[] = {
	{ "typed", { TYPED_GRAPH } },
	{ "strings", { TYPED_GRAPH, OPTION("funcgraph-strings") } },
	{ "structures", { TYPED_GRAPH, OPTION("funcgraph-structs") } },
	{ "changes", { TYPED_GRAPH, OPTION("funcgraph-changes") } },
	{ "everything", { EVERYTHING } },
};

static void measure_scenario(const struct target *target, const struct scenario *scenario,
			     struct cost off)
{
	if (apply(scenario))
		report("follow\t%s, %s\t%.1f\n", target->function, scenario->name,
		       measure(target->call).mean - off.mean);
	else
		report("none\t%s, %s\n", target->function, scenario->name);
	reset();
}

static void measure_target(const struct target *target)
{
	struct cost off;

	if (put("set_ftrace_filter", target->function))
		die("set_ftrace_filter: the kernel has no function %s", target->function);
	off = measure(target->call);
	for (size_t i = 0; i < sizeof(scenarios) / sizeof(*scenarios); i++)
		measure_scenario(target, &scenarios[i], off);
}

void measure_following(void)
{
	fd = open(PATH, O_RDONLY);
	if (fd < 0)
		die("there is no " PATH);
	for (size_t i = 0; i < sizeof(targets) / sizeof(*targets); i++)
		measure_target(&targets[i]);
	close(fd);
	set_filter();
}
