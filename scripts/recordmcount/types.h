/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Types of an object: from DWARF to a table.
 */
#ifndef TYPES_H
#define TYPES_H

#include "die.h"
#include "table.h"

/**
 * struct type_memo - types that were looked at before
 * @slots: hash table by address of the entry
 * @nr_slots: its size, a power of two
 * @nr_used: slots in use
 */
struct type_memo {
	struct type_slot {
		const void	*addr;
		uint32_t	id;
	} *slots;
	size_t		nr_slots;
	size_t		nr_used;
};

uint32_t type_id_of(struct table *table, struct type_memo *memo,
		    const struct arch *arch, Dwarf_Die *type);
void type_memo_free(struct type_memo *memo);

#endif /* TYPES_H */
