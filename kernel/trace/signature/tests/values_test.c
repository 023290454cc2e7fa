// SPDX-License-Identifier: GPL-2.0
/* Every class of value becomes the text that the documentation promises. */
#include <linux/gfp_types.h>
#include <linux/kallsyms.h>
#include <linux/kdev_t.h>
#include <linux/sched.h>

#include "builder.h"

struct types {
	u32 boolean, character, s8, u8, s16, u16, s32, u32, s64, u64;
	u32 s128, u128;
	u32 color, wide_color, ptr, func_ptr, pair, odd, real;
	u32 gfp_t, umode_t, dev_t, pid_t, fake_gfp_t, const_dev_t;
};

static void add_enums(struct builder *b, struct types *t)
{
	t->color = builder_enum(b, "color", 4, FTRACE_SIG_INT_SIGNED, 4);
	builder_enumerator(b, "RED", 0, 4);
	builder_enumerator(b, "GREEN", 1, 4);
	builder_enumerator(b, "ALSO_GREEN", 1, 4);
	builder_enumerator(b, "NONE", -1, 4);

	t->wide_color = builder_enum(b, "wide", 8, 0, 2);
	builder_enumerator(b, "LOW", 5, 8);
	builder_enumerator(b, "HIGH", 0x500000000LL, 8);
}

static void add_named(struct builder *b, struct types *t)
{
	u32 mode = builder_ref(b, FTRACE_SIG_TYPEDEF, "__mode_t", t->u16, 2);

	t->gfp_t = builder_ref(b, FTRACE_SIG_TYPEDEF, "gfp_t", t->u32, 4);
	/* Known by a name in the middle of a chain of typedefs */
	t->umode_t = builder_ref(b, FTRACE_SIG_TYPEDEF, "my_mode",
				 builder_ref(b, FTRACE_SIG_TYPEDEF, "umode_t", mode, 2), 2);
	t->dev_t = builder_ref(b, FTRACE_SIG_TYPEDEF, "dev_t", t->u32, 4);
	t->const_dev_t = builder_ref(b, FTRACE_SIG_CONST, "", t->dev_t, 4);
	t->pid_t = builder_ref(b, FTRACE_SIG_TYPEDEF, "pid_t", t->s32, 4);
	/* Another type of the same name */
	t->fake_gfp_t = builder_ref(b, FTRACE_SIG_TYPEDEF, "gfp_t", t->u64, 8);
}

static void add_types(struct builder *b, struct types *t)
{
	t->boolean = builder_int(b, "_Bool", 1, FTRACE_SIG_INT_BOOL);
	t->character = builder_int(b, "char", 1, FTRACE_SIG_INT_CHAR);
	t->s8 = builder_int(b, "signed char", 1, FTRACE_SIG_INT_SIGNED);
	t->u8 = builder_int(b, "unsigned char", 1, 0);
	t->s16 = builder_int(b, "short", 2, FTRACE_SIG_INT_SIGNED);
	t->u16 = builder_int(b, "unsigned short", 2, 0);
	t->s32 = builder_int(b, "int", 4, FTRACE_SIG_INT_SIGNED);
	t->u32 = builder_int(b, "unsigned int", 4, 0);
	t->s64 = builder_int(b, "long", 8, FTRACE_SIG_INT_SIGNED);
	t->u64 = builder_int(b, "unsigned long", 8, 0);
	t->s128 = builder_int(b, "__int128", 16, FTRACE_SIG_INT_SIGNED);
	t->u128 = builder_int(b, "unsigned __int128", 16, 0);
	t->real = builder_float(b, "double", 8);
	t->ptr = builder_ref(b, FTRACE_SIG_PTR, "", 0, sizeof(long));
	t->func_ptr = builder_ref(b, FTRACE_SIG_PTR, "",
				  builder_func(b, t->s32), sizeof(long));
	t->pair = builder_struct(b, "pair", 16);
	t->odd = builder_struct(b, "odd", 11);
	add_enums(b, t);
	add_named(b, t);
}

