/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What else of the kernel the whole interface of the ring buffer needs, for
 * the KUnit tests of it to run in a program.
 */
#ifndef HOST_MORE_H
#define HOST_MORE_H

#include "host.h"

/* CPU 0 is the only one, and online */
static const struct cpumask host_cpu0 = { 1 };
#define cpumask_of(cpu)			(&host_cpu0)
#define cpu_online_mask			(&host_cpu0)
#define cpu_possible_mask		(&host_cpu0)
#undef cpu_online
#define cpu_online(cpu)			((cpu) == 0)
#define for_each_possible_cpu(cpu)	for ((cpu) = 0; (cpu) < nr_cpu_ids; (cpu)++)
#define alloc_percpu(type)		((type *)host_alloc(nr_cpu_ids * sizeof(type)))
#define free_percpu(p)			free(p)
#define zalloc_cpumask_var(mask, gfp)	((*(mask))->bits = 0, true)
#define free_cpumask_var(mask)		((void)(mask))
#define cpus_read_lock()		((void)0)
#define cpus_read_unlock()		((void)0)
#define migrate_disable()		((void)0)
#define migrate_enable()		((void)0)
#define work_on_cpu(cpu, fn, arg)	fn(arg)
#define synchronize_rcu()		((void)0)
#define cond_resched()			((void)0)
#define CPUHP_TRACE_RB_PREPARE		0
#define cpuhp_state_add_instance(s, n)	((void)(n), 0)
#define cpuhp_state_remove_instance(s, n) ((void)(n))
#define NOTIFY_DONE			0
#define atomic_notifier_chain_register(l, n)	((void)(n))
#define atomic_notifier_chain_unregister(l, n)	((void)(n))
#define arch_ring_buffer_flush_range(a, b)	((void)(a), (void)(b))
#define atomic_read_acquire(v)		atomic_read(v)
#define atomic_fetch_inc_release(v)	((v)->counter++)
#define kcalloc(n, size, gfp)		host_alloc((n) * (size))
#define swap(a, b)	do { typeof(a) swap_ = (a); (a) = (b); (b) = swap_; } while (0)
#define WARN(c, ...)			WARN_ON_ONCE(c)

/* for ring_buffer_map.c, but for the mapping itself */
#define guard(class)			host_guard_##class
#define host_guard_mutex(lock)		mutex_lock(lock)
#define get_zeroed_page(gfp)		((unsigned long)host_alloc(PAGE_SIZE))
#define flush_kernel_vmap_range(p, size) ((void)(p), (void)(size))

/* for ring_buffer_persist.c */
typedef long long loff_t;
struct file { void *private_data; };
struct seq_file { void *private; };
struct seq_operations {
	void *(*start)(struct seq_file *m, loff_t *pos);
	void (*stop)(struct seq_file *m, void *v);
	void *(*next)(struct seq_file *m, void *v, loff_t *pos);
	int (*show)(struct seq_file *m, void *v);
};
static inline void seq_printf(struct seq_file *m, const char *fmt, ...) { }
#define seq_open(file, ops)		((void)(ops), 0)
struct trace_buffer;
int ring_buffer_meta_seq_init(struct file *file, struct trace_buffer *buffer, int cpu);
#define wmb()				barrier()
#define ALIGN_DOWN(x, a)		((x) & ~((typeof(x))(a) - 1))
#define struct_size(p, member, n)	(sizeof(*(p)) + (n) * sizeof(*(p)->member))
#define bitmap_zalloc(bits, gfp)	host_alloc(ALIGN(bits, 64) / 8)
#define bitmap_free(map)		free(map)
static inline bool test_and_set_bit(unsigned long nr, unsigned long *map)
{
	unsigned long bit = 1UL << nr % BITS_PER_LONG, *word = &map[nr / BITS_PER_LONG];
	bool old = *word & bit;

	*word |= bit;
	return old;
}

static inline unsigned long find_first_zero_bit(const unsigned long *map, unsigned long bits)
{
	unsigned long nr = 0;

	while (nr < bits && map[nr / BITS_PER_LONG] >> nr % BITS_PER_LONG & 1)
		nr++;
	return nr;
}

/* The program has no notes, and the build ID is 1, 1, 1, ... */
#define __weak				__attribute__((weak))
#define BUILD_ID_SIZE_MAX		20
static inline int build_id_parse_buf(const void *notes, unsigned char *id, u32 size)
{
	memset(id, 1, BUILD_ID_SIZE_MAX);
	return 0;
}

static inline void *memchr_inv(const void *start, int c, size_t size)
{
	const u8 *at = start;

	for (; size; size--, at++)
		if (*at != (u8)c)
			return (void *)at;
	return NULL;
}

/* The event that a user writes, as trace.h has it */
#define TRACE_PRINT			5
LIBC int snprintf(char *to, size_t size, const char *format, ...);
#define scnprintf(...)			snprintf(__VA_ARGS__)
struct print_entry {
	struct {
		unsigned short	type;
		unsigned char	flags;
		unsigned char	preempt_count;
		int		pid;
	} ent;
	unsigned long	ip;
	char		buf[];
};

#define init_waitqueue_head(q)		((void)(q))
#define wake_up_all(q)			((void)(q))
#define ERESTARTSYS			512
#define wait_event_interruptible(q, c)	((void)(q), (c) ? 0 : -ERESTARTSYS)
#define poll_wait(filp, q, p)		((void)(q))
#define EPOLLIN				1
#define EPOLLERR			8
#define EPOLLRDNORM			64

#endif /* HOST_MORE_H */
