/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Function signatures: the parameters and the result of traced functions.
 *
 * Signatures are found by the address of the call site, which ftrace callbacks get
 * as @ip.  See Documentation/trace/ftrace-signatures.rst.
 */
#ifndef _LINUX_FTRACE_SIGNATURE_H
#define _LINUX_FTRACE_SIGNATURE_H

#include <linux/bits.h>
#include <linux/bitfield.h>
#include <linux/ftrace_signature_format.h>
#include <linux/types.h>
#include <linux/unaligned.h>

struct ftrace_regs;
struct ftrace_sig_table;
struct module;
struct notifier_block;

/* The number of argument registers, see FTRACE_SIG_PLACE_REG */
#define FTRACE_SIG_ARG_REGS	(IS_ENABLED(CONFIG_X86_32) ? 3 : 6)

/*
 * A shape tells what to copy when a function is called and when it returns.
 * It is one word, with all that the hot path needs of a signature.  Zero means
 * that nothing is copied, as without a signature.  The number of stack slots is in the top
 * bits, so one comparison tells whether the stack must be looked at.
 */
#define FTRACE_SIG_SHAPE_REGS	GENMASK(2, 0)	/* leading argument registers */
#define FTRACE_SIG_SHAPE_RET	GENMASK(5, 3)	/* FTRACE_SIG_RET_*, see below */
#define FTRACE_SIG_SHAPE_KEEP	BIT(6)		/* at the return: what changed */
#define FTRACE_SIG_SHAPE_FOLLOW	BIT(7)		/* at the entry: what is pointed to */
#define FTRACE_SIG_SHAPE_STACK	GENMASK(12, 8)	/* leading stack slots */

/*
 * In place of FTRACE_SIG_RET_WORD: the function is the entry of a syscall (FTRACE_SIG_SYSCALL,
 * FTRACE_SIG_SYSCALL_32).  Its only argument points to the registers that have the syscall's
 * arguments.  The number of these stands in place of the number of stack slots.
 */
#define FTRACE_SIG_SHAPE_RET_SYSCALL	6
#define FTRACE_SIG_SHAPE_RET_SYSCALL_32	7

/*
 * What a tracer's options ask for of the memory that arguments point to
 *
 * FTRACE_SIG_FOLLOW_STRINGS:	strings, and bytes whose number is another argument
 * FTRACE_SIG_FOLLOW_STRUCTS:	structures and single values
 * FTRACE_SIG_FOLLOW_CHANGES:	what the call changed of either, and buffers it filled
 */
#define FTRACE_SIG_FOLLOW_STRINGS	BIT(0)
#define FTRACE_SIG_FOLLOW_STRUCTS	BIT(1)
#define FTRACE_SIG_FOLLOW_CHANGES	BIT(2)

/* An event has at most so many bytes of it */
#define FTRACE_SIG_EVENT_MAX		2040

/* The tracers that ask for it, each by its own options */
enum ftrace_sig_user {
	FTRACE_SIG_FUNCTION,
	FTRACE_SIG_GRAPH,
	FTRACE_SIG_NR_USERS
};

/**
 * struct ftrace_sig_followed - arguments, and what they point to
 * @words: to be written into the event, behind its fields
 * @nr_words: how many
 * @attached: to be attached to the event: the arguments of a syscall, if it is the entry of
 *	one, then what was copied of memory
 * @nr_attached: how many words
 */
struct ftrace_sig_followed {
	const unsigned long	*words;
	unsigned int		nr_words;
	const unsigned long	*attached;
	unsigned int		nr_attached;
};

/**
 * struct ftrace_signature - a signature that was found
 * @table: the table that contains the types and names of @proto
 * @proto: result and parameters
 *
 * Valid as long as the reader stays in the RCU read-side critical section (or
 * with preemption off) in which it was found.
 */
struct ftrace_signature {
	const struct ftrace_sig_table	*table;
	const struct ftrace_sig_proto	*proto;
};

/* Some pointers need two */
#define FTRACE_SIG_MAX_KEPT	14

/**
 * struct ftrace_sig_kept - what is kept of a call's pointers until it returns
 * @nr: how many pointers
 * @unknown: a bit for each: what was there at the entry could not be read
 * @of: for each its address, and what was there: a value of up to 8 bytes itself, of
 *	anything longer a hash; for a buffer its length.  Behind a pointer to a
 *	string or a structure whose length an argument tells, this argument as an address.
 */
struct ftrace_sig_kept {
	u32	nr;
	u32	unknown;
	struct {
		unsigned long	address;
		u64		before;
	} __packed __aligned(4) of[FTRACE_SIG_MAX_KEPT];
};

/*
 * They are few: a loop takes fewer instructions than a call, the fewest if its only
 * variable ends at 0
 */
static __always_inline void ftrace_sig_put_words(void *to, const unsigned long *words,
						 unsigned int nr)
{
	const unsigned long *end = words + nr;
	long i;

	to += nr * sizeof(*end);
	for (i = -(long)nr; i; i++)
		put_unaligned(end[i], (unsigned long *)to + i);
}

/**
 * ftrace_sig_copy_words - write followed arguments into an event
 * @to: where to; needs no alignment
 * @followed: the words
 */
static __always_inline void ftrace_sig_copy_words(void *to,
						  const struct ftrace_sig_followed *followed)
{
	ftrace_sig_put_words(to, followed->words, followed->nr_words);
}

/**
 * ftrace_sig_copy_attached - write what is attached to an event
 * @to: where to; needs no alignment
 * @followed: the words
 */
