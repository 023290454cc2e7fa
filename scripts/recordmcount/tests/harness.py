# SPDX-License-Identifier: GPL-2.0
"""What the tests of recordmcount share: running programs, reading ELF files.

ELF files are read here by code of its own, so that the tool under test isn't
checked against itself.
"""

import os
import shutil
import struct
import subprocess

HERE = os.path.dirname(os.path.abspath(__file__))
SOURCE = os.path.dirname(HERE)
FORMAT = os.path.join(SOURCE, "../../include/linux/ftrace_signature_format.h")

# How the kernel compiles traced code, but without -mcmodel=kernel, so that the
# result can be run here, too.
BASE_FLAGS = ["-std=gnu11", "-pg", "-mfentry", "-fno-PIE", "-fno-asynchronous-unwind-tables",
              "-fno-strict-aliasing", "-fno-stack-protector", "-w", "-Wno-psabi"]

class Machine:
    """What the tests need to know about a machine.

    flags: how its objects are compiled; general: without floating point and with
    the stack aligned as the kernel has it; kernel: what else the kernel has.
    """

    def __init__(self, name, word, regs, flags, general, kernel=()):
        self.name, self.word, self.regs = name, word, regs
        self.flags, self.general = flags, general
        self.base_flags = BASE_FLAGS + flags
        self.kernel_flags = self.base_flags + list(kernel) + general
        self.ret, self.pair = ("rax", "rdx:rax") if word == 8 else ("eax", "edx:eax")
        self.emulation = "elf_x86_64" if word == 8 else "elf_i386"
        self.address = "<Q" if word == 8 else "<I"
        self.relocs = ".rela" if word == 8 else ".rel"

    def mcount(self, flags):
        """The flags with calls of mcount instead of __fentry__."""
        return [f for f in flags if f != "-mfentry"] + ["-mno-fentry",
                                                        "-maccumulate-outgoing-args"]


NO_FLOAT = ["-mno-sse", "-mno-mmx", "-mno-80387"]
X86_64 = Machine("x86-64", 8, ["rdi", "rsi", "rdx", "rcx", "r8", "r9"], [],
                 NO_FLOAT + ["-mpreferred-stack-boundary=3"],
                 ["-mcmodel=kernel", "-mno-red-zone"])
# As arch/x86/Makefile has it
X86_32 = Machine("x86-32", 4, ["eax", "edx", "ecx"],
                 ["-m32", "-march=i686", "-mregparm=3", "-freg-struct-return"],
                 NO_FLOAT + ["-mpreferred-stack-boundary=2"])


TESTS = []


class Failure(Exception):
    """A test failed; the text says why."""


class Skip(Exception):
    """A test cannot run here; the text says why."""


def test(func):
    """Decorator: make a function that takes a Work a test."""
    TESTS.append(func)
    return func


def both(func):
    """Decorator: a test of objects for x86-64, and the same of those for x86-32."""
    def on_32(work):
        work.machine = X86_32
        func(work)
    on_32.__name__ = func.__name__ + "_32"
    on_32.__module__ = func.__module__
    TESTS.append(func)
    TESTS.append(on_32)
    return func


def check(condition, why):
    if not condition:
        raise Failure(why)


def equal(got, want, what):
    if got != want:
        raise Failure("%s:\n  got  %r\n  want %r" % (what, got, want))


def run(cmd, fail_ok=False, env=None, cwd=None, timeout=300):
    done = subprocess.run(cmd, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          text=True, errors="replace", env=env, cwd=cwd, timeout=timeout)
    if done.returncode and not fail_ok:
        raise Failure("%s: exit %d\n%s%s" % (" ".join(cmd), done.returncode,
                                             done.stdout[-2000:], done.stderr[-2000:]))
    return done


def read(path):
    with open(path, "rb") as f:
        return f.read()


def write(path, data):
    with open(path, "wb" if isinstance(data, bytes) else "w") as f:
        f.write(data)
    return path


