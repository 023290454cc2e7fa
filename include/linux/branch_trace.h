/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Branches that tasks and CPUs take, for any number of contexts at once.
 * See Documentation/trace/branch-contexts-design.rst.
 */
#ifndef _LINUX_BRANCH_TRACE_H
#define _LINUX_BRANCH_TRACE_H

#include <asm/barrier.h>
#include <linux/bits.h>
#include <linux/list.h>
#include <linux/sched.h>
#include <linux/types.h>

/**
 * enum branch_kind - what a record says
 * @BRANCH_UNKNOWN: a branch, and the backend cannot tell of what kind
 * @BRANCH_CALL: a call
 * @BRANCH_RETURN: a return
 * @BRANCH_JUMP: a jump
 * @BRANCH_CONDITIONAL: a conditional jump that was taken
 * @BRANCH_INTERRUPT: an interrupt
 * @BRANCH_EXCEPTION: an exception
 * @BRANCH_SYSCALL: a system call
 * @BRANCH_TO_USER: from the kernel to user mode
 * @BRANCH_TO_KERNEL: from user mode to the kernel, by what the backend cannot tell
 * @BRANCH_BEGIN: a marker, as all behind it: tracing of this task, or of all tasks on this CPU,
 *	begins here
 * @BRANCH_SWITCHED_IN: the task was switched in, on this CPU
 * @BRANCH_LOST: so many records are missing here, as @from says
 * @BRANCH_NOT_FOLLOWED: the task created one that should have inherited the context, and of which
 *	@from is the PID, but there was no memory
 * @BRANCH_NR_KINDS: how many there are
 */
enum branch_kind {
	BRANCH_UNKNOWN,
	BRANCH_CALL,
	BRANCH_RETURN,
	BRANCH_JUMP,
	BRANCH_CONDITIONAL,
	BRANCH_INTERRUPT,
	BRANCH_EXCEPTION,
	BRANCH_SYSCALL,
	BRANCH_TO_USER,
	BRANCH_TO_KERNEL,
	BRANCH_BEGIN,
	BRANCH_SWITCHED_IN,
	BRANCH_LOST,
	BRANCH_NOT_FOLLOWED,
	BRANCH_NR_KINDS,
};

static inline bool branch_is_marker(unsigned int kind)
{
	return kind >= BRANCH_BEGIN;
}

/* Modes that a context wants branches of */
#define BRANCH_USER	BIT(0)
#define BRANCH_KERNEL	BIT(1)
#define BRANCH_MODES	(BRANCH_USER | BRANCH_KERNEL)

/*
 * Flags of a record. An address that is hidden is in a mode which the context does not want,
 * and is given as 0.
 */
#define BRANCH_FLAG_FROM_KERNEL	BIT(0)
#define BRANCH_FLAG_TO_KERNEL	BIT(1)
#define BRANCH_FLAG_FROM_HIDDEN	BIT(2)
#define BRANCH_FLAG_TO_HIDDEN	BIT(3)

/**
 * struct branch_record - one branch, or a marker
 * @from: address of the branching instruction; of some markers, a number
 * @to: address of the instruction that was executed next
 * @time: when, in nanoseconds of local_clock(), or 0 if the backend does not know
 * @pid: PID of the task, in the initial namespace
 * @cpu: the CPU
 * @kind: an enum branch_kind
 * @flags: BRANCH_FLAG_FROM_KERNEL and others
 */
struct branch_record {
	u64	from;
	u64	to;
	u64	time;
	s32	pid;
	u16	cpu;
	u8	kind;
	u8	flags;
};

/* What a context is about */
enum branch_subject {
	BRANCH_TASK,
	BRANCH_CPU,
	BRANCH_ALL_CPUS,
};

struct branch_ctx;

/**
 * struct branch_attr - what a context is to be
 * @subject: one task, one CPU or all
 * @task: the task, if @subject is BRANCH_TASK
 * @cpu: the CPU, if @subject is BRANCH_CPU; it need not be online
 * @modes: BRANCH_USER, BRANCH_KERNEL or both
 * @functions: of the kernel's branches, only those from a call of one of these functions to its
 *	return. Names, with wildcards, separated by spaces. NULL: all of the kernel's.
 * @inherit: threads and children that the task will create are traced, too, and theirs
 * @backend: name of the backend, or NULL for the first that can do it
 * @records: how many records the context keeps for branch_ctx_read(), rounded up to a power
 *	of two, at most BRANCH_RECORDS_MAX
 * @circular: new records replace the oldest ones. If not, they are lost when there is no room.
 */
