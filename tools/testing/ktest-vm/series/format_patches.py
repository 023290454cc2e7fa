# SPDX-License-Identifier: GPL-2.0
"""Make patches to mail of this repository's files and patches.

  module.sh series.format_patches [BASE [OUTPUT]]

BASE is the pristine kernel tree (build/base-VERSION), OUTPUT the directory to
write to (build/series). Applied to BASE in order by git am, the patches give the
source tree from which the kernel is built.

Each patches/NN-name.patch becomes a mail, in the order of the numbers; patches/README
describes their format. Every file of ours belongs to exactly one patch. The file
cover-letter begins with From: and Date:; the dates of the mails follow that date.
The file bench-table, the latest output of "make bench", is appended to its text.
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
PATCHES = os.path.join(REPO, "patches")


class Step:
    """One patch of the series, as a mail."""

    def __init__(self, patch):
        self.patch, self.name = patch, patch.name
        self.author, self.message = read_head(patch)
        self.files = []
        check_message(f"patch {self.name}", self.message)
        for line in patch.notes.splitlines():
            if line.strip() and not re.match(r" (?!\s*Files:)|Files: \S+$", line):
                raise Problem(f"patch {self.name}: \"{line}\" is not \"Files: GLOB\"")


# What git format-patch writes into the head of a mail, besides From:, Date: and Subject:
OTHER_HEADERS = re.compile(r"From [0-9a-f]{40} .*|MIME-Version: .*|Content-Type: text/plain.*|"
                           r"Content-Transfer-Encoding: 8bit")


def read_head(patch):
    """Author and message of a patch as git format-patch writes it."""
    head, _, body = patch.head.partition("\n\n")
    headers = {}
    for line in re.sub(r"\n[ \t]+", " ", head).splitlines():
        match = re.fullmatch(r"(From|Date|Subject): (.*)", line)
        if match and match.group(1) not in headers:
            headers[match.group(1)] = match.group(2)
        elif not OTHER_HEADERS.fullmatch(line):
            raise Problem(f"patch {patch.name}: \"{line}\" in the header is not From:, "
                          "Date: or Subject:, each once")
    if "Subject" not in headers or "From" not in headers:
        raise Problem(f"patch {patch.name} has no From: or no Subject:")
    check_author(f"patch {patch.name}", headers["From"])
    subject = re.sub(r"^(\[[^]]*\] *)+", "", " ".join(headers["Subject"].split()))
    return headers["From"], f"{subject}\n\n{body}".strip()


def check_author(where, author):
    name, address = email.utils.parseaddr(author)
    if not name or not re.fullmatch(r"[^@\s]+@[^@\s]+", address):
        raise Problem(f"{where}: \"From: {author}\" is not \"From: A Name <name@example.org>\"")


def check_message(where, message):
    """Refuse a message that git am would not reproduce exactly, or checkpatch refuses."""
    lines = message.split("\n")
    if len(lines) < 3 or lines[1]:
        raise Problem(f"{where}: the message is not subject, empty line, body")
    if ": " not in lines[0] or len(lines[0]) > 75:
        raise Problem(f"{where}: the subject \"{lines[0]}\" is not \"where: what\" "
                      "in 75 characters")
    if not message.isascii() and re.search("[\udc80-\udcff]", message):
        raise Problem(f"{where}: the message is not UTF-8")
    first = next(line for line in lines[1:] if line)
    if re.match(r"(From|Date|Subject): ", first):
        raise Problem(f"{where}: git am takes \"{first}\" for a header")
    for line in lines:
        if re.match(r"---|diff |Index: ", line):
            raise Problem(f"{where}: in a message, git am takes \"{line}\" for "
                          "the end of it")
        if len(line) > 75 and not re.match(r"\s|[A-Z][a-z-]+-by: ", line):
            raise Problem(f"{where}: \"{line}\" is longer than 75 characters")
    if not re.match(r"Signed-off-by: .+ <.+>", lines[-1]):
        raise Problem(f"{where}: the message does not end in Signed-off-by:")


def read_steps():
    patches = overlay.series()
    if not patches:
        raise Problem("there is no NN-name.patch in patches/")
    steps = [Step(patch) for patch in patches]
    assign_files(steps)
    overlay.refuse_overlap(patches, overlay.overlay_files())
    return steps


def assign_files(steps):
    owner = {}
    ours = overlay.overlay_files()
    for step in steps:
        for text in step.patch.globs:
            expression = overlay.pattern(text)
            found = [path for path in ours if expression.fullmatch(path)]
            if not found:
                raise Problem(f"patch {step.name}: Files: {text} is no file of ours")
            for path in found:
                if owner.get(path) == step.name:
                    raise Problem(f"patch {step.name}: two lines Files: name {path}")
                if path in owner:
                    raise Problem(f"{path} is in two patches: {owner[path]} "
                                  f"and {step.name}")
                owner[path] = step.name
                step.files.append(path)
    missing = sorted(set(ours) - set(owner))
    if missing:
        raise Problem("in no patch of patches/: " + ", ".join(missing))


# The temporary repository

class Repository:
    """Git that does not depend on the user's configuration or on the current time."""

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
    for step in steps:
        paths |= step.patch.targets
    return sorted(path for path in paths if os.path.isfile(os.path.join(base, path)))


