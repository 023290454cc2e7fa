# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh disable=SC2086 # of paths that have no spaces
#
# Trace the command in /job/cmd with the function graph tracer, starting at the
# functions in /job/func, /job/depth levels deep, and print the trace. Report how the
# command ends; a failure is an error only if it must succeed (/job/strict).

tracing=${KTEST_TRACING:-/sys/kernel/tracing}
job=${KTEST_JOB:-/job}
tmp=${KTEST_TMP:-/tmp}

fail() {
	echo "error: $*"
	exit 1
}

set_option() { # name value
	[ -e "$tracing/options/$1" ] ||
		fail "this kernel has no tracer option \"$1\" ($tracing/options/$1)"
	echo "$2" >"$tracing/options/$1" || fail "option $1: $2 was refused"
}

# Names that look like a mistyped one, to help who typed it
similar() { # name
	cut -d' ' -f1 $tracing/available_filter_functions | grep -iF -- "$1" ||
		cut -d' ' -f1 $tracing/available_filter_functions |
		grep -iE -- "^$(echo "$1" | cut -c1-5)"
}

choose_function() { # name
	echo "$1" >>$tracing/set_graph_function 2>/dev/null && return
	near=$(similar "$1" | head -n 8 | tr '\n' ' ')
	fail "FUNC: the kernel has no function \"$1\" that can be traced${near:+; similar: $near}"
}

# The shell becomes the command where it is a plain one, so that the trace holds
# the calls of the command and its children, and few of the shell's.
trace_command() {
	command=$(cat $job/cmd)
	case $command in
	*[\;\&\|\<\>\`\$\(]*) ;;
	*) command="exec $command" ;;
	esac
	set_option function-fork 1
	# It stops itself, and we start the tracing while it stands still: a
	# process that did this itself would be in the middle of a call then.
	# shellcheck disable=SC2016 # the inner shell's own process ID
	sh -c 'kill -STOP $$; eval "$1"' sh "$command" >$tmp/output 2>&1 </dev/null &
	pid=$!
	until grep -q '^State:.T' /proc/$pid/status; do
		sleep 0.05
	done
	echo $pid >$tracing/set_ftrace_pid
	echo function_graph >$tracing/current_tracer || fail "no function graph tracer"
	echo 1 >$tracing/tracing_on
	kill -CONT $pid
	wait $pid
	status=$?
	echo 0 >$tracing/tracing_on
}

setup_tracer() {
	# The kernel's signatures may be a module's
	modprobe ftrace_signatures 2>/dev/null
	echo 0 >$tracing/tracing_on
	echo 8192 >$tracing/buffer_size_kb
	for function in $(tr ',' ' ' <$job/func); do
		choose_function "$function"
	done
	# Patterns: one that fits no function of this kernel does no harm
	set -f
	for pattern in $(tr ',' ' ' <$job/hidden); do
		echo "$pattern" >>$tracing/set_graph_notrace 2>/dev/null
	done
	set +f
	cat $job/depth >$tracing/max_graph_depth
	set_option funcgraph-irqs 0
	set_option funcgraph-tail 1
	while read -r option value need; do
		# Not every configuration has it
		[ "$need" != optional ] || [ -e "$tracing/options/$option" ] || continue
		set_option "$option" "$value"
	done <$job/options
}

lost() {
	cat $tracing/per_cpu/cpu*/stats |
		awk '/overrun|dropped/ { n += $NF } END { print n + 0 }'
}

# A shell's number for how a command ended, in words
how_it_ended() { # status
	case $1 in
	0) echo "succeeded" ;;
	126 | 127) echo "could not be run (status $1)" ;;
	*)
		if [ "$1" -gt 128 ] && signal=$(kill -l $(($1 - 128)) 2>/dev/null); then
			echo "was killed by SIG${signal#SIG}"
		else
			echo "failed with status $1"
		fi
		;;
	esac
}

setup_tracer
echo "@ktest tracing: $(cat $job/cmd)"
trace_command
cat $tracing/trace >$tmp/trace
echo "---- output of the command, which $(how_it_ended $status)"
cat $tmp/output
echo "---- trace"
cat $tmp/trace
lines=$(grep -vc '^#' $tmp/trace)
echo "---- $lines lines of trace, $(lost) events lost"
echo "@ktest the command $(how_it_ended $status)"
[ "$lines" -gt 0 ] || fail "nothing was traced: the command called none of $(cat $job/func)"
[ $status = 0 ] || [ ! -e $job/strict ]
