/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Making tables of signatures, see include/linux/ftrace_signature_format.h.
 */
#ifndef TABLE_H
#define TABLE_H

#include "../../include/linux/ftrace_signature_format.h"

#include "util.h"

/**
 * struct pool - equal pieces of data are stored once
 * @data: all pieces
 * @size: bytes of @data
 * @slots: hash table of the pieces
 * @nr_slots: its size, a power of two
 * @nr_used: number of pieces
 */
struct pool {
	unsigned char	*data;
	size_t		size;
	size_t		room;
	struct pool_slot {
		uint32_t	hash;
		uint32_t	offset;
		uint32_t	size;
		bool		used;
	} *slots;
	size_t		nr_slots;
	size_t		nr_used;
};

size_t pool_add(struct pool *pool, const void *data, size_t size);
void pool_free(struct pool *pool);

/**
 * struct table - a table being made
 * @strings: the strings; offsets into it are bytes
 * @types: the types; ids are words
 * @protos: the prototypes; offsets are bytes
 * @sigs: offset into @protos for each site
 * @nr_sites: number of sites
 */
struct table {
	struct pool	strings;
	struct pool	types;
	struct pool	protos;
	uint32_t	*sigs;
	uint32_t	nr_sites;
	uint32_t	room;
};

#define TABLE_NONE	((uint32_t)~0)

/* Anything but control characters, which no name in a table has */
static inline bool is_printable(unsigned char c)
{
	return c >= ' ' && c != 0x7f;
}

void table_init(struct table *table);
void table_free(struct table *table);
uint32_t table_string(struct table *table, const char *string);
uint32_t table_type(struct table *table, const uint32_t *words, size_t nr);
uint32_t table_proto(struct table *table, const uint32_t *words, size_t nr);
const uint32_t *table_type_meant(const struct table *table, uint32_t id);
void table_site(struct table *table, uint32_t proto);
unsigned char *table_build(const struct table *table, unsigned int word_size,
			   unsigned int flags, size_t *size);

/* Bytes before the call sites */
static inline size_t table_front_size(unsigned int flags)
{
	return sizeof(struct ftrace_sig_header) +
	       (flags & FTRACE_SIG_F_APART ? sizeof(struct ftrace_sig_apart) : 0);
}

uint32_t table_checksum(const struct ftrace_sig_header *h);

#endif /* TABLE_H */
