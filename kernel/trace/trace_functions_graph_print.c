// SPDX-License-Identifier: GPL-2.0
/*
 * The function graph tracer's output: print events as lines of text.
 *
 * A call is a leaf, and gets one line, if its CPU has no other event between its
 * entry and its return.  To find that out, we must read the event after an entry,
 * and a consuming reader (trace_pipe, ftrace_dump()) must consume the entry first.
 * So the entry is first copied with all its words.  If its line does not fit into
 * the reader's buffer, it is printed again from that copy the next time.
 *
 * All of this runs under the locks of the reader of @iter, so there is only one
 * printer per iterator at a time.
 */
#include <linux/atomic.h>
#include <linux/ftrace.h>
#include <linux/percpu.h>
#include <linux/ring_buffer_attached.h>
#include <linux/slab.h>

#include "trace.h"
#include "trace_func_text.h"
#include "trace_functions_graph.h"
#include "trace_output.h"
#include "trace_signature.h"
#include "trace_text_line.h"

#define INDENT_PER_DEPTH	2

static unsigned int words_behind(unsigned int event_size, size_t struct_size)
{
	if (event_size <= struct_size)
		return 0;
	return (event_size - struct_size) / sizeof(unsigned long);
}

/* The element of graph_cpu::open for this depth, or NULL */
static unsigned long *open_slot(const struct graph_line *line, int depth)
{
	if (!line->state || depth < 0 || depth >= FTRACE_RETFUNC_DEPTH)
		return NULL;
	return &line->state->open[depth];
}

static void set_comment_depth(const struct graph_line *line, int depth)
{
	if (line->state)
		line->state->at.depth = depth;
}

/*
 * Interrupts, while "funcgraph-irqs" is off: all events between the entry of a
 * function in the interrupts' text and its return are hidden.
 */

static bool hides_irqs(const struct graph_line *line)
{
	return line->state && !(line->flags & TRACE_GRAPH_PRINT_IRQS);
}

static bool entry_is_hidden(const struct graph_line *line,
			    const struct ftrace_graph_ent *call)
{
	if (!hides_irqs(line))
		return false;
	if (line->state->at.irq_depth >= 0)
		return true;
	if (!graph_in_irqentry_text(graph_shown_address(line, call->func)))
		return false;

	line->state->at.irq_depth = call->depth;
	return true;
}

/*
 * A return at a lower depth than the interrupt's entry ends the hiding, too: in
 * that case the interrupt's own return was lost.
 */
static bool return_is_hidden(const struct graph_line *line,
			     const struct ftrace_graph_ret *ret)
{
	if (!hides_irqs(line) || line->state->at.irq_depth < 0)
		return false;
	if (ret->depth <= line->state->at.irq_depth)
		line->state->at.irq_depth = -1;
	return true;
}

/*
 * Calls
 */

/* As trace_text_keep(), if the line is cut */
static struct trace_text_kept keep(const struct graph_line *line, size_t room)
{
	return trace_text_keep(line->s, trace_line_room(line->iter, room));
}

static void rewind_to(struct trace_seq *s, size_t len)
{
	if (!trace_seq_has_overflowed(s))
		s->seq.len = len;
}

static void print_name(const struct graph_line *line, unsigned long func)
{
	if (IS_ENABLED(CONFIG_FTRACE_SIGNATURES))
		trace_sig_print_name(line->iter, func);
	else
		trace_func_text_print(line->s, graph_shown_address(line, func));
}

/*
 * Whether this is a mark of a latency tracer, where a section began or ended: a leaf
 * that took no time.  It is no call of the function, and has no arguments or result.
 */
static bool is_mark(const struct graph_call *call)
{
	return call->leaf && !call->nr_words && !call->entry->graph_ent.depth &&
	       call->ret->ret.calltime == call->ret->ret.rettime;
}

