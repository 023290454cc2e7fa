# SPDX-License-Identifier: GPL-2.0
"""Tests of the generator of the tables of named constants: from headers and a file of
families of the test's own, and for the values of the real ones, from libc's headers."""

import os
import re
import subprocess
import tempfile

from harness import VM, contains, equal, read, write
from suites import constants

SOURCES = os.path.join(VM, "../../../kernel/trace/signature/constants")

HEADER = """
#define F_NONE 0
#define F_ONE 1
#define F_TWO (1 << 1)
#define F_BOTH (F_ONE | F_TWO)
#define F_TOP (1 << 31)
#define F_MASK 0xff
#define F_ALIAS F_ONE
#define F_CALL(x) (x)
#define F_TEXT "text"
#define F_CODE do { } while (0)
#define F_BROKEN (1 +
#define F_UNKNOWN nothing_of_that_name
#define F_VARIABLE variable
#define V_MINUS (-100)
#define V_WIDE 0x123456789aULL
extern int variable;
typedef unsigned short small_t;
enum fruit { E_APPLE, E_PEAR = 7, E_PLUM, E_SIZE = sizeof(long), };
static inline enum fruit pick(int which) { enum { E_LOCAL = 3 }; return which; }
"""

FAMILIES = """
# A comment
family flags flags F_NONE F_BOTH
	F_* -F_ALIAS	# continued
family fruit values E_*
family numbers values V_MINUS V_WIDE
family field flags 0x3:F_BOTH,F_ONE F_TOP
typedef flags small_t absent_t
param flags flags,mode open_it close_*
result errno get_*
family errno errno
family number number
result number get_order
member fruit basket first second
"""


def run(*command, check=True):
    # The generator frees nothing, because it ends soon
    env = {**os.environ, "ASAN_OPTIONS": "detect_leaks=0"}
    return subprocess.run(command, text=True, check=check, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, env=env)


def generator(top):
    """Returns the path of the program, compiled as for the build"""
    path = os.path.join(top, "generate")
    sources = [os.path.join(SOURCES, name + ".c")
               for name in ("generate", "families", "candidates", "tables")]
    run("gcc", "-Wall", "-Wextra", "-Werror", "-O1", "-fsanitize=address,undefined",
        "-fno-sanitize-recover=all", "-D_GNU_SOURCE", "-o", path, *sources)
    return path


class Constants:
    """The steps of the build, on files in a directory of its own"""

    def __init__(self, top, header, families, *flags):
        self.top, self.flags = top, flags
        self.families = os.path.join(top, "families")
        self.header = os.path.join(top, "headers.h")
        write(self.header, header)
        write(self.families, families)
        self.generate = generator(top)

    def candidates(self):
        names = os.path.join(self.top, "headers.names")
        run("gcc", *self.flags, "-E", "-dD", "-P", "-x", "c", "-o", names, self.header)
        return run(self.generate, "candidates", self.families, names).stdout.splitlines()

    def values(self):
        """{expression: value}"""
        listed = os.path.join(self.top, "candidates")
        write(listed, "".join(name + "\n" for name in self.candidates()))
        done = run("sh", os.path.join(SOURCES, "values.sh"), self.header, listed, "gcc",
                   *self.flags)
        write(os.path.join(self.top, "values"), done.stdout)
        lines = [line.rsplit(" ", 2) for line in done.stdout.splitlines()]
        return {name: int(high) << 32 | int(low) & 0xffffffff for name, high, low in lines}

    def tables(self):
        self.values()
        done = run(self.generate, "tables", self.families, os.path.join(self.top, "values"),
                   check=False)
        equal(done.stderr, "")
        return done


def with_constants(header=HEADER, families=FAMILIES):
    def decorate(function):
        def test():
            for flags in ([], ["-m32"]):
                with tempfile.TemporaryDirectory() as top:
                    function(Constants(top, header, families, *flags))
        test.__doc__ = function.__doc__
        return test
    return decorate


