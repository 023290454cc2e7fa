# SPDX-License-Identifier: GPL-2.0
"""Tests of the measuring: what a guest says, what is made of it, and the table."""

import collections
import os
import subprocess
import tempfile

import bench
from benchmarks import counting_machine, kernel_builds, native_rings, result_table, symbol_profile
from harness import base, contains, equal, write

LINES = """begin\tcalls
mitigation\tspectre_v2\tMitigation: Retpolines
insns\toff\t378.0\t378\t0
insns\tfunction\t{function}\t552\t2
none\tgraph, args
load\toff\t1.000\t100\t90\t110
load\tfunction\t{load}\t1000\t990\t1010
ring\ta write of 24 bytes\t{function}\t100
untraced\tgetpgid\t{untraced}
branches\ta program: a branch\t{function}
enable\tfunction, every function, on\t{load}e6
bytes\tfunction: function\t28.00
memory\treturn stack of a task\t4096
stepped\toff"""


def lines(function, load, untraced):
    return LINES.format(function=function, load=load, untraced=untraced).split("\n")


def refuses(function, *arguments):
    """The message with which it ends the program."""
    try:
        function(*arguments)
    except SystemExit as stop:
        return str(stop)
    raise AssertionError("it was taken")


def results():
    """As measured, with round figures."""
    found = {"base": counting_machine.parse(lines("500.0", "10.000", "380.0")),
             "ours": counting_machine.parse(lines("250.0", "5.000", "390.0") +
                                       ["insns\tgraph, args\t300.0\t300\t0"]),
             "notracer": counting_machine.parse(["untraced\tgetpgid\t360.0"])}
    kernel = {"release": "6.12", "compiler": "gcc", "configuration": "abc"}
    return {"date": "2026-01-01", "machine": "QEMU", "columns": ["base", "ours"],
            "differences": ["CONFIG_X: n and y"], "kernels": {"base": kernel, "ours": kernel},
            "measured": found,
            "sizes": {"base": {"bzImage": 1000}, "ours": {"bzImage": 1100, "signatures": 50},
                      "btf": {"signatures": 51, ".BTF": 400}},
            "build": [{"base": {"compile": 10.0}, "ours": {"compile": seconds}}
                      for seconds in (12.0, 13.0, 11.0)]}


def row(text, label):
    """The cells of a table's row."""
    found = [line for line in text.split("\n") if line.startswith("  " + label + "  ")]
    equal(len(found), 1)
    return found[0][len(label) + 2:].split()


def test_bench_guest_lines():
    """bench: a guest's lines are taken by their kind"""
    found = counting_machine.parse(lines("553.4", "9.96", "378.0"))
    equal(found["insns"]["function"], {"mean": 553.4, "median": 552.0, "interrupted": 2.0})
    equal(found["load"]["function"]["most"], 1010.0)
    equal(found["untraced"], {"getpgid": {"mean": 378.0}})
    equal(found["mitigations"], {"spectre_v2": "Mitigation: Retpolines"})


def test_bench_guest_nonsense():
    """bench: a line that no guest says, or with too many values, is refused"""
    for line in ("", "insns", "insns\tfunction", "speed\tfunction\t1", "bytes\tx\t1\t2"):
        contains(refuses(counting_machine.parse, [line]), f'the guest said "{line}"')


def test_bench_table():
    """bench: the table has values, ratios, and a dash for what a kernel has not"""
    text = result_table.text(results())
    equal(row(text, "graph, args"), ["-", "300.0", "-"])
    equal(row(text, "bzImage"), ["1000", "1100", "1.10"])
    equal(row(text, "signatures"), ["-", "50", "-"])
    equal(row(text, ".BTF, built with DWARF and BTF"), ["-", "400", "-"])
    equal(row(text, "function: function"), ["28.0", "28.0", "1.00"])
    contains(text, "differ by up to 20.0 %", "ratios of 3 pairs 1.10 to 1.30")
    equal(row(text, "a write of 24 bytes"), ["500.0", "250.0", "0.50"])
    equal(row(text, "function, every function, on"), ["10,000", "5,000", "0.50"])
    equal(row(text, "a program: a branch"), ["500", "250", "0.50"])
    equal(row(text, "compile"), ["10.0", "12.0", "1.20"])
    equal(row(text, "getpgid"), ["1.056", "1.083", "1.03"])
    if max(map(len, text.split("\n"))) > 76:
        raise AssertionError("a line is too wide for a mail")


