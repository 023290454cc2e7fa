# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Debian packages for guests, of any architecture, kept in tarballs whose names contain
# a hash of what they were made from. Source it after lib.sh.

DEBIAN_SUITE=bookworm
# Without updates: a guest is to have the same packages tomorrow
DEBIAN_MIRROR=${KTEST_MIRROR:-http://deb.debian.org/debian}

# Debian's name of $ARCH
debian_arch() {
	echo "${ARCH/x86_64/amd64}"
}

# Print the packages of a group of the file "deps.list" in one line
packages_of() { # group
	awk -v group="$1" '$1 == group { print $2 }' "$KVM_DIR/deps.list" |
		LC_ALL=C sort | paste -sd,
}

# Make the tarball of a group's packages if it does not exist, and set TARBALL to its
# path. The variant is mmdebstrap's: "extract" only unpacks the packages.
make_tarball() { # group variant [mmdebstrap's argument...]
	local packages recipe
	packages=$(packages_of "$1")
	recipe=$({ echo "$DEBIAN_SUITE $(debian_arch) $packages" "${@:2}"; } |
		sha256sum | cut -c1-16)
	TARBALL=$CACHE/$1-$ARCH-$recipe.tar
	# Suites of two architectures may want the same one at the same time
	exec 8>"$CACHE/.$1-$ARCH.lock"
	flock 8
	[ ! -e "$TARBALL" ] || return 0
	say "making a Debian root for $ARCH with $packages (once)"
	rm -rf "$CACHE/$1-$ARCH"-*
	mmdebstrap --quiet --architectures="$(debian_arch)" --variant="$2" \
		--include="$packages" --format=tar "${@:3}" "$DEBIAN_SUITE" \
		"$TARBALL.new" "$DEBIAN_MIRROR" ||
		die "mmdebstrap could not make a Debian root (see above)"
	mv "$TARBALL.new" "$TARBALL"
}
