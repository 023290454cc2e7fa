/* SPDX-License-Identifier: GPL-2.0 */
/*
 * As much of the kernel as kernel/trace/signature wants, for a program.  All of
 * the kernel's headers that it includes lead here: fuzz.py makes them.
 *
 * What has an effect is written for tests: a trace_seq keeps the kernel's rule
 * that a piece is printed whole or not at all; an address has a name by its value
 * alone; memory comes from malloc(), with the size that was asked for.
 */
#ifndef KERNEL_SHIM_H
#define KERNEL_SHIM_H

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

typedef uint8_t u8, __u8;
typedef uint16_t u16, __u16;
typedef uint32_t u32, __u32;
typedef unsigned long long u64, __u64;
typedef int8_t s8, __s8;
typedef int16_t s16, __s16;
typedef int32_t s32, __s32;
typedef long long s64, __s64;
typedef unsigned int gfp_t;
typedef unsigned short umode_t;
typedef u32 kernel_dev_t;
#define dev_t kernel_dev_t

#define BITS_PER_BYTE		8
#define BITS_PER_LONG		64
#define U8_MAX			UINT8_MAX
#define U32_MAX			UINT32_MAX
#undef ULONG_MAX
#define ULONG_MAX		(~0ul)

#define __force
#define __init
#define __rcu
#define __weak			__attribute__((__weak__))
#define __packed		__attribute__((__packed__))
#undef __always_inline
#define __always_inline		inline __attribute__((__always_inline__))
#define noinline		__attribute__((__noinline__))
#define __aligned(bytes)	__attribute__((__aligned__(bytes)))
#define __uninitialized
#define __no_stack_protector
#define fallthrough		__attribute__((__fallthrough__))
#define ____cacheline_aligned	__attribute__((__aligned__(64)))
#define static_assert(condition) _Static_assert(condition, #condition)
#define BUILD_BUG_ON(condition)	_Static_assert(!(condition), #condition)
#define likely(x)		(x)
#define unlikely(x)		(x)
#define barrier()		__asm__ volatile("" : : : "memory")
#define READ_ONCE(x)		(*(const volatile typeof(x) *)&(x))
#define READ_ONCE_NOCHECK(x)	READ_ONCE(x)
#define WRITE_ONCE(x, value)	(*(volatile typeof(x) *)&(x) = (value))
#define cmpxchg(at, old, new)	__sync_val_compare_and_swap(at, old, new)

#define ARRAY_SIZE(a)		(sizeof(a) / sizeof((a)[0]))
#define ALIGN(x, a)		(((x) + (a) - 1) / (a) * (a))
#define DIV_ROUND_UP(x, y)	(((x) + (y) - 1) / (y))
#define min_t(type, x, y)	((type)(x) < (type)(y) ? (type)(x) : (type)(y))
#define max_t(type, x, y)	((type)(x) > (type)(y) ? (type)(x) : (type)(y))
#define min(x, y)		((x) < (y) ? (x) : (y))
#define max(x, y)		((x) > (y) ? (x) : (y))
#define swap(a, b) do { typeof(a) __old = (a); (a) = (b); (b) = __old; } while (0)
#define struct_size(p, member, nr) \
	(sizeof(*(p)) + sizeof((p)->member[0]) * (size_t)(nr))
#define container_of(at, type, member) \
	((type *)((char *)(at) - offsetof(type, member)))

#define BIT(n)			(1ul << (n))
#define GENMASK(high, low)	((~0ul >> (63 - (high))) & (~0ul << (low)))
#define GENMASK_ULL(high, low)	((~0ull >> (63 - (high))) & (~0ull << (low)))
#define FIELD_MAX(mask)		((mask) / ((mask) & -(mask)))
#define FIELD_GET(mask, value)	(((value) & (mask)) / ((mask) & -(mask)))
#define FIELD_PREP(mask, value)	(((mask) & -(mask)) * (u32)(value) & (mask))

#define put_unaligned(value, at) do {				\
	typeof(*(at)) __value = (value);			\
								\
	memcpy(at, &__value, sizeof(__value));			\
} while (0)

static inline int fls(u32 value)
{
	return value ? 32 - __builtin_clz(value) : 0;
}

static inline int fls64(u64 value)
{
	return value ? 64 - __builtin_clzll(value) : 0;
}

static inline bool is_power_of_2(unsigned long value)
{
	return value && !(value & (value - 1));
}

