// SPDX-License-Identifier: GPL-2.0
/* What tells at a return whether memory has changed: no byte of it is missed. */
#include <linux/vmalloc.h>

#include <kunit/test.h>

#include "../follow.h"
#include "../forms.h"

struct seen {
	enum follow_seen	how;
	u64			state;
};

static struct seen see(u8 kind, u16 size, const void *object, unsigned int length)
{
	const struct ftrace_sig_step step = { .kind = kind, .size = size };
	unsigned long scratch[FOLLOW_SCRATCH / sizeof(long)];
	struct seen seen;

	guard(preempt)();
	seen.how = follow_see(&step, (unsigned long)object, length, scratch, &seen.state);
	return seen;
}

static struct seen see_string(const void *text)
{
	return see(FTRACE_SIG_STEP_STRING, 0, text, FORM_LENGTH_UNKNOWN);
}

static struct seen see_bytes(const void *bytes, unsigned int length)
{
	return see(FTRACE_SIG_STEP_BYTES, sizeof(long), bytes, length);
}

static char *new_text(struct kunit *test, unsigned int length)
{
	char *text = kunit_kzalloc(test, length + 1, GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, text);
	memset(text, 't', length);
	return text;
}

/* Each byte that is looked at makes another number, and none behind the end does. */
static void compare_strings(struct kunit *test)
{
	static const unsigned int lengths[] = { 0, 1, 7, 8, 9, 255, 256, 257, 1000, 1023 };
	char *text = new_text(test, 2000);
	struct seen before, now;
	unsigned int i, at;

	for (i = 0; i < ARRAY_SIZE(lengths); i++) {
		text[lengths[i]] = 0;
		before = see_string(text);
		KUNIT_EXPECT_EQ(test, before.how, FOLLOW_ALL);
		for (at = 0; at < lengths[i]; at++) {
			text[at] ^= 1;
			now = see_string(text);
			KUNIT_EXPECT_NE_MSG(test, now.state, before.state, "%u of %u", at,
					    lengths[i]);
			text[at] ^= 1;
		}
		text[lengths[i] + 1] ^= 1;
		now = see_string(text);
		KUNIT_EXPECT_EQ(test, now.state, before.state);
		text[lengths[i] + 1] ^= 1;
		text[lengths[i]] = 't';
		now = see_string(text);
		KUNIT_EXPECT_NE(test, now.state, before.state);
	}
}

static void compare_long_strings(struct kunit *test)
{
	char *text = new_text(test, FOLLOW_MOST_BYTES + 1);
	struct seen before = see_string(text), now;

	KUNIT_EXPECT_EQ(test, before.how, FOLLOW_PART);
	text[FOLLOW_MOST_BYTES] = 'x';
	now = see_string(text);
	KUNIT_EXPECT_EQ(test, now.how, FOLLOW_PART);
	KUNIT_EXPECT_EQ(test, now.state, before.state);
	text[FOLLOW_MOST_BYTES - 1] = 'x';
	now = see_string(text);
	KUNIT_EXPECT_NE(test, now.state, before.state);
	/* That it ends is a change */
	before = now;
	text[FOLLOW_MOST_BYTES - 1] = 0;
	now = see_string(text);
	KUNIT_EXPECT_EQ(test, now.how, FOLLOW_ALL);
	KUNIT_EXPECT_NE(test, now.state, before.state);
}

/* Of a string that can have no more characters, none behind these counts. */
static void compare_bounded_strings(struct kunit *test)
{
	static const unsigned int lengths[] = { 0, 1, 8, 255, 256, 257, 1023, 1024 };
	char *text = new_text(test, 2000);
	struct seen before, now;
	unsigned int i, at;

	for (i = 0; i < ARRAY_SIZE(lengths); i++) {
		before = see(FTRACE_SIG_STEP_STRING, 0, text, lengths[i]);
		KUNIT_EXPECT_EQ(test, before.how, FOLLOW_ALL);
		for (at = 0; at <= lengths[i]; at++) {
			text[at] ^= 1;
			now = see(FTRACE_SIG_STEP_STRING, 0, text, lengths[i]);
			KUNIT_EXPECT_EQ_MSG(test, now.state == before.state, at == lengths[i],
					    "%u of %u", at, lengths[i]);
			text[at] ^= 1;
		}
	}
	before = see(FTRACE_SIG_STEP_STRING, 0, text, FOLLOW_MOST_BYTES + 1);
	KUNIT_EXPECT_EQ(test, before.how, FOLLOW_PART);
	text[10] = 0;
	before = see(FTRACE_SIG_STEP_STRING, 0, text, FOLLOW_MOST_BYTES + 1);
	KUNIT_EXPECT_EQ(test, before.how, FOLLOW_ALL);
}

