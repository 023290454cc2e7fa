/* SPDX-License-Identifier: GPL-2.0 */
/*
 * For what produces branches. See Documentation/trace/branch-contexts-design.rst.
 */
#ifndef _LINUX_BRANCH_BACKEND_H
#define _LINUX_BRANCH_BACKEND_H

#include <linux/branch_trace.h>

/**
 * struct branch_backend - what produces records
 * @name: by which a context asks for it
 * @about: what it can, for people, in one line
 * @refuses: says why this backend cannot do what a context wants, or returns NULL if it can.
 *	The task, if it is about one, is not given: others may come. The reason must stay for
 *	ever. May sleep.
 * @use: the first context that uses it is opened, or the last one was closed. May sleep. Or NULL.
 * @set: from now on, produce branches of these modes on this CPU, where this task runs or is
 *	just being switched in; 0: produce none. Called with interrupts off. When a task is
 *	switched in, it is called if any are wanted of it, or were of the task before.
 * @id: the core's
 * @nr_contexts: open contexts that use it
 *
 * A backend hands each branch to branch_deliver(), on the CPU that took it. It may hand over more
 * than it was asked for.
 */
struct branch_backend {
	const char	*name;
	const char	*about;
	const char	*(*refuses)(const struct branch_attr *attr);
	void		(*use)(bool used);
	void		(*set)(struct task_struct *task, unsigned int modes);

	unsigned int	id;
	unsigned int	nr_contexts;
};

int branch_backend_register(struct branch_backend *backend);
int branch_backend_unregister(struct branch_backend *backend);
void branch_deliver(struct branch_backend *backend, struct task_struct *task,
		    struct branch_record *record);

#endif /* _LINUX_BRANCH_BACKEND_H */
