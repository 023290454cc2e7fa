// SPDX-License-Identifier: GPL-2.0
/* Memory is read if it is there, and never what is not memory. */
#include <linux/io.h>
#include <linux/mm.h>
#include <linux/mman.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include <linux/vmalloc.h>
#include <kunit/test.h>

#include <asm/e820/api.h>

#include "../peek.h"

#define NOTE	((char)0xaa)

static bool peek(void *to, unsigned long from, unsigned int size)
{
	guard(preempt)();
	return ftrace_peek(to, from, size);
}

static unsigned int peek_string(char *to, unsigned long from, unsigned int room,
				enum ftrace_peek_end *end)
{
	guard(preempt)();
	return ftrace_peek_string(to, from, room, end);
}

/* A page that is followed by one that is not mapped; the caller frees it */
static char *page_before_hole(struct kunit *test)
{
	char *page = vmalloc(PAGE_SIZE);

	KUNIT_ASSERT_NOT_NULL(test, page);
	memset(page, 'x', PAGE_SIZE);
	return page;
}

static bool all_are(const char *bytes, unsigned int nr, char what)
{
	while (nr--)
		if (bytes[nr] != what)
			return false;
	return true;
}

static void peek_copies(struct kunit *test)
{
	char from[64], to[64];
	unsigned int i, at, size;

	for (i = 0; i < sizeof(from); i++)
		from[i] = i + 1;
	for (at = 0; at < 8; at++) {
		for (size = 0; size <= 40; size++) {
			memset(to, NOTE, sizeof(to));
			KUNIT_EXPECT_TRUE(test, peek(to, (unsigned long)from + at, size));
			KUNIT_EXPECT_MEMEQ(test, to, from + at, size);
			KUNIT_EXPECT_TRUE(test, all_are(to + size, sizeof(to) - size, NOTE));
		}
	}
}

static void peek_before_hole(struct kunit *test)
{
	char *page = page_before_hole(test), to[64];
	unsigned long end = (unsigned long)page + PAGE_SIZE;
	unsigned int size;

	for (size = 1; size <= 40; size++) {
		KUNIT_EXPECT_TRUE(test, peek(to, end - size, size));
		KUNIT_EXPECT_TRUE(test, all_are(to, size, 'x'));
		KUNIT_EXPECT_FALSE(test, peek(to, end - size, size + 1));
		KUNIT_EXPECT_FALSE(test, peek(to, end, size));
	}
	vfree(page);
}

/* A whole page and more, of which the second is not there */
static void peek_over_pages(struct kunit *test)
{
	char *pages = vmalloc(2 * PAGE_SIZE), *to = vmalloc(2 * PAGE_SIZE);

	KUNIT_ASSERT_NOT_NULL(test, pages);
	KUNIT_ASSERT_NOT_NULL(test, to);
	memset(pages, 'y', 2 * PAGE_SIZE);
	KUNIT_EXPECT_TRUE(test, peek(to, (unsigned long)pages + 1, 2 * PAGE_SIZE - 1));
	KUNIT_EXPECT_TRUE(test, all_are(to, 2 * PAGE_SIZE - 1, 'y'));
	KUNIT_EXPECT_FALSE(test, peek(to, (unsigned long)pages + 1, 2 * PAGE_SIZE));
	vfree(pages);
	vfree(to);
}

static void peek_no_memory(struct kunit *test)
{
	unsigned long addresses[] = {
		0, 1, PAGE_SIZE, -1UL, -8UL, -4096UL, TASK_SIZE_MAX - 1,
#ifdef CONFIG_X86_64
		TASK_SIZE_MAX, 0x8000000000000000, 0x0000800000000000, 0xffff7fffffffffff,
#endif
	};
	enum ftrace_peek_end end;
	unsigned int i;
	char to[16];

	for (i = 0; i < ARRAY_SIZE(addresses); i++) {
		KUNIT_EXPECT_FALSE(test, peek(to, addresses[i], sizeof(to)));
		KUNIT_EXPECT_EQ(test, peek_string(to, addresses[i], sizeof(to), &end), 0);
		KUNIT_EXPECT_EQ(test, end, FTRACE_PEEK_FAULT);
	}
}

