# SPDX-License-Identifier: GPL-2.0
"""What is written into objects, and what must stay as it is."""

import os
import struct
import zlib

from harness import X86_64, Elf, both, check, equal, read, run, write

SOURCE = """
struct s { int a; };
int ext(struct s *s, int n);
int plain(struct s *s, int n) { return ext(s, n) + 1; }
__attribute__((weak)) int is_weak(int c) { return c * 3; }
static __attribute__((used, noinline)) int is_static(int d) { return d * 5; }
__attribute__((section(".init.text"))) int init(int a) { return ext(0, a); }
__attribute__((section(".exit.text"))) void leave(void) { ext(0, 1); }
__attribute__((cold)) int cold(int b) { return ext(0, b) * 7; }
__attribute__((no_instrument_function)) int untraced(int e) { return e; }
int (*pointer)(struct s *, int) = plain;
int data = 3;
int *link = &data;
"""


def plain_params(work):
    return list(zip("sn", work.machine.regs))


def recorded_as_by_gcc(work, source, flags):
    """The same sites as with -mrecord-mcount."""
    ours = work.compile(source, "ours", flags + ["-g"])
    theirs = work.compile(source, "theirs", flags + ["-g", "-mrecord-mcount"])
    work.rmc("--strip-debug", ours)
    equal(Elf(ours).mcount_loc(), Elf(theirs).mcount_loc(), "recorded sites")
    check(Elf(ours).mcount_loc(), "no sites")
    sec = Elf(ours).find("__mcount_loc")
    equal((sec.type, sec.flags, sec.align), (1, 2, work.machine.word),
          "type, flags and alignment")


@both
def mcount_loc_as_by_gcc(work):
    for flags in (["-O2"], ["-Os"], ["-O0"], ["-O2", "-fcf-protection=branch"],
                  ["-O2", "-ffunction-sections"], ["-O2", "-freorder-blocks-and-partition"]):
        recorded_as_by_gcc(work, SOURCE, flags)


@both
def mcount_loc_of_pic(work):
    flags = [f for f in work.machine.base_flags if f != "-fno-PIE"] + ["-fPIC"]
    if work.machine is not X86_64:      # gcc cannot do both
        flags = work.machine.mcount(flags)
    ours = work.compile(SOURCE, "ours", ["-O2", "-g"], flags)
    theirs = work.compile(SOURCE, "theirs", ["-O2", "-mrecord-mcount"], flags)
    work.rmc(ours)
    equal(Elf(ours).mcount_loc(), Elf(theirs).mcount_loc(), "recorded sites")


@both
def mcount_loc_of_mcount(work):
    flags = work.machine.mcount(work.machine.kernel_flags)
    ours = work.compile(SOURCE, "ours", ["-O2", "-g"], flags)
    theirs = work.compile(SOURCE, "theirs", ["-O2", "-mrecord-mcount"], flags)
    work.rmc(ours)
    equal(Elf(ours).mcount_loc(), Elf(theirs).mcount_loc(), "recorded sites")


@both
def recorded_by_gcc_is_not_doubled(work):
    obj = work.compile(SOURCE, flags=["-O2", "-g", "-mrecord-mcount"])
    before = Elf(obj).mcount_loc()
    work.rmc(obj)
    equal(Elf(obj).mcount_loc(), before, "recorded sites")
    check(Elf(obj).find(".ftrace_sig"), "no signatures")


@both
def recorded_without_calls(work):
    """-mnop-mcount leaves nothing but __mcount_loc."""
    obj = work.compile(SOURCE, flags=["-O2", "-g", "-mrecord-mcount", "-mnop-mcount"])
    before = Elf(obj).mcount_loc()
    work.rmc(obj)
    equal(Elf(obj).mcount_loc(), before, "recorded sites")
    equal(work.by_name(obj)["plain"].params, plain_params(work), "parameters")


@both
def object_table(work):
    """.ftrace_sig, read by other code than the tool's."""
    obj = work.compile(SOURCE, flags=["-O2", "-g"])
    work.rmc(obj)
    elf = Elf(obj)
    sec = elf.find(".ftrace_sig")
    equal((sec.type, sec.flags, sec.align), (1, 0, 8), "type, flags and alignment")
    h = struct.unpack_from("<IHBBIIIIIIIIII", sec.data)
    magic, version, word, flags, size, crc, sites, ips, sigs, protos, types, strings, end, _ = h
    equal((magic, version, word, flags), (0x47495346, 2, work.machine.word, 1), "header")
    equal((size, size % 8), (len(sec.data), 0), "size")
    header = sec.data[:12] + bytes(4) + sec.data[16:48]
    equal(crc, zlib.crc32(header + sec.data[sigs:]), "checksum")
    relocs = elf.relocs(".ftrace_sig")
    equal([(r[0], r[1]) for r in relocs], [(ips + 8 * i, 1) for i in range(sites)], "relocations")
    for _, _, symbol, _ in relocs:
        equal(symbol.type, 3, "they are against section symbols")
    equal(sorted((elf.sections[r[2].shndx].name, r[3]) for r in relocs), elf.mcount_loc(),
          "sites of both sections")
    names = sec.data[strings:end].split(b"\0")
    for name in (b"s", b"n", b"int", b"a"):
        check(name in names, "string %r" % name)


