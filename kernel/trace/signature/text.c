// SPDX-License-Identifier: GPL-2.0
/*
 * Print text in quotes, escaped as in C, so that it is one line of ASCII whatever it
 * contains.  The escapes are those that strace chooses, so that outputs can be compared:
 * no letter for the bell, and octal numbers as short as the next character permits.
 */
#include <linux/string.h>
#include <linux/trace_seq.h>

#include "text.h"

static bool is_plain(char c)
{
	return c >= ' ' && c <= '~' && c != '"' && c != '\\';
}

static unsigned int count_plain(const char *text, unsigned int length)
{
	unsigned int n = 0;

	while (n < length && is_plain(text[n]))
		n++;
	return n;
}

/* The letter that stands for this character behind a backslash, or 0 */
static char escape_letter(char c)
{
	switch (c) {
	case '"':
	case '\\':
		return c;
	case '\t':
		return 't';
	case '\n':
		return 'n';
	case '\v':
		return 'v';
	case '\f':
		return 'f';
	case '\r':
		return 'r';
	}
	return 0;
}

/* A digit that follows would be read as part of a short number */
static void print_octal(struct trace_seq *s, unsigned char c, char next)
{
	bool full = next >= '0' && next <= '7';

	if (full || c >= 0100)
		trace_seq_putc(s, '0' + (c >> 6));
	if (full || c >= 010)
		trace_seq_putc(s, '0' + (c >> 3 & 7));
	trace_seq_putc(s, '0' + (c & 7));
}

/**
 * ftrace_sig_print_text - print text in quotes, escaped
 * @s: where to
 * @text: any bytes
 * @length: how many
 * @cut: there was more: print three dots behind the quotes
 *
 * Context: any, NMI included.
 */
void ftrace_sig_print_text(struct trace_seq *s, const char *text, unsigned int length,
			   bool cut)
{
	const char *end = text + length;

	trace_seq_putc(s, '"');
	while (text < end) {
		unsigned int plain = count_plain(text, end - text);
		char letter;

		trace_seq_putmem(s, text, plain);
		text += plain;
		if (text == end)
			break;
		trace_seq_putc(s, '\\');
		letter = escape_letter(*text);
		if (letter)
			trace_seq_putc(s, letter);
		else
			print_octal(s, *text, text + 1 < end ? text[1] : 0);
		text++;
	}
	trace_seq_puts(s, cut ? "\"..." : "\"");
}
