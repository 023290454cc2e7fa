// SPDX-License-Identifier: GPL-2.0
/*
 * What branch tracing by single steps takes: of a task that is traced, for each instruction and
 * each branch, and of all other tasks meanwhile.
 *
 * Code of 1000 equal parts runs beside an empty function, with branch tracing on and off.
 * The kernel's code is in the module branch_steps.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include "bench.h"

#define MODULE "branch_steps"
#define STEPS 1000
#define ROUNDS 4
#define SWITCHES 4000

static void __attribute__((noinline)) nothing(void)
{
	asm volatile("" ::: "memory");
}

static void __attribute__((noinline)) straight(void)
{
	asm volatile(".rept 1000; nop; .endr" ::: "memory");
}

static void __attribute__((noinline)) jumps(void)
{
	asm volatile(".rept 1000; jmp 1f; 1:; .endr" ::: "memory");
}

/* System calls, and the same without: what passes the number of the call */
#ifdef __x86_64__
#define SYSCALL "syscall"
#define ARGUMENT "D"
#define CHANGED "rcx", "r11", "memory"
#else
#define SYSCALL "int $0x80"
#define ARGUMENT "b"
#define CHANGED "memory"
#endif

static void __attribute__((noinline)) syscalls(void)
{
	long result;

	asm volatile(".rept 1000; mov %1, %%eax; " SYSCALL "; .endr" : "=&a"(result)
		     : "i"(SYS_getpgid), ARGUMENT(0) : CHANGED);
}

static void __attribute__((noinline)) no_syscalls(void)
{
	long result;

	asm volatile(".rept 1000; mov %1, %%eax; .endr" : "=&a"(result) : "i"(SYS_getpgid));
}

static double in_user(void (*code)(void))
{
	uint64_t start = now();

	code();
	return now() - start;
}

static double run_nothing(void)
{
	return in_user(nothing);
}

static double run_straight(void)
{
	return in_user(straight);
}

static double run_jumps(void)
{
	return in_user(jumps);
}

static double run_syscalls(void)
{
	return in_user(syscalls);
}

static double run_no_syscalls(void)
{
	return in_user(no_syscalls);
}

static double run_kernel_nothing(void)
{
	return module_value(MODULE, "nothing");
}

static double run_kernel_straight(void)
{
	return module_value(MODULE, "straight");
}

static double run_kernel_jumps(void)
{
	return module_value(MODULE, "jumps");
}

/* The first round fills caches; an interrupt may fall into any */
static double least(double (*run)(void))
{
	double found = 0;

	for (int round = 0; round < ROUNDS; round++) {
		double spent = run();

		if (round < 2 || spent < found)
			found = spent;
	}
	return found;
}

/* False if the kernel has no branch tracing */
static int choose(const struct setting *settings, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		int error = put(settings[i].file, settings[i].value);

		if (error == ENOENT)
			return 0;
		if (error)
			die("%s: writing \"%s\": %s", settings[i].file, settings[i].value,
			    strerror(error));
	}
	return 1;
}

static int trace(const char *pid, const char *mode, const char *functions)
{
	const struct setting settings[] = {
		{ "branch/function", functions }, { "branch/mode", mode }, { "branch/task", pid },
		{ "events/branch/enable", "1" },
	};

	put("trace", "");
	return choose(settings, sizeof(settings) / sizeof(*settings));
}

/* The kernel is not traced without a choice of functions: that goes last */
static void trace_nothing(void)
{
	const struct setting settings[] = {
		{ "events/branch/enable", "0" }, { "branch/task", "" }, { "branch/mode", "user" },
		{ "branch/function", "" },
	};

	choose(settings, sizeof(settings) / sizeof(*settings));
}

static void say(const char *whose, const char *what, double instructions)
{
	report("branches\t%s: %s\t%.1f\n", whose, what, instructions);
}

/* Programs, and functions of the kernel */

struct place {
	const char *name, *mode, *functions;
	double (*nothing)(void), (*straight)(void), (*jumps)(void);
};

