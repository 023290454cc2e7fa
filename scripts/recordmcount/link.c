// SPDX-License-Identifier: GPL-2.0
/*
 * The link step: merge the tables of all objects of an image or a module into the one
 * that it carries.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "arch.h"
#include "callsites.h"
#include "elf_edit.h"
#include "elf_write.h"
#include "link.h"
#include "names.h"
#include "resolve.h"

static int add_entries(const struct object *obj, uint32_t sec,
		       struct source *src, struct entries *entries)
{
	uint32_t nr = src->view.header->nr_sites;
	struct table_ip *ips = xcalloc(nr, sizeof(*ips));
	int err = read_ips(obj, sec, src, ips);

	for (uint32_t i = 0; !err && i < nr; i++) {
		GROW(entries->list, entries->nr, entries->room);
		entries->list[entries->nr++] = (struct entry){ src, i, ips[i], 0 };
	}
	free(ips);
	return err;
}

/* Of several sites at one place the first stays; qsort() doesn't keep order. */
static int by_place(const void *a, const void *b)
{
	const struct entry *e = a, *f = b;

	if (e->ip.section != f->ip.section)
		return e->ip.section < f->ip.section ? -1 : 1;
	if (e->ip.offset != f->ip.offset)
		return e->ip.offset < f->ip.offset ? -1 : 1;
	if (e->src->start != f->src->start)
		return e->src->start < f->src->start ? -1 : 1;
	return e->site < f->site ? -1 : e->site > f->site;
}

static bool same_place(const struct entry *e, const struct entry *f)
{
	return e->ip.section == f->ip.section && e->ip.offset == f->ip.offset;
}

static void sort_entries(struct entries *entries)
{
	uint32_t kept = 0;

	if (!entries->nr)
		return;
	qsort(entries->list, entries->nr, sizeof(*entries->list), by_place);
	for (uint32_t i = 0; i < entries->nr; i++) {
		const struct entry *entry = &entries->list[i];

		if (!kept || !same_place(entry, &entries->list[kept - 1]))
			entries->list[kept++] = *entry;
	}
	entries->nr = kept;
}

/* The prototypes in the order of the sites, and all that they refer to */
static bool merge_entries(struct table *table, const struct entries *entries)
{
	for (uint32_t i = 0; i < entries->nr; i++) {
		const struct entry *entry = &entries->list[i];
		uint32_t proto = merge_proto(table, entry->src, entry->site);

		if (proto == TABLE_NONE)
			return false;
		table_site(table, proto);
	}
	return true;
}

/*
 * All types of all objects, in which pointers refer to definitions. This leaves types
 * twice and unused ones: keep_used() copies the others.
 */
static unsigned char *merge_all(const struct object *obj,
				const struct entries *entries, size_t *size)
{
	unsigned char *block = NULL;
	struct table table;
	bool ok;

	table_init(&table);
	ok = merge_entries(&table, entries);
	for (uint32_t i = 0; ok && i < entries->nr; i++)
		ok = merge_definitions(&table, entries->list[i].src);
	if (ok && resolve_pointers(&table))
		block = table_build(&table, obj->arch->word_size, 0, size);
	table_free(&table);
	return block;
}

static unsigned char *keep_used(const struct object *obj, unsigned char *all,
				size_t all_size, unsigned int flags, size_t *size)
{
	struct source src = { .pointers_last = true };
	unsigned char *block = NULL;
	struct table table;
	bool ok;

	table_init(&table);
	ok = !table_read(&src.view, all, all_size);
	for (uint32_t i = 0; ok && i < src.view.header->nr_sites; i++) {
		uint32_t proto = merge_proto(&table, &src, i);

		ok = proto != TABLE_NONE;
		table_site(&table, proto);
	}
	if (ok && (!src.ids || merge_pointed(&table, &src)))
		block = table_build(&table, obj->arch->word_size, flags, size);
	table_free(&table);
	free(src.ids);
	free(src.protos);
	free(src.pointed);
	return block;
}

/**
 * entries_build - make the table of some entries
 * @obj: for messages, and for what depends on the machine
 * @entries: the entries in the order of the table
 * @flags: FTRACE_SIG_F_*
 * @size: set to its size
 *
 * Return: the table, to be freed, whose ips are 0; NULL after a message.
 */
