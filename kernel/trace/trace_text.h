/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Write text into a trace_seq without formats.
 *
 * As with trace_seq_printf(), what does not fit is not written in part, the trace_seq
 * is marked as full, and one byte is left unused.  Several short pieces that belong
 * together can be written with one test of the room:
 *
 *	struct trace_text t __uninitialized;
 *
 *	trace_text_begin(&t, s);
 *	trace_text_char(&t, '[');
 *	trace_text_u64(&t, cpu);
 *	trace_text_char(&t, ']');
 *	trace_text_end(&t);
 *
 * Such a text must have at most TRACE_TEXT_MAX characters.
 */
#ifndef _KERNEL_TRACE_TEXT_H
#define _KERNEL_TRACE_TEXT_H

#include <linux/compiler.h>
#include <linux/string.h>
#include <linux/trace_seq.h>
#include <linux/types.h>

#define TRACE_TEXT_MAX	128

/* Padding is written in chunks of this size, and the last one may be too long */
#define TRACE_TEXT_CHUNK	8
#define TRACE_TEXT_ROOM		(TRACE_TEXT_MAX + 2 * TRACE_TEXT_CHUNK)

/* A text that is being written: into the trace_seq if @room cannot overflow it */
struct trace_text {
	struct trace_seq	*s;
	char			*start;
	char			*at;
	char			room[TRACE_TEXT_ROOM];
};

/* The bytes that are left; 0 if nothing more is to be written */
static inline size_t trace_text_left(struct trace_seq *s)
{
	if (unlikely(s->full))
		return 0;
	if (unlikely(!s->seq.size))
		trace_seq_init(s);
	return seq_buf_buffer_left(&s->seq);
}

/**
 * trace_text_write - write some characters, as trace_seq_printf() does
 * @s: where to
 * @text: the characters
 * @len: how many
 *
 * Context: any.
 */
static inline void trace_text_write(struct trace_seq *s, const char *text, size_t len)
{
	if (likely(len < trace_text_left(s))) {
		memcpy(s->buffer + s->seq.len, text, len);
		s->seq.len += len;
	} else {
		s->full = 1;
	}
}

/**
 * trace_text_puts - write a string, as trace_seq_puts() does
 * @s: where to
 * @text: the string; if it is constant, its length is, too
 *
 * Unlike the others, this may use the last byte.
 *
 * Context: any.
 */
static __always_inline void trace_text_puts(struct trace_seq *s, const char *text)
{
	size_t len = strlen(text);

	if (likely(len <= trace_text_left(s) && !s->full)) {
		memcpy(s->buffer + s->seq.len, text, len);
		s->seq.len += len;
	} else {
		s->full = 1;
	}
}

/**
 * trace_text_putc - write a character, as trace_seq_putc() does
 * @s: where to
 * @c: the character
 *
 * This may use the last byte, too.
 *
 * Context: any.
 */
static inline void trace_text_putc(struct trace_seq *s, char c)
{
	if (likely(trace_text_left(s)))
		s->buffer[s->seq.len++] = c;
	else
		s->full = 1;
}

static inline void trace_text_begin(struct trace_text *t, struct trace_seq *s)
{
	bool direct = trace_text_left(s) > TRACE_TEXT_ROOM;

	t->s = s;
	t->start = likely(direct) ? s->buffer + s->seq.len : t->room;
	t->at = t->start;
}

static inline void trace_text_end(struct trace_text *t)
{
	if (likely(t->start != t->room))
		t->s->seq.len += t->at - t->start;
	else
		trace_text_write(t->s, t->room, t->at - t->start);
}

static inline void trace_text_char(struct trace_text *t, char c)
{
	*t->at++ = c;
}

static __always_inline void trace_text_bytes(struct trace_text *t, const char *text, size_t len)
{
	memcpy(t->at, text, len);
	t->at += len;
}

static __always_inline void trace_text_string(struct trace_text *t, const char *text)
{
	trace_text_bytes(t, text, strlen(text));
}

void trace_text_spaces(struct trace_text *t, int count);
void trace_text_u64(struct trace_text *t, u64 value);
void trace_text_s64(struct trace_text *t, s64 value);
void trace_text_hex(struct trace_text *t, u64 value);
void trace_text_padded(struct trace_text *t, u64 value, unsigned int width, char pad);
void trace_text_left_aligned(struct trace_text *t, s64 value, unsigned int width);

/* Of a whole number alone */
void trace_text_put_u64(struct trace_seq *s, u64 value);
void trace_text_put_s64(struct trace_seq *s, s64 value);
void trace_text_put_hex(struct trace_seq *s, u64 value);
void trace_text_put_spaces(struct trace_seq *s, unsigned int count);

#endif /* _KERNEL_TRACE_TEXT_H */
