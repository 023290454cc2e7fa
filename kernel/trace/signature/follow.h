/* SPDX-License-Identifier: GPL-2.0 */
/* Shared by the files that copy what arguments point to. */
#ifndef _KERNEL_TRACE_SIGNATURE_FOLLOW_H
#define _KERNEL_TRACE_SIGNATURE_FOLLOW_H

#include <linux/bitfield.h>
#include <linux/cache.h>
#include <linux/err.h>
#include <linux/hash.h>
#include <linux/irqflags.h>
#include <linux/percpu.h>
#include <linux/sched.h>
#include <linux/trace_recursion.h>

#include "peek.h"
#include "signature.h"

/*
 * Steps that are kept, see follow_cache.c
 *
 * @seq: odd while the plan is written
 * @nr: how many steps
 * @string_reg: if there is a lone string, the word of struct pt_regs that points to it
 * @string_param: the number of its parameter
 * @key: follow_key() of the function's call site
 */
#define FOLLOW_PLAN_BITS	12

struct follow_plan {
	unsigned int		seq;
	u16			nr;
	u8			string_reg;
	u8			string_param;
	unsigned long		key;
	struct ftrace_sig_step	steps[FTRACE_SIG_MAX_STEPS];
} ____cacheline_aligned;

extern struct follow_plan *follow_plans;

/*
 * A function has a lone string if its arguments are all in registers and point to one
 * string, whose length no other argument limits.  The key tells that, because it is
 * compared anyway.  No two call sites are so close to each other that keys are the same.
 */
static __always_inline unsigned long follow_key(unsigned long ip, bool lone_string)
{
	return lone_string ? ip : ip ^ 1;
}

/*
 * The steps of one function, as one call uses them
 *
 * @steps: the steps
 * @nr: how many
 * @kept: where they are kept, or NULL if they were made for this call
 * @seq: the sequence number of @kept when they were found
 */
struct follow_steps {
	const struct ftrace_sig_step	*steps;
	unsigned int			nr;
	struct follow_plan		*kept;
	unsigned int			seq;
};

/* follow_cache.c */
int follow_cache_allocate(void);
void follow_make_steps(unsigned long ip, struct follow_plan *plan,
		       struct ftrace_sig_step *room, struct follow_steps *found);

static __always_inline struct follow_plan *follow_plan_of(unsigned long ip)
{
	return &follow_plans[hash_long(ip, FOLLOW_PLAN_BITS)];
}

/*
 * Find what to follow of a function's arguments; it may be replaced while it is used.
 * @room is for steps that are not kept.
 */
static __always_inline void follow_find_steps(unsigned long ip, struct ftrace_sig_step *room,
					      struct follow_steps *found)
{
	struct follow_plan *plan = follow_plan_of(ip);
	unsigned long key;

	found->seq = smp_load_acquire(&plan->seq);	/* PLAN_B */
	key = READ_ONCE(plan->key);
	if (unlikely(found->seq & 1 ||
		     (key != follow_key(ip, false) && key != follow_key(ip, true)))) {
		follow_make_steps(ip, plan, room, found);
		return;
	}
	found->kept = plan;
	found->steps = plan->steps;
	found->nr = min_t(unsigned int, READ_ONCE(plan->nr), FTRACE_SIG_MAX_STEPS);
}

/* Whether the steps were the function's until now; if not, drop what was done by them */
static __always_inline bool follow_steps_are_valid(const struct follow_steps *found)
{
	if (unlikely(!found->kept))
		return true;
	smp_rmb();	/* PLAN_A */
	return READ_ONCE(found->kept->seq) == found->seq;
}

/*
 * Buffers, of which a CPU has one for each level of contexts
 */
#define FOLLOW_LEVELS	4	/* a task, a soft and a hard interrupt, an NMI */
#define FOLLOW_SCRATCH	256U

struct follow_buffer {
	unsigned long		words[FTRACE_SIG_MAX_WORDS +
				      FTRACE_SIG_EVENT_MAX / sizeof(long)];
	unsigned long		scratch[FOLLOW_SCRATCH / sizeof(long)];
	struct ftrace_sig_step	steps[FTRACE_SIG_MAX_STEPS];
};

