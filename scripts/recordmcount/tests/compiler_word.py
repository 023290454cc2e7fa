#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""recordmcount's claims against the compiler's word.

A plugin (plugin/incoming.cc) has gcc write into each object where the parameters of
the functions in it arrive and where their results go. What recordmcount says of the
same object must agree, wherever it says something.

usage: compiler_word.py --plugin DIR/NAME.so   make plugin/NAME.cc's plugin, if out of date
       compiler_word.py RECORDMCOUNT OBJECT    compare, and print the outcome as JSON
"""

import bisect
import collections
import json
import os
import subprocess
import sys

from harness import HERE, X86_32, X86_64, Elf, Failure, Line, Skip, run

PLUGINS = os.path.join(HERE, "plugin")
SECTION = ".incoming"
# gcc's names of the registers that recordmcount names
REGISTERS = {
    X86_64: {"ax": "rax", "dx": "rdx", "cx": "rcx", "di": "rdi", "si": "rsi"},
    X86_32: {"ax": "eax", "dx": "edx", "cx": "ecx"},
}

# pieces: (offset, size, place) of what arrives; constant: as text, "?" if it is no
# integer; pointee: the pieces belong to what the value points to, not to the value
Value = collections.namedtuple("Value", "name size pieces constant pointee")
Function = collections.namedtuple("Function", "symbol result params")


def plugin_headers(cc):
    """The directory of gcc's headers for plugins, or None without them."""
    path = subprocess.run([cc, "-print-file-name=plugin"], stdout=subprocess.PIPE, text=True,
                          check=False).stdout.strip()
    headers = os.path.join(path, "include")
    return headers if os.path.exists(os.path.join(headers, "plugin-version.h")) else None


def build_plugin(out, cc="gcc", cxx="g++"):
    """Compile a plugin if it is missing or older than its source; return its path."""
    source = os.path.join(PLUGINS, os.path.basename(out).replace(".so", ".cc"))
    headers = plugin_headers(cc)
    if not headers:
        raise Skip("no headers for plugins of " + cc)
    if not os.path.exists(out) or os.path.getmtime(out) < os.path.getmtime(source):
        # gcc itself is built without, and the plugin uses its classes
        run([cxx, "-std=gnu++11", "-O1", "-fno-rtti", "-shared", "-fPIC", "-Wall", "-Wextra",
             "-Wno-unused-parameter", "-Werror", "-isystem", headers, source,
             "-o", out + ".new"])
        os.rename(out + ".new", out)
    return out


# What the compiler says

def read_piece(text):
    offset, size, place = text.split(":")
    return int(offset), int(size), place


def read_value(name, size, text):
    if text == "conflict":
        raise Failure("the plugin doesn't understand what became of " + name)
    size = 0 if size == "-" else int(size)
    if text.startswith("="):
        return Value(name, size, [], text[1:], False)
    pointee = text.startswith("^")
    pieces = [read_piece(piece) for piece in text[pointee:].split(",") if piece]
    return Value(name, size, pieces, None, pointee)


def read_function(line):
    symbol, result, *params = line.split("\t")
    size, pieces = result.split("@")
    void = size == "-"
    return Function(symbol, None if void else read_value("return", size, pieces),
                    [read_value(*param.rsplit("@", 2)) for param in params])


def told(elf):
    """{symbol: Function} of all functions that the compiler emitted into an object."""
    section = elf.find(SECTION)
    lines = section.data.decode().splitlines() if section else []
    return {function.symbol: function for function in map(read_function, lines)}


# The bytes of a value, each with the place where it is

def place_byte(machine, place, at):
    """Byte @at of what begins at a place of the compiler's."""
    if place.startswith("stack+"):
        return "stack", int(place[6:]) + at
    return REGISTERS[machine].get(place, place), at


def told_bytes(machine, value):
    if value.pointee:
        return {}
    return {offset + at: place_byte(machine, place, at)
            for offset, size, place in value.pieces for at in range(size)}


def claimed_words(machine, claim):
    """The place of each word of a claim, with its first byte."""
    if claim.startswith("stack+"):
        at, _, words = claim[6:].partition("*")
        return [("stack", int(at) + i * machine.word) for i in range(int(words or 1))]
    if claim == machine.pair:
        return [(name, 0) for name in reversed(claim.split(":"))]
    return [(name, 0) for name in claim.split("+")]


