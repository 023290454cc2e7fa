# SPDX-License-Identifier: GPL-2.0
"""Check that a kernel that is configured without our features is the base's kernel.

The unmodified base is built with the same configuration in build/baseline. Its image
and modules must be the same, byte by byte, except for what HIDDEN names. The base gets
the patches that configs/VARIANT.patches names: no option of ours switches these off.
"""

import collections
import glob
import os
import re
import subprocess

import vm

BASE = os.path.join(vm.BUILD, "baseline", os.path.relpath(vm.OUT, vm.BUILD))
HEADER = re.compile(r"\s*\[ *\d+\] (\S*) +(\S+) +([0-9a-f]+) ([0-9a-f]+) ([0-9a-f]+) [0-9a-f]+ "
                    r"+([A-Zop]*) ")
# struct bug_entry: two displacements, the line, the flags
BUG_ENTRY, BUG_LINE = 12, 8

# A counter or line number in the name of an initcall or a __UNIQUE_ID()
COUNTED = re.compile(r"^(__(?:initcall__kmod|UNIQUE_ID)_\w*?)_*\d+(?:_\d+)?(?=_|$)")
# The compiler's counter of the names in an object, which counts declarations as well
NAMED = re.compile(r"\.\d+$")

# Symbols that tell what the architecture can do: they add no code
CAPABLE = re.compile(r"CONFIG_HAVE_\w+=y$")

Section = collections.namedtuple("Section", "kind flags address offset size")


def output(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def sections(path):
    """Map the names of an ELF file's sections, which are unique, to their places."""
    found = {}
    for line in output("readelf", "-SW", path).splitlines():
        match = HEADER.match(line)
        if match and match.group(1):
            name, kind, *numbers, flags = match.groups()
            found[name] = Section(kind, flags, *(int(number, 16) for number in numbers))
    return found


def uncounted(name):
    """A symbol's name without line numbers and counters."""
    return NAMED.sub("", COUNTED.sub(r"\1", name))


def symbols(path):
    """Count the symbols of each type, size and name."""
    return collections.Counter(
        (*words[:-1], uncounted(words[-1]))
        for words in (line.split()[1:] for line in output("nm", "-S", path).splitlines())
        if words)


def name_tables(path):
    """The kallsyms tables, as pairs of addresses. Their content differs where names
    contain line numbers; compare_symbols() compares the symbols instead."""
    found = sorted((int(words[0], 16), words[-1]) for words in
                   map(str.split, output("nm", path).splitlines()) if len(words) == 3)
    return [(address, found[at + 1][0]) for at, (address, name) in enumerate(found[:-1])
            if name.startswith("kallsyms_")]


def hide_lines(data):
    """Clear the line numbers: in a patched file, a WARN() may be on another line."""
    data = bytearray(data)
    for entry in range(0, len(data), BUG_ENTRY):
        data[entry + BUG_LINE:entry + BUG_LINE + 2] = b"\0\0"
    return bytes(data)


def hide_build_id(data):
    """Clear the build ID, a hash of everything else, including line numbers."""
    start = data.find(b"\x04\0\0\0\x14\0\0\0\x03\0\0\0GNU\0")
    return data if start < 0 else data[:start + 16] + data[start + 36:]


def hide_ranges(data, section, ranges):
    """Clear these ranges of addresses."""
    data = bytearray(data)
    for start, end in ranges:
        start, end = (min(max(at - section.address, 0), len(data)) for at in (start, end))
        data[start:end] = bytes(end - start)
    return bytes(data)


HIDDEN = {"__bug_table": hide_lines, ".notes": hide_build_id, ".note.gnu.build-id": hide_build_id}


def content(path, name, section, ranges):
    with open(path, "rb") as stream:
        stream.seek(section.offset)
        data = stream.read(section.size)
    if name == ".rodata":
        data = hide_ranges(data, section, ranges)
    return HIDDEN.get(name, bytes)(data)


def only_in(one, other, where):
    return [f"{where} has {' '.join(map(str, item))}" for item in sorted(one - other)]


def compare_sections(ours, base):
    here, there = sections(ours), sections(base)
    tables = name_tables(ours), name_tables(base)
    wrong = [f"section {name} is in only one of them"
             for name in sorted(here.keys() ^ there.keys())]
    for name in sorted(here.keys() & there.keys()):
        one, two = here[name], there[name]
        if one.kind == "STRTAB" and not one.flags:
            continue
        if (one.kind, one.flags, one.size) != (two.kind, two.flags, two.size):
            wrong.append(f"section {name}: {one.size} bytes instead of {two.size}")
        elif "A" in one.flags and one.kind != "NOBITS" and \
                content(ours, name, one, tables[0]) != content(base, name, two, tables[1]):
            wrong.append(f"section {name}: other bytes, though as many")
    return wrong


def compare_symbols(ours, base):
    here, there = symbols(ours), symbols(base)
    return only_in(here.keys(), there.keys(), "this kernel") + \
        only_in(there.keys(), here.keys(), "the base") + \
        [f"{' '.join(name)}: {here[name]} times instead of {there[name]}"
         for name in sorted(here.keys() & there.keys()) if here[name] != there[name]]


def built_files(out):
    """The image and the modules, relative to the output directory."""
    with open(os.path.join(out, "modules.order"), encoding="utf-8") as stream:
        return ["vmlinux"] + sorted(re.sub(r"\.o$", ".ko", line.strip()) for line in stream)


def over_files(compare):
    wrong = []
    for name in built_files(vm.OUT):
        other = os.path.join(BASE, name)
        if os.path.exists(other):
            wrong += [f"{name}: {text}" for text in compare(os.path.join(vm.OUT, name), other)]
    return wrong


# The tests: each returns what is wrong, as a list of lines

def check_files():
    """Both kernels have the same modules."""
    return [f"{name} is in only one of them"
            for name in sorted(set(built_files(vm.OUT)) ^ set(built_files(BASE)))]


def check_sections():
    return over_files(compare_sections)


def check_symbols():
    return over_files(compare_symbols)


def check_configuration():
    lines = []
    for out in (vm.OUT, BASE):
        with open(os.path.join(out, ".config"), encoding="utf-8") as stream:
            lines.append({line for line in stream
                          if "CONFIG_" in line and not CAPABLE.match(line)})
    return [f"only one has {line.strip()}" for line in sorted(lines[0] ^ lines[1])]


def check_tool():
    """Our build tool was not compiled, and there is no object of kernel/trace/signature."""
    return [f"{path} was built" for path in
            glob.glob(os.path.join(vm.OUT, "scripts/recordmcount*")) +
            glob.glob(os.path.join(vm.OUT, "kernel/trace/signature/*.o"))]


TESTS = {
    "configuration": check_configuration,
    "files": check_files,
    "symbols": check_symbols,
    "sections": check_sections,
    "build tool": check_tool,
}
