// SPDX-License-Identifier: GPL-2.0
/* The base's ring buffer. */
#include "ring.h"

const struct way_to_write ways_to_write[] = {
	{ "general", write_general },
	{ NULL },
};
