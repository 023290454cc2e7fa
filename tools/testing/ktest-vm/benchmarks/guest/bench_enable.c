// SPDX-License-Identifier: GPL-2.0
/*
 * What it takes to switch a tracer on and off, for every function and for one.
 *
 * This counts the processor time of the process that switches: while it waits for
 * grace periods, time passes on the idle machine without instructions.
 */
#include <time.h>
#include "bench.h"

/* The first round allocates what later ones find */
#define ROUNDS 3

static double own_time(void)
{
	struct timespec spent;

	if (clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &spent))
		die("there is no clock of a process's processor time");
	return spent.tv_sec * 1e9 + spent.tv_nsec;
}

static double time_tracer(const char *tracer)
{
	double start = own_time();

	if (put("current_tracer", tracer))
		die("no tracer %s", tracer);
	return own_time() - start;
}

static void measure_tracer(const char *tracer, const char *what)
{
	double on = 0, off = 0;

	for (int round = 0; round <= ROUNDS; round++) {
		double once = time_tracer(tracer);

		if (round)
			on += once / ROUNDS;
		once = time_tracer("nop");
		if (round)
			off += once / ROUNDS;
	}
	report("enable\t%s, %s, on\t%.0f\n", tracer, what, on);
	report("enable\t%s, %s, off\t%.0f\n", tracer, what, off);
}

void measure_enabling(void)
{
	static const char *const tracers[] = { "function", "function_graph" };

	/* What is called while its own tracing is switched on is not written */
	put("tracing_on", "0");
	for (int i = 0; i < 2; i++)
		measure_tracer(tracers[i], "every function");
	/* What call sites call may depend on it; the base has no such option */
	if (!put("options/func-args", "1")) {
		measure_tracer("function", "func-args, every function");
		put("options/func-args", "0");
	}
	/* A second callback at each site */
	if (put("instances/a/tracing_on", "0") || put("instances/a/current_tracer", "function"))
		die("there is no instance");
	measure_tracer("function", "every function, the second instance");
	put("instances/a/current_tracer", "nop");
	put("instances/a/tracing_on", "1");
	set_filter();
	for (int i = 0; i < 2; i++)
		measure_tracer(tracers[i], "one function");
	if (put("set_ftrace_filter", ""))
		die("set_ftrace_filter cannot be emptied");
	reset();
}
