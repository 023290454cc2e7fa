# SPDX-License-Identifier: GPL-2.0
"""The machine that counts instructions, and its guest's results.

Each run takes exactly the same instructions: the guest's clock counts instructions, its
random numbers have a fixed seed, and the root's archive is always the same. (A
different time stamp of a file in the archive takes a different number of instructions
to unpack, which changes everything after it.)
"""

import contextlib
import functools
import glob
import os
import re
import shutil
import subprocess
import tempfile
import time

import vm
from benchmarks import symbol_profile

HACKBENCH = "hackbench"
# Other programs that show syscalls, for the first architecture alone
TRACERS = ("strace", "perf") if vm.ARCH == vm.ARCHES[0] else ()
# A single processor, whose clock counts its instructions, with a fixed seed and date
MACHINE = ["-accel", "tcg,thread=single", "-icount", "shift=0,sleep=off", "-smp", "1",
           "-m", "1024", "-cpu", "max", "-rtc", "base=2024-01-01,clock=vm", "-seed", "1",
           "-no-reboot", "-nodefaults", "-no-user-config", "-display", "none"]
COMMAND_LINE = ("console=ttyS0 quiet panic=-1 oops=panic nokaslr norandmaps tsc=reliable "
                "clocksource=tsc kunit.enable=0")
TIMEOUT = int(os.environ.get("TIMEOUT") or 900)

# The kinds of lines that the guest prints, and their values
KINDS = {
    "insns": ("mean", "median", "interrupted"),
    "follow": ("mean",),
    "ring": ("mean", "median"),
    "untraced": ("mean", "least", "most"),
    "load": ("ratio", "mean", "least", "most"),
    "tracers": ("ratio",),
    "branches": ("instructions",),
    "enable": ("instructions",),
    "text": ("mean",),
    "bytes": ("bytes",),
    "memory": ("bytes",),
}
# Kinds of lines without results
OTHERS = {"begin", "none", "step", "stepped", "read"}


# The guest's root

LIBRARIES = {"i386": "/lib/i386-linux-gnu"}
TARGET_OPTIONS = {"x86_64": [], "i386": ["-m32"]}[vm.ARCH]


@functools.lru_cache(maxsize=None)
def foreign_root():
    """The directory with the packages of the group bench-root, for another architecture."""
    made = subprocess.run([os.path.join(vm.HERE, "rootfs/tarball.sh"), "bench-root"],
                          stdout=subprocess.PIPE, text=True, check=False)
    if made.returncode:
        raise SystemExit("error: the guest's programs could not be fetched (see above)")
    tarball = made.stdout.strip()
    root = tarball.removesuffix(".tar")
    if not os.path.isdir(root):
        os.makedirs(root + ".new", exist_ok=True)
        subprocess.run(["tar", "-xf", tarball, "-C", root + ".new", "--exclude=./dev",
                        "--exclude=./usr/share"], check=True)
        os.rename(root + ".new", root)
    return root


def needed(path):
    """The names of the libraries that a program or a library is linked to."""
    text = subprocess.run(["readelf", "-d", path], capture_output=True, text=True,
                          check=True).stdout
    return re.findall(r"\(NEEDED\).*\[(.*)\]", text)


def foreign_files(place):
    """{place: file} of a program of another architecture, and its libraries."""
    root = foreign_root()
    found = {name: root + name for name in (place, "/lib/ld-linux.so.2")}
    names = needed(root + place)
    while names:
        library = f"{LIBRARIES[vm.ARCH]}/{names.pop()}"
        if library not in found:
            found[library] = root + library
            names += needed(root + library)
    return found


def native_files(name):
    path = shutil.which(name, path=os.environ["PATH"] + ":/usr/sbin:/sbin")
    if not path:
        raise SystemExit(f"error: {name} is missing; run make bench, which installs it")
    text = subprocess.run(["ldd", path], capture_output=True, text=True, check=True).stdout
    return {"/usr/bin/" + name: path, **{library: library
                                         for library in re.findall(r"/\S+", text)}}


def program_files(name):
    """{place: file} of a program and its libraries."""
    if vm.ARCH == vm.ARCHES[0]:
        return native_files(name)
    return foreign_files("/usr/bin/" + name)


def install(source, top, place):
    target = top + place
    os.makedirs(os.path.dirname(target), exist_ok=True)
    shutil.copy(source, target)


