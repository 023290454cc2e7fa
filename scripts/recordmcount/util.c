// SPDX-License-Identifier: GPL-2.0
/*
 * Messages and memory.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util.h"

static void message(const char *path, const char *kind, const char *fmt,
		    va_list ap)
{
	fflush(stdout);
	fprintf(stderr, "recordmcount: %s: %s", path, kind);
	vfprintf(stderr, fmt, ap);
	fputc('\n', stderr);
}

/**
 * fail - say why a file cannot be processed
 * @path: the file
 * @fmt: the reason
 *
 * Return: always -1, so that callers can return what this returns.
 */
int fail(const char *path, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	message(path, "", fmt, ap);
	va_end(ap);
	return -1;
}

/**
 * warn - say what is missing from a file that was processed
 * @path: the file
 * @fmt: what is missing
 */
void warn(const char *path, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	message(path, "warning: ", fmt, ap);
	va_end(ap);
}

static void *check(void *p)
{
	if (!p) {
		fputs("recordmcount: out of memory\n", stderr);
		exit(1);
	}
	return p;
}

/**
 * xcalloc - calloc() that never fails
 * @nr: number of elements, may be 0
 * @size: bytes of an element
 *
 * The process ends when there is no memory; no file is half written then,
 * since files are written under another name first.
 */
void *xcalloc(size_t nr, size_t size)
{
	return check(calloc(nr ? nr : 1, size));
}

/**
 * xrealloc - realloc() that never fails, see xcalloc()
 * @p: the memory, or NULL
 * @size: new size in bytes
 */
void *xrealloc(void *p, size_t size)
{
	return check(realloc(p, size ? size : 1));
}

/**
 * xmemdup - copy memory
 * @p: the memory
 * @size: its size in bytes, may be 0
 */
void *xmemdup(const void *p, size_t size)
{
	void *copy = xcalloc(1, size);

	if (size)
		memcpy(copy, p, size);
	return copy;
}

/**
 * xasprintf - print into new memory
 * @fmt: what to print
 */
char *xasprintf(const char *fmt, ...)
{
	va_list ap;
	char *text;
	int len;

	va_start(ap, fmt);
	len = vsnprintf(NULL, 0, fmt, ap);
	va_end(ap);
	text = xcalloc(1, (size_t)len + 1);
	va_start(ap, fmt);
	vsnprintf(text, (size_t)len + 1, fmt, ap);
	va_end(ap);
	return text;
}
