/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the type of a parameter does not tell: that a syscall takes what a pointer without
 * "const" points to, how many elements there are, or what a void * is. A rule is about the
 * parameters of that name of the syscall of that name; "compat_" and "ia32_" are left out.
 */
#ifndef _KERNEL_TRACE_SYSCALLS_RULES_H
#define _KERNEL_TRACE_SYSCALLS_RULES_H

#include <linux/limits.h>
#include <linux/utsname.h>
#include <uapi/linux/futex.h>

#include "trace_syscalls_forms.h"

struct trace_syscall_rule {
	const char			*syscall;
	const char			*param;
	struct trace_syscall_use	use;
};

#define LIMITED(_syscall, _param, _direction, _form, _count, _limit)		\
	{ _syscall, _param, { .form = &trace_syscall_form_##_form,		\
			      .direction = _direction, .count = _count,		\
			      .limit = _limit } }
#define RULE(_syscall, _param, _direction, _form, _count)			\
	LIMITED(_syscall, _param, _direction, _form, _count, 0)
/* Not what the type says */
#define NOTHING(_syscall, _param)	{ _syscall, _param, { .form = NULL } }

#define IN	TRACE_SYSCALL_TAKES
#define OUT	TRACE_SYSCALL_GIVES
#define LEFT	TRACE_SYSCALL_LEAVES
#define AFTER	TRACE_SYSCALL_AFTER
#define ALWAYS	TRACE_SYSCALL_ALWAYS

