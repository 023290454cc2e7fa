// SPDX-License-Identifier: GPL-2.0
/* Looking up, sorting, and the shapes that are remembered. */
#include <linux/ftrace.h>
#include <linux/hash.h>
#include <linux/prandom.h>
#include <linux/sched/task_stack.h>

#include "builder.h"

static const struct ftrace_sig_proto *proto_at(const struct ftrace_sig_table *table,
					       u32 offset)
{
	return table->protos + offset;
}

/* Forty call sites in random order, each with one of three prototypes */
static void table_sort(struct kunit *test)
{
	struct builder *b = builder_new(test);
	struct ftrace_sig_table table = {};
	s32 distance[40];
	u32 protos[3], size, i;
	struct rnd_state random;
	void *data;

	prandom_seed_state(&random, 1);
	for (i = 0; i < ARRAY_SIZE(protos); i++)
		protos[i] = builder_proto(b, 0, FTRACE_SIG_RET_VOID, 0);
	for (i = 0; i < ARRAY_SIZE(distance); i++)
		distance[i] = 0x1000 + 16 * i;
	for (i = ARRAY_SIZE(distance) - 1; i; i--) {
		u32 other = prandom_u32_state(&random) % i;

		swap(distance[i], distance[other]);
	}
	for (i = 0; i < ARRAY_SIZE(distance); i++)
		builder_site(b, distance[i], protos[(u32)distance[i] / 16 % 3]);

	data = builder_finish(b, &size);
	KUNIT_ASSERT_NULL(test, ftrace_sig_table_check(data, size, &table));
	KUNIT_EXPECT_FALSE(test, ftrace_sig_table_sorted(&table));
	ftrace_sig_table_sort(&table);
	KUNIT_EXPECT_TRUE(test, ftrace_sig_table_sorted(&table));

	for (i = 0; i < ARRAY_SIZE(distance); i++) {
		unsigned long ip = (unsigned long)data + distance[i];

		KUNIT_EXPECT_PTR_EQ(test, ftrace_sig_table_find(&table, ip),
				    proto_at(&table, protos[(u32)distance[i] / 16 % 3]));
		KUNIT_EXPECT_NULL(test, ftrace_sig_table_find(&table, ip + 1));
		KUNIT_EXPECT_NULL(test, ftrace_sig_table_find(&table, ip - 1));
	}
}

static void table_duplicate(struct kunit *test)
{
	struct builder *b = builder_new(test);
	u32 proto = builder_proto(b, 0, FTRACE_SIG_RET_VOID, 0);
	struct ftrace_sig_table table = {};
	void *data;
	u32 size;

	builder_site(b, 0x40, proto);
	builder_site(b, 0x40, proto);
	data = builder_finish(b, &size);
	KUNIT_ASSERT_NULL(test, ftrace_sig_table_check(data, size, &table));
	ftrace_sig_table_sort(&table);
	KUNIT_EXPECT_FALSE(test, ftrace_sig_table_sorted(&table));
}

/* A function of the image: noinline, and traced, so it has a call site */
static void table_image(struct kunit *test)
{
	unsigned long ip = builder_call_site(schedule_timeout);
	struct ftrace_signature sig, none;
	u32 shape;

	if (IS_ENABLED(CONFIG_FTRACE_SIGNATURES_LOADABLE))
		kunit_skip(test, "the image's signatures are not loaded");
	KUNIT_ASSERT_NE(test, ip, 0);
	guard(preempt)();
	KUNIT_ASSERT_TRUE(test, ftrace_signature_find(ip, &sig));
	KUNIT_EXPECT_EQ(test, sig.proto->nr_params, 1);
	KUNIT_EXPECT_EQ(test, FTRACE_SIG_BITS(sig.proto->ret), FTRACE_SIG_RET_WORD);
	KUNIT_EXPECT_STREQ(test, "timeout",
			   ftrace_sig_string(sig.table,
					     FTRACE_SIG_ID(sig.proto->params[0].name_words)));
	KUNIT_EXPECT_FALSE(test, ftrace_signature_find(ip + 1, &none));

	/* Looked up first, then from memory, then forgotten */
	shape = ftrace_sig_shape(ip);
	KUNIT_EXPECT_EQ(test, shape, ftrace_sig_proto_shape(sig.proto));
	KUNIT_EXPECT_EQ(test, ftrace_sig_shape(ip), shape);
	ftrace_sig_forget_shapes(ip, ip + 1);
	KUNIT_EXPECT_EQ(test, ftrace_sig_shape(ip), shape);
	KUNIT_EXPECT_EQ(test, ftrace_sig_nr_words(shape), 1);
}

static void expect_same(struct kunit *test, unsigned long ip, bool known)
{
	struct ftrace_signature one = {}, other = {};

	KUNIT_EXPECT_EQ_MSG(test, ftrace_signature_find(ip, &one), known, "%lx", ip);
	KUNIT_EXPECT_EQ_MSG(test, ftrace_signature_find_ordered(ip, &other), known, "%lx", ip);
	KUNIT_EXPECT_PTR_EQ(test, one.proto, other.proto);
	KUNIT_EXPECT_PTR_EQ(test, one.table, other.table);
}

