// SPDX-License-Identifier: GPL-2.0
/* Strings, bytes and numbers, one or several. */
#include <linux/compat.h>
#include <linux/cpumask.h>
#include <linux/init.h>
#include <linux/limits.h>
#include <linux/string.h>
#include <linux/uaccess.h>
#include <linux/uio.h>

#include "trace_syscalls_forms.h"

static void read_string(struct trace_syscall_reader *r, const struct trace_syscall_form *form,
			unsigned long address, unsigned long count)
{
	trace_syscall_read_string(r, address);
}

static bool print_text(struct trace_syscall_printer *p, const struct trace_syscall_form *form,
		       unsigned long address, unsigned long count)
{
	const struct trace_syscall_piece *piece = trace_syscall_next(p);

	if (!piece || piece->head & TRACE_SYSCALL_PIECE_UNKNOWN)
		return false;
	trace_syscall_print_text(p->s, piece);
	return true;
}

const struct trace_syscall_form trace_syscall_form_string = {
	.read	= read_string,
	.print	= print_text,
};

static void read_bytes(struct trace_syscall_reader *r, const struct trace_syscall_form *form,
		       unsigned long address, unsigned long count)
{
	trace_syscall_read_bytes(r, address, count);
}

const struct trace_syscall_form trace_syscall_form_bytes = {
	.read	= read_bytes,
	.print	= print_text,
};

/* Arrays of strings, which end with a NULL */

static void read_argv(struct trace_syscall_reader *r, const struct trace_syscall_form *form,
		      unsigned long address, unsigned long count)
{
	unsigned int size = trace_syscall_long_size(r->words32), i;
	unsigned long string;

	for (i = 0; i < TRACE_SYSCALL_ELEMENTS; i++) {
		if (!trace_syscall_peek_long(r, address + i * size, &string)) {
			trace_syscall_put_flag(r, TRACE_SYSCALL_PIECE_UNKNOWN);
			return;
		}
		if (!string) {
			trace_syscall_put_flag(r, TRACE_SYSCALL_PIECE_END);
			return;
		}
		if (!trace_syscall_read_string(r, string))
			return;
	}
}

static bool print_argv(struct trace_syscall_printer *p, const struct trace_syscall_form *form,
		       unsigned long address, unsigned long count)
{
	const struct trace_syscall_piece *piece = trace_syscall_next(p);
	const char *separator = "[";

	if (!piece || piece->head & TRACE_SYSCALL_PIECE_UNKNOWN)
		return false;
	while (piece && !(piece->head & (TRACE_SYSCALL_PIECE_UNKNOWN | TRACE_SYSCALL_PIECE_END))) {
		trace_seq_puts(p->s, separator);
		trace_syscall_print_text(p->s, piece);
		separator = ", ";
		piece = trace_syscall_next(p);
	}
	trace_syscall_print_end(p->s, piece, separator);
	return true;
}

const struct trace_syscall_form trace_syscall_form_argv = {
	.read	= read_argv,
	.print	= print_argv,
};

/* Variables are not shown, but counted as far as this */
#define MOST_VARIABLES	1024

static void read_envp(struct trace_syscall_reader *r, const struct trace_syscall_form *form,
		      unsigned long address, unsigned long count)
{
	unsigned int size = trace_syscall_long_size(r->words32);
	unsigned long string = 1;
	u32 nr;

	for (nr = 0; nr < MOST_VARIABLES; nr++) {
		if (!trace_syscall_peek_long(r, address + nr * size, &string) || !string)
			break;
	}
	if (string)
		trace_syscall_put_flag(r, TRACE_SYSCALL_PIECE_UNKNOWN);
	else
		trace_syscall_put(r, &nr, sizeof(nr));
}

static bool print_envp(struct trace_syscall_printer *p, const struct trace_syscall_form *form,
		       unsigned long address, unsigned long count)
{
	u32 nr;

	if (!trace_syscall_next_whole(p, &nr, sizeof(nr)))
		return false;
	trace_syscall_print_pointer(p->s, address);
	trace_seq_printf(p->s, nr == 1 ? " /* %u var */" : " /* %u vars */", nr);
	return true;
}

const struct trace_syscall_form trace_syscall_form_envp = {
	.read	= read_envp,
	.print	= print_envp,
};

/* Numbers: an array of structures of one member, printed without braces */

static void read_numbers(struct trace_syscall_reader *r, const struct trace_syscall_form *form,
			 unsigned long address, unsigned long count)
{
	const struct trace_syscall_layout *layout = trace_syscall_layout(form, r->compat);
	unsigned int most = TRACE_SYSCALL_ELEMENTS;

	trace_syscall_read(r, address, min_t(unsigned long, count, most) * layout->size);
}

static bool print_numbers(struct trace_syscall_printer *p, const struct trace_syscall_form *form,
			  unsigned long address, unsigned long count);

