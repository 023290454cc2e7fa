// SPDX-License-Identifier: GPL-2.0
/* Network: addresses, sockets, packets, devices. */
#include <linux/in.h>
#include <linux/in6.h>
#include <linux/netdevice.h>
#include <linux/netlink.h>
#include <linux/skbuff.h>
#include <linux/socket.h>
#include <linux/un.h>
#include <net/net_namespace.h>
#include <net/sock.h>
#include <uapi/linux/if_packet.h>

#include "../constants.h"
#include "form.h"

static void print_be16(struct trace_seq *s, const void *value, unsigned int size,
		       unsigned int how)
{
	__be16 word;

	memcpy(&word, value, sizeof(word));
	trace_seq_printf(s, "0x%04x", be16_to_cpu(word));
}

static void print_ipv4(struct trace_seq *s, const void *value, unsigned int size,
		       unsigned int how)
{
	trace_seq_printf(s, "%pI4", value);
}

static void print_ipv6(struct trace_seq *s, const void *value, unsigned int size,
		       unsigned int how)
{
	trace_seq_printf(s, "%pI6c", value);
}

static void print_family(struct trace_seq *s, const void *value, unsigned int size,
			 unsigned int how)
{
	u16 family;

	memcpy(&family, value, sizeof(family));
	switch (family) {
	case AF_UNSPEC:
		trace_seq_puts(s, "AF_UNSPEC");
		break;
	case AF_UNIX:
		trace_seq_puts(s, "AF_UNIX");
		break;
	case AF_INET:
		trace_seq_puts(s, "AF_INET");
		break;
	case AF_INET6:
		trace_seq_puts(s, "AF_INET6");
		break;
	case AF_NETLINK:
		trace_seq_puts(s, "AF_NETLINK");
		break;
	case AF_PACKET:
		trace_seq_puts(s, "AF_PACKET");
		break;
	default:
		trace_seq_printf(s, "family=%u", family);
	}
}

FORM_OF_STRUCT(in_addr, MEMBER("", struct in_addr, s_addr, print_ipv4));
FORM_OF_STRUCT(in6_addr, MEMBER("", struct in6_addr, s6_addr, print_ipv6));

/* What is behind the family, of those that have a form */
static const struct form_member netlink_members[] = {
	MEMBER("pid", struct sockaddr_nl, nl_pid, form_unsigned),
	MEMBER("groups", struct sockaddr_nl, nl_groups, form_hex),
};

static const struct form_member packet_members[] = {
	MEMBER("protocol", struct sockaddr_ll, sll_protocol, print_be16),
	MEMBER("ifindex", struct sockaddr_ll, sll_ifindex, form_signed),
};

/*
 * The family tells how much is read, as the one who is passed the address reads it.  How
 * long an abstract address of AF_UNIX is cannot be known here.
 */
static bool sockaddr_capture(struct form_writer *w, unsigned long address)
{
	u16 family;

	if (!ftrace_peek(&family, address, sizeof(family)))
		return false;
	form_put(w, &family, sizeof(family));
	switch (family) {
	case AF_INET:
		form_put_memory(w, address, offsetof(struct sockaddr_in, __pad));
		break;
	case AF_INET6:
		form_put_memory(w, address, sizeof(struct sockaddr_in6));
		break;
	case AF_UNIX:
		form_put_string(w, address + offsetof(struct sockaddr_un, sun_path),
				UNIX_PATH_MAX);
		break;
	case AF_NETLINK:
		form_put_members(w, netlink_members, ARRAY_SIZE(netlink_members), address);
		break;
	case AF_PACKET:
		form_put_members(w, packet_members, ARRAY_SIZE(packet_members), address);
		break;
	}
	return true;
}

static void print_in(struct trace_seq *s, struct form_reader *r)
{
	struct sockaddr_in in;

	if (form_get(r, &in, offsetof(struct sockaddr_in, __pad)))
		trace_seq_printf(s, "%pI4:%u", &in.sin_addr, be16_to_cpu(in.sin_port));
	else
		trace_seq_putc(s, '?');
}

