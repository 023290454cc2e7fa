# SPDX-License-Identifier: GPL-2.0
"""Functions that the optimizer cloned, merged or cut up."""

import random

from harness import BASE_FLAGS, X86_32, X86_64, Skip, check, equal, test
from test_truth import GENERAL, Program, Verifier, general_types, type_text

SOURCE = """
struct s { int a, b; long c; };
int ext(long, long, long);
static __attribute__((noinline)) int constprop(int a, int k, long *v, unsigned char u, long m)
{
	ext(a, k, m);
	return ext(k, *v, u) + k * 3 + a;
}
int caller1(long *v, int q)
{
	return constprop(q, 42, v, 200, -5) + constprop(q + 1, 42, v, 200, -5);
}
static __attribute__((noinline)) int isra(struct s *p, int z)
{
	ext(z, 0, 0);
	return p->c + ext(p->a, 1, 0);
}
int caller2(struct s *p, int x)
{
	isra(p, x);
	isra(p, x + 3);
	return 0;
}
static int part(struct s *p, int n)
{
	if (!p)
		return 0;
	for (int i = 0; i < n; i++)
		ext(i, n, 1), ext(i + 1, n, 2), ext(i, 3, n), ext(i, 4, n), ext(i, 5, n), ext(n, 6, i);
	return ext(p->a, n, 7) + ext(p->b, 1, 1);
}
int caller3(struct s *p) { return part(p, 3 + p->b); }
int caller4(struct s *p) { return part(p, 9 + p->a); }
int caller5(struct s *p) { return part(p + 1, p->a); }
"""


@test
def clones_of_gcc(work):
    """.constprop, .isra and .part, and what is known of each."""
    obj = work.compile(SOURCE, flags=["-O2", "-g"])
    lines = work.by_name(obj)
    for kind in ("constprop", "isra", "part"):
        if kind + "." + kind + ".0" not in lines:
            raise Skip("this compiler makes no ." + kind)
    line = lines["constprop.constprop.0"]
    equal(line.params, [("a", "rdi"), ("k", "const=42"), ("v", "rsi"), ("u", "const=200"),
                        ("m", "const=-5")], "constants")
    equal(line.ret, "rax", "result of .constprop")
    equal(lines["isra.isra.0"].ret, "?", "result of .isra")
    equal(lines["part.part.0"].ret, "?", "result of .part")


@test
def merged_functions(work):
    """Identical code: one function is a jump to the other, without DWARF address."""
    text = """
int ext(int, long, void *);
int one(int a, long b) { ext(a, b, 0); return ext(a + 1, b, 0) + 3; }
int two(int c, long d) { ext(c, d, 0); return ext(c + 1, d, 0) + 3; }
static __attribute__((used)) int three(int e, long f) { ext(e, f, 0); return ext(e + 1, f, 0) + 3; }
"""
    obj = work.compile(text, flags=["-O2", "-g"])
    lines = work.printed(obj)
    equal(sorted(line.proto for line in lines if line.symbol != "three"),
          ["int one(int a, long int b)", "int two(int c, long int d)"], "prototypes")
    for line in lines:
        equal([p for _, p in line.params], ["rdi", "rsi"], line.text)


@test
def merged_in_several_units(work):
    """Of two static functions of one name the one in the right unit is taken."""
    text = """
int ext(int, long, void *);
%s __attribute__((noinline, used)) same(%s) { ext(a, b, 0); return ext(a + 1, b, 0) + 3; }
int other%d(%s) { ext(a, b, 0); return ext(a + 1, b, 0) + 3; }
"""
    from harness import run
    one = work.compile(text % ("static int", "int a, long b", 1, "int a, long b"), "one",
                       ["-O2", "-g"])
    two = work.compile(text % ("static int", "int a, int b", 2, "int a, int b"), "two",
                       ["-O2", "-g"])
    both = work.path("both.o")
    run(["ld", "-r", "-o", both, one, two])
    protos = sorted(line.proto for line in work.printed(both) if line.symbol == "same")
    for proto in protos:
        check(proto in ("?", "int same(int a, long int b)", "int same(int a, int b)"), proto)
    others = sorted(line.proto for line in work.printed(both) if line.symbol.startswith("other"))
    equal(others, ["int other1(int a, long int b)", "int other2(int a, int b)"], "prototypes")


