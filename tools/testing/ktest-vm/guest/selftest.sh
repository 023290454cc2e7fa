# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
#
# Run the selftests that /job/tests lists, one by one, so that the host knows
# which one it was if the guest does not come back. A line is the path of a test,
# and options of ftracetest after it. What /job/environment sets, tests see. With
# /job/together, ftracetest runs them all in one go: that is quicker, for what it
# does before and after them takes seconds.

if [ -e /job/environment ]; then
	set -a
	. /job/environment
	set +a
fi
cd /selftests/ftrace || exit 1

if [ -e /job/together ]; then
	echo "@ktest test ftracetest"
	# shellcheck disable=SC2046 # paths are words
	./ftracetest -K -v --logdir /tmp/logs $(cat /job/tests) 2>&1 </dev/null
	status=$?
	echo "@ktest done $status"
	exit $status
fi

failed=0
while read -r test options; do
	echo "@ktest test $test"
	# The log of an unresolved test is printed only if such a test counts as failed
	# shellcheck disable=SC2086 # options are words
	./ftracetest -K -v --fail-unresolved --logdir /tmp/logs $options "$test" 2>&1 </dev/null
	status=$?
	[ $status = 0 ] || failed=1
	echo "@ktest done $status"
done </job/tests
exit $failed
