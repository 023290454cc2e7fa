/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _ASM_X86_BRANCH_WINDOW_TYPES_H
#define _ASM_X86_BRANCH_WINDOW_TYPES_H

#include <asm/branch_step_types.h>

/* As BRANCH_MAX_WINDOWS, which thread_struct cannot see */
#define BRANCH_STEP_WINDOWS	8

/**
 * struct branch_aside - what is not followed in a window, until it is over
 * @why: an enum branch_aside_why; 0: all is followed
 * @in_slot: the task is in what stands in for an instruction that has a probe
 * @nested: the probe's handler has come to the same instruction, and is not behind it
 * @until_ip: where a tracer that was called returns to
 * @until_sp: it is over when the stack is no deeper than this, or when a probe's instruction has
 *	been executed, which may push
 */
struct branch_aside {
	u8		why;
	bool		in_slot;
	bool		nested;
	unsigned long	until_ip;
	unsigned long	until_sp;
};

/**
 * struct branch_window - the way of a task through chosen functions of the kernel
 * @open: numbers of the windows that it is in, as bits
 * @begin: address of the instruction that it executes
 * @from: the same, or of the first one behind it that is sure to raise a trap, see
 *	BRANCH_INSN_SHADOW
 * @insn: what there is at @from
 * @aside: what it does, and is not told; @from and @insn are what led there
 * @sp: by number, where the return address of the function is on the stack
 * @outer_sp: the same of the window that was entered first
 * @lost: so many branches could not be told
 * @steps: so many steps were done since it was entered, or was switched in
 * @on_own_stack: the windows were entered on the task's stack, not on one of interrupts
 * @stepping: each of its instructions traps
 * @resumes: that ended when it was switched out
 * @used: it was ever in a window
 */
struct branch_window {
	unsigned long		open;
	unsigned long		begin;
	unsigned long		from;
	struct branch_insn_read	insn;
	struct branch_aside	aside;
	unsigned long		sp[BRANCH_STEP_WINDOWS];
	unsigned long		outer_sp;
	unsigned int		lost;
	unsigned int		steps;
	bool			on_own_stack;
	bool			stepping;
	bool			resumes;
	bool			used;
};

#endif /* _ASM_X86_BRANCH_WINDOW_TYPES_H */