struct values {
	struct kunit			*test;
	struct ftrace_sig_table		table;
	struct types			types;
	struct trace_seq		*s;
};

static struct values *values_new(struct kunit *test)
{
	struct values *v = kunit_kzalloc(test, sizeof(*v), GFP_KERNEL);
	struct builder *b = builder_new(test);
	void *data;
	u32 size;

	KUNIT_ASSERT_NOT_NULL(test, v);
	v->test = test;
	v->s = builder_seq(test);
	add_types(b, &v->types);
	data = builder_finish(b, &size);
	KUNIT_ASSERT_NULL(test, ftrace_sig_table_check(data, size, &v->table));
	return v;
}

static void expect(struct values *v, u32 type, u64 low, u64 high,
		   unsigned int how, const char *text)
{
	unsigned long words[16 / sizeof(long)] = {
#if BITS_PER_LONG == 64
		low, high
#else
		low, low >> 32, high, high >> 32
#endif
	};

	trace_seq_init(v->s);
	ftrace_sig_print_value(v->s, &v->table, type, words, how);
	KUNIT_EXPECT_STREQ(v->test, builder_text(v->s), text);
}

static void expect_param(struct values *v, u32 type, u64 value, const char *text)
{
	expect(v, type, value, 0, 0, text);
}

static void expect_result(struct values *v, u32 type, u64 value,
			  const char *text)
{
	expect(v, type, value, 0, FTRACE_SIG_IS_RESULT, text);
}

/* Garbage that the calling convention leaves in the upper bits must not show. */
#define DIRT(bits)	(0xa5a5a5a5a5a5a5a5ULL << (bits))

static void values_integers(struct kunit *test)
{
	struct values *v = values_new(test);
	struct types *t = &v->types;

	expect_param(v, t->s8, 0x80 | DIRT(8), "-128");
	expect_param(v, t->s8, 0x7f | DIRT(8), "127");
	expect_param(v, t->u8, 0xff | DIRT(8), "255");
	expect_param(v, t->u8, 'a' | DIRT(8), "97");
	expect_param(v, t->s16, 0x8000 | DIRT(16), "-32768");
	expect_param(v, t->u16, 0xffff | DIRT(16), "65535");
	expect_param(v, t->s32, 0xfffffffe | DIRT(32), "-2");
	expect_param(v, t->s32, 0x7fffffff | DIRT(32), "2147483647");
	expect_param(v, t->u32, 0xffffffff | DIRT(32), "4294967295");
	expect_param(v, t->s64, -1, "-1");
	expect_param(v, t->s64, S64_MIN, "-9223372036854775808");
	expect_param(v, t->u64, 0xffffffff, "4294967295");
	expect_param(v, t->u64, 0x100000000, "0x100000000");
	expect_param(v, t->u64, U64_MAX, "0xffffffffffffffff");
	expect_param(v, t->pid_t, 0xffffffff, "-1");
}

static void values_int128(struct kunit *test)
{
	struct values *v = values_new(test);
	struct types *t = &v->types;

	expect(v, t->u128, 0, 0, 0, "0x0");
	expect(v, t->u128, 0xf, 0, 0, "0xf");
	expect(v, t->u128, 1, 1, 0, "0x10000000000000001");
	expect(v, t->u128, U64_MAX, U64_MAX, 0,
	       "0xffffffffffffffffffffffffffffffff");
	expect(v, t->s128, U64_MAX, U64_MAX, 0, "-0x1");
	expect(v, t->s128, 0, U64_MAX, 0, "-0x10000000000000000");
	expect(v, t->s128, 0, 1ULL << 63, 0,
	       "-0x80000000000000000000000000000000");
	expect(v, t->s128, 0x123, 0x1, 0, "0x10000000000000123");
}

