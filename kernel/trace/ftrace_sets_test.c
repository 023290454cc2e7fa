// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of sets of callbacks: the places that they have, and the stubs that call the
 * callbacks.
 */
#include <kunit/test.h>
#include <linux/context_tracking.h>
#include <linux/ftrace.h>
#include <linux/ftrace_sets.h>
#include <linux/irqflags.h>
#include <linux/ptrace.h>
#include <linux/string.h>

#include "ftrace_internal.h"
#include "ftrace_sets_test.h"

/* What a callback was called with */
struct call {
	struct ftrace_ops	*ops;
	unsigned long		ip;
	unsigned long		parent_ip;
	unsigned long		sp;
	bool			has_all;
	struct pt_regs		regs;
};

static struct call calls[2 * FTRACE_SET_MAX_OPS];
static unsigned int nr_calls;

/* What a callback does besides */
static void (*what_else)(struct ftrace_ops *ops, struct ftrace_regs *fregs);

static void note_call(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *ops,
		      struct ftrace_regs *fregs)
{
	struct call *call = &calls[nr_calls];

	if (nr_calls == ARRAY_SIZE(calls))
		return;
	nr_calls++;
	call->ops = ops;
	call->ip = ip;
	call->parent_ip = parent_ip;
	call->sp = ftrace_regs_get_stack_pointer(fregs);
	call->has_all = ftrace_get_regs(fregs);
	call->regs = arch_ftrace_regs(fregs)->regs;
	if (what_else)
		what_else(ops, fregs);
}

/* They are not registered */
static struct ftrace_ops test_ops[FTRACE_SET_MAX_OPS];
static struct ftrace_ops *all[FTRACE_SET_MAX_OPS];

/* What is in the registers, by the order of the array, which is that of the test's assembler */
static unsigned long *place_of(struct pt_regs *regs, unsigned int i)
{
	unsigned long *const places[NR_REGS] = {
		&regs->ax, &regs->bx, &regs->cx, &regs->dx, &regs->si, &regs->di, &regs->bp,
#ifdef CONFIG_X86_64
		&regs->r8, &regs->r9, &regs->r10, &regs->r11, &regs->r12, &regs->r13,
		&regs->r14, &regs->r15,
#endif
	};

	return places[i];
}

static bool is_argument_or_saved_anyway(unsigned int i)
{
	/* Not rbx, and r10 to r15; of 32 bits, not ebx, esi, edi */
	return i != 1 && (IS_ENABLED(CONFIG_X86_64) ? i < 9 : i != 4 && i != 5);
}

/* A value for a register that is not the one that it had */
static unsigned long changed_value(unsigned int i)
{
	return ~register_value(i);
}

static void call_stub(unsigned long *regs)
{
	unsigned int i;

	for (i = 0; i < NR_REGS; i++)
		regs[i] = register_value(i);
	regs[NR_REGS] = 0;
	nr_calls = 0;
	test_call_set_stub(regs);
}

static void expect_registers(struct kunit *test, struct call *call)
{
	unsigned int i;

	for (i = 0; i < NR_REGS; i++) {
		if (call->has_all || is_argument_or_saved_anyway(i))
			KUNIT_EXPECT_EQ(test, *place_of(&call->regs, i), register_value(i));
	}
	KUNIT_EXPECT_EQ(test, call->regs.ip, (unsigned long)test_set_stub_called);
	if (call->has_all || IS_ENABLED(CONFIG_X86_64))
		KUNIT_EXPECT_EQ(test, call->regs.orig_ax, 0);
	if (!call->has_all)
		return;
	KUNIT_EXPECT_EQ(test, call->regs.cs, __KERNEL_CS);
	KUNIT_EXPECT_EQ(test, call->regs.ss, __KERNEL_DS);
	KUNIT_EXPECT_EQ(test, call->regs.flags & (X86_EFLAGS_CF | X86_EFLAGS_IF),
			X86_EFLAGS_CF | X86_EFLAGS_IF);
}

/* Each is called once, in the order of the set, and gets what is true */
static void expect_calls(struct kunit *test, unsigned int nr, bool has_all)
{
	unsigned int i;

	KUNIT_ASSERT_EQ(test, nr_calls, nr);
	for (i = 0; i < nr; i++) {
		KUNIT_EXPECT_PTR_EQ(test, calls[i].ops, all[i]);
		KUNIT_EXPECT_EQ(test, calls[i].ip + MCOUNT_INSN_SIZE,
				(unsigned long)test_set_stub_called);
		KUNIT_EXPECT_EQ(test, calls[i].parent_ip, PARENT);
		KUNIT_EXPECT_EQ(test, calls[i].sp, calls[0].sp);
		KUNIT_EXPECT_EQ(test, calls[i].has_all, has_all);
		expect_registers(test, &calls[i]);
	}
}

