// SPDX-License-Identifier: GPL-2.0
/* Numbers as text, without formats. */
#include <linux/bitops.h>
#include <linux/math64.h>
#include <linux/minmax.h>

#include "trace_text.h"

/* A number of 64 bits is written in parts of this many digits */
#define PART_DIGITS	9
#define PART		1000000000U

/* It may write up to a chunk more than @count, which what follows overwrites */
static char *fill(char *at, char c, int count)
{
	char *end = at + max(count, 0);

	for (; at < end; at += TRACE_TEXT_CHUNK)
		memset(at, c, TRACE_TEXT_CHUNK);
	return end;
}

/* The least numbers of as many digits and one more */
static const u32 powers[] = {
	0, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000, 1000000000,
};

/* 1233 / 4096 is a little more than the logarithm of 2: it is at most one digit too few */
static unsigned int count_digits(u32 value)
{
	unsigned int digits = fls(value | 1) * 1233 >> 12;

	return digits + (value >= powers[digits]);
}

#define TENS(t)	t "0" t "1" t "2" t "3" t "4" t "5" t "6" t "7" t "8" t "9"

static const char pairs[] = TENS("0") TENS("1") TENS("2") TENS("3") TENS("4")
					TENS("5") TENS("6") TENS("7") TENS("8") TENS("9");

/* At least @width characters, filled with @pad on the left */
static char *put_u32(char *at, u32 value, unsigned int width, char pad)
{
	unsigned int digits = count_digits(value);
	char *end;

	at = fill(at, pad, (int)width - (int)digits);
	end = at + digits;
	for (; digits >= 2; digits -= 2) {
		memcpy(at + digits - 2, pairs + value % 100 * 2, 2);
		value /= 100;
	}
	if (digits)
		*at = '0' + value;
	return end;
}

static char *put_u64(char *at, u64 value)
{
	u32 low, middle;

	if (value <= U32_MAX)
		return put_u32(at, value, 0, '0');
	value = div_u64_rem(value, PART, &low);
	if (value > U32_MAX) {
		value = div_u64_rem(value, PART, &middle);
		at = put_u32(at, value, 0, '0');
		at = put_u32(at, middle, PART_DIGITS, '0');
	} else {
		at = put_u32(at, value, 0, '0');
	}
	return put_u32(at, low, PART_DIGITS, '0');
}

static char *put_s64(char *at, s64 value)
{
	if (value >= 0)
		return put_u64(at, value);
	*at++ = '-';
	/* The least number has no positive counterpart, but an unsigned one */
	return put_u64(at, -(u64)value);
}

/* Without "0x" */
static char *put_hex(char *at, u64 value)
{
	int shift;

	for (shift = value ? (fls64(value) - 1) & ~3 : 0; shift >= 0; shift -= 4)
		*at++ = "0123456789abcdef"[value >> shift & 0xf];
	return at;
}

/**
 * trace_text_spaces - write spaces
 * @t: the text
 * @count: how many; may be negative for none
 */
void trace_text_spaces(struct trace_text *t, int count)
{
	t->at = fill(t->at, ' ', count);
}

/**
 * trace_text_u64 - write a decimal number, as "%llu" does
 * @t: the text
 * @value: the number
 */
void trace_text_u64(struct trace_text *t, u64 value)
{
	t->at = put_u64(t->at, value);
}

/**
 * trace_text_s64 - write a decimal number, as "%lld" does
 * @t: the text
 * @value: the number
 */
void trace_text_s64(struct trace_text *t, s64 value)
{
	t->at = put_s64(t->at, value);
}

/**
 * trace_text_hex - write a hexadecimal number, as "0x%llx" does
 * @t: the text
 * @value: the number
 */
void trace_text_hex(struct trace_text *t, u64 value)
{
	*t->at++ = '0';
	*t->at++ = 'x';
	t->at = put_hex(t->at, value);
}

/**
 * trace_text_padded - write a decimal number on the right of a column
 * @t: the text
 * @value: the number
 * @width: the width of the column; a larger number takes more
 * @pad: what precedes a smaller number: '0' as in "%0*llu", ' ' as in "%*llu"
 */
void trace_text_padded(struct trace_text *t, u64 value, unsigned int width, char pad)
{
	char *start = t->at;
	size_t len;

	if (value <= U32_MAX) {
		t->at = put_u32(start, value, width, pad);
		return;
	}
	t->at = put_u64(start, value);
	len = t->at - start;
	if (len < width) {
		memmove(start + width - len, start, len);
		memset(start, pad, width - len);
		t->at = start + width;
	}
}

/**
 * trace_text_left_aligned - write a decimal number on the left of a column
 * @t: the text
 * @value: the number
 * @width: the width of the column; a larger number takes more
 */
void trace_text_left_aligned(struct trace_text *t, s64 value, unsigned int width)
{
	char *start = t->at;

	t->at = put_s64(start, value);
	t->at = fill(t->at, ' ', (int)width - (int)(t->at - start));
}

/**
 * trace_text_put_u64 - as trace_seq_printf("%llu")
 * @s: where to
 * @value: the number
 *
 * Context: any.
 */
void trace_text_put_u64(struct trace_seq *s, u64 value)
{
	struct trace_text t __uninitialized;

	trace_text_begin(&t, s);
	trace_text_u64(&t, value);
	trace_text_end(&t);
}

/**
 * trace_text_put_s64 - as trace_seq_printf("%lld")
 * @s: where to
 * @value: the number
 *
 * Context: any.
 */
void trace_text_put_s64(struct trace_seq *s, s64 value)
{
	struct trace_text t __uninitialized;

	trace_text_begin(&t, s);
	trace_text_s64(&t, value);
	trace_text_end(&t);
}

/**
 * trace_text_put_hex - as trace_seq_printf("0x%llx")
 * @s: where to
 * @value: the number
 *
 * Context: any.
 */
void trace_text_put_hex(struct trace_seq *s, u64 value)
{
	struct trace_text t __uninitialized;

	trace_text_begin(&t, s);
	trace_text_hex(&t, value);
	trace_text_end(&t);
}

/**
 * trace_text_put_spaces - as trace_seq_printf("%*s", count, "")
 * @s: where to
 * @count: how many; with none, too, one byte must be left
 *
 * Context: any.
 */
void trace_text_put_spaces(struct trace_seq *s, unsigned int count)
{
	if (likely(count < trace_text_left(s))) {
		memset(s->buffer + s->seq.len, ' ', count);
		s->seq.len += count;
	} else {
		s->full = 1;
	}
}
