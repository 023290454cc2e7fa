# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
#
# Run each program /job/program-NAME once as it is, and once with every branch of it and of what it
# creates traced by single steps, and print how both ended, what they said, and the events' number.

tracing=/sys/kernel/tracing
instance=$tracing/instances/stepped
program=/tmp/program
limit=120

# Each round of a repeated instruction is a step, and one of the programs fills its stack that way
# shellcheck disable=SC3045 # busybox knows it
ulimit -s 1024

# What a program creates may be there longer, and say something
collect() {
	rm -f /tmp/pipe
	mkfifo /tmp/pipe
	cat /tmp/pipe >/tmp/said &
	collector=$!
}

run() {
	collect
	timeout $limit $program >/tmp/pipe 2>&1 </dev/null
	status=$?
	wait $collector
	return $status
}

# The shell goes on when it is traced
run_traced() {
	rm -f /tmp/go
	mkfifo /tmp/go
	collect
	sh -c "read -r _ </tmp/go; exec timeout $limit $program" >/tmp/pipe 2>&1 </dev/null &
	pid=$!
	echo $pid >$instance/branch/task
	echo 1 >$instance/events/branch/enable
	echo go >/tmp/go
	wait $pid
	status=$?
	wait $collector
	echo 0 >$instance/events/branch/enable
	return $status
}

# Those that are still there, and those that were overwritten
count_events() {
	cat $instance/per_cpu/cpu*/stats |
		awk '/^(entries|overrun):/ { sum += $2 } END { print sum }'
}

mkdir $instance || exit 1
echo 1 >$instance/branch/inherit || exit 1
for file in /job/program-*; do
	name=${file#/job/program-}
	cp "$file" $program
	chmod +x $program
	run
	echo "@ktest plain $name $?"
	cat /tmp/said
	run_traced
	echo "@ktest traced $name $?"
	cat /tmp/said
	echo "@ktest events $name $(count_events)"
	echo >$instance/trace
	rm $program
done
