# SPDX-License-Identifier: GPL-2.0
"""Attribute the instructions of one traced call, or one line of text that is read, to the
kernel's symbols.

The guest reports when it is about to make the calls and when it has made them, and
waits for a byte each time. In between, QEMU logs every instruction.
"""

import bisect
import collections
import os
import socket
import subprocess

import vm
from record import execution_log

# As in guest/bench.c
TARGET = {"x86_64": "do_getpgid", "i386": "__ia32_sys_getpgid"}[vm.ARCH]
READ = "vfs_read"
# The scenarios that call another function
PATH, PATH_TARGET = "a path", "getname_flags"
TRAMPOLINE = "[trampoline]"
PROMPT = b"(qemu) "
KERNEL_SPACE = {"x86_64": 1 << 63, "i386": 3 << 30}[vm.ARCH]


class Symbols:
    """The symbols of a kernel's text."""

    def __init__(self, vmlinux):
        text = subprocess.run(["nm", vmlinux], capture_output=True, text=True, check=True).stdout
        words = (line.split() for line in text.splitlines())
        found = sorted((int(address, 16), name) for address, kind, name in words
                       if kind in "tTwW")
        self.addresses = [address for address, _ in found]
        self.names = [name for _, name in found]
        self.end = next(address for address, name in found if name == "_einittext")

    def name(self, address):
        if address >= self.end:
            return TRAMPOLINE
        return self.names[bisect.bisect_right(self.addresses, address) - 1]


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


def one_call(path, symbols, target):
    """{symbol: instructions} of the shortest stretch that calls the target."""
    stays = [[symbols.name(counter) for counter in stay] for stay in visits(executed(path))]
    calls = [names for names in stays if target in names]
    if not calls:
        raise SystemExit(f"error: {path} has no call of {target}")
    return collections.Counter(min(calls, key=len))


def one_line(path, symbols, lines):
    """{symbol: instructions of a line} of the longest stretch that read; it read that many."""
    stays = [[symbols.name(counter) for counter in stay] for stay in visits(executed(path))]
    reads = [names for names in stays if READ in names]
    if not reads:
        raise SystemExit(f"error: {path} has no call of {READ}")
    counts = collections.Counter(max(reads, key=len))
    return collections.Counter({name: round(count / lines) for name, count in counts.items()
                                if count >= lines})


class Stepper:
    """Answers a guest, and counts the instructions of its calls and lines."""

    def __init__(self, directory, vmlinux):
        self.paths = {name: os.path.join(directory, name) for name in ("monitor", "port", "log")}
        self.vmlinux = vmlinux
        self.sockets = {}
        self.symbols = None
        self.calls = {}
        self.lines = {}

    def arguments(self):
        """QEMU's arguments, which add a monitor and a serial port."""
        return ["-monitor", f"unix:{self.paths['monitor']},server=on,wait=off",
                "-serial", f"unix:{self.paths['port']},server=on,wait=off"]

    def on_line(self, line):
        kind, _, name = line.partition("\t")
        if kind == "step":
            self.start()
        elif kind == "stepped":
            self.stop()
            target = PATH_TARGET if name.startswith(PATH) else TARGET
            self.calls[name] = one_call(self.paths["log"], self.symbols, target)
            self.resume()
        elif kind == "read":
            name, _, lines = name.partition("\t")
            self.stop()
            self.lines[name] = one_line(self.paths["log"], self.symbols, int(lines))
            self.resume()

    def start(self):
        if not self.sockets:
            self.connect()
        for command in (f"logfile {self.paths['log']}", "singlestep on", "log exec,nochain"):
            self.monitor(command)
        self.sockets["port"].sendall(b"+")

    def stop(self):
        for command in ("log none", "singlestep off"):
            self.monitor(command)

    def resume(self):
        os.unlink(self.paths["log"])
        self.sockets["port"].sendall(b"-")

    def connect(self):
        for name in ("monitor", "port"):
            self.sockets[name] = socket.socket(socket.AF_UNIX)
            self.sockets[name].connect(self.paths[name])
        self.wait()
        self.symbols = Symbols(self.vmlinux)

    def monitor(self, command):
        self.sockets["monitor"].sendall(command.encode() + b"\n")
        self.wait()

    def wait(self):
        said = b""
        while not said.endswith(PROMPT):
            got = self.sockets["monitor"].recv(4096)
            if not got:
                raise SystemExit("error: QEMU's monitor closed its connection")
            said += got

    def close(self):
        for connection in self.sockets.values():
            connection.close()

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
            for scenario, symbols in result["calls"].items():
                out.write(f"{name}: {scenario}: {sum(symbols.values())} instructions\n")
                for symbol, count in symbols.items():
                    out.write(f"{count:8}  {symbol}\n")
                out.write("\n")
