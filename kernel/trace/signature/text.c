// SPDX-License-Identifier: GPL-2.0
/*
 * Print text in quotes or angle brackets, escaped as in C, so that it is one line of ASCII
 * whatever it contains.  The escapes are those that strace chooses, so that outputs can be
 * compared: no letter for the bell, and octal numbers as short as the next character permits.
 */
#include <linux/string.h>
#include <linux/trace_seq.h>

#include "../trace_text.h"
#include "text.h"

static bool is_plain(char c, bool in_brackets)
{
	if (in_brackets && (c == '<' || c == '>'))
		return false;
	return c >= ' ' && c <= '~' && c != '"' && c != '\\';
}

static unsigned int count_plain(const char *text, unsigned int length, bool in_brackets)
{
	unsigned int n = 0;

	while (n < length && is_plain(text[n], in_brackets))
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

/* As much of it as there is room for */
static void print_plain(struct trace_seq *s, const char *text, unsigned int length)
{
	unsigned int some = min_t(size_t, length, trace_text_left(s));

	trace_seq_putmem(s, text, some);
	if (some < length)
		s->full = 1;
}

static void print_escaped(struct trace_seq *s, const char *text, unsigned int length,
			  bool in_brackets)
{
	const char *end = text + length;

	while (text < end) {
		unsigned int plain = count_plain(text, end - text, in_brackets);
		char letter;

		print_plain(s, text, plain);
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
	trace_seq_putc(s, '"');
	print_escaped(s, text, length, false);
	trace_seq_puts(s, cut ? "\"..." : "\"");
}

/**
 * ftrace_sig_print_path - print a path in angle brackets, escaped
 * @s: where to
 * @text: any bytes
 * @length: how many
 *
 * Brackets are escaped, too.
 *
 * Context: any, NMI included.
 */
void ftrace_sig_print_path(struct trace_seq *s, const char *text, unsigned int length)
{
	trace_seq_putc(s, '<');
	print_escaped(s, text, length, true);
	trace_seq_putc(s, '>');
}
