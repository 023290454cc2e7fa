// SPDX-License-Identifier: GPL-2.0
/* The entry of a syscall: the syscall's parameters, and where they are copied from */
#include <linux/ftrace.h>
#include <linux/kallsyms.h>
#include <linux/sched/task_stack.h>

#include "../../trace_sig_probe.h"
#include "builder.h"

struct entry {
	struct kunit		*test;
	struct builder		*b;
	struct ftrace_sig_table	table;
	struct ftrace_signature	sig;
	struct trace_seq	*s;
	u32			num;
	u32			word;
	u32			regs;
};

static struct entry *entry_new(struct kunit *test, u32 flags)
{
	struct entry *e = kunit_kzalloc(test, sizeof(*e), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, e);
	e->test = test;
	e->b = builder_new(test);
	e->s = builder_seq(test);
	e->num = builder_int(e->b, "int", 4, FTRACE_SIG_INT_SIGNED);
	e->word = builder_int(e->b, "long int", sizeof(long), FTRACE_SIG_INT_SIGNED);
	e->regs = builder_ref(e->b, FTRACE_SIG_PTR, "",
			      builder_struct(e->b, "pt_regs", sizeof(struct pt_regs)),
			      sizeof(long));
	builder_proto(e->b, e->word, FTRACE_SIG_RET_WORD, flags);
	return e;
}

/* Why the table is refused, or NULL */
static const char *entry_finish(struct entry *e)
{
	const char *why;
	void *data;
	u32 size;

	builder_site(e->b, 0x1000, e->b->proto);
	data = builder_finish(e->b, &size);
	why = ftrace_sig_table_check(data, size, &e->table);
	if (why)
		return why;
	e->sig.table = &e->table;
	e->sig.proto = ftrace_sig_site_proto(&e->table, 0);
	return NULL;
}

static struct entry *entry_typical(struct kunit *test, u32 flags)
{
	struct entry *e = entry_new(test, flags);

	builder_param(e->b, "regs", e->regs, FTRACE_SIG_PLACE_PT_REGS, 0);
	builder_param(e->b, "dfd", e->num, FTRACE_SIG_PLACE_SYSCALL, 1);
	builder_param(e->b, "at", e->word, FTRACE_SIG_PLACE_SYSCALL_S32 + 1, 1);
	builder_param(e->b, "size", e->word, FTRACE_SIG_PLACE_SYSCALL + 2, 1);
	return e;
}

static void expect_params(struct entry *e, const unsigned long *words, u32 nr,
			  unsigned int how, const char *text)
{
	trace_seq_init(e->s);
	ftrace_sig_print_params(e->s, &e->sig, words, nr, NULL, how, "__do_sys_frob");
	KUNIT_EXPECT_STREQ(e->test, builder_text(e->s), text);
}

/* The syscall's parameters are printed, and not the pointer that they are found by. */
static void syscall_print(struct kunit *test)
{
	unsigned long words[] = { (u32)-100, (u32)-2, (u32)-3 };
	struct entry *e = entry_typical(test, FTRACE_SIG_SYSCALL_32);
	u32 nr;

	KUNIT_ASSERT_NULL(test, entry_finish(e));
	/* Of 32 bits, only a long that the entry extends has a sign */
	expect_params(e, words, 3, 0, IS_ENABLED(CONFIG_X86_32) ?
		      "dfd=-100, at=-2, size=-3" : "dfd=-100, at=-2, size=4294967293");
	if (IS_ENABLED(CONFIG_FTRACE_SIGNATURES_CONSTANTS))
		expect_params(e, words, 3, FTRACE_SIG_NAMES, IS_ENABLED(CONFIG_X86_32) ?
			      "dfd=AT_FDCWD, at=-2, size=-3" :
			      "dfd=AT_FDCWD, at=-2, size=4294967293");
	/* An event with any other number of words was not recorded by this signature */
	for (nr = 0; nr < 3; nr++)
		expect_params(e, words, nr, 0, "dfd=?, at=?, size=?");
}

