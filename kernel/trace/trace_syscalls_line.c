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
#include <linux/sched.h>
#include <linux/signal.h>
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

/**
 * trace_syscall_print_pointer - print an address of a program
 * @s: where to
 * @word: the address
 */
void trace_syscall_print_pointer(struct trace_seq *s, unsigned long word)
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

static const char *const signal_names[] = {
	[SIGHUP] = "HUP", [SIGINT] = "INT", [SIGQUIT] = "QUIT", [SIGILL] = "ILL",
	[SIGTRAP] = "TRAP", [SIGABRT] = "ABRT", [SIGBUS] = "BUS", [SIGFPE] = "FPE",
	[SIGKILL] = "KILL", [SIGUSR1] = "USR1", [SIGSEGV] = "SEGV", [SIGUSR2] = "USR2",
	[SIGPIPE] = "PIPE", [SIGALRM] = "ALRM", [SIGTERM] = "TERM",
	[SIGCHLD] = "CHLD", [SIGCONT] = "CONT", [SIGSTOP] = "STOP", [SIGTSTP] = "TSTP",
	[SIGTTIN] = "TTIN", [SIGTTOU] = "TTOU", [SIGURG] = "URG", [SIGXCPU] = "XCPU",
	[SIGXFSZ] = "XFSZ", [SIGVTALRM] = "VTALRM", [SIGPROF] = "PROF",
	[SIGWINCH] = "WINCH", [SIGIO] = "IO", [SIGPWR] = "PWR", [SIGSYS] = "SYS",
	/* No architecture has both */
#ifdef SIGSTKFLT
	[SIGSTKFLT] = "STKFLT",
#endif
#ifdef SIGEMT
	[SIGEMT] = "EMT",
#endif
};

/**
 * trace_syscall_print_signal - print a signal by its name
 * @s: where to
 * @nr: its number; what is none of a signal is printed as a number
 * @prefix: text before the name: "SIG" or ""
 */
void trace_syscall_print_signal(struct trace_seq *s, int nr, const char *prefix)
{
	if (nr > 0 && nr < ARRAY_SIZE(signal_names) && signal_names[nr])
		trace_seq_printf(s, "%s%s", prefix, signal_names[nr]);
	else if (nr == SIGRTMIN)
		trace_seq_printf(s, "%sRTMIN", prefix);
	else if (nr > SIGRTMIN && nr <= _NSIG)
		trace_seq_printf(s, "%sRT_%d", prefix, nr - SIGRTMIN);
	else
		trace_seq_printf(s, "%d", nr);
}

static bool is_umask(const struct syscall_metadata *meta)
{
	return !strcmp(meta->name, "sys_umask");
}

/* The C library has names for the bits, the kernel's headers have none */
static void print_access(struct trace_seq *s, u64 mode)
{
	static const char *const bits[] = { "R_OK", "W_OK", "X_OK" };
	const char *separator = "";
	unsigned int i;

	if (!mode) {
		trace_seq_puts(s, "F_OK");
		return;
	}
	for (i = 0; i < ARRAY_SIZE(bits); i++) {
		if (!(mode & 4 >> i))
			continue;
		trace_seq_printf(s, "%s%s", separator, bits[i]);
		separator = "|";
	}
	if (mode & ~7ULL)
		trace_seq_printf(s, "%s0x%llx", separator, mode & ~7ULL);
}

static bool is_access_mode(const struct trace_syscall_call *call, int i)
{
	const char *name = call->meta->name + strlen("sys_");

	return (!strcmp(name, "access") || strstarts(name, "faccessat")) &&
	       !strcmp(call->meta->args[i], "mode");
}

/* All bits of an id mean none, or that it stays */
static bool is_no_id(const char *type, const struct value *v)
{
	if (!strcmp(type, "uid_t") || !strcmp(type, "gid_t"))
		return low_bytes(v) == U32_MAX;
	if (!strcmp(type, "old_uid_t") || !strcmp(type, "old_gid_t"))
		return low_bytes(v) == U16_MAX;
	return false;
}

