# SPDX-License-Identifier: GPL-2.0
"""Make syscalls with pointers to a page that comes late or never.

  syscalls_wait.py never        each syscall, a line each: how it ended
  syscalls_wait.py late         paths on pages that come late

The page is one of userfaultfd. Traced or not, a call must end in the same way, and it must
wait for the page only if the kernel itself wants it.
"""

import ctypes
import mmap
import os
import signal
import struct
import sys
import threading
import time

LIBC = ctypes.CDLL(None, use_errno=True)
LIBC.syscall.restype = ctypes.c_long
LIBC.mmap.restype = ctypes.c_void_p
WIDE = ctypes.sizeof(ctypes.c_long) == 8
USERFAULTFD = 323 if WIDE else 374
UFFDIO_API, UFFDIO_REGISTER, UFFDIO_COPY = 0xC018AA3F, 0xC020AA00, 0xC028AA03
PAGE = mmap.PAGESIZE
# Always the same, so that a call that takes it for a number always ends in the same way
PLACE = 0x10000000
MAP_FIXED_NOREPLACE = 0x100000
HANG_SECONDS = 30

# Those that end or stop a process, copy it, or act on the whole machine: exit, fork and
# the like, pause, kill, sync, vhangup, reboot
LEFT_OUT = {15, 34, 56, 57, 58, 60, 62, 153, 162, 169, 200, 219, 231, 234, 435}
NUMBERS = [nr for nr in (*range(335), *range(424, 463)) if nr not in LEFT_OUT]
BAD, TEXT = 8, b"/nofile"


def number(value):
    return ctypes.c_long(value)


def calls(page):
    """Calls by the C library, with the page where the kernel does not look at it, or does."""
    word = ctypes.addressof(ctypes.c_int(0))
    return {
        "write": lambda: LIBC.write(-1, page, 10),
        "pwrite": lambda: LIBC.pwrite(-1, page, 10, 0),
        "writev": lambda: LIBC.writev(-1, page, 1),
        "sendto": lambda: LIBC.sendto(-1, page, 10, 0, page, 16),
        "sendmsg": lambda: LIBC.sendmsg(-1, page, 0),
        "sendmmsg": lambda: LIBC.sendmmsg(-1, page, 1, 0),
        "connect": lambda: LIBC.connect(-1, page, 16),
        "bind": lambda: LIBC.bind(-1, page, 16),
        "setsockopt": lambda: LIBC.setsockopt(-1, 1, 2, page, 4),
        "getsockname": lambda: LIBC.getsockname(-1, page, page),
        "ioctl FIONBIO": lambda: LIBC.ioctl(-1, number(0x5421), page),
        "ioctl TCSETS": lambda: LIBC.ioctl(-1, number(0x5402), page),
        "fcntl F_SETLK": lambda: LIBC.fcntl(-1, 6, page),
        "mount": lambda: LIBC.mount(number(BAD), number(BAD), number(BAD), number(0), page),
        "execve": lambda: LIBC.execve(TEXT, page, None),
        "execve envp": lambda: LIBC.execve(TEXT, None, page),
        "futex": lambda: LIBC.syscall(number(202 if WIDE else 240), number(word), number(4),
                                      number(1), page, number(word), number(1)),
        "epoll_ctl": lambda: LIBC.epoll_ctl(-1, 1, 0, page),
        "timerfd_settime": lambda: LIBC.timerfd_settime(-1, 0, page, None),
        "setxattr": lambda: LIBC.setxattr(TEXT, number(BAD), page, number(4), 0),
        "semop": lambda: LIBC.semop(-1, page, number(1)),
        "shmctl": lambda: LIBC.shmctl(-1, 1, page),
        "symlink": lambda: LIBC.symlink(number(BAD), page),
        "open": lambda: LIBC.open(page, 0),
        "chdir": lambda: LIBC.chdir(page),
    }


def by_number(nr, page):
    """The page as the second argument, and as all behind the first, an invalid descriptor."""
    few = [number(10)] * 4
    return {
        f"{nr} few": lambda: LIBC.syscall(number(nr), number(-1), page, *few),
        f"{nr} all": lambda: LIBC.syscall(number(nr), number(-1), *[page] * 5),
    }


