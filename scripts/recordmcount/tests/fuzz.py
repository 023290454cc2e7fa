#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Coverage-guided fuzzing of what reads signatures and objects.

usage: fuzz.py [-o DIR] [-m MINUTES] [-l] [TARGET...]

  -o DIR      where to build, and to keep what was found; build/fuzz without it
  -m MINUTES  how long, all targets together; 60 without it
  -l          only list the targets

Needs clang with its libFuzzer (Debian: clang, libclang-rt-dev). DIR/TARGET holds
the inputs that reach something new, and each run goes on from there. An input
that crashes, hangs, takes too much memory or gives a wrong result is kept as
DIR/TARGET-crash-*, -timeout-* or -oom-*, and the run ends with 1.
"""

import getopt
import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile

import fuzz_seeds
import harness

HERE = harness.HERE
SOURCE = harness.SOURCE
KERNEL = os.path.join(SOURCE, "../../kernel/trace/signature")
INCLUDE = os.path.join(SOURCE, "../../include/linux")
FUZZ = os.path.join(HERE, "fuzz")

CFLAGS = ["-std=gnu11", "-O1", "-g", "-fno-omit-frame-pointer", "-Wall", "-Wextra",
          "-Wno-unused-parameter", "-Werror",
          "-fsanitize=fuzzer-no-link,address,undefined", "-fno-sanitize-recover=undefined"]
LDFLAGS = ["-fsanitize=fuzzer,address,undefined"]
# Per input: seconds and megabytes. No file of ours takes a hundredth of that.
LIMITS = ["-timeout=10", "-rss_limit_mb=1024", "-malloc_limit_mb=512"]
SANITIZERS = {"ASAN_OPTIONS": "allocator_may_return_null=1:detect_stack_use_after_return=1",
              "UBSAN_OPTIONS": "print_stacktrace=1"}


def tool_sources(*names):
    return [os.path.join(SOURCE, n + ".c") for n in names]


def fuzz_sources(*names):
    return [os.path.join(FUZZ, n + ".c") for n in names]


# What works on the kernel's trace arrays, or reads its memory; all that includes follow.h or
# follow_string.h does, too
LEFT_OUT = ("constants.c", "follow.c", "forms.c", "ftrace_signatures.c", "limits.c", "names.c",
            "option.c", "peek.c", "reuse.c")


def is_fuzzed(path):
    return os.path.basename(path) not in LEFT_OUT and \
        not re.search(r'(?m)^#include "follow(_string)?[.]h"', harness.read(path).decode())


def kernel_sources():
    return [p for p in sorted(glob.glob(os.path.join(KERNEL, "*.c"))) if is_fuzzed(p)] + \
        [os.path.join(KERNEL, "..", name) for name in ("trace_text.c", "trace_text_line.c")]


def no_flags(_top):
    return []


def kernel_flags(top):
    """Flags that replace each kernel header by our shim, except the signatures' own."""
    shim = os.path.join(top, "shim")
    included = set()
    for path in kernel_sources() + glob.glob(os.path.join(KERNEL, "*.h")) + \
            glob.glob(os.path.join(KERNEL, "../trace_*text*.h")) + \
            glob.glob(os.path.join(INCLUDE, "ftrace_signature*.h")):
        included |= set(re.findall(r"(?m)^#include <(.+)>", harness.read(path).decode()))
    for name in included:
        target = os.path.join(FUZZ, "kernel_shim.h")
        if os.path.basename(name).startswith("ftrace_signature"):
            target = os.path.join(INCLUDE, os.path.basename(name))
        path = os.path.join(shim, name)
        text = '#include "%s"\n' % os.path.abspath(target)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        if not os.path.exists(path) or harness.read(path).decode() != text:
            harness.write(path, text)
    # The kernel's own flags, as far as they make a difference
    return ["-I", shim, "-DCONFIG_FTRACE_SIGNATURES", "-DCONFIG_FTRACE_SIGNATURES_BUILTIN",
            "-DCONFIG_FTRACE_SIGNATURES_LOADABLE", "-fwrapv", "-fno-strict-aliasing",
            "-funsigned-char", "-Wno-pointer-sign", "-Wno-sign-compare", "-Wno-pointer-arith",
            "-Wno-unused-variable"]


