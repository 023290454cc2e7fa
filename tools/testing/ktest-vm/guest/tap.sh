# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
#
# To be sourced: results as TAP. $failed says whether there was one that failed.

number=0
failed=0

result() { # status name
	number=$((number + 1))
	if [ "$1" = 0 ]; then
		echo "ok $number - $2"
	else
		echo "not ok $number - $2"
		failed=1
	fi
}

end_results() {
	echo "1..$number"
	echo "@ktest done $failed"
}