int kstrtouint(const char *text, unsigned int base, unsigned int *value);
ssize_t strscpy(char *to, const char *from, size_t size);

static inline u64 div_u64_rem(u64 value, u32 by, u32 *rest)
{
	*rest = value % by;
	return value / by;
}

#define __bf_shf(mask)		(__builtin_ffsll(mask) - 1)

#define BITS_TO_LONGS(nr)	DIV_ROUND_UP(nr, BITS_PER_LONG)

static inline bool test_bit(unsigned long i, const unsigned long *map)
{
	return map[i / BITS_PER_LONG] >> i % BITS_PER_LONG & 1;
}

static inline void __set_bit(unsigned long i, unsigned long *map)
{
	map[i / BITS_PER_LONG] |= 1ul << i % BITS_PER_LONG;
}

static inline bool __test_and_set_bit(unsigned long i, unsigned long *map)
{
	bool was = test_bit(i, map);

	__set_bit(i, map);
	return was;
}

#define GOLDEN_RATIO_PRIME	0x61c8864680b583ebull

/* Of x86-64 */
#define CONFIG_X86_32		0
#define CONFIG_X86_64		1
#define CONFIG_HAVE_EFFICIENT_UNALIGNED_ACCESS	0
#define PAGE_SIZE		4096ul
#define PAGE_MASK		(~(PAGE_SIZE - 1))
#define PAGE_OFFSET		0xffff888000000000ul
#define MODULES_VADDR		0xffffffffc0000000ul
#define MODULES_END		0xffffffffff000000ul
#define IS_ENABLED(option)	(option)

#define SZ_64K			0x10000
#define cond_resched()		((void)0)

u32 crc32_le(u32 crc, const void *data, size_t size);

#define GFP_KERNEL		0
#define kmalloc(size, gfp)	malloc(size)
#define kzalloc(size, gfp)	calloc(1, size)
#define kvcalloc(nr, size, gfp)	calloc(nr, size)
#define kfree(p)		free(p)
#define kvfree(p)		free(p)
#define kfree_rcu(p, member)	free(p)

/* Lists */
struct list_head {
	struct list_head *next, *prev;
};

struct rcu_head {
	void	*none;
};

#define LIST_HEAD(name)		struct list_head name = { &name, &name }

static inline void list_add(struct list_head *new, struct list_head *head)
{
	new->next = head->next;
	new->prev = head;
	head->next->prev = new;
	head->next = new;
}

static inline void list_del(struct list_head *entry)
{
	entry->next->prev = entry->prev;
	entry->prev->next = entry->next;
}

#define list_add_rcu		list_add
#define list_del_rcu		list_del
#define list_for_each_entry(at, head, member)				\
	for (at = container_of((head)->next, typeof(*at), member);	\
	     &at->member != (head);					\
	     at = container_of(at->member.next, typeof(*at), member))
#define list_for_each_entry_rcu(at, head, member, condition) \
	list_for_each_entry(at, head, member)

#define rcu_assign_pointer(p, value)		((p) = (value))
#define rcu_access_pointer(p)			(p)
#define rcu_dereference_check(p, condition)	(p)
#define rcu_replace_pointer(p, value, condition) \
	({ typeof(p) __old = (p); (p) = (value); __old; })
#define synchronize_rcu()	((void)0)

/* One thread, nothing to lock */
struct mutex {
	int	none;
};

#define DEFINE_MUTEX(name)	struct mutex name
#define preemptible()		true
#define lockdep_assert_held(l)	((void)(l))
#define guard(what)		guard_##what
#define guard_mutex(l)		((void)(l))
#define guard_preempt_notrace()	((void)0)
#define scoped_guard(what, l)	for (struct mutex *lock = (l); lock; lock = NULL)
#define BLOCKING_NOTIFIER_HEAD(name)			struct mutex name
#define blocking_notifier_chain_register(head, nb)	((void)(head), (void)(nb), 0)
#define blocking_notifier_call_chain(head, event, data)	((void)(head))
#define early_initcall(function) int kernel_initcall(void) { return function(); }
#define pr_err(...)		fprintf(stderr, __VA_ARGS__)
#define pr_info			pr_err
#define pr_info_once		pr_err
#define EXPORT_SYMBOL_GPL(name)	extern int no_symbol_##name

typedef int (*cmp_r_func_t)(const void *a, const void *b, const void *priv);
typedef void (*swap_r_func_t)(void *a, void *b, int size, const void *priv);

