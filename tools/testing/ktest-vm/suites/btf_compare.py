# SPDX-License-Identifier: GPL-2.0
"""Compare the signatures of the built kernel with its BTF.

pahole makes BTF from the same DWARF, but BTF has functions by name, where signatures
have call sites. That explains some differences. Each such cause has a rule here, and is
counted; a difference that no rule explains is a failure.
"""

import collections
import os
import re

from suites import binaries, btf

# The optimizer's suffix in the name of a changed copy
COPY = re.compile(r"\.(isra|constprop|part|cold)\b")
ENDBR64 = b"\xf3\x0f\x1e\xfa"
CALL = 0xe8
SAME = "the same in BTF"
# Rules for call sites without the same function in BTF
ALIAS = "the same, by another name of the function"
SHARED = "BTF has another function of that name"
INLINED = "BTF has a function of that name that was inlined"
REPLACED = "BTF has the weak function that another one replaced"
COPIED = "not in BTF: a copy that the optimizer made (.{})"
IN_IMAGE = "the same in the BTF of the image"
# Rules for functions in BTF without a call site
TRACED = "traced"
TRACED_ALIAS = "traced by another name"
UNTRACED = "not traced: nothing is called at the entry"
CLEARED = "not traced: sorttable cleared the call site"
ROWS = ([("call sites", "sites")] +
        [("  " + rule, rule) for rule in
         [SAME, ALIAS, IN_IMAGE, SHARED, INLINED, REPLACED] +
         [COPIED.format(kind) for kind in ("constprop", "isra", "part", "cold")]] +
        [("functions in BTF", "functions")] +
        [("  " + rule, rule) for rule in (TRACED, TRACED_ALIAS, UNTRACED, CLEARED)] +
        [("bytes of signatures", "bytes of signatures"), ("bytes of BTF", "bytes of BTF")])


def prototypes_in(types):
    """{name: [prototype]} of the functions in BTF"""
    known = collections.defaultdict(list)
    for name, number in types.functions():
        known[name].append(types.prototype(number, name))
    return known


class File:
    """A linked file: its symbols of functions, its signatures, its BTF."""

    def __init__(self, path, base=None):
        self.path = path
        self.name = os.path.relpath(path, binaries.OUT)
        self.sections = binaries.sections(path)
        self.entries = binaries.function_symbols(path)
        self.fentry = self.entries.get("__fentry__", [(None, None)])[0][1]
        self.sites, _ = binaries.call_sites(path)
        self.prototypes = list(binaries.prototypes(path))
        self.btf = btf.Btf(binaries.section_data(path, ".BTF"), base and base.btf)
        self.known = prototypes_in(self.btf)
        self.of_image = base.known if base else {}
        self.replaced = set() if base else binaries.replaced_functions()
        self.names = collections.defaultdict(set)
        for name, entries in self.entries.items():
            for entry in entries:
                self.names[entry].add(name)

    def aliases(self, name):
        """All names of the functions of that name."""
        return set().union(*(self.names[entry] for entry in self.entries.get(name, [])))

    def may_be_inlined(self, name):
        """Whether another function of that name may exist that was inlined everywhere.

        Several static functions may share a name. For any other function, the first one
        that pahole finds must be an inline function.
        """
        if binaries.is_static(self.path, name):
            return True
        first = binaries.output("pfunct", "-F", "dwarf", "-f", name, self.path)
        return first.startswith("inline ")

    def calls_tracer(self, entry):
        """Whether a function begins with a call of the tracer."""
        index, address = entry
        _, start, offset, size = binaries.section_headers(self.path)[index]
        with open(self.path, "rb") as stream:
            stream.seek(offset + address - start)
            code = stream.read(min(9, size - (address - start)))
        skip = 4 if code.startswith(ENDBR64) else 0
        if code[skip:skip + 1] != bytes([CALL]):
            return False
        if self.fentry is None:
            return True     # in a module, relocations tell what is called
        distance = int.from_bytes(code[skip + 1:skip + 5], "little", signed=True)
        return address + skip + 5 + distance == self.fentry


def renamed(text, name, other):
    return re.sub(rf"(?<![\w.]){re.escape(name)}\(", other + "(", text, count=1)


def explain_missing(file, proto):
    """The rule for a call site whose function's name is not in BTF."""
    if proto.text in file.of_image.get(proto.symbol, []):
        return IN_IMAGE
    for other in file.aliases(proto.symbol) - {proto.symbol}:
        text = renamed(proto.text, proto.symbol, other)
        if text in file.known.get(other, []) or text in file.of_image.get(other, []):
            return ALIAS
    match = COPY.search(proto.symbol)
    return COPIED.format(match.group(1)) if match else None


def explain_site(file, proto, ours):
    """The rule that applies to a call site, or None.

    ours are the prototypes of all call sites in functions of that name.
    """
    known = file.known.get(proto.symbol)
    if not known:
        return explain_missing(file, proto)
    if proto.text in known:
        return SAME
    if proto.symbol in file.replaced:
        return REPLACED
    if len(file.entries[proto.symbol]) > len(ours) or set(known) <= set(ours):
        return SHARED
    return INLINED if file.may_be_inlined(proto.symbol) else None


def compare_sites(file, counts):
    wrong = []
    ours = collections.defaultdict(list)
    for proto in file.prototypes:
        ours[proto.symbol].append(proto.text)
    for proto in file.prototypes:
        if proto.where not in file.sites:
            continue
        counts["sites"] += 1
        rule = explain_site(file, proto, ours[proto.symbol])
        if rule:
            counts[rule] += 1
        else:
            known = " and ".join(file.known.get(proto.symbol, [])) or "nothing"
            wrong.append(f"{file.name}: {proto.text}, but BTF has {known}")
    return wrong


def explain_function(file, name, traced, cleared):
    if name in traced:
        return TRACED
    if name in cleared:
        return CLEARED
    if file.aliases(name) & traced:
        return TRACED_ALIAS
    entries = file.entries.get(name)
    if entries and not any(file.calls_tracer(entry) for entry in entries):
        return UNTRACED
    return None


def compare_functions(file, counts):
    traced = {proto.symbol for proto in file.prototypes if proto.where in file.sites}
    cleared = {proto.symbol for proto in file.prototypes if proto.where not in file.sites}
    wrong = []
    for name, _ in file.btf.functions():
        counts["functions"] += 1
        rule = explain_function(file, name, traced, cleared)
        if rule:
            counts[rule] += 1
        else:
            wrong.append(f"{file.name}: BTF has {name}, which no call site is in")
    return wrong


def compare(file, counts):
    for name, section in (("signatures", "__ftrace_signatures"), ("BTF", ".BTF")):
        counts["bytes of " + name] += file.sections.get(section, (0, 0, 0))[2]
    return compare_sites(file, counts) + compare_functions(file, counts)


def table(columns):
    width = max(len(title) for title, _ in ROWS) + 2
    lines = [" " * width + "".join(f"{title:>10}" for title, _ in columns)]
    return lines + [f"{title:{width}}" + "".join(f"{counts[name]:10}" for _, counts in columns)
                    for title, name in ROWS]


def check():
    image = File(binaries.IMAGE)
    columns = [("vmlinux", collections.Counter()), ("modules", collections.Counter())]
    wrong = compare(image, columns[0][1])
    for path in binaries.modules():
        if ".BTF" in binaries.sections(path):
            wrong += compare(File(path, image), columns[1][1])
    for line in table(columns):
        print("   # " + line)
    return wrong
