// SPDX-License-Identifier: GPL-2.0
/*
 * The function graph tracer: what is kept of a call until it returns.
 *
 * The arguments of a call, and what they point to, are gone when it returns. So they are
 * kept in the call's frame on the return stack, if the event of the return is to have them,
 * or is to tell what the call has changed.
 *
 * The event of such a return ends in the upper half of the result and the arguments. What
 * is attached to it are two blocks: first what is found at the return, which may be
 * nothing, then what is attached to an entry.
 */
#include <linux/ftrace.h>
#include <linux/ftrace_signature.h>
#include <linux/overflow.h>

#include "fgraph/fgraph.h"
#include "signature/signature.h"
#include "trace.h"
#include "trace_functions_graph_kept.h"
#include "trace_put.h"

/*
 * What a frame has
 *
 * @nr_changes: how many of @words are a struct ftrace_sig_kept
 * @nr_args: how many behind these are arguments
 * @nr_attached: how many behind these are what is attached to the event of an entry
 */
struct graph_kept {
	u16		nr_changes;
	u16		nr_args;
	u16		nr_attached;
	unsigned long	words[];
};

/*
 * How many bytes of the return stack are left to the frames of deeper calls: of a call that
 * is already deep, less is kept, so that those below it can be traced.
 */
#define ROOM_BEHIND_ARGS	1024
#define ROOM_BEHIND_MEMORY	2048

/* What is attached to the event of the return must fit into it together with this */
#define MEMORY_MAX		1024

static unsigned long *kept_args(struct graph_kept *kept)
{
	return kept->words + kept->nr_changes;
}

static bool leaves_room(unsigned int nr_words, unsigned int room)
{
	return fgraph_room() >= nr_words * sizeof(long) + room;
}

static struct graph_kept *reserve(struct fgraph_ops *gops, struct graph_kept nr)
{
	unsigned int words = nr.nr_changes + nr.nr_args + nr.nr_attached;
	struct graph_kept *kept;

	kept = fgraph_reserve_data(gops->idx, struct_size(kept, words, words));
	if (kept)
		*kept = nr;
	return kept;
}

/* Returns false, and keeps nothing, if there is not enough room for what is copied */
static bool keep_followed(struct fgraph_ops *gops, unsigned long func, u32 shape,
			  struct ftrace_regs *fregs, const struct ftrace_sig_kept *changes,
			  unsigned int nr_changes)
{
	struct ftrace_sig_followed followed;
	struct graph_kept *kept = NULL, nr;

	if (!ftrace_sig_follow_begin(FTRACE_SIG_GRAPH, func, shape, fregs, &followed))
		return false;
	nr = (struct graph_kept){ nr_changes, followed.nr_words, followed.nr_attached };
	if (followed.nr_attached * sizeof(long) <= MEMORY_MAX &&
	    leaves_room(followed.nr_words + followed.nr_attached, ROOM_BEHIND_MEMORY))
		kept = reserve(gops, nr);
	if (kept) {
		memcpy(kept->words, changes, nr_changes * sizeof(long));
		ftrace_sig_copy_words(kept_args(kept), &followed);
		ftrace_sig_copy_attached(kept_args(kept) + nr.nr_args, &followed);
	}
	ftrace_sig_follow_end();
	return kept;
}

/* Keep arguments alone, if there is room for them */
static void keep_args(struct fgraph_ops *gops, u32 shape, struct ftrace_regs *fregs,
		      const struct ftrace_sig_kept *changes, unsigned int nr_changes)
{
	unsigned int nr_syscall = 0, nr_args = ftrace_sig_nr_words(shape);
	struct graph_kept *kept;

	if (ftrace_sig_is_entry(shape))
		nr_syscall = FIELD_GET(FTRACE_SIG_SHAPE_STACK, shape);
	if (!leaves_room(nr_args + nr_syscall, ROOM_BEHIND_ARGS)) {
		nr_args = 0;
		nr_syscall = 0;
	}
	if (!nr_changes && !nr_args)
		return;
	kept = reserve(gops, (struct graph_kept){ nr_changes, nr_args, nr_syscall });
	if (!kept)
		return;
	memcpy(kept->words, changes, nr_changes * sizeof(long));
	if (!nr_args)
		return;
	ftrace_sig_capture(shape, fregs, kept_args(kept));
	if (nr_syscall)
		kept->nr_attached = ftrace_sig_capture_syscall(shape, fregs,
							       kept_args(kept) + nr_args);
}

/**
 * graph_keep - keep what the return of a call is to tell
 * @gops: the registration
 * @func: the function
 * @shape: what ftrace_sig_entry_shape() returned for it
 * @fregs: the registers at the call site
 * @with_args: keep the arguments, and what options ask for of what they point to; not only
 *	what tells what the call has changed
 *
 * Context: the entryfunc() of @gops.
 */
