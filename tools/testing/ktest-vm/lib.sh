# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash disable=SC2034
#
# What every script of this directory shares: where things stand, how to speak
# and how to stop. Source it after "set -euo pipefail".

KVM_DIR=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
REPO=${KTEST_REPO:-$(cd "$KVM_DIR/../../.." && pwd)}
BUILD=${KTEST_BUILD:-$REPO/build}
# What does not depend on our tree
CACHE=${KTEST_CACHE:-$BUILD}
SOURCE=$BUILD/linux
# Inside the source tree, so that kbuild names every file relative to it: the
# same commands, and so the same ccache entries, wherever a clone lies.
# Another architecture, or a variant of the configuration, is built beside the others,
# from the same source.
ARCHES="x86_64 i386"
ARCH=${ARCH:-x86_64}
VARIANT=${VARIANT:-}
OUT=$SOURCE/out-$ARCH${VARIANT:+-$VARIANT}
# What is made for the guests of this kernel, and their logs
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

case " $ARCHES " in
*" $ARCH "*) ;;
*) die "ARCH=$ARCH: there are $ARCHES" ;;
esac

# Two makes in one build directory would overwrite each other's files. The lock
# is on a file descriptor that children inherit, so it ends with the last one;
# a script that is called by the holder must not wait for itself.
lock_build() {
	[ "${KTEST_LOCKED:-}" != "$BUILD" ] || return 0
	mkdir -p "$BUILD"
	exec 9>"$BUILD/.lock"
	if ! flock -n 9; then
		say "waiting for another make that uses $BUILD"
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

# The built modules, where modprobe of a guest's root looks for them
copy_modules() { # root
	local release path directory
	release=$(cat "$OUT/include/config/kernel.release")
	directory=$1/lib/modules/$release
	mkdir -p "$directory"
	while read -r path; do
		cp "$OUT/${path%.o}.ko" "$directory/"
	done <"$OUT/modules.order"
	cp "$OUT"/modules.order "$OUT"/modules.builtin "$OUT"/modules.builtin.modinfo "$directory/"
	# Where other users' PATH does not reach
	PATH=$PATH:/usr/sbin:/sbin depmod -b "$1" "$release"
}

# The source tree's ftrace selftests, in /selftests of a guest's root
copy_selftests() { # root
	mkdir -p "$1/selftests"
	cp -a "$SOURCE/tools/testing/selftests/ftrace" "$1/selftests/"
	chmod -R u+rwX "$1/selftests"
	chmod +x "$1/selftests/ftrace/ftracetest"
}
