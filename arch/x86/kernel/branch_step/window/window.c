// SPDX-License-Identifier: GPL-2.0
/*
 * Branches of the kernel by single steps, in windows: from a call of a chosen function to its
 * return.
 *
 * Where a chosen function is called, the trap flag is set. From then on, each instruction raises
 * #DB when it has been executed, until the stack is less deep than at the call. The CPU removes
 * the flag whenever it takes an interrupt or exception, and it comes back when that returns. So
 * these are not followed.
 *
 * W1. Whatever this is called for must not wait for what was interrupted: #DB comes anywhere.
 * W2. Nothing that is written for a record may make what was interrupted begin again, if that is
 *     followed. What tells of branches is not followed, and no time is taken from a clock that
 *     notes what it has told. Nor may anything be traced on the way of a step in a tracer.
 * W3. No code with the trap flag goes to another task. When the current task is about to be
 *     switched out, the flag is removed, and it is set when it was switched in.
 * W4. An exception may let the task go on somewhere else. The instruction there is executed before
 *     #DB is raised, so this is noted before the exception returns.
 * W6. Windows end before the machine sleeps and before another kernel takes over. #DB cannot be
 *     handled there, nor on the way back.
 * W7. The text may be patched between the look at an instruction and its execution. Another
 *     instruction is there only after a breakpoint was, and after this CPU has taken an interrupt,
 *     for which the CPU that patches waits.
 */
#include <linux/bitops.h>
#include <linux/branch_backend.h>
#include <linux/cpumask.h>
#include <linux/ftrace.h>
#include <linux/instruction_pointer.h>
#include <linux/irqflags.h>
#include <linux/kprobes.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/sched/clock.h>
#include <linux/sched/task_stack.h>
#include <linux/smp.h>
#include <linux/thread_info.h>
#include <linux/uaccess.h>

#include <asm/branch_window.h>
#include <asm/debugreg.h>
#include <asm/ftrace.h>
#include <asm/ptrace.h>
#include <asm/text-patching.h>

#include "../insn.h"
#include "../step.h"
#include "window.h"

#define KERNEL_FLAGS	(BRANCH_FLAG_FROM_KERNEL | BRANCH_FLAG_TO_KERNEL)

/*
 * W5. A task does at most so many steps in a row. Steps are slow, and code that begins again if it
 * was too slow, such as a reader of a clock that ticks meanwhile, may never be done with steps.
 */
unsigned int branch_window_most_steps = BIT(20);

static_assert(BRANCH_STEP_WINDOWS == BRANCH_MAX_WINDOWS);

static unsigned long wanted(void)
{
	return this_cpu_read(branch_step_wanted) >> BRANCH_WINDOW_SHIFT;
}

/* W2. A time that is not known is 0. */
static u64 time_now(void)
{
	return sched_clock_stable() ? local_clock_noinstr() : 0;
}

static void deliver_to(unsigned long windows, u64 from, u64 to, enum branch_kind kind,
		       unsigned int flags)
{
	struct branch_record record = {
		.from = from,
		.to = to,
		.kind = kind,
		.flags = KERNEL_FLAGS | flags,
		.time = time_now(),
	};

	branch_step_deliver(&record, windows);
}

static void tell_lost(struct branch_window *window)
{
	unsigned int lost = window->lost;

	if (!lost)
		return;
	window->lost = 0;
	deliver_to(window->open, lost, 0, BRANCH_LOST, 0);
}

static void deliver(struct branch_window *window, u64 from, u64 to, enum branch_kind kind,
		    unsigned int flags)
{
	tell_lost(window);
	deliver_to(window->open, from, to, kind, flags);
}

/* The task is here, and how it came is not told */
static void deliver_here(struct branch_window *window, u64 to)
{
	deliver(window, 0, to, BRANCH_UNKNOWN, BRANCH_FLAG_FROM_HIDDEN);
}

/* Text ends at the end of a page, and there may be nothing behind it */
static unsigned int read_text(u8 *bytes, unsigned long address, unsigned int size)
{
	unsigned int i;

	for (i = 0; i < size; i++)
		__get_kernel_nofault(&bytes[i], (void *)(address + i), u8, missing);
missing:
	return i;
}

static void decode(struct branch_insn_read *insn, const u8 *bytes, unsigned int size)
{
	branch_insn_decode(insn, bytes, size,
			   IS_ENABLED(CONFIG_X86_64) ? INSN_MODE_64 : INSN_MODE_32);
}

