# SPDX-License-Identifier: GPL-2.0
"""Places of parameters and results against what functions really get.

Functions with random parameters are compiled, processed and run.  Each caller
notes what it passes, __fentry__ notes all registers and stack words, and both
must agree wherever the tool claims a place.
"""

import bisect
import os
import random

from harness import BASE_FLAGS, HERE, X86_32, X86_64, Elf, check, equal, run, test

GENERAL = X86_64.general

# name, declaration in C ("@" is the name), how its significant bits are set
SCALARS = [
    ("char", "char @"), ("schar", "signed char @"), ("short", "short @"), ("int", "int @"),
    ("uint", "unsigned int @"), ("long", "long @"), ("ulong", "unsigned long @"),
    ("ptr", "void *@"), ("cptr", "const char *volatile *@"), ("fptr", "int (*@)(int, long)"),
    ("i128", "__int128 @"), ("u128", "unsigned __int128 @"), ("enum4", "enum e4 @"),
    ("enum8", "enum e8 @"), ("tdef", "tdef @"), ("bool", "_Bool @"),
    ("aligned_int", "aligned_int @"),
]
STRUCTS = {
    "s1": "char a;", "s3": "char a[3];", "s4": "int a;", "s8": "int a, b;", "s8p": "void *p;",
    "s12": "int a[3];", "s16": "long a, b;", "s16m": "long a; int b;", "s17": "char a[17];",
    "s24": "long a[3];", "s40": "long a[5];", "s7": "char a[7];", "s9": "long a; char b;",
    "bits": "unsigned a:3, b:20, c:30;", "bits16": "unsigned long a:40, b:40;",
    "nested": "struct { short s[2]; } x[2]; char c;", "empty": "", "flex": "long a; char r[];",
    "zero": "int a; long r[0];", "st128": "__int128 a;", "st128b": "__int128 a; long b;",
    "anon": "int a; union { int b; char c; };", "fn": "void (*f)(void); int n;",
    "emptyin": "struct { } e; int a;", "i24": "short a; int b; long c; char d;",
}
PACKED = {"skew": "char a; int b;", "straight": "int a; char b;", "pk9": "char a; long b;",
          "pk16": "long a; int b; short c; char d[2];", "pk128": "char a; __int128 b;"}
UNIONS = {"u8": "int a; long b; void *p;", "u12": "long a; char b[12];", "u16": "char a[16];",
          "u24": "char a[24]; long b;", "ubits": "unsigned a:5; unsigned char b;"}
ALIGNED = {"al16": ("long a, b;", 16), "al16b": ("long a[4];", 16), "al8": ("char a[8];", 8),
           "al4": ("char a[2];", 4)}
# Of 64 bits where a word has 32; without those of 128 bits
SCALARS32 = [("llong", "long long @"), ("ullong", "unsigned long long @")]
STRUCTS32 = {
    "ll": "long long a;", "d12": "long long a; int b;", "i8c": "int a; char b;",
    "s5": "char a[5];", "s6": "short a[3];", "s3c": "struct { char a[3]; } x; char c;",
    "s8l": "int a[2];", "c8": "char a[8];", "c4": "char a[4];",
    "pp": "void *p, *q;", "lbits": "unsigned long long a:40;",
    "two8": "struct { int a; } x; struct { int b; } y;", "one1": "struct { char a; } x[1];",
}
UNIONS32 = {"ull": "long long a; int b;", "u3": "char a[3]; int b;", "ufl": "float a; int b;",
            "ud": "double a;"}
WIDE = ("i128", "u128", "st128", "st128b", "pk128", "bits16", "enum8")
FLOATS = [("float", "float @"), ("double", "double @"), ("ldouble", "long double @"),
          ("cfloat", "_Complex float @"), ("cdouble", "_Complex double @"),
          ("cldouble", "_Complex long double @"), ("vec4", "vec4 @"), ("f128", "_Float128 @")]
FLOAT_STRUCTS = {"fd": "double a;", "ff": "float a, b;", "fld": "long a; double b;",
                 "fdl": "double a; long b;", "fif": "int a; float b;", "fl": "long double a;",
                 "f4": "float a[4];", "f5": "float a[5];", "fdd": "double a, b;"}
