/* SPDX-License-Identifier: GPL-2.0 */
/* Forms: what a structure means to people, for structures that are well known. */
#ifndef _KERNEL_TRACE_SIGNATURE_FORMS_H
#define _KERNEL_TRACE_SIGNATURE_FORMS_H

#include <linux/types.h>

struct form_member;
struct trace_seq;

/* As many bytes as a form may need in an event, and its id when there is none */
#define FTRACE_FORM_ROOM	256
#define FTRACE_FORM_NONE	255

/**
 * struct ftrace_form - how a structure is shown where something points to it
 * @name: the structure's name, without "struct"; of one without a name, its typedef's
 * @size: the structure's size: a module may have another structure of this name
 * @capture: copies what @print needs from the structure at @address, and from what
 *	that leads to, into @room bytes at @to.  @to is aligned to four bytes.
 *	Returns the number of bytes, or 0 if the memory at @address cannot be read.
 *	Context: any, NMI included, with preemption off.  It never faults, sleeps, locks,
 *	loops without a bound, or calls what can be traced.
 * @print: prints what @capture copied.  That may be long after, and of a damaged event:
 *	both @data and @size may be anything.  It follows no pointers.  @how:
 *	FTRACE_SIG_HASH and so on.
 * @members: what @capture copies and @print prints, if that is a list of members
 * @nr_members: how many
 * @plain: all that is copied is in the structure itself, so it can be compared with what
 *	is there later; known without this of a list of members
 */
struct ftrace_form {
	const char	*name;
	u32		size;
	unsigned int	(*capture)(unsigned long address, void *to, unsigned int room);
	void		(*print)(struct trace_seq *s, const void *data, unsigned int size,
				 unsigned int how);
	const struct form_member *members;
	unsigned int	nr_members;
	bool		plain;
};

#ifdef CONFIG_FTRACE_SIGNATURES_FORMS

const struct ftrace_form *ftrace_form_find(const char *name, u32 size);
unsigned int ftrace_form_id(const struct ftrace_form *form);
const struct ftrace_form *ftrace_form_by_id(unsigned int id);
bool ftrace_form_is_plain(const struct ftrace_form *form);

#else

static inline const struct ftrace_form *ftrace_form_find(const char *name, u32 size)
{
	return NULL;
}

static inline unsigned int ftrace_form_id(const struct ftrace_form *form)
{
	return FTRACE_FORM_NONE;
}

static inline const struct ftrace_form *ftrace_form_by_id(unsigned int id)
{
	return NULL;
}

static inline bool ftrace_form_is_plain(const struct ftrace_form *form)
{
	return false;
}

#endif /* CONFIG_FTRACE_SIGNATURES_FORMS */

#endif /* _KERNEL_TRACE_SIGNATURE_FORMS_H */