@both
def signatures_without_mcount_loc(work):
    """For static tracing: the same signatures, no list of call sites, and nothing twice."""
    listed = work.compile(SOURCE, "listed", ["-O2", "-g"])
    static = work.copy(listed, "static.o")
    work.rmc("--strip-debug", listed)
    work.rmc("--strip-debug", "--no-mcount-loc", static)
    check(not Elf(static).find("__mcount_loc"), "__mcount_loc was written")
    equal(Elf(static).find(".ftrace_sig").data, Elf(listed).find(".ftrace_sig").data, "table")
    again = read(static)
    work.rmc("--no-mcount-loc", static)
    equal(read(static), again, "second run")
    done = work.rmc("--no-mcount-loc", "--no-signatures", static, fail_ok=True)
    check(done.returncode == 1 and "nothing to do" in done.stderr, "both: " + done.stderr)


@both
def rest_stays(work):
    """Code, data and symbols are the same after processing and stripping."""
    obj = work.compile(SOURCE, flags=["-O2", "-g"])
    before = Elf(obj)
    work.rmc("--strip-debug", obj)
    after = Elf(obj)
    equal(after.text(), before.text(), "loaded sections")
    keep = [(s.name, s.bind, s.type, s.value, s.size) for s in before.symbols if s.type != 3]
    equal([(s.name, s.bind, s.type, s.value, s.size) for s in after.symbols if s.type != 3], keep,
          "symbols")
    check(not [s.name for s in after.sections if "debug" in s.name], "debug sections left")


@both
def stripped_object_links(work):
    text = SOURCE + "int ext(struct s *s, int n) { return n; }\n" \
        "void __attribute__((no_instrument_function)) _start(void) { plain(0, 1); }\n" \
        "asm(\".globl __fentry__\\n__fentry__: ret\\n\");\n"
    flags = ["-O2", "-g3"] + (["-mcmodel=small"] if work.machine is X86_64 else [])
    plain = work.compile(text, "a", flags)
    images = []
    for number, obj in enumerate([plain, work.copy(plain, "b.o")]):
        if number:
            work.rmc("--strip-debug", obj)
        image = work.path("image%d" % number)
        work.ld("-static", "-o", image, obj)
        run(["objcopy", "-O", "binary", "-j", ".text", image, image + ".bin"])
        images.append(read(image + ".bin"))
    equal(images[0], images[1], "linked text")