/*
 * Callbacks may use r10 and r11 as any function may, if not all registers are saved. With 32 bits,
 * there are no such registers.
 */
static bool is_free(unsigned int i)
{
	return i == 9 || i == 10;
}

/* Nothing is changed for the traced function */
static void expect_nothing_changed(struct kunit *test, const unsigned long *regs, bool has_all)
{
	unsigned int i;

	for (i = 0; i < NR_REGS; i++) {
		if (has_all || !is_free(i))
			KUNIT_EXPECT_EQ(test, regs[i], register_value(i));
	}
	KUNIT_EXPECT_EQ(test, regs[NR_REGS], PARENT);
	KUNIT_EXPECT_FALSE(test, test_set_elsewhere);
}

static void expect_kind(struct kunit *test, unsigned int kind)
{
	bool has_all = kind == FTRACE_SET_CALL_REGS;
	unsigned long regs[NR_REGS + 1];
	unsigned int nr;

	for (nr = 1; nr <= ARRAY_SIZE(all); nr++) {
		use_stub(test, all, nr, kind);
		call_stub(regs);
		expect_calls(test, nr, has_all);
		expect_nothing_changed(test, regs, has_all);
	}
}

static void test_calls(struct kunit *test)
{
	expect_kind(test, FTRACE_SET_CALL);
}

static void test_calls_with_registers(struct kunit *test)
{
	expect_kind(test, FTRACE_SET_CALL_REGS);
	KUNIT_EXPECT_TRUE(test, test_set_carry);
}

/* The return address is where the stack pointer says, and may be replaced there */
static void replace_parent(struct ftrace_ops *ops, struct ftrace_regs *fregs)
{
	unsigned long *parent = (unsigned long *)ftrace_regs_get_stack_pointer(fregs);

	if (*parent == PARENT)
		*parent = ~PARENT;
}

static void test_return_address(struct kunit *test)
{
	unsigned long regs[NR_REGS + 1];
	unsigned int kind;

	what_else = replace_parent;
	for (kind = FTRACE_SET_CALL; kind <= FTRACE_SET_CALL_REGS; kind++) {
		use_stub(test, all, 2, kind);
		call_stub(regs);
		KUNIT_EXPECT_EQ(test, regs[NR_REGS], ~PARENT);
		expect_calls(test, 2, kind == FTRACE_SET_CALL_REGS);
	}
}

static void change_everything(struct ftrace_ops *ops, struct ftrace_regs *fregs)
{
	struct pt_regs *regs = &arch_ftrace_regs(fregs)->regs;
	unsigned int i;

	if (ops != all[1])
		return;
	for (i = 0; i < NR_REGS; i++)
		*place_of(regs, i) = changed_value(i);
	regs->flags &= ~X86_EFLAGS_CF;
	ftrace_regs_set_instruction_pointer(fregs, (unsigned long)test_set_stub_elsewhere);
}

/* What a callback writes to the registers is what the traced function gets */
static void test_changes(struct kunit *test)
{
	unsigned long regs[NR_REGS + 1];
	unsigned int kind, i;

	what_else = change_everything;
	for (kind = FTRACE_SET_CALL; kind <= FTRACE_SET_CALL_REGS; kind++) {
		use_stub(test, all, 2, kind);
		call_stub(regs);
		KUNIT_EXPECT_EQ(test, nr_calls, 2);
		for (i = 0; i < NR_REGS; i++) {
			if (kind == FTRACE_SET_CALL_REGS || is_argument_or_saved_anyway(i))
				KUNIT_EXPECT_EQ(test, regs[i], changed_value(i));
			else if (!is_free(i))
				KUNIT_EXPECT_EQ(test, regs[i], register_value(i));
		}
		KUNIT_EXPECT_EQ(test, regs[NR_REGS], PARENT);
		KUNIT_EXPECT_TRUE(test, test_set_elsewhere);
		if (kind == FTRACE_SET_CALL_REGS)
			KUNIT_EXPECT_FALSE(test, test_set_carry);
	}
}

/* The second ops wants to be guarded, if @flags say so */
static void use_guarded_stub(struct kunit *test, unsigned long flags)
{
	all[1]->flags = flags;
	use_stub(test, all, 2, FTRACE_SET_CALL);
}

static void call_again(struct ftrace_ops *ops, struct ftrace_regs *fregs)
{
	unsigned long regs[NR_REGS + 1] = {};

	if (ops == all[1] && nr_calls < 8)
		test_call_set_stub(regs);
}

/*
 * A callback that wants to be guarded is not called within itself, but for once, which may be an
 * interrupt's, see linux/trace_recursion.h. The others are called all the same.
 */
