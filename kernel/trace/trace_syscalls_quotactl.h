/* SPDX-License-Identifier: GPL-2.0 */
/* What the arguments of quotactl() and quotactl_fd() are. */
#ifndef _KERNEL_TRACE_SYSCALLS_QUOTACTL_H
#define _KERNEL_TRACE_SYSCALLS_QUOTACTL_H

/* What the last argument points to */
enum trace_syscall_quota_object {
	QUOTA_UNUSED,		/* it is not looked at */
	QUOTA_UNKNOWN,
	QUOTA_PATH,
	QUOTA_FORMAT,		/* a number that is given */
	QUOTA_INFO,
	QUOTA_LIMITS,
	QUOTA_ACCOUNTING,	/* a number: what is counted and enforced */
	QUOTA_KINDS,		/* a number: users, groups, projects */
	QUOTA_DISK,
};

/**
 * struct trace_syscall_quota - a command of quotactl()
 * @cmd: its number, without the type
 * @id: 'i': of a user, group or project; 'f': a format; 0: not looked at
 * @object: what the last argument points to
 * @gives: the syscall gives it, else it takes it
 */
struct trace_syscall_quota {
	u32				cmd;
	char				id;
	u8				object;
	bool				gives;
};

const struct trace_syscall_quota *trace_syscall_find_quota(u32 cmd);
int trace_syscall_quota_cmd(const struct syscall_metadata *meta);

#endif /* _KERNEL_TRACE_SYSCALLS_QUOTACTL_H */
