# SPDX-License-Identifier: GPL-2.0
"""Make patches to mail of this repository's files and patches.

  module.sh series.format_patches [BASE [OUTPUT]]

BASE is the pristine kernel tree (build/base-VERSION), OUTPUT the directory to
write to (build/series). Applied in order by git am, the patches make of BASE
what the kernel is built from.

The files of patches/steps say how, one file a patch, in the order of their
names. Each begins with lines of these forms, in any number:

  # comment
  Patch: NAME     a patch of patches/series
  Files: GLOB     files of ours; * and ? stay in a directory, ** does not
  Bridge: NAME    a patch of patches/steps to a base file that a later step
                  replaces by ours, for the steps between to compile

and after an empty line has the message: subject, empty line, body. A step of a
single patch may leave it out and have the patch's. Every patch and every file
of ours belongs to exactly one step. The file cover-letter begins with From: and
Date:, which all patches get that have no own author. Behind its text comes the
file bench-table: what "make bench" printed last.
"""

import email.header
import email.utils
import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile

from kernel import overlay
from kernel.overlay import REPO, Problem

BUILD = os.environ.get("KTEST_BUILD") or os.path.join(REPO, "build")
STEPS = os.path.join(REPO, "patches/steps")
HEADERS = {"Patch", "Files", "Bridge"}


class Step:
    """One patch of the series."""

    def __init__(self, name, listed):
        self.name = name
        headers, self.message = read_step(os.path.join(STEPS, name), HEADERS)
        self.patches = headers.get("Patch", [])
        self.globs = headers.get("Files", [])
        self.bridges = headers.get("Bridge", [])
        self.author = None
        self.files = []
        if not self.patches and not self.globs:
            raise Problem(f"step {name} has neither Patch: nor Files:")
        for patch in self.patches:
            if patch not in listed:
                raise Problem(f"step {name} names the patch {patch}, "
                              "which is not in patches/series")
        if not self.message:
            self.take_message()
        check_message(f"step {name}", self.message)

    def take_message(self):
        if len(self.patches) != 1:
            raise Problem(f"step {self.name} has no message, and not a single "
                          "patch to take it from")
        self.author, self.message = read_patch(
            os.path.join(REPO, "patches", self.patches[0]))


def read_step(path, known):
    """The headers of a step file, as lists, and its message."""
    name = os.path.basename(path)
    with open(path, encoding="utf-8") as stream:
        head, _, message = stream.read().partition("\n\n")
    headers = {}
    for line in head.splitlines():
        if line.startswith("#"):
            continue
        key, colon, value = line.partition(":")
        if not colon or key not in known or not value.strip():
            raise Problem(f"step {name}: \"{line}\" is none of "
                          + ", ".join(sorted(key + ":" for key in known)))
        headers.setdefault(key, []).append(value.strip())
    return headers, message.strip()


def read_patch(path):
    """Author and message of a patch as git format-patch writes it."""
    with open(path, encoding="utf-8") as stream:
        text = stream.read()
    head, _, rest = text.partition("\n\n")
    body = re.split(r"(?m)^(?:---$|diff --git )", rest)[0].strip()
    headers = dict(re.findall(r"(?m)^(From|Date|Subject): (.*(?:\n[ \t].*)*)", head))
    if "Subject" not in headers or "From" not in headers:
        raise Problem(f"patch {os.path.basename(path)} has no From: or no Subject:")
    subject = " ".join(headers["Subject"].split())
    subject = re.sub(r"^(\[[^]]*\] *)+", "", subject)
    return headers["From"], f"{subject}\n\n{body}"


def check_message(where, message):
    """The form that a message must have for git am to give it back."""
    lines = message.split("\n")
    if len(lines) < 3 or lines[1]:
        raise Problem(f"{where}: the message is not subject, empty line, body")
    if ": " not in lines[0] or len(lines[0]) > 75:
        raise Problem(f"{where}: the subject \"{lines[0]}\" is not \"where: what\" "
                      "in 75 characters")
    for line in lines:
        if re.match(r"---|diff |Index: ", line):
            raise Problem(f"{where}: in a message, git am takes \"{line}\" for "
                          "the end of it")
    if not re.match(r"Signed-off-by: .+ <.+>", lines[-1]):
        raise Problem(f"{where}: the message does not end in Signed-off-by:")


def read_steps():
    names = sorted(name for name in os.listdir(STEPS)
                   if re.fullmatch(r"\d+-[\w.-]+", name) and not name.endswith((".orig", "~")))
    if not names:
        raise Problem("patches/steps has no step")
    listed = {os.path.basename(path) for path in overlay.series()}
    steps = [Step(name, listed) for name in names]
    assign_patches(steps, listed)
    assign_files(steps)
    return steps


