// SPDX-License-Identifier: GPL-2.0
/* The fast way of copying strings copies what is there, or leaves it to the other way. */
#include <kunit/test.h>
#include <linux/gfp.h>
#include <linux/mman.h>
#include <linux/prandom.h>
#include <linux/uaccess.h>

#include "../follow_string.h"

#define NOTE	0xa5

struct texts {
	struct kunit		*test;
	struct rnd_state	rnd;
	/* What is in memory, as it can be read safely */
	u8			*known;
	unsigned long		address;
	bool			users;
};

static struct texts *texts_new(struct kunit *test, unsigned long address, bool users)
{
	struct texts *t = kunit_kzalloc(test, sizeof(*t), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, t);
	t->test = test;
	t->address = address;
	t->users = users;
	t->known = kunit_kzalloc(test, PAGE_SIZE, GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, t->known);
	prandom_seed_state(&t->rnd, 16);
	return t;
}

/* All kinds of bytes but NUL; those that carry into others are frequent */
static u8 any_byte(struct texts *t)
{
	static const u8 special[] = { 0x01, 0x7f, 0x80, 0x81, 0xff, 'x' };
	u32 value = prandom_u32_state(&t->rnd);

	return value & 0x100 ? special[(value >> 16) % ARRAY_SIZE(special)] : value % 255 + 1;
}

/* Fill the page with text of @length bytes at @offset, and no other NUL before the end */
static void write_text(struct texts *t, unsigned int offset, unsigned int length)
{
	unsigned int i;

	for (i = 0; i < PAGE_SIZE; i++)
		t->known[i] = any_byte(t);
	if (offset + length < PAGE_SIZE)
		t->known[offset + length] = 0;
	if (t->users)
		KUNIT_ASSERT_EQ(t->test, 0, copy_to_user((void __user *)t->address, t->known,
							 PAGE_SIZE));
	else
		memcpy((void *)t->address, t->known, PAGE_SIZE);
}

static long copy(void *to, unsigned long from)
{
	guard(preempt_notrace)();
	return follow_copy_text(to, from);
}

static void expect_text(struct texts *t, unsigned int offset, unsigned int length)
{
	unsigned long to[FOLLOW_SHORT_TEXT / sizeof(long) + 1];
	bool easy = length < FOLLOW_SHORT_TEXT && offset <= PAGE_SIZE - FOLLOW_SHORT_TEXT;
	unsigned int words = length / sizeof(long) + 1, i;
	const u8 *bytes = (const u8 *)to;
	long copied;

	write_text(t, offset, length);
	memset(to, NOTE, sizeof(to));
	copied = copy(to, t->address + offset);
	KUNIT_ASSERT_EQ_MSG(t->test, copied, easy ? (long)length : -1, "%u bytes at %u", length,
			    offset);
	if (!easy)
		return;
	KUNIT_EXPECT_TRUE(t->test, !memcmp(to, t->known + offset, length));
	for (i = length; i < words * sizeof(long); i++)
		KUNIT_EXPECT_EQ_MSG(t->test, bytes[i], 0, "%u bytes at %u", length, offset);
	for (; i < sizeof(to); i++)
		KUNIT_EXPECT_EQ_MSG(t->test, bytes[i], NOTE, "%u bytes at %u", length, offset);
}

static void expect_texts(struct texts *t)
{
	unsigned int length, offset;

	for (length = 0; length < FOLLOW_SHORT_TEXT + 10; length++) {
		for (offset = 0; offset < 2 * sizeof(long); offset++) {
			expect_text(t, offset, length);
			expect_text(t, PAGE_SIZE - FOLLOW_SHORT_TEXT - offset, length);
			expect_text(t, PAGE_SIZE - 1 - offset, length);
		}
	}
}

static void follow_string_kernels(struct kunit *test)
{
	unsigned long page = __get_free_page(GFP_KERNEL);

	KUNIT_ASSERT_NE(test, page, 0);
	expect_texts(texts_new(test, page, false));
	free_page(page);
}

static unsigned long map(struct kunit *test, unsigned long prot)
{
	unsigned long address = kunit_vm_mmap(test, NULL, 0, PAGE_SIZE, prot,
					      MAP_ANONYMOUS | MAP_PRIVATE, 0);

	KUNIT_ASSERT_NE_MSG(test, address, 0, "no user memory");
	KUNIT_ASSERT_FALSE(test, IS_ERR_VALUE(address));
	return address;
}

static void follow_string_users(struct kunit *test)
{
	expect_texts(texts_new(test, map(test, PROT_READ | PROT_WRITE), true));
}

/* What cannot be read, and what is not for this way, is left to the other */
static void follow_string_not_easy(struct kunit *test)
{
	unsigned long addresses[] = {
		0, 1, TASK_SIZE_MAX - PAGE_SIZE, TASK_SIZE_MAX, -4096UL, -1UL,
		map(test, PROT_NONE),
		/* Not present before it is touched */
		map(test, PROT_READ | PROT_WRITE),
	};
	unsigned long to[FOLLOW_SHORT_TEXT / sizeof(long)];
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(addresses); i++)
		KUNIT_EXPECT_EQ_MSG(test, copy(to, addresses[i]), -1, "%#lx", addresses[i]);
}

/* In an interrupt, an address of the user's says nothing */
static void follow_string_interrupt(struct kunit *test)
{
	unsigned long to[FOLLOW_SHORT_TEXT / sizeof(long)];
	unsigned long address = map(test, PROT_READ | PROT_WRITE);
	long copied;

	KUNIT_ASSERT_EQ(test, 0, copy_to_user((void __user *)address, "text", 5));
	KUNIT_EXPECT_EQ(test, copy(to, address), 4);
	/* No real interrupt may come within this one */
	local_irq_disable();
	__irq_enter_raw();
	copied = follow_copy_text(to, address);
	__irq_exit_raw();
	local_irq_enable();
	KUNIT_EXPECT_EQ(test, copied, -1);
}

/* Recursion locks and the interrupt flag are as they were */
static void follow_string_leaves_state(struct kunit *test)
{
	unsigned long address = map(test, PROT_READ | PROT_WRITE);
	unsigned long to[FOLLOW_SHORT_TEXT / sizeof(long)];
	unsigned long before = current->trace_recursion;
	unsigned long flags;
	long copied;

	KUNIT_ASSERT_EQ(test, 0, copy_to_user((void __user *)address, "text", 5));
	local_irq_save(flags);
	copied = follow_copy_text(to, address);
	KUNIT_EXPECT_TRUE(test, irqs_disabled());
	local_irq_restore(flags);
	KUNIT_EXPECT_EQ(test, copied, 4);
	KUNIT_EXPECT_EQ(test, copy(to, address), 4);
	KUNIT_EXPECT_EQ(test, copy(to, 1), -1);
	KUNIT_EXPECT_FALSE(test, irqs_disabled());
	KUNIT_EXPECT_EQ(test, current->trace_recursion, before);
}

static struct kunit_case follow_string_cases[] = {
	KUNIT_CASE(follow_string_kernels),
	KUNIT_CASE(follow_string_users),
	KUNIT_CASE(follow_string_not_easy),
	KUNIT_CASE(follow_string_interrupt),
	KUNIT_CASE(follow_string_leaves_state),
	{}
};

static struct kunit_suite follow_string_suite = {
	.name = "ftrace_signature_follow_string",
	.test_cases = follow_string_cases,
};

kunit_test_suite(follow_string_suite);
