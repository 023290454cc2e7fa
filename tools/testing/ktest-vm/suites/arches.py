# SPDX-License-Identifier: GPL-2.0
"""Check that our changes compile where we do not run them: for other architectures,
with clang, and for PREEMPT_RT.

All of kernel/trace is compiled, and the architecture's own part of ftrace, if it has
one. The kernels are small: they are configured by configs/compiled/all.config and the
fragment of the target's name.

clang compiles for the other architectures. Debian's gcc for another machine cannot be
installed beside gcc-multilib, which compiles for x86-32.
"""

from suites import compiled
from suites.compiled import GCC, LLVM, X86, Target

TARGETS = {
    "arm": Target("arm", LLVM, "arch/arm/kernel/ftrace.o"),
    "arm64": Target("arm64", LLVM, "arch/arm64/kernel/ftrace.o"),
    "mips": Target("mips", LLVM, "arch/mips/kernel/ftrace.o"),
    "powerpc": Target("powerpc", LLVM, "arch/powerpc/kernel/trace/"),
    "riscv": Target("riscv", LLVM, "arch/riscv/kernel/ftrace.o"),
    "clang": Target("x86_64", LLVM, X86),
    "rt": Target("x86_64", GCC, X86),
    "um": Target("um", GCC, ""),
}


def tests():
    return compiled.tests(TARGETS)
