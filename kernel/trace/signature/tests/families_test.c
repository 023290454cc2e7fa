// SPDX-License-Identifier: GPL-2.0
/*
 * Some constants of each family: the name that the tables have for a number is the one
 * whose number it is for the compiler, from the same headers.
 */
#include "../constants/headers.h"

#include "../constants.h"
#include "../constants/tables.h"
#include "builder.h"

struct constant {
	const char	*family;
	u64		bits;
	u32		size;
	const char	*text;
};

#define WIDTH(x)	(sizeof(x) > sizeof(u32) ? sizeof(u64) : sizeof(u32))
#define NUMBER(x)	((__force u64)(x))

/* A constant, two that are not in one field, and a number with another text */
#define ONE(name, a)	{ name, NUMBER(a), WIDTH(a), #a }
#define TWO(name, a, b)	{ name, NUMBER(a) | NUMBER(b), WIDTH((a) | (b)), #a "|" #b }
#define AS(name, a, t)	{ name, NUMBER(a), WIDTH(a), t }

static const struct constant constants[] = {
	AS("masks", 0x30, "0x30"),
	AS("addresses", 0x1000UL, "0x1000"),
	AS("numbers", 0x12345678, "305419896"),
	AS("devices", MKDEV(7, 300), "7:300"),
	AS("ioctls", _IO(0x99, 7), "_IOC(_IOC_NONE, 0x99, 0x7, 0x0)"),
	AS("mode", S_IFDIR | 01755, "S_IFDIR|01755"),
	AS("mode", S_IFSOCK | 0600, "S_IFSOCK|0600"),
	AS("page_flags", BIT(PG_locked) | BIT(PG_lru), "PG_locked|PG_lru"),
	AS("page_flags", BIT(PG_writeback), "PG_writeback"),
	AS("open_flags", O_WRONLY | O_APPEND | O_LARGEFILE,
	   O_LARGEFILE ? "O_WRONLY|O_APPEND|O_LARGEFILE" : "O_WRONLY|O_APPEND"),
	AS("mount_flags", MS_MGC_VAL | MS_RDONLY | MS_BIND, "MS_MGC_VAL|MS_RDONLY|MS_BIND"),
	AS("at_flags", 0x40000000, "0x40000000"),
	AS("clone_signal", SIGCHLD | CLONE_VM, "SIGCHLD|CLONE_VM"),
	AS("clone_signal", CLONE_THREAD, "CLONE_THREAD"),
	AS("io_uring_register", IORING_REGISTER_FILES | IORING_REGISTER_USE_REGISTERED_RING,
	   "IORING_REGISTER_FILES|IORING_REGISTER_USE_REGISTERED_RING"),
	AS("vm_fault", VM_FAULT_SIGBUS | 0x20000, "VM_FAULT_SIGBUS|0x20000"),

	TWO("io_uring_setup", IORING_SETUP_IOPOLL, IORING_SETUP_CQSIZE),
	ONE("io_uring_features", IORING_FEAT_NODROP),
	TWO("io_uring_enter", IORING_ENTER_GETEVENTS, IORING_ENTER_EXT_ARG),
	ONE("io_uring_register", IORING_REGISTER_BUFFERS),
	ONE("io_uring_op", IORING_OP_NOP),
	ONE("io_uring_op", IORING_OP_READV),
	ONE("io_uring_op_flags", IO_URING_OP_SUPPORTED),
	ONE("bpf_cmd", BPF_MAP_CREATE),
	ONE("bpf_cmd", BPF_TOKEN_CREATE),
	ONE("bpf_map_type", BPF_MAP_TYPE_CGROUP_STORAGE),
	ONE("bpf_prog_type", BPF_PROG_TYPE_KPROBE),
	ONE("bpf_attach_type", BPF_CGROUP_INET_INGRESS),
	ONE("bpf_attach_type", BPF_TRACE_KPROBE_SESSION),
	TWO("bpf_map_flags", BPF_F_NO_PREALLOC, BPF_F_TOKEN_FD),
	ONE("bpf_elem_flags", BPF_ANY),
	TWO("bpf_elem_flags", BPF_EXIST, BPF_F_LOCK),
	ONE("bpf_prog_flags", BPF_F_SLEEPABLE),
	TWO("bpf_attach_flags", BPF_F_ALLOW_MULTI, BPF_F_REPLACE),
	ONE("bpf_file_flags", BPF_F_RDONLY),
	ONE("bpf_query_flags", BPF_F_QUERY_EFFECTIVE),
	ONE("bpf_test_flags", BPF_F_TEST_RUN_ON_CPU),
	ONE("bpf_kprobe_multi", BPF_F_KPROBE_MULTI_RETURN),
	ONE("open_flags", O_RDWR),
	TWO("open_flags", O_RDONLY, O_PATH),
	TWO("fd_flags", O_NONBLOCK, O_CLOEXEC),
	ONE("fd_flags", O_DIRECT),
	ONE("inotify_init", IN_NONBLOCK),
	TWO("inotify_init", IN_CLOEXEC, IN_NONBLOCK),
	TWO("fmode", FMODE_READ, FMODE_WRITE),
	ONE("fmode", FMODE_LSEEK),
	ONE("fmode", FMODE_EXEC),
	ONE("at_fd", AT_FDCWD),
	TWO("at_flags", AT_SYMLINK_NOFOLLOW, AT_EMPTY_PATH),
	ONE("at_flags", AT_RECURSIVE),
	ONE("at_flags", AT_STATX_FORCE_SYNC),
	ONE("at_unlink_flags", AT_REMOVEDIR),
	ONE("at_eaccess_flags", AT_EACCESS),
	TWO("at_eaccess_flags", AT_SYMLINK_NOFOLLOW, AT_EACCESS),
	ONE("statx_mask", STATX_BASIC_STATS),
	TWO("statx_mask", STATX_MODE, STATX_SIZE),
	ONE("statx_mask", STATX_MNT_ID),
	ONE("rename_flags", RENAME_NOREPLACE),
	ONE("rename_flags", RENAME_EXCHANGE),
	ONE("rename_flags", RENAME_WHITEOUT),
	TWO("fallocate_mode", FALLOC_FL_KEEP_SIZE, FALLOC_FL_PUNCH_HOLE),
	ONE("fallocate_mode", FALLOC_FL_ZERO_RANGE),
	ONE("seek", SEEK_SET),
	ONE("seek", SEEK_CUR),
	ONE("seek", SEEK_HOLE),
	TWO("may", MAY_EXEC, MAY_WRITE),
	ONE("may", MAY_CHDIR),
	ONE("lookup", LOOKUP_FOLLOW),
	TWO("lookup", LOOKUP_DIRECTORY, LOOKUP_PARENT),
	ONE("lookup", LOOKUP_NO_SYMLINKS),
	ONE("fcntl_cmd", F_DUPFD),
	ONE("fcntl_cmd", F_SETFL),
	ONE("fcntl_cmd", F_DUPFD_CLOEXEC),
	ONE("fcntl_cmd", F_ADD_SEALS),
	ONE("fd_type", F_RDLCK),
	ONE("fd_type", F_UNLCK),
	TWO("flock_cmd", LOCK_EX, LOCK_NB),
	ONE("flock_cmd", LOCK_UN),
	TWO("mount_flags", MS_NOSUID, MS_NODEV),
	ONE("mount_flags", MS_REMOUNT),
	ONE("mount_flags", MS_LAZYTIME),
	TWO("sb_flags", SB_RDONLY, SB_NOSUID),
	ONE("sb_flags", SB_BORN),
	ONE("sb_flags", SB_NOUSER),
	TWO("mnt_flags", MNT_NOSUID, MNT_NOEXEC),
	ONE("mnt_flags", MNT_INTERNAL),
	ONE("mnt_flags", MNT_LOCK_ATIME),
	TWO("umount_flags", MNT_FORCE, MNT_DETACH),
	ONE("umount_flags", UMOUNT_NOFOLLOW),
	ONE("xattr_flags", XATTR_CREATE),
	ONE("xattr_flags", XATTR_REPLACE),
	TWO("splice_flags", SPLICE_F_MOVE, SPLICE_F_MORE),
	ONE("splice_flags", SPLICE_F_GIFT),
	TWO("rwf", RWF_DSYNC, RWF_SYNC),
	ONE("rwf", RWF_NOWAIT),
	TWO("inode_dirty", I_DIRTY_SYNC, I_DIRTY_PAGES),
	ONE("inode_dirty", I_DIRTY_TIME),
	ONE("epoll_op", EPOLL_CTL_ADD),
	ONE("epoll_op", EPOLL_CTL_MOD),
	ONE("epoll_create", EPOLL_CLOEXEC),
	ONE("dirent_type", DT_UNKNOWN),
	ONE("dirent_type", DT_DIR),
	ONE("dirent_type", DT_WHT),
	TWO("file_times", S_ATIME, S_MTIME),
	ONE("file_times", S_VERSION),
	TWO("poll_events", EPOLLIN, EPOLLOUT),
	ONE("poll_events", EPOLLRDHUP),
	ONE("poll_events", EPOLLET),
	TWO("eventfd", EFD_SEMAPHORE, EFD_CLOEXEC),
	ONE("eventfd", EFD_NONBLOCK),
	TWO("signalfd", SFD_CLOEXEC, SFD_NONBLOCK),
	ONE("signalfd", SFD_CLOEXEC),
	ONE("timerfd_settime", TFD_TIMER_ABSTIME),
	ONE("timerfd_settime", TFD_TIMER_CANCEL_ON_SET),
	ONE("close_range", CLOSE_RANGE_UNSHARE),
	ONE("close_range", CLOSE_RANGE_CLOEXEC),
	ONE("sync_file_range", SYNC_FILE_RANGE_WRITE),
	TWO("sync_file_range", SYNC_FILE_RANGE_WAIT_BEFORE, SYNC_FILE_RANGE_WAIT_AFTER),
	ONE("fadvise", POSIX_FADV_NORMAL),
	ONE("fadvise", POSIX_FADV_DONTNEED),
	ONE("poll_bits", POLLIN),
	TWO("poll_bits", POLLIN, POLLERR),
	ONE("epoll_bits", EPOLLET),
	TWO("epoll_bits", EPOLLIN, EPOLLONESHOT),
	ONE("statx_attributes", STATX_ATTR_IMMUTABLE),
	ONE("statfs_flags", ST_RELATIME),
	TWO("statfs_flags", ST_VALID, ST_NOEXEC),
	ONE("fs_magic", EXT2_SUPER_MAGIC),
	ONE("fs_magic", TMPFS_MAGIC),
	ONE("resolve", RESOLVE_BENEATH),
	ONE("fd_cloexec", FD_CLOEXEC),
	ONE("lock_type", F_UNLCK),
	ONE("sa_flags", SA_RESTORER),
	TWO("sa_flags", SA_RESTART, SA_SIGINFO),
	ONE("netlink_protocol", NETLINK_GENERIC),
	ONE("timerfd_create", TFD_CLOEXEC),
	ONE("rusage_who", RUSAGE_CHILDREN),
	ONE("prio_which", PRIO_PGRP),
	ONE("statx_flags", AT_STATX_FORCE_SYNC),
	AS("statx_flags", AT_EMPTY_PATH, "AT_STATX_SYNC_AS_STAT|AT_EMPTY_PATH"),
	ONE("ioctls", TCGETS),
	ONE("ioctls", TIOCSWINSZ),
	/* TIOCINQ is the same number */
	ONE("ioctls", FIONREAD),
	ONE("ioctls", FIONBIO),
	ONE("ioctls", BLKGETSIZE64),
	ONE("ioctls", FS_IOC_GETFLAGS),
	ONE("ioctls", SIOCGIFCONF),
	ONE("ioctls", FICLONE),
	ONE("gfp", GFP_KERNEL),
	TWO("gfp", GFP_ATOMIC, __GFP_ZERO),
	ONE("gfp", GFP_NOFS),
	TWO("gfp", GFP_KERNEL, __GFP_NOWARN),
	TWO("vm_flags", VM_READ, VM_WRITE),
	ONE("vm_flags", VM_GROWSDOWN),
	ONE("vm_flags", VM_HUGETLB),
	ONE("vm_flags", VM_PFNMAP),
	TWO("mmap_prot", PROT_READ, PROT_EXEC),
	ONE("mmap_prot", PROT_GROWSDOWN),
	TWO("map", MAP_SHARED, MAP_POPULATE),
	TWO("map", MAP_PRIVATE, MAP_FIXED),
	ONE("map", MAP_SHARED_VALIDATE),
	ONE("map", MAP_STACK),
	ONE("madvise", MADV_DONTNEED),
	ONE("madvise", MADV_HUGEPAGE),
	ONE("madvise", MADV_COLLAPSE),
	TWO("mremap", MREMAP_MAYMOVE, MREMAP_FIXED),
	ONE("mremap", MREMAP_DONTUNMAP),
	ONE("msync", MS_SYNC),
	TWO("msync", MS_ASYNC, MS_INVALIDATE),
	ONE("mlock", MLOCK_ONFAULT),
	TWO("mcl", MCL_CURRENT, MCL_FUTURE),
	ONE("mcl", MCL_ONFAULT),
	TWO("memfd", MFD_CLOEXEC, MFD_ALLOW_SEALING),
	ONE("memfd", MFD_NOEXEC_SEAL),
	TWO("foll", FOLL_WRITE, FOLL_FORCE),
	ONE("foll", FOLL_LONGTERM),
	TWO("fault_flags", FAULT_FLAG_WRITE, FAULT_FLAG_USER),
	ONE("fault_flags", FAULT_FLAG_REMOTE),
	ONE("vm_fault", VM_FAULT_OOM),
	TWO("vm_fault", VM_FAULT_MAJOR, VM_FAULT_LOCKED),
	ONE("vm_fault", VM_FAULT_COMPLETED),
	ONE("rmap", RMAP_EXCLUSIVE),
	ONE("rmap", RMAP_NONE),
	ONE("slab_flags", SLAB_HWCACHE_ALIGN),
	ONE("slab_flags", SLAB_TYPESAFE_BY_RCU),
	ONE("slab_flags", SLAB_PANIC),
	ONE("vmalloc_flags", VM_ALLOC),
	TWO("vmalloc_flags", VM_IOREMAP, VM_NO_GUARD),
	ONE("vmalloc_flags", VM_FLUSH_RESET_PERMS),
	ONE("blk_opf", REQ_OP_FLUSH),
	TWO("blk_opf", REQ_OP_READ, REQ_META),
	ONE("blk_opf", REQ_OP_DRV_OUT),
	ONE("blk_status", BLK_STS_OK),
	ONE("blk_status", BLK_STS_IOERR),
	ONE("blk_status", BLK_STS_TIMEOUT),
	TWO("blk_mode", BLK_OPEN_READ, BLK_OPEN_WRITE),
	ONE("blk_mode", BLK_OPEN_EXCL),
	ONE("signal", SIGHUP),
	ONE("signal", SIGKILL),
	ONE("signal", SIGSYS),
	ONE("sigprocmask", SIG_BLOCK),
	ONE("sigprocmask", SIG_SETMASK),
	TWO("clone", CLONE_VM, CLONE_FS),
	ONE("clone", CLONE_NEWUSER),
	ONE("clone", CLONE_PIDFD),
	TWO("wait", WNOHANG, WUNTRACED),
	ONE("wait", __WALL),
	ONE("wait", __WCLONE),
	ONE("wait_which", P_ALL),
	ONE("wait_which", P_PIDFD),
	ONE("task_state", TASK_UNINTERRUPTIBLE),
	ONE("task_state", TASK_NORMAL),
	ONE("task_state", TASK_IDLE),
	ONE("task_state", EXIT_ZOMBIE),
	ONE("task_state", TASK_DEAD),
	ONE("sched_policy", SCHED_NORMAL),
	TWO("sched_policy", SCHED_FIFO, SCHED_RESET_ON_FORK),
	ONE("sched_policy", SCHED_DEADLINE),
	TWO("task_flags", PF_EXITING, PF_KTHREAD),
	ONE("task_flags", PF_NO_SETAFFINITY),
	ONE("capability", CAP_CHOWN),
	ONE("capability", CAP_NET_ADMIN),
	ONE("capability", CAP_CHECKPOINT_RESTORE),
	ONE("capability_opts", CAP_OPT_NONE),
	ONE("capability_opts", CAP_OPT_NOAUDIT),
	ONE("capability_opts", CAP_OPT_INSETID),
	ONE("rlimit", RLIMIT_CPU),
	ONE("rlimit", RLIMIT_NOFILE),
	ONE("rlimit", RLIMIT_RTTIME),
	ONE("prctl", PR_SET_NAME),
	ONE("prctl", PR_GET_DUMPABLE),
	ONE("prctl", PR_SET_NO_NEW_PRIVS),
	ONE("arch_prctl", ARCH_SET_FS),
	ONE("arch_prctl", ARCH_GET_CPUID),
	ONE("ptrace", PTRACE_TRACEME),
	ONE("ptrace", PTRACE_ATTACH),
	ONE("ptrace", PTRACE_SEIZE),
	TWO("ptrace_mode", PTRACE_MODE_READ, PTRACE_MODE_FSCREDS),
	ONE("ptrace_mode", PTRACE_MODE_NOAUDIT),
	ONE("futex_op", FUTEX_WAIT),
	TWO("futex_op", FUTEX_WAKE, FUTEX_PRIVATE_FLAG),
	TWO("futex_op", FUTEX_WAIT_BITSET, FUTEX_CLOCK_REALTIME),
	ONE("clockid", CLOCK_REALTIME),
	ONE("clockid", CLOCK_BOOTTIME),
	ONE("clockid", CLOCK_TAI),
	ONE("itimer", ITIMER_REAL),
	ONE("itimer", ITIMER_PROF),
	ONE("timer_flags", TIMER_ABSTIME),
	ONE("reboot_cmd", LINUX_REBOOT_CMD_RESTART),
	ONE("reboot_cmd", LINUX_REBOOT_CMD_POWER_OFF),
	ONE("keyctl", KEYCTL_GET_KEYRING_ID),
	ONE("keyctl", KEYCTL_READ),
	ONE("seccomp_op", SECCOMP_SET_MODE_STRICT),
	ONE("seccomp_op", SECCOMP_GET_NOTIF_SIZES),
	TWO("getrandom", GRND_NONBLOCK, GRND_RANDOM),
	ONE("getrandom", GRND_INSECURE),
	ONE("membarrier", MEMBARRIER_CMD_QUERY),
	ONE("membarrier", MEMBARRIER_CMD_PRIVATE_EXPEDITED),
	ONE("mpol", MPOL_DEFAULT),
	ONE("mpol", MPOL_INTERLEAVE),
	TWO("inotify_mask", IN_MODIFY, IN_ONESHOT),
	ONE("ipc_key", IPC_PRIVATE),
	AS("ipc_get", IPC_CREAT | IPC_EXCL | 0600, "IPC_CREAT|IPC_EXCL|0600"),
	AS("shm_get", IPC_CREAT | SHM_HUGETLB | 0640, "IPC_CREAT|SHM_HUGETLB|0640"),
	TWO("shm_at", SHM_RDONLY, SHM_EXEC),
	TWO("msg_flags", MSG_EXCEPT, IPC_NOWAIT),
	ONE("msg_command", IPC_RMID),
	TWO("msg_command", IPC_64, MSG_STAT_ANY),
	ONE("sem_command", SETALL),
	TWO("shm_command", IPC_64, SHM_INFO),
	TWO("sem_flags", SEM_UNDO, IPC_NOWAIT),
	ONE("address_family", AF_UNSPEC),
	ONE("address_family", AF_INET6),
	ONE("address_family", AF_NETLINK),
	ONE("socket_type", SOCK_STREAM),
	TWO("socket_type", SOCK_SEQPACKET, SOCK_NONBLOCK),
	ONE("accept_flags", SOCK_CLOEXEC),
	TWO("accept_flags", SOCK_CLOEXEC, SOCK_NONBLOCK),
	ONE("ip_protocol", IPPROTO_IP),
	ONE("ip_protocol", IPPROTO_TCP),
	ONE("ip_protocol", IPPROTO_UDP),
	TWO("msg", MSG_PEEK, MSG_DONTWAIT),
	ONE("msg", MSG_NOSIGNAL),
	ONE("msg", MSG_CMSG_CLOEXEC),
	ONE("socket_level", SOL_SOCKET),
	ONE("socket_level", SOL_TCP),
	ONE("socket_level", SOL_NETLINK),
	ONE("so_option", SO_REUSEADDR),
	ONE("so_option", SO_KEEPALIVE),
	ONE("so_option", SO_BUSY_POLL),
	ONE("tcp_option", TCP_NODELAY),
	ONE("tcp_option", TCP_CONGESTION),
	ONE("tcp_state", TCP_ESTABLISHED),
	ONE("tcp_state", TCP_LISTEN),
	ONE("tcp_state", TCP_NEW_SYN_RECV),
	ONE("ether_type", ETH_P_IP),
	ONE("ether_type", ETH_P_ARP),
	ONE("ether_type", ETH_P_IPV6),
	TWO("netdev_features", NETIF_F_SG, NETIF_F_TSO),
	ONE("netdev_features", NETIF_F_HW_TC),
	ONE("shutdown", SHUT_RD),
	ONE("shutdown", SHUT_RDWR),
	ONE("irqf", IRQF_SHARED),
	TWO("irqf", IRQF_TRIGGER_RISING, IRQF_ONESHOT),
	ONE("irqf", IRQF_NO_THREAD),
	TWO("wq", WQ_UNBOUND, WQ_HIGHPRI),
	ONE("wq", WQ_MEM_RECLAIM),
	ONE("wq", WQ_FREEZABLE),
};

