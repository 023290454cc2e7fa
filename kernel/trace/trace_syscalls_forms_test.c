// SPDX-License-Identifier: GPL-2.0
/* KUnit tests of what is read for syscalls. */
#include <kunit/test.h>
#include <linux/compat.h>
#include <linux/dirent.h>
#include <linux/eventpoll.h>
#include <linux/fcntl.h>
#include <linux/fdtable.h>
#include <linux/file.h>
#include <linux/in.h>
#include <linux/in6.h>
#include <linux/msg.h>
#include <linux/net.h>
#include <linux/netlink.h>
#include <linux/openat2.h>
#include <linux/poll.h>
#include <linux/prandom.h>
#include <linux/resource.h>
#include <linux/sched/task.h>
#include <linux/sem.h>
#include <uapi/linux/shm.h>
#include <linux/signal.h>
#include <linux/stat.h>
#include <linux/termios.h>
#include <linux/uaccess.h>
#include <linux/uio.h>
#include <linux/un.h>
#include <linux/unistd.h>
#include <uapi/linux/wait.h>
#include <net/compat.h>

#include "trace_syscalls_forms.h"
#include "trace_syscalls_forms_test.h"

/* The one whose offset has 64 bits */
#ifdef CONFIG_64BIT
#define __NR_sendfile64_	__NR_sendfile
#else
#define __NR_sendfile64_	__NR_sendfile64
#endif

static void forms_bytes(struct kunit *test)
{
	struct world *w = new_world(test);
	unsigned long text = PUT_TEXT(w, "hello\n0123456789012345678901234567890123456789");

	expect(w, __NR_write, ARGS(1, text, 6), 6, "write(1, \"hello\\n\", 6) = 6");
	expect(w, __NR_write, ARGS(1, text, 0), 0, "write(1, \"\", 0) = 0");
	expect(w, __NR_write, ARGS(1, text, 40), -EPIPE,
	       "write(1, \"hello\\n01234567890123456789012345\"..., 40) = -1 EPIPE");
	/* Only what was read is shown, and nothing if that failed */
	expect(w, __NR_read, ARGS(0, text, 100), 5, "read(0, \"hello\", 100) = 5");
	expect(w, __NR_read, ARGS(0, text, 100), 0, "read(0, \"\", 100) = 0");
	EXPECT(w, __NR_read, ARGS(0, text, 100), -EAGAIN, "read(0, 0x%lx, 100) = -1 EAGAIN",
	       text);
	expect(w, __NR_read, ARGS(0, 0, 100), -EFAULT, "read(0, NULL, 100) = -1 EFAULT");
	EXPECT(w, __NR_write, ARGS(1, w->end - 4, 8), -EFAULT,
	       "write(1, 0x%lx, 8) = -1 EFAULT", w->end - 4);
	expect(w, __NR_getcwd, ARGS(text, 100), 48,
	       "getcwd(\"hello\\n01234567890123456789012345\"..., 100) = 48");
}

static void forms_argv(struct kunit *test)
{
	struct world *w = new_world(test);
	unsigned long a = PUT_TEXT(w, "ls"), b = PUT_TEXT(w, "-l\n");
	unsigned long argv[] = { a, b, 0 }, none[] = { 0 }, broken[] = { a, w->end };
	unsigned long args = PUT(w, argv), env = PUT(w, argv), empty = PUT(w, none);
	unsigned long cut = w->end - sizeof(broken), i;
	static unsigned long many[200];

	EXPECT(w, __NR_execve, ARGS(a, args, env), 0,
	       "execve(\"ls\", [\"ls\", \"-l\\n\"], 0x%lx /* 2 vars */) = 0", env);
	EXPECT(w, __NR_execve, ARGS(a, empty, empty), -EACCES,
	       "execve(\"ls\", [], 0x%lx /* 0 vars */) = -1 EACCES", empty);
	w->at = cut;
	PUT(w, broken);
	EXPECT(w, __NR_execve, ARGS(a, cut, cut), -EFAULT,
	       "execve(\"ls\", [\"ls\", ...], 0x%lx) = -1 EFAULT", cut);
	/* More than are shown */
	for (i = 0; i < ARRAY_SIZE(many); i++)
		many[i] = a;
	w->at = args;
	PUT(w, many);
	read_call(w, __NR_execve, ARGS(a, args, 0), 0);
	KUNIT_EXPECT_NOT_NULL(test, strstr(print_call(w, __NR_execve, 0),
					   ", \"ls\", ...], NULL) = 0"));
}

/* The page behind those of the world comes between a call and its return */

static void map_late(struct world *w)
{
	unsigned long page = vm_mmap(NULL, w->end, PAGE_SIZE, PROT_READ | PROT_WRITE,
				     MAP_ANONYMOUS | MAP_PRIVATE | MAP_FIXED, 0);

	KUNIT_ASSERT_EQ(w->test, page, w->end);
}

static void unmap_late(struct world *w)
{
	KUNIT_ASSERT_EQ(w->test, vm_munmap(w->end, PAGE_SIZE), 0);
}

static void put_late(struct world *w, const void *from, size_t size)
{
	map_late(w);
	KUNIT_ASSERT_EQ(w->test, copy_to_user((void __user *)w->end, from, size), 0);
}

static void expect_late(struct world *w, int slot, long ret, const char *expected)
{
	read_returned(w, ret);
	KUNIT_EXPECT_STREQ(w->test, print_call(w, slot, ret), expected);
	unmap_late(w);
}

/* What could not be read at the call is read at the return */
static void forms_late(struct kunit *test)
{
	struct world *w = new_world(test);
	unsigned long first = PUT_TEXT(w, "first");

	begin_call(w, __NR_chdir, ARGS(w->end));
	put_late(w, "/tmp", 5);
	expect_late(w, __NR_chdir, 0, "chdir(\"/tmp\") = 0");

	begin_call(w, __NR_rename, ARGS(w->end, first));
	put_late(w, "late", 5);
	expect_late(w, __NR_rename, -ENOENT, "rename(\"late\", \"first\") = -1 ENOENT");

	/* What was there is as it was at the call */
	begin_call(w, __NR_rename, ARGS(first, w->end));
	KUNIT_ASSERT_EQ(test, copy_to_user((void __user *)first, "other", 5), 0);
	put_late(w, "late", 5);
	expect_late(w, __NR_rename, 0, "rename(\"first\", \"late\") = 0");
}

