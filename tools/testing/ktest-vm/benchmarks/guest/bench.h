/* SPDX-License-Identifier: GPL-2.0 */
/* What the files of the guest's init for "make bench" share */
#ifndef BENCH_H
#define BENCH_H

#include <stdint.h>
#include <stdio.h>

#define TRACING "/sys/kernel/tracing/"

/* bench_machine.c */

/* A line for the host; returns when it is out: the port's interrupts must not
 * fall into what is measured next.
 */
void report(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Tells the host, and ends the machine */
void end(int status);
void die(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn));

void start_machine(void);
void report_mitigations(void);

/* A serial port that carries what is written to it as it is; NULL if there is none */
FILE *open_port(const char *path, const char *mode);

/* 0 or an errno */
int put_path(const char *path, const char *value);

/* put_path() of a file below TRACING */
int put(const char *file, const char *value);

/* 0 if the host gave no such module; a module that is refused ends the machine */
int load_module(const char *name, const char *parameters);
void unload_module(const char *name);
double module_value(const char *module, const char *parameter);

/* Instructions, up to a constant */
static inline uint64_t now(void)
{
	uint32_t low, high;

	asm volatile("rdtsc" : "=a"(low), "=d"(high) :: "memory");
	return (uint64_t)high << 32 | low;
}

/* bench_events.c */

/* Reports what the events that are in the buffer take of it, and consumes them */
void report_sizes(const char *name);

/* bench_text.c */

/* Lines of text of the target's events */
void measure_texts(void);

/* Single lines, of which the host records every instruction */
void step_texts(FILE *host);

/* bench_load.c */

/* hackbench, and some system calls, with no tracer on */
void measure_untraced(void);

/* hackbench with every function traced */
void measure_loads(void);

void measure_memory(void);

/* bench_syscalls.c */

/* A program under the events of syscalls and under other programs that show them */
void measure_syscall_tracers(void);

/* What that program does; its exit status */
int make_calls(const char *number);

/* bench_follow.c */

/* Calls of functions whose pointers are followed; leaves the target for a filter */
void measure_following(void);

/* bench_branches.c */

/* Branches of a program and of the kernel by single steps */
void measure_branches(void);

/* bench_enable.c */

/* Tracers switched on and off, for every function and for one; leaves no filter */
void measure_enabling(void);

/* bench.c */

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
#define TYPED_GRAPH TRACER("function_graph"), OPTION("funcgraph-args"), \
		    OPTION("funcgraph-retval-typed")
#define EVERYTHING TYPED_GRAPH, OPTION("funcgraph-exit-args"), OPTION("funcgraph-strings"), \
		   OPTION("funcgraph-structs"), OPTION("funcgraph-changes")

/* Everything is traced */
#define LOADS 6
extern const struct scenario loads[LOADS];

struct cost {
	double mean;		/* of the calls that nothing interrupted */
	uint32_t median;
	int interrupted;
};

/* The least mean of some rounds of calls */
struct cost measure(void (*call)(void));

/* A system call that calls the traced function once */
void call_target(void);

/* Tells the host, and waits until it has done its part */
void handshake(FILE *host, const char *what, const char *name);

/* Trace the target alone */
void set_filter(void);

/* Whether this kernel has it all */
int apply(const struct scenario *scenario);

/* No tracer, no event, no option */
void reset(void);

#endif
