// SPDX-License-Identifier: GPL-2.0
/*
 * Windows of the kernel, and what seldom meets one: other stacks, debuggers, windows that no
 * function has left.
 */
#include <kunit/test.h>
#include <linux/branch_backend.h>
#include <linux/branch_trace.h>
#include <linux/completion.h>
#include <linux/context_tracking.h>
#include <linux/cpumask.h>
#include <linux/delay.h>
#include <linux/err.h>
#include <linux/hrtimer.h>
#include <linux/interrupt.h>
#include <linux/irqflags.h>
#include <linux/kthread.h>
#include <linux/preempt.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/sched/task_stack.h>
#include <linux/smp.h>
#include <linux/thread_info.h>

#include <asm/asm.h>
#include <asm/branch_window.h>
#include <asm/debugreg.h>
#include <asm/processor-flags.h>
#include <asm/ptrace.h>

#include "../../step.h"
#include "../window.h"
#include "expect.h"
#include "walk.h"

/* A walk in a softirq, and whether that was as it should be */
struct softirq_walk {
	struct tasklet_struct	tasklet;
	unsigned int		nr;
	bool			followed;
	bool			on_own_stack;
};

static void walk_in_softirq(struct tasklet_struct *tasklet)
{
	struct softirq_walk *walk = from_tasklet(walk, tasklet, tasklet);

	walk->nr++;
	walk->followed = walk_has_trap_flag();
	walk->on_own_stack = object_is_on_stack(&walk);
	branch_walk();
}

static void raise_softirq_here(void *data)
{
	struct softirq_walk *walk = data;
	unsigned long flags;

	/* An interrupt would handle it, and that is not followed */
	local_irq_save(flags);
	tasklet_schedule(&walk->tasklet);
	do_softirq();
	local_irq_restore(flags);
}

/* How often the branches come back from where they are not followed; nothing of there is told */
static unsigned int count_hidden(struct kunit *test, struct branch_ctx *ctx, const char *function)
{
	struct branch_record record;
	unsigned int nr = 0;

	while (walk_read_branch(test, ctx, &record)) {
		nr += !!(record.flags & BRANCH_FLAG_FROM_HIDDEN);
		KUNIT_EXPECT_FALSE(test, walk_is_in(record.from, function));
		KUNIT_EXPECT_FALSE(test, walk_is_in(record.to, function));
	}
	return nr;
}

/* Softirqs that are handled in a window have another stack, and are not followed there */
static void test_softirq(struct kunit *test)
{
	struct branch_ctx *inner = walk_open_ctx(test, "branch_walk");
	struct branch_ctx *outer = walk_open_ctx(test, "branch_walk_twice");
	struct softirq_walk walk = { };
	unsigned int i;

	tasklet_setup(&walk.tasklet, walk_in_softirq);
	branch_walk_twice(raise_softirq_here, &walk);
	branch_ctx_stop(outer);
	branch_ctx_stop(inner);
	tasklet_kill(&walk.tasklet);
	KUNIT_EXPECT_EQ(test, walk.nr, 1);
	KUNIT_EXPECT_TRUE(test, walk.followed);
	KUNIT_EXPECT_FALSE(test, walk.on_own_stack);
	for (i = 0; i < 2; i++)
		walk_expect_window(test, inner, "branch_walk_twice");
	walk_expect_end(test, inner);
	walk_expect_entry(test, outer, "branch_walk_twice");
	/* It may be switched out, too */
	KUNIT_EXPECT_GE(test, count_hidden(test, outer, "walk_in_softirq"), 1);
	walk_close_ctx(test, inner);
	walk_close_ctx(test, outer);
}

struct interrupt_walks {
	struct hrtimer	timer;
	unsigned int	left;
};

static enum hrtimer_restart walk_in_interrupt(struct hrtimer *timer)
{
	struct interrupt_walks *walks = container_of(timer, struct interrupt_walks, timer);

	branch_walk();
	hrtimer_forward_now(timer, 100 * NSEC_PER_USEC);
	WRITE_ONCE(walks->left, walks->left - 1);
	return walks->left ? HRTIMER_RESTART : HRTIMER_NORESTART;
}

