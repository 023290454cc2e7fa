# SPDX-License-Identifier: GPL-2.0
"""What the tool claims against what the compiler says of the same objects.

A plugin has gcc tell where each parameter arrives. plugin/deceive.c is written to
deceive who reads DWARF; functions with parameters of random types are compared, too.
"""

import os
import random
import re

import compiler_word
from harness import HERE, X86_32, both, check, equal, read, test
from test_clones import clone_texts
from test_syscalls import SOURCE as SYSCALLS
from test_truth import general_types, ordinary_texts

CORPUS = os.path.join(HERE, "plugin/deceive.c")
NO_VIEWS = "-gno-variable-location-views"
# How the locations are described: beyond these, gcc has no say in it
DESCRIBED = [
    [], [NO_VIEWS], ["-gdwarf-4"], ["-gdwarf-4", "-gstrict-dwarf"], ["-fno-var-tracking"],
    ["-fno-var-tracking-assignments"],
    # gcc gives up on tracking the larger functions. (On the smallest, without a jump in
    # them, it gives up only if it is told to: the tool counts on that.)
    ["--param=max-vartrack-size=200"],
]
# Of the claims about the corpus, so many at least, whatever the options
LEAST = 150
SRA = ["-fipa-sra", "-fipa-cp", "-fipa-cp-clone", "-fpartial-inlining"]


def plugin(work):
    return compiler_word.build_plugin(os.path.join(os.path.dirname(work.dir), "incoming.so"),
                                      work.cc[-1])


def compiled(work, text, flags, name="a"):
    return work.compile(text, name, ["-g", "-fplugin=" + plugin(work)] + flags)


def compare(work, path, lines=None):
    return compiler_word.compare(path, lines or work.printed(path), work.machine)


def differences(work, text, flags, least=LEAST, base=None):
    """What differs between the claims about an object and the compiler's word, as lines."""
    flags = flags + ["-g", "-fplugin=" + plugin(work)]
    found = compare(work, work.compile(text, flags=flags, base=base))
    if found.counts["claims"] < least:
        found.wrong.append("only %d claims" % found.counts["claims"])
    return ["%s: %s" % (" ".join(flags[:-2]), line) for line in found.wrong]


def none_differs(work, text, options, least=LEAST, base=None):
    wrong = [line for flags in options for line in differences(work, text, flags, least, base)]
    check(not wrong, "\n".join(wrong))


def corpus():
    return read(CORPUS).decode()


@both
def claims_O2(work):
    none_differs(work, corpus(), [["-O2"] + described for described in DESCRIBED])


@both
def claims_Os(work):
    none_differs(work, corpus(), [["-Os"] + described + SRA for described in DESCRIBED[2:]])


@both
def claims_O3(work):
    none_differs(work, corpus(), [["-O3"] + described for described in DESCRIBED[:2]])


@both
def claims_O1(work):
    none_differs(work, corpus(), [["-O1"] + described for described in DESCRIBED[:2]])


@both
def claims_as_kernel(work):
    """With what else the kernel's own build may choose."""
    none_differs(work, corpus(), [["-O2"] + more for more in (
        ["-fcf-protection=branch", "-fpatchable-function-entry=16,16",
         "-ftrivial-auto-var-init=zero", "-fno-allow-store-data-races"],
        ["-fno-omit-frame-pointer", "-fno-optimize-sibling-calls",
         "-fstack-protector-strong", "-mstack-protector-guard=global"],
        ["-fno-ipa-sra", "-fno-ipa-cp", "-fno-partial-inlining"])])


@both
def claims_syscalls(work):
    """The compiler knows what an entry of a syscall is passed, not what is taken from there."""
    none_differs(work, SYSCALLS, [["-O2"], ["-Os"]], least=4)


@both
def claims_mcount(work):
    """Where the call of the tracer is behind the prologue."""
    base = work.machine.mcount(work.machine.kernel_flags)
    none_differs(work, corpus(), [["-O2"], ["-Os"]], base=base)


def random_types(machine):
    return [t for t in general_types(machine) if t.name not in ("empty", "flex")]


def random_text(work, number, seed):
    rng = random.Random(seed)
    types = random_types(work.machine)
    ordinary, _, _ = ordinary_texts(rng, types, number, work.machine, use=True)
    clones, _ = clone_texts([t for t in types if t.kind == "scalar" and
                             t.name not in ("i128", "u128", "cint", "clong", "cchar")],
                            rng, number, work.machine)
    return ordinary, clones


@both
def claims_random(work):
    """Parameters of random types, in functions and in what the optimizer makes of them."""
    ordinary, clones = random_text(work, 60, 41)
    options = [["-I", HERE] + flags for flags in (
        ["-O2"], ["-Os"] + SRA, ["-O2", "-fno-var-tracking"])]
    none_differs(work, ordinary, options[1:], 200)
    none_differs(work, clones, options, 40)


