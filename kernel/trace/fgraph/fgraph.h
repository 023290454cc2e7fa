/* SPDX-License-Identifier: GPL-2.0 */
/* What the files of the function graph know of each other; for frames see frames.h */
#ifndef _TRACE_FGRAPH_H
#define _TRACE_FGRAPH_H

#include <linux/ftrace.h>
#include <linux/jump_label.h>
#include <linux/static_call.h>

#include "frames.h"

/* users.c: who is called at entries and returns */

/* Indexed by fgraph_ops::idx; &fgraph_nobody where there is no user */
extern struct fgraph_ops *fgraph_users[FGRAPH_MAX_USERS];
extern struct fgraph_ops fgraph_nobody;
/* A bit per index that a user has */
extern unsigned long fgraph_used;

/* While there is one user, it is called directly, where the architecture allows that */
#define FGRAPH_DIRECT	(IS_ENABLED(CONFIG_HAVE_STATIC_CALL) && !FGRAPH_NO_DIRECT)
extern struct fgraph_ops *fgraph_only;
DECLARE_STATIC_KEY_FALSE(fgraph_has_only);
DECLARE_STATIC_CALL(fgraph_entry, ftrace_graph_entry_stub);
void fgraph_ignore_return(struct ftrace_graph_ret *call, struct fgraph_ops *gops,
			  struct ftrace_regs *fregs);
DECLARE_STATIC_CALL(fgraph_return, fgraph_ignore_return);
/* ftrace_stub() with these arguments; include/asm-generic/vmlinux.lds.h has it */
void ftrace_stub_graph(struct ftrace_graph_ret *call, struct fgraph_ops *gops,
		       struct ftrace_regs *fregs);

/*
 * Whether functions were hooked for a user that has gone, and a task may have been preempted on
 * its way from there to function_graph_enter_regs(). Under ftrace_lock.
 */
extern bool fgraph_strays;

bool fgraph_traces_task(const struct fgraph_ops *gops);

/*
 * Counts registrations, and has the number of each user's. A frame may name an index that
 * another user has now: then it is of an earlier epoch.
 */
extern u32 fgraph_epoch;
extern u32 fgraph_since[FGRAPH_MAX_USERS];

/* ../fgraph.c */

unsigned int fgraph_room(void);
int fgraph_enter_call(struct fgraph_ops *gops, struct ftrace_graph_ent *call,
		      trace_func_graph_ent_t entryfunc, unsigned long ret, unsigned long *retp);

/*
 * Whether @address is what stands on the stack for a return address that was replaced.
 *
 * Calls that an entry of function_graph has hooked return to a place of their own, see
 * ../trace_graph_entry.c.
 */
#ifdef CONFIG_FUNCTION_GRAPH_ENTRIES
void return_to_function_graph(void);
#endif

static __always_inline bool fgraph_is_handler(unsigned long address)
{
#ifdef CONFIG_FUNCTION_GRAPH_ENTRIES
	if (address == (unsigned long)return_to_function_graph)
		return true;
#endif
	return address ==
	       (unsigned long)dereference_kernel_function_descriptor(return_to_handler);
}

/* tasks.c: the stacks of tasks */

int fgraph_start_tasks(void);
void fgraph_stop_tasks(void);
void fgraph_clear_variables(int index);
void fgraph_set_gates(int index);

#endif /* _TRACE_FGRAPH_H */
