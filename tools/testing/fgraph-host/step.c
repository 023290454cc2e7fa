// SPDX-License-Identifier: GPL-2.0
/*
 * Interrupt the function graph before each of its accesses to memory: by other calls, by
 * an unwinder, by a user that comes or another filter, as on another CPU, and those again by
 * others. There is one task. Its stack has the return addresses of the functions that are
 * running; what the interrupts call stands below, at the same addresses each time.
 *
 * Each function must return to where it was called, each user must see just the calls
 * that it wants with what it kept for them, and unwinders must find what the stack had.
 *
 *	step [NAME]	run the scenarios whose name begins with NAME
 */
#include "host_access.h"
#include "fgraph.h"
#include "sets.h"

#define DEPTH		2
#define NR_USERS	4
#define NR_SLOTS	1024
#define NR_CALLS	512
#define GUARD		0xdeadbeefUL

enum what {
	END, CALL, FAR, TAIL, DEEP, UNWIND, COME, FIRST, REFUSED, GO, FIRST_GO, FILTER, LEFT, OPEN,
	OPEN_FOR_ONE, BACK
};

struct scenario {
	const char	*name;
	unsigned int	users;		/* a bit per user that is there from the start */
	enum what	before[2];
	enum what	stepped[3];
	enum what	between[DEPTH];
	bool		full;		/* the return stack is full but for a frame */
};

struct call {
	unsigned long	*slot, ret, func, serial;
	unsigned int	since[NR_USERS];	/* the registration that wanted it; 0: not */
	unsigned int	asking[NR_USERS];	/* the users that were there at its entry */
	unsigned int	filters;		/* those that were valid then */
	bool		kept[NR_USERS], asked[NR_USERS], hooked, returning;
	long		depth, asked_depth;
	u64		entered;
};

struct task_struct host_task;
struct mutex ftrace_lock;
bool host_locked;
static unsigned long slots[NR_SLOTS], *sp, *opened;
static struct call calls[NR_CALLS];
static unsigned int nr_calls;
static unsigned long serials, refused, perhaps_refused, runs;
static unsigned int frames_left, frames_dropped;
static unsigned int registrations[NR_USERS], nr_registrations;
static unsigned int there[NR_USERS];	/* the same, unless it comes or goes */
static bool leaving[NR_USERS];	/* while it goes, it may miss returns */
static bool hooking[NR_USERS];	/* what it wants is hooked, or was */
static bool unhooked[NR_USERS];	/* no more, but a call may be on its way from there */
static bool refuses;	/* the user that comes cannot be hooked */
static unsigned int filters, new_filters;	/* the same, unless they are changing */
static u64 now;
static const struct scenario *running;
static unsigned long at[DEPTH], steps_left;
static unsigned int came, interrupted;

static void fail(const char *what, unsigned long a, unsigned long b)
{
	printf("# %s, steps %lu, %lu: %s (%lx, %lx)\n", running->name, at[0], at[1], what, a, b);
	fflush(NULL);
	abort();
}

u64 sched_clock_noinstr(void)
{
	return ++now;
}

void return_to_handler(void)
{
}

void ftrace_stub_graph(struct ftrace_graph_ret *call, struct fgraph_ops *gops,
		       struct ftrace_regs *fregs)
{
}

#define HANDLER	((unsigned long)return_to_handler)

void synchronize_rcu(void)
{
	if (host_preempt_count != HOST_PREEMPT_ZERO)
		fail("waits for itself", 0, 0);
}

void host_frames_left(unsigned int nr)
{
	frames_dropped += nr;
}

int fgraph_start_tasks(void)
{
	return 0;
}

void fgraph_stop_tasks(void)
{
}

void fgraph_clear_variables(int index)
{
	host_task.ret_stack[FGRAPH_VARIABLES + index] = 0;
}

/* What waits for the end of all calls, as there may be one at any step */
static struct rcu_head *garbage;

void host_free_later(struct rcu_head *head)
{
	head->next = garbage;
	garbage = head;
}

