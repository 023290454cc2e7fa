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
#include <linux/file.h>
#include <linux/gfp.h>
#include <linux/in.h>
#include <linux/io.h>
#include <linux/mm.h>
#include <linux/mman.h>
#include <linux/msg.h>
#include <linux/poll.h>
#include <linux/sched/signal.h>
#include <linux/signal.h>
#include <linux/socket.h>
#include <linux/string.h>
#include <linux/uio.h>
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
	struct iovec iov[] = { { (void __user *)text, 2 }, { (void __user *)text, 3 } };
	unsigned long vec = PUT(w, iov);
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
	/* The kernel passes on the lower half of the number of buffers, whatever its type */
	EXPECT(w, __NR_writev, ARGS(1, vec, ABOVE | 1), 2, IS_ENABLED(CONFIG_64BIT) ?
	       "writev(1, [{iov_base=\"ho\", iov_len=2}], 0x%lx) = 2" :
	       "writev(1, [{iov_base=\"ho\", iov_len=2}], %lu) = 2", ABOVE | 1);
	EXPECT(w, __NR_readv, ARGS(1, vec, ABOVE | 1), 2, IS_ENABLED(CONFIG_64BIT) ?
	       "readv(1, [{iov_base=\"ho\", iov_len=2}], 0x%lx) = 2" :
	       "readv(1, [{iov_base=\"ho\", iov_len=2}], %lu) = 2", ABOVE | 1);
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

/* More than the syscall takes: it fails, and reads nothing */
static void lengths_refused(struct kunit *test)
{
	struct world *w = new_world(test);
	unsigned long text = PUT_TEXT(w, "text"), name = PUT_TEXT(w, "user.x");
	struct iovec iov = { (void __user *)text, 4 };
	struct user_msghdr msg = { .msg_iov = (void __user *)PUT(w, iov), .msg_iovlen = 1025 };
	unsigned long vec = (unsigned long)msg.msg_iov, message = PUT(w, msg);
	u64 zeroes[16] = {};
	unsigned long nothing = PUT(w, zeroes);

	need_names(test);
	EXPECT(w, __NR_sethostname, ARGS(text, 65), -EINVAL, "sethostname(0x%lx, 65) = -1 EINVAL",
	       text);
	EXPECT(w, __NR_setxattr, ARGS(name, name, text, 65537, 0), -E2BIG,
	       "setxattr(\"user.x\", \"user.x\", 0x%lx, 65537, 0) = -1 E2BIG", text);
	EXPECT(w, __NR_setgroups_, ARGS(65537, text), -EINVAL,
	       "setgroups" GROUPS_END "(65537, 0x%lx) = -1 EINVAL", text);
	EXPECT(w, __NR_openat2, ARGS(3, name, nothing, PAGE_SIZE + 8), -E2BIG,
	       "openat2(3, \"user.x\", 0x%lx, %lu) = -1 E2BIG", nothing, PAGE_SIZE + 8);
	EXPECT(w, __NR_clone3, ARGS(nothing, PAGE_SIZE + 8), -E2BIG,
	       "clone3(0x%lx, %lu) = -1 E2BIG", nothing, PAGE_SIZE + 8);
	EXPECT(w, __NR_writev, ARGS(1, vec, 1025), -EINVAL, "writev(1, 0x%lx, 1025) = -1 EINVAL",
	       vec);
	EXPECT(w, __NR_sendmsg, ARGS(3, message, 0), -EMSGSIZE,
	       "sendmsg(3, {msg_name=NULL, msg_namelen=0, msg_iov=0x%lx, msg_iovlen=1025, msg_controllen=0, msg_flags=0}, 0) = -1 EMSGSIZE",
	       vec);
}

/* What another argument says is not looked at */
static void lengths_not_looked_at(struct kunit *test)
{
	struct world *w = new_world(test);
	struct epoll_event event = { .events = EPOLLIN, .data = 7 };
	unsigned long of_file = PUT(w, event), text = PUT_TEXT(w, "data");
	int length = 100;
	unsigned long room = PUT(w, length);

	need_names(test);
	EXPECT(w, __NR_epoll_ctl, ARGS(3, EPOLL_CTL_DEL, 4, of_file), 0,
	       "epoll_ctl(3, EPOLL_CTL_DEL, 4, 0x%lx) = 0", of_file);
	expect(w, __NR_epoll_ctl, ARGS(3, EPOLL_CTL_MOD, 4, of_file), 0,
	       "epoll_ctl(3, EPOLL_CTL_MOD, 4, {events=EPOLLIN, data={u32=7, u64=7}}) = 0");
	EXPECT(w, __NR_recvfrom, ARGS(3, text, 4, 0, 0, room), 4,
	       "recvfrom(3, \"data\", 4, 0, NULL, 0x%lx) = 4", room);
	EXPECT(w, __NR_accept4, ARGS(3, 0, room, 0), 5, "accept4(3, NULL, 0x%lx, 0) = 5", room);
}

