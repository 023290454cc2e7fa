// SPDX-License-Identifier: GPL-2.0
/*
 * The instructions that fetch named values, and the check of what a probe has resolved.
 * Both are made for functions of this file, so the compiler's word is the truth.
 */
#include <linux/ftrace.h>
#include <linux/uaccess.h>
#include <linux/vmalloc.h>
#include <kunit/test.h>

#include "trace_probe.h"
#include "trace_probe_kernel.h"
#include "trace_sig_fetch_text.h"

struct sig_fetch_bits {
	int		num;
	unsigned int	low : 3;
	unsigned int	middle : 20;
	unsigned int	high : 9;
	int		negative : 4;
	struct {
		unsigned char	before;
		unsigned int	across : 30;
	} __packed	packed;
};

/* Not static: these keep their calling conventions */
noinline int sig_fetch_first(struct sig_fetch_bits *bits, int count);
noinline int sig_fetch_second(struct sig_fetch_bits *bits, int more, int count);
noinline int sig_fetch_third(long *bits, int count);

noinline int sig_fetch_first(struct sig_fetch_bits *bits, int count)
{
	barrier();
	return bits->num + count;
}

noinline int sig_fetch_second(struct sig_fetch_bits *bits, int more, int count)
{
	barrier();
	return bits->num + more * count;
}

noinline int sig_fetch_third(long *bits, int count)
{
	barrier();
	return *bits + count;
}

/* A probe that is being parsed */
struct sig_fetch {
	struct traceprobe_parse_context	ctx;
	struct fetch_insn		insns[FETCH_INSN_MAX];
	struct fetch_insn		*code;
	struct trace_probe		tp;
};

static struct sig_fetch *sig_fetch_new(struct kunit *test, const char *function)
{
	struct sig_fetch *f = kunit_kzalloc(test, sizeof(*f), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, f);
	if (!IS_ENABLED(CONFIG_DYNAMIC_FTRACE) && !IS_ENABLED(CONFIG_HAVE_FENTRY))
		kunit_skip(test, "functions do not begin with their call of mcount");
	f->ctx.funcname = function;
	f->ctx.flags = TPARG_FL_KERNEL | TPARG_FL_FENTRY;
	f->ctx.tp = &f->tp;
	f->code = f->insns;
	f->insns[FETCH_INSN_MAX - 1].op = FETCH_OP_END;
	if (!trace_sig_serves(&f->ctx) && f->ctx.sig.error == TRACE_SIG_NO_TABLE)
		kunit_skip(test, "the image's signatures are not loaded");
	KUNIT_ASSERT_TRUE(test, trace_sig_serves(&f->ctx));
	return f;
}

static int parse(struct sig_fetch *f, const char *expr)
{
	memset(f->insns, 0, sizeof(f->insns));
	f->insns[FETCH_INSN_MAX - 1].op = FETCH_OP_END;
	f->code = f->insns;
	trace_sig_forget(&f->ctx);
	return trace_sig_parse(expr, &f->code, &f->insns[FETCH_INSN_MAX - 1], &f->ctx);
}

/* What the instructions make of a structure: a load, then the bits */
static u64 load(const struct sig_fetch *f, const void *structure)
{
	const struct fetch_insn *store = &f->insns[1], *cut = &f->insns[2];
	u64 value = 0;

	memcpy(&value, structure + store->offset, store->size);
	/* As in a field of this size */
	value <<= cut->lshift + 64 - BITS_PER_BYTE * cut->basesize;
	return value >> (cut->rshift + 64 - BITS_PER_BYTE * cut->basesize);
}

/* Cuts a bit field out by a type of @size bytes, as finalize_fetch_insn() does */
static int bit_field(struct sig_fetch *f, const char *expr, u32 size, bool is_signed)
{
	const struct fetch_type type = { .size = size, .is_signed = is_signed };
	const struct probe_arg arg = { .type = &type };
	int ret = parse(f, expr);

	if (ret)
		return ret;
	f->code->op = FETCH_OP_ST_MEM;
	f->code->size = size;
	return trace_sig_bit_field("type", &arg, f->code, &f->code, &f->ctx);
}

