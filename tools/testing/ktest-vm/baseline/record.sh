#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Record the results of the unmodified base: build it in build/baseline, with the
# reference configuration without our options, run ftracetest and the boot-time self
# tests on it, and write the files in baseline/. A test that passes there must pass on
# our kernel, so look at the difference before you commit it. The checks of
# guest/tools.sh that are for any kernel must pass on the base as well.
# Usage: record.sh [ftracetest|startup]; without an argument, both.
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
