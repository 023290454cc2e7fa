// SPDX-License-Identifier: GPL-2.0
/*
 * Function graph torture test: the users, which come, go and change their filters.
 */
#include <linux/bitops.h>
#include <linux/ftrace.h>

#include "torture.h"

static int told_entry(struct ftrace_graph_ent *call, struct fgraph_ops *gops,
		      struct ftrace_regs *fregs)
{
	return fgt_told_entry(container_of(gops, struct fgt_user, gops), call->func, call->depth,
			      fregs);
}

static void told_return(struct ftrace_graph_ret *call, struct fgraph_ops *gops,
			struct ftrace_regs *fregs)
{
	fgt_told_return(container_of(gops, struct fgt_user, gops), call);
}

static void told_call(unsigned long site, unsigned long caller, struct ftrace_ops *ops,
		      struct ftrace_regs *fregs)
{
	struct fgt_user *user = container_of(ops, struct fgt_user, gops.ops);

	if (ops->flags & FTRACE_OPS_FL_SAVE_REGS && !ftrace_get_regs(fregs))
		fgt_fail("%s: told of an entry without the registers", user->name);
	fgt_told_entry(user, site, -1, fregs);
}

/* Whether @user does not want @call, whatever its filter says */
bool fgt_declines(const struct fgt_user *user, const struct fgt_call *call)
{
	return user->declines && !(call->number % user->declines);
}

static bool wants(struct fgraph_ops *gops, unsigned long func, int depth)
{
	struct fgt_user *user = container_of(gops, struct fgt_user, gops);
	struct fgt_call *call = fgt_top();

	if (!call || fgt_sites[call->function] != func)
		fgt_fail("%s: asked for a call that is none", user->name);
	fgt_count(FGT_ASKED);
	return !call || !fgt_declines(user, call);
}

#define GRAPH	.gops = { .entryfunc = told_entry, .retfunc = told_return, .wants = wants }
#define ENTRIES_WITH(ops_flags)	\
	.gops = { .ops = { .func = told_call, .flags = (ops_flags) } }, .entries_only = true
#define ENTRIES	ENTRIES_WITH(0)

struct fgt_user fgt_users[FGT_USERS] = {
	{ .name = "all", GRAPH },
	{ .name = "keeps much", GRAPH, .keep = 512 },
	{ .name = "keeps little", GRAPH, .keep = 24, .declines = 5 },
	{ .name = "declines", GRAPH, .declines = 2 },
	{ .name = "asks", GRAPH, .declines = 3, .asks = true },
	{ .name = "entries", ENTRIES },
	{ .name = "some entries", ENTRIES, .declines = 2 },
	{ .name = "other entries", ENTRIES, .declines = 3 },
	{ .name = "protected entries", ENTRIES_WITH(FTRACE_OPS_FL_RECURSION) },
#ifdef CONFIG_DYNAMIC_FTRACE_WITH_REGS
	{ .name = "registers", ENTRIES_WITH(FTRACE_OPS_FL_SAVE_REGS), .declines = 4 },
#else
	{ .name = "more entries", ENTRIES, .declines = 4 },
#endif
};

static int set_filter(struct fgt_user *user, u32 wanted)
{
	unsigned long sites[FGT_FUNCTIONS], functions = wanted;
	unsigned int n = 0, i;

	for_each_set_bit(i, &functions, FGT_FUNCTIONS)
		sites[n++] = fgt_sites[i];
	return ftrace_set_filter_ips(&user->gops.ops, sites, n, 0, 1);
}

static int register_user(struct fgt_user *user)
{
	WRITE_ONCE(user->session, user->session + 1);
	fgt_count(FGT_SESSIONS);
	return user->entries_only ? register_ftrace_function(&user->gops.ops) :
				    fgraph_torture_register(&user->gops);
}

/* From here on, it may be told of calls and returns, or not */
static void unregister_user(struct fgt_user *user)
{
	WRITE_ONCE(user->session, user->session + 1);
	if (user->entries_only)
		unregister_ftrace_function(&user->gops.ops);
	else
		fgraph_torture_unregister(&user->gops);
}

/* Register the user, unregister it if @wanted is 0, or change what it wants */
static int change(struct fgt_user *user, u32 wanted)
{
	bool registered = user->wanted;
	int err;

	if (!wanted) {
		unregister_user(user);
		return 0;
	}
	err = set_filter(user, wanted);
	return err || registered ? err : register_user(user);
}

/* Between the two counts, nobody knows what the user must be told */
static void change_to(struct fgt_user *user, u32 wanted)
{
	int err;

	WRITE_ONCE(user->changes, user->changes + 1);
	/* Pairs with is_known(): that something changes, then the change */
	smp_wmb();
	err = change(user, wanted);
	if (err)
		fgt_fail("%s: cannot be registered for %#x: %d", user->name, wanted, err);
	WRITE_ONCE(user->wanted, wanted);
	/* Pairs with fgt_begin(): the change, then that it is done */
	smp_store_release(&user->changes, user->changes + 1);
	fgt_count(FGT_CHANGES);
}

/* One thing that is different from now on. Only one thread does that. */
void fgt_change_user(struct rnd_state *rnd)
{
	struct fgt_user *user = &fgt_users[fgt_random(rnd, FGT_USERS)];

	if (user->asks)
		WRITE_ONCE(user->gops.ask_off, fgt_once_in(rnd, 2));
	if (user->wanted && fgt_once_in(rnd, 2))
		change_to(user, 0);
	else
		change_to(user, 1 + fgt_random(rnd, BIT(FGT_FUNCTIONS) - 1));
}

void fgt_add_users(void)
{
	unsigned int i;

	for (i = 0; i < FGT_USERS; i++) {
		fgt_users[i].gops.ask_off = fgt_users[i].asks;
		change_to(&fgt_users[i], BIT(FGT_FUNCTIONS) - 1);
	}
}

void fgt_remove_users(void)
{
	unsigned int i;

	for (i = 0; i < FGT_USERS; i++) {
		if (fgt_users[i].wanted)
			change_to(&fgt_users[i], 0);
		ftrace_free_filter(&fgt_users[i].gops.ops);
	}
}
