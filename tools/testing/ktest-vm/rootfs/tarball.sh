#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Print the path of a tarball with the unpacked packages of a group of the file
# "deps.list", for $ARCH; make it if it does not exist. Usage: tarball.sh GROUP
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=../lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source-path=SCRIPTDIR source=packages.sh
. "$KVM_DIR/rootfs/packages.sh"

lock_build
make_tarball "$1" extract >&2
echo "$TARBALL"
