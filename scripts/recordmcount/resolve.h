/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Definitions for structures that objects know by name only.
 */
#ifndef RESOLVE_H
#define RESOLVE_H

#include "table.h"

bool resolve_pointers(struct table *table);

#endif /* RESOLVE_H */
