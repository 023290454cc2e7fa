// SPDX-License-Identifier: GPL-2.0
/*
 * The function graph tracer, called from call sites without a trampoline.
 *
 * If function_graph of one instance is the only user of the function graph that wants a function,
 * and no filter or option asks for more, all that the entry of a call takes is known here: the
 * frame, an event of one size, the ring that it is written to in line. So a site that nobody else
 * wants calls an entry, which saves the few registers that this takes. With arguments, there
 * is one for each number of words that are copied. There is one instance at a time that has the
 * entries: its owner.
 *
 * The functions that set_graph_function and set_graph_notrace name call the trampoline. What
 * they change for the calls until they return is in the task's gate: a bit for each reason
 * not to trace the task. An entry looks at the gate first, and returns if one of those bits is
 * set that matter now, before it has saved a register. There are entries of a second kind for
 * max_graph_depth, which also look at how deep the task is.
 *
 * Whatever is not usual (a full sub-buffer, an interrupt, no room on the return stack) is left to
 * enter_slowly(), which does what ftrace_graph_func() and trace_graph_entry() do; the entry has
 * changed nothing by then. What is not usual for all calls (a threshold, another clock, other
 * options), or for those of one function (words on the stack, another user that wants it), has the
 * site call the trampoline.
 *
 * The recursion lock is not taken on the way in line, for the reason that
 * trace_function_entry.c gives.
 */
#include <linux/ftrace_entries.h>
#include <linux/overflow.h>
#include <linux/trace_recursion.h>

#include "fgraph/fgraph.h"
#include "fgraph/gate.h"
#include "fgraph/sets.h"
#include "ftrace_internal.h"
#include "trace.h"
#include "trace_call_site.h"
#include "trace_functions_graph.h"
#include "trace_functions_graph_filter.h"
#include "trace_graph_entry.h"
#include "trace_put.h"

/* Whose entries call sites may call: the owner, or the first user, which is to be the owner */
static const struct fgraph_ops *taker;

/* The user that is told of calls. While no user is, this is the last one, but @mark is 0. */
static struct {
	bool			told;
	u64			mark;	/* what its frames have */
	struct fgraph_ops	*gops;
	struct trace_array	*tr;
	unsigned long		look;	/* what gates are looked at for, while events are taken */
} owner = {
	.look = GRAPH_GATE_ALWAYS,
};

unsigned long graph_gate_look = GRAPH_GATE_ALWAYS;
int graph_gate_index = -1;
int graph_gate_depth = INT_MAX;

/* Preemption is off: a grace period is between two owners */
static __always_inline bool owner_is_told(void)
{
	bool told = READ_ONCE(owner.told);

	/* LMM(owner_is_told:A) pairs with LMM(trace_graph_start_entries:A): told, then who is */
	smp_rmb();
	return told;
}

/* A call whose event is not written in line; the arguments are those that the entry copies */
struct slow_call {
	struct ftrace_graph_ent	call;
	bool			recorded;
	unsigned int		trace_ctx;
	unsigned int		nr_words;
	unsigned long		words[FTRACE_SIG_MAX_REGS];
};

static __always_inline void fill_slowly(void *to, const void *from)
{
	struct ftrace_graph_ent_entry *entry = to;
	const struct slow_call *slow = from;

	entry->graph_ent = slow->call;
	ftrace_sig_put_words(entry->args, slow->words, slow->nr_words);
}

static bool record_slowly(struct fgraph_ops *gops, struct ftrace_graph_ent *call, void *what)
{
	struct trace_array *tr = gops->private;
	struct slow_call *slow = what;

	if (this_cpu_read(tr->array_buffer.data->disabled.counter))
		return false;
	slow->recorded =
		trace_put_at(tr->array_buffer.buffer, TRACE_GRAPH_ENT,
			     struct_size_t(struct ftrace_graph_ent_entry, args, slow->nr_words),
			     0, fgraph_top(current)->call.calltime, slow->trace_ctx,
			     fill_slowly, NULL, slow);
	return slow->recorded;
}

