// SPDX-License-Identifier: GPL-2.0
/*
 * The return stacks of tasks.
 *
 * While the function graph has users, every task has a stack; a task that got none for
 * want of memory is not traced. When the last user has gone, stacks are freed when all of
 * their frames were popped (F5).
 */
#include <linux/cpuhotplug.h>
#include <linux/ftrace.h>
#include <linux/minmax.h>
#include <linux/rcupdate.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/slab.h>
#include <linux/suspend.h>
#include <linux/workqueue.h>

#include <trace/events/sched.h>

#include "../ftrace_internal.h"
#include "../trace.h"
#include "../trace_clock_inline.h"
#include "fgraph.h"
#include "gate.h"

/* Stacks that no task has, linked by their first words; and how many could not be had */
struct spare_stacks {
	unsigned long	*first;
	unsigned int	missing;
};

static void add_spare(struct spare_stacks *spare, unsigned long *stack)
{
	stack[0] = (unsigned long)spare->first;
	spare->first = stack;
}

static unsigned long *take_spare(struct spare_stacks *spare)
{
	unsigned long *stack = spare->first;

	if (stack)
		spare->first = (unsigned long *)stack[0];
	return stack;
}

static void free_spares(struct spare_stacks *spare)
{
	unsigned long *stack;

	while ((stack = take_spare(spare)))
		kfree(stack);
}

static bool alloc_spares(struct spare_stacks *spare, unsigned int nr)
{
	while (nr--) {
		unsigned long *stack = kmalloc(FGRAPH_STACK_BYTES, GFP_KERNEL);

		if (!stack)
			return false;
		add_spare(spare, stack);
	}
	return true;
}

static void empty_stack(struct task_struct *task)
{
	task->curr_ret_stack = 0;
	task->curr_ret_depth = -1;
}

static void clear_variables(unsigned long *stack)
{
	memset(&stack[FGRAPH_VARIABLES], 0, FGRAPH_MAX_USERS * sizeof(*stack));
}

/*
 * A task without a stack has no frame. Returns false if another CPU has just given it one,
 * as may happen to a child, and to the idle task of a CPU that comes up.
 */
static bool give_stack(struct task_struct *task, unsigned long *stack)
{
	clear_variables(stack);
	atomic_set(&task->trace_overrun, 0);
	/* LMM(give_stack:A) pairs with LMM(begin_call:A), LMM(ask_only:A): all, then the stack */
	if (cmpxchg_release(&task->ret_stack, NULL, stack))
		return false;
	/* LMM(give_stack:B) pairs with LMM(graph_gate_is_open:A): the stack, then the gate */
	smp_wmb();
	graph_gate_set_stack(task, true);
	return true;
}

static void give_spare(struct task_struct *task, struct spare_stacks *spare)
{
	unsigned long *stack;

	if (READ_ONCE(task->ret_stack))
		return;
	stack = take_spare(spare);
	if (!stack)
		spare->missing++;
	else if (!give_stack(task, stack))
		add_spare(spare, stack);
}

static void give_new_stack(struct task_struct *task, gfp_t gfp)
{
	unsigned long *stack = kmalloc(FGRAPH_STACK_BYTES, gfp);

	if (stack && !give_stack(task, stack))
		kfree(stack);
}

/*
 * The fork began before there was a user, and ended when it was too late to be visited. Probes
 * run with preemption off.
 */
static void give_stack_to_child(void *unused, struct task_struct *parent,
				struct task_struct *child)
{
	if (!READ_ONCE(child->ret_stack))
		give_new_stack(child, GFP_ATOMIC | __GFP_NOWARN);
}

/*
 * All tasks: those of processes, and the idle tasks, which are in no list, also of CPUs that
 * are off line, or are about to come up. A task that is forked meanwhile is not among them.
 */
static void visit_tasks(void (*what)(struct task_struct *task, void *arg), void *arg)
{
	struct task_struct *process, *task;
	int cpu;

	guard(rcu)();
	for_each_process_thread(process, task)
		what(task, arg);
	for_each_present_cpu(cpu)
		if (idle_task(cpu))
			what(idle_task(cpu), arg);
}

static void give_spare_to(struct task_struct *task, void *spare)
{
	give_spare(task, spare);
}

/* Give a stack to all tasks. Tasks that begin from now on get theirs when they are forked */
static int give_stacks(void)
{
	struct spare_stacks spare = {};

	do {
		/* Nothing can be allocated while the tasks are walked through */
		if (!alloc_spares(&spare, spare.missing)) {
			free_spares(&spare);
			return -ENOMEM;
		}
		spare.missing = 0;
		visit_tasks(give_spare_to, &spare);
	} while (spare.missing);
	free_spares(&spare);
	return 0;
}

