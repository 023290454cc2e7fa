// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of counts and lengths: no more is read than the kernel itself takes or gives,
 * and no path is shown of what is no descriptor of the task.
 */
#include <kunit/test.h>
#include <linux/compat.h>
#include <linux/cpumask.h>
#include <linux/eventpoll.h>
#include <linux/fcntl.h>
#include <linux/fdtable.h>
#include <linux/in.h>
#include <linux/msg.h>
#include <linux/poll.h>
#include <linux/signal.h>
#include <linux/socket.h>
#include <linux/un.h>
#include <uapi/linux/io_uring.h>
#include <uapi/linux/landlock.h>
#include <net/compat.h>

#include "trace_syscalls_forms.h"
#include "trace_syscalls_forms_test.h"

/* What a register has above the 32 bits of an int */
#ifdef CONFIG_64BIT
#define ABOVE	(0xfffffff7UL << 32)
#define __NR_getgroups_	__NR_getgroups
#define __NR_setgroups_	__NR_setgroups
#define GROUPS_END	""
#else
#define ABOVE	0UL
/* The older calls have groups of 16 bits */
#define __NR_getgroups_	__NR_getgroups32
#define __NR_setgroups_	__NR_setgroups32
#define GROUPS_END	"32"
#endif

/* Results that are greater than the room */
static void lengths_results(struct kunit *test)
{
	struct world *w = new_world(test);
	unsigned long text = PUT_TEXT(w, "hello");
	struct epoll_event events[] = { { .events = EPOLLIN, .data = 7 }, { .data = 9 } };
	unsigned long both = PUT(w, events);
	struct msgbuf message = { .mtype = 5, .mtext = { 'x' } };
	unsigned long msg = PUT(w, message), name = PUT_TEXT(w, "user.x");
	int list[] = { 4, 5, 6 };
	unsigned long groups = PUT(w, list);

	need_names(test);
	expect(w, __NR_recvfrom, ARGS(3, text, 4, MSG_TRUNC, 0, 0), 100,
	       "recvfrom(3, \"hell\", 4, MSG_TRUNC, NULL, NULL) = 100");
	expect(w, __NR_recvfrom, ARGS(3, text, 0, MSG_TRUNC, 0, 0), 100,
	       "recvfrom(3, \"\", 0, MSG_TRUNC, NULL, NULL) = 100");
	expect(w, __NR_flistxattr, ARGS(5, text, 0), 7, "flistxattr(5, \"\", 0) = 7");
	expect(w, __NR_getxattr, ARGS(name, name, text, 0), 7,
	       "getxattr(\"user.x\", \"user.x\", \"\", 0) = 7");
	expect(w, __NR_readlink, ARGS(name, text, 2), 2, "readlink(\"user.x\", \"he\", 2) = 2");
	/* A driver may say anything */
	expect(w, __NR_read, ARGS(3, text, 3), 5, "read(3, \"hel\", 3) = 5");
	expect(w, __NR_epoll_wait, ARGS(3, both, 1, 0), 2,
	       "epoll_wait(3, [{events=EPOLLIN, data={u32=7, u64=7}}], 1, 0) = 2");
	expect(w, __NR_msgrcv, ARGS(3, msg, 1, 0, 0), 4,
	       "msgrcv(3, {mtype=5, mtext=\"x\"}, 1, 0, 0) = 4");
	expect(w, __NR_getgroups_, ARGS(0, groups), 3, "getgroups" GROUPS_END "(0, []) = 3");
	expect(w, __NR_getgroups_, ARGS(8, groups), 2, "getgroups" GROUPS_END "(8, [4, 5]) = 2");
	expect(w, __NR_getgroups_, ARGS(8, groups), 0, "getgroups" GROUPS_END "(8, []) = 0");
}

