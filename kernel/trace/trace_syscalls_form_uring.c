// SPDX-License-Identifier: GPL-2.0
/* io_uring. */
#include <linux/init.h>
#include <uapi/linux/io_uring.h>

#include "trace_syscalls_forms.h"

/* What a ring is to be, and, when it is there, where its parts are */

#define OFFSET(_type, _member)	MEMBER(_type, _member, trace_syscall_unsigned)

static struct trace_syscall_member sq_members[] __ro_after_init = {
	OFFSET(struct io_sqring_offsets, head),
	OFFSET(struct io_sqring_offsets, tail),
	OFFSET(struct io_sqring_offsets, ring_mask),
	OFFSET(struct io_sqring_offsets, ring_entries),
	OFFSET(struct io_sqring_offsets, flags),
	OFFSET(struct io_sqring_offsets, dropped),
	OFFSET(struct io_sqring_offsets, array),
	MEMBER(struct io_sqring_offsets, resv1, trace_syscall_hex, IF_SET),
	MEMBER(struct io_sqring_offsets, user_addr, trace_syscall_address, IF_SET),
	{}
};

static struct trace_syscall_member cq_members[] __ro_after_init = {
	OFFSET(struct io_cqring_offsets, head),
	OFFSET(struct io_cqring_offsets, tail),
	OFFSET(struct io_cqring_offsets, ring_mask),
	OFFSET(struct io_cqring_offsets, ring_entries),
	OFFSET(struct io_cqring_offsets, overflow),
	OFFSET(struct io_cqring_offsets, cqes),
	OFFSET(struct io_cqring_offsets, flags),
	MEMBER(struct io_cqring_offsets, resv1, trace_syscall_hex, IF_SET),
	MEMBER(struct io_cqring_offsets, user_addr, trace_syscall_address, IF_SET),
	{}
};

/* Those that the kernel takes come first; the rest is what it gives */
static struct trace_syscall_member params_members[] __ro_after_init = {
	NAMES(struct io_uring_params, flags, "io_uring_setup"),
	MEMBER(struct io_uring_params, sq_thread_cpu, trace_syscall_hex),
	MEMBER(struct io_uring_params, sq_thread_idle, trace_syscall_unsigned),
	MEMBER(struct io_uring_params, wq_fd, trace_syscall_signed,
	       IF_FLAG(struct io_uring_params, flags, IORING_SETUP_ATTACH_WQ)),
	LABELLED("resv", struct io_uring_params, resv, NULL, IF_SET,
		 .print_in = trace_syscall_hex_words),
	MEMBER(struct io_uring_params, sq_entries, trace_syscall_unsigned),
	MEMBER(struct io_uring_params, cq_entries, trace_syscall_unsigned),
	NAMES(struct io_uring_params, features, "io_uring_features"),
	INSIDE(struct io_uring_params, sq_off, sq_members),
	INSIDE(struct io_uring_params, cq_off, cq_members),
};

#define NR_TAKEN	5

static bool print_params(struct trace_syscall_printer *p, const struct trace_syscall_form *form,
			 unsigned long address, unsigned long count)
{
	const struct trace_syscall_piece *piece = trace_syscall_next(p);
	struct trace_syscall_layout shown = form->native;

	if (!piece || piece->head != shown.size)
		return false;
	if (!(p->of & TRACE_SYSCALL_OUT))
		shown.nr = NR_TAKEN;
	trace_syscall_print_some(p, &shown, piece->bytes, shown.size);
	return true;
}

/* No program has another layout */
const struct trace_syscall_form trace_syscall_form_uring_params = {
	.read	= trace_syscall_read_struct,
	.print	= print_params,
	.native	= LAYOUT(struct io_uring_params, params_members),
	COMPAT_LAYOUT(struct io_uring_params, params_members)
};

/* The signals of io_uring_enter(), unless a flag says that it is something else */

static bool is_sigset(const unsigned long *args, unsigned long size)
{
	return !((u32)args[3] & IORING_ENTER_EXT_ARG) && size == sizeof(u64);
}

