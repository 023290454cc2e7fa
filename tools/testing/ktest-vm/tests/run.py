#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Tests of the frame itself, printed as TAP: the overlay, the mailed series,
configurations and their variants, the counting of results and their comparison with
the base's, and guests that crash, hang or say nothing. QEMU is played by small
scripts here, so they take seconds.
Arguments are parts of the names of tests to run; without any, all run."""

import os
import sys
import tempfile
import traceback

HERE = os.path.dirname(os.path.realpath(__file__))
sys.path[:0] = [HERE, os.path.dirname(HERE)]

# pylint: disable=wrong-import-position
import results  # noqa: E402
import test as frame  # noqa: E402
import test_compiled  # noqa: E402
import test_bench  # noqa: E402
import test_btf  # noqa: E402
import test_claims  # noqa: E402
import test_config  # noqa: E402
import test_constants  # noqa: E402
import test_coverage  # noqa: E402
import test_errnos  # noqa: E402
import test_figures  # noqa: E402
import test_ftracetest  # noqa: E402
import test_identical  # noqa: E402
import test_matrix  # noqa: E402
import test_parallel  # noqa: E402
import test_reboot  # noqa: E402
import test_record  # noqa: E402
import test_record_functions  # noqa: E402
import test_run  # noqa: E402
import test_selftest  # noqa: E402
import test_series  # noqa: E402
import test_settings  # noqa: E402
import test_startup  # noqa: E402
import test_stepped  # noqa: E402
import test_strace  # noqa: E402
import test_up_to_date  # noqa: E402
import test_variants  # noqa: E402
import vm  # noqa: E402
from harness import FILES, PATCH, TWO, contains, equal, read, with_trees, write  # noqa: E402

# The overlay

@with_trees
def test_sync_lays_over(trees):
    """overlay: patches and files reach the tree, project files do not"""
    equal(trees.sync().returncode, 0)
    equal(read(trees.tree + "/kernel/one.c"), "first\nSECOND\nthird\n")
    equal(read(trees.tree + "/kernel/two.c"), "ours\n")
    equal(read(trees.tree + "/kernel/new/three.c"), "new\n")
    equal(read(trees.tree + "/Makefile"), read(trees.base + "/Makefile"))
    equal(sorted(os.listdir(trees.tree)), ["Makefile", "kernel"])
    equal(read(trees.base + "/kernel/two.c"), "base\n")


@with_trees
def test_sync_keeps_times(trees):
    """overlay: a second run without a change writes nothing"""
    trees.sync()
    paths = [trees.tree + "/kernel/" + name for name in ("one.c", "two.c", "new/three.c")]
    before = [os.stat(path).st_mtime_ns for path in paths]
    contains(trees.sync().stdout, " 0 changed")
    equal([os.stat(path).st_mtime_ns for path in paths], before)


@with_trees
def test_sync_takes_back(trees):
    """overlay: what is no longer ours is the base's again, and newer"""
    trees.sync()
    os.utime(trees.base + "/kernel/two.c", (1, 1))
    os.unlink(trees.repo + "/kernel/two.c")
    os.unlink(trees.repo + "/kernel/new/three.c")
    os.unlink(trees.repo + "/patches/01-one.patch")
    equal(trees.sync().returncode, 0)
    equal(read(trees.tree + "/kernel/one.c"), read(trees.base + "/kernel/one.c"))
    equal(read(trees.tree + "/kernel/two.c"), "base\n")
    equal(os.stat(trees.tree + "/kernel/two.c").st_mtime > 1000, True)
    equal(os.path.exists(trees.tree + "/kernel/new"), False)


@with_trees
def test_sync_spares_links(trees):
    """overlay: a hard link to the base is not written through"""
    os.unlink(trees.tree + "/kernel/two.c")
    os.link(trees.base + "/kernel/two.c", trees.tree + "/kernel/two.c")
    trees.sync()
    equal(read(trees.base + "/kernel/two.c"), "base\n")
    equal(read(trees.tree + "/kernel/two.c"), "ours\n")


@with_trees
def test_bad_patch_is_named(trees):
    """overlay: a patch that does not apply is named, and its file"""
    trees.add_patch("02-bad.patch", PATCH.replace("third", "other"))
    result = trees.sync()
    equal(result.returncode != 0, True)
    contains(result.stdout, "02-bad.patch does not apply to kernel/one.c")
    equal(read(trees.tree + "/kernel/two.c"), "base\n")