/* A count has the bits of its type, and below zero nothing is there */
static void lengths_widths(struct kunit *test)
{
	struct world *w = new_world(test);
	struct pollfd fds[] = {
		{ .fd = 3, .events = POLLIN, .revents = POLLIN }, { .fd = 4, .revents = POLLOUT },
	};
	struct sockaddr_in in = { .sin_family = AF_INET, .sin_port = htons(80) };
	unsigned long array = PUT(w, fds), address = PUT(w, in), text = PUT_TEXT(w, "host");
	unsigned long bits[2] = { BIT(3) | BIT(9) }, set = PUT(w, bits);
	int list[] = { 4, 5, 6 };
	unsigned long groups = PUT(w, list);

	need_names(test);
	expect(w, __NR_poll, ARGS(array, ABOVE | 1, 5), 1,
	       "poll([{fd=3, events=POLLIN}], 1, 5) = 1 ([{fd=3, revents=POLLIN}])");
	expect(w, __NR_ppoll, ARGS(array, ABOVE | 1, 0, 0, 8), 1,
	       "ppoll([{fd=3, events=POLLIN}], 1, NULL, NULL, 8) = 1 ([{fd=3, revents=POLLIN}])");
	expect(w, __NR_pselect6, ARGS(ABOVE | 4, set, 0, 0, 0, 0), 1,
	       "pselect6(4, [3], NULL, NULL, NULL, NULL) = 1 (in [3])");
	expect(w, __NR_bind, ARGS(3, address, ABOVE | 2), 0, "bind(3, {sa_family=AF_INET}, 2) = 0");
	expect(w, __NR_setgroups_, ARGS(ABOVE | 2, groups), 0,
	       "setgroups" GROUPS_END "(2, [4, 5]) = 0");
	expect(w, __NR_setgroups_, ARGS(0, groups), 0, "setgroups" GROUPS_END "(0, []) = 0");
	expect(w, __NR_sethostname, ARGS(text, ABOVE | 4), 0, "sethostname(\"host\", 4) = 0");
	EXPECT(w, __NR_sethostname, ARGS(text, ABOVE | -1U), -EINVAL,
	       "sethostname(0x%lx, -1) = -1 EINVAL", text);
	EXPECT(w, __NR_setgroups_, ARGS(ABOVE | -1U, groups), -EINVAL,
	       "setgroups" GROUPS_END "(-1, 0x%lx) = -1 EINVAL", groups);
	EXPECT(w, __NR_readlink, ARGS(text, text, ABOVE | -1U), 4,
	       "readlink(\"host\", 0x%lx, -1) = 4", text);
	/* A size has all bits of a word */
	w->wants.most = 3;
	EXPECT(w, __NR_write, ARGS(1, text, ABOVE | 4), -EFAULT, IS_ENABLED(CONFIG_64BIT) ?
	       "write(1, \"hos\"..., 0x%lx) = -1 EFAULT" : "write(1, \"hos\"..., %lu) = -1 EFAULT",
	       ABOVE | 4);
}

static void expect_message(struct world *w, int slot, unsigned long message, int at, int length,
			   const char *expected)
{
	begin_call(w, slot, ARGS(3, message, 0));
	KUNIT_ASSERT_EQ(w->test, copy_to_user((void __user *)message + at, &length, 4), 0);
	read_returned(w, 5);
	KUNIT_EXPECT_STREQ(w->test, print_call(w, slot, 5), expected);
}