/* Windows may be entered on an interrupt's stack */
static void test_in_interrupt(struct kunit *test)
{
	struct branch_ctx *ctx = walk_open_ctx(test, "branch_walk");
	struct interrupt_walks walks = { .left = 20 };
	unsigned int i;

	hrtimer_init_on_stack(&walks.timer, CLOCK_MONOTONIC, HRTIMER_MODE_REL_PINNED_HARD);
	walks.timer.function = walk_in_interrupt;
	/* It must interrupt this task */
	preempt_disable();
	hrtimer_start(&walks.timer, 0, HRTIMER_MODE_REL_PINNED_HARD);
	while (READ_ONCE(walks.left))
		cpu_relax();
	preempt_enable();
	hrtimer_cancel(&walks.timer);
	destroy_hrtimer_on_stack(&walks.timer);
	branch_ctx_stop(ctx);
	for (i = 0; i < 20; i++)
		walk_expect_window_irqs_off(test, ctx, "walk_in_interrupt");
	walk_expect_end(test, ctx);
	walk_close_ctx(test, ctx);
}

/* A walk while the task is in another window, without the trap flag. Returns whether it resumes. */
static bool walk_behind(unsigned long outer_sp, bool on_own_stack)
{
	struct branch_window *window = &current->thread.branch_window;
	bool resumes;

	preempt_disable();
	window->outer_sp = outer_sp;
	window->on_own_stack = on_own_stack;
	window->lost = 3;
	window->resumes = true;
	window->open = BIT(BRANCH_STEP_WINDOWS - 1);
	branch_walk();
	resumes = window->resumes;
	window->resumes = false;
	window->open = 0;
	preempt_enable();
	return resumes;
}

/* A task that goes on elsewhere after an oops has not left its window. The next one is entered. */
static void test_left_behind(struct kunit *test)
{
	struct branch_ctx *ctx = walk_open_ctx(test, "branch_walk");
	unsigned long deepest = (unsigned long)task_stack_page(current);

	KUNIT_EXPECT_FALSE(test, walk_behind(deepest, true));
	KUNIT_EXPECT_FALSE(test, walk_behind(deepest + THREAD_SIZE, false));
	branch_ctx_stop(ctx);
	walk_expect_window(test, ctx, "walk_behind");
	walk_expect_window(test, ctx, "walk_behind");
	walk_expect_end(test, ctx);
	walk_close_ctx(test, ctx);
}

/* An exception that is handled in a window is not followed, so it enters none */
static void test_not_followed(struct kunit *test)
{
	struct branch_ctx *ctx = walk_open_ctx(test, "branch_walk");

	walk_behind((unsigned long)task_stack_page(current) + THREAD_SIZE, true);
	branch_ctx_stop(ctx);
	walk_expect_end(test, ctx);
	walk_close_ctx(test, ctx);
}

static void walk_in_nmi(void)
{
	unsigned long flags;

	local_irq_save(flags);
	__preempt_count_add(NMI_OFFSET);
	branch_walk();
	__preempt_count_sub(NMI_OFFSET);
	local_irq_restore(flags);
}

static void walk_in_idle(void)
{
	unsigned long flags;

	local_irq_save(flags);
	ct_idle_enter();
	branch_walk();
	ct_idle_exit();
	local_irq_restore(flags);
}

static void walk_while_telling(void)
{
	unsigned long flags;

	local_irq_save(flags);
	__this_cpu_inc(branch_telling);
	branch_walk();
	__this_cpu_dec(branch_telling);
	local_irq_restore(flags);
}

/*
 * Nobody knows a record's context in an NMI, RCU must watch to look for it, and what tells of a
 * branch may be a chosen function.
 */
static void test_nowhere(struct kunit *test)
{
	struct branch_ctx *ctx = walk_open_ctx(test, "branch_walk");

	walk_in_nmi();
	if (IS_ENABLED(CONFIG_CONTEXT_TRACKING_IDLE))
		walk_in_idle();
	walk_while_telling();
	branch_ctx_stop(ctx);
	walk_expect_end(test, ctx);
	walk_close_ctx(test, ctx);
}

static void set_current(void *data)
{
	bool *followed = data;
	unsigned long flags;

	local_irq_save(flags);
	branch_window_set(current);
	*followed = walk_has_trap_flag();
	local_irq_restore(flags);
}

