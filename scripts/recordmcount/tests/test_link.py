# SPDX-License-Identifier: GPL-2.0
"""Linking the tables of modules and images."""

import struct

from harness import X86_32, X86_64, Elf, both, check, equal, read, run, test, write
from test_objects import SOURCE

SECOND = """
struct s { int a; };
enum colour { RED, GREEN = 7 };
int ext(struct s *s, int n) { return n + s->a; }
long second(enum colour c, unsigned char u, struct s *s) { return c; }
static __attribute__((section(".init.text"), used)) int init2(int q) { return q; }
"""

LAYOUT = """
SECTIONS {
	. = @;
	_stext = .; .text : { *(.text*) } _etext = .;
	. = ALIGN(4096);
	.rodata : { *(.rodata*) . = ALIGN(8);
		__start_mcount_loc = .; *(__mcount_loc) __stop_mcount_loc = .; }
	__ftrace_signatures : { KEEP(*(__ftrace_signatures)) }
	. = ALIGN(4096);
	_sinittext = .; .init.text : { *(.init.text) } _einittext = .;
	.exit.text : { *(.exit.text) }
	.data : { *(.data) } .bss : { *(.bss) }
}
"""


def objects(work, process=True, options=("--strip-debug",)):
    out = [work.compile(SOURCE, "first", ["-O2", "-g"]),
           work.compile(SECOND, "second", ["-O2", "-g"]),
           work.compile("asm(\".globl __fentry__\\n__fentry__: ret\\n\");\n", "fentry", ["-O2"])]
    for obj in out if process else []:
        work.rmc(*options, obj)
    return out


def layout(work, text=LAYOUT):
    """A linker script like the kernel's, at the upper end of the address space."""
    start = "0xffffffff81000000" if work.machine is X86_64 else "0xc1000000"
    return write(work.path("layout.lds"), text.replace("@", start))


def link(work, name, objs, text=LAYOUT):
    out = work.path(name)
    work.ld("-T", layout(work, text), "-z", "noexecstack", "-e", "plain", "-o", out, *objs)
    return out


def described(lines):
    return sorted(line.text.split("\t", 1)[1] for line in lines)


def image(work):
    objs = objects(work)
    first = link(work, "vmlinux1", objs)
    table = work.path("sig.o")
    work.rmc("--link", "-o", table, first)
    return objs, first, table, link(work, "vmlinux", objs + [table])


@both
def link_image(work):
    objs, first, table, final = image(work)
    work.rmc("--check", final)
    lines = work.printed(final)
    want = sum((described(work.printed(o)) for o in objs), [])
    want = [text for text in want if not text.startswith("leave\t")]
    equal(described(lines), sorted(want), "signatures")
    symbols = {s.name: s.value for s in Elf(final).symbols}
    for line in lines:
        equal(int(line.where, 16), symbols[line.symbol], "address of " + line.symbol)
    addresses = [int(line.where, 16) for line in lines]
    equal(addresses, sorted(addresses), "order")


@both
def link_image_object(work):
    """The sections of the object with the table."""
    _, _, table, _ = image(work)
    elf = Elf(table)
    equal(elf.type, 1, "ELF type")
    sec = elf.find("__ftrace_signatures")
    equal((sec.type, sec.flags, sec.align), (1, 2, 8), "type, flags and alignment")
    relocs = elf.relocs("__ftrace_signatures")
    equal({r[1] for r in relocs}, {2}, "types of relocations")
    equal({(r[2].name, r[2].shndx) for r in relocs}, {("_stext", 0), ("_sinittext", 0)}, "symbols")
    flags, sites, ips = sec.data[7], *struct.unpack_from("<II", sec.data, 16)
    equal(flags, 0, "flags")
    equal(sorted(r[0] for r in relocs), [ips + 4 * i for i in range(sites)], "places")
    check(elf.find(".note.GNU-stack"), "no .note.GNU-stack")


