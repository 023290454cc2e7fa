/* SPDX-License-Identifier: GPL-2.0 */
/*
 * --print and --explain.
 */
#ifndef PRINT_H
#define PRINT_H

#include <stdbool.h>

int print_file(const char *path, const char *table, bool explain);

#endif /* PRINT_H */