static __always_inline void
ftrace_sig_copy_attached(void *to, const struct ftrace_sig_followed *followed)
{
	ftrace_sig_put_words(to, followed->attached, followed->nr_attached);
}

#ifdef CONFIG_FTRACE_SIGNATURES

bool ftrace_signature_find(unsigned long ip, struct ftrace_signature *sig);
int ftrace_sig_register_notifier(struct notifier_block *nb);
int ftrace_sig_fixed_words(enum ftrace_sig_user user, unsigned long ip);
u32 ftrace_sig_shape(unsigned long ip);
u32 ftrace_sig_entry_shape(unsigned long ip, struct ftrace_regs *fregs);
void ftrace_sig_capture(u32 shape, struct ftrace_regs *fregs, void *words);
unsigned int ftrace_sig_capture_syscall(u32 shape, struct ftrace_regs *fregs,
					unsigned long *words);
int ftrace_sig_follow(enum ftrace_sig_user user, u32 classes);
bool ftrace_sig_follow_begin(enum ftrace_sig_user user, unsigned long ip, u32 shape,
			     struct ftrace_regs *fregs, struct ftrace_sig_followed *followed)
	__no_stack_protector;
void ftrace_sig_follow_end(void);
unsigned int ftrace_sig_keep(enum ftrace_sig_user user, unsigned long ip, u32 shape,
			     struct ftrace_regs *fregs, struct ftrace_sig_kept *kept);
bool ftrace_sig_return_begin(enum ftrace_sig_user user, unsigned long ip, u32 shape,
			     unsigned long retval, unsigned long high,
			     const struct ftrace_sig_kept *kept,
			     struct ftrace_sig_followed *followed);

void ftrace_sig_module_load(struct module *mod);
void ftrace_sig_module_init_free(struct module *mod);
void ftrace_sig_module_free(struct module *mod);

/* With CONFIG_FTRACE_SIGNATURES_LOADABLE only, for the module ftrace_signatures */
int ftrace_signatures_register(void *data, unsigned long size);
void ftrace_signatures_unregister(void);

#else

static inline bool ftrace_signature_find(unsigned long ip,
					 struct ftrace_signature *sig)
{
	return false;
}

static inline int ftrace_sig_register_notifier(struct notifier_block *nb)
{
	return 0;
}

static inline int ftrace_sig_fixed_words(enum ftrace_sig_user user, unsigned long ip)
{
	return 0;
}

static inline u32 ftrace_sig_shape(unsigned long ip)
{
	return 0;
}

static inline u32 ftrace_sig_entry_shape(unsigned long ip, struct ftrace_regs *fregs)
{
	return 0;
}

static inline void ftrace_sig_capture(u32 shape, struct ftrace_regs *fregs,
				      void *words) { }

static inline unsigned int ftrace_sig_capture_syscall(u32 shape, struct ftrace_regs *fregs,
						      unsigned long *words)
{
	return 0;
}

static inline int ftrace_sig_follow(enum ftrace_sig_user user, u32 classes)
{
	return 0;
}

static inline bool ftrace_sig_follow_begin(enum ftrace_sig_user user, unsigned long ip,
					   u32 shape, struct ftrace_regs *fregs,
					   struct ftrace_sig_followed *followed)
{
	return false;
}

static inline void ftrace_sig_follow_end(void) { }
static inline unsigned int ftrace_sig_keep(enum ftrace_sig_user user, unsigned long ip,
					   u32 shape, struct ftrace_regs *fregs,
					   struct ftrace_sig_kept *kept)
{
	return 0;
}

static inline bool ftrace_sig_return_begin(enum ftrace_sig_user user, unsigned long ip,
					   u32 shape, unsigned long retval,
					   unsigned long high,
					   const struct ftrace_sig_kept *kept,
					   struct ftrace_sig_followed *followed)
{
	return false;
}

static inline void ftrace_sig_module_load(struct module *mod) { }
static inline void ftrace_sig_module_init_free(struct module *mod) { }
static inline void ftrace_sig_module_free(struct module *mod) { }

#endif /* CONFIG_FTRACE_SIGNATURES */

/**
 * ftrace_sig_is_entry - whether a function is the entry of a syscall
 * @shape: what ftrace_sig_shape() returned for it
 *
 * Return: whether its only argument points to the registers of the user.
 */
static __always_inline bool ftrace_sig_is_entry(u32 shape)
{
	return FIELD_GET(FTRACE_SIG_SHAPE_RET, shape) >= FTRACE_SIG_SHAPE_RET_SYSCALL;
}

/**
 * ftrace_sig_nr_words - how many words ftrace_sig_capture() writes
 * @shape: what ftrace_sig_shape() returned
 *
 * Return: 0 to FTRACE_SIG_MAX_WORDS.
 */
static __always_inline unsigned int ftrace_sig_nr_words(u32 shape)
{
	unsigned int nr = FIELD_GET(FTRACE_SIG_SHAPE_REGS, shape);

	if (shape & FTRACE_SIG_SHAPE_STACK && !ftrace_sig_is_entry(shape))
		nr += FIELD_GET(FTRACE_SIG_SHAPE_STACK, shape);
	return nr;
}

/**
 * ftrace_sig_returns_pair - whether the result takes a second register
 * @shape: what ftrace_sig_shape() returned
 *
 * Return: true if the result has two words.
 */
static __always_inline bool ftrace_sig_returns_pair(u32 shape)
{
	return FIELD_GET(FTRACE_SIG_SHAPE_RET, shape) == FTRACE_SIG_RET_PAIR;
}

#endif /* _LINUX_FTRACE_SIGNATURE_H */
