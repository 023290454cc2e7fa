# SPDX-License-Identifier: GPL-2.0
"""Make syscalls that take structures and descriptions, for strace_compare.py: io_uring, bpf(),
perf_event_open(), mount_setattr(), futex_waitv() and fanotify.

The C library has no functions for most. Whether one succeeds does not matter.
"""

import ctypes
import struct

LIBC = ctypes.CDLL(None)
LIBC.syscall.restype = ctypes.c_long
WIDE = ctypes.sizeof(ctypes.c_long) == 8
AT_FDCWD = -100
ADDRESS = ctypes.c_void_p(8)  # that nothing is at


def number(x86_64, i386=None):
    return x86_64 if WIDE or i386 is None else i386


BPF, PERF_EVENT_OPEN = number(321, 357), number(298, 336)
FANOTIFY_INIT, FANOTIFY_MARK = number(300, 338), number(301, 339)
PIDFD_OPEN, PROCESS_MADVISE, MOUNT_SETATTR, FUTEX_WAITV = 434, 440, 442, 449
URING_SETUP, URING_ENTER, URING_REGISTER = 425, 426, 427


def call(nr, *args):
    return LIBC.syscall(ctypes.c_long(nr),
                        *(ctypes.c_long(a) if isinstance(a, int) else a for a in args))


def packed(layout, *values, size=0):
    """No alignment, little-endian; filled up to @size"""
    data = struct.pack("<" + layout, *values)
    return ctypes.create_string_buffer(data, max(size, len(data)))


def at(buffer):
    return ctypes.addressof(buffer)


def params(flags=0, entries=0, cpu=0, idle=0, wq=0, reserved=0):
    return packed("10I", 0, entries, flags, cpu, idle, 0, wq, 0, reserved, 0, size=120)


def uring():
    ring = call(URING_SETUP, 1, params())
    call(URING_SETUP, 2, params(flags=8, entries=8))
    call(URING_SETUP, 1, params(flags=0x20 | 0x10, wq=ring))
    call(URING_SETUP, 1, params(flags=6, cpu=1, idle=2, reserved=5))
    call(URING_SETUP, 1, None), call(URING_SETUP, 1, ADDRESS)
    call(URING_ENTER, ring, 0, 0, 1, None, 8), call(URING_ENTER, ring, 0, 0, 0, packed("Q", 2), 8)
    call(URING_ENTER, ring, 0, 0, 0xf, None, 0)
    for operation in range(24):
        call(URING_REGISTER, ring, operation, None, 1)
    fds, one = packed("4i", 0, -1, 2, 1000), packed("i", 1000)
    text = packed("8s", b"abcdefg")
    iov = packed("4Q" if WIDE else "4I", at(text), 3, at(text) + 3, 4)
    call(URING_REGISTER, ring, 0, iov, 2), call(URING_REGISTER, ring, 2, fds, 4)
    call(URING_REGISTER, ring, 4, one, 1), call(URING_REGISTER, ring, 7, one, 1)
    call(URING_REGISTER, ring, 6, packed("IIQ", 1, 0, at(fds)), 2)
    call(URING_REGISTER, ring, 6, packed("IIQ", 1, 5, at(fds)), 2)
    tags = packed("2Q", 5, 1 << 40)
    call(URING_REGISTER, ring, 13, packed("IIQQQ", 2, 1, 0, at(fds), at(tags)), 32)
    call(URING_REGISTER, ring, 14, packed("IIQQII", 1, 0, at(fds), 0, 2, 0), 32)
    call(URING_REGISTER, ring, 15, packed("IIQQQ", 2, 0, 0, at(iov), 0), 32)
    call(URING_REGISTER, ring, 15, packed("IIQQQ", 2, 0, 0, at(iov), 0), 31)
    call(URING_REGISTER, ring, 11, packed("HB13xHB13xHB13x", 0, 3, 1, 2, 2, 5), 3)
    call(URING_REGISTER, ring, 17, packed("Q", 3), 8)
    call(URING_REGISTER, ring, 20, packed("IIQIIQ", 0xffffffff, 0, ring, 3, 0, ring), 2)
    call(URING_REGISTER, ring, 22, packed("QIHH", 0x1000, 4, 5, 0, size=40), 1)


def bpf(command, layout, *values, size=None):
    attr = packed(layout, *values, size=160)
    return call(BPF, command, attr, struct.calcsize("<" + layout) if size is None else size)