static void read_signals(struct trace_syscall_reader *r, const struct trace_syscall_form *form,
			 unsigned long address, unsigned long count)
{
	if (is_sigset(r->args, count))
		trace_syscall_form_sigset.read(r, &trace_syscall_form_sigset, address, count);
}

static bool print_signals(struct trace_syscall_printer *p, const struct trace_syscall_form *form,
			  unsigned long address, unsigned long count)
{
	return is_sigset(p->call->args, count) &&
	       trace_syscall_form_sigset.print(p, &trace_syscall_form_sigset, address, count);
}

const struct trace_syscall_form trace_syscall_form_uring_signals = {
	.read	= read_signals,
	.print	= print_signals,
};

/* io_uring_register(): what the argument is depends on the operation */

static u32 operation_of(const unsigned long *args)
{
	return (u32)args[1] & ~IORING_REGISTER_USE_REGISTERED_RING;
}

static struct trace_syscall_member ring_members[] __ro_after_init = {
	MEMBER(struct io_uring_buf_reg, ring_addr, trace_syscall_address),
	MEMBER(struct io_uring_buf_reg, ring_entries, trace_syscall_unsigned),
	MEMBER(struct io_uring_buf_reg, bgid, trace_syscall_unsigned),
	MEMBER(struct io_uring_buf_reg, flags, trace_syscall_hex, IF_SET),
};

static const struct trace_syscall_form buffer_ring = {
	STRUCT_FORM,
	.native	= LAYOUT(struct io_uring_buf_reg, ring_members),
	COMPAT_LAYOUT(struct io_uring_buf_reg, ring_members)
};

/* A place in the table of files, and descriptors to put there */

static void read_update(struct trace_syscall_reader *r, const struct trace_syscall_form *form,
			unsigned long address, unsigned long count)
{
	const void *bytes = trace_syscall_read(r, address, sizeof(struct io_uring_files_update));
	struct io_uring_files_update update;

	if (!bytes)
		return;
	memcpy(&update, bytes, sizeof(update));
	if (update.fds && count)
		trace_syscall_form_ints.read(r, &trace_syscall_form_ints, update.fds, count);
}

static bool print_update(struct trace_syscall_printer *p, const struct trace_syscall_form *form,
			 unsigned long address, unsigned long count)
{
	struct io_uring_files_update update;

	if (!trace_syscall_next_whole(p, &update, sizeof(update)))
		return false;
	trace_seq_printf(p->s, "{offset=%u", update.offset);
	if (update.resv)
		trace_seq_printf(p->s, ", resv=%#x", update.resv);
	trace_seq_puts(p->s, ", fds=");
	if (!update.fds || !count ||
	    !trace_syscall_form_ints.print(p, &trace_syscall_form_ints, update.fds, count))
		trace_syscall_address(p->s, NULL, update.fds);
	trace_seq_putc(p->s, '}');
	return true;
}

static const struct trace_syscall_form files_update = {
	.read	= read_update,
	.print	= print_update,
};

/* Which operations the kernel has */

static struct trace_syscall_member op_members[] __ro_after_init = {
	NAMES(struct io_uring_probe_op, op, "io_uring_op"),
	NAMES(struct io_uring_probe_op, flags, "io_uring_op_flags"),
};

static const struct trace_syscall_form ops = {
	ARRAY_FORM,
	.native	= LAYOUT(struct io_uring_probe_op, op_members),
	COMPAT_LAYOUT(struct io_uring_probe_op, op_members)
};

static void read_probe(struct trace_syscall_reader *r, const struct trace_syscall_form *form,
		       unsigned long address, unsigned long count)
{
	const struct io_uring_probe *probe;

	probe = trace_syscall_read(r, address, sizeof(*probe));
	if (probe)
		trace_syscall_read_array(r, &ops, address + sizeof(*probe),
					 min_t(unsigned long, count, probe->ops_len));
}

