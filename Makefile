# SPDX-License-Identifier: GPL-2.0
#
# The project's front door; "make help" says what there is. The work is done by
# the programs in tools/testing/ktest-vm; its README.md explains them.

VM := tools/testing/ktest-vm

# Read by the scripts: make run FUNC=... CMD=..., make test SUITE=... TEST=...
export FUNC CMD DEPTH SUITE TEST KDIR JOBS TIMEOUT ARCH VARIANT STEPS KEEP DURATION OBJECTS
export MINUTES TARGET FIRST

# The names on the command line: a mistyped one would be ignored silently
GIVEN := $(foreach name,$(.VARIABLES),$(if $(filter command,$(origin $(name))),$(name)))

.DEFAULT_GOAL := help

help:
	@sed -nE 's,^## ?(.*),\1,p' $(firstword $(MAKEFILE_LIST))

## Typed function tracing for Linux 6.12.
##
##   make run        build, boot in QEMU and print a typed function graph
##                   FUNC=vfs_open,ksys_read  the functions to graph
##                   DEPTH=n  how many levels deep, 0 for all
##                   CMD='cat /etc/hostname'  the command to trace in the guest; if
##                   it fails, the trace shows why
##                   the first time takes minutes: it builds a kernel
##   make test       all tests; ends with "N passed, N failed"
##                   SUITE=host|docs|image|kunit|selftest, TEST=name  choose some
##                   SUITE=matrix      the truth module, compiled with each of
##                   many options
##                   SUITE=reboot      a trace buffer that outlives the kernel,
##                   undamaged and damaged
##                   SUITE=record      programs whose branches are traced, compared
##                   with the emulator's log of each instruction
##                   SUITE=stepped     the base's selftests of x86, which must not
##                   notice that they are traced by single steps
##                   SUITE=startup     the base's boot-time self tests
##                   SUITE=load DURATION=s  for so many seconds, everything is
##                   traced while all that can change does; only if asked for
##                   SUITE=ftracetest  the base's whole ftracetest in Debian, and
##                   perf and trace-cmd
##                   SUITE=options     compile kernel/trace with few options, without
##                   signatures, and in Debian's configuration
##                   SUITE=randconfig  compile kernel/trace in twenty random
##                   configurations, FIRST=n: from the nth on; only if asked for
##                   SUITE=configs     build and test other configurations:
##                   only if asked for; TEST=name one of them
##                   SUITE=arches      compile kernel/trace for other architectures,
##                   by clang and for PREEMPT_RT: only if asked for; TEST=name one
##                   of them
##                   SUITE=packages    build the kernel's Debian packages, and a module
##                   with nothing but the one of headers: only if asked for
##                   SUITE=claims      what recordmcount says of all traced functions,
##                   compared with what the compiler says, compiled again with -O2,
##                   -Os and -O3: only if asked for; TEST=O2 one of them,
##                   OBJECTS='fs/* net/ipv4/*' some objects
##   make check      the quick part of the tests: host, docs, image, kunit, and
##                   the selftests that are ours
##   make baseline   record again what ftracetest and the self tests say on the
##                   unmodified base; SUITE=ftracetest|startup  only one
##   make fuzz       damage objects and signatures at random, led by coverage;
##                   build/fuzz keeps the inputs, and those that fail
##                   MINUTES=60, TARGET=objects|links|tables: one of the fuzzers
##   make model      check the ring buffer's model in the large sizes, with spin
##   make bench      what tracing costs, here and in the base, in instructions;
##                   the figures go to build/bench.json as well
##                   STEPS=calls,hackbench,...  choose some, STEPS=help lists them
##                   KEEP=1  keep the table for the mailed series
##   make shell      an interactive guest
##   make apply KDIR=/path  lay our files and patches onto your own 6.12 tree
##   make series     patches to mail, in build/series; to take them in:
##                   git am --empty=drop build/series/*.patch
##   make series-check  build and boot a small kernel after each of them, without
##                   and with signatures; FIRST=n begins with the nth
##   make tree       only the source tree, in build/linux
##   make build      only the kernel, in build/linux/out-x86_64 (or out-$ARCH)
##   make clean      remove build/
##
## ARCH=i386 builds, boots, runs, tests or measures x86-32, in build/linux/out-i386,
## and goes together with VARIANT. Without it, x86_64; but "make test" and "make check"
## are of both, side by side.
##
## VARIANT=name builds, boots, runs or tests another configuration, beside the
## others: a name of tools/testing/ktest-vm/configs. Without it, the reference.
##   startup         with the base's boot-time self tests of tracing
##   off             without signatures
##   sigmodule       with the signatures in a module of their own
##   noclones        with functions as in the source, optimizer or not
##   btf             with DWARF and BTF
##   debian          what Debian's kernel for virtual machines has, and signatures
##   up              for one CPU; on x86-32, without frame pointers
##   static          with static tracing: every function is traced, or none
##   notracer        without the function tracer, but with events
##   notracing       without any tracing: not a byte of ours is in it, but for how
##                   kernels write their text
##   debug           a small one with checks of memory and locks (KASAN, lockdep,
##                   kmemleak); SUITE=load traces all functions for seconds there,
##                   and those that configs/debug.tests names for the rest
##
## CCACHE_DISABLE=1 builds without ccache, JOBS=n with n jobs.

