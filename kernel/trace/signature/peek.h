/* SPDX-License-Identifier: GPL-2.0 */
/* Read memory that may not be there. */
#ifndef _KERNEL_TRACE_SIGNATURE_PEEK_H
#define _KERNEL_TRACE_SIGNATURE_PEEK_H

#include <linux/types.h>

/* How reading a string ended */
enum ftrace_peek_end {
	FTRACE_PEEK_NUL,	/* at its NUL */
	FTRACE_PEEK_CUT,	/* there was no room for more */
	FTRACE_PEEK_FAULT,	/* the memory behind it cannot be read */
};

bool ftrace_peek(void *to, unsigned long from, unsigned int size);
unsigned int ftrace_peek_string(char *to, unsigned long from, unsigned int room,
				enum ftrace_peek_end *end);

/**
 * ftrace_peek_member - read a member of a structure that may not be there
 * @to: pointer to a variable of the member's type
 * @base: address of the structure
 * @type: the structure's type
 * @member: the member
 *
 * Context: as ftrace_peek().
 * Return: whether it was read.
 */
#define ftrace_peek_member(to, base, type, member)				\
({										\
	static_assert(sizeof(*(to)) == sizeof_field(type, member));		\
	ftrace_peek(to, (base) + offsetof(type, member), sizeof(*(to)));	\
})

#endif /* _KERNEL_TRACE_SIGNATURE_PEEK_H */
