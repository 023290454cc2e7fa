// SPDX-License-Identifier: GPL-2.0
/* Signals, processes and the system. */
#include <linux/compat.h>
#include <linux/init.h>
#include <linux/resource.h>
#include <linux/sched.h>
#include <linux/signal.h>
#include <linux/string.h>
#include <linux/sysinfo.h>
#include <linux/utsname.h>
#include <linux/wait.h>
#include <uapi/linux/sched/types.h>
#ifdef CONFIG_X86
#include <asm/ldt.h>
#endif

#include "signature/text.h"
#include "trace_syscalls_forms.h"

/* Signals */

/* As strace: if most signals are in the set, those that are not */
static void print_set(struct trace_seq *s, u64 set)
{
	bool most = hweight64(set) >= _NSIG * 2 / 3;
	const char *separator = "";
	int nr;

	if (most)
		set = ~set;
	trace_seq_puts(s, most ? "~[" : "[");
	for (nr = 1; nr <= _NSIG; nr++) {
		if (!(set & BIT_ULL(nr - 1)))
			continue;
		trace_seq_puts(s, separator);
		trace_syscall_print_signal(s, nr, "");
		separator = " ";
	}
	trace_seq_putc(s, ']');
}

static void print_set_member(struct trace_seq *s, const struct trace_syscall_member *m, u64 bits)
{
	print_set(s, bits);
}

/*
 * 8 bytes in each ABI. With another size, which is @count, most syscalls fail, and
 * rt_sigpending() gives a part.
 */
static void read_sigset(struct trace_syscall_reader *r, const struct trace_syscall_form *form,
			unsigned long address, unsigned long count)
{
	if (count == sizeof(u64))
		trace_syscall_read(r, address, count);
}

static bool print_sigset(struct trace_syscall_printer *p, const struct trace_syscall_form *form,
			 unsigned long address, unsigned long count)
{
	u64 set;

	if (!trace_syscall_next_whole(p, &set, sizeof(set)))
		return false;
	print_set(p->s, set);
	return true;
}

static_assert(sizeof(sigset_t) == sizeof(u64));

const struct trace_syscall_form trace_syscall_form_sigset = {
	.type	= "sigset_t",
	.read	= read_sigset,
	.print	= print_sigset,
};

const struct trace_syscall_form trace_syscall_form_compat_sigset = {
	.type	= "compat_sigset_t",
	.read	= read_sigset,
	.print	= print_sigset,
};

static void print_handler(struct trace_seq *s, const struct trace_syscall_member *m, u64 bits)
{
	if (bits == (unsigned long)SIG_DFL)
		trace_seq_puts(s, "SIG_DFL");
	else if (bits == (unsigned long)SIG_IGN)
		trace_seq_puts(s, "SIG_IGN");
	else
		trace_syscall_print_pointer(s, bits);
}

#define MEMBERS_SIGACTION(_type)						\
{										\
	MEMBER(_type, sa_handler, print_handler),				\
	MEMBER(_type, sa_mask, print_set_member),				\
	NAMES(_type, sa_flags, "sa_flags"),					\
	MEMBER(_type, sa_restorer, trace_syscall_address),			\
}

enum { ACTION_FLAGS = 2, ACTION_WITHOUT_RESTORER };

static struct trace_syscall_member sigaction_members[] __ro_after_init =
	MEMBERS_SIGACTION(struct sigaction);
#ifdef CONFIG_COMPAT
static struct trace_syscall_member compat_sigaction_members[] __ro_after_init =
	MEMBERS_SIGACTION(struct compat_sigaction);
#endif

static bool print_sigaction(struct trace_syscall_printer *p,
			    const struct trace_syscall_form *form, unsigned long address,
			    unsigned long count)
{
	const struct trace_syscall_layout *layout = trace_syscall_layout(form, p->compat);
	const struct trace_syscall_piece *piece = trace_syscall_next(p);
	struct trace_syscall_layout shown;
	u32 flags;

	if (!layout || !piece || piece->head != layout->size)
		return false;
	shown = *layout;
	memcpy(&flags, piece->bytes + layout->members[ACTION_FLAGS].offset, sizeof(flags));
	if (!(flags & SA_RESTORER))
		shown.nr = ACTION_WITHOUT_RESTORER;
	trace_syscall_print_members(p->s, &shown, piece->bytes);
	return true;
}

