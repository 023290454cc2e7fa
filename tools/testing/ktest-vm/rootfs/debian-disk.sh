#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# debian-disk.sh [ARCH]
#
# Make build/debian.ext4, a disk for guests that need a whole system: Debian with the
# packages of the group "debian-root", the kernel's modules and the ftrace selftests. With
# an architecture whose programs this one's kernels run as well, make debian-ARCH.ext4 of
# its Debian.
# Debian itself is kept as a tarball in build (in KTEST_CACHE if that is set), so that
# the next run only unpacks it.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=../lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source-path=SCRIPTDIR source=packages.sh
. "$KVM_DIR/rootfs/packages.sh"

NAME=debian${1:+-$1}
ROOT=$GUEST/$NAME
DISK=$GUEST/$NAME.ext4
DISK_SIZE=768M
# Documentation is not needed there
STRIPPED=(/usr/share/doc /usr/share/man /usr/share/info /usr/share/locale
	/usr/share/i18n)

# In the name of another architecture, if one is given
make_debian() { # [ARCH]
	local path exclude=() ARCH=${1:-$ARCH}
	for path in "${STRIPPED[@]}"; do
		exclude+=("--dpkgopt=path-exclude=$path/*")
	done
	make_tarball debian-root minbase "${exclude[@]}"
}

# Without device nodes: devtmpfs has them, and only root could make them here
unpack() { # tarball
	rm -rf "$ROOT"
	mkdir -p "$ROOT"
	tar -xf "$1" -C "$ROOT" --exclude='./dev/*'
	# The guest's init mounts and copies files there
	mkdir -p "$ROOT"/{dev,proc,sys,tmp,run,job,ktest}
}

make_disk() {
	rm -f "$DISK.new"
	PATH=$PATH:/usr/sbin:/sbin mke2fs -q -t ext4 -E root_owner=0:0 -L ktest \
		-d "$ROOT" "$DISK.new" "$DISK_SIZE" >/dev/null ||
		die "mke2fs could not make the guest's disk"
	mv "$DISK.new" "$DISK"
	rm -rf "$ROOT"
}

main() {
	lock_build
	[ -e "$OUT/modules.order" ] || die "the kernel is not built; run make build"
	make_debian "$@"
	unpack "$TARBALL"
	copy_modules "$ROOT"
	copy_selftests "$ROOT"
	make_disk
	say "Debian guest's disk: $(du -h "$DISK" | cut -f1)"
}

main "$@"