unsigned char *entries_build(const struct object *obj,
			     const struct entries *entries, unsigned int flags,
			     size_t *size)
{
	unsigned char *all, *block = NULL;
	size_t all_size;

	all = merge_all(obj, entries, &all_size);
	if (all)
		block = keep_used(obj, all, all_size, flags, size);
	free(all);
	if (!block)
		fail(obj->path, "too many signatures, or a type that contains itself");
	return block;
}

static int read_entries(const struct object *obj, struct sources *src,
			struct entries *entries)
{
	uint32_t sec = object_find_section(obj, FTRACE_SIG_OBJECT_SECTION);

	memset(src, 0, sizeof(*src));
	memset(entries, 0, sizeof(*entries));
	if (!sec)
		return 0;
	if (sources_read(obj, sec, 0, src))
		return -1;
	for (uint32_t i = 0; i < src->nr; i++)
		if (add_entries(obj, sec, &src->list[i], entries))
			return -1;
	return 0;
}

/*
 * Leave out overridden weak functions.  Their code stays in the image, but nothing calls
 * it, no symbol names it, and sorttable clears its entry in __mcount_loc.
 */
static void drop_nameless(const struct object *obj, struct entries *entries)
{
	struct names names;
	uint32_t kept = 0;

	names_read(obj, &names);
	for (uint32_t i = 0; i < entries->nr; i++)
		if (names_find(&names, 0, entries->list[i].ip.offset))
			entries->list[kept++] = entries->list[i];
	entries->nr = kept;
	names_free(&names);
}

/*
 * The parts of an image that can be traced, by the symbols that they begin with.  Adding
 * the table moves addresses, but not the distances from these symbols.
 */
static const struct {
	const char *start;
	const char *end;
} ranges[] = {
	{ IMAGE_TEXT, "_etext" },
	{ "_sinittext", "_einittext" },
};

/*
 * Make each address relative to the start of its range; base is 1 + range.
 * They stay in ascending order of their addresses.
 */
static int find_ranges(const struct object *obj, struct entries *entries)
{
	const struct symbol *start[ARRAY_SIZE(ranges)];
	const struct symbol *end[ARRAY_SIZE(ranges)];
	uint32_t kept = 0;

	for (size_t r = 0; r < ARRAY_SIZE(ranges); r++) {
		start[r] = object_find_symbol(obj, ranges[r].start);
		end[r] = object_find_symbol(obj, ranges[r].end);
		if (!r && entries->nr && (!start[r] || !end[r]))
			return fail(obj->path, "it has signatures, but no symbols %s and %s",
				    ranges[r].start, ranges[r].end);
	}
	for (uint32_t i = 0; i < entries->nr; i++) {
		struct entry e = entries->list[i];

		for (size_t r = 0; r < ARRAY_SIZE(ranges); r++) {
			if (!start[r] || !end[r] ||
			    e.ip.offset < start[r]->sym.st_value ||
			    e.ip.offset >= end[r]->sym.st_value)
				continue;
			e.addr = e.ip.offset;
			e.ip.base = 1 + r;
			e.ip.offset -= start[r]->sym.st_value;
			entries->list[kept++] = e;
			break;
		}
	}
	entries->nr = kept;
	return 0;
}

/**
 * link_new_object - begin an object of the same machine as an image
 * @out: filled
 * @path: its name
 * @image: the image
 */
void link_new_object(struct object *out, const char *path,
		     const struct object *image)
{
	mode_t mask = umask(0);

	umask(mask);
	memset(out, 0, sizeof(*out));
	out->path = path;
	out->mode = 0666 & ~mask;
	out->arch = image->arch;
	out->is64 = image->is64;
	out->ehdr = image->ehdr;
	out->ehdr.e_type = ET_REL;
	out->ehdr.e_entry = 0;
	out->ehdr.e_phoff = 0;
	out->ehdr.e_phentsize = 0;
	out->ehdr.e_phnum = 0;
	object_add_section(out, "", SHT_NULL, 0, 0, NULL, 0);
	out->old_sections = 1;
}

/**
 * link_begin_symbols - give a new object a symbol table
 * @out: the object, which has none yet
 * @room: how many symbols it may get at most
 */
