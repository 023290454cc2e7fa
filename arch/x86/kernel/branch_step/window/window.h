/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _ARCH_X86_BRANCH_STEP_WINDOW_H
#define _ARCH_X86_BRANCH_STEP_WINDOW_H

struct pt_regs;

/**
 * enum branch_place - whose an instruction is
 * @BRANCH_PLACE_KERNEL: the kernel's own
 * @BRANCH_PLACE_THUNK: the kernel's, to jump without speculation; it may jump for a tracer
 * @BRANCH_PLACE_RETURN: a tracer has put it between a return and where that goes
 * @BRANCH_PLACE_PROBE: it stands in for an instruction that has a probe
 */
enum branch_place {
	BRANCH_PLACE_KERNEL,
	BRANCH_PLACE_THUNK,
	BRANCH_PLACE_RETURN,
	BRANCH_PLACE_PROBE,
};

/**
 * enum branch_aside_why - why a task is not followed for a while
 * @ASIDE_TRACER: the tracer that is called where a function begins
 * @ASIDE_RETURN: a tracer that is between a return and where it goes
 * @ASIDE_PROBE: what stands in for an instruction that has a probe
 * @ASIDE_ELSEWHERE: another stack, or the way back from another task
 */
enum branch_aside_why {
	ASIDE_TRACER = 1,
	ASIDE_RETURN,
	ASIDE_PROBE,
	ASIDE_ELSEWHERE,
};

/* functions.c */
enum branch_place branch_window_place(unsigned long ip);

/* window.c */
extern unsigned int branch_window_most_steps;
void branch_window_enter(unsigned int nr, unsigned long ip, struct pt_regs *regs);

#endif /* _ARCH_X86_BRANCH_STEP_WINDOW_H */
