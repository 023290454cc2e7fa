// SPDX-License-Identifier: GPL-2.0
/* Times, intervals and timers. */
#include <linux/compat.h>
#include <linux/init.h>
#include <linux/string.h>
#include <linux/time.h>
#include <linux/times.h>
#include <linux/time32.h>

#include "trace_syscalls_forms.h"

#define MEMBERS_TIMESPEC(_type)							\
{										\
	MEMBER(_type, tv_sec, trace_syscall_signed),				\
	MEMBER(_type, tv_nsec, trace_syscall_signed),				\
	{}									\
}

#define MEMBERS_TIMEVAL(_type)							\
{										\
	MEMBER(_type, tv_sec, trace_syscall_signed),				\
	MEMBER(_type, tv_usec, trace_syscall_signed),				\
	{}									\
}

/* The same for 32-bit programs where the type is not one that only they have */
static struct trace_syscall_member timespec_members[] __ro_after_init =
	MEMBERS_TIMESPEC(struct __kernel_timespec);
static struct trace_syscall_member timespec32_members[] __ro_after_init =
	MEMBERS_TIMESPEC(struct old_timespec32);
static struct trace_syscall_member timeval_members[] __ro_after_init =
	MEMBERS_TIMEVAL(struct __kernel_old_timeval);
static struct trace_syscall_member timeval32_members[] __ro_after_init =
	MEMBERS_TIMEVAL(struct old_timeval32);

const struct trace_syscall_form trace_syscall_form_timespec = {
	.type	= "struct __kernel_timespec",
	STRUCT_FORM,
	.native	= LAYOUT(struct __kernel_timespec, timespec_members),
	COMPAT_LAYOUT(struct __kernel_timespec, timespec_members)
};

const struct trace_syscall_form trace_syscall_form_timespec32 = {
	.type	= "struct old_timespec32",
	STRUCT_FORM,
	.native	= LAYOUT(struct old_timespec32, timespec32_members),
	COMPAT_LAYOUT(struct old_timespec32, timespec32_members)
};

const struct trace_syscall_form trace_syscall_form_timeval = {
	.type	= "struct __kernel_old_timeval",
	STRUCT_FORM,
	.native	= LAYOUT(struct __kernel_old_timeval, timeval_members),
	COMPAT_LAYOUT(struct old_timeval32, timeval32_members)
};

const struct trace_syscall_form trace_syscall_form_timeval32 = {
	.type	= "struct old_timeval32",
	STRUCT_FORM,
	.native	= LAYOUT(struct old_timeval32, timeval32_members),
	COMPAT_LAYOUT(struct old_timeval32, timeval32_members)
};

/* The time that is left, behind the result */
static bool print_left(struct trace_syscall_printer *p, const struct trace_syscall_form *form,
		       unsigned long address, unsigned long count)
{
	if (p->of & TRACE_SYSCALL_OUT)
		trace_seq_puts(p->s, "left ");
	return trace_syscall_print_struct(p, form, address, count);
}

#define LEFT_FORM								\
	.read	= trace_syscall_read_struct,					\
	.print	= print_left

const struct trace_syscall_form trace_syscall_form_timespec_left = {
	LEFT_FORM,
	.native	= LAYOUT(struct __kernel_timespec, timespec_members),
	COMPAT_LAYOUT(struct __kernel_timespec, timespec_members)
};

const struct trace_syscall_form trace_syscall_form_timespec32_left = {
	LEFT_FORM,
	.native	= LAYOUT(struct old_timespec32, timespec32_members),
	COMPAT_LAYOUT(struct old_timespec32, timespec32_members)
};

const struct trace_syscall_form trace_syscall_form_timeval_left = {
	LEFT_FORM,
	.native	= LAYOUT(struct __kernel_old_timeval, timeval_members),
	COMPAT_LAYOUT(struct old_timeval32, timeval32_members)
};

static struct trace_syscall_member timezone_members[] __ro_after_init = {
	MEMBER(struct timezone, tz_minuteswest, trace_syscall_signed),
	MEMBER(struct timezone, tz_dsttime, trace_syscall_signed),
};

const struct trace_syscall_form trace_syscall_form_timezone = {
	.type	= "struct timezone",
	STRUCT_FORM,
	.native	= LAYOUT(struct timezone, timezone_members),
	COMPAT_LAYOUT(struct timezone, timezone_members)
};

/* Timers */

#define MEMBERS_TIMER(_type, _members)						\
{										\
	INSIDE(_type, it_interval, _members),					\
	INSIDE(_type, it_value, _members),					\
}

