# SPDX-License-Identifier: GPL-2.0
"""Tests of how a kernel is compared with the base's, with objects that gcc makes."""

import os
import subprocess
import tempfile

from suites import identical
from harness import contains, equal, write

SOURCE = """
int counter = 1;
static const short bugs[] __attribute__((used, section("__bug_table"))) = {
	1, 2, 3, 4, LINE, FLAGS, 5, 6, 7, 8, LINE, FLAGS };
int twice(int x) { return 2 * x + NUMBER; }
"""


class Objects:
    """The base's object and ours, which differs by macros or added lines."""

    def __init__(self, top):
        self.top = top
        self.base = self.compile("base")

    def compile(self, name, more="", **macros):
        macros = {"LINE": 10, "FLAGS": 1, "NUMBER": 5, **macros}
        path = os.path.join(self.top, name)
        write(path + ".c", SOURCE + more)
        subprocess.run(["gcc", "-O2", "-Wl,--build-id", "-shared", "-fPIC", "-o", path + ".so",
                        path + ".c", *(f"-D{key}={value}" for key, value in macros.items())],
                       check=True)
        return path + ".so"

    def wrong(self, **change):
        ours = self.compile("ours", **change)
        return identical.compare_sections(ours, self.base), \
            identical.compare_symbols(ours, self.base)


def with_objects(function):
    def test():
        with tempfile.TemporaryDirectory() as top:
            function(Objects(top))
    test.__doc__ = function.__doc__
    return test


@with_objects
def test_identical_same(objects):
    """identical: the same source is the same, and so is a WARN() on another line"""
    equal(objects.wrong(), ([], []))
    equal(objects.wrong(LINE=17), ([], []))


@with_objects
def test_identical_bytes(objects):
    """identical: another constant in the code, or other flags of a WARN(), are found"""
    equal(objects.wrong(NUMBER=6), (["section .text: other bytes, though as many"], []))
    equal(objects.wrong(FLAGS=2), (["section __bug_table: other bytes, though as many"], []))


@with_objects
def test_identical_symbols(objects):
    """identical: another symbol, its size and a section of ours are found"""
    sections, symbols = objects.wrong(more="int ours_alone;\nint more __attribute__((section("
                                      "\"ours\"))) = 3;\n")
    contains(sections, "section ours is in only one of them")
    contains("\n".join(symbols), "this kernel has 0000000000000004 B ours_alone")
    _, symbols = objects.wrong(NUMBER="100000 * x * x")
    contains("\n".join(symbols), "this kernel has", "the base has", "T twice")


@with_objects
def test_identical_lines(objects):
    """identical: names with a line or a counter are the same with others, and no other names"""
    def initcall(module, counter, line):
        return "".join(f"static int {name} __attribute__((used)) = 1;\n" for name in (
            f"__initcall__kmod_{module}__{counter}_{line}_setup6",
            f"__UNIQUE_ID_addressable_setup{counter}"))
    objects.base = objects.compile("base", initcall("trace", 12, 345))
    equal(objects.wrong(more=initcall("trace", 67, 8901)), ([], []))
    _, symbols = objects.wrong(more=initcall("other", 12, 345))
    contains("\n".join(symbols), "__initcall__kmod_other_setup6", "the base has")


@with_objects
def test_identical_compiler_counts(objects):
    """identical: what the compiler numbers may have other numbers, but there are as many"""
    def counter(function, name):
        return f"int {function}(void) {{ static int {name}; return ++{name}; }}\n"
    objects.base = objects.compile("base", counter("next", "here"))
    equal([name for name in identical.symbols(objects.base) if name[-1].startswith("here.")], [])
    equal(objects.wrong(more="int unused(int x);\n" + counter("next", "here"))[1], [])
    contains("\n".join(objects.wrong(more=counter("next", "there"))[1]), "this kernel has", "there")
    _, symbols = objects.wrong(more=counter("next", "here") + counter("after", "here"))
    contains("\n".join(symbols), "here: 2 times instead of 1")


@with_objects
def test_identical_names(objects):
    """identical: the kernel's table of names may differ, what is beside it may not"""
    def table(names, beside):
        return "".join(f"__attribute__((section(\".rodata\"))) const long {name}[2] = {{ {value} }};\n"
                       for name, value in (("kallsyms_names", names), ("linux_beside", beside)))
    objects.base = objects.compile("base", table(1, 2))
    equal(objects.wrong(more=table(7, 2)), ([], []))
    equal(objects.wrong(more=table(1, 7)), (["section .rodata: other bytes, though as many"], []))
