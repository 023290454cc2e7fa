// SPDX-License-Identifier: GPL-2.0
/* What arguments of keyctl() point to. */
#include <linux/init.h>
#include <linux/string.h>
#include <uapi/linux/keyctl.h>

#include "signature/text.h"
#include "trace_syscalls_forms.h"
#include "trace_syscalls_keyctl.h"

/* The kernel reads no more of a type, and takes no more bytes */
#define MOST_OF_A_TYPE	32
#define MOST_TAKEN	(1024 * 1024 - 1)

static struct trace_syscall_member dh_members[] __ro_after_init = {
	MEMBER(struct keyctl_dh_params, private, trace_syscall_signed),
	MEMBER(struct keyctl_dh_params, prime, trace_syscall_signed),
	MEMBER(struct keyctl_dh_params, base, trace_syscall_signed),
};

static struct trace_syscall_member pkey_members[] __ro_after_init = {
	MEMBER(struct keyctl_pkey_params, key_id, trace_syscall_signed),
	MEMBER(struct keyctl_pkey_params, in_len, trace_syscall_unsigned),
	MEMBER(struct keyctl_pkey_params, out_len, trace_syscall_unsigned),
	LABELLED("__spare", struct keyctl_pkey_params, __spare, NULL, IF_SET,
		 .print_in = trace_syscall_hex_words),
};

static struct trace_syscall_member verify_members[] __ro_after_init = {
	MEMBER(struct keyctl_pkey_params, key_id, trace_syscall_signed),
	MEMBER(struct keyctl_pkey_params, in_len, trace_syscall_unsigned),
	MEMBER(struct keyctl_pkey_params, in2_len, trace_syscall_unsigned),
	LABELLED("__spare", struct keyctl_pkey_params, __spare, NULL, IF_SET,
		 .print_in = trace_syscall_hex_words),
};

/* No program has another layout */
static const struct trace_syscall_form dh_keys = {
	STRUCT_FORM,
	.native	= LAYOUT(struct keyctl_dh_params, dh_members),
	COMPAT_LAYOUT(struct keyctl_dh_params, dh_members)
};

static const struct trace_syscall_form pkey_lengths = {
	STRUCT_FORM,
	.native	= LAYOUT(struct keyctl_pkey_params, pkey_members),
	COMPAT_LAYOUT(struct keyctl_pkey_params, pkey_members)
};

static const struct trace_syscall_form verify_lengths = {
	STRUCT_FORM,
	.native	= LAYOUT(struct keyctl_pkey_params, verify_members),
	COMPAT_LAYOUT(struct keyctl_pkey_params, verify_members)
};

static const struct trace_syscall_form *form_of_lengths(const unsigned long *args)
{
	return (u32)args[0] == KEYCTL_PKEY_VERIFY ? &verify_lengths : &pkey_lengths;
}

/* The data of parameter 3, or the other data of parameter 4 */
static void read_pkey_data(struct trace_syscall_reader *r, unsigned long address, int param)
{
	struct keyctl_pkey_params params;

	if (!trace_syscall_try(r, &params, r->args[1], sizeof(params)))
		trace_syscall_put_flag(r, TRACE_SYSCALL_PIECE_UNKNOWN);
	else
		trace_syscall_read_bytes(r, address, param == 3 ? params.in_len : params.in2_len);
}

static void read_type(struct trace_syscall_reader *r, unsigned long address)
{
	unsigned int most = r->most;

	r->most = min(most, MOST_OF_A_TYPE);
	trace_syscall_read_string(r, address);
	r->most = most;
}

static void read_taken(struct trace_syscall_reader *r, unsigned long address, int param)
{
	unsigned long next = param < 4 ? r->args[param + 1] : 0;

	switch (trace_syscall_keyctl_kind(r->args, param)) {
	case KEYCTL_STRING:
		trace_syscall_read_string(r, address);
		break;
	case KEYCTL_TYPE:
		read_type(r, address);
		break;
	case KEYCTL_TAKEN:
		if (next <= MOST_TAKEN)
			trace_syscall_read_bytes(r, address, next);
		break;
	case KEYCTL_BUFFERS:
		trace_syscall_read_iovec(r, address, (u32)next, ULONG_MAX);
		break;
	case KEYCTL_DH_KEYS:
		trace_syscall_read_struct(r, &dh_keys, address, 0);
		break;
	case KEYCTL_PKEY_LENGTHS:
		trace_syscall_read_struct(r, form_of_lengths(r->args), address, 0);
		break;
	case KEYCTL_PKEY_DATA:
		read_pkey_data(r, address, param);
	}
}

