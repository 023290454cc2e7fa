// SPDX-License-Identifier: GPL-2.0
/*
 * Tables that are no part of the image that they describe, but of a module: made by
 * a link step of their own, and read from the file that has them.  Build IDs tell
 * that the two belong together.
 */
#include <stdlib.h>
#include <string.h>

#include "apart.h"
#include "elf_edit.h"
#include "link.h"

/* The build ID among the notes of a section; NULL if there is none. */
static const void *find_build_id(Elf_Data *notes, size_t *size)
{
	size_t at = 0, next, name, desc;
	GElf_Nhdr note;

	while ((next = gelf_getnote(notes, at, &note, &name, &desc))) {
		const char *bytes = notes->d_buf;

		if (note.n_type == NT_GNU_BUILD_ID &&
		    note.n_namesz == sizeof(ELF_NOTE_GNU) &&
		    !memcmp(bytes + name, ELF_NOTE_GNU, sizeof(ELF_NOTE_GNU))) {
			*size = note.n_descsz;
			return bytes + desc;
		}
		at = next;
	}
	return NULL;
}

/* FTRACE_SIG_BUILD_ID_SIZE bytes; what the image has less of is 0. */
static int read_build_id(const struct object *image, unsigned char *id)
{
	for (uint32_t i = 1; i < image->old_sections; i++) {
		Elf_Scn *scn = elf_getscn(image->elf, i);
		Elf_Data *notes;
		const void *found;
		size_t size;

		if (image->sections[i].sh.sh_type != SHT_NOTE || !scn)
			continue;
		notes = elf_getdata(scn, NULL);
		found = notes ? find_build_id(notes, &size) : NULL;
		if (!found)
			continue;
		if (!size || size > FTRACE_SIG_BUILD_ID_SIZE)
			return fail(image->path, "its build ID has %zu bytes", size);
		memset(id, 0, FTRACE_SIG_BUILD_ID_SIZE);
		memcpy(id, found, size);
		return 0;
	}
	return fail(image->path, "it has no build ID (ld --build-id)");
}

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

	if (read_build_id(image, apart->build_id) ||
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

static int check_image_of(const struct apart *apart, const struct object *image)
{
	const struct ftrace_sig_header *h = apart->src.list[0].view.header;
	const struct ftrace_sig_apart *a = (const void *)(h + 1);
	unsigned char id[FTRACE_SIG_BUILD_ID_SIZE];

	if (read_build_id(image, id))
		return -1;
	if (memcmp(id, a->build_id, sizeof(id)))
		return fail(apart->file.path, "its signatures are not of %s: another build ID",
			    image->path);
	return 0;
}

static int read_apart_ips(struct apart *apart, const struct object *image)
{
	const struct symbol *text = object_find_symbol(image, IMAGE_TEXT);
	const struct table_view *view = &apart->src.list[0].view;
	uint32_t nr = view->header->nr_sites;

	if (!text)
		return fail(image->path, "no symbol " IMAGE_TEXT);
	apart->ips = xcalloc(nr, sizeof(*apart->ips));
	for (uint32_t i = 0; i < nr; i++) {
		uint32_t ip;

		memcpy(&ip, view->ips + 4ull * i, 4);
		apart->ips[i].offset = text->sym.st_value + ip;
	}
	return 0;
}

static int read_table(struct apart *apart)
{
	uint32_t sec = object_find_section(&apart->file,
					   FTRACE_SIG_APART_SECTION);

	if (!sec)
		return fail(apart->file.path, "no section " FTRACE_SIG_APART_SECTION);
	if (sources_read(&apart->file, sec, FTRACE_SIG_F_APART, &apart->src))
		return -1;
	if (apart->src.nr != 1)
		return fail(apart->file.path, "%u signature tables instead of one",
			    apart->src.nr);
	return 0;
}

/**
 * apart_open - read the table of an image from another file
 * @apart: filled, to be closed by apart_close(), after a failure too
 * @path: the file: an object that link_apart() made, or a module with it
 * @image: the image, which must have the build ID that the table names
 *
 * Return: 0, or -1 after a message.
 */
int apart_open(struct apart *apart, const char *path,
	       const struct object *image)
{
	memset(apart, 0, sizeof(*apart));
	if (object_open(&apart->file, path) || read_table(apart) ||
	    check_image_of(apart, image))
		return -1;
	return read_apart_ips(apart, image);
}

/**
 * apart_close - free what apart_open() allocated
 * @apart: the table
 */
void apart_close(struct apart *apart)
{
	free(apart->ips);
	sources_free(&apart->src);
	object_close(&apart->file);
}
