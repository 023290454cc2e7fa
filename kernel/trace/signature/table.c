// SPDX-License-Identifier: GPL-2.0
/*
 * The signature tables of the kernel image and of modules, and look-up by the
 * address of the call site.
 *
 * Readers take no lock, because they run in the entry of traced functions, NMI
 * handlers included, and while the trace is printed.  In both cases preemption is
 * off.  Writers, which are module loading and unloading, hold ftrace_sig_mutex.
 * These rules hold:
 *
 *  - A table is put on the list only after it is complete, and before any of
 *    the module's functions can be traced.
 *
 *  - A table is taken off the list when its module is unloaded.  Readers may still
 *    be using it: those that print, and the entries of the last functions that the
 *    module core calls (asynchronous ones, destructors of parameters).  So the
 *    module's memory, which contains the table, is freed after a grace period
 *    (free_module()), and the structure by kfree_rcu().
 *
 *  - The image's table may be in a module, and be loaded and unloaded.  The image's
 *    functions run all the time, so shapes that were found before the change may
 *    be cached at any time.  The cache is cleared after a grace period, when nobody
 *    that looked before the change is left.
 *
 *  - A module's initialization text is freed while its table stays.  From then
 *    on that range is stale: none of the table's functions runs there, but events
 *    of those that did may still be printed.  Another module may be loaded to the
 *    same place.  Before its table is put on the list, all stale ranges that it
 *    overlaps are emptied, so an address never has two signatures.
 */
#include <linux/cleanup.h>
#include <linux/init.h>
#include <linux/mutex.h>
#include <linux/rculist.h>
#include <linux/sched.h>
#include <linux/sort.h>

#include <asm/sections.h>

#include "../trace_func_text.h"
#include "signature.h"

/* NULL until it was checked, or while the module that contains it is not loaded */
static struct ftrace_sig_table __rcu *image_table;
/* The tables of modules, written by module.c */
LIST_HEAD(ftrace_sig_module_tables);
/* Held while tables are added or removed */
DEFINE_MUTEX(ftrace_sig_mutex);

static bool range_has(const struct ftrace_sig_range *range, unsigned long ip)
{
	return ip >= READ_ONCE(range->start) && ip < READ_ONCE(range->end);
}

/**
 * ftrace_sig_is_live - whether an address is in the text of a table's functions
 * @table: the table
 * @ip: the address
 *
 * Context: any.
 * Return: whether @ip is in one of the ranges of @table that are in use.
 */
bool ftrace_sig_is_live(const struct ftrace_sig_table *table, unsigned long ip)
{
	return range_has(&table->live[FTRACE_SIG_CORE], ip) ||
	       range_has(&table->live[FTRACE_SIG_INIT], ip);
}

