/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Where jumps and calls lead.
 */
#ifndef BRANCH_H
#define BRANCH_H

#include "elf_object.h"

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

uint64_t branch_end(const struct branch *branch);
bool branch_target(const struct object *obj, const struct branch *branch,
		   const struct reloc *rel, uint32_t *section,
		   uint64_t *offset);

#endif /* BRANCH_H */