const struct trace_syscall_form trace_syscall_form_sigaction = {
	.type	= "struct sigaction",
	.read	= trace_syscall_read_struct,
	.print	= print_sigaction,
	.native	= LAYOUT(struct sigaction, sigaction_members),
	COMPAT_LAYOUT(struct compat_sigaction, compat_sigaction_members)
};

/*
 * What a signal tells: three ints, then a union of which the code tells more. No more of it
 * is shown than waitid() fills, which leaves out the times of a child.
 */

struct info {
	struct_group(head,
		int	signal;
		int	error;
		int	code;
	);
	struct_group(child,
		u32	pid;
		u32	uid;
		int	status;
	);
};

/* The union is aligned to a pointer */
static unsigned int union_at(bool compat)
{
	return compat ? sizeof_field(struct info, head) :
			offsetof(struct kernel_siginfo, si_pid);
}

static unsigned int info_size(bool compat)
{
	return union_at(compat) + sizeof_field(struct info, child);
}

static struct info info_at(const void *bytes, bool compat)
{
	struct info info;

	memcpy(&info.head, bytes, sizeof(info.head));
	memcpy(&info.child, bytes + union_at(compat), sizeof(info.child));
	return info;
}

static void read_siginfo(struct trace_syscall_reader *r, const struct trace_syscall_form *form,
			 unsigned long address, unsigned long count)
{
	trace_syscall_read(r, address, info_size(r->compat));
}

static void print_child(struct trace_seq *s, const struct info *info)
{
	static const char *const codes[] = {
		[CLD_EXITED] = "CLD_EXITED", [CLD_KILLED] = "CLD_KILLED",
		[CLD_DUMPED] = "CLD_DUMPED", [CLD_TRAPPED] = "CLD_TRAPPED",
		[CLD_STOPPED] = "CLD_STOPPED", [CLD_CONTINUED] = "CLD_CONTINUED",
	};

	trace_seq_printf(s, "%s, si_pid=%u, si_uid=%u, si_status=", codes[info->code],
			 info->pid, info->uid);
	if (info->code == CLD_EXITED)
		trace_seq_printf(s, "%d", info->status);
	else
		trace_syscall_print_signal(s, info->status, "SIG");
	trace_seq_puts(s, ", ...");
}

static bool print_siginfo(struct trace_syscall_printer *p,
			  const struct trace_syscall_form *form, unsigned long address,
			  unsigned long count)
{
	const struct trace_syscall_piece *piece = trace_syscall_next(p);
	struct info info;

	if (!piece || piece->head != info_size(p->compat))
		return false;
	info = info_at(piece->bytes, p->compat);
	if (!info.signal) {
		trace_seq_puts(p->s, "{}");
		return true;
	}
	trace_seq_puts(p->s, "{si_signo=");
	trace_syscall_print_signal(p->s, info.signal, "SIG");
	trace_seq_puts(p->s, ", si_code=");
	if (info.signal == SIGCHLD && info.code >= CLD_EXITED && info.code <= CLD_CONTINUED)
		print_child(p->s, &info);
	else if (info.code == SI_USER || info.code == SI_TKILL)
		trace_seq_printf(p->s, "%s, si_pid=%u, si_uid=%u",
				 info.code == SI_USER ? "SI_USER" : "SI_TKILL", info.pid,
				 info.uid);
	else
		trace_seq_printf(p->s, "%d, ...", info.code);
	trace_seq_putc(p->s, '}');
	return true;
}

const struct trace_syscall_form trace_syscall_form_siginfo = {
	.read	= read_siginfo,
	.print	= print_siginfo,
};

/* What became of a child, as a word; see the macros in glibc's <sys/wait.h> */

static void read_status(struct trace_syscall_reader *r, const struct trace_syscall_form *form,
			unsigned long address, unsigned long count)
{
	/* Without a child that has changed, nothing is written */
	if (r->ret > 0)
		trace_syscall_read(r, address, sizeof(int));
}

