// SPDX-License-Identifier: GPL-2.0
/*
 * The function graph tracer: what it records, its options and its files.
 *
 * Two events represent a call: TRACE_GRAPH_ENT is written when the function is
 * entered, TRACE_GRAPH_RET when it returns.  trace_functions_graph_print.c prints
 * them.
 *
 * Machine words may follow the fields of both events: the arguments in an entry, and
 * in a return the upper half of a result that takes two registers, and the arguments
 * behind that.  Only the length of the event tells how many words there are.  So the
 * options that ask for them can change at any time, whatever is in the buffer.
 */
#include <linux/ftrace.h>
#include <linux/ftrace_signature.h>
#include <linux/jump_label.h>
#include <linux/overflow.h>
#include <linux/slab.h>

#include "fgraph/frames.h"
#include "signature/follow_string.h"
#include "trace.h"
#include "trace_context.h"
#include "trace_functions_graph.h"
#include "trace_functions_graph_filter.h"
#include "trace_functions_graph_kept.h"
#include "trace_output.h"
#include "trace_put.h"
#include "trace_signature.h"

/*
 * Whether to record words after the events.  The keys apply to all instances, as all
 * options of a tracer do.  Only graph_set_flag() changes them, under trace_types_lock.
 */
static DEFINE_STATIC_KEY_FALSE(record_args);
static DEFINE_STATIC_KEY_FALSE(record_high_result);
static DEFINE_STATIC_KEY_FALSE(record_exit_args);
/* An option asks for what arguments point to, or for arguments at the return */
static DEFINE_STATIC_KEY_FALSE(record_more);

/*
 * What to copy at the entry of @func: nothing without a signature, or if the
 * architecture passes no registers.
 */
static __always_inline u32 entry_shape(unsigned long func,
				       struct ftrace_regs *fregs)
{
	if (!IS_ENABLED(CONFIG_FTRACE_SIGNATURES) ||
	    !static_branch_unlikely(&record_args))
		return 0;
	return fregs ? ftrace_sig_entry_shape(func, fregs) : 0;
}

struct followed_fill {
	struct ftrace_graph_ent		*call;
	struct ftrace_sig_followed	followed;
};

struct entry_fill {
	struct ftrace_graph_ent	*call;
	u32			shape;
	struct ftrace_regs	*fregs;
};

static __always_inline void fill_plain(void *to, const void *from)
{
	struct ftrace_graph_ent_entry *entry = to;

	entry->graph_ent = *(const struct ftrace_graph_ent *)from;
}

static __always_inline void fill_args(void *to, const void *from)
{
	struct ftrace_graph_ent_entry *entry = to;
	const struct entry_fill *what = from;

	entry->graph_ent = *what->call;
	ftrace_sig_capture(what->shape, what->fregs, entry->args);
}

/* The entry comes first, for fill_args() */
struct stack_fill {
	struct entry_fill	entry;
	unsigned long		syscall[FTRACE_SIG_MAX_SYSCALL];
	unsigned int		nr;
};

static __always_inline void fill_syscall(void *to, const void *from)
{
	const struct stack_fill *what = from;

	ftrace_sig_put_words(to, what->syscall, what->nr);
}

/* Write an entry whose arguments are not all in registers, or lead to those of a syscall */
static noinline __no_stack_protector int
write_with_stack(struct trace_array *tr, struct ftrace_graph_ent *call, u64 at,
		 unsigned int trace_ctx, u32 shape, struct ftrace_regs *fregs)
{
	struct stack_fill what __uninitialized;

	what.entry = (struct entry_fill){ call, shape, fregs };
	what.nr = ftrace_sig_capture_syscall(shape, fregs, what.syscall);
	return trace_put_at(tr->array_buffer.buffer, TRACE_GRAPH_ENT,
			    struct_size_t(struct ftrace_graph_ent_entry, args,
					  ftrace_sig_nr_words(shape)),
			    what.nr * sizeof(unsigned long), at, trace_ctx,
			    fill_args, fill_syscall, &what);
}

static __always_inline void fill_followed(void *to, const void *from)
{
	struct ftrace_graph_ent_entry *entry = to;
	const struct followed_fill *what = from;

	entry->graph_ent = *what->call;
	ftrace_sig_copy_words(entry->args, &what->followed);
}

static __always_inline void fill_attached(void *to, const void *from)
{
	const struct followed_fill *what = from;

	ftrace_sig_copy_attached(to, &what->followed);
}

static __always_inline int write_plain(struct trace_array *tr,
				       struct ftrace_graph_ent *call, u64 at,
				       unsigned int trace_ctx, u32 shape,
				       struct ftrace_regs *fregs)
{
	struct entry_fill what = { call, shape, fregs };
	size_t size = sizeof(struct ftrace_graph_ent_entry);

