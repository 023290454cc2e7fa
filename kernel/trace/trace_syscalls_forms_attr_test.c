// SPDX-License-Identifier: GPL-2.0
/* KUnit tests of structures that programs describe their wishes with: io_uring, bpf, perf. */
#include <kunit/test.h>
#include <linux/uio.h>
#include <uapi/linux/io_uring.h>

#include "trace_syscalls_forms.h"
#include "trace_syscalls_forms_test.h"

/* The same call in the native table and in that of 32-bit programs */
#ifdef ARCH_TRACE_COMPAT_SYSCALLS
#define SLOTS(name)	{ __NR_##name, COMPAT(name) }
#else
#define SLOTS(name)	{ __NR_##name }
#endif

#define EACH_SLOT(slot, slots)							\
	for (const int *slot = slots; slot < slots + ARRAY_SIZE(slots); slot++)

static void attr_uring_setup(struct kunit *test)
{
	static const int setup[] = SLOTS(io_uring_setup);
	struct io_uring_params params = {
		.sq_entries = 1, .cq_entries = 2, .sq_thread_cpu = 3, .sq_thread_idle = 4,
		.flags = IORING_SETUP_SQPOLL | IORING_SETUP_CQSIZE | BIT(30), .wq_fd = 9,
		.features = IORING_FEAT_SINGLE_MMAP | IORING_FEAT_NODROP,
		.sq_off = { 1, 2, 3, 4, 5, 6, 7 }, .cq_off = { 8, 9, 10, 11, 12, 13, 14 },
	};
	struct io_uring_params attached = {
		.flags = IORING_SETUP_ATTACH_WQ, .wq_fd = -1, .resv = { 0, 6, 0 },
		.sq_off = { .user_addr = 0x123456789 },
	};
	struct world *w = new_world(test);
	unsigned long at = PUT(w, params), other = PUT(w, attached);

	need_names(test);
	EACH_SLOT(slot, setup) {
		expect(w, *slot, ARGS(1, at), 5,
		       "io_uring_setup(1, {flags=IORING_SETUP_SQPOLL|IORING_SETUP_CQSIZE|0x40000000, sq_thread_cpu=0x3, sq_thread_idle=4, sq_entries=1, cq_entries=2, features=IORING_FEAT_SINGLE_MMAP|IORING_FEAT_NODROP, sq_off={head=1, tail=2, ring_mask=3, ring_entries=4, flags=5, dropped=6, array=7}, cq_off={head=8, tail=9, ring_mask=10, ring_entries=11, overflow=12, cqes=13, flags=14}}) = 5");
		/* An error gives nothing, so what the program happens to have there is not shown */
		expect(w, *slot, ARGS(1, other), -EINVAL,
		       "io_uring_setup(1, {flags=IORING_SETUP_ATTACH_WQ, sq_thread_cpu=0, sq_thread_idle=0, wq_fd=-1, resv=[0, 0x6, 0]}) = -1 EINVAL");
		EXPECT(w, *slot, ARGS(1, w->end - 8), -EFAULT,
		       "io_uring_setup(1, 0x%lx) = -1 EFAULT", w->end - 8);
	}
}

static void attr_uring_enter(struct kunit *test)
{
	static const int enter[] = SLOTS(io_uring_enter);
	struct world *w = new_world(test);
	u64 set = BIT_ULL(SIGINT - 1);
	unsigned long at = PUT(w, set);

	need_names(test);
	EACH_SLOT(slot, enter) {
		expect(w, *slot, ARGS(3, 1, 2, IORING_ENTER_GETEVENTS, at, 8), 1,
		       "io_uring_enter(3, 1, 2, IORING_ENTER_GETEVENTS, [INT], 8) = 1");
		EXPECT(w, *slot, ARGS(3, 1, 2, IORING_ENTER_EXT_ARG, at, 8), -EINVAL,
		       "io_uring_enter(3, 1, 2, IORING_ENTER_EXT_ARG, 0x%lx, 8) = -1 EINVAL", at);
		EXPECT(w, *slot, ARGS(3, 1, 2, 0, at, 4), -EINVAL,
		       "io_uring_enter(3, 1, 2, 0, 0x%lx, 4) = -1 EINVAL", at);
	}
}

