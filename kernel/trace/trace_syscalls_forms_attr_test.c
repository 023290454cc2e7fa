// SPDX-License-Identifier: GPL-2.0
/* KUnit tests of structures that programs describe their wishes with: io_uring, bpf, perf. */
#include <kunit/test.h>
#include <linux/fcntl.h>
#include <linux/fdtable.h>
#include <linux/uio.h>
#include <uapi/linux/bpf.h>
#include <uapi/linux/fanotify.h>
#include <uapi/linux/futex.h>
#include <uapi/linux/io_uring.h>
#include <uapi/linux/landlock.h>
#include <uapi/linux/mman.h>
#include <uapi/linux/mount.h>
#include <uapi/linux/perf_event.h>
#include <uapi/linux/pidfd.h>

#include "trace_syscalls_forms.h"
#include "trace_syscalls_forms_test.h"

/* The same call in the native table and in that of 32-bit programs */
#ifdef ARCH_TRACE_COMPAT_SYSCALLS
#define SLOTS(name)	{ __NR_##name, COMPAT(name) }
#else
#define SLOTS(name)	{ __NR_##name }
#endif

#ifdef ARCH_TRACE_COMPAT_SYSCALLS
#define SLOT_32(name)	COMPAT(name)
#else
#define SLOT_32(name)	__NR_##name
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
	unsigned long at = PUT(w, iov), at32 __maybe_unused = PUT(w, iov32);

	need_names(test);
	expect(w, __NR_io_uring_register, ARGS(3, IORING_REGISTER_BUFFERS, at, 2), 0,
	       "io_uring_register(3, IORING_REGISTER_BUFFERS, [{iov_base=0x1000, iov_len=2}, {iov_base=NULL, iov_len=6}], 2) = 0");
#ifdef ARCH_TRACE_COMPAT_SYSCALLS
	expect(w, COMPAT(io_uring_register), ARGS(3, IORING_REGISTER_BUFFERS, at32, 1), 0,
	       "io_uring_register(3, IORING_REGISTER_BUFFERS, [{iov_base=0x2000, iov_len=3}], 1) = 0");
#elif defined(CONFIG_X86_32)
	expect(w, __NR_io_uring_register, ARGS(3, IORING_REGISTER_BUFFERS, at32, 1), 0,
	       "io_uring_register(3, IORING_REGISTER_BUFFERS, [{iov_base=0x2000, iov_len=3}], 1) = 0");
#endif
}

/* A whole union, of which the program says how much it has filled */
static void expect_bpf(struct world *w, int slot, int cmd, const union bpf_attr *attr,
		       unsigned int size, long ret, const char *members)
{
	unsigned long at = PUT(w, *attr);
	const char *name = trace_syscall_name(trace_syscall_meta(slot), slot);

	EXPECT(w, slot, ARGS(cmd, at, size), ret, "%s%s, %u) = %ld", name, members, size, ret);
}

static void attr_bpf_maps(struct kunit *test)
{
	static const int bpf[] = SLOTS(bpf);
	struct world *w = new_world(test);
	union bpf_attr map = {
		.map_type = BPF_MAP_TYPE_HASH, .key_size = 4, .value_size = 8, .max_entries = 16,
		.map_flags = BPF_F_NO_PREALLOC, .inner_map_fd = 3, .numa_node = 1,
		.map_name = "a\"b", .btf_fd = -1, .btf_key_type_id = 5,
	};
	union bpf_attr numa = { .map_type = 99, .map_flags = BPF_F_NUMA_NODE, .numa_node = 1,
				.map_token_fd = 7 };
	union bpf_attr elem = { .map_fd = 3, .key = 0x1000, .value = 0x123456789abcULL,
				.flags = BPF_EXIST | BPF_F_LOCK };

	need_names(test);
	EACH_SLOT(slot, bpf) {
		expect_bpf(w, *slot, BPF_MAP_CREATE, &map, 16, 3,
			   "(BPF_MAP_CREATE, {map_type=BPF_MAP_TYPE_HASH, key_size=4, value_size=8, max_entries=16}");
		expect_bpf(w, *slot, BPF_MAP_CREATE, &map, 17, 3,
			   "(BPF_MAP_CREATE, {map_type=BPF_MAP_TYPE_HASH, key_size=4, value_size=8, max_entries=16, map_flags=BPF_F_NO_PREALLOC}");
		expect_bpf(w, *slot, BPF_MAP_CREATE, &map, 64, 3,
			   "(BPF_MAP_CREATE, {map_type=BPF_MAP_TYPE_HASH, key_size=4, value_size=8, max_entries=16, map_flags=BPF_F_NO_PREALLOC, inner_map_fd=3, map_name=\"a\\\"b\", map_ifindex=0, btf_fd=-1, btf_key_type_id=5, btf_value_type_id=0, btf_vmlinux_value_type_id=0}");
		expect_bpf(w, *slot, BPF_MAP_CREATE, &numa, sizeof(numa), 3,
			   "(BPF_MAP_CREATE, {map_type=99, key_size=0, value_size=0, max_entries=0, map_flags=BPF_F_NUMA_NODE, inner_map_fd=0, numa_node=1, map_name=\"\", map_ifindex=0, btf_fd=0, btf_key_type_id=0, btf_value_type_id=0, btf_vmlinux_value_type_id=0, map_extra=0, map_token_fd=7}");
		expect_bpf(w, *slot, BPF_MAP_UPDATE_ELEM, &elem, 32, 0,
			   "(BPF_MAP_UPDATE_ELEM, {map_fd=3, key=0x1000, value=0x123456789abc, flags=BPF_EXIST|BPF_F_LOCK}");
		expect_bpf(w, *slot, BPF_MAP_LOOKUP_ELEM, &elem, 24, 0,
			   "(BPF_MAP_LOOKUP_ELEM, {map_fd=3, key=0x1000, value=0x123456789abc}");
		/* More than the command knows, if it is not zero */
		expect_bpf(w, *slot, BPF_MAP_DELETE_ELEM, &elem, 16, 0,
			   "(BPF_MAP_DELETE_ELEM, {map_fd=3, key=0x1000}");
		expect_bpf(w, *slot, BPF_MAP_DELETE_ELEM, &elem, 24, 0,
			   "(BPF_MAP_DELETE_ELEM, {map_fd=3, key=0x1000, ...}");
		expect_bpf(w, *slot, BPF_MAP_FREEZE, &map, 12, 0,
			   "(BPF_MAP_FREEZE, {map_fd=1, ...}");
	}
}

