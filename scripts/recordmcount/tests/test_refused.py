# SPDX-License-Identifier: GPL-2.0
"""Files that must be refused, with a clear message, and left alone."""

import os
import shutil
import struct

from harness import X86_32, X86_64, Elf, Skip, both, check, equal, read, test, write
from test_objects import SOURCE


def patched(work, name, *changes):
    data = bytearray(read(work.compile(SOURCE, "good", ["-O2", "-g"])))
    for offset, replacement in changes:
        data[offset:offset + len(replacement)] = replacement
    return write(work.path(name), bytes(data))


@test
def refuses_what_is_no_object(work):
    work.refused(write(work.path("text.o"), "int f(void);\n"), "not an ELF file")
    work.refused(write(work.path("empty.o"), b""), "empty")
    work.refused(write(work.path("short.o"), b"\x7fELF\2\1\1"), "truncated")
    done = work.rmc(work.path("missing.o"), fail_ok=True)
    equal(done.returncode, 1, "exit code")
    check("missing.o: No such file" in done.stderr, done.stderr)
    done = work.rmc(work.dir, fail_ok=True)
    equal(done.returncode, 1, "exit code for a directory")


@both
def refuses_other_machines(work):
    work.refused(patched(work, "arm.o", (18, struct.pack("<H", 183))), "machine 183")
    other, why = (62, "x32 ABI") if work.machine is X86_32 else (3, "ELF64 for x86-32")
    work.refused(patched(work, "class.o", (18, struct.pack("<H", other))), why)
    work.refused(patched(work, "big.o", (5, b"\2")), "big endian")
    work.refused(patched(work, "class.o", (4, b"\7")), "ELF class")


@both
def refuses_what_is_not_relocatable(work):
    obj = work.compile("void _start(void) { }\nasm(\".globl __fentry__\\n__fentry__: ret\");\n",
                       flags=["-O2", "-g"] + (
                           ["-mcmodel=small"] if work.machine is X86_64 else []))
    image = work.path("image")
    work.ld("-static", "-o", image, obj)
    work.refused(image, "not a relocatable object")
    work.refused(image, "not a relocatable object", args=["--link-module"])
    work.refused(obj, "not a linked image", args=["--check"])
    work.refused(obj, "not a linked image", args=["--link", "-o", work.path("out")])
    check(not os.path.exists(work.path("out")), "a refused link has output")


@both
def refuses_lto(work):
    obj = work.compile(SOURCE, flags=["-O2", "-flto", "-fno-fat-lto-objects"])
    work.refused(obj, "LTO")
    fat = work.compile(SOURCE, "fat", ["-O2", "-g", "-flto", "-ffat-lto-objects"])
    work.rmc("--no-signatures", fat)
    check(Elf(fat).mcount_loc(), "sites of a fat object")
    work.refused(write(work.path("bitcode.o"), b"BC\xc0\xde" + bytes(60)), "bitcode")
    if shutil.which("clang"):
        obj = work.compile("int f(int a) { return a; }\n", "llvm", ["-O2", "-flto"],
                           base=work.machine.flags, cc=["clang"])
        work.refused(obj, "bitcode")


@both
def refuses_truncated_objects(work):
    """At every length: refused, unless what is missing is nothing."""
    data = read(work.compile(SOURCE, flags=["-O2", "-g"]))
    for size in range(0, len(data), max(1, len(data) // 120)):
        work.refused(write(work.path("cut.o"), data[:size]))
    for size in range(len(data) - 64, len(data)):
        work.refused(write(work.path("cut.o"), data[:size]))


@both
def refuses_broken_headers(work):
    good = Elf(work.compile(SOURCE, "good", ["-O2", "-g"]))
    symtab, rela = good.find(".symtab"), good.find(work.machine.relocs + ".text")
    address, wide = work.machine.address, work.machine is X86_64

    def header(sec, field):
        """Where a field of a section header is, by its offset in ELF64."""
        if not wide:
            field = {0: 0, 24: 16, 32: 20, 40: 24, 44: 28}[field]
        return good.shoff + good.shentsize * sec.index + field

    def ehdr(field):
        if not wide:
            field = {20: 20, 40: 32, 52: 40, 58: 46, 60: 48, 62: 50}[field]
        return field

    def symbol(field):
        if not wide:
            field = {24: 16, 30: 16 + 14}[field]
        return symtab.offset + field
    cases = {
        "offset": [(header(rela, 24), struct.pack(address, 1 << 31))],
        "size": [(header(rela, 32), struct.pack(address, 1 << 8 * work.machine.word - 1))],
        "odd": [(header(rela, 32), struct.pack(address, 25))],
        "target": [(header(rela, 44), struct.pack("<I", 9999))],
        "strtab": [(header(symtab, 40), struct.pack("<I", 0))],
        "strtab2": [(header(symtab, 40), struct.pack("<I", 1))],
        "locals": [(header(symtab, 44), struct.pack("<I", 99999))],
        "name": [(header(rela, 0), struct.pack("<I", 1 << 30))],
        "shoff": [(ehdr(40), struct.pack(address, 1 << 30))],
        "shnum": [(ehdr(60), struct.pack("<H", 60000))],
        "shstrndx": [(ehdr(62), struct.pack("<H", 60000))],
        "shentsize": [(ehdr(58), struct.pack("<H", 64 if not wide else 40))],
        "ehsize": [(ehdr(52), struct.pack("<H", 64 if not wide else 52))],
        "version": [(ehdr(20), struct.pack("<I", 2))],
        "section": [(symbol(30), struct.pack("<H", 0xfe00))],
        "symbol name": [(symbol(24), struct.pack("<I", 1 << 30))],
    }
    for name, changes in cases.items():
        work.refused(patched(work, name.replace(" ", "_") + ".o", *changes))


@test
def refuses_unwritable_directory(work):
    if os.geteuid() == 0:
        raise Skip("root can write everywhere")
    obj = work.compile(SOURCE, flags=["-O2", "-g"])
    os.chmod(work.dir, 0o555)
    try:
        work.refused(obj, "cannot create")
    finally:
        os.chmod(work.dir, 0o755)


@test
def no_space_left(work):
    """/dev/full stands for --print's output; objects go through rename."""
    obj = work.compile(SOURCE, flags=["-O2", "-g"])
    with open("/dev/full", "w") as full:
        import subprocess
        done = subprocess.run([work.tool, "--print", obj], stdout=full, stderr=subprocess.PIPE)
    equal(done.returncode, 1, "exit code")


@test
def command_line(work):
    obj = work.compile(SOURCE, flags=["-O2", "-g"])
    before = read(obj)
    for args in ([], ["--nonsense", obj], ["--link", obj], ["-o", "x", obj],
                 ["--link", "-o", "x", obj, obj], ["--print", "--check", obj]):
        done = work.rmc(*args, fail_ok=True)
        equal(done.returncode, 1, "exit code of %r" % args)
        check("usage:" in done.stderr, done.stderr)
    check("usage:" in work.rmc("--help").stdout, "--help")
    equal(work.rmc("--version").stdout.split()[0], "recordmcount", "--version")
    equal(read(obj), before, "content")


@test
def refuses_x32(work):
    """Objects that a compiler makes for the x32 ABI."""
    obj = work.compile("int f(int a) { return a; }\n", "x32", ["-mx32", "-O2", "-g"],
                       base=X86_64.base_flags)
    equal(Elf(obj).machine, 62, "machine")
    for args in [], ["--print"], ["--link-module"]:
        work.refused(obj, "x32 ABI", "is not supported", args=args)
