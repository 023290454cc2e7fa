/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _KERNEL_TRACE_BRANCH_H
#define _KERNEL_TRACE_BRANCH_H

#include <linux/branch_backend.h>
#include <linux/branch_trace.h>
#include <linux/cpumask.h>
#include <linux/mutex.h>
#include <linux/rculist.h>

#define BRANCH_MAX_BACKENDS	8

struct branch_ring;

/**
 * struct branch_ctx - a context
 * @attr: what it was opened with; its task, backend and functions mean nothing after that
 * @backend: where its records come from
 * @window: number of the window that it wants of the kernel, or -1: all of the kernel
 * @ops: what it was opened with
 * @data: handed to @ops
 * @ring: its records, if it keeps them itself
 * @running: it was started
 * @link: in branch_everywhere, or in branch_here of its CPU, while it is running
 * @members: its tasks
 * @began: CPUs on which tracing has begun; not used if it is about a task
 * @cpus: for branch_ctx_start() and branch_ctx_stop()
 */
struct branch_ctx {
	struct branch_attr		attr;
	struct branch_backend		*backend;
	int				window;
	const struct branch_ops		*ops;
	void				*data;
	struct branch_ring		*ring;
	bool				running;
	struct list_head		link;
	struct list_head		members;
	cpumask_var_t			began;
	cpumask_var_t			cpus;
};

/**
 * struct branch_member - a task that a context is about
 * @ctx: the context
 * @task: the task, which has left the context when it is gone
 * @by_task: in the task's branch_contexts
 * @by_ctx: in the context's members
 * @began: tracing has begun: set by the CPU where the task runs, or is being switched in
 * @rcu: frees it
 */
struct branch_member {
	struct branch_ctx	*ctx;
	struct task_struct	*task;
	struct hlist_node	by_task;
	struct list_head	by_ctx;
	bool			began;
	struct rcu_head		rcu;
};

/* Lists change under this. On the way of a record, they are read with preemption disabled. */
extern struct mutex branch_mutex;

/* backend.c */
const char *branch_backend_refuses(struct branch_backend *backend, const struct branch_attr *attr);
struct branch_backend *branch_backend_get(const struct branch_attr *attr,
					  struct branch_refusal *refusal);
void branch_backend_put(struct branch_backend *backend);
void branch_backend_set(unsigned int id, struct task_struct *task, unsigned int wanted);
bool branch_backend_exists(const char *name);
void branch_backend_show(void (*show)(void *data, const struct branch_backend *backend),
			 void *data);

/* windows.c */
int branch_window_get(struct branch_backend *backend, const struct branch_attr *attr,
		      struct branch_refusal *refusal);
void branch_window_put(struct branch_backend *backend, int window);

/* deliver.c */
extern struct list_head branch_everywhere;
DECLARE_PER_CPU(struct list_head, branch_here);
void branch_emit(struct branch_ctx *ctx, const struct branch_record *record);
void branch_mark(struct branch_ctx *ctx, unsigned int kind, struct task_struct *task, u64 number);

/* switch.c */
int branch_switches_begin(void);
void branch_switches_end(void);
void branch_refresh(const struct cpumask *cpus);
void branch_refresh_current(void);

/* tasks.c */
int branch_add_task(struct branch_ctx *ctx, struct task_struct *task);
void branch_remove_tasks(struct branch_ctx *ctx);
void branch_tasks_cpus(struct branch_ctx *ctx, struct cpumask *cpus);
void branch_forget_beginnings(struct branch_ctx *ctx);

/* ring.c */
struct branch_ring *branch_ring_alloc(unsigned int records, bool circular);
void branch_ring_free(struct branch_ring *ring);
bool branch_ring_write(struct branch_ring *ring, const struct branch_record *record);
bool branch_ring_read(struct branch_ring *ring, struct branch_record *record);
void branch_ring_first(struct branch_ring *ring, struct branch_cursor *cursor);
bool branch_ring_next(struct branch_ring *ring, struct branch_cursor *cursor,
		      struct branch_record *record);

#endif /* _KERNEL_TRACE_BRANCH_H */
