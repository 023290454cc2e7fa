/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _ASM_X86_BRANCH_WINDOW_H
#define _ASM_X86_BRANCH_WINDOW_H

#include <linux/types.h>

#ifdef CONFIG_BRANCH_STEP_KERNEL
#include <linux/instrumentation.h>
#include <linux/jump_label.h>
#include <linux/sched.h>
#include <asm/processor-flags.h>
#include <asm/ptrace.h>

/* Any window may be wanted: tasks may be in it */
DECLARE_STATIC_KEY_FALSE(branch_windows_used);

bool __branch_window_step(struct pt_regs *regs, unsigned long *dr6);
void __branch_window_moved(struct pt_regs *regs);
void __branch_window_poked(struct pt_regs *regs);
void __branch_window_resume(void);
void __branch_window_end(void);

/* What is created is in no window */
static inline void branch_window_init_task(struct task_struct *task)
{
	task->thread.branch_window = (struct branch_window) { };
}

/* #DB was raised in the kernel. Whether nothing is left to do for it. */
static __always_inline bool branch_window_step(struct pt_regs *regs, unsigned long *dr6)
{
	return current->thread.branch_window.open && __branch_window_step(regs, dr6);
}

/*
 * Code that has kept the flags may set the trap flag when the window is over. Whether that is what
 * nobody else has raised #DB for.
 */
static __always_inline bool branch_window_is_late(void)
{
	return current->thread.branch_window.used;
}

/* Here is no static key: that may be changed just now, and raise the exception. */
static __always_inline bool branch_window_is_stepped(struct pt_regs *regs, unsigned long flags)
{
	return unlikely(current->thread.branch_window.open) && !user_mode(regs) &&
	       flags & X86_EFLAGS_TF;
}

/*
 * An exception of the kernel's returns, maybe to another instruction. @flags are those that it
 * came with.
 */
static __always_inline void branch_window_moved(struct pt_regs *regs, unsigned long flags)
{
	if (!branch_window_is_stepped(regs, flags))
		return;
	instrumentation_begin();
	__branch_window_moved(regs);
	instrumentation_end();
}

/* The kernel came to where it is being patched, and goes on as if that were done */
static __always_inline void branch_window_poked(struct pt_regs *regs)
{
	if (!branch_window_is_stepped(regs, regs->flags))
		return;
	instrumentation_begin();
	__branch_window_poked(regs);
	instrumentation_end();
}

/* As branch_window_moved(), for what may be an interrupt, too */
static __always_inline void branch_window_interrupted(struct pt_regs *regs)
{
	if (static_branch_unlikely(&branch_windows_used))
		branch_window_moved(regs, regs->flags);
}

/* The current task was switched in, and the lock of the scheduler is released */
static __always_inline void branch_window_switched_in(void)
{
	if (static_branch_unlikely(&branch_windows_used) && current->thread.branch_window.resumes)
		__branch_window_resume();
}

/* The kernel is about to leave the machine, to sleep or for another kernel */
static __always_inline void branch_window_end(void)
{
	if (unlikely(current->thread.branch_window.open))
		__branch_window_end();
}
#else
static inline void branch_window_init_task(struct task_struct *task) { }
static __always_inline bool branch_window_step(struct pt_regs *regs, unsigned long *dr6)
{
	return false;
}

static __always_inline bool branch_window_is_late(void)
{
	return false;
}

static __always_inline void branch_window_moved(struct pt_regs *regs, unsigned long flags) { }
static __always_inline void branch_window_poked(struct pt_regs *regs) { }
static __always_inline void branch_window_interrupted(struct pt_regs *regs) { }
static __always_inline void branch_window_switched_in(void) { }
static __always_inline void branch_window_end(void) { }
#endif

#endif /* _ASM_X86_BRANCH_WINDOW_H */