/* In whatever order signatures are looked for, they are found, and no others */
static void table_ordered(struct kunit *test)
{
	unsigned long ip = builder_call_site(schedule_timeout);
	const struct ftrace_sig_table *table;
	struct ftrace_signature sig;
	u32 i;

	if (IS_ENABLED(CONFIG_FTRACE_SIGNATURES_LOADABLE))
		kunit_skip(test, "the image's signatures are not loaded");
	KUNIT_ASSERT_NE(test, ip, 0);
	guard(preempt)();
	KUNIT_ASSERT_TRUE(test, ftrace_signature_find(ip, &sig));
	table = sig.table;
	KUNIT_ASSERT_GT(test, table->nr_sites, 2000);
	for (i = 0; i < 1000; i++)
		expect_same(test, ftrace_sig_site(table, i), true);
	/* Backwards, the same twice, and with gaps */
	for (; i; i--)
		expect_same(test, ftrace_sig_site(table, i), true);
	for (; i < 1000; i += 100) {
		expect_same(test, ftrace_sig_site(table, i), true);
		expect_same(test, ftrace_sig_site(table, i), true);
		expect_same(test, ftrace_sig_site(table, i) + 1, false);
		expect_same(test, ftrace_sig_site(table, i + 1), true);
	}
	expect_same(test, ftrace_sig_site(table, table->nr_sites - 1), true);
	expect_same(test, ftrace_sig_site(table, table->nr_sites - 1) + 1, false);
	expect_same(test, 0, false);
	expect_same(test, ftrace_sig_site(table, 0), true);
}

/* The number of fixed words is what the shape asks for, if it asks for no more */
static void table_fixed_words(struct kunit *test)
{
	unsigned long ip = builder_call_site(schedule_timeout);
	const struct ftrace_sig_table *table;
	unsigned int nr_fixed = 0, nr_more = 0;
	struct ftrace_signature sig;
	u32 i;

	if (IS_ENABLED(CONFIG_FTRACE_SIGNATURES_LOADABLE))
		kunit_skip(test, "the image's signatures are not loaded");
	KUNIT_ASSERT_NE(test, ip, 0);
	scoped_guard(preempt)
		KUNIT_ASSERT_TRUE(test, ftrace_signature_find(ip, &sig));
	table = sig.table;
	for (i = 0; i < table->nr_sites; i++) {
		u32 shape = ftrace_sig_proto_shape(ftrace_sig_site_proto(table, i));
		int nr = ftrace_sig_fixed_words(FTRACE_SIG_FUNCTION, ftrace_sig_site(table, i));

		if (nr < 0)
			nr_more++;
		else
			nr_fixed++;
		if (shape & FTRACE_SIG_SHAPE_STACK)
			KUNIT_EXPECT_EQ(test, nr, -1);
		else
			KUNIT_EXPECT_EQ(test, nr, ftrace_sig_nr_words(shape));
	}
	KUNIT_EXPECT_GT(test, nr_fixed, 0);
	KUNIT_EXPECT_GT(test, nr_more, 0);
	KUNIT_EXPECT_EQ(test, ftrace_sig_fixed_words(FTRACE_SIG_FUNCTION, ip + 1), 0);
}

static void table_unknown(struct kunit *test)
{
	struct ftrace_signature sig;

	guard(preempt)();
	KUNIT_EXPECT_FALSE(test, ftrace_signature_find(0, &sig));
	KUNIT_EXPECT_FALSE(test, ftrace_signature_find(ULONG_MAX, &sig));
	KUNIT_EXPECT_FALSE(test, ftrace_signature_find((unsigned long)_stext, &sig));
	KUNIT_EXPECT_EQ(test, ftrace_sig_shape((unsigned long)_stext), 0);
	KUNIT_EXPECT_EQ(test, ftrace_sig_shape((unsigned long)_stext), 0);
}

/* The number times which @odd is 1, modulo the size of a word */
static unsigned long inverse(unsigned long odd)
{
	unsigned long x = odd;

	/* Three bits are right at first; each step doubles their number */
	while (x * odd != 1)
		x *= 2 - x * odd;
	return x;
}

/*
 * A shape remembered for one address is never taken for another's, even if only
 * the bits that the entry itself compares differ.
 */
