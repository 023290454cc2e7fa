# SPDX-License-Identifier: GPL-2.0
"""Functions that assign to a parameter before they do anything else.

Such an assignment often takes no instruction, so DWARF may give the parameter its new
value, or the place of that, from the function's first address on.  The functions are
run, and what callers passed is compared with what the tool claims.
"""

import random

from harness import X86_32, X86_64, both, check, test
from test_truth import Program, Verifier

HEAD = """
#include "truth.h"
struct link { struct link *next; long v; };
struct two { int x, y; };
static struct link other = { &other, 7 };
long ext(long a, long b, long c) NOTRACE;
#define CALLER static NOTRACE __attribute__((noinline)) void
"""
OUTSIDE = """
#include "truth.h"
long ext(long a, long b, long c);
long ext(long a, long b, long c)
{
	return truth_random() & 3;
}
"""

# Types of parameters, and what they are cast to for ext()
KINDS = {
    "int": "(long)@", "unsigned int": "(long)@", "long": "@", "unsigned char": "(long)@",
    "short": "(long)@", "_Bool": "(long)@", "unsigned long long": "(long)@", "char *": "(long)@",
    "struct link *": "(long)@", "struct two": "(long)@.x",
}
NUMBERS = [k for k in KINDS if "*" not in k and "struct" not in k and k != "_Bool"]

# What a function does first; "a" and "b" are parameters of one type
ACTS = {
    "constant": "a = 5;", "other": "a = b;", "loop": "while (a-- > 1) ext((long)a, 0, 1);",
    "swap": "@ t = a; a = b; b = t;", "or": "a |= 0x40;", "add": "a += 3;",
    "if_same": "if (a == 3) a = b;", "if_other": "if (b == 3) a = 4;",
    "both": "a = b; b = 6;", "in_if": "if ((a = b) && ext(1, 2, 3)) ext(4, 5, 6);",
    "comma": "if (ext(1, 1, 1) || (a = b, ext(2, 2, 2))) ext(3, 3, 3);",
    "in_declaration": "@ t = (a = b); ext((long)t, 1, 0);", "down": "do ext((long)a, 0, 2); while (--a > 1);",
    "for": "for (a = 2; a; a--) ext((long)a, 1, 2);", "mask": "a &= 7; b = a;",
}
POINTER_ACTS = {
    "null": "a = 0;", "other": "a = b;", "swap": "@ t = a; a = b; b = t;", "both": "a = b; b = 0;",
    "in_if": "if ((a = b) && ext(1, 2, 3)) ext(4, 5, 6);",
}
LINK_ACTS = dict(POINTER_ACTS, **{
    "next": "a = a->next;", "address": "a = &other;", "other_next": "a = b->next;",
    "next_and_b": "a = a->next; b = a;", "walk": "for (; a->v & 1; a = a->next) ext(a->v, 1, 1);",
    "for_next": "for (a = a->next; a->v & 1; a = a->next) ext(a->v, 1, 1);",
    "for_other": "for (a = b->next; a->v & 1; a = a->next) ext(a->v, 1, 1);",
})
BOOL_ACTS = {"constant": "a = 1;", "other": "a = b;", "not": "a = !a;", "both": "a = b; b = 0;"}
STRUCT_ACTS = {"other": "a = b;", "member": "a.x = 5;", "swap": "@ t = a; a = b; b = t;",
               "constant": "a = (struct two){ 1, 2 };"}


def acts_of(kind):
    return {"struct link *": LINK_ACTS, "char *": POINTER_ACTS, "_Bool": BOOL_ACTS,
            "struct two": STRUCT_ACTS}.get(kind, ACTS)


