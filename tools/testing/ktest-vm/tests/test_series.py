# SPDX-License-Identifier: GPL-2.0
"""Tests of the mailed series: its making from small trees, and what is made of
this repository, taken in by git am and read by checkpatch.pl."""

import concurrent.futures
import glob
import os
import re
import shutil
import subprocess
import tempfile

from kernel import overlay
from series import format_patches
from harness import PATCH, VM, base, contains, equal, read, with_trees, write

ALLOWED = os.path.join(VM, "configs/checkpatch.allow")
SIGNED = "\n\nWhy.\n\nSigned-off-by: A <a@example.org>\n"
COVER = """From: A <a@example.org>
Date: Fri, 20 Nov 2026 07:00:00 +0000

all of it

Why all of it.
"""
BRIDGE = PATCH.replace("one.c", "two.c").replace(
    "@@ -1,3 +1,3 @@\n first\n-second\n+SECOND\n third\n", "@@ -1 +1 @@\n-base\n+bridged\n")
REMOVAL = """From: A <a@example.org>
Subject: [PATCH] kernel: remove four

Why.

Signed-off-by: A <a@example.org>
---
diff --git a/kernel/four.c b/kernel/four.c
deleted file mode 100644
--- a/kernel/four.c
+++ /dev/null
@@ -1 +0,0 @@
-four
"""