static void print_in6(struct trace_seq *s, struct form_reader *r)
{
	struct sockaddr_in6 in6;

	if (!form_get(r, &in6, sizeof(in6))) {
		trace_seq_putc(s, '?');
		return;
	}
	trace_seq_printf(s, "[%pI6c]:%u", &in6.sin6_addr, be16_to_cpu(in6.sin6_port));
	if (in6.sin6_scope_id)
		trace_seq_printf(s, ", scope=%u", in6.sin6_scope_id);
}

/* An address without a path has no name, or one that is not text */
static void print_un(struct trace_seq *s, struct form_reader *r)
{
	if (r->left >= 2 && !r->from[1])
		trace_seq_puts(s, "no path");
	else
		form_print_string(s, r);
}

static void sockaddr_print(struct trace_seq *s, const void *data, unsigned int size,
			   unsigned int how)
{
	struct form_reader r = { data, size };
	u16 family;

	if (!form_get(&r, &family, sizeof(family))) {
		trace_seq_putc(s, '?');
		return;
	}
	trace_seq_putc(s, '{');
	print_family(s, &family, sizeof(family), how);
	switch (family) {
	case AF_INET:
		trace_seq_puts(s, ", ");
		print_in(s, &r);
		break;
	case AF_INET6:
		trace_seq_puts(s, ", ");
		print_in6(s, &r);
		break;
	case AF_UNIX:
		trace_seq_puts(s, ", ");
		print_un(s, &r);
		break;
	case AF_NETLINK:
		trace_seq_puts(s, ", ");
		form_print_list(netlink_members, ARRAY_SIZE(netlink_members), s, &r, how);
		break;
	case AF_PACKET:
		trace_seq_puts(s, ", ");
		form_print_list(packet_members, ARRAY_SIZE(packet_members), s, &r, how);
		break;
	}
	trace_seq_putc(s, '}');
}

#define FORM_OF_SOCKADDR(_name)							\
const struct ftrace_form ftrace_form_##_name = {				\
	.name = #_name,								\
	.size = sizeof(struct _name),						\
	.capture = sockaddr_capture,						\
	.print = sockaddr_print,						\
}

FORM_OF_SOCKADDR(__kernel_sockaddr_storage);
FORM_OF_SOCKADDR(sockaddr);
FORM_OF_SOCKADDR(sockaddr_in);
FORM_OF_SOCKADDR(sockaddr_in6);
FORM_OF_SOCKADDR(sockaddr_ll);
FORM_OF_SOCKADDR(sockaddr_nl);
FORM_OF_SOCKADDR(sockaddr_un);

FORM_OF_STRUCT(msghdr,
	MEMBER("name", struct msghdr, msg_name, form_pointer),
	MEMBER("namelen", struct msghdr, msg_namelen, form_signed),
	MEMBER("count", struct msghdr, msg_iter.count, form_unsigned),
	MEMBER("controllen", struct msghdr, msg_controllen, form_unsigned),
	MEMBER("flags", struct msghdr, msg_flags, form_hex));

#ifdef CONFIG_NET

/* A protocol has names of its own in each family of addresses */
static void print_ip_protocol(struct trace_seq *s, const void *value, unsigned int size,
			      unsigned int how)
{
	const struct ftrace_family *family = NULL;

	if (how & FTRACE_SIG_NAMES)
		family = ftrace_family_by_name("ip_protocol");
	if (family)
		form_named(s, family, value, size, how);
	else
		form_unsigned(s, value, size, how);
}

/* The first member of a socket is what all kinds of sockets have in common */
static_assert(offsetof(struct sock, __sk_common) == 0);

#define SOCK_MEMBERS(print_protocol) {						\
	MEMBER("", struct sock_common, skc_family, print_family),		\
	MEMBER("type", struct sock, sk_type, form_unsigned),			\
	MEMBER("protocol", struct sock, sk_protocol, print_protocol),		\
	MEMBER("state", struct sock_common, skc_state, form_unsigned),		\
}

static const struct form_member sock_members[] = SOCK_MEMBERS(form_unsigned);
static const struct form_member inet_sock_members[] = SOCK_MEMBERS(print_ip_protocol);

/* The addresses of an internet socket, local and remote; the local port's order is ours */
struct sock_ends {
	struct in6_addr	local;
	struct in6_addr	remote;
	u16		local_port;
	__be16		remote_port;
};

