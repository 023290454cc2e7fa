// SPDX-License-Identifier: GPL-2.0
/* What arguments point to: which are followed, what is copied, how it is printed. */
#include <linux/bitfield.h>
#include <linux/mm.h>
#include <linux/prandom.h>
#include <linux/vmalloc.h>

#include "../follow.h"
#include "../../trace_signature.h"
#include "../../trace_text_line.h"
#include "../text.h"
#include "builder.h"

#define ALL_CLASSES	(FTRACE_SIG_FOLLOW_STRINGS | FTRACE_SIG_FOLLOW_STRUCTS | \
			 FTRACE_SIG_FOLLOW_CHANGES)
#define HOW		(FTRACE_SIG_TEXT | FTRACE_SIG_STRUCTS | FTRACE_SIG_CHANGES)

struct follow {
	struct kunit		*test;
	struct builder		*b;
	struct ftrace_sig_table	table;
	struct ftrace_signature	sig;
	struct ftrace_sig_step	steps[FTRACE_SIG_MAX_STEPS];
	unsigned int		nr_steps;
	struct trace_seq	*s;
	unsigned long		entry[FTRACE_SIG_MAX_WORDS + FTRACE_SIG_EVENT_MAX / sizeof(long)];
	unsigned long		ret[FTRACE_SIG_MAX_WORDS + FTRACE_SIG_EVENT_MAX / sizeof(long)];
	u32			num, size, ssize, text, const_text, bytes, const_bytes, number;
	u32			octet, octets;
};

static u32 pointer_to(struct builder *b, u32 id)
{
	return builder_ref(b, FTRACE_SIG_PTR, "", id, sizeof(long));
}

static u32 constant(struct builder *b, u32 id, u32 size)
{
	return builder_ref(b, FTRACE_SIG_CONST, "", id, size);
}

static struct follow *follow_new(struct kunit *test)
{
	struct follow *f = kunit_kzalloc(test, sizeof(*f), GFP_KERNEL);
	struct builder *b = builder_new(test);
	u32 character;

	KUNIT_ASSERT_NOT_NULL(test, f);
	f->test = test;
	f->b = b;
	f->s = builder_seq(test);
	f->num = builder_int(b, "int", 4, FTRACE_SIG_INT_SIGNED);
	f->size = builder_int(b, "unsigned long", sizeof(long), 0);
	f->ssize = builder_ref(b, FTRACE_SIG_TYPEDEF, "ssize_t",
			       builder_int(b, "long", sizeof(long), FTRACE_SIG_INT_SIGNED),
			       sizeof(long));
	character = builder_int(b, "char", 1, FTRACE_SIG_INT_SIGNED | FTRACE_SIG_INT_CHAR);
	f->octet = builder_int(b, "unsigned char", 1, 0);
	f->text = pointer_to(b, character);
	f->const_text = pointer_to(b, constant(b, character, 1));
	f->bytes = pointer_to(b, 0);
	f->const_bytes = pointer_to(b, constant(b, 0, 0));
	f->number = pointer_to(b, f->num);
	f->octets = pointer_to(b, f->octet);
	return f;
}

static void follow_finish_table(struct follow *f)
{
	const char *why;
	void *data;
	u32 size;

	builder_site(f->b, 0x1000, f->b->proto);
	data = builder_finish(f->b, &size);
	why = ftrace_sig_table_check(data, size, &f->table);
	KUNIT_ASSERT_NULL_MSG(f->test, why, "%s", why);
	f->sig.table = &f->table;
	f->sig.proto = ftrace_sig_site_proto(&f->table, 0);
	f->nr_steps = ftrace_sig_plan(&f->sig, f->steps);
}

static void expect_step(struct follow *f, unsigned int nr, u8 param, u8 kind, u16 class)
{
	KUNIT_ASSERT_LT(f->test, nr, f->nr_steps);
	KUNIT_EXPECT_EQ(f->test, f->steps[nr].param, param);
	KUNIT_EXPECT_EQ(f->test, f->steps[nr].kind, kind);
	KUNIT_EXPECT_EQ(f->test, f->steps[nr].class, class);
}

#define STRINGS	FTRACE_SIG_FOLLOW_STRINGS
#define STRUCTS	FTRACE_SIG_FOLLOW_STRUCTS
#define CHANGES	FTRACE_SIG_FOLLOW_CHANGES

static u16 length_in_word(unsigned int word, unsigned int width)
{
	return FIELD_PREP(FTRACE_SIG_STEP_LENGTH, FTRACE_SIG_LENGTH_VALUE) |
	       FIELD_PREP(FTRACE_SIG_STEP_WORD, word) | width;
}

