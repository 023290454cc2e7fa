/* SPDX-License-Identifier: GPL-2.0 */
/* Print the events that an earlier boot left in a buffer that outlives the kernel. */
#ifndef _KERNEL_TRACE_LAST_BOOT_H
#define _KERNEL_TRACE_LAST_BOOT_H

#include <linux/trace_events.h>

bool __trace_print_strange(struct trace_iterator *iter);

/**
 * trace_print_strange - print an event that other printers must not read
 * @iter: at the event
 *
 * Context: any, NMI included.
 * Return: false, and nothing was printed, if the event can be printed as usual.
 */
static inline bool trace_print_strange(struct trace_iterator *iter)
{
	return iter->tr->range_addr_start && __trace_print_strange(iter);
}

#endif /* _KERNEL_TRACE_LAST_BOOT_H */
