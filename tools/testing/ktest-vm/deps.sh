#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Install the Debian packages that are missing. Usage: deps.sh GROUP...
# The groups are the first words of the lines in the file "deps.list".
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"

wanted() { # group...
	local group
	for group in "$@"; do
		awk -v group="$group" '$1 == group { print $2 }' "$KVM_DIR/deps.list"
	done
}

installed() { # package
	[ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null)" = installed ]
}

apt() {
	as_root env DEBIAN_FRONTEND=noninteractive apt-get -q -y "$@"
}

find_missing() { # group...
	local package
	missing=
	for package in $(wanted "$@"); do
		installed "$package" || missing+=" $package"
	done
	[ -n "$missing" ] || exit 0
}

find_missing "$@"
# Another make may have installed them meanwhile
lock_build
find_missing "$@"
command -v apt-get >/dev/null ||
	die "this is no Debian system; install what these packages hold:$missing"
say "installing$missing"
# The package lists may be missing, as in a container, or name files that the mirror no
# longer has
ls /var/lib/apt/lists/*_Packages* >/dev/null 2>&1 || apt update
# shellcheck disable=SC2086 # a list of words
apt install --no-install-recommends $missing || {
	apt update
	apt install --no-install-recommends $missing
} || die "apt-get could not install$missing"
