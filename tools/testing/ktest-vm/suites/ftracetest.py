# SPDX-License-Identifier: GPL-2.0
"""Run the base's whole ftracetest in a Debian guest, and compare the results with
those of the unmodified base, which are kept in the file baseline/ftracetest-ARCH.

  module.sh suites.ftracetest record FILE   keep the results of the kernel in KTEST_BUILD

test.py runs the comparison as its suite "ftracetest". A test fails if it passed on
the base and does not pass now, or if it gave no result at all. A test that failed is
run once more alone, in a fresh guest, before it counts: under emulation, tests that
measure time fail at times.
"""

import os
import re
import shutil
import sys
import time

import results
import vm
from suites import base_results, selftests

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


def on_instance(test):
    """Whether the test asks to be run in an instance, too."""
    with open(os.path.join(vm.BUILD, "linux", selftests.DIRECTORY, test),
              encoding="utf-8") as stream:
        return re.search(r"^#[ \t]*flags:.*instance", stream.read(), re.MULTILINE) is not None


class Run:
    """The results of one run of ftracetest, taken line by line as they come.

    ftracetest runs all tests in order, then repeats those that ask for an instance, and
    numbers all results consecutively. The log of a failed test follows its result.
    """

    def __init__(self, tests):
        self.names = tests + [test + INSTANCE for test in tests if on_instance(test)]
        self.found = {}
        self.logs = {}
        self.wrong = None
        self.status = None
        self.start = time.monotonic()

    def __call__(self, line):
        done = re.match(r"@ktest done (\d+)$", line)
        result = results.RESULT.match(line)
        if done:
            self.status = int(done.group(1))
        elif result and not result.group(1):
            self.take(result)
        elif line.startswith("# ") and self.found:
            name = self.names[len(self.found) - 1]
            self.logs.setdefault(name, []).append(line.removeprefix("# "))

    def take(self, result):
        """Take a result. If it is not the next test's, no result can be trusted."""
        number, name = len(self.found) + 1, self.next()
        instance = (result.group(4) or "").startswith("(instance)")
        if name is None or result.group(3) != str(number) or name.endswith(INSTANCE) != instance:
            self.wrong = self.wrong or f"the result after {len(self.found)} is not of {name}"
            return
        self.found[name] = verdict(result)
        now = time.monotonic()
        print(f"   [{number}/{len(self.names)}] {self.found[name]:11} {name}"
              f" ({now - self.start:.0f} s)", flush=True)
        self.start = now

    def next(self):
        """The test whose result comes next, or None."""
        return self.names[len(self.found)] if len(self.found) < len(self.names) else None

    def end(self):
        """Return all results, and what is wrong with the run itself, or None."""
        words = ("PASS", "XFAIL", "UNSUPPORTED", "UNRESOLVED")
        if self.status is None and self.next():
            self.found[self.next()] = "CRASH"
        elif self.status and all(word in words for word in self.found.values()):
            self.wrong = self.wrong or f"it ended with status {self.status}, and nothing failed"
        return self.found, self.wrong

    def keep_logs(self, suffix):
        """Keep the output of each test that did not pass, in a file of its own."""
        os.makedirs(LOGS, exist_ok=True)
        for name, lines in self.logs.items():
            if self.found[name] not in ("PASS", "XFAIL", "UNSUPPORTED"):
                with open(log_of(name, suffix), "w", encoding="utf-8") as out:
                    out.writelines(line + "\n" for line in lines)


def log_of(name, suffix=""):
    path = name.removeprefix("test.d/").replace("/", "-").replace(INSTANCE, "-instance")
    return os.path.join(LOGS, path + suffix)


def show_logs(tally):
    """Show why tests failed: the log of the second run, if there was one."""
    for name in tally.failed:
        test = name.split(": ", maxsplit=1)[0]
        for path in (log_of(test, ".again"), log_of(test)):
            if os.path.exists(path):
                with open(path, encoding="utf-8") as log:
                    tally.explain(name, log.read().splitlines())
                break


def run_guest(tests, name):
    """Run the tests in one guest; return their results and what is wrong with it."""
    job = {"mode": "selftest\n", "disk": "", "together": "",
           "tests": "".join(test + "\n" for test in tests)}
    run = Run(tests)
    outcome = vm.boot(job, "kunit.enable=0 oops=panic", name, TIMEOUT, IDLE, run, vm.disk(DISK))
    found, wrong = run.end()
    run.keep_logs(".again" if name.endswith("again") else "")
    print(f"== {name}: {outcome.taken()}", flush=True)
    problem = outcome.problem()
    if problem:
        print(f"   {name}: {problem}; {vm.LOGS_NAME}/{name}.console says:")
        print("\n".join("   | " + line for line in outcome.excerpt()), flush=True)
    return found, outcome.told() or wrong


def unexpected(found, base):
    """The tests that should be run once more: those that fell short of the base.

    Without a base, those that failed. A test that took the guest down is not run
    again: it has failed, whatever a second run says.
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
    """The base's tests that match the pattern, and why others are left out."""
    reasons = selftests.read_skip_list(SKIP_LIST)
    tests = sorted(test for test in selftests.of_tree() - selftests.ours()
                   if selftests.chosen(test, pattern))
    return [test for test in tests if test not in reasons], \
        {test: reasons[test] for test in tests if test in reasons}


def require_disk():
    vm.require_built()
    if not os.path.exists(DISK):
        raise SystemExit(f"error: {DISK} is missing; rootfs/debian-disk.sh makes it")


def run(pattern):
    """Compare with the base; return the Tally of all tests that match the pattern."""
    require_disk()
    version, base = base_results.load(BASELINE)
    base_results.note_other_version(version)
    tests, skipped = choose(pattern)
    base = {name: word for name, word in base.items()
            if name.removesuffix(INSTANCE) not in skipped
            and selftests.chosen(name.removesuffix(INSTANCE), pattern)}
    if not tests and not base and not skipped:
        return results.Tally()
    print(f"== ftracetest: {len(tests)} tests", flush=True)
    found, problems = run_tests(tests, base) if tests else ({}, [])
    kinds = base_results.compare(base, found)
    base_results.report("ftracetest", version, base, found, kinds)
    tally = base_results.count(base, found, kinds)
    show_logs(tally)
    for problem in problems:
        tally.fail(f"ftracetest: {problem}")
    for test, reason in skipped.items():
        print(f"   skipped: {test}: {reason}")
        tally.add(test, True, skip=True)
    return tally


def record(path):
    """Keep this kernel's results, unless the guest crashed."""
    require_disk()
    tests, _skipped = choose("")
    found, problems = run_tests(tests, None)
    if problems or not found:
        sys.exit("error: no baseline was made: " + "\n".join(problems or ["no results"]))
    base_results.save(path, HEAD, found)


if __name__ == "__main__":
    if len(sys.argv) != 3 or sys.argv[1] != "record":
        sys.exit(__doc__)
    record(sys.argv[2])
