#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Run the tests and end with one line: N passed, N failed[, N skipped].

  test.py [--quick] [--tally FILE]

SUITE and TEST (a name or a pattern with * and ?) in the environment choose what runs.
Without them, everything runs except the suites "configs", "arches" and "randconfig", which
build or compile several kernels, "packages", and "claims", which compiles a kernel three
more times.
--quick leaves out the base's own tests. With VARIANT, only the suites that apply to that
configuration run. Without ARCH and VARIANT, suites of a kernel run for both architectures.
Several suites run side by side, one more than processors; with --tally, which is for a
process that such a run starts, one after the other.
The exit status is 0 only if something ran, nothing failed, and no guest crashed or
hung.
"""

import argparse
import os
import re
import subprocess
import sys
import time

import parallel
import results
import variants
import vm
from kernel import overlay
from suites import (arches, claims, docs, errnos, ftracetest, identical, image, matrix, options,
                    packages, randconfig, reboot, record, selftests, startup, stepped,
                    tracing_tools)
from suites.selftests import chosen

# The base's selftests of what we change; all of them run in ftracetest's guest
BASE_TESTS = ("test.d/ftrace/fgraph-*.tc", "test.d/ftrace/func*.tc")
SKIP_LIST = os.path.join(vm.HERE, "configs/selftests.skip")
# Takes long, so it has a suite of its own
LOAD_TEST = "test.d/ftrace/fgraph-args-load.tc"
LOAD_SECONDS = int(os.environ.get("DURATION") or 20)
# Tests that go on for as long as they are told, what tells them, and seconds
TORTURES = {
    "test.d/ring-buffer/ring-buffer-torture.tc": ("RING_BUFFER_TORTURE_SECONDS", 12),
    "test.d/ftrace/fgraph-torture.tc": ("FGRAPH_TORTURE_SECONDS", 6),
    "test.d/ftrace/fgraph-args-stress.tc": ("FGRAPH_STRESS_SECONDS", 8),
    "test.d/ftrace/func-torture.tc": ("FUNC_TORTURE_SECONDS", 4),
}
HOST_TIMEOUT = 1800
# How many lines of an error are shown on the screen
SHOWN = 20
# How many tests are shown that took long, and how many seconds that is
SLOWEST = 10
LONG = 10
PLAN = variants.plan_of(vm.VARIANT)
# Only for a guest that goes on for ever: one that hangs is silent, which ends it earlier. After
# 2738 s, our selftests were not done where two slow processors ran three suites at once.
GUEST_TIMEOUT = int(os.environ.get("TIMEOUT") or 3600)


def heading(text):
    print(f"== {text}", flush=True)


# Host tests: tests/run.py or tests/run.sh of a directory, which print TAP and
# take patterns of test names as arguments

INTERPRETERS = {".py": [sys.executable], ".sh": ["bash"]}


def host_runners():
    return [path for path in overlay.repository_files()
            if re.search(r"(^|/)tests/run\.(py|sh)$", path)
            and os.path.isfile(os.path.join(vm.REPO, path))]


def run_host(pattern, quick):
    tally = results.Tally()
    for path in host_runners():
        name = path.split("/")[-3]
        everything = chosen(name, pattern) or chosen(path, pattern)
        tally.merge(run_host_program(path, name, [] if everything else [pattern], quick))
    return tally


def neutral_environment(quick):
    """The environment without the choice of a kernel, which host tests ignore."""
    kept = {name: value for name, value in os.environ.items() if name not in ("ARCH", "VARIANT")}
    return dict(kept, KTEST_QUICK="1") if quick else kept


def run_host_program(path, name, patterns, quick):
    heading(f"host: {path}")
    lines = []
    show = Progress()
    # coreutils' timeout ends the whole process group, whatever it waits for
    command = ["timeout", "--kill-after=10", str(HOST_TIMEOUT)] + \
        INTERPRETERS[os.path.splitext(path)[1]] + [os.path.join(vm.REPO, path)] + patterns
    log = os.path.join(vm.LOGS, f"host-{name}")
    os.makedirs(os.path.dirname(log), exist_ok=True)
    with open(log, "wb") as copy, \
            subprocess.Popen(command, cwd=vm.REPO, env=neutral_environment(quick),
                             stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                             stderr=subprocess.STDOUT) as process:
        for raw in process.stdout:
            copy.write(raw)
            lines.append(raw.decode(errors="replace").rstrip("\n"))
            show(lines[-1])
    show.flush()
    if patterns and not any(results.RESULT.match(line) for line in lines):
        return results.Tally()  # a program without a test of that name
    tally = results.parse_tap(lines, name)
    if process.returncode == 124:
        tally.fail(f"{name}: was stopped after {HOST_TIMEOUT} s")
    elif process.returncode and not tally.failed:
        tally.fail(f"{name}: ended with status {process.returncode}")
    return tally


# The kernel and the modules that were built

def run_image(pattern, _quick):
    return run_checks("image", image.tests(), pattern)


def run_docs(pattern, _quick):
    return run_checks("docs", docs.TESTS, pattern)


def run_claims(pattern, _quick):
    return run_checks("claims", {**claims.tests(), "errnos": errnos.check}, pattern)


def run_arches(pattern, _quick):
    return run_checks("arches", arches.tests(), pattern)


def run_options(pattern, _quick):
    return run_checks("options", options.tests(), pattern)


def run_record(pattern, _quick):
    return run_checks("record", record.tests(), pattern)


def run_reboot(pattern, _quick):
    return run_checks("reboot", reboot.tests(), pattern)


def run_stepped(pattern, _quick):
    return run_checks("stepped", stepped.tests(), pattern)


def run_randconfig(pattern, _quick):
    return run_checks("randconfig", randconfig.tests(), pattern)


def run_checks(suite, checks, pattern):
    """Run checks, functions by name; each returns what is wrong, as lines."""
    tally = results.Tally()
    for name, check in checks.items():
        if not chosen(name, pattern):
            continue
        wrong = check()
        tally.add(f"{suite}: {name}", not wrong)
        tally.explain(f"{suite}: {name}", wrong)
        print(f"   {'not ok' if wrong else 'ok'} - {suite}: {name}", flush=True)
        for line in wrong[:SHOWN]:
            print(f"   # {line}")
    return tally


def run_identical(pattern, _quick):
    if not any(chosen(name, pattern) for name in identical.TESTS):
        return results.Tally()
    heading("identical: the unmodified base with the same configuration")
    if not variants.script("kernel/on-base.sh", "kernel/build.sh"):
        tally = results.Tally()
        tally.fail("identical: the base could not be built")
        return tally
    return run_checks("identical", identical.TESTS, pattern)


# Guests

class Progress:
    """Prints what a guest's job or a host program says, as it comes.

    Of a block of comments, which may be the whole log of a failed test, it prints
    only the end.
    """

    COMMENTS = 30

    def __init__(self):
        self.start = 0.0
        self.name = ""
        self.took = []
        self.comments = []

    def __call__(self, line):
        if line.lstrip().startswith("#"):
            self.comments.append(line)
            return
        self.flush()
        if line.startswith("@ktest test "):
            self.start = time.monotonic()
            self.name = line.removeprefix("@ktest test ")
            print(f"-- {self.name}", flush=True)
        elif line.startswith("@ktest done "):
            self.took.append((time.monotonic() - self.start, self.name))
            print(f"   {self.took[-1][0]:.1f} s", flush=True)
        elif line and not re.match(r" *(?:K?TAP version|1\.\.\d+$)", line):
            print("   " + line.removeprefix("@ktest "), flush=True)

    def flush(self):
        more = len(self.comments) - self.COMMENTS
        if more > 0:
            print(f"   # {more} lines before these are in {vm.LOGS_NAME}")
        for line in self.comments[-self.COMMENTS:]:
            print("   " + line[:300])
        self.comments = []

    def slowest(self):
        """The tests that took longest, on one line; "" if none took long."""
        return ", ".join(f"{os.path.basename(name)} {seconds:.0f} s" for seconds, name in
                         sorted(self.took, reverse=True)[:SLOWEST] if seconds >= LONG)


def run_guest(name, job, append, expected, indent, devices=(), timeout=GUEST_TIMEOUT,
              finish=None, **limits):
    """A guest's Tally; finish is called with the lines and the Tally, to add failures."""
    show = Progress()
    outcome = vm.boot(job, append, name, timeout, on_line=show, devices=devices, **limits)
    show.flush()
    tally = results.tally_frames(outcome.lines, expected, indent)
    if finish:
        finish(outcome.lines, tally)
    problem = outcome.problem()
    if problem:
        tally.fail(f"{name}: {outcome.told()}")
        print(f"   {name}: {problem}; {vm.LOGS_NAME}/{name}.console says:")
        print("\n".join("   | " + line for line in outcome.excerpt()))
    heading(f"{name}: {outcome.taken()}")
    if len(show.took) > 1 and show.slowest():
        heading(f"{name}: {len(show.took)} tests; the slowest: {show.slowest()}")
    return tally