/* After execve() the address is one of another program */
static void forms_late_execve(struct kunit *test)
{
	struct world *w = new_world(test);
	char text[64];

	begin_call(w, __NR_chdir, ARGS(w->end));
	w->task->exec_id++;
	put_late(w, "/tmp", 5);
	snprintf(text, sizeof(text), "chdir(0x%lx) = 0", w->end);
	expect_late(w, __NR_chdir, 0, text);
}

/* What the call gave is not what it took */
static void forms_late_given(struct kunit *test)
{
	struct world *w = new_world(test);
	int length = 16;

	begin_call(w, __NR_getsockname, ARGS(3, 0, w->end));
	put_late(w, &length, sizeof(length));
	expect_late(w, __NR_getsockname, 0, "getsockname(3, NULL, [? => 16]) = 0");
}

/* Anonymous memory that nobody has touched is there when the kernel has read it */
static void forms_untouched(struct kunit *test)
{
	struct world *w = new_world(test);
	unsigned long untouched = w->start + PAGE_SIZE, last = untouched - 2;
	unsigned long other = untouched + PAGE_SIZE;
	char byte;

	KUNIT_ASSERT_EQ(test, copy_to_user((void __user *)last, "ab", 2), 0);
	begin_call(w, __NR_rename, ARGS(last, other));
	KUNIT_EXPECT_EQ(test, w->task->missed, 3);
	KUNIT_ASSERT_EQ(test, get_user(byte, (char __user *)untouched), 0);
	KUNIT_ASSERT_EQ(test, get_user(byte, (char __user *)other), 0);
	read_returned(w, 0);
	KUNIT_EXPECT_STREQ(test, print_call(w, __NR_rename, 0), "rename(\"ab\", \"\") = 0");
	expect(w, __NR_chdir, ARGS(untouched), 0, "chdir(\"\") = 0");
}

static void forms_numbers(struct kunit *test)
{
	struct world *w = new_world(test);
	int pair[] = { 3, -4 };
	loff_t offset = 1LL << 40;
	unsigned long address = PUT(w, pair), place = PUT(w, offset);
	u8 cpus[8] = { 0x05, 0, 0x80 };
	unsigned long mask = PUT(w, cpus);

	expect(w, __NR_pipe2, ARGS(address, 0), 0, "pipe2([3, -4], 0) = 0");
	EXPECT(w, __NR_pipe2, ARGS(address, 0), -EMFILE, "pipe2(0x%lx, 0) = -1 EMFILE", address);
	EXPECT(w, __NR_splice, ARGS(1, place, 2, 0, 7, 0), 7,
	       "splice(1, [1099511627776], 2, NULL, 7, 0) = 7");
	/* What the syscall wrote would follow what it found; here both are the same */
	expect(w, __NR_sendfile64_, ARGS(1, 2, place, 7), 7, IS_ENABLED(CONFIG_64BIT) ?
	       "sendfile(1, 2, [1099511627776], 7) = 7" :
	       "sendfile64(1, 2, [1099511627776], 7) = 7");
	expect(w, __NR_sched_getaffinity, ARGS(0, 128, mask), 8,
	       "sched_getaffinity(0, 128, [0 2 23]) = 8");
}

static void forms_times(struct kunit *test)
{
	struct world *w = new_world(test);
	unsigned long timer[] = { 0, 1, 2, 3 };
	unsigned long address = PUT(w, timer);

	need_names(test);
	expect(w, __NR_setitimer, ARGS(ITIMER_REAL, address, 0), 0,
	       "setitimer(ITIMER_REAL, {it_interval={tv_sec=0, tv_usec=1}, it_value={tv_sec=2, tv_usec=3}}, NULL) = 0");
#ifdef CONFIG_64BIT
	/* What is left is told after a signal alone */
	expect(w, __NR_nanosleep, ARGS(address, address + 16), -ERESTART_RESTARTBLOCK,
	       "nanosleep({tv_sec=0, tv_nsec=1}, {tv_sec=2, tv_nsec=3}) = ? ERESTART_RESTARTBLOCK");
	EXPECT(w, __NR_clock_nanosleep, ARGS(CLOCK_MONOTONIC, TIMER_ABSTIME, address, address + 16),
	       -ERESTARTNOHAND,
	       "clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, {tv_sec=0, tv_nsec=1}, 0x%lx) = ? ERESTARTNOHAND",
	       address + 16);
	EXPECT(w, __NR_nanosleep, ARGS(address, address + 16), 0,
	       "nanosleep({tv_sec=0, tv_nsec=1}, 0x%lx) = 0", address + 16);
	EXPECT(w, __NR_nanosleep, ARGS(w->end - 8, 0), -EFAULT,
	       "nanosleep(0x%lx, NULL) = -1 EFAULT", w->end - 8);
#endif
}

static void forms_waiting(struct kunit *test)
{
	struct world *w = new_world(test);
	struct pollfd fds[] = {
		{ .fd = 3, .events = POLLIN }, { .fd = 4, .events = POLLOUT, .revents = POLLOUT },
	};
	struct epoll_event event = { .events = EPOLLIN | EPOLLET, .data = 7 };
	unsigned long array = PUT(w, fds), one = PUT(w, event);
	unsigned long set[2] = { BIT(3) | BIT(9) }, sets = PUT(w, set);

	need_names(test);
	expect(w, __NR_poll, ARGS(array, 2, -1UL), 1,
	       "poll([{fd=3, events=POLLIN}, {fd=4, events=POLLOUT}], 2, -1) = 1 ([{fd=4, revents=POLLOUT}])");
	expect(w, __NR_poll, ARGS(array, 1, 5), 0,
	       "poll([{fd=3, events=POLLIN}], 1, 5) = 0 (Timeout)");
	expect(w, __NR_poll, ARGS(array, 1, 5), -EINTR,
	       "poll([{fd=3, events=POLLIN}], 1, 5) = -1 EINTR");
	expect(w, __NR_poll, ARGS(0, 0, 5), 0, "poll(NULL, 0, 5) = 0");
	expect(w, __NR_epoll_wait, ARGS(5, one, 10, -1UL), 1,
	       "epoll_wait(5, [{events=EPOLLIN|EPOLLET, data={u32=7, u64=7}}], 10, -1) = 1");
	expect(w, __NR_epoll_wait, ARGS(5, one, 10, 0), 0, "epoll_wait(5, [], 10, 0) = 0");
	/* The bits behind those that were asked for are not the call's */
	expect(w, __NR_pselect6, ARGS(9, sets, 0, 0, 0, 0), 1,
	       "pselect6(9, [3], NULL, NULL, NULL, NULL) = 1 (in [3])");
}

