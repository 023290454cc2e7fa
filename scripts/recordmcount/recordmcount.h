/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What all parts of recordmcount share: messages and memory.
 */
#ifndef RECORDMCOUNT_H
#define RECORDMCOUNT_H

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

/* What the command line asks for. */
struct options {
	bool	signatures;
	bool	mcount_loc;
	bool	strip_debug;
	bool	warn_ignored;	/* -w: tell of calls that cannot be recorded */
};

int process_object(const char *path, const struct options *opt);
int link_image(const char *path, const char *out);
int link_module(const char *path);
int link_apart(const char *path, const char *out);
int check_image(const char *path, const char *table);
int print_file(const char *path, const char *table, bool explain);

#endif /* RECORDMCOUNT_H */