static bool print_status(struct trace_syscall_printer *p, const struct trace_syscall_form *form,
			 unsigned long address, unsigned long count)
{
	struct trace_seq *s = p->s;
	int status, signal;

	if (!trace_syscall_next_whole(p, &status, sizeof(status)))
		return false;
	signal = status & 0x7f;
	if (status == 0xffff) {
		trace_seq_puts(s, "[{WIFCONTINUED(s)}]");
	} else if (!signal) {
		trace_seq_printf(s, "[{WIFEXITED(s) && WEXITSTATUS(s) == %d}]",
				 status >> 8 & 0xff);
	} else if (signal == 0x7f) {
		trace_seq_puts(s, "[{WIFSTOPPED(s) && WSTOPSIG(s) == ");
		trace_syscall_print_signal(s, status >> 8 & 0xff, "SIG");
		trace_seq_puts(s, "}]");
	} else {
		trace_seq_puts(s, "[{WIFSIGNALED(s) && WTERMSIG(s) == ");
		trace_syscall_print_signal(s, signal, "SIG");
		trace_seq_puts(s, status & 0x80 ? " && WCOREDUMP(s)}]" : "}]");
	}
	return true;
}

const struct trace_syscall_form trace_syscall_form_wait_status = {
	.read	= read_status,
	.print	= print_status,
};

/* Resources */

#define MEMBERS_TIME(_type)							\
{										\
	MEMBER(_type, tv_sec, trace_syscall_signed),				\
	MEMBER(_type, tv_usec, trace_syscall_signed),				\
	{}									\
}

#define MEMBERS_RUSAGE(_type, _time)						\
{										\
	INSIDE(_type, ru_utime, _time),						\
	INSIDE(_type, ru_stime, _time),						\
}

static struct trace_syscall_member time_members[] __ro_after_init =
	MEMBERS_TIME(struct __kernel_old_timeval);
static struct trace_syscall_member rusage_members[] __ro_after_init =
	MEMBERS_RUSAGE(struct rusage, time_members);
#ifdef CONFIG_COMPAT
static struct trace_syscall_member compat_time_members[] __ro_after_init =
	MEMBERS_TIME(struct old_timeval32);
static struct trace_syscall_member compat_rusage_members[] __ro_after_init =
	MEMBERS_RUSAGE(struct compat_rusage, compat_time_members);
#endif

const struct trace_syscall_form trace_syscall_form_rusage = {
	.type	= "struct rusage",
	STRUCT_FORM,
	.native	= LAYOUT_MORE(struct rusage, rusage_members),
	COMPAT_LAYOUT_MORE(struct compat_rusage, compat_rusage_members)
};

/* Without a child that has changed, nothing is written */
static void read_rusage_of_child(struct trace_syscall_reader *r,
				 const struct trace_syscall_form *form,
				 unsigned long address, unsigned long count)
{
	if (r->ret > 0)
		trace_syscall_read_struct(r, form, address, count);
}

const struct trace_syscall_form trace_syscall_form_rusage_of_child = {
	.read	= read_rusage_of_child,
	.print	= trace_syscall_print_struct,
	.native	= LAYOUT_MORE(struct rusage, rusage_members),
	COMPAT_LAYOUT_MORE(struct compat_rusage, compat_rusage_members)
};

static void print_limit(struct trace_seq *s, const struct trace_syscall_member *m, u64 bits)
{
	if (m->size == sizeof(u64) ? bits == RLIM64_INFINITY : bits == U32_MAX)
		trace_seq_puts(s, m->size == sizeof(u64) ? "RLIM64_INFINITY" : "RLIM_INFINITY");
	else if (bits > 1024 && !(bits & 1023))
		trace_seq_printf(s, "%llu*1024", bits / 1024);
	else
		trace_seq_printf(s, "%llu", bits);
}

#define MEMBERS_RLIMIT(_type)							\
{										\
	MEMBER(_type, rlim_cur, print_limit),					\
	MEMBER(_type, rlim_max, print_limit),					\
}

static struct trace_syscall_member rlimit_members[] __ro_after_init =
	MEMBERS_RLIMIT(struct rlimit);
static struct trace_syscall_member rlimit64_members[] __ro_after_init =
	MEMBERS_RLIMIT(struct rlimit64);
#ifdef CONFIG_COMPAT
static struct trace_syscall_member compat_rlimit_members[] __ro_after_init =
	MEMBERS_RLIMIT(struct compat_rlimit);
#endif

const struct trace_syscall_form trace_syscall_form_rlimit = {
	.type	= "struct rlimit",
	STRUCT_FORM,
	.native	= LAYOUT(struct rlimit, rlimit_members),
	COMPAT_LAYOUT(struct compat_rlimit, compat_rlimit_members)
};

