/* SPDX-License-Identifier: GPL-2.0 */
/*
 * All forms, in the order of strcmp(), which the search needs and a test checks: capital
 * letters, the underscore, small letters.
 */
FORM(__kernel_timespec)
FORM(hrtimer)
FORM(ktime_t)
FORM(timer_list)
FORM(timespec64)