static void follow_plans_text(struct kunit *test)
{
	struct follow *f = follow_new(test);

	builder_proto(f->b, f->ssize, FTRACE_SIG_RET_WORD, 0);
	builder_param(f->b, "name", f->const_text, 0, 1);
	builder_param(f->b, "buf", f->bytes, 1, 1);
	builder_param(f->b, "count", f->size, 2, 1);
	builder_param(f->b, "text", f->text, FTRACE_SIG_PLACE_STACK, 1);
	builder_param(f->b, "value", f->const_bytes, FTRACE_SIG_PLACE_STACK + 1, 1);
	builder_param(f->b, "value_size", f->num, FTRACE_SIG_PLACE_STACK + 2, 1);
	builder_param(f->b, "data", f->const_bytes, FTRACE_SIG_PLACE_STACK + 3, 1);
	builder_param(f->b, "flags", f->num, FTRACE_SIG_PLACE_STACK + 4, 1);
	follow_finish_table(f);

	KUNIT_ASSERT_EQ(test, f->nr_steps, 4);
	expect_step(f, 0, 0, FTRACE_SIG_STEP_STRING, STRINGS);
	expect_step(f, 1, 1, FTRACE_SIG_STEP_BYTES, CHANGES);
	expect_step(f, 2, 3, FTRACE_SIG_STEP_STRING, STRINGS | CHANGES);
	expect_step(f, 3, 4, FTRACE_SIG_STEP_BYTES, STRINGS);
	KUNIT_EXPECT_EQ(test, f->steps[1].size, length_in_word(2, sizeof(long)));
	KUNIT_EXPECT_EQ(test, f->steps[3].size, length_in_word(3 + 2, 4));
}

/* How long an address is: the parameter behind it tells, or what that points to, or the result. */
static void follow_plans_addresses(struct kunit *test)
{
	struct follow *f = follow_new(test);
	u32 address = pointer_to(f->b, builder_struct(f->b, "sockaddr", 16));
	unsigned int i;
	static const u16 sizes[] = {
		FIELD_PREP_CONST(FTRACE_SIG_STEP_LENGTH, FTRACE_SIG_LENGTH_VALUE) |
		FIELD_PREP_CONST(FTRACE_SIG_STEP_WORD, 1) | 4,
		FIELD_PREP_CONST(FTRACE_SIG_STEP_LENGTH, FTRACE_SIG_LENGTH_POINTER) |
		FIELD_PREP_CONST(FTRACE_SIG_STEP_WORD, 2 + 1),
		FIELD_PREP_CONST(FTRACE_SIG_STEP_LENGTH, FTRACE_SIG_LENGTH_RESULT),
		0,
	};

	if (!IS_ENABLED(CONFIG_FTRACE_SIGNATURES_FORMS))
		kunit_skip(test, "no forms");
	builder_proto(f->b, f->num, FTRACE_SIG_RET_WORD, 0);
	builder_param(f->b, "value", address, 0, 1);
	builder_param(f->b, "addr_len", f->num, 1, 1);
	builder_param(f->b, "pointer", address, FTRACE_SIG_PLACE_STACK, 1);
	builder_param(f->b, "upeer_addrlen", f->number, FTRACE_SIG_PLACE_STACK + 1, 1);
	builder_param(f->b, "result", address, FTRACE_SIG_PLACE_STACK + 2, 1);
	builder_param(f->b, "peer", f->num, FTRACE_SIG_PLACE_STACK + 3, 1);
	builder_param(f->b, "unknown", address, FTRACE_SIG_PLACE_STACK + 4, 1);
	builder_param(f->b, "flags", f->num, FTRACE_SIG_PLACE_STACK + 5, 1);
	follow_finish_table(f);

	/* The pointer to a length is followed itself, too */
	KUNIT_ASSERT_EQ(test, f->nr_steps, 5);
	expect_step(f, 2, 3, FTRACE_SIG_STEP_MEMORY, STRUCTS | CHANGES);
	for (i = 0; i < ARRAY_SIZE(sizes); i++) {
		unsigned int nr = i < 2 ? i : i + 1;

		expect_step(f, nr, i * 2, FTRACE_SIG_STEP_FORM, STRUCTS | CHANGES);
		KUNIT_EXPECT_EQ(test, f->steps[nr].size, sizes[i]);
	}
}

/* What the function returns is no length: a register that means nothing */
static void follow_plans_no_result(struct kunit *test)
{
	struct follow *f = follow_new(test);
	u32 address = pointer_to(f->b, builder_struct(f->b, "sockaddr", 16));

	if (!IS_ENABLED(CONFIG_FTRACE_SIGNATURES_FORMS))
		kunit_skip(test, "no forms");
	builder_proto(f->b, 0, FTRACE_SIG_RET_VOID, 0);
	builder_param(f->b, "uaddr", address, 0, 1);
	builder_param(f->b, "peer", f->num, 1, 1);
	follow_finish_table(f);
	KUNIT_ASSERT_EQ(test, f->nr_steps, 1);
	KUNIT_EXPECT_EQ(test, f->steps[0].size, 0);
}

