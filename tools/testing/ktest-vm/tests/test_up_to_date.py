# SPDX-License-Identifier: GPL-2.0
"""Tests of when a kernel is built again, and of how far a first build is."""

import os
import subprocess
import tempfile
import time

from harness import VM, contains, equal, write

PRELUDE = (f"set -euo pipefail; . {VM}/lib.sh; . {VM}/kernel/config.sh; "
           f". {VM}/kernel/up-to-date.sh; . {VM}/kernel/progress.sh; "
           "FRAGMENTS=(); config_key() { echo; }; ")
SOURCES = ("linux/kernel/a.c", "linux/kernel/deep/b.h", "linux/Makefile",
           "linux/out-x86_64/.config", "linux/out-x86_64/kernel/a.o", "linux/out-i386/vmlinux")


def shell(top, command, **env):
    env = {**os.environ, "KTEST_BUILD": top, "ARCH": "", "VARIANT": "", "MAKEFLAGS": "", **env}
    return subprocess.run(["bash", "-c", PRELUDE + command], text=True, check=False, env=env,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)


def tick():
    """Longer than the clock of a file's times takes from one to the next."""
    time.sleep(0.03)


def with_built(function):
    """A tree that was built just now."""
    def test():
        with tempfile.TemporaryDirectory() as top:
            for path in SOURCES:
                write(f"{top}/{path}", "old\n")
            tick()
            equal(shell(top, 'begin_build; touch "$OUT/vmlinux"; '
                        'end_build "$(built_from gcc)"').stdout, "")
            tick()
            function(top)
    test.__doc__ = function.__doc__
    return test


def is_built(top, compiler="gcc", **env):
    return shell(top, f'is_built "$(built_from "{compiler}")"', **env).returncode == 0


@with_built
def test_stale_untouched(top):
    """stale: without a change, nothing is built; what is run or tested is no change"""
    equal(is_built(top), True)
    # As make calls itself for each architecture
    equal(is_built(top, ARCH="x86_64"), True)
    equal(is_built(top, FUNC="vfs_open", CMD="cat x", TEST="a", MAKEFLAGS="s -- CMD=B"), True)
    write(top + "/linux/out-i386/vmlinux", "another kernel's\n")
    write(top + "/initramfs.cpio", "a guest's root\n")
    equal(is_built(top), True)


def touched(change):
    """Whether it is built again after that change, in a tree that was built just now."""
    built = []
    with_built(lambda top: (change(top + "/linux"), tick(), built.append(is_built(top))))()
    return built == [False]


def older(path):
    """Other content, with the times of long ago."""
    write(path, "new\n")
    os.utime(path, (1, 1))


def replaced(path):
    """By another file that is older than what was built from it."""
    write(path + ".other", "new\n")
    os.utime(path + ".other", (1, 1))
    os.rename(path + ".other", path)


def test_stale_touched():
    """stale: a file that was written, replaced, added or removed is seen, whatever its times"""
    for change in (lambda tree: write(tree + "/kernel/a.c", "new\n"),
                   lambda tree: older(tree + "/kernel/deep/b.h"),
                   lambda tree: replaced(tree + "/kernel/a.c"),
                   lambda tree: write(tree + "/kernel/deep/new.c", "new\n"),
                   lambda tree: os.unlink(tree + "/kernel/deep/b.h"),
                   lambda tree: os.chmod(tree + "/Makefile", 0o755),
                   lambda tree: os.unlink(tree + "/out-x86_64/kernel/a.o"),
                   lambda tree: write(tree + "/out-x86_64/.config", "new\n")):
        equal(touched(change), True)


def test_stale_while_building():
    """stale: a file that changes while it is built is built again"""
    with tempfile.TemporaryDirectory() as top:
        for path in SOURCES:
            write(f"{top}/{path}", "old\n")
        tick()
        shell(top, 'begin_build; sleep 0.03; echo new >"$SOURCE/kernel/a.c"; sleep 0.03; '
              'touch "$OUT/vmlinux"; end_build "$(built_from gcc)"')
        equal(is_built(top), False)


@with_built
def test_stale_environment(top):
    """stale: another compiler, its flags, and make -B build again; a failed build too"""
    equal(is_built(top, "ccache gcc"), False)
    equal(is_built(top, KCFLAGS="-g"), False)
    for flags in ("B", "ksB -- TEST=x"):
        equal(is_built(top, MAKEFLAGS=flags), False)
    equal(is_built(top), True)
    shell(top, "begin_build")
    equal(is_built(top), False)


def test_progress():
    """progress: kbuild's lines, and now and then how many of them there were"""
    with tempfile.TemporaryDirectory() as top:
        write(top + "/one", "# a\n# steps: 40\nCONFIG_A=y\n")
        write(top + "/two", "# steps: 7\n")
        equal(shell(top, f"steps_of {top}/one {top}/two; steps_of /dev/null").stdout, "40\n")
        lines = shell(top, 'for i in {1..39}; do echo "  CC      $i.o"; echo other; done | '
                      'with_progress "$(steps_of ' + top + '/one)"').stdout.splitlines()
        equal(len([line for line in lines if line.startswith("  CC")]), 39)
        equal(lines[2:5], ["  CC      2.o", "== 5% of the first build, 0 min", "other"])
        equal(len([line for line in lines if line.startswith("== ")]), 19)
        contains("\n".join(lines), "== 95% of")
        # More than there were the time before
        equal("100%" in shell(top, 'yes "  CC a" | head -n 50 | with_progress 40').stdout, False)
