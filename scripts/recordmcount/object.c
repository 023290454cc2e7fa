// SPDX-License-Identifier: GPL-2.0
/*
 * What is done to one object file.
 */
#include <stdlib.h>
#include <string.h>

#include "arch.h"
#include "elf_edit.h"
#include "elf_write.h"
#include "object.h"
#include "signature.h"

static bool is_slim_lto(const struct object *obj)
{
	static const char prefix[] = ".gnu.lto_";

	for (uint32_t i = 1; i < obj->nr_symbols; i++)
		if (!strcmp(obj->symbols[i].name, "__gnu_lto_slim"))
			return true;
	for (uint32_t i = 1; i < obj->nr_sections; i++) {
		const struct section *sec = &obj->sections[i];

		/* gcc 10 and later: versions, then whether there is no code */
		if (!strncmp(sec->name, ".gnu.lto_.lto.", sizeof(prefix) + 4) &&
		    sec->data && sec->sh.sh_size >= 5)
			return sec->data[4];
	}
	return false;
}

static int check_object(const struct object *obj)
{
	if (obj->ehdr.e_type != ET_REL)
		return fail(obj->path, "not a relocatable object (ELF type %u)",
			    obj->ehdr.e_type);
	if (is_slim_lto(obj))
		return fail(obj->path, "LTO object without machine code is not supported");
	return 0;
}

/* Relocations of a table's addresses. */
static void add_ip_relocs(struct object *obj, uint32_t sec, uint64_t at,
			  const struct signatures *sigs)
{
	struct reloc *rels = xcalloc(sigs->nr_sites, sizeof(*rels));
	uint32_t section = 0, symbol = 0;

	for (uint32_t i = 0; i < sigs->nr_sites; i++) {
		const struct call_site *site = &sigs->sites[i];

		if (site->section != section) {
			section = site->section;
			symbol = object_section_symbol(obj, section);
		}
		rels[i] = (struct reloc){
			.offset = at + 8 * (uint64_t)i,
			.type = obj->arch->reloc_word,
			.symbol = symbol,
			.addend = site->offset,
		};
	}
	object_add_relocs(obj, sec, rels, sigs->nr_sites);
	free(rels);
}

static int write_table(struct object *obj, const struct signatures *sigs)
{
	uint32_t sec = object_find_section(obj, FTRACE_SIG_OBJECT_SECTION);
	unsigned char *table;
	uint64_t start;
	size_t size;

	if (sec && object_check_data(obj, sec))
		return -1;
	table = table_build(&sigs->table, obj->arch->word_size,
			    FTRACE_SIG_F_OBJECT, &size);
	if (!table)
		return fail(obj->path, "too many signatures");
	if (!sec)
		sec = object_add_section(obj, FTRACE_SIG_OBJECT_SECTION,
					 SHT_PROGBITS, 0, 8, NULL, 0);
	start = obj->sections[sec].sh.sh_size;
	object_append(obj, sec, table, size);
	add_ip_relocs(obj, sec, start + sizeof(struct ftrace_sig_header), sigs);
	free(table);
	return 0;
}

static void tell_missing(const struct signatures *sigs, uint32_t nr)
{
	if (sigs->nr_failed)
		warn(sigs->obj->path, "no signature for %u of %u call sites: no usable DWARF",
		     sigs->nr_failed, nr);
}

static int sign(struct object *obj, const struct call_sites *cs)
{
	struct signatures sigs;
	const char *why;
	int err = 0;

	why = signatures_make(&sigs, obj, cs);
	if (why)
		warn(obj->path, "no signatures: %s", why);
	else
		tell_missing(&sigs, cs->nr);
	if (sigs.nr_sites)
		err = write_table(obj, &sigs);
	signatures_free(&sigs);
	return err;
}

/*
 * The sites that have no signature yet.  These are all sites, unless the object was
 * linked from others of which some were processed already.
 */
static struct call_sites unsigned_sites(const struct object *obj,
					const struct call_sites *cs)
{
	bool some = object_find_section(obj, FTRACE_SIG_OBJECT_SECTION) ||
		    object_find_section(obj, FTRACE_SIG_TABLE_SECTION);
	struct call_sites list = { 0 };

	for (uint32_t i = 0; i < cs->nr; i++) {
		if (some && cs->sites[i].recorded)
			continue;
		GROW(list.sites, list.nr, list.room);
		list.sites[list.nr++] = cs->sites[i];
	}
	return list;
}

static int process(struct object *obj, struct call_sites *cs,
		   const struct options *opt)
{
	const char *record = opt->mcount_loc ? MCOUNT_LOC : FTRACE_SIG_OBJECT_SECTION;
	struct call_sites todo;
	int err = 0;

	if (check_object(obj) ||
	    call_sites_find(obj, cs, record, opt->warn_ignored))
		return -1;
	todo = unsigned_sites(obj, cs);
	if (opt->mcount_loc)
		call_sites_record(obj, cs);
	if (opt->signatures && obj->arch->signatures && todo.nr)
		err = sign(obj, &todo);
	call_sites_free(&todo);
	if (err)
		return -1;
	if (opt->strip_debug)
		object_strip_debug(obj);
	return obj->changed ? object_write(obj) : 0;
}

/**
 * process_object - record call sites and signatures of an object, in place
 * @path: the object
 * @opt: what to do
 *
 * The file is left alone when there is nothing to add or when there is an
 * error.
 *
 * Return: 0, or -1 after a message.
 */
int process_object(const char *path, const struct options *opt)
{
	struct call_sites cs = { 0 };
	struct object obj;
	int err;

	err = object_open(&obj, path);
	if (!err)
		err = process(&obj, &cs, opt);
	call_sites_free(&cs);
	object_close(&obj);
	return err;
}
