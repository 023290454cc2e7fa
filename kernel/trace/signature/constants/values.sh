#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# values.sh HEADERS CANDIDATES CC [FLAGS]
#
# Print a line "EXPRESSION HIGH LOW" for each line of the file CANDIDATES that is an
# integer constant where the file HEADERS is included. What does not compile is no
# constant. The values are those that the compiler computes, of 64 bits, as two signed
# numbers of 32 bits each.

# shellcheck disable=SC2016 # the variables of awk

set -e
export LC_ALL=C
headers=$1
candidates=$2
AWK=${AWK:-awk}
shift 2

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
cp "$candidates" "$work/good"

# Line N + 1 of the program is about line N of the candidates. Without tracking, an
# error in a macro is reported at the line that uses the macro.
compile()
{
	"$@" -w -fno-diagnostics-color -fmax-errors=0 -ftrack-macro-expansion=0 \
		-x c "$work/probe.c"
}

# An error may hide another one, so try until there is none.
while :; do
	{
		echo "#include \"$headers\""
		"$AWK" '{ print "enum { __candidate_" NR " = (long long)(" $0 ") };" }' "$work/good"
	} >"$work/probe.c"
	compile "$@" -fsyntax-only 2>"$work/errors" && break
	sed -n "s,^$work/probe\.c:\([0-9]*\):.* error: .*,\1,p" "$work/errors" >"$work/bad"
	if ! [ -s "$work/bad" ]; then
		cat "$work/errors" >&2
		exit 1
	fi
	"$AWK" -v bad="$work/bad" '
		BEGIN { while ((getline line <bad) > 0) skip[line - 1] = 1 }
		!(NR in skip)' "$work/good" >"$work/better"
	if cmp -s "$work/better" "$work/good"; then
		cat "$work/errors" >&2
		exit 1
	fi
	mv "$work/better" "$work/good"
done

# The compiler's output has each value as text. It prints the wide ones in halves only.
{
	echo "#include \"$headers\""
	echo "void __candidates(void);"
	echo "void __candidates(void)"
	echo "{"
	"$AWK" '{
		value = "(long long)(" $0 ")"
		print "asm volatile(\"\\n.ascii \\\"->" NR " %c0 %c1\\\"\" : : " \
		      "\"i\" ((int)(" value " >> 32)), \"i\" ((int)(" value ")));"
	}' "$work/good"
	echo "}"
} >"$work/probe.c"
compile "$@" -S -o "$work/probe.s"
sed -n 's,^[[:space:]]*\.ascii[[:space:]]*"->\([0-9]* -*[0-9]* -*[0-9]*\)".*,\1,p' "$work/probe.s" |
	"$AWK" -v good="$work/good" '
		{ value[$1] = $2 " " $3 }
		END {
			for (i = 1; (getline line <good) > 0; i++) {
				if (!(i in value))
					exit 1
				print line, value[i]
			}
		}'