/* The local APIC's registers: a load could have an effect on a device */
static void peek_no_device(struct kunit *test)
{
	void __iomem *io = ioremap(0xfee00000, PAGE_SIZE);
	enum ftrace_peek_end end;
	char to[8];

	if (!io)
		kunit_skip(test, "no registers are mapped");
	KUNIT_EXPECT_FALSE(test, peek(to, (unsigned long)io, sizeof(to)));
	KUNIT_EXPECT_EQ(test, peek_string(to, (unsigned long)io, sizeof(to), &end), 0);
	KUNIT_EXPECT_EQ(test, end, FTRACE_PEEK_FAULT);
	iounmap(io);
}

static void expect_no_memory(struct kunit *test, unsigned long physical)
{
	unsigned long address = (unsigned long)__va(physical);
	enum ftrace_peek_end end;
	char to[8];

	KUNIT_EXPECT_FALSE(test, peek(to, address, sizeof(to)));
	KUNIT_EXPECT_EQ(test, peek_string(to, address, sizeof(to), &end), 0);
	KUNIT_EXPECT_EQ(test, end, FTRACE_PEEK_FAULT);
}

/* Video memory and ROMs are in the direct mapping, between memory on both sides */
static void peek_isa_hole(struct kunit *test)
{
	unsigned long below = (unsigned long)__va(ISA_START_ADDRESS);
	unsigned long above = (unsigned long)__va(ISA_END_ADDRESS);
	enum ftrace_peek_end end;
	char to[8];

	expect_no_memory(test, ISA_START_ADDRESS);
	expect_no_memory(test, 0xb8000);
	expect_no_memory(test, 0xf0000);
	expect_no_memory(test, ISA_END_ADDRESS - sizeof(to));
	KUNIT_EXPECT_TRUE(test, peek(to, below - PAGE_SIZE, sizeof(to)));
	KUNIT_EXPECT_TRUE(test, peek(to, above, sizeof(to)));
	/* Text that would go on in the hole ends before it */
	KUNIT_EXPECT_FALSE(test, peek(to, below - 4, sizeof(to)));
	KUNIT_EXPECT_LE(test, peek_string(to, below - 4, sizeof(to), &end), 4);
	KUNIT_EXPECT_NE(test, end, FTRACE_PEEK_CUT);
}

static void expect_string(struct kunit *test, const char *from, unsigned int room,
			  unsigned int length, enum ftrace_peek_end expected)
{
	enum ftrace_peek_end end;
	unsigned int i;
	char to[64];

	memset(to, NOTE, sizeof(to));
	KUNIT_EXPECT_EQ(test, peek_string(to, (unsigned long)from, room, &end), length);
	KUNIT_EXPECT_EQ(test, end, expected);
	KUNIT_EXPECT_MEMEQ(test, to, from, length);
	for (i = length; i < room; i++)
		KUNIT_EXPECT_TRUE(test, to[i] == NOTE || !to[i]);
	KUNIT_EXPECT_TRUE(test, all_are(to + room, sizeof(to) - room, NOTE));
}

/* Each length, alignment and room; what follows the NUL is not copied */
static void peek_strings(struct kunit *test)
{
	unsigned int at, length, room;
	char from[64];

	for (at = 0; at < 8; at++) {
		for (length = 0; length <= 40; length++) {
			memset(from, 's', sizeof(from));
			from[at + length] = 0;
			for (room = 0; room <= 48; room++)
				expect_string(test, from + at, room, min(room, length),
					      room > length ? FTRACE_PEEK_NUL :
							      FTRACE_PEEK_CUT);
		}
	}
}

static void peek_strings_before_hole(struct kunit *test)
{
	char *page = page_before_hole(test), *end = page + PAGE_SIZE;
	unsigned int length;

	for (length = 1; length <= 40; length++) {
		expect_string(test, end - length, 48, length, FTRACE_PEEK_FAULT);
		expect_string(test, end - length, length, length, FTRACE_PEEK_CUT);
		end[-1] = 0;
		expect_string(test, end - length, 48, length - 1, FTRACE_PEEK_NUL);
		end[-1] = 'x';
	}
	vfree(page);
}

