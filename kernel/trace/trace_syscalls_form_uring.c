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
		trace_syscall_form_sigset.read(r, &trace_syscall_form_sigset, address, 0);
}

static bool print_signals(struct trace_syscall_printer *p, const struct trace_syscall_form *form,
			  unsigned long address, unsigned long count)
{
	return is_sigset(p->call->args, count) &&
	       trace_syscall_form_sigset.print(p, &trace_syscall_form_sigset, address, 0);
}

const struct trace_syscall_form trace_syscall_form_uring_signals = {
	.read	= read_signals,
	.print	= print_signals,
};

/* io_uring_register(): what the argument is depends on the operation */

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
	{ IORING_REGISTER_PROBE, TRACE_SYSCALL_GIVES, false, &op_probe },
	{ IORING_REGISTER_IOWQ_AFF, TRACE_SYSCALL_TAKES, false, &trace_syscall_form_cpus },
	{ IORING_REGISTER_PBUF_RING, TRACE_SYSCALL_TAKES, true, &buffer_ring },
	{ IORING_UNREGISTER_PBUF_RING, TRACE_SYSCALL_TAKES, true, &buffer_ring },
};

static const struct operation *find_operation(const unsigned long *args, bool out)
{
	u32 op = (u32)args[1] & ~IORING_REGISTER_USE_REGISTERED_RING;
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
