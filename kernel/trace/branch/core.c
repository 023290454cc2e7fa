// SPDX-License-Identifier: GPL-2.0
/*
 * Contexts of branch tracing: open, start, stop, read, close.
 *
 * Nothing here checks rights. A caller that opens a context for a user must have checked that
 * the user may see what the context will record.
 */
#include <linux/cpumask.h>
#include <linux/err.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>

#include "branch.h"

/* Protects the lists of contexts, tasks and backends, and which contexts are running */
DEFINE_MUTEX(branch_mutex);

static const char *no_manner(const struct branch_attr *attr)
{
	if (!attr->modes || attr->modes & ~BRANCH_MODES)
		return "the branches of user mode, of the kernel or of both can be traced";
	if (attr->subject != BRANCH_TASK && attr->inherit)
		return "only a context of a task is handed down to others";
	return NULL;
}

/* Why a context cannot be what it is to be, whatever the backend, or NULL */
static const char *contradiction(const struct branch_attr *attr, const struct branch_ops *ops)
{
	if (attr->subject == BRANCH_TASK && !attr->task)
		return "there is no such task";
	if (attr->subject == BRANCH_CPU && (attr->cpu < 0 || attr->cpu >= nr_cpu_ids ||
					    !cpu_possible(attr->cpu)))
		return "there is no such CPU";
	if (attr->subject > BRANCH_ALL_CPUS)
		return "a task, a CPU or all CPUs can be traced";
	if (!(ops && ops->record) && (!attr->records || attr->records > BRANCH_RECORDS_MAX))
		return "the number of records is out of range";
	return no_manner(attr);
}

static void free_ctx(struct branch_ctx *ctx)
{
	branch_ring_free(ctx->ring);
	free_cpumask_var(ctx->began);
	free_cpumask_var(ctx->cpus);
	kfree(ctx);
}

static bool alloc_parts(struct branch_ctx *ctx, const struct branch_attr *attr)
{
	if (!zalloc_cpumask_var(&ctx->began, GFP_KERNEL_ACCOUNT) ||
	    !zalloc_cpumask_var(&ctx->cpus, GFP_KERNEL_ACCOUNT))
		return false;
	if (ctx->ops && ctx->ops->record)
		return true;
	ctx->ring = branch_ring_alloc(attr->records, attr->circular);
	return ctx->ring;
}

static struct branch_ctx *alloc_ctx(const struct branch_attr *attr, const struct branch_ops *ops,
				    void *data)
{
	struct branch_ctx *ctx = kzalloc(sizeof(*ctx), GFP_KERNEL_ACCOUNT);

	if (!ctx)
		return NULL;
	ctx->attr = *attr;
	ctx->window = -1;
	ctx->ops = ops;
	ctx->data = data;
	INIT_LIST_HEAD(&ctx->members);
	if (!alloc_parts(ctx, attr)) {
		free_ctx(ctx);
		return NULL;
	}
	return ctx;
}

static int add_task(struct branch_ctx *ctx, struct task_struct *task,
		    struct branch_refusal *refusal)
{
	int ret = branch_add_task(ctx, task);

	if (ret)
		refusal->why = ret == -ESRCH ? "the task exits" : "there is no memory";
	return ret;
}

/* A backend, and a window of it if one is wanted */
struct source {
	struct branch_backend	*backend;
	int			window;
};

static void put_backend(struct branch_backend *backend)
{
	guard(mutex)(&branch_mutex);
	branch_backend_put(backend);
}

static int get_source(struct source *source, const struct branch_attr *attr,
		      struct branch_refusal *refusal)
{
	refusal->of_functions = false;
	scoped_guard(mutex, &branch_mutex)
		source->backend = branch_backend_get(attr, refusal);
	if (!source->backend)
		return -EOPNOTSUPP;
	source->window = branch_window_get(source->backend, attr, refusal);
	if (refusal->why)
		put_backend(source->backend);
	return refusal->why ? source->window : 0;
}

static void put_source(struct source *source)
{
	branch_window_put(source->backend, source->window);
	put_backend(source->backend);
}

static int attach(struct branch_ctx *ctx, const struct branch_attr *attr,
		  struct branch_refusal *refusal)
{
	struct source source;
	int ret = get_source(&source, attr, refusal);

	if (ret)
		return ret;
	ctx->backend = source.backend;
	ctx->window = source.window;
	if (attr->subject != BRANCH_TASK)
		return 0;
	scoped_guard(mutex, &branch_mutex)
		ret = add_task(ctx, attr->task, refusal);
	if (ret)
		put_source(&source);
	return ret;
}

/**
 * branch_ctx_open() - open a context
 * @attr: what it is to be
 * @ops: who takes its records, or NULL
 * @data: for @ops
 * @refusal: set to the reason if it is refused
 *
 * Nothing is traced before branch_ctx_start(). Its memory is charged to the task that calls. The
 * functions of one context must not be called at the same time, but for branch_ctx_read(),
 * branch_ctx_first() and branch_ctx_next().
 *
 * Context: may sleep.
 * Return: the context, or an error pointer: -EINVAL if this is no context, -EOPNOTSUPP if this
 * machine or the backend cannot do it, -ENOSPC if too many contexts want functions, -ESRCH if the
 * task exits, -ENOMEM, or an error of the backend's.
 */
