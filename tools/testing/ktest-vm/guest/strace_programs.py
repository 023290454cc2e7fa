# SPDX-License-Identifier: GPL-2.0
"""Make many different syscalls, with and without errors, for strace_compare.py.

Each line of CALLS is run for its syscalls alone; what raises an error is wanted, too.
"""

import array
import errno
import fcntl
import mmap
import os
import resource
import select
import signal
import socket
import struct
import sys
import termios
import time

DIR = f"/tmp/strace.{os.getpid()}"
os.mkdir(DIR)
os.chdir(DIR)
NO = "/no/such/file"


def attempt(function, *args, **named):
    try:
        return function(*args, **named)
    except (OSError, ValueError, OverflowError):
        return None


def files():
    fd = os.open("a", os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o640)
    attempt(os.open, "a", os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)
    os.write(fd, b"some text\n\0\1\377 and more, more than thirty-two bytes")
    os.lseek(fd, 0, os.SEEK_SET)
    os.read(fd, 5)
    os.pread(fd, 4, 2)
    os.pwrite(fd, b"xyz", 1)
    os.writev(fd, [b"ab", b"", b"cdef"])
    os.preadv(fd, [bytearray(2), bytearray(6)], 0)
    os.pwritev(fd, [b"q"], 0)
    os.fstat(fd), os.stat("a"), os.lstat("a"), attempt(os.stat, NO), os.stat("/dev/null")
    os.ftruncate(fd, 20), os.truncate("a", 10), attempt(os.truncate, NO, 1)
    os.fsync(fd), os.fdatasync(fd)
    os.posix_fallocate(fd, 0, 100), os.posix_fadvise(fd, 0, 0, os.POSIX_FADV_DONTNEED)
    os.fchmod(fd, 0o600), os.chmod("a", 0o644), os.fchown(fd, -1, -1), os.chown("a", -1, -1)
    fcntl.fcntl(fd, fcntl.F_GETFL), fcntl.fcntl(fd, fcntl.F_SETFL, os.O_APPEND)
    fcntl.fcntl(fd, fcntl.F_GETFD), fcntl.fcntl(fd, fcntl.F_SETFD, fcntl.FD_CLOEXEC)
    fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB), fcntl.lockf(fd, fcntl.LOCK_EX, 5, 1)
    other = os.dup(fd)
    os.dup2(fd, 40), os.close(40), os.close(other), attempt(os.close, 99)
    os.utime("a", (1, 2)), os.utime("a"), os.utime("a", ns=(5, 10 ** 9 + 7))
    os.link("a", "b"), os.symlink("a", "c"), os.readlink("c"), os.rename("b", "d")
    attempt(os.rename, NO, "x"), attempt(os.link, NO, "x"), attempt(os.readlink, "a")
    os.unlink("d"), attempt(os.unlink, NO), os.mkdir("dir", 0o700), os.rmdir("dir")
    attempt(os.rmdir, NO), os.access("a", os.R_OK | os.W_OK), os.access(NO, os.F_OK)
    attempt(os.setxattr, "a", "user.x", b"value"), attempt(os.getxattr, "a", "user.x")
    attempt(os.listxattr, "a"), attempt(os.removexattr, "a", "user.y")
    os.statvfs("/proc"), os.statvfs("."), os.umask(0o27), os.umask(0o22), os.getcwd()
    attempt(os.mkfifo, "fifo"), attempt(os.mknod, "node", 0o600), os.listdir(".")
    attempt(os.chdir, NO), attempt(os.chroot, NO), attempt(os.sendfile, 1, fd, 0, 0)
    attempt(os.copy_file_range, fd, fd, 3), attempt(os.memfd_create, "mem", os.MFD_CLOEXEC)
    attempt(os.splice, fd, fd, 3), os.close(fd)


def memory():
    area = mmap.mmap(-1, 8192)
    attempt(area.madvise, mmap.MADV_DONTNEED)
    area.close()


def pipes():
    ours, theirs = os.pipe()
    poll = select.poll()
    poll.register(ours, select.POLLIN)
    poll.register(theirs, select.POLLOUT)
    poll.poll(0)
    poll.unregister(theirs)
    poll.poll(1)
    select.select([ours], [theirs], [], 0.25)
    select.select([ours], [], [], 0.001)
    epoll = select.epoll()
    epoll.register(theirs, select.EPOLLOUT | select.EPOLLET)
    epoll.poll(0.01)
    epoll.modify(theirs, 0)
    epoll.poll(0)
    attempt(epoll.register, 99, 1)
    epoll.close()
    attempt(os.eventfd, 3, os.EFD_CLOEXEC)
    fcntl.ioctl(ours, termios.FIONREAD, array.array("i", [0]))
    attempt(fcntl.ioctl, ours, termios.TIOCGWINSZ, b"\0" * 8)
    os.close(ours), os.close(theirs)


