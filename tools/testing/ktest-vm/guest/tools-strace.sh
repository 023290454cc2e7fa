# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
#
# Checks of tools.sh: the events of syscalls against strace. Both see the same run, so
# addresses and numbers are the same, too.

# Of all lines so many per cent must be alike
STRACE_PERCENT=98

syscall_lines() { # 0|1
	echo 0 >$tracing/events/syscalls/enable
	for event in "$tracing"/events/syscalls/sys_exit_*; do
		[ "$1" = 0 ] || echo 1 >"$event/enable"
	done
	echo "$1" >$tracing/options/syscall-lines
	echo "$1" >$tracing/options/event-fork
	echo $((256 * $1)) >$tracing/syscall_strings
}

# Runs a command under both, and compares. strace never cuts paths, so the limit is one that
# none reaches.
as_strace() { # options of strace, command
	echo >$tracing/trace
	echo 8192 >$tracing/buffer_size_kb
	# "trace-cmd reset" has switched it off
	echo 1 >$tracing/tracing_on
	syscall_lines 1
	# shellcheck disable=SC2086
	strace -f -qq -s 256 $1 -o strace.out sh -c "echo \$\$ >$tracing/set_event_pid; $2" \
		>/dev/null 2>strace.err
	echo 0 >$tracing/tracing_on
	cat $tracing/trace >trace.out
	syscall_lines 0
	echo >$tracing/set_event_pid
	echo 1 >$tracing/tracing_on
	echo >$tracing/trace
	echo 1408 >$tracing/buffer_size_kb
	python3 /ktest/strace_compare.py strace.out trace.out "$STRACE_PERCENT" && return
	echo "$(wc -l <strace.out) lines of strace, $(wc -l <trace.out) of the trace"
	head -n 5 strace.err strace.out trace.out
	return 1
}

check_syscalls_as_strace() {
	as_strace "" "python3 -S -E /ktest/strace_programs.py"
}

check_syscalls_as_strace_libc() {
	as_strace "" "python3 -S -E /ktest/strace_libc.py"
}

check_syscalls_as_strace_attr() {
	as_strace "" "python3 -S -E /ktest/strace_attr.py"
}

check_syscalls_as_strace_shell() {
	echo 1 >$tracing/syscall_paths
	as_strace -y "ls -l /etc /no; find /usr/share -maxdepth 2 | sort | head -n 3; cat /proc/self/stat; \
		tar cf - /etc/passwd | gzip | wc -c; awk 'BEGIN { print 1 }'; perl -e 'print 2'; \
		ipcs; sleep 0.01; (exit 3); trap : USR1; kill -USR1 \$\$; true"
	set -- $?
	echo 0 >$tracing/syscall_paths
	return "$1"
}

# Calls end as they do while nothing is traced, whether the task is traced or left out
check_syscalls_never_wait() {
	python3 -S -E /ktest/syscalls_wait.py never >untraced.out
	[ "$(wc -l <untraced.out)" -gt 20 ]
	grep -q 'waits for the page' untraced.out
	for pid in "" 1; do
		syscall_lines 1
		echo "$pid" >$tracing/set_event_pid
		python3 -S -E /ktest/syscalls_wait.py never >traced.out || true
		syscall_lines 0
		echo >$tracing/set_event_pid
		echo "set_event_pid is \"$pid\":"
		diff untraced.out traced.out
	done
}

# Lines that are longer than a reader's buffer
check_long_lines() {
	python3 -S -E /ktest/long_lines.py $tracing
}

# What is not in memory at the call is shown if the kernel has read it
check_syscalls_late_strings() {
	echo >$tracing/trace
	echo 1 >$tracing/tracing_on
	syscall_lines 1
	python3 -S -E /ktest/syscalls_wait.py late
	cat $tracing/trace >trace.out
	syscall_lines 0
	for path in /served/after/0 /served/after/3 $PWD/in_memory.not $PWD/on_disk.not; do
		grep -q "open.*(.*\"$path\".*) = -1 ENOENT" trace.out || {
			echo "no line with $path"
			grep -w "open\(at\)*(" trace.out | tail -n 20
			return 1
		}
	done
}
