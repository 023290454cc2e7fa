#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Do the lists of memory barriers in the design pages match the sources?

A barrier has a label, LMM(function:letter), in the comment before it, which names
the labels that it pairs with. The page of these sources lists each pair once. Prints
TAP: the check of each page, and that it notices each thing that may be wrong.
"""

import glob
import os
import re
import sys

ROOT = os.path.join(os.path.dirname(os.path.realpath(__file__)), "../../../..")
PAGE = "Documentation/trace/ring-buffer-design.rst"
# And the sources of each
PAGES = {
    PAGE: ("kernel/trace/ring_buffer*.[ch]",),
    "Documentation/trace/fgraph-design.rst": ("kernel/trace/fgraph.c",
                                              "kernel/trace/fgraph/*.[ch]"),
    "Documentation/trace/ftrace-entries-design.rst": ("kernel/trace/trace_call_site.[ch]",
                                                      "kernel/trace/trace_*_entry.[ch]",
                                                      "kernel/trace/trace_function_set.c",
                                                      "kernel/trace/ftrace_sets.c"),
    "Documentation/trace/branch-contexts-design.rst": ("kernel/trace/branch/*.[ch]",
                                                       "kernel/trace/branch/interface/*.[ch]",
                                                       "include/linux/branch_trace.h"),
}
# They use the ring buffer, and need no order but that of locks and RCU.
TESTS = re.compile(r"_(test|selftest|torture)[_.]|_torture")

LABEL = re.compile(r"LMM\((\w+):([A-Z])\)")
# It begins its comment, or is behind the name of a step of the algorithm
FIRST = re.compile(r"/\* (?:[A-Z]\d\. )?" + LABEL.pattern)
# single_release() closes a file
BARRIER = re.compile(r"\b(barrier|(smp_|dma_)?[rw]?mb|smp_mb__\w+|\w+_acquire|"
                     r"(?!single_)\w+_release|"
                     r"synchronize_rcu\w*|\w*xchg\w*)\s*\(")
# Orders that no instruction of ours makes
ORDERED_ANYHOW = ("by dependency", "a boot is between")
# Other sides that are not in the sources
OUTSIDE = ("preemption off", "user space", "an NMI", "the scheduler")
FUNCTION = re.compile(r"^(?!typedef|struct rb_\w+ \{)[a-z_].*?\b(\w+)\(|^(\w+)\(")


def tokens(text):
    """(line, comment, code) of each comment and of each line of code, in turn."""
    line = 1
    for part in re.split(r"(/\*.*?\*/)", text, flags=re.DOTALL):
        if part.startswith("/*"):
            yield line, re.sub(r"\s*\n\s*\*\s*", " ", part), ""
        else:
            for number, code in enumerate(part.split("\n")):
                yield line + number, "", code
        line += part.count("\n")


def read_source(name, text, labels, wrong):
    """Add to labels: whom each pairs with. The pairs are those that its comment names."""
    function, pending, letters = None, None, {}

    def drop():
        if pending and not any(word in pending[2] for word in ORDERED_ANYHOW):
            wrong.append(f"{name}:{pending[0]}: {pending[1]} is at no barrier")

    for line, comment, code in tokens(text):
        found = FIRST.match(comment)
        if found:
            drop()
            label = ":".join(found.groups())
            pending = (line, label, comment)
            if label in labels:
                wrong.append(f"{name}:{line}: {label} is there twice")
            if found.group(1) != function:
                wrong.append(f"{name}:{line}: {label} is in {function}()")
            letters.setdefault(function, []).append(found.group(2))
            reason = comment.split(": ", 1)[0]
            labels[label] = {":".join(other) for other in LABEL.findall(reason)} - {label}
            labels[label] |= {other for other in OUTSIDE if other in reason}
        elif LABEL.search(comment):
            wrong.append(f"{name}:{line}: a label that does not begin its comment")
        signature = FUNCTION.match(code)
        if signature:
            function = signature.group(1) or signature.group(2)
        elif BARRIER.search(code) and not code.startswith("#"):
            if not pending:
                wrong.append(f"{name}:{line}: a barrier without a label: {code.strip()}")
            pending = None
        elif ";" in code:
            drop()
            pending = None
    for function, has in letters.items():
        if has != [chr(ord("A") + i) for i in range(len(has))]:
            wrong.append(f"{name}: the labels of {function}() are {', '.join(has)}")


def read_page(page, text, wrong):
    """The list: whom each label pairs with."""
    listed = {}
    section = re.search(r"^Memory barriers\n=+\n(.*?)(?=^[^\n]+\n=+$)", text,
                        re.DOTALL | re.MULTILINE)
    for entry in re.findall(r"^(``\w+:.*)\n((?:    .*\n)+)", section[1] if section else "",
                            re.MULTILINE):
        sides = [{side.strip().strip("`") for side in part.split(",")}
                 for part in entry[0].split(" -- ")]
        if "Otherwise" not in entry[1]:
            wrong.append(f"{page}: {entry[0]}: what would go wrong?")
        for left in sides[0]:
            if len(sides) == 1 and left in listed:
                wrong.append(f"{page}: {left} is there twice")
            listed.setdefault(left, set())
            for right in sides[1] if len(sides) > 1 else ():
                if right in listed[left]:
                    wrong.append(f"{page}: {left} -- {right} is there twice")
                listed[left].add(right)
                if right not in OUTSIDE:
                    listed.setdefault(right, set()).add(left)
    return listed


def check(files, page=PAGE):
    """What is wrong, of the texts of the page and of the sources by name."""
    labels, wrong = {}, []
    for name, text in sorted(files.items()):
        if name != page:
            read_source(name, text, labels, wrong)
    listed = read_page(page, files[page], wrong)
    for label in sorted(labels.keys() | listed.keys()):
        if label not in labels:
            wrong.append(f"{label} is in the list only")
        elif label not in listed:
            wrong.append(f"{label} is not in the list")
        elif labels[label] != listed[label]:
            wrong.append(f"{label} pairs with {sorted(labels[label])}, and in the list with "
                         f"{sorted(listed[label])}")
    return wrong


def read_files(page):
    names = [page] + [os.path.relpath(path, ROOT) for pattern in PAGES[page]
                      for path in glob.glob(os.path.join(ROOT, pattern))
                      if not TESTS.search(os.path.basename(path))]
    files = {}
    for name in names:
        with open(os.path.join(ROOT, name), encoding="utf-8") as stream:
            files[name] = stream.read()
    return files


SHOW = "kernel/trace/ring_buffer_show.c"
INLINE = "kernel/trace/ring_buffer_inline.h"
IMPL = "kernel/trace/ring_buffer_impl.h"

# name: (file, what, instead)
BREAK = {
    "label-missing": (SHOW, r"\t/\* LMM\(rb_count:A\).*?\*/\n", ""),
    "label-of-another-function": (SHOW, r"LMM\(rb_count:A\)", "LMM(rb_show:A)"),
    "label-skipped": (SHOW, r"LMM\(rb_count:C\)", "LMM(rb_count:D)"),
    "label-without-barrier": (SHOW, r"(LMM\(rb_count:B\).*?)\tsmp_wmb\(\);\n", r"\1"),
    "barrier-without-label": (SHOW, r"(void rb_show\(.*?\n\{\n)", r"\1\tsmp_mb();\n"),
    "local-barrier-without-label": (INLINE, r"\t/\* C4\. LMM.*?\*/\n", ""),
    "side-not-named": (IMPL, r"pairs with LMM\(rb_short_end:A\), ", "pairs with "),
    "side-that-is-none": (IMPL, r"pairs with LMM\(rb_short_end:A\)",
                          "pairs with LMM(rb_short_end:Z)"),
    "not-in-the-list": (PAGE, r"``rb_begin:A``[^\n]*\n(?:    [^\n]*\n)+", ""),
    "only-in-the-list": (PAGE, r"``rb_begin:A``", "``rb_begin:A``, ``rb_begin:B``"),
    "listed-twice": (PAGE, r"(``rb_begin:A``[^\n]*\n(?:    [^\n]*\n)+)", r"\1\n\1"),
    "no-reason": (PAGE, r"(``rb_begin:A``.*?\n    .*?)Otherwise", r"\1And"),
}


def main():
    failed = False
    for page in PAGES:
        wrong = check(read_files(page), page)
        print("".join(f"# {line}\n" for line in wrong), end="")
        print(f"{'not ok' if wrong else 'ok'} - barriers: the list of {os.path.basename(page)} "
              "is what the sources have")
        failed = failed or bool(wrong)
    files = read_files(PAGE)
    wrong = check(files)
    for name, (file, what, instead) in BREAK.items():
        text, times = re.subn(what, instead, files[file], count=1, flags=re.DOTALL)
        said = set(check({**files, file: text})) - set(wrong)
        good = times == 1 and said
        print(f"{'ok' if good else 'not ok'} - barriers: {name}: {min(said, default='unnoticed')}")
        failed = failed or not good
    print(f"1..{len(BREAK) + len(PAGES)}")
    return failed


if __name__ == "__main__":
    sys.exit(main())
