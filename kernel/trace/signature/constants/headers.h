/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The headers whose constants have names in traces: the macros and enumerators of
 * these headers, and of all that they include, are what the file "families" can
 * name.  A header that not all kernels have needs an #ifdef.
 */
#include <linux/kernel.h>
#include <linux/types.h>

/* Files and file systems */
#include <linux/fcntl.h>
#include <linux/fs.h>
#include <linux/fs_context.h>
#include <linux/mount.h>
#include <linux/namei.h>
#include <linux/pipe_fs_i.h>
#include <linux/splice.h>
#include <linux/fs_types.h>
#include <linux/stat.h>
#include <linux/statfs.h>
#include <linux/eventpoll.h>
#include <linux/poll.h>
#include <linux/blkdev.h>
#include <uapi/linux/blktrace_api.h>
#include <uapi/linux/bpf.h>
#include <uapi/linux/close_range.h>
#include <uapi/linux/dqblk_xfs.h>
#include <uapi/linux/eventfd.h>
#include <uapi/linux/eventpoll.h>
#include <uapi/linux/fadvise.h>
#include <uapi/linux/falloc.h>
#include <uapi/linux/fanotify.h>
#include <uapi/linux/fiemap.h>
#include <uapi/linux/inotify.h>
#include <uapi/linux/io_uring.h>
#include <uapi/linux/magic.h>
#include <uapi/linux/memfd.h>
#include <uapi/linux/mount.h>
#include <uapi/linux/openat2.h>
#include <uapi/linux/quota.h>
#include <uapi/linux/signalfd.h>
#include <uapi/linux/timerfd.h>
#include <uapi/linux/userfaultfd.h>
#include <uapi/linux/xattr.h>

/* Memory */
#include <linux/gfp.h>
#include <linux/mm.h>
#include <linux/mman.h>
#include <linux/mempolicy.h>
#include <linux/page-flags.h>
#include <linux/rmap.h>
#include <linux/slab.h>
#include <linux/vmalloc.h>

/* Tasks, signals and time */
#include <linux/capability.h>
#include <linux/futex.h>
#include <linux/key.h>
#include <linux/prctl.h>
#include <linux/ptrace.h>
#include <linux/resource.h>
#include <linux/sched.h>
#include <linux/sched/task.h>
#include <linux/seccomp.h>
#include <linux/signal.h>
#include <linux/time.h>
#include <linux/wait.h>
#include <uapi/linux/futex.h>
#include <uapi/linux/keyctl.h>
#include <uapi/linux/landlock.h>
#include <uapi/linux/membarrier.h>
#include <uapi/linux/pidfd.h>
#include <uapi/linux/random.h>
#include <uapi/linux/reboot.h>
#include <uapi/linux/wait.h>
#ifdef CONFIG_X86
#include <asm/prctl.h>
#endif

/* System V IPC */
#include <linux/ipc.h>
#include <linux/msg.h>
#include <linux/sem.h>
#include <uapi/linux/shm.h>

/* Networks */
#include <linux/if_ether.h>
#include <linux/in.h>
#include <linux/in6.h>
#include <linux/netdev_features.h>
#include <linux/netdevice.h>
#include <linux/netlink.h>
#include <linux/skbuff.h>
#include <linux/socket.h>
#include <linux/sockios.h>
#include <linux/tcp.h>
#include <linux/udp.h>
#include <net/tcp_states.h>
#include <uapi/linux/if_packet.h>
#include <uapi/linux/net.h>
#include <uapi/linux/rtnetlink.h>
#include <uapi/linux/un.h>

/* Devices, interrupts and work */
#include <linux/interrupt.h>
#include <linux/ioctl.h>
#include <linux/irq.h>
#include <linux/workqueue.h>
#include <asm/ioctls.h>
#include <asm/termbits.h>
#include <uapi/linux/input.h>
#include <uapi/linux/perf_event.h>
#include <uapi/linux/serial.h>
