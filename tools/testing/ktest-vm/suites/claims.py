# SPDX-License-Identifier: GPL-2.0
"""Compare what recordmcount claims about the kernel's functions with the compiler.

Objects of the built kernel are compiled again with a gcc plugin of recordmcount's tests,
which prints where the parameters of each function arrive. No place, constant or result
that recordmcount claims may differ. Values that it calls unknown are listed with what
the compiler knows about them.

The suite "claims" does this for all traced objects, at each level of optimization;
OBJECTS='fs/* net/ipv4/*' chooses some. The suite "image" does it for a few dozen, as
they were built.
"""

import collections
import concurrent.futures
import fnmatch
import json
import os
import re
import shlex
import subprocess
import sys

import vm
from suites import binaries

WORD = os.path.join(vm.REPO, "scripts/recordmcount/tests/compiler_word.py")
TOP = os.path.join(vm.GUEST, "claims")
LEVELS = ("O2", "Os", "O3")
# The level that the kernel was built with
BUILT_WITH = "O2"
# Every STRIDE-th object is in the sample
STRIDE = 70
# ... and so are these, whose functions gcc copies, splits and changes in all ways
SAMPLE = ("fs/exec.o", "net/ipv4/igmp.o", "net/ipv4/tcp_input.o", "mm/slub.o",
          "kernel/trace/ring_buffer.o", "lib/vsprintf.o", "samples/ftrace/ftrace-truth-module.o")
# At another level of optimization, gcc may warn
WITHOUT = ("-Werror",)

# A traced object: its name below the kernel's build directory, and how it was compiled
Object = collections.namedtuple("Object", "name command")
# What came of comparing one, as compiler_word.py says it: lines, lines and numbers
Outcome = collections.namedtuple("Outcome", "name wrong unknown counts")


def unescape(text):
    """A command of a .cmd file, as make passes it to the shell."""
    return text.replace("$(pound)", "#").replace("\\#", "#").replace("$$", "$")


def read_command(path, traced=True):
    """The Object of a .cmd file, if gcc compiled it, and with calls of the tracer if @traced."""
    with open(path, encoding="utf-8") as stream:
        match = re.match(r"savedcmd_(\S+\.o) := (.*)", stream.readline())
    if not match:
        return None
    words = shlex.split(unescape(match.group(2)).split(" ; ")[0])
    compiled = "-c" in words and words[-1].endswith(".c") and ("-pg" in words or not traced)
    return Object(match.group(1), words) if compiled else None


def commands(traced=True):
    """All objects that were compiled, by name."""
    paths = [os.path.join(top, name) for top, _, names in os.walk(binaries.OUT) for name in names
             if name.endswith(".o.cmd")]
    found = [read_command(path, traced) for path in sorted(paths)]
    return [obj for obj in found if obj]


def objects():
    """All traced objects that were built, by name."""
    return [obj for obj in commands() if has_sites(obj)]


def has_sites(obj):
    """Whether the object exists and has call sites left."""
    path = os.path.join(binaries.OUT, obj.name)
    if not os.path.exists(path):
        return False
    with open(path, "rb") as stream:
        return b"__mcount_loc" in stream.read()


def chosen_objects():
    """The objects that OBJECTS names, or all."""
    patterns = os.environ.get("OBJECTS", "").split()
    return [obj for obj in objects()
            if not patterns or any(fnmatch.fnmatch(obj.name, pattern) for pattern in patterns)]


def sample():
    found = objects()
    return [obj for number, obj in enumerate(found)
            if obj.name in SAMPLE or number % STRIDE == 0]


def command(obj, level, plugin, out, *options):
    """The command that compiles an object again, to another file, with the plugin."""
    words, changed = iter(obj.command), []
    for word in words:
        if word == "-o":
            next(words)
            changed += ["-o", out]
        elif re.fullmatch(r"-O[\ds]", word):
            changed.append("-" + level)
        elif not word.startswith("-Wp,-MMD,") and not word.startswith(WITHOUT):
            changed.append(word)
    return changed + ["-fplugin=" + plugin, *options, "-w"]


