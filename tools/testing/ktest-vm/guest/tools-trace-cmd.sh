# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
#
# The checks of trace-cmd. Debian's 3.1.6 does not print the arguments of
# funcgraph_entry and function: their field is an array up to the event's end,
# which it shows as an empty one. That it takes the format as it is and shows all
# else rightly is what is checked here. What 3.4 would print is what client_args finds.

# Lines of a report to "comm event text", in order of time
report_lines() { # < report
	awk '
		/^cpus=/ { next }
		!match($0, / \[[0-9]+\] +[0-9]+\.[0-9]+: /) { print "! " $0; next }
		{
			task = substr($0, 1, RSTART - 1)
			text = substr($0, RSTART + RLENGTH)
			split(substr($0, RSTART, RLENGTH - 2), words, " ")
			if (words[2] + 0 < last)
				print "! back in time: " $0
			last = words[2] + 0
			if (!match(task, /-[0-9]+ *$/)) {
				print "! no task: " $0
				next
			}
			comm = substr(task, 1, RSTART - 1)
			sub(/^ +/, "", comm)
			sub(/: +/, " ", text)
			print comm, text
		}'
}

# Graph events to "comm > function depth" and "comm < function depth", checked
# for durations: every return has one, and none is longer than its caller's
graph_lines() { # < report
	report_lines | awk '
		function number(text) {
			if (!match(text, /[0-9]+\.[0-9]+ us/))
				return -1
			return substr(text, RSTART, RLENGTH - 3) + 0
		}
		function returned(name, depth, us) {
			if (us < 0)
				print "! no duration: " $0
			if (us + 0.001 < inner[depth + 1])
				print "! shorter than what it called: " $0
			delete inner[depth + 1]
			inner[depth] += us
			if (!depth)
				delete inner[0]
			print $1, "<", name, depth
		}
		!/ funcgraph_(entry|exit) .*\|/ { print "! " $0; next }
		{
			bar = index($0, "|")
			us = number(substr($0, 1, bar))
			text = substr($0, bar + 1)
			match(text, /[^ ]/)
			depth = (RSTART - 3) / 2
			text = substr(text, RSTART)
			name = text
			sub(/\(.*/, "", name)
		}
		/ funcgraph_exit / && text ~ /^}/ {
			returned(open[depth], depth, us)
			delete open[depth]
			next
		}
		/ funcgraph_entry / && text ~ /^[^ ()]*\(\) [{]$/ {
			print $1, ">", name, depth
			open[depth] = name
			next
		}
		/ funcgraph_entry / && text ~ /^[^ ()]*\(\);$/ {
			print $1, ">", name, depth
			returned(name, depth, us)
			next
		}
		{ print "! " $0 }'
}

# The command is run once trace-cmd reads
record() { # option... -- command...
	for argument; do
		shift
		if [ "$argument" = -- ]; then
			set -- "$@" sh /ktest/trace-cmd-readers
		else
			set -- "$@" "$argument"
		fi
	done
	quietly output trace-cmd record -o trace.dat "$@"
}

report() { # argument...
	quietly report trace-cmd report -i trace.dat "$@"
}

check_trace_cmd_function() {
	# shellcheck disable=SC2046
	record -p function -l read_zero -l write_null -- $(copy_zeros 7)
	report
	report_lines <report | awk '$1 == "dd" || /^!/ { print $1, $2, $3 }' >found
	repeat_lines 7 "dd function read_zero" "dd function write_null" >expected
	same expected found
}

check_trace_cmd_graph() {
	# shellcheck disable=SC2046
	record -F -p function_graph -l ksys_write -l vfs_write -l write_null -- $(copy_zeros 5)
	report
	graph_lines <report | grep -e '^dd' -e '^!' >found
	repeat_lines 5 "dd > ksys_write 0" "dd > vfs_write 1" "dd > write_null 2" \
		"dd < write_null 2" "dd < vfs_write 1" "dd < ksys_write 0" >expected
	same expected found
}

check_trace_cmd_graph_depth() {
	# shellcheck disable=SC2046
	record -F -p function_graph --max-graph-depth 2 -g ksys_write -l ksys_write \
		-l vfs_write -l write_null -- $(copy_zeros 3)
	report
	graph_lines <report | grep -e '^dd' -e '^!' >found
	repeat_lines 3 "dd > ksys_write 0" "dd > vfs_write 1" "dd < vfs_write 1" \
		"dd < ksys_write 0" >expected
	same expected found
}

# System calls of a report to lines as strace_calls() has them
reported_calls() { # < report
	report_lines | awk '
		function hex(text,   i, n) {
			sub(/^0x/, "", text)
			for (i = 1; i <= length(text); i++)
				n = n * 16 + index("0123456789abcdef", substr(text, i, 1)) - 1
			return n
		}
		/^!/ { print; next }
		$1 != comm { next }
		$2 == "sys_enter_read" || $2 == "sys_enter_write" {
			if (!match($0, /count: 0x[0-9a-f]+/)) { print "! " $0; next }
			size = hex(substr($0, RSTART + 7, RLENGTH - 7))
		}
		$2 == "sys_exit_read" { print "read", size, hex($3) }
		$2 == "sys_exit_write" { print "write", size, hex($3) }
		# Of either size of a register, the last 4095 values are errors
		function failed(text) {
			return text ~ /^0xfffff(ffffffff)?[0-9a-f][0-9a-f][0-9a-f]$/
		}
		$2 == "sys_exit_openat" { print "openat", failed($3) ? "failed" : "worked" }
		$2 == "sys_exit_close" { print "close", hex($3) }' comm="$1"
}

check_trace_cmd_events() {
	strace_calls cat /etc/passwd /no/such/file >expected || :
	set --
	for call in read write openat close; do
		set -- "$@" -e "syscalls:sys_enter_$call" -e "syscalls:sys_exit_$call"
	done
	record -F "$@" -e sched:sched_process_exec -- \
		sh -c 'exec cat /etc/passwd /no/such/file 2>&1; :' || :
	report
	report_lines <report | awk '/ sched_process_exec .*filename=[^ ]*\/cat / { yes = 1 }
		END { exit !yes }' || fail "no event says that cat was executed"
	awk '/sched_process_exec.*\/cat/ { on = 1 } on' report | reported_calls cat >found
	same expected found
}

# Exactly what the filter lets through: one dd of two
check_trace_cmd_filter() {
	two="$(copy_zeros 4); dd if=/dev/zero of=/dev/null bs=5 count=3 status=none"
	record -F -c -e syscalls:sys_enter_write -f 'count == 5' -- sh -c "$two"
	report
	report_lines <report |
		sed 's/fd: 0x0*\([0-9a-f]\), buf: 0x[0-9a-f]*, count: 0x0*/\1 /' >found
	repeat_lines 3 "dd sys_enter_write 1 5" >expected
	same expected found
}

check_trace_cmd_report_filter() {
	two="$(copy_zeros 4); dd if=/dev/zero of=/dev/null bs=5 count=3 status=none"
	record -F -c -e syscalls:sys_enter_write -- sh -c "$two"
	# The filter first: 3.1.6 forgets one that stands behind "-i"
	quietly report trace-cmd report -F 'sys_enter_write: count == 5 && fd == 1' trace.dat
	report_lines <report | sed 's/fd: .*count: 0x0*//' >found
	repeat_lines 3 "dd sys_enter_write 5" >expected
	same expected found
}

# Lines of one buffer of several, without its name
buffer() { # name < report
	sed -n "s/^ *$1: //p"
}

# Each buffer has what was asked of it and nothing else
check_trace_cmd_buffers() {
	# shellcheck disable=SC2046
	record -B first -p function -l write_null -B second -e syscalls:sys_enter_write -- \
		$(copy_zeros 6)
	report
	grep -vE '^(cpus=| *(first|second): )' report && fail "the main buffer is not empty"
	buffer first <report | report_lines |
		awk '$1 == "dd" || /^!/ { print $1, $2, $3 }' >found
	repeat_lines 6 "dd function write_null" >expected
	same expected found
	buffer second <report | report_lines |
		sed -n 's/ fd: 0x0*1, .*count: 0x0*/ /p; /^!/p' | grep '^dd' >found
	repeat_lines 6 "dd sys_enter_write 1" >expected
	same expected found
}

# 3.1.6 waits until the kernel says that buffers are full enough, at the command's
# end for ever, on every kernel. So that is said early, the first lines of a long
# trace are taken, and it ends because nobody reads on.
# It leaves out whole sub-buffers of a long trace, too, on every kernel: of 10,000
# calls the unmodified base's came to 9,319, with nothing said of the others, where
# "record" had each of them. None was missing from the first 16 sub-buffers, which
# is what a pipe holds: ask for no more lines than that.
# It shows what comes from each processor as it comes, and each has its own order
stream() { # lines argument...
	lines=$1
	shift
	echo "+ trace-cmd stream $*"
	echo 1 >$tracing/buffer_percent
	timeout 60 trace-cmd stream "$@" 2>errors | head -n "$lines" >stream
	[ "$(wc -l <stream)" = "$lines" ] || {
		cat errors
		fail "only $(wc -l <stream) lines came"
	}
}

check_trace_cmd_stream() {
	stream 600 -p function_graph -l read_zero -l write_null \
		taskset -c 0 sh -c "sleep 1; $(copy_zeros 3000)"
	# The task's name is not known yet while it runs
	graph_lines <stream | cut -d' ' -f2- >found
	grep -q read_zero found || fail "nothing of dd came"
	repeat_lines 1000 "> read_zero 0" "< read_zero 0" "> write_null 0" "< write_null 0" |
		head -n "$(wc -l <found)" >expected
	same expected found
}

check_trace_cmd_extract() {
	quietly output trace-cmd start -p function -l read_zero -l write_null
	$(copy_zeros 9)
	quietly output trace-cmd stop
	quietly text trace-cmd show
	sed -n -E 's/^ +dd-[0-9]+ +\[[0-9]+\] .* +[0-9]+\.[0-9]+: //p' text >found
	repeat_lines 9 "read_zero <-vfs_read" "write_null <-vfs_write" >expected
	same expected found
	quietly output trace-cmd extract -o trace.dat
	report
	report_lines <report | awk '$1 == "dd" || /^!/ { print $3 }' >found
	repeat_lines 9 read_zero write_null >expected
	same expected found
}

check_trace_cmd_stat() {
	quietly output trace-cmd start -p function_graph -l write_null -l read_zero \
		-g ksys_read -e sched:sched_switch -b 700
	quietly text trace-cmd stat
	for wanted in 'Tracer: function_graph' ' sched_switch$' '^ *write_null$' \
		'^ *read_zero$' '^ *ksys_read$' '^ *7[0-9][0-9]$' 'Tracing is enabled'; do
		grep -q -- "$wanted" text || {
			cat text
			fail "no line says \"$wanted\""
		}
	done
}

# Everything in tracefs that a user may have set, as one text
tracing_state() {
	for file in current_tracer tracing_on set_event set_ftrace_filter \
		set_ftrace_notrace set_graph_function set_graph_notrace set_ftrace_pid \
		set_event_pid tracing_cpumask trace_clock \
		dynamic_events events/enable events/syscalls/sys_enter_write/filter; do
		echo "$file: $(cat $tracing/$file)"
	done
	ls $tracing/instances
	grep -v '^#' $tracing/trace || :
	cat $tracing/trace_options $tracing/enabled_functions
}

check_trace_cmd_reset() {
	trace-cmd reset -a -d
	tracing_state >expected
	quietly output trace-cmd start -p function_graph -l write_null -n read_zero \
		-g ksys_read -O sym-offset -O verbose -e sched:sched_switch \
		-e syscalls:sys_enter_write -f 'count == 5' -C mono \
		-B first -p function -e sched:sched_waking
	tracing_state >changed
	cmp -s expected changed && fail "nothing was changed, so nothing can be reset"
	trace-cmd reset -a -d
	tracing_state | sed -E 's/^(no)?(sym-offset|verbose)$/\2/' >found
	# It leaves options and the clock alone (and max_graph_depth), on every kernel
	sed -i -E 's/^(no)?(sym-offset|verbose)$/\2/; /^trace_clock/d' expected
	sed -i '/^trace_clock/d' found
	echo nosym-offset >$tracing/trace_options
	echo noverbose >$tracing/trace_options
	echo local >$tracing/trace_clock
	same expected found
}

# With types, and calls whose truth is known

truth_options="-O funcgraph-args -O funcgraph-retval-typed -O func-args"

# What the notes say, as graph_lines() has it
noted_graph() {
	awk '
		{ name = $2; sub(/\(.*/, "", name) }
		/^>/ { print comm, ">", name, depth++ + 0; next }
		/^</ { print comm, "<", name, --depth; next }
		{ print "! " $0 }' comm="$1" $truth/notes
}

noted_functions() { # comm
	sed -n "s/^> \([^(]*\)(.*/$1 function \1/p" $truth/notes
}

check_trace_cmd_truth() {
	truth_commands "nested 5 3"
	# shellcheck disable=SC2086
	record -p function_graph $truth_options -l 'truth_v_*' -- sh calls
	report
	graph_lines <report >found
	noted_graph sh >expected
	same expected found
	grep -q '(.*=' report && fail "trace-cmd prints arguments now: compare them, too"
	return 0
}

# The numbers of the events' fields: a result that fills the register is noted
# as it is in the event
check_trace_cmd_truth_raw() {
	truth_commands "nested 6 4"
	# shellcheck disable=SC2086
	record -p function_graph $truth_options -l 'truth_v_*' -- sh calls
	report -R
	report_lines <report | awk '
		function field(name,   i) {
			for (i = 3; i <= NF; i++)
				if (index($i, name "=") == 1)
					return substr($i, length(name) + 2)
			return "no " name
		}
		/^!/ { print; next }
		$2 == "funcgraph_entry" && / args=ARRAY/ {
			print ">", field("func"), field("depth")
			next
		}
		$2 == "funcgraph_exit" {
			print "<", field("func"), field("depth"), field("retval")
			next
		}
		{ print "! " $0 }' >raw
	cut -d' ' -f1-3 raw >found
	noted_graph sh | cut -d' ' -f2- >expected
	same expected found
	paste -d'|' $truth/notes raw | sed -n 's/^< .* = 0x\([0-9a-f]*\)|.* \([^ ]*\)$/\1 \2/p' >results
	[ "$(wc -l <results)" -ge 5 ] || fail "too few results to compare"
	cut -d' ' -f1 results | truth_low_words >expected
	cut -d' ' -f2 results >found
	same expected found
}

check_trace_cmd_truth_function() {
	truth_commands "nested 7 3"
	# shellcheck disable=SC2086
	record -p function $truth_options -l 'truth_v_*' -- sh calls
	report
	report_lines <report | awk '{ print $1, $2, $3 }' >found
	noted_functions sh >expected
	same expected found
}

check_trace_cmd_truth_buffers() {
	truth_commands "nested 8 2"
	# shellcheck disable=SC2086
	record -B first -p function_graph $truth_options -l 'truth_v_*' \
		-B second -p function $truth_options -l 'truth_v_*' -- sh calls
	report
	buffer first <report | graph_lines >found
	noted_graph sh >expected
	same expected found
	buffer second <report | report_lines |
		awk '{ print $1, $2, $3 }' >found
	noted_functions sh >expected
	same expected found
}

check_trace_cmd_truth_stream() {
	truth_commands "nested 9 300"
	# shellcheck disable=SC2086
	stream 800 -p function_graph $truth_options -l 'truth_v_*' \
		taskset -c 0 sh -c 'sleep 1; . ./calls'
	graph_lines <stream | cut -d' ' -f2- >found
	noted_graph sh | cut -d' ' -f2- | head -n "$(wc -l <found)" >expected
	same expected found
}

# With strings, structures and changes attached to the events

follow_options="$truth_options -O funcgraph-strings -O funcgraph-structs -O funcgraph-changes
	-O func-strings -O func-structs"

check_trace_cmd_followed() {
	# shellcheck disable=SC2046,SC2086
	record -B first -p function_graph $follow_options -l ksys_write -l vfs_write -l write_null \
		-B second -p function $follow_options -l write_null -- $(copy_zeros 5)
	report
	buffer first <report | graph_lines | grep -e '^dd' -e '^!' >found
	repeat_lines 5 "dd > ksys_write 0" "dd > vfs_write 1" "dd > write_null 2" \
		"dd < write_null 2" "dd < vfs_write 1" "dd < ksys_write 0" >expected
	same expected found
	buffer second <report | report_lines |
		awk '$1 == "dd" || /^!/ { print $1, $2, $3 }' >found
	repeat_lines 5 "dd function write_null" >expected
	same expected found
	# The fields in front of that are where the formats say
	report -R
	buffer first <report | report_lines |
		grep -e '^!' -e '^dd funcgraph_exit .*func=write_null' |
		sed 's/.* retval=0x1 .*/one byte/; s/.* retval=1 .*/one byte/' >found
	repeat_lines 5 "one byte" >expected
	same expected found
}

# The kernel's own text has it
check_trace_cmd_followed_text() {
	# shellcheck disable=SC2086
	quietly output trace-cmd start -p function_graph $follow_options -l vfs_write
	$(copy_zeros 3)
	quietly output trace-cmd stop
	quietly text trace-cmd show
	grep -o 'vfs_write(file="/dev/null", .*' text | sed 's/pos=[^)]*/pos=.../' >found
	repeat_lines 3 'vfs_write(file="/dev/null", buf="\0", count=1, pos=...); /* = 1 */' >expected
	same expected found
}

# Binary events, read as trace-cmd 3.4 does
check_client_args() {
	python3 -S -E /ktest/client_args.py $tracing
}
