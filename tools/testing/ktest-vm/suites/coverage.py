# SPDX-License-Identifier: GPL-2.0
"""How many parameters and results of the traced functions are known.

Counts the parameters and results of all call sites in the image and the modules, and
prints a table. A file gets the values that are not known, each with its function and
the reason.
"""

import collections
import os
import re

import vm
from suites import binaries

# The percentage of all values (parameters and results) within the limit that must be known
GOAL = 98.5
# ... and the percentage if the compiler makes no changed copies of functions
GOAL_WITHOUT_CLONES = 100.0
NO_CLONES = "FTRACE_SIGNATURES_NO_CLONES"
# recordmcount's reason for a parameter that is unknown by design: only a limited number
# of words of the stack is recorded
BEYOND = "it is beyond the stack words that are recorded"
# How many unknown values are shown, besides those beyond the limit
SHOWN = 5

# The rows of the table, each with its counter
ROWS = (
    ("call sites", "sites"),
    ("named and typed", "named"),
    ("sites cleared", "cleared"),
    ("parameters", "parameters"),
    ("  in registers", "register"),
    ("  on the stack", "stack"),
    ("  of a syscall", "syscall"),
    ("  constant", "const"),
    ("  removed", "removed"),
    ("  of no size", "empty"),
    ("  beyond the limit", "beyond"),
    ("  ?", "?"),
    ("results", "results"),
    ("  one word", "result word"),
    ("  two words", "result pair"),
    ("  in memory", "result memory"),
    ("  of no size", "result empty"),
    ("  ?", "result ?"),
    ("without a result", "result void"),
    ("whole functions", "whole"),
    ("functions not whole", "not whole"),
    ("bytes of signatures", "bytes"),
)
# The section that these are in
TABLE = "__ftrace_signatures"
# The registers of results, and what the rows call them
RESULTS = {"rax": "word", "eax": "word", "rdx:rax": "pair", "edx:eax": "pair"}


def classify(place):
    """The class of a parameter's place, which is spelled as recordmcount does."""
    if place in ("?", "removed", "empty"):
        return place
    if place.startswith("const="):
        return "const"
    if re.fullmatch(r"stack\+\d+(\*\d+)?", place):
        return "stack"
    # The entry of a syscall: its own parameter, and then those of the syscall
    if re.fullmatch(r"[re]\w\w?(\+[re]\w\w?)*|[re]\w\w?:pt_regs", place):
        return "register"
    if re.fullmatch(r"syscall\+\d:?\w*", place):
        return "syscall"
    raise ValueError(f"a place called {place!r}")


def is_whole(proto):
    """Whether there is a signature in which every parameter has a name."""
    return proto.result is not None and all(name for name, _ in proto.params)


def count_function(counts, proto):
    kinds = [classify(place) for _, place in proto.params]
    counts.update(kinds)
    counts["parameters"] += len(kinds)
    counts["result " + RESULTS.get(proto.result, proto.result)] += 1
    counts["results"] += proto.result != "void"
    counts["named"] += is_whole(proto)
    counts["whole" if "?" not in kinds + [proto.result] else "not whole"] += 1


def table_size(path):
    _, _, size = binaries.sections(path).get(TABLE, (0, 0, 0))
    return size


def count(paths):
    """The counters, and errors as lines."""
    counts, wrong = collections.Counter(), []
    for path in paths:
        counts["bytes"] += table_size(path)
        sites, cleared = binaries.call_sites(path)
        counts["sites"] += len(sites)
        stray = []
        for proto in binaries.prototypes(path):
            if proto.where not in sites:
                stray.append(f"{path}: {proto.symbol}: no call site is at {proto.where}")
            elif proto.result is None:
                wrong.append(f"{path}: {proto.symbol} at {proto.where} has no signature")
            else:
                count_function(counts, proto)
                if not is_whole(proto):
                    wrong.append(f"{path}: not all is named and typed: {proto.text}")
        # sorttable also clears sites of functions that it overlooks, which is harmless
        counts["cleared"] += len(stray)
        if len(stray) > cleared:
            wrong += stray
    return counts, wrong


