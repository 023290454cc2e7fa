/* SPDX-License-Identifier: GPL-2.0 */
/* What the files of the function graph's torture test share; main.c says how it works */
#ifndef _TRACE_FGRAPH_TORTURE_H
#define _TRACE_FGRAPH_TORTURE_H

#include <linux/completion.h>
#include <linux/ftrace.h>
#include <linux/prandom.h>
#include <linux/types.h>

#define FGT_FUNCTIONS	9
#define FGT_USERS	10
#define FGT_NESTING	(IS_ENABLED(CONFIG_64BIT) ? 40 : 24)

/**
 * struct fgt_seen - what a user was told of a call
 * @session: fgt_user::session when it was told of the entry; 0: it was not
 * @depth: of the entry
 * @kept: bytes that it keeps for the call
 * @returned: it was told of the return
 * @variable: of the user and the task, when the call was entered
 */
struct fgt_seen {
	u32		session;
	u16		depth;
	u16		kept;
	bool		returned;
	unsigned long	variable;
};

/**
 * struct fgt_call - a call, and what is known of it
 * @function: which one
 * @number: at random
 * @jumped: the call before this one jumped here, so both return to the same place
 * @stack: the task had a return stack before
 * @overrun: task_struct::trace_overrun before
 * @changes: fgt_user::changes before
 * @wanted: fgt_user::wanted before
 * @result: what it returns
 * @done: it has come to its end
 * @seen: by the users
 */
struct fgt_call {
	unsigned int	function;
	u32		number;
	bool		jumped;
	bool		stack;
	unsigned int	overrun;
	u32		changes[FGT_USERS];
	u32		wanted[FGT_USERS];
	unsigned long	result;
	bool		done;
	struct fgt_seen	seen[FGT_USERS];
};

enum fgt_kind { FGT_TASK, FGT_SOFTIRQ, FGT_HARDIRQ, FGT_NMI, FGT_KINDS };

/**
 * struct fgt_context - a task that calls, or the interrupts of a kind on a CPU
 * @kind: what it is
 * @rnd: what it decides by
 * @most: calls within calls, at most
 * @budget: calls that fgt_call_some() may still make
 * @leave: signalled when the task ends within a call; NULL if it does not
 * @nr: calls that are under way
 * @calls: these, the innermost last
 */
struct fgt_context {
	enum fgt_kind		kind;
	struct rnd_state	rnd;
	unsigned int		most;
	unsigned int		budget;
	struct completion	*leave;
	unsigned int		nr;
	struct fgt_call		calls[FGT_NESTING];
};

/**
 * struct fgt_user - a user, which is told of calls
 * @gops: of the function graph; its @ops alone, if it is told of entries only
 * @name: in messages
 * @entries_only: registered as a callback of functions, not of the graph
 * @keep: keeps up to so many bytes of most calls
 * @declines: does not want one call in so many, by their numbers; 0: wants all
 * @asks: is asked before it is told of a call, from time to time
 * @changes: one more when a change begins, and when it ends: odd in between
 * @wanted: the functions that it wants, a bit each; 0 while it is not registered
 * @session: one more before it is registered, and before it is unregistered: odd while it is
 *	registered, and never the same again
 */
struct fgt_user {
	struct fgraph_ops	gops;
	const char		*name;
	bool			entries_only;
	u16			keep;
	u16			declines;
	bool			asks;
	u32			changes;
	u32			wanted;
	u32			session;
};

/* What happened, for reports, and to see that it did */
enum fgt_event {
	FGT_CALLS, FGT_JUMPS, FGT_ENTRIES, FGT_RETURNS, FGT_KEPT, FGT_NO_ROOM, FGT_OVERRUNS,
	FGT_ASKED, FGT_DURING_CHANGES, FGT_CHANGES, FGT_SESSIONS, FGT_SLEPT, FGT_UNWOUND,
	FGT_LEFT, FGT_HOTPLUG, FGT_EVENTS,
};

extern atomic_long_t fgt_events[FGT_EVENTS];

static inline void fgt_count(enum fgt_event event)
{
	atomic_long_inc(&fgt_events[event]);
}

static inline u32 fgt_random(struct rnd_state *rnd, u32 below)
{
	return prandom_u32_state(rnd) % below;
}

/* True once in @of times */
static inline bool fgt_once_in(struct rnd_state *rnd, u32 of)
{
	return !fgt_random(rnd, of);
}

/* main.c */
void fgt_seed(struct rnd_state *rnd);
__printf(1, 2) void fgt_fail(const char *format, ...);

/* calls.c: the functions that are called */
typedef unsigned long (*fgt_function)(struct fgt_context *context, u32 number);
extern const fgt_function fgt_functions[FGT_FUNCTIONS];
extern const char * const fgt_names[FGT_FUNCTIONS];
extern unsigned long fgt_sites[FGT_FUNCTIONS];
int fgt_find_sites(void);
void fgt_call_some(struct fgt_context *context);

/* contexts.c: what calls them */
struct fgt_context *fgt_this_context(void);
struct fgt_context *fgt_new_context(enum fgt_kind kind);
void fgt_rest(struct fgt_context *context);
int fgt_start_interrupts(bool nmi);
void fgt_stop_interrupts(void);
void fgt_restart_timers(unsigned int cpu);

/* users.c: the users that are told of them */
extern struct fgt_user fgt_users[FGT_USERS];
bool fgt_declines(const struct fgt_user *user, const struct fgt_call *call);
void fgt_change_user(struct rnd_state *rnd);
void fgt_add_users(void);
void fgt_remove_users(void);

/* check.c: whether what they are told is true */
struct fgt_call *fgt_begin(struct fgt_context *context, unsigned int function, bool jumped);
void fgt_end(struct fgt_context *context, unsigned int nr, unsigned long result);
bool fgt_told_entry(struct fgt_user *user, unsigned long site, int depth,
		    struct ftrace_regs *fregs);
void fgt_told_return(struct fgt_user *user, const struct ftrace_graph_ret *told);
struct fgt_call *fgt_top(void);

/* core.c: in the kernel, also for a module */
int fgraph_torture_register(struct fgraph_ops *gops);
void fgraph_torture_unregister(struct fgraph_ops *gops);
void *fgraph_torture_keep(struct fgraph_ops *gops, int size);
void *fgraph_torture_kept(struct fgraph_ops *gops, int *size);
unsigned long *fgraph_torture_variable(struct fgraph_ops *gops);
unsigned long fgraph_torture_site(unsigned long function);
bool fgraph_torture_replaced(unsigned long address);

#endif /* _TRACE_FGRAPH_TORTURE_H */
