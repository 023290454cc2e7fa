// SPDX-License-Identifier: GPL-2.0
/*
 * Members are found and printed as the compiler has laid them out: the tables here
 * describe structures of this file, by offsetof() and sizeof().
 */
#include <linux/stddef.h>
#include <linux/string.h>

#include "builder.h"

struct leaf {
	short	id;
	char	name[6];
};

struct sample {
	int		num;
	unsigned int	low : 3;
	int		high : 7;
	unsigned long	wide;
	union {
		int		first;
		unsigned char	byte;
	};
	struct leaf	leaf;
	struct leaf	pair[2];
	void		*ptr;
	char		tail[];
};

#define BITS(type, member) (offsetof(type, member) * BITS_PER_BYTE)

/* A table with these structures; the ids of their types */
struct tables {
	struct ftrace_sig_table	table;
	u32			leaf;
	u32			sample;
	u32			stub;
	u32			number;
};

static u32 build_leaf(struct builder *b)
{
	u32 half = builder_int(b, "short", 2, FTRACE_SIG_INT_SIGNED);
	u32 letter = builder_int(b, "char", 1, FTRACE_SIG_INT_CHAR | FTRACE_SIG_INT_SIGNED);
	u32 name = builder_array(b, letter, 6, 6);
	u32 leaf = builder_members(b, FTRACE_SIG_STRUCT, "leaf", sizeof(struct leaf), 2);

	builder_member(b, "id", half, BITS(struct leaf, id), 0);
	builder_member(b, "name", name, BITS(struct leaf, name), 0);
	return leaf;
}

static u32 build_union(struct builder *b, u32 num)
{
	u32 byte = builder_int(b, "unsigned char", 1, 0);
	u32 both = builder_members(b, FTRACE_SIG_UNION, "", sizeof(int), 2);

	builder_member(b, "first", num, 0, 0);
	builder_member(b, "byte", byte, 0, 0);
	return both;
}

static void build(struct kunit *test, struct tables *t)
{
	u32 after_num = (offsetof(struct sample, num) + sizeof(int)) * BITS_PER_BYTE;
	struct builder *b = builder_new(test);
	u32 num = builder_int(b, "int", 4, FTRACE_SIG_INT_SIGNED);
	u32 count = builder_int(b, "unsigned int", 4, 0);
	u32 word = builder_int(b, "unsigned long", sizeof(long), 0);
	u32 letter = builder_int(b, "char", 1, FTRACE_SIG_INT_CHAR);
	u32 leaf = build_leaf(b);
	u32 pair = builder_array(b, leaf, 2, 2 * sizeof(struct leaf));
	u32 tail = builder_array(b, letter, U32_MAX, 0);
	u32 both = build_union(b, num);
	u32 ptr = builder_ref(b, FTRACE_SIG_PTR, "", 0, sizeof(long));
	u32 size, fixed, name;
	void *data;

	t->sample = builder_members(b, FTRACE_SIG_STRUCT, "sample", sizeof(struct sample), 9);
	builder_member(b, "num", num, 0, 0);
	builder_member(b, "low", count, after_num, 3);
	builder_member(b, "high", num, after_num + 3, 7);
	builder_member(b, "wide", word, BITS(struct sample, wide), 0);
	builder_member(b, "", both, BITS(struct sample, first), 0);
	builder_member(b, "leaf", leaf, BITS(struct sample, leaf), 0);
	builder_member(b, "pair", pair, BITS(struct sample, pair), 0);
	builder_member(b, "ptr", ptr, BITS(struct sample, ptr), 0);
	builder_member(b, "tail", tail, BITS(struct sample, tail), 0);
	fixed = builder_ref(b, FTRACE_SIG_CONST, "", leaf, 0);
	name = builder_ref(b, FTRACE_SIG_TYPEDEF, "leaf_t", fixed, 0);
	t->leaf = name;
	t->number = num;
	t->stub = builder_members(b, FTRACE_SIG_STRUCT, "stub", 8, 0);
	b->types[t->stub] |= FTRACE_SIG_TYPE(0, FTRACE_SIG_STUB, 0);

	data = builder_finish(b, &size);
	KUNIT_ASSERT_NULL(test, ftrace_sig_table_check(data, size, &t->table));
}

