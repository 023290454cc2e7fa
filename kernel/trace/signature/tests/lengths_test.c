// SPDX-License-Identifier: GPL-2.0
/*
 * How many bytes are where a pointer points to: which parameter tells that, and what the
 * result says of how many were filled.
 */
#include <linux/bitfield.h>
#include <linux/errno.h>

#include <kunit/test.h>

#include "../follow.h"
#include "../forms.h"
#include "builder.h"

enum pointer { CONST_TEXT, TEXT, CONST_BYTES, BYTES, CONST_OCTETS, OCTETS };

enum number {
	U8, S8, U16, S16, U32, S32, LONG, SSIZE, ULONG, LONG_LONG, ULONG_LONG, BOOL, CHAR, ENUM,
	POINTER, NONE,
};

static u32 number_type(struct builder *b, enum number number)
{
	switch (number) {
	case U8:
		return builder_int(b, "unsigned char", 1, 0);
	case S8:
		return builder_int(b, "signed char", 1, FTRACE_SIG_INT_SIGNED);
	case U16:
		return builder_int(b, "short unsigned int", 2, 0);
	case S16:
		return builder_int(b, "short int", 2, FTRACE_SIG_INT_SIGNED);
	case U32:
		return builder_int(b, "unsigned int", 4, 0);
	case S32:
		return builder_int(b, "int", 4, FTRACE_SIG_INT_SIGNED);
	case LONG:
		return builder_int(b, "long int", sizeof(long), FTRACE_SIG_INT_SIGNED);
	case SSIZE:
		/* An int on x86-32 */
		return builder_ref(b, FTRACE_SIG_TYPEDEF, "ssize_t",
				   IS_ENABLED(CONFIG_64BIT) ? number_type(b, LONG) :
				   number_type(b, S32), sizeof(long));
	case ULONG:
		return builder_int(b, "long unsigned int", sizeof(long), 0);
	case LONG_LONG:
		return builder_int(b, "long long int", 8, FTRACE_SIG_INT_SIGNED);
	case ULONG_LONG:
		return builder_int(b, "long long unsigned int", 8, 0);
	case BOOL:
		return builder_int(b, "_Bool", 1, FTRACE_SIG_INT_BOOL);
	case CHAR:
		return builder_int(b, "char", 1, FTRACE_SIG_INT_SIGNED | FTRACE_SIG_INT_CHAR);
	case ENUM:
		return builder_enum(b, "answer", 4, 0, 0);
	case POINTER:
		return builder_ref(b, FTRACE_SIG_PTR, "", 0, sizeof(long));
	case NONE:
		break;
	}
	return 0;
}

static u32 pointer_type(struct builder *b, enum pointer pointer)
{
	u32 id = 0;

	if (pointer == CONST_TEXT || pointer == TEXT)
		id = number_type(b, CHAR);
	else if (pointer == CONST_OCTETS || pointer == OCTETS)
		id = number_type(b, U8);
	if (pointer == CONST_TEXT || pointer == CONST_BYTES || pointer == CONST_OCTETS)
		id = builder_ref(b, FTRACE_SIG_CONST, "", id, 1);
	return builder_ref(b, FTRACE_SIG_PTR, "", id, sizeof(long));
}

static u32 result_place(enum number number)
{
	if (number == NONE)
		return FTRACE_SIG_RET_VOID;
	if (number == LONG_LONG || number == ULONG_LONG)
		return IS_ENABLED(CONFIG_64BIT) ? FTRACE_SIG_RET_WORD : FTRACE_SIG_RET_PAIR;
	return FTRACE_SIG_RET_WORD;
}

/* The plan of "RESULT f(POINTER name, NUMBER length)".  False: nothing is followed. */
static bool plan(struct kunit *test, enum number result, enum pointer pointer,
		 const char *name, enum number number, const char *length,
		 struct ftrace_sig_step *step)
{
	struct ftrace_sig_step steps[FTRACE_SIG_MAX_STEPS];
	struct ftrace_signature sig = {};
	struct builder *b = builder_new(test);
	struct ftrace_sig_table table;
	unsigned int nr;
	const char *why;
	void *data;
	u32 size;

	builder_proto(b, number_type(b, result), result_place(result), 0);
	builder_param(b, name, pointer_type(b, pointer), 0, 1);
	builder_param(b, length, number_type(b, number), 1,
		      number == ULONG_LONG ? sizeof(u64) / sizeof(long) : 1);
	builder_site(b, 0x1000, b->proto);
	data = builder_finish(b, &size);
	why = ftrace_sig_table_check(data, size, &table);
	KUNIT_ASSERT_NULL_MSG(test, why, "%s", why);
	sig.table = &table;
	sig.proto = ftrace_sig_site_proto(&table, 0);
	nr = ftrace_sig_plan(&sig, steps);
	KUNIT_ASSERT_LE(test, nr, 1);
	*step = steps[0];
	kunit_kfree(test, data);
	kunit_kfree(test, b);
	return nr;
}

