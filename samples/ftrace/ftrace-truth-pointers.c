// SPDX-License-Identifier: GPL-2.0
/*
 * Functions that are passed pointers and note what is there, so that a tracer which shows
 * what arguments point to can be compared with what the functions themselves have seen.
 *
 * The directory ftrace-truth-pointers in debugfs has two files:
 *
 *	run	takes one command; the write returns when all calls are done:
 *		  strings	strings and bytes of each length, alignment and end
 *		  values	single values of each type
 *		  structs DEPTH	structures of each kind, shown to this depth
 *		  addresses	where there is no memory to be read, or another's
 *		  user		memory of the user, present or not
 *		  changes	memory that the function writes
 *		  contexts	interrupts and a kernel thread
 *		  races N	N calls, while another CPU writes what is copied; only
 *				these take no notes
 *		  clear		forget the notes
 *	notes	a line for each entry and each return, in the form of ftrace-truth.h.
 *		They assume the limits string=64 and members=32.
 */
#include <linux/completion.h>
#include <linux/cpu.h>
#include <linux/debugfs.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/interrupt.h>
#include <linux/io.h>
#include <linux/irq_work.h>
#include <linux/kthread.h>
#include <linux/mman.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/percpu.h>
#include <linux/poison.h>
#include <linux/shmem_fs.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include <linux/unaligned.h>

#include "ftrace-truth-pointers.h"

/* A function that keeps its calling convention: one call is one line */
#define __truth		noinline __noclone __attribute__((__no_icf__))

/* What is shown of the next calls' pointers, where the function must not look itself */
static const char *truth_expected;

/*
 * Strings and bytes
 */

static __truth void truth_p_text(const char *text)
{
	char shown[TRUTH_SHOWN];

	truth_entered("text=%s", truth_expected ?: truth_string(shown, text));
	truth_returned("");
}

static __truth void truth_p_bytes(const void *data, size_t len)
{
	char shown[TRUTH_SHOWN], number[24];

	truth_entered("data=%s, len=%s", truth_bytes(shown, data, len),
		      truth_unsigned(number, len));
	truth_returned("");
}

static __truth void truth_p_octets(const u8 *buf, int count)
{
	char shown[TRUTH_SHOWN];

	truth_entered("buf=%s, count=%d", truth_bytes(shown, buf, count), count);
	truth_returned("");
}

/* At most @len characters, which end at a NUL or without one */
static __truth void truth_p_bounded(const char *name, unsigned int len)
{
	char shown[TRUTH_SHOWN];

	truth_entered("name=%s, len=%u", truth_bytes(shown, name, strnlen(name, len)), len);
	truth_returned("");
}

static __truth const char *truth_p_find(const char *text, unsigned int at)
{
	const char *found = text ? text + at : ERR_PTR(-(long)at);
	char shown[TRUTH_SHOWN];

	truth_entered("text=%s, at=%u", truth_string(shown, text), at);
	truth_returned(" = %s", truth_string(shown, found));
	return found;
}

/* A page that is followed by one that is not mapped */
static char *truth_last_page;

static char *truth_text_before_hole(const char *text)
{
	size_t size = strlen(text) + 1;

	return memcpy(truth_last_page + PAGE_SIZE - size, text, size);
}

static void truth_expect_text(const char *text, const char *shown)
{
	truth_expected = shown;
	truth_p_text(text);
	truth_expected = NULL;
}

static void truth_run_lengths(void)
{
	static const unsigned int lengths[] = { 0, 1, 7, 8, 9, 62, 63, 64, 65, 66, 4096 };
	char *text = kmalloc(2 * PAGE_SIZE, GFP_KERNEL);
	unsigned int i, at;

	if (!text)
		return;
	for (i = 0; i < ARRAY_SIZE(lengths); i++) {
		for (at = 0; at < 8; at++) {
			memset(text, '?', 2 * PAGE_SIZE);
			memset(text + at, 'a' + at, lengths[i]);
			text[at + lengths[i]] = 0;
			truth_p_text(text + at);
			truth_p_bytes(text + at, lengths[i]);
			truth_p_bounded(text + at, lengths[i]);
			truth_p_bounded(text + at, lengths[i] / 2);
			truth_p_bounded(text + at, lengths[i] + 1);
		}
	}
	kfree(text);
}

