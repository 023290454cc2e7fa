# SPDX-License-Identifier: GPL-2.0
"""Tests of how ftracetest's results are read, kept and compared with the base's."""

import contextlib
import io
import os
import tempfile
from unittest import mock

import results
import vm
from suites import base_results, ftracetest, selftests
from harness import contains, equal, write

TESTS = [f"test.d/{letter}.tc" for letter in "abcde"]
OUTPUT = """@ktest guest is up
@ktest test ftracetest
TAP version 13
1..7
ok 1 Basic trace file check
not ok 2 Test tracers
# ok 7 only what the test printed
ok 3 Wants BTF # SKIP
ok 4 Must fail # XFAIL
not ok 5 No tool # UNRESOLVED
ok 6 (instance)  Basic trace file check
not ok 7 (instance)  Test tracers
# in the instance

# Totals: pass:2 fail:2 xfail:1 xpass:0 skip:1 error:1
@ktest done 1
""".split("\n")
FOUND = {"test.d/a.tc": "PASS", "test.d/b.tc": "FAIL", "test.d/c.tc": "UNSUPPORTED",
         "test.d/d.tc": "XFAIL", "test.d/e.tc": "UNRESOLVED",
         "test.d/a.tc (instance)": "PASS", "test.d/b.tc (instance)": "FAIL"}


def quietly(function, *args):
    """What a function returns, and what it prints."""
    with contextlib.redirect_stdout(io.StringIO()) as out:
        result = function(*args)
    return result, out.getvalue()


def run_of(lines, tests=("test.d/a.tc", "test.d/b.tc")):
    """The Run that was told these lines; of the tests, the first two want an instance."""
    with mock.patch.object(ftracetest, "on_instance", lambda test: test in TESTS[:2]):
        run = ftracetest.Run(list(tests))
    for line in lines:
        quietly(run, line)
    return run


def test_ftracetest_words():
    """ftracetest: each kind of result is told, in an instance apart"""
    equal(run_of(OUTPUT, TESTS).end(), (FOUND, None))


def test_ftracetest_crash():
    """ftracetest: a test that took the guest down, and a status without a failure"""
    equal(run_of(["@ktest test ftracetest"]).end(), ({"test.d/a.tc": "CRASH"}, None))
    equal(run_of(["ok 1 x", "ok 2 y"]).end(),
          ({"test.d/a.tc": "PASS", "test.d/b.tc": "PASS", "test.d/a.tc (instance)": "CRASH"}, None))
    whole = ["ok 1 x", "ok 2 y", "ok 3 (instance)  x", "ok 4 (instance)  y"]
    equal(run_of(whole).end()[1], None)
    contains(run_of(whole + ["@ktest done 2"]).end()[1], "status 2, and nothing failed")
    equal(run_of(["not ok 1 x", "@ktest done 1"]).end(), ({"test.d/a.tc": "FAIL"}, None))


def test_ftracetest_order():
    """ftracetest: a result of another test than that whose turn it is makes all doubtful"""
    for lines in (["ok 2 y"], ["ok 1 (instance)  x"], ["ok 1 x", "ok 2 y", "ok 3 x"],
                  ["ok 1 x", "ok 1 x"]):
        contains(run_of(lines).end()[1], "is not of test.d/")
    contains(run_of(["ok 1 z", "ok 2 z"], ["test.d/e.tc"]).end()[1], "is not of None")


def test_ftracetest_compare():
    """ftracetest: regressed, improved, changed, missing, new and same"""
    base = {"r": "PASS", "x": "PASS", "i": "FAIL", "c": "FAIL", "m": "PASS", "n": "FAIL",
            "s": "PASS", "f": "UNSUPPORTED"}
    found = {"r": "FAIL", "x": "UNSUPPORTED", "i": "PASS", "c": "UNRESOLVED", "s": "PASS",
             "f": "UNSUPPORTED", "p": "PASS", "q": "FAIL"}
    kinds = base_results.compare(base, found)
    equal(kinds, {"regressed": ["r", "x"], "improved": ["i"], "changed": ["c"],
                  "missing": ["m", "n"], "new": ["p", "q"], "same": ["f", "s"]})
    tally = base_results.count(base, found, kinds)
    equal(tally.status(), 1)
    equal(sorted(tally.passed), ["i", "p", "s"])
    equal(sorted(tally.skipped), ["c", "f", "q"])
    equal([name.split(":")[0] for name in tally.failed], ["r", "x", "m", "n"])
    contains(tally.failed[0], "PASS on the base, FAIL on this kernel")
    contains(tally.failed[2], "no result on this kernel")


def test_ftracetest_crash_counts():
    """ftracetest: a crash is a failure, whatever the base did"""
    for before in ("PASS", "FAIL", None):
        base = {"a": before} if before else {}
        kinds = base_results.compare(base, {"a": "CRASH"})
        equal(len(base_results.count(base, {"a": "CRASH"}, kinds).failed), 1)