def assign_patches(steps, listed):
    owner = {}
    for step in steps:
        for patch in step.patches:
            if patch in owner:
                raise Problem(f"patch {patch} is in two steps: {owner[patch]} "
                              f"and {step.name}")
            owner[patch] = step.name
    for patch in sorted(listed - set(owner)):
        raise Problem(f"patch {patch} is in no step of patches/steps")


def pattern(text):
    """A regular expression for a glob in which only ** crosses a slash."""
    parts = {"**": ".*", "*": "[^/]*", "?": "[^/]"}
    return re.compile("".join(parts.get(part, re.escape(part))
                              for part in re.split(r"(\*\*|\*|\?)", text)))


def assign_files(steps):
    owner = {}
    ours = overlay.overlay_files()
    for step in steps:
        for text in step.globs:
            expression = pattern(text)
            found = [path for path in ours if expression.fullmatch(path)]
            if not found:
                raise Problem(f"step {step.name}: Files: {text} is no file of ours")
            for path in found:
                if path in owner:
                    raise Problem(f"{path} is in two steps: {owner[path]} "
                                  f"and {step.name}")
                owner[path] = step.name
                step.files.append(path)
    missing = sorted(set(ours) - set(owner))
    if missing:
        raise Problem("in no step of patches/steps: " + ", ".join(missing))


# The temporary repository

class Repository:
    """Git with nothing of the user's configuration and nothing of today."""

    def __init__(self, top, author, date):
        self.top = top
        name, address = email.utils.parseaddr(author)
        when = email.utils.parsedate_to_datetime(date)
        self.seconds, self.zone = int(when.timestamp()), date.split()[-1]
        self.author = name, address
        self.env = {key: value for key, value in os.environ.items()
                    if not key.startswith("GIT_")}
        self.env.update(GIT_CONFIG_GLOBAL=os.devnull, GIT_CONFIG_SYSTEM=os.devnull,
                        GIT_COMMITTER_NAME=name, GIT_COMMITTER_EMAIL=address,
                        GIT_CEILING_DIRECTORIES=os.path.dirname(os.path.realpath(top)),
                        LC_ALL="C.UTF-8", TZ="UTC")
        self("init", "-q", "-b", "series")

    def __call__(self, *arguments, **kwargs):
        command = ["git", "-c", "core.abbrev=12", "-c", "core.autocrlf=false",
                   "-c", "core.fileMode=true", *arguments]
        result = subprocess.run(command, cwd=self.top, env=self.env, check=False,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, **kwargs)
        if result.returncode:
            raise Problem(f"git {arguments[0]}: "
                          + result.stderr.decode(errors="replace").strip())
        return result.stdout.decode()

    def commit(self, message, author=None):
        """Commit all files. Each commit is a minute later, for mail programs
        that sort by date."""
        name, address = email.utils.parseaddr(author) if author else self.author
        when = f"{self.seconds} {self.zone}"
        self.seconds += 60
        self.env.update(GIT_AUTHOR_NAME=name, GIT_AUTHOR_EMAIL=address,
                        GIT_AUTHOR_DATE=when, GIT_COMMITTER_DATE=when)
        # By force: the base's own .gitignore may be among the files
        self("add", "--all", "--force", ".")
        self("commit", "-q", "--allow-empty", "--cleanup=verbatim", "-F", "-",
             input=message.encode() + b"\n")


def touched(steps, base):
    """The base's files that the series changes, replaces or removes."""
    paths = {path for step in steps for path in step.files}
    for path in (path for step in steps for path in step_patches(step)):
        paths |= overlay.patch_targets(path)
    return sorted(path for path in paths if os.path.isfile(os.path.join(base, path)))


def step_patches(step):
    return [os.path.join(REPO, "patches", name) for name in step.patches] + \
        [os.path.join(STEPS, name) for name in step.bridges]


def check_bridges(steps):
    """What a bridge changes must not outlive the series."""
    for number, step in enumerate(steps):
        later = {path for other in steps[number + 1:] for path in other.files}
        for name in step.bridges:
            path = os.path.join(STEPS, name)
            if not os.path.isfile(path):
                raise Problem(f"step {step.name} names the bridge {name}, "
                              "which is not in patches/steps")
            for target in sorted(overlay.patch_targets(path) - later):
                raise Problem(f"bridge {name} changes {target}, "
                              "which no later step replaces")


def take_step(step, repository):
    for path in step.files:
        overlay.replace(repository.top, path, os.path.join(REPO, path))
    try:
        overlay.apply_patches(step_patches(step), repository.top)
    except Problem as problem:
        raise Problem(f"step {step.name}: {problem}") from None
    repository.commit(step.message, step.author)
    if not repository("diff", "--name-only", "HEAD^", "HEAD"):
        raise Problem(f"step {step.name} changes nothing")


