// SPDX-License-Identifier: GPL-2.0
/* Valid tables pass; all others are refused and do no harm. */
#include <linux/ktime.h>
#include <linux/minmax.h>

#include "builder.h"

/* A table with every kind of content, so that each check has something to look at */
static void *build(struct kunit *test, u32 *size)
{
	struct builder *b = builder_new(test);
	u32 num = builder_int(b, "int", 4, FTRACE_SIG_INT_SIGNED);
	u32 def = builder_ref(b, FTRACE_SIG_TYPEDEF, "num_t", num, 4);
	u32 func = builder_func(b, def);
	u32 ptr = builder_ref(b, FTRACE_SIG_PTR, "", func, sizeof(long));
	u32 pair = builder_struct(b, "pair", 2 * sizeof(long));
	u32 color = builder_enum(b, "color", 4, 0, 2);
	u32 proto;

	builder_enumerator(b, "RED", 0, 4);
	builder_enumerator(b, "BLUE", 7, 4);

	builder_site(b, 0x100, builder_proto(b, 0, FTRACE_SIG_RET_VOID, 0));
	proto = builder_proto(b, pair, FTRACE_SIG_RET_PAIR, FTRACE_SIG_VARIADIC);
	builder_param(b, "call", ptr, 0, 1);
	builder_param(b, "both", pair, 1, 2);
	builder_param(b, "color", color, FTRACE_SIG_PLACE_STACK + 1, 1);
	builder_param(b, "fixed", def, FTRACE_SIG_PLACE_CONST, 0);
	builder_param(b, "gone", def, FTRACE_SIG_PLACE_REMOVED, 0);
	builder_param(b, "lost", def, FTRACE_SIG_PLACE_UNKNOWN,
		      FTRACE_SIG_WHY_NR - 1);
	builder_const(b, 42);
	builder_site(b, 0x200, proto);
	builder_site(b, 0x300, proto);
	return builder_finish(b, size);
}

static void check_accepts(struct kunit *test)
{
	struct ftrace_sig_table table = {};
	u32 size;
	void *data = build(test, &size);

	KUNIT_ASSERT_NULL(test, ftrace_sig_table_check(data, size, &table));
	KUNIT_EXPECT_EQ(test, table.nr_sites, 3);
	KUNIT_EXPECT_TRUE(test, ftrace_sig_table_sorted(&table));
	KUNIT_EXPECT_EQ(test, ftrace_sig_site(&table, 1),
			(unsigned long)data + 0x200);
}

static void check_empty(struct kunit *test)
{
	struct ftrace_sig_table table = {};
	u32 size;
	void *data = builder_finish(builder_new(test), &size);

	KUNIT_ASSERT_NULL(test, ftrace_sig_table_check(data, size, &table));
	KUNIT_EXPECT_EQ(test, table.nr_sites, 0);
	KUNIT_EXPECT_NULL(test, ftrace_sig_table_find(&table, 0x1000));
}

/* Changing any bit of the header, or of what the checksum covers, is noticed. */
static void check_every_bit(struct kunit *test)
{
	struct ftrace_sig_table table;
	u32 size, bit;
	u8 *data = build(test, &size);
	struct ftrace_sig_header *h = (void *)data;
	u32 ips_start = h->ips, ips_end = h->sigs;

	for (bit = 0; bit < size * 8; bit++) {
		const char *why;

		if (bit / 8 >= ips_start && bit / 8 < ips_end)
			continue;
		data[bit / 8] ^= BIT(bit % 8);
		why = ftrace_sig_table_check(data, size, &table);
		KUNIT_EXPECT_NOT_NULL_MSG(test, why, "bit %u was accepted", bit);
		data[bit / 8] ^= BIT(bit % 8);
	}
	KUNIT_EXPECT_NULL(test, ftrace_sig_table_check(data, size, &table));
}

static void check_truncated(struct kunit *test)
{
	struct ftrace_sig_table table;
	u32 size, length;
	void *data = build(test, &size);

	for (length = 0; length < size; length++)
		KUNIT_EXPECT_NOT_NULL_MSG(test,
					  ftrace_sig_table_check(data, length, &table),
					  "%u of %u bytes were accepted",
					  length, size);
}

/* Replace a single word of a valid table, and correct the checksum */
static void expect_refused(struct kunit *test, u32 part_offset, u32 word,
			   u32 value, const char *what)
{
	struct ftrace_sig_table table;
	u32 size;
	void *data = build(test, &size);
	u32 *words = data + *(u32 *)(data + part_offset);

	words[word] = value;
	builder_checksum(data);
	KUNIT_EXPECT_NOT_NULL_MSG(test,
				  ftrace_sig_table_check(data, size, &table),
				  "%s was accepted", what);
}

#define PART(part) offsetof(struct ftrace_sig_header, part)