void link_begin_symbols(struct object *out, uint32_t room)
{
	uint32_t strtab;

	strtab = object_add_section(out, ".strtab", SHT_STRTAB, 0, 1, "", 1);
	out->symtab = object_add_section(out, ".symtab", SHT_SYMTAB, 0,
					 out->arch->word_size, NULL, 0);
	out->sections[out->symtab].sh.sh_link = strtab;
	out->sections[out->symtab].sh.sh_info = 1;
	out->sections[out->symtab].sh.sh_entsize =
		out->is64 ? sizeof(Elf64_Sym) : sizeof(Elf32_Sym);
	out->symbols = xcalloc(1 + room, sizeof(*out->symbols));
	out->symbols[0].name = "";
	out->room_symbols = 1 + room;
	out->old_symbols = 1;
	out->nr_symbols = 1;
}

/**
 * link_add_symbol - add a global symbol to a new object
 * @out: the object, after link_begin_symbols()
 * @name: its name
 * @sec: index of its section, 0 if it is defined elsewhere
 * @value: its offset there
 *
 * Return: index of the symbol.
 */
uint32_t link_add_symbol(struct object *out, const char *name, uint32_t sec,
			 uint64_t value)
{
	uint32_t strtab = out->sections[out->symtab].sh.sh_link;
	struct symbol *symbol = &out->symbols[out->nr_symbols];

	symbol->name = name;
	symbol->section = sec;
	symbol->sym.st_value = value;
	symbol->sym.st_info = GELF_ST_INFO(STB_GLOBAL, STT_NOTYPE);
	symbol->sym.st_name = out->sections[strtab].sh.sh_size;
	object_append(out, strtab, name, strlen(name) + 1);
	out->old_symbols = ++out->nr_symbols;
	return out->nr_symbols - 1;
}

/**
 * link_write_object - write a new object, and close it
 * @out: the object
 *
 * Return: 0, or -1 after a message.
 */
int link_write_object(struct object *out)
{
	int err;

	/* without it linkers take the stack to be executable */
	object_add_section(out, ".note.GNU-stack", SHT_PROGBITS, 0, 1, NULL, 0);
	out->ehdr.e_shstrndx = object_add_section(out, ".shstrtab", SHT_STRTAB,
						  0, 1, "", 1);
	err = object_write(out);
	object_close(out);
	return err;
}

/* Only undefined symbols; @symbols gets their indices. */
static void add_symbols(struct object *out, const struct entries *entries,
			uint32_t *symbols)
{
	bool used[ARRAY_SIZE(ranges)] = { false };

	for (uint32_t i = 0; i < entries->nr; i++)
		used[entries->list[i].ip.base - 1] = true;
	link_begin_symbols(out, ARRAY_SIZE(ranges));
	for (size_t r = 0; r < ARRAY_SIZE(ranges); r++)
		if (used[r])
			symbols[r] = link_add_symbol(out, ranges[r].start, 0, 0);
}

static void add_relocs(struct object *out, uint32_t sec,
		       const struct entries *entries, const uint32_t *symbols)
{
	struct reloc *rels = xcalloc(entries->nr, sizeof(*rels));

	for (uint32_t i = 0; i < entries->nr; i++)
		rels[i] = (struct reloc){
			.offset = sizeof(struct ftrace_sig_header) + 4ull * i,
			.type = out->arch->reloc_pc32,
			.symbol = symbols[entries->list[i].ip.base - 1],
			.addend = entries->list[i].ip.offset,
		};
	object_add_relocs(out, sec, rels, entries->nr);
	free(rels);
}

static int write_image_object(const struct object *image, const char *path,
			      const struct entries *entries)
{
	uint32_t symbols[ARRAY_SIZE(ranges)] = { 0 }, sec;
	unsigned char *block;
	struct object out;
	size_t size;
	int err;

	block = entries_build(image, entries, 0, &size);
	if (!block)
		return -1;
	link_new_object(&out, path, image);
	sec = object_add_section(&out, FTRACE_SIG_TABLE_SECTION, SHT_PROGBITS,
				 SHF_ALLOC, 8, block, size);
	add_symbols(&out, entries, symbols);
	add_relocs(&out, sec, entries, symbols);
	err = link_write_object(&out);
	free(block);
	return err;
}

