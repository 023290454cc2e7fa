#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Make the guest's root, build/initramfs.cpio: busybox, the scripts of guest/, the demo
# program, trace-cmd, the kernel's modules and the ftrace selftests.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=../lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source-path=SCRIPTDIR source=packages.sh
. "$KVM_DIR/rootfs/packages.sh"

ROOT=$GUEST/root
BUSYBOX=/bin/busybox

copy_system() {
	mkdir -p "$ROOT"/{bin,etc,ktest,root}
	install -m 755 "$KVM_DIR/guest/init" "$ROOT/init"
	cp "$KVM_DIR"/guest/*.sh "$KVM_DIR"/guest/*.py "$ROOT/ktest/"
	# Of the base's guest, too, whose selftests do not have it
	cp "$KVM_DIR/../selftests/ftrace/test.d/ftrace/trace-cmd-readers" "$ROOT/ktest/"
	echo ktest >"$ROOT/etc/hostname"
	echo '127.0.0.1 localhost' >"$ROOT/etc/hosts"
	printf '%s\n' 'root:x:0:0:root:/root:/bin/sh' 'nobody:x:65534:65534::/:/bin/sh' \
		>"$ROOT/etc/passwd"
	echo 'root:x:0:' >"$ROOT/etc/group"
}

# Copy a program of the host, with the libraries that it is linked to
copy_program() { # name package
	local program file
	program=$(PATH=$PATH:/usr/sbin:/sbin command -v "$1") ||
		die "$1 is missing (package $2)"
	install -D "$program" "$ROOT/usr/bin/$1"
	ldd "$program" | grep -o '/[^ ]*' | while read -r file; do
		install -D "$file" "$ROOT$file"
	done
}

# libtraceevent loads these by itself, and needs them to print some events
copy_traceevent_plugins() {
	local file
	dpkg -L libtraceevent1-plugin | grep '\.so$' | while read -r file; do
		install -D "$file" "$ROOT$file"
	done
}

# Copy the host's programs if the guest has the same architecture, or else those of
# Debian packages that are not installed here.
copy_programs() {
	if [ "$ARCH" = x86_64 ]; then
		[ -x "$BUSYBOX" ] || die "$BUSYBOX is missing (package busybox-static)"
		cp "$BUSYBOX" "$ROOT/bin/busybox"
		copy_program trace-cmd trace-cmd
		copy_traceevent_plugins
		return
	fi
	make_tarball guest-root extract
	tar -xf "$TARBALL" -C "$ROOT" --exclude=./usr/share --exclude=./var --exclude=./dev \
		--exclude=./etc --exclude=gconv
}

# Options for gcc to build for the guest
target_options() {
	case $ARCH in
	i386) echo -m32 ;;
	esac
}

build_program() { # name
	# shellcheck disable=SC2046 # words
	gcc $(target_options) -O2 -Wall -Wextra -Werror -static \
		-o "$ROOT/bin/$1" "$KVM_DIR/guest/$1.c" ||
		die "the program $1 does not compile"
}

# A program that is nowhere but where it is linked to, so that the host finds it in the guest
build_recorded_program() { # name address gcc's options
	local name=$1 address=$2
	shift 2
	gcc "$@" -O2 -Wall -Wextra -Werror -static -no-pie -Wl,-Ttext-segment="$address" \
		-o "$ROOT/bin/$name" "$KVM_DIR/guest/recorded.c" ||
		die "the program $name does not compile"
}

build_recorded_programs() {
	# shellcheck disable=SC2046 # words
	build_recorded_program recorded 0x10000000 $(target_options)
	[ "$ARCH" = i386 ] || build_recorded_program recorded-32 0x20000000 -m32
}

# A program of the selftests, and one of 32 bits if that is something else
build_selftest_program() { # name
	local to=$ROOT/selftests/ftrace/$1 from=$SOURCE/tools/testing/selftests/ftrace/$1.c

	# shellcheck disable=SC2046 # words
	gcc $(target_options) -O2 -Wall -Wextra -Werror -static -o "$to" "$from" ||
		die "$1 does not compile"
	[ "$ARCH" = i386 ] || gcc -m32 -O2 -Wall -Wextra -Werror -static -o "$to-32" "$from" ||
		die "$1 does not compile for 32 bits"
}

pack() {
	(cd "$ROOT" && find . | LC_ALL=C sort | cpio --quiet -o -H newc -R 0:0) \
		>"$GUEST/initramfs.cpio.new"
	mv "$GUEST/initramfs.cpio.new" "$GUEST/initramfs.cpio"
}

main() {
	lock_build
	[ -e "$OUT/modules.order" ] || die "the kernel is not built; run make build"
	rm -rf "$ROOT"
	copy_system
	copy_programs
	build_program demo
	build_program kernel_calls
	build_recorded_programs
	copy_modules "$ROOT"
	copy_selftests "$ROOT"
	build_selftest_program branch-unseen
	build_selftest_program branch-walk
	pack
	say "guest root: $(du -h "$GUEST/initramfs.cpio" | cut -f1)"
}

main "$@"
