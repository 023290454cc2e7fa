# SPDX-License-Identifier: GPL-2.0
"""Find the functions whose negative results are no errnos, and compare them with the kernel's list.

A gcc plugin says of each function where its results come from in the source. What a function
returns of another one is what that one returns. If nothing of it can be an errno, the tracers must
not print an errno's name: the list is the family "no_errnos" of the named constants.
"""

import collections
import fnmatch
import os
import re

import vm
from suites import binaries, claims, constants

FAMILY = "no_errnos"
# The functions whose -1 is an errno
ERRNO_FAMILY = "errnos"
# What a result can be
ERRNO, NUMBER, ONE, UNKNOWN = "errno", "number", "-1", "unknown"
MAX_ERRNO = 4095
# Members, variables and parameters that are called so hold errnos
ERRNO_NAMES = re.compile(r"(?:.*_)?(?:err|error|errno|ret|retval|rc|rv|res|result|status)\d*")
# Nothing is known of what a pointer points to, and the register has a program's last result
UNKNOWN_NAMES = ("", "ax")
CALL = "call:"
# These return lengths, which are never negative
LENGTHS = {("", name) for name in ("vsnprintf", "vscnprintf", "snprintf", "scnprintf", "sprintf",
                                   "vsprintf", "sysfs_emit", "sysfs_emit_at")}


def kind_of(source):
    """What a source that is no call gives."""
    what, _, name = source.partition(":")
    if what == "const":
        number = int(name)
        return ONE if number == -1 else ERRNO if number >= -MAX_ERRNO else NUMBER
    if what in ("field", "param"):
        if name in UNKNOWN_NAMES:
            return UNKNOWN
        return ERRNO if ERRNO_NAMES.fullmatch(name) else NUMBER
    return {"pointer": ERRNO, "op": NUMBER}.get(what, UNKNOWN)


class Functions:
    """Functions by their symbol; a static one's has its object's name, too."""

    def __init__(self):
        self.kinds = collections.defaultdict(set)
        self.calls = collections.defaultdict(set)
        self.signed = set()

    def add(self, obj, report):
        """Take what the plugin says of the functions of an object."""
        lines = [line.split("\t") for line in report.splitlines()]
        static = {name for name, scope, *_ in lines if scope == "static"}
        self.signed |= {name for name, _, sign, *_ in lines if sign == "signed"}

        def symbol(name):
            return (obj, name) if name in static else ("", name)

        for name, _, _, *sources in lines:
            key = symbol(name)
            # The boot code has functions of the same names, and weak ones are replaced
            self.calls[key] |= {symbol(source.removeprefix(CALL)) for source in sources
                                if source.startswith(CALL)} - LENGTHS
            self.kinds[key] |= {kind_of(source) for source in sources
                                if not source.startswith(CALL)}

    def settle(self):
        """Let each function have what it returns of others."""
        callers = collections.defaultdict(set)
        for key, called in self.calls.items():
            for callee in called:
                callers[callee].add(key)
                if callee not in self.kinds:
                    self.kinds[key].add(UNKNOWN)
        todo = list(self.kinds)
        while todo:
            callee = todo.pop()
            for caller in callers[callee]:
                if not self.kinds[callee] <= self.kinds[caller]:
                    self.kinds[caller] |= self.kinds[callee]
                    todo.append(caller)

    def by_name(self):
        """What all functions of a name return, by name: static ones may share it.

        Without those of unsigned types, whose results no tracer prints as errnos.
        """
        found = collections.defaultdict(set)
        for (_, name), kinds in self.kinds.items():
            if name in self.signed:
                found[name] |= kinds
        return found


def is_number(kinds):
    """Whether it may be negative, is no errno, and is not just -1, which has no name anyway."""
    return bool(kinds) and NUMBER in kinds and kinds <= {NUMBER, ONE}


def ask(obj, plugin):
    """(what the plugin says of an object's functions, gcc's error messages or "")"""
    out = os.path.join(claims.TOP, "returns", obj.name)
    failure = claims.compile_again(obj, claims.BUILT_WITH, plugin, out,
                                   f"-fplugin-arg-returns-out={out}.txt")
    if failure:
        return "", failure
    with open(out + ".txt", encoding="utf-8") as stream:
        return stream.read(), ""


def ask_all(objects):
    """The Functions of all objects, and what went wrong, as lines."""
    plugin = claims.make_plugin("returns")
    functions, wrong = Functions(), []
    reports = claims.for_each(lambda obj: ask(obj, plugin), objects)
    for obj, (report, failure) in zip(objects, reports):
        functions.add(obj.name, report)
        wrong += [f"{obj.name}: {line}" for line in failure.splitlines()[:3]]
    functions.settle()
    return functions, wrong


def traced_functions():
    """The names of the image's functions with call sites; copies have their function's name."""
    return {constants.base(proto.symbol) for proto in binaries.prototypes(binaries.IMAGE)}


def matching(names, patterns):
    return {name for pattern in patterns for name in fnmatch.filter(names, pattern)}


def compare(kinds, traced, listed, known=()):
    """What is missing in the list, and what should not be there, as lines.

    The patterns @known mean functions that are known to return errnos.
    """
    numbers = {name for name in traced if is_number(kinds.get(name))} - matching(traced, known)
    missing = [f"{name} returns numbers, and is not among the {FAMILY}"
               for name in sorted(numbers - listed)]
    others = [f"{name} is among the {FAMILY}, and can return: "
              + (", ".join(sorted(kinds[name])) or "nothing negative") for name in sorted(listed)
              if name in kinds and not is_number(kinds[name])]
    twice = [f"{name} is among the {FAMILY} and the {ERRNO_FAMILY}"
             for name in sorted(matching(listed, known))]
    return missing + others + twice


def report_path():
    return os.path.join(vm.BUILD, f"errnos{vm.NAME and '-' + vm.NAME}.txt")


def write_report(kinds, traced):
    """Keep what each traced function can return, in groups."""
    groups = collections.defaultdict(list)
    for name in sorted(traced & kinds.keys()):
        groups[" ".join(sorted(kinds[name])) or "never negative"].append(name)
    with open(report_path(), "w", encoding="utf-8") as stream:
        for group, names in sorted(groups.items()):
            stream.write(f"# {group}: {len(names)}\n" + "".join(name + "\n" for name in names))
    sizes = ", ".join(f"{len(names)} {group}" for group, names in sorted(groups.items()))
    print(f"   # {sizes}: {report_path()}", flush=True)


def listed(wanted):
    """The functions, or patterns, that a family of results has."""
    lines = constants.rules(os.path.join(constants.HERE, "families"))
    return {name for key, family, *names in lines if (key, family) == ("result", wanted)
            for name in names}


def check():
    functions, wrong = ask_all(claims.commands(traced=False))
    kinds = functions.by_name()
    traced = traced_functions()
    write_report(kinds, traced)
    return wrong + compare(kinds, traced, listed(FAMILY), listed(ERRNO_FAMILY))
