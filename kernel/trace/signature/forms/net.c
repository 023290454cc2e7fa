// SPDX-License-Identifier: GPL-2.0
/* Network: sockets, packets, devices. */
#include <linux/in.h>
#include <linux/in6.h>
#include <linux/netdevice.h>
#include <linux/skbuff.h>
#include <linux/socket.h>
#include <net/net_namespace.h>
#include <net/sock.h>

#include "../constants.h"
#include "form.h"

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

FORM_OF_STRUCT(in_addr, MEMBER("", struct in_addr, s_addr, print_ipv4));
FORM_OF_STRUCT(in6_addr, MEMBER("", struct in6_addr, s6_addr, print_ipv6));

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
	MEMBER("", struct sock_common, skc_family, form_family),		\
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
	MEMBER("protocol", struct sk_buff, protocol, form_be16),
	MEMBER("mark", struct sk_buff, mark, form_hex));

FORM_OF_STRUCT(net_device, CHARS("", struct net_device, name));

FORM_OF_STRUCT(net, MEMBER("inum", struct net, ns.inum, form_unsigned));

FORM_OF_STRUCT(proto, CHARS("", struct proto, name));

#endif /* CONFIG_NET */
