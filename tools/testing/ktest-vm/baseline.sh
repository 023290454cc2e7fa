#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Make the kept results of the unmodified base anew: build it with the reference
# configuration and nothing of ours, in build/baseline, run ftracetest on it,
# and write baseline/ftracetest-x86_64. A test that passes there must pass on
# our kernel, so look at the difference before you commit it.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"

KEPT=$KVM_DIR/baseline/ftracetest-x86_64

# A repository without files and patches
plain_base() {
	mkdir -p "$BUILD/baseline/repository"
	export KTEST_REPO=$BUILD/baseline/repository
	export KTEST_CACHE=$BUILD
	export KTEST_BUILD=$BUILD/baseline
	export CONFIGS=x86_64
}

main() {
	lock_build
	plain_base
	"$KVM_DIR/build.sh"
	"$KVM_DIR/root.sh"
	"$KVM_DIR/debian.sh"
	"$KVM_DIR/ftracetest.py" record "$KEPT"
}

main "$@"