const struct trace_syscall_form trace_syscall_form_rlimit64 = {
	.type	= "struct rlimit64",
	STRUCT_FORM,
	.native	= LAYOUT(struct rlimit64, rlimit64_members),
	COMPAT_LAYOUT(struct rlimit64, rlimit64_members)
};

static void read_sched_param(struct trace_syscall_reader *r,
			     const struct trace_syscall_form *form, unsigned long address,
			     unsigned long count)
{
	trace_syscall_read(r, address, sizeof(struct sched_param));
}

static bool print_sched_param(struct trace_syscall_printer *p,
			      const struct trace_syscall_form *form, unsigned long address,
			      unsigned long count)
{
	struct sched_param param;

	if (!trace_syscall_next_whole(p, &param, sizeof(param)))
		return false;
	trace_seq_printf(p->s, "[%d]", param.sched_priority);
	return true;
}

const struct trace_syscall_form trace_syscall_form_sched_param = {
	.type	= "struct sched_param",
	.read	= read_sched_param,
	.print	= print_sched_param,
};

/* The system */

struct two_names {
	char	sysname[__NEW_UTS_LEN + 1];
	char	nodename[__NEW_UTS_LEN + 1];
};

static void read_utsname(struct trace_syscall_reader *r, const struct trace_syscall_form *form,
			 unsigned long address, unsigned long count)
{
	trace_syscall_read(r, address, sizeof(struct two_names));
}

static bool print_utsname(struct trace_syscall_printer *p, const struct trace_syscall_form *form,
			  unsigned long address, unsigned long count)
{
	struct two_names names;

	if (!trace_syscall_next_whole(p, &names, sizeof(names)))
		return false;
	trace_seq_puts(p->s, "{sysname=");
	ftrace_sig_print_text(p->s, names.sysname,
			      strnlen(names.sysname, sizeof(names.sysname)), false);
	trace_seq_puts(p->s, ", nodename=");
	ftrace_sig_print_text(p->s, names.nodename,
			      strnlen(names.nodename, sizeof(names.nodename)), false);
	trace_seq_puts(p->s, ", ...}");
	return true;
}

const struct trace_syscall_form trace_syscall_form_utsname = {
	.read	= read_utsname,
	.print	= print_utsname,
};

/* The three elements of an array */
static void print_first(struct trace_seq *s, const struct trace_syscall_member *m, u64 bits)
{
	trace_seq_printf(s, "[%llu", bits);
}

static void print_second(struct trace_seq *s, const struct trace_syscall_member *m, u64 bits)
{
	trace_seq_printf(s, ", %llu", bits);
}

static void print_third(struct trace_seq *s, const struct trace_syscall_member *m, u64 bits)
{
	trace_seq_printf(s, ", %llu]", bits);
}

#define MEMBERS_SYSINFO(_type)							\
{										\
	MEMBER(_type, uptime, trace_syscall_signed),				\
	LABELLED("loads", _type, loads[0], print_first),			\
	LABELLED(NULL, _type, loads[1], print_second),				\
	LABELLED(NULL, _type, loads[2], print_third),				\
	MEMBER(_type, totalram, trace_syscall_unsigned),			\
	MEMBER(_type, freeram, trace_syscall_unsigned),				\
	MEMBER(_type, sharedram, trace_syscall_unsigned),			\
	MEMBER(_type, bufferram, trace_syscall_unsigned),			\
	MEMBER(_type, totalswap, trace_syscall_unsigned),			\
	MEMBER(_type, freeswap, trace_syscall_unsigned),			\
	MEMBER(_type, procs, trace_syscall_unsigned),				\
	MEMBER(_type, totalhigh, trace_syscall_unsigned),			\
	MEMBER(_type, freehigh, trace_syscall_unsigned),			\
	MEMBER(_type, mem_unit, trace_syscall_unsigned),			\
}

static struct trace_syscall_member sysinfo_members[] __ro_after_init =
	MEMBERS_SYSINFO(struct sysinfo);
#ifdef CONFIG_COMPAT
/* As kernel/sys.c has it for itself */
struct sysinfo_of_words32 {
	s32	uptime;
	u32	loads[3];
	u32	totalram;
	u32	freeram;
	u32	sharedram;
	u32	bufferram;
	u32	totalswap;
	u32	freeswap;
	u16	procs;
	u16	pad;
	u32	totalhigh;
	u32	freehigh;
	u32	mem_unit;
	u8	rest[8];
};