/*
 * A return
 *
 * @high: the upper half of the result, or no word
 * @attached: what was found at the return
 * @args: the call's arguments, if the event has them
 * @args_attached: what is attached to an entry
 */
struct graph_return {
	const struct ftrace_graph_ret_entry	*entry;
	struct graph_words			high;
	struct graph_words			attached;
	struct graph_words			args;
	struct graph_words			args_attached;
};

static struct graph_return split_return(const struct ftrace_graph_ret_entry *entry,
					unsigned int nr_words, struct graph_words attached)
{
	struct graph_return ret = {
		.entry = entry,
		.high = { entry->retval_high, nr_words },
		.attached = attached,
	};

	if (nr_words <= 1)
		return ret;
	ret.high.nr = 1;
	ret.args = (struct graph_words){ entry->retval_high + 1, nr_words - 1 };
	ret.attached.nr = trace_sig_first_block(attached.words, attached.nr);
	ret.args_attached.words = attached.words + ret.attached.nr;
	ret.args_attached.nr = attached.nr - ret.attached.nr;
	return ret;
}

static struct graph_return return_of(const struct graph_call *call)
{
	if (!call->leaf)
		return (struct graph_return){};
	return split_return(call->ret, call->nr_ret_words, call->ret_attached);
}

static void add_return_words(struct trace_sig_call *words, const struct graph_return *ret)
{
	words->result = ret->high.words;
	words->nr_result = ret->high.nr;
	words->result_attached = ret->attached.words;
	words->nr_result_attached = ret->attached.nr;
}

/*
 * Print arguments that an entry or a return has; @ret is the return, or empty.  @room is
 * left for what is behind them.
 */
static void print_args(const struct graph_line *line, unsigned long func,
		       struct graph_words args, struct graph_words attached,
		       const struct graph_return *ret, size_t room)
{
	struct trace_text_kept kept = keep(line, room);
	struct trace_sig_call words = {
		.ip		= graph_shown_address(line, func),
		.args		= args.words,
		.nr_args	= args.nr,
		.attached	= attached.words,
		.nr_attached	= attached.nr,
		.classes	= graph_classes(line->flags),
		.names		= line->flags & TRACE_GRAPH_PRINT_NAMES,
	};

	add_return_words(&words, ret);
	trace_sig_print_args(line->iter, &words);
	trace_text_give_back(line->s, kept);
}

static void print_call_args(const struct graph_line *line, const struct graph_call *call)
{
	size_t room = call->leaf ? TRACE_TEXT_RESULT : TRACE_TEXT_TAIL;
	struct graph_words args = { call->entry->args, call->nr_words };
	unsigned long func = call->entry->graph_ent.func;
	struct graph_return ret = return_of(call);

	/* They may have been recorded at the return alone */
	if (!args.nr && ret.args.nr)
		print_args(line, func, ret.args, ret.args_attached, &ret, room);
	else
		print_args(line, func, args, call->attached, &ret, room);
}

/* Whether the line of a call shows its arguments */
static bool shows_args(const struct graph_line *line, const struct graph_call *call)
{
	u32 which = TRACE_GRAPH_PRINT_ARGS;

	if (call->leaf)
		which |= TRACE_GRAPH_PRINT_EXIT_ARGS;
	return line->flags & which && !is_mark(call);
}

static void print_name_and_args(const struct graph_line *line,
				const struct graph_call *call)
{
	print_name(line, call->entry->graph_ent.func);
	trace_text_putc(line->s, '(');
	if (shows_args(line, call))
		print_call_args(line, call);
	trace_text_putc(line->s, ')');
}

#ifdef CONFIG_FUNCTION_GRAPH_RETVAL

/* Readers of the kernel's log may have no right to trace */
static bool hides_addresses(const struct graph_line *line)
{
	return line->iter->iter_flags & TRACE_FILE_KERNEL_LOG &&
	       line->iter->tr->trace_flags & TRACE_ITER_HASH_PTR;
}

