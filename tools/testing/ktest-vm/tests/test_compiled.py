# SPDX-License-Identifier: GPL-2.0
"""Tests of what is only compiled: for other architectures, and with other options."""

import os
import tempfile
from unittest import mock

from suites import arches, compiled, options, randconfig
from harness import equal, write

# What make is played by: a configuration, or what a compiler says
MAKE = """#!/bin/sh
case "$*" in
*allnoconfig*)
	for word; do
		case $word in
		O=*) cp {config} "${word#O=}/.config" ;;
		esac
	done
	echo '{said_of_config}'
	;;
*) echo '{said}' ; exit {status} ;;
esac
"""
WANTED = "\n".join(compiled.NEEDED) + "\nCONFIG_64BIT=y\n"


def check(config=WANTED, said_of_config="", said="", status=0):
    with tempfile.TemporaryDirectory() as top:
        write(top + "/config", config)
        script = MAKE
        for name, value in (("config", top + "/config"), ("said_of_config", said_of_config),
                            ("said", said), ("status", str(status))):
            script = script.replace("{" + name + "}", value)
        write(top + "/make", script)
        os.chmod(top + "/make", 0o755)
        with mock.patch.object(compiled, "TOP", top), \
                mock.patch.object(compiled.docs, "SOURCE", top), \
                mock.patch.dict(os.environ, PATH=top + ":" + os.environ["PATH"]):
            return compiled.check("arm64", arches.TARGETS["arm64"])


def test_compiled_silence():
    """compiled: a kernel that is compiled without a word is right"""
    equal(check(), [])
    equal(check(said_of_config="all.config:1:warning: override: CONFIG_X changed"), [])


def test_compiled_complaints():
    """compiled: each warning and error is told, and a make that fails in silence"""
    for said in ("a.c:1:2: warning: unused variable", "a.c:1:2: error: no such member",
                 "make: *** [Makefile:1: all] Error 2"):
        equal(check(said=said), [said])
    equal(check(said="it broke", status=2), ["make ended with status 2", "it broke"])
    equal(check(said_of_config="error: recursive dependency detected!"),
          ["error: recursive dependency detected!"])


def test_compiled_configuration():
    """compiled: a kernel that lost what was to be compiled is not compiled for nothing"""
    equal(check(config=WANTED.replace("CONFIG_64BIT=y", "CONFIG_64BIT=m")),
          ["the configuration wants CONFIG_64BIT=y, and has CONFIG_64BIT=m"])
    equal(check(config=WANTED.replace(compiled.NEEDED[0], "")),
          [f"the configuration wants {compiled.NEEDED[0]}, and has it not"])
    equal(compiled.missing("CONFIG_A=m\n# CONFIG_C is not set\nCONFIG_BC=y\n",
                         ["# CONFIG_A is not set", "# CONFIG_B is not set",
                          "# CONFIG_C is not set", "CONFIG_BC=y"]),
          ["the configuration wants # CONFIG_A is not set, and has CONFIG_A=m"])


def wanted(name):
    return compiled.wanted(name, arches.TARGETS[name])


def test_compiled_wanted():
    """compiled: what a fragment says goes before what all of them need"""
    equal(wanted("um")[0], "CONFIG_RING_BUFFER_KUNIT_TEST=y")
    for line in ("CONFIG_FUNCTION_GRAPH_TRACER=y", "# CONFIG_FUNCTION_GRAPH_TRACER is not set"):
        equal(line in wanted("um"), line.startswith("#"))
        equal(line in wanted("arm"), not line.startswith("#"))


def test_compiled_fragments():
    """compiled: each target has a fragment, and each fragment is one's or two's"""
    found = {name.removesuffix(".config") for name in os.listdir(compiled.CONFIGS)}
    targets = {*arches.TARGETS, *options.TARGETS, randconfig.FRAGMENT}
    equal(found, {name.removesuffix("-32") for name in targets} | {compiled.COMMON})
    for name in (*found, *targets):
        equal([name, bool(compiled.settings(name))], [name, True])


def test_compiled_seeds():
    """compiled: a run of random configurations has twenty seeds, each of one architecture"""
    for first, seeds in (("", range(1, 21)), ("21", range(21, 41))):
        with mock.patch.dict(os.environ, FIRST=first):
            equal(list(randconfig.tests()), [f"seed-{seed}" for seed in seeds])
    equal([randconfig.target_of(seed).arch for seed in (1, 2, 3)], ["x86_64", "i386", "x86_64"])
