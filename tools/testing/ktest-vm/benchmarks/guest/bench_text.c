// SPDX-License-Identifier: GPL-2.0
/* What it takes to read a line of text: of the file trace, and of trace_pipe. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>
#include "bench.h"

#define CALLS 4000
/* The first round finds nothing that is remembered of earlier lines */
#define ROUNDS 2
#define STEPPED_BYTES 4000

static const struct scenario texts[] = {
	{ "function", { TRACER("function") } },
	{ "function, func-args", { TRACER("function"), OPTION("func-args") } },
	{ "graph", { TRACER("function_graph") } },
	{ "graph, args, retval-typed", { TRACER("function_graph"), OPTION("funcgraph-args"),
					 OPTION("funcgraph-retval-typed") } },
	{ "syscall, both events", { { "events/syscalls/sys_enter_getpgid/enable", "1" },
				    { "events/syscalls/sys_exit_getpgid/enable", "1" } } },
};

#define TEXTS (sizeof(texts) / sizeof(*texts))

static char text[65536];

static void record(void)
{
	put("trace", "");
	put("tracing_on", "1");
	for (int i = 0; i < CALLS; i++)
		call_target();
	put("tracing_on", "0");
}

static int open_text(const char *file)
{
	char path[256];
	int fd;

	snprintf(path, sizeof(path), TRACING "%s", file);
	fd = open(path, O_RDONLY | O_NONBLOCK);
	if (fd < 0)
		die("%s: %s", path, strerror(errno));
	return fd;
}

/* Lines of events: those of the header begin with a '#' */
static long count_lines(const char *at, const char *end, int *in_header)
{
	long lines = 0;

	for (; at < end; at++) {
		if (*in_header < 0)
			*in_header = *at == '#';
		if (*at == '\n') {
			lines += !*in_header;
			*in_header = -1;
		}
	}
	return lines;
}

/* Reads all there is, and returns the instructions of a line */
static double cost_of_line(const char *file)
{
	int fd = open_text(file), in_header = -1;
	uint64_t spent = 0;
	long lines = 0;

	for (;;) {
		uint64_t start = now();
		ssize_t got = read(fd, text, sizeof(text));

		spent += now() - start;
		if (got <= 0)
			break;
		lines += count_lines(text, text + got, &in_header);
	}
	close(fd);
	if (lines < CALLS)
		die("%s has %ld lines of %d calls", file, lines, CALLS);
	return (double)spent / lines;
}

static void measure_text(const char *name, const char *file)
{
	double cost = 0;

	for (int round = 0; round < ROUNDS; round++) {
		record();
		cost = cost_of_line(file);
	}
	report("text\t%s: %s\t%.1f\n", name, file, cost);
}

void measure_texts(void)
{
	for (size_t i = 0; i < TEXTS; i++) {
		if (apply(&texts[i])) {
			measure_text(texts[i].name, "trace");
			measure_text(texts[i].name, "trace_pipe");
		} else {
			report("none\t%s\n", texts[i].name);
		}
		reset();
	}
}

/* Some lines, of which the host records every instruction */
static void step_file(FILE *host, const char *name, const char *file)
{
	int fd = open_text(file), in_header = -1;
	char what[128];
	ssize_t got;

	/* The first lines are of the header, and fill what remembers others */
	if (read(fd, text, STEPPED_BYTES) <= 0)
		die("%s has no text", file);
	snprintf(what, sizeof(what), "a line, %s: %s", name, file);
	handshake(host, "step", what);
	got = read(fd, text, STEPPED_BYTES);
	snprintf(what, sizeof(what), "a line, %s: %s\t%ld", name, file,
		 count_lines(text, text + got, &in_header));
	handshake(host, "read", what);
	close(fd);
}

void step_texts(FILE *host)
{
	for (size_t i = 0; i < TEXTS; i++) {
		if (apply(&texts[i])) {
			record();
			step_file(host, texts[i].name, "trace");
			step_file(host, texts[i].name, "trace_pipe");
		}
		reset();
	}
}
