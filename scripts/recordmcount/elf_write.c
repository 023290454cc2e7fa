// SPDX-License-Identifier: GPL-2.0
/*
 * Writing a changed ELF file: sections and symbols get their new indices, and
 * everything that refers to them follows.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "arch.h"
#include "elf_edit.h"
#include "elf_write.h"

struct writer {
	struct object	*obj;
	uint32_t	nr_sections;
	uint32_t	nr_symbols;
	uint32_t	nr_locals;
	unsigned char	*out;
	size_t		size;
};

static bool is_reloc(const struct section *sec)
{
	return sec->sh.sh_type == SHT_REL || sec->sh.sh_type == SHT_RELA;
}

static bool info_is_section(const struct section *sec)
{
	return is_reloc(sec) || (sec->sh.sh_flags & SHF_INFO_LINK);
}

/* Groups lose removed members; a group without members is removed. */
static int filter_group(struct object *obj, struct section *group)
{
	size_t nr = group->sh.sh_size / 4, kept = 1;
	uint32_t *words;

	if (!nr || !group->data)
		return fail(obj->path, "broken section group");
	words = xmemdup(group->data, nr * 4);
	for (size_t i = 1; i < nr; i++) {
		if (words[i] >= obj->nr_sections) {
			free(words);
			return fail(obj->path, "broken section group");
		}
		if (!obj->sections[words[i]].removed)
			words[kept++] = words[i];
	}
	if (group->owned)
		free(group->data);
	group->data = (unsigned char *)words;
	group->owned = true;
	group->sh.sh_size = kept * 4;
	if (nr > 1 && kept == 1)
		group->removed = true;
	return 0;
}

static int filter_groups(struct object *obj)
{
	for (uint32_t i = 1; i < obj->nr_sections; i++)
		if (obj->sections[i].sh.sh_type == SHT_GROUP &&
		    !obj->sections[i].removed &&
		    filter_group(obj, &obj->sections[i]))
			return -1;
	return 0;
}

static void number_sections(struct writer *w)
{
	struct object *obj = w->obj;

	w->nr_sections = 1;
	for (uint32_t i = 1; i < obj->nr_sections; i++)
		if (!obj->sections[i].removed)
			obj->sections[i].new_index = w->nr_sections++;
}

static bool drop_symbol(const struct object *obj, uint32_t i)
{
	const struct symbol *symbol = &obj->symbols[i];

	return i && !symbol->reserved && symbol->section &&
	       obj->sections[symbol->section].removed;
}

static bool symbols_change(const struct object *obj)
{
	for (uint32_t i = 1; i < obj->old_symbols; i++)
		if (drop_symbol(obj, i))
			return true;
	return obj->nr_symbols > obj->old_symbols;
}

/* ELF wants local symbols first: new ones go between the old and the rest. */
static void number_symbols(struct writer *w)
{
	struct object *obj = w->obj;
	uint32_t first_global = 0;

	if (obj->symtab)
		first_global = obj->sections[obj->symtab].sh.sh_info;
	for (uint32_t i = 0; i < obj->nr_symbols; i++)
		obj->symbols[i].removed = drop_symbol(obj, i);
	for (uint32_t i = 0; i < first_global; i++)
		if (!obj->symbols[i].removed)
			obj->symbols[i].new_index = w->nr_symbols++;
	for (uint32_t i = obj->old_symbols; i < obj->nr_symbols; i++)
		obj->symbols[i].new_index = w->nr_symbols++;
	w->nr_locals = w->nr_symbols;
	for (uint32_t i = first_global; i < obj->old_symbols; i++)
		if (!obj->symbols[i].removed)
			obj->symbols[i].new_index = w->nr_symbols++;
}

