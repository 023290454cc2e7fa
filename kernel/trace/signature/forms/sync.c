// SPDX-License-Identifier: GPL-2.0
/* Locks, counters, lists. */
#include <linux/atomic.h>
#include <linux/completion.h>
#include <linux/kref.h>
#include <linux/list.h>
#include <linux/lockref.h>
#include <linux/mutex.h>
#include <linux/percpu_counter.h>
#include <linux/refcount.h>
#include <linux/rwsem.h>
#include <linux/sched.h>
#include <linux/semaphore.h>
#include <linux/spinlock.h>
#include <linux/wait.h>

#include "form.h"

FORM_MEMBERS(atomic_t, atomic_t, MEMBER("counter", atomic_t, counter, form_signed));
FORM_MEMBERS(atomic64_t, atomic64_t, MEMBER("counter", atomic64_t, counter, form_signed));
FORM_OF_STRUCT(refcount_struct, MEMBER("refs", struct refcount_struct, refs, form_signed));
FORM_OF_STRUCT(kref, MEMBER("refcount", struct kref, refcount, form_signed));
FORM_OF_STRUCT(lockref, MEMBER("count", struct lockref, count, form_signed));
FORM_OF_STRUCT(percpu_counter, MEMBER("count", struct percpu_counter, count, form_signed));
FORM_OF_STRUCT(semaphore, MEMBER("count", struct semaphore, count, form_unsigned));
FORM_OF_STRUCT(completion, MEMBER("done", struct completion, done, form_unsigned));

#if defined(CONFIG_QUEUED_SPINLOCKS) && !defined(CONFIG_PREEMPT_RT)
/* The low byte is the lock; above it is who waits */
static void print_spinlock(struct trace_seq *s, const void *value, unsigned int size,
			   unsigned int how)
{
	u32 state;

	memcpy(&state, value, sizeof(state));
	trace_seq_puts(s, !state ? "{unlocked}" : state > U8_MAX ? "{locked, contended}" :
		       "{locked}");
}

FORM_OF_STRUCT(raw_spinlock,
	MEMBER("", struct raw_spinlock, raw_lock.val, print_spinlock));
FORM_OF_STRUCT(spinlock,
	MEMBER("", struct spinlock, rlock.raw_lock.val, print_spinlock));
#endif

#ifndef CONFIG_PREEMPT_RT
/*
 * The task that holds a lock.  The low bits of the word are flags.  A task that is freed
 * stays readable for a grace period, and one that holds a lock is not freed.
 */
#define OWNER_FLAGS	7UL

static const struct form_member owner_members[] = {
	CHARS("comm", struct task_struct, comm),
	MEMBER("pid", struct task_struct, pid, form_signed),
};

static void put_owner(struct form_writer *w, unsigned long owner)
{
	owner &= ~OWNER_FLAGS;
	form_put(w, &owner, sizeof(owner));
	if (owner)
		form_put_members(w, owner_members, ARRAY_SIZE(owner_members), owner);
}

static void print_owner(struct trace_seq *s, struct form_reader *r, unsigned int how)
{
	trace_seq_puts(s, "owner={");
	form_print_list(owner_members, ARRAY_SIZE(owner_members), s, r, how);
	trace_seq_putc(s, '}');
}

static bool mutex_capture(struct form_writer *w, unsigned long address)
{
	unsigned long owner;

	if (!ftrace_peek_member(&owner, address, struct mutex, owner))
		return false;
	put_owner(w, owner);
	return true;
}

static void mutex_print(struct trace_seq *s, const void *data, unsigned int size,
			unsigned int how)
{
	struct form_reader r = { data, size };
	unsigned long owner;

	trace_seq_putc(s, '{');
	if (!form_get(&r, &owner, sizeof(owner)))
		trace_seq_putc(s, '?');
	else if (!owner)
		trace_seq_puts(s, "unlocked");
	else
		print_owner(s, &r, how);
	trace_seq_putc(s, '}');
}

FORM_FUNCTIONS(mutex, struct mutex);

/*
 * A writer has the lowest bit of the count, the number of readers is above the lowest
 * byte.  What else is in that byte is not shown.  The owner may be the last reader.
 */
#define RWSEM_WRITER	1UL
#define RWSEM_READERS	(LONG_MAX & ~0xffUL)

static bool rw_semaphore_capture(struct form_writer *w, unsigned long address)
{
	unsigned long count, owner;

	if (!ftrace_peek_member(&count, address, struct rw_semaphore, count) ||
	    !ftrace_peek_member(&owner, address, struct rw_semaphore, owner))
		return false;
	count &= RWSEM_WRITER | RWSEM_READERS;
	form_put(w, &count, sizeof(count));
	put_owner(w, count & RWSEM_WRITER ? owner : 0);
	return true;
}

static void rw_semaphore_print(struct trace_seq *s, const void *data, unsigned int size,
			       unsigned int how)
{
	struct form_reader r = { data, size };
	unsigned long count, owner;

	trace_seq_putc(s, '{');
	if (!form_get(&r, &count, sizeof(count)) || !form_get(&r, &owner, sizeof(owner)))
		trace_seq_putc(s, '?');
	else if (owner)
		print_owner(s, &r, how);
	else if (count & RWSEM_WRITER)
		trace_seq_puts(s, "owner=?");
	else if (count)
		trace_seq_printf(s, "readers=%lu", count >> 8);
	else
		trace_seq_puts(s, "unlocked");
	trace_seq_putc(s, '}');
}

FORM_FUNCTIONS(rw_semaphore, struct rw_semaphore);
#endif

/* An empty list points to itself, so its address is needed, too */
static bool list_head_capture(struct form_writer *w, unsigned long address)
{
	unsigned long links[2];
	bool empty;

	if (!ftrace_peek(links, address, sizeof(struct list_head)))
		return false;
	empty = links[0] == address;
	form_put(w, &empty, sizeof(empty));
	form_put(w, links, sizeof(links));
	return true;
}

static void list_head_print(struct trace_seq *s, const void *data, unsigned int size,
			    unsigned int how)
{
	struct form_reader r = { data, size };
	unsigned long links[2];
	u8 empty;

	if (!form_get(&r, &empty, sizeof(empty)) || !form_get(&r, links, sizeof(links))) {
		trace_seq_putc(s, '?');
	} else if (empty) {
		trace_seq_puts(s, "{empty}");
	} else {
		trace_seq_puts(s, "{next=");
		form_pointer(s, &links[0], sizeof(long), how);
		trace_seq_puts(s, ", prev=");
		form_pointer(s, &links[1], sizeof(long), how);
		trace_seq_putc(s, '}');
	}
}

FORM_FUNCTIONS(list_head, struct list_head);

static bool wait_queue_head_capture(struct form_writer *w, unsigned long address)
{
	return list_head_capture(w, address + offsetof(struct wait_queue_head, head));
}

#define wait_queue_head_print list_head_print
FORM_FUNCTIONS(wait_queue_head, struct wait_queue_head);
