# SPDX-License-Identifier: GPL-2.0
"""Measure writes into ring buffers on this machine, in the programs of native/.

Our ring buffer and the base's are compiled from their own sources, with the same thin
shim of the kernel around them; lttng-ust is Debian's. All have 1 MB in sub-buffers of
4 KB, and overwrite the oldest events. Times are ticks of the time stamp counter. The
host may be busy, so the programs run several times, in turns, and the minimum is the
figure to look at.
"""

import contextlib
import glob
import os
import re
import shutil
import signal
import statistics
import subprocess
import time

import vm

SOURCE = os.path.join(vm.HERE, "benchmarks/native")
OUT = os.path.join(vm.BUILD, "native")
PASSES = 5
RING = ["--overwrite", "--subbuf-size=4096", "--num-subbuf=256", "--buffers-uid"]

# Row, program, its way to write. The first does not read a clock, and lttng-ust with its
# default reads clock_gettime(); all others read the time stamp counter
RINGS = [
    ("memcpy, no clock", "copy", "memcpy"),
    ("memcpy and the clock", "copy", "memcpy and clock"),
    ("ours, in line", "ours", "in line"),
    ("ours, general interface", "ours", "general"),
    ("the base's", "base", "general"),
]
# What a reader takes at a time: pages (sub-buffers, when they are full) or events
READERS = ("pages", "events")
LTTNG = [
    ("lttng-ust, the same clock", {"LTTNG_UST_CLOCK_PLUGIN": os.path.join(OUT, "lttng_clock.so")}),
    ("lttng-ust, clock_gettime()", {}),
]
VALUES = ("least", "median", "batches", "written", "read", "lost")


class Refused(Exception):
    """A command of lttng failed."""


def command(*arguments, **environment):
    """The output of a command; end this program if it fails."""
    result = subprocess.run(arguments, stdout=subprocess.PIPE, text=True, check=False,
                            stdin=subprocess.DEVNULL, env=dict(os.environ, **environment))
    if result.returncode:
        raise SystemExit(f"error: {' '.join(arguments)} failed (see above)")
    return result.stdout


def make(base, *goals):
    command("make", "-s", "-C", SOURCE, f"OUT={OUT}", f"BASE={base}", *goals)


def build():
    command(os.path.join(vm.HERE, "kernel/build.sh"), "base")
    make(glob.glob(os.path.join(vm.BUILD, "base-*"))[0], "all", "lttng")


def cpus():
    """The writer's CPU, and the reader's or None."""
    found = sorted(os.sched_getaffinity(0))
    return found[-1], found[0] if len(found) > 1 else None


def parse(line):
    """{value's name: number} of a program's output, which has times in hundredths."""
    found = dict(zip(VALUES, map(int, line.split())))
    if len(found) != len(VALUES):
        raise SystemExit(f"error: a program of native/ said \"{line.strip()}\"")
    for name in ("least", "median"):
        found[name] /= 100
    return found


def run(program, way, reader=None, **environment):
    writer_cpu, reader_cpu = cpus()
    arguments = [os.path.join(OUT, program), way, str(writer_cpu)]
    if reader:
        arguments += [reader, str(reader_cpu)]
    return parse(command(*arguments, **environment))


# lttng-ust

def lttng(*arguments):
    result = subprocess.run(["lttng", "--no-sessiond", *arguments], stdin=subprocess.DEVNULL,
                            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                            check=False)
    if result.returncode:
        raise Refused(f"lttng {arguments[0]}: {result.stdout.strip()}")


def start_daemon(pidfile):
    """Start lttng's daemon, which reads, on the reader's CPU, unless one is running."""
    _, reader_cpu = cpus()
    pin = [] if reader_cpu is None else ["taskset", "-c", str(reader_cpu)]
    result = subprocess.run([*pin, "lttng-sessiond", "--daemonize", "--no-kernel",
                             f"--pidfile={pidfile}"], stdin=subprocess.DEVNULL,
                            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                            check=False)
    if result.returncode and "already running" not in result.stdout:
        raise Refused(f"lttng-sessiond: {result.stdout.strip()}")


