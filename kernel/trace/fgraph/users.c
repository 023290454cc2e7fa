// SPDX-License-Identifier: GPL-2.0
/*
 * The users of the function graph: who is called at the entry and the return of functions.
 *
 * A user has an index, which is its bit in a frame and its variable in each task's stack.
 * All users share one ftrace_ops, which hooks what any of them wants. Registrations change
 * under ftrace_lock.
 */
#include <linux/ftrace.h>
#include <linux/rcupdate.h>

#include "../ftrace_internal.h"
#include "../trace.h"
#include "fgraph.h"
#include "sets.h"
#ifdef CONFIG_FUNCTION_GRAPH_ENTRIES
#include "../trace_graph_entry.h"
#endif

/**
 * ftrace_graph_entry_stub - an entryfunc() that wants no call
 * @trace: the call
 * @gops: the user
 * @fregs: the registers at the call site, or NULL
 *
 * Return: 0.
 */
int ftrace_graph_entry_stub(struct ftrace_graph_ent *trace, struct fgraph_ops *gops,
			    struct ftrace_regs *fregs)
{
	return 0;
}

/**
 * fgraph_ignore_return - a retfunc() that does nothing
 * @call: the call
 * @gops: the user
 * @fregs: the registers with the result, or NULL
 */
void fgraph_ignore_return(struct ftrace_graph_ret *call, struct fgraph_ops *gops,
			  struct ftrace_regs *fregs)
{
}

/* No frame has its bit */
struct fgraph_ops fgraph_nobody = {
	.entryfunc	= ftrace_graph_entry_stub,
	.retfunc	= fgraph_ignore_return,
	.idx		= FGRAPH_MAX_USERS,
};

struct fgraph_ops *fgraph_users[FGRAPH_MAX_USERS] = {
	[0 ... FGRAPH_MAX_USERS - 1] = &fgraph_nobody,
};
unsigned long fgraph_used;

struct fgraph_ops *fgraph_only = &fgraph_nobody;
DEFINE_STATIC_KEY_FALSE(fgraph_has_only);
DEFINE_STATIC_CALL(fgraph_entry, ftrace_graph_entry_stub);
DEFINE_STATIC_CALL(fgraph_return, fgraph_ignore_return);

bool fgraph_strays;

u32 fgraph_epoch;
u32 fgraph_since[FGRAPH_MAX_USERS];

int ftrace_graph_active;

/* Some architectures look at these to see whether there is any user */
trace_func_graph_ret_t ftrace_graph_return = ftrace_stub_graph;
trace_func_graph_ent_t ftrace_graph_entry = ftrace_graph_entry_stub;

static int hook_entries(struct ftrace_graph_ent *call, struct fgraph_ops *gops,
			struct ftrace_regs *fregs)
{
	return 0;
}

static void tell_architecture(bool any_user)
{
	ftrace_graph_return = any_user ? fgraph_ignore_return : ftrace_stub_graph;
	ftrace_graph_entry = any_user ? hook_entries : ftrace_graph_entry_stub;
}

#ifdef CONFIG_DYNAMIC_FTRACE
/* Architectures that have to patch their trampoline for the graph have their own */
int __weak ftrace_enable_ftrace_graph_caller(void)
{
	return 0;
}

int __weak ftrace_disable_ftrace_graph_caller(void)
{
	return 0;
}
#endif

static struct ftrace_ops graph_ops = {
	.func		= ftrace_graph_func,
	.flags		= FTRACE_OPS_GRAPH_STUB,
#ifdef FTRACE_GRAPH_TRAMP_ADDR
	.trampoline	= FTRACE_GRAPH_TRAMP_ADDR,
#endif
#ifdef CONFIG_FUNCTION_GRAPH_ENTRIES
	.entries	= &function_graph_entries,
#endif
};

/**
 * fgraph_init_ops - make the ops of a user
 * @dst_ops: the ops, fgraph_ops::ops
 * @src_ops: whose filters and instance they share; NULL for filters of their own
 */
void fgraph_init_ops(struct ftrace_ops *dst_ops, struct ftrace_ops *src_ops)
{
	dst_ops->flags = FTRACE_OPS_FL_PID | FTRACE_OPS_GRAPH_STUB;
	if (!src_ops)
		return;
	dst_ops->private = src_ops->private;
#ifdef CONFIG_DYNAMIC_FTRACE
	dst_ops->flags |= FTRACE_OPS_FL_INITIALIZED;
	dst_ops->func_hash = &src_ops->local_hash;
	mutex_init(&dst_ops->local_hash.regex_lock);
	INIT_LIST_HEAD(&dst_ops->subop_list);
#endif
}

