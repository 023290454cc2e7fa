// SPDX-License-Identifier: GPL-2.0
/*
 * Syscall events: their fields, their formats, and what switches them on and off.
 *
 * SYSCALL_DEFINE() makes two trace_event_calls of each syscall. Those of all syscalls
 * share the two classes below and tell the syscall by their pointer to its metadata. No
 * syscall has a tracepoint of its own: the tracepoints sys_enter and sys_exit are at the
 * one place that all syscalls pass.
 */
#include <linux/seq_buf.h>
#include <linux/slab.h>

#include "trace_syscalls.h"

static bool is_exit(const struct trace_event_call *call)
{
	const struct syscall_metadata *meta = call->data;

	return call == meta->exit_event;
}

/* Entries have a list of fields for each syscall, exits share one */
static struct list_head *enter_fields(struct trace_event_call *call)
{
	struct syscall_metadata *meta = call->data;

	return &meta->enter_fields;
}

static int __init define_args(struct trace_event_call *call)
{
	const struct syscall_metadata *meta = call->data;
	unsigned int at = offsetof(struct syscall_trace_enter, args);
	int err = 0, i;

	for (i = 0; !err && i < meta->nb_args; i++, at += sizeof(long))
		err = trace_define_field(call, meta->types[i], meta->args[i], at,
					 sizeof(long), false, FILTER_OTHER);
	return err;
}

/* The words are always unsigned and as wide as a register, whatever the type is */
static void __init write_enter_format(struct seq_buf *s, const struct syscall_metadata *meta)
{
	int i;

	seq_buf_putc(s, '"');
	for (i = 0; i < meta->nb_args; i++)
		seq_buf_printf(s, "%s%s: 0x%%0%zulx", i ? ", " : "", meta->args[i],
			       sizeof(long));
	seq_buf_putc(s, '"');
	for (i = 0; i < meta->nb_args; i++)
		seq_buf_printf(s, ", ((unsigned long)(REC->%s))", meta->args[i]);
}

/* Sets @call->print_fmt, for the file "format" and programs that read events by it */
static int __init make_enter_format(struct trace_event_call *call)
{
	const size_t size = 1024;
	struct seq_buf s;
	char *text = kmalloc(size, GFP_KERNEL);

	if (!text)
		return -ENOMEM;
	seq_buf_init(&s, text, size);
	write_enter_format(&s, call->data);
	if (!WARN_ON_ONCE(seq_buf_has_overflowed(&s)))
		call->print_fmt = kstrdup(seq_buf_str(&s), GFP_KERNEL);
	kfree(text);
	return call->print_fmt ? 0 : -ENOMEM;
}

/* Syscalls that are in no table get no events */
static int __init syscall_raw_init(struct trace_event_call *call)
{
	const struct syscall_metadata *meta = call->data;
	int id;

	if (meta->syscall_nr < 0)
		return -ENOSYS;
	if (is_exit(call)) {
		call->print_fmt = "\"0x%lx\", REC->ret";
		return trace_event_raw_init(call);
	}
	id = make_enter_format(call);
	if (id)
		return id;
	id = trace_event_raw_init(call);
	if (id < 0)
		kfree(call->print_fmt);
	return id;
}

static int syscall_switch(struct trace_event_call *call, enum trace_reg type, void *data)
{
	bool exit = is_exit(call);

	if (type == TRACE_REG_REGISTER)
		return trace_syscall_record(data, exit);
	if (type == TRACE_REG_UNREGISTER)
		trace_syscall_unrecord(data, exit);
#ifdef CONFIG_PERF_EVENTS
	if (type == TRACE_REG_PERF_REGISTER)
		return trace_syscall_perf_enable(call, exit);
	if (type == TRACE_REG_PERF_UNREGISTER)
		trace_syscall_perf_disable(call, exit);
#endif
	return 0;
}

#define FIELD(_type, _name)							\
	{ .type = #_type, .name = #_name, .size = sizeof(_type),		\
	  .align = __alignof__(_type), .is_signed = is_signed_type(_type),	\
	  .filter_type = FILTER_OTHER }

static struct trace_event_fields __refdata enter_fields_array[] = {
	FIELD(int, __syscall_nr),
	{ .type = TRACE_FUNCTION_TYPE, .define_fields = define_args },
	{}
};

static struct trace_event_fields __refdata exit_fields_array[] = {
	FIELD(int, __syscall_nr),
	FIELD(long, ret),
	{}
};

struct trace_event_class __refdata event_class_syscall_enter = {
	.system		= "syscalls",
	.fields_array	= enter_fields_array,
	.get_fields	= enter_fields,
	.raw_init	= syscall_raw_init,
	.reg		= syscall_switch,
};

struct trace_event_class __refdata event_class_syscall_exit = {
	.system		= "syscalls",
	.fields_array	= exit_fields_array,
	.fields		= LIST_HEAD_INIT(event_class_syscall_exit.fields),
	.raw_init	= syscall_raw_init,
	.reg		= syscall_switch,
};
