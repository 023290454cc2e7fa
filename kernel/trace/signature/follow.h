/* SPDX-License-Identifier: GPL-2.0 */
/* Shared by the files that copy what arguments point to. */
#ifndef _KERNEL_TRACE_SIGNATURE_FOLLOW_H
#define _KERNEL_TRACE_SIGNATURE_FOLLOW_H

#include <linux/irqflags.h>
#include <linux/sched.h>
#include <linux/trace_recursion.h>

#include "peek.h"
#include "signature.h"

/*
 * The steps of one function, as one call uses them
 *
 * @steps: the steps
 * @nr: how many
 * @kept: where they are kept, or NULL if they are @own
 * @seq: the sequence number of @kept when they were found
 */
struct follow_steps {
	const struct ftrace_sig_step	*steps;
	unsigned int			nr;
	struct follow_plan		*kept;
	unsigned int			seq;
	struct ftrace_sig_step		own[FTRACE_SIG_MAX_STEPS];
};

/* follow_cache.c */
int follow_cache_allocate(void);
void follow_find_steps(unsigned long ip, struct follow_steps *found);
bool follow_steps_are_valid(const struct follow_steps *found);

/*
 * Where items are written
 *
 * @args: the words of the arguments
 * @nr_args: how many
 * @start: place of the head
 * @at: place of the next item
 * @end: end of the room
 */
struct follow_writer {
	const unsigned long	*args;
	unsigned int		nr_args;
	u8			*start;
	u8			*at;
	u8			*end;
};

/* follow_copy.c */
void follow_writer_init(struct follow_writer *w, unsigned long *words, unsigned int nr_words,
			unsigned int nr_args);
bool follow_has_room(const struct follow_writer *w);
void follow_put_item(struct follow_writer *w, const struct ftrace_sig_step *step, u32 kind,
		     unsigned int size, enum ftrace_peek_end end);
bool follow_address(const struct follow_writer *w, const struct ftrace_sig_step *step,
		    unsigned long *address);
bool follow_length(const struct follow_writer *w, const struct ftrace_sig_step *step,
		   unsigned long *length);
void follow_copy_bytes(struct follow_writer *w, const struct ftrace_sig_step *step,
		       unsigned long address, unsigned long size, unsigned int most);
void follow_copy(struct follow_writer *w, const struct ftrace_sig_step *step,
		 unsigned long address);
unsigned int follow_finish(struct follow_writer *w);

/* follow.c */
unsigned long *follow_get_buffer(void);
u32 follow_classes(enum ftrace_sig_user user);

/*
 * A load that faults calls the handler of page faults.  What that calls is no part of what
 * the traced function does, and must not be in the trace: while memory is copied, this
 * context holds the recursion locks of function tracing.  Interrupts are off, because
 * the first functions of an interrupt still count as those of the context that it has
 * interrupted.
 */
struct follow_quiet {
	unsigned long	irq_flags;
	unsigned long	recursion;
};

static __always_inline struct follow_quiet follow_quiet_begin(void)
{
	struct follow_quiet quiet;

	raw_local_irq_save(quiet.irq_flags);
	quiet.recursion = current->trace_recursion;
	current->trace_recursion |= BIT(TRACE_FTRACE_START + trace_get_context_bit()) |
				    BIT(TRACE_FTRACE_START + TRACE_CTX_TRANSITION);
	barrier();
	return quiet;
}

static __always_inline void follow_quiet_end(struct follow_quiet quiet)
{
	barrier();
	current->trace_recursion = quiet.recursion;
	raw_local_irq_restore(quiet.irq_flags);
}

#endif /* _KERNEL_TRACE_SIGNATURE_FOLLOW_H */