# The comparison itself

@both
def compiler_knows(work):
    """The plugin tells of each class of what the optimizer does."""
    path = compiled(work, corpus(), ["-O2"])
    found = compare(work, path)
    for what in ("place", "clone place", "clone const", "clone removed", "result place",
                 "result memory", "result void", "empty"):
        check(found.counts[what], "no claim of the class " + what)
    for could in "removed", "pieces", "void":
        check(any("could be " + could + ":" in line for line in found.unknown),
              "nothing could be " + could)
    told = compiler_word.told(compiler_word.Elf(path))
    pieces = told["one_piece.constprop.0.isra.0"].params
    equal([(p.name, len(p.pieces), p.pointee) for p in pieces],
          [("big", 0, False), ("t", 1, False), ("m", 2, False)], "what arrives in pieces")
    constants = told["constants.constprop.0.isra.0"].params
    word = work.machine.word
    equal([p.constant for p in constants],
          ["-5", "200", "1", "-1099511627776", "-3", "0", None], "constants")
    equal(constants[-1].pieces, [(0, word, {8: "di", 4: "ax"}[word])], "what is not constant")
    # read through a pointer that is not passed
    check(told["dereferenced.isra.0"].params[1].pointee, "no pointee")
    check(not told["unwanted.isra.0"].result, "a result that nobody wants")


def other_claims(machine, name, claim):
    """Claims that are wrong if one is right."""
    regs = machine.regs
    if claim == "?":
        return []
    if name == "return":
        return ["memory" if claim == "void" else "void", machine.pair
                if claim in ("void", machine.ret, "empty") else machine.ret]
    if claim.startswith("const="):
        return ["const=%d" % (int(claim[6:]) + 1), regs[0]]
    if claim.startswith("stack+"):
        at, star, words = claim[6:].partition("*")
        return ["stack+%d%s%s" % (int(at) + machine.word, star, words), "removed", regs[-1]]
    if claim in ("removed", "empty"):
        return [regs[0], "stack+0", "const=0"]
    first = claim.split("+")[0]
    return ["+".join([regs[regs.index(first) - 1]] + claim.split("+")[1:]), "stack+0", "removed",
            "const=1", "empty", claim + "+" + regs[0]]


def changed_line(machine, line, chance, wrong):
    """A line with all of its claims changed that are right, and what they are now."""
    fields, reports = line.text.split("\t"), set()
    claims = line.params + [("return", line.ret)] if line.known else []
    for field, (name, claim) in enumerate(claims, 3):
        others = other_claims(machine, name, claim)
        if others and "%s: %s@%s" % (line.symbol, name, claim) not in wrong:
            other = others[chance % len(others)]
            fields[field] = "%s@%s" % (name, other)
            reports.add("%s: %s@%s" % (line.symbol, name, other))
    return type(line)("\t".join(fields)), reports


@both
def claims_changed(work):
    """Each claim that is changed is reported, in whatever way it is wrong."""
    path = compiled(work, corpus(), ["-O2"])
    lines = work.printed(path)
    before = compare(work, path, lines)
    wrong = {text.split(",")[0] for text in before.wrong}
    for chance in range(6):
        changed = [changed_line(work.machine, line, chance, wrong) for line in lines]
        wanted = set().union(*(reports for _, reports in changed))
        equal(len(wanted) + len(wrong), before.counts["claims"], "claims that were changed")
        found = compare(work, path, [line for line, _ in changed])
        equal({text.split(",")[0] for text in found.wrong} - wrong, wanted, "what is reported")


@both
def claims_of_other_functions(work):
    """Another function's line, another number of parameters and other names are reported."""
    path = compiled(work, corpus(), ["-O2"])
    line = next(line for line in work.printed(path) if line.symbol == "count_down")
    for text, why in ((line.text.replace("\tlen@", "\tlength@"), "parameters"),
                      (re.sub(r"\tlen@\w+", "", line.text), "parameters"),
                      (re.sub(r"^\S+", ".text+0xffffff", line.text), "says nothing")):
        found = compare(work, path, [type(line)(text)])
        check(len(found.wrong) == 1 and why in found.wrong[0], "%s: %s" % (text, found.wrong))


@test
def compiler_silent(work):
    """An object without the compiler's word has no claim that is right."""
    found = compare(work, work.compile("int f(int a) { return a; }", flags=["-g", "-O2"]))
    check(found.wrong and "says nothing" in found.wrong[0], found.wrong)
    work.machine = X86_32
    found = compare(work, work.compile("int f(int a) { return a; }", flags=["-g", "-O2"]))
    check(found.wrong and "says nothing" in found.wrong[0], found.wrong)
