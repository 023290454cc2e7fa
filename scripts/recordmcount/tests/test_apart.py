# SPDX-License-Identifier: GPL-2.0
"""Tables of an image that are kept apart from it."""

import struct
import zlib

from harness import X86_64, Elf, both, check, equal, read, run, write
from test_link import described, layout, objects
from test_objects import SOURCE

SECTION = "__ftrace_signatures_apart"
HEADER = 48
BUILD_ID = 20


def link(work, name, objs, *options):
    out = work.path(name)
    work.ld("-T", layout(work), "-z", "noexecstack", "-e", "plain", "--build-id=sha1", "-o", out,
            *options, *objs)
    return out


def image(work, *options):
    """A linked image, the object with its table, and the image without one"""
    objs = objects(work)
    first = link(work, "vmlinux", objs, *options)
    table = work.path("table.o")
    work.rmc("--link-apart", "-o", table, first)
    final = work.path("final")
    run(["objcopy", "--remove-section=.ftrace_sig", "--remove-section=.rela.ftrace_sig",
         first, final])
    return objs, first, table, final


def build_id(path):
    for line in run(["readelf", "-nW", path]).stdout.splitlines():
        if "Build ID:" in line:
            return bytes.fromhex(line.split()[-1])
    return None


class Table:
    """The table of an object, read by code of our own."""

    def __init__(self, path):
        self.section = Elf(path).find(SECTION)
        self.data = self.section.data
        (self.magic, self.version, self.word, self.flags, self.size, self.checksum, self.nr,
         self.ips, self.sigs) = struct.unpack_from("<IHBBIIIII", self.data)
        self.build_id = self.data[HEADER:HEADER + BUILD_ID]
        self.sites = list(struct.unpack_from("<%dI" % self.nr, self.data, self.ips))


def seal(data):
    """The table with the checksum that it should have."""
    data = bytearray(data)
    struct.pack_into("<I", data, 12, 0)
    struct.pack_into("<I", data, 12, zlib.crc32(bytes(data)))
    return bytes(data)


@both
def apart_table(work):
    objs, first, table, final = image(work)
    t = Table(table)
    equal((t.magic, t.version, t.word, t.flags, t.size),
          (0x47495346, 2, work.machine.word, 2, len(t.data)), "header")
    equal((t.ips, t.sigs), (HEADER + BUILD_ID, HEADER + BUILD_ID + 4 * t.nr), "first parts")
    equal((t.section.type, t.section.flags, t.section.align), (1, 2, 8), "section")
    equal(t.build_id, build_id(first), "build ID")
    equal(build_id(final), build_id(first), "build ID of the final image")
    equal(seal(t.data), t.data, "checksum")
    symbols = {s.name: s for s in Elf(final).symbols}
    names = {s.value: s.name for s in Elf(final).symbols if s.type == 2}
    text = symbols["_stext"].value
    lines = sum((described(work.printed(o)) for o in objs), [])
    want = sorted(line.split("\t")[0] for line in lines if not line.startswith("leave\t"))
    equal(sorted(names[text + site] for site in t.sites), want, "functions")
    equal(t.sites, sorted(set(t.sites)), "order")
    check(any(text + site >= symbols["_sinittext"].value for site in t.sites), "no init text")


@both
def apart_object(work):
    """It joins a module: nothing to relocate, and symbols at both ends."""
    _, _, table, _ = image(work)
    elf = Elf(table)
    equal((elf.type, elf.machine), (1, 62 if work.machine is X86_64 else 3), "type and machine")
    sec = elf.find(SECTION)
    check(not elf.relocs(SECTION), "relocations")
    equal({(s.name, s.bind, s.shndx, s.value) for s in elf.symbols if s.name},
          {("ftrace_signatures_start", 1, sec.index, 0),
           ("ftrace_signatures_end", 1, sec.index, sec.size)}, "symbols")
    check(elf.find(".note.GNU-stack"), "no .note.GNU-stack")
    user = work.compile("extern char ftrace_signatures_start[] __attribute__((weak));\n"
                        "extern char ftrace_signatures_end[] __attribute__((weak));\n"
                        "unsigned long size(void)\n"
                        "{ return ftrace_signatures_end - ftrace_signatures_start; }\n",
                        "user", ["-O2", "-g"])
    work.rmc("--strip-debug", user)
    module = work.path("m.ko")
    work.ld("-r", "-o", module, user, table)
    work.rmc("--link-module", module)
    after = Elf(module)
    equal(after.find(SECTION).data, sec.data, "table in a module")
    check(after.find("__ftrace_signatures"), "the module's own table is not there")
    for option in ("--strip-debug", "--strip-unneeded"):
        stripped = work.path("stripped.ko")
        run(["strip", option, "-o", stripped, module])
        equal(Elf(stripped).find(SECTION).data, sec.data, "table after strip " + option)
    globs = {s.name: s.bind for s in after.symbols if s.shndx == 0 and s.name}
    check("ftrace_signatures_start" not in globs, "undefined in the module: %r" % globs)


