# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# The configuration to build: fragments from configs/, where later ones override earlier
# ones. Source it after lib.sh.

CONFIG_DIR=${KTEST_CONFIGS:-$KVM_DIR/configs}
# The fragments under a variant's own, unless that says "# base: NAME...". ARCH stands
# for the fragment of the architecture, small-ARCH for that of a small kernel, NAME-ARCH
# for what a variant has on one architecture: that may have nothing of its own.
DEFAULT_CONFIGS="ARCH signatures"

# The names of all variants, a space before each
variants() {
	local path name
	for path in "$CONFIG_DIR"/*.config; do
		name=$(basename "$path" .config)
		case " $ARCHES $DEFAULT_CONFIGS " in
		*" ${name##*-} "*) ;;
		*) printf ' %s' "$name" ;;
		esac
	done
}

is_variant() { # name
	local name
	for name in $(variants); do
		[ "$name" != "$1" ] || return 0
	done
	return 1
}

# The fragments that a fragment's "# base:" names
base_of() { # name
	sed -n 's/^# base: *//p' "$CONFIG_DIR/$1.config"
}

# The whole configuration that a variant's "# under:" names, a file that may be packed. The
# fragments are laid over it, and not over allnoconfig.
under() { # fragment...
	sed -n 's/^# under: *//p' "$@"
}

read_under() { # file
	[ -r "$1" ] || die "there is no $1"
	case $1 in
	*.xz) xz -dc "$1" ;;
	*) cat "$1" ;;
	esac
}

# Is "NAME-ARCH" there for another architecture only? Ask when this one has none.
only_elsewhere() { # name
	[[ $1 == *-ARCH ]] && compgen -G "$CONFIG_DIR/${1%ARCH}*.config" > /dev/null
}

# Add a fragment to FRAGMENTS, after those that it is based on. WITHOUT names a fragment
# to leave out, wherever it is asked for.
add_fragment() { # name [base...]
	local name=${1/%ARCH/$ARCH} base
	[ "$name" != "${WITHOUT:-}" ] || return 0
	if [ ! -e "$CONFIG_DIR/$name.config" ]; then
		only_elsewhere "$1" || die "there is no fragment $CONFIG_DIR/$name.config"
		return
	fi
	shift
	# shellcheck disable=SC2046 # words
	[ $# -gt 0 ] || set -- $(base_of "$name")
	for base in "$@"; do
		add_fragment "$base"
	done
	FRAGMENTS+=("$CONFIG_DIR/$name.config")
}

# Set FRAGMENTS to the files for $ARCH and $VARIANT. CONFIGS, if set, replaces the
# fragments that the variant is based on.
find_fragments() {
	local name
	FRAGMENTS=()
	if [ -n "$VARIANT" ]; then
		is_variant "$VARIANT" || die "VARIANT=$VARIANT: there are$(variants)"
		name=$(base_of "$VARIANT")
		# shellcheck disable=SC2086 # a list of words
		add_fragment "$VARIANT" ${CONFIGS:-${name:-$DEFAULT_CONFIGS}}
		return
	fi
	for name in ${CONFIGS:-$DEFAULT_CONFIGS}; do
		add_fragment "$name"
	done
}

# Print each symbol with the last value that a fragment gives it
wanted_config() { # fragment...
	awk '
	/^CONFIG_[A-Za-z0-9_]+=/ { symbol = $0; sub(/=.*/, "", symbol) }
	/^# CONFIG_[A-Za-z0-9_]+ is not set$/ { symbol = $2 }
	symbol == "" && !/^(#|$)/ {
		printf "%s:%d: neither a value nor a comment\n", FILENAME, FNR >"/dev/stderr"
		exit bad = 1
	}
	symbol != "" {
		if (!(symbol in last))
			order[++count] = symbol
		last[symbol] = $0
		symbol = ""
	}
	END {
		for (i = 1; i <= count && !bad; i++)
			print last[order[i]]
	}' "$@"
}

# Stop if a symbol's value is not the wanted one: it lacks a dependency, does not
# exist, or is selected by another. The kernel would not be what the fragments say.
verify_config() { # wanted got
	local line symbol bad=0
	while read -r line; do
		case $line in
		"# "*)
			symbol=${line#\# }
			symbol=${symbol%% *}
			grep -q "^$symbol=" "$2" || continue
			;;
		*)
			symbol=${line%%=*}
			! grep -qxF -- "$line" "$2" || continue
			;;
		esac
		warn "the configuration wants \"$line\", but got" \
			"\"$(grep -wm1 "$symbol" "$2" || echo "no $symbol")\""
		bad=1
	done <"$1"
	[ $bad = 0 ] || die "the configuration is not what the fragments ask for"
}
