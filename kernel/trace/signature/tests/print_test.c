// SPDX-License-Identifier: GPL-2.0
/* Parameters and results: each place, each kind of result, each unknown. */
#include <linux/percpu.h>
#include <linux/sched.h>

#include "../../trace.h"
#include "../../trace_signature.h"
#include "builder.h"

struct print {
	struct kunit		*test;
	struct builder		*b;
	struct ftrace_sig_table	table;
	struct ftrace_signature	sig;
	struct trace_seq	*s;
	u32			num;
	u32			pair;
};

static struct print *print_new(struct kunit *test)
{
	struct print *p = kunit_kzalloc(test, sizeof(*p), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, p);
	p->test = test;
	p->b = builder_new(test);
	p->s = builder_seq(test);
	p->num = builder_int(p->b, "int", 4, FTRACE_SIG_INT_SIGNED);
	p->pair = builder_struct(p->b, "pair", 2 * sizeof(long));
	return p;
}

/* Finish the table; print by the prototype that was begun last. */
static void print_finish(struct print *p)
{
	const char *why;
	void *data;
	u32 size;

	builder_site(p->b, 0x1000, p->b->proto);
	data = builder_finish(p->b, &size);
	why = ftrace_sig_table_check(data, size, &p->table);
	KUNIT_ASSERT_NULL_MSG(p->test, why, "%s", why);
	p->sig.table = &p->table;
	p->sig.proto = ftrace_sig_site_proto(&p->table, 0);
}

static void expect_params(struct print *p, const unsigned long *words, u32 nr,
			  const char *text)
{
	trace_seq_init(p->s);
	ftrace_sig_print_params(p->s, &p->sig, words, nr, NULL, 0, NULL);
	KUNIT_EXPECT_STREQ(p->test, builder_text(p->s), text);
}

static void expect_ret(struct print *p, unsigned long retval,
		       const unsigned long *high, const char *text)
{
	bool printed;

	trace_seq_init(p->s);
	printed = ftrace_sig_print_ret(p->s, &p->sig, retval, high, 0, NULL);
	KUNIT_EXPECT_EQ(p->test, printed, !!text);
	KUNIT_EXPECT_STREQ(p->test, builder_text(p->s), text ?: "");
}

static void print_places(struct kunit *test)
{
	const unsigned long words[] = { 1, 2, 3, 50, 51, 52, 53 };
	struct print *p = print_new(test);

	builder_proto(p->b, 0, FTRACE_SIG_RET_VOID, FTRACE_SIG_CLONE);
	builder_param(p->b, "third", p->num, 2, 1);
	builder_param(p->b, "first", p->num, 0, 1);
	builder_param(p->b, "both", p->pair, FTRACE_SIG_PLACE_STACK + 2, 2);
	builder_param(p->b, "stack", p->num, FTRACE_SIG_PLACE_STACK, 1);
	builder_param(p->b, "gone", p->num, FTRACE_SIG_PLACE_REMOVED, 0);
	builder_param(p->b, "lost", p->num, FTRACE_SIG_PLACE_UNKNOWN,
		      FTRACE_SIG_WHY_PARTS);
	builder_param(p->b, "none", p->num, FTRACE_SIG_PLACE_EMPTY, 0);
	builder_param(p->b, "", p->num, 1, 1);
	builder_param(p->b, "minus", p->num, FTRACE_SIG_PLACE_CONST, 0);
	builder_param(p->b, "plus", p->num, FTRACE_SIG_PLACE_CONST, 0);
	builder_const(p->b, -7);
	builder_const(p->b, 8);
	print_finish(p);

	expect_params(p, words, 7,
		      "third=3, first=1, both={0x34, 0x35}, stack=50, gone=<optimized out>, lost=?, none={}, 2, minus=-7, plus=8");
}

/* If an event has any other number of words, no argument is known. */
static void print_missing_words(struct kunit *test)
{
	const unsigned long words[] = { 1, 2, 3, 4 };
	struct print *p = print_new(test);
	u32 nr;

	builder_proto(p->b, 0, FTRACE_SIG_RET_VOID, 0);
	builder_param(p->b, "a", p->num, 0, 1);
	builder_param(p->b, "b", p->num, 1, 1);
	builder_param(p->b, "c", p->num, FTRACE_SIG_PLACE_STACK, 1);
	print_finish(p);

	for (nr = 0; nr <= 4; nr++)
		expect_params(p, words, nr,
			      nr == 3 ? "a=1, b=2, c=3" : "a=?, b=?, c=?");
}

static void print_variadic(struct kunit *test)
{
	const unsigned long word = 5;
	struct print *p = print_new(test);

	builder_proto(p->b, 0, FTRACE_SIG_RET_VOID, FTRACE_SIG_VARIADIC);
	builder_param(p->b, "fmt", p->num, 0, 1);
	print_finish(p);
	expect_params(p, &word, 1, "fmt=5, ...");

	p = print_new(test);
	builder_proto(p->b, 0, FTRACE_SIG_RET_VOID, FTRACE_SIG_UNPROTOTYPED);
	print_finish(p);
	expect_params(p, &word, 0, "...");

	p = print_new(test);
	builder_proto(p->b, 0, FTRACE_SIG_RET_VOID, 0);
	print_finish(p);
	expect_params(p, &word, 0, "");
}

