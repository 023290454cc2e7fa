// SPDX-License-Identifier: GPL-2.0
/*
 * The paths of file descriptors.
 *
 * While the file syscall_paths has 1, the entry code also looks up which files the
 * descriptors in a call's arguments are, and that in its result. The paths stand in the
 * event with what was read of user memory, and are printed as strace -y does:
 *
 *	read(3</etc/passwd>, "root:x:0:0:"..., 4096) = 982
 *	openat(AT_FDCWD</root>, "/etc/passwd", O_RDONLY) = 3</etc/passwd>
 *
 * The descriptors of arguments are looked up before the syscall runs, that of a result
 * before the task goes on. Another thread may close or replace them in between. What
 * /proc/PID/fd shows is shown: the path that leads to the file now, from the task's root.
 */
#include <linux/dcache.h>
#include <linux/fcntl.h>
#include <linux/file.h>
#include <linux/fs_struct.h>
#include <linux/init.h>
#include <linux/path.h>
#include <linux/sched.h>
#include <linux/string.h>
#include <uapi/linux/io_uring.h>

#include "signature/text.h"
#include "trace_syscalls_forms.h"

/* In trace_syscall_uses.descriptors: the result is one, or may be */
#define RESULT	BIT(TRACE_SYSCALL_RESULT)

static bool fcntl_gives(struct trace_syscall_reader *r, const unsigned long *args)
{
	u32 cmd = args[1];

	return cmd == F_DUPFD || cmd == F_DUPFD_CLOEXEC;
}

static bool bpf_gives(struct trace_syscall_reader *r, const unsigned long *args)
{
	return trace_syscall_bpf_gives_fd(args[0]);
}

/* With flags it tells what the kernel can do */
static bool landlock_gives(struct trace_syscall_reader *r, const unsigned long *args)
{
	return !(u32)args[2];
}

/* A ring may have no descriptor, but a place in the task's table of rings */
static bool uring_gives(struct trace_syscall_reader *r, const unsigned long *args)
{
	unsigned long at = args[1] + offsetof(struct io_uring_params, flags);
	u32 flags;

	return trace_syscall_try(r, &flags, at, sizeof(flags)) &&
	       !(flags & IORING_SETUP_REGISTERED_FD_ONLY);
}

/*
 * A syscall that gives a descriptor, as its function is called behind "sys_", and what tells
 * whether this call does
 */
static const struct giver {
	const char	*name;
	bool		(*gives)(struct trace_syscall_reader *r, const unsigned long *args);
} givers[] = {
	{ "accept" }, { "accept4" }, { "bpf", bpf_gives }, { "creat" }, { "dup" }, { "dup2" },
	{ "dup3" }, { "epoll_create" }, { "epoll_create1" }, { "eventfd" }, { "eventfd2" },
	{ "fanotify_init" }, { "fcntl", fcntl_gives }, { "fcntl64", fcntl_gives },
	{ "fsmount" }, { "fsopen" }, { "fspick" }, { "inotify_init" }, { "inotify_init1" },
	{ "io_uring_setup", uring_gives }, { "landlock_create_ruleset", landlock_gives },
	{ "memfd_create" }, { "memfd_secret" }, { "mq_open" }, { "open" }, { "openat" },
	{ "openat2" }, { "open_by_handle_at" }, { "open_tree" }, { "perf_event_open" },
	{ "pidfd_getfd" }, { "pidfd_open" }, { "signalfd" }, { "signalfd4" }, { "socket" },
	{ "timerfd_create" }, { "userfaultfd" },
};

/* Parameters that are called a descriptor and are none, or not with a flag in argument @arg */
static const struct {
	const char	*syscall;
	const char	*param;
	u8		arg;
	u32		flag;	/* 0: never */
} no_descriptors[] = {
	/* One of another process */
	{ "pidfd_getfd", "fd" },
	/* Places in the task's table of rings */
	{ "io_uring_enter", "fd", 3, IORING_ENTER_REGISTERED_RING },
	{ "io_uring_register", "fd", 1, IORING_REGISTER_USE_REGISTERED_RING },
};

/* The name without what stands before it in the metadata */
static const char *__init name_of(const struct syscall_metadata *meta)
{
	const char *name = meta->name + strlen("sys_");

	return strstarts(name, "compat_") ? name + strlen("compat_") : name;
}

static void __init find_giver(const struct syscall_metadata *meta,
			      struct trace_syscall_uses *uses)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(givers); i++) {
		if (strcmp(name_of(meta), givers[i].name))
			continue;
		uses->descriptors |= RESULT;
		uses->giver = i;
	}
}

/* Returns whether the parameter is a descriptor, maybe with a condition */
static bool __init find_condition(const struct syscall_metadata *meta, int param,
				  struct trace_syscall_uses *uses)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(no_descriptors); i++) {
		if (strcmp(name_of(meta), no_descriptors[i].syscall) ||
		    strcmp(meta->args[param], no_descriptors[i].param))
			continue;
		if (!no_descriptors[i].flag)
			return false;
		uses->unless = i + 1;
	}
	return true;
}

/* A parameter whose descriptor may be AT_FDCWD */
static bool __init is_directory(const char *name)
{
	size_t size = strlen(name);

	return size >= 3 && !strcmp(name + size - 3, "dfd");
}

/**
 * trace_syscall_find_descriptors - note which parameters of a syscall are descriptors
 * @meta: the syscall, in its home slot
 */