	if (!(shape & (FTRACE_SIG_SHAPE_REGS | FTRACE_SIG_SHAPE_STACK)))
		return trace_put_at(tr->array_buffer.buffer, TRACE_GRAPH_ENT, size, 0, at,
				    trace_ctx, fill_plain, NULL, call);
	if (unlikely(shape & FTRACE_SIG_SHAPE_STACK))
		return write_with_stack(tr, call, at, trace_ctx, shape, fregs);
	size += FIELD_GET(FTRACE_SIG_SHAPE_REGS, shape) * sizeof(unsigned long);
	return trace_put_at(tr->array_buffer.buffer, TRACE_GRAPH_ENT, size, 0, at,
			    trace_ctx, fill_args, NULL, &what);
}

/* The same */
struct string_fill {
	struct entry_fill		entry;
	const struct follow_string	*string;
	unsigned int			nr;
};

static __always_inline void fill_string(void *to, const void *from)
{
	const struct string_fill *what = from;

	follow_put_string(to, what->string, what->nr);
}

/* Write an entry whose arguments are followed by anything but one short string */
static noinline __no_stack_protector int
write_all_followed(struct trace_array *tr, struct ftrace_graph_ent *call, u64 at,
		   unsigned int trace_ctx, u32 shape, struct ftrace_regs *fregs)
{
	struct followed_fill what __uninitialized;
	int written;

	what.call = call;
	if (!ftrace_sig_follow_begin(FTRACE_SIG_GRAPH, call->func, shape, fregs,
				     &what.followed))
		return write_plain(tr, call, at, trace_ctx, shape, fregs);
	written = trace_put_at(tr->array_buffer.buffer, TRACE_GRAPH_ENT,
			       struct_size_t(struct ftrace_graph_ent_entry, args,
					     what.followed.nr_words),
			       what.followed.nr_attached * sizeof(unsigned long), at,
			       trace_ctx, fill_followed, fill_attached, &what);
	ftrace_sig_follow_end();
	return written;
}

/* Write an entry whose arguments are followed by what they point to */
static __always_inline int write_followed(struct trace_array *tr,
					  struct ftrace_graph_ent *call, u64 at,
					  unsigned int trace_ctx, u32 shape,
					  struct ftrace_regs *fregs)
{
	struct follow_string string __uninitialized;
	struct string_fill what = { { call, shape, fregs }, &string };
	size_t size;

	if (unlikely(!follow_string(FTRACE_SIG_GRAPH, call->func, fregs, &string, &what.nr)))
		return write_all_followed(tr, call, at, trace_ctx, shape, fregs);
	size = struct_size_t(struct ftrace_graph_ent_entry, args,
			     FIELD_GET(FTRACE_SIG_SHAPE_REGS, shape));
	return trace_put_at(tr->array_buffer.buffer, TRACE_GRAPH_ENT, size,
			    what.nr * sizeof(unsigned long), at, trace_ctx,
			    fill_args, fill_string, &what);
}

/* Write an entry, where speed matters less */
static __always_inline int write_entry(struct trace_array *tr,
				       struct ftrace_graph_ent *call, u64 at,
				       unsigned int trace_ctx, u32 shape,
				       struct ftrace_regs *fregs)
{
	if (unlikely(shape & FTRACE_SIG_SHAPE_FOLLOW))
		return write_all_followed(tr, call, at, trace_ctx, shape, fregs);
	return write_plain(tr, call, at, trace_ctx, shape, fregs);
}

/* When the call was entered: its frame has it, so the clock need not be read again */
static __always_inline u64 entered_at(void)
{
	return fgraph_top(current)->call.calltime;
}

/**
 * __trace_graph_entry - write the event of a function entry
 * @tr: the instance to write to
 * @trace: function and depth
 * @trace_ctx: interrupt and preemption state, from tracing_gen_ctx()
 * @fregs: the registers at the call site, or NULL if there are none
 *
 * For tracers that guard against recursion themselves.
 *
 * Context: an entryfunc().
 * Return: 1 if the event was written, 0 if not.  If not, the function's return must
 * not be written either.
 */
int __trace_graph_entry(struct trace_array *tr, struct ftrace_graph_ent *trace,
			unsigned int trace_ctx, struct ftrace_regs *fregs)
{
	return write_entry(tr, trace, entered_at(), trace_ctx, entry_shape(trace->func, fregs),
			   fregs);
}

static __always_inline bool shape_has_high_result(u32 shape)
{
	if (!GRAPH_RESULT_PAIRS || !static_branch_unlikely(&record_high_result))
		return false;
	return ftrace_sig_returns_pair(shape);
}

