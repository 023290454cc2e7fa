# SPDX-License-Identifier: GPL-2.0
"""Tests of how fragments make a configuration, and how it is verified."""

import os
import subprocess
import tempfile

from harness import VM, contains, equal, write

FRAGMENTS = {
    "x86_64": "# a comment\nCONFIG_A=y\nCONFIG_B=12\n",
    "signatures": "CONFIG_OURS=y\n",
    "over": "CONFIG_B=7\n# CONFIG_A is not set\nCONFIG_C=\"x y\"\n",
    "plain": "# base: ARCH\n# CONFIG_OURS is not set\n",
    "i386": "# base: x86_64\n# CONFIG_A is not set\nCONFIG_D=32\n",
}


def shell(top, command, **env):
    env = {**os.environ, "KTEST_CONFIGS": top, "VARIANT": "", "CONFIGS": "", "ARCH": "", **env}
    return subprocess.run(["bash", "-c", f"set -euo pipefail; . {VM}/lib.sh; "
                           f". {VM}/kernel/config.sh; {command}"], text=True, check=False, cwd=top,
                          env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)


def with_fragments(function):
    def test():
        with tempfile.TemporaryDirectory() as top:
            for name, text in FRAGMENTS.items():
                write(f"{top}/{name}.config", text)
            function(top)
    test.__doc__ = function.__doc__
    return test


def wanted(top, variant, arch="", without=""):
    result = shell(top, 'find_fragments; wanted_config "${FRAGMENTS[@]}"', VARIANT=variant,
                   ARCH=arch, WITHOUT=without)
    equal(result.returncode, 0)
    return result.stdout.splitlines()


@with_fragments
def test_config_variants(top):
    """config: a variant is laid over the reference, or over what it names"""
    equal(wanted(top, ""), ["CONFIG_A=y", "CONFIG_B=12", "CONFIG_OURS=y"])
    equal(wanted(top, "over"),
          ["# CONFIG_A is not set", "CONFIG_B=7", "CONFIG_OURS=y", 'CONFIG_C="x y"'])
    equal(wanted(top, "plain"), ["CONFIG_A=y", "CONFIG_B=12", "# CONFIG_OURS is not set"])


@with_fragments
def test_config_without(top):
    """config: for the unmodified base, a variant starts from what it does but for ours"""
    for variant, base in (("over", "x86_64"), ("deeper", "other")):
        write(f"{top}/other.config", "# base: ARCH signatures\nCONFIG_E=y\n")
        write(f"{top}/deeper.config", "# base: other\nCONFIG_A=m\n")
        whole = wanted(top, variant)
        equal("CONFIG_OURS=y" in whole, True)
        equal(wanted(top, variant, without="signatures"),
              [line for line in whole if line != "CONFIG_OURS=y"])
        equal(wanted(top, variant, without=base) == whole, False)
    equal(wanted(top, "", without="signatures"), ["CONFIG_A=y", "CONFIG_B=12"])


@with_fragments
def test_config_architectures(top):
    """config: the other architecture is what is different, on top of the first"""
    equal(wanted(top, "", "x86_64"), wanted(top, ""))
    thirty_two = ["# CONFIG_A is not set", "CONFIG_B=12", "CONFIG_D=32"]
    equal(wanted(top, "", "i386"), thirty_two + ["CONFIG_OURS=y"])
    equal(wanted(top, "plain", "i386"), thirty_two + ["# CONFIG_OURS is not set"])
    result = shell(top, "find_fragments", ARCH="arm")
    equal((result.returncode, result.stdout.split("error: ")[1]),
          (1, "ARCH=arm: there are x86_64 i386\n"))


@with_fragments
def test_config_small(top):
    """config: a variant may start from the architecture's small kernel, itself no variant"""
    write(f"{top}/small-x86_64.config", "CONFIG_S=y\n")
    write(f"{top}/small-i386.config", "# base: small-x86_64\n# CONFIG_A is not set\n")
    write(f"{top}/checked.config", "# base: small-ARCH signatures\nCONFIG_C=y\n")
    equal(wanted(top, "checked"), ["CONFIG_S=y", "CONFIG_OURS=y", "CONFIG_C=y"])
    equal(wanted(top, "checked", "i386"),
          ["CONFIG_S=y", "# CONFIG_A is not set", "CONFIG_OURS=y", "CONFIG_C=y"])
    contains(shell(top, "find_fragments", VARIANT="small-x86_64").stdout,
             "there are checked over plain\n")


@with_fragments
def test_config_variant_of_architecture(top):
    """config: a variant may have a fragment for each architecture, itself no variant"""
    write(f"{top}/both.config", "# base: ARCH both-ARCH\nCONFIG_C=y\n")
    write(f"{top}/both-x86_64.config", "CONFIG_S=64\n")
    write(f"{top}/both-i386.config", "CONFIG_S=32\n")
    equal(wanted(top, "both"), ["CONFIG_A=y", "CONFIG_B=12", "CONFIG_S=64", "CONFIG_C=y"])
    equal(wanted(top, "both", "i386"),
          ["# CONFIG_A is not set", "CONFIG_B=12", "CONFIG_D=32", "CONFIG_S=32", "CONFIG_C=y"])
    contains(shell(top, "find_fragments", VARIANT="both-i386").stdout,
             "there are both over plain\n")


