# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash disable=SC2034
#
# What all shell programs share: paths, messages, the build lock and two copies of
# files into a guest's root. Source it after "set -euo pipefail".

KVM_DIR=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
REPO=${KTEST_REPO:-$(cd "$KVM_DIR/../../.." && pwd)}
BUILD=${KTEST_BUILD:-$REPO/build}
# For files that do not depend on our tree
CACHE=${KTEST_CACHE:-$BUILD}
SOURCE=$BUILD/linux
# Inside the source tree, so that kbuild names every file relative to it: commands,
# and therefore ccache's entries, do not depend on where a clone is. Each
# architecture and variant of the configuration has a directory of its own.
ARCHES="x86_64 i386"
ARCH=${ARCH:-x86_64}
VARIANT=${VARIANT:-}
OUT=$SOURCE/out-$ARCH${VARIANT:+-$VARIANT}
# Roots, disks and logs of this kernel's guests
GUEST=$BUILD
if [ "$ARCH$VARIANT" != x86_64 ]; then
	GUEST=$BUILD/variants/${OUT#"$SOURCE"/out-}
	GUEST=${GUEST/x86_64-/}
fi
BASE_PACKAGE=linux-source-6.12
BASE_TARBALL=/usr/src/$BASE_PACKAGE.tar.xz
BASE_SERIES=6.12
JOBS=${JOBS:-$(nproc)}

say() {
	printf '== %s\n' "$*"
}

warn() {
	printf '%s: %s\n' "${0##*/}" "$*" >&2
}

die() {
	warn "error: $*"
	exit 1
}

as_root() { # command...
	if [ "$(id -u)" = 0 ]; then
		"$@"
	elif command -v sudo >/dev/null; then
		sudo "$@"
	else
		die "this needs root or sudo: $*"
	fi
}

case " $ARCHES " in
*" $ARCH "*) ;;
*) die "ARCH=$ARCH: there are $ARCHES" ;;
esac

# Two makes in one build directory would overwrite each other's files. Children
# inherit the locked file descriptor, so the lock lasts until the last of them
# ends. KTEST_LOCKED keeps a script that the holder calls from waiting.
lock_build() {
	[ "${KTEST_LOCKED:-}" != "$BUILD" ] || return 0
	mkdir -p "$BUILD"
	exec 9>"$BUILD/.lock"
	if ! flock -n 9; then
		say "waiting for another make that uses $BUILD" >&2
		flock 9
	fi
	export KTEST_LOCKED=$BUILD
}

# The version that a kernel tree's Makefile states, such as 6.12.57
kernel_version() { # tree
	[ -r "$1/Makefile" ] || return 1
	awk -F' *= *' '
		$1 == "VERSION" { v = $2 }
		$1 == "PATCHLEVEL" { p = $2 }
		$1 == "SUBLEVEL" { s = $2; exit }
		END { if (v == "") exit 1; print v "." p "." s }' "$1/Makefile"
}

# Copy the built modules to where modprobe looks for them in a guest's root. Without
# DWARF, which nothing needs there: a distribution's modules would not fit in memory.
copy_modules() { # root
	local release path directory
	release=$(cat "$OUT/include/config/kernel.release")
	directory=$1/lib/modules/$release
	mkdir -p "$directory"
	while read -r path; do
		path=$OUT/${path%.o}.ko
		objcopy --strip-debug "$path" "$directory/${path##*/}"
	done <"$OUT/modules.order"
	cp "$OUT"/modules.order "$OUT"/modules.builtin "$OUT"/modules.builtin.modinfo "$directory/"
	# Where other users' PATH does not reach
	PATH=$PATH:/usr/sbin:/sbin depmod -b "$1" "$release"
}

# Copy the source tree's ftrace selftests to /selftests of a guest's root
copy_selftests() { # root
	mkdir -p "$1/selftests"
	cp -a "$SOURCE/tools/testing/selftests/ftrace" "$1/selftests/"
	chmod -R u+rwX "$1/selftests"
	chmod +x "$1/selftests/ftrace/ftracetest"
}
