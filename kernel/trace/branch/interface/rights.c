// SPDX-License-Identifier: GPL-2.0
/*
 * Which branches may be chosen by a file.
 *
 * The rights are those with which the file was opened: a program that has more rights and is made
 * to write to the file does not lend them.
 */
#include <linux/cred.h>
#include <linux/ptrace.h>
#include <linux/sched.h>
#include <linux/security.h>

#include "instance.h"

static bool has(const struct cred *cred, int capability)
{
	return !security_capable(cred, &init_user_ns, capability, CAP_OPT_NONE);
}

/**
 * branch_may_trace_all() - may somebody see all branches on this machine
 * @cred: the rights
 *
 * As with perf events, this takes CAP_PERFMON or CAP_SYS_ADMIN.
 *
 * Context: may sleep.
 * Return: true if so.
 */
bool branch_may_trace_all(const struct cred *cred)
{
	return has(cred, CAP_PERFMON) || has(cred, CAP_SYS_ADMIN);
}

/**
 * branch_may_trace_task() - may somebody see the branches of a task in user mode
 * @cred: the rights
 * @task: the task; its exec_update_lock is held, so the answer holds as long
 *
 * As with perf events, this takes the right to read the task's memory, or to see all branches.
 *
 * Context: may sleep.
 * Return: true if so.
 */
bool branch_may_trace_task(const struct cred *cred, struct task_struct *task)
{
	const struct cred *own;
	bool may;

	if (branch_may_trace_all(cred))
		return true;
	/* Every task may look into itself: it must also be the one who opened the file */
	if (!uid_eq(cred->euid, current_euid()))
		return false;
	own = override_creds(cred);
	may = ptrace_may_access(task, PTRACE_MODE_READ_FSCREDS);
	revert_creds(own);
	return may;
}
