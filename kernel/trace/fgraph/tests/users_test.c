// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of the function graph's users, and of its return stack where only a kernel
 * shows whether it is right: at the return of real functions.
 */
#include <kunit/test.h>
#include <linux/cpu.h>
#include <linux/delay.h>
#include <linux/ftrace.h>
#include <linux/kallsyms.h>
#include <linux/slab.h>
#include <linux/stacktrace.h>

#include <trace/events/sched.h>

#include "../../ftrace_internal.h"
#include "../fgraph.h"
#include "../sets.h"

/* A user that counts, and checks that each return is that of an entry */
struct counter {
	struct fgraph_ops	gops;
	struct task_struct	*task;
	unsigned int		entries;
	unsigned int		returns;
	unsigned int		wrong;
	unsigned long		keep;	/* a word that it keeps for each call; 0: nothing */
	bool			refuse;
	unsigned int		asked;
	unsigned long		left_out;	/* a function that wants() leaves out */
	unsigned long		last_func;
	unsigned long		last_retval;
	int			last_depth;
};

static struct counter counters[FGRAPH_MAX_USERS + 1];

static notrace int count_entry(struct ftrace_graph_ent *call, struct fgraph_ops *gops,
			       struct ftrace_regs *fregs)
{
	struct counter *counter = container_of(gops, struct counter, gops);
	unsigned long *room;

	if (current != counter->task)
		return 0;
	if (counter->keep) {
		room = fgraph_reserve_data(gops->idx, sizeof(*room));
		if (room)
			*room = counter->keep;
	}
	if (counter->refuse)
		return 0;
	counter->entries++;
	counter->last_func = call->func;
	counter->last_depth = call->depth;
	++*fgraph_get_task_var(gops);
	return 1;
}

static notrace void count_return(struct ftrace_graph_ret *call, struct fgraph_ops *gops,
				 struct ftrace_regs *fregs)
{
	struct counter *counter = container_of(gops, struct counter, gops);
	int size = 0;
	unsigned long *kept = fgraph_retrieve_data(gops->idx, &size);

	counter->returns++;
	--*fgraph_get_task_var(gops);
#ifdef CONFIG_FUNCTION_GRAPH_RETVAL
	counter->last_retval = call->retval;
#endif
	if (call->rettime < call->calltime || current != counter->task)
		counter->wrong++;
	if (counter->keep ? !kept || *kept != counter->keep || size != sizeof(*kept) : !!kept)
		counter->wrong++;
}

/* The functions that are hooked */

static noinline __noclone unsigned long add_one(unsigned long value)
{
	barrier();
	return value + 1;
}

static noinline __noclone unsigned long add_two(unsigned long value)
{
	unsigned long sum = add_one(add_one(value));

	barrier();
	return sum;
}

static noinline __noclone void call_back(void (*what)(struct kunit *test), struct kunit *test)
{
	what(test);
	barrier();
}

static bool count_asking(struct fgraph_ops *gops, unsigned long func, int depth)
{
	struct counter *counter = container_of(gops, struct counter, gops);

	if (current == counter->task)
		counter->asked++;
	return func != counter->left_out;
}

static struct counter *new_counter(struct kunit *test, unsigned int i)
{
	struct counter *counter = &counters[i];

	memset(counter, 0, sizeof(*counter));
	counter->gops.entryfunc = count_entry;
	counter->gops.retfunc = count_return;
	counter->gops.wants = count_asking;
	counter->task = current;
	return counter;
}

static void change_filter(struct kunit *test, struct counter *counter, void *func, bool remove)
{
	unsigned long site = ftrace_location((unsigned long)func);

	KUNIT_ASSERT_NE(test, site, 0);
	KUNIT_ASSERT_EQ(test, ftrace_set_filter_ip(&counter->gops.ops, site, remove, 0), 0);
}

static void want(struct kunit *test, struct counter *counter, void *func)
{
	change_filter(test, counter, func, false);
}

static void want_no_more(struct kunit *test, struct counter *counter, void *func)
{
	change_filter(test, counter, func, true);
}

