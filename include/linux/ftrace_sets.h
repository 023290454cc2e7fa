/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Sets of callbacks.
 *
 * The functions that several ops want call a stub of the set that these ops make up. Most
 * stubs lead to the callback of each ops, which gets an ftrace_regs, as from a trampoline. If
 * all ops have the same kind of entry (see linux/ftrace_entries.h), there is one that serves
 * all sets. It finds on the stack
 *
 *  - its own return address, which is in the stub; or, on x86-32, behind the call site;
 *  - the set;
 *  - the address behind the call site;
 *  - the return address of the traced function, and its arguments on the stack.
 *
 * The stubs are part of the kernel's text, so there is a fixed number of sets. A set has a stub
 * of each kind. Functions for which no set is left call ftrace_caller.
 */
#ifndef _LINUX_FTRACE_SETS_H
#define _LINUX_FTRACE_SETS_H

/* How many sets there may be at a time */
#define FTRACE_SETS		16
/* Their size, and how many ops a set may have */
#ifdef CONFIG_64BIT
#define FTRACE_SET_SIZE		64
#else
#define FTRACE_SET_SIZE		32
#endif
#define FTRACE_SET_MAX_OPS	7

/*
 * The kinds of stubs. The first ones are for entries, one for each number of argument words, from
 * 0. The others call the callbacks: with the registers that carry arguments, and with all.
 */
#ifdef CONFIG_FTRACE_SETS
#include <asm/ftrace_entries.h>
#define FTRACE_SET_ENTRIES	(FTRACE_ENTRY_REGS + 1)
#else
#define FTRACE_SET_ENTRIES	0
#endif
#define FTRACE_SET_CALL		(FTRACE_SET_ENTRIES + 1)
#define FTRACE_SET_CALL_REGS	(FTRACE_SET_ENTRIES + 2)
#define FTRACE_SET_KINDS	FTRACE_SET_CALL_REGS

/* The bytes of one stub, and of all stubs of a set */
#define FTRACE_SET_STUB_SIZE	32
#define FTRACE_SET_STUBS_SIZE	(FTRACE_SET_KINDS * FTRACE_SET_STUB_SIZE)

#ifndef __ASSEMBLY__
#include <linux/build_bug.h>
#include <linux/types.h>

struct ftrace_ops;
struct ftrace_regs;

/**
 * struct ftrace_set - ops that want the same functions
 * @nr:		how many there are
 * @ops:	the ops, in the order of the list of all ops
 *
 * A set does not change while a site calls one of its stubs, nor while a task is in one.
 */
struct ftrace_set {
	unsigned int		nr;
	struct ftrace_ops	*ops[FTRACE_SET_MAX_OPS];
};

/* Whether a stub calls an entry, not the callbacks; @entry is what ftrace_set_entry() returned */
static inline bool ftrace_set_is_entry(unsigned int entry)
{
	return (entry - 1) % FTRACE_SET_KINDS < FTRACE_SET_ENTRIES;
}

#ifdef CONFIG_FTRACE_SETS
static_assert(sizeof(struct ftrace_set) == FTRACE_SET_SIZE);

extern struct ftrace_set ftrace_sets[FTRACE_SETS];

/* The first stub */
extern const char ftrace_set_stubs[];

unsigned int ftrace_set_entry(struct ftrace_ops *const *ops, unsigned int nr,
			      unsigned int kind);
unsigned long ftrace_set_address(unsigned int entry);
const struct ftrace_set *ftrace_set_of(unsigned int entry);
void ftrace_sets_forget(const struct ftrace_ops *ops);
void ftrace_sets_make_room(void);
void ftrace_set_call(unsigned long ip, unsigned long parent_ip, const struct ftrace_set *set,
		     struct ftrace_regs *fregs);
#else
/* Sites call no stubs then */
static inline unsigned int ftrace_set_entry(struct ftrace_ops *const *ops, unsigned int nr,
					    unsigned int kind)
{
	return 0;
}

static inline unsigned long ftrace_set_address(unsigned int entry)
{
	return 0;
}

static inline void ftrace_sets_forget(const struct ftrace_ops *ops) { }
static inline void ftrace_sets_make_room(void) { }
#endif /* CONFIG_FTRACE_SETS */
#endif /* !__ASSEMBLY__ */

#endif /* _LINUX_FTRACE_SETS_H */
