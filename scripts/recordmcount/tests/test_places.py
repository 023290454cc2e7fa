# SPDX-License-Identifier: GPL-2.0
"""Places of parameters and results, against what the psABIs say."""

from harness import BASE_FLAGS, X86_32, X86_64, Elf, Skip, both, check, equal, test

# Each function with the places that the System V psABI (3.2.3) gives its
# parameters and its result; written by hand.  None: x87 or SSE, not captured.
TYPES = """
typedef _Bool bool;
typedef unsigned long size_t;
struct one { int a; };
struct two { int a, b; };
struct pair { long a; int b; };
struct words { long a, b; };
struct three { char c[3]; };
struct odd { char c[17]; };
struct big { long a[3]; };
struct empty { };
struct __attribute__((packed)) skewed { char c; int i; };
struct __attribute__((packed)) straight { int i; char c; };
struct bits { unsigned a:3, b:20, c:30; };
struct wide { unsigned long a:40, b:40; };
struct tail { long a; char rest[]; };
struct zero { long a; int none[0]; };
struct inner { struct { struct { short s[3]; } x; } y; };
union mixed { int i; long l; void *p; };
union large { long l; char c[12]; };
union huge { long l; char c[20]; };
struct __attribute__((aligned(16))) wide_aligned { long a, b, c, d; };
struct i128 { __int128 x; };
enum small { SMALL = 1 };
enum negative { NEGATIVE = -1 };
enum long_enum { LONG_ENUM = 1L << 40 };
typedef union { int *i; long *l; } __attribute__((transparent_union)) either;
typedef int (*callback)(const char *, ...);
typedef int vec __attribute__((vector_size(16)));
"""

CASES = [
    # declaration, parameters, result
    ("void f0(void)", [], "void"),
    ("int f1(char a, short b, int c, long d, void *e, bool f)",
     ["rdi", "rsi", "rdx", "rcx", "r8", "r9"], "rax"),
    ("long f2(int a, int b, int c, int d, int e, int f, char g, long h)",
     ["rdi", "rsi", "rdx", "rcx", "r8", "r9", "stack+0", "stack+8"], "rax"),
    ("__int128 f3(__int128 a, int b, __int128 c)", ["rdi+rsi", "rdx", "rcx+r8"], "rdx:rax"),
    # all or nothing: the pair goes to the stack, what follows gets the register
    ("void f4(int a, int b, int c, int d, int e, struct words f, int g)",
     ["rdi", "rsi", "rdx", "rcx", "r8", "stack+0*2", "r9"], "void"),
    # 16-byte alignment on the stack
    ("void f5(long a, long b, long c, long d, long e, long f, long g, __int128 h, long i)",
     ["rdi", "rsi", "rdx", "rcx", "r8", "r9", "stack+0", "stack+16*2", "stack+32"], "void"),
    ("struct one f6(struct one a, struct two b, struct pair c)", ["rdi", "rsi", "rdx+rcx"], "rax"),
    ("struct two f7(struct three a, struct odd b, struct big c)",
     ["rdi", "stack+0*3", "stack+24*3"], "rax"),
    ("struct pair f8(struct empty a, int b)", ["empty", "rdi"], "rdx:rax"),
    ("struct words f9(struct skewed a, int b, struct straight c)",
     ["stack+0", "rdi", "rsi"], "rdx:rax"),
    # a result in memory takes rdi
    ("struct big f10(int a, struct bits b, struct wide c)", ["rsi", "rdx", "rcx+r8"], "memory"),
    ("struct skewed f11(struct tail a, struct zero b)", ["rsi", "rdx"], "memory"),
    ("struct empty f12(struct inner a, union mixed b, union large c)",
     ["rdi", "rsi", "rdx+rcx"], "empty"),
    ("union huge f13(union huge a, long b)", ["stack+0*3", "rsi"], "memory"),
    ("void f14(struct big a, struct wide_aligned b, int c)", ["stack+0*3", "stack+32*4", "rdi"],
     "void"),
    ("enum small f15(enum small a, enum negative b, enum long_enum c)", ["rdi", "rsi", "rdx"],
     "rax"),
    ("void f16(either a, callback b, const char *const c, volatile int d)",
     ["rdi", "rsi", "rdx", "rcx"], "void"),
    ("int f17(const char *fmt, ...)", ["rdi"], "rax"),
    ("struct i128 f18(struct i128 a)", ["rdi+rsi"], "rdx:rax"),
    ("int (*f19(int a))(int)", ["rdi"], "rax"),
    ("void f20(int a[4], int b(void), struct undefined *c)", ["rdi", "rsi", "rdx"], "void"),
    # beyond the 24 words that are captured
    ("void f21(struct big a, struct big b, struct big c, struct big d, struct big e, struct big f,"
     " struct big g, struct big h, struct big i)",
     ["stack+%d*3" % (24 * i) for i in range(8)] + ["?"], "void"),
    ("void f22(long a, _Complex int b, _Complex char c)", ["rdi", "rsi", "rdx"], "void"),
]

