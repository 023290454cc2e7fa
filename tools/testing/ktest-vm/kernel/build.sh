#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Unpack the base, lay our tree over it, configure and build the kernel and its
# modules. Usage: build.sh [base|tree|config|all]; "base" stops at the unpacked
# base, "tree" at the source tree, "config" at the configuration.
#
# build.sh make ARGUMENT... runs the kernel's own make in the output directory. With
# KTEST_UNCACHED=1, ccache only passes the commands on. It stays part of them, because
# kbuild would compile each object anew for another command.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=../lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source-path=SCRIPTDIR source=config.sh
. "$KVM_DIR/kernel/config.sh"
# shellcheck source-path=SCRIPTDIR source=up-to-date.sh
. "$KVM_DIR/kernel/up-to-date.sh"
# shellcheck source-path=SCRIPTDIR source=progress.sh
. "$KVM_DIR/kernel/progress.sh"

# Which files of the tree are not the base's
STATE=$BUILD/overlay.paths

# The base, which is never changed. The package's full version tells one base from
# the next, because Debian's patches may change while upstream's version does not.
unpack_base() {
	[ -r "$BASE_TARBALL" ] || die "$BASE_TARBALL is missing (package $BASE_PACKAGE)"
	package=$(dpkg-query -W -f '${Version}' "$BASE_PACKAGE")
	BASE=$CACHE/base-${package%%-*}
	if [ "$(cat "$CACHE/base.package" 2>/dev/null)" != "$package" ]; then
		say "unpacking $BASE_PACKAGE $package"
		rm -rf "$CACHE"/base-* "$CACHE/base.package"
		mkdir -p "$BASE"
		tar -xf "$BASE_TARBALL" -C "$BASE" --strip-components=1
		echo "$package" >"$CACHE/base.package"
	fi
	version=$(kernel_version "$BASE")
	case $version in
	"$BASE_SERIES".*) ;;
	*) die "$BASE_TARBALL holds Linux $version, not $BASE_SERIES" ;;
	esac
	say "base: Linux $version ($BASE_PACKAGE $package)"
}

# The working copy: the base, patched and overlaid
make_tree() {
	if [ "$(cat "$BUILD/linux.package" 2>/dev/null)" != "$package" ]; then
		say "copying the base to $SOURCE"
		rm -rf "$SOURCE" "$STATE" "$BUILD/linux.package"
		cp -a --reflink=auto "$BASE" "$SOURCE"
		echo "$package" >"$BUILD/linux.package"
	fi
	python3 "$KVM_DIR/kernel/overlay.py" sync "$BASE" "$SOURCE" "$STATE"
}

# Compiler output must depend on the source alone: no time, no user or host names, no
# path of this clone. Otherwise ccache would miss.
setup_environment() {
	export KBUILD_BUILD_TIMESTAMP='1970-01-01' KBUILD_BUILD_USER=ktest
	export KBUILD_BUILD_HOST=ktest KBUILD_BUILD_VERSION=1
	export CCACHE_BASEDIR=$BUILD CCACHE_NOHASHDIR=1
	export CCACHE_COMPILERCHECK=content
	if [ -z "${CCACHE_DIR:-}" ] && ! [ -w "${HOME:-/nonexistent}" ]; then
		export CCACHE_DIR=$BUILD/ccache
	fi
	compiler=gcc
	if [ -z "${CCACHE_DISABLE:-}" ]; then
		compiler="ccache gcc"
	fi
}

kmake() {
	make -C "$SOURCE" O="$OUT" ARCH="$ARCH" CC="$compiler" HOSTCC="$compiler" \
		--no-print-directory "$@"
}

# A hash of everything that the configuration depends on
config_key() {
	local path
	{
		gcc --version
		pahole --version 2>/dev/null || true
		cat "${FRAGMENTS[@]}"
		for path in $(under "${FRAGMENTS[@]}"); do
			read_under "$path"
		done
		{ grep -E '(^|/)Kconfig' "$STATE" || true; } | while read -r path; do
			cat "$SOURCE/$path" 2>/dev/null || echo "no $path"
		done
	} | sha256sum
}

# A variant that shares most objects with the reference starts from a copy of the
# reference's output; kbuild compiles only what the other configuration changes.
seed_output() {
	local reference=$SOURCE/out-$ARCH
	grep -q '^# seed$' "${FRAGMENTS[-1]}" || return 0
	if [ -e "$OUT/.config" ] || ! [ -e "$reference/vmlinux" ]; then
		return
	fi
	say "starting from a copy of $reference"
	rm -rf "$OUT"
	cp -a --reflink=auto "$reference" "$OUT"
	rm -f "$OUT/.ktest-config"
}

# Make .config of all.config, laid over a whole configuration if there is one
make_config() { # [file]
	if [ -z "${1:-}" ]; then
		kmake -s KCONFIG_ALLCONFIG="$GUEST/all.config" allnoconfig
		return
	fi
	read_under "$1" >"$GUEST/under.config"
	wanted_config "$GUEST/under.config" "$GUEST/all.config" >"$OUT/.config"
	kmake -s olddefconfig
}

configure() {
	local key
	seed_output
	key=$(config_key)
	if [ "$(cat "$OUT/.ktest-config" 2>/dev/null)" = "$key" ] && [ -e "$OUT/.config" ]; then
		return
	fi
	say "configuring"
	mkdir -p "$OUT" "$GUEST"
	wanted_config "${FRAGMENTS[@]}" >"$GUEST/all.config"
	make_config "$(under "${FRAGMENTS[@]}")"
	verify_config "$GUEST/all.config" "$OUT/.config"
	echo "$key" >"$OUT/.ktest-config"
}

# Tell somebody who builds here for the first time how long it takes
tell_first_build() {
	say "the first build of a configuration takes some 13 minutes on two processors that" \
		"nobody else uses (here: $(nproc)), and $BUILD takes some 4 GB of disk"
}

run_kbuild() {
	local steps
	steps=$(steps_of "${FRAGMENTS[@]}")
	if [ -e "$OUT/vmlinux" ] || [ -z "$steps" ]; then
		kmake -j"$JOBS" V=0 bzImage modules
		return
	fi
	tell_first_build
	kmake -j"$JOBS" V=0 bzImage modules | with_progress "$steps"
}

build_kernel() {
	local start=$SECONDS from
	from=$(built_from "$compiler" | sha256sum)
	if is_built "$from"; then
		say "kernel $(cat "$OUT/include/config/kernel.release"): no file was touched since" \
			"it was built"
		return
	fi
	say "building the kernel and its modules for $ARCH${VARIANT:+, variant $VARIANT}," \
		"$JOBS jobs ($compiler)"
	begin_build
	run_kbuild
	end_build "$from"
	say "kernel $(cat "$OUT/include/config/kernel.release") built in $((SECONDS - start)) s"
}

main() {
	local goal=${1:-all}

	find_fragments
	lock_build
	if [ "$goal" = make ]; then
		setup_environment
		[ -z "${KTEST_UNCACHED:-}" ] || export CCACHE_DISABLE=1
		kmake "${@:2}"
		return
	fi
	unpack_base
	[ "$goal" != base ] || return 0
	make_tree
	[ "$goal" != tree ] || return 0
	setup_environment
	configure
	[ "$goal" != config ] || return 0
	build_kernel
}

main "$@"