static void truth_run_escapes(void)
{
	static const char bytes[] = "\0\1\x7f\xff\t\n\"\\ ~";
	char on_stack[] = "on the stack";

	truth_p_text("in \"rodata\"\t\\\n");
	truth_p_text(on_stack);
	truth_p_text("\303\244\302\265");
	/* A NUL ends it, so it is a string, whatever its characters are */
	truth_p_text("\1\2\3");
	truth_p_bytes(bytes, sizeof(bytes));
	truth_p_octets(bytes, sizeof(bytes));
	truth_p_octets(bytes, 0);
	truth_p_octets(bytes, -1);
	truth_p_octets(bytes, INT_MIN);
	truth_p_octets(NULL, 4);
	truth_p_octets(ERR_PTR(-EINVAL), 4);
	truth_p_bytes(bytes, -1UL);
	truth_p_find("find this", 5);
	truth_p_find("find this", 9);
	truth_p_find(NULL, 0);
	truth_p_find(NULL, ENOENT);
}

/* Neither text nor ended by a NUL within the limit */
static void truth_run_no_text(void)
{
	char *bytes = kmalloc(2 * TRUTH_TEXT, GFP_KERNEL), shown[TRUTH_SHOWN];

	if (!bytes)
		return;
	memset(bytes, 1, 2 * TRUTH_TEXT);
	bytes[TRUTH_TEXT + 1] = 0;
	truth_expect_text(bytes, truth_address(shown, bytes));
	/* The NUL is the byte behind as many as are shown */
	bytes[TRUTH_TEXT] = 0;
	truth_p_text(bytes);
	kfree(bytes);
}

/* Text up to the end of a page, and beyond it */
static void truth_run_pages(void)
{
	char *pages = vmalloc(2 * PAGE_SIZE), shown[TRUTH_SHOWN];

	truth_p_text(truth_text_before_hole("the last bytes"));
	truth_last_page[PAGE_SIZE - 1] = '!';
	truth_expect_text(truth_last_page + PAGE_SIZE - 7, "\" bytes!\"... <fault>");
	truth_expect_text(truth_last_page + PAGE_SIZE,
			  truth_fault(shown, truth_last_page + PAGE_SIZE));
	if (!pages)
		return;
	memset(pages, 'p', 2 * PAGE_SIZE - 1);
	pages[2 * PAGE_SIZE - 1] = 0;
	truth_p_text(pages + PAGE_SIZE - 3);
	truth_p_bytes(pages + PAGE_SIZE - 30, 60);
	pages[PAGE_SIZE + 2] = 0;
	truth_p_text(pages + PAGE_SIZE - 3);
	vfree(pages);
}

static void truth_run_strings(unsigned int unused)
{
	truth_run_lengths();
	truth_run_escapes();
	truth_run_no_text();
	truth_run_pages();
}

/*
 * Single values
 */

enum truth_fruit { TRUTH_APPLE, TRUTH_PEAR = 7, TRUTH_PLUM = -1 };

#define TRUTH_VALUE(name, type, fmt, ...)					\
static __truth void truth_p_##name(type value)					\
{										\
	char shown[TRUTH_SHOWN] __maybe_unused;					\
										\
	truth_entered("value=&" fmt, __VA_ARGS__);				\
	truth_returned("");							\
}

TRUTH_VALUE(s8, s8 *, "%d", get_unaligned(value))
TRUTH_VALUE(u8, const u8 *, "%u", get_unaligned(value))
TRUTH_VALUE(s16, s16 *, "%d", get_unaligned(value))
TRUTH_VALUE(u16, const volatile u16 *, "%u", get_unaligned((const u16 *)value))
TRUTH_VALUE(s32, s32 *, "%d", get_unaligned(value))
TRUTH_VALUE(u32, u32 *, "%u", get_unaligned(value))
TRUTH_VALUE(slong, const long *, "%ld", get_unaligned(value))
TRUTH_VALUE(ulong, unsigned long *, "%s", truth_unsigned(shown, get_unaligned(value)))
TRUTH_VALUE(s64, loff_t *, "%lld", get_unaligned(value))
TRUTH_VALUE(u64, u64 *, "%s", truth_unsigned(shown, get_unaligned(value)))
TRUTH_VALUE(bool, bool *, "%s", *value ? "true" : "false")
TRUTH_VALUE(fruit, enum truth_fruit *, "%s",
	    get_unaligned(value) == TRUTH_APPLE ? "TRUTH_APPLE" :
	    get_unaligned(value) == TRUTH_PEAR ? "TRUTH_PEAR" :
	    get_unaligned(value) == TRUTH_PLUM ? "TRUTH_PLUM" : "5")
TRUTH_VALUE(pointer, void **, "%s", truth_address(shown, get_unaligned(value)))
TRUTH_VALUE(pointers, const char * const *, "%s",
	    truth_address(shown, get_unaligned(value)))

