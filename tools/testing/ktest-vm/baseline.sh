#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Make the kept results of the unmodified base anew: build it with the reference
# configuration and nothing of ours, in build/baseline, run ftracetest on it,
# and write baseline/ftracetest-x86_64. A test that passes there must pass on
# our kernel, so look at the difference before you commit it. What guest/tools.sh
# checks of every kernel must hold there, too.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"

plain() { # command [argument...]
	"$KVM_DIR/plain.sh" "$@"
}

main() {
	lock_build
	plain build.sh
	plain root.sh
	plain debian.sh
	plain tools.py
	plain ftracetest.py record "$KVM_DIR/baseline/ftracetest-x86_64"
}

main "$@"
