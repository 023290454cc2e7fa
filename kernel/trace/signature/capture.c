// SPDX-License-Identifier: GPL-2.0
/*
 * Copy the arguments of a traced function when it is called.
 *
 * A function's shape says how many argument registers and stack slots hold its
 * parameters.  It depends on the function alone, but all functions share the
 * trampolines that call us.  So shapes are cached in an array of entries as
 * trace_ip_hash.h describes them.  A miss costs a search, whose result replaces the
 * entry.
 *
 * Entries outlive their call sites: a module's last functions may add entries
 * after the module's table is gone.  That is harmless until other code is placed
 * at their addresses.  All entries of those addresses are cleared before any of
 * that code can run.
 */
#include <linux/bitfield.h>
#include <linux/cache.h>
#include <linux/cleanup.h>
#include <linux/ftrace.h>
#include <linux/sched.h>
#include <linux/thread_info.h>

#include <asm/stacktrace.h>

#include "../trace_ip_hash.h"
#include "signature.h"
#include "syscall_x86.h"

#define SHAPE_CACHE_BITS	14
#define SHAPE_BITS		13

/* Not part of the shape: set in each entry that is neither unused nor cleared */
#define SHAPE_VALID		BIT(SHAPE_BITS)

static unsigned long shape_cache[1 << SHAPE_CACHE_BITS] ____cacheline_aligned;

static_assert((FTRACE_SIG_SHAPE_REGS | FTRACE_SIG_SHAPE_STACK |
	       FTRACE_SIG_SHAPE_RET | FTRACE_SIG_SHAPE_KEEP |
	       FTRACE_SIG_SHAPE_FOLLOW) < 1 << SHAPE_BITS);
/* Shapes without anything on the stack are less than this */
#define SHAPE_OF_REGS		BIT(__bf_shf(FTRACE_SIG_SHAPE_STACK))
static_assert(FTRACE_SIG_SHAPE_STACK > (FTRACE_SIG_SHAPE_REGS | FTRACE_SIG_SHAPE_RET |
					FTRACE_SIG_SHAPE_KEEP | FTRACE_SIG_SHAPE_FOLLOW));
/* The bits that the index replaces must leave room for the shape */
static_assert(SHAPE_CACHE_BITS > SHAPE_BITS);
static_assert(FTRACE_SIG_RET_NR <= FTRACE_SIG_SHAPE_RET_SYSCALL);

static unsigned long *cache_entry(unsigned long hash)
{
	return &shape_cache[trace_ip_hash_index(hash, SHAPE_CACHE_BITS)];
}

/* An entry without its shape */
static unsigned long cache_key(unsigned long hash)
{
	return trace_ip_hash_key(hash, SHAPE_CACHE_BITS) | SHAPE_VALID;
}

static u32 shape_ret(const struct ftrace_sig_proto *proto)
{
	if (proto->flags & FTRACE_SIG_SYSCALL)
		return FTRACE_SIG_SHAPE_RET_SYSCALL;
	if (proto->flags & FTRACE_SIG_SYSCALL_32)
		return FTRACE_SIG_SHAPE_RET_SYSCALL_32;
	return FTRACE_SIG_BITS(proto->ret);
}

/**
 * ftrace_sig_proto_shape - the shape of a function with this prototype
 * @proto: the prototype
 *
 * Return: the shape, without what depends on options.
 */
u32 ftrace_sig_proto_shape(const struct ftrace_sig_proto *proto)
{
	unsigned int nr_regs = ftrace_sig_is_syscall(proto) ? 1 : proto->nr_regs;

	return FIELD_PREP(FTRACE_SIG_SHAPE_REGS, nr_regs) |
	       FIELD_PREP(FTRACE_SIG_SHAPE_STACK, proto->nr_stack) |
	       FIELD_PREP(FTRACE_SIG_SHAPE_RET, shape_ret(proto));
}

static noinline u32 find_shape(unsigned long ip)
{
	unsigned long hash = trace_ip_hash(ip);
	struct ftrace_signature sig;
	u32 shape = 0;

	if (ftrace_signature_find(ip, &sig))
		shape = ftrace_sig_proto_shape(sig.proto) | ftrace_sig_follow_shape(&sig);

	WRITE_ONCE(*cache_entry(hash), cache_key(hash) | shape);
	return shape;
}

/*
 * The end of the stack that @sp is on, or 0 if it is not known.  All functions
 * called here must be untraced: this runs in the entry of every traced one.
 */
