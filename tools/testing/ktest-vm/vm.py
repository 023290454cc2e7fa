# SPDX-License-Identifier: GPL-2.0
"""Boot the built kernel in QEMU with a job, and watch the guest until it ends.

The guest reports on a virtio port, apart from the console, so that kernel
messages never fall into the middle of a result. Lines that begin with "@ktest "
are for us, all others are the job's output. The last line must be
"@ktest exit N": a guest that ends without it has crashed, and one that falls
silent has hung. Both are failures, whatever was reported before.
"""

import contextlib
import fcntl
import os
import re
import resource
import shutil
import subprocess
import tempfile
import time

HERE = os.path.dirname(os.path.realpath(__file__))
REPO = os.environ.get("KTEST_REPO") or os.path.realpath(os.path.join(HERE, "../../.."))
BUILD = os.environ.get("KTEST_BUILD") or os.path.join(REPO, "build")
# As in lib.sh: what was built, what was made for its guests, and their logs
ARCHES = ("x86_64", "i386")
ARCH = os.environ.get("ARCH") or ARCHES[0]
VARIANT = os.environ.get("VARIANT", "")


def kernel_name(arch, variant):
    """What the directories of a kernel are called; "" for x86-64's reference."""
    return "-".join(word for word in (arch.removeprefix("x86_64"), variant) if word)


def out_of(arch, variant):
    """The kernel's build directory, below BUILD."""
    return os.path.join("linux", "-".join(["out", arch] + [variant] * bool(variant)))


OUT = os.path.join(BUILD, out_of(ARCH, VARIANT))
NAME = kernel_name(ARCH, VARIANT)
GUEST = os.path.join(BUILD, "variants", NAME) if NAME else BUILD
LOGS = os.path.join(GUEST, "logs")
LOGS_NAME = os.path.relpath(LOGS, REPO)
KERNEL = os.path.join(OUT, "arch/x86/boot/bzImage")
INITRAMFS = os.path.join(GUEST, "initramfs.cpio")
# For x86-32 as well: the "max" CPU of qemu-system-i386 is an AMD model without SMP,
# and the kernel warns about that
QEMU = os.environ.get("QEMU", "qemu-system-x86_64")

# With one thread per CPU, TCG crashes guests that patch their kernel text (int3
# oopses, seen with QEMU 7.2). It executes a breakpoint that is no longer in memory:
# a guest that returned to the instruction took it 1000 times. A single thread is
# correct, and hardly slower on a small host.
# The machine is q35: the ACPI code of QEMU's "pc" computes the interrupt table in a
# loop, which the kernel aborts after 30 s. That is too soon for a kernel with KASAN
# and lockdep on a busy host.
MACHINE = ["-machine", "q35", "-accel", "tcg,thread=single", "-cpu", "max", "-smp", "2",
           "-m", "1024", "-no-reboot", "-nodefaults", "-no-user-config", "-display", "none",
           "-device", "virtio-rng-pci"]
# The guest's time counts its instructions, 4 ns each, and jumps to the next timer when
# all of its CPUs are idle. So a sleep takes no time here, and a busy host does not make
# the guest's programs late. 4 ns is about what an instruction takes TCG, so that loops
# which wait for a time take no longer than without.
NO_WAITING = ["-icount", "shift=2,sleep=off"]
# "panic=-1" ends the machine at once, where it would hang otherwise. "no_timer_check"
# omits the kernel's check of the timer interrupt: on a busy host the emulated timer
# may be too slow for it, and the kernel panics with "IO-APIC + timer doesn't work".
COMMAND_LINE = "console=ttyS0 panic=-1 no_timer_check rcupdate.rcu_cpu_stall_timeout=120"

# Checks that the kernel has come up, and nothing more
BOOT_JOB = {"mode": "boot\n", "wants": "", "lacks": ""}

# Messages that a healthy kernel never prints. Anchored behind the time stamp, because
# other messages may contain the same words.
STAMP = r"^\[ *\d+\.\d+\](?:\[ *[TC]\d+\])? "
CRASH = re.compile(STAMP + r"(?:"
                   r"BUG: |WARNING: |Oops: |Kernel panic |INFO: task .* blocked for "
                   r"|rcu: INFO: \w+ (?:self-)?detected |general protection fault"
                   r"|divide error: |invalid opcode: |kernel BUG at |INFO: rcu_"
                   r"|UBSAN: |watchdog: BUG: |INFO: possible |=+\[ cut here |"
                   r"-+\[ cut here )")

# Lines of a report with registers, code, or addresses that were only left on the stack
NOISE = re.compile(r"\] (?:(?!CPU|[ER]IP)[A-Z][A-Z0-9]{1,2}: |Code: "
                   r"|Modules linked in: |Hardware name: | \? )")


class Outcome:
    """How a guest ended, and what it printed."""

    def __init__(self):
        self.status = None      # the guest's exit status, None if it gave none
        self.hung = None        # why we stopped it, if we did
        self.lines = []         # the job's output
        self.console = []       # the console's lines
        self.seconds = 0.0
        self.processor = 0.0    # seconds of this machine's processors

    def taken(self):
        return f"the guest ran for {self.seconds:.0f} s ({self.processor:.0f} s of processor time)"

    def crashes(self):
        return [i for i, line in enumerate(self.console) if CRASH.match(line)]

    def problem(self):
        """One line on what went wrong with the guest itself, or None."""
        found = self.crashes()
        if found:
            return "the guest's kernel reported: " + self.console[found[0]]
        if self.hung:
            return self.hung
        if self.status is None:
            return "the guest ended without a result"
        return None

    def told(self):
        """The problem and the lines that show it, without registers and code; or None."""
        if not self.problem():
            return None
        shown = [line for line in self.excerpt() if not NOISE.search(line)]
        return "\n".join([self.problem(), *shown])

    def excerpt(self, lines=40):
        """The part of the console that shows the problem."""
        found = self.crashes()
        if found:
            start = max(0, found[0] - 3)
            return self.console[start:start + lines]
        return self.console[-lines:]


