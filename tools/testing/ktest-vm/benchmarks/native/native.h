/* SPDX-License-Identifier: GPL-2.0 */
/* What one write takes, of some ring buffers in programs: see native.c. */
#ifndef NATIVE_H
#define NATIVE_H

#include <stdbool.h>

#define EVENT_WORDS	3		/* of 8 bytes */
#define RING_BYTES	(1UL << 20)

/* As many events as @count */
struct way_to_write {
	const char *name;
	void (*write)(unsigned int count);
};

/* What there is to be read; returns how many events */
struct way_to_read {
	const char *name;
	unsigned long (*read)(void);
};

/* Lists that end with a name of NULL */
extern const struct way_to_write ways_to_write[];
extern const struct way_to_read ways_to_read[];

bool native_start(void);

/* Events that are no longer there, or were refused; -1: it is not known */
long native_lost(void);

/* Ticks of the processor's time stamp counter */
static __inline__ __attribute__((always_inline)) unsigned long long native_ticks(void)
{
	unsigned int low, high;

	__asm__ __volatile__("rdtsc" : "=a" (low), "=d" (high) : : "memory");
	return (unsigned long long)high << 32 | low;
}

#endif
