// SPDX-License-Identifier: GPL-2.0
/*
 * socketcall(): one syscall that makes another one.
 *
 * Its first argument tells which one, its second one points to the arguments of that.
 * strace shows it as the call that is made, and so do lines here. The words that it points
 * to are read as a piece; what the call that is made reads of them follows in pieces that
 * are marked with TRACE_SYSCALL_INNER.
 */
#include <linux/init.h>
#include <linux/net.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include "trace_syscalls_forms.h"

struct inner {
	const char			*name;
	/* Whose first @nr parameters it has */
	const char			*function;
	u8				nr;
	const struct syscall_metadata	*meta;
};

static struct inner inner_calls[] __ro_after_init = {
	[SYS_SOCKET]		= { "socket",		"socket",		3 },
	[SYS_BIND]		= { "bind",		"bind",			3 },
	[SYS_CONNECT]		= { "connect",		"connect",		3 },
	[SYS_LISTEN]		= { "listen",		"listen",		2 },
	[SYS_ACCEPT]		= { "accept",		"accept4",		3 },
	[SYS_GETSOCKNAME]	= { "getsockname",	"getsockname",		3 },
	[SYS_GETPEERNAME]	= { "getpeername",	"getpeername",		3 },
	[SYS_SOCKETPAIR]	= { "socketpair",	"socketpair",		4 },
	[SYS_SEND]		= { "send",		"sendto",		4 },
	[SYS_RECV]		= { "recv",		"recvfrom",		4 },
	[SYS_SENDTO]		= { "sendto",		"sendto",		6 },
	[SYS_RECVFROM]		= { "recvfrom",		"recvfrom",		6 },
	[SYS_SHUTDOWN]		= { "shutdown",		"shutdown",		2 },
	[SYS_SETSOCKOPT]	= { "setsockopt",	"setsockopt",		5 },
	[SYS_GETSOCKOPT]	= { "getsockopt",	"getsockopt",		5 },
	[SYS_SENDMSG]		= { "sendmsg",		"sendmsg",		3 },
	[SYS_RECVMSG]		= { "recvmsg",		"recvmsg",		3 },
	[SYS_ACCEPT4]		= { "accept4",		"accept4",		4 },
	[SYS_RECVMMSG]		= { "recvmmsg",		"recvmmsg_time32",	5 },
	[SYS_SENDMMSG]		= { "sendmmsg",		"sendmmsg",		4 },
};

static const struct inner *find_inner(unsigned long call)
{
	unsigned int nr = call;

	if (nr >= ARRAY_SIZE(inner_calls) || !inner_calls[nr].meta)
		return NULL;
	return &inner_calls[nr];
}

/* The words of a piece; those of parameters that the call does not have are 0 */
static void words_of(unsigned long *args, const void *bytes, unsigned int nr, bool words32)
{
	unsigned int size = trace_syscall_long_size(words32), i;

	for (i = 0; i < SYSCALL_DEFINE_MAXARGS; i++)
		args[i] = i < nr ? trace_syscall_long_at(bytes + i * size, words32) : 0;
}

/* At the return they are those that were read at the call */
static const void *find_words(struct trace_syscall_reader *r, const struct inner *inner,
			      unsigned long address)
{
	unsigned int size = inner->nr * trace_syscall_long_size(r->words32);
	struct trace_syscall_call call = { .memory = r->memory };
	struct trace_syscall_printer p = { .call = &call };
	const struct trace_syscall_piece *piece;

	if (!(r->of & TRACE_SYSCALL_OUT))
		return trace_syscall_read(r, address, size);
	if (!trace_syscall_seek(&p, r->of & ~TRACE_SYSCALL_OUT))
		return NULL;
	piece = trace_syscall_next(&p);
	return piece && piece->head == size ? piece->bytes : NULL;
}

static void read_socketcall(struct trace_syscall_reader *r,
			    const struct trace_syscall_form *form, unsigned long address,
			    unsigned long count)
{
	const struct inner *inner = find_inner(r->args[0]);
	unsigned long args[SYSCALL_DEFINE_MAXARGS];
	const void *words;

	if (!inner)
		return;
	words = find_words(r, inner, address);
	if (!words)
		return;
	words_of(args, words, inner->nr, r->words32);
	trace_syscall_read_inner(r, inner->meta, args);
}

static bool print_socketcall(struct trace_syscall_printer *p,
			     const struct trace_syscall_form *form, unsigned long address,
			     unsigned long count)
{
	const struct inner *inner = find_inner(p->call->args[0]);
	unsigned int size = trace_syscall_long_size(p->call->compat), i;
	const struct trace_syscall_piece *piece = trace_syscall_next(p);

	if (!inner || !piece || piece->head != inner->nr * size)
		return false;
	for (i = 0; i < inner->nr; i++)
		trace_seq_printf(p->s, "%s%lx", i ? ", " : "[",
				 trace_syscall_long_at(piece->bytes + i * size, p->call->compat));
	trace_seq_putc(p->s, ']');
	return true;
}

const struct trace_syscall_form trace_syscall_form_socketcall = {
	.read	= read_socketcall,
	.print	= print_socketcall,
};

static bool is_socketcall(const struct syscall_metadata *meta)
{
	return !strcmp(meta->name, "sys_socketcall") ||
	       !strcmp(meta->name, "sys_compat_socketcall");
}

/**
 * trace_syscall_find_inner - the call that a call of socketcall() makes
 * @call: any call, with arguments
 * @inner: gets the call that it makes
 * @args: gets the arguments of that
 *
 * Return: false if it is neither socketcall() nor ipc(), or not known whole.
 */
bool trace_syscall_find_inner(const struct trace_syscall_call *call,
			      struct trace_syscall_call *inner, unsigned long *args)
{
	struct trace_syscall_printer p = { .call = call };
	const struct trace_syscall_piece *piece;
	const struct inner *found;

	if (!is_socketcall(call->meta))
		return trace_syscall_find_ipc(call, inner, args);
	found = find_inner(call->args[0]);
	if (!found || !trace_syscall_seek(&p, 1))
		return false;
	piece = trace_syscall_next(&p);
	if (!piece || piece->head != found->nr * trace_syscall_long_size(call->compat))
		return false;
	words_of(args, piece->bytes, found->nr, call->compat);
	*inner = *call;
	inner->meta = found->meta;
	inner->args = args;
	inner->inner = found->name;
	inner->nr_inner = found->nr;
	return true;
}

/* Syscalls that no table has have no forms */
static int __init find_inner_calls(void)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(inner_calls); i++) {
		const struct syscall_metadata *meta;

		if (!inner_calls[i].function)
			continue;
		meta = trace_syscall_by_name(inner_calls[i].function);
		if (meta && meta->syscall_nr >= 0)
			inner_calls[i].meta = meta;
	}
	return 0;
}
core_initcall(find_inner_calls);
