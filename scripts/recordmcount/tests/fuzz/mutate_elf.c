// SPDX-License-Identifier: GPL-2.0
/*
 * Damage to ELF files: in the headers, or in one section at a time, by the
 * kind of what stands there.  The size of the file stays.
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

struct file {
	uint8_t		*data;
	size_t		size;
	Elf64_Ehdr	ehdr;
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
	{ ".rela", 4 },
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

static bool header_at(const struct file *f, size_t i, Elf64_Shdr *sh)
{
	uint64_t at = f->ehdr.e_shoff + i * sizeof(*sh);

	if (f->ehdr.e_shoff > f->size || at > f->size - sizeof(*sh))
		return false;
	memcpy(sh, f->data + at, sizeof(*sh));
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

static bool read_file(struct file *f, uint8_t *data, size_t size)
{
	Elf64_Shdr sh, names;

	if (size < sizeof(f->ehdr) + sizeof(sh))
		return false;
	memset(f, 0, sizeof(*f));
	f->data = data;
	f->size = size;
	memcpy(&f->ehdr, data, sizeof(f->ehdr));
	if (!header_at(f, f->ehdr.e_shstrndx, &names) ||
	    names.sh_type == SHT_NOBITS || !names.sh_size ||
	    data[names.sh_offset + names.sh_size - 1])
		return false;
	for (size_t i = 0; i < f->ehdr.e_shnum && f->nr < MAX_SECTIONS; i++)
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
	static const uint8_t symbol[] = { 4, 1, 1, 2, 8, 8 };
	static const uint8_t rela[] = { 8, 4, 4, 8 };
	uint8_t *data = f->data + part->at;

	if (part->tables)
		mutate_tables_in_place(rng, data, part->size);
	else if (part->type == SHT_SYMTAB && !rng_once_in(rng, 8))
		mutate_record(rng, data, part->size, symbol, sizeof(symbol));
	else if (part->type == SHT_RELA && !rng_once_in(rng, 8))
		mutate_record(rng, data, part->size, rela, sizeof(rela));
	else if (part->size > 4)
		mutate_bytes(rng, data, part->size - 4);
	else
		mutate_in_place(rng, data, part->size);
}

static void mutate_headers(struct rng *rng, struct file *f)
{
	static const uint8_t section[] = { 4, 4, 8, 8, 8, 8, 4, 4, 8, 8 };
	static const uint8_t elf[] = { 2, 2, 4, 8, 8, 8, 4, 2, 2, 2, 2, 2, 2 };
	size_t room = f->size - f->ehdr.e_shoff;

	if (rng_once_in(rng, 6))
		mutate_field(rng, f->data + EI_NIDENT, elf, sizeof(elf));
	else
		mutate_record(rng, f->data + f->ehdr.e_shoff, room, section,
			      sizeof(section));
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