FLOAT_CASES = [
    # floating point takes no argument registers
    ("double g0(int a, double b, int c, float d, long e)", ["rdi", "?", "rsi", "?", "rdx"], "?"),
    # long double: 16 bytes on the stack, aligned
    ("long double g1(long double a, int b, struct big c)",
     ["stack+0*2", "rdi", "stack+16*3"], "?"),
    ("void g2(long a, long b, long c, long d, long e, long f, long g, long double h, long i)",
     ["rdi", "rsi", "rdx", "rcx", "r8", "r9", "stack+0", "stack+16*2", "stack+32"], "void"),
    # nine doubles: one is on the stack
    ("void g3(double a, double b, double c, double d, double e, double f, double g, double h,"
     " double i, struct big j)", ["?"] * 8 + ["stack+0", "stack+8*3"], "void"),
    # half in a general register, half in an SSE register
    ("struct half g4(struct half a, int b)", ["?", "rsi"], "?"),
    ("_Complex double g5(_Complex double a, int b, _Complex float c, int d)",
     ["?", "rdi", "?", "rsi"], "?"),
    ("_Complex long double g6(_Complex long double a, struct big b)",
     ["stack+0*4", "stack+32*3"], "?"),
    ("vec g7(vec a, int b)", ["?", "rdi"], "?"),
    ("struct ld g8(struct ld a, int b, struct big c)", ["stack+0*2", "rdi", "stack+16*3"], "?"),
]
FLOAT_TYPES = TYPES + """
struct half { long a; double b; };
struct ld { long double x; };
"""