static void free_garbage(void)
{
	while (garbage) {
		struct rcu_head *head = garbage;

		garbage = head->next;
		free(head);
	}
}

/*
 * Users: the first one wants all, the others some, and the rest with the next filters. At the
 * entry, they change their minds.
 */

static struct fgraph_ops users[NR_USERS];

static bool wants(unsigned int user, unsigned long func, unsigned int filters)
{
	return !user || (func % 2 || func % 8 == 4) == !(filters % 2);
}

static unsigned int user_of(const struct ftrace_ops *ops)
{
	return container_of(ops, struct fgraph_ops, ops) - users;
}

bool host_wants(struct ftrace_ops *ops, unsigned long func)
{
	return wants(user_of(ops), func, new_filters);
}

/* With the filters at the entry of a call, or any since then */
static bool may_want(unsigned int user, const struct call *call)
{
	return wants(user, call->func, call->filters) || call->filters != new_filters;
}

/* Functions are hooked before the user can be found, and as long as it can */
int host_hook(struct ftrace_ops *ops)
{
	hooking[user_of(ops)] = true;
	unhooked[user_of(ops)] = refuses;
	host_step();
	return refuses ? -ENOMEM : 0;
}

/* A task may have been preempted between a hook and function_graph_enter_regs() */
void host_unhook(struct ftrace_ops *ops)
{
	unhooked[user_of(ops)] = true;
	host_step();
}

void synchronize_rcu_tasks(void)
{
	unsigned int i;

	host_step();
	for (i = 0; i < NR_USERS; i++)
		hooking[i] &= !unhooked[i];
}

/* For a user that is there, will be, or was. If there is none yet, one that wants all comes */
static bool is_hooked(unsigned long func)
{
	unsigned int i;

	if (!running->users)
		return true;
	for (i = 0; i < NR_USERS; i++)
		if (hooking[i] && (wants(i, func, filters) || wants(i, func, new_filters)))
			return true;
	return false;
}

static void change_filters(void)
{
	if (host_locked)
		return;
	host_locked = true;
	new_filters++;
	fgraph_forget_sets();
	filters = new_filters;
	host_locked = false;
}

/* What a user leaves out without an entryfunc(), before there is a frame if it is alone */
static bool leaves_out(unsigned int user, unsigned long func)
{
	return user != 1 && func % 8 == 7;
}

static bool on_ask(struct fgraph_ops *gops, unsigned long func, int depth)
{
	struct call *call = &calls[nr_calls - 1];

	if (func != call->func)
		fail("asked for another call", func, call->func);
	if (call->depth && call->depth != depth + 1)
		fail("asked for another depth", call->depth, depth);
	call->asked_depth = depth + 1;
	host_step();
	return !leaves_out(gops - users, func);
}

static bool insists(unsigned int user, unsigned long func)
{
	return (func + user) % 4 != 0;
}

static unsigned int words_to_keep(unsigned int user, unsigned long func)
{
	return (func + user) % 3 ? 1 + (func + user) % 5 : 0;
}

static bool keep(struct call *call, unsigned int user)
{
	unsigned int i, nr = words_to_keep(user, call->func);
	unsigned long *room = nr ? fgraph_reserve_data(users[user].idx, nr * sizeof(long)) : NULL;

	for (i = 0; room && i < nr; i++)
		room[i] = call->serial * 16 + user * 8 + i;
	return room;
}

static void check_kept(struct call *call, unsigned int user)
{
	unsigned int i, nr = words_to_keep(user, call->func);
	int size = -1;
	unsigned long *room = fgraph_retrieve_data(users[user].idx, &size);

	if (!room != !call->kept[user])
		fail("kept, or not", !!room, call->kept[user]);
	if (!room)
		return;
	if (size != nr * sizeof(long))
		fail("size of what was kept", size, nr);
	for (i = 0; i < nr; i++)
		if (room[i] != call->serial * 16 + user * 8 + i)
			fail("what was kept", room[i], call->serial);
}

