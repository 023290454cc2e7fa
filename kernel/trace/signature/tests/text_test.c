// SPDX-License-Identifier: GPL-2.0
/* Text is escaped as strace escapes it; the expected lines are strace's. */
#include <linux/string.h>

#include "../text.h"
#include "builder.h"

static void expect(struct kunit *test, const char *text, unsigned int length, bool cut,
		   const char *line)
{
	struct trace_seq *s = builder_seq(test);

	ftrace_sig_print_text(s, text, length, cut);
	KUNIT_EXPECT_STREQ(test, builder_text(s), line);
}

static void text_plain(struct kunit *test)
{
	expect(test, "", 0, false, "\"\"");
	expect(test, "", 0, true, "\"\"...");
	expect(test, "hello", 5, false, "\"hello\"");
	expect(test, "hello", 4, true, "\"hell\"...");
	expect(test, " ~'%s", 5, false, "\" ~'%s\"");
}

static void text_escapes(struct kunit *test)
{
	char low[32];
	int i;

	for (i = 0; i < 32; i++)
		low[i] = i;
	expect(test, low, 32, false,
	       "\"\\0\\1\\2\\3\\4\\5\\6\\7\\10\\t\\n\\v\\f\\r\\16\\17\\20\\21\\22\\23\\24\\25"
	       "\\26\\27\\30\\31\\32\\33\\34\\35\\36\\37\"");
	expect(test, "\x7f\xff\x80" "a\"\\'\x07\x08\x1b[0m", 13, false,
	       "\"\\177\\377\\200a\\\"\\\\'\\7\\10\\33[0m\"");
}

/* A short number is not followed by a digit that would belong to it */
static void text_digits(struct kunit *test)
{
	expect(test, "\x1f" "7\x1f" "8\x1f" "9\0" "9\0" "07\0", 12, false,
	       "\"\\0377\\378\\379\\09\\00007\\0\"");
	expect(test, "\1\1" "0", 3, false, "\"\\1\\0010\"");
	expect(test, "\xff" "0", 2, false, "\"\\3770\"");
	/* What is behind the text does not count */
	expect(test, "\1" "0", 1, false, "\"\\1\"");
}

static void text_path(struct kunit *test)
{
	struct trace_seq *s = builder_seq(test);

	ftrace_sig_print_path(s, "/a>b\n\"<7", 8);
	KUNIT_EXPECT_STREQ(test, builder_text(s), "</a\\76b\\n\\\"\\0747>");
}

static struct kunit_case text_cases[] = {
	KUNIT_CASE(text_plain),
	KUNIT_CASE(text_escapes),
	KUNIT_CASE(text_digits),
	KUNIT_CASE(text_path),
	{}
};

static struct kunit_suite text_suite = {
	.name = "ftrace_signature_text",
	.test_cases = text_cases,
};

kunit_test_suite(text_suite);