static __always_inline bool wants_high_result(unsigned long func,
					      struct ftrace_regs *fregs)
{
	if (!GRAPH_RESULT_PAIRS || !static_branch_unlikely(&record_high_result))
		return false;
	return fregs && ftrace_sig_returns_pair(ftrace_sig_shape(func));
}

struct return_fill {
	struct ftrace_graph_ret	*call;
	bool			high;
	struct ftrace_regs	*fregs;
};

static __always_inline void fill_return(void *to, const void *from)
{
	struct ftrace_graph_ret_entry *entry = to;
	const struct return_fill *what = from;

	entry->ret = *what->call;
	if (what->high)
		entry->retval_high[0] = graph_high_result(what->fregs);
}

static __always_inline void write_return(struct trace_array *tr,
					 struct ftrace_graph_ret *call,
					 unsigned int trace_ctx, bool high,
					 struct ftrace_regs *fregs)
{
	size_t size = sizeof(struct ftrace_graph_ret_entry);
	struct return_fill what = { call, high, fregs };

	if (high)
		size += sizeof(unsigned long);
	trace_put_at(tr->array_buffer.buffer, TRACE_GRAPH_RET, size, 0, call->rettime,
		     trace_ctx, fill_return, NULL, &what);
}

/* Write a return with all of its result and no more */
static __always_inline void write_plain_return(struct trace_array *tr,
					       struct ftrace_graph_ret *call,
					       unsigned int trace_ctx,
					       struct ftrace_regs *fregs)
{
	write_return(tr, call, trace_ctx, wants_high_result(call->func, fregs), fregs);
}

/* Whether no option asks for more than that; @slow is constant */
static __always_inline bool returns_plain(bool slow)
{
	return !slow && !static_branch_unlikely(&record_more);
}

/* Whether the return of a call is to tell its arguments; @slow: it took too long */
static __always_inline bool returns_args(bool slow)
{
	return static_branch_unlikely(&record_exit_args) ||
	       (slow && static_branch_unlikely(&record_args));
}

/* Whether something was kept for the return of a call of this shape */
static __always_inline bool returns_kept(u32 shape, bool slow)
{
	return returns_args(slow) || shape & FTRACE_SIG_SHAPE_KEEP;
}

static __always_inline void write_kept_return(struct fgraph_ops *gops,
					      struct ftrace_graph_ret *call,
					      unsigned int trace_ctx, u32 shape,
					      struct ftrace_regs *fregs, bool slow)
{
	if (graph_write_kept(gops, call, trace_ctx, shape, fregs, returns_args(slow)))
		return;
	write_return(gops->private, call, trace_ctx, shape_has_high_result(shape), fregs);
}

static __always_inline u32 return_shape(struct ftrace_graph_ret *call, struct ftrace_regs *fregs)
{
	return fregs ? ftrace_sig_shape(call->func) : 0;
}

/* Write a return with all that the options ask for; @slow is constant */
static __always_inline void write_whole_return(struct fgraph_ops *gops,
					       struct ftrace_graph_ret *call,
					       unsigned int trace_ctx,
					       struct ftrace_regs *fregs, bool slow)
{
	u32 shape;

	if (returns_plain(slow)) {
		write_plain_return(gops->private, call, trace_ctx, fregs);
		return;
	}
	shape = return_shape(call, fregs);
	if (returns_kept(shape, slow))
		write_kept_return(gops, call, trace_ctx, shape, fregs, slow);
	else
		write_return(gops->private, call, trace_ctx, shape_has_high_result(shape), fregs);
}

/**
 * __trace_graph_return - write the event of a function's return
 * @tr: the instance to write to
 * @trace: function, depth, times in ns of the trace clock, result
 * @trace_ctx: interrupt and preemption state, from tracing_gen_ctx()
 * @fregs: the registers that hold the result, or NULL
 *
 * For tracers that guard against recursion themselves.
 *
 * Context: a retfunc().
 */
void __trace_graph_return(struct trace_array *tr, struct ftrace_graph_ret *trace,
			  unsigned int trace_ctx, struct ftrace_regs *fregs)
{
	write_plain_return(tr, trace, trace_ctx, fregs);
}

/**
 * trace_graph_function - write a function as a call that took no time
 * @tr: the instance to write to
 * @ip: the function
 * @parent_ip: its caller; unused, as the graph does not show it
 * @trace_ctx: interrupt and preemption state, from tracing_gen_ctx()
 *
 * The latency tracers use this to mark where a critical section begins and ends.
 *
 * Context: any, NMI included; preemption is off.
 */
