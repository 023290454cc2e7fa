// SPDX-License-Identifier: GPL-2.0
/* What is not worth having inline of follow_string.h. */
#include "follow_string.h"

/* Whether a tracer asks for strings alone, with limits that fit; under follow_mutex */
DEFINE_STATIC_KEY_ARRAY_FALSE(follow_strings_alone, FTRACE_SIG_NR_USERS);

/**
 * follow_copy_kernels - copy a short string of the kernel's
 * @to: where to
 * @from: its address; the words are on one page
 *
 * Context: any, NMI included, with preemption off.
 * Return: its length, or -1 if that is not easy.
 */
long follow_copy_kernels(void *to, unsigned long from)
{
	struct follow_quiet quiet;
	long length;

	if (!peek_is_direct(from))
		return -1;
	quiet = follow_quiet_begin();
	length = follow_copy_words(to, from);
	follow_quiet_end(quiet);
	return length;
}