static struct trace_syscall_member itimerspec_members[] __ro_after_init =
	MEMBERS_TIMER(struct __kernel_itimerspec, timespec_members);
static struct trace_syscall_member itimerspec32_members[] __ro_after_init =
	MEMBERS_TIMER(struct old_itimerspec32, timespec32_members);
static struct trace_syscall_member itimerval_members[] __ro_after_init =
	MEMBERS_TIMER(struct __kernel_old_itimerval, timeval_members);

/* As kernel/time/itimer.c has it for itself */
struct itimerval32 {
	struct old_timeval32	it_interval;
	struct old_timeval32	it_value;
};

static struct trace_syscall_member itimerval32_members[] __ro_after_init =
	MEMBERS_TIMER(struct itimerval32, timeval32_members);

const struct trace_syscall_form trace_syscall_form_itimerspec = {
	.type	= "struct __kernel_itimerspec",
	STRUCT_FORM,
	.native	= LAYOUT(struct __kernel_itimerspec, itimerspec_members),
	COMPAT_LAYOUT(struct __kernel_itimerspec, itimerspec_members)
};

const struct trace_syscall_form trace_syscall_form_itimerspec32 = {
	.type	= "struct old_itimerspec32",
	STRUCT_FORM,
	.native	= LAYOUT(struct old_itimerspec32, itimerspec32_members),
	COMPAT_LAYOUT(struct old_itimerspec32, itimerspec32_members)
};

const struct trace_syscall_form trace_syscall_form_itimerval = {
	.type	= "struct __kernel_old_itimerval",
	STRUCT_FORM,
	.native	= LAYOUT(struct __kernel_old_itimerval, itimerval_members),
	COMPAT_LAYOUT(struct itimerval32, itimerval32_members)
};

const struct trace_syscall_form trace_syscall_form_itimerval32 = {
	.type	= "struct old_itimerval32",
	STRUCT_FORM,
	.native	= LAYOUT(struct itimerval32, itimerval32_members),
	COMPAT_LAYOUT(struct itimerval32, itimerval32_members)
};

#define MEMBERS_TMS(_type)							\
{										\
	MEMBER(_type, tms_utime, trace_syscall_signed),				\
	MEMBER(_type, tms_stime, trace_syscall_signed),				\
	MEMBER(_type, tms_cutime, trace_syscall_signed),			\
	MEMBER(_type, tms_cstime, trace_syscall_signed),			\
}

static struct trace_syscall_member tms_members[] __ro_after_init = MEMBERS_TMS(struct tms);
#ifdef CONFIG_COMPAT
static struct trace_syscall_member compat_tms_members[] __ro_after_init =
	MEMBERS_TMS(struct compat_tms);
#endif

const struct trace_syscall_form trace_syscall_form_tms = {
	.type	= "struct tms",
	STRUCT_FORM,
	.native	= LAYOUT(struct tms, tms_members),
	COMPAT_LAYOUT(struct compat_tms, compat_tms_members)
};

/* Two times of a file, of which each may be "now" or "unchanged" */

static void print_file_time(struct trace_seq *s, const void *bytes)
{
	struct __kernel_timespec ts;

	memcpy(&ts, bytes, sizeof(ts));
	if (ts.tv_nsec == UTIME_NOW)
		trace_seq_puts(s, "UTIME_NOW");
	else if (ts.tv_nsec == UTIME_OMIT)
		trace_seq_puts(s, "UTIME_OMIT");
	else
		trace_syscall_print_members(s, &trace_syscall_form_timespec.native, bytes);
}

static void read_file_times(struct trace_syscall_reader *r,
			    const struct trace_syscall_form *form, unsigned long address,
			    unsigned long count)
{
	trace_syscall_read(r, address, 2 * sizeof(struct __kernel_timespec));
}

static bool print_file_times(struct trace_syscall_printer *p,
			     const struct trace_syscall_form *form, unsigned long address,
			     unsigned long count)
{
	struct __kernel_timespec times[2];

	if (!trace_syscall_next_whole(p, times, sizeof(times)))
		return false;
	trace_seq_putc(p->s, '[');
	print_file_time(p->s, &times[0]);
	trace_seq_puts(p->s, ", ");
	print_file_time(p->s, &times[1]);
	trace_seq_putc(p->s, ']');
	return true;
}

const struct trace_syscall_form trace_syscall_form_timespec_pair = {
	.read	= read_file_times,
	.print	= print_file_times,
};
