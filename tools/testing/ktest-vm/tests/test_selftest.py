# SPDX-License-Identifier: GPL-2.0
"""Tests of how the guest runs selftests, with a script in place of ftracetest."""

import os
import subprocess
import tempfile

import results
from harness import VM, contains, equal, write

# As ftracetest does: first all tests, then in an instance those that ask for that. What a test
# says is its result, and its log is kept if that is no success.
FTRACETEST = """#!/bin/sh
echo "$*" >>"$KTEST_TMP/calls"
unsupported=0
while [ "${1%.tc}" = "$1" ]; do
	[ "$1" != --fail-unsupported ] || unsupported=1
	[ "$1" != --logdir ] || logs=$2
	shift
done
mkdir -p "$logs"
echo "TAP version 13"
echo "1..9"
number=0
one() { # test prefix
	number=$((number + 1))
	said=$(grep -v '^#' "$1")
	[ "$said" != dies ] || exit 3
	printf '+ log of %s\\\\n\\n' "$1" >"$logs/$number-${1##*/}-log.Xy"
	case $said in
	pass) echo "ok $number $2${1##*/}" ;;
	fail) echo "not ok $number $2${1##*/}" ;;
	skip) echo "ok $number $2${1##*/} # SKIP" ;;
	esac
}
for test; do one "$test" " "; done
for test; do ! grep -q instance "$test" || one "$test" " (instance)  "; done
echo
echo "# Totals: pass:1"
"""


def play(*tests):
    """(the guest's lines, its status, how ftracetest was called), for tests as (line, text)"""
    with tempfile.TemporaryDirectory() as top:
        for line, text in tests:
            write(f"{top}/{line.split()[0]}", text + "\n")
        write(top + "/job/tests", "".join(line + "\n" for line, _ in tests))
        write(top + "/job/environment", "SEEN=1\n")
        write(top + "/ftracetest", FTRACETEST, 0o755)
        env = dict(os.environ, KTEST_JOB=top + "/job", KTEST_TMP=top, KTEST_SELFTESTS=top)
        done = subprocess.run(["sh", VM + "/guest/selftest.sh"], text=True, check=False, env=env,
                              timeout=60, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        with open(top + "/calls", encoding="utf-8") as calls:
            return done.stdout.splitlines(), done.returncode, calls.read().splitlines()


def tally(lines, *names):
    return results.tally_frames(lines, names)


def test_selftest_each_by_itself():
    """selftest: tests run in one go, and each is reported by itself, with its log if it failed"""
    lines, status, calls = play(("a.tc", "pass"), ("b.tc", "fail"), ("c.tc", "skip"))
    equal((status, len(calls)), (1, 1))
    equal([line for line in lines if line.startswith("@ktest")],
          ["@ktest test a.tc", "@ktest done 0", "@ktest test b.tc", "@ktest done 1",
           "@ktest test c.tc", "@ktest done 0"])
    found = tally(lines, "a.tc", "b.tc", "c.tc")
    equal((found.passed, found.failed, found.skipped),
          (["a.tc: a.tc"], ["b.tc: b.tc"], ["c.tc: c.tc"]))
    equal(found.reasons, {"b.tc: b.tc": ["# + log of b.tc\\n"]})
    equal(play(("a.tc", "pass"), ("c.tc", "skip"))[1], 0)


def test_selftest_options():
    """selftest: tests with options get them, and one that is unsupported may not be then"""
    lines, status, calls = play(("a.tc --fail-unsupported", "skip"), ("b.tc", "skip"),
                                ("c.tc --fail-unsupported", "pass"))
    equal((status, len(calls)), (1, 2))
    contains(" ".join(call for call in calls if "--fail-unsupported" in call), " a.tc c.tc")
    found = tally(lines, "a.tc", "b.tc", "c.tc")
    equal((found.passed, found.failed, found.skipped),
          (["c.tc: c.tc"], ["a.tc: ended with status 1"], ["b.tc: b.tc", "a.tc: a.tc"]))


def test_selftest_instance():
    """selftest: what is repeated in an instance is reported as that test's"""
    lines, status, _ = play(("a.tc", "# flags: instance\npass"), ("b.tc", "pass"))
    equal(status, 0)
    equal(tally(lines, "a.tc", "b.tc").passed,
          ["a.tc: a.tc", "b.tc: b.tc", "a.tc: (instance)  a.tc"])


def test_selftest_dies():
    """selftest: a test that takes ftracetest down did not finish, and the next did not run"""
    lines, _, _ = play(("a.tc", "pass"), ("b.tc", "dies"), ("c.tc", "pass"))
    found = tally(lines, "a.tc", "b.tc", "c.tc")
    equal(found.passed, ["a.tc: a.tc"])
    contains("\n".join(found.failed), "b.tc: did not finish", "c.tc: did not run")
