# SPDX-License-Identifier: GPL-2.0
"""The list of ftrace selftests, and the choice by TEST."""

import fnmatch
import glob
import os

import vm
from kernel import overlay

DIRECTORY = "tools/testing/selftests/ftrace/"


def chosen(name, pattern):
    """Whether TEST means this test: its name, its file name, or a pattern."""
    if not pattern:
        return True
    base = os.path.basename(name)
    return any(fnmatch.fnmatchcase(text, pattern)
               for text in (name, base, os.path.splitext(base)[0]))


def read_skip_list(path):
    """Map the selftests that cannot run here to the reasons."""
    reasons = {}
    with open(path, encoding="utf-8") as stream:
        for line in stream:
            words = line.split("#")[0].split(None, 1)
            if words:
                reasons[words[0]] = words[1].strip()
    return reasons


def ours():
    """The selftests of this repository."""
    return {path[len(DIRECTORY):] for path in overlay.overlay_files()
            if path.startswith(DIRECTORY + "test.d/") and path.endswith(".tc")}


def of_tree(patterns=("test.d/**/*.tc",)):
    """The selftests of the source tree, the base's and ours."""
    tree = os.path.join(vm.BUILD, "linux", DIRECTORY)
    return {path[len(tree):] for pattern in patterns
            for path in glob.glob(os.path.join(tree, pattern), recursive=True)}