static int on_entry(struct ftrace_graph_ent *entry, struct fgraph_ops *gops,
		    struct ftrace_regs *fregs)
{
	struct call *call = &calls[nr_calls - 1];
	unsigned int user = gops - users;

	if (user >= NR_USERS || entry->func != call->func)
		fail("entry of another call", entry->func, call->func);
	if (call->asked[user])
		fail("entered twice", call->func, user);
	if (!may_want(user, call) || leaves_out(user, call->func))
		fail("entered unwanted", call->func, user);
	call->asked[user] = true;
	if (call->depth && call->depth != entry->depth + 1)
		fail("depth for another user", call->depth, entry->depth);
	if (call->asked_depth && call->asked_depth != entry->depth + 1)
		fail("depth that was asked for", call->asked_depth, entry->depth);
	call->depth = entry->depth + 1;
	call->entered = now;
	call->kept[user] = keep(call, user);
	host_step();
	if (!insists(user, call->func))
		return 0;
	call->since[user] = registrations[user];
	*fgraph_get_task_var(gops) += 1;
	return 1;
}

static void on_return(struct ftrace_graph_ret *ret, struct fgraph_ops *gops,
		      struct ftrace_regs *fregs)
{
	struct call *call = &calls[nr_calls - 1];
	unsigned int user = gops - users;

	if (user >= NR_USERS || ret->func != call->func)
		fail("return of another call", ret->func, call->func);
	if (!call->since[user] || call->since[user] != registrations[user])
		fail("return without an entry", call->func, user);
	if (ret->depth + 1 != call->depth)
		fail("depth", ret->depth, call->depth);
	if (ret->retval != call->func * 3)
		fail("result", ret->retval, call->func);
	if (ret->calltime > call->entered || ret->rettime <= call->entered)
		fail("times", ret->calltime, ret->rettime);
	if (ret->overrun > host_task.trace_overrun.counter)
		fail("overrun", ret->overrun, host_task.trace_overrun.counter);
	check_kept(call, user);
	host_step();
	call->since[user] = 0;
	*fgraph_get_task_var(gops) -= 1;
}

/* A frame has what its users keep, and nothing of those that did not want the call */
static void check_frame(const struct call *call)
{
	unsigned int words = FGRAPH_FRAME_WORDS, i;
	int position = host_task.curr_ret_stack;

	for (i = 0; i < NR_USERS; i++)
		if (call->since[i] && call->kept[i])
			words += FGRAPH_KEPT_WORDS + words_to_keep(i, call->func);
	words += fgraph_begin(position);
	if (fgraph_end(position) != words)
		fail("end of the frame", fgraph_end(position), words);
}

/* Those who want it for sure have been asked, if anybody was: then there was room */
static void check_asked(const struct call *call)
{
	unsigned int i;

	for (i = 0; call->depth && i < NR_USERS; i++)
		if (call->asking[i] && call->asking[i] == there[i] && !call->asked[i] &&
		    call->filters == new_filters && wants(i, call->func, new_filters) &&
		    !leaves_out(i, call->func))
			fail("not asked", call->func, i);
}

/* The machine */

static struct call *begin_call(unsigned long *slot, unsigned long func)
{
	struct call *call = &calls[nr_calls++];
	struct ftrace_regs regs = { .sp = (unsigned long)slot };

	if (nr_calls > NR_CALLS)
		fail("too many calls", nr_calls, 0);
	*call = (struct call){ slot, *slot, func, ++serials, .filters = filters };
	memcpy(call->asking, there, sizeof(call->asking));
	/* As the guard against recursion does */
	preempt_disable_notrace();
	call->hooked = is_hooked(func) &&
		       !function_graph_enter_regs(*slot, func, 0, slot, &regs);
	preempt_enable_notrace();
	check_asked(call);
	if (call->hooked) {
		*slot = HANDLER;
		check_frame(call);
	} else if (!call->depth && call->asking[0]) {
		/*
		 * The first user was not asked, though it is called for all functions. If it
		 * leaves this one out, there need not have been room for the other users
		 */
		if (leaves_out(0, func))
			perhaps_refused++;
		else
			refused++;
	}
	return call;
}

