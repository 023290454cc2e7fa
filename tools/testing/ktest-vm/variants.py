# SPDX-License-Identifier: GPL-2.0
"""Variants of the configuration: which tests apply to each, and how they are run.

configs/NAME.tests says which tests apply to a variant, configs/NAME-ARCH.tests what is
different on one architecture, configs/reference.tests which apply to the reference, and
configs/ARCH.tests to all kernels of an architecture. Their lines:

  suites NAME...          the suites of test.py that run
  unsupported TEST WHY    a selftest of ours (or a pattern) that must report itself
                          as unsupported on this kernel
  skip TEST WHY           a selftest of the base that does not run: on this kernel it ends
                          unresolved, which counts as a failure
  without SUITE WHY       a suite of KUnit of ours that this kernel must not have
  environment NAME=VALUE  an environment variable for the test of the suite "load",
                          quoted as for a shell
  wants PATH              must exist in the guest (suite "boot")
  lacks PATH              must not exist there
"""

import json
import os
import subprocess
import sys
import tempfile

import results
import vm
from suites.selftests import chosen

# The variants that the suite "configs" builds and tests, the cheapest first
CONFIGS = ("sigmodule", "off", "noclones", "static", "btf", "notracer", "notracing",
           "up", "noentries", "debian")
# The suites of a variant whose file names none, or that has no file
SUITES = ("image", "kunit", "selftest")


class Plan:
    """What applies to a variant. Without suites, test.py chooses, as for the reference."""

    def __init__(self, suites):
        self.suites = suites
        self.unsupported = {}
        self.skip = {}
        self.without = {}
        self.environment = []
        self.paths = {"wants": [], "lacks": []}

    def reason(self, test):
        """Why this kernel cannot run a selftest of ours, or None."""
        return next((why for pattern, why in self.unsupported.items()
                     if chosen(test, pattern)), None)

    def take(self, word, rest):
        if word == "suites":
            self.suites = tuple(rest.split())
        elif word == "environment" and "=" in rest:
            self.environment.append(rest)
        elif word in self.paths and rest:
            self.paths[word].append(rest)
        elif word in ("unsupported", "skip", "without") and len(rest.split(None, 1)) == 2:
            pattern, reason = rest.split(None, 1)
            getattr(self, word)[pattern] = reason
        else:
            raise ValueError(f"\"{word} {rest}\" is not understood")


def read_plan(path, plan):
    """Add what a file says."""
    with open(path, encoding="utf-8") as stream:
        for number, line in enumerate(stream, 1):
            word, _, rest = line.split("#")[0].strip().partition(" ")
            try:
                if word:
                    plan.take(word, rest.strip())
            except ValueError as problem:
                raise SystemExit(f"error: {path}:{number}: {problem}") from None


def plan_of(name):
    """The plan of a variant, or of the reference, if the name is empty, on this architecture."""
    plan = Plan(SUITES if name else None)
    name = name or "reference"
    for part in (vm.ARCH, name, f"{name}-{vm.ARCH}"):
        path = os.path.join(vm.HERE, f"configs/{part}.tests")
        if os.path.exists(path):
            read_plan(path, plan)
    return plan


def script(*command, **env):
    """Run a program of this directory; whether it succeeded."""
    sys.stdout.flush()
    return subprocess.run([os.path.join(vm.HERE, command[0]), *command[1:]], check=False,
                          env={**os.environ, **env}).returncode == 0


def build(name):
    """Build a variant and its guest's root."""
    return script("deps.sh", "base", "build", "build-" + name) and \
        script("kernel/build.sh", VARIANT=name) and \
        script("rootfs/initramfs.sh", VARIANT=name)


def run(name, suite, pattern, *options):
    """Build a variant and run one suite, or all that apply, in a process of its own.

    In the Tally, the name of each test begins with the variant's."""
    tally = results.Tally()
    if not build(name):
        tally.fail(f"{name}: the variant could not be built")
        return tally
    with tempfile.TemporaryDirectory() as top:
        path = os.path.join(top, "tally")
        script("test.py", "--tally", path, *options, VARIANT=name, SUITE=suite, TEST=pattern)
        tally.merge(read_tally(name, path))
    return tally


def read_tally(name, path, label=""):
    """The results of another process, each with name, if it is not empty, in front."""
    tally = results.Tally()
    try:
        with open(path, encoding="utf-8") as stream:
            kinds = json.load(stream)
    except (OSError, ValueError):
        tally.fail(f"{label or name}: the tests broke off without a result")
        return tally
    prefix = name and name + ": "
    for kind in ("passed", "failed", "skipped"):
        setattr(tally, kind, [prefix + test for test in kinds[kind]])
    tally.reasons = {prefix + test: lines for test, lines in kinds["reasons"].items()}
    return tally


def write_tally(tally, path):
    with open(path, "w", encoding="utf-8") as out:
        json.dump({"passed": tally.passed, "failed": tally.failed,
                   "skipped": tally.skipped, "reasons": tally.reasons}, out)