static void take_stack_from(struct task_struct *task, void *arg)
{
	struct spare_stacks *spare = arg;
	unsigned long *stack = task->ret_stack;

	if (!stack)
		return;
	if (READ_ONCE(task->curr_ret_stack)) {
		spare->missing++;
		return;
	}
	graph_gate_set_stack(task, false);
	graph_gate_clear(task);
	WRITE_ONCE(task->ret_stack, NULL);
	add_spare(spare, stack);
}

static void free_stacks(struct work_struct *work);
static DECLARE_DEFERRABLE_WORK(free_work, free_stacks);
static unsigned long free_delay;

/*
 * Tasks that sleep have frames for long. They are looked at again, ever less often: to be told
 * of the last pop would take an interrupt, which a CPU that goes off line does not get.
 */
static void free_later(void)
{
	free_delay = clamp(2 * free_delay, 1UL * HZ, 64UL * HZ);
	schedule_delayed_work(&free_work, free_delay);
}

/* Free the stacks that have no frame, once nobody is about to push one */
static void free_stacks(struct work_struct *work)
{
	struct spare_stacks spare = {};
	u32 epoch = READ_ONCE(fgraph_epoch);

	/* LMM(free_stacks:A) pairs with preemption off: in function_graph_enter_regs() */
	synchronize_rcu_tasks_rude();
	/* LMM(free_stacks:B) pairs with preemption off: on the way to where it is */
	synchronize_rcu_tasks();

	guard(mutex)(&ftrace_lock);
	/* If a user came and went meanwhile, this work was queued again */
	if (ftrace_graph_active || epoch != fgraph_epoch)
		return;
	fgraph_strays = false;
	visit_tasks(take_stack_from, &spare);
	/* LMM(free_stacks:C) pairs with preemption off: in unwinders, and behind the last pop */
	synchronize_rcu();
	free_spares(&spare);
	if (spare.missing)
		free_later();
}

static void free_soon(void)
{
	free_delay = 0;
	mod_delayed_work(system_wq, &free_work, 0);
}

static void clear_variable_of(struct task_struct *task, void *index)
{
	if (task->ret_stack)
		task->ret_stack[FGRAPH_VARIABLES + *(int *)index] = 0;
}

/**
 * fgraph_clear_variables - clear a user's variables of all tasks
 * @index: fgraph_ops::idx of the user, which is not called yet
 */
void fgraph_clear_variables(int index)
{
	visit_tasks(clear_variable_of, &index);
}

#ifdef CONFIG_FUNCTION_GRAPH_ENTRIES
/*
 * The task may be running, and change its variable. Then it also sets its gate: behind that,
 * either we see the new variable, or our write is the earlier one.
 */
static void set_gate_of(struct task_struct *task, void *index)
{
	unsigned long variable, *place;

	if (!task->ret_stack)
		return;
	place = &task->ret_stack[FGRAPH_VARIABLES + *(int *)index];
	do {
		variable = READ_ONCE(*place);
		WRITE_ONCE(task->graph_gate_filter, graph_gate_filter(variable));
		/* LMM(set_gate_of:A) pairs with LMM(graph_gate_change:A): the gate, then a look */
		smp_mb();
	} while (READ_ONCE(*place) != variable);
}

/**
 * fgraph_set_gates - set the gates of all tasks by a user's variables
 * @index: fgraph_ops::idx of the user; each of its variables that changes now sets the gate, too
 *
 * Context: ftrace_lock is held.
 */
void fgraph_set_gates(int index)
{
	visit_tasks(set_gate_of, &index);
}
#endif

/*
 * Time that a task sleeps, unless it is to count: shift the times at which the calls that
 * are on its stack began.
 */
static bool sleep_time = true;
static bool skips_sleep;

static void shift_calls(struct task_struct *task, u64 slept)
{
	int position = task->curr_ret_stack;
	struct fgraph_frame *frame;

	while ((frame = fgraph_next(task->ret_stack, &position)))
		frame->call.calltime += slept;
}

static void skip_sleep(void *unused, bool preempt, struct task_struct *prev,
		       struct task_struct *next, unsigned int prev_state)
{
	u64 now = trace_clock_local_inline();

	prev->ftrace_timestamp = now;
	if (next->ftrace_timestamp && next->ret_stack)
		shift_calls(next, now - next->ftrace_timestamp);
	next->ftrace_timestamp = 0;
}

static void forget_sleep_of(struct task_struct *task, void *unused)
{
	task->ftrace_timestamp = 0;
}