void trace_graph_function(struct trace_array *tr, unsigned long ip,
			  unsigned long parent_ip, unsigned int trace_ctx)
{
	u64 now = trace_clock_local();
	struct ftrace_graph_ent enter = { .func = ip };
	struct ftrace_graph_ret leave = {
		.func = ip, .calltime = now, .rettime = now,
	};

	write_entry(tr, &enter, now, trace_ctx, 0, NULL);
	write_return(tr, &leave, trace_ctx, false, NULL);
}

/*
 * The context of the call that is told, with interrupts as @irq_flags says. On x86, preemption
 * is disabled once on the way from there to the callbacks.
 */
static unsigned int context_of_call(unsigned long irq_flags)
{
	bool once = IS_ENABLED(CONFIG_X86) && IS_ENABLED(CONFIG_PREEMPTION);

	return tracing_gen_ctx_flags(irq_flags) - once;
}

/*
 * Only the context that raises the CPU's counter from 0 writes.  Interrupts are off, so
 * only an NMI can interrupt it.  The counter also refuses the entries of traced
 * functions that writing itself calls.
 */
static int locked_write_entry(struct trace_array *tr,
			      struct ftrace_graph_ent *call,
			      struct ftrace_regs *fregs)
{
	struct trace_array_cpu *data;
	unsigned long irq_flags;
	int written = 0;

	local_irq_save(irq_flags);
	data = raw_cpu_ptr(tr->array_buffer.data);
	if (likely(atomic_inc_return(&data->disabled) == 1))
		written = write_entry(tr, call, entered_at(), context_of_call(irq_flags),
				      entry_shape(call->func, fregs), fregs);
	atomic_dec(&data->disabled);
	local_irq_restore(irq_flags);
	return written;
}

/*
 * On x86, ftrace_graph_func() holds the recursion lock of its context (task,
 * softirq, hard interrupt, NMI), and thereby keeps preemption off.  That lock lets
 * one nested call through (TRACE_CTX_TRANSITION), but with the local clock, writing
 * calls no traced function.  Another context may interrupt the writing; the ring
 * buffer nests its event.  So the counter need not be raised.  It is only read, to
 * see whether this CPU's buffer was disabled.
 */
static __always_inline int guarded_write_entry(struct trace_array *tr,
					       struct ftrace_graph_ent *call,
					       struct ftrace_regs *fregs)
{
	struct trace_array_cpu *data = raw_cpu_ptr(tr->array_buffer.data);
	unsigned int trace_ctx;

	if (!IS_ENABLED(CONFIG_X86) || unlikely(tr->clock_id))
		return locked_write_entry(tr, call, fregs);
	if (unlikely(atomic_read(&data->disabled)))
		return 0;
	/* Before the shape, so that the compiler knows the size of an event without arguments */
	trace_ctx = trace_context_dec();
	return write_plain(tr, call, entered_at(), trace_ctx, entry_shape(call->func, fregs),
			   fregs);
}

/* The same with what the arguments point to, if @shape says so */
static __always_inline int guarded_write_followed(struct trace_array *tr,
						  struct ftrace_graph_ent *call, u32 shape,
						  struct ftrace_regs *fregs)
{
	struct trace_array_cpu *data = raw_cpu_ptr(tr->array_buffer.data);
	unsigned int trace_ctx;

	if (!IS_ENABLED(CONFIG_X86) || unlikely(tr->clock_id))
		return locked_write_entry(tr, call, fregs);
	if (unlikely(atomic_read(&data->disabled)))
		return 0;
	trace_ctx = trace_context_dec();
	if (shape & FTRACE_SIG_SHAPE_FOLLOW)
		return write_followed(tr, call, entered_at(), trace_ctx, shape, fregs);
	return write_plain(tr, call, entered_at(), trace_ctx, shape, fregs);
}

/*
 * What is done for a call that is wanted
 *
 * ENTRY_PLAIN: its event is written
 * ENTRY_MORE:  options ask for more in the event, or for more than the result at the return
 * ENTRY_SLOW:  no event is written, and the return is only if the call took too long
 */
enum entry_kind {
	ENTRY_PLAIN,
	ENTRY_MORE,
	ENTRY_SLOW,
};

static __always_inline bool write_wanted_more(struct trace_array *tr, struct fgraph_ops *gops,
					      struct ftrace_graph_ent *call,
					      struct ftrace_regs *fregs, bool slow)
{
	u32 shape = fregs ? ftrace_sig_entry_shape(call->func, fregs) : 0;
	bool written = slow, with_args = returns_args(slow);

	if (!slow && static_branch_unlikely(&record_args))
		written = guarded_write_followed(tr, call, shape, fregs);
	else if (!slow)
		written = guarded_write_entry(tr, call, fregs);
	if (written && (with_args || shape & FTRACE_SIG_SHAPE_KEEP))
		graph_keep(gops, call->func, shape, fregs, with_args);
	return written;
}