# x86-32 as the kernel has it: gcc's -mregparm=3 -freg-struct-return.  ?: nothing in the
# DWARF tells how the function is called, or it is not captured.
TYPES32 = TYPES.replace("__int128", "long long").replace("1L << 40", "1LL << 40").replace(
    "unsigned long a:40, b:40", "unsigned long long a:40") + """
struct holds3 { struct three x; char d; };
struct wrap { double d; };
struct half { double d; int i; };
struct row { double d[1]; };
struct rows { float f[2]; };
union both { double d; };
"""
CASES32 = [
    ("void f0(void)", [], "void"),
    ("int f1(char a, short b, int c, long d, void *e, bool f)",
     ["eax", "edx", "ecx", "stack+0", "stack+4", "stack+8"], "eax"),
    ("long long f2(long long a, int b, long long c, int d)",
     ["eax+edx", "ecx", "stack+0*2", "stack+8"], "edx:eax"),
    # a parameter that doesn't fit uses up the last register as well
    ("void f3(int a, int b, long long c, int d)", ["eax", "edx", "stack+0*2", "stack+8"], "void"),
    ("void f4(int a, long long b, int c)", ["eax", "edx+ecx", "stack+0"], "void"),
    ("struct two f5(struct one a, struct two b, int c)", ["eax", "edx+ecx", "stack+0"],
     "edx:eax"),
    ("struct one f6(int a, struct two b, struct two c, int d)",
     ["eax", "edx+ecx", "stack+0*2", "stack+8"], "eax"),
    # a result in memory takes eax
    ("struct big f7(int a, int b, int c)", ["edx", "ecx", "stack+0"], "memory"),
    # anything but an integer of 1, 2, 4, or 8 bytes, or with a member that is not
    ("struct three f8(int a)", ["edx"], "memory"),
    ("struct holds3 f9(int a)", ["edx"], "memory"),
    ("struct empty f10(struct empty a, int b)", ["empty", "edx"], "empty"),
    # variadic and regparm(0) functions get all parameters on the stack
    ("int f11(const char *fmt, ...)", ["stack+0"], "eax"),
    ("struct big f12(const char *fmt, int a, ...)", ["stack+4", "stack+8"], "memory"),
    ("__attribute__((regparm(0))) long f13(int a, long long b, struct two c)",
     ["stack+0", "stack+4*2", "stack+12*2"], "eax"),
    ("__attribute__((regparm(0))) struct big f14(int a, int b)", ["stack+4", "stack+8"],
     "memory"),
    ("struct bits f15(struct bits a, enum long_enum b, enum small c)",
     ["eax+edx", "stack+0*2", "stack+8"], "edx:eax"),
    ("void f16(struct big a, int b)", ["eax+edx+ecx", "stack+0"], "void"),
    ("void f17(struct skewed a, int b)", ["eax+edx", "ecx"], "void"),
    # one structure alone, in memory from the start, tells nothing
    ("void f18(struct three a)", ["eax"], "void"),
    # complex numbers are on the stack, and take no register
    ("_Complex int f19(int a, _Complex int b, int c)", ["eax", "stack+0*2", "edx"], "edx:eax"),
    ("_Complex short f20(int a)", ["eax"], "eax"),
    ("_Complex long long f21(int a)", ["edx"], "memory"),
    ("void f22(either a, callback b, const char *const c, volatile int d)",
     ["eax", "edx", "ecx", "stack+0"], "void"),
    ("union mixed f23(union mixed a, union large b, int c)", ["eax", "stack+0*3", "stack+12"],
     "eax"),
    ("int (*f24(int a))(int)", ["eax"], "eax"),
    ("void f25(int a[4], int b(void), struct undefined *c)", ["eax", "edx", "ecx"], "void"),
    ("void f26(int a, struct huge5 b, struct huge5 c, struct huge5 d, struct huge5 e,"
     " struct huge5 f)",
     ["eax"] + ["stack+%d*5" % (20 * i) for i in range(4)] + ["?"], "void"),
    ("__attribute__((fastcall)) long long f27(int a, int b, int c)", ["ecx", "edx", "stack+0"],
     "edx:eax"),
]
TYPES32 += "struct huge5 { int a[5]; };\n"
FLOAT_CASES32 = [
    ("double g0(int a, double b, int c, float d, long e)",
     ["eax", "stack+0*2", "edx", "stack+8", "ecx"], "?"),
    ("long double g1(long double a, int b, struct big c)", ["stack+0*3", "eax", "stack+12*3"],
     "?"),
    ("_Complex double g2(int a, _Complex float b)", ["edx", "stack+0*2"], "memory"),
    # a structure of a number and nothing else counts like that, a union does not
    ("_Complex float g3(struct half a, struct wrap b, int c)",
     ["eax+edx+ecx", "stack+0*2", "stack+8"], "edx:eax"),
    ("struct wrap g4(int a)", ["eax"], "?"),
    ("union both g5(union both a, int b)", ["eax+edx", "ecx"], "edx:eax"),
    ("_Float128 g6(int a, _Float128 b)", ["edx", "stack+0*4"], "memory"),
    ("float g7(float a)", ["stack+0"], "?"),
    ("struct row g8(struct row a, int b)", ["stack+0*2", "eax"], "?"),
    ("struct rows g9(struct rows a, int b)", ["eax+edx", "ecx"], "edx:eax"),
]

SUITES = {X86_64: (TYPES, CASES, FLOAT_TYPES, FLOAT_CASES),
          X86_32: (TYPES32, CASES32, TYPES32, FLOAT_CASES32)}


# As any real unit has it: a location list, which shows whether there are views
LISTED = """
int listed_ext(int) __attribute__((no_instrument_function));
int listed(int) __attribute__((no_instrument_function));
int listed(int a) { return listed_ext(a) + listed_ext(a + 1); }
"""


def source(types, cases):
    text = types + LISTED
    for decl, _, _ in cases:
        if decl.startswith("void ") or " void " in decl.split("(")[0]:
            text += decl + " { asm volatile(\"\"); }\n"
        else:
            text += decl + " { asm volatile(\"ud2\"); __builtin_unreachable(); }\n"
    return text


