// SPDX-License-Identifier: GPL-2.0
/*
 * The module that contains the signatures of the image's functions.
 *
 * The signatures are not known before vmlinux is linked.  So the table is added
 * in the final link of this module, by scripts/Makefile.modfinal.
 */
#include <linux/init.h>
#include <linux/module.h>

#include "signature.h"

static int __init ftrace_signatures_init(void)
{
	return ftrace_signatures_register(ftrace_signatures_start,
					  ftrace_signatures_end -
					  ftrace_signatures_start);
}
module_init(ftrace_signatures_init);

static void __exit ftrace_signatures_exit(void)
{
	ftrace_signatures_unregister();
}
module_exit(ftrace_signatures_exit);

MODULE_DESCRIPTION("What the kernel's functions take and give back, for tracers to show");
MODULE_LICENSE("GPL");