struct branch_ctx *branch_ctx_open(const struct branch_attr *attr, const struct branch_ops *ops,
				   void *data, struct branch_refusal *refusal)
{
	struct branch_ctx *ctx;
	int ret;

	refusal->why = contradiction(attr, ops);
	if (refusal->why)
		return ERR_PTR(-EINVAL);

	ctx = alloc_ctx(attr, ops, data);
	if (!ctx) {
		refusal->why = "there is no memory";
		return ERR_PTR(-ENOMEM);
	}
	ret = attach(ctx, attr, refusal);
	if (ret) {
		free_ctx(ctx);
		return ERR_PTR(ret);
	}
	return ctx;
}

/**
 * branch_ctx_add() - let a context be about one more task
 * @ctx: a context of a task
 * @task: the task
 * @refusal: set to the reason if it is refused
 *
 * If the context is running, tracing of the task has begun when this returns, or begins when it
 * is switched in.
 *
 * Context: may sleep.
 * Return: 0, also if the context is about the task already, -EINVAL if it is about CPUs, -ESRCH
 * if the task exits, -ENOMEM.
 */
int branch_ctx_add(struct branch_ctx *ctx, struct task_struct *task,
		   struct branch_refusal *refusal)
{
	int ret;

	if (ctx->attr.subject != BRANCH_TASK) {
		refusal->why = "the context is about CPUs";
		return -EINVAL;
	}
	guard(mutex)(&branch_mutex);
	ret = add_task(ctx, task, refusal);
	if (ret || !ctx->running)
		return ret;
	/* LMM(branch_ctx_add:A) pairs with the scheduler: it is in, then where it is */
	smp_mb();
	branch_refresh(cpumask_of(task_cpu(task)));
	return 0;
}

static int change(struct branch_ctx *ctx, const struct branch_attr *attr,
		  struct branch_refusal *refusal)
{
	struct source before = { ctx->backend, ctx->window }, source;
	int ret = get_source(&source, attr, refusal);

	if (ret)
		return ret;
	scoped_guard(mutex, &branch_mutex) {
		ctx->backend = source.backend;
		ctx->window = source.window;
		ctx->attr = *attr;
	}
	put_source(&before);
	return 0;
}

/**
 * branch_ctx_change() - change how a context traces
 * @ctx: a context that is not running
 * @attr: the modes, the functions, the backend and whether it is inherited are taken from this
 * @refusal: set to the reason if it is refused
 *
 * What the context is about stays. If it is refused, all stays.
 *
 * Context: may sleep.
 * Return: 0, -EBUSY if the context is running, and as branch_ctx_open().
 */
int branch_ctx_change(struct branch_ctx *ctx, const struct branch_attr *attr,
		      struct branch_refusal *refusal)
{
	struct branch_attr changed = ctx->attr;

	changed.modes = attr->modes;
	changed.functions = attr->functions;
	changed.inherit = attr->inherit;
	changed.backend = attr->backend;

	refusal->why = ctx->running ? "the context is running" : no_manner(&changed);
	if (refusal->why)
		return ctx->running ? -EBUSY : -EINVAL;
	return change(ctx, &changed, refusal);
}

/**
 * branch_ctx_tasks() - find out which tasks a context is about now
 * @ctx: the context
 * @show: called for each, must not call other functions of contexts
 * @data: for @show
 *
 * Those that inherited the context are among them, those that have exited are not.
 *
 * Context: may sleep.
 */
void branch_ctx_tasks(struct branch_ctx *ctx, void (*show)(void *data, struct task_struct *task),
		      void *data)
{
	struct branch_member *member;

	guard(mutex)(&branch_mutex);
	list_for_each_entry(member, &ctx->members, by_ctx)
		show(data, member->task);
}

/* The CPUs where it matters now whether the context is running */
static const struct cpumask *its_cpus(struct branch_ctx *ctx)
{
	if (ctx->attr.subject == BRANCH_ALL_CPUS)
		return cpu_online_mask;
	cpumask_clear(ctx->cpus);
	if (ctx->attr.subject == BRANCH_CPU)
		cpumask_set_cpu(ctx->attr.cpu, ctx->cpus);
	else
		branch_tasks_cpus(ctx, ctx->cpus);
	return ctx->cpus;
}

static void link_ctx(struct branch_ctx *ctx)
{
	if (ctx->attr.subject == BRANCH_ALL_CPUS)
		list_add_tail_rcu(&ctx->link, &branch_everywhere);
	else if (ctx->attr.subject == BRANCH_CPU)
		list_add_tail_rcu(&ctx->link, &per_cpu(branch_here, ctx->attr.cpu));
}