/* Of what cannot be shown, or whose place is not known, nothing is copied. */
static void follow_plans_nothing(struct kunit *test)
{
	struct follow *f = follow_new(test);
	u32 opaque = pointer_to(f->b, builder_struct(f->b, "opaque", 64));
	u32 function = pointer_to(f->b, builder_func(f->b, f->num));

	builder_proto(f->b, f->num, FTRACE_SIG_RET_WORD, FTRACE_SIG_CLONE);
	builder_param(f->b, "o", opaque, 0, 1);
	builder_param(f->b, "f", function, 1, 1);
	builder_param(f->b, "p", f->bytes, 2, 1);
	builder_param(f->b, "gone", f->text, FTRACE_SIG_PLACE_REMOVED, 0);
	builder_param(f->b, "lost", f->text, FTRACE_SIG_PLACE_UNKNOWN, FTRACE_SIG_WHY_PARTS);
	builder_param(f->b, "fixed", f->text, FTRACE_SIG_PLACE_CONST, 0);
	builder_const(f->b, 0x1234);
	follow_finish_table(f);
	KUNIT_EXPECT_EQ(test, f->nr_steps, 0);
}

static void follow_plans_result(struct kunit *test)
{
	struct follow *f = follow_new(test);
	u32 i;

	builder_proto(f->b, f->text, FTRACE_SIG_RET_WORD, 0);
	for (i = 0; i < FTRACE_SIG_MAX_STEPS + 2; i++)
		builder_param(f->b, "n", f->number, FTRACE_SIG_PLACE_STACK + i, 1);
	follow_finish_table(f);
	KUNIT_ASSERT_EQ(test, f->nr_steps, FTRACE_SIG_MAX_STEPS);
	expect_step(f, 0, FTRACE_SIG_RESULT, FTRACE_SIG_STEP_STRING, STRINGS);
	expect_step(f, 1, 0, FTRACE_SIG_STEP_MEMORY, STRUCTS | CHANGES);
	expect_step(f, 5, 4, FTRACE_SIG_STEP_MEMORY, STRUCTS | CHANGES);
}

/* Copy what the steps ask for, behind the words of the arguments */
static unsigned int copy_entry(struct follow *f, unsigned int nr_args, unsigned int event)
{
	struct follow_writer w;
	unsigned long address;
	unsigned int i;

	guard(preempt)();
	follow_writer_init(&w, f->entry, nr_args, nr_args);
	if (event)
		w.end = w.start + event;
	for (i = 0; i < f->nr_steps && follow_has_room(&w); i++)
		if (f->steps[i].class & (STRINGS | STRUCTS) &&
		    f->steps[i].param != FTRACE_SIG_RESULT &&
		    follow_address(&w, &f->steps[i], &address))
			follow_copy(&w, &f->steps[i], address,
				    follow_length_at_entry(&w, &f->steps[i]));
	return follow_finish(&w);
}

static void expect_entry(struct follow *f, unsigned int nr_args, unsigned int event,
			 const char *text)
{
	unsigned int nr = copy_entry(f, nr_args, event);
	struct ftrace_sig_data data = {
		.before = nr ? (const u32 *)(f->entry + nr_args) : NULL,
	};

	if (nr)
		KUNIT_EXPECT_TRUE(f->test, ftrace_sig_data_is_valid(data.before, nr));
	trace_seq_init(f->s);
	ftrace_sig_print_params(f->s, &f->sig, f->entry, nr_args, &data, HOW, NULL);
	KUNIT_EXPECT_STREQ(f->test, builder_text(f->s), text);
}

/* A length has as many bits as its type.  One that cannot be read is not known. */
static void follow_lengths_of_addresses(struct kunit *test)
{
	static const char address[16] = "\1\0/a/path";
	struct follow *f = follow_new(test);
	static int length = 2 + 2;
	u32 pointer = pointer_to(f->b, constant(f->b, builder_struct(f->b, "sockaddr", 16), 16));
	static const char same[] = "a={AF_UNIX, \"/a\"}, alen=4, b={0 bytes}, blen=-1";
	char expected[160];

	if (!IS_ENABLED(CONFIG_FTRACE_SIGNATURES_FORMS))
		kunit_skip(test, "no forms");
	builder_proto(f->b, 0, FTRACE_SIG_RET_VOID, 0);
	builder_param(f->b, "a", pointer, 0, 1);
	builder_param(f->b, "alen", f->octet, 1, 1);
	builder_param(f->b, "b", pointer, 2, 1);
	builder_param(f->b, "blen", f->num, FTRACE_SIG_PLACE_STACK, 1);
	builder_param(f->b, "c", pointer, FTRACE_SIG_PLACE_STACK + 1, 1);
	builder_param(f->b, "csize", f->size, FTRACE_SIG_PLACE_STACK + 2, 1);
	builder_param(f->b, "d", pointer, FTRACE_SIG_PLACE_STACK + 3, 1);
	builder_param(f->b, "dlen", f->number, FTRACE_SIG_PLACE_STACK + 4, 1);
	follow_finish_table(f);

	f->entry[0] = (unsigned long)address;
	f->entry[1] = ~0xffUL | 4;
	f->entry[2] = (unsigned long)address;
	f->entry[3] = -1;
	f->entry[4] = (unsigned long)address;
	f->entry[5] = 2 + 3;
	f->entry[6] = (unsigned long)address;
	f->entry[7] = (unsigned long)&length;
	snprintf(expected, sizeof(expected), "%s, c={AF_UNIX, \"/a/\"}, csize=5, %s", same,
		 "d={AF_UNIX, \"/a\"}, dlen=&4");
	expect_entry(f, 8, 0, expected);
	f->entry[5] = LONG_MIN | 16;
	f->entry[7] = 16;
	snprintf(expected, sizeof(expected),
		 IS_ENABLED(CONFIG_64BIT) ? "%s, c={0 bytes}, csize=0x%lx, %s" :
					    "%s, c={0 bytes}, csize=%lu, %s", same, f->entry[5],
		 "d={?}, dlen=0x10 <fault>");
	expect_entry(f, 8, 0, expected);
}

