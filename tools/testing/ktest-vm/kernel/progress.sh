# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# How far a build is that takes minutes. Source it after lib.sh.

# How many lines of kbuild's a build has, as the fragments say in "# steps: N"; the first
# that says it is the architecture's
steps_of() { # fragment...
	sed -n 's/^# steps: *//p' "$@" | head -n 1
}

# Print kbuild's lines, and now and then how many of the steps are done. Their number is
# that of a build some time ago: the end comes when it comes.
with_progress() { # steps
	local line steps=$1 done=0 next=5 start=$SECONDS percent
	while IFS= read -r line; do
		printf '%s\n' "$line"
		[[ $line == "  "[A-Z]* ]] || continue
		done=$((done + 1))
		percent=$((done * 100 / steps))
		if [ $percent -ge $next ] && [ $percent -lt 100 ]; then
			say "$percent% of the first build, $(((SECONDS - start) / 60)) min"
			next=$((percent + 5))
		fi
	done
}
