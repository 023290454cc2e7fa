# SPDX-License-Identifier: GPL-2.0
"""Tests of how functions are found whose negative results are no errnos."""

from suites import errnos
from harness import equal


def kinds(**reports):
    """{name: what the functions of that name return}, where reports are objects' lines.

    Results have a sign unless a line says "unsigned".
    """
    functions = errnos.Functions()
    for obj, report in reports.items():
        lines = [line.split() for line in report]
        functions.add(obj, "".join("\t".join(words if "unsigned" in words else
                                             [*words[:2], "signed", *words[2:]]) + "\n"
                                   for words in lines))
    functions.settle()
    return functions.by_name()


def test_errnos_sources():
    """errnos: each source is taken for what it is, by the number or by the name"""
    for wanted, sources in {
            errnos.ERRNO: ["const:-2", "const:-4095", "pointer", "field:err", "field:s_error",
                           "param:ret", "param:retval", "field:result2"],
            errnos.NUMBER: ["const:-4096", "op", "field:prio", "param:x", "field:terror"],
            errnos.ONE: ["const:-1"],
            errnos.UNKNOWN: ["local:err", "minus", "indirect", "asm", "field:", "field:ax"]}.items():
        for source in sources:
            equal((source, errnos.kind_of(source)), (source, wanted))


def test_errnos_calls():
    """errnos: a function returns what those return that it calls, in circles, too"""
    found = kinds(a=["f global call:g", "g global call:h op", "h global call:f const:-1",
                     "i global call:far", "e global const:-22 call:f", "never global"],
                  b=["far global field:nr"])
    for name in "fgh":
        equal(found[name], {errnos.NUMBER, errnos.ONE})
    equal(found["i"], {errnos.NUMBER})
    equal(found["e"], {errnos.ERRNO, errnos.NUMBER, errnos.ONE})
    equal(found["never"], set())


def test_errnos_unknown_function():
    """errnos: what a function of assembly returns is not known"""
    equal(kinds(a=["f global call:memcmp op"])["f"], {errnos.NUMBER, errnos.UNKNOWN})


def test_errnos_signs():
    """errnos: an unsigned result is followed, but no matter by itself"""
    found = kinds(a=["f global call:u", "u global unsigned op", "e global call:w",
                     "w global unsigned const:-12"])
    equal(dict(found), {"f": {errnos.NUMBER}, "e": {errnos.ERRNO}})


def test_errnos_lengths():
    """errnos: the length of a text is never negative"""
    equal(kinds(a=["f global call:sysfs_emit", "sysfs_emit global op"])["f"], set())


def test_errnos_static():
    """errnos: an object's own function comes before a global one of its name"""
    found = kinds(a=["g static op", "f global call:g"], b=["g global const:-5", "k global call:g"])
    equal((found["f"], found["k"]), ({errnos.NUMBER}, {errnos.ERRNO}))
    equal(found["g"], {errnos.NUMBER, errnos.ERRNO})


def test_errnos_same_name():
    """errnos: of global functions of one name, any may be the one that is called"""
    found = kinds(boot=["g global op"], a=["f global call:g"], b=["g global const:-5"])
    equal(found["f"], {errnos.NUMBER, errnos.ERRNO})


def test_errnos_compared():
    """errnos: a number that is not in the list is told, and what is there and no number"""
    found = {"one": {errnos.ONE}, "number": {errnos.NUMBER}, "listed": {errnos.NUMBER},
             "both": {errnos.NUMBER, errnos.ERRNO}, "never": set(), "inlined": {errnos.NUMBER},
             "unclear": {errnos.NUMBER, errnos.UNKNOWN}}
    traced = found.keys() - {"inlined"} | {"elsewhere"}
    equal(errnos.compare(found, traced, {"listed", "gone"}),
          ["number returns numbers, and is not among the no_errnos"])
    equal(errnos.compare(found, traced, {"one", "number", "listed", "both", "never"}),
          ["both is among the no_errnos, and can return: errno, number",
           "never is among the no_errnos, and can return: nothing negative",
           "one is among the no_errnos, and can return: -1"])
    equal(errnos.compare(found, traced, {"listed"}, {"num*"}), [])
    equal(errnos.compare(found, traced, {"listed", "number"}, {"num*"}),
          ["number is among the no_errnos and the errnos"])
