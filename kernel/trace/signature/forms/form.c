// SPDX-License-Identifier: GPL-2.0
/*
 * Copy and print the members of a structure, by a description.
 *
 * Each member is a byte that tells what was copied, then the bytes of its value; of text
 * the length in a byte, then the text.  There is no padding, so nothing leaves the kernel
 * but what is printed.
 */
#include <linux/kernel.h>
#include <linux/string.h>

#include "../constants.h"
#include "form.h"

/* What was copied of a member */
enum {
	FORM_UNKNOWN,	/* nothing: the memory cannot be read, or there was no room */
	FORM_NULL,	/* the pointer to it is NULL */
	FORM_WHOLE,
	FORM_CUT,	/* text that goes on */
};

/* The longest text of a member */
#define FORM_TEXT_MAX	120U

/*
 * Values are printed as arguments of the same types are, by a table with these types.
 * A type's id is the index of its first word.
 */
enum {
	T_VOID,
	T_S8,				/* then the integers of 2, 4 and 8 bytes */
	T_U8 = T_S8 + 4 * 2,
	T_BOOL = T_U8 + 4 * 2,
	T_FUNC = T_BOOL + 2,
	T_POINTER = T_FUNC + 4,
	T_FUNC_POINTER = T_POINTER + 3,
	T_MODE = T_FUNC_POINTER + 3,
	T_DEV = T_MODE + 3,
	T_GFP = T_DEV + 3,
	T_END = T_GFP + 3,
};

#define WORDS_INT(flags, size)		FTRACE_SIG_TYPE(FTRACE_SIG_INT, flags, size), 0
#define WORDS_INTS(flags)							\
	WORDS_INT(flags, 1), WORDS_INT(flags, 2), WORDS_INT(flags, 4), WORDS_INT(flags, 8)
#define WORDS_REF(kind, name, target, size)					\
	FTRACE_SIG_TYPE(kind, 0, size), name, target

#define NAMES		"\0umode_t\0dev_t\0gfp_t"
#define NAME_MODE	1
#define NAME_DEV	(NAME_MODE + 8)
#define NAME_GFP	(NAME_DEV + 6)

static const u32 form_types[] = {
	FTRACE_SIG_TYPE(FTRACE_SIG_VOID, 0, 0),
	WORDS_INTS(FTRACE_SIG_INT_SIGNED),
	WORDS_INTS(0),
	WORDS_INT(FTRACE_SIG_INT_BOOL, 1),
	WORDS_REF(FTRACE_SIG_FUNC, 0, T_VOID, 0), 0,
	WORDS_REF(FTRACE_SIG_PTR, 0, T_VOID, sizeof(long)),
	WORDS_REF(FTRACE_SIG_PTR, 0, T_FUNC, sizeof(long)),
	WORDS_REF(FTRACE_SIG_TYPEDEF, NAME_MODE, T_U8 + 2, 2),
	WORDS_REF(FTRACE_SIG_TYPEDEF, NAME_DEV, T_U8 + 4, 4),
	WORDS_REF(FTRACE_SIG_TYPEDEF, NAME_GFP, T_U8 + 4, 4),
};

static_assert(ARRAY_SIZE(form_types) == T_END);

static const struct ftrace_sig_table form_table = {
	.types = form_types,
	.strings = NAMES,
};

static void print_as(struct trace_seq *s, u32 type, const void *value, unsigned int size,
		     unsigned int how)
{
	unsigned long words[sizeof(u64) / sizeof(long)] = { 0 };

	memcpy(words, value, min_t(unsigned int, size, sizeof(words)));
	ftrace_sig_print_value(s, &form_table, type, words, how);
}

/* Integers of 1, 2, 4 and 8 bytes follow each other, two words each */
static u32 int_type(u32 first, unsigned int size)
{
	return first + 2 * ilog2(size);
}

