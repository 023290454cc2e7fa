/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Linking signatures, and what the ways to do that share.
 */
#ifndef LINK_H
#define LINK_H

#include "merge.h"

/**
 * struct entry - a call site of the new table
 * @src: the table that describes it
 * @site: its number there
 * @ip: where it is
 * @addr: its address, in an image
 */
struct entry {
	struct source	*src;
	uint32_t	site;
	struct table_ip	ip;
	uint64_t	addr;
};

struct entries {
	struct entry	*list;
	uint32_t	nr;
	uint32_t	room;
};

/* The symbol that the text of an image begins with */
#define IMAGE_TEXT	"_stext"

typedef int (*link_write)(const struct object *image, const char *path,
			  const struct entries *entries);

int link_image(const char *path, const char *out);
int link_module(const char *path);
int link_with(const char *path, const char *out, link_write write);
unsigned char *entries_build(const struct object *obj,
			     const struct entries *entries, unsigned int flags,
			     size_t *size);
void link_new_object(struct object *out, const char *path,
		     const struct object *image);
void link_begin_symbols(struct object *out, uint32_t room);
uint32_t link_add_symbol(struct object *out, const char *name, uint32_t sec,
			 uint64_t value);
int link_write_object(struct object *out);

#endif /* LINK_H */
