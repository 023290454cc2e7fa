// SPDX-License-Identifier: GPL-2.0
/* See table_host.h. */
#include <elf.h>
#include <stdio.h>

#include "../../arch.h"
#include "../../print_sig.h"
#include "../../table_read.h"
#include "mutate.h"
#include "table_host.h"

#define MAX_SITES	16

static const char *check(const void *data, size_t size, unsigned int flags)
{
	struct table_view view;
	const char *why = table_read(&view, data, size);

	if (why)
		return why;
	if (view.header->flags != flags)
		return "it is of another kind";
	return view.header->word_size == 8 ? NULL : "it is of another machine";
}

/**
 * host_check - whether the build tool takes a table for one of a 64-bit kernel
 * @data: the table
 * @size: bytes at @data
 *
 * Return: NULL, or why not.
 */
const char *host_check(const void *data, size_t size)
{
	return check(data, size, 0);
}

#ifdef FTRACE_SIG_F_APART
/**
 * host_check_apart - the same for a table that is apart from its image
 * @data: the table
 * @size: bytes at @data
 *
 * Return: NULL, or why not.
 */
const char *host_check_apart(const void *data, size_t size)
{
	return check(data, size, FTRACE_SIG_F_APART);
}
#endif

/**
 * host_print - have the build tool print a table
 * @data: the table, which is in order
 * @size: its bytes
 */
void host_print(const void *data, size_t size)
{
	static FILE *nowhere;
	struct table_view view;

	if (!nowhere)
		nowhere = fopen("/dev/null", "w");
	if (table_read(&view, data, size))
		return;
	for (uint32_t i = 0; i < view.header->nr_sites && i < MAX_SITES; i++)
		print_signature(nowhere, arch_find(EM_X86_64), &view,
				table_view_proto(&view, i), "function");
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size,
			       unsigned int seed)
{
	struct rng rng = { seed };

	return mutate_table(&rng, data, size, max_size);
}