# What DWARF cannot tell without DW_AT_alignment, which -gstrict-dwarf forbids.
STRICT_UNKNOWN = {("f14", "b")}
# DWARF 2 cannot say where the CFA is either.
STRICT2_UNKNOWN = STRICT_UNKNOWN | {("f7", "c"), ("f14", "b"), ("f21", "a")} | {("f21", c) for c in "bcdefgh"}


def name_of(decl):
    """f1 of "int (*f1(int a))(int)"."""
    return next(word for word in decl.replace("(", " ").replace("*", " ").split()
                if word[0] in "fg" and word[1:].isdigit())


def expect(work, obj, cases, unknown=(), sure=True):
    """The places are those of the cases; if not @sure, some may be unknown."""
    lines = work.by_name(obj)
    known = 0
    for decl, params, ret in cases:
        name = name_of(decl)
        line = lines[name]
        places = [want if place == "?" and (not sure or (name, param) in unknown) else place
                  for (param, place), want in zip(line.params, params)]
        equal((len(line.params), places), (len(params), params), decl)
        check(line.ret == ret or (not sure and line.ret == "?"), "result of %s: %s" % (
            decl, line.ret))
        known += sum(place != "?" for _, place in line.params)
    equal(len(lines), len(cases), "number of functions")
    return known


def all_types(work, flags, unknown=(), sure=True, base=None):
    types, cases, _, _ = SUITES[work.machine]
    if work.machine is X86_32:
        unknown = {("f18", "a")}
    obj = work.compile(source(types, cases), flags=["-g"] + flags, base=base)
    return expect(work, obj, cases, unknown, sure)


@both
def places_O2(work):
    all_types(work, ["-O2"])


@both
def places_Os(work):
    all_types(work, ["-Os"])


@both
def places_O0(work):
    all_types(work, ["-O0"], sure=work.machine is X86_64)


@both
def places_dwarf4(work):
    all_types(work, ["-O2", "-gdwarf-4"])


@both
def places_dwarf3_strict(work):
    all_types(work, ["-O2", "-gdwarf-3", "-gstrict-dwarf"],
              STRICT_UNKNOWN if work.machine is X86_64 else (), sure=work.machine is X86_64)


@both
def places_dwarf2_strict(work):
    all_types(work, ["-O2", "-gdwarf-2", "-gstrict-dwarf"], STRICT2_UNKNOWN,
              sure=work.machine is X86_64)


@both
def places_type_units(work):
    """libdw doesn't find type units of an object: no signature, nothing wrong."""
    types, cases, _, _ = SUITES[work.machine]
    obj = work.compile(source(types, cases), flags=["-g", "-O2", "-fdebug-types-section"])
    lines = work.by_name(obj)
    known = [number for number in range(len(cases)) if lines["f%d" % number].known]
    check({0, 1, 2, 3} <= set(known), "only %r are known" % known)
    for number in known:
        decl, params, _ = cases[number]
        places = [p for _, p in lines["f%d" % number].params]
        check(places in (params, ["?"]), "%s: %r" % (decl, places))
    done = work.rmc(obj)
    equal(done.stderr.count("\n"), 1, "number of warnings")
    check("no signature for" in done.stderr and obj in done.stderr, done.stderr)


@both
def places_compressed_dwarf(work):
    all_types(work, ["-O2", "-gz=zlib"])


@both
def places_split_dwarf(work):
    all_types(work, ["-O2", "-gsplit-dwarf"])


@both
def places_endbr(work):
    all_types(work, ["-O2", "-fcf-protection=branch"])


@both
def places_no_var_tracking(work):
    all_types(work, ["-O2", "-fno-var-tracking"], sure=False)


@both
def places_without_recorded_flags(work):
    """The recorded flags tell how values were tracked; without, some are unknown."""
    all_types(work, ["-O2", "-gno-record-gcc-switches"], sure=False)


@both
def places_function_sections(work):
    all_types(work, ["-O2", "-ffunction-sections"])


@both
def places_mcount(work):
    """Calls of mcount, behind the prologue."""
    all_types(work, ["-O2"], base=work.machine.mcount(work.machine.kernel_flags))


@both
def places_floating_point(work):
    _, _, types, cases = SUITES[work.machine]
    flags = ["-mno-sse"] if work.machine is X86_32 else []
    obj = work.compile(source(types, cases), flags=["-g", "-O2"] + flags,
                       base=work.machine.base_flags)
    expect(work, obj, cases)