def values(counts):
    return counts["parameters"] + counts["results"]


def unknown(counts):
    """The number of unknown values within the limit."""
    return counts["?"] + counts["result ?"]


def share(counts):
    """The percentage of all values that is known."""
    known = values(counts) - counts["beyond"] - unknown(counts)
    return 100 * known / values(counts) if values(counts) else 100.0


def share_within(counts):
    """Percentage of the values within the limit that are known."""
    within = values(counts) - counts["beyond"]
    return 100 * (within - unknown(counts)) / within if within else 100.0


def set_apart(counts, reasons):
    """Count the parameters beyond the limit as such, no longer among the others."""
    counts["beyond"] = reasons[BEYOND]
    counts["?"] -= reasons[BEYOND]


def table(columns):
    """Lines of a table; columns are (title, counts)."""
    used = set().union(*(counts for _, counts in columns))
    unseen = {name for name in used if name.startswith("result ")} - {name for _, name in ROWS}
    if unseen:
        raise ValueError(f"results that no row counts: {unseen}")
    lines = [f"{'':22}" + "".join(f"{title:>10}" for title, _ in columns)]
    for title, name in ROWS:
        lines.append(f"{title:22}" + "".join(f"{counts[name]:10}" for _, counts in columns))
    for title, percentage in (("values known, %", share), ("  within the limit", share_within)):
        lines.append(f"{title:22}" +
                     "".join(f"{percentage(counts):10.2f}" for _, counts in columns))
    return lines


def not_whole(paths):
    """Lines that tell what is unknown, and why, after the number of each reason."""
    lines, reasons = [], collections.Counter()
    for path in paths:
        name = os.path.relpath(path, binaries.OUT)
        for where, symbol, value, why in binaries.explanations(path):
            lines.append(f"{name}\t{where}\t{symbol}\t{value}\t{why}")
            reasons["result: " * (value == "return") + why] += 1
    return lines, reasons


def shown_lines(lines):
    """All lines of values beyond the limit, and some of the others."""
    beyond = [line for line in lines if line.endswith("\t" + BEYOND)]
    return beyond + [line for line in lines if line not in beyond][:SHOWN]


def report_path():
    return os.path.join(vm.BUILD, f"coverage{vm.NAME and '-' + vm.NAME}.txt")


def goal():
    return GOAL_WITHOUT_CLONES if binaries.configured(NO_CLONES) else GOAL


def check():
    wrong, columns, lines, reasons = [], [], [], collections.Counter()
    for title, paths in (("vmlinux", [binaries.IMAGE]), ("modules", binaries.modules())):
        counts, problems = count(paths)
        more, why = not_whole(paths)
        set_apart(counts, why)
        columns.append((title, counts))
        wrong += problems
        lines += more
        reasons += why
    total = sum((counts for _, counts in columns), collections.Counter())
    show(table(columns + [("together", total)]) + [""] +
         [f"{number:7} {why}" for why, number in reasons.most_common()], lines)
    return wrong + check_total(total, len(lines))


def show(shown, lines):
    with open(report_path(), "w", encoding="utf-8") as stream:
        stream.write("\n".join(shown + [""] + lines) + "\n")
    for line in shown + [""] + shown_lines(lines):
        print("   # " + line.expandtabs(4))
    print(f"   # all {len(lines)} values that are not known: {report_path()}")


def check_total(total, explained):
    """The errors of all counters together; explained is the number of reasons."""
    wrong = []
    missing = total["sites"] - total["named"]
    if missing:
        wrong.append(f"{missing} of {total['sites']} call sites are not named and typed")
    if explained != total["beyond"] + unknown(total):
        wrong.append(f"{explained} reasons for {total['beyond'] + unknown(total)} unknown values")
    if share_within(total) < goal():
        wrong.append(f"only {share_within(total):.3f} % of {values(total) - total['beyond']} values "
                     f"within the limit are known, not {goal()} %")
    return wrong
