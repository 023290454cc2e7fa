# SPDX-License-Identifier: GPL-2.0
"""Count what tests report: TAP, KTAP, and guests that never finished."""

import re

RESULT = re.compile(r"^( *)(ok|not ok)(?: +(\d+))?(?: +-)?(?: +([^#]*?))? *(?:# *(.*))?$")
PLAN = re.compile(r"^( *)1\.\.(\d+)\s*(?:# *(.*))?$")

# How many lines of a failed test are shown at the end
REASONS = 20


class Tally:
    """The names of tests by their result, and for failed ones the lines that show why."""

    def __init__(self):
        self.passed = []
        self.failed = []
        self.skipped = []
        self.reasons = {}

    def add(self, name, ok, skip=False):
        (self.skipped if skip else self.passed if ok else self.failed).append(name)

    def fail(self, text):
        """Add a failure: the first line is its name, the others show why."""
        name, *reasons = text.split("\n")
        self.failed.append(name)
        self.explain(name, reasons)

    def explain(self, name, reasons):
        if reasons:
            self.reasons.setdefault(name, []).extend(reasons)

    def merge(self, other):
        self.passed += other.passed
        self.failed += other.failed
        self.skipped += other.skipped
        for name, reasons in other.reasons.items():
            self.explain(name, reasons)

    def ran(self):
        return len(self.passed) + len(self.failed)

    def summary(self):
        text = f"{len(self.passed)} passed, {len(self.failed)} failed"
        return text + (f", {len(self.skipped)} skipped" if self.skipped else "")

    def failures(self):
        """Lines for the end of the output, of which a long run may keep nothing else."""
        lines = []
        for name in self.failed:
            lines.append("FAILED " + name)
            lines += ["   | " + line for line in self.reasons.get(name, [])[-REASONS:]]
        return lines

    def status(self):
        """An exit status: a run without any test is not a success."""
        return 0 if self.passed and not self.failed else 1


def parse_tap(lines, prefix, indent=0):
    """A Tally of one TAP stream's results at one depth of indentation.

    A stream without a plan, or with fewer results than planned, is incomplete, which
    counts as one more failure.
    """
    tally = Tally()
    planned = None
    failed = None   # the test whose comments follow
    for line in lines:
        plan = PLAN.match(line)
        if plan and len(plan.group(1)) == indent:
            planned = int(plan.group(2))
            if planned == 0 and (plan.group(3) or "").lower().startswith("skip"):
                tally.add(prefix, True, skip=True)
        result = RESULT.match(line)
        if result and len(result.group(1)) == indent:
            failed = take_result(tally, prefix, result)
        elif failed and line.lstrip().startswith("#"):
            tally.explain(failed, [line.strip()])
        else:
            failed = None
    check_plan(tally, prefix, planned)
    return tally


def take_result(tally, prefix, result):
    """Add it, and return its name if it failed."""
    _, verdict, number, name, directive = result.groups()
    directive = (directive or "").upper()
    # A test that was expected to fail, and did, counts as skipped
    excused = directive.startswith("SKIP") or \
        (directive.startswith(("TODO", "XFAIL")) and verdict != "ok")
    name = f"{prefix}: {(name or '').strip() or number}"
    tally.add(name, verdict == "ok", excused)
    return None if excused or verdict == "ok" else name


def check_plan(tally, prefix, planned):
    count = tally.ran() + len(tally.skipped)
    if planned is None:
        tally.fail(f"{prefix}: no plan (\"1..N\") in its output")
    elif planned and count != planned:
        tally.fail(f"{prefix}: {planned} results planned, {count} given")


def split_frames(lines):
    """Cut a guest's output at its "@ktest test NAME" lines.

    Returns (name, lines, status) for each test; status is None if there was no
    "@ktest done STATUS", because the guest crashed in the test.
    """
    frames = []
    for line in lines:
        start = re.match(r"@ktest test (.*)$", line)
        done = re.match(r"@ktest done (\d+)$", line)
        if start:
            frames.append([start.group(1), [], None])
        elif done and frames:
            frames[-1][2] = int(done.group(1))
        elif frames:
            frames[-1][1].append(line)
    return frames


def tally_frames(lines, expected, indent=0):
    """Count the framed tests; each expected one must have run to its end."""
    tally = Tally()
    seen = set()
    for name, output, status in split_frames(lines):
        seen.add(name)
        one = parse_tap(output, name, indent)
        if status is None:
            one.fail(f"{name}: did not finish")
        elif status and not one.failed:
            one.fail(f"{name}: ended with status {status}")
        elif indent and not one.failed and \
                any(line.startswith("not ok ") for line in output):
            one.fail(f"{name}: failed as a whole, though each of its tests passed")
        tally.merge(one)
    for name in expected:
        if name not in seen:
            tally.fail(f"{name}: did not run")
    return tally
