# SPDX-License-Identifier: GPL-2.0
"""Trace the truth module, built with one compiler option after the other.

The options change where arguments and results are, or what DWARF says about them. The
module is loaded into the built kernel; no value in its trace may be wrong, and few may
be unknown.

Options with which this kernel could not load a module are tested on the host, by
scripts/recordmcount/tests/test_options.py.
"""

import collections
import glob
import os
import shutil
import subprocess

import results
import vm
from suites.selftests import chosen

SAMPLES = os.path.join(vm.REPO, "samples/ftrace")
DIRECTORY = os.path.join(os.path.dirname(vm.INITRAMFS), "matrix")
TEST = "test.d/ftrace/fgraph-args-truth.tc"

# The percentages of parameters and of results that must be known
Option = collections.namedtuple("Option", "flags params results")

OPTIONS = {
    "O2": Option("-O2", 100, 100),
    "Os": Option("-Os", 100, 100),
    "O1": Option("-O1", 100, 100),
    "O3": Option("-O3", 100, 100),
    "dwarf4": Option("-gdwarf-4", 100, 100),
    "dwarf5": Option("-gdwarf-5", 100, 100),
    "split_dwarf": Option("-gsplit-dwarf", 100, 100),
    "compressed_dwarf": Option("-gz=zlib", 100, 100),
    # Without it, DWARF does not say where clones' parameters are
    "no_var_tracking": Option("-fno-var-tracking", 95, 95),
    "no_var_tracking_assignments": Option("-fno-var-tracking-assignments", 95, 95),
    "frame_pointer": Option("-fno-omit-frame-pointer -fno-optimize-sibling-calls", 100, 100),
    "no_clones": Option("-fno-ipa-sra -fno-ipa-cp -fno-partial-inlining", 100, 100),
    "aligned": Option("-falign-functions=64", 100, 100),
    "zeroed": Option("-ftrivial-auto-var-init=zero -fzero-call-used-regs=used-gpr", 100, 100),
    # It makes some parameters unknown
    "stack_protector": Option("-fstack-protector-all", 99, 100),
}


def kbuild_file(option):
    return "# SPDX-License-Identifier: GPL-2.0\n" \
        "obj-m := ftrace-truth.o\n" \
        "ftrace-truth-y := ftrace-truth-module.o\n" \
        f"ccflags-y := {option.flags}\n"


def write_if_new(path, text):
    """Keep the old file if its content is the same, because make compares times."""
    if os.path.exists(path):
        with open(path, encoding="utf-8") as stream:
            if stream.read() == text:
                return
    with open(path, "w", encoding="utf-8") as stream:
        stream.write(text)


def prepare(name):
    top = os.path.join(DIRECTORY, name)
    os.makedirs(top, exist_ok=True)
    for path in glob.glob(os.path.join(SAMPLES, "ftrace-truth*.[ch]")):
        copy = os.path.join(top, os.path.basename(path))
        if not os.path.exists(copy) or os.path.getmtime(copy) < os.path.getmtime(path):
            shutil.copy(path, copy)
    write_if_new(os.path.join(top, "Kbuild"), kbuild_file(OPTIONS[name]))
    return top


def build(name):
    """The path of the module, or None if it could not be built.

    Without ccache, which may return an object of another tree: split DWARF is found by
    the directory in which the object was compiled.
    """
    top = prepare(name)
    done = subprocess.run([os.path.join(vm.HERE, "kernel/build.sh"), "make", "-s", f"M={top}",
                           "modules"],
                          env=dict(os.environ, KTEST_UNCACHED="1"), check=False,
                          stdin=subprocess.DEVNULL, capture_output=True, text=True)
    if done.returncode:
        print("\n".join("   | " + line for line in (done.stdout + done.stderr).splitlines()[-20:]))
        return None
    return os.path.join(top, "ftrace-truth.ko")


def share(shown, hidden):
    return 100 * shown // (shown + hidden) if shown + hidden else 0


def judge(name, counts):
    """Errors in the counts of a test that passed, as lines."""
    option = OPTIONS[name]
    if len(counts) != 4:
        return ["the test said nothing of what it compared"]
    known = share(*counts[:2]), share(*counts[2:])
    print(f"   {name:28}{known[0]:4} % of {sum(counts[:2])} parameters"
          f"{known[1]:6} % of {sum(counts[2:])} results", flush=True)
    return [f"only {have} % of the {what} are known, instead of {want} %"
            for have, want, what in ((known[0], option.params, "parameters"),
                                     (known[1], option.results, "results"))
            if have < want]


def frame_counts(output):
    """The sums of the counts that the comparisons printed."""
    sums = [0] * 4
    said = False
    for line in output:
        words = line.split()
        if words[:2] == ["@ktest", "known"]:
            said = True
            sums = [have + int(more) for have, more in zip(sums, words[2:])]
    return sums if said else []


def check_known(lines, tally):
    for name, output, _ in results.split_frames(lines):
        if name not in OPTIONS or any(test.startswith(name + ":") for test in tally.failed):
            continue
        for wrong in judge(name, frame_counts(output)):
            tally.fail(f"{name}: {wrong}")


def run(pattern, run_guest):
    """Build and test with the chosen options; run_guest is test.py's."""
    tally = results.Tally()
    names = [name for name in OPTIONS if chosen(name, pattern)]
    job = {"mode": "matrix\n", "tests": "", "test": TEST + "\n"}
    built = []
    for name in names:
        path = build(name)
        if not path:
            tally.fail(f"{name}: the module could not be built")
            continue
        built.append(name)
        with open(path, "rb") as stream:
            job[f"{name}.ko"] = stream.read()
    job["tests"] = "".join(name + "\n" for name in built)
    if built:
        tally.merge(run_guest("matrix", job, "kunit.enable=0 oops=panic", built, 0,
                              finish=check_known))
    return tally