static const struct sample sample = {
	.num = -5, .low = 5, .high = -3, .wide = 70000, .first = 0x0102,
	.leaf = { -1, "ab\"c" },
	.pair = { { 1, "" }, { 2, { 'x', 1, 2, 3, 4, 5 } } },
};

static void expect_text(struct kunit *test, struct tables *t, u32 type,
			const void *bytes, u32 nr_bytes,
			struct ftrace_sig_limits limits, const char *text)
{
	struct trace_seq *s = builder_seq(test);

	ftrace_sig_print_struct(s, &t->table, type, bytes, nr_bytes, 0, &limits);
	KUNIT_EXPECT_STREQ(test, builder_text(s), text);
}

#define LIMITS(d, m) ((struct ftrace_sig_limits){ .depth = (d), .members = (m) })

static void structs_whole(struct kunit *test)
{
	struct tables t = {};

	build(test, &t);
	expect_text(test, &t, t.sample, &sample, sizeof(sample), LIMITS(2, 100),
		    "{num=-5, low=5, high=-3, wide=70000, {first=258, byte=2}, "
		    "leaf={id=-1, name=\"ab\\\"c\"}, pair={{id=1, name=\"\"}, "
		    "{id=2, name={'x', 1, 2, 3, 4, 5}}}, ptr=NULL}");
	expect_text(test, &t, t.leaf, &sample.leaf, sizeof(sample.leaf), LIMITS(1, 9),
		    "{id=-1, name=\"ab\\\"c\"}");
}

static void structs_limits(struct kunit *test)
{
	struct tables t = {};

	build(test, &t);
	expect_text(test, &t, t.sample, &sample, sizeof(sample), LIMITS(1, 100),
		    "{num=-5, low=5, high=-3, wide=70000, {first=258, byte=2}, "
		    "leaf={...}, pair={{...}, {...}}, ptr=NULL}");
	expect_text(test, &t, t.sample, &sample, sizeof(sample), LIMITS(1, 2),
		    "{num=-5, low=5, ...}");
	expect_text(test, &t, t.sample, &sample, sizeof(sample), LIMITS(1, 0), "{...}");
	expect_text(test, &t, t.sample, &sample, sizeof(sample), LIMITS(0, 9), "{...}");
	expect_text(test, &t, t.stub, &sample, 8, LIMITS(9, 9), "{...}");
}

/* Of a structure cut anywhere, nothing behind the cut is printed or read. */
static void structs_cut(struct kunit *test)
{
	u32 in_wide = offsetof(struct sample, wide) + 1;
	struct tables t = {};
	u32 length;

	build(test, &t);
	expect_text(test, &t, t.sample, &sample, 4, LIMITS(2, 100), "{num=-5, ...}");
	expect_text(test, &t, t.sample, &sample, 5, LIMITS(2, 100),
		    "{num=-5, low=5, high=?, ...}");
	expect_text(test, &t, t.sample, &sample, in_wide, LIMITS(2, 100),
		    "{num=-5, low=5, high=-3, wide=?, ...}");
	expect_text(test, &t, t.leaf, &sample.leaf, 4, LIMITS(2, 100),
		    "{id=-1, name={'a', 'b', ...}}");
	for (length = 0; length < sizeof(sample); length++) {
		void *copy = kmemdup(&sample, length, GFP_KERNEL);
		struct ftrace_sig_limits limits = LIMITS(3, 100);
		struct trace_seq *s = builder_seq(test);

		ftrace_sig_print_struct(s, &t.table, t.sample, copy, length, 0, &limits);
		KUNIT_EXPECT_NOT_NULL(test, strpbrk(builder_text(s), "?."));
		kfree(copy);
	}
}