static void check_lies(struct kunit *test)
{
	/* Words 4 to 6 are the typedef, see build() */
	expect_refused(test, PART(types), 6, 4, "a typedef of itself");
	expect_refused(test, PART(types), 6, 7, "a typedef of a later type");
	expect_refused(test, PART(types), 6, 3, "a type id amid a type");
	expect_refused(test, PART(types), 5, 4000, "a name beyond the strings");
	expect_refused(test, PART(types), 0, FTRACE_SIG_TYPE(FTRACE_SIG_INT, 0, 4),
		       "a table without void");
	expect_refused(test, PART(types), 4, FTRACE_SIG_TYPE(15, 0, 4),
		       "an unknown kind of type");
	expect_refused(test, PART(sigs), 0, 2, "an odd prototype offset");
	expect_refused(test, PART(sigs), 0, 1 << 20, "a prototype beyond the end");
	/* Words 0 and 1 are the empty prototype, 2 and on the second */
	expect_refused(test, PART(protos), 0, FTRACE_SIG_WORD(2, FTRACE_SIG_RET_PAIR),
		       "an int in two registers");
	expect_refused(test, PART(protos), 4, FTRACE_SIG_WORD(11, FTRACE_SIG_ARG_REGS),
		       "one register too many");
	expect_refused(test, PART(protos), 3,
		       (FTRACE_SIG_ARG_REGS + 1) << 8 | 6 | 2 << 16 | FTRACE_SIG_VARIADIC << 24,
		       "a prototype of more registers than there are");
	expect_refused(test, PART(protos), 13, FTRACE_SIG_WORD(0, 1),
		       "a removed parameter in a register");
	expect_refused(test, PART(protos), 15, FTRACE_SIG_WORD(0, FTRACE_SIG_WHY_NR),
		       "an unknown reason");
	expect_refused(test, PART(protos), 0, FTRACE_SIG_WORD(0, FTRACE_SIG_RET_NR),
		       "an unknown kind of result");
}

#define MANY_SITES	20000

/* Turn a table of one call site into one in which many share its prototype */
static void *share(struct kunit *test, const void *one, u32 *size)
{
	const struct ftrace_sig_header *from = one;
	u32 more = MANY_SITES - 1, end = *size, i;
	struct ftrace_sig_header *h;
	u32 *sigs;

	*size = ALIGN(end + more * 8, 8);
	h = kunit_kzalloc(test, *size, GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, h);
	*h = *from;
	h->nr_sites = MANY_SITES;
	h->sigs += more * 4;
	h->protos += more * 8;
	h->types += more * 8;
	h->strings += more * 8;
	h->strings_end += more * 8;
	h->size = *size;
	memcpy((void *)h + h->protos, one + from->protos, end - from->protos);
	sigs = (void *)h + h->sigs;
	for (i = 0; i < MANY_SITES; i++)
		sigs[i] = *(u32 *)(one + from->sigs);
	builder_checksum(h);
	return h;
}

/* A table whose call sites share a prototype of so many parameters */
static void *build_shared(struct kunit *test, u32 nr_params, u32 *size)
{
	struct builder *b = builder_new(test);
	u32 num = builder_int(b, "int", 4, 0), i;
	void *data;

	builder_site(b, 0x100, builder_proto(b, 0, FTRACE_SIG_RET_VOID, 0));
	for (i = 0; i < nr_params; i++)
		builder_param(b, "", num, FTRACE_SIG_PLACE_REMOVED, 0);
	data = builder_finish(b, size);
	return share(test, data, size);
}

/* Nanoseconds that a check takes */
static u64 time_of_check(struct kunit *test, void *data, u32 size)
{
	struct ftrace_sig_table table;
	u64 start = ktime_get_ns();

	KUNIT_ASSERT_NULL(test, ftrace_sig_table_check(data, size, &table));
	return ktime_get_ns() - start;
}

/*
 * The time must not grow as a prototype's length times the sites that share it,
 * which would be 250 times as long here. A guest on a busy host may stand still
 * during any of the checks, and its clock may advance in steps of milliseconds:
 * hence the sums, and a limit far from both.
 */
static void check_shared(struct kunit *test)
{
	u32 short_size, long_size;
	void *short_table = build_shared(test, 0, &short_size);
	void *long_table = build_shared(test, 250, &long_size);
	u64 shortest = 0, longest = 0;

	while (shortest < 20 * NSEC_PER_MSEC && longest < 2000 * NSEC_PER_MSEC) {
		shortest += time_of_check(test, short_table, short_size);
		longest += time_of_check(test, long_table, long_size);
	}
	KUNIT_EXPECT_LT(test, longest, 20 * shortest);
}

static struct kunit_case check_cases[] = {
	KUNIT_CASE(check_accepts),
	KUNIT_CASE(check_empty),
	KUNIT_CASE(check_every_bit),
	KUNIT_CASE(check_truncated),
	KUNIT_CASE(check_lies),
	KUNIT_CASE(check_shared),
	{}
};

static struct kunit_suite check_suite = {
	.name = "ftrace_signature_check",
	.test_cases = check_cases,
};

kunit_test_suite(check_suite);