def sockets():
    one, two = socket.socketpair()
    one.sendall(b"hello"), two.recv(10)
    one.sendmsg([b"ab", b"c"]), two.recvmsg(100)
    one.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)
    one.getsockopt(socket.SOL_SOCKET, socket.SO_TYPE)
    one.shutdown(socket.SHUT_WR), two.recv(1)
    one.close(), two.close()
    unix = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    unix.bind("sock"), unix.getsockname(), attempt(unix.connect, NO)
    unix.sendto(b"dgram", "sock"), unix.recvfrom(10)
    unix.sendto(b"more", "sock"), unix.recvmsg(10), unix.close()
    inet = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    attempt(inet.bind, ("127.0.0.1", 0)), inet.getsockname(), attempt(inet.getpeername)
    attempt(inet.connect, ("127.0.0.1", 9)), attempt(inet.send, b"x"), inet.close()
    server = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    server.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    server.listen(3), server.close()
    six = attempt(socket.socket, socket.AF_INET6, socket.SOCK_DGRAM)
    if six:
        attempt(six.connect, ("::1", 9)), six.close()
    attempt(socket.socket, socket.AF_INET, socket.SOCK_RAW, 255)
    attempt(socket.socket, 99, 1)


def signals():
    signal.signal(signal.SIGUSR1, lambda *args: None)
    os.kill(os.getpid(), signal.SIGUSR1)
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGUSR2, signal.SIGCHLD})
    signal.sigpending()
    os.kill(os.getpid(), signal.SIGUSR2)
    signal.sigtimedwait({signal.SIGUSR2}, 1)
    attempt(signal.sigtimedwait, {signal.SIGUSR2}, 0.001)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGUSR2, signal.SIGCHLD})
    signal.setitimer(signal.ITIMER_REAL, 100, 5), signal.getitimer(signal.ITIMER_REAL)
    signal.setitimer(signal.ITIMER_REAL, 0), signal.alarm(0)
    attempt(os.kill, 999999, 0), signal.signal(signal.SIGUSR1, signal.SIG_IGN)


def processes():
    for how in (lambda: os._exit(3), lambda: os.kill(os.getpid(), signal.SIGKILL)):
        child = os.fork()
        if not child:
            how()
        os.waitpid(child, 0)
    child = os.fork()
    if not child:
        attempt(os.execv, NO, ["x", "y z"])
        os._exit(0)
    os.wait4(child, 0)
    attempt(os.waitpid, -1, os.WNOHANG), attempt(os.wait3, 0)
    os.getpid(), os.getppid(), os.getuid(), os.getgid(), os.geteuid(), os.getegid()
    os.getpgid(0), os.getsid(0), os.getresuid(), os.getresgid(), os.getgroups()
    attempt(os.setgroups, [0, 1]), attempt(os.setpgid, 0, 0), attempt(os.getpgid, 999999)
    attempt(os.setuid, 0), attempt(os.setresuid, -1, -1, -1), os.times(), os.uname()
    resource.getrusage(resource.RUSAGE_SELF), resource.getrlimit(resource.RLIMIT_NOFILE)
    attempt(resource.setrlimit, resource.RLIMIT_CORE, (0, -1))
    os.sched_getaffinity(0), os.sched_setaffinity(0, {0}), os.sched_getscheduler(0)
    os.sched_getparam(0), attempt(os.sched_setparam, 0, os.sched_param(1)), os.sched_yield()
    attempt(os.sched_setscheduler, 0, os.SCHED_OTHER, os.sched_param(0))
    os.sched_get_priority_max(os.SCHED_FIFO), os.sched_rr_get_interval(0)
    os.getpriority(os.PRIO_PROCESS, 0), attempt(os.setpriority, os.PRIO_PROCESS, 0, 1)
    os.nice(0), os.getrandom(4), os.getloadavg(), os.sync()


def times():
    time.sleep(0.01), time.clock_gettime(time.CLOCK_MONOTONIC)
    time.clock_getres(time.CLOCK_REALTIME), attempt(time.clock_settime, 99, 1.0)
    time.clock_gettime(time.CLOCK_PROCESS_CPUTIME_ID)


for part in (files, memory, pipes, sockets, signals, processes, times):
    part()
sys.exit(errno.ENOENT if struct.calcsize("P") == 0 else 0)
