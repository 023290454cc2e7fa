# SPDX-License-Identifier: GPL-2.0
"""Members of structures: where the table has them is where the compiler puts them.

For each member there is a constant in which only this one has all bits set, so the
compiler's own bytes tell its place.
"""

from harness import Elf, both, check, equal
from table_types import DECLARATION, STUB, Types

STRUCTS = r"""
#define packed __attribute__((packed))
struct node { struct node *next, **prev; int value; };
struct plain { char a; short b; long c; long long d; void *e; _Bool f; int g[3]; char h[2][3]; };
struct fields {
    int a:3; unsigned b:7; long long c:40; unsigned long long d:24; _Bool e:1;
    unsigned char f:4; unsigned char g:4; int :0; short h:9; unsigned i:32; enum { X = 5 } j:4;
};
struct tight { char a; int b:17; long long c:33; unsigned d; short e:9; } packed;
struct aligned { char a; int b __attribute__((aligned(32))); char c; } __attribute__((aligned(64)));
union choice { char a; long b; struct { short x, y; } c; int d:5; };
struct nested {
    int a;
    union { int b; struct { char c, d; }; unsigned e:3; };
    struct { int x; union { int y; long z; }; } in;
    union choice u;
    struct plain list[2];
    const volatile struct fields f;
    struct tight t;
};
typedef struct { int a; struct { int b; } c[2]; } unnamed_t;
struct user { unnamed_t n; unnamed_t *p; unsigned char last:7; };
"""

# Each member, as C writes it
MEMBERS = {
    "struct node": ["next", "prev", "value"],
    "struct plain": ["a", "b", "c", "d", "e", "f", "g[0]", "g[2]", "h[1][2]"],
    "struct fields": list("abcdefghij"),
    "struct tight": list("abcde"),
    "struct aligned": list("abc"),
    "union choice": ["a", "b", "c.x", "c.y", "d"],
    "struct nested": ["a", "b", "c", "d", "e", "in.x", "in.y", "in.z", "u.a", "u.c.y", "u.d",
                      "list[1].d", "list[0].h[1][0]", "f.c", "f.j", "t.b", "t.c", "t.d"],
    "struct user": ["n.a", "n.c[1].b", "p", "last"],
}
POINTERS = [("struct node", "next"), ("struct node", "prev"), ("struct plain", "e"),
            ("struct user", "p")]


def program():
    lines = [STRUCTS]
    for number, (tag, members) in enumerate(MEMBERS.items()):
        lines.append("void use_%d(%s *p) { }" % (number, tag))
        for i, member in enumerate(members):
            lines.append("const %s only_%d_%d = { .%s = %s-1 };" %
                         (tag, number, i, member, "(void *)" if (tag, member) in POINTERS else ""))
    return "\n".join(lines)


def bits_of(elf, name):
    """(first, number) of the bits that are set in a constant"""
    for symbol in elf.symbols:
        if symbol.name == name:
            data = elf.sections[symbol.shndx].data[symbol.value:symbol.value + symbol.size]
            value = int.from_bytes(data, "little")
            first = (value & -value).bit_length() - 1
            number = value.bit_length() - first
            check(value == (1 << number) - 1 << first, "%s: bits with gaps" % name)
            return first, number
    raise AssertionError(name)


def compare(work, name, flags):
    obj = work.compile(program(), name, flags)
    work.rmc(obj)
    elf, types = Elf(obj), Types(obj, ".ftrace_sig")
    for number, (tag, members) in enumerate(MEMBERS.items()):
        at = types.one(tag.split()[1])
        for i, member in enumerate(members):
            want = bits_of(elf, "only_%d_%d" % (number, i))
            got = types.place(at, member)
            # of a _Bool only the lowest bit is ever set
            if want[1] == 1:
                got = got[0], 1
            equal(got, want, "%s %s.%s" % (flags, tag, member))


@both
def members_places(work):
    for dwarf in ("-gdwarf-5", "-gdwarf-4", "-gdwarf-3", "-gdwarf-2"):
        compare(work, dwarf[1:], ["-O2", dwarf])


@both
def members_places_strict(work):
    """gcc's extensions of older DWARF forbidden: bit fields by storage unit"""
    for dwarf in ("-gdwarf-4", "-gdwarf-3", "-gdwarf-2"):
        compare(work, "s" + dwarf[1:], ["-O2", dwarf, "-gstrict-dwarf"])


FLEXIBLE = """
struct tail { int nr; short list[]; };
struct none { int nr; long list[0]; char more; };
struct empty { };
struct holder { char c; struct empty e; struct tail *t; };
int f(struct tail *t, struct none *n, struct holder *h, struct empty *e) { return 0; }
"""


@both
def members_without_size(work):
    obj = work.compile(FLEXIBLE, flags=["-O2", "-g"])
    work.rmc(obj)
    types = Types(obj, ".ftrace_sig")
    equal(types.place(types.one("tail"), "list"), (32, 0), "flexible array")
    equal(types.place(types.one("none"), "list")[1], 0, "array of no elements")
    equal(types.place(types.one("holder"), "e"), (8, 0), "empty structure")
    empty = types.one("empty")
    equal((types.bytes(empty), list(types.members(empty))), (0, []), "empty structure")