static void forms_sockets(struct kunit *test)
{
	struct world *w = new_world(test);
	struct sockaddr_in in = { .sin_family = AF_INET, .sin_port = htons(80),
				  .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	struct sockaddr_in6 in6 = { .sin6_family = AF_INET6, .sin6_port = htons(443),
				    .sin6_addr = IN6ADDR_LOOPBACK_INIT, .sin6_scope_id = 2 };
	struct sockaddr_nl nl = { .nl_family = AF_NETLINK, .nl_pid = 5, .nl_groups = 0x11 };
	struct sockaddr_un un = { .sun_family = AF_UNIX, .sun_path = "/run/x" };
	struct sockaddr_un hidden = { .sun_family = AF_UNIX, .sun_path = "\0abc" };
	unsigned long i = PUT(w, in), i6 = PUT(w, in6), n = PUT(w, nl), u = PUT(w, un);
	unsigned long h = PUT(w, hidden);
	int room = sizeof(in);
	unsigned long length = PUT(w, room);

	need_names(test);
	expect(w, __NR_connect, ARGS(3, i, sizeof(in)), 0,
	       "connect(3, {sa_family=AF_INET, sin_port=htons(80), sin_addr=inet_addr(\"127.0.0.1\")}, 16) = 0");
	expect(w, __NR_connect, ARGS(3, i6, sizeof(in6)), 0,
	       "connect(3, {sa_family=AF_INET6, sin6_port=htons(443), sin6_flowinfo=htonl(0), inet_pton(AF_INET6, \"::1\", &sin6_addr), sin6_scope_id=2}, 28) = 0");
	expect(w, __NR_bind, ARGS(3, n, sizeof(nl)), 0,
	       "bind(3, {sa_family=AF_NETLINK, nl_pid=5, nl_groups=00000011}, 12) = 0");
	expect(w, __NR_bind, ARGS(3, u, sizeof(un)), 0,
	       "bind(3, {sa_family=AF_UNIX, sun_path=\"/run/x\"}, 110) = 0");
	expect(w, __NR_bind, ARGS(3, h, 6), 0,
	       "bind(3, {sa_family=AF_UNIX, sun_path=@\"abc\"}, 6) = 0");
	expect(w, __NR_bind, ARGS(3, i, 2), -EINVAL, "bind(3, {sa_family=AF_INET}, 2) = -1 EINVAL");
	/* Cut short: no port is made up */
	expect(w, __NR_bind, ARGS(3, i, 4), -EINVAL,
	       "bind(3, {sa_family=AF_INET, sa_data=\"\\0P\"}, 4) = -1 EINVAL");
	EXPECT(w, __NR_bind, ARGS(3, i, -1UL), -EINVAL, "bind(3, 0x%lx, -1) = -1 EINVAL", i);
	expect(w, __NR_getsockname, ARGS(3, i, length), 0,
	       "getsockname(3, {sa_family=AF_INET, sin_port=htons(80), sin_addr=inet_addr(\"127.0.0.1\")}, [16]) = 0");
}

static void forms_buffers(struct kunit *test)
{
	struct world *w = new_world(test);
	unsigned long text = PUT_TEXT(w, "abcdefgh");
	struct iovec iov[] = { { (void __user *)text, 2 }, { (void __user *)(text + 2), 6 } };
	unsigned long vec = PUT(w, iov);
	struct user_msghdr msg = { .msg_iov = (void __user *)vec, .msg_iovlen = 2 };
	unsigned long message = PUT(w, msg);

	expect(w, __NR_writev, ARGS(1, vec, 2), 8,
	       "writev(1, [{iov_base=\"ab\", iov_len=2}, {iov_base=\"cdefgh\", iov_len=6}], 2) = 8");
	expect(w, __NR_readv, ARGS(1, vec, 2), 3,
	       "readv(1, [{iov_base=\"ab\", iov_len=2}, {iov_base=\"c\", iov_len=6}], 2) = 3");
	expect(w, __NR_sendmsg, ARGS(1, message, 0), 8,
	       "sendmsg(1, {msg_name=NULL, msg_namelen=0, msg_iov=[{iov_base=\"ab\", iov_len=2}, {iov_base=\"cdefgh\", iov_len=6}], msg_iovlen=2, msg_controllen=0, msg_flags=0}, 0) = 8");
	expect(w, __NR_recvmsg, ARGS(1, message, 0), 1,
	       "recvmsg(1, {msg_name=NULL, msg_namelen=0, msg_iov=[{iov_base=\"a\", iov_len=2}, {iov_base=\"\", iov_len=6}], msg_iovlen=2, msg_controllen=0, msg_flags=0}, 0) = 1");
}

static void forms_tasks(struct kunit *test)
{
	struct world *w = new_world(test);
	u64 set = BIT_ULL(SIGINT - 1) | BIT_ULL(SIGCHLD - 1), most = ~set;
	unsigned long one = PUT(w, set), all = PUT(w, most);
	int status[] = { 3 << 8, SIGSEGV | 0x80, 0xffff, SIGSTOP << 8 | 0x7f };
	unsigned long waited = PUT(w, status);
	struct rlimit64 limit = { 8192 * 1024, RLIM64_INFINITY };
	unsigned long limits = PUT(w, limit);

	need_names(test);
	expect(w, __NR_rt_sigprocmask, ARGS(SIG_BLOCK, one, 0, 8), 0,
	       "rt_sigprocmask(SIG_BLOCK, [INT CHLD], NULL, 8) = 0");
	expect(w, __NR_rt_sigprocmask, ARGS(SIG_SETMASK, all, one, 8), 0,
	       "rt_sigprocmask(SIG_SETMASK, ~[INT CHLD], [INT CHLD], 8) = 0");
	expect(w, __NR_wait4, ARGS(-1UL, waited, 0, 0), 9,
	       "wait4(-1, [{WIFEXITED(s) && WEXITSTATUS(s) == 3}], 0, NULL) = 9");
	expect(w, __NR_wait4, ARGS(-1UL, waited + 4, 0, 0), 9,
	       "wait4(-1, [{WIFSIGNALED(s) && WTERMSIG(s) == SIGSEGV && WCOREDUMP(s)}], 0, NULL) = 9");
	expect(w, __NR_wait4, ARGS(-1UL, waited + 8, 0, 0), 9,
	       "wait4(-1, [{WIFCONTINUED(s)}], 0, NULL) = 9");
	expect(w, __NR_wait4, ARGS(-1UL, waited + 12, 0, 0), 9,
	       "wait4(-1, [{WIFSTOPPED(s) && WSTOPSIG(s) == SIGSTOP}], 0, NULL) = 9");
	/* Without a child, neither is written */
	EXPECT(w, __NR_wait4, ARGS(-1UL, waited, WNOHANG, limits), 0,
	       "wait4(-1, 0x%lx, WNOHANG, 0x%lx) = 0", waited, limits);
	expect(w, __NR_prlimit64, ARGS(0, RLIMIT_STACK, limits, 0), 0,
	       "prlimit64(0, RLIMIT_STACK, {rlim_cur=8192*1024, rlim_max=RLIM64_INFINITY}, NULL) = 0");
}

/* What commands set and tell, each in the right direction */
static void forms_ipc_commands(struct kunit *test)
{
	struct world *w = new_world(test);
	struct msqid64_ds ds = {
		.msg_perm = { .uid = 1, .gid = 2, .mode = 0600, .key = 3, .cuid = 4, .cgid = 5 },
		.msg_stime = 6, .msg_rtime = 7, .msg_ctime = 8, .msg_cbytes = 9, .msg_qnum = 10,
		.msg_qbytes = 11, .msg_lspid = 12, .msg_lrpid = 13,
	};
	struct seminfo info = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 };
	struct shm_info shm = { 1, 2, 3, 4, 5, 6 };
	unsigned long at = PUT(w, ds), sem = PUT(w, info), used = PUT(w, shm);

	need_names(test);
	expect(w, __NR_msgctl, ARGS(0, IPC_STAT, at), 0,
	       "msgctl(0, IPC_STAT, {msg_perm={uid=1, gid=2, mode=0600, key=3, cuid=4, cgid=5}, msg_stime=6, msg_rtime=7, msg_ctime=8, msg_qnum=10, msg_qbytes=11, msg_lspid=12, msg_lrpid=13}) = 0");
	EXPECT(w, __NR_msgctl, ARGS(0, IPC_STAT, at), -EINVAL,
	       "msgctl(0, IPC_STAT, 0x%lx) = -1 EINVAL", at);
	expect(w, __NR_msgctl, ARGS(0, IPC_SET, at), -EPERM,
	       "msgctl(0, IPC_SET, {msg_perm={uid=1, gid=2, mode=0600}, msg_qbytes=11}) = -1 EPERM");
	expect(w, __NR_msgctl, ARGS(0, IPC_RMID, 0), 0, "msgctl(0, IPC_RMID, NULL) = 0");
	/* With IPC_64 it is no command */
	EXPECT(w, __NR_msgctl, ARGS(0, IPC_64 | IPC_SET, at), -EINVAL,
	       "msgctl(0, IPC_64|IPC_SET, 0x%lx) = -1 EINVAL", at);
	expect(w, __NR_semctl, ARGS(0, 0, SEM_INFO, sem), 3,
	       "semctl(0, 0, SEM_INFO, {semmap=1, semmni=2, semmns=3, semmnu=4, semmsl=5, semopm=6, semume=7, semusz=8, semvmx=9, semaem=10}) = 3");
	expect(w, __NR_semctl, ARGS(0, 1, SETVAL, 7), 0, "semctl(0, 1, SETVAL, 0x7) = 0");
	expect(w, __NR_shmctl, ARGS(0, SHM_INFO, used), 0,
	       "shmctl(0, SHM_INFO, {used_ids=1, shm_tot=2, shm_rss=3, shm_swp=4, swap_attempts=5, swap_successes=6}) = 0");
}

