// SPDX-License-Identifier: GPL-2.0
/*
 * Remember what is printed of a function's address.
 *
 * To find the name of an address, kallsyms walks through its compressed names, which
 * takes thousands of instructions.  The same few addresses are printed again and again,
 * so their names are kept in a table of limited size.
 *
 * Only names that cannot change are kept: those of the image's text, and those of the
 * text of a module that is neither being loaded nor unloaded.  When a module goes, its
 * names are forgotten.  Readers take no lock; entries are freed by RCU.
 */
#include <linux/cleanup.h>
#include <linux/gfp.h>
#include <linux/hash.h>
#include <linux/init.h>
#include <linux/kallsyms.h>
#include <linux/module.h>
#include <linux/notifier.h>
#include <linux/preempt.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/string.h>

#include <asm/sections.h>

#include "trace_func_text.h"
#include "trace_text.h"

/* An address is kept in one of the places of its set */
#define SET_BITS	10
#define SETS		BIT(SET_BITS)
#define PLACES		4

/* Longer names are rare; printing one with its offset is left to kallsyms */
#define LONGEST		(TRACE_TEXT_MAX - 2 * sizeof("+0x0123456789abcdef"))

struct set {
	struct trace_func_text __rcu	*places[PLACES];
};

/* Made when the first name is kept, and never freed */
static struct set *sets;

/* Held while entries are added and removed, by tasks with interrupts enabled alone */
static DEFINE_RAW_SPINLOCK(lock);

/* How often entries were removed: a name that was looked up before is not kept */
static unsigned int forgotten;

static struct set *set_of(struct set *all, unsigned long address)
{
	return &all[hash_long(address, SET_BITS)];
}

/**
 * trace_func_text_find - find what is known of an address
 * @address: the address
 *
 * Context: any, NMI included; preemption is off while the result is used.
 * Return: NULL if nothing is known yet.  All but @site is constant.
 */
struct trace_func_text *trace_func_text_find(unsigned long address)
{
	/* pairs with smp_store_release() in make_sets() */
	struct set *all = smp_load_acquire(&sets), *set;
	struct trace_func_text *known;
	unsigned int i;

	if (unlikely(!all))
		return NULL;
	set = set_of(all, address);
	for (i = 0; i < PLACES; i++) {
		known = rcu_dereference_sched_check(set->places[i], true);
		if (known && known->address == address)
			return known;
	}
	return NULL;
}

#ifdef CONFIG_MODULES
/*
 * A module's state changes before those are told who wait for it.  So if the module is
 * found to be live after forgotten was read, its names are not forgotten yet.
 */
static bool is_live_text(unsigned long address)
{
	const struct module *mod = __module_address(address);

	return mod && READ_ONCE(mod->state) == MODULE_STATE_LIVE &&
	       within_module_mem_type(address, mod, MOD_TEXT);
}
#else
static bool is_live_text(unsigned long address)
{
	return false;
}
#endif

static bool in_image(unsigned long address)
{
	return is_kernel_text(address) || is_kernel_inittext(address);
}

/* A name with its module, as "%ps" prints it */
struct name {
	unsigned long	offset;
	unsigned long	size;
	unsigned int	name_len;
	unsigned int	len;
	char		text[KSYM_NAME_LEN + MODULE_NAME_LEN + sizeof(" []")];
};

/* Returns false if there is no name, or one that may change */
static bool look_up(struct name *name, unsigned long address)
{
	char *module = NULL;

	guard(preempt_notrace)();
	if (!in_image(address) && !is_live_text(address))
		return false;
	if (!kallsyms_lookup(address, &name->size, &name->offset, &module, name->text))
		return false;
	name->name_len = strlen(name->text);
	name->len = name->name_len;
	if (module)
		name->len += scnprintf(name->text + name->len,
				       sizeof(name->text) - name->len, " [%s]", module);
	return name->len;
}

static struct trace_func_text *make_entry(const struct name *name, unsigned long address)
{
	struct trace_func_text *entry;

	entry = kmalloc(struct_size(entry, text, name->len), GFP_NOWAIT | __GFP_NOWARN);
	if (!entry)
		return NULL;
	entry->address = address;
	entry->offset = name->offset;
	entry->size = name->size;
	entry->name_len = name->name_len;
	entry->len = name->len;
	entry->site = 0;
	memcpy(entry->text, name->text, name->len);
	return entry;
}

static bool make_sets(void)
{
	struct set *made;

	if (likely(READ_ONCE(sets)))
		return true;
	made = kcalloc(SETS, sizeof(*made), GFP_NOWAIT | __GFP_NOWARN);
	if (!made)
		return false;

	raw_spin_lock(&lock);
	if (!sets) {
		/* pairs with smp_load_acquire() in trace_func_text_find() */
		smp_store_release(&sets, made);
		made = NULL;
	}
	raw_spin_unlock(&lock);
	kfree(made);
	return true;
}

/* A free place, or each of the others in turn */
static unsigned int choose_place(const struct set *set)
{
	static unsigned int next;
	unsigned int i;

	for (i = 0; i < PLACES; i++)
		if (!rcu_access_pointer(set->places[i]))
			return i;
	return next++ % PLACES;
}

/* Returns what is to be freed: the entry that was replaced, or @entry itself */
static struct trace_func_text *exchange(struct trace_func_text *entry, unsigned int when)
{
	struct set *set = set_of(sets, entry->address);
	struct trace_func_text *old;
	unsigned int place;

