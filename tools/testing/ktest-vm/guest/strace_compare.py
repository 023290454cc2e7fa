# SPDX-License-Identifier: GPL-2.0
"""Compare the lines of syscall events with those that strace wrote of the same run.

strace_compare.py STRACE TRACE [PERCENT] prints how many lines are alike, and of the others
how many there are of each syscall, with one pair of each. It fails if less than PERCENT are
alike. Both programs saw the same calls of the same tasks, so nothing is replaced in the
lines but what REASONS tells.
"""

import collections
import difflib
import re
import sys

# What strace adds to a line or cannot know, and what is no part of a call
STRACE = (
    (re.compile(r"\s+= "), " = "),                     # columns
    (re.compile(r"(= -1 E\w+) \(.*\)$"), r"\1"),       # the errors' texts
    (re.compile(r"(= \? E\w+) \(.*\)$"), r"\1"),
    (re.compile(r" /\* \d{4}-\d\d-\d\dT[^*]*\*/"), ""),   # dates beside times
    (re.compile(r"(^time\(.*\) = \d+) \(.*\)$"), r"\1"),
    (re.compile(r"(^rt_sigtimedwait\(.*\) = \d+) \(.*\)$"), r"\1"),
    (re.compile(r"(^sched_getscheduler\(.*\) = \d+) \(.*\)$"), r"\1"),
    (re.compile(r"(^personality\(.*\) = \d+) \(.*\)$"), r"\1"),
    # What ipc() takes from memory is in brackets
    (re.compile(r"(^semctl\(.*, )\[(0x[0-9a-f]+|NULL)\]\)"), r"\1\2)"),
    (re.compile(r" /\* [\d.]+ s \*/"), ""),
    (re.compile(r"0x([0-9a-f]+) /\* [A-Z]+_\?\?\? \*/"), lambda m: str(int(m[1], 16))),
)
# Differences that stay, each with its reason; of lines that one side alone has, too
REASONS = (
    (r"^waitid\(", "what the kernel does not write is not shown"),
    (r"^getrandom\(", "strace writes these bytes in hexadecimal"),
    (r"^(rt_)?sigreturn\(", "at its return, the registers are those of before the signal"),
    (r"^futex\(.*_PRIVATE", "strace has names for two constants at once"),
    (r"^msgrcv\(", "strace shows more bytes than the message had"),
    (r"^(acct|pkey_\w+)\(.* = -1 ENOSYS", "this kernel has no such syscall, and so no event"),
    (r"^io_uring_setup\(.*\|IORING_FEAT_LINKED_FILE\|",
     "the kernel has features that strace has no names for"),
    (r"SCHED_(OTHER|NORMAL)", "the kernel and the C library have different names"),
    (r"^(clone|vfork|fork)\(.* = 0$", "strace shows the return of the parent alone"),
)
REASONS = tuple((re.compile(pattern), why) for pattern, why in REASONS)
LINE = re.compile(r"^(\d+) +(.*)$")
# Of 32-bit programs on a 64-bit kernel they say so
EVENT_OF_TASK = re.compile(r"^ *.*?-(\d+) +(?:\(.*?\) +)?\[\d+\] +(?:\D\S* +)?\d+\.\d+: "
                           r"(.*?)(?: \(compat\))?$")
RESUMED = re.compile(r"^<\.\.\. (\w+) resumed>(.*)$")
UNFINISHED = " <unfinished ...>"


def strace_lines(path):
    """{task: [line]} with calls that were interrupted put together again."""
    tasks, open_calls = collections.defaultdict(list), {}
    for text in open(path, encoding="utf-8", errors="replace"):
        match = LINE.match(text.rstrip("\n"))
        if not match:
            continue
        task, line = match.groups()
        if line.startswith(("---", "+++")):
            continue
        if line.endswith(UNFINISHED):
            open_calls[task] = line[:-len(UNFINISHED)]
            continue
        resumed = RESUMED.match(line)
        if resumed:
            line = open_calls.pop(task, "") + resumed[2]
        for pattern, by in STRACE:
            line = pattern.sub(by, line)
        if " = ?" in line and " = ? E" not in line:
            continue  # it does not return
        tasks[task].append(line)
    return tasks


def event_lines(path):
    tasks = collections.defaultdict(list)
    for text in open(path, encoding="utf-8", errors="replace"):
        match = EVENT_OF_TASK.match(text.rstrip("\n"))
        if match:
            tasks[match[1]].append(match[2])
    return tasks


def name_of(line):
    return line.split("(", 1)[0]


def pair(strace, events):
    """Pairs of lines that are about the same call; None where one side has none."""
    a, b = [name_of(line) for line in strace], [name_of(line) for line in events]
    for kind, i1, i2, j1, j2 in difflib.SequenceMatcher(None, a, b, autojunk=False).get_opcodes():
        if kind == "equal":
            yield from zip(strace[i1:i2], events[j1:j2])
        else:
            yield from ((line, None) for line in strace[i1:i2])
            yield from ((None, line) for line in events[j1:j2])


def compared(strace, events):
    """The pairs from the first call on that both saw: strace itself starts the task."""
    pairs = list(pair(strace, events))
    both = (i for i, (theirs, ours) in enumerate(pairs) if theirs and ours)
    return pairs[next(both, 0):]


def main():
    strace, events = strace_lines(sys.argv[1]), event_lines(sys.argv[2])
    wanted = float(sys.argv[3]) if len(sys.argv) > 3 else 0
    alike, explained, different = 0, 0, collections.defaultdict(list)
    names = set()
    for task in sorted(set(strace) & set(events), key=int):
        for theirs, ours in compared(strace[task], events[task]):
            names.add(name_of(theirs or ours))
            if theirs == ours:
                alike += 1
            elif any(pattern.search(theirs or ours) for pattern, _ in REASONS):
                explained += 1
            else:
                different[name_of(theirs or ours)].append((theirs, ours))
    total = alike + explained + sum(len(pairs) for pairs in different.values())
    percent = 100 * (alike + explained) / total if total else 0
    print(f"{total} lines: {alike} alike, {explained} explained, {percent:.1f} %; "
          f"{len(names) - len(different)} of {len(names)} syscalls without a difference")
    for name, pairs in sorted(different.items(), key=lambda item: -len(item[1])):
        print(f"{len(pairs):5} {name}\n      strace {pairs[0][0]}\n      event  {pairs[0][1]}")
    return percent < wanted or not total


if __name__ == "__main__":
    sys.exit(main())
