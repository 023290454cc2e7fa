// SPDX-License-Identifier: GPL-2.0
/*
 * Print bytes as a string of C: quoted, and with all that is not printable ASCII escaped,
 * so that a line of the trace stays a line.  The form is that of strace.
 */
#include <linux/trace_seq.h>

#include "text.h"

static char letter_of(char c)
{
	switch (c) {
	case '\n':	return 'n';
	case '\t':	return 't';
	case '\r':	return 'r';
	case '\v':	return 'v';
	case '\f':	return 'f';
	case '"':
	case '\\':	return c;
	}
	return 0;
}

static bool is_octal(char c)
{
	return c >= '0' && c <= '7';
}

/* In octal: as short as possible, but no digit of the text may seem to belong to it */
static void print_octal(struct trace_seq *s, u8 byte, bool digit_follows)
{
	trace_seq_putc(s, '\\');
	if (byte >= 0100 || digit_follows)
		trace_seq_putc(s, '0' + (byte >> 6));
	if (byte >= 010 || digit_follows)
		trace_seq_putc(s, '0' + (byte >> 3 & 7));
	trace_seq_putc(s, '0' + (byte & 7));
}

/* How many of the bytes print as they are */
static unsigned int plain_length(const char *text, unsigned int length)
{
	unsigned int i;

	for (i = 0; i < length; i++)
		if (text[i] < ' ' || text[i] > '~' || text[i] == '"' || text[i] == '\\')
			break;
	return i;
}

/**
 * ftrace_sig_print_text - print bytes as a quoted string
 * @s: where to
 * @text: the bytes
 * @length: how many
 * @cut: whether there are more, which "..." behind the string says
 *
 * Context: any, NMI included.
 */
void ftrace_sig_print_text(struct trace_seq *s, const char *text, unsigned int length,
			   bool cut)
{
	unsigned int i = 0;

	trace_seq_putc(s, '"');
	while (i < length) {
		unsigned int plain = plain_length(text + i, length - i);
		char letter;

		trace_seq_putmem(s, text + i, plain);
		i += plain;
		if (i == length)
			break;
		letter = letter_of(text[i]);
		if (letter) {
			trace_seq_putc(s, '\\');
			trace_seq_putc(s, letter);
		} else {
			print_octal(s, text[i], i + 1 < length && is_octal(text[i + 1]));
		}
		i++;
	}
	trace_seq_puts(s, cut ? "\"..." : "\"");
}
