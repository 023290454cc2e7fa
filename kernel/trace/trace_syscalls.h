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
 * trace_syscalls_names.c	what programs call a syscall
 * trace_syscalls_depend.c	what an argument says about others
 * trace_syscalls_user.c	what pointers of a call point to: when it is read
 * trace_syscalls_read.c	how it is read, and found again in an event
 * trace_syscalls_memory.c	how memory is read without waiting for it
 * trace_syscalls_forms.c	which parameters are read, and how they look
 * trace_syscalls_form_*.c	the forms: structures and arrays by subject
 * trace_syscalls_socketcall.c	the call that socketcall() makes
 * trace_syscalls_paths.c	which files descriptors are
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
#include "trace_text_line.h"

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

/* In the word nr_args: the arguments are those of the call, not of the registers later */
#define TRACE_SYSCALL_ARGS_OF_CALL	BIT(8)
/* The same: the call was undone before it began, so what its register has is no result */
#define TRACE_SYSCALL_UNDONE		BIT(9)

/* The longest string that can be asked for */
#define TRACE_SYSCALL_STRING_MAX	512

/*
 * How many bytes all that is read of a call take: at the call, with the paths of
 * descriptors, and with what is read at the return. A task's buffer so has 2 KB.
 */
#define TRACE_SYSCALL_MEMORY_IN		1024
#define TRACE_SYSCALL_MEMORY_PATHS	1408
#define TRACE_SYSCALL_MEMORY_SIZE	1920

/* So many elements of an array are read, as strace does */
#define TRACE_SYSCALL_ELEMENTS		32

#define TRACE_SYSCALL_PIECE_LENGTH	GENMASK(10, 0)
#define TRACE_SYSCALL_PIECE_END		BIT(13)	/* there are no more elements; no bytes */
#define TRACE_SYSCALL_PIECE_UNKNOWN	BIT(14)	/* it could not be read; no bytes */
#define TRACE_SYSCALL_PIECE_CUT		BIT(15)	/* there is more of it */
#define TRACE_SYSCALL_PIECE_DELETED	BIT(15)	/* of a path: it leads there no more */

/* In a piece's parameter: it was read when the syscall returned */
#define TRACE_SYSCALL_OUT		8

/* In a piece's parameter: it is one of the call that socketcall() makes */
#define TRACE_SYSCALL_INNER		16

/* The same: it is the path of a descriptor */
#define TRACE_SYSCALL_PATH		32

#define TRACE_SYSCALL_PARAM		7

/* In place of a parameter */
#define TRACE_SYSCALL_RESULT		7

/**
 * struct trace_syscall_piece - a piece of user memory, at any address
 * @head: how many bytes, TRACE_SYSCALL_PIECE_UNKNOWN and so on
 * @of: the parameter that leads to it, and TRACE_SYSCALL_OUT
 * @bytes: the memory; of a string without its final zero
 */
struct trace_syscall_piece {
	u16	head;
	u8	of;
	u8	bytes[];
} __packed;

/*
 * What was read of user memory for a call.  This stands behind the arguments in an event,
 * where it has no more than @size bytes.
 */
struct trace_syscall_memory {
	u32	size;
	u8	bytes[TRACE_SYSCALL_MEMORY_SIZE];
};

extern struct syscall_metadata *trace_syscall_table[];
extern struct xarray trace_syscall_sparse;

struct ftrace_family;
struct trace_syscall_call;

struct syscall_metadata *trace_syscall_find(const char *symbol);
const struct syscall_metadata *trace_syscall_by_name(const char *name);

int trace_syscall_record(struct trace_event_file *file, bool exit);
void trace_syscall_unrecord(struct trace_event_file *file, bool exit);
bool trace_syscall_is_wanted(const struct syscall_metadata *meta);

int trace_syscall_perf_enable(struct trace_event_call *call, bool exit);
void trace_syscall_perf_disable(struct trace_event_call *call, bool exit);

extern unsigned short trace_syscall_recorders[2][TRACE_SYSCALL_SLOTS];

/**
 * trace_syscall_is_recorded - whether an instance has a syscall's event on
 * @meta: the syscall
 * @exit: whether it is the event of the return
 *
 * Return: true if at least one has.
 */
static __always_inline bool trace_syscall_is_recorded(const struct syscall_metadata *meta,
						      bool exit)
{
	return READ_ONCE(trace_syscall_recorders[exit][meta->syscall_nr]);
}

