// SPDX-License-Identifier: GPL-2.0
/* No ring buffer at all: what it takes to copy the bytes, and to read the clock. */
#include <stdlib.h>
#include <string.h>
#include "native.h"

/* Like an event and its header */
struct slot {
	unsigned int header;
	unsigned int words[2 * EVENT_WORDS];
};

/* Not a constant to the compiler, and not written just before it is read */
static unsigned long long words[EVENT_WORDS] = { 1, 2, 3 };
static char *memory;
static unsigned long at;

static __inline__ void *next_slot(void)
{
	if (at + sizeof(struct slot) > RING_BYTES)
		at = 0;
	at += sizeof(struct slot);
	return memory + at - sizeof(struct slot);
}

static __attribute__((noinline)) void copy_event(void)
{
	struct slot *slot = next_slot();

	memcpy(slot->words, words, sizeof(words));
}

static __attribute__((noinline)) void copy_with_time(void)
{
	struct slot *slot = next_slot();

	slot->header = native_ticks();
	memcpy(slot->words, words, sizeof(words));
}

static void write_copies(unsigned int count)
{
	while (count--)
		copy_event();
}

static void write_with_time(unsigned int count)
{
	while (count--)
		copy_with_time();
}

const struct way_to_write ways_to_write[] = {
	{ "memcpy", write_copies },
	{ "memcpy and clock", write_with_time },
	{ NULL },
};

const struct way_to_read ways_to_read[] = { { NULL } };

bool native_start(void)
{
	words[0] = native_ticks();
	memory = calloc(1, RING_BYTES);
	return memory;
}

long native_lost(void)
{
	return -1;
}
