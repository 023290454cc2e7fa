#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Lay this repository's files and patches over a kernel source tree.

  overlay.py sync BASE TREE STATE   make TREE equal to BASE with our patches and files
  overlay.py check BASE             say whether every patch applies to BASE
  overlay.py apply TREE             change somebody's own TREE, once
  overlay.py list                   print our kernel-tree files

sync writes only the files whose content differs, so that kbuild rebuilds only what
depends on them. It restores the base's file where ours is gone. STATE is the file
that records which paths of TREE differ from the base.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile

REPO = os.environ.get("KTEST_REPO") or os.path.realpath(
    os.path.join(os.path.dirname(__file__), "../../../.."))

# Project files that are not copied into a kernel tree. All top-level files belong to
# the project: the kernel's own top-level files are changed by patches.
NOT_KERNEL = ("build/", "patches/", ".", "tools/testing/ktest-vm/")
# Files in patches/ that are not patches; editors leave hidden ones while a patch is open
NO_PATCH = re.compile(r"README|cover-letter|bench-table.*|.*~|.*\.orig|\..*")
MARK = ".ftrace-signatures-applied"


class Problem(Exception):
    """An error to show to the user, in one line or a few."""


def git(args, cwd=None, **kwargs):
    command = ["git", "-c", "safe.directory=*"] + args
    return subprocess.run(command, cwd=cwd, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, check=False, **kwargs)


def walk(top):
    """Every file below top, for a copy of the repository without its .git."""
    for directory, names, files in os.walk(top):
        names[:] = [n for n in names if not n.startswith(".") and n != "__pycache__"
                    and os.path.join(directory, n) != os.path.join(top, "build")]
        for name in files:
            yield os.path.relpath(os.path.join(directory, name), top)


def repository_files():
    result = git(["ls-files", "-z", "-c", "-o", "--exclude-standard"], cwd=REPO)
    if result.returncode or not os.path.exists(os.path.join(REPO, ".git")):
        return sorted(walk(REPO))
    return sorted(set(result.stdout.decode().split("\0")) - {""})


def overlay_files():
    """Our files that belong into a kernel tree, at the same path, as now on disk."""
    return [path for path in repository_files()
            if "/" in path and not path.startswith(NOT_KERNEL)
            and os.path.isfile(os.path.join(REPO, path))]


class Patch:
    """A file of patches/: a message, globs of the files that it brings, hunks.

    After the message and a line "---" there are lines "Files: GLOB", in which only
    ** crosses a slash, and the hunks, as "git diff" writes them. Either may be
    missing. Lines in between that begin with a space are a diffstat.
    """

    def __init__(self, path):
        self.path = path
        self.name = os.path.basename(path)
        with open(path, encoding="utf-8", errors="surrogateescape", newline="") as stream:
            text = stream.read()
        if "\r" in text:
            raise Problem(f"patch {self.name} has carriage returns; lines end in a newline only")
        start = re.search(r"(?m)^diff --git ", text)
        head, hunks = (text[:start.start()], text[start.start():]) if start else (text, "")
        self.head, _, self.notes = head.partition("\n---\n")
        self.check_lines(hunks)
        self.targets = hunk_paths(hunks)
        self.new = set(re.findall(r"(?m)^diff --git a/\S+ b/(\S+)\n(?:new file mode|"
                                  r"similarity index .*\n(?:rename|copy) from )", hunks))
        self.globs = re.findall(r"(?m)^Files: (\S+)$", self.notes)
        if not self.targets and not self.globs:
            raise Problem(f"patch {self.name} changes no file "
                          "(it wants paths such as a/kernel/fork.c) and brings none")

    def check_lines(self, hunks):
        """Refuse lines that would be overlooked."""
        stray = re.search(r"(?m)^Files:.*", self.head + "\n" + hunks)
        if stray:
            raise Problem(f"patch {self.name}: \"{stray.group()}\" is not between the line "
                          "\"---\" and the changes")
        unread = re.search(r"(?m)^diff --git (?!a/\S+ b/\S+$).*", hunks)
        if unread:
            raise Problem(f"patch {self.name}: \"{unread.group()}\" is not "
                          "\"diff --git a/PATH b/PATH\"")

    def brings(self, paths):
        """Those of these paths that match the globs."""
        expressions = [pattern(glob) for glob in self.globs]
        return [path for path in paths if any(one.fullmatch(path) for one in expressions)]