/**
 * trace_syscall_is_descriptor - whether a parameter is a file descriptor
 * @name: the parameter
 *
 * It is an int then, whatever type it is declared with.
 *
 * Return: true if its name says so.
 */
bool trace_syscall_is_descriptor(const char *name)
{
	size_t size = strlen(name);

	if (!strcmp(name, "fildes") || !strcmp(name, "mqdes"))
		return true;
	return strstr(name, "fd") && name[size - 1] != 's';
}

/* Addresses that are no pointers in the declaration */
static bool is_address(const char *type, const struct ftrace_family *family)
{
	return !strcmp(type, "compat_uptr_t") ||
	       (family && family == ftrace_family_by_name("addresses"));
}

static bool is_signal(const struct ftrace_family *family)
{
	return family && family == ftrace_family_by_name("signal");
}

static bool is_hex(const struct ftrace_family *family)
{
	return family && family == ftrace_family_by_name("masks");
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
		trace_syscall_print_pointer(s, word);
		return;
	}
	if (v.size > sizeof(word)) {
		trace_seq_putc(s, '?');
		return;
	}
	if (trace_syscall_is_descriptor(meta->args[i])) {
		v.size = sizeof(int);
		v.is_signed = true;
	}
	if (trace_syscall_print_keyctl(s, call, i) || trace_syscall_print_quota(s, call, i))
		return;
	if (is_access_mode(call, i)) {
		print_access(s, low_bytes(&v));
		return;
	}
	if (is_umask(meta)) {
		trace_seq_printf(s, "0%02llo", low_bytes(&v));
		return;
	}
	if (is_no_id(meta->types[i], &v)) {
		trace_seq_puts(s, "-1");
		return;
	}
	family = trace_syscall_depending_family(call, i);
	if (!family)
		family = ftrace_family_of_typedef(meta->types[i], size);
	if (!family)
		family = ftrace_family_of_param(func, meta->args[i]);
	if (is_address(meta->types[i], family))
		trace_syscall_print_pointer(s, low_bytes(&v));
	else if (!low_bytes(&v) && is_hex(family))
		trace_seq_putc(s, '0');
	else if (is_signal(family))
		trace_syscall_print_signal(s, (int)low_bytes(&v), "SIG");
	else if (!print_in_family(s, &v, family, meta->types[i]))
		print_number(s, &v);
}

/* A second half that 64-bit programs leave alone */
static bool is_unused_half(const struct trace_syscall_call *call, int i)
{
	return IS_ENABLED(CONFIG_64BIT) && !call->compat && !strcmp(call->meta->args[i], "pos_h");
}

/*
 * 32-bit programs pass a value of 64 bits in two registers, which are two parameters of the
 * same name but for its end.
 */
static const struct {
	const char	*first;
	const char	*second;
	bool		high_first;
} halves[] = {
	{ "low",	"high" },
	{ "lo",		"hi" },
	{ "low",	"hi" },
	{ "pos_l",	"pos_h" },
	{ "high",	"low",	true },
};

/* The length of @name before @end; negative if it does not end so */
static int length_before(const char *name, const char *end)
{
	int length = strlen(name) - strlen(end);

	return length >= 0 && !strcmp(name + length, end) ? length : -1;
}

/* Whether parameter @i and the next one are halves of @value */
static bool join_halves(const struct trace_syscall_call *call, int i, u64 *value)
{
	const struct syscall_metadata *meta = call->meta;
	unsigned int h;
	int length;

	if ((IS_ENABLED(CONFIG_64BIT) && !call->compat) || i + 1 >= meta->nb_args)
		return false;
	for (h = 0; h < ARRAY_SIZE(halves); h++) {
		length = length_before(meta->args[i], halves[h].first);
		if (length < 0 || length != length_before(meta->args[i + 1], halves[h].second) ||
		    strncmp(meta->args[i], meta->args[i + 1], length))
			continue;
		*value = (u64)(u32)call->args[i + halves[h].high_first] |
			 (u64)(u32)call->args[i + !halves[h].high_first] << 32;
		return true;
	}
	return false;
}

