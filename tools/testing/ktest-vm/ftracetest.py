#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Run the base's whole ftracetest in a Debian guest, and compare the results with
those of the unmodified base, which are kept in the file baseline/ftracetest-ARCH.

  ftracetest.py record FILE   keep the results of the kernel in KTEST_BUILD

test.py runs the comparison as its suite "ftracetest". What passed on the base
and does not pass any more has failed; so has what gave no result at all. A test
that failed is run once more alone, in a fresh guest, before it counts: under
emulation, tests that measure time fail at times.
"""

import os
import re
import shutil
import sys
import time

import kept
import results
import selftests
import vm

BASELINE = os.path.join(vm.HERE, f"baseline/ftracetest-{vm.ARCH}")
SKIP_LIST = os.path.join(vm.HERE, "configs/ftracetest.skip")
DISK = os.path.join(vm.GUEST, "debian.ext4")
LOGS = os.path.join(vm.LOGS, "ftracetest")
# ftrace-direct alone needs 4 minutes of a free CPU, and says nothing meanwhile
TIMEOUT = int(os.environ.get("TIMEOUT") or 3600)
IDLE = 1200
INSTANCE = " (instance)"
HEAD = """# What ftracetest says on the unmodified base: results and tests. "(instance)" is
# the test's second run, in a trace instance. "make baseline" makes it anew.
"""


# Results

def verdict(result):
    """ftracetest's own word for a result, from its KTAP line."""
    directive = (result.group(5) or "").split()
    if result.group(2) == "ok":
        # KTAP has one word for UNSUPPORTED and UNTESTED
        return {"SKIP": "UNSUPPORTED"}.get(directive[0], directive[0]) if directive else "PASS"
    return directive[0].upper() if directive else "FAIL"


def read_frame(path, lines, status):
    """Map the one or two results of a test's frame to their words."""
    found = {}
    for result in filter(None, map(results.RESULT.match, lines)):
        instance = (result.group(4) or "").startswith("(instance)")
        found[path + (INSTANCE if instance else "")] = verdict(result)
    if status is None:
        found.setdefault(path, "CRASH")
    elif status and all(word in ("PASS", "XFAIL", "UNSUPPORTED") for word in found.values()):
        found[path] = "ERROR"
    return found


def read_frames(lines):
    found = {}
    for path, output, status in results.split_frames(lines):
        found.update(read_frame(path, output, status))
    return found


# Running

class Progress:
    """A line for each test when it ends: which, how, and how long it took."""

    def __init__(self, total):
        self.total = total
        self.number = 0
        self.start = 0.0
        self.lines = []

    def __call__(self, line):
        if line.startswith("@ktest test "):
            self.number += 1
            self.start = time.monotonic()
            self.lines = []
        self.lines.append(line)
        if line.startswith("@ktest done "):
            self.show()

    def show(self):
        taken = time.monotonic() - self.start
        for name, word in read_frames(self.lines).items():
            print(f"   [{self.number}/{self.total}] {word:11} {name} ({taken:.0f} s)", flush=True)


def keep_logs(lines, suffix):
    """Each test's output that did not pass, in a file of its own."""
    os.makedirs(LOGS, exist_ok=True)
    for path, output, status in results.split_frames(lines):
        if set(read_frame(path, output, status).values()) - {"PASS", "XFAIL", "UNSUPPORTED"}:
            with open(log_of(path, suffix), "w", encoding="utf-8") as out:
                out.writelines(line.removeprefix("# ") + "\n" for line in output)


def log_of(path, suffix=""):
    return os.path.join(LOGS, path.removeprefix("test.d/").replace("/", "-") + suffix)


def show_logs(tally):
    """Let the tests that failed say why; the second run, if there was one."""
    for name in tally.failed:
        test = name.split(": ", maxsplit=1)[0].removesuffix(INSTANCE)
        for path in (log_of(test, ".again"), log_of(test)):
            if os.path.exists(path):
                with open(path, encoding="utf-8") as log:
                    tally.explain(name, log.read().splitlines())
                break


