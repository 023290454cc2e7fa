# SPDX-License-Identifier: GPL-2.0
"""The first inputs of the fuzzers: small files of every kind, compiled here."""

import struct
import zlib

from harness import X86_32, X86_64, Elf, read, run
from test_apart import link as link_with_id
from test_clones import SOURCE as CLONES
from test_link import link, objects as link_objects
from test_objects import SOURCE as PLAIN
from test_places import SUITES, source
from test_syscalls import SOURCE as SYSCALLS

# As in fuzz/object.c
PROCESS, PROCESS_STRIP, PRINT, LINK, LINK_MODULE, CHECK, LINK_APART = range(7)
COMMAND_AT = 9      # EI_PAD

UNITS = [["-O2", "-g"], ["-O2", "-gdwarf-4"], ["-O2", "-gdwarf-2", "-gstrict-dwarf"],
         ["-Os", "-g", "-fdebug-types-section"], ["-O2", "-g", "-gz=zlib"],
         ["-O2", "-g", "-ffunction-sections"], ["-O0", "-g3"]]


def choose(data, command):
    return data[:COMMAND_AT] + bytes([command]) + data[COMMAND_AT + 1:]


def both(make):
    """Decorator: seeds of both machines."""
    def seeds(work):
        work.machine = X86_64
        all_seeds = make(work)
        work.machine = X86_32
        return all_seeds + make(work)
    return seeds


def sources(machine):
    """A few functions each: a small file is fuzzed faster."""
    types, cases = SUITES[machine][:2]
    for first in range(0, len(cases), 12):
        yield source(types, cases[first:first + 12])
    yield CLONES
    yield PLAIN
    yield SYSCALLS


@both
def objects(work):
    """Objects as compilers make them, to be processed and printed."""
    seeds = []
    for i, text in enumerate(sources(work.machine)):
        flags = UNITS[i % len(UNITS)]
        seeds.append(choose(read(work.compile(text, "s%d" % i, flags)), i % 3))
    for i, flags in enumerate(UNITS):
        seeds.append(choose(read(work.compile(CLONES, "c%d" % i, flags)), i % 2))
        seeds.append(choose(read(work.compile(PLAIN, "p%d" % i, flags)), (i + 1) % 3))
    seeds.append(read(work.compile(PLAIN, "split", ["-O2", "-gsplit-dwarf"])))
    seeds.append(read(work.compile(PLAIN, "bare", ["-O2"])))
    seeds.append(read(work.compile(PLAIN, "mcount", ["-O2", "-g"],
                                  work.machine.mcount(work.machine.base_flags))))
    parts = [work.compile(PLAIN, "one", ["-O2", "-g"]), work.compile(CLONES, "two", ["-O2", "-g"])]
    work.ld("-r", "-o", work.path("both.o"), *parts)
    seeds.append(read(work.path("both.o")))
    return seeds


def stripped(path):
    """Remove sections that these commands don't read, so that damage hits the others."""
    run(["strip", "--strip-debug", path])
    return read(path)


@both
def links(work):
    """Modules and images with tables."""
    objs = link_objects(work)
    module, image = work.path("m.ko"), link(work, "image1", objs)
    work.ld("-r", "-o", module, *objs)
    seeds = [choose(stripped(module), LINK_MODULE), choose(read(module), PRINT)]
    seeds += [choose(read(image), LINK), choose(read(image), PRINT)]
    table = work.path("table.o")
    work.rmc("--link", "-o", table, link(work, "image2", objs))
    seeds.append(choose(read(link(work, "image3", objs + [table])), CHECK))
    image = link_with_id(work, "image4", objs)
    work.rmc("--link-apart", "-o", table, image)
    seeds += [choose(read(image), LINK_APART), choose(read(table), PRINT)]
    work.rmc("--link-module", module)
    seeds += [choose(read(module), PRINT), choose(read(module), LINK_MODULE),
              choose(read(module), PROCESS)]
    return seeds


@both
def tables(work):
    """Tables as modules carry them."""
    seeds = []
    for i, text in enumerate(sources(work.machine)):
        obj = work.compile(text, "t%d" % i, ["-O2", "-g"])
        work.rmc(obj)
        work.rmc("--link-module", obj)
        seeds.append(Elf(obj).find("__ftrace_signatures").data)
    return seeds + [apart(seed) for seed in seeds]


def apart(table):
    """A table as the module ftrace_signatures carries it, for a build ID of 0."""
    build_id = bytes(20)
    header = list(struct.unpack_from("<IHBBIIIIIIIIII", table))
    nr_sites, ips, sigs = header[6:9]
    sites = struct.pack("<%dI" % nr_sites, *range(0, 16 * nr_sites, 16))
    body = build_id + sites + table[sigs:header[12]]
    body += bytes(-(48 + len(body)) % 8)
    header[3], header[4], header[5] = 2, 48 + len(body), 0
    header[7:13] = [at + len(build_id) for at in header[7:13]]
    assert ips == 48
    header[5] = zlib.crc32(struct.pack("<IHBBIIIIIIIIII", *header) + body)
    return struct.pack("<IHBBIIIIIIIIII", *header) + body
