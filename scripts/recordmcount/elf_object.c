// SPDX-License-Identifier: GPL-2.0
/*
 * Reading ELF files.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "arch.h"
#include "elf_object.h"

#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "recordmcount wants a little-endian host"
#endif

static int map_file(struct object *obj)
{
	struct stat st;
	int fd = open(obj->path, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return fail(obj->path, "%s", strerror(errno));
	if (fstat(fd, &st)) {
		close(fd);
		return fail(obj->path, "%s", strerror(errno));
	}
	if (!S_ISREG(st.st_mode)) {
		close(fd);
		return fail(obj->path, "not a regular file");
	}
	if (!st.st_size) {
		close(fd);
		return fail(obj->path, "not an ELF file: it is empty");
	}
	obj->mode = st.st_mode & 07777;
	obj->size = st.st_size;
	obj->image = mmap(NULL, obj->size, PROT_READ | PROT_WRITE, MAP_PRIVATE,
			  fd, 0);
	close(fd);
	if (obj->image == MAP_FAILED) {
		obj->image = NULL;
		return fail(obj->path, "%s", strerror(errno));
	}
	return 0;
}

static bool is_bitcode(const unsigned char *image, size_t size)
{
	/* "BC" 0xC0DE, or the wrapper 0x0B17C0DE, little endian */
	return size >= 4 && (!memcmp(image, "BC\xc0\xde", 4) ||
			     !memcmp(image, "\xde\xc0\x17\x0b", 4));
}

static int check_ident(struct object *obj)
{
	const unsigned char *ident = obj->image;

	if (is_bitcode(ident, obj->size))
		return fail(obj->path, "LLVM bitcode (LTO) is not supported");
	if (obj->size < SELFMAG || memcmp(ident, ELFMAG, SELFMAG))
		return fail(obj->path, "not an ELF file");
	if (obj->size < EI_NIDENT)
		return fail(obj->path, "truncated ELF header");
	if (ident[EI_DATA] == ELFDATA2MSB)
		return fail(obj->path, "big endian is not supported");
	if (ident[EI_DATA] != ELFDATA2LSB)
		return fail(obj->path, "unknown byte order %u", ident[EI_DATA]);
	if (ident[EI_CLASS] != ELFCLASS32 && ident[EI_CLASS] != ELFCLASS64)
		return fail(obj->path, "unknown ELF class %u", ident[EI_CLASS]);
	obj->is64 = ident[EI_CLASS] == ELFCLASS64;
	if (obj->size < (obj->is64 ? sizeof(Elf64_Ehdr) : sizeof(Elf32_Ehdr)))
		return fail(obj->path, "truncated ELF header");
	return 0;
}

static int check_header(struct object *obj)
{
	obj->elf = elf_memory((char *)obj->image, obj->size);
	if (!obj->elf || elf_kind(obj->elf) != ELF_K_ELF ||
	    !gelf_getehdr(obj->elf, &obj->ehdr))
		return fail(obj->path, "broken ELF header: %s", elf_errmsg(-1));
	if (obj->ehdr.e_version != EV_CURRENT ||
	    obj->ehdr.e_ehsize != gelf_fsize(obj->elf, ELF_T_EHDR, 1, EV_CURRENT) ||
	    obj->ehdr.e_shentsize != gelf_fsize(obj->elf, ELF_T_SHDR, 1, EV_CURRENT))
		return fail(obj->path, "broken ELF header");
	obj->arch = arch_find(obj->ehdr.e_machine);
	if (!obj->arch)
		return fail(obj->path, "machine %u is not supported",
			    obj->ehdr.e_machine);
	if (obj->arch->elf_class != obj->image[EI_CLASS])
		return fail(obj->path, "%s is not supported",
			    obj->arch->class_name);
	return 0;
}

static int read_section(struct object *obj, Elf_Scn *scn, size_t strndx)
{
	struct section *sec = &obj->sections[elf_ndxscn(scn)];
	Elf_Data *data;

	if (!gelf_getshdr(scn, &sec->sh))
		return fail(obj->path, "broken section header %zu: %s",
			    elf_ndxscn(scn), elf_errmsg(-1));
	sec->name = elf_strptr(obj->elf, strndx, sec->sh.sh_name);
	if (!sec->name)
		return fail(obj->path, "section %zu has no valid name",
			    elf_ndxscn(scn));
	if (sec->sh.sh_type == SHT_NOBITS || !sec->sh.sh_size)
		return 0;
	if (sec->sh.sh_offset > obj->size ||
	    sec->sh.sh_size > obj->size - sec->sh.sh_offset)
		return fail(obj->path, "truncated: section %s reaches beyond the end",
			    sec->name);
	data = elf_rawdata(scn, NULL);
	if (!data || !data->d_buf || data->d_size != sec->sh.sh_size)
		return fail(obj->path, "cannot read section %s: %s", sec->name,
			    elf_errmsg(-1));
	sec->data = data->d_buf;
	return 0;
}