static void attr_bpf_programs(struct kunit *test)
{
	static const int bpf[] = SLOTS(bpf);
	struct world *w = new_world(test);
	unsigned long license = PUT_TEXT(w, "GPL"), path = PUT_TEXT(w, "/sys/fs/bpf/x");
	union bpf_attr prog = {
		.prog_type = BPF_PROG_TYPE_XDP, .insn_cnt = 2, .insns = 0x1000,
		.license = license, .log_level = 1, .log_size = 64, .log_buf = 0x2000,
		.kern_version = 0x060c75, .prog_flags = BPF_F_SLEEPABLE, .prog_name = "p",
		.expected_attach_type = BPF_XDP,
	};
	union bpf_attr unreadable = { .prog_type = BPF_PROG_TYPE_XDP, .license = w->end };
	union bpf_attr obj = { .pathname = path, .bpf_fd = 5, .file_flags = BPF_F_RDONLY };
	union bpf_attr tracepoint = { .raw_tracepoint = { .name = path, .prog_fd = -1 } };
	union bpf_attr btf = { .btf = path, .btf_size = 4, .btf_log_buf = 0x3000 };
	union bpf_attr attach = { .target_fd = 3, .attach_bpf_fd = 4, .attach_type = BPF_XDP,
				  .attach_flags = BPF_F_ALLOW_MULTI };

	need_names(test);
	/* What the first ones put there stays, because each is put behind it */
	w->start = w->at;
	EACH_SLOT(slot, bpf) {
		expect_bpf(w, *slot, BPF_PROG_LOAD, &prog, 48, 3,
			   "(BPF_PROG_LOAD, {prog_type=BPF_PROG_TYPE_XDP, insn_cnt=2, insns=0x1000, license=\"GPL\", log_level=1, log_size=64, log_buf=0x2000, kern_version=KERNEL_VERSION(6, 12, 117), prog_flags=BPF_F_SLEEPABLE}");
		expect_bpf(w, *slot, BPF_PROG_LOAD, &prog, 72, 3,
			   "(BPF_PROG_LOAD, {prog_type=BPF_PROG_TYPE_XDP, insn_cnt=2, insns=0x1000, license=\"GPL\", log_level=1, log_size=64, log_buf=0x2000, kern_version=KERNEL_VERSION(6, 12, 117), prog_flags=BPF_F_SLEEPABLE, prog_name=\"p\", prog_ifindex=0, expected_attach_type=BPF_XDP}");
		w->at = w->start;
		EXPECT(w, *slot, ARGS(BPF_PROG_LOAD, PUT(w, unreadable), 24), -EFAULT,
		       "bpf(BPF_PROG_LOAD, {prog_type=BPF_PROG_TYPE_XDP, insn_cnt=0, insns=NULL, license=0x%lx}, 24) = -1 EFAULT",
		       w->end);
		expect_bpf(w, *slot, BPF_OBJ_GET, &obj, 16, 3,
			   "(BPF_OBJ_GET, {pathname=\"/sys/fs/bpf/x\", bpf_fd=5, file_flags=BPF_F_RDONLY}");
		expect_bpf(w, *slot, BPF_OBJ_GET, &obj, 12, 3,
			   "(BPF_OBJ_GET, {pathname=\"/sys/fs/bpf/x\", bpf_fd=5}");
		expect_bpf(w, *slot, BPF_RAW_TRACEPOINT_OPEN, &tracepoint, 16, 3,
			   "(BPF_RAW_TRACEPOINT_OPEN, {raw_tracepoint={name=\"/sys/fs/bpf/x\", prog_fd=-1}}");
		expect_bpf(w, *slot, BPF_BTF_LOAD, &btf, 28, 3,
			   "(BPF_BTF_LOAD, {btf=\"/sys\", btf_log_buf=0x3000, btf_size=4, btf_log_size=0, btf_log_level=0}");
		expect_bpf(w, *slot, BPF_PROG_ATTACH, &attach, 16, 0,
			   "(BPF_PROG_ATTACH, {target_fd=3, attach_bpf_fd=4, attach_type=BPF_XDP, attach_flags=BPF_F_ALLOW_MULTI}");
	}
}

