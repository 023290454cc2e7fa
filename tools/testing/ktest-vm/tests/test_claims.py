# SPDX-License-Identifier: GPL-2.0
"""Tests of how objects are compiled again for the compiler's word, and what is made of it."""

import os
import subprocess
import tempfile
from unittest import mock

from suites import claims
from suites.claims import Object, Outcome
from harness import contains, equal, read, write

TRACED = "savedcmd_fs/open.o := ccache gcc -Wp,-MMD,fs/.open.o.d -pg -mfentry -O2 -Werror=undef " \
    "-DNAME='\"open\"' -DSIGN=$(pound)$$ -g -c -o fs/open.o ../fs/open.c  ; objtool fs/open.o\n"


def command_of(text, traced=True):
    with tempfile.TemporaryDirectory() as top:
        write(top + "/.a.o.cmd", text)
        return claims.read_command(top + "/.a.o.cmd", traced)


def test_claims_command():
    """claims: the command of a traced object is found, of another one not"""
    obj = command_of(TRACED)
    equal(obj.name, "fs/open.o")
    equal(obj.command[:2] + obj.command[-1:], ["ccache", "gcc", "../fs/open.c"])
    equal([word for word in obj.command if word.startswith("-D")],
          ['-DNAME="open"', "-DSIGN=#$"])
    for text in (TRACED.replace("-pg ", ""), TRACED.replace("open.c", "open.S"),
                 "savedcmd_fs/built-in.a := ar cDPrST fs/built-in.a\n", ""):
        equal(command_of(text), None)
    equal(command_of(TRACED.replace("-pg ", ""), traced=False).name, "fs/open.o")
    equal(command_of(TRACED.replace("open.c", "open.S"), traced=False), None)


def test_claims_compiled_again():
    """claims: elsewhere, with the plugin and another level, and else as it was"""
    words = claims.command(command_of(TRACED), "O3", "/p.so", "/tmp/open.o")
    equal(" ".join(words), "ccache gcc -pg -mfentry -O3 -DNAME=\"open\" -DSIGN=#$ -g -c "
          "-o /tmp/open.o ../fs/open.c -fplugin=/p.so -w")


def compared(found, compiled=0, built="same", again="same"):
    """What comes of comparing, where programs are played."""
    said = {"/tool": {"/out/a.o": built, "/top/O2/a.o": again}, "python": found}

    def output(*words):
        if words[0] == "/tool":
            return said["/tool"][words[2]]
        if not said["python"]:
            raise subprocess.CalledProcessError(1, words, stderr="it is no object\n")
        return said["python"]

    with mock.patch.multiple(claims, TOP="/top", compile_again=lambda *_: "no" * compiled), \
            mock.patch.multiple(claims.binaries, OUT="/out", TOOL="/tool", output=output):
        return claims.compare(Object("a.o", []), "O2", "/p.so")


def test_claims_compared():
    """claims: what differs is told, and an object that could not be compared"""
    found = '{"wrong": ["f: a@rdi"], "unknown": ["g\\ta"], "counts": {"place": 3}}'
    equal(compared(found), Outcome("a.o", ["f: a@rdi"], ["g\ta"], {"place": 3}))
    equal(compared(found, compiled=1).wrong, ["no"])
    equal(compared("").wrong, ["it is no object"])
    contains(compared(found, again="other").wrong[-1], "other signatures")


def judged(*outcomes):
    with tempfile.TemporaryDirectory() as top, \
            mock.patch.object(claims, "report_path", lambda level: os.path.join(top, level)):
        wrong = claims.judge(outcomes, "O2")
        return wrong, read(os.path.join(top, "O2"))


def test_claims_judged():
    """claims: each difference fails, each unknown value is listed, nothing is no success"""
    wrong, report = judged(Outcome("a.o", [], ["f\ta"], {"place": 3, "?": 1}),
                           Outcome("b.o", ["g: a@rdi"], [], {"place": 1}))
    equal(wrong, ["b.o: g: a@rdi"])
    contains(report, "       4 place\n")
    contains(report, "a.o\tf\ta\n")
    contains(report, "b.o: g: a@rdi\n")
    equal(judged(Outcome("a.o", [], [], {"place": 3}))[0], [])
    equal(judged()[0], ["no place was compared"])


def test_claims_chosen():
    """claims: OBJECTS chooses by pattern, and the sample has what it names"""
    found = [Object(name, []) for name in ("fs/exec.o", "fs/open.o", "net/ipv4/igmp.o")] + \
        [Object(f"lib/{number}.o", []) for number in range(2 * claims.STRIDE)]
    with mock.patch.object(claims, "objects", lambda: found):
        with mock.patch.dict(os.environ, OBJECTS="fs/* */igmp.o"):
            equal([obj.name for obj in claims.chosen_objects()],
                  ["fs/exec.o", "fs/open.o", "net/ipv4/igmp.o"])
        with mock.patch.dict(os.environ, OBJECTS=""):
            equal(claims.chosen_objects(), found)
        names = [obj.name for obj in claims.sample()]
    equal(("net/ipv4/igmp.o" in names, "fs/open.o" in names, len(names)), (True, False, 4))