# KUnit

def kunit_suites():
    """The suites that our sources define: each of them must have run."""
    names = set()
    for path in overlay.overlay_files():
        if path.endswith((".c", ".h")):
            with open(os.path.join(vm.REPO, path), encoding="utf-8") as stream:
                names.update(re.findall(r"struct kunit_suite \w+ = \{[^}]*?"
                                        r"\.name\s*=\s*\"([^\"]+)\"", stream.read()))
    return sorted(names)


def run_kunit(pattern, _quick):
    # A pattern is "suite" or "suite.test", as the kernel's parameter takes it
    names = [name for name in kunit_suites()
             if chosen(name, pattern.split(".")[0] if pattern else "")]
    suites = [name for name in names if name not in PLAN.without]
    if not suites:
        return results.Tally()
    heading(f"kunit: {' '.join(suites)}")
    # No oops=panic here: KUnit outlives a test that crashes, and goes on
    append = "kunit.enable=1 " + (f"kunit.filter_glob={pattern}" if pattern else "")
    return run_guest("kunit", {"mode": "kunit\n"}, append, suites, 4,
                     finish=check_without)


def check_without(lines, tally):
    """A suite that this kernel is said not to have has failed if it ran."""
    for name, _, _ in results.split_frames(lines):
        if name in PLAN.without:
            tally.fail(f"{name}: was not expected here: {PLAN.without[name]}")


