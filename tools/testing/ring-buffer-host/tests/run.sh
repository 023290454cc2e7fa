#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The ring buffer in a program. run.sh [PATTERN...]: those tests whose name has
# one of the patterns in it.
#
#   step     interrupt it before each access to memory, see step.c; also by NMIs
#            that must not write
#   kunit    the KUnit tests of its interface
#            both with 64 bits and with 32, and with times that are checked
#            at each event
#   cost     does what reading takes depend on the size of the ring? See cost.c
#   random   all that can be done to it, at random, beside a model: see random.c.
#            Some seconds, with sanitizers; DURATION=n: n seconds, also hours
#   barriers does the list of memory barriers in the design page match the sources?
#   files    do calls between its files form a circle?
#   mutants  break it, one thing at a time: does a program notice?
cd "$(dirname "$0")/.." || exit 1
OUT=$PWD/../../../build/ring-buffer-host

. tests/lib.sh

# What kunit is made of, but for the test itself and for ring_buffer.o
objects() {
	local source
	for source in ../../../kernel/trace/ring_buffer_*.c; do
		source=$(basename "$source" .c)
		[[ $source == *test || $source == *torture* || $source == *validate ]] ||
			echo "$OUT/64/$source.o"
	done
}

# QEMU, where it runs 32-bit programs because the kernel does not, maps libraries to where
# the address sanitizer of these has its shadow memory. The other one works.
sanitizers() { # bits
	if [ "$1" = 32 ] && [ -e /proc/sys/fs/binfmt_misc/ktest-i386 ]; then
		echo "SANITIZERS=-fsanitize=undefined -fno-sanitize-recover=all"
	fi
}

run() {
	local status=0 bits out sanitizers
	for bits in 64 32 "64 VALIDATE=1" "64 NMI_UNSAFE=1"; do
		wanted step "$@" || break
		out=$OUT/${bits//[ =]/-}
		# shellcheck disable=SC2086
		if ! make -s BITS=$bits OUT="$out" "$out/step" || ! "$out/step"; then
			echo "not ok - step with $bits bits"
			status=1
		fi
	done
	for bits in 64 32 "64 VALIDATE=1"; do
		wanted kunit "$@" || break
		out=$OUT/${bits//[ =]/-}
		# shellcheck disable=SC2086
		make -s BITS=$bits OUT="$out" "$out/kunit" "$out/kunit_notify" "$out/kunit_time" \
			"$out/kunit_persist" "$out/kunit_attached" && "$out/kunit" &&
			"$out/kunit_notify" && "$out/kunit_time" && "$out/kunit_persist" &&
			"$out/kunit_attached" && continue
		echo "not ok - kunit with $bits bits"
		status=1
	done
	for bits in 64 32; do
		wanted cost "$@" || break
		make -s BITS=$bits OUT="$OUT/$bits" "$OUT/$bits/cost" &&
			"$OUT/$bits/cost" && continue
		echo "not ok - cost with $bits bits"
		status=1
	done
	for bits in 64 32; do
		wanted random "$@" || break
		sanitizers=$(sanitizers $bits)
		out=$OUT/$bits-SANITIZE${sanitizers:+-UNDEFINED}
		[ -z "$sanitizers" ] || echo "# $bits bits, emulated: without the address sanitizer"
		if ! make -s BITS=$bits SANITIZE=1 OUT="$out" ${sanitizers:+"$sanitizers"} \
			"$out/random" ||
		   ! "$out/random" ${DURATION:+-t "$DURATION"}; then
			echo "not ok - random with $bits bits"
			status=1
		fi
	done
	if wanted barriers "$@"; then
		python3 tests/barriers.py || status=1
	fi
	if wanted files "$@"; then
		# shellcheck disable=SC2046
		make -s BITS=64 OUT="$OUT/64" "$OUT/64/kunit" &&
			python3 tests/files.py "$OUT"/64/ring_buffer.o $(objects) || status=1
	fi
	if wanted mutants "$@"; then
		python3 tests/mutants.py || status=1
	fi
	return $status
}

# Each program has a plan of its own: make one of them
run "$@" | awk '/^1\.\.[0-9]+$/ { next } /^(not )?ok / { n++ } { print; fflush() }
	END { print "1.." n + 0 }'
exit "${PIPESTATUS[0]}"
