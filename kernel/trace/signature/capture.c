// SPDX-License-Identifier: GPL-2.0
/*
 * What is copied when a traced function is called.
 *
 * A function's shape says how many argument registers and stack slots hold its
 * parameters.  It depends on the function alone, but the trampolines that call
 * us are shared by all functions; so shapes are remembered in a table that is
 * indexed by a hash of the call site's address.  An entry is one word, address
 * and shape together: it is read and written without a lock by every context,
 * and whoever reads one sees either all of it or all of another.  A word that
 * belongs to another address is a miss, which costs a search; the finder then
 * takes the place over.
 *
 * Entries outlive their call sites: a module's last functions may remember their
 * shapes when its table is gone already.  That does no harm until other code
 * comes to lie there.  Before any of that can run, all entries of its addresses
 * are cleared.
 */
#include <linux/bitfield.h>
#include <linux/cache.h>
#include <linux/ftrace.h>
#include <linux/hash.h>

#include "signature.h"

#define SHAPE_CACHE_BITS	14
#define SHAPE_BITS		12

static unsigned long shape_cache[1 << SHAPE_CACHE_BITS] ____cacheline_aligned;

static_assert((FTRACE_SIG_SHAPE_REGS | FTRACE_SIG_SHAPE_STACK |
	       FTRACE_SIG_SHAPE_RET | FTRACE_SIG_SHAPE_KNOWN) <
	      1 << SHAPE_BITS);

/*
 * The upper bits of an address make way for the shape.  They are all ones in
 * every address of kernel and module text: x86-64 has both within the highest
 * 2 GB (Documentation/arch/x86/x86_64/mm.rst).
 */
static unsigned long cache_key(unsigned long ip)
{
	return ip << SHAPE_BITS;
}

static unsigned long cached_ip(unsigned long entry)
{
	return (unsigned long)((long)entry >> SHAPE_BITS);
}

/**
 * ftrace_sig_proto_shape - the shape of a function with this prototype
 * @proto: the prototype
 *
 * Return: the shape, which is never 0.
 */
u32 ftrace_sig_proto_shape(const struct ftrace_sig_proto *proto)
{
	return FIELD_PREP(FTRACE_SIG_SHAPE_REGS, proto->nr_regs) |
	       FIELD_PREP(FTRACE_SIG_SHAPE_STACK, proto->nr_stack) |
	       FIELD_PREP(FTRACE_SIG_SHAPE_RET, FTRACE_SIG_BITS(proto->ret)) |
	       FTRACE_SIG_SHAPE_KNOWN;
}

static noinline u32 find_shape(unsigned long ip, unsigned long *entry)
{
	struct ftrace_signature sig;
	u32 shape = 0;

	if (ftrace_signature_find(ip, &sig))
		shape = ftrace_sig_proto_shape(sig.proto);

	WRITE_ONCE(*entry, cache_key(ip) | shape);
	return shape;
}

/**
 * ftrace_sig_shape - what to copy for a call
 * @ip: address of the call site of the function that was entered or left
 *
 * Context: any, NMI included, with preemption off.
 * Return: the shape, for ftrace_sig_nr_words() and ftrace_sig_capture().
 */
u32 ftrace_sig_shape(unsigned long ip)
{
	unsigned long *entry = &shape_cache[hash_long(ip, SHAPE_CACHE_BITS)];
	unsigned long found = READ_ONCE(*entry) ^ cache_key(ip);

	if (likely(found < 1 << SHAPE_BITS))
		return found;
	return find_shape(ip, entry);
}

/**
 * ftrace_sig_forget_shapes - forget the shapes of call sites
 * @start: the first address
 * @end: the first address behind
 *
 * Context: any.
 */
void ftrace_sig_forget_shapes(unsigned long start, unsigned long end)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(shape_cache); i++) {
		unsigned long entry = READ_ONCE(shape_cache[i]);
		unsigned long ip = cached_ip(entry);

		/* Somebody else may take the place meanwhile; let them have it. */
		if (entry && ip >= start && ip < end)
			cmpxchg(&shape_cache[i], entry, 0);
	}
}

/* Events are aligned to four bytes only */
struct unaligned_word {
	unsigned long word;
} __packed;

/* With constant register numbers, each is one load and one store. */
static __always_inline void copy_regs(struct unaligned_word *to,
				      struct ftrace_regs *fregs,
				      unsigned int nr)
{
	switch (nr) {
	case 6:
		to[5].word = ftrace_regs_get_argument(fregs, 5);
		fallthrough;
	case 5:
		to[4].word = ftrace_regs_get_argument(fregs, 4);
		fallthrough;
	case 4:
		to[3].word = ftrace_regs_get_argument(fregs, 3);
		fallthrough;
	case 3:
		to[2].word = ftrace_regs_get_argument(fregs, 2);
		fallthrough;
	case 2:
		to[1].word = ftrace_regs_get_argument(fregs, 1);
		fallthrough;
	case 1:
		to[0].word = ftrace_regs_get_argument(fregs, 0);
	}
	static_assert(FTRACE_SIG_MAX_REGS == 6);
}

static noinline void copy_stack(struct unaligned_word *to,
				struct ftrace_regs *fregs, unsigned int nr)
{
	/* The stack pointer is at the return address, the CFA one word above */
	const unsigned long *slots =
		(unsigned long *)ftrace_regs_get_stack_pointer(fregs) + 1;
	unsigned int i;

	for (i = 0; i < nr; i++)
		to[i].word = READ_ONCE_NOCHECK(slots[i]);
}

/**
 * ftrace_sig_capture - copy the words that a shape asks for
 * @shape: what ftrace_sig_shape() returned for the function
 * @fregs: the registers at its call site
 * @words: where ftrace_sig_nr_words(@shape) words go; needs no alignment
 *
 * Argument registers first, then stack slots.  The stack slots exist: the
 * function's caller has pushed them just now (psABI 3.2.3), or the function
 * would read beyond the stack itself.
 *
 * Context: any, NMI included.
 */
void ftrace_sig_capture(u32 shape, struct ftrace_regs *fregs, void *words)
{
	unsigned int nr_regs = FIELD_GET(FTRACE_SIG_SHAPE_REGS, shape);
	unsigned int nr_stack = FIELD_GET(FTRACE_SIG_SHAPE_STACK, shape);
	struct unaligned_word *to = words;

	copy_regs(to, fregs, nr_regs);
	if (unlikely(nr_stack))
		copy_stack(to + nr_regs, fregs, nr_stack);
}