def clone_program(rng, types, count, machine=X86_64):
    """Static functions whose callers invite gcc to clone them.

    Functions note nothing themselves, so that nothing keeps their parameters.
    """
    text = type_text(types, machine) + "long sink; long ext(long a, long b) NOTRACE;\n"
    calls = ""
    for number in range(count):
        name = "cl%d" % number
        params = [rng.choice(types) for _ in range(rng.choice([1, 2, 3, 4, 5, 7, 9]))]
        roles = [rng.choice(["used", "used", "unused", "constant", "field"]) for _ in params]
        head = ", ".join(("struct pt *p%d" if role == "field" else t.declare("p%d")) % i
                         for i, (t, role) in enumerate(zip(params, roles)))
        ret = rng.choice(["void", "long"])
        shape = rng.choice(["noinline", "noinline", "split"])
        attr = "__attribute__((noinline)) " if shape == "noinline" else ""
        body = ""
        if shape == "split":
            body += "\tif (ext(0, 1) < 5)\n\t\treturn%s;\n" % (" 7" if ret == "long" else "")
        for i, (t, role) in enumerate(zip(params, roles)):
            if role == "field":
                body += "\text(p%d->%s, p%d->b);\n" % (i, rng.choice("ab"), i)
            elif role != "unused":
                body += "\tfor (int i = 0; i < 3; i++)\n"
                body += "\t\text(i, ((const unsigned char *)&p%d)[i %% sizeof(p%d)]);\n" % (i, i) \
                    if t.kind != "scalar" else "\t\text(i, (long)p%d);\n" % i
        body += "\tsink += ext(1, 2) + ext(3, 4) * ext(5, 6);\n"
        body += "\treturn ext(7, 8);\n" if ret == "long" else ""
        text += "static %s%s %s(%s)\n{\n%s}\n" % (attr, ret, name, head, body)
        constants = {i: rng.choice([0, 1, -1, 42, 200, -300, 70000])
                     for i, role in enumerate(roles) if role == "constant"}
        for copy in range(2):
            text += "static NOTRACE __attribute__((noinline)) void call_%s_%d(void)\n{\n" % (
                name, copy)
            args = []
            for i, (t, role) in enumerate(zip(params, roles)):
                if role == "field":
                    text += "\tstruct pt s%d; truth_fill(&s%d, sizeof(s%d));\n" % (i, i, i)
                    text += "\tstruct pt *a%d = &s%d;\n" % (i, i)
                    args.append("a%d" % i)
                elif role == "constant" and t.kind == "scalar" and t.name != "bool":
                    text += "\tT_%s a%d = (T_%s)%dL;\n" % (t.name, i, t.name, constants[i])
                    args.append("(T_%s)%dL" % (t.name, constants[i]))
                else:
                    text += "\tT_%s a%d; fill_%s(&a%d);\n" % (t.name, i, t.name, i)
                    args.append("a%d" % i)
            text += "\ttruth_call(\"%s\");\n" % name
            for i, (t, role) in enumerate(zip(params, roles)):
                if role == "field":
                    text += "\t{ void *c = a%d, *m = (void *)-1L;" \
                            " truth_arg(&c, &m, sizeof(c)); }\n" % i
                else:
                    text += "\t{ T_%s c = a%d; T_%s m; mask_%s(&m);" \
                            " truth_arg(&c, &m, sizeof(m)); }\n" % (t.name, i, t.name, t.name)
            call = "%s(%s);\n" % (name, ", ".join(args))
            if ret == "long" and copy and shape == "split":
                # 7 comes from the part that stays in the caller
                text += "\tlong r = %s\tif (r != 7) {\n\t\tlong q = r, m = -1;\n" % call
                text += "\t\ttruth_result(&q, &m, sizeof(q));\n\t}\n"
            elif ret == "long" and copy:
                text += "\t{ long r = %s\tlong m = -1; truth_result(&r, &m, sizeof(r)); }\n" % call
            else:
                text += "\t" + call
            text += "}\n"
            calls += "\tcall_%s_%d();\n" % (name, copy)
    return text, calls


def clone_texts(types, rng, count, machine=X86_64):
    """Clones, what they call, and what calls them."""
    text, calls = clone_program(rng, types, count, machine)
    text = text.replace("long sink;", "struct pt { long a, b; };\nlong sink;")
    text += "void truth_run(void)\n{\n%s}\n" % calls
    return text, "#include \"truth.h\"\nlong ext(long a, long b)\n{\n" \
        "\treturn truth_random() & 0xffff;\n}\n"