class Target:
    """A fuzzed program: its name, its sources, its seeds and the size limit of inputs.

    Sources are given in groups with the compiler's flags for each.
    """

    def __init__(self, name, groups, seeds, max_len):
        self.name = name
        self.groups = groups
        self.seeds = seeds
        self.max_len = max_len

    def build(self, top):
        """Compile the program if it is older than any of our sources."""
        out = os.path.join(top, self.name + ".fuzz")
        groups = [(flags(top), sources()) for flags, sources in self.groups]
        depends = [path for _, sources in groups for path in sources] + \
            glob.glob(os.path.join(FUZZ, "*")) + glob.glob(os.path.join(HERE, "fuzz*.py"))
        for directory in (SOURCE, KERNEL, INCLUDE):
            depends += glob.glob(os.path.join(directory, "*.h"))
        depends += glob.glob(os.path.join(KERNEL, "../trace_*.h"))
        if os.path.exists(out) and \
                os.path.getmtime(out) > max(os.path.getmtime(p) for p in depends):
            return out
        with tempfile.TemporaryDirectory(dir=top) as scratch:
            objects = []
            for flags, sources in groups:
                for source in sources:
                    objects.append(os.path.join(scratch, "%d.o" % len(objects)))
                    harness.run([clang()] + CFLAGS + flags + ["-c", source, "-o", objects[-1]])
            linked = os.path.join(scratch, "fuzz")
            harness.run([clang()] + LDFLAGS + objects + ["-ldw", "-lelf", "-o", linked])
            os.rename(linked, out)
        return out

    def command(self, top, corpus, *options):
        return [self.build(top), "-max_len=%d" % self.max_len, "-reload=0", "-close_fd_mask=2",
                "-print_final_stats=1",
                "-artifact_prefix=%s-" % os.path.join(top, self.name)] + \
            LIMITS + list(options) + [corpus]

    def make_seeds(self, top, corpus):
        """Seeds are compiled, not kept."""
        os.makedirs(corpus, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=top) as scratch:
            tool = harness.build_tool(os.path.join(top, "recordmcount"), ["-O2", "-g"])
            work = harness.Work(scratch, "seeds", tool, tool)
            for i, data in enumerate(self.seeds(work)):
                if len(data) > self.max_len:
                    raise harness.Failure("%s: seed %d has %d bytes" % (self.name, i, len(data)))
                harness.write(os.path.join(corpus, "seed-%03d" % i), data)

    def run(self, top, *options, corpus=None):
        """Fuzz; return what libFuzzer printed and whether it found nothing."""
        corpus = corpus or os.path.join(top, self.name)
        self.make_seeds(top, corpus)
        done = subprocess.run(self.command(top, corpus, *options), cwd=top,
                              env=dict(os.environ, **SANITIZERS), stdout=subprocess.DEVNULL,
                              stderr=subprocess.PIPE, text=True, errors="replace", check=False)
        return Outcome(self, top, done)


class Outcome:
    """How a run ended."""

    def __init__(self, target, top, done):
        self.target = target
        self.top = top
        self.text = done.stderr
        self.good = done.returncode == 0
        found = re.findall(r"Test unit written to (\S+)", self.text)
        self.artifact = found[-1] if found else None
        self.units = self.number(r"stat::number_of_executed_units: +(\d+)")
        covered = re.findall(r" cov: (\d+) ft: (\d+)", self.text)
        self.covered, self.features = map(int, covered[-1]) if covered else (0, 0)

    def number(self, pattern):
        found = re.search(pattern, self.text)
        return int(found.group(1)) if found else 0

    def reason(self):
        """What the sanitizers, the oracle or libFuzzer complained about."""
        found = re.search(r"(?m)^(== WRONG.*|.*runtime error.*|.*ERROR: .*Sanitizer.*|"
                          r".*ERROR: libFuzzer.*)$", self.text)
        return found.group(1) if found else "it ended early"

    def report(self):
        if self.good:
            return "%s: %d inputs, %d edges and %d features covered, nothing found" % (
                self.target.name, self.units, self.covered, self.features)
        lines = ["%s: %s" % (self.target.name, self.reason())]
        lines += ["  " + line for line in self.frames()]
        if self.artifact:
            lines.append("  the input: %s" % self.artifact)
            lines.append("  again: %s %s" % (os.path.join(self.top, self.target.name + ".fuzz"),
                                             self.artifact))
        return "\n".join(lines)

    def frames(self):
        """Where in our sources it happened."""
        return re.findall(r"(?m)^ +#\d+ 0x\w+ in (\w+ \S*recordmcount\S*|\w+ \S*signature/\S*)$",
                          self.text)[:12]