/* A page that ends where nothing is mapped */
static char *last_page(struct kunit *test)
{
	char *page = vmalloc(PAGE_SIZE);

	KUNIT_ASSERT_NOT_NULL(test, page);
	return page;
}

static void follow_strings(struct kunit *test)
{
	struct follow *f = follow_new(test);
	char *page = last_page(test);
	char long_text[100];

	builder_proto(f->b, 0, FTRACE_SIG_RET_VOID, 0);
	builder_param(f->b, "s", f->const_text, 0, 1);
	follow_finish_table(f);

	f->entry[0] = (unsigned long)"";
	expect_entry(f, 1, 0, "s=\"\"");
	f->entry[0] = (unsigned long)"a\n\"b\\";
	expect_entry(f, 1, 0, "s=\"a\\n\\\"b\\\\\"");
	f->entry[0] = 0;
	expect_entry(f, 1, 0, "s=NULL");
	f->entry[0] = -ENOENT;
	expect_entry(f, 1, 0, "s=ERR_PTR(-ENOENT)");
	f->entry[0] = 8;
	expect_entry(f, 1, 0, "s=0x8 <fault>");

	memset(long_text, 'x', sizeof(long_text));
	long_text[63] = 0;
	f->entry[0] = (unsigned long)long_text;
	expect_entry(f, 1, 0,
		     "s=\"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\"");
	long_text[63] = 'y';
	expect_entry(f, 1, 0,
		     "s=\"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxy\"...");

	/* As long as the limit: it is whole */
	long_text[64] = 0;
	expect_entry(f, 1, 0,
		     "s=\"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxy\"");

	/* Up to the last byte of a page, and beyond it */
	strscpy(page + PAGE_SIZE - 6, "hello", 6);
	f->entry[0] = (unsigned long)page + PAGE_SIZE - 6;
	expect_entry(f, 1, 0, "s=\"hello\"");
	page[PAGE_SIZE - 1] = '!';
	expect_entry(f, 1, 0, "s=\"hello!\"... <fault>");
	vfree(page);
}

static void follow_escapes(struct kunit *test)
{
	static const char bytes[] = "\0\0011\1x\177\3779\37\t\r\v\f'~ ";
	struct trace_seq *s = builder_seq(test);

	trace_seq_init(s);
	ftrace_sig_print_text(s, bytes, sizeof(bytes) - 1, true);
	KUNIT_EXPECT_STREQ(test, builder_text(s),
			   "\"\\0\\0011\\1x\\177\\3779\\37\\t\\r\\v\\f'~ \"...");
}

/* Bytes that are no text, and that no NUL ends, are not a string. */
static void follow_no_text(struct kunit *test)
{
	struct follow *f = follow_new(test);
	char bytes[100], text[64];

	builder_proto(f->b, 0, FTRACE_SIG_RET_VOID, 0);
	builder_param(f->b, "s", f->const_text, 0, 1);
	follow_finish_table(f);
	memset(bytes, 1, sizeof(bytes));
	f->entry[0] = (unsigned long)bytes;
	snprintf(text, sizeof(text), "s=0x%lx", f->entry[0]);
	expect_entry(f, 1, 0, text);
}

static void follow_bytes(struct kunit *test)
{
	static const char data[] = "ab\0c";
	struct follow *f = follow_new(test);

	builder_proto(f->b, 0, FTRACE_SIG_RET_VOID, 0);
	builder_param(f->b, "buf", f->const_bytes, 0, 1);
	builder_param(f->b, "len", f->num, 1, 1);
	follow_finish_table(f);

	f->entry[0] = (unsigned long)data;
	f->entry[1] = 4;
	expect_entry(f, 2, 0, "buf=\"ab\\0c\", len=4");
	f->entry[0] = (unsigned long)data;
	f->entry[1] = 0;
	expect_entry(f, 2, 0, "buf=\"\", len=0");
	f->entry[0] = 16;
	f->entry[1] = 4;
	expect_entry(f, 2, 0, "buf=0x10 <fault>, len=4");
	f->entry[0] = 16;
	f->entry[1] = -1;
	expect_entry(f, 2, 0, "buf=0x10, len=-1");
#ifdef CONFIG_64BIT
	/* The upper half of a register that holds an int is undefined */
	f->entry[0] = (unsigned long)data;
	f->entry[1] = 0xdeadbeef00000002;
	expect_entry(f, 2, 0, "buf=\"ab\", len=2");
#endif
}

