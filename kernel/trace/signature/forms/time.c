// SPDX-License-Identifier: GPL-2.0
/* Times and timers. */
#include <linux/clockchips.h>
#include <linux/clocksource.h>
#include <linux/hrtimer.h>
#include <linux/ktime.h>
#include <linux/time.h>
#include <linux/time32.h>
#include <linux/time64.h>
#include <linux/timer.h>
#include <linux/timex.h>

#include "form.h"

FORM_MEMBERS(__kernel_timespec, struct __kernel_timespec,
	MEMBER("tv_sec", struct __kernel_timespec, tv_sec, form_signed),
	MEMBER("tv_nsec", struct __kernel_timespec, tv_nsec, form_signed));

FORM_MEMBERS(timespec64, struct timespec64,
	MEMBER("tv_sec", struct timespec64, tv_sec, form_signed),
	MEMBER("tv_nsec", struct timespec64, tv_nsec, form_signed));

static const struct form_member ktime_t_members[] = {
	{ .name = "", .print = form_signed, .size = sizeof(ktime_t) },
};

static bool ktime_t_capture(struct form_writer *w, unsigned long address)
{
	return form_put_members(w, ktime_t_members, 1, address);
}

static void ktime_t_print(struct trace_seq *s, const void *data, unsigned int size,
			  unsigned int how)
{
	form_print_members(ktime_t_members, 1, s, data, size, how);
}

FORM_FUNCTIONS(ktime_t, ktime_t);

FORM_MEMBERS(timer_list, struct timer_list,
	MEMBER("func", struct timer_list, function, form_function),
	MEMBER("expires", struct timer_list, expires, form_unsigned));

FORM_MEMBERS(hrtimer, struct hrtimer,
	MEMBER("func", struct hrtimer, function, form_function),
	MEMBER("expires", struct hrtimer, node.expires, form_signed));

FORM_OF_STRUCT(__kernel_itimerspec,
	MEMBER("interval.tv_sec", struct __kernel_itimerspec, it_interval.tv_sec, form_signed),
	MEMBER("interval.tv_nsec", struct __kernel_itimerspec, it_interval.tv_nsec, form_signed),
	MEMBER("value.tv_sec", struct __kernel_itimerspec, it_value.tv_sec, form_signed),
	MEMBER("value.tv_nsec", struct __kernel_itimerspec, it_value.tv_nsec, form_signed));

FORM_OF_STRUCT(itimerspec64,
	MEMBER("interval.tv_sec", struct itimerspec64, it_interval.tv_sec, form_signed),
	MEMBER("interval.tv_nsec", struct itimerspec64, it_interval.tv_nsec, form_signed),
	MEMBER("value.tv_sec", struct itimerspec64, it_value.tv_sec, form_signed),
	MEMBER("value.tv_nsec", struct itimerspec64, it_value.tv_nsec, form_signed));

FORM_OF_STRUCT(__kernel_old_timeval,
	MEMBER("tv_sec", struct __kernel_old_timeval, tv_sec, form_signed),
	MEMBER("tv_usec", struct __kernel_old_timeval, tv_usec, form_signed));

FORM_OF_STRUCT(old_timespec32,
	MEMBER("tv_sec", struct old_timespec32, tv_sec, form_signed),
	MEMBER("tv_nsec", struct old_timespec32, tv_nsec, form_signed));

FORM_OF_STRUCT(old_timeval32,
	MEMBER("tv_sec", struct old_timeval32, tv_sec, form_signed),
	MEMBER("tv_usec", struct old_timeval32, tv_usec, form_signed));

FORM_OF_STRUCT(clocksource, STRING("", struct clocksource, name));
FORM_OF_STRUCT(clock_event_device, STRING("", struct clock_event_device, name));