static void start(struct kunit *test, struct counter *counter)
{
	KUNIT_ASSERT_EQ(test, register_ftrace_graph(&counter->gops), 0);
}

/* What it wanted is freed; it needs new_counter() to be used again */
static void stop(struct counter *counter)
{
	unregister_ftrace_graph(&counter->gops);
	ftrace_free_filter(&counter->gops.ops);
}

static void expect_calls(struct kunit *test, const struct counter *counter, unsigned int nr)
{
	KUNIT_EXPECT_EQ(test, counter->entries, nr);
	KUNIT_EXPECT_EQ(test, counter->returns, nr);
	KUNIT_EXPECT_EQ(test, counter->wrong, 0);
}

static void users_one(struct kunit *test)
{
	struct counter *one = new_counter(test, 0);

	want(test, one, add_one);
	start(test, one);
	KUNIT_EXPECT_EQ(test, add_two(5), 7);
	expect_calls(test, one, 2);
	KUNIT_EXPECT_EQ(test, one->last_func, ftrace_location((unsigned long)add_one));
	if (IS_ENABLED(CONFIG_FUNCTION_GRAPH_RETVAL))
		KUNIT_EXPECT_EQ(test, one->last_retval, 7);
	one->keep = 0x1234;
	KUNIT_EXPECT_EQ(test, add_two(6), 8);
	expect_calls(test, one, 4);
	one->refuse = true;
	KUNIT_EXPECT_EQ(test, add_two(7), 9);
	expect_calls(test, one, 4);
	stop(one);
	KUNIT_EXPECT_EQ(test, add_two(8), 10);
	expect_calls(test, one, 4);
}

/* Each gets just the functions that it wants, and what it keeps itself */
static void users_two(struct kunit *test)
{
	struct counter *inner = new_counter(test, 0), *both = new_counter(test, 1);
	struct counter *other = new_counter(test, 2);

	inner->keep = 0x1111;
	both->keep = 0x2222;
	want(test, inner, add_one);
	want(test, both, add_one);
	want(test, both, add_two);
	want(test, other, call_back);
	other->keep = 0x3333;
	start(test, inner);
	start(test, both);
	start(test, other);
	KUNIT_EXPECT_EQ(test, add_two(5), 7);
	expect_calls(test, inner, 2);
	expect_calls(test, both, 3);
	expect_calls(test, other, 0);
	/* As long as another user has a frame for the call, depths are the same for all */
	KUNIT_EXPECT_EQ(test, inner->last_depth, 1);
	both->refuse = true;
	KUNIT_EXPECT_EQ(test, add_two(5), 7);
	expect_calls(test, inner, 4);
	expect_calls(test, both, 3);
	KUNIT_EXPECT_EQ(test, inner->last_depth, 0);
	stop(inner);
	both->refuse = false;
	KUNIT_EXPECT_EQ(test, add_two(5), 7);
	expect_calls(test, inner, 4);
	expect_calls(test, both, 6);
	stop(both);
	stop(other);
}

/* A user is asked while it wants to be, and what it leaves out is left out for it alone */
static void users_asked(struct kunit *test)
{
	struct counter *one = new_counter(test, 0), *other = new_counter(test, 1);

	want(test, one, add_one);
	want(test, one, add_two);
	want(test, other, add_two);
	one->left_out = ftrace_location((unsigned long)add_two);
	start(test, one);
	add_two(1);
	expect_calls(test, one, 3);
	KUNIT_EXPECT_EQ(test, one->asked, 0);
	one->gops.ask_off = true;
	add_two(1);
	expect_calls(test, one, 5);
	KUNIT_EXPECT_EQ(test, one->asked, 3);
	KUNIT_EXPECT_EQ(test, one->last_depth, 0);
	start(test, other);
	one->gops.ask_off = false;
	one->gops.ask_filter = true;
	add_two(1);
	expect_calls(test, one, 7);
	expect_calls(test, other, 1);
	KUNIT_EXPECT_EQ(test, one->asked, 6);
	KUNIT_EXPECT_EQ(test, other->asked, 0);
	one->gops.ask_filter = false;
	add_two(1);
	expect_calls(test, one, 10);
	stop(other);
	stop(one);
}

