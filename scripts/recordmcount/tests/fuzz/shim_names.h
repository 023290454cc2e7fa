/* SPDX-License-Identifier: GPL-2.0 */
/* What has a name in kernel_shim.h, for the oracle to say the same. */
#ifndef SHIM_NAMES_H
#define SHIM_NAMES_H

enum shim_name {
	NAME_NONE,
	NAME_TEXT,
	NAME_INIT,
	NAME_MODULE,
};

static inline enum shim_name shim_name_of(unsigned long address)
{
	return (enum shim_name)(address >> 4 & 3);
}

/* How far the address is from the beginning of what has the name */
static inline unsigned long shim_offset_of(unsigned long address)
{
	return address & 3;
}

static inline int shim_errno_has_name(int err)
{
	return err % 5;
}

#endif /* SHIM_NAMES_H */