/* What is wanted of the task that runs has changed. It was not switched out. */
static void test_set_current(struct kunit *test)
{
	bool followed = false;

	walk_expect_twice(test, set_current, &followed);
	KUNIT_EXPECT_TRUE(test, followed);
}

/* As if it had done so many steps that as many once more are too many */
static void step_long(void)
{
	current->thread.branch_window.steps += branch_window_most_steps / 4 * 3;
}

static void step_and_sleep(void *data)
{
	unsigned long switches = current->nvcsw;
	bool *resumes = data;
	unsigned int ms;

	step_long();
	/* The time may be over before a slow kernel sleeps, and each time takes many records */
	for (ms = 500; current->nvcsw == switches && ms < 10 * MSEC_PER_SEC; ms *= 2)
		msleep(ms);
	*resumes = current->thread.branch_window.resumes;
	step_long();
}

/* W5. Steps are counted from a switch to the next one only. Slow kernels need many to sleep. */
static void test_long_sleeper(struct kunit *test)
{
	unsigned int most_steps = branch_window_most_steps;
	bool resumes = true;

	branch_window_most_steps = BIT(24);
	walk_expect_twice(test, step_and_sleep, &resumes);
	branch_window_most_steps = most_steps;
	KUNIT_EXPECT_FALSE(test, resumes);
}

/* A task that an interrupt switches out has the trap flag again when the interrupt returns */
static void test_preempted(struct kunit *test)
{
	struct branch_window *window = &current->thread.branch_window;
	unsigned long flags;

	local_irq_save(flags);
	window->stepping = true;
	window->resumes = false;
	window->open = BIT(0);
	branch_window_set(idle_task(smp_processor_id()));
	window->open = 0;
	local_irq_restore(flags);
	KUNIT_EXPECT_TRUE(test, window->stepping);
	KUNIT_EXPECT_FALSE(test, window->resumes);
}

static void leave_block_step(void)
{
	clear_thread_flag(TIF_BLOCKSTEP);
	update_debugctlmsr(get_debugctlmsr() & ~DEBUGCTLMSR_BTF);
}

static void step_by_block(void *data)
{
	bool *followed = data;

	preempt_disable();
	set_thread_flag(TIF_BLOCKSTEP);
	barrier();
	*followed = walk_has_trap_flag();
	leave_block_step();
	preempt_enable();
}

static void walk_by_block(void)
{
	preempt_disable();
	set_thread_flag(TIF_BLOCKSTEP);
	branch_walk();
	leave_block_step();
	preempt_enable();
}

/* Where a debugger lets a task go on to its next branch, windows end, and none is entered */
static void test_block_step(struct kunit *test)
{
	struct branch_ctx *inner = walk_open_ctx(test, "branch_walk");
	struct branch_ctx *outer = walk_open_ctx(test, "branch_walk_twice");
	bool followed = true;

	branch_walk_twice(step_by_block, &followed);
	walk_by_block();
	branch_ctx_stop(outer);
	branch_ctx_stop(inner);
	KUNIT_EXPECT_FALSE(test, followed);
	walk_expect_entry(test, outer, "branch_walk_twice");
	walk_expect_walks(test, outer, 1);
	walk_expect_window(test, inner, "branch_walk_twice");
	walk_expect_window(test, inner, "branch_walk_twice");
	walk_expect_end(test, inner);
	walk_close_ctx(test, inner);
	walk_close_ctx(test, outer);
}

/* What #DB was raised for besides, or instead, is left to others */
static void test_not_ours(struct kunit *test)
{
	struct pt_regs regs = { .flags = X86_EFLAGS_TF };
	unsigned long dr6 = DR_TRAP0;

	KUNIT_EXPECT_FALSE(test, __branch_window_step(&regs, &dr6));
	KUNIT_EXPECT_EQ(test, dr6, DR_TRAP0);
	KUNIT_EXPECT_EQ(test, regs.flags, X86_EFLAGS_TF);
	dr6 = DR_TRAP0 | DR_STEP;
	KUNIT_EXPECT_FALSE(test, __branch_window_step(&regs, &dr6));
	KUNIT_EXPECT_EQ(test, dr6, DR_TRAP0);
	dr6 = DR_STEP;
	KUNIT_EXPECT_TRUE(test, __branch_window_step(&regs, &dr6));
	preempt_disable();
	set_thread_flag(TIF_BLOCKSTEP);
	dr6 = DR_STEP;
	KUNIT_EXPECT_FALSE(test, __branch_window_step(&regs, &dr6));
	leave_block_step();
	preempt_enable();
}