static void forms_files(struct kunit *test)
{
	struct world *w = new_world(test);
	struct open_how how = { .flags = O_RDONLY | O_CLOEXEC, .resolve = RESOLVE_BENEATH };
	struct flock lock = { .l_type = F_WRLCK, .l_start = 5, .l_len = 7 };
	struct winsize size = { 24, 80 };
	struct { struct linux_dirent64 entry; char name[8]; } dir[3] = {};
	unsigned long text = PUT_TEXT(w, "x"), open = PUT(w, how), locked = PUT(w, lock), i;
	unsigned long window = PUT(w, size), entries;

	need_names(test);
	for (i = 0; i < ARRAY_SIZE(dir); i++)
		dir[i].entry.d_reclen = sizeof(dir[i]);
	entries = PUT(w, dir);
	expect(w, __NR_openat2, ARGS(3, text, open, sizeof(how)), 4,
	       "openat2(3, \"x\", {flags=O_RDONLY|O_CLOEXEC, resolve=RESOLVE_BENEATH}, 24) = 4");
	EXPECT(w, __NR_openat2, ARGS(3, text, open, 8), -EINVAL,
	       "openat2(3, \"x\", 0x%lx, 8) = -1 EINVAL", open);
	expect(w, __NR_fcntl, ARGS(3, F_SETLK, locked), 0,
	       "fcntl(3, F_SETLK, {l_type=F_WRLCK, l_whence=SEEK_SET, l_start=5, l_len=7}) = 0");
	expect(w, __NR_ioctl, ARGS(0, TIOCGWINSZ, window), 0,
	       "ioctl(0, TIOCGWINSZ, {ws_row=24, ws_col=80, ws_xpixel=0, ws_ypixel=0}) = 0");
	EXPECT(w, __NR_getdents64, ARGS(3, entries, 4096), sizeof(dir),
	       "getdents64(3, 0x%lx /* 3 entries */, 4096) = %zu", entries, sizeof(dir));
	/* An entry without a length would never end */
	memset(dir, 0, sizeof(dir));
	w->at = entries;
	PUT(w, dir);
	EXPECT(w, __NR_getdents64, ARGS(3, entries, 4096), sizeof(dir),
	       "getdents64(3, 0x%lx, 4096) = %zu", entries, sizeof(dir));
}

