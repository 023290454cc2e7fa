# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
#
# The checks of perf. "perf record -e ftrace:*" is not among them: perf may use
# only "function" of these events.

# Text of perf ftrace: what is in front of a function's line and is no part of
# what happened goes away. The kernel may not know the task's name yet.
function_text() { # comm < text of function
	sed -n -E "s/^ +($1|<\.\.\.>)-[0-9]+ +\[[0-9]+\] .* +[0-9]+\.[0-9]+: (.*)/\2/p"
}

graph_text() { # < text of function_graph
	sed -n -E 's/^ *[0-9]+\) [^|]*\|  //p'
}

check_perf_ftrace_function() {
	# shellcheck disable=SC2046
	quietly text perf ftrace trace -T read_zero -T write_null -- $(copy_zeros 7)
	function_text dd <text >found
	repeat_lines 7 "read_zero <-vfs_read" "write_null <-vfs_write" >expected
	same expected found
}

# perf graphs all that a function calls: of that, what is known
check_perf_ftrace_graph() {
	# shellcheck disable=SC2046
	quietly text perf ftrace trace -G ksys_write -D 4 -- $(copy_zeros 4)
	graph_text <text | grep -E '^ *(ksys_write|vfs_write|write_null)\(' >found
	repeat_lines 4 "ksys_write() {" "  vfs_write() {" "    write_null();" >expected
	same expected found
	grep -qE '^ *[0-9]+\) .* us +\|      write_null' text || fail "a call has no duration"
	opened=$(graph_text <text | grep -c '{$')
	closed=$(graph_text <text | grep -c '^ *}$')
	[ "$opened" = "$closed" ] || fail "$opened calls and $closed returns"
}

# Below ksys_write everything but what vfs_write() calls
check_perf_ftrace_nograph() {
	# shellcheck disable=SC2046
	quietly text perf ftrace trace -G ksys_write -g vfs_write -D 4 -- $(copy_zeros 4)
	[ "$(graph_text <text | grep -c '^ksys_write()')" = 4 ] || fail "not 4 calls of ksys_write()"
	graph_text <text | grep -q 'fdget_pos\|fput\|fdget' ||
		fail "nothing that ksys_write() calls is there"
	graph_text <text | grep -e vfs_write -e write_null && fail "vfs_write() was not left out"
	return 0
}

latency_count() { # < text
	awk -F'|' '/ us \| | ms \| |  s \| / { n += $2 } END { print n + 0 }'
}

check_perf_ftrace_latency() {
	# shellcheck disable=SC2046
	quietly text perf ftrace latency -T write_null -- $(copy_zeros 23)
	[ "$(latency_count <text)" = 23 ] || {
		cat text
		fail "not 23 calls"
	}
}

# On one CPU: perf trace reads one CPU's events after another's. A command that
# moves within a call leaves "... [continued]" there, without the arguments.
# --sort-events is no help: it drops what comes last.
check_perf_trace() {
	strace_calls cat /etc/passwd /no/such/file >expected || :
	# It ends as the command does
	taskset -c 0 perf trace -o text -e read,write,openat,close cat /etc/passwd /no/such/file \
		>output 2>errors || :
	sed -n -E \
		-e 's/^.*: cat\/[0-9]+ (read|write)\(.* count: ([0-9]+)\) += (-?[0-9]+).*/\1 \2 \3/p' \
		-e 's/^.*: cat\/[0-9]+ (openat)\(.*\) += [0-9]+$/\1 worked/p' \
		-e 's/^.*: cat\/[0-9]+ (openat)\(.*\) += -1 ENOENT.*/\1 failed/p' \
		-e 's/^.*: cat\/[0-9]+ (close)\(.*\) += ([0-9]+).*/\1 \2/p' text >found
	# Writes of names and errors are as long as they are for strace
	same expected found
}

script() { # argument...
	quietly text perf script -i perf.data "$@"
}

