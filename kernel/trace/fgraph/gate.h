/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A task's gate: the reasons not to trace its calls, in one word. Each reason has a bit that is set
 * while it holds. With 32 bits, the number of pauses does not fit in and is the next word. So an
 * entry of function_graph decides by this before it saves registers, see ../trace_graph_entry.c.
 *
 * Only entries look at the gate. It repeats what stands elsewhere: whether the task has a return
 * stack, the variable of the user that has entries, the filters of tasks. Each of these has its own
 * byte, and changes it along with itself.
 */
#ifndef _TRACE_FGRAPH_GATE_H
#define _TRACE_FGRAPH_GATE_H

#include <linux/bits.h>
#include <linux/sched.h>
#include <asm/asm.h>

#include "../trace.h"
#include "frames.h"

/* task_struct::graph_gate_stack */
#define GRAPH_GATE_ALWAYS	BIT(0)	/* every task has it: an entry may trace none */
#define GRAPH_GATE_NO_STACK	BIT(1)
/* task_struct::graph_gate_filter */
#define GRAPH_GATE_OUTSIDE	BIT(8)	/* no function of set_graph_function is running */
#define GRAPH_GATE_SILENCED	BIT(9)	/* one of set_graph_notrace is */
/* task_struct::graph_gate_task */
#define GRAPH_GATE_OTHER_TASK	BIT(16)	/* the pid filters do not let the task through */
/* task_struct::tracing_graph_pause, a number */
#ifdef CONFIG_64BIT
#define GRAPH_GATE_PAUSED	GENMASK(63, 32)
#else
#define GRAPH_GATE_PAUSED	0
#endif

#define GRAPH_GATE_FILTER_SHIFT	8
#define GRAPH_GATE_TASK_SHIFT	16

#ifdef CONFIG_FUNCTION_GRAPH_ENTRIES
#define GRAPH_GATE_OFFSET(member)	\
	(offsetof(struct task_struct, member) - offsetof(struct task_struct, graph_gate))

static_assert(IS_ENABLED(CONFIG_CPU_LITTLE_ENDIAN) || IS_ENABLED(CONFIG_X86));
static_assert(GRAPH_GATE_OFFSET(graph_gate_filter) * BITS_PER_BYTE == GRAPH_GATE_FILTER_SHIFT);
static_assert(GRAPH_GATE_OFFSET(graph_gate_task) * BITS_PER_BYTE == GRAPH_GATE_TASK_SHIFT);
static_assert(GRAPH_GATE_OFFSET(tracing_graph_pause) * BITS_PER_BYTE == 32);

/* The reasons that count now */
extern unsigned long graph_gate_look;

/* The index of the user whose variables gates repeat, or -1 */
extern int graph_gate_index;

/* Functions that run at this depth, or deeper, are too deep for their calls to be traced */
extern int graph_gate_depth;

/*
 * What entries do before all else: load the current task to a register, and look at it. They keep
 * that register, so the compiler saves none before this. For the same in C, it would save the
 * register, and all others with it.
 */
#define GRAPH_GATE_TASK		\
	"push %%" _ASM_AX "\n\t"	\
	"mov " __force_percpu_prefix _ASM_RIP(%c[task]) ", %%" _ASM_AX "\n\t"

/* Test the gate of the task in the register, which is overwritten */
#ifdef CONFIG_64BIT
#define GRAPH_GATE_TEST				\
	"mov %c[gate](%%rax), %%rax\n\t"	\
	"test %%rax, %c[look](%%rip)\n\t"
#else
#define GRAPH_GATE_TEST				\
	"cmpl $0, %c[pause](%%eax)\n\t"		\
	"mov %c[gate](%%eax), %%eax\n\t"	\
	"jne 1f\n\t"				\
	"test %%eax, %c[look]\n"		\
	"1:\t"
#endif