static void attr_bpf_others(struct kunit *test)
{
	static const int bpf[] = SLOTS(bpf);
	struct world *w = new_world(test);
	union bpf_attr id = { .start_id = 5, .open_flags = 1 };
	union bpf_attr info = { .info = { .bpf_fd = 3, .info_len = 80, .info = 0x1000 } };
	union bpf_attr batch = { .batch = { .keys = 0x1000, .values = 0x2000, .count = 4,
					    .map_fd = 3 } };
	union bpf_attr link = { .link_create = { .prog_fd = 3, .target_fd = -1,
						 .attach_type = BPF_PERF_EVENT,
						 .perf_event.bpf_cookie = 0x55 } };
	union bpf_attr cgroup = { .link_create = { .attach_type = BPF_CGROUP_DEVICE } };
	union bpf_attr update = { .link_update = { .link_fd = 3, .new_prog_fd = 4,
						   .flags = BPF_F_REPLACE, .old_prog_fd = 5 } };
	unsigned long at;

	need_names(test);
	EACH_SLOT(slot, bpf) {
		expect_bpf(w, *slot, BPF_MAP_GET_NEXT_ID, &id, 8, 0,
			   "(BPF_MAP_GET_NEXT_ID, {start_id=5, next_id=0}");
		expect_bpf(w, *slot, BPF_PROG_GET_FD_BY_ID, &id, 12, 3,
			   "(BPF_PROG_GET_FD_BY_ID, {prog_id=5, next_id=0, open_flags=0x1}");
		expect_bpf(w, *slot, BPF_LINK_GET_FD_BY_ID, &id, 4, 3,
			   "(BPF_LINK_GET_FD_BY_ID, {link_id=5}");
		expect_bpf(w, *slot, BPF_OBJ_GET_INFO_BY_FD, &info, 16, 0,
			   "(BPF_OBJ_GET_INFO_BY_FD, {info={bpf_fd=3, info_len=80, info=0x1000}}");
		expect_bpf(w, *slot, BPF_MAP_UPDATE_BATCH, &batch, 56, 0,
			   "(BPF_MAP_UPDATE_BATCH, {batch={keys=0x1000, values=0x2000, count=4, map_fd=3, elem_flags=BPF_ANY, flags=0}}");
		expect_bpf(w, *slot, BPF_LINK_CREATE, &link, 24, 5,
			   "(BPF_LINK_CREATE, {link_create={prog_fd=3, target_fd=-1, attach_type=BPF_PERF_EVENT, flags=0, perf_event={bpf_cookie=0x55}}}");
		expect_bpf(w, *slot, BPF_LINK_CREATE, &cgroup, 16, 5,
			   "(BPF_LINK_CREATE, {link_create={prog_fd=0, target_fd=0, attach_type=BPF_CGROUP_DEVICE, flags=0}}");
		expect_bpf(w, *slot, BPF_LINK_UPDATE, &update, 16, 0,
			   "(BPF_LINK_UPDATE, {link_update={link_fd=3, new_prog_fd=4, flags=BPF_F_REPLACE, old_prog_fd=5}}");
		/* Commands and sizes that are none, and memory that is not there */
		at = w->start;
		EXPECT(w, *slot, ARGS(77, at, 16), -EINVAL, "bpf(77, 0x%lx, 16) = -1 EINVAL", at);
		EXPECT(w, *slot, ARGS(BPF_MAP_CREATE, at, 0), -EINVAL,
		       "bpf(BPF_MAP_CREATE, 0x%lx, 0) = -1 EINVAL", at);
		EXPECT(w, *slot, ARGS(BPF_MAP_CREATE, at, 5000), -E2BIG,
		       "bpf(BPF_MAP_CREATE, 0x%lx, 5000) = -1 E2BIG", at);
		EXPECT(w, *slot, ARGS(BPF_MAP_CREATE, w->end - 8, 16), -EFAULT,
		       "bpf(BPF_MAP_CREATE, 0x%lx, 16) = -1 EFAULT", w->end - 8);
	}
}