static void syscall_print_none(struct kunit *test)
{
	struct entry *e = entry_new(test, FTRACE_SIG_SYSCALL);

	builder_param(e->b, "__unused", e->regs, FTRACE_SIG_PLACE_PT_REGS, 0);
	KUNIT_ASSERT_NULL(test, entry_finish(e));
	/* The pointer is there, and nothing that it leads to */
	KUNIT_EXPECT_EQ(test, ftrace_sig_nr_words(ftrace_sig_proto_shape(e->sig.proto)), 1);
	KUNIT_EXPECT_EQ(test, ftrace_sig_capture_syscall(ftrace_sig_proto_shape(e->sig.proto),
							 NULL, NULL), 0);
	expect_params(e, NULL, 0, 0, "");
}

#define REFUSED(flags, what, ...)						\
	do {									\
		e = entry_new(test, flags);					\
		__VA_ARGS__;							\
		KUNIT_EXPECT_NOT_NULL_MSG(test, entry_finish(e), "%s was accepted", what); \
	} while (0)

#define PT_REGS()	builder_param(e->b, "regs", e->regs, FTRACE_SIG_PLACE_PT_REGS, 0)
#define ARG(type, nr)	builder_param(e->b, "arg", type, FTRACE_SIG_PLACE_SYSCALL + (nr), 1)

/* What capturing and printing rely on */
static void syscall_refused(struct kunit *test)
{
	u32 pair, i;
	struct entry *e = entry_typical(test, FTRACE_SIG_SYSCALL);

	KUNIT_EXPECT_NULL(test, entry_finish(e));
	REFUSED(0, "arguments without an entry", PT_REGS(); ARG(e->num, 0));
	REFUSED(0, "pt_regs without an entry", PT_REGS());
	REFUSED(FTRACE_SIG_SYSCALL, "an entry without pt_regs", ARG(e->num, 0));
	REFUSED(FTRACE_SIG_SYSCALL, "an entry without parameters");
	REFUSED(FTRACE_SIG_SYSCALL | FTRACE_SIG_SYSCALL_32, "two kinds of entries", PT_REGS());
	REFUSED(FTRACE_SIG_SYSCALL, "small pt_regs",
		builder_param(e->b, "regs", builder_int(e->b, "short", 2, 0),
			      FTRACE_SIG_PLACE_PT_REGS, 0));
	REFUSED(FTRACE_SIG_SYSCALL, "two pt_regs", PT_REGS(); PT_REGS());
	REFUSED(FTRACE_SIG_SYSCALL, "another argument", PT_REGS(); ARG(e->num, 1));
	REFUSED(FTRACE_SIG_SYSCALL, "an argument twice",
		PT_REGS(); ARG(e->num, 0); ARG(e->num, 0));
	REFUSED(FTRACE_SIG_SYSCALL, "a register", PT_REGS();
		builder_param(e->b, "reg", e->num, 0, 1));
	REFUSED(FTRACE_SIG_SYSCALL, "a stack slot", PT_REGS();
		builder_param(e->b, "slot", e->num, FTRACE_SIG_PLACE_STACK, 1));
	REFUSED(FTRACE_SIG_SYSCALL, "seven arguments", PT_REGS();
		for (i = 0; i < 7; i++)
			ARG(e->num, i));
	REFUSED(FTRACE_SIG_SYSCALL, "an argument of two words", PT_REGS();
		pair = builder_struct(e->b, "pair", 2 * sizeof(long));
		builder_param(e->b, "pair", pair, FTRACE_SIG_PLACE_SYSCALL, 2));
	REFUSED(FTRACE_SIG_SYSCALL, "a result in two words", PT_REGS();
		pair = builder_struct(e->b, "pair", 2 * sizeof(long));
		builder_proto(e->b, pair, FTRACE_SIG_RET_PAIR, FTRACE_SIG_SYSCALL); PT_REGS());
}

/* Registers of which each has its number, and other bits in its upper half */
static void fill(struct pt_regs *regs)
{
	unsigned long *words = (unsigned long *)regs, i;

	for (i = 0; i < sizeof(*regs) / sizeof(long); i++) {
		words[i] = i + 1;
#ifdef CONFIG_X86_64
		words[i] |= 0xdeadbeefUL << 32;
#endif
	}
}

static void pass(struct __arch_ftrace_regs *fregs, const void *regs)
{
	memset(fregs, 0, sizeof(*fregs));
#ifdef CONFIG_X86_32
	fregs->regs.ax = (unsigned long)regs;
#else
	fregs->regs.di = (unsigned long)regs;
#endif
}

