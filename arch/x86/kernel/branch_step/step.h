/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _ARCH_X86_BRANCH_STEP_H
#define _ARCH_X86_BRANCH_STEP_H

#include <linux/branch_trace.h>
#include <linux/percpu.h>

/* backend.c */
DECLARE_PER_CPU(unsigned int, branch_step_wanted);
void branch_step_deliver(struct branch_record *record, unsigned long windows);

/* user.c */
void branch_step_user_set(struct task_struct *task, bool wanted);

/* window/, with CONFIG_BRANCH_STEP_KERNEL */
void branch_window_set(struct task_struct *next);
int branch_window_watch(unsigned int window, const char *functions, unsigned int *wrong);

#endif /* _ARCH_X86_BRANCH_STEP_H */
