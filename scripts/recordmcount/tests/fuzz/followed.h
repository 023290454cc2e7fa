/* SPDX-License-Identifier: GPL-2.0 */
/* What is attached to an event, for table.c. */
#ifndef FOLLOWED_H
#define FOLLOWED_H

#include <stdint.h>

struct ftrace_signature;

void follow(const struct ftrace_signature *sig, const unsigned long *words,
	    unsigned int nr_words, uint64_t (*next)(void));

#endif /* FOLLOWED_H */
