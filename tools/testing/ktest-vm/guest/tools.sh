# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
#
# Whether perf and trace-cmd, as a distribution has them, trace this kernel, and
# what they show is what happened. Prints TAP.
#
# What happened is known in three ways: dd makes as many calls of the functions
# behind /dev/zero and /dev/null as it is told to; strace, which does not use
# tracefs, tells a command's system calls; and the functions of the sample
# ftrace-truth note what they receive and return. The first two say something
# of every kernel, so the base's too.

# Check, and the kernels of which it is one: "any", or "ours" if it needs typed
# arguments and the sample. /job/ours tells that this kernel must have them.
CHECKS="
any trace_cmd_function
any trace_cmd_graph
any trace_cmd_graph_depth
any trace_cmd_events
any trace_cmd_filter
any trace_cmd_report_filter
any trace_cmd_buffers
any trace_cmd_stream
any trace_cmd_extract
any trace_cmd_stat
any trace_cmd_reset
any perf_ftrace_function
any perf_ftrace_graph
any perf_ftrace_nograph
any perf_ftrace_latency
any perf_trace
any perf_record_events
any perf_record_filter
any perf_record_function
ours trace_cmd_truth
ours trace_cmd_truth_raw
ours trace_cmd_truth_function
ours trace_cmd_truth_buffers
ours trace_cmd_truth_stream
ours trace_cmd_followed
ours trace_cmd_followed_text
ours perf_ftrace_truth
ours perf_ftrace_truth_latency
ours perf_record_truth
ours perf_ftrace_followed
ours perf_record_followed
ours syscalls_as_strace
ours syscalls_as_strace_libc
ours syscalls_as_strace_attr
ours syscalls_as_strace_shell
ours syscalls_never_wait
ours syscalls_late_strings
ours long_lines
ours client_args
"

tracing=/sys/kernel/tracing
log=/tmp/tools.log
TMPDIR=/tmp/tools
mkdir -p $TMPDIR
cd $TMPDIR || exit 1

. /ktest/tools-lib.sh
. /ktest/tools-trace-cmd.sh
. /ktest/tools-perf.sh
. /ktest/tools-strace.sh

directive() { # any|ours
	[ "$1" = ours ] && [ ! -e /job/ours ] && ! has_ours && echo " # SKIP not of this kernel"
}

# In a shell of its own, which the first command that fails ends
run_check() { # name
	(
		set -e
		[ ! -e /job/ours ] || has_ours || fail "this kernel has no typed arguments"
		"check_$1"
	) >$log 2>&1 </dev/null
}

number=0
failed=0
one() { # any|ours name
	number=$((number + 1))
	skip=$(directive "$1")
	if [ -n "$skip" ]; then
		echo "ok $number - $2$skip"
		return
	fi
	run_check "$2"
	status=$?
	leave_clean
	if [ $status = 0 ]; then
		echo "ok $number - $2"
		return
	fi
	failed=1
	echo "not ok $number - $2"
	tail -n 300 $log | cut -c1-240 | sed 's/^/# /'
}

# A line each: of all, or of those that /job/checks names
chosen_checks() {
	if [ -s /job/checks ]; then
		echo "$CHECKS" | grep -wF -f /job/checks
	else
		echo "$CHECKS" | grep .
	fi
}

echo "@ktest test $(cat /job/name 2>/dev/null || echo tools)"
chosen_checks >chosen
echo "1..$(wc -l <chosen)"
while read -r kind name; do
	one "$kind" "$name"
done <chosen
echo "@ktest done $failed"
exit $failed