static void print_results(struct kunit *test)
{
	const unsigned long high = 9;
	struct print *p = print_new(test);

	builder_proto(p->b, 0, FTRACE_SIG_RET_VOID, 0);
	print_finish(p);
	expect_ret(p, 1, NULL, NULL);

	p = print_new(test);
	builder_proto(p->b, p->num, FTRACE_SIG_RET_WORD, 0);
	print_finish(p);
	expect_ret(p, -2L, NULL, "-2 (-ENOENT)");
	expect_ret(p, 3, &high, "3");

	p = print_new(test);
	builder_proto(p->b, p->pair, FTRACE_SIG_RET_PAIR, 0);
	print_finish(p);
	expect_ret(p, 3, &high, "{0x3, 0x9}");
	expect_ret(p, 3, NULL, "?");

	p = print_new(test);
	builder_proto(p->b, p->pair, FTRACE_SIG_RET_MEMORY, 0);
	print_finish(p);
	expect_ret(p, 0x1000, NULL, "{?}");

	p = print_new(test);
	builder_proto(p->b, p->pair, FTRACE_SIG_RET_EMPTY, 0);
	print_finish(p);
	expect_ret(p, 0, NULL, "{}");

	p = print_new(test);
	builder_proto(p->b, p->num, FTRACE_SIG_RET_UNKNOWN, 0);
	print_finish(p);
	expect_ret(p, 0, NULL, "?");
}

static struct trace_iterator *iter_new(struct kunit *test)
{
	struct trace_iterator *iter = kunit_kzalloc(test, sizeof(*iter), GFP_KERNEL);
	struct trace_array *tr = kunit_kzalloc(test, sizeof(*tr), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, iter);
	KUNIT_ASSERT_NOT_NULL(test, tr);
	tr->array_buffer.data = alloc_percpu(struct trace_array_cpu);
	KUNIT_ASSERT_NOT_NULL(test, tr->array_buffer.data);
	iter->tr = tr;
	trace_seq_init(&iter->seq);
	return iter;
}

static void iter_free(struct trace_iterator *iter)
{
	free_percpu(iter->tr->array_buffer.data);
}

/* Without a signature, neither arguments nor the result are known. */
static void print_no_signature(struct kunit *test)
{
	struct trace_iterator *iter = iter_new(test);
	const unsigned long words[2] = { 1, 2 };
	const struct trace_sig_call call = {
		.ip = (unsigned long)test, .args = words, .nr_args = 2, .names = true,
	};

	trace_sig_print_args(iter, &call);
	KUNIT_EXPECT_STREQ(test, builder_text(&iter->seq), "?");

	trace_seq_init(&iter->seq);
	KUNIT_EXPECT_TRUE(test, trace_sig_print_result(iter, &call, 1, false));
	KUNIT_EXPECT_STREQ(test, builder_text(&iter->seq), "?");
	iter_free(iter);
}

static void expect_name(struct kunit *test, struct trace_iterator *iter,
			unsigned long ip, const char *text)
{
	trace_seq_init(&iter->seq);
	trace_sig_print_name(iter, ip);
	KUNIT_EXPECT_STREQ(test, builder_text(&iter->seq), text);
	trace_seq_init(&iter->seq);
	KUNIT_EXPECT_TRUE(test, trace_sig_print_ip(iter, ip, 0));
	KUNIT_EXPECT_STREQ(test, builder_text(&iter->seq), text);
}

/* If code has moved since an event was recorded, its current address gives the name. */
static void print_names(struct kunit *test)
{
	unsigned long ip = (unsigned long)schedule, module = MODULES_VADDR + 16;
	struct trace_iterator *iter = iter_new(test);
	char text[32];

	expect_name(test, iter, ip, "schedule");
	iter->tr->text_delta = 0x100000;
	expect_name(test, iter, ip - 0x100000, "schedule");
	/* The image's address does not tell where modules are */
	scnprintf(text, sizeof(text), "0x%lx", module);
	expect_name(test, iter, module, text);
	/* Readers of the kernel log may not see addresses */
	iter->iter_flags = TRACE_FILE_KERNEL_LOG;
	iter->tr->trace_flags = TRACE_ITER_HASH_PTR;
	scnprintf(text, sizeof(text), "%p", (void *)module);
	expect_name(test, iter, module, text);
	iter->tr->trace_flags = 0;
	scnprintf(text, sizeof(text), "0x%lx", module);
	expect_name(test, iter, module, text);
	iter_free(iter);
}

/* Text that exceeds a line is cut, and nothing behind it is touched. */
static void print_overflow(struct kunit *test)
{
	unsigned long words[FTRACE_SIG_MAX_WORDS] = {};
	struct print *p = print_new(test);
	u32 i;

	builder_proto(p->b, 0, FTRACE_SIG_RET_VOID, 0);
	for (i = 0; i < FTRACE_SIG_MAX_STACK; i++)
		builder_param(p->b, "a_rather_long_name", p->num,
			      FTRACE_SIG_PLACE_STACK + i, 1);
	print_finish(p);

	trace_seq_init(p->s);
	for (i = 0; i < TRACE_SEQ_BUFFER_SIZE / 100; i++)
		ftrace_sig_print_params(p->s, &p->sig, words,
					FTRACE_SIG_MAX_STACK, NULL, 0, NULL);
	KUNIT_EXPECT_TRUE(test, trace_seq_has_overflowed(p->s));
}

static struct kunit_case print_cases[] = {
	KUNIT_CASE(print_places),
	KUNIT_CASE(print_missing_words),
	KUNIT_CASE(print_variadic),
	KUNIT_CASE(print_results),
	KUNIT_CASE(print_no_signature),
	KUNIT_CASE(print_names),
	KUNIT_CASE(print_overflow),
	{}
};

static struct kunit_suite print_suite = {
	.name = "ftrace_signature_print",
	.test_cases = print_cases,
};

kunit_test_suite(print_suite);
