# SPDX-License-Identifier: GPL-2.0
"""A reader of BTF (Documentation/bpf/btf.rst) that spells its types in C.

Types are spelled as in the output of recordmcount --print, so that both can be compared
as text.
"""

import struct

INT, PTR, ARRAY, STRUCT, UNION, ENUM, FWD, TYPEDEF, VOLATILE, CONST, RESTRICT, FUNC, \
    FUNC_PROTO, VAR, DATASEC, FLOAT, DECL_TAG, TYPE_TAG, ENUM64 = range(1, 20)

MAGIC = 0xeb9f
# The number of bytes behind a type's first three words: in total, and for each member
ONCE = {INT: 4, ARRAY: 12, VAR: 4, DECL_TAG: 4}
EACH = {STRUCT: 12, UNION: 12, ENUM: 8, FUNC_PROTO: 8, DATASEC: 12, ENUM64: 12}
KEYWORD = {STRUCT: "struct ", UNION: "union ", ENUM: "enum ", ENUM64: "enum "}
# Kinds that make no difference in a signature
TRANSPARENT = (RESTRICT, TYPE_TAG)


class Broken(Exception):
    """The data is not valid BTF."""


class Type:
    """A type: its kind, its name, the type or size in its third word, and what follows."""

    __slots__ = ("kind", "flag", "name", "other", "more")

    def __init__(self, name, info, other, more):
        self.kind, self.flag, self.name, self.other, self.more = \
            info >> 24 & 31, info >> 31, name, other, more


class Btf:
    """All types of a .BTF section. A module's continues the image's, which is base."""

    def __init__(self, data, base=None):
        if len(data) < 24:
            raise Broken("it is shorter than its header")
        magic, _, _, header, type_off, type_len, str_off, str_len = struct.unpack_from("<HBBIIIII",
                                                                                       data)
        if magic != MAGIC or header < 24:
            raise Broken("it does not begin with a header of BTF")
        types = data[header + type_off:header + type_off + type_len]
        strings = data[header + str_off:header + str_off + str_len]
        if len(types) != type_len or len(strings) != str_len:
            raise Broken("it ends too early")
        self.types = list(base.types) if base else [None]
        self.first = len(self.types)
        self.strings = (base.strings if base else b"") + strings
        self.read(types)

    def string(self, at):
        return self.strings[at:self.strings.index(b"\0", at)].decode()

    def read(self, data):
        at = 0
        while at < len(data):
            name, info, other = struct.unpack_from("<III", data, at)
            kind = info >> 24 & 31
            if not INT <= kind <= ENUM64:
                raise Broken(f"type {len(self.types)} is of kind {kind}")
            size = ONCE.get(kind, 0) + EACH.get(kind, 0) * (info & 0xffff)
            at += 12
            self.types.append(Type(self.string(name), info, other, data[at:at + size]))
            at += size

    def functions(self):
        """(name, id of the prototype) of each function, without those of base."""
        for entry in self.types[self.first:]:
            if entry.kind == FUNC:
                yield entry.name, entry.other

    def parameters(self, proto):
        """(name, type) of each, and whether more may follow."""
        pairs = [(self.string(name), number)
                 for name, number in struct.iter_unpack("<II", self.types[proto].more)]
        variadic = bool(pairs) and pairs[-1] == ("", 0)
        return pairs[:-1] if variadic else pairs, variadic

    def kind(self, number):
        """The kind of a type; None for void."""
        return self.types[number].kind if number else None

    def resolve(self, number):
        while number and self.types[number].kind in TRANSPARENT:
            number = self.types[number].other
        return number

    def declare(self, number, inner=""):
        """The declaration of inner in C, built from the inside to the outside."""
        number = self.resolve(number)
        gap = " " if inner else ""
        if not number:
            return "void" + gap + inner
        entry = self.types[number]
        if entry.kind == PTR:
            target = self.resolve(entry.other)
            return self.declare(target, f"(*{inner})" if self.kind(target) in (FUNC_PROTO, ARRAY)
                                else f"*{inner}")
        if entry.kind in (CONST, VOLATILE):
            word = "const" if entry.kind == CONST else "volatile"
            target = self.resolve(entry.other)
            if self.kind(target) == PTR:
                return self.declare(target, word + gap + inner)
            return f"{word} {self.declare(target, inner)}"
        if entry.kind == ARRAY:
            element, _, count = struct.unpack("<III", entry.more)
            return self.declare(element, f"{inner}[{count}]")
        if entry.kind == FUNC_PROTO:
            return self.prototype(number, inner, named=False)
        keyword = KEYWORD.get(entry.kind, "")
        if entry.kind == FWD:
            keyword = "union " if entry.flag else "struct "
        return f"{keyword}{entry.name or '{...}'}{gap}{inner}"

    def prototype(self, proto, name, named=True):
        params, variadic = self.parameters(proto)
        text = [self.declare(number, word if named else "") for word, number in params]
        text += ["..."] * variadic
        return self.declare(self.types[proto].other, f"{name}({', '.join(text) or 'void'})")