def pattern(text):
    """A regular expression for a glob in which only ** crosses a slash."""
    parts = {"**": ".*", "*": "[^/]*", "?": "[^/]"}
    return re.compile("".join(parts.get(part, re.escape(part))
                              for part in re.split(r"(\*\*|\*|\?)", text)))


def hunk_paths(text):
    """The paths that hunks change, create or remove."""
    paths = set()
    for line in text.split("\n"):
        match = re.match(r"diff --git a/(\S+) b/(\S+)$", line)
        if match:
            paths.update(match.groups())
        match = re.match(r"(?:---|\+\+\+) [ab]/(\S+)", line)
        if match:
            paths.add(match.group(1))
    return paths


def series():
    """The patches, in the order of their numbers."""
    directory = os.path.join(REPO, "patches")
    patches, numbers = [], {}
    for name in sorted(os.listdir(directory)) if os.path.isdir(directory) else []:
        match = re.fullmatch(r"(\d\d)-[\w.-]+\.patch", name)
        path = os.path.join(directory, name)
        if match and os.path.isfile(path):
            other = numbers.setdefault(match.group(1), name)
            if other != name:
                raise Problem(f"two patches have the number {match.group(1)}: "
                              f"{other} and {name}")
            patches.append(Patch(path))
        elif not NO_PATCH.fullmatch(name):
            raise Problem(f"patches/{name} is not a file called NN-name.patch")
    return patches


def refuse_overlap(patches, ours):
    """A patch may change or make a file that we replace only if it comes before the
    patch that brings our file, which overwrites the change. It may make no other file."""
    later = set()
    for patch in reversed(patches):
        for path in sorted(patch.targets & set(ours) - later):
            raise Problem(f"patch {patch.name} changes {path}, but no later patch "
                          "replaces that file by ours: change ours instead")
        for path in sorted(patch.new - later):
            raise Problem(f"patch {patch.name} makes {path}: put the file into this "
                          f"repository, and \"Files: {path}\" into the patch")
        later.update(patch.brings(ours))


def copy_targets(patches, base, scratch):
    """Copy what the patches touch from base to scratch; return the paths."""
    targets = set()
    for patch in patches:
        targets |= patch.targets
    for path in targets:
        source = os.path.join(base, path)
        if os.path.isfile(source):
            destination = os.path.join(scratch, path)
            os.makedirs(os.path.dirname(destination) or scratch, exist_ok=True)
            shutil.copy(source, destination)
    return targets


def apply_patches(patches, scratch):
    """Apply each patch in turn; a failure names the patch and its files."""
    env = dict(os.environ, LC_ALL="C",
               GIT_CEILING_DIRECTORIES=os.path.dirname(os.path.realpath(scratch)))
    for name in ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"):
        env.pop(name, None)
    for patch in patches:
        if not patch.targets:
            continue
        result = git(["apply", "--whitespace=nowarn", patch.path], cwd=scratch, env=env)
        if result.returncode:
            reason = result.stderr.decode(errors="replace").strip()
            files = sorted(set(re.findall(r"error: (\S+?):? (?:patch does not apply|"
                                          r"No such file|already exists)", reason)))
            where = ", ".join(files) or ", ".join(sorted(patch.targets))
            undo = git(["apply", "--reverse", "--check", patch.path], cwd=scratch, env=env)
            if undo.returncode == 0:
                reason += "\n(the tree already has this patch)"
            raise Problem(f"patch {patch.name} does not apply to "
                          f"{where}:\n{reason}")


def wanted_state(base, scratch):
    """Map each touched path to the file that holds its content, or None."""
    ours = overlay_files()
    patches = series()
    refuse_overlap(patches, ours)
    targets = copy_targets(patches, base, scratch)
    apply_patches(patches, scratch)
    wanted = {path: os.path.join(REPO, path) for path in ours}
    for path in targets - set(ours):
        result = os.path.join(scratch, path)
        wanted[path] = result if os.path.isfile(result) else None
    return wanted