# Selftests

def run_selftest(pattern, quick):
    tally = results.Tally()
    reasons = {**selftests.read_skip_list(SKIP_LIST), **PLAN.skip}
    ours = selftests.ours()
    tests = []
    for test in sorted(ours if quick else ours | selftests.of_tree(BASE_TESTS)):
        if not chosen(test, pattern) or test == LOAD_TEST:
            continue
        if test in reasons:
            print(f"   skipped: {test}: {reasons[test]}")
            tally.add(test, True, skip=True)
        else:
            tests.append(test)
    if tests:
        heading(f"selftest: {len(tests)} tests")
        once = run_selftest_guest("selftest", tests, ours)
        again = failed_of_the_base(once, tests, ours)
        if again:
            # Some of the base's tests rely on how long things take on real machines
            heading(f"selftest: {len(again)} of the base's failed; once more, alone")
            once.failed = [name for name in once.failed if test_of(name) not in again]
            once.passed = [name for name in once.passed if test_of(name) not in again]
            once.merge(run_selftest_guest("selftest-again", again, ours))
        tally.merge(once)
    return tally


def run_selftest_guest(name, tests, ours):
    job = selftest_job(tests, ours)
    timeout = GUEST_TIMEOUT
    for test in TORTURES.keys() & set(tests):
        variable, seconds = TORTURES[test]
        seconds = int(os.environ.get("DURATION") or seconds)
        job["environment"] = job.get("environment", "") + f"{variable}={seconds}\n"
        timeout += seconds
    tally = run_guest(name, job, "kunit.enable=0 oops=panic", tests, 0, timeout=timeout)
    check_unsupported(tally, [test for test in tests if test in ours and PLAN.reason(test)])
    return tally


def check_unsupported(tally, tests):
    """Tests listed as unsupported must have reported that, or the list is wrong."""
    skipped = {test_of(name) for name in tally.skipped}
    for test in tests:
        if test not in skipped:
            tally.fail(f"{test}: was expected to be unsupported here: {PLAN.reason(test)}")


