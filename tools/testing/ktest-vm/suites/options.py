# SPDX-License-Identifier: GPL-2.0
"""Check that our changes compile with other options than those that we run.

  least, least-32    signatures, and next to nothing that they can do without
  plain, plain-32    no signatures, and a graph without results
  debian             what a distribution chooses: the variant "debian", of which
                     kernel/trace, arch/x86/kernel and some modules are compiled

Random options: the suite "randconfig".
"""

import os
import subprocess

import vm
from suites import compiled
from suites.compiled import GCC, X86, Target

TARGETS = {
    "least": Target("x86_64", GCC, X86),
    "least-32": Target("i386", GCC, X86),
    "plain": Target("x86_64", GCC, X86),
    "plain-32": Target("i386", GCC, X86),
}
DEBIAN = "debian"
DEBIAN_PARTS = ("kernel/trace/", "arch/x86/kernel/")
# Debian has these as modules
DEBIAN_MODULES = ("fs/isofs/", "fs/overlayfs/", "net/vmw_vsock/", "drivers/net/virtio_net.o")


def build(*arguments):
    """The output of build.sh for the variant, in lines, and its status."""
    result = subprocess.run([os.path.join(vm.HERE, "kernel/build.sh"), *arguments], check=False,
                            env=dict(os.environ, ARCH="x86_64", VARIANT=DEBIAN), text=True,
                            errors="replace", stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                            stderr=subprocess.STDOUT)
    return result.stdout.splitlines(), result.returncode


def check_debian():
    return compiled.complaints(*build("config")) or \
        compiled.complaints(*build("make", "-s", "-k", compiled.jobs(), *DEBIAN_PARTS,
                                   *DEBIAN_MODULES))


def tests():
    return {**compiled.tests(TARGETS), DEBIAN: check_debian}
