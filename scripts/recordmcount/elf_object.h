/* SPDX-License-Identifier: GPL-2.0 */
/*
 * An ELF file in memory: read, changed, written back.
 */
#ifndef ELF_OBJECT_H
#define ELF_OBJECT_H

#include <gelf.h>
#include <libelf.h>
#include <sys/types.h>

#include "util.h"

struct arch;

/**
 * struct section - a section of an object
 * @sh: its header; sh_name and sh_offset are meaningless for a new section
 * @name: its name
 * @data: its bytes, NULL for SHT_NOBITS; may be changed in place, which does
 *	not change the file
 * @owned: @data was allocated
 * @owned_name: @name, if it was allocated
 * @removed: leave it out when writing
 * @new_index: its index in the file written
 */
struct section {
	GElf_Shdr	sh;
	const char	*name;
	unsigned char	*data;
	char		*owned_name;
	bool		owned;
	bool		removed;
	uint32_t	new_index;
};

/**
 * struct symbol - a symbol of an object
 * @sym: its table entry
 * @section: index of its section, or a value from SHN_LORESERVE up that is
 *	not an index; st_shndx may be SHN_XINDEX instead
 * @reserved: @section is no section index but SHN_ABS and the like
 * @removed: leave it out when writing
 * @name: its name
 * @new_index: its index in the file written
 */
struct symbol {
	GElf_Sym	sym;
	uint32_t	section;
	bool		reserved;
	bool		removed;
	const char	*name;
	uint32_t	new_index;
};

/**
 * struct reloc - a relocation, in the form that both REL and RELA fit in
 * @offset: where, from the start of the section
 * @type: R_X86_64_* and so on
 * @symbol: index into object::symbols
 * @addend: of SHT_REL it stands in the bytes that are relocated
 */
struct reloc {
	uint64_t	offset;
	uint32_t	type;
	uint32_t	symbol;
	int64_t		addend;
};

/**
 * struct object - an ELF file
 * @path: its name, for messages too
 * @image: the file, mapped privately
 * @size: bytes of @image
 * @mode: permission bits
 * @elf: libelf's view of @image
 * @ehdr: ELF header
 * @arch: what depends on the machine
 * @is64: ELFCLASS64
 * @sections: all sections, [0] included; indices stay the same until written
 * @nr_sections: number of sections
 * @old_sections: number of sections in the file read
 * @symtab: index of the symbol table, 0 if there is none
 * @symbols: all symbols; new ones, which are local, are appended
 * @nr_symbols: number of symbols
 * @old_symbols: number of symbols in the file read
 * @changed: something is to be written
 */
struct object {
	const char	*path;
	unsigned char	*image;
	size_t		size;
	mode_t		mode;
	Elf		*elf;
	GElf_Ehdr	ehdr;
	const struct arch *arch;
	bool		is64;

	struct section	*sections;
	uint32_t	nr_sections;
	uint32_t	room_sections;
	uint32_t	old_sections;

	uint32_t	symtab;
	struct symbol	*symbols;
	uint32_t	nr_symbols;
	uint32_t	room_symbols;
	uint32_t	old_symbols;

	bool		changed;
};

int object_open(struct object *obj, const char *path);
void object_close(struct object *obj);

uint32_t object_find_section(const struct object *obj, const char *name);
uint32_t object_find_relocs(const struct object *obj, uint32_t target);
int object_check_data(const struct object *obj, uint32_t sec);
const struct symbol *object_find_symbol(const struct object *obj,
					const char *name);
const unsigned char *object_at(const struct object *obj, uint64_t addr,
			       size_t size);

size_t object_nr_relocs(const struct object *obj, uint32_t sec);
bool object_get_reloc(const struct object *obj, uint32_t sec, size_t i,
		      struct reloc *rel);

void object_put_addend(struct object *obj, uint32_t target,
		       const struct reloc *rel);

/* The form of relocations in the file */
size_t reloc_entry_size(const struct object *obj, uint32_t type);
void put_reloc(const struct object *obj, uint32_t type, unsigned char *entry,
	       const struct reloc *rel);
void get_reloc(const struct object *obj, uint32_t type,
	       const unsigned char *entry, struct reloc *rel);

#endif /* ELF_OBJECT_H */