class Function:
    """A function whose parameters a and b, among others, are assigned to first."""

    def __init__(self, rng, number, kind, act):
        self.name = "as%d" % number
        self.kind, self.act = kind, act
        self.params = [("a", kind), ("b", kind)]
        for i in range(rng.choice([0, 1, 2, 2, 3, 5, 7])):
            self.params.insert(rng.randrange(len(self.params) + 1),
                               ("m%d" % i, rng.choice(list(KINDS))))
        self.static = rng.random() < 0.75
        self.split = rng.random() < 0.25
        self.roles = {name: rng.choice(["used", "used", "constant", "unused", "field"])
                      for name, _ in self.params}
        self.result = rng.choice(["void", "long"])

    def declare(self, kind, name):
        return kind + ("" if kind.endswith("*") else " ") + name

    def use(self, name, kind):
        role = self.roles[name]
        if role == "unused" and name not in "ab":
            return ""
        is_null = name in "ab" and self.act in ("null", "both")
        if kind == "struct link *" and role == "field" and not is_null:
            return "\text(%s->v, 1, %d);\n" % (name, len(name))
        cast = KINDS[kind].replace("@", name)
        return "\text(%s, 2, %d);\n\text(3, %s, 4);\n" % (cast, len(name), cast)

    def text(self, rng):
        head = ", ".join(self.declare(kind, name) for name, kind in self.params)
        body = ""
        if self.split:
            body += "\tif (ext(0, 0, 0) < 2)\n\t\treturn%s;\n" % (
                " 9" if self.result == "long" else "")
        body += "\t" + acts_of(self.kind)[self.act].replace("@", self.kind) + "\n"
        uses = [self.use(name, kind) for name, kind in self.params if rng.random() < 0.8]
        rng.shuffle(uses)
        body += "".join(uses)
        body += "\treturn ext(5, 6, 7);\n" if self.result == "long" else "\text(5, 6, 7);\n"
        attribute = "" if self.split else "__attribute__((noinline)) "
        return "%s%s%s %s(%s)\n{\n%s}\n" % ("static " if self.static else "", attribute,
                                            self.result, self.name, head, body)

    def constant(self, kind, rng):
        if kind in NUMBERS:
            return "(%s)%d" % (kind, rng.choice([1, 2, 3, 16, 100]))
        return {"_Bool": "(_Bool)1", "char *": "(char *)0"}.get(kind)

    def caller(self, number, constants):
        text = "CALLER call_%s_%d(void)\n{\n" % (self.name, number)
        args = []
        for name, kind in self.params:
            fixed = self.roles[name] == "constant" and constants.get(name)
            text += "\t%s;\n" % self.declare(kind, "v_" + name)
            if fixed:
                text += "\tv_%s = %s;\n" % (name, fixed)
            elif kind == "struct link *":
                text += "\tstruct link l_%s[3];\n\ttruth_fill(l_%s, sizeof(l_%s));\n" % (
                    name, name, name)
                text += "\tfor (int i = 0; i < 3; i++)\n\t\tl_%s[i].next = &l_%s[(i + 1) %% 3];\n" % (
                    name, name)
                text += "\tl_%s[2].v = 0;\n\tv_%s = l_%s;\n" % (name, name, name)
            elif kind == "_Bool":
                text += "\tv_%s = truth_random() & 16;\n" % name
            else:
                text += "\ttruth_fill(&v_%s, sizeof(v_%s));\n" % (name, name)
                if kind in NUMBERS:
                    text += "\tv_%s = (unsigned char)v_%s %% 30 + 2;\n" % (name, name)
            args.append(fixed or "v_" + name)
        text += "\ttruth_call(\"%s\");\n" % self.name
        for name, kind in self.params:
            text += "\t{ %s = v_%s; %s; __builtin_memset(&m, -1, sizeof(m));" \
                    " truth_arg(&c, &m, sizeof(m)); }\n" % (
                        self.declare(kind, "c"), name, self.declare(kind, "m"))
        return text + "\t%s(%s);\n}\n" % (self.name, ", ".join(args))


def texts(rng, count, attribute=""):
    """The program: each act of each kind at least once, and more by chance."""
    cases = [(kind, act) for kind in KINDS for act in acts_of(kind)]
    while len(cases) < count:
        cases.append(rng.choice(cases))
    text, calls, functions = HEAD, "", []
    for number, (kind, act) in enumerate(cases):
        function = Function(rng, number, kind, act)
        functions.append(function)
        text += attribute + function.text(rng)
        constants = {name: function.constant(kind, rng) for name, kind in function.params}
        for copy in range(2):
            text += function.caller(copy, constants)
            calls += "\tcall_%s_%d();\n" % (function.name, copy)
    return text + "void truth_run(void)\n{\n%s}\n" % calls, functions