# Refuse settings that make no sense before anything is built
settings:
	@$(VM)/settings.py $(MAKECMDGOALS) -- $(GIVEN)

deps-build: settings
	@$(VM)/deps.sh base build $(VARIANT:%=build-%)

deps-guest: $(or $(ARCH:%=deps-guest-%),deps-guest-x86_64)

deps-docs: settings
	@$(VM)/deps.sh docs

deps-arches: settings
	@$(VM)/deps.sh arches

# Debian's configuration, and a compiler for x86-32
deps-options: settings
	@$(VM)/deps.sh build-debian guest-i386

deps-packages: settings
	@$(VM)/deps.sh packages

deps-claims: settings
	@$(VM)/deps.sh claims

deps-model: settings
	@$(VM)/deps.sh model

deps-fuzz: settings
	@$(VM)/deps.sh fuzz

tree: deps-build
	@$(VM)/kernel/build.sh tree

build: deps-build
	@$(VM)/kernel/build.sh

guest: build deps-guest
	@$(VM)/rootfs/initramfs.sh

# Of each kernel that is tested
ARCHES := $(or $(ARCH),x86_64$(if $(VARIANT),, i386))

# Host tests run 32-bit programs, and so does the making of a Debian root for i386
programs32: deps-build
	@$(VM)/programs32.sh

deps-guests: $(ARCHES:%=deps-guest-%)
guests: $(ARCHES:%=guest-%)

deps-guest-%: settings
	@$(VM)/deps.sh guest guest-$*

guest-%: settings
	@$(MAKE) --no-print-directory ARCH=$* guest

run: guest
	@$(VM)/run.py

shell: guest
	@$(VM)/run.py shell

# What a suite needs: host tests build everything they need from our sources alone, and
# some suites build kernels of their own
NEEDS_host := deps-build deps-claims deps-fuzz deps-model programs32
NEEDS_image := guests $(if $(VARIANT),,deps-claims)
NEEDS_claims := guests deps-claims
NEEDS_docs := tree deps-docs
NEEDS_arches := tree deps-arches
NEEDS_options := tree deps-options
NEEDS_randconfig := $(NEEDS_options)
NEEDS_ftracetest := guests programs32
NEEDS_packages := guest deps-packages
NEEDS_startup := deps-build deps-guests
NEEDS_configs := deps-build deps-guests
NEEDS_ := guests $(if $(VARIANT),,deps-docs deps-claims deps-fuzz deps-model deps-options \
		programs32)
NEEDS := $(or $(NEEDS_$(SUITE)),guests)

# The end of a run tells how long everything took
test check: export KTEST_BEGAN := $(shell date +%s)

test: $(NEEDS)
	@$(VM)/test.py

check: $(NEEDS)
	@$(VM)/test.py --quick

fuzz: deps-build deps-fuzz
	@mkdir -p build/fuzz
	@scripts/recordmcount/tests/fuzz.py -o build/fuzz -m $(or $(MINUTES),60) $(TARGET)

model: deps-build deps-model
	@python3 tools/testing/ring-buffer-model/tests/run.py --large $(TEST)

baseline: deps-build deps-guest programs32
	@$(VM)/deps.sh debian
	@$(VM)/baseline/record.sh $(SUITE)

bench baseline: override VARIANT :=

# This suite builds the kernels that it compares
bench: deps-build deps-guest
	@$(VM)/deps.sh bench build-btf
	@$(VM)/bench.py

# Every step of the series by itself
series-check: series deps-guest
	@$(VM)/module.sh series.check $(FIRST)

apply: deps-build
	@$(VM)/kernel/apply.sh

series: deps-build
	@$(VM)/kernel/build.sh base
	@$(VM)/module.sh series.format_patches

clean:
	rm -rf build

.PHONY: help settings deps-build deps-guest deps-docs deps-fuzz deps-model deps-arches deps-claims
.PHONY: programs32 deps-options deps-packages tree build guest
.PHONY: run shell test check deps-guests guests baseline bench apply series series-check fuzz
.PHONY: model clean