/* What an argument says about others */
static void forms_depending(struct kunit *test)
{
	struct world *w = new_world(test);

	need_names(test);
	expect(w, __NR_fcntl, ARGS(3, F_GETFL, 0x123), -EBADF, "fcntl(3, F_GETFL) = -1 EBADF");
	expect(w, __NR_fcntl, ARGS(3, F_SETFD, FD_CLOEXEC), 0, "fcntl(3, F_SETFD, FD_CLOEXEC) = 0");
	expect(w, __NR_fcntl, ARGS(3, F_DUPFD, 1), 4, "fcntl(3, F_DUPFD, 1) = 4");
	expect(w, __NR_socket, ARGS(AF_INET, SOCK_STREAM, IPPROTO_TCP), 3,
	       "socket(AF_INET, SOCK_STREAM, IPPROTO_TCP) = 3");
	expect(w, __NR_socket, ARGS(AF_UNIX, SOCK_STREAM, 6), -EPROTONOSUPPORT,
	       "socket(AF_UNIX, SOCK_STREAM, 6) = -1 EPROTONOSUPPORT");
	expect(w, __NR_socket, ARGS(AF_NETLINK, SOCK_RAW, NETLINK_ROUTE), 3,
	       "socket(AF_NETLINK, SOCK_RAW, NETLINK_ROUTE) = 3");
	expect(w, __NR_setsockopt, ARGS(3, SOL_SOCKET, SO_REUSEADDR, 0, 4), 0,
	       "setsockopt(3, SOL_SOCKET, SO_REUSEADDR, NULL, 4) = 0");
	expect(w, __NR_getrusage, ARGS(RUSAGE_SELF, 0), -EFAULT,
	       "getrusage(RUSAGE_SELF, NULL) = -1 EFAULT");
	expect(w, __NR_munmap, ARGS(0, 4096), -EINVAL, "munmap(NULL, 4096) = -1 EINVAL");
#ifdef CONFIG_64BIT
	expect(w, __NR_clone,
	       ARGS(CLONE_SETTLS | CLONE_CHILD_SETTID | SIGCHLD, 0x10, 0x20, 0x30, 0x40), 7,
	       "clone(child_stack=0x10, flags=CLONE_SETTLS|CLONE_CHILD_SETTID|SIGCHLD, tls=0x40, child_tidptr=0x30) = 7");
	expect(w, __NR_preadv2, ARGS(3, 0, 0, 7, 0, 0), -EBADF,
	       "preadv2(3, NULL, 0, 7, 0) = -1 EBADF");
#else
	expect(w, __NR_clone, ARGS(CLONE_SETTLS | CLONE_CHILD_SETTID, 0x10, 0x20, 0x30, 0x40), 7,
	       "clone(child_stack=0x10, flags=CLONE_SETTLS|CLONE_CHILD_SETTID, tls=0x30, child_tidptr=0x40) = 7");
#endif
	expect(w, __NR_clone, ARGS(SIGCHLD, 0, 0x20, 0x30), 7,
	       "clone(child_stack=NULL, flags=SIGCHLD) = 7");
	expect(w, __NR_fcntl, ARGS(3, F_GETFL, 0), O_RDWR | O_APPEND,
	       "fcntl(3, F_GETFL) = 0x402 (flags O_RDWR|O_APPEND)");
	expect(w, __NR_fcntl, ARGS(3, F_GETFD, 0), 0, "fcntl(3, F_GETFD) = 0");
	expect(w, __NR_fcntl, ARGS(3, F_GETFD, 0), 1, "fcntl(3, F_GETFD) = 0x1 (flags FD_CLOEXEC)");
	expect(w, __NR_umask, ARGS(0), 022, "umask(000) = 022");
	expect(w, __NR_kill, ARGS(5, 34), 0, "kill(5, SIGRT_2) = 0");
	expect(w, __NR_kill, ARGS(5, 9), 0, "kill(5, SIGKILL) = 0");
	expect(w, __NR_kill, ARGS(5, 99), -EINVAL, "kill(5, 99) = -1 EINVAL");
	expect(w, __NR_access, ARGS(0, 0), -EFAULT, "access(NULL, F_OK) = -1 EFAULT");
	expect(w, __NR_access, ARGS(0, 6), -EFAULT, "access(NULL, R_OK|W_OK) = -1 EFAULT");
	expect(w, __NR_access, ARGS(0, 12), -EFAULT, "access(NULL, R_OK|0x8) = -1 EFAULT");
#ifdef CONFIG_64BIT
	expect(w, __NR_setresuid, ARGS(-1U, 5, -1U), 0, "setresuid(-1, 5, -1) = 0");
#endif
	expect(w, __NR_mknodat, ARGS(3, 0, S_IFIFO | 0666, 7), -EFAULT,
	       "mknodat(3, NULL, S_IFIFO|0666) = -1 EFAULT");
}

#if defined(CONFIG_X86_32) || defined(CONFIG_IA32_EMULATION)

#ifdef CONFIG_X86_32
#define SLOT_32(nr)	(nr)
#else
#define SLOT_32(nr)	(NR_syscalls + (nr))
#endif
#define SOCKETCALL	SLOT_32(102)
#define IPC		SLOT_32(117)

