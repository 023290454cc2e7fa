// SPDX-License-Identifier: GPL-2.0
/* Addresses, options and messages of sockets. */
#include <linux/compat.h>
#include <linux/in.h>
#include <linux/in6.h>
#include <linux/init.h>
#include <linux/netlink.h>
#include <linux/socket.h>
#include <linux/string.h>
#include <linux/un.h>
#include <net/compat.h>

#include "signature/text.h"
#include "trace_syscalls_forms.h"

/* Addresses */

static void read_sockaddr(struct trace_syscall_reader *r, const struct trace_syscall_form *form,
			  unsigned long address, unsigned long count)
{
	int size = count;

	if (size >= (int)sizeof(sa_family_t))
		trace_syscall_read(r, address,
				   min(size, (int)sizeof(struct __kernel_sockaddr_storage)));
}

/* No path is longer than its structure, whatever length the address has */
static void print_unix(struct trace_seq *s, const char *path, unsigned int size)
{
	size = min(size, sizeof_field(struct sockaddr_un, sun_path));
	trace_seq_puts(s, "sun_path=");
	if (size && !path[0]) {
		trace_seq_putc(s, '@');
		ftrace_sig_print_text(s, path + 1, size - 1, false);
	} else {
		ftrace_sig_print_text(s, path, strnlen(path, size), false);
	}
}

static void print_inet(struct trace_seq *s, const struct sockaddr_in *in)
{
	trace_seq_printf(s, "sin_port=htons(%u), sin_addr=inet_addr(\"%pI4\")",
			 ntohs(in->sin_port), &in->sin_addr);
}

static void print_inet6(struct trace_seq *s, const struct sockaddr_in6 *in6)
{
	trace_seq_printf(s, "sin6_port=htons(%u), sin6_flowinfo=htonl(%u), ",
			 ntohs(in6->sin6_port), ntohl(in6->sin6_flowinfo));
	trace_seq_printf(s, "inet_pton(AF_INET6, \"%pI6c\", &sin6_addr), sin6_scope_id=%u",
			 &in6->sin6_addr, in6->sin6_scope_id);
}

static void print_netlink(struct trace_seq *s, const struct sockaddr_nl *nl)
{
	trace_seq_printf(s, "nl_pid=%u, nl_groups=%08x", nl->nl_pid, nl->nl_groups);
}

/* What is behind the family; @size is that of the whole address */
static void print_in_family_of(struct trace_seq *s, const void *bytes, unsigned int size)
{
	union {
		struct sockaddr_in	in;
		struct sockaddr_in6	in6;
		struct sockaddr_nl	nl;
		sa_family_t		family;
	} u = {};

	memcpy(&u, bytes, min(size, sizeof(u)));
	if (u.family == AF_UNIX)
		print_unix(s, bytes + sizeof(sa_family_t), size - sizeof(sa_family_t));
	else if (u.family == AF_INET && size >= sizeof(u.in))
		print_inet(s, &u.in);
	else if (u.family == AF_INET6 && size >= sizeof(u.in6))
		print_inet6(s, &u.in6);
	else if (u.family == AF_NETLINK && size >= sizeof(u.nl))
		print_netlink(s, &u.nl);
	else {
		trace_seq_puts(s, "sa_data=");
		ftrace_sig_print_text(s, bytes + sizeof(sa_family_t),
				      size - sizeof(sa_family_t), false);
	}
}

static void print_address(struct trace_seq *s, const void *bytes, unsigned int size)
{
	sa_family_t family;

	memcpy(&family, bytes, sizeof(family));
	trace_seq_puts(s, "{sa_family=");
	trace_syscall_print_family(s, "address_family", family, sizeof(family));
	if (size > sizeof(family)) {
		trace_seq_puts(s, ", ");
		print_in_family_of(s, bytes, size);
	}
	trace_seq_putc(s, '}');
}

static bool print_sockaddr(struct trace_syscall_printer *p,
			   const struct trace_syscall_form *form, unsigned long address,
			   unsigned long count)
{
	const struct trace_syscall_piece *piece = trace_syscall_next(p);

	if (!piece || piece->head & ~TRACE_SYSCALL_PIECE_LENGTH ||
	    piece->head < sizeof(sa_family_t))
		return false;
	print_address(p->s, piece->bytes, piece->head);
	return true;
}

const struct trace_syscall_form trace_syscall_form_sockaddr = {
	.read	= read_sockaddr,
	.print	= print_sockaddr,
};

/* Lengths that say how much room there is, and then how much was needed */