def content(path):
    try:
        with open(path, "rb") as stream:
            return stream.read(), os.stat(path).st_mode & 0o111
    except (FileNotFoundError, NotADirectoryError):
        return None


def replace(tree, path, source):
    """Give tree/path the content of source; true if that was a change.

    The new file is written beside the old one and renamed over it, so a hard link is
    never written through and no file is ever half written. Its time is now, even if it
    returns to the base's old content; otherwise kbuild would not rebuild its objects.
    """
    target = os.path.join(tree, path)
    new = content(source)
    if new == content(target):
        return False
    if os.path.isdir(target):
        shutil.rmtree(target)
    parent = os.path.dirname(target)
    # A directory of ours may stand where the base has a file of that name
    if os.path.isfile(parent):
        os.unlink(parent)
    os.makedirs(parent, exist_ok=True)
    temporary = target + ".ktest-new"
    with open(temporary, "wb") as stream:
        stream.write(new[0])
    os.chmod(temporary, 0o644 | new[1])
    os.rename(temporary, target)
    return True


def remove(tree, path):
    target = os.path.join(tree, path)
    if not os.path.lexists(target):
        return False
    os.unlink(target)
    # A directory that only we had is removed with its last file
    parent = os.path.dirname(target)
    while parent != tree and not os.listdir(parent):
        os.rmdir(parent)
        parent = os.path.dirname(parent)
    return True


def read_lines(path):
    try:
        with open(path, encoding="utf-8") as stream:
            return set(stream.read().split("\n")) - {""}
    except FileNotFoundError:
        return set()


def write_lines(path, lines):
    with open(path + ".new", "w", encoding="utf-8") as stream:
        stream.writelines(line + "\n" for line in sorted(lines))
    os.rename(path + ".new", path)


def sync(base, tree, state):
    with tempfile.TemporaryDirectory(dir=os.path.dirname(state)) as scratch:
        wanted = wanted_state(base, scratch)
        before = read_lines(state)
        # Written before the first change, so that after an interrupted run the
        # next one looks at every path that was changed
        write_lines(state, before | set(wanted))
        changed = []
        for path in sorted(before | set(wanted)):
            source = wanted.get(path)
            if path not in wanted and os.path.isfile(os.path.join(base, path)):
                source = os.path.join(base, path)
            if replace(tree, path, source) if source else remove(tree, path):
                changed.append(path)
        write_lines(state, set(wanted))
    ours = sum(1 for source in wanted.values() if source)
    print(f"== {ours} files of ours or patched, {len(changed)} changed since last time")
    for path in changed[:20]:
        print(f"   {path}")
    if len(changed) > 20:
        print(f"   and {len(changed) - 20} more")


def check(base):
    with tempfile.TemporaryDirectory() as scratch:
        wanted_state(base, scratch)
    print(f"== all {len(series())} patches apply to {base}")


def apply(tree):
    """Prepare all files outside of the tree first: change everything or nothing."""
    mark = os.path.join(tree, MARK)
    if os.path.exists(mark):
        raise Problem(f"{tree} already has our files ({MARK} is there); "
                      "start from a clean tree")
    with tempfile.TemporaryDirectory() as scratch:
        wanted = wanted_state(tree, scratch)
        half = [path for path in sorted(overlay_files())
                if content(os.path.join(tree, path)) == content(os.path.join(REPO, path))]
        if half:
            raise Problem(f"{tree} already has {len(half)} of our files, such as "
                          f"{half[0]}: half applied? Start from a clean tree")
        for path in sorted(wanted):
            source = wanted[path]
            if source:
                replace(tree, path, source)
            else:
                remove(tree, path)
        write_lines(mark, wanted)
    print(f"== {len(wanted)} files of {tree} are ours or patched; "
          f"{MARK} lists them")


def main(arguments):
    actions = {"sync": (sync, 3), "check": (check, 1), "apply": (apply, 1),
               "list": (lambda: print("\n".join(overlay_files())), 0)}
    if not arguments or arguments[0] not in actions \
            or len(arguments) - 1 != actions[arguments[0]][1]:
        sys.exit(__doc__)
    try:
        actions[arguments[0]][0](*arguments[1:])
    except Problem as problem:
        sys.exit(f"overlay: error: {problem}")


if __name__ == "__main__":
    main(sys.argv[1:])