void sort_r(void *base, size_t nr, size_t size, cmp_r_func_t compare,
	    swap_r_func_t swap_two, const void *priv);

/* Modules, as far as their tables go */
enum { MOD_TEXT, MOD_INIT_TEXT, MOD_NR };

struct module_memory {
	void		*base;
	unsigned int	size;
};

struct module {
	char			name[56];
	struct module_memory	mem[MOD_NR];
	void			*ftrace_sigs;
	unsigned long		ftrace_sigs_size;
};

/* The image: what is between these symbols, and the notes that name it */
extern char _stext[], _etext[], _sinittext[], _einittext[];

#define BUILD_ID_SIZE_MAX	20

int build_id_parse_buf(const void *notes, u8 *id, u32 size);

/* Addresses with a name, see shim_has_name() */
bool is_kernel_text(unsigned long address);
bool is_kernel_inittext(unsigned long address);
bool is_module_text_address(unsigned long address);
#define __is_kernel		is_kernel_text
#define KSYM_NAME_LEN		512
const char *kallsyms_lookup(unsigned long address, unsigned long *size, unsigned long *offset,
			    char **module, char *name);
int kallsyms_lookup_size_offset(unsigned long address, unsigned long *size,
				unsigned long *offset);

/* Stacks: nobody's end is known */
struct stack_info {
	unsigned long	*end;
};

#define current			NULL
#define in_task_stack(at, task, info)			((info)->end = NULL, false)
#define get_stack_info_noinstr(at, task, info)		false

/* Registers of a traced function */
struct ftrace_regs {
	unsigned long	args[6];
	unsigned long	sp;
};

#define ftrace_regs_get_argument(regs, n)	((regs)->args[n])
#define ftrace_regs_get_stack_pointer(regs)	((regs)->sp)

static inline size_t str_has_prefix(const char *str, const char *prefix)
{
	size_t length = strlen(prefix);

	return strncmp(str, prefix, length) ? 0 : length;
}

/* Registers of the user, on the task's stack */
struct pt_regs {
	unsigned long	r9, bp, r10, di, dx, r8, cx, si, bx;
};

#define THREAD_SIZE		1024
extern unsigned long shim_stack[THREAD_SIZE / sizeof(unsigned long)];
#define task_stack_page(task)	((void *)shim_stack)

/* Events */
#define TRACE_SEQ_SIZE		8064

struct seq_buf {
	size_t		size;
	size_t		len;
};

struct trace_seq {
	char		buffer[TRACE_SEQ_SIZE];
	struct seq_buf	seq;
	int		full;
};

static inline bool seq_buf_has_overflowed(const struct seq_buf *seq)
{
	return seq->len > seq->size;
}

static inline void seq_buf_set_overflow(struct seq_buf *seq)
{
	seq->len = seq->size + 1;
}

static inline size_t seq_buf_buffer_left(const struct seq_buf *seq)
{
	return seq_buf_has_overflowed(seq) ? 0 : seq->size - seq->len;
}

static inline bool trace_seq_has_overflowed(const struct trace_seq *s)
{
	return s->full;
}

struct trace_iterator {
	struct trace_seq	seq;
	unsigned long		iter_flags;
};

enum print_line_t {
	TRACE_TYPE_PARTIAL_LINE,
	TRACE_TYPE_HANDLED,
};

void trace_seq_init(struct trace_seq *s);
void trace_seq_puts(struct trace_seq *s, const char *text);
void trace_seq_putc(struct trace_seq *s, unsigned char c);
void trace_seq_putmem(struct trace_seq *s, const void *bytes, size_t size);
__attribute__((__format__(printf, 2, 3)))
void trace_seq_printf(struct trace_seq *s, const char *fmt, ...);

#define MAX_ERRNO		4095
#define IS_ERR_VALUE(x)		((unsigned long)(x) >= -4095ul)
const char *errname(int err);

#define MAJOR(dev)		((unsigned int)((dev) >> 20))
#define MINOR(dev)		((unsigned int)((dev) & 0xfffff))

#define S_IFMT			0170000
#define S_IFSOCK		0140000
#define S_IFLNK			0120000
#define S_IFREG			0100000
#define S_IFBLK			0060000
#define S_IFDIR			0040000
#define S_IFCHR			0020000
#define S_IFIFO			0010000

#endif /* KERNEL_SHIM_H */