/* By value in words: with members only if that was asked for */
static void structs_by_value(struct kunit *test)
{
	unsigned long words[8 / sizeof(long)];
	struct trace_seq *s = builder_seq(test);
	struct tables t = {};

	build(test, &t);
	memcpy(words, &sample.leaf, sizeof(words));
	ftrace_sig_print_value(s, &t.table, t.leaf, words, FTRACE_SIG_STRUCTS);
	KUNIT_EXPECT_STREQ(test, builder_text(s), "{id=-1, name=\"ab\\\"c\"}");
	trace_seq_init(s);
	ftrace_sig_print_value(s, &t.table, t.leaf, words, 0);
	KUNIT_EXPECT_EQ(test, memcmp(builder_text(s), "{0x", 3), 0);
}

#define NR_BYTES	40
#define NR_LEVELS	6

/* A structure of so many bytes, and one of so many levels */
static void build_large(struct kunit *test, struct ftrace_sig_table *table, u32 *wide, u32 *deep)
{
	struct builder *b = builder_new(test);
	u32 byte = builder_int(b, "unsigned char", 1, 0);
	u32 bytes = builder_array(b, byte, NR_BYTES, NR_BYTES);
	unsigned int i;
	void *data;
	u32 size;

	*wide = builder_members(b, FTRACE_SIG_STRUCT, "wide", NR_BYTES, 1);
	builder_member(b, "a", bytes, 0, 0);
	*deep = byte;
	for (i = 0; i < NR_LEVELS; i++) {
		u32 outer = builder_members(b, FTRACE_SIG_STRUCT, "deep", 1, 1);

		builder_member(b, "a", *deep, 0, 0);
		*deep = outer;
	}
	data = builder_finish(b, &size);
	KUNIT_ASSERT_NULL(test, ftrace_sig_table_check(data, size, table));
}

static void expect_by_value(struct kunit *test, struct ftrace_sig_table *table, u32 type,
			    const char *text)
{
	unsigned long words[NR_BYTES / sizeof(long)];
	struct trace_seq *s = builder_seq(test);

	memset(words, 7, sizeof(words));
	ftrace_sig_print_value(s, table, type, words, FTRACE_SIG_STRUCTS);
	KUNIT_EXPECT_STREQ(test, builder_text(s), text);
}

#define EIGHT "7, 7, 7, 7, 7, 7, 7, 7, "

/* The limits that users set may give room to more */
static void structs_by_value_limits(struct kunit *test)
{
	unsigned int depth = ftrace_sig_max_depth, members = ftrace_sig_max_members;
	struct ftrace_sig_table table;
	u32 wide, deep;

	build_large(test, &table, &wide, &deep);
	WRITE_ONCE(ftrace_sig_max_depth, 0);
	WRITE_ONCE(ftrace_sig_max_members, 1);
	/* The array is a member, too */
	expect_by_value(test, &table, wide, "{a={" EIGHT EIGHT EIGHT "7, 7, 7, 7, 7, 7, 7, ...}}");
	expect_by_value(test, &table, deep, "{a={a={a={a={...}}}}}");
	WRITE_ONCE(ftrace_sig_max_depth, NR_LEVELS);
	WRITE_ONCE(ftrace_sig_max_members, NR_BYTES);
	expect_by_value(test, &table, wide,
			"{a={" EIGHT EIGHT EIGHT EIGHT "7, 7, 7, 7, 7, 7, 7, ...}}");
	expect_by_value(test, &table, deep, "{a={a={a={a={a={a=7}}}}}}");
	WRITE_ONCE(ftrace_sig_max_depth, depth);
	WRITE_ONCE(ftrace_sig_max_members, members);
}

static void expect_member(struct kunit *test, struct tables *t, const char *name,
			  u32 offset, u32 width)
{
	struct ftrace_sig_member m;
	bool found = ftrace_sig_member_find(&t->table, t->sample, name, strlen(name), &m);

	KUNIT_EXPECT_TRUE_MSG(test, found, "%s", name);
	if (!found)
		return;
	KUNIT_EXPECT_EQ_MSG(test, m.offset, offset, "%s", name);
	KUNIT_EXPECT_EQ_MSG(test, m.width, width, "%s", name);
}