struct kept_flags {
	bool behind;
	bool late;
};

static noinline void keep_flags(void *data)
{
	struct branch_window *window = &current->thread.branch_window;
	unsigned long flags = native_save_fl();
	struct kept_flags *kept = data;

	WRITE_ONCE(window->stepping, false);
	kept->behind = walk_has_trap_flag();
	asm volatile("push %0; popf; nop; nop" : : "r" (flags) : "memory", "cc");
	kept->late = walk_has_trap_flag();
}

/* A trap flag that comes back late, from flags that were kept, is removed, and nothing is told */
static void test_late_flag(struct kunit *test)
{
	struct branch_ctx *ctx = walk_open_ctx(test, "branch_walk_twice");
	struct kept_flags kept = { true, true };
	struct branch_record record;

	branch_walk_twice(keep_flags, &kept);
	branch_ctx_stop(ctx);
	KUNIT_EXPECT_FALSE(test, kept.behind);
	KUNIT_EXPECT_FALSE(test, kept.late);
	walk_expect_entry(test, ctx, "branch_walk_twice");
	while (walk_read_branch(test, ctx, &record))
		KUNIT_EXPECT_NE(test, record.kind, BRANCH_UNKNOWN);
	walk_close_ctx(test, ctx);
}

#define FIXED_UP	5

static noinline void read_nothing_near(void)
{
	char byte = 0;

	asm volatile("1:	movb (%1), %b0\n"
		     "	.skip " __stringify(FIXED_UP) " - (. - 1b), 0x90\n"
		     "2:\n"
		     _ASM_EXTABLE(1b, 2b)
		     : "+a" (byte) : "d" (-PAGE_SIZE));
}

/* A fault that is fixed up as near as a no-op leads that is patched */
static void test_fault_near(struct kunit *test)
{
	struct branch_ctx *ctx = walk_open_ctx(test, "read_nothing_near");
	struct branch_record record;

	read_nothing_near();
	branch_ctx_stop(ctx);
	walk_expect_exception(test, ctx, "read_nothing_near", &record);
	KUNIT_EXPECT_EQ(test, record.to - record.from, FIXED_UP);
	walk_close_ctx(test, ctx);
}

/* What was recorded of walks: where they were entered, and what they took */
struct recorded {
	unsigned int entries;
	unsigned int branches;
	unsigned int walks;
};

#define MOST_WALKS	8

/* In an NMI, nothing is entered anyway. Without a limit, a walk might lead to the next for ever. */
static void walk_and_record(void *data, const struct branch_record *record)
{
	struct recorded *recorded = data;

	recorded->entries += record->kind == BRANCH_UNKNOWN;
	recorded->branches += walk_is_of_walk(record);
	if (in_nmi() || branch_is_marker(record->kind) || recorded->walks == MOST_WALKS)
		return;
	recorded->walks++;
	branch_walk();
}

/* What takes the records may call a chosen function. That is no window. */
static void test_record(struct kunit *test)
{
	static const struct branch_ops ops = { .record = walk_and_record };
	struct recorded recorded = { };
	struct branch_ctx *ctx = walk_open_ctx_with(test, "branch_walk", &ops, &recorded);

	branch_walk();
	branch_ctx_stop(ctx);
	KUNIT_EXPECT_EQ(test, recorded.walks, 1);
	KUNIT_EXPECT_EQ(test, recorded.entries, 1);
	KUNIT_EXPECT_EQ(test, recorded.branches, walk_branches_end - walk_branches);
	walk_close_ctx(test, ctx);
}

/* A thread that sleeps in a window until it is told to go on */
struct sleeper {
	struct completion	go;
	struct completion	done;
};

static void sleep_until_told(void *data)
{
	struct sleeper *sleeper = data;

	wait_for_completion(&sleeper->go);
}