static void compare_bytes(struct kunit *test)
{
	static const unsigned int lengths[] = { 1, 7, 8, 9, 255, 256, 257, 263, 1024 };
	char *text = new_text(test, 2000);
	struct seen before, now;
	unsigned int i, at;

	for (i = 0; i < ARRAY_SIZE(lengths); i++) {
		before = see_bytes(text, lengths[i]);
		KUNIT_EXPECT_EQ(test, before.how, FOLLOW_ALL);
		for (at = 0; at <= lengths[i]; at++) {
			text[at] ^= 0x80;
			now = see_bytes(text, lengths[i]);
			KUNIT_EXPECT_EQ_MSG(test, now.state == before.state, at == lengths[i],
					    "%u of %u", at, lengths[i]);
			text[at] ^= 0x80;
		}
	}
	before = see_bytes(text, FOLLOW_MOST_BYTES + 1);
	KUNIT_EXPECT_EQ(test, before.how, FOLLOW_PART);
	now = see_bytes(text, INT_MAX);
	KUNIT_EXPECT_EQ(test, now.how, FOLLOW_PART);
	/* Zeroes count, and how many there are */
	memset(text, 0, 100);
	before = see_bytes(text, 3);
	now = see_bytes(text, 4);
	KUNIT_EXPECT_NE(test, now.state, before.state);
}

static void compare_unreadable(struct kunit *test)
{
	char *page = vmalloc(PAGE_SIZE), *end = page + PAGE_SIZE;
	struct seen before, now;

	KUNIT_ASSERT_NOT_NULL(test, page);
	memset(page, 't', PAGE_SIZE);
	before = see_string(end);
	KUNIT_EXPECT_EQ(test, before.how, FOLLOW_UNREADABLE);
	before = see_bytes(end - 2, 3);
	KUNIT_EXPECT_EQ(test, before.how, FOLLOW_UNREADABLE);
	before = see(FTRACE_SIG_STEP_MEMORY, 300, end - 299, 0);
	KUNIT_EXPECT_EQ(test, before.how, FOLLOW_UNREADABLE);
	before = see(FTRACE_SIG_STEP_MEMORY, 300, end - 300, 0);
	KUNIT_EXPECT_EQ(test, before.how, FOLLOW_ALL);
	/* What can be read of a string counts, wherever it ends */
	before = see_string(end - 300);
	KUNIT_EXPECT_EQ(test, before.how, FOLLOW_ALL);
	end[-1] = 'x';
	now = see_string(end - 300);
	KUNIT_EXPECT_EQ(test, now.how, FOLLOW_ALL);
	KUNIT_EXPECT_NE(test, now.state, before.state);
	/* Once its NUL is there, it is another string */
	end[-1] = 0;
	before = see_string(end - 9);
	now = see_string(end - 8);
	KUNIT_EXPECT_NE(test, now.state, before.state);
	vfree(page);
}

static struct kunit_case compare_cases[] = {
	KUNIT_CASE(compare_strings),
	KUNIT_CASE(compare_long_strings),
	KUNIT_CASE(compare_bounded_strings),
	KUNIT_CASE(compare_bytes),
	KUNIT_CASE(compare_unreadable),
	{}
};

static struct kunit_suite compare_suite = {
	.name = "ftrace_signature_compare",
	.test_cases = compare_cases,
};

kunit_test_suite(compare_suite);
