// SPDX-License-Identifier: GPL-2.0
/*
 * Windows of the kernel, and text that is patched while it is looked at and executed.
 */
#include <kunit/resource.h>
#include <kunit/test.h>
#include <linux/array_size.h>
#include <linux/branch_backend.h>
#include <linux/branch_trace.h>
#include <linux/context_tracking.h>
#include <linux/cpumask.h>
#include <linux/err.h>
#include <linux/ftrace.h>
#include <linux/irqflags.h>
#include <linux/jump_label.h>
#include <linux/kthread.h>
#include <linux/sched.h>
#include <linux/string.h>

#include <asm/branch_window.h>
#include <asm/debugreg.h>
#include <asm/processor-flags.h>
#include <asm/ptrace.h>
#include <asm/segment.h>

#include "../../insn.h"
#include "../window.h"
#include "expect.h"
#include "walk.h"

/* What has become of the text since it was looked at */
#define NO_OP		{ 0x66, 0x90 }
#define JUMP		{ 0xeb, 0x04 }
#define PAUSE_JUMP	{ 0xf3, 0x90, 0xeb, 0x04 }
#define SHORT_SIZE	2
#define JUMP_SIZE	6
#define LONG_SIZE	5

/* Somewhere else */
#define TRACER		0x1000

/* No branch is told */
#define NOTHING		BRANCH_LOST

/* What was executed there */
enum played_by {
	BY_INTERRUPT,		/* nothing */
	BY_BREAKPOINT,
	BY_STEP,
};

/**
 * struct played - an instruction that may be patched between the look at it and its execution
 * @text: what is there now
 * @seen: what was there
 * @by: what was executed
 * @to: where that leads, as bytes from it
 * @told: the kind of branch that is told, or NOTHING
 * @left: what is known of it then, unless it is 0
 * @aside: it leads to what is not followed: why
 * @calls_tracer: it is not in @text, but where a function calls its tracers
 * @size: of what was there, or 0 if that is short
 * @shadow: so many bytes before it may be executed without a trap
 * @while_telling: 1 if another branch is being told
 */
struct played {
	u8			text[8];
	enum branch_insn	seen;
	enum played_by		by;
	unsigned int		to;
	enum branch_kind	told;
	enum branch_insn	left;
	enum branch_aside_why	aside;
	bool			calls_tracer;
	unsigned int		size;
	unsigned int		shadow;
	unsigned int		while_telling;
};

static unsigned long place_of(const struct played *played)
{
	return played->calls_tracer ? ftrace_location((unsigned long)branch_walk) :
				       (unsigned long)played->text;
}

static void keep_open(void *data)
{
	unsigned long *open = data;

	*open = current->thread.branch_window.open;
}

static void look_at_seen(struct branch_window *window, const struct played *played)
{
	window->begin = place_of(played);
	window->from = window->begin + played->shadow;
	window->insn = (struct branch_insn_read) {
		.what = played->seen,
		.length = played->seen == BRANCH_INSN_TRAP ? 1 : played->size ?: SHORT_SIZE,
	};
	window->aside = (struct branch_aside) { .why = played->aside, .until_sp = ULONG_MAX };
	window->on_own_stack = true;
	memset(window->sp, 0xff, sizeof(window->sp));
	window->steps = 0;
	window->stepping = true;
}

static void execute(const struct played *played)
{
	struct pt_regs regs = {
		.ip = place_of(played) + played->to,
		.sp = (unsigned long)__builtin_frame_address(0),
		.cs = __KERNEL_CS,
		.flags = X86_EFLAGS_TF,
	};
	unsigned long dr6 = DR_STEP;

	if (played->by == BY_INTERRUPT)
		__branch_window_moved(&regs);
	else if (played->by == BY_BREAKPOINT)
		__branch_window_poked(&regs);
	else
		__branch_window_step(&regs, &dr6);
}

/* Returns what is known of the instruction when it has been executed */
static enum branch_insn play(unsigned long open, const struct played *played)
{
	struct branch_window *window = &current->thread.branch_window;
	unsigned long flags;
	enum branch_insn left;

