// SPDX-License-Identifier: GPL-2.0
/*
 * A call as one line, as strace writes it:
 *
 *	openat(AT_FDCWD, 0x7f5cf1c6c2a0, O_RDONLY|O_CLOEXEC) = 3
 *	chdir("/no/such") = -1 ENOENT
 *
 * The metadata tells of each parameter its size, whether it has a sign and whether it is
 * a pointer. Which constants a parameter is made of is told by the rules in
 * signature/constants/families; these know a syscall NAME as the function __do_sys_NAME().
 */
#include <linux/errname.h>
#include <linux/err.h>
#include <linux/fcntl.h>
#include <linux/string.h>
#include <linux/trace_seq.h>

#include "signature/constants.h"
#include "signature/signature.h"
#include "signature/text.h"
#include "trace_syscalls.h"

/* A value of a call */
struct value {
	unsigned long	word;
	unsigned int	size;		/* in bytes; more than a word has is not known whole */
	bool		is_signed;
};

static const char compat_prefix[] = "sys_compat_";

static void name_function(char *func, size_t size, const struct syscall_metadata *meta)
{
	if (strstarts(meta->name, compat_prefix))
		snprintf(func, size, "__do_compat_sys_%s",
			 meta->name + strlen(compat_prefix));
	else
		snprintf(func, size, "__do_%s", meta->name);
}

static u64 low_bytes(const struct value *v)
{
	return v->word & GENMASK_ULL(v->size * BITS_PER_BYTE - 1, 0);
}

static void print_number(struct trace_seq *s, const struct value *v)
{
	u64 bits = low_bytes(v);

	if (v->is_signed)
		trace_seq_printf(s, "%lld", sign_extend64(bits, v->size * BITS_PER_BYTE - 1));
	else if (bits > U32_MAX)
		trace_seq_printf(s, "0x%llx", bits);
	else
		trace_seq_printf(s, "%llu", bits);
}

static void print_pointer(struct trace_seq *s, unsigned long word)
{
	if (word)
		trace_seq_printf(s, "0x%lx", word);
	else
		trace_seq_puts(s, "NULL");
}

/* @type is that of the declaration; of a result there is none */
static bool print_in_family(struct trace_seq *s, const struct value *v,
			    const struct ftrace_family *family, const char *type)
{
	unsigned int how = FTRACE_SIG_NO_SYMBOLS;

	if (!family || !ftrace_family_takes(family, type, v->size, v->is_signed))
		return false;
	if (v->is_signed)
		how |= FTRACE_SIG_SIGNED;
	ftrace_family_print(s, family, low_bytes(v), v->size, how);
	return true;
}

/* A file descriptor is an int, whatever type it is declared with */
static bool is_descriptor(const char *name)
{
	size_t size = strlen(name);

	if (!strcmp(name, "fildes"))
		return true;
	return strstr(name, "fd") && name[size - 1] != 's';
}

/**
 * trace_syscall_next_string - walk through the strings of an event
 * @strings: the strings, whose size was compared with that of the event
 * @at: where the next one is; 0 at first
 *
 * Return: NULL if there are no more.
 */
const struct trace_syscall_string *
trace_syscall_next_string(const struct trace_syscall_strings *strings, u32 *at)
{
	const struct trace_syscall_string *string = (void *)strings->bytes + *at;
	u32 left = strings->size - *at, length;

	if (left < sizeof(*string))
		return NULL;
	length = string->head & TRACE_SYSCALL_STRING_LENGTH;
	if (length > left - sizeof(*string))
		return NULL;
	*at += sizeof(*string) + length;
	return string;
}

/**
 * trace_syscall_print_string - print an argument as a string
 * @s: to print into
 * @call: the call
 * @i: which argument; to be called for all that are printed, in order
 * @at: for trace_syscall_next_string()
 * @before: text to print before it
 *
 * Return: false if it is none, or if the string is not known.
 */
bool trace_syscall_print_string(struct trace_seq *s, const struct trace_syscall_call *call,
				int i, u32 *at, const char *before)
{
	const struct trace_syscall_string *string;

	if (!IS_ENABLED(CONFIG_FTRACE_SYSCALL_STRINGS) || !call->strings ||
	    !(trace_syscall_string_args(call->meta) & BIT(i)))
		return false;
	string = trace_syscall_next_string(call->strings, at);
	if (!string || string->head & TRACE_SYSCALL_STRING_UNKNOWN)
		return false;
	trace_seq_puts(s, before);
	ftrace_sig_print_text(s, string->text, string->head & TRACE_SYSCALL_STRING_LENGTH,
			      string->head & TRACE_SYSCALL_STRING_CUT);
	return true;
}