/* As trace_graph_entry() */
static int enter_words(struct ftrace_graph_ent *call, struct fgraph_ops *gops,
		       struct ftrace_regs *fregs)
{
	return graph_enter(gops, call, record_slowly, container_of(call, struct slow_call, call));
}

/*
 * function_graph_return() does not look whether a call has begun something that ends now. Calls
 * of named functions have; but their sites may not be patched yet when they are named.
 */
static bool may_return_in_line(const struct slow_call *slow)
{
	return slow->recorded &&
	       !graph_is_named(*fgraph_task_var(current, owner.gops), slow->call.depth);
}

static unsigned long handler_for(const struct slow_call *slow)
{
	return (unsigned long)(may_return_in_line(slow) ? return_to_function_graph :
							  return_to_handler);
}

/* As ftrace_graph_func() */
static void enter_slowly(unsigned long *retp, struct slow_call *slow)
{
	int bit;

	if (ftrace_graph_is_dead())
		return;
	slow->trace_ctx = trace_context();
	bit = ftrace_test_recursion_trylock(slow->call.func, *retp);
	if (bit < 0)
		return;
	if (owner_is_told() &&
	    !fgraph_enter_call(owner.gops, &slow->call, enter_words, *retp, retp))
		WRITE_ONCE(*retp, handler_for(slow));
	ftrace_test_recursion_unlock(bit);
}

static noinline __ftrace_entry void call_slowly(unsigned long *retp, struct slow_call *slow)
{
	enter_slowly(retp, slow);
}

static __always_inline void call_words_slowly(unsigned long ip, unsigned long *retp,
					      const unsigned long *words, unsigned int nr_words)
{
	struct slow_call slow __uninitialized;

	slow.call.func = ip;
	slow.recorded = false;
	slow.nr_words = nr_words;
	if (nr_words)
		memcpy(slow.words, words, nr_words * sizeof(*words));
	call_slowly(retp, &slow);
}

/* The same without words: the entry needs no room on its stack */
static noinline __ftrace_entry void call_plain_slowly(unsigned long ip, unsigned long *retp)
{
	call_words_slowly(ip, retp, NULL, 0);
}

/*
 * As fgraph_push(), with all else that a frame has. From here on, the function returns to us. There
 * is still the room that was found: an interrupt leaves the stack as it was (F2).
 */
static __always_inline void hook(struct task_struct *task, unsigned long ip, unsigned long *retp,
				 int depth, u64 now)
{
	unsigned long *stack = READ_ONCE(task->ret_stack);
	int position = READ_ONCE(task->curr_ret_stack);
	struct fgraph_frame *frame = fgraph_next_frame(stack, position);

	fgraph_push(task, frame, position, *retp, retp);
	frame->call.func = ip;
	frame->call.calltime = now;
	fgraph_set_mark(frame, owner.mark, fgraph_begin(position));
	task->curr_ret_depth = depth;
	WRITE_ONCE(*retp, (unsigned long)return_to_function_graph);
}

/*
 * @count is what trace_context_count() was at the call site; preemption is off. The gate is open:
 * the task has a stack, nothing silences it, and hooking is not paused.
 *
 * Return: true if that was all that there was to do; otherwise nothing has changed.
 */
static __always_inline bool
enter_in_line(unsigned long ip, unsigned long *retp, unsigned int count,
	      const unsigned long *words, unsigned int nr_words)
{
	struct ftrace_graph_ent_entry *entry;
	struct task_struct *task = current;
	struct trace_array *tr;
	struct rb_put put;
	int depth;
	u64 now;

	/* Kept in a register: the compiler reads it again at each use otherwise */
	OPTIMIZER_HIDE_VAR(task);
	if (unlikely(!owner_is_told()))
		return false;
	tr = owner.tr;
	if (!trace_call_site_is_usual(tr, task, count) || ftrace_graph_is_dead())
		return false;
	if (!fgraph_has_room(READ_ONCE(task->curr_ret_stack)))
		return false;

	now = trace_call_site_clock();
	put = ring_buffer_put_at(tr->array_buffer.buffer,
				 struct_size_t(struct ftrace_graph_ent_entry, args, nr_words),
				 0, now);
	if (unlikely(!put.begun))
		return false;
	entry = put.data;
	trace_context_fill_plain(&entry->ent, TRACE_GRAPH_ENT, task, count);
	entry->graph_ent.func = ip;
	depth = task->curr_ret_depth + 1;
	entry->graph_ent.depth = depth;
	trace_call_site_put_words(entry->args, words, nr_words);
	hook(task, ip, retp, depth, now);
	trace_call_site_end_put(put);
	__this_cpu_write(trace_taskinfo_save, true);
	return true;
}

