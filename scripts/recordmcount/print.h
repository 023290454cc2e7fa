/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Signatures as text.
 */
#ifndef PRINT_H
#define PRINT_H

#include <stdio.h>

#include "arch.h"
#include "table.h"

void print_signature(FILE *out, const struct arch *arch,
		     const struct table_view *view,
		     const struct ftrace_sig_proto *proto, const char *name);

#endif /* PRINT_H */
