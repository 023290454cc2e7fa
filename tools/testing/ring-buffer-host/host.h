/* SPDX-License-Identifier: GPL-2.0 */
/*
 * As much of the kernel as the ring buffer needs, for a program. Every
 * <linux/...> and <asm/...> header that the ring buffer includes is this one,
 * but for those of the ring buffer's interface: see Makefile.
 *
 * There is one CPU, or what a test makes of it: host_cpu. An interrupt is a
 * function called in the middle of another, see step.c.
 */
#ifndef HOST_H
#define HOST_H

#include <asm-generic/errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Arguments go in registers where they do in the kernel, but not those of the
 * C library. Its headers cannot say so.
 */
#define LIBC __attribute__((regparm(0)))
LIBC void abort(void) __attribute__((noreturn));
LIBC void *aligned_alloc(size_t alignment, size_t size);
LIBC void free(void *p);
LIBC void *memset(void *p, int c, size_t n);
LIBC void *memcpy(void *p, const void *q, size_t n);
LIBC int memcmp(const void *p, const void *q, size_t n);
LIBC int strcmp(const char *p, const char *q);
LIBC size_t strlen(const char *s);
LIBC unsigned long strtoul(const char *s, char **end, int base);
LIBC unsigned long long strtoull(const char *s, char **end, int base);
LIBC long time(long *t);
LIBC int fflush(void *stream);
LIBC int printf(const char *fmt, ...);
LIBC int vsnprintf(char *s, size_t n, const char *fmt, va_list args);

#if __SIZEOF_POINTER__ == 8
# define CONFIG_64BIT 1
# define BITS_PER_LONG 64
#else
# define BITS_PER_LONG 32
#endif
#define CONFIG_ARCH_HAVE_NMI_SAFE_CMPXCHG 1
#define CONFIG_RING_BUFFER_ALLOW_SWAP 1
#define CONFIG_RING_BUFFER 1

/* IS_ENABLED() as the kernel has it: 1 if the option is defined as 1 */
#define HOST_ARG_1 0,
#define host_second(ignored, value, ...) value
#define host_enabled3(arg_or_junk) host_second(arg_or_junk 1, 0)
#define host_enabled2(value) host_enabled3(HOST_ARG_##value)
#define host_enabled1(value) host_enabled2(value)
#define IS_ENABLED(option) host_enabled1(option)

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef int32_t s32;
typedef unsigned long long u64;
typedef int64_t s64;
typedef uint32_t __u32;
typedef unsigned int gfp_t;
typedef unsigned int __poll_t;
#if BITS_PER_LONG == 64
typedef uint64_t __u64;
#else
typedef uint64_t __u64 __attribute__((aligned(4)));
#endif

#define U32_MAX			UINT32_MAX
#define S32_MAX			INT32_MAX
#undef static_assert
#define static_assert		_Static_assert
#define roundup_pow_of_two(n)	(1UL << (BITS_PER_LONG - __builtin_clzl((n) - 1)))
#define __aligned(n)		__attribute__((aligned(n)))
#define ____cacheline_aligned	__aligned(64)
#undef __always_inline
#define __always_inline		inline __attribute__((always_inline))
#define noinline		__attribute__((noinline))
#define notrace
#define __init
#define __maybe_unused		__attribute__((unused))
#define likely(x)		__builtin_expect(!!(x), 1)
#define unlikely(x)		__builtin_expect(!!(x), 0)
#define OPTIMIZER_HIDE_VAR(v)	asm("" : "+r" (v))
#define barrier()		asm volatile("" : : : "memory")
#define fallthrough		__attribute__((fallthrough))
#define data_race(x)		(x)
#define READ_ONCE(x)		(*(const volatile typeof(x) *)&(x))
#define WRITE_ONCE(x, v)	(*(volatile typeof(x) *)&(x) = (v))
#define smp_wmb()		barrier()
#define smp_rmb()		barrier()
#define smp_mb__before_atomic()	barrier()
#define smp_load_acquire(p)	({ typeof(*(p)) v_ = READ_ONCE(*(p)); barrier(); v_; })
#define smp_store_release(p, v)	do { barrier(); WRITE_ONCE(*(p), v); } while (0)
#if __SIZEOF_POINTER__ == 8
# define smp_mb()		asm volatile("lock; addl $0, -4(%%rsp)" : : : "memory", "cc")
#else
# define smp_mb()		asm volatile("lock; addl $0, -4(%%esp)" : : : "memory", "cc")
#endif