/* The word that was there before, and what the call wrote over it */
static void attr_bpf_given(struct kunit *test)
{
	struct world *w = new_world(test);
	union bpf_attr id = { .start_id = 5 };
	unsigned long at = PUT(w, id);
	u32 given = 97;

	need_names(test);
	read_call(w, __NR_bpf, ARGS(BPF_PROG_GET_NEXT_ID, at, 8), -ENOENT);
	w->at = at + offsetof(union bpf_attr, next_id);
	PUT(w, given);
	read_returned(w, 0);
	KUNIT_EXPECT_STREQ(test, print_call(w, __NR_bpf, 0),
			   "bpf(BPF_PROG_GET_NEXT_ID, {start_id=5, next_id=0 => 97}, 8) = 0");
}

static void expect_perf(struct world *w, int slot, const struct perf_event_attr *attr,
			const char *members)
{
	unsigned long at = PUT(w, *attr);

	EXPECT(w, slot, ARGS(at, 0, -1UL, -1UL, PERF_FLAG_FD_CLOEXEC), 3,
	       "perf_event_open({%s, ...}, 0, -1, -1, PERF_FLAG_FD_CLOEXEC) = 3", members);
}

static void attr_perf(struct kunit *test)
{
	static const int open[] = SLOTS(perf_event_open);
	struct world *w = new_world(test);
	struct perf_event_attr clock = {
		.type = PERF_TYPE_SOFTWARE, .size = PERF_ATTR_SIZE_VER7,
		.config = PERF_COUNT_SW_TASK_CLOCK, .sample_period = 4000,
		.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID, .read_format = PERF_FORMAT_ID,
		.disabled = 1, .freq = 1, .watermark = 1, .precise_ip = 2, .mmap_data = 1,
		.sigtrap = 1,
	};
	struct perf_event_attr hardware = {
		.type = PERF_TYPE_HARDWARE, .size = 0,
		.config = 7ULL << 32 | PERF_COUNT_HW_INSTRUCTIONS,
	};
	struct perf_event_attr cache = {
		.type = PERF_TYPE_HW_CACHE, .size = PERF_ATTR_SIZE_VER0,
		.config = PERF_COUNT_HW_CACHE_RESULT_MISS << 16 | PERF_COUNT_HW_CACHE_LL,
		.precise_ip = 3, .__reserved_1 = 1,
	};
	struct perf_event_attr other = { .type = 77, .size = 4096, .config = 0x77 };
	struct perf_event_attr tracepoint = { .type = PERF_TYPE_TRACEPOINT, .size = 200,
					      .config = 77 };
	struct perf_event_attr small = { .size = PERF_ATTR_SIZE_VER0 - 1 };
	struct perf_event_attr large = { .size = 4097 };
	unsigned long at;

	need_names(test);
	EACH_SLOT(slot, open) {
		expect_perf(w, *slot, &clock,
			    "type=PERF_TYPE_SOFTWARE, size=PERF_ATTR_SIZE_VER7, config=PERF_COUNT_SW_TASK_CLOCK, sample_freq=4000, sample_type=PERF_SAMPLE_IP|PERF_SAMPLE_TID, read_format=PERF_FORMAT_ID, disabled=1, freq=1, watermark=1, precise_ip=2 /* requested to have 0 skid */, mmap_data=1, sigtrap=1");
		expect_perf(w, *slot, &hardware,
			    "type=PERF_TYPE_HARDWARE, size=0, config=0x7<<32|PERF_COUNT_HW_INSTRUCTIONS, sample_period=0, sample_type=0, read_format=0, precise_ip=0 /* arbitrary skid */");
		expect_perf(w, *slot, &cache,
			    "type=PERF_TYPE_HW_CACHE, size=PERF_ATTR_SIZE_VER0, config=PERF_COUNT_HW_CACHE_RESULT_MISS<<16|PERF_COUNT_HW_CACHE_OP_READ<<8|PERF_COUNT_HW_CACHE_LL, sample_period=0, sample_type=0, read_format=0, precise_ip=3 /* must have 0 skid */, __reserved_1=0x1");
		expect_perf(w, *slot, &other,
			    "type=77, size=4096, config=0x77, sample_period=0, sample_type=0, read_format=0, precise_ip=0 /* arbitrary skid */");
		expect_perf(w, *slot, &tracepoint,
			    "type=PERF_TYPE_TRACEPOINT, size=200, config=77, sample_period=0, sample_type=0, read_format=0, precise_ip=0 /* arbitrary skid */");
		/* Sizes with which the call fails before it reads the rest */
		at = PUT(w, small);
		EXPECT(w, *slot, ARGS(at), -E2BIG, "perf_event_open(0x%lx, 0, 0, 0, 0) = -1 E2BIG",
		       at);
		at = PUT(w, large);
		EXPECT(w, *slot, ARGS(at), -E2BIG, "perf_event_open(0x%lx, 0, 0, 0, 0) = -1 E2BIG",
		       at);
		EXPECT(w, *slot, ARGS(w->end), -EFAULT,
		       "perf_event_open(0x%lx, 0, 0, 0, 0) = -1 EFAULT", w->end);
	}
}