static void check_returned(struct call *call)
{
	int i;

	for (i = 0; i < NR_USERS; i++)
		if (call->since[i] && call->since[i] == registrations[i] && !leaving[i])
			fail("no return", call->func, i);
}

/* As the processor: to what stands in the slot, which is return_to_handler() if hooked */
static void end_calls(unsigned long *slot)
{
	unsigned long address = *slot;

	do {
		struct call *call = &calls[nr_calls - 1];
		struct ftrace_regs regs = { (unsigned long)(slot + 1), call->func * 3 };

		if (call->slot != slot)
			fail("a slot of another call", slot - slots, call->slot - slots);
		if (call->hooked) {
			call->returning = true;
			if (address != HANDLER)
				fail("not hooked any more", address, call->func);
			address = ftrace_return_to_handler(&regs);
			if (address != call->ret)
				fail("returns to", address, call->ret);
			check_returned(call);
		}
		nr_calls--;
	} while (nr_calls && calls[nr_calls - 1].slot == slot);
	if (address == HANDLER)
		fail("returns to the handler for ever", 0, 0);
}

static unsigned long *push_return(void)
{
	*--sp = 0x10000 + ++serials;
	return sp;
}

static void call_nested(unsigned long func, unsigned int levels)
{
	unsigned long *slot = push_return();

	begin_call(slot, func);
	if (levels > 1)
		call_nested(func + 1, levels - 1);
	end_calls(slot);
	sp++;
}

static void call_tail(unsigned long func)
{
	unsigned long *slot = push_return();

	begin_call(slot, func);
	call_nested(func + 1, 1);
	begin_call(slot, func + 2);
	begin_call(slot, func + 3);
	end_calls(slot);
	sp++;
}

/* Functions are left without a return; the one that called them goes on, and returns */
static void call_left(unsigned long func)
{
	unsigned long *slot = push_return(), *was = sp;
	unsigned int nr, i, user, left = 0;

	begin_call(slot, func);
	nr = nr_calls;
	begin_call(push_return(), func + 1);
	begin_call(push_return(), func + 2);
	for (i = nr; i < nr_calls; i++) {
		left += calls[i].hooked;
		for (user = 0; user < NR_USERS; user++)
			if (calls[i].since[user])
				*fgraph_get_task_var(&users[user]) -= 1;
	}
	/* If the function itself has no frame, those above stay on the stack */
	if (!calls[nr - 1].hooked)
		fail("the function that goes on is not hooked", func, 0);
	frames_left += left;
	nr_calls = nr;
	sp = was;
	end_calls(slot);
	sp++;
}

/* A function that is running until something takes it back */
static void open_call(unsigned long func)
{
	opened = push_return();
	begin_call(opened, func);
}

static void take_back(void)
{
	if (!opened || calls[nr_calls - 1].slot != opened)
		return;
	opened = NULL;
	end_calls(calls[nr_calls - 1].slot);
	sp++;
}

/* What return address stands in the stack, had nothing been hooked */
static unsigned long true_address(unsigned long *slot, bool *returning)
{
	unsigned int i;

	*returning = false;
	for (i = nr_calls; i--;)
		if (calls[i].slot == slot)
			*returning |= calls[i].returning;
	for (i = 0; i < nr_calls; i++)
		if (calls[i].slot == slot)
			return calls[i].ret;
	return 0;
}

static void unwind(void)
{
	unsigned long *slot;
	int idx = 0;

	for (slot = sp; slot < &slots[NR_SLOTS]; slot++) {
		bool returning;
		unsigned long address, is;

		if (*slot != HANDLER)
			continue;
		is = true_address(slot, &returning);
		address = ftrace_graph_ret_addr(&host_task, &idx, HANDLER, slot);
		if (address != is && !(returning && address == HANDLER))
			fail("unwound to", address, is);
	}
	for (idx = 0; ftrace_graph_get_ret_stack(&host_task, idx); idx++)
		if (idx > NR_CALLS)
			fail("no end of frames", idx, 0);
}

