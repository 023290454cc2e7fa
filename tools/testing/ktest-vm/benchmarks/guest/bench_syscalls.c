// SPDX-License-Identifier: GPL-2.0
/*
 * One program under the events of syscalls, under strace and under perf trace: how many
 * times the instructions that it takes by itself.
 *
 * Starting a tracer is left out: of each run another one is subtracted, in which the program
 * makes no calls. What tracers write goes to /dev/null, but they have to make the text.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include "bench.h"

#define STRACE "/usr/bin/strace"
#define PERF "/usr/bin/perf"
#define PROGRAM "/init"
#define PATH "/no/such/path/at/all"
/* As many as the buffer has room for */
#define CALLS "2000"
#define MAX_ARGUMENTS 16

/* What the program does: "/init make-calls NUMBER" */
int make_calls(const char *number)
{
	for (long i = atol(number); i > 0; i--)
		syscall(SYS_chdir, PATH);
	return 0;
}

static const struct tracer {
	struct scenario scenario;
	const char *arguments[MAX_ARGUMENTS];	/* before the program's; it may be missing */
	int text;				/* the trace is read as well */
} tracers[] = {
	{ .scenario = { "by itself", { { NULL, NULL } } } },
	{ .scenario = { "both events", { { "events/syscalls/sys_enter_chdir/enable", "1" },
					 { "events/syscalls/sys_exit_chdir/enable", "1" } } } },
	{ .scenario = { "one event, as a line with the path",
			{ { "syscall_strings", "64" }, OPTION("syscall-lines"),
			  { "events/syscalls/sys_exit_chdir/enable", "1" } } } },
	{ .scenario = { "the same, and read as text",
			{ { "syscall_strings", "64" }, OPTION("syscall-lines"),
			  { "events/syscalls/sys_exit_chdir/enable", "1" } } },
	  .text = 1 },
	{ .scenario = { "perf trace", { { NULL, NULL } } },
	  .arguments = { PERF, "trace", "-o", "/dev/null", "-e", "chdir", "--" } },
	{ .scenario = { "strace", { { NULL, NULL } } },
	  .arguments = { STRACE, "-o", "/dev/null", "-e", "trace=chdir", "--" } },
};

static void execute(const struct tracer *tracer, const char *calls)
{
	const char *arguments[MAX_ARGUMENTS + 4];
	int null = open("/dev/null", O_RDWR), nr = 0;

	for (; tracer->arguments[nr]; nr++)
		arguments[nr] = tracer->arguments[nr];
	arguments[nr++] = PROGRAM;
	arguments[nr++] = "make-calls";
	arguments[nr++] = calls;
	arguments[nr] = NULL;
	dup2(null, 0);
	dup2(null, 1);
	dup2(null, 2);
	execv(arguments[0], (char **)arguments);
	_exit(127);
}

static void read_trace(void)
{
	static char text[1 << 16];
	int fd = open(TRACING "trace", O_RDONLY);

	if (fd < 0)
		die("trace: %s", strerror(errno));
	while (read(fd, text, sizeof(text)) > 0)
		;
	close(fd);
}

static double run(const struct tracer *tracer, const char *calls)
{
	uint64_t start;
	int status;
	pid_t pid;

	put("trace", "");
	start = now();
	pid = fork();
	if (!pid)
		execute(tracer, calls);
	if (pid < 0 || waitpid(pid, &status, 0) < 0)
		die("%s: %s", tracer->scenario.name, strerror(errno));
	if (status)
		die("%s ended with status %#x", tracer->scenario.name, status);
	if (tracer->text)
		read_trace();
	return now() - start;
}

/* The first run reads files and fills caches */
static double instructions_of_calls(const struct tracer *tracer)
{
	run(tracer, CALLS);
	return run(tracer, CALLS) - run(tracer, "0");
}

static int is_there(const struct tracer *tracer)
{
	return (!tracer->arguments[0] || !access(tracer->arguments[0], X_OK)) &&
	       apply(&tracer->scenario);
}

void measure_syscall_tracers(void)
{
	double alone = 0;

	for (size_t i = 0; i < sizeof(tracers) / sizeof(*tracers); i++) {
		const char *name = tracers[i].scenario.name;

		if (is_there(&tracers[i])) {
			double found = instructions_of_calls(&tracers[i]);

			if (!alone)
				alone = found;
			report("tracers\t%s\t%.2f\n", name, found / alone);
		} else {
			report("none\t%s\n", name);
		}
		reset();
	}
}
