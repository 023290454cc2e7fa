// SPDX-License-Identifier: GPL-2.0
/*
 * The events that records become in the buffer of an instance: what they have, when they are on,
 * and how they are shown.
 */
#include <linux/init.h>
#include <linux/seq_buf.h>
#include <linux/slab.h>
#include <linux/stddef.h>
#include <linux/trace_events.h>

#include "../../trace.h"
#include "../../ring_buffer_inline.h"
#include "../../trace_output.h"
#include "instance.h"

struct branch_entry {
	struct trace_entry	ent;
	u64			from;
	u64			to;
	u8			kind;
	u8			flags;
};

/* A marker that tells a number, under a name of its own */
struct branch_number_entry {
	struct trace_entry	ent;
	u64			number;
};

static const char *const number_text[BRANCH_NR_EVENTS] = {
	[BRANCH_EVENT_LOST] = "%llu branches",
	[BRANCH_EVENT_NOT_FOLLOWED] = "PID %llu",
};

/* The alignment is the one of a member: on x86-32, it is less for 64 bits than sizeof() says */
#define FIELD(_type, _name)							\
	{ .type = #_type, .name = #_name, .size = sizeof(_type),		\
	  .align = __alignof__(struct { _type member; }),			\
	  .is_signed = is_signed_type(_type), .filter_type = FILTER_OTHER }

static struct trace_event_fields __refdata branch_fields[] = {
	FIELD(u64, from),
	FIELD(u64, to),
	FIELD(u8, kind),
	FIELD(u8, flags),
	{}
};

static struct trace_event_fields __refdata no_fields[] = {
	{}
};

static struct trace_event_fields __refdata lost_fields[] = {
	FIELD(u64, count),
	{}
};

static struct trace_event_fields __refdata not_followed_fields[] = {
	FIELD(u64, child),
	{}
};

/* For tools: an address as text, or the mode that it is in if it is hidden */
#define SIDE_FMT(side, hidden, kernel)							\
	"(REC->flags & " __stringify(hidden) ") ? ((REC->flags & " __stringify(kernel)	\
	") ? \"kernel\" : \"user\") : __print_symbolic(REC->" side ", { 0, \"0x0\" })"

static void put_branch_fmt(struct seq_buf *s)
{
	unsigned int kind;

	static_assert(BRANCH_FLAG_FROM_KERNEL == 1 && BRANCH_FLAG_TO_KERNEL == 2);
	static_assert(BRANCH_FLAG_FROM_HIDDEN == 4 && BRANCH_FLAG_TO_HIDDEN == 8);
	seq_buf_puts(s, "\"%s -> %s (%s)\", " SIDE_FMT("from", 4, 1) ", " SIDE_FMT("to", 8, 2)
		     ", __print_symbolic(REC->kind");
	for (kind = 0; !branch_is_marker(kind); kind++)
		seq_buf_printf(s, ", { %u, \"%s\" }", kind, branch_kind_name(kind));
	seq_buf_puts(s, ")");
}

static enum branch_event event_of_call(const struct trace_event_call *call)
{
	return (enum branch_event)(long)call->data;
}

static unsigned int marker_of(enum branch_event event)
{
	return event - BRANCH_EVENT_BEGIN + BRANCH_BEGIN;
}

static void put_fmt(struct seq_buf *s, enum branch_event event, const char *number_name)
{
	if (event == BRANCH_EVENT_BRANCH)
		put_branch_fmt(s);
	else if (number_text[event])
		seq_buf_printf(s, "\"%s\", REC->%s", number_text[event], number_name);
	else
		seq_buf_printf(s, "\"%s\"", branch_kind_name(marker_of(event)));
}

static int __init branch_raw_init(struct trace_event_call *call)
{
	char text[768];
	struct seq_buf s;
	int id;

	seq_buf_init(&s, text, sizeof(text));
	put_fmt(&s, event_of_call(call), call->class->fields_array->name);
	if (WARN_ON_ONCE(seq_buf_has_overflowed(&s)))
		return -ENOSPC;
	call->print_fmt = kstrdup(seq_buf_str(&s), GFP_KERNEL);
	if (!call->print_fmt)
		return -ENOMEM;
	id = trace_event_raw_init(call);
	if (id < 0)
		kfree(call->print_fmt);
	return id;
}

/* Perf has branch records of its own: these events are for instances */
static int branch_switch(struct trace_event_call *call, enum trace_reg type, void *data)
{
	struct trace_event_file *file = data;
	struct branch_instance *instance;

	switch (type) {
	case TRACE_REG_REGISTER:
		instance = branch_instance_of(file->tr);
		return instance ? branch_event_on(instance, event_of_call(call), file) : -ENOMEM;
	case TRACE_REG_UNREGISTER:
		branch_event_off(file->tr->branch, event_of_call(call));
		return 0;
	default:
		return -EOPNOTSUPP;
	}
}

static unsigned int entry_size(enum branch_event event)
{
	if (event == BRANCH_EVENT_BRANCH)
		return sizeof(struct branch_entry);
	return number_text[event] ? sizeof(struct branch_number_entry) :
				    sizeof(struct trace_entry);
}

