# SPDX-License-Identifier: GPL-2.0
"""Attribute the instructions of one traced call, or one line of text that is read, to the
kernel's symbols.

The guest reports when it is about to make the calls and when it has made them, and
waits for a byte each time. In between, QEMU logs every instruction.
"""

import collections
import os

import monitor
import symbols
import vm
from record import execution_log

# As in guest/bench.c
TARGET = {"x86_64": "do_getpgid", "i386": "__ia32_sys_getpgid"}[vm.ARCH]
READ = "vfs_read"
# The scenarios that call another function
PATH, PATH_TARGET = "a path", "getname_flags"
TRAMPOLINE = "[trampoline]"
KERNEL_SPACE = {"x86_64": 1 << 63, "i386": 3 << 30}[vm.ARCH]


class Symbols(symbols.Symbols):
    """The symbols of a kernel's text, and trampolines behind it."""

    def __init__(self, vmlinux):
        super().__init__(vmlinux)
        self.end = self.address("_einittext")

    def name(self, address):
        return TRAMPOLINE if address >= self.end else super().name(address)


def executed(path):
    """The program counters of the instructions that were executed, in order."""
    counters = []
    with open(path, encoding="ascii", errors="replace") as stream:
        for line in stream:
            match = execution_log.EXECUTED.match(line)
            if match:
                counters.append(int(match.group("address"), 16))
            elif counters and execution_log.STOPPED.match(line):
                counters.pop()  # it was logged, but an interrupt came first
    return counters


def visits(counters):
    """The stretches of execution in the kernel, each a list of program counters."""
    stay = []
    for counter in counters:
        if counter >= KERNEL_SPACE:
            stay.append(counter)
        elif stay:
            yield stay
            stay = []


def one_call(path, names, target):
    """{symbol: instructions} of the shortest stretch that calls the target."""
    stays = [[names.name(counter) for counter in stay] for stay in visits(executed(path))]
    calls = [stay for stay in stays if target in stay]
    if not calls:
        raise SystemExit(f"error: {path} has no call of {target}")
    return collections.Counter(min(calls, key=len))


def one_line(path, names, lines):
    """{symbol: instructions of a line} of the longest stretch that read; it read that many."""
    stays = [[names.name(counter) for counter in stay] for stay in visits(executed(path))]
    reads = [stay for stay in stays if READ in stay]
    if not reads:
        raise SystemExit(f"error: {path} has no call of {READ}")
    counts = collections.Counter(max(reads, key=len))
    return collections.Counter({name: round(count / lines) for name, count in counts.items()
                                if count >= lines})


class Stepper:
    """Answers a guest, and counts the instructions of its calls and lines."""

    def __init__(self, directory, vmlinux):
        self.monitor = monitor.Monitor(directory)
        self.log = os.path.join(directory, "log")
        self.vmlinux = vmlinux
        self.symbols = None
        self.calls = {}
        self.lines = {}

    def arguments(self):
        """QEMU's arguments, which add a monitor and a serial port."""
        return self.monitor.arguments()

    def on_line(self, line):
        kind, _, name = line.partition("\t")
        if kind == "step":
            self.start()
        elif kind == "stepped":
            self.stop()
            target = PATH_TARGET if name.startswith(PATH) else TARGET
            self.calls[name] = one_call(self.log, self.symbols, target)
            self.resume()
        elif kind == "read":
            name, _, lines = name.partition("\t")
            self.stop()
            self.lines[name] = one_line(self.log, self.symbols, int(lines))
            self.resume()

    def start(self):
        self.symbols = self.symbols or Symbols(self.vmlinux)
        self.monitor.do(f"logfile {self.log}", "singlestep on", "log exec,nochain")
        self.monitor.answer(b"+")

    def stop(self):
        self.monitor.do("log none", "singlestep off")

    def resume(self):
        os.unlink(self.log)
        self.monitor.answer(b"-")

    def close(self):
        self.monitor.close()

    def over_off(self):
        """{scenario: {symbol: instructions in addition to those without tracing}}"""
        return {name: difference(call, self.off(name))
                for name, call in {**self.calls, **self.lines}.items()
                if not name.endswith("off")}

    def off(self, name):
        """The instructions that the same takes without tracing; none for lines."""
        if name in self.lines:
            return collections.Counter()
        return self.calls[f"{PATH}: off" if name.startswith(PATH) else "off"]


def difference(call, off):
    """The additional instructions of each symbol, the most first."""
    more = {symbol: call[symbol] - off[symbol] for symbol in call | off}
    return {symbol: count for symbol, count in
            sorted(more.items(), key=lambda item: (-item[1], item[0])) if count}


def write_report(path, results):
    with open(path, "w", encoding="utf-8") as out:
        for name, result in results.items():
            for scenario, counts in result["calls"].items():
                out.write(f"{name}: {scenario}: {sum(counts.values())} instructions\n")
                for symbol, count in counts.items():
                    out.write(f"{count:8}  {symbol}\n")
                out.write("\n")