FLOAT_STRUCTS32 = {"fld12": "long double a; int b;", "fcf": "_Complex float a;",
                   "fd1": "double a[1];"}
COMPLEX = [("cint", "_Complex int @"), ("clong", "_Complex long @"), ("cchar", "_Complex char @")]


class Type:
    """A type of the random functions."""

    def __init__(self, name, decl, definition="", kind="scalar"):
        self.name, self.decl, self.definition, self.kind = name, decl, definition, kind

    def declare(self, name):
        return self.decl.replace("@", name)


def aggregate(tag, members, word="struct", attr="", kind="struct"):
    name = "%s %s" % (word, tag)
    return Type(tag, name + " @", "%s%s { %s };\n" % (
        word, (" " + attr if attr else "") + " " + tag, members), kind)


def general_types(machine=X86_64):
    types = [Type(n, d) for n, d in SCALARS + COMPLEX]
    types += [aggregate(t, m) for t, m in STRUCTS.items()]
    types += [aggregate(t, m, attr="__attribute__((packed))") for t, m in PACKED.items()]
    types += [aggregate(t, m, "union") for t, m in UNIONS.items()]
    types += [aggregate(t, m, attr="__attribute__((aligned(%d)))" % a)
              for t, (m, a) in ALIGNED.items()]
    if machine is X86_64:
        return types
    types = [t for t in types if t.name not in WIDE]
    types += [Type(n, d) for n, d in SCALARS32]
    types += [aggregate(t, m) for t, m in STRUCTS32.items()]
    return types + [aggregate(t, m, "union") for t, m in UNIONS32.items()]


def float_types(machine=X86_64):
    structs = dict(FLOAT_STRUCTS)
    if machine is X86_32:
        structs.update(FLOAT_STRUCTS32)
    types = [Type(n, d, kind="float") for n, d in FLOATS if machine is X86_64 or n != "vec4"]
    return types + [aggregate(t, m, kind="float") for t, m in structs.items()]


# Bits that count: padding may hold anything.  Assigning all ones to each
# member of a zeroed value finds them.
MEMBERS = {
    "anon": "a b", "nested": "x[0].s[0] x[0].s[1] x[1].s[0] x[1].s[1] c", "emptyin": "a",
    "fn": "f n", "flex": "a", "zero": "a", "s8p": "p", "pp": "p q",
    "s3c": "x.a[0] x.a[1] x.a[2] c", "two8": "x.a y.b", "one1": "x[0].a",
}


def member_names(tag, members):
    if tag in MEMBERS:
        return MEMBERS[tag].split()
    names = []
    for part in members.split(";"):
        for item in part.strip().split(None, 1)[-1:]:
            for name in item.split(","):
                name, _, count = name.split()[-1].split(":")[0].lstrip("*").partition("[")
                count = count.rstrip("]")
                names += ["%s[%d]" % (name, i) for i in range(int(count))] if count else [name]
    return names


def mask_members(tag, members):
    return " ".join("m->%s = -1;" % name for name in member_names(tag, members))


def fill_numbers(t):
    """A value that the floating point unit can carry without changing it."""
    if t.name == "f128":
        return "truth_fill(v, sizeof(*v));"
    members = dict(FLOAT_STRUCTS, **FLOAT_STRUCTS32)
    if t.name not in members:
        return "*v = (int)truth_random();"
    return " ".join("v->%s = (int)truth_random();" % name
                    for name in member_names(t.name, members[t.name]))


def helpers(t, members, machine):
    """Functions that set the mask of a type and a random value of it."""
    if t.kind == "float" or t.name == "ud":
        mask = "truth_ones(m, sizeof(*m));"
        if t.name in ("ldouble", "fl", "cldouble", "fld12"):
            mask = "memset(m, 0, sizeof(*m)); truth_ones(m, 10);"
    elif members is None:
        mask = "truth_ones(m, sizeof(*m));"
    else:
        mask = "memset(m, 0, sizeof(*m)); " + mask_members(t.name, members)
    fill = "truth_fill(v, sizeof(*v));"
    if t.name == "bool":
        fill = "*v = truth_random() & 1;"
    elif t.name in ("ldouble", "cldouble"):
        fill = "*v = (double)(int)truth_random();"
    elif t.name == "fl":
        fill = "v->a = (double)(int)truth_random();"
    elif machine is X86_32 and t.kind == "float":
        fill = fill_numbers(t)
    return ("typedef %s;\n"
            "static NOTRACE void mask_%s(T_%s *m) { %s }\n"
            "static NOTRACE void fill_%s(T_%s *v) { %s }\n" % (
                t.declare("T_" + t.name), t.name, t.name, mask, t.name, t.name, fill))