	local_irq_save(flags);
	look_at_seen(window, played);
	window->open = open;
	__this_cpu_add(branch_telling, played->while_telling);
	execute(played);
	__this_cpu_sub(branch_telling, played->while_telling);
	left = window->insn.what;
	window->aside.why = 0;
	window->open = 0;
	local_irq_restore(flags);
	return left;
}

static void expect_played(struct kunit *test, struct branch_ctx *ctx, unsigned long open,
			  const struct played *played)
{
	enum branch_insn left = play(open, played);
	struct branch_record record;

	if (played->left)
		KUNIT_EXPECT_EQ(test, left, played->left);
	if (walk_read_branch(test, ctx, &record)) {
		KUNIT_EXPECT_EQ(test, record.kind, played->told);
		KUNIT_EXPECT_EQ(test, record.from, place_of(played));
		KUNIT_EXPECT_EQ(test, record.to - record.from, played->to);
	} else {
		KUNIT_EXPECT_EQ(test, played->told, NOTHING);
	}
	walk_expect_end(test, ctx);
}

/* A context in which windows may be played, and the window's number as a bit */
static struct branch_ctx *open_played(struct kunit *test, unsigned long *open)
{
	struct branch_ctx *ctx = walk_open_ctx(test, "branch_walk_twice");
	struct branch_record record;

	branch_walk_twice(keep_open, open);
	KUNIT_ASSERT_NE(test, *open, 0);
	while (walk_read_branch(test, ctx, &record))
		;
	return ctx;
}

static const struct played played_texts[] = {
	/* It is looked at again when the interrupt returns in which it may have been patched */
	{ NO_OP, BRANCH_INSN_JUMP, BY_INTERRUPT, 0, NOTHING, BRANCH_INSN_OTHER },
	{ JUMP, BRANCH_INSN_OTHER, BY_INTERRUPT, 0, NOTHING, BRANCH_INSN_JUMP },
	/* The breakpoint goes where the new instruction will, whatever the old one was */
	{ NO_OP, BRANCH_INSN_JUMP, BY_BREAKPOINT, SHORT_SIZE, NOTHING },
	{ NO_OP, BRANCH_INSN_TRAP, BY_BREAKPOINT, SHORT_SIZE, NOTHING },
	{ JUMP, BRANCH_INSN_OTHER, BY_BREAKPOINT, JUMP_SIZE, BRANCH_UNKNOWN },
	{ JUMP, BRANCH_INSN_TRAP, BY_BREAKPOINT, JUMP_SIZE, BRANCH_UNKNOWN },
	/* A short jump may lead as far as a long no-op. The byte behind the breakpoint may tell. */
	{ { 0xcc, 0x03 }, BRANCH_INSN_OTHER, BY_BREAKPOINT, LONG_SIZE, BRANCH_UNKNOWN },
	{ { 0xcc, 0x03 }, BRANCH_INSN_TRAP, BY_BREAKPOINT, LONG_SIZE, BRANCH_UNKNOWN },
	{ { 0xcc, 0x90 }, BRANCH_INSN_TRAP, BY_BREAKPOINT, LONG_SIZE, BRANCH_UNKNOWN },
	{ { 0xcc, 0x03 }, BRANCH_INSN_JUMP, BY_BREAKPOINT, LONG_SIZE, NOTHING,
	  .size = LONG_SIZE },
	{ { 0xcc, 0x1f, 0x44 }, BRANCH_INSN_TRAP, BY_BREAKPOINT, LONG_SIZE, NOTHING },
	/* The breakpoint was seen, and was gone when it would have been executed */
	{ NO_OP, BRANCH_INSN_TRAP, BY_STEP, SHORT_SIZE, NOTHING },
	{ JUMP, BRANCH_INSN_TRAP, BY_STEP, JUMP_SIZE, BRANCH_JUMP },
	/* What led aside is kept */
	{ NO_OP, BRANCH_INSN_CALL, BY_BREAKPOINT, 0, NOTHING, BRANCH_INSN_CALL,
	  .aside = ASIDE_TRACER },
	/* It calls a tracer, whatever it was before */
	{ { }, BRANCH_INSN_OTHER, BY_STEP, TRACER, NOTHING, .calls_tracer = true },
	{ { }, BRANCH_INSN_TRAP, BY_STEP, TRACER, NOTHING, .calls_tracer = true },
	{ { }, BRANCH_INSN_OTHER, BY_BREAKPOINT, TRACER, NOTHING, .calls_tracer = true },
	/* The CPU has stopped before the jump, though it need not */
	{ PAUSE_JUMP, BRANCH_INSN_JUMP, BY_STEP, SHORT_SIZE, NOTHING, BRANCH_INSN_JUMP,
	  .shadow = SHORT_SIZE },
	{ { 0xf3, 0x90, 0x66, 0x90 }, BRANCH_INSN_JUMP, BY_INTERRUPT, SHORT_SIZE, NOTHING,
	  BRANCH_INSN_OTHER, .shadow = SHORT_SIZE },
	/* What tells of another branch is patched */
	{ JUMP, BRANCH_INSN_OTHER, BY_BREAKPOINT, JUMP_SIZE, NOTHING, .while_telling = 1 },
};

