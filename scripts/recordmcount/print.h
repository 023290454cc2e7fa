/* SPDX-License-Identifier: GPL-2.0 */
/*
 * --print and --explain.
 */
#ifndef PRINT_H
#define PRINT_H

/* What to print of a file */
enum print_what {
	PRINT_SITES,		/* the call sites */
	PRINT_WHY,		/* what is unknown of them, and why */
	PRINT_MEMBERS,		/* the structures, with their members */
};

int print_file(const char *path, const char *table, enum print_what what);

#endif /* PRINT_H */