/* A number beside characters that are no buffer is the most that a string may have. */
static void follow_bounded(struct kunit *test)
{
	struct follow *f = follow_new(test);

	builder_proto(f->b, 0, FTRACE_SIG_RET_VOID, 0);
	builder_param(f->b, "s", f->const_text, 0, 1);
	builder_param(f->b, "n", f->size, 1, 1);
	follow_finish_table(f);
	expect_step(f, 0, 0, FTRACE_SIG_STEP_STRING, STRINGS);

	f->entry[0] = (unsigned long)"ab\0c";
	f->entry[1] = 4;
	expect_entry(f, 2, 0, "s=\"ab\", n=4");
	f->entry[1] = 1;
	expect_entry(f, 2, 0, "s=\"a\", n=1");
	f->entry[1] = 1000;
	expect_entry(f, 2, 0, "s=\"ab\", n=1000");
}

static void follow_values(struct kunit *test)
{
	struct follow *f = follow_new(test);
	char *page = last_page(test);
	static int number = -5;
	static u8 octet = 200;

	builder_proto(f->b, 0, FTRACE_SIG_RET_VOID, 0);
	builder_param(f->b, "n", f->number, 0, 1);
	builder_param(f->b, "o", f->octets, 1, 1);
	follow_finish_table(f);

	f->entry[0] = (unsigned long)&number;
	f->entry[1] = (unsigned long)&octet;
	expect_entry(f, 2, 0, "n=&-5, o=&200");
	/* It lies across the end of what is mapped */
	f->entry[0] = (unsigned long)page + PAGE_SIZE - 2;
	f->entry[1] = 0;
	trace_seq_init(f->s);
	trace_seq_printf(f->s, "n=0x%lx <fault>, o=NULL", f->entry[0]);
	expect_entry(f, 2, 0, kstrdup(builder_text(f->s), GFP_KERNEL));
	vfree(page);
}

/* What does not fit into an event is left out, and its pointer is printed. */
static void follow_no_room(struct kunit *test)
{
	struct follow *f = follow_new(test);
	char expected[128];

	builder_proto(f->b, 0, FTRACE_SIG_RET_VOID, 0);
	builder_param(f->b, "a", f->const_text, 0, 1);
	builder_param(f->b, "b", f->const_text, 1, 1);
	follow_finish_table(f);
	f->entry[0] = (unsigned long)"0123456789";
	f->entry[1] = (unsigned long)"abcdef";

	expect_entry(f, 2, 64, "a=\"0123456789\", b=\"abcdef\"");
	/* head 4, item 4 + 12, item 4 + 8 */
	expect_entry(f, 2, 4 + 16 + 12, "a=\"0123456789\", b=\"abcdef\"");
	snprintf(expected, sizeof(expected), "a=\"0123456789\", b=0x%lx", f->entry[1]);
	expect_entry(f, 2, 4 + 16 + 11, expected);
	snprintf(expected, sizeof(expected), "a=\"01234567\"..., b=0x%lx", f->entry[1]);
	expect_entry(f, 2, 4 + 4 + 8, expected);
}

/* A reader's buffer that has no room for all: what is behind is there nevertheless */
static void follow_cut(struct kunit *test)
{
	struct follow *f = follow_new(test);
	struct ftrace_sig_data data = {};
	char text[65];

	builder_proto(f->b, 0, FTRACE_SIG_RET_VOID, 0);
	builder_param(f->b, "a", f->const_text, 0, 1);
	builder_param(f->b, "b", f->const_text, 1, 1);
	builder_param(f->b, "c", f->num, 2, 1);
	follow_finish_table(f);
	memset(text, 1, sizeof(text) - 1);
	text[64] = 0;
	f->entry[0] = (unsigned long)text;
	f->entry[1] = (unsigned long)text;
	f->entry[2] = 5;
	KUNIT_ASSERT_GT(test, copy_entry(f, 3, 0), 0);
	data.before = (const u32 *)(f->entry + 3);

	trace_seq_init(f->s);
	f->s->seq.size = 2 * TRACE_TEXT_VALUE + 20;
	ftrace_sig_print_params(f->s, &f->sig, f->entry, 3, &data, HOW | FTRACE_SIG_CUT, NULL);
	KUNIT_EXPECT_FALSE(test, f->s->full);
	builder_text(f->s);
	KUNIT_EXPECT_TRUE_MSG(test, strstarts(f->s->buffer, "a=\"\\1\\1"), "%s", f->s->buffer);
	KUNIT_EXPECT_NOT_NULL_MSG(test, strstr(f->s->buffer, "\\1\"..., b=\"\\1\\1"), "%s",
				  f->s->buffer);
	KUNIT_EXPECT_NOT_NULL_MSG(test, strstr(f->s->buffer, "\\1\"..., c=5"), "%s", f->s->buffer);

	/* Without the flag it is given up */
	trace_seq_init(f->s);
	f->s->seq.size = 2 * TRACE_TEXT_VALUE + 20;
	ftrace_sig_print_params(f->s, &f->sig, f->entry, 3, &data, HOW, NULL);
	KUNIT_EXPECT_TRUE(test, f->s->full);
}

