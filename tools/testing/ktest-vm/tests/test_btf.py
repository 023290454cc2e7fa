# SPDX-License-Identifier: GPL-2.0
"""Tests of reading BTF, and of the rules by which signatures are compared with it."""

import struct

from suites import btf, btf_compare
from suites.binaries import Prototype
from harness import equal


class Blob:
    """Bytes of a .BTF section, made type by type; the first has the id 1."""

    def __init__(self):
        self.types, self.strings = b"", b"\0"

    def string(self, text):
        if not text:
            return 0
        self.strings += text.encode() + b"\0"
        return len(self.strings) - len(text) - 1

    def add(self, kind, name, other, more=b"", count=0, flag=0):
        self.types += struct.pack("<III", self.string(name), kind << 24 | count | flag << 31,
                                  other) + more

    def pairs(self, pairs):
        return b"".join(struct.pack("<II", self.string(name), number) for name, number in pairs)

    def bytes(self):
        return struct.pack("<HBBIIIII", btf.MAGIC, 1, 0, 24, 0, len(self.types),
                           len(self.types), len(self.strings)) + self.types + self.strings


def small():
    """Types 1 to 13: one of each kind that a prototype may have."""
    blob = Blob()
    blob.add(btf.INT, "int", 4, struct.pack("<I", 0x01000020))
    blob.add(btf.STRUCT, "file", 8, struct.pack("<III", blob.string("f_mode"), 1, 0), count=1)
    blob.add(btf.CONST, "", 2)
    blob.add(btf.PTR, "", 3)                                        # const struct file *
    blob.add(btf.TYPEDEF, "gfp_t", 1)
    blob.add(btf.PTR, "", 4)
    blob.add(btf.CONST, "", 4)                                      # const struct file *const
    blob.add(btf.FUNC_PROTO, "", 1, blob.pairs([("a", 5), ("b", 4)]), count=2)
    blob.add(btf.PTR, "", 8)                                        # int (*)(gfp_t, ...)
    blob.add(btf.ARRAY, "", 0, struct.pack("<III", 1, 1, 3))
    blob.add(btf.PTR, "", 10)                                       # int (*)[3]
    blob.add(btf.RESTRICT, "", 6)
    blob.add(btf.FWD, "cred", 0, flag=1)
    return blob


def parsed(blob, base=None):
    return btf.Btf(blob.bytes(), base)


def test_btf_declarations():
    """btf: types are spelled as signatures spell them"""
    types = parsed(small())
    expected = {0: "void x", 1: "int x", 2: "struct file x", 4: "const struct file *x",
                5: "gfp_t x", 6: "const struct file **x", 7: "const struct file *const x",
                9: "int (*x)(gfp_t, const struct file *)", 10: "int x[3]", 11: "int (*x)[3]",
                12: "const struct file **x", 13: "union cred x"}
    equal({number: types.declare(number, "x") for number in expected}, expected)
    equal(types.declare(4), "const struct file *")


def test_btf_prototypes():
    """btf: functions have names of parameters, and may have more"""
    blob = small()
    blob.add(btf.FUNC_PROTO, "", 4, blob.pairs([("fmt", 6), ("", 0)]), count=2)
    blob.add(btf.FUNC, "open_it", 14)
    blob.add(btf.FUNC_PROTO, "", 0)
    blob.add(btf.FUNC, "stop", 16)
    types = parsed(blob)
    equal([types.prototype(number, name) for name, number in types.functions()],
          ["const struct file *open_it(const struct file **fmt, ...)", "void stop(void)"])


def test_btf_of_a_module():
    """btf: a module's goes on where the image's ends"""
    base = parsed(small())
    blob = Blob()
    # ids go on behind 13, offsets of strings behind the image's
    at = len(base.strings)
    blob.strings = b"\0p\0load\0"
    blob.types = struct.pack("<IIIII", 0, btf.FUNC_PROTO << 24 | 1, 1, at + 1, 4)
    blob.types += struct.pack("<III", at + 3, btf.FUNC << 24, 14)
    types = parsed(blob, base)
    equal([types.prototype(number, name) for name, number in types.functions()],
          ["int load(const struct file *p)"])


def test_btf_broken():
    """btf: what is no BTF is told"""
    good = small().bytes()
    blob = Blob()
    blob.add(31, "x", 0)
    for data in (b"", good[:10], b"\0" + good[1:], good[:-1], blob.bytes()):
        try:
            btf.Btf(data)
        except btf.Broken:
            continue
        raise AssertionError(f"{len(data)} bytes were taken for BTF")


class Known:
    """A file that is compared: functions of its BTF, their addresses, and more."""

    replaced = {"weak"}

    def __init__(self, known, entries, of_image=None):
        self.known, self.entries, self.of_image = known, entries, of_image or {}

    def aliases(self, name):
        return {other for other, where in self.entries.items()
                if set(where) & set(self.entries[name])}

    def may_be_inlined(self, name):
        return name == "inlined"


def rule(text, known, entries=None, ours=None, of_image=None):
    symbol = text.split("(")[0].split(" ")[-1].lstrip("*")
    file = Known(known, entries or {symbol: [1]}, of_image)
    return btf_compare.explain_site(file, Prototype("0x1", symbol, text, [], "void"),
                                    ours or [text])


def test_btf_rules():
    """btf: a difference has a rule, or none"""
    equal(rule("int f(int a)", {"f": ["int f(int a)"]}), btf_compare.SAME)
    equal(rule("int f(int a)", {"f": ["int f(int b)"]}), None)
    equal(rule("int f(int a)", {}), None)
    equal(rule("int f.isra.0(int a)", {}), btf_compare.COPIED.format("isra"))
    equal(rule("int f(int a)", {}, of_image={"f": ["int f(int a)"]}), btf_compare.IN_IMAGE)
    equal(rule("int f(int a)", {}, of_image={"f": ["int f(int b)"]}), None)
    equal(rule("int weak(int a)", {"weak": ["int weak(int b)"]}), btf_compare.REPLACED)
    equal(rule("int inlined(int a)", {"inlined": ["int inlined(void)"]}), btf_compare.INLINED)


def test_btf_aliases():
    """btf: a function may have several names"""
    entries = {"f": [1], "g": [1], "h": [2]}
    equal(rule("int *f(int a)", {"g": ["int *g(int a)"]}, entries), btf_compare.ALIAS)
    equal(rule("int *f(int a)", {"g": ["int *g(int b)"]}, entries), None)
    equal(rule("int *f(int a)", {"h": ["int *h(int a)"]}, entries), None)


def test_btf_shared_names():
    """btf: of several functions of a name, it has one"""
    both = ["int f(int a)", "int f(int b)"]
    equal(rule(both[0], {"f": [both[1]]}, {"f": [1, 2]}, both), btf_compare.SHARED)
    equal(rule(both[0], {"f": ["int f(long c)"]}, {"f": [1, 2]}, both), None)
    # one of them has no call site: it may be that one
    equal(rule(both[0], {"f": ["int f(long c)"]}, {"f": [1, 2]}, both[:1]), btf_compare.SHARED)