@with_constants()
def test_constants_values(made):
    """constants: the compiler tells the values; what is no integer constant is dropped"""
    found = made.values()
    long = 4 if made.flags else 8
    equal(found, {
        "sizeof(small_t)": 2, "F_NONE": 0, "F_ONE": 1, "F_TWO": 2, "F_BOTH": 3,
        "F_TOP": -(1 << 31), "F_MASK": 255, "F_ALIAS": 1, "V_MINUS": -100,
        "V_WIDE": 0x123456789a, "E_APPLE": 0, "E_PEAR": 7, "E_PLUM": 8, "E_SIZE": long})


def blocks(tables):
    """{family: [(name or number of a field, value)]} of the tables in C"""
    strings = re.findall(r'^\t"(.*)\\0"', tables, re.MULTILINE)
    offsets, place = {}, 0
    for text in strings:
        offsets[place] = text
        place += len(text) + 1
    found, words = {}, None
    for line in tables.splitlines():
        if re.fullmatch(r"\t/\* \w+ \*/", line):
            words = found.setdefault(line.split()[1], [])
        elif re.match(r"\t0x", line) and words is not None:
            name, low, *high = (int(word, 16) for word in re.findall(r"0x(\w+)", line))
            value = low | (high[0] << 32 if high else 0)
            words.append((name & 0x7fffffff if name >> 31 else offsets[name], value))
    return found


@with_constants()
def test_constants_tables(made):
    """constants: patterns take single bits, spelled names all; fields and order are kept"""
    found = blocks(made.tables().stdout)
    equal(found["flags"], [("F_NONE", 0), ("F_BOTH", 3), ("F_ONE", 1), ("F_TWO", 2),
                           ("F_TOP", 1 << 31)])
    equal(found["field"], [(2, 3), ("F_BOTH", 3), ("F_ONE", 1), ("F_TOP", 1 << 31)])
    # E_PLUM and the size of a long are the same number on 64 bits
    plums = [("E_SIZE", 4)] if made.flags else []
    equal(found["fruit"], [("E_APPLE", 0), *plums, ("E_PEAR", 7), ("E_PLUM", 8)])
    # Both signs and more than 32 bits: wide numbers, which ascend without sign
    equal(found["numbers"], [("V_WIDE", 0x123456789a), ("V_MINUS", (1 << 64) - 100)])


@with_constants()
def test_constants_compile(made):
    """constants: the tables compile, with the rules in order"""
    source = os.path.join(made.top, "data.c")
    write(source, made.tables().stdout)
    run("gcc", "-Wall", "-Wextra", "-Werror", *made.flags, "-I", SOURCES, "-c", source,
        "-o", source + ".o")
    rules = re.findall(r"\t\{ \d+, \d+, \d+, (\d+) \},\t/\* (\S+) (\S*) \*/", read(source))
    equal(rules, [("2", "small_t", ""), ("0", "flags", "open_it"), ("0", "mode", "open_it"),
                  ("0", "return", "get_order"), ("7", "flags", "close_"),
                  ("7", "mode", "close_"), ("5", "return", "get_"), ("0", "first", "basket"), ("0", "second", "basket")])


REFUSED = {
    "family a": "needs a name and a kind",
    "family a strange A_*": "unknown kind strange",
    "family a flags\nfamily a flags": "second family a",
    "param none flags f": "no family none",
    "strange a b c": "unknown or incomplete rule strange",
    "param a flags": "unknown or incomplete rule param",
    "family a flags\nparam a x f\nparam a x f": "second rule for x f",
    "family a flags\nparam a x *f": "must be the last",
    "family a values 3:F_ONE": "only flags have fields",
    "family a flags 0x2:F_ONE": "F_ONE has bits outside of 0x2",
    "\tcontinued": "continues nothing",
}


def test_constants_refused():
    """constants: mistakes in the families stop the build, and are told with their line"""
    with tempfile.TemporaryDirectory() as top:
        made = Constants(top, HEADER, FAMILIES)
        made.values()
        write(os.path.join(top, "values"), "F_ONE 0 1\n")
        for text, why in REFUSED.items():
            write(made.families, text + "\n")
            done = run(made.generate, "tables", made.families, os.path.join(top, "values"),
                       check=False)
            equal(done.returncode, 1)
            contains(done.stderr, why, f"families:{text.count(chr(10)) + 1}: ")