/* What the table of an image must have; to be freed after a failure, too */
static int entries_of_image(const struct object *obj, struct sources *src,
			    struct entries *entries)
{
	int err;

	memset(src, 0, sizeof(*src));
	memset(entries, 0, sizeof(*entries));
	if (obj->ehdr.e_type != ET_EXEC && obj->ehdr.e_type != ET_DYN)
		return fail(obj->path, "not a linked image (ELF type %u)",
			    obj->ehdr.e_type);
	err = read_entries(obj, src, entries);
	if (err)
		return err;
	sort_entries(entries);
	drop_nameless(obj, entries);
	return find_ranges(obj, entries);
}

static void entries_free(struct sources *src, struct entries *entries)
{
	free(entries->list);
	sources_free(src);
}

/**
 * link_with - make an object of the signatures of an image
 * @path: the image, of which the objects' tables are left
 * @out: the object
 * @write: writes it, with the call sites in order
 *
 * Return: 0, or -1 after a message.
 */
int link_with(const char *path, const char *out, link_write write)
{
	struct entries entries;
	struct sources src;
	struct object obj;
	int err;

	err = object_open(&obj, path);
	if (!err) {
		err = entries_of_image(&obj, &src, &entries);
		if (!err)
			err = write(&obj, out, &entries);
		entries_free(&src, &entries);
	}
	object_close(&obj);
	return err;
}

/**
 * link_image - make an object with the signatures of an image
 * @path: the image
 * @out: the object, which has the table in FTRACE_SIG_TABLE_SECTION
 *
 * The addresses are relocations against symbols at the start of the image's text, because
 * the table moves everything behind it.
 *
 * Return: 0, or -1 after a message.
 */
int link_image(const char *path, const char *out)
{
	return link_with(path, out, write_image_object);
}

static int add_module_table(struct object *obj, const struct entries *entries)
{
	struct reloc *rels;
	unsigned char *block;
	uint32_t sec;
	size_t size;

	block = entries_build(obj, entries, 0, &size);
	if (!block)
		return -1;
	sec = object_add_section(obj, FTRACE_SIG_TABLE_SECTION, SHT_PROGBITS,
				 SHF_ALLOC, 8, block, size);
	free(block);
	rels = xcalloc(entries->nr, sizeof(*rels));
	for (uint32_t i = 0; i < entries->nr; i++)
		rels[i] = (struct reloc){
			.offset = sizeof(struct ftrace_sig_header) + 4ull * i,
			.type = obj->arch->reloc_pc32,
			.symbol = object_section_symbol(obj,
						entries->list[i].ip.section),
			.addend = entries->list[i].ip.offset,
		};
	object_add_relocs(obj, sec, rels, entries->nr);
	free(rels);
	return 0;
}

static int link_in_place(struct object *obj)
{
	uint32_t sec = object_find_section(obj, FTRACE_SIG_OBJECT_SECTION);
	struct entries entries;
	struct sources src;
	int err;

	if (obj->ehdr.e_type != ET_REL)
		return fail(obj->path, "not a relocatable object (ELF type %u)",
			    obj->ehdr.e_type);
	if (!sec)
		return 0;
	if (object_find_section(obj, FTRACE_SIG_TABLE_SECTION))
		return fail(obj->path, "has both " FTRACE_SIG_OBJECT_SECTION
			    " and " FTRACE_SIG_TABLE_SECTION);
	err = read_entries(obj, &src, &entries);
	if (!err) {
		sort_entries(&entries);
		object_remove_section(obj, sec);
		err = add_module_table(obj, &entries);
	}
	entries_free(&src, &entries);
	return err ? err : object_write(obj);
}

/**
 * link_module - give a module its table of signatures, in place
 * @path: the module, ET_REL
 *
 * A module without FTRACE_SIG_OBJECT_SECTION is left alone.
 *
 * Return: 0, or -1 after a message.
 */
int link_module(const char *path)
{
	struct object obj;
	int err;

	err = object_open(&obj, path);
	if (!err)
		err = link_in_place(&obj);
	object_close(&obj);
	return err;
}