/* Begin or end to watch tasks that sleep, as the option and the users ask for */
static void update_sleep(void)
{
	bool skips = !sleep_time && ftrace_graph_active;

	lockdep_assert_held(&ftrace_lock);
	if (skips == skips_sleep)
		return;
	if (skips) {
		/* What the tasks have may be of a time long ago */
		visit_tasks(forget_sleep_of, NULL);
		if (register_trace_sched_switch(skip_sleep, NULL)) {
			pr_warn("fgraph: the time that tasks sleep is not left out\n");
			return;
		}
	} else {
		unregister_trace_sched_switch(skip_sleep, NULL);
	}
	skips_sleep = skips;
}

/**
 * ftrace_graph_sleep_time_control - whether the duration of a call has the time asleep
 * @enable: whether it has
 */
void ftrace_graph_sleep_time_control(bool enable)
{
	guard(mutex)(&ftrace_lock);
	sleep_time = enable;
	update_sleep();
}

/* The task that writes an image of the memory must not be hooked while it does */
static int pause_hibernation(struct notifier_block *nb, unsigned long state, void *unused)
{
	if (state == PM_HIBERNATION_PREPARE)
		pause_graph_tracing();
	else if (state == PM_POST_HIBERNATION)
		unpause_graph_tracing();
	return NOTIFY_DONE;
}

static struct notifier_block hibernation_notifier = {
	.notifier_call = pause_hibernation,
};

/**
 * fgraph_start_tasks - make tasks ready for the first user
 *
 * Context: ftrace_lock is held; ftrace_graph_active counts the user.
 * Return: 0; -ENOMEM, or what watching forks gave.
 */
int fgraph_start_tasks(void)
{
	/* Before tasks are visited, so that each is seen there or here */
	int err = register_trace_sched_process_fork(give_stack_to_child, NULL);

	if (err)
		return err;
	err = give_stacks();
	if (err) {
		unregister_trace_sched_process_fork(give_stack_to_child, NULL);
		free_soon();
		return err;
	}
	register_pm_notifier(&hibernation_notifier);
	update_sleep();
	return 0;
}

/**
 * fgraph_stop_tasks - the last user has gone
 *
 * Context: ftrace_lock is held; no function is hooked, and ftrace_graph_active is 0.
 */
void fgraph_stop_tasks(void)
{
	update_sleep();
	unregister_trace_sched_process_fork(give_stack_to_child, NULL);
	unregister_pm_notifier(&hibernation_notifier);
	free_soon();
}

/**
 * ftrace_graph_init_task - give a task that is forked its stack
 * @t: the task, whose fields are copies of its parent's
 *
 * Context: may sleep.
 */
void ftrace_graph_init_task(struct task_struct *t)
{
	t->ret_stack = NULL;
	graph_gate_set_stack(t, false);
	graph_gate_clear(t);
	t->ftrace_timestamp = 0;
	empty_stack(t);
	if (READ_ONCE(ftrace_graph_active))
		give_new_stack(t, GFP_KERNEL);
}

/**
 * ftrace_graph_init_idle_task - make an idle task ready, while the kernel boots
 * @t: the idle task; that of the first CPU was not forked
 * @cpu: its CPU
 *
 * Context: may sleep.
 */
void ftrace_graph_init_idle_task(struct task_struct *t, int cpu)
{
	if (!t->ret_stack)
		ftrace_graph_init_task(t);
}

/*
 * When its CPU comes up again, an idle task begins anew: calls that it was in will not return. A
 * stack that is freed meanwhile stays for as long as preemption is off.
 */
static void forget_calls(struct task_struct *idle)
{
	unsigned long *stack;

	guard(preempt)();
	stack = READ_ONCE(idle->ret_stack);
	if (!stack)
		return;
	empty_stack(idle);
	clear_variables(stack);
	graph_gate_clear(idle);
}

/*
 * The CPU is about to come up. Its idle task has no stack if the CPU was not present before, or
 * if there was no memory.
 */
static int prepare_idle_task(unsigned int cpu)
{
	struct task_struct *idle = idle_task(cpu);

	forget_calls(idle);
	if (READ_ONCE(ftrace_graph_active) && !READ_ONCE(idle->ret_stack))
		give_new_stack(idle, GFP_KERNEL);
	return 0;
}

static int __init watch_cpus(void)
{
	int err = cpuhp_setup_state_nocalls(CPUHP_BP_PREPARE_DYN, "fgraph:prepare",
					    prepare_idle_task, NULL);

	return err < 0 ? err : 0;
}
early_initcall(watch_cpus);

/**
 * ftrace_graph_exit_task - free the stack of a task
 * @t: the task, which is about to be freed
 */
void ftrace_graph_exit_task(struct task_struct *t)
{
	unsigned long *stack = t->ret_stack;

	WRITE_ONCE(t->ret_stack, NULL);
	kfree(stack);
}