def clang_case(case):
    """clang never has a structure with a flexible array member in registers."""
    decl, params, ret = case
    if "struct tail a, struct zero b" in decl:
        params = ["stack+0", "rsi"]
    return decl, params, ret


@both
def places_clang(work):
    """clang keeps the convention for functions that others can call."""
    import shutil
    if not shutil.which("clang"):
        raise Skip("no clang")
    types, cases, _, _ = SUITES[work.machine]
    cases = [clang_case(c) for c in cases if "_Complex" not in c[0]]
    flags = ["-g", "-O2", "-mno-sse"]
    if work.machine is X86_64:
        flags.append("-mcmodel=kernel")
    obj = work.compile(source(types, cases), flags=flags, base=work.machine.base_flags,
                       cc=["clang"])
    expect(work, obj, cases, sure=False)
    equal([p for _, p in work.by_name(obj)["f1"].params][:3], cases[1][1][:3], "f1")


@both
def prototypes(work):
    """The C text of the types."""
    decls = [
        "int p0(void)",
        "void p1(const char *s, char *const t, const char *const *u)",
        "int (*p2(int (*cb)(void *, long unsigned int), int n))(char)",
        "void p3(int (*a)[4], struct s *s, union u *u, enum e e)",
        "int p4(const char *fmt, ...)",
        "void p5(void (*f)(int, ...), volatile int *v, td x)",
        "long long int p6(unsigned char a, short unsigned int b, long unsigned int *c, _Bool d)",
    ]
    text = "struct s { int a; }; union u { int a; }; enum e { E }; typedef struct s *td;\n"
    for decl in decls:
        text += decl + " { for (;;); }\n"
    text += "int p7() { return 0; }\n"
    lines = work.by_name(work.compile(text, flags=["-g", "-O2"]))
    for number, decl in enumerate(decls):
        equal(lines["p%d" % number].proto, decl, "prototype")
    equal(lines["p7"].proto, "int p7()", "prototype")


@test
def signature_of_every_section(work):
    text = """
__attribute__((section(".init.text"))) int in_init(int a) { return a; }
__attribute__((cold)) int in_cold(int b) { asm(""); return b; }
__attribute__((weak)) int is_weak(int c) { return c; }
static __attribute__((used, noinline)) int is_static(int d) { return d; }
int alias(int) __attribute__((alias("in_text")));
int in_text(int e) { return e; }
int in_asm(int g) asm("asm_name");
int in_asm(int g) { return g; }
"""
    obj = work.compile(text, flags=["-g", "-O2", "-freorder-functions"])
    lines = work.printed(obj)
    equal(sorted(line.params[0] for line in lines),
          [(c, "rdi") for c in "abcdeg"], "parameters")
    check({line.where.split("+")[0] for line in lines} >= {".text", ".init.text"}, "sections")
    equal(len(lines), len([s for s in Elf(obj).symbols if s.type == 2 and s.shndx]) - 1, "sites")


MS_ABI = """
#define MS __attribute__((ms_abi))
long ext(long, long, long);
MS long ms_leaf(int a, long b, void *c, char d, int e) { return a + b + e; }
MS void ms_nothing(short a) { asm(""); }
MS long ms_unused(void *a, void *b) { return 3; }
MS long ms_calls(short a, long b) { ext(b, a, 1); return ext(3, a, b); }
MS long ms_assigned(long a, long b, long c, long d) { a = d; return ext(a, b, c); }
MS long ms_branch(long a, long b) { if (b) return ext(a, b, 1) + 1; return a; }
long sysv(int a, long b) { return a; }
long sysv_unused(int a, long b) { return 3; }
long sysv_assigned(long a, long b, long c, long d) { a = d; return ext(a, b, c); }
long sysv_calls(long a, long b) { ext(1, 2, 3); return ext(b, a, 4); }
long sysv_spoils(long a, long b, long c) { return ext(4, 5, 6) + 1; }
"""
MS_PLACES = ["rcx", "rdx", "r8", "r9", "stack+32"]


def conventions_right(work, flags):
    """No claim may be wrong with another convention; return what is known of each."""
    lines = work.by_name(work.compile(MS_ABI, flags=["-g"] + flags))
    for line in lines.values():
        want = MS_PLACES if line.symbol.startswith("ms_") else X86_64.regs
        got = [place for _, place in line.params]
        check(all(place in ("?", w) for place, w in zip(got, want)), "%s with %r" % (
            line.text, flags))
        check(line.ret in ("?", "void", "rax"), line.text)
    return {name: "?" not in line.text for name, line in lines.items()}