void form_signed(struct trace_seq *s, const void *value, unsigned int size, unsigned int how)
{
	print_as(s, int_type(T_S8, size), value, size, how);
}

void form_unsigned(struct trace_seq *s, const void *value, unsigned int size, unsigned int how)
{
	print_as(s, int_type(T_U8, size), value, size, how);
}

void form_hex(struct trace_seq *s, const void *value, unsigned int size, unsigned int how)
{
	print_as(s, int_type(T_U8, size), value, size, how | FTRACE_SIG_HEX);
}

void form_bool(struct trace_seq *s, const void *value, unsigned int size, unsigned int how)
{
	print_as(s, T_BOOL, value, size, how);
}

void form_pointer(struct trace_seq *s, const void *value, unsigned int size, unsigned int how)
{
	print_as(s, T_POINTER, value, size, how);
}

void form_function(struct trace_seq *s, const void *value, unsigned int size,
		   unsigned int how)
{
	print_as(s, T_FUNC_POINTER, value, size, how);
}

void form_mode(struct trace_seq *s, const void *value, unsigned int size, unsigned int how)
{
	print_as(s, T_MODE, value, size, how);
}

void form_dev(struct trace_seq *s, const void *value, unsigned int size, unsigned int how)
{
	print_as(s, T_DEV, value, size, how);
}

void form_gfp(struct trace_seq *s, const void *value, unsigned int size, unsigned int how)
{
	print_as(s, T_GFP, value, size, how);
}

/* In the order of the network */
void form_be16(struct trace_seq *s, const void *value, unsigned int size, unsigned int how)
{
	__be16 word;

	memcpy(&word, value, sizeof(word));
	trace_seq_printf(s, "0x%04x", be16_to_cpu(word));
}

static void advance(struct form_writer *w, unsigned int size)
{
	w->to += size;
	w->room -= size;
}

/* A byte that tells what follows; without room for it, the reader finds nothing */
static bool put_status(struct form_writer *w, u8 status)
{
	return form_put(w, &status, sizeof(status)) && status >= FORM_WHOLE;
}

/**
 * form_put - store bytes
 * @w: where to
 * @from: the bytes
 * @size: how many
 *
 * Return: whether there was room.
 */
bool form_put(struct form_writer *w, const void *from, unsigned int size)
{
	w->full |= w->room < size;
	if (w->full)
		return false;
	memcpy(w->to, from, size);
	advance(w, size);
	return true;
}

/**
 * form_put_memory - copy bytes that may not be there
 * @w: where to
 * @from: their address
 * @size: how many
 *
 * Return: whether they can be read, and there was room.
 */
bool form_put_memory(struct form_writer *w, unsigned long from, unsigned int size)
{
	w->full |= w->room < size;
	if (w->full || !ftrace_peek(w->to, from, size))
		return false;
	advance(w, size);
	return true;
}

/**
 * form_put_string - copy a string that may not be there
 * @w: where to
 * @from: its address
 * @limit: read no more than this
 *
 * Return: whether there was anything to be read.
 */
bool form_put_string(struct form_writer *w, unsigned long from, unsigned int limit)
{
	enum ftrace_peek_end end;
	unsigned int length;
	bool cut;

	if (!from || IS_ERR_VALUE(from))
		return put_status(w, from ? FORM_UNKNOWN : FORM_NULL);
	if (w->full || w->room <= 2)
		return put_status(w, FORM_UNKNOWN);
	/* One more, to know whether there is more */
	length = ftrace_peek_string(w->to + 2, from, min3(limit, w->room - 2, FORM_TEXT_MAX + 1),
				    &end);
	if (end == FTRACE_PEEK_FAULT)
		return put_status(w, FORM_UNKNOWN);
	cut = length > FORM_TEXT_MAX || (end == FTRACE_PEEK_CUT && length < limit);
	length = min(length, FORM_TEXT_MAX);
	w->to[0] = cut ? FORM_CUT : FORM_WHOLE;
	w->to[1] = length;
	advance(w, 2 + length);
	return true;
}

