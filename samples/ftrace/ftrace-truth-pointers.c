// SPDX-License-Identifier: GPL-2.0
/*
 * Functions that are passed pointers and note what is there, so that a tracer which shows
 * what arguments point to can be compared with what the functions themselves have seen.
 *
 * The directory ftrace-truth-pointers in debugfs has two files:
 *
 *	run	takes one command; the write returns when all calls are done:
 *		  strings	strings and bytes of each length, alignment and end
 *		  values	single values of each type
 *		  structs DEPTH	structures of each kind, shown to this depth
 *		  addresses	where there is no memory to be read, or another's
 *		  user		memory of the user, present or not
 *		  changes	memory that the function writes
 *		  contexts	interrupts and a kernel thread
 *		  races N	N calls, while another CPU writes what is copied; only
 *				these take no notes
 *		  clear		forget the notes
 *	notes	a line for each entry and each return, in the form of ftrace-truth.h.
 *		They assume the limits string=64 and members=32.
 */
#include <linux/completion.h>
#include <linux/cpu.h>
#include <linux/debugfs.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/interrupt.h>
#include <linux/io.h>
#include <linux/irq_work.h>
#include <linux/kthread.h>
#include <linux/mman.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/percpu.h>
#include <linux/poison.h>
#include <linux/shmem_fs.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include <linux/unaligned.h>

#include "ftrace-truth-pointers.h"

/* A function that keeps its calling convention: one call is one line */
#define __truth		noinline __noclone __attribute__((__no_icf__))

/* What is shown of the next calls' pointers, where the function must not look itself */
static const char *truth_expected;

/* A page that is followed by one that is not mapped */
static char *truth_last_page;

#include "ftrace-truth-pointers-text.c"
#include "ftrace-truth-pointers-values.c"
#include "ftrace-truth-pointers-structs.c"
#include "ftrace-truth-pointers-memory.c"
#include "ftrace-truth-pointers-changes.c"
#include "ftrace-truth-pointers-contexts.c"

static const struct truth_command {
	const char *name;
	void (*run)(unsigned int number);
} truth_commands[] = {
	{ "strings", truth_run_strings },
	{ "values", truth_run_values },
	{ "structs", truth_run_structs },
	{ "addresses", truth_run_addresses },
	{ "user", truth_run_user },
	{ "changes", truth_run_changes },
	{ "contexts", truth_run_contexts },
	{ "races", truth_run_races },
};

static int truth_run(char *line)
{
	unsigned int i, number = 0;
	char name[16];

	if (sscanf(line, "%15s %u", name, &number) < 1)
		return -EINVAL;
	if (!strcmp(name, "clear")) {
		truth_clear();
		return 0;
	}
	for (i = 0; i < ARRAY_SIZE(truth_commands); i++) {
		if (strcmp(truth_commands[i].name, name))
			continue;
		/* On one CPU, so that the trace has one order, too */
		migrate_disable();
		truth_commands[i].run(number);
		migrate_enable();
		return 0;
	}
	return -EINVAL;
}

static DEFINE_MUTEX(truth_mutex);

static ssize_t truth_run_write(struct file *file, const char __user *ubuf, size_t size,
			       loff_t *pos)
{
	char line[64];
	int ret;

	if (size >= sizeof(line))
		return -EINVAL;
	if (copy_from_user(line, ubuf, size))
		return -EFAULT;
	line[size] = '\0';
	mutex_lock(&truth_mutex);
	ret = truth_run(line);
	mutex_unlock(&truth_mutex);
	return ret ?: size;
}

static const struct file_operations truth_run_fops = {
	.owner = THIS_MODULE,
	.open = simple_open,
	.write = truth_run_write,
};

DEFINE_SHOW_ATTRIBUTE(truth_notes);

static struct dentry *truth_dir;

static int __init truth_init(void)
{
	truth_lines = vzalloc(array_size(TRUTH_LINES, TRUTH_LINE));
	truth_last_page = vmalloc(PAGE_SIZE);
	if (!truth_lines || !truth_last_page) {
		vfree(truth_lines);
		vfree(truth_last_page);
		return -ENOMEM;
	}
	init_completion(&truth_done);
	truth_dir = debugfs_create_dir("ftrace-truth-pointers", NULL);
	debugfs_create_file("run", 0200, truth_dir, NULL, &truth_run_fops);
	debugfs_create_file("notes", 0400, truth_dir, NULL, &truth_notes_fops);
	return 0;
}
module_init(truth_init);

static void __exit truth_exit(void)
{
	debugfs_remove_recursive(truth_dir);
	irq_work_sync(&truth_irq_work);
	tasklet_kill(&truth_tasklet);
	vfree(truth_last_page);
	vfree(truth_lines);
}
module_exit(truth_exit);

MODULE_DESCRIPTION("Functions that note what they are passed pointers to");
MODULE_LICENSE("GPL");