static const struct place program = {
	"a program", "user", "", run_nothing, run_straight, run_jumps,
};

static const struct place kernel = {
	"the kernel", "kernel", "branch_steps_*",
	run_kernel_nothing, run_kernel_straight, run_kernel_jumps,
};

struct found {
	double nothing, straight, jumps;
};

static struct found run_place(const struct place *place)
{
	return (struct found) { least(place->nothing), least(place->straight),
				least(place->jumps) };
}

/* What nothing takes while it is traced, over what it takes otherwise */
static double measure_place(const struct place *place)
{
	struct found off = run_place(place), on;

	if (!trace("1", place->mode, place->functions)) {
		report("none\t%s\n", place->name);
		return 0;
	}
	on = run_place(place);
	trace_nothing();
	report_sizes(place->name);
	on.nothing -= off.nothing;
	say(place->name, "a branch", (on.jumps - off.jumps - on.nothing) / STEPS);
	say(place->name, "any other instruction",
	    (on.straight - off.straight - on.nothing) / STEPS);
	return on.nothing;
}

static double cost_of_syscall(void)
{
	return (least(run_syscalls) - least(run_no_syscalls)) / STEPS;
}

static void measure_syscall(void)
{
	double off = cost_of_syscall(), on;

	if (!trace("1", "user", ""))
		return;
	on = cost_of_syscall();
	trace_nothing();
	say("a program", "a system call", on - off);
}

/* Tasks that are not traced, while another one is */

struct other {
	pid_t pid;
	int to[2], from[2];
};

/* Answers each byte that it gets, and sleeps meanwhile */
static void answer(const struct other *other)
{
	char byte;

	while (read(other->to[0], &byte, 1) == 1)
		if (write(other->from[1], &byte, 1) != 1)
			break;
	_exit(1);
}

static void start(struct other *other)
{
	if (pipe(other->to) || pipe(other->from))
		die("pipe: %s", strerror(errno));
	other->pid = fork();
	if (other->pid < 0)
		die("fork: %s", strerror(errno));
	if (!other->pid)
		answer(other);
}

static void stop(const struct other *other)
{
	kill(other->pid, SIGKILL);
	waitpid(other->pid, NULL, 0);
	for (int i = 0; i < 2; i++) {
		close(other->to[i]);
		close(other->from[i]);
	}
}

static void ask(const struct other *other)
{
	char byte = 0;

	if (write(other->to[1], &byte, 1) != 1 || read(other->from[0], &byte, 1) != 1)
		die("the other task does not answer: %s", strerror(errno));
}

static struct other partner;

/* Each question takes two switches */
static double run_switches(void)
{
	uint64_t start = now();

	for (int i = 0; i < SWITCHES / 2; i++)
		ask(&partner);
	return (double)(now() - start) / SWITCHES;
}

struct others {
	double call, switched;
};

static struct others run_others(void)
{
	return (struct others) { measure(call_target).mean, least(run_switches) };
}

/*
 * While any event is on, the names of the tasks are recorded when these are switched. That is no
 * cost of branch tracing: it is off as long as nothing is chosen, even if its events are on.
 */
static void measure_others(void)
{
	struct others off, on;
	struct other traced;
	char pid[16];

	start(&traced);
	ask(&traced);
	start(&partner);
	snprintf(pid, sizeof(pid), "%d", traced.pid);
	if (trace("", "user", "")) {
		off = run_others();
		trace(pid, "user", "");
		on = run_others();
		trace_nothing();
		say("another task", "a system call", on.call - off.call);
		say("another task", "a switch of tasks", on.switched - off.switched);
	}
	stop(&partner);
	stop(&traced);
}

void measure_branches(void)
{
	double call;

	measure_place(&program);
	measure_syscall();
	if (load_module(MODULE, "")) {
		call = measure_place(&kernel);
		if (call)
			say("the kernel", "a call of a function", call);
		unload_module(MODULE);
	}
	measure_others();
}
