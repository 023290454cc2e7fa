// SPDX-License-Identifier: GPL-2.0
/*
 * ipc(): one syscall that makes another one, by which 32-bit programs use System V IPC.
 *
 * Its first argument tells which one, and in its upper half in which manner. The other
 * arguments are those of that call, in an order of their own. strace shows it as the call
 * that is made, and so do lines here; see trace_syscalls_socketcall.c.
 *
 * semctl() takes a word that ptr points to. msgrcv() of the first manner takes the address
 * of the message and its type from there. shmat() gives the address where third points to.
 */
#include <linux/init.h>
#include <linux/ipc.h>
#include <linux/string.h>

#include "trace_syscalls_forms.h"

/* The parameters of ipc() */
enum { CALL, FIRST, SECOND, THIRD, PTR, FIFTH };

/* A word that ptr points to */
#define AT_PTR(_i)	(0x10 | (_i))

#define CALL_NR		GENMASK(15, 0)
#define MANNER_SHIFT	16
#define OLD_MANNER	BIT(31)

struct inner {
	const char			*name;
	const char			*function;
	u32				call;	/* OLD_MANNER: if no manner is told */
	u8				nr;
	u8				from[SYSCALL_DEFINE_MAXARGS];
	const struct syscall_metadata	*meta;
};

#define INNER(_name, _function, _call, ...)					\
	{ .name = _name, .function = _function, .call = _call,			\
	  .nr = sizeof((u8[]) { __VA_ARGS__ }), .from = { __VA_ARGS__ } }

/*
 * Of two with the same number, the first one that fits. semop() is as semtimedop() without
 * the time, and stands in no table of 32-bit programs.
 */
static struct inner inner_calls[] __ro_after_init = {
	INNER("semop", "semtimedop", SEMOP, FIRST, PTR, SECOND),
	INNER("semget", "semget", SEMGET, FIRST, SECOND, THIRD),
	INNER("semctl", "semctl", SEMCTL, FIRST, SECOND, THIRD, AT_PTR(0)),
	INNER("semtimedop", "semtimedop", SEMTIMEDOP, FIRST, PTR, SECOND, FIFTH),
	INNER("msgsnd", "msgsnd", MSGSND, FIRST, PTR, SECOND, THIRD),
	INNER("msgrcv", "msgrcv", MSGRCV | OLD_MANNER, FIRST, AT_PTR(0), SECOND, AT_PTR(1), THIRD),
	INNER("msgrcv", "msgrcv", MSGRCV, FIRST, PTR, SECOND, FIFTH, THIRD),
	INNER("msgget", "msgget", MSGGET, FIRST, SECOND),
	INNER("msgctl", "msgctl", MSGCTL, FIRST, SECOND, PTR),
	INNER("shmat", "shmat", SHMAT, FIRST, PTR, SECOND),
	INNER("shmdt", "shmdt", SHMDT, PTR),
	INNER("shmget", "shmget", SHMGET, FIRST, SECOND, THIRD),
	INNER("shmctl", "shmctl", SHMCTL, FIRST, SECOND, PTR),
};

static const struct inner *find_inner(const unsigned long *args)
{
	u32 manner = (u32)args[CALL] >> MANNER_SHIFT, nr = args[CALL] & CALL_NR;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(inner_calls); i++) {
		const struct inner *inner = &inner_calls[i];

		if ((inner->call & CALL_NR) == nr && inner->meta &&
		    (!(inner->call & OLD_MANNER) || !manner))
			return inner;
	}
	return NULL;
}

/* How many words it takes from where ptr points to */
static unsigned int count_at_ptr(const struct inner *inner)
{
	unsigned int nr = 0, i;

	for (i = 0; i < inner->nr; i++)
		nr += inner->from[i] >= AT_PTR(0);
	return nr;
}

/* @words: what ptr points to, whole */
static void order_args(unsigned long *to, const struct inner *inner, const unsigned long *args,
		       const void *words, bool words32)
{
	unsigned int size = trace_syscall_long_size(words32), i;

	memset(to, 0, SYSCALL_DEFINE_MAXARGS * sizeof(*to));
	for (i = 0; i < inner->nr; i++) {
		unsigned int from = inner->from[i];

		to[i] = from < AT_PTR(0) ? args[from] :
			trace_syscall_long_at(words + (from - AT_PTR(0)) * size, words32);
	}
}

