// SPDX-License-Identifier: GPL-2.0
/*
 * How much memory a ring buffer takes for each event of 24 bytes that is in it
 * when it is full: with all that it needs besides the events.
 */
#include <linux/mm.h>
#include <linux/sched.h>
#include "ring_buffer_event.h"

#define LARGE_BYTES	(16UL << 20)

static unsigned long bytes;
module_param(bytes, ulong, 0444);
MODULE_PARM_DESC(bytes, "Memory of the buffer");

/* A zone's, with those that a processor keeps for itself */
static unsigned long free_pages_of(struct zone *zone)
{
	unsigned long pages = zone_page_state_snapshot(zone, NR_FREE_PAGES);
	int cpu;

	for_each_online_cpu(cpu)
		pages += per_cpu_ptr(zone->per_cpu_pageset, cpu)->count;
	return pages;
}

static unsigned long free_bytes(void)
{
	struct pglist_data *node = NODE_DATA(numa_node_id());
	unsigned long pages = 0;
	int i;

	for (i = 0; i < MAX_NR_ZONES; i++)
		if (populated_zone(&node->node_zones[i]))
			pages += free_pages_of(&node->node_zones[i]);
	return pages * PAGE_SIZE;
}

static int __init ring_buffer_memory_init(void)
{
	unsigned long before = free_bytes();
	struct trace_buffer *buffer = ring_buffer_alloc(LARGE_BYTES, 0);

	if (!buffer)
		return -ENOMEM;
	bytes = before - free_bytes();
	while (!write_event(buffer))
		cond_resched();
	events = ring_buffer_entries(buffer);
	ring_buffer_free(buffer);
	return events ? 0 : -EIO;
}

static void __exit ring_buffer_memory_exit(void)
{
}

module_init(ring_buffer_memory_init);
module_exit(ring_buffer_memory_exit);
MODULE_DESCRIPTION("Count what memory a ring buffer takes");
MODULE_LICENSE("GPL");
