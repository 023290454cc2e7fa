// SPDX-License-Identifier: GPL-2.0
/*
 * The filters of the function graph tracer: what is left out, beside the functions that
 * set_ftrace_filter leaves out and the tasks that set_ftrace_pid does.
 *
 * A call only looks at two hints of its instance. fgraph_ops::ask_filter says that there is a
 * filter; it follows each change of one. fgraph_ops::ask_off says that recording was off when
 * an event was last refused. What the hints are about is decided by graph_filter() and by the
 * ring buffer.
 *
 * A task's word for an instance is 0 if neither a function of set_graph_function nor one of
 * set_graph_notrace is running. An interrupt leaves it as it found it. The task's gate repeats
 * what the word says, see fgraph/gate.h.
 */
#include <linux/ftrace.h>
#include <linux/interrupt.h>
#include <linux/ring_buffer.h>
#include <linux/uaccess.h>

#include "fgraph/gate.h"
#include "trace.h"
#include "trace_functions_graph.h"
#include "trace_functions_graph_filter.h"

/* How many levels deep functions are traced; 0 means no limit */
unsigned int fgraph_max_depth;

/* Set while "funcgraph-irqs" is off: hard interrupts are not recorded */
static bool skip_hardirqs;

/* Callers have preemption off, so none of these is freed before they are done with it */
#ifdef CONFIG_DYNAMIC_FTRACE
static struct ftrace_hash *named_functions(void)
{
	return rcu_dereference_raw_check(ftrace_graph_hash);
}

static struct ftrace_hash *silenced_functions(void)
{
	return rcu_dereference_raw_check(ftrace_graph_notrace_hash);
}

static bool has(struct ftrace_hash *hash, unsigned long func)
{
	return ftrace_lookup_ip(hash, func);
}
#else
static struct ftrace_hash *named_functions(void) { return NULL; }
static struct ftrace_hash *silenced_functions(void) { return NULL; }
static bool has(struct ftrace_hash *hash, unsigned long func) { return false; }
#endif

static bool is_too_deep(int depth)
{
	unsigned int max = READ_ONCE(fgraph_max_depth);

	return max && depth >= max;
}

/* An interrupt whose function set_graph_function names is recorded nevertheless */
static bool is_unwanted_irq(unsigned long state)
{
	return READ_ONCE(skip_hardirqs) && !(state & TRACE_GRAPH_IRQ) && in_hardirq();
}

/* The filter of functions lets all of a call through that it names */
static void begin_named(unsigned long *state, int depth)
{
	unsigned long inside = TRACE_GRAPH_FL | (in_hardirq() ? TRACE_GRAPH_IRQ : 0);
	unsigned long word = (*state & ~TRACE_GRAPH_IRQ) | inside;

	ftrace_graph_set_depth(&word, depth);
	graph_gate_change(state, word);
}

static void end_named(unsigned long *state)
{
	graph_gate_change(state, *state & TRACE_GRAPH_NOTRACE);
}

/* Whether set_graph_function has the call, or one that it is in */
static bool is_inside(unsigned long *state, const struct ftrace_graph_ent *call)
{
	struct ftrace_hash *hash;

	if (*state & TRACE_GRAPH_FL)
		return true;
	hash = named_functions();
	if (ftrace_hash_empty(hash))
		return true;
	if (!has(hash, call->func))
		return false;
	begin_named(state, call->depth);
	return true;
}

/**
 * graph_filter - decide by all filters whether a call is recorded
 * @gops: the instance
 * @call: function and depth
 *
 * Context: an entryfunc().
 * Return: what to do. If that is to record the call, and it is not recorded after all,
 * graph_not_recorded() has to be called.
 */
enum graph_verdict graph_filter(struct fgraph_ops *gops, const struct ftrace_graph_ent *call)
{
	unsigned long *state = fgraph_task_var(current, gops);

	if (has(silenced_functions(), call->func)) {
		graph_gate_change(state, *state | TRACE_GRAPH_NOTRACE);
		return GRAPH_SILENCE;
	}
	if (!is_inside(state, call))
		return GRAPH_LEAVE_OUT;
	if (!is_too_deep(call->depth) && !is_unwanted_irq(*state))
		return GRAPH_RECORD;
	graph_not_recorded(gops, call);
	return GRAPH_LEAVE_OUT;
}

/**
 * graph_not_recorded - a call that the filters let through was not recorded
 * @gops: the instance
 * @call: function and depth
 *
 * There will be no return. A function of set_graph_function that began with this call is
 * forgotten; one that an outer call began is not.
 *
 * Context: an entryfunc().
 */
void graph_not_recorded(struct fgraph_ops *gops, const struct ftrace_graph_ent *call)
{
	unsigned long *state = fgraph_task_var(current, gops);
	struct trace_array *tr = gops->private;

	if (graph_is_named(*state, call->depth))
		end_named(state);
	if (!ring_buffer_record_is_on(tr->array_buffer.buffer))
		WRITE_ONCE(gops->ask_off, true);
}

/**
 * graph_end_of_call - update the word of a task at the return of a call
 * @state: the word, in which something is set
 * @depth: of the call
 *
 * Context: a retfunc().
 * Return: false if the call was silenced, so there is no entry of it.
 */
