// SPDX-License-Identifier: GPL-2.0
/*
 * Add and remove the signature tables of modules.  table.c describes what a
 * reader may see of them.
 */
#include <linux/cleanup.h>
#include <linux/list.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/rculist.h>
#include <linux/slab.h>

#include "signature.h"

/*
 * An empty range starts at the highest address and ends at the lowest.  So a
 * reader that sees only one of the two stores, whichever it is, sees an empty
 * range, and the stores need no order.
 */
static void end_range(struct ftrace_sig_range *range)
{
	WRITE_ONCE(range->start, ULONG_MAX);
	WRITE_ONCE(range->end, 0);
}

static void begin_range(struct ftrace_sig_range *range,
			const struct ftrace_sig_range *from)
{
	WRITE_ONCE(range->start, from->start);
	WRITE_ONCE(range->end, from->end);
}

static void set_range(struct ftrace_sig_range *range,
		      const struct module_memory *mem)
{
	range->start = (unsigned long)mem->base;
	range->end = range->start + mem->size;
}

/*
 * New functions are placed in @range, where others may have been: forget all that
 * is cached about those.  None of the new functions can run yet.
 */
static void take_over(const struct ftrace_sig_range *range)
{
	struct ftrace_sig_table *other;

	ftrace_sig_use_range(range);
	ftrace_sig_forget_shapes(range->start, range->end);
	list_for_each_entry(other, &ftrace_sig_module_tables, list)
		if (ftrace_sig_overlap(&other->stale, range))
			end_range(&other->stale);
}

static const char *load_table(struct module *mod, struct ftrace_sig_table *table)
{
	const char *why;

	why = ftrace_sig_table_check(mod->ftrace_sigs, mod->ftrace_sigs_size,
				     table);
	if (why)
		return why;

	ftrace_sig_table_sort(table);
	if (!ftrace_sig_table_sorted(table))
		return "it has two signatures for one call site";
	return NULL;
}

/**
 * ftrace_sig_module_load - make the signatures of a module known
 * @mod: a module whose sections were relocated and can still be written, and
 *	none of whose functions can be traced yet
 *
 * A module with no signatures, or with broken ones, works as usual; its functions
 * are traced without types.
 *
 * Context: may sleep.
 */
void ftrace_sig_module_load(struct module *mod)
{
	struct ftrace_sig_range core, init;
	struct ftrace_sig_table *table;
	const char *why;

	set_range(&core, &mod->mem[MOD_TEXT]);
	set_range(&init, &mod->mem[MOD_INIT_TEXT]);

	guard(mutex)(&ftrace_sig_mutex);
	/* A module without signatures replaces what was there before, too. */
	take_over(&core);
	take_over(&init);
	if (!mod->ftrace_sigs_size)
		return;

	table = kzalloc(sizeof(*table), GFP_KERNEL);
	why = table ? load_table(mod, table) : "there is not enough memory";
	if (why) {
		ftrace_sig_refuse(mod->name, why);
		kfree(table);
		return;
	}
	table->mod = mod;
	table->live[FTRACE_SIG_CORE] = core;
	table->live[FTRACE_SIG_INIT] = init;
	end_range(&table->stale);
	list_add_rcu(&table->list, &ftrace_sig_module_tables);
}

static struct ftrace_sig_table *module_table(const struct module *mod)
{
	struct ftrace_sig_table *table;

	lockdep_assert_held(&ftrace_sig_mutex);
	list_for_each_entry(table, &ftrace_sig_module_tables, list)
		if (table->mod == mod)
			return table;
	return NULL;
}

/**
 * ftrace_sig_module_init_free - the initialization text of a module is freed
 * @mod: the module; its initialization has returned
 *
 * Context: may sleep.
 */
void ftrace_sig_module_init_free(struct module *mod)
{
	struct ftrace_sig_table *table;
	struct ftrace_sig_range init;

	set_range(&init, &mod->mem[MOD_INIT_TEXT]);

	guard(mutex)(&ftrace_sig_mutex);
	ftrace_sig_abandon_range(&init);
	table = module_table(mod);
	if (!table)
		return;

	/* A reader that sees neither range prints "?", which is not wrong */
	begin_range(&table->stale, &init);
	end_range(&table->live[FTRACE_SIG_INIT]);
}

/**
 * ftrace_sig_module_free - forget the signatures of a module
 * @mod: a module being unloaded, whose memory stays for another grace period
 *
 * Context: may sleep.
 */
void ftrace_sig_module_free(struct module *mod)
{
	struct ftrace_sig_range core, init;
	struct ftrace_sig_table *table;

	set_range(&core, &mod->mem[MOD_TEXT]);
	set_range(&init, &mod->mem[MOD_INIT_TEXT]);

	guard(mutex)(&ftrace_sig_mutex);
	ftrace_sig_abandon_range(&core);
	ftrace_sig_abandon_range(&init);
	table = module_table(mod);
	if (!table)
		return;

	list_del_rcu(&table->list);
	kfree_rcu(table, rcu);
}
