# SPDX-License-Identifier: GPL-2.0
"""Where a function's results come from, as plugin/returns.cc finds it."""

import os

import compiler_word
from harness import equal, read, run, test, write

HEAD = """
struct s { int error, nr; unsigned char byte; unsigned int word; };
extern int ext(void);
extern long wide(void);
extern void fill(int *p);
extern int v;
"""
# Each function, and the sources of its results
CASES = {
    "int f(struct s *s) { return s->error; }": ["field:error"],
    "int f(struct s *s) { return s->nr; }": ["field:nr"],
    "int f(struct s *s) { return s->word; }": ["field:word"],
    "int f(void) { return v; }": ["field:v"],
    "int f(int *p) { return p[3]; }": ["field:"],
    "int f(void) { int l; fill(&l); return l; }": ["local:l"],
    "int f(struct s a) { return a.nr; }": ["field:nr"],
    "int f(int x) { return x; }": ["param:x"],
    "int f(int x) { if (x) return -22; return ext(); }": ["call:ext", "const:-22"],
    "int f(int x) { switch (x) { case 1: return -1; case 2: return 5; } return 0; }": ["const:-1"],
    "int f(int x) { return x ? ext() : (int)wide(); }": ["call:ext", "call:wide"],
    "int f(int x) { int r = 0; while (x-- && !r) r = ext(); return r; }": ["call:ext"],
    "int f(void) { return __builtin_expect(ext(), 0); }": ["call:ext"],
    "int f(int x) { int r = ext(); r |= wide(); return r; }": ["call:ext", "call:wide"],
    "long f(void *p) { return (long)p; }": ["pointer"],
    "int f(int (*g)(void)) { return g(); }": ["indirect"],
    "int f(int a, int b) { return a - b; }": ["op"],
    "int f(int a, int b) { return a & b; }": ["op"],
    "int f(int x) { return -x; }": ["minus"],
    "int f(int x) { return 1 - x; }": ["minus"],
    "int f(int x) { return x - 1; }": ["op"],
    "long f(void *p) { return (long)p >> 2; }": ["pointer"],
    "int f(void) { int r; asm(\"\" : \"=r\"(r)); return r; }": ["asm"],
    "unsigned int f(int x) { return x ? -12 : 5; }": ["const:-12"],
    "unsigned long f(int x) { return x ? -12 : 5; }": ["const:-12"],
    "unsigned short f(void) { return 65000; }": ["const:-536"],
    "long f(int x) { return x ? 0xfffffff4u : 5; }": [],
    # What is never negative
    "int f(struct s *s) { return s->byte; }": [],
    "long f(struct s *s) { return s->word; }": [],
    "int f(int x) { return x > 3 && x < 9; }": [],
    "int f(int x) { return x & 15; }": [],
    "int f(void) { return 7; }": [],
    "_Bool f(void) { return ext(); }": [],
}
# These return no integer
NONE = "void f%d(void) { ext(); }\nint *f%d(int *p) { return p; }\n"


def sign_of(case):
    return "unsigned" if case.startswith(("unsigned", "_Bool")) else "signed"


def sources(work, text, symbol):
    """{function: (its scope, its sources)}, as the plugin tells it."""
    plugin = compiler_word.build_plugin(os.path.join(os.path.dirname(work.dir), "returns.so"),
                                        work.cc[-1])
    path, out = write(work.path("returns.c"), HEAD + text), work.path("returns.txt")
    run(work.cc + ["-O2", "-S", "-o", os.devnull, "-fplugin=" + plugin,
                   "-fplugin-arg-returns-out=" + out, path])
    lines = [line.split("\t") for line in read(out).decode().splitlines()]
    return {name: tuple(words) for name, *words in lines if name.startswith(symbol)}


@test
def returns_sources(work):
    """Each kind of source is found, and nothing is where a result is never negative."""
    text = "".join(case.replace(" f(", " f%d(" % number) + "\n"
                   for number, case in enumerate(CASES))
    said = sources(work, text + NONE % (len(CASES), len(CASES) + 1), "f")
    wanted = {"f%d" % number: ("global", sign_of(case), *found)
              for number, (case, found) in enumerate(CASES.items())}
    equal(said, wanted, "sources")


@test
def returns_static(work):
    """A static function is told apart from a global one."""
    said = sources(work, "static int f1(int *p) { return *p - 1; }\n"
                         "int f2(int *p) { return f1(p); }\n", "f")
    equal(said, {"f1": ("static", "signed", "op"), "f2": ("global", "signed", "call:f1")},
          "sources")