static void attr_mounts(struct kunit *test)
{
	static const int set[] = SLOTS(mount_setattr);
	struct world *w = new_world(test);
	unsigned long path = PUT_TEXT(w, "/x");
	struct { struct mount_attr attr; u64 behind; } grown = {
		{ .attr_set = MOUNT_ATTR_RDONLY | MOUNT_ATTR_IDMAP, .attr_clr = MOUNT_ATTR__ATIME,
		  .propagation = MS_PRIVATE, .userns_fd = 7 }, 5
	};
	unsigned long at = PUT(w, grown);
	static const char filled[128];

	need_names(test);
	EACH_SLOT(slot, set) {
		expect(w, *slot, ARGS(5, path, AT_RECURSIVE, at, 32), 0,
		       "mount_setattr(5, \"/x\", AT_RECURSIVE, {attr_set=MOUNT_ATTR_RDONLY|MOUNT_ATTR_IDMAP, attr_clr=MOUNT_ATTR_NOATIME|MOUNT_ATTR_STRICTATIME|0x40, propagation=MS_PRIVATE, userns_fd=7}, 32) = 0");
		expect(w, *slot, ARGS(5, path, 0, at, 40), -E2BIG,
		       "mount_setattr(5, \"/x\", 0, {attr_set=MOUNT_ATTR_RDONLY|MOUNT_ATTR_IDMAP, attr_clr=MOUNT_ATTR_NOATIME|MOUNT_ATTR_STRICTATIME|0x40, propagation=MS_PRIVATE, userns_fd=7, ...}, 40) = -1 E2BIG");
		EXPECT(w, *slot, ARGS(5, path, 0, at, 31), -EINVAL,
		       "mount_setattr(5, \"/x\", 0, 0x%lx, 31) = -1 EINVAL", at);
		EXPECT(w, *slot, ARGS(5, path, 0, at, 4097), -E2BIG,
		       "mount_setattr(5, \"/x\", 0, 0x%lx, 4097) = -1 E2BIG", at);
	}
	/* What is behind is zero as far as it is read, and more is not known */
	w->at = w->start + 64;
	at = PUT(w, filled);
	expect(w, set[0], ARGS(5, path, 0, at, 32 + 64), 0,
	       "mount_setattr(5, \"/x\", 0, {attr_set=0, attr_clr=0, propagation=0, userns_fd=0}, 96) = 0");
	expect(w, set[0], ARGS(5, path, 0, at, 32 + 65), 0,
	       "mount_setattr(5, \"/x\", 0, {attr_set=0, attr_clr=0, propagation=0, userns_fd=0, ...}, 97) = 0");
}

static void attr_futexes(struct kunit *test)
{
	static const int wait[] = SLOTS(futex_waitv);
	struct world *w = new_world(test);
	struct futex_waitv two[] = {
		{ .val = 1, .uaddr = 0x1000, .flags = FUTEX_32 | FUTEX_PRIVATE_FLAG },
		{ .val = 0x100000002ULL, .flags = FUTEX_32 | 0x10, .__reserved = 8 },
	};
	unsigned long at = PUT(w, two), i;
	static struct futex_waitv many[128];
	const char *text;

	need_names(test);
	EACH_SLOT(slot, wait) {
		expect(w, *slot, ARGS(at, 2, 0, 0, CLOCK_MONOTONIC), 1,
		       "futex_waitv([{val=0x1, uaddr=0x1000, flags=FUTEX_32|FUTEX_PRIVATE_FLAG}, {val=0x100000002, uaddr=NULL, flags=FUTEX_32|0x10, __reserved=0x8}], 2, 0, NULL, CLOCK_MONOTONIC) = 1");
		EXPECT(w, *slot, ARGS(at, 129, 0, 0, CLOCK_MONOTONIC), -EINVAL,
		       "futex_waitv(0x%lx, 129, 0, NULL, CLOCK_MONOTONIC) = -1 EINVAL", at);
	}
	/* More than are shown */
	w->at = at;
	PUT(w, many);
	read_call(w, wait[0], ARGS(at, 128, 0, 0, 0), 0);
	text = print_call(w, wait[0], 0);
	for (i = 0; (text = strstr(text, "val=")); i++)
		text++;
	KUNIT_EXPECT_EQ(test, i, TRACE_SYSCALL_ELEMENTS);
	KUNIT_EXPECT_NOT_NULL(test, strstr(print_call(w, wait[0], 0), "}, ...], 128, "));
}