static bool put_value(struct form_writer *w, unsigned long from, unsigned int size)
{
	if (w->full || w->room <= size || !ftrace_peek(w->to + 1, from, size))
		return put_status(w, FORM_UNKNOWN);
	w->to[0] = FORM_WHOLE;
	advance(w, 1 + size);
	return true;
}

static bool put_member(struct form_writer *w, const struct form_member *member,
		       unsigned long base)
{
	unsigned long pointer;

	switch (member->kind) {
	case FORM_CHARS:
		return form_put_string(w, base + member->offset, member->size);
	case FORM_STRING:
		if (!ftrace_peek(&pointer, base + member->offset, sizeof(pointer)))
			return put_status(w, FORM_UNKNOWN);
		form_put_string(w, pointer, FORM_TEXT_MAX + 1);
		return true;
	case FORM_FILE:
		if (ftrace_peek(&pointer, base + member->offset, sizeof(pointer))) {
			form_put_file(w, pointer);
			return true;
		}
		form_put_no_path(w);
		return false;
	default:
		return put_value(w, base + member->offset, member->size);
	}
}

/* Whether the structure that leads to the member can be read */
static bool put_member_via(struct form_writer *w, const struct form_member *member,
			   unsigned long base)
{
	unsigned long pointer;

	if (!ftrace_peek(&pointer, base + member->via - 1, sizeof(pointer))) {
		put_status(w, FORM_UNKNOWN);
		return false;
	}
	if (!pointer || IS_ERR_VALUE(pointer))
		put_status(w, pointer ? FORM_UNKNOWN : FORM_NULL);
	else
		put_member(w, member, pointer);
	return true;
}

/**
 * form_put_members - copy members of a structure
 * @w: where to
 * @members: which ones
 * @nr: how many
 * @address: the structure's
 *
 * Return: whether anything of the structure can be read.
 */
bool form_put_members(struct form_writer *w, const struct form_member *members,
		      unsigned int nr, unsigned long address)
{
	bool any = false;
	unsigned int i;

	for (i = 0; i < nr; i++)
		any |= members[i].via ? put_member_via(w, &members[i], address) :
					put_member(w, &members[i], address);
	return any;
}

/**
 * form_get - take bytes that were stored
 * @r: the rest of them
 * @to: where to
 * @size: how many
 *
 * Return: whether there are as many.
 */
bool form_get(struct form_reader *r, void *to, unsigned int size)
{
	if (r->left < size) {
		r->left = 0;
		return false;
	}
	memcpy(to, r->from, size);
	r->from += size;
	r->left -= size;
	return true;
}

/**
 * form_get_value - take the value of a member that was stored
 * @r: the rest of what form_put_members() stored, at this member
 * @to: where to
 * @size: the member's size
 *
 * Return: whether there is one.
 */
bool form_get_value(struct form_reader *r, void *to, unsigned int size)
{
	u8 status;

	return form_get(r, &status, sizeof(status)) && status == FORM_WHOLE &&
	       form_get(r, to, size);
}

static void print_absence(struct trace_seq *s, u8 status)
{
	trace_seq_puts(s, status == FORM_NULL ? "NULL" : "?");
}

static void print_text(struct trace_seq *s, struct form_reader *r, bool cut)
{
	u8 length;

	if (!form_get(r, &length, sizeof(length)) || r->left < length) {
		r->left = 0;
		trace_seq_putc(s, '?');
		return;
	}
	ftrace_sig_print_text(s, r->from, length, cut);
	r->from += length;
	r->left -= length;
}

/**
 * form_print_string - print what form_put_string() stored
 * @s: where to
 * @r: the stored bytes
 */
