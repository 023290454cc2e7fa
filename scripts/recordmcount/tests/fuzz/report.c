// SPDX-License-Identifier: GPL-2.0
/* See report.h. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "report.h"

static FILE *report;

/**
 * report_open - keep what messages go to
 *
 * To be called before libFuzzer closes it, which it is asked to do, since the
 * program has something to say about each damaged input.
 */
void report_open(void)
{
	report = fdopen(dup(STDERR_FILENO), "w");
}

/**
 * wrong - say what is wrong and crash, for libFuzzer to keep the input
 * @fmt: what, as printf takes it
 */
void wrong(const char *fmt, ...)
{
	FILE *to = report ? report : stderr;
	va_list ap;

	va_start(ap, fmt);
	fputs("== WRONG: ", to);
	vfprintf(to, fmt, ap);
	fputc('\n', to);
	fflush(to);
	va_end(ap);
	abort();
}
