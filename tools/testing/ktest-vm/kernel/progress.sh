# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Show how far a long build is. Source it after lib.sh.

# How many lines kbuild prints in a build, as the first fragment with a line "# steps: N"
# says; that is the architecture's
steps_of() { # fragment...
	sed -n 's/^# steps: *//p' "$@" | head -n 1
}

# Print kbuild's lines, and now and then the percentage that is done. It is an estimate:
# the number of steps is that of an earlier build.
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
