// SPDX-License-Identifier: GPL-2.0
/*
 * Reading sequences of tables, and copying prototypes from one to another.
 */
#include <stdlib.h>
#include <string.h>

#include "arch.h"
#include "merge.h"
#include "type_form.h"

/* Deeper than types of real programs, less than the stack allows. */
#define MAX_DEPTH	256

#define TOO_WIDE "a signature table has an address of more than 32 bits"

/* Marks a type that is being copied. */
#define BUSY		(TABLE_NONE - 1)

static int add_source(const struct object *obj, struct sources *src,
		      const struct section *sec, uint64_t at,
		      unsigned int flags)
{
	const unsigned char *data = sec->data + at;
	size_t size = sec->sh.sh_size - at;
	struct source *s;
	const char *why;

	GROW(src->list, src->nr, src->room);
	s = &src->list[src->nr++];
	memset(s, 0, sizeof(*s));
	s->start = at;
	if ((uintptr_t)data % 8) {
		s->copy = xmemdup(data, size);
		data = s->copy;
	}
	why = table_read(&s->view, data, size);
	if (why)
		return fail(obj->path, "%s+0x%llx: %s", sec->name,
			    (unsigned long long)at, why);
	if (s->view.header->word_size != obj->arch->word_size)
		return fail(obj->path, "%s+0x%llx: signature table of another machine",
			    sec->name, (unsigned long long)at);
	if ((s->view.header->flags ^ flags) & FTRACE_SIG_F_APART)
		return fail(obj->path, "%s+0x%llx: a table of another kind",
			    sec->name, (unsigned long long)at);
	return 0;
}

static bool is_zero(const unsigned char *p, size_t size)
{
	while (size--)
		if (*p++)
			return false;
	return true;
}

/**
 * sources_read - read all tables of a section
 * @obj: the object
 * @sec: index of the section
 * @flags: FTRACE_SIG_F_APART if they must be apart, 0 if they must not
 * @src: filled, to be freed by sources_free(), after a failure too
 *
 * Return: 0, or -1 after a message.
 */
int sources_read(const struct object *obj, uint32_t sec, unsigned int flags,
		 struct sources *src)
{
	const struct section *s = &obj->sections[sec];
	uint64_t at = 0;

	memset(src, 0, sizeof(*src));
	if (object_check_data(obj, sec))
		return -1;
	while (s->sh.sh_size - at >= 8) {
		/* the linker may have aligned the next table */
		if (is_zero(s->data + at, 8)) {
			at += 8;
			continue;
		}
		if (add_source(obj, src, s, at, flags))
			return -1;
		at += src->list[src->nr - 1].view.header->size;
	}
	return 0;
}

/**
 * sources_free - free what sources_read() and merge_proto() allocated
 * @src: the tables
 */
void sources_free(struct sources *src)
{
	for (uint32_t i = 0; i < src->nr; i++) {
		free(src->list[i].ids);
		free(src->list[i].protos);
		free(src->list[i].copy);
		free(src->list[i].pointed);
	}
	free(src->list);
	memset(src, 0, sizeof(*src));
}

static uint32_t copy_type(struct table *table, struct source *src, uint32_t id,
			  unsigned int depth);

static bool copy_string(struct table *table, const struct source *src,
			uint32_t *word)
{
	*word = table_string(table, src->view.strings + *word);
	return *word != TABLE_NONE;
}

static bool copy_id(struct table *table, struct source *src, uint32_t *word,
		    unsigned int depth)
{
	*word = copy_type(table, src, *word, depth + 1);
	return *word != TABLE_NONE;
}

static bool copy_name(struct table *table, const struct source *src,
		      uint32_t *word)
{
	uint32_t name = FTRACE_SIG_ID(*word);
	bool ok = copy_string(table, src, &name);

	*word = FTRACE_SIG_WORD(name, FTRACE_SIG_BITS(*word));
	return ok;
}

/*
 * What a pointer refers to may refer to the pointer, so the pointer is copied with the
 * old id. merge_pointed() replaces it.
 */
static bool copy_later(struct source *src, uint32_t id)
{
	GROW(src->pointed, src->nr_pointed, src->room_pointed);
	src->pointed[src->nr_pointed++] = id;
	return true;
}