static __truth void truth_p_call(void (**value)(unsigned int unused))
{
	truth_entered("value=&truth_run_strings [" KBUILD_MODNAME "]");
	truth_returned("");
}

/* A pointer that is another structure's is followed no farther */
static __truth int *truth_p_value(int **value)
{
	char shown[TRUTH_SHOWN];

	truth_entered("value=&%s", truth_address(shown, *value));
	if (*value)
		truth_returned(" = &%d", **value);
	else
		truth_returned(" = NULL");
	return *value;
}

static void truth_run_numbers(void *at)
{
	static const u64 numbers[] = {
		0, 1, 5, 7, 0x7f, 0x80, 0xff, 0x8000, 0x7fffffff, 0x80000000, 0xffffffff,
		0x100000000, 0x8000000000000000, ~0ULL, 0x123456789abcdef0,
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(numbers); i++) {
		put_unaligned(numbers[i], (u64 *)at);
		truth_p_s8(at);
		truth_p_u8(at);
		truth_p_s16(at);
		truth_p_u16(at);
		truth_p_s32(at);
		truth_p_u32(at);
		truth_p_slong(at);
		truth_p_ulong(at);
		truth_p_s64(at);
		truth_p_u64(at);
	}
}

static void truth_run_others(void *at)
{
	static const int fruits[] = { TRUTH_APPLE, TRUTH_PEAR, TRUTH_PLUM, 5 };
	void (*call)(unsigned int unused) = truth_run_strings;
	int number = -3, *pointer = &number;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(fruits); i++) {
		put_unaligned(fruits[i], (int *)at);
		truth_p_fruit(at);
	}
	*(u8 *)at = 1;
	truth_p_bool(at);
	*(u8 *)at = 0;
	truth_p_bool(at);
	put_unaligned((unsigned long)at, (unsigned long *)at);
	truth_p_pointer(at);
	truth_p_pointers(at);
	put_unaligned(0UL, (unsigned long *)at);
	truth_p_pointer(at);
	put_unaligned((unsigned long)-ENOMEM, (unsigned long *)at);
	truth_p_pointers(at);
	truth_p_call(&call);
	truth_p_value(&pointer);
	pointer = NULL;
	truth_p_value(&pointer);
}

static void truth_run_values(unsigned int unused)
{
	u64 numbers[2];

	truth_run_numbers(&numbers[0]);
	truth_run_numbers((u8 *)numbers + 3);
	truth_run_others(&numbers[0]);
	truth_run_others((u8 *)numbers + 5);
	/* Up to the last byte of what is mapped */
	truth_run_numbers(truth_last_page + PAGE_SIZE - sizeof(u64));
}

/*
 * Structures
 */

struct truth_inner {
	int		first;
	u8		second;
};

struct truth_outer {
	short			id;
	struct truth_inner	inner;
	const char		*name;
	void			(*call)(unsigned int unused);
	struct truth_outer	*next;
	enum truth_fruit	fruit;
};

static unsigned int truth_depth;

static const char *truth_inner(char *to, const struct truth_inner *inner, unsigned int level)
{
	if (truth_depth < level)
		return "{...}";
	sprintf(to, "{first=%d, second=%u}", inner->first, inner->second);
	return to;
}

static __truth struct truth_inner *truth_p_inner(struct truth_inner *inner)
{
	char shown[64];

	truth_entered("inner=%s", truth_inner(shown, inner, 1));
	truth_returned(" = %s", truth_inner(shown, inner, 1));
	return inner;
}

static __truth void truth_p_outer(const struct truth_outer *outer)
{
	char inner[64], name[TRUTH_SHOWN], next[TRUTH_SHOWN];

	truth_entered("outer={id=%d, inner=%s, name=%s, call=%s, next=%s, fruit=TRUTH_PEAR}",
		      outer->id, truth_inner(inner, &outer->inner, 2),
		      truth_address(name, outer->name),
		      outer->call ? "truth_run_strings [" KBUILD_MODNAME "]" : "NULL",
		      truth_address(next, outer->next));
	truth_returned("");
}

struct truth_anonymous {
	int	kind;
	union {
		u32	number;
		struct {
			u8	low, high;
		};
		s16	pair[2];
	};
};

static __truth void truth_p_anonymous(struct truth_anonymous *anonymous)
{
	const struct truth_anonymous *a = anonymous;

	truth_entered("anonymous={kind=%d, {number=%u, {low=%u, high=%u}, pair={%d, %d}}}",
		      a->kind, a->number, a->low, a->high, a->pair[0], a->pair[1]);
	truth_returned("");
}

union truth_either {
	u16	half;
	s8	byte;
};