static void values_bool_char(struct kunit *test)
{
	struct values *v = values_new(test);
	struct types *t = &v->types;

	expect_param(v, t->boolean, 0 | DIRT(8), "false");
	expect_param(v, t->boolean, 1 | DIRT(8), "true");
	expect_param(v, t->boolean, 2, "0x2");
	expect_param(v, t->character, 'a' | DIRT(8), "'a'");
	expect_param(v, t->character, ' ', "' '");
	expect_param(v, t->character, '~', "'~'");
	expect_param(v, t->character, '"', "'\"'");
	expect_param(v, t->character, '\'', "'\\''");
	expect_param(v, t->character, '\\', "'\\\\'");
	expect_param(v, t->character, '\n', "10");
	expect_param(v, t->character, 0x7f, "127");
	expect_param(v, t->character, 0xe4, "228");
}

static void values_enums(struct kunit *test)
{
	struct values *v = values_new(test);
	struct types *t = &v->types;

	expect_param(v, t->color, 0 | DIRT(32), "RED");
	expect_param(v, t->color, 1, "GREEN");
	expect_param(v, t->color, 0xffffffff, "NONE");
	expect_param(v, t->color, 2, "2");
	expect_param(v, t->color, 0xfffffffe, "-2");
	expect_result(v, t->color, 0xfffffffe, "-2");
	expect_param(v, t->wide_color, 5, "LOW");
	expect_param(v, t->wide_color, 0x500000000, "HIGH");
	expect_param(v, t->wide_color, 0x500000005, "21474836485");
}

#if BITS_PER_LONG == 64
#define HIGH_ADDRESS		0xffff888003f1c3a0
#define HIGH_ADDRESS_TEXT	"0xffff888003f1c3a0"
#define BELOW_ERRORS_TEXT	"0xfffffffffffff000"
#define PAIR_TEXT		"{0x1, 0x2}"
#define ODD_TEXT		"{0x1, 0x112233}"
#else
/* Not below 0xe0000000, where the kernel may have put itself */
#define HIGH_ADDRESS		0xf1f1c3a0
#define HIGH_ADDRESS_TEXT	"0xf1f1c3a0"
#define BELOW_ERRORS_TEXT	"0xfffff000"
#define PAIR_TEXT		"{0x1, 0x0, 0x2, 0x0}"
#define ODD_TEXT		"{0x1, 0x0, 0x112233}"
#endif

static void values_pointers(struct kunit *test)
{
	struct values *v = values_new(test);
	struct types *t = &v->types;
	char text[32];

	expect_param(v, t->ptr, 0, "NULL");
	expect_param(v, t->ptr, HIGH_ADDRESS, HIGH_ADDRESS_TEXT);
	expect_param(v, t->ptr, 0x7f0c1e3f, "0x7f0c1e3f");
	expect_param(v, t->ptr, -12L, "ERR_PTR(-ENOMEM)");
	expect_result(v, t->ptr, -2L, "ERR_PTR(-ENOENT)");
	expect_result(v, t->ptr, -4095L, "ERR_PTR(-4095)");
	expect_result(v, t->ptr, -4096L, BELOW_ERRORS_TEXT);
	expect_param(v, t->func_ptr, 0, "NULL");
	expect_param(v, t->func_ptr, (unsigned long)schedule, "schedule");
	expect_param(v, t->func_ptr, -12L, "ERR_PTR(-ENOMEM)");
	expect_param(v, t->func_ptr, HIGH_ADDRESS, HIGH_ADDRESS_TEXT);
	expect(v, t->func_ptr, (unsigned long)schedule, 0,
	       FTRACE_SIG_IMAGE_SYMBOLS, "schedule");

	scnprintf(text, sizeof(text), "0x%lx", (unsigned long)schedule);
	expect(v, t->func_ptr, (unsigned long)schedule, 0,
	       FTRACE_SIG_NO_SYMBOLS, text);
}

