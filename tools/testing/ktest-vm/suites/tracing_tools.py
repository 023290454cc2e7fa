# SPDX-License-Identifier: GPL-2.0
"""Check what perf and trace-cmd show of this kernel, in the Debian guest.

test.py runs this within its suite "ftracetest", on our kernel. As a program, it
runs those checks that say something of every kernel on the one in KTEST_BUILD:
where the unmodified base fails one, the check is wrong. guest/tools.sh lists them.
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


def names():
    with open(LIST, encoding="utf-8") as stream:
        return re.findall(r"^(?:any|ours) (\w+)$", stream.read(), re.MULTILINE)


def choose(pattern):
    """The checks that TEST means; "tools" is all of them."""
    if selftests.chosen("tools", pattern):
        return names()
    return [name for name in names() if selftests.chosen(name, pattern)]


def job(checks):
    """On our kernel, none of the checks may be left out."""
    return {"mode": "tools\n", "disk": "", "ours": "",
            "checks": "".join(name + "\n" for name in checks)}


def main():
    """On a kernel that need not be ours."""
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
