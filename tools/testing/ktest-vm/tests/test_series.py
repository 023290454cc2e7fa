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
from harness import FILES, PATCH, TWO, VM, base, contains, equal, read, with_trees, write

ALLOWED = os.path.join(VM, "configs/checkpatch.allow")
SIGNED = "\n\nWhy.\n\nSigned-off-by: A <a@example.org>\n"
COVER = """From: A <a@example.org>
Date: Fri, 20 Nov 2026 07:00:00 +0000

all of it

Why all of it.
"""
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

HEAD = "From: A <a@example.org>\nSubject: [PATCH] "


def with_series(function):
    """As with_trees, with patches for all that is in them."""
    def prepare(trees):
        patches = trees.repo + "/patches/"
        shutil.copytree(trees.base, trees.base + ".pristine")
        one = PATCH.replace("] change a line\n", "] kernel: change a line\n\nWhy.\n")
        two = TWO[TWO.index("diff "):]
        write(patches + "cover-letter", "# why\n" + COVER)
        write(patches + "bench-table", "# of this version\ncall  12 instructions\n")
        write(patches + "README", "what a patch is\n")
        write(patches + "01-one.patch", one + two)
        write(patches + "02-files.patch", FILES)
        trees.patches = patches
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


@with_series
def test_series_small(trees):
    """series: git am makes of the base what the kernel is built from"""
    write(trees.base + "/kernel/four.c", "four\n")
    write(trees.tree + "/kernel/four.c", "four\n")
    trees.add_patch("03-four.patch", REMOVAL)
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


@with_series
def test_series_same_twice(trees):
    """series: the same tree gives the same mails"""
    mails = []
    for _ in range(2):
        equal(trees.make().returncode, 0)
        mails.append(tree_of(trees.mails))
    equal(mails[0], mails[1])


@with_series
def test_series_diffstat(trees):
    """series: what git format-patch writes is a patch, and with files as well"""
    one = read(trees.patches + "01-one.patch")
    write(trees.patches + "01-one.patch", one.replace(
        "---\ndiff", "---\n kernel/one.c | 2 +-\n 1 file changed\n\ndiff", 1) + "-- \n2.39.5\n")
    write(trees.patches + "03-more.patch", HEAD + "kernel: more" + SIGNED
          + "---\nFiles: kernel/more.c\n\n" + REMOVAL[REMOVAL.index("diff "):])
    write(trees.repo + "/kernel/more.c", "more\n")
    write(trees.patches + "02-files.patch", FILES.replace("kernel/*.c", "kernel/two.c"))
    write(trees.base + "/kernel/four.c", "four\n")
    result = trees.make()
    equal((result.returncode, result.stdout)[0], 0)
    git = take_in(trees.base, mails_in(trees.mails))
    equal(git("show", "--format=", "--name-status", "HEAD"),
          "D\tkernel/four.c\nA\tkernel/more.c\n")


@with_series
def test_series_unlisted_file(trees):
    """series: a file of ours in no patch is an error, and in two patches"""
    write(trees.repo + "/kernel/new/other.c", "")
    refuses(trees, "kernel/new/other.c", "in no patch")
    write(trees.patches + "03-other.patch",
          HEAD + "kernel: other" + SIGNED + "---\nFiles: kernel/new/*\n")
    refuses(trees, "kernel/new/three.c", "in two patches", "02-files", "03-other")


@with_series
def test_series_unknown_path(trees):
    """series: a patch that names what is not there is an error"""
    head = HEAD + "kernel: none" + SIGNED + "---\n"
    write(trees.patches + "03-none.patch", head + "Files: kernel/none.c\n")
    refuses(trees, "03-none", "kernel/none.c is no file of ours")
    write(trees.patches + "03-none.patch", head)
    refuses(trees, "03-none", "changes no file")
    for line in ("Paths: kernel/one.c", "Files: kernel/two.c kernel/one.c", "Files:"):
        write(trees.patches + "03-none.patch", head + line + "\n" + PATCH[PATCH.index("diff "):])
        refuses(trees, "03-none", f"\"{line}\" is not \"Files: GLOB\"")


