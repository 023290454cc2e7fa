// SPDX-License-Identifier: GPL-2.0
/*
 * Damage to ELF files of 64 and 32 bits: in the headers, or in one section at a
 * time, by the kind of what stands there.  The size of the file stays.
 */
#include <elf.h>
#include <string.h>

#include "mutate.h"

#define MAX_SECTIONS	256

struct part {
	size_t		at;
	size_t		size;
	uint32_t	type;
	unsigned int	weight;
	bool		tables;
};

/**
 * struct shape - widths of the fields of an ELF class's records
 * @elf: of the header, behind e_ident
 * @section: of a section's header
 * @symbol: of a symbol
 * @reloc_type: SHT_REL or SHT_RELA, as compilers use it
 * @reloc: of such a relocation; its type and symbol are one field in ELF
 */
struct shape {
	uint8_t		elf[13];
	uint8_t		section[10];
	uint8_t		symbol[6];
	uint32_t	reloc_type;
	uint8_t		reloc[4];
	unsigned int	nr_reloc;
};

static const struct shape elf64 = {
	.elf = { 2, 2, 4, 8, 8, 8, 4, 2, 2, 2, 2, 2, 2 },
	.section = { 4, 4, 8, 8, 8, 8, 4, 4, 8, 8 },
	.symbol = { 4, 1, 1, 2, 8, 8 },
	.reloc_type = SHT_RELA,
	.reloc = { 8, 4, 4, 8 },
	.nr_reloc = 4,
};

static const struct shape elf32 = {
	.elf = { 2, 2, 4, 4, 4, 4, 4, 2, 2, 2, 2, 2, 2 },
	.section = { 4, 4, 4, 4, 4, 4, 4, 4, 4, 4 },
	.symbol = { 4, 4, 4, 1, 1, 2 },
	.reloc_type = SHT_REL,
	.reloc = { 4, 1, 3 },
	.nr_reloc = 3,
};

struct file {
	uint8_t		*data;
	size_t		size;
	const struct shape *shape;
	uint64_t	shoff;
	unsigned int	shnum;
	unsigned int	shstrndx;
	struct part	parts[MAX_SECTIONS];
	unsigned int	nr;
	unsigned int	weight;
};

static const struct {
	const char	*prefix;
	unsigned int	weight;
} weights[] = {
	{ ".debug_info", 8 },
	{ ".debug_abbrev", 8 },
	{ ".debug_loc", 6 },
	{ ".debug_rnglists", 3 },
	{ ".debug_ranges", 3 },
	{ ".debug_", 1 },
	{ ".rela.debug_info", 2 },
	{ ".rela.debug_", 1 },
	{ ".rel.debug_info", 2 },
	{ ".rel.debug_", 1 },
	{ ".rel", 4 },
	{ ".symtab", 4 },
	{ ".ftrace_sig", 24 },
	{ "__ftrace_signatures", 24 },
	{ "__mcount_loc", 2 },
	{ ".text", 2 },
};

static unsigned int weight_of(const char *name)
{
	for (size_t i = 0; i < sizeof(weights) / sizeof(*weights); i++)
		if (!strncmp(name, weights[i].prefix, strlen(weights[i].prefix)))
			return weights[i].weight;
	return 1;
}

static bool is_inside(const struct file *f, uint64_t at, size_t size)
{
	return size <= f->size && at <= f->size - size;
}

static bool header32_at(const struct file *f, size_t i, Elf64_Shdr *sh)
{
	uint64_t at = f->shoff + i * sizeof(Elf32_Shdr);
	Elf32_Shdr s;

	if (!is_inside(f, at, sizeof(s)))
		return false;
	memcpy(&s, f->data + at, sizeof(s));
	*sh = (Elf64_Shdr){
		.sh_name = s.sh_name, .sh_type = s.sh_type,
		.sh_offset = s.sh_offset, .sh_size = s.sh_size,
	};
	return true;
}

static bool header64_at(const struct file *f, size_t i, Elf64_Shdr *sh)
{
	uint64_t at = f->shoff + i * sizeof(*sh);

	if (f->shoff > f->size || !is_inside(f, at, sizeof(*sh)))
		return false;
	memcpy(sh, f->data + at, sizeof(*sh));
	return true;
}

static bool header_at(const struct file *f, size_t i, Elf64_Shdr *sh)
{
	if (!(f->shape == &elf64 ? header64_at(f, i, sh) :
				   header32_at(f, i, sh)))
		return false;
	return sh->sh_offset <= f->size && (sh->sh_type == SHT_NOBITS ||
					    sh->sh_size <= f->size - sh->sh_offset);
}

static void add_part(struct file *f, const Elf64_Shdr *sh,
		     const Elf64_Shdr *names)
{
	struct part *part = &f->parts[f->nr];
	const char *name = "";

	if (sh->sh_type == SHT_NULL || sh->sh_type == SHT_NOBITS || !sh->sh_size)
		return;
	/* The names end: see read_file() */
	if (sh->sh_name < names->sh_size)
		name = (char *)f->data + names->sh_offset + sh->sh_name;
	*part = (struct part){
		sh->sh_offset, sh->sh_size, sh->sh_type, weight_of(name),
		!strcmp(name, ".ftrace_sig") ||
		!strcmp(name, "__ftrace_signatures"),
	};
	f->weight += part->weight;
	f->nr++;
}

