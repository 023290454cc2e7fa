/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The layout of a type.
 */
#ifndef LAYOUT_H
#define LAYOUT_H

#include "die.h"

bool layout_of(const struct arch *arch, Dwarf_Die *type,
	       struct type_info *info);

#endif /* LAYOUT_H */