def compile_again(obj, level, plugin, out, *options):
    """gcc's error messages, or "" if it made the object."""
    os.makedirs(os.path.dirname(out), exist_ok=True)
    done = subprocess.run(command(obj, level, plugin, out, *options), cwd=binaries.OUT, text=True,
                          env=dict(os.environ, CCACHE_BASEDIR=vm.BUILD, CCACHE_NOHASHDIR="1"),
                          stdin=subprocess.DEVNULL, capture_output=True, check=False)
    return "" if not done.returncode else done.stderr.strip() or "gcc failed"


def signatures(path):
    return binaries.output(binaries.TOOL, "--print", path)


def not_as_built(obj, out):
    """An error, if the object that was built has other signatures."""
    same = signatures(os.path.join(binaries.OUT, obj.name)) == signatures(out)
    return [] if same else ["compiled again, it has other signatures than what was built"]


def compare(obj, level, plugin):
    """The Outcome for an object."""
    out = os.path.join(TOP, level, obj.name)
    try:
        failure = compile_again(obj, level, plugin, out)
        if failure:
            return Outcome(obj.name, failure.splitlines()[:3], [], {})
        done = json.loads(binaries.output(sys.executable, WORD, binaries.TOOL, out))
        if level == BUILT_WITH:
            done["wrong"] += not_as_built(obj, out)
        return Outcome(obj.name, **done)
    except subprocess.CalledProcessError as failure:
        return Outcome(obj.name, failure.stderr.splitlines()[-3:] or [str(failure)], [], {})
    finally:
        if os.path.exists(out):
            os.remove(out)


def make_plugin(name):
    """The path of one of recordmcount's plugins, made if it is out of date."""
    plugin = os.path.join(TOP, name + ".so")
    os.makedirs(TOP, exist_ok=True)
    subprocess.run([sys.executable, WORD, "--plugin", plugin], check=True)
    return plugin


def for_each(function, some):
    """The results of a function for each object, several at a time."""
    jobs = int(os.environ.get("JOBS") or os.cpu_count() or 1)
    with concurrent.futures.ThreadPoolExecutor(jobs) as executor:
        return list(executor.map(function, some))


def compare_all(some, level):
    """The Outcome for each object."""
    plugin = make_plugin("incoming")
    return for_each(lambda obj: compare(obj, level, plugin), some)


def report_path(level):
    return os.path.join(vm.BUILD, f"claims{vm.NAME and '-' + vm.NAME}-{level}.txt")


def table(counts):
    return [f"{counts[what]:8} {what}" for what in sorted(counts)]


def judge(outcomes, level):
    """The errors of all outcomes, as lines; a file gets the details."""
    counts = sum((collections.Counter(one.counts) for one in outcomes), collections.Counter())
    wrong = [f"{one.name}: {line}" for one in outcomes for line in one.wrong]
    unknown = [f"{one.name}\t{line}" for one in outcomes for line in one.unknown]
    if not counts["place"]:
        wrong.append("no place was compared")
    path = report_path(level)
    with open(path, "w", encoding="utf-8") as stream:
        stream.writelines(line + "\n" for line in
                          table(counts) + ["", "# wrong:"] + wrong +
                          ["", "# unknown, and what the compiler says:"] + unknown)
    print(f"   # -{level}: {len(outcomes)} objects, {counts['sites']} call sites, "
          f"{counts['claims']} claims, {len(unknown)} values unknown: {path}", flush=True)
    return wrong


def check_sample():
    return judge(compare_all(sample(), BUILT_WITH), BUILT_WITH + "-sample")


def check(level):
    return judge(compare_all(chosen_objects(), level), level)


def tests():
    return {level: lambda level=level: check(level) for level in LEVELS}
