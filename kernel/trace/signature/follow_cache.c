// SPDX-License-Identifier: GPL-2.0
/*
 * Find what to follow of a function's arguments by the address of its call site.
 *
 * The steps of functions are kept in an array of plans, indexed by a hash of the address.
 * A plan has more than one word, so it has a sequence number: odd while the plan is
 * written.  A context that finds it odd, or another function's plan, makes the steps anew
 * and tries to store them.  It does not wait: it may have interrupted the writer.
 *
 * A reader uses the steps where they are, compares the number afterwards, and drops what
 * it copied if the number has changed.  Until then it may have used steps of two
 * functions.  Therefore each half of a step is valid by itself, for any words and any
 * room, and the code that uses steps relies on nothing else.
 *
 * PLAN_A: the writer's smp_wmb() after it has made the number odd, and the reader's
 *	smp_rmb() before it reads the number again: a reader that has seen any of the new
 *	steps sees that the number has changed.
 * PLAN_B: the writer's smp_store_release() of the even number, and the reader's
 *	smp_load_acquire() of it: a reader that sees the number sees the address and steps.
 */
#include <linux/cache.h>
#include <linux/hash.h>
#include <linux/mm.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>

#include "follow.h"

/* Allocated when an option asks for it the first time, and never freed */
struct follow_plan *follow_plans;

/**
 * follow_cache_allocate - prepare for follow_find_steps()
 *
 * Context: process context, may sleep; one caller at a time.
 * Return: 0 or -ENOMEM.
 */
int follow_cache_allocate(void)
{
	struct follow_plan *plans;

	if (follow_plans)
		return 0;
	plans = kvcalloc(1 << FOLLOW_PLAN_BITS, sizeof(*plans), GFP_KERNEL);
	WRITE_ONCE(follow_plans, plans);
	return plans ? 0 : -ENOMEM;
}

/* The words of struct pt_regs that hold arguments, as in ftrace_regs_get_argument() */
#define REG_WORD(name)	(offsetof(struct pt_regs, name) / sizeof(long))

static const u8 argument_words[] = {
#ifdef CONFIG_X86_64
	REG_WORD(di), REG_WORD(si), REG_WORD(dx), REG_WORD(cx), REG_WORD(r8), REG_WORD(r9),
#else
	REG_WORD(ax), REG_WORD(dx), REG_WORD(cx),
#endif
};
static_assert(ARRAY_SIZE(argument_words) == FTRACE_SIG_ARG_REGS);

/* The lone string, see follow_key(), or NULL */
static const struct ftrace_sig_step *find_string(const struct ftrace_sig_step *steps,
						 unsigned int nr)
{
	const struct ftrace_sig_step *string = NULL;
	unsigned int i;

	for (i = 0; i < nr; i++) {
		if (!(steps[i].class & FTRACE_SIG_FOLLOW_STRINGS) ||
		    steps[i].param == FTRACE_SIG_RESULT)
			continue;
		if (string || steps[i].kind != FTRACE_SIG_STEP_STRING || steps[i].size ||
		    steps[i].word >= ARRAY_SIZE(argument_words))
			return NULL;
		string = &steps[i];
	}
	return string;
}

/* Keep a plan, unless another context is writing one to the same place */
static void store_plan(struct follow_plan *plan, unsigned long ip, unsigned int nr_stack,
		       const struct ftrace_sig_step *steps, unsigned int nr)
{
	const struct ftrace_sig_step *string = nr_stack ? NULL : find_string(steps, nr);
	unsigned int seq = READ_ONCE(plan->seq);

	if (seq & 1 || cmpxchg(&plan->seq, seq, seq + 1) != seq)
		return;
	smp_wmb();	/* PLAN_A */
	WRITE_ONCE(plan->key, follow_key(ip, string));
	WRITE_ONCE(plan->nr, nr);
	WRITE_ONCE(plan->string_reg, string ? argument_words[string->word] : 0);
	WRITE_ONCE(plan->string_param, string ? string->param : 0);
	memcpy(plan->steps, steps, nr * sizeof(*steps));
	smp_store_release(&plan->seq, seq + 2);	/* PLAN_B */
}

/**
 * follow_make_steps - decide what to follow of a function's arguments
 * @ip: address of its call site
 * @plan: where to keep that
 * @room: where the steps go that this call uses; room for FTRACE_SIG_MAX_STEPS
 * @found: gets the steps
 *
 * Context: any, NMI included, with preemption off.
 */
void follow_make_steps(unsigned long ip, struct follow_plan *plan,
		       struct ftrace_sig_step *room, struct follow_steps *found)
{
	struct ftrace_signature sig;

	found->kept = NULL;
	found->steps = room;
	found->nr = 0;
	if (ftrace_signature_find(ip, &sig)) {
		found->nr = ftrace_sig_plan(&sig, room);
		store_plan(plan, ip, sig.proto->nr_stack, room, found->nr);
	}
}

/**
 * ftrace_sig_forget_plans - forget the plans of call sites
 * @start: the first address
 * @end: the address after the last
 *
 * Context: any.
 */
void ftrace_sig_forget_plans(unsigned long start, unsigned long end)
{
	struct follow_plan *all = READ_ONCE(follow_plans);
	unsigned int i;

	for (i = 0; all && i < 1 << FOLLOW_PLAN_BITS; i++) {
		unsigned long key = READ_ONCE(all[i].key);

		/* The range is aligned, so it contains both keys of a call site or none */
		if (key != follow_key(0, false) && key && key >= start && key < end)
			store_plan(&all[i], 0, 0, NULL, 0);
	}
}