PROLOGUE = """
#include "truth.h"
enum e4 { E4_A = 1, E4_B = -7 };
enum e8 { E8_A = 1LL << 40 };
typedef unsigned short tdef;
typedef int aligned_int __attribute__((aligned(16)));
typedef int vec4 __attribute__((vector_size(16)));
static inline NOTRACE void truth_ones(void *p, unsigned long size)
{
	memset(p, 0xff, size);
}
"""


def all_members():
    out = dict(STRUCTS)
    out.update(PACKED)
    out.update(UNIONS)
    out.update({t: m for t, (m, _) in ALIGNED.items()})
    out.update(STRUCTS32)
    out.update(UNIONS32)
    return out


def type_text(types, machine=X86_64):
    members = all_members()
    text = PROLOGUE
    for t in types:
        text += t.definition
    for t in types:
        text += helpers(t, members.get(t.name), machine)
    return text


def note(t, value, what):
    return "\t{ T_%s m; mask_%s(&m); %s(&%s, &m, sizeof(m)); }\n" % (t.name, t.name, what, value)


def untraced(work, text, name, flags, base, cc=None):
    """An object of callers or callees that are not traced."""
    plain = [f for f in base if f not in ("-pg", "-mfentry", "-mno-fentry")]
    return work.compile(text, name, list(flags) + ["-O1", "-I", HERE], plain, cc)


def runtime(work, machine, flags=()):
    """The objects of the run time."""
    objects = []
    for source in "truth_runtime.c", "truth_entry_%d.S" % (8 * machine.word):
        objects.append(work.path(source + ".o"))
        run(work.cc + machine.flags +
            ["-O1", "-fno-stack-protector", "-mgeneral-regs-only", "-fno-pie", "-c",
             "-o", objects[-1], os.path.join(HERE, source)] + list(flags))
    return objects


class Program:
    """A compiled and processed program with the log of a run."""

    def __init__(self, work, traced, flags, runtime_flags=(), extra=None, cc=None,
                 machine=X86_64, base=BASE_FLAGS, objects=()):
        """traced: C files to trace, name -> text; objects: what else is linked."""
        self.work = work
        self.machine = machine
        base = list(base) + machine.flags
        self.lines = {}
        built = [self.build(work.compile(text, name, list(flags) + ["-I", HERE], base, cc))
                 for name, text in traced.items()]
        built += [untraced(work, text, name, runtime_flags, base)
                  for name, text in (extra or {}).items()]
        self.exe = work.path("program")
        self.link(built, list(objects) or runtime(work, machine))
        functions = sorted((s.value, s.value + s.size, s.name) for s in Elf(self.exe).symbols
                           if s.type == 2)
        self.starts = [f[0] for f in functions]
        self.functions = functions

    def link(self, built, objects):
        # No libgcc: that for 32 bits need not be there
        run(self.work.cc + self.machine.flags +
            ["-nostdlib", "-static", "-no-pie", "-o", self.exe] + built + objects)

    def build(self, obj):
        computed = [line.text for line in self.work.printed(obj)]
        done = self.work.rmc("--strip-debug", obj)
        equal(done.stderr, "", "warnings")
        lines = self.work.printed(obj)
        equal([line.text for line in lines], computed, "before and after processing")
        for line in lines:
            check(line.known, "no signature: " + line.text)
            check(line.symbol not in self.lines, "two sites in " + line.symbol)
            self.lines[line.symbol] = line
        return obj

    def symbol(self, address):
        first = bisect.bisect_right(self.starts, address) - 1
        while first and self.starts[first - 1] == self.starts[first]:
            first -= 1
        for start, end, name in self.functions[first:]:
            if start > address:
                break
            if address < end and name in self.lines:
                return name
        raise AssertionError("no function at %x" % address)

    def events(self):
        for text in run([self.exe]).stdout.splitlines():
            fields = text.split()
            if fields[0] == "C":
                yield "C", fields[1]
            else:
                yield fields[0], [b"" if f == "-" else bytes.fromhex(f) for f in fields[1:]]