def test_constants_broken_header():
    """constants: a header that does not compile stops the build, with the compiler's words"""
    with tempfile.TemporaryDirectory() as top:
        made = Constants(top, HEADER + "int broken(;\n", FAMILIES)
        try:
            made.values()
        except subprocess.CalledProcessError as error:
            contains(error.stderr, "headers.h", "error: ")
        else:
            raise AssertionError("it was accepted")


def test_constants_empty():
    """constants: the check finds empty families, unknown names and rules for no function"""
    with tempfile.TemporaryDirectory() as top:
        path = os.path.join(top, "families")
        write(path, "family a flags A_*\nfamily b flags 0x3:B_ONE,B_TWO -B_X*\n"
                    "family h hex\nparam a flags do_it do_that\nresult b get_*\n")
        lines = constants.rules(path)
        equal(list(constants.empty(lines, {"B_ONE"})), ["a: empty"])
        equal(list(constants.unknown(lines, {"A_X", "B_ONE"})), ["b: no B_TWO"])
        known = {"do_it": {"flags"}, "do_that": {"mode"}, "get_it": {"flags"}}
        equal(list(constants.drifted(lines, known)),
              ["a: no do_that(flags)", "b: no get_*(return)"])


LIBC = ("fcntl.h", "sys/mman.h", "sys/mount.h", "sys/socket.h", "sys/wait.h", "sys/stat.h",
        "sys/epoll.h", "sys/eventfd.h", "sys/ioctl.h", "sys/resource.h", "sys/prctl.h",
        "sys/random.h", "netinet/in.h", "netinet/tcp.h", "sched.h", "signal.h", "time.h",
        "linux/futex.h", "linux/capability.h", "linux/keyctl.h")

# Where libc says something else than the kernel, by intent, or wants one more header
OTHERWISE = {"O_LARGEFILE", "__O_TMPFILE", "F_GETLK64", "F_SETLK64", "F_SETLKW64", "TCGETS2",
             "TCSETS2", "TCSETSW2", "TCSETSF2", "TIOCGISO7816", "TIOCSISO7816"}


def kernel_values():
    """Of the kernel that was built for x86-64, if any: {name: value}"""
    path = os.path.join(VM, "../../../build/linux/out-x86_64",
                        "kernel/trace/signature/constants/values")
    if not os.path.exists(path):
        return {}
    lines = [line.rsplit(" ", 2) for line in read(path).splitlines()]
    return {name: int(high) << 32 | int(low) & 0xffffffff for name, high, low in lines}


def test_constants_libc():
    """constants: the kernel's values are those that a program of libc's headers prints"""
    ours = {name: value for name, value in kernel_values().items()
            if not name.startswith("sizeof") and name not in OTHERWISE}
    if not ours:
        return
    with tempfile.TemporaryDirectory() as top:
        source = os.path.join(top, "print.c")
        write(source, "#define _GNU_SOURCE\n#include <stdio.h>\n" +
              "".join(f"#include <{name}>\n" for name in LIBC) + "int main(void)\n{\n" +
              "".join(f'#ifdef {name}\nprintf("{name} %lld\\n", (long long)({name}));\n#endif\n'
                      for name in ours) + "}\n")
        run("gcc", "-w", "-o", source + ".bin", source)
        theirs = dict(line.split() for line in run(source + ".bin").stdout.splitlines())
    if len(theirs) < 500:
        raise AssertionError(f"only {len(theirs)} names are known to both")
    equal([(name, ours[name], value) for name, value in theirs.items()
           if ours[name] != int(value)], [])


def test_constants_syscalls():
    """constants: the syscalls that a C file defines, and those of 32-bit programs"""
    text = """
SYSCALL_DEFINE2(one, int, fd, const char __user *, name)
COMPAT_SYSCALL_DEFINE1(two, u32, arg)
SYSCALL32_DEFINE3(three, int, fd,
                  SC_ARG64(mask))
"""
    three = {"return", "fd", "mask_lo", "mask_hi"}
    equal(dict(constants.define(text)), {
        "__do_sys_one": {"return", "fd", "name"}, "__do_compat_sys_two": {"return", "arg"},
        "__do_sys_three": three, "__do_compat_sys_three": three})