/* Positions and sizes have a sign; a mask has none, and is that of fanotify_mark() */
static void print_whole(struct trace_seq *s, const struct trace_syscall_call *call, int i,
			u64 value)
{
	bool is_mask = strstarts(call->meta->args[i], "mask");
	const struct ftrace_family *family = ftrace_family_by_name("fanotify_mask");

	if (is_mask && family)
		ftrace_family_print(s, family, value, sizeof(value), FTRACE_SIG_NO_SYMBOLS);
	else
		trace_seq_printf(s, is_mask ? "%#llx" : "%lld", value);
}

/* mmap2() counts an offset in pages, or rather in units of 4096 bytes */
static bool is_page_offset(const struct trace_syscall_call *call, int i)
{
	return !strcmp(call->meta->name, "sys_mmap_pgoff") &&
	       !strcmp(call->meta->args[i], "pgoff");
}

static void print_page_offset(struct trace_seq *s, unsigned long pages)
{
	trace_seq_printf(s, pages ? "0x%llx" : "%llu", (u64)(u32)pages << 12);
}

/* The argument of a name; 0 if there is none */
static unsigned long arg_of(const struct trace_syscall_call *call, const char *name)
{
	int i;

	for (i = 0; i < call->meta->nb_args; i++)
		if (!strcmp(call->meta->args[i], name))
			return call->args[i];
	return 0;
}

static void print_if(struct trace_seq *s, bool condition, const char *label, unsigned long word)
{
	if (!condition)
		return;
	trace_seq_printf(s, ", %s=", label);
	trace_syscall_print_pointer(s, word);
}

static bool is_clone(const struct trace_syscall_call *call)
{
	return !strcmp(call->meta->name, "sys_clone") ||
	       !strcmp(call->meta->name, "sys_compat_ia32_clone");
}

/*
 * The order of clone()'s parameters differs, so each has a name, and those that the flags
 * do not ask for are left out. The lowest byte of the flags is a signal.
 */
static void print_clone(struct trace_seq *s, const struct trace_syscall_call *call)
{
	unsigned long word = arg_of(call, "clone_flags"), flags = (u32)word & ~CSIGNAL;
	const struct ftrace_family *family = ftrace_family_by_name("clone");

	trace_seq_puts(s, "child_stack=");
	trace_syscall_print_pointer(s, arg_of(call, "newsp"));
	trace_seq_puts(s, ", flags=");
	if (flags && family)
		ftrace_family_print(s, family, flags, sizeof(u32), FTRACE_SIG_NO_SYMBOLS);
	else if (flags || !(word & CSIGNAL))
		trace_seq_printf(s, flags ? "0x%lx" : "%lu", flags);
	if (word & CSIGNAL) {
		trace_seq_puts(s, flags ? "|" : "");
		trace_syscall_print_signal(s, word & CSIGNAL, "SIG");
	}
	print_if(s, flags & (CLONE_PARENT_SETTID | CLONE_PIDFD), "parent_tid",
		 arg_of(call, "parent_tidptr"));
	print_if(s, flags & CLONE_SETTLS, "tls", arg_of(call, "tls") ?: arg_of(call, "tls_val"));
	print_if(s, flags & (CLONE_CHILD_SETTID | CLONE_CHILD_CLEARTID), "child_tidptr",
		 arg_of(call, "child_tidptr"));
}

static const char *name_of(const struct trace_syscall_call *call)
{
	return call->inner ?: trace_syscall_name(call->meta, call->slot);
}

static int count_args(const struct trace_syscall_call *call)
{
	int nr = trace_syscall_count_used(call);

	return call->inner ? min_t(int, nr, call->nr_inner) : nr;
}