static unsigned long stack_end(unsigned long sp)
{
	struct stack_info info;

	if (in_task_stack((unsigned long *)sp, current, &info))
		return (unsigned long)info.end;
#ifdef CONFIG_X86_64
	if (get_stack_info_noinstr((unsigned long *)sp, current, &info))
		return (unsigned long)info.end;
#else
	/* Interrupt stacks have THREAD_SIZE bytes, too, and are aligned to it */
	sp = ALIGN_DOWN(sp, THREAD_SIZE);
	if (sp == (unsigned long)this_cpu_read(pcpu_hot.hardirq_stack_ptr) ||
	    sp == (unsigned long)this_cpu_read(pcpu_hot.softirq_stack_ptr))
		return sp + THREAD_SIZE;
#endif
	return 0;
}

/**
 * ftrace_sig_stack_has - whether the stack has this many argument slots
 * @fregs: the registers at the call site of a function
 * @nr: the number of slots
 *
 * When assembly calls a function close to the end of a stack, the function's
 * prototype may have more slots than the stack.
 *
 * Context: any, NMI included, with preemption off.
 * Return: false if the stack ends before the last slot, or if its end is not known.
 */
bool ftrace_sig_stack_has(struct ftrace_regs *fregs, unsigned int nr)
{
	unsigned long sp = ftrace_regs_get_stack_pointer(fregs);
	unsigned long end = sp + (1 + nr) * sizeof(long);

	/* No stack ends within a page, so slots on the same page are on the stack */
	if (likely(!((sp ^ (end - 1)) & PAGE_MASK)))
		return true;
	return end <= stack_end(sp);
}

/* If the syscall's arguments are not where they should be, its entry has its own */
#define SHAPE_OF_ENTRY		(FTRACE_SIG_SHAPE_REGS | FTRACE_SIG_SHAPE_RET)

static noinline u32 find_entry_shape(unsigned long ip, struct ftrace_regs *fregs)
{
	u32 shape = ftrace_sig_shape(ip);
	unsigned int nr_stack = FIELD_GET(FTRACE_SIG_SHAPE_STACK, shape);

	if (!nr_stack)
		return shape;
	if (ftrace_sig_is_entry(shape))
		return syscall_user_regs(fregs) ? shape : shape & SHAPE_OF_ENTRY;
	return ftrace_sig_stack_has(fregs, nr_stack) ? shape : 0;
}

/**
 * ftrace_sig_entry_shape - what to copy when a function is entered
 * @ip: address of its call site
 * @fregs: the registers there
 *
 * If the stack has fewer slots than the function's prototype, nothing is copied.  If the
 * arguments of a syscall are not on the task's stack, these are not.
 *
 * Context: any, NMI included, with preemption off.
 * Return: the shape, for ftrace_sig_nr_words() and ftrace_sig_capture().
 */
u32 ftrace_sig_entry_shape(unsigned long ip, struct ftrace_regs *fregs)
{
	unsigned long hash = trace_ip_hash(ip);
	unsigned long found = READ_ONCE(*cache_entry(hash)) ^ cache_key(hash);

	if (likely(found < SHAPE_OF_REGS))
		return found;
	return find_entry_shape(ip, fregs);
}

/**
 * ftrace_sig_shape - what to copy for a call
 * @ip: address of the call site of the function that was entered or left
 *
 * Context: any, NMI included, with preemption off.
 * Return: the shape.
 */
u32 ftrace_sig_shape(unsigned long ip)
{
	unsigned long hash = trace_ip_hash(ip);
	unsigned long found = READ_ONCE(*cache_entry(hash)) ^ cache_key(hash);

	if (likely(found < 1 << SHAPE_BITS))
		return found;
	return find_shape(ip);
}

/**
 * ftrace_sig_fixed_words - what to copy for each call of a function, known beforehand
 * @user: the tracer that copies
 * @ip: address of the function's call site
 *
 * For code that a call site is made to call: what it copies is known when the site is
 * patched. See ftrace_sig_register_notifier() for when it may have changed.
 *
 * Is fast for call sites in the order of their addresses.
 *
 * Context: any.
 * Return: how many of the leading argument registers, 0 if nothing is known of the
 * function; or -1 if there is more to copy: stack slots, the arguments of a syscall, or
 * what arguments point to; or, at the return, a result in two registers.
 */
int ftrace_sig_fixed_words(enum ftrace_sig_user user, unsigned long ip)
{
	struct ftrace_signature sig;
	u32 shape;

	guard(preempt_notrace)();
	if (!ftrace_signature_find_ordered(ip, &sig))
		return 0;
	shape = ftrace_sig_proto_shape(sig.proto);
	if (shape & FTRACE_SIG_SHAPE_STACK || ftrace_sig_follows(user, &sig))
		return -1;
	if (user == FTRACE_SIG_GRAPH && ftrace_sig_returns_pair(shape))
		return -1;
	return FIELD_GET(FTRACE_SIG_SHAPE_REGS, shape);
}

