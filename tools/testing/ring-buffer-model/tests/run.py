#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Check the model of the ring buffer, and that the checks can fail.

  run.py [PATTERN...]          the small sizes, and all mutants in them
  run.py --large [PATTERN...]  the large sizes: minutes and gigabytes each

A PATTERN is a part of a size's name or of a mutant's. Prints TAP. With
KEEP=1 the directories build/ring-buffer-model/NAME stay, with the trail of a
failure in them: "spin -t -p ring_buffer.pml" there prints it, with the -D
options that the file "options" has.
"""

import os
import re
import resource
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))
OUT = os.environ.get("OUT") or os.path.join(HERE, "../../../build/ring-buffer-model")
sys.path.insert(0, os.path.join(HERE, "tests"))

from mutants import MUTANTS  # pylint: disable=wrong-import-position
from sizes import LARGE, SMALL  # pylint: disable=wrong-import-position

SOURCES = ("ring_buffer.pml", "writer.pml", "reader.pml", "switch.pml")


class Broken(Exception):
    """What is wrong, and not the model's finding."""


def command(args, where, **more):
    result = subprocess.run(args, cwd=where, stdout=subprocess.PIPE,
                            stderr=subprocess.STDOUT, check=False, **more)
    return result.returncode, result.stdout.decode(errors="replace")


def lay_out(name, mutant):
    """A directory with the model, of which one thing may be changed."""
    where = os.path.join(OUT, name)
    shutil.rmtree(where, ignore_errors=True)
    os.makedirs(where)
    for source in SOURCES:
        with open(os.path.join(HERE, source), encoding="utf-8") as stream:
            text = stream.read()
        if mutant and mutant[0] == source:
            if text.count(mutant[1]) != 1:
                raise Broken(f"{source} has what is to be replaced "
                             f"{text.count(mutant[1])} times")
            text = text.replace(mutant[1], mutant[2])
        with open(os.path.join(where, source), "w", encoding="utf-8") as stream:
            stream.write(text)
    return where


def build(where, size):
    options = [f"-D{key}={value}" for key, value in size["options"].items()]
    with open(os.path.join(where, "options"), "w", encoding="utf-8") as stream:
        stream.write(" ".join(options) + "\n")
    status, said = command(["spin", "-a", *options, size.get("model", "ring_buffer.pml")], where)
    if status or not os.path.exists(os.path.join(where, "pan.c")):
        raise Broken(said.strip() or "spin made nothing")
    # tcc: to compile it with gcc takes longer than the small sizes run
    status, said = command([*size.get("compiler", ("tcc",)), "-w", "-DSAFETY", "-DNOREDUCE",
                            f"-DMEMLIM={size['megabytes']}", "-o", "pan", "pan.c"], where)
    if status:
        raise Broken(said.strip())


def search(where, size):
    """What spin found wrong, or None; and how many states there are."""
    status, said = command(["./pan", "-m1000000", "-b", f"-w{size.get('hash', 20)}"], where)
    states = re.search(r"(\d+) states, stored", said)
    wrong = re.search(r"^pan:\d+: (.*?) \(at depth", said, re.MULTILINE)
    if wrong:
        return wrong.group(1), 0
    if status or not states or "errors: 0" not in said:
        raise Broken(said.strip()[-300:])
    for reason in ("reached -DMEMLIM", "max search depth too small", "out of memory"):
        if reason in said:
            raise Broken(f"not all was searched: {reason}")
    return None, int(states.group(1))


def check(name, size, mutant=None):
    where = lay_out(name, mutant)
    try:
        build(where, size)
        return search(where, size)
    finally:
        if not os.environ.get("KEEP"):
            shutil.rmtree(where)


def readable(assertion):
    return re.sub(r"\s+", " ", assertion)[:100]


def check_size(name, size):
    found, states = check(name, size)
    if found:
        return False, f"{name}: {readable(found)}"
    return True, f"{name}: {states} states"


def check_mutant(name):
    size, source, what, instead = MUTANTS[name]
    found, states = check(name, SMALL[size], (source, what, instead))
    if found:
        return True, f"{name}: {size} finds {readable(found)}"
    return False, f"{name}: not found by {size}, {states} states"


def main():
    large = sys.argv[1:2] == ["--large"]
    patterns = sys.argv[2 if large else 1:]
    sizes = LARGE if large else SMALL
    tests = [(name, lambda name=name: check_size(name, sizes[name])) for name in sizes]
    if not large:
        tests += [(name, lambda name=name: check_mutant(name)) for name in MUTANTS]
    tests = [test for test in tests
             if not patterns or any(pattern in test[0] for pattern in patterns)]
    failed = 0
    for name, test in tests:
        try:
            passed, said = test()
        except Broken as error:
            passed, said = False, f"{name}: {error}"
        failed += not passed
        print("\n# ".join(f"{'ok' if passed else 'not ok'} - {said}".split("\n")), flush=True)
    print(f"1..{len(tests)}")
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    print(f"# {used.ru_utime + used.ru_stime:.0f} s of CPU, at most {used.ru_maxrss // 1024} MB")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
