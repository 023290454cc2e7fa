#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Make the kept results of the unmodified base anew: build it with the reference
# configuration and nothing of ours, in build/baseline, run ftracetest on it, and
# its boot-time self tests, and write the files in baseline/. A test that passes
# there must pass on our kernel, so look at the difference before you commit it.
# What guest/tools.sh checks of every kernel must hold there, too.
# Usage: record.sh [ftracetest|startup]; without a word, both.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=../lib.sh
. "$(dirname "$0")/../lib.sh"

on_base() { # command [argument...]
	"$KVM_DIR/kernel/on-base.sh" "$@"
}

record_ftracetest() {
	on_base kernel/build.sh
	on_base rootfs/initramfs.sh
	on_base rootfs/debian-disk.sh
	on_base module.sh suites.tracing_tools
	on_base module.sh suites.ftracetest record "$KVM_DIR/baseline/ftracetest-$ARCH"
}

record_startup() {
	export VARIANT=startup
	on_base kernel/build.sh
	on_base rootfs/initramfs.sh
	on_base module.sh suites.startup record "$KVM_DIR/baseline/startup-$ARCH"
}

main() {
	lock_build
	case ${1:-} in
	'' | ftracetest | startup) ;;
	*) die "there are ftracetest and startup, but no \"$1\"" ;;
	esac
	if [ "${1:-ftracetest}" = ftracetest ]; then (record_ftracetest); fi
	if [ "${1:-startup}" = startup ]; then (record_startup); fi
}

main "$@"
