/* SPDX-License-Identifier: GPL-2.0 */
/* The clock of the kernel, in line: here ticks, as they are. */
#ifndef CLOCK_H
#define CLOCK_H

#include "native.h"

static __always_inline unsigned long long sched_clock_inline(void)
{
	return native_ticks();
}

#endif