/* The kernel tells how long an address is, whatever room there was for it */
static void lengths_messages(struct kunit *test)
{
	struct world *w = new_world(test);
	struct sockaddr_un un = { .sun_family = AF_UNIX, .sun_path = "/run/x" };
	unsigned long address = PUT(w, un);
	struct user_msghdr msg = { .msg_name = (void __user *)address, .msg_namelen = 6 };
	unsigned long message = PUT(w, msg);
	unsigned int at = offsetof(struct user_msghdr, msg_namelen);

	need_names(test);
	expect_message(w, __NR_recvmsg, message, at, 110,
		       "recvmsg(3, {msg_name={sa_family=AF_UNIX, sun_path=\"/run\"}, msg_namelen=6 => 110, msg_iov=NULL, msg_iovlen=0, msg_controllen=0, msg_flags=0}, 0) = 5");
	/* The room is that of before, so no call finds another room here */
	expect_message(w, __NR_recvmsg, message, at, 4,
		       "recvmsg(3, {msg_name={sa_family=AF_UNIX, sun_path=\"/r\"}, msg_namelen=110 => 4, msg_iov=NULL, msg_iovlen=0, msg_controllen=0, msg_flags=0}, 0) = 5");
	begin_call(w, __NR_recvmsg, ARGS(3, message, 0));
	w->task->missed = 0;
	trace_syscall_memory_of(w->task)->size = 0;
	read_returned(w, 5);
	KUNIT_EXPECT_NOT_NULL(test, strstr(print_call(w, __NR_recvmsg, 5),
					   ", msg_namelen=? => 4, msg_iov"));
	KUNIT_EXPECT_NOT_NULL(test, strstr(w->seq->buffer, "{msg_name=0x"));
#ifdef ARCH_TRACE_COMPAT_SYSCALLS
	struct compat_msghdr msg32 = { .msg_name = address, .msg_namelen = 5 };

	message = PUT(w, msg32);
	at = offsetof(struct compat_msghdr, msg_namelen);
	expect_message(w, COMPAT(recvmsg), message, at, 16,
		       "recvmsg(3, {msg_name={sa_family=AF_UNIX, sun_path=\"/ru\"}, msg_namelen=5 => 16, msg_iov=NULL, msg_iovlen=0, msg_controllen=0, msg_flags=0}, 0) = 5");
#endif
	/* What is sent has the length that is told, be it one that no address has */
	msg.msg_namelen = -1;
	message = PUT(w, msg);
	EXPECT(w, __NR_sendmsg, ARGS(3, message, 0), -EINVAL,
	       "sendmsg(3, {msg_name=0x%lx, msg_namelen=-1, msg_iov=NULL, msg_iovlen=0, msg_controllen=0, msg_flags=0}, 0) = -1 EINVAL",
	       address);
}

/* An address that is longer than its structure */
static void lengths_addresses(struct kunit *test)
{
	struct world *w = new_world(test);
	struct {
		struct sockaddr_un	un;
		char			behind[18];
	} long_one = { .un.sun_family = AF_UNIX };
	char path[sizeof(long_one.un.sun_path) + 1] = {};
	unsigned long address;

	need_names(test);
	memset(path, 'p', sizeof(path) - 1);
	memcpy(long_one.un.sun_path, path, sizeof(long_one.un.sun_path));
	memset(long_one.behind, 'b', sizeof(long_one.behind));
	address = PUT(w, long_one);
	EXPECT(w, __NR_bind, ARGS(3, address, 128), -EINVAL,
	       "bind(3, {sa_family=AF_UNIX, sun_path=\"%s\"}, 128) = -1 EINVAL", path);
	long_one.un.sun_path[0] = 0;
	address = PUT(w, long_one);
	EXPECT(w, __NR_bind, ARGS(3, address, 128), -EINVAL,
	       "bind(3, {sa_family=AF_UNIX, sun_path=@\"%s\"}, 128) = -1 EINVAL", path + 1);
}

