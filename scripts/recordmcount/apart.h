/* SPDX-License-Identifier: GPL-2.0 */
/*
 * An image's table that is in a file of its own.
 */
#ifndef APART_H
#define APART_H

#include "merge.h"

/**
 * struct apart - an image's table from another file
 * @file: the file
 * @src: the table alone
 * @ips: the addresses of its call sites in the image
 */
struct apart {
	struct object	file;
	struct sources	src;
	struct table_ip	*ips;
};

int link_apart(const char *path, const char *out);
int apart_open(struct apart *apart, const char *path,
	       const struct object *image);
void apart_close(struct apart *apart);

#endif /* APART_H */