class Git:
    """A repository that git am can be tried in, without the user's settings."""

    def __init__(self, top):
        self.top = top
        self.env = {key: value for key, value in os.environ.items()
                    if not key.startswith("GIT_")}
        self.env.update(GIT_CONFIG_GLOBAL=os.devnull, GIT_CONFIG_SYSTEM=os.devnull)
        for part in ("AUTHOR", "COMMITTER"):
            self.env.update({f"GIT_{part}_NAME": "T", f"GIT_{part}_EMAIL": "t@example.org"})
        self("init", "-q")
        self("add", "-A", "-f")
        self("commit", "-q", "--allow-empty", "-m", "pristine")

    def __call__(self, *arguments):
        result = subprocess.run(["git", *arguments], cwd=self.top, env=self.env, text=True,
                                check=False, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        if result.returncode:
            raise AssertionError(f"git {arguments[0]}: {result.stdout}")
        return result.stdout


def mails_in(directory):
    return sorted(glob.glob(os.path.join(directory, "*.patch")))


def take_in(pristine, mails):
    """Make a repository of pristine and have git am take in the mails."""
    git = Git(pristine)
    git("am", "-q", "--empty=drop", *mails)
    equal(git("status", "--porcelain"), "")
    return git


def tree_of(top):
    """Every file below top with its content and whether it can be executed."""
    files = {}
    for directory, names, found in os.walk(top):
        names[:] = [name for name in names if name != ".git"]
        for name in found:
            path = os.path.join(directory, name)
            with open(path, "rb") as stream:
                files[os.path.relpath(path, top)] = (stream.read(), os.access(path, os.X_OK))
    return files


def same_trees(got, expected):
    got, expected = tree_of(got), tree_of(expected)
    different = [path for path in sorted(set(got) | set(expected))
                 if got.get(path) != expected.get(path)]
    equal(different, [])


# Small trees

def with_steps(function):
    """As with_trees, with steps for all that is in them."""
    def prepare(trees):
        steps = trees.repo + "/patches/steps/"
        shutil.copytree(trees.base, trees.base + ".pristine")
        write(trees.repo + "/patches/0001-one.patch",
              PATCH.replace("] change a line\n", "] kernel: change a line\n\nWhy.\n"))
        write(steps + "cover-letter", COVER)
        write(steps + "bench-table", "# of this version\ncall  12 instructions\n")
        write(steps + "01-one", "# why\nPatch: 0001-one.patch\nBridge: two.bridge\n")
        write(steps + "two.bridge", BRIDGE)
        write(steps + "02-files", "Files: kernel/*.c\nFiles: kernel/**/three.c\n\n"
              "kernel: add files" + SIGNED)
        trees.steps = steps
        trees.mails = os.path.dirname(trees.repo) + "/mails"
        trees.make = lambda: trees.run("module.sh", "series.format_patches",
                                       trees.base, trees.mails)
        function(trees)
    test = with_trees(prepare)
    test.__doc__ = function.__doc__
    return test


def refuses(trees, *parts):
    result = trees.make()
    equal(result.returncode, 1)
    contains(result.stdout, "series: error: ", *parts)
    equal(os.path.exists(trees.mails), False)


@with_steps
def test_series_small(trees):
    """series: git am makes of the base what the kernel is built from"""
    write(trees.base + "/kernel/four.c", "four\n")
    write(trees.tree + "/kernel/four.c", "four\n")
    trees.add_patch("0002-four.patch", REMOVAL)
    write(trees.steps + "03-four", "Patch: 0002-four.patch\n")
    write(trees.repo + "/kernel/new/three.c", "#!/bin/sh\nno end of line", 0o755)
    result = trees.make()
    equal((result.returncode, result.stdout)[0], 0)
    equal([os.path.basename(path) for path in mails_in(trees.mails)],
          ["0000-cover-letter.patch", "0001-kernel-change-a-line.patch",
           "0002-kernel-add-files.patch", "0003-kernel-remove-four.patch"])
    equal(trees.sync().returncode, 0)
    git = take_in(trees.base, mails_in(trees.mails))
    same_trees(trees.base, trees.tree)
    equal(git("show", "HEAD~2:kernel/two.c"), "bridged\n")
    equal(git("log", "-1", "--format=%B%an %ae", "HEAD~1").rstrip("\n"),
          "kernel: add files" + SIGNED + "A a@example.org")
    contains(read(trees.mails + "/0000-cover-letter.patch"), "[PATCH 0/3] all of it",
             "Why all of it.\n\ncall  12 instructions\n\n", "2. kernel: add files",
             "4 files changed")


@with_steps
def test_series_same_twice(trees):
    """series: the same tree gives the same mails"""
    mails = []
    for _ in range(2):
        equal(trees.make().returncode, 0)
        mails.append(tree_of(trees.mails))
    equal(mails[0], mails[1])


@with_steps
def test_series_unlisted_file(trees):
    """series: a file of ours in no step is an error, and in two steps"""
    write(trees.repo + "/kernel/new/other.c", "")
    refuses(trees, "kernel/new/other.c", "in no step")
    write(trees.steps + "03-other", "Files: kernel/new/*\n\nkernel: other" + SIGNED)
    refuses(trees, "kernel/new/three.c", "in two steps", "02-files", "03-other")


@with_steps
def test_series_unknown_path(trees):
    """series: a step that names what is not there is an error"""
    write(trees.steps + "03-none", "Files: kernel/none.c\n\nkernel: none" + SIGNED)
    refuses(trees, "03-none", "kernel/none.c")
    write(trees.steps + "03-none", "Patch: none.patch\n")
    refuses(trees, "03-none", "none.patch", "not in patches/series")
    write(trees.steps + "03-none", "Paths: kernel/one.c\n\nkernel: none" + SIGNED)
    refuses(trees, "03-none", "Paths: kernel/one.c")


@with_steps
def test_series_patches(trees):
    """series: each patch is in one step and fits there"""
    write(trees.steps + "03-again", "Patch: 0001-one.patch\n")
    refuses(trees, "0001-one.patch is in two steps")
    os.unlink(trees.steps + "03-again")
    trees.add_patch("0002-bad.patch", PATCH.replace("] change", "] kernel: change"))
    refuses(trees, "0002-bad.patch is in no step")
    write(trees.steps + "03-bad", "Patch: 0002-bad.patch\n\nkernel: bad" + SIGNED)
    refuses(trees, "step 03-bad", "0002-bad.patch does not apply to kernel/one.c")


@with_steps
def test_series_bridges(trees):
    """series: a bridge leads to a file that a later step replaces"""
    os.rename(trees.steps + "02-files", trees.steps + "00-files")
    refuses(trees, "two.bridge changes kernel/two.c")
    os.unlink(trees.steps + "two.bridge")
    refuses(trees, "two.bridge", "not in patches/steps")


@with_steps
def test_series_messages(trees):
    """series: a message that git am would not give back is an error"""
    for message, part in (("", "no message"), ("kernel: x", "not subject, empty line, body"),
                          ("no place" + SIGNED, "\"no place\""),
                          ("kernel: x\n\nWhy.", "Signed-off-by"),
                          ("kernel: x\n\n---" + SIGNED, "\"---\"")):
        write(trees.steps + "02-files", "Files: kernel/*.c\nFiles: kernel/new/*\n\n" + message)
        refuses(trees, "02-files", part)


# This repository

def make_series(top):
    directory = os.path.join(top, "mails")
    result = subprocess.run([os.path.join(VM, "module.sh"), "series.format_patches", base(),
                             directory], text=True, stdout=subprocess.PIPE,
                            stderr=subprocess.STDOUT, check=False)
    equal((result.returncode, result.stdout[:result.returncode * 2000]), (0, ""))
    return mails_in(directory)


def old_paths(mails):
    """The paths that mails want to be there, and no earlier mail makes."""
    made, wanted = set(), set()
    for mail in mails:
        text = read(mail)
        wanted |= set(re.findall(r"(?m)^--- a/(\S+)$", text)) - made
        made |= {path for old, path in re.findall(r"(?m)^--- (\S+)\n\+\+\+ b/(\S+)$", text)
                 if old == "/dev/null"}
    return wanted


def test_series_of_this_tree():
    """series: git am makes of the pristine base exactly our tree"""
    with tempfile.TemporaryDirectory() as top:
        mails = make_series(top)
        trees = [os.path.join(top, name) for name in ("pristine", "base", "tree")]
        wanted = old_paths(mails)
        for tree in trees:
            for path in wanted:
                overlay.replace(tree, path, os.path.join(base(), path))
        subprocess.run([os.path.join(VM, "kernel/overlay.py"), "sync", *trees[1:], top + "/state"],
                       check=True, stdout=subprocess.DEVNULL)
        git = take_in(trees[0], mails)
        equal(len(tree_of(trees[2])) >= len(overlay.overlay_files()) > 0, True)
        same_trees(trees[0], trees[2])
        equal(int(git("rev-list", "--count", "HEAD~1")), len(mails) - 1)


def allowed():
    """The lines of configs/checkpatch.allow: type, pattern, reason."""
    for line in read(ALLOWED).splitlines():
        if line and not line.startswith("#"):
            words = line.split(None, 2)
            equal((len(words), line), (3, line))
            yield words[0], format_patches.pattern(words[1]), line


def checkpatch(mail):
    """What checkpatch finds in a mail: file, severity, type and text."""
    command = ["perl", os.path.join(base(), "scripts/checkpatch.pl"), "--no-tree", "--strict",
               "--terse", "--showfile", "--show-types", "--no-summary", mail]
    result = subprocess.run(command, text=True, check=False, stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE)
    findings = [re.match(r"(\S*?):?(?:\d+: )?(ERROR|WARNING|CHECK):(\w+): (.*)", line)
                for line in result.stdout.splitlines() if line.strip()]
    if None in findings or bool(result.returncode) != bool(findings):
        raise AssertionError(f"checkpatch: {result.stdout}{result.stderr}")
    return [found.groups() for found in findings]


def test_series_checkpatch():
    """series: checkpatch finds no error or warning that is not explained"""
    rules = list(allowed())
    used, bad = set(), []
    with tempfile.TemporaryDirectory() as top, \
            concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        mails = make_series(top)[1:]
        for mail, findings in zip(mails, pool.map(checkpatch, mails)):
            for path, severity, kind, text in findings:
                matching = {line for name, expression, line in rules
                            if name == kind and expression.fullmatch(path)}
                if severity == "CHECK":
                    continue
                used |= matching
                if not matching:
                    bad.append(f"{os.path.basename(mail)}: {path}: {severity}: {kind}: {text}")
    equal(bad, [])
    equal([line for _, _, line in rules if line not in used], [])
