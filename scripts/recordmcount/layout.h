/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The layout of a type.
 */
#ifndef LAYOUT_H
#define LAYOUT_H

#include "die.h"

bool layout_member(const struct arch *arch, Dwarf_Die *member, Dwarf_Die *type,
		   uint64_t *bit_offset, uint64_t *bits);
bool layout_of(const struct arch *arch, Dwarf_Die *type,
	       struct type_info *info);

#endif /* LAYOUT_H */
