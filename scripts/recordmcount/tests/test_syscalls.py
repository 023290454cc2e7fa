# SPDX-License-Identifier: GPL-2.0
"""Entries of syscalls have the syscall's parameters."""

from harness import X86_32, both, check, equal, test

SOURCE = """
struct pt_regs { unsigned long bx, cx, dx, si, di, bp, r10, r8, r9; };
struct other_regs { unsigned long bx; };
struct timespec { long sec, nsec; };
typedef long off_t;
typedef unsigned short mode_t;
typedef unsigned long size_t;
long sink(long, long, long, long);

/* The syscall, inlined into its entries */
static inline long __do_sys_open(const char *name, int flags, mode_t mode, off_t at)
{
	return sink((long)name, flags, mode, at);
}
long __x64_sys_open(const struct pt_regs *regs)
{
	return __do_sys_open((const char *)regs->di, regs->si, regs->dx, regs->r10);
}
long __ia32_sys_open(const struct pt_regs *regs)
{
	return __do_sys_open((const char *)regs->bx, regs->cx, regs->dx, (int)regs->si);
}
/* Or not inlined */
static __attribute__((noinline)) long __do_compat_sys_sleep(struct timespec *t, unsigned long n)
{
	return sink(t->sec, n, 0, 0) + 1;
}
long __ia32_compat_sys_sleep(const struct pt_regs *regs)
{
	return __do_compat_sys_sleep((struct timespec *)regs->bx, regs->cx) + 1;
}
long __x64_compat_sys_sleep(const struct pt_regs *regs)
{
	return __do_compat_sys_sleep((struct timespec *)regs->di, regs->si) + 2;
}
/* Without parameters all entries are one function */
static long __do_sys_pid(const struct pt_regs *__unused) { return sink(1, 2, 3, 4); }
long __x64_sys_pid(const struct pt_regs *) __attribute__((alias("__do_sys_pid")));
long __ia32_sys_pid(const struct pt_regs *) __attribute__((alias("__do_sys_pid")));
"""

# Not entries, or not known to be
OTHERS = """
/* No syscall of this name */
long __x64_sys_lost(const struct pt_regs *regs) { return sink(regs->di, 0, 0, 0); }
/* Other registers, another result, more parameters, another name */
static inline long __do_sys_a(int a) { return sink(a, 0, 0, 1); }
long __x64_sys_a(const struct other_regs *regs) { return __do_sys_a(regs->bx); }
static inline long __do_sys_b(int b) { return sink(b, 0, 0, 2); }
void __x64_sys_b(const struct pt_regs *regs) { __do_sys_b(regs->di); }
static inline long __do_sys_c(int c) { return sink(c, 0, 0, 3); }
long __x64_sys_c(const struct pt_regs *regs, int more) { return __do_sys_c(regs->di + more); }
static inline long __do_sys_d(int d) { return sink(d, 0, 0, 4); }
long my_x64_sys_d(const struct pt_regs *regs) { return __do_sys_d(regs->di); }
long takes_h(const struct pt_regs *__unused) { return sink(9, 8, 7, 6); }
/* No syscall has these parameters */
static inline long __do_sys_e(struct timespec e) { return sink(e.sec, e.nsec, 0, 5); }
long __x64_sys_e(const struct pt_regs *regs)
{
	return __do_sys_e((struct timespec) { regs->di, regs->si });
}
static inline long __do_sys_f(int a, int b, int c, int d, int e, int f, int g)
{
	return sink(a + b, c + d, e + f, g);
}
long __x64_sys_f(const struct pt_regs *regs)
{
	return __do_sys_f(regs->di, regs->si, regs->dx, regs->r10, regs->r8, regs->r9, 0);
}
static inline long __do_sys_g(int a, ...) { return sink(a, 0, 0, 7); }
long __x64_sys_g(const struct pt_regs *regs) { return __do_sys_g(regs->di); }
"""

WIDE = """
static inline long __do_sys_wide(int fd, long long at) { return sink(fd, at, at >> 32, 6); }
long __ia32_sys_wide(const struct pt_regs *regs) { return __do_sys_wide(regs->bx, regs->cx); }
"""


def params(work, name):
    return work.by_name(work.path("a.o"))[name].params


@both
def syscalls(work):
    """The parameters of a syscall are those of the function with its code."""
    work.compile(SOURCE, flags=["-O2", "-g"])
    at = "syscall+3" if work.machine is X86_32 else "syscall+3:s32"
    regs = ("regs", work.machine.regs[0] + ":pt_regs")
    args = [("name", "syscall+0"), ("flags", "syscall+1"), ("mode", "syscall+2")]
    equal(params(work, "__x64_sys_open"), [regs] + args + [("at", "syscall+3")], "x64")
    equal(params(work, "__ia32_sys_open"), [regs] + args + [("at", at)], "ia32")
    for entry in ("__ia32_compat_sys_sleep", "__x64_compat_sys_sleep"):
        equal(params(work, entry), [regs, ("t", "syscall+0"), ("n", "syscall+1")], entry)
    line = work.by_name(work.path("a.o"))["__ia32_compat_sys_sleep"]
    check("struct timespec *t, unsigned long n)" in line.proto.replace("long unsigned int",
                                                                       "unsigned long"),
          "no types in " + line.text)
    lines = [line for line in work.printed(work.path("a.o")) if "sys_pid" in line.symbol]
    equal([line.params for line in lines], [[("__unused", regs[1])]], "pid")


@both
def no_syscalls(work):
    """What only looks like an entry keeps its own parameters, and only these."""
    work.compile(SOURCE + OTHERS, flags=["-O2", "-g"])
    seen = 0
    for line in work.printed(work.path("a.o")):
        if line.symbol.endswith(tuple("_" + letter for letter in "abcdefgh") + ("lost",)):
            check(all("sys" not in place and "pt_regs" not in place
                      for _, place in line.params), line.text)
            check(line.params[0][0] in ("regs", "__unused", "a"), line.text)
            seen += 1
    check(seen >= 9, "only %d functions" % seen)


@both
def wide_syscall(work):
    """A parameter of two words is in no register."""
    work.compile(SOURCE + WIDE, flags=["-O2", "-g"])
    want = [("regs", work.machine.regs[0])]
    if work.machine is not X86_32:
        want = [("regs", "rdi:pt_regs"), ("fd", "syscall+0"), ("at", "syscall+1")]
    equal(params(work, "__ia32_sys_wide"), want, "wide")


@both
def linked_syscalls(work):
    """The link step and --check take such signatures as any others."""
    obj = work.compile(SOURCE, flags=["-O2", "-g"])
    before = {line.symbol: line.params for line in work.printed(obj)}
    work.rmc(obj)
    equal({line.symbol: line.params for line in work.printed(obj)}, before, "in the table")