static bool read_ipv4_ends(struct sock_ends *ends, unsigned long sock)
{
	return ftrace_peek(&ends->local, sock + offsetof(struct sock, sk_rcv_saddr), 4) &&
	       ftrace_peek(&ends->remote, sock + offsetof(struct sock, sk_daddr), 4);
}

static bool read_ipv6_ends(struct sock_ends *ends, unsigned long sock)
{
#if IS_ENABLED(CONFIG_IPV6)
	return ftrace_peek_member(&ends->local, sock, struct sock, sk_v6_rcv_saddr) &&
	       ftrace_peek_member(&ends->remote, sock, struct sock, sk_v6_daddr);
#else
	return false;
#endif
}

static void put_ends(struct form_writer *w, unsigned long sock)
{
	struct sock_ends ends;
	u16 family;

	memset(&ends, 0, sizeof(ends));
	if (!ftrace_peek_member(&family, sock, struct sock, sk_family) ||
	    (family != AF_INET && family != AF_INET6))
		return;
	if (!ftrace_peek_member(&ends.local_port, sock, struct sock, sk_num) ||
	    !ftrace_peek_member(&ends.remote_port, sock, struct sock, sk_dport))
		return;
	if (family == AF_INET ? read_ipv4_ends(&ends, sock) : read_ipv6_ends(&ends, sock)) {
		form_put(w, &family, sizeof(family));
		form_put(w, &ends, sizeof(ends));
	}
}

static bool sock_capture(struct form_writer *w, unsigned long address)
{
	if (!form_put_members(w, sock_members, ARRAY_SIZE(sock_members), address))
		return false;
	put_ends(w, address);
	return true;
}

static void print_ends(struct trace_seq *s, struct form_reader *r)
{
	struct sock_ends ends;
	u16 family;

	if (!form_get(r, &family, sizeof(family)) || !form_get(r, &ends, sizeof(ends)))
		return;
	trace_seq_printf(s, family == AF_INET ? ", local=%pI4:%u" : ", local=[%pI6c]:%u",
			 &ends.local, ends.local_port);
	trace_seq_printf(s, family == AF_INET ? ", remote=%pI4:%u" : ", remote=[%pI6c]:%u",
			 &ends.remote, be16_to_cpu(ends.remote_port));
}

/* Whether a copied socket is one of the internet's: the family is the first member */
static bool is_inet(struct form_reader r)
{
	u16 family;

	return form_get_value(&r, &family, sizeof(family)) &&
	       (family == AF_INET || family == AF_INET6);
}

static void sock_print(struct trace_seq *s, const void *data, unsigned int size,
		       unsigned int how)
{
	struct form_reader r = { data, size };

	trace_seq_putc(s, '{');
	form_print_list(is_inet(r) ? inet_sock_members : sock_members,
			ARRAY_SIZE(sock_members), s, &r, how);
	print_ends(s, &r);
	trace_seq_putc(s, '}');
}

FORM_FUNCTIONS(sock, struct sock);

static bool socket_capture(struct form_writer *w, unsigned long address)
{
	static const u8 nothing;
	unsigned long sock;

	if (!ftrace_peek_member(&sock, address, struct socket, sk))
		return false;
	/* Without one, it is being made, or released: nothing is known of it */
	if (sock)
		sock_capture(w, sock);
	else
		form_put(w, &nothing, sizeof(nothing));
	return true;
}

#define socket_print sock_print
FORM_FUNCTIONS(socket, struct socket);

/* The device is not shown: in a queue, its place is used for something else */
FORM_OF_STRUCT(sk_buff,
	MEMBER("len", struct sk_buff, len, form_unsigned),
	MEMBER("data_len", struct sk_buff, data_len, form_unsigned),
	MEMBER("protocol", struct sk_buff, protocol, print_be16),
	MEMBER("mark", struct sk_buff, mark, form_hex));

FORM_OF_STRUCT(net_device, CHARS("", struct net_device, name));

FORM_OF_STRUCT(net, MEMBER("inum", struct net, ns.inum, form_unsigned));

FORM_OF_STRUCT(proto, CHARS("", struct proto, name));

#endif /* CONFIG_NET */