class Tail:
    """The complete lines of a file that another process is writing."""

    def __init__(self, path):
        with open(path, "ab"):
            pass
        self.stream = open(path, "rb")  # pylint: disable=consider-using-with
        self.rest = b""

    def lines(self):
        self.rest += self.stream.read()
        *complete, self.rest = self.rest.split(b"\n")
        return [line.decode(errors="replace").rstrip("\r") for line in complete]

    def finish(self):
        lines = self.lines()
        if self.rest:
            lines.append(self.rest.decode(errors="replace"))
        self.stream.close()
        return lines


def require_built():
    for path in (KERNEL, INITRAMFS):
        if not os.path.exists(path):
            raise SystemExit(f"error: {path} is missing; run make build")
    if not shutil.which(QEMU):
        raise SystemExit(f"error: {QEMU} is missing (package qemu-system-x86)")


def write_initrd(job, path):
    """The guest's root with the job's files in /job.

    job maps file names to texts, or to bytes. An initramfs may consist of several
    archives, so the root need not be packed again for each job.
    """
    with tempfile.TemporaryDirectory() as top:
        os.mkdir(os.path.join(top, "job"))
        for name, content in job.items():
            with open(os.path.join(top, "job", name), "wb") as out:
                out.write(content if isinstance(content, bytes) else content.encode())
        names = "job\n" + "".join(f"job/{name}\n" for name in job)
        with open(path, "wb") as out:
            with open(INITRAMFS, "rb") as root:
                shutil.copyfileobj(root, out)
            out.flush()
            subprocess.run(["cpio", "--quiet", "-o", "-H", "newc"], cwd=top, check=True,
                           input=names.encode(), stdout=out)


def arguments(initrd, append):
    return MACHINE + ["-kernel", KERNEL, "-initrd", initrd,
                      "-append", f"{COMMAND_LINE} {append}".strip()]


@contextlib.contextmanager
def alone(name):
    """Two guests of one name would write the same logs, so the second one waits."""
    with open(os.path.join(LOGS, name + ".lock"), "w", encoding="utf-8") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            print(f"== waiting for another guest that runs \"{name}\"", flush=True)
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def disk(path):
    """QEMU's arguments for a guest whose root is a disk, as the job's file "disk" says.

    Its writes to the disk are discarded. A whole system takes more memory.
    """
    return ["-m", "1500", "-drive", f"file={path},if=virtio,format=raw,snapshot=on"]


def boot(job, append="", name="guest", timeout=600, idle=240, on_line=None, devices=()):
    """Boot, run the job, and return the Outcome.

    timeout limits the whole run, idle the silence on console and results together,
    both in seconds. on_line is called with each line of the job's output as it
    arrives. devices are more arguments for QEMU. The logs are kept in
    LOGS/NAME.{console,results}.
    """
    os.makedirs(LOGS, exist_ok=True)
    with alone(name):
        return boot_alone(job, append, name, timeout, idle, on_line, devices)


def processor_time():
    """Processor time of all child processes that have ended, in seconds."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def boot_alone(job, append, name, timeout, idle, on_line, devices):
    console, results, initrd = (os.path.join(LOGS, f"{name}.{kind}")
                                for kind in ("console", "results", "cpio"))
    for path in (console, results):
        if os.path.exists(path):
            os.unlink(path)
    write_initrd(job, initrd)
    command = [QEMU] + arguments(initrd, append) + [
        "-chardev", f"file,id=console,path={console}", "-serial", "chardev:console",
        *devices, "-device", "virtio-serial-pci",
        "-chardev", f"file,id=results,path={results}",
        "-device", "virtserialport,chardev=results,name=ktest.results"]
    before = processor_time()
    with subprocess.Popen(command, stdin=subprocess.DEVNULL) as process:
        try:
            outcome = watch(process, Tail(console), Tail(results), timeout, idle, on_line)
        finally:
            process.kill()
    outcome.processor = processor_time() - before
    os.unlink(initrd)
    return outcome


def watch(process, console, results, timeout, idle, on_line):
    outcome = Outcome()
    start = heard = time.monotonic()
    while True:
        ended = process.poll() is not None
        said = results.finish() if ended else results.lines()
        logged = console.finish() if ended else console.lines()
        outcome.console += logged
        for line in said:
            take_line(outcome, line, on_line)
        now = time.monotonic()
        outcome.seconds = now - start
        if said or logged:
            heard = now
        if ended:
            return outcome
        if now - start > timeout:
            outcome.hung = f"the guest was still running after {timeout} s"
        elif now - heard > idle:
            outcome.hung = f"the guest was silent for {idle} s"
        if outcome.hung:
            return outcome
        time.sleep(0.1)


def take_line(outcome, line, on_line):
    match = re.match(r"@ktest exit (\d+)$", line)
    if match:
        outcome.status = int(match.group(1))
        return
    outcome.lines.append(line)
    if on_line:
        on_line(line)
