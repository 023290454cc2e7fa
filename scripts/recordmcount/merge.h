/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Many tables become one.
 */
#ifndef MERGE_H
#define MERGE_H

#include "elf_object.h"
#include "table_read.h"

/**
 * struct source - a table that is merged
 * @view: the table
 * @start: its offset in the section
 * @ids: new id of each of its types, TABLE_NONE if there is none yet
 * @protos: new offset of each of its prototypes
 * @copy: the table, if it had to be aligned
 * @pointed: types that copied pointers refer to, to be copied later; only if
 *	@pointers_last
 * @nr_pointed: number of @pointed
 * @definitions_copied: merge_definitions() was called
 * @pointers_last: copy what pointers refer to last, so that they may lead in
 *	circles
 */
struct source {
	struct table_view view;
	uint64_t	start;
	uint32_t	*ids;
	uint32_t	*protos;
	unsigned char	*copy;
	uint32_t	*pointed;
	size_t		nr_pointed;
	size_t		room_pointed;
	bool		definitions_copied;
	bool		pointers_last;
};

/**
 * struct sources - the tables of a section
 * @list: the tables
 * @nr: number of @list
 */
struct sources {
	struct source	*list;
	uint32_t	nr;
	uint32_t	room;
};

int sources_read(const struct object *obj, uint32_t sec, unsigned int flags,
		 struct sources *src);
void sources_free(struct sources *src);

uint32_t merge_proto(struct table *table, struct source *src, uint32_t site);
bool merge_definitions(struct table *table, struct source *src);
bool merge_pointed(struct table *table, struct source *src);

/**
 * struct table_ip - where a call site of a table is
 * @base: symbol it counts from, see object::symbols; 0: it is an address
 * @section: index of the symbol's section, 0 if the symbol is not defined
 * @offset: offset in the section, or to the symbol, or the address
 */
struct table_ip {
	uint32_t	base;
	uint32_t	section;
	uint64_t	offset;
};

int read_ips(const struct object *obj, uint32_t sec, const struct source *src,
	     struct table_ip *ips);

#endif /* MERGE_H */
