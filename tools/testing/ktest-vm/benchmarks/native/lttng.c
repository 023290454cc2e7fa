// SPDX-License-Identifier: GPL-2.0
/*
 * The ring buffer of lttng-ust: a tracepoint with 24 bytes. This program writes; the
 * daemon of the session reads, if there is one.
 */
#define LTTNG_UST_TRACEPOINT_CREATE_PROBES
#define LTTNG_UST_TRACEPOINT_DEFINE
#include "lttng_event.h"
#include "native.h"

static __attribute__((noinline)) void write_event(unsigned long long value)
{
	lttng_ust_tracepoint(native, event, value, 2, 3);
}

static void write_all(unsigned int count)
{
	while (count--)
		write_event(count);
}

const struct way_to_write ways_to_write[] = {
	{ "tracepoint", write_all },
	{ NULL },
};

const struct way_to_read ways_to_read[] = { { NULL } };

/* Without a session that wants the event, there would be nothing to measure */
bool native_start(void)
{
	return lttng_ust_tracepoint_enabled(native, event);
}

long native_lost(void)
{
	return -1;
}
