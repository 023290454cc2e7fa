// SPDX-License-Identifier: GPL-2.0
/*
 * Function callbacks that do nothing, as long as the module is loaded: what
 * calls them is what a traced call costs then. Some want the function "target",
 * some another one, which is never called.
 */
#include <linux/ftrace.h>
#include <linux/module.h>
#include <linux/string.h>

#define MOST 4

static char *target = "";
module_param(target, charp, 0444);
MODULE_PARM_DESC(target, "The function that the first callbacks want");

static char *other = "";
module_param(other, charp, 0444);
MODULE_PARM_DESC(other, "The function that the other callbacks want");

static unsigned int wanting;
module_param(wanting, uint, 0444);
MODULE_PARM_DESC(wanting, "How many callbacks want the target");

static unsigned int others;
module_param(others, uint, 0444);
MODULE_PARM_DESC(others, "How many callbacks want the other function");

static struct ftrace_ops callbacks[MOST];

static void notrace do_nothing(unsigned long ip, unsigned long parent_ip,
			       struct ftrace_ops *ops, struct ftrace_regs *fregs)
{
}

static int start(struct ftrace_ops *ops, char *function)
{
	int error;

	ops->func = do_nothing;
	error = ftrace_set_filter(ops, function, strlen(function), 1);
	return error ?: register_ftrace_function(ops);
}

static void stop(unsigned int count)
{
	while (count--) {
		unregister_ftrace_function(&callbacks[count]);
		ftrace_free_filter(&callbacks[count]);
	}
}

static int __init empty_callbacks_init(void)
{
	unsigned int i;
	int error;

	if (wanting > MOST || others > MOST - wanting)
		return -EINVAL;
	for (i = 0; i < wanting + others; i++) {
		error = start(&callbacks[i], i < wanting ? target : other);
		if (error) {
			ftrace_free_filter(&callbacks[i]);
			stop(i);
			return error;
		}
	}
	return 0;
}

static void __exit empty_callbacks_exit(void)
{
	stop(wanting + others);
}

module_init(empty_callbacks_init);
module_exit(empty_callbacks_exit);
MODULE_DESCRIPTION("Function callbacks that do nothing, to count what calls them");
MODULE_LICENSE("GPL");