static void unlink_ctx(struct branch_ctx *ctx)
{
	if (ctx->attr.subject != BRANCH_TASK)
		list_del_rcu(&ctx->link);
}

static void set_running(struct branch_ctx *ctx, bool running)
{
	WRITE_ONCE(ctx->running, running);
	if (running)
		link_ctx(ctx);
	else
		unlink_ctx(ctx);
	/*
	 * LMM(set_running:A) pairs with the scheduler: write this, then read where the tasks
	 * are. If one is on its way to another CPU, that CPU reads this when it switches to it.
	 */
	smp_mb();
	branch_refresh(its_cpus(ctx));
}

/**
 * branch_ctx_start() - begin tracing
 * @ctx: the context
 *
 * When this returns, tracing has begun for what is running. Tracing of a task that is not
 * running, or of a CPU that is not online, begins when it comes.
 *
 * Context: may sleep.
 * Return: 0, also if it was started before, or an error of the tracepoint sched_switch.
 */
int branch_ctx_start(struct branch_ctx *ctx)
{
	int ret;

	if (ctx->running)
		return 0;
	guard(mutex)(&branch_mutex);
	ret = branch_switches_begin();
	if (!ret)
		set_running(ctx, true);
	return ret;
}

/**
 * branch_ctx_stop() - end tracing
 * @ctx: the context
 *
 * When this returns, no record comes any more. Those that are there can still be read.
 *
 * Context: may sleep.
 */
void branch_ctx_stop(struct branch_ctx *ctx)
{
	if (!ctx->running)
		return;
	scoped_guard(mutex, &branch_mutex) {
		set_running(ctx, false);
		branch_switches_end();
	}
	/* LMM(branch_ctx_stop:A) pairs with preemption off: records that are on their way */
	synchronize_rcu();
	scoped_guard(mutex, &branch_mutex) {
		cpumask_clear(ctx->began);
		branch_forget_beginnings(ctx);
	}
}

/**
 * branch_ctx_close() - close a context
 * @ctx: the context, which is gone when this returns, and its records with it
 *
 * Context: may sleep.
 */
void branch_ctx_close(struct branch_ctx *ctx)
{
	struct source source = { ctx->backend, ctx->window };

	branch_ctx_stop(ctx);
	scoped_guard(mutex, &branch_mutex)
		branch_remove_tasks(ctx);
	put_source(&source);
	/* LMM(branch_ctx_close:A) pairs with preemption off: those that have found it by a task */
	synchronize_rcu();
	free_ctx(ctx);
}

/**
 * branch_ctx_read() - take the oldest record
 * @ctx: a context that keeps its records
 * @record: set to the record, or to a BRANCH_LOST if some are missing before it
 *
 * Context: may sleep. Several may read; each record goes to one of them.
 * Return: false if there is none yet.
 */
bool branch_ctx_read(struct branch_ctx *ctx, struct branch_record *record)
{
	return branch_ring_read(ctx->ring, record);
}

/**
 * branch_ctx_first() - begin to look at the records
 * @ctx: a context that keeps its records
 * @cursor: set to the oldest record that branch_ctx_read() has not taken
 *
 * Context: may sleep.
 */
void branch_ctx_first(struct branch_ctx *ctx, struct branch_cursor *cursor)
{
	branch_ring_first(ctx->ring, cursor);
}

/**
 * branch_ctx_next() - look at the next record
 * @ctx: a context that keeps its records
 * @cursor: set by branch_ctx_first()
 * @record: set to the record, or to a BRANCH_LOST if some are missing before it
 *
 * The record stays where it is.
 *
 * Context: any.
 * Return: false if there is none yet.
 */
bool branch_ctx_next(struct branch_ctx *ctx, struct branch_cursor *cursor,
		     struct branch_record *record)
{
	return branch_ring_next(ctx->ring, cursor, record);
}

static const char *const kind_names[] = {
	[BRANCH_UNKNOWN] = "unknown",
	[BRANCH_CALL] = "call",
	[BRANCH_RETURN] = "return",
	[BRANCH_JUMP] = "jump",
	[BRANCH_CONDITIONAL] = "conditional",
	[BRANCH_INTERRUPT] = "interrupt",
	[BRANCH_EXCEPTION] = "exception",
	[BRANCH_SYSCALL] = "syscall",
	[BRANCH_TO_USER] = "to user",
	[BRANCH_TO_KERNEL] = "to kernel",
	[BRANCH_BEGIN] = "tracing began",
	[BRANCH_SWITCHED_IN] = "switched in",
	[BRANCH_LOST] = "lost",
	[BRANCH_NOT_FOLLOWED] = "not followed",
};

/**
 * branch_kind_name() - the name of an enum branch_kind
 * @kind: the kind
 *
 * Context: any.
 * Return: its name in words, or "?" if there is no such kind.
 */
const char *branch_kind_name(unsigned int kind)
{
	static_assert(ARRAY_SIZE(kind_names) == BRANCH_NR_KINDS);

	return kind < BRANCH_NR_KINDS ? kind_names[kind] : "?";
}