/**
 * fgraph_traces_task - whether set_ftrace_pid lets the current task through
 * @gops: a user whose instance has a pid filter
 *
 * Context: any, NMI included; preemption is off.
 * Return: true if it does.
 */
bool fgraph_traces_task(const struct fgraph_ops *gops)
{
	struct trace_array *tr = gops->ops.private;
	int pid = this_cpu_read(tr->array_buffer.data->ftrace_ignore_pid);

	return pid == FTRACE_PID_TRACE || (pid != FTRACE_PID_IGNORE && pid == current->pid);
}

static void look_for_pids(struct fgraph_ops *gops)
{
	WRITE_ONCE(gops->ask_task, ftrace_pids_enabled(&gops->ops));
}

static void wait_for_strays(void)
{
	if (!fgraph_strays)
		return;
	/* LMM(wait_for_strays:A) pairs with preemption off: in function_graph_enter_regs() */
	synchronize_rcu_tasks_rude();
	/* LMM(wait_for_strays:B) pairs with preemption off: on the way to where it is */
	synchronize_rcu_tasks();
	fgraph_strays = false;
}

#ifdef CONFIG_FUNCTION_GRAPH_ENTRIES
/* What is written to the frames of calls that are hooked by an entry */
static void mark_frames(struct fgraph_ops *gops)
{
	gops->mark = fgraph_mark(BIT(gops->idx), fgraph_epoch);
}

static struct fgraph_ops *find_user_with_entries(void)
{
	int i;

	for_each_set_bit(i, &fgraph_used, FGRAPH_MAX_USERS)
		if (trace_graph_has_entries(fgraph_users[i]))
			return fgraph_users[i];
	return NULL;
}

/* Entries are those of one user, for as long as it stays: they do not look up whose they are */
static void give_entries(void)
{
	struct fgraph_ops *gops = trace_graph_has_owner() ? NULL : find_user_with_entries();

	if (!gops)
		return;
	wait_for_strays();
	trace_graph_start_entries(gops);
}

/*
 * Call sites call an entry if just its owner wants the function. When a filter changes, sites are
 * patched anyway.
 */
static void update_entries(void)
{
	if (trace_graph_has_owner())
		ftrace_update_entries_locked();
}
#else
static inline void mark_frames(struct fgraph_ops *gops) { }
static inline void give_entries(void) { }
static inline void update_entries(void) { }
static inline void trace_graph_take_entries(const struct fgraph_ops *gops) { }
static inline void trace_graph_stop_entries(const struct fgraph_ops *gops) { }
static inline void trace_graph_update_gates(void) { }
#endif

/**
 * fgraph_update_pid_func - pid filters were set or removed
 *
 * Context: ftrace_lock is held.
 */
void fgraph_update_pid_func(void)
{
	int i;

	for_each_set_bit(i, &fgraph_used, FGRAPH_MAX_USERS)
		look_for_pids(fgraph_users[i]);
	trace_graph_update_gates();
}

/*
 * Call the only user directly, of all that is hooked. Until the key is set, nobody does that:
 * a call that has found who the user is may go on much later, and must not get to the function
 * of another one then.
 */
static void call_directly(struct fgraph_ops *gops)
{
	if (!FGRAPH_DIRECT)
		return;
	wait_for_strays();
	WRITE_ONCE(fgraph_only, gops);
	static_call_update(fgraph_return, gops->retfunc);
	static_call_update(fgraph_entry, gops->entryfunc);
	static_branch_enable(&fgraph_has_only);
}

/* Calls that have begun may still call the user directly that was the only one */
static void call_by_sets(void)
{
	if (FGRAPH_DIRECT)
		static_branch_disable(&fgraph_has_only);
}

/* Nothing may be left of a user whose module goes away */
static void forget_direct_user(void)
{
	if (!FGRAPH_DIRECT)
		return;
	static_call_update(fgraph_entry, fgraph_nobody.entryfunc);
	static_call_update(fgraph_return, fgraph_nobody.retfunc);
	WRITE_ONCE(fgraph_only, &fgraph_nobody);
}