static int renumber_relocs(const struct object *obj, struct section *sec)
{
	size_t entry = reloc_entry_size(obj, sec->sh.sh_type);
	struct reloc rel;

	if (sec->sh.sh_link != obj->symtab)
		return 0;
	for (size_t at = 0; at < sec->sh.sh_size; at += entry) {
		get_reloc(obj, sec->sh.sh_type, sec->data + at, &rel);
		if (rel.symbol >= obj->nr_symbols)
			return fail(obj->path, "%s refers to no symbol",
				    sec->name);
		if (obj->symbols[rel.symbol].removed)
			return fail(obj->path, "%s refers to %s, which would be removed",
				    sec->name, obj->symbols[rel.symbol].name);
		rel.symbol = obj->symbols[rel.symbol].new_index;
		put_reloc(obj, sec->sh.sh_type, sec->data + at, &rel);
	}
	return 0;
}

static int renumber_group(const struct object *obj, struct section *sec)
{
	uint32_t *words = (uint32_t *)sec->data;

	if (sec->sh.sh_info >= obj->nr_symbols ||
	    obj->symbols[sec->sh.sh_info].removed)
		return fail(obj->path, "a section group has no name");
	sec->sh.sh_info = obj->symbols[sec->sh.sh_info].new_index;
	for (size_t i = 1; i < sec->sh.sh_size / 4; i++)
		words[i] = obj->sections[words[i]].new_index;
	return 0;
}

/*
 * The link and info fields of a section header.  They are changed in place:
 * an object is written once.
 */
static int renumber_header(const struct object *obj, struct section *sec)
{
	uint32_t link = sec->sh.sh_link;

	if (link >= obj->nr_sections || (link && obj->sections[link].removed))
		return fail(obj->path, "%s is linked to a section that would be removed",
			    sec->name);
	if (info_is_section(sec)) {
		if (sec->sh.sh_info >= obj->nr_sections)
			return fail(obj->path, "%s is about no section",
				    sec->name);
		sec->sh.sh_info = obj->sections[sec->sh.sh_info].new_index;
	}
	sec->sh.sh_link = obj->sections[link].new_index;
	return 0;
}

static int renumber_section(struct writer *w, struct section *sec, bool moved)
{
	struct object *obj = w->obj;

	if (is_reloc(sec) && moved && renumber_relocs(obj, sec))
		return -1;
	if (sec->sh.sh_type == SHT_GROUP && renumber_group(obj, sec))
		return -1;
	return renumber_header(obj, sec);
}

static int renumber(struct writer *w)
{
	struct object *obj = w->obj;
	bool moved = symbols_change(obj);

	for (uint32_t i = 1; i < obj->nr_sections; i++)
		if (!obj->sections[i].removed &&
		    renumber_section(w, &obj->sections[i], moved))
			return -1;
	return 0;
}

static void put_symbol(const struct object *obj, unsigned char *table,
		       uint32_t *xindex, const struct symbol *symbol)
{
	GElf_Sym sym = symbol->sym;
	uint32_t index = symbol->section;

	if (!symbol->reserved) {
		index = obj->sections[symbol->section].new_index;
		sym.st_shndx = index < SHN_LORESERVE ? index : SHN_XINDEX;
	}
	if (xindex)
		xindex[symbol->new_index] = sym.st_shndx == SHN_XINDEX ? index : 0;
	if (obj->is64) {
		memcpy(table + symbol->new_index * sizeof(sym), &sym,
		       sizeof(sym));
	} else {
		Elf32_Sym s = {
			.st_name = sym.st_name, .st_value = sym.st_value,
			.st_size = sym.st_size, .st_info = sym.st_info,
			.st_other = sym.st_other, .st_shndx = sym.st_shndx,
		};

		memcpy(table + symbol->new_index * sizeof(s), &s, sizeof(s));
	}
}

static void replace_data(struct section *sec, void *data, size_t size)
{
	if (sec->owned)
		free(sec->data);
	sec->data = data;
	sec->owned = true;
	sec->sh.sh_size = size;
}

static struct section *xindex_section(struct object *obj)
{
	for (uint32_t i = 1; i < obj->nr_sections; i++)
		if (obj->sections[i].sh.sh_type == SHT_SYMTAB_SHNDX)
			return &obj->sections[i];
	return NULL;
}

/*
 * The names of removed symbols stay behind in the string table; new symbols
 * have none.
 */
