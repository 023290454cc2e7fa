// SPDX-License-Identifier: GPL-2.0
/* keyctl(): what its arguments are, and how many there are, depends on the operation. */
#include <linux/errname.h>
#include <linux/string.h>
#include <uapi/linux/keyctl.h>

#include "signature/constants.h"
#include "signature/signature.h"
#include "trace_syscalls.h"
#include "trace_syscalls_keyctl.h"

/* The kinds of the arguments behind the operation: see enum trace_syscall_keyctl_kind */
static const char *const operations[] = {
	[KEYCTL_GET_KEYRING_ID]		= "kd",
	[KEYCTL_JOIN_SESSION_KEYRING]	= "s",
	[KEYCTL_UPDATE]			= "kbu",
	[KEYCTL_REVOKE]			= "k",
	[KEYCTL_CHOWN]			= "kii",
	[KEYCTL_SETPERM]		= "kp",
	[KEYCTL_DESCRIBE]		= "kou",
	[KEYCTL_CLEAR]			= "k",
	[KEYCTL_LINK]			= "kk",
	[KEYCTL_UNLINK]			= "kk",
	[KEYCTL_SEARCH]			= "ktsk",
	[KEYCTL_READ]			= "kou",
	[KEYCTL_INSTANTIATE]		= "kbuk",
	[KEYCTL_NEGATE]			= "kuk",
	[KEYCTL_SET_REQKEY_KEYRING]	= "q",
	[KEYCTL_SET_TIMEOUT]		= "ku",
	[KEYCTL_ASSUME_AUTHORITY]	= "k",
	[KEYCTL_GET_SECURITY]		= "kou",
	[KEYCTL_SESSION_TO_PARENT]	= "",
	[KEYCTL_REJECT]			= "kuek",
	[KEYCTL_INSTANTIATE_IOV]	= "kvuk",
	[KEYCTL_INVALIDATE]		= "k",
	[KEYCTL_GET_PERSISTENT]		= "ik",
	[KEYCTL_DH_COMPUTE]		= "haua",
	[KEYCTL_PKEY_QUERY]		= "kxsa",
	[KEYCTL_PKEY_ENCRYPT]		= "PsBa",
	[KEYCTL_PKEY_DECRYPT]		= "PsBa",
	[KEYCTL_PKEY_SIGN]		= "PsBa",
	[KEYCTL_PKEY_VERIFY]		= "PsBB",
	[KEYCTL_RESTRICT_KEYRING]	= "kts",
	[KEYCTL_MOVE]			= "kkkm",
	[KEYCTL_CAPABILITIES]		= "cu",
};

static const char *kinds_of(unsigned long operation)
{
	u32 op = operation;

	return op < ARRAY_SIZE(operations) && operations[op] ? operations[op] : "xxxx";
}

/**
 * trace_syscall_keyctl_kind - what an argument of keyctl() is
 * @args: all of them
 * @param: which one
 *
 * Return: an enum trace_syscall_keyctl_kind; 0 for the operation and for those that it does
 * not look at.
 */
char trace_syscall_keyctl_kind(const unsigned long *args, int param)
{
	const char *kinds = kinds_of(args[0]);

	return param && param <= strlen(kinds) ? kinds[param - 1] : 0;
}

static bool is_keyctl(const struct syscall_metadata *meta)
{
	return !strcmp(meta->name, "sys_keyctl") || !strcmp(meta->name, "sys_compat_keyctl");
}

/**
 * trace_syscall_count_keyctl - how many arguments keyctl() looks at
 * @call: a call of any syscall
 *
 * Return: 0 if it is another syscall.
 */
int trace_syscall_count_keyctl(const struct trace_syscall_call *call)
{
	return is_keyctl(call->meta) ? 1 + strlen(kinds_of(call->args[0])) : 0;
}

/* Who may do what with a key: four groups of six bits */
static void print_permissions(struct trace_seq *s, u32 bits)
{
	static const char *const whose[] = { "POS", "USR", "GRP", "OTH" };
	static const char *const what[] = { "VIEW", "READ", "WRITE", "SEARCH", "LINK", "SETATTR" };
	const char *separator = "";
	unsigned int i, j;

	for (i = 0; i < ARRAY_SIZE(whose); i++) {
		for (j = 0; j < ARRAY_SIZE(what); j++) {
			u32 bit = BIT(24 - 8 * i + j);

			if (!(bits & bit))
				continue;
			trace_seq_printf(s, "%sKEY_%s_%s", separator, whose[i], what[j]);
			separator = "|";
			bits &= ~bit;
		}
	}
	if (bits || !separator[0])
		trace_seq_printf(s, bits ? "%s0x%x" : "%s%u", separator, bits);
}

/* A number with a sign, some of which have names */
static void print_named(struct trace_seq *s, const char *family, u32 number)
{
	const struct ftrace_family *found = ftrace_family_by_name(family);

	if (found)
		ftrace_family_print(s, found, number, sizeof(number),
				    FTRACE_SIG_NO_SYMBOLS | FTRACE_SIG_SIGNED);
	else
		trace_seq_printf(s, "%d", (int)number);
}

static void print_error(struct trace_seq *s, u32 number)
{
	const char *name = number <= MAX_ERRNO ? errname(number) : NULL;

	if (name)
		trace_seq_puts(s, name);
	else
		trace_seq_printf(s, "%u", number);
}

static void print_move_flags(struct trace_seq *s, u32 flags)
{
	u32 rest = flags & ~KEYCTL_MOVE_EXCL;

	if (flags & KEYCTL_MOVE_EXCL)
		trace_seq_puts(s, rest ? "KEYCTL_MOVE_EXCL|" : "KEYCTL_MOVE_EXCL");
	if (rest || !flags)
		trace_seq_printf(s, rest ? "0x%x" : "%u", rest);
}

static void print_number(struct trace_seq *s, unsigned long word)
{
	trace_seq_printf(s, word > U32_MAX ? "0x%lx" : "%lu", word);
}

/**
 * trace_syscall_print_keyctl - print an argument of keyctl() whose memory is not known
 * @s: where to
 * @call: a call of any syscall
 * @param: which argument
 *
 * Return: false, and nothing was printed, if it is another syscall, or the operation.
 */
bool trace_syscall_print_keyctl(struct trace_seq *s, const struct trace_syscall_call *call,
				int param)
{
	unsigned long word = call->args[param];
	char kind;

	if (!param || !is_keyctl(call->meta))
		return false;
	kind = trace_syscall_keyctl_kind(call->args, param);
	switch (kind) {
	case KEYCTL_KEY:
		print_named(s, "key_serial", word);
		break;
	case KEYCTL_DEFAULT_KEYRING:
		print_named(s, "key_default", word);
		break;
	case KEYCTL_INT:
		trace_seq_printf(s, "%d", (int)word);
		break;
	case KEYCTL_ID:
		trace_seq_printf(s, (u32)word == U32_MAX ? "%d" : "%u", (u32)word);
		break;
	case KEYCTL_PERMISSIONS:
		print_permissions(s, word);
		break;
	case KEYCTL_ERROR:
		print_error(s, word);
		break;
	case KEYCTL_NUMBER:
		print_number(s, word);
		break;
	case KEYCTL_MOVE_FLAGS:
		print_move_flags(s, word);
		break;
	case KEYCTL_HEX:
		trace_seq_printf(s, word ? "0x%lx" : "%lu", word);
		break;
	default:
		trace_syscall_print_pointer(s, word);
	}
	return true;
}
