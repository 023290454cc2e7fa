// SPDX-License-Identifier: GPL-2.0
/*
 * Print a structure with its members.
 *
 *	{flags=32768, mode=0, {uid=0, gid=0}, name="x", list={1, 2, ...}, inner={...}}
 *
 * All members of a union are printed, in braces like those of a structure: nothing
 * tells which of them is valid.  An anonymous structure or union has braces and no
 * name.  An array of char with text that a NUL ends is printed as text.  Members of size 0,
 * that is arrays whose length is not known, are left out.  "..." stands for what is beyond
 * the limits or the bytes at hand, and "?" for a value of which only a part is at hand.
 */
#include <linux/bits.h>
#include <linux/minmax.h>
#include <linux/ctype.h>
#include <linux/string.h>
#include <linux/trace_seq.h>

#include "constants.h"
#include "signature.h"
#include "text.h"

/* Structures and arrays within each other, whatever the limits are: bounds the stack */
#define MAX_NEST	10

/* A structure that is being printed; @left: members that may still be printed */
struct struct_print {
	struct trace_seq		*s;
	const struct ftrace_sig_table	*table;
	const u8			*bytes;
	u32				nr_bytes;
	unsigned int			how;
	unsigned int			left;
	unsigned int			nest;
	const struct ftrace_family	*family;
};

static void print_type(struct struct_print *p, u32 type_id, u32 at,
		       unsigned int depth);

/* The words of a value, as ftrace_sig_print_value() wants them */
union value_words {
	unsigned long	words[16 / sizeof(long)];
	u64		bits;
};

static void print_words(struct struct_print *p, u32 type_id,
			const union value_words *value)
{
	ftrace_sig_print_named(p->s, p->table, type_id, value->words, p->how, p->family);
}

static bool is_at_hand(const struct struct_print *p, u32 at, u32 size)
{
	return at <= p->nr_bytes && size <= p->nr_bytes - at;
}

static void print_scalar(struct struct_print *p, u32 type_id, u32 at, u32 size)
{
	union value_words value = {};

	if (size > sizeof(value) || !is_at_hand(p, at, size)) {
		trace_seq_putc(p->s, '?');
		return;
	}
	memcpy(&value, p->bytes + at, size);
	print_words(p, type_id, &value);
}

/* Up to 64 bits that begin at any bit, so in up to nine bytes */
static u64 read_bits(const u8 *bytes, u32 first, u32 width)
{
	u32 i, nr = (first + width + BITS_PER_BYTE - 1) / BITS_PER_BYTE;
	u64 bits = 0;

	for (i = 0; i < min_t(u32, nr, 8); i++)
		bits |= (u64)bytes[i] << (i * BITS_PER_BYTE);
	bits >>= first;
	if (nr > 8)
		bits |= (u64)bytes[8] << (64 - first);
	return bits & GENMASK_ULL(width - 1, 0);
}

static void print_bit_field(struct struct_print *p,
			    const struct ftrace_sig_member *m, u32 at)
{
	struct ftrace_sig_type type = ftrace_sig_resolve(p->table, m->type);
	u32 first = m->offset % BITS_PER_BYTE;
	union value_words value = {};

	at += m->offset / BITS_PER_BYTE;
	if (m->width > 64 || type.size > sizeof(u64) ||
	    !is_at_hand(p, at, (first + m->width + BITS_PER_BYTE - 1) / BITS_PER_BYTE)) {
		trace_seq_putc(p->s, '?');
		return;
	}
	value.bits = read_bits(p->bytes + at, first, m->width);
	if (type.flags & FTRACE_SIG_INT_SIGNED && value.bits >> (m->width - 1))
		value.bits |= ~GENMASK_ULL(m->width - 1, 0);
	print_words(p, m->type, &value);
}

static bool is_char(const struct ftrace_sig_type *type)
{
	return type->kind == FTRACE_SIG_INT && type->size == 1 &&
	       type->flags & FTRACE_SIG_INT_CHAR;
}

static bool is_text(const char *text, u32 len)
{
	u32 i;

	for (i = 0; i < len; i++)
		if ((u8)text[i] >= 0x7f || (text[i] < ' ' && !isspace(text[i])))
			return false;
	return true;
}

/* Prints nothing and returns false if it is no text that a NUL ends. */
static bool print_text(struct struct_print *p, u32 at, u32 size)
{
	const char *text = (const char *)p->bytes + at, *end;

	if (at >= p->nr_bytes)
		return false;
	end = memchr(text, 0, min_t(u32, size, p->nr_bytes - at));
	if (!end || !is_text(text, end - text))
		return false;
	ftrace_sig_print_text(p->s, text, end - text, false);
	return true;
}

/*
 * Begins an item of a list that is at @at.  False if it is beyond the limits or the
 * bytes; then the list ends.
 */
