/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Names of constants: which family of constants a value is of, and its text.  The
 * families and the rules are data, see constants/families.
 */
#ifndef _KERNEL_TRACE_SIGNATURE_CONSTANTS_H
#define _KERNEL_TRACE_SIGNATURE_CONSTANTS_H

#include <linux/types.h>

struct ftrace_family;
struct trace_seq;

#ifdef CONFIG_FTRACE_SIGNATURES_CONSTANTS

const struct ftrace_family *ftrace_family_of_typedef(const char *name, u32 size);
const struct ftrace_family *ftrace_family_of_param(const char *func, const char *param);
const struct ftrace_family *ftrace_family_of_result(const char *func);
const struct ftrace_family *ftrace_family_of_member(const char *strct, const char *member);
const struct ftrace_family *ftrace_family_by_name(const char *name);
unsigned int ftrace_family_errno(const char *func);
bool ftrace_family_takes(const struct ftrace_family *family, const char *type, u32 size,
			 bool is_signed);
void ftrace_family_print(struct trace_seq *s, const struct ftrace_family *family,
			 u64 bits, u32 size, unsigned int how);

#else

static inline const struct ftrace_family *
ftrace_family_of_typedef(const char *name, u32 size)
{
	return NULL;
}

static inline const struct ftrace_family *
ftrace_family_of_param(const char *func, const char *param)
{
	return NULL;
}

static inline const struct ftrace_family *ftrace_family_of_result(const char *func)
{
	return NULL;
}

static inline const struct ftrace_family *
ftrace_family_of_member(const char *strct, const char *member)
{
	return NULL;
}

static inline const struct ftrace_family *ftrace_family_by_name(const char *name)
{
	return NULL;
}

static inline unsigned int ftrace_family_errno(const char *func)
{
	return 0;
}

static inline bool ftrace_family_takes(const struct ftrace_family *family,
				       const char *type, u32 size, bool is_signed)
{
	return false;
}

static inline void ftrace_family_print(struct trace_seq *s,
				       const struct ftrace_family *family, u64 bits,
				       u32 size, unsigned int how) { }

#endif /* CONFIG_FTRACE_SIGNATURES_CONSTANTS */
#endif /* _KERNEL_TRACE_SIGNATURE_CONSTANTS_H */
