/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The signature of a call site.
 */
#ifndef SIGNATURE_H
#define SIGNATURE_H

#include "sig_function.h"

const char *signatures_make(struct signatures *s, const struct object *obj,
			    const struct call_sites *cs);
void signatures_free(struct signatures *s);

#endif /* SIGNATURE_H */