static void look_at(struct branch_insn_read *insn, unsigned long address)
{
	u8 bytes[MAX_INSN_SIZE];

	decode(insn, bytes, read_text(bytes, address, sizeof(bytes)));
}

/* The instruction behind such a one may be executed before #DB is raised, or not */
static void look_behind_shadow(struct branch_window *window)
{
	unsigned int i;

	for (i = 0; i < BRANCH_MOST_SHADOWS && window->insn.what == BRANCH_INSN_SHADOW; i++) {
		window->from += window->insn.length;
		look_at(&window->insn, window->from);
	}
}

/* Look at what will be executed next */
static void arm(struct branch_window *window, unsigned long ip)
{
	window->begin = ip;
	window->from = ip;
	look_at(&window->insn, ip);
	look_behind_shadow(window);
}

/* W7. It is seldom patched: noinline keeps that out of each step */
static noinline void look_again(struct branch_window *window)
{
	look_at(&window->insn, window->from);
}

static bool is_own_stack(unsigned long sp)
{
	return sp - (unsigned long)task_stack_page(current) < THREAD_SIZE;
}

/* Interrupts do not change stacks from a call to its return */
static bool is_on_stack(struct branch_window *window, unsigned long sp)
{
	return is_own_stack(sp) == window->on_own_stack;
}

static void begin_aside(struct branch_window *window, enum branch_aside_why why,
			unsigned long until_ip, unsigned long until_sp)
{
	window->aside = (struct branch_aside) {
		.why = why,
		.in_slot = why == ASIDE_PROBE,
		.until_ip = until_ip,
		.until_sp = until_sp,
	};
}

/* A probe stands for one instruction or, if it is a jump, for all that the jump has replaced */
static bool is_behind_probe(struct branch_window *window, unsigned long ip)
{
	return ip - window->from <= MAX_INSN_SIZE + DISP32_SIZE;
}

/*
 * The stack may be deeper when a probed instruction has been executed. The probe's handler may come
 * there, too, if it calls what is probed, but no handler is called then.
 */
static bool has_left_slot(struct branch_window *window, unsigned long ip)
{
	struct branch_aside *aside = &window->aside;
	bool was_in_slot = aside->in_slot;

	aside->in_slot = branch_window_place(ip) == BRANCH_PLACE_PROBE;
	if (ip == window->from) {
		aside->nested = true;
		return false;
	}
	if (!was_in_slot || !is_behind_probe(window, ip))
		return false;
	if (!aside->nested)
		return true;
	aside->nested = false;
	return false;
}

static bool is_aside(struct branch_window *window, struct pt_regs *regs)
{
	struct branch_aside *aside = &window->aside;
	enum branch_place place;

	if (!is_on_stack(window, regs->sp))
		return true;
	if (regs->sp < aside->until_sp)
		return aside->why != ASIDE_PROBE || !has_left_slot(window, regs->ip);
	place = branch_window_place(regs->ip);
	if (place == BRANCH_PLACE_THUNK)
		return aside->why == ASIDE_RETURN;
	return place != BRANCH_PLACE_KERNEL;
}

/*
 * Whether a probe has led elsewhere. If an exception has, it was the one instruction that failed: a
 * jump never stands for instructions whose failure is fixed up. It may also be done again.
 */
static bool has_failed_in_slot(struct branch_window *window, unsigned long ip,
			       enum branch_kind moved)
{
	if (moved == BRANCH_EXCEPTION)
		return ip != window->from && ip != window->from + window->insn.length;
	return !is_behind_probe(window, ip);
}

/*
 * Nothing was looked at since: @from and @insn are what led there. If a probe has led elsewhere,
 * that is a branch of kind @moved.
 */
static void end_aside(struct branch_window *window, struct pt_regs *regs, enum branch_kind moved)
{
	struct branch_aside aside = window->aside;

	window->aside.why = 0;
	switch (aside.why) {
	case ASIDE_TRACER:
		if (regs->ip != aside.until_ip)
			deliver(window, window->from, regs->ip, BRANCH_UNKNOWN, 0);
		break;
	case ASIDE_RETURN:
		deliver(window, window->from, regs->ip, branch_insn_kind(&window->insn), 0);
		break;
	case ASIDE_PROBE:
		if (has_failed_in_slot(window, regs->ip, moved))
			deliver(window, window->from, regs->ip, moved, 0);
		break;
	case ASIDE_ELSEWHERE:
		deliver_here(window, regs->ip);
		break;
	default:
		break;
	}
}