void __init trace_syscall_find_descriptors(const struct syscall_metadata *meta)
{
	struct trace_syscall_uses *uses = &trace_syscall_uses[meta->syscall_nr];
	int i;

	for (i = 0; i < meta->nb_args; i++) {
		if (meta->kinds[i] & SYSCALL_ARG_POINTER ||
		    !trace_syscall_is_descriptor(meta->args[i]) ||
		    !find_condition(meta, i, uses))
			continue;
		uses->descriptors |= BIT(i);
		if (is_directory(meta->args[i]))
			uses->directories |= BIT(i);
	}
	find_giver(meta, uses);
}

static void read_directory(struct trace_syscall_reader *r)
{
	struct path path;

	get_fs_pwd(current->fs, &path);
	trace_syscall_put_path(r, &path);
	path_put(&path);
}

/* Returns false, and appends nothing, if there is no such file */
static bool read_descriptor(struct trace_syscall_reader *r, unsigned int fd)
{
	struct file *file = fget_raw(fd);

	if (!file)
		return false;
	trace_syscall_put_path(r, &file->f_path);
	fput(file);
	return true;
}

/**
 * trace_syscall_read_paths - append the paths of the descriptors that a syscall takes
 * @r: the reader
 * @uses: the syscall's parameters
 * @args: the arguments
 *
 * Context: a task that may sleep.
 */
void trace_syscall_read_paths(struct trace_syscall_reader *r,
			      const struct trace_syscall_uses *uses, const unsigned long *args)
{
	unsigned int left = uses->descriptors & ~RESULT, i;
	u8 inner = r->of & TRACE_SYSCALL_INNER;

	if (uses->unless && args[no_descriptors[uses->unless - 1].arg] &
			    no_descriptors[uses->unless - 1].flag)
		return;
	for (; left; left &= left - 1) {
		i = __ffs(left);
		r->of = i | inner | TRACE_SYSCALL_PATH;
		if (uses->directories & BIT(i) && (int)args[i] == AT_FDCWD)
			read_directory(r);
		else
			read_descriptor(r, args[i]);
	}
}

/**
 * trace_syscall_read_result_path - append the path of the descriptor that a syscall gave
 * @r: the reader, with the result
 * @meta: the syscall
 * @args: the arguments
 *
 * Context: a task that may sleep.
 */
void trace_syscall_read_result_path(struct trace_syscall_reader *r,
				    const struct syscall_metadata *meta,
				    const unsigned long *args)
{
	const struct trace_syscall_uses *uses = trace_syscall_uses_of(meta);
	const struct giver *giver = &givers[uses->giver];

	if (!(uses->descriptors & RESULT) || r->ret < 0)
		return;
	r->of = TRACE_SYSCALL_RESULT | TRACE_SYSCALL_PATH;
	if (giver->gives && !giver->gives(r, args))
		return;
	read_descriptor(r, r->ret);
}

static void print_path(struct trace_seq *s, const struct trace_syscall_piece *piece)
{
	if (!piece || piece->head == TRACE_SYSCALL_PIECE_END)
		return;
	if (piece->head & TRACE_SYSCALL_PIECE_UNKNOWN) {
		trace_seq_puts(s, "<...>");
		return;
	}
	ftrace_sig_print_path(s, piece->bytes, piece->head & TRACE_SYSCALL_PIECE_LENGTH);
	if (piece->head & TRACE_SYSCALL_PIECE_DELETED)
		trace_seq_puts(s, "(deleted)");
}

/**
 * trace_syscall_print_path - print the path of a descriptor, if it is known
 * @s: where to
 * @call: the call
 * @of: the parameter, or TRACE_SYSCALL_RESULT
 */
void trace_syscall_print_path(struct trace_seq *s, const struct trace_syscall_call *call, u8 of)
{
	struct trace_syscall_printer p = { .s = s, .call = call };

	of |= TRACE_SYSCALL_PATH;
	if (call->inner && of != (TRACE_SYSCALL_RESULT | TRACE_SYSCALL_PATH))
		of |= TRACE_SYSCALL_INNER;
	if (trace_syscall_seek(&p, of))
		print_path(s, trace_syscall_next(&p));
}

/* Two descriptors that a syscall writes: the numbers, then a path or an end for each */

static void read_pair(struct trace_syscall_reader *r, const struct trace_syscall_form *form,
		      unsigned long address, unsigned long count)
{
	const void *bytes = trace_syscall_read(r, address, 2 * sizeof(int));
	unsigned int i, fds[2];

	if (!bytes || !r->paths)
		return;
	memcpy(fds, bytes, sizeof(fds));
	for (i = 0; i < ARRAY_SIZE(fds); i++)
		if (!read_descriptor(r, fds[i]))
			trace_syscall_put_flag(r, TRACE_SYSCALL_PIECE_END);
}

static bool print_pair(struct trace_syscall_printer *p, const struct trace_syscall_form *form,
		       unsigned long address, unsigned long count)
{
	int fds[2];

	if (!trace_syscall_next_whole(p, fds, sizeof(fds)))
		return false;
	trace_seq_printf(p->s, "[%d", fds[0]);
	print_path(p->s, trace_syscall_next(p));
	trace_seq_printf(p->s, ", %d", fds[1]);
	print_path(p->s, trace_syscall_next(p));
	trace_seq_putc(p->s, ']');
	return true;
}

const struct trace_syscall_form trace_syscall_form_fd_pair = {
	.read	= read_pair,
	.print	= print_pair,
};
