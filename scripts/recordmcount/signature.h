/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The signature of a call site.
 */
#ifndef SIGNATURE_H
#define SIGNATURE_H

#include "calls.h"
#include "callsites.h"
#include "folded.h"
#include "functions.h"
#include "table.h"
#include "types.h"

/**
 * struct signatures - signatures being made for an object
 * @obj: the object
 * @fns: its functions
 * @table: where the signatures go
 * @calls: what callers show of it
 * @twins: what functions without code may have been folded into
 * @memo: types that @table has
 * @sites: the sites that @table has, in its order
 * @nr_failed: functions whose DWARF could not be understood
 */
struct signatures {
	const struct object	*obj;
	struct functions	fns;
	struct table		table;
	struct calls		calls;
	struct twins		twins;
	struct type_memo	memo;
	struct call_site	*sites;
	uint32_t		nr_sites;
	uint32_t		room;
	unsigned int		nr_failed;
};

const char *signatures_make(struct signatures *s, const struct object *obj,
			    const struct call_sites *cs);
void signatures_free(struct signatures *s);

#endif /* SIGNATURE_H */