/* An address inside a function is not shown as the function */
static void values_inside_function(struct kunit *test)
{
	unsigned long address = (unsigned long)schedule, size, offset;
	struct values *v = values_new(test);
	char text[64];

	/* Otherwise objtool takes the computed address for a function */
	OPTIMIZER_HIDE_VAR(address);
	KUNIT_ASSERT_TRUE(test, kallsyms_lookup_size_offset(address, &size, &offset));
	KUNIT_ASSERT_EQ(test, offset, 0);
	scnprintf(text, sizeof(text), "schedule+0x3/0x%lx", size);
	expect_param(v, v->types.func_ptr, address + 3, text);
	scnprintf(text, sizeof(text), "schedule+0x%lx/0x%lx", size - 1, size);
	expect_param(v, v->types.func_ptr, address + size - 1, text);
}

/* In hexadecimal, numbers keep the width of their type, and other types their form */
static void values_hex(struct kunit *test)
{
	unsigned int how = FTRACE_SIG_HEX | FTRACE_SIG_IS_RESULT;
	struct values *v = values_new(test);
	struct types *t = &v->types;

	expect(v, t->boolean, 1 | DIRT(8), 0, how, "true");
	expect(v, t->boolean, 0 | DIRT(8), 0, how, "false");
	expect(v, t->s8, 0x80 | DIRT(8), 0, how, "0x80 (-EKEYREVOKED)");
	expect(v, t->character, 'a', 0, how, "0x61");
	expect(v, t->u16, 0xffff | DIRT(16), 0, how, "0xffff");
	expect(v, t->s32, 0 | DIRT(32), 0, how, "0x0");
	expect(v, t->s32, 16 | DIRT(32), 0, how, "0x10");
	expect(v, t->s32, 0xfffffffe | DIRT(32), 0, how, "0xfffffffe (-ENOENT)");
	expect(v, t->s32, 0xfffffffe, 0, FTRACE_SIG_HEX, "0xfffffffe");
	expect(v, t->s64, -22L, 0, how, "0xffffffffffffffea (-EINVAL)");
	expect(v, t->u64, 10, 0, how, "0xa");
	expect(v, t->color, 1, 0, how, "GREEN");
	expect(v, t->color, 0xfffffff0, 0, how, "0xfffffff0");
	expect(v, t->ptr, 0, 0, how, "NULL");
	expect(v, t->ptr, -12L, 0, how, "ERR_PTR(-ENOMEM)");
	expect(v, t->func_ptr, (unsigned long)schedule, 0, how, "schedule");
	expect(v, t->gfp_t, 0, 0, how, "0");
	expect(v, t->dev_t, MKDEV(8, 1), 0, how, "8:1");
}

/* @text has %s where the hashed address is expected */
static void expect_hashed(struct values *v, u32 type, u64 low, u64 high, const char *text)
{
	char hashed[2 * sizeof(long) + 1];
	char expected[64];

	snprintf(hashed, sizeof(hashed), "%p", (void *)(unsigned long)(high ?: low));
	snprintf(expected, sizeof(expected), text, hashed);
	expect(v, type, low, high, FTRACE_SIG_HASH, expected);
}

/* Where addresses must be hidden, nothing that may be one is shown */
static void values_hashed(struct kunit *test)
{
	u64 text = (u64)(long)schedule;
	struct values *v = values_new(test);
	struct types *t = &v->types;

	expect_hashed(v, t->ptr, HIGH_ADDRESS, 0, "%s");
	expect_hashed(v, t->ptr, 0x7f0c1e3f, 0, "%s");
	expect_hashed(v, t->func_ptr, HIGH_ADDRESS, 0, "%s");
	expect_hashed(v, t->u64, HIGH_ADDRESS, 0, "%s");
	expect_hashed(v, t->s64, text, 0, "%s");
	expect(v, t->ptr, 0, 0, FTRACE_SIG_HASH, "NULL");
	expect(v, t->ptr, -12L, 0, FTRACE_SIG_HASH, "ERR_PTR(-ENOMEM)");
	expect(v, t->func_ptr, text, 0, FTRACE_SIG_HASH, "schedule");
	expect(v, t->u64, 4711, 0, FTRACE_SIG_HASH, "4711");
	expect(v, t->s64, -22L, 0, FTRACE_SIG_HASH, "-22");
	expect(v, t->s32, 0x80000000, 0, FTRACE_SIG_HASH, "-2147483648");
	expect(v, t->gfp_t, (__force u32)GFP_KERNEL, 0, FTRACE_SIG_HASH, "GFP_KERNEL");
#if BITS_PER_LONG == 64
	expect_hashed(v, t->s64, HIGH_ADDRESS, 0, "%s");
	expect_hashed(v, t->pair, 1, HIGH_ADDRESS, "{0x1, %s}");
	expect_hashed(v, t->u128, 1, HIGH_ADDRESS, "{0x1, %s}");
#else
	expect_hashed(v, t->pair, 1, HIGH_ADDRESS, "{0x1, 0x0, %s, 0x0}");
	expect_hashed(v, t->u32, HIGH_ADDRESS, 0, "%s");
#endif
}

