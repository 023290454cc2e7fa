// SPDX-License-Identifier: GPL-2.0
/*
 * Check the events of an earlier boot, or of another kernel, in a buffer that outlives
 * the kernel.
 *
 * The ring buffer has validated which events there are and how long each is.  But their
 * content may be damaged, and printing trusts that an event is as long as its type
 * requires, and that each string in it ends.
 *
 * The numbers of the types in enum trace_type are fixed.  Other numbers are known only
 * to a kernel of the same build, and even there only those of built-in events: modules,
 * probes and the like get whatever number is free.
 */
#include <linux/list.h>
#include <linux/log2.h>
#include <linux/sched.h>
#include <linux/string.h>

#include "ring_buffer_last_boot.h"
#include "trace.h"
#include "trace_last_boot.h"
#include "trace_output.h"

/* The least size of an event of enum trace_type; 0 if there is no such type. */
static size_t least_size(unsigned int type)
{
	switch (type) {
#undef FTRACE_ENTRY
#define FTRACE_ENTRY(name, struct_name, id, tstruct, print)		\
	case id:							\
		return sizeof(struct struct_name);
#undef FTRACE_ENTRY_DUP
#define FTRACE_ENTRY_DUP(name, struct_name, id, tstruct, print)		\
	FTRACE_ENTRY(name, struct_name, id, tstruct, print)
#undef FTRACE_ENTRY_REG
#define FTRACE_ENTRY_REG(name, struct_name, id, tstruct, print, reg)	\
	FTRACE_ENTRY(name, struct_name, id, tstruct, print)
#undef FTRACE_ENTRY_PACKED
#define FTRACE_ENTRY_PACKED(name, struct_name, id, tstruct, print)	\
	FTRACE_ENTRY(name, struct_name, id, tstruct, print)
#include "trace_entries.h"
	}
	return 0;
}

static bool ends(const char *string, const void *end)
{
	return strnlen(string, end - (void *)string) < end - (void *)string;
}

/* Whether both states exist: printing looks them up in a table */
static bool has_states(const struct ctx_switch_entry *entry)
{
	return entry->prev_state <= ilog2(TASK_REPORT_MAX) &&
	       entry->next_state <= ilog2(TASK_REPORT_MAX);
}

/* Whether an event of enum trace_type is complete */
static bool is_whole(const struct trace_iterator *iter)
{
	const void *ent = iter->ent, *end = ent + iter->ent_size;
	size_t least = least_size(iter->ent->type);

	if (!least || iter->ent_size < least)
		return false;

	switch (iter->ent->type) {
	case TRACE_CTX:
	case TRACE_WAKE:
		return has_states(ent);
	case TRACE_PRINT:
		return ends(((const struct print_entry *)ent)->buf, end);
	case TRACE_STACK:
		return (end - (void *)((const struct stack_entry *)ent)->caller) %
		       sizeof(long) == 0;
	case TRACE_BPRINT:
	case TRACE_BPUTS:
		/* These point to their text, and are never written to such buffers */
		return false;
	}
	return true;
}

/* Whether the event has the same meaning in any kernel, except for its addresses */
static bool is_of_any_kernel(const struct trace_iterator *iter)
{
	switch (iter->ent->type) {
	case TRACE_FN:
	case TRACE_FUNC_REPEATS:
	case TRACE_GRAPH_ENT:
	case TRACE_GRAPH_RET:
	case TRACE_PRINT:
	case TRACE_STACK:
		return true;
	}
	return false;
}

/* Whether a string or an array lies within the event, and a string ends */
static bool data_is_whole(const struct trace_iterator *iter,
			  const struct ftrace_event_field *field)
{
	const void *ent = iter->ent;
	u32 loc = *(const u32 *)(ent + field->offset);
	u32 offset = loc & 0xffff, length = loc >> 16;

	if (field->filter_type == FILTER_RDYN_STRING)
		offset += field->offset + field->size;
	if (offset + length > iter->ent_size)
		return false;
	if (field->filter_type != FILTER_DYN_STRING &&
	    field->filter_type != FILTER_RDYN_STRING)
		return true;
	return ends(ent + offset, ent + offset + length);
}

static bool is_dynamic(const struct ftrace_event_field *field)
{
	return str_has_prefix(field->type, "__data_loc") ||
	       str_has_prefix(field->type, "__rel_loc");
}

static bool field_is_whole(const struct trace_iterator *iter,
			   const struct ftrace_event_field *field)
{
	const void *at = (const void *)iter->ent + field->offset;

	if (field->offset + field->size > iter->ent_size)
		return false;
	if (field->filter_type == FILTER_STATIC_STRING)
		return ends(at, at + field->size);
	return !is_dynamic(field) || data_is_whole(iter, field);
}

/* Whether an event of a kernel of the same build has all of its fields */
static bool trace_event_is_whole(const struct trace_iterator *iter)
{
	struct trace_event *event = ftrace_find_event(iter->ent->type);
	struct ftrace_event_field *field;
	struct trace_event_call *call;

	if (!event)
		return true;
	call = container_of(event, struct trace_event_call, event);
	if (call->flags & TRACE_EVENT_FL_DYNAMIC || call->module)
		return false;
	list_for_each_entry(field, trace_get_fields(call), link)
		if (!field_is_whole(iter, field))
			return false;
	return true;
}

static bool can_be_printed(const struct trace_iterator *iter)
{
	if (iter->ent->pid < 0)
		return false;
	if (trace_has_other_build(iter->tr) && !is_of_any_kernel(iter))
		return false;
	if (iter->ent->type <= __TRACE_LAST_TYPE)
		return is_whole(iter);
	return trace_event_is_whole(iter);
}

/*
 * Whether the ring buffer wrote the event in place of sub-buffers that are damaged.  Where users
 * write is an address.
 */
static bool tells_of_damage(const struct trace_iterator *iter)
{
	const struct print_entry *entry = (const void *)iter->ent;

	return iter->ent->type == TRACE_PRINT && !iter->ent->pid && !entry->ip &&
	       str_has_prefix(entry->buf, RING_BUFFER_LOST);
}

/* Like trace_print_strange(), for a buffer that outlives the kernel */
bool __trace_print_strange(struct trace_iterator *iter)
{
	struct trace_seq *s = &iter->seq;

	if (!trace_has_last_boot(iter->tr))
		return false;
	if (iter->ent_size < sizeof(*iter->ent))
		trace_seq_printf(s, "# %d bytes of an event: ?\n", iter->ent_size);
	else if (!can_be_printed(iter))
		trace_seq_printf(s, "# event of type %u, %d bytes: ?\n",
				 iter->ent->type, iter->ent_size);
	else if (tells_of_damage(iter))
		trace_seq_printf(s, "CPU:%d [%s]\n", iter->cpu,
				 ((struct print_entry *)iter->ent)->buf);
	else
		return false;
	return true;
}