/**
 * ftrace_sig_forget_shapes - forget the shapes of call sites
 * @start: the first address
 * @end: the address after the last
 *
 * Context: any.
 */
void ftrace_sig_forget_shapes(unsigned long start, unsigned long end)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(shape_cache); i++) {
		unsigned long entry = READ_ONCE(shape_cache[i]);
		unsigned long ip = trace_ip_hash_ip(i, entry, SHAPE_CACHE_BITS);

		/* If another context has replaced the entry meanwhile, keep that one */
		if (entry && ip >= start && ip < end)
			cmpxchg(&shape_cache[i], entry, 0);
	}
	ftrace_sig_forget_plans(start, end);
}

/* Events are aligned to four bytes only */
struct unaligned_word {
	unsigned long word;
} __packed;

/* With a constant @n it is one load and one store, or nothing. */
static __always_inline void copy_reg(struct unaligned_word *to,
				     struct ftrace_regs *fregs, unsigned int n)
{
	if (n < FTRACE_SIG_ARG_REGS)
		to[n].word = ftrace_regs_get_argument(fregs, n);
}

static __always_inline void copy_regs(struct unaligned_word *to,
				      struct ftrace_regs *fregs,
				      unsigned int nr)
{
	switch (nr) {
	case 6:
		copy_reg(to, fregs, 5);
		fallthrough;
	case 5:
		copy_reg(to, fregs, 4);
		fallthrough;
	case 4:
		copy_reg(to, fregs, 3);
		fallthrough;
	case 3:
		copy_reg(to, fregs, 2);
		fallthrough;
	case 2:
		copy_reg(to, fregs, 1);
		fallthrough;
	case 1:
		copy_reg(to, fregs, 0);
	}
	static_assert(FTRACE_SIG_MAX_REGS == 6);
}

static noinline void copy_stack(struct unaligned_word *to,
				struct ftrace_regs *fregs, unsigned int nr)
{
	/* The stack pointer points to the return address; the CFA is one word above */
	const unsigned long *slots =
		(unsigned long *)ftrace_regs_get_stack_pointer(fregs) + 1;
	unsigned int i;

	for (i = 0; i < nr; i++)
		to[i].word = READ_ONCE_NOCHECK(slots[i]);
}

/**
 * ftrace_sig_capture_syscall - copy the arguments of a syscall
 * @shape: what ftrace_sig_entry_shape() returned for the function
 * @fregs: the registers at its call site
 * @words: where up to FTRACE_SIG_MAX_SYSCALL words go
 *
 * Context: any, NMI included.
 * Return: how many; 0 if the function is not the entry of a syscall.
 */
unsigned int ftrace_sig_capture_syscall(u32 shape, struct ftrace_regs *fregs,
					unsigned long *words)
{
	unsigned int i, nr = FIELD_GET(FTRACE_SIG_SHAPE_STACK, shape);
	unsigned long used;
	const void *regs;
	const u8 *places;

	if (!nr || !ftrace_sig_is_entry(shape))
		return 0;
	regs = syscall_user_regs(fregs);
	places = syscall_args_of(shape, &used);
	for (i = 0; i < nr; i++)
		words[i] = syscall_arg(regs, places, i, used);
	return nr;
}

/**
 * ftrace_sig_capture - copy the words that a shape asks for
 * @shape: what ftrace_sig_entry_shape() returned for the function
 * @fregs: the registers at its call site
 * @words: where ftrace_sig_nr_words(@shape) words go; needs no alignment
 *
 * Copies the argument registers first, then the stack slots.  The slots exist:
 * ftrace_sig_entry_shape() has checked that.
 *
 * Context: any, NMI included.
 */
void ftrace_sig_capture(u32 shape, struct ftrace_regs *fregs, void *words)
{
	unsigned int nr_regs = FIELD_GET(FTRACE_SIG_SHAPE_REGS, shape);
	unsigned int nr_stack = FIELD_GET(FTRACE_SIG_SHAPE_STACK, shape);
	struct unaligned_word *to = words;

	copy_regs(to, fregs, nr_regs);
	if (likely(!nr_stack))
		return;
	if (!ftrace_sig_is_entry(shape))
		copy_stack(to + nr_regs, fregs, nr_stack);
}
