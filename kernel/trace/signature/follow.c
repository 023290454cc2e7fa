// SPDX-License-Identifier: GPL-2.0
/*
 * Copy what the arguments of a traced function point to, when it is called.
 *
 * The words of the arguments and the copied memory are first put together in a buffer of
 * this CPU, then written as one event: each byte is read only once, so that the event is
 * well formed whatever other CPUs write at the same time.  Contexts nest, so a CPU has a
 * buffer for each level.
 *
 * Which arguments are followed depends on the function alone.  Its shape tells whether
 * there are any that an option asks for; calls of all other functions do not come here.
 * The steps are found by the call site's address in an array of plans.  A plan has more
 * than one word, so it has a sequence number: odd while the plan is written.  A context
 * that finds it odd, or another function's plan, makes the plan anew and tries to store
 * it.  It does not wait: it may have interrupted the writer.  A reader compares the number
 * before and after it has used the steps, and drops what it copied if it has changed.
 * Until then it may have used steps of two functions.  Therefore each step is valid by
 * itself, for any words and any buffer.
 *
 * PLAN_A: the writer's smp_wmb() after it has made the number odd, and the reader's
 *	smp_rmb() before it reads the number again: a reader that has seen any of the new
 *	steps sees that the number has changed.
 * PLAN_B: the writer's smp_store_release() of the even number, and the reader's
 *	smp_load_acquire() of it: a reader that sees the number sees the address and steps.
 */
#include <linux/bitfield.h>
#include <linux/cache.h>
#include <linux/hash.h>
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/percpu.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>

#include "peek.h"
#include "signature.h"

#define PLAN_BITS	12
#define NR_LEVELS	4	/* a task, a soft and a hard interrupt, an NMI */

struct plan {
	unsigned int		seq;
	unsigned int		nr;
	unsigned long		ip;
	struct ftrace_sig_step	steps[FTRACE_SIG_MAX_STEPS];
} ____cacheline_aligned;

struct buffer {
	unsigned long	words[FTRACE_SIG_MAX_WORDS + FTRACE_SIG_EVENT_MAX / sizeof(long)];
};

struct buffers {
	struct buffer	level[NR_LEVELS];
};

/* Both are allocated when an option asks for them the first time, and stay */
static struct plan *plans;
static struct buffers __percpu *buffers;
static DEFINE_PER_CPU(unsigned int, nr_levels);

/* What each tracer asks for, and all of it; changed under follow_mutex */
static u32 classes_of[FTRACE_SIG_NR_USERS];
static u32 all_classes;
static DEFINE_MUTEX(follow_mutex);

/*
 * Plans
 */

static struct plan *plan_of(unsigned long ip)
{
	return &plans[hash_long(ip, PLAN_BITS)];
}

/* Keep a plan, unless another context is writing one to the same place */
static void store_plan(struct plan *plan, unsigned long ip,
		       const struct ftrace_sig_step *steps, unsigned int nr)
{
	unsigned int seq = READ_ONCE(plan->seq);

	if (seq & 1 || cmpxchg(&plan->seq, seq, seq + 1) != seq)
		return;
	smp_wmb();	/* PLAN_A */
	plan->ip = ip;
	plan->nr = nr;
	memcpy(plan->steps, steps, sizeof(plan->steps));
	smp_store_release(&plan->seq, seq + 2);	/* PLAN_B */
}

/*
 * The steps of a function: those of its plan, and the plan's number in @seq, or @own ones,
 * made for this call.
 */
static const struct ftrace_sig_step *find_steps(unsigned long ip, struct plan *own,
						struct plan **plan)
{
	struct plan *kept = plan_of(ip);
	struct ftrace_signature sig;

	own->seq = smp_load_acquire(&kept->seq);	/* PLAN_B */
	if (likely(!(own->seq & 1) && READ_ONCE(kept->ip) == ip)) {
		own->nr = READ_ONCE(kept->nr);
		*plan = kept;
		return kept->steps;
	}

	*plan = NULL;
	own->nr = 0;
	if (ftrace_signature_find(ip, &sig)) {
		own->nr = ftrace_sig_plan(&sig, own->steps);
		store_plan(kept, ip, own->steps, own->nr);
	}
	return own->steps;
}

/* Whether the steps were the function's until now */
static bool steps_are_valid(const struct plan *own, const struct plan *plan)
{
	if (!plan)
		return true;
	smp_rmb();	/* PLAN_A */
	return READ_ONCE(plan->seq) == own->seq;
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
	static const struct ftrace_sig_step none[FTRACE_SIG_MAX_STEPS];
	struct plan *all = READ_ONCE(plans);
	unsigned int i;

	for (i = 0; all && i < 1 << PLAN_BITS; i++) {
		unsigned long ip = READ_ONCE(all[i].ip);

		if (ip && ip >= start && ip < end)
			store_plan(&all[i], 0, none, 0);
	}
}

