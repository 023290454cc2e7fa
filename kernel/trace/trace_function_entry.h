/* SPDX-License-Identifier: GPL-2.0 */
/* The function tracer, called from call sites without a trampoline. */
#ifndef _KERNEL_TRACE_FUNCTION_ENTRY_H
#define _KERNEL_TRACE_FUNCTION_ENTRY_H

#include <linux/ftrace.h>

#include "trace.h"

void function_trace_call(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *op,
			 struct ftrace_regs *fregs);

#ifdef CONFIG_FTRACE_ENTRIES
#include <linux/ftrace_entries.h>

DECLARE_STATIC_KEY_FALSE(trace_function_exports_enabled);

/* One for each number of words that an event has of the arguments */
#define DECLARE_FUNCTION_ENTRY(nr_words)						\
	__ftrace_site_entry void								\
	trace_function_entry_##nr_words(FTRACE_ENTRY_ARGS, const unsigned long parent_ip);

FTRACE_ENTRIES_BY_WORDS(DECLARE_FUNCTION_ENTRY)

#ifdef CONFIG_FTRACE_SETS
struct ftrace_set;

/* The same for a set of instances; only the stubs of sets call them, see linux/ftrace_sets.h */
#define FUNCTION_SET_ENTRY(nr_words)							\
	__ftrace_set_entry __ftrace_site_entry void					\
	trace_function_set_##nr_words(FTRACE_ENTRY_ARGS,				\
				      const struct ftrace_set *const set,		\
				      const unsigned long site)

#define DECLARE_FUNCTION_SET(nr_words)	FUNCTION_SET_ENTRY(nr_words);

FTRACE_ENTRIES_BY_WORDS(DECLARE_FUNCTION_SET)

void trace_function_set_init(void);
void trace_function_set_start(struct trace_array *tr);
void trace_function_set_stop(struct trace_array *tr);
#else
static inline void trace_function_set_init(void) { }
static inline void trace_function_set_start(struct trace_array *tr) { }
static inline void trace_function_set_stop(struct trace_array *tr) { }
#endif

void trace_function_init_entries(void);
void trace_function_take_entries(struct trace_array *tr);
void trace_function_start_entries(struct trace_array *tr);
void trace_function_stop_entries(struct trace_array *tr);
void trace_function_give_entries(struct trace_array *tr);

/* Something has changed that the choice depends on: an option, a clock */
static inline void trace_function_choose_entries(void)
{
	ftrace_update_entries();
}
#else
static inline void trace_function_init_entries(void) { }
static inline void trace_function_take_entries(struct trace_array *tr) { }
static inline void trace_function_start_entries(struct trace_array *tr) { }
static inline void trace_function_stop_entries(struct trace_array *tr) { }
static inline void trace_function_give_entries(struct trace_array *tr) { }
static inline void trace_function_choose_entries(void) { }
#endif

#endif /* _KERNEL_TRACE_FUNCTION_ENTRY_H */