/* A table of descriptors for more than @nr, or NULL */
static struct file *make_room(struct kunit *test, unsigned int nr, int *fd)
{
	struct rlimit *limit = &current->signal->rlim[RLIMIT_NOFILE];
	unsigned long was = limit->rlim_cur;
	struct file *file = filp_open("/", O_RDONLY | O_DIRECTORY, 0);

	KUNIT_ASSERT_FALSE(test, IS_ERR(file));
	limit->rlim_cur = 2 * nr;
	*fd = f_dupfd(nr - 1, file, 0);
	limit->rlim_cur = was;
	KUNIT_ASSERT_GE(test, *fd, 0);
	return file;
}

/* Of sets of descriptors, the kernel looks at those that the task has room for */
static void lengths_descriptor_sets(struct kunit *test)
{
	struct world *w = new_world(test);
	unsigned int room = files_fdtable(current->files)->max_fds;
	unsigned long all[1024 / BITS_PER_LONG], set, few;
	struct file *file;
	int fd;

	need_names(test);
	memset(all, 0, sizeof(all));
	__set_bit(5, all);
	__set_bit(room, all);
	set = PUT(w, all);
	expect(w, __NR_pselect6, ARGS(1024, set, 0, 0, 0, 0), 1,
	       "pselect6(1024, [5], NULL, NULL, NULL, NULL) = 1 (in [5])");
	/* Behind it may be nothing at all */
	few = w->end - room / BITS_PER_BYTE;
	KUNIT_ASSERT_EQ(test, put_user(BIT(3), (unsigned long __user *)few), 0);
	expect(w, __NR_pselect6, ARGS(1024, few, 0, 0, 0, 0), 1,
	       "pselect6(1024, [3], NULL, NULL, NULL, NULL) = 1 (in [3])");

	file = make_room(test, 4000, &fd);
	set = w->start;
	KUNIT_ASSERT_EQ(test, clear_user((void __user *)set, 512), 0);
	KUNIT_ASSERT_EQ(test, put_user(BIT(4), (unsigned long __user *)(set + 1504 / 8)), 0);
	expect(w, __NR_pselect6, ARGS(2048, 0, set, 0, 0, 0), 1,
	       "pselect6(2048, NULL, [1508], NULL, NULL, NULL) = 1 (out [1508])");
	/* Of more it is not said that there are none */
	expect(w, __NR_pselect6, ARGS(2400, 0, set, 0, 0, 0), 1,
	       "pselect6(2400, NULL, [1508 ...], NULL, NULL, NULL) = 1 (out [1508 ...])");
	KUNIT_ASSERT_EQ(test, clear_user((void __user *)set, 512), 0);
	expect(w, __NR_pselect6, ARGS(2400, 0, set, 0, 0, 0), 1,
	       "pselect6(2400, NULL, [...], NULL, NULL, NULL) = 1 (out [...])");
	/* Three of the longest have room, and what is given, too */
	expect(w, __NR_pselect6, ARGS(2400, set, set, set, 0, 0), 1,
	       "pselect6(2400, [...], [...], [...], NULL, NULL) = 1 (in [...], out [...], except [...])");
	close_fd(fd);
	filp_close(file, NULL);
}

static bool is_mapped(unsigned long address)
{
	struct page *page;

	if (!get_user_page_fast_only(address, 0, &page))
		return false;
	put_page(page);
	return true;
}

static void free_registers(void *page)
{
	free_page((unsigned long)page);
}

/* A page of shared memory that has a text; at this address, or at any if that is 0 */
static unsigned long map_text(struct kunit *test, unsigned long address, const char *text)
{
	unsigned long flags = MAP_SHARED | MAP_ANONYMOUS | (address ? MAP_FIXED : 0);

	address = vm_mmap(NULL, address, PAGE_SIZE, PROT_READ | PROT_WRITE, flags, 0);
	KUNIT_ASSERT_FALSE(test, IS_ERR_VALUE(address));
	if (text)
		KUNIT_ASSERT_EQ(test, copy_to_user((void __user *)address, text,
						   strlen(text) + 1), 0);
	return address;
}