def assigned(work, machine, flags, seed, count=200, cc=None):
    """What is claimed is right; return the shares of what is known."""
    rng = random.Random(seed)
    text, functions = texts(rng, count)
    program = Program(work, {"assigned": text}, ["-g"] + list(flags) + machine.general,
                      machine.general, {"outside": OUTSIDE}, machine=machine, cc=cc)
    verifier = Verifier(program).run()
    check(len(verifier.entered) >= len(functions) // 2, "only %d ran" % len(verifier.entered))
    ordinary = [line for name, line in program.lines.items() if "." not in name]
    clones = [line for name, line in program.lines.items() if "." in name]
    check(cc or len(clones) > 30, "only %d clones" % len(clones))
    return known(ordinary), known(clones)


def known(lines):
    places = [place for line in lines for _, place in line.params]
    return 100 * sum(place != "?" for place in places) // max(1, len(places))


NO_VIEWS = "-gno-variable-location-views"
# name, flags, least that is known of ordinary functions' parameters and of clones', %.
# x86-32: where DWARF does not tell for sure what comes in, it cannot tell regparm either
NO_CONVENTION = 40
CASES = [
    ("O2", ["-O2"], 100, 75), ("Os", ["-Os", "-fipa-cp-clone"], 100, 75), ("O3", ["-O3"], 100, 75),
    ("O1", ["-O1", "-fipa-cp", "-fipa-cp-clone", "-fipa-sra"], 100, 75),
    ("dwarf4", ["-O2", "-gdwarf-4"], 100, 75), ("endbr", ["-O2", "-fcf-protection=branch"], 100, 75),
    ("split", ["-O2", "-gsplit-dwarf"], 100, 75),
    ("split4", ["-O2", "-gsplit-dwarf", "-gdwarf-4"], 100, 75),
    ("compressed", ["-O2", "-gz=zlib"], 100, 75),
    ("frame_pointer", ["-O2", "-fno-omit-frame-pointer"], 100, 75),
    ("sections", ["-O2", "-ffunction-sections"], 100, 75),
    ("incompatible", ["-O2", "-gvariable-location-views=incompat5"], 90, 0),
    ("incompatible4", ["-O2", "-gdwarf-4", "-gvariable-location-views=incompat5"], 90, 0),
    ("no_views", ["-O2", NO_VIEWS], 90, 0), ("no_views_Os", ["-Os", NO_VIEWS], 90, 0),
    ("no_views_dwarf4", ["-O3", NO_VIEWS, "-gdwarf-4"], 90, 0),
    ("strict", ["-O2", "-gstrict-dwarf"], 90, 0),
    ("strict_dwarf4", ["-O2", "-gdwarf-4", "-gstrict-dwarf"], 90, 0),
    ("strict_views", ["-O2", "-gstrict-dwarf", "-gvariable-location-views"], 90, 0),
    ("no_statements", ["-O2", "-gno-statement-frontiers"], 90, 0),
    ("no_assignments", ["-O2", "-fno-var-tracking-assignments"], 90, 0),
    ("no_switches", ["-O2", "-gno-record-gcc-switches"], 90, 0),
    ("no_tracking", ["-O2", "-fno-var-tracking"], 90, 0),
]


def register(name, flags, ordinary, clones, machine, seed):
    def func(work):
        got = assigned(work, machine, flags, seed)
        check(got[0] >= ordinary, "only %d%% of parameters are known" % got[0])
        check(got[1] >= clones, "only %d%% of clones' parameters are known" % got[1])
    func.__name__ = "assigned%s_%s" % ("32" if machine is X86_32 else "", name)
    test(func)


for _number, (_name, _flags, _ordinary, _clones) in enumerate(CASES):
    register(_name, _flags, _ordinary, _clones, X86_64, 100 + _number)
    register(_name, _flags, _ordinary if _ordinary == 100 else NO_CONVENTION,
             _clones and 70, X86_32, 200 + _number)


# A loop begins at once: gcc loses the mark of the statement that assigns
LOOPS = """
struct link { struct link *next; long v; struct link *other; };
struct pair { int count, b; };
long ext(long, long, long);
#define LONG static __attribute__((noinline)) long
LONG next(struct link *p, long q)
{ for (p = p->next; p; p = p->next) ext(p->v, q, 1); return ext(q, 1, 1); }
LONG count(struct pair *s, int n)
{ for (n = s->count; n; n--) ext(n, 2, 3); return ext(1, 1, 1); }
LONG last(long q, struct link *p)
{ for (p = p->next; p; p = p->next) if (p->v == q) return 1; return 0; }
LONG other(long q, struct link *p, struct link *r)
{ for (p = r; p; p = p->next) if (p->v == q) return 1; return 0; }
LONG of_other(long q, struct link *p, struct link *r)
{ for (p = r->next; p; p = p->next) if (p->v == q) return 1; return 0; }
LONG straight(struct link *p, long q)
{ p = p->next; ext((long)p, q, 4); return ext(q, (long)p, 1) + 1; }
long caller(struct link *p, struct pair *s, long q)
{
	return next(p->other, q) + next(p->other->other, 3 * q) + count(s, q) + count(s + q, 6) +
	       last(q, p) + last(q + 1, p->next) + other(q, p, p->other) +
	       other(q + 1, p->next, p) + of_other(q, p, p->other) +
	       of_other(q + 1, p->next, p) + straight(p, q) + straight(p->other, q + 2);
}
"""
LOST = {"next": "p", "count": "n", "last": "p", "other": "p", "of_other": "p", "straight": "p"}


@both
def assigned_by_loops(work):
    """What a copy is passed in a parameter's stead is not taken for the parameter."""
    for level in ("-O1", "-O2", "-Os", "-O3"):
        for views in ([], ["-gno-variable-location-views"]):
            lines = work.printed(work.compile(LOOPS, flags=["-g", level, "-fipa-sra"] + views))
            for line in lines:
                name, _, suffix = line.symbol.partition(".")
                if "isra" in suffix or "constprop" in suffix:
                    place = line.places[LOST[name]]
                    check(place in ("?", "removed"), "%s: %s" % (level, line.text))


NOT_FOLLOWED = """
long walk(long, void *, long, void *, void *, void *);
long lock(long), unlock(long);
int other(int a) { return lock(a) + unlock(a + 1); }
__attribute__((optimize("no-var-tracking"))) long moved(char *id, void *fn, void *context, void **ret)
{
	void *info[] = { fn, context };
	long status;
	if (!fn || !id)
		return 1;
	status = lock(3);
	if (!status)
		status = walk(6, id, 10, info, fn, ret);
	return status + unlock((long)id);
}
"""


@both
def function_not_followed(work):
    """One register for all of a function, whose values nobody followed, shows nothing."""
    for level in ("-O2", "-Os", "-O1"):
        line = work.by_name(work.compile(NOT_FOLLOWED, flags=["-g", level]))["moved"]
        want = (work.machine.regs + ["stack+0"])[:4]
        for (name, place), usual in zip(line.params, want):
            check(place in (usual, "?") and (place != "?" or work.machine is X86_32),
                  "%s: %s" % (level, line.text))


# gcc describes these by one place for all of the function, which is not where they
# come in: values of two registers, and any where it does not follow assignments
ONE_PLACE = """
struct node { struct node *next, *prev; long val; int k; };
struct pair { int a, b; };
extern struct node nodes[64];
extern volatile long longs[64], sink;
extern volatile __int128 wides[2];
extern volatile struct pair pairs[2];
extern void ext(long), extp(void *);
int take(__int128 wide, int a, struct pair pair);

static __attribute__((noinline)) long two_words(__int128 wide, unsigned short a)
{
	__int128 copy = wide;
	struct pair pair = { longs[16], longs[2] + 9 };

	wides[0] = copy;
	pairs[0] = pair;
	return take(copy, a, pair);
}

static __attribute__((noinline)) int set_late(struct node *p, int x)
{
	extp(p);
	x = (int)(long)p;
	while (p->k & 3) {
		p = p->prev;
		ext(1);
	}
	ext(x);
	return p->val;
}

int run(void)
{
	sink += two_words(longs[12], 41);
	return set_late(&nodes[3], longs[1]) + set_late(&nodes[3], longs[2]);
}
"""


@test
def assigned_in_one_place(work):
    """A register for all of a copy is not believed where gcc does not follow values."""
    for flags in (["-fno-var-tracking-assignments"], ["--param=max-vartrack-size=1"], []):
        for level in ("-O2", "-Os", "-O3"):
            lines = work.printed(work.compile(
                ONE_PLACE, flags=["-g", level, "-fipa-cp", "-fipa-cp-clone"] + flags))
            for line in lines:
                name, _, suffix = line.symbol.partition(".")
                wrong = {"two_words": ("wide", "r8+r9"), "set_late": ("x", "rdi")}.get(name)
                if wrong and suffix:
                    check(line.places[wrong[0]] != wrong[1], "%s: %s" % (level, line.text))