def run_guest(tests, name):
    """Run the tests in one guest; return their results and what is wrong with it."""
    job = {"mode": "selftest\n", "disk": "", "tests": "".join(test + "\n" for test in tests)}
    outcome = vm.boot(job, "kunit.enable=0 oops=panic", name, TIMEOUT, IDLE,
                      Progress(len(tests)), vm.disk(DISK))
    keep_logs(outcome.lines, ".again" if name.endswith("again") else "")
    print(f"== {name}: {outcome.taken()}", flush=True)
    problem = outcome.problem()
    if problem:
        print(f"   {name}: {problem}; {vm.LOGS_NAME}/{name}.console says:")
        print("\n".join("   | " + line for line in outcome.excerpt()), flush=True)
    return read_frames(outcome.lines), outcome.told()


def unexpected(found, base):
    """The tests that should be run once more: those that fell short of the base.

    Without a base, those that failed. Not one that took the guest down: that
    is a failure, whatever a second run says.
    """
    def short(name, word):
        wanted = base.get(name) if base is not None else "PASS"
        return word in ("FAIL", "UNRESOLVED", "ERROR") and wanted == "PASS"
    return sorted({name.removesuffix(INSTANCE) for name, word in found.items()
                   if short(name, word)})


def run_tests(tests, base):
    """Run the tests, and the failed ones again; return results and problems."""
    shutil.rmtree(LOGS, ignore_errors=True)
    found, problem = run_guest(tests, "ftracetest")
    problems = [problem] if problem else []
    again = unexpected(found, base)
    if again:
        print(f"== ftracetest: {len(again)} failed; once more, alone", flush=True)
        second, problem = run_guest(again, "ftracetest-again")
        problems += [problem] if problem else []
        for name, word in second.items():
            if found.get(name) != word:
                print(f"   {name}: {found.get(name)} among the others, {word} alone")
            found[name] = word
    return found, problems


def choose(pattern):
    """The base's tests that the pattern means, and the reasons of those left out."""
    reasons = selftests.read_skip_list(SKIP_LIST)
    tests = sorted(test for test in selftests.of_tree() - selftests.ours()
                   if selftests.chosen(test, pattern))
    return [test for test in tests if test not in reasons], \
        {test: reasons[test] for test in tests if test in reasons}


def require_disk():
    vm.require_built()
    if not os.path.exists(DISK):
        raise SystemExit(f"error: {DISK} is missing; debian.sh makes it")


def run(pattern):
    """Compare with the base; the Tally of everything that the pattern means."""
    require_disk()
    version, base = kept.load(BASELINE)
    kept.note_other_version(version)
    tests, skipped = choose(pattern)
    base = {name: word for name, word in base.items()
            if name.removesuffix(INSTANCE) not in skipped
            and selftests.chosen(name.removesuffix(INSTANCE), pattern)}
    if not tests and not base and not skipped:
        return results.Tally()
    print(f"== ftracetest: {len(tests)} tests", flush=True)
    found, problems = run_tests(tests, base) if tests else ({}, [])
    kinds = kept.compare(base, found)
    kept.report("ftracetest", version, base, found, kinds)
    tally = kept.count(base, found, kinds)
    show_logs(tally)
    for problem in problems:
        tally.fail(f"ftracetest: {problem}")
    for test, reason in skipped.items():
        print(f"   skipped: {test}: {reason}")
        tally.add(test, True, skip=True)
    return tally


def record(path):
    """Keep what this kernel does. A guest that crashed is no baseline."""
    require_disk()
    tests, _skipped = choose("")
    found, problems = run_tests(tests, None)
    if problems or not found:
        sys.exit("error: no baseline was made: " + "\n".join(problems or ["no results"]))
    kept.save(path, HEAD, found)


if __name__ == "__main__":
    if len(sys.argv) != 3 or sys.argv[1] != "record":
        sys.exit(__doc__)
    record(sys.argv[2])