def compile_init(target):
    sources = sorted(glob.glob(os.path.join(vm.HERE, "benchmarks/guest/*.c")))
    result = subprocess.run(["gcc", *TARGET_OPTIONS, "-O2", "-Wall", "-Wextra", "-Werror", "-static",
                             "-o", target, *sources], check=False)
    if result.returncode:
        raise SystemExit("error: the guest's program, benchmarks/guest/*.c, does not compile")


def fill_root(top, modules, programs):
    compile_init(os.path.join(top, "init"))
    for name in programs:
        for place, path in program_files(name).items():
            install(path, top, place)
    for module in modules:
        install(module, top, "/" + os.path.basename(module))


def pack(top, path):
    """Make an archive that depends on the files' names, modes and contents alone."""
    names = sorted(os.path.relpath(os.path.join(directory, name), top)
                   for directory, directories, files in os.walk(top)
                   for name in directories + files)
    for name in names:
        os.utime(os.path.join(top, name), (0, 0))
        os.chmod(os.path.join(top, name), 0o755)
    with open(path, "wb") as out:
        subprocess.run(["cpio", "--quiet", "--reproducible", "-o", "-H", "newc", "-R", "0:0"],
                       cwd=top, check=True, input="\n".join(names).encode(), stdout=out)


def write_initrd(path, modules, programs):
    with tempfile.TemporaryDirectory() as top:
        fill_root(top, modules, programs)
        pack(top, path)


# The guest

def command(kernel, initrd, append, console, results):
    return [vm.QEMU] + MACHINE + [
        "-kernel", kernel, "-initrd", initrd, "-append", f"{COMMAND_LINE} {append}".strip(),
        "-serial", f"file:{console}", "-serial", f"file:{results}"]


def watch(arguments, console, results, on_line):
    with subprocess.Popen(arguments, stdin=subprocess.DEVNULL) as process:
        try:
            return vm.watch(process, vm.Tail(console), vm.Tail(results), TIMEOUT, TIMEOUT,
                            on_line)
        finally:
            process.kill()


def check(name, outcome):
    """End this program if the guest failed."""
    problem = outcome.problem()
    if not problem and outcome.status:
        problem = "; ".join(line for line in outcome.lines if line.startswith("error"))
    if problem:
        raise SystemExit("\n".join([f"error: the guest \"{name}\": {problem}"]
                                   + ["  " + line for line in outcome.excerpt()]))


def parse(lines):
    """{kind: {name: {value's name: number}}} of a guest's lines."""
    found = {kind: {} for kind in KINDS}
    found["mitigations"] = {}
    for line in lines:
        kind, _, rest = line.partition("\t")
        name, *values = rest.split("\t")
        if kind == "mitigation" and len(values) == 1:
            found["mitigations"][name] = values[0]
        elif kind in KINDS and 0 < len(values) <= len(KINDS[kind]):
            found[kind][name] = dict(zip(KINDS[kind], map(float, values)))
        elif kind not in OTHERS:
            raise SystemExit(f"error: the guest said \"{line}\"")
    return found


class Progress:
    """Shows which step a guest begins."""

    def __init__(self, name):
        self.name = name
        self.start = time.monotonic()

    def on_line(self, line):
        kind, _, step = line.partition("\t")
        if kind == "begin":
            print(f"   {self.name}: {step} ({time.monotonic() - self.start:.0f} s)", flush=True)


def logs(name):
    directory = os.path.join(vm.BUILD, "logs")
    os.makedirs(directory, exist_ok=True)
    paths = [os.path.join(directory, f"bench-{name}.{kind}") for kind in ("console", "results")]
    for path in paths:
        if os.path.exists(path):
            os.unlink(path)
    return paths


def boot(name, kernel, steps, append=""):
    """The guest's results of the steps, and each call's instructions by symbol.

    kernel is a kernel_builds.Kernel.
    """
    console, results = logs(name)
    progress = Progress(name)
    with tempfile.TemporaryDirectory() as top:
        initrd = os.path.join(top, "root.cpio")
        write_initrd(initrd, kernel.modules,
                     (HACKBENCH, *(TRACERS if "tracers" in steps else ())))
        with contextlib.closing(symbol_profile.Stepper(top, kernel.vmlinux())) as stepper:
            def on_line(line):
                progress.on_line(line)
                stepper.on_line(line)

            arguments = command(kernel.image(), initrd, f"{append} -- {' '.join(steps)}",
                                console, results)
            outcome = watch(arguments + stepper.arguments(), console, results, on_line)
            check(name, outcome)
    found = parse(outcome.lines)
    found["calls"] = stepper.over_off()
    return found