def test_ftracetest_kept():
    """ftracetest: kept results are read as they were written, or refused"""
    with tempfile.TemporaryDirectory() as top:
        path = os.path.join(top, "kept")
        found = {"test.d/a.tc": "PASS", "test.d/a.tc (instance)": "FAIL"}
        with mock.patch.object(base_results, "base_version", lambda: "6.12.9-1"):
            quietly(base_results.save, path, ftracetest.HEAD, found)
        equal(base_results.load(path), ("6.12.9-1", found))
        for text in ("base 6.12\n", "PASS test.d/a.tc\n", "base 6.12\nPASS\n", ""):
            write(path, text)
            try:
                base_results.load(path)
            except SystemExit as problem:
                contains(str(problem), path)
            else:
                raise AssertionError(f"{text!r} was taken")


def play(guests, base):
    """run_tests with guests that give these (results, problem), one after the other."""
    runs = []

    def boot(tests, _name):
        runs.append(tests)
        found, problem = guests[len(runs) - 1]
        return dict(found), problem
    saved = ftracetest.run_guest, ftracetest.LOGS
    with tempfile.TemporaryDirectory() as top:
        ftracetest.run_guest, ftracetest.LOGS = boot, os.path.join(top, "logs")
        try:
            (found, problems), text = quietly(ftracetest.run_tests, ["a", "b", "c"], base)
        finally:
            ftracetest.run_guest, ftracetest.LOGS = saved
    return found, problems, runs, text


def test_ftracetest_again():
    """ftracetest: what fell short of the base runs once more, and it is said"""
    base = {"a": "PASS", "b": "PASS", "b (instance)": "PASS", "c": "FAIL"}
    first = {"a": "PASS", "b": "PASS", "b (instance)": "FAIL", "c": "FAIL"}
    second = {"b": "PASS", "b (instance)": "PASS"}
    found, problems, runs, text = play([(first, None), (second, None)], base)
    equal((found, problems), ({**first, **second}, []))
    equal(runs, [["a", "b", "c"], ["b"]])
    contains(text, "b (instance): FAIL among the others, PASS alone")
    found, problems, runs, text = play([(first, None), ({"b (instance)": "FAIL"}, "hung")], base)
    equal((found["b (instance)"], problems), ("FAIL", ["hung"]))


def test_ftracetest_no_second_chance():
    """ftracetest: a guest that crashed is not excused by a second run"""
    found, problems, runs, _text = play([({"a": "CRASH"}, "BUG: x")], {"a": "PASS", "b": "PASS"})
    equal((found, problems, len(runs)), ({"a": "CRASH"}, ["BUG: x"], 1))


def test_ftracetest_logs():
    """ftracetest: the output of each failed test is kept, and of no other, and shown"""
    with tempfile.TemporaryDirectory() as top, mock.patch.object(ftracetest, "LOGS", top):
        run_of(OUTPUT, TESTS).keep_logs("")
        equal(sorted(os.listdir(top)), ["b.tc", "b.tc-instance"])
        with open(top + "/b.tc", encoding="utf-8") as stream:
            equal(stream.read(), "ok 7 only what the test printed\n")
        run_of(["not ok 1 x", "# second"], ["test.d/e.tc"]).keep_logs(".again")
        tally = results.Tally()
        for name in ("test.d/b.tc (instance)", "test.d/e.tc", "test.d/a.tc"):
            tally.fail(name + ": PASS on the base, FAIL on this kernel")
        ftracetest.show_logs(tally)
        shown = [line for line in tally.failures() if line.startswith("   ")]
        equal(shown[0], "   | in the instance")
        equal(shown[-1], "   | second")


def test_ftracetest_progress():
    """ftracetest: each test is shown when it ends, with its number and result"""
    with mock.patch.object(ftracetest, "on_instance", lambda test: test in TESTS[:2]):
        run = ftracetest.Run(TESTS)
    _, text = quietly(lambda: [run(line) for line in OUTPUT])
    contains(text, "[6/7] PASS        test.d/a.tc (instance) (0 s)",
             "[2/7] FAIL        test.d/b.tc (0 s)", "[5/7] UNRESOLVED")


def test_ftracetest_files():
    """ftracetest: the kept results and the list of skips are sound"""
    version, base = base_results.load(ftracetest.BASELINE)
    contains(version, "6.12.")
    reasons = selftests.read_skip_list(ftracetest.SKIP_LIST)
    equal(sorted(set(reasons) & set(base)), [])
    equal(all(len(reason) > 10 for reason in reasons.values()), True)
    words = {"PASS", "FAIL", "XFAIL", "UNSUPPORTED", "UNRESOLVED", "ERROR"}
    equal(sorted(set(base.values()) - words), [])


def test_ftracetest_nothing_lost():
    """ftracetest: a guest that says nothing fails every test of the base"""
    base = {"a": "PASS", "b": "XFAIL"}
    tally = base_results.count(base, {}, base_results.compare(base, {}))
    equal((len(tally.failed), isinstance(tally, results.Tally)), (2, True))


def test_disk_is_not_written():
    """guest: a disk is a snapshot, and the guest gets more memory with it"""
    words = vm.disk("/x.ext4")
    contains(" ".join(words), "-m 1500", "file=/x.ext4", "snapshot=on")
