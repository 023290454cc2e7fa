/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Compare names while a function is traced.  On x86-32, strcmp() and its like are functions
 * that are traced themselves: a tracer that called them at a return would be called again.
 *
 * Context of all: any, NMI included.
 */
#ifndef _KERNEL_TRACE_SIGNATURE_MATCH_H
#define _KERNEL_TRACE_SIGNATURE_MATCH_H

#include <linux/types.h>

/* Below 0, 0 or above 0, as strcmp() */
static inline int match_order(const char *name, const char *other)
{
	for (; *name == *other && *name; name++)
		other++;
	return (u8)*name - (u8)*other;
}

static inline bool match_name(const char *name, const char *other)
{
	return !match_order(name, other);
}

/* What stands behind @start in @name, or NULL if @name begins otherwise */
static inline const char *match_start(const char *name, const char *start)
{
	while (*start)
		if (*name++ != *start++)
			return NULL;
	return name;
}

/* Whether @part, which is not empty, is anywhere in @name */
static inline bool match_part(const char *name, const char *part)
{
	for (; *name; name++)
		if (match_start(name, part))
			return true;
	return false;
}

/* Whether @name ends in @end, which is not empty */
static inline bool match_end(const char *name, const char *end)
{
	for (; *name; name++)
		if (match_name(name, end))
			return true;
	return false;
}

#endif /* _KERNEL_TRACE_SIGNATURE_MATCH_H */
