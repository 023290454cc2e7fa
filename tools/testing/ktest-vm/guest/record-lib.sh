# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh disable=SC2034 # used by those that source it
#
# Programs that say "ready", wait for a line, and are traced from then on.

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

go_on() {
	echo go >&5
	exec 5>&-
	wait $pid
}
