# SPDX-License-Identifier: GPL-2.0
"""x86-32: how functions are called that were folded into others (-fipa-icf)."""

import random

from harness import X86_32, Skip, check, equal, run, test

LINKAGE = "__attribute__((regparm(0)))"
# What a convention makes of four words
FOUR = {
    "": ["eax", "edx", "ecx", "stack+0"],
    LINKAGE: ["stack+0", "stack+4", "stack+8", "stack+12"],
    "__attribute__((regparm(1)))": ["eax", "stack+0", "stack+4", "stack+8"],
    "__attribute__((regparm(2)))": ["eax", "edx", "stack+0", "stack+4"],
    "__attribute__((regparm(3)))": ["eax", "edx", "ecx", "stack+0"],
    "__attribute__((fastcall))": ["ecx", "edx", "stack+0", "stack+4"],
    "__attribute__((stdcall))": ["eax", "edx", "ecx", "stack+0"],
}
PARAMS = "(void *d, int a, int b, int c)"


def stubs(attribute, names, body="{ }", result="void"):
    return "".join("%s %s %s%s %s\n" % (attribute, result, name, PARAMS, body)
                   for name in names)


def places(work, text, flags=(), name="a"):
    """Places of each function's parameters, by its name."""
    work.machine = X86_32
    obj = work.compile("extern int ext(long), sink;\n" + text, name, ["-O2", "-g"] + list(flags))
    return {symbol: [place for _, place in line.params]
            for symbol, line in work.by_name(obj).items()}


def check_folded(work, text, names):
    """gcc has folded all of them but one, so DWARF tells too little of them."""
    run(work.cc + X86_32.kernel_flags + ["-O2", "-fopt-info-optimized-ipa=" +
                                         work.path("folded.txt"), "-c", "-x", "c", "-o",
                                         "/dev/null", "a.c"], cwd=work.dir)
    with open(work.path("folded.txt"), encoding="utf-8") as stream:
        told = stream.read()
    if told.count("Semantic equality hit") < len(names) - 1:
        raise Skip("this compiler folds nothing here:\n" + told)


@test
def folded_stubs(work):
    """Empty functions are called like the one that all were folded into."""
    names = ["one", "two", "three"]
    for number, (attribute, want) in enumerate(FOUR.items()):
        for body, result in (("{ }", "void"), ("{ return 7; }", "int"),
                             ("{ return 0; }", "void *")):
            text = stubs(attribute, names, body, result)
            got = places(work, text)
            check_folded(work, text, names)
            equal([got[n] for n in names], [want] * 3, "%d: %s" % (number, text))


@test
def folded_not_known_into_which(work):
    """What may be the twin is called in two ways: nobody knows which."""
    names = ["one", "two", "three"]
    plain, linkage = stubs("", names), stubs(LINKAGE, ["four", "five"])
    got = places(work, plain + linkage)
    check_folded(work, plain + linkage, names)
    for name, line in got.items():
        want = FOUR[LINKAGE if name in ("four", "five") else ""]
        check(line in (want, ["?"] * 4), "%s: %r" % (name, line))
    equal(sum(line == ["?"] * 4 for line in got.values()), 3, "functions folded")


# Functions inlined everywhere: text, and whether one may be the twin
INLINED = [
    ("static void %s" + PARAMS + " { sink += a; }", True),
    (LINKAGE + " static void %s" + PARAMS + " { sink += a; }", True),
    # types, their number and the result differ
    ("static int %s" + PARAMS + " { return sink += a; }", False),
    ("static void %s(void *d, int a, int b, void *c) { sink += a; }", False),
    ("static void %s(void *d, int a, int b, short c) { sink += a; }", False),
    ("static void %s(int d, int a, int b, int c) { sink += a; }", False),
    ("static void %s(void *d, int a, int b, int c, int e) { sink += a; }", False),
    ("static void %s(char *d, unsigned a, int b, int c) { sink += a; }", True),
    # it does something
    ("static void %s" + PARAMS + " { sink += ext(a); }", False),
    ("static void %s" + PARAMS + " { if (a > b) { int x = c; ext(x + 1); } }", False),
    # the kernel doesn't trace it
    ("static inline void %s" + PARAMS + " { sink += a; }", False),
]


@test
def folded_beside_inlined(work):
    """A function inlined everywhere may be the twin unless something shows that not."""
    names = ["one", "two", "three"]
    for number, (inlined, may_be) in enumerate(INLINED):
        text = inlined % "inl" + "\n" + stubs("", names) + \
            "int caller(void *d, int a) { inl(d, a, 5, 6%s); return sink; }\n" % (
                ", 7" if "int e" in inlined else "")
        got = places(work, text, name="i%d" % number)
        known = [got[n] == FOUR[""] for n in names]
        equal(sorted(known), [False, False, True] if may_be else [True] * 3, text)
        check(all(got[n] in (FOUR[""], ["?"] * 4) for n in names), got)


@test
def folded_in_joined_units(work):
    """The symbol of an inlined function may be that of another unit's."""
    plain = places(work, INLINED[0][0] % "inl" + "\n" + stubs("", ["one", "two", "three"]) +
                   "void caller(void *d, int a) { inl(d, a, 5, 6); }\n")
    run(["cp", work.path("a.o"), work.path("one.o")])
    places(work, "static __attribute__((used)) int inl(int a) { return ext(a) + 1; }\n"
           "int user(int a) { return ext(a); }\n", name="b")
    both = work.path("both.o")
    work.ld("-r", "-o", both, work.path("one.o"), work.path("b.o"))
    joined = {symbol: [place for _, place in line.params]
              for symbol, line in work.by_name(both).items()}
    for name in ("one", "two", "three"):
        equal(joined[name], plain[name], name)