@both
def groups_are_kept(work):
    """Section groups: of macros (removed with the DWARF) and of code."""
    text = SOURCE + """
asm(".section .text.shared,\\"axG\\",@progbits,shared,comdat\\n"
    ".weak shared\\n.type shared, @function\\nshared: call __fentry__\\nret\\n"
    ".size shared, . - shared\\n.previous\\n");
"""
    obj = work.compile(text, flags=["-O2", "-g3", "-fdebug-types-section"])
    groups = [s for s in Elf(obj).sections if s.type == 17]
    check(len(groups) > 2, "gcc made only %d groups" % len(groups))
    work.rmc("--strip-debug", obj)
    elf = Elf(obj)
    groups = [s for s in elf.sections if s.type == 17]
    equal(len(groups), 1, "number of groups")
    equal(elf.symbols[groups[0].info].name, "shared", "name of the group")
    members = [elf.sections[i].name for i in
               struct.unpack("<%dI" % (groups[0].size // 4), groups[0].data)[1:]]
    equal(sorted(members), [work.machine.relocs + ".text.shared", ".text.shared"], "members")
    check((".text.shared", 0) in elf.mcount_loc(), "site in the group")
    work.ld("-r", "-o", work.path("linked.o"), obj)


def idempotent(work, obj, *args):
    work.rmc(*args, obj)
    once, inode = read(obj), os.stat(obj).st_ino
    work.rmc(*args, obj)
    equal(read(obj), once, "second run")
    equal(os.stat(obj).st_ino, inode, "the file was written again")


@both
def second_run_changes_nothing(work):
    obj = work.compile(SOURCE, flags=["-O2", "-g"])
    idempotent(work, work.copy(obj, "b.o"))
    idempotent(work, work.copy(obj, "c.o"), "--strip-debug")
    idempotent(work, work.copy(obj, "d.o"), "--no-signatures")
    idempotent(work, work.compile(SOURCE, "e", ["-O2"]))


@both
def signatures_can_be_added_later(work):
    obj = work.compile(SOURCE, flags=["-O2", "-g"])
    both = work.copy(obj, "b.o")
    work.rmc(both)
    work.rmc("--no-signatures", obj)
    check(not Elf(obj).find(".ftrace_sig"), "signatures")
    work.rmc(obj)
    equal([line.text for line in work.printed(obj)], [line.text for line in work.printed(both)],
          "signatures")


@both
def deterministic(work):
    obj = work.compile(SOURCE, flags=["-O2", "-g"])
    outputs = []
    for name in ("b.o", "c.o"):
        copy = work.copy(obj, name)
        work.rmc("--strip-debug", copy)
        outputs.append(read(copy))
    equal(outputs[0], outputs[1], "output")


@both
def no_sites_no_change(work):
    obj = work.compile("int data; __attribute__((no_instrument_function)) int f(void) "
                       "{ return data; }\n", flags=["-O2", "-g"])
    before = read(obj)
    equal(work.rmc(obj).stderr, "", "messages")
    equal(read(obj), before, "content")
    work.rmc("--strip-debug", obj)
    check(not Elf(obj).find(".debug_info"), "DWARF is left")


@both
def no_dwarf_is_a_warning(work):
    obj = work.compile(SOURCE, flags=["-O2"])
    same = work.copy(obj, "b.o")
    done = work.rmc(obj)
    equal(done.stderr.count("\n"), 1, "number of warnings")
    check(done.stderr.startswith("recordmcount: %s: warning: " % obj), done.stderr)
    check(Elf(obj).mcount_loc(), "no sites")
    check(not Elf(obj).find(".ftrace_sig"), "signatures without DWARF")
    equal(work.rmc("--no-signatures", same).stderr, "", "messages")
    for line in work.printed(obj):
        check(not line.known, line.text)


@both
def other_links_and_mode_stay(work):
    """Compiler caches share files by hard links."""
    obj = work.compile(SOURCE, flags=["-O2", "-g"])
    cached = work.path("cached")
    os.link(obj, cached)
    os.chmod(obj, 0o640)
    before = read(obj)
    work.rmc(obj)
    equal(read(cached), before, "the other link")
    check(read(obj) != before, "nothing was written")
    equal(os.stat(obj).st_mode & 0o7777, 0o640, "mode")
    work.no_leftovers()


@both
def symbolic_link_is_followed(work):
    obj = work.compile(SOURCE, flags=["-O2", "-g"])
    link = work.path("link.o")
    os.symlink(obj, link)
    work.rmc(link)
    check(os.path.islink(link), "the link was replaced")
    check(Elf(obj).find("__mcount_loc"), "the object wasn't processed")


@both
def many_objects(work):
    """Several at once; one that is broken doesn't stop the others."""
    one = work.compile(SOURCE, "one", ["-O2", "-g"])
    bad = write(work.path("bad.o"), b"\x7fELF but not really")
    two = work.compile(SOURCE, "two", ["-O2", "-g"])
    done = work.rmc(one, bad, two, fail_ok=True)
    equal(done.returncode, 1, "exit code")
    for obj in (one, two):
        check(Elf(obj).find(".ftrace_sig"), "not processed: " + obj)


@both
def many_sections(work):
    """More sections than fit in 16 bits of a symbol are refused or handled."""
    text = "".join("void f%d(void) { }\n" % i for i in range(3000))
    obj = work.compile(text, flags=["-O1", "-g", "-ffunction-sections"])
    work.rmc("--strip-debug", obj)
    equal(len(Elf(obj).mcount_loc()), 3000, "sites")


@both
def partly_processed(work):
    """Linked from an object that was processed and one that wasn't."""
    one = work.compile(SOURCE, "one", ["-O2", "-g"])
    two = work.compile("int later(char *p) { return *p; }\n", "two", ["-O2", "-g"])
    work.rmc(one)
    linked = work.path("both.o")
    work.ld("-r", "-o", linked, one, two)
    work.rmc(linked)
    lines = work.by_name(linked)
    equal(lines["later"].params, [("p", work.machine.regs[0])], "the new one")
    equal(lines["plain"].params, plain_params(work), "an old one")
    sites = Elf(linked).mcount_loc()
    equal(len(sites), len(set(sites)), "sites are not doubled")
    idempotent(work, linked)


@both
def references_that_are_no_calls(work):
    text = "void __fentry__(void); void *p = __fentry__; int f(int a) { return a; }\n"
    obj = work.compile(text, flags=["-O2", "-g"])
    done = work.rmc("-w", obj)
    check("is no call to trace" in done.stderr, done.stderr)
    equal(len(Elf(obj).mcount_loc()), 1, "sites")
