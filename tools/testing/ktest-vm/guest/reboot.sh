# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
#
# Write to a buffer that outlives the kernel, and reset the machine; or print what is there.
# The suite "reboot" compares.

instance=/sys/kernel/tracing/instances/kept
marks=$(cat /job/marks)
cd $instance || exit 1
echo 1 >../../options/func-args

write_marks() { # CPU
	number=0
	while [ $number -lt "$marks" ]; do
		echo "mark $1 $number" >trace_marker
		number=$((number + 1))
	done
}

if [ "$marks" = 0 ]; then
	cat trace
	exit 0
fi

echo vfs_open >set_ftrace_filter || exit 1
echo function >current_tracer
for cpu in 0 1; do
	taskset -p $((1 << cpu)) $$ >&2
	write_marks $cpu
done
echo b >/proc/sysrq-trigger
sleep 60