static void families_names(struct kunit *test)
{
	struct trace_seq *s = builder_seq(test);
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(constants); i++) {
		const struct constant *c = &constants[i];
		const struct ftrace_family *family = ftrace_family_by_name(c->family);

		KUNIT_ASSERT_NOT_NULL_MSG(test, family, "%s", c->family);
		trace_seq_init(s);
		ftrace_family_print(s, family, c->bits, c->size, 0);
		KUNIT_EXPECT_STREQ_MSG(test, builder_text(s), c->text, "%s", c->family);
	}
}

static bool is_tested(const char *family)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(constants); i++)
		if (!strcmp(constants[i].family, family))
			return true;
	/* It prints nothing: it tells of results whether they are errnos */
	return !strcmp(family, "errnos");
}

/* Who adds a family adds some of its constants above. */
static void families_all(struct kunit *test)
{
	unsigned int i;

	for (i = 0; i < ftrace_families_nr; i++) {
		const char *name = ftrace_constants_strings + ftrace_families[i].name;

		KUNIT_EXPECT_TRUE_MSG(test, is_tested(name), "%s has no test", name);
	}
}

static struct kunit_case families_cases[] = {
	KUNIT_CASE(families_names),
	KUNIT_CASE(families_all),
	{}
};

static struct kunit_suite families_suite = {
	.name = "ftrace_signature_families",
	.test_cases = families_cases,
};

kunit_test_suite(families_suite);
