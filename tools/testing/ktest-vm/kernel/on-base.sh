#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Run a program of ktest-vm for the unmodified base in place of our tree, in
# build/baseline, with the same configuration except for our options.
# Usage: on-base.sh PROGRAM [ARGUMENT...]; PROGRAM is relative to ktest-vm, such as
# kernel/build.sh
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=../lib.sh
. "$(dirname "$0")/../lib.sh"

# A repository without files, and without patches but those that a variant's kernel has
# whatever its configuration is, as they stand alone: configs/VARIANT.patches names them,
# without their numbers
rm -rf "$BUILD/baseline/repository/patches"
mkdir -p "$BUILD/baseline/repository/patches"
if [ -e "$KVM_DIR/configs/$VARIANT.patches" ]; then
	while read -r patch; do
		cp "$REPO/patches"/[0-9][0-9]-"$patch.patch" "$BUILD/baseline/repository/patches/"
	done < <(grep -v '^#' "$KVM_DIR/configs/$VARIANT.patches")
fi
export KTEST_REPO=$BUILD/baseline/repository
export KTEST_CACHE=$BUILD
export KTEST_BUILD=$BUILD/baseline
export WITHOUT=signatures
program=$KVM_DIR/$1
shift
exec "$program" "$@"