static void fill(void *to, enum branch_event event, const struct branch_record *record)
{
	struct branch_number_entry *marker = to;
	struct branch_entry *branch = to;

	/* The task that runs is another one when it is being switched */
	branch->ent.pid = record->pid;
	if (event == BRANCH_EVENT_BRANCH) {
		branch->from = record->from;
		branch->to = record->to;
		branch->kind = record->kind;
		branch->flags = record->flags;
	} else if (number_text[event]) {
		marker->number = record->from;
	}
}

/*
 * Whether what was interrupted is writing to the buffer that the event is for. Steps of that must
 * not be written: it would begin again, at each. Context: any, preemption disabled.
 */
bool branch_interrupts_writer(struct trace_event_file *file)
{
	return ring_buffer_is_writing(file->tr->array_buffer.buffer);
}

static void write_event(struct trace_event_file *file, enum branch_event event,
			const struct branch_record *record)
{
	struct trace_event_buffer buffer;
	void *entry;

	if (trace_trigger_soft_disabled(file))
		return;
	entry = trace_event_buffer_reserve(&buffer, file, entry_size(event));
	if (!entry)
		return;
	fill(entry, event, record);
	trace_event_buffer_commit(&buffer);
}

/*
 * Without "overwrite", a full buffer refuses events. Where the file has a filter, the event is
 * written when it is committed, and that says nothing of whether there was room. So the buffer is
 * asked before and behind. What an NMI was refused in between looks the same.
 *
 * Context: any, preemption disabled. Returns false if there was no room.
 */
bool branch_write_event(struct trace_event_file *file, enum branch_event event,
			const struct branch_record *record)
{
	struct trace_buffer *buffer = file->tr->array_buffer.buffer;
	unsigned int cpu = smp_processor_id();
	unsigned long refused;

	if (file->tr->trace_flags & TRACE_ITER_OVERWRITE) {
		write_event(file, event, record);
		return true;
	}
	refused = ring_buffer_dropped_events_cpu(buffer, cpu);
	write_event(file, event, record);
	return ring_buffer_dropped_events_cpu(buffer, cpu) == refused;
}

static void show_kernel_address(struct trace_iterator *iter, unsigned long address)
{
	address += iter->tr->text_delta;
	trace_seq_printf(&iter->seq, "%pS", (void *)address);
	if (iter->tr->trace_flags & TRACE_ITER_SYM_ADDR)
		trace_seq_printf(&iter->seq, " <%lx>", address);
}

static void show_side(struct trace_iterator *iter, u64 address, bool kernel, bool hidden)
{
	if (hidden)
		trace_seq_puts(&iter->seq, kernel ? "kernel" : "user");
	else if (kernel)
		show_kernel_address(iter, address);
	else
		trace_seq_printf(&iter->seq, "0x%llx", address);
}

static void show_branch(struct trace_iterator *iter, const struct branch_entry *branch)
{
	show_side(iter, branch->from, branch->flags & BRANCH_FLAG_FROM_KERNEL,
		  branch->flags & BRANCH_FLAG_FROM_HIDDEN);
	trace_seq_puts(&iter->seq, " -> ");
	show_side(iter, branch->to, branch->flags & BRANCH_FLAG_TO_KERNEL,
		  branch->flags & BRANCH_FLAG_TO_HIDDEN);
	trace_seq_printf(&iter->seq, " (%s)", branch_kind_name(branch->kind));
}

static enum print_line_t show_event(struct trace_iterator *iter, int flags,
				    struct trace_event *event)
{
	struct trace_event_call *call = container_of(event, struct trace_event_call, event);
	const struct branch_number_entry *marker = (void *)iter->ent;
	enum branch_event shown = event_of_call(call);

	trace_seq_printf(&iter->seq, "%s: ", trace_event_name(call));
	if (shown == BRANCH_EVENT_BRANCH)
		show_branch(iter, (void *)iter->ent);
	else if (number_text[shown])
		trace_seq_printf(&iter->seq, number_text[shown], marker->number);
	else
		trace_seq_puts(&iter->seq, branch_kind_name(marker_of(shown)));
	trace_seq_putc(&iter->seq, '\n');
	return trace_handle_return(&iter->seq);
}

static struct trace_event_functions branch_funcs = {
	.trace = show_event,
};

#define BRANCH_EVENT(_name, _fields, _event)						\
	static struct trace_event_class __refdata class_of_##_name = {			\
		.system		= "branch",						\
		.fields_array	= _fields,						\
		.fields		= LIST_HEAD_INIT(class_of_##_name.fields),		\
		.raw_init	= branch_raw_init,					\
		.reg		= branch_switch,					\
	};										\
	static struct trace_event_call __refdata call_of_##_name = {			\
		.class		= &class_of_##_name,					\
		.name		= #_name,						\
		.event.funcs	= &branch_funcs,					\
		.data		= (void *)_event,					\
	};										\
	static struct trace_event_call *ptr_to_##_name __used				\
		__section("_ftrace_events") = &call_of_##_name

BRANCH_EVENT(branch, branch_fields, BRANCH_EVENT_BRANCH);
BRANCH_EVENT(branch_began, no_fields, BRANCH_EVENT_BEGIN);
BRANCH_EVENT(branch_switched_in, no_fields, BRANCH_EVENT_SWITCHED_IN);
BRANCH_EVENT(branch_lost, lost_fields, BRANCH_EVENT_LOST);
BRANCH_EVENT(branch_not_followed, not_followed_fields, BRANCH_EVENT_NOT_FOLLOWED);