@both
def link_image_is_stable(work):
    """Linking twice gives the same, and so does linking from an image with the table."""
    objs, first, table, final = image(work)
    work.rmc("--link", "-o", work.path("again.o"), first)
    equal(read(work.path("again.o")), read(table), "second run")
    work.rmc("--link", "-o", work.path("final.o"), final)
    equal(read(work.path("final.o")), read(table), "from the final image")


@both
def link_image_shares(work):
    """Equal prototypes, types and strings of all objects are stored once."""
    _, first, table, _ = image(work)
    elf = Elf(first)
    data = Elf(table).find("__ftrace_signatures").data
    equal(data.count(b"\0s\0"), 1, "copies of the string s")
    check(len(data) < elf.find(".ftrace_sig").size, "nothing was shared")
    strings, end = struct.unpack_from("<II", data, 36)
    names = data[strings:end].split(b"\0")
    equal(len(names), len(set(names)) + 1, "strings")  # the first and the last are empty


@both
def link_image_without_mcount_loc(work):
    """Static tracing has no __mcount_loc: sites are checked against the code."""
    text = LAYOUT.replace("__start_mcount_loc = .; *(__mcount_loc) __stop_mcount_loc = .;", "")
    objs = objects(work, options=("--strip-debug", "--no-mcount-loc"))
    table = work.path("sig.o")
    work.rmc("--link", "-o", table, link(work, "vmlinux1", objs, text))
    final = link(work, "vmlinux", objs + [table], text)
    work.rmc("--check", final)
    want = sum((described(work.printed(o)) for o in objs), [])
    equal(described(work.printed(final)),
          sorted(text for text in want if not text.startswith("leave\t")), "signatures")

    elf = Elf(final)
    data = bytearray(elf.data)
    site = int(work.printed(final)[0].where, 16)
    text = elf.find(".text")
    data[text.offset + site - text.addr + 1] ^= 1
    work.refused(write(work.path("elsewhere"), bytes(data)), "0x%x" % site,
                 "__fentry__ is not called", args=["--check"])
    stripped = work.path("stripped")
    run(["objcopy", "-N", "__fentry__", final, stripped])
    work.refused(stripped, "nor a tracer", args=["--check"])


@both
def link_image_drops_overridden(work):
    """A weak function whose code stays, without a name; sorttable clears its site."""
    objs = objects(work)
    strong = work.compile("int is_weak(int c, int d) { return c - d; }\n", "strong", ["-O2", "-g"])
    work.rmc(strong)
    first = link(work, "vmlinux1", objs + [strong])
    table = work.path("sig.o")
    work.rmc("--link", "-o", table, first)
    final = link(work, "vmlinux", objs + [strong, table])
    work.rmc("--check", final)
    lines = [line for line in work.printed(final) if line.symbol in ("is_weak", "?")]
    equal([line.params for line in lines], [list(zip("cd", work.machine.regs))],
          "overridden function")
    sites = [int(line.where, 16) for line in work.printed(final)]
    elf = Elf(final)
    symbols = {s.name: s.value for s in elf.symbols}
    rodata = elf.find(".rodata")
    data, at = bytearray(elf.data), rodata.offset + symbols["__start_mcount_loc"] - rodata.addr
    cleared = 0
    word, address = work.machine.word, work.machine.address
    end = at + symbols["__stop_mcount_loc"] - symbols["__start_mcount_loc"]
    for place in range(at, end, word):
        site, = struct.unpack_from(address, data, place)
        if site not in sites and site >= symbols["_stext"] and site < symbols["_etext"]:
            data[place:place + word] = bytes(word)
            cleared += 1
    equal(cleared, 1, "sites without a name")
    work.rmc("--check", write(work.path("sorted"), bytes(data)))
    # sorttable clears some with a symbol, too
    other, = struct.unpack_from(address, data, place)
    struct.pack_into(address, data, place, 0)
    work.rmc("--check", write(work.path("sorted"), bytes(data)))
    struct.pack_into(address, data, place, other + 1)
    struct.pack_into(address, data, place - word, sites[0] + 2)
    work.refused(write(work.path("bad"), bytes(data)), "not in __mcount_loc", args=["--check"])