static int read_sections(struct object *obj)
{
	size_t nr, strndx;
	Elf_Scn *scn = NULL;

	if (elf_getshdrnum(obj->elf, &nr) || elf_getshdrstrndx(obj->elf, &strndx))
		return fail(obj->path, "broken section table: %s",
			    elf_errmsg(-1));
	if (!nr)
		return fail(obj->path, "truncated, or without section table");
	obj->sections = xcalloc(nr, sizeof(*obj->sections));
	obj->nr_sections = nr;
	obj->room_sections = nr;
	obj->old_sections = nr;
	obj->sections[0].name = "";
	while ((scn = elf_nextscn(obj->elf, scn)))
		if (read_section(obj, scn, strndx))
			return -1;
	/* libelf stops without a word at a table that is cut off */
	for (size_t i = 0; i < nr; i++)
		if (!obj->sections[i].name)
			return fail(obj->path, "truncated section table");
	return 0;
}

static int read_symbol(struct object *obj, Elf_Data *data, Elf_Data *xindex,
		       size_t i)
{
	const struct section *strtab;
	struct symbol *symbol = &obj->symbols[i];
	Elf32_Word shndx = 0;

	if (!gelf_getsymshndx(data, xindex, i, &symbol->sym, &shndx))
		return fail(obj->path, "broken symbol %zu: %s", i,
			    elf_errmsg(-1));
	strtab = &obj->sections[obj->sections[obj->symtab].sh.sh_link];
	if (symbol->sym.st_name >= strtab->sh.sh_size)
		return fail(obj->path, "symbol %zu has no valid name", i);
	symbol->name = (const char *)strtab->data + symbol->sym.st_name;

	symbol->section = symbol->sym.st_shndx;
	if (symbol->sym.st_shndx == SHN_XINDEX)
		symbol->section = shndx;
	else
		symbol->reserved = symbol->sym.st_shndx >= SHN_LORESERVE;
	if (!symbol->reserved && symbol->section >= obj->nr_sections)
		return fail(obj->path, "symbol %zu is in no section", i);
	return 0;
}

static int check_strtab(struct object *obj)
{
	const struct section *symtab = &obj->sections[obj->symtab];
	const struct section *strtab;

	if (!symtab->sh.sh_link || symtab->sh.sh_link >= obj->nr_sections)
		return fail(obj->path, "the symbol table has no string table");
	strtab = &obj->sections[symtab->sh.sh_link];
	if (strtab->sh.sh_type != SHT_STRTAB || !strtab->data ||
	    strtab->data[strtab->sh.sh_size - 1])
		return fail(obj->path, "broken string table");
	return 0;
}

static Elf_Data *extended_indices(struct object *obj)
{
	for (uint32_t i = 1; i < obj->nr_sections; i++)
		if (obj->sections[i].sh.sh_type == SHT_SYMTAB_SHNDX &&
		    obj->sections[i].sh.sh_link == obj->symtab)
			return elf_getdata(elf_getscn(obj->elf, i), NULL);
	return NULL;
}

static int read_symbols(struct object *obj)
{
	Elf_Data *data, *xindex;
	size_t entry = obj->is64 ? sizeof(Elf64_Sym) : sizeof(Elf32_Sym);
	const struct section *symtab;

	for (uint32_t i = 1; i < obj->nr_sections && !obj->symtab; i++)
		if (obj->sections[i].sh.sh_type == SHT_SYMTAB)
			obj->symtab = i;
	if (!obj->symtab)
		return 0;
	symtab = &obj->sections[obj->symtab];
	/* the first symbol is none */
	if (symtab->sh.sh_size % entry || !symtab->sh.sh_size)
		return fail(obj->path, "broken symbol table");
	obj->nr_symbols = symtab->sh.sh_size / entry;
	obj->room_symbols = obj->nr_symbols;
	obj->old_symbols = obj->nr_symbols;
	obj->symbols = xcalloc(obj->nr_symbols, sizeof(*obj->symbols));
	if (check_strtab(obj))
		return -1;
	if (symtab->sh.sh_info > obj->nr_symbols)
		return fail(obj->path, "broken symbol table");
	data = elf_getdata(elf_getscn(obj->elf, obj->symtab), NULL);
	xindex = extended_indices(obj);
	if (!data)
		return fail(obj->path, "broken symbol table: %s",
			    elf_errmsg(-1));
	for (size_t i = 0; i < obj->nr_symbols; i++)
		if (read_symbol(obj, data, xindex, i))
			return -1;
	return 0;
}