static void print_hex_result(struct trace_seq *s, unsigned long retval)
{
	struct trace_text t __uninitialized;

	trace_text_begin(&t, s);
	trace_text_string(&t, " = ");
	trace_text_hex(&t, retval);
	trace_text_end(&t);
}

/*
 * Without a type, print an error code if the whole word or its lower half is one,
 * and a hexadecimal number otherwise.
 */
static void print_untyped_result(const struct graph_line *line, unsigned long retval,
				 bool hex)
{
	struct trace_seq *s = line->s;
	unsigned long code = retval;

	/* It may be an int in a 64-bit register */
	if (upper_32_bits(retval) == 0)
		code = (long)(s32)retval;

	if (!hex && IS_ERR_VALUE(code))
		trace_seq_printf(s, " = %ld", (long)code);
	else if (hides_addresses(line) && (long)retval < -MAX_ERRNO)
		trace_seq_printf(s, " = %p", (void *)retval);
	else
		print_hex_result(s, retval);
}

/* The words of a return, for printing */
static struct trace_sig_call return_words(const struct graph_line *line,
					  const struct graph_return *ret)
{
	struct trace_sig_call words = {
		.ip		= graph_shown_address(line, ret->entry->ret.func),
		.classes	= graph_classes(line->flags),
		.names		= line->flags & TRACE_GRAPH_PRINT_NAMES,
	};

	add_return_words(&words, ret);
	return words;
}

static bool print_typed_result(const struct graph_line *line, const struct graph_return *ret,
			       bool hex)
{
	struct trace_sig_call words = return_words(line, ret);
	size_t len = line->s->seq.len;

	trace_text_puts(line->s, " = ");
	if (trace_sig_print_result(line->iter, &words, ret->entry->ret.retval, hex))
		return true;
	rewind_to(line->s, len);
	return false;
}

/* Returns false, and prints nothing, if there is no result to print */
static bool print_result(const struct graph_line *line, const struct graph_return *ret)
{
	bool hex = line->flags & TRACE_GRAPH_PRINT_RETVAL_HEX;

	if (line->flags & TRACE_GRAPH_PRINT_RETVAL_TYPED)
		return print_typed_result(line, ret, hex);
	if (!(line->flags & TRACE_GRAPH_PRINT_RETVAL))
		return false;
	print_untyped_result(line, ret->entry->ret.retval, hex);
	return true;
}

/*
 * Print what a call has changed, behind its name and result.  Returns false, and prints
 * nothing, if nothing like that was recorded.
 */
static bool print_changes(const struct graph_line *line, const struct graph_return *ret)
{
	struct trace_sig_call words;

	if (!ret->attached.nr || !(graph_classes(line->flags) & FTRACE_SIG_FOLLOW_CHANGES))
		return false;
	words = return_words(line, ret);
	return trace_sig_print_changes(line->iter, &words);
}

#else

static bool print_result(const struct graph_line *line, const struct graph_return *ret)
{
	return false;
}

static bool print_changes(const struct graph_line *line, const struct graph_return *ret)
{
	return false;
}

#endif /* CONFIG_FUNCTION_GRAPH_RETVAL */

static enum print_line_t print_leaf(const struct graph_line *line,
				    const struct graph_call *call)
{
	bool valued, mark = line->flags & TRACE_GRAPH_PRINT_RETVAL_TYPED && is_mark(call);
	int depth = call->entry->graph_ent.depth;
	unsigned long *open = open_slot(line, depth);
	struct graph_return ret = return_of(call);
	struct trace_seq *s = line->s;
	struct trace_text_kept kept;
	size_t len;

	set_comment_depth(line, depth - 1);
	if (open)
		*open = 0;

	graph_print_duration(line, &call->ret->ret);
	graph_print_spaces(s, depth * INDENT_PER_DEPTH);
	print_name_and_args(line, call);
	trace_text_putc(s, ';');

	len = s->seq.len;
	kept = keep(line, TRACE_TEXT_TAIL);
	trace_text_puts(s, " /*");
	valued = !mark && print_result(line, &ret);
	/* Otherwise the arguments show them */
	if (!shows_args(line, call))
		valued |= !mark && print_changes(line, &ret);
	trace_text_give_back(s, kept);
	if (valued)
		trace_text_puts(s, " */");
	else
		rewind_to(s, len);
	trace_text_putc(s, '\n');

	graph_print_irq_end(line, call->ret->ret.func);
	return trace_handle_return(s);
}