static const struct trace_syscall_rule trace_syscall_rules[] __initconst = {
	/* Bytes */
	RULE("read", "buf", OUT, bytes, COUNT_RESULT(2)),
	RULE("write", "buf", IN, bytes, COUNT_ARG(2)),
	RULE("pread64", "buf", OUT, bytes, COUNT_RESULT(2)),
	RULE("pread64", "ubuf", OUT, bytes, COUNT_RESULT(2)),
	RULE("pwrite64", "buf", IN, bytes, COUNT_ARG(2)),
	RULE("pwrite64", "ubuf", IN, bytes, COUNT_ARG(2)),
	RULE("recv", "ubuf", OUT, bytes, COUNT_RESULT(2)),
	RULE("recv", "buf", OUT, bytes, COUNT_RESULT(2)),
	RULE("recvfrom", "ubuf", OUT, bytes, COUNT_RESULT(2)),
	RULE("recvfrom", "buf", OUT, bytes, COUNT_RESULT(2)),
	RULE("send", "buff", IN, bytes, COUNT_ARG(2)),
	RULE("sendto", "buff", IN, bytes, COUNT_ARG(2)),
	RULE("getrandom", "ubuf", OUT, bytes, COUNT_RESULT(1)),
	RULE("readlink", "buf", OUT, bytes, COUNT_RESULT(2)),
	RULE("readlinkat", "buf", OUT, bytes, COUNT_RESULT(3)),
	RULE("mq_timedsend", "u_msg_ptr", IN, bytes, COUNT_ARG(2)),
	RULE("mq_timedsend_time32", "u_msg_ptr", IN, bytes, COUNT_ARG(2)),
	RULE("mq_timedreceive", "u_msg_ptr", OUT, bytes, COUNT_RESULT(2)),
	RULE("mq_timedreceive_time32", "u_msg_ptr", OUT, bytes, COUNT_RESULT(2)),
	RULE("getxattr", "value", OUT, bytes, COUNT_RESULT(3)),
	RULE("lgetxattr", "value", OUT, bytes, COUNT_RESULT(3)),
	RULE("fgetxattr", "value", OUT, bytes, COUNT_RESULT(3)),
	LIMITED("setxattr", "value", IN, bytes, COUNT_ARG(3), XATTR_SIZE_MAX),
	LIMITED("lsetxattr", "value", IN, bytes, COUNT_ARG(3), XATTR_SIZE_MAX),
	LIMITED("fsetxattr", "value", IN, bytes, COUNT_ARG(3), XATTR_SIZE_MAX),
	RULE("listxattr", "list", OUT, bytes, COUNT_RESULT(2)),
	RULE("llistxattr", "list", OUT, bytes, COUNT_RESULT(2)),
	RULE("flistxattr", "list", OUT, bytes, COUNT_RESULT(2)),
	RULE("kexec_file_load", "cmdline_ptr", IN, bytes, COUNT_ARG(2)),
	LIMITED("sethostname", "name", IN, bytes, COUNT_ARG(1), __NEW_UTS_LEN),
	LIMITED("setdomainname", "name", IN, bytes, COUNT_ARG(1), __NEW_UTS_LEN),

	/* Strings that are not const */
	RULE("getcwd", "buf", OUT, string, COUNT_NONE),
	RULE("mount", "dev_name", IN, string, COUNT_NONE),
	RULE("mount", "dir_name", IN, string, COUNT_NONE),
	RULE("mount", "type", IN, string, COUNT_NONE),
	RULE("umount", "name", IN, string, COUNT_NONE),
	RULE("oldumount", "name", IN, string, COUNT_NONE),
	RULE("utime", "filename", IN, string, COUNT_NONE),
	RULE("utimes", "filename", IN, string, COUNT_NONE),

	RULE("execve", "argv", IN, argv, COUNT_NONE),
	RULE("execve", "envp", IN, envp, COUNT_NONE),
	RULE("execveat", "argv", IN, argv, COUNT_NONE),
	RULE("execveat", "envp", IN, envp, COUNT_NONE),

	/* Several buffers */
	RULE("writev", "vec", IN, iovec, COUNT_INT(2)),
	RULE("pwritev", "vec", IN, iovec, COUNT_INT(2)),
	RULE("pwritev2", "vec", IN, iovec, COUNT_INT(2)),
	RULE("pwritev64", "vec", IN, iovec, COUNT_INT(2)),
	RULE("pwritev64v2", "vec", IN, iovec, COUNT_INT(2)),
	RULE("vmsplice", "uiov", IN, iovec, COUNT_INT(2)),
	RULE("readv", "vec", OUT, iovec_filled, COUNT_INT(2)),
	RULE("preadv", "vec", OUT, iovec_filled, COUNT_INT(2)),
	RULE("preadv2", "vec", OUT, iovec_filled, COUNT_INT(2)),
	RULE("preadv64", "vec", OUT, iovec_filled, COUNT_INT(2)),
	RULE("preadv64v2", "vec", OUT, iovec_filled, COUNT_INT(2)),

	/* Numbers */
	RULE("pipe", "fildes", OUT, fd_pair, COUNT_NONE),
	RULE("pipe2", "fildes", OUT, fd_pair, COUNT_NONE),
	RULE("socketpair", "usockvec", OUT, fd_pair, COUNT_NONE),
	RULE("getresuid", "ruidp", OUT, ints, COUNT_IS(1)),
	RULE("getresuid", "euidp", OUT, ints, COUNT_IS(1)),
	RULE("getresuid", "suidp", OUT, ints, COUNT_IS(1)),
	RULE("getresgid", "rgidp", OUT, ints, COUNT_IS(1)),
	RULE("getresgid", "egidp", OUT, ints, COUNT_IS(1)),
	RULE("getresgid", "sgidp", OUT, ints, COUNT_IS(1)),
	RULE("getgroups", "grouplist", OUT, ints, COUNT_RESULT(0)),
	LIMITED("setgroups", "grouplist", IN, ints, COUNT_ARG(0), NGROUPS_MAX),
	RULE("getcpu", "cpup", OUT, ints, COUNT_IS(1)),
	RULE("getcpu", "nodep", OUT, ints, COUNT_IS(1)),
	RULE("sendfile64", "offset", IN | OUT, loff, COUNT_IS(1)),
	RULE("sendfile", "offset", IN | OUT, longs, COUNT_IS(1)),
	RULE("copy_file_range", "off_in", IN, loff, COUNT_IS(1)),
	RULE("copy_file_range", "off_out", IN, loff, COUNT_IS(1)),
	RULE("splice", "off_in", IN, loff, COUNT_IS(1)),
	RULE("splice", "off_out", IN, loff, COUNT_IS(1)),
	RULE("llseek", "result", OUT, loff, COUNT_IS(1)),
	RULE("sched_setaffinity", "user_mask_ptr", IN, cpus, COUNT_ARG(1)),
	RULE("sched_getaffinity", "user_mask_ptr", OUT, cpus, COUNT_RESULT(1)),

	/* Time */
	RULE("nanosleep", "rqtp", IN, timespec, COUNT_NONE),
	RULE("nanosleep", "rmtp", LEFT, timespec, COUNT_NONE),
	RULE("nanosleep_time32", "rqtp", IN, timespec32, COUNT_NONE),
	RULE("nanosleep_time32", "rmtp", LEFT, timespec32, COUNT_NONE),
	RULE("clock_nanosleep", "rmtp", LEFT, timespec, COUNT_NONE),
	RULE("clock_nanosleep_time32", "rqtp", IN, timespec32, COUNT_NONE),
	RULE("clock_nanosleep_time32", "rmtp", LEFT, timespec32, COUNT_NONE),
	RULE("clock_settime32", "tp", IN, timespec32, COUNT_NONE),
	RULE("settimeofday", "tv", IN, timeval, COUNT_NONE),
	RULE("settimeofday", "tz", IN, timezone, COUNT_NONE),
	RULE("setitimer", "value", IN, itimerval, COUNT_NONE),
	RULE("setitimer", "ovalue", OUT, itimerval, COUNT_NONE),
	RULE("getitimer", "value", OUT, itimerval, COUNT_NONE),
	RULE("timer_settime32", "new", IN, itimerspec32, COUNT_NONE),
	RULE("utimensat", "utimes", IN, timespec_pair, COUNT_IS(2)),
	RULE("utimensat_time32", "t", IN, timespec32, COUNT_IS(2)),
	RULE("utimes", "utimes", IN, timeval, COUNT_IS(2)),
	RULE("utimes_time32", "t", IN, timeval32, COUNT_IS(2)),
	RULE("futimesat", "utimes", IN, timeval, COUNT_IS(2)),
	RULE("futimesat_time32", "t", IN, timeval32, COUNT_IS(2)),
	RULE("io_getevents", "timeout", IN, timespec, COUNT_NONE),
	RULE("io_getevents_time32", "timeout", IN, timespec32, COUNT_NONE),
	RULE("io_pgetevents", "timeout", IN, timespec, COUNT_NONE),
	RULE("io_pgetevents_time32", "timeout", IN, timespec32, COUNT_NONE),
	RULE("io_pgetevents_time64", "timeout", IN, timespec, COUNT_NONE),
	RULE("futex_waitv", "timeout", IN, timespec, COUNT_NONE),
	RULE("futex_wait", "timeout", IN, timespec, COUNT_NONE),
	RULE("recvmmsg", "timeout", IN, timespec, COUNT_NONE),
	RULE("recvmmsg_time32", "timeout", IN, timespec32, COUNT_NONE),
	RULE("recvmmsg_time64", "timeout", IN, timespec, COUNT_NONE),

	/* Waiting for files */
	RULE("poll", "ufds", IN | AFTER, pollfd, COUNT_ARG(1)),
	RULE("ppoll", "ufds", IN | AFTER, pollfd, COUNT_ARG(1)),
	RULE("ppoll", "tsp", IN | AFTER, timespec_left, COUNT_NONE),
	RULE("ppoll_time32", "ufds", IN | AFTER, pollfd, COUNT_ARG(1)),
	RULE("ppoll_time32", "tsp", IN | AFTER, timespec32_left, COUNT_NONE),
	RULE("ppoll_time64", "ufds", IN | AFTER, pollfd, COUNT_ARG(1)),
	RULE("ppoll_time64", "tsp", IN | AFTER, timespec_left, COUNT_NONE),
	RULE("select", "inp", IN | AFTER, fd_set, COUNT_ARG(0)),
	RULE("select", "outp", IN | AFTER, fd_set, COUNT_ARG(0)),
	RULE("select", "exp", IN | AFTER, fd_set, COUNT_ARG(0)),
	RULE("select", "tvp", IN | AFTER, timeval_left, COUNT_NONE),
	RULE("pselect6", "inp", IN | AFTER, fd_set, COUNT_ARG(0)),
	RULE("pselect6", "outp", IN | AFTER, fd_set, COUNT_ARG(0)),
	RULE("pselect6", "exp", IN | AFTER, fd_set, COUNT_ARG(0)),
	RULE("pselect6", "tsp", IN | AFTER, timespec_left, COUNT_NONE),
	RULE("pselect6_time32", "inp", IN | AFTER, fd_set, COUNT_ARG(0)),
	RULE("pselect6_time32", "outp", IN | AFTER, fd_set, COUNT_ARG(0)),
	RULE("pselect6_time32", "exp", IN | AFTER, fd_set, COUNT_ARG(0)),
	RULE("pselect6_time32", "tsp", IN | AFTER, timespec32_left, COUNT_NONE),
	RULE("pselect6_time64", "inp", IN | AFTER, fd_set, COUNT_ARG(0)),
	RULE("pselect6_time64", "outp", IN | AFTER, fd_set, COUNT_ARG(0)),
	RULE("pselect6_time64", "exp", IN | AFTER, fd_set, COUNT_ARG(0)),
	RULE("pselect6_time64", "tsp", IN | AFTER, timespec_left, COUNT_NONE),
	RULE("epoll_ctl", "event", IN, epoll_event, COUNT_NONE),
	RULE("epoll_wait", "events", OUT, epoll_events, COUNT_RESULT(2)),
	RULE("epoll_pwait", "events", OUT, epoll_events, COUNT_RESULT(2)),
	RULE("epoll_pwait2", "events", OUT, epoll_events, COUNT_RESULT(2)),

	/* Files */
	LIMITED("openat2", "how", IN, open_how, COUNT_ARG(3), PAGE_SIZE),
	RULE("getdents", "dirent", OUT, dirents, COUNT_RESULT(2)),
	RULE("getdents64", "dirent", OUT, dirents64, COUNT_RESULT(2)),
	RULE("fcntl", "arg", IN | OUT, fcntl, COUNT_NONE),
	RULE("fcntl64", "arg", IN | OUT, fcntl, COUNT_NONE),
	RULE("ioctl", "arg", IN | OUT, ioctl, COUNT_NONE),
	RULE("ioctl", "arg32", IN | OUT, ioctl, COUNT_NONE),

	/* Networks */
	RULE("bind", "umyaddr", IN, sockaddr, COUNT_ARG(2)),
	RULE("connect", "uservaddr", IN, sockaddr, COUNT_ARG(2)),
	RULE("sendto", "addr", IN, sockaddr, COUNT_ARG(5)),
	RULE("accept", "upeer_sockaddr", OUT, sockaddr_filled, COUNT_NONE),
	RULE("accept", "upeer_addrlen", IN | OUT, socklen_of, COUNT_NONE),
	RULE("accept4", "upeer_sockaddr", OUT, sockaddr_filled, COUNT_NONE),
	RULE("accept4", "upeer_addrlen", IN | OUT, socklen_of, COUNT_NONE),
	RULE("getsockname", "usockaddr", OUT, sockaddr_filled, COUNT_NONE),
	RULE("getsockname", "usockaddr_len", IN | OUT, socklen, COUNT_NONE),
	RULE("getpeername", "usockaddr", OUT, sockaddr_filled, COUNT_NONE),
	RULE("getpeername", "usockaddr_len", IN | OUT, socklen, COUNT_NONE),
	RULE("recvfrom", "addr", OUT, sockaddr_filled, COUNT_NONE),
	RULE("recvfrom", "addr_len", IN | OUT, socklen_of, COUNT_NONE),
	RULE("recvfrom", "addrlen", IN | OUT, socklen_of, COUNT_NONE),
	RULE("setsockopt", "optval", IN, socket_option, COUNT_ARG(4)),
	RULE("getsockopt", "optval", OUT, socket_option, COUNT_NONE),
	RULE("getsockopt", "optlen", IN | OUT, socklen, COUNT_NONE),
	RULE("sendmsg", "msg", IN, msghdr, COUNT_NONE),
	RULE("recvmsg", "msg", IN | OUT, msghdr_filled, COUNT_NONE),

	RULE("socketcall", "args", IN | OUT, socketcall, COUNT_NONE),

	/* System V IPC */
	RULE("msgsnd", "msgp", IN, msgbuf, COUNT_ARG(2)),
	RULE("msgrcv", "msgp", OUT, msgbuf, COUNT_RESULT(2)),
	RULE("semop", "tsops", IN, sembuf, COUNT_ARG(2)),
	RULE("semtimedop", "tsops", IN, sembuf, COUNT_ARG(2)),
	RULE("semtimedop", "timeout", IN, sem_timeout, COUNT_NONE),
	RULE("semtimedop_time32", "tsems", IN, sembuf, COUNT_ARG(2)),
	RULE("msgctl", "buf", IN | OUT, msgctl, COUNT_NONE),
	RULE("msgctl", "uptr", IN | OUT, msgctl, COUNT_NONE),
	RULE("semctl", "arg", IN | OUT, semctl, COUNT_NONE),
	RULE("shmctl", "buf", IN | OUT, shmctl, COUNT_NONE),
	RULE("shmctl", "uptr", IN | OUT, shmctl, COUNT_NONE),
	RULE("ipc", "ptr", IN | OUT, ipc, COUNT_NONE),
	RULE("ipc", "third", OUT, ipc_attached, COUNT_NONE),

	/* Signals */
	RULE("rt_sigprocmask", "nset", IN, sigset, COUNT_NONE),
	RULE("rt_sigprocmask", "oset", OUT, sigset, COUNT_NONE),
	RULE("rt_sigsuspend", "unewset", IN, sigset, COUNT_NONE),
	RULE("rt_sigpending", "uset", OUT, sigset, COUNT_NONE),
	RULE("rt_sigtimedwait", "uthese", IN, sigset, COUNT_NONE),
	RULE("rt_sigtimedwait", "uinfo", OUT, siginfo, COUNT_NONE),
	RULE("rt_sigtimedwait_time32", "uthese", IN, sigset, COUNT_NONE),
	RULE("rt_sigtimedwait_time32", "uinfo", OUT, siginfo, COUNT_NONE),
	RULE("rt_sigtimedwait_time32", "uts", IN, timespec32, COUNT_NONE),
	RULE("rt_sigtimedwait_time64", "uthese", IN, sigset, COUNT_NONE),
	RULE("rt_sigtimedwait_time64", "uinfo", OUT, siginfo, COUNT_NONE),
	RULE("rt_sigtimedwait_time64", "uts", IN, timespec, COUNT_NONE),
	RULE("rt_sigqueueinfo", "uinfo", IN, siginfo, COUNT_NONE),
	RULE("rt_tgsigqueueinfo", "uinfo", IN, siginfo, COUNT_NONE),
	RULE("pidfd_send_signal", "info", IN, siginfo, COUNT_NONE),
	RULE("signalfd", "user_mask", IN, sigset, COUNT_NONE),
	RULE("signalfd4", "user_mask", IN, sigset, COUNT_NONE),

	/* Processes */
	RULE("wait4", "stat_addr", OUT, wait_status, COUNT_NONE),
	RULE("wait4", "ru", OUT, rusage_of_child, COUNT_NONE),
	RULE("waitpid", "stat_addr", OUT, wait_status, COUNT_NONE),
	RULE("waitid", "infop", OUT, siginfo, COUNT_NONE),
	/* The result does not tell whether there was a child to tell of */
	NOTHING("waitid", "ru"),
	NOTHING("waitid", "uru"),
	RULE("setrlimit", "rlim", IN, rlimit, COUNT_NONE),
	RULE("sched_setparam", "param", IN, sched_param, COUNT_NONE),
	RULE("sched_setscheduler", "param", IN, sched_param, COUNT_NONE),
	LIMITED("clone3", "uargs", IN, clone_args, COUNT_ARG(1), PAGE_SIZE),
	RULE("set_thread_area", "u_info", IN | AFTER | ALWAYS, user_desc, COUNT_NONE),
	RULE("newuname", "name", OUT, utsname, COUNT_NONE),

	/* Structures that tell what is wanted */
	RULE("io_uring_setup", "params", IN | OUT, uring_params, COUNT_NONE),
	RULE("io_uring_enter", "argp", IN, uring_signals, COUNT_ARG(5)),
	RULE("io_uring_register", "arg", IN | OUT, uring_registered, COUNT_ARG(3)),
	RULE("bpf", "uattr", IN | OUT, bpf, COUNT_ARG(2)),
	RULE("perf_event_open", "attr_uptr", IN, perf_attr, COUNT_NONE),
	LIMITED("mount_setattr", "uattr", IN, mount_attr, COUNT_ARG(4), PAGE_SIZE),
	LIMITED("landlock_create_ruleset", "attr", IN, landlock_ruleset, COUNT_ARG(1), PAGE_SIZE),
	RULE("landlock_add_rule", "rule_attr", IN, landlock_rule, COUNT_ARG(1)),
	LIMITED("futex_waitv", "waiters", IN, futex_waitv, COUNT_ARG(1), FUTEX_WAITV_MAX),
	RULE("cachestat", "cstat_range", IN, cachestat_range, COUNT_NONE),
	RULE("process_madvise", "vec", IN, iovec_addresses, COUNT_INT(2)),

	/* Keys; what an argument of keyctl() is depends on the first one */
	RULE("add_key", "_payload", IN, bytes, COUNT_ARG(3)),
	RULE("keyctl", "arg2", IN | OUT, keyctl, COUNT_NONE),
	RULE("keyctl", "arg3", IN | OUT, keyctl, COUNT_NONE),
	RULE("keyctl", "arg4", IN | OUT, keyctl, COUNT_NONE),
	RULE("keyctl", "arg5", IN | OUT, keyctl, COUNT_NONE),

	/* The same of quotas */
	RULE("quotactl", "addr", IN | OUT, quota, COUNT_ARG(0)),
	RULE("quotactl_fd", "addr", IN | OUT, quota, COUNT_ARG(1)),
};

#undef IN
#undef OUT
#undef LEFT
#undef AFTER
#undef ALWAYS

#endif /* _KERNEL_TRACE_SYSCALLS_RULES_H */