/* The kernel that tests itself need not have Landlock */
static void attr_landlock(struct kunit *test)
{
	struct world *w = new_world(test);
	struct landlock_ruleset_attr ruleset = {
		.handled_access_fs = LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_REFER,
		.handled_access_net = LANDLOCK_ACCESS_NET_BIND_TCP,
		.scoped = LANDLOCK_SCOPE_SIGNAL,
	};
	struct landlock_path_beneath_attr beneath = { LANDLOCK_ACCESS_FS_READ_FILE, -1 };
	struct landlock_net_port_attr port = { LANDLOCK_ACCESS_NET_CONNECT_TCP, 80 };
	const struct trace_syscall_form *rules = &trace_syscall_form_landlock_rule;
	const struct trace_syscall_form *rulesets = &trace_syscall_form_landlock_ruleset;
	unsigned long set = PUT(w, ruleset), path = PUT(w, beneath), net = PUT(w, port);
	int compat;

	need_names(test);
	for (compat = 0; compat <= IS_ENABLED(CONFIG_COMPAT); compat++) {
		expect_form(w, rulesets, ARGS(set), 0, 8, compat,
			    "{handled_access_fs=LANDLOCK_ACCESS_FS_EXECUTE|LANDLOCK_ACCESS_FS_REFER}");
		expect_form(w, rulesets, ARGS(set), 0, 24, compat,
			    "{handled_access_fs=LANDLOCK_ACCESS_FS_EXECUTE|LANDLOCK_ACCESS_FS_REFER, handled_access_net=LANDLOCK_ACCESS_NET_BIND_TCP, scoped=LANDLOCK_SCOPE_SIGNAL}");
		expect_form(w, rulesets, ARGS(set), 0, 7, compat, "?");
		expect_form(w, rulesets, ARGS(w->end - 8), 0, 16, compat, "?");
		expect_form(w, rules, ARGS(3, 1, path), 2, LANDLOCK_RULE_PATH_BENEATH, compat,
			    "{allowed_access=LANDLOCK_ACCESS_FS_READ_FILE, parent_fd=-1}");
		expect_form(w, rules, ARGS(3, 2, net), 2, LANDLOCK_RULE_NET_PORT, compat,
			    "{allowed_access=LANDLOCK_ACCESS_NET_CONNECT_TCP, port=80}");
		expect_form(w, rules, ARGS(3, 3, net), 2, 3, compat, "?");
	}
}

static void attr_process_madvise(struct kunit *test)
{
	struct world *w = new_world(test);
	struct iovec iov[] = { { (void __user *)0x1000, 4096 } };
	u32 iov32[] = { 0x2000, 8192 };
	unsigned long at = PUT(w, iov), at32 __maybe_unused = PUT(w, iov32);

	need_names(test);
	expect(w, __NR_process_madvise, ARGS(3, at, 1, MADV_PAGEOUT, 1), -EINVAL,
	       "process_madvise(3, [{iov_base=0x1000, iov_len=4096}], 1, MADV_PAGEOUT, 0x1) = -1 EINVAL");
#ifdef ARCH_TRACE_COMPAT_SYSCALLS
	expect(w, COMPAT(process_madvise), ARGS(3, at32, 1, MADV_COLD, 0), 8192,
	       "process_madvise(3, [{iov_base=0x2000, iov_len=8192}], 1, MADV_COLD, 0) = 8192");
#endif
}

