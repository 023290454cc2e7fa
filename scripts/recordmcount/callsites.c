// SPDX-License-Identifier: GPL-2.0
/*
 * Finding call sites, and writing them to __mcount_loc as gcc does with -mrecord-mcount:
 * one word per site, its absolute address.
 */
#include <stdlib.h>
#include <string.h>

#include "arch.h"
#include "callsites.h"
#include "elf_edit.h"

static bool is_tracer(const char *name, bool *fentry)
{
	*fentry = !strcmp(name, "__fentry__");
	return *fentry || !strcmp(name, "mcount") || !strcmp(name, "_mcount");
}

static struct call_site *add_site(struct call_sites *cs, uint32_t section,
				  uint64_t offset)
{
	GROW(cs->sites, cs->nr, cs->room);
	cs->sites[cs->nr] = (struct call_site){
		.section = section, .offset = offset,
	};
	return &cs->sites[cs->nr++];
}

/* Cache the symbols of the tracer, because comparing names is slow and they are few. */
static unsigned char *tracer_symbols(const struct object *obj, bool *any)
{
	unsigned char *kinds = xcalloc(obj->nr_symbols, 1);
	bool fentry;

	*any = false;
	for (uint32_t i = 1; i < obj->nr_symbols; i++) {
		if (is_tracer(obj->symbols[i].name, &fentry)) {
			kinds[i] = 1 + fentry;
			*any = true;
		}
	}
	return kinds;
}

static void find_calls(struct object *obj, struct call_sites *cs,
		       const unsigned char *kinds, uint32_t relocs, bool tell)
{
	uint32_t target = obj->sections[relocs].sh.sh_info;
	const struct section *sec = &obj->sections[target];
	size_t nr = object_nr_relocs(obj, relocs);

	for (size_t i = 0; i < nr; i++) {
		struct call_site *site;
		struct reloc rel;
		unsigned int size;
		uint64_t offset;

		if (!object_get_reloc(obj, relocs, i, &rel) ||
		    !kinds[rel.symbol])
			continue;
		if (!(sec->sh.sh_flags & SHF_EXECINSTR) ||
		    !obj->arch->call_site(sec, &rel, &offset, &size)) {
			if (tell)
				warn(obj->path, "%s+0x%llx: this use of %s is no call to trace",
				     sec->name, (unsigned long long)rel.offset,
				     obj->symbols[rel.symbol].name);
			continue;
		}
		site = add_site(cs, target, offset);
		site->call_size = size;
		site->fentry = kinds[rel.symbol] == 2;
	}
}

/*
 * Sites that are recorded already, by gcc or by an earlier run.  Some of them
 * may not be calls any more (-mnop-mcount).
 */
static int find_recorded(struct object *obj, struct call_sites *cs,
			 uint32_t loc)
{
	const char *name = obj->sections[loc].name;
	uint32_t relocs = object_find_relocs(obj, loc);
	size_t nr = object_nr_relocs(obj, relocs);

	for (size_t i = 0; i < nr; i++) {
		const struct symbol *symbol;
		struct call_site *site;
		struct reloc rel;

		if (!object_get_reloc(obj, relocs, i, &rel))
			return fail(obj->path, "broken relocation of %s", name);
		symbol = &obj->symbols[rel.symbol];
		if (symbol->reserved || !symbol->section)
			return fail(obj->path, "%s refers to undefined %s",
				    name, symbol->name);
		site = add_site(cs, symbol->section,
				symbol->sym.st_value + rel.addend);
		site->recorded = true;
	}
	return 0;
}

static int by_place(const void *a, const void *b)
{
	const struct call_site *s = a, *t = b;

	if (s->section != t->section)
		return s->section < t->section ? -1 : 1;
	if (s->offset != t->offset)
		return s->offset < t->offset ? -1 : 1;
	return 0;
}

static void merge_duplicates(struct call_sites *cs)
{
	uint32_t kept = 0;

	qsort(cs->sites, cs->nr, sizeof(*cs->sites), by_place);
	for (uint32_t i = 0; i < cs->nr; i++) {
		const struct call_site *site = &cs->sites[i];
		struct call_site *last;

		if (!kept || by_place(&cs->sites[kept - 1], site)) {
			cs->sites[kept++] = *site;
			continue;
		}
		last = &cs->sites[kept - 1];
		last->recorded |= site->recorded;
		if (site->call_size) {
			last->call_size = site->call_size;
			last->fentry = site->fentry;
		}
	}
	cs->nr = kept;
}

/* Functions of an object by place. */
struct function {
	uint32_t	section;
	uint32_t	symbol;
	uint64_t	start;
};

static int by_start(const void *a, const void *b)
{
	const struct function *f = a, *g = b;

	if (f->section != g->section)
		return f->section < g->section ? -1 : 1;
	if (f->start != g->start)
		return f->start < g->start ? -1 : 1;
	return f->symbol < g->symbol ? -1 : f->symbol > g->symbol;
}

static bool is_function(const struct symbol *symbol)
{
	return GELF_ST_TYPE(symbol->sym.st_info) == STT_FUNC &&
	       !symbol->reserved && symbol->section;
}

static struct function *sort_functions(const struct object *obj, size_t *nr)
{
	struct function *list = NULL;
	size_t room = 0;