static void come(unsigned int user)
{
	if (registrations[user] || host_locked)
		return;
	registrations[user] = ++nr_registrations;
	if (register_ftrace_graph(&users[user]))
		fail("not registered", user, 0);
	there[user] = registrations[user];
}

/* Some of its functions were hooked, and are not any more */
static void be_refused(unsigned int user)
{
	if (registrations[user] || host_locked)
		return;
	refuses = true;
	if (register_ftrace_graph(&users[user]) != -ENOMEM)
		fail("registered", user, 0);
	refuses = false;
}

/* It waits for calls that are going on, so it cannot come in the middle of one */
static void go(unsigned int user)
{
	if (!registrations[user] || host_locked || host_preempt_count != HOST_PREEMPT_ZERO)
		return;
	leaving[user] = true;
	there[user] = 0;
	unregister_ftrace_graph(&users[user]);
	leaving[user] = false;
	registrations[user] = 0;
}

static void act(enum what what)
{
	switch (what) {
	case CALL:
		call_nested(1, 3);
		break;
	case FAR:
		/* What is known of these takes the place of what is known of CALL's */
		call_nested(1 + 610, 3);
		break;
	case TAIL:
		call_tail(5);
		break;
	case DEEP:
		call_nested(2, FGRAPH_VARIABLES / FGRAPH_FRAME_WORDS + 5);
		break;
	case UNWIND:
		unwind();
		break;
	case COME:
		come(3);
		break;
	case FIRST:
		come(0);
		break;
	case REFUSED:
		be_refused(0);
		break;
	case GO:
		go(1);
		break;
	case FIRST_GO:
		go(0);
		break;
	case FILTER:
		change_filters();
		break;
	case LEFT:
		call_left(1);
		break;
	case OPEN:
		open_call(1);
		break;
	case OPEN_FOR_ONE:
		open_call(4);	/* the first user does not want it, the second does */
		break;
	case BACK:
		take_back();
		break;
	case END:
		break;
	}
}

void host_step(void)
{
	int preempt_count = host_preempt_count;

	if (!steps_left || --steps_left)
		return;
	came++;
	interrupted++;
	/* The next one interrupts this one, or comes behind it */
	if (came < DEPTH && running->between[came])
		steps_left = at[came];
	act(running->between[came - 1]);
	interrupted--;
	if (host_preempt_count != preempt_count)
		fail("preemption count", host_preempt_count, preempt_count);
}

static unsigned long *new_stack(void)
{
	static unsigned long memory[3 * FGRAPH_STACK_WORDS];
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(memory); i++)
		memory[i] = GUARD;
	for (i = FGRAPH_VARIABLES; i < FGRAPH_STACK_WORDS; i++)
		memory[FGRAPH_STACK_WORDS + i] = 0;
	return memory + FGRAPH_STACK_WORDS;
}

static void check_stack(void)
{
	unsigned long *stack = host_task.ret_stack;
	unsigned int i;

	for (i = 0; i < FGRAPH_STACK_WORDS; i++)
		if (stack[i - FGRAPH_STACK_WORDS] != GUARD ||
		    stack[i + FGRAPH_STACK_WORDS] != GUARD)
			fail("written outside of the stack", i, 0);
	for (i = 0; i < NR_USERS; i++)
		if (registrations[i] && stack[FGRAPH_VARIABLES + users[i].idx])
			fail("variable", stack[FGRAPH_VARIABLES + users[i].idx], i);
}

static void start(const struct scenario *scenario)
{
	unsigned int i;

	running = scenario;
	host_task = (struct task_struct){ .curr_ret_depth = -1, .ret_stack = new_stack() };
	sp = &slots[NR_SLOTS];
	opened = NULL;
	nr_calls = 0;
	serials = 0;
	refused = 0;
	perhaps_refused = 0;
	frames_left = 0;
	frames_dropped = 0;
	filters = 0;
	new_filters = 0;
	free_garbage();
	fgraph_strays = false;
	for (i = 0; i < NR_USERS; i++) {
		hooking[i] = false;
		users[i].entryfunc = on_entry;
		users[i].wants = i == 1 ? NULL : on_ask;
		users[i].ask_filter = i != 1;
		users[i].retfunc = on_return;
		if (scenario->users & BIT(i))
			come(i);
	}
}

