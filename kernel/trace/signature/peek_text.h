/* SPDX-License-Identifier: GPL-2.0 */
/* Read text that may not be there, inline: see peek.c. */
#ifndef _KERNEL_TRACE_SIGNATURE_PEEK_TEXT_H
#define _KERNEL_TRACE_SIGNATURE_PEEK_TEXT_H

#include <linux/preempt.h>
#include <linux/sched.h>
#include <linux/uaccess.h>

#include <asm/word-at-a-time.h>

#include "peek.h"
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
#define peek_load(to, from, user, fault)						\
do {										\
	if (user)								\
		unsafe_get_user(*(to), (typeof(*(to)) __user *)(from), fault);	\
	else									\
		__get_kernel_nofault(to, (void *)(from), typeof(*(to)), fault);	\
} while (0)

struct peek_word {
	unsigned long word;
} __packed;

/*
 * Copy text up to the end of its page, or until there is no room.  A word that is loaded
 * is within the page, and what follows a NUL in it is not stored.
 *
 * @length: how many bytes were copied already, to @to and from @from; at most @limit
 */
static __always_inline enum ftrace_peek_end
peek_copy_text_of_page(char *to, unsigned long from, unsigned long *length,
		       unsigned long limit, bool user)
{
	const struct word_at_a_time constants = WORD_AT_A_TIME_CONSTANTS;
	enum ftrace_peek_end end = FTRACE_PEEK_CUT;
	unsigned long at = *length, word, zeros;
	char byte;

	for (; limit - at >= sizeof(word); at += sizeof(word)) {
		peek_load(&word, from + at, user, fault);
		if (has_zero(word, &zeros, &constants)) {
			zeros = create_zero_mask(prep_zero_mask(word, zeros, &constants));
			word &= zero_bytemask(zeros);
			((struct peek_word *)(to + at))->word = word;
			at += find_zero(zeros);
			end = FTRACE_PEEK_NUL;
			goto out;
		}
		((struct peek_word *)(to + at))->word = word;
	}
	for (; at < limit; at++) {
		peek_load(&byte, from + at, user, fault);
		if (!byte) {
			end = FTRACE_PEEK_NUL;
			goto out;
		}
		to[at] = byte;
	}
	goto out;
fault:
	end = FTRACE_PEEK_FAULT;
out:
	*length = at;
	return end;
}

static __always_inline enum ftrace_peek_end
peek_copy_text(char *to, unsigned long from, unsigned long *length, unsigned long room,
	       bool user)
{
	enum ftrace_peek_end end = FTRACE_PEEK_CUT;

	while (end == FTRACE_PEEK_CUT && *length < room) {
		unsigned long here = from + *length;
		unsigned long left = PAGE_SIZE - offset_in_page(here);
		unsigned long limit = min(room, *length + left);

		if (!user && (here < from || !peek_may_load(here)))
			return FTRACE_PEEK_FAULT;
		end = peek_copy_text_of_page(to, from, length, limit, user);
	}
	return end;
}

static __always_inline enum ftrace_peek_end
peek_copy_users_text(char *to, unsigned long from, unsigned long *length, unsigned long room)
{
	enum ftrace_peek_end end = FTRACE_PEEK_FAULT;
	unsigned long left = TASK_SIZE_MAX - from;
	unsigned long most = min(room, left);

	if (!peek_has_users_memory())
		return FTRACE_PEEK_FAULT;
	pagefault_disable();
	if (user_access_begin((void __user *)from, most)) {
		end = peek_copy_text(to, from, length, most, true);
		user_access_end();
	}
	pagefault_enable();
	return end == FTRACE_PEEK_CUT && left < room ? FTRACE_PEEK_FAULT : end;
}

/* As ftrace_peek_string(), for where a call is too much */
static __always_inline unsigned int peek_text(char *to, unsigned long from, unsigned int room,
					      enum ftrace_peek_end *end)
{
	unsigned long length = 0;

	if (peek_is_users(from))
		*end = peek_copy_users_text(to, from, &length, room);
	else
		*end = peek_copy_text(to, from, &length, room, false);
	return length;
}

#endif /* _KERNEL_TRACE_SIGNATURE_PEEK_TEXT_H */