static void attr_fanotify(struct kunit *test)
{
	static const int init[] = SLOTS(fanotify_init);
	struct world *w = new_world(test);
	unsigned long path = PUT_TEXT(w, "x"), none = (unsigned int)FAN_NOFD;
	unsigned long mask = FAN_OPEN | FAN_ONDIR | FAN_RENAME;

	need_names(test);
	/* What the first call put there stays */
	w->start = w->at;
	EACH_SLOT(slot, init) {
		expect(w, *slot, ARGS(FAN_CLASS_CONTENT | FAN_CLOEXEC, O_RDWR | O_CLOEXEC), 3,
		       "fanotify_init(FAN_CLASS_CONTENT|FAN_CLOEXEC, O_RDWR|O_CLOEXEC) = 3");
		expect(w, *slot, ARGS(FAN_REPORT_TID | BIT(20), 0), -EINVAL,
		       "fanotify_init(FAN_CLASS_NOTIF|FAN_REPORT_TID|0x100000, O_RDONLY) = -1 EINVAL");
	}
#ifdef CONFIG_64BIT
	expect(w, __NR_fanotify_mark,
	       ARGS(3, FAN_MARK_ADD | FAN_MARK_MOUNT, mask | 1UL << 40, AT_FDCWD, path), 0,
	       "fanotify_mark(3, FAN_MARK_ADD|FAN_MARK_MOUNT, FAN_OPEN|FAN_ONDIR|FAN_RENAME|0x10000000000, AT_FDCWD, \"x\") = 0");
	expect(w, __NR_fanotify_mark, ARGS(3, FAN_MARK_FLUSH, 0, none, 0), 0,
	       "fanotify_mark(3, FAN_MARK_FLUSH, 0, FAN_NOFD, NULL) = 0");
#endif
#if defined(CONFIG_X86_32) || defined(ARCH_TRACE_COMPAT_SYSCALLS)
	/* The low half of the mask, then the high one */
	expect(w, SLOT_32(fanotify_mark),
	       ARGS(3, FAN_MARK_ADD | FAN_MARK_MOUNT, mask, 0x100, 5, path), 0,
	       "fanotify_mark(3, FAN_MARK_ADD|FAN_MARK_MOUNT, FAN_OPEN|FAN_ONDIR|FAN_RENAME|0x10000000000, 5, \"x\") = 0");
	expect(w, SLOT_32(fanotify_mark), ARGS(3, FAN_MARK_FLUSH, 0, 0, none, 0), 0,
	       "fanotify_mark(3, FAN_MARK_FLUSH, 0, FAN_NOFD, NULL) = 0");
#endif
}

static void attr_pidfd(struct kunit *test)
{
	struct world *w = new_world(test);

	need_names(test);
	expect(w, __NR_pidfd_open, ARGS(5, PIDFD_NONBLOCK), 3, "pidfd_open(5, PIDFD_NONBLOCK) = 3");
	expect(w, __NR_pidfd_open, ARGS(5, 1), -EINVAL, "pidfd_open(5, 0x1) = -1 EINVAL");
	expect(w, __NR_pidfd_getfd, ARGS(5, 1, 2), -EINVAL, "pidfd_getfd(5, 1, 0x2) = -1 EINVAL");
}

static void attr_uring_resources(struct kunit *test)
{
	static const int reg[] = SLOTS(io_uring_register);
	struct world *w = new_world(test);
	int fds[] = { 0, -1 };
	u64 tags[] = { 5, 0x123456789ULL };
	unsigned long files = PUT(w, fds), tag = PUT(w, tags);
	struct io_uring_rsrc_register table = { .nr = 2, .flags = IORING_RSRC_REGISTER_SPARSE,
						.data = files, .tags = tag };
	struct io_uring_rsrc_update2 update = { .offset = 1, .data = files, .nr = 2 };
	struct io_uring_rsrc_register many = { .nr = 1 << 20, .data = w->end, .tags = tag };
	struct io_uring_rsrc_update rings[] = { { .offset = -1U, .data = 3 }, { .offset = 1 } };
	unsigned long t = PUT(w, table), u = PUT(w, update), m = PUT(w, many), r = PUT(w, rings);

	need_names(test);
	EACH_SLOT(slot, reg) {
		expect(w, *slot, ARGS(3, IORING_REGISTER_FILES2, t, 32), 0,
		       "io_uring_register(3, IORING_REGISTER_FILES2, {nr=2, flags=IORING_RSRC_REGISTER_SPARSE, data=[0, -1], tags=[0x5, 0x123456789]}, 32) = 0");
		expect(w, *slot, ARGS(3, IORING_REGISTER_FILES_UPDATE2, u, 32), 2,
		       "io_uring_register(3, IORING_REGISTER_FILES_UPDATE2, {offset=1, data=[0, -1], tags=NULL, nr=2}, 32) = 2");
		EXPECT(w, *slot, ARGS(3, IORING_REGISTER_BUFFERS2, m, 32), -EINVAL,
		       "io_uring_register(3, IORING_REGISTER_BUFFERS2, {nr=1048576, flags=0, data=0x%lx, tags=0x%lx}, 32) = -1 EINVAL",
		       w->end, tag);
		EXPECT(w, *slot, ARGS(3, IORING_REGISTER_FILES2, t, 31), -EINVAL,
		       "io_uring_register(3, IORING_REGISTER_FILES2, 0x%lx, 31) = -1 EINVAL", t);
		expect(w, *slot, ARGS(3, IORING_REGISTER_RING_FDS, r, 2), 2,
		       "io_uring_register(3, IORING_REGISTER_RING_FDS, [{offset=-1, data=3}, {offset=1, data=0}], 2) = 2");
		expect(w, *slot, ARGS(3, IORING_UNREGISTER_RING_FDS, r, 1), 1,
		       "io_uring_register(3, IORING_UNREGISTER_RING_FDS, [{offset=4294967295, data=0x3}], 1) = 1");
	}
}