static void values_errno(struct kunit *test)
{
	struct values *v = values_new(test);
	struct types *t = &v->types;

	expect_result(v, t->s32, 0xfffffffe, "-2 (-ENOENT)");
	expect_result(v, t->s64, -22L, "-22 (-EINVAL)");
	expect_result(v, t->s16, 0xffff, "-1");
	expect_result(v, t->s32, -4000, "-4000");
	expect_result(v, t->s32, -5000, "-5000");
	expect_result(v, t->s32, 0, "0");
	expect_result(v, t->s32, 2, "2");
	expect_param(v, t->s32, 0xfffffffe, "-2");
	expect_result(v, t->u32, 0xfffffffe, "4294967294");
	expect_result(v, t->pid_t, 0xfffffff5, "-11 (-EAGAIN)");
}

static void values_aggregates(struct kunit *test)
{
	struct values *v = values_new(test);
	struct types *t = &v->types;

	expect(v, t->pair, 1, 2, 0, PAIR_TEXT);
	expect(v, t->odd, 1, 0xffffffffff112233, 0, ODD_TEXT);
	expect(v, t->real, 1, 0, 0, "?");
}

static void values_by_name(struct kunit *test)
{
	struct values *v = values_new(test);
	struct types *t = &v->types;

	expect_param(v, t->gfp_t, (__force u32)GFP_KERNEL | DIRT(32), "GFP_KERNEL");
	expect_param(v, t->gfp_t, (__force u32)(GFP_KERNEL | __GFP_ZERO),
		     "GFP_KERNEL|__GFP_ZERO");
	expect_param(v, t->gfp_t, DIRT(32), "0");
	expect_param(v, t->fake_gfp_t, 0x10, "16");
	expect_param(v, t->umode_t, 0100644 | DIRT(16), "S_IFREG|0644");
	expect_param(v, t->umode_t, 0041777, "S_IFDIR|01777");
	expect_param(v, t->umode_t, 0644, "0644");
	expect_param(v, t->umode_t, 0, "0000");
	expect_param(v, t->umode_t, 0170000, "0170000");
	expect_param(v, t->dev_t, MKDEV(8, 1) | DIRT(32), "8:1");
	expect_param(v, t->const_dev_t, MKDEV(259, 70000), "259:70000");
}

static struct kunit_case values_cases[] = {
	KUNIT_CASE(values_integers),
	KUNIT_CASE(values_int128),
	KUNIT_CASE(values_bool_char),
	KUNIT_CASE(values_enums),
	KUNIT_CASE(values_pointers),
	KUNIT_CASE(values_inside_function),
	KUNIT_CASE(values_hex),
	KUNIT_CASE(values_hashed),
	KUNIT_CASE(values_errno),
	KUNIT_CASE(values_aggregates),
	KUNIT_CASE(values_by_name),
	{}
};

static struct kunit_suite values_suite = {
	.name = "ftrace_signature_values",
	.test_cases = values_cases,
};

kunit_test_suite(values_suite);