/* Map a page there as the registers of a device are */
static void map_registers(struct kunit *test, unsigned long address, const char *text)
{
	char *registers = (char *)get_zeroed_page(GFP_KERNEL);
	struct vm_area_struct *vma;
	int err = -EFAULT;

	KUNIT_ASSERT_NOT_NULL(test, registers);
	KUNIT_ASSERT_EQ(test, kunit_add_action_or_reset(test, free_registers, registers), 0);
	strscpy(registers, text, PAGE_SIZE);
	map_text(test, address, NULL);
	mmap_write_lock(current->mm);
	vma = vma_lookup(current->mm, address);
	if (vma)
		err = remap_pfn_range(vma, address, PHYS_PFN(virt_to_phys(registers)), PAGE_SIZE,
				      vma->vm_page_prot);
	mmap_write_unlock(current->mm);
	KUNIT_ASSERT_EQ(test, err, 0);
}

/* Memory that reading would change: what was never touched, and registers of devices */
static void lengths_memory(struct kunit *test)
{
	struct world *w = new_world(test);
	unsigned long text = PUT_TEXT(w, "text"), untouched = w->start + 2 * PAGE_SIZE, registers;
	char read[8];

	EXPECT(w, __NR_write, ARGS(-1U, untouched, 4), -EBADF,
	       "write(-1, 0x%lx, 4) = -1 EBADF", untouched);
	EXPECT(w, __NR_chdir, ARGS(untouched), -ENOENT, "chdir(0x%lx) = -1 ENOENT", untouched);
	KUNIT_EXPECT_FALSE(test, is_mapped(untouched));
	/* The kernel reads it, and then it is there */
	begin_call(w, __NR_write, ARGS(1, untouched, 2));
	KUNIT_ASSERT_EQ(test, clear_user((void __user *)untouched, 1), 0);
	read_returned(w, 2);
	KUNIT_EXPECT_STREQ(test, print_call(w, __NR_write, 2), "write(1, \"\\0\\0\", 2) = 2");

	/* Where it was read last is not looked up again until areas change */
	current->trace_syscall = &w->task->state;
	expect(w, __NR_write, ARGS(-1U, text, 4), -EBADF, "write(-1, \"text\", 4) = -1 EBADF");
	KUNIT_EXPECT_EQ(test, w->task->area.start,
			IS_ENABLED(CONFIG_PER_VMA_LOCK) ? w->start : 0);
	/* A thread that changes areas need not be waited for where the page is mapped */
	mmap_write_lock(current->mm);
	expect(w, __NR_chdir, ARGS(text), -ENOENT, "chdir(\"text\") = -1 ENOENT");
	mmap_write_unlock(current->mm);
	registers = map_text(test, 0, "other");
	expect(w, __NR_chdir, ARGS(registers), -ENOENT, "chdir(\"other\") = -1 ENOENT");
	map_registers(test, registers, "more");
	EXPECT(w, __NR_write, ARGS(-1U, registers, 4), -EBADF, "write(-1, 0x%lx, 4) = -1 EBADF",
	       registers);
	EXPECT(w, __NR_chdir, ARGS(registers), -ENOENT, "chdir(0x%lx) = -1 ENOENT", registers);
	/* They could have been read */
	KUNIT_ASSERT_EQ(test, copy_from_user(read, (void __user *)registers, sizeof(read)), 0);
	KUNIT_EXPECT_STREQ(test, read, "more");
	map_text(test, registers, "text");
	expect(w, __NR_chdir, ARGS(registers), -ENOENT, "chdir(\"text\") = -1 ENOENT");
	KUNIT_EXPECT_EQ(test, vm_munmap(registers, PAGE_SIZE), 0);
	current->trace_syscall = NULL;
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
	struct file *file;
	u8 bytes[128];
	unsigned long set, i;
	int fd;

	need_names(test);
	file = make_room(test, 1024, &fd);
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
	close_fd(fd);
	filp_close(file, NULL);
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
	KUNIT_CASE(lengths_refused),
	KUNIT_CASE(lengths_not_looked_at),
	KUNIT_CASE(lengths_descriptor_sets),
	KUNIT_CASE(lengths_memory),
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
