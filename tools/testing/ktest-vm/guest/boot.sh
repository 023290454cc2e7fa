# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
#
# Whether the kernel has come up, and its events can be traced if it is to have any.
# What /job/wants lists must be there, and what /job/lacks lists must not. Prints TAP.

tracing=/sys/kernel/tracing
. /ktest/tap.sh

trace_an_event() {
	echo 1 >$tracing/events/sched/sched_process_fork/enable || return 1
	sh -c ':' &
	wait
	echo 0 >$tracing/events/sched/sched_process_fork/enable
	grep -q 'sched_process_fork: comm=sh ' $tracing/trace
}

echo "@ktest test boot"
if ! grep -qx $tracing/events /job/lacks; then
	trace_an_event
	result $? "an event is traced"
fi
while read -r path; do
	[ -e "$path" ]
	result $? "$path is there"
done </job/wants
while read -r path; do
	[ ! -e "$path" ]
	result $? "$path is not there"
done </job/lacks
[ ! -e $tracing/available_tracers ] || echo "# tracers: $(cat $tracing/available_tracers)"
end_results
exit $failed
