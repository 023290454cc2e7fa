/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Copy the string that an argument of a traced function points to, if that is easy.
 *
 * It is easy if the function's arguments are all in registers and point to just one
 * string, if an option asks for strings and for nothing else, and if the
 * string ends within 64 bytes that are all on one page and can be read.  That is so for
 * most names and most paths.  Everything else is for ftrace_sig_follow_begin(), which
 * begins anew.
 *
 * Each byte is read once, from memory that others may write at the same time: the words
 * that were read are stored, and only what was stored is looked at.
 */
#ifndef _KERNEL_TRACE_SIGNATURE_FOLLOW_STRING_H
#define _KERNEL_TRACE_SIGNATURE_FOLLOW_STRING_H

#include <linux/ftrace.h>
#include <linux/ftrace_signature.h>

#define FOLLOW_SHORT_TEXT	64

/*
 * A short string as it stands in an event
 *
 * @head: of what is copied
 * @item: what the string is
 * @text: its bytes, as many words as it needs
 */
struct follow_string {
	u32		head;
	u32		item;
	unsigned long	text[FOLLOW_SHORT_TEXT / sizeof(long)];
};

#ifdef CONFIG_FTRACE_SIGNATURES

#include "follow.h"
#include "peek_inline.h"

/*
 * Copy words up to the one with the NUL; bytes behind that are 0.  Returns the length, or
 * -1 if there is no NUL or a fault.
 */
static __always_inline long follow_copy_words(void *to, unsigned long from)
{
	unsigned long minus_ones = -REPEAT_BYTE(0x01), highs = REPEAT_BYTE(0x80);
	unsigned long word, zeros, i;

	/* In registers, not loaded anew for each word */
	OPTIMIZER_HIDE_VAR(minus_ones);
	OPTIMIZER_HIDE_VAR(highs);
	_Pragma("GCC unroll 16")
	for (i = 0; i < FOLLOW_SHORT_TEXT; i += sizeof(word)) {
		if (!peek_word(to + i, from + i))
			return -1;
		word = *(unsigned long *)(to + i);
		/* Without a NUL, this is 0 if all bytes are ASCII */
		zeros = (word + minus_ones) & highs;
		if (!zeros)
			continue;
		zeros &= ~word;
		if (zeros)
			goto found;
	}
	return -1;
found:
	/* Keeps gcc from making the address of each word before it knows which is the last */
	OPTIMIZER_HIDE_VAR(i);
	zeros = create_zero_mask(zeros);
	*(unsigned long *)(to + i) = word & zero_bytemask(zeros);
	return i + find_zero(zeros);
}

static __always_inline long follow_copy_users(void *to, unsigned long from)
{
	struct follow_quiet quiet;
	long length;

	if (!peek_has_users_memory())
		return -1;
	quiet = follow_quiet_begin_in(false);
	/* With a count of preemption, the handler knows that it must not wait for the page */
	if (!IS_ENABLED(CONFIG_PREEMPT_COUNT))
		pagefault_disable();
	__uaccess_begin_nospec();
	length = follow_copy_words(to, from);
	__uaccess_end();
	if (!IS_ENABLED(CONFIG_PREEMPT_COUNT))
		pagefault_enable();
	follow_quiet_end(quiet);
	/* Keeps gcc from using it before it is known not to be negative */
	OPTIMIZER_HIDE_VAR(length);
	return length;
}

/* follow_string.c */
extern struct static_key_false follow_strings_alone[FTRACE_SIG_NR_USERS];
long follow_copy_kernels(void *to, unsigned long from);

static __always_inline long follow_copy_text(void *to, unsigned long from)
{
	if (offset_in_page(from) > PAGE_SIZE - FOLLOW_SHORT_TEXT)
		return -1;
	/* The page of the last addresses of the user's may not belong to the user as a whole */
	if (likely(from - 1 < TASK_SIZE_MAX - PAGE_SIZE - 1))
		return follow_copy_users(to, from);
	return follow_copy_kernels(to, from);
}

static __always_inline unsigned long follow_reg(struct ftrace_regs *fregs, unsigned int word)
{
	return ((unsigned long *)&arch_ftrace_regs(fregs)->regs)[word];
}

/*
 * Copy the only string that a call's arguments point to.
 *
 * @user: the tracer that writes the event
 * @ip: address of the function's call site; its shape has FTRACE_SIG_SHAPE_FOLLOW
 * @fregs: the registers at the call site
 * @string: gets the words that are to be attached to the event
 * @nr_words: gets their number
 *
 * Context: any, NMI included, with preemption off.
 * Returns false if this is for ftrace_sig_follow_begin().
 */
static __always_inline bool follow_string(enum ftrace_sig_user user, unsigned long ip,
					  struct ftrace_regs *fregs,
					  struct follow_string *string, unsigned int *nr_words)
{
	struct follow_plan *plan = follow_plan_of(ip);
	unsigned int seq = smp_load_acquire(&plan->seq);	/* PLAN_B */
	unsigned int reg = READ_ONCE(plan->string_reg), size;
	long length;

	if (!static_branch_likely(&follow_strings_alone[user]) ||
	    unlikely(seq & 1 || READ_ONCE(plan->key) != follow_key(ip, true)))
		return false;
	length = follow_copy_text(string->text, follow_reg(fregs, reg));
	if (unlikely(length < 0))
		return false;
	string->item = FIELD_PREP(FTRACE_SIG_ITEM_PARAM, READ_ONCE(plan->string_param)) |
		       FIELD_PREP(FTRACE_SIG_ITEM_KIND, FTRACE_SIG_STEP_STRING) |
		       FIELD_PREP(FTRACE_SIG_ITEM_END, FTRACE_PEEK_NUL) |
		       FIELD_PREP(FTRACE_SIG_ITEM_SIZE, length);
	size = offsetof(struct follow_string, text) + length;
	string->head = FIELD_PREP(FTRACE_SIG_DATA_MARK, FTRACE_SIG_DATA_MAGIC) |
		       ALIGN(size, sizeof(u32));
	*nr_words = DIV_ROUND_UP(size, sizeof(long));
	smp_rmb();	/* PLAN_A */
	return likely(READ_ONCE(plan->seq) == seq);
}

/* Write @nr words of the string to where they are attached to the event */
static __always_inline void follow_put_string(void *to, const struct follow_string *string,
					      unsigned int nr)
{
	ftrace_sig_put_words(to, (const unsigned long *)string, nr);
}

#else

static __always_inline bool follow_string(enum ftrace_sig_user user, unsigned long ip,
					  struct ftrace_regs *fregs,
					  struct follow_string *string, unsigned int *nr_words)
{
	return false;
}

static __always_inline void follow_put_string(void *to, const struct follow_string *string,
					      unsigned int nr) { }

#endif /* CONFIG_FTRACE_SIGNATURES */

#endif /* _KERNEL_TRACE_SIGNATURE_FOLLOW_STRING_H */