static int walk_and_sleep(void *data)
{
	struct sleeper *sleeper = data;

	branch_walk_twice(sleep_until_told, sleeper);
	complete(&sleeper->done);
	return 0;
}

static bool sleeps_in_window(struct task_struct *task)
{
	return READ_ONCE(task->thread.branch_window.open) &&
	       READ_ONCE(task->thread.branch_window.resumes);
}

static bool wait_for_sleeper(struct task_struct *task)
{
	unsigned int i;

	for (i = 0; i < 1000 && !sleeps_in_window(task); i++)
		msleep(20);
	return sleeps_in_window(task);
}

/* The next context may get the number of the last one's window. What sleeps there is in none. */
static void test_forget(struct kunit *test)
{
	struct sleeper sleeper = {
		.go = COMPLETION_INITIALIZER_ONSTACK(sleeper.go),
		.done = COMPLETION_INITIALIZER_ONSTACK(sleeper.done),
	};
	struct task_struct *task = kthread_create(walk_and_sleep, &sleeper, "branch_walk");
	struct branch_ctx *ctx;
	bool sleeps;

	KUNIT_ASSERT_FALSE(test, IS_ERR(task));
	ctx = walk_open_ctx_of(test, task, "branch_walk_twice");
	wake_up_process(task);
	sleeps = wait_for_sleeper(task);
	walk_close_ctx(test, ctx);
	ctx = walk_open_ctx_of(test, NULL, "read_nothing_near");
	complete(&sleeper.go);
	wait_for_completion(&sleeper.done);
	branch_ctx_stop(ctx);
	KUNIT_EXPECT_TRUE(test, sleeps);
	walk_expect_end(test, ctx);
	walk_close_ctx(test, ctx);
}

/* While this runs, the CPU's idle task does not */
static int keep_busy(void *data)
{
	while (!kthread_should_stop()) {
		cpu_relax();
		cond_resched_tasks_rcu_qs();
	}
	return 0;
}

/* A thread for which the CPU's idle task was switched out in a window, or NULL */
static struct task_struct *switch_idle_out(unsigned int cpu)
{
	struct task_struct *busy;
	unsigned int i;

	for (i = 0; i < 1000; i++) {
		msleep(20);
		busy = kthread_run_on_cpu(keep_busy, NULL, cpu, "branch_busy/%u");
		if (IS_ERR(busy))
			break;
		msleep(20);
		if (sleeps_in_window(idle_task(cpu)))
			return busy;
		kthread_stop(busy);
	}
	return NULL;
}

/* Idle tasks are switched out in the function that they call for that */
static void test_forget_idle(struct kunit *test)
{
	struct branch_ctx *ctx = walk_open_ctx_of(test, NULL, "schedule_idle");
	struct task_struct *busy = switch_idle_out(cpumask_first(cpu_online_mask));

	KUNIT_ASSERT_NOT_NULL(test, busy);
	walk_close_ctx(test, ctx);
	ctx = walk_open_ctx_of(test, NULL, "read_nothing_near");
	kthread_stop(busy);
	msleep(100);
	branch_ctx_stop(ctx);
	walk_expect_end(test, ctx);
	walk_close_ctx(test, ctx);
}

static struct kunit_case branch_window_rare_cases[] = {
	KUNIT_CASE(test_softirq),
	KUNIT_CASE(test_in_interrupt),
	KUNIT_CASE(test_left_behind),
	KUNIT_CASE(test_not_followed),
	KUNIT_CASE(test_nowhere),
	KUNIT_CASE(test_set_current),
	KUNIT_CASE(test_long_sleeper),
	KUNIT_CASE(test_block_step),
	KUNIT_CASE(test_not_ours),
	KUNIT_CASE(test_late_flag),
	KUNIT_CASE(test_fault_near),
	KUNIT_CASE(test_preempted),
	KUNIT_CASE(test_record),
	KUNIT_CASE(test_forget),
	KUNIT_CASE(test_forget_idle),
	{}
};

static struct kunit_suite branch_window_rare_suite = {
	.name = "branch_window_rare",
	.test_cases = branch_window_rare_cases,
};

kunit_test_suite(branch_window_rare_suite);