static void read_header(struct file *f)
{
	Elf64_Ehdr e64;
	Elf32_Ehdr e32;

	memcpy(&e64, f->data, sizeof(e64));
	memcpy(&e32, f->data, sizeof(e32));
	f->shape = e64.e_ident[EI_CLASS] == ELFCLASS32 ? &elf32 : &elf64;
	f->shoff = f->shape == &elf32 ? e32.e_shoff : e64.e_shoff;
	f->shnum = f->shape == &elf32 ? e32.e_shnum : e64.e_shnum;
	f->shstrndx = f->shape == &elf32 ? e32.e_shstrndx : e64.e_shstrndx;
}

static bool read_file(struct file *f, uint8_t *data, size_t size)
{
	Elf64_Shdr sh, names;

	if (size < sizeof(Elf64_Ehdr))
		return false;
	memset(f, 0, sizeof(*f));
	f->data = data;
	f->size = size;
	read_header(f);
	if (!header_at(f, f->shstrndx, &names) ||
	    names.sh_type == SHT_NOBITS || !names.sh_size ||
	    data[names.sh_offset + names.sh_size - 1])
		return false;
	for (size_t i = 0; i < f->shnum && f->nr < MAX_SECTIONS; i++)
		if (header_at(f, i, &sh))
			add_part(f, &sh, &names);
	return f->weight;
}

static const struct part *choose_part(const struct file *f, struct rng *rng)
{
	unsigned int at = rng_below(rng, f->weight), i = 0;

	while (at >= f->parts[i].weight)
		at -= f->parts[i++].weight;
	return &f->parts[i];
}

/* A field of a record, by the widths of the record's fields */
static void mutate_field(struct rng *rng, uint8_t *record, const uint8_t *widths,
			 unsigned int nr)
{
	unsigned int field = rng_below(rng, nr);
	uint64_t value = 0;

	for (unsigned int i = 0; i < field; i++)
		record += widths[i];
	memcpy(&value, record, widths[field]);
	value = mutate_number(rng, value, 8 * widths[field]);
	memcpy(record, &value, widths[field]);
}

static void mutate_record(struct rng *rng, uint8_t *data, size_t size,
			  const uint8_t *widths, unsigned int nr)
{
	size_t length = 0;

	for (unsigned int i = 0; i < nr; i++)
		length += widths[i];
	if (size >= length)
		mutate_field(rng, data + rng_below(rng, size / length) * length,
			     widths, nr);
}

/*
 * Bytes of DWARF mean little by themselves; what stands elsewhere in the
 * section is more likely to be understood.
 */
static void copy_within(struct rng *rng, uint8_t *data, size_t size)
{
	size_t length = 1 + rng_below(rng, size < 16 ? size : 16);

	memmove(data + rng_below(rng, size - length + 1),
		data + rng_below(rng, size - length + 1), length);
}

static void mutate_bytes(struct rng *rng, uint8_t *data, size_t size)
{
	switch (rng_below(rng, 4)) {
	case 0:
		copy_within(rng, data, size);
		break;
	case 1:
		data[rng_below(rng, size)] = rng_next(rng);
		break;
	case 2:
		mutate_words(rng, data + rng_below(rng, size),
			     size > 4 ? 4 : 0);
		break;
	default:
		mutate_in_place(rng, data, size);
		break;
	}
}

static void mutate_section(struct rng *rng, struct file *f,
			   const struct part *part)
{
	const struct shape *shape = f->shape;
	uint8_t *data = f->data + part->at;

	if (part->tables)
		mutate_tables_in_place(rng, data, part->size);
	else if (part->type == SHT_SYMTAB && !rng_once_in(rng, 8))
		mutate_record(rng, data, part->size, shape->symbol,
			      sizeof(shape->symbol));
	else if (part->type == shape->reloc_type && !rng_once_in(rng, 8))
		mutate_record(rng, data, part->size, shape->reloc,
			      shape->nr_reloc);
	else if (part->size > 4)
		mutate_bytes(rng, data, part->size - 4);
	else
		mutate_in_place(rng, data, part->size);
}

static void mutate_headers(struct rng *rng, struct file *f)
{
	const struct shape *shape = f->shape;

	if (rng_once_in(rng, 6))
		mutate_field(rng, f->data + EI_NIDENT, shape->elf,
			     sizeof(shape->elf));
	else
		mutate_record(rng, f->data + f->shoff, f->size - f->shoff,
			      shape->section, sizeof(shape->section));
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size,
			       unsigned int seed)
{
	static struct file f;
	struct rng rng = { seed };

	if (!read_file(&f, data, size))
		return LLVMFuzzerMutate(data, size, max_size);
	if (rng_once_in(&rng, 10))
		mutate_headers(&rng, &f);
	else
		mutate_section(&rng, &f, choose_part(&f, &rng));
	if (rng_once_in(&rng, 16))
		data[EI_PAD] = rng_next(&rng);
	return size;
}
