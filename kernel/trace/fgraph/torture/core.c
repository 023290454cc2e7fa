// SPDX-License-Identifier: GPL-2.0
/*
 * Function graph torture test: what its module needs of the function graph and other modules
 * have no use for. Part of the kernel if the test is a module, too.
 */
#include <linux/export.h>
#include <linux/ftrace.h>

#include "../fgraph.h"
#include "torture.h"

/* As register_ftrace_graph() */
int fgraph_torture_register(struct fgraph_ops *gops)
{
	return register_ftrace_graph(gops);
}
EXPORT_SYMBOL_GPL(fgraph_torture_register);

/* As unregister_ftrace_graph() */
void fgraph_torture_unregister(struct fgraph_ops *gops)
{
	unregister_ftrace_graph(gops);
}
EXPORT_SYMBOL_GPL(fgraph_torture_unregister);

/* As fgraph_reserve_data() */
void *fgraph_torture_keep(struct fgraph_ops *gops, int size)
{
	return fgraph_reserve_data(gops->idx, size);
}
EXPORT_SYMBOL_GPL(fgraph_torture_keep);

/* As fgraph_retrieve_data() */
void *fgraph_torture_kept(struct fgraph_ops *gops, int *size)
{
	return fgraph_retrieve_data(gops->idx, size);
}
EXPORT_SYMBOL_GPL(fgraph_torture_kept);

/* As fgraph_get_task_var() */
unsigned long *fgraph_torture_variable(struct fgraph_ops *gops)
{
	return fgraph_get_task_var(gops);
}
EXPORT_SYMBOL_GPL(fgraph_torture_variable);

/* Where @function is hooked; 0 if it cannot be */
unsigned long fgraph_torture_site(unsigned long function)
{
	return ftrace_location(function);
}
EXPORT_SYMBOL_GPL(fgraph_torture_site);

/* Whether @address is what stands on a stack for a return address that was replaced */
bool fgraph_torture_replaced(unsigned long address)
{
	return fgraph_is_handler(address);
}
EXPORT_SYMBOL_GPL(fgraph_torture_replaced);