	guard(raw_spinlock)(&lock);
	if (when != forgotten)
		return entry;
	place = choose_place(set);
	old = rcu_dereference_protected(set->places[place], lockdep_is_held(&lock));
	rcu_assign_pointer(set->places[place], entry);
	return old;
}

/* Where memory can be allocated, and nobody is interrupted who may hold a lock of that */
static bool may_allocate(void)
{
	if (!in_task() || irqs_disabled())
		return false;
	return !IS_ENABLED(CONFIG_PREEMPT_RT) || preemptible();
}

/**
 * trace_func_text_learn - look an address up, and keep what is found
 * @address: the address
 *
 * Context: any, NMI included; but only tasks with interrupts enabled keep anything.
 * Return: false if nothing was kept.
 */
noinline bool trace_func_text_learn(unsigned long address)
{
	struct trace_func_text *entry, *old;
	struct name name __uninitialized;
	unsigned int when;

	if (!may_allocate())
		return false;
	/* pairs with smp_store_release() in forget() */
	when = smp_load_acquire(&forgotten);
	if (!look_up(&name, address) || !make_sets())
		return false;
	entry = make_entry(&name, address);
	if (!entry)
		return false;

	old = exchange(entry, when);
	if (old)
		kfree_rcu(old, rcu);
	return old != entry;
}

/* How to print a name that is known; returns false if that is left to others */
typedef bool (*print_known)(struct trace_seq *s, const struct trace_func_text *known);

static bool print_name_and_module(struct trace_seq *s, const struct trace_func_text *known)
{
	trace_text_write(s, known->text, known->len);
	return true;
}

static bool print_name(struct trace_seq *s, const struct trace_func_text *known)
{
	trace_text_write(s, known->text, known->name_len);
	return true;
}

static bool print_with_offset(struct trace_seq *s, const struct trace_func_text *known)
{
	struct trace_text t __uninitialized;

	if (known->len > LONGEST)
		return false;
	trace_text_begin(&t, s);
	trace_text_bytes(&t, known->text, known->name_len);
	trace_text_char(&t, '+');
	trace_text_hex(&t, known->offset);
	trace_text_char(&t, '/');
	trace_text_hex(&t, known->size);
	trace_text_bytes(&t, known->text + known->name_len, known->len - known->name_len);
	trace_text_end(&t);
	return true;
}

static bool print_pointer(struct trace_seq *s, const struct trace_func_text *known)
{
	return known->offset ? print_with_offset(s, known) : print_name_and_module(s, known);
}

/* Returns false if nothing was printed */
static __always_inline bool print_if_known(struct trace_seq *s, unsigned long address,
					   print_known print)
{
	do {
		const struct trace_func_text *known;

		guard(preempt_notrace)();
		known = trace_func_text_find(address);
		if (likely(known))
			return print(s, known);
	} while (trace_func_text_learn(address));

	return false;
}

/**
 * trace_func_text_print - print the name of a function and its module, as "%ps" does
 * @s: where to
 * @address: an address in the function
 *
 * Context: any, NMI included.
 */
void trace_func_text_print(struct trace_seq *s, unsigned long address)
{
	if (!print_if_known(s, address, print_name_and_module))
		trace_seq_printf(s, "%ps", (void *)address);
}

/**
 * trace_func_text_pointer - print a pointer to a function
 * @s: where to
 * @address: the pointer
 *
 * Prints it as "%ps" does, if it points to the function's start, and else as "%pS".
 *
 * Context: any, NMI included.
 * Return: false, and nothing was printed, if the name is not known.
 */
bool trace_func_text_pointer(struct trace_seq *s, unsigned long address)
{
	return print_if_known(s, address, print_pointer);
}

/**
 * trace_func_text_sym - print the name of a function, as trace_seq_print_sym() does
 * @s: where to
 * @address: an address in the function
 * @offset: print the offset, the function's size and its module, too, as "%pS" does
 *
 * Context: any, NMI included.
 * Return: false, and nothing was printed, if the name is not known.
 */
bool trace_func_text_sym(struct trace_seq *s, unsigned long address, bool offset)
{
	return offset ? print_if_known(s, address, print_with_offset) :
			print_if_known(s, address, print_name);
}

#ifdef CONFIG_MODULES

static void forget_in_set(struct set *set, const struct module *mod)
{
	unsigned int i;

	for (i = 0; i < PLACES; i++) {
		struct trace_func_text *entry =
			rcu_dereference_protected(set->places[i], lockdep_is_held(&lock));

		if (entry && within_module(entry->address, mod)) {
			RCU_INIT_POINTER(set->places[i], NULL);
			kfree_rcu(entry, rcu);
		}
	}
}

static void forget(const struct module *mod)
{
	unsigned int i;

	guard(raw_spinlock)(&lock);
	/* A reader that sees the new count also sees that the module is no longer live */
	smp_store_release(&forgotten, forgotten + 1);
	for (i = 0; sets && i < SETS; i++)
		forget_in_set(&sets[i], mod);
}

static int module_changes(struct notifier_block *self, unsigned long state, void *mod)
{
	if (state == MODULE_STATE_GOING)
		forget(mod);
	return NOTIFY_OK;
}

static struct notifier_block module_block = {
	.notifier_call	= module_changes,
};

static int __init trace_func_text_init(void)
{
	return register_module_notifier(&module_block);
}
core_initcall(trace_func_text_init);

#endif /* CONFIG_MODULES */