def same(got, value, mask):
    return all(g & m == v & m for g, v, m in zip(got, value, mask))


def words_at(machine, place, regs, stack):
    """The bytes at a place, None if it is none."""
    word = machine.word
    if place.startswith("const="):
        return (int(place[6:]) & (1 << 64) - 1).to_bytes(8, "little")
    if place.startswith("stack+"):
        at, _, words = place[6:].partition("*")
        at, words = int(at), int(words or 1)
        return stack[at:at + word * words]
    if place.split("+")[0] in machine.regs:
        return b"".join(regs[word * i:word * i + word]
                        for i in map(machine.regs.index, place.split("+")))
    return None


class Verifier:
    """Compares the log with the places that the tool claims."""

    def __init__(self, program):
        self.program = program
        self.checked = 0
        self.results = 0
        self.entered = set()
        self.returned = set()
        self.claims = {}

    def entry(self, call, args, symbol, regs, stack):
        line = self.program.lines[symbol]
        self.entered.add(symbol)
        for (name, place), (value, mask) in zip(line.params, args):
            got = words_at(self.program.machine, place, regs, stack)
            kind = place.split("=")[0] if got is not None else place
            self.claims[kind] = self.claims.get(kind, 0) + 1
            if place == "empty":
                check(not value, "%s is not empty: %s" % (name, line.text))
            if got is None:
                continue
            check(len(got) >= len(value), "too few words for %s: %s" % (name, line.text))
            check(same(got, value, mask), "%s\n  %s is %s, passed was %s (mask %s)" % (
                line.text, name, got.hex(), value.hex(), mask.hex()))
            self.checked += 1

    def result(self, symbol, rax, rdx, memory, value, mask):
        line = self.program.lines[symbol]
        machine = self.program.machine
        got = {machine.ret: rax, machine.pair: rax + rdx, "memory": memory}.get(line.ret)
        if line.ret == "empty":
            check(not value, "result is not empty: " + line.text)
        if line.ret == "void":
            raise AssertionError("a void function has a result: " + line.text)
        if got is None:
            return
        check(len(got) >= len(value) and same(got, value, mask),
              "%s\n  returned %s, the caller got %s (mask %s)" % (
                  line.text, got.hex(), value.hex(), mask.hex()))
        self.results += 1
        self.returned.add(symbol)

    def run(self):
        call, args, last = None, [], None
        for kind, data in self.program.events():
            if kind == "C":
                call, args, last = data, [], None
            elif kind == "A":
                args.append((data[0], data[1]))
            elif kind == "E":
                symbol = self.program.symbol(int.from_bytes(data[0], "little") - 1)
                if symbol.split(".")[0] == call:
                    self.entry(call, args, symbol, data[1], data[2])
                    call = None
            elif kind == "R":
                symbol = self.program.symbol(int.from_bytes(data[0], "little") - 1)
                last = (symbol, data[1], data[2], data[3])
            elif kind == "V" and last:
                self.result(*last, data[0], data[1])
        return self


def ordinary_texts(rng, types, count, machine, attributes=("",), use=False):
    """Functions that other files call: theirs, the callers', and their types.

    With @use they do something with their parameters, which moves them about.
    """
    text = type_text(types, machine)
    callee, caller, calls = text, text, ""
    kinds = {}
    if use:
        callee += "long ext(long a, long b) NOTRACE;\n"
    for number in range(count):
        name = "fn%d" % number
        params = [rng.choice(types) for _ in range(rng.choice([0, 1, 2, 3, 4, 6, 8, 10, 12]))]
        ret = rng.choice(types + [None] * 6)
        kinds[name] = (params, ret)
        dots = ", ..." if machine is X86_32 and params and rng.random() < 0.1 else ""
        attribute = rng.choice(attributes)
        decl = "%s%s %s(%s%s)" % (attribute, "T_" + ret.name if ret else "void", name, ", ".join(
            t.declare("p%d" % i) for i, t in enumerate(params)) or "void", dots)
        callee += "extern T_%s r_%s;\n" % (ret.name, name) if ret else ""
        callee += decl + "\n{\n\tasm volatile(\"\");\n%s%s}\n" % (
            use_params(rng, params) if use else "", "\treturn r_%s;\n" % name if ret else "")
        caller += decl + ";\n" + ("T_%s r_%s;\n" % (ret.name, name) if ret else "")
        caller += ordinary_call(name, params, ret)
        calls += "\tcall_%s();\n" % name
    caller += "void truth_run(void)\n{\n%s}\n" % calls
    return callee, caller, kinds


