/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Which users want a function, for the functions that were called since that changed.
 *
 * A user that is called directly needs nothing of this. With several, each of them would have
 * to look the function up in its filters at each call. So the set of users that want it is
 * kept, in entries as ../trace_ip_hash.h describes them. Each entry has the number of a set,
 * as there are few sets. When a user or a filter changes, or another function may come to the
 * same address, an empty array replaces all entries.
 */
#ifndef _TRACE_FGRAPH_SETS_H
#define _TRACE_FGRAPH_SETS_H

#include <linux/ftrace.h>
#include <linux/types.h>

#include "../trace_ip_hash.h"

/* tools/testing/fgraph-host makes many small ones */
#ifndef FGRAPH_SETS_BITS
#define FGRAPH_SETS_BITS	14
#endif
/* Number 0 is that of no set: the function has not been called yet */
#define FGRAPH_NR_SETS		256
/* A set that is known may have no user in it */
#define FGRAPH_SET_KNOWN	BIT(16)

static_assert(FGRAPH_NR_SETS <= 1 << FGRAPH_SETS_BITS);

struct fgraph_sets {
	struct rcu_head	rcu;
	u32		users[FGRAPH_NR_SETS];	/* a bit per user, and FGRAPH_SET_KNOWN */
	unsigned long	functions[1 << FGRAPH_SETS_BITS];
};

/* NULL while it is not needed, or if there was no memory for it */
extern struct fgraph_sets *fgraph_sets;

static __always_inline unsigned long *fgraph_sets_entry(struct fgraph_sets *sets,
							unsigned long hash)
{
	return &sets->functions[trace_ip_hash_index(hash, FGRAPH_SETS_BITS)];
}

unsigned int fgraph_find_set(struct fgraph_sets *sets, unsigned long func);
void fgraph_forget_sets(void);
bool fgraph_wants_alone(const struct fgraph_ops *gops, unsigned long func);

/* The users that want @func, a bit for each. Preemption is off. */
static __always_inline unsigned int fgraph_set_of(unsigned long func)
{
	/* LMM(fgraph_set_of:A) pairs with LMM(fgraph_forget_sets:A): by dependency */
	struct fgraph_sets *sets = READ_ONCE(fgraph_sets);
	unsigned long hash = trace_ip_hash(func), set = 0;

	if (likely(sets))
		set = READ_ONCE(*fgraph_sets_entry(sets, hash)) ^
		      trace_ip_hash_key(hash, FGRAPH_SETS_BITS);
	if (likely(set - 1 < FGRAPH_NR_SETS - 1)) {
		/* LMM(fgraph_set_of:B) pairs with LMM(fgraph_find_set:B): by dependency */
		return (u16)READ_ONCE(sets->users[set]);
	}
	return fgraph_find_set(sets, func);
}

#endif /* _TRACE_FGRAPH_SETS_H */