static void attr_uring_register(struct kunit *test)
{
	static const int reg[] = SLOTS(io_uring_register);
	struct world *w = new_world(test);
	int fds[] = { 0, -1 };
	struct io_uring_files_update update = { .offset = 1, .fds = PUT(w, fds) };
	struct io_uring_files_update hidden = { .offset = 1, .resv = 2, .fds = w->end };
	struct io_uring_buf_reg ring = { .ring_addr = 0x1000, .ring_entries = 4, .bgid = 5 };
	struct { struct io_uring_probe p; struct io_uring_probe_op op[2]; } probe = {
		{ .last_op = IORING_OP_READV, .ops_len = 2 },
		{ { .op = 0, .flags = IO_URING_OP_SUPPORTED }, { .op = IORING_OP_READV } },
	};
	unsigned long files = update.fds, change = PUT(w, update), bad = PUT(w, hidden);
	unsigned long buffers = PUT(w, ring), ops = PUT(w, probe);

	need_names(test);
	EACH_SLOT(slot, reg) {
		expect(w, *slot, ARGS(3, IORING_REGISTER_FILES, files, 2), 0,
		       "io_uring_register(3, IORING_REGISTER_FILES, [0, -1], 2) = 0");
		expect(w, *slot, ARGS(3, IORING_REGISTER_EVENTFD, files, 1), 0,
		       "io_uring_register(3, IORING_REGISTER_EVENTFD, [0], 1) = 0");
		EXPECT(w, *slot, ARGS(3, IORING_REGISTER_EVENTFD, files, 2), -EINVAL,
		       "io_uring_register(3, IORING_REGISTER_EVENTFD, 0x%lx, 2) = -1 EINVAL",
		       files);
		expect(w, *slot, ARGS(3, IORING_REGISTER_FILES_UPDATE, change, 2), 2,
		       "io_uring_register(3, IORING_REGISTER_FILES_UPDATE, {offset=1, fds=[0, -1]}, 2) = 2");
		EXPECT(w, *slot, ARGS(3, IORING_REGISTER_FILES_UPDATE, bad, 2), -EINVAL,
		       "io_uring_register(3, IORING_REGISTER_FILES_UPDATE, {offset=1, resv=0x2, fds=0x%lx}, 2) = -1 EINVAL",
		       w->end);
		expect(w, *slot, ARGS(3, IORING_REGISTER_PBUF_RING, buffers, 1), 0,
		       "io_uring_register(3, IORING_REGISTER_PBUF_RING, {ring_addr=0x1000, ring_entries=4, bgid=5}, 1) = 0");
		expect(w, *slot, ARGS(3, IORING_REGISTER_PROBE, ops, 2), 0,
		       "io_uring_register(3, IORING_REGISTER_PROBE, {last_op=IORING_OP_READV, ops_len=2, ops=[{op=IORING_OP_NOP, flags=IO_URING_OP_SUPPORTED}, {op=IORING_OP_READV, flags=0}]}, 2) = 0");
		expect(w, *slot, ARGS(3, 0x80000000U | IORING_UNREGISTER_FILES, 0, 0), 0,
		       "io_uring_register(3, IORING_UNREGISTER_FILES|IORING_REGISTER_USE_REGISTERED_RING, NULL, 0) = 0");
	}
}

/* Buffers are described in the words of the program */
static void attr_uring_buffers(struct kunit *test)
{
	struct world *w = new_world(test);
	struct iovec iov[] = { { (void __user *)0x1000, 2 }, { NULL, 6 } };
	u32 iov32[] = { 0x2000, 3 };
	unsigned long at = PUT(w, iov), at32 = PUT(w, iov32);

	need_names(test);
	expect(w, __NR_io_uring_register, ARGS(3, IORING_REGISTER_BUFFERS, at, 2), 0,
	       "io_uring_register(3, IORING_REGISTER_BUFFERS, [{iov_base=0x1000, iov_len=2}, {iov_base=NULL, iov_len=6}], 2) = 0");
#ifdef ARCH_TRACE_COMPAT_SYSCALLS
	expect(w, COMPAT(io_uring_register), ARGS(3, IORING_REGISTER_BUFFERS, at32, 1), 0,
	       "io_uring_register(3, IORING_REGISTER_BUFFERS, [{iov_base=0x2000, iov_len=3}], 1) = 0");
#else
	expect(w, __NR_io_uring_register, ARGS(3, IORING_REGISTER_BUFFERS, at32, 1), 0,
	       IS_ENABLED(CONFIG_64BIT) ?
	       "io_uring_register(3, IORING_REGISTER_BUFFERS, [{iov_base=0x300002000, iov_len=0}], 1) = 0" :
	       "io_uring_register(3, IORING_REGISTER_BUFFERS, [{iov_base=0x2000, iov_len=3}], 1) = 0");
#endif
}

static struct kunit_case cases[] = {
	KUNIT_CASE(attr_uring_setup),
	KUNIT_CASE(attr_uring_enter),
	KUNIT_CASE(attr_uring_register),
	KUNIT_CASE(attr_uring_buffers),
	{}
};

static struct kunit_suite suite = {
	.name		= "trace_syscalls_attributes",
	.test_cases	= cases,
};

kunit_test_suite(suite);

MODULE_DESCRIPTION("KUnit tests of what syscalls are told in structures");
