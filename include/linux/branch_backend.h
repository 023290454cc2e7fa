/* SPDX-License-Identifier: GPL-2.0 */
/*
 * For what produces branches. See Documentation/trace/branch-contexts-design.rst.
 */
#ifndef _LINUX_BRANCH_BACKEND_H
#define _LINUX_BRANCH_BACKEND_H

#include <linux/branch_trace.h>
#include <linux/percpu.h>

/* How many contexts may want branches of chosen functions of the kernel at once */
#define BRANCH_MAX_WINDOWS	8

/* What a backend is told to produce: modes, and windows */
#define BRANCH_WINDOW_SHIFT	8
#define BRANCH_WINDOW(nr)	(BIT(nr) << BRANCH_WINDOW_SHIFT)

/**
 * struct branch_backend - what produces records
 * @name: by which a context asks for it
 * @about: what it can, for people, in one line
 * @refuses: says why this backend cannot do what a context wants, or returns NULL if it can.
 *	The task, if it is about one, is not given: others may come. The reason must stay for
 *	ever. May sleep.
 * @use: the first context that uses it is opened, or the last one was closed. May sleep. Or NULL.
 * @set: from now on, produce these branches on this CPU, where this task runs or is just being
 *	switched in: of modes, and of windows; 0: produce none. Called with interrupts off. When
 *	a task is switched in, it is called if any are wanted of it, or were of the task before.
 * @watch: a window is from a call of one of these functions of the kernel to its return. The
 *	names are separated by spaces, and may be patterns. NULL: the window of this number is
 *	not wanted any more, nor will be before this is called again. Returns 0 or an error. If
 *	one of the names is to blame for it, sets wrong to where that begins, which was set to 0
 *	before. May sleep. NULL, if the backend has no windows.
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
	void		(*set)(struct task_struct *task, unsigned int wanted);
	int		(*watch)(unsigned int window, const char *functions, unsigned int *wrong);

	unsigned int	id;
	unsigned int	nr_contexts;
};

/* How deep this CPU is in what tells of branches */
DECLARE_PER_CPU(unsigned int, branch_telling);

/*
 * Whether what was interrupted is telling of branches itself. What it does is not to be told:
 * it would begin again and again. Context: preemption disabled.
 */
static inline bool branch_is_telling(void)
{
	return this_cpu_read(branch_telling);
}

int branch_backend_register(struct branch_backend *backend);
int branch_backend_unregister(struct branch_backend *backend);
void branch_deliver(struct branch_backend *backend, struct task_struct *task,
		    struct branch_record *record, unsigned long windows);

#endif /* _LINUX_BRANCH_BACKEND_H */