/* The call that is made, with what its own arguments point to */
static void forms_socketcall(struct kunit *test)
{
	struct world *w = new_world(test);
	struct sockaddr_un un = { .sun_family = AF_UNIX, .sun_path = "/run/x" };
	u32 room = 4, address = PUT(w, un), length = PUT(w, room), text = PUT_TEXT(w, "hello");
	u32 number = 7;
	u32 socket[] = { AF_UNIX, SOCK_DGRAM, 0 }, send[] = { 3, text, 5, 0 };
	u32 connect[] = { 3, address, sizeof(un) };
	u32 option[] = { 3, SOL_SOCKET, SO_TYPE, PUT(w, number), length };
	unsigned long at = PUT(w, connect);

	need_names(test);
	expect(w, SOCKETCALL, ARGS(SYS_SOCKET, PUT(w, socket)), 3,
	       "socket(AF_UNIX, SOCK_DGRAM, 0) = 3");
	expect(w, SOCKETCALL, ARGS(SYS_CONNECT, at), -ENOENT,
	       "connect(3, {sa_family=AF_UNIX, sun_path=\"/run/x\"}, 110) = -1 ENOENT");
	expect(w, SOCKETCALL, ARGS(SYS_SEND, PUT(w, send)), 5, "send(3, \"hello\", 5, 0) = 5");
	expect(w, SOCKETCALL, ARGS(SYS_GETSOCKOPT, PUT(w, option)), 0,
	       "getsockopt(3, SOL_SOCKET, SO_TYPE, [7], [4]) = 0");
	/* Calls that there are none of, and words that cannot be read */
	EXPECT(w, SOCKETCALL, ARGS(0, at), -EINVAL, "socketcall(0, 0x%lx) = -1 EINVAL", at);
	EXPECT(w, SOCKETCALL, ARGS(21, at), -EINVAL, "socketcall(21, 0x%lx) = -1 EINVAL", at);
	EXPECT(w, SOCKETCALL, ARGS(-1U, at), -EINVAL, "socketcall(-1, 0x%lx) = -1 EINVAL", at);
	EXPECT(w, SOCKETCALL, ARGS(SYS_BIND, w->end - 8), -EFAULT,
	       "socketcall(2, 0x%lx) = -1 EFAULT", w->end - 8);
}

/* What it gives ends with the room, too */
static void forms_socketcall_given(struct kunit *test)
{
	struct world *w = new_world(test);
	struct sockaddr_un un = { .sun_family = AF_UNIX, .sun_path = "/run/x" };
	u32 address = PUT(w, un), text = PUT_TEXT(w, "hello");
	u32 message[7] = { address, 6 }, recv[] = { 3, text, 3, MSG_TRUNC };
	u32 recvmsg[] = { 3, PUT(w, message), 0 };
	unsigned long recv_at = PUT(w, recv), recvmsg_at = PUT(w, recvmsg);

	need_names(test);
	expect(w, SOCKETCALL, ARGS(SYS_RECV, recv_at), 100,
	       "recv(3, \"hel\", 3, MSG_TRUNC) = 100");
	expect(w, SOCKETCALL, ARGS(SYS_RECVMSG, recvmsg_at), 0,
	       "recvmsg(3, {msg_name={sa_family=AF_UNIX, sun_path=\"/run\"}, msg_namelen=6, msg_iov=NULL, msg_iovlen=0, msg_controllen=0, msg_flags=0}, 0) = 0");
}

/* The same of System V IPC; a call in the old manner takes two words from memory */
static void forms_ipc(struct kunit *test)
{
	struct world *w = new_world(test);
	struct { s32 type; char text[8]; } __packed message = { 5, "hello" };
	struct sembuf ops[] = { { 0, 1, 0 }, { 1, -2, SEM_UNDO | IPC_NOWAIT } };
	u32 times[] = { 1, 5 }, seven = 7, attached = 0xb7000000;
	unsigned long msg = PUT(w, message), sem = PUT(w, ops), time = PUT(w, times);
	unsigned long value = PUT(w, seven), room = PUT(w, attached);
	u32 old[] = { msg, 3 };
	unsigned long kludge = PUT(w, old);

	need_names(test);
	expect(w, IPC, ARGS(MSGGET, IPC_PRIVATE, IPC_CREAT | 0600), 0,
	       "msgget(IPC_PRIVATE, IPC_CREAT|0600) = 0");
	expect(w, IPC, ARGS(MSGSND, 0, 6, IPC_NOWAIT, msg), 0,
	       "msgsnd(0, {mtype=5, mtext=\"hello\\0\"}, 6, IPC_NOWAIT) = 0");
	expect(w, IPC, ARGS(MSGRCV, 0, 64, MSG_NOERROR, kludge), 5,
	       "msgrcv(0, {mtype=5, mtext=\"hello\"}, 64, 3, MSG_NOERROR) = 5");
	expect(w, IPC, ARGS(1 << 16 | MSGRCV, 0, 64, MSG_NOERROR, msg, 4), 5,
	       "msgrcv(0, {mtype=5, mtext=\"hello\"}, 64, 4, MSG_NOERROR) = 5");
	expect(w, IPC, ARGS(SEMOP, 0, 2, 0, sem), 0,
	       "semop(0, [{sem_num=0, sem_op=1, sem_flg=0}, {sem_num=1, sem_op=-2, sem_flg=SEM_UNDO|IPC_NOWAIT}], 2) = 0");
	expect(w, IPC, ARGS(SEMTIMEDOP, 0, 1, 0, sem, time), 0,
	       "semtimedop(0, [{sem_num=0, sem_op=1, sem_flg=0}], 1, {tv_sec=1, tv_nsec=5}) = 0");
	expect(w, IPC, ARGS(SEMCTL, 3, 1, IPC_64 | SETVAL, value), 0,
	       "semctl(3, 1, IPC_64|SETVAL, 0x7) = 0");
	expect(w, IPC, ARGS(SHMAT, 2, SHM_RDONLY, room, 0), 0,
	       "shmat(2, NULL, SHM_RDONLY) = 0xb7000000");
	expect(w, IPC, ARGS(SHMAT, 2, SHM_RND, room, 0x1000), -EINVAL,
	       "shmat(2, 0x1000, SHM_RND) = -1 EINVAL");
	expect(w, IPC, ARGS(SHMDT, 0, 0, 0, 0xb7000000), 0, "shmdt(0xb7000000) = 0");
	/* Calls that there are none of, and words that cannot be read */
	expect(w, IPC, ARGS(5, 1, 2, 3, 0, 5), -EINVAL, "ipc(5, 1, 2, 3, NULL, 5) = -1 EINVAL");
	EXPECT(w, IPC, ARGS(SEMCTL, 3, 1, SETVAL, w->end), -EFAULT,
	       "ipc(3, 3, 1, 16, 0x%lx, 0) = -1 EFAULT", w->end);
}