/* How to write a call that is wanted */
struct entry_way {
	struct ftrace_regs	*fregs;
	enum entry_kind		kind;
};

static __always_inline bool write_wanted(struct fgraph_ops *gops, struct ftrace_graph_ent *call,
					 void *what)
{
	const struct entry_way *way = what;

	if (way->kind == ENTRY_PLAIN)
		return guarded_write_entry(gops->private, call, way->fregs);
	return write_wanted_more(gops->private, gops, call, way->fregs, way->kind == ENTRY_SLOW);
}

/* As trace_graph_entry(); @kind is constant */
static __always_inline int enter(struct ftrace_graph_ent *trace, struct fgraph_ops *gops,
				 struct ftrace_regs *fregs, enum entry_kind kind)
{
	struct entry_way way = { fregs, kind };

	return graph_enter(gops, trace, write_wanted, &way);
}

/* Functions of their own, so that calls pay nothing while no option asks for it */
static noinline int enter_plain(struct ftrace_graph_ent *trace, struct fgraph_ops *gops,
				struct ftrace_regs *fregs)
{
	return enter(trace, gops, fregs, ENTRY_PLAIN);
}

static noinline __no_stack_protector int enter_with_more(struct ftrace_graph_ent *trace,
							 struct fgraph_ops *gops,
							 struct ftrace_regs *fregs)
{
	return enter(trace, gops, fregs, ENTRY_MORE);
}

/**
 * trace_graph_entry - the graph tracer's callback at the entry of a function
 * @trace: function and depth
 * @gops: the registration; its @private is the instance
 * @fregs: the registers at the call site, or NULL if the architecture passes none
 *
 * Context: any, NMI included; the task has a return stack.
 * Return: whether trace_graph_return() is to be called for this call.
 */
int trace_graph_entry(struct ftrace_graph_ent *trace, struct fgraph_ops *gops,
		      struct ftrace_regs *fregs)
{
	if (static_branch_unlikely(&record_more))
		return enter_with_more(trace, gops, fregs);
	return enter_plain(trace, gops, fregs);
}

/* Like trace_graph_entry(), for instances started with tracing_thresh set */
static int trace_graph_slow_entry(struct ftrace_graph_ent *trace, struct fgraph_ops *gops,
				  struct ftrace_regs *fregs)
{
	return enter(trace, gops, fregs, ENTRY_SLOW);
}

/**
 * graph_entry_words - what a call's event has of its arguments, known beforehand
 * @gops: the registration
 * @ip: address of the function's call site
 *
 * Context: may sleep; ftrace_lock is held.
 * Return: how many of the leading argument registers, if this and the result is all that
 * trace_graph_entry() and trace_graph_return() record; -1 if it is not.
 */
int graph_entry_words(const struct fgraph_ops *gops, unsigned long ip)
{
	bool with_args = static_key_enabled(&record_args);
	int nr_words = 0;

	if (gops->entryfunc != trace_graph_entry || static_key_enabled(&record_exit_args))
		return -1;
	if (with_args || static_key_enabled(&record_more) ||
	    static_key_enabled(&record_high_result))
		nr_words = ftrace_sig_fixed_words(FTRACE_SIG_GRAPH, ip);
	return with_args ? nr_words : min(nr_words, 0);
}

/*
 * Like locked_write_entry(): a traced function that writing calls finds the counter
 * raised, so its entry is refused, and it has no return.
 */
static void locked_write_return(struct fgraph_ops *gops,
				struct ftrace_graph_ret *call,
				struct ftrace_regs *fregs, bool slow)
{
	struct trace_array *tr = gops->private;
	struct trace_array_cpu *data;
	unsigned long irq_flags;

	local_irq_save(irq_flags);
	data = raw_cpu_ptr(tr->array_buffer.data);
	if (likely(atomic_inc_return(&data->disabled) == 1))
		write_whole_return(gops, call, context_of_call(irq_flags), fregs, slow);
	atomic_dec(&data->disabled);
	local_irq_restore(irq_flags);
}

/*
 * At a return nobody holds the recursion lock, and a return with its result alone needs none:
 * with the local clock, writing calls no traced function, except to wake readers, and the ring
 * buffer limits that, see rb_can_wake(). Reading what arguments point to may cause a page
 * fault, whose functions are traced: that takes the lock. It is free, as the entry of this
 * call got it, and the contexts that were interrupted then still are.
 */
static __always_inline void guarded_write_return(struct fgraph_ops *gops,
						 struct ftrace_graph_ret *call,
						 struct ftrace_regs *fregs, bool slow)
{
	struct trace_array *tr = gops->private;
	unsigned int trace_ctx;
	u32 shape;
	int bit;