/* Write an item as ftrace_sig_return_begin() does */
static void put(struct follow_writer *w, u8 param, u32 kind, const void *bytes,
		unsigned int size, enum ftrace_peek_end end)
{
	struct ftrace_sig_step step = { .param = param };

	memcpy(w->at + sizeof(u32), bytes, size);
	follow_put_item(w, &step, kind, size, end);
}

static void expect_changes(struct follow *f, struct follow_writer *w, const char *args,
			   const char *changes)
{
	unsigned int nr = follow_finish(w);
	struct ftrace_sig_data data = { .after = (const u32 *)f->ret };

	KUNIT_ASSERT_TRUE(f->test, ftrace_sig_data_is_valid(data.after, nr));
	trace_seq_init(f->s);
	ftrace_sig_print_params(f->s, &f->sig, f->entry, f->sig.proto->nr_regs, &data, HOW,
				NULL);
	KUNIT_EXPECT_STREQ(f->test, builder_text(f->s), args);
	trace_seq_init(f->s);
	KUNIT_EXPECT_TRUE(f->test, ftrace_sig_print_changes(f->s, &f->sig, data.after, HOW));
	KUNIT_EXPECT_STREQ(f->test, builder_text(f->s), changes);
	trace_seq_init(f->s);
	KUNIT_EXPECT_FALSE(f->test, ftrace_sig_print_changes(f->s, &f->sig, data.after,
							     HOW | FTRACE_SIG_HASH));
	KUNIT_EXPECT_STREQ(f->test, builder_text(f->s), "");
}

/* A negative number that a result points to is no errno. */
static void follow_result(struct kunit *test)
{
	struct follow *f = follow_new(test);
	const u32 *data = (const u32 *)f->ret;
	const int number = -ENOENT;
	struct follow_writer w;

	builder_proto(f->b, f->number, FTRACE_SIG_RET_WORD, 0);
	follow_finish_table(f);
	follow_writer_init(&w, f->ret, 0, 0);
	put(&w, FTRACE_SIG_RESULT, FTRACE_SIG_STEP_MEMORY, &number, 4, FTRACE_PEEK_NUL);
	KUNIT_ASSERT_TRUE(test, ftrace_sig_data_is_valid(data, follow_finish(&w)));
	trace_seq_init(f->s);
	KUNIT_EXPECT_TRUE(test, ftrace_sig_print_followed(f->s, &f->sig, FTRACE_SIG_RESULT, 0x1000,
							  data, HOW | FTRACE_SIG_IS_RESULT));
	KUNIT_EXPECT_STREQ(test, builder_text(f->s), "&-2");
}

static void follow_changes(struct kunit *test)
{
	struct follow *f = follow_new(test);
	const int before = 0, after = 6;
	struct follow_writer w;

	builder_proto(f->b, 0, FTRACE_SIG_RET_VOID, 0);
	builder_param(f->b, "pos", f->number, 0, 1);
	builder_param(f->b, "buf", f->text, 1, 1);
	follow_finish_table(f);
	f->entry[0] = 0x1000;
	f->entry[1] = 0x2000;

	follow_writer_init(&w, f->ret, 0, 0);
	put(&w, 0, FTRACE_SIG_STEP_BEFORE, &before, 4, FTRACE_PEEK_NUL);
	put(&w, 0, FTRACE_SIG_STEP_MEMORY, &after, 4, FTRACE_PEEK_NUL);
	put(&w, 1, FTRACE_SIG_STEP_BYTES, "xyz", 3, FTRACE_PEEK_CUT);
	expect_changes(f, &w, "pos=&{0 → 6}, buf=\"xyz\"...",
		       "; pos=&{0 → 6}, buf=\"xyz\"...");

	follow_writer_init(&w, f->ret, 0, 0);
	put(&w, 0, FTRACE_SIG_STEP_MEMORY, &after, 4, FTRACE_PEEK_NUL);
	put(&w, 1, FTRACE_SIG_STEP_STRING, "new", 3, FTRACE_PEEK_NUL);
	expect_changes(f, &w, "pos=0x1000 → &6, buf=0x2000 → \"new\"",
		       "; pos → &6, buf → \"new\"");

	follow_writer_init(&w, f->ret, 0, 0);
	put(&w, 0, FTRACE_SIG_STEP_MEMORY, NULL, 0, FTRACE_PEEK_FAULT);
	put(&w, 1, FTRACE_SIG_STEP_BEFORE, NULL, 0, FTRACE_PEEK_FAULT);
	expect_changes(f, &w, "pos=0x1000 → <fault>, buf=0x2000 → ?",
		       "; pos → <fault>, buf → ?");
}