@both
def link_image_without_signatures(work):
    objs = objects(work, process=False)
    for obj in objs:
        work.rmc("--no-signatures", obj)
    first = link(work, "vmlinux1", objs)
    table = work.path("sig.o")
    work.rmc("--link", "-o", table, first)
    final = link(work, "vmlinux", objs + [table])
    work.rmc("--check", final)
    equal(struct.unpack_from("<I", Elf(final).find("__ftrace_signatures").data, 16)[0], 0, "sites")


@both
def link_image_drops_duplicates(work):
    """An object whose table is there twice."""
    objs = objects(work)
    elf = Elf(objs[0])
    data = elf.find(".ftrace_sig").data
    first = link(work, "vmlinux1", objs)
    whole = bytearray(read(first))
    sec = Elf(first).find(".ftrace_sig")
    second = Elf(first).data[sec.offset:sec.offset + len(data)]
    doubled = write(work.path("tables"), bytes(8) + second + sec.data)
    image2 = work.path("vmlinux2")
    run(["objcopy", "--update-section", ".ftrace_sig=" + doubled, first, image2])
    work.rmc("--link", "-o", work.path("a.o"), first)
    work.rmc("--link", "-o", work.path("b.o"), image2)
    equal(read(work.path("b.o")), read(work.path("a.o")), "table")
    check(len(whole), "image")


@both
def check_finds_errors(work):
    _, _, _, final = image(work)
    good = read(final)
    sec = Elf(final).find("__ftrace_signatures")
    sites, ips, sigs = struct.unpack_from("<III", sec.data, 16)

    def bad(change, *words):
        data = bytearray(good)
        change(data, sec.offset)
        work.refused(write(work.path("bad"), bytes(data)), *words, args=["--check"])

    def swap(data, at):
        a, b = struct.unpack_from("<ii", data, at + ips)
        struct.pack_into("<ii", data, at + ips, b + 4, a - 4)

    def double(data, at):
        a, = struct.unpack_from("<i", data, at + ips)
        struct.pack_into("<i", data, at + ips + 4, a - 4)

    def astray(data, at):
        a, = struct.unpack_from("<i", data, at + ips)
        struct.pack_into("<i", data, at + ips, a - 1)

    def flip(data, at):
        data[at + sigs + 1] ^= 1

    def magic(data, at):
        data[at] ^= 1

    bad(swap, "not sorted")
    bad(double, "two signatures")
    bad(astray, "not in __mcount_loc")
    bad(flip, "checksum")
    bad(magic, "no signature table")
    without = work.path("without")
    run(["objcopy", "--remove-section=__ftrace_signatures", final, without])
    work.refused(without, "no section", args=["--check"])


@both
def link_module(work):
    objs = objects(work)
    module = work.path("m.ko")
    work.ld("-r", "-o", module, *objs)
    before, lines = Elf(module), described(work.printed(module))
    work.rmc("--link-module", module)
    after = Elf(module)
    check(not after.find(".ftrace_sig") and not after.find(work.machine.relocs + ".ftrace_sig"),
          ".ftrace_sig left")
    sec = after.find("__ftrace_signatures")
    equal((sec.type, sec.flags, sec.align), (1, 2, 8), "type, flags and alignment")
    relocs = after.relocs("__ftrace_signatures")
    equal({(r[1], r[2].type) for r in relocs}, {(2, 3)}, "relocations: PC32, section symbols")
    equal(sorted((after.sections[r[2].shndx].name, r[3]) for r in relocs), after.mcount_loc(),
          "sites")
    equal(described(work.printed(module)), lines, "signatures")
    rest = [s for s in after.text() if "ftrace_sig" not in s[0]]
    equal(rest, before.text(), "loaded sections")
    keep = [(s.name, s.bind, s.type, s.value, s.size) for s in before.symbols if s.type != 3]
    equal([(s.name, s.bind, s.type, s.value, s.size) for s in after.symbols if s.type != 3], keep,
          "symbols")
    again = read(module)
    work.rmc("--link-module", module)
    equal(read(module), again, "second run")