/**
 * struct trace_syscall_call - what an event tells of a call, for printing
 * @meta: the syscall
 * @args: its arguments, or NULL
 * @memory: what they point to, or NULL
 * @compat: whether a 32-bit program called it on a 64-bit kernel
 * @slot: the slot that it was called by
 * @done: whether it has returned
 * @of_call: whether @args are as they were at the call, whatever happened since
 * @undone: whether it was undone before it began, and has no result
 * @alone: whether a line that does not fit is cut; otherwise it is tried again
 * @ret: its result
 * @inner: if it is made by socketcall() or ipc(), its name
 * @nr_inner: and how many of @meta's parameters it has
 */
struct trace_syscall_call {
	const struct syscall_metadata		*meta;
	const unsigned long			*args;
	const struct trace_syscall_memory	*memory;
	bool					compat;
	int					slot;
	bool					done;
	bool					of_call;
	bool					undone;
	bool					alone;
	long					ret;
	const char				*inner;
	u8					nr_inner;
};

/* As trace_text_keep(), if the line is cut */
static inline struct trace_text_kept
trace_syscall_keep(struct trace_seq *s, const struct trace_syscall_call *call, size_t room)
{
	return trace_text_keep(s, call->alone ? room : 0);
}

void trace_syscall_print_begun(struct trace_seq *s, const struct trace_syscall_call *call);
void trace_syscall_print_done(struct trace_seq *s, const struct trace_syscall_call *call);
void trace_syscall_print_pointer(struct trace_seq *s, unsigned long word);
bool trace_syscall_is_descriptor(const char *name);
const char *trace_syscall_name(const struct syscall_metadata *meta, int slot);
int trace_syscall_count_used(const struct trace_syscall_call *call);
int trace_syscall_count_keyctl(const struct trace_syscall_call *call);
bool trace_syscall_print_keyctl(struct trace_seq *s, const struct trace_syscall_call *call,
				int param);
bool trace_syscall_leaves_out(const struct trace_syscall_call *call, int param);
bool trace_syscall_print_quota(struct trace_seq *s, const struct trace_syscall_call *call,
			       int param);
const struct ftrace_family *trace_syscall_depending_family(const struct trace_syscall_call *call,
							   int param);
const struct ftrace_family *trace_syscall_result_family(const struct trace_syscall_call *call);
void trace_syscall_print_signal(struct trace_seq *s, int nr, const char *prefix);

#define TRACE_SYSCALL_TASK_WORDS \
	(SYSCALL_DEFINE_MAXARGS + \
	 DIV_ROUND_UP(sizeof(struct trace_syscall_memory), sizeof(long)))

/**
 * struct trace_syscall_area - user memory that is known to belong to no device
 * @start: where it begins
 * @end: behind its last byte
 * @seq: of the areas of the program, among which it was found
 */
struct trace_syscall_area {
	unsigned long	start;
	unsigned long	end;
	unsigned int	seq;
};

/**
 * struct trace_syscall_task - the call that a task is in
 * @state: the syscall, and whether anything is to be read when it returns
 * @epoch: when it began, see trace_syscall_forget()
 * @slot: the slot that it was called by
 * @nr_args: how many arguments it has
 * @missed: the parameters of which something could not be read at the call
 * @exec_id: the task's self_exec_id at the call; execve() changes it
 * @area: where memory was read last
 * @words: as in an event: the arguments, then a struct trace_syscall_memory
 */
struct trace_syscall_task {
	struct trace_syscall_state	state;
	unsigned int			epoch;
	int				slot;
	u8				nr_args;
	u8				missed;
	u32				exec_id;
	struct trace_syscall_area	area;
	unsigned long			words[TRACE_SYSCALL_TASK_WORDS];
};

static __always_inline struct trace_syscall_task *
trace_syscall_task_of(struct trace_syscall_state *state)
{
	return container_of(state, struct trace_syscall_task, state);
}

static __always_inline struct trace_syscall_memory *
trace_syscall_memory_of(struct trace_syscall_task *task)
{
	return (void *)(task->words + task->nr_args);
}

/**
 * trace_syscall_words - how many words of an event a call has
 * @task: the call
 *
 * Return: the arguments, and what they point to with its size in front.
 */
static __always_inline unsigned int trace_syscall_words(struct trace_syscall_task *task)
{
	return task->nr_args +
	       DIV_ROUND_UP(offsetof(struct trace_syscall_memory, bytes) +
			    trace_syscall_memory_of(task)->size, sizeof(long));
}

#ifdef CONFIG_FTRACE_SYSCALL_STRINGS

extern unsigned int trace_syscall_epoch;

void trace_syscall_forget(void);
void trace_syscall_plan_reading(const struct syscall_metadata *meta);
void trace_syscall_find_forms(const struct syscall_metadata *meta);
void trace_syscall_find_descriptors(const struct syscall_metadata *meta);
void trace_syscall_note_layout(int slot);
void trace_syscall_print_path(struct trace_seq *s, const struct trace_syscall_call *call,
			      u8 of);
