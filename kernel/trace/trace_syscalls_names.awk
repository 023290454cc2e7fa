# SPDX-License-Identifier: GPL-2.0
#
# From a table of syscalls (NUMBER ABI NAME FUNCTION COMPAT-FUNCTION) prints initializers
# with the number and the name of those that are not named as their function is.
#
# Variables: abis: the wanted ABIs, separated by "|"

/^[0-9]/ && $4 && $2 ~ "^(" abis ")$" {
	if ($4 != "sys_" $3 || ($5 && $5 != "-" && $5 != "compat_sys_" $3))
		printf "{ %d, \"%s\" },\n", $1, $3
}