static void print_args(struct trace_seq *s, const struct trace_syscall_call *call)
{
	struct trace_text_kept kept;
	int nr = count_args(call), i;
	char func[64];
	u64 whole;

	name_function(func, sizeof(func), call->meta);
	if (is_clone(call)) {
		print_clone(s, call);
		return;
	}
	for (i = 0; i < nr; i++) {
		if (is_unused_half(call, i) || trace_syscall_leaves_out(call, i))
			continue;
		if (i)
			trace_seq_puts(s, ", ");
		kept = trace_syscall_keep(s, call, TRACE_TEXT_VALUE * (nr - i - 1));
		if (join_halves(call, i, &whole)) {
			print_whole(s, call, i, whole);
			i++;
		} else if (is_page_offset(call, i)) {
			print_page_offset(s, call->args[i]);
		} else if (!trace_syscall_print_arg(s, call, i, "")) {
			print_arg(s, func, call, i);
			trace_syscall_print_path(s, call, i);
		}
		trace_text_give_back(s, kept);
	}
}

/* Without the closing parenthesis; @room: what is kept for it and what follows it */
static void print_call(struct trace_seq *s, const struct trace_syscall_call *call, size_t room)
{
	unsigned long args[SYSCALL_DEFINE_MAXARGS];
	struct trace_syscall_call inner;
	struct trace_text_kept kept;

	if (trace_syscall_find_inner(call, &inner, args))
		call = &inner;
	trace_seq_printf(s, "%s(", name_of(call));
	kept = trace_syscall_keep(s, call, room);
	print_args(s, call);
	trace_text_give_back(s, kept);
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

static void print_result(struct trace_seq *s, const struct trace_syscall_call *call)
{
	struct value v = { .word = call->ret, .size = sizeof(call->ret) };
	const struct ftrace_family *family;
	long ret = call->ret;
	char func[64];

	trace_seq_puts(s, " = ");
	if (call->undone) {
		trace_seq_putc(s, '?');
		return;
	}
	if (IS_ERR_VALUE(ret)) {
		print_error(s, ret);
		return;
	}
	if (trace_syscall_find_attached(call, &v.word)) {
		trace_syscall_print_pointer(s, v.word);
		return;
	}
	name_function(func, sizeof(func), call->meta);
	family = trace_syscall_result_family(call);
	if (family && ret) {
		trace_seq_printf(s, "0x%lx (flags ", ret);
		ftrace_family_print(s, family, ret, sizeof(int), FTRACE_SIG_NO_SYMBOLS);
		trace_seq_putc(s, ')');
	} else if (is_umask(call->meta)) {
		trace_seq_printf(s, "0%02lo", ret);
	} else if (!print_in_family(s, &v, ftrace_family_of_result(func), "unsigned long")) {
		trace_seq_printf(s, "%ld", ret);
		trace_syscall_print_path(s, call, TRACE_SYSCALL_RESULT);
	}
	trace_syscall_print_changes(s, call);
}

/* A new program has other registers than that which called for it */
static bool has_lost_args(const struct trace_syscall_call *call)
{
	return !call->of_call && !call->ret && strstarts(call->meta->name, "sys_execve");
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
	print_call(s, call, TRACE_TEXT_TAIL);
	trace_seq_puts(s, never_returns(call->meta) ? ") = ?" : " <unfinished ...>");
}

/**
 * trace_syscall_print_done - print a syscall that has returned
 * @s: to print into
 * @call: the call
 */
void trace_syscall_print_done(struct trace_seq *s, const struct trace_syscall_call *call)
{
	struct trace_text_kept kept;

	if (!call->args)
		trace_seq_printf(s, "<... %s resumed>", trace_syscall_name(call->meta, call->slot));
	else if (has_lost_args(call))
		trace_seq_printf(s, "%s(?", trace_syscall_name(call->meta, call->slot));
	else
		print_call(s, call, TRACE_TEXT_RESULT);
	trace_seq_putc(s, ')');
	kept = trace_syscall_keep(s, call, TRACE_TEXT_TAIL);
	print_result(s, call);
	trace_text_give_back(s, kept);
}
