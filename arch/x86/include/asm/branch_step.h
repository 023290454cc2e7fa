/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _ASM_X86_BRANCH_STEP_H
#define _ASM_X86_BRANCH_STEP_H

#include <linux/types.h>

#ifdef CONFIG_BRANCH_STEP
#include <linux/jump_label.h>
#include <linux/sched.h>

struct pt_regs;

/* Any context may want branches of user mode: tasks may be armed */
DECLARE_STATIC_KEY_FALSE(branch_step_used);

void __branch_step_enter(struct pt_regs *regs);
void __branch_step_exit(struct pt_regs *regs);
bool __branch_step_debug(struct pt_regs *regs, unsigned long *dr6);

/* The task has come from user mode. Context: interrupts off. */
static __always_inline void branch_step_enter(struct pt_regs *regs)
{
	if (static_branch_unlikely(&branch_step_used))
		__branch_step_enter(regs);
}

/* #DB was raised in user mode, by a step or not. Called before branch_step_enter(), not traced. */
static __always_inline void branch_step_expect(bool stepped)
{
	struct branch_step *step = &current->thread.branch_step;

	if (static_branch_unlikely(&branch_step_used))
		step->trap = stepped && step->armed;
}

/* An interrupt has come. Called before branch_step_enter(), not traced. */
static __always_inline void branch_step_interrupt(void)
{
	struct branch_step *step = &current->thread.branch_step;

	if (static_branch_unlikely(&branch_step_used))
		step->interrupted = step->armed;
}

/* Whether nothing is left to do for this #DB. Context: interrupts off. */
static __always_inline bool branch_step_debug(struct pt_regs *regs, unsigned long *dr6)
{
	return static_branch_unlikely(&branch_step_used) && __branch_step_debug(regs, dr6);
}
#else
static __always_inline void branch_step_enter(struct pt_regs *regs) { }
static __always_inline void __branch_step_exit(struct pt_regs *regs) { }
static __always_inline void branch_step_expect(bool stepped) { }
static __always_inline void branch_step_interrupt(void) { }
static __always_inline bool branch_step_debug(struct pt_regs *regs, unsigned long *dr6)
{
	return false;
}
#endif

#endif /* _ASM_X86_BRANCH_STEP_H */
