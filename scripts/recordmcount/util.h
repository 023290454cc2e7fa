/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Messages and memory.
 */
#ifndef UTIL_H
#define UTIL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ARRAY_SIZE(a)		(sizeof(a) / sizeof((a)[0]))

#define __noreturn		__attribute__((__noreturn__))
#define __printf(a, b)		__attribute__((__format__(printf, a, b)))

__printf(2, 3) int fail(const char *path, const char *fmt, ...);
__printf(2, 3) void warn(const char *path, const char *fmt, ...);

void *xcalloc(size_t nr, size_t size);
void *xrealloc(void *p, size_t size);
void *xmemdup(const void *p, size_t size);
__printf(1, 2) char *xasprintf(const char *fmt, ...);

/**
 * GROW - make room for one more element in a growing array
 * @array: pointer to the first element, or NULL
 * @nr: elements in use
 * @room: elements that fit; updated
 */
#define GROW(array, nr, room) do {					\
	if ((nr) == (room)) {						\
		(room) = (room) ? 2 * (room) : 16;			\
		(array) = xrealloc(array, (room) * sizeof(*(array)));	\
	}								\
} while (0)

static inline uint64_t align_up(uint64_t value, uint64_t align)
{
	return align > 1 ? (value + align - 1) / align * align : value;
}

#endif /* UTIL_H */