static bool has_branched(struct branch_window *window, struct pt_regs *regs)
{
	return branch_insn_has_branched(&window->insn, window->from, regs);
}

/* Windows whose functions have returned are over. @sp is of the stack that they were entered on. */
static void leave_windows(struct branch_window *window, unsigned long sp)
{
	unsigned int nr;

	for_each_set_bit(nr, &window->open, BRANCH_STEP_WINDOWS) {
		if (sp > window->sp[nr])
			clear_bit(nr, &window->open);
	}
}

/* Where a function calls its tracers, this is what can be seen: the call, a no-op, a breakpoint */
static bool may_call_tracer(const struct branch_insn_read *insn)
{
	return insn->what == BRANCH_INSN_CALL || insn->what == BRANCH_INSN_OTHER ||
	       insn->what == BRANCH_INSN_TRAP;
}

static void follow_branch(struct branch_window *window, struct pt_regs *regs,
			  enum branch_kind kind)
{
	enum branch_place place = branch_window_place(regs->ip);

	if (may_call_tracer(&window->insn) && ftrace_location_range(window->from, window->from))
		begin_aside(window, ASIDE_TRACER, window->from + MCOUNT_INSN_SIZE,
			    regs->sp + sizeof(long));
	else if (place == BRANCH_PLACE_PROBE)
		begin_aside(window, ASIDE_PROBE, 0, regs->sp);
	else if (place == BRANCH_PLACE_RETURN)
		begin_aside(window, ASIDE_RETURN, 0, regs->sp);
	else
		deliver(window, window->from, regs->ip, kind, 0);
}

static void follow_aside(struct branch_window *window, struct pt_regs *regs,
			 enum branch_kind moved)
{
	if (!is_aside(window, regs))
		end_aside(window, regs, moved);
}

static void follow_step(struct branch_window *window, struct pt_regs *regs)
{
	if (!is_on_stack(window, regs->sp)) {
		begin_aside(window, ASIDE_ELSEWHERE, 0, 0);
		return;
	}
	/* See look_behind_shadow() */
	if (branch_insn_in_shadow(window->begin, window->from, regs->ip))
		return;
	/* W7. A breakpoint was seen, but not executed: that does not end as a step does */
	if (window->insn.what == BRANCH_INSN_TRAP)
		look_again(window);
	if (has_branched(window, regs))
		follow_branch(window, regs, branch_insn_kind(&window->insn));
}

/* A debugger that lets the task go on to its next branch does so in the kernel, too */
static void leave_unwanted(struct branch_window *window)
{
	unsigned long left = test_thread_flag(TIF_BLOCKSTEP) ? 0 : wanted();
	unsigned long unwanted = window->open & ~left;
	unsigned int nr;

	for_each_set_bit(nr, &unwanted, BRANCH_STEP_WINDOWS)
		clear_bit(nr, &window->open);
}

/* Tell that the function goes on from here without being followed. Tracers are not shown here. */
static void give_up(struct branch_window *window, unsigned long ip)
{
	deliver(window, window->aside.why ? window->from : ip, 0, BRANCH_UNKNOWN,
		BRANCH_FLAG_TO_HIDDEN);
	WRITE_ONCE(window->open, 0);
}

static void did_step(struct branch_window *window, struct pt_regs *regs)
{
	leave_unwanted(window);
	if (!window->open || branch_is_telling())
		return;
	if (++window->steps > branch_window_most_steps) {
		give_up(window, regs->ip);
		return;
	}
	if (window->aside.why)
		follow_aside(window, regs, BRANCH_UNKNOWN);
	else
		follow_step(window, regs);
}

/* Set the trap flag for the next instruction, or remove it for good */
static void go_on(struct branch_window *window, struct pt_regs *regs)
{
	if (!window->aside.why)
		leave_windows(window, regs->sp);
	if (!window->open || !window->stepping) {
		regs->flags &= ~X86_EFLAGS_TF;
		return;
	}
	regs->flags |= X86_EFLAGS_TF;
	if (!window->aside.why)
		arm(window, regs->ip);
}

/**
 * __branch_window_step() - the current task has done a step in the kernel, maybe
 * @regs: of the kernel
 * @dr6: why #DB was raised; the step is taken out if it was ours
 *
 * Nothing that is traced is called before: a tracer may be what is stepped.
 *
 * Context: as an NMI.
 * Return: true if nothing else is left to do.
 */
