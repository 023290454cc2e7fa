// SPDX-License-Identifier: GPL-2.0
/*
 * What an argument of a syscall says about others: whether the syscall looks at them at all,
 * and which constants they are made of.
 */
#include <linux/fcntl.h>
#include <uapi/linux/futex.h>
#include <linux/in.h>
#include <linux/mman.h>
#include <linux/prctl.h>
#include <linux/socket.h>
#include <linux/stat.h>
#include <linux/string.h>
#include <asm/ioctls.h>
#ifdef CONFIG_X86
#include <asm/prctl.h>
#endif

#include "signature/constants.h"
#include "trace_syscalls.h"

/* @arg of @syscall, masked, is @value.  Or, if @none, no bit of the mask is set. */
struct condition {
	const char	*syscall;
	u8		arg;
	bool		none;
	u32		mask;
	u32		value;
};

#define IS(_syscall, _arg, _value)						\
	{ .syscall = _syscall, .arg = _arg, .mask = ~0U, .value = _value }
#define MASKED(_syscall, _arg, _mask, _value)					\
	{ .syscall = _syscall, .arg = _arg, .mask = _mask, .value = _value }
#define WITHOUT(_syscall, _arg, _mask)						\
	{ .syscall = _syscall, .arg = _arg, .mask = _mask, .none = true }

#define FUTEX(op)	MASKED("futex", 1, FUTEX_CMD_MASK, op)

/* The syscall looks at this many arguments only */
static const struct {
	struct condition	if_true;
	u8			nr;
} used[] = {
	/* A mode is for files that are made */
	{ WITHOUT("open", 1, O_CREAT | __O_TMPFILE), 2 },
	{ WITHOUT("openat", 2, O_CREAT | __O_TMPFILE), 3 },
	/* A device is for files that stand for one */
	{ MASKED("mknod", 1, S_IFMT, S_IFIFO), 2 },
	{ MASKED("mknod", 1, S_IFMT, S_IFSOCK), 2 },
	{ MASKED("mknod", 1, S_IFMT, S_IFREG), 2 },
	{ MASKED("mknod", 1, S_IFMT, 0), 2 },
	{ MASKED("mknodat", 2, S_IFMT, S_IFIFO), 3 },
	{ MASKED("mknodat", 2, S_IFMT, S_IFSOCK), 3 },
	{ MASKED("mknodat", 2, S_IFMT, S_IFREG), 3 },
	{ MASKED("mknodat", 2, S_IFMT, 0), 3 },
	/* A new address is for memory that may not go anywhere */
	{ WITHOUT("mremap", 3, MREMAP_FIXED | MREMAP_DONTUNMAP), 4 },
	{ IS("ioctl", 1, FIOCLEX), 2 },
	{ IS("ioctl", 1, FIONCLEX), 2 },
	{ IS("fcntl", 1, F_GETFD), 2 },
	{ IS("fcntl", 1, F_GETFL), 2 },
	{ IS("fcntl", 1, F_GETOWN), 2 },
	{ IS("fcntl", 1, F_GETSIG), 2 },
	{ IS("fcntl", 1, F_GETLEASE), 2 },
	{ IS("fcntl", 1, F_GETPIPE_SZ), 2 },
	{ IS("fcntl", 1, F_GET_SEALS), 2 },
	{ FUTEX(FUTEX_WAIT), 4 },
	{ FUTEX(FUTEX_WAKE), 3 },
	{ FUTEX(FUTEX_REQUEUE), 5 },
	{ FUTEX(FUTEX_LOCK_PI), 4 },
	{ FUTEX(FUTEX_UNLOCK_PI), 2 },
	{ FUTEX(FUTEX_TRYLOCK_PI), 2 },
	{ IS("prctl", 0, PR_GET_NAME), 2 },
	{ IS("prctl", 0, PR_SET_NAME), 2 },
	{ IS("prctl", 0, PR_GET_DUMPABLE), 1 },
	{ IS("prctl", 0, PR_SET_DUMPABLE), 2 },
	{ IS("prctl", 0, PR_SET_PDEATHSIG), 2 },
};

