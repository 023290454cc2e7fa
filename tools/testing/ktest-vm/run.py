#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Boot the guest and print a typed function graph of a command.

  run.py         FUNC (functions, separated by commas), CMD (a command for the
                 guest's shell) and DEPTH (levels, 0 for all) come from the
                 environment; without them, the demo program is traced. A command
                 that fails is no error here: the trace is to show why it failed
  run.py shell   an interactive guest
"""

import os
import subprocess
import sys

import vm

# The functions behind the demo's system calls, and a depth that can still be read
DEMO_FUNCTIONS = ("do_sys_openat2,ksys_read,ksys_write,ksys_mmap_pgoff,kernel_clone,"
                  "bprm_execve,do_pipe2,__sys_socketpair,load_module")
DEMO_DEPTH = "3"
# Locks and preemption counts would fill half of the trace, and say little
DEMO_HIDDEN = ("_raw_*,preempt_count_*,__cond_resched,__rcu_read_*,mutex_*,up_read,up_write,"
               "down_read*,down_write*,debug_smp_processor_id")
DEMO_MODULE = "crc4"
OPTIONS = {"funcgraph-args": "1", "funcgraph-retval-typed": "1",
           "funcgraph-names": "1 optional", "funcgraph-strings": "1",
           "funcgraph-structs": "1", "funcgraph-changes": "1"}


def demo_command():
    release = os.path.join(vm.OUT, "include/config/kernel.release")
    with open(release, encoding="utf-8") as stream:
        modules = f"/lib/modules/{stream.read().strip()}"
    return f"demo {modules}/{DEMO_MODULE}.ko {DEMO_MODULE}"


def job():
    func = os.environ.get("FUNC", "")
    command = os.environ.get("CMD")
    found = {
        "mode": "run\n",
        "func": (func or DEMO_FUNCTIONS) + "\n",
        "cmd": (command or demo_command()) + "\n",
        "depth": (os.environ.get("DEPTH") or ("0" if func else DEMO_DEPTH)) + "\n",
        "hidden": ("" if func else DEMO_HIDDEN) + "\n",
        "options": "".join(f"{name} {value}\n" for name, value in OPTIONS.items()),
    }
    # The demo checks its calls, so it must succeed
    return found if command else {**found, "strict": ""}


def show(line):
    if line.startswith("@ktest "):
        line = "== " + line[len("@ktest "):]
    print(line, flush=True)


def run():
    print("== booting the guest (emulated, this takes some seconds)", flush=True)
    timeout = int(os.environ.get("TIMEOUT") or 300)
    outcome = vm.boot(job(), "kunit.enable=0 oops=panic", "run", timeout, on_line=show)
    problem = outcome.problem()
    if problem:
        print(f"error: {problem}\nthe console, in {vm.LOGS_NAME}/run.console, says:")
        print("\n".join("  " + line for line in outcome.excerpt()))
        return 1
    print(f"== {outcome.taken()}")
    return outcome.status


def shell():
    initrd = os.path.join(vm.GUEST, "shell.cpio")
    vm.write_initrd({"mode": "shell\n"}, initrd)
    print("== a guest with a shell; ctrl-a x kills it", flush=True)
    return subprocess.call([vm.QEMU] + vm.arguments(initrd, "kunit.enable=0 quiet")
                           + ["-serial", "mon:stdio"])


if __name__ == "__main__":
    vm.require_built()
    sys.exit(shell() if sys.argv[1:] == ["shell"] else run())