/* Each word that refers to something gets the number that this has in @table. */
static bool copy_references(struct table *table, struct source *src,
			    uint32_t *words, size_t nr, unsigned int depth)
{
	bool later = src->pointers_last &&
		     FTRACE_SIG_TYPE_KIND(words[0]) == FTRACE_SIG_PTR;

	for (size_t i = 0; i < nr; i++) {
		switch (type_word(words, i)) {
		case TYPE_WORD_STRING:
			if (!copy_string(table, src, &words[i]))
				return false;
			break;
		case TYPE_WORD_NAME:
			if (!copy_name(table, src, &words[i]))
				return false;
			break;
		case TYPE_WORD_TYPE:
			if (later) {
				copy_later(src, words[i]);
				break;
			}
			if (!copy_id(table, src, &words[i], depth))
				return false;
			break;
		default:
			break;
		}
	}
	return true;
}

static uint32_t copy_type(struct table *table, struct source *src, uint32_t id,
			  unsigned int depth)
{
	const uint32_t *type = src->view.types + id;
	size_t nr = type_words(type, src->view.nr_types - id);
	uint32_t *words;

	if (!id)
		return 0;
	if (src->ids[id] != TABLE_NONE)
		return src->ids[id] == BUSY ? TABLE_NONE : src->ids[id];
	if (depth > MAX_DEPTH)
		return TABLE_NONE;
	src->ids[id] = BUSY;
	words = xmemdup(type, nr * 4);
	id = TABLE_NONE;
	if (copy_references(table, src, words, nr, depth))
		id = table_type(table, words, nr);
	free(words);
	src->ids[type - src->view.types] = id;
	return id;
}

static uint32_t copy_word(struct table *table, struct source *src,
			  uint32_t word)
{
	uint32_t id = copy_type(table, src, FTRACE_SIG_ID(word), 0);

	return id == TABLE_NONE ? TABLE_NONE :
	       FTRACE_SIG_WORD(id, FTRACE_SIG_BITS(word));
}

static uint32_t copy_proto(struct table *table, struct source *src,
			   const struct ftrace_sig_proto *proto)
{
	size_t nr = proto_words(proto);
	struct ftrace_sig_proto *copy = xmemdup(proto, nr * 4);
	uint32_t offset = TABLE_NONE;
	bool ok;

	copy->ret = copy_word(table, src, proto->ret);
	ok = copy->ret != TABLE_NONE;
	for (unsigned int i = 0; ok && i < proto->nr_params; i++) {
		struct ftrace_sig_param *param = &copy->params[i];
		uint32_t name = FTRACE_SIG_ID(param->name_words);
		uint32_t words = FTRACE_SIG_BITS(param->name_words);

		param->type_place = copy_word(table, src, param->type_place);
		ok = param->type_place != TABLE_NONE &&
		     copy_string(table, src, &name);
		param->name_words = FTRACE_SIG_WORD(name, words);
	}
	if (ok)
		offset = table_proto(table, (const uint32_t *)copy, nr);
	free(copy);
	return offset;
}

static uint32_t *unknown_words(size_t nr)
{
	uint32_t *words = xcalloc(nr, 4);

	memset(words, 0xff, nr * 4);
	return words;
}

static void begin_source(struct source *src)
{
	const struct ftrace_sig_header *h = src->view.header;

	if (src->ids)
		return;
	src->ids = unknown_words(src->view.nr_types);
	src->protos = unknown_words((h->types - h->protos) / 4);
}

/**
 * merge_proto - copy a call site's prototype to another table
 * @table: where to
 * @src: the table that has it
 * @site: number of the call site there
 *
 * Return: offset of the prototype in @table, TABLE_NONE if there is no room
 * or if a type contains itself.
 */
uint32_t merge_proto(struct table *table, struct source *src, uint32_t site)
{
	const struct ftrace_sig_proto *proto = table_view_proto(&src->view, site);
	uint32_t slot = src->view.sigs[site] / 4;

	begin_source(src);
	if (src->protos[slot] == TABLE_NONE)
		src->protos[slot] = copy_proto(table, src, proto);
	return src->protos[slot];
}

/**
 * merge_definitions - copy what an object says about its structures
 * @table: where to
 * @src: the table of the object
 *
 * That is each stub with a size or a line; nothing need refer to it.
 *
 * Return: false if there is no room.
 */
bool merge_definitions(struct table *table, struct source *src)
{
	const uint32_t *types = src->view.types;
	uint32_t nr = src->view.nr_types;

	if (src->definitions_copied)
		return true;
	src->definitions_copied = true;
	begin_source(src);
	for (uint32_t id = 0; id < nr; id += type_words(types + id, nr - id))
		if (type_is_definition_note(types + id) &&
		    copy_type(table, src, id, 0) == TABLE_NONE)
			return false;
	return true;
}