/* A change that what is shown does not show: there is more of it, or it is none. */
static void follow_changes_same(struct kunit *test)
{
	struct follow *f = follow_new(test);
	const struct ftrace_sig_data data = {
		.before = (const u32 *)(f->entry + 2), .after = (const u32 *)f->ret,
	};
	const char *const shown[] = {
		[FTRACE_PEEK_NUL] = "s=\"text\", n=3",
		[FTRACE_PEEK_CUT] = "s=\"text\"... → ..., n=3",
		[FTRACE_PEEK_FAULT] = "s=\"text\"... <fault> → ..., n=3",
	};
	struct follow_writer w;
	unsigned int end;

	builder_proto(f->b, 0, FTRACE_SIG_RET_VOID, 0);
	builder_param(f->b, "s", f->text, 0, 1);
	builder_param(f->b, "n", f->num, 1, 1);
	follow_finish_table(f);
	f->entry[0] = 0x1000;
	f->entry[1] = 3;
	for (end = 0; end < ARRAY_SIZE(shown); end++) {
		follow_writer_init(&w, f->entry, 2, 2);
		put(&w, 0, FTRACE_SIG_STEP_STRING, "text", 4, end);
		follow_finish(&w);
		follow_writer_init(&w, f->ret, 0, 0);
		put(&w, 0, FTRACE_SIG_STEP_STRING, "text", 4, end);
		follow_finish(&w);
		trace_seq_init(f->s);
		ftrace_sig_print_params(f->s, &f->sig, f->entry, 2, &data, HOW, NULL);
		KUNIT_EXPECT_STREQ(test, builder_text(f->s), shown[end]);
	}
	((char *)f->ret)[2 * sizeof(u32)] = 'T';
	trace_seq_init(f->s);
	ftrace_sig_print_params(f->s, &f->sig, f->entry, 2, &data, HOW, NULL);
	KUNIT_EXPECT_STREQ(test, builder_text(f->s),
			   "s=\"text\"... <fault> → \"Text\"... <fault>, n=3");
}

/* The call has made the value what it was when the entry's event was written. */
static void follow_changes_back(struct kunit *test)
{
	struct follow *f = follow_new(test);
	const struct ftrace_sig_data data = {
		.before = (const u32 *)(f->entry + 1), .after = (const u32 *)f->ret,
	};
	const int meanwhile = 0, shown = 6;
	struct follow_writer w;

	builder_proto(f->b, 0, FTRACE_SIG_RET_VOID, 0);
	builder_param(f->b, "pos", f->number, 0, 1);
	follow_finish_table(f);
	f->entry[0] = 0x1000;
	follow_writer_init(&w, f->entry, 1, 1);
	put(&w, 0, FTRACE_SIG_STEP_MEMORY, &shown, 4, FTRACE_PEEK_NUL);
	follow_finish(&w);
	follow_writer_init(&w, f->ret, 0, 0);
	put(&w, 0, FTRACE_SIG_STEP_BEFORE, &meanwhile, 4, FTRACE_PEEK_NUL);
	put(&w, 0, FTRACE_SIG_STEP_MEMORY, &shown, 4, FTRACE_PEEK_NUL);
	follow_finish(&w);
	trace_seq_init(f->s);
	ftrace_sig_print_params(f->s, &f->sig, f->entry, 1, &data, HOW, NULL);
	KUNIT_EXPECT_STREQ(test, builder_text(f->s), "pos=&{0 → 6}");
}

/* A structure that is as small as a value is shown as a structure. */
static void follow_changes_small(struct kunit *test)
{
	struct follow *f = follow_new(test);
	const u8 before[] = { 1, 2 }, after[] = { 1, 3 };
	struct follow_writer w;
	u32 pair;

	pair = builder_members(f->b, FTRACE_SIG_STRUCT, "pair", sizeof(before), 2);
	builder_member(f->b, "a", f->octet, 0, 0);
	builder_member(f->b, "b", f->octet, BITS_PER_BYTE, 0);
	builder_proto(f->b, 0, FTRACE_SIG_RET_VOID, 0);
	builder_param(f->b, "pair", pointer_to(f->b, pair), 0, 1);
	follow_finish_table(f);
	f->entry[0] = 0x1000;
	follow_writer_init(&w, f->ret, 0, 0);
	put(&w, 0, FTRACE_SIG_STEP_BEFORE, before, 2, FTRACE_PEEK_NUL);
	put(&w, 0, FTRACE_SIG_STEP_MEMORY, after, 2, FTRACE_PEEK_NUL);
	expect_changes(f, &w, "pair=0x1000 → {a=1, b=3}", "; pair → {a=1, b=3}");
}

