/* SPDX-License-Identifier: GPL-2.0 */
/* Remember what is printed of a function's address. */
#ifndef _KERNEL_TRACE_FUNC_TEXT_H
#define _KERNEL_TRACE_FUNC_TEXT_H

#include <linux/rcupdate.h>
#include <linux/trace_seq.h>
#include <linux/types.h>

/**
 * struct trace_func_text - what printing knows of an address in a function
 * @address: the address
 * @offset: how far it is from the function's start
 * @size: the function's size
 * @name_len: length of the function's name in @text
 * @len: length of @text, which ends with the name of a module, if it is of one
 * @site: number of the call site that is at @address, in a table of signatures.  It may
 *	be outdated: it counts only if the table has this call site at that number.
 * @rcu: for freeing it
 * @text: as "%ps" prints @address; without a NUL
 */
struct trace_func_text {
	unsigned long	address;
	unsigned long	offset;
	unsigned long	size;
	unsigned int	name_len;
	unsigned int	len;
	u32		site;
	struct rcu_head	rcu;
	char		text[];
};

struct trace_func_text *trace_func_text_find(unsigned long address);
bool trace_func_text_learn(unsigned long address);
void trace_func_text_print(struct trace_seq *s, unsigned long address);
bool trace_func_text_sym(struct trace_seq *s, unsigned long address, bool offset);
bool trace_func_text_pointer(struct trace_seq *s, unsigned long address);

#endif /* _KERNEL_TRACE_FUNC_TEXT_H */