static void write_symbols(struct writer *w)
{
	struct object *obj = w->obj;
	struct section *symtab = &obj->sections[obj->symtab];
	struct section *xsec = xindex_section(obj);
	size_t entry = obj->is64 ? sizeof(Elf64_Sym) : sizeof(Elf32_Sym);
	unsigned char *table = xcalloc(w->nr_symbols, entry);
	uint32_t *xindex = xsec ? xcalloc(w->nr_symbols, 4) : NULL;

	for (uint32_t i = 0; i < obj->nr_symbols; i++)
		if (!obj->symbols[i].removed)
			put_symbol(obj, table, xindex, &obj->symbols[i]);
	replace_data(symtab, table, w->nr_symbols * entry);
	symtab->sh.sh_info = w->nr_locals;
	if (xsec)
		replace_data(xsec, xindex, w->nr_symbols * 4);
}

/* The section with the names of sections; gets the names of new sections. */
static uint32_t name_sections(struct writer *w, uint32_t strndx)
{
	struct object *obj = w->obj;

	for (uint32_t i = obj->old_sections; i < obj->nr_sections; i++) {
		const struct section *sec = &obj->sections[i];

		if (sec->removed)
			continue;
		obj->sections[i].sh.sh_name = obj->sections[strndx].sh.sh_size;
		object_append(obj, strndx, sec->name, strlen(sec->name) + 1);
	}
	return obj->sections[strndx].new_index;
}

static void layout(struct writer *w)
{
	struct object *obj = w->obj;
	uint64_t at = obj->ehdr.e_ehsize;

	for (uint32_t i = 1; i < obj->nr_sections; i++) {
		struct section *sec = &obj->sections[i];

		if (sec->removed)
			continue;
		at = align_up(at, sec->sh.sh_addralign);
		sec->sh.sh_offset = at;
		if (sec->sh.sh_type != SHT_NOBITS)
			at += sec->sh.sh_size;
	}
	obj->ehdr.e_shoff = align_up(at, obj->arch->word_size);
	w->size = obj->ehdr.e_shoff +
		  (uint64_t)w->nr_sections * obj->ehdr.e_shentsize;
}

static void put_section_header(const struct object *obj, unsigned char *at,
			       const GElf_Shdr *sh)
{
	Elf32_Shdr s = {
		.sh_name = sh->sh_name, .sh_type = sh->sh_type,
		.sh_flags = sh->sh_flags, .sh_addr = sh->sh_addr,
		.sh_offset = sh->sh_offset, .sh_size = sh->sh_size,
		.sh_link = sh->sh_link, .sh_info = sh->sh_info,
		.sh_addralign = sh->sh_addralign, .sh_entsize = sh->sh_entsize,
	};

	if (obj->is64)
		memcpy(at, sh, sizeof(*sh));
	else
		memcpy(at, &s, sizeof(s));
}

static void put_header(const struct object *obj, unsigned char *at)
{
	const GElf_Ehdr *e = &obj->ehdr;
	Elf32_Ehdr h = {
		.e_type = e->e_type, .e_machine = e->e_machine,
		.e_version = e->e_version, .e_entry = e->e_entry,
		.e_phoff = e->e_phoff, .e_shoff = e->e_shoff,
		.e_flags = e->e_flags, .e_ehsize = e->e_ehsize,
		.e_phentsize = e->e_phentsize, .e_phnum = e->e_phnum,
		.e_shentsize = e->e_shentsize, .e_shnum = e->e_shnum,
		.e_shstrndx = e->e_shstrndx,
	};

	memcpy(h.e_ident, e->e_ident, EI_NIDENT);
	if (obj->is64)
		memcpy(at, e, sizeof(*e));
	else
		memcpy(at, &h, sizeof(h));
}

static void emit(struct writer *w)
{
	struct object *obj = w->obj;

	w->out = xcalloc(1, w->size);
	put_header(obj, w->out);
	for (uint32_t i = 0; i < obj->nr_sections; i++) {
		const struct section *sec = &obj->sections[i];

		if (sec->removed)
			continue;
		if (i && sec->data && sec->sh.sh_size)
			memcpy(w->out + sec->sh.sh_offset, sec->data,
			       sec->sh.sh_size);
		put_section_header(obj, w->out + obj->ehdr.e_shoff +
				   (uint64_t)sec->new_index * obj->ehdr.e_shentsize,
				   &sec->sh);
	}
}