@with_fragments
def test_config_variant_of_one_architecture(top):
    """config: a variant may have nothing of its own on an architecture, but on one at least"""
    write(f"{top}/one.config", "# base: ARCH one-ARCH\nCONFIG_C=y\n")
    result = shell(top, "find_fragments", VARIANT="one")
    equal((result.returncode, result.stdout.split("error: ")[1]),
          (1, f"there is no fragment {top}/one-x86_64.config\n"))
    write(f"{top}/one-i386.config", "CONFIG_S=32\n")
    equal(wanted(top, "one"), ["CONFIG_A=y", "CONFIG_B=12", "CONFIG_C=y"])
    equal(wanted(top, "one", "i386"),
          ["# CONFIG_A is not set", "CONFIG_B=12", "CONFIG_D=32", "CONFIG_S=32", "CONFIG_C=y"])


@with_fragments
def test_config_base_is_chosen(top):
    """config: the unmodified base is built with the variant, but not with ours"""
    for arch, files in (("x86_64", "x86_64.config"), ("i386", "x86_64.config i386.config")):
        result = shell(top, "find_fragments; echo ${FRAGMENTS[@]##*/}", VARIANT="over",
                       CONFIGS="ARCH", ARCH=arch)
        equal(result.stdout, files + " over.config\n")


@with_fragments
def test_config_directories(top):
    """config: each kernel has directories of its own, the same for shell and Python"""
    for arch, variant, out, guest in (("", "", "out-x86_64", ""),
                                      ("", "v", "out-x86_64-v", "/variants/v"),
                                      ("i386", "", "out-i386", "/variants/i386"),
                                      ("i386", "v", "out-i386-v", "/variants/i386-v")):
        told = shell(top, "echo $OUT $GUEST; PYTHONPATH=$KVM_DIR python3 -c "
                     "'import vm; print(vm.OUT, vm.GUEST)'", ARCH=arch, VARIANT=variant,
                     KTEST_BUILD="/b")
        equal(told.stdout, f"/b/linux/{out} /b{guest}\n" * 2)


@with_fragments
def test_config_unknown(top):
    """config: a variant that does not exist is refused, and those there are named"""
    for variant in ("nope", "x86_64", "over plain"):
        result = shell(top, "find_fragments", VARIANT=variant)
        equal(result.returncode, 1)
        contains(result.stdout, f"VARIANT={variant}: there are over plain")


@with_fragments
def test_config_bad_line(top):
    """config: a line that is neither a value nor a comment is refused"""
    write(f"{top}/over.config", "CONFIG_A=y\nCONFIG_B\n")
    result = shell(top, "wanted_config over.config")
    equal(result.returncode, 1)
    contains(result.stdout, "over.config:2:")
    equal("CONFIG_A" in result.stdout, False)


def verify(top, got):
    write(f"{top}/wanted", '# CONFIG_A is not set\nCONFIG_B=7\nCONFIG_C="x y"\n')
    write(f"{top}/got", got)
    result = shell(top, "verify_config wanted got")
    return result.returncode, result.stdout


@with_fragments
def test_config_verified(top):
    """config: each last value must have come out, and what is off must be off"""
    rest = 'CONFIG_B=7\nCONFIG_C="x y"\n'
    equal(verify(top, "# CONFIG_A is not set\n" + rest), (0, ""))
    # A symbol whose dependencies are off is not mentioned at all
    equal(verify(top, "CONFIG_AB=y\n" + rest), (0, ""))
    for got, text in ((f"CONFIG_A=m\n{rest}", '"# CONFIG_A is not set", but got "CONFIG_A=m"'),
                      ("CONFIG_B=77\n" + rest[11:], '"CONFIG_B=7", but got "CONFIG_B=77"'),
                      ("CONFIG_B=7\n", 'but got "no CONFIG_C"')):
        status, said = verify(top, got)
        equal(status, 1)
        contains(said, text)


@with_fragments
def test_config_under(top):
    """config: a variant may be laid over a whole configuration, packed or not"""
    write(f"{top}/whole", "CONFIG_B=1\n# CONFIG_OURS is not set\nCONFIG_W=m\n")
    subprocess.run(["xz", "-k", f"{top}/whole"], check=True)
    for name in ("whole", "whole.xz"):
        write(f"{top}/over-it.config", f"# under: {top}/{name}\n# base: signatures\nCONFIG_C=y\n")
        result = shell(top, 'find_fragments; read_under "$(under "${FRAGMENTS[@]}")" >under; '
                       'wanted_config under "${FRAGMENTS[@]}"', VARIANT="over-it")
        equal(result.stdout.splitlines(),
              ["CONFIG_B=1", "CONFIG_OURS=y", "CONFIG_W=m", "CONFIG_C=y"])
    equal(shell(top, 'find_fragments; under "${FRAGMENTS[@]}"', VARIANT="over").stdout, "")
    result = shell(top, "read_under /no/such.xz")
    equal(result.returncode, 1)
    contains(result.stdout, "there is no /no/such.xz")
