/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Syscall events: what the files trace_syscalls*.c share.
 *
 * trace_syscalls_table.c	which syscall a number is
 * trace_syscalls.c		the events' classes: fields, formats, switches
 * trace_syscalls_record.c	events for the ring buffers of instances
 * trace_syscalls_perf.c	events for perf and BPF
 * trace_syscalls_print.c	events as lines of text
 * trace_syscalls_line.c	the same as strace writes them
 * trace_syscalls_user.c	strings of user space
 *
 * A syscall's slot is its place in all tables and bitmaps here: its number in the native
 * table or, for the table of 32-bit programs on a 64-bit kernel, NR_syscalls plus its
 * number. A syscall that both tables have has two slots and one pair of events. The
 * events belong to its home slot, which is the native one; syscall_metadata.syscall_nr
 * has it once the tables are filled, and is -1 if no table has the syscall.
 */
#ifndef _KERNEL_TRACE_SYSCALLS_H
#define _KERNEL_TRACE_SYSCALLS_H

#include <linux/bits.h>
#include <linux/nospec.h>
#include <linux/percpu.h>
#include <linux/syscalls.h>
#include <linux/xarray.h>
#include <asm/syscall.h>
#include <trace/syscall.h>

#include "trace.h"

/*
 * In the field __syscall_nr: the number is one of the table of 32-bit programs. No
 * syscall's number comes near this bit, and that of x32 is the next one.
 */
#define TRACE_SYSCALL_COMPAT	BIT(29)

#define TRACE_SYSCALL_HAS_COMPAT (NR_syscalls < TRACE_SYSCALL_SLOTS)

/* From the linker script: pointers to all metadata */
extern struct syscall_metadata *__start_syscalls_metadata[];
extern struct syscall_metadata *__stop_syscalls_metadata[];

/* The event of a return with the option syscall-lines; the format has no field for the rest */
struct syscall_exit_with_args {
	struct syscall_trace_exit	exit;
	unsigned long			nr_args;
	unsigned long			args[];
};

/* The longest string that can be asked for, and how many bytes all of a call take */
#define TRACE_SYSCALL_STRING_MAX	512
#define TRACE_SYSCALL_STRINGS_SIZE	768

#define TRACE_SYSCALL_STRING_LENGTH	GENMASK(10, 0)
#define TRACE_SYSCALL_STRING_UNKNOWN	BIT(14)	/* it could not be read */
#define TRACE_SYSCALL_STRING_CUT	BIT(15)	/* there is more of it */

/* A string without its final zero, at any address */
struct trace_syscall_string {
	u16	head;
	char	text[];
} __packed;

/*
 * The strings of a call, by the order of its parameters. This stands behind the arguments
 * in an event, where it has no more than @size bytes.
 */
struct trace_syscall_strings {
	u32	size;
	u8	bytes[TRACE_SYSCALL_STRINGS_SIZE];
};

extern struct syscall_metadata *trace_syscall_table[];
extern struct xarray trace_syscall_sparse;

struct syscall_metadata *trace_syscall_find(const char *symbol);

int trace_syscall_record(struct trace_event_file *file, bool exit);
void trace_syscall_unrecord(struct trace_event_file *file, bool exit);

int trace_syscall_perf_enable(struct trace_event_call *call, bool exit);
void trace_syscall_perf_disable(struct trace_event_call *call, bool exit);

bool trace_syscall_is_recorded(const struct syscall_metadata *meta, bool exit);

/**
 * struct trace_syscall_call - what an event tells of a call, for printing
 * @meta: the syscall
 * @args: its arguments, or NULL
 * @strings: the strings among them, or NULL
 * @compat: whether a 32-bit program called it on a 64-bit kernel
 */
struct trace_syscall_call {
	const struct syscall_metadata		*meta;
	const unsigned long			*args;
	const struct trace_syscall_strings	*strings;
	bool					compat;
};

void trace_syscall_print_begun(struct trace_seq *s, const struct trace_syscall_call *call);
void trace_syscall_print_done(struct trace_seq *s, const struct trace_syscall_call *call,
			      long ret);
const struct trace_syscall_string *
trace_syscall_next_string(const struct trace_syscall_strings *strings, u32 *at);
bool trace_syscall_print_string(struct trace_seq *s, const struct trace_syscall_call *call,
				int i, u32 *at, const char *before);

#ifdef CONFIG_FTRACE_SYSCALL_STRINGS

DECLARE_PER_CPU(const struct trace_syscall_strings *, trace_syscall_strings);

void trace_syscall_find_strings(const struct syscall_metadata *meta);
unsigned int trace_syscall_string_args(const struct syscall_metadata *meta);
bool trace_syscall_read_string(struct trace_syscall_strings *strings, unsigned long address,
			       unsigned int most);