static __truth void truth_p_either(const union truth_either *either)
{
	truth_entered("either={half=%u, byte=%d}", either->half, either->byte);
	truth_returned("");
}

struct truth_bits {
	u32			a : 3;
	s32			b : 5;
	u64			wide : 33;
	s64			wider : 40;
	bool			flag : 1;
	u16			last : 13;
};

static __truth void truth_p_bits(struct truth_bits *bits)
{
	char wide[24];

	truth_entered("bits={a=%u, b=%d, wide=%s, wider=%lld, flag=%s, last=%u}", bits->a,
		      bits->b, truth_unsigned(wide, bits->wide), (long long)bits->wider,
		      bits->flag ? "true" : "false", bits->last);
	truth_returned("");
}

struct truth_arrays {
	char			text[8];
	char			full[3];
	u8			bytes[2];
	int			matrix[2][2];
	struct truth_inner	inner[2];
	u32			nr;
	long			flexible[];
};

static __truth void truth_p_arrays(struct truth_arrays *arrays)
{
	const struct truth_arrays *a = arrays;
	char inner[2][64];

	truth_entered("arrays={text=\"%s\", full={'%c', '%c', '%c'}, bytes={%u, %u}, "
		      "matrix={{%d, %d}, {%d, %d}}, inner={%s, %s}, nr=%u}", a->text,
		      a->full[0], a->full[1], a->full[2], a->bytes[0], a->bytes[1],
		      a->matrix[0][0], a->matrix[0][1], a->matrix[1][0], a->matrix[1][1],
		      truth_inner(inner[0], &a->inner[0], 2),
		      truth_inner(inner[1], &a->inner[1], 2), a->nr);
	truth_returned("");
}

/* 40 members, of which 32 are shown */
struct truth_many {
	u8	m[40];
};

static __truth void truth_p_many(struct truth_many *many)
{
	char text[256];
	int i, n = 0;

	for (i = 0; i < 31; i++)
		n += sprintf(text + n, "%u, ", many->m[i]);
	truth_entered("many={m={%s...}}", text);
	truth_returned("");
}

/* In registers or on the stack, and in a pair of registers, or one, at the return */
static __truth struct truth_inner truth_p_by_value(struct truth_inner inner)
{
	char shown[64];

	truth_entered("inner=%s", truth_inner(shown, &inner, 1));
	inner.first = -inner.first;
	truth_returned(" = %s", truth_inner(shown, &inner, 1));
	return inner;
}

static void truth_run_outer(void)
{
	struct truth_outer outer[2] = {
		{ .id = -1, .inner = { 1, 2 }, .name = "name", .call = truth_run_strings,
		  .next = &outer[1], .fruit = TRUTH_PEAR },
		{ .id = 2, .inner = { -3, 255 }, .next = &outer[0], .fruit = TRUTH_PEAR },
	};

	truth_p_outer(&outer[0]);
	truth_p_outer(&outer[1]);
	/* A circle of one */
	outer[0].next = &outer[0];
	outer[0].name = ERR_PTR(-EIO);
	truth_p_outer(&outer[0]);
	truth_p_inner(&outer[1].inner);
	truth_p_by_value(outer[1].inner);
}

static void truth_run_structs(unsigned int depth)
{
	struct truth_anonymous anonymous = { .kind = 1, .number = 0x8001ff02 };
	struct truth_bits bits = { 5, -3, 0x1ffffffffULL, -0x7fffffffffLL, true, 0x1abc };
	struct truth_arrays arrays = {
		.text = "text", .full = "abc", .bytes = { 1, 255 },
		.matrix = { { 1, 2 }, { -3, 4 } }, .inner = { { 1, 2 }, { 3, 4 } }, .nr = 7,
	};
	union truth_either either = { .half = 0xfffe };
	struct truth_inner *last;
	struct truth_many many;

	truth_depth = depth;
	truth_run_outer();
	truth_p_anonymous(&anonymous);
	truth_p_either(&either);
	truth_p_bits(&bits);
	memset(&bits, 0, sizeof(bits));
	truth_p_bits(&bits);
	truth_p_arrays(&arrays);
	memset(&many, 200, sizeof(many));
	truth_p_many(&many);

	last = (void *)truth_last_page + PAGE_SIZE - sizeof(*last);
	*last = (struct truth_inner){ 11, 12 };
	truth_p_inner(last);
	last = (void *)truth_last_page + 1;
	*last = (struct truth_inner){ 13, 14 };
	truth_p_inner(last);
}

/*
 * Addresses that are not followed, or lead to no memory
 */

