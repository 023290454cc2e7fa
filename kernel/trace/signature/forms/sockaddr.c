// SPDX-License-Identifier: GPL-2.0
/*
 * Addresses of sockets.
 *
 * Another parameter says how long an address is.  Bytes behind that do not belong to it.  If
 * it is too short for its family, only its length is shown.
 */
#include <linux/in.h>
#include <linux/in6.h>
#include <linux/netlink.h>
#include <linux/socket.h>
#include <linux/un.h>
#include <uapi/linux/can.h>
#include <uapi/linux/if_alg.h>
#include <uapi/linux/if_packet.h>
#include <uapi/linux/if_xdp.h>
#include <uapi/linux/vm_sockets.h>

#include "../constants.h"
#include "form.h"

/*
 * What is behind the family of an address
 *
 * @name: the name of the family
 * @members: what is shown of it, or NULL
 * @family: the family
 * @size: how many bytes the whole address has at least
 * @nr: how many members
 */
struct address_kind {
	const char			*name;
	const struct form_member	*members;
	u16				family;
	u16				size;
	u8				nr;
};

static const struct form_member netlink_members[] = {
	MEMBER("pid", struct sockaddr_nl, nl_pid, form_unsigned),
	MEMBER("groups", struct sockaddr_nl, nl_groups, form_hex),
};

static const struct form_member packet_members[] = {
	MEMBER("protocol", struct sockaddr_ll, sll_protocol, form_be16),
	MEMBER("ifindex", struct sockaddr_ll, sll_ifindex, form_signed),
};

static const struct form_member can_members[] = {
	MEMBER("ifindex", struct sockaddr_can, can_ifindex, form_signed),
};

static const struct form_member alg_members[] = {
	CHARS("type", struct sockaddr_alg, salg_type),
	CHARS("name", struct sockaddr_alg, salg_name),
};

static const struct form_member vsock_members[] = {
	MEMBER("cid", struct sockaddr_vm, svm_cid, form_unsigned),
	MEMBER("port", struct sockaddr_vm, svm_port, form_unsigned),
};

static const struct form_member xdp_members[] = {
	MEMBER("flags", struct sockaddr_xdp, sxdp_flags, form_hex),
	MEMBER("ifindex", struct sockaddr_xdp, sxdp_ifindex, form_unsigned),
	MEMBER("queue_id", struct sockaddr_xdp, sxdp_queue_id, form_unsigned),
};

#define KIND(_family, _size)							\
	{ .name = #_family, .family = _family, .size = _size }
#define KIND_OF(_family, _members, type, last)					\
	{ .name = #_family, .family = _family, .size = offsetofend(type, last),	\
	  .members = _members, .nr = ARRAY_SIZE(_members) }

/* The least that is taken for an IPv6 address */
#define IN6_WITHOUT_SCOPE	offsetof(struct sockaddr_in6, sin6_scope_id)

static const struct address_kind kinds[] = {
	KIND(AF_UNSPEC, 0),
	KIND(AF_UNIX, 0),
	KIND(AF_INET, sizeof(struct sockaddr_in)),
	KIND(AF_INET6, IN6_WITHOUT_SCOPE),
	KIND_OF(AF_NETLINK, netlink_members, struct sockaddr_nl, nl_groups),
	KIND_OF(AF_PACKET, packet_members, struct sockaddr_ll, sll_ifindex),
	KIND_OF(AF_CAN, can_members, struct sockaddr_can, can_ifindex),
	KIND_OF(AF_ALG, alg_members, struct sockaddr_alg, salg_name[0]),
	KIND_OF(AF_VSOCK, vsock_members, struct sockaddr_vm, svm_cid),
	KIND_OF(AF_XDP, xdp_members, struct sockaddr_xdp, sxdp_queue_id),
};

static const struct address_kind *kind_of(u16 family)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(kinds); i++)
		if (kinds[i].family == family)
			return &kinds[i];
	return NULL;
}

/**
 * form_family - print a family of addresses
 * @s: where to
 * @value: its number, of two bytes
 * @size: how many bytes it has
 * @how: FTRACE_SIG_HASH and so on
 */