	if (!IS_ENABLED(CONFIG_X86) || unlikely(tr->clock_id)) {
		locked_write_return(gops, call, fregs, slow);
		return;
	}
	if (unlikely(atomic_read(&raw_cpu_ptr(tr->array_buffer.data)->disabled)))
		return;
	if (returns_plain(slow)) {
		write_plain_return(tr, call, trace_context_dec(), fregs);
		return;
	}
	shape = return_shape(call, fregs);
	if (!returns_kept(shape, slow)) {
		write_return(tr, call, trace_context_dec(), shape_has_high_result(shape), fregs);
		return;
	}

	/* The lock disables preemption, too */
	trace_ctx = trace_context_dec();
	bit = ftrace_test_recursion_trylock(call->func, 0);
	if (unlikely(bit < 0))
		return;
	write_kept_return(gops, call, trace_ctx, shape, fregs, slow);
	ftrace_test_recursion_unlock(bit);
}

/**
 * trace_graph_return - the graph tracer's callback at the return of a function
 * @trace: function, depth, times in ns of the trace clock, result
 * @gops: the registration; its @private is the instance
 * @fregs: the registers that hold the result, or NULL
 *
 * Context: any, NMI included; on the stack of the function that returned.
 */
void trace_graph_return(struct ftrace_graph_ret *trace, struct fgraph_ops *gops,
			struct ftrace_regs *fregs)
{
	if (graph_was_recorded(gops, trace->depth))
		guarded_write_return(gops, trace, fregs, false);
}

/* Like trace_graph_return(), for instances started with tracing_thresh set */
static void trace_graph_slow_return(struct ftrace_graph_ret *trace,
				    struct fgraph_ops *gops,
				    struct ftrace_regs *fregs)
{
	if (!graph_was_recorded(gops, trace->depth))
		return;
	if (trace->rettime - trace->calltime >= tracing_thresh)
		guarded_write_return(gops, trace, fregs, true);
}

static struct fgraph_ops top_graph_ops;

static void bind_graph_ops(struct trace_array *tr, struct fgraph_ops *gops,
			   struct ftrace_ops *ops)
{
	gops->private = tr;
	gops->wants = graph_wants;
	tr->gops = gops;
	fgraph_init_ops(&gops->ops, ops);
}

/**
 * allocate_fgraph_ops - give a new instance its registration
 * @tr: the instance
 * @ops: its function tracer's ops, whose filters are shared
 *
 * Return: 0 or -ENOMEM.
 */
int allocate_fgraph_ops(struct trace_array *tr, struct ftrace_ops *ops)
{
	struct fgraph_ops *gops = kzalloc(sizeof(*gops), GFP_KERNEL);

	if (!gops)
		return -ENOMEM;

	bind_graph_ops(tr, gops, ops);
	return 0;
}

/**
 * free_fgraph_ops - free the registration that allocate_fgraph_ops() allocated
 * @tr: the instance, which no longer traces
 */
void free_fgraph_ops(struct trace_array *tr)
{
	kfree(tr->gops);
}

/**
 * init_array_fgraph_ops - give the top level instance its registration
 * @tr: the instance
 * @ops: its function tracer's ops, whose filters are shared
 */
__init void init_array_fgraph_ops(struct trace_array *tr, struct ftrace_ops *ops)
{
	bind_graph_ops(tr, &top_graph_ops, ops);
}

/* The error alone does not tell what there is too much of */
static void note_too_many_users(struct trace_array *tr)
{
	/* Not constant, as tracing_log_err() takes it so */
	static const char *message[] = {
		"All " __stringify(FGRAPH_MAX_USERS) " users of the function graph are in use"
	};

	tracing_log_err(tr, "function_graph", "function_graph", message, 0, 0);
}

static trace_func_graph_ent_t entry_for_thresh(void)
{
	return tracing_thresh ? trace_graph_slow_entry : trace_graph_entry;
}

static int graph_start(struct trace_array *tr)
{
	struct fgraph_ops *gops = tr->gops;
	int err;

	gops->entryfunc = entry_for_thresh();
	gops->retfunc = tracing_thresh ? trace_graph_slow_return : trace_graph_return;

	graph_choose_filters(tr);

	err = register_ftrace_graph(gops);
	if (err == -ENOSPC)
		note_too_many_users(tr);
	if (!err)
		tracing_start_cmdline_record();
	return err;
}

static void graph_stop(struct trace_array *tr)
{
	tracing_stop_cmdline_record();
	unregister_ftrace_graph(tr->gops);
}

static int graph_update_thresh(struct trace_array *tr)
{
	struct fgraph_ops *gops = tr->gops;
	int err;

	if (gops->entryfunc == entry_for_thresh())
		return 0;

	graph_stop(tr);
	err = graph_start(tr);
	if (err) {
		/* graph_stop() is called again, and the next threshold is to try again */
		tracing_start_cmdline_record();
		gops->entryfunc = NULL;
	}
	return err;
}