static void expect_bits(struct kunit *test, struct sig_fetch *f, const char *expr, u32 size,
			const struct sig_fetch_bits *bits, u64 value)
{
	KUNIT_ASSERT_EQ_MSG(test, bit_field(f, expr, size, false), 0, "%s", expr);
	KUNIT_EXPECT_EQ(test, f->insns[2].op, FETCH_OP_MOD_BF);
	KUNIT_EXPECT_EQ_MSG(test, load(f, bits), value, "%s by %u bytes", expr, size);
}

static void sig_fetch_cuts_bit_fields(struct kunit *test)
{
	struct sig_fetch_bits bits = {
		.num = -1, .low = 5, .middle = 0xabcde, .high = 0x155, .negative = -3,
		.packed = { .before = 0xff, .across = 0x2badcafe },
	};
	struct sig_fetch *f = sig_fetch_new(test, "sig_fetch_first");
	u32 size;

	for (size = 4; size <= 8; size *= 2) {
		expect_bits(test, f, "bits->low", size, &bits, 5);
		expect_bits(test, f, "bits->middle", size, &bits, 0xabcde);
		expect_bits(test, f, "bits->high", size, &bits, 0x155);
		/* Of its bits; the sign is nobody's without a signed type */
		expect_bits(test, f, "bits->negative", size, &bits, 0xd);
		expect_bits(test, f, "bits->packed.across", size, &bits, 0x2badcafe);
	}
	expect_bits(test, f, "bits->low", 1, &bits, 5);
	expect_bits(test, f, "bits->low", 2, &bits, 5);
	/* An error would be logged, which asks for a lock that a test cannot take */
	trace_sig_claims_free(&f->tp);
}

static void sig_fetch_places(struct kunit *test)
{
	struct sig_fetch *f = sig_fetch_new(test, "sig_fetch_second");

	KUNIT_EXPECT_EQ(test, parse(f, "count"), 0);
	KUNIT_EXPECT_EQ(test, f->insns[0].op, FETCH_OP_ARG);
	KUNIT_EXPECT_EQ(test, f->insns[0].param, 2);
	KUNIT_EXPECT_EQ(test, parse(f, "bits->num"), 0);
	KUNIT_EXPECT_EQ(test, f->insns[0].param, 0);
	KUNIT_EXPECT_EQ(test, f->insns[1].op, FETCH_OP_DEREF);
	KUNIT_EXPECT_EQ(test, f->insns[1].offset, offsetof(struct sig_fetch_bits, num));
	KUNIT_EXPECT_PTR_EQ(test, f->code, &f->insns[1]);
	trace_sig_claims_free(&f->tp);
}

/* What a module may be when it comes back: another function in the place of this one */
static void sig_fetch_claims(struct kunit *test)
{
	struct sig_fetch *f = sig_fetch_new(test, "sig_fetch_first");
	unsigned long first = (unsigned long)sig_fetch_first;
	unsigned long second = (unsigned long)sig_fetch_second;
	unsigned long third = (unsigned long)sig_fetch_third;

	KUNIT_EXPECT_TRUE(test, trace_sig_claims_hold(&f->tp, first));
	KUNIT_EXPECT_EQ(test, parse(f, "bits->num"), 0);
	KUNIT_EXPECT_TRUE(test, trace_sig_has_claims(&f->tp));
	KUNIT_EXPECT_TRUE(test, trace_sig_claims_hold(&f->tp, first));
	/* It is the same there */
	KUNIT_EXPECT_TRUE(test, trace_sig_claims_hold(&f->tp, second));
	/* There is nothing of the kind there, or nothing at all */
	KUNIT_EXPECT_FALSE(test, trace_sig_claims_hold(&f->tp, third));
	KUNIT_EXPECT_FALSE(test, trace_sig_claims_hold(&f->tp, 0));
	/* Behind an ENDBR and the call, in the middle of the function */
	KUNIT_EXPECT_FALSE(test, trace_sig_claims_hold(&f->tp, first + 12));

	KUNIT_EXPECT_EQ(test, parse(f, "count"), 0);
	KUNIT_EXPECT_TRUE(test, trace_sig_claims_hold(&f->tp, first));
	/* In another register */
	KUNIT_EXPECT_FALSE(test, trace_sig_claims_hold(&f->tp, second));
	trace_sig_claims_free(&f->tp);
	KUNIT_EXPECT_FALSE(test, trace_sig_has_claims(&f->tp));

	f->ctx.sig.looked = false;
	KUNIT_EXPECT_EQ(test, trace_sig_parse_number("$arg2", f->insns, &f->ctx), 0);
	KUNIT_EXPECT_TRUE(test, trace_sig_claims_hold(&f->tp, third));
	trace_sig_claims_free(&f->tp);
}