/* A call whose frame is there from the start; with @full, with so much that few more fit */
static unsigned long *begin_outer(void)
{
	unsigned long *slot = push_return();

	/* 1 is a function that all users want and nobody keeps anything of */
	begin_call(slot, 1);
	while (running->full && fgraph_end(host_task.curr_ret_stack) +
	       2 * FGRAPH_FRAME_WORDS <= FGRAPH_VARIABLES)
		if (!fgraph_reserve_data(FGRAPH_MAX_USERS - 1, sizeof(long)))
			break;
	return slot;
}

static void finish(unsigned long *outer)
{
	unsigned int i;

	end_calls(outer);
	if (host_task.curr_ret_stack || host_task.curr_ret_depth != -1 || nr_calls)
		fail("left on the stack", host_task.curr_ret_stack, host_task.curr_ret_depth);
	if (host_preempt_count != HOST_PREEMPT_ZERO)
		fail("preemption is off", host_preempt_count, 0);
	if (frames_dropped != frames_left)
		fail("functions that were left", frames_dropped, frames_left);
	if (host_task.trace_overrun.counter < refused ||
	    host_task.trace_overrun.counter > refused + perhaps_refused)
		fail("calls without a frame", host_task.trace_overrun.counter, refused);
	check_stack();
	for (i = 0; i < NR_USERS; i++)
		go(i);
	if (ftrace_graph_active || fgraph_used)
		fail("a user is left", ftrace_graph_active, fgraph_used);
	runs++;
}

/* Returns whether there were steps enough for all interruptions */
static bool run(const struct scenario *scenario)
{
	unsigned long *outer;
	unsigned int i;

	start(scenario);
	outer = begin_outer();
	for (i = 0; i < ARRAY_SIZE(scenario->before); i++)
		act(scenario->before[i]);
	came = 0;
	steps_left = at[0];
	for (i = 0; i < ARRAY_SIZE(scenario->stepped); i++)
		act(scenario->stepped[i]);
	steps_left = 0;
	take_back();
	finish(outer);
	return true;
}

static bool every_step(const struct scenario *scenario, unsigned int depth)
{
	unsigned long i;

	for (i = 1; ; i++) {
		at[depth] = i;
		if (depth + 1 < DEPTH && scenario->between[depth + 1])
			every_step(scenario, depth + 1);
		else
			run(scenario);
		if (came <= depth)
			return i > 1;
	}
}