def compare(base, top):
    """The last step must leave what overlay.py lays over the base."""
    with tempfile.TemporaryDirectory() as scratch:
        for path, source in sorted(overlay.wanted_state(base, scratch).items()):
            expected = overlay.content(source) if source else None
            got = overlay.content(os.path.join(top, path))
            if (got and (got[0], bool(got[1]))) != \
                    (expected and (expected[0], bool(expected[1]))):
                raise Problem(f"{path} is not after the last step what the "
                              "kernel is built from")


# The mails

# -B: what is replaced reads as removed and added, not as a mixture of both
DIFF = ["--no-renames", "-B", "--src-prefix=a/", "--dst-prefix=b/"]


def write_patches(repository, output):
    repository("format-patch", "-q", "--no-signature", "--no-thread", "--zero-commit",
               "--no-base", "-n", *DIFF, "-o", output, "base..series")
    return len(os.listdir(output))


def write_cover(repository, headers, message, steps, output):
    subject, _, body = message.partition("\n\n")
    titles = [step.message.split("\n")[0] for step in steps]
    zero = "0" * len(str(len(steps)))
    text = (f"From {'0' * 40} Mon Sep 17 00:00:00 2001\n"
            f"From: {headers['From'][0]}\nDate: {headers['Date'][0]}\n"
            f"Subject: [PATCH {zero}/{len(steps)}] {encoded(subject)}\n"
            "MIME-Version: 1.0\nContent-Type: text/plain; charset=UTF-8\n"
            f"Content-Transfer-Encoding: 8bit\n\n{body.strip()}\n\n"
            + "".join(f"  {number:2}. {title}\n" for number, title in enumerate(titles, 1))
            + "\n" + repository("diff", "--stat=78", *DIFF, "base", "series"))
    with open(os.path.join(output, "0000-cover-letter.patch"), "w",
              encoding="utf-8") as stream:
        stream.write(text)


def encoded(subject):
    return subject if subject.isascii() else \
        email.header.Header(subject, "utf-8", maxlinelen=998).encode()


def copy_base(base, paths, top):
    for path in paths:
        overlay.replace(top, path, os.path.join(base, path))


def read_cover():
    headers, message = read_step(os.path.join(STEPS, "cover-letter"), {"From", "Date"})
    if set(headers) != {"From", "Date"} or "\n\n" not in message:
        raise Problem("patches/steps/cover-letter wants From:, Date:, a subject "
                      "and a text")
    return headers, message


def read_bench():
    """The table of make bench, without the comments at its head."""
    path = os.path.join(STEPS, "bench-table")
    if not os.path.isfile(path):
        raise Problem("patches/steps has no bench-table; make bench writes it")
    with open(path, encoding="utf-8") as stream:
        return "".join(line for line in stream if not line.startswith("#")).strip("\n")


def make(base, output):
    """Write the series to output, as a whole or not at all."""
    steps = read_steps()
    check_bridges(steps)
    headers, cover = read_cover()
    cover = f"{cover}\n\n{read_bench()}"
    os.makedirs(os.path.dirname(output), exist_ok=True)
    with tempfile.TemporaryDirectory(dir=os.path.dirname(output)) as scratch:
        top, mails = os.path.join(scratch, "tree"), os.path.join(scratch, "mails")
        os.mkdir(top)
        os.mkdir(mails)
        repository = Repository(top, headers["From"][0], headers["Date"][0])
        copy_base(base, touched(steps, base), top)
        repository.commit("base")
        repository("tag", "base")
        for step in steps:
            take_step(step, repository)
        compare(base, top)
        number = write_patches(repository, mails)
        write_cover(repository, headers, cover, steps, mails)
        if os.path.isdir(output):
            shutil.rmtree(output)
        os.rename(mails, output)
    return number


def find_base():
    """The base that build.sh unpacked."""
    found = [path for path in glob.glob(os.path.join(BUILD, "base-*")) if os.path.isdir(path)]
    if len(found) != 1 or not os.path.isfile(os.path.join(BUILD, "base.package")):
        raise Problem(f"there is no unpacked base in {BUILD}; make tree unpacks it")
    return found[0]


def main(arguments):
    if len(arguments) > 2:
        sys.exit(__doc__)
    try:
        base = arguments[0] if arguments else find_base()
        output = os.path.abspath(arguments[1] if arguments[1:]
                                 else os.path.join(BUILD, "series"))
        number = make(base, output)
    except Problem as problem:
        sys.exit(f"series: error: {problem}")
    print(f"== {number} patches and a cover letter are in {os.path.relpath(output)}")


if __name__ == "__main__":
    main(sys.argv[1:])