static struct trace_syscall_member compat_sysinfo_members[] __ro_after_init =
	MEMBERS_SYSINFO(struct sysinfo_of_words32);
#endif

const struct trace_syscall_form trace_syscall_form_sysinfo = {
	.type	= "struct sysinfo",
	STRUCT_FORM,
	.native	= LAYOUT(struct sysinfo, sysinfo_members),
	COMPAT_LAYOUT(struct sysinfo_of_words32, compat_sysinfo_members)
};

/* clone3: members that are 0 are left out, but the flags, the signal and the stack */

static void read_clone_args(struct trace_syscall_reader *r,
			    const struct trace_syscall_form *form, unsigned long address,
			    unsigned long count)
{
	if (count >= CLONE_ARGS_SIZE_VER0)
		trace_syscall_read(r, address, min(count, sizeof(struct clone_args)));
}

static void print_if_set(struct trace_seq *s, const char *label, u64 value)
{
	if (value)
		trace_seq_printf(s, ", %s=%#llx", label, value);
}

static bool print_clone_args(struct trace_syscall_printer *p,
			     const struct trace_syscall_form *form, unsigned long address,
			     unsigned long count)
{
	const struct trace_syscall_piece *piece = trace_syscall_next(p);
	struct clone_args args = {};
	struct trace_seq *s = p->s;

	if (!piece || piece->head < CLONE_ARGS_SIZE_VER0 || piece->head > sizeof(args))
		return false;
	memcpy(&args, piece->bytes, piece->head);
	trace_seq_puts(s, "{flags=");
	trace_syscall_print_family(s, "clone", args.flags, sizeof(args.flags));
	if (args.flags & CLONE_PIDFD)
		print_if_set(s, "pidfd", args.pidfd);
	if (args.flags & (CLONE_CHILD_SETTID | CLONE_CHILD_CLEARTID))
		print_if_set(s, "child_tid", args.child_tid);
	if (args.flags & CLONE_PARENT_SETTID)
		print_if_set(s, "parent_tid", args.parent_tid);
	trace_seq_puts(s, ", exit_signal=");
	trace_syscall_print_signal(s, args.exit_signal, "SIG");
	trace_seq_puts(s, ", stack=");
	trace_syscall_print_pointer(s, args.stack);
	trace_seq_printf(s, args.stack_size ? ", stack_size=%#llx" : ", stack_size=%llu",
			 args.stack_size);
	if (args.flags & CLONE_SETTLS)
		print_if_set(s, "tls", args.tls);
	trace_seq_putc(s, '}');
	return true;
}

const struct trace_syscall_form trace_syscall_form_clone_args = {
	.read	= read_clone_args,
	.print	= print_clone_args,
};

/* Segments of x86's 32-bit programs: which entry of the table became one is the answer */

#ifdef CONFIG_X86

static void read_user_desc(struct trace_syscall_reader *r,
			   const struct trace_syscall_form *form, unsigned long address,
			   unsigned long count)
{
	trace_syscall_read(r, address, sizeof(struct user_desc));
}

static bool print_user_desc(struct trace_syscall_printer *p,
			    const struct trace_syscall_form *form, unsigned long address,
			    unsigned long count)
{
	struct user_desc d;

	if (!trace_syscall_next_whole(p, &d, sizeof(d)))
		return false;
	if (p->of & TRACE_SYSCALL_OUT) {
		trace_seq_printf(p->s, "entry_number=%d", d.entry_number);
		return true;
	}
	trace_seq_printf(p->s, "{entry_number=%d, base_addr=%#08x, limit=%#08x, ",
			 d.entry_number, d.base_addr, d.limit);
	trace_seq_printf(p->s, "seg_32bit=%u, contents=%u, read_exec_only=%u, ",
			 d.seg_32bit, d.contents, d.read_exec_only);
	trace_seq_printf(p->s, "limit_in_pages=%u, seg_not_present=%u, useable=%u}",
			 d.limit_in_pages, d.seg_not_present, d.useable);
	return true;
}

const struct trace_syscall_form trace_syscall_form_user_desc = {
	.read	= read_user_desc,
	.print	= print_user_desc,
};

#else

const struct trace_syscall_form trace_syscall_form_user_desc = {
	.read	= trace_syscall_read_struct,
	.print	= trace_syscall_print_struct,
};

#endif
