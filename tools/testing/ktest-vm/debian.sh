#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Make a disk for guests that need a whole system, build/debian.ext4: Debian
# with the packages of the group "debian-root", the kernel's modules and the
# ftrace selftests. Debian itself is kept in build/debian-KEY.tar (in KTEST_CACHE
# if that is set), where KEY names the recipe: the next run only unpacks it.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"

SUITE_NAME=bookworm
ROOT=$GUEST/debian
DISK_SIZE=768M
# Nobody reads them there
STRIPPED=(/usr/share/doc /usr/share/man /usr/share/info /usr/share/locale
	/usr/share/i18n)

root_packages() {
	awk '$1 == "debian-root" { print $2 }' "$KVM_DIR/packages" | LC_ALL=C sort
}

# Everything that decides what mmdebstrap makes, apart from the mirror's state
recipe_key() {
	{
		echo "$SUITE_NAME" "${STRIPPED[@]}"
		root_packages
	} | sha256sum | cut -c1-16
}

make_tarball() { # path
	local packages path exclude=()
	packages=$(root_packages | paste -sd,)
	for path in "${STRIPPED[@]}"; do
		exclude+=("--dpkgopt=path-exclude=$path/*")
	done
	say "making a Debian root with $packages (once)"
	rm -f "$CACHE"/debian-*.tar
	mmdebstrap --quiet --variant=minbase --include="$packages" \
		--format=tar "${exclude[@]}" "$SUITE_NAME" "$1.new" \
		${KTEST_MIRROR:+"$KTEST_MIRROR"} ||
		die "mmdebstrap could not make a Debian root (see above)"
	mv "$1.new" "$1"
}

# Device nodes come from devtmpfs, and making them would need root here
unpack() { # tarball
	rm -rf "$ROOT"
	mkdir -p "$ROOT"
	tar -xf "$1" -C "$ROOT" --exclude='./dev/*'
	# Where the guest's init puts what it brings along
	mkdir -p "$ROOT"/{dev,proc,sys,tmp,run,job,ktest}
}

make_disk() {
	rm -f "$GUEST/debian.ext4.new"
	PATH=$PATH:/usr/sbin:/sbin mke2fs -q -t ext4 -E root_owner=0:0 -L ktest \
		-d "$ROOT" "$GUEST/debian.ext4.new" "$DISK_SIZE" >/dev/null ||
		die "mke2fs could not make the guest's disk"
	mv "$GUEST/debian.ext4.new" "$GUEST/debian.ext4"
	rm -rf "$ROOT"
}

main() {
	local tarball
	lock_build
	[ -e "$OUT/modules.order" ] || die "the kernel is not built; run make build"
	tarball=$CACHE/debian-$(recipe_key).tar
	[ -e "$tarball" ] || make_tarball "$tarball"
	unpack "$tarball"
	copy_modules "$ROOT"
	copy_selftests "$ROOT"
	make_disk
	say "Debian guest's disk: $(du -h "$GUEST/debian.ext4" | cut -f1)"
}

main "$@"
