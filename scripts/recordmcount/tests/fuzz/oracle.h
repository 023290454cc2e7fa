/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What a table of signatures says, worked out once more: from the format header
 * and the documentation, without the kernel's code and without haste.
 */
#ifndef ORACLE_H
#define ORACLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../../../../include/linux/ftrace_signature_format.h"

struct text {
	char	*at;
	size_t	size;
};

/* How a value is printed: as in kernel/trace/signature/signature.h */
#define ORACLE_IS_RESULT	1
#define ORACLE_NO_SYMBOLS	2
#define ORACLE_IMAGE_SYMBOLS	4

const char *oracle_check(const uint8_t *data, size_t size);
struct text oracle_params(const uint8_t *data, uint32_t proto,
			  const uint64_t *words, unsigned int nr_words,
			  unsigned int how);
struct text oracle_ret(const uint8_t *data, uint32_t proto, uint64_t low,
		       const uint64_t *high, unsigned int how);

#endif /* ORACLE_H */
