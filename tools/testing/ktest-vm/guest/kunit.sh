# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
#
# Report what the KUnit suites found when the kernel booted. debugfs holds each
# suite's result whole, while on the console other messages fall between.

for suite in /sys/kernel/debug/kunit/*/; do
	[ -r "$suite/results" ] || continue
	echo "@ktest test $(basename "$suite")"
	cat "$suite/results"
	echo "@ktest done 0"
done
