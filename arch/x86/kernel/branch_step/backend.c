// SPDX-License-Identifier: GPL-2.0
/*
 * The backend of branch contexts that lets the CPU stop after each instruction.
 */
#include <linux/branch_backend.h>
#include <linux/init.h>
#include <linux/percpu.h>
#include <linux/sched.h>

#include <asm/branch_step.h>

#include "step.h"

/* What is wanted of the task that runs on this CPU: modes and windows */
DEFINE_PER_CPU(unsigned int, branch_step_wanted);

static const char *step_refuses(const struct branch_attr *attr)
{
	if (!(attr->modes & BRANCH_KERNEL))
		return NULL;
	if (!IS_ENABLED(CONFIG_BRANCH_STEP_KERNEL))
		return "this kernel can step through user mode only";
	if (!attr->functions)
		return "stepping traces the kernel in functions only: choose them first";
	return NULL;
}

static void step_use(bool used)
{
	if (used)
		static_branch_inc(&branch_step_used);
	else
		static_branch_dec(&branch_step_used);
}

static void step_set(struct task_struct *task, unsigned int wanted)
{
	/* A task that is switched out is in its windows still */
	if (IS_ENABLED(CONFIG_BRANCH_STEP_KERNEL))
		branch_window_set(task);
	this_cpu_write(branch_step_wanted, wanted);
	branch_step_user_set(task, wanted & BRANCH_USER);
}

static struct branch_backend step_backend = {
	.name = "step",
	.about = IS_ENABLED(CONFIG_BRANCH_STEP_KERNEL) ?
		 "user mode and functions of the kernel, by single steps: everywhere, but slow" :
		 "user mode, by single steps: everywhere, but slow",
	.refuses = step_refuses,
	.use = step_use,
	.set = step_set,
	.watch = IS_ENABLED(CONFIG_BRANCH_STEP_KERNEL) ? branch_window_watch : NULL,
};

/**
 * branch_step_deliver() - hand a branch of the current task over
 * @record: the branch
 * @windows: in which windows it is, if it is in the kernel
 *
 * Context: any.
 */
void branch_step_deliver(struct branch_record *record, unsigned long windows)
{
	branch_deliver(&step_backend, current, record, windows);
}

static int __init step_init(void)
{
	return branch_backend_register(&step_backend);
}
core_initcall(step_init);
