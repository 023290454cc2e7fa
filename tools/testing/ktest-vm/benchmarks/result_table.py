# SPDX-License-Identifier: GPL-2.0
"""The table that "make bench" prints, made from the data of build/bench.json."""

import statistics
import textwrap

from benchmarks import native_rings

LABEL = 45
COLUMN = 10
# The rows of calls that are shown for other mitigations
SHORT = ("function", "graph", "graph, retval", "graph, args, retval-typed",
         "syscall, both events", "a write of 24 bytes", "a write of 24 bytes, in line")


class Section:
    """Rows of one unit; a value is None where a kernel has no such thing."""

    def __init__(self, heading, form, notes=()):
        self.heading = heading
        self.form = form
        self.notes = list(notes)
        self.said = False       # the heading alone tells it all
        self.rows = []

    def add(self, label, values, ratio=None):
        """ratio is None for that of the last value to the first."""
        self.rows.append((label, values, relation(values) if ratio is None else ratio))

    def lines(self):
        yield self.heading
        for label, values, ratio in self.rows:
            cells = [cell(value, self.form) for value in values] + [cell(ratio, ".2f")]
            yield f"  {label:{LABEL - 2}}" + "".join(f"{text:>{COLUMN}}" for text in cells)
        for note in self.notes:
            yield f"  ({note})"


def cell(value, form):
    return "-" if value is None else format(value, form)


def relation(values):
    first, last = values[0], values[-1]
    return last / first if len(values) > 1 and first and last else None


def names_of(measured, kind):
    """In the order of the guest, those that only one kernel has included."""
    return list(dict.fromkeys(name for found in reversed(list(measured.values()))
                              for name in found[kind]))


def values_of(measured, kind, name, value):
    return [found[kind].get(name, {}).get(value) for found in measured.values()]


def plain(heading, form, measured, kind, value, names=None, scale=1):
    section = Section(heading, form)
    for name in names_of(measured, kind):
        if names is None or name in names:
            section.add(name, [found and found / scale
                               for found in values_of(measured, kind, name, value)])
    return section


def calls(measured):
    section = plain("instructions per traced call, over off", ".1f", measured, "insns", "mean",
                    [name for name in names_of(measured, "insns") if name != "off"])
    section.notes.append("elsewhere: that wants another function")
    return section


def following(measured):
    section = plain("instructions per call of the function graph, over off", ".0f", measured,
                    "follow", "mean")
    section.notes.append("everything: strings, structures and changes, at entry and return")
    return section


def ring_buffer(measured):
    return plain("instructions of the ring buffer, per event of 24 bytes", ".1f", measured,
                 "ring", "mean")


def short(heading, measured):
    """Some calls, and writes into the ring buffer, to compare with others."""
    section = plain(heading, ".1f", measured, "insns", "mean", SHORT)
    section.rows += plain("", ".1f", measured, "ring", "mean", SHORT).rows
    return section


def booted(option, measured, default):
    """The calls with other mitigations; only a note if these make no difference."""
    heading = f"some of these, booted with {option}"
    section = short(heading, measured)
    if section.rows == short(heading, default).rows:
        section = Section(f"{heading}: no difference", "")
        section.said = True
    return section


def spread(measured, kind):
    """How far the runs of a load lie apart, in percent of their mean."""
    return max((100 * (values["most"] - values["least"]) / values["mean"]
                for found in measured.values() for values in found[kind].values()
                if "most" in values), default=0)


def loads(measured):
    section = plain("hackbench, every function traced, instructions over off", ".2f",
                    measured, "load", "ratio",
                    [name for name in names_of(measured, "load") if name != "off"])
    section.notes.append(f"means of runs that differ by up to {spread(measured, 'load'):.1f} %")
    return section


