# SPDX-License-Identifier: GPL-2.0
"""Make syscalls that Python has no function for, for strace_compare.py.

They are made by the C library. Whether one succeeds does not matter: errors are wanted, too.
"""

import ctypes
import mmap
import os
import struct

LIBC = ctypes.CDLL(None)
DIR = f"/tmp/strace.libc.{os.getpid()}"
os.mkdir(DIR)
os.chdir(DIR)
NO = b"/no/such/file"

IPC_CREAT, IPC_EXCL, IPC_NOWAIT = 0o1000, 0o2000, 0o4000
IPC_RMID, IPC_SET, IPC_STAT, IPC_INFO = range(4)
INFO = {"msg": 12, "sem": 19, "shm": 14}


def call(name, *args):
    """Numbers are of a word's size, whatever the function takes"""
    function = getattr(LIBC, name, None)
    if not function:
        return -1
    function.restype = ctypes.c_long
    return function(*(ctypes.c_long(a) if isinstance(a, int) else a for a in args))


def words(*values):
    return ctypes.create_string_buffer(struct.pack(f"{len(values)}l", *values))


def room(size=1024):
    return ctypes.create_string_buffer(size)


def messages():
    queue = call("msgget", 0, IPC_CREAT | 0o600)
    message = ctypes.create_string_buffer(struct.pack("l", 5) + b"hello\0\1\2")
    call("msgsnd", queue, message, 6, IPC_NOWAIT)
    call("msgsnd", queue, ctypes.c_void_p(8), 6, IPC_NOWAIT)
    call("msgsnd", queue, words(-1, 0), 3, 0)
    for command in IPC_STAT, IPC_INFO, INFO["msg"]:
        call("msgctl", queue, command, room())
    data = room()
    call("msgctl", queue, IPC_STAT, data), call("msgctl", queue, IPC_SET, data)
    call("msgctl", 99, IPC_STAT, data)
    call("msgrcv", queue, data, 64, 0, 0o10000), call("msgctl", queue, IPC_RMID, None)
    call("msgget", 0x123, 0o600)


def semaphores():
    sem = call("semget", 0, 2, IPC_CREAT | 0o600)
    one = ctypes.create_string_buffer(struct.pack("HhH", 0, 1, 0) +
                                      struct.pack("HhH", 1, 2, 0o10000 | IPC_NOWAIT))
    call("semop", sem, one, 2), call("semtimedop", sem, one, 1, words(1, 5))
    call("semop", sem, ctypes.c_void_p(8), 2), call("semop", sem, None, 0)
    for command in IPC_STAT, IPC_INFO, INFO["sem"]:
        call("semctl", sem, 0, command, room())
    call("semctl", sem, 0, IPC_RMID, None), call("semget", 0x123, 1, 0o600)


def memory():
    shm = call("shmget", 0x1234567, 4096, IPC_CREAT | IPC_EXCL | 0o640)
    address = call("shmat", shm, None, 0o10000)
    for command in IPC_STAT, IPC_INFO, INFO["shm"]:
        call("shmctl", shm, command, room())
    data = room()
    call("shmctl", shm, IPC_STAT, data), call("shmctl", shm, IPC_SET, data)
    call("shmctl", shm, 11, None), call("shmdt", address), call("shmctl", shm, IPC_RMID, None)
    call("shmat", shm, ctypes.c_void_p(0x1000), 0o120000), call("shmdt", 4096)
    page = mmap.mmap(-1, 8192)
    at = ctypes.addressof(ctypes.c_char.from_buffer(page))
    call("mlock", at, 4096), call("mlock2", at, 4096, 1), call("munlock", at, 4096)
    call("munlockall"), call("mlockall", 4), call("mprotect", at, 4096, 1)
    call("msync", at, 4096, 4), call("madvise", at, 4096, 4)


def files():
    call("creat", b"a", 0o640), call("mknod", b"fifo", 0o10600, 0), call("utime", b"a", None)
    call("lchown", b"a", -1, -1), call("lchown", NO, 0, 0)
    call("umount2", NO, 2), call("umount", NO), call("chroot", NO), call("acct", NO)
    call("swapon", NO, 0), call("swapoff", NO), call("pivot_root", NO, NO)
    call("readahead", 99, 0, 10), call("sync_file_range", 99, 0, 10, 2), call("syncfs", 99)
    call("inotify_rm_watch", 99, 1), call("inotify_add_watch", 99, b"a", 2)
    call("tee", 0, 0, 1, 0)


def directories():
    call("mkdirat", -100, b"dir", 0o750), call("symlinkat", b"to", -100, b"link")
    call("linkat", -100, b"a", -100, b"b", 0), call("readlinkat", -100, b"link", room(), 99)
    call("fchownat", -100, b"a", -1, -1, 0x100), call("fchmodat", -100, b"a", 0o600, 0)
    call("unlinkat", -100, b"dir", 0x200), call("unlinkat", -100, NO, 0)
    call("renameat", -100, b"b", -100, b"c"), call("renameat2", -100, b"c", -100, b"d", 1)
    call("removexattr", b"a", b"user.x"), call("fremovexattr", 99, b"user.x")
    call("lremovexattr", NO, b"user.x"), call("fchdir", 99), call("fchmod", 99, 0o644)
    call("name_to_handle_at", 99, b"a", None, None, 0), call("flistxattr", 99, None, 0)
    call("llistxattr", NO, None, 0), call("lgetxattr", NO, b"user.x", None, 0)
    call("mq_unlink", b"none"), call("delete_module", b"none", 0o4000)


def descriptors():
    call("dup3", 99, 98, 0o2000000), call("epoll_ctl", 99, 2, 1, None)
    call("fallocate", 99, 1, 0, 9)
    call("splice", 0, None, 99, None, 9, 1), call("vmsplice", 99, None, 0, 0)
    call("copy_file_range", 99, None, 98, None, 10, 0), call("close_range", 90, 99, 4)
    call("eventfd", 3, 1), call("timerfd_create", 1, 0), call("timerfd_gettime", 99, None)
    call("listen", 99, 5), call("shutdown", 99, 2), call("getsockname", 99, None, None)
    call("accept4", 99, None, None, 0o2000000), call("socketpair", 1, 1, 99, None)
    call("pidfd_getfd", 99, 1, 0), call("pidfd_send_signal", 99, 10, None, 0)


def more_memory():
    call("pkey_alloc", 0, 0), call("pkey_free", 77), call("pkey_mprotect", 4096, 0, 1, 77)
    call("mincore", 1, 4096, None), call("remap_file_pages", 1, 4096, 0, 0, 0)
    call("munmap", 1, 4096), call("mremap", 1, 4096, 8192, 1)


def tasks():
    call("personality", -1), call("setfsuid", -1), call("setfsgid", -1)
    call("setreuid", -1, -1), call("setregid", -1, -1), call("setgid", 0)
    call("setresgid", -1, -1, -1), call("getpgrp"), call("sethostname", None, 65)
    call("setdomainname", None, 65), call("unshare", 0), call("setns", 99, 0)
    call("sched_get_priority_min", 1), call("tgkill", 1 << 22, 1 << 22, 0)
    call("pidfd_open", 1 << 22, 0)


PARTS = (messages, semaphores, memory, files, directories, descriptors, more_memory, tasks)
for part in PARTS:
    part()