/* What may not be read is not read, though the kernel could */
static void peek_user_protected(struct kunit *test)
{
	unsigned long user = kunit_vm_mmap(test, NULL, 0, PAGE_SIZE, PROT_READ | PROT_WRITE,
					   MAP_ANONYMOUS | MAP_PRIVATE, 0);
	enum ftrace_peek_end end;
	char to[16];

	KUNIT_ASSERT_NE(test, user, 0);
	KUNIT_ASSERT_EQ(test, copy_to_user((void __user *)user, "secret", 7), 0);
	KUNIT_EXPECT_TRUE(test, peek(to, user, sizeof(to)));
	KUNIT_ASSERT_EQ(test, kunit_vm_mmap(test, NULL, user, PAGE_SIZE, PROT_NONE,
					    MAP_ANONYMOUS | MAP_PRIVATE | MAP_FIXED, 0), user);
	memset(to, NOTE, sizeof(to));
	KUNIT_EXPECT_FALSE(test, peek(to, user, sizeof(to)));
	KUNIT_EXPECT_EQ(test, peek_string(to, user, sizeof(to), &end), 0);
	KUNIT_EXPECT_EQ(test, end, FTRACE_PEEK_FAULT);
	KUNIT_EXPECT_TRUE(test, all_are(to, sizeof(to), NOTE));
}

/* Memory that was freed is either still there, or a fault; whoever uses it next writes it */
static void peek_freed(struct kunit *test)
{
	unsigned int sizes[] = { 8, 64, 1024, PAGE_SIZE, 4 * PAGE_SIZE }, i;
	enum ftrace_peek_end end;
	char to[16];

	for (i = 0; i < ARRAY_SIZE(sizes); i++) {
		char *freed = kmalloc(sizes[i], GFP_KERNEL);
		unsigned int length;

		KUNIT_ASSERT_NOT_NULL(test, freed);
		memset(freed, 'f', sizes[i]);
		kfree(freed);
		memset(to, NOTE, sizeof(to));
		if (!peek(to, (unsigned long)freed, 8))
			KUNIT_EXPECT_TRUE(test, all_are(to, sizeof(to), NOTE));
		length = peek_string(to, (unsigned long)freed, 8, &end);
		KUNIT_EXPECT_LE(test, length, 8);
		KUNIT_EXPECT_TRUE(test, all_are(to + 8, sizeof(to) - 8, NOTE));
	}
}

static void peek_user(struct kunit *test)
{
	unsigned long user = kunit_vm_mmap(test, NULL, 0, 2 * PAGE_SIZE,
					   PROT_READ | PROT_WRITE,
					   MAP_ANONYMOUS | MAP_PRIVATE, 0);
	enum ftrace_peek_end end;
	char to[16];

	KUNIT_ASSERT_NE(test, user, 0);
	/* Not present: it is not waited for */
	KUNIT_EXPECT_FALSE(test, peek(to, user, sizeof(to)));
	KUNIT_ASSERT_EQ(test, copy_to_user((void __user *)(user + PAGE_SIZE - 6), "hello", 6),
			0);
	KUNIT_EXPECT_TRUE(test, peek(to, user + PAGE_SIZE - 6, 6));
	KUNIT_EXPECT_STREQ(test, to, "hello");
	KUNIT_EXPECT_FALSE(test, peek(to, user + PAGE_SIZE - 6, 7));
	KUNIT_EXPECT_EQ(test, peek_string(to, user + PAGE_SIZE - 6, sizeof(to), &end), 5);
	KUNIT_EXPECT_EQ(test, end, FTRACE_PEEK_NUL);

	KUNIT_ASSERT_EQ(test, copy_to_user((void __user *)(user + PAGE_SIZE - 1), "!", 1), 0);
	KUNIT_EXPECT_EQ(test, peek_string(to, user + PAGE_SIZE - 6, sizeof(to), &end), 6);
	KUNIT_EXPECT_EQ(test, end, FTRACE_PEEK_FAULT);
}

static struct kunit_case peek_cases[] = {
	KUNIT_CASE(peek_copies),
	KUNIT_CASE(peek_before_hole),
	KUNIT_CASE(peek_over_pages),
	KUNIT_CASE(peek_no_memory),
	KUNIT_CASE(peek_no_device),
	KUNIT_CASE(peek_isa_hole),
	KUNIT_CASE(peek_strings),
	KUNIT_CASE(peek_strings_before_hole),
	KUNIT_CASE(peek_user),
	KUNIT_CASE(peek_user_protected),
	KUNIT_CASE(peek_freed),
	{}
};

static struct kunit_suite peek_suite = {
	.name = "ftrace_signature_peek",
	.test_cases = peek_cases,
};

kunit_test_suite(peek_suite);