/* What was read of the length at the call; -1 if that is not known */
static int length_at_call(const struct trace_syscall_memory *memory, unsigned int param)
{
	struct trace_syscall_call call = { .memory = memory };
	struct trace_syscall_printer p = { .call = &call };
	int length;

	if (!trace_syscall_seek(&p, param) ||
	    !trace_syscall_next_whole(&p, &length, sizeof(length)))
		return -1;
	return length;
}

/* The room there was, if the kernel has changed it, and what it says now */
static void print_length(struct trace_seq *s, int room, int length)
{
	if (room != length && room < 0)
		trace_seq_puts(s, "? => ");
	else if (room != length)
		trace_seq_printf(s, "%d => ", room);
	trace_seq_printf(s, "%d", length);
}

/* The room that there was for what has this length; -1: unknown */
static int room_of(const struct trace_syscall_printer *p, int length)
{
	if (!(p->of & TRACE_SYSCALL_OUT))
		return length;
	return length_at_call(p->call->memory, p->of & ~TRACE_SYSCALL_OUT);
}

static void read_socklen(struct trace_syscall_reader *r, const struct trace_syscall_form *form,
			 unsigned long address, unsigned long count)
{
	trace_syscall_read(r, address, sizeof(int));
}

static bool print_socklen(struct trace_syscall_printer *p,
			  const struct trace_syscall_form *form, unsigned long address,
			  unsigned long count)
{
	int length;

	if (!trace_syscall_next_whole(p, &length, sizeof(length)))
		return false;
	trace_seq_putc(p->s, '[');
	print_length(p->s, room_of(p, length), length);
	trace_seq_putc(p->s, ']');
	return true;
}

const struct trace_syscall_form trace_syscall_form_socklen = {
	.read	= read_socklen,
	.print	= print_socklen,
};

/* That of an address, which is the argument before: without one, the kernel does not look */
static void read_socklen_of(struct trace_syscall_reader *r, const struct trace_syscall_form *form,
			    unsigned long address, unsigned long count)
{
	if (r->args[(r->of & TRACE_SYSCALL_PARAM) - 1])
		read_socklen(r, form, address, count);
}

const struct trace_syscall_form trace_syscall_form_socklen_of = {
	.read	= read_socklen_of,
	.print	= print_socklen,
};

/* How much was written, of what has its length behind the next parameter; -1: unknown */
static int filled_length(struct trace_syscall_reader *r)
{
	u8 param = (r->of & ~TRACE_SYSCALL_OUT) + 1;
	int room = length_at_call(r->memory, param), length;

	if (room < 0 ||
	    !trace_syscall_try(r, &length, r->args[param & TRACE_SYSCALL_PARAM],
			       sizeof(length)))
		return -1;
	return min(room, length);
}

static void read_sockaddr_filled(struct trace_syscall_reader *r,
				 const struct trace_syscall_form *form, unsigned long address,
				 unsigned long count)
{
	read_sockaddr(r, form, address, filled_length(r));
}

const struct trace_syscall_form trace_syscall_form_sockaddr_filled = {
	.read	= read_sockaddr_filled,
	.print	= print_sockaddr,
};

/* Options: a number, or bytes */

static void read_option(struct trace_syscall_reader *r, const struct trace_syscall_form *form,
			unsigned long address, unsigned long count)
{
	int size = r->of & TRACE_SYSCALL_OUT ? filled_length(r) : (int)count;

	if (size >= 0)
		trace_syscall_read_bytes(r, address, size);
}

static bool print_option(struct trace_syscall_printer *p, const struct trace_syscall_form *form,
			 unsigned long address, unsigned long count)
{
	const struct trace_syscall_piece *piece = trace_syscall_next(p);
	int value;

	if (!piece || piece->head & TRACE_SYSCALL_PIECE_UNKNOWN)
		return false;
	if (piece->head != sizeof(value)) {
		trace_syscall_print_text(p->s, piece);
		return true;
	}
	memcpy(&value, piece->bytes, sizeof(value));
	trace_seq_printf(p->s, "[%d]", value);
	return true;
}

const struct trace_syscall_form trace_syscall_form_socket_option = {
	.read	= read_option,
	.print	= print_option,
};

/* Messages: a description, then the address, then the buffers */

struct message {
	unsigned long	name;
	int		namelen;
	unsigned long	iov;
	unsigned long	iovlen;
	unsigned long	control;
	unsigned long	controllen;
	unsigned int	flags;
};