static void expect_words(struct kunit *test, u32 flags, const unsigned long *expected)
{
	struct entry *e = entry_new(test, flags);
	struct __arch_ftrace_regs fregs;
	unsigned long words[6] = {}, arg = 0;
	struct pt_regs regs;
	u32 shape, i;

	PT_REGS();
	for (i = 0; i < 6; i++)
		ARG(e->num, i);
	KUNIT_ASSERT_NULL(test, entry_finish(e));
	shape = ftrace_sig_proto_shape(e->sig.proto);
	KUNIT_ASSERT_EQ(test, ftrace_sig_nr_words(shape), 1);
	KUNIT_EXPECT_FALSE(test, ftrace_sig_returns_pair(shape));

	fill(&regs);
	pass(&fregs, &regs);
	/* The function's own argument, and those of the syscall */
	ftrace_sig_capture(shape, (struct ftrace_regs *)&fregs, &arg);
	KUNIT_EXPECT_EQ(test, arg, (unsigned long)&regs);
	KUNIT_EXPECT_EQ(test, ftrace_sig_capture_syscall(shape, (struct ftrace_regs *)&fregs,
							 words), 6);
	for (i = 0; i < 6; i++)
		KUNIT_EXPECT_EQ_MSG(test, words[i], expected[i], "argument %u", i);
}

static void syscall_capture(struct kunit *test)
{
	struct pt_regs regs;

	fill(&regs);
#ifdef CONFIG_X86_64
	expect_words(test, FTRACE_SIG_SYSCALL,
		     (unsigned long []) { regs.di, regs.si, regs.dx, regs.r10, regs.r8, regs.r9 });
#endif
	expect_words(test, FTRACE_SIG_SYSCALL_32,
		     (unsigned long []) { (u32)regs.bx, (u32)regs.cx, (u32)regs.dx, (u32)regs.si,
					  (u32)regs.di, (u32)regs.bp });
}

/* A probe names the function's own parameter, not those of the syscall. */
static void syscall_probe(struct kunit *test)
{
	struct entry *e = entry_typical(test, FTRACE_SIG_SYSCALL);
	struct trace_sig_value value;
	unsigned int where;

	KUNIT_ASSERT_NULL(test, entry_finish(e));
	KUNIT_EXPECT_EQ(test, trace_sig_value_of(&e->sig, 0, "regs", &value, &where),
			TRACE_SIG_OK);
	KUNIT_EXPECT_EQ(test, value.source, TRACE_SIG_WORD);
	KUNIT_EXPECT_EQ(test, value.word, 0);
	KUNIT_EXPECT_EQ(test, trace_sig_value_of(&e->sig, 0, "$arg1", &value, &where),
			TRACE_SIG_OK);
	KUNIT_EXPECT_EQ(test, trace_sig_value_of(&e->sig, 0, "dfd", &value, &where),
			TRACE_SIG_NO_PARAM);
	KUNIT_EXPECT_EQ(test, trace_sig_value_of(&e->sig, 0, "$arg2", &value, &where),
			TRACE_SIG_NO_PARAM);
}

static unsigned long find_entry(const char *name)
{
	unsigned long address = kallsyms_lookup_name(name);

	return address ? builder_call_site((void *)address) : 0;
}

/* How many of a syscall's arguments are copied, if its entry is given @regs */
static u32 copied_with(struct kunit *test, unsigned long ip, const void *regs)
{
	unsigned long words[FTRACE_SIG_MAX_SYSCALL], arg = 0;
	struct __arch_ftrace_regs fregs;
	u32 shape;

	pass(&fregs, regs);
	shape = ftrace_sig_entry_shape(ip, (struct ftrace_regs *)&fregs);
	/* The entry's own argument is known in any case */
	KUNIT_EXPECT_EQ(test, ftrace_sig_nr_words(shape), 1);
	ftrace_sig_capture(shape, (struct ftrace_regs *)&fregs, &arg);
	KUNIT_EXPECT_EQ(test, arg, (unsigned long)regs);
	return ftrace_sig_capture_syscall(shape, (struct ftrace_regs *)&fregs, words);
}