bool __branch_window_step(struct pt_regs *regs, unsigned long *dr6)
{
	struct branch_window *window = &current->thread.branch_window;

	if (!(*dr6 & DR_STEP))
		return false;
	if (window->stepping)
		did_step(window, regs);
	go_on(window, regs);
	*dr6 &= ~DR_STEP;
	return !*dr6 && !test_thread_flag(TIF_BLOCKSTEP);
}

/*
 * A jump of two bytes may lead as far as a no-op of five. The byte behind the breakpoint is what is
 * left of the no-op of two bytes then, or says how far the jump leads.
 */
static bool may_be_short_jump(unsigned long from)
{
	u8 byte = 0;

	read_text(&byte, from + 1, 1);
	return byte == BYTES_NOP1 || byte == JMP32_INSN_SIZE - JMP8_INSN_SIZE;
}

/* Patching changes no size. If the breakpoint is all that was seen, the size is not known. */
static bool leads_as_no_op(struct branch_window *window, unsigned long size)
{
	if (window->insn.length > INT3_INSN_SIZE)
		return size == window->insn.length;
	return size == JMP8_INSN_SIZE ||
	       (size == JMP32_INSN_SIZE && !may_be_short_jump(window->from));
}

/*
 * What stands where a breakpoint was. If it is a probe's, the probe knows. If the text is being
 * patched, and the task is where a no-op leads, it is one.
 */
static void look_behind_breakpoint(struct branch_window *window, struct pt_regs *regs)
{
	unsigned long size = regs->ip - window->from;
	u8 bytes[MAX_INSN_SIZE];
	struct kprobe *probe;

	if (window->insn.what != BRANCH_INSN_TRAP)
		return;
	probe = rcu_is_watching() ? get_kprobe((void *)window->from) : NULL;
	if (probe) {
		size = read_text(bytes, window->from, sizeof(bytes));
		bytes[0] = probe->opcode;
		decode(&window->insn, bytes, size);
	} else if (leads_as_no_op(window, size)) {
		window->insn.what = BRANCH_INSN_OTHER;
		window->insn.length = size;
	}
}

static enum branch_kind kind_of_move(const struct branch_insn_read *insn)
{
	if (insn->what == BRANCH_INSN_TRAP)
		return BRANCH_UNKNOWN;
	return branch_insn_kind(insn) ?: BRANCH_EXCEPTION;
}

static void follow_move(struct branch_window *window, struct pt_regs *regs)
{
	look_behind_breakpoint(window, regs);
	if (!has_branched(window, regs))
		return;
	if (rcu_is_watching())
		follow_branch(window, regs, kind_of_move(&window->insn));
	else
		window->lost++;
}

static bool has_moved(struct branch_window *window, unsigned long ip)
{
	return ip != window->begin && !branch_insn_in_shadow(window->begin, window->from, ip);
}

/**
 * __branch_window_moved() - an exception of the current task returns
 * @regs: where to
 *
 * W4. The trap flag is set there. A task that goes on where it was has not moved.
 *
 * Some exceptions come here though RCU does not watch. There are neither probes nor tracers then,
 * nor can it be asked whose an instruction is, and nothing can be told.
 *
 * Context: any, interrupts off.
 */
void __branch_window_moved(struct pt_regs *regs)
{
	struct branch_window *window = &current->thread.branch_window;

	if (!window->stepping || branch_is_telling())
		return;
	if (window->aside.why) {
		if (rcu_is_watching())
			follow_aside(window, regs, BRANCH_EXCEPTION);
	} else if (has_moved(window, regs->ip)) {
		follow_move(window, regs);
	} else {
		look_again(window);
		return;
	}
	go_on(window, regs);
}

/**
 * __branch_window_poked() - what the current task has executed is the breakpoint of a patch
 * @regs: where the instruction leads that is put there
 *
 * W7. This may be another instruction than was looked at.
 *
 * Context: any, interrupts off.
 */
void __branch_window_poked(struct pt_regs *regs)
{
	struct branch_window *window = &current->thread.branch_window;

	if (!window->aside.why)
		window->insn.what = BRANCH_INSN_TRAP;
	__branch_window_moved(regs);
}

