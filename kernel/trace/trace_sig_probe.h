/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What a probe on a function has to fetch for an expression like "file->f_path.dentry",
 * by the function's signature.
 */
#ifndef _KERNEL_TRACE_SIG_PROBE_H
#define _KERNEL_TRACE_SIG_PROBE_H

#include <linux/types.h>

struct ftrace_signature;

/* How many pointers an expression may follow */
#define TRACE_SIG_MAX_DEREFS	12

/* Why an expression cannot be fetched */
enum trace_sig_error {
	TRACE_SIG_OK,
	TRACE_SIG_NO_TABLE,	/* the image's signatures are not loaded */
	TRACE_SIG_NONE,		/* the function has no signature */
	TRACE_SIG_SAME_NAME,	/* several functions have this name */
	TRACE_SIG_NO_PARAM,	/* the function has no such parameter */
	TRACE_SIG_REMOVED,	/* the optimizer removed it */
	TRACE_SIG_UNKNOWN,	/* its place at the entry is not known */
	TRACE_SIG_TWO_WORDS,	/* it is in more than one register or stack slot */
	TRACE_SIG_BY_VALUE,	/* it is a structure, passed by value */
	TRACE_SIG_VOID,		/* the function has no result */
	TRACE_SIG_NO_RESULT,	/* the result may have been removed */
	TRACE_SIG_HYPHEN,	/* a "-" without ">" */
	TRACE_SIG_ARROW,	/* "." behind a pointer */
	TRACE_SIG_NO_POINTER,	/* "->" behind what points to no structure */
	TRACE_SIG_NO_MEMBERS,	/* the structure's members are not known */
	TRACE_SIG_NO_MEMBER,	/* the structure has no such member */
	TRACE_SIG_TOO_DEEP,	/* more than TRACE_SIG_MAX_DEREFS pointers */
	TRACE_SIG_NEEDS_TYPE,	/* nothing tells how to show it */
};

enum trace_sig_source {
	TRACE_SIG_WORD,		/* a word at the function's entry */
	TRACE_SIG_CONSTANT,	/* nobody passes it; it always has this value */
	TRACE_SIG_RESULT,	/* the register of the result */
};

/* What a value is, as far as it matters for fetching it */
enum trace_sig_nature {
	TRACE_SIG_INTEGER,	/* or of an enumeration */
	TRACE_SIG_POINTER,
	TRACE_SIG_OTHER,	/* none of them: an array, a structure */
};

/**
 * struct trace_sig_value - where a value is, and what it is
 * @constant: TRACE_SIG_CONSTANT: the value
 * @offsets: for each pointer to be followed, what is added to it
 * @size: of the value, in bytes
 * @bit: of a bit field: its first bit; counts from the structure that the last pointer
 *	points to
 * @width: of a bit field: how many bits it has; else 0
 * @nr_derefs: how many pointers are to be followed
 * @source: enum trace_sig_source
 * @word: TRACE_SIG_WORD: its number; argument registers come first, in the order of the
 *	calling convention, all of them, then the stack slots above the return address
 * @nature: enum trace_sig_nature
 * @is_signed: of integers
 * @is_text: it is a char array or points to a char
 * @untyped: enum trace_sig_error: why it can only be fetched if a type is given, or
 *	TRACE_SIG_OK
 *
 * Padding is 0, so values can be compared by memcmp().
 */
struct trace_sig_value {
	u64	constant;
	u32	offsets[TRACE_SIG_MAX_DEREFS];
	u32	size;
	u32	bit;
	u8	width;
	u8	nr_derefs;
	u8	source;
	u8	word;
	u8	nature;
	u8	is_signed;
	u8	is_text;
	u8	untyped;
};

/**
 * struct trace_sig_func - a function that is probed
 * @site: address of its call site
 * @hidden: how many of its first parameters nobody can name
 */
struct trace_sig_func {
	unsigned long	site;
	unsigned int	hidden;
};

enum trace_sig_error trace_sig_value_of(const struct ftrace_signature *sig,
					unsigned int hidden, const char *expr,
					struct trace_sig_value *value, unsigned int *where);
enum trace_sig_error trace_sig_find_value(const struct trace_sig_func *func,
					  const char *expr, struct trace_sig_value *value,
					  unsigned int *where);
int trace_sig_nr_params(const struct trace_sig_func *func);
bool trace_sig_param_name(const struct trace_sig_func *func, unsigned int nr,
			  char *name, size_t size);
bool trace_sig_is_missing(unsigned long addr);

#endif /* _KERNEL_TRACE_SIG_PROBE_H */