static void attr_newer_calls(struct kunit *test)
{
	static const int stat[] = SLOTS(cachestat), wake[] = SLOTS(futex_wake);
	struct world *w = new_world(test);
	struct cachestat_range range = { 5, 1ULL << 40 };
	struct cachestat found = { 1, 2, 3, 4, 5 };
	unsigned long in = PUT(w, range), out = PUT(w, found);

	need_names(test);
	EACH_SLOT(slot, stat) {
		expect(w, *slot, ARGS(3, in, out, 0), 0,
		       "cachestat(3, {off=5, len=1099511627776}, {nr_cache=1, nr_dirty=2, nr_writeback=3, nr_evicted=4, nr_recently_evicted=5}, 0) = 0");
		EXPECT(w, *slot, ARGS(3, w->end, out, 1), -EINVAL,
		       "cachestat(3, 0x%lx, 0x%lx, 0x1) = -1 EINVAL", w->end, out);
	}
	EACH_SLOT(slot, wake)
		expect(w, *slot, ARGS(0x1000, 1, 2, FUTEX2_SIZE_U32 | FUTEX2_PRIVATE), 1,
		       "futex_wake(0x1000, 0x1, 2, FUTEX2_SIZE_U32|FUTEX2_PRIVATE) = 1");
}

/* Of some commands the result is a descriptor, of others a number */
static void attr_bpf_paths(struct kunit *test)
{
	static const int bpf[] = SLOTS(bpf);
	struct world *w = new_world(test);
	int fd = open_directory(test, "/");

	need_names(test);
	w->wants.paths = true;
	EACH_SLOT(slot, bpf) {
		EXPECT(w, *slot, ARGS(BPF_MAP_CREATE), fd, "bpf(BPF_MAP_CREATE, NULL, 0) = %d</>",
		       fd);
		EXPECT(w, *slot, ARGS(BPF_MAP_LOOKUP_ELEM), fd,
		       "bpf(BPF_MAP_LOOKUP_ELEM, NULL, 0) = %d", fd);
	}
	close_fd(fd);
}

static void attr_uring_restrictions(struct kunit *test)
{
	static const int reg[] = SLOTS(io_uring_register);
	struct world *w = new_world(test);
	struct io_uring_restriction r[] = {
		{ .opcode = IORING_RESTRICTION_REGISTER_OP, .register_op = 3, .resv = 0xff },
		{ .opcode = IORING_RESTRICTION_SQE_OP, .sqe_op = IORING_OP_WRITEV },
		{ .opcode = IORING_RESTRICTION_SQE_FLAGS_REQUIRED, .sqe_flags = IOSQE_ASYNC },
		{ .opcode = 77, .sqe_flags = 0 },
	};
	unsigned long at = PUT(w, r);

	need_names(test);
	EACH_SLOT(slot, reg)
		expect(w, *slot, ARGS(3, IORING_REGISTER_RESTRICTIONS, at, 4), 0,
		       "io_uring_register(3, IORING_REGISTER_RESTRICTIONS, [{opcode=IORING_RESTRICTION_REGISTER_OP, register_op=IORING_UNREGISTER_FILES}, {opcode=IORING_RESTRICTION_SQE_OP, sqe_op=IORING_OP_WRITEV}, {opcode=IORING_RESTRICTION_SQE_FLAGS_REQUIRED, sqe_flags=IOSQE_ASYNC}, {opcode=77, sqe_flags=0}], 4) = 0");
}

static struct kunit_case cases[] = {
	KUNIT_CASE(attr_uring_restrictions),
	KUNIT_CASE(attr_bpf_paths),
	KUNIT_CASE(attr_newer_calls),
	KUNIT_CASE(attr_uring_resources),
	KUNIT_CASE(attr_fanotify),
	KUNIT_CASE(attr_pidfd),
	KUNIT_CASE(attr_perf),
	KUNIT_CASE(attr_mounts),
	KUNIT_CASE(attr_futexes),
	KUNIT_CASE(attr_landlock),
	KUNIT_CASE(attr_process_madvise),
	KUNIT_CASE(attr_bpf_maps),
	KUNIT_CASE(attr_bpf_programs),
	KUNIT_CASE(attr_bpf_others),
	KUNIT_CASE(attr_bpf_given),
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