/**
 * trace_syscall_take_strings - the strings that were read for this call
 *
 * Context: a probe of sys_enter or sys_exit.
 * Return: NULL if there are none.
 */
static __always_inline const struct trace_syscall_strings *trace_syscall_take_strings(void)
{
	if (!trace_syscall_strings_wanted())
		return NULL;
	return __this_cpu_read(trace_syscall_strings);
}

#else

static inline void trace_syscall_find_strings(const struct syscall_metadata *meta) { }

static inline unsigned int trace_syscall_string_args(const struct syscall_metadata *meta)
{
	return 0;
}

static inline const struct trace_syscall_strings *trace_syscall_take_strings(void)
{
	return NULL;
}

#endif

/**
 * trace_syscall_strings_size - the size of strings in an event
 * @strings: the strings, or NULL
 *
 * Return: the size in bytes, with the word in front of them.
 */
static __always_inline unsigned int
trace_syscall_strings_size(const struct trace_syscall_strings *strings)
{
	return strings ? offsetof(struct trace_syscall_strings, bytes) + strings->size : 0;
}

static __always_inline bool trace_syscall_slot_is_compat(int slot)
{
	return TRACE_SYSCALL_HAS_COMPAT && slot >= NR_syscalls;
}

/**
 * trace_syscall_slot - the slot of the syscall that the current task is in
 * @regs: the task's registers at the entry from user space
 *
 * Return: the slot; negative if the number is in no table.
 */
static __always_inline int trace_syscall_slot(struct pt_regs *regs)
{
	unsigned int nr = syscall_get_nr(current, regs);

#if defined(ARCH_TRACE_COMPAT_SYSCALLS)
	if (arch_trace_is_compat_syscall(regs)) {
		if (nr >= ARCH_TRACE_COMPAT_SYSCALLS)
			return -1;
		return NR_syscalls + array_index_nospec(nr, ARCH_TRACE_COMPAT_SYSCALLS);
	}
#elif defined(ARCH_TRACE_IGNORE_COMPAT_SYSCALLS)
	if (unlikely(arch_trace_is_compat_syscall(regs)))
		return -1;
#endif
	if (nr >= NR_syscalls)
		return -1;
	return array_index_nospec(nr, NR_syscalls);
}

/**
 * trace_syscall_number - the number of a slot, for the field __syscall_nr
 * @slot: the slot
 *
 * Return: the number in its table, with TRACE_SYSCALL_COMPAT if it is that of 32-bit programs.
 */
static __always_inline int trace_syscall_number(int slot)
{
	if (trace_syscall_slot_is_compat(slot))
		return (slot - NR_syscalls) | TRACE_SYSCALL_COMPAT;
	return slot;
}

/**
 * trace_syscall_meta - the syscall in a slot
 * @slot: a valid slot
 *
 * Return: NULL if there is none, or none with metadata.
 */
static __always_inline struct syscall_metadata *trace_syscall_meta(int slot)
{
	if (IS_ENABLED(CONFIG_HAVE_SPARSE_SYSCALL_NR))
		return xa_load(&trace_syscall_sparse, slot);
	return trace_syscall_table[slot];
}

/**
 * trace_syscall_copy_args - copy a syscall's arguments into an event
 * @to: as many words as @meta has parameters
 * @meta: the syscall
 * @slot: the slot that it was called by
 * @regs: the task's registers at the entry from user space
 *
 * A 32-bit call uses the lower halves of the registers, and says nothing of the rest.
 */
static __always_inline void trace_syscall_copy_args(unsigned long *to,
						    const struct syscall_metadata *meta,
						    int slot, struct pt_regs *regs)
{
	unsigned long used = trace_syscall_slot_is_compat(slot) ? U32_MAX : ULONG_MAX;
	unsigned long args[SYSCALL_DEFINE_MAXARGS];

	syscall_get_arguments(current, regs, args);

	/* With constants as indices the compiler needs no array: each case loads its own */
	switch (meta->nb_args) {
	case 6:
		to[5] = args[5] & used;
		fallthrough;
	case 5:
		to[4] = args[4] & used;
		fallthrough;
	case 4:
		to[3] = args[3] & used;
		fallthrough;
	case 3:
		to[2] = args[2] & used;
		fallthrough;
	case 2:
		to[1] = args[1] & used;
		fallthrough;
	case 1:
		to[0] = args[0] & used;
	}
}

static __always_inline unsigned int trace_syscall_enter_size(const struct syscall_metadata *meta)
{
	return sizeof(struct syscall_trace_enter) + meta->nb_args * sizeof(unsigned long);
}

#endif /* _KERNEL_TRACE_SYSCALLS_H */
