# SPDX-License-Identifier: GPL-2.0
"""Tests of what make is told: mistakes end it before anything is built."""

import os
import subprocess
import tempfile

from harness import VM, contains, equal, read, write

REPO = os.path.realpath(os.path.join(VM, "../../.."))
# What the Makefile runs, which only note here that they ran
PROGRAMS = ("deps.sh", "programs32.sh", "kernel/build.sh", "rootfs/initramfs.sh", "run.py",
            "test.py", "bench.py", "baseline/record.sh", "module.sh", "kernel/apply.sh")
NAMES = ("FUNC CMD DEPTH SUITE TEST KDIR JOBS TIMEOUT ARCH VARIANT STEPS KEEP DURATION MINUTES "
         "TARGET FIRST MAKEFLAGS MFLAGS MAKELEVEL").split()


def make(*arguments):
    """What make said, its status, and the programs that it ran."""
    with tempfile.TemporaryDirectory() as top:
        log = top + "/log"
        for name in PROGRAMS:
            write(f"{top}/{name}", f'#!/bin/sh\necho {name} "$@" >>{log}\n', 0o755)
        os.symlink(VM + "/settings.py", top + "/settings.py")
        write(log, "")
        env = {name: text for name, text in os.environ.items() if name not in NAMES}
        result = subprocess.run(["make", "-C", REPO, "--no-print-directory", f"VM={top}",
                                 *arguments], text=True, check=False, env=env,
                                stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        return result.stdout, result.returncode, read(log)


def refused(*arguments, said):
    output, status, ran = make(*arguments)
    contains(output, *said)
    equal((status != 0, ran), (True, ""))


def test_settings_numbers():
    """settings: what is no number, or none that can be meant, is refused at once"""
    for text in ("abc", "-1", "1.5", "0x3", "1 2", "4294967296"):
        refused("run", "DEPTH=" + text, said=[f"DEPTH={text}: a whole number is wanted"])
    for name in ("JOBS", "TIMEOUT", "DURATION"):
        for text in ("many", "0", "-3"):
            refused("check", f"{name}={text}", said=[f"{name}={text}: a whole number"])
    refused("series-check", "FIRST=last", said=["FIRST=last"])
    refused("fuzz", "MINUTES=long", said=["MINUTES=long"])


def test_settings_names():
    """settings: a name of nothing is refused, with what there is"""
    refused("run", "ARCH=arm", said=["ARCH=arm", "x86_64", "i386"])
    refused("build", "VARIANT=btff", said=["VARIANT=btff", "btf", "noclones"])
    refused("run", "VARIANT=signatures", said=["VARIANT=signatures"])
    refused("test", "SUITE=kunits", said=["SUITE=kunits", "kunit", "selftest"])
    refused("baseline", "SUITE=kunit", said=["SUITE=kunit", "ftracetest, startup"])
    refused("bench", "STEPS=calls,nothing", said=["STEPS=nothing", "hackbench"])


def test_settings_unknown():
    """settings: a setting that there is not is refused, and the right one told"""
    refused("run", "DEPHT=3", said=["DEPHT: there is no such setting; is DEPTH meant?"])
    refused("run", "CMD=a\nb", said=["CMD: more than one line"])


def test_settings_unused():
    """settings: a setting that the goal does not use is refused, with the goals that do"""
    refused("run", "TEST=kunit",
            said=["TEST: make run does not use it; make test and make check do"])
    refused("test", "DEPTH=3", said=["DEPTH: make test does not use it; make run does"])
    refused("build", "SUITE=host", said=["SUITE: make build does not use it"])


def test_settings_good():
    """settings: what makes sense builds and runs"""
    for arguments, last in (
            (["run"], "run.py"), (["run", "DEPTH=0", "FUNC=vfs_open", "CMD=cat '/a b'"], "run.py"),
            (["run", "DEPTH=4294967295", "JOBS=3", "TIMEOUT=9", "ARCH=i386"], "run.py"),
            (["check", "SUITE=kunit", "VARIANT=btf", "TEST=*a*"], "test.py --quick"),
            (["build", "check", "TEST=a"], "test.py --quick"),
            (["baseline", "SUITE=startup"], "baseline/record.sh startup"),
            (["bench", "STEPS=help"], "bench.py"), (["bench", "STEPS=calls,sizes"], "bench.py"),
            (["test", "SUITE=load", "DURATION=600"], "test.py")):
        output, status, ran = make(*arguments)
        equal((status, (ran.splitlines() or [output])[-1].strip()), (0, last))
