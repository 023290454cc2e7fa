/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Functions that call sites call without a trampoline.
 *
 * A trampoline makes of a call site an ordinary call: it saves the registers, and calls
 * the function of an ops with the address of the site, its caller, the ops and the
 * registers. An entry does without: the site's call instruction leads to it, so it finds
 *
 *  - all registers as the traced function's caller left them: those that a function may
 *    clobber hold the traced function's arguments, so it must keep all of them;
 *  - on the stack its return address, behind the site, and above it that of the traced
 *    function, and above that the arguments that the function has on the stack.
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

#include <linux/bits.h>
#include <linux/ftrace.h>

/* Which entry a site calls stands in the record's flags, in the upper half of a long */
#define FTRACE_ENTRY_SHIFT	32
#define FTRACE_ENTRY_MAX	U8_MAX

/* The hardening that clears registers before a return must not clear those of others */
#if __has_attribute(__zero_call_used_regs__)
#define __ftrace_no_zero	__attribute__((__zero_call_used_regs__("skip")))
#else
#define __ftrace_no_zero
#endif

/* A function that keeps all registers */
#define __ftrace_entry							\
	__attribute__((__no_caller_saved_registers__)) __ftrace_no_zero	\
	__no_stack_protector notrace

/**
 * struct ftrace_entries - the entries of an ops
 * @choose:	which entry a call site is to call: from 1 to @nr, or 0 for the ops's
 *		trampoline. Is called under ftrace_lock when sites are patched. If it comes to
 *		choose another one, ftrace_update_entries() must be called.
 * @addr:	their addresses, the first one's being that of entry 1
 * @nr:		how many there are, at most FTRACE_ENTRY_MAX
 */
struct ftrace_entries {
	unsigned int		(*choose)(const struct ftrace_ops *ops, unsigned long ip);
	const unsigned long	*addr;
	unsigned int		nr;
};

void ftrace_update_entries(void);

#endif /* _LINUX_FTRACE_ENTRIES_H */
