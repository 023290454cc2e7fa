# SPDX-License-Identifier: GPL-2.0
"""Watch a guest that traces functions of the kernel, and compare what it tells with what QEMU has
executed.

The guest says when the functions are about to be called and when they have been, and waits for an
answer. In between, QEMU logs all that the kernel executes, and grep keeps what matters: there are
hundreds of lines for each step. At the end, the kernel's text is read from the guest's memory.
"""

import contextlib
import glob
import os
import subprocess
import tempfile

import monitor
import symbols
import vm
from record import execution_log, kernel_text, windows
from record.comparison import Differs

# They exist on each architecture, and guest/kernel_calls.c calls them
FUNCTIONS = ("do_sys_openat2", "vfs_read", "vfs_write", "vfs_getattr_nosec", "vm_mmap_pgoff",
             "hrtimer_nanosleep", "get_signal")
KINDS = {"call", "return", "jump", "conditional", "exception", "unknown"}
LEAST_STEPS = 20000
TRACE = "@ktest trace"
TELLERS = ("kernel/trace/branch/*.o", "arch/x86/kernel/branch_step/**/*.o")
TRACERS = ("ftrace_caller", "ftrace_regs_caller")
THUNK = "__x86_indirect_thunk_"


class Recorder:
    """Has QEMU log what matters into a file, and the text into another."""

    def __init__(self, directory, known_doors, addresses):
        self.monitor = monitor.Monitor(directory)
        self.pipe, self.log, self.text = (os.path.join(directory, name)
                                          for name in ("pipe", "executed", "text"))
        self.addresses = addresses
        self.pattern = execution_log.kernel_pattern(known_doors)
        self.grep = None
        self.recorded = False

    def arguments(self):
        """QEMU's. The log makes the guest slow. A function that reads a clock may never be done
        with that if the clock ticks at each try, so the clock counts instructions."""
        only = f"{self.addresses.start:#x}+{len(self.addresses):#x}"
        return [*vm.NO_WAITING, "-dfilter", only, *self.monitor.arguments()]

    def on_line(self, line):
        if line == "@ktest recording":
            self.start()
        elif line == "@ktest recorded":
            self.stop()

    def start_grep(self):
        with open(self.log, "wb") as log:
            self.grep = subprocess.Popen(  # pylint: disable=consider-using-with
                ["grep", "-E", self.pattern, self.pipe], stdout=log,
                env={**os.environ, "LC_ALL": "C"})

    def start(self):
        os.mkfifo(self.pipe)
        self.start_grep()
        self.monitor.do(f"logfile {self.pipe}", "log exec,nochain")
        self.monitor.answer(b"+\n")

    def stop(self):
        self.monitor.do("log none", f"memsave {self.addresses.start:#x} "
                        f"{len(self.addresses)} \"{self.text}\"")
        self.recorded = True
        self.monitor.answer(b"-\n")

    def close(self):
        """QEMU has ended, and has closed the log."""
        self.monitor.close()
        if self.grep and not self.recorded:
            self.grep.kill()    # QEMU may never have opened it
        if self.grep:
            self.grep.wait()

    def read_text(self):
        with open(self.text, "rb") as text:
            return kernel_text.Text(text.read(), self.addresses.start)


def tracers(names):
    """Says whether what is called is a tracer's trampoline, which may be in the text, or be
    allocated."""
    end = names.address("_etext")
    return lambda address: address > end or names.name(address) in TRACERS


def tellers(names):
    """Says whether an address is in what tells of branches, or is a thunk that it calls by."""
    objects = [path for pattern in TELLERS
               for path in glob.glob(os.path.join(vm.OUT, pattern), recursive=True)]
    functions = {name for path in objects for _, kind, name in symbols.read(path)
                 if kind in symbols.TEXT}
    return lambda address: names.name(address) in functions or \
        names.name(address).startswith(THUNK)


def check_extent(walk, names):
    """A record that has too little would prove nothing."""
    missing = KINDS - {kind for _, _, kind in walk.branches}
    missing |= set(FUNCTIONS) - {names.name(site) for site in walk.sites}
    if missing or not walk.switches or len(walk.steps) < LEAST_STEPS:
        raise Differs(f"there are only {len(walk.steps)} steps and {walk.switches} switches; "
                      f"missing: {', '.join(sorted(missing)) or 'nothing'}")


def trace_of(lines):
    return lines[lines.index(TRACE) + 1:] if TRACE in lines else []


def compare(recorder, lines, known_doors, names):
    steps = execution_log.read(recorder.log, known_doors, execution_log.of_kernel)
    walk = windows.Walk(steps, windows.events(trace_of(lines)), recorder.read_text(),
                        tellers(names), tracers(names))
    walk.run()
    check_extent(walk, names)
    print(f"   functions: {len(steps)} steps, {len(walk.branches)} branches, "
          f"{len(walk.sites)} calls, {walk.switches} switches")


def record(directory, append, timeout):
    """Run the guest, and compare; what is wrong with the guest."""
    vmlinux = os.path.join(vm.OUT, "vmlinux")
    names = symbols.Symbols(vmlinux)
    known = execution_log.doors(vmlinux)
    addresses = range(names.address("_stext"), names.address("_etext"))
    with contextlib.closing(Recorder(directory, known, addresses)) as recorder:
        outcome = vm.boot({"mode": "record-functions\n", "functions": " ".join(FUNCTIONS) + "\n"},
                          append, "record-functions", timeout, on_line=recorder.on_line,
                          devices=recorder.arguments())
    print(f"== record: {outcome.taken()}", flush=True)
    if outcome.told() or outcome.status or not recorder.recorded:
        return (outcome.told() or "the guest could not trace the functions").splitlines()
    compare(recorder, outcome.lines, known, names)
    return []


def check(append, timeout):
    with tempfile.TemporaryDirectory() as directory:
        try:
            return record(directory, append, timeout)
        except Differs as difference:
            return [str(difference)]