/* W7. Each way in which a patch may come between, played with text that nobody executes */
static void test_patched_between(struct kunit *test)
{
	unsigned long open = 0;
	struct branch_ctx *ctx = open_played(test, &open);
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(played_texts); i++)
		expect_played(test, ctx, open, &played_texts[i]);
	walk_close_ctx(test, ctx);
}

/* What RCU does not let tell is counted, and told with the next branch */
static void test_lost(struct kunit *test)
{
	static const struct played jump = { JUMP, BRANCH_INSN_OTHER, BY_BREAKPOINT, JUMP_SIZE };
	unsigned long open = 0;
	struct branch_ctx *ctx = open_played(test, &open);
	struct branch_record record;
	unsigned long flags;

	if (!IS_ENABLED(CONFIG_CONTEXT_TRACKING_IDLE))
		kunit_skip(test, "RCU watches everywhere");
	local_irq_save(flags);
	ct_idle_enter();
	play(open, &jump);
	play(open, &jump);
	ct_idle_exit();
	local_irq_restore(flags);
	walk_expect_end(test, ctx);
	play(open, &jump);
	KUNIT_ASSERT_TRUE(test, branch_ctx_read(ctx, &record));
	KUNIT_EXPECT_EQ(test, record.kind, BRANCH_LOST);
	KUNIT_EXPECT_EQ(test, record.from, 2);
	KUNIT_ASSERT_TRUE(test, walk_read_branch(test, ctx, &record));
	KUNIT_EXPECT_EQ(test, record.from, (unsigned long)jump.text);
	walk_expect_end(test, ctx);
	walk_close_ctx(test, ctx);
}

static DEFINE_STATIC_KEY_FALSE(walk_key);

/* Jumps that are patched: one of two bytes, one of five. Each leads further than it is long. */
static noinline void pass_keys(void *data)
{
	unsigned int *passed = data;
	unsigned int i;

	for (i = 0; i < 50; i++) {
		if (static_branch_likely(&walk_key))
			(*passed) += 0x1000;
		barrier();
		if (static_branch_likely(&walk_key))
			asm volatile("jmp 1f\n"
				     ".skip 200, 0x90\n"
				     "1:\n");
		barrier();
	}
}

static void trace_nothing(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *ops,
			  struct ftrace_regs *fregs)
{
}

/* What patches on another CPU, until the test is over */
static struct patcher {
	struct ftrace_ops	ops;
	struct task_struct	*task;
	unsigned int		nr;
	int			error;
} patcher;

static int trace_only(char *function)
{
	return ftrace_set_filter(&patcher.ops, function, strlen(function), true);
}

static int patch_once(void)
{
	int ret;

	static_branch_enable(&walk_key);
	ret = trace_only("branch_walk");
	static_branch_disable(&walk_key);
	return ret ?: trace_only("walk_sleep");
}

