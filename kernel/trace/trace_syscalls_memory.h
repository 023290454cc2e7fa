/* SPDX-License-Identifier: GPL-2.0 */
/*
 * User memory that is read without waiting for it.
 */
#ifndef _KERNEL_TRACE_SYSCALLS_MEMORY_H
#define _KERNEL_TRACE_SYSCALLS_MEMORY_H

#include <linux/types.h>

bool trace_syscall_copy(void *to, unsigned long address, unsigned int size);
long trace_syscall_copy_string(char *to, unsigned long address, unsigned int size);

#endif
