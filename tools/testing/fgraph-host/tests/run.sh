#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The function graph in a program. run.sh [PATTERN...]: those tests whose name has one of
# the patterns in it.
#
#   step     interrupt it before each access to memory, with 64 bits, with 32, and without
#            direct calls; see step.c
#   mutants  break it, one thing at a time: does step notice?
cd "$(dirname "$0")/.." || exit 1
OUT=$PWD/../../../build/fgraph-host

. ../ring-buffer-host/tests/lib.sh

run() {
	local status=0 options out
	for options in BITS=64 BITS=32 "BITS=64 NO_DIRECT=1"; do
		wanted step "$@" || break
		out=$OUT/${options//[^A-Z0-9]/-}
		make -s $options OUT="$out" "$out/step" && "$out/step" && continue
		echo "not ok - step with $options"
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