static bool print_probe(struct trace_syscall_printer *p, const struct trace_syscall_form *form,
			unsigned long address, unsigned long count)
{
	struct io_uring_probe probe;

	if (!trace_syscall_next_whole(p, &probe, sizeof(probe)))
		return false;
	trace_seq_puts(p->s, "{last_op=");
	trace_syscall_print_family(p->s, "io_uring_op", probe.last_op, sizeof(probe.last_op));
	trace_seq_printf(p->s, ", ops_len=%u, ops=", probe.ops_len);
	if (!trace_syscall_print_array(p, &ops, address + sizeof(probe), count))
		trace_syscall_print_pointer(p->s, address + sizeof(probe));
	trace_seq_putc(p->s, '}');
	return true;
}

static const struct trace_syscall_form op_probe = {
	.read	= read_probe,
	.print	= print_probe,
};

/* Tables of files or buffers, with a tag for each, whose size is the number of arguments */

struct resources {
	u64	data;
	u64	tags;
	u32	nr;
};

static bool is_resources(const unsigned long *args)
{
	return (u32)args[3] == sizeof(struct io_uring_rsrc_register);
}

static bool is_update(const unsigned long *args)
{
	u32 op = operation_of(args);

	return op == IORING_REGISTER_FILES_UPDATE2 || op == IORING_REGISTER_BUFFERS_UPDATE;
}

static const struct trace_syscall_form *form_of_data(const unsigned long *args)
{
	u32 op = operation_of(args);

	return op == IORING_REGISTER_FILES2 || op == IORING_REGISTER_FILES_UPDATE2 ?
	       &trace_syscall_form_ints : &trace_syscall_form_iovec_addresses;
}

static struct trace_syscall_member tag_members[] __ro_after_init = {
	{ .print = trace_syscall_hex, .size = sizeof(u64) },
};

/* Numbers of 64 bits, whose bytes are a piece */
static void print_tags(struct trace_syscall_printer *p, const struct trace_syscall_piece *piece)
{
	unsigned int i;
	u64 tag;

	trace_seq_putc(p->s, '[');
	for (i = 0; i < (piece->head & TRACE_SYSCALL_PIECE_LENGTH) / sizeof(tag); i++) {
		memcpy(&tag, piece->bytes + i * sizeof(tag), sizeof(tag));
		trace_seq_puts(p->s, i ? ", " : "");
		trace_syscall_hex(p->s, tag_members, tag);
	}
	trace_seq_putc(p->s, ']');
}

static struct resources resources_at(const void *bytes, const unsigned long *args)
{
	struct io_uring_rsrc_register table;
	struct io_uring_rsrc_update2 update;

	if (is_update(args)) {
		memcpy(&update, bytes, sizeof(update));
		return (struct resources) { update.data, update.tags, update.nr };
	}
	memcpy(&table, bytes, sizeof(table));
	return (struct resources) { table.data, table.tags, table.nr };
}

/* Tags are read only if all of them are shown */
static bool has_tags(const struct resources *r)
{
	return r->tags && r->nr && r->nr <= TRACE_SYSCALL_ELEMENTS;
}

static void read_resources(struct trace_syscall_reader *r, const struct trace_syscall_form *form,
			   unsigned long address, unsigned long count)
{
	const struct trace_syscall_form *data = form_of_data(r->args);
	struct resources resources;
	const void *bytes;

	if (!is_resources(r->args))
		return;
	bytes = trace_syscall_read(r, address, sizeof(struct io_uring_rsrc_register));
	if (!bytes)
		return;
	resources = resources_at(bytes, r->args);
	/* The tags come first, because what follows is one piece or many */
	if (has_tags(&resources))
		trace_syscall_read(r, resources.tags, resources.nr * sizeof(u64));
	if (resources.data && resources.nr)
		data->read(r, data, resources.data, resources.nr);
}

