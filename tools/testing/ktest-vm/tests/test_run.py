# SPDX-License-Identifier: GPL-2.0
"""Tests of what "make run" does in the guest, with files in place of tracefs."""

import importlib.util
import os
import subprocess
import tempfile
from unittest import mock

from harness import VM, contains, equal, read, write

TRACE = "# tracer: function_graph\n 0)   1.5 us    |  vfs_open(path=0x1);\n"
OPTIONS = ("function-fork", "funcgraph-irqs", "funcgraph-tail", "funcgraph-args")


def play(command, trace=TRACE, strict=False, func="vfs_open"):
    """Output and status of the guest's script, and where its tracefs was."""
    with tempfile.TemporaryDirectory() as top:
        files = {"job/cmd": command, "job/func": func, "job/depth": "3", "job/hidden": "",
                 "job/options": "funcgraph-args 1", "tracing/trace": trace.rstrip("\n"),
                 "tracing/available_filter_functions": "vfs_open\nvfs_read",
                 "tracing/per_cpu/cpu0/stats": "overrun: 2\ndropped events: 1"}
        files.update({f"tracing/options/{name}": "0" for name in OPTIONS})
        if strict:
            files["job/strict"] = ""
        for path, text in files.items():
            write(f"{top}/{path}", text + "\n")
        write(top + "/bin/modprobe", "#!/bin/sh\n", 0o755)
        env = dict(os.environ, PATH=f"{top}/bin:{os.environ['PATH']}", KTEST_JOB=top + "/job",
                   KTEST_TRACING=top + "/tracing", KTEST_TMP=top)
        result = subprocess.run(["sh", VM + "/guest/run.sh"], text=True, check=False, env=env,
                                timeout=60, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        return result.stdout, result.returncode, read(top + "/tracing/max_graph_depth")


def test_run_failing_command():
    """run: a command that fails is traced as any other, and it is told how it ended"""
    output, status, depth = play("cat /nonexistent")
    equal((status, depth), (0, "3\n"))
    contains(output, "vfs_open(path=0x1)", "/nonexistent", "1 lines of trace, 3 events lost",
             "the command failed with status 1")
    contains(play("exit 3; :")[0], "failed with status 3")
    contains(play("no-such-program")[0], "could not be run (status 127)")
    output, status, _ = play("kill -SEGV $$; :")
    contains(output, "was killed by SIGSEGV")
    equal(status, 0)


def test_run_good_command():
    """run: a command that succeeds, and what it says"""
    output, status, _ = play("echo said")
    equal(status, 0)
    contains(output, "\nsaid\n", "the command succeeded")


def test_run_strict():
    """run: the demo must succeed, and something must have been traced"""
    equal(play("false", strict=True)[1] != 0, True)
    equal(play("true", strict=True)[1], 0)
    output, status, _ = play("true", trace="# tracer: function_graph\n")
    equal(status != 0, True)
    contains(output, "error: nothing was traced")


def load_front():
    """run.py, which has the name of the program that runs these tests."""
    spec = importlib.util.spec_from_file_location("front", VM + "/run.py")
    front = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(front)
    return front


def test_run_job():
    """run: only the demo is strict"""
    front = load_front()
    with mock.patch.dict(os.environ, CMD="cat /nonexistent", FUNC="", DEPTH=""):
        equal("strict" in front.job(), False)
        equal(front.job()["cmd"], "cat /nonexistent\n")
    with mock.patch.dict(os.environ, CMD="", FUNC="", DEPTH=""), \
            mock.patch.object(front, "demo_command", lambda: "demo"):
        equal("strict" in front.job(), True)