def test_bench_table_sections():
    """bench: only what was measured is in the table"""
    partial = results()
    partial["measured"] = {name: dict(found, insns={}, ring={}, memory={}, enable={},
                                        branches={})
                           for name, found in partial["measured"].items()}
    for name in ("build", "sizes"):
        del partial[name]
    del partial["measured"]["notracer"]
    text = result_table.text(partial)
    equal([line for line in text.split("\n")[1:] if line and line[0] != " "],
          ["hackbench, every function traced, instructions over off",
           "bytes in the ring buffer per event"])


def natively():
    """As native_rings.measure() finds it, with round figures."""
    def together(least):
        return native_rings.together([native_rings.parse(f"{least} {least + 200} 9 10 5 1"),
                                      native_rings.parse(f"{least + 100} {least + 400} 9 10 5 1")])
    return {"processor": "2 x CPU", "lttng": "2.13", "refused": None,
            "alone": {"ours": together(2000), "no clock": together(300)},
            "pages": {"ours": together(2100)}}


def test_bench_native():
    """bench: natively, the least and the median of all passes, for each reader"""
    given = dict(results(), native=natively())
    text = result_table.text(given)
    equal(row(text, "ours"), ["20.0", "23.0", "21.0", "24.0", "-", "-"])
    equal(row(text, "no clock"), ["3.0", "6.0", "-", "-", "-", "-"])
    contains(text, "2 x CPU, lttng 2.13")
    if max(map(len, text.split("\n"))) > 76:
        raise AssertionError("a line is too wide for a mail")
    contains(refuses(native_rings.parse, "1 2 3"), 'said "1 2 3"')


def test_bench_native_programs():
    """bench: the programs that measure natively compile, run, and lose count of nothing"""
    with tempfile.TemporaryDirectory() as top:
        native_rings.OUT = top
        native_rings.make(base(), "all")
        for _, program, way in native_rings.RINGS:
            found = native_rings.run(program, way)
            equal((found["read"], found["written"] >= found["batches"] > 0), (0, True))
            equal(found["lost"] in (-1, *range(found["written"])), True)
        for program in ("ours", "base"):
            for reader in (*native_rings.READERS, "parts"):
                found = native_rings.run(program, "general", reader)
                if not 0 < found["read"] <= found["written"] - found["lost"]:
                    raise AssertionError(f"{program}, {reader}: {found}")
        contains(refuses(native_rings.run, "copy", "nothing"), "copy nothing")


def refuse_daemon(pidfile):
    raise native_rings.Refused(f"lttng-sessiond:\n{pidfile}")


def test_bench_native_refused():
    """bench: natively, where lttng's daemon does not run, all others are measured"""
    names = ("build", "start_daemon", "run", "PASSES")
    kept = {name: getattr(native_rings, name) for name in names}
    found = native_rings.parse("100 200 9 10 5 1")
    for name, instead in zip(names, (lambda: None, refuse_daemon, lambda *_: found, 1)):
        setattr(native_rings, name, instead)
    try:
        given = native_rings.measure()
    finally:
        for name in names:
            setattr(native_rings, name, kept[name])
    contains(given["refused"], "lttng-sessiond: /")
    equal(list(given["alone"]), [name for name, _, _ in native_rings.RINGS])
    contains("\n".join(native_rings.Section(given).lines()), "lttng does not run")


def test_bench_native_alone():
    """bench: natively, no kernel is built and there is no column"""
    kernels, columns = bench.choose_kernels([], ["native"])
    equal((kernels, columns), ({}, []))
    given = dict(bench.describe(kernels, columns), measured={}, native=natively())
    text = result_table.text(given)
    equal(text.split("\n", maxsplit=1)[0].split()[0], "ticks")
    contains(result_table.head(given), "QEMU")