#endif

/* Descriptors of files, of none, and of those that a call gives */
static void forms_paths(struct kunit *test)
{
	struct world *w = new_world(test);
	int fd = open_directory(test, "/");
	unsigned long name = PUT_TEXT(w, "x"), at = (unsigned int)AT_FDCWD;
	int pair[] = { fd, 1 << 20 };
	unsigned long both = PUT(w, pair);

	need_names(test);
	w->wants.paths = true;
	EXPECT(w, __NR_close, ARGS(fd), 0, "close(%d</>) = 0", fd);
	EXPECT(w, __NR_close, ARGS(1 << 20), -EBADF, "close(1048576) = -1 EBADF");
	EXPECT(w, __NR_close, ARGS(-1U), -EBADF, "close(-1) = -1 EBADF");
	EXPECT(w, __NR_close, ARGS(at), -EBADF, "close(-100) = -1 EBADF");
	EXPECT(w, __NR_dup, ARGS(fd), fd, "dup(%d</>) = %d</>", fd, fd);
	EXPECT(w, __NR_dup, ARGS(fd), -EMFILE, "dup(%d</>) = -1 EMFILE", fd);
	EXPECT(w, __NR_dup2, ARGS(fd, 1 << 20), 1 << 20, "dup2(%d</>, 1048576) = 1048576", fd);
	EXPECT(w, __NR_openat, ARGS(at, name, O_RDONLY), fd,
	       "openat(AT_FDCWD</>, \"x\", O_RDONLY) = %d</>", fd);
	EXPECT(w, __NR_mkdirat, ARGS(fd, name, 0700), 0, "mkdirat(%d</>, \"x\", 0700) = 0", fd);
	EXPECT(w, __NR_fcntl, ARGS(fd, F_DUPFD, 0), fd, "fcntl(%d</>, F_DUPFD, 0) = %d</>", fd, fd);
	/* A result of another kind that could be one */
	EXPECT(w, __NR_fcntl, ARGS(fd, F_GETPIPE_SZ), fd, "fcntl(%d</>, F_GETPIPE_SZ) = %d",
	       fd, fd);
	EXPECT(w, __NR_pipe2, ARGS(both, O_CLOEXEC), 0,
	       "pipe2([%d</>, 1048576], O_CLOEXEC) = 0", fd);

	/* Without strings, and strings without paths */
	w->wants.most = 0;
	EXPECT(w, __NR_mkdirat, ARGS(fd, name, 0700), 0, "mkdirat(%d</>, 0x%lx, 0700) = 0", fd,
	       name);
	w->wants.most = 32;
	w->wants.paths = false;
	EXPECT(w, __NR_mkdirat, ARGS(fd, name, 0700), 0, "mkdirat(%d, \"x\", 0700) = 0", fd);
	EXPECT(w, __NR_pipe2, ARGS(both, O_CLOEXEC), 0, "pipe2([%d, 1048576], O_CLOEXEC) = 0",
	       fd);
	close_fd(fd);
}

/* A path has what the strings leave, and says so if that is too little */
static void forms_paths_room(struct kunit *test)
{
	static const unsigned int sizes[] = { 1020, 1024, 1404, 1405, 1406, 1407, 1408 };
	struct world *w = new_world(test);
	int fd = open_directory(test, "/");
	struct trace_syscall_reader r = { .memory = trace_syscall_memory_of(w->task) };
	const struct syscall_metadata *meta = trace_syscall_meta(__NR_close);
	unsigned long args[SYSCALL_DEFINE_MAXARGS] = { fd };
	unsigned int i, grown;

	for (i = 0; i < ARRAY_SIZE(sizes); i++) {
		r.memory->size = sizes[i];
		r.end = TRACE_SYSCALL_MEMORY_PATHS;
		trace_syscall_read_paths(&r, trace_syscall_uses_of(meta), args);
		grown = r.memory->size - sizes[i];
		/* A head of three bytes, the path, and while it is made a zero */
		KUNIT_EXPECT_EQ_MSG(test, grown, sizes[i] <= 1403 ? 4 : sizes[i] <= 1405 ? 3 : 0,
				    "%u", sizes[i]);
	}
	close_fd(fd);
}

/* Whatever counts and addresses say, reading ends soon and within its room */
static void forms_hostile(struct kunit *test)
{
	struct world *w = new_world(test);
	unsigned long self = w->start, values[] = {
		0, 1, 2, 8, 4096, INT_MAX, (unsigned long)INT_MIN, UINT_MAX, ULONG_MAX, LONG_MAX,
		self, self + 1, w->end - 1, w->end, (unsigned long)w->task,
	};
	unsigned long pair[] = { self, self };
	unsigned int slot, i, j;

	w->wants.paths = true;
	/* Memory that is full of pointers to itself */
	while (w->at < w->end)
		PUT(w, pair);
	for (slot = 0; slot < TRACE_SYSCALL_SLOTS; slot++) {
		if (!trace_syscall_meta(slot))
			continue;
		for (i = 0; i < ARRAY_SIZE(values); i++) {
			unsigned long args[SYSCALL_DEFINE_MAXARGS];

			for (j = 0; j < ARRAY_SIZE(args); j++)
				args[j] = j & 1 ? values[i] : values[(i + j) % ARRAY_SIZE(values)];
			read_call(w, slot, args, values[(i + slot) % ARRAY_SIZE(values)]);
			print_call(w, slot, values[(i + slot) % ARRAY_SIZE(values)]);
			args[0] = self;
			args[1] = self;
			args[2] = values[i];
			read_call(w, slot, args, i);
			print_call(w, slot, i);
		}
		cond_resched();
	}
}

/* Events of any content are printed, and to their end if they are alone */
static void expect_printed(struct world *w, int slot, long ret)
{
	w->alone = false;
	print_call(w, slot, ret);
	w->alone = true;
	print_call(w, slot, ret);
	KUNIT_EXPECT_FALSE_MSG(w->test, w->seq->full, "slot %d", slot);
	KUNIT_EXPECT_NOT_NULL_MSG(w->test, strstr(w->seq->buffer, ") = "), "slot %d: %s", slot,
				  w->seq->buffer);
}