bool graph_end_of_call(unsigned long *state, int depth)
{
	if (graph_is_named(*state, depth))
		end_named(state);
	if (!(*state & TRACE_GRAPH_NOTRACE))
		return true;
	graph_gate_change(state, *state & ~TRACE_GRAPH_NOTRACE);
	return false;
}

/*
 * Whether events are taken. A function that silences others has to be seen when it is
 * entered, even if they are not taken until later.
 */
static bool is_off(struct fgraph_ops *gops)
{
	struct trace_array *tr = gops->private;

	if (!ring_buffer_record_is_on(tr->array_buffer.buffer))
		return ftrace_hash_empty(silenced_functions());
	WRITE_ONCE(gops->ask_off, false);
	return false;
}

/* As graph_filter(), before the call has a frame, and without changing anything */
static bool may_be_recorded(struct fgraph_ops *gops, unsigned long func, int depth)
{
	unsigned long state = *fgraph_task_var(current, gops);
	struct ftrace_hash *hash;

	if (state & TRACE_GRAPH_NOTRACE)
		return false;
	if (has(silenced_functions(), func))
		return true;
	hash = named_functions();
	if (!(state & TRACE_GRAPH_FL) && !ftrace_hash_empty(hash))
		return has(hash, func);
	return !is_too_deep(depth) && !is_unwanted_irq(state);
}

/**
 * graph_wants - whether a call may have to be recorded
 * @gops: the instance
 * @func: the function
 * @depth: of the call
 *
 * Context: any, NMI included; preemption is off, and the task has a return stack.
 * Return: false if trace_graph_entry() would not record it, nor silence other calls for it.
 */
bool graph_wants(struct fgraph_ops *gops, unsigned long func, int depth)
{
	if (gops->ask_off && is_off(gops))
		return false;
	return !gops->ask_filter || may_be_recorded(gops, func, depth);
}

/**
 * graph_has_named - look whether set_graph_function names functions
 *
 * Context: any.
 * Return: true if it does.
 */
bool graph_has_named(void)
{
	guard(preempt_notrace)();
	return !ftrace_hash_empty(named_functions());
}

/**
 * graph_names - look for a function in set_graph_function and set_graph_notrace
 * @func: its call site
 *
 * Context: any.
 * Return: true if one of them has it.
 */
bool graph_names(unsigned long func)
{
	guard(preempt_notrace)();
	return has(named_functions(), func) || has(silenced_functions(), func);
}

static bool has_filters(void)
{
	guard(preempt)();
	return graph_has_named() || !ftrace_hash_empty(silenced_functions()) ||
	       fgraph_max_depth || skip_hardirqs;
}

/**
 * graph_choose_filters - tell an instance whether there are filters
 * @tr: the instance
 *
 * Context: trace_types_lock is held.
 */
void graph_choose_filters(struct trace_array *tr)
{
	lockdep_assert_held(&trace_types_lock);
	WRITE_ONCE(tr->gops->ask_filter, has_filters());
}

static void choose_all_filters(void)
{
	struct trace_array *tr;

	/* Instances that are made at boot get theirs later, and look when they begin to trace */
	list_for_each_entry(tr, &ftrace_trace_arrays, list)
		if (tr->gops)
			graph_choose_filters(tr);
}

/**
 * graph_filters_changed - set_graph_function, set_graph_notrace or the depth was changed
 *
 * Context: may sleep.
 */
void graph_filters_changed(void)
{
	guard(mutex)(&trace_types_lock);
	choose_all_filters();
	trace_graph_choose_entries();
}

/**
 * graph_set_irqs - the option funcgraph-irqs was changed
 * @recorded: whether hard interrupts are recorded
 *
 * Context: trace_types_lock is held.
 */
void graph_set_irqs(bool recorded)
{
	WRITE_ONCE(skip_hardirqs, !recorded);
	choose_all_filters();
	trace_graph_choose_entries();
}

static ssize_t max_depth_read(struct file *file, char __user *ubuf, size_t cnt, loff_t *ppos)
{
	char text[sizeof("4294967295\n")];
	int len = scnprintf(text, sizeof(text), "%u\n", fgraph_max_depth);

	return simple_read_from_buffer(ubuf, cnt, ppos, text, len);
}

static ssize_t max_depth_write(struct file *file, const char __user *ubuf, size_t cnt,
			       loff_t *ppos)
{
	unsigned int depth;
	int err = kstrtouint_from_user(ubuf, cnt, 10, &depth);

	if (err)
		return err;

	WRITE_ONCE(fgraph_max_depth, depth);
	graph_filters_changed();
	*ppos += cnt;
	return cnt;
}

static const struct file_operations max_depth_fops = {
	.open	= tracing_open_generic,
	.llseek	= generic_file_llseek,
	.read	= max_depth_read,
	.write	= max_depth_write,
};

static __init int graph_create_files(void)
{
	if (!tracing_init_dentry())
		trace_create_file("max_graph_depth", TRACE_MODE_WRITE, NULL, NULL,
				  &max_depth_fops);
	return 0;
}
fs_initcall(graph_create_files);