static bool print_resources(struct trace_syscall_printer *p,
			    const struct trace_syscall_form *form, unsigned long address,
			    unsigned long count)
{
	const struct trace_syscall_form *data = form_of_data(p->call->args);
	const struct trace_syscall_piece *piece = trace_syscall_next(p), *tags = NULL;
	bool updates = is_update(p->call->args);
	struct io_uring_rsrc_register table;
	struct resources r;

	if (!is_resources(p->call->args) || !piece || piece->head != sizeof(table))
		return false;
	r = resources_at(piece->bytes, p->call->args);
	memcpy(&table, piece->bytes, sizeof(table));
	if (has_tags(&r))
		tags = trace_syscall_next(p);
	if (updates) {
		/* The place in the table is where the other structure has its number */
		trace_seq_printf(p->s, "{offset=%u", table.nr);
	} else {
		trace_seq_printf(p->s, "{nr=%u, flags=", table.nr);
		trace_syscall_print_family(p->s, "io_uring_rsrc", table.flags,
					   sizeof(table.flags));
	}
	trace_seq_puts(p->s, ", data=");
	if (!r.data || !r.nr || !data->print(p, data, r.data, r.nr))
		trace_syscall_address(p->s, NULL, r.data);
	trace_seq_puts(p->s, ", tags=");
	if (tags && !(tags->head & TRACE_SYSCALL_PIECE_UNKNOWN))
		print_tags(p, tags);
	else
		trace_syscall_address(p->s, NULL, r.tags);
	if (updates)
		trace_seq_printf(p->s, ", nr=%u", r.nr);
	trace_seq_putc(p->s, '}');
	return true;
}

static_assert(offsetof(struct io_uring_rsrc_update2, offset) ==
	      offsetof(struct io_uring_rsrc_register, nr));
static_assert(sizeof(struct io_uring_rsrc_update2) == sizeof(struct io_uring_rsrc_register));

static const struct trace_syscall_form resources = {
	.read	= read_resources,
	.print	= print_resources,
};

/* Descriptors of rings: -1 is any place */

static void print_place(struct trace_seq *s, const struct trace_syscall_member *m, u64 bits)
{
	trace_seq_printf(s, (u32)bits == U32_MAX ? "%d" : "%u", (u32)bits);
}

static struct trace_syscall_member ring_fd_members[] __ro_after_init = {
	MEMBER(struct io_uring_rsrc_update, offset, print_place),
	MEMBER(struct io_uring_rsrc_update, resv, trace_syscall_hex, IF_SET),
	MEMBER(struct io_uring_rsrc_update, data, trace_syscall_unsigned),
};

static const struct trace_syscall_form ring_fds = {
	ARRAY_FORM,
	.native	= LAYOUT(struct io_uring_rsrc_update, ring_fd_members),
	COMPAT_LAYOUT(struct io_uring_rsrc_update, ring_fd_members)
};

static struct trace_syscall_member freed_fd_members[] __ro_after_init = {
	MEMBER(struct io_uring_rsrc_update, offset, trace_syscall_unsigned),
	MEMBER(struct io_uring_rsrc_update, resv, trace_syscall_hex, IF_SET),
	MEMBER(struct io_uring_rsrc_update, data, trace_syscall_hex),
};

static const struct trace_syscall_form freed_fds = {
	ARRAY_FORM,
	.native	= LAYOUT(struct io_uring_rsrc_update, freed_fd_members),
	COMPAT_LAYOUT(struct io_uring_rsrc_update, freed_fd_members)
};

/* What a ring may be used for, until it is enabled */

static void print_restriction(struct trace_seq *s, const struct trace_syscall_member *m, u64 bits)
{
	struct io_uring_restriction r;

	memcpy(&r, &bits, offsetofend(struct io_uring_restriction, sqe_op));
	trace_syscall_print_family(s, "io_uring_restriction", r.opcode, sizeof(r.opcode));
	if (r.opcode == IORING_RESTRICTION_REGISTER_OP) {
		trace_seq_puts(s, ", register_op=");
		trace_syscall_print_family(s, "io_uring_register", r.register_op, sizeof(u32));
	} else if (r.opcode == IORING_RESTRICTION_SQE_OP) {
		trace_seq_puts(s, ", sqe_op=");
		trace_syscall_print_family(s, "io_uring_op", r.sqe_op, sizeof(r.sqe_op));
	} else {
		trace_seq_puts(s, ", sqe_flags=");
		trace_syscall_print_family(s, "io_uring_sqe", r.sqe_flags, sizeof(r.sqe_flags));
	}
}