/**
 * branch_window_set() - another task is wanted on this CPU from now on, or in another way
 * @next: the task, which may be the current one
 *
 * W3. If the current task is switched out from an interrupt, it does not have the trap flag now.
 *
 * Context: interrupts off.
 */
void branch_window_set(struct task_struct *next)
{
	struct branch_window *window = &current->thread.branch_window;

	if (next == current || !window->open || !window->stepping ||
	    !(native_save_fl() & X86_EFLAGS_TF))
		return;
	window->stepping = false;
	window->resumes = true;
}

static __always_inline void set_trap_flag(void)
{
	unsigned long flags = native_save_fl() | X86_EFLAGS_TF;

	asm volatile("push %0; popf" : : "r" (flags) : "memory", "cc");
}

/**
 * __branch_window_resume() - the current task was switched in, and is in a window
 *
 * It is not followed before this returns: then the stack is less deep than its frame, and the
 * return address above that.
 *
 * Context: the scheduler's.
 */
void __branch_window_resume(void)
{
	struct branch_window *window = &current->thread.branch_window;

	window->resumes = false;
	if (!window->open)
		return;
	/* A tracer may have been switched out */
	if (!window->aside.why)
		begin_aside(window, ASIDE_ELSEWHERE, 0,
			    (unsigned long)__builtin_frame_address(0) + 2 * sizeof(long));
	window->steps = 0;
	window->stepping = true;
	set_trap_flag();
}

/**
 * __branch_window_end() - end all windows that the current task is in
 *
 * W6. #DB finds that nothing is left to do, and removes the trap flag.
 *
 * Context: any.
 */
void __branch_window_end(void)
{
	struct branch_window *window = &current->thread.branch_window;
	unsigned long flags;

	raw_local_irq_save(flags);
	__this_cpu_inc(branch_telling);
	give_up(window, _THIS_IP_);
	__this_cpu_dec(branch_telling);
	raw_local_irq_restore(flags);
}

/*
 * Whether the function that was entered first does not run any more, and has not returned. Nothing
 * of an interrupt is left when the task's own stack is in use again.
 */
static bool is_over(struct branch_window *window, unsigned long sp)
{
	if (is_on_stack(window, sp))
		return sp > window->outer_sp;
	return !window->on_own_stack;
}

/* An interrupt may enter windows, too, but only if what it has interrupted is in none */
static bool may_enter(struct branch_window *window, unsigned int nr, struct pt_regs *regs)
{
	if (is_over(window, regs->sp))
		window->open = 0;
	if (!window->open)
		return true;
	return is_on_stack(window, regs->sp) && !test_bit(nr, &window->open) &&
	       regs->flags & X86_EFLAGS_TF;
}

static void begin(struct branch_window *window, unsigned long ip, struct pt_regs *regs)
{
	window->on_own_stack = is_own_stack(regs->sp);
	window->outer_sp = regs->sp;
	window->lost = 0;
	window->steps = 0;
	window->resumes = false;
	window->used = true;
	window->stepping = true;
	window->from = ip;
	begin_aside(window, ASIDE_TRACER, regs->ip, regs->sp);
}

static void enter(struct branch_window *window, unsigned int nr, unsigned long ip,
		  struct pt_regs *regs)
{
	if (!window->open)
		begin(window, ip, regs);
	window->sp[nr] = regs->sp;
	deliver_to(BIT(nr), 0, ip, BRANCH_UNKNOWN, BRANCH_FLAG_FROM_HIDDEN);
	set_bit(nr, &window->open);
	regs->flags |= X86_EFLAGS_TF;
}

/**
 * branch_window_enter() - a chosen function is called
 * @nr: the window's number
 * @ip: where the function calls its tracers
 * @regs: its registers, which get the trap flag
 *
 * Context: any.
 */
void branch_window_enter(unsigned int nr, unsigned long ip, struct pt_regs *regs)
{
	struct branch_window *window = &current->thread.branch_window;
	unsigned long flags;

	/* A CPU that comes up may have no #DB yet, one that goes none any more */
	if (in_nmi() || !cpu_online(raw_smp_processor_id()) || !rcu_is_watching() ||
	    test_thread_flag(TIF_BLOCKSTEP))
		return;
	raw_local_irq_save(flags);
	/* What tells of branches may call the function itself */
	if (!branch_is_telling() && wanted() & BIT(nr) && may_enter(window, nr, regs))
		enter(window, nr, ip, regs);
	raw_local_irq_restore(flags);
}