#define TEXT_ROOM	32

/* An event with a field that says where its text is, room for that, and more */
struct sig_fetch_event {
	u32	field;
	char	text[TEXT_ROOM];
	char	behind[4];
};

/* Fetches what an array of @size bytes contains, into @room bytes */
static void expect_text(struct kunit *test, const char *array, u32 size, u32 room,
			const char *text)
{
	struct fetch_insn insn = { .op = FETCH_OP_ST_STRING, .size = size };
	unsigned long addr = (unsigned long)array;
	int len = strlen(text) + 1;
	struct sig_fetch_event event;

	memset(&event, 0xee, sizeof(event));
	event.field = make_data_loc(room, offsetof(struct sig_fetch_event, text));
	KUNIT_EXPECT_EQ(test, fetch_store_text(&insn, addr, &event.field, &event), len);
	KUNIT_EXPECT_STREQ(test, event.text, text);
	KUNIT_EXPECT_EQ(test, event.field,
			make_data_loc(len, offsetof(struct sig_fetch_event, text)));
	KUNIT_EXPECT_EQ(test, event.text[len], (char)0xee);
	if (room > size)
		KUNIT_EXPECT_EQ(test, fetch_text_len(&insn, addr), len);
}

/* No byte behind an array is read: there may be no memory */
static void sig_fetch_text_of_array(struct kunit *test)
{
	char *page = vmalloc(PAGE_SIZE), *end = page + PAGE_SIZE;

	KUNIT_ASSERT_NOT_NULL(test, page);
	memset(page, 'x', PAGE_SIZE);
	memcpy(end - 4, "abcd", 4);
	expect_text(test, end - 4, 4, TEXT_ROOM, "abcd");
	expect_text(test, end - 4, 2, TEXT_ROOM, "ab");
	expect_text(test, end - 1, 1, TEXT_ROOM, "d");
	/* There is less room than measured, or just enough */
	expect_text(test, end - 4, 4, 5, "abcd");
	expect_text(test, end - 4, 4, 4, "abc");
	expect_text(test, end - 4, 4, 1, "");
	end[-1] = 0;
	expect_text(test, end - 4, 4, TEXT_ROOM, "abc");
	end[-2] = 0;
	expect_text(test, end - 4, 4, TEXT_ROOM, "ab");
	end[-4] = 0;
	expect_text(test, end - 4, 4, TEXT_ROOM, "");
	/* A string has no other end than its zero */
	expect_text(test, end - 8, MAX_STRING_SIZE, TEXT_ROOM, "xxxx");
	vfree(page);
}

static void sig_fetch_text_fault(struct kunit *test)
{
	char *page = vmalloc(PAGE_SIZE), *end = page + PAGE_SIZE;
	struct fetch_insn insn = { .op = FETCH_OP_ST_STRING, .size = 8 };
	u32 loc = make_data_loc(TEXT_ROOM, offsetof(struct sig_fetch_event, text));
	struct sig_fetch_event event = { .field = loc };

	KUNIT_ASSERT_NOT_NULL(test, page);
	memset(page, 'x', PAGE_SIZE);
	KUNIT_EXPECT_LT(test, fetch_text_len(&insn, (unsigned long)end - 4), 0);
	KUNIT_EXPECT_LT(test, fetch_store_text(&insn, (unsigned long)end - 4, &event.field,
					       &event), 0);
	KUNIT_EXPECT_EQ(test, get_loc_len(event.field), 0);
	/* A kernel's address is not an address of the user's memory */
	insn.op = FETCH_OP_ST_USTRING;
	KUNIT_EXPECT_LT(test, fetch_text_len(&insn, (unsigned long)page), 0);
	vfree(page);
}

static struct kunit_case sig_fetch_cases[] = {
	KUNIT_CASE(sig_fetch_cuts_bit_fields),
	KUNIT_CASE(sig_fetch_places),
	KUNIT_CASE(sig_fetch_claims),
	KUNIT_CASE(sig_fetch_text_of_array),
	KUNIT_CASE(sig_fetch_text_fault),
	{}
};

static struct kunit_suite sig_fetch_suite = {
	.name		= "ftrace_signature_fetch",
	.test_cases	= sig_fetch_cases,
};

kunit_test_suite(sig_fetch_suite);