/* A set of signals of another size than it has */
static void lengths_signals(struct kunit *test)
{
	struct world *w = new_world(test);
	u64 bits = BIT_ULL(SIGINT - 1);
	unsigned long set = PUT(w, bits);

	need_names(test);
	expect(w, __NR_rt_sigpending, ARGS(set, 8), 0, "rt_sigpending([INT], 8) = 0");
	EXPECT(w, __NR_rt_sigpending, ARGS(set, 4), 0, "rt_sigpending(0x%lx, 4) = 0", set);
	EXPECT(w, __NR_rt_sigpending, ARGS(set, 0), 0, "rt_sigpending(0x%lx, 0) = 0", set);
	EXPECT(w, __NR_rt_sigsuspend, ARGS(set, 4), -EINVAL,
	       "rt_sigsuspend(0x%lx, 4) = -1 EINVAL", set);
	EXPECT(w, __NR_signalfd4, ARGS(-1U, set, 4, 0), -EINVAL,
	       "signalfd4(-1, 0x%lx, 4, 0) = -1 EINVAL", set);
	EXPECT(w, __NR_ppoll, ARGS(0, 0, 0, set, 4), -EINVAL,
	       "ppoll(NULL, 0, NULL, 0x%lx, 4) = -1 EINVAL", set);
	expect(w, __NR_ppoll, ARGS(0, 0, 0, set, 8), 0, "ppoll(NULL, 0, NULL, [INT], 8) = 0");
#ifdef ARCH_TRACE_COMPAT_SYSCALLS
	expect(w, COMPAT(rt_sigpending), ARGS(set, 8), 0, "rt_sigpending([INT], 8) = 0");
	EXPECT(w, COMPAT(rt_sigpending), ARGS(set, 4), 0, "rt_sigpending(0x%lx, 4) = 0", set);
#endif
}

/* A set of processors that is longer than that of the kernel */
static void lengths_processors(struct kunit *test)
{
	struct world *w = new_world(test);
	u8 bytes[128] = { 0x05 };
	unsigned long set;

	if (cpumask_size() >= sizeof(bytes))
		kunit_skip(test, "this kernel has a set of %u bytes", cpumask_size());
	bytes[cpumask_size()] = 0xff;
	set = PUT(w, bytes);
	expect(w, __NR_sched_setaffinity, ARGS(0, 128, set), 0,
	       "sched_setaffinity(0, 128, [0 2]) = 0");
}

/* Numbers that are called descriptors */
static void lengths_descriptors(struct kunit *test)
{
	struct world *w = new_world(test);
	int fd = open_directory(test, "/");
	u32 op = IORING_UNREGISTER_BUFFERS, flags = IORING_ENTER_REGISTERED_RING;

	need_names(test);
	w->wants.paths = true;
	EXPECT(w, __NR_pidfd_getfd, ARGS(fd, fd, 0), fd, "pidfd_getfd(%d</>, %d, 0) = %d</>",
	       fd, fd, fd);
	EXPECT(w, __NR_io_uring_register, ARGS(fd, op, 0, 0), 0,
	       "io_uring_register(%d</>, IORING_UNREGISTER_BUFFERS, NULL, 0) = 0", fd);
	op |= IORING_REGISTER_USE_REGISTERED_RING;
	EXPECT(w, __NR_io_uring_register, ARGS(fd, op, 0, 0), 0,
	       "io_uring_register(%d, IORING_UNREGISTER_BUFFERS|IORING_REGISTER_USE_REGISTERED_RING, NULL, 0) = 0",
	       fd);
	EXPECT(w, __NR_io_uring_enter, ARGS(fd, 0, 0, 0, 0, 8), 0,
	       "io_uring_enter(%d</>, 0, 0, 0, NULL, 8) = 0", fd);
	EXPECT(w, __NR_io_uring_enter, ARGS(fd, 0, 0, flags, 0, 8), 0,
	       "io_uring_enter(%d, 0, 0, IORING_ENTER_REGISTERED_RING, NULL, 8) = 0", fd);
	close_fd(fd);
}

/* Results that are a descriptor sometimes */
static void lengths_given_descriptors(struct kunit *test)
{
	struct world *w = new_world(test);
	int fd = open_directory(test, "/");
	struct io_uring_params params = {}, placed = { .flags = IORING_SETUP_REGISTERED_FD_ONLY };
	unsigned long with = PUT(w, params), without = PUT(w, placed);

	need_names(test);
	w->wants.paths = true;
	w->wants.most = 0;
	EXPECT(w, __NR_io_uring_setup, ARGS(1, with), fd, "io_uring_setup(1, 0x%lx) = %d</>",
	       with, fd);
	EXPECT(w, __NR_io_uring_setup, ARGS(1, without), fd, "io_uring_setup(1, 0x%lx) = %d",
	       without, fd);
	EXPECT(w, __NR_fcntl, ARGS(fd, ABOVE | F_DUPFD, 0), fd,
	       "fcntl(%d</>, F_DUPFD, 0) = %d</>", fd, fd);
	if (!trace_syscall_meta(__NR_landlock_create_ruleset))
		goto out;
	EXPECT(w, __NR_landlock_create_ruleset, ARGS(with, 8, 0), fd,
	       "landlock_create_ruleset(0x%lx, 8, 0) = %d</>", with, fd);
	EXPECT(w, __NR_landlock_create_ruleset, ARGS(0, 0, LANDLOCK_CREATE_RULESET_VERSION), fd,
	       "landlock_create_ruleset(NULL, 0, LANDLOCK_CREATE_RULESET_VERSION) = %d", fd);
out:
	close_fd(fd);
}