def default_directory():
    """A directory in the repository's build directory, or None without one."""
    build = os.environ.get("KTEST_BUILD") or os.path.join(SOURCE, "../../build")
    return os.path.abspath(os.path.join(build, "fuzz")) if os.path.isdir(build) else None


def directory(work):
    """Where a test's inputs that fail stay, and what was compiled."""
    if not available():
        raise harness.Skip("clang with libFuzzer is missing (Debian: clang, libclang-rt-dev)")
    top = default_directory() or os.path.join(os.path.dirname(work.dir), "guided")
    os.makedirs(top, exist_ok=True)
    return top


def clang():
    return os.environ.get("CLANG") or shutil.which("clang") or shutil.which("clang-14")


def available():
    """Whether a clang with libFuzzer is installed."""
    if not clang():
        return False
    with tempfile.TemporaryDirectory() as scratch:
        source = harness.write(os.path.join(scratch, "a.c"),
                               "int LLVMFuzzerTestOneInput(const char *d, long n) { return 0; }\n")
        done = harness.run([clang(), "-fsanitize=fuzzer,address", source, "-o",
                            os.path.join(scratch, "a")], fail_ok=True)
    return done.returncode == 0


def object_sources():
    return fuzz_sources("object", "mutate_elf", "mutate_table", "report") + [
        p for p in sorted(glob.glob(os.path.join(SOURCE, "*.c")))
        if os.path.basename(p) != "recordmcount.c"]


def table_sources():
    return fuzz_sources("table_host", "mutate_table", "report") + \
        tool_sources("table", "table_read", "type_form", "print_sig", "arch", "arch_x86_64",
                     "arch_i386", "insn_x86", "util")


def table_kernel_sources():
    return fuzz_sources("table", "followed", "kernel_shim") + kernel_sources()


def oracle_sources():
    return fuzz_sources("oracle")


TARGETS = [
    Target("objects", [(no_flags, object_sources)], fuzz_seeds.objects, 1 << 17),
    Target("links", [(no_flags, object_sources)], fuzz_seeds.links, 1 << 17),
    Target("tables", [(kernel_flags, table_kernel_sources), (no_flags, table_sources),
                      (lambda _top: ["-D_GNU_SOURCE"], oracle_sources)],
           fuzz_seeds.tables, 1 << 13),
]


def fuzz(top, targets, minutes):
    os.makedirs(top, exist_ok=True)
    bad = 0
    for target in targets:
        print("== %s" % target.name, flush=True)
        outcome = target.run(top, "-max_total_time=%d" % (minutes * 60 / len(targets)))
        print(outcome.report(), flush=True)
        bad += not outcome.good
    return 1 if bad else 0


def main():
    try:
        opts, names = getopt.getopt(sys.argv[1:], "o:m:lh")
    except getopt.GetoptError as err:
        sys.exit("%s\n%s" % (err, __doc__))
    opts = dict(opts)
    if "-h" in opts:
        print(__doc__)
        return 0
    known = {target.name: target for target in TARGETS}
    if "-l" in opts:
        print("\n".join(known))
        return 0
    unknown = set(names) - set(known)
    if unknown:
        sys.exit("no target %s; there are %s" % (" ".join(sorted(unknown)), " ".join(known)))
    if not available():
        sys.exit("clang with libFuzzer is missing (Debian: clang, libclang-rt-dev)")
    top = opts.get("-o") or default_directory()
    if not top:
        sys.exit("where to? There is no directory build: -o DIR chooses one")
    return fuzz(os.path.abspath(top), [known[name] for name in names] or TARGETS,
                float(opts.get("-m") or 60))


if __name__ == "__main__":
    sys.exit(main())