@with_series
def test_series_overlooked(trees):
    """series: what would be overlooked in a patch is an error"""
    write(trees.repo + "/drivers/more.c", "more\n")
    hunk = TWO[TWO.index("diff "):].replace("two.c", "trace/Kconfig").replace(
        "@@ -1 +1 @@\n-base", "@@ -0,0 +1 @@")
    head, line = HEAD + "kernel: more" + SIGNED + "---\n", "Files: drivers/more.c\n"
    for text, part in ((head + hunk + line, "\"Files: drivers/more.c\" is not between"),
                       (head.replace("Why.\n", line) + hunk, "is not between"),
                       (head + " " + line + hunk, "\" Files: drivers/more.c\" is not"),
                       (head + line * 2 + hunk, "two lines Files: name drivers/more.c"),
                       ((head + line).replace("\n", "\r\n"), "has carriage returns"),
                       (head + line + hunk.replace("bridged", "bridged\r"), "has carriage returns"),
                       (head + line + hunk + hunk.replace("/trace/K", "/my k"),
                        "\"diff --git a/kernel/my kconfig b/kernel/my kconfig\" is not")):
        with open(trees.patches + "03-more.patch", "w", encoding="utf-8", newline="") as stream:
            stream.write(text)
        refuses(trees, "03-more.patch", part)
    os.unlink(trees.patches + "03-more.patch")
    os.mkdir(trees.patches + "03-more.patch")
    refuses(trees, "patches/03-more.patch is not a file")


@with_series
def test_series_new_file(trees):
    """series: a new file is one of ours, and none that a patch makes or renames"""
    made = ("diff --git a/kernel/five.c b/kernel/five.c\nnew file mode 100644\n--- /dev/null\n"
            "+++ b/kernel/five.c\n@@ -0,0 +1 @@\n+five\n")
    renamed = ("diff --git a/kernel/trace/Kconfig b/kernel/five.c\nsimilarity index 100%\n"
               "rename from kernel/trace/Kconfig\nrename to kernel/five.c\n")
    for hunk in (made, renamed):
        write(trees.patches + "03-five.patch", HEAD + "kernel: five" + SIGNED + "---\n" + hunk)
        refuses(trees, "03-five.patch makes kernel/five.c", "\"Files: kernel/five.c\"")
    write(trees.patches + "01-one.patch", read(trees.patches + "01-one.patch") + made)
    write(trees.repo + "/kernel/five.c", "FIVE\n")
    os.unlink(trees.patches + "03-five.patch")
    result = trees.make()
    equal((result.returncode, result.stdout)[0], 0)


@with_series
def test_series_patches(trees):
    """series: each patch fits where it is, and changes something"""
    again = PATCH.replace("] change a line\n", "] kernel: again\n\nWhy.\n")
    trees.add_patch("03-again.patch", again)
    refuses(trees, "03-again.patch does not apply to kernel/one.c", "already has this patch")
    os.unlink(trees.patches + "03-again.patch")
    trees.add_patch("1-one.patch", again)
    refuses(trees, "patches/1-one.patch", "NN-name.patch")
    os.unlink(trees.patches + "1-one.patch")
    trees.add_patch("02-again.patch", again)
    refuses(trees, "two patches have the number 02", "02-again.patch", "02-files.patch")
    os.unlink(trees.patches + "02-again.patch")
    write(trees.base + "/kernel/new/three.c", "new\n")
    write(trees.patches + "02-files.patch", FILES.replace("Files: kernel/**/three.c\n", ""))
    write(trees.patches + "03-same.patch",
          HEAD + "kernel: same" + SIGNED + "---\nFiles: kernel/new/*\n")
    refuses(trees, "03-same.patch changes nothing")


