// SPDX-License-Identifier: GPL-2.0
/*
 * The time stamp counter as lttng-ust's clock, instead of clock_gettime(), which
 * is its own: named by LTTNG_UST_CLOCK_PLUGIN.
 */
#include <lttng/ust-clock.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "native.h"

static uint64_t read_ticks(void)
{
	return native_ticks();
}

/* A trace of it is not for reading */
static uint64_t frequency(void)
{
	return 1000000000;
}

static int uuid(char *to)
{
	memcpy(to, "ba5eba11-0000-4000-8000-000000000000", LTTNG_UST_UUID_STR_LEN);
	return 0;
}

static const char *name(void)
{
	return "tsc";
}

static const char *description(void)
{
	return "time stamp counter";
}

void lttng_ust_clock_plugin_init(void);
void lttng_ust_clock_plugin_init(void)
{
	if (lttng_ust_trace_clock_set_read64_cb(read_ticks) ||
	    lttng_ust_trace_clock_set_freq_cb(frequency) ||
	    lttng_ust_trace_clock_set_uuid_cb(uuid) ||
	    lttng_ust_trace_clock_set_name_cb(name) ||
	    lttng_ust_trace_clock_set_description_cb(description) ||
	    lttng_ust_enable_trace_clock_override()) {
		fprintf(stderr, "error: lttng-ust does not take the clock\n");
		exit(1);
	}
}
