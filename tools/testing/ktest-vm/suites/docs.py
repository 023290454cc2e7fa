# SPDX-License-Identifier: GPL-2.0
"""Check the documentation with the kernel's own tools.

Builds Documentation/trace with Sphinx, runs kernel-doc over the sources, and
compares the entries in MAINTAINERS with the files of this repository. The suite
"docs" of test.py.
"""

import fnmatch
import glob
import os
import re
import subprocess

import vm
from kernel import overlay

SOURCE = os.path.join(vm.BUILD, "linux")
DOCS = os.path.join(vm.BUILD, "docs")
HTML = os.path.join(DOCS, "Documentation/output")
# What Sphinx and kernel-doc say begins with the file and the line
COMPLAINT = re.compile(r"(?P<path>[^:\s]+)(?::\d+)?: (?:WARNING|ERROR|CRITICAL|warning|error): ")


def run(*command):
    """The output of a command, in lines, and its status."""
    result = subprocess.run(command, cwd=SOURCE, stdout=subprocess.PIPE, check=False,
                            stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL)
    return result.stdout.decode(errors="replace").splitlines(), result.returncode


def complaints(lines, ours):
    """The lines that complain about files of ours, not of the base."""
    found = []
    for line in lines:
        match = COMPLAINT.search(line)
        if match and in_tree(match["path"]) in ours:
            found.append(line)
    return found


def in_tree(path):
    return os.path.relpath(os.path.join(SOURCE, path), SOURCE)


def pages(ours):
    return [path for path in ours if re.match(r"Documentation/.*\.rst$", path)]


def html_of(page):
    """The path of the page that Sphinx made; it depends on what part of the tree is built."""
    name = os.path.basename(page).removesuffix(".rst") + ".html"
    return next(iter(glob.glob(os.path.join(HTML, "**", name), recursive=True)), None)


def check_pages():
    """Each page of ours is built without a warning, and is in an index."""
    ours = set(overlay.overlay_files())
    os.makedirs(DOCS, exist_ok=True)
    # From scratch: Sphinx prints warnings only about pages that it reads anew
    run("rm", "-rf", HTML)
    lines, status = run("make", f"ARCH={vm.ARCH}", f"O={DOCS}", "SPHINXDIRS=trace",
                        "htmldocs")
    wrong = complaints(lines, ours)
    if status:
        wrong += [f"make htmldocs ended with status {status}"] + lines[-10:]
    for page in pages(ours):
        if not html_of(page):
            wrong.append(f"{page}: there is no page of it")
        elif any("isn't included in any toctree" in line and page in line for line in lines):
            wrong.append(f"{page}: is in no index")
    return wrong


def check_comments():
    """Each kernel-doc comment is complete."""
    ours = [path for path in overlay.overlay_files()
            if re.search(r"\.[ch]$", path) and re.match(r"include/|kernel/|samples/", path)]
    lines, status = run("scripts/kernel-doc", "-none", "-Wall", *ours)
    return lines or ([f"kernel-doc ended with status {status}"] if status else [])


# MAINTAINERS: F: names a file, a pattern of files or, with a slash, a directory

ENTRIES = ("BRANCH CONTEXTS (TRACING)", "FUNCTION GRAPH (FTRACE)",
           "FUNCTION SIGNATURES (FTRACE)", "FUNCTION TRACER ENTRIES (FTRACE)",
           "TRACING RING BUFFER")


def maintained(entry):
    with open(os.path.join(SOURCE, "MAINTAINERS"), encoding="utf-8") as stream:
        _, found, rest = stream.read().partition(f"\n{entry}\n")
    if not found:
        return None
    return re.findall(r"(?m)^F:\s+(\S+)$", rest.split("\n\n")[0])


def covers(text, path):
    if text.endswith("/"):
        return path.startswith(text)
    # As in get_maintainer.pl, * does not match a slash
    return path.count("/") == text.count("/") and fnmatch.fnmatchcase(path, text)


def check_maintainers():
    """The entries cover all of our files, and name no file that does not exist."""
    found = {entry: maintained(entry) for entry in ENTRIES}
    absent = [entry for entry in ENTRIES if found[entry] is None]
    if absent:
        return [f"MAINTAINERS has no entry {entry}" for entry in absent]
    patterns = sum(found.values(), [])
    ours = [path for path in overlay.overlay_files()
            if not path.startswith("tools/testing/selftests/")]
    wrong = [f"F: {text} is no file of ours" for text in patterns
             if not any(covers(text, path) for path in overlay.overlay_files())]
    return wrong + [f"{path} belongs to no F: of {' or '.join(ENTRIES)}" for path in ours
                    if not any(covers(text, path) for text in patterns)]


TESTS = {
    "pages": check_pages,
    "comments": check_comments,
    "maintainers": check_maintainers,
}
