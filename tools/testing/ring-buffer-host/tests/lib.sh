# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# For the run.sh of programs that are tested on the host.

# Whether a test's name has one of the patterns in it, if there are any: wanted NAME PATTERN...
wanted() {
	[ "$#" = 1 ] && return
	local name=$1 pattern
	shift
	for pattern; do
		[[ $name == *"$pattern"* ]] && return
	done
	return 1
}