@both
def apart_print_and_check(work):
    """An image with the table beside it is treated like one that contains it."""
    objs, first, table, final = image(work)
    work.rmc("--check", "--table", table, final)
    lines = work.rmc("--print", "--table", table, final).stdout
    built_in = work.path("sig.o")
    work.rmc("--link", "-o", built_in, first)
    other = link(work, "other", objs + [built_in])
    # What is behind the text may lie elsewhere
    equal([line.split("\t")[1:] for line in lines.splitlines()],
          [line.text.split("\t")[1:] for line in work.printed(other)], "signatures")
    symbols = {s.name: s.value for s in Elf(final).symbols}
    for line in lines.splitlines():
        where, name = line.split("\t")[:2]
        equal(int(where, 16), symbols[name], "address of " + name)
    work.refused(final, "no signatures", args=["--print"])
    work.refused(final, "no section", args=["--check"])


@both
def apart_of_another_image(work):
    objs, _, table, final = image(work)
    other = link(work, "other", objs + [work.compile("int more;", "more")])
    check(build_id(other) != build_id(final), "the same build ID")
    for command in "--check", "--print":
        done = work.rmc(command, "--table", table, other, fail_ok=True, tool=work.safe_tool)
        equal(done.returncode, 1, "exit code")
        check("another build ID" in done.stderr and table in done.stderr
              and other in done.stderr, "message: " + done.stderr)
        equal(done.stdout, "", "output")


@both
def apart_build_ids(work):
    """A short one is filled up; without one there is no table."""
    _, first, table, final = image(work, "--build-id=0x0123456789abcdef")
    equal(Table(table).build_id, bytes.fromhex("0123456789abcdef") + bytes(12), "build ID")
    work.rmc("--check", "--table", table, final)
    objs = objects(work)
    for option, why in (("none", "no build ID"), ("0x" + "ab" * 24, "24 bytes")):
        other = link(work, "other", objs, "--build-id=" + option)
        work.refused(other, why, args=["--link-apart", "-o", work.path("none.o")])
        check("none.o" not in run(["ls", work.dir]).stdout.split(), "an object was written")
    check(first, "image")


@both
def apart_without_signatures(work):
    objs = objects(work, process=False)
    for obj in objs:
        work.rmc("--no-signatures", obj)
    first = link(work, "vmlinux", objs)
    table = work.path("table.o")
    work.rmc("--link-apart", "-o", table, first)
    equal(Table(table).nr, 0, "sites")
    work.rmc("--check", "--table", table, first)


def replaced(work, table, data):
    """The object with another table"""
    out = bytearray(read(table))
    sec = Elf(table).find(SECTION)
    equal(len(data), sec.size, "size")
    out[sec.offset:sec.offset + sec.size] = data
    return write(work.path("bad.o"), bytes(out))


@both
def apart_check_finds_errors(work):
    _, _, table, final = image(work)
    good = Table(table)

    def bad(data, *words):
        path = replaced(work, table, bytes(data))
        done = work.rmc("--check", "--table", path, final, fail_ok=True, tool=work.safe_tool)
        equal(done.returncode, 1, "exit code")
        for word in words:
            check(word in done.stderr, "no %r in %r" % (word, done.stderr))

    def forged(sites):
        data = bytearray(good.data)
        struct.pack_into("<%dI" % good.nr, data, good.ips, *sites)
        return seal(data)

    bad(forged([good.sites[1], good.sites[0]] + good.sites[2:]), "not sorted")
    bad(forged([good.sites[0]] * 2 + good.sites[2:]), "two signatures")
    bad(forged([site + 1 for site in good.sites]), "not in __mcount_loc")
    # The checksum is of all that is behind the header, too
    for at in (HEADER, HEADER + BUILD_ID - 1, good.ips, good.sigs - 1, good.sigs, good.size - 1):
        data = bytearray(good.data)
        data[at] ^= 1
        bad(data, "checksum")
    for flags in (0, 1, 3):
        data = bytearray(good.data)
        data[7] = flags
        bad(seal(data), "signature table" if flags == 1 else "table")
    data = bytearray(good.data)
    struct.pack_into("<I", data, 20, HEADER)
    bad(seal(data), "parts in wrong places")


@both
def apart_is_no_other_table(work):
    """Nor may it stand where the tables of objects and modules do."""
    _, first, table, _ = image(work)
    renamed = work.path("renamed.o")
    run(["objcopy", "--rename-section", SECTION + "=.ftrace_sig", table, renamed])
    work.refused(renamed, "another kind", args=["--link-module"])
    run(["objcopy", "--rename-section", SECTION + "=__ftrace_signatures", table, renamed])
    work.refused(renamed, "another kind", args=["--print"])
    done = work.rmc("--check", "--table", first, first, fail_ok=True, tool=work.safe_tool)
    check("no section " + SECTION in done.stderr, "message: " + done.stderr)


@both
def apart_usage(work):
    obj = work.compile(SOURCE, flags=["-O2", "-g"])
    for args, why in ((["--link-apart", obj], "belong together"),
                      (["--link-apart", "-o", "x.o", obj, obj], "one image"),
                      (["--table", obj, obj], "--table is for"),
                      (["--print", "--table", obj, obj, obj], "one image")):
        done = work.rmc(*args, fail_ok=True)
        equal(done.returncode, 1, "exit code")
        check(why in done.stderr.splitlines()[0], "message: " + done.stderr.splitlines()[0])
    work.refused(obj, "not a linked image", args=["--link-apart", "-o", work.path("x.o")])