static unsigned int message_size(bool compat)
{
#ifdef CONFIG_COMPAT
	if (compat)
		return sizeof(struct compat_msghdr);
#endif
	return sizeof(struct user_msghdr);
}

static struct message message_at(const void *bytes, bool compat)
{
	struct user_msghdr msg;
#ifdef CONFIG_COMPAT
	struct compat_msghdr msg32;

	if (compat) {
		memcpy(&msg32, bytes, sizeof(msg32));
		return (struct message) {
			msg32.msg_name, msg32.msg_namelen, msg32.msg_iov, msg32.msg_iovlen,
			msg32.msg_control, msg32.msg_controllen, msg32.msg_flags,
		};
	}
#endif
	memcpy(&msg, bytes, sizeof(msg));
	return (struct message) {
		(unsigned long)msg.msg_name, msg.msg_namelen, (unsigned long)msg.msg_iov,
		msg.msg_iovlen, (unsigned long)msg.msg_control, msg.msg_controllen,
		msg.msg_flags,
	};
}

/* @room: of the address; @filled: as trace_syscall_read_iovec() */
static void read_message(struct trace_syscall_reader *r, unsigned long address, int room,
			 unsigned long filled)
{
	const void *bytes = trace_syscall_read(r, address, message_size(r->compat));
	struct message m;

	if (!bytes)
		return;
	m = message_at(bytes, r->compat);
	if (m.name)
		read_sockaddr(r, NULL, m.name, min(m.namelen, room));
	if (m.iov)
		trace_syscall_read_iovec(r, m.iov, m.iovlen, filled);
}

static void read_msghdr(struct trace_syscall_reader *r, const struct trace_syscall_form *form,
			unsigned long address, unsigned long count)
{
	read_message(r, address, INT_MAX, ULONG_MAX);
}

/* At the call only how much room there is for the address */
static void read_room(struct trace_syscall_reader *r, unsigned long address)
{
	unsigned int at = offsetof(struct user_msghdr, msg_namelen);

#ifdef CONFIG_COMPAT
	if (r->compat)
		at = offsetof(struct compat_msghdr, msg_namelen);
#endif
	trace_syscall_read(r, address + at, sizeof(int));
}

static void read_msghdr_filled(struct trace_syscall_reader *r,
			       const struct trace_syscall_form *form, unsigned long address,
			       unsigned long count)
{
	if (!(r->of & TRACE_SYSCALL_OUT))
		read_room(r, address);
	else
		read_message(r, address, length_at_call(r->memory, r->of & ~TRACE_SYSCALL_OUT),
			     r->ret);
}

/* @room: how long the address may be, which the kernel replaces by its length; -1: unknown */
static void print_name(struct trace_syscall_printer *p, const struct message *m, int room)
{
	int length = min(m->namelen, room);
	bool known = m->name && length >= (int)sizeof(sa_family_t);

	trace_seq_puts(p->s, "{msg_name=");
	if (!known || !print_sockaddr(p, NULL, m->name, length))
		trace_syscall_print_pointer(p->s, m->name);
	trace_seq_puts(p->s, ", msg_namelen=");
	print_length(p->s, room, m->namelen);
}

static bool print_msghdr(struct trace_syscall_printer *p, const struct trace_syscall_form *form,
			 unsigned long address, unsigned long count)
{
	const struct trace_syscall_piece *piece = trace_syscall_next(p);
	struct message m;

	if (!piece || piece->head != message_size(p->compat))
		return false;
	m = message_at(piece->bytes, p->compat);
	print_name(p, &m, room_of(p, m.namelen));
	trace_seq_puts(p->s, ", msg_iov=");
	if (!m.iov || !trace_syscall_print_iovec(p))
		trace_syscall_print_pointer(p->s, m.iov);
	trace_seq_printf(p->s, ", msg_iovlen=%lu", m.iovlen);
	if (m.control && m.controllen) {
		trace_seq_puts(p->s, ", msg_control=");
		trace_syscall_print_pointer(p->s, m.control);
	}
	trace_seq_printf(p->s, ", msg_controllen=%lu, msg_flags=", m.controllen);
	trace_syscall_print_family(p->s, "msg", m.flags, sizeof(m.flags));
	trace_seq_putc(p->s, '}');
	return true;
}

const struct trace_syscall_form trace_syscall_form_msghdr = {
	.read	= read_msghdr,
	.print	= print_msghdr,
};

const struct trace_syscall_form trace_syscall_form_msghdr_filled = {
	.read	= read_msghdr_filled,
	.print	= print_msghdr,
};
