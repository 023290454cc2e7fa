/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Notes of what pointers point to: plain code, which shares nothing with the code that
 * prints traces.  Included by ftrace-truth-pointers.c alone.
 */
#ifndef _SAMPLES_FTRACE_TRUTH_POINTERS_H
#define _SAMPLES_FTRACE_TRUTH_POINTERS_H

#include <linux/atomic.h>
#include <linux/err.h>
#include <linux/in.h>
#include <linux/minmax.h>
#include <linux/seq_file.h>
#include <linux/sprintf.h>
#include <linux/socket.h>
#include <linux/string.h>
#include <linux/types.h>
#include <linux/un.h>
#include <linux/vmalloc.h>

/* How many bytes of a string are shown: the limit that arg_limits begins with */
#define TRUTH_TEXT	64

/*
 * Room for a pointer's text: each byte may be escaped by four characters.  Where a function
 * of tasks needs several, they are static: commands run one at a time.
 */
#define TRUTH_SHOWN	(TRUTH_TEXT * 4 + 64)

#define TRUTH_LINES	2048
#define TRUTH_LINE	512

static char (*truth_lines)[TRUTH_LINE];
static atomic_t truth_nr_lines;

/* A line gets its place by one atomic addition, so this is safe in any context. */
static __printf(1, 2) void truth_note(const char *fmt, ...)
{
	int nr = atomic_inc_return(&truth_nr_lines) - 1;
	va_list args;

	if (nr >= TRUTH_LINES)
		return;
	va_start(args, fmt);
	vsnprintf(truth_lines[nr], TRUTH_LINE, fmt, args);
	va_end(args);
}

/* What the trace must show of the function in which these stand */
#define truth_entered(fmt, ...)							\
	truth_note("> %s [" KBUILD_MODNAME "](" fmt ")", __func__, ##__VA_ARGS__)
#define truth_returned(fmt, ...)						\
	truth_note("< %s [" KBUILD_MODNAME "]" fmt, __func__, ##__VA_ARGS__)

static void truth_clear(void)
{
	atomic_set(&truth_nr_lines, 0);
}

static int truth_notes_show(struct seq_file *m, void *v)
{
	int i, nr = atomic_read(&truth_nr_lines);

	for (i = 0; i < min(nr, TRUTH_LINES); i++)
		seq_printf(m, "%s\n", truth_lines[i]);
	if (nr > TRUTH_LINES)
		seq_printf(m, "! %d notes lost\n", nr - TRUTH_LINES);
	return 0;
}

/* A pointer that is shown as one */
static const char *truth_address(char *to, const void *pointer)
{
	if (!pointer)
		return "NULL";
	if (IS_ERR(pointer))
		snprintf(to, TRUTH_SHOWN, "ERR_PTR(%pe)", pointer);
	else
		snprintf(to, TRUTH_SHOWN, "0x%lx", (unsigned long)pointer);
	return to;
}

/* A pointer to memory that cannot be read */
static const char *truth_fault(char *to, const void *pointer)
{
	snprintf(to, TRUTH_SHOWN, "0x%lx <fault>", (unsigned long)pointer);
	return to;
}

/* The bytes in quotes.  No digit may follow one that is not printable. */
static const char *truth_quote(char *to, const void *bytes, size_t size, const char *behind)
{
	const u8 *from = bytes;
	char *at = to;

	*at++ = '"';
	for (; size; size--, from++) {
		if (*from == '\n')
			at += sprintf(at, "\\n");
		else if (*from == '\t')
			at += sprintf(at, "\\t");
		else if (*from == '"' || *from == '\\')
			at += sprintf(at, "\\%c", *from);
		else if (*from < ' ' || *from > '~')
			at += sprintf(at, "\\%o", *from);
		else
			*at++ = *from;
	}
	sprintf(at, "\"%s", behind);
	return to;
}

/* The string that the pointer leads to, cut at the limit */
static const char *truth_string(char *to, const char *text)
{
	size_t size;

	if (IS_ERR_OR_NULL(text))
		return truth_address(to, text);
	size = strlen(text);
	return truth_quote(to, text, min(size, TRUTH_TEXT), size > TRUTH_TEXT ? "..." : "");
}

/* As many bytes, cut at the limit; of a negative size the pointer */
static const char *truth_bytes(char *to, const void *bytes, long size)
{
	if (size < 0 || IS_ERR_OR_NULL(bytes))
		return truth_address(to, bytes);
	return truth_quote(to, bytes, min(size, TRUTH_TEXT), size > TRUTH_TEXT ? "..." : "");
}

/* An unsigned number as it is printed: large ones in hexadecimal */
static const char *truth_unsigned(char *to, u64 value)
{
	sprintf(to, value >> 32 ? "0x%llx" : "%llu", value);
	return to;
}

#endif /* _SAMPLES_FTRACE_TRUTH_POINTERS_H */