static void test_recursion(struct kunit *test)
{
	unsigned long regs[NR_REGS + 1];

	what_else = call_again;
	use_guarded_stub(test, 0);
	call_stub(regs);
	KUNIT_EXPECT_EQ(test, nr_calls, 8);
	use_guarded_stub(test, FTRACE_OPS_FL_RECURSION);
	call_stub(regs);
	KUNIT_EXPECT_EQ(test, nr_calls, 5);
	KUNIT_EXPECT_PTR_EQ(test, calls[2].ops, all[0]);
	KUNIT_EXPECT_PTR_EQ(test, calls[4].ops, all[0]);
	expect_nothing_changed(test, regs, false);
}

/* One that wants RCU to watch is not called while it does not */
static void test_rcu(struct kunit *test)
{
	unsigned long regs[NR_REGS + 1];

	if (!IS_ENABLED(CONFIG_CONTEXT_TRACKING_IDLE))
		kunit_skip(test, "RCU is always watching");
	use_guarded_stub(test, FTRACE_OPS_FL_RCU);
	call_stub(regs);
	expect_calls(test, 2, false);

	local_irq_disable();
	ct_idle_enter();
	call_stub(regs);
	ct_idle_exit();
	local_irq_enable();
	expect_calls(test, 1, false);
	expect_nothing_changed(test, regs, false);
}

/* Sets with the same ops are the same; the stubs of one are for different kinds */
static void test_same_set(struct kunit *test)
{
	struct ftrace_ops *pair[] = { all[0], all[1] }, *turned[] = { all[1], all[0] };
	unsigned int entry = set_entry(pair, 2, 1);

	KUNIT_ASSERT_NE(test, entry, 0);
	KUNIT_EXPECT_EQ(test, set_entry(pair, 2, 1), entry);
	KUNIT_EXPECT_EQ(test, set_entry(pair, 2, FTRACE_SET_KINDS), entry + FTRACE_SET_KINDS - 1);
	KUNIT_EXPECT_NE(test, set_entry(&pair[1], 1, 1), entry);
	KUNIT_EXPECT_NE(test, set_entry(turned, 2, 1), entry);
	KUNIT_EXPECT_PTR_EQ(test, ftrace_set_of(entry)->ops[1], pair[1]);
	KUNIT_EXPECT_PTR_EQ(test, ftrace_set_of(entry + FTRACE_SET_KINDS - 1),
			    ftrace_set_of(entry));
}

static unsigned int fill_places(struct ftrace_ops *ops)
{
	struct ftrace_ops *one;
	unsigned int i;

	for (i = 0; i < FTRACE_SETS; i++) {
		one = &ops[i];
		if (!ftrace_set_entry(&one, 1, 1))
			break;
	}
	return i;
}

/* A place is given to another set only after a grace period */
static void test_places(struct kunit *test)
{
	struct ftrace_ops *ops = kunit_kcalloc(test, FTRACE_SETS + 1, sizeof(*ops), GFP_KERNEL);
	struct ftrace_ops *last = &ops[FTRACE_SETS];
	unsigned int nr, i;

	KUNIT_ASSERT_NOT_NULL(test, ops);
	guard(mutex)(&ftrace_lock);
	nr = fill_places(ops);
	KUNIT_EXPECT_GT(test, nr, 0);
	KUNIT_EXPECT_EQ(test, ftrace_set_entry(&last, 1, 1), 0);
	for (i = 0; i < nr; i++)
		ftrace_sets_forget(&ops[i]);
	KUNIT_EXPECT_EQ(test, ftrace_set_entry(&last, 1, 1), 0);
	ftrace_sets_make_room();
	KUNIT_EXPECT_NE(test, ftrace_set_entry(&last, 1, 1), 0);
	ftrace_sets_forget(last);
}

static int test_init(struct kunit *test)
{
	unsigned int i;

	what_else = NULL;
	for (i = 0; i < ARRAY_SIZE(test_ops); i++)
		test_ops[i].flags = 0;
	return 0;
}

static int suite_init(struct kunit_suite *suite)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(test_ops); i++) {
		test_ops[i].func = note_call;
		all[i] = &test_ops[i];
	}
	return 0;
}

static void suite_exit(struct kunit_suite *suite)
{
	unsigned int i;

	guard(mutex)(&ftrace_lock);
	for (i = 0; i < ARRAY_SIZE(test_ops); i++)
		ftrace_sets_forget(&test_ops[i]);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(test_calls),
	KUNIT_CASE(test_calls_with_registers),
	KUNIT_CASE(test_return_address),
	KUNIT_CASE(test_changes),
	KUNIT_CASE(test_recursion),
	KUNIT_CASE(test_rcu),
	KUNIT_CASE(test_same_set),
	KUNIT_CASE(test_places),
	{}
};

static struct kunit_suite suite = {
	.name = "ftrace_sets",
	.init = test_init,
	.suite_init = suite_init,
	.suite_exit = suite_exit,
	.test_cases = cases,
};

kunit_test_suite(suite);

MODULE_DESCRIPTION("KUnit tests of sets of callbacks");
MODULE_LICENSE("GPL");
