# SPDX-License-Identifier: GPL-2.0
"""Tests of the comparison of syscall events with strace: what differs must be counted."""

import contextlib
import io
import os
import sys
import tempfile

from harness import contains, equal, write

GUEST = os.path.join(os.path.dirname(os.path.dirname(os.path.realpath(__file__))), "guest")
sys.path.append(GUEST)
import strace_compare  # noqa: E402  pylint: disable=wrong-import-position

STRACE = """7 execve("/bin/x", ["x"], 0x7ffc /* 2 vars */) = 0
7 openat(AT_FDCWD, "/no", O_RDONLY)   = -1 ENOENT (No such file or directory)
7 wait4(-1,  <unfinished ...>
8 close(3)                        = 0
8 exit_group(0)                   = ?
8 +++ exited with 0 +++
7 <... wait4 resumed>[{WIFEXITED(s) && WEXITSTATUS(s) == 0}], 0, NULL) = 8
7 --- SIGCHLD {si_signo=SIGCHLD} ---
7 read(3, "a", 1)                 = 1
"""
EVENTS = """               x-7       [000] .....     1.000001: execve("/bin/x", ["x"], 0x7ffc /* 2 vars */) = 0
               x-7       [000] .....     1.000002: openat(AT_FDCWD, "/no", O_RDONLY) = -1 ENOENT
             y z-8       [001] .....     1.000003: close(3) = 0
               x-7       [000] d..1.     1.000004: wait4(-1, [{WIFEXITED(s) && WEXITSTATUS(s) == 0}], 0, NULL) = 8
               x-7       [000] .....     1.000005: read(3, "a", 1) = 1
"""


def compare(strace, events, percent="100"):
    """(whether it fails, what it prints)"""
    with tempfile.TemporaryDirectory() as directory:
        paths = [os.path.join(directory, name) for name in ("strace", "events")]
        for path, text in zip(paths, (strace, events)):
            write(path, text)
        arguments, sys.argv = sys.argv, ["strace_compare.py", *paths, percent]
        try:
            with contextlib.redirect_stdout(io.StringIO()) as output:
                failed = strace_compare.main()
        finally:
            sys.argv = arguments
        return bool(failed), output.getvalue()


def test_strace_alike():
    """strace: lines of several tasks, unfinished calls, errors, signals and exits"""
    failed, text = compare(STRACE, EVENTS)
    contains(text, "5 lines: 5 alike, 0 explained, 100.0 %; 5 of 5 syscalls")
    equal(failed, False)


def test_strace_columns():
    """strace: the columns of events depend on options"""
    for flags, column in ((" .....", ""), (" .....", " d.h1."), ("       [", " (      7) [")):
        failed, text = compare(STRACE, EVENTS.replace(flags, column))
        contains(text, "5 lines: 5 alike, 0 explained, 100.0 %; 5 of 5 syscalls")
        equal(failed, False)


def test_strace_values():
    """strace: each other value, result and order of calls is a difference"""
    for old, new in (('"a", 1) = 1', '"b", 1) = 1'), ("= 1\n", "= 2\n"), ("ENOENT", "EACCES"),
                     ("O_RDONLY", "O_RDONLY|O_CLOEXEC"), ("== 0}", "== 1}"), ("NULL", "0x0")):
        failed, text = compare(STRACE, EVENTS.replace(old, new))
        contains(text, "5 lines: 4 alike")
        equal(failed, True)


def test_strace_missing():
    """strace: a line that only one side has is a difference, and so is nothing at all"""
    lines = EVENTS.splitlines(keepends=True)
    failed, text = compare(STRACE, "".join(lines[:-1]))
    contains(text, "5 lines: 4 alike")
    equal(failed, True)
    failed, text = compare(STRACE, EVENTS + lines[-1])
    contains(text, "6 lines: 5 alike")
    equal(failed, True)
    equal(compare(STRACE, "", "0")[0], True)


def test_strace_percent():
    """strace: the wanted share decides, and explained lines count for it"""
    worse = EVENTS.replace("ENOENT", "EACCES")
    equal(compare(STRACE, worse, "80")[0], False)
    equal(compare(STRACE, worse, "81")[0], True)
    strace = STRACE + '7 getrandom("\\x01", 1, 0) = 1\n'
    events = EVENTS + EVENTS.splitlines()[-1].replace('read(3, "a", 1)', 'getrandom("\\1", 1, 0)') \
        + "\n"
    contains(compare(strace, events)[1], "6 lines: 5 alike, 1 explained, 100.0 %")