def test_bench_conditions():
    """bench: versions, configurations and mitigations are told"""
    given = results()
    text = "\n".join(result_table.conditions(given))
    contains(text, "2026-01-01, QEMU", "ours: Linux 6.12, gcc, configuration abc",
             "configured otherwise, in base and ours:\n  CONFIG_X: n and y", "spectre_v2: Mitigation: Retpolines")
    given["measured"]["ours"]["mitigations"] = {"spectre_v2": "Vulnerable"}
    contains(result_table.head(given), "but ours: {'spectre_v2': 'Vulnerable'}")
    given["machine"] = "QEMU " + "word " * 40
    equal([len(line) > 75 for line in result_table.head(given).split("\n")].count(True), 0)


def test_bench_steps():
    """bench: steps are chosen by name, all without one, and a wrong one is refused"""
    equal(bench.choose("calls, off"), ["calls", "off"])
    equal(bench.choose(""), list(bench.STEPS))
    contains(refuses(bench.choose, "calls,nosuch"), "STEPS=nosuch", "hackbench")


def test_bench_kernels():
    """bench: a kernel is built only for a step that needs it"""
    kernels, columns = bench.choose_kernels([], ["calls"])
    equal((sorted(kernels), columns), (["base", "ours"], ["base", "ours"]))
    kernels, _ = bench.choose_kernels([], ["off", "btf"])
    equal(sorted(kernels), ["base", "btf", "notracer", "ours"])
    kernels, columns = bench.choose_kernels(["one=/a", "two=/b"], ["calls"])
    equal((kernels["two"].build, columns), ("/b", ["one", "two"]))
    contains(refuses(kernels["one"].make), "/a/linux/out-x86_64", "is missing")


def packed(order, stamp):
    with tempfile.TemporaryDirectory() as top:
        for name in order:
            write(os.path.join(top, "root", name), name)
            os.utime(os.path.join(top, "root", name), (stamp, stamp))
        path = os.path.join(top, "archive")
        counting_machine.pack(os.path.join(top, "root"), path)
        with open(path, "rb") as stream:
            return stream.read()


def test_bench_archive():
    """bench: the guest's archive depends on names and contents alone"""
    archive = packed(["init", "lib/a", "lib/b"], 1000)
    equal(archive == packed(["lib/b", "init", "lib/a"], 2000), True)
    equal(archive == packed(["init", "lib/a", "lib/c"], 1000), False)


SECTIONS = """  [ 1] .text             PROGBITS        ffffffff81000000 200000 7e00f1 00  AX  0   0 4096
  [ 2] .BTF              PROGBITS        ffffffff82000000 a00000 000100 00   A  0   0  1
  [10] .rodata           PROGBITS        c1000000 001000 002000 00   A  0   0  1
"""


def test_bench_sections():
    """bench: sections' sizes, of 64 and of 32 bits"""
    equal(kernel_builds.parse_sections(SECTIONS),
          {".text": 0x7e00f1, ".BTF": 0x100, ".rodata": 0x2000})


SYMBOLS = """ffffffff81000000 0000000000000120 T ftrace_set_0
ffffffff81000120 0000000000000120 T ftrace_set_15
ffffffff81000240 000000000000007b T ftrace_set_call
ffffffff81000300 0000000000000010 T __pfx_ftrace_set_0
ffffffff82000000 0000000000000400 D ftrace_sets
ffffffff82000400 0000000000000008 r ftrace_sets
                 U ftrace_set_1
ffffffff82000500 T ftrace_set_2
"""


def test_bench_symbols():
    """bench: symbols' sizes, of those that have one and are of the kinds"""
    equal(kernel_builds.symbols_size(SYMBOLS, "TD", r"ftrace_set_\d+$|ftrace_sets$"), 0x640)
    equal(kernel_builds.symbols_size(SYMBOLS, "r", "other"), 0)