def test_of(name):
    """The file of a result: results are called FILE: DESCRIPTION."""
    return name.split(":")[0]


def failed_of_the_base(tally, tests, ours):
    """The base's tests that failed; none if the guest itself did not end well."""
    failed = {test_of(name) for name in tally.failed}
    return sorted(failed & (set(tests) - ours)) if failed <= set(tests) else []


def selftest_job(tests, ours):
    # Our tests must not be unsupported here, unless the plan says why
    lines = [f"{test} --fail-unsupported\n" if test in ours and not PLAN.reason(test)
             else f"{test}\n" for test in tests]
    return {"mode": "selftest\n", "tests": "".join(lines)}


# The truth module, compiled with one option after the other

def run_matrix(pattern, _quick):
    if not any(chosen(name, pattern) for name in matrix.OPTIONS):
        return results.Tally()
    heading("matrix: the truth module with the compiler's options")
    return matrix.run(pattern, run_guest)


# The kernel's packages, and a module that is built with the headers of one

def run_packages(pattern, _quick):
    return packages.run(pattern, run_checks, run_guest)


# Everything at once, for as long as DURATION says

def run_load(pattern, quick):
    if quick or not chosen(LOAD_TEST, pattern):
        return results.Tally()
    heading(f"load: {LOAD_SECONDS} s")
    job = selftest_job([LOAD_TEST], [LOAD_TEST])
    job["environment"] = "".join(
        setting + "\n" for setting in [f"FTRACE_LOAD_SECONDS={LOAD_SECONDS}", *PLAN.environment])
    # It says nothing before its end
    timeout = GUEST_TIMEOUT + LOAD_SECONDS
    return run_guest("load", job, "kunit.enable=0 oops=panic", [LOAD_TEST], 0,
                     timeout=timeout, idle=timeout)


# The base's whole ftracetest, and the tracing programs that people use, in Debian

def run_ftracetest(pattern, _quick):
    tally = results.Tally()
    checks = tracing_tools.choose(pattern)
    if not checks and not any(ftracetest.choose(pattern)):
        return tally
    if not (variants.script("deps.sh", "debian") and variants.script("rootfs/debian-disk.sh")):
        tally.fail("ftracetest: the Debian guest could not be made")
        return tally
    tally.merge(ftracetest.run(pattern))
    if checks:
        heading("tools: perf and trace-cmd")
        tally.merge(run_guest("tools", tracing_tools.job(checks), tracing_tools.APPEND, ["tools"],
                              0, vm.disk(tracing_tools.DISK)))
    if tracing_tools.compat(checks):
        tally.merge(run_compat(tracing_tools.compat(checks)))
    return tally


def run_compat(checks):
    name = tracing_tools.COMPAT_NAME
    heading(f"{name}: the programs of {tracing_tools.COMPAT}")
    if not variants.script("rootfs/debian-disk.sh", tracing_tools.COMPAT):
        tally = results.Tally()
        tally.fail(f"{name}: the Debian guest could not be made")
        return tally
    return run_guest(name, tracing_tools.compat_job(checks), tracing_tools.APPEND, [name], 0,
                     vm.disk(tracing_tools.COMPAT_DISK))


# Other configurations

def run_boot(pattern, _quick):
    if not chosen("boot", pattern):
        return results.Tally()
    job = dict(vm.BOOT_JOB, **{word: "".join(path + "\n" for path in paths)
                               for word, paths in PLAN.paths.items()})
    return run_guest("boot", job, "kunit.enable=0 oops=panic", ["boot"], 0)


# The tracers from the first moment on, function_graph with a filter of each kind
PARAMETERS = {
    "function_graph": "ftrace=function_graph ftrace_graph_filter=vfs_open "
                      "ftrace_graph_max_depth=2 "
                      "trace_options=nofuncgraph-irqs,funcgraph-args trace_instance=early",
    "function": "ftrace=function trace_options=func-args trace_buf_size=8M",
}


def run_parameters(pattern, _quick):
    tally = results.Tally()
    for tracer, parameters in PARAMETERS.items():
        name = f"parameters-{tracer}"
        if chosen(name, pattern) or chosen("parameters", pattern):
            tally.merge(run_guest(name, {"mode": "parameters\n", "tracer": tracer + "\n"},
                                  f"kunit.enable=0 oops=panic {parameters}", [name], 0))
    return tally