static void replace_user(struct kunit *test)
{
	stop(&counters[0]);
	start(test, &counters[1]);
	KUNIT_EXPECT_EQ(test, counters[0].gops.idx, counters[1].gops.idx);
}

/* The return of a call that the user before has entered is not the next one's */
static void users_replaced(struct kunit *test)
{
	struct counter *first = new_counter(test, 0), *second = new_counter(test, 1);

	want(test, first, call_back);
	want(test, second, call_back);
	want(test, second, add_one);
	start(test, first);
	call_back(replace_user, test);
	KUNIT_EXPECT_EQ(test, first->entries, 1);
	KUNIT_EXPECT_EQ(test, first->returns, 0);
	expect_calls(test, second, 0);
	add_two(1);
	expect_calls(test, second, 2);
	stop(second);
}

static void come(struct kunit *test)
{
	start(test, &counters[1]);
}

/* One that comes gets no return of a call that it did not see, and the others still do */
static void users_coming(struct kunit *test)
{
	struct counter *first = new_counter(test, 0), *second = new_counter(test, 1);

	want(test, first, call_back);
	want(test, second, call_back);
	start(test, first);
	call_back(come, test);
	expect_calls(test, first, 1);
	expect_calls(test, second, 0);
	stop(second);
	stop(first);
}

static void users_all(struct kunit *test)
{
	unsigned int i;

	for (i = 0; i <= FGRAPH_MAX_USERS; i++) {
		struct counter *counter = new_counter(test, i);

		counter->keep = i + 1;
		want(test, counter, add_one);
		if (i == FGRAPH_MAX_USERS)
			KUNIT_EXPECT_EQ(test, register_ftrace_graph(&counter->gops), -ENOSPC);
		else
			start(test, counter);
	}
	KUNIT_EXPECT_EQ(test, add_two(1), 3);
	for (i = 0; i < FGRAPH_MAX_USERS; i++)
		expect_calls(test, &counters[i], 2);
	for (i = 0; i <= FGRAPH_MAX_USERS; i++)
		stop(&counters[i]);
	KUNIT_EXPECT_EQ(test, add_two(1), 3);
	expect_calls(test, &counters[0], 2);
}

/* Also what is called while the user comes and goes */
static void users_of_everything(struct kunit *test)
{
	struct counter *all = new_counter(test, 0), *one = new_counter(test, 1);

	start(test, all);
	want(test, one, add_one);
	start(test, one);
	KUNIT_EXPECT_EQ(test, add_two(1), 3);
	stop(one);
	stop(all);
	expect_calls(test, one, 2);
	KUNIT_EXPECT_GE(test, all->returns, 3);
	KUNIT_EXPECT_LE(test, all->returns, all->entries);
	KUNIT_EXPECT_EQ(test, all->wrong, 0);
}

/* What a user wants changes while several are there, and for what was called before, too */
static void users_change_filters(struct kunit *test)
{
	struct counter *other = new_counter(test, 0), *one = new_counter(test, 1);

	want(test, other, add_one);
	want(test, other, add_two);
	want(test, one, add_one);
	start(test, other);
	start(test, one);
	add_two(1);
	expect_calls(test, one, 2);
	want(test, one, add_two);
	add_two(1);
	expect_calls(test, one, 5);
	want_no_more(test, one, add_one);
	add_two(1);
	expect_calls(test, one, 6);
	KUNIT_EXPECT_EQ(test, ftrace_set_notrace(&one->gops.ops, "add_two", 7, 1), 0);
	add_two(1);
	expect_calls(test, one, 6);
	KUNIT_EXPECT_EQ(test, ftrace_set_notrace(&one->gops.ops, NULL, 0, 1), 0);
	add_two(1);
	expect_calls(test, one, 7);
	expect_calls(test, other, 15);
	stop(one);
	stop(other);
}