static int check_relocs(struct object *obj)
{
	for (uint32_t i = 1; i < obj->nr_sections; i++) {
		const struct section *sec = &obj->sections[i];

		if (sec->sh.sh_type != SHT_REL && sec->sh.sh_type != SHT_RELA)
			continue;
		if (sec->sh.sh_size % reloc_entry_size(obj, sec->sh.sh_type) ||
		    sec->sh.sh_info >= obj->nr_sections ||
		    sec->sh.sh_link >= obj->nr_sections)
			return fail(obj->path, "broken relocation section %s",
				    sec->name);
	}
	return 0;
}

/**
 * object_open - read an ELF file
 * @obj: filled; object_close() frees it, after a failure too
 * @path: name of the file; must stay valid
 *
 * The file is refused, with a message, when it is no little-endian ELF file of
 * a supported machine, or when headers, symbols or relocations point outside
 * of it.  What sections hold is not checked.
 *
 * Return: 0 or -1.
 */
int object_open(struct object *obj, const char *path)
{
	memset(obj, 0, sizeof(*obj));
	obj->path = path;
	if (map_file(obj) || check_ident(obj) || check_header(obj) ||
	    read_sections(obj) || read_symbols(obj))
		return -1;
	return check_relocs(obj);
}

/**
 * object_close - free what object_open() and the changes since have allocated
 * @obj: the object
 */
void object_close(struct object *obj)
{
	for (uint32_t i = 0; i < obj->nr_sections; i++) {
		if (obj->sections[i].owned)
			free(obj->sections[i].data);
		free(obj->sections[i].owned_name);
	}
	free(obj->sections);
	free(obj->symbols);
	if (obj->elf)
		elf_end(obj->elf);
	if (obj->image)
		munmap(obj->image, obj->size);
	memset(obj, 0, sizeof(*obj));
}

/**
 * object_find_section - index of the first section with a name
 * @obj: the object
 * @name: the name
 *
 * Return: the index, 0 if there is none.
 */
uint32_t object_find_section(const struct object *obj, const char *name)
{
	for (uint32_t i = 1; i < obj->nr_sections; i++)
		if (!obj->sections[i].removed &&
		    !strcmp(obj->sections[i].name, name))
			return i;
	return 0;
}

/**
 * object_find_relocs - index of the section with a section's relocations
 * @obj: the object
 * @target: index of the section that is relocated
 *
 * Return: the index, 0 if there is none.
 */
uint32_t object_find_relocs(const struct object *obj, uint32_t target)
{
	for (uint32_t i = 1; i < obj->nr_sections; i++) {
		const struct section *sec = &obj->sections[i];

		if (!sec->removed && sec->sh.sh_info == target &&
		    (sec->sh.sh_type == SHT_REL || sec->sh.sh_type == SHT_RELA))
			return i;
	}
	return 0;
}

/**
 * object_check_data - whether a section that has a certain name is what others
 *		       of that name are
 * @obj: the object
 * @sec: index of the section
 *
 * Data and relocations can be appended to such a section: plain bytes, with
 * relocations of the machine's kind.
 *
 * Return: 0, or -1 after a message.
 */
int object_check_data(const struct object *obj, uint32_t sec)
{
	const struct section *s = &obj->sections[sec];
	uint32_t relocs = object_find_relocs(obj, sec);

	if (s->sh.sh_type != SHT_PROGBITS || (s->sh.sh_flags & SHF_COMPRESSED))
		return fail(obj->path, "section %s is of a wrong type", s->name);
	if (relocs && (obj->sections[relocs].sh.sh_type != obj->arch->reloc_type ||
		       obj->sections[relocs].sh.sh_link != obj->symtab))
		return fail(obj->path, "section %s has relocations of a wrong type",
			    s->name);
	return 0;
}

/**
 * object_find_symbol - a defined symbol by name
 * @obj: the object
 * @name: the name
 *
 * Return: the first such symbol, NULL if there is none.
 */
const struct symbol *object_find_symbol(const struct object *obj,
					const char *name)
{
	for (uint32_t i = 1; i < obj->nr_symbols; i++)
		if (obj->symbols[i].sym.st_shndx != SHN_UNDEF &&
		    !strcmp(obj->symbols[i].name, name))
			return &obj->symbols[i];
	return NULL;
}

/**
 * object_at - bytes of a linked image by address
 * @obj: an ET_EXEC or ET_DYN object
 * @addr: address of the first byte
 * @size: number of bytes
 *
 * Return: the bytes, NULL if no one section holds them all.
 */