/* Whether an operation writes a part of what has no room as a whole */
static bool gives_part(u32 operation)
{
	return operation != KEYCTL_READ && operation != KEYCTL_DESCRIBE;
}

/* The result is how many bytes there are, whatever room the program has */
static void read_given(struct trace_syscall_reader *r, unsigned long address, int param)
{
	char kind = trace_syscall_keyctl_kind(r->args, param);
	unsigned long size = r->ret, room;

	if (kind != KEYCTL_GIVEN && kind != KEYCTL_CAPABILITY_BYTES)
		return;
	room = r->args[param + 1];
	if (size <= room || gives_part(r->args[0]))
		trace_syscall_read_bytes(r, address, min(size, room));
}

static void read_keyctl(struct trace_syscall_reader *r, const struct trace_syscall_form *form,
			unsigned long address, unsigned long count)
{
	int param = r->of & TRACE_SYSCALL_PARAM;

	if (r->of & TRACE_SYSCALL_OUT)
		read_given(r, address, param);
	else
		read_taken(r, address, param);
}

static bool print_text(struct trace_syscall_printer *p, bool ends)
{
	const struct trace_syscall_piece *piece = trace_syscall_next(p);
	unsigned int length;

	if (!piece || piece->head & TRACE_SYSCALL_PIECE_UNKNOWN)
		return false;
	length = piece->head & TRACE_SYSCALL_PIECE_LENGTH;
	/* A description ends with a zero that is no part of it */
	ends = ends && length && !piece->bytes[length - 1];
	if (ends)
		ftrace_sig_print_text(p->s, piece->bytes, length - 1, false);
	else
		trace_syscall_print_text(p->s, piece);
	return true;
}

/* Each byte is a set of bits of its own */
static bool print_capabilities(struct trace_syscall_printer *p)
{
	static const char *const families[] = { "keyctl_caps0", "keyctl_caps1" };
	const struct trace_syscall_piece *piece = trace_syscall_next(p);
	unsigned int i, length;

	if (!piece || piece->head & TRACE_SYSCALL_PIECE_UNKNOWN)
		return false;
	length = piece->head & TRACE_SYSCALL_PIECE_LENGTH;
	trace_seq_putc(p->s, '[');
	for (i = 0; i < length; i++) {
		trace_seq_puts(p->s, i ? ", " : "");
		if (i < ARRAY_SIZE(families))
			trace_syscall_print_family(p->s, families[i], piece->bytes[i], 1);
		else
			trace_seq_printf(p->s, "%#x", piece->bytes[i]);
	}
	trace_seq_puts(p->s, piece->head & TRACE_SYSCALL_PIECE_CUT ? ", ...]" : "]");
	return true;
}

static bool print_keyctl(struct trace_syscall_printer *p, const struct trace_syscall_form *form,
			 unsigned long address, unsigned long count)
{
	const unsigned long *args = p->call->args;
	int param = p->of & TRACE_SYSCALL_PARAM;

	switch (trace_syscall_keyctl_kind(args, param)) {
	case KEYCTL_STRING:
	case KEYCTL_TYPE:
	case KEYCTL_TAKEN:
	case KEYCTL_PKEY_DATA:
		return print_text(p, false);
	case KEYCTL_GIVEN:
		return print_text(p, (u32)args[0] != KEYCTL_READ);
	case KEYCTL_CAPABILITY_BYTES:
		return print_capabilities(p);
	case KEYCTL_BUFFERS:
		return trace_syscall_print_iovec(p);
	case KEYCTL_DH_KEYS:
		return trace_syscall_print_struct(p, &dh_keys, address, 0);
	case KEYCTL_PKEY_LENGTHS:
		return trace_syscall_print_struct(p, form_of_lengths(args), address, 0);
	default:
		return false;
	}
}

const struct trace_syscall_form trace_syscall_form_keyctl = {
	.read	= read_keyctl,
	.print	= print_keyctl,
};