static bool begin_item(struct struct_print *p, u32 at, const char *separator)
{
	trace_seq_puts(p->s, separator);
	if (p->left && at < p->nr_bytes) {
		p->left--;
		return true;
	}
	trace_seq_puts(p->s, "...");
	return false;
}

static void print_array(struct struct_print *p,
			const struct ftrace_sig_type *array, u32 at,
			unsigned int depth)
{
	struct ftrace_sig_type element = ftrace_sig_resolve(p->table, array->words[2]);
	u32 i, nr = element.size ? array->size / element.size : 0;

	if (is_char(&element) && print_text(p, at, array->size))
		return;
	nr = min_t(u32, nr, array->words[3]);
	trace_seq_putc(p->s, '{');
	for (i = 0; i < nr; i++) {
		if (!begin_item(p, at + i * element.size, i ? ", " : ""))
			break;
		print_type(p, array->words[2], at + i * element.size, depth);
	}
	trace_seq_putc(p->s, '}');
}

static bool has_no_size(struct struct_print *p, const struct ftrace_sig_member *m)
{
	return !ftrace_sig_resolve(p->table, m->type).size;
}

static void print_member(struct struct_print *p, const struct ftrace_sig_member *m,
			 u32 at, unsigned int depth)
{
	if (m->name[0])
		trace_seq_printf(p->s, "%s=", m->name);
	else
		depth++;	/* it is as much the outer structure's */
	if (m->width)
		print_bit_field(p, m, at);
	else
		print_type(p, m->type, at + m->offset / BITS_PER_BYTE, depth);
}

/* Which constants a member is made of, if names are wanted and it is known */
static const struct ftrace_family *family_of(const struct struct_print *p,
					     const struct ftrace_sig_type *type,
					     const struct ftrace_sig_member *m)
{
	if (!(p->how & FTRACE_SIG_NAMES) || !m->name[0])
		return NULL;
	return ftrace_family_of_member(ftrace_sig_type_name(p->table, type), m->name);
}

static void print_members(struct struct_print *p,
			  const struct ftrace_sig_type *type, u32 at,
			  unsigned int depth)
{
	u32 i, nr = ftrace_sig_nr_members(type);
	const char *separator = "";

	trace_seq_putc(p->s, '{');
	for (i = 0; i < nr; i++) {
		struct ftrace_sig_member m;

		ftrace_sig_member(p->table, type, i, &m);
		if (has_no_size(p, &m))
			continue;
		if (!begin_item(p, at + m.offset / BITS_PER_BYTE, separator))
			break;
		p->family = family_of(p, type, &m);
		print_member(p, &m, at, depth - 1);
		p->family = NULL;
		separator = ", ";
	}
	trace_seq_putc(p->s, '}');
}

static bool has_members_here(const struct ftrace_sig_type *type)
{
	return !(type->flags & (FTRACE_SIG_STUB | FTRACE_SIG_DECLARATION));
}

static void print_type(struct struct_print *p, u32 type_id, u32 at,
		       unsigned int depth)
{
	struct ftrace_sig_type type = ftrace_sig_resolve(p->table, type_id);

	p->nest++;
	switch (type.kind) {
	case FTRACE_SIG_STRUCT:
	case FTRACE_SIG_UNION:
		if (depth && p->nest <= MAX_NEST && has_members_here(&type))
			print_members(p, &type, at, depth);
		else
			trace_seq_puts(p->s, "{...}");
		break;
	case FTRACE_SIG_ARRAY:
		if (p->nest <= MAX_NEST)
			print_array(p, &type, at, depth);
		else
			trace_seq_puts(p->s, "{...}");
		break;
	default:
		print_scalar(p, type_id, at, type.size);
	}
	p->nest--;
}

/**
 * ftrace_sig_print_struct - print a structure or union with its members
 * @s: where to
 * @table: the table that contains the type
 * @type_id: the structure or union, or a typedef or qualifier of one
 * @bytes: its first bytes
 * @nr_bytes: how many bytes; more than its size are not looked at
 * @how: FTRACE_SIG_HEX and so on
 * @limits: how much to print
 *
 * Context: any.
 */
void ftrace_sig_print_struct(struct trace_seq *s,
			     const struct ftrace_sig_table *table, u32 type_id,
			     const void *bytes, u32 nr_bytes, unsigned int how,
			     const struct ftrace_sig_limits *limits)
{
	struct struct_print p = {
		.s		= s,
		.table		= table,
		.bytes		= bytes,
		.nr_bytes	= nr_bytes,
		.how		= how & ~(FTRACE_SIG_IS_RESULT | FTRACE_SIG_STRUCTS),
		.left		= limits->members,
	};

	print_type(&p, type_id, 0, limits->depth);
}