def build_tool(out, flags):
    """Compile the tool outside of a kernel tree."""
    sources = sorted(os.path.join(SOURCE, n) for n in os.listdir(SOURCE) if n.endswith(".c"))
    newest = max(os.path.getmtime(p) for p in sources + [FORMAT] + [
        os.path.join(SOURCE, n) for n in os.listdir(SOURCE) if n.endswith(".h")])
    if os.path.exists(out) and os.path.getmtime(out) > newest:
        return out
    libs = subprocess.run(["pkg-config", "--libs", "libdw", "libelf"],
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    run([os.environ.get("HOSTCC", "gcc"), "-std=gnu11", "-Wall", "-Wextra", "-Wno-unused-parameter", "-Werror",
         "-Wmissing-prototypes", "-Wstrict-prototypes"] + flags + sources +
        ["-o", out] + (libs.stdout.split() or ["-ldw", "-lelf"]))
    return out


class Work:
    """A directory for one test, and the tools."""

    def __init__(self, top, name, tool, safe_tool):
        self.dir = os.path.join(top, name)
        shutil.rmtree(self.dir, ignore_errors=True)
        os.makedirs(self.dir)
        self.tool = tool
        self.safe_tool = safe_tool
        self.cc = os.environ.get("CC", "gcc").split()
        self.machine = X86_64

    def path(self, name):
        return os.path.join(self.dir, name)

    def compile(self, source, name="a", flags=(), base=None, cc=None):
        """Compile C source text to an object; return its path."""
        text = write(self.path(name + ".c"), source)
        out = self.path(name + ".o")
        base = self.machine.kernel_flags if base is None else base
        run((cc or self.cc) + list(base) + list(flags) + ["-c", os.path.basename(text),
                                                          "-o", out], cwd=self.dir)
        return out

    def ld(self, *args):
        run(["ld", "-m", self.machine.emulation] + list(args))

    def copy(self, path, name):
        return shutil.copy(path, self.path(name))

    def rmc(self, *args, fail_ok=False, tool=None):
        return run([tool or self.tool] + list(args), fail_ok=fail_ok)

    def refused(self, path, *words, args=()):
        """Check that the tool refuses a file, says why, and leaves it as it is."""
        before = read(path)
        done = self.rmc(*args, path, fail_ok=True, tool=self.safe_tool)
        equal(done.returncode, 1, "exit code for %s" % path)
        check(done.stderr.startswith("recordmcount: %s: " % path),
              "message doesn't name the file: %r" % done.stderr)
        for word in words:
            check(word in done.stderr, "no %r in %r" % (word, done.stderr))
        equal(read(path), before, "content of a refused file")
        self.no_leftovers()

    def no_leftovers(self):
        for name in os.listdir(self.dir):
            stem, _, suffix = name.rpartition(".")
            check(not (len(suffix) == 6 and stem.endswith((".o", ".ko"))),
                  "temporary file left behind: " + name)

    def printed(self, path, tool=None):
        """--print as a list of Line."""
        return [Line(text) for text in self.rmc("--print", path, tool=tool).stdout.splitlines()]

    def by_name(self, path):
        return {line.symbol: line for line in self.printed(path)}


class Line:
    """A line of --print."""

    def __init__(self, text):
        fields = text.split("\t")
        self.text = text
        self.where, self.symbol, self.proto = fields[:3]
        self.places = {}
        self.params = []
        self.ret = None
        for field in fields[3:-1]:
            name, place = field.rsplit("@", 1)
            self.params.append((name, place))
            self.places[name] = place
        if len(fields) > 3:
            check(fields[-1].startswith("return@"), "bad line " + text)
            self.ret = fields[-1][len("return@"):]

    @property
    def known(self):
        return self.proto != "?"


class Elf:
    """A little-endian ELF file of 64 or 32 bits."""

    class Section:
        pass

    def __init__(self, path):
        self.data = read(path)
        self.is64 = self.data[4] == 2
        self.word = 8 if self.is64 else 4
        (self.type, self.machine) = struct.unpack_from("<HH", self.data, 16)
        self.shoff, = struct.unpack_from("<Q" if self.is64 else "<I", self.data,
                                         40 if self.is64 else 32)
        self.shentsize, shnum, shstrndx = struct.unpack_from("<HHH", self.data,
                                                             58 if self.is64 else 46)
        self.sections = []
        for i in range(shnum):
            s = Elf.Section()
            (s.name_at, s.type, s.flags, s.addr, s.offset, s.size, s.link, s.info, s.align,
             s.entsize) = struct.unpack_from("<IIQQQQIIQQ" if self.is64 else "<10I", self.data,
                                             self.shoff + i * self.shentsize)
            s.index = i
            s.data = b"" if s.type in (0, 8) else self.data[s.offset:s.offset + s.size]
            check(s.type in (0, 8) or len(s.data) == s.size, "section beyond the end")
            self.sections.append(s)
        for s in self.sections:
            s.name = self.string(shstrndx, s.name_at)
        self.symbols = []
        for s in self.sections:
            if s.type == 2:
                self.read_symbols(s)

    def string(self, sec, at):
        data = self.sections[sec].data
        return data[at:data.index(b"\0", at)].decode()

    def read_symbols(self, sec):
        entry = 24 if self.is64 else 16
        check(sec.size % entry == 0, "size of the symbol table")
        for at in range(0, sec.size, entry):
            s = Elf.Section()
            if self.is64:
                name, info, s.other, s.shndx, s.value, s.size = struct.unpack_from(
                    "<IBBHQQ", sec.data, at)
            else:
                name, s.value, s.size, info, s.other, s.shndx = struct.unpack_from(
                    "<IIIBBH", sec.data, at)
            s.name = self.string(sec.link, name)
            s.bind, s.type, s.index = info >> 4, info & 15, at // entry
            check((s.bind == 0) == (s.index < sec.info), "local symbols come first")
            check(s.shndx >= 0xff00 or s.shndx < len(self.sections), "symbol in no section")
            self.symbols.append(s)

    def find(self, name):
        for s in self.sections:
            if s.name == name:
                return s
        return None

    def relocs(self, name):
        """Relocations of a section: (offset, type, symbol, addend)."""
        out = []
        target = self.find(name)
        for s in self.sections:
            if s.type == 4 and target and s.info == target.index:
                check(self.is64, "relocations of another machine")
                for at in range(0, s.size, 24):
                    offset, info, addend = struct.unpack_from("<QQq", s.data, at)
                    out.append((offset, info & 0xffffffff, self.symbols[info >> 32], addend))
            elif s.type == 9 and target and s.info == target.index:
                check(not self.is64, "relocations of another machine")
                for at in range(0, s.size, 8):
                    offset, info = struct.unpack_from("<II", s.data, at)
                    addend, = struct.unpack_from("<i", target.data, offset)
                    out.append((offset, info & 0xff, self.symbols[info >> 8], addend))
        return out

    def mcount_loc(self):
        """The recorded sites as a sorted list of (section name, offset)."""
        sec = self.find("__mcount_loc")
        relocs = self.relocs("__mcount_loc")
        equal(sec.size if sec else 0, self.word * len(relocs), "size of __mcount_loc")
        out = []
        for i, (offset, rtype, symbol, addend) in enumerate(sorted(relocs, key=lambda r: r[0])):
            equal((offset, rtype), (self.word * i, 1), "relocation of __mcount_loc")
            out.append((self.sections[symbol.shndx].name, symbol.value + addend))
        return sorted(out)

    def text(self):
        """The contents of the program: alloc sections with their relocations."""
        out = []
        for s in self.sections:
            if s.flags & 2 and not s.name.startswith("__mcount_loc"):
                out.append((s.name, s.type, s.flags, s.align, s.size, s.data,
                            [(r[0], r[1], r[2].name or self.sections[r[2].shndx].name, r[3])
                             for r in self.relocs(s.name)]))
        return out
