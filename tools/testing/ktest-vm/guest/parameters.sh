# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
#
# Whether a tracer has traced since boot as the kernel's parameters said, which the
# suite "parameters" has. Prints TAP.

tracing=/sys/kernel/tracing
tracer=$(cat /job/tracer)
. /ktest/tap.sh

has() { # file text
	[ "$(sed 's/ .*//' "$tracing/$1")" = "$2" ]
	result $? "$1 is $2"
}

# Calls of vfs_open() and of what it calls itself, with their arguments, and nothing else
only_chosen() { # trace
	awk '
		/^#/ || !/\|  / { next }
		{ sub(/^[^|]*\|  /, "") }
		/^vfs_open\(path=/ { chosen++ }
		/^[^ }]/ && !/^vfs_open\(path=/ { print "# " $0; wrong++ }
		/^    / { print "# too deep: " $0; wrong++ }
		END { exit !(chosen && !wrong) }' "$1"
}

check_function() {
	has options/func-args 1
	if grep -q ' trace_function_entry_0$' /proc/kallsyms; then
		grep -q '^vfs_open .*entry: trace_function_entry_2+' $tracing/enabled_functions
		result $? "call sites call entries"
	fi
	echo 0 >$tracing/tracing_on
	grep -q ': vfs_open(path=[^?]*, file=[^?]*) <-' $tracing/trace
	result $? "what was traced since boot"
}

check_function_graph() {
	has set_graph_function vfs_open
	has max_graph_depth 2
	has options/funcgraph-irqs 0
	has options/funcgraph-args 1
	echo 0 >$tracing/tracing_on
	cat $tracing/trace >/tmp/trace
	only_chosen /tmp/trace
	result $? "what was traced since boot"

	if grep -q ' function_graph_entry_0$' /proc/kallsyms; then
		echo >$tracing/set_graph_function
		echo 0 >$tracing/max_graph_depth
		echo 1 >$tracing/options/funcgraph-irqs
		grep -q '^vfs_open .*entry: function_graph_entry_2+' $tracing/enabled_functions
		result $? "call sites call entries once nothing is left out"
		echo vfs_open >$tracing/set_graph_function
		echo 2 >$tracing/max_graph_depth
		echo 0 >$tracing/options/funcgraph-irqs
	fi

	early=$tracing/instances/early
	echo function_graph >$early/current_tracer
	cat /proc/version >/dev/null
	echo 0 >$early/tracing_on
	cat $early/trace >/tmp/trace
	only_chosen /tmp/trace
	result $? "what an instance traced that was made at boot"
}

echo "@ktest test parameters-$tracer"
has current_tracer "$tracer"
"check_$tracer"
end_results
exit $failed