#define GRAPH_OPTION(text, flag)	{ .name = text, .bit = TRACE_GRAPH_##flag }

/* "trace_options" lists them in this order */
static struct tracer_opt graph_options[] = {
	GRAPH_OPTION("funcgraph-overrun",	PRINT_OVERRUN),
	GRAPH_OPTION("funcgraph-cpu",		PRINT_CPU),
	GRAPH_OPTION("funcgraph-overhead",	PRINT_OVERHEAD),
	GRAPH_OPTION("funcgraph-proc",		PRINT_PROC),
	GRAPH_OPTION("funcgraph-duration",	PRINT_DURATION),
	GRAPH_OPTION("funcgraph-abstime",	PRINT_ABS_TIME),
	GRAPH_OPTION("funcgraph-irqs",		PRINT_IRQS),
	GRAPH_OPTION("funcgraph-tail",		PRINT_TAIL),
#ifdef CONFIG_FUNCTION_GRAPH_RETVAL
	GRAPH_OPTION("funcgraph-retval",	PRINT_RETVAL),
	GRAPH_OPTION("funcgraph-retval-hex",	PRINT_RETVAL_HEX),
#endif
	/* Count the time that a task was scheduled out */
	GRAPH_OPTION("sleep-time",		SLEEP_TIME),
#ifdef CONFIG_FUNCTION_PROFILER
	/* Let the profiler count the time of called functions */
	GRAPH_OPTION("graph-time",		GRAPH_TIME),
#endif
#ifdef CONFIG_FTRACE_SIGNATURES
	GRAPH_OPTION("funcgraph-args",		PRINT_ARGS),
	GRAPH_OPTION("funcgraph-strings",	PRINT_STRINGS),
	GRAPH_OPTION("funcgraph-structs",	PRINT_STRUCTS),
	GRAPH_OPTION("funcgraph-changes",	PRINT_CHANGES),
	GRAPH_OPTION("funcgraph-exit-args",	PRINT_EXIT_ARGS),
	GRAPH_OPTION("funcgraph-retval-typed",	PRINT_RETVAL_TYPED),
#endif
#ifdef CONFIG_FTRACE_SIGNATURES_CONSTANTS
	GRAPH_OPTION("funcgraph-names",		PRINT_NAMES),
#endif
	{ }
};

static struct tracer_flags graph_flags = {
	.val	= TRACE_GRAPH_PRINT_CPU | TRACE_GRAPH_PRINT_OVERHEAD |
		  TRACE_GRAPH_PRINT_DURATION | TRACE_GRAPH_PRINT_IRQS |
		  TRACE_GRAPH_SLEEP_TIME | TRACE_GRAPH_GRAPH_TIME,
	.opts	= graph_options,
};

/**
 * graph_value_flags - which values the options of function_graph ask for
 *
 * For tracers that print their calls as function_graph does.
 *
 * Return: TRACE_GRAPH_PRINT_ARGS and so on, for print_graph_function_flags().
 */
u32 graph_value_flags(void)
{
	u32 values = TRACE_GRAPH_PRINT_ARGS | TRACE_GRAPH_PRINT_STRINGS |
		     TRACE_GRAPH_PRINT_STRUCTS | TRACE_GRAPH_PRINT_CHANGES |
		     TRACE_GRAPH_PRINT_NAMES |
		     TRACE_GRAPH_PRINT_RETVAL_TYPED;

	/* Without types, these tracers show no results */
	if (graph_flags.val & TRACE_GRAPH_PRINT_RETVAL_TYPED)
		values |= TRACE_GRAPH_PRINT_RETVAL_HEX;
	return graph_flags.val & values;
}

static void switch_key(struct static_key_false *key, bool on)
{
	if (on)
		static_branch_enable(key);
	else
		static_branch_disable(key);
}

/* Report what may prevent a newly set option from having an effect */
static void tell_of_option(struct trace_array *tr, enum trace_sig_option option)
{
	trace_sig_hint();
	trace_sig_note_option(tr, option);
}

static enum trace_sig_option follow_option(u32 bit)
{
	switch (bit) {
	case TRACE_GRAPH_PRINT_STRINGS:
		return TRACE_SIG_GRAPH_STRINGS;
	case TRACE_GRAPH_PRINT_STRUCTS:
		return TRACE_SIG_GRAPH_STRUCTS;
	default:
		return TRACE_SIG_GRAPH_CHANGES;
	}
}

#define GRAPH_ALL_ARGS	(TRACE_GRAPH_PRINT_ARGS | TRACE_GRAPH_PRINT_EXIT_ARGS)

