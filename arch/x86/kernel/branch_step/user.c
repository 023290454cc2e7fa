// SPDX-License-Identifier: GPL-2.0
/*
 * Branches of user mode by single steps.
 *
 * A task whose branches are wanted has TIF_BRANCH_STEP. On its way to user mode, the instruction
 * that it will execute is looked at, and the trap flag is set. The CPU executes the instruction
 * and raises #DB: now it is known whether that was a branch, and where it went.
 *
 * S1. The trap flag is removed as soon as the task comes from user mode, whatever it comes for,
 *     and set on its way back. So no signal frame, no debugger and no child sees it. In the kernel
 *     only NMIs do, which come and go another way.
 * S2. If the program or a debugger has set the trap flag, it stays, and #DB is theirs.
 * S3. A task may have TIF_BRANCH_STEP that is not wanted any more where it runs now. It is asked
 *     for on the way to user mode, and only there.
 * S4. What is written for a record may send this CPU an interrupt: a trigger, a reader that is
 *     woken. If each interrupt that comes before the task has executed anything led to a record,
 *     the task would never execute anything.
 */
#include <linux/branch_backend.h>
#include <linux/errno.h>
#include <linux/percpu.h>
#include <linux/sched.h>
#include <linux/sched/clock.h>
#include <linux/thread_info.h>
#include <linux/uaccess.h>

#include <asm/branch_step.h>
#include <asm/debugreg.h>
#include <asm/ptrace.h>
#include <asm/segment.h>

#include "insn.h"
#include "step.h"

DEFINE_STATIC_KEY_FALSE(branch_step_used);

static void deliver(u64 from, u64 to, enum branch_kind kind, unsigned int flags)
{
	struct branch_record record = {
		.from = from,
		.to = to,
		.kind = kind,
		.flags = flags,
		.time = local_clock_noinstr(),
	};

	branch_step_deliver(&record, 0);
}

/* From this instruction, the task has come to the kernel */
static void deliver_entry(u64 from, enum branch_kind kind)
{
	deliver(from, 0, kind, BRANCH_FLAG_TO_KERNEL | BRANCH_FLAG_TO_HIDDEN);
}

static void deliver_exit(u64 to)
{
	deliver(0, to, BRANCH_TO_USER, BRANCH_FLAG_FROM_KERNEL | BRANCH_FLAG_FROM_HIDDEN);
}

/*
 * Segments that do not begin at 0 are for programs that have set them up (modify_ldt()). Their
 * instructions are not looked at.
 */
static bool is_flat(struct pt_regs *regs)
{
	if (IS_ENABLED(CONFIG_X86_64))
		return user_64bit_mode(regs) || regs->cs == __USER32_CS;
	return regs->cs == __USER_CS;
}

static enum insn_mode mode_of(struct pt_regs *regs)
{
	return user_64bit_mode(regs) ? INSN_MODE_64 : INSN_MODE_32;
}

/* No page is brought in: what is not there yet is looked at again when it is. Context: any. */
static unsigned int copy_bytes(u8 *bytes, unsigned long address, unsigned int size)
{
	unsigned int missing;

	if (!__access_ok((void __user *)address, size))
		return 0;
	pagefault_disable();
	missing = __copy_from_user_inatomic(bytes, (void __user *)address, size);
	pagefault_enable();
	return size - missing;
}

static void look_at(struct branch_insn_read *read, struct pt_regs *regs, unsigned long address)
{
	u8 bytes[MAX_INSN_SIZE];
	unsigned int size = is_flat(regs) ? copy_bytes(bytes, address, sizeof(bytes)) : 0;

	branch_insn_decode(read, bytes, size, mode_of(regs));
}

/*
 * After such an instruction, the CPU may go on with the next one before it raises #DB, or not, and
 * the next one may be interrupted.
 */
static void look_behind_shadow(struct branch_step *step, struct pt_regs *regs)
{
	unsigned int i;

	for (i = 0; i < BRANCH_MOST_SHADOWS && step->insn.what == BRANCH_INSN_SHADOW; i++) {
		step->from += step->insn.length;
		look_at(&step->insn, regs, step->from);
	}
}