def same_places(machine, words, value):
    """Whether a claim's words hold the bytes of a value; padding may be anywhere."""
    bytes_told = told_bytes(machine, value)
    covered = {at // machine.word for at in bytes_told}
    if len(words) * machine.word < value.size or covered != set(range(len(words))):
        return False
    for at, place in bytes_told.items():
        name, first = words[at // machine.word]
        if place != (name, first + at % machine.word):
            return False
    return True


# Comparison

def is_passed(value):
    return bool(value.pieces) and not value.pointee


def right_param(machine, claim, value):
    """Whether a claim about a parameter is what the compiler says."""
    if claim == "removed":
        return not is_passed(value) and value.size
    if claim == "empty":
        return not value.size
    if claim.startswith("const="):
        return value.constant == claim[6:]
    return is_passed(value) and same_places(machine, claimed_words(machine, claim), value)


def right_result(machine, claim, result):
    if claim == "void" or not result:
        return claim == "void" and not result
    if claim == "empty":
        return not result.size
    if claim == "memory":
        return result.pieces == [(0, result.size, "memory")]
    return same_places(machine, claimed_words(machine, claim), result)


def describe(value):
    """What the compiler says of a value."""
    if value is None:
        return "void"
    if value.constant:
        return "not passed, const=" + value.constant
    if not value.pieces:
        return "not passed" if value.size else "empty"
    text = ", ".join("%d bytes from %d in %s" % (size, offset, place)
                     for offset, size, place in value.pieces)
    return "not passed, but what it points to: " + text if value.pointee else text


def claims_of(machine, value):
    """All claims of a value's size, if the value begins in a known place."""
    words = (value.size + machine.word - 1) // machine.word
    for first in range(len(machine.regs) - words + 1):
        yield "+".join(machine.regs[first:first + words])
    yield from (machine.ret, machine.pair)
    for _, _, place in value.pieces:
        if place.startswith("stack+"):
            yield "%s*%d" % (place, words) if words > 1 else place


def could_be(machine, value):
    """What could be claimed of a value instead of ?; "pieces" if it has no notation."""
    if value is None:
        return "void"
    if not value.size:
        return "empty"
    if value.constant and value.constant != "?":
        return "const=" + value.constant
    if not is_passed(value):
        return "removed"
    return next((claim for claim in claims_of(machine, value)
                 if same_places(machine, claimed_words(machine, claim), value)), "pieces")


def class_of(claim):
    named = "?", "removed", "empty", "void", "memory", "const", "pieces"
    return claim.split("=")[0] if claim.split("=")[0] in named else "place"


class Comparison:
    """The outcome: differences and unknown values as lines, and their numbers."""

    def __init__(self):
        self.wrong = []
        self.unknown = []
        self.counts = collections.Counter()

    def value(self, machine, line, name, claim, value, right):
        kind = class_of(claim)
        where = "result " if name == "return" else "clone " if "." in line.symbol else ""
        self.counts[where + kind] += 1
        self.counts["claims"] += claim != "?"
        if claim == "?":
            could = could_be(machine, value)
            self.counts[where + "? could be " + class_of(could)] += 1
            self.unknown.append("%s\t%s\tcould be %s: %s" % (line.symbol, name, could,
                                                             describe(value)))
        elif not right:
            self.wrong.append("%s: %s@%s, but the compiler says: %s" % (
                line.symbol, name, claim, describe(value)))

    def function(self, machine, line, function):
        # A syscall's entry: the compiler knows the pt_regs, not what they are taken for
        params = [(name, claim.partition(":pt_regs")[0]) for name, claim in line.params
                  if not claim.startswith("syscall+")]
        claimed = [name for name, _ in params]
        names = [param.name for param in function.params]
        if claimed != names:
            self.wrong.append("%s: parameters %s, but the compiler says: %s" % (
                line.symbol, claimed, names))
            return
        for (name, claim), value in zip(params, function.params):
            self.value(machine, line, name, claim, value, right_param(machine, claim, value))
        self.value(machine, line, "return", line.ret, function.result,
                   right_result(machine, line.ret, function.result))


class Symbols:
    """The functions in an ELF file's symbol table, by place."""

    def __init__(self, elf):
        self.by_section = collections.defaultdict(list)
        for symbol in elf.symbols:
            if symbol.type == 2 and 0 < symbol.shndx < len(elf.sections):
                self.by_section[elf.sections[symbol.shndx].name].append(
                    (symbol.value, symbol.size, symbol.name))
        for symbols in self.by_section.values():
            symbols.sort()

    def at(self, where):
        """Names of the functions that a place of --print, SECTION+OFFSET, is in."""
        section, _, offset = where.rpartition("+")
        symbols, offset = self.by_section[section], int(offset, 16)
        last = bisect.bisect_right(symbols, (offset + 1,)) - 1
        return [name for value, size, name in symbols[max(last - 16, 0):last + 1]
                if value <= offset < value + size]


def compare(path, lines, machine):
    """Compare lines of --print for an object with what the compiler says in it."""
    elf = Elf(path)
    functions, symbols, found = told(elf), Symbols(elf), Comparison()
    for line in lines:
        found.counts["sites"] += 1
        known = [functions[name] for name in symbols.at(line.where) if name in functions]
        if not line.known:
            found.counts["sites without a signature"] += 1
        elif len(known) != 1:
            found.wrong.append("%s: the compiler says nothing of it" % line.text)
        else:
            found.function(machine, line, known[0])
    return found


def printed(tool, path):
    return [Line(text) for text in run([tool, "--print", path]).stdout.splitlines()]


def main(arguments):
    if len(arguments) != 2:
        sys.exit(__doc__)
    try:
        if arguments[0] == "--plugin":
            build_plugin(arguments[1])
            return
        tool, path = arguments
        found = compare(path, printed(tool, path), X86_64 if Elf(path).is64 else X86_32)
        print(json.dumps({"wrong": found.wrong, "unknown": found.unknown,
                          "counts": found.counts}))
    except (Failure, Skip) as why:
        sys.exit(str(why))


if __name__ == "__main__":
    main(sys.argv[1:])