/* The entry of a call, with the first @nr_words of its arguments; @words are all of them */
static __always_inline void enter(unsigned long ip, unsigned long *retp,
				  const unsigned long *words, unsigned int nr_words)
{
	unsigned int count = trace_context_count();
	bool done;

	preempt_disable_notrace();
	done = enter_in_line(ip, retp, count, words, nr_words);
	preempt_enable_notrace();
	if (likely(done))
		return;
	if (nr_words)
		call_words_slowly(ip, retp, words, nr_words);
	else
		call_plain_slowly(ip, retp);
}

/*
 * The parameters are what the traced function got in registers. Its return address stands on the
 * stack behind the entry's own. This is the place that DWARF calls the canonical frame address of
 * the entry (DWARF 5, 6.4). It is not a parameter, as a compiler may copy parameters: with KASAN,
 * it does.
 */
#define DEFINE(kind, nr_words, is_wanted)						\
	FTRACE_SITE_ENTRY(function_graph_##kind##_##nr_words);				\
	__ftrace_site_entry void							\
	function_graph_##kind##_##nr_words(FTRACE_ENTRY_ARGS)				\
	{										\
		const unsigned long words[] = FTRACE_ENTRY_WORDS;			\
											\
		if (is_wanted)								\
			enter(_RET_IP_ - MCOUNT_INSN_SIZE, __builtin_dwarf_cfa(),	\
			      words, nr_words);						\
	}

#define DEFINE_ENTRY(nr_words)	\
	DEFINE(entry, nr_words, graph_gate_is_open())
#define DEFINE_LIMITED(nr_words)	\
	DEFINE(limited, nr_words, graph_gate_is_open() && graph_gate_is_not_too_deep())

FTRACE_ENTRIES_BY_WORDS(DEFINE_ENTRY)
FTRACE_ENTRIES_BY_WORDS(DEFINE_LIMITED)

#define ENTRY_ADDRESS(nr_words)		(unsigned long)function_graph_entry_##nr_words,
#define LIMITED_ADDRESS(nr_words)	(unsigned long)function_graph_limited_##nr_words,

/* Of each kind, by the number of words that they copy */
static const unsigned long addresses[] = {
	FTRACE_ENTRIES_BY_WORDS(ENTRY_ADDRESS)
	FTRACE_ENTRIES_BY_WORDS(LIMITED_ADDRESS)
};

#define NR_OF_A_KIND	(FTRACE_SIG_ARG_REGS + 1)
static_assert(ARRAY_SIZE(addresses) == 2 * NR_OF_A_KIND);

/*
 * Whether @frame is that of a call which the owner was told of, and which returns now. If the
 * frame is the owner's, this task has seen who that is, so it looks at the mark alone. With 32
 * bits, one half of the mark may be 0 while the owner changes; no half of a frame's is.
 */
static __always_inline bool is_returning(const struct fgraph_frame *frame,
					 const unsigned long *slot)
{
	return likely(fgraph_has_mark(frame, READ_ONCE(owner.mark))) &&
	       likely(frame->call.retp == slot);
}

static __always_inline bool leave_in_line(struct graph_result *result, unsigned int count)
{
	struct ftrace_graph_ret_entry *entry;
	struct task_struct *task = current;
	int position = task->curr_ret_stack;
	struct fgraph_frame *frame;
	struct trace_array *tr;
	struct rb_put put;
	u64 now;

	if (unlikely(!position))
		return false;
	frame = fgraph_top_at(task->ret_stack, position);
	if (!is_returning(frame, &result->slot))
		return false;
	tr = owner.tr;
	if (!trace_call_site_is_usual(tr, task, count))
		return false;

	now = trace_call_site_clock();
	put = ring_buffer_put_at(tr->array_buffer.buffer, sizeof(*entry), 0, now);
	if (unlikely(!put.begun))
		return false;
	entry = put.data;
	trace_context_fill_plain(&entry->ent, TRACE_GRAPH_RET, task, count);
	entry->ret.func = frame->call.func;
#ifdef CONFIG_FUNCTION_GRAPH_RETVAL
	entry->ret.retval = result->low;
#endif
	entry->ret.depth = task->curr_ret_depth;
	entry->ret.overrun = atomic_read(&task->trace_overrun);
	entry->ret.calltime = frame->call.calltime;
	entry->ret.rettime = now;
	/* From here on, an unwinder finds the address without the frame */
	WRITE_ONCE(result->slot, frame->call.ret);
	task->curr_ret_depth--;
	fgraph_reset(task, fgraph_below(frame, fgraph_begin(position)));
	ring_buffer_put_end(put);
	__this_cpu_write(trace_taskinfo_save, true);
	return true;
}

/**
 * function_graph_return - record the return of a call that an entry has hooked
 * @result: the function's result, and where its return address was
 *
 * Only return_to_function_graph calls this, with the stack of the function that returns: its
 * call was recorded, nothing was kept for the return, which needs nothing but the result.
 *
 * Context: any, NMI included.
 * Return: true if that was all that there was to do, and the return address is back.
 * Otherwise nothing has changed: ftrace_return_to_handler() has to do it.
 */
__no_stack_protector bool function_graph_return(struct graph_result *result)
{
	unsigned int count = trace_context_count();
	bool done;

	preempt_disable_notrace();
	done = leave_in_line(result, count);
	preempt_enable_notrace();
	return done;
}

static unsigned int choose(const struct ftrace_ops *ops, unsigned long ip)
{
	const struct fgraph_ops *gops = taker;
	int words;

	/* The callback looks at what begins with a call */
	if (!gops || graph_names(ip) || !trace_call_site_has_clock(gops->private))
		return 0;
	words = graph_entry_words(gops, ip);
	if (words < 0 || !fgraph_wants_alone(gops, ip))
		return 0;
	return (READ_ONCE(fgraph_max_depth) ? NR_OF_A_KIND : 0) + words + 1;
}

struct ftrace_entries function_graph_entries = {
	.choose	= choose,
	.addr	= addresses,
	.nr	= ARRAY_SIZE(addresses),
};

/* The first function of a task runs at depth 0, so its calls are at depth 1 */
static int depth_limit(void)
{
	unsigned int max = READ_ONCE(fgraph_max_depth);

	return max ? min(max - 1, INT_MAX) : INT_MAX;
}

static unsigned long gate_look(void)
{
	if (!owner_is_told() || !ring_buffer_record_is_on(owner.tr->array_buffer.buffer))
		return GRAPH_GATE_ALWAYS;
	return READ_ONCE(owner.look);
}

/* The instance stays for as long as preemption is off */
static void follow_switches(void)
{
	guard(preempt_notrace)();
	trace_call_site_follow(&graph_gate_look, gate_look);
}

static struct rb_watcher watcher = {
	.changed = follow_switches,
};

static int __init watch_switches(void)
{
	ring_buffer_watch(&watcher);
	return 0;
}
core_initcall(watch_switches);

static void open_gates(void)
{
	unsigned long look = GRAPH_GATE_NO_STACK | GRAPH_GATE_SILENCED | GRAPH_GATE_PAUSED;

	if (graph_has_named())
		look |= GRAPH_GATE_OUTSIDE;
	if (owner.gops->ask_task)
		look |= GRAPH_GATE_OTHER_TASK;
	WRITE_ONCE(graph_gate_depth, depth_limit());
	WRITE_ONCE(owner.look, look);
	follow_switches();
}

/**
 * trace_graph_update_gates - a filter has changed of what is looked at in gates
 *
 * Context: ftrace_lock is held.
 */
void trace_graph_update_gates(void)
{
	if (owner.told)
		open_gates();
}

/**
 * trace_graph_note_task - note whether the pid filters let a task through
 * @tr: the instance whose filters this CPU has just applied to @task
 * @task: the current task, or the one that is about to run on this CPU
 *
 * Context: preemption is off.
 */
void trace_graph_note_task(const struct trace_array *tr, struct task_struct *task)
{
	int pid = this_cpu_read(tr->array_buffer.data->ftrace_ignore_pid);

	if (tr == READ_ONCE(owner.tr))
		graph_gate_set_other(task, pid == FTRACE_PID_IGNORE);
}

static void note_running_task(void *tr)
{
	trace_graph_note_task(tr, current);
}

/* Tasks that do not run are noted when they are switched in, as long as there are filters */
static void note_tasks(void)
{
	if (owner.gops->ask_task)
		on_each_cpu(note_running_task, owner.tr, true);
}

/**
 * trace_graph_choose_entries - patch call sites after a filter or an option has changed
 *
 * Context: process context, may sleep; takes ftrace_lock.
 */
void trace_graph_choose_entries(void)
{
	guard(mutex)(&ftrace_lock);
	trace_graph_update_gates();
	ftrace_update_entries_locked();
}

/**
 * trace_graph_has_entries - whether there are entries for what a user does
 * @gops: the user
 *
 * Return: true if it is function_graph in an instance, without a threshold.
 */
bool trace_graph_has_entries(const struct fgraph_ops *gops)
{
	const struct trace_array *tr;

	if (gops->entryfunc != trace_graph_entry)
		return false;
	tr = gops->private;
	return tr && tr->gops == gops;
}

/**
 * trace_graph_take_entries - let call sites call the entries of the first user
 * @gops: the user, which is going to be registered; nothing is done if it has no entries
 *
 * This is for the sites that are patched until trace_graph_start_entries().
 *
 * Context: ftrace_lock is held.
 */
void trace_graph_take_entries(const struct fgraph_ops *gops)
{
	if (trace_graph_has_entries(gops))
		taker = gops;
}

/**
 * trace_graph_has_owner - whether entries tell a user of calls
 *
 * Context: ftrace_lock is held.
 * Return: true if they do.
 */
bool trace_graph_has_owner(void)
{
	return owner.told;
}

/*
 * Gates repeat the variables of this user from now on. Calls that have not seen this are over
 * before all gates are set.
 */
static void set_gates(int index)
{
	if (graph_gate_index != index) {
		WRITE_ONCE(graph_gate_index, index);
		/* LMM(set_gates:A) pairs with preemption off: in graph_gate_change() */
		synchronize_rcu();
	}
	fgraph_set_gates(index);
}

/**
 * trace_graph_start_entries - tell a user of the calls whose sites call an entry
 * @gops: the user, which has entries
 *
 * There is no owner, and no task is in an entry, or on its way to one, for the owner before. Call
 * sites that are patched from now on may call entries.
 *
 * Context: ftrace_lock is held; may sleep.
 */
void trace_graph_start_entries(struct fgraph_ops *gops)
{
	taker = gops;
	owner.gops = gops;
	WRITE_ONCE(owner.tr, gops->private);
	WRITE_ONCE(owner.mark, gops->mark);
	/* LMM(trace_graph_start_entries:A) pairs with LMM(owner_is_told:A): who, then told */
	smp_wmb();
	WRITE_ONCE(owner.told, true);
	set_gates(gops->idx);
	note_tasks();
	open_gates();
}

/**
 * trace_graph_stop_entries - tell a user of no calls any more
 * @gops: the user, which goes; nothing is done if it is not the owner
 *
 * After a grace period, no entry is telling it of a call.
 *
 * Context: ftrace_lock is held.
 */
void trace_graph_stop_entries(const struct fgraph_ops *gops)
{
	if (taker != gops)
		return;
	taker = NULL;
	/* Entries that have found their gate open, and returns, look at these */
	WRITE_ONCE(owner.told, false);
	WRITE_ONCE(owner.mark, 0);
	/* For the next owner, until its gates are right */
	WRITE_ONCE(owner.look, GRAPH_GATE_ALWAYS);
	follow_switches();
}
