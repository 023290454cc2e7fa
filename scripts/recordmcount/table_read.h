/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Reading a table of signatures.
 */
#ifndef TABLE_READ_H
#define TABLE_READ_H

#include "table.h"

/**
 * struct table_view - a table that was read and checked
 * @header: its start
 * @ips: bytes of the addresses
 * @ip_size: bytes of one
 * @sigs: prototype offset of each site
 * @protos: start of the prototypes
 * @types: start of the types
 * @nr_types: words in @types
 * @strings: start of the strings
 */
struct table_view {
	const struct ftrace_sig_header *header;
	const unsigned char	*ips;
	unsigned int		ip_size;
	const uint32_t		*sigs;
	const unsigned char	*protos;
	const uint32_t		*types;
	uint32_t		nr_types;
	const char		*strings;
};

const char *table_read(struct table_view *view, const unsigned char *data,
		       size_t size);
const struct ftrace_sig_proto *table_view_proto(const struct table_view *view,
						uint32_t site);
const uint32_t *table_view_type(const struct table_view *view, uint32_t id);
size_t proto_words(const struct ftrace_sig_proto *proto);

#endif /* TABLE_READ_H */