@with_trees
def test_patch_names(trees):
    """overlay: what is called otherwise than a patch is refused, and a number twice"""
    for name in ("README", "01-one.patch~", ".01-one.patch.swp"):
        write(trees.repo + "/patches/" + name, "")
    equal(trees.sync().returncode, 0)
    for name, parts in (("1-two.patch", ["patches/1-two.patch", "NN-name.patch"]),
                        ("two.diff", ["patches/two.diff", "NN-name.patch"]),
                        ("01-two.patch", ["number 01", "01-one.patch", "01-two.patch"])):
        trees.add_patch(name, PATCH)
        result = trees.sync()
        equal(result.returncode != 0, True)
        contains(result.stdout, *parts)
        os.unlink(f"{trees.repo}/patches/{name}")


@with_trees
def test_patch_of_ours_is_refused(trees):
    """overlay: a patch to a file that is ours is refused"""
    trees.add_patch("02-two.patch", TWO)
    result = trees.sync()
    equal(result.returncode != 0, True)
    contains(result.stdout, "02-two.patch", "kernel/two.c", "no later patch")
    os.rename(trees.repo + "/patches/02-two.patch", trees.repo + "/patches/03-two.patch")
    trees.add_patch("02-files.patch", FILES)
    contains(trees.sync().stdout, "03-two.patch", "kernel/two.c", "no later patch")


@with_trees
def test_patch_before_ours(trees):
    """overlay: nothing is left of a patch to a file that a later one replaces by ours"""
    trees.add_patch("02-two.patch", TWO)
    trees.add_patch("03-files.patch", FILES)
    result = trees.sync()
    equal((result.stdout, result.returncode)[1], 0)
    equal(read(trees.tree + "/kernel/two.c"), "ours\n")
    write(trees.base + "/kernel/two.c", "other\n")
    contains(trees.sync().stdout, "02-two.patch does not apply to kernel/two.c")


@with_trees
def test_patch_of_nothing(trees):
    """overlay: a patch without hunks and without files is refused"""
    trees.add_patch("02-none.patch", PATCH.partition("diff ")[0])
    contains(trees.sync().stdout, "02-none.patch", "changes no file", "brings none")


@with_trees
def test_apply(trees):
    """apply: changes a tree once, and refuses the second time"""
    result = trees.run("kernel/apply.sh", KDIR=trees.tree)
    equal((result.stdout, result.returncode)[1], 0)
    equal(read(trees.tree + "/kernel/one.c"), "first\nSECOND\nthird\n")
    result = trees.run("kernel/apply.sh", KDIR=trees.tree)
    equal(result.returncode != 0, True)
    contains(result.stdout, "already has our files")


@with_trees
def test_apply_refuses_half(trees):
    """apply: refuses a tree with some of our files, or one that does not fit"""
    write(trees.tree + "/kernel/new/three.c", "new\n")
    result = trees.run("kernel/apply.sh", KDIR=trees.tree)
    equal(result.returncode != 0, True)
    contains(result.stdout, "kernel/new/three.c", "half applied")
    os.unlink(trees.tree + "/kernel/new/three.c")
    write(trees.tree + "/kernel/one.c", "first\nSECOND\nthird\n")
    result = trees.run("kernel/apply.sh", KDIR=trees.tree)
    equal(result.returncode != 0, True)
    contains(result.stdout, "01-one.patch", "already has this patch")
    equal(read(trees.tree + "/kernel/two.c"), "base\n")


@with_trees
def test_apply_checks_version(trees):
    """apply: refuses another version, and what is no kernel"""
    write(trees.tree + "/Makefile", "VERSION = 6\nPATCHLEVEL = 11\nSUBLEVEL = 0\n")
    result = trees.run("kernel/apply.sh", KDIR=trees.tree)
    equal(result.returncode != 0, True)
    contains(result.stdout, "6.11.0")
    result = trees.run("kernel/apply.sh", KDIR=trees.repo)
    equal(result.returncode != 0, True)
    contains(result.stdout, "no kernel source tree")


# Counting

