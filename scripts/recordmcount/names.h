/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Function symbols by place.
 */
#ifndef NAMES_H
#define NAMES_H

#include "elf_object.h"

/**
 * struct named - a function symbol
 * @section: its section; 0 in an image, where places are addresses
 * @start: where it begins
 * @size: its size
 * @name: its name
 */
struct named {
	uint32_t	section;
	uint64_t	start;
	uint64_t	size;
	const char	*name;
};

/**
 * struct names - the function symbols of an object
 * @list: sorted by place and name
 * @nr: number of @list
 */
struct names {
	struct named	*list;
	size_t		nr;
	size_t		room;
};

void names_read(const struct object *obj, struct names *names);
void names_free(struct names *names);
const char *names_find(const struct names *names, uint32_t section,
		       uint64_t offset);

#endif /* NAMES_H */
