// SPDX-License-Identifier: GPL-2.0
/* The functions of ftrace-truth.h in a module */
#define TRUTH(name)	truth_m_##name
#define TRUTH_DIR	"ftrace-truth-module"

#include "ftrace-truth-all.h"

static void __exit truth_exit(void)
{
	debugfs_remove_recursive(truth_dir);
	irq_work_sync(&truth_irq_work);
	tasklet_kill(&truth_tasklet);
	vfree(truth_lines);
}
module_exit(truth_exit);

MODULE_DESCRIPTION("Functions that note what they receive and return");
MODULE_LICENSE("GPL");