/* A fork that began before there was a user ends while there is one */
static void stack_of_child(struct kunit *test)
{
	struct counter *one = new_counter(test, 0);
	struct task_struct *child = kunit_kzalloc(test, sizeof(*child), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, child);
	want(test, one, add_one);
	start(test, one);
	trace_sched_process_fork(current, child);
	KUNIT_EXPECT_NOT_NULL(test, child->ret_stack);
	stop(one);
	ftrace_graph_exit_task(child);
	trace_sched_process_fork(current, child);
	KUNIT_EXPECT_NULL(test, child->ret_stack);
}

#ifdef CONFIG_HOTPLUG_CPU
/* It has no filters, and is there while cpus_read_lock() is called on its way in */
static void users_without_filters(struct kunit *test)
{
	struct counter *one = new_counter(test, 0), *other = new_counter(test, 1);
	struct counter *all = new_counter(test, 2);

	want(test, one, cpus_read_lock);
	want(test, other, add_one);
	start(test, one);
	start(test, other);
	start(test, all);
	add_two(1);
	stop(all);
	stop(other);
	stop(one);
	/* It is a static call that takes the lock */
	if (FGRAPH_DIRECT)
		KUNIT_EXPECT_GT(test, one->entries, 0);
	expect_calls(test, one, one->entries);
	expect_calls(test, other, 2);
	KUNIT_EXPECT_GE(test, all->returns, 3);
	KUNIT_EXPECT_EQ(test, all->wrong, 0);
}
#endif

static unsigned int find_set(struct fgraph_sets *sets, void *func)
{
	guard(preempt_notrace)();
	return fgraph_find_set(sets, ftrace_location((unsigned long)func));
}

static unsigned int nr_known(const struct fgraph_sets *sets)
{
	unsigned int i, nr = 0;

	for (i = 0; i < ARRAY_SIZE(sets->functions); i++)
		nr += !!sets->functions[i];
	return nr;
}

/* Without memory for sets, or with more sets than numbers, users are asked each time */
static void sets_without_room(struct kunit *test)
{
	struct fgraph_sets *sets = kvzalloc(sizeof(*sets), GFP_KERNEL);
	struct counter *one = new_counter(test, 0), *both = new_counter(test, 1);
	unsigned int i, bit_one, bit_both;

	KUNIT_ASSERT_NOT_NULL(test, sets);
	want(test, one, add_one);
	want(test, both, add_one);
	want(test, both, add_two);
	start(test, one);
	start(test, both);
	bit_one = BIT(one->gops.idx);
	bit_both = BIT(both->gops.idx);
	KUNIT_EXPECT_EQ(test, find_set(NULL, add_one), bit_one | bit_both);
	KUNIT_EXPECT_EQ(test, find_set(NULL, add_two), bit_both);
	KUNIT_EXPECT_EQ(test, find_set(NULL, call_back), 0);

	/* Sets that nobody has, but for the last number; add_two() takes that */
	for (i = 1; i < FGRAPH_NR_SETS - 1; i++)
		sets->users[i] = FGRAPH_SET_KNOWN | (bit_one | bit_both) << 4 | i << 17;
	KUNIT_EXPECT_EQ(test, find_set(sets, add_two), bit_both);
	KUNIT_EXPECT_EQ(test, sets->users[i], FGRAPH_SET_KNOWN | bit_both);
	KUNIT_EXPECT_EQ(test, nr_known(sets), 1);
	KUNIT_EXPECT_EQ(test, find_set(sets, add_one), bit_one | bit_both);
	KUNIT_EXPECT_EQ(test, find_set(sets, call_back), 0);
	KUNIT_EXPECT_EQ(test, nr_known(sets), 1);
	stop(one);
	stop(both);
	kvfree(sets);
}

static struct fgraph_sets *known_sets(void)
{
	guard(mutex)(&ftrace_lock);
	return fgraph_sets;
}

