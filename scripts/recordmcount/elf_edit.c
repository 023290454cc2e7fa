// SPDX-License-Identifier: GPL-2.0
/*
 * Changing an ELF file in memory.  Section and symbol indices stay what they
 * were until the file is written.
 */
#include <stdlib.h>
#include <string.h>

#include "arch.h"
#include "elf_edit.h"

static uint32_t new_symbol(struct object *obj)
{
	GROW(obj->symbols, obj->nr_symbols, obj->room_symbols);
	memset(&obj->symbols[obj->nr_symbols], 0, sizeof(*obj->symbols));
	obj->changed = true;
	return obj->nr_symbols++;
}

/**
 * object_section_symbol - the symbol that stands for a section
 * @obj: the object
 * @sec: index of the section
 *
 * Assemblers leave out section symbols that they don't need: the symbol is
 * made when there is none, or none whose value is the start of the section.
 *
 * Return: index of the symbol.
 */
uint32_t object_section_symbol(struct object *obj, uint32_t sec)
{
	struct symbol *symbol;
	uint32_t i;

	for (i = 1; i < obj->nr_symbols; i++) {
		symbol = &obj->symbols[i];
		if (GELF_ST_TYPE(symbol->sym.st_info) == STT_SECTION &&
		    !symbol->reserved && symbol->section == sec &&
		    !symbol->sym.st_value)
			return i;
	}
	i = new_symbol(obj);
	symbol = &obj->symbols[i];
	symbol->name = "";
	symbol->section = sec;
	symbol->sym.st_info = GELF_ST_INFO(STB_LOCAL, STT_SECTION);
	return i;
}

/**
 * object_add_section - append a section
 * @obj: the object
 * @name: its name, which must stay valid
 * @type: SHT_*
 * @flags: SHF_*
 * @align: alignment in bytes
 * @data: its bytes, which are copied
 * @size: number of bytes
 *
 * Return: index of the section.
 */
uint32_t object_add_section(struct object *obj, const char *name,
			    uint32_t type, uint64_t flags, uint64_t align,
			    const void *data, size_t size)
{
	struct section *sec;

	GROW(obj->sections, obj->nr_sections, obj->room_sections);
	sec = &obj->sections[obj->nr_sections];
	memset(sec, 0, sizeof(*sec));
	sec->name = name;
	sec->sh.sh_type = type;
	sec->sh.sh_flags = flags;
	sec->sh.sh_addralign = align;
	sec->sh.sh_size = size;
	sec->data = xmemdup(data, size);
	sec->owned = true;
	obj->changed = true;
	return obj->nr_sections++;
}

/**
 * object_append - append bytes to a section
 * @obj: the object
 * @sec: index of the section
 * @data: the bytes
 * @size: their number
 */
void object_append(struct object *obj, uint32_t sec, const void *data,
		   size_t size)
{
	struct section *s = &obj->sections[sec];

	if (!size)
		return;
	if (!s->owned) {
		s->data = xmemdup(s->data, s->sh.sh_size);
		s->owned = true;
	}
	s->data = xrealloc(s->data, s->sh.sh_size + size);
	memcpy(s->data + s->sh.sh_size, data, size);
	s->sh.sh_size += size;
	obj->changed = true;
}

static uint32_t add_reloc_section(struct object *obj, uint32_t target)
{
	uint32_t type = obj->arch->reloc_type;
	char *name = xasprintf(".rel%s%s", type == SHT_RELA ? "a" : "",
			       obj->sections[target].name);
	uint32_t sec = object_add_section(obj, name, type, SHF_INFO_LINK,
					  obj->arch->word_size, NULL, 0);

	obj->sections[sec].owned_name = name;
	obj->sections[sec].sh.sh_link = obj->symtab;
	obj->sections[sec].sh.sh_info = target;
	obj->sections[sec].sh.sh_entsize = reloc_entry_size(obj, type);
	return sec;
}

/**
 * object_add_relocs - append relocations to a section
 * @obj: the object
 * @target: index of the section they apply to
 * @rels: the relocations, of bytes that the section has
 * @nr: their number
 */
void object_add_relocs(struct object *obj, uint32_t target,
		       const struct reloc *rels, size_t nr)
{
	uint32_t sec;
	unsigned char *entries;
	size_t entry;

	if (!nr)
		return;
	sec = object_find_relocs(obj, target);
	if (!sec)
		sec = add_reloc_section(obj, target);
	entry = reloc_entry_size(obj, obj->sections[sec].sh.sh_type);
	entries = xcalloc(nr, entry);
	for (size_t i = 0; i < nr; i++) {
		put_reloc(obj, obj->sections[sec].sh.sh_type,
			  entries + i * entry, &rels[i]);
		if (obj->sections[sec].sh.sh_type == SHT_REL)
			object_put_addend(obj, target, &rels[i]);
	}
	object_append(obj, sec, entries, nr * entry);
	free(entries);
}

/**
 * object_remove_section - leave a section and its relocations out
 * @obj: the object
 * @sec: index of the section
 *
 * Symbols in the section go with it.
 */
void object_remove_section(struct object *obj, uint32_t sec)
{
	uint32_t relocs = object_find_relocs(obj, sec);

	if (relocs)
		obj->sections[relocs].removed = true;
	obj->sections[sec].removed = true;
	obj->changed = true;
}

/* Whether it only serves debuggers; their relocations are not meant. */
static bool is_debug(const struct section *sec)
{
	static const char * const prefixes[] = {
		".debug_", ".zdebug_", ".gdb_index", ".line", ".stab",
	};

	if (sec->sh.sh_flags & SHF_ALLOC)
		return false;
	if (sec->sh.sh_type == SHT_REL || sec->sh.sh_type == SHT_RELA)
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(prefixes); i++)
		if (!strncmp(sec->name, prefixes[i], strlen(prefixes[i])))
			return true;
	return false;
}

/**
 * object_strip_debug - leave out all sections that only serve debuggers
 * @obj: the object
 */
void object_strip_debug(struct object *obj)
{
	for (uint32_t i = 1; i < obj->nr_sections; i++)
		if (!obj->sections[i].removed && is_debug(&obj->sections[i]))
			object_remove_section(obj, i);
}