def run_startup(pattern, _quick):
    if not startup.any_chosen(pattern):
        return results.Tally()
    if vm.VARIANT == startup.VARIANT:
        return startup.run(pattern)
    return variants.run(startup.VARIANT, "startup", pattern)


def run_configs(pattern, quick):
    tally = results.Tally()
    for name in variants.CONFIGS:
        if chosen(name, pattern):
            heading(f"configs: {name}")
            tally.merge(variants.run(name, "", "", *(["--quick"] if quick else [])))
    return tally


SUITES = {"host": run_host, "docs": run_docs, "image": run_image, "kunit": run_kunit,
          "selftest": run_selftest, "load": run_load, "boot": run_boot,
          "parameters": run_parameters, "reboot": run_reboot, "record": run_record,
          "stepped": run_stepped, "identical": run_identical, "matrix": run_matrix,
          "startup": run_startup, "ftracetest": run_ftracetest, "configs": run_configs,
          "arches": run_arches, "options": run_options, "randconfig": run_randconfig,
          "packages": run_packages, "claims": run_claims}
# What the reference is tested with, at once and whole
QUICK = ("host", "docs", "image", "kunit", "selftest")
WHOLE = QUICK + ("parameters", "reboot", "record", "stepped", "matrix", "startup", "ftracetest",
                 "options")
# These suites do not need the kernel that was built
UNBUILT = {"host", "docs", "startup", "configs", "arches", "options", "randconfig"}
# These suites test no kernel, or only one
ANY_ARCH = {"host", "docs", "arches", "options", "randconfig", "packages"}
# The longest suites begin first, so that none of them runs alone at the end
LONGEST = ("ftracetest", "host", "selftest", "startup", "options")


def suites_to_run(suite, quick):
    if suite and suite not in SUITES:
        sys.exit(f"error: SUITE={suite}: there are {', '.join(SUITES)}")
    if suite:
        return (suite,)
    return PLAN.suites or (QUICK if quick else WHOLE)


def architectures():
    if os.environ.get("ARCH") or vm.VARIANT:
        return (vm.ARCH,)
    return vm.ARCHES


def tasks_of(suites, arches):
    """Each suite for each architecture, in the order to begin them."""
    def rank(task):
        return LONGEST.index(task.suite) if task.suite in LONGEST else len(LONGEST)
    several = len(arches) > 1
    # The base's selftests are among those that ftracetest runs
    options = {"selftest": ("--quick",)} if "ftracetest" in suites else {}
    tasks = [parallel.Task(suite, arch, arch if several and suite not in ANY_ARCH else "",
                       options.get(suite, ()))
             for suite in suites for arch in (arches[:1] if suite in ANY_ARCH else arches)]
    return sorted(tasks, key=rank)


def run_suites(suites, pattern, quick):
    tally = results.Tally()
    for name in suites:
        start = time.monotonic()
        one = SUITES[name](pattern, quick)
        heading(f"{name}: {one.summary()}, {time.monotonic() - start:.0f} s")
        tally.merge(one)
    return tally


def parse_arguments(arguments):
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--tally", metavar="FILE", help="write the results there as well")
    return parser.parse_args(arguments)


def main(arguments):
    options = parse_arguments(arguments)
    pattern = os.environ.get("TEST", "")
    suites = suites_to_run(os.environ.get("SUITE", ""), options.quick)
    tasks = tasks_of(suites, architectures())
    start = time.monotonic()
    if options.tally or len(tasks) == 1:
        if set(suites) - UNBUILT:
            vm.require_built()
        tally = run_suites(suites, pattern, options.quick)
    else:
        tally = parallel.run(tasks, pattern, ["--quick"] if options.quick else [])
    if options.tally:
        variants.write_tally(tally, options.tally)
        return tally.status()
    heading(f"{time.monotonic() - start:.0f} s")
    if not tally.ran():
        print(f"nothing ran: no test is called \"{pattern}\"" if pattern else "nothing ran")
    for line in tally.failures():
        print(line)
    print(tally.summary())
    return tally.status()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