static void forms_random(struct kunit *test)
{
	struct world *w = new_world(test);
	struct trace_syscall_memory *memory;
	struct rnd_state rnd;
	unsigned int slot, i, at;

	w->task->nr_args = SYSCALL_DEFINE_MAXARGS;
	memory = trace_syscall_memory_of(w->task);
	prandom_seed_state(&rnd, 20261123);
	for (slot = 0; slot < TRACE_SYSCALL_SLOTS; slot++) {
		if (!trace_syscall_meta(slot))
			continue;
		prandom_bytes_state(&rnd, w->task->words, SYSCALL_DEFINE_MAXARGS * sizeof(long));
		prandom_bytes_state(&rnd, memory->bytes, sizeof(memory->bytes));
		for (i = 0; i < 8; i++) {
			/* Pieces with good heads, of random parameters and lengths */
			for (at = 0; at + 256 < sizeof(memory->bytes); ) {
				struct trace_syscall_piece *piece = (void *)memory->bytes + at;

				piece->head = prandom_u32_state(&rnd) % 200;
				if (!(prandom_u32_state(&rnd) % 8))
					piece->head |= BIT(13 + prandom_u32_state(&rnd) % 3);
				piece->of = prandom_u32_state(&rnd) % 64;
				at += sizeof(*piece) + (piece->head & TRACE_SYSCALL_PIECE_LENGTH);
			}
			memory->size = prandom_u32_state(&rnd) % (sizeof(memory->bytes) + 1);
			expect_printed(w, slot, prandom_u32_state(&rnd) % 100 - 1);
		}
		cond_resched();
	}
}

#ifdef ARCH_TRACE_COMPAT_SYSCALLS

static void forms_compat(struct kunit *test)
{
	struct world *w = new_world(test);
	unsigned long text = PUT_TEXT(w, "ls");
	u32 argv[] = { text, text, 0 };
	struct compat_iovec iov = { text, 2 };
	unsigned long args = PUT(w, argv), vec = PUT(w, iov);
	struct compat_msghdr msg = { .msg_iov = vec, .msg_iovlen = 1 };
	struct compat_sigaction action = { .sa_handler = 1, .sa_flags = SA_RESTART };
	struct compat_stat st = { .st_mode = S_IFREG | 0644, .st_size = 5 };
	struct compat_rlimit limit = { 4096, U32_MAX };
	u32 rusage[18] = { 1, 2, 3, 4 };
	unsigned long message = PUT(w, msg), act = PUT(w, action), stat = PUT(w, st);
	unsigned long limits = PUT(w, limit), usage = PUT(w, rusage);

	need_names(test);
	EXPECT(w, COMPAT(execve), ARGS(text, args, args), 0,
	       "execve(\"ls\", [\"ls\", \"ls\"], 0x%lx /* 2 vars */) = 0", args);
	/* writev() is the native function: it is told the kind of program by itself */
	expect(w, COMPAT(sendmsg), ARGS(3, message, 0), 2,
	       "sendmsg(3, {msg_name=NULL, msg_namelen=0, msg_iov=[{iov_base=\"ls\", iov_len=2}], msg_iovlen=1, msg_controllen=0, msg_flags=0}, 0) = 2");
	expect(w, COMPAT(writev), ARGS(1, vec, 1), 2,
	       "writev(1, [{iov_base=\"ls\", iov_len=2}], 1) = 2");
	expect(w, COMPAT(rt_sigaction), ARGS(SIGUSR1, act, 0, 8), 0,
	       "rt_sigaction(SIGUSR1, {sa_handler=SIG_IGN, sa_mask=[], sa_flags=SA_RESTART}, NULL, 8) = 0");
	expect(w, COMPAT(stat), ARGS(text, stat), 0,
	       "stat(\"ls\", {st_mode=S_IFREG|0644, st_size=5, ...}) = 0");
	expect(w, COMPAT(setrlimit), ARGS(RLIMIT_STACK, limits), 0,
	       "setrlimit(RLIMIT_STACK, {rlim_cur=4*1024, rlim_max=RLIM_INFINITY}) = 0");
	expect(w, COMPAT(wait4), ARGS(-1U, 0, 0, usage), 9,
	       "wait4(-1, NULL, 0, {ru_utime={tv_sec=1, tv_usec=2}, ru_stime={tv_sec=3, tv_usec=4}, ...}) = 9");
	expect(w, COMPAT(nanosleep), ARGS(usage, 0), 0,
	       "nanosleep({tv_sec=1, tv_nsec=2}, NULL) = 0");
}

#endif

static struct kunit_case cases[] = {
	KUNIT_CASE(forms_bytes),
	KUNIT_CASE(forms_argv),
	KUNIT_CASE(forms_late),
	KUNIT_CASE(forms_late_execve),
	KUNIT_CASE(forms_late_given),
	KUNIT_CASE(forms_untouched),
	KUNIT_CASE(forms_numbers),
	KUNIT_CASE(forms_times),
	KUNIT_CASE(forms_waiting),
	KUNIT_CASE(forms_sockets),
#if defined(CONFIG_X86_32) || defined(CONFIG_IA32_EMULATION)
	KUNIT_CASE(forms_socketcall),
	KUNIT_CASE(forms_socketcall_given),
	KUNIT_CASE(forms_ipc),
#endif
	KUNIT_CASE(forms_buffers),
	KUNIT_CASE(forms_tasks),
	KUNIT_CASE(forms_ipc_commands),
	KUNIT_CASE(forms_files),
	KUNIT_CASE(forms_depending),
	KUNIT_CASE(forms_paths),
	KUNIT_CASE(forms_paths_room),
#ifdef ARCH_TRACE_COMPAT_SYSCALLS
	KUNIT_CASE(forms_compat),
#endif
	KUNIT_CASE_SLOW(forms_hostile),
	KUNIT_CASE_SLOW(forms_random),
	{}
};

static struct kunit_suite suite = {
	.name		= "trace_syscalls_forms",
	.test_cases	= cases,
};

kunit_test_suite(suite);

MODULE_DESCRIPTION("KUnit tests of what is read for syscalls");
