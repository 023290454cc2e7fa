/* SPDX-License-Identifier: GPL-2.0 */
/* What peek.c consists of, and what is worth having inline: short text. */
#ifndef _KERNEL_TRACE_SIGNATURE_PEEK_INLINE_H
#define _KERNEL_TRACE_SIGNATURE_PEEK_INLINE_H

#include <linux/preempt.h>
#include <linux/sched.h>
#include <linux/uaccess.h>

#include <asm/word-at-a-time.h>

#include "peek_x86.h"

static __always_inline bool peek_is_users(unsigned long address)
{
	return address < TASK_SIZE_MAX;
}

static __always_inline bool peek_has_users_memory(void)
{
	return in_task() && current->mm;
}

/* Load a variable.  @user is constant: for user memory, access is enabled. */
#define peek_load(to, from, user, fault)					\
do {										\
	if (user)								\
		unsafe_get_user(*(to), (typeof(*(to)) __user *)(from), fault);	\
	else									\
		__get_kernel_nofault(to, (void *)(from), typeof(*(to)), fault);	\
} while (0)

/*
 * Copy a word.  It goes through memory and not through a variable, because not all versions
 * of gcc can have both a result and a jump.  Returns false if it cannot be read.
 */
static __always_inline bool peek_word(unsigned long *to, unsigned long from)
{
	asm goto("1:	mov	%[source], %%" _ASM_AX "\n"
		 "	mov	%%" _ASM_AX ", %[target]\n"
		 _ASM_EXTABLE_UA(1b, %l[fault])
		 : : [source] "m" (*(unsigned long *)from), [target] "m" (*to)
		 : _ASM_AX, "memory" : fault);
	return true;
fault:
	return false;
}

#endif /* _KERNEL_TRACE_SIGNATURE_PEEK_INLINE_H */
