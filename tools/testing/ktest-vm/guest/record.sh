# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
#
# Print the branches of programs that the host watches, as branch tracing tells them.

tracing=/sys/kernel/tracing
instance=$tracing/instances/record
input=/tmp/record-in
output=/tmp/record-out

start() { # program
	rm -f $input
	mkfifo $input
	"$1" <$input >$output &
	pid=$!
	exec 5>$input
	until grep -q ready $output; do
		kill -0 $pid || return 1
		sleep .1
	done
}

trace() {
	echo >$instance/trace
	echo $pid >$instance/branch/task && echo 1 >$instance/events/branch/enable || return 1
	echo go >&5
	exec 5>&-
	wait $pid || return 1
	echo 0 >$instance/events/branch/enable
}

mkdir $instance || exit 1
echo 16384 >$instance/buffer_size_kb
for program in /bin/recorded*; do
	echo "@ktest record ${program#/bin/}"
	start "$program" && trace || exit 1
	cat $instance/trace
done
