// SPDX-License-Identifier: GPL-2.0
/*
 * Read memory that may not be there, from any context: what a traced function's argument
 * points to, when the function is called.
 *
 * Nothing here faults, sleeps, takes a lock or is traced.  An address tells whether it is
 * the user's or the kernel's.  The kernel's is read only where there is nothing but
 * memory (peek_x86.h).  The user's is read only for a task in its own system call or
 * fault: in an interrupt, or in a kernel thread without a user's memory, the page tables
 * are those of a task that has nothing to do with the call.
 *
 * What is read may be written at the same time by another CPU.  Each byte is read once,
 * so what is returned is what was checked.
 */
#include <linux/uaccess.h>

#include <asm/word-at-a-time.h>

#include "peek.h"
#include "peek_inline.h"
#include "peek_x86.h"

struct unaligned_word {
	unsigned long word;
} __packed;

static __always_inline bool copy(char *to, unsigned long from, unsigned int size, bool user)
{
	unsigned long word;
	u8 byte;

	for (; size >= sizeof(word); size -= sizeof(word)) {
		peek_load(&word, from, user, fault);
		((struct unaligned_word *)to)->word = word;
		to += sizeof(word);
		from += sizeof(word);
	}
	for (; size; size--) {
		peek_load(&byte, from++, user, fault);
		*to++ = byte;
	}
	return true;
fault:
	return false;
}

static bool copy_kernels(char *to, unsigned long from, unsigned int size)
{
	unsigned long last = from + size - 1, page;

	if (last < from || !peek_may_load(from))
		return false;
	for (page = (from & PAGE_MASK) + PAGE_SIZE; page && page <= last; page += PAGE_SIZE)
		if (!peek_may_load(page))
			return false;
	return copy(to, from, size, false);
}

static noinline bool copy_users(char *to, unsigned long from, unsigned int size)
{
	bool copied = false;

	if (!peek_has_users_memory())
		return false;
	pagefault_disable();
	if (user_access_begin((void __user *)from, size)) {
		copied = copy(to, from, size, true);
		user_access_end();
	}
	pagefault_enable();
	return copied;
}

/**
 * ftrace_peek - copy memory that may not be there
 * @to: where to; may have been written in part on failure
 * @from: address of the kernel or of the user
 * @size: how many bytes
 *
 * Context: any, NMI included, with preemption off.
 * Return: whether all of it was copied.
 */
bool ftrace_peek(void *to, unsigned long from, unsigned int size)
{
	if (!size)
		return true;
	return peek_is_users(from) ? copy_users(to, from, size) : copy_kernels(to, from, size);
}

/*
 * Copy text up to the end of its page, or until there is no room.  A word that is loaded
 * is within the page, and what follows a NUL in it is not stored.
 */
static __always_inline enum ftrace_peek_end
copy_text_of_page(char *to, unsigned long from, unsigned int *length, unsigned int limit,
		  bool user)
{
	const struct word_at_a_time constants = WORD_AT_A_TIME_CONSTANTS;
	unsigned int at = *length;
	enum ftrace_peek_end end = FTRACE_PEEK_CUT;
	unsigned long word, zeros;
	char byte;

	for (; at + sizeof(word) <= limit; at += sizeof(word)) {
		peek_load(&word, from + at, user, fault);
		if (has_zero(word, &zeros, &constants)) {
			zeros = create_zero_mask(prep_zero_mask(word, zeros, &constants));
			word &= zero_bytemask(zeros);
			((struct unaligned_word *)(to + at))->word = word;
			at += find_zero(zeros);
			end = FTRACE_PEEK_NUL;
			goto out;
		}
		((struct unaligned_word *)(to + at))->word = word;
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
copy_text(char *to, unsigned long from, unsigned int *length, unsigned int room, bool user)
{
	enum ftrace_peek_end end = FTRACE_PEEK_CUT;

	while (end == FTRACE_PEEK_CUT && *length < room) {
		unsigned long here = from + *length;
		unsigned int left = PAGE_SIZE - offset_in_page(here);
		unsigned int limit = min(room, *length + left);

		if (!user && (here < from || !peek_may_load(here)))
			return FTRACE_PEEK_FAULT;
		end = copy_text_of_page(to, from, length, limit, user);
	}
	return end;
}

static __always_inline enum ftrace_peek_end
copy_users_text(char *to, unsigned long from, unsigned int *length, unsigned int room)
{
	enum ftrace_peek_end end = FTRACE_PEEK_FAULT;
	unsigned long left = TASK_SIZE_MAX - from;

	if (!peek_has_users_memory())
		return FTRACE_PEEK_FAULT;
	pagefault_disable();
	if (user_access_begin((void __user *)from, min_t(unsigned long, room, left))) {
		end = copy_text(to, from, length, min_t(unsigned long, room, left), true);
		user_access_end();
	}
	pagefault_enable();
	return end == FTRACE_PEEK_CUT && left < room ? FTRACE_PEEK_FAULT : end;
}

/**
 * ftrace_peek_string - copy a string that may not be there
 * @to: where to; not terminated.  Up to a word behind the string may be written, but not
 *	beyond @room, and nothing that stood behind the string's NUL.
 * @from: address of the kernel or of the user
 * @room: how many bytes at most
 * @end: tells how it ended
 *
 * Context: any, NMI included, with preemption off.
 * Return: the number of bytes before the end.
 */
unsigned int ftrace_peek_string(char *to, unsigned long from, unsigned int room,
				enum ftrace_peek_end *end)
{
	unsigned int length = 0;

	if (peek_is_users(from))
		*end = copy_users_text(to, from, &length, room);
	else
		*end = copy_text(to, from, &length, room, false);
	return length;
}