static void table_remembered(struct kunit *test)
{
	unsigned long ip = builder_call_site(schedule_timeout);
	unsigned long prime = GOLDEN_RATIO_PRIME;
	struct ftrace_signature sig;
	u32 shape, bit;

	if (IS_ENABLED(CONFIG_FTRACE_SIGNATURES_LOADABLE))
		kunit_skip(test, "the image's signatures are not loaded");
	guard(preempt)();
	KUNIT_ASSERT_TRUE(test, ftrace_signature_find(ip, &sig));
	shape = ftrace_sig_proto_shape(sig.proto);

	for (bit = 0; bit < BITS_PER_LONG; bit++) {
		unsigned long other = (ip * prime ^ BIT(bit)) * inverse(prime);

		KUNIT_ASSERT_EQ_MSG(test, ftrace_sig_shape(ip), shape,
				    "after %lx", other);
		if (!ftrace_signature_find(other, &sig))
			KUNIT_EXPECT_EQ_MSG(test, ftrace_sig_shape(other), 0,
					    "%lx", other);
	}

	/* A cleared entry matches no address. */
	ftrace_sig_forget_shapes(0, ULONG_MAX);
	KUNIT_EXPECT_EQ(test, ftrace_sig_shape(ip), shape);
}

/* Each argument register holds its number, counted from one. */
static void fill_registers(struct pt_regs *regs)
{
#ifdef CONFIG_X86_32
	regs->ax = 1;
	regs->dx = 2;
	regs->cx = 3;
#else
	regs->di = 1;
	regs->si = 2;
	regs->dx = 3;
	regs->cx = 4;
	regs->r8 = 5;
	regs->r9 = 6;
#endif
}

/* Words are copied in the order that printing expects. */
static void table_capture(struct kunit *test)
{
	unsigned long stack[] = { 100, 200, 201, 202 };
	unsigned long words[FTRACE_SIG_ARG_REGS + 2] = {};
	char buffer[sizeof(words) + 2];
	struct __arch_ftrace_regs fregs = {};
	u32 shape = FIELD_PREP(FTRACE_SIG_SHAPE_REGS, FTRACE_SIG_ARG_REGS) |
		    FIELD_PREP(FTRACE_SIG_SHAPE_STACK, 2);
	u32 i;

	fill_registers(&fregs.regs);
	fregs.regs.sp = (unsigned long)stack;

	KUNIT_ASSERT_EQ(test, ftrace_sig_nr_words(shape), ARRAY_SIZE(words));
	/* An odd address: events are aligned to four bytes only */
	buffer[0] = 'x';
	buffer[sizeof(words) + 1] = 'y';
	ftrace_sig_capture(shape, (struct ftrace_regs *)&fregs, buffer + 1);
	memcpy(words, buffer + 1, sizeof(words));
	for (i = 0; i < FTRACE_SIG_ARG_REGS; i++)
		KUNIT_EXPECT_EQ(test, words[i], i + 1);
	KUNIT_EXPECT_EQ(test, words[i], 200);
	KUNIT_EXPECT_EQ(test, words[i + 1], 201);
	KUNIT_EXPECT_EQ(test, buffer[0], 'x');
	KUNIT_EXPECT_EQ(test, buffer[sizeof(words) + 1], 'y');
}

static bool stack_has(unsigned long sp, unsigned int nr)
{
	struct __arch_ftrace_regs fregs = {};

	fregs.regs.sp = sp;
	return ftrace_sig_stack_has((struct ftrace_regs *)&fregs, nr);
}

/* No word is read from behind the end of a stack. */
static void table_stack_end(struct kunit *test)
{
	unsigned long end = (unsigned long)task_stack_page(current) + THREAD_SIZE;
	unsigned long other = (unsigned long)kunit_kmalloc(test, 4 * PAGE_SIZE, GFP_KERNEL);
	unsigned int nr;

	guard(preempt)();
	/* The word at the stack pointer is the return address */
	for (nr = 1; nr <= FTRACE_SIG_MAX_STACK; nr++) {
		KUNIT_EXPECT_TRUE(test, stack_has(end - (nr + 1) * sizeof(long), nr));
		KUNIT_EXPECT_FALSE(test, stack_has(end - nr * sizeof(long), nr));
		KUNIT_EXPECT_FALSE(test, stack_has(end - sizeof(long), nr));
		/* The end of a page is not the end of the stack */
		KUNIT_EXPECT_TRUE(test, stack_has(end - PAGE_SIZE - sizeof(long), nr));
	}
	KUNIT_EXPECT_TRUE(test, stack_has((unsigned long)&nr, 1));
	/* Memory that is no stack has no known end */
	KUNIT_ASSERT_NE(test, other, 0);
	other = ALIGN(other + 1, PAGE_SIZE);
	KUNIT_EXPECT_FALSE(test, stack_has(other + PAGE_SIZE - sizeof(long), 1));
}

static struct kunit_case table_cases[] = {
	KUNIT_CASE(table_sort),
	KUNIT_CASE(table_duplicate),
	KUNIT_CASE(table_image),
	KUNIT_CASE(table_ordered),
	KUNIT_CASE_SLOW(table_fixed_words),
	KUNIT_CASE(table_unknown),
	KUNIT_CASE(table_remembered),
	KUNIT_CASE(table_capture),
	KUNIT_CASE(table_stack_end),
	{}
};

static struct kunit_suite table_suite = {
	.name = "ftrace_signature_table",
	.test_cases = table_cases,
};

kunit_test_suite(table_suite);
