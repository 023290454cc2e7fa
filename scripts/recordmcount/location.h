/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Where DWARF says that a parameter is.
 */
#ifndef LOCATION_H
#define LOCATION_H

#include "die.h"

enum location_kind {
	LOCATION_NONE,		/* DWARF doesn't say anything at all */
	LOCATION_ELSEWHERE,	/* it does, but not for the function's entry */
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
 * struct location - where a parameter is before its function has done anything
 * @kind: what is known
 * @index: of the first argument register or stack slot
 * @value: of a constant, not extended
 * @incoming: it surely is what the caller passed.  Otherwise it may be assigned first,
 *	without an instruction, from something that the caller passed there
 */
struct location {
	enum location_kind	kind;
	unsigned int		index;
	uint64_t		value;
	bool			incoming;
};

/**
 * struct location_scope - what is the same for all parameters of a function
 * @arch: the machine
 * @function: its entry with code
 * @entry: address of its first instruction
 * @site: address of the tracer's call
 * @after: address behind that
 * @views: see struct unit
 * @part: it is a part of the source function (.part)
 * @followed: the compiler tracked its variables
 */
struct location_scope {
	const struct arch *arch;
	Dwarf_Die	function;
	Dwarf_Addr	entry;
	Dwarf_Addr	site;
	Dwarf_Addr	after;
	const Elf_Data	*views;
	bool		part;
	bool		followed;
};

bool location_constant(Dwarf_Attribute *attr, uint64_t *value);
bool location_has_lists(const Dwarf_Die *function);
void location_at_entry(const struct location_scope *scope, Dwarf_Die *param,
		       Dwarf_Die *source, uint64_t size, struct location *loc);

#endif /* LOCATION_H */