/* Events may be damaged: whatever is accepted as valid can be printed. */
static void follow_damaged(struct kunit *test)
{
	struct follow *f = follow_new(test);
	u32 *data = (u32 *)f->ret, valid = 0, i;
	struct ftrace_sig_data both = { .before = data, .after = data };
	struct rnd_state rnd;

	builder_proto(f->b, f->text, FTRACE_SIG_RET_WORD, 0);
	builder_param(f->b, "n", f->number, 0, 1);
	builder_param(f->b, "s", f->text, 1, 1);
	builder_param(f->b, "num", f->num, 2, 1);
	follow_finish_table(f);
	prandom_seed_state(&rnd, 5);
	for (i = 0; i < 20000; i++) {
		u32 nr = prandom_u32_state(&rnd) % 8 + 1, at;

		for (at = 0; at < 8 * sizeof(long) / sizeof(u32); at++)
			data[at] = prandom_u32_state(&rnd) &
				   (prandom_u32_state(&rnd) & 1 ? 0x00ff0003 : ~0U);
		data[0] = FTRACE_SIG_DATA_MAGIC << 16 |
			  (nr * sizeof(long) - (prandom_u32_state(&rnd) & 4));
		if (!ftrace_sig_data_is_valid(data, nr))
			continue;
		valid++;
		trace_seq_init(f->s);
		ftrace_sig_print_params(f->s, &f->sig, f->entry, f->sig.proto->nr_regs, &both,
					HOW, NULL);
		ftrace_sig_print_changes(f->s, &f->sig, data, HOW);
		ftrace_sig_print_followed(f->s, &f->sig, FTRACE_SIG_RESULT, 1, data, HOW);
		KUNIT_EXPECT_LT(test, f->s->seq.len, 2000);
	}
	KUNIT_EXPECT_GT(test, valid, 50);
}

/* Fewer bytes than the head says, another head: refused */
static void follow_invalid(struct kunit *test)
{
	struct follow *f = follow_new(test);
	u32 *data = (u32 *)f->ret;
	struct follow_writer w;
	unsigned int nr, bit;

	follow_writer_init(&w, f->ret, 0, 0);
	put(&w, 0, FTRACE_SIG_STEP_BYTES, "12345678", 8, FTRACE_PEEK_NUL);
	nr = follow_finish(&w);
	KUNIT_EXPECT_TRUE(test, ftrace_sig_data_is_valid(data, nr));
	KUNIT_EXPECT_FALSE(test, ftrace_sig_data_is_valid(data, nr - 1));
	KUNIT_EXPECT_FALSE(test, ftrace_sig_data_is_valid(data, nr + 1));
	for (bit = 0; bit < 32; bit++) {
		data[0] ^= BIT(bit);
		KUNIT_EXPECT_FALSE_MSG(test, ftrace_sig_data_is_valid(data, nr),
				       "bit %u of the head", bit);
		data[0] ^= BIT(bit);
	}
	data[1] |= FTRACE_SIG_ITEM_KIND;
	KUNIT_EXPECT_FALSE(test, ftrace_sig_data_is_valid(data, nr));
}

/* What was found at a return ends by its head; all is of the return if there is no head */
static void follow_two_blocks(struct kunit *test)
{
	static const u32 nothing = FTRACE_SIG_NO_DATA;
	struct follow *f = follow_new(test);
	u32 *data = (u32 *)f->ret;
	struct follow_writer w;
	unsigned int nr;

	KUNIT_EXPECT_TRUE(test, ftrace_sig_data_is_valid(&nothing, 1));
	KUNIT_EXPECT_EQ(test, trace_sig_first_block(&nothing, 3), 1);
	KUNIT_EXPECT_EQ(test, trace_sig_first_block(NULL, 0), 0);

	follow_writer_init(&w, f->ret, 0, 0);
	put(&w, 0, FTRACE_SIG_STEP_BYTES, "12345678", 8, FTRACE_PEEK_NUL);
	nr = follow_finish(&w);
	KUNIT_EXPECT_EQ(test, trace_sig_first_block(data, nr + 2), nr);
	KUNIT_EXPECT_EQ(test, trace_sig_first_block(data, nr), nr);
	/* Damaged events have heads that claim too much, or none */
	KUNIT_EXPECT_EQ(test, trace_sig_first_block(data, nr - 1), nr - 1);
	data[0] |= FTRACE_SIG_DATA_SIZE;
	KUNIT_EXPECT_EQ(test, trace_sig_first_block(data, nr + 2), nr + 2);
	data[0] ^= FTRACE_SIG_DATA_MARK;
	KUNIT_EXPECT_EQ(test, trace_sig_first_block(data, nr + 2), nr + 2);
}

static struct kunit_case follow_cases[] = {
	KUNIT_CASE(follow_plans_text),
	KUNIT_CASE(follow_plans_addresses),
	KUNIT_CASE(follow_lengths_of_addresses),
	KUNIT_CASE(follow_plans_no_result),
	KUNIT_CASE(follow_plans_nothing),
	KUNIT_CASE(follow_plans_result),
	KUNIT_CASE(follow_strings),
	KUNIT_CASE(follow_escapes),
	KUNIT_CASE(follow_no_text),
	KUNIT_CASE(follow_bytes),
	KUNIT_CASE(follow_bounded),
	KUNIT_CASE(follow_values),
	KUNIT_CASE(follow_no_room),
	KUNIT_CASE(follow_cut),
	KUNIT_CASE(follow_result),
	KUNIT_CASE(follow_changes),
	KUNIT_CASE(follow_changes_same),
	KUNIT_CASE(follow_changes_back),
	KUNIT_CASE(follow_changes_small),
	KUNIT_CASE(follow_damaged),
	KUNIT_CASE(follow_invalid),
	KUNIT_CASE(follow_two_blocks),
	{}
};

static struct kunit_suite follow_suite = {
	.name = "ftrace_signature_follow",
	.test_cases = follow_cases,
};

kunit_test_suite(follow_suite);