static enum print_line_t print_nested(const struct graph_line *line,
				      const struct graph_call *call)
{
	const struct ftrace_graph_ent *ent = &call->entry->graph_ent;
	unsigned long *open = open_slot(line, ent->depth);

	set_comment_depth(line, ent->depth);
	if (open)
		*open = ent->func;

	graph_print_no_duration(line);
	graph_print_spaces(line->s, ent->depth * INDENT_PER_DEPTH);
	print_name_and_args(line, call);
	trace_text_puts(line->s, " {\n");

	/* look_behind() has consumed the entry: the caller must not consume again */
	if (trace_seq_has_overflowed(line->s))
		return TRACE_TYPE_PARTIAL_LINE;
	return TRACE_TYPE_NO_CONSUME;
}

static enum print_line_t print_call(struct graph_line *line,
				    const struct graph_call *call)
{
	line->ent = &call->entry->ent;
	line->ts = call->ts;

	graph_print_task_switch(line);
	graph_print_irq_begin(line, call->entry->graph_ent.func);
	graph_print_context(line);
	return call->leaf ? print_leaf(line, call) : print_nested(line, call);
}

/* Where a call's events are copied to, and how much room there is for what is attached */
struct graph_rooms {
	void		*entry;
	void		*ret;
	unsigned long	*attached;
	size_t		attached_size;
	unsigned long	*ret_attached;
	size_t		ret_attached_size;
};

static struct graph_rooms rooms_of(struct graph_room *room)
{
	return (struct graph_rooms){
		room->entry, room->ret, room->attached, sizeof(room->attached),
		room->ret_attached, sizeof(room->ret_attached),
	};
}

static struct graph_rooms small_rooms_of(struct graph_small_room *room)
{
	return (struct graph_rooms){
		room->entry, room->ret, room->attached, sizeof(room->attached),
	};
}

/* Copy what is attached to an event, or as much as there is room for */
static struct graph_words copy_attached(unsigned long *to, size_t room,
					const struct ring_buffer_attached *attached)
{
	struct graph_words words = { .words = to };

	if (unlikely(attached->size)) {
		words.nr = min_t(size_t, attached->size, room) / sizeof(unsigned long);
		memcpy(to, attached->data, words.nr * sizeof(unsigned long));
	}
	return words;
}

/* Copy the event that the iterator stands at */
static void copy_entry(struct graph_call *call, const struct trace_iterator *iter,
		       const struct graph_rooms *rooms)
{
	const struct ftrace_graph_ent_entry *entry = (void *)iter->ent;
	unsigned int nr_words = words_behind(iter->ent_size, sizeof(*entry));

	call->ts = iter->ts;
	call->entry = rooms->entry;
	call->nr_words = min(nr_words, words_behind(GRAPH_ENTRY_SIZE, sizeof(*entry)));
	memcpy(call->entry, entry, sizeof(*entry) + call->nr_words * sizeof(unsigned long));
	call->attached = copy_attached(rooms->attached, rooms->attached_size,
				       &iter->attached);
}

