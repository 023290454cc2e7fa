#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Apply our patches to the user's own kernel tree, KDIR=/path, and copy our files into
# it. Every patch is tried outside the tree first, so the tree is changed as a whole
# or not at all.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=../lib.sh
. "$(dirname "$0")/../lib.sh"

[ -n "${KDIR:-}" ] || die "which tree? make apply KDIR=/path/to/linux-$BASE_SERIES"
[ -d "$KDIR" ] || die "$KDIR is no directory"
[ -f "$KDIR/kernel/trace/Kconfig" ] || die "$KDIR is no kernel source tree"
version=$(kernel_version "$KDIR") || die "$KDIR/Makefile states no kernel version"
case $version in
"$BASE_SERIES".*) ;;
*) die "$KDIR is Linux $version; our files are for $BASE_SERIES" ;;
esac
say "applying to Linux $version in $KDIR"
python3 "$KVM_DIR/kernel/overlay.py" apply "$KDIR"
