#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The ring buffer in a program. run.sh [PATTERN...]: those tests whose name has
# one of the patterns in it.
#
#   step     interrupt it before each access to memory, see step.c
#   kunit    the KUnit tests of its interface, with 64 bits and with 32
#            both also with times that are checked at each event
#   mutants  break it, one thing at a time: does step notice?
cd "$(dirname "$0")/.." || exit 1
OUT=$PWD/../../../build/ring-buffer-host

wanted() {
	[ "$#" = 1 ] && return
	local name=$1 pattern
	shift
	for pattern; do
		[[ $name == *"$pattern"* ]] && return
	done
	return 1
}

run() {
	local status=0 bits out
	for bits in 64 "64 VALIDATE=1"; do
		wanted step "$@" || break
		out=$OUT/${bits/ /-}
		# shellcheck disable=SC2086
		if ! make -s BITS=$bits OUT="$out" "$out/step" || ! "$out/step"; then
			echo "not ok - step with $bits bits"
			status=1
		fi
	done
	for bits in 64 32 "64 VALIDATE=1"; do
		wanted kunit "$@" || break
		out=$OUT/${bits/ /-}
		# shellcheck disable=SC2086
		make -s BITS=$bits OUT="$out" "$out/kunit" "$out/kunit_time" "$out/kunit_persist" &&
			"$out/kunit" && "$out/kunit_time" && "$out/kunit_persist" && continue
		echo "not ok - kunit with $bits bits"
		status=1
	done
	if wanted mutants "$@"; then
		python3 tests/mutants.py || status=1
	fi
	return $status
}

# Each program has a plan of its own: make one of them
run "$@" | awk '/^1\.\.[0-9]+$/ { next } /^(not )?ok / { n++ } { print; fflush() }
	END { print "1.." n + 0 }'
exit "${PIPESTATUS[0]}"