/*
 * Copying.  A step must not rely on what it says: see the head of the file.
 */

struct writer {
	const unsigned long	*args;
	unsigned int		nr_args;
	u8			*start;
	u8			*at;
	u8			*end;
};

static unsigned int room_for(const struct writer *w, unsigned int most)
{
	return min_t(unsigned int, most, w->end - w->at - sizeof(u32));
}

/* Write an item's first word, and zeroes behind its bytes */
static void put_item(struct writer *w, const struct ftrace_sig_step *step,
		     unsigned int size, enum ftrace_peek_end end)
{
	u8 *bytes = w->at + sizeof(u32);
	unsigned int padded = ALIGN(size, sizeof(u32));

	*(u32 *)w->at = FIELD_PREP(FTRACE_SIG_ITEM_PARAM, step->param) |
			FIELD_PREP(FTRACE_SIG_ITEM_FORM, step->kind == FTRACE_SIG_STEP_FORM ?
							 step->aux : 0) |
			FIELD_PREP(FTRACE_SIG_ITEM_KIND, step->kind) |
			FIELD_PREP(FTRACE_SIG_ITEM_END, end) |
			FIELD_PREP(FTRACE_SIG_ITEM_SIZE, size);
	while (size < padded)
		bytes[size++] = 0;
	w->at = bytes + padded;
}

static void copy_string(struct writer *w, const struct ftrace_sig_step *step,
			unsigned long address)
{
	unsigned int room = room_for(w, READ_ONCE(ftrace_sig_max_string));
	enum ftrace_peek_end end;
	unsigned int size;

	size = ftrace_peek_string(w->at + sizeof(u32), address, room, &end);
	put_item(w, step, size, end);
}

/* Copy all of @size bytes, or what there is room for */
static void copy_bytes(struct writer *w, const struct ftrace_sig_step *step,
		       unsigned long address, unsigned long size, unsigned int most)
{
	unsigned int room = room_for(w, most);
	enum ftrace_peek_end end = size > room ? FTRACE_PEEK_CUT : FTRACE_PEEK_NUL;

	if (size > room)
		size = room;
	if (!ftrace_peek(w->at + sizeof(u32), address, size)) {
		end = FTRACE_PEEK_FAULT;
		size = 0;
	}
	put_item(w, step, size, end);
}

/* The number of bytes that another argument says; a negative one says nothing */
static bool length_of(const struct writer *w, const struct ftrace_sig_step *step,
		      unsigned long *length)
{
	if (step->aux >= w->nr_args)
		return false;
	*length = w->args[step->aux];
	if (step->size < sizeof(long))
		*length = (u32)*length;
	return step->size == sizeof(long) ? (long)*length >= 0 : (s32)*length >= 0;
}

static void copy_step(struct writer *w, const struct ftrace_sig_step *step)
{
	unsigned long address, length;

	if (step->word >= w->nr_args)
		return;
	address = w->args[step->word];
	if (!address || IS_ERR_VALUE(address))
		return;

	switch (step->kind) {
	case FTRACE_SIG_STEP_STRING:
		copy_string(w, step, address);
		break;
	case FTRACE_SIG_STEP_BYTES:
		if (length_of(w, step, &length))
			copy_bytes(w, step, address, length,
				   READ_ONCE(ftrace_sig_max_string));
		break;
	case FTRACE_SIG_STEP_MEMORY:
		copy_bytes(w, step, address, step->size, FTRACE_SIG_EVENT_MAX);
		break;
	}
}

/* Copy what the steps ask for.  Returns the number of words, padding included. */
static unsigned int copy_steps(struct writer *w, const struct ftrace_sig_step *steps,
			       unsigned int nr, u32 classes)
{
	unsigned int i, size;

	w->at = w->start + sizeof(u32);
	for (i = 0; i < nr && i < FTRACE_SIG_MAX_STEPS; i++) {
		/* Room for an item's word and a machine word, at least */
		if (w->end - w->at < sizeof(u32) + sizeof(long))
			break;
		if (READ_ONCE(steps[i].class) & classes)
			copy_step(w, &steps[i]);
	}

	size = w->at - w->start;
	if (size == sizeof(u32))
		return 0;
	*(u32 *)w->start = FIELD_PREP(FTRACE_SIG_DATA_MARK, FTRACE_SIG_DATA_MAGIC) |
			   FIELD_PREP(FTRACE_SIG_DATA_SIZE, size);
	if (size % sizeof(long))
		*(u32 *)w->at = 0;
	return DIV_ROUND_UP(size, sizeof(long));
}