@test
def other_conventions(work):
    """ms_abi (the kernel's __efiapi), which gcc's DWARF does not show."""
    for flags in (["-O2"], ["-Os"], ["-O2", "-gdwarf-4"], ["-O3", "-gno-variable-location-views"]):
        known = conventions_right(work, flags)
        check(all(known.values()), "unknown with %r: %r" % (flags, known))
    for flags in (["-O2", "-fno-var-tracking"], ["-Os", "-fno-var-tracking"], ["-O0"],
                  ["-O2", "-march=k8", "-fno-var-tracking"], ["-O2", "-gno-record-gcc-switches"],
                  ["-O2", "-fno-var-tracking", "-fno-omit-frame-pointer"]):
        known = conventions_right(work, flags)
        check(known["sysv"] and known["sysv_assigned"] and known["sysv_spoils"],
              "unknown with %r: %r" % (flags, known))
    obj = work.compile(MS_ABI, flags=["-g", "-O2", "-fno-var-tracking"])
    check("\tms_nothing\ta\tDWARF does not show what decides it" in
          work.rmc("--explain", obj).stdout, "no reason")


@test
def other_conventions_folded(work):
    """A function folded into one of another convention has that convention, too."""
    text = """
#define MS __attribute__((ms_abi))
MS long get_time(void *a, void *b) { return -3; }
MS long set_time(void *c, void *d) { return -3; }
long get(void *a, void *b, long c) { return -4; }
long set(void *d, void *e, long f) { return -4; }
"""
    lines = work.by_name(work.compile(text + LISTED, flags=["-g", "-O2"]))
    for name in ("get_time", "set_time"):
        equal([place for _, place in lines[name].params], ["rcx", "rdx"], name)
    for name in ("get", "set"):
        equal([place for _, place in lines[name].params], ["rdi", "rsi", "rdx"], name)


@test
def gcc_describes_without_members(work):
    """Transparent unions by typedef have no members in gcc's DWARF."""
    text = """
typedef union { int *i; long *l; } either __attribute__((transparent_union));
int f(either a, int b) { return b; }
"""
    line = work.by_name(work.compile(text + LISTED, flags=["-g", "-O2"]))["f"]
    equal(line.params, [("a", "rdi"), ("b", "rsi")], "parameters")


@both
def incomplete_types(work):
    text = """
struct undefined; union undefined_too; enum undefined_enum;
int f(struct undefined *a, union undefined_too **b, enum undefined_enum *c) { return 0; }
int g(int (*a)(struct undefined), int (*b)[]) { return 0; }
"""
    lines = work.by_name(work.compile(text, flags=["-g", "-O2"]))
    equal(lines["f"].proto, "int f(struct undefined *a, union undefined_too **b, "
          "enum undefined_enum *c)", "prototype")
    equal(lines["g"].proto, "int g(int (*a)(struct undefined), int (*b)[])", "prototype")


REALIGNED = """
int ext(void *p, void *q);
int realigned(int a, int b, int c, int d, int e, int f, int g)
{
	char buf[64] __attribute__((aligned(64))), v[a];
	buf[0] = a + b + c + d + e + f + g;
	return ext(buf, v) + buf[1];
}
"""


@test
def mcount_and_realigned_stack(work):
    """Behind such a prologue the frame pointer doesn't lead to the caller's words."""
    for machine, unknown in ((X86_64, ["g"]), (X86_32, ["d", "e", "f", "g"])):
        base = [f for f in BASE_FLAGS if f != "-mfentry"] + machine.flags + machine.general
        for call in ("-mno-fentry", "-mfentry"):
            obj = work.compile(REALIGNED, flags=["-g", "-O2", call], base=base)
            line, = work.printed(obj)
            equal([name for name, place in line.params if place == "?"],
                  unknown if call == "-mno-fentry" else [], "unknown with " + call)
        done = work.rmc("--explain", work.compile(REALIGNED, flags=["-g", "-O2", "-mno-fentry"],
                                                  base=base))
        check("frame pointer" in done.stdout, done.stdout)
    obj = work.compile(REALIGNED, flags=["-g", "-O2", "-mrecord-mcount", "-mnop-mcount",
                                         "-fcf-protection=branch"])
    equal(work.by_name(obj)["realigned"].places["g"], "stack+0", "with nops")