const unsigned char *object_at(const struct object *obj, uint64_t addr,
			       size_t size)
{
	for (uint32_t i = 1; i < obj->nr_sections; i++) {
		const struct section *sec = &obj->sections[i];

		if (sec->data && (sec->sh.sh_flags & SHF_ALLOC) &&
		    addr >= sec->sh.sh_addr &&
		    addr - sec->sh.sh_addr <= sec->sh.sh_size &&
		    size <= sec->sh.sh_size - (addr - sec->sh.sh_addr))
			return sec->data + (addr - sec->sh.sh_addr);
	}
	return NULL;
}

/*
 * Relocation entries are read and written in the host's byte order, which is
 * that of all supported machines; where they stand may be unaligned.
 */
size_t reloc_entry_size(const struct object *obj, uint32_t type)
{
	if (obj->is64)
		return type == SHT_RELA ? sizeof(Elf64_Rela) : sizeof(Elf64_Rel);
	return type == SHT_RELA ? sizeof(Elf32_Rela) : sizeof(Elf32_Rel);
}

void get_reloc(const struct object *obj, uint32_t type,
	       const unsigned char *entry, struct reloc *rel)
{
	if (obj->is64) {
		Elf64_Rela r = { 0 };

		memcpy(&r, entry, reloc_entry_size(obj, type));
		*rel = (struct reloc){ r.r_offset, ELF64_R_TYPE(r.r_info),
				       ELF64_R_SYM(r.r_info), r.r_addend };
	} else {
		Elf32_Rela r = { 0 };

		memcpy(&r, entry, reloc_entry_size(obj, type));
		*rel = (struct reloc){ r.r_offset, ELF32_R_TYPE(r.r_info),
				       ELF32_R_SYM(r.r_info), r.r_addend };
	}
}

void put_reloc(const struct object *obj, uint32_t type, unsigned char *entry,
	       const struct reloc *rel)
{
	if (obj->is64) {
		Elf64_Rela r = {
			.r_offset = rel->offset,
			.r_info = ELF64_R_INFO((uint64_t)rel->symbol, rel->type),
			.r_addend = rel->addend,
		};

		memcpy(entry, &r, reloc_entry_size(obj, type));
	} else {
		Elf32_Rela r = {
			.r_offset = rel->offset,
			.r_info = ELF32_R_INFO(rel->symbol, rel->type),
			.r_addend = rel->addend,
		};

		memcpy(entry, &r, reloc_entry_size(obj, type));
	}
}

/**
 * object_nr_relocs - number of entries of a relocation section
 * @obj: the object
 * @sec: index of the section of type SHT_REL or SHT_RELA, or 0
 */
size_t object_nr_relocs(const struct object *obj, uint32_t sec)
{
	const GElf_Shdr *sh = &obj->sections[sec].sh;

	return sec ? sh->sh_size / reloc_entry_size(obj, sh->sh_type) : 0;
}

/* Without a place for it in the entry, the bytes to relocate hold the addend. */
static bool read_addend(const struct object *obj, uint32_t target,
			struct reloc *rel)
{
	const struct section *sec = &obj->sections[target];
	unsigned int size = obj->arch->reloc_size(rel->type);
	unsigned int drop = 64 - 8 * size;

	rel->addend = 0;
	if (!size)
		return true;
	if (!sec->data || rel->offset > sec->sh.sh_size ||
	    sec->sh.sh_size - rel->offset < size)
		return false;
	memcpy(&rel->addend, sec->data + rel->offset, size);
	rel->addend = (int64_t)((uint64_t)rel->addend << drop) >> drop;
	return true;
}

/**
 * object_get_reloc - an entry of a relocation section
 * @obj: the object
 * @sec: index of the section
 * @i: number of the entry, less than object_nr_relocs()
 * @rel: filled
 *
 * Return: false if the entry has no valid symbol, or no addend.
 */
bool object_get_reloc(const struct object *obj, uint32_t sec, size_t i,
		      struct reloc *rel)
{
	const struct section *s = &obj->sections[sec];

	get_reloc(obj, s->sh.sh_type,
		  s->data + i * reloc_entry_size(obj, s->sh.sh_type), rel);
	if (s->sh.sh_type == SHT_REL && !read_addend(obj, s->sh.sh_info, rel))
		return false;
	return s->sh.sh_link == obj->symtab && rel->symbol < obj->nr_symbols;
}

/**
 * object_put_addend - write the addend of a relocation where SHT_REL has it
 * @obj: the object
 * @target: index of the section that is relocated
 * @rel: the relocation, of a field that is inside the section
 */
void object_put_addend(struct object *obj, uint32_t target,
		       const struct reloc *rel)
{
	struct section *sec = &obj->sections[target];

	memcpy(sec->data + rel->offset, &rel->addend,
	       obj->arch->reloc_size(rel->type));
}