def untraced(measured, reference):
    """Compiled in but off, over a kernel without it."""
    section = Section("compiled in but off, instructions over FUNCTION_TRACER=n", ".3f")
    for name, values in reference["untraced"].items():
        section.add(name, [value and value / values["mean"]
                           for value in values_of(measured, "untraced", name, "mean")])
    together = dict(measured, reference=reference)
    section.notes.append("hackbench: means of runs that differ by up to "
                         f"{spread(together, 'untraced'):.1f} %")
    return section


def sizes(found, columns):
    section = Section("bytes of the kernel's image", ".0f")
    for name in dict.fromkeys(name for column in columns for name in found[column]):
        section.add(name, [found[column].get(name) for column in columns])
    if "btf" in found:
        blank = [None] * (len(columns) - 1)
        for name in ("signatures", ".BTF"):
            section.add(f"{name}, built with DWARF and BTF", blank + [found["btf"].get(name)])
    return section


def build_time(pairs):
    section = Section("building, CPU seconds, without and with signatures", ".1f")
    columns = list(pairs[0])
    for part in pairs[0][columns[0]]:
        ratios = [pair[columns[-1]][part] / pair[columns[0]][part] for pair in pairs]
        section.add(part, [statistics.median(pair[name][part] for pair in pairs)
                           for name in columns], statistics.median(ratios))
        section.notes.append(f"{part}: ratios of {len(pairs)} pairs "
                             f"{min(ratios):.2f} to {max(ratios):.2f}")
    return section


def sections(results):
    """Those for which something was measured."""
    columns = results["columns"]
    measured = {name: results["measured"][name] for name in columns}
    made = [calls(measured), following(measured), ring_buffer(measured)]
    made += [booted(option, found, measured)
             for option, found in results.get("mitigations", {}).items()]
    made.append(plain("instructions of reading a line of text", ".0f", measured, "text", "mean"))
    made.append(loads(measured))
    made.append(plain("a program's syscalls shown, instructions over its own", ".2f", measured,
                      "tracers", "ratio"))
    made.append(plain("instructions of branch tracing, over off", ".0f", measured, "branches",
                      "instructions"))
    made.append(plain("thousands of instructions of switching a tracer", ",.0f",
                      measured, "enable", "instructions", scale=1000))
    if "notracer" in results["measured"]:
        made.append(untraced(measured, results["measured"]["notracer"]))
    made += [plain("bytes in the ring buffer per event", ".1f", measured, "bytes", "bytes"),
             plain("bytes of memory", ".0f", measured, "memory", "bytes")]
    if "sizes" in results:
        made.append(sizes(results["sizes"], columns))
    if "build" in results:
        made.append(build_time(results["build"]))
    if "native" in results:
        made.append(native_rings.Section(results["native"]))
    return [section for section in made if section.rows or section.said]


def conditions(results):
    yield f"{results['date']}, {results['machine']}"
    for name, kernel in results["kernels"].items():
        yield (f"{name}: Linux {kernel['release']}, {kernel['compiler']}, "
               f"configuration {kernel['configuration']}")
    if results["differences"]:
        yield f"configured otherwise, in {results['columns'][0]} and {results['columns'][-1]}:"
    for line in results["differences"]:
        yield f"  {line}"
    states = {name: found["mitigations"] for name, found in results["measured"].items()
              if name in results["columns"]}
    shared = next(iter(states.values()), {})
    for vulnerability, state in shared.items():
        yield f"{vulnerability}: {state}"
    for name, found in states.items():
        if found != shared:
            yield f"but {name}: {found}"


def head(results):
    """The conditions, as wide as the table."""
    return "".join(textwrap.fill(line, LABEL + 3 * COLUMN, subsequent_indent="    ",
                                 break_long_words=False, break_on_hyphens=False) + "\n"
                   for line in conditions(results))


def text(results):
    lines = []
    if results["columns"]:
        lines.append(f"{'':{LABEL}}" + "".join(f"{name:>{COLUMN}}"
                                               for name in results["columns"] + ["ratio"]))
    for section in sections(results):
        lines += section.lines()
    return "\n".join(lines) + "\n"
