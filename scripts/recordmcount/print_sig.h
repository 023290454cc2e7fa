/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Signatures as text.
 */
#ifndef PRINT_SIG_H
#define PRINT_SIG_H

#include <stdio.h>

#include "arch.h"
#include "table_read.h"

/**
 * struct place - a call site to tell something of
 * @out: where to write to
 * @where: its address, or symbol or section and offset
 * @symbol: name of its function
 */
struct place {
	FILE		*out;
	const char	*where;
	const char	*symbol;
};

void print_text(FILE *out, const char *text);
void explain_signature(const struct place *place, const struct table_view *view,
		       const struct ftrace_sig_proto *proto);
void print_signature(FILE *out, const struct arch *arch,
		     const struct table_view *view,
		     const struct ftrace_sig_proto *proto, const char *name);

void print_structures(FILE *out, const struct table_view *view);

#endif /* PRINT_SIG_H */
