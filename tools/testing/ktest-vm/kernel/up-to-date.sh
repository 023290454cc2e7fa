# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Whether the kernel has to be built again. To ask kbuild takes seconds even if there is
# nothing to do, as it looks at each object's commands and files; to see that no file was
# touched since it last found everything built takes a moment. Source it after lib.sh.
#
# A file counts as touched by the time of its inode's last change, which nobody can set
# back: a file that was replaced by an older one, moved, or removed (its directory is
# touched then) counts as well. In doubt, kbuild is asked.

# Made before kbuild looks at the source, so that what is changed while it builds counts
SOURCE_STAMP=$GUEST/built.source
# Made when everything is built, for what is built; its text is what else it depends on
OUT_STAMP=$GUEST/built.out
# They say nothing of what is to be built, or the stamps' directory says it: make's own,
# this directory's, and the shell's
NOT_BUILT_FROM='ARCH VARIANT FUNC CMD DEPTH SUITE TEST KDIR JOBS TIMEOUT STEPS KEEP DURATION MINUTES
	TARGET FIRST KTEST_LOCKED MAKEFLAGS MFLAGS MAKELEVEL MAKEOVERRIDES MAKE_TERMOUT
	MAKE_TERMERR PWD OLDPWD SHLVL _ TERM COLUMNS LINES'

# Everything that is not a file of the source or of what is built. Packages count as a
# whole: compilers, libraries and their headers are theirs.
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

# Whether make was told to build everything: the letters of single options come first,
# without a dash
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
	# The directories of other kernels are of no concern
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
