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

/* Returns the length of the text, or -1 if it has no end within the first @limit bytes */
static __always_inline long peek_short_words(unsigned long *to, unsigned long from,
					     unsigned long limit, bool user)
{
	const struct word_at_a_time constants = WORD_AT_A_TIME_CONSTANTS;
	unsigned long word, zeros, start = from, end = from + (limit & -sizeof(word));

	for (; from != end; from += sizeof(word)) {
		peek_load(&word, from, user, fault);
		if (has_zero(word, &zeros, &constants)) {
			zeros = create_zero_mask(prep_zero_mask(word, zeros, &constants));
			*to = word & zero_bytemask(zeros);
			return from - start + find_zero(zeros);
		}
		*to++ = word;
	}
fault:
	return -1;
}

static __always_inline long peek_short_users(unsigned long *to, unsigned long from,
					     unsigned long limit)
{
	long size = -1;

	pagefault_disable();
	if (user_access_begin((void __user *)from, sizeof(*to))) {
		size = peek_short_words(to, from, limit, true);
		user_access_end();
	}
	pagefault_enable();
	return size;
}

/*
 * Copy text, if that is easy: if it and its NUL are within words of @room bytes that are
 * on its first page, and can be read.  Returns its length, or -1 if it is not easy.
 * The rest of the last word is 0.  Context: as ftrace_peek_string().
 */
static __always_inline long peek_short_text(unsigned long *to, unsigned long from,
					    unsigned long room)
{
	unsigned long limit = min(room, PAGE_SIZE - offset_in_page(from));

	/* The page of the last addresses of the user's may not belong to the user as a whole */
	if (from < TASK_SIZE_MAX - PAGE_SIZE)
		return peek_has_users_memory() ? peek_short_users(to, from, limit) : -1;
	if (!peek_is_direct(from))
		return -1;
	return peek_short_words(to, from, limit, false);
}

#endif /* _KERNEL_TRACE_SIGNATURE_PEEK_INLINE_H */
