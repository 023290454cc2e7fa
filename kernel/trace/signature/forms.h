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

/* Nothing tells how many bytes there are; what would tell it cannot be read */
#define FORM_LENGTH_UNKNOWN	(~0U)
#define FORM_LENGTH_FAULT	(~0U - 1)

/**
 * struct form_writer - where to copy what a form shows
 * @to: the place of the next byte
 * @room: how many bytes there are
 * @full: there was no room for something, so nothing may follow
 * @compare: what is copied will not be printed, but compared with what is there later
 * @length: how many bytes of the structure were passed, or given; only if the form has one
 */
struct form_writer {
	char		*to;
	unsigned int	room;
	bool		full;
	bool		compare;
	unsigned int	length;
};

/**
 * struct ftrace_form - how a structure is shown where something points to it
 * @name: the structure's name, without "struct"; of one without a name, its typedef's
 * @size: the structure's size: a module may have another structure of this name
 * @capture: copies what @print needs from the structure at @address, and from what
 *	that leads to; where to is aligned to four bytes.  To compare, it may copy
 *	something shorter, which is not the same if the text is not the same.
 *	Returns false if the memory at @address cannot be read.
 *	Context: any, NMI included, with preemption off.  It never faults, sleeps, locks,
 *	loops without a bound, or calls what can be traced.
 * @print: prints what @capture copied.  That may be long after, and of a damaged event:
 *	both @data and @size may be anything.  It follows no pointers.  @how:
 *	FTRACE_SIG_HASH and so on.
 * @members: what @capture copies and @print prints, if that is a list of members
 * @nr_members: how many
 * @has_length: another parameter tells how many bytes there are
 */
struct ftrace_form {
	const char	*name;
	u32		size;
	bool		(*capture)(struct form_writer *w, unsigned long address);
	void		(*print)(struct trace_seq *s, const void *data, unsigned int size,
				 unsigned int how);
	const struct form_member *members;
	unsigned int	nr_members;
	bool		has_length;
};

#ifdef CONFIG_FTRACE_SIGNATURES_FORMS

const struct ftrace_form *ftrace_form_find(const char *name, u32 size);
unsigned int ftrace_form_id(const struct ftrace_form *form);
const struct ftrace_form *ftrace_form_by_id(unsigned int id);
unsigned int ftrace_form_capture(const struct ftrace_form *form, unsigned long address,
				 const struct form_writer *where);

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

static inline unsigned int ftrace_form_capture(const struct ftrace_form *form,
					       unsigned long address,
					       const struct form_writer *where)
{
	return 0;
}

#endif /* CONFIG_FTRACE_SIGNATURES_FORMS */

#endif /* _KERNEL_TRACE_SIGNATURE_FORMS_H */