def use_params(rng, params):
    order = [(i, t) for i, t in enumerate(params) if rng.random() < 0.8]
    rng.shuffle(order)
    return "".join("\text(%d, %s);\n" % (i, "(long)p%d" % i if t.kind == "scalar" else
                                         "sizeof(p%d) ? *(char *)&p%d : 0" % (i, i))
                   for i, t in order)


def ordinary_call(name, params, ret):
    """A function that calls another one and notes everything."""
    body = "".join("\tT_%s a%d;\n\tfill_%s(&a%d);\n" % (t.name, i, t.name, i)
                   for i, t in enumerate(params))
    body += "\tfill_%s(&r_%s);\n" % (ret.name, name) if ret else ""
    body += "\ttruth_call(\"%s\");\n" % name
    body += "".join(note(t, "a%d" % i, "truth_arg") for i, t in enumerate(params))
    call = "%s(%s);\n" % (name, ", ".join("a%d" % i for i in range(len(params))))
    body += "\tT_%s r = %s" % (ret.name, call) if ret else "\t" + call
    body += note(ret, "r", "truth_result") if ret else ""
    return "static NOTRACE __attribute__((noinline)) void call_%s(void)\n{\n%s}\n" % (name, body)


def ordinary(work, types, flags, seed, count=150, runtime_flags=(), unknown=(), machine=X86_64,
             base=BASE_FLAGS, attributes=("",), strict=True, more_flags=()):
    """Functions that other files call: the calling convention counts."""
    callee, caller, kinds = ordinary_texts(random.Random(seed), types, count, machine, attributes)
    program = Program(work, {"callee": callee}, list(flags) + ["-g"],
                      list(runtime_flags) + list(more_flags),
                      {"caller": caller}, machine=machine, base=base)
    verifier = Verifier(program).run()
    equal(len(verifier.entered), count, "functions that ran")
    if strict:
        check(verifier.checked > count, "only %d values were compared" % verifier.checked)
        check_unknown(program, kinds, unknown)
    return verifier


# Structures that gcc handles like integers on x86-32.  Others stay in memory from
# the first instruction on, and nothing tells how they were passed.
INTEGERS32 = ("s1", "s4", "s8", "s8p", "bits", "anon", "fn", "emptyin", "zero", "u8", "ubits",
              "al8", "al4", "ll", "i8c", "pp", "s8l", "c8", "c4", "lbits", "two8", "one1", "ull",
              "ufl", "ud")


def check_unknown(program, kinds, unknown):
    """Only what cannot be known may be unknown."""
    for name, (params, ret) in kinds.items():
        line = program.lines[name]
        deep = False
        for t, (param, place) in zip(params, line.params):
            deep = deep or place.startswith("stack+") and int(
                place[6:].partition("*")[0]) > 8 * 10
            if place == "?":
                opaque = program.machine is X86_32 and t.kind in ("struct", "union") and \
                    t.name not in INTEGERS32
                check(t.name in unknown or t.kind == "float" or len(params) > 6 or deep or opaque,
                      "%s is unknown: %s" % (param, line.text))
        if ret and line.ret == "?":
            # nothing tells ms_abi from the usual where no register is told
            bare = program.machine is X86_64 and not any(
                place.split("+")[0] in X86_64.regs for _, place in line.params)
            check(ret.kind == "float" or ret.name in unknown or bare,
                  "result is unknown: " + line.text)


@test
def truth_O2(work):
    ordinary(work, general_types(), ["-O2"] + GENERAL, 1, runtime_flags=GENERAL)


@test
def truth_Os(work):
    ordinary(work, general_types(), ["-Os"] + GENERAL, 2, runtime_flags=GENERAL)


@test
def truth_endbr_dwarf4(work):
    ordinary(work, general_types(), ["-O2", "-gdwarf-4", "-fcf-protection=branch"] + GENERAL, 3,
             runtime_flags=GENERAL)