void form_family(struct trace_seq *s, const void *value, unsigned int size, unsigned int how)
{
	const struct ftrace_family *names;
	const struct address_kind *kind;
	u16 family;

	memcpy(&family, value, sizeof(family));
	kind = kind_of(family);
	names = ftrace_family_by_name("address_family");
	if (kind)
		trace_seq_puts(s, kind->name);
	else if (names && family < AF_MAX)
		ftrace_family_print(s, names, family, sizeof(family), how);
	else
		trace_seq_printf(s, "family=%u", family);
}

/*
 * What is stored first.  What an address is not long enough for is not copied.
 *
 * @family: the family, if the address has one
 * @length: of one that is too short, how many bytes it has; of an abstract name its length
 * @state: one of the following
 */
struct address_head {
	u16	family;
	u8	length;
	u8	state;
};

enum {
	ADDRESS_WHOLE,
	ADDRESS_NO_LENGTH,	/* how long it is cannot be read: it may be anything */
	ADDRESS_NO_FAMILY,	/* it is too short for that */
	ADDRESS_SHORT,		/* it is too short for what its family has */
	/* Of AF_UNIX: */
	ADDRESS_UNNAMED,	/* nothing follows */
	ADDRESS_PATH,
	ADDRESS_ABSTRACT,	/* the name begins with NUL, and may contain others */
	ADDRESS_NO_PATH,	/* unnamed or abstract: its length is not known */
};

#define UN_PATH		offsetof(struct sockaddr_un, sun_path)

static void put_head(struct form_writer *w, u16 family, u8 state, u8 length)
{
	const struct address_head head = { family, length, state };

	form_put(w, &head, sizeof(head));
}

static void put_unix(struct form_writer *w, unsigned long address)
{
	unsigned int size = min(w->length - UN_PATH, UNIX_PATH_MAX);
	unsigned long path = address + UN_PATH;
	char first;

	if (!size) {
		put_head(w, AF_UNIX, ADDRESS_UNNAMED, 0);
	} else if (!ftrace_peek(&first, path, sizeof(first)) || first) {
		put_head(w, AF_UNIX, ADDRESS_PATH, 0);
		form_put_string(w, path, size);
	} else if (w->length == FORM_LENGTH_UNKNOWN) {
		put_head(w, AF_UNIX, ADDRESS_NO_PATH, 0);
	} else {
		put_head(w, AF_UNIX, ADDRESS_ABSTRACT, size - 1);
		form_put_memory(w, path + 1, size - 1);
	}
}

/* Its last member may be shorter than in the structure */
static void put_alg(struct form_writer *w, unsigned long address)
{
	const unsigned int at = offsetof(struct sockaddr_alg, salg_name);

	form_put_string(w, address + offsetof(struct sockaddr_alg, salg_type),
			sizeof_field(struct sockaddr_alg, salg_type));
	form_put_string(w, address + at,
			min(w->length - at, sizeof_field(struct sockaddr_alg, salg_name)));
}

/* An IPv6 address may lack its scope */
static void put_whole(struct form_writer *w, const struct address_kind *kind,
		      unsigned long address)
{
	switch (kind->family) {
	case AF_INET:
		form_put_memory(w, address, offsetof(struct sockaddr_in, __pad));
		break;
	case AF_INET6:
		form_put_memory(w, address, min(w->length, sizeof(struct sockaddr_in6)));
		break;
	case AF_ALG:
		put_alg(w, address);
		break;
	default:
		form_put_members(w, kind->members, kind->nr, address);
	}
}

static bool sockaddr_capture(struct form_writer *w, unsigned long address)
{
	const struct address_kind *kind;
	u16 family;

	if (w->length == FORM_LENGTH_FAULT) {
		put_head(w, 0, ADDRESS_NO_LENGTH, 0);
		return true;
	}
	if (w->length < sizeof(family)) {
		put_head(w, 0, ADDRESS_NO_FAMILY, w->length);
		return true;
	}
	if (!ftrace_peek(&family, address, sizeof(family)))
		return false;
	if (family == AF_UNIX) {
		put_unix(w, address);
		return true;
	}
	kind = kind_of(family);
	if (kind && w->length < kind->size) {
		put_head(w, family, ADDRESS_SHORT, w->length);
		return true;
	}
	put_head(w, family, ADDRESS_WHOLE, 0);
	if (kind)
		put_whole(w, kind, address);
	return true;
}