static __truth void truth_p_address(int *number, struct truth_inner *inner,
				    const void *data, size_t size)
{
	char shown[3][TRUTH_SHOWN];

	truth_entered("number=%s, inner=%s, data=%s, size=%zu",
		      truth_expected ?: truth_address(shown[0], number),
		      truth_expected ?: truth_address(shown[1], inner),
		      truth_expected ?: truth_address(shown[2], data), size);
	truth_returned("");
}

static void truth_call_address(void *address)
{
	truth_p_text(address);
	truth_p_address(address, address, address, 4);
}

static void truth_call_fault(void *address)
{
	char shown[TRUTH_SHOWN];

	truth_expected = truth_fault(shown, address);
	truth_call_address(address);
	truth_expected = NULL;
}

static void truth_run_unmapped(void)
{
	char *pages = vmalloc(2 * PAGE_SIZE);

	if (pages) {
		strscpy(pages, "freed", PAGE_SIZE);
		truth_p_text(pages);
		vfree(pages);
		truth_call_fault(pages);
	}
	/* Each begins in memory that is there, and ends in some that is not */
	truth_last_page[PAGE_SIZE - 1] = 1;
	truth_expected = truth_fault((char[TRUTH_SHOWN]){}, truth_last_page + PAGE_SIZE - 1);
	truth_call_address(truth_last_page + PAGE_SIZE - 1);
	truth_expected = NULL;
}

/* The local APIC's registers: they would be read, not what they contain noted */
static void truth_run_device(void)
{
	void __iomem *io = ioremap(0xfee00000, PAGE_SIZE);

	if (!io)
		return;
	truth_call_fault((__force void *)io);
	truth_call_fault((__force void *)io + 0x20);
	iounmap(io);
}

/* Nothing tells a per-CPU variable's offset from an address.  On x86-64, it is none. */
static void truth_run_percpu(void)
{
	int __percpu *number = alloc_percpu(int);

	if (number && IS_ENABLED(CONFIG_X86_64))
		truth_call_fault((__force void *)number);
	free_percpu(number);
}

static void truth_run_addresses(unsigned int unused)
{
	truth_call_address(NULL);
	truth_call_address(ERR_PTR(-ENOENT));
	truth_call_address(ERR_PTR(-MAX_ERRNO));
	truth_call_fault((void *)8);
	truth_call_fault(ERR_PTR(-MAX_ERRNO) - 1);
	truth_call_fault((void *)PAGE_OFFSET - PAGE_SIZE);
	truth_call_fault((void *)LIST_POISON1);
	truth_call_fault((void *)LIST_POISON2);
	if (IS_ENABLED(CONFIG_X86_64)) {
		truth_call_fault((void *)BIT(BITS_PER_LONG - 1));
		truth_call_fault((void *)BIT(BITS_PER_LONG - 2) + 1);
		truth_call_fault((void *)(ULONG_MAX << (BITS_PER_LONG - 4)));
	}
	truth_call_fault((void *)TASK_SIZE_MAX - 1);
	truth_run_unmapped();
	truth_run_device();
	truth_run_percpu();
}

/*
 * The user's memory
 */

static __truth void truth_p_user(const char __user *name)
{
	truth_entered("name=%s", truth_expected);
	truth_returned("");
}

static __truth void truth_p_user_bytes(const void __user *buf, size_t count)
{
	truth_entered("buf=%s, count=%zu", truth_expected, count);
	truth_returned("");
}

static __truth void truth_p_user_value(const int __user *value)
{
	truth_entered("value=%s", truth_expected);
	truth_returned("");
}

static unsigned long truth_map(struct file *file, unsigned long prot, unsigned long flags)
{
	unsigned long user = vm_mmap(file, 0, 2 * PAGE_SIZE, prot, flags, 0);

	return IS_ERR_VALUE(user) ? 0 : user;
}

static void truth_unmap(unsigned long user)
{
	if (user)
		vm_munmap(user, 2 * PAGE_SIZE);
}

static void truth_call_user(unsigned long user, const char *name, const char *bytes,
			    const char *value)
{
	truth_expected = name;
	truth_p_user((const char __user *)user);
	/* A function of the kernel's memory is passed the user's by mistake */
	truth_p_text((const char *)user);
	truth_expected = bytes;
	truth_p_user_bytes((const void __user *)user, 4);
	truth_expected = value;
	truth_p_user_value((const int __user *)user);
	truth_expected = NULL;
}

static void truth_call_user_fault(unsigned long user)
{
	char shown[TRUTH_SHOWN];

	truth_fault(shown, (void *)user);
	truth_call_user(user, shown, shown, shown);
}