static int check_writable(struct writer *w)
{
	struct object *obj = w->obj;

	if (obj->ehdr.e_phnum || obj->ehdr.e_type != ET_REL)
		return fail(obj->path, "not a relocatable object");
	if (obj->nr_sections >= SHN_LORESERVE)
		return fail(obj->path, "too many sections");
	if (obj->ehdr.e_shstrndx >= obj->nr_sections ||
	    obj->sections[obj->ehdr.e_shstrndx].removed)
		return fail(obj->path, "the names of the sections would be removed");
	for (uint32_t i = 1; i < obj->nr_sections; i++) {
		uint64_t align = obj->sections[i].sh.sh_addralign;

		if (align & (align - 1) || align > 1 << 24)
			return fail(obj->path, "section %s has a strange alignment",
				    obj->sections[i].name);
	}
	return 0;
}

/*
 * clang's tables of symbol indices only help the linker to merge code.  They
 * cannot be kept when symbols move, and linkers do without.
 */
static void drop_symbol_tables(struct object *obj)
{
	const uint32_t llvm_addrsig = 0x6fff4c03, llvm_call_graph = 0x6fff4c09;

	if (!symbols_change(obj))
		return;
	for (uint32_t i = 1; i < obj->nr_sections; i++) {
		uint32_t type = obj->sections[i].sh.sh_type;

		if (type == llvm_addrsig || type == llvm_call_graph)
			object_remove_section(obj, i);
	}
}

/* The temporary file, to be removed when a signal ends the process. */
static char *volatile temporary;

static void remove_temporary(int sig)
{
	if (temporary)
		unlink(temporary);
	signal(sig, SIG_DFL);
	raise(sig);
}

static void catch_signals(void)
{
	static const int sigs[] = { SIGHUP, SIGINT, SIGTERM, SIGPIPE };

	for (size_t i = 0; i < ARRAY_SIZE(sigs); i++)
		if (signal(sigs[i], remove_temporary) == SIG_IGN)
			signal(sigs[i], SIG_IGN);
}

static int write_all(int fd, const unsigned char *data, size_t size)
{
	while (size) {
		ssize_t n = write(fd, data, size);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -1;
		data += n;
		size -= n;
	}
	return 0;
}

/* Replaces a file by a new one as a whole; follows a symbolic link. */
static int write_file(const char *path, const void *data, size_t size, mode_t mode)
{
	char *real = realpath(path, NULL);
	char *temp = xasprintf("%s.XXXXXX", real ? real : path);
	int fd, err = -1;

	catch_signals();
	fd = mkstemp(temp);
	if (fd < 0) {
		fail(path, "cannot create %s: %s", temp, strerror(errno));
		goto out;
	}
	temporary = temp;
	err = write_all(fd, data, size) || fchmod(fd, mode);
	err |= close(fd);
	if (err || rename(temp, real ? real : path)) {
		err = fail(path, "cannot write: %s", strerror(errno));
		unlink(temp);
	}
	temporary = NULL;
out:
	free(temp);
	free(real);
	return err ? -1 : 0;
}

/**
 * object_write - write the object under its own name
 * @obj: the object, ET_REL; only object_close() may follow
 *
 * The file changes as a whole or not at all, and other hard links to the old
 * one keep the old content.
 *
 * Return: 0, or -1 after a message.
 */
int object_write(struct object *obj)
{
	struct writer w = { .obj = obj };
	int err;

	if (check_writable(&w))
		return -1;
	drop_symbol_tables(obj);
	if (filter_groups(obj))
		return -1;
	number_sections(&w);
	number_symbols(&w);
	if (renumber(&w))
		return -1;
	if (obj->symtab)
		write_symbols(&w);
	obj->ehdr.e_shstrndx = name_sections(&w, obj->ehdr.e_shstrndx);
	obj->ehdr.e_shnum = w.nr_sections;
	layout(&w);
	emit(&w);
	err = write_file(obj->path, w.out, w.size, obj->mode);
	free(w.out);
	return err;
}
