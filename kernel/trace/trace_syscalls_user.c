// SPDX-License-Identifier: GPL-2.0
/*
 * Strings that syscalls get: paths, names, and all else that is a const char *.
 *
 * A string may be on a page that is not present, such as one of a program's file that
 * nothing has touched yet. Probes of tracepoints run with preemption disabled and cannot
 * wait for it, so they would lose just the strings that are read for the first time. So
 * the strings are read before: while the file syscall_strings has a limit, the entry code
 * calls this file instead of the tracepoint. Here the task may sleep, fault and be
 * interrupted as in the syscall itself. The strings are copied to the task's stack. Then
 * preemption is disabled, a pointer of this CPU is set to the copy, the tracepoint is
 * called, and the pointer is cleared. Probes find the copy by the pointer: it is that of
 * their own task, because no other task can run on this CPU meanwhile, and interrupts
 * make no syscalls. It takes no allocation, no lock, and no room in the task.
 *
 * At the call the strings are read before the syscall reads them, so a program that
 * changes them meanwhile can show one string here and another one to the kernel. At the
 * return they are read again. What cannot be read is left out, and only its address is
 * shown. A task that is being killed does not wait for a page, so it gets no string but
 * still its events.
 *
 * Only strings of syscalls are read whose event is on in an instance, and of these no
 * more bytes than the limit.
 */
#include <linux/bits.h>
#include <linux/init.h>
#include <linux/mutex.h>
#include <linux/percpu.h>
#include <linux/string.h>
#include <linux/uaccess.h>
#include <trace/events/syscalls.h>

#include "trace_syscalls.h"

DEFINE_STATIC_KEY_FALSE(trace_syscall_strings_key);
DEFINE_PER_CPU(const struct trace_syscall_strings *, trace_syscall_strings);

/* Of a string so many bytes; 0: strings are not read */
static unsigned int limit;
static DEFINE_MUTEX(limit_mutex);

/* By home slot: which parameters are strings */
static u8 string_args[TRACE_SYSCALL_SLOTS] __ro_after_init;

/* Bytes to be written behind a const char * are as many as the next parameter says */
static bool __init is_bytes(const struct syscall_metadata *meta, int i)
{
	const char *next = i + 1 < meta->nb_args ? meta->args[i + 1] : "";

	return !strcmp(next, "count") || !strcmp(next, "msg_len");
}

/**
 * trace_syscall_find_strings - note which parameters of a syscall are strings
 * @meta: the syscall, in its home slot
 */
void __init trace_syscall_find_strings(const struct syscall_metadata *meta)
{
	u8 args = 0;
	int i;

	for (i = 0; i < meta->nb_args; i++) {
		if (!strcmp(meta->types[i], "const char *") && !is_bytes(meta, i))
			args |= BIT(i);
	}
	string_args[meta->syscall_nr] = args;
}

/**
 * trace_syscall_string_args - which parameters of a syscall are strings
 * @meta: the syscall
 *
 * Return: a bit for each parameter.
 */
unsigned int trace_syscall_string_args(const struct syscall_metadata *meta)
{
	return string_args[meta->syscall_nr];
}

/**
 * trace_syscall_read_string - append a string of user space to others
 * @strings: the strings
 * @address: where it is; may be any
 * @most: how many bytes are read at most
 *
 * Context: a task that may sleep.
 * Return: false if there is no room for any more.
 */
bool trace_syscall_read_string(struct trace_syscall_strings *strings, unsigned long address,
			       unsigned int most)
{
	unsigned int room = sizeof(strings->bytes) - strings->size;
	struct trace_syscall_string *string = (void *)strings->bytes + strings->size;
	unsigned int size;
	long length;

	if (room <= sizeof(*string))
		return false;
	size = min(most, room - (unsigned int)sizeof(*string));
	length = strncpy_from_user(string->text, (const char __user *)address, size);
	if (length < 0) {
		string->head = TRACE_SYSCALL_STRING_UNKNOWN;
		length = 0;
	} else {
		/* It was cut unless its end was found; it may end just there */
		string->head = length;
		if (length == size)
			string->head |= TRACE_SYSCALL_STRING_CUT;
	}
	strings->size += sizeof(*string) + length;
	return true;
}

