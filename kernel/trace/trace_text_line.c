// SPDX-License-Identifier: GPL-2.0
/* How lines, and texts in them, end where there is no room; see trace_text_line.h. */
#include <linux/string.h>

#include "trace_text_line.h"

/* Three dots, a newline, and the zero that ftrace_dump() puts behind the text */
#define LINE_END	8

/* What a text has opened and not closed; if there are too many brackets, the first ones */
struct opened {
	char		brackets[16];
	unsigned int	nr;
	char		quote;	/* or '>' of a path */
	size_t		whole;	/* where the text ends without an escape that may be cut */
};

static void open_or_close(struct opened *o, char c)
{
	static const char pairs[] = "()[]{}";
	const char *found = c ? strchr(pairs, c) : NULL;

	if (!found)
		return;
	if ((found - pairs) % 2) {
		if (o->nr)
			o->nr--;
		return;
	}
	if (o->nr < ARRAY_SIZE(o->brackets))
		o->brackets[o->nr] = found[1];
	o->nr++;
}

/* In quotes, a character may be escaped; what is in quotes or in a path opens nothing */
static struct opened find_opened(const char *text, size_t len)
{
	struct opened o = { .whole = len };
	size_t i;

	for (i = 0; i < len; i++) {
		char next = i + 1 < len ? text[i + 1] : 0;

		if (o.quote) {
			if (text[i] == '\\' && len - i < strlen("\\377"))
				o.whole = min(o.whole, i);
			if (text[i] == '\\')
				i++;
			else if (text[i] == o.quote)
				o.quote = 0;
		} else if (text[i] == '"' || text[i] == '\'') {
			o.quote = text[i];
		} else if (text[i] == '<' && next == '<') {
			i++;
		} else if (text[i] == '<') {
			o.quote = '>';
		} else {
			open_or_close(&o, text[i]);
		}
	}
	return o;
}

/**
 * trace_text_cut - end a text that had no room
 * @s: where it is; there is room for some characters
 * @start: where it begins
 *
 * Context: any.
 */
void trace_text_cut(struct trace_seq *s, size_t start)
{
	struct opened o = find_opened(s->buffer + start, s->seq.len - start);

	s->full = 0;
	if (o.quote) {
		s->seq.len = start + o.whole;
		trace_text_putc(s, o.quote);
	}
	trace_text_puts(s, "...");
	o.nr = min_t(unsigned int, o.nr, ARRAY_SIZE(o.brackets));
	while (o.nr)
		trace_text_putc(s, o.brackets[--o.nr]);
}

/**
 * trace_line_begin - begin to print the event that an iterator stands at
 * @iter: the reader
 *
 * Context: any.
 * Return: for trace_line_end().
 */
size_t trace_line_begin(struct trace_iterator *iter)
{
	if (iter->seq.seq.len)
		iter->iter_flags &= ~TRACE_FILE_LINE_ALONE;
	else
		iter->iter_flags |= TRACE_FILE_LINE_ALONE;
	return trace_text_keep(&iter->seq, trace_line_room(iter, LINE_END)).size;
}

/**
 * trace_line_end - end the line, if its printer has not
 * @iter: the reader
 * @size: what trace_line_begin() returned
 * @ret: what the printer returned
 *
 * Context: any.
 * Return: what is to be done with the event. A line that was alone is not printed again.
 */
enum print_line_t trace_line_end(struct trace_iterator *iter, size_t size,
				 enum print_line_t ret)
{
	struct trace_seq *s = &iter->seq;

	if (likely(!trace_text_restore(s, size)))
		return ret;
	s->full = 0;
	trace_text_puts(s, "...\n");
	return ret == TRACE_TYPE_PARTIAL_LINE ? TRACE_TYPE_HANDLED : ret;
}