def stop_daemon(pidfile):
    """Stop lttng's daemon; it removes its file when it and its consumers have ended."""
    with open(pidfile, encoding="utf-8") as stream:
        os.kill(int(stream.read()), signal.SIGTERM)
    for _ in range(100):
        if not os.path.exists(pidfile):
            return
        time.sleep(0.1)
    raise SystemExit(f"error: lttng-sessiond of {pidfile} does not end")


@contextlib.contextmanager
def daemon():
    pidfile = os.path.join(OUT, "lttng.pid")
    if os.path.exists(pidfile):
        os.unlink(pidfile)
    start_daemon(pidfile)
    try:
        yield
    finally:
        if os.path.exists(pidfile):
            stop_daemon(pidfile)


@contextlib.contextmanager
def session(*options):
    """A session of lttng. With --snapshot, its daemon does not read the buffers."""
    name = f"native-{os.getpid()}"
    output = os.path.join(OUT, "lttng-output")
    lttng("create", name, f"--output={output}", *options)
    try:
        lttng("enable-channel", "--userspace", "--session", name, *RING, "ring")
        lttng("enable-event", "--userspace", "--session", name, "--channel", "ring",
              "native:event")
        lttng("start", name)
        yield
    finally:
        lttng("destroy", name)
        shutil.rmtree(output, ignore_errors=True)


def run_lttng(reader):
    """{row: result} of lttng-ust, in a session of its own."""
    with session(*([] if reader else ["--snapshot"])):
        return {name: run("lttng", "tracepoint", **environment)
                for name, environment in LTTNG}


# All of them

def one_pass(reader, with_lttng):
    """{row: result}, while a reader of that name reads, or with none."""
    rings = [ring for ring in RINGS if not reader or ring[1] != "copy"]
    found = {name: run(program, way, reader)
             for name, program, way in rings}
    # lttng's daemon reads pages
    if with_lttng and reader != "events":
        found.update(run_lttng(reader))
    return found


def together(found):
    """The combined result of several passes."""
    return {"least": min(one["least"] for one in found),
            "median": statistics.median(one["median"] for one in found),
            "passes": found}


def measure_passes(with_lttng):
    readers = [None] + (list(READERS) if cpus()[1] is not None else [])
    found = {reader: [] for reader in readers}
    for number in range(PASSES):
        print(f"   natively: pass {number + 1} of {PASSES}", flush=True)
        for reader in readers:
            found[reader].append(one_pass(reader, with_lttng))
    return {reader or "alone": {name: together([one[name] for one in passes])
                                for name in passes[0]}
            for reader, passes in found.items()}


def processor():
    with open("/proc/cpuinfo", encoding="utf-8") as stream:
        text = stream.read()
    names = re.findall(r"(?m)^model name\s*: (.*)$", text)
    return f"{len(names)} x {names[0]}"


def measure():
    """{"processor":, "lttng": or "refused":, "alone" or a reader: {row: {"least":, ...}}}"""
    print("== measuring on this machine itself", flush=True)
    build()
    refused = None
    try:
        with daemon():
            found = measure_passes(True)
    except Refused as problem:
        refused = " ".join(str(problem).split())
        print(f"   without lttng-ust: {refused}", flush=True)
        found = measure_passes(False)
    found["refused"] = refused
    found["processor"] = processor()
    if not refused:
        found["lttng"] = re.search(r"\d+\.\S+", command("lttng", "--version")).group()
    return found


# The table

class Section:
    """As those of result_table, with other columns."""

    said = False

    def __init__(self, found):
        self.found = found
        self.rows = list(found["alone"])

    def cells(self, name):
        for condition in ("alone", *READERS):
            values = self.found.get(condition, {}).get(name)
            for value in ("least", "median"):
                yield f"{values[value]:.1f}" if values else "-"

    def lines(self):
        conditions = ["alone"] + [f"read: {name}" for name in READERS]
        yield "ticks of the time stamp counter per event of 24 bytes, on this machine"
        yield f"{'':28}" + "".join(f"{title:>16}" for title in conditions)
        yield f"{'':28}" + f"{'least':>8}{'median':>8}" * len(conditions)
        for name in self.rows:
            yield f"  {name:26}" + "".join(f"{cell:>8}" for cell in self.cells(name))
        lttng_is = "does not run" if self.found["refused"] else self.found["lttng"]
        yield f"  ({self.found['processor']}, lttng {lttng_is};"
        yield f"  {PASSES} runs of each, in turns; read: by another CPU at the same time)"
