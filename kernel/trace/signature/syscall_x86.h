/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The arguments of a syscall, when its entry is traced.
 *
 * The entry, such as __x64_sys_openat(), is given the address of the registers of the
 * user.  These are on the task's stack, at its top; where else they may be is not known,
 * so nothing is read there.
 */
#ifndef _KERNEL_TRACE_SIGNATURE_SYSCALL_X86_H
#define _KERNEL_TRACE_SIGNATURE_SYSCALL_X86_H

#include <linux/compiler.h>
#include <linux/ftrace.h>
#include <linux/ftrace_signature.h>
#include <linux/limits.h>
#include <linux/sched/task_stack.h>
#include <linux/stddef.h>

#include <asm/ptrace.h>

/* Where the arguments are, see arch/x86/include/asm/syscall_wrapper.h */
static const u8 syscall_args_32[FTRACE_SIG_MAX_SYSCALL] = {
	offsetof(struct pt_regs, bx), offsetof(struct pt_regs, cx),
	offsetof(struct pt_regs, dx), offsetof(struct pt_regs, si),
	offsetof(struct pt_regs, di), offsetof(struct pt_regs, bp),
};

#ifdef CONFIG_X86_64
static const u8 syscall_args_64[FTRACE_SIG_MAX_SYSCALL] = {
	offsetof(struct pt_regs, di), offsetof(struct pt_regs, si),
	offsetof(struct pt_regs, dx), offsetof(struct pt_regs, r10),
	offsetof(struct pt_regs, r8), offsetof(struct pt_regs, r9),
};
#endif

/* A 32-bit call says nothing of the upper halves of the registers */
static __always_inline const u8 *syscall_args_of(u32 shape, unsigned long *used)
{
#ifdef CONFIG_X86_64
	if (FIELD_GET(FTRACE_SIG_SHAPE_RET, shape) == FTRACE_SIG_SHAPE_RET_SYSCALL) {
		*used = ULONG_MAX;
		return syscall_args_64;
	}
#endif
	*used = U32_MAX;
	return syscall_args_32;
}

/* The registers of the user, or NULL if they are not on this task's stack */
static __always_inline const void *syscall_user_regs(struct ftrace_regs *fregs)
{
	unsigned long regs = ftrace_regs_get_argument(fregs, 0);
	unsigned long stack = (unsigned long)task_stack_page(current);

	if (regs < stack || regs - stack > THREAD_SIZE - sizeof(struct pt_regs))
		return NULL;
	return (const void *)regs;
}

/* Argument @i; zero if the registers are not where they should be */
static __always_inline unsigned long syscall_arg(const void *regs, const u8 *places,
						 unsigned int i, unsigned long used)
{
	if (!regs || i >= FTRACE_SIG_MAX_SYSCALL)
		return 0;
	return READ_ONCE_NOCHECK(*(const unsigned long *)(regs + places[i])) & used;
}

#endif /* _KERNEL_TRACE_SIGNATURE_SYSCALL_X86_H */
