/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Where jumps and calls in an object lead, and what calls show of the functions that
 * they call.
 */
#ifndef CALLS_H
#define CALLS_H

#include "functions.h"

/**
 * struct branch - a jump or a call that tells how far it goes
 * @section: of the instruction
 * @field: offset there of the distance, which is the end of the instruction
 * @size: bytes of the distance, 1 or 4
 */
struct branch {
	uint32_t	section;
	uint64_t	field;
	unsigned int	size;
};

/**
 * struct call - a call that DWARF describes
 * @branch: the instruction
 * @die: its entry
 * @is_used: its result is used
 * @use: offset of the instruction that reads the result then
 * @relocated: the distance to what it calls has a relocation
 * @target_section: section of the function called, 0 if it is not known
 * @target: its offset there
 */
struct call {
	struct branch	branch;
	Dwarf_Die	die;
	bool		is_used;
	uint64_t	use;
	bool		relocated;
	uint32_t	target_section;
	uint64_t	target;
};

/**
 * struct calls - all calls that DWARF describes
 * @list: the calls; once read, sorted by what they call
 * @nr: number of @list
 * @read: they have been looked for
 */
struct calls {
	struct call	*list;
	uint32_t	nr;
	uint32_t	room;
	bool		read;
};

/**
 * struct passed - what the calls of a clone show of a parameter
 * @told: DWARF tells its value at some
 * @constant: that is @value at each of those
 * @always: and there are no others
 * @value: a constant, not extended
 */
struct passed {
	bool		told;
	bool		constant;
	bool		always;
	uint64_t	value;
};

bool branch_target(const struct object *obj, const struct branch *branch,
		   const struct reloc *rel, uint32_t *section,
		   uint64_t *offset);
void calls_pass(struct calls *calls, const struct object *obj,
		const struct functions *fns, uint32_t section, uint64_t offset,
		const Dwarf_Die *param, struct passed *passed);
bool calls_use_result(struct calls *calls, const struct object *obj,
		      const struct functions *fns, uint32_t section,
		      uint64_t offset);
void calls_free(struct calls *calls);

#endif /* CALLS_H */
