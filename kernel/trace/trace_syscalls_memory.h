/* SPDX-License-Identifier: GPL-2.0 */
/*
 * User memory that is read without waiting for it.
 */
#ifndef _KERNEL_TRACE_SYSCALLS_MEMORY_H
#define _KERNEL_TRACE_SYSCALLS_MEMORY_H

#include <linux/compiler.h>
#include <linux/types.h>
#include <linux/uaccess.h>

bool trace_syscall_copy(void *to, unsigned long address, unsigned int size);
long trace_syscall_map_string(char *to, unsigned long address, unsigned int size);

static __always_inline long trace_syscall_copy_mapped_string(char *to, unsigned long address,
							     unsigned int size)
{
	long length;

	pagefault_disable();
	length = strncpy_from_user(to, (const char __user *)address, size);
	pagefault_enable();
	return length;
}

/**
 * trace_syscall_copy_string - copy a string of user memory, without waiting for it
 * @to: where to; anything may be there if it cannot be copied
 * @address: where it is; may be any
 * @size: how many bytes are copied at most; not 0
 *
 * Context: a task that may sleep.
 * Return: the length without the final zero; @size if no zero was found; negative if the
 * string could not be copied.
 */
static __always_inline long trace_syscall_copy_string(char *to, unsigned long address,
						      unsigned int size)
{
	long length = trace_syscall_copy_mapped_string(to, address, size);

	return likely(length >= 0) ? length : trace_syscall_map_string(to, address, size);
}

#endif