bool trace_syscall_print_arg(struct trace_seq *s, const struct trace_syscall_call *call,
			     int i, const char *before);
void trace_syscall_print_changes(struct trace_seq *s, const struct trace_syscall_call *call);
bool trace_syscall_find_inner(const struct trace_syscall_call *call,
			      struct trace_syscall_call *inner, unsigned long *args);
bool trace_syscall_find_attached(const struct trace_syscall_call *call, unsigned long *address);

/**
 * trace_syscall_just_read - the call that the current task is in, if it was read
 *
 * Context: a probe of sys_enter or, if the task may have got other registers meanwhile and
 * this is looked at, of sys_exit.
 * Return: NULL if nothing was read.
 */
static __always_inline struct trace_syscall_task *trace_syscall_just_read(void)
{
	struct trace_syscall_task *task;

	if (!trace_syscall_strings_wanted() || !current->trace_syscall)
		return NULL;
	task = trace_syscall_task_of(current->trace_syscall);
	smp_rmb();	/* EPOCH_B: what led here was read before the epoch is */
	if (!task->state.meta || task->epoch != READ_ONCE(trace_syscall_epoch))
		return NULL;
	return task;
}

/**
 * trace_syscall_under_way - what was read for the call that the current task is in
 * @meta: the syscall
 *
 * Context: a probe of sys_enter or sys_exit.
 * Return: NULL if nothing was read.
 */
static __always_inline struct trace_syscall_task *
trace_syscall_under_way(const struct syscall_metadata *meta)
{
	struct trace_syscall_task *task = trace_syscall_just_read();

	return task && task->state.meta == meta ? task : NULL;
}

#else

static inline void trace_syscall_forget(void) { }
static inline void trace_syscall_plan_reading(const struct syscall_metadata *meta) { }
static inline void trace_syscall_find_forms(const struct syscall_metadata *meta) { }
static inline void trace_syscall_find_descriptors(const struct syscall_metadata *meta) { }
static inline void trace_syscall_note_layout(int slot) { }
static inline void trace_syscall_print_path(struct trace_seq *s,
					    const struct trace_syscall_call *call, u8 of) { }

static inline bool trace_syscall_print_arg(struct trace_seq *s,
					   const struct trace_syscall_call *call, int i,
					   const char *before)
{
	return false;
}

static inline void trace_syscall_print_changes(struct trace_seq *s,
					       const struct trace_syscall_call *call) { }

static inline bool trace_syscall_find_inner(const struct trace_syscall_call *call,
					    struct trace_syscall_call *inner,
					    unsigned long *args)
{
	return false;
}

static inline bool trace_syscall_find_attached(const struct trace_syscall_call *call,
					       unsigned long *address)
{
	return false;
}

static inline struct trace_syscall_task *trace_syscall_just_read(void)
{
	return NULL;
}

static inline struct trace_syscall_task *
trace_syscall_under_way(const struct syscall_metadata *meta)
{
	return NULL;
}

#endif

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
 * trace_syscall_slot_of - the slot of a number in an event
 * @number: the field __syscall_nr
 *
 * Return: the slot; negative if it is none.
 */
static inline int trace_syscall_slot_of(int number)
{
	unsigned int slot = number;

	if (!TRACE_SYSCALL_HAS_COMPAT || !(slot & TRACE_SYSCALL_COMPAT))
		return slot < NR_syscalls ? slot : -1;
	slot &= ~TRACE_SYSCALL_COMPAT;
	return slot < TRACE_SYSCALL_SLOTS - NR_syscalls ? slot + NR_syscalls : -1;
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

/**
 * trace_syscall_keep_args - copy the arguments that a syscall has, and more
 * @to: SYSCALL_DEFINE_MAXARGS words
 * @slot: the slot that it was called by
 * @regs: the task's registers at the entry from user space
 */
static __always_inline void trace_syscall_keep_args(unsigned long *to, int slot,
						    struct pt_regs *regs)
{
	int i;

	syscall_get_arguments(current, regs, to);
	if (unlikely(trace_syscall_slot_is_compat(slot)))
		for (i = 0; i < SYSCALL_DEFINE_MAXARGS; i++)
			to[i] &= U32_MAX;
}

static __always_inline unsigned int trace_syscall_enter_size(const struct syscall_metadata *meta)
{
	return sizeof(struct syscall_trace_enter) + meta->nb_args * sizeof(unsigned long);
}

#endif /* _KERNEL_TRACE_SYSCALLS_H */
