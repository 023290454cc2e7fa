// SPDX-License-Identifier: GPL-2.0
/*
 * The functions of the kernel where windows begin, and what is no code of the kernel's own.
 */
#include <linux/array_size.h>
#include <linux/branch_backend.h>
#include <linux/cleanup.h>
#include <linux/cpumask.h>
#include <linux/ctype.h>
#include <linux/ftrace.h>
#include <linux/init.h>
#include <linux/kallsyms.h>
#include <linux/kprobes.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/slab.h>
#include <linux/string.h>

#include <asm/branch_window.h>
#include <asm/nospec-branch.h>
#include <asm/sections.h>

#include "../step.h"
#include "window.h"

DEFINE_STATIC_KEY_FALSE(branch_windows_used);

static void enter_function(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *ops,
			   struct ftrace_regs *fregs);

/* By number of the window. The trap flag is among the registers that they change. */
static struct ftrace_ops entries[BRANCH_MAX_WINDOWS] = {
	[0 ... BRANCH_MAX_WINDOWS - 1] = {
		.func = enter_function,
		.flags = FTRACE_OPS_FL_SAVE_REGS,
	},
};

static void enter_function(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *ops,
			   struct ftrace_regs *fregs)
{
	struct pt_regs *regs = ftrace_get_regs(fregs);

	if (regs)
		branch_window_enter(ops - entries, ip, regs);
}

/* ftrace takes "!name" for all functions but these, and a number for the function of that number */
static bool is_name(const char *name)
{
	return *name != '!' && !isdigit(*name);
}

static int add_names(struct ftrace_ops *ops, char *names, unsigned int *wrong)
{
	const char *begin = names;
	int ret = -EINVAL;
	bool first = true;
	char *name;

	while ((name = strsep(&names, " "))) {
		if (!*name)
			continue;
		ret = is_name(name) ? ftrace_set_filter(ops, name, strlen(name), first) : -EINVAL;
		if (ret) {
			*wrong = name - begin;
			break;
		}
		first = false;
	}
	return ret;
}

/* ftrace_free_filter() is for those that are not used again */
static void remove_names(struct ftrace_ops *ops)
{
	ftrace_set_filter(ops, NULL, 0, true);
}

static int begin_watch(struct ftrace_ops *ops, const char *functions, unsigned int *wrong)
{
	char *names __free(kfree) = kstrdup(functions, GFP_KERNEL);
	int ret;

	if (!names)
		return -ENOMEM;
	static_branch_inc(&branch_windows_used);
	ret = add_names(ops, names, wrong);
	if (!ret)
		ret = register_ftrace_function(ops);
	if (ret) {
		remove_names(ops);
		static_branch_dec(&branch_windows_used);
	}
	return ret;
}

static void forget(struct task_struct *task, unsigned int window)
{
	clear_bit(window, &task->thread.branch_window.open);
}

/*
 * Tasks may have been switched out in the window, and sleep. No task enters it any more, and
 * what a task creates is in no window.
 */
static void forget_everywhere(unsigned int window)
{
	struct task_struct *process, *task;
	unsigned int cpu;

	guard(rcu)();
	for_each_process_thread(process, task)
		forget(task, window);
	for_each_possible_cpu(cpu)
		forget(idle_task(cpu), window);
}

static void end_watch(struct ftrace_ops *ops)
{
	unregister_ftrace_function(ops);
	remove_names(ops);
	forget_everywhere(ops - entries);
	static_branch_dec(&branch_windows_used);
}

/**
 * branch_window_watch() - let a window begin where these functions are called
 * @window: its number
 * @functions: names and patterns, separated by spaces; NULL: nowhere any more
 * @wrong: set to where the name begins that is to blame if this fails, if one is
 *
 * Context: may sleep. For NULL, no CPU wants the window.
 * Return: 0, -EINVAL if a name is of no function that can be traced, -ENOMEM, or an error of
 * ftrace's.
 */
int branch_window_watch(unsigned int window, const char *functions, unsigned int *wrong)
{
	if (functions)
		return begin_watch(&entries[window], functions, wrong);
	end_watch(&entries[window]);
	return 0;
}

/* Where a function returns to if a tracer has put itself in between */
static struct {
	unsigned long	begin;
	unsigned long	size;
} returns[3] __ro_after_init;

static bool is_return(unsigned long ip)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(returns); i++) {
		if (ip - returns[i].begin < returns[i].size)
			return true;
	}
	return false;
}

/* There is one for each general register */
#define NR_THUNKS	(IS_ENABLED(CONFIG_X86_64) ? 16 : 8)

static bool is_thunk(unsigned long ip)
{
#ifdef CONFIG_MITIGATION_RETPOLINE
	return ip - (unsigned long)__x86_indirect_thunk_array < NR_THUNKS * RETPOLINE_THUNK_SIZE;
#else
	return false;
#endif
}

/**
 * branch_window_place() - whose an instruction is
 * @ip: its address
 *
 * Trampolines that are called where functions begin are not asked for: the call tells them.
 *
 * Context: any.
 * Return: whose it is.
 */
enum branch_place branch_window_place(unsigned long ip)
{
	if (is_thunk(ip))
		return BRANCH_PLACE_THUNK;
	if (ip >= (unsigned long)_stext && ip < (unsigned long)_etext)
		return is_return(ip) ? BRANCH_PLACE_RETURN : BRANCH_PLACE_KERNEL;
	if (is_kprobe_insn_slot(ip) || is_kprobe_optinsn_slot(ip))
		return BRANCH_PLACE_PROBE;
	return BRANCH_PLACE_KERNEL;
}

static const char *const return_names[] = {
	"return_to_handler",
	"return_to_function_graph",
	"arch_rethook_trampoline",
};

/* A kernel need not have them */
static int __init find_returns(void)
{
	unsigned long begin;
	unsigned int i;

	static_assert(ARRAY_SIZE(return_names) == ARRAY_SIZE(returns));
	for (i = 0; i < ARRAY_SIZE(returns); i++) {
		begin = kallsyms_lookup_name(return_names[i]);
		returns[i].begin = begin;
		if (begin && !kallsyms_lookup_size_offset(begin, &returns[i].size, NULL))
			return -ENOENT;
	}
	return 0;
}
core_initcall(find_returns);