static void arm(struct branch_step *step, struct pt_regs *regs)
{
	step->begin = regs->ip;
	step->from = regs->ip;
	step->cs = regs->cs;
	step->blockstep = test_thread_flag(TIF_BLOCKSTEP);
	look_at(&step->insn, regs, step->from);
	look_behind_shadow(step, regs);
	/* S2 */
	step->our_tf = !(regs->flags & X86_EFLAGS_TF);
	regs->flags |= X86_EFLAGS_TF;
	step->armed = true;
}

/*
 * Nothing is told of a task that goes on where its step has ended. S4. If an interrupt came before
 * the task had executed anything, its return is told when the task has.
 */
static void tell_exit(struct branch_step *step, struct pt_regs *regs)
{
	if (step->stepped && step->left == regs->ip)
		return;
	if (step->stuck && step->left == regs->ip) {
		step->untold = true;
		return;
	}
	step->untold = false;
	if (step->stepped)
		deliver_entry(step->left, step->theirs ? BRANCH_EXCEPTION : BRANCH_TO_KERNEL);
	deliver_exit(regs->ip);
}

/**
 * __branch_step_exit() - let a task do one step in user mode, if that is wanted
 * @regs: of user mode
 *
 * Context: the last thing on the way to user mode, interrupts off.
 */
void __branch_step_exit(struct pt_regs *regs)
{
	struct branch_step *step = &current->thread.branch_step;

	if (!(this_cpu_read(branch_step_wanted) & BRANCH_USER)) {
		/* S3 */
		clear_thread_flag(TIF_BRANCH_STEP);
	} else if (!v8086_mode(regs)) {
		tell_exit(step, regs);
		arm(step, regs);
	}
	step->stepped = false;
	step->stuck = false;
}

/*
 * The instruction syscall has copied the flags to a register, but not with FRED (Intel's FRED
 * specification: r11 stays). An interrupt that came before it finds the task at the instruction.
 */
static void clean_syscall(struct branch_step *step, struct pt_regs *regs)
{
#ifdef CONFIG_X86_64
	if (cpu_feature_enabled(X86_FEATURE_FRED))
		return;
	if (step->our_tf && step->insn.what == BRANCH_INSN_SYSCALL && user_64bit_mode(regs) &&
	    regs->ip == step->from + step->insn.length)
		regs->r11 &= ~X86_EFLAGS_TF;
#endif
}

/*
 * The instruction that was executed, and has brought the task here without a step. A task that is
 * where it began, or behind an instruction that only loads the stack segment, has executed none.
 */
static enum branch_insn executed(struct branch_step *step, struct pt_regs *regs)
{
	if (regs->ip == step->begin || branch_insn_in_shadow(step->begin, step->from, regs->ip))
		return BRANCH_INSN_OTHER;
	return step->insn.what;
}

static void tell_late(struct branch_step *step)
{
	if (!step->untold)
		return;
	step->untold = false;
	deliver_exit(step->begin);
}

static void tell_entry(struct branch_step *step, struct pt_regs *regs, bool interrupted)
{
	if (interrupted) {
		deliver_entry(regs->ip, BRANCH_INTERRUPT);
		return;
	}
	switch (executed(step, regs)) {
	case BRANCH_INSN_SYSCALL:
	case BRANCH_INSN_SYSENTER:
		deliver_entry(step->from, BRANCH_SYSCALL);
		break;
	case BRANCH_INSN_TRAP:
		deliver_entry(step->from, BRANCH_EXCEPTION);
		break;
	case BRANCH_INSN_UNKNOWN:
		deliver_entry(step->from, BRANCH_TO_KERNEL);
		break;
	default:
		deliver_entry(regs->ip, BRANCH_EXCEPTION);
	}
}

/* noinline keeps this out of the entries of tasks that are not stepped */
static noinline void come_back(struct branch_step *step, struct pt_regs *regs)
{
	bool interrupted = step->interrupted;

	step->armed = false;
	step->left = regs->ip;
	step->had_tf = regs->flags & X86_EFLAGS_TF;
	/* S1 */
	if (step->our_tf)
		regs->flags &= ~X86_EFLAGS_TF;
	/* S4. More interrupts with nothing in between are told as one */
	step->stuck = interrupted && regs->ip == step->begin;
	step->interrupted = false;
	if (step->stuck && step->untold)
		return;
	tell_late(step);
	if (step->trap) {
		step->trap = false;
		step->stepped = true;
		return;
	}
	clean_syscall(step, regs);
	tell_entry(step, regs, interrupted);
}

