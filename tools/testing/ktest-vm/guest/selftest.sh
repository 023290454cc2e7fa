# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
#
# Run the selftests that /job/tests lists. A line is the path of a test, and options of
# ftracetest after it. Tests with the same options run in one go: what ftracetest does once, when
# it begins and ends, takes longer than many tests. But each test is reported by itself, as soon
# as it ended, so that the host knows which one it was if the guest does not come back. What
# /job/environment sets, tests see. With /job/together, ftracetest's own report is passed on.

job=${KTEST_JOB:-/job}
tmp=${KTEST_TMP:-/tmp}
logs=$tmp/logs
ended=$tmp/selftest-status

if [ -e "$job/environment" ]; then
	set -a
	. "$job/environment"
	set +a
fi
cd "${KTEST_SELFTESTS:-/selftests/ftrace}" || exit 1

if [ -e "$job/together" ]; then
	echo "@ktest test ftracetest"
	# shellcheck disable=SC2046 # paths are words
	./ftracetest -K -v --logdir "$logs" $(cat "$job/tests") 2>&1 </dev/null
	status=$?
	echo "@ktest done $status"
	exit $status
fi

# ftracetest repeats these in an instance, when it is through with all
instance_tests() { # test...
	grep -l '^#[ 	]*flags:.*instance' "$@" /dev/null
}

# Its verdict with the options that were given, in which a test may not be unsupported
failed() { # options line
	case $2 in
	"not ok "*) return 0 ;;
	*"# SKIP"*) ;;
	*) return 1 ;;
	esac
	case $1 in
	*--fail-unsupported*) return 0 ;;
	esac
	return 1
}

report_test() { # options line
	echo "TAP version 13"
	echo "1..1"
	echo "$2"
	number=${2#*ok }
	failed "$@" || return 0
	sed 's/^/# /' "$logs/${number%% *}"-*-log.*
	return 1
}

report() { # options test...
	options=$1
	shift
	echo "@ktest test $1"
	while IFS= read -r line; do
		case $line in
		"TAP version"* | 1..* | "# Totals:"* | "") ;;
		"ok "* | "not ok "*)
			status=0
			report_test "$options" "$line" || status=1
			[ $status = 0 ] || echo 1 >"$ended"
			echo "@ktest done $status"
			shift
			[ $# = 0 ] || echo "@ktest test $1"
			;;
		*) echo "$line" ;;
		esac
	done
}

# shellcheck disable=SC2086 # options are words, and paths
run_tests() { # options
	tests=$(awk -v options="$1" '{ test = $1; $1 = ""; sub(/^ /, "") }
		$0 == options { print test }' "$job/tests")
	rm -rf "$logs"
	./ftracetest -K --fail-unresolved --logdir "$logs" $1 $tests 2>&1 </dev/null |
		report "$1" $tests $(instance_tests $tests)
}

echo 0 >"$ended"
sed 's/^[^ ]* *//' "$job/tests" | sort -u >"$tmp/selftest-options"
while IFS= read -r options; do
	run_tests "$options"
done <"$tmp/selftest-options"
exit "$(cat "$ended")"