def count(text, indent=0):
    tally = results.parse_tap(text.split("\n"), "t", indent)
    return len(tally.passed), len(tally.failed), len(tally.skipped)


def test_tap_counts():
    """results: passes, failures, skips and expected failures are told apart"""
    equal(count("1..4\nok 1 - a\nnot ok 2 b\nok 3 c # SKIP why\nnot ok 4 d # XFAIL\n"),
          (1, 1, 2))
    equal(count("KTAP version 1\n1..1\n    1..2\n    ok 1 a\n        ok 1 deeper\n"
                "    not ok 2 b\nnot ok 1 suite\n", 4), (1, 1, 0))


def test_tap_incomplete():
    """results: no plan, no output or too few results are failures"""
    equal(count("ok 1 a\n"), (1, 1, 0))
    equal(count(""), (0, 1, 0))
    equal(count("1..3\nok 1 a\n"), (1, 1, 0))


def test_nothing_ran():
    """results: nothing that ran is a failure, and so are skips alone"""
    equal(results.Tally().status(), 1)
    tally = results.parse_tap(["1..1", "ok 1 a # SKIP"], "t")
    equal((tally.status(), tally.summary()), (1, "0 passed, 0 failed, 1 skipped"))
    tally = results.parse_tap(["1..1", "ok 1 a"], "t")
    equal((tally.status(), tally.summary()), (0, "1 passed, 0 failed"))


def test_frames():
    """results: a test that did not finish, or did not run, has failed"""
    lines = ["@ktest test one", "1..1", "ok 1 a", "@ktest done 0",
             "@ktest test two", "1..1", "ok 1 b"]
    tally = results.tally_frames(lines, ["one", "two", "three"])
    equal(len(tally.passed), 2)
    equal(tally.failed, ["two: did not finish", "three: did not run"])
    tally = results.tally_frames(["@ktest test one", "1..1", "ok 1 a", "@ktest done 3"], [])
    equal(tally.failed, ["one: ended with status 3"])
    tally = results.tally_frames(["@ktest test one", "1..1", "    1..1", "    ok 1 a",
                                  "not ok 1 one", "@ktest done 0"], [], 4)
    equal((len(tally.passed), len(tally.failed)), (1, 1))


def test_reasons():
    """results: a failed test's comments, and a splat's lines, are told at the end"""
    tally = results.tally_frames(["@ktest test one", "1..3", "ok 1 a", "# of a", "not ok 2 b",
                                  "# of b", "  # more", "ok 3 c", "# of c", "@ktest done 1"], [])
    tally.fail("guest: WARNING\nat x.c")
    whole = results.Tally()
    whole.merge(tally)
    equal(whole.failures(), ["FAILED one: b", "   | # of b", "   | # more",
                             "FAILED guest: WARNING", "   | at x.c"])
    equal(whole.failed, ["one: b", "guest: WARNING"])
    whole.explain("one: b", ["last"] * results.REASONS)
    equal(whole.failures()[1:-2], ["   | last"] * results.REASONS)


# Guests, played by a shell script that gets QEMU's arguments

FAKE_QEMU = """#!/bin/bash
for word in "$@"; do
    case $word in
    file,id=console,path=*) console=${word##*path=} ;;
    file,id=results,path=*) results=${word##*path=} ;;
    esac
done
"""


def play(script, timeout=20, idle=20):
    """The Outcome of a guest that does what script says."""
    with tempfile.TemporaryDirectory() as top:
        saved = vm.LOGS, vm.QEMU, vm.INITRAMFS
        vm.LOGS, vm.QEMU, vm.INITRAMFS = top + "/logs", top + "/qemu", top + "/root"
        write(vm.QEMU, FAKE_QEMU + script, 0o755)
        write(vm.INITRAMFS, "")
        try:
            return vm.boot({"mode": "none\n"}, name="fake", timeout=timeout, idle=idle)
        finally:
            vm.LOGS, vm.QEMU, vm.INITRAMFS = saved


def test_only_the_base_is_tried_again():
    """a failed test of the base's is tried again, ours and a dead guest's are not"""
    tests = ["base.tc", "other.tc", "ours.tc"]
    tally = results.Tally()
    tally.failed = ["base.tc: (instance) a: b"]
    equal(frame.failed_of_the_base(tally, tests, {"ours.tc"}), ["base.tc"])
    tally.failed.append("ours.tc: x")
    equal(frame.failed_of_the_base(tally, tests, {"ours.tc"}), ["base.tc"])
    tally.failed.append("selftest: the guest's kernel reported an oops")
    equal(frame.failed_of_the_base(tally, tests, {"ours.tc"}), [])