/* What says how many bytes there are, of what kind of pointer */
static void lengths_by_name(struct kunit *test)
{
	static const struct {
		const char	*pointer, *length;
		bool		of_bytes, of_strings;
	} names[] = {
		{ "p", "len", true, true },
		{ "p", "length", true, true },
		{ "p", "namelen", true, true },
		{ "p", "max_length", true, true },
		{ "p", "count", true, true },
		{ "p", "cnt", true, true },
		{ "p", "n", true, true },
		{ "p", "nbytes", true, true },
		{ "p", "bytes", true, true },
		{ "p", "bufsize", true, true },
		{ "p", "p_size", true, true },
		{ "p", "psize", true, true },
		{ "p", "p__sz", true, true },
		{ "p", "p_sz", true, true },
		{ "p", "p_bytes", true, true },
		/* The size of something else, of which a string is the name */
		{ "p", "size", true, false },
		{ "p", "siz", true, false },
		{ "p", "sz", true, false },
		{ "p", "q_size", false, false },
		{ "p", "new_size", false, false },
		{ "", "_size", false, false },
		{ "p", "nr", false, false },
		{ "p", "lens", false, false },
		{ "p", "flags", false, false },
		{ "p", "nn", false, false },
		{ "p", "", false, false },
		{ "p", "p", false, false },
	};
	struct ftrace_sig_step step;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(names); i++) {
		KUNIT_EXPECT_EQ_MSG(test, plan(test, NONE, CONST_BYTES, names[i].pointer, S32,
					       names[i].length, &step),
				    names[i].of_bytes, "%s", names[i].length);
		KUNIT_EXPECT_TRUE(test, plan(test, NONE, CONST_TEXT, names[i].pointer, S32,
					     names[i].length, &step));
		KUNIT_EXPECT_EQ(test, step.kind, FTRACE_SIG_STEP_STRING);
		KUNIT_EXPECT_EQ_MSG(test, follow_has_word_of_length(&step), names[i].of_strings,
				    "%s", names[i].length);
	}
}

/* What is a string, and what are bytes */
static void lengths_by_pointer(struct kunit *test)
{
	static const struct {
		enum pointer	pointer;
		const char	*name;
		u8		kind;
		u16		class;
	} pointers[] = {
		{ CONST_TEXT, "s", FTRACE_SIG_STEP_STRING, FTRACE_SIG_FOLLOW_STRINGS },
		{ TEXT, "s", FTRACE_SIG_STEP_STRING,
		  FTRACE_SIG_FOLLOW_STRINGS | FTRACE_SIG_FOLLOW_CHANGES },
		{ CONST_TEXT, "ubuf", FTRACE_SIG_STEP_BYTES, FTRACE_SIG_FOLLOW_STRINGS },
		{ TEXT, "ubuf", FTRACE_SIG_STEP_BYTES, FTRACE_SIG_FOLLOW_CHANGES },
		{ TEXT, "data", FTRACE_SIG_STEP_BYTES, FTRACE_SIG_FOLLOW_CHANGES },
		{ CONST_BYTES, "p", FTRACE_SIG_STEP_BYTES, FTRACE_SIG_FOLLOW_STRINGS },
		{ BYTES, "p", FTRACE_SIG_STEP_BYTES, FTRACE_SIG_FOLLOW_CHANGES },
		{ CONST_OCTETS, "p", FTRACE_SIG_STEP_BYTES, FTRACE_SIG_FOLLOW_STRINGS },
		{ OCTETS, "p", FTRACE_SIG_STEP_BYTES, FTRACE_SIG_FOLLOW_CHANGES },
	};
	struct ftrace_sig_step step;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(pointers); i++) {
		KUNIT_ASSERT_TRUE(test, plan(test, S32, pointers[i].pointer, pointers[i].name,
					     U16, "len", &step));
		KUNIT_EXPECT_EQ_MSG(test, step.kind, pointers[i].kind, "%u", i);
		KUNIT_EXPECT_EQ_MSG(test, step.class, pointers[i].class, "%u", i);
		KUNIT_EXPECT_EQ_MSG(test, follow_length(&step, ~0xffffUL | 7), 7, "%u", i);
	}
}

