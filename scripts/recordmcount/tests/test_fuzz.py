# SPDX-License-Identifier: GPL-2.0
"""Broken files of every kind: no crash, no hang, and clear ends.

The tool is built with the address and undefined behaviour sanitizers here, and
a finding of theirs ends it with 99.
"""

import os
import random

from harness import Elf, both, check, equal, read, run, test, write
from test_clones import SOURCE as CLONES
from test_link import link, objects
from test_places import SUITES, source

# Files that each test breaks; set it to more for a long search
SEEDS = int(os.environ.get("FUZZ_SEEDS", "100"))


def survives(work, data, args, seed, keep=False):
    """The tool ends sanely, and an error leaves the file alone."""
    path = write(work.path("fuzzed.o"), bytes(data))
    done = work.rmc(*args, path, fail_ok=True, tool=work.safe_tool)
    if done.returncode not in (0, 1):
        write(work.path("crash-%d.o" % seed), bytes(data))
        check(False, "seed %d, %r: exit %d\n%s" % (seed, args, done.returncode,
                                                   done.stderr[-3000:]))
    if done.returncode:
        check(done.stderr.startswith("recordmcount: "), "no message: %r" % done.stderr)
        equal(read(path), bytes(data), "content after an error")
    check("Sanitizer" not in done.stderr and "runtime error" not in done.stderr, done.stderr)
    return done


def flip(data, rng, ranges, most=8):
    data = bytearray(data)
    for _ in range(rng.randint(1, most)):
        start, size = rng.choice(ranges)
        at = start + rng.randrange(size)
        data[at] = rng.choice([0, 0xff, data[at] ^ 1 << rng.randrange(8), rng.randrange(256)])
    return data


def ranges_of(elf, want):
    return [(s.offset, s.size) for s in elf.sections if s.size and s.type != 8 and want(s)]


def fuzz(work, obj, want, args, seeds=SEEDS, first=0):
    good, ranges = read(obj), ranges_of(Elf(obj), want)
    check(ranges, "nothing to break")
    codes = {0: 0, 1: 0}
    for seed in range(first, first + seeds):
        data = flip(good, random.Random(seed), ranges)
        codes[survives(work, data, args, seed).returncode] += 1
    return codes


def sample(work, flags):
    return work.compile(source(*SUITES[work.machine][:2]) +
                        CLONES.replace("struct s ", "struct cs ")
                        .replace("(struct s", "(struct cs"), flags=flags)


@test
def fuzz_dwarf5(work):
    codes = fuzz(work, sample(work, ["-O2", "-g"]), lambda s: s.name.startswith(".debug_"), [])
    equal(codes[1], 0, "broken DWARF must not stop a build; errors")


@test
def fuzz_dwarf4(work):
    codes = fuzz(work, sample(work, ["-O2", "-gdwarf-4"]),
                 lambda s: s.name.startswith(".debug_"), ["--strip-debug"], first=10000)
    equal(codes[1], 0, "broken DWARF must not stop a build; errors")


@both
def fuzz_debug_info(work):
    """Damage debug information, in which nearly each byte means something."""
    obj = sample(work, ["-O2", "-g"])
    fuzz(work, obj, lambda s: s.name in (".debug_info", ".debug_abbrev"), ["--print"],
         first=20000)


@test
def fuzz_locations(work):
    obj = sample(work, ["-O2", "-g"])
    fuzz(work, obj, lambda s: s.name in (".debug_loclists", ".debug_rnglists", ".debug_addr"),
         ["--print"], first=30000, seeds=SEEDS // 2)


@both
def fuzz_relocations(work):
    fuzz(work, sample(work, ["-O2", "-g"]), lambda s: s.name.startswith(work.machine.relocs), [],
         first=40000)


@test
def fuzz_compressed(work):
    fuzz(work, sample(work, ["-O2", "-g", "-gz=zlib"]), lambda s: s.name.startswith(".debug_"), [],
         first=50000, seeds=SEEDS // 2)


@both
def fuzz_elf(work):
    """Headers, symbols, strings."""
    obj = sample(work, ["-O2", "-g"])
    good, elf = read(obj), Elf(obj)
    ranges = [(0, 64 if elf.is64 else 52), (elf.shoff, len(good) - elf.shoff)] + ranges_of(
        elf, lambda s: s.name in (".symtab", ".strtab", ".shstrtab", ".group"))
    for seed in range(60000, 60000 + SEEDS):
        data = flip(good, random.Random(seed), ranges, 4)
        survives(work, data, random.Random(seed).choice([[], ["--print"], ["--strip-debug"]]),
                 seed)


@test
def fuzz_truncated_dwarf(work):
    """Sections of DWARF that end early."""
    obj = sample(work, ["-O2", "-g"])
    for sec in Elf(obj).sections:
        if not sec.name.startswith(".debug_"):
            continue
        for size in {0, 1, 3, 7, 11, sec.size // 2, sec.size - 1}:
            part = write(work.path("part"), sec.data[:size])
            cut = work.path("cut.o")
            run(["objcopy", "--update-section", "%s=%s" % (sec.name, part), obj, cut],
                fail_ok=True)
            survives(work, read(cut), [], size)


@both
def fuzz_tables(work):
    """Tables of objects, modules and images; checksums are made right again."""
    import struct
    import zlib
    objs = objects(work)
    module = work.path("m.ko")
    work.ld("-r", "-o", module, *objs)
    image = link(work, "vmlinux", objs)
    for path, args in ((module, ["--link-module"]), (module, ["--print"]),
                       (image, ["--link", "-o", work.path("out.o")])):
        good, sec = read(path), Elf(path).find(".ftrace_sig")
        for seed in range(70000, 70000 + SEEDS // 2):
            rng = random.Random(seed)
            data = flip(good, rng, [(sec.offset, sec.size)], 4)
            at = sec.offset
            while at < sec.offset + sec.size and data[at:at + 4] == b"FSIG":
                size, _, _, _, sigs = struct.unpack_from("<IIIII", data, at + 8)
                if not 48 <= sigs <= size <= sec.offset + sec.size - at:
                    break
                data[at + 12:at + 16] = bytes(4)
                crc = zlib.crc32(data[at:at + 48] + data[at + sigs:at + size])
                struct.pack_into("<I", data, at + 12, crc)
                at += size
            survives(work, data, args, seed)


@both
def safe_on_good_objects(work):
    """Valid files give no finding of the sanitizers, leaks included."""
    for name, flags, base in (("k", ["-O2", "-g"], work.machine.kernel_flags),
                              ("u", ["-O2", "-g3"], work.machine.base_flags)):
        obj = work.compile(source(*SUITES[work.machine][:2]), name, flags, base)
        work.rmc("--print", obj, tool=work.safe_tool)
        work.rmc("--strip-debug", obj, tool=work.safe_tool)
        work.rmc("--print", obj, tool=work.safe_tool)
    objs = objects(work)
    module = work.path("m.ko")
    work.ld("-r", "-o", module, *objs)
    work.rmc("--link-module", module, tool=work.safe_tool)
    image = link(work, "image", objs)
    table = work.path("t.o")
    work.rmc("--link", "-o", table, image, tool=work.safe_tool)
    work.rmc("--check", link(work, "final", objs + [table]), tool=work.safe_tool)