def test_guest_good():
    """guest: a good end has a status and no problem"""
    outcome = play('echo "[    1.0] Linux says hello" >$console\n'
                   'printf "a line\\n@ktest exit 0\\n" >$results')
    equal((outcome.status, outcome.problem(), outcome.lines), (0, None, ["a line"]))


def test_guest_silent_end():
    """guest: an end without a result is a problem"""
    equal(play("exit 0").problem(), "the guest ended without a result")


def test_guest_crash():
    """guest: an oops, a warning and a lockdep report are found after success too"""
    for text in ("BUG: kernel NULL pointer dereference, address: 0",
                 "WARNING: CPU: 0 PID: 1 at kernel/trace/x.c:1",
                 "WARNING: possible circular locking dependency detected",
                 "Kernel panic - not syncing: x", "Oops: 0002 [#1]"):
        outcome = play(f'echo "[    2.123456] {text}" >$console\n'
                       'echo "@ktest exit 0" >$results')
        contains(outcome.problem() or "", text)
        contains("\n".join(outcome.excerpt()), text)
        contains(outcome.told(), text)
    outcome = play('echo "[    0.1] Spectre V2 : WARNING: no harm" >$console\n'
                   'echo "@ktest exit 0" >$results')
    equal(outcome.problem(), None)


def test_guest_told():
    """guest: what is told of a splat has its place and its callers, not its registers"""
    splat = ["------------[ cut here ]------------", "WARNING: CPU: 1 PID: 2 at a.c:3 f+0x1/0x2",
             "Modules linked in: m", "CPU: 1 UID: 0 PID: 2 Comm: c", "EIP: f+0x1/0x2",
             "Code: 00 00", "EAX: 00000000 EBX: 00000000", "DS: 007b ES: 007b FS: 00d8",
             "CR0: 80050033", "RSP: 0018:0", "R10: 0", "Call Trace:", " ? stale+0x1/0x2",
             " g+0x1/0x2"]
    lines = "\n".join("[    2.123456] " + line for line in splat)
    outcome = play(f"echo '{lines}' >$console; echo '@ktest exit 0' >$results")
    told = [line.partition("] ")[2] for line in outcome.told().splitlines()[1:]]
    equal(told, [splat[i] for i in (0, 1, 3, 4, 11, 13)])


def test_guest_hang():
    """guest: silence and a run without end are stopped and reported"""
    outcome = play('echo "[    1.0] last words" >$console; exec sleep 60', idle=1)
    equal(outcome.problem(), "the guest was silent for 1 s")
    equal(outcome.excerpt(), ["[    1.0] last words"])
    outcome = play("while sleep 0.1; do echo more >>$console; done", timeout=2)
    equal(outcome.problem(), "the guest was still running after 2 s")


def tests():
    found = dict(globals())
    for module in (test_compiled, test_bench, test_btf, test_claims, test_config,
                   test_constants, test_coverage, test_errnos, test_figures, test_ftracetest,
                   test_identical, test_matrix, test_parallel, test_reboot, test_record,
                   test_record_functions, test_run, test_selftest, test_series, test_settings,
                   test_startup, test_stepped, test_strace, test_up_to_date,
                   test_variants):
        found.update(vars(module))
    return [(name, value) for name, value in found.items()
            if name.startswith("test_") and callable(value)
            and (not sys.argv[1:] or any(part in name for part in sys.argv[1:]))]


def main():
    failed = 0
    chosen = tests()
    print(f"TAP version 13\n1..{len(chosen)}")
    for number, (name, function) in enumerate(chosen, 1):
        try:
            function()
            verdict = "ok"
        except (Exception, SystemExit):  # pylint: disable=broad-except
            failed += 1
            verdict = "not ok"
            print("\n".join("# " + line for line in traceback.format_exc().split("\n")))
        print(f"{verdict} {number} - {function.__doc__ or name}", flush=True)
    return 1 if failed or not chosen else 0


if __name__ == "__main__":
    sys.exit(main())