struct branch_attr {
	enum branch_subject	subject;
	struct task_struct	*task;
	int			cpu;
	unsigned int		modes;
	const char		*functions;
	bool			inherit;
	const char		*backend;
	unsigned int		records;
	bool			circular;
};

#define BRANCH_RECORDS_MAX	BIT(20)

/**
 * struct branch_ops - what a context is opened with
 * @record: takes each record of the context as it comes, on the CPU that branched, in any
 *	context, NMI included. If it is NULL, the context keeps the records itself.
 * @may_go_on: the task has executed a program that other users may not look into. Says whether
 *	the context may go on. Called by the task, may sleep. If it is NULL, it may not.
 */
struct branch_ops {
	void (*record)(void *data, const struct branch_record *record);
	bool (*may_go_on)(void *data, struct task_struct *task);
};

/**
 * struct branch_refusal - why a context cannot be what it is to be
 * @why: the reason, in words for people, or NULL. It stays for ever.
 * @of_functions: one of the functions is to blame
 * @in_functions: if so, where its name begins in them
 */
struct branch_refusal {
	const char	*why;
	bool		of_functions;
	unsigned int	in_functions;
};

struct branch_ctx *branch_ctx_open(const struct branch_attr *attr, const struct branch_ops *ops,
				   void *data, struct branch_refusal *refusal);
int branch_ctx_add(struct branch_ctx *ctx, struct task_struct *task,
		   struct branch_refusal *refusal);
int branch_ctx_change(struct branch_ctx *ctx, const struct branch_attr *attr,
		      struct branch_refusal *refusal);
void branch_ctx_tasks(struct branch_ctx *ctx, void (*show)(void *data, struct task_struct *task),
		      void *data);
int branch_ctx_start(struct branch_ctx *ctx);
void branch_ctx_stop(struct branch_ctx *ctx);
void branch_ctx_close(struct branch_ctx *ctx);

/**
 * struct branch_cursor - where a reader is
 * @pos: the position of the next record
 * @lost: how many were lost before that, all told, as far as the reader was told
 * @skipped: how many were written over since
 *
 * Set by branch_ctx_first(), and of no concern to the reader.
 */
struct branch_cursor {
	unsigned long	pos;
	unsigned long	lost;
	unsigned long	skipped;
};

bool branch_ctx_read(struct branch_ctx *ctx, struct branch_record *record);
void branch_ctx_first(struct branch_ctx *ctx, struct branch_cursor *cursor);
bool branch_ctx_next(struct branch_ctx *ctx, struct branch_cursor *cursor,
		     struct branch_record *record);

const char *branch_kind_name(unsigned int kind);

#ifdef CONFIG_BRANCH_CONTEXTS
void __branch_fork(struct task_struct *child);
void __branch_exec(struct task_struct *task);
void __branch_exit(struct task_struct *task);

/* The new task has no contexts yet: what it has was copied from its parent */
static inline void branch_init_task(struct task_struct *child)
{
	INIT_HLIST_HEAD(&child->branch_contexts);
}

/* Hand down the contexts of the current task, before the child runs. May sleep. */
static inline void branch_fork(struct task_struct *child)
{
	if (unlikely(!hlist_empty(&current->branch_contexts)))
		__branch_fork(child);
}

/* The current task has executed a program that others may not see. May sleep. */
static inline void branch_exec(struct task_struct *task)
{
	if (unlikely(!hlist_empty(&task->branch_contexts)))
		__branch_exec(task);
}

/* The current task exits, and PF_EXITING is set */
static inline void branch_exit(struct task_struct *task)
{
	/* LMM(branch_exit:A) pairs with LMM(branch_add_task:A): it exits, then which it is in */
	smp_mb();
	if (unlikely(!hlist_empty(&task->branch_contexts)))
		__branch_exit(task);
}
#else
static inline void branch_init_task(struct task_struct *child) { }
static inline void branch_fork(struct task_struct *child) { }
static inline void branch_exec(struct task_struct *task) { }
static inline void branch_exit(struct task_struct *task) { }
#endif

#endif /* _LINUX_BRANCH_TRACE_H */
