/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What is done to one object file.
 */
#ifndef OBJECT_H
#define OBJECT_H

#include <stdbool.h>

/* What the command line asks for. */
struct options {
	bool	signatures;
	bool	mcount_loc;
	bool	strip_debug;
	bool	warn_ignored;	/* -w: tell of calls that cannot be recorded */
};

int process_object(const char *path, const struct options *opt);

#endif /* OBJECT_H */