static void truth_run_anonymous(void)
{
	unsigned long user = truth_map(NULL, PROT_READ | PROT_WRITE,
				       MAP_ANONYMOUS | MAP_PRIVATE);
	unsigned long end = user + PAGE_SIZE;
	char shown[TRUTH_SHOWN];

	if (!user)
		return;
	truth_call_user_fault(user);
	if (!copy_to_user((void __user *)user, "\1\0\0\0", 4))
		truth_call_user(user, "\"\\1\"", "\"\\1\\0\\0\\0\"", "&1");
	if (!copy_to_user((void __user *)user + 1, "user", 5))
		truth_call_user(user + 1, "\"user\"", "\"user\"", "&1919251317");
	/* Text whose rest is not present */
	if (!copy_to_user((void __user *)end - 3, "end", 3)) {
		truth_fault(shown, (void *)end - 3);
		truth_call_user(end - 3, "\"end\"... <fault>", shown, shown);
	}
	truth_unmap(user);
	truth_call_user_fault(user);
}

static void truth_run_no_access(void)
{
	unsigned long user = truth_map(NULL, PROT_NONE, MAP_ANONYMOUS | MAP_PRIVATE);

	if (user)
		truth_call_user_fault(user);
	truth_unmap(user);
}

/* A file that becomes shorter: its pages are gone, but they are still mapped */
static void truth_run_truncated(void)
{
	struct file *file = shmem_file_setup("truth", 2 * PAGE_SIZE, 0);
	unsigned long user;

	if (IS_ERR(file))
		return;
	user = truth_map(file, PROT_READ | PROT_WRITE, MAP_SHARED);
	if (user && !copy_to_user((void __user *)user, "file", 5)) {
		truth_call_user(user, "\"file\"", "\"file\"", "&1701603686");
		if (!vfs_truncate(&file->f_path, 0))
			truth_call_user_fault(user);
	}
	truth_unmap(user);
	fput(file);
}

static void truth_run_user(unsigned int unused)
{
	static const char kernels[] = "kernel's";

	truth_run_anonymous();
	truth_run_no_access();
	truth_run_truncated();
	/* It is the kernel's, whatever the function expects */
	truth_expected = "\"kernel's\"";
	truth_p_user((__force const char __user *)kernels);
	truth_expected = NULL;
}

/*
 * What a call changes.  A call that calls no other is one line, so its note has both,
 * before and after.
 */

static __truth int truth_p_count(int *value)
{
	truth_entered("value=&{%d → %d}", *value, *value + 1);
	truth_returned(" = 0");
	++*value;
	return 0;
}

static __truth bool truth_p_look(int *value, struct truth_inner *inner)
{
	char shown[64];

	truth_entered("value=&%d, inner=%s", *value, truth_inner(shown, inner, 1));
	truth_returned(" = true");
	return true;
}

static __truth void truth_p_rename(char *name, const char *to)
{
	char shown[3][TRUTH_SHOWN];

	truth_entered("name=%s → %s, to=%s", truth_string(shown[0], name),
		      truth_string(shown[1], to), truth_string(shown[2], to));
	truth_returned("");
	strcpy(name, to);
}

static __truth void truth_p_move(struct truth_inner *inner, int by)
{
	char before[64], after[64];

	truth_inner(before, inner, 1);
	inner->first += by;
	truth_entered("inner=%s → %s, by=%d", before, truth_inner(after, inner, 1), by);
	truth_returned("");
}

/* Fills what the result says */
static __truth ssize_t truth_p_fill(void *buf, size_t size, ssize_t result)
{
	char shown[TRUTH_SHOWN];

	memset(buf, 'f', size);
	truth_entered("buf=%s, size=%zu, result=%zd", result < 0 ? truth_address(shown, buf) :
		      truth_bytes(shown, buf, min_t(ssize_t, result, size)), size, result);
	if (result < 0)
		truth_returned(" = %zd (%pe)", result, ERR_PTR(result));
	else
		truth_returned(" = %zd", result);
	return result;
}

/* Fills all, and returns an errno or 0 */
static __truth int truth_p_fill_all(u8 *buffer, unsigned int count, u8 with)
{
	char shown[TRUTH_SHOWN];
	bool same = !memchr_inv(buffer, with, count);

	memset(buffer, with, count);
	truth_entered("buffer=%s, count=%u, with=%u", same ? truth_address(shown, buffer) :
		      truth_bytes(shown, buffer, count), count, with);
	truth_returned(" = 0");
	return 0;
}

/* The memory is gone when it returns */
static __truth void truth_p_free(char *text, int *value)
{
	char shown[TRUTH_SHOWN];

	truth_entered("text=%s → <fault>, value=&%d → <fault>", truth_string(shown, text),
		      *value);
	truth_returned("");
	vfree(text);
	vfree(value);
}