/* If @event is the return of @call, copy it too */
static bool copy_return(struct graph_call *call, struct ring_buffer_event *event,
			const struct ring_buffer_attached *attached,
			const struct graph_rooms *rooms)
{
	const struct ftrace_graph_ent *ent = &call->entry->graph_ent;
	const struct ftrace_graph_ret_entry *ret = ring_buffer_event_data(event);
	unsigned int nr_words;

	/* A buffer that outlived a kernel may contain anything */
	if (ring_buffer_event_length(event) < sizeof(*ret))
		return false;
	if (ret->ent.type != TRACE_GRAPH_RET || ret->ent.pid != call->entry->ent.pid)
		return false;
	if (ret->ret.func != ent->func || ret->ret.depth != ent->depth)
		return false;

	nr_words = words_behind(ring_buffer_event_length(event), sizeof(*ret));
	call->ret = rooms->ret;
	call->nr_ret_words = min(nr_words, words_behind(GRAPH_RETURN_SIZE, sizeof(*ret)));
	memcpy(call->ret, ret, sizeof(*ret) + call->nr_ret_words * sizeof(unsigned long));
	call->ret_attached = copy_attached(rooms->ret_attached, rooms->ret_attached_size,
					   attached);
	return true;
}

/*
 * Find out whether @call is a leaf.  If it is, a reader that does not consume skips
 * the return here.  For a consuming reader the return is the next event in the buffer,
 * and the caller that asked for this line consumes it.
 *
 * If events were lost in between, a return that looks like that of @call may belong
 * to a later call of the same function.
 */
static void look_behind(struct trace_iterator *iter, struct graph_call *call,
			const struct graph_rooms *rooms)
{
	struct ring_buffer_iter *ring_iter = trace_buffer_iter(iter, iter->cpu);
	struct trace_buffer *buffer = iter->array_buffer->buffer;
	struct ring_buffer_attached attached = {};
	struct ring_buffer_event *next;
	unsigned long lost = 0;

	if (ring_iter) {
		next = ring_buffer_iter_peek(ring_iter, NULL);
		lost = ring_buffer_iter_dropped(ring_iter);
		if (next)
			ring_buffer_iter_attached(ring_iter, &attached);
	} else {
		ring_buffer_consume(buffer, iter->cpu, NULL, NULL);
		/* This reports lost events, and leaves them to be reported on consuming */
		next = ring_buffer_peek_attached(buffer, iter->cpu, NULL, &lost, &attached);
	}

	call->leaf = next && !lost && copy_return(call, next, &attached, rooms);
	if (call->leaf && ring_iter)
		ring_buffer_iter_advance(ring_iter);
}

/*
 * Whether a line that did not fit will fit the next time.  It will not if nothing
 * precedes it in the buffer: it has had all the room.  A reader that does not consume
 * always gives a line all the room.
 */
static bool fits_next_time(const struct graph_line *line, size_t before)
{
	return line->s->full && before &&
	       !trace_buffer_iter(line->iter, line->iter->cpu);
}

static enum print_line_t print_entry_in(struct graph_line *line,
					struct graph_reader *reader,
					const struct graph_rooms *rooms)
{
	struct trace_iterator *iter = line->iter;
	struct graph_call here __uninitialized;
	struct graph_call *call = reader ? &reader->call : &here;
	size_t before = line->s->seq.len;
	enum print_line_t ret;

	copy_entry(call, iter, rooms);
	if (entry_is_hidden(line, &call->entry->graph_ent))
		return TRACE_TYPE_HANDLED;

	look_behind(iter, call, rooms);
	ret = print_call(line, call);

	if (reader && fits_next_time(line, before)) {
		reader->again_cpu = iter->cpu;
		reader->lost_before = iter->lost_events;
	}
	return ret;
}

/*
 * Without a reader, there is one large room for all.  Whoever does not get it has room for
 * arguments alone: what these point to is not shown.
 */
static noinline enum print_line_t print_entry_alone(struct graph_line *line)
{
	static struct graph_room large;
	struct graph_small_room small;
	struct graph_rooms rooms;
	static atomic_t taken;
	enum print_line_t ret;

	if (atomic_cmpxchg(&taken, 0, 1)) {
		rooms = small_rooms_of(&small);
		return print_entry_in(line, NULL, &rooms);
	}
	rooms = rooms_of(&large);
	ret = print_entry_in(line, NULL, &rooms);
	atomic_set_release(&taken, 0);
	return ret;
}

