/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Location views: what holds before and behind assignments at one address.
 */
#ifndef VIEWS_H
#define VIEWS_H

#include "die.h"

bool views_begin(const Elf_Data *views, Dwarf_Die *die, Dwarf_Attribute *list,
		 unsigned int range, uint64_t *view);
const Elf_Data *views_of(Dwarf_Die *unit);

#endif /* VIEWS_H */
