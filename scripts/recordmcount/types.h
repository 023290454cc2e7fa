/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Types of an object: from DWARF to a table.
 */
#ifndef TYPES_H
#define TYPES_H

#include "die.h"
#include "table.h"

/**
 * enum type_view - from where a type is seen, which decides about its members
 * @VIEW_PARAM: it is that of a parameter or result, or what that points to
 * @VIEW_MEMBER: it is that of a member
 * @VIEW_TARGET: a member points to it, or a function type has it
 * @VIEW_NR: number of views
 *
 * A structure has its members, except in VIEW_TARGET, where it is a stub if it has a
 * name.  So what is recorded of a structure is the same in all objects, however much they
 * know of what it points to, and no type refers to itself.
 */
enum type_view {
	VIEW_PARAM,
	VIEW_MEMBER,
	VIEW_TARGET,
	VIEW_NR
};

/**
 * struct type_memo - types that were looked at before
 * @slots: hash table by address of the entry
 * @nr_slots: its size, a power of two
 * @nr_used: slots in use
 */
struct type_memo {
	struct type_slot {
		const void	*addr;
		uint32_t	ids[VIEW_NR];
	} *slots;
	size_t		nr_slots;
	size_t		nr_used;
};

uint32_t type_id_of(struct table *table, struct type_memo *memo,
		    const struct arch *arch, Dwarf_Die *type);
void type_memo_free(struct type_memo *memo);

#endif /* TYPES_H */
