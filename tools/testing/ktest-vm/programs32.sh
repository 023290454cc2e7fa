#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Let this machine run 32-bit programs: tests compile such, and a Debian root for i386 is
# set up by its own. A kernel for x86-64 need not run them. If this one does not, QEMU's
# emulation of programs is registered with binfmt_misc, until the machine is shut down.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"

QEMU_I386=/usr/bin/qemu-i386-static
BINFMT=/proc/sys/fs/binfmt_misc
# The first bytes of an executable for i386, and which bits of them count. An ABI of the
# system and padding do not; a position-independent executable has 3 for 2.
MAGIC='\x7fELF\x01\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\x03\x00'
MASK='\xff\xff\xff\xff\xff\xfe\xfe\x00\xff\xff\xff\xff\xff\xff\xff\xff\xfe\xff\xff\xff'

# Compile the smallest program, which needs no library, and run it
runs_programs() {
	local top status=0
	top=$(mktemp -d)
	# shellcheck disable=SC2016 # of assembly
	printf '.globl _start\n_start: movl $1, %%eax\nxorl %%ebx, %%ebx\nint $0x80\n' |
		gcc -m32 -nostdlib -static -no-pie -x assembler -o "$top/program" - ||
		die "gcc -m32 does not work"
	"$top/program" 2>/dev/null || status=$?
	rm -rf "$top"
	[ $status = 0 ]
}

register_emulation() {
	[ -e $BINFMT/register ] || as_root mount -t binfmt_misc binfmt_misc $BINFMT ||
		return 1
	# F: the emulator is opened now, so that it is there in a root of its own, too
	printf '%s' ":ktest-i386:M::$MAGIC:$MASK:$QEMU_I386:F" |
		as_root tee $BINFMT/register >/dev/null
}

main() {
	! runs_programs || return 0
	say "this machine's kernel runs no 32-bit programs: QEMU is to emulate them"
	"$KVM_DIR/deps.sh" emulate
	[ -e $BINFMT/ktest-i386 ] || register_emulation || true
	runs_programs || die "this machine runs no 32-bit programs: its kernel has no" \
		"CONFIG_IA32_EMULATION, or ia32_emulation=off, and $BINFMT cannot be used"
}

main "$@"