def link(work, *sources):
    objs = []
    for i, source in enumerate(sources):
        objs.append(work.compile(source, "o%d" % i, ["-O2", "-g"]))
        work.rmc(objs[-1])
    module = work.path("m.ko")
    work.ld("-r", "-o", module, *objs)
    work.rmc("--link-module", module)
    return Types(module, "__ftrace_signatures"), [Types(o, ".ftrace_sig") for o in objs]


OUTER = "struct outer { struct inner *p; const struct inner *q; };\n"


@both
def members_pointed_to(work):
    """What a member points to is a stub in the object, and defined where it is known."""
    types, objs = link(work, "struct inner;\n" + OUTER + "void f(struct outer *o) { }",
                       "struct inner { int a; struct outer *back; };\n" + OUTER +
                       "struct more { struct inner (*r)[2]; };\n"
                       "void g(struct inner *i, struct outer *o, struct more *m) { }")
    for obj in objs:
        outer = obj.one("outer")
        stub = obj.target(outer, "p")
        equal((obj.flags(stub), obj.name(stub), obj.bytes(stub)), (STUB, "inner", 0), "stub")
        equal(len(obj.all("outer")), 1, "definitions of outer")
    outer, inner = types.one("outer"), types.one("inner")
    equal(types.all("inner", False), [], "stubs left")
    equal(types.target(outer, "p"), inner, "p")
    equal(types.target(outer, "q"), inner, "const q")
    equal(types.target(inner, "back"), outer, "back")
    array = types.target(types.one("more"), "r")
    equal((types.words[array + 2], types.bytes(array)), (inner, 2 * types.bytes(inner)), "r")


@both
def members_ambiguous(work):
    """Two units mean different structures by one name: neither is taken for the other."""
    use = "void f%d(struct inner *i, struct outer *o) { }"
    types, _ = link(work, "struct inner { int a, b; };\n" + OUTER + use % 1,
                    "struct inner { int c, d; };\n" + OUTER + use % 2)
    equal(len(types.all("inner")), 2, "definitions")
    target = types.target(types.one("outer"), "p")
    check(not types.is_full(target), "one of two was taken")


@both
def members_private(work):
    """A definition that only a member points to counts, too, by its line and its size."""
    types, _ = link(work, "struct inner { int a, b; };\n" + OUTER +
                    "void f(struct inner *i) { }",
                    "\n\nstruct inner { int c, d; };\nstruct dev { struct inner *mine; };\n"
                    "void g(struct dev *d) { }")
    target = types.target(types.one("dev"), "mine")
    check(not types.is_full(target), "another unit's structure was taken")
    equal(len(types.all("inner")), 1, "definitions")


@both
def members_size_of_stub(work):
    """No function knows its members, but its size is known."""
    types, _ = link(work, "struct inner { int a, b, c; };\n" + OUTER + "void f(struct outer *o) { }")
    stub = types.target(types.one("outer"), "p")
    equal((types.flags(stub), types.bytes(stub)), (STUB, 12), "stub")


@both
def members_declared(work):
    """A parameter's structure that its unit only declares gets another unit's members."""
    types, objs = link(work, "struct inner;\nvoid f(struct inner *i) { }",
                       "struct inner { int a; };\nvoid g(struct inner *i) { }")
    equal(objs[0].flags(objs[0].one("inner", False)), DECLARATION, "declaration")
    equal((len(types.all("inner")), types.all("inner", False)), (1, []), "definitions")


@both
def members_by_value(work):
    types, _ = link(work, "struct two { short a, b; };\n"
                    "struct two f(struct two t) { t.a++; return t; }")
    equal([m[0] for m in types.members(types.one("two"))], ["a", "b"], "members")


@both
def members_many(work):
    """A huge structure, and a deep one"""
    many = "struct many { %s };\n" % " ".join("int m%d;" % i for i in range(3000))
    deep = "struct d0 { int x; };\n" + "".join(
        "struct d%d { int y; struct d%d in; };\n" % (i, i - 1) for i in range(1, 30))
    types, _ = link(work, many + deep + "struct large { char c[1 << 25]; int after; };\n"
                    "void f(struct many *m, struct d29 *d, struct large *l) { }")
    equal(types.place(types.one("many"), "m2999"), (2999 * 32, 32), "the last of many")
    equal(types.place(types.one("d29"), ".".join(["in"] * 29 + ["x"])), (29 * 32, 32), "deepest")
    # its size does not fit
    check(types.all("large", False) and not types.all("large"), "a structure of 32 MB")


@both
def members_printed(work):
    obj = work.compile("struct pair { short a; int b:3; union { int c; char d[2]; }; "
                       "struct pair *next; };\nvoid f(struct pair *p) { }", flags=["-O2", "-g"])
    want = ["union {...}\t4", "\t0\tint c", "\t0\tchar d[2]",
            "struct pair\t%d" % (16 if work.machine.word == 8 else 12),
            "\t0\tshort int a", "\t16\tint b:3", "\t32\tunion {...}",
            "\t64\tstruct pair *next"]
    equal(work.rmc("--members", obj).stdout.splitlines(), want, "of an object")
    work.rmc(obj)
    equal(work.rmc("--members", obj).stdout.splitlines(), want, "once it is processed")
    work.rmc("--link-module", obj)
    lines = work.rmc("--members", obj).stdout.splitlines()
    equal(sorted(lines), sorted(want), "of a module")