/* They are there while users are not called directly, and what is known is found */
static void sets_kept(struct kunit *test)
{
	struct counter *one = new_counter(test, 0), *both = new_counter(test, 1);
	struct fgraph_sets *sets;

	if (ftrace_graph_active)
		kunit_skip(test, "there are other users");
	want(test, one, add_one);
	want(test, both, add_one);
	want(test, both, add_two);
	start(test, one);
	KUNIT_EXPECT_EQ(test, !known_sets(), FGRAPH_DIRECT);
	start(test, both);
	sets = known_sets();
	KUNIT_ASSERT_NOT_NULL(test, sets);
	KUNIT_EXPECT_EQ(test, nr_known(sets), 0);
	KUNIT_EXPECT_EQ(test, find_set(sets, call_back), 0);
	KUNIT_EXPECT_EQ(test, sets->users[1], FGRAPH_SET_KNOWN);
	add_two(1);
	KUNIT_EXPECT_EQ(test, nr_known(sets), 3);
	KUNIT_EXPECT_EQ(test, sets->users[2], FGRAPH_SET_KNOWN | BIT(both->gops.idx));
	add_two(1);
	KUNIT_EXPECT_PTR_EQ(test, known_sets(), sets);
	KUNIT_EXPECT_EQ(test, nr_known(sets), 3);
	expect_calls(test, both, 6);
	expect_calls(test, one, 4);
	want(test, one, add_two);
	KUNIT_EXPECT_EQ(test, nr_known(known_sets()), 0);
	stop(one);
	KUNIT_EXPECT_EQ(test, !known_sets(), FGRAPH_DIRECT);
	add_two(1);
	expect_calls(test, both, 9);
	stop(both);
	KUNIT_EXPECT_NULL(test, known_sets());
}

/* A variable begins as 0, whatever the user before has left */
static void users_variables(struct kunit *test)
{
	struct counter *first = new_counter(test, 0), *second = new_counter(test, 1);

	want(test, first, call_back);
	want(test, second, add_one);
	start(test, first);
	call_back(replace_user, test);
	KUNIT_EXPECT_EQ(test, *fgraph_get_task_var(&second->gops), 0);
	stop(second);
}

static noinline __noclone unsigned long add_each(unsigned long value)
{
	unsigned long sum = value ? add_each(value - 1) + value : 0;

	barrier();
	return sum;
}

/* A user that takes 100 bytes for each call, as long as there is room */
static struct {
	struct fgraph_ops	gops;
	unsigned int		calls, kept, wrong;
} hoarder;

#define HOARDED		100
/* In whole words, behind one that says whose they are */
#define HOARDED_ROOM	((DIV_ROUND_UP(HOARDED, sizeof(long)) + 1) * sizeof(long))

static notrace int hoard(struct ftrace_graph_ent *call, struct fgraph_ops *gops,
			 struct ftrace_regs *fregs)
{
	unsigned int room = fgraph_room();
	bool kept = fgraph_reserve_data(gops->idx, HOARDED);

	hoarder.calls++;
	hoarder.kept += kept;
	if (kept)
		hoarder.wrong += fgraph_room() != room - HOARDED_ROOM;
	else
		hoarder.wrong += fgraph_room() != room || room >= HOARDED_ROOM;
	return 1;
}

/* What is left of a stack is known until it is full, and then calls are counted as lost */
static void stack_room(struct kunit *test)
{
	unsigned int lost = atomic_read(&current->trace_overrun), room;

	memset(&hoarder, 0, sizeof(hoarder));
	hoarder.gops.entryfunc = hoard;
	hoarder.gops.retfunc = fgraph_ignore_return;
	KUNIT_ASSERT_EQ(test, ftrace_set_filter_ip(&hoarder.gops.ops,
						   ftrace_location((unsigned long)add_each),
						   0, 0), 0);
	KUNIT_ASSERT_EQ(test, register_ftrace_graph(&hoarder.gops), 0);
	room = fgraph_room();
	KUNIT_EXPECT_EQ(test, add_each(100), 5050);
	unregister_ftrace_graph(&hoarder.gops);
	ftrace_free_filter(&hoarder.gops.ops);

	KUNIT_EXPECT_LE(test, room, FGRAPH_STACK_BYTES);
	KUNIT_EXPECT_EQ(test, hoarder.wrong, 0);
	KUNIT_EXPECT_GE(test, hoarder.kept,
			room / (sizeof(struct fgraph_frame) + HOARDED_ROOM));
	KUNIT_EXPECT_GT(test, hoarder.calls, hoarder.kept);
	KUNIT_EXPECT_EQ(test, hoarder.calls + atomic_read(&current->trace_overrun) - lost, 101);
}