/* The pointer's own memory is allocated by the call */
static __truth int truth_p_allocate(char **text)
{
	char shown[TRUTH_SHOWN];
	char *made = kstrdup("made", GFP_KERNEL);

	truth_entered("text=&{NULL → %s}", truth_address(shown, made));
	truth_returned(" = 0");
	*text = made;
	return 0;
}

/* Calls itself: each call's change is shown at its own return */
static __truth int truth_p_recurse(int *value, unsigned int depth)
{
	int before = *value;

	if (!depth)
		return truth_p_count(value);
	truth_entered("value=&%d, depth=%u", before, depth);
	truth_p_recurse(value, depth - 1);
	++*value;
	truth_returned(" = %u; value=&{%d → %d}", depth, before, *value);
	return depth;
}

static void truth_run_freed(void)
{
	char *text = vmalloc(PAGE_SIZE);
	int *value = vmalloc(PAGE_SIZE);

	if (text && value) {
		strscpy(text, "freed", PAGE_SIZE);
		*value = 4;
		truth_p_free(text, value);
	}
}

static void truth_run_fills(char *buffer)
{
	static const ssize_t results[] = { 0, 1, 10, 64, 65, 100, 1000, -EIO };
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(results); i++) {
		memset(buffer, '-', 100);
		truth_p_fill(buffer, 100, results[i]);
	}
	truth_p_fill_all(buffer, 100, 'a');
	truth_p_fill_all(buffer, 100, 'a');
	truth_p_fill_all(buffer, 10, 'b');
}

static void truth_run_changes(unsigned int unused)
{
	struct truth_inner inner = { 1, 2 };
	char *buffer = kmalloc(128, GFP_KERNEL);
	char *made = NULL;
	int number = 40;

	truth_depth = 1;
	truth_p_count(&number);
	truth_p_look(&number, &inner);
	truth_p_move(&inner, 5);
	truth_p_recurse(&number, 3);
	truth_p_allocate(&made);
	kfree(made);
	truth_run_freed();
	if (!buffer)
		return;
	strcpy(buffer, "old");
	truth_p_rename(buffer, "new");
	truth_p_rename(buffer, "");
	truth_p_rename(buffer, "longer than before");
	truth_run_fills(buffer);
	kfree(buffer);
}

/*
 * Contexts.  Only a task's own system call may look at the user's memory.
 */

static unsigned long truth_present;	/* the user's, and present */
static struct completion truth_done;

static void truth_call_in_context(void)
{
	char shown[TRUTH_SHOWN];
	int number = 1;

	truth_p_text("in this context");
	truth_p_s32(&number);
	truth_expected = truth_fault(shown, (void *)truth_present);
	truth_p_user((const char __user *)truth_present);
	truth_expected = NULL;
	/* Pairs with truth_wait() */
	complete(&truth_done);
}

static void truth_hardirq(struct irq_work *work)
{
	truth_call_in_context();
}

static void truth_softirq(struct tasklet_struct *tasklet)
{
	truth_call_in_context();
}

static struct irq_work truth_irq_work = IRQ_WORK_INIT_HARD(truth_hardirq);
static DECLARE_TASKLET(truth_tasklet, truth_softirq);

static void truth_wait(void)
{
	while (!try_wait_for_completion(&truth_done))
		cpu_relax();
}

/* The interrupt arrives while the function runs: both have strings of their own */
static __truth void truth_p_interrupted(const char *text)
{
	char shown[TRUTH_SHOWN];

	truth_entered("text=%s", truth_string(shown, text));
	irq_work_queue(&truth_irq_work);
	truth_wait();
	truth_returned("");
}

static __truth void truth_p_interrupted_softly(const char *text)
{
	char shown[TRUTH_SHOWN];

	truth_entered("text=%s", truth_string(shown, text));
	local_bh_disable();
	tasklet_schedule(&truth_tasklet);
	local_bh_enable();
	truth_wait();
	truth_returned("");
}

static int truth_thread(void *unused)
{
	truth_call_in_context();
	return 0;
}

static void truth_run_thread(void)
{
	struct task_struct *task = kthread_create(truth_thread, NULL, "truth");

	if (IS_ERR(task))
		return;
	/* On this CPU, so that the trace has one order */
	kthread_bind(task, raw_smp_processor_id());
	wake_up_process(task);
	wait_for_completion(&truth_done);
}