static enum print_line_t print_entry(struct graph_line *line,
				     struct graph_reader *reader)
{
	struct graph_rooms rooms;

	if (!reader)
		return print_entry_alone(line);
	rooms = rooms_of(&reader->room);
	return print_entry_in(line, reader, &rooms);
}

/* The text by which print_trace_line() reports lost events */
static size_t lost_text(char *text, size_t size, int cpu, unsigned long lost)
{
	if (!lost)
		return 0;
	if (lost == -1UL)
		return snprintf(text, size, "CPU:%d [LOST EVENTS]\n", cpu);
	return snprintf(text, size, "CPU:%d [LOST %lu EVENTS]\n", cpu, lost);
}

/*
 * The caller has just reported the events lost before the iterator's event.  That
 * event is printed later, and reported then, so remove the report.  The report for the
 * call that is printed again was dropped with the line that did not fit, so add it.
 *
 * Return: the length of the text before this line.
 */
static size_t tell_lost_again(struct graph_line *line, const struct graph_reader *reader)
{
	struct trace_iterator *iter = line->iter;
	struct trace_seq *s = line->s;
	size_t before, len;
	char text[64];

	len = lost_text(text, sizeof(text), iter->cpu, iter->lost_events);
	if (s->seq.len >= len && !memcmp(s->buffer + s->seq.len - len, text, len))
		rewind_to(s, s->seq.len - len);
	before = s->seq.len;
	len = lost_text(text, sizeof(text), reader->again_cpu, reader->lost_before);
	trace_seq_putmem(s, text, len);
	return before;
}

/*
 * Print the call that did not fit the last time.  Its entry is consumed.  The
 * iterator is at another event, of any CPU, which is still to be printed.  If the
 * call is a leaf, its return is still in the buffer.
 */
static enum print_line_t print_again(struct graph_line *line,
				     struct graph_reader *reader)
{
	const struct graph_call *call = &reader->call;
	struct trace_iterator *iter = line->iter;
	enum print_line_t ret;
	u64 ts = iter->ts;
	int cpu = iter->cpu;
	size_t before = tell_lost_again(line, reader);

	/* While the line is printed, the iterator has the call's CPU and time */
	iter->cpu = reader->again_cpu;
	iter->ts = call->ts;
	ret = print_call(line, call);
	iter->ts = ts;
	iter->cpu = cpu;

	if (fits_next_time(line, before))
		return ret;

	reader->again_cpu = -1;
	if (call->leaf) {
		line->state->returned = true;
		line->state->returned_func = call->ret->ret.func;
		line->state->returned_at = call->ret->ret.rettime;
	}
	return line->s->full ? ret : TRACE_TYPE_NO_CONSUME;
}

/* Whether the event is the return that print_again() has printed */
static bool already_printed(struct graph_cpu *state, const struct trace_entry *ent)
{
	const struct ftrace_graph_ret_entry *ret = (void *)ent;

	if (likely(!state->returned))
		return false;
	state->returned = false;
	return ent->type == TRACE_GRAPH_RET &&
	       ret->ret.func == state->returned_func &&
	       ret->ret.rettime == state->returned_at;
}

/* Whether the line of a return shows the arguments of its call */
static bool return_shows_args(const struct graph_line *line, const struct graph_return *ret)
{
	return line->flags & TRACE_GRAPH_PRINT_EXIT_ARGS ||
	       (line->flags & TRACE_GRAPH_PRINT_ARGS && ret->args.nr);
}

