# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
#
# Whether perf and trace-cmd, as a distribution has them, still trace. Prints TAP.

log=/tmp/tools.log
number=0
failed=0

# Run a command, whose output must have a line for each pattern
check() { # name command pattern...
	name=$1 command=$2
	shift 2
	number=$((number + 1))
	verdict=ok
	sh -c "$command" >$log 2>&1 </dev/null || verdict="not ok"
	for pattern in "$@"; do
		grep -qE -- "$pattern" $log && continue
		verdict="not ok"
		echo "# no line fits $pattern"
	done
	echo "$verdict $number - $name"
	[ "$verdict" = ok ] && return
	failed=1
	echo "# $command"
	head -n 60 $log | sed 's/^/# /'
}

cd /tmp || exit 1
echo "@ktest test tools"
echo "1..8"
check "perf ftrace: function graph" \
	"perf ftrace trace -G vfs_read -- cat /etc/hostname" \
	'vfs_read\(.*\) \{' '(iter|filemap_read)\(.*\) \{' '^ [0-9]+\) .* us .*\}$'
check "perf ftrace: function" \
	"perf ftrace trace -T vfs_read -- cat /etc/hostname" \
	'-[0-9]+ +\[[0-9]+\] .*: vfs_read <-ksys_read'
check "perf ftrace: latency" \
	"perf ftrace latency -T vfs_read -- cat /etc/hostname" \
	'DURATION +\| +COUNT' '\| +[1-9][0-9]* \|'
check "perf trace: system calls" \
	"perf trace -e openat,read,close -- cat /etc/hostname" \
	'cat/[0-9]+ openat\(.*\) += [0-9]' 'cat/[0-9]+ read\(fd: .*\) += [0-9]' \
	'cat/[0-9]+ close\(fd: .*\) += 0'
check "perf record, perf script: tracepoints" \
	"perf record -q -o perf.data -e syscalls:sys_enter_read,syscalls:sys_exit_read \
		-- cat /etc/hostname && perf script -i perf.data" \
	'cat .*syscalls:sys_enter_read: fd: 0x' 'cat .*syscalls:sys_exit_read: 0x'
check "trace-cmd: function graph" \
	"trace-cmd record -q -o graph.dat -p function_graph -g vfs_read cat /etc/hostname &&
		trace-cmd report -i graph.dat" \
	'funcgraph_entry: .*vfs_read\(.*\) \{' 'funcgraph_exit: .*\}'
check "trace-cmd: function" \
	"trace-cmd record -q -o function.dat -p function -l vfs_read cat /etc/hostname &&
		trace-cmd report -i function.dat" \
	'cat-[0-9]+ .*function: +vfs_read'
check "trace-cmd: events" \
	"trace-cmd record -q -o events.dat -e syscalls:sys_enter_openat -e sched:sched_switch \
		cat /etc/hostname && trace-cmd report -i events.dat" \
	'cat-[0-9]+ .*sys_enter_openat:' 'sched_switch:'
echo "@ktest done $failed"
exit $failed
