// SPDX-License-Identifier: GPL-2.0
/*
 * Where jumps and calls lead, in an object that is not linked yet.
 */
#include <string.h>

#include "arch.h"
#include "branch.h"

/**
 * branch_end - where the instruction ends, which its distance counts from
 * @branch: the instruction
 *
 * Return: offset in its section.
 */
uint64_t branch_end(const struct branch *branch)
{
	return branch->field + branch->size;
}

/* Without a relocation, the assembler has put in the distance to the target. */
static int32_t distance_of(const struct object *obj, const struct branch *branch)
{
	const unsigned char *field = obj->sections[branch->section].data +
				     branch->field;
	int32_t distance = (signed char)*field;

	if (branch->size == sizeof(distance))
		memcpy(&distance, field, sizeof(distance));
	return distance;
}

/**
 * branch_target - where a jump or a call leads
 * @obj: the object
 * @branch: the instruction, whose distance is inside the section
 * @rel: the relocation of the distance, NULL if it has none
 * @section: set to the section of the target
 * @offset: set to the offset of the target there
 *
 * Return: false if the target is outside of the object, or not known.
 */
bool branch_target(const struct object *obj, const struct branch *branch,
		   const struct reloc *rel, uint32_t *section,
		   uint64_t *offset)
{
	const struct symbol *symbol;

	if (!rel) {
		*section = branch->section;
		*offset = branch_end(branch) + distance_of(obj, branch);
		return true;
	}
	symbol = &obj->symbols[rel->symbol];
	if (symbol->reserved || symbol->section == SHN_UNDEF ||
	    branch->size != 4 || !obj->arch->is_pc32(rel->type))
		return false;
	*section = symbol->section;
	*offset = symbol->sym.st_value + rel->addend + branch->size;
	return true;
}