@with_series
def test_series_no_patches(trees):
    """series: without any patch there is none"""
    for name in ("01-one.patch", "02-files.patch"):
        os.unlink(trees.patches + name)
    refuses(trees, "no NN-name.patch")


@with_series
def test_series_replaced(trees):
    """series: a file of ours is changed only by patches before the one that brings it"""
    os.rename(trees.patches + "02-files.patch", trees.patches + "00-files.patch")
    refuses(trees, "01-one.patch changes kernel/two.c", "no later patch")
    os.unlink(trees.patches + "00-files.patch")
    write(trees.patches + "01-one.patch", HEAD + "kernel: both" + SIGNED
          + "---\nFiles: kernel/**\n\n" + TWO[TWO.index("diff "):])
    refuses(trees, "01-one.patch changes kernel/two.c", "no later patch")


@with_series
def test_series_messages(trees):
    """series: a message that git am would not give back is an error"""
    files = FILES[FILES.index("---\n"):]
    for message, part in ((HEAD + "kernel: x\n", "not subject, empty line, body"),
                          (HEAD + "no place" + SIGNED, "\"no place\""),
                          (HEAD + "kernel: " + "x" * 68 + SIGNED, "75 characters"),
                          (HEAD + "kernel: x\n\nWhy" + "y" * 73 + SIGNED, "longer than 75"),
                          (HEAD + "kernel: x\n\nWhy.\n", "Signed-off-by"),
                          (HEAD + "kernel: x\n\nWhy.\n\n---" + SIGNED, "Signed-off-by"),
                          (HEAD + "kernel: x\n\n--- a" + SIGNED, "\"--- a\""),
                          (HEAD + "kernel: x\n\nIndex: a" + SIGNED, "\"Index: a\""),
                          ("From: A <a@example.org>\n\nkernel: x" + SIGNED, "no Subject:"),
                          ("Subject: kernel: x" + SIGNED, "no From:"),
                          ("Cc: B <b@example.org>\n" + HEAD + "kernel: x" + SIGNED, "\"Cc: B"),
                          ("From: B <b@example.org>\n" + HEAD + "kernel: x" + SIGNED, "once"),
                          ("From: A\nSubject: kernel: x" + SIGNED, "\"From: A\" is not"),
                          ("From: <a@b>\nSubject: kernel: x" + SIGNED, "\"From: <a@b>\" is not"),
                          (HEAD + "kernel: x\n\nFrom: B <b@example.org>" + SIGNED, "\"From: B"),
                          (HEAD + "kernel: \udce9" + SIGNED, "not UTF-8")):
        with open(trees.patches + "02-files.patch", "wb") as stream:
            stream.write((message + files).encode(errors="surrogateescape"))
        refuses(trees, "02-files", part)


@with_series
def test_series_cover(trees):
    """series: there is a cover letter with an author, a date and a text, and a table"""
    for text in (COVER.replace("Date:", "When:"), COVER.replace("From:", "By:"),
                 "Reply-To: A\n" + COVER, COVER.replace("\n\nWhy all of it.", "")):
        write(trees.patches + "cover-letter", text)
        refuses(trees, "patches/cover-letter wants From:, Date:")
    for old, new in (("Fri, 20 Nov 2026 07:00:00 +0000", "tomorrow"), (" +0000", " GMT"),
                     (" +0000", ""), ("A <a@example.org>", "A")):
        write(trees.patches + "cover-letter", COVER.replace(old, new))
        refuses(trees, "patches/cover-letter: \"", "\" is not ")
    os.unlink(trees.patches + "cover-letter")
    refuses(trees, "patches/cover-letter cannot be read")
    write(trees.patches + "cover-letter", COVER)
    os.unlink(trees.patches + "bench-table")
    refuses(trees, "no bench-table")


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
            yield words[0], overlay.pattern(words[1]), line


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
