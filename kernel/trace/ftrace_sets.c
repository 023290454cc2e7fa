// SPDX-License-Identifier: GPL-2.0
/*
 * Which sets of callbacks have stubs that call sites may call, see linux/ftrace_sets.h; and
 * what calls the callbacks.
 *
 * A set gets its place when the first site is patched to call one of its stubs, and keeps it
 * until one of its ops is unregistered. No site calls the stubs any more then, but a task may
 * have been preempted on its way through one. So the place is stale: another set gets it only
 * after all tasks have left. This waits, and is done before the sites are patched for a new
 * ops, when there are few places left.
 *
 * ftrace_lock is held for everything here but the calls.
 */
#include <linux/bitmap.h>
#include <linux/ftrace.h>
#include <linux/ftrace_entries.h>
#include <linux/ftrace_sets.h>
#include <linux/kernel.h>
#include <linux/kprobes.h>
#include <linux/rcupdate.h>

struct ftrace_set ftrace_sets[FTRACE_SETS] __cacheline_aligned;

static_assert(FTRACE_ENTRIES + FTRACE_SETS * FTRACE_SET_KINDS <= FTRACE_ENTRY_MAX);

static DECLARE_BITMAP(used, FTRACE_SETS);
static DECLARE_BITMAP(stale, FTRACE_SETS);

static bool is_set_of(const struct ftrace_set *set, struct ftrace_ops *const *ops,
		      unsigned int nr)
{
	return set->nr == nr && !memcmp(set->ops, ops, nr * sizeof(*ops));
}

/* Return: FTRACE_SETS if there is none */
static unsigned int find_set(struct ftrace_ops *const *ops, unsigned int nr)
{
	unsigned int i;

	for_each_set_bit(i, used, FTRACE_SETS) {
		if (is_set_of(&ftrace_sets[i], ops, nr))
			return i;
	}
	return FTRACE_SETS;
}

/* Return: FTRACE_SETS if there is no place */
static unsigned int new_set(struct ftrace_ops *const *ops, unsigned int nr)
{
	unsigned int i;

	for (i = 0; i < FTRACE_SETS; i++) {
		if (test_bit(i, used) || test_bit(i, stale))
			continue;
		ftrace_sets[i].nr = nr;
		memcpy(ftrace_sets[i].ops, ops, nr * sizeof(*ops));
		__set_bit(i, used);
		return i;
	}
	return FTRACE_SETS;
}

/**
 * ftrace_set_entry - what a call site is to call whose ops are a set
 * @ops:	all ops that want the function, in the order of the list of ops
 * @nr:		how many there are
 * @kind:	the entry that each of them chose, from 1 to FTRACE_SET_ENTRIES; or
 *		FTRACE_SET_CALL or FTRACE_SET_CALL_REGS, to call their callbacks
 *
 * Context: ftrace_lock is held; may be called while sites are being patched.
 * Return: the number of a stub, which is not 0; or 0 if there is none.
 */
unsigned int ftrace_set_entry(struct ftrace_ops *const *ops, unsigned int nr, unsigned int kind)
{
	unsigned int set;

	if (WARN_ON_ONCE(!kind || kind > FTRACE_SET_KINDS || nr > FTRACE_SET_MAX_OPS))
		return 0;
	set = find_set(ops, nr);
	if (set == FTRACE_SETS)
		set = new_set(ops, nr);
	return set == FTRACE_SETS ? 0 : set * FTRACE_SET_KINDS + kind;
}

/**
 * ftrace_set_address - the address of a stub
 * @entry: what ftrace_set_entry() returned, not 0
 *
 * Context: any.
 * Return: the address.
 */
unsigned long ftrace_set_address(unsigned int entry)
{
	unsigned int set = (entry - 1) / FTRACE_SET_KINDS, kind = (entry - 1) % FTRACE_SET_KINDS;

	return (unsigned long)ftrace_set_stubs + set * FTRACE_SET_STUBS_SIZE +
	       kind * FTRACE_SET_STUB_SIZE;
}

/**
 * ftrace_set_of - the set that a stub belongs to
 * @entry: what ftrace_set_entry() returned, not 0
 *
 * Context: ftrace_lock is held.
 * Return: the set.
 */
const struct ftrace_set *ftrace_set_of(unsigned int entry)
{
	return &ftrace_sets[(entry - 1) / FTRACE_SET_KINDS];
}

/**
 * ftrace_sets_forget - give back the places of the sets of an ops
 * @ops: the ops, which is not registered any more: no site is patched to call it
 *
 * Context: ftrace_lock is held.
 */
void ftrace_sets_forget(const struct ftrace_ops *ops)
{
	unsigned int i, j;

	for_each_set_bit(i, used, FTRACE_SETS) {
		for (j = 0; j < ftrace_sets[i].nr; j++) {
			if (ftrace_sets[i].ops[j] != ops)
				continue;
			__clear_bit(i, used);
			__set_bit(i, stale);
			break;
		}
	}
}

/**
 * ftrace_sets_make_room - have places for new sets
 *
 * To be called before an ops is registered. Waits for all tasks when most places are taken and
 * some of them are stale.
 *
 * Context: process context, may sleep; ftrace_lock is held.
 */
void ftrace_sets_make_room(void)
{
	unsigned int nr_stale = bitmap_weight(stale, FTRACE_SETS);
	unsigned int nr_taken = bitmap_weight(used, FTRACE_SETS) + nr_stale;

	if (!nr_stale || nr_taken <= FTRACE_SETS / 2 || system_state < SYSTEM_SCHEDULING)
		return;
	/* LMM(ftrace_sets_make_room:A) pairs with preemption off: in an entry */
	synchronize_rcu_tasks_rude();
	/* LMM(ftrace_sets_make_room:B) pairs with preemption off: on the way to it */
	synchronize_rcu_tasks();
	bitmap_zero(stale, FTRACE_SETS);
}

/*
 * A callback is called as the trampoline of its ops would do it: some want a function in between
 * that guards against recursion, or looks whether RCU is watching.
 */
static __always_inline void call(unsigned long ip, unsigned long parent_ip,
				 struct ftrace_ops *ops, struct ftrace_regs *fregs)
{
	if (unlikely(ops->flags & (FTRACE_OPS_FL_RECURSION | FTRACE_OPS_FL_RCU)))
		ftrace_ops_get_func(ops)(ip, parent_ip, ops, fregs);
	else
		ops->func(ip, parent_ip, ops, fregs);
}

/**
 * ftrace_set_call - call the callback of each ops of a set
 * @ip:		the call site
 * @parent_ip:	the return address of the traced function
 * @set:	the set
 * @fregs:	the registers; all of them for a stub of the kind FTRACE_SET_CALL_REGS
 *
 * The stubs call it.
 *
 * Context: any.
 */
void ftrace_set_call(unsigned long ip, unsigned long parent_ip, const struct ftrace_set *set,
		     struct ftrace_regs *fregs)
{
	struct ftrace_ops *const *ops = set->ops, *const *end = ops + set->nr;

	do {
		call(ip, parent_ip, *ops, fregs);
	} while (++ops != end);
}
NOKPROBE_SYMBOL(ftrace_set_call);
