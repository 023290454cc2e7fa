# SPDX-License-Identifier: GPL-2.0
"""Reading the binaries that were built: the image and the modules.

Only prototypes() and explanations() ask recordmcount, the tool that makes the
signatures. All else is read by other means, so that the tool's own output can be
checked against it.
"""

import collections
import functools
import os
import re
import struct
import subprocess

import vm

OUT = vm.OUT
IMAGE = os.path.join(OUT, "vmlinux")
TOOL = os.path.join(OUT, "scripts/recordmcount/recordmcount")


def output(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def modules():
    with open(os.path.join(OUT, "modules.order"), encoding="utf-8") as stream:
        return [os.path.join(OUT, re.sub(r"\.o$", ".ko", line.strip())) for line in stream]


def configured(symbol):
    """The value of a configuration symbol, without CONFIG_; None if it is not set."""
    with open(os.path.join(OUT, ".config"), encoding="utf-8") as stream:
        for line in stream:
            name, _, value = line.strip().partition("=")
            if name == "CONFIG_" + symbol:
                return value
    return None


# One line of recordmcount --print: a call site, its function's symbol and
# prototype, the parameters as (name, place) and the place of the result, which
# is None if the site has no signature
Prototype = collections.namedtuple("Prototype", "where symbol text params result")


def in_table(path):
    """recordmcount's arguments for a file whose signatures are in another one."""
    if path != IMAGE or not configured("FTRACE_SIGNATURES_LOADABLE"):
        return []
    tables = [module for module in modules() if module.endswith("/ftrace_signatures.ko")]
    return ["--table", *tables]


def prototypes(path):
    for line in output(TOOL, "--print", *in_table(path), path).splitlines():
        where, symbol, text, *fields = line.split("\t")
        places = [tuple(field.rsplit("@", 1)) for field in fields]
        yield Prototype(where, symbol, text, places[:-1], places[-1][1] if places else None)


def explanations(path):
    """Lines of recordmcount --explain: (call site, symbol, value, why it is unknown)"""
    for line in output(TOOL, "--explain", *in_table(path), path).splitlines():
        yield tuple(line.split("\t"))


# Call sites, found without recordmcount

def symbols(path, *names):
    found = {}
    for line in output("nm", path).splitlines():
        words = line.split()
        if len(words) == 3 and words[2] in names:
            found[words[2]] = int(words[0], 16)
    return [found[name] for name in names]


@functools.lru_cache(maxsize=None)
def section_headers(path):
    """(name, address, file offset, size) of each section, by its number"""
    found = {}
    for line in output("readelf", "-SW", path).splitlines():
        match = re.match(r"\s*\[ *(\d+)\] (\S+) +[A-Z]\w* +(\w+) (\w+) (\w+) ", line)
        if match:
            found[int(match.group(1))] = (match.group(2), *(int(text, 16)
                                                           for text in match.groups()[2:]))
    return found


def sections(path):
    """{name: (address, file offset, size)}"""
    return {name: where for name, *where in section_headers(path).values()}


def function_symbols(path):
    """{name: [(number of the section, address)]} of the functions"""
    found = collections.defaultdict(list)
    for line in output("readelf", "-sW", path).splitlines():
        words = line.split()
        if len(words) == 8 and words[3] == "FUNC" and words[6].isdigit():
            found[words[7]].append((int(words[6]), int(words[1], 16)))
    return found


def is_static(path, name):
    """Whether a function of that name is local to its object file."""
    return any(line.split()[1:] == ["t", name] for line in output("nm", path).splitlines())


def replaced_functions():
    """Weak functions of the image's objects that were replaced by others at the link."""
    weak, strong = set(), set()
    for line in output("nm", os.path.join(OUT, "vmlinux.a")).splitlines():
        words = line.split()
        if len(words) == 3 and words[1] in "WT":
            (weak if words[1] == "W" else strong).add(words[2])
    return weak & strong


def section_data(path, name):
    """Bytes of a section; None if the file has no such section."""
    where = sections(path).get(name)
    if not where:
        return None
    with open(path, "rb") as stream:
        stream.seek(where[1])
        return stream.read(where[2])


def data_at(path, address, size):
    """The bytes at an address of the loaded file."""
    for _, start, offset, length in section_headers(path).values():
        if start and start <= address and address + size <= start + length:
            with open(path, "rb") as stream:
                stream.seek(offset + address - start)
                return stream.read(size)
    raise ValueError(f"{path}: nothing is at {address:#x}")


# A word, for struct.unpack(), and the type of its relocation
WORD = {"x86_64": "<Q", "i386": "<I"}[vm.ARCH]
RELOCATION = {"x86_64": "R_X86_64_64", "i386": "R_386_32"}[vm.ARCH]


def image_call_sites(path):
    start, stop = symbols(path, "__start_mcount_loc", "__stop_mcount_loc")
    data = data_at(path, start, stop - start)
    return [f"{site:#x}" for (site,) in struct.iter_unpack(WORD, data)]


def module_call_sites(path):
    sites = []
    inside = False
    data = section_data(path, "__mcount_loc")
    for line in output("readelf", "-rW", path).splitlines():
        if line.startswith("Relocation section"):
            inside = re.search(r"'\.rela?__mcount_loc'", line)
        words = line.split()
        if inside and len(words) >= 5 and words[2] == RELOCATION:
            sites.append(f"{words[4]}+{addend(words, data):#x}")
    return sites


def addend(words, data):
    """The addend of a line of readelf -r; for REL it is in the section itself."""
    if len(words) == 7:
        return int(words[6], 16)
    return struct.unpack_from(WORD, data, int(words[0], 16))[0]


def call_sites(path):
    """The call sites as recordmcount names them, and how many were cleared.

    The link step clears entries for which it finds no function: mostly those of weak
    functions that were replaced.
    """
    sites = image_call_sites(path) if path == IMAGE else module_call_sites(path)
    return set(sites) - {"0x0"}, sites.count("0x0")
