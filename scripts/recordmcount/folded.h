/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Functions of which DWARF has no code, because they were folded into others.
 */
#ifndef FOLDED_H
#define FOLDED_H

#include "functions.h"

struct sig_function;
struct signatures;

/**
 * struct twin - a function that another one may have been folded into
 * @die: its entry; the concrete one if it has code
 * @source: address of its entry in the source, see die_source()
 * @key: of its result and parameters; equal for all that fit, 0 if anything may
 * @calls: it calls something, wherever its code is
 * @conventions: bits of the conventions that it may have, 0 before they are known
 */
struct twin {
	const struct function_die *die;
	const void	*source;
	uint64_t	key;
	bool		calls;
	uint32_t	conventions;
};

/**
 * struct twins - all functions that others may have been folded into
 * @list: the functions
 * @nr: number of @list
 * @read: they have been looked for
 */
struct twins {
	struct twin	*list;
	uint32_t	nr;
	uint32_t	room;
	bool		read;
};

uint32_t folded_conventions(struct signatures *s, const struct sig_function *f);
void twins_free(struct twins *twins);

#endif /* FOLDED_H */