/* May sleep and fault */
static void read_strings(struct trace_syscall_strings *strings, struct pt_regs *regs,
			 bool exit)
{
	unsigned long args[SYSCALL_DEFINE_MAXARGS];
	unsigned int most = READ_ONCE(limit);
	const struct syscall_metadata *meta;
	unsigned long which;
	int slot, i;

	strings->size = 0;
	slot = trace_syscall_slot(regs);
	meta = slot < 0 ? NULL : trace_syscall_meta(slot);
	if (!meta || !most || !trace_syscall_is_recorded(meta, exit))
		return;
	which = string_args[meta->syscall_nr];
	if (!which)
		return;
	trace_syscall_copy_args(args, meta, slot, regs);
	for_each_set_bit(i, &which, SYSCALL_DEFINE_MAXARGS) {
		if (!trace_syscall_read_string(strings, args[i], most))
			break;
	}
}

/*
 * The tracepoint itself disables preemption once more. trace_syscall_take_strings() takes
 * that into account.
 */
static void show(const struct trace_syscall_strings *strings)
{
	preempt_disable_notrace();
	__this_cpu_write(trace_syscall_strings, strings);
}

static void hide(void)
{
	__this_cpu_write(trace_syscall_strings, NULL);
	preempt_enable_notrace();
}

/**
 * trace_syscall_enter_reading - call the tracepoint sys_enter with strings at hand
 * @regs: the task's registers
 * @nr: the syscall's number
 *
 * Context: the entry code, interrupts and preemption on; may sleep.
 */
void trace_syscall_enter_reading(struct pt_regs *regs, long nr)
{
	struct trace_syscall_strings strings;

	read_strings(&strings, regs, false);
	if (!strings.size) {
		trace_sys_enter(regs, nr);
		return;
	}
	show(&strings);
	trace_sys_enter(regs, nr);
	hide();
}

/**
 * trace_syscall_exit_reading - call the tracepoint sys_exit with strings at hand
 * @regs: the task's registers
 * @ret: the syscall's result
 *
 * Context: the exit code, interrupts and preemption on; may sleep.
 */
void trace_syscall_exit_reading(struct pt_regs *regs, long ret)
{
	struct trace_syscall_strings strings;

	read_strings(&strings, regs, true);
	if (!strings.size) {
		trace_sys_exit(regs, ret);
		return;
	}
	show(&strings);
	trace_sys_exit(regs, ret);
	hide();
}

/* The file syscall_strings */

static void set_limit(unsigned int value)
{
	mutex_lock(&limit_mutex);
	if (value && !limit)
		static_branch_enable(&trace_syscall_strings_key);
	else if (!value && limit)
		static_branch_disable(&trace_syscall_strings_key);
	WRITE_ONCE(limit, value);
	mutex_unlock(&limit_mutex);
}

static ssize_t limit_write(struct file *file, const char __user *ubuf, size_t cnt,
			   loff_t *ppos)
{
	unsigned int value;
	int err = kstrtouint_from_user(ubuf, cnt, 10, &value);

	if (err)
		return err;
	if (value > TRACE_SYSCALL_STRING_MAX)
		return -ERANGE;
	set_limit(value);
	*ppos += cnt;
	return cnt;
}

static ssize_t limit_read(struct file *file, char __user *ubuf, size_t cnt, loff_t *ppos)
{
	char text[12];
	int size = scnprintf(text, sizeof(text), "%u\n", READ_ONCE(limit));

	return simple_read_from_buffer(ubuf, cnt, ppos, text, size);
}

static const struct file_operations limit_fops = {
	.open	= tracing_open_generic,
	.llseek	= generic_file_llseek,
	.read	= limit_read,
	.write	= limit_write,
};

static __init int create_limit_file(void)
{
	if (!tracing_init_dentry())
		trace_create_file("syscall_strings", TRACE_MODE_WRITE, NULL, NULL, &limit_fops);
	return 0;
}
fs_initcall(create_limit_file);
