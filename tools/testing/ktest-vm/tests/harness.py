# SPDX-License-Identifier: GPL-2.0
"""What the tests of the frame share."""

import os
import subprocess
import tempfile

from series import format_patches

VM = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))

PATCH = """From: A <a@example.org>
Subject: [PATCH] change a line

Signed-off-by: A <a@example.org>
---
diff --git a/kernel/one.c b/kernel/one.c
--- a/kernel/one.c
+++ b/kernel/one.c
@@ -1,3 +1,3 @@
 first
-second
+SECOND
 third
"""

# Of a file that is ours, and one that brings ours
TWO = PATCH.replace("one.c", "two.c").replace(
    "@@ -1,3 +1,3 @@\n first\n-second\n+SECOND\n third\n", "@@ -1 +1 @@\n-base\n+bridged\n")
FILES = """From: A <a@example.org>
Subject: [PATCH] kernel: add files

Why.

Signed-off-by: A <a@example.org>
---
Files: kernel/*.c
Files: kernel/**/three.c
"""


def base():
    """Where the base is unpacked."""
    try:
        return format_patches.find_base()
    except format_patches.Problem:
        subprocess.run([os.path.join(VM, "kernel/build.sh"), "base"], check=True,
                       stdout=subprocess.DEVNULL)
        return format_patches.find_base()


def write(path, text, mode=0o644):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as stream:
        stream.write(text)
    os.chmod(path, mode)


def read(path):
    with open(path, encoding="utf-8") as stream:
        return stream.read()


def equal(got, expected):
    if got != expected:
        raise AssertionError(f"got {got!r}, expected {expected!r}")


def contains(text, *parts):
    for part in parts:
        if part not in text:
            raise AssertionError(f"{part!r} is not in {text!r}")


class Trees:
    """A repository, a base and a working tree, all tiny."""

    def __init__(self, top):
        self.repo, self.base, self.tree = (os.path.join(top, name)
                                           for name in ("repo", "base", "tree"))
        self.state = os.path.join(top, "state")
        write(self.base + "/Makefile", "VERSION = 6\nPATCHLEVEL = 12\nSUBLEVEL = 9\n")
        write(self.base + "/kernel/one.c", "first\nsecond\nthird\n")
        write(self.base + "/kernel/two.c", "base\n")
        write(self.base + "/kernel/trace/Kconfig", "")
        subprocess.run(["cp", "-a", self.base, self.tree], check=True)
        write(self.repo + "/Makefile", "ours, but the project's\n")
        write(self.repo + "/.ci/run", "")
        write(self.repo + "/tools/testing/ktest-vm/lib.sh", "")
        write(self.repo + "/kernel/two.c", "ours\n")
        write(self.repo + "/kernel/new/three.c", "new\n")
        self.add_patch("01-one.patch", PATCH)

    def add_patch(self, name, text):
        write(f"{self.repo}/patches/{name}", text)

    def run(self, program, *args, **env):
        return subprocess.run([os.path.join(VM, program), *args], text=True, check=False,
                              env=dict(os.environ, KTEST_REPO=self.repo, **env),
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)

    def sync(self):
        return self.run("kernel/overlay.py", "sync", self.base, self.tree, self.state)


def with_trees(function):
    def test():
        with tempfile.TemporaryDirectory() as top:
            function(Trees(top))
    test.__doc__ = function.__doc__
    return test


def with_one_wrong(items):
    """The items without one, with one of them twice, and with two swapped: each once."""
    for number, item in enumerate(items):
        before, behind = items[:number], items[number + 1:]
        yield (*before, *behind)
        yield (*before, item, item, *behind)
        if behind:
            yield (*before, behind[0], item, *behind[1:])