static void print_in(struct trace_seq *s, struct form_reader *r)
{
	struct sockaddr_in in;

	if (form_get(r, &in, offsetof(struct sockaddr_in, __pad)))
		trace_seq_printf(s, ", %pI4:%u", &in.sin_addr, be16_to_cpu(in.sin_port));
	else
		trace_seq_puts(s, ", ?");
}

static void print_in6(struct trace_seq *s, struct form_reader *r)
{
	struct sockaddr_in6 in6;

	if (!form_get(r, &in6, IN6_WITHOUT_SCOPE)) {
		trace_seq_puts(s, ", ?");
		return;
	}
	trace_seq_printf(s, ", [%pI6c]:%u", &in6.sin6_addr, be16_to_cpu(in6.sin6_port));
	if (form_get(r, &in6.sin6_scope_id, sizeof(in6.sin6_scope_id)) && in6.sin6_scope_id)
		trace_seq_printf(s, ", scope=%u", in6.sin6_scope_id);
}

static void print_whole(struct trace_seq *s, u16 family, struct form_reader *r,
			unsigned int how)
{
	const struct address_kind *kind = kind_of(family);

	if (family == AF_INET) {
		print_in(s, r);
	} else if (family == AF_INET6) {
		print_in6(s, r);
	} else if (kind && kind->nr) {
		trace_seq_puts(s, ", ");
		form_print_list(kind->members, kind->nr, s, r, how);
	}
}

static void print_abstract(struct trace_seq *s, struct form_reader *r, unsigned int length)
{
	char name[UNIX_PATH_MAX];

	if (length > sizeof(name) || !form_get(r, name, length)) {
		trace_seq_puts(s, ", ?");
		return;
	}
	trace_seq_puts(s, ", @");
	ftrace_sig_print_text(s, name, length, false);
}

static void print_behind_family(struct trace_seq *s, const struct address_head *head,
				struct form_reader *r, unsigned int how)
{
	switch (head->state) {
	case ADDRESS_WHOLE:
		print_whole(s, head->family, r, how);
		break;
	case ADDRESS_SHORT:
		trace_seq_printf(s, ", %u bytes", head->length);
		break;
	case ADDRESS_UNNAMED:
		break;
	case ADDRESS_PATH:
		trace_seq_puts(s, ", ");
		form_print_string(s, r);
		break;
	case ADDRESS_ABSTRACT:
		print_abstract(s, r, head->length);
		break;
	case ADDRESS_NO_PATH:
		trace_seq_puts(s, ", no path");
		break;
	default:
		trace_seq_puts(s, ", ?");
	}
}

static void sockaddr_print(struct trace_seq *s, const void *data, unsigned int size,
			   unsigned int how)
{
	struct form_reader r = { data, size };
	struct address_head head;

	if (!form_get(&r, &head, sizeof(head))) {
		trace_seq_putc(s, '?');
		return;
	}
	trace_seq_putc(s, '{');
	if (head.state == ADDRESS_NO_LENGTH) {
		trace_seq_putc(s, '?');
	} else if (head.state == ADDRESS_NO_FAMILY) {
		trace_seq_printf(s, "%u bytes", head.length);
	} else {
		form_family(s, &head.family, sizeof(head.family), how);
		print_behind_family(s, &head, &r, how);
	}
	trace_seq_putc(s, '}');
}

#define FORM_OF_SOCKADDR(_name)							\
const struct ftrace_form ftrace_form_##_name = {				\
	.name = #_name,								\
	.size = sizeof(struct _name),						\
	.capture = sockaddr_capture,						\
	.print = sockaddr_print,						\
	.has_length = true,							\
}

FORM_OF_SOCKADDR(__kernel_sockaddr_storage);
FORM_OF_SOCKADDR(sockaddr);
FORM_OF_SOCKADDR(sockaddr_alg);
FORM_OF_SOCKADDR(sockaddr_can);
FORM_OF_SOCKADDR(sockaddr_in);
FORM_OF_SOCKADDR(sockaddr_in6);
FORM_OF_SOCKADDR(sockaddr_ll);
FORM_OF_SOCKADDR(sockaddr_nl);
FORM_OF_SOCKADDR(sockaddr_un);
FORM_OF_SOCKADDR(sockaddr_vm);
FORM_OF_SOCKADDR(sockaddr_xdp);