LONG = "{ for (int i = a; i < b; i++) { ext(i); ext(i + a); sink ^= ext(i * %s); " \
    "sink -= i; sink ^= ext(sink); } return ext(a) + ext(b) + 3; }"


def pair(attribute, params, last):
    return "".join("%s int %s(%s) %s\n" % (attribute, name, params, LONG % last)
                   for name in ("one", "two"))


@test
def folded_jump(work):
    """A jump to the other function leaves all arguments where they are."""
    for number, (attribute, want) in enumerate(FOUR.items()):
        for flags in ([], ["-ffunction-sections"], ["-Os"]):
            got = places(work, pair(attribute, "int d, int a, int b, int c", "c"), flags,
                         "j%d" % number)
            equal([got[n] for n in ("one", "two")], [want] * 2, attribute)


@test
def folded_call(work):
    """So does a call, if none of them is on the stack."""
    flags = ["-fno-optimize-sibling-calls", "-fno-omit-frame-pointer"]
    got = places(work, pair("", "int a, int b, int c", "c"), flags)
    equal(got["two"], ["eax", "edx", "ecx"], "three registers")
    for attribute, params in ((LINKAGE, "int a, int b, int c"), ("", "int d, int a, int b, int c")):
        got = places(work, pair(attribute, params, "c"), flags)
        want = FOUR[attribute][:params.count("int")]
        check(got["one"] == want and
              all(p in (w, "?") for p, w in zip(got["two"], want)), got)


CALLS = """
%s int one(int a, int b) { return %s; }
%s int two(int a, int b) { return %s; }
"""


@test
def folded_jump_elsewhere(work):
    """A jump to a function of other types, or to another object, tells nothing."""
    for attribute in ("", LINKAGE):
        other = LINKAGE if not attribute else ""
        # wherever the section starts
        text = "%s int first(int a, int b) { return ext(a) + b; }\n" % other + CALLS + \
            "%s int last(int a, int b) { return ext(a) - b; }\n" % other
        for target, before in (
                ("outside(a, b)", "%s int outside(int, int);" % attribute),
                ("here(a)", "%s __attribute__((noinline)) int here(int d) { return ext(d) + 3; }" %
                 attribute)):
            got = places(work, before + text % (attribute, target, attribute, target))
            want = FOUR[attribute][:2]
            check(all(p in (w, "?") for n in ("one", "two") for p, w in zip(got[n], want)), got)
            check("?" in got["one"] + got["two"], "both are known: %r" % got)


TYPES = ["int", "long", "void *", "char *", "unsigned char", "long long", "struct two",
         "struct big", "short"]
BODIES = {"void": ["{ }", "{ sink += 3; }", "{ ext(1); }"],
          "int": ["{ return 0; }", "{ return 9; }", "{ return ext(4) + 2; }", "{ return sink; }"],
          "char *": ["{ return 0; }", "{ return (char *)&sink; }"]}
ATTRIBUTES = ["", "", "", LINKAGE, "__attribute__((regparm(2)))", "__attribute__((fastcall))"]


def random_program(rng):
    """Functions, many of which are alike: static or not, called or not."""
    text = "int ext(long), sink; struct two { short a, b; }; struct big { int a[5]; };\n"
    heads = [(rng.choice(list(BODIES)), [rng.choice(TYPES) for _ in range(rng.randrange(6))])
             for _ in range(4)]
    calls = used = ""
    for number in range(rng.randrange(5, 25)):
        result, params = rng.choice(heads)
        link = rng.choice(["", "", "static ", "static inline NOTRACE "])
        text += "%s %s%s f%d(%s) %s\n" % (
            rng.choice(ATTRIBUTES), link, result, number,
            ", ".join("%s p%d" % (t, i) for i, t in enumerate(params)) or "void",
            rng.choice(BODIES[result]))
        if link and rng.random() < 0.5:
            used += "(void *)f%d, " % number
        elif link or rng.random() < 0.2:
            calls += "\tf%d(%s);\n" % (number, ", ".join(
                "(%s){ 0 }" % t if "struct" in t else "(%s)(long)x" % t for t in params))
    return text + "void caller(int x)\n{\n%s}\nvoid *used[] = { %s 0 };\n" % (calls, used)


@test
def folded_by_chance(work):
    """What is told of folded functions is what is so without folding."""
    work.machine = X86_32
    rng = random.Random(5)
    notrace = "-DNOTRACE=__attribute__((no_instrument_function))"
    folded = known = 0
    for number in range(60):
        text = random_program(rng)
        flags = [rng.choice(["-O2", "-O2", "-Os", "-O3"]), "-g", notrace,
                 rng.choice(["-foptimize-sibling-calls", "-fno-optimize-sibling-calls"])]
        with_it, without = (
            work.by_name(work.compile(text, "r%d%s" % (number, icf), flags + [icf]))
            for icf in ("-fipa-icf", "-fno-ipa-icf"))
        for symbol, line in with_it.items():
            if "." in symbol or symbol not in without:
                continue
            truth = without[symbol]
            for (name, place), (_, want) in zip(line.params, truth.params):
                check(place in (want, "?"), "%s: %s is at %s, not %s:\n%s" % (
                    symbol, name, place, want, text))
                folded += 1
                known += place != "?"
            check(line.ret in (truth.ret, "?"), "%s: result" % symbol)
    check(known > folded * 0.8, "only %d of %d are known" % (known, folded))