/* The number of the first call site that is not below @ip */
static u32 search(const struct ftrace_sig_table *table, unsigned long ip)
{
	u32 low = 0, high = table->nr_sites;

	/* Invariant: sites below low are < ip, those from high on are >= ip */
	while (low < high) {
		u32 middle = low + (high - low) / 2;

		if (ftrace_sig_site(table, middle) < ip)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static bool is_site(const struct ftrace_sig_table *table, u32 i, unsigned long ip)
{
	return i < table->nr_sites && ftrace_sig_site(table, i) == ip;
}

/**
 * ftrace_sig_table_find - look for a call site in one table
 * @table: a table whose call sites ascend
 * @ip: address of the call site
 *
 * Context: any.
 * Return: the prototype, or NULL if @ip is no call site of @table.
 */
const struct ftrace_sig_proto *
ftrace_sig_table_find(const struct ftrace_sig_table *table, unsigned long ip)
{
	u32 i = search(table, ip);

	return is_site(table, i, ip) ? ftrace_sig_site_proto(table, i) : NULL;
}

static bool take_site(const struct ftrace_sig_table *table, u32 i, unsigned long ip,
		      struct ftrace_signature *sig)
{
	if (!is_site(table, i, ip))
		return false;
	sig->table = table;
	sig->proto = ftrace_sig_site_proto(table, i);
	return true;
}

/*
 * Search a call site, or take the number that printing has remembered.  That may be of
 * another table, so it counts only if the call site is at @ip.
 */
static bool find_in(const struct ftrace_sig_table *table, unsigned long ip,
		    struct ftrace_signature *sig)
{
	struct trace_func_text *known = trace_func_text_find(ip);
	u32 i = known ? READ_ONCE(known->site) : table->nr_sites;

	if (unlikely(!is_site(table, i, ip))) {
		i = search(table, ip);
		if (known)
			WRITE_ONCE(known->site, i);
	}
	return take_site(table, i, ip, sig);
}

/* The table of the function that has its call site at @ip, or NULL */
static const struct ftrace_sig_table *live_table(unsigned long ip)
{
	const struct ftrace_sig_table *table;

	table = rcu_dereference_check(image_table, !preemptible());
	if (table && ftrace_sig_is_live(table, ip))
		return table;

	list_for_each_entry_rcu(table, &ftrace_sig_module_tables, list,
				!preemptible()) {
		if (ftrace_sig_is_live(table, ip))
			return table;
	}
	return NULL;
}

/**
 * ftrace_signature_find - find the signature of a function
 * @ip: address of its call site, as ftrace callbacks get it
 * @sig: filled in if there is a signature
 *
 * Context: any, NMI included, with preemption off.
 * Return: whether a signature is known.
 */
bool ftrace_signature_find(unsigned long ip, struct ftrace_signature *sig)
{
	const struct ftrace_sig_table *table = live_table(ip);

	return table && find_in(table, ip, sig);
}

/**
 * ftrace_signature_find_ordered - find the signatures of functions, one after the other
 * @ip: address of the function's call site
 * @sig: filled in if there is a signature
 *
 * As ftrace_signature_find(), for those that ask for many call sites in the order of their
 * addresses: no search is needed for the next one.
 *
 * Context: any, with preemption off.
 * Return: whether a signature is known.
 */
bool ftrace_signature_find_ordered(unsigned long ip, struct ftrace_signature *sig)
{
	/* It may be of another table, or another caller's: it counts if it is right */
	static u32 last;
	const struct ftrace_sig_table *table = live_table(ip);
	u32 i = READ_ONCE(last);

	if (!table)
		return false;
	if (!is_site(table, i, ip) && !is_site(table, ++i, ip))
		i = search(table, ip);
	WRITE_ONCE(last, i);
	return take_site(table, i, ip, sig);
}

/**
 * ftrace_signature_find_stale - find the signature of a function that was freed
 * @ip: address where its call site was
 * @sig: filled in if there is a signature
 *
 * For events of a module's initialization, whose text has been freed.
 *
 * Context: any, with preemption off.
 * Return: whether a signature is known.
 */
bool ftrace_signature_find_stale(unsigned long ip, struct ftrace_signature *sig)
{
	const struct ftrace_sig_table *table;

	list_for_each_entry_rcu(table, &ftrace_sig_module_tables, list,
				!preemptible()) {
		if (range_has(&table->stale, ip))
			return find_in(table, ip, sig);
	}
	return false;
}

static int compare_sites(const void *a, const void *b)
{
	const s32 *x = a, *y = b;
	unsigned long site_x = (unsigned long)x + *x;
	unsigned long site_y = (unsigned long)y + *y;

	if (site_x == site_y)
		return 0;
	return site_x < site_y ? -1 : 1;
}

/* An offset is relative to its place, so it changes when it moves. */
static void swap_sites(void *a, void *b, int size, const void *priv)
{
	const struct ftrace_sig_table *table = priv;
	s32 *x = a, *y = b;
	s32 distance = (s32)((long)y - (long)x);
	s32 offset = *x;

	*x = *y + distance;
	*y = offset - distance;
	swap(table->sigs[x - table->ips], table->sigs[y - table->ips]);
}

static int compare_sites_r(const void *a, const void *b, const void *priv)
{
	/* Sorting a large table takes long */
	cond_resched();
	return compare_sites(a, b);
}

/**
 * ftrace_sig_table_sort - bring the call sites of a table into ascending order
 * @table: a table in memory that can be written
 *
 * A module's sections lie in the order that the module loader chose.
 *
 * Context: may sleep.
 */
void ftrace_sig_table_sort(struct ftrace_sig_table *table)
{
	sort_r(table->ips, table->nr_sites, sizeof(*table->ips),
	       compare_sites_r, swap_sites, table);
}

/**
 * ftrace_sig_table_sorted - whether the call sites of a table ascend
 * @table: the table
 *
 * Return: false if two call sites are equal or in the wrong order.
 */
bool ftrace_sig_table_sorted(const struct ftrace_sig_table *table)
{
	u32 i;

	for (i = 1; i < table->nr_sites; i++)
		if (ftrace_sig_site(table, i - 1) >= ftrace_sig_site(table, i))
			return false;
	return true;
}

/**
 * ftrace_sig_refuse - report signatures that are not used
 * @whose: "the kernel" or the name of a module
 * @why: what is wrong, to follow "because"
 */
void ftrace_sig_refuse(const char *whose, const char *why)
{
	pr_err("ftrace: the signatures of %s are not used, because %s\n",
	       whose, why);
}

/**
 * ftrace_sig_set_image_ranges - set the ranges of the image's functions
 * @table: its @live is filled in
 */
void ftrace_sig_set_image_ranges(struct ftrace_sig_table *table)
{
	table->live[FTRACE_SIG_CORE] = (struct ftrace_sig_range) {
		(unsigned long)_stext, (unsigned long)_etext
	};
	table->live[FTRACE_SIG_INIT] = (struct ftrace_sig_range) {
		(unsigned long)_sinittext, (unsigned long)_einittext
	};
}

#ifdef CONFIG_FTRACE_SIGNATURES_BUILTIN
static struct ftrace_sig_table builtin_table;

static int __init init_image_table(void)
{
	struct ftrace_sig_table *table = &builtin_table;
	const char *why;

	ftrace_sig_set_image_ranges(table);
	why = ftrace_sig_table_check(__start_ftrace_signatures,
				     __stop_ftrace_signatures -
				     __start_ftrace_signatures, table);
	if (!why && !ftrace_sig_table_sorted(table))
		why = "its call sites are not in order";
	if (why) {
		ftrace_sig_refuse("the kernel", why);
		return 0;
	}

	/* Only this CPU is up, and it runs no reader: there is none to wait for */
	rcu_assign_pointer(image_table, table);
	/* Functions that were called until now are cached as unknown */
	ftrace_sig_forget_shapes(0, ULONG_MAX);
	ftrace_sig_notify();
	return 0;
}
early_initcall(init_image_table);
#endif

#ifdef CONFIG_FTRACE_SIGNATURES_LOADABLE
/*
 * Forget the shapes of the image's functions that were found, or not found, before
 * the table changed.  After the grace period nobody can cache more of them.
 */
static void forget_image_shapes(void)
{
	struct ftrace_sig_table image;
	int i;

	lockdep_assert_held(&ftrace_sig_mutex);
	synchronize_rcu();
	ftrace_sig_set_image_ranges(&image);
	for (i = 0; i < FTRACE_SIG_NR_RANGES; i++)
		ftrace_sig_forget_shapes(image.live[i].start, image.live[i].end);
}

/**
 * ftrace_sig_image_is_known - whether there are signatures of the image now
 *
 * Context: any.
 * Return: false while no table of the image is published.
 */
bool ftrace_sig_image_is_known(void)
{
	return rcu_access_pointer(image_table);
}

/**
 * ftrace_sig_image_publish - make the signatures of the image known
 * @table: a table that was checked, of the image
 *
 * Context: may sleep.
 * Return: 0, or -EBUSY if there are some already.
 */
int ftrace_sig_image_publish(struct ftrace_sig_table *table)
{
	scoped_guard(mutex, &ftrace_sig_mutex) {
		if (rcu_access_pointer(image_table))
			return -EBUSY;

		rcu_assign_pointer(image_table, table);
		forget_image_shapes();
	}
	ftrace_sig_notify();
	return 0;
}

/**
 * ftrace_sig_image_withdraw - forget the signatures of the image
 *
 * Context: may sleep.
 * Return: the table that was published, which nobody uses any more, or NULL if
 * there was none.
 */
struct ftrace_sig_table *ftrace_sig_image_withdraw(void)
{
	struct ftrace_sig_table *table;

	scoped_guard(mutex, &ftrace_sig_mutex) {
		table = rcu_replace_pointer(image_table, NULL,
					    lockdep_is_held(&ftrace_sig_mutex));
		if (table)
			forget_image_shapes();
	}
	if (table)
		ftrace_sig_notify();
	return table;
}
#endif