def test_bench_configurations():
    """bench: what two configurations differ in; off and absent are the same"""
    equal(kernel_builds.config_difference({"CONFIG_A": "y", "CONFIG_B": "1"},
                                        {"CONFIG_B": "2", "CONFIG_C": "m"}),
          ["CONFIG_A: y and n", "CONFIG_B: 1 and 2", "CONFIG_C: n and m"])


# A call of the target with one instruction more than the shortest, an
# instruction that an interrupt put off, and a stay that does not call it
LOG = """Trace 0: 0x7f [00000000/0000000000401000/00/00]
Trace 0: 0x7f [00000000/ffffffff81000000/00/00] entry
Trace 0: 0x7f [00000000/ffffffff81000010/00/00] do_getpgid
Trace 0: 0x7f [00000000/ffffffff81000011/00/00] do_getpgid
Trace 0: 0x7f [00000000/0000000000401000/00/00]
Trace 0: 0x7f [00000000/ffffffff81000000/00/00] entry
Stopped execution of TB chain before 0x7f [ffffffff81000000] entry
Trace 0: 0x7f [00000000/ffffffff81000000/00/00] entry
Trace 0: 0x7f [00000000/ffffffffc0000000/00/00]
Trace 0: 0x7f [00000000/ffffffff81000010/00/00] do_getpgid
Trace 0: 0x7f [00000000/0000000000401000/00/00]
Trace 0: 0x7f [00000000/ffffffff81000000/00/00] entry
Trace 0: 0x7f [00000000/0000000000401000/00/00]
"""


class FakeSymbols(symbol_profile.Symbols):
    """Of the log above."""

    def __init__(self):  # pylint: disable=super-init-not-called
        self.addresses = [0xffffffff81000000, 0xffffffff81000010]
        self.names = ["entry", "do_getpgid"]
        self.end = 0xffffffff82000000


def test_bench_difference():
    """bench: what a call takes more, the most first, and less last"""
    more = symbol_profile.difference(collections.Counter(a=5, b=9, c=4, d=1),
                                  collections.Counter(b=8, c=4, e=2))
    equal(list(more.items()), [("a", 5), ("b", 1), ("d", 1), ("e", -2)])


def test_bench_one_call():
    """bench: the shortest stay in the kernel that calls the target, by symbol"""
    with tempfile.TemporaryDirectory() as top:
        write(top + "/log", LOG)
        equal(dict(symbol_profile.one_call(top + "/log", FakeSymbols(), symbol_profile.TARGET)),
              {"entry": 1, "do_getpgid": 2})
        long = "Trace 0: 0x7f [00000000/ffffffff81000011/00/00] do_getpgid\n"
        write(top + "/log", LOG.replace(long, long * 2))
        equal(dict(symbol_profile.one_call(top + "/log", FakeSymbols(), symbol_profile.TARGET)),
              {"entry": 1, "[trampoline]": 1, "do_getpgid": 1})
        write(top + "/log", LOG.replace("ffffffff81000010", "ffffffff81000001")
              .replace("ffffffff81000011", "ffffffff81000001"))
        contains(refuses(symbol_profile.one_call, top + "/log", FakeSymbols(),
                         symbol_profile.TARGET), "has no call")


def test_bench_mitigations():
    """bench: other mitigations are shown only if they make a difference"""
    given = results()
    given["mitigations"] = {"mitigations=off": {name: given["measured"][name]
                                                for name in given["columns"]},
                            "retbleed=x": {"base": given["measured"]["ours"],
                                           "ours": given["measured"]["base"]}}
    text = result_table.text(given)
    contains(text, "booted with mitigations=off: no difference",
             "booted with retbleed=x\n  function                                        250.0")


def test_bench_program():
    """bench: the guest's program compiles without a warning, and is static"""
    with tempfile.TemporaryDirectory() as top:
        counting_machine.compile_init(top + "/init")
        result = subprocess.run(["ldd", top + "/init"], capture_output=True, text=True,
                                check=False)
        contains(result.stdout + result.stderr, "not a dynamic executable")