void form_print_string(struct trace_seq *s, struct form_reader *r)
{
	u8 status;

	if (!form_get(r, &status, sizeof(status)))
		status = FORM_UNKNOWN;
	if (status == FORM_WHOLE || status == FORM_CUT)
		print_text(s, r, status == FORM_CUT);
	else
		print_absence(s, status);
}

/* Which constants an integer is made of, if names are wanted and it is known */
static const struct ftrace_family *family_of(const struct form_member *member,
					     unsigned int how)
{
	static const char tag[] = "struct ";

	if (!(how & FTRACE_SIG_NAMES) ||
	    (member->print != form_hex && member->print != form_unsigned &&
	     member->print != form_signed))
		return NULL;
	if (strncmp(member->strct, tag, strlen(tag)))
		return NULL;
	return ftrace_family_of_member(member->strct + strlen(tag), member->member);
}

/**
 * form_named - print an integer by the names of a family's constants
 * @s: where to
 * @family: the family
 * @value: the integer, which needs no alignment
 * @size: its size in bytes: 1, 2, 4 or 8
 * @how: FTRACE_SIG_HEX and so on
 */
void form_named(struct trace_seq *s, const struct ftrace_family *family, const void *value,
		unsigned int size, unsigned int how)
{
	u64 bits = 0;

	/* x86's least byte is the first */
	memcpy(&bits, value, min_t(unsigned int, size, sizeof(bits)));
	ftrace_family_print(s, family, bits, size, how);
}

static void print_member(struct trace_seq *s, const struct form_member *member,
			 const void *value, unsigned int how)
{
	const struct ftrace_family *family = family_of(member, how);

	if (!family)
		member->print(s, value, member->size, how);
	else
		form_named(s, family, value, member->size,
			   how | (member->print == form_signed ? FTRACE_SIG_SIGNED : 0));
}

static void print_value(struct trace_seq *s, const struct form_member *member,
			struct form_reader *r, unsigned int how)
{
	u8 status, value[U8_MAX];

	if (!form_get(r, &status, sizeof(status)))
		status = FORM_UNKNOWN;
	if (status == FORM_WHOLE && form_get(r, value, member->size))
		print_member(s, member, value, how);
	else
		print_absence(s, status);
}

/**
 * form_print_list - print members, separated by commas
 * @members: which ones
 * @nr: how many
 * @s: where to
 * @r: what form_put_members() stored, or anything else
 * @how: FTRACE_SIG_HASH and so on
 */
void form_print_list(const struct form_member *members, unsigned int nr,
		     struct trace_seq *s, struct form_reader *r, unsigned int how)
{
	unsigned int i;

	for (i = 0; i < nr; i++) {
		const struct form_member *member = &members[i];

		if (i)
			trace_seq_puts(s, ", ");
		if (member->name[0]) {
			trace_seq_puts(s, member->name);
			trace_seq_putc(s, '=');
		}
		if (member->kind == FORM_VALUE)
			print_value(s, member, r, how);
		else if (member->kind == FORM_FILE)
			form_print_path(s, r);
		else
			form_print_string(s, r);
	}
}

/**
 * form_print_members - print the members that are a form
 * @members: which ones
 * @nr: how many
 * @s: where to
 * @data: what form_put_members() stored, or anything else
 * @size: how many bytes
 * @how: FTRACE_SIG_HASH and so on
 */
void form_print_members(const struct form_member *members, unsigned int nr,
			struct trace_seq *s, const void *data, unsigned int size,
			unsigned int how)
{
	struct form_reader r = { data, size };
	bool bare = nr == 1 && !members->name[0];

	if (bare && size && *(const u8 *)data == FORM_NULL && members->kind == FORM_STRING) {
		/* NULL would be the structure's address */
		trace_seq_puts(s, "{unnamed}");
		return;
	}
	if (!bare)
		trace_seq_putc(s, '{');
	form_print_list(members, nr, s, &r, how);
	if (!bare)
		trace_seq_putc(s, '}');
}
