/* SPDX-License-Identifier: GPL-2.0 */
/*
 * User memory that is read without waiting for it.
 */
#ifndef _KERNEL_TRACE_SYSCALLS_MEMORY_H
#define _KERNEL_TRACE_SYSCALLS_MEMORY_H

#include <linux/compiler.h>
#include <linux/errno.h>
#include <linux/mm_types.h>
#include <linux/sched.h>
#include <linux/types.h>
#include <linux/uaccess.h>

#include "trace_syscalls.h"

unsigned int trace_syscall_look(unsigned long address, unsigned int size);
bool trace_syscall_copy(void *to, unsigned long address, unsigned int size);
long trace_syscall_map_string(char *to, unsigned long address, unsigned int size);

#ifdef CONFIG_PER_VMA_LOCK
static __always_inline bool trace_syscall_is_in_area(const struct trace_syscall_area *area,
						     unsigned long address, unsigned int size)
{
	return address >= area->start && address + size <= area->end &&
	       area->seq == READ_ONCE(current->mm->mm_lock_seq.sequence);
}
#else
/* Nothing tells whether areas have changed */
static inline bool trace_syscall_is_in_area(const struct trace_syscall_area *area,
					    unsigned long address, unsigned int size)
{
	return false;
}
#endif

/**
 * trace_syscall_readable - how much of user memory may be read
 * @address: where it is; may be any
 * @size: how many bytes; not 0; may reach beyond what is mapped
 *
 * Context: a task that may sleep.
 * Return: how many bytes there are up to an area of a device, or to @size.
 */
static __always_inline unsigned int trace_syscall_readable(unsigned long address,
							   unsigned int size)
{
	struct trace_syscall_state *state = current->trace_syscall;

	if (likely(state && trace_syscall_is_in_area(&trace_syscall_task_of(state)->area,
						     address, size)))
		return size;
	return trace_syscall_look(address, size);
}

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
	unsigned int readable = trace_syscall_readable(address, size);
	long length = -EFAULT;

	if (likely(readable))
		length = trace_syscall_copy_mapped_string(to, address, readable);
	if (unlikely(length < 0 && readable))
		length = trace_syscall_map_string(to, address, readable);
	/* It may go on where it must not be read */
	return unlikely(length == readable && readable < size) ? -EFAULT : length;
}

#endif
