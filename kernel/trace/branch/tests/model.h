/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _KERNEL_TRACE_BRANCH_TESTS_MODEL_H
#define _KERNEL_TRACE_BRANCH_TESTS_MODEL_H

#include <kunit/test.h>
#include <linux/completion.h>
#include <linux/kthread.h>

#include "../branch.h"

#define MODEL_BRANCHES	BIT(16)

/* Functions of the model's kernel. Each branch is in some of them, which its number tells. */
#define MODEL_FUNCTIONS	8

/* A branch that was taken, whether any context wanted it or not */
struct model_branch {
	pid_t		pid;
	u16		cpu;
	u8		flags;
	u8		functions;
	bool		seen;
};

extern struct model_branch *model_log;
extern struct branch_backend model_backend;

/* What the contexts of a test may be about: each subject with each mode, and then with functions */
#define MODEL_NR_PLAIN	9
#define MODEL_NR_KINDS	(2 * MODEL_NR_PLAIN)

/* A thread that branches in all modes, sleeps (at least @pause us), and goes from CPU to CPU */
struct model_worker {
	struct task_struct	*task;
	unsigned int		branches;
	unsigned int		pause;
	const struct cpumask	*cpus;
	struct completion	go;
	struct completion	done;
	void			(*also)(struct model_worker *worker);
	void			*data;
	bool			stop;
};

int model_init(struct kunit_suite *suite);
void model_exit(struct kunit_suite *suite);
int model_reset(struct kunit *test);

unsigned int model_nr_branches(void);
void model_forget_from(unsigned int branch);
unsigned int model_asked_modes(void);
unsigned int model_sides(unsigned int flags);
bool model_branch(unsigned int flags);
void model_branches(unsigned int nr);

unsigned int model_cpu(void);
struct branch_attr model_attr(unsigned int kind, struct task_struct *task);
struct branch_ctx *model_open(struct kunit *test, const struct branch_attr *attr);

void model_worker_create(struct kunit *test, struct model_worker *worker);
void model_worker_go(struct model_worker *worker);
void model_worker_wait(struct kunit *test, struct model_worker *worker);
void model_worker_end(struct model_worker *worker);

/* Branches of this range, and maybe others, must have come: those from @from on, before @to */
struct model_range {
	unsigned int	from;
	unsigned int	to;
};

void model_check(struct kunit *test, struct branch_ctx *ctx, struct task_struct *task,
		 struct model_range must, unsigned int *nr_begun);

#endif
