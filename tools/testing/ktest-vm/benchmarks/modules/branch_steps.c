// SPDX-License-Identifier: GPL-2.0
/*
 * Functions of a known number of instructions, to count what following them takes. Reading one of
 * the module's parameters calls the function of this name, and gives the instructions that this
 * took.
 */
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/sysfs.h>
#include <linux/timex.h>

static noinline void branch_steps_nothing(void)
{
	barrier();
}

static noinline void branch_steps_straight(void)
{
	asm volatile(".rept 1000; nop; .endr" : : : "memory");
}

static noinline void branch_steps_jumps(void)
{
	asm volatile(".rept 1000; jmp 1f; 1:; .endr" : : : "memory");
}

struct counted {
	void (*call)(void);
};

static const struct counted nothing = { branch_steps_nothing };
static const struct counted straight = { branch_steps_straight };
static const struct counted jumps = { branch_steps_jumps };

static int count(char *buffer, const struct kernel_param *parameter)
{
	const struct counted *counted = parameter->arg;
	cycles_t start = get_cycles();

	counted->call();
	return sysfs_emit(buffer, "%llu\n", (u64)(get_cycles() - start));
}

static const struct kernel_param_ops counting = { .get = count };

module_param_cb(nothing, &counting, (void *)&nothing, 0444);
MODULE_PARM_DESC(nothing, "Call a function that does nothing");
module_param_cb(straight, &counting, (void *)&straight, 0444);
MODULE_PARM_DESC(straight, "Call a function of 1000 instructions that are no branches");
module_param_cb(jumps, &counting, (void *)&jumps, 0444);
MODULE_PARM_DESC(jumps, "Call a function of 1000 jumps");

MODULE_DESCRIPTION("Functions to count what following their branches takes");
MODULE_LICENSE("GPL");
