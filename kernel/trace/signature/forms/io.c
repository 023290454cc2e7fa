// SPDX-License-Identifier: GPL-2.0
/* Where data goes to and comes from: vectors, iterators, sets of CPUs. */
#include <linux/bvec.h>
#include <linux/cpumask.h>
#include <linux/uio.h>

#include "form.h"

FORM_OF_STRUCT(iovec,
	MEMBER("base", struct iovec, iov_base, form_pointer),
	MEMBER("len", struct iovec, iov_len, form_unsigned));

FORM_OF_STRUCT(kvec,
	MEMBER("base", struct kvec, iov_base, form_pointer),
	MEMBER("len", struct kvec, iov_len, form_unsigned));

FORM_OF_STRUCT(bio_vec,
	MEMBER("page", struct bio_vec, bv_page, form_pointer),
	MEMBER("offset", struct bio_vec, bv_offset, form_unsigned),
	MEMBER("len", struct bio_vec, bv_len, form_unsigned));

static void print_iter_type(struct trace_seq *s, const void *value, unsigned int size,
			    unsigned int how)
{
	static const char *const names[] = {
		[ITER_UBUF]	= "ITER_UBUF",
		[ITER_IOVEC]	= "ITER_IOVEC",
		[ITER_BVEC]	= "ITER_BVEC",
		[ITER_KVEC]	= "ITER_KVEC",
		[ITER_FOLIOQ]	= "ITER_FOLIOQ",
		[ITER_XARRAY]	= "ITER_XARRAY",
		[ITER_DISCARD]	= "ITER_DISCARD",
	};
	u8 type = *(const u8 *)value;

	if (type < ARRAY_SIZE(names))
		trace_seq_puts(s, names[type]);
	else
		form_unsigned(s, value, size, how);
}

static void print_iter_direction(struct trace_seq *s, const void *value, unsigned int size,
				 unsigned int how)
{
	trace_seq_puts(s, *(const u8 *)value ? "ITER_SOURCE" : "ITER_DEST");
}

FORM_OF_STRUCT(iov_iter,
	MEMBER("", struct iov_iter, iter_type, print_iter_type),
	MEMBER("", struct iov_iter, data_source, print_iter_direction),
	MEMBER("count", struct iov_iter, count, form_unsigned),
	MEMBER("offset", struct iov_iter, iov_offset, form_unsigned));

/* The CPUs that may exist; behind those, a mask need not have memory */
static bool cpumask_capture(struct form_writer *w, unsigned long address)
{
	unsigned int size = BITS_TO_LONGS(nr_cpu_ids) * sizeof(long);

	return form_put_memory(w, address, min(size, ALIGN_DOWN(w->room, sizeof(long))));
}

static void cpumask_print(struct trace_seq *s, const void *data, unsigned int size,
			  unsigned int how)
{
	unsigned long bits[FTRACE_FORM_ROOM / sizeof(long)];
	unsigned int nr;

	size = min_t(unsigned int, ALIGN_DOWN(size, sizeof(long)), sizeof(bits));
	memcpy(bits, data, size);
	nr = min(size * BITS_PER_BYTE, nr_cpu_ids);
	trace_seq_printf(s, nr < nr_cpu_ids ? "{%*pbl, ...}" : "{%*pbl}", nr, bits);
}

FORM_FUNCTIONS(cpumask, struct cpumask);