struct follow_buffers {
	struct follow_buffer	level[FOLLOW_LEVELS];
};

extern struct follow_buffers __percpu *follow_buffers;
DECLARE_PER_CPU(unsigned int, follow_nr_levels);

/*
 * Take this CPU's buffer of the next level; ftrace_sig_follow_end() gives it back.  NULL if
 * contexts nest too deep, after which nothing is to be given back.
 */
static __always_inline struct follow_buffer *follow_get_buffer(void)
{
	unsigned int level = this_cpu_inc_return(follow_nr_levels) - 1;

	if (likely(level < FOLLOW_LEVELS))
		return &this_cpu_ptr(follow_buffers)->level[level];
	this_cpu_dec(follow_nr_levels);
	return NULL;
}

/* What each tracer asks for, FTRACE_SIG_FOLLOW_STRINGS and so on */
extern u32 follow_classes_of[FTRACE_SIG_NR_USERS];

static __always_inline u32 follow_classes(enum ftrace_sig_user user)
{
	return READ_ONCE(follow_classes_of[user]);
}

/*
 * Where items are written
 *
 * @args: the words of the arguments
 * @nr_args: how many
 * @start: place of the head
 * @at: place of the next item
 * @end: end of the room
 * @spare: how many bytes there are behind that for what must be said in any case
 */
struct follow_writer {
	const unsigned long	*args;
	unsigned int		nr_args;
	u8			*start;
	u8			*at;
	u8			*end;
	unsigned int		spare;
};

/*
 * The words of a call to which its steps refer: the arguments of the function, or of the
 * syscall
 *
 * @args: the words
 * @nr: how many
 */
struct follow_args {
	unsigned long	*args;
	unsigned int	nr;
};

/* Copy the arguments of a call to @words, and behind them those of the syscall, if it is one */
static __always_inline struct follow_args
follow_capture(u32 shape, struct ftrace_regs *fregs, unsigned long *words)
{
	struct follow_args args = { words, ftrace_sig_nr_words(shape) };
	unsigned int nr;

	ftrace_sig_capture(shape, fregs, words);
	if (likely(!ftrace_sig_is_entry(shape)))
		return args;
	nr = ftrace_sig_capture_syscall(shape, fregs, words + args.nr);
	return (struct follow_args){ words + args.nr, nr };
}

/* Begin to write items behind @nr_words words, of which @nr_args are arguments */
static __always_inline void follow_writer_init(struct follow_writer *w, unsigned long *words,
					       unsigned int nr_words, unsigned int nr_args)
{
	w->args = words;
	w->nr_args = nr_args;
	w->start = (u8 *)(words + nr_words);
	w->at = w->start + sizeof(u32);
	w->end = w->start + READ_ONCE(ftrace_sig_max_event);
	w->spare = 0;
}

/* Whether there is room for another item's word and a value */
static __always_inline bool follow_has_room(const struct follow_writer *w)
{
	return w->end - w->at >= (long)(sizeof(u32) + sizeof(u64));
}

/* Write an item's word, and zeroes behind its bytes, which are there already */
static __always_inline void follow_put_item(struct follow_writer *w,
					    const struct ftrace_sig_step *step, u32 kind,
					    unsigned int size, enum ftrace_peek_end end)
{
	unsigned int padded = ALIGN(size, sizeof(u32));
	u8 *bytes = w->at + sizeof(u32);
	u32 form = 0;

	if (kind == FTRACE_SIG_STEP_FORM)
		form = READ_ONCE(step->aux);
	*(u32 *)w->at = FIELD_PREP(FTRACE_SIG_ITEM_PARAM, READ_ONCE(step->param)) |
			FIELD_PREP(FTRACE_SIG_ITEM_FORM, form) |
			FIELD_PREP(FTRACE_SIG_ITEM_KIND, kind) |
			FIELD_PREP(FTRACE_SIG_ITEM_END, end) |
			FIELD_PREP(FTRACE_SIG_ITEM_SIZE, size);
	while (size < padded)
		bytes[size++] = 0;
	w->at = bytes + padded;
}