/* Print which call returns, and what it has changed.  Returns whether that is more than a name. */
static bool print_returned_call(const struct graph_line *line, const struct graph_return *ret)
{
	unsigned long func = ret->entry->ret.func;
	bool args = return_shows_args(line, ret);
	bool valued;

	print_name(line, func);
	if (args) {
		trace_text_putc(line->s, '(');
		print_args(line, func, ret->args, ret->args_attached, ret, TRACE_TEXT_RESULT);
		trace_text_putc(line->s, ')');
	}
	valued = print_result(line, ret);
	if (!args)
		valued |= print_changes(line, ret);
	return args || valued;
}

static struct graph_return return_at(const struct trace_iterator *iter)
{
	const struct ftrace_graph_ret_entry *entry = (void *)iter->ent;
	struct graph_words attached = {
		iter->attached.data, iter->attached.size / sizeof(unsigned long),
	};

	return split_return(entry, words_behind(iter->ent_size, sizeof(*entry)), attached);
}

static enum print_line_t print_return(const struct graph_line *line)
{
	const struct graph_return whole = return_at(line->iter);
	const struct ftrace_graph_ret *ret = &whole.entry->ret;
	unsigned long *open = open_slot(line, ret->depth);
	struct trace_seq *s = line->s;
	struct trace_text_kept kept;
	bool named, valued;
	size_t len;

	if (return_is_hidden(line, ret))
		return TRACE_TYPE_HANDLED;

	set_comment_depth(line, ret->depth - 1);
	/* If the entry was lost, only the name tells which function the brace ends */
	named = (line->flags & TRACE_GRAPH_PRINT_TAIL) || (open && *open != ret->func);

	graph_print_task_switch(line);
	graph_print_context(line);
	graph_print_duration(line, ret);
	graph_print_spaces(s, ret->depth * INDENT_PER_DEPTH);
	trace_text_putc(s, '}');

	len = s->seq.len;
	kept = keep(line, TRACE_TEXT_TAIL);
	trace_text_puts(s, " /* ");
	valued = print_returned_call(line, &whole);
	trace_text_give_back(s, kept);
	if (valued || named)
		trace_text_puts(s, " */");
	else
		rewind_to(s, len);
	trace_text_putc(s, '\n');

	if (line->flags & TRACE_GRAPH_PRINT_OVERRUN)
		trace_seq_printf(s, " (Overruns: %u)\n", ret->overrun);
	graph_print_irq_end(line, ret->func);

	/* A line that does not fit is printed again, and needs the same state */
	if (open && !trace_seq_has_overflowed(s))
		*open = 0;
	return trace_handle_return(s);
}

/*
 * Other events
 */

static enum print_line_t print_comment_text(struct trace_iterator *iter,
					    struct trace_event *event)
{
	switch (event->type) {
	case TRACE_PRINT:
		return trace_print_printk_msg_only(iter);
	case TRACE_BPRINT:
		return trace_print_bprintk_msg_only(iter);
	case TRACE_BPUTS:
		return trace_print_bputs_msg_only(iter);
	default:
		return event->funcs->trace(iter,
					   iter->tr->trace_flags & TRACE_ITER_SYM_MASK,
					   event);
	}
}

static void strip_newline(struct trace_seq *s)
{
	if (s->seq.len && s->buffer[s->seq.len - 1] == '\n')
		s->buffer[--s->seq.len] = '\0';
}

static enum print_line_t print_comment(const struct graph_line *line)
{
	struct trace_event *event = ftrace_find_event(line->ent->type);
	int depth = line->state ? line->state->at.depth : 0;
	struct trace_seq *s = line->s;
	struct trace_text_kept kept;
	enum print_line_t ret;

	if (!event)
		return TRACE_TYPE_UNHANDLED;

	graph_print_task_switch(line);
	graph_print_context(line);
	graph_print_no_duration(line);
	if (depth > 0)
		graph_print_spaces(s, (depth + 1) * INDENT_PER_DEPTH);

	trace_text_puts(s, "/* ");
	kept = keep(line, TRACE_TEXT_TAIL);
	ret = print_comment_text(line->iter, event);
	if (!trace_text_give_back(s, kept) && ret != TRACE_TYPE_HANDLED)
		return ret;
	if (!trace_seq_has_overflowed(s)) {
		strip_newline(s);
		trace_text_puts(s, " */\n");
	}
	return trace_handle_return(s);
}

