#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Run a command of this directory for the unmodified base instead of our tree: with
# the same configuration but for what is ours, in build/baseline.
# Usage: plain.sh COMMAND [ARGUMENT...]
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"

# A repository without files and patches
mkdir -p "$BUILD/baseline/repository"
export KTEST_REPO=$BUILD/baseline/repository
export KTEST_CACHE=$BUILD
export KTEST_BUILD=$BUILD/baseline
export WITHOUT=signatures
program=$KVM_DIR/$1
shift
exec "$program" "$@"
