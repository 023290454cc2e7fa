// SPDX-License-Identifier: GPL-2.0
/*
 * Function symbols by place.
 */
#include <stdlib.h>
#include <string.h>

#include "names.h"

static int by_start(const void *a, const void *b)
{
	const struct named *m = a, *n = b;

	if (m->section != n->section)
		return m->section < n->section ? -1 : 1;
	if (m->start != n->start)
		return m->start < n->start ? -1 : 1;
	return strcmp(m->name, n->name);
}

/**
 * names_read - read the function symbols of an object
 * @obj: the object
 * @names: filled, to be freed by names_free()
 */
void names_read(const struct object *obj, struct names *names)
{
	bool relocatable = obj->ehdr.e_type == ET_REL;

	memset(names, 0, sizeof(*names));
	for (uint32_t i = 1; i < obj->nr_symbols; i++) {
		const struct symbol *s = &obj->symbols[i];

		if (GELF_ST_TYPE(s->sym.st_info) != STT_FUNC || s->reserved ||
		    !s->section)
			continue;
		GROW(names->list, names->nr, names->room);
		names->list[names->nr++] = (struct named){
			relocatable ? s->section : 0, s->sym.st_value,
			s->sym.st_size, s->name,
		};
	}
	if (names->nr)
		qsort(names->list, names->nr, sizeof(*names->list), by_start);
}

/**
 * names_free - free what names_read() allocated
 * @names: the symbols
 */
void names_free(struct names *names)
{
	free(names->list);
	memset(names, 0, sizeof(*names));
}

/**
 * names_find - the function at a place
 * @names: the symbols
 * @section: index of the section, 0 in an image
 * @offset: offset in the section, the address in an image
 *
 * Return: the first of the names by the alphabet, NULL if there is none.
 */
const char *names_find(const struct names *names, uint32_t section,
		       uint64_t offset)
{
	size_t low = 0, high = names->nr;
	const struct named *n;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		n = &names->list[mid];
		if (n->section < section ||
		    (n->section == section && n->start <= offset))
			low = mid + 1;
		else
			high = mid;
	}
	if (!low)
		return NULL;
	n = &names->list[low - 1];
	while (n > names->list && n[-1].section == n->section &&
	       n[-1].start == n->start)
		n--;
	if (n->section != section || offset - n->start >= n->size)
		return NULL;
	return n->name;
}
