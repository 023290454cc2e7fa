// SPDX-License-Identifier: GPL-2.0
/*
 * Function graph torture test: what users are told of a call is compared with what is known
 * of it, and with what they asked for.
 *
 * What a user asks for changes while calls are under way. It is known of each call whether
 * something changed for that user between its beginning and its end. If nothing did, the user
 * must have been told just what it asked for. In any case each return that is told is that of
 * an entry, with what belongs to it.
 */
#include <linux/atomic.h>
#include <linux/sched.h>
#include <linux/string.h>

#include "torture.h"

/* A byte of what a user keeps */
static u8 pattern(const struct fgt_call *call, unsigned int user)
{
	return call->number + user * 37 + 1;
}

/* The call that is entered or returns in this context; NULL if there is none */
struct fgt_call *fgt_top(void)
{
	struct fgt_context *context = fgt_this_context();

	return context->nr ? &context->calls[context->nr - 1] : NULL;
}

/* Registrations and what comes between them, two by two */
static u32 registration_of(u32 session)
{
	return (session + 1) / 2;
}

static unsigned int number_of(const struct fgt_user *user)
{
	return user - fgt_users;
}

/* What is to happen: the call is innermost when the hook of its function is reached */
struct fgt_call *fgt_begin(struct fgt_context *context, unsigned int function, bool jumped)
{
	struct fgt_call *call = &context->calls[context->nr];
	unsigned int i;

	memset(call, 0, sizeof(*call));
	call->function = function;
	call->number = prandom_u32_state(&context->rnd);
	call->jumped = jumped;
	call->stack = READ_ONCE(current->ret_stack);
	call->overrun = atomic_read(&current->trace_overrun);
	for (i = 0; i < FGT_USERS; i++) {
		/* Pairs with change_to(): what is wanted since a change, and is hooked */
		call->changes[i] = smp_load_acquire(&fgt_users[i].changes);
		call->wanted[i] = READ_ONCE(fgt_users[i].wanted);
	}
	/* An interrupt has calls of its own, but an unwinder and callbacks look at these */
	barrier();
	context->nr++;
	barrier();
	fgt_count(jumped ? FGT_JUMPS : FGT_CALLS);
	return call;
}

/* Where all hooks have the registers with the arguments */
#ifdef CONFIG_X86
static void check_arguments(struct fgt_user *user, const struct fgt_call *call,
			    struct ftrace_regs *fregs)
{
	if (!fregs)
		return;
	if (ftrace_regs_get_argument(fregs, 0) != (unsigned long)fgt_this_context() ||
	    (u32)ftrace_regs_get_argument(fregs, 1) != call->number)
		fgt_fail("%s: %s() was not called with what its registers have", user->name,
			 fgt_names[call->function]);
}
#else
static void check_arguments(struct fgt_user *user, const struct fgt_call *call,
			    struct ftrace_regs *fregs)
{
}
#endif

static void keep(struct fgt_user *user, const struct fgt_call *call, struct fgt_seen *seen)
{
	unsigned int size = user->keep ? call->number % (user->keep + 1) : 0;
	void *kept;

	if (!size)
		return;
	kept = fgraph_torture_keep(&user->gops, size);
	fgt_count(kept ? FGT_KEPT : FGT_NO_ROOM);
	if (!kept)
		return;
	memset(kept, pattern(call, number_of(user)), size);
	seen->kept = size;
}

/*
 * A user is told of an entry at @site. @depth is below 0 if it is no user of the graph.
 * Returns whether it wants to be told of the return.
 */
bool fgt_told_entry(struct fgt_user *user, unsigned long site, int depth,
		    struct ftrace_regs *fregs)
{
	struct fgt_call *call = fgt_top();
	struct fgt_seen *seen;

	if (!call || fgt_sites[call->function] != site) {
		fgt_fail("%s: told that %pS is entered while %s is", user->name, (void *)site,
			 call ? fgt_names[call->function] : "nothing");
		return false;
	}
	seen = &call->seen[number_of(user)];
	if (seen->session || call->done)
		fgt_fail("%s: told that %s() is entered %s", user->name,
			 fgt_names[call->function], call->done ? "at its end" : "twice");
	check_arguments(user, call, fregs);
	if (fgt_declines(user, call))
		return false;
	seen->session = READ_ONCE(user->session);
	fgt_count(FGT_ENTRIES);
	if (depth < 0)
		return true;
	seen->depth = depth;
	seen->variable = ++*fgraph_torture_variable(&user->gops);
	keep(user, call, seen);
	return true;
}

/* While the user is unregistered, calls within this one may have been told half */
static void check_variable(struct fgt_user *user, const struct fgt_call *call,
			   unsigned long before, unsigned long now)
{
	/* Pairs with what orders the end of registrations: the variable, then the session */
	smp_rmb();
	if (now != before && (READ_ONCE(user->session) & 1))
		fgt_fail("%s: its variable was %lu, and is %lu at the return of %s()", user->name,
			 before, now, fgt_names[call->function]);
}

static void check_kept(struct fgt_user *user, const struct fgt_call *call, unsigned int expected)
{
	int size = 0;
	u8 *kept = fgraph_torture_kept(&user->gops, &size);

	if (!expected && !kept)
		return;
	if (!kept || !expected || size != round_up(expected, sizeof(long)))
		fgt_fail("%s: %d bytes were kept for %s(), not %u", user->name, kept ? size : -1,
			 fgt_names[call->function], expected);
	else if (memchr_inv(kept, pattern(call, number_of(user)), expected))
		fgt_fail("%s: what was kept for %s() has changed", user->name,
			 fgt_names[call->function]);
}

/*
 * The call that returns: the innermost one, or one that jumped to that, of which the user was
 * told that it is entered, and not yet that it returns
 */
