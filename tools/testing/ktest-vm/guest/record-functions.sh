# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
#
# Print the branches of the functions in /job/functions that a program calls, as branch tracing
# tells them. The host watches from "recording" to "recorded", and answers both.

. /ktest/record-lib.sh

tell_host() { # what
	echo "@ktest $1"
	read -r _ <&4
}

choose() {
	cat /job/functions >$instance/branch/function &&
		echo kernel >$instance/branch/mode &&
		echo $pid >$instance/branch/task &&
		echo 1 >$instance/events/branch/enable
}

exec 4</dev/ttyS1
stty raw -echo <&4
mkdir $instance || exit 1
echo 16384 >$instance/buffer_size_kb
echo 1 >$instance/options/sym-addr
start kernel_calls && choose || exit 1
tell_host recording
go_on || exit 1
tell_host recorded
echo 0 >$instance/events/branch/enable
echo "@ktest trace"
cat $instance/trace
