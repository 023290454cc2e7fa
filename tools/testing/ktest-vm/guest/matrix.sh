# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
#
# Run the selftest in /job/test with each of the truth modules /job/NAME.ko that
# /job/tests names, and say of each comparison how much was known.

cd /selftests/ftrace || exit 1
test=$(cat /job/test)
export TRUTH_MODULE TRUTH_LENIENT=lenient TRUTH_COUNTS=/tmp/counts
failed=0
while read -r name; do
	echo "@ktest test $name"
	TRUTH_MODULE=/job/$name.ko
	: >$TRUTH_COUNTS
	./ftracetest -K -v --logdir /tmp/logs --fail-unsupported "$test" 2>&1 </dev/null
	status=$?
	sed 's/^/@ktest known /' $TRUTH_COUNTS
	[ $status = 0 ] || failed=1
	echo "@ktest done $status"
done </job/tests
exit $failed