/*
 * Before each access to memory that more than one writer or reader sees. The
 * compiler adds the calls for all but those in assembler: see step.c.
 */
#ifdef HOST_STEP
void host_step(void);
#else
static inline void host_step(void) { }
#endif
#define BIT(n)			(1UL << (n))
#define DIV_ROUND_UP(a, b)	(((a) + (b) - 1) / (b))
#define ALIGN(x, a)		(((x) + (a) - 1) & ~((typeof(x))(a) - 1))
#define IS_ALIGNED(x, a)		(((x) & ((typeof(x))(a) - 1)) == 0)
#define ARRAY_SIZE(a)		(sizeof(a) / sizeof((a)[0]))
#define max(a, b)		((a) > (b) ? (a) : (b))
#define min(a, b)		((a) < (b) ? (a) : (b))
#define min_t(t, a, b)		min((t)(a), (t)(b))
#define max_t(t, a, b)		max((t)(a), (t)(b))
#define is_signed_type(t)	((t)-1 < (t)1)
#define container_of(p, t, m)	((t *)((char *)(p) - offsetof(t, m)))
#define EXPORT_SYMBOL_GPL(x)

/* warnings end the test */
void host_warn(const char *file, int line, const char *what);
#define WARN_ON_ONCE(c) ({ bool c_ = !!(c); if (c_) host_warn(__FILE__, __LINE__, #c); c_; })
#define WARN_ON(c)	WARN_ON_ONCE(c)
#define pr_info(...)	do { } while (0)
#define pr_warn(...)	do { } while (0)
#define pr_err(...)	printf("# " __VA_ARGS__)

/* of each CPU: where there are threads, each is one */
#ifdef HOST_THREADS
# define HOST_PER_CPU __thread
#else
# define HOST_PER_CPU
#endif

/* preemption, as x86 counts it; zero says that it is due */
#define HOST_PREEMPT_ZERO	(1U << 31)
extern HOST_PER_CPU int host_preempt_count, host_cpu;
extern HOST_PER_CPU bool host_nmi;
void host_reschedule(void);
#define preempt_disable_notrace() asm volatile("incl %0" : "+m" (host_preempt_count))
#define preempt_enable_notrace() do {						\
	bool zero_;								\
	asm volatile("decl %1" : "=@cce" (zero_), "+m" (host_preempt_count));	\
	if (unlikely(zero_))							\
		host_reschedule();						\
} while (0)
#define preempt_disable()	preempt_disable_notrace()
#define preempt_enable()	preempt_enable_notrace()
#define raw_smp_processor_id()	READ_ONCE(host_cpu)
#define smp_processor_id()	raw_smp_processor_id()
#define cpu_online(cpu)		((void)(cpu), true)
#define in_nmi()		host_nmi
extern HOST_PER_CPU unsigned char host_context;	/* 0: a task, to 3: an NMI */
#define interrupt_context_level() READ_ONCE(host_context)
#define __percpu
#define DEFINE_PER_CPU(type, x)	HOST_PER_CPU type x
#define this_cpu_read(x)	READ_ONCE(x)	/* all run on CPU 0 */
#define this_cpu_inc(x)		((x)++)
#define this_cpu_dec(x)		((x)--)
#define per_cpu_ptr(p, cpu)	(&(p)[cpu])
/* in assembler: no access that others could interrupt */
extern HOST_PER_CPU unsigned long host_irqs_off;
#define irqs_disabled()		(READ_ONCE(host_irqs_off) != 0)
#define local_irq_restore(f)	asm volatile("mov %1, %0" : "=m" (host_irqs_off) : "r" (f))
#define local_irq_save(f) do {							\
	asm volatile("mov %1, %0" : "=r" (f) : "m" (host_irqs_off));		\
	local_irq_restore(1UL);							\
} while (0)

typedef struct { int counter; } atomic_t;
#define atomic_read(v)		READ_ONCE((v)->counter)
#define atomic_set(v, i)	WRITE_ONCE((v)->counter, i)
#define host_asm(insn, v, ...)	\
	do { host_step(); asm volatile(insn : "+m" ((v)->counter) __VA_ARGS__); } while (0)