static enum print_line_t print_event(struct graph_line *line,
				     struct graph_reader *reader)
{
	if (reader && already_printed(line->state, line->ent))
		return TRACE_TYPE_HANDLED;

	switch (line->ent->type) {
	case TRACE_GRAPH_ENT:
		return print_entry(line, reader);
	case TRACE_GRAPH_RET:
		return print_return(line);
	case TRACE_FN:
	case TRACE_STACK:
		/* These have their own form, and are not printed as comments */
		return TRACE_TYPE_UNHANDLED;
	default:
		return print_comment(line);
	}
}

/**
 * print_graph_function_flags - print the event an iterator stands at
 * @iter: the reader; graph_trace_open() was called for it, or its @private is NULL.
 *	Without @private, neither task switches nor lost entries are noticed.
 * @flags: TRACE_GRAPH_PRINT_*
 *
 * Context: any that may print; with ftrace_dump() also NMI.
 * Return: what the caller must do with the event.  TRACE_TYPE_HANDLED: consume it;
 * TRACE_TYPE_NO_CONSUME: do not consume it; TRACE_TYPE_PARTIAL_LINE: print it
 * again, as the room was not enough; TRACE_TYPE_UNHANDLED: print it in another way.
 */
enum print_line_t print_graph_function_flags(struct trace_iterator *iter, u32 flags)
{
	struct graph_reader *reader = iter->private;
	bool again = reader && reader->again_cpu >= 0;
	struct graph_line line = {
		.iter = iter, .s = &iter->seq, .flags = flags,
		.ent = iter->ent, .ts = iter->ts,
	};
	struct graph_position before;
	enum print_line_t ret;

	if (!reader)
		return print_event(&line, NULL);

	line.state = per_cpu_ptr(reader->states, again ? reader->again_cpu : iter->cpu);
	before = line.state->at;
	/* The lost events may include the returns of all open calls */
	if (!again && iter->lost_events)
		memset(line.state->open, 0, sizeof(line.state->open));
	ret = again ? print_again(&line, reader) : print_event(&line, reader);

	/* A line that did not fit is printed again from the same position */
	if (line.s->full)
		line.state->at = before;
	return ret;
}

/*
 * Readers
 */

static struct graph_reader *alloc_reader(gfp_t gfp)
{
	struct graph_reader *reader = kzalloc(sizeof(*reader), gfp);
	int cpu;

	if (!reader)
		return NULL;
	reader->again_cpu = -1;
	reader->states = alloc_percpu_gfp(struct graph_cpu, gfp);
	if (!reader->states) {
		kfree(reader);
		return NULL;
	}
	for_each_possible_cpu(cpu)
		per_cpu_ptr(reader->states, cpu)->at = (struct graph_position) {
			.pid = -1, .irq_depth = -1,
		};
	return reader;
}

/**
 * graph_trace_open - prepare a reader for print_graph_function_flags()
 * @iter: the reader; its @private gets the state that is kept between lines
 *
 * If there is no memory for the state, lines can be printed nevertheless.
 *
 * Context: any; with ftrace_dump() also atomic.
 */
void graph_trace_open(struct trace_iterator *iter)
{
	bool atomic = in_atomic() || irqs_disabled();

	iter->private = alloc_reader(atomic ? GFP_ATOMIC : GFP_KERNEL);
	if (!iter->private)
		pr_warn("function graph tracer: no memory for the reader's state\n");
}

/**
 * graph_trace_close - undo graph_trace_open()
 * @iter: the reader
 */
void graph_trace_close(struct trace_iterator *iter)
{
	struct graph_reader *reader = iter->private;

	if (!reader)
		return;
	iter->private = NULL;
	free_percpu(reader->states);
	kfree(reader);
}
