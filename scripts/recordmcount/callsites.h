/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Call sites of an object: where functions call __fentry__ or mcount.
 */
#ifndef CALLSITES_H
#define CALLSITES_H

#include "elf_object.h"

#define MCOUNT_LOC	"__mcount_loc"

/**
 * struct call_site - a call of the tracer
 * @section: index of the section it is in
 * @offset: offset of the call instruction in the section
 * @call_size: bytes of the call instruction
 * @fentry: a call of __fentry__, so the first thing a function does
 * @recorded: it is in __mcount_loc already, or wherever sites are recorded
 * @function: symbol of the function that it is in, 0 if it is not known
 */
struct call_site {
	uint32_t	section;
	uint64_t	offset;
	unsigned int	call_size;
	bool		fentry;
	bool		recorded;
	uint32_t	function;
};

/**
 * struct call_sites - all call sites of an object
 * @sites: sorted by section and offset, without duplicates
 * @nr: number of @sites
 */
struct call_sites {
	struct call_site *sites;
	uint32_t	nr;
	uint32_t	room;
};

int call_sites_find(struct object *obj, struct call_sites *cs,
		    const char *record, bool tell);
void call_sites_free(struct call_sites *cs);
void call_sites_record(struct object *obj, struct call_sites *cs);
bool function_has_name(const struct object *obj, uint32_t function,
		       const char *name);

#endif /* CALLSITES_H */