#define atomic_inc(v)		host_asm("lock; incl %0", v, : : "memory", "cc")
#define atomic_dec(v)		host_asm("lock; decl %0", v, : : "memory", "cc")
#define atomic_or(i, v)		host_asm("lock; orl %1, %0", v, : "ir" ((int)(i)) : "memory", "cc")
#define atomic_andnot(i, v) \
	host_asm("lock; andl %1, %0", v, : "ir" (~(int)(i)) : "memory", "cc")

typedef struct { s64 counter __aligned(8); } atomic64_t;
#define atomic64_set(v, i)	host_atomic64_set(v, i)
#define atomic64_read(v)	host_atomic64_read(v)
#define atomic64_try_cmpxchg(v, old, new)	host_cmpxchg64(v, (s64 *)(old), new)

static __always_inline bool host_cmpxchg64(atomic64_t *v, s64 *old, s64 new)
{
	bool done;

	host_step();
#if BITS_PER_LONG == 64
	asm volatile("lock; cmpxchgq %3, %1" : "=@ccz" (done), "+m" (v->counter), "+a" (*old)
		     : "r" (new) : "memory");
#else
	asm volatile("lock; cmpxchg8b %1" : "=@ccz" (done), "+m" (v->counter), "+A" (*old)
		     : "b" ((u32)new), "c" ((u32)(new >> 32)) : "memory");
#endif
	return done;
}

static __always_inline s64 host_atomic64_read(atomic64_t *v)
{
	s64 value = 0;

	if (BITS_PER_LONG == 64)
		return READ_ONCE(v->counter);
	host_cmpxchg64(v, &value, 0);
	return value;
}

static __always_inline void host_atomic64_set(atomic64_t *v, s64 value)
{
	s64 old = 0;

	while (!host_cmpxchg64(v, &old, value))
		;
}

typedef struct { long counter; } local_t;
#define local_read(v)		READ_ONCE((v)->counter)
#define local_set(v, i)		WRITE_ONCE((v)->counter, i)
#if BITS_PER_LONG == 64
# define local_inc(v)		host_asm("incq %0", v, : : "cc")
# define local_add(i, v)	host_asm("addq %1, %0", v, : "er" ((long)(i)) : "cc")
#else
# define local_inc(v)		host_asm("incl %0", v, : : "cc")
# define local_add(i, v)	host_asm("addl %1, %0", v, : "ir" ((long)(i)) : "cc")
#endif

#ifdef CONFIG_GENERIC_ATOMIC64
/* with interrupts off, where they can be: an NMI may come in the middle */
static __always_inline bool try_cmpxchg64_local(u64 *p, u64 *old, u64 new)
{
	u64 now = READ_ONCE(*p);
	bool done = now == *old;

	host_step();
	if (done)
		WRITE_ONCE(*p, new);
	*old = now;
	return done;
}
#else
/* without a lock prefix: for one CPU, as try_cmpxchg64_local() is */
static __always_inline bool try_cmpxchg64_local(u64 *p, u64 *old, u64 new)
{
	bool done;

	host_step();
#if BITS_PER_LONG == 64
	asm volatile("cmpxchgq %3, %1" : "=@ccz" (done), "+m" (*p), "+a" (*old)
		     : "r" (new) : "memory");
#else
	asm volatile("cmpxchg8b %1" : "=@ccz" (done), "+m" (*p), "+A" (*old)
		     : "b" ((u32)new), "c" ((u32)(new >> 32)) : "memory");
#endif
	return done;
}
#endif

#ifdef HOST_THREADS
#define xchg(p, v)		__atomic_exchange_n(p, v, __ATOMIC_SEQ_CST)
#define cmpxchg(p, old, new)	__sync_val_compare_and_swap(p, old, new)
#else
/* where no test interrupts */
#define xchg(p, v)		({ typeof(*(p)) old_ = *(p); *(p) = (v); old_; })
#define cmpxchg(p, old, new)	\
	({ typeof(*(p)) old_ = *(p); *(p) = old_ == (old) ? (new) : old_; old_; })
#endif

/* readers take turns */
typedef struct { int locked; } raw_spinlock_t;
struct lock_class_key { int unused; };
#define raw_spin_lock_init(l)	((l)->locked = 0)
static inline bool raw_spin_trylock(raw_spinlock_t *l)
{
	int old = 1;

	asm volatile("xchgl %0, %1" : "+r" (old), "+m" (l->locked) : : "memory");
	return !old;
}
#define raw_spin_lock(l)	do { } while (!raw_spin_trylock(l))
#define raw_spin_unlock(l)	smp_store_release(&(l)->locked, 0)
#define raw_spin_lock_irqsave(l, f)	do { local_irq_save(f); raw_spin_lock(l); } while (0)
#define raw_spin_unlock_irqrestore(l, f) do { raw_spin_unlock(l); local_irq_restore(f); } while (0)
#define lockdep_set_class(l, k)	((void)(k))
struct mutex { int unused; };
#define mutex_init(m)		((void)(m))
#define mutex_lock(m)		((void)(m))
#define mutex_unlock(m)		((void)(m))