/* The pointer that a step follows; false if it points nowhere */
static __always_inline bool follow_address(const struct follow_writer *w,
					   const struct ftrace_sig_step *step,
					   unsigned long *address)
{
	unsigned int word = READ_ONCE(step->word);

	*address = word < w->nr_args ? w->args[word] : 0;
	return *address && !IS_ERR_VALUE(*address);
}

/* Write the head.  Returns the number of machine words from it on, 0 without any item. */
static __always_inline unsigned int follow_finish(struct follow_writer *w)
{
	unsigned int size = w->at - w->start;

	if (size == sizeof(u32))
		return 0;
	*(u32 *)w->start = FIELD_PREP(FTRACE_SIG_DATA_MARK, FTRACE_SIG_DATA_MAGIC) |
			   FIELD_PREP(FTRACE_SIG_DATA_SIZE, size);
	if (size % sizeof(long))
		*(u32 *)w->at = 0;
	return DIV_ROUND_UP(size, sizeof(long));
}

/* Whether an argument of the call tells how many bytes are where a step points to */
static inline bool follow_has_word_of_length(const struct ftrace_sig_step *step)
{
	u16 kind = FIELD_GET(FTRACE_SIG_STEP_LENGTH, READ_ONCE(step->size));

	return READ_ONCE(step->kind) != FTRACE_SIG_STEP_MEMORY &&
	       (kind == FTRACE_SIG_LENGTH_VALUE || kind == FTRACE_SIG_LENGTH_POINTER);
}

/* follow_copy.c */
unsigned long follow_word_of_length(const struct follow_writer *w,
				    const struct ftrace_sig_step *step);
unsigned int follow_length(const struct ftrace_sig_step *step, unsigned long word);
unsigned int follow_length_at_entry(const struct follow_writer *w,
				    const struct ftrace_sig_step *step);
void follow_copy(struct follow_writer *w, const struct ftrace_sig_step *step,
		 unsigned long address, unsigned int length);

/* follow_return.c */
unsigned int follow_filled(const struct ftrace_sig_step *step, unsigned int length, u64 result);

/* follow_compare.c: how many bytes of a string or a buffer are compared, and with what result */
#define FOLLOW_MOST_BYTES	1024U

enum follow_seen {
	FOLLOW_UNREADABLE,
	FOLLOW_PART,	/* there is more than is looked at */
	FOLLOW_ALL,
};

enum follow_seen follow_see(const struct ftrace_sig_step *step, unsigned long address,
			    unsigned int length, void *scratch, u64 *state);

/*
 * A load that faults calls the handler of page faults.  What that calls is no part of what
 * the traced function does, and must not be in the trace: while memory is copied, this
 * context holds the recursion locks of function tracing.  Interrupts are off, because
 * the first functions of an interrupt still count as those of the context that it has
 * interrupted.  Then only an NMI can come, so all locks are held but that of NMIs; in an
 * NMI that one, too.
 */
#define FOLLOW_NMI_LOCK		BIT(TRACE_FTRACE_START + TRACE_CTX_NMI)
#define FOLLOW_LOCKS							\
	GENMASK(TRACE_FTRACE_START + TRACE_CTX_TRANSITION, TRACE_FTRACE_START)

struct follow_quiet {
	struct task_struct *task;
	unsigned long	irq_flags;
	unsigned long	recursion;
};

static __always_inline struct follow_quiet follow_quiet_begin_in(bool nmi)
{
	struct task_struct *task = current;
	struct follow_quiet quiet;

	/* Keeps gcc from loading it each time */
	OPTIMIZER_HIDE_VAR(task);
	raw_local_irq_save(quiet.irq_flags);
	quiet.task = task;
	quiet.recursion = task->trace_recursion;
	task->trace_recursion |= nmi ? FOLLOW_LOCKS : FOLLOW_LOCKS & ~FOLLOW_NMI_LOCK;
	barrier();
	return quiet;
}

static __always_inline struct follow_quiet follow_quiet_begin(void)
{
	return follow_quiet_begin_in(in_nmi());
}

static __always_inline void follow_quiet_end(struct follow_quiet quiet)
{
	barrier();
	quiet.task->trace_recursion = quiet.recursion;
	raw_local_irq_restore(quiet.irq_flags);
}

#endif /* _KERNEL_TRACE_SIGNATURE_FOLLOW_H */
