/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _ARCH_X86_BRANCH_STEP_EXPECT_H
#define _ARCH_X86_BRANCH_STEP_EXPECT_H

#include <linux/types.h>

#include <asm/irqflags.h>
#include <asm/processor-flags.h>

struct branch_ctx;
struct branch_ops;
struct branch_record;
struct kunit;
struct task_struct;
struct walk_branch;

/* A context of one task or, for NULL, of all CPUs. It has been started. */
struct branch_ctx *walk_open_ctx_of(struct kunit *test, struct task_struct *task,
				    const char *functions);

/* A context of the current task */
struct branch_ctx *walk_open_ctx(struct kunit *test, const char *functions);

/* The same, and its records go to @ops */
struct branch_ctx *walk_open_ctx_with(struct kunit *test, const char *functions,
				      const struct branch_ops *ops, void *data);

/* What is not closed is closed at the test's end, as when it has failed */
void walk_close_ctx(struct kunit *test, struct branch_ctx *ctx);

/* The next record but those of tracing that began, and of switches */
bool walk_read_branch(struct kunit *test, struct branch_ctx *ctx, struct branch_record *record);

/* Whether an address is in a function, and whether a branch begins in the walk */
bool walk_is_in(u64 ip, const char *function);
bool walk_is_of_walk(const struct branch_record *record);

void walk_expect_branch(struct kunit *test, const struct branch_record *record,
			const struct walk_branch *expected);

/* The window begins in this function */
void walk_expect_entry(struct kunit *test, struct branch_ctx *ctx, const char *function);

/* The branches of the walk from @record on, and nothing else that begins in it */
void walk_expect_walk(struct kunit *test, struct branch_ctx *ctx, struct branch_record *record);

/* What leads from @record to the caller, whatever thunk the kernel returns by */
void walk_expect_return(struct kunit *test, struct branch_ctx *ctx, struct branch_record record,
			const char *caller);

/* A whole window of branch_walk() */
void walk_expect_window(struct kunit *test, struct branch_ctx *ctx, const char *caller);

/* The same with interrupts off */
void walk_expect_window_irqs_off(struct kunit *test, struct branch_ctx *ctx, const char *caller);

/* So many walks, whatever is between, and nothing else that begins in the walk */
void walk_expect_walks(struct kunit *test, struct branch_ctx *ctx, unsigned int nr);

/* The window of this function to its end, and the only exception in it, which leads within it */
void walk_expect_exception(struct kunit *test, struct branch_ctx *ctx, const char *function,
			   struct branch_record *exception);

/* Nothing more */
void walk_expect_end(struct kunit *test, struct branch_ctx *ctx);

/* Runs branch_walk_twice(), and expects both walks */
void walk_expect_twice(struct kunit *test, void (*between)(void *data), void *data);

static inline bool walk_has_trap_flag(void)
{
	return native_save_fl() & X86_EFLAGS_TF;
}

/* For branch_walk_twice() */
void walk_sleep(void *data);
void walk_do_nothing(void *data);

#endif /* _ARCH_X86_BRANCH_STEP_EXPECT_H */