	*nr = 0;
	for (uint32_t i = 1; i < obj->nr_symbols; i++) {
		const struct symbol *symbol = &obj->symbols[i];

		if (!is_function(symbol))
			continue;
		GROW(list, *nr, room);
		list[(*nr)++] = (struct function){
			symbol->section, i, symbol->sym.st_value,
		};
	}
	if (*nr)
		qsort(list, *nr, sizeof(*list), by_start);
	return list;
}

/* Both are sorted the same way; of several symbols the first is taken. */
static void find_functions(const struct object *obj, struct call_sites *cs)
{
	struct function *list;
	size_t nr, at = 0;

	list = sort_functions(obj, &nr);
	for (uint32_t i = 0; i < cs->nr && nr; i++) {
		struct call_site *site = &cs->sites[i];
		const struct symbol *symbol;
		size_t first;

		while (at + 1 < nr && (list[at + 1].section < site->section ||
				       (list[at + 1].section == site->section &&
					list[at + 1].start <= site->offset)))
			at++;
		if (list[at].section != site->section ||
		    list[at].start > site->offset)
			continue;
		for (first = at; first && list[first - 1].section == site->section &&
		     list[first - 1].start == list[at].start; first--)
			;
		symbol = &obj->symbols[list[first].symbol];
		if (site->offset - symbol->sym.st_value < symbol->sym.st_size)
			site->function = list[first].symbol;
	}
	free(list);
}

/**
 * call_sites_find - find all call sites of an object
 * @obj: an ET_REL object
 * @cs: filled, to be freed by call_sites_free(), after a failure too
 * @record: the section whose relocations name sites that were found before:
 *	__mcount_loc or, where sites are not listed but for their signatures,
 *	.ftrace_sig
 * @tell: warn of references to the tracer that are no calls
 *
 * A site is the first byte of a call instruction with a relocation against
 * __fentry__ or mcount in an executable section, or whatever @record already
 * names.
 *
 * Return: 0, or -1 after a message.
 */
int call_sites_find(struct object *obj, struct call_sites *cs,
		    const char *record, bool tell)
{
	unsigned char *kinds;
	uint32_t loc;
	bool any;

	memset(cs, 0, sizeof(*cs));
	kinds = tracer_symbols(obj, &any);
	for (uint32_t i = 1; any && i < obj->nr_sections; i++)
		if (obj->sections[i].sh.sh_type == SHT_REL ||
		    obj->sections[i].sh.sh_type == SHT_RELA)
			find_calls(obj, cs, kinds, i, tell);
	free(kinds);
	loc = object_find_section(obj, record);
	if (loc && (object_check_data(obj, loc) || find_recorded(obj, cs, loc)))
		return -1;
	if (!cs->nr)
		return 0;
	merge_duplicates(cs);
	find_functions(obj, cs);
	return 0;
}

/**
 * call_sites_free - free what call_sites_find() allocated
 * @cs: the sites
 */
void call_sites_free(struct call_sites *cs)
{
	free(cs->sites);
	memset(cs, 0, sizeof(*cs));
}

/**
 * call_sites_record - add the sites that __mcount_loc lacks
 * @obj: the object, which is changed if there are any
 * @cs: its sites
 */
void call_sites_record(struct object *obj, struct call_sites *cs)
{
	unsigned int word = obj->arch->word_size;
	struct reloc *rels = xcalloc(cs->nr, sizeof(*rels));
	uint32_t loc = object_find_section(obj, MCOUNT_LOC);
	uint32_t section = 0, symbol = 0;
	uint64_t start = loc ? obj->sections[loc].sh.sh_size : 0;
	size_t nr = 0;

	for (uint32_t i = 0; i < cs->nr; i++) {
		struct call_site *site = &cs->sites[i];

		if (site->recorded)
			continue;
		if (site->section != section) {
			section = site->section;
			symbol = object_section_symbol(obj, section);
		}
		rels[nr] = (struct reloc){
			.offset = start + nr * word,
			.type = obj->arch->reloc_word,
			.symbol = symbol,
			.addend = site->offset,
		};
		nr++;
		site->recorded = true;
	}
	if (nr) {
		void *zeros = xcalloc(nr, word);

		if (!loc)
			loc = object_add_section(obj, MCOUNT_LOC, SHT_PROGBITS,
						 SHF_ALLOC, word, NULL, 0);
		object_append(obj, loc, zeros, nr * word);
		object_add_relocs(obj, loc, rels, nr);
		free(zeros);
	}
	free(rels);
}

/**
 * function_has_name - whether a name is one of a function's
 * @obj: the object
 * @function: a symbol of the function
 * @name: the name
 *
 * Return: true if a function symbol of that name has the same address.
 */
bool function_has_name(const struct object *obj, uint32_t function,
		       const char *name)
{
	const struct symbol *f = &obj->symbols[function];

	if (!strcmp(f->name, name))
		return true;
	for (uint32_t i = 1; i < obj->nr_symbols; i++) {
		const struct symbol *symbol = &obj->symbols[i];

		if (is_function(symbol) && symbol->section == f->section &&
		    symbol->sym.st_value == f->sym.st_value &&
		    !strcmp(symbol->name, name))
			return true;
	}
	return false;
}
