#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The ring buffer in a program. run.sh [PATTERN...]: those tests whose name has
# one of the patterns in it.
#
#   step     interrupt it before each access to memory, see step.c
#   mutants  break it, one thing at a time: does step notice?
cd "$(dirname "$0")/.." || exit 1
OUT=$PWD/../../../build/ring-buffer-host/64

wanted() {
	[ "$#" = 1 ] && return
	local name=$1 pattern
	shift
	for pattern; do
		[[ $name == *"$pattern"* ]] && return
	done
	return 1
}

status=0
if wanted step "$@"; then
	if ! make -s BITS=64 OUT="$OUT" "$OUT/step"; then
		echo "not ok - step: does not compile"
		status=1
	elif ! "$OUT/step"; then
		echo "not ok - step"
		status=1
	fi
fi
if wanted mutants "$@"; then
	python3 tests/mutants.py || status=1
fi
exit $status