def maps():
    key, value = packed("Q", 1), packed("Q", 2)
    fd = bpf(0, "5I", 1, 4, 8, 16, 0)
    bpf(0, "4I", 2, 4, 8, 16)
    bpf(0, "7I16sI", 1, 4, 8, 16, 9, 3, 1, b"mymap", 0)
    bpf(0, "7I16s5IQ", 1, 4, 8, 16, 4, 3, 1, b"a\"b", 0, 0xffffffff, 5, 6, 7, 8)
    bpf(0, "5I", 99, 4, 8, 16, 0, size=0), bpf(0, "5I", 99, 4, 8, 16, 0, size=5000)
    call(BPF, 0, None, 20), call(BPF, 0, ADDRESS, 20)
    bpf(2, "IIQQQ", fd, 0, at(key), at(value), 1), bpf(2, "IIQQQ", fd, 0, at(key), at(value), 4)
    bpf(1, "IIQQQ", fd, 0, at(key), at(value), 0), bpf(1, "IIQQ", fd, 0, at(key), at(value))
    bpf(4, "IIQQ", fd, 0, 0, at(value)), bpf(3, "IIQ", fd, 0, at(key)), bpf(22, "I", fd)
    bpf(26, "QQQQIIQQ", 0, 0, at(key), at(value), 1, fd, 0, 0)
    bpf(11, "III", 0, 0, 0), bpf(12, "II", 0, 0), bpf(14, "III", 1 << 30, 0, 0)
    info = ctypes.create_string_buffer(256)
    bpf(15, "IIQ", fd, 256, at(info)), bpf(15, "IIQ", 99, 256, at(info))


def programs():
    code = packed("QQ", 0xb7, 0x95)
    text = packed("16s", b"GPL"), packed("16s", b"/no/such/file")
    fd = bpf(5, "IIQQIIQII", 1, 2, at(code), at(text[0]), 0, 0, 0, 0, 0)
    bpf(5, "IIQQIIQII16sII", 1, 2, at(code), at(text[0]), 1, 64, 0, 0x060102, 1, b"name", 0, 8)
    bpf(5, "IIQQ", 1, 2, at(code), 8)
    bpf(6, "QII", at(text[1]), fd, 0), bpf(7, "QII", at(text[1]), 0, 8)
    bpf(8, "5I", 99, fd, 1, 2, 6), bpf(17, "QI", at(text[1]), fd)
    bpf(13, "III", 1 << 30, 0, 0), bpf(19, "I", 1 << 30), bpf(30, "I", 1 << 30)
    bpf(18, "QQIII", at(code), 0, 16, 0, 0)
    bpf(28, "IIII", fd, 99, 1, 0), bpf(29, "IIII", 99, fd, 4, 5)
    bpf(10, "IIIIQQIIIIQQIII", 99, 0, 8, 0, at(code), 0, 1, 0, 0, 0, 0, 0, 0, 0, 0)


def events():
    def event(kind, size, config, period, sample, form, bits, cpu=-1, flags=8):
        attr = packed("IIQQQQQ", kind, size, config, period, sample, form, bits, size=128)
        call(PERF_EVENT_OPEN, attr, 0, cpu, -1, flags)

    event(1, 128, 0, 0, 0, 0, 0)
    event(1, 64, 1, 4000, 3, 12, 1 | 1 << 10 | 2 << 15 | 1 << 17 | 1 << 25)
    event(0, 112, 1, 4000, 0, 0, 3 << 15), event(0, 128, 7 << 32 | 1, 0, 0, 0, 0)
    event(3, 128, 0x10002, 0, 0, 0, 0), event(2, 72, 77, 1, 0, 0, 0), event(4, 128, 77, 1, 0, 0, 0)
    event(5, 128, 0, 1, 0, 0, 0, flags=1), event(1, 24, 0, 0, 0, 0, 0)
    call(PERF_EVENT_OPEN, None, 0, -1, -1, 0), call(PERF_EVENT_OPEN, ADDRESS, 0, -1, -1, 0)


def others():
    attr, path = packed("QQQQ", 3, 0x70, 1 << 18, 0, size=48), packed("3s", b"/x\0")
    call(MOUNT_SETATTR, AT_FDCWD, path, 0x8000, attr, 32)
    call(MOUNT_SETATTR, 99, path, 0, attr, 40), call(MOUNT_SETATTR, 99, path, 0, attr, 31)
    call(MOUNT_SETATTR, 99, path, 0, None, 32)
    word = packed("I", 7)
    two = packed("QQIIQQII", 1, at(word), 0x82, 0, 1 << 33, at(word), 0x12, 8)
    call(FUTEX_WAITV, two, 2, 0, None, 1), call(FUTEX_WAITV, two, 1, 0, None, 0)
    call(FUTEX_WAITV, ADDRESS, 1, 0, None, 0)
    iov = packed("2Q" if WIDE else "2I", at(word), 4)
    call(PROCESS_MADVISE, 99, iov, 1, 21, 0), call(PROCESS_MADVISE, 99, iov, 1, 4, 1)
    call(PIDFD_OPEN, 1, 0o4000), call(PIDFD_OPEN, 1 << 30, 0)
    fan = call(FANOTIFY_INIT, 4 | 3, 0o2000000 | 2)
    call(FANOTIFY_INIT, 0x600, 0), call(FANOTIFY_INIT, 0x18, 0)

    def mark(flags, mask, fd, name):
        masks = (mask,) if WIDE else (mask & 0xffffffff, mask >> 32)
        call(FANOTIFY_MARK, fan, flags, *masks, fd, name)

    mark(0x11, 0x38, AT_FDCWD, path), mark(0x101, 0x50000023, 99, path), mark(0x80, 0, -1, None)
    mark(2, 1 | 1 << 40, -1, ADDRESS)


for part in uring, maps, programs, events, others:
    part()
