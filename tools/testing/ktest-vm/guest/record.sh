# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
#
# Print the branches of programs that the host watches, as branch tracing tells them.

. /ktest/record-lib.sh

trace() {
	echo >$instance/trace
	echo $pid >$instance/branch/task && echo 1 >$instance/events/branch/enable || return 1
	go_on || return 1
	echo 0 >$instance/events/branch/enable
}

mkdir $instance || exit 1
echo 16384 >$instance/buffer_size_kb
for program in /bin/recorded*; do
	echo "@ktest record ${program#/bin/}"
	start "$program" && trace || exit 1
	cat $instance/trace
done
