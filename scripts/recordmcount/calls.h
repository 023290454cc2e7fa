/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the calls in an object show of the functions that they call.
 */
#ifndef CALLS_H
#define CALLS_H

#include "branch.h"
#include "functions.h"

/**
 * struct call - a call whose result is used
 * @branch: the instruction
 * @use: offset of the instruction that reads the result
 * @target_section: section of the function called, 0 if it is not known
 * @target: its offset there
 */
struct call {
	struct branch	branch;
	uint64_t	use;
	uint32_t	target_section;
	uint64_t	target;
};

/**
 * struct calls - all calls whose result is used
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

bool calls_use_result(struct calls *calls, const struct object *obj,
		      const struct functions *fns, uint32_t section,
		      uint64_t offset);
void calls_free(struct calls *calls);

#endif /* CALLS_H */
