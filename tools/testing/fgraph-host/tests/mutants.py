#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Break the function graph, one thing at a time, and see that "step" notices.

  mutants.py [NAME...]

Each mutant is one replacement in one source. Prints TAP.
"""

import os
import re
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))
SOURCE = os.path.join(HERE, "../../../kernel/trace")
OUT = os.environ.get("OUT") or os.path.join(HERE, "../../../build/fgraph-host/mutants")
# of CPU: a machine that is busy makes no mutant fail
SECONDS = 30

GRAPH, FRAMES = "fgraph.c", "fgraph/frames.h"
UNWIND, USERS = "fgraph/unwind.c", "fgraph/users.c"
SETS, KEPT = "fgraph/sets.c", "fgraph/sets.h"

# name: (source, what, instead)
MUTANTS = {
    "push-below-late": (FRAMES, r"(\tWRITE_ONCE\(frame->below.*?\n)"
                        r"(.*?\tWRITE_ONCE\(frame->call.retp, retp\);\n)", r"\2\1"),
    "push-keeps-old-retp": (FRAMES, r"\tWRITE_ONCE\(frame->call.retp, NULL\);\n", ""),
    "push-retp-with-old-ret": (FRAMES, r"(\tWRITE_ONCE\(frame->call.retp, )NULL\)", r"\1retp)"),
    "push-retp-before-ret": (
        FRAMES, r"(\tWRITE_ONCE\(frame->call.ret, ret\);\n)"
        r"(\tWRITE_ONCE\(frame->call.retp, retp\);\n)", r"\2\1"),
    "push-only-before": (
        FRAMES, r"\tWRITE_ONCE\(frame->call.retp, NULL\);\n(.*?)"
        r"(\tWRITE_ONCE\(frame->call.ret, ret\);\n\tWRITE_ONCE\(frame->call.retp, retp\);\n)",
        r"\2\1"),
    "push-one-too-many": (FRAMES, r"<= FGRAPH_VARIABLES - FGRAPH_FRAME_WORDS\)",
                          "<= FGRAPH_VARIABLES)"),
    "push-one-too-few": (GRAPH, r"atomic_inc\(&task->trace_overrun\);", ";"),
    "next-unchecked": (FRAMES, r"fgraph_begin\(position\) \+ FGRAPH_FRAME_WORDS <= "
                       r"fgraph_end\(position\) &&", "1 ||"),
    "reserve-before-the-position": (
        GRAPH, r"(\tfgraph_reset\(task, fgraph_position\(fgraph_begin.*?\n)(.*?)"
        r"(\tkept->user.*?\n\tkept->nr_words.*?\n)", r"\3\1\2"),
    "reserve-too-much": (GRAPH, r" \|\| end \+ FGRAPH_KEPT_WORDS \+ nr_words > FGRAPH_VARIABLES",
                         ""),
    "retrieve-anybody's": (GRAPH, r"kept->user == idx", "1"),
    "retrieve-first-only": (GRAPH, r"while \(at < fgraph_end", "if (at < fgraph_end"),
    "unwanted-kept": (GRAPH, r"\t\tfgraph_reset\(task, position\);\n\treturn wanted;",
                      "\t\t;\n\treturn wanted;"),
    "unwanted-frame-stays": (GRAPH, r"\t\tfgraph_reset\(task, position\);\n\t\treturn -EBUSY;",
                             "\t\treturn -EBUSY;"),
    "unwanted-depth-stays": (GRAPH, r"\t\ttask->curr_ret_depth--;\n\t\tfgraph", "\t\tfgraph"),
    "return-by-any-frame": (GRAPH, r"\|\| !returns_from\(frame, fregs, frame_pointer\)", ""),
    "left-frames-stay": (GRAPH, r"\t\t\tfgraph_reset\(task, position\);\n", ""),
    "left-depth-stays": (GRAPH, r"\t\t\ttask->curr_ret_depth -= left;\n", ""),
    "return-to-all": (GRAPH, r"\tif \(!\(frame->users & BIT\(i\)\)\)\n\t\treturn false;\n", ""),
    "return-of-another-epoch": (GRAPH, r"return READ_ONCE\(fgraph_since\[i\]\) <= frame->epoch",
                                "return true"),
    "return-of-no-other-epoch": (GRAPH, r"return READ_ONCE\(fgraph_since\[i\]\) <= frame->epoch",
                                 "return false"),
    # A field that is free keeps it
    "epoch-before-the-user": (
        GRAPH, r"(\tframe->epoch = )(READ_ONCE\(fgraph_epoch\));(.*?hold_users\(void\) { )",
        r"\1current->pid;\3current->pid = \2; "),
    "pop-to-the-bottom": (GRAPH, r"(Behind this.*?fgraph_reset\(task, )fgraph_below\(frame, "
                          r"fgraph_begin\(position\)\)", r"\g<1>0"),
    "pop-first": (
        GRAPH, r"(\tdescribe_return\()", "\tfgraph_reset(task, fgraph_below(frame, "
        r"fgraph_begin(position)));\n\1"),
    "unwind-any-place": (UNWIND, r"READ_ONCE\(frame->call.retp\) != retp \|\| ", ""),
    "unwind-to-the-handler": (UNWIND, r" \|\| fgraph_is_handler\(address\)", ""),
    "epoch-after-the-user": (
        USERS, r"(\tbegin_epoch\(index\);\n)(.*?\tWRITE_ONCE\(fgraph_users.*?\n)", r"\2\1"),
    "direct-while-another-comes": (
        USERS, r"(\tif \(ftrace_graph_active == 2\)\n\t\t)call_by_sets\(\);\n", r"\1;\n"),
    "direct-with-strays": (USERS, r"\twait_for_strays\(\);\n(\tWRITE_ONCE)", r"\1"),
    "strays-forgotten": (USERS, r"\tfgraph_strays = true;\n(\tif \(ftrace_graph_active == 1)",
                         r"\1"),
    "strays-of-one-refused": (USERS, r"\tfgraph_strays = true;\n(\tif \(first\))", r"\1"),
    "direct-before-the-user": (
        USERS, r"(\tWRITE_ONCE\(fgraph_only, gops\);\n)(.*?)"
        r"(\tstatic_branch_enable.*?\n)", r"\3\2\1"),
    "direct-while-it-goes": (USERS, r"\tcall_by_sets\(\);\n(.*?\n\t/\* LMM\(remove_user)", r"\1"),
    "sets-stay-when-a-user-comes": (
        USERS, r"\tfgraph_forget_sets\(\);\n(\tif \(ftrace_graph_active == 1\))", r"\1"),
    "left-out-alone": (GRAPH, r"\t\tif \(is_to_ask\(READ_ONCE.*?\n.*?\n", ""),
    "left-out-of-a-set": (GRAPH, r"\t\tif \(is_to_ask.*?continue;\n", ""),
    "asked-of-another": (GRAPH, r"gops->wants\(gops, func, ", "gops->wants(gops, func + 1, "),
    "asked-one-too-high": (GRAPH, r"current->curr_ret_depth \+ 1", "current->curr_ret_depth"),
    "sets-stay": (SETS, r"(\tif \(ftrace_graph_active >= fewest_users)\) {\n",
                  r"\1 && old)\n\t\treturn;\n\1) {\n"),
    "set-in-the-new-place": (SETS, r"\tnumber = sets \?",
                             "\tsets = fgraph_sets;\n\tnumber = sets ?"),
    "set-number-of-another": (SETS, r"is = cmpxchg\(&sets->users\[i\], 0, users\) \?: users;",
                              "is = sets->users[i] = users;"),
    "set-of-any-function": (
        KEPT, r"set = READ_ONCE\((\*fgraph_sets_entry\(.*?\))\) \^\n.*?;",
        r"set = READ_ONCE(\1) % FGRAPH_NR_SETS;"),
}


def mutate(name):
    """The sources with one replacement. It must be one place, or the mutant is another."""
    file, what, instead = MUTANTS[name]
    top = os.path.join(OUT, "trace")
    shutil.rmtree(top, ignore_errors=True)
    shutil.copytree(os.path.join(SOURCE, "fgraph"), os.path.join(top, "fgraph"))
    for plain in ("fgraph.c", "trace_clock_inline.h", "trace_ip_hash.h"):
        shutil.copy(os.path.join(SOURCE, plain), top)
    path = os.path.join(top, file)
    with open(path, encoding="utf-8") as stream:
        text, times = re.subn(what, instead, stream.read(), flags=re.DOTALL)
    with open(path, "w", encoding="utf-8") as stream:
        stream.write(text)
    return top if times == 1 else None


def says(program):
    """What it says if it fails."""
    result = subprocess.run(["prlimit", f"--cpu={SECONDS}", program], stdout=subprocess.PIPE,
                            stderr=subprocess.STDOUT, check=False)
    if not result.returncode:
        return None
    said = [line for line in result.stdout.decode(errors="replace").splitlines()
            if line.startswith("#")]
    return said[-1] if said else f"ended with {result.returncode}"


def check(name):
    """Whether it is noticed, and how."""
    top = mutate(name)
    if not top:
        return False, "there is no such place, or several"
    out = os.path.join(OUT, "out")
    shutil.rmtree(out, ignore_errors=True)
    made = subprocess.run(["make", "-s", "-C", HERE, f"OUT={out}", f"TRACE={top}",
                           f"{out}/step"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          check=False)
    if made.returncode:
        return False, "does not compile\n" + made.stdout.decode()
    said = says(os.path.join(out, "step"))
    return bool(said), said or "not noticed"


def main():
    names = sys.argv[1:] or sorted(MUTANTS)
    failed = 0
    for name in names:
        noticed, how = check(name)
        print(f"{'ok' if noticed else 'not ok'} - {name}: {how}", flush=True)
        failed += not noticed
    print(f"1..{len(names)}")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