/* What has the bit of @index in frames until now is not the user that gets it now */
static void begin_epoch(int index)
{
	WRITE_ONCE(fgraph_since[index], fgraph_epoch + 1);
	/* LMM(begin_epoch:A) pairs with LMM(wants_return:B): whose it is, then the epoch */
	smp_wmb();
	WRITE_ONCE(fgraph_epoch, fgraph_epoch + 1);
	/* LMM(begin_epoch:B) pairs with LMM(end_call:A), LMM(wants_return:A): then the user */
	smp_wmb();
}

static void add_user(struct fgraph_ops *gops, int index)
{
	gops->idx = index;
	fgraph_clear_variables(index);
	begin_epoch(index);
	mark_frames(gops);
	WRITE_ONCE(fgraph_users[index], gops);
	set_bit(index, &fgraph_used);
	fgraph_forget_sets();
	if (ftrace_graph_active == 1)
		call_directly(gops);
	give_entries();
	/* Those of the first user were patched for it */
	if (ftrace_graph_active > 1)
		update_entries();
}

/* No callback of the user is running behind this, nor will one */
static void remove_user(struct fgraph_ops *gops)
{
	clear_bit(gops->idx, &fgraph_used);
	WRITE_ONCE(fgraph_users[gops->idx], &fgraph_nobody);
	fgraph_forget_sets();
	call_by_sets();
	trace_graph_stop_entries(gops);
	/* LMM(remove_user:A) pairs with preemption off: in calls that have found the user */
	synchronize_rcu();
	fgraph_strays = true;
	if (ftrace_graph_active == 1)
		call_directly(fgraph_users[__ffs(fgraph_used)]);
	else if (!ftrace_graph_active)
		forget_direct_user();
	give_entries();
	update_entries();
}

static int start_first(void)
{
	int err = fgraph_start_tasks();

	if (!err)
		tell_architecture(true);
	return err;
}

static void stop_last(void)
{
	tell_architecture(false);
	fgraph_stop_tasks();
}

/* What was hooked for a user that cannot be registered is not any more */
static void take_back_hooks(struct fgraph_ops *gops, bool first)
{
	fgraph_strays = true;
	if (first) {
		trace_graph_stop_entries(gops);
		stop_last();
	} else if (ftrace_graph_active == 1) {
		call_directly(fgraph_users[__ffs(fgraph_used)]);
	}
}

/**
 * register_ftrace_graph - call a user at entries and returns
 * @gops: its callbacks and, in @ops, the functions it wants
 *
 * @entryfunc is called at the entry of a function, and if it returns 1, @retfunc at the
 * return; both in any context, NMI included, with preemption off.
 *
 * Context: may sleep.
 * Return: 0; -ENOSPC if there are 16 users; -ENOMEM; or what hooking the functions gave.
 */
int register_ftrace_graph(struct fgraph_ops *gops)
{
	bool first;
	int index, err;

	guard(mutex)(&ftrace_lock);
	index = find_first_zero_bit(&fgraph_used, FGRAPH_MAX_USERS);
	if (index == FGRAPH_MAX_USERS)
		return -ENOSPC;

	first = !ftrace_graph_active++;
	err = first ? start_first() : 0;
	if (err) {
		ftrace_graph_active--;
		return err;
	}
	/* What its sites are to call depends on this */
	look_for_pids(gops);
	if (first)
		trace_graph_take_entries(gops);
	/* What it wants is hooked before it is called, and another user may not want that */
	if (ftrace_graph_active == 2)
		call_by_sets();
	/* This makes its filters, too, if it has none, and they are looked at for each user */
	err = ftrace_startup_subops(&graph_ops, &gops->ops, first ? FTRACE_START_FUNC_RET : 0);
	if (err) {
		ftrace_graph_active--;
		take_back_hooks(gops, first);
		return err;
	}
	add_user(gops, index);
	return 0;
}

/**
 * unregister_ftrace_graph - call a user no more
 * @gops: the user; nothing is done if it is not registered
 *
 * Calls that were entered before, and return later, are not reported.
 *
 * Context: may sleep. When this returns, no callback of @gops is running.
 */
void unregister_ftrace_graph(struct fgraph_ops *gops)
{
	bool last;

	guard(mutex)(&ftrace_lock);
	if (gops->idx < 0 || gops->idx >= FGRAPH_MAX_USERS || fgraph_users[gops->idx] != gops)
		return;

	last = !--ftrace_graph_active;
	ftrace_shutdown_subops(&graph_ops, &gops->ops, last ? FTRACE_STOP_FUNC_RET : 0);
	remove_user(gops);
	if (last)
		stop_last();
}
