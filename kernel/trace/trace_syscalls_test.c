// SPDX-License-Identifier: GPL-2.0
/* KUnit tests of syscall events: the tables, and the text of events with known values. */
#include <kunit/test.h>
#include <linux/slab.h>
#include <linux/trace_seq.h>

#include "trace_output.h"
#include "trace_syscalls.h"

/* An event of a syscall with at most six parameters, and a reader for it */
struct printed {
	struct trace_iterator	*iter;
	char			*text;
	u8			event[sizeof(struct syscall_trace_enter) +
				      SYSCALL_DEFINE_MAXARGS * sizeof(long)] __aligned(8);
};

static struct printed *new_printed(struct kunit *test)
{
	struct printed *p = kunit_kzalloc(test, sizeof(*p), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, p);
	p->iter = kunit_kzalloc(test, sizeof(*p->iter), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, p->iter);
	trace_seq_init(&p->iter->seq);
	p->iter->ent = (struct trace_entry *)p->event;
	return p;
}

static void expect_text(struct kunit *test, struct printed *p, struct trace_event_call *call,
			const char *expected)
{
	struct trace_seq *s = &p->iter->seq;

	KUNIT_EXPECT_EQ(test, call->event.funcs->trace(p->iter, 0, &call->event),
			TRACE_TYPE_HANDLED);
	trace_seq_putc(s, 0);
	KUNIT_EXPECT_STREQ(test, s->buffer, expected);
	trace_seq_init(s);
}

static const struct syscall_metadata *known(struct kunit *test, int slot)
{
	const struct syscall_metadata *meta = trace_syscall_meta(slot);

	KUNIT_ASSERT_NOT_NULL_MSG(test, meta, "slot %d", slot);
	return meta;
}

static void test_native_numbers(struct kunit *test)
{
	const struct syscall_metadata *close = known(test, __NR_close);
	const struct syscall_metadata *openat = known(test, __NR_openat);

	KUNIT_EXPECT_STREQ(test, close->name, "sys_close");
	KUNIT_EXPECT_EQ(test, close->syscall_nr, __NR_close);
	KUNIT_EXPECT_EQ(test, close->nb_args, 1);
	KUNIT_EXPECT_STREQ(test, openat->name, "sys_openat");
	KUNIT_EXPECT_EQ(test, openat->nb_args, 4);
	KUNIT_EXPECT_STREQ(test, openat->args[1], "filename");
	KUNIT_EXPECT_STREQ(test, get_syscall_name(__NR_openat), "sys_openat");
}

static void test_no_such_number(struct kunit *test)
{
	KUNIT_EXPECT_NULL(test, get_syscall_name(-1));
	KUNIT_EXPECT_NULL(test, get_syscall_name(INT_MIN));
	KUNIT_EXPECT_NULL(test, get_syscall_name(NR_syscalls));
	KUNIT_EXPECT_NULL(test, get_syscall_name(INT_MAX));
	KUNIT_EXPECT_NULL(test, get_syscall_name(TRACE_SYSCALL_COMPAT | 0x10000));
	KUNIT_EXPECT_NULL(test, get_syscall_name(TRACE_SYSCALL_COMPAT - 1));
	KUNIT_EXPECT_NULL(test, trace_syscall_find("sys_ni_syscall"));
	KUNIT_EXPECT_NULL(test, trace_syscall_find("no_such_function"));
}

/* What each slot has must be home in a slot that has it, too */
static void test_homes(struct kunit *test)
{
	int slot, found = 0;

	for (slot = 0; slot < TRACE_SYSCALL_SLOTS; slot++) {
		const struct syscall_metadata *meta = trace_syscall_meta(slot);

		if (!meta)
			continue;
		found++;
		KUNIT_ASSERT_GE(test, meta->syscall_nr, 0);
		KUNIT_ASSERT_LT(test, meta->syscall_nr, TRACE_SYSCALL_SLOTS);
		KUNIT_EXPECT_PTR_EQ(test, trace_syscall_meta(meta->syscall_nr), meta);
		if (slot < NR_syscalls)
			KUNIT_EXPECT_LT(test, meta->syscall_nr, NR_syscalls);
	}
	KUNIT_EXPECT_GT(test, found, 200);
}

static void test_enter_text(struct kunit *test)
{
	const struct syscall_metadata *meta = known(test, __NR_openat);
	struct printed *p = new_printed(test);
	struct syscall_trace_enter *entry = (void *)p->event;

	entry->nr = __NR_openat;
	entry->args[0] = 0xffffff9c;
	entry->args[1] = 0x1234abcd;
	entry->args[2] = 0;
	entry->args[3] = ULONG_MAX / 2;
#ifdef CONFIG_64BIT
	expect_text(test, p, meta->enter_event,
		    "sys_openat(dfd: ffffff9c, filename: 1234abcd, flags: 0, mode: 7fffffffffffffff)\n");
#else
	expect_text(test, p, meta->enter_event,
		    "sys_openat(dfd: ffffff9c, filename: 1234abcd, flags: 0, mode: 7fffffff)\n");
#endif
}