/* What was there before, if the syscall has changed it, as strace does: [0] => [10] */
static void print_before(const struct trace_syscall_printer *p,
			 const struct trace_syscall_form *form, unsigned long address,
			 unsigned long count, const struct trace_syscall_piece *after)
{
	struct trace_syscall_printer before = *p, looked;
	const struct trace_syscall_piece *piece;

	if (!trace_syscall_seek(&before, p->of & ~TRACE_SYSCALL_OUT))
		return;
	looked = before;
	piece = trace_syscall_next(&looked);
	if (piece && piece->head == after->head &&
	    !memcmp(piece->bytes, after->bytes, after->head))
		return;
	if (print_numbers(&before, form, address, count))
		trace_seq_puts(p->s, " => ");
}

static bool print_numbers(struct trace_syscall_printer *p, const struct trace_syscall_form *form,
			  unsigned long address, unsigned long count)
{
	const struct trace_syscall_layout *layout = trace_syscall_layout(form, p->compat);
	const struct trace_syscall_piece *piece = trace_syscall_next(p);
	const struct trace_syscall_member *m = layout->members;
	unsigned int i, nr;

	if (!piece || piece->head & ~TRACE_SYSCALL_PIECE_LENGTH)
		return false;
	if (p->of & TRACE_SYSCALL_OUT)
		print_before(p, form, address, count, piece);
	nr = piece->head / layout->size;
	trace_seq_putc(p->s, '[');
	for (i = 0; i < nr; i++) {
		u64 bits = 0;

		memcpy(&bits, piece->bytes + i * layout->size, layout->size);
		if (i)
			trace_seq_puts(p->s, ", ");
		m->print(p->s, m, bits);
	}
	trace_seq_puts(p->s, nr < count ? ", ...]" : "]");
	return true;
}

static struct trace_syscall_member int_members[] __ro_after_init = {
	{ .print = trace_syscall_signed, .size = sizeof(int) },
};
static struct trace_syscall_member long_members[] __ro_after_init = {
	{ .print = trace_syscall_signed, .size = sizeof(long) },
};
static struct trace_syscall_member loff_members[] __ro_after_init = {
	{ .print = trace_syscall_signed, .size = sizeof(loff_t) },
};

#define NUMBERS(_name, _ctype, _compat, _members)				\
const struct trace_syscall_form trace_syscall_form_##_name = {			\
	.read	= read_numbers,							\
	.print	= print_numbers,						\
	.native	= LAYOUT(_ctype, _members),					\
	COMPAT_LAYOUT(_compat, _members)					\
}

NUMBERS(ints, int, int, int_members);
NUMBERS(longs, long, s32, long_members);
NUMBERS(loff, loff_t, loff_t, loff_members);

/* Sets of processors, as strace prints them: [0 1]. The kernel looks at no more than it has. */

static void read_cpus(struct trace_syscall_reader *r, const struct trace_syscall_form *form,
		      unsigned long address, unsigned long count)
{
	unsigned int most = min(cpumask_size(), 128U);

	trace_syscall_read(r, address, min_t(unsigned long, count, most));
}

/**
 * trace_syscall_print_bits - print which bits of a set are set
 * @s: where to
 * @bytes: the set
 * @nr: how many bits it has
 * @cut: there are more, which are not known
 */
void trace_syscall_print_bits(struct trace_seq *s, const u8 *bytes, unsigned int nr, bool cut)
{
	const char *separator = "";
	unsigned int i;

	trace_seq_putc(s, '[');
	for (i = 0; i < nr; i++) {
		if (!(bytes[i / 8] & BIT(i % 8)))
			continue;
		trace_seq_printf(s, "%s%u", separator, i);
		separator = " ";
	}
	if (cut)
		trace_seq_printf(s, "%s...", separator);
	trace_seq_putc(s, ']');
}

static bool print_cpus(struct trace_syscall_printer *p, const struct trace_syscall_form *form,
		       unsigned long address, unsigned long count)
{
	const struct trace_syscall_piece *piece = trace_syscall_next(p);

	if (!piece || piece->head & ~TRACE_SYSCALL_PIECE_LENGTH)
		return false;
	trace_syscall_print_bits(p->s, piece->bytes, piece->head * 8, false);
	return true;
}

const struct trace_syscall_form trace_syscall_form_cpus = {
	.read	= read_cpus,
	.print	= print_cpus,
};

/* Buffers: for each one two pieces, its description and its bytes */

struct buffer {
	unsigned long	base;
	unsigned long	size;
};

static struct buffer buffer_at(const void *bytes, bool words32)
{
	struct buffer buffer = {
		.base = trace_syscall_long_at(bytes, words32),
		.size = trace_syscall_long_at(bytes + trace_syscall_long_size(words32), words32),
	};

	return buffer;
}