/* A length has as many bits as its type, which must be an integer's */
static void lengths_by_type(struct kunit *test)
{
	static const struct {
		enum number	number;
		unsigned long	word;
		unsigned int	length;
	} lengths[] = {
		{ U8, ~0xffUL | 200, 200 },
		{ S8, ~0xffUL | 100, 100 },
		{ U16, ~0xffffUL | 60000, 60000 },
		{ S16, ~0xffffUL | 3000, 3000 },
		{ U32, 5, 5 },
		{ S32, -1, FORM_LENGTH_UNKNOWN },
		{ LONG, -1, FORM_LENGTH_UNKNOWN },
		{ ULONG, 0, 0 },
		{ ULONG, INT_MAX, INT_MAX },
#ifdef CONFIG_64BIT
		{ U32, 0xdeadbeef00000002, 2 },
		{ S32, 0xdeadbeef00000002, 2 },
		{ ULONG, 0x100000001, INT_MAX },
		{ ULONG_LONG, 0x100000001, INT_MAX },
#endif
	};
	static const enum number none[] = {
		BOOL, CHAR, ENUM, POINTER,
#ifndef CONFIG_64BIT
		ULONG_LONG,
#endif
	};
	struct ftrace_sig_step step;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(lengths); i++) {
		KUNIT_ASSERT_TRUE(test, plan(test, NONE, CONST_BYTES, "p", lengths[i].number,
					     "len", &step));
		KUNIT_EXPECT_EQ(test, step.kind, FTRACE_SIG_STEP_BYTES);
		KUNIT_EXPECT_EQ_MSG(test, follow_length(&step, lengths[i].word),
				    lengths[i].length, "%u", i);
	}
	for (i = 0; i < ARRAY_SIZE(none); i++)
		KUNIT_EXPECT_FALSE_MSG(test, plan(test, NONE, CONST_BYTES, "p", none[i], "len",
						  &step), "%u", i);
}

/* The size of a type may look like the place of a length */
static void lengths_of_memory(struct kunit *test)
{
	struct ftrace_sig_step step = { .kind = FTRACE_SIG_STEP_MEMORY };
	static const int there = 4;
	unsigned int size;

	for (size = 1; size <= FTRACE_SIG_EVENT_MAX; size++) {
		step.size = size;
		KUNIT_ASSERT_FALSE(test, follow_has_word_of_length(&step));
		KUNIT_ASSERT_EQ_MSG(test, follow_length(&step, (unsigned long)&there),
				    FORM_LENGTH_UNKNOWN, "%u bytes", size);
	}
}

/* Of a buffer of 8 bytes, how many are shown after a result */
static void lengths_by_result(struct kunit *test)
{
	static const struct {
		enum number	number;
		u64		result;
		unsigned int	filled;
	} results[] = {
		{ NONE, 3, 8 }, { NONE, -1, 8 },
		{ BOOL, 0, 8 }, { BOOL, 1, 8 },
		{ ENUM, 3, 8 },
		{ POINTER, 0, 8 }, { POINTER, 3, 8 }, { POINTER, 4096, 8 },
		{ POINTER, -EFAULT, 0 }, { POINTER, -MAX_ERRNO, 0 }, { POINTER, -MAX_ERRNO - 1, 8 },
		{ S32, 0, 8 }, { S32, 3, 3 }, { S32, 8, 8 }, { S32, 9, 8 }, { S32, -1, 0 },
		{ S32, INT_MIN, 0 }, { S32, 0xdeadbeef00000003, 3 }, { S32, 0xffffffff, 0 },
		{ U32, 0, 8 }, { U32, 3, 3 }, { U32, 9, 8 }, { U32, -EFAULT, 0 },
		{ U32, 0x80000000, 8 }, { U32, 0xdeadbeef00000003, 3 },
		{ LONG, 0, 0 }, { LONG, 3, 3 }, { LONG, 9, 8 }, { LONG, -1, 0 },
		{ LONG, LONG_MIN, 0 },
		{ SSIZE, 0, 0 }, { SSIZE, 3, 3 }, { SSIZE, 9, 8 }, { SSIZE, -1, 0 },
		{ ULONG, 0, 8 }, { ULONG, 3, 3 }, { ULONG, 9, 8 }, { ULONG, -EFAULT, 0 },
		{ LONG_LONG, 0, 8 }, { LONG_LONG, 3, 3 }, { LONG_LONG, -1, 0 },
		{ LONG_LONG, 0x100000003, 8 }, { LONG_LONG, S64_MIN, 0 },
		{ ULONG_LONG, 0, 8 }, { ULONG_LONG, 3, 3 }, { ULONG_LONG, -EFAULT, 0 },
		{ U8, 0, 8 }, { U8, 3, 3 }, { U8, 0xff, 8 }, { U8, ~0xffULL | 3, 3 },
		{ S8, 3, 3 }, { S8, 0xff, 0 },
		{ U16, 3, 3 }, { U16, 0xffff, 8 }, { S16, 0xffff, 0 },
	};
	struct ftrace_sig_step step;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(results); i++) {
		KUNIT_ASSERT_TRUE(test, plan(test, results[i].number, BYTES, "p", U32, "len",
					     &step));
		KUNIT_EXPECT_EQ_MSG(test, follow_filled(&step, 8, results[i].result),
				    results[i].filled, "%u: 0x%llx", i, results[i].result);
	}
}

static struct kunit_case lengths_cases[] = {
	KUNIT_CASE(lengths_by_name),
	KUNIT_CASE(lengths_by_pointer),
	KUNIT_CASE(lengths_by_type),
	KUNIT_CASE(lengths_of_memory),
	KUNIT_CASE(lengths_by_result),
	{}
};

static struct kunit_suite lengths_suite = {
	.name = "ftrace_signature_lengths",
	.test_cases = lengths_cases,
};

kunit_test_suite(lengths_suite);