static void test_enter_text_without_args(struct kunit *test)
{
	const struct syscall_metadata *meta = known(test, __NR_getpid);

	expect_text(test, new_printed(test), meta->enter_event, "sys_getpid()\n");
}

static void test_exit_text(struct kunit *test)
{
	const struct syscall_metadata *meta = known(test, __NR_close);
	struct printed *p = new_printed(test);
	struct syscall_trace_exit *entry = (void *)p->event;

	entry->nr = __NR_close;
	entry->ret = 3;
	expect_text(test, p, meta->exit_event, "sys_close -> 0x3\n");
	entry->ret = -EBADF;
	expect_text(test, p, meta->exit_event, IS_ENABLED(CONFIG_64BIT) ?
		    "sys_close -> 0xfffffffffffffff7\n" : "sys_close -> 0xfffffff7\n");
}

static void test_enter_format(struct kunit *test)
{
	const struct syscall_metadata *meta = known(test, __NR_dup);

	KUNIT_EXPECT_STREQ(test, meta->enter_event->print_fmt, IS_ENABLED(CONFIG_64BIT) ?
			   "\"fildes: 0x%08lx\", ((unsigned long)(REC->fildes))" :
			   "\"fildes: 0x%04lx\", ((unsigned long)(REC->fildes))");
	KUNIT_EXPECT_STREQ(test, meta->exit_event->print_fmt, "\"0x%lx\", REC->ret");
	meta = known(test, __NR_dup3);
	KUNIT_EXPECT_NOT_NULL(test, strstr(meta->enter_event->print_fmt,
					   "lx\", ((unsigned long)(REC->oldfd)), ((unsigned"));
	meta = known(test, __NR_getpid);
	KUNIT_EXPECT_STREQ(test, meta->enter_event->print_fmt, "\"\"");
}

#ifdef ARCH_TRACE_COMPAT_SYSCALLS

static void test_compat_numbers(struct kunit *test)
{
	static const struct {
		int		nr;
		const char	*name;
		int		home;
	} expected[] = {
		{ __NR_ia32_close,	"sys_close",	__NR_close },
		{ __NR_ia32_getpid,	"sys_getpid",	__NR_getpid },
		/* by COMPAT_SYSCALL_DEFINE(), with the parameters of the native syscall */
		{ __NR_ia32_openat,	"sys_openat",	__NR_openat },
		{ __NR_ia32_execve,	"sys_execve",	__NR_execve },
		{ __NR_ia32_rt_sigreturn, "sys_rt_sigreturn", __NR_rt_sigreturn },
		/* without a native one, or with other parameters */
		{ __NR_ia32_pread64,	"sys_ia32_pread64", NR_syscalls + __NR_ia32_pread64 },
		{ __NR_ia32_waitpid,	"sys_waitpid",	NR_syscalls + __NR_ia32_waitpid },
		{ __NR_ia32_fstat64,	"sys_compat_ia32_fstat64", NR_syscalls + __NR_ia32_fstat64 },
		{ __NR_ia32_fanotify_mark, "sys_compat_fanotify_mark",
		  NR_syscalls + __NR_ia32_fanotify_mark },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(expected); i++) {
		int slot = NR_syscalls + expected[i].nr;
		const struct syscall_metadata *meta = known(test, slot);
		int number = expected[i].nr | 0x20000000;

		KUNIT_EXPECT_STREQ(test, meta->name, expected[i].name);
		KUNIT_EXPECT_EQ(test, meta->syscall_nr, expected[i].home);
		KUNIT_EXPECT_EQ(test, trace_syscall_number(slot), number);
		KUNIT_EXPECT_STREQ(test, get_syscall_name(number), expected[i].name);
	}
	KUNIT_EXPECT_NULL(test, trace_syscall_meta(NR_syscalls + __NR_ia32_break));
}

static void test_compat_text(struct kunit *test)
{
	const struct syscall_metadata *meta = known(test, NR_syscalls + __NR_ia32_close);
	struct printed *p = new_printed(test);
	struct syscall_trace_enter *entry = (void *)p->event;
	struct syscall_trace_exit *exit = (void *)p->event;

	entry->nr = trace_syscall_number(NR_syscalls + __NR_ia32_close);
	entry->args[0] = 5;
	expect_text(test, p, meta->enter_event, "sys_close(fd: 5) (compat)\n");
	exit->ret = 0;
	expect_text(test, p, meta->exit_event, "sys_close -> 0x0 (compat)\n");
}

#endif

static struct kunit_case cases[] = {
#ifdef ARCH_TRACE_COMPAT_SYSCALLS
	KUNIT_CASE(test_compat_numbers),
	KUNIT_CASE(test_compat_text),
#endif
	KUNIT_CASE(test_native_numbers),
	KUNIT_CASE(test_no_such_number),
	KUNIT_CASE(test_homes),
	KUNIT_CASE(test_enter_text),
	KUNIT_CASE(test_enter_text_without_args),
	KUNIT_CASE(test_exit_text),
	KUNIT_CASE(test_enter_format),
	{}
};

static struct kunit_suite suite = {
	.name		= "trace_syscalls",
	.test_cases	= cases,
};

kunit_test_suite(suite);

MODULE_DESCRIPTION("KUnit tests of syscall events");