@test
def truth_many(work):
    ordinary(work, general_types(), ["-O1"] + GENERAL, 4, count=600, runtime_flags=GENERAL)


@test
def truth_scalars(work):
    """Nothing here may be unknown, however many parameters there are."""
    types = [t for t in general_types() if t.kind == "scalar" and t.name not in ("i128", "u128")]
    verifier = ordinary(work, types, ["-O2"] + GENERAL, 5, runtime_flags=GENERAL)
    check("?" not in verifier.claims, "unknown: %r" % verifier.claims)


@test
def truth_floating_point(work):
    ordinary(work, general_types() + float_types(), ["-O2"], 6, count=300)


@test
def truth_user_stack(work):
    """The stack aligned as programs have it."""
    ordinary(work, general_types(), ["-O2", "-mno-sse", "-mno-80387", "-mno-mmx"], 7,
             runtime_flags=["-mno-sse", "-mno-80387", "-mno-mmx"])


def general32(work, flags, seed, **more):
    flags = list(flags) + X86_32.general
    return ordinary(work, general_types(X86_32), flags, seed, runtime_flags=X86_32.general,
                    machine=X86_32, **more)


@test
def truth32_O2(work):
    general32(work, ["-O2"], 21)


@test
def truth32_Os(work):
    general32(work, ["-Os"], 22)


@test
def truth32_endbr_dwarf4(work):
    general32(work, ["-O2", "-gdwarf-4", "-fcf-protection=branch"], 23)


@test
def truth32_many(work):
    general32(work, ["-O1"], 24, count=600)


@test
def truth32_scalars(work):
    """Nothing here may be unknown, however many parameters there are."""
    types = [t for t in general_types(X86_32) if t.kind == "scalar"]
    verifier = ordinary(work, types, ["-O2"] + X86_32.general, 25, machine=X86_32,
                        runtime_flags=X86_32.general)
    check("?" not in verifier.claims, "unknown: %r" % verifier.claims)


@test
def truth32_floating_point(work):
    flags = ["-mno-sse", "-mno-mmx"]
    types = general_types(X86_32) + float_types(X86_32)
    ordinary(work, types, ["-O2"] + flags, 26, count=300, runtime_flags=flags, machine=X86_32)


@test
def truth32_user_stack(work):
    """The stack aligned as programs have it, and numbers in SSE registers."""
    ordinary(work, general_types(X86_32) + float_types(X86_32), ["-O2", "-msse2", "-mfpmath=sse"],
             27, runtime_flags=["-msse2"], machine=X86_32)


@test
def truth32_struct_in_memory(work):
    """Structures returned as in the psABI, without -freg-struct-return."""
    general32(work, ["-O2", "-fpcc-struct-return"], 28, more_flags=["-fpcc-struct-return"])


@test
def truth32_attributes(work):
    """Attributes that choose other conventions, which DWARF doesn't show."""
    attributes = ["__attribute__((%s)) " % a for a in (
        "regparm(0)", "regparm(0)", "regparm(1)", "regparm(2)", "fastcall", "thiscall", "stdcall")]
    for seed, flags in ((29, ["-O2"]), (30, ["-O1", "-fno-var-tracking"]), (31, ["-O0"])):
        general32(work, flags, seed, attributes=attributes, strict=flags == ["-O2"])


@test
def truth32_mcount(work):
    """Behind the prologue, with the frame pointer."""
    base = [f for f in BASE_FLAGS if f != "-mfentry"] + ["-mno-fentry",
                                                         "-maccumulate-outgoing-args"]
    general32(work, ["-O2"], 32, base=base)
    general32(work, ["-Os"], 33, base=base, attributes=("", "__attribute__((regparm(0))) "))


@test
def truth32_no_var_tracking(work):
    for seed, flags in ((34, ["-O2", "-fno-var-tracking"]), (35, ["-O0"])):
        general32(work, flags, seed, strict=False)


@test
def truth_mcount(work):
    base = [f for f in BASE_FLAGS if f != "-mfentry"] + ["-mno-fentry",
                                                         "-maccumulate-outgoing-args"]
    ordinary(work, general_types(), ["-O2"] + GENERAL, 36, runtime_flags=GENERAL, base=base)
