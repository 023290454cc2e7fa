# SPDX-License-Identifier: GPL-2.0
"""--explain: why values are unknown."""

from harness import NO_FLOAT, X86_64, both, check, equal

EXPLAINED = """
typedef float v4 __attribute__((vector_size(16)));
int ext(long, long, long);
struct s { int a, b; long c; };
float real(int a, float f) { ext(a, 0, 0); return f; }
struct three { char c[3]; };
void alone(struct three t) { ext(0, 0, 0); }
struct big { long w[20]; };
int far(struct big b, struct big c, int last) { return ext(b.w[0], c.w[0], last); }
static __attribute__((noinline)) int isra(struct s *p, int z)
{
	ext(z, 0, 0);
	return p->c + ext(p->a, 1, 0);
}
int caller(struct s *p, int x)
{
	isra(p, x);
	isra(p, x + 3);
	return 0;
}
"""


@both
def explained(work):
    """--explain says of each unknown value why it is, and of nothing else."""
    base = [flag for flag in work.machine.kernel_flags if flag not in NO_FLOAT]
    obj = work.compile(EXPLAINED, flags=["-O2", "-g"], base=base)
    unknown = {(line.symbol, name) for line in work.printed(obj)
               for name, place in line.params + [("return", line.ret)] if place == "?"}
    for safe in (work.tool, work.safe_tool):
        lines = [line.split("\t") for line in
                 work.rmc("--explain", obj, tool=safe).stdout.splitlines()]
        reasons = {(symbol, name): why for _, symbol, name, why in lines}
        equal(set(reasons), unknown, "values that are explained")
        equal(len(lines), len(reasons), "lines")
    if work.machine is X86_64:
        check("registers that are not recorded" in reasons[("real", "f")], reasons)
    else:
        check("asmlinkage" in reasons[("alone", "t")], reasons)
    check("registers that are not recorded" in reasons[("real", "return")], reasons)
    check("beyond the stack words" in reasons[("far", "c")], reasons)
    check(".isra" in reasons[("isra.isra.0", "return")], reasons)
    # the reasons are in the object then, and in what is linked of it
    work.rmc("--strip-debug", obj)
    equal(work.rmc("--explain", obj).stdout.count("\n"), len(unknown), "lines without DWARF")
