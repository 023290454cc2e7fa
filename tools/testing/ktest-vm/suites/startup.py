# SPDX-License-Identifier: GPL-2.0
"""Boot the variant "startup", whose tracers test themselves while the kernel boots, and
compare their messages with those of the unmodified base, in baseline/startup-ARCH.

  module.sh suites.startup record FILE   keep the results of the kernel in KTEST_BUILD

test.py runs the comparison as its suite "startup".
"""

import os
import re
import sys

import vm
from suites import base_results
from suites.selftests import chosen

VARIANT = "startup"
BASELINE = os.path.join(vm.HERE, f"baseline/startup-{vm.ARCH}")
HEAD = """# What the boot-time self tests of tracing say on the unmodified base: results and
# tests, as the console names them. "make baseline" makes it anew.
"""
TIMEOUT = int(os.environ.get("TIMEOUT") or 1800)

STAMP = re.compile(vm.STAMP)
START = re.compile(r"Testing (.+?): ?(.*)$")
# The verdict is behind the test's name, or on its own line if another message came in
# between; one of the tests prints counts before it
SAME_LINE = re.compile(r"(PASSED|OK|FAILED!)$|(NG: )")
OWN_LINE = re.compile(r"(?:\([\d ]+\) ?)*(?:(PASSED|OK|FAILED!)$|(NG: ))")
AGAIN = "Running tests again, along with the function tracer"
# Tests that are not called "Testing NAME:": first and last message
WHOLE = {
    "ring buffer": (re.compile(r"Running ring buffer tests"),
                    re.compile(r"Ring buffer PASSED!$")),
    "ftrace section": (re.compile(r"ftrace section at \S+ sorted properly$"),) * 2,
}


class Reader:
    """Takes the console's lines, and maps tests to PASS, FAIL or UNRESOLVED.

    The tests run one after the other, so a verdict belongs to the last named test. A
    test that began and gave no verdict is UNRESOLVED.
    """

    def __init__(self):
        self.found = {}
        self.open = None
        self.suffix = ""

    def begin(self, name):
        number, unique = 1, name
        while unique in self.found:
            number += 1
            unique = f"{name} ({number})"
        self.found[unique] = "UNRESOLVED"
        return unique

    def take_verdict(self, match):
        if match and self.open:
            self.found[self.open] = "PASS" if match.group(1) in ("PASSED", "OK") else "FAIL"
            self.open = None

    def take_whole(self, text):
        for name, (first, last) in WHOLE.items():
            if first.match(text):
                self.begin(name)
            if last.match(text) and name in self.found:
                self.found[name] = "PASS"

    def __call__(self, line):
        if not STAMP.match(line):
            return
        text = STAMP.sub("", line)
        start = START.match(text)
        if start:
            event = start.group(1).startswith(("event ", "all events"))
            self.open = self.begin(start.group(1) + (self.suffix if event else ""))
            self.take_verdict(SAME_LINE.search(start.group(2)))
        elif text.startswith(AGAIN):
            self.suffix = ", with the function tracer"
        else:
            self.take_verdict(OWN_LINE.match(text))
            self.take_whole(text)


def read_console(lines):
    reader = Reader()
    for line in lines:
        reader(line)
    return reader.found


def run_guest():
    """Boot; the results, and what is wrong with the guest itself or None."""
    vm.require_built()
    print("== startup: booting, with the tracers' own tests", flush=True)
    outcome = vm.boot(vm.BOOT_JOB, "kunit.enable=0 oops=panic", "startup", TIMEOUT)
    problem = outcome.told() or (outcome.status and "its user space did not come up")
    print(f"== startup: {outcome.taken()}", flush=True)
    if problem:
        print(f"   startup: {problem.splitlines()[0]}; {vm.LOGS_NAME}/startup.console says:")
        print("\n".join("   | " + line for line in outcome.excerpt()), flush=True)
    return read_console(outcome.console), problem


def any_chosen(pattern):
    return any(chosen(name, pattern) for name in ["startup", *base_results.load(BASELINE)[1]])


def run(pattern):
    """Compare with the base; the Tally of the tests that the pattern means."""
    version, base = base_results.load(BASELINE)
    base_results.note_other_version(version)
    found, problem = run_guest()
    if not chosen("startup", pattern):
        base, found = ({name: word for name, word in some.items() if chosen(name, pattern)}
                       for some in (base, found))
    return judge(version, base, found, problem)


def judge(version, base, found, problem):
    kinds = base_results.compare(base, found)
    base_results.report("startup", version, base, found, kinds)
    tally = base_results.count(base, found, kinds)
    # A test that the base does not have must pass, too
    for name in kinds["new"]:
        if found[name] != "PASS":
            tally.fail(f"{name}: {found[name]}")
    if problem:
        tally.fail(f"startup: {problem}")
    return tally


def record(path):
    """Write this kernel's results to a file, unless the guest crashed."""
    found, problem = run_guest()
    if problem or not found:
        sys.exit(f"error: no baseline was made: {problem or 'no results'}")
    base_results.save(path, HEAD, found)


if __name__ == "__main__":
    if len(sys.argv) != 3 or sys.argv[1] != "record":
        sys.exit(__doc__)
    record(sys.argv[2])