static const struct scenario scenarios[] = {
	{ "call/call", 1, {}, { CALL }, { CALL } },
	{ "call/unwind", 1, {}, { CALL }, { UNWIND } },
	{ "call/call/unwind", 1, {}, { CALL }, { CALL, UNWIND } },
	{ "call/call/call", 1, {}, { CALL }, { CALL, CALL } },
	{ "tail/tail", 1, {}, { TAIL }, { TAIL } },
	{ "tail/unwind", 1, {}, { TAIL }, { UNWIND } },
	{ "tail/call/unwind", 1, {}, { TAIL }, { CALL, UNWIND } },
	{ "call/tail/unwind", 1, { CALL }, { CALL }, { TAIL, UNWIND } },
	{ "two/call", 3, {}, { CALL, TAIL }, { CALL } },
	{ "two/unwind", 3, { TAIL }, { CALL, TAIL }, { UNWIND } },
	{ "two/call/unwind", 3, {}, { CALL }, { CALL, UNWIND } },
	{ "three/tail", 7, {}, { CALL, TAIL }, { TAIL } },
	{ "three/call/unwind", 7, {}, { CALL }, { TAIL, UNWIND } },
	{ "none/comes", 0, {}, { CALL, TAIL }, { FIRST } },
	{ "none/call", 0, { CALL }, { FIRST, CALL }, { CALL } },
	{ "comes/call", 1, {}, { COME, CALL }, { CALL } },
	{ "call/comes", 1, {}, { CALL }, { COME } },
	{ "one/first", 2, {}, { FIRST, CALL }, { CALL } },
	{ "one/first/call", 2, {}, { CALL, FIRST }, { CALL, CALL } },
	{ "one/refused", 2, {}, { REFUSED, CALL }, { CALL } },
	{ "two/refused", 10, {}, { REFUSED, CALL }, { CALL, CALL } },
	{ "none/refused", 0, {}, { REFUSED, CALL, FIRST }, { CALL } },
	{ "two/comes", 3, {}, { CALL, TAIL }, { COME } },
	{ "two/comes/call", 3, {}, { CALL }, { COME, CALL } },
	{ "goes/call", 3, {}, { CALL, GO, CALL }, { CALL } },
	{ "first-goes/call", 3, { CALL }, { FIRST_GO, CALL }, { CALL } },
	{ "first-goes/calls", 3, {}, { FIRST_GO, CALL }, { CALL, CALL } },
	{ "replaced/call", 1, {}, { FIRST_GO, COME, CALL }, { CALL } },
	{ "goes/comes", 3, {}, { CALL, GO, CALL }, { COME } },
	{ "call/goes", 3, {}, { CALL }, { GO, COME } },
	{ "opened/back", 3, { OPEN }, { GO, COME, CALL }, { BACK } },
	{ "opened/back/call", 3, { OPEN }, { GO, COME }, { BACK, CALL } },
	{ "three/opened/back", 7, { OPEN }, { GO, COME, CALL }, { BACK } },
	{ "one/goes", 3, { OPEN_FOR_ONE }, { GO, CALL }, { BACK } },
	{ "one/comes", 3, { OPEN_FOR_ONE }, { GO, CALL, BACK }, { COME } },
	{ "call/filter", 3, {}, { CALL, TAIL }, { FILTER } },
	{ "two/far", 3, { CALL }, { CALL, FAR, CALL }, { FAR } },
	{ "filter/comes/call", 3, { FILTER, CALL }, { COME, CALL }, { CALL } },
	{ "filter/call", 3, { CALL }, { FILTER, CALL }, { CALL } },
	{ "filter/filter", 3, { CALL }, { CALL, FILTER, CALL }, { FILTER } },
	{ "three/filter/call", 7, {}, { CALL, FILTER }, { FILTER, CALL } },
	{ "comes/filter", 3, { CALL }, { COME, CALL }, { FILTER } },
	{ "goes/filter", 7, { CALL }, { GO, CALL }, { FILTER } },
	{ "full/call", 1, {}, { CALL }, { CALL }, true },
	{ "full/unwind", 1, {}, { CALL }, { UNWIND }, true },
	{ "full/three", 7, {}, { CALL, TAIL }, { CALL }, true },
	{ "deep/call", 1, {}, { DEEP }, { CALL } },
	{ "deep/three", 7, {}, { DEEP }, { TAIL } },
	{ "left/call", 1, {}, { LEFT, CALL }, { CALL } },
	{ "left/unwind", 1, {}, { LEFT }, { UNWIND } },
	{ "left/left", 1, {}, { LEFT }, { LEFT } },
	{ "left/three", 7, {}, { LEFT, TAIL }, { CALL } },
};

LIBC int main(int argc, char **argv)
{
	const char *prefix = argc > 1 ? argv[1] : "";
	unsigned int i, n = 0;

	for (i = 0; i < ARRAY_SIZE(scenarios); i++) {
		if (memcmp(scenarios[i].name, prefix, strlen(prefix)))
			continue;
		running = &scenarios[i];
		runs = 0;
		if (!every_step(&scenarios[i], 0))
			fail("nothing to interrupt", 0, 0);
		printf("ok %u - %s: %lu runs\n", ++n, scenarios[i].name, runs);
	}
	printf("1..%u\n", n);
	return !n;
}