/* Registers are read on the task's stack, and nowhere else. */
static void syscall_elsewhere(struct kunit *test)
{
	const char *name = IS_ENABLED(CONFIG_X86_32) ? "__ia32_sys_openat" : "__x64_sys_openat";
	unsigned long ip = find_entry(name);
	void *stack = task_stack_page(current);
	struct pt_regs regs, *other;
	unsigned long word = 1;
	struct __arch_ftrace_regs fregs;

	if (IS_ENABLED(CONFIG_FTRACE_SIGNATURES_LOADABLE))
		kunit_skip(test, "the image's signatures are not loaded");
	KUNIT_ASSERT_NE(test, ip, 0);
	other = kunit_kzalloc(test, sizeof(*other), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, other);

	guard(preempt)();
	KUNIT_EXPECT_EQ(test, copied_with(test, ip, &regs), 4);
	KUNIT_EXPECT_EQ(test, copied_with(test, ip, task_pt_regs(current)), 4);
	KUNIT_EXPECT_EQ(test, copied_with(test, ip, stack + THREAD_SIZE - sizeof(regs)), 4);
	KUNIT_EXPECT_EQ(test, copied_with(test, ip, stack + THREAD_SIZE - sizeof(regs) + 1), 0);
	KUNIT_EXPECT_EQ(test, copied_with(test, ip, stack + THREAD_SIZE), 0);
	KUNIT_EXPECT_EQ(test, copied_with(test, ip, stack - 1), 0);
	KUNIT_EXPECT_EQ(test, copied_with(test, ip, other), 0);
	KUNIT_EXPECT_EQ(test, copied_with(test, ip, NULL), 0);
	KUNIT_EXPECT_EQ(test, copied_with(test, ip, (void *)-1UL), 0);

	/* If a caller uses a shape without asking, the words that are not there are 0 */
	pass(&fregs, other);
	memset(other, 0xff, sizeof(*other));
	ftrace_sig_capture_syscall(FIELD_PREP(FTRACE_SIG_SHAPE_RET,
					      FTRACE_SIG_SHAPE_RET_SYSCALL_32) |
				   FIELD_PREP(FTRACE_SIG_SHAPE_STACK, 1),
				   (struct ftrace_regs *)&fregs, &word);
	KUNIT_EXPECT_EQ(test, word, 0);
}

/* The kernel's own entries, as the build tool has described them */
static void syscall_image(struct kunit *test)
{
	static const struct {
		const char	*name;
		u32		flag;
		u32		nr;
	} entries[] = {
		{ "__x64_sys_openat",		FTRACE_SIG_SYSCALL,	4 },
		{ "__x64_sys_close",		FTRACE_SIG_SYSCALL,	1 },
		{ "__x64_sys_mmap",		FTRACE_SIG_SYSCALL,	6 },
		{ "__x64_sys_getpid",		FTRACE_SIG_SYSCALL,	0 },
		{ "__ia32_sys_openat",		FTRACE_SIG_SYSCALL_32,	4 },
		{ "__ia32_compat_sys_openat",	FTRACE_SIG_SYSCALL_32,	4 },
	};
	struct ftrace_signature sig;
	unsigned int i, seen = 0;

	if (IS_ENABLED(CONFIG_FTRACE_SIGNATURES_LOADABLE))
		kunit_skip(test, "the image's signatures are not loaded");
	guard(preempt)();
	for (i = 0; i < ARRAY_SIZE(entries); i++) {
		unsigned long ip = find_entry(entries[i].name);

		if (!ip)
			continue;
		seen++;
		KUNIT_ASSERT_TRUE(test, ftrace_signature_find(ip, &sig));
		KUNIT_EXPECT_EQ_MSG(test, sig.proto->flags, entries[i].flag, "%s",
				    entries[i].name);
		KUNIT_EXPECT_EQ_MSG(test, sig.proto->nr_stack, entries[i].nr, "%s",
				    entries[i].name);
	}
	KUNIT_EXPECT_GT(test, seen, 0);
}

static struct kunit_case syscall_cases[] = {
	KUNIT_CASE(syscall_print),
	KUNIT_CASE(syscall_print_none),
	KUNIT_CASE(syscall_refused),
	KUNIT_CASE(syscall_capture),
	KUNIT_CASE(syscall_probe),
	KUNIT_CASE(syscall_elsewhere),
	KUNIT_CASE(syscall_image),
	{}
};

static struct kunit_suite syscall_suite = {
	.name = "ftrace_signature_syscall",
	.test_cases = syscall_cases,
};

kunit_test_suite(syscall_suite);
