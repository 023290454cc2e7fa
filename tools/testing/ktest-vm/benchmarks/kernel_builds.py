# SPDX-License-Identifier: GPL-2.0
"""The kernels that "make bench" compares: builds them and the guest's modules, and takes
the sizes and the time of building.

base       the unmodified base: an empty repository, built with the same configuration
ours       this repository's kernel
notracer   the base without the function tracer
btf        ours with DWARF and BTF; only its sizes are used
"""

import hashlib
import os
import re
import resource
import shutil
import subprocess

import vm

IMAGE = "arch/x86/boot/bzImage"
MODULES = os.path.join(vm.HERE, "benchmarks/modules")
BASE_BUILD = os.path.join(vm.BUILD, "bench-base")
# Parts of the image by the kinds and names of their symbols: the tables that
# kernel/trace/signature/constants makes, and what call sites call instead of a trampoline
SYMBOLS = (
    ("names of constants", "rRdD", r"ftrace_(constants_|families|family_)"),
    ("entries and sets", "tTdD", r"(trace_function_(entry|set)_|function_graph_(entry|limited)_|"
                                 r"ftrace_set_)\d+$|ftrace_sets$|ftrace_set_callbacks"),
)


class Kernel:
    """One kernel's build directory.

    repository is where its source comes from; None for a build that is used as it is.
    """

    def __init__(self, build, repository=None, configs="", variant=""):
        self.build = build
        self.repository = repository
        self.variant = variant
        self.configs = configs
        self.modules = []

    def path(self, name):
        return os.path.join(self.build, vm.out_of(vm.ARCH, self.variant), name)

    def image(self):
        return self.path(IMAGE)

    def vmlinux(self):
        return self.path("vmlinux")

    def environment(self):
        return dict(os.environ, KTEST_BUILD=self.build, VARIANT=self.variant,
                    KTEST_REPO=self.repository or vm.REPO, CONFIGS=self.configs)

    def run(self, *goal, **environment):
        """Run kernel/build.sh with this goal; end this program if it fails."""
        result = subprocess.run([os.path.join(vm.HERE, "kernel/build.sh"), *goal], check=False,
                                env=dict(self.environment(), **environment),
                                stdin=subprocess.DEVNULL)
        if result.returncode:
            raise SystemExit(f"error: the kernel in {self.build} does not build (see above)")

    def make(self):
        if self.repository:
            os.makedirs(self.repository, exist_ok=True)
            self.run()
        if not os.path.exists(self.image()):
            raise SystemExit(f"error: {self.image()} is missing; run make bench")

    def make_modules(self):
        """Build the guest's modules, from the same source for each kernel."""
        directory = os.path.join(self.build, f"bench-modules-{vm.ARCH}")
        shutil.copytree(MODULES, directory, dirs_exist_ok=True)
        self.run("make", "-s", f"M={directory}", "modules")
        self.modules = sorted(os.path.join(directory, name) for name in os.listdir(directory)
                              if name.endswith(".ko"))

    # Properties of the built kernel

    def release(self):
        with open(self.path("include/config/kernel.release"), encoding="utf-8") as stream:
            return stream.read().strip()

    def config(self):
        with open(self.path(".config"), encoding="utf-8") as stream:
            return dict(re.findall(r"(?m)^(CONFIG_\w+)=(.*)$", stream.read()))

    def describe(self):
        config = self.config()
        text = "".join(f"{name}={value}\n" for name, value in sorted(config.items()))
        return {"release": self.release(),
                "compiler": config["CONFIG_CC_VERSION_TEXT"].strip('"'),
                "configuration": hashlib.sha256(text.encode()).hexdigest()[:12]}

    def sizes(self):
        """{what: bytes} of the image's files and sections."""
        sections = section_sizes(self.vmlinux())
        found = {"bzImage": os.path.getsize(self.image()),
                 "read-only data": sections[".rodata"]}
        for name, section in (("signatures", "__ftrace_signatures"), (".BTF", ".BTF")):
            if section in sections:
                found[name] = sections[section]
        symbols = subprocess.run(["nm", "-S", self.vmlinux()], capture_output=True, text=True,
                                 check=True).stdout
        for name, kinds, pattern in SYMBOLS:
            size = symbols_size(symbols, kinds, pattern)
            if size:
                found[name] = size
        return found


def symbols_size(text, kinds, pattern):
    """The bytes of the symbols in "nm -S"'s output that have these kinds and such names."""
    found = [line.split() for line in text.splitlines()]
    return sum(int(words[1], 16) for words in found
               if len(words) == 4 and words[2] in kinds and re.match(pattern, words[3]))


def section_sizes(path):
    text = subprocess.run(["readelf", "-SW", path], capture_output=True, text=True,
                          check=True).stdout
    return parse_sections(text)


def parse_sections(text):
    # ] name type address offset size
    return {name: int(size, 16) for name, size in
            re.findall(r"\] (\S+) +\S+ +(?:[0-9a-f]{8}){1,2} [0-9a-f]+ ([0-9a-f]+) ", text)}


def config_difference(one, other):
    """["CONFIG_X: n here, y there"...]"""
    return [f"{name}: {one.get(name, 'n')} and {other.get(name, 'n')}"
            for name in sorted(set(one) | set(other))
            if one.get(name, "n") != other.get(name, "n")]


def the_kernels():
    empty = os.path.join(BASE_BUILD, "empty")
    return {"base": Kernel(BASE_BUILD, empty, "ARCH"),
            "ours": Kernel(vm.BUILD, vm.REPO),
            "notracer": Kernel(BASE_BUILD, empty, "ARCH", "notracer"),
            "btf": Kernel(vm.BUILD, vm.REPO, variant="btf")}


# The time that a build takes

# A part of the kernel without changes of ours is compiled; then vmlinux is linked
TIMED = ["mm/"]
PAIRS = 3


def cpu_seconds(function, *arguments, **keywords):
    """User and system time of all child processes that a function starts and waits for."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    function(*arguments, **keywords)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def forget(kernel, directories):
    """Remove the objects below the directories, and vmlinux, so that make builds them."""
    for directory in directories:
        for top, _, names in os.walk(kernel.path(directory)):
            for name in names:
                if name.endswith(".o"):
                    os.unlink(os.path.join(top, name))
    os.unlink(kernel.vmlinux())


def time_goal(kernel, *goals):
    """The CPU time of building, less that of a make that finds nothing to do."""
    arguments = ("make", "-s", "-j1", *goals)
    spent = cpu_seconds(kernel.run, *arguments, KTEST_UNCACHED="1")
    return spent - cpu_seconds(kernel.run, *arguments, KTEST_UNCACHED="1")


def time_build(kernel):
    forget(kernel, TIMED)
    return {"compile": time_goal(kernel, *TIMED), "link": time_goal(kernel, "vmlinux")}


def time_pairs(kernels):
    """[{name: {"compile": CPU seconds, "link": CPU seconds}}...], one for each pair.

    The load of the host changes from minute to minute. So the kernels take turns, and
    each pair begins with the kernel that the last pair ended with.
    """
    pairs = []
    names = list(kernels)
    for number in range(PAIRS):
        print(f"   build time: pair {number + 1} of {PAIRS}", flush=True)
        pairs.append({name: time_build(kernels[name]) for name in names})
        names.reverse()
    return pairs
