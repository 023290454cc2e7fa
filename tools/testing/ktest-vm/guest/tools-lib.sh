# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
#
# Shared by the checks of tools.sh: run a program and count its complaints as
# failures, find out what happened, and compare.

truth=/sys/kernel/debug/ftrace-truth-image
# The readers of typed text and of notes that the selftests use
if [ -e /selftests/ftrace/test.d/ftrace/truth-functions ]; then
	# shellcheck source=/dev/null
	. /selftests/ftrace/test.d/ftrace/truth-functions
	[ ! -d $truth ] || truth_ask_what_hides "${truth%/*}"
fi

# What attaches data to the events
FOLLOW_OPTIONS="funcgraph-strings funcgraph-structs funcgraph-changes func-strings func-structs"

fail() { # message
	echo "$*"
	exit 1
}

# Of the selftests' helpers
exit_fail() {
	exit 1
}

has_ours() {
	[ -e $tracing/options/funcgraph-args ] && [ -d $truth ]
}

# The output goes to a file. What a program says to stderr is shown, and a
# complaint if the program is not known to say it whenever all is well.
quietly() { # file program argument...
	output=$1
	shift
	echo "+ $*"
	timeout 100 "$@" >"$output" 2>errors || {
		cat errors
		fail "$1 $2 failed"
	}
	if grep -v -e "^ *plugin '" -e ' data recorded at ' -e ' bytes in size ' \
		-e '^$' -e '^Buffer: ' -e "^'trace' not valid for" errors; then
		fail "$1 $2 complains"
	fi
}

# Lines that must be the same, in the same order
same() { # expected found
	[ -s "$1" ] || fail "nothing was expected: the check itself is wrong"
	cmp -s "$1" "$2" && return
	diff "$1" "$2" | head -n 30
	fail "what was reported (>) is not what happened (<)"
}

# As same(), of lines of which a trace may hide values (TRUTH_MAY_HIDE)
same_or_hidden() { # expected found
	truth_compare "$1" "$2"
	[ "$DIFFERENT" = 0 ] || fail "$DIFFERENT lines of what was reported are not what happened"
	[ "$EQUAL" != 0 ] || fail "nothing was reported"
}

# The command that calls read_zero() and write_null() so many times in turn
copy_zeros() { # times
	echo "dd if=/dev/zero of=/dev/null bs=1 count=$1 status=none"
}

repeat_lines() { # times line...
	times=$1
	shift
	while [ "$times" -gt 0 ]; do
		printf '%s\n' "$@"
		times=$((times - 1))
	done
}

# A command's system calls as strace sees them: name, size, result. Descriptors
# differ, as each tool leaves others of its own open.
strace_calls() { # command...
	strace -qq -e trace=read,write,openat,close -o strace.out "$@" >/dev/null
	sed -n -E \
		-e 's/^(read|write)\(.*, ([0-9]+)\) += (-?[0-9]+).*/\1 \2 \3/p' \
		-e 's/^(openat)\(.*\) += -1 .*/\1 failed/p' \
		-e 's/^(openat)\(.*\) += [0-9]+.*/\1 worked/p' \
		-e 's/^(close)\(.*\) += ([0-9]+).*/\1 \2/p' strace.out
}

# Calls of the sample, of which the notes tell what happened
truth_commands() { # command for the file "run"
	echo clear >$truth/run
	echo "echo '$1' >$truth/run" >calls
}

# Remove whatever a check has left behind, so that the next one does not see it
leave_clean() {
	pkill -x 'trace-cmd|perf'
	trace-cmd reset -a -d >/dev/null 2>&1
	echo 50 >$tracing/buffer_percent
	for option in funcgraph-args funcgraph-retval-typed func-args $FOLLOW_OPTIONS; do
		[ ! -e $tracing/options/$option ] || echo 0 >$tracing/options/$option
	done
}