static int patch_often(void *unused)
{
	while (!kthread_should_stop()) {
		patcher.error = patcher.error ?: patch_once();
		WRITE_ONCE(patcher.nr, patcher.nr + 1);
		cond_resched();
	}
	return 0;
}

static void end_patcher(void *unused)
{
	if (!IS_ERR_OR_NULL(patcher.task))
		kthread_stop(patcher.task);
	unregister_ftrace_function(&patcher.ops);
	ftrace_free_filter(&patcher.ops);
}

static void begin_patcher(struct kunit *test)
{
	patcher = (struct patcher) { .ops.func = trace_nothing };
	KUNIT_ASSERT_EQ(test, trace_only("walk_sleep"), 0);
	KUNIT_ASSERT_EQ(test, register_ftrace_function(&patcher.ops), 0);
	KUNIT_ASSERT_EQ(test, kunit_add_action_or_reset(test, end_patcher, NULL), 0);
	patcher.task = kthread_run(patch_often, NULL, "branch_patch");
	KUNIT_ASSERT_FALSE(test, IS_ERR(patcher.task));
}

/*
 * Neither what patches text nor what is called there is told, and no jump that is none. Of a jump
 * that is being patched, the kind is not known. Returns whether it is such a one.
 */
static bool expect_no_patching(struct kunit *test, const struct branch_record *record)
{
	bool is_unknown = record->kind == BRANCH_UNKNOWN;
	u64 length = record->to - record->from;
	bool is_short = length == 2 || length == 5;

	KUNIT_EXPECT_NE(test, record->kind, BRANCH_EXCEPTION);
	if (is_unknown || is_short)
		KUNIT_EXPECT_EQ_MSG(test, is_unknown && !is_short,
				    walk_is_in(record->from, "pass_keys"), "%pS -> %pS, kind %d",
				    (void *)(long)record->from, (void *)(long)record->to,
				    record->kind);
	return is_unknown;
}

static unsigned int expect_patched_walks(struct kunit *test, struct branch_ctx *ctx)
{
	unsigned int nr_branches = walk_branches_end - walk_branches;
	struct branch_record record;
	unsigned int patched = 0;
	unsigned int i = 0;

	walk_expect_entry(test, ctx, "branch_walk_twice");
	while (walk_read_branch(test, ctx, &record)) {
		patched += expect_no_patching(test, &record);
		if (walk_is_of_walk(&record))
			walk_expect_branch(test, &record, &walk_branches[i++ % nr_branches]);
	}
	KUNIT_EXPECT_EQ(test, i, 2 * nr_branches);
	return patched;
}

#define ENOUGH_PATCHED	50

/* W7. Text is patched in a window: calls of tracers, and jumps */
static void test_patched(struct kunit *test)
{
	unsigned int patched = 0;
	unsigned int passed = 0;
	struct branch_ctx *ctx;

	if (num_online_cpus() == 1)
		kunit_skip(test, "no other CPU can patch meanwhile");
	ctx = walk_open_ctx(test, "branch_walk_twice");
	begin_patcher(test);
	while (patched < ENOUGH_PATCHED && READ_ONCE(patcher.nr) < 10 * ENOUGH_PATCHED) {
		branch_walk_twice(pass_keys, &passed);
		patched += expect_patched_walks(test, ctx);
		cond_resched();
	}
	kunit_release_action(test, end_patcher, NULL);
	walk_close_ctx(test, ctx);
	KUNIT_EXPECT_EQ(test, patcher.error, 0);
	KUNIT_EXPECT_GT(test, passed, 0);
	KUNIT_EXPECT_GE(test, patched, ENOUGH_PATCHED);
	kunit_info(test, "met %u jumps that %u patches were at", patched, patcher.nr);
}

static struct kunit_case branch_window_patch_cases[] = {
	KUNIT_CASE(test_patched_between),
	KUNIT_CASE(test_lost),
	KUNIT_CASE(test_patched),
	{}
};

static struct kunit_suite branch_window_patch_suite = {
	.name = "branch_window_patch",
	.test_cases = branch_window_patch_cases,
};

kunit_test_suite(branch_window_patch_suite);