static struct fgt_call *returning(struct fgt_context *context, struct fgt_user *user)
{
	unsigned int i = context->nr;

	while (i--) {
		struct fgt_call *call = &context->calls[i];
		struct fgt_seen *seen = &call->seen[number_of(user)];

		if (seen->session && !seen->returned)
			return call;
		if (!call->jumped)
			break;
	}
	return NULL;
}

/* A user is told of a return */
void fgt_told_return(struct fgt_user *user, const struct ftrace_graph_ret *told)
{
	struct fgt_context *context = fgt_this_context();
	struct fgt_call *call = returning(context, user), *last;
	unsigned long *variable = fgraph_torture_variable(&user->gops);
	struct fgt_seen *seen;

	if (!call || fgt_sites[call->function] != told->func) {
		fgt_fail("%s: told that %pS returns, of whose entry it was not told", user->name,
			 (void *)told->func);
		return;
	}
	seen = &call->seen[number_of(user)];
	seen->returned = true;
	fgt_count(FGT_RETURNS);
	if (registration_of(seen->session) != registration_of(READ_ONCE(user->session)))
		fgt_fail("%s: told that %s() returns, which was entered before it was registered",
			 user->name, fgt_names[call->function]);
	if (told->depth != seen->depth || told->rettime < told->calltime)
		fgt_fail("%s: %s() was entered at depth %u and returned from %d after %lld ns",
			 user->name, fgt_names[call->function], seen->depth, told->depth,
			 (long long)(told->rettime - told->calltime));
	check_variable(user, call, seen->variable, *variable);
	--*variable;
	check_kept(user, call, seen->kept);

	/* What jumps returns what that returns which it has jumped to */
	last = &context->calls[context->nr - 1];
	if (!last->done)
		fgt_fail("%s: told that %s() returns, which has not come to its end", user->name,
			 fgt_names[call->function]);
#ifdef CONFIG_FUNCTION_GRAPH_RETVAL
	if (told->retval != last->result)
		fgt_fail("%s: told that %s() returns %#lx instead of %#lx", user->name,
			 fgt_names[call->function], told->retval, last->result);
#endif
}

/* Whether it is known what @user must have been told of @call */
static bool is_known(const struct fgt_user *user, const struct fgt_call *call)
{
	u32 before = call->changes[number_of(user)];

	/* Pairs with change_to(): what users were told, then whether something has changed */
	smp_rmb();
	return !(before & 1) && READ_ONCE(user->changes) == before;
}

static void check_returned(const struct fgt_user *user, const struct fgt_call *call,
			   const struct fgt_seen *seen)
{
	if (!seen->session || seen->returned || user->entries_only)
		return;
	/* It is registered as it was at the entry */
	if ((seen->session & 1) && READ_ONCE(user->session) == seen->session)
		fgt_fail("%s: not told that %s() returned", user->name,
			 fgt_names[call->function]);
}

/* Returns whether a user of the graph ought to have been told of the entry and was not */
static bool check_user(const struct fgt_user *user, const struct fgt_call *call)
{
	const struct fgt_seen *seen = &call->seen[number_of(user)];
	bool wanted;

	check_returned(user, call, seen);
	if (!is_known(user, call)) {
		fgt_count(FGT_DURING_CHANGES);
		return false;
	}
	wanted = call->wanted[number_of(user)] & BIT(call->function) && !fgt_declines(user, call);
	if (wanted == !!seen->session)
		return false;
	if (!wanted)
		fgt_fail("%s: told of %s(), which it does not want", user->name,
			 fgt_names[call->function]);
	else if (user->entries_only)
		fgt_fail("%s: not told of %s()", user->name, fgt_names[call->function]);
	else
		return true;
	return false;
}

/* A call gets no frame, and no user of the graph is told of it, for want of room: it is counted */
static void check_missed(const struct fgt_call *call, const struct fgt_user *missed)
{
	unsigned int i;

	for (i = 0; i < FGT_USERS; i++)
		if (!fgt_users[i].entries_only && call->seen[i].session)
			fgt_fail("%s: not told of %s(), and %s was", missed->name,
				 fgt_names[call->function], fgt_users[i].name);
	if (!call->stack)
		fgt_fail("%s: not told of %s(), as the task has no stack", missed->name,
			 fgt_names[call->function]);
	else if (atomic_read(&current->trace_overrun) != call->overrun)
		fgt_count(FGT_OVERRUNS);
	else
		fgt_fail("%s: not told of %s(), and nothing was counted", missed->name,
			 fgt_names[call->function]);
}

static void check_call(const struct fgt_call *call)
{
	const struct fgt_user *missed = NULL;
	unsigned int i;

	for (i = 0; i < FGT_USERS; i++)
		if (check_user(&fgt_users[i], call))
			missed = &fgt_users[i];
	if (missed)
		check_missed(call, missed);
}

/* The call with index @nr has returned @result, and so have those that it jumped to */
void fgt_end(struct fgt_context *context, unsigned int nr, unsigned long result)
{
	struct fgt_call *last = &context->calls[context->nr - 1];
	unsigned int i;

	for (i = nr; i < context->nr; i++) {
		bool is_first = i == nr;

		if (context->calls[i].jumped == is_first)
			fgt_fail("%s() returned to the wrong place",
				 fgt_names[context->calls[i].function]);
	}
	if (context->nr <= nr)
		fgt_fail("a function returned twice");
	else if (!last->done || last->result != result)
		fgt_fail("%s() returned %#lx instead of %#lx", fgt_names[last->function], result,
			 last->result);
	for (i = nr; i < context->nr; i++)
		check_call(&context->calls[i]);
	barrier();
	context->nr = nr;
}
