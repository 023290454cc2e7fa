/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The form of the tables of named constants, which "generate tables" writes and
 * ../constants.c reads.
 *
 * A name is an offset in ftrace_constants_strings.  The constants of a family are
 * words of ftrace_constants_words: each is a name and its value, which has two words,
 * the low one first, if the family is wide.  With flags and octal numbers, a name may
 * have FTRACE_CONSTANTS_FIELD set: it is then the number of the constants that
 * follow, and its value is the mask under which these are compared.  The constants of
 * other families ascend by value, narrow ones as numbers of 32 bits without sign.
 */
#ifndef _KERNEL_TRACE_SIGNATURE_CONSTANTS_TABLES_H
#define _KERNEL_TRACE_SIGNATURE_CONSTANTS_TABLES_H

#define FTRACE_CONSTANTS_FIELD	0x80000000u

/* What the numbers of a family are */
enum {
	FTRACE_FAMILY_FLAGS,	/* names of bits and of the values of fields */
	FTRACE_FAMILY_OCTAL,	/* the same; the bits without a name in octal */
	FTRACE_FAMILY_VALUES,	/* one name, or the number */
	FTRACE_FAMILY_IOCTL,	/* one name, or the number's parts */
	FTRACE_FAMILY_DECIMAL,
	FTRACE_FAMILY_HEX,
	FTRACE_FAMILY_DEVICE,	/* major:minor */
	FTRACE_FAMILY_ADDRESS,	/* of text: as a symbol */
	FTRACE_FAMILY_USER,	/* addresses of a program, or errnos */
	FTRACE_FAMILY_ERRNO,	/* for results: whatever is negative is an errno */
	FTRACE_FAMILY_NUMBER,	/* for results: nothing is an errno */
};

/* How the values of a family are stored */
enum {
	FTRACE_FAMILY_UNSIGNED,	/* in 32 bits */
	FTRACE_FAMILY_SIGNED,	/* in 32 bits with a sign */
	FTRACE_FAMILY_WIDE,	/* in 64 bits */
};

/**
 * struct ftrace_family - constants that belong together
 * @name: the family's name
 * @first: index of its first word
 * @nr: the number of its constants, fields and all
 * @kind: FTRACE_FAMILY_FLAGS and so on
 * @width: FTRACE_FAMILY_UNSIGNED and so on
 */
struct ftrace_family {
	unsigned int	name;
	unsigned int	first;
	unsigned short	nr;
	unsigned char	kind;
	unsigned char	width;
};

/**
 * struct ftrace_family_rule - where a family applies
 * @key: name of the typedef, member or parameter; "return" for a result
 * @scope: name of the function or struct; the empty name: any
 * @family: index of the family
 * @size: of typedefs the size in bytes; of parameters that begin with @scope one
 *	more than the length of @scope; else 0
 *
 * Rules ascend by @key, then by @scope.  For parameters, those with a @size are in a
 * table of their own, and descend by it instead.
 */
struct ftrace_family_rule {
	unsigned int	key;
	unsigned int	scope;
	unsigned short	family;
	unsigned short	size;
};

extern const char ftrace_constants_strings[];
extern const unsigned int ftrace_constants_words[];
extern const struct ftrace_family ftrace_families[];
extern const unsigned int ftrace_families_nr;

/* A table of rules, and how many it has */
struct ftrace_family_rules {
	const struct ftrace_family_rule	*rules;
	unsigned int			nr;
};

extern const struct ftrace_family_rules ftrace_family_typedefs;
extern const struct ftrace_family_rules ftrace_family_params;
extern const struct ftrace_family_rules ftrace_family_param_prefixes;
extern const struct ftrace_family_rules ftrace_family_members;

#endif /* _KERNEL_TRACE_SIGNATURE_CONSTANTS_TABLES_H */