static void print_arg(struct trace_seq *s, const char *func,
		      const struct trace_syscall_call *call, int i)
{
	const struct syscall_metadata *meta = call->meta;
	unsigned int size = meta->kinds[i] & SYSCALL_ARG_SIZE;
	unsigned long word = call->args[i];
	const struct ftrace_family *family;
	struct value v = {
		.word		= word,
		.size		= call->compat ? min(size, 4U) : size,
		.is_signed	= meta->kinds[i] & SYSCALL_ARG_SIGNED,
	};

	if (meta->kinds[i] & SYSCALL_ARG_POINTER) {
		print_pointer(s, word);
		return;
	}
	if (v.size > sizeof(word)) {
		trace_seq_putc(s, '?');
		return;
	}
	if (is_descriptor(meta->args[i])) {
		v.size = sizeof(int);
		v.is_signed = true;
	}
	family = ftrace_family_of_typedef(meta->types[i], size);
	if (!family)
		family = ftrace_family_of_param(func, meta->args[i]);
	if (!print_in_family(s, &v, family, meta->types[i]))
		print_number(s, &v);
}

/* open() looks at the mode of a file only if it makes one */
static int count_used(const struct syscall_metadata *meta, const unsigned long *args)
{
	static const struct {
		const char	*name;
		int		flags;
	} openers[] = {
		{ "sys_open",	1 },
		{ "sys_openat",	2 },
	};
	int i;

	for (i = 0; i < ARRAY_SIZE(openers); i++) {
		if (!strcmp(meta->name, openers[i].name) &&
		    !(args[openers[i].flags] & (O_CREAT | __O_TMPFILE)))
			return openers[i].flags + 1;
	}
	return meta->nb_args;
}

static const char *short_name(const struct syscall_metadata *meta)
{
	return meta->name + strlen("sys_");
}

static void print_call(struct trace_seq *s, const struct trace_syscall_call *call)
{
	int nr = count_used(call->meta, call->args), i;
	char func[64];
	u32 at = 0;

	name_function(func, sizeof(func), call->meta);
	trace_seq_printf(s, "%s(", short_name(call->meta));
	for (i = 0; i < nr; i++) {
		if (i)
			trace_seq_puts(s, ", ");
		if (!trace_syscall_print_string(s, call, i, &at, ""))
			print_arg(s, func, call, i);
	}
}

/* Of a call that is to be repeated after a signal the result is still to come */
static bool is_restart(long ret)
{
	return ret <= -ERESTARTSYS && ret >= -ERESTART_RESTARTBLOCK;
}

static void print_error(struct trace_seq *s, long ret)
{
	const char *name = errname(-ret);

	if (!name)
		trace_seq_printf(s, "%ld", ret);
	else if (is_restart(ret))
		trace_seq_printf(s, "? %s", name);
	else
		trace_seq_printf(s, "-1 %s", name);
}

static void print_result(struct trace_seq *s, const struct syscall_metadata *meta, long ret)
{
	struct value v = { .word = ret, .size = sizeof(ret) };
	char func[64];

	trace_seq_puts(s, " = ");
	if (IS_ERR_VALUE(ret)) {
		print_error(s, ret);
		return;
	}
	name_function(func, sizeof(func), meta);
	if (!print_in_family(s, &v, ftrace_family_of_result(func), "unsigned long"))
		trace_seq_printf(s, "%ld", ret);
}

/* A new program has other registers than that which called for it */
static bool replaces_registers(const struct syscall_metadata *meta, long ret)
{
	return !ret && strstarts(meta->name, "sys_execve");
}

static bool never_returns(const struct syscall_metadata *meta)
{
	return !strcmp(meta->name, "sys_exit") || !strcmp(meta->name, "sys_exit_group");
}

/**
 * trace_syscall_print_begun - print the call of a syscall that has not returned yet
 * @s: to print into
 * @call: the call, with arguments
 */
void trace_syscall_print_begun(struct trace_seq *s, const struct trace_syscall_call *call)
{
	print_call(s, call);
	trace_seq_puts(s, never_returns(call->meta) ? ") = ?" : " <unfinished ...>");
}

/**
 * trace_syscall_print_done - print a syscall that has returned
 * @s: to print into
 * @call: the call; arguments and strings are as they were at the return
 * @ret: its result
 */
void trace_syscall_print_done(struct trace_seq *s, const struct trace_syscall_call *call,
			      long ret)
{
	if (!call->args)
		trace_seq_printf(s, "<... %s resumed>", short_name(call->meta));
	else if (replaces_registers(call->meta, ret))
		trace_seq_printf(s, "%s(?", short_name(call->meta));
	else
		print_call(s, call);
	trace_seq_putc(s, ')');
	print_result(s, call->meta, ret);
}