check_perf_record_events() {
	strace_calls cat /etc/passwd >expected
	set --
	for call in read write openat close; do
		set -- "$@" -e "syscalls:sys_enter_$call,syscalls:sys_exit_$call"
	done
	perf record -q -o perf.data "$@" cat /etc/passwd >output
	script -F comm,event,trace
	# One form for trace-cmd's report and this
	sed -E 's/^ *([^ ]+) +syscalls:([a-z_]+): /\1-1 [000] 1.0: \2: /' text |
		reported_calls cat >found
	same expected found
}

check_perf_record_filter() {
	two="$(copy_zeros 4); dd if=/dev/zero of=/dev/null bs=5 count=3 status=none"
	quietly output perf record -q -o perf.data -e syscalls:sys_enter_write \
		--filter 'count == 5' sh -c "$two"
	script -F comm,event,trace
	sed -E 's/fd: 0x0*([0-9a-f]), buf: 0x[0-9a-f]*, count: 0x0*/\1 /; s/^ +//; s/ +/ /g' text >found
	repeat_lines 3 "dd syscalls:sys_enter_write: 1 5" >expected
	same expected found
}

check_perf_record_function() {
	# shellcheck disable=SC2046
	quietly output perf record -q -o perf.data -e ftrace:function \
		--filter 'ip == write_null || ip == read_zero' $(copy_zeros 6)
	script -F comm,event,trace
	sed -E 's/^ +//; s/ +/ /g' text >found
	repeat_lines 6 "dd ftrace:function: read_zero <-- vfs_read" \
		"dd ftrace:function: write_null <-- vfs_write" >expected
	same expected found
}

# With types, and calls whose truth is known. perf leaves options that it does not
# know of as they are.

set_types() {
	for option in funcgraph-args funcgraph-retval-typed func-args; do
		echo 1 >$tracing/options/$option
	done
}

check_perf_ftrace_truth() {
	set_types
	truth_commands "nested 15 3"
	quietly text perf ftrace trace -G 'truth_v_*' -- sh calls
	truth_read_graph <text | grep -e '^. truth_v_' -e '^!' >found
	cat $truth/notes >expected
	same_or_hidden expected found
	truth_commands "nested 16 3"
	quietly text perf ftrace trace -T 'truth_v_*' -- sh calls
	truth_read_functions <text >found
	grep '^>' $truth/notes >expected
	same_or_hidden expected found
}

check_perf_ftrace_truth_latency() {
	set_types
	truth_commands "nested 17 5"
	quietly text perf ftrace latency -T truth_v_leaf -- sh calls
	wanted=$(grep -c '^> truth_v_leaf(' $truth/notes)
	found=$(latency_count <text)
	[ "$found" = "$wanted" ] || fail "$found calls instead of $wanted"
}

check_perf_record_truth() {
	set_types
	truth_commands "nested 18 3"
	quietly output perf record -q -o perf.data -e ftrace:function \
		--filter 'ip == truth_v_*' sh calls
	script -F comm,event,trace
	sed -n -E 's/^ *sh +ftrace:function: +([^ ]+) <-- .*/sh function \1/p' text >found
	noted_functions sh >expected
	same expected found
}

# With strings, structures and changes attached to the events

set_follow() {
	set_types
	for option in $FOLLOW_OPTIONS; do
		echo 1 >$tracing/options/$option
	done
}

check_perf_ftrace_followed() {
	set_follow
	# shellcheck disable=SC2046
	quietly text perf ftrace trace -G ksys_write -D 2 -- $(copy_zeros 4)
	graph_text <text | grep -o 'vfs_write(file="/dev/null", .*' | sed 's/pos=[^)]*/pos=.../' >found
	repeat_lines 4 'vfs_write(file="/dev/null", buf="\0", count=1, pos=...) {' >expected
	same expected found
}

# perf has neither the arguments nor what is behind them
check_perf_record_followed() {
	set_follow
	check_perf_record_function
}