static void structs_find(struct kunit *test)
{
	static const char * const absent[] = {
		"", ".", "nu", "numb", "num.", ".num", "num.x", "leaf.", "leaf.idx",
		"leaf..id", "id", "pair.id", "ptr.num",
	};
	u32 after_num = sizeof(int) * BITS_PER_BYTE;
	struct ftrace_sig_member m;
	struct tables t = {};
	u32 i;

	build(test, &t);
	expect_member(test, &t, "num", 0, 0);
	expect_member(test, &t, "low", after_num, 3);
	expect_member(test, &t, "high", after_num + 3, 7);
	expect_member(test, &t, "byte", BITS(struct sample, byte), 0);
	expect_member(test, &t, "leaf", BITS(struct sample, leaf), 0);
	expect_member(test, &t, "leaf.name", BITS(struct sample, leaf.name), 0);
	expect_member(test, &t, "tail", BITS(struct sample, tail), 0);
	for (i = 0; i < ARRAY_SIZE(absent); i++)
		KUNIT_EXPECT_FALSE_MSG(test,
				       ftrace_sig_member_find(&t.table, t.sample, absent[i],
							      strlen(absent[i]), &m),
				       "\"%s\"", absent[i]);
	/* Only @len bytes of the name count */
	KUNIT_EXPECT_TRUE(test, ftrace_sig_member_find(&t.table, t.sample, "number", 3, &m));
	KUNIT_EXPECT_TRUE(test, ftrace_sig_member_find(&t.table, t.leaf, "id", 2, &m));
	KUNIT_EXPECT_FALSE(test, ftrace_sig_member_find(&t.table, t.stub, "id", 2, &m));
	KUNIT_EXPECT_FALSE(test, ftrace_sig_member_find(&t.table, t.number, "id", 2, &m));
}

/* A member, and whether a table with it is in order */
struct trial {
	u32	type;
	u32	offset;
	u32	width;
	bool	good;
};

static void try_member(struct kunit *test, const struct trial *trial)
{
	struct builder *b = builder_new(test);
	struct ftrace_sig_table table;
	u32 id, size;
	void *data;

	/* Types 2, 4 and 7: an int, a pointer and eight ints */
	builder_int(b, "int", 4, FTRACE_SIG_INT_SIGNED);
	builder_ref(b, FTRACE_SIG_PTR, "", 0, sizeof(long));
	builder_array(b, 2, 8, 32);
	id = builder_members(b, FTRACE_SIG_STRUCT, "s", 32, 1);
	KUNIT_ASSERT_EQ(test, id, 11);
	builder_member(b, "m", trial->type, trial->offset, trial->width);
	builder_int(b, "later", 4, 0);
	data = builder_finish(b, &size);
	KUNIT_EXPECT_EQ_MSG(test, !ftrace_sig_table_check(data, size, &table), trial->good,
			    "type %u, offset %u, width %u", trial->type, trial->offset,
			    trial->width);
}

static void structs_checked(struct kunit *test)
{
	static const struct trial trials[] = {
		{ 2, 0, 0, true }, { 2, 28 * 8, 0, true }, { 2, 29 * 8, 0, false },
		{ 2, 4, 0, false }, { 2, U32_MAX & ~7, 0, false },
		{ 2, 3, 32, true }, { 2, 0, 33, false }, { 2, 255, 1, true },
		{ 2, 255, 2, false }, { 2, U32_MAX, 1, false },
		{ 4, 0, 0, true }, { 4, 0, 3, false },
		{ 7, 0, 0, true }, { 7, 8, 0, false }, { 7, 0, 3, false },
		{ 3, 0, 0, false }, { 11, 0, 0, false }, { 17, 0, 0, false },
		{ 0xffffff, 0, 0, false },
	};
	u32 i;

	for (i = 0; i < ARRAY_SIZE(trials); i++)
		try_member(test, &trials[i]);
}

static struct kunit_case structs_cases[] = {
	KUNIT_CASE(structs_whole),
	KUNIT_CASE(structs_limits),
	KUNIT_CASE(structs_cut),
	KUNIT_CASE(structs_by_value),
	KUNIT_CASE(structs_by_value_limits),
	KUNIT_CASE(structs_find),
	KUNIT_CASE(structs_checked),
	{}
};

static struct kunit_suite structs_suite = {
	.name = "ftrace_signature_structs",
	.test_cases = structs_cases,
};

kunit_test_suite(structs_suite);