static bool records_more(u32 flags)
{
	return graph_classes(flags) || flags & TRACE_GRAPH_PRINT_EXIT_ARGS;
}

/* All flags, once @bit is @set */
static u32 flags_with(u32 bit, int set)
{
	return set ? graph_flags.val | bit : graph_flags.val & ~bit;
}

/* Tell what is to be copied, now that the flag @bit is about to be @set */
static int follow(struct trace_array *tr, u32 bit, int set)
{
	u32 flags = flags_with(bit, set);
	u32 classes = graph_classes(flags);
	int err = ftrace_sig_follow(FTRACE_SIG_GRAPH, classes);

	if (err)
		return err;
	switch_key(&record_more, records_more(flags));
	trace_graph_choose_entries();
	if (set)
		trace_sig_note_follow(tr, follow_option(bit), flags & GRAPH_ALL_ARGS);
	return 0;
}

static int graph_set_flag(struct trace_array *tr, u32 old_flags, u32 bit, int set)
{
	switch (bit) {
	case TRACE_GRAPH_PRINT_IRQS:
		graph_set_irqs(set);
		break;
	case TRACE_GRAPH_SLEEP_TIME:
		ftrace_graph_sleep_time_control(set);
		break;
	case TRACE_GRAPH_GRAPH_TIME:
		ftrace_graph_graph_time_control(set);
		break;
	case TRACE_GRAPH_PRINT_ARGS:
		if (set)
			tell_of_option(tr, TRACE_SIG_GRAPH_ARGS);
		switch_key(&record_args, set);
		trace_graph_choose_entries();
		break;
	case TRACE_GRAPH_PRINT_EXIT_ARGS:
		if (set)
			tell_of_option(tr, TRACE_SIG_GRAPH_EXIT_ARGS);
		switch_key(&record_more, records_more(flags_with(bit, set)));
		switch_key(&record_exit_args, set);
		trace_graph_choose_entries();
		break;
	case TRACE_GRAPH_PRINT_STRINGS:
	case TRACE_GRAPH_PRINT_STRUCTS:
	case TRACE_GRAPH_PRINT_CHANGES:
		return follow(tr, bit, set);
	case TRACE_GRAPH_PRINT_RETVAL_TYPED:
		if (set)
			tell_of_option(tr, TRACE_SIG_GRAPH_RETVAL);
		switch_key(&record_high_result, set);
		trace_graph_choose_entries();
		break;
	case TRACE_GRAPH_PRINT_NAMES:
		if (set)
			trace_sig_note_option(tr, TRACE_SIG_GRAPH_NAMES);
		break;
	}
	return 0;
}

static enum print_line_t graph_print_line(struct trace_iterator *iter)
{
	u32 flags = graph_flags.val;

	/* With a threshold, the line of its return is all that there is of a call */
	if (tracing_thresh && flags & TRACE_GRAPH_PRINT_ARGS)
		flags |= TRACE_GRAPH_PRINT_EXIT_ARGS;
	return print_graph_function_flags(iter, flags);
}

static enum print_line_t graph_print_event(struct trace_iterator *iter, int flags,
					   struct trace_event *event)
{
	return graph_print_line(iter);
}

static void graph_print_header(struct seq_file *m)
{
	print_graph_headers_flags(m, graph_flags.val);
}

/* For buffers that are printed while another tracer is the current one */
static struct trace_event_functions graph_event_functions = {
	.trace	= graph_print_event,
};

static struct trace_event graph_events[] = {
	{ .type = TRACE_GRAPH_ENT, .funcs = &graph_event_functions },
	{ .type = TRACE_GRAPH_RET, .funcs = &graph_event_functions },
};

static struct tracer graph_tracer __tracer_data = {
	.name		 = "function_graph",
	.init		 = graph_start,
	.reset		 = graph_stop,
	.update_thresh	 = graph_update_thresh,
	.flags		 = &graph_flags,
	.set_flag	 = graph_set_flag,
	.open		 = graph_trace_open,
	.close		 = graph_trace_close,
	.pipe_open	 = graph_trace_open,
	.pipe_close	 = graph_trace_close,
	.print_header	 = graph_print_header,
	.print_line	 = graph_print_line,
	.allow_instances = true,
#ifdef CONFIG_FTRACE_SELFTEST
	.selftest	 = trace_selftest_startup_function_graph,
#endif
};

static __init int graph_register(void)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(graph_events); i++) {
		if (!register_trace_event(&graph_events[i])) {
			pr_warn("function_graph: event %d is already registered\n",
				graph_events[i].type);
			return 1;
		}
	}
	return register_tracer(&graph_tracer);
}
core_initcall(graph_register);
