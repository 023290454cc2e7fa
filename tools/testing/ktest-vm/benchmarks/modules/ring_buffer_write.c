// SPDX-License-Identifier: GPL-2.0
/*
 * What one write into the ring buffer takes: a place is reserved, the clock
 * read, the event filled and committed, through the general interface.
 */
#include "ring_buffer_cost.h"

static int __init ring_buffer_write_init(void)
{
	return count_writes(write_event);
}

static void __exit ring_buffer_write_exit(void)
{
}

module_init(ring_buffer_write_init);
module_exit(ring_buffer_write_exit);
MODULE_DESCRIPTION("Count what a write into the ring buffer takes");
MODULE_LICENSE("GPL");