static const void *words_in(struct trace_syscall_printer *p, unsigned int size)
{
	const struct trace_syscall_piece *piece;

	if (!trace_syscall_seek(p, PTR))
		return NULL;
	piece = trace_syscall_next(p);
	return piece && piece->head == size ? piece->bytes : NULL;
}

/* At the return they are those that were read at the call */
static const void *find_words(struct trace_syscall_reader *r, unsigned long address,
			      unsigned int size)
{
	struct trace_syscall_call call = { .memory = r->memory };
	struct trace_syscall_printer p = { .call = &call };

	if (!(r->of & TRACE_SYSCALL_OUT))
		return trace_syscall_read(r, address, size);
	return words_in(&p, size);
}

static void read_ipc(struct trace_syscall_reader *r, const struct trace_syscall_form *form,
		     unsigned long address, unsigned long count)
{
	const struct inner *inner = find_inner(r->args);
	unsigned long args[SYSCALL_DEFINE_MAXARGS];
	const void *words = NULL;
	unsigned int size;

	if (!inner)
		return;
	size = count_at_ptr(inner) * trace_syscall_long_size(r->words32);
	if (size) {
		words = find_words(r, address, size);
		if (!words)
			return;
	}
	order_args(args, inner, r->args, words, r->words32);
	trace_syscall_read_inner(r, inner->meta, args);
}

/* The call that is made shows it */
static bool print_no_ipc(struct trace_syscall_printer *p, const struct trace_syscall_form *form,
			 unsigned long address, unsigned long count)
{
	return false;
}

const struct trace_syscall_form trace_syscall_form_ipc = {
	.read	= read_ipc,
	.print	= print_no_ipc,
};

static void read_attached(struct trace_syscall_reader *r, const struct trace_syscall_form *form,
			  unsigned long address, unsigned long count)
{
	const struct inner *inner = find_inner(r->args);

	if (inner && inner->call == SHMAT)
		trace_syscall_read(r, address, trace_syscall_long_size(r->words32));
}

const struct trace_syscall_form trace_syscall_form_ipc_attached = {
	.read	= read_attached,
	.print	= print_no_ipc,
};

static bool is_ipc(const struct syscall_metadata *meta)
{
	return !strcmp(meta->name, "sys_ipc") || !strcmp(meta->name, "sys_compat_ipc");
}

/**
 * trace_syscall_find_ipc - the call that a call of ipc() makes
 * @call: any call, with arguments
 * @inner: gets the call that it makes
 * @args: gets the arguments of that
 *
 * Return: false if it is no ipc(), or not known whole.
 */
bool trace_syscall_find_ipc(const struct trace_syscall_call *call,
			    struct trace_syscall_call *inner, unsigned long *args)
{
	struct trace_syscall_printer p = { .call = call };
	const void *words = NULL;
	const struct inner *found;
	unsigned int size;

	if (!is_ipc(call->meta))
		return false;
	found = find_inner(call->args);
	if (!found)
		return false;
	size = count_at_ptr(found) * trace_syscall_long_size(call->compat);
	if (size) {
		words = words_in(&p, size);
		if (!words)
			return false;
	}
	order_args(args, found, call->args, words, call->compat);
	*inner = *call;
	inner->meta = found->meta;
	inner->args = args;
	inner->inner = found->name;
	inner->nr_inner = found->nr;
	return true;
}

/**
 * trace_syscall_find_attached - where shmat() by ipc() attached the memory
 * @call: any call that has returned, and not failed
 * @address: gets it
 *
 * Return: false if it is another call, or the address is not known.
 */
bool trace_syscall_find_attached(const struct trace_syscall_call *call, unsigned long *address)
{
	struct trace_syscall_printer p = { .call = call };
	const struct trace_syscall_piece *piece;

	if (!call->args || !is_ipc(call->meta) ||
	    !trace_syscall_seek(&p, THIRD | TRACE_SYSCALL_OUT))
		return false;
	piece = trace_syscall_next(&p);
	if (!piece || piece->head != trace_syscall_long_size(call->compat))
		return false;
	*address = trace_syscall_long_at(piece->bytes, call->compat);
	return true;
}

/* Syscalls that no table has have no forms */
static int __init find_inner_calls(void)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(inner_calls); i++) {
		const struct syscall_metadata *meta;

		meta = trace_syscall_by_name(inner_calls[i].function);
		if (meta && meta->syscall_nr >= 0)
			inner_calls[i].meta = meta;
	}
	return 0;
}
core_initcall(find_inner_calls);