def clones(work, flags, seed, count=150, machine=X86_64, base=BASE_FLAGS, least=None):
    types = [t for t in general_types(machine) if t.name not in (
        "empty", "flex", "cint", "clong", "cchar", "i128", "u128")]
    text, outside = clone_texts(types, random.Random(seed), count, machine)
    program = Program(work, {"clones": text}, ["-g"] + flags + machine.general, machine.general,
                      {"outside": outside}, machine=machine, base=base)
    verifier = Verifier(program).run()
    ran = [name for name in verifier.entered if "." in name]
    check(len(ran) > count // 4, "only %d clones ran" % len(ran))
    least = count if least is None else least
    check(verifier.checked > least, "only %d values were compared" % verifier.checked)
    return program, verifier


@test
def clones_truth_O2(work):
    program, verifier = clones(work, ["-O2"], 11)
    kinds = {part for name in verifier.entered for part in name.split(".")[1:]}
    check({"constprop", "isra", "part"} <= kinds, "clones made: %r" % kinds)
    for kind in (".isra", ".part", ".constprop"):
        check(any(kind in name for name in verifier.returned), "no result of a " + kind)
    for kind in ("rdi", "const", "removed"):
        check(any(k.split("+")[0] == kind for k in verifier.claims), "no place was " + kind)


@test
def clones_truth_O3(work):
    clones(work, ["-O3"], 12)


@test
def clones_truth_Os(work):
    clones(work, ["-Os", "-fipa-cp-clone"], 13)


@test
def clones_truth_dwarf4_endbr(work):
    clones(work, ["-O2", "-gdwarf-4", "-fcf-protection=branch"], 14)


@test
def clones_truth_no_var_tracking(work):
    clones(work, ["-O2", "-fno-var-tracking", "-fno-var-tracking-assignments"], 15)


@test
def clones_truth_mcount(work):
    base = [f for f in BASE_FLAGS if f != "-mfentry"] + ["-mno-fentry"]
    clones(work, ["-O2", "-maccumulate-outgoing-args"], 17, base=base)


@test
def clones32_truth_O2(work):
    program, verifier = clones(work, ["-O2"], 31, machine=X86_32)
    for kind in (".isra", ".part", ".constprop"):
        check(any(kind in name for name in verifier.returned), "no result of a " + kind)
    for kind in ("eax", "const", "removed"):
        check(any(k.split("+")[0] == kind for k in verifier.claims), "no place was " + kind)


@test
def clones32_truth_Os(work):
    clones(work, ["-Os", "-fipa-cp-clone"], 33, machine=X86_32)


@test
def clones32_truth_dwarf4_endbr(work):
    clones(work, ["-O2", "-gdwarf-4", "-fcf-protection=branch"], 34, machine=X86_32)


@test
def clones32_truth_no_var_tracking(work):
    clones(work, ["-O2", "-fno-var-tracking", "-fno-var-tracking-assignments"], 35,
           machine=X86_32, least=20)


@test
def clones32_truth_mcount(work):
    base = [f for f in BASE_FLAGS if f != "-mfentry"] + ["-mno-fentry"]
    clones(work, ["-O2", "-maccumulate-outgoing-args"], 36, machine=X86_32, base=base)


@test
def clones_truth_user_stack(work):
    rng_flags = ["-O2", "-fno-ipa-icf", "-mpreferred-stack-boundary=4"]
    clones(work, rng_flags, 16)


@test
def no_clones_no_doubt(work):
    """Without the passes that clone, every result is known."""
    flags = ["-O2", "-g", "-fno-ipa-sra", "-fno-ipa-cp", "-fno-partial-inlining"]
    for line in work.printed(work.compile(SOURCE, flags=flags)):
        check("." not in line.symbol and "?" not in line.text, line.text)


@test
def clang_static_functions(work):
    """clang changes static functions without a sign: no place is known."""
    import shutil
    if not shutil.which("clang"):
        raise Skip("no clang")
    rng = random.Random(21)
    types = [t for t in general_types() if t.kind == "scalar" and
             t.name not in ("i128", "u128", "cint", "clong", "cchar")]
    text, outside = clone_texts(types, rng, 60)
    flags = ["-O2", "-g", "-mno-sse", "-mno-mmx", "-mno-80387"]
    program = Program(work, {"clones": text}, flags, GENERAL, {"outside": outside}, cc=["clang"])
    verifier = Verifier(program).run()
    check(len(verifier.entered) > 30, "only %d functions ran" % len(verifier.entered))
    equal(set(verifier.claims), {"?"}, "places of static functions")
