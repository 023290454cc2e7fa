/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Lines that end, whatever they hold.
 *
 * A trace_seq has room for some 8,000 characters, and what does not fit is not written. A
 * line that others precede there is then tried again alone. A line that is alone is cut: its
 * printer keeps room for what has to follow a text that may be long,
 *
 *	kept = trace_text_keep(s, trace_line_room(iter, TRACE_TEXT_RESULT));
 *	print_arguments(s, ...);
 *	trace_text_give_back(s, kept);
 *	print_result(s, ...);
 *
 * Where the text was cut, three dots stand, and the quotes and brackets that it has opened
 * are closed. This nests: what is kept inside is taken from the room that is left outside.
 */
#ifndef _KERNEL_TRACE_TEXT_LINE_H
#define _KERNEL_TRACE_TEXT_LINE_H

#include <linux/bits.h>
#include <linux/minmax.h>
#include <linux/trace_events.h>
#include <linux/trace_seq.h>

#include "trace_text.h"

/* Beside enum trace_iter_flags: nothing precedes the line in the trace_seq */
#define TRACE_FILE_LINE_ALONE	BIT(9)

/* A value as most are, with its name */
#define TRACE_TEXT_VALUE	64
/* The result of a call, and what it has changed */
#define TRACE_TEXT_RESULT	2048
/* What ends a line: some characters and maybe a short line of the same event */
#define TRACE_TEXT_TAIL		160

/* The room that a trace_seq had, and where the text begins that may be cut */
struct trace_text_kept {
	size_t	size;
	size_t	start;
};

void trace_text_cut(struct trace_seq *s, size_t start);
size_t trace_line_begin(struct trace_iterator *iter);
enum print_line_t trace_line_end(struct trace_iterator *iter, size_t size,
				 enum print_line_t ret);

/* Whether a line that does not fit is cut; otherwise it is tried again, alone */
static inline bool trace_line_is_alone(const struct trace_iterator *iter)
{
	return iter->iter_flags & TRACE_FILE_LINE_ALONE;
}

/**
 * trace_line_room - the room that a line's printer has to keep
 * @iter: the reader
 * @room: how many characters are to follow
 *
 * Return: 0 if the line is tried again, alone, should it not fit.
 */
static inline size_t trace_line_room(const struct trace_iterator *iter, size_t room)
{
	return trace_line_is_alone(iter) ? room : 0;
}

/**
 * trace_text_keep - keep room for what follows a text
 * @s: where the text goes
 * @room: how many characters are to follow, some for brackets included; 0 for none. If
 *	nothing precedes the text in @s, this must be less than the size of @s.
 *
 * Context: any.
 * Return: for trace_text_give_back().
 */
static inline struct trace_text_kept trace_text_keep(struct trace_seq *s, size_t room)
{
	struct trace_text_kept kept;

	if (unlikely(!s->seq.size))
		trace_seq_init(s);
	kept.size = s->seq.size;
	kept.start = s->seq.len;
	if (room && !s->full)
		s->seq.size = max(kept.size > room ? kept.size - room : 0, kept.start);
	return kept;
}

/*
 * Give the room back. Returns whether the text did not fit and there is room to say so. What
 * a seq_buf had no room for is not cut: only a trace_seq still has the end of its text.
 */
static inline bool trace_text_restore(struct trace_seq *s, size_t size)
{
	bool kept = size != s->seq.size, lost = seq_buf_has_overflowed(&s->seq);

	s->seq.size = size;
	if (unlikely(lost))
		seq_buf_set_overflow(&s->seq);
	return kept && s->full && !lost;
}

/**
 * trace_text_give_back - give the kept room back, and end the text if it was cut
 * @s: where the text went
 * @kept: what trace_text_keep() returned
 *
 * Context: any.
 * Return: whether it was cut.
 */
static inline bool trace_text_give_back(struct trace_seq *s, struct trace_text_kept kept)
{
	bool cut = trace_text_restore(s, kept.size);

	if (unlikely(cut))
		trace_text_cut(s, kept.start);
	return cut;
}

#endif /* _KERNEL_TRACE_TEXT_LINE_H */