def take_step(step, repository):
    for path in step.files:
        overlay.replace(repository.top, path, os.path.join(REPO, path))
    overlay.apply_patches([step.patch], repository.top)
    repository.commit(step.message, step.author)
    if not repository("diff", "--name-only", "HEAD^", "HEAD"):
        raise Problem(f"patch {step.name} changes nothing")


def compare(base, top):
    """The last patch must leave what overlay.py lays over the base."""
    with tempfile.TemporaryDirectory() as scratch:
        for path, source in sorted(overlay.wanted_state(base, scratch).items()):
            expected = overlay.content(source) if source else None
            got = overlay.content(os.path.join(top, path))
            if (got and (got[0], bool(got[1]))) != \
                    (expected and (expected[0], bool(expected[1]))):
                raise Problem(f"{path} is not after the last patch what the "
                              "kernel is built from")


# The mails

# -B: show a replaced file as removed and added, not as a mixture of both
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
            f"From: {headers['From']}\nDate: {headers['Date']}\n"
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
    """The headers of the cover letter, and its text."""
    try:
        with open(os.path.join(PATCHES, "cover-letter"), encoding="utf-8") as stream:
            head, _, message = stream.read().partition("\n\n")
    except (FileNotFoundError, UnicodeDecodeError) as problem:
        raise Problem(f"patches/cover-letter cannot be read: {problem}") from None
    lines = [line for line in head.splitlines() if not line.startswith("#")]
    headers = dict(re.findall(r"(?m)^(From|Date): (\S.*)$", "\n".join(lines)))
    if len(lines) != 2 or set(headers) != {"From", "Date"} or "\n\n" not in message.strip():
        raise Problem("patches/cover-letter wants From:, Date:, a subject and a text")
    check_author("patches/cover-letter", headers["From"])
    if not is_date(headers["Date"]):
        raise Problem(f"patches/cover-letter: \"Date: {headers['Date']}\" is not like "
                      "\"Date: Fri, 20 Nov 2026 07:00:00 +0000\"")
    return headers, message.strip()


def is_date(text):
    """Whether a date is as a mail has it, with a time zone in figures."""
    try:
        email.utils.parsedate_to_datetime(text)
    except ValueError:
        return False
    return bool(re.search(r" \d\d:\d\d:\d\d [+-]\d{4}$", text))


def read_bench():
    """The table of make bench, without the comments at its head."""
    path = os.path.join(PATCHES, "bench-table")
    if not os.path.isfile(path):
        raise Problem("patches/ has no bench-table; make bench KEEP=1 writes it")
    with open(path, encoding="utf-8") as stream:
        return "".join(line for line in stream if not line.startswith("#")).strip("\n")


def make(base, output):
    """Write the whole series to output, or nothing."""
    steps = read_steps()
    headers, cover = read_cover()
    cover = f"{cover}\n\n{read_bench()}"
    os.makedirs(os.path.dirname(output), exist_ok=True)
    with tempfile.TemporaryDirectory(dir=os.path.dirname(output)) as scratch:
        top, mails = os.path.join(scratch, "tree"), os.path.join(scratch, "mails")
        os.mkdir(top)
        os.mkdir(mails)
        repository = Repository(top, headers["From"], headers["Date"])
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