/**
 * trace_syscall_read_iovec - append buffers
 * @r: the reader
 * @address: where their descriptions are
 * @count: how many; the kernel takes none of too many
 * @filled: how many bytes they have in all
 */
void trace_syscall_read_iovec(struct trace_syscall_reader *r, unsigned long address,
			      unsigned long count, unsigned long filled)
{
	unsigned int size = 2 * trace_syscall_long_size(r->words32);
	unsigned long i;

	if (count > UIO_MAXIOV)
		return;
	for (i = 0; i < count && i < TRACE_SYSCALL_ELEMENTS; i++) {
		const void *bytes = trace_syscall_read(r, address + i * size, size);
		struct buffer buffer;
		unsigned long some;

		if (!bytes)
			return;
		buffer = buffer_at(bytes, r->words32);
		some = min(buffer.size, filled);
		filled -= some;
		trace_syscall_read_bytes(r, buffer.base, some);
	}
	trace_syscall_put_flag(r, TRACE_SYSCALL_PIECE_END |
				  (i < count ? TRACE_SYSCALL_PIECE_CUT : 0));
}

static void print_buffer(struct trace_syscall_printer *p, struct buffer buffer)
{
	const struct trace_syscall_piece *piece = trace_syscall_next(p);

	trace_seq_puts(p->s, "{iov_base=");
	if (piece && !(piece->head & (TRACE_SYSCALL_PIECE_UNKNOWN | TRACE_SYSCALL_PIECE_END)))
		trace_syscall_print_text(p->s, piece);
	else
		trace_syscall_print_pointer(p->s, buffer.base);
	trace_seq_printf(p->s, ", iov_len=%lu}", buffer.size);
}

/**
 * trace_syscall_print_iovec - print what trace_syscall_read_iovec() appended
 * @p: the printer
 *
 * Return: false, and nothing was printed, if the first one is unknown.
 */
bool trace_syscall_print_iovec(struct trace_syscall_printer *p)
{
	unsigned int size = 2 * trace_syscall_long_size(p->call->compat);
	const struct trace_syscall_piece *piece = trace_syscall_next(p);
	const char *separator = "[";

	if (!piece || piece->head & TRACE_SYSCALL_PIECE_UNKNOWN)
		return false;
	for (; piece && piece->head == size; piece = trace_syscall_next(p)) {
		trace_seq_puts(p->s, separator);
		print_buffer(p, buffer_at(piece->bytes, p->call->compat));
		separator = ", ";
	}
	trace_syscall_print_end(p->s, piece, separator);
	return true;
}

static void read_iovec(struct trace_syscall_reader *r, const struct trace_syscall_form *form,
		       unsigned long address, unsigned long count)
{
	trace_syscall_read_iovec(r, address, count, ULONG_MAX);
}

static void read_iovec_filled(struct trace_syscall_reader *r,
			      const struct trace_syscall_form *form, unsigned long address,
			      unsigned long count)
{
	trace_syscall_read_iovec(r, address, count, r->ret);
}

static bool print_iovec(struct trace_syscall_printer *p, const struct trace_syscall_form *form,
			unsigned long address, unsigned long count)
{
	return trace_syscall_print_iovec(p);
}

const struct trace_syscall_form trace_syscall_form_iovec = {
	.read	= read_iovec,
	.print	= print_iovec,
};

const struct trace_syscall_form trace_syscall_form_iovec_filled = {
	.read	= read_iovec_filled,
	.print	= print_iovec,
};

/*
 * Buffers of which only the places are told, as the program describes them whatever table
 * the syscall is in
 */

#define MEMBERS_PLACE(_type)							\
{										\
	MEMBER(_type, iov_base, trace_syscall_address),				\
	MEMBER(_type, iov_len, trace_syscall_unsigned),				\
}

static struct trace_syscall_member place_members[] __ro_after_init = MEMBERS_PLACE(struct iovec);
#ifdef CONFIG_COMPAT
static struct trace_syscall_member compat_place_members[] __ro_after_init =
	MEMBERS_PLACE(struct compat_iovec);
#endif

static void read_places(struct trace_syscall_reader *r, const struct trace_syscall_form *form,
			unsigned long address, unsigned long count)
{
	bool compat = r->compat;

	r->compat = r->words32;
	trace_syscall_read_array(r, form, address, count);
	r->compat = compat;
}

static bool print_places(struct trace_syscall_printer *p, const struct trace_syscall_form *form,
			 unsigned long address, unsigned long count)
{
	p->compat = p->call->compat;
	return trace_syscall_print_array(p, form, address, count);
}

const struct trace_syscall_form trace_syscall_form_iovec_addresses = {
	.read	= read_places,
	.print	= print_places,
	.native	= LAYOUT(struct iovec, place_members),
	COMPAT_LAYOUT(struct compat_iovec, compat_place_members)
};