/* A line that is longer than a reader's buffer */
static void lengths_lines(struct kunit *test)
{
	static const int slots[] = {
		__NR_pselect6,
#ifdef ARCH_TRACE_COMPAT_SYSCALLS
		COMPAT(pselect6),
#endif
	};
	struct world *w = new_world(test);
	u8 bytes[128];
	unsigned long set, i;

	need_names(test);
	memset(bytes, 0xff, sizeof(bytes));
	set = PUT(w, bytes);
	for (i = 0; i < ARRAY_SIZE(slots); i++) {
		read_call(w, slots[i], ARGS(1024, set, set, set, 0, 0), 1000);
		w->alone = true;
		print_call(w, slots[i], 1000);
		KUNIT_EXPECT_FALSE(test, w->seq->full);
		KUNIT_EXPECT_TRUE(test, strstarts(w->seq->buffer, "pselect6(1024, [0 1 2 3 "));
		/* What is behind has its room */
		KUNIT_EXPECT_NOT_NULL_MSG(test, strstr(w->seq->buffer,
						       "...], NULL, NULL) = 1000 (in [0 1 2 "),
					  "%s", w->seq->buffer);
		KUNIT_EXPECT_NOT_NULL(test, strstr(w->seq->buffer, "...], out [0 1 2 "));
		KUNIT_EXPECT_NOT_NULL(test, strstr(w->seq->buffer, "...], except [0 1 2 "));
		KUNIT_EXPECT_STREQ(test, w->seq->buffer + strlen(w->seq->buffer) - 5, "...])");
		/* With others before it, it is given up, and tried again */
		w->alone = false;
		print_call(w, slots[i], 1000);
		KUNIT_EXPECT_TRUE(test, w->seq->full);
	}
}

/* The last argument has nothing behind it but the parenthesis and the result */
static void lengths_last_argument(struct kunit *test)
{
	struct world *w = new_world(test);
	char text[65] = {};
	unsigned long name;

	need_names(test);
	memset(text, 'n', sizeof(text) - 1);
	name = PUT(w, text);
	w->wants.most = sizeof(text);
	read_call(w, __NR_chdir, ARGS(name), -ENOENT);
	w->alone = true;
	w->room = TRACE_TEXT_RESULT + 20;
	KUNIT_EXPECT_STREQ(test, print_call(w, __NR_chdir, -ENOENT),
			   "chdir(\"nnnnnnnnnnnnn\"...) = -1 ENOENT");
}

static struct kunit_case cases[] = {
	KUNIT_CASE(lengths_results),
	KUNIT_CASE(lengths_widths),
	KUNIT_CASE(lengths_messages),
	KUNIT_CASE(lengths_addresses),
	KUNIT_CASE(lengths_signals),
	KUNIT_CASE(lengths_processors),
	KUNIT_CASE(lengths_descriptors),
	KUNIT_CASE(lengths_given_descriptors),
	KUNIT_CASE(lengths_lines),
	KUNIT_CASE(lengths_last_argument),
	{}
};

static struct kunit_suite suite = {
	.name		= "trace_syscalls_lengths",
	.test_cases	= cases,
};

kunit_test_suite(suite);

MODULE_DESCRIPTION("KUnit tests of the counts and lengths of syscalls");