@both
def link_module_links(work):
    """The linker resolves what is in the module to the places of the sites."""
    objs = objects(work)
    module = work.path("m.ko")
    work.ld("-r", "-o", module, *objs[:2])
    work.rmc("--link-module", module)
    final = link(work, "image", [module, objs[2]])
    elf = Elf(final)
    sec = elf.find("__ftrace_signatures")
    sites, ips = struct.unpack_from("<II", sec.data, 16)
    got = sorted(sec.addr + ips + 4 * i + struct.unpack_from("<i", sec.data, ips + 4 * i)[0]
                 for i in range(sites))
    symbols = {s.name: s.value for s in elf.symbols}
    start, stop = symbols["__start_mcount_loc"], symbols["__stop_mcount_loc"]
    rodata = elf.find(".rodata")
    want = [site for site, in struct.iter_unpack(work.machine.address, rodata.data[
        start - rodata.addr:stop - rodata.addr])]
    equal(got, sorted(want), "addresses")


@both
def link_module_without_signatures(work):
    obj = work.compile(SOURCE, flags=["-O2", "-g"])
    before = read(obj)
    work.rmc("--link-module", obj)
    equal(read(obj), before, "content")


@both
def link_refuses_broken_tables(work):
    objs = objects(work)
    module = work.path("m.ko")
    work.ld("-r", "-o", module, *objs)
    sec = Elf(module).find(".ftrace_sig")
    good = read(module)
    for at, byte in ((0, 1), (4, 9), (6, 4), (8, 4), (12, 1), (sec.size - 9, 1)):
        data = bytearray(good)
        data[sec.offset + at] ^= byte
        bad = write(work.path("bad.ko"), bytes(data))
        work.refused(bad, args=["--link-module"])


@test
def link_image_far_apart(work):
    """x86-32: a table that is further from the text than a signed word reaches."""
    work.machine = X86_32
    objs = objects(work)
    table = work.path("sig.o")
    work.rmc("--link", "-o", table, link(work, "first", objs))
    text = LAYOUT.replace("__ftrace_signatures :", "__ftrace_signatures 0x10000 :")
    text = text.replace("_sinittext = .;", ". = 0xc2000000; _sinittext = .;")
    final = link(work, "final", objs + [table], text)
    check(Elf(final).find("__ftrace_signatures").addr < 1 << 20, "the table is not far away")
    work.rmc("--check", final)
    symbols = {s.name: s.value for s in Elf(final).symbols}
    for line in work.printed(final):
        equal(int(line.where, 16), symbols[line.symbol], "address of " + line.symbol)


@test
def link_refuses_wide_addresses(work):
    """What addresses of 32 bits in places of 64 can have besides."""
    work.machine = X86_32
    objs = objects(work)
    module, first = work.path("m.ko"), link(work, "first", objs)
    work.ld("-r", "-o", module, *objs)
    for path, args in ((module, ["--link-module"]), (module, ["--print"]),
                       (first, ["--link", "-o", work.path("out.o")])):
        data, sec = bytearray(read(path)), Elf(path).find(".ftrace_sig")
        ips, = struct.unpack_from("<I", sec.data, 20)
        data[sec.offset + ips + 4] = 1
        work.refused(write(work.path("wide.o"), bytes(data)), "more than 32 bits", args=args)
    data, elf = bytearray(read(module)), Elf(module)
    rel, sec = elf.find(".rel.ftrace_sig"), elf.find(".ftrace_sig")
    offset, info = struct.unpack_from("<II", data, rel.offset)
    for change, why in ((2, "within an address"), (sec.size, "broken relocation")):
        struct.pack_into("<II", data, rel.offset, offset + change, info)
        work.refused(write(work.path("bad.ko"), bytes(data)), why, args=["--link-module"])
    for kind in 2, 20:
        struct.pack_into("<II", data, rel.offset, offset, info & ~0xff | kind)
        work.refused(write(work.path("bad.ko"), bytes(data)), "relocation of type %d" % kind,
                     args=["--link-module"])