struct cpumask { unsigned long bits; };
typedef struct cpumask cpumask_var_t[1];
#define cpumask_test_cpu(cpu, mask)	((mask)->bits >> (cpu) & 1)
#define cpumask_set_cpu(cpu, mask)	((mask)->bits |= 1UL << (cpu))
#define for_each_cpu_and(cpu, a, b)	\
	for ((cpu) = 0; (cpu) < nr_cpu_ids; (cpu)++)	\
		if ((a)->bits >> (cpu) & (b)->bits >> (cpu) & 1)
#define for_each_cpu(cpu, mask)		for_each_cpu_and(cpu, mask, mask)
#define nr_cpu_ids 4

struct irq_work { void (*func)(struct irq_work *work); };
#define init_irq_work(w, f)	((w)->func = (f))
#define irq_work_queue(w)	((w)->func(w))
#define irq_work_sync(w)	((void)(w))
typedef struct wait_queue_head { int unused; } wait_queue_head_t;
struct notifier_block {
	int (*notifier_call)(struct notifier_block *nb, unsigned long event, void *data);
};
struct hlist_node { struct hlist_node *next, **pprev; };
struct work_struct { int unused; };
struct file;
struct vm_area_struct;
typedef struct poll_table_struct poll_table;

#define PAGE_SHIFT		12
#define PAGE_SIZE		(1UL << PAGE_SHIFT)
#define GFP_KERNEL		1U
#define __GFP_RETRY_MAYFAIL	2U
#define __GFP_COMP		4U
#define __GFP_ZERO		8U
#define __GFP_NORETRY		16U
#define __GFP_NOWARN		32U
#define GFP_USER		1U
struct page;
#define cpu_to_node(cpu)	0
#define cache_line_size()	64UL
#define si_mem_available()	(~0UL >> 1)
#define set_current_oom_origin()	((void)0)
#define clear_current_oom_origin()	((void)0)
struct host_task { void *mm; };
extern struct host_task *current;
#define fatal_signal_pending(task)	((void)(task), false)
void *host_alloc(size_t size);
#define kzalloc_node(size, gfp, node)	((void)(node), host_alloc(size))
#define kzalloc(size, gfp)		host_alloc(size)
#define gfpflags_allow_blocking(gfp)	false
#define kmalloc(size, gfp)		host_alloc(size)
#define kvcalloc(n, size, gfp)		host_alloc((n) * (size))
#define vzalloc_node(size, node)	host_alloc(size)
#define array_size(n, size)		((n) * (size))
#define get_order(size)			(__builtin_clzl(PAGE_SIZE - 1) - __builtin_clzl((size) - 1))
#define split_page(memory, order)	((void)0)
#define is_vmalloc_addr(p)		((void)(p), true)
#define vfree(p)			free(p)
#define free_pages_exact(p, size)	((void)0)
#define MAX_PAGE_ORDER		0U	/* the rest is for vfree() */
#define kfree(p)			free((void *)(p))
#define kvfree(p)			free((void *)(p))
#define alloc_pages_node(node, gfp, order)	((struct page *)host_alloc(PAGE_SIZE << (order)))
#define memset32(p, v, n)		memset(p, v, (n) * 4UL)
#define PAGE_ALIGN(size)		ALIGN(size, PAGE_SIZE)
#define free_page(addr)			((void)(addr))
#define page_address(page)		((void *)(page))
#define virt_to_page(addr)		((struct page *)(addr))
#define page_ref_count(page)		((void)(page), 1)
#define free_pages(addr, order)		free((void *)(addr))

/* as far as sched_clock() goes: what the test says */
u64 sched_clock_noinstr(void);
u64 trace_clock_local(void);

struct trace_seq { char buffer[4096]; size_t len; };
__attribute__((format(printf, 2, 3)))
void trace_seq_printf(struct trace_seq *s, const char *fmt, ...);
#define trace_seq_has_overflowed(s)	((s)->len >= sizeof((s)->buffer))

#endif /* HOST_H */