CONVENTIONS = """
int ext(int, int);
int both(int a, int b) { return ext(b + 1, a + 2); }
int first(int a, int b) { return ext(a + 1, 2); }
int third(int a, int b, int c) { return ext(c + 1, a + 2); }
int fast(int a, int b, int c) { return ext(c + 1, c + 2); }
int none(int a, int b) { return ext(3, 4); }
int behind_branch(int a, int b) { if (ext == 0) return 5; return ext(a + 6, 7); }
__attribute__((regparm(0))) int linkage(int a, int b) { return ext(b + 1, a + 2); }
__attribute__((regparm(0))) int linkage_none(int a, int b) { return ext(8, 9); }
int four(int a, int b, int c, int d) { return ext(10, (int)&d); }
"""


@test
def conventions_shown_by_code(work):
    """x86-32: a register that is read before it is changed has an argument."""
    work.machine = X86_32
    obj = work.compile(CONVENTIONS, flags=["-O2", "-g", "-fno-var-tracking"])
    lines = work.by_name(obj)
    stack = {"both": ["eax", "edx"], "third": ["eax", "edx", "ecx"], "none": ["?", "?"],
             "linkage": ["stack+0", "stack+4"],
             "linkage_none": ["stack+0", "stack+4"], "four": ["eax", "edx", "ecx", "stack+0"]}
    for name, places in stack.items():
        got = [place for _, place in lines[name].params]
        check(all(p in (w, "?") for p, w in zip(got, places)), "%s: %r" % (name, got))
    equal(lines["both"].places, {"a": "eax", "b": "edx"}, "both are read")
    equal(lines["first"].places, {"a": "eax", "b": "?"}, "one is read")
    equal(lines["third"].places, {"a": "eax", "b": "edx", "c": "ecx"}, "two of three are read")
    equal(lines["fast"].places, {"a": "?", "b": "?", "c": "?"}, "it may be fastcall")
    equal(lines["none"].places, {"a": "?", "b": "?"}, "none is read")
    equal([line.ret for line in lines.values()], ["eax"] * len(lines), "results")
    tracked = work.by_name(work.compile(CONVENTIONS, "tracked", ["-O2", "-g"]))
    equal(tracked["linkage"].places, {"a": "stack+0", "b": "stack+4"}, "asmlinkage")
    equal(tracked["linkage_none"].places, {"a": "stack+0", "b": "stack+4"}, "asmlinkage")
    check(not any("?" in line.text for line in tracked.values()), "something is unknown")


# Whether instructions at the start of a function show that it has one in eax
SHOWN = {
    "mov %eax, %esi": "eax", "xor %eax, %eax; mov %eax, %esi": "?", "push %eax": "?",
    "call ext; mov %eax, %esi": "?", "jmp 1f; 1: mov %eax, %esi": "?", "cltd": "eax",
    "test %eax, %eax": "eax", "je 1f; mov %eax, %esi; 1:": "eax", "inc %eax": "eax",
    "mov ext, %eax; test %eax, %eax": "?", "mov %fs:4, %eax; test %eax, %eax": "?",
    "mov %fs:4, %ecx; mov %al, %bl": "eax", "or $-1, %eax; test %eax, %eax": "?",
    "sub %eax, %eax; test %eax, %eax": "?", "nop; test %eax, %eax": "?",
    "lea 4(%esp), %eax; test %eax, %eax": "?", "mov %ah, %bl": "?", "mov (%eax), %ecx": "eax",
    "mov 4(%ecx,%eax,4), %edx": "?", "movl $1, (%edx)": "?", "ud2; test %eax, %eax": "?",
    "mov %ecx, %esi": "?", "push %ebx; mov %eax, 4(%esp)": "eax",
}


@test
def conventions_not_mixed_up(work):
    """x86-32: instructions that read no argument show nothing."""
    work.machine = X86_32
    for code, place in SHOWN.items():
        text = "int ext(void);\nvoid f(int a) { asm volatile(\"%s\"); }\n" % code
        line, = work.printed(work.compile(text, flags=["-O2", "-g", "-fno-var-tracking"]))
        equal(line.places["a"], place, code)
