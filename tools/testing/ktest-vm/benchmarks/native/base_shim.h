/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the base's ring buffer needs of the kernel besides host_more.h, to be
 * compiled into a program. What only resizing, mapping and other functions need
 * that the program does not call ends it.
 */
#ifndef BASE_SHIM_H
#define BASE_SHIM_H

#include "host_more.h"
/* the base has its own, or wants others */
#undef guard
#undef interrupt_context_level
#undef flush_kernel_vmap_range

/* its calls of the clock are direct ones, as they are in the kernel that is measured */
#define CONFIG_MITIGATION_RETPOLINE 1
#define CONFIG_HAVE_UNSTABLE_SCHED_CLOCK 1

/* What list.h and cleanup.h of the base are made of */
struct list_head { struct list_head *next, *prev; };
struct hlist_head { struct hlist_node *first; };
#define LIST_POISON1		((void *)0x100)
#define LIST_POISON2		((void *)0x122)
#define __same_type(a, b)	__builtin_types_compatible_p(typeof(a), typeof(b))
#define __must_be_array(a)	0
#define __cleanup(f)		__attribute__((cleanup(f)))
#define __must_check
#define __force
#define shim_paste2(a, b)	a ## b
#define shim_paste(a, b)	shim_paste2(a, b)
#define __UNIQUE_ID(name)	shim_paste(name, __COUNTER__)
#define IS_ERR_OR_NULL(p)	(!(p) || IS_ERR(p))
static inline bool IS_ERR(const void *p) { return (unsigned long)p > -4096UL; }
static inline long PTR_ERR(const void *p) { return (long)p; }
static inline void *ERR_PTR(long error) { return (void *)error; }
#define __percpu
#include <linux/list.h>
#include <linux/cleanup.h>

static inline long shim_missing(const char *caller)
{
	host_warn(__FILE__, __LINE__, caller);
	return 0;
}

/* Contexts: a program is a task, and each of its threads a CPU */
static __always_inline unsigned int preempt_count(void)
{
	return host_preempt_count & ~HOST_PREEMPT_ZERO;
}

static __always_inline unsigned char interrupt_context_level(void)
{
	unsigned int count = preempt_count();
	bool nmi = count & 0xf00000, hard = count & 0xf0000, soft = count & 0x100;

	return nmi + (nmi || hard) + (nmi || hard || soft);
}

/* Counters: of this CPU's, without a lock prefix */
#define local_dec(v)		local_add(-1, v)
#define local_sub(i, v)		local_add(-(i), v)

static __always_inline long local_add_return(long i, local_t *v)
{
	long add = i;

	asm volatile("xadd %0, %1" : "+r" (i), "+m" (v->counter) : : "memory", "cc");
	return i + add;
}

static __always_inline bool local_try_cmpxchg(local_t *v, long *old, long new)
{
	bool done;

	asm volatile("cmpxchg %3, %1" : "=@ccz" (done), "+m" (v->counter), "+a" (*old)
		     : "r" (new) : "memory");
	return done;
}

static __always_inline long local_cmpxchg(local_t *v, long old, long new)
{
	local_try_cmpxchg(v, &old, new);
	return old;
}

typedef struct { local_t a; } local64_t;
#define local64_read(v)		local_read(&(v)->a)
#define local64_set(v, i)	local_set(&(v)->a, i)

#define atomic_add(i, v)	((void)__atomic_add_fetch(&(v)->counter, i, __ATOMIC_SEQ_CST))
#define atomic_sub(i, v)	((void)__atomic_sub_fetch(&(v)->counter, i, __ATOMIC_SEQ_CST))
#define atomic_try_cmpxchg(v, old, new)						\
	__atomic_compare_exchange_n(&(v)->counter, old, new, false,		\
				    __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)
#define try_cmpxchg(p, old, new)						\
	__atomic_compare_exchange_n(p, old, new, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)
#define test_bit(n, p)		(*(p) >> (n) & 1)
#define set_bit(n, p)		shim_missing(__func__)
#define bitmap_alloc(bits, gfp)	((unsigned long *)shim_missing(__func__))
#define bitmap_clear(map, start, bits)	shim_missing(__func__)

/* Locks */
typedef raw_spinlock_t arch_spinlock_t;
#define __ARCH_SPIN_LOCK_UNLOCKED	{ 0 }
#define arch_spin_lock(l)	raw_spin_lock(l)
#define arch_spin_unlock(l)	raw_spin_unlock(l)
#define raw_spin_lock_irq(l)	raw_spin_lock(l)
#define raw_spin_unlock_irq(l)	raw_spin_unlock(l)
#define lockdep_assert_held(l)	((void)(l))
DEFINE_LOCK_GUARD_1(raw_spinlock_irqsave, raw_spinlock_t,
		    raw_spin_lock_irqsave(_T->lock, _T->flags),
		    raw_spin_unlock_irqrestore(_T->lock, _T->flags), unsigned long flags)
DEFINE_LOCK_GUARD_1(mutex, struct mutex, mutex_lock(_T->lock), mutex_unlock(_T->lock))
DEFINE_LOCK_GUARD_0(cpus_read_lock, cpus_read_lock(), cpus_read_unlock())

/* Memory */
#define kzalloc_obj(x, ...)	((typeof(x) *)host_alloc(sizeof(x)))
DEFINE_FREE(kfree, void *, if (_T) kfree(_T))
/* That of host.h frees nothing */
#undef free_page
#define free_page(addr)		free_pages(addr, 0)
#define alloc_page(gfp)		alloc_pages_node(0, gfp, 0)
#define page_to_virt(page)	page_address(page)
#define flush_kernel_vmap_range(addr, size)	((void)(addr), (void)(size))

/* Work and waiting */
struct completion { int unused; };
#define init_completion(c)	((void)(c))
#define complete(c)		((void)(c))
#define wait_for_completion(c)	shim_missing(__func__)
#define INIT_WORK(w, f)		((void)(w), (void)(f))
#define schedule_work_on(cpu, work)	shim_missing(__func__)

/* The reader waits so for a writer; of some 2 GHz */
static inline void udelay(unsigned int us)
{
	unsigned long long start = __builtin_ia32_rdtsc();

	while (__builtin_ia32_rdtsc() - start < 2000ULL * us)
		__builtin_ia32_pause();
}

struct inode;
#define trace_seq_puts(s, text)	trace_seq_printf(s, "%s", text)
#define trace_seq_putc(s, c)	trace_seq_printf(s, "%c", c)

#define WARN_ONCE(c, ...)	WARN_ON_ONCE(c)
#undef pr_warn
#define pr_warn(...)		pr_err(__VA_ARGS__)

#endif /* BASE_SHIM_H */
