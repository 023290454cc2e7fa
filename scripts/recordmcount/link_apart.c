// SPDX-License-Identifier: GPL-2.0
/*
 * The other link step: the tables of all objects of an image become one that is
 * no part of the image, but of a module.
 */
#include <stdlib.h>
#include <string.h>

#include "apart.h"
#include "link.h"

/* Every address relative to the start of the text, whatever its range is */
static int put_ips(const struct object *image, const struct entries *entries,
		   unsigned char *block)
{
	const struct ftrace_sig_header *h = (const void *)block;
	const struct symbol *text = object_find_symbol(image, IMAGE_TEXT);

	for (uint32_t i = 0; i < entries->nr; i++) {
		uint64_t offset = entries->list[i].addr - text->sym.st_value;
		uint32_t ip = offset;

		if (ip != offset)
			return fail(image->path, "its call site 0x%llx is too far from " IMAGE_TEXT,
				    (unsigned long long)entries->list[i].addr);
		memcpy(block + h->ips + 4ull * i, &ip, 4);
	}
	return 0;
}

static int finish_table(const struct object *image,
			const struct entries *entries, unsigned char *block)
{
	struct ftrace_sig_header *h = (void *)block;
	struct ftrace_sig_apart *apart = (void *)(h + 1);

	if (build_id_read(image, apart->build_id) ||
	    put_ips(image, entries, block))
		return -1;
	h->checksum = table_checksum(h);
	return 0;
}

static int write_object(const struct object *image, const char *path,
			const unsigned char *block, size_t size)
{
	struct object out;
	uint32_t sec;

	link_new_object(&out, path, image);
	sec = object_add_section(&out, FTRACE_SIG_APART_SECTION, SHT_PROGBITS,
				 SHF_ALLOC, 8, block, size);
	link_begin_symbols(&out, 2);
	link_add_symbol(&out, "ftrace_signatures_start", sec, 0);
	link_add_symbol(&out, "ftrace_signatures_end", sec, size);
	return link_write_object(&out);
}

static int write_apart(const struct object *image, const char *path,
		       const struct entries *entries)
{
	unsigned char *block;
	size_t size;
	int err;

	block = entries_build(image, entries, FTRACE_SIG_F_APART, &size);
	err = block ? finish_table(image, entries, block) : -1;
	if (!err)
		err = write_object(image, path, block, size);
	free(block);
	return err;
}

/**
 * link_apart - make an object for a module, with the signatures of an image
 * @path: the image; its addresses are final
 * @out: the object, which has the table in FTRACE_SIG_APART_SECTION, between
 *	the symbols ftrace_signatures_start and ftrace_signatures_end
 *
 * Return: 0, or -1 after a message.
 */
int link_apart(const char *path, const char *out)
{
	return link_with(path, out, write_apart);
}