void graph_keep(struct fgraph_ops *gops, unsigned long func, u32 shape,
		struct ftrace_regs *fregs, bool with_args)
{
	struct ftrace_sig_kept changes;
	unsigned int nr_changes = 0;

	if (shape & FTRACE_SIG_SHAPE_KEEP)
		nr_changes = DIV_ROUND_UP(ftrace_sig_keep(FTRACE_SIG_GRAPH, func, shape, fregs,
							  &changes), sizeof(long));
	if (with_args && shape & FTRACE_SIG_SHAPE_FOLLOW &&
	    keep_followed(gops, func, shape, fregs, &changes, nr_changes))
		return;
	keep_args(gops, with_args ? shape : 0, fregs, &changes, nr_changes);
}

/*
 * A return with all its words
 *
 * @high: the upper half of the result
 * @with_high: there are words behind the fields: this, then @args
 * @args: the arguments
 * @attached: what is attached to the event of the entry
 * @now: what is found at the return
 */
struct kept_return {
	struct ftrace_graph_ret		*call;
	unsigned long			high;
	bool				with_high;
	const unsigned long		*args;
	unsigned int			nr_args;
	const unsigned long		*attached;
	unsigned int			nr_attached;
	struct ftrace_sig_followed	now;
};

static __always_inline void fill_kept(void *to, const void *from)
{
	struct ftrace_graph_ret_entry *entry = to;
	const struct kept_return *what = from;

	entry->ret = *what->call;
	ftrace_sig_put_words(entry->retval_high, &what->high, what->with_high);
	ftrace_sig_put_words(entry->retval_high + 1, what->args, what->nr_args);
}

static __always_inline void fill_kept_attached(void *to, const void *from)
{
	const struct kept_return *what = from;

	ftrace_sig_copy_attached(to, &what->now);
	ftrace_sig_put_words(to + what->now.nr_attached * sizeof(long), what->attached,
			     what->nr_attached);
}

static void write_words(struct trace_array *tr, const struct kept_return *what,
			unsigned int trace_ctx)
{
	size_t size = sizeof(struct ftrace_graph_ret_entry);

	size += (what->with_high + what->nr_args) * sizeof(long);
	trace_put_at(tr->array_buffer.buffer, TRACE_GRAPH_RET, size,
		     (what->now.nr_attached + what->nr_attached) * sizeof(long),
		     what->call->rettime, trace_ctx, fill_kept, fill_kept_attached, what);
}

static unsigned long result(const struct ftrace_graph_ret *call)
{
#ifdef CONFIG_FUNCTION_GRAPH_RETVAL
	return call->retval;
#else
	return 0;
#endif
}

/* Take the arguments of the call out of its frame */
static void add_args(struct kept_return *what, struct graph_kept *kept)
{
	static const union {
		u32		head;
		unsigned long	word;
	} nothing = { .head = FTRACE_SIG_NO_DATA };

	what->with_high = true;
	what->args = kept_args(kept);
	what->nr_args = kept->nr_args;
	what->attached = what->args + what->nr_args;
	what->nr_attached = kept->nr_attached;
	if (!what->now.nr_attached && what->nr_attached) {
		what->now.attached = &nothing.word;
		what->now.nr_attached = 1;
	}
}

/**
 * graph_write_kept - write the event of a return with what was kept of the call
 * @gops: the registration
 * @call: function, depth, times, result
 * @trace_ctx: interrupt and preemption state, from tracing_gen_ctx()
 * @shape: what ftrace_sig_shape() returned for the function
 * @fregs: the registers that hold the result
 * @with_args: write the arguments
 *
 * Context: the retfunc() of @gops.
 * Return: false if there is nothing beside the result, and nothing was written.
 */
bool graph_write_kept(struct fgraph_ops *gops, struct ftrace_graph_ret *call,
		      unsigned int trace_ctx, u32 shape, struct ftrace_regs *fregs,
		      bool with_args)
{
	struct graph_kept *kept = fgraph_retrieve_data(gops->idx, NULL);
	const void *changes = kept && kept->nr_changes ? kept->words : NULL;
	struct kept_return what = { .call = call };
	bool found = false;

	if (GRAPH_RESULT_PAIRS && ftrace_sig_returns_pair(shape)) {
		what.with_high = true;
		what.high = graph_high_result(fregs);
	}
	if (shape & FTRACE_SIG_SHAPE_KEEP)
		found = ftrace_sig_return_begin(FTRACE_SIG_GRAPH, call->func, shape,
						result(call), what.high, changes, &what.now);
	if (with_args && kept && kept->nr_args)
		add_args(&what, kept);
	if (found || what.nr_args)
		write_words(gops->private, &what, trace_ctx);
	if (found)
		ftrace_sig_follow_end();
	return found || what.nr_args;
}
