/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Functions that call sites call without a trampoline.
 *
 * A trampoline makes of a call site an ordinary call: it saves the registers, and calls
 * the function of an ops with the address of the site, its caller, the ops and the
 * registers. An entry does without: the site's call instruction leads to it, so it finds
 *
 *  - all registers as the traced function's caller left them, the arguments among them, so
 *    it must keep them all;
 *  - on the stack its own return address, which is behind the site; next the return address
 *    of the traced function; next the arguments that this one has on the stack.
 *
 * The compiler makes such a function of a C function with the attribute
 * no_caller_saved_registers: it saves just what it uses. It must not call functions
 * without the attribute, or it uses all registers; what is seldom called is put into a
 * function with the attribute.
 *
 * An entry belongs to an ops, but is not told which; the ops has to know what it wants.
 */
#ifndef _LINUX_FTRACE_ENTRIES_H
#define _LINUX_FTRACE_ENTRIES_H

#include <linux/bitfield.h>
#include <linux/bits.h>
#include <linux/ftrace.h>
#ifdef CONFIG_FTRACE_ENTRIES
#include <asm/ftrace_entries.h>
#include <asm/ibt.h>
#endif

/*
 * Each entry has a number. The record of a site notes which one it calls, and which one it is
 * being patched to call. With 64 bits, they are in the upper half of its flags.
 */
#define FTRACE_CURRENT_ENTRY	GENMASK(7, 0)
#define FTRACE_NEXT_ENTRY	GENMASK(15, 8)
#define FTRACE_ENTRIES_SHIFT	32
#define FTRACE_ENTRY_MAX	U8_MAX

/* How many entries all ops may have together */
#define FTRACE_ENTRIES		64

/* Hardening may clear registers before a return: an entry has none to clear */
#if __has_attribute(__zero_call_used_regs__)
#define __ftrace_no_zero	__attribute__((__zero_call_used_regs__("skip")))
#else
#define __ftrace_no_zero
#endif

/* A function that keeps all registers */
#define __ftrace_entry							\
	__attribute__((__no_caller_saved_registers__)) __ftrace_no_zero	\
	__no_stack_protector notrace

/*
 * A function that only call sites call, by its address in a table. It needs no ENDBR, and objtool
 * is told that this is right.
 */
#define __ftrace_site_entry		__ftrace_entry __noendbr
#define FTRACE_SITE_ENTRY(function)				\
	asm(".pushsection .discard.noendbr\n\t"			\
	    ".long " #function "\n\t"				\
	    ".popsection")

/**
 * struct ftrace_entries - the entries of an ops
 * @choose:	which entry a call site is to call: from 1 to @nr, or 0 for the ops's
 *		trampoline. Is called under ftrace_lock when sites are patched. The choice may
 *		change at any time; ftrace_update_entries() must be called then.
 * @addr:	their addresses: addr[0] belongs to entry 1. NULL if the ops has only those of sets,
 *		of which it may be the only member, see linux/ftrace_sets.h.
 * @nr:		how many there are; if they are for sets, too, at most FTRACE_SET_ENTRIES
 * @in_sets:	whether a site that several ops want may call the entry of a set, if all of
 *		them choose the same number
 * @first:	the number of entry 1, which it gets when the ops is registered; to begin with, 0
 */
struct ftrace_entries {
	unsigned int		(*choose)(const struct ftrace_ops *ops, unsigned long ip);
	const unsigned long	*addr;
	unsigned int		nr;
	bool			in_sets;
	unsigned int		first;
};

#ifdef CONFIG_FTRACE_ENTRIES
void ftrace_update_entries(void);
void ftrace_update_entries_locked(void);
#else
static inline void ftrace_update_entries(void) { }
static inline void ftrace_update_entries_locked(void) { }
#endif

#endif /* _LINUX_FTRACE_ENTRIES_H */
