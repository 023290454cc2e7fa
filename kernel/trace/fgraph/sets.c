// SPDX-License-Identifier: GPL-2.0
/*
 * Which users want a function: asked once, and kept as sets.h says.
 */
#include <linux/ftrace.h>
#include <linux/init.h>
#include <linux/module.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <linux/vmalloc.h>

#include "../ftrace_internal.h"
#include "fgraph.h"
#include "sets.h"

struct fgraph_sets *fgraph_sets;

/* The users whose filters have the function */
static unsigned int ask_users(unsigned long func)
{
	unsigned int users = 0;
	int i;

	for_each_set_bit(i, &fgraph_used, FGRAPH_MAX_USERS) {
		struct fgraph_ops *gops = READ_ONCE(fgraph_users[i]);

		if (gops != &fgraph_nobody && ftrace_ops_test(&gops->ops, func, NULL))
			users |= BIT(i);
	}
	return users;
}

#ifdef CONFIG_FUNCTION_GRAPH_ENTRIES
/**
 * fgraph_wants_alone - whether a user is the only one that wants a function
 * @gops: the user; it is registered, or is being registered as the first one
 * @func: the function, which is hooked
 *
 * Context: ftrace_lock is held.
 * Return: true if it is.
 */
bool fgraph_wants_alone(const struct fgraph_ops *gops, unsigned long func)
{
	/* It is alone. While another one comes or goes, one of the two numbers counts both. */
	if (ftrace_graph_active == 1 && hweight_long(fgraph_used) <= 1)
		return true;
	return ask_users(func) == BIT(gops->idx);
}
#endif

/* The number of the set of these users; 0 if there are too many sets */
static unsigned int number_of(struct fgraph_sets *sets, u32 users)
{
	unsigned int i;

	for (i = 1; i < FGRAPH_NR_SETS; i++) {
		u32 is = READ_ONCE(sets->users[i]);

		/* LMM(number_of:A): atomic, as others may take the number; orders nothing */
		if (!is)
			is = cmpxchg(&sets->users[i], 0, users) ?: users;
		if (is == users)
			return i;
	}
	return 0;
}

/**
 * fgraph_find_set - ask all users whether they want a function
 * @sets: where to keep the answer, as it was found before; may be NULL
 * @func: the function
 *
 * If a filter changes meanwhile, @sets is not in use any more.
 *
 * Context: any, NMI included, with preemption off.
 * Return: the users that want it, a bit for each.
 */
noinline unsigned int fgraph_find_set(struct fgraph_sets *sets, unsigned long func)
{
	unsigned long hash = trace_ip_hash(func);
	unsigned int users, number;

	/* LMM(fgraph_find_set:A) pairs with LMM(fgraph_forget_sets:A): the place, then filters */
	smp_rmb();
	users = ask_users(func);
	number = sets ? number_of(sets, users | FGRAPH_SET_KNOWN) : 0;
	if (number)
		/* LMM(fgraph_find_set:B) pairs with LMM(fgraph_set_of:B): the set, its number */
		smp_store_release(fgraph_sets_entry(sets, hash),
				  trace_ip_hash_key(hash, FGRAPH_SETS_BITS) | number);
	return users;
}

/**
 * fgraph_forget_sets - forget which users want which functions
 *
 * To be called when a user has come, gone, or changed what it wants, and when functions may
 * have come to addresses that others had, before any of them is called. Without memory,
 * users are asked at each call.
 *
 * Context: ftrace_lock is held; may sleep.
 */
void fgraph_forget_sets(void)
{
	int fewest_users = FGRAPH_DIRECT ? 2 : 1;
	struct fgraph_sets *old = fgraph_sets, *new = NULL;

	lockdep_assert_held(&ftrace_lock);
	if (ftrace_graph_active >= fewest_users) {
		/* Twice its size, if its memory had to be in one piece */
		new = __vmalloc(sizeof(*new), GFP_KERNEL | __GFP_ZERO | __GFP_NOWARN);
	}
	/*
	 * LMM(fgraph_forget_sets:A) pairs with LMM(fgraph_set_of:A), LMM(fgraph_find_set:A): what
	 * users want, and a place where nothing is known of it, then the place can be found
	 */
	smp_store_release(&fgraph_sets, new);
	kvfree_rcu(old, rcu);
}

#ifdef CONFIG_MODULES
/* None of the module's functions has been called yet */
static int on_module(struct notifier_block *nb, unsigned long state, void *module)
{
	if (state == MODULE_STATE_COMING) {
		guard(mutex)(&ftrace_lock);
		fgraph_forget_sets();
	}
	return NOTIFY_OK;
}

static struct notifier_block module_notifier = { .notifier_call = on_module };

static int __init watch_modules(void)
{
	return register_module_notifier(&module_notifier);
}
core_initcall(watch_modules);
#endif
