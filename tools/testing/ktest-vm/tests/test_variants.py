# SPDX-License-Identifier: GPL-2.0
"""Tests of what runs for a variant, and how its results are taken over."""

import os
import tempfile
from unittest import mock

import results
import test as frame
import variants
import vm
from suites import selftests
from harness import VM, contains, equal, write

PLAN = """# a comment
suites boot selftest
unsupported fgraph-args-* nothing is typed
unsupported test.d/b.tc another reason
without suite_b a third reason
skip test.d/ftrace/d.tc a fourth reason
wants /sys/a
lacks /sys/b
lacks /sys/c
environment A='b* c=d'
"""


def plan_of(text):
    with tempfile.TemporaryDirectory() as top:
        write(top + "/x.tests", text)
        plan = variants.Plan(None)
        variants.read_plan(top + "/x.tests", plan)
        return plan


def test_variant_plan():
    """variants: suites, paths and reasons are read, by pattern or whole name"""
    plan = plan_of(PLAN)
    equal(plan.suites, ("boot", "selftest"))
    equal(plan.paths, {"wants": ["/sys/a"], "lacks": ["/sys/b", "/sys/c"]})
    equal(plan.environment, ["A='b* c=d'"])
    equal([plan.reason(test) for test in ("test.d/ftrace/fgraph-args-x.tc", "test.d/b.tc",
                                          "test.d/c.tc")],
          ["nothing is typed", "another reason", None])
    equal((plan.without, plan.skip), ({"suite_b": "a third reason"},
                                      {"test.d/ftrace/d.tc": "a fourth reason"}))


def test_variant_plan_mistakes():
    """variants: a line without a meaning, or a reason, is refused by its number"""
    for text in ("suites a\nsuite b\n", "suites a\nunsupported test.d/a.tc\n", "\nwants\n",
                 "\nwithout suite_a\n", "\nskip test.d/a.tc\n",
                 "\nenvironment A\n"):
        try:
            plan_of(text)
        except SystemExit as problem:
            contains(str(problem), "x.tests:2:")
        else:
            raise AssertionError(f"{text!r} was taken")


def test_variant_files():
    """variants: each plan belongs to a fragment, and names suites that there are"""
    names = os.listdir(os.path.join(VM, "configs"))
    for name in (name for name in names if name.endswith(".tests")):
        if name in ("reference.tests", *(arch + ".tests" for arch in vm.ARCHES)):
            continue
        contains(names, name.replace(".tests", ".config"))
        equal(set(variants.plan_of(name.removesuffix(".tests")).suites) - set(frame.SUITES), set())
    for name in (*variants.CONFIGS, *vm.ARCHES):
        equal(set(variants.plan_of(name).without) - set(frame.kunit_suites()), set())
        equal(set(variants.plan_of(name).skip) & selftests.ours(), set())
    for name in variants.CONFIGS:
        contains(names, name + ".config", name + ".tests")
    equal(variants.plan_of("").suites, None)
    equal(variants.plan_of("no-such-file").suites, variants.SUITES)


def test_variant_default():
    """variants: the reference runs everything, quickly the quick, a variant its own"""
    with mock.patch.object(frame, "PLAN", variants.Plan(None)):
        equal(frame.suites_to_run("", True), frame.QUICK)
        equal(frame.suites_to_run("", False), frame.WHOLE)
        equal(frame.suites_to_run("kunit", False), ("kunit",))
    with mock.patch.object(frame, "PLAN", plan_of(PLAN)):
        equal(frame.suites_to_run("", True), ("boot", "selftest"))


def test_variant_unsupported():
    """variants: what cannot run must say so, and only that may"""
    with mock.patch.object(frame, "PLAN", plan_of(PLAN)):
        job = frame.selftest_job(["test.d/a.tc", "test.d/b.tc", "test.d/base.tc"],
                                 {"test.d/a.tc", "test.d/b.tc"})
        equal(job["tests"], "test.d/a.tc --fail-unsupported\ntest.d/b.tc\ntest.d/base.tc\n")
        tally = results.Tally()
        tally.skipped = ["test.d/b.tc: does something"]
        frame.check_unsupported(tally, ["test.d/b.tc"])
        equal(tally.failed, [])
        tally.skipped = []
        frame.check_unsupported(tally, ["test.d/b.tc"])
        equal(tally.failed, ["test.d/b.tc: was expected to be unsupported here: another reason"])


def test_variant_without():
    """variants: a suite that the kernel has not is not awaited, and fails if it runs"""
    with mock.patch.object(frame, "PLAN", plan_of(PLAN)), \
            mock.patch.object(frame, "kunit_suites", lambda: ["suite_a", "suite_b"]), \
            mock.patch.object(frame, "heading"), \
            mock.patch.object(frame, "run_guest") as run_guest:
        frame.run_kunit("", False)
        equal(run_guest.call_args.args[3], ["suite_a"])
        finish = run_guest.call_args.kwargs["finish"]
        for suite, failed in (("suite_a", []),
                              ("suite_b", ["suite_b: was not expected here: a third reason"])):
            tally = results.Tally()
            finish([f"@ktest test {suite}", "@ktest done 0"], tally)
            equal(tally.failed, failed)


def test_variant_load():
    """variants: the load is told what its plan says"""
    with mock.patch.object(frame, "PLAN", plan_of(PLAN)), \
            mock.patch.object(frame, "heading"), \
            mock.patch.object(frame, "run_guest") as run_guest:
        frame.run_load("", False)
    environment = run_guest.call_args.args[1]["environment"].splitlines()
    equal(environment, [f"FTRACE_LOAD_SECONDS={frame.LOAD_SECONDS}", "A='b* c=d'"])


def run_variant(built, write_result):
    def script(program, *args, **env):
        if program == "test.py" and write_result:
            equal((env["VARIANT"], env["SUITE"], env["TEST"]), ("v", "", "pattern"))
            tally = results.Tally()
            tally.passed, tally.failed, tally.skipped = ["a"], ["b"], ["c"]
            tally.explain("b", ["because"])
            variants.write_tally(tally, args[args.index("--tally") + 1])
        return built
    with mock.patch.object(variants, "script", script):
        tally = variants.run("v", "", "pattern")
    if built and write_result:
        equal(tally.failures(), ["FAILED v: b", "   | because"])
    return tally.passed, tally.failed, tally.skipped


def test_variant_results():
    """variants: results are taken over by name, and a run without any has failed"""
    equal(run_variant(True, True), (["v: a"], ["v: b"], ["v: c"]))
    equal(run_variant(True, False), ([], ["v: the tests broke off without a result"], []))
    equal(run_variant(False, True), ([], ["v: the variant could not be built"], []))
