// SPDX-License-Identifier: GPL-2.0
/*
 * quotactl() and quotactl_fd(): the command, which has the type of a quota in its lowest
 * byte, decides what the two arguments behind are, and whether they are looked at.
 */
#include <linux/string.h>
#include <uapi/linux/dqblk_xfs.h>
#include <uapi/linux/quota.h>

#include "signature/constants.h"
#include "signature/signature.h"
#include "trace_syscalls.h"
#include "trace_syscalls_quotactl.h"

#define ID	2
#define ADDRESS	3

static const struct trace_syscall_quota quotas[] = {
	{ Q_SYNC, 0, QUOTA_UNUSED },
	{ Q_QUOTAON, 'f', QUOTA_PATH },
	{ Q_QUOTAOFF, 0, QUOTA_UNUSED },
	{ Q_GETFMT, 0, QUOTA_FORMAT, true },
	{ Q_GETINFO, 0, QUOTA_INFO, true },
	{ Q_SETINFO, 0, QUOTA_INFO },
	{ Q_GETQUOTA, 'i', QUOTA_LIMITS, true },
	{ Q_SETQUOTA, 'i', QUOTA_LIMITS },
	{ Q_GETNEXTQUOTA, 'i', QUOTA_LIMITS, true },
	{ Q_XQUOTAON, 0, QUOTA_ACCOUNTING },
	{ Q_XQUOTAOFF, 0, QUOTA_ACCOUNTING },
	{ Q_XGETQUOTA, 'i', QUOTA_DISK, true },
	{ Q_XSETQLIM, 'i', QUOTA_DISK },
	{ Q_XGETQSTAT, 0, QUOTA_UNKNOWN },
	{ Q_XQUOTARM, 0, QUOTA_KINDS },
	{ Q_XQUOTASYNC, 0, QUOTA_UNUSED },
	{ Q_XGETQSTATV, 0, QUOTA_UNKNOWN },
	{ Q_XGETNEXTQUOTA, 'i', QUOTA_DISK, true },
};

static const struct trace_syscall_quota unknown = { 0, 'i', QUOTA_UNKNOWN };

/**
 * trace_syscall_find_quota - what a command is about
 * @cmd: the argument, with the type
 *
 * Return: never NULL.
 */
const struct trace_syscall_quota *trace_syscall_find_quota(u32 cmd)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(quotas); i++)
		if (quotas[i].cmd == cmd >> SUBCMDSHIFT)
			return &quotas[i];
	return &unknown;
}

/**
 * trace_syscall_quota_cmd - which argument is the command
 * @meta: any syscall
 *
 * Return: -1 if it has no such command.
 */
int trace_syscall_quota_cmd(const struct syscall_metadata *meta)
{
	if (!strcmp(meta->name, "sys_quotactl"))
		return 0;
	return strcmp(meta->name, "sys_quotactl_fd") ? -1 : 1;
}

/**
 * trace_syscall_leaves_out - whether a command does not look at an argument
 * @call: a call of any syscall
 * @param: the argument
 *
 * Return: true if it does not, though the call may look at later ones.
 */
bool trace_syscall_leaves_out(const struct trace_syscall_call *call, int param)
{
	int cmd = param == ID || param == ADDRESS ? trace_syscall_quota_cmd(call->meta) : -1;
	const struct trace_syscall_quota *quota;

	if (cmd < 0)
		return false;
	quota = trace_syscall_find_quota(call->args[cmd]);
	return param == ID ? !quota->id : quota->object == QUOTA_UNUSED;
}

static void print_family(struct trace_seq *s, const char *name, u32 number)
{
	const struct ftrace_family *family = ftrace_family_by_name(name);

	if (family)
		ftrace_family_print(s, family, number, sizeof(number), FTRACE_SIG_NO_SYMBOLS);
	else
		trace_seq_printf(s, "0x%x", number);
}

/**
 * trace_syscall_print_quota - print the command of quotactl(), or whom it is about
 * @s: where to
 * @call: a call of any syscall
 * @param: which argument
 *
 * Return: false, and nothing was printed, if it is another syscall or another argument.
 */
bool trace_syscall_print_quota(struct trace_seq *s, const struct trace_syscall_call *call,
			       int param)
{
	int cmd = trace_syscall_quota_cmd(call->meta);
	u32 word = call->args[param];

	if (cmd < 0 || (param != cmd && param != ID))
		return false;
	if (param == cmd) {
		trace_seq_puts(s, "QCMD(");
		print_family(s, "quota_cmd", word >> SUBCMDSHIFT);
		trace_seq_puts(s, ", ");
		print_family(s, "quota_type", word & SUBCMDMASK);
		trace_seq_putc(s, ')');
	} else if (trace_syscall_find_quota(call->args[cmd])->id == 'f') {
		print_family(s, "quota_format", word);
	} else {
		trace_seq_printf(s, word == U32_MAX ? "%d" : "%u", word);
	}
	return true;
}
