# SPDX-License-Identifier: GPL-2.0
"""Check the output of perf and trace-cmd, in the Debian guest.

The suite "ftracetest" of test.py runs all checks on our kernel. As a program, this
module runs those that are for any kernel on the one in KTEST_BUILD: if the unmodified
base fails a check, the check is wrong. guest/tools.sh lists them.
"""

import os
import re
import sys

import results
import vm
from suites import selftests

LIST = os.path.join(vm.HERE, "guest/tools.sh")
DISK = os.path.join(vm.GUEST, "debian.ext4")
APPEND = "kunit.enable=0 oops=panic"
# 32-bit programs on a 64-bit kernel: the architecture of the programs, and their disk
COMPAT = {"x86_64": "i386"}.get(vm.ARCH)
COMPAT_DISK = os.path.join(vm.GUEST, f"debian-{COMPAT}.ext4")
COMPAT_NAME = "tools-compat"


def names():
    with open(LIST, encoding="utf-8") as stream:
        return re.findall(r"^(?:any|ours) (\w+)$", stream.read(), re.MULTILINE)


def choose(pattern):
    """The checks that TEST means; "tools" is all of them."""
    if selftests.chosen("tools", pattern):
        return names()
    return [name for name in names() if selftests.chosen(name, pattern)]


def compat(checks):
    """Those of the checks that are run with 32-bit programs as well."""
    return [name for name in checks if COMPAT and name.startswith("syscalls_")]


def compat_job(checks):
    return {**job(checks), "name": COMPAT_NAME}


def job(checks):
    """The guest's job. On our kernel, no check may skip itself (the file "ours")."""
    return {"mode": "tools\n", "disk": "", "ours": "",
            "checks": "".join(name + "\n" for name in checks)}


def main():
    """Run the checks on a kernel that may be the base's."""
    plain = {name: text for name, text in job(names()).items() if name != "ours"}
    outcome = vm.boot(plain, APPEND, "tools", 1800, on_line=lambda line: print(f"   {line}"),
                      devices=vm.disk(DISK))
    tally = results.tally_frames(outcome.lines, ["tools"], 0)
    if outcome.problem():
        tally.fail(outcome.problem())
    print(f"== tools: {tally.summary()}")
    return tally.status()


if __name__ == "__main__":
    sys.exit(main())
