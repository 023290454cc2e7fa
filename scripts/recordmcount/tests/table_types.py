# SPDX-License-Identifier: GPL-2.0
"""The types of a table, read by code of its own."""

import struct

from harness import Elf, check

INT, ENUM, PTR, ARRAY, STRUCT, UNION, FUNC = 1, 3, 4, 5, 6, 7, 8
ALIASES = (9, 10, 11)
STUB, DECLARATION = 1, 8


class Types:
    """The types of the first table in a section."""

    def __init__(self, path, section):
        data = Elf(path).find(section).data
        (self.size,) = struct.unpack_from("<I", data, 8)
        types, strings = struct.unpack_from("<II", data, 32)
        self.words = struct.unpack_from("<%dI" % ((strings - types) // 4), data, types)
        self.strings = data[strings:]
        self.ids = []
        at = 0
        while at < len(self.words):
            self.ids.append(at)
            at += self.length(at)

    def kind(self, at):
        return self.words[at] & 15

    def flags(self, at):
        return self.words[at] >> 4 & 15

    def bytes(self, at):
        return self.words[at] >> 8

    def length(self, at):
        kind = self.kind(at)
        if kind == ENUM:
            return 3 + self.words[at + 2] * (3 if self.bytes(at) == 8 else 2)
        if kind in (STRUCT, UNION):
            return 3 + 3 * (self.words[at + 2] & 0xffff)
        if kind == FUNC:
            return 4 + self.words[at + 3]
        return {PTR: 3, ARRAY: 4}.get(kind, 3 if kind in ALIASES else 2)

    def string(self, offset):
        return self.strings[offset:self.strings.index(b"\0", offset)].decode()

    def name(self, at):
        return self.string(self.words[at + 1])

    def real(self, at):
        while self.kind(at) in ALIASES:
            at = self.words[at + 2]
        return at

    def members(self, at):
        """(name, type, offset, width) of each"""
        for i in range(at + 3, at + self.length(at), 3):
            word, kind, offset = self.words[i:i + 3]
            yield self.string(word & 0xffffff), kind, offset, word >> 24

    def is_full(self, at):
        return self.kind(at) in (STRUCT, UNION) and not self.flags(at) & (STUB | DECLARATION)

    def all(self, name, full=True):
        """All structures of that name that have members, or that have none"""
        return [at for at in self.ids if self.kind(at) in (STRUCT, UNION) and
                self.name(at) == name and self.is_full(at) == full]

    def one(self, name, full=True):
        found = self.all(name, full)
        check(len(found) == 1, "%d structures %s" % (len(found), name))
        return found[0]

    def member(self, at, name):
        """(type, offset, width), as C finds it; None if there is none"""
        at = self.real(at)
        if self.kind(at) not in (STRUCT, UNION):
            return None
        for each, kind, offset, width in self.members(at):
            if each == name:
                return kind, offset, width
            inner = None if each else self.member(kind, name)
            if inner:
                return inner[0], inner[1] + offset, inner[2]
        return None

    def place(self, at, path):
        """(first bit, number of bits) of a.b[1].c"""
        base = width = 0
        for part in path.replace("[", ".[").split("."):
            if part.startswith("["):
                at = self.words[self.real(at) + 2]
                base += int(part[1:-1]) * self.bytes(self.real(at)) * 8
                width = 0
                continue
            found = self.member(at, part)
            check(found, "no member %s" % path)
            at, width = found[0], found[2]
            base += found[1]
        return base, width or self.bytes(self.real(at)) * 8

    def target(self, at, path):
        """What a member that is a pointer points to"""
        kind = self.real(self.member(at, path)[0])
        check(self.kind(kind) == PTR, "%s is no pointer" % path)
        return self.real(self.words[kind + 2])