/**
 * merge_pointed - copy what copied pointers refer to
 * @table: where to
 * @src: a table with pointers_last
 *
 * To be called once, after all prototypes were copied, and when nothing will be added to
 * @table afterwards: this changes the pointers that it has.
 *
 * Return: false if there is no room.
 */
bool merge_pointed(struct table *table, struct source *src)
{
	uint32_t *types;
	size_t nr;

	for (size_t i = 0; i < src->nr_pointed; i++)
		if (copy_type(table, src, src->pointed[i], 0) == TABLE_NONE)
			return false;
	types = (uint32_t *)table->types.data;
	nr = table->types.size / 4;
	for (size_t id = 0; id < nr; id += type_words(types + id, nr - id))
		if (FTRACE_SIG_TYPE_KIND(types[id]) == FTRACE_SIG_PTR && types[id + 2])
			types[id + 2] = src->ids[types[id + 2]];
	return true;
}

static uint64_t relative_ip(const struct object *obj, uint32_t sec,
			    const struct source *src, uint32_t i)
{
	uint64_t ip = obj->sections[sec].sh.sh_addr + src->start +
		      src->view.header->ips + i * 4ull;
	int32_t relative;

	memcpy(&relative, src->view.ips + i * 4ull, 4);
	ip += relative;
	return obj->is64 ? ip : (uint32_t)ip;
}

static int plain_ips(const struct object *obj, uint32_t sec,
		     const struct source *src, struct table_ip *ips)
{
	for (uint32_t i = 0; i < src->view.header->nr_sites; i++) {
		uint64_t ip;

		if (src->view.ip_size == 8)
			memcpy(&ip, src->view.ips + i * 8ull, 8);
		else
			ip = relative_ip(obj, sec, src, i);
		/* a 32-bit linker relocates only the lower half */
		if (!obj->is64 && ip > UINT32_MAX)
			return fail(obj->path, TOO_WIDE);
		ips[i] = (struct table_ip){ .offset = ip };
	}
	return 0;
}

static int relocate_ip(const struct object *obj, const struct reloc *rel,
		       uint32_t type, struct table_ip *ip)
{
	const struct symbol *symbol = &obj->symbols[rel->symbol];

	if (rel->type != type || symbol->reserved)
		return fail(obj->path, "a signature table has a relocation of type %u",
			    rel->type);
	ip->base = rel->symbol;
	ip->section = symbol->section;
	ip->offset = rel->addend + (symbol->section ? symbol->sym.st_value : 0);
	return 0;
}

/* 32-bit relocations do not write the upper halves of addresses, so these must be 0. */
static int check_high_words(const struct object *obj, const struct source *src)
{
	if (obj->is64 || src->view.ip_size != 8)
		return 0;
	for (uint32_t i = 0; i < src->view.header->nr_sites; i++)
		if (!is_zero(src->view.ips + i * 8ull + 4, 4))
			return fail(obj->path, TOO_WIDE);
	return 0;
}

/**
 * read_ips - where the call sites of a table are
 * @obj: the object
 * @sec: index of the section that holds the table
 * @src: the table
 * @ips: filled, one for each site
 *
 * In a relocatable object relocations tell, in an image the table itself.
 *
 * Return: 0, or -1 after a message.
 */
int read_ips(const struct object *obj, uint32_t sec, const struct source *src,
	     struct table_ip *ips)
{
	uint32_t relocs = object_find_relocs(obj, sec);
	uint64_t first = src->start + src->view.header->ips;
	uint32_t type = src->view.ip_size == 8 ? obj->arch->reloc_word :
			obj->arch->reloc_pc32;
	size_t nr = object_nr_relocs(obj, relocs);

	if (obj->ehdr.e_type != ET_REL)
		return plain_ips(obj, sec, src, ips);
	memset(ips, 0, src->view.header->nr_sites * sizeof(*ips));
	for (size_t i = 0; i < nr; i++) {
		struct reloc rel;
		uint64_t index;

		if (!object_get_reloc(obj, relocs, i, &rel))
			return fail(obj->path, "a signature table has a broken relocation");
		index = (rel.offset - first) / src->view.ip_size;
		if (rel.offset < first ||
		    index >= src->view.header->nr_sites)
			continue;
		if (relocate_ip(obj, &rel, type, &ips[index]))
			return -1;
		if ((rel.offset - first) % src->view.ip_size)
			return fail(obj->path,
					    "a signature table has a relocation within an address");
	}
	for (uint32_t i = 0; i < src->view.header->nr_sites; i++)
		if (!ips[i].base)
			return fail(obj->path, "a signature table lacks a relocation");
	return check_high_words(obj, src);
}
