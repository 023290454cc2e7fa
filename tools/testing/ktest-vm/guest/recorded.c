// SPDX-License-Identifier: GPL-2.0
/*
 * A program that does many different things in few instructions. It says "ready", and begins when
 * a line has come. The suite "record" compares what branch tracing says of it with what the
 * emulator has executed.
 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define COUNT 24
#define PAGE 4096

static volatile int handled;
static sigjmp_buf behind;
static char *area;

static int compare(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}

static int sort(void)
{
	int values[COUNT];

	for (unsigned int i = 0; i < COUNT; i++)
		values[i] = (i * 2654435761u >> 20) & 1023;
	qsort(values, COUNT, sizeof(*values), compare);
	for (int i = 1; i < COUNT; i++)
		if (values[i - 1] > values[i])
			return 1;
	return 0;
}

static int text(void)
{
	char line[128];

	snprintf(line, sizeof(line), "%d %s %#lx %.3f", -12345, "words", 0xabcdefUL, 3.14159);
	if (strcmp(line, "-12345 words 0xabcdef 3.142"))
		return 1;
	return strtod("2.5e3", NULL) != 2500 || strtol("-0777", NULL, 8) != -511;
}

static unsigned int ackermann(unsigned int m, unsigned int n)
{
	if (!m)
		return n + 1;
	return ackermann(m - 1, n ? ackermann(m, n - 1) : 1);
}

/* A jump through a table */
static int interpret(const char *program)
{
	int value = 0;

	for (; *program; program++) {
		switch (*program) {
		case '+':
			value++;
			break;
		case '-':
			value--;
			break;
		case '2':
			value *= 2;
			break;
		case 'n':
			value = -value;
			break;
		case 'h':
			value /= 2;
			break;
		case 'z':
			value = 0;
			break;
		default:
			return -1;
		}
	}
	return value;
}

/* Pages that are there only when they are touched, and instructions that repeat */
static int memory(void)
{
	char *copy = malloc(3 * PAGE), *to = copy + PAGE - 20, *from = area;
	long count = 40;
	int wrong;

	if (!copy)
		return 1;
	memset(area, 7, 100);
	asm volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(count) : : "memory");
	memmove(copy + PAGE - 10, copy + PAGE - 20, 40);
	wrong = copy[PAGE + 19] != 7 || memchr(area, 0, 200) != area + 100 ||
		strlen(area) != 100;
	free(copy);
	return wrong;
}

static void handle(int signal)
{
	handled += signal;
}

static void leap(int signal)
{
	handled += signal;
	siglongjmp(behind, 1);
}

static int signals(void)
{
	volatile char *nowhere = area + 2 * PAGE;

	signal(SIGUSR1, handle);
	signal(SIGSEGV, leap);
	raise(SIGUSR1);
	if (!sigsetjmp(behind, 1))
		*nowhere = 1;
	return handled != SIGUSR1 + SIGSEGV;
}

int main(void)
{
	char line[16];

	area = mmap(NULL, 3 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (area == MAP_FAILED || mprotect(area + 2 * PAGE, PAGE, PROT_NONE))
		return 1;
	if (write(1, "ready\n", 6) != 6 || read(0, line, sizeof(line)) <= 0)
		return 1;
	return sort() || text() || ackermann(2, 3) != 9 || interpret("++2n-h2+") != -3 ||
	       memory() || signals() || getppid() <= 0;
}
