# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Whether the kernel has to be built again. Even if nothing is to be done, kbuild takes
# seconds to check the commands and files of each object. It is much quicker to check
# that no file was touched since kbuild last found everything built. Source it after
# lib.sh.
#
# A file counts as touched by its inode's change time (ctime), which cannot be set
# back. That covers files that were replaced by older ones, moved, or removed (which
# touches the directory). In doubt, kbuild runs.

# Created before kbuild looks at the source, so that changes during the build count
SOURCE_STAMP=$GUEST/built.source
# Created when everything is built; holds a hash of all else that the build depends on
OUT_STAMP=$GUEST/built.out
# Variables that do not change the build, or that the stamps' directory is named after:
# make's own, ktest-vm's, and the shell's
NOT_BUILT_FROM='ARCH VARIANT FUNC CMD DEPTH SUITE TEST KDIR JOBS TIMEOUT STEPS KEEP DURATION MINUTES
	TARGET FIRST KTEST_LOCKED MAKEFLAGS MFLAGS MAKELEVEL MAKEOVERRIDES MAKE_TERMOUT
	MAKE_TERMERR PWD OLDPWD SHLVL _ TERM COLUMNS LINES'

# Print everything else that the build depends on, besides the source and the output.
# The state of all packages stands for compilers, libraries and their headers.
built_from() { # compiler
	local name arguments=()
	for name in $NOT_BUILT_FROM; do
		arguments+=(-u "$name")
	done
	config_key
	echo "$1"
	env "${arguments[@]}" | LC_ALL=C sort
	cat "$KVM_DIR"/lib.sh "$KVM_DIR"/kernel/{build,up-to-date,config}.sh
	stat -c %z /var/lib/dpkg/status 2>/dev/null || true
}

# Whether make was told to build everything (-B): MAKEFLAGS begins with the letters of
# such options, without a dash
make_insists() {
	local letters=${MAKEFLAGS:-}
	letters=${letters%% *}
	[[ $letters != -* && $letters == *B* ]]
}

touched() { # stamp path... [find's argument...]
	local stamp=$1 found
	shift
	found=$(find "$@" -cnewer "$stamp" -print -quit) || return 0
	[ -n "$found" ]
}

# Whether kbuild would find nothing to do
is_built() { # what it is built from
	[ -e "$SOURCE_STAMP" ] && [ "$(cat "$OUT_STAMP" 2>/dev/null)" = "$1" ] || return 1
	! make_insists || return 1
	! touched "$OUT_STAMP" "$OUT" || return 1
	# The output directories of other kernels do not count
	! touched "$SOURCE_STAMP" "$SOURCE" -mindepth 1 -path "$SOURCE/out-*" -prune -o
}

begin_build() {
	mkdir -p "$GUEST"
	rm -f "$OUT_STAMP"
	touch "$SOURCE_STAMP"
}

end_build() { # what it was built from
	echo "$1" >"$OUT_STAMP.new"
	mv "$OUT_STAMP.new" "$OUT_STAMP"
}