/**
 * __branch_step_enter() - a task has come from user mode
 * @regs: of user mode
 *
 * Context: interrupts off.
 */
void __branch_step_enter(struct pt_regs *regs)
{
	struct branch_step *step = &current->thread.branch_step;

	if (step->armed)
		come_back(step, regs);
}

/*
 * If the instruction could not be read before, it may be there now. A far jump may have led to
 * another segment, where there is something else at its address.
 */
static void look_again(struct branch_step *step, struct pt_regs *regs)
{
	if (step->insn.what == BRANCH_INSN_UNKNOWN && regs->cs == step->cs)
		look_at(&step->insn, regs, step->from);
}

static void tell_step(struct branch_step *step, struct pt_regs *regs)
{
	if (branch_insn_has_branched(&step->insn, step->from, regs))
		deliver(step->from, regs->ip, branch_insn_kind(&step->insn), 0);
}

#define TF_IN_BYTE (X86_EFLAGS_TF / BIT(8))

static bool clean_byte(u8 __user *address)
{
	u8 byte;

	if (get_user(byte, address))
		return false;
	return !(byte & TF_IN_BYTE) || !put_user(byte & ~TF_IN_BYTE, address);
}

/*
 * Whatever the size of what pushf has left on the stack, the trap flag is in its second byte. The
 * page was written just now. If it is gone already, it is brought in, with interrupts on.
 */
static void clean_pushed(struct pt_regs *regs)
{
	u8 __user *address = (u8 __user *)regs->sp + 1;
	bool cleaned;

	pagefault_disable();
	cleaned = clean_byte(address);
	pagefault_enable();
	if (cleaned)
		return;
	local_irq_enable();
	clean_byte(address);
	local_irq_disable();
}

/* S1, for those instructions that copy the flags */
static void clean_flags(struct branch_step *step, struct pt_regs *regs)
{
	switch (step->insn.what) {
	case BRANCH_INSN_PUSHF:
		clean_pushed(regs);
		break;
	case BRANCH_INSN_POPF:
	case BRANCH_INSN_IRET:
		/* S2: the program has set it */
		if (step->had_tf)
			regs->flags |= X86_EFLAGS_TF;
		break;
	default:
		break;
	}
}

static void did_step(struct branch_step *step, struct pt_regs *regs)
{
	if (step->blockstep) {
		deliver(0, regs->ip, BRANCH_UNKNOWN, BRANCH_FLAG_FROM_HIDDEN);
		return;
	}
	/* See look_behind_shadow() */
	if (branch_insn_in_shadow(step->begin, step->from, regs->ip))
		return;
	look_again(step, regs);
	tell_step(step, regs);
	if (step->our_tf)
		clean_flags(step, regs);
}

/**
 * __branch_step_debug() - a task has done a step, maybe
 * @regs: of user mode
 * @dr6: why #DB was raised; the step is taken out if it was ours
 *
 * Context: on the way from user mode, interrupts off. To bring in a page, they are turned on.
 * Return: true if #DB was raised for nothing else.
 */
bool __branch_step_debug(struct pt_regs *regs, unsigned long *dr6)
{
	struct branch_step *step = &current->thread.branch_step;

	if (!step->stepped)
		return false;
	did_step(step, regs);
	/* S2 */
	if (step->our_tf) {
		*dr6 &= ~DR_STEP;
		current->thread.virtual_dr6 &= ~DR_STEP;
	}
	step->theirs = *dr6;
	return !step->theirs;
}

/**
 * branch_step_user_set() - a task is wanted in user mode from now on, or not any more
 * @task: it runs on this CPU, or is being switched in
 * @wanted: it is
 *
 * Context: interrupts off.
 */
void branch_step_user_set(struct task_struct *task, bool wanted)
{
	struct branch_step *step = &task->thread.branch_step;

	/* It may be on its way from a step. What it does until it is wanted again is not known. */
	if (!wanted) {
		step->stepped = false;
		step->stuck = false;
	}
	update_tsk_thread_flag(task, TIF_BRANCH_STEP, wanted);
}
