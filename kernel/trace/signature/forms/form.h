/* SPDX-License-Identifier: GPL-2.0 */
/*
 * How to describe a form.  Most forms are a list of members:
 *
 *	FORM_MEMBERS(timer_list, struct timer_list,
 *		MEMBER("func", struct timer_list, function, form_function),
 *		MEMBER("expires", struct timer_list, expires, form_unsigned));
 *
 * is printed as {func=process_timeout, expires=4294937466}.  A member whose name is ""
 * is printed without one, and if the form has no other, without braces.  Integers that
 * constants/families has a rule for are printed by the names of their constants, if the
 * tracer's option asks for these.
 *
 * Each form also needs a line in list.h.
 */
#ifndef _KERNEL_TRACE_SIGNATURE_FORMS_FORM_H
#define _KERNEL_TRACE_SIGNATURE_FORMS_FORM_H

#include <linux/array_size.h>
#include <linux/build_bug.h>
#include <linux/stddef.h>
#include <linux/trace_seq.h>
#include <linux/types.h>

#include "../forms.h"
#include "../peek.h"
#include "../signature.h"
#include "../text.h"

/* Prints a value of @size bytes, which need no alignment */
typedef void form_printer(struct trace_seq *s, const void *value, unsigned int size,
			  unsigned int how);

form_printer form_signed, form_unsigned, form_hex, form_bool, form_pointer, form_function;
form_printer form_mode, form_dev, form_gfp, form_be16, form_family;

struct ftrace_family;

void form_named(struct trace_seq *s, const struct ftrace_family *family, const void *value,
		unsigned int size, unsigned int how);

enum form_member_kind {
	FORM_VALUE,	/* bytes of the structure */
	FORM_CHARS,	/* an array of characters */
	FORM_STRING,	/* a pointer to a string */
	FORM_FILE,	/* a pointer to a struct file */
};

/**
 * struct form_member - a member of a structure, or of one that it points to
 * @name: its name in the text, or ""
 * @print: prints it; NULL for text and files
 * @offset: where it is
 * @via: if it is in another structure: 1 + where the pointer to that one is
 * @size: how many bytes; of FORM_STRING and FORM_FILE, those of the pointer
 * @kind: what is copied
 * @strct: of a value, the type that it is a member of, as in C
 * @member: of a value, the member in C
 */
struct form_member {
	const char	*name;
	form_printer	*print;
	const char	*strct;
	const char	*member;
	u16		offset;
	u16		via;
	u8		size;
	u8		kind;
};

#define FORM_AT(label, type, member, what, through)				\
	{ .name = label, .kind = what, .via = through,				\
	  .offset = offsetof(type, member), .size = sizeof_field(type, member) }

#define FORM_THROUGH(type, pointer)	(offsetof(type, pointer) + 1)

/* A value, which may have a family of constants */
#define FORM_VALUE_AT(label, type, _member, how, through)			\
	{ .name = label, .print = how, .kind = FORM_VALUE, .via = through,	\
	  .offset = offsetof(type, _member), .size = sizeof_field(type, _member),	\
	  .strct = #type, .member = #_member }

/* In the structure: a value, an array of characters, a pointer to a string, to a file */
#define MEMBER(label, type, member, how)					\
	FORM_VALUE_AT(label, type, member, how, 0)
#define CHARS(label, type, member)						\
	FORM_AT(label, type, member, FORM_CHARS, 0)
#define STRING(label, type, member)						\
	FORM_AT(label, type, member, FORM_STRING, 0)
#define FILE(label, type, member)						\
	FORM_AT(label, type, member, FORM_FILE, 0)

/* The same in the structure @to that the member @pointer of @type points to */
#define MEMBER_OF(label, type, pointer, to, member, how)			\
	FORM_VALUE_AT(label, to, member, how, FORM_THROUGH(type, pointer))
#define CHARS_OF(label, type, pointer, to, member)				\
	FORM_AT(label, to, member, FORM_CHARS, FORM_THROUGH(type, pointer))
#define STRING_OF(label, type, pointer, to, member)				\
	FORM_AT(label, to, member, FORM_STRING, FORM_THROUGH(type, pointer))

void form_print_members(const struct form_member *members, unsigned int nr,
			struct trace_seq *s, const void *data, unsigned int size,
			unsigned int how);

/* A form with functions NAME_capture() and NAME_print() */
#define FORM_WITH(_name, type, ...)						\
const struct ftrace_form ftrace_form_##_name = {				\
	.name = #_name,								\
	.size = sizeof(type),							\
	.capture = _name##_capture,						\
	.print = _name##_print,							\
	__VA_ARGS__								\
}

/* The functions are its own */
#define FORM_FUNCTIONS(_name, type)	FORM_WITH(_name, type)

/* A form that is a list of members */
#define FORM_MEMBERS(_name, type, ...)						\
static const struct form_member _name##_members[] = { __VA_ARGS__ };		\
										\
static bool _name##_capture(struct form_writer *w, unsigned long address)	\
{										\
	return form_put_members(w, _name##_members, ARRAY_SIZE(_name##_members),	\
				address);					\
}										\
										\
static void _name##_print(struct trace_seq *s, const void *data,		\
			  unsigned int size, unsigned int how)			\
{										\
	form_print_members(_name##_members, ARRAY_SIZE(_name##_members),	\
			   s, data, size, how);					\
}										\
										\
FORM_WITH(_name, type, .members = _name##_members,				\
	  .nr_members = ARRAY_SIZE(_name##_members))

/* A form that is one member, with the structure's own name */
#define FORM_OF_STRUCT(_name, ...)	FORM_MEMBERS(_name, struct _name, __VA_ARGS__)

/* For forms with functions of their own */

/* What was copied */
struct form_reader {
	const char	*from;
	unsigned int	left;
};

bool form_put(struct form_writer *w, const void *from, unsigned int size);
bool form_put_memory(struct form_writer *w, unsigned long from, unsigned int size);
bool form_put_string(struct form_writer *w, unsigned long from, unsigned int limit);

bool form_put_members(struct form_writer *w, const struct form_member *members,
		      unsigned int nr, unsigned long address);
bool form_put_path(struct form_writer *w, unsigned long mnt, unsigned long dentry);
bool form_put_file(struct form_writer *w, unsigned long file);
void form_put_no_path(struct form_writer *w);

bool form_get(struct form_reader *r, void *to, unsigned int size);
bool form_get_value(struct form_reader *r, void *to, unsigned int size);
void form_print_string(struct trace_seq *s, struct form_reader *r);
void form_print_list(const struct form_member *members, unsigned int nr,
		     struct trace_seq *s, struct form_reader *r, unsigned int how);
void form_print_path(struct trace_seq *s, struct form_reader *r);

#endif /* _KERNEL_TRACE_SIGNATURE_FORMS_FORM_H */