/**
 * ftrace_sig_follow_begin - copy a call's arguments, and what they point to
 * @user: the tracer that writes the event
 * @ip: address of the function's call site
 * @shape: what ftrace_sig_entry_shape() returned, with FTRACE_SIG_SHAPE_FOLLOW
 * @fregs: the registers at the call site
 * @followed: gets the words to be written; valid until ftrace_sig_follow_end()
 *
 * Context: any, NMI included, with preemption off.
 * Return: false if contexts nest too deep; then only arguments can be written, and
 * ftrace_sig_follow_end() must not be called.
 */
bool ftrace_sig_follow_begin(enum ftrace_sig_user user, unsigned long ip, u32 shape,
			     struct ftrace_regs *fregs, struct ftrace_sig_followed *followed)
{
	unsigned int level = this_cpu_inc_return(nr_levels) - 1;
	unsigned int nr_args = ftrace_sig_nr_words(shape);
	const struct ftrace_sig_step *steps;
	struct plan own, *plan;
	struct buffer *buffer;
	struct writer w;
	unsigned int nr;

	if (unlikely(level >= NR_LEVELS)) {
		this_cpu_dec(nr_levels);
		return false;
	}

	buffer = &this_cpu_ptr(buffers)->level[level];
	ftrace_sig_capture(shape, fregs, buffer->words);
	w.args = buffer->words;
	w.nr_args = nr_args;
	w.start = (u8 *)(buffer->words + nr_args);
	w.end = w.start + READ_ONCE(ftrace_sig_max_event);

	steps = find_steps(ip, &own, &plan);
	nr = copy_steps(&w, steps, own.nr, READ_ONCE(classes_of[user]));
	if (unlikely(!steps_are_valid(&own, plan)))
		nr = 0;
	followed->words = buffer->words;
	followed->nr_words = nr_args + nr;
	return true;
}

/**
 * ftrace_sig_follow_end - the words of ftrace_sig_follow_begin() have been written
 *
 * Context: that of ftrace_sig_follow_begin().
 */
void ftrace_sig_follow_end(void)
{
	this_cpu_dec(nr_levels);
}

/*
 * Options
 */

/**
 * ftrace_sig_is_followed - whether an option asks for what a function's arguments point to
 * @sig: the function's signature
 *
 * Context: any, NMI included, with preemption off.
 * Return: true if an argument points to something that an option asks for.
 */
bool ftrace_sig_is_followed(const struct ftrace_signature *sig)
{
	struct ftrace_sig_step steps[FTRACE_SIG_MAX_STEPS];
	u32 classes = READ_ONCE(all_classes);
	unsigned int nr;

	if (!classes)
		return false;
	for (nr = ftrace_sig_plan(sig, steps); nr; nr--)
		if (steps[nr - 1].class & classes)
			return true;
	return false;
}

/* Other contexts use both without a test.  The caller sets no class before they see them. */
static int allocate(void)
{
	if (buffers && plans)
		return 0;
	if (!buffers)
		buffers = alloc_percpu(struct buffers);
	if (!plans)
		WRITE_ONCE(plans, kvcalloc(1 << PLAN_BITS, sizeof(*plans), GFP_KERNEL));
	synchronize_rcu();
	return buffers && plans ? 0 : -ENOMEM;
}

/**
 * ftrace_sig_follow - set what a tracer's options ask for
 * @user: the tracer
 * @classes: FTRACE_SIG_FOLLOW_STRINGS and so on
 *
 * Context: process context, may sleep.
 * Return: 0 or -ENOMEM, after which nothing has changed.
 */
int ftrace_sig_follow(enum ftrace_sig_user user, u32 classes)
{
	u32 all = classes;
	int i, err;

	guard(mutex)(&follow_mutex);
	if (classes == classes_of[user])
		return 0;
	err = allocate();
	if (err)
		return err;

	for (i = 0; i < FTRACE_SIG_NR_USERS; i++)
		if (i != user)
			all |= classes_of[i];
	WRITE_ONCE(classes_of[user], classes);
	if (all == all_classes)
		return 0;
	/*
	 * After the grace period nobody keeps a shape that was found by the old classes.
	 * A shape that is used until then asks for too much or too little, which copying
	 * and printing allow for.
	 */
	WRITE_ONCE(all_classes, all);
	synchronize_rcu();
	ftrace_sig_forget_shapes(0, ULONG_MAX);
	return 0;
}