/* As if it was entered and never returned */
static void leave_frames(struct kunit *test)
{
	unsigned long site = ftrace_location((unsigned long)call_back);
	static unsigned long slots[2];
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(slots); i++) {
		int err;

		preempt_disable_notrace();
		err = function_graph_enter_regs(1, site, 0, &slots[i], NULL);
		preempt_enable_notrace();
		KUNIT_EXPECT_EQ(test, err, 0);
	}
}

static void frames_left(struct kunit *test)
{
	struct counter *one = new_counter(test, 0);
	int depth = current->curr_ret_depth;

	if (!IS_ENABLED(CONFIG_X86))
		kunit_skip(test, "it is not known which frame a return belongs to");
	want(test, one, call_back);
	start(test, one);
	call_back(leave_frames, test);
	KUNIT_EXPECT_EQ(test, one->entries, 3);
	KUNIT_EXPECT_EQ(test, one->returns, 1);
	KUNIT_EXPECT_EQ(test, one->wrong, 0);
	KUNIT_EXPECT_EQ(test, current->curr_ret_depth, depth);
	stop(one);
}

static void save_stack(struct kunit *test)
{
	unsigned long *entries = test->priv;
	unsigned int nr = stack_trace_save(entries, 8, 0);

	entries[nr < 8 ? nr : 7] = 0;
}

/* An unwinder finds the caller, and not what the address was replaced by */
static void frames_unwound(struct kunit *test)
{
	struct counter *one = new_counter(test, 0);
	unsigned long entries[8] = {}, size, offset;
	bool found = false;
	unsigned int i;

	test->priv = entries;
	want(test, one, call_back);
	want(test, one, save_stack);
	start(test, one);
	call_back(save_stack, test);
	stop(one);
	expect_calls(test, one, 2);
	for (i = 0; entries[i]; i++) {
		KUNIT_EXPECT_FALSE(test, fgraph_is_handler(entries[i]));
		if (kallsyms_lookup_size_offset(entries[i], &size, &offset))
			found |= entries[i] - offset == (unsigned long)frames_unwound;
	}
	KUNIT_EXPECT_TRUE(test, found);
}

/* When the last user has gone, so have the stacks that are empty */
static void stacks_freed(struct kunit *test)
{
	struct counter *one = new_counter(test, 0);
	int i;

	if (ftrace_graph_active)
		kunit_skip(test, "there are other users");
	want(test, one, call_back);
	start(test, one);
	KUNIT_EXPECT_NOT_NULL(test, current->ret_stack);
	stop(one);
	for (i = 0; i < 300 && READ_ONCE(current->ret_stack); i++)
		msleep(20);
	KUNIT_EXPECT_NULL(test, current->ret_stack);
	/* And they are there again */
	one = new_counter(test, 0);
	want(test, one, add_one);
	start(test, one);
	KUNIT_EXPECT_EQ(test, add_two(1), 3);
	expect_calls(test, one, 2);
	stop(one);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(users_one),
	KUNIT_CASE(users_two),
	KUNIT_CASE(users_asked),
	KUNIT_CASE(users_replaced),
	KUNIT_CASE(users_coming),
	KUNIT_CASE(users_all),
	KUNIT_CASE(users_of_everything),
	KUNIT_CASE(users_change_filters),
#ifdef CONFIG_HOTPLUG_CPU
	KUNIT_CASE(users_without_filters),
#endif
	KUNIT_CASE(users_variables),
	KUNIT_CASE(sets_without_room),
	KUNIT_CASE(sets_kept),
	KUNIT_CASE(stack_room),
	KUNIT_CASE(frames_left),
	KUNIT_CASE(frames_unwound),
	KUNIT_CASE(stack_of_child),
	KUNIT_CASE(stacks_freed),
	{}
};

static struct kunit_suite suite = {
	.name		= "fgraph",
	.test_cases	= cases,
};

kunit_test_suite(suite);

MODULE_DESCRIPTION("KUnit tests of the function graph");