/* Whether the current task is traced by entries */
static __always_inline bool graph_gate_is_open(void)
{
	asm goto(GRAPH_GATE_TASK GRAPH_GATE_TEST
		 "pop %%" _ASM_AX "\n\t"
		 "jnz %l[closed]"
		 : /* no output */
		 : [task] "i" (&pcpu_hot.current_task),
		   [gate] "i" (offsetof(struct task_struct, graph_gate)),
		   [pause] "i" (offsetof(struct task_struct, tracing_graph_pause)),
		   [look] "i" (&graph_gate_look)
		 : "cc", "memory"
		 : closed);
	/* LMM(graph_gate_is_open:A) pairs with LMM(give_stack:B): the gate, then the stack */
	smp_rmb();
	return true;
closed:
	return false;
}

/* Whether its calls are not too deep. The depth changes with each call, so it is no bit. */
static __always_inline bool graph_gate_is_not_too_deep(void)
{
	asm goto(GRAPH_GATE_TASK
		 "mov %c[is](%%" _ASM_AX "), %%eax\n\t"
		 "cmp " _ASM_RIP(%c[depth]) ", %%eax\n\t"
		 "pop %%" _ASM_AX "\n\t"
		 "jge %l[too_deep]"
		 : /* no output */
		 : [task] "i" (&pcpu_hot.current_task),
		   [is] "i" (offsetof(struct task_struct, curr_ret_depth)),
		   [depth] "i" (&graph_gate_depth)
		 : "cc", "memory"
		 : too_deep);
	return true;
too_deep:
	return false;
}

/* @variable is function_graph's, in the task's return stack; see TRACE_GRAPH_FL */
static inline u8 graph_gate_filter(unsigned long variable)
{
	unsigned long reasons = 0;

	if (!(variable & TRACE_GRAPH_FL))
		reasons |= GRAPH_GATE_OUTSIDE;
	if (variable & TRACE_GRAPH_NOTRACE)
		reasons |= GRAPH_GATE_SILENCED;
	return reasons >> GRAPH_GATE_FILTER_SHIFT;
}

/* @task begins; or it gets a variable that is 0, or loses its variable with the stack */
static inline void graph_gate_clear(struct task_struct *task)
{
	WRITE_ONCE(task->graph_gate_filter, graph_gate_filter(0));
}

static inline void graph_gate_set_stack(struct task_struct *task, bool stack)
{
	WRITE_ONCE(task->graph_gate_stack,
		   stack ? GRAPH_GATE_ALWAYS : GRAPH_GATE_ALWAYS | GRAPH_GATE_NO_STACK);
}

/* @task is the current one, or is about to run on this CPU */
static inline void graph_gate_set_other(struct task_struct *task, bool other)
{
	WRITE_ONCE(task->graph_gate_task,
		   other ? GRAPH_GATE_OTHER_TASK >> GRAPH_GATE_TASK_SHIFT : 0);
}

static inline bool graph_gate_repeats(const unsigned long *variable)
{
	return variable == &current->ret_stack[FGRAPH_VARIABLES] + READ_ONCE(graph_gate_index);
}

/*
 * Change the variable that a user has of the current task. One user at a time has entries; the
 * variables of others are not for the gate. Preemption is off: a grace period is between two users.
 */
static inline void graph_gate_change(unsigned long *variable, unsigned long value)
{
	WRITE_ONCE(*variable, value);
	if (!graph_gate_repeats(variable))
		return;
	/* LMM(graph_gate_change:A) pairs with LMM(set_gate_of:A): the variable, then the gate */
	smp_wmb();
	WRITE_ONCE(current->graph_gate_filter, graph_gate_filter(value));
}
#else
static inline void graph_gate_clear(struct task_struct *task) { }
static inline void graph_gate_set_stack(struct task_struct *task, bool stack) { }
static inline void graph_gate_change(unsigned long *variable, unsigned long value)
{
	*variable = value;
}
#endif

#endif /* _TRACE_FGRAPH_GATE_H */