def handled_page(place=PLACE):
    """The address of a page that userfaultfd handles, and the descriptor."""
    address = LIBC.mmap(ctypes.c_void_p(place), number(PAGE), 3, 0x22 | MAP_FIXED_NOREPLACE, -1,
                        number(0))
    assert address == place, hex(address or 0)
    fd = LIBC.syscall(number(USERFAULTFD), number(os.O_CLOEXEC))
    assert fd >= 0, os.strerror(ctypes.get_errno())
    control(fd, UFFDIO_API, struct.pack("3Q", 0xAA, 0, 0))
    control(fd, UFFDIO_REGISTER, struct.pack("4Q", address, PAGE, 1, 0))
    return address, fd


def control(fd, command, words):
    buffer = ctypes.create_string_buffer(words)
    if LIBC.ioctl(fd, ctypes.c_ulong(command), buffer):
        raise OSError(ctypes.get_errno(), "userfaultfd")


def all_calls(page):
    """All calls, by name, in the order in which they are made."""
    found = dict(calls(page))
    for nr in NUMBERS if WIDE else ():
        found.update(by_number(nr, page))
    return found


def make_calls(names, to):
    """In a child: make calls, and write a line for each to a pipe."""
    # A handler makes waits end that can be interrupted
    signal.signal(signal.SIGALRM, lambda *_: None)
    found = all_calls(ctypes.c_void_p(handled_page()[0]))
    for name in names:
        ctypes.set_errno(0)
        result = found[name]()
        told = "returned" if result != -1 else f"errno {ctypes.get_errno()}"
        os.write(to, f"{told}\n".encode())
    os._exit(0)


def is_waiting(pid):
    with open(f"/proc/{pid}/wchan", encoding="ascii") as stream:
        return stream.read() == "handle_userfault"


def start(names):
    ours, to = os.pipe()
    pid = os.fork()
    if not pid:
        os.close(ours)
        make_calls(names, to)
    os.close(to)
    os.set_blocking(ours, False)
    return pid, open(ours, "rb", buffering=0)  # pylint: disable=consider-using-with


def first_that_waits(names):
    """Make calls up to the first that does not return; how each of them ended."""
    pid, pipe = start(names)
    text, why, last = b"", None, time.monotonic()
    while why is None and text.count(b"\n") < len(names):
        # Asked first: a call that waits writes nothing afterwards
        waits = is_waiting(pid)
        more = pipe.read()
        if more:
            text, last = text + more, time.monotonic()
        elif more == b"":
            why = "ended the program"
        elif waits:
            why = "waits for the page"
        elif time.monotonic() - last > HANG_SECONDS:
            why = "hangs"
        time.sleep(0.001)
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
    pipe.close()
    return text.decode().splitlines() + ([why] if why else [])


def never():
    names = list(all_calls(None))
    while names:
        ends = first_that_waits(names)
        for name, end in zip(names, ends):
            print(name, end, flush=True)
        names = names[len(ends):]


def serve(fd, address, text, seconds):
    """Wait for the fault, and give the page after a while."""
    os.read(fd, 32)
    time.sleep(seconds)
    page = ctypes.create_string_buffer(text, PAGE)
    control(fd, UFFDIO_COPY, struct.pack("5Q", address, ctypes.addressof(page), PAGE, 0, 0))


def opened(address):
    """Open what is not there: the error of the path, not of its memory."""
    assert LIBC.open(ctypes.c_void_p(address), 0) == -1
    assert ctypes.get_errno() == 2, os.strerror(ctypes.get_errno())


def served_late():
    for i, seconds in enumerate((0, 0.3)):
        address, fd = handled_page(PLACE + i * PAGE)
        thread = threading.Thread(target=serve,
                                  args=(fd, address, b"/served/after/%d" % (10 * seconds), seconds))
        thread.start()
        opened(address)
        thread.join()


def file_page(path, cached):
    """The address of a mapped file's page that nothing has touched."""
    fd = os.open(path, os.O_RDWR | os.O_CREAT)
    os.write(fd, path.encode() + b".not")
    os.fsync(fd)
    if not cached:
        os.posix_fadvise(fd, 0, 0, os.POSIX_FADV_DONTNEED)
    address = LIBC.mmap(None, number(PAGE), 1, 2, fd, number(0))
    assert address not in (None, ctypes.c_void_p(-1).value)
    return address


def late():
    served_late()
    opened(file_page("/tmp/tools/in_memory", True))
    opened(file_page("/tmp/tools/on_disk", False))


if __name__ == "__main__":
    {"never": never, "late": late}[sys.argv[1]]()