/* The operation and what it is about are one member, for one of them tells of the other */
static struct trace_syscall_member restriction_members[] __ro_after_init = {
	{ .label = "opcode", .print = print_restriction,
	  .size = offsetofend(struct io_uring_restriction, sqe_op) },
};

static const struct trace_syscall_form restrictions = {
	ARRAY_FORM,
	.native	= LAYOUT(struct io_uring_restriction, restriction_members),
	COMPAT_LAYOUT(struct io_uring_restriction, restriction_members)
};

/* @only_one: with another number of arguments the call fails before it reads any */
static const struct operation {
	u8				op;
	u8				direction;
	bool				only_one;
	const struct trace_syscall_form	*form;
} operations[] = {
	{ IORING_REGISTER_BUFFERS, TRACE_SYSCALL_TAKES, false,
	  &trace_syscall_form_iovec_addresses },
	{ IORING_REGISTER_FILES, TRACE_SYSCALL_TAKES, false, &trace_syscall_form_ints },
	{ IORING_REGISTER_FILES_UPDATE, TRACE_SYSCALL_TAKES, false, &files_update },
	{ IORING_REGISTER_EVENTFD, TRACE_SYSCALL_TAKES, true, &trace_syscall_form_ints },
	{ IORING_REGISTER_EVENTFD_ASYNC, TRACE_SYSCALL_TAKES, true, &trace_syscall_form_ints },
	{ IORING_REGISTER_FILES2, TRACE_SYSCALL_TAKES, false, &resources },
	{ IORING_REGISTER_BUFFERS2, TRACE_SYSCALL_TAKES, false, &resources },
	{ IORING_REGISTER_FILES_UPDATE2, TRACE_SYSCALL_TAKES, false, &resources },
	{ IORING_REGISTER_BUFFERS_UPDATE, TRACE_SYSCALL_TAKES, false, &resources },
	{ IORING_REGISTER_RING_FDS, TRACE_SYSCALL_TAKES, false, &ring_fds },
	{ IORING_UNREGISTER_RING_FDS, TRACE_SYSCALL_TAKES, false, &freed_fds },
	{ IORING_REGISTER_RESTRICTIONS, TRACE_SYSCALL_TAKES, false, &restrictions },
	{ IORING_REGISTER_PROBE, TRACE_SYSCALL_GIVES, false, &op_probe },
	{ IORING_REGISTER_IOWQ_AFF, TRACE_SYSCALL_TAKES, false, &trace_syscall_form_cpus },
	{ IORING_REGISTER_PBUF_RING, TRACE_SYSCALL_TAKES, true, &buffer_ring },
	{ IORING_UNREGISTER_PBUF_RING, TRACE_SYSCALL_TAKES, true, &buffer_ring },
};

static const struct operation *find_operation(const unsigned long *args, bool out)
{
	u32 op = operation_of(args);
	u8 direction = out ? TRACE_SYSCALL_GIVES : TRACE_SYSCALL_TAKES;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(operations); i++)
		if (operations[i].op == op && operations[i].direction == direction &&
		    (u32)args[3] && !(operations[i].only_one && (u32)args[3] != 1))
			return &operations[i];
	return NULL;
}

/* A structure has no count; the only one of an array has */
static unsigned long count_of(const struct operation *op, unsigned long count)
{
	return op->form == &buffer_ring ? 0 : (u32)count;
}

static void read_registered(struct trace_syscall_reader *r,
			    const struct trace_syscall_form *form, unsigned long address,
			    unsigned long count)
{
	const struct operation *op = find_operation(r->args, r->of & TRACE_SYSCALL_OUT);

	if (op)
		op->form->read(r, op->form, address, count_of(op, count));
}

static bool print_registered(struct trace_syscall_printer *p,
			     const struct trace_syscall_form *form, unsigned long address,
			     unsigned long count)
{
	const struct operation *op = find_operation(p->call->args, p->of & TRACE_SYSCALL_OUT);

	return op && op->form->print(p, op->form, address, count_of(op, count));
}

const struct trace_syscall_form trace_syscall_form_uring_registered = {
	.read	= read_registered,
	.print	= print_registered,
};