static void truth_run_contexts(unsigned int unused)
{
	truth_present = truth_map(NULL, PROT_READ | PROT_WRITE, MAP_ANONYMOUS | MAP_PRIVATE);
	if (!truth_present)
		return;
	if (!copy_to_user((void __user *)truth_present, "present", 8)) {
		truth_expected = "\"present\"";
		truth_p_user((const char __user *)truth_present);
		truth_expected = NULL;
		truth_p_interrupted("a hard interrupt");
		truth_p_interrupted_softly("a soft interrupt");
		truth_run_thread();
	}
	truth_unmap(truth_present);
}

/*
 * Races: another CPU writes one of two texts, of different lengths, all the time.
 */

#define TRUTH_SHORT	"short"
#define TRUTH_LONG	"a much longer text \"with\" quotes"

static char truth_text[TRUTH_TEXT];

static int truth_write(void *unused)
{
	unsigned int n = 0;

	while (!kthread_should_stop()) {
		/* In pieces, so that there are moments without a NUL where one was */
		if (n & 1)
			memcpy(truth_text, TRUTH_SHORT, sizeof(TRUTH_SHORT));
		else
			memcpy(truth_text, TRUTH_LONG, sizeof(TRUTH_LONG));
		if (!(++n % 1024))
			cond_resched();
	}
	return 0;
}

static __truth void truth_p_race(const char *text, char *changed, const void *buf, size_t len)
{
	/* It is the trace that counts */
	cpu_relax();
}

static void truth_run_races(unsigned int times)
{
	struct task_struct *task = kthread_run(truth_write, NULL, "truth-write");

	if (IS_ERR(task))
		return;
	for (; times; times--) {
		truth_p_race(truth_text, truth_text, truth_text, 24);
		cond_resched();
	}
	kthread_stop(task);
}

/*
 * The files
 */

static const struct truth_command {
	const char *name;
	void (*run)(unsigned int number);
} truth_commands[] = {
	{ "strings", truth_run_strings },
	{ "values", truth_run_values },
	{ "structs", truth_run_structs },
	{ "addresses", truth_run_addresses },
	{ "user", truth_run_user },
	{ "changes", truth_run_changes },
	{ "contexts", truth_run_contexts },
	{ "races", truth_run_races },
};

static int truth_run(char *line)
{
	unsigned int i, number = 0;
	char name[16];

	if (sscanf(line, "%15s %u", name, &number) < 1)
		return -EINVAL;
	if (!strcmp(name, "clear")) {
		truth_clear();
		return 0;
	}
	for (i = 0; i < ARRAY_SIZE(truth_commands); i++) {
		if (strcmp(truth_commands[i].name, name))
			continue;
		/* On one CPU, so that the trace has one order, too */
		migrate_disable();
		truth_commands[i].run(number);
		migrate_enable();
		return 0;
	}
	return -EINVAL;
}

static DEFINE_MUTEX(truth_mutex);

static ssize_t truth_run_write(struct file *file, const char __user *ubuf, size_t size,
			       loff_t *pos)
{
	char line[64];
	int ret;

	if (size >= sizeof(line))
		return -EINVAL;
	if (copy_from_user(line, ubuf, size))
		return -EFAULT;
	line[size] = '\0';
	mutex_lock(&truth_mutex);
	ret = truth_run(line);
	mutex_unlock(&truth_mutex);
	return ret ?: size;
}

static const struct file_operations truth_run_fops = {
	.owner = THIS_MODULE,
	.open = simple_open,
	.write = truth_run_write,
};

DEFINE_SHOW_ATTRIBUTE(truth_notes);

static struct dentry *truth_dir;

static int __init truth_init(void)
{
	truth_lines = vzalloc(array_size(TRUTH_LINES, TRUTH_LINE));
	truth_last_page = vmalloc(PAGE_SIZE);
	if (!truth_lines || !truth_last_page) {
		vfree(truth_lines);
		vfree(truth_last_page);
		return -ENOMEM;
	}
	init_completion(&truth_done);
	truth_dir = debugfs_create_dir("ftrace-truth-pointers", NULL);
	debugfs_create_file("run", 0200, truth_dir, NULL, &truth_run_fops);
	debugfs_create_file("notes", 0400, truth_dir, NULL, &truth_notes_fops);
	return 0;
}
module_init(truth_init);

static void __exit truth_exit(void)
{
	debugfs_remove_recursive(truth_dir);
	irq_work_sync(&truth_irq_work);
	tasklet_kill(&truth_tasklet);
	vfree(truth_last_page);
	vfree(truth_lines);
}
module_exit(truth_exit);

MODULE_DESCRIPTION("Functions that note what they are passed pointers to");
MODULE_LICENSE("GPL");
