/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Where DWARF says that a parameter is.
 */
#ifndef LOCATION_H
#define LOCATION_H

#include "die.h"

enum location_kind {
	LOCATION_NONE,		/* DWARF doesn't say anything at all */
	LOCATION_ELSEWHERE,	/* it does, but not for this address */
	LOCATION_REG,		/* in argument registers, by itself */
	LOCATION_STACK,		/* where the caller put it on the stack */
	LOCATION_CONST,		/* it has this value */
	LOCATION_REMOVED,	/* it isn't passed: only callers know its value */
	LOCATION_PARTS,		/* in pieces that don't make it up together */
	LOCATION_COMPUTED,	/* in no place, its value can be computed */
	LOCATION_OTHER_REG,	/* in a register that passes no arguments */
	LOCATION_OTHER,		/* something else that is no place to read from */
};

/**
 * struct location - where a parameter is when its function is entered
 * @kind: what is known
 * @index: of the first argument register or stack slot
 * @value: of a constant, not extended
 */
struct location {
	enum location_kind	kind;
	unsigned int		index;
	uint64_t		value;
};

void location_at(const struct arch *arch, Dwarf_Die *function,
		 Dwarf_Die *param, Dwarf_Addr addr, uint64_t size,
		 struct location *loc);
bool location_is_removed(Dwarf_Die *param, Dwarf_Die *source);

#endif /* LOCATION_H */