/* The parameter is made of constants of this family */
static const struct {
	struct condition	if_true;
	u8			param;
	const char		*family;
} families[] = {
	{ IS("fcntl", 1, F_SETFD), 2, "fd_cloexec" },
	{ IS("fcntl", 1, F_SETFL), 2, "open_flags" },
	/* On 32-bit the mask has two parameters */
	{ IS("fanotify_mark", 3, -1U), 3, "fanotify_fd" },
	{ IS("fanotify_mark", 4, -1U), 4, "fanotify_fd" },
	{ IS("socket", 0, AF_INET), 2, "ip_protocol" },
	{ IS("socket", 0, AF_INET6), 2, "ip_protocol" },
	{ IS("socket", 0, AF_NETLINK), 2, "netlink_protocol" },
	{ IS("setsockopt", 1, SOL_SOCKET), 2, "so_option" },
	{ IS("getsockopt", 1, SOL_SOCKET), 2, "so_option" },
	{ IS("setsockopt", 1, SOL_TCP), 2, "tcp_option" },
	{ IS("getsockopt", 1, SOL_TCP), 2, "tcp_option" },
#ifdef CONFIG_X86_64
	{ IS("arch_prctl", 0, ARCH_SET_FS), 1, "addresses" },
	{ IS("arch_prctl", 0, ARCH_SET_GS), 1, "addresses" },
#endif
};

/* The result is made of constants of this family */
static const struct {
	struct condition	if_true;
	const char		*family;
} results[] = {
	{ IS("fcntl", 1, F_GETFD), "fd_cloexec" },
	{ IS("fcntl", 1, F_GETFL), "open_flags" },
};

/* futex_time32() and fcntl64() are as the syscalls whose successors they are */
static bool is_syscall(const struct syscall_metadata *meta, const char *name)
{
	static const char *const ends[] = { "", "64", "_time32", "_time64" };
	const char *own = meta->name + strlen("sys_");
	unsigned int i;

	if (strstarts(own, "compat_"))
		own += strlen("compat_");
	if (!strstarts(own, name))
		return false;
	own += strlen(name);
	for (i = 0; i < ARRAY_SIZE(ends); i++)
		if (!strcmp(own, ends[i]))
			return true;
	return false;
}

static bool is_true(const struct condition *c, const struct trace_syscall_call *call)
{
	u32 bits = call->args[c->arg] & c->mask;

	return (c->none ? !bits : bits == c->value) && is_syscall(call->meta, c->syscall);
}

/**
 * trace_syscall_count_used - how many of its arguments a syscall looks at
 * @call: the call, with arguments
 *
 * Return: as many as it has if that depends on nothing that is known here.
 */
int trace_syscall_count_used(const struct trace_syscall_call *call)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(used); i++)
		if (is_true(&used[i].if_true, call))
			return used[i].nr;
	return trace_syscall_count_keyctl(call) ?: call->meta->nb_args;
}

/**
 * trace_syscall_depending_family - the constants of an argument, by the others
 * @call: the call, with arguments
 * @param: the argument
 *
 * Return: NULL if it does not depend on others.
 */
const struct ftrace_family *trace_syscall_depending_family(const struct trace_syscall_call *call,
							   int param)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(families); i++)
		if (families[i].param == param && is_true(&families[i].if_true, call))
			return ftrace_family_by_name(families[i].family);
	return NULL;
}

/**
 * trace_syscall_result_family - the constants of a result, by the arguments
 * @call: the call, which has returned
 *
 * Return: NULL if it does not depend on them.
 */
const struct ftrace_family *trace_syscall_result_family(const struct trace_syscall_call *call)
{
	unsigned int i;

	for (i = 0; call->args && i < ARRAY_SIZE(results); i++)
		if (is_true(&results[i].if_true, call))
			return ftrace_family_by_name(results[i].family);
	return NULL;
}
